/* The four-parameter Iwan element of Segalman: sliders with a power-law density and a delta,

     rho(phi) = R phi^chi on (0, phi_max)  +  S delta(phi - phi_max),   chi > -1.

   Two equivalent parameter sets (docs/theory/iwan.md):
     phi_max = F_S (1 + beta) / (K_T (beta + (chi+1)/(chi+2)))
     R = K_T (chi+1) / (phi_max^(chi+1) (1 + beta)),   S = K_T beta / (1 + beta). */
#include <math.h>

#include "joint/iwan.h"

enum { F_S, K_T, CHI, BETA, R, S, PHI_MAX, N_OWN };
enum { BY_FORCE = 1, BY_DENSITY = 2 };

static const ms_param params[] = {
  [F_S] = { .name = "F_S",
            .unit = "N",
            .meaning = "force at the onset of macroslip",
            .lower = 0,
            .upper = HUGE_VAL,
            .open = 3,
            .why = "a joint that slips needs some force",
            .typical = 4000,
            .set = BY_FORCE },
  [K_T] = { .name = "K_T",
            .unit = "N/m",
            .meaning = "stiffness when nothing slips",
            .lower = 0,
            .upper = HUGE_VAL,
            .open = 3,
            .why = "the stuck joint carries load",
            .typical = 1e8,
            .set = BY_FORCE },
  [CHI] = { .name = "chi",
            .unit = "-",
            .meaning = "exponent of the density; dissipation grows as amplitude^(3+chi)",
            .lower = -1,
            .upper = HUGE_VAL,
            .open = 3,
            .why = "at -1 and below the sliders' total stiffness is infinite",
            .typical = -0.5 },
  [BETA] = { .name = "beta",
             .unit = "-",
             .meaning = "stiffness that slips at once at phi_max over that which slips before",
             .lower = 0,
             .upper = HUGE_VAL,
             .open = 2,
             .why = "it is a ratio of stiffnesses",
             .typical = 1,
             .set = BY_FORCE },
  [R] = { .name = "R",
          .unit = "N/m^(2+chi)",
          .meaning = "coefficient of the density",
          .lower = 0,
          .upper = HUGE_VAL,
          .open = 3,
          .why = "without it the element is a Jenkins element: use law jenkins",
          .typical = 3.2e9,
          .set = BY_DENSITY },
  [S] = { .name = "S",
          .unit = "N/m",
          .meaning = "stiffness of the sliders that slip at phi_max",
          .lower = 0,
          .upper = HUGE_VAL,
          .open = 2,
          .why = "it is a stiffness",
          .typical = 5e7,
          .set = BY_DENSITY },
  [PHI_MAX] = { .name = "phi_max",
                .unit = "m",
                .meaning = "displacement at which macroslip begins",
                .lower = 0,
                .upper = HUGE_VAL,
                .open = 3,
                .why = "sliders need a range",
                .typical = 6e-5,
                .set = BY_DENSITY },
  MS_IWAN_SETTINGS,
};

static void derive_density(double *v) {
  double chi = v[CHI], part = (chi + 1.0) / (chi + 2.0);
  v[PHI_MAX] = v[F_S] * (1.0 + v[BETA]) / (v[K_T] * (v[BETA] + part));
  v[R] = v[K_T] * (chi + 1.0) / (pow(v[PHI_MAX], chi + 1.0) * (1.0 + v[BETA]));
  v[S] = v[K_T] * v[BETA] / (1.0 + v[BETA]);
}

static void derive_force(double *v) {
  double chi = v[CHI], smooth = v[R] * pow(v[PHI_MAX], chi + 1.0);
  v[K_T] = smooth / (chi + 1.0) + v[S];
  v[F_S] = (smooth / (chi + 2.0) + v[S]) * v[PHI_MAX];
  v[BETA] = v[S] * (chi + 1.0) / smooth;
}

/* Extreme but admissible values can overflow on the way to the other set. */
static ms_status check(ms_context *ctx, double *v, int set) {
  if (set == BY_FORCE) {
    derive_density(v);
  } else {
    derive_force(v);
  }
  for (int i = F_S; i < N_OWN; i++) {
    int zero_allowed = i == CHI || i == BETA || i == S;
    if (isfinite(v[i]) && (zero_allowed || v[i] > 0.0)) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "iwan4: these parameters give %s = %g, beyond what numbers "
                   "can hold; give less extreme values",
                   params[i].name, v[i]);
  }
  return MS_SUCCESS;
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  ms_iwan_model *m = model;
  m->density = ms_density_power_law(v[R], v[S], v[CHI], v[PHI_MAX]);
  return ms_iwan_setup(ctx, v + N_OWN, m);
}

const ms_law ms_law_iwan4 = {
  .info = { .name = "iwan4",
            .title = "four-parameter Iwan element",
            .reference = "Segalman, J. Appl. Mech. 72 (2005) 752",
            .param = params,
            .n_param = sizeof params / sizeof *params,
            .n_axis = 1,
            .flags = MS_LAW_MASING | MS_LAW_NORMAL },
  MS_IWAN_ENTRIES,
  .check = check,
  .setup = setup,
};
