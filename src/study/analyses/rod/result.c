/* What `rod` ends in: work per cycle and its exponents, power, loops, displacements over a cycle.
 */
#include <math.h>

#include "study/analyses/rod/rod.h"

/* ---- tables ---- */

static ms_status tabulate_runs(ms_study *s, const ms_task *task, ms_rod_product *p) {
  MS_TRY(ms_task_add_table(
      s, task, "", "masses,amplitude,omega,work,loss_masses,loss_rod,residual,rescued,solves",
      &p->table));
  MS_TRY(ms_task_add_table(s, task, "_cycle", "run,masses,tau,force,u,power,u_without_inertia",
                           &p->cycle));
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    const ms_rod_cycle *r = &p->run[i];
    MS_TRY(ms_result_table_add_row(s->ctx, p->table, (double)r->n, r->amplitude, r->omega, r->work,
                                   r->loss_chain, r->loss_rod, r->residual, r->rescued, r->solves));
    for (ptrdiff_t k = 0; k < MS_ROD_SAMPLES; k++) {
      const ms_rod_sample *x = &r->sample[k];
      MS_TRY(ms_result_table_add_row(s->ctx, p->cycle, (double)(i + 1), (double)r->n, x->tau,
                                     x->force, x->u, x->power, x->u_still));
    }
  }
  return MS_SUCCESS;
}

/* A mass has slipped if it moved since the sample before; before the first comes the last. */
static ms_status tabulate_map(ms_study *s, const ms_task *task, ms_rod_product *p) {
  if (p->map == 0) return MS_SUCCESS;
  MS_TRY(ms_task_add_table(s, task, "_displacement", "run,mass,tau,u,slips", &p->displacement));
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    const ms_rod_cycle *r = &p->run[i];
    for (ptrdiff_t m = 0; r->u && m < r->n; m++) {
      for (ptrdiff_t k = 0; k < MS_ROD_SAMPLES; k++) {
        const double u = r->u[m + r->n * k], old = r->u[m + r->n * ((k ? k : MS_ROD_SAMPLES) - 1)];
        MS_TRY(ms_result_table_add_row(s->ctx, p->displacement, (double)(i + 1), (double)(m + 1),
                                       r->sample[k].tau, u, u != old ? 1.0 : 0.0));
      }
    }
  }
  return MS_SUCCESS;
}

/* ---- exponents ---- */

/* Slope of ln |work| over the logarithm of column c, the others being the same; NAN where there
   are fewer than three runs. */
static double find_exponent(const ms_rod_product *p, int c) {
  const double *x = ms_result_table_column(p->table, c), *W = ms_result_table_column(p->table, 3);
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < 3; k++) {
    if (k == c ? p->counts[k] < 3 : p->counts[k] != 1) return NAN;
  }
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    if (!(W[i] < 0.0)) return NAN;
    double a = log(x[i]), b = log(-W[i]);
    n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void set_exponent(const ms_rod_product *p, int column, const char *name, const char *what,
                         ms_result *result) {
  const double m = find_exponent(p, column);
  if (!isfinite(m)) return;
  ms_result_set_number(result, name, NULL, m);
  ms_result_say(result, "The work grows with the %s to the power %.4g.", what, m);
}

/* ---- figures ---- */

enum { MOST = 6, MOST_MASSES = 32 }; /* curves of one panel */

/* Displacements of the masses of the runs that have them, a curve each; those that never slip lie
   on zero. */
static const ms_plot masses[] = {
  { .title = "Displacements over the last cycle",
    .x = "tau",
    .y = "u",
    .by = "mass",
    .most = MOST_MASSES,
    .label = "",
    .colour = -1 },
  { .x = "tau", .y = "u", .by = "run", .where = "mass=1", .over = 1, .label = "" },
};

static void plot_cycle(const ms_rod_product *p, ms_result *result) {
  const int by_masses = p->counts[0] == p->n_run;
  const ms_plot panel[] = {
    { .title = "Power of friction",
      .x = "tau",
      .y = "power",
      .by = by_masses ? "masses" : "run",
      .most = MOST,
      .label = by_masses ? "%s masses" : "run %s" },
    { .title = "Loop at the end",
      .x = "u",
      .y = "force",
      .x_label = "u(0)",
      .by = by_masses ? "masses" : "run",
      .most = MOST,
      .label = by_masses ? "%s masses" : "run %s" },
    { .x = "u_without_inertia",
      .y = "force",
      .over = 1,
      .where = "run=1",
      .label = "without inertia",
      .style = MS_SERIES_DASHED,
      .colour = -1 },
  };
  ms_result_plot(result, "The last cycle", NULL, p->cycle, 3, panel);
}

/* Work over what is varied; nothing where several things are. */
static void plot_work(const ms_rod_product *p, ms_result *result) {
  static const char *const column[] = { "masses", "amplitude", "omega" };
  for (int c = 0; c < 3; c++) {
    const ms_plot panel[] = {
      { .title = "Work in a cycle",
        .x = column[c],
        .y = "work",
        .y_label = "loss",
        .x_log = 1,
        .y_log = c == 1,
        .y_scale = -1.0,
        .label = "with inertia",
        .style = MS_SERIES_POINTS },
      { .x = column[c],
        .y = "loss_masses",
        .over = 1,
        .label = "masses without inertia",
        .colour = 1 },
      { .x = column[c],
        .y = "loss_rod",
        .over = 1,
        .label = "rod without inertia",
        .style = MS_SERIES_DASHED,
        .colour = -1 },
    };
    if (p->counts[c] < 2 || p->n_run != p->counts[c]) continue;
    ms_result_plot(result, "Work of friction", NULL, p->table, 3, panel);
  }
}

ms_status ms_rod_result(ms_study *s, ms_task *task) {
  ms_rod_product *p = task->product;
  ms_result *result = task->result;
  MS_TRY(tabulate_runs(s, task, p));
  MS_TRY(tabulate_map(s, task, p));
  ms_result_list_rows(result, "runs", p->table,
                      "masses,amplitude,omega,work,loss_masses,loss_rod,residual");
  if (p->displacement) ms_result_plot(result, "Masses", NULL, p->displacement, 2, masses);
  plot_cycle(p, result);
  plot_work(p, result);
  set_exponent(p, 1, "exponent_amplitude", "amplitude", result);
  set_exponent(p, 2, "exponent_omega", "frequency", result);
  ms_result_show_table(result, p->table,
                       "Work of friction in the last cycle; loss of the masses and of the rod "
                       "without inertia");
  return MS_SUCCESS;
}
