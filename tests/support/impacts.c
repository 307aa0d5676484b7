#include "support/impacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = IMPACT_MASSES, SLIDERS = 40, SUBSTEPS = 2 };

static const double pi = 3.14159265358979323846;
static const double mass[N] = { 1.31, 0.87, 1.13, 0.71 };
static const double spring[N] = { 1.91e6, 2.3e6, 1.23e6,
                                  2.7e6 };             /* to the mass before, or ground */
static const double tangent = 3.1e5;                   /* of all sliders together */
static const double viscous = 1.9e-6;                  /* s, times the springs */
static const double slip_low = 5e-7, slip_high = 1e-3; /* m, of the sliders */

typedef struct chain {
  double u[N], v[N], slider[SLIDERS], limit[SLIDERS];
} chain;

static chain at_rest(const test_impact *t) {
  chain c;
  memset(&c, 0, sizeof c);
  for (int i = 0; i < SLIDERS; i++)
    c.limit[i] = t->preload * slip_low * pow(slip_high / slip_low, (double)i / (SLIDERS - 1));
  return c;
}

test_impact test_impact_default(void) {
  return (test_impact) { .rate = 25600.0,
                         .before = 0.1,
                         .length = 2.5,
                         .peak = 100.0,
                         .width = 1.9e-3,
                         .preload = 1.0,
                         .noise = 4e-3,
                         .range = 1.2,
                         .seed = 1 };
}

ptrdiff_t test_impact_samples(const test_impact *test) {
  return (ptrdiff_t)(test->rate * test->length);
}

/* The sliders' force, each a spring that slips at its own displacement. */
static double slide(chain *c) {
  const double z = c->u[2] - c->u[1], k = tangent / SLIDERS;
  double force = 0.0;
  for (int i = 0; i < SLIDERS; i++) {
    const double stretch = fmax(-c->limit[i], fmin(c->limit[i], z - c->slider[i]));
    c->slider[i] = z - stretch;
    force += k * stretch;
  }
  return force;
}

/* A step of the leapfrog: v half a step behind u. */
static void step(chain *c, double dt, double load, double a[N]) {
  double f[N] = { 0.0 };
  f[N - 1] = load;
  for (int i = 0; i < N; i++) {
    const double u = c->u[i] - (i > 0 ? c->u[i - 1] : 0.0),
                 v = c->v[i] - (i > 0 ? c->v[i - 1] : 0.0);
    const double force = spring[i] * (u + viscous * v) + (i == 2 ? slide(c) : 0.0);
    f[i] -= force;
    if (i > 0) f[i - 1] += force;
  }
  for (int i = 0; i < N; i++) {
    a[i] = f[i] / mass[i];
    c->v[i] += dt * a[i];
    c->u[i] += dt * c->v[i];
  }
}

/* ---- acquisition ---- */

static double uniform(unsigned long long *state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static void acquire(const test_impact *t, ptrdiff_t n, double noise, double offset,
                    unsigned long long *state, double *x) {
  double most = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
  const double range = most * t->range, bit = range / 32768.0;
  for (ptrdiff_t k = 0; k < n; k++) {
    const double r = sqrt(-2.0 * log(uniform(state))) * cos(2.0 * pi * uniform(state));
    x[k] = bit * round((x[k] + offset + noise * r) / bit);
    x[k] = fmax(-range, fmin(range - bit, x[k]));
  }
}

static double blow(const test_impact *t, double time) {
  const double width = t->width, later = time - 0.012;
  double force = 0.0;
  if (time > 0.0 && time < width) force = t->peak * sin(pi * time / width);
  if (later > 0.0 && later < width) force += t->second * t->peak * sin(pi * later / width);
  return force;
}

void test_impact_run(const test_impact *t, double **force, double **x) {
  const ptrdiff_t n = test_impact_samples(t);
  const double dt = 1.0 / (t->rate * SUBSTEPS);
  unsigned long long state = 77777ull + 131ull * t->seed;
  chain c = at_rest(t);
  double a[N];
  *force = calloc((size_t)n, sizeof **force);
  *x = calloc((size_t)n * N, sizeof **x);
  for (ptrdiff_t k = 0; k < n * SUBSTEPS; k++) {
    const double load = blow(t, dt * (double)k - t->before);
    step(&c, dt, load, a);
    if (k % SUBSTEPS != 0) continue;
    (*force)[k / SUBSTEPS] = load;
    for (int i = 0; i < N; i++) (*x)[k / SUBSTEPS + n * i] = a[i];
  }
  acquire(t, n, 2e-5 * t->peak, 3e-4 * t->peak, &state, *force);
  for (int i = 0; i < N; i++) acquire(t, n, t->noise, 0.07 - 0.03 * i, &state, *x + n * i);
}

/* ---- modes without slip, by Jacobi's rotations ---- */

void test_impact_modes(double freq_hz[N], double phi[N * N]) {
  double A[N][N] = { { 0.0 } }, V[N][N] = { { 0.0 } };
  for (int i = 0; i < N; i++) {
    const double k = spring[i] + (i == 2 ? tangent : 0.0);
    A[i][i] += k / mass[i];
    V[i][i] = 1.0;
    if (i == 0) continue;
    A[i - 1][i - 1] += k / mass[i - 1];
    A[i][i - 1] = A[i - 1][i] = -k / sqrt(mass[i] * mass[i - 1]);
  }
  for (int sweep = 0; sweep < 50; sweep++) {
    for (int p = 0; p < N; p++) {
      for (int q = p + 1; q < N; q++) {
        const double angle = 0.5 * atan2(2.0 * A[p][q], A[q][q] - A[p][p]);
        const double c = cos(angle), s = sin(angle);
        for (int k = 0; k < N; k++) {
          const double x = A[k][p], y = A[k][q], v = V[k][p], w = V[k][q];
          A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
          V[k][p] = c * v - s * w, V[k][q] = s * v + c * w;
        }
        for (int k = 0; k < N; k++) {
          const double x = A[p][k], y = A[q][k];
          A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
        }
      }
    }
  }
  for (int r = 0; r < N; r++) { /* rank by frequency */
    int rank = 0;
    for (int k = 0; k < N; k++) rank += A[k][k] < A[r][r];
    freq_hz[rank] = sqrt(A[r][r]) / (2.0 * pi);
    for (int i = 0; i < N; i++) phi[i + N * rank] = V[i][r] / sqrt(mass[i]);
  }
}

/* ---- one mode alone ---- */

static double line_slope(ptrdiff_t n, const double *x, const double *y) {
  double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) mx += x[i] / (double)n, my += y[i] / (double)n;
  for (ptrdiff_t i = 0; i < n; i++)
    xx += (x[i] - mx) * (x[i] - mx), xy += (x[i] - mx) * (y[i] - my);
  return xy / xx;
}

