/* The modal Iwan model: parameters, closed forms, derivatives. Equations in iwan.h. */
#include <math.h>
#include <stdio.h>

#include "identify/modal/iwan.h"
#include "identify/tolerance.h"

static const double two_pi = 6.283185307179586477;

static const struct {
  const char *name;
  double lower;
  int open; /* the bound itself is excluded */
} bound[MS_MODAL_N] = {
  [MS_MODAL_K_INF] = { "K_inf", 0.0, 1 }, [MS_MODAL_ZETA_0] = { "zeta_0", 0.0, 0 },
  [MS_MODAL_F_S] = { "F_S", 0.0, 1 },     [MS_MODAL_K_T] = { "K_T", 0.0, 1 },
  [MS_MODAL_CHI] = { "chi", -1.0, 1 },    [MS_MODAL_BETA] = { "beta", 0.0, 0 },
};

const double ms_fit_lower[MS_MODAL_N] = { -40.0, -30.0, -60.0, -40.0, -12.0, -30.0 };
const double ms_fit_upper[MS_MODAL_N] = { 40.0, 30.0, 3.0, 40.0, 3.0, 30.0 };

const char *ms_identify_modal_name(int parameter) {
  return parameter >= 0 && parameter < MS_MODAL_N ? bound[parameter].name : NULL;
}

/* ---- the model and its letters ---- */

static double slip_part(double p, double beta) { /* f = (beta + p/(p+1))/(1 + beta) */
  return (beta + p / (p + 1.0)) / (1.0 + beta);
}

double ms_identify_modal_phi_max(const ms_modal_iwan *m) {
  return m->F_S / (m->K_T * slip_part(m->chi + 1.0, m->beta));
}

static ms_status check_bounds(ms_context *ctx, const double *v) {
  for (int i = 0; i < MS_MODAL_N; i++) {
    double lower = bound[i].lower;
    if (isfinite(v[i]) && (v[i] > lower || (v[i] == lower && !bound[i].open))) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "modal Iwan model: %s = %g; it must be finite and %s %g",
                   bound[i].name, v[i], bound[i].open ? "above" : "at least", lower);
  }
  return MS_SUCCESS;
}

ms_status ms_identify_make_modal(ms_context *ctx, const double v[MS_MODAL_N], ms_modal_iwan *out) {
  MS_TRY(check_bounds(ctx, v));
  ms_modal_iwan m = { .K_inf = v[MS_MODAL_K_INF],
                      .zeta_0 = v[MS_MODAL_ZETA_0],
                      .F_S = v[MS_MODAL_F_S],
                      .K_T = v[MS_MODAL_K_T],
                      .chi = v[MS_MODAL_CHI],
                      .beta = v[MS_MODAL_BETA] };
  m.omega_0 = sqrt(m.K_inf + m.K_T);
  double phi_max = ms_identify_modal_phi_max(&m);
  if (!isfinite(m.omega_0) || !isfinite(phi_max) || phi_max <= 0.0) {
    return ms_fail(
        ctx, MS_ERR_BOUNDS,
        "modal Iwan model: these parameters give omega_0 = %g, phi_max = %g, beyond what "
        "numbers can hold; give less extreme values",
        m.omega_0, phi_max);
  }
  *out = m;
  return MS_SUCCESS;
}

static ms_status check_model(ms_context *ctx, const ms_modal_iwan *m) {
  const double v[MS_MODAL_N] = { m->K_inf, m->zeta_0, m->F_S, m->K_T, m->chi, m->beta };
  ms_modal_iwan same;
  MS_TRY(ms_identify_make_modal(ctx, v, &same));
  if (fabs(m->omega_0 - same.omega_0) <= ms_identify_tol.same_omega * same.omega_0)
    return MS_SUCCESS;
  return ms_fail(
      ctx, MS_ERR_BOUNDS,
      "modal Iwan model: omega_0 = %.10g, but sqrt(K_inf + K_T) = %.10g; they must agree",
      m->omega_0, same.omega_0);
}

ms_modal_shape ms_modal_shape_of(const ms_modal_iwan *m) {
  double K_0 = m->K_inf + m->K_T;
  return (ms_modal_shape) { .K_0 = K_0,
                            .kappa = m->K_T / K_0,
                            .rest = m->K_inf / K_0,
                            .zeta_0 = m->zeta_0,
                            .ln_phi = log(ms_identify_modal_phi_max(m)),
                            .p = m->chi + 1.0,
                            .beta = m->beta };
}

