/* The search NSGA-II: a generation's points are rated by rank and crowding, parents are chosen by
   tournaments, crossed and mutated, and the best of parents and children go on.

   x       a point of the box, scaled to [0, 1] while it is crossed and mutated
   eta     index of the crossover's and mutation's distributions */
#include <math.h>
#include <string.h>

#include "core/draw.h"
#include "core/internal.h"
#include "identify/search/pareto.h"
#include "identify/tolerance.h"

struct ms_nsga2 {
  ms_context *ctx;
  ms_pareto_problem problem;
  ms_nsga2_setting setting;
  double *bounds; /* lower, then upper */
  ptrdiff_t generation, evaluations;
  double *x, *f, *v; /* of 2 n_point points: parents, then children */
  double *x_new, *f_new, *v_new;
  int *rank;
  ptrdiff_t *work; /* 4 n_point */
  double *crowding;
  ms_crowd crowd;
  ms_random random;
};

static ms_status check_problem(ms_context *ctx, const ms_pareto_problem *p) {
  if (p->n_x < 1 || p->n_f < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a search over %td parameters for %td objectives", p->n_x,
                   p->n_f);
  }
  for (ptrdiff_t j = 0; j < p->n_x; j++) {
    double span = p->upper[j] - p->lower[j];
    if (span > 0.0 && isfinite(span)) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "bounds of parameter %td: %g to %g; the upper must be larger", j + 1,
                   p->lower[j], p->upper[j]);
  }
  return MS_SUCCESS;
}

static int is_part(double p) {
  return p >= 0.0 && p <= 1.0;
}

void ms_nsga2_default(ms_nsga2_setting *setting, size_t size) {
  ms_settings_fill(&(ms_nsga2_setting)MS_NSGA2_DEFAULT, setting, size);
}

static ms_status check_setting(ms_context *ctx, const ms_nsga2_setting *s) {
  if (s->n_point < 4 || s->n_point % 2) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a generation of %td points; it must be even, at least 4",
                   s->n_point);
  }
  if (!is_part(s->crossover) || !is_part(s->mutation)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "probabilities %g (crossover) and %g (mutation) must be in [0, 1]", s->crossover,
                   s->mutation);
  }
  if (!(s->crossover_index >= 0.0 && s->mutation_index >= 0.0)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "indices %g (crossover) and %g (mutation) must be >= 0",
                   s->crossover_index, s->mutation_index);
  }
  return MS_SUCCESS;
}

static ms_status allocate_points(ms_nsga2 *s) {
  ptrdiff_t n = 2 * s->setting.n_point, n_x = s->problem.n_x, n_f = s->problem.n_f;
  MS_TRY(ms_allocate(s->ctx, 2 * n_x, sizeof(double), &s->bounds));
  MS_TRY(ms_allocate(s->ctx, n * n_x, sizeof(double), &s->x));
  MS_TRY(ms_allocate(s->ctx, n * n_f, sizeof(double), &s->f));
  MS_TRY(ms_allocate(s->ctx, n, sizeof(double), &s->v));
  MS_TRY(ms_allocate(s->ctx, n / 2 * n_x, sizeof(double), &s->x_new));
  MS_TRY(ms_allocate(s->ctx, n / 2 * n_f, sizeof(double), &s->f_new));
  MS_TRY(ms_allocate(s->ctx, n / 2, sizeof(double), &s->v_new));
  MS_TRY(ms_allocate(s->ctx, n, sizeof(int), &s->rank));
  MS_TRY(ms_allocate(s->ctx, 2 * n, sizeof(ptrdiff_t), &s->work));
  MS_TRY(ms_allocate(s->ctx, n, sizeof(double), &s->crowding));
  return ms_crowd_create(s->ctx, n_f, n, &s->crowd);
}

