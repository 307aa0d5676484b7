/* The distributions under which all tests are likeliest: with draws p_jk of specimen j and what
   they count, w_jk (draws.c),

     log L(h) = sum over j of ln sum over k of w_jk pi(p_jk | h),   pi = product of pi_i(p_i | h_i).

   Steps of expectation and maximisation come near: rho_jk = w_jk pi_jk / sum over k is the part of
   draw k, and of each parameter the distribution that fits all draws with weights rho is the next.
   Newton's method ends it, in mean m and ln s (s the deviation) of each distribution. With g and H
   the first two derivatives of ln pi at a draw (Louis, 1982),

     d log L = sum_j <g>,   -d2 log L = sum_j (<g><g>^T - <g g^T + H>),   < > = sum_k rho_jk,

   the latter, inverted, the covariance of the hyperparameters h. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "identify/distribution/family.h"
#include "identify/scatter/scatter.h"

enum { SLOW_STEPS = 60 };

/* Where the likelihood is asked: distributions, and what they were made of. */
typedef struct point {
  ms_distribution *d; /* n */
  double *mean, *deviation;
} point;

typedef struct search {
  ms_context *ctx;
  const ms_specimens *s;
  const ms_scatter_draws *draws;
  ms_scatter_result *out;
  point trial;
  double *rho, *trial_rho; /* of every draw */
  double *least;           /* n: floors of the deviations */
  double value;            /* log L */
  ptrdiff_t n_h;
  ptrdiff_t *of;       /* parameter of each hyperparameter */
  int *spread;         /* 1: its ln s, 0: its mean */
  double *g, *sum, *H; /* n_h, n_h, n_h x n_h */
  double *step;        /* n_h */
} search;

static point result_point(const search *x) {
  return (point) { x->out->distribution, x->out->mean, x->out->deviation };
}

static const ms_scatter_parameter *parameter_of(const search *x, ptrdiff_t i) {
  return &x->s->scatter->parameter[i];
}

/* ---- the likelihood ---- */

static double log_prior(const search *x, const ms_distribution *d, ptrdiff_t draw) {
  const ptrdiff_t total = x->draws->first[x->draws->n_specimen];
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < x->draws->n; i++) {
    sum += ms_distribution_log_density(&d[i], x->draws->x[draw + total * i]);
  }
  return sum;
}

/* d NULL: draws count w. rho of specimen j, and its ln sum; -inf where no draw counts. */
static double weigh(const search *x, const ms_distribution *d, ptrdiff_t j, double *rho) {
  const ptrdiff_t first = x->draws->first[j], end = x->draws->first[j + 1];
  double largest = -HUGE_VAL, sum = 0.0;
  for (ptrdiff_t k = first; k < end; k++) {
    rho[k] = x->draws->log_w[k] + (d ? log_prior(x, d, k) : 0.0);
    largest = fmax(largest, rho[k]);
  }
  if (!isfinite(largest)) return -HUGE_VAL;
  for (ptrdiff_t k = first; k < end; k++) sum += rho[k] = exp(rho[k] - largest);
  for (ptrdiff_t k = first; k < end; k++) rho[k] /= sum;
  return largest + log(sum / (double)x->s->setting->draws);
}

static double log_likelihood(const search *x, const ms_distribution *d, double *rho) {
  double sum = 0.0;
  for (ptrdiff_t j = 0; j < x->draws->n_specimen; j++) sum += weigh(x, d, j, rho);
  return sum;
}

/* ---- expectation and maximisation ---- */

/* The moments decide; a deviation that came to the floor is held there. */
static ms_status settle(const search *x, ptrdiff_t i, point p) {
  const ms_scatter_parameter *q = parameter_of(x, i);
  x->out->seen[i] &= !(p.deviation[i] <= x->least[i]) || ms_family_get(q->family)->n_param < 2;
  if (!x->out->seen[i]) p.deviation[i] = x->least[i];
  MS_TRY(ms_distribution_from_moments(x->ctx, q->family, q->lower, q->upper, p.mean[i],
                                      p.deviation[i], &p.d[i]));
  p.mean[i] = ms_distribution_mean(&p.d[i]);
  p.deviation[i] = ms_distribution_deviation(&p.d[i]);
  return MS_SUCCESS;
}

static ms_status maximise(const search *x, ptrdiff_t i, point p) {
  const ms_scatter_parameter *q = parameter_of(x, i);
  const ptrdiff_t total = x->draws->first[x->draws->n_specimen];
  ms_status status = ms_distribution_fit(x->ctx, q->family, q->lower, q->upper, total,
                                         x->draws->x + total * i, x->rho, &p.d[i]);
  if (status != MS_SUCCESS) return ms_fail_at(x->ctx, status, "%s", q->name);
  p.mean[i] = ms_distribution_mean(&p.d[i]);
  p.deviation[i] = ms_distribution_deviation(&p.d[i]);
  x->out->seen[i] = !(p.deviation[i] < x->s->setting->tol.rise * x->least[i]) ||
                    ms_family_get(q->family)->n_param == 0;
  return x->out->seen[i] ? MS_SUCCESS : settle(x, i, p);
}

