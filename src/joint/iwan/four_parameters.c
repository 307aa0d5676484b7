/* One parameter set of the four-parameter density from the other. */
#include "joint/iwan/four_parameters.h"

#include "joint/iwan/density.h"
#include "joint/tolerance.h"

ms_status ms_iwan_four_check(ms_context *ctx, const char *law, double *v, int set) {
  static const ms_param params[] = { MS_FOUR_PARAMS("") };
  if (set == MS_FOUR_BY_FORCE) {
    double chi = v[MS_FOUR_CHI], beta = v[MS_FOUR_BETA], K_T = v[MS_FOUR_K_T];
    double part = (chi + 1.0) / (chi + 2.0);
    double phi_max = v[MS_FOUR_F_S] * (1.0 + beta) / (K_T * (beta + part));
    v[MS_FOUR_PHI_MAX] = phi_max;
    v[MS_FOUR_R] = K_T * (chi + 1.0) / (pow(phi_max, chi + 1.0) * (1.0 + beta));
    v[MS_FOUR_S] = K_T * beta / (1.0 + beta);
  } else {
    double chi = v[MS_FOUR_CHI], S = v[MS_FOUR_S], phi_max = v[MS_FOUR_PHI_MAX];
    double smooth = v[MS_FOUR_R] * pow(phi_max, chi + 1.0);
    v[MS_FOUR_K_T] = smooth / (chi + 1.0) + S;
    v[MS_FOUR_F_S] = (smooth / (chi + 2.0) + S) * phi_max;
    v[MS_FOUR_BETA] = S * (chi + 1.0) / smooth;
  }
  if (v[MS_FOUR_CHI] + 1.0 < ms_joint_tol.closest) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "%s: chi = %.10g is so close to -1 that forces would lose precision; it must be "
                   ">= -1 + %g",
                   law, v[MS_FOUR_CHI], ms_joint_tol.closest);
  }
  for (int i = 0; i < MS_FOUR_N; i++) {
    int zero_allowed = i == MS_FOUR_CHI || i == MS_FOUR_BETA || i == MS_FOUR_S;
    if (isfinite(v[i]) && (zero_allowed || v[i] > 0.0)) continue;
    return ms_fail(
        ctx, MS_ERR_BOUNDS,
        "%s: these parameters give %s = %g, outside the range of numbers; give less extreme values",
        law, params[i].name, v[i]);
  }
  return MS_SUCCESS;
}

int ms_iwan_four_slopes(const double *v, int set, int i, double slope[4]) {
  if (i >= MS_FOUR_N) return 0;
  if (set == MS_FOUR_BY_FORCE) {
    /* By logarithms of the products in ms_iwan_four_check. */
    double chi = v[MS_FOUR_CHI], beta = v[MS_FOUR_BETA], K_T = v[MS_FOUR_K_T], F_S = v[MS_FOUR_F_S];
    double phi_max = v[MS_FOUR_PHI_MAX], d_chi = i == MS_FOUR_CHI, d_beta = i == MS_FOUR_BETA;
    double part = beta + (chi + 1.0) / (chi + 2.0), ln_K = i == MS_FOUR_K_T ? 1.0 / K_T : 0.0;
    double ln_phi = (i == MS_FOUR_F_S ? 1.0 / F_S : 0.0) - ln_K + d_beta / (1.0 + beta);
    ln_phi -= (d_beta + d_chi / ((chi + 2.0) * (chi + 2.0))) / part;
    double ln_R = ln_K - d_beta / (1.0 + beta) - (chi + 1.0) * ln_phi;
    ln_R += d_chi * (1.0 / (chi + 1.0) - log(phi_max));
    slope[MS_DENSITY_R] = v[MS_FOUR_R] * ln_R;
    slope[MS_DENSITY_CHI] = d_chi;
    slope[MS_DENSITY_S] = v[MS_FOUR_S] * ln_K + K_T * d_beta / ((1.0 + beta) * (1.0 + beta));
    slope[MS_DENSITY_PHI_MAX] = phi_max * ln_phi;
    return 1;
  }
  slope[MS_DENSITY_R] = i == MS_FOUR_R;
  slope[MS_DENSITY_CHI] = i == MS_FOUR_CHI;
  slope[MS_DENSITY_S] = i == MS_FOUR_S;
  slope[MS_DENSITY_PHI_MAX] = i == MS_FOUR_PHI_MAX;
  return 1;
}
