/* Levenberg-Marquardt (MINPACK's) inside bounds.

   t   a parameter between its bounds, 0 to 1, linear or logarithmic in p
   y   what is searched: t = (1 + y/sqrt(1 + y^2))/2, so that every y is inside

   A step to where the model has no answer meets residuals that are larger than any seen. */
#include <cminpack.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/draw.h"
#include "core/internal.h"
#include "identify/fit/fit.h"

/* ---- scales ---- */

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

static int residuals(search *s, int m, double *r) {
  double sum = 0.0;
  s->status = s->problem->eval(s->problem->user, s->p, r, NULL);
  if (s->status == MS_NOT_CONVERGED) {
    return no_answer(s, m, r);
  }
  if (s->status != MS_SUCCESS) return -1;
  if (!all_finite(m, r)) return no_answer(s, m, r);
  for (int k = 0; k < m; k++) sum += r[k] * r[k];
  s->largest = fmax(s->largest, sum);
  s->begun = 1;
  return 0;
}

static int slopes(search *s, const double *y, int m, double *jac) {
  s->status = ms_fit_jacobian(s->problem, s->setting, s->p, s->r_scratch, jac, s->scratch);
  if (s->status != MS_SUCCESS || !all_finite(m * s->problem->n, jac)) return -1;
  for (ptrdiff_t j = 0; j < s->problem->n; j++) {
    double factor = ms_fit_slope(&s->problem->parameter[j], inside(y[j])) * inside_slope(y[j]);
    for (int k = 0; k < m; k++) jac[k + m * j] *= factor;
  }
  return 0;
}

static int step_of(void *user, int m, int n, const double *y, double *r, double *jac, int ld,
                   int flag) {
  search *s = user;
  (void)n, (void)ld;
  s->status = ms_check_stop(s->ctx, "fit");
  if (s->status != MS_SUCCESS) return -1;
  place(s, y);
  if (flag == 1) return residuals(s, m, r);
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

typedef struct lmder_arrays {
  double
      *all; /* r, jac, diag, qtf, four vectors for lmder; p, y; two columns and p for differences */
  int *pivot;
} lmder_arrays;

static ms_status run(search *s, lmder_arrays *w, double *p, ms_fit_local *out) {
  const ms_fit_setting *set = s->setting;
  int m = (int)s->problem->m, n = (int)s->problem->n;
  double *r = w->all, *jac = r + m, *diag = jac + m * n, *qtf = diag + n, *wa1 = qtf + n;
  double *wa2 = wa1 + n, *wa3 = wa2 + n, *wa4 = wa3 + n;
  s->p = wa4 + m, s->y = s->p + n, s->r_scratch = s->y + n, s->scratch = s->r_scratch + m;
  for (int j = 0; j < n; j++) {
    s->y[j] = outside(ms_fit_scaled(&s->problem->parameter[j], p[j]), set->middle);
  }
  int info = lmder(step_of, s, m, n, s->y, r, jac, m, set->tolerance, set->tolerance, 0.0,
                   set->max_evaluations, diag, 1, 1.0, 0, &out->evaluations, &out->jacobians,
                   w->pivot, qtf, wa1, wa2, wa3, wa4);
  if (info < 0 && s->status != MS_SUCCESS && s->status != MS_NOT_CONVERGED) return s->status;
  if (info < 0 && !s->begun) {
    out->end = MS_FIT_FAILED;
    return MS_SUCCESS;
  }
  out->end = info < 0 || info == 5 ? MS_FIT_UNFINISHED : MS_FIT_CONVERGED;
  out->sum = 0.0;
  for (int k = 0; k < m; k++) out->sum += r[k] * r[k];
  column_norms(m, n, jac, w->pivot, wa1);
  out->gradient = info < 0 ? 1.0 : largest_cosine(m, n, jac, w->pivot, qtf, wa1, sqrt(out->sum));
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
  ms_status status = ms_allocate(ctx, m * (n + 5) + 9 * n, sizeof *w.all, &w.all);
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