static ms_status approach(search *x) {
  const ptrdiff_t N = x->draws->n_specimen;
  const point p = result_point(x);
  (void)log_likelihood(x, NULL, x->rho);
  x->value = -HUGE_VAL;
  for (int t = 0; t < SLOW_STEPS; t++) {
    for (ptrdiff_t i = 0; i < x->draws->n; i++) MS_TRY(maximise(x, i, p));
    double before = x->value;
    x->value = log_likelihood(x, p.d, x->rho);
    x->out->steps++;
    if (!isfinite(x->value)) {
      return ms_fail(x->ctx, MS_NOT_CONVERGED, "no distribution of these families has all tests");
    }
    if (x->value - before < x->s->setting->tol.slow_end * (double)N) break;
  }
  return MS_SUCCESS;
}

/* ---- Newton's method ---- */

/* The distribution of parameter i with its mean moved by a deviations and its ln s by b. */
static ms_status move(const search *x, point p, ptrdiff_t i, double a, double b,
                      ms_distribution *out) {
  const ms_scatter_parameter *q = parameter_of(x, i);
  return ms_distribution_from_moments(x->ctx, q->family, q->lower, q->upper,
                                      p.mean[i] + a * p.deviation[i], p.deviation[i] * exp(b), out);
}

/* Neighbours of a distribution: [1 + a][1 + b]. */
typedef struct neighbours {
  ms_distribution at[3][3];
  int n_h;     /* its hyperparameters: mean, and ln s */
  double step; /* to them, tol.step */
} neighbours;

static ms_status find_neighbours(const search *x, ptrdiff_t i, neighbours *out) {
  const int n_param = ms_family_get(parameter_of(x, i)->family)->n_param;
  out->step = x->s->setting->tol.step;
  out->n_h = n_param == 2 && !x->out->seen[i] ? 1 : n_param;
  for (int a = -1; a <= 1; a++) {
    for (int b = -1; b <= 1; b++) {
      MS_TRY(move(x, result_point(x), i, out->n_h > 0 ? a * out->step : 0.0,
                  out->n_h > 1 ? b * out->step : 0.0, &out->at[1 + a][1 + b]));
    }
  }
  return MS_SUCCESS;
}

/* g and H of ln pi_i at a value. */
static void slopes(const neighbours *d, double value, double g[2], double H[3]) {
  double f[3][3];
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      if (d->n_h > 1 || b == 1) f[a][b] = ms_distribution_log_density(&d->at[a][b], value);
    }
  }
  const double h = d->step;
  g[0] = (f[2][1] - f[0][1]) / (2.0 * h);
  H[0] = (f[2][1] - 2.0 * f[1][1] + f[0][1]) / (h * h);
  if (d->n_h < 2) return;
  g[1] = (f[1][2] - f[1][0]) / (2.0 * h);
  H[1] = (f[1][2] - 2.0 * f[1][1] + f[1][0]) / (h * h);
  H[2] = (f[2][2] - f[2][0] - f[0][2] + f[0][0]) / (4.0 * h * h);
}

/* g of all hyperparameters at a draw into x->g; <H> is added to x->H with weight rho. */
static void add_draw(search *x, const neighbours *all, ptrdiff_t k) {
  const ptrdiff_t total = x->draws->first[x->draws->n_specimen], n_h = x->n_h;
  const double rho = x->rho[k];
  ptrdiff_t at = 0;
  for (ptrdiff_t i = 0; i < x->draws->n; i++) {
    double H[3] = { 0.0 }, g[2] = { 0.0 };
    if (all[i].n_h == 0) continue;
    slopes(&all[i], x->draws->x[k + total * i], g, H);
    x->g[at] = g[0];
    x->H[at + n_h * at] -= rho * H[0];
    if (all[i].n_h > 1) {
      x->g[at + 1] = g[1];
      x->H[at + 1 + n_h * (at + 1)] -= rho * H[1];
      x->H[at + 1 + n_h * at] -= rho * H[2];
      x->H[at + n_h * (at + 1)] -= rho * H[2];
    }
    at += all[i].n_h;
  }
  for (ptrdiff_t a = 0; a < n_h; a++) {
    x->sum[a] += rho * x->g[a];
    for (ptrdiff_t b = 0; b < n_h; b++) x->H[a + n_h * b] -= rho * x->g[a] * x->g[b];
  }
}