ms_modal_shape ms_modal_shape_at(const double x[MS_MODAL_N]) {
  double y[MS_MODAL_N];
  for (int i = 0; i < MS_MODAL_N; i++) y[i] = fmin(fmax(x[i], ms_fit_lower[i]), ms_fit_upper[i]);
  return (ms_modal_shape) { .K_0 = exp(y[MS_FIT_LN_K0]),
                            .kappa = 1.0 / (1.0 + exp(-y[MS_FIT_LOGIT])),
                            .rest = 1.0 / (1.0 + exp(y[MS_FIT_LOGIT])),
                            .zeta_0 = exp(y[MS_FIT_LN_ZETA]),
                            .ln_phi = y[MS_FIT_LN_PHI],
                            .p = exp(y[MS_FIT_LN_P]),
                            .beta = exp(y[MS_FIT_LN_BETA]) };
}

void ms_modal_parameters(const ms_modal_shape *m, double v[MS_MODAL_N]) {
  v[MS_MODAL_K_INF] = m->rest * m->K_0;
  v[MS_MODAL_ZETA_0] = m->zeta_0;
  v[MS_MODAL_K_T] = m->kappa * m->K_0;
  v[MS_MODAL_F_S] = v[MS_MODAL_K_T] * slip_part(m->p, m->beta) * exp(m->ln_phi);
  v[MS_MODAL_CHI] = m->p - 1.0;
  v[MS_MODAL_BETA] = m->beta;
}

/* ---- closed forms ---- */

/* h, d and their derivatives by ln x, p and ln beta. */
typedef struct curve {
  double h, d, h_x, h_p, h_b, d_x, d_p, d_b;
} curve;

/* x <= 1; ds/d ln beta = -s (1 - s). */
static curve microslip(double p, double beta, double ln_x) {
  double s = 1.0 / (1.0 + beta), r = beta * s, X = exp(p * ln_x);
  double cX = s * X / (p + 1.0), d = 4.0 * p * cX / (p + 2.0);
  return (curve) { .h = 1.0 - cX,
                   .h_x = -p * cX,
                   .h_p = -cX * (ln_x - 1.0 / (p + 1.0)),
                   .h_b = r * cX,
                   .d = d,
                   .d_x = p * d,
                   .d_p = d * (ln_x + 1.0 / p - 1.0 / (p + 1.0) - 1.0 / (p + 2.0)),
                   .d_b = -r * d };
}

/* x > 1: f/x and (d_1 + 4 f (x - 1))/x^2. */
static curve macroslip(double p, double beta, double ln_x) {
  curve at = microslip(p, beta, 0.0);
  double y = exp(-ln_x), gap = 4.0 * (y - y * y);
  return (curve) { .h = at.h * y,
                   .h_x = -at.h * y,
                   .h_p = at.h_p * y,
                   .h_b = at.h_b * y,
                   .d = at.d * y * y + at.h * gap,
                   .d_x = -2.0 * at.d * y * y - 4.0 * at.h * (y - 2.0 * y * y),
                   .d_p = at.d_p * y * y + at.h_p * gap,
                   .d_b = at.d_b * y * y + at.h_b * gap };
}

/* x >= 1 as printed: 0 and 4 f/x. */
static curve macroslip_printed(double p, double beta, double ln_x) {
  curve at = microslip(p, beta, 0.0);
  double y = 4.0 * exp(-ln_x);
  return (curve) { .d = at.h * y, .d_x = -at.h * y, .d_p = at.h_p * y, .d_b = at.h_b * y };
}

static curve curve_at(const ms_modal_shape *m, int far, double ln_q) {
  double ln_x = ln_q - m->ln_phi;
  if (far) return macroslip_printed(m->p, m->beta, ln_x);
  return ln_x <= 0.0 ? microslip(m->p, m->beta, ln_x) : macroslip(m->p, m->beta, ln_x);
}

void ms_modal_curve(const ms_modal_shape *m, int far, double ln_q, double *h, double *d) {
  curve c = curve_at(m, far, ln_q);
  *h = c.h;
  *d = c.d;
}

