/* Iwan's own element: sliders spread evenly, rho constant on (0, phi_max),

     K_T = rho phi_max,  F_S = rho phi_max^2/2;    phi_max = 2 F_S/K_T,  rho = K_T^2/(2 F_S).

   The virgin curve is the parabola K_T u - rho u^2/2, and the loss per cycle 2/3 rho u0^3. alpha
   scales slip forces, k stiffness. */
#include <math.h>

#include "joint/iwan/iwan.h"
#include "joint/iwan/gradient.h"

enum { F_S, K_T, RHO, PHI_MAX, N_OWN };
enum { BY_FORCE = 1, BY_DENSITY = 2 };

static const ms_param params[] = {
  [F_S] = { MS_LAW_POSITIVE("F_S", "N", "force at the onset of macroslip",
                            "a joint that slips needs some force", 4000),
            .set = BY_FORCE },
  [K_T] = { MS_LAW_POSITIVE("K_T", "N/m", "stiffness when nothing slips",
                            "the stuck joint carries load", 1e8),
            .set = BY_FORCE },
  [RHO] = { MS_LAW_POSITIVE("rho", "N/m^2", "density of the sliders", "there must be sliders",
                            1.25e12),
            .set = BY_DENSITY },
  [PHI_MAX] = { MS_LAW_POSITIVE("phi_max", "m", "displacement at which macroslip begins",
                                "sliders need a range", 8e-5),
                .set = BY_DENSITY },
  MS_IWAN_SETTINGS,
};

/* Extreme but admissible values can overflow on the way to the other set. */
static ms_status check(ms_context *ctx, double *v, int set) {
  if (set == BY_FORCE) {
    v[PHI_MAX] = 2.0 * v[F_S] / v[K_T];
    v[RHO] = v[K_T] / v[PHI_MAX];
  } else {
    v[K_T] = v[RHO] * v[PHI_MAX];
    v[F_S] = 0.5 * v[K_T] * v[PHI_MAX];
  }
  for (int i = F_S; i < N_OWN; i++) {
    if (isfinite(v[i]) && v[i] > 0.0) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "iwan_uniform: these parameters give %s = %g, outside the range of numbers; "
                   "give less extreme values",
                   params[i].name, v[i]);
  }
  return MS_SUCCESS;
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  ms_iwan_model *m = model;
  m->density = ms_density_power_law(v[RHO], 0.0, 0.0, v[PHI_MAX]);
  return ms_iwan_setup(ctx, v + N_OWN, m);
}

/* phi_max = 2 F_S/K_T, rho = K_T^2/(2 F_S). */
static int gradient(const double *v, int set, double u, double omega, ms_gradient *out) {
  static const int place[MS_RANGE_N] = { -1, -1, -1, -1, -1, RHO, -1, -1, PHI_MAX, -1 };
  (void)omega;
  if (v[N_OWN] != 0.0 || !ms_range_gradient(v, place, 0, u, out)) return 0;
  if (set == BY_DENSITY) return 1;
  const ms_gradient rho = out[RHO], phi = out[PHI_MAX];
  out[F_S] = ms_gradient_add(rho, -v[RHO] / v[F_S], phi, v[PHI_MAX] / v[F_S]);
  out[K_T] = ms_gradient_add(rho, 2.0 * v[RHO] / v[K_T], phi, -v[PHI_MAX] / v[K_T]);
  return 1;
}

const ms_law ms_law_iwan_uniform = {
  .info = { .name = "iwan_uniform",
            .title = "Iwan element with evenly spread sliders",
            .reference = "Iwan, J. Appl. Mech. 33 (1966) 893",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_MASING | MS_LAW_NORMAL },
  MS_IWAN_ENTRIES,
  .check = check,
  .setup = setup,
  .gradient = gradient,
};