static void list_hyper(search *x, const neighbours *all) {
  x->n_h = 0;
  for (ptrdiff_t i = 0; i < x->draws->n; i++) {
    for (int k = 0; k < all[i].n_h; k++) x->of[x->n_h] = i, x->spread[x->n_h++] = k;
  }
}

/* Gradient into x->step, minus the second derivatives into x->H. */
static ms_status differentiate(search *x, neighbours *all) {
  for (ptrdiff_t i = 0; i < x->draws->n; i++) MS_TRY(find_neighbours(x, i, &all[i]));
  list_hyper(x, all);
  memset(x->H, 0, (size_t)(x->n_h * x->n_h) * sizeof *x->H);
  memset(x->step, 0, (size_t)x->n_h * sizeof *x->step);
  for (ptrdiff_t j = 0; j < x->draws->n_specimen; j++) {
    memset(x->sum, 0, (size_t)x->n_h * sizeof *x->sum);
    for (ptrdiff_t k = x->draws->first[j]; k < x->draws->first[j + 1]; k++) {
      if (x->rho[k] > 0.0) add_draw(x, all, k);
    }
    for (ptrdiff_t a = 0; a < x->n_h; a++) {
      x->step[a] += x->sum[a];
      for (ptrdiff_t b = 0; b < x->n_h; b++) x->H[a + x->n_h * b] += x->sum[a] * x->sum[b];
    }
  }
  return MS_SUCCESS;
}

/* The step, and x->H becomes the covariance. Returns 0 where there is no maximum near. */
static int solve(search *x, double *distance) {
  const int n = (int)x->n_h;
  double sum = 0.0, largest = 0.0;
  *distance = 0.0;
  if (n == 0) return 1; /* uniform distributions alone: their bounds are given */
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, x->H, n) != 0) return 0;
  if (LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', n, x->H, n) != 0) return 0;
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < a; b++) x->H[b + n * a] = x->H[a + n * b];
  }
  memcpy(x->g, x->step, (size_t)n * sizeof *x->g);
  for (int a = 0; a < n; a++) {
    x->step[a] = 0.0;
    for (int b = 0; b < n; b++) x->step[a] += x->H[a + n * b] * x->g[b];
    sum += x->step[a] * x->g[a];
    largest = fmax(largest, fabs(x->step[a]));
  }
  for (int a = 0; a < n && largest > x->s->setting->tol.largest; a++)
    x->step[a] *= x->s->setting->tol.largest / largest;
  *distance = sqrt(fmax(sum, 0.0));
  return isfinite(*distance);
}

/* The trial point at a part of the step. */
static ms_status try_step(search *x, double part) {
  const ptrdiff_t n = x->draws->n;
  memcpy(x->trial.mean, x->out->mean, (size_t)n * sizeof(double));
  memcpy(x->trial.deviation, x->out->deviation, (size_t)n * sizeof(double));
  memcpy(x->trial.d, x->out->distribution, (size_t)n * sizeof *x->trial.d);
  for (ptrdiff_t a = 0; a < x->n_h; a++) {
    const ptrdiff_t i = x->of[a];
    if (x->spread[a]) x->trial.deviation[i] *= exp(part * x->step[a]);
    if (!x->spread[a]) x->trial.mean[i] += part * x->step[a] * x->out->deviation[i];
  }
  for (ptrdiff_t a = 0; a < x->n_h; a++) {
    if (!x->spread[a]) MS_TRY(settle(x, x->of[a], x->trial));
  }
  return MS_SUCCESS;
}

static void accept(search *x, double value) {
  const ptrdiff_t n = x->draws->n;
  double *rho = x->rho;
  memcpy(x->out->mean, x->trial.mean, (size_t)n * sizeof(double));
  memcpy(x->out->deviation, x->trial.deviation, (size_t)n * sizeof(double));
  memcpy(x->out->distribution, x->trial.d, (size_t)n * sizeof *x->trial.d);
  x->rho = x->trial_rho, x->trial_rho = rho;
  x->value = value;
}

/* Shorter until the likelihood does not fall. Returns 0 where it always does. */
static int advance(search *x) {
  for (double part = 1.0; part > 1e-6; part *= 0.5) {
    if (try_step(x, part) != MS_SUCCESS) {
      ms_context_clear_message(x->ctx);
      continue;
    }
    double value = log_likelihood(x, x->trial.d, x->trial_rho);
    if (!(value >= x->value - 1e-10 * fabs(x->value))) continue;
    accept(x, value);
    return 1;
  }
  return 0;
}

/* A step of expectation and maximisation, where Newton's method cannot go on. */
static ms_status crawl(search *x) {
  const point p = result_point(x);
  for (ptrdiff_t i = 0; i < x->draws->n; i++) MS_TRY(maximise(x, i, p));
  x->value = log_likelihood(x, p.d, x->rho);
  return MS_SUCCESS;
}

