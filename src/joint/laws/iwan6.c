/* The six-parameter Iwan element of Li and Hao: iwan4 whose sliders begin at phi_1 instead of zero,
   so that small motions lose nothing, and whose stiffness does not vanish in macroslip,

     rho(phi) = R phi^chi on (phi_1, phi_2)  +  S delta(phi - phi_2)  +  K_inf delta(phi -
   infinity).

   Two equivalent parameter sets. With q = phi_1/phi_2, K = K_T - K_inf the sliders' stiffness and
   c = (chi+1)/(chi+2) (1 - q^(chi+2))/(1 - q^(chi+1)) the centroid of the power law over phi_2,

     phi_2 = F_S / (K (c + beta)/(1 + beta) + K_inf)
     R = K (chi+1) / (phi_2^(chi+1) (1 - q^(chi+1)) (1 + beta)),   S = K beta / (1 + beta).

   K_T and F_S are what a test shows, K_inf included: the slope at zero, and the force g(phi_2)
   where macroslip begins. For q = 0, K_inf = 0 this is iwan4. alpha scales the sliders' slip
   forces, k all springs, K_inf too; the spring is counted from the displacement at the start. */
#include <math.h>

#include "joint/iwan/iwan.h"
#include "joint/iwan/gradient.h"

enum { F_S, K_T, CHI, BETA, RATIO, R, S, PHI_1, PHI_2, K_INF, N_OWN };
enum { BY_FORCE = 1, BY_DENSITY = 2 };

static const ms_param params[] = {
  [F_S] = { MS_LAW_POSITIVE("F_S", "N", "force at the onset of macroslip, including that of K_inf",
                            "a joint that slips needs some force", 4000),
            .set = BY_FORCE },
  [K_T] = { MS_LAW_POSITIVE("K_T", "N/m", "stiffness when nothing slips, including K_inf",
                            "the stuck joint carries load", 1e8),
            .set = BY_FORCE },
  [CHI] = { .name = "chi",
            .unit = "-",
            .meaning = "exponent of the density",
            .lower = -1,
            .upper = HUGE_VAL,
            .open = 3,
            .why =
                "at -1 and below the sliders' total stiffness grows without bound as phi_1 falls",
            .typical = -0.5,
            .required = 1 },
  [BETA] = { MS_LAW_NOT_NEGATIVE(
                 "beta", "-",
                 "ratio of the stiffness that slips at phi_2 to that which slips before",
                 "it is a ratio of stiffnesses", 1),
             .set = BY_FORCE },
  [RATIO] = { .name = "phi_ratio",
              .unit = "-",
              .meaning = "phi_1/phi_2: displacement at first slip over that at macroslip",
              .lower = 0,
              .upper = 1,
              .open = 2,
              .why = "the sliders need a range",
              .typical = 0.05,
              .set = BY_FORCE,
              .required = 1 },
  [R] = { MS_LAW_POSITIVE("R", "N/m^(2+chi)", "coefficient of the density",
                          "without it the element is a Jenkins element in parallel with a spring",
                          3.8e9),
          .set = BY_DENSITY },
  [S] = { MS_LAW_NOT_NEGATIVE("S", "N/m", "stiffness of the sliders that slip at phi_2",
                              "it is a stiffness", 4.75e7),
          .set = BY_DENSITY },
  [PHI_1] = { MS_LAW_NOT_NEGATIVE("phi_1", "m", "displacement at which the first sliders slip",
                                  "it is a slip displacement", 3e-6),
              .set = BY_DENSITY },
  [PHI_2] = { MS_LAW_POSITIVE("phi_2", "m", "displacement at which macroslip begins",
                              "sliders need a range", 6e-5),
              .set = BY_DENSITY },
  [K_INF] = { MS_LAW_NOT_NEGATIVE("K_inf", "N/m", "stiffness that remains in macroslip",
                                  "it is a stiffness", 5e6) },
  MS_IWAN_SETTINGS,
};

/* 1 - q^p without loss of digits for q near 1. */
static double one_less_power(double q, double p) {
  return q > 0.0 ? -expm1(p * log(q)) : 1.0;
}

/* Extreme but admissible values can overflow on the way to the other set. */
static ms_status check(ms_context *ctx, double *v, int set) {
  if (set == BY_FORCE && !(v[K_INF] < v[K_T])) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "iwan6: K_inf = %g must be less than K_T = %g, of which it is a part", v[K_INF],
                   v[K_T]);
  }
  if (set == BY_DENSITY && !(v[PHI_1] < v[PHI_2])) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "iwan6: phi_1 = %g must be less than phi_2 = %g; sliders need a range", v[PHI_1],
                   v[PHI_2]);
  }
  if (set == BY_FORCE) {
    double chi = v[CHI], beta = v[BETA], q = v[RATIO], K = v[K_T] - v[K_INF];
    double span = one_less_power(q, chi + 1.0);
    double c = (chi + 1.0) / (chi + 2.0) * one_less_power(q, chi + 2.0) / span;
    v[PHI_2] = v[F_S] / (K * (c + beta) / (1.0 + beta) + v[K_INF]);
    v[PHI_1] = q * v[PHI_2];
    v[R] = K * (chi + 1.0) / (pow(v[PHI_2], chi + 1.0) * span * (1.0 + beta));
    v[S] = K * beta / (1.0 + beta);
  } else {
    double chi = v[CHI], q = v[PHI_1] / v[PHI_2], end = v[R] * pow(v[PHI_2], chi + 1.0);
    double smooth = end * one_less_power(q, chi + 1.0) / (chi + 1.0);
    double force = end * one_less_power(q, chi + 2.0) / (chi + 2.0);
    v[RATIO] = q;
    v[K_T] = smooth + v[S] + v[K_INF];
    v[F_S] = (force + v[S] + v[K_INF]) * v[PHI_2];
    v[BETA] = v[S] / smooth;
  }
  for (int i = F_S; i < N_OWN; i++) {
    int positive = i == F_S || i == K_T || i == R || i == PHI_2;
    if (isfinite(v[i]) && (!positive || v[i] > 0.0) && v[PHI_1] < v[PHI_2]) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "iwan6: these parameters give %s = %g, outside the range of numbers; give less "
                   "extreme values",
                   params[i].name, v[i]);
  }
  return MS_SUCCESS;
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  ms_iwan_model *m = model;
  m->density = ms_density_power_range(v[R], v[S], v[CHI], v[PHI_1], v[PHI_2]);
  m->density.K_inf = v[K_INF];
  return ms_iwan_setup(ctx, v + N_OWN, m);
}

static int gradient(const double *v, int set, double u, double omega, ms_gradient *out) {
  static const int place[MS_RANGE_N] = { F_S, K_T, CHI, BETA, RATIO, R, S, PHI_1, PHI_2, K_INF };
  (void)omega;
  return v[N_OWN] == 0.0 && ms_range_gradient(v, place, set == BY_FORCE, u, out);
}

const ms_law ms_law_iwan6 = {
  .info = { .name = "iwan6",
            .title = "six-parameter Iwan element, with residual stiffness in macroslip",
            .reference = "Li and Hao, Mech. Syst. Signal Process. 68-69 (2016) 354",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_MASING | MS_LAW_NORMAL },
  MS_IWAN_SPRING_ENTRIES,
  .check = check,
  .setup = setup,
  .gradient = gradient,
};
