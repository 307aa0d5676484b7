/* The law of Bouc and Wen,

     F = a K u + (1 - a) K z,     dz/du = A - |z|^n (gamma + beta sgn(z du)),

   whose z saturates at z_max = (A/(beta + gamma))^(1/n). With y = sgn(du) z/z_max and x = A |du|/
   z_max it is the slipping spring of friction/bristle.h with

     f(y) = 1 - y^n for y >= 0,     1 + b |y|^n for y < 0,     b = (beta - gamma)/(beta + gamma),

   elongation z/A and stiffness (1 - a) K A. Loops give energy unless b >= 0, gamma <= beta.
   alpha scales the saturation force (1 - a) K z_max, k both springs. A step solves
   int dy/f = x, and its loss needs int y dy/f:

     P_j(y) = int_0^y t^(j-1)/(1 - t^n) dt,     N_j(p) = int_0^p t^(j-1)/(1 + b t^n) dt,   j = 1, 2.

   Both are hypergeometric, with series that converge at least as fast as 2^-i (P) or
   (b/(1+b))^i (N), so a step of any length is exact to rounding for every real n >= 1. */
#include <math.h>

#include "joint/friction/bristle.h"
#include "joint/tolerance.h"

typedef struct bouc_wen_model {
  ms_bristle b;
  double n, back;   /* back is b */
  double P_half;    /* P_1 where y^n = 1/2 */
  double offset[3]; /* of P_j at y = 1 once its logarithm is taken away, [1] and [2] */
} bouc_wen_model;

enum { STIFFNESS, A_RATIO, EXPONENT, A, Z_MAX, DELTA, BETA, GAMMA };
enum { BY_LIMIT = 1, BY_COEFFICIENT = 2 };

static const ms_param params[] = {
  [STIFFNESS] = { MS_LAW_POSITIVE("K", "N/m", "stiffness at zero force (if A = 1)",
                                  "a joint carries load", 1e8) },
  [A_RATIO] = { .name = "a",
                .unit = "-",
                .meaning = "part of K that remains in macroslip",
                .lower = 0,
                .upper = 1,
                .open = 2,
                .why = "at 1 there is no hysteresis: use law linear",
                .typical = 0.05,
                .required = 1 },
  [EXPONENT] = { .name = "n",
                 .unit = "-",
                 .meaning = "sharpness of the knee",
                 .lower = 1,
                 .upper = 100,
                 .why = "below 1 the slope jumps at zero force, at 100 the knee is a corner",
                 .typical = 1.5,
                 .required = 1 },
  [A] = { .name = "A",
          .unit = "-",
          .meaning = "slope of z at zero; redundant, for parameters from the literature",
          .lower = 0,
          .upper = HUGE_VAL,
          .open = 3,
          .why = "z follows u",
          .typical = 1 },
  [Z_MAX] = { MS_LAW_POSITIVE("z_max", "m", "saturation of z", "slip needs some displacement",
                              4e-5),
              .set = BY_LIMIT },
  [DELTA] = { .name = "delta",
              .unit = "-",
              .meaning = "beta/(beta + gamma): 1/2 elastic unloading, larger fatter",
              .lower = 0.5,
              .upper = 10,
              .why = "below 1/2 (gamma > beta) a loop produces energy; above 10 hardly anything "
                     "changes",
              .typical = 0.65,
              .set = BY_LIMIT,
              .required = 1 },
  [BETA] = { MS_LAW_POSITIVE("beta", "m^-n", "coefficient of |du| |z|^(n-1) z",
                             "without it no energy is dissipated", 2.57e6),
             .set = BY_COEFFICIENT },
  [GAMMA] = { MS_LAW_ANY("gamma", "m^-n", "coefficient of du |z|^n; from -0.9 beta to beta",
                         1.38e6),
              .set = BY_COEFFICIENT, .required = 1 },
};

/* ---- the two integrals ---- */

enum { MAX_TERMS = 4000 };

/* y^j sum w^i/(n i + j), w = y^n <= 1/2. */
static double near_origin(double n, int j, double y, double w) {
  double sum = 0.0, power = 1.0;
  for (int i = 0; i < MAX_TERMS && power > ms_joint_tol.negligible; i++, power *= w)
    sum += power / (n * i + j);
  return (j == 1 ? y : y * y) * sum;
}