static void keep_errors(search *x, const neighbours *all) {
  ms_scatter_result *out = x->out;
  for (ptrdiff_t a = 0; a < x->n_h; a++) {
    const ptrdiff_t i = x->of[a];
    const double error = out->deviation[i] * sqrt(x->H[a + x->n_h * a]);
    *(x->spread[a] ? &out->deviation_error[i] : &out->mean_error[i]) = error;
    if (x->spread[a] || ms_family_get(parameter_of(x, i)->family)->n_param > 1) continue;
    double up = ms_distribution_deviation(&all[i].at[2][1]);
    double down = ms_distribution_deviation(&all[i].at[0][1]);
    out->deviation_error[i] = fabs(up - down) / (2.0 * all[i].step * out->deviation[i]) * error;
  }
}

/* Where a deviation is not seen, steps may crawl along a ridge: what is near enough counts, and how
   near it is is reported. */
static ms_status finish(search *x, neighbours *all) {
  const int most = x->s->setting->max_steps;
  ms_scatter_result *out = x->out;
  for (;; out->steps++) {
    MS_TRY(differentiate(x, all));
    const int solved = solve(x, &out->residual), last = out->steps >= most;
    if (solved && out->residual < (last ? x->s->setting->tol.enough : x->s->setting->tol.end)) {
      keep_errors(x, all);
      return MS_SUCCESS;
    }
    if (last) break;
    if (!solved || !advance(x)) MS_TRY(crawl(x));
  }
  return ms_fail(x->ctx, MS_NOT_CONVERGED,
                 "the likelihood of the distributions has no maximum within %d steps; the last is "
                 "%.2g standard errors from it",
                 most, out->residual);
}

/* ---- all of it ---- */

static void count_effective(search *x) {
  x->out->effective = HUGE_VAL;
  for (ptrdiff_t j = 0; j < x->draws->n_specimen; j++) {
    double sum = 0.0;
    for (ptrdiff_t k = x->draws->first[j]; k < x->draws->first[j + 1]; k++) {
      sum += x->rho[k] * x->rho[k];
    }
    x->out->effective = fmin(x->out->effective, 1.0 / sum);
  }
}

/* What no test would show even if all else were known. */
static void set_floors(search *x) {
  const ptrdiff_t n = x->draws->n, N = x->draws->n_specimen;
  for (ptrdiff_t i = 0; i < n; i++) {
    double sum = 0.0;
    for (ptrdiff_t j = 0; j < N; j++) sum += log(x->s->sharp[i + n * j]);
    x->least[i] = x->s->setting->tol.floor * exp(sum / (double)N);
  }
}

static ms_status allocate(search *x, double **numbers) {
  const ptrdiff_t n = x->draws->n, n_h = 2 * n, total = x->draws->first[x->draws->n_specimen];
  MS_TRY(ms_allocate(x->ctx, n, sizeof *x->trial.d, &x->trial.d));
  MS_TRY(ms_allocate(x->ctx, n_h, sizeof *x->of, &x->of));
  MS_TRY(ms_allocate(x->ctx, n_h, sizeof *x->spread, &x->spread));
  MS_TRY(ms_allocate(x->ctx, 3 * n + 3 * n_h + n_h * n_h + 2 * total, sizeof **numbers, numbers));
  double *at = *numbers;
  x->trial.mean = at, at += n;
  x->trial.deviation = at, at += n;
  x->least = at, at += n;
  x->g = at, at += n_h;
  x->sum = at, at += n_h;
  x->step = at, at += n_h;
  x->H = at, at += n_h * n_h;
  x->rho = at, at += total;
  x->trial_rho = at;
  return MS_SUCCESS;
}

ms_status ms_scatter_maximise(const ms_specimens *s, const ms_scatter_draws *draws,
                              ms_scatter_result *out) {
  ms_context *ctx = s->scatter->ctx;
  search x = { .ctx = ctx, .s = s, .draws = draws, .out = out };
  double *numbers = NULL;
  neighbours *all = NULL;
  out->steps = 0;
  ms_status status = allocate(&x, &numbers);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, draws->n, sizeof *all, &all);
  if (status == MS_SUCCESS) {
    set_floors(&x);
    status = approach(&x);
  }
  if (status == MS_SUCCESS) status = finish(&x, all);
  if (status == MS_SUCCESS) count_effective(&x);
  out->log_likelihood = x.value;
  ms_free(ctx, &x.trial.d);
  ms_free(ctx, &x.of);
  ms_free(ctx, &x.spread);
  ms_free(ctx, &numbers);
  ms_free(ctx, &all);
  return status;
}
