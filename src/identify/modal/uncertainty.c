/* What a fit is worth: scatter, covariance, and which parameters the data leave open.

   J is the Jacobian of the residuals by the six parameters, each in units of a scale that makes 1 a
   large change (100 %): K_T for K_T and K_inf, F_S, 1+chi, 1+beta, and for zeta_0 the smallest
   damping seen. J = U diag(sigma) V^T. The covariance takes the two kinds of residuals (damping,
   frequency) with a variance each,

     C = sum_kl v_k (u_k^T Lambda u_l)/(sigma_k sigma_l) v_l^T,   Lambda = diag(s_zeta^2,
   s_omega^2),

   s^2 = sum of squares / (number - trace of the hat matrix over that kind). A direction v_k is open
   if sigma_k/sqrt(m) < weak or v_k^T C v_k > vague^2. */
#include <lapacke.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "identify/modal/fit.h"
#include "identify/tolerance.h"

enum { N = MS_MODAL_N };

typedef struct verdict {
  ptrdiff_t n_bin, m;
  double scale[N];
  double sigma[N], vt[N * N]; /* vt[k + N*j]: component j of direction k */
  double C[N * N];            /* scaled covariance */
  int open[N];                /* by direction */
  double openness[N];         /* by parameter: share of its axis in open directions */
} verdict;

static double smallest_zeta(const ms_modal_points *points) {
  double ln_zeta = HUGE_VAL;
  for (ptrdiff_t i = 0; i < points->n; i++) ln_zeta = fmin(ln_zeta, points->at[i].ln_zeta);
  return exp(ln_zeta);
}

static void fill_scales(verdict *v, const double *p, const ms_modal_points *points) {
  v->scale[MS_MODAL_K_INF] = v->scale[MS_MODAL_K_T] = p[MS_MODAL_K_T];
  v->scale[MS_MODAL_ZETA_0] = fmax(p[MS_MODAL_ZETA_0], smallest_zeta(points));
  v->scale[MS_MODAL_F_S] = p[MS_MODAL_F_S];
  v->scale[MS_MODAL_CHI] = 1.0 + p[MS_MODAL_CHI];
  v->scale[MS_MODAL_BETA] = 1.0 + p[MS_MODAL_BETA];
}

/* Derivatives by the variables of the fit become derivatives by the scaled parameters. */
static void scale_jacobian(const verdict *v, const ms_modal_shape *shape, double *jac) {
  double chain[N * N];
  ms_modal_chain(shape, chain);
  for (ptrdiff_t i = 0; i < v->m; i++) {
    double row[N];
    for (int k = 0; k < N; k++) row[k] = jac[i + v->m * k];
    for (int j = 0; j < N; j++) {
      double sum = 0.0;
      for (int k = 0; k < N; k++) sum += row[k] * chain[k + N * j];
      jac[i + v->m * j] = sum * v->scale[j];
    }
  }
}

static int counts(const verdict *v, int k) {
  return v->sigma[k] > ms_identify_tol.hidden * v->sigma[0];
}

/* gram[k + N l] = u_k^T diag(share) u_l over the rows of one kind. */
static void gram_of(const verdict *v, const double *first, const double *share, double *gram) {
  for (int k = 0; k < N; k++) {
    for (int l = 0; l < N; l++) {
      double sum = 0.0;
      for (ptrdiff_t i = 0; i < v->n_bin; i++) {
        sum += share[i] * first[i + v->m * k] * first[i + v->m * l];
      }
      gram[k + N * l] = sum;
    }
  }
}

/* s^2 of one kind from its residuals. */
static double variance_of(const verdict *v, const double *first, const double *share,
                          const double *r) {
  double sum = 0.0, freedom = (double)v->n_bin;
  for (ptrdiff_t i = 0; i < v->n_bin; i++) {
    sum += r[i] * r[i] / share[i];
    for (int k = 0; k < N; k++) {
      if (counts(v, k)) freedom -= first[i + v->m * k] * first[i + v->m * k];
    }
  }
  return sum / fmax(freedom, 1.0);
}