ms_status ms_nsga2_create(ms_context *ctx, const ms_pareto_problem *problem,
                          const ms_nsga2_setting *setting, ms_nsga2 **out) {
  ms_nsga2_setting own = MS_NSGA2_DEFAULT;
  *out = NULL;
  MS_TAKE(ctx, ms_nsga2_default, setting, own);
  MS_TRY(check_problem(ctx, problem));
  MS_TRY(check_setting(ctx, setting));
  ms_nsga2 *s = NULL;
  MS_TRY(ms_allocate(ctx, 1, sizeof *s, &s));
  s->ctx = ctx, s->problem = *problem, s->setting = *setting, s->generation = -1;
  ms_status status = allocate_points(s);
  if (status) {
    ms_nsga2_destroy(&s);
    return status;
  }
  size_t bytes = (size_t)problem->n_x * sizeof(double);
  s->problem.lower = memcpy(s->bounds, problem->lower, bytes);
  s->problem.upper = memcpy(s->bounds + problem->n_x, problem->upper, bytes);
  if (s->setting.mutation == 0.0) s->setting.mutation = 1.0 / (double)problem->n_x;
  *out = s;
  return MS_SUCCESS;
}

void ms_nsga2_destroy(ms_nsga2 **search) {
  if (!search || !*search) return;
  ms_nsga2 *s = *search;
  ms_context *ctx = s->ctx;
  ms_crowd_destroy(ctx, &s->crowd);
  ms_free(ctx, &s->bounds);
  ms_free(ctx, &s->x);
  ms_free(ctx, &s->f);
  ms_free(ctx, &s->v);
  ms_free(ctx, &s->x_new);
  ms_free(ctx, &s->f_new);
  ms_free(ctx, &s->v_new);
  ms_free(ctx, &s->rank);
  ms_free(ctx, &s->work);
  ms_free(ctx, &s->crowding);
  ms_free(ctx, search);
}

/* ---- rating --------------------------------------------------------------------------------- */

/* The members of one rank among the first n points; returns how many. */
static ptrdiff_t gather(ms_nsga2 *s, ptrdiff_t n, int rank) {
  ptrdiff_t m = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (s->rank[i] == rank) s->crowd.member[m++] = i;
  }
  return m;
}

static void rank_points(ms_nsga2 *s, ptrdiff_t n) {
  ms_pareto_rank(n, s->problem.n_f, s->f, s->v, s->rank, s->work, s->work + n);
}

/* Rank and crowding of the parents, from nothing but their objectives. */
static void rate_parents(ms_nsga2 *s) {
  rank_points(s, s->setting.n_point);
  for (ptrdiff_t done = 0, rank = 0; done < s->setting.n_point; rank++) {
    ptrdiff_t m = gather(s, s->setting.n_point, (int)rank);
    ms_crowd_rate(&s->crowd, m, s->f);
    for (ptrdiff_t i = 0; i < m; i++) s->crowding[s->crowd.member[i]] = s->crowd.distance[i];
    done += m;
  }
}

/* ---- children ------------------------------------------------------------------------------- */

/* The better of two parents drawn at random: by rank, then by crowding distance. */
static ptrdiff_t tournament(ms_nsga2 *s) {
  ptrdiff_t a = ms_draw_below(&s->random, s->setting.n_point),
            b = ms_draw_below(&s->random, s->setting.n_point);
  if (s->rank[a] != s->rank[b]) return s->rank[a] < s->rank[b] ? a : b;
  return s->crowding[a] >= s->crowding[b] ? a : b;
}

/* Spread factor of simulated binary crossover, its density cut at the bound that is `distance` away
   from the nearer parent, both in units of the parents' distance. */
static double spread(double u, double distance, double eta) {
  double cut = 2.0 - pow(1.0 + 2.0 * distance, -(eta + 1.0));
  double part = u * cut;
  return pow(part <= 1.0 ? part : 1.0 / (2.0 - part), 1.0 / (eta + 1.0));
}

