/* The four-parameter Iwan element of Segalman: sliders with a power-law density and a delta,

     rho(phi) = R phi^chi on (0, phi_max)  +  S delta(phi - phi_max),   chi > -1.

   Two equivalent parameter sets: iwan/four_parameters.h. */
#include "joint/iwan/iwan.h"
#include "joint/iwan/gradient.h"
#include "joint/iwan/four_parameters.h"

static const ms_param params[] = {
  MS_FOUR_PARAMS("force at the onset of macroslip"),
  MS_IWAN_SETTINGS,
};

static ms_status check(ms_context *ctx, double *v, int set) {
  return ms_iwan_four_check(ctx, "iwan4", v, set);
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  ms_iwan_model *m = model;
  m->density = ms_density_power_law(v[MS_FOUR_R], v[MS_FOUR_S], v[MS_FOUR_CHI], v[MS_FOUR_PHI_MAX]);
  return ms_iwan_setup(ctx, v + MS_FOUR_N, m);
}

static int gradient(const double *v, int set, double u, double omega, ms_gradient *out) {
  static const int place[MS_RANGE_N] = {
    MS_FOUR_F_S, MS_FOUR_K_T, MS_FOUR_CHI, MS_FOUR_BETA,    -1,
    MS_FOUR_R,   MS_FOUR_S,   -1,          MS_FOUR_PHI_MAX, -1
  };
  (void)omega;
  return v[MS_FOUR_N] == 0.0 && ms_range_gradient(v, place, set == MS_FOUR_BY_FORCE, u, out);
}

static int slopes(const void *model, const double *value, int set, int i,
                  double slope[MS_SENSITIVITY_SLOPES]) {
  if (((const ms_iwan_model *)model)->sliders.n > 0) return 0;
  return ms_iwan_four_slopes(value, set, i, slope);
}

const ms_law ms_law_iwan4 = {
  .info = { .name = "iwan4",
            .title = "four-parameter Iwan element",
            .reference = "Segalman, J. Appl. Mech. 72 (2005) 752",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_MASING | MS_LAW_NORMAL },
  MS_IWAN_ENTRIES,
  .check = check,
  .setup = setup,
  .gradient = gradient,
  .slopes = slopes,
};