static void fill_slopes(const ms_modal_shape *m, const curve *c, double E, ms_modal_value *out) {
  double d_h[MS_MODAL_N] = { 0 }, d_d[MS_MODAL_N] = { 0 };
  d_h[MS_FIT_LN_PHI] = -c->h_x, d_d[MS_FIT_LN_PHI] = -c->d_x;
  d_h[MS_FIT_LN_P] = m->p * c->h_p, d_d[MS_FIT_LN_P] = m->p * c->d_p;
  d_h[MS_FIT_LN_BETA] = c->h_b, d_d[MS_FIT_LN_BETA] = c->d_b;
  double viscous = m->zeta_0 / sqrt(E); /* not by subtraction: it may be tiny */
  for (int i = 0; i < MS_MODAL_N; i++) {
    int logit = i == MS_FIT_LOGIT;
    double d_E = m->kappa * (d_h[i] - (logit ? m->rest * (1.0 - c->h) : 0.0)) / E; /* d ln E */
    out->d_ln_omega[i] = 0.5 * (d_E + (i == MS_FIT_LN_K0));
    double d_viscous = viscous * ((i == MS_FIT_LN_ZETA) - 0.5 * d_E);
    double d_joint = m->kappa * d_d[i] / (two_pi * E);
    d_joint += out->zeta_joint * ((logit ? m->rest : 0.0) - d_E);
    out->d_ln_zeta[i] = (d_viscous + d_joint) / out->zeta;
  }
}

void ms_modal_eval(const ms_modal_shape *m, int far, double ln_q, int slopes, ms_modal_value *out) {
  curve c = curve_at(m, far, ln_q);
  double E = m->rest + m->kappa * c.h;
  out->omega = sqrt(m->K_0 * E);
  out->zeta_joint = m->kappa * c.d / (two_pi * E);
  out->zeta = m->zeta_0 / sqrt(E) + out->zeta_joint;
  if (slopes) fill_slopes(m, &c, E, out);
}

/* ln phi_max = ln F_S - ln K_T - ln f(chi, beta), logit kappa = ln K_T - ln K_inf. */
void ms_modal_chain(const ms_modal_shape *m, double out[MS_MODAL_N * MS_MODAL_N]) {
  enum { N = MS_MODAL_N };
  double v[N], s = 1.0 / (1.0 + m->beta), c = s / (m->p + 1.0), f = slip_part(m->p, m->beta);
  ms_modal_parameters(m, v);
  for (int i = 0; i < N * N; i++) out[i] = 0.0;
  out[MS_FIT_LN_K0 + N * MS_MODAL_K_INF] = out[MS_FIT_LN_K0 + N * MS_MODAL_K_T] = 1.0 / m->K_0;
  out[MS_FIT_LOGIT + N * MS_MODAL_K_INF] = -1.0 / v[MS_MODAL_K_INF];
  out[MS_FIT_LOGIT + N * MS_MODAL_K_T] = 1.0 / v[MS_MODAL_K_T];
  out[MS_FIT_LN_ZETA + N * MS_MODAL_ZETA_0] = 1.0 / v[MS_MODAL_ZETA_0];
  out[MS_FIT_LN_PHI + N * MS_MODAL_F_S] = 1.0 / v[MS_MODAL_F_S];
  out[MS_FIT_LN_PHI + N * MS_MODAL_K_T] = -1.0 / v[MS_MODAL_K_T];
  out[MS_FIT_LN_PHI + N * MS_MODAL_CHI] = -c / (f * (m->p + 1.0));
  out[MS_FIT_LN_PHI + N * MS_MODAL_BETA] = -c * s / f;
  out[MS_FIT_LN_P + N * MS_MODAL_CHI] = 1.0 / m->p;
  out[MS_FIT_LN_BETA + N * MS_MODAL_BETA] = 1.0 / m->beta;
}

ms_status ms_identify_eval_modal(ms_context *ctx, const ms_modal_iwan *model, ms_modal_form form,
                                 double q, double *omega, double *zeta_total, double *zeta_joint) {
  MS_TRY(check_model(ctx, model));
  if (!isfinite(q) || q <= 0.0) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "modal Iwan model: amplitude %g; it must be finite and > 0",
                   q);
  }
  if (form != MS_MODAL_PRINTED && form != MS_MODAL_CONTINUOUS) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "modal Iwan model: there is no form number %d", (int)form);
  }
  ms_modal_shape shape = ms_modal_shape_of(model);
  ms_modal_value value;
  int far = form == MS_MODAL_PRINTED && q >= ms_identify_modal_phi_max(model);
  ms_modal_eval(&shape, far, log(q), 0, &value);
  if (!isfinite(value.omega) || !isfinite(value.zeta) || value.omega <= 0.0) {
    return ms_fail(ctx, MS_ERR_NUMERIC, "modal Iwan model: omega = %g, zeta = %g at amplitude %g",
                   value.omega, value.zeta, q);
  }
  if (omega) *omega = value.omega;
  if (zeta_total) *zeta_total = value.zeta;
  if (zeta_joint) *zeta_joint = value.zeta_joint;
  return MS_SUCCESS;
}