/* Crosses one parameter of two children, in [0, 1]. */
static void cross(ms_random *random, double eta, double *a, double *b) {
  double low = fmin(*a, *b), high = fmax(*a, *b), width = high - low;
  if (!(width > ms_identify_tol.same_gene)) return;
  double u = ms_random_uniform(random), middle = 0.5 * (low + high);
  double c = middle - 0.5 * width * spread(u, low / width, eta);
  double d = middle + 0.5 * width * spread(u, (1.0 - high) / width, eta);
  c = fmin(fmax(c, 0.0), 1.0), d = fmin(fmax(d, 0.0), 1.0);
  int swapped = ms_random_uniform(random) < 0.5;
  *a = swapped ? d : c;
  *b = swapped ? c : d;
}

/* Polynomial mutation of x in [0, 1], which stays there. */
static double mutate(ms_random *random, double eta, double x) {
  double u = ms_random_uniform(random), power = 1.0 / (eta + 1.0), delta;
  if (u < 0.5) {
    delta = pow(2.0 * u + (1.0 - 2.0 * u) * pow(1.0 - x, eta + 1.0), power) - 1.0;
  } else {
    delta = 1.0 - pow(2.0 * (1.0 - u) + (2.0 * u - 1.0) * pow(x, eta + 1.0), power);
  }
  return fmin(fmax(x + delta, 0.0), 1.0);
}

static double scaled(const ms_nsga2 *s, ptrdiff_t j, double x) {
  return (x - s->problem.lower[j]) / (s->problem.upper[j] - s->problem.lower[j]);
}

static double unscaled(const ms_nsga2 *s, ptrdiff_t j, double t) {
  double x = s->problem.lower[j] + t * (s->problem.upper[j] - s->problem.lower[j]);
  return fmin(fmax(x, s->problem.lower[j]), s->problem.upper[j]);
}

/* Two children of parents a and b. A parameter that nothing changes keeps its digits. */
static void breed(ms_nsga2 *s, const double *a, const double *b, double *child) {
  ms_random *random = &s->random;
  ptrdiff_t n_x = s->problem.n_x;
  int crossed = ms_random_uniform(random) < s->setting.crossover;
  for (ptrdiff_t j = 0; j < n_x; j++) {
    double old[2] = { scaled(s, j, a[j]), scaled(s, j, b[j]) }, t[2] = { old[0], old[1] };
    if (crossed && ms_random_uniform(random) < 0.5) {
      cross(random, s->setting.crossover_index, &t[0], &t[1]);
    }
    for (int k = 0; k < 2; k++) {
      if (ms_random_uniform(random) < s->setting.mutation) {
        t[k] = mutate(random, s->setting.mutation_index, t[k]);
      }
      child[j + n_x * k] = t[k] == old[k] ? (k ? b : a)[j] : unscaled(s, j, t[k]);
    }
  }
}

static void make_children(ms_nsga2 *s) {
  ptrdiff_t n_x = s->problem.n_x;
  for (ptrdiff_t i = 0; i < s->setting.n_point; i += 2) {
    ptrdiff_t a = tournament(s), b = tournament(s);
    breed(s, s->x + n_x * a, s->x + n_x * b, s->x_new + n_x * i);
  }
}

/* Over the box, one point in each of n_point slices of every parameter. */
static void make_first(ms_nsga2 *s) {
  ptrdiff_t n = s->setting.n_point, n_x = s->problem.n_x;
  ms_draw_latin(&s->random, n_x, n, s->work, s->x_new);
  for (ptrdiff_t k = 0; k < n * n_x; k++) s->x_new[k] = unscaled(s, k % n_x, s->x_new[k]);
}

/* ---- survival ------------------------------------------------------------------------------- */

static void copy_point(ms_nsga2 *s, ptrdiff_t to, ptrdiff_t from) {
  ptrdiff_t n_x = s->problem.n_x, n_f = s->problem.n_f;
  memcpy(s->x_new + n_x * to, s->x + n_x * from, (size_t)n_x * sizeof *s->x);
  memcpy(s->f_new + n_f * to, s->f + n_f * from, (size_t)n_f * sizeof *s->f);
  s->v_new[to] = s->v[from];
}

