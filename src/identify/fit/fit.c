/* Levenberg-Marquardt (MINPACK's) inside bounds.

   t   a parameter between its bounds, 0 to 1, linear or logarithmic in p
   y   what is searched: t = (1 + y/sqrt(1 + y^2))/2, so that every y is inside

   Near the minimum the sum of squares changes as the square of the parameters, so that its
   tolerance is the square of theirs; where every evaluation is a simulation, the tolerance itself.

   A step to where the model has no answer meets residuals that are larger than any seen.

   With `secant` the Jacobian is by one-sided differences, and until a step is refused or n steps
   are made, Broyden's: J += (r - r_old - J s) s^T/(s^T s), s = y - y_old. Where that ends the
   search goes on by differences alone, until what a Gauss-Newton step would take off the sum of
   squares is nothing beside r^T r/(m - n), the square of a standard error's worth. lmder asks for
   points again: after a step that is refused, and at the end of Broyden's. */
#include <cminpack.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "core/draw.h"
#include "core/internal.h"
#include "identify/fit/fit.h"
#include "identify/tolerance.h"

/* ---- scales ---- */

void ms_fit_choose_scale(ms_fit_parameter *q) {
  q->logarithmic = q->lower > 0.0 && q->upper >= ms_identify_tol.wide * q->lower;
}

double ms_fit_scaled(const ms_fit_parameter *q, double p) {
  if (q->logarithmic) return log(p / q->lower) / log(q->upper / q->lower);
  return (p - q->lower) / (q->upper - q->lower);
}

double ms_fit_unscaled(const ms_fit_parameter *q, double t) {
  double p = q->logarithmic ? q->lower * pow(q->upper / q->lower, t)
                            : q->lower + t * (q->upper - q->lower);
  return fmin(fmax(p, q->lower), q->upper);
}

double ms_fit_slope(const ms_fit_parameter *q, double t) {
  if (q->logarithmic) return ms_fit_unscaled(q, t) * log(q->upper / q->lower);
  return q->upper - q->lower;
}

double ms_fit_unit(const ms_fit_parameter *q, double p) {
  if (q->unit > 0.0) return q->unit;
  return q->logarithmic ? p : 0.5 * (q->upper - q->lower);
}

static double inside(double y) {
  return 0.5 * (1.0 + y / sqrt(1.0 + y * y));
}

/* The middle is 0 exactly: MINPACK's first step is as long as y, or 1 where y is zero; rounding
   alone would be no step at all. */
static double outside(double t, double middle) {
  double c = fmin(fmax(2.0 * t - 1.0, -1.0 + 1e-9), 1.0 - 1e-9);
  return fabs(c) < middle ? 0.0 : c / sqrt(1.0 - c * c);
}

static double inside_slope(double y) {
  return 0.5 / ((1.0 + y * y) * sqrt(1.0 + y * y));
}

/* ---- checks ---- */

static ms_status check_parameter(ms_context *ctx, const ms_fit_parameter *q) {
  double width = q->upper - q->lower;
  if (!(width > 0.0) || !isfinite(width)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "fit: %s from %g to %g; the upper bound must be larger",
                   q->name, q->lower, q->upper);
  }
  if (q->logarithmic && !(q->lower > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "fit: %s from %g on a logarithmic scale; the lower bound must be above zero",
                   q->name, q->lower);
  }
  if (q->unit >= 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "fit: unit of %s is %g; it must be 0 or more", q->name,
                 q->unit);
}

void ms_fit_default(ms_fit_setting *setting, size_t size) {
  ms_settings_fill(&(ms_fit_setting)MS_FIT_DEFAULT, setting, size);
}

ms_status ms_fit_check(ms_context *ctx, const ms_fit_problem *problem, const ms_fit_setting *s) {
  const struct {
    const char *name;
    int holds;
    const char *rule;
  } rule[] = {
    { "tolerance", s->tolerance > 0.0 && s->tolerance < 1.0, "in (0, 1)" },
    { "max_evaluations", s->max_evaluations > 0, "above 0" },
    { "step", s->step > 0.0 && s->step < 0.1, "in (0, 0.1)" },
    { "weak", s->weak >= 0.0 && s->weak < 1.0, "in [0, 1)" },
    { "vague", s->vague > 0.0, "above 0" },
    { "middle", s->middle > 0.0 && s->middle < 1.0, "in (0, 1)" },
    { "secant", s->secant >= 0.0 && s->secant < 0.1, "in [0, 0.1)" },
  };
  for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
    if (rule[i].holds) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "fit: setting %s must be %s", rule[i].name, rule[i].rule);
  }
  if (problem->n < 1 || problem->m < problem->n || problem->m > INT_MAX / (problem->n + 8)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "fit: %td residuals for %td parameters; as many residuals as parameters are the "
                   "least",
                   problem->m, problem->n);
  }
  for (ptrdiff_t j = 0; j < problem->n; j++) MS_TRY(check_parameter(ctx, &problem->parameter[j]));
  return MS_SUCCESS;
}

