/* Density from losses. Letters:
     A, D   n samples, amplitude and loss
     s      ln rho at m knots phi
     W      D_i = sum_k W_ik rho_k, from D(A) = 4 int rho phi (A - phi) dphi
     sigma  deviation of a sample, relative: noise times its weight
     J      dr/ds of the residuals r = (D(s) - D)/(sigma D)
     L      second differences of s: zero for a power law
     H      J'J + lambda L'L, the inverse covariance of s (Laplace's approximation)
   s makes r'r + lambda |L s|^2 least, and lambda makes the data most probable. */
#include <math.h>
#include <cblas.h>
#include <lapacke.h>
#include <microslip/density_estimate.h>
#include <string.h>

#include "core/internal.h"
#include "identify/distribution/special_functions.h"

enum { MOST_STEPS = 80, MOST_HALVINGS = 30, ROUNDS = 12 };

typedef struct work {
  ms_context *ctx;
  const ms_density_estimate_tolerances *tol;
  ptrdiff_t n, m;
  const double *A, *D;
  double *phi, *W, *s, *rho, *r, *J, *H, *g, *trial, *scratch;
  double *weight; /* 1, or with noise = 1 the deviations of the samples */
  double noise, lambda;
  double step; /* length of the last step of the estimate */
  double log_det;
  double *memory;
} work;

static double sigma(const work *w, ptrdiff_t i) {
  return w->noise * w->weight[i];
}

/* ---- model ---- */

/* int over [a, b] of a straight line times 4 phi (A - phi): two points of Gauss are exact. Into
   the weights of the line's values at both ends of [from, to], in which [a, b] lies. */
static void add_segment(double from, double to, double b, double A, double *left, double *right) {
  const double half = 0.5 * (b - from), middle = 0.5 * (b + from), x = 0.57735026918962576451;
  for (int i = -1; i <= 1; i += 2) {
    double phi = middle + i * x * half, w = half * 4.0 * phi * (A - phi);
    double t = (phi - from) / (to - from);
    *left += w * (1.0 - t);
    *right += w * t;
  }
}

static void fill_weights(work *w) {
  for (ptrdiff_t i = 0; i < w->n; i++) {
    const double A = w->A[i], first = fmin(w->phi[0], A);
    double none = 0.0, *row = w->W + i;
    add_segment(0.0, first, first, A, row, &none);
    *row += none; /* level below the first knot */
    for (ptrdiff_t k = 0; k + 1 < w->m && w->phi[k] < A; k++) {
      add_segment(w->phi[k], w->phi[k + 1], fmin(w->phi[k + 1], A), A, row + w->n * k,
                  row + w->n * (k + 1));
    }
  }
}

/* Cost at s, with residuals and rho. */
static double eval(work *w, const double *s) {
  double cost = 0.0;
  for (ptrdiff_t k = 0; k < w->m; k++) w->rho[k] = exp(s[k]);
  for (ptrdiff_t i = 0; i < w->n; i++) {
    double D = 0.0;
    for (ptrdiff_t k = 0; k < w->m; k++) D += w->W[i + w->n * k] * w->rho[k];
    w->r[i] = (D / w->D[i] - 1.0) / sigma(w, i);
    cost += w->r[i] * w->r[i];
  }
  for (ptrdiff_t k = 1; k + 1 < w->m; k++) {
    double curvature = s[k - 1] - 2.0 * s[k] + s[k + 1];
    cost += w->lambda * curvature * curvature;
  }
  return cost;
}

/* The lower half of H, and minus half the gradient, at s, where eval was called last. */
static void fill_equations(work *w, const double *s) {
  const ptrdiff_t n = w->n, m = w->m;
  static const double stencil[3] = { 1.0, -2.0, 1.0 };
  for (ptrdiff_t k = 0; k < m; k++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      w->J[i + n * k] = w->W[i + n * k] * w->rho[k] / (sigma(w, i) * w->D[i]);
    }
  }
  for (ptrdiff_t k = 0; k < m; k++) {
    w->g[k] = 0.0;
    for (ptrdiff_t i = 0; i < n; i++) w->g[k] -= w->J[i + n * k] * w->r[i];
  }
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)m, (int)n, 1.0, w->J, (int)n, 0.0, w->H,
              (int)m);
  for (ptrdiff_t k = 1; k + 1 < m; k++) {
    double curvature = s[k - 1] - 2.0 * s[k] + s[k + 1];
    for (int a = 0; a < 3; a++) {
      w->g[k - 1 + a] -= w->lambda * stencil[a] * curvature;
      for (int b = 0; b <= a; b++) {
        w->H[k - 1 + a + m * (k - 1 + b)] += w->lambda * stencil[a] * stencil[b];
      }
    }
  }
}

