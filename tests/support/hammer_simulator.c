#include "support/hammer_simulator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- random numbers ---- */

static unsigned long long state;

void sim_seed(unsigned long long seed) {
  state = seed;
}

double sim_uniform(double low, double high) { /* splitmix64 */
  unsigned long long z = state += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return low + (high - low) * ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

int sim_pick(int n) {
  return (int)sim_uniform(0.0, n);
}

double sim_spread(double low, double high) {
  return exp(sim_uniform(log(low), log(high)));
}

static double normal(void) {
  const double r = sqrt(-2.0 * log(sim_uniform(0.0, 1.0)));
  return r * cos(sim_uniform(0.0, 2.0 * SIM_PI));
}

/* ---- the structure ---- */

void sim_spring(sim_plant *p, int i, int j, double k) {
  if (i >= 0) p->K[i][i] += k;
  if (j >= 0) p->K[j][j] += k;
  if (i >= 0 && j >= 0) p->K[i][j] -= k, p->K[j][i] -= k;
}

/* ---- a hit, in time ---- */

static double pulse(double t, double width) {
  return t > 0.0 && t < width ? pow(sin(SIM_PI * t / width), 1.3) : 0.0;
}

static double force_of(const sim_blow *b, double t) {
  double f = pulse(t - b->start, b->width);
  if (b->second > 0.0) f += b->second * pulse(t - b->second_start, 1.1 * b->width);
  return b->peak * f;
}

static void invert(int n, double A[SIM_DOFS][SIM_DOFS]) {
  double B[SIM_DOFS][SIM_DOFS] = { { 0.0 } };
  for (int i = 0; i < n; i++) B[i][i] = 1.0;
  for (int k = 0; k < n; k++) {
    const double d = 1.0 / A[k][k];
    for (int j = 0; j < n; j++) A[k][j] *= d, B[k][j] *= d;
    for (int i = 0; i < n; i++) {
      const double f = A[i][k];
      if (i == k) continue;
      for (int j = 0; j < n; j++) A[i][j] -= f * A[k][j], B[i][j] -= f * B[k][j];
    }
  }
  memcpy(A, B, sizeof B);
}

/* Sliders in parallel; z to force, at[] moves if `keep`. */
static double slide(const sim_plant *p, double z, double *at, int keep) {
  double f = 0.0;
  for (int i = 0; i < p->n_slider; i++) {
    double x = p->k[i] * (z - at[i]);
    if (fabs(x) > p->slips[i]) x = copysign(p->slips[i], x);
    if (keep) at[i] = z - x / p->k[i];
    f += x;
  }
  return f;
}

double sim_run(const sim_plant *p, const sim_blow *b, int n, double *force, double *acc) {
  const double h = 1.0 / (p->rate * p->finer);
  double A[SIM_DOFS][SIM_DOFS], u[SIM_DOFS] = { 0 }, v[SIM_DOFS] = { 0 }, a[SIM_DOFS] = { 0 };
  double at[SIM_SLIDERS] = { 0 }, most = 0.0;
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++)
      A[i][j] = p->M[i][j] + 0.5 * h * p->C[i][j] + 0.25 * h * h * p->K[i][j];
  }
  const double jk = 0.25 * h * h * p->stiffness;
  if (p->from >= 0) A[p->from][p->from] += jk, A[p->from][p->to] -= jk, A[p->to][p->from] -= jk;
  A[p->to][p->to] += jk;
  invert(p->n, A);
  for (int k = 0; k < n; k++) {
    const double t = k * h, f = force_of(b, t);
    double up[SIM_DOFS], vp[SIM_DOFS], r0[SIM_DOFS], r[SIM_DOFS];
    for (int i = 0; i < p->n; i++) {
      up[i] = u[i] + h * v[i] + 0.25 * h * h * a[i];
      vp[i] = v[i] + 0.5 * h * a[i];
    }
    for (int i = 0; i < p->n; i++) {
      r0[i] = i == b->at ? f : 0.0;
      for (int j = 0; j < p->n; j++) r0[i] -= p->C[i][j] * vp[j] + p->K[i][j] * up[j];
    }
    /* accelerations with the joint's force by iteration about the stuck joint */
    double before = 0.0;
    for (int trial = 0; trial < 20; trial++) {
      const double z = u[p->to] - (p->from >= 0 ? u[p->from] : 0.0);
      const double zp = up[p->to] - (p->from >= 0 ? up[p->from] : 0.0);
      const double joint = slide(p, z, at, 0) - p->stiffness * (z - zp);
      if (trial > 0 && fabs(joint - before) < 1e-9 * p->slip) break;
      before = joint;
      memcpy(r, r0, sizeof r);
      r[p->to] -= joint;
      if (p->from >= 0) r[p->from] += joint;
      for (int i = 0; i < p->n; i++) {
        a[i] = 0.0;
        for (int j = 0; j < p->n; j++) a[i] += A[i][j] * r[j];
        u[i] = up[i] + 0.25 * h * h * a[i];
      }
    }
    for (int i = 0; i < p->n; i++) v[i] = vp[i] + 0.5 * h * a[i];
    const double z = u[p->to] - (p->from >= 0 ? u[p->from] : 0.0);
    slide(p, z, at, 1);
    most = fmax(most, p->stiffness * fabs(z));
    const int lost = b->gap > 0.0 && t > b->gap_start && t < b->gap_start + b->gap;
    force[k] = lost ? 0.0 : f;
    for (int c = 0; c < p->n_sensor; c++) acc[k + n * c] = a[p->sensor[c]];
  }
  return most;
}

/* ---- the acquisition ---- */

void sim_filter(int n, int finer, const double *fine, double *out) {
  const int taps = 24 * finer;
  double tap[2 * 24 * SIM_FINEST + 1], sum = 0.0;
  for (int i = -taps; i <= taps; i++) {
    const double x = 2.0 * 0.42 / finer * i, w = cos(0.5 * SIM_PI * i / (taps + 1.0));
    tap[i + taps] = (i ? sin(SIM_PI * x) / (SIM_PI * x) : 1.0) * w * w;
    sum += tap[i + taps];
  }
  for (int k = 0; k < n; k++) {
    out[k] = 0.0;
    for (int i = -taps; i <= taps; i++) {
      const int at = finer * k + i;
      if (at >= 0 && at < finer * n) out[k] += fine[at] * tap[i + taps] / sum;
    }
  }
}

void sim_convert(int n, double rate, double gain, double range, double *x) {
  const double step = range / 32768.0, offset = sim_uniform(-0.01, 0.01) * range;
  const double noise = sim_spread(2.0, 12.0) * step, hum = sim_uniform(0.0, 10.0) * step;
  const double phase = sim_uniform(0.0, 2.0 * SIM_PI);
  for (int k = 0; k < n; k++) {
    const double y =
        gain * x[k] + offset + noise * normal() + hum * sin(2.0 * SIM_PI * 50.0 * k / rate + phase);
    x[k] = step * fmin(fmax(floor(y / step + 0.5), -32768.0), 32767.0);
  }
}
