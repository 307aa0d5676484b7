/* rod: a rod on a frictional foundation, shaken at its end. For every number of masses, amplitude
   and frequency the work of friction in a cycle, beside what is lost without inertia. */
#include <math.h>

#include <microslip/rod.h>

#include "response/rod/pack.h"
#include "study/analyses/shared/answers.h"
#include "study/file/options.h"

typedef struct options {
  struct fy_node *pressure;
  double beta;
  const char *table;
  ms_numbers masses, amplitude, omega;
  ptrdiff_t cycles, steps, map;
} options;

static const ms_param pressure_keys[] = {
  MS_NUMBER(options, beta, "-", MS_POSITIVE, MS_ELSE("optional"),
            "friction on the outer part x of the rod grows as x^beta"),
  MS_PATH(options, table, MS_OPTIONAL,
          "or a table with columns x, from 0 to 1, and psi, to any scale"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_MAPPING(options, pressure, MS_ROWS(pressure_keys), MS_REQUIRED,
             "normal load along the rod: one of {beta: ...} and {table: ...}"),
  MS_COUNTS(options, masses, MS_WITHIN(2, 1e6), MS_ELSE("64"), "numbers of masses"),
  MS_NUMBERS(options, amplitude, "-", MS_WITHIN(1e-6, 0.999), MS_ELSE("0.25"),
             "of the force, over that of gross slip"),
  MS_NUMBERS(options, omega, "-", MS_WITHIN(1e-6, 10), MS_ELSE("0.25"),
             "angular frequency of the force, times that of a wave to run along the rod"),
  MS_COUNT(options, cycles, MS_FROM(2), MS_DEFAULT(6), "from rest, the last of which is looked at"),
  MS_COUNT(options, steps, MS_FROM(MS_ROD_SAMPLES), MS_DEFAULT(16000), "time steps of a cycle"),
  MS_COUNT(options, map, MS_FROM(2), MS_ELSE("none"),
           "number of masses: runs with so many keep all their displacements over the last cycle"),
};

typedef struct product {
  ms_pressure *pressure;
  ms_rod_cycle *run;
  ptrdiff_t n_run;
  ptrdiff_t map; /* n of the runs whose displacements are kept; 0: none */
  int counts[3]; /* of n, alpha, omega */
  ms_result_table *table, *cycle, *displacement;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (ptrdiff_t i = 0; p->run && i < p->n_run; i++) ms_rod_cycle_free(s->ctx, &p->run[i]);
  ms_free(s->ctx, &p->run);
  ms_pressure_destroy(&p->pressure);
}

/* ---- options ---- */

static ms_status read_table(const ms_study *s, struct fy_node *node, const char *file,
                            ms_pressure **out) {
  char *path = NULL;
  ms_table *table = NULL;
  MS_TRY(ms_yaml_path(&s->yaml, file, &path));
  ms_status status = ms_table_read(s->ctx, path, &table);
  if (status == MS_SUCCESS) {
    const double *x = ms_table_get_column(table, "x"), *psi = ms_table_get_column(table, "psi");
    status = x && psi
                 ? ms_pressure_create_table(s->ctx, ms_table_get_rows(table), x, psi, out)
                 : ms_fail(s->ctx, MS_ERR_NAME, "the table has no column '%s'", x ? "psi" : "x");
  }
  ms_table_destroy(&table);
  ms_free(s->ctx, &path);
  return ms_yaml_fail_here(&s->yaml, node, status);
}

static ms_status make_pressure(const ms_study *s, const options *o, product *p) {
  struct fy_node *beta = ms_yaml_get(o->pressure, "beta");
  struct fy_node *table = ms_yaml_get(o->pressure, "table");
  if (!beta == !table) {
    return ms_yaml_fail(&s->yaml, o->pressure, MS_ERR_NAME,
                        "pressure is either {beta: ...} or {table: ...}");
  }
  if (table) return read_table(s, table, o->table, &p->pressure);
  return ms_pressure_create_power(s->ctx, o->beta, &p->pressure);
}

/* A run for every combination, the masses running fastest. */
static ms_status request_runs(const ms_study *s, const ms_task *task, const options *o,
                              product *p) {
  double usual_masses = 64.0, usual = 0.25;
  const ms_numbers one = { &usual, 1 }, n_masses = { &usual_masses, 1 };
  const ms_numbers list[3] = { o->masses.n ? o->masses : n_masses,
                               o->amplitude.n ? o->amplitude : one, o->omega.n ? o->omega : one };
  const ms_rod_cycle request = { .cycles = o->cycles, .steps = o->steps };
  ms_status status =
      ms_rod_cycle_grid(s->ctx, &request, p->map, list[0].n, list[0].value, list[1].n,
                        list[1].value, list[2].n, list[2].value, &p->n_run, &p->run);
  for (int k = 0; k < 3; k++) p->counts[k] = (int)list[k].n;
  return ms_yaml_fail_here(&s->yaml, task->key, status);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  product *p = task->product;
  p->map = o->map > 0 ? o->map : 0;
  MS_TRY(make_pressure(s, o, p));
  return request_runs(s, task, o, p);
}

/* ---- runs ---- */

static ms_status run_one(ms_worker *w, ptrdiff_t job, void *user) {
  const product *p = user;
  return ms_rod_cycle_run(w->ctx, p->pressure, &p->run[job]);
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  const ms_jobs jobs = { .run = run_one,
                         .user = p,
                         MS_ITEMS(p->run, p->n_run, ms_rod_cycle_save, ms_rod_cycle_load) };
  return ms_pool_run_jobs(s, task->name, &jobs);
}

/* ---- tables ---- */

static void tabulate_runs(const ms_task *task, product *p) {
  p->table = ms_result_new_table(
      task->result, "", "masses,amplitude,omega,work,loss_masses,loss_rod,residual,rescued,solves");
  p->cycle =
      ms_result_new_table(task->result, "_cycle", "run,masses,tau,force,u,power,u_without_inertia");
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    const ms_rod_cycle *r = &p->run[i];
    ms_result_put_row(p->table, (double)r->n, r->amplitude, r->omega, r->work, r->loss_chain,
                      r->loss_rod, r->residual, r->rescued, r->solves);
    for (ptrdiff_t k = 0; k < MS_ROD_SAMPLES; k++) {
      const ms_rod_sample *x = &r->sample[k];
      ms_result_put_row(p->cycle, (double)(i + 1), (double)r->n, x->tau, x->force, x->u, x->power,
                        x->u_still);
    }
  }
}