static ms_status factorise(work *w) {
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)w->m, w->H, (int)w->m) != 0) {
    return ms_fail(w->ctx, MS_ERR_NUMERIC, "the losses do not determine a density");
  }
  w->log_det = 0.0;
  for (ptrdiff_t k = 0; k < w->m; k++) w->log_det += 2.0 * log(w->H[k + w->m * k]);
  return MS_SUCCESS;
}

/* ---- the estimate for one lambda ---- */

/* Steps of Gauss and Newton, each halved until the cost falls. H is left factorised. */
static ms_status estimate(work *w, double *cost) {
  *cost = eval(w, w->s);
  for (int step = 0; step < MOST_STEPS; step++) {
    double length = 0.0, trial = HUGE_VAL, part = 1.0;
    fill_equations(w, w->s);
    MS_TRY(factorise(w));
    LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', (int)w->m, 1, w->H, (int)w->m, w->g, (int)w->m);
    for (ptrdiff_t k = 0; k < w->m; k++) length = fmax(length, fabs(w->g[k]));
    w->step = length;
    if (length < w->tol->near) return MS_SUCCESS;
    if (length > 2.0) part = 2.0 / length;
    for (int half = 0; half < MOST_HALVINGS; half++, part *= 0.5) {
      for (ptrdiff_t k = 0; k < w->m; k++) w->trial[k] = w->s[k] + part * w->g[k];
      trial = eval(w, w->trial);
      if (trial < *cost) break;
    }
    if (!(trial < *cost)) break; /* as near as rounding lets it */
    memcpy(w->s, w->trial, (size_t)w->m * sizeof *w->s);
    *cost = trial;
  }
  eval(w, w->s);
  fill_equations(w, w->s);
  return factorise(w);
}

/* Minus twice the logarithm of the probability of the data, up to a constant. */
static ms_status improbability(work *w, double ln_lambda, double *out) {
  double cost;
  w->lambda = exp(ln_lambda);
  MS_TRY(estimate(w, &cost));
  *out = cost - (double)(w->m - 2) * ln_lambda + w->log_det + 2.0 * (double)w->n * log(w->noise);
  return MS_SUCCESS;
}

/* ---- lambda and the noise ---- */

/* Golden section over ln lambda; the cost surface is smooth and has one valley in practice. */
static ms_status find_smoothness(work *w) {
  const double ratio = 0.61803398874989484820;
  double low = log(1e-4), high = log(1e10), f[2], x[2];
  x[0] = high - ratio * (high - low);
  x[1] = low + ratio * (high - low);
  for (int i = 0; i < 2; i++) MS_TRY(improbability(w, x[i], &f[i]));
  while (high - low > 0.05) {
    const int right = f[1] < f[0];
    if (right) low = x[0];
    if (!right) high = x[1];
    x[!right] = x[right];
    f[!right] = f[right];
    x[right] = right ? low + ratio * (high - low) : high - ratio * (high - low);
    MS_TRY(improbability(w, x[right], &f[right]));
  }
  return improbability(w, 0.5 * (low + high), &f[0]);
}

/* (J H^-1 J')_ii: the variance of the model at sample i over that of the sample. J is that of s; H
   is factorised. */
static double find_leverage(work *w, ptrdiff_t i) {
  const ptrdiff_t n = w->n, m = w->m;
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < m; k++) w->scratch[k] = w->J[i + n * k];
  LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', (int)m, 1, w->H, (int)m, w->scratch, (int)m);
  for (ptrdiff_t k = 0; k < m; k++) sum += w->scratch[k] * w->scratch[k];
  return sum;
}

/* Numbers that the data determine: the trace of J H^-1 J'. */
static double count_freedom(work *w) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < w->n; i++) sum += find_leverage(w, i);
  return sum;
}

static double find_misfit(const work *w) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < w->n; i++) sum += w->r[i] * w->r[i];
  return sum;
}

/* What is left, over the numbers that are not used up, is the noise. */
static ms_status find_noise(work *w) {
  w->noise = 0.01;
  for (int round = 0; round < ROUNDS; round++) {
    MS_TRY(find_smoothness(w));
    double left = fmax((double)w->n - count_freedom(w), 1.0), before = w->noise;
    w->noise = fmax(before * sqrt(find_misfit(w) / left), w->tol->least_noise);
    if (fabs(w->noise / before - 1.0) < 0.02) break;
  }
  return find_smoothness(w);
}

