/* Swept sine on one oscillator, in closed form where there is one and by its exact step otherwise.
 */
#include <microslip/signal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"

static const double pi = 3.14159265358979323846;

/* q" + 2 zeta omega q' + omega^2 q = -Gamma a(t), u = phi q, a = A sin(2 pi (f0 t + c t^2/2)) until
   T, nothing from then on. */
typedef struct oscillator {
  double omega, zeta, Gamma, phi, A, f0, f1, T, tail, dt;
  int logarithmic;
} oscillator;

static const oscillator usual = { .omega = 131.7,
                                  .zeta = 0.0117,
                                  .Gamma = 1.27,
                                  .phi = 0.731,
                                  .A = 2.385,
                                  .f0 = 12.3,
                                  .f1 = 31.9,
                                  .T = 61.3,
                                  .tail = 6.1,
                                  .dt = 1.31e-3 };

static double input(const oscillator *o, double t) {
  if (t >= o->T) return 0.0;
  double turns = o->f0 * t + 0.5 * (o->f1 - o->f0) * t * t / o->T, L = log(o->f1 / o->f0);
  if (o->logarithmic) turns = o->f0 * o->T * expm1(L * t / o->T) / L;
  return o->A * sin(2.0 * pi * turns);
}

typedef struct records {
  ptrdiff_t n;
  double *a, *u, *v, *w; /* base, and relative displacement, velocity, acceleration */
} records;

static void rate_of(const oscillator *o, double t, const double *y, double *f) {
  f[0] = y[1];
  f[1] = -o->Gamma * input(o, t) - 2.0 * o->zeta * o->omega * y[1] - o->omega * o->omega * y[0];
}

/* The classical Runge-Kutta method with steps of half a sample: 5e-7 of the frequency. */
static records simulate(const oscillator *o) {
  enum { PARTS = 2 };
  records r = { .n = (ptrdiff_t)((o->T + o->tail) / o->dt) };
  double y[2] = { 0.0, 0.0 }, f[4][2], z[2], h = o->dt / PARTS;
  r.a = malloc(4 * (size_t)r.n * sizeof *r.a);
  r.u = r.a + r.n, r.v = r.u + r.n, r.w = r.v + r.n;
  for (ptrdiff_t k = 0; k < r.n; k++) {
    double t = o->dt * (double)k;
    rate_of(o, t, y, f[0]);
    r.a[k] = input(o, t);
    r.u[k] = o->phi * y[0], r.v[k] = o->phi * y[1], r.w[k] = o->phi * f[0][1];
    for (int p = 0; p < PARTS; p++, t += h) {
      const double c[] = { 0.5, 0.5, 1.0 };
      rate_of(o, t, y, f[0]);
      for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 2; i++) z[i] = y[i] + c[s] * h * f[s][i];
        rate_of(o, t + c[s] * h, z, f[s + 1]);
      }
      for (int i = 0; i < 2; i++)
        y[i] += h / 6.0 * (f[0][i] + 2.0 * f[1][i] + 2.0 * f[2][i] + f[3][i]);
    }
  }
  return r;
}

static ms_signal signal_of(const records *r, const double *x, double dt, ms_signal_kind kind) {
  return (ms_signal) { .x = x, .n = r->n, .dt = dt, .time = 0.0, .kind = kind };
}

static ms_sweep_settings settings_of(const oscillator *o) {
  ms_sweep_settings set = MS_SWEEP_DEFAULT;
  set.start = 0.0;
  set.end = o->T;
  set.participation = o->Gamma * o->phi;
  return set;
}

static void check_linear(const oscillator *o, const ms_sweep *s, double tolerance) {
  CHECK_CLOSE(s->omega_phase, o->omega, 0.1 * tolerance);
  CHECK_CLOSE(s->omega_half, o->omega, 0.1 * tolerance);
  CHECK_CLOSE(s->omega_peak, o->omega, 0.1 * tolerance);
  CHECK_CLOSE(s->zeta_phase, o->zeta, tolerance);
  CHECK_CLOSE(s->zeta_half, o->zeta, tolerance);
  CHECK_CLOSE(s->zeta_peak, o->zeta, tolerance);
  CHECK_CLOSE(s->height, fabs(o->Gamma * o->phi) / (2.0 * o->zeta), tolerance);
  CHECK_CLOSE(s->input, o->A, 1e-3);
  CHECK_CLOSE(s->point.q, o->A * s->height / (o->omega * o->omega), 2e-3);
  CHECK_CLOSE(s->point.zeta, o->zeta, tolerance);
  CHECK_BELOW(s->point.quality, 10.0 * tolerance);
}

