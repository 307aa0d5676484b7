/* The Pareto front of misfits such as those of frequency and damping. */
#include <math.h>
#include <microslip/calibrate_methods.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/calibrate/residuals.h"
#include "identify/fit/fit.h"

/* ---- objectives ---- */

/* Which of its two quantities, -1 if it is not looked at. */
static int find_quantity(const ms_target *t, const char *quantity) {
  for (int i = 0; i < 2; i++) {
    const char *name = ms_target_quantity(t->kind, i);
    if (name && t->weight[i] > 0.0 && strcmp(name, quantity) == 0) return i;
  }
  return -1;
}

ptrdiff_t ms_objectives_list(ptrdiff_t n_target, const ms_target *target, int each,
                             ms_objective *out) {
  ptrdiff_t n = 0;
  for (ptrdiff_t j = 0; j < 2 * n_target; j++) {
    const ptrdiff_t k = j / 2;
    const char *quantity = ms_target_quantity(target[k].kind, (int)(j % 2));
    int listed = !quantity || find_quantity(&target[k], quantity) < 0;
    for (ptrdiff_t m = 0; !each && !listed && m < n; m++) {
      listed = strcmp(out[m].quantity, quantity) == 0;
    }
    if (listed) continue;
    ms_objective *o = &out[n++];
    *o = (ms_objective) { .target = each ? k : -1, .quantity = quantity };
    if (each) snprintf(o->name, sizeof o->name, "%.20s_%td", quantity, k + 1);
    if (!each) snprintf(o->name, sizeof o->name, "%.20s", quantity);
  }
  return n;
}

double ms_objective_weigh(const ms_objective *o, ptrdiff_t n_target, const ms_target *target,
                          const double *f) {
  double sum = 0.0, weights = 0.0;
  for (ptrdiff_t k = 0; k < n_target; k++) {
    const int i = find_quantity(&target[k], o->quantity);
    if ((o->target >= 0 && k != o->target) || i < 0) continue;
    sum += target[k].weight[i] * f[2 * k + i];
    weights += target[k].weight[i];
  }
  return sum / weights;
}

/* ---- search ---- */

typedef struct search {
  ms_context *ctx;
  const ms_front_setting *setting;
  const ms_part_store *store;
  ms_map_fn *map;
  void *user;
  ms_front *front;
  ms_nsga2 *nsga2;
  double *scratch; /* points x (n_x + n_f + 1) */
  double *before;  /* t of the last generation */
  ptrdiff_t n_before, capacity;
} search;

static ms_status eval(void *user, ptrdiff_t n, const double *t, double *f, double *v) {
  const search *x = user;
  const ptrdiff_t n_f = x->front->n_f;
  MS_TRY(x->map(x->user, n, t, x->scratch));
  for (ptrdiff_t i = 0; i < n; i++) {
    memcpy(f + n_f * i, x->scratch + (n_f + 1) * i, (size_t)n_f * sizeof *f);
    v[i] = x->scratch[n_f + (n_f + 1) * i];
  }
  return MS_SUCCESS;
}

/* Worst of the first generation, a little beyond. */
static ms_status set_reference(const search *x, const ms_pareto_points *p) {
  double *reference = x->front->reference;
  ptrdiff_t valid = 0;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    valid += p->v[i] == 0.0;
    for (ptrdiff_t m = 0; p->v[i] == 0.0 && m < p->n_f; m++) {
      reference[m] = fmax(reference[m], x->setting->beyond * p->f[m + p->n_f * i]);
    }
  }
  if (valid > 0) return MS_SUCCESS;
  return ms_fail(x->ctx, MS_NOT_CONVERGED,
                 "none of the first %td points could be evaluated: look at bounds and amplitudes",
                 p->n);
}

/* What survives a generation was in it. */
static int is_known(const search *x, const double *t) {
  const ptrdiff_t n = x->front->n_x;
  for (ptrdiff_t i = 0; i < x->n_before; i++) {
    if (memcmp(x->before + n * i, t, (size_t)n * sizeof *t) == 0) return 1;
  }
  return 0;
}

static ms_status add_seen(search *x, const ms_pareto_points *p) {
  ms_front *front = x->front;
  const ptrdiff_t width = p->n_f + p->n_x;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const double *t = p->x + p->n_x * i;
    if (p->v[i] > 0.0 || is_known(x, t)) continue;
    if (front->n_seen == x->capacity) {
      x->capacity = 2 * x->capacity + 256;
      MS_TRY(ms_resize(x->ctx, x->capacity * width, sizeof *front->seen, &front->seen));
    }
    double *row = front->seen + width * front->n_seen++;
    memcpy(row, p->f + p->n_f * i, (size_t)p->n_f * sizeof *row);
    memcpy(row + p->n_f, t, (size_t)p->n_x * sizeof *row);
  }
  memcpy(x->before, p->x, (size_t)(p->n * p->n_x) * sizeof *x->before);
  x->n_before = p->n;
  return MS_SUCCESS;
}