/* ---- life ---- */

static ms_status check_samples(ms_context *ctx, ptrdiff_t n, const double *A, const double *D) {
  if (n < 6) return ms_fail(ctx, MS_ERR_ARGUMENT, "%td losses; a density needs six", n);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!(A[i] > (i ? A[i - 1] : 0.0) && A[i] < HUGE_VAL)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "sample %td: amplitude %g must be larger than before",
                     i + 1, A[i]);
    }
    if (!(D[i] > 0.0 && D[i] < HUGE_VAL)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "sample %td: loss %g must be positive", i + 1, D[i]);
    }
  }
  if (D[n - 1] > D[0]) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "the loss does not grow with amplitude");
}

static ms_status check_deviations(ms_context *ctx, ptrdiff_t n, const double *deviation) {
  for (ptrdiff_t i = 0; deviation && i < n; i++) {
    if (deviation[i] > 0.0 && deviation[i] < HUGE_VAL) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "sample %td: deviation %g must be positive", i + 1,
                   deviation[i]);
  }
  return MS_SUCCESS;
}

void ms_density_estimate_default(ms_density_estimate_setting *setting, size_t size) {
  ms_settings_fill(&(ms_density_estimate_setting)MS_DENSITY_ESTIMATE_DEFAULT, setting, size);
}

static ms_status check_setting(ms_context *ctx, const ms_density_estimate_setting *s) {
  const ms_density_estimate_tolerances *tol = &s->tol;
  MS_DENSITY_ESTIMATE_TOLERANCES(MS_TOLERANCE_CHECK)
  if (s->knots < 5 || s->knots > 1000 || !(s->noise >= 0.0 && s->noise < 1.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%d knots (5 to 1000), noise %g (below 1)", s->knots,
                   s->noise);
  }
  if (s->level > 0.0 && s->level < 1.0 && s->trust > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "level %g must be between 0 and 1, trust %g positive",
                 s->level, s->trust);
}

static ms_status reserve(work *w) {
  const ptrdiff_t n = w->n, m = w->m;
  MS_TRY(ms_allocate(w->ctx, 6 * m + 2 * n + 2 * n * m + m * m, sizeof *w->memory, &w->memory));
  double *at = w->memory;
  double **const of_m[] = { &w->phi, &w->s, &w->rho, &w->g, &w->trial, &w->scratch };
  for (int i = 0; i < 6; i++, at += m) *of_m[i] = at;
  w->r = at;
  w->weight = w->r + n;
  w->W = w->weight + n;
  w->J = w->W + n * m;
  w->H = w->J + n * m;
  return MS_SUCCESS;
}

static void take_deviations(work *w, const double *deviation) {
  for (ptrdiff_t i = 0; i < w->n; i++) {
    w->weight[i] = deviation ? fmax(deviation[i] / w->D[i], w->tol->least_noise) : 1.0;
  }
  if (deviation) w->noise = 1.0;
}

/* A power law through the first and the last sample. */
static void start(work *w) {
  const double last = w->A[w->n - 1], from = w->tol->first * w->A[0];
  const double p = fmax(log(w->D[w->n - 1] / w->D[0]) / log(last / w->A[0]), 1.2);
  const double c = w->D[w->n - 1] / pow(last, p) * p * (p - 1.0) / 4.0;
  for (ptrdiff_t k = 0; k < w->m; k++) {
    w->phi[k] = from * pow(last / from, (double)k / (double)(w->m - 1));
    w->s[k] = log(c) + (p - 3.0) * log(w->phi[k]);
  }
  fill_weights(w);
}

/* ---- result ---- */

static ms_status reserve_result(ms_context *ctx, const work *w, ms_density_estimate *out) {
  const ptrdiff_t m = w->m;
  MS_TRY(ms_allocate(ctx, 5 * m + m * m + 2 * w->n, sizeof *out->phi, &out->phi));
  out->n = m;
  out->rho = out->phi + m;
  out->low = out->rho + m;
  out->high = out->low + m;
  out->deviation = out->high + m;
  out->covariance = out->deviation + m;
  out->D = out->covariance + m * m;
  out->D_deviation = out->D + w->n;
  return MS_SUCCESS;
}

