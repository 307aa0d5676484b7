/* Distributions from estimates of each assembly, docs/theory/scatter.md#assemblies. N assemblies,
   estimates y_k and their covariances C_k:

     y_k ~ N(mu, Sigma + C_k).

   Each parameter alone, c_k of C_k, t = s^2: with w_k = 1/(t + c_k) and m(t) = sum w_k y_k/sum w_k

     s    where the restricted likelihood is largest: sum w_k^2 (y_k - m)^2 - w_k + w_k^2/sum w = 0
     mu   m(t) -+ t_(N-1) sqrt(h/sum w_k),  h = sum w_k (y_k - m)^2/(N-1), 1 at least
     s    between those at which Q(t) = sum w_k (y_k - m)^2 has the quantiles of chi^2 with N-1
          degrees of freedom

   Correlations are those of the Sigma of largest restricted likelihood of all parameters. */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "core/internal.h"
#include "core/jobs.h"
#include "identify/distribution/special_functions.h"
#include "identify/scatter/repeats.h"
#include "identify/scatter/scatter.h"

/* ---- one parameter ---- */

typedef struct one_parameter {
  ptrdiff_t N;
  const double *y, *c;
} one_parameter;

/* Sums over the assemblies at t. */
typedef struct weighted {
  double w, w2, mean, Q, score;
} weighted;

static weighted weigh(const one_parameter *x, double t) {
  weighted s = { 0.0, 0.0, 0.0, 0.0, 0.0 };
  for (ptrdiff_t k = 0; k < x->N; k++) {
    const double w = 1.0 / (t + x->c[k]);
    s.w += w, s.w2 += w * w, s.mean += w * x->y[k];
  }
  s.mean /= s.w;
  for (ptrdiff_t k = 0; k < x->N; k++) {
    const double w = 1.0 / (t + x->c[k]), d = x->y[k] - s.mean;
    s.Q += w * d * d;
    s.score += w * w * d * d - w;
  }
  s.score += s.w2 / s.w;
  return s;
}

static double log_likelihood(const one_parameter *x, double t) {
  const weighted s = weigh(x, t);
  double sum = -0.5 * s.Q - 0.5 * log(s.w);
  for (ptrdiff_t k = 0; k < x->N; k++) sum -= 0.5 * log(t + x->c[k]);
  return sum;
}

/* Sum of squares about the mean: t is below it, and a millionth of a millionth of it is none. 0
   where all are the same. */
static double find_range(const one_parameter *x) {
  double mean = 0.0, sum = 0.0;
  ptrdiff_t same = 1;
  while (same < x->N && x->y[same] == x->y[0]) same++;
  if (same == x->N) return 0.0;
  for (ptrdiff_t k = 0; k < x->N; k++) mean += x->y[k] / (double)x->N;
  for (ptrdiff_t k = 0; k < x->N; k++) sum += (x->y[k] - mean) * (x->y[k] - mean);
  return sum;
}

/* On a grid of logarithms, then by halving where the derivative changes its sign. 0 where the
   largest is there. */
static double find_variance(const one_parameter *x, double range) {
  enum { GRID = 240 };
  double best = -HUGE_VAL, low = 0.0, high = 0.0;
  for (int i = 0; i <= GRID; i++) {
    const double t = range * pow(10.0, 12.0 * ((double)i / GRID - 1.0));
    const double l = log_likelihood(x, t);
    if (!(l > best)) continue;
    best = l;
    low = i ? t * pow(10.0, -12.0 / GRID) : 0.0, high = t * pow(10.0, 12.0 / GRID);
  }
  if (low == 0.0) return 0.0;
  while (high - low > 1e-14 * high) {
    const double t = 0.5 * (low + high);
    if (t <= low || t >= high) break;
    if (weigh(x, t).score > 0.0)
      low = t;
    else
      high = t;
  }
  return 0.5 * (low + high);
}

/* chi^2 with nu degrees of freedom. */
static double chi_squared(double nu, double part) {
  const ms_distribution d = { MS_FAMILY_GAMMA, 0.0, HUGE_VAL, 0.5 * nu, 2.0 };
  return ms_distribution_quantile(&d, part);
}