/* kind 0: damping, 1: frequency; share[b] = 1/n_b. */
static void add_covariance(verdict *v, const ms_modal_work *w, int kind) {
  const double *first = w->jac + kind * v->n_bin, *r = w->r + kind * v->n_bin;
  double gram[N * N], variance = variance_of(v, first, w->spare, r);
  gram_of(v, first, w->spare, gram);
  for (int kl = 0; kl < N * N; kl++) {
    int k = kl % N, l = kl / N;
    if (!counts(v, k) || !counts(v, l)) continue;
    double g = variance * gram[kl] / (v->sigma[k] * v->sigma[l]);
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) v->C[i + N * j] += g * v->vt[k + N * i] * v->vt[l + N * j];
    }
  }
}

static double along(const verdict *v, int k) {
  double sum = 0.0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) sum += v->vt[k + N * i] * v->C[i + N * j] * v->vt[k + N * j];
  }
  return sum;
}

/* Open directions get at least the variance of "100 % unknown". */
static void find_open(verdict *v, const ms_modal_fit_setting *s) {
  double width[N];
  for (int k = 0; k < N; k++) {
    width[k] = along(v, k);
    v->open[k] = !counts(v, k) || v->sigma[k] < s->weak * sqrt((double)v->m) ||
                 width[k] > s->vague * s->vague;
  }
  for (int k = 0; k < N; k++) {
    if (!v->open[k]) continue;
    double more = fmax(1.0 - width[k], 0.0);
    for (int i = 0; i < N; i++) {
      v->openness[i] += v->vt[k + N * i] * v->vt[k + N * i];
      for (int j = 0; j < N; j++) v->C[i + N * j] += more * v->vt[k + N * i] * v->vt[k + N * j];
    }
  }
}

static ms_status decompose(ms_context *ctx, verdict *v, ms_modal_work *w) {
  int m = (int)v->m;
  int info = (int)LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'O', 'S', m, N, w->jac, m, v->sigma, NULL,
                                      1, v->vt, N, w->spare, m + 64);
  if (info == 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NUMERIC, "modal fit: no singular values of the Jacobian (LAPACK %d)",
                 info);
}

/* ---- numbers of the report ---- */

static double rms(const double *r, ptrdiff_t n) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) sum += r[i] * r[i];
  return sqrt(sum / (double)n);
}

/* Of neighbours. */
static double correlate(const double *r, ptrdiff_t n) {
  double sum = 0.0, square = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) square += r[i] * r[i];
  for (ptrdiff_t i = 1; i < n; i++) sum += r[i] * r[i - 1];
  return square > 0.0 ? sum / square : 0.0;
}

static void fill_numbers(const verdict *v, const ms_modal_fit_setting *s,
                         const ms_modal_points *points, const double *r, double omega_ref,
                         double q_ref, ms_modal_fit_report *out) {
  out->n_used = points->n;
  out->n_bins = points->n_bin;
  out->q_min = exp(points->at[0].ln_q) * q_ref;
  out->q_max = exp(points->at[points->n - 1].ln_q) * q_ref;
  out->rms_ln_zeta = rms(r, v->n_bin);
  out->rms_omega = rms(r + v->n_bin, v->n_bin) * points->omega_scale * omega_ref;
  out->shift = points->omega_scale * s->omega_weight * omega_ref;
  out->residual = rms(r, v->m) * sqrt((double)v->m);
  for (int k = 0; k < 2; k++) out->serial[k] = correlate(r + k * v->n_bin, v->n_bin);
}

/* Limits that a fit only approaches: it is at one where less than this part is left. zeta_0 = 0 and
   a small K_T are models like others. */