/* (1/n) sum_{i>0} c_i v^i/i, where c_i are the coefficients of (1 - v)^(j/n - 1), v <= 1/2. */
static double near_limit(double n, int j, double v) {
  double sum = 0.0, term = 1.0;
  for (int i = 1; i < MAX_TERMS && fabs(term) > ms_joint_tol.negligible * v; i++) {
    term *= v * (i - j / n) / i;
    sum += term / i;
  }
  return sum / n;
}

/* Where y stands: v = 1 - y^n, and L = -ln v, which goes on when y has reached 1 in the last digit.
 */
typedef struct bouc_wen_point {
  double y, v, L;
} bouc_wen_point;

static double P(const bouc_wen_model *m, int j, bouc_wen_point at) {
  if (at.v >= 0.5) return near_origin(m->n, j, at.y, 1.0 - at.v);
  return m->offset[j] - near_limit(m->n, j, at.v) + at.L / m->n;
}

/* p^j/(j (1 + w)) sum t^i i!/(1 + j/n)_i with w = b p^n and t = w/(1 + w): Pfaff's form. */
static double N(const bouc_wen_model *m, int j, double p) {
  double w = m->back * pow(p, m->n), t = w / (1.0 + w), sum = 1.0, term = 1.0;
  for (int i = 1; i < MAX_TERMS && term > ms_joint_tol.negligible * (1.0 - t); i++) {
    term *= t * i / (i + j / m->n);
    sum += term;
  }
  return (j == 1 ? p : 0.5 * p * p) / (1.0 + w) * sum;
}

/* ---- their inverses, by Newton's method from the side where it cannot overshoot ---- */

enum { MAX_NEWTON = 60 };

static bouc_wen_point point_at(const bouc_wen_model *m, double y) {
  double w = pow(y, m->n), v = fmax(0.0, 1.0 - w);
  return (bouc_wen_point) { y, v, -log1p(-w) };
}

/* P_1 = target where y^n <= 1/2: P_1 is convex in y, `above` is not less than the root. */
static bouc_wen_point invert_near_origin(const bouc_wen_model *m, double target, double above) {
  double y = above;
  for (int i = 0; i < MAX_NEWTON; i++) {
    double w = pow(y, m->n), step = (near_origin(m->n, 1, y, w) - target) * (1.0 - w);
    y -= step;
    if (fabs(step) <= ms_joint_tol.newton * y) break;
  }
  return point_at(m, y);
}

/* P_1 = target where y^n >= 1/2: P_1 is concave in L, and nearly L/n + offset. */
static bouc_wen_point invert_near_limit(const bouc_wen_model *m, double target) {
  double L = fmax(log(2.0), m->n * (target - m->offset[1])), v = exp(-L);
  for (int i = 0; i < MAX_NEWTON; i++) {
    double rest = target - m->offset[1] + near_limit(m->n, 1, v) - L / m->n;
    double step = rest * m->n * pow(1.0 - v, 1.0 - 1.0 / m->n);
    L += step;
    v = exp(-L);
    if (fabs(step) <= ms_joint_tol.newton * L) break;
  }
  return (bouc_wen_point) { exp(log1p(-v) / m->n), v, L };
}

/* N_1 = target: N_1 is concave in p, `below` is not more than the root. */
static double invert_N(const bouc_wen_model *m, double target, double below) {
  double p = below;
  for (int i = 0; i < MAX_NEWTON; i++) {
    double step = (target - N(m, 1, p)) * (1.0 + m->back * pow(p, m->n));
    p += step;
    if (fabs(step) <= ms_joint_tol.newton * p) break;
  }
  return p;
}

/* ---- a step ---- */

static double drop(const ms_bristle *b, double y) {
  const bouc_wen_model *m = (const bouc_wen_model *)b;
  return y >= 0.0 ? pow(y, m->n) : -m->back * pow(-y, m->n);
}

/* Unloading that ends before z = 0; `left` is what N_1 still has to go. */
static ms_bristle_flow unload(const bouc_wen_model *m, double p0, double x, double left) {
  double f0 = 1.0 - drop(&m->b, -p0), p = invert_N(m, left, fmax(left, p0 - x * f0));
  return (ms_bristle_flow) { .y = -p,
                             .J = (1.0 - drop(&m->b, -p)) / f0,
                             .I = N(m, 2, p) - N(m, 2, p0) };
}