/* t with Q(t) = q; Q falls. 0 where Q(0) is below it. */
static double find_crossing(const one_parameter *x, double range, double q) {
  double low = 0.0, high = range;
  if (weigh(x, 1e-12 * range).Q <= q) return 0.0;
  while (weigh(x, high).Q > q) high *= 2.0;
  while (high - low > 1e-14 * high) {
    const double t = 0.5 * (low + high);
    if (t <= low || t >= high) break;
    if (weigh(x, t).Q > q)
      low = t;
    else
      high = t;
  }
  return 0.5 * (low + high);
}

/* What is known of mu and s, in the coordinate of the family. */
typedef struct pooled {
  double mean, mean_error, mean_interval[2];
  double s, s_error, s_interval[2];
  int seen, less; /* less: the estimates scatter less than their errors say */
} pooled;

static ms_status pool(ms_context *ctx, const one_parameter *x, const char *name, double level,
                      double unseen, pooled *out) {
  const double nu = (double)(x->N - 1), range = find_range(x),
               reach = ms_scatter_student(nu, level);
  double c = 0.0;
  if (!(range > 0.0)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: all assemblies have the same value", name);
  }
  const double t = find_variance(x, range);
  const weighted at = weigh(x, fmax(t, 1e-12 * range)), none = weigh(x, 1e-12 * range);
  for (ptrdiff_t k = 0; k < x->N; k++) c += x->c[k] / (double)x->N;
  out->mean = at.mean;
  out->mean_error = sqrt(fmax(at.Q / nu, 1.0) / at.w);
  out->s = sqrt(t);
  out->s_error = t > 0.0 ? sqrt(0.5 / (at.w2 * t)) : 0.0;
  for (int k = 0; k < 2; k++) {
    const double sign = k ? 1.0 : -1.0, part = 0.5 * (1.0 - sign * level);
    out->mean_interval[k] = at.mean + sign * reach * out->mean_error;
    out->s_interval[k] = sqrt(find_crossing(x, range, chi_squared(nu, part)));
  }
  out->seen = none.Q > chi_squared(nu, 0.95);
  out->less = none.Q < chi_squared(nu, 0.05);
  if (!(out->s_interval[1] > 0.0)) {
    out->s_interval[1] = sqrt(c * unseen * sqrt(2.0 / (double)x->N));
  }
  return MS_SUCCESS;
}

/* ---- the parameter itself ---- */

/* ln of a lognormal distribution's deviation, less mu. */
static double log_deviation(double s) {
  return 0.5 * s * s + 0.5 * log(expm1(s * s));
}

/* Interval of a sum whose first part is mu and whose second, f(s), rises: the distances of both
   parts to the ends of theirs add as squares. */
static void add_intervals(const pooled *x, double f, const double end[2], double out[2]) {
  const double down[2] = { x->mean - x->mean_interval[0], f - end[0] };
  const double up[2] = { x->mean_interval[1] - x->mean, end[1] - f };
  out[0] = x->mean + f - hypot(down[0], down[1]);
  out[1] = x->mean + f + hypot(up[0], up[1]);
}

static void set_lognormal(const pooled *x, double lower, ptrdiff_t i, ms_scatter_result *out) {
  const double s = x->s, *at = x->s_interval;
  const double half[2] = { 0.5 * at[0] * at[0], 0.5 * at[1] * at[1] };
  double *mean = out->mean_interval + 2 * i, *deviation = out->deviation_interval + 2 * i;
  const double y = exp(x->mean + 0.5 * s * s);
  add_intervals(x, 0.5 * s * s, half, mean);
  for (int k = 0; k < 2; k++) mean[k] = lower + exp(mean[k]);
  out->mean[i] = lower + y;
  out->mean_error[i] = y * hypot(x->mean_error, s * x->s_error);
  out->deviation[i] = y * sqrt(expm1(s * s));
  if (s > 0.0) {
    const double end[2] = { log_deviation(at[0]), log_deviation(at[1]) };
    const double slope = s - s / expm1(-s * s);
    add_intervals(x, log_deviation(s), end, deviation);
    for (int k = 0; k < 2; k++) deviation[k] = exp(deviation[k]);
    out->deviation_error[i] = out->deviation[i] * hypot(x->mean_error, slope * x->s_error);
  } else {
    deviation[0] = 0.0;
    deviation[1] = exp(x->mean_interval[1] + log_deviation(at[1]));
    out->deviation_error[i] = deviation[1];
  }
}

