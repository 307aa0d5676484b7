/* What `rod` says: work per cycle and its exponents, power, loops, displacements over a cycle. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/rod/rod.h"

/* ---- tables ---- */

static ms_status tabulate_runs(ms_study *s, const ms_task *task, ms_rod_product *p) {
  MS_TRY(ms_result_table_create(
      s, task->name, "masses,amplitude,omega,work,loss_masses,loss_rod,residual,rescued,solves",
      &p->table));
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    const ms_rod_run *r = &p->run[i];
    double still;
    MS_TRY(ms_rod_chain_cycle_loss(s->ctx, p->pressure, r->n, r->alpha, &still));
    MS_TRY(ms_result_table_add_row(s->ctx, p->table, (double)r->n, r->alpha, r->omega, r->work,
                                   still, ms_rod_cycle_loss(p->pressure, r->alpha), r->residual,
                                   r->rescued, r->solves));
  }
  return MS_SUCCESS;
}

/* The end of the rod without inertia, in its steady cycle: the branch that the sample is on. */
static double still_end(const ms_pressure *p, double alpha, double tau, double F) {
  const double quarter = 1.57079632679489661923;
  const int falling = tau > quarter && tau <= 3.0 * quarter;
  const double from = falling ? alpha : -alpha, u_from = -ms_rod_first_displacement(p, alpha);
  const double moved = 2.0 * ms_rod_first_displacement(p, 0.5 * (F - from));
  return falling ? u_from + moved : -u_from - moved;
}

static ms_status tabulate_cycles(ms_study *s, const ms_task *task, ms_rod_product *p) {
  char name[96];
  snprintf(name, sizeof name, "%.80s_cycle", task->name);
  MS_TRY(
      ms_result_table_create(s, name, "run,masses,tau,force,u,power,u_without_inertia", &p->cycle));
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    for (ptrdiff_t k = 0; k < MS_ROD_SAMPLES; k++) {
      const ms_rod_run *r = &p->run[i];
      const double *x = r->sample + 4 * k;
      MS_TRY(ms_result_table_add_row(s->ctx, p->cycle, (double)(i + 1), (double)r->n, x[0], x[1],
                                     x[2], x[3], still_end(p->pressure, r->alpha, x[0], x[1])));
    }
  }
  return MS_SUCCESS;
}

/* A mass has slipped if it moved since the sample before; before the first comes the last. */
static ms_status tabulate_map(ms_study *s, const ms_task *task, ms_rod_product *p) {
  char name[96];
  if (p->map == 0) return MS_SUCCESS;
  snprintf(name, sizeof name, "%.80s_displacement", task->name);
  MS_TRY(ms_result_table_create(s, name, "run,mass,tau,u,slips", &p->displacement));
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    const ms_rod_run *r = &p->run[i];
    for (ptrdiff_t m = 0; r->map && m < r->n; m++) {
      for (ptrdiff_t k = 0; k < MS_ROD_SAMPLES; k++) {
        const double u = r->map[m + r->n * k],
                     old = r->map[m + r->n * ((k ? k : MS_ROD_SAMPLES) - 1)];
        MS_TRY(ms_result_table_add_row(s->ctx, p->displacement, (double)(i + 1), (double)(m + 1),
                                       r->sample[4 * k], u, u != old ? 1.0 : 0.0));
      }
    }
  }
  return MS_SUCCESS;
}