/* ---- residuals ---- */

static double sum_of_squares(ptrdiff_t m, const double *r) {
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < m; k++) sum += r[k] * r[k];
  return sum;
}

static int all_finite(ptrdiff_t n, const double *x) {
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) return 0;
  }
  return 1;
}

/* Two values of parameter j about p, `step` of t away where the bounds allow. */
static void neighbours(const ms_fit_problem *problem, double step, const double *p, ptrdiff_t j,
                       double value[2]) {
  const ms_fit_parameter *q = &problem->parameter[j];
  double t = fmin(fmax(ms_fit_scaled(q, p[j]), step), 1.0 - step);
  value[0] = ms_fit_unscaled(q, t - step);
  value[1] = ms_fit_unscaled(q, t + step);
}

static ms_status difference(const ms_fit_problem *problem, double step, const double *p,
                            ptrdiff_t j, double *column, double *scratch) {
  ptrdiff_t m = problem->m;
  double value[2], *low = scratch, *high = scratch + m, *moved = scratch + 2 * m;
  neighbours(problem, step, p, j, value);
  memcpy(moved, p, (size_t)problem->n * sizeof *p);
  for (int side = 0; side < 2; side++) {
    moved[j] = value[side];
    MS_TRY(problem->eval(problem->user, moved, side ? high : low, NULL));
  }
  for (ptrdiff_t k = 0; k < m; k++) column[k] = (high[k] - low[k]) / (value[1] - value[0]);
  return MS_SUCCESS;
}

ms_status ms_fit_jacobian(const ms_fit_problem *problem, const ms_fit_setting *s, const double *p,
                          double *r, double *jac, double *scratch) {
  if (problem->has_jacobian) return problem->eval(problem->user, p, r, jac);
  MS_TRY(problem->eval(problem->user, p, r, NULL));
  for (ptrdiff_t j = 0; j < problem->n; j++) {
    MS_TRY(difference(problem, s->step, p, j, jac + problem->m * j, scratch));
  }
  return MS_SUCCESS;
}

/* ---- search ---- */

typedef struct search {
  ms_context *ctx;
  const ms_fit_problem *problem;
  const ms_fit_setting *setting;
  double *p, *y, *scratch, *r_scratch;
  double largest; /* sum of squares seen */
  ms_status status;
  int begun;
  /* of secants: the last Jacobian over y, where it was, and r there */
  double *J, *y_at, *r_at;
  int by_differences, updates, trials; /* Jacobians; since the last one; residuals since */
  int most_updates, settled;
  double *y_last, *r_last, *y_best, *r_best, best; /* residuals that are known */
} search;

static void place(search *s, const double *y) {
  for (ptrdiff_t j = 0; j < s->problem->n; j++) {
    s->p[j] = ms_fit_unscaled(&s->problem->parameter[j], inside(y[j]));
  }
}

/* Where the model has no answer: far worse than anywhere it has one. */
static int no_answer(search *s, int m, double *r) {
  if (!s->begun) return -1;
  for (int k = 0; k < m; k++) r[k] = 10.0 * sqrt(s->largest / m + 1.0);
  return 0;
}

static int is_known(const search *s, const double *y, int m, double *r) {
  const size_t size = (size_t)s->problem->n * sizeof *y;
  if (!s->J || !s->begun) return 0;
  const double *known = memcmp(y, s->y_last, size) == 0   ? s->r_last
                        : memcmp(y, s->y_best, size) == 0 ? s->r_best
                                                          : NULL;
  if (known) memcpy(r, known, (size_t)m * sizeof *r);
  return known != NULL;
}

static void remember(search *s, const double *y, int m, const double *r) {
  const size_t n = (size_t)s->problem->n * sizeof *y;
  const double sum = sum_of_squares(m, r);
  if (!s->J) return;
  memcpy(s->y_last, y, n);
  memcpy(s->r_last, r, (size_t)m * sizeof *r);
  if (s->begun && !(sum < s->best)) return;
  s->best = sum;
  memcpy(s->y_best, y, n);
  memcpy(s->r_best, r, (size_t)m * sizeof *r);
}