/* Points without an answer are none of the front: they are put at the reference, where they add
   nothing. */
static ms_status measure(search *x, ptrdiff_t generation) {
  const ms_pareto_points p = ms_nsga2_points(x->nsga2);
  double *f = x->scratch, *volume = &x->front->volume[generation];
  const double *reference = x->front->reference;
  if (generation == 0) MS_TRY(set_reference(x, &p));
  MS_TRY(add_seen(x, &p));
  for (ptrdiff_t i = 0; i < p.n * p.n_f; i++) {
    f[i] = p.v[i / p.n_f] > 0.0 ? reference[i % p.n_f] : p.f[i];
  }
  MS_TRY(ms_pareto_hypervolume(x->ctx, p.n, p.n_f, f, reference, volume));
  for (ptrdiff_t m = 0; m < p.n_f; m++) *volume /= reference[m];
  return MS_SUCCESS;
}

static ms_status keep(const search *x, ptrdiff_t generation) {
  const ms_pareto_points p = ms_nsga2_points(x->nsga2);
  if (!x->store) return MS_SUCCESS;
  memcpy(x->scratch, p.x, (size_t)(p.n * p.n_x) * sizeof *x->scratch);
  memcpy(x->scratch + p.n * p.n_x, p.f, (size_t)(p.n * p.n_f) * sizeof *x->scratch);
  memcpy(x->scratch + p.n * (p.n_x + p.n_f), p.v, (size_t)p.n * sizeof *x->scratch);
  return x->store->keep(x->store->user, generation, p.n * (p.n_x + p.n_f + 1), x->scratch);
}

/* The generations of an earlier run, as far as they follow each other. */
static ms_status restore(search *x, ptrdiff_t *next) {
  const ptrdiff_t n = x->setting->points, n_x = x->front->n_x, n_f = x->front->n_f;
  ptrdiff_t part, size;
  const double *values;
  while (x->store && x->store->next(x->store->user, &part, &size, &values)) {
    if (part != *next || size != n * (n_x + n_f + 1) || part > x->setting->generations) continue;
    const double *f = values + n * n_x, *v = f + n * n_f;
    MS_TRY(ms_nsga2_restore(x->nsga2, part, values, f, v));
    MS_TRY(measure(x, part));
    *next = part + 1;
  }
  return MS_SUCCESS;
}

static ms_status advance(search *x) {
  const ptrdiff_t generations = x->setting->generations;
  ptrdiff_t next = 0;
  MS_TRY(restore(x, &next));
  x->front->made = (generations + 1 - next) * x->setting->points;
  for (ptrdiff_t g = next; g <= generations; g++) {
    MS_TRY(ms_nsga2_step(x->nsga2));
    MS_TRY(measure(x, g));
    MS_TRY(keep(x, g));
    MS_TRY(ms_progress(x->ctx, x->setting->what, (double)(g + 1) / (double)(generations + 1)));
  }
  return MS_SUCCESS;
}

/* ---- the front ---- */

/* Rows by the first objective; equal rows once. */
static void insert(ms_front *front, const double *row) {
  const ptrdiff_t width = front->n_f + front->n_x;
  const size_t size = (size_t)width * sizeof *row;
  ptrdiff_t at = front->n;
  for (; at > 0; at--) {
    const double *other = front->row + width * (at - 1);
    ptrdiff_t i = 0;
    while (i < width && row[i] == other[i]) i++;
    if (i == width || row[i] > other[i]) break;
  }
  if (at > 0 && memcmp(row, front->row + width * (at - 1), size) == 0) return;
  memmove(front->row + width * (at + 1), front->row + width * at, size * (size_t)(front->n - at));
  memcpy(front->row + width * at, row, size);
  front->n++;
}

static ms_status take_front(const search *x, const ms_fit_parameter *parameter) {
  ms_front *front = x->front;
  const ms_pareto_points p = ms_nsga2_points(x->nsga2);
  MS_TRY(ms_allocate(x->ctx, (p.n + 1) * (p.n_f + p.n_x), sizeof *front->row, &front->row));
  for (ptrdiff_t i = 0; i < p.n; i++) {
    double *row = x->scratch;
    if (p.rank[i] != 0 || p.v[i] > 0.0) continue;
    memcpy(row, p.f + p.n_f * i, (size_t)p.n_f * sizeof *row);
    for (ptrdiff_t j = 0; j < p.n_x; j++) {
      row[p.n_f + j] = ms_fit_unscaled(&parameter[j], p.x[j + p.n_x * i]);
    }
    insert(front, row);
  }
  front->evaluations = (front->generations + 1) * x->setting->points;
  if (front->n > 0) return MS_SUCCESS;
  return ms_fail(x->ctx, MS_NOT_CONVERGED, "no point of the search could be evaluated");
}

