/* rod: a rod on a frictional foundation, shaken at its end. For every number of masses, amplitude
   and frequency the work of friction in a cycle, beside what is lost without inertia. */
#include "study/analyses/rod/rod.h"

#include <math.h>
#include <string.h>

#include "study/file/options.h"

#define TWO_PI 6.28318530717958647693

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

enum { N_KEYS = sizeof keys / sizeof *keys, MOST_RUNS = 1000 };

static void close_product(ms_study *s, ms_task *task) {
  ms_rod_product *p = task->product;
  for (ptrdiff_t i = 0; p->run && i < p->n_run; i++) ms_free(s->ctx, &p->run[i].sample);
  ms_free(s->ctx, &p->run);
  ms_pressure_destroy(&p->pressure);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status take_table(const ms_study *s, struct fy_node *node, const ms_table *table,
                            ms_rod_product *p) {
  const double *x = ms_table_get_column(table, "x"), *psi = ms_table_get_column(table, "psi");
  if (!x || !psi) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "the table has no column '%s'",
                        x ? "psi" : "x");
  }
  ms_status status =
      ms_pressure_create_table(s->ctx, ms_table_get_rows(table), x, psi, &p->pressure);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, node, status);
}

static ms_status read_table(const ms_study *s, struct fy_node *node, const char *file,
                            ms_rod_product *p) {
  char *path = NULL;
  ms_table *table = NULL;
  MS_TRY(ms_study_path(s, file, &path));
  ms_status status = ms_table_read(s->ctx, path, &table);
  if (status != MS_SUCCESS) status = ms_yaml_fail_here(&s->yaml, node, status);
  if (status == MS_SUCCESS) status = take_table(s, node, table, p);
  ms_table_destroy(&table);
  ms_free(s->ctx, &path);
  return status;
}

static ms_status make_pressure(const ms_study *s, const options *o, ms_rod_product *p) {
  struct fy_node *beta = ms_yaml_get(o->pressure, "beta");
  struct fy_node *table = ms_yaml_get(o->pressure, "table");
  if (!beta == !table) {
    return ms_yaml_fail(&s->yaml, o->pressure, MS_ERR_NAME,
                        "pressure is either {beta: ...} or {table: ...}");
  }
  if (table) return read_table(s, table, o->table, p);
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
    p->run[i] = (ms_rod_run) { .n = (ptrdiff_t)list[0].value[i % list[0].n],
                               .alpha = list[1].value[rest % list[1].n],
                               .omega = list[2].value[rest / list[1].n] };
  }
  for (int k = 0; k < 3; k++) p->counts[k] = (int)list[k].n;
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  ms_rod_product *p;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  ms_status status = ms_options_read_task(s, task, &o);
  if (status == MS_SUCCESS) status = make_pressure(s, &o, p);
  if (status == MS_SUCCESS) status = request_runs(s, task, &o, p);
  p->cycles = o.cycles;
  p->steps = o.steps;
  p->map = o.map > 0 ? o.map : 0;
  ms_options_free(s->ctx, keys, N_KEYS, &o);
  return status;
}

/* ---- runs ---- */

static ptrdiff_t sample_size(const ms_rod_product *p, const ms_rod_run *r) {
  return MS_ROD_SAMPLES * (4 + (r->n == p->map ? r->n : 0));
}

static double force_at(const ms_rod_run *r, const ms_rod_product *p, double step) {
  return r->alpha * sin(TWO_PI * step / (double)p->steps);
}

/* Sample k ends at a whole step; its power is the mean since the sample before. */
static void take_sample(const ms_rod_product *p, const ms_rod_chain *chain, ptrdiff_t k, double dt,
                        double work, ms_rod_run *r) {
  const ms_rod_chain_state at = ms_rod_chain_get(chain);
  double *row = r->sample + 4 * k;
  const double step = at.time * r->omega / TWO_PI * (double)p->steps;
  row[0] = TWO_PI * fmod(step / (double)p->steps, 1.0);
  if (k == MS_ROD_SAMPLES - 1) row[0] = TWO_PI;
  row[1] = force_at(r, p, step);
  row[2] = at.u[0];
  row[3] = (at.work - work) / dt;
  if (r->map) memcpy(r->map + r->n * k, at.u, (size_t)r->n * sizeof *r->map);
}