/* y >= 0 at the end of the step; `target` is P_1 there. */
static ms_bristle_flow load(const bouc_wen_model *m, double y0, double x, double target) {
  int from_origin = y0 <= 0.0;
  bouc_wen_point a = point_at(m, fmax(0.0, y0)), end;
  if (a.v <= 0.0) return (ms_bristle_flow) { 1.0, exp(-m->n * x), x };
  if (target < m->P_half) {
    double reach = from_origin ? target : fmin(target, y0 + x * a.v);
    end = invert_near_origin(m, target, fmin(reach, pow(0.5, 1.0 / m->n)));
  } else {
    end = invert_near_limit(m, target);
  }
  double f0 = 1.0 - drop(&m->b, y0), I0 = from_origin ? N(m, 2, -y0) : P(m, 2, a);
  return (ms_bristle_flow) { .y = fmin(1.0, end.y),
                             .J = f0 > ms_joint_tol.near_limit ? end.v / f0 : exp(-m->n * x),
                             .I = P(m, 2, end) - I0 };
}

static ms_bristle_flow flow(const ms_bristle *b, double y0, double x) {
  const bouc_wen_model *m = (const bouc_wen_model *)b;
  if (y0 >= 0.0) return load(m, y0, x, P(m, 1, point_at(m, y0)) + x);
  double left = N(m, 1, -y0) - x;
  return left > 0.0 ? unload(m, -y0, x, left) : load(m, y0, x, -left);
}

/* ---- parameters ---- */

static ms_status check(ms_context *ctx, double *v, int set) {
  if (set == BY_LIMIT) {
    double sum = v[A] / pow(v[Z_MAX], v[EXPONENT]);
    v[BETA] = v[DELTA] * sum;
    v[GAMMA] = (1.0 - v[DELTA]) * sum;
  } else {
    double sum = v[BETA] + v[GAMMA];
    v[DELTA] = v[BETA] / sum;
    v[Z_MAX] = pow(v[A] / sum, 1.0 / v[EXPONENT]);
  }
  double low = params[DELTA].lower, high = params[DELTA].upper;
  if (set == BY_COEFFICIENT &&
      !(v[BETA] + v[GAMMA] > 0.0 && v[DELTA] >= low * (1.0 - ms_joint_tol.decimals) &&
        v[DELTA] <= high * (1.0 + ms_joint_tol.decimals))) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "law bouc_wen: gamma = %g must be between %g beta and beta = %g: %s", v[GAMMA],
                   1.0 / high - 1.0, v[BETA],
                   "above, a loop produces energy; below, z is hardly limited");
  }
  v[DELTA] = fmax(low, fmin(high, v[DELTA]));
  int valid = v[Z_MAX] > 0.0 && v[Z_MAX] < HUGE_VAL && v[BETA] > 0.0 && v[BETA] < HUGE_VAL;
  if (valid) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "law bouc_wen: z_max = %g with beta = %g is out of range; %s",
                 v[Z_MAX], v[BETA], "give less extreme values");
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  bouc_wen_model *m = model;
  (void)ctx;
  *m = (bouc_wen_model) { .b = { .K = (1.0 - v[A_RATIO]) * v[STIFFNESS] * v[A],
                                 .K_inf = v[A_RATIO] * v[STIFFNESS],
                                 .z_max = v[Z_MAX] / v[A],
                                 .drop = drop,
                                 .flow = flow },
                          .n = v[EXPONENT],
                          .back = 2.0 * v[DELTA] - 1.0 };
  /* The offset makes both series of P_j agree where y^n = 1/2. */
  double y = pow(0.5, 1.0 / m->n);
  for (int j = 1; j <= 2; j++) {
    m->offset[j] = near_origin(m->n, j, y, 0.5) + near_limit(m->n, j, 0.5) - log(2.0) / m->n;
  }
  m->P_half = near_origin(m->n, 1, y, 0.5);
  return MS_SUCCESS;
}

const ms_law ms_law_bouc_wen = {
  .info = { .name = "bouc_wen",
            .title = "smooth hysteresis of Bouc and Wen",
            .reference = "Wen, J. Eng. Mech. Div. ASCE 102 (1976) 249; Erlicher, Point, C. R. "
                         "Mecanique 332 (2004) 51 (bounds)",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_NORMAL },
  .model_size = sizeof(bouc_wen_model),
  MS_BRISTLE_ENTRIES,
  .check = check,
  .setup = setup,
};