static void find_bounds(const ms_modal_shape *m, ms_modal_fit_report *out) {
  const double least = 1e-4, part = m->beta / (1.0 + m->beta),
               most = exp(ms_fit_upper[MS_FIT_LN_P]);
  out->at_bound[MS_MODAL_K_INF] = m->rest < least ? -1 : 0;
  out->at_bound[MS_MODAL_CHI] = m->p < least ? -1 : m->p > (1.0 - least) * most ? 1 : 0;
  out->at_bound[MS_MODAL_BETA] = part < least ? -1 : part > 1.0 - least ? 1 : 0;
}

static void fill_covariance(const verdict *v, double omega_ref, double q_ref,
                            ms_modal_fit_report *out) {
  double square = omega_ref * omega_ref,
         unit[N] = { square, 1.0, square * q_ref, square, 1.0, 1.0 };
  for (int i = 0; i < N; i++) {
    out->standard_error[i] = sqrt(v->C[i + N * i]) * v->scale[i] * unit[i];
    for (int j = 0; j < N; j++) {
      double both = sqrt(v->C[i + N * i] * v->C[j + N * j]);
      double c = v->C[i < j ? i + N * j : j + N * i]; /* symmetric to the last digit */
      out->covariance[i + N * j] = c * (v->scale[i] * unit[i] * (v->scale[j] * unit[j]));
      out->correlation[i + N * j] = i == j ? 1.0 : both > 0.0 ? c / both : 0.0;
    }
  }
}

/* ---- words of the report ---- */

static void say(ms_modal_fit_report *out, const char *format, ...) MS_PRINTF(2, 3);
static void say(ms_modal_fit_report *out, const char *format, ...) {
  size_t used = strlen(out->remarks);
  va_list args;
  va_start(args, format);
  vsnprintf(out->remarks + used, sizeof out->remarks - used, format, args);
  va_end(args);
}

/* "K_inf, F_S and beta" */
static int say_names(ms_modal_fit_report *out) {
  int n = 0, k = 0;
  for (int i = 0; i < N; i++) n += !out->determined[i];
  for (int i = 0; i < N; i++) {
    if (out->determined[i]) continue;
    say(out, "%s%s", k == 0 ? "" : k == n - 1 ? " and " : ", ", ms_identify_modal_name(i));
    k++;
  }
  return n;
}

static void say_open(const verdict *v, ms_modal_fit_report *out) {
  for (int i = 0; i < N; i++) {
    out->determined[i] = v->openness[i] < 0.05;
    out->n_undetermined += v->open[i];
  }
  if (out->n_undetermined == 0) return;
  out->warnings |= MS_MODAL_UNDETERMINED;
  int n = say_names(out);
  const char *why = "the data say too little";
  if (out->warnings & MS_MODAL_NO_MICROSLIP) why = "the data do not reach microslip";
  if (out->warnings & MS_MODAL_NO_MACROSLIP) why = "the data do not reach macroslip";
  say(out, n > 1 ? " can be traded against each other: %s\n" : " is not determined: %s\n", why);
}

static void say_range(const ms_modal_fit_setting *s, ms_modal_fit_report *out) {
  int printed = s->form == MS_MODAL_PRINTED;
  if (out->warnings & MS_MODAL_NO_MACROSLIP) {
    say(out, "no points in macroslip%s: amplitudes used reach %.4g, phi_max is assumed at %.4g\n",
        printed ? " beyond the range left out" : "", out->q_max, out->phi_max);
  }
  if (out->warnings & MS_MODAL_NO_MICROSLIP) {
    say(out, "no points in microslip%s: amplitudes used begin at %.4g, phi_max is %.4g\n",
        printed ? " below the range left out" : "", out->q_min, out->phi_max);
  }
  if (out->warnings & MS_MODAL_NO_SHIFT) {
    say(out, "the frequency changes by less than %g of itself: K_T rests on the damping alone\n",
        s->shift_floor);
  }
  if (out->warnings & MS_MODAL_UNSTABLE) {
    say(out, "the choice of points did not settle in %d rounds\n", s->max_selections);
  }
  if (out->warnings & MS_MODAL_UNFINISHED) {
    say(out, "least squares stopped at %d evaluations, before its tolerance\n", s->max_evaluations);
  }
}

