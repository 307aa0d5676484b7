/* A rod on a frictional foundation that slips from its end inward, and a spring in series: at a
   reversal the rod alone is infinitely stiff. With l the length that slips on first loading,

     f = F_S l^beta,   u = f/K_T + a f l/K_rod,   a = beta/(beta + 1),

   normal load as x^(beta - 1) along the rod. As every element that obeys Masing's rules it is an
   Iwan element, of density -f''(u); with kappa = l K_T/K_rod its moments are

     m0 = K_T kappa/(1 + kappa)
     m1 = f kappa/((beta + 1) (1 + kappa))
     m2 = f^2/K_T kappa (1 + a^2 kappa)/((2 beta + 1) (1 + kappa))

   and what is left at l = 1 slips there at once. alpha scales slip forces, k stiffness. */
#include <math.h>

#include "joint/iwan/iwan.h"

enum { F_S, K_T, K_ROD, BETA, N_OWN };

static const ms_param params[] = {
  [F_S] = { MS_LAW_POSITIVE("F_S", "N", "force at the onset of macroslip: the rod's whole friction",
                            "a joint that slips needs some force", 4000) },
  [K_T] = { MS_LAW_POSITIVE("K_T", "N/m", "stiffness when nothing slips: the spring in series",
                            "the stuck joint carries load", 1e8) },
  [K_ROD] = { MS_LAW_POSITIVE("K_rod", "N/m", "EA/L of the rod", "slip needs a rod that stretches",
                              5e7) },
  [BETA] = { .name = "beta",
             .unit = "-",
             .meaning = "friction on the outer part x of the rod is F_S x^beta",
             .lower = 0,
             .upper = 100,
             .open = 1,
             .why = "friction on zero length is zero",
             .typical = 1.5,
             .required = 1 },
  MS_IWAN_SETTINGS,
};

/* of own[]: F_S, K_T, K_rod, beta, phi_max */
enum { OWN_PHI_MAX = N_OWN };

static double displacement(const double *v, double l) {
  const double a = v[BETA] / (v[BETA] + 1.0);
  return v[F_S] * pow(l, v[BETA]) * (1.0 / v[K_T] + a * l / v[K_ROD]);
}

/* beta y + ln(1 + c e^y) = ln(u K_T/F_S), y = ln l: convex in y with a slope between beta and
   beta + 1, so that Newton's steps from the larger of two bounds stay above the root and end fast.
 */
static double slip_length(const double *v, double u) {
  const double beta = v[BETA], c = beta / (beta + 1.0) * v[K_T] / v[K_ROD];
  const double right = log(u) + log(v[K_T]) - log(v[F_S]);
  double y = fmin(right / beta, (right - log(c)) / (beta + 1.0));
  for (int i = 0; i < 60; i++) {
    double t = c * exp(y), step = (beta * y + log1p(t) - right) / (beta + t / (1.0 + t));
    y -= step;
    if (fabs(step) <= 1e-15) break;
  }
  return fmin(exp(y), 1.0);
}

static void curve(const double *v, double phi, double m[3]) {
  m[0] = m[1] = m[2] = 0.0;
  if (!(phi > 0.0)) return;
  const double beta = v[BETA], a = beta / (beta + 1.0);
  const double l = phi < v[OWN_PHI_MAX] ? slip_length(v, phi) : 1.0;
  const double f = v[F_S] * pow(l, beta), kappa = l * v[K_T] / v[K_ROD];
  const double part = kappa / (1.0 + kappa);
  m[0] = v[K_T] * part;
  m[1] = f * part / (beta + 1.0);
  m[2] = f * f / v[K_T] * part * (1.0 + a * a * kappa) / (2.0 * beta + 1.0);
}

/* Extreme but admissible values can overflow on the way. */
static ms_status check(ms_context *ctx, double *v, int set) {
  (void)set;
  const double phi_max = displacement(v, 1.0), S = 1.0 / (1.0 / v[K_T] + 1.0 / v[K_ROD]);
  if (isfinite(phi_max) && phi_max > 0.0 && isfinite(S) && S > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "rod: macroslip would begin at %g m with a stiffness of %g N/m left; give less "
                 "extreme values",
                 phi_max, S);
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  ms_iwan_model *m = model;
  ms_density *d = &m->density;
  *d = (ms_density) { .phi_max = displacement(v, 1.0), .curve = curve };
  for (int i = 0; i < N_OWN; i++) d->own[i] = v[i];
  d->own[OWN_PHI_MAX] = d->phi_max;
  d->S = 1.0 / (1.0 / v[K_T] + 1.0 / v[K_ROD]);
  curve(d->own, d->phi_max, d->total);
  double s = d->S;
  for (int j = 0; j < 3; j++, s *= d->phi_max) d->total[j] += s;
  return ms_iwan_setup(ctx, v + N_OWN, m);
}

const ms_law ms_law_rod = {
  .info = { .name = "rod",
            .title = "rod on a frictional foundation with a spring in series",
            .reference = "Quinn and Segalman, J. Appl. Mech. 72 (2005) 778",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_MASING | MS_LAW_NORMAL },
  MS_IWAN_ENTRIES,
  .check = check,
  .setup = setup,
};