static void set_normal(const pooled *x, ptrdiff_t i, ms_scatter_result *out) {
  out->mean[i] = x->mean, out->mean_error[i] = x->mean_error;
  out->deviation[i] = x->s, out->deviation_error[i] = x->s > 0.0 ? x->s_error : x->s_interval[1];
  for (int k = 0; k < 2; k++) {
    out->mean_interval[2 * i + k] = x->mean_interval[k];
    out->deviation_interval[2 * i + k] = x->s_interval[k];
  }
}

/* ---- all parameters ---- */

typedef struct assemblies {
  const ms_scatter_estimates *from;
  ptrdiff_t n, N;
  double *y, *C;                      /* in the coordinates of the families: n x N, n x n x N */
  double *scale;                      /* standard deviation of each over the assemblies */
  double *Sigma, *sum, *W, *b, *work; /* in units of these */
  double *one;                        /* y and c of one parameter */
} assemblies;

/* W = (Sigma + C_k)^-1. */
static int invert(const assemblies *a, ptrdiff_t k, double *W) {
  const ptrdiff_t n = a->n;
  for (ptrdiff_t i = 0; i < n * n; i++) {
    const double size = a->scale[i % n] * a->scale[i / n];
    a->work[i] = a->Sigma[i] + a->C[i + n * n * k] / size;
    W[i] = i % n == i / n;
  }
  return ms_dense_solve_many(n, a->work, n, W);
}

/* out = A B, n x n. */
static void multiply(ptrdiff_t n, const double *A, const double *B, double *out) {
  for (ptrdiff_t i = 0; i < n * n; i++) {
    out[i] = 0.0;
    for (ptrdiff_t j = 0; j < n; j++) out[i] += A[i % n + n * j] * B[j + n * (i / n)];
  }
}

static void multiply_vector(ptrdiff_t n, const double *A, const double *x, double *out) {
  for (ptrdiff_t i = 0; i < n; i++) {
    out[i] = 0.0;
    for (ptrdiff_t j = 0; j < n; j++) out[i] += A[i + n * j] * x[j];
  }
}

/* A step of expectation and maximisation:

     mu = A^-1 sum W_k y_k,  A = sum W_k,  b_k = Sigma W_k (y_k - mu)
     Sigma = 1/N sum b_k b_k^T + Sigma - Sigma (W_k - W_k A^-1 W_k) Sigma

   The largest change of an element, -1 where a matrix is singular. */
static double improve(const assemblies *a) {
  const ptrdiff_t n = a->n, N = a->N, nn = n * n;
  double *A = a->sum, *mu = a->b, *r = a->b + n, *b = a->b + 2 * n, *W = a->W;
  double *T = a->work + nn, *U = T + nn, *next = U + nn, change = 0.0;
  memset(A, 0, (size_t)nn * sizeof *A);
  memset(mu, 0, (size_t)n * sizeof *mu);
  memset(next, 0, (size_t)nn * sizeof *next);
  for (ptrdiff_t k = 0; k < N; k++) {
    if (invert(a, k, W + nn * k)) return -1.0;
    for (ptrdiff_t i = 0; i < n; i++) r[i] = a->y[i + n * k] / a->scale[i];
    multiply_vector(n, W + nn * k, r, b);
    for (ptrdiff_t i = 0; i < nn; i++) A[i] += W[i + nn * k];
    for (ptrdiff_t i = 0; i < n; i++) mu[i] += b[i];
  }
  double *inverse = next + nn;
  for (ptrdiff_t i = 0; i < nn; i++) inverse[i] = i % n == i / n;
  memcpy(a->work, A, (size_t)nn * sizeof *A);
  if (ms_dense_solve_many(n, a->work, n, inverse)) return -1.0;
  multiply_vector(n, inverse, mu, r);
  memcpy(mu, r, (size_t)n * sizeof *mu);
  for (ptrdiff_t k = 0; k < N; k++) {
    double *Wk = W + nn * k;
    for (ptrdiff_t i = 0; i < n; i++) r[i] = a->y[i + n * k] / a->scale[i] - mu[i];
    multiply(n, a->Sigma, Wk, T); /* Sigma W_k */
    multiply_vector(n, T, r, b);
    multiply(n, T, inverse, U);
    multiply(n, U, Wk, a->work); /* Sigma W_k A^-1 W_k */
    for (ptrdiff_t i = 0; i < nn; i++) a->work[i] = T[i] - a->work[i];
    multiply(n, a->work, a->Sigma, U);
    for (ptrdiff_t i = 0; i < nn; i++)
      next[i] += (b[i % n] * b[i / n] + a->Sigma[i] - U[i]) / (double)N;
  }
  for (ptrdiff_t i = 0; i < nn; i++) {
    const double mean = 0.5 * (next[i] + next[i / n + n * (i % n)]);
    change = fmax(change, fabs(mean - a->Sigma[i]));
    a->W[i] = mean;
  }
  memcpy(a->Sigma, a->W, (size_t)nn * sizeof *a->Sigma);
  return change;
}