/* Every kind of response, up and down, linear and logarithmic: the oscillator's own numbers. */
static void test_linear(void) {
  for (int way = 0; way < 4; way++) {
    oscillator o = usual;
    if (way % 2) o.f0 = usual.f1, o.f1 = usual.f0;
    o.logarithmic = way / 2;
    records r = simulate(&o);
    const double *x[] = { r.u, r.v, r.w };
    ms_signal a = signal_of(&r, r.a, o.dt, MS_SIGNAL_ACCELERATION);
    ms_sweep_settings set = settings_of(&o);
    for (int kind = 0; kind < 3; kind++) {
      ms_signal y = signal_of(&r, x[kind], o.dt, (ms_signal_kind)kind);
      ms_sweep s;
      if (!CHECK_OK(ms_signal_sweep(test_context(), &a, &y, &set, &s))) continue;
      check_linear(&o, &s, 2e-3);
      double f = o.omega / (2.0 * pi);
      double rate = o.logarithmic ? f * log(o.f1 / o.f0) / o.T : (o.f1 - o.f0) / o.T;
      double t = o.logarithmic ? o.T * log(f / o.f0) / log(o.f1 / o.f0) : (f - o.f0) / rate;
      CHECK_CLOSE(s.rate, rate, 0.02);
      CHECK_CLOSE(s.severity, fabs(rate) / (o.zeta * f * o.zeta * f), 0.02);
      CHECK_CLOSE(s.point.time, t, 5e-3);
      ms_sweep_free(test_context(), &s);
    }
    free(r.a);
  }
}

/* The transfer function itself, line by line, phase included. */
static void test_transfer(void) {
  const oscillator *o = &usual;
  records r = simulate(o);
  ms_signal a = signal_of(&r, r.a, o->dt, MS_SIGNAL_ACCELERATION);
  ms_signal y = signal_of(&r, r.v, o->dt, MS_SIGNAL_VELOCITY);
  ms_sweep_settings set = settings_of(o);
  ms_sweep s;
  double worst = 0.0;
  CHECK_OK(ms_signal_sweep(test_context(), &a, &y, &set, &s));
  for (ptrdiff_t k = 0; k < s.n; k++) {
    double w = 2.0 * pi * s.freq_hz[k], re = o->omega * o->omega - w * w;
    double im = 2.0 * o->zeta * o->omega * w, R = o->Gamma * o->phi * w * w / (re * re + im * im);
    worst = fmax(worst, hypot(s.G[2 * k] - R * re, s.G[2 * k + 1] + R * im) / (R * hypot(re, im)));
  }
  CHECK_BELOW(worst, 2e-2); /* at the ends of the range, where the sweep begins and ends */
  CHECK(s.freq_hz[0] > o->f0 && s.freq_hz[s.n - 1] < o->f1);
  ms_sweep_free(test_context(), &s);
  free(r.a);
}

/* A force: G changes its sign; without R there is no damping from the height. A negative R has the
   phase at +90 degrees, and is found as well. */