static int residuals(search *s, const double *y, int m, double *r) {
  s->trials++;
  if (is_known(s, y, m, r)) return 0;
  s->status = s->problem->eval(s->problem->user, s->p, r, NULL);
  if (s->status == MS_NOT_CONVERGED) {
    return no_answer(s, m, r);
  }
  if (s->status != MS_SUCCESS) return -1;
  if (!all_finite(m, r)) return no_answer(s, m, r);
  remember(s, y, m, r);
  s->largest = fmax(s->largest, sum_of_squares(m, r));
  s->begun = 1;
  return 0;
}

/* By one-sided differences from r, away from the nearer bound; from the other side where the model
   has no answer. */
static ms_status differ(search *s, const double *r, double *jac) {
  const ms_fit_problem *problem = s->problem;
  const ptrdiff_t m = problem->m;
  double *moved = s->scratch;
  memcpy(moved, s->p, (size_t)problem->n * sizeof *moved);
  for (ptrdiff_t j = 0; j < problem->n; j++) {
    const ms_fit_parameter *q = &problem->parameter[j];
    const double t = ms_fit_scaled(q, s->p[j]);
    double step = t < 0.5 ? s->setting->secant : -s->setting->secant, *column = jac + m * j;
    moved[j] = ms_fit_unscaled(q, t + step);
    ms_status status = problem->eval(problem->user, moved, column, NULL);
    if (status == MS_NOT_CONVERGED) {
      moved[j] = ms_fit_unscaled(q, t - step);
      status = problem->eval(problem->user, moved, column, NULL);
    }
    MS_TRY(status);
    for (ptrdiff_t k = 0; k < m; k++) column[k] = (column[k] - r[k]) / (moved[j] - s->p[j]);
    moved[j] = s->p[j];
  }
  return MS_SUCCESS;
}

static int to_y(const search *s, const double *y, int m, double *jac) {
  if (s->status != MS_SUCCESS || !all_finite(m * s->problem->n, jac)) return -1;
  for (ptrdiff_t j = 0; j < s->problem->n; j++) {
    double factor = ms_fit_slope(&s->problem->parameter[j], inside(y[j])) * inside_slope(y[j]);
    for (int k = 0; k < m; k++) jac[k + m * j] *= factor;
  }
  return 0;
}

static int slopes(search *s, const double *y, int m, double *jac) {
  s->status = ms_fit_jacobian(s->problem, s->setting, s->p, s->r_scratch, jac, s->scratch);
  s->by_differences++;
  return to_y(s, y, m, jac);
}

static void update(search *s, const double *y, int m, const double *r) {
  const ptrdiff_t n = s->problem->n;
  double square = 0.0;
  for (ptrdiff_t j = 0; j < n; j++) square += (y[j] - s->y_at[j]) * (y[j] - s->y_at[j]);
  for (int k = 0; k < m; k++) {
    double change = r[k] - s->r_at[k];
    for (ptrdiff_t j = 0; j < n; j++) change -= s->J[k + m * j] * (y[j] - s->y_at[j]);
    for (ptrdiff_t j = 0; j < n; j++) s->J[k + m * j] += change * (y[j] - s->y_at[j]) / square;
  }
}

/* What a Gauss-Newton step would take off the sum of squares: r's part in the columns of A, which
   become orthogonal. */
static double taken_off(ptrdiff_t m, ptrdiff_t n, double *A, const double *r) {
  double off = 0.0;
  for (ptrdiff_t j = 0; j < n; j++) {
    double *a = A + m * j;
    const double size = sqrt(ms_dot(m, a, a));
    for (ptrdiff_t i = 0; i < j; i++) {
      const double *q = A + m * i, along = ms_dot(m, q, a);
      for (ptrdiff_t k = 0; k < m; k++) a[k] -= along * q[k];
    }
    const double left = sqrt(ms_dot(m, a, a)), scale = left > 1e-12 * size ? 1.0 / left : 0.0;
    for (ptrdiff_t k = 0; k < m; k++) a[k] *= scale;
    off += pow(ms_dot(m, a, r), 2.0);
  }
  return off;
}

