/* rod: a rod on a frictional foundation, shaken at its end. For every number of masses, amplitude
   and frequency the work of friction in a cycle, beside what is lost without inertia. */
#include "study/analyses/rod.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.28318530717958647693

static const ms_param keys[] = {
  MS_KEY("name", "word", "of this analysis", 0),
  MS_KEY("pressure", "mapping", "normal load along the rod: {beta: 1.5}, or {table: file}", 1),
  MS_KEY("masses", "number or list", "numbers of masses; 64", 0),
  MS_KEY("amplitude", "number or list", "of the force, over gross slip; 0.25", 0),
  MS_KEY("omega", "number or list", "of the force, over that of a wave along the rod; 0.25", 0),
  MS_KEY("cycles", "number", "the last of which is looked at; 6", 0),
  MS_KEY("steps", "number", "of a cycle; 16000", 0),
  MS_KEY("map", "number", "of masses: displacements of these runs are kept; none", 0),
};

static const ms_param pressure_keys[] = {
  MS_KEY("beta", "number", "friction on the outer part x of the rod grows as x^beta", 0),
  MS_KEY("table", "word", "file with columns x from 0 to 1 and psi", 0),
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

static ms_status read_table(const ms_study *s, struct fy_node *node, ms_rod_product *p) {
  const char *file;
  char *path = NULL;
  ms_table *table = NULL;
  MS_TRY(ms_yaml_text(&s->yaml, node, "table", &file));
  MS_TRY(ms_study_path(s, file, &path));
  ms_status status = ms_table_read(s->ctx, path, &table);
  if (status != MS_SUCCESS) status = ms_yaml_fail_here(&s->yaml, node, status);
  if (status == MS_SUCCESS) status = take_table(s, node, table, p);
  ms_table_destroy(&table);
  ms_free(s->ctx, &path);
  return status;
}

static ms_status read_pressure(const ms_study *s, struct fy_node *node, ms_rod_product *p) {
  struct fy_node *beta = ms_yaml_get(node, "beta"), *table = ms_yaml_get(node, "table");
  double value;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, "pressure", pressure_keys, 2));
  if (!beta == !table) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                        "pressure is either {beta: ...} or {table: "
                        "...}");
  }
  if (table) return read_table(s, table, p);
  MS_TRY(ms_yaml_positive(&s->yaml, beta, "beta", &value));
  return ms_pressure_create_power(s->ctx, value, &p->pressure);
}

/* A list of numbers, or the default; all inside [low, high]. */
static ms_status read_list(const ms_study *s, const ms_task *task, const char *key, double other,
                           double low, double high, double **out, ptrdiff_t *n) {
  struct fy_node *node = ms_yaml_get(task->node, key);
  *n = 1;
  if (!node) {
    MS_TRY(ms_allocate(s->ctx, 1, sizeof **out, out));
    (*out)[0] = other;
    return MS_SUCCESS;
  }
  MS_TRY(ms_yaml_numbers(&s->yaml, node, key, out, n));
  for (ptrdiff_t i = 0; i < *n; i++) {
    if ((*out)[i] >= low && (*out)[i] <= high) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "%s %g must be between %g and %g", key,
                        (*out)[i], low, high);
  }
  return MS_SUCCESS;
}

typedef struct lists {
  double *n, *alpha, *omega;
  ptrdiff_t count[3];
} lists;

static ms_status read_lists(const ms_study *s, const ms_task *task, lists *l) {
  MS_TRY(read_list(s, task, "masses", 64, 2, 1e6, &l->n, &l->count[0]));
  MS_TRY(read_list(s, task, "amplitude", 0.25, 1e-6, 0.999, &l->alpha, &l->count[1]));
  return read_list(s, task, "omega", 0.25, 1e-6, 10.0, &l->omega, &l->count[2]);
}

/* A run for every combination, the masses running fastest. */
static ms_status request_runs(const ms_study *s, const ms_task *task, const lists *l,
                              ms_rod_product *p) {
  const ptrdiff_t n = l->count[0] * l->count[1] * l->count[2];
  if (n > MOST_RUNS) {
    return ms_yaml_fail(&s->yaml, task->key, MS_ERR_BOUNDS, "%td runs; %d are the most", n,
                        (int)MOST_RUNS);
  }
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->run, &p->run));
  p->n_run = n;
  for (ptrdiff_t i = 0; i < n; i++) {
    const ptrdiff_t rest = i / l->count[0];
    p->run[i] = (ms_rod_run) { .n = (ptrdiff_t)l->n[i % l->count[0]],
                               .alpha = l->alpha[rest % l->count[1]],
                               .omega = l->omega[rest / l->count[1]] };
  }
  for (int k = 0; k < 3; k++) p->counts[k] = (int)l->count[k];
  return MS_SUCCESS;
}

static ms_status read_runs(const ms_study *s, const ms_task *task, ms_rod_product *p) {
  lists l = { .n = NULL };
  ms_status status = read_lists(s, task, &l);
  if (status == MS_SUCCESS) status = request_runs(s, task, &l, p);
  ms_free(s->ctx, &l.n);
  ms_free(s->ctx, &l.alpha);
  ms_free(s->ctx, &l.omega);
  return status;
}

static ms_status read_count(const ms_study *s, const ms_task *task, const char *key,
                            ptrdiff_t least, ptrdiff_t *out) {
  struct fy_node *node = ms_yaml_get(task->node, key);
  return node ? ms_yaml_count_value(&s->yaml, node, key, least, out) : MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  ms_rod_product *p;
  MS_TRY(
      ms_yaml_check_keys(&s->yaml, task->node ? task->node : task->key, task->name, keys, N_KEYS));
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  *p = (ms_rod_product) { .steps = 16000, .cycles = 6 };
  task->product = p;
  MS_TRY(read_pressure(s, ms_yaml_get(task->node, "pressure"), p));
  MS_TRY(read_runs(s, task, p));
  MS_TRY(read_count(s, task, "cycles", 2, &p->cycles));
  MS_TRY(read_count(s, task, "steps", MS_ROD_SAMPLES, &p->steps));
  MS_TRY(read_count(s, task, "map", 2, &p->map));
  return MS_SUCCESS;
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