static ms_status open_search(search *x) {
  const ms_front *front = x->front;
  const ptrdiff_t n = x->setting->points, n_x = front->n_x;
  ms_nsga2_setting setting = MS_NSGA2_DEFAULT;
  double *bound = NULL;
  setting.n_point = n;
  setting.seed = x->setting->seed;
  MS_TRY(ms_allocate(x->ctx, n * (n_x + front->n_f + 1), sizeof *x->scratch, &x->scratch));
  MS_TRY(ms_allocate(x->ctx, n * n_x, sizeof *x->before, &x->before));
  MS_TRY(ms_allocate(x->ctx, 2 * n_x, sizeof *bound, &bound));
  for (ptrdiff_t i = 0; i < n_x; i++) bound[n_x + i] = 1.0;
  const ms_pareto_problem problem = { n_x, front->n_f, bound, bound + n_x, eval, x };
  ms_status status = ms_nsga2_create(x->ctx, &problem, &setting, &x->nsga2);
  ms_free(x->ctx, &bound);
  return status;
}

void ms_front_default(ms_front_setting *setting, size_t size) {
  ms_settings_fill(&(ms_front_setting)MS_FRONT_DEFAULT, setting, size);
}

ms_status ms_front_search(ms_context *ctx, ptrdiff_t n_f, ptrdiff_t n_x,
                          const ms_fit_parameter *parameter, ms_map_fn *map, void *user,
                          const ms_front_setting *setting, const ms_part_store *store,
                          ms_front *out) {
  ms_front_setting own = MS_FRONT_DEFAULT;
  MS_TAKE(ctx, ms_front_default, setting, own);
  search x = { .ctx = ctx, .setting = setting, .store = store, .map = map, .user = user };
  *out = (ms_front) { .n_f = n_f, .n_x = n_x, .generations = setting->generations };
  x.front = out;
  MS_TRY(ms_allocate(ctx, n_f, sizeof *out->reference, &out->reference));
  MS_TRY(ms_allocate(ctx, setting->generations + 1, sizeof *out->volume, &out->volume));
  ms_status status = open_search(&x);
  if (status == MS_SUCCESS) status = advance(&x);
  if (status == MS_SUCCESS) status = take_front(&x, parameter);
  ms_nsga2_destroy(&x.nsga2);
  ms_free(ctx, &x.scratch);
  ms_free(ctx, &x.before);
  return status;
}

void ms_front_find_range(const ms_front *f, ptrdiff_t i, double *low, double *high) {
  *low = HUGE_VAL, *high = -HUGE_VAL;
  for (ptrdiff_t k = 0; k < f->n; k++) {
    const double p = f->row[f->n_f + i + (f->n_f + f->n_x) * k];
    *low = fmin(*low, p), *high = fmax(*high, p);
  }
}

void ms_front_free(ms_context *ctx, ms_front *front) {
  ms_free(ctx, &front->row);
  ms_free(ctx, &front->volume);
  ms_free(ctx, &front->reference);
  ms_free(ctx, &front->seen);
}

ms_status ms_front_solve(const ms_front *front, const ms_objective *objective, ms_calibration *on,
                         ms_solution *out, ptrdiff_t *n) {
  ms_context *ctx = ms_calibration_context(on);
  const ptrdiff_t n_f = front->n_f, width = n_f + front->n_x;
  double *f = NULL;
  MS_TRY(ms_allocate(ctx, n_f * front->n, sizeof *f, &f));
  for (ptrdiff_t i = 0; i < n_f * front->n; i++) f[i] = front->row[i % n_f + width * (i / n_f)];
  ptrdiff_t at = ms_pareto_knee(front->n, n_f, f, NULL);
  ms_status status = ms_calibration_solve(on, "knee", front->row + width * at + n_f, &out[(*n)++]);
  for (ptrdiff_t m = 0; status == MS_SUCCESS && n_f > 1 && m < n_f; m++) {
    char name[64];
    at = 0;
    for (ptrdiff_t i = 1; i < front->n; i++) {
      if (f[m + n_f * i] < f[m + n_f * at]) at = i;
    }
    snprintf(name, sizeof name, "best %.40s", objective[m].name);
    status = ms_calibration_solve(on, name, front->row + width * at + n_f, &out[(*n)++]);
  }
  ms_free(ctx, &f);
  return status;
}

ms_status ms_front_choose(const ms_front *front, ptrdiff_t most, ptrdiff_t n_named,
                          const ms_solution *named, ms_calibration *on, ms_solution *out,
                          ptrdiff_t *n) {
  const ptrdiff_t others = most - n_named;
  for (ptrdiff_t i = 0; i < front->n; i++) {
    const double *p = front->row + (front->n_f + front->n_x) * i + front->n_f;
    ptrdiff_t k = 0;
    while (k < n_named && memcmp(named[k].p, p, (size_t)front->n_x * sizeof *p) != 0) k++;
    if (front->n > most && k == n_named &&
        (i * others) / front->n == ((i + 1) * others) / front->n) {
      continue;
    }
    MS_TRY(ms_calibration_solve(on, k < n_named ? named[k].name : "", p, &out[(*n)++]));
  }
  return MS_SUCCESS;
}
