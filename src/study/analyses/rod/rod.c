/* rod: a rod on a frictional foundation, shaken at its end. For every number of masses, amplitude
   and frequency the work of friction in a cycle, beside what is lost without inertia. */
#include "study/analyses/rod/rod.h"

#include "response/rod/pack.h"
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
static const ms_param_list pressure_list = MS_LIST_OF(pressure_keys);

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_MAPPING(options, pressure, pressure_list, MS_REQUIRED,
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

enum { MOST_RUNS = 1000 };

static void close_product(ms_study *s, ms_task *task) {
  ms_rod_product *p = task->product;
  for (ptrdiff_t i = 0; p->run && i < p->n_run; i++) ms_rod_cycle_free(s->ctx, &p->run[i]);
  ms_free(s->ctx, &p->run);
  ms_pressure_destroy(&p->pressure);
}

/* ---- options ---- */

static ms_status read_table(const ms_study *s, struct fy_node *node, const char *file,
                            ms_pressure **out) {
  char *path = NULL;
  ms_table *table = NULL;
  MS_TRY(ms_study_path(s, file, &path));
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

static ms_status make_pressure(const ms_study *s, const options *o, ms_rod_product *p) {
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
                              ms_rod_product *p) {
  double usual_masses = 64.0, usual = 0.25;
  const ms_numbers one = { &usual, 1 }, n_masses = { &usual_masses, 1 };
  const ms_numbers list[3] = { o->masses.n ? o->masses : n_masses,
                               o->amplitude.n ? o->amplitude : one, o->omega.n ? o->omega : one };
  const ptrdiff_t n = list[0].n * list[1].n * list[2].n;
  if (n > MOST_RUNS) {
    return ms_yaml_fail(&s->yaml, task->key, MS_ERR_BOUNDS, "%td runs; %d are the most", n,
                        (int)MOST_RUNS);
  }
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->run, &p->run));
  p->n_run = n;
  for (ptrdiff_t i = 0; i < n; i++) {
    const ptrdiff_t rest = i / list[0].n;
    const ptrdiff_t masses = (ptrdiff_t)list[0].value[i % list[0].n];
    p->run[i] = (ms_rod_cycle) { .n = masses,
                                 .amplitude = list[1].value[rest % list[1].n],
                                 .omega = list[2].value[rest / list[1].n],
                                 .cycles = o->cycles,
                                 .steps = o->steps,
                                 .keep = masses == p->map };
  }
  for (int k = 0; k < 3; k++) p->counts[k] = (int)list[k].n;
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_rod_product *p = task->product;
  p->map = o->map > 0 ? o->map : 0;
  MS_TRY(make_pressure(s, o, p));
  return request_runs(s, task, o, p);
}

/* ---- runs ---- */

static ms_status run_one(ms_worker *w, ptrdiff_t job, void *user) {
  const ms_rod_product *p = user;
  return ms_rod_cycle_run(w->ctx, p->pressure, &p->run[job]);
}

static ptrdiff_t save(const void *user, ptrdiff_t job, double *values) {
  return ms_rod_cycle_save(&((const ms_rod_product *)user)->run[job], values);
}

static ms_status load(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                      ptrdiff_t n) {
  return ms_rod_cycle_load(ctx, &((ms_rod_product *)user)->run[job], values, n);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_rod_product *p = task->product;
  const ms_jobs jobs = { .n = p->n_run, .run = run_one, .save = save, .load = load, .user = p };
  return ms_pool_run_jobs(s, task->name, &jobs);
}

const ms_analysis ms_analysis_rod = {
  .name = "rod",
  .meaning =
      "A rod on a frictional foundation, shaken at its end: masses with inertia and "
      "set-valued friction (Moreau's time stepping), beside closed forms without inertia. "
      "Without units: forces over gross slip, lengths over the rod, times over that of a "
      "wave along it.",
  MS_KEYS(keys, options),
  .product_size = sizeof(ms_rod_product),
  .alone = 1,
  .check = check,
  .run = run,
  .result = ms_rod_result,
  .close = close_product,
};