ms_status ms_rod_tabulate(ms_study *s, const ms_task *task, ms_rod_product *p) {
  MS_TRY(tabulate_runs(s, task, p));
  MS_TRY(tabulate_cycles(s, task, p));
  return tabulate_map(s, task, p);
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

void ms_rod_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  static const char *const column[] = { "masses",      "amplitude", "omega",   "work",
                                        "loss_masses", "loss_rod",  "residual" };
  const ms_rod_product *p = task->product;
  (void)s;
  ms_json_begin_array(json, "runs");
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    ms_json_begin_object(json, NULL);
    for (int c = 0; c < 7; c++) {
      ms_json_add_number(json, column[c], ms_result_table_column(p->table, c)[i]);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
  for (int c = 1; c < 3; c++) {
    double m = find_exponent(p, c);
    if (isfinite(m)) ms_json_add_number(json, c == 1 ? "exponent_amplitude" : "exponent_omega", m);
  }
}

/* ---- figures ---- */

enum { MOST = 6 }; /* curves of one panel */

static ptrdiff_t shown(const ms_rod_product *p) {
  return p->n_run < MOST ? p->n_run : MOST;
}

static void label_run(const ms_rod_product *p, const ms_rod_run *r, char text[64]) {
  if (p->counts[0] > 1 || p->n_run == 1)
    snprintf(text, 64, "%td masses", r->n);
  else if (p->counts[1] > 1)
    snprintf(text, 64, "amplitude %.3g", r->alpha);
  else
    snprintf(text, 64, "omega %.3g", r->omega);
}

/* Column y over column x of the samples, for the first runs. */
static ms_status add_samples(const ms_rod_product *p, int x, int y, ms_figure *figure) {
  for (ptrdiff_t i = 0; i < shown(p); i++) {
    char label[64];
    const ptrdiff_t first = i * MS_ROD_SAMPLES;
    label_run(p, &p->run[i], label);
    const ms_series series = { .label = label,
                               .x = ms_result_table_column(p->cycle, x) + first,
                               .y = ms_result_table_column(p->cycle, y) + first,
                               .n = MS_ROD_SAMPLES,
                               .style = y == 6 ? MS_SERIES_DASHED : MS_SERIES_LINE,
                               .colour = (int)i };
    MS_TRY(ms_figure_add_series(figure, &series));
  }
  return MS_SUCCESS;
}

static ms_status fill_cycle(const ms_rod_product *p, ms_figure *figure) {
  const ms_panel power = { "Power of friction", "tau", NULL, "power", NULL, 0, 0 };
  const ms_panel loop = { "Loop at the end", "u(0)", NULL, "force", NULL, 0, 0 };
  MS_TRY(ms_figure_add_panel(figure, &power));
  MS_TRY(add_samples(p, 2, 5, figure));
  MS_TRY(ms_figure_add_panel(figure, &loop));
  MS_TRY(add_samples(p, 4, 3, figure));
  const ms_series still = { .label = "without inertia",
                            .x = ms_result_table_column(p->cycle, 6),
                            .y = ms_result_table_column(p->cycle, 3),
                            .n = MS_ROD_SAMPLES,
                            .style = MS_SERIES_DASHED,
                            .colour = -1 };
  return ms_figure_add_series(figure, &still);
}

/* Work over what is varied; nothing where several things are. */
static ms_status fill_work(ms_context *ctx, const ms_rod_product *p, int c, ms_figure *figure) {
  static const char *const label[] = { "masses", "amplitude", "omega" };
  const ms_panel panel = { "Work in a cycle", label[c], NULL, "loss", NULL, 1, c == 1 };
  double *loss = NULL;
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(ms_allocate(ctx, p->n_run, sizeof *loss, &loss));
  for (ptrdiff_t i = 0; i < p->n_run; i++) loss[i] = -p->run[i].work;
  const ms_series series[3] = {
    { "with inertia", ms_result_table_column(p->table, c), loss, p->n_run, MS_SERIES_POINTS, 0 },
    { "masses without inertia", ms_result_table_column(p->table, c),
      ms_result_table_column(p->table, 4), p->n_run, MS_SERIES_LINE, 1 },
    { "rod without inertia", ms_result_table_column(p->table, c),
      ms_result_table_column(p->table, 5), p->n_run, MS_SERIES_DASHED, -1 },
  };
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < 3 && status == MS_SUCCESS; i++) {
    status = ms_figure_add_series(figure, &series[i]);
  }
  ms_free(ctx, &loss);
  return status;
}

/* Displacements of the masses of the first run that has them, a curve each; those that never slip
   lie on zero. */
static ms_status fill_map(const ms_rod_product *p, ms_figure *figure) {
  const ms_panel panel = { "Displacements over the last cycle", "tau", NULL, "u", NULL, 0, 0 };
  ptrdiff_t masses = p->map, stride = masses > 32 ? masses / 32 : 1;
  MS_TRY(ms_figure_add_panel(figure, &panel));
  for (ptrdiff_t m = 0; m < masses; m += stride) {
    const ms_series one = { .label = NULL,
                            .x = ms_result_table_column(p->displacement, 2) + MS_ROD_SAMPLES * m,
                            .y = ms_result_table_column(p->displacement, 3) + MS_ROD_SAMPLES * m,
                            .n = MS_ROD_SAMPLES,
                            .style = MS_SERIES_LINE,
                            .colour = m == 0 ? 0 : 1 };
    MS_TRY(ms_figure_add_series(figure, &one));
  }
  return MS_SUCCESS;
}

typedef ms_status (*fill_fn)(const ms_rod_product *p, ms_figure *figure);

static ms_status add_figure(const ms_study *s, const char *title, fill_fn fill, int c,
                            const ms_rod_product *p, ms_page *page) {
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, title, NULL, &figure));
  ms_status status = fill ? fill(p, figure) : fill_work(s->ctx, p, c, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}

static ms_status report_exponents(const ms_rod_product *p, ms_page *page) {
  char text[200];
  for (int c = 1; c < 3; c++) {
    double m = find_exponent(p, c);
    if (!isfinite(m)) continue;
    snprintf(text, sizeof text, "The work grows with the %s to the power %.4g.",
             c == 1 ? "amplitude" : "frequency", m);
    MS_TRY(ms_page_add_text(page, text));
  }
  return MS_SUCCESS;
}

ms_status ms_rod_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_rod_product *p = task->product;
  if (p->displacement && ms_result_table_rows(p->displacement) > 0) {
    MS_TRY(add_figure(s, "Masses", fill_map, 0, p, page));
  }
  MS_TRY(add_figure(s, "The last cycle", fill_cycle, 0, p, page));
  for (int c = 0; c < 3; c++) {
    int alone = p->counts[c] > 1 && p->n_run == p->counts[c];
    if (alone) MS_TRY(add_figure(s, "Work of friction", NULL, c, p, page));
  }
  MS_TRY(report_exponents(p, page));
  return ms_result_table_add_to_page(
      s->ctx, p->table,
      "Work of friction in the last cycle; loss of the masses and of the "
      "rod without inertia",
      page);
}