/* A mass has slipped if it moved since the sample before; before the first comes the last. */
static void tabulate_map(const ms_task *task, product *p) {
  if (p->map == 0) return;
  p->displacement = ms_result_new_table(task->result, "_displacement", "run,mass,tau,u,slips");
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    const ms_rod_cycle *r = &p->run[i];
    for (ptrdiff_t m = 0; r->u && m < r->n; m++) {
      for (ptrdiff_t k = 0; k < MS_ROD_SAMPLES; k++) {
        const double u = r->u[m + r->n * k], old = r->u[m + r->n * ((k ? k : MS_ROD_SAMPLES) - 1)];
        ms_result_put_row(p->displacement, (double)(i + 1), (double)(m + 1), r->sample[k].tau, u,
                          u != old ? 1.0 : 0.0);
      }
    }
  }
}

/* ---- exponents ---- */

static void set_exponent(const product *p, int column, const char *name, const char *what,
                         ms_result *result) {
  if (p->counts[column] != p->n_run) return; /* others vary, too */
  const double m = ms_rod_find_exponent(p->n_run, ms_result_table_column(p->table, column),
                                        ms_result_table_column(p->table, 3));
  if (!isfinite(m)) return;
  ms_result_set_number(result, name, NULL, m);
  ms_answer_number(result, MS_HEAD_DECAY, NULL, NULL, m,
                   "Exponent of the dissipated energy against %s", what);
}

/* ---- figures ---- */

enum { MOST = 6, MOST_MASSES = 32 }; /* curves of one panel */

/* Displacements of the masses of the runs that have them, a curve each; those that never slip lie
   on zero. */
static const ms_plot masses[] = {
  MS_PANEL("Displacement of each mass", "tau", "u", .by = "mass", .most = MOST_MASSES, .label = "",
           .colour = -1),
  MS_OVER("tau", "u", .by = "run", .where = "mass=1", .label = ""),
};