static int secants(search *s, const double *y, int m, const double *r, double *jac) {
  const ptrdiff_t n = s->problem->n;
  if (s->updates < s->most_updates && s->trials < 2) {
    update(s, y, m, r);
    s->updates++;
  } else {
    s->status = differ(s, r, s->J);
    s->by_differences++;
    s->updates = 0;
    if (to_y(s, y, m, s->J) < 0) return -1;
  }
  s->trials = 0;
  memcpy(s->y_at, y, (size_t)n * sizeof *y);
  memcpy(s->r_at, r, (size_t)m * sizeof *r);
  memcpy(jac, s->J, (size_t)(m * n) * sizeof *jac);
  if (s->most_updates > 0 || m <= n) return 0;
  const double mean = sum_of_squares(m, r) / (double)(m - n);
  s->settled = taken_off(m, n, jac, r) < ms_identify_tol.gained * mean;
  memcpy(jac, s->J, (size_t)(m * n) * sizeof *jac);
  return s->settled ? -1 : 0;
}

static int step_of(void *user, int m, int n, const double *y, double *r, double *jac, int ld,
                   int flag) {
  search *s = user;
  (void)n, (void)ld;
  s->status = ms_check_stop(s->ctx, "fit");
  if (s->status != MS_SUCCESS) return -1;
  place(s, y);
  if (flag == 1) return residuals(s, y, m, r);
  if (flag == 2 && s->J) return secants(s, y, m, r, jac);
  return flag == 2 ? slopes(s, y, m, jac) : 0;
}

/* The largest cosine between residuals and columns, from what lmder leaves: R^T qtf. */
static double largest_cosine(int m, int n, const double *fjac, const int *pivot, const double *qtf,
                             const double *column_norm, double norm) {
  double largest = 0.0;
  if (norm == 0.0) return 0.0;
  for (int j = 0; j < n; j++) {
    double sum = 0.0, length = column_norm[pivot[j] - 1];
    for (int i = 0; i <= j; i++) sum += fjac[i + m * j] * qtf[i];
    if (length > 0.0) largest = fmax(largest, fabs(sum / (length * norm)));
  }
  return largest;
}

/* norm of column j of what was the Jacobian: of column j of R. */
static void column_norms(int m, int n, const double *fjac, const int *pivot, double *norm) {
  for (int j = 0; j < n; j++) {
    double sum = 0.0;
    for (int i = 0; i <= j; i++) sum += fjac[i + m * j] * fjac[i + m * j];
    norm[pivot[j] - 1] = sqrt(sum);
  }
}

static double largest_cosine_of(ptrdiff_t m, ptrdiff_t n, const double *J, const double *r) {
  double largest = 0.0;
  for (ptrdiff_t j = 0; j < n; j++) {
    const double *a = J + m * j, size = sqrt(ms_dot(m, a, a) * ms_dot(m, r, r));
    if (size > 0.0) largest = fmax(largest, fabs(ms_dot(m, a, r)) / size);
  }
  return largest;
}

typedef struct lmder_arrays {
  /* r, jac, diag, qtf, four vectors for lmder; p, y; two columns and p for differences; of secants
     J, and r and y thrice */
  double *all;
  int *pivot;
} lmder_arrays;

/* lmder; what secants have brought near goes on by differences alone. */
static int search_on(search *s, const lmder_arrays *w, ms_fit_local *out) {
  const ms_fit_setting *set = s->setting;
  const int m = (int)s->problem->m, n = (int)s->problem->n;
  double *r = w->all, *jac = r + m, *diag = jac + m * n, *qtf = diag + n, *wa1 = qtf + n;
  double *wa2 = wa1 + n, *wa3 = wa2 + n, *wa4 = wa3 + n;
  const double of_sum = s->J ? set->tolerance : set->tolerance * set->tolerance;
  int info = 5;
  s->most_updates = s->J ? n : 0;
  while (out->evaluations < set->max_evaluations) {
    int evaluations = 0, jacobians = 0;
    s->updates = n;
    info = lmder(step_of, s, m, n, s->y, r, jac, m, of_sum, set->tolerance, 0.0,
                 set->max_evaluations - out->evaluations, diag, 1, 1.0, 0, &evaluations, &jacobians,
                 w->pivot, qtf, wa1, wa2, wa3, wa4);
    out->evaluations += evaluations;
    out->jacobians = s->by_differences;
    if (s->settled) return 1;
    if (info < 0 || info == 5 || s->most_updates == 0) return info;
    s->most_updates = 0;
  }
  return 5;
}

