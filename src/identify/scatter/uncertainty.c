/* What identified distributions are worth. N specimens.

   Intervals of 95 %: mean -+ t e, e the standard error times sqrt(N/(N-1)), t of Student's
   distribution with N-1 degrees of freedom; deviation s times sqrt(N/(N-1)) exp(-+ t e_s/s). For a
   normal distribution and exact tests the first is the usual interval of a mean; the second misses
   the deviation of 20 specimens in 5.2 % of all cases.

   Dependence: with S the covariance of the specimens' fits and C the mean of their own, S - C is
   that of the parameters. Without dependence (S - C)_ab scatters by sqrt(S_aa S_bb/(N-1)). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "identify/scatter/scatter.h"

/* ---- intervals ---- */

/* t^2/(nu + t^2) is of a beta distribution. */
double ms_scatter_student(double nu, double level) {
  const ms_distribution d = { MS_FAMILY_BETA, 0.0, 1.0, 0.5, 0.5 * nu };
  const double y = ms_distribution_quantile(&d, level);
  return sqrt(nu * y / (1.0 - y));
}

/* Where the deviation is not seen, one that would be: it adds to the variance of the fits e^2,
   which scatters by sqrt(2/N) of itself. */
static double unseen_limit(const ms_scatter_result *out, double unseen, ptrdiff_t i) {
  const double N = (double)out->n_specimen;
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < out->n_specimen; k++) {
    sum += out->p_error[i + out->n * k] * out->p_error[i + out->n * k];
  }
  return sqrt(sum / N * unseen * sqrt(2.0 / N));
}

/* What the bounds of a uniform distribution say is not an estimate. */
static void set_intervals(double unseen, ms_scatter_result *out) {
  const double N = (double)out->n_specimen, t = ms_scatter_student(N - 1.0, 0.95);
  for (ptrdiff_t i = 0; i < out->n; i++) {
    const int given = out->distribution[i].family == MS_FAMILY_UNIFORM;
    const double wider = given ? 1.0 : sqrt(N / (N - 1.0));
    double *mean = out->mean_interval + 2 * i, *deviation = out->deviation_interval + 2 * i;
    const double s = out->deviation[i], reach = s > 0.0 ? t * out->deviation_error[i] / s : 0.0;
    mean[0] = out->mean[i] - t * wider * out->mean_error[i];
    mean[1] = out->mean[i] + t * wider * out->mean_error[i];
    deviation[0] = out->seen[i] ? s * wider * exp(-reach) : 0.0;
    deviation[1] = out->seen[i] ? s * wider * exp(reach) : unseen_limit(out, unseen, i);
    if (!out->seen[i]) out->deviation_error[i] = deviation[1];
  }
}

/* ---- dependence ---- */

static double covariance(const ms_scatter_result *out, ptrdiff_t a, ptrdiff_t b) {
  const ptrdiff_t n = out->n, N = out->n_specimen;
  double mean_a = 0.0, mean_b = 0.0, sum = 0.0;
  for (ptrdiff_t k = 0; k < N; k++) mean_a += out->p[a + n * k], mean_b += out->p[b + n * k];
  mean_a /= (double)N, mean_b /= (double)N;
  for (ptrdiff_t k = 0; k < N; k++) {
    sum += (out->p[a + n * k] - mean_a) * (out->p[b + n * k] - mean_b);
  }
  return sum / (double)(N - 1);
}

static double own_covariance(const ms_specimens *s, ptrdiff_t a, ptrdiff_t b) {
  const ptrdiff_t n = s->scatter->n, N = s->data->n_specimen;
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < N; k++) sum += s->covariance[a + n * b + n * n * k];
  return sum / (double)N;
}

static void set_dependence(const ms_specimens *s, ms_scatter_result *out) {
  const ptrdiff_t n = out->n;
  for (ptrdiff_t a = 0; a < n; a++) {
    for (ptrdiff_t b = 0; b < n; b++) {
      const double S[2] = { covariance(out, a, a), covariance(out, b, b) };
      const double own[2] = { own_covariance(s, a, a), own_covariance(s, b, b) };
      const double shared = covariance(out, a, b) - own_covariance(s, a, b);
      double *r = &out->correlation[a + n * b], *z = &out->dependence[a + n * b];
      if (a == b) *r = 1.0;
      if (a == b || !out->seen[a] || !out->seen[b]) continue;
      if (!(S[0] > own[0] && S[1] > own[1])) continue;
      *r = fmax(fmin(shared / sqrt((S[0] - own[0]) * (S[1] - own[1])), 1.0), -1.0);
      *z = shared / sqrt(S[0] * S[1] / (double)(out->n_specimen - 1));
    }
  }
}

/* ---- in words ---- */

void ms_scatter_remark(ms_scatter_result *out, const char *format, ...) {
  size_t used = strlen(out->remarks);
  va_list args;
  va_start(args, format);
  vsnprintf(out->remarks + used, MS_SCATTER_REMARKS - used, format, args);
  va_end(args);
}

static void remark_parameter(const ms_specimens *s, ptrdiff_t i, ms_scatter_result *out) {
  const ptrdiff_t n = out->n, N = out->n_specimen;
  const char *name = s->scatter->parameter[i].name;
  ptrdiff_t open = 0;
  for (ptrdiff_t k = 0; k < N; k++) open += !s->determined[i + n * k];
  if (open > 0) {
    ms_scatter_remark(
        out,
        "%s: %td of %td tests do not determine it; its distribution rests on the others "
        "and on the other parameters.\n",
        name, open, N);
  }
  if (!out->seen[i]) {
    ms_scatter_remark(
        out,
        "%s: its scatter cannot be distinguished from the noise; it is at most %.3g (standard "
        "deviation).\n",
        name, out->deviation_interval[2 * i + 1]);
  }
}

static void remark_pairs(const ms_specimens *s, ms_scatter_result *out) {
  const ptrdiff_t n = out->n;
  for (ptrdiff_t a = 0; a < n; a++) {
    for (ptrdiff_t b = 0; b < a; b++) {
      const double z = out->dependence[a + n * b];
      if (fabs(z) < s->setting->tol.doubt) continue;
      ms_scatter_remark(
          out,
          "%s and %s are not independent: their correlation over the specimens is %.2f, "
          "%.1f standard errors from zero.\n",
          s->scatter->parameter[b].name, s->scatter->parameter[a].name, out->correlation[a + n * b],
          fabs(z));
    }
  }
}

ms_status ms_scatter_judge(const ms_specimens *s, ms_scatter_result *out) {
  MS_TRY(ms_allocate(s->scatter->ctx, MS_SCATTER_REMARKS, 1, &out->remarks));
  set_intervals(s->setting->tol.unseen, out);
  set_dependence(s, out);
  for (ptrdiff_t i = 0; i < out->n; i++) remark_parameter(s, i, out);
  remark_pairs(s, out);
  if (out->effective < s->setting->tol.few) {
    ms_scatter_remark(out,
                      "The likelihood of a test rests on %.1f effective draws: take more draws.\n",
                      out->effective);
  }
  return MS_SUCCESS;
}