static ms_status march(ms_context *ctx, const ms_rod_product *p, ms_rod_chain *chain,
                       ms_rod_run *r) {
  const ptrdiff_t first = (p->cycles - 1) * p->steps, end = p->cycles * p->steps;
  const double h = TWO_PI / r->omega / (double)p->steps;
  ptrdiff_t k = 0, last = first;
  double before = 0.0, work = 0.0;
  for (ptrdiff_t i = 0; i < end; i++) {
    double F[3];
    for (int j = 0; j < 3; j++) F[j] = force_at(r, p, (double)(i % p->steps) + 0.5 * j);
    if (i == first) before = work = ms_rod_chain_get(chain).work;
    MS_TRY(ms_rod_chain_step(chain, F));
    if (i % 4096 == 0) MS_TRY(ms_progress(ctx, "rod", (double)i / (double)end));
    if (i < first || (i + 1 - first) * MS_ROD_SAMPLES < (k + 1) * p->steps) continue;
    take_sample(p, chain, k++, h * (double)(i + 1 - last), work, r);
    work = ms_rod_chain_get(chain).work;
    last = i + 1;
  }
  const ms_rod_chain_state at = ms_rod_chain_get(chain);
  r->work = at.work - before;
  r->residual = at.residual;
  r->rescued = (double)at.rescued;
  r->solves = (double)at.solves / (double)at.steps;
  return MS_SUCCESS;
}

static void place_map(const ms_rod_product *p, ms_rod_run *r) {
  r->map = r->n == p->map ? r->sample + 4 * MS_ROD_SAMPLES : NULL;
}

static ms_status run_one(ms_worker *w, ptrdiff_t job, void *user) {
  const ms_rod_product *p = user;
  ms_rod_run *r = &p->run[job];
  const ms_rod_chain_setting setting = { .n = r->n, .step = TWO_PI / r->omega / (double)p->steps };
  ms_rod_chain *chain = NULL;
  MS_TRY(ms_rod_chain_create(w->ctx, p->pressure, &setting, &chain));
  ms_status status = march(w->ctx, p, chain, r);
  ms_rod_chain_destroy(&chain);
  return status;
}

static ptrdiff_t save(const void *user, ptrdiff_t job, double *values) {
  const ms_rod_product *p = user;
  const ms_rod_run *r = &p->run[job];
  const double head[4] = { r->work, r->residual, r->rescued, r->solves };
  if (values) {
    memcpy(values, head, sizeof head);
    memcpy(values + 4, r->sample, (size_t)sample_size(p, r) * sizeof *values);
  }
  return 4 + sample_size(p, r);
}

static ms_status load(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                      ptrdiff_t n) {
  const ms_rod_product *p = user;
  ms_rod_run *r = &p->run[job];
  if (n != 4 + sample_size(p, r)) return ms_fail(ctx, MS_ERR_FORMAT, "no run of this rod");
  r->work = values[0];
  r->residual = values[1];
  r->rescued = values[2];
  r->solves = values[3];
  memcpy(r->sample, values + 4, (size_t)(n - 4) * sizeof *values);
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_rod_product *p = task->product;
  const ms_jobs jobs = { .n = p->n_run, .run = run_one, .save = save, .load = load, .user = p };
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    ms_rod_run *r = &p->run[i];
    MS_TRY(ms_allocate(s->ctx, sample_size(p, r), sizeof *r->sample, &r->sample));
    place_map(p, r);
  }
  MS_TRY(ms_pool_run_jobs(s, task->name, &jobs));
  return ms_rod_tabulate(s, task, p);
}

const ms_analysis ms_analysis_rod = {
  .name = "rod",
  .meaning =
      "A rod on a frictional foundation, shaken at its end: masses with inertia and "
      "set-valued friction (Moreau's time stepping), beside closed forms without inertia. "
      "Without units: forces over gross slip, lengths over the rod, times over that of a "
      "wave along it.",
  .keys = keys,
  .n_keys = N_KEYS,
  .alone = 1,
  .check = check,
  .run = run,
  .summarise = ms_rod_summarise,
  .report = ms_rod_report,
  .close = close_product,
};