/* x_new, f_new, v_new become points from `at` on. */
static void place(ms_nsga2 *s, ptrdiff_t at) {
  ptrdiff_t n = s->setting.n_point, n_x = s->problem.n_x, n_f = s->problem.n_f;
  memcpy(s->x + n_x * at, s->x_new, (size_t)(n * n_x) * sizeof *s->x);
  memcpy(s->f + n_f * at, s->f_new, (size_t)(n * n_f) * sizeof *s->f);
  memcpy(s->v + at, s->v_new, (size_t)n * sizeof *s->v);
}

/* Parents and children by rank until the next front does not fit; of that the least crowded. */
static void survive(ms_nsga2 *s) {
  ptrdiff_t n = s->setting.n_point, taken = 0;
  place(s, n);
  rank_points(s, 2 * n);
  for (int rank = 0; taken < n; rank++) {
    ptrdiff_t m = gather(s, 2 * n, rank), keep = m < n - taken ? m : n - taken;
    if (keep < m) ms_crowd_prune(&s->crowd, m, keep, s->f);
    for (ptrdiff_t i = 0; i < keep; i++) copy_point(s, taken++, s->crowd.member[i]);
  }
  place(s, 0);
}

static ms_status evaluate(ms_nsga2 *s) {
  ptrdiff_t n = s->setting.n_point, n_f = s->problem.n_f;
  memset(s->v_new, 0, (size_t)n * sizeof *s->v_new);
  MS_TRY(s->problem.eval(s->problem.user, n, s->x_new, s->f_new, s->v_new));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!(s->v_new[i] >= 0.0)) {
      return ms_fail(s->ctx, MS_ERR_ARGUMENT, "violation of point %td is %g; it must be >= 0",
                     i + 1, s->v_new[i]);
    }
    if (s->v_new[i] > 0.0) memset(s->f_new + n_f * i, 0, (size_t)n_f * sizeof(double));
  }
  return ms_pareto_check(s->ctx, n, n_f, s->f_new, s->v_new);
}

ms_status ms_nsga2_step(ms_nsga2 *s) {
  int first = s->generation < 0;
  ms_random_start(&s->random, s->setting.seed, (uint64_t)(s->generation + 1));
  if (first) {
    make_first(s);
  } else {
    make_children(s);
  }
  MS_TRY(evaluate(s));
  if (first) {
    place(s, 0);
  } else {
    survive(s);
  }
  rate_parents(s);
  s->generation++;
  s->evaluations += s->setting.n_point;
  return MS_SUCCESS;
}

ms_status ms_nsga2_restore(ms_nsga2 *s, ptrdiff_t generation, const double *x, const double *f,
                           const double *v) {
  ptrdiff_t n = s->setting.n_point, n_x = s->problem.n_x, n_f = s->problem.n_f;
  if (generation < 0) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "a search cannot go on from generation %td",
                   generation);
  }
  MS_TRY(ms_pareto_check(s->ctx, n, n_f, f, v));
  memcpy(s->x, x, (size_t)(n * n_x) * sizeof *x);
  memcpy(s->f, f, (size_t)(n * n_f) * sizeof *f);
  memcpy(s->v, v, (size_t)n * sizeof *v);
  rate_parents(s);
  s->generation = generation;
  s->evaluations = (generation + 1) * n;
  return MS_SUCCESS;
}

ms_pareto_points ms_nsga2_points(const ms_nsga2 *s) {
  return (ms_pareto_points) {
    .n = s->generation < 0 ? 0 : s->setting.n_point,
    .n_x = s->problem.n_x,
    .n_f = s->problem.n_f,
    .x = s->x,
    .f = s->f,
    .v = s->v,
    .rank = s->rank,
  };
}

ptrdiff_t ms_nsga2_generation(const ms_nsga2 *s) {
  return s->generation;
}

ptrdiff_t ms_nsga2_evaluations(const ms_nsga2 *s) {
  return s->evaluations;
}
