/* One parameter set of the four-parameter density from the other. */
#include "joint/iwan_four.h"

/* Moments are differences of powers over chi + 1: 16 digits less those of 1/(chi + 1) are left. */
#define CLOSEST 1e-6

static void derive_density(double *v) {
  double chi = v[MS_FOUR_CHI], beta = v[MS_FOUR_BETA], K_T = v[MS_FOUR_K_T];
  double part = (chi + 1.0) / (chi + 2.0);
  double phi_max = v[MS_FOUR_F_S] * (1.0 + beta) / (K_T * (beta + part));
  v[MS_FOUR_PHI_MAX] = phi_max;
  v[MS_FOUR_R] = K_T * (chi + 1.0) / (pow(phi_max, chi + 1.0) * (1.0 + beta));
  v[MS_FOUR_S] = K_T * beta / (1.0 + beta);
}

static void derive_force(double *v) {
  double chi = v[MS_FOUR_CHI], S = v[MS_FOUR_S], phi_max = v[MS_FOUR_PHI_MAX];
  double smooth = v[MS_FOUR_R] * pow(phi_max, chi + 1.0);
  v[MS_FOUR_K_T] = smooth / (chi + 1.0) + S;
  v[MS_FOUR_F_S] = (smooth / (chi + 2.0) + S) * phi_max;
  v[MS_FOUR_BETA] = S * (chi + 1.0) / smooth;
}

ms_status ms_iwan_four_check(ms_context *ctx, const char *law, double *v, int set) {
  static const ms_param params[] = { MS_FOUR_PARAMS("") };
  if (set == MS_FOUR_BY_FORCE) {
    derive_density(v);
  } else {
    derive_force(v);
  }
  if (v[MS_FOUR_CHI] + 1.0 < CLOSEST) {
    return ms_fail(
        ctx, MS_ERR_BOUNDS,
        "%s: chi = %.10g is so close to -1 that forces would lose their digits; it must be "
        ">= -1 + %g",
        law, v[MS_FOUR_CHI], CLOSEST);
  }
  for (int i = 0; i < MS_FOUR_N; i++) {
    int zero_allowed = i == MS_FOUR_CHI || i == MS_FOUR_BETA || i == MS_FOUR_S;
    if (isfinite(v[i]) && (zero_allowed || v[i] > 0.0)) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "%s: these parameters give %s = %g, beyond what numbers "
                   "can hold; give less extreme values",
                   law, params[i].name, v[i]);
  }
  return MS_SUCCESS;
}