/* The longest run of knots that the samples span and whose density is known well enough. */
static void find_trusted(const work *w, double trust, ms_density_estimate *out) {
  double from = 0.0;
  int inside = 0;
  out->from = 1.0, out->to = 0.0;
  for (ptrdiff_t k = 0; k < w->m; k++) {
    const int good = out->deviation[k] < trust && w->phi[k] >= w->A[0];
    if (good && !inside) from = w->phi[k];
    inside = good;
    if (!good || !(w->phi[k] / from > (out->to > 0.0 ? out->to / out->from : 1.0))) continue;
    out->from = from;
    out->to = w->phi[k];
  }
}

/* The model at the samples, and the noise. */
static void fill_model(work *w, ms_density_estimate *out) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < w->n; i++) {
    const double leverage = find_leverage(w, i);
    out->D[i] = w->D[i] * (1.0 + sigma(w, i) * w->r[i]);
    out->D_deviation[i] = sigma(w, i) * sqrt(leverage) * w->D[i] / out->D[i];
    out->freedom += leverage;
    out->worst = fmax(out->worst, fabs(w->r[i]));
    sum += sigma(w, i) * sigma(w, i);
  }
  out->noise = sqrt(sum / (double)w->n);
}

static void fill_result(work *w, const ms_density_estimate_setting *setting,
                        ms_density_estimate *out) {
  const ptrdiff_t m = w->m;
  const double z = ms_normal_quantile(0.5 + 0.5 * setting->level);
  out->smoothness = w->lambda;
  out->misfit = sqrt(find_misfit(w) / (double)w->n);
  out->residual = w->step;
  fill_model(w, out);
  memcpy(out->phi, w->phi, (size_t)m * sizeof *w->phi);
  memcpy(out->covariance, w->H, (size_t)(m * m) * sizeof *w->H);
  LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', (int)m, out->covariance, (int)m);
  for (ptrdiff_t k = 0; k < m; k++) {
    for (ptrdiff_t l = 0; l < k; l++) out->covariance[l + m * k] = out->covariance[k + m * l];
    out->deviation[k] = sqrt(out->covariance[k + m * k]);
    out->rho[k] = exp(w->s[k]);
    out->low[k] = exp(w->s[k] - z * out->deviation[k]);
    out->high[k] = exp(w->s[k] + z * out->deviation[k]);
  }
  find_trusted(w, setting->trust, out);
}

ms_status ms_density_estimate_from_loss(ms_context *ctx, ptrdiff_t n, const double *A,
                                        const double *D, const ms_density_estimate_setting *setting,
                                        ms_density_estimate *out) {
  ms_density_estimate_setting own = MS_DENSITY_ESTIMATE_DEFAULT;
  MS_NEED(ctx, ctx && A && D && out);
  *out = (ms_density_estimate) { .phi = NULL };
  MS_TAKE(ctx, ms_density_estimate_default, setting, own);
  MS_TRY(check_samples(ctx, n, A, D));
  MS_TRY(check_setting(ctx, setting));
  MS_TRY(check_deviations(ctx, n, setting->deviation));
  work w = { .ctx = ctx,
             .tol = &setting->tol,
             .n = n,
             .m = setting->knots,
             .A = A,
             .D = D,
             .noise = setting->noise };
  ms_status status = reserve(&w);
  if (status == MS_SUCCESS) status = reserve_result(ctx, &w, out);
  if (status == MS_SUCCESS) {
    take_deviations(&w, setting->deviation);
    start(&w);
    status = w.noise > 0.0 ? find_smoothness(&w) : find_noise(&w);
  }
  if (status == MS_SUCCESS) fill_result(&w, setting, out);
  ms_free(ctx, &w.memory);
  if (status != MS_SUCCESS) ms_density_estimate_free(ctx, out);
  return status;
}

void ms_density_estimate_free(ms_context *ctx, ms_density_estimate *estimate) {
  ms_free(ctx, &estimate->phi);
  *estimate = (ms_density_estimate) { .phi = NULL };
}

/* rho is stiffness per slip displacement: k/(load/k). */
void ms_density_estimate_rescale(ms_density_estimate *e, double load, double stiffness) {
  const double phi = load / stiffness, rho = stiffness / phi;
  for (ptrdiff_t k = 0; k < e->n; k++) {
    e->phi[k] *= phi;
    e->rho[k] *= rho;
    e->low[k] *= rho;
    e->high[k] *= rho;
  }
  e->from *= phi;
  e->to *= phi;
}
