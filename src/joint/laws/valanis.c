/* Valanis' endochronic law in the four-parameter form of Gaul and Lenz,

     dF/du = E_0 [1 + s (lambda/E_0) (E_t u - F)] / [1 + kappa s (lambda/E_0) (E_t u - F)],

   s = sgn(du): slope E_0 at first, the line E_t u +- Q in the end. The rest Q z/z_max = F - E_t u
   obeys dy/dx = (1 - y)/(1 - c y) with

     Q = (E_0 - E_t) z_max,   z_max = E_0/(lambda (E_0 - kappa E_t)),
     c = kappa (E_0 - E_t)/(E_0 - kappa E_t),

   which is a spring E_t beside a slipping spring E_0 - E_t: friction/bristle.h has y, x and the
   rest. Integrated, c (y1 - y0) + (1 - c) L = x with L = ln((1 - y0)/(1 - y1)); Newton's method
   solves this for L to the last digits, so a step is exact however long it is. alpha scales Q, k
   scales E_0 and E_t. */
#include <math.h>

#include "joint/friction/bristle.h"
#include "joint/tolerance.h"

typedef struct valanis_model {
  ms_bristle b;
  double c;
} valanis_model;

enum { E_0, E_T, LAMBDA, KAPPA };
static const ms_param params[] = {
  { MS_LAW_POSITIVE("E_0", "N/m", "stiffness at zero force, before any slip",
                    "a joint carries load", 1e8) },
  { MS_LAW_NOT_NEGATIVE("E_t", "N/m", "stiffness left in macroslip; less than E_0",
                        "a spring pushes back", 4e6) },
  { MS_LAW_POSITIVE("lambda", "1/m",
                    "controls the onset of slip: the slip force is about E_0/lambda",
                    "without it nothing slips", 2.5e4) },
  { .name = "kappa",
    .unit = "-",
    .meaning = "shape of the knee: 0 rounded, towards 1 sharp, with little microslip",
    .lower = 0,
    .upper = 1,
    .open = 2,
    .why = "at 1 slip never begins",
    .typical = 0.6,
    .required = 1 },
};

/* y (1 - c)/(1 - c y) */
static double drop(const ms_bristle *b, double y) {
  double c = ((const valanis_model *)b)->c;
  return y * (1.0 - c) / (1.0 - c * y);
}

enum { MAX_NEWTON = 60 };

/* L in c m0 (1 - exp(-L)) + (1 - c) L = x. The left side is concave and the start is on the near
   side of the root, so that Newton's method climbs to it. */
static double solve(double c, double m0, double x) {
  double L = fmax(x / (c * m0 + 1.0 - c), (x - c * m0) / (1.0 - c));
  for (int i = 0; i < MAX_NEWTON; i++) {
    double rest = x - (1.0 - c) * L + c * m0 * expm1(-L);
    double step = rest / (c * m0 * exp(-L) + 1.0 - c);
    L += step;
    if (fabs(step) <= ms_joint_tol.newton * L) break;
  }
  return L;
}

static ms_bristle_flow flow(const ms_bristle *b, double y0, double x) {
  double c = ((const valanis_model *)b)->c, m0 = 1.0 - y0;
  if (m0 <= 0.0) return (ms_bristle_flow) { 1.0, exp(-x / (1.0 - c)), x };
  double L = solve(c, m0, x), d = m0 * -expm1(-L), y = fmin(1.0, y0 + d), m = m0 * exp(-L);
  return (ms_bristle_flow) { .y = y,
                             .J = exp(-L) * (1.0 - c * y0) / (1.0 - c * y),
                             .I = (1.0 - c) * L + (2.0 * c - 1.0) * d - 0.5 * c * d * (m0 + m) };
}

static ms_status check(ms_context *ctx, double *value, int set) {
  (void)set;
  if (value[E_T] < value[E_0]) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "law valanis: E_t = %g must be less than E_0 = %g: slip makes the joint softer",
                 value[E_T], value[E_0]);
}

static ms_status setup(ms_context *ctx, const double *value, void *model) {
  double ratio = value[E_T] / value[E_0], rest = 1.0 - value[KAPPA] * ratio;
  double z_max = 1.0 / (value[LAMBDA] * rest), c = value[KAPPA] * (1.0 - ratio) / rest;
  if (!(z_max > 0.0 && z_max < HUGE_VAL && c < 1.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "law valanis: the slip displacement %g is out of range; %s",
                   z_max, "give less extreme values");
  }
  *(valanis_model *)model = (valanis_model) { .b = { .K = value[E_0] - value[E_T],
                                                     .K_inf = value[E_T],
                                                     .z_max = z_max,
                                                     .drop = drop,
                                                     .flow = flow },
                                              .c = c };
  return MS_SUCCESS;
}

const ms_law ms_law_valanis = {
  .info = { .name = "valanis",
            .title = "endochronic: microslip, then a line of residual stiffness",
            .reference =
                "Valanis, Arch. Mech. 23 (1971) 517; Gaul, Lenz, Acta Mech. 125 (1997) 169",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_NORMAL },
  .model_size = sizeof(valanis_model),
  MS_BRISTLE_ENTRIES,
  .check = check,
  .setup = setup,
};