static void test_force(void) {
  for (int sign = -1; sign <= 1; sign += 2) {
    oscillator o = usual;
    o.phi *= sign;
    records r = simulate(&o);
    for (ptrdiff_t k = 0; k < r.n; k++) r.a[k] = -r.a[k]; /* F = -a */
    ms_signal a = signal_of(&r, r.a, o.dt, MS_SIGNAL_ACCELERATION);
    ms_signal y = signal_of(&r, r.w, o.dt, MS_SIGNAL_ACCELERATION);
    ms_sweep_settings set = settings_of(&o);
    ms_sweep s;
    set.input = MS_SWEEP_FORCE;
    CHECK_OK(ms_signal_sweep(test_context(), &a, &y, &set, &s));
    check_linear(&o, &s, 2e-3);
    ptrdiff_t k = 0;
    while (2.0 * pi * s.freq_hz[k] < o.omega) k++;
    CHECK(-sign * s.G[2 * k + 1] > 0.9 * s.height);
    ms_sweep_free(test_context(), &s);
    set.participation = 0.0;
    CHECK_OK(ms_signal_sweep(test_context(), &a, &y, &set, &s));
    CHECK(s.zeta_peak == 0.0);
    CHECK_CLOSE(s.point.zeta, o.zeta, 2e-3);
    ms_sweep_free(test_context(), &s);
    free(r.a);
  }
}

/* Noise of a tenth of the response's rms: smoothing helps. */
static void test_noise(void) {
  const oscillator *o = &usual;
  records r = simulate(o);
  ms_random random;
  double rms = 0.0, error[2];
  ms_random_start(&random, 5, 1);
  for (ptrdiff_t k = 0; k < r.n; k++) rms += r.w[k] * r.w[k] / (double)r.n;
  for (ptrdiff_t k = 0; k < r.n; k++) r.w[k] += 0.1 * sqrt(rms) * ms_random_normal(&random);
  ms_signal a = signal_of(&r, r.a, o->dt, MS_SIGNAL_ACCELERATION);
  ms_signal y = signal_of(&r, r.w, o->dt, MS_SIGNAL_ACCELERATION);
  for (int i = 0; i < 2; i++) {
    ms_sweep_settings set = settings_of(o);
    ms_sweep s;
    set.smooth = i ? 0.05 : 0.0;
    CHECK_OK(ms_signal_sweep(test_context(), &a, &y, &set, &s));
    CHECK_CLOSE(s.omega_phase, o->omega, 1e-3);
    CHECK_CLOSE(s.zeta_peak, o->zeta, 0.02);
    error[i] = s.point.quality;
    ms_sweep_free(test_context(), &s);
  }
  CHECK_BELOW(error[1], error[0]);
  free(r.a);
}

/* ---- how fast is too fast: the peak of the envelope against the severity ---- */

typedef struct passage {
  double severity, height, shift; /* of the peak over the steady one, and in half widths */
} passage;

static passage pass(double severity, int down) {
  oscillator o = usual;
  double f = o.omega / (2.0 * pi), rate = severity * o.zeta * f * o.zeta * f;
  o.T = (o.f1 - o.f0) / rate;
  if (down) o.f0 = usual.f1, o.f1 = usual.f0;
  records r = simulate(&o);
  ms_signal a = signal_of(&r, r.a, o.dt, MS_SIGNAL_ACCELERATION);
  ms_signal y = signal_of(&r, r.w, o.dt, MS_SIGNAL_ACCELERATION);
  ms_sweep_settings set = settings_of(&o);
  ms_sweep s;
  ms_decay envelope;
  passage p = { .height = 0.0 };
  if (CHECK_OK(ms_signal_sweep(test_context(), &a, &y, &set, &s))) {
    p.severity = s.severity;
    check_linear(&o, &s, 5e-3); /* the transfer function of a linear structure does not mind */
    CHECK_OK(ms_sweep_envelope(test_context(), &s, &y, &set, &envelope));
    for (ptrdiff_t i = 0; i < envelope.n; i++) {
      const ms_decay_point *d = &envelope.point[i];
      /* displacements: a late peak is at another frequency, where accelerations weigh more */
      double height = d->q * o.omega * o.omega / (o.A * o.Gamma * o.phi / (2.0 * o.zeta));
      if (height < p.height) continue;
      p.height = height;
      p.shift = (d->omega - o.omega) / (o.zeta * o.omega);
    }
    ms_decay_free(test_context(), &envelope);
  }
  ms_sweep_free(test_context(), &s);
  free(r.a);
  return p;
}