/* Each row: ten cycles, their crossings of zero and the maxima between. */
static void read_rows(test_alone *out, ptrdiff_t n, const double *cross, const double *top_time,
                      const double *top, const double *part) {
  enum { CYCLES = 10 };
  double number[CYCLES + 1];
  for (int i = 0; i <= CYCLES; i++) number[i] = i;
  for (ptrdiff_t k = 1; k + CYCLES < n; k += CYCLES / 2) {
    const double f = 1.0 / line_slope(CYCLES + 1, number, cross + k), omega = 2.0 * pi * f;
    double mean = 0.0;
    for (int i = 0; i < CYCLES; i++) mean += top[k + i] / CYCLES;
    const double alpha = -line_slope(CYCLES, top_time + k, top + k);
    out->amplitude[out->n] = fabs(part[k + CYCLES / 2]) * exp(mean);
    out->freq_hz[out->n] = f;
    out->zeta[out->n++] = alpha / sqrt(omega * omega + alpha * alpha);
  }
}

test_alone test_impact_alone(const test_impact *t, int mode, int sensor, double amplitude,
                             double length) {
  const double dt = 1.0 / (t->rate * SUBSTEPS);
  double f[N], phi[N * N], a[N], before[3] = { 0.0 };
  test_impact_modes(f, phi);
  const ptrdiff_t n = (ptrdiff_t)(length / dt), cycles = (ptrdiff_t)(length * f[mode]) + 10;
  double *cross = calloc((size_t)(4 * cycles), sizeof *cross), *top_time = cross + cycles,
         *top = top_time + cycles, *part = top + cycles, uq = 0.0, qq = 0.0;
  test_alone out = { .n = 0, .amplitude = calloc((size_t)(3 * cycles), sizeof *cross) };
  out.freq_hz = out.amplitude + cycles;
  out.zeta = out.freq_hz + cycles;
  chain c = at_rest(t);
  for (int i = 0; i < N; i++) c.v[i] = amplitude * 2.0 * pi * f[mode] * phi[i + N * mode];
  ptrdiff_t count = -1;
  for (ptrdiff_t k = 0; k < n && count < cycles - 1; k++) {
    double q = 0.0;
    step(&c, dt, 0.0, a);
    for (int i = 0; i < N; i++) q += phi[i + N * mode] * mass[i] * c.u[i];
    uq += c.u[sensor] * q, qq += q * q;
    before[0] = before[1], before[1] = before[2], before[2] = q;
    if (before[1] <= 0.0 && q > 0.0) { /* the maximum that follows is looked for anew */
      cross[++count] = dt * ((double)k + 1.0 - q / (q - before[1])), top[count] = -HUGE_VAL;
      part[count] = uq / qq, uq = qq = 0.0;
    }
    if (k > 2 && count >= 0 && before[1] > 0.0 && before[1] >= before[0] && before[1] > q) {
      const double bend = before[0] - 2.0 * before[1] + q, slope = 0.5 * (q - before[0]);
      const double high = log(before[1] - 0.5 * slope * slope / bend);
      if (high > top[count]) top[count] = high, top_time[count] = dt * ((double)k - slope / bend);
    }
  }
  read_rows(&out, count, cross, top_time, top, part);
  free(cross);
  return out;
}

static double at(const test_alone *w, const double *y, double amplitude) {
  for (ptrdiff_t k = 1; k < w->n; k++) {
    if (w->amplitude[k] > amplitude || w->amplitude[k - 1] < amplitude) continue;
    const double part =
        log(amplitude / w->amplitude[k]) / log(w->amplitude[k - 1] / w->amplitude[k]);
    return y[k] + part * (y[k - 1] - y[k]);
  }
  return 0.0;
}

double test_alone_freq(const test_alone *w, double amplitude) {
  return at(w, w->freq_hz, amplitude);
}

double test_alone_zeta(const test_alone *w, double amplitude) {
  return at(w, w->zeta, amplitude);
}