static ms_status run(search *s, lmder_arrays *w, double *p, ms_fit_local *out) {
  const ms_fit_setting *set = s->setting;
  const int m = (int)s->problem->m, n = (int)s->problem->n;
  double *r = w->all, *jac = r + m, *qtf = jac + m * n + n, *wa1 = qtf + n, *wa4 = wa1 + 3 * n;
  s->p = wa4 + m, s->y = s->p + n, s->r_scratch = s->y + n, s->scratch = s->r_scratch + m;
  if (set->secant > 0.0 && !s->problem->has_jacobian) {
    s->J = s->scratch + 2 * m + n, s->r_at = s->J + m * n, s->y_at = s->r_at + m;
    s->r_last = s->y_at + n, s->y_last = s->r_last + m;
    s->r_best = s->y_last + n, s->y_best = s->r_best + m;
  }
  for (int j = 0; j < n; j++) {
    s->y[j] = outside(ms_fit_scaled(&s->problem->parameter[j], p[j]), set->middle);
  }
  const int info = search_on(s, w, out);
  if (info < 0 && s->status != MS_SUCCESS && s->status != MS_NOT_CONVERGED) return s->status;
  if (info < 0 && !s->begun) {
    out->end = MS_FIT_FAILED;
    return MS_SUCCESS;
  }
  out->end = info < 0 || info == 5 ? MS_FIT_UNFINISHED : MS_FIT_CONVERGED;
  out->sum = sum_of_squares(m, r);
  if (s->settled) {
    out->gradient = largest_cosine_of(m, n, s->J, r);
  } else {
    column_norms(m, n, jac, w->pivot, wa1);
    out->gradient = info < 0 ? 1.0 : largest_cosine(m, n, jac, w->pivot, qtf, wa1, sqrt(out->sum));
  }
  place(s, s->y);
  memcpy(p, s->p, (size_t)n * sizeof *p);
  return MS_SUCCESS;
}

static ms_status check_inside(ms_context *ctx, const ms_fit_problem *problem, const double *p) {
  for (ptrdiff_t j = 0; j < problem->n; j++) {
    const ms_fit_parameter *q = &problem->parameter[j];
    if (p[j] >= q->lower && p[j] <= q->upper) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "fit: %s = %g is not between its bounds %g and %g", q->name,
                   p[j], q->lower, q->upper);
  }
  return MS_SUCCESS;
}

ms_status ms_fit_from(ms_context *ctx, const ms_fit_problem *problem, const ms_fit_setting *setting,
                      double *p, ms_fit_local *out) {
  ms_fit_setting own = MS_FIT_DEFAULT;
  search s = { .ctx = ctx, .problem = problem, .setting = &own };
  ptrdiff_t m = problem->m, n = problem->n;
  lmder_arrays w = { 0 };
  *out = (ms_fit_local) { 0 };
  MS_TAKE(ctx, ms_fit_default, setting, own);
  MS_TRY(ms_fit_check(ctx, problem, setting));
  MS_TRY(check_inside(ctx, problem, p));
  ms_status status = ms_allocate(ctx, m * (2 * n + 8) + 12 * n, sizeof *w.all, &w.all);
  if (!status) status = ms_allocate(ctx, n, sizeof *w.pivot, &w.pivot);
  if (!status) status = run(&s, &w, p, out);
  ms_free(ctx, &w.all);
  ms_free(ctx, &w.pivot);
  return status;
}

static ms_status slice_of(ms_context *ctx, uint64_t seed, ptrdiff_t n_start, ptrdiff_t k,
                          ptrdiff_t j, double *t) {
  ptrdiff_t *order = NULL;
  ms_random random;
  MS_TRY(ms_allocate(ctx, n_start, sizeof *order, &order));
  ms_random_start(&random, seed, (uint64_t)j);
  ms_shuffled(&random, n_start, order);
  *t = ((double)order[k] + 0.5) / (double)n_start;
  ms_free(ctx, &order);
  return MS_SUCCESS;
}

ms_status ms_fit_get_start(ms_context *ctx, const ms_fit_problem *problem,
                           const ms_fit_setting *setting, ptrdiff_t n_start, ptrdiff_t k,
                           double *p) {
  ms_fit_setting own = MS_FIT_DEFAULT;
  MS_TAKE(ctx, ms_fit_default, setting, own);
  MS_TRY(ms_fit_check(ctx, problem, setting));
  if (k < 0 || k >= n_start) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "fit: start %td of %td", k + 1, n_start);
  }
  for (ptrdiff_t j = 0; j < problem->n; j++) {
    double t = 0.5;
    MS_TRY(slice_of(ctx, setting->seed, n_start, k, j, &t));
    p[j] = ms_fit_unscaled(&problem->parameter[j], t);
  }
  return MS_SUCCESS;
}