static void test_rate(void) {
  const double severity[] = { 1.0, 2.0, MS_SWEEP_LIMIT, 7.2, 14.4 };
  passage up[5];
  for (int i = 0; i < 5; i++) {
    up[i] = pass(severity[i], 0);
    passage down = pass(severity[i], 1);
    printf("# severity %.3g: height %.4f, %.4f; shift in half widths %.3f, %.3f\n", up[i].severity,
           up[i].height, down.height, up[i].shift, down.shift);
    CHECK_CLOSE(up[i].severity, severity[i], 0.03);
    CHECK_NEAR(up[i].height, down.height, 0.02);
    CHECK(up[i].shift > 0.0 && down.shift < 0.0); /* the peak comes late */
    if (i > 0) CHECK(up[i].height < up[i - 1].height && up[i].shift > up[i - 1].shift);
  }
  CHECK_NEAR(up[0].height, 1.0, 0.02);
  CHECK_NEAR(up[2].height, 0.94, 0.01); /* at the limit, as the manual says */
  CHECK_NEAR(up[2].shift, 0.9, 0.1);
}

/* ---- what is refused ---- */

static void refuse(const oscillator *o, const records *r, const ms_sweep_settings *set,
                   const char *word) {
  ms_signal a = signal_of(r, r->a, o->dt, MS_SIGNAL_ACCELERATION);
  ms_signal y = signal_of(r, r->w, o->dt, MS_SIGNAL_ACCELERATION);
  ms_sweep s;
  CHECK_STATUS(ms_signal_sweep(test_context(), &a, &y, set, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), word);
  CHECK(s.n == 0 && s.freq_hz == NULL && s.track.n == 0);
}

static void test_refused(void) {
  oscillator o = usual;
  o.T = 20.3;
  records r = simulate(&o);
  ms_sweep_settings set = settings_of(&o);
  set.low = 140.0;
  refuse(&o, &r, &set, "sweep wider");
  set.low = 131.0;
  refuse(&o, &r, &set, "half-power point below");
  set = settings_of(&o);
  set.smooth = -1.0;
  refuse(&o, &r, &set, "smooth");
  set = settings_of(&o);
  for (ptrdiff_t k = 0; k < r.n; k++) r.w[k] = r.u[k] + 0.3 * r.v[k] / o.omega;
  for (ptrdiff_t k = 0; k < r.n; k++) r.w[k] = -r.v[k]; /* a velocity said to be an acceleration */
  refuse(&o, &r, &set, "90 degrees");
  for (ptrdiff_t k = 0; k < r.n; k++) r.a[k] = 0.0;
  refuse(&o, &r, &set, "zero");
  ms_signal a = signal_of(&r, r.u, o.dt, MS_SIGNAL_ACCELERATION), y = a;
  ms_sweep s;
  y.n--;
  CHECK_STATUS(ms_signal_sweep(test_context(), &a, &y, &set, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "the same samples");
  y = a;
  y.dt *= 1.0 + 1e-7;
  CHECK_STATUS(ms_signal_sweep(test_context(), &a, &y, &set, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "the same samples");
  free(r.a);
}

static ms_status allocate(ms_context *ctx, void *user) {
  const records *r = user;
  ms_signal a = signal_of(r, r->a, usual.dt, MS_SIGNAL_ACCELERATION);
  ms_signal y = signal_of(r, r->w, usual.dt, MS_SIGNAL_ACCELERATION);
  ms_sweep_settings set = settings_of(&usual);
  ms_sweep s;
  ms_decay envelope;
  set.end = 20.3;
  MS_TRY(ms_signal_sweep(ctx, &a, &y, &set, &s));
  ms_status status = ms_sweep_envelope(ctx, &s, &y, &set, &envelope);
  ms_decay_free(ctx, &envelope);
  ms_sweep_free(ctx, &s);
  return status;
}

static void test_memory_fails(void) {
  oscillator o = usual;
  o.T = 20.3;
  records r = simulate(&o);
  CHECK(test_allocations(allocate, &r) >= 8);
  free(r.a);
}

int main(void) {
  TEST(test_linear);
  TEST(test_transfer);
  TEST(test_force);
  TEST(test_noise);
  TEST(test_rate);
  TEST(test_refused);
  TEST(test_memory_fails);
  return test_finish();
}