/* From the covariance of the estimates on, a little wider so that it is positive. */
static void begin(const assemblies *a) {
  const ptrdiff_t n = a->n, N = a->N;
  double *mean = a->b;
  for (ptrdiff_t i = 0; i < n; i++) {
    mean[i] = 0.0;
    for (ptrdiff_t k = 0; k < N; k++) mean[i] += a->y[i + n * k] / (double)N;
  }
  for (ptrdiff_t q = 0; q < n * (n + 1); q++) {
    const ptrdiff_t i = q < n ? q : (q - n) % n, j = q < n ? q : (q - n) / n;
    double sum = 0.0;
    for (ptrdiff_t k = 0; k < N; k++)
      sum += (a->y[i + n * k] - mean[i]) * (a->y[j + n * k] - mean[j]) / (double)(N - 1);
    if (q < n)
      a->scale[i] = sqrt(sum);
    else
      a->Sigma[i + n * j] = sum / (a->scale[i] * a->scale[j]) + (i == j) * 1e-6;
  }
}

/* Mean over the assemblies of C_k, in units of the scale. */
static double own_error(const assemblies *a, ptrdiff_t i) {
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < a->N; k++) sum += a->C[i + a->n * i + a->n * a->n * k];
  return sum / ((double)a->N * a->scale[i] * a->scale[i]);
}

static void set_correlation(const assemblies *a, const ms_scatter_setting *setting,
                            ms_scatter_result *out) {
  const ptrdiff_t n = a->n;
  double change = 1.0;
  begin(a);
  for (out->steps = 0; out->steps < 100 * setting->max_steps; out->steps++) {
    change = improve(a);
    if (change < setting->tol.end) break;
  }
  out->residual = fabs(change);
  for (ptrdiff_t q = 0; q < n * n; q++) {
    const ptrdiff_t i = q % n, j = q / n;
    const double s = a->Sigma[i + n * i] * a->Sigma[j + n * j];
    const double all =
        (a->Sigma[i + n * i] + own_error(a, i)) * (a->Sigma[j + n * j] + own_error(a, j));
    if (i == j) out->correlation[q] = 1.0;
    if (i == j || change < 0.0 || !out->seen[i] || !out->seen[j] || !(s > 0.0)) continue;
    out->correlation[q] = fmax(fmin(a->Sigma[q] / sqrt(s), 1.0), -1.0);
    out->dependence[q] = a->Sigma[q] / sqrt(all / (double)(a->N - 1));
  }
}

/* ---- what was found, in words ---- */

static void add_remarks(const assemblies *a, ptrdiff_t i, const pooled *x, ms_scatter_result *out) {
  const char *name = a->from->name[i];
  ptrdiff_t open = 0;
  for (const ms_scatter_estimate *e = a->from->of; e < a->from->of + a->N; e++) {
    open += e->determined && !e->determined[i];
  }
  if (open > 0) {
    ms_scatter_remark(out,
                      "%s: the tests of %td of %td assemblies do not determine it; its "
                      "distribution rests on the others.\n",
                      name, open, a->N);
  }
  if (!x->seen) {
    ms_scatter_remark(out,
                      "%s: its scatter cannot be distinguished from the errors of the estimates; "
                      "it is at most %.3g (standard deviation).\n",
                      name, out->deviation_interval[2 * i + 1]);
  }
  if (x->less) {
    ms_scatter_remark(out,
                      "%s: the estimates scatter less than their standard errors say, which seem "
                      "to be too large: give the noise to the calibrations.\n",
                      name);
  }
}

/* ---- the whole ---- */

ms_family ms_scatter_estimates_family(double lower, double upper) {
  return isfinite(lower) && !isfinite(upper) ? MS_FAMILY_LOGNORMAL : MS_FAMILY_NORMAL;
}

