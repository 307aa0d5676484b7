/* Dahl's law: a spring of stiffness sigma_0 that yields towards the friction force F_c,

     dF/du = sigma_0 (1 - sgn(du) F/F_c)^i.

   alpha scales F_c, k scales sigma_0: F = k sigma_0 z with |z| <= (alpha/k) F_c/sigma_0. With m =
   1 - y, the distance from saturation, dm/dx = -m^i has a closed form for every i, so a step is
   exact however long it is; see friction/bristle.h for y, x and what every law of this kind does.
 */
#include <math.h>

#include "joint/friction/bristle.h"

typedef struct dahl_model {
  ms_bristle b;
  double i;
} dahl_model;

enum { F_C, SIGMA_0, EXPONENT };
static const ms_param params[] = {
  { MS_LAW_POSITIVE("F_c", "N", "limit of the friction force",
                    "a contact needs some force to slide", 4000) },
  { MS_LAW_POSITIVE("sigma_0", "N/m", "stiffness at zero force", "a sticking contact carries load",
                    1e8) },
  { .name = "i",
    .unit = "-",
    .meaning = "exponent: above 1 the force approaches F_c slowly, below 1 it reaches F_c",
    .lower = 0,
    .upper = 10,
    .open = 1,
    .why = "0 is a Jenkins element; above 10 the force hardly approaches F_c",
    .typical = 1 },
};

static double drop(const ms_bristle *b, double y) {
  return -expm1(((const dahl_model *)b)->i * log1p(-fmin(y, 1.0)));
}

/* int_0^L exp(-c l) dl. */
static double decay(double c, double L) {
  return c != 0.0 ? -expm1(-c * L) / c : L;
}

/* L = ln(m0/m1). For i < 1 the spring is saturated after a finite way: L is infinite then. */
static double shrink(double i, double m0, double x) {
  double c = i - 1.0, way = x * pow(m0, c);
  if (c == 0.0) return x;
  return c * way > -1.0 ? log1p(c * way) / c : HUGE_VAL;
}

static ms_bristle_flow flow(const ms_bristle *b, double y0, double x) {
  double i = ((const dahl_model *)b)->i, m0 = 1.0 - y0;
  if (m0 <= 0.0) return (ms_bristle_flow) { 1.0, i > 1.0 ? 1.0 : i < 1.0 ? 0.0 : exp(-x), x };
  double L = shrink(i, m0, x);
  return (ms_bristle_flow) { .y = L < HUGE_VAL ? fmin(1.0, y0 + m0 * -expm1(-L)) : 1.0,
                             .J = exp(-i * L),
                             .I = x - pow(m0, 2.0 - i) * decay(2.0 - i, L) };
}

static ms_status setup(ms_context *ctx, const double *value, void *model) {
  double z_max = value[F_C] / value[SIGMA_0];
  if (!(z_max > 0.0 && z_max < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "law dahl: F_c/sigma_0 = %g is out of range; %s", z_max,
                   "give less extreme values");
  }
  *(dahl_model *)model =
      (dahl_model) { .b = { .K = value[SIGMA_0], .z_max = z_max, .drop = drop, .flow = flow },
                     .i = value[EXPONENT] };
  return MS_SUCCESS;
}

const ms_law ms_law_dahl = {
  .info = { .name = "dahl",
            .title = "spring that yields gradually to a friction force",
            .reference = "Dahl, A solid friction model, Aerospace Corp. TOR-0158(3107-18)-1 (1968)",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_NORMAL },
  .model_size = sizeof(dahl_model),
  MS_BRISTLE_ENTRIES,
  .setup = setup,
};
