/* First loading and loss of a power-law density, differentiated. With c_j = chi + 1 + j, for
   a = |u| within (phi_1, phi_2),

     N = R (phi_2^c_0 - a^c_0)/c_0 + S        stiffness of the sliders that stick
     m_j = R (a^c_j - phi_1^c_j)/c_j          moments of those that slip
     F = u (N + K_inf) + m_1,   D = 4 (a m_1 - m_2).

   Below phi_1 nothing slips: a = phi_1 in N, m_j = 0. Beyond phi_2 N = 0 and m_j are the moments up
   to phi_2 with those of S. The set by force goes through q = phi_1/phi_2, K = K_T - K_inf,
   P_k = 1 - q^(chi+k), c = (chi+1)/(chi+2) P_2/P_1:

     phi_2 = F_S/E,  E = K (c + beta)/(1 + beta) + K_inf,
     R = K (chi+1)/(phi_2^(chi+1) P_1 (1 + beta)),   S = K beta/(1 + beta),   phi_1 = q phi_2. */
#include "joint/iwan/gradient.h"

#include <math.h>

typedef struct range {
  double R, S, chi, phi_1, phi_2, K_inf;
} range;

/* x^p and x^p ln x, 0 at x = 0 for p > 0. */
static double power(double x, double p) {
  return x > 0.0 || p <= 0.0 ? pow(x, p) : 0.0;
}

static double power_log(double x, double p) {
  return x > 0.0 ? pow(x, p) * log(x) : 0.0;
}

/* d of R (b^c - a^c)/c for dR, dchi; the ends apart. */
static double inner(const range *v, const range *dv, double a, double b, double c) {
  double span = (power(b, c) - power(a, c)) / c;
  double log_span = (power_log(b, c) - power_log(a, c)) / c;
  return dv->R * span + v->R * dv->chi * (log_span - span / c);
}

/* Of an end at x: R x^(c-1) dx; nothing where dx is. */
static double end(const range *v, double x, double dx, double c) {
  return dx == 0.0 ? 0.0 : v->R * power(x, c - 1.0) * dx;
}

/* dN: sliders between a and phi_2 stick; da where a is phi_1. */
static double stuck(const range *v, const range *dv, double a, double da) {
  double c = v->chi + 1.0;
  return inner(v, dv, a, v->phi_2, c) + end(v, v->phi_2, dv->phi_2, c) - end(v, a, da, c) + dv->S;
}

/* dm_j for sliders up to b, db where b is phi_2 and S slips with them. */
static double slipped(const range *v, const range *dv, double b, int all, int j) {
  double c = v->chi + 1.0 + j, x = v->phi_2;
  double m = inner(v, dv, v->phi_1, b, c) - end(v, v->phi_1, dv->phi_1, c);
  if (!all) return m;
  double x_j = j == 1 ? x : x * x, slope = j == 1 ? 1.0 : 2.0 * x;
  return m + end(v, x, dv->phi_2, c) + dv->S * x_j + v->S * slope * dv->phi_2;
}

static ms_gradient along(const range *v, const range *dv, double u) {
  double a = fabs(u), N = 0.0, m_1 = 0.0, m_2 = 0.0;
  double sign = u < 0.0 ? -1.0 : 1.0;
  int all = a >= v->phi_2;
  if (a < v->phi_1 || a == 0.0) {
    N = stuck(v, dv, v->phi_1, dv->phi_1);
  } else {
    if (!all) N = stuck(v, dv, a, 0.0);
    m_1 = slipped(v, dv, all ? v->phi_2 : a, all, 1);
    m_2 = slipped(v, dv, all ? v->phi_2 : a, all, 2);
  }
  return (ms_gradient) { .force = sign * (a * (N + dv->K_inf) + m_1),
                         .stuck = stuck(v, dv, v->phi_1, dv->phi_1) + dv->K_inf,
                         .loss = 4.0 * (a * m_1 - m_2) };
}

/* How the density moves with parameter i of the set by force. */
static range from_force(const double p[MS_RANGE_N], int i) {
  const double chi = p[MS_RANGE_CHI], beta = p[MS_RANGE_BETA], q = p[MS_RANGE_RATIO];
  const double K = p[MS_RANGE_K_T] - p[MS_RANGE_K_INF], phi_2 = p[MS_RANGE_PHI_2], B = 1.0 + beta;
  const double dF = i == MS_RANGE_F_S, dchi = i == MS_RANGE_CHI, dbeta = i == MS_RANGE_BETA;
  const double dK_inf = i == MS_RANGE_K_INF, dK = (i == MS_RANGE_K_T) - dK_inf;
  const double dq = i == MS_RANGE_RATIO;
  double P_1 = 1.0 - power(q, chi + 1.0), P_2 = 1.0 - power(q, chi + 2.0);
  double dP_1 = -dchi * power_log(q, chi + 1.0), dP_2 = -dchi * power_log(q, chi + 2.0);
  if (dq != 0.0) {
    dP_1 -= (chi + 1.0) * power(q, chi);
    dP_2 -= (chi + 2.0) * power(q, chi + 1.0);
  }
  double c = (chi + 1.0) / (chi + 2.0) * P_2 / P_1;
  double dc = c * (dchi / (chi + 1.0) - dchi / (chi + 2.0) + dP_2 / P_2 - dP_1 / P_1);
  double E = K * (c + beta) / B + p[MS_RANGE_K_INF];
  double dE = dK * (c + beta) / B + K * (dc / B + dbeta * (1.0 - c) / (B * B)) + dK_inf;
  range dv = { .chi = dchi, .K_inf = dK_inf };
  dv.phi_2 = dF / E - phi_2 * dE / E;
  dv.phi_1 = dq * phi_2 + q * dv.phi_2;
  dv.S = dK * beta / B + K * dbeta / (B * B);
  dv.R = p[MS_RANGE_R] * (dK / K + dchi / (chi + 1.0) - (chi + 1.0) * dv.phi_2 / phi_2 -
                          log(phi_2) * dchi - dP_1 / P_1 - dbeta / B);
  return dv;
}

static range from_density(int i) {
  return (range) { .R = i == MS_RANGE_R,
                   .S = i == MS_RANGE_S,
                   .chi = i == MS_RANGE_CHI,
                   .phi_1 = i == MS_RANGE_PHI_1,
                   .phi_2 = i == MS_RANGE_PHI_2,
                   .K_inf = i == MS_RANGE_K_INF };
}

int ms_range_gradient(const double *value, const int place[MS_RANGE_N], int by_force, double u,
                      ms_gradient *out) {
  double p[MS_RANGE_N];
  for (int i = 0; i < MS_RANGE_N; i++) p[i] = place[i] < 0 ? 0.0 : value[place[i]];
  const range v = { .R = p[MS_RANGE_R],
                    .S = p[MS_RANGE_S],
                    .chi = p[MS_RANGE_CHI],
                    .phi_1 = p[MS_RANGE_PHI_1],
                    .phi_2 = p[MS_RANGE_PHI_2],
                    .K_inf = p[MS_RANGE_K_INF] };
  for (int i = 0; i < MS_RANGE_N; i++) {
    int both = i == MS_RANGE_CHI || i == MS_RANGE_K_INF;
    if (place[i] < 0 || !(both || by_force == (i < MS_RANGE_R))) continue;
    range dv = by_force ? from_force(p, i) : from_density(i);
    out[place[i]] = along(&v, &dv, u);
  }
  return 1;
}