static ms_status take_one(ms_context *ctx, assemblies *a, ptrdiff_t k, ptrdiff_t i) {
  const ms_scatter_estimates *e = a->from;
  const ptrdiff_t n = a->n;
  const ms_scatter_estimate *of = &e->of[k];
  const double p = of->p[i], c = of->covariance[i * (n + 1)];
  const int logarithm = e->family[i] == MS_FAMILY_LOGNORMAL;
  if (!logarithm && e->family[i] != MS_FAMILY_NORMAL) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: its family must be normal or lognormal", e->name[i]);
  }
  if (!(p >= e->lower[i] && p <= e->upper[i]) || (logarithm && !(p > e->lower[i]))) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s of assembly %td is %g, not between %g and %g",
                   e->name[i], k + 1, p, e->lower[i], e->upper[i]);
  }
  if (!(c >= 0.0 && isfinite(c))) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s of assembly %td has the variance %g", e->name[i], k + 1,
                   c);
  }
  a->y[i + n * k] = logarithm ? log(p - e->lower[i]) : p;
  for (ptrdiff_t j = 0; j < n; j++) {
    const double slope = e->family[j] == MS_FAMILY_LOGNORMAL ? of->p[j] - e->lower[j] : 1.0;
    a->C[i + n * j + n * n * k] =
        of->covariance[i + n * j] / (slope * (logarithm ? p - e->lower[i] : 1.0));
  }
  return MS_SUCCESS;
}

static ms_status identify(ms_context *ctx, assemblies *a, double level,
                          const ms_scatter_setting *setting, ms_scatter_result *out) {
  const ms_scatter_estimates *e = a->from;
  const ptrdiff_t n = a->n, N = a->N;
  for (ptrdiff_t q = 0; q < n * N; q++) {
    MS_TRY(take_one(ctx, a, q / n, q % n));
    out->p[q] = e->of[q / n].p[q % n];
    out->p_error[q] = sqrt(e->of[q / n].covariance[q % n * (n + 1)]);
  }
  MS_TRY(ms_allocate(ctx, MS_SCATTER_REMARKS, 1, &out->remarks));
  for (ptrdiff_t i = 0; i < n; i++) {
    pooled found = { .s = 0.0 };
    double least = HUGE_VAL;
    for (ptrdiff_t k = 0; k < N; k++) {
      a->one[k] = a->y[i + n * k];
      a->one[N + k] = a->C[i * (n + 1) + n * n * k];
      least = fmin(least, a->one[N + k]);
    }
    const one_parameter x = { N, a->one, a->one + N };
    MS_TRY(pool(ctx, &x, e->name[i], level, setting->tol.unseen, &found));
    if (e->family[i] == MS_FAMILY_LOGNORMAL)
      set_lognormal(&found, e->lower[i], i, out);
    else
      set_normal(&found, i, out);
    out->seen[i] = found.seen;
    out->distribution[i] = (ms_distribution) { e->family[i], e->lower[i], e->upper[i], found.mean,
                                               fmax(found.s, setting->tol.floor * sqrt(least)) };
    add_remarks(a, i, &found, out);
  }
  set_correlation(a, setting, out);
  return MS_SUCCESS;
}

ms_status ms_scatter_identify_estimates(ms_context *ctx, const ms_scatter_estimates *e,
                                        double level, const ms_scatter_setting *setting,
                                        ms_scatter_result *out) {
  ms_scatter_setting own = MS_SCATTER_DEFAULT;
  double *room = NULL;
  const ptrdiff_t n = e->n, N = e->n_assembly, nn = n * n;
  *out = (ms_scatter_result) { 0 };
  MS_TAKE(ctx, ms_scatter_default, setting, own);
  if (N < MS_SCATTER_LEAST || n < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td assemblies: a distribution needs %d of them at least",
                   N, (int)MS_SCATTER_LEAST);
  }
  if (!(level > 0.0 && level < 1.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "level = %g must lie between 0 and 1", level);
  }
  MS_TRY(ms_scatter_allocate_result(ctx, n, N, out));
  MS_TRY(ms_allocate(ctx, n * N + 2 * nn * N + 7 * nn + 4 * n + 2 * N, sizeof *room, &room));
  assemblies a = { .from = e, .n = n, .N = N, .y = room, .C = room + n * N };
  a.W = a.C + nn * N;
  a.Sigma = a.W + nn * N;
  a.sum = a.Sigma + nn;
  a.work = a.sum + nn;
  a.scale = a.work + 5 * nn;
  a.b = a.scale + n;
  a.one = a.b + 3 * n;
  ms_status status = identify(ctx, &a, level, setting, out);
  ms_free(ctx, &room);
  return status;
}