void ms_modal_rest_on_one(const ms_modal_fit_report *without, ms_modal_fit_report *out) {
  static const int of_macroslip[] = { MS_MODAL_F_S, MS_MODAL_K_INF, MS_MODAL_K_T, MS_MODAL_BETA };
  if (without && without->determined[MS_MODAL_F_S] && without->q_max > without->phi_max) return;
  for (int i = 0; i < 4; i++) out->determined[of_macroslip[i]] = 0;
  out->n_undetermined++;
  out->warnings |= MS_MODAL_UNDETERMINED | MS_MODAL_ONE_ABOVE;
  say_names(out);
  say(out,
      " rest on the largest amplitude alone, %.4g: without it the data do not reach macroslip; "
      "points nearer to the start of the ringing would tell\n",
      out->q_max);
}

void ms_modal_unsettled(ms_modal_fit_report *out, unsigned loose) {
  int known = 0;
  for (int i = 0; i < N; i++) {
    known += out->determined[i] && (loose >> i & 1);
    if (loose >> i & 1) out->determined[i] = 0;
  }
  if (!out->determined[MS_MODAL_F_S]) out->determined[MS_MODAL_BETA] = 0;
  if (known == 0) return; /* none that anybody would use */
  out->warnings |= MS_MODAL_UNSETTLED | MS_MODAL_UNDETERMINED;
  say(out, "what reading adds to the rows did not settle in %d rounds: ", out->rounds);
  say_names(out);
  say(out, " are not known\n");
}

static ms_status check_finite(ms_context *ctx, const ms_modal_fit_report *out) {
  double sum = out->residual + out->rms_omega + out->phi_max + out->q_min + out->q_max;
  sum += out->condition;
  for (int i = 0; i < N * N; i++) sum += fabs(out->covariance[i]) + fabs(out->correlation[i]);
  if (isfinite(sum)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NUMERIC,
                 "modal fit: the residuals or the covariance are not finite; the data span more "
                 "than numbers can hold");
}

ms_status ms_modal_judge(ms_context *ctx, ms_modal_work *w, const ms_modal_points *points,
                         const ms_modal_run *run, double omega_ref, double q_ref,
                         ms_modal_fit_report *out) {
  static const int all[N] = { 0, 1, 2, 3, 4, 5 };
  verdict v = { .n_bin = points->n_bin, .m = 2 * points->n_bin };
  ms_modal_shape shape = ms_modal_shape_at(run->x);
  double parameter[N];
  ms_modal_parameters(&shape, parameter);
  fill_scales(&v, parameter, points);
  ms_modal_residual(points, run->x, N, all, w->r, w->jac);
  scale_jacobian(&v, &shape, w->jac);
  fill_numbers(&v, w->setting, points, w->r, omega_ref, q_ref, out);
  find_bounds(&shape, out);
  out->phi_max = exp(shape.ln_phi) * q_ref;
  if (!isfinite(out->residual)) return check_finite(ctx, out);
  MS_TRY(decompose(ctx, &v, w));
  for (ptrdiff_t i = 0; i < points->n; i++) w->spare[points->at[i].bin] = points->at[i].share;
  for (int kind = 0; kind < 2; kind++) add_covariance(&v, w, kind);
  find_open(&v, w->setting);
  fill_covariance(&v, omega_ref, q_ref, out);
  out->condition = v.sigma[0] / fmax(v.sigma[N - 1], 1e-16 * v.sigma[0]);
  MS_TRY(check_finite(ctx, out));
  say_open(&v, out);
  say_range(w->setting, out);
  if (*out->remarks) ms_log(ctx, MS_LOG_WARNING, "modal fit: %s", out->remarks);
  return MS_SUCCESS;
}