static void plot_cycle(const product *p, ms_result *result) {
  const int by_masses = p->counts[0] == p->n_run;
  const ms_plot panel[] = {
    MS_PANEL("Power of friction", "tau", "power", .by = by_masses ? "masses" : "run", .most = MOST,
             .label = by_masses ? "%s masses" : "run %s"),
    MS_PANEL("Loop of the loaded end", "u", "force", .x_label = "u(0)",
             .by = by_masses ? "masses" : "run", .most = MOST,
             .label = by_masses ? "%s masses" : "run %s"),
    MS_OVER("u_without_inertia", "force", .where = "run=1", .label = "without inertia",
            .style = MS_SERIES_DASHED, .colour = -1),
  };
  ms_result_plot(result, "Power of friction and hysteresis loop in the last cycle",
                 "The loop should close, or the cycle is not yet periodic. Its distance from the "
                 "dashed loop is the effect of inertia.",
                 p->cycle, 3, panel);
  ms_result_feature_figure(result, MS_HEAD_DECAY);
}

/* Work over what is varied; nothing where several things are. */
static void plot_work(const product *p, ms_result *result) {
  static const char *const column[] = { "masses", "amplitude", "omega" };
  for (int c = 0; c < 3; c++) {
    const ms_plot panel[] = {
      MS_PANEL("Energy dissipated per cycle", column[c], "work",
               .y_label = "energy dissipated per cycle", .x_log = 1, .y_log = c == 1,
               .y_scale = -1.0, .label = "with inertia", .style = MS_SERIES_POINTS),
      MS_OVER(column[c], "loss_masses", .label = "masses without inertia", .colour = 1),
      MS_OVER(column[c], "loss_rod", .label = "rod without inertia", .style = MS_SERIES_DASHED,
              .colour = -1),
    };
    if (p->counts[c] < 2 || p->n_run != p->counts[c]) continue;
    ms_result_plot(result, "Energy dissipated per cycle",
                   c == 0 ? "The points should reach the line of the rod as the number of masses "
                            "grows; where they do not, inertia matters."
                          : "Points that leave the lines show the effect of inertia.",
                   p->table, 3, panel);
    ms_result_feature_figure(result, MS_HEAD_DECAY);
  }
}

/* Of the last run, which has most masses, the largest amplitude and frequency. */
static void answer(const product *p, ms_result *result) {
  const ms_rod_cycle *r = &p->run[p->n_run - 1];
  ms_answer_number(result, MS_HEAD_DECAY, NULL, NULL, -r->work,
                   "Energy dissipated per cycle (dimensionless), force %g, frequency %g",
                   r->amplitude, r->omega);
  if (!(r->loss_rod > 0.0)) return;
  ms_answer_percent(result, (-r->work / r->loss_rod - 1.0), MS_HEAD_DECAY,
                    "Difference from the rod without inertia");
}

static ms_status result(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_result *result = task->result;
  tabulate_runs(task, p);
  tabulate_map(task, p);
  (void)s;
  MS_TRY(ms_result_get_status(result));
  ms_result_list_rows(result, "runs", p->table,
                      "masses,amplitude,omega,work,loss_masses,loss_rod,residual");
  answer(p, result);
  set_exponent(p, 1, "exponent_amplitude", "amplitude", result);
  set_exponent(p, 2, "exponent_omega", "frequency", result);
  plot_cycle(p, result);
  plot_work(p, result);
  if (p->displacement) {
    ms_result_plot(result, "Displacements along the rod in the last cycle",
                   "Masses that never slip stay on zero: slip reaches as far as the first of them.",
                   p->displacement, 2, masses);
  }
  ms_result_show_table(result, p->table,
                       "Work of friction in the last cycle, and the energy dissipated per cycle "
                       "without inertia by the masses and by the rod");
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_rod = {
  .name = "rod",
  .title = "Rod on a frictional foundation",
  .meaning =
      "A rod on a frictional foundation, shaken at its end: masses with inertia and "
      "set-valued friction (Moreau's time stepping), beside closed forms without inertia. "
      "Without units: forces over gross slip, lengths over the rod, times over that of a "
      "wave along it.",
  MS_KEYS(keys, options, product),
  .alone = 1,
  .check = check,
  .run = run,
  .result = result,
  .close = close_product,
};