static ms_status identify_first(ms_context *ctx, ptrdiff_t n_assembly,
                                const ms_scatter_estimate *of, ptrdiff_t n,
                                const ms_scatter_parameter *parameter, ms_scatter_result *out) {
  const char **name = NULL;
  ms_family *family = NULL;
  double *bound = NULL;
  ms_status status = ms_allocate(ctx, n, sizeof *name, &name);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, n, sizeof *family, &family);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, 2 * n, sizeof *bound, &bound);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) {
    name[i] = parameter[i].name, family[i] = parameter[i].family;
    bound[i] = parameter[i].lower, bound[n + i] = parameter[i].upper;
  }
  if (status == MS_SUCCESS) {
    const ms_scatter_estimates e = { n, n_assembly, name, family, bound, bound + n, of };
    status = ms_scatter_identify_estimates(ctx, &e, 0.95, NULL, out);
  }
  ms_free(ctx, &name);
  ms_free(ctx, &family);
  ms_free(ctx, &bound);
  return status;
}

ms_status ms_scatter_share_estimates(ms_context *ctx, int first, ptrdiff_t n_assembly,
                                     const ms_scatter_estimate *of, ptrdiff_t n,
                                     ms_scatter_parameter *parameter, ms_scatter_result *out) {
  for (ptrdiff_t i = 0; i < n; i++) {
    parameter[i].family = ms_scatter_estimates_family(parameter[i].lower, parameter[i].upper);
  }
  ms_status status = first ? identify_first(ctx, n_assembly, of, n, parameter, out)
                           : ms_scatter_allocate_result(ctx, n, n_assembly, out);
  MS_TRY(ms_context_agree(ctx, status));
  MS_TRY(ms_context_share(ctx, 0, out->distribution, (size_t)n * sizeof *out->distribution));
  return ms_context_share(ctx, 0, out->correlation, (size_t)(n * n) * sizeof *out->correlation);
}

/* ---- draws ---- */

/* The lower triangle L of R = L L^T in place; a direction that R does not have stays zero. */
static void factorise(ptrdiff_t n, double *R) {
  for (ptrdiff_t j = 0; j < n; j++) {
    double d = R[j + n * j];
    for (ptrdiff_t k = 0; k < j; k++) d -= R[j + n * k] * R[j + n * k];
    R[j + n * j] = d > 1e-12 ? sqrt(d) : 0.0;
    for (ptrdiff_t i = j + 1; i < n; i++) {
      double x = R[i + n * j];
      for (ptrdiff_t k = 0; k < j; k++) x -= R[i + n * k] * R[j + n * k];
      R[i + n * j] = d > 1e-12 ? x / R[j + n * j] : 0.0;
    }
  }
}

ms_status ms_scatter_draw_correlated(ms_context *ctx, ptrdiff_t n, const ms_distribution *d,
                                     const double *correlation, ptrdiff_t n_specimen, uint64_t seed,
                                     double *p) {
  double *L = NULL;
  if (!correlation) {
    ms_scatter_draw(n, d, n_specimen, seed, p);
    return MS_SUCCESS;
  }
  MS_TRY(ms_allocate(ctx, n * (n + 1), sizeof *L, &L));
  double *z = L + n * n;
  memcpy(L, correlation, (size_t)(n * n) * sizeof *L);
  factorise(n, L);
  for (ptrdiff_t k = 0; k < n_specimen; k++) {
    ms_random random;
    ms_random_start(&random, seed, (uint64_t)k);
    for (ptrdiff_t i = 0; i < n; i++) z[i] = ms_normal_quantile(ms_random_uniform(&random));
    for (ptrdiff_t i = 0; i < n; i++) {
      double x = 0.0, size = 0.0;
      for (ptrdiff_t j = 0; j <= i; j++)
        x += L[i + n * j] * z[j], size += L[i + n * j] * L[i + n * j];
      p[i + n * k] = ms_distribution_quantile(&d[i], ms_normal_cdf(x / sqrt(size)));
    }
  }
  ms_free(ctx, &L);
  return MS_SUCCESS;
}
