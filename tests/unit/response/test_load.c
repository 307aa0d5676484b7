/* Loads: closed forms of pulses, phases of sweeps, levels of noise, what is refused. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <microslip/response.h>

#include "support/check.h"

static const double pi = 3.14159265358979323846;

/* Pairs of name and value, ended by NULL; a table may have been set before. */
static ms_load *make(const char *kind, ...) {
  ms_load *load = NULL;
  va_list args;
  CHECK_OK(ms_load_create(test_context(), kind, &load));
  va_start(args, kind);
  for (const char *name; load && (name = va_arg(args, const char *));) {
    CHECK_OK(ms_load_set(load, name, va_arg(args, double)));
  }
  va_end(args);
  return load;
}

static ms_load *ready(ms_load *load) {
  CHECK_OK(ms_load_setup(load));
  return load;
}

/* Simpson's rule over [a, b] of s(t)^power. */
static double integral(const ms_load *load, double a, double b, int power) {
  enum { N = 20000 };
  double h = (b - a) / N, sum = 0.0;
  for (int i = 0; i <= N; i++) {
    double s = ms_load_eval(load, a + h * i);
    sum += (i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0) * (power == 2 ? s * s : s);
  }
  return sum * h / 3.0;
}

static void test_half_sine(void) {
  ms_load *a = ready(make("half_sine", "amplitude", 2.385, "duration", 0.37, "start", 0.11, NULL));
  ms_load *b = ready(make("half_sine", "amplitude", 2.385, "omega", pi / 0.37, NULL));
  CHECK_CLOSE(ms_load_end(a), 0.48, 1e-15);
  CHECK_CLOSE(ms_load_end(b), 0.37, 1e-15);
  CHECK_CLOSE(integral(a, 0.11, 0.48, 1), 2.385 * 2.0 * 0.37 / pi, 1e-10);
  CHECK_CLOSE(ms_load_eval(a, 0.24), 2.385 * sin(pi * 0.13 / 0.37), 1e-14);
  CHECK_CLOSE(ms_load_eval(b, 0.13), ms_load_eval(a, 0.24), 1e-13);
  CHECK(ms_load_eval(a, 0.1099) == 0.0);
  CHECK(ms_load_eval(a, 0.4801) == 0.0);
  CHECK(ms_load_time_fn(b, 0.13) == ms_load_eval(b, 0.13));
  ms_load_destroy(&a);
  ms_load_destroy(&b);
}

static void test_haversine(void) {
  double f = 13.7, t = 0.021;
  ms_load *full = ready(make("haversine", "amplitude", -1.9, "frequency", f, NULL)), *half;
  half = make("haversine", "amplitude", -1.9, "frequency", f, NULL);
  CHECK_OK(ms_load_set_text(half, "lobe", "half"));
  ready(half);
  ms_load *same = ready(make("haversine", "amplitude", -1.9, "duration", 1.0 / f, NULL));
  CHECK_CLOSE(ms_load_end(full), 1.0 / f, 1e-15);
  CHECK_CLOSE(ms_load_end(half), 0.5 / f, 1e-15);
  CHECK_CLOSE(ms_load_eval(full, t), -1.9 * (1.0 - cos(2.0 * pi * f * t)) / 2.0, 1e-13);
  CHECK_CLOSE(ms_load_eval(half, t), -1.9 * pow(sin(2.0 * pi * f * t), 2.0), 1e-13);
  CHECK_CLOSE(ms_load_eval(same, t), ms_load_eval(full, t), 1e-14);
  CHECK_CLOSE(integral(full, 0.0, 1.0 / f, 1), -1.9 * 0.5 / f, 1e-10);
  CHECK_CLOSE(integral(half, 0.0, 0.5 / f, 1), -1.9 * 0.25 / f, 1e-10);
  ms_load_destroy(&full);
  ms_load_destroy(&half);
  ms_load_destroy(&same);
}

static void test_sine(void) {
  ms_load *s =
      ready(make("sine", "amplitude", 3.1, "frequency", 7.3, "phase", 0.4, "cycles", 2.5, NULL));
  CHECK_CLOSE(ms_load_eval(s, 0.19), 3.1 * sin(2.0 * pi * 7.3 * 0.19 + 0.4), 1e-13);
  CHECK_CLOSE(ms_load_end(s), 2.5 / 7.3, 1e-14);
  ms_load_destroy(&s);
  s = ready(make("sine", "amplitude", 3.1, "omega", 7.3, NULL));
  CHECK(ms_load_end(s) == HUGE_VAL);
  CHECK_CLOSE(ms_load_eval(s, 1019.0), 3.1 * sin(7.3 * 1019.0), 1e-10);
  ms_load_destroy(&s);
}

/* The frequency between two zeros next to each other is half over their distance; a zero is found
   by bisection. The exact phase gains pi from one zero to the next. */
static double next_zero(const ms_load *load, double t, double h) {
  double a = t, b = t + h, sa = ms_load_eval(load, a);
  while (sa * ms_load_eval(load, b) > 0.0) a = b, b += h;
  for (int i = 0; i < 80; i++) {
    double c = 0.5 * (a + b);
    if (sa * ms_load_eval(load, c) > 0.0)
      a = c;
    else
      b = c;
  }
  return 0.5 * (a + b);
}

static double swept(double f0, double f1, double T, int logarithmic, double t) {
  return logarithmic ? f0 * pow(f1 / f0, t / T) : f0 + (f1 - f0) * t / T;
}

static void check_sweep(double f0, double f1, int logarithmic) {
  double T = 41.3, t = 0.37, worst = 0.0;
  ms_load *s = make("sweep", "amplitude", 1.7, "from", f0, "to", f1, "duration", T, NULL);
  CHECK_OK(ms_load_set_text(s, "law", logarithmic ? "logarithmic" : "linear"));
  ready(s);
  CHECK_CLOSE(ms_load_end(s), T, 1e-15);
  double before = next_zero(s, t, 1e-3);
  for (int i = 0; i < 200; i++) {
    double zero = next_zero(s, before + 1e-6, 1e-3), f = 0.5 / (zero - before);
    double middle = swept(f0, f1, T, logarithmic, 0.5 * (zero + before));
    worst = fmax(worst, fabs(f / middle - 1.0));
    before = zero;
  }
  /* to second order in the relative change of the frequency over half a period: (0.05/2)^2 / 24 */
  CHECK_BELOW(worst, 5e-5);
  ms_load_destroy(&s);
}

static void test_sweep(void) {
  check_sweep(5.1, 23.7, 0);
  check_sweep(23.7, 5.1, 0);
  check_sweep(5.1, 23.7, 1);
  check_sweep(23.7, 5.1, 1);
  check_sweep(9.3, 9.3, 1);
}

/* The phase at the end is the whole number of turns that the mean frequency gives. */
static void test_sweep_turns(void) {
  double f0 = 5.1, f1 = 23.7, T = 41.3, t = T * (1.0 - 1e-12);
  ms_load *s = make("sweep", "amplitude", 1.0, "from", f0, "to", f1, "duration", T, NULL);
  CHECK_OK(ms_load_setup(s));
  CHECK_NEAR(ms_load_eval(s, t), sin(2.0 * pi * 0.5 * (f0 + f1) * T), 1e-8);
  CHECK_OK(ms_load_set_text(s, "law", "logarithmic"));
  CHECK_OK(ms_load_setup(s));
  CHECK_NEAR(ms_load_eval(s, t), sin(2.0 * pi * T * (f1 - f0) / log(f1 / f0)), 1e-8);
  ms_load_destroy(&s);
}

/* The phase is that at the start, wherever the start is. */
static void test_sweep_phase(void) {
  const double f0 = 5.1, f1 = 23.7, T = 41.3, t = 2.9;
  ms_load *s = ready(make("sweep", "amplitude", 1.7, "from", f0, "to", f1, "duration", T, "phase",
                          0.83, "start", 0.37, NULL));
  CHECK_CLOSE(ms_load_eval(s, 0.37), 1.7 * sin(0.83), 1e-14);
  CHECK_CLOSE(ms_load_eval(s, 0.37 + t),
              1.7 * sin(2.0 * pi * (f0 * t + 0.5 * (f1 - f0) * t * t / T) + 0.83), 1e-11);
  ms_load_destroy(&s);
}

static void test_multisine(void) {
  const double f[] = { 3.1, 11.9, 7.7 }, a[] = { 1.3, 0.7, 2.9 }, phase[] = { 0.2, -1.1, 2.4 };
  const double *const column[] = { f, a, phase };
  ms_load *given = make("multisine", NULL), *drawn[3];
  CHECK_OK(ms_load_set_table(given, 3, 3, column));
  ready(given);
  double want = 0.0, t = 0.83;
  for (int i = 0; i < 3; i++) want += a[i] * sin(2.0 * pi * f[i] * t + phase[i]);
  CHECK_CLOSE(ms_load_eval(given, t), want, 1e-13);
  CHECK_CLOSE(ms_load_get_scale(given).period, 1.0 / 11.9, 1e-14);
  for (int i = 0; i < 3; i++) {
    drawn[i] = make("multisine", "seed", i == 2 ? 18.0 : 17.0, NULL);
    CHECK_OK(ms_load_set_table(drawn[i], 3, 2, column));
    ready(drawn[i]);
  }
  CHECK(ms_load_eval(drawn[0], t) == ms_load_eval(drawn[1], t));
  CHECK(fabs(ms_load_eval(drawn[0], t) - ms_load_eval(drawn[2], t)) > 1e-3);
  /* over 10 s, a whole number of periods of each line and of each difference */
  CHECK_CLOSE(integral(drawn[0], 0.0, 10.0, 2) / 10.0, 0.5 * (1.69 + 0.49 + 8.41), 1e-9);
  for (int i = 0; i < 3; i++) ms_load_destroy(&drawn[i]);
  ms_load_destroy(&given);
}

static void test_noise(void) {
  double df = 0.37; /* low is a multiple of df, so that 1/df holds whole periods of all sums */
  ms_load *n = ready(make("noise", "rms", 2.385, "low", 3.0 * df, "high", 43.0 * df, "lines", 40.0,
                          "seed", 5.0, NULL));
  CHECK_CLOSE(sqrt(integral(n, 0.0, 1.0 / df, 2) * df), 2.385, 1e-9);
  double early = ms_load_eval(n, 0.71);
  ms_load *again = ready(make("noise", "rms", 2.385, "low", 3.0 * df, "high", 43.0 * df, "lines",
                              40.0, "seed", 5.0, NULL));
  CHECK(ms_load_eval(again, 0.71) == early);
  ms_load_destroy(&again);
  ms_load_destroy(&n);
}

/* G = G_0 (f/f_0)^-1.7: the mean square is its integral; midpoints of 400 bands are good to 1e-4.
   And with an rms value, that value. */
static void test_noise_shape(void) {
  const double f[] = { 4.3, 91.0 }, G[] = { 0.8, 0.8 * pow(91.0 / 4.3, -1.7) };
  const double *const column[] = { f, G };
  double df = (91.0 - 4.3) / 400.0, square = 0.8 * 4.3 / 0.7 * (1.0 - pow(91.0 / 4.3, -0.7));
  ms_load *n = make("noise", "lines", 400.0, "seed", 3.0, NULL);
  CHECK_OK(ms_load_set_table(n, 2, 2, column));
  ready(n);
  /* sums of two frequencies are not periodic in 2/df: their mean dies as 1/(f T) */
  CHECK_CLOSE(integral(n, 0.0, 8.0 / df, 2) * df / 8.0, square, 3e-3);
  CHECK_OK(ms_load_set(n, "rms", 1.9));
  ready(n);
  CHECK_CLOSE(integral(n, 0.0, 8.0 / df, 2) * df / 8.0, 1.9 * 1.9, 3e-3);
  ms_load_destroy(&n);
}

/* A flat density between f[0] and f[1], lines between `low` and `high`: those outside the density
   are zero, the others make G df each. All of them are halves of df, so that 1/df holds whole
   periods of all products. */
static void check_band(double from, double to, double inside) {
  const double df = 0.37, f[] = { from * df, to * df }, G[] = { 0.83, 0.83 };
  const double *const column[] = { f, G };
  ms_load *n = make("noise", "low", 3.0 * df, "high", 43.0 * df, "lines", 40.0, "seed", 7.0, NULL);
  CHECK_OK(ms_load_set_table(n, 2, 2, column));
  ready(n);
  CHECK_CLOSE(integral(n, 0.0, 1.0 / df, 2) * df, 0.83 * inside * df, 1e-9);
  CHECK_CLOSE(ms_load_get_spacing(n), df, 1e-14);
  ms_load_destroy(&n);
}

static void test_noise_band(void) {
  check_band(1.1, 90.0, 40.0);
  check_band(10.0, 90.0, 33.0);
  check_band(1.1, 21.0, 18.0);
}

/* Sines that last: zero from their end on, which is that of the duration behind the start. */
static void test_duration(void) {
  const double f[] = { 3.1, 11.9 }, a[] = { 1.3, 0.7 };
  const double *const column[] = { f, a };
  ms_load *load[2] = { make("multisine", "duration", 1.7, "start", 0.2, NULL),
                       make("noise", "rms", 2.385, "low", 3.0, "high", 19.0, "lines", 7.0,
                            "duration", 1.7, "start", 0.2, NULL) };
  CHECK_OK(ms_load_set_table(load[0], 2, 2, column));
  for (int i = 0; i < 2; i++) {
    ready(load[i]);
    CHECK_CLOSE(ms_load_begin(load[i]), 0.2, 1e-15);
    CHECK_CLOSE(ms_load_end(load[i]), 1.9, 1e-15);
    CHECK_CLOSE(ms_load_get_scale(load[i]).pulse, 1.7, 1e-15);
    CHECK(ms_load_eval(load[i], 1.8999) != 0.0 && ms_load_eval(load[i], 1.9001) == 0.0);
    ms_load_destroy(&load[i]);
  }
}

/* Many lines are summed by FFT: the same as the sum of the sines themselves, here with the phases
   that 40 lines of the same seed have (drawn one after the other), so at any time. */
static void test_many_lines(void) {
  enum { LINES = 40 };
  const double low = 1.3, high = 97.0, df = (high - low) / LINES, a = 2.385 * sqrt(2.0 / LINES);
  ms_load *n = ready(make("noise", "rms", 2.385, "low", low, "high", high, "lines", (double)LINES,
                          "seed", 5.0, NULL));
  for (int k = 0; k < 200; k++) {
    const double t =
        3.71e-4 * k * k; /* to 15 s, 35 times 1/df; rounding of 2 pi f t is 1e-12 there */
    ms_random rng;
    double want = 0.0;
    ms_random_start(&rng, 5, 0);
    for (int i = 0; i < LINES; i++) {
      const double phase = 2.0 * pi * ms_random_uniform(&rng);
      want += a * sin(2.0 * pi * (low + (i + 0.5) * df) * t + phase);
    }
    CHECK_NEAR(ms_load_eval(n, t), want, 2e-11);
  }
  CHECK_CLOSE(ms_load_get_spacing(n), df, 1e-14);
  ms_load_destroy(&n);
}

/* A value costs the same with a hundred thousand lines: 2e5 of them, which would be 2e10 sines. */
static void test_cheap(void) {
  ms_load *n = ready(make("noise", "rms", 1.7, "low", 20.0, "high", 2000.0, "lines", 1e5, NULL));
  double square = 0.0;
  for (int k = 0; k < 200000; k++) {
    const double x = ms_load_eval(n, 2.5e-4 * k);
    square += x * x / 200000.0;
  }
  CHECK_CLOSE(sqrt(square), 1.7,
              0.02); /* 5e4 half periods of the mean frequency: 0.3 % of scatter */
  ms_load_destroy(&n);
}

static void test_table(void) {
  const double t[] = { 0.11, 0.3, 0.9, 1.7 }, s[] = { 2.1, -0.7, 5.3, 1.9 };
  const double *const column[] = { t, s };
  ms_load *load = make("table", "scale", 1.5, "start", 0.2, NULL);
  CHECK_OK(ms_load_set_table(load, 4, 2, column));
  ready(load);
  CHECK_CLOSE(ms_load_eval(load, 0.2 + 0.45), 1.5 * (-0.7 + 6.0 * 0.25), 1e-13);
  CHECK_CLOSE(ms_load_eval(load, 0.2 + 1.3), 1.5 * 3.6, 1e-13);
  CHECK(ms_load_eval(load, 0.3) == 0.0);
  CHECK(ms_load_eval(load, 1.901) == 0.0);
  CHECK_CLOSE(ms_load_begin(load), 0.31, 1e-14);
  CHECK_CLOSE(ms_load_end(load), 1.9, 1e-14);
  ms_load_destroy(&load);
}

static void test_step(void) {
  ms_load *step = ready(make("step", "amplitude", -3.1, "rise", 0.6, "start", 0.2, NULL));
  ms_load *constant = ready(make("constant", "amplitude", 2.3, "duration", 1.7, NULL));
  CHECK(ms_load_eval(step, 0.19) == 0.0);
  CHECK_CLOSE(ms_load_eval(step, 0.5), -1.55, 1e-13);
  CHECK(ms_load_eval(step, 0.81) == -3.1);
  CHECK(ms_load_end(step) == HUGE_VAL);
  CHECK(ms_load_eval(constant, 1.69) == 2.3);
  CHECK(ms_load_eval(constant, 1.7) == 0.0);
  ms_load_destroy(&step);
  ms_load_destroy(&constant);
}

static void refused(ms_load *load, ms_status status, const char *words) {
  CHECK_STATUS(ms_load_setup(load), status);
  CHECK_HAS(ms_context_message(test_context()), words);
  CHECK(ms_load_eval(load, 0.1) == 0.0);
  ms_load_destroy(&load);
}

static void test_refused(void) {
  ms_context *ctx = test_context();
  ms_load *load = NULL;
  const double falls[] = { 0.1, 0.1 }, bad[] = { 1.0, NAN };
  CHECK_STATUS(ms_load_create(ctx, "half_sin", &load), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "half_sine");
  CHECK(load == NULL);
  load = make("half_sine", "amplitude", 2.3, NULL);
  CHECK_STATUS(ms_load_set(load, "duration", -0.1), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "> 0");
  CHECK_STATUS(ms_load_set(load, "amplitude", HUGE_VAL), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_load_set(load, "duraton", 0.1), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "duration");
  CHECK_STATUS(ms_load_set_table(load, 2, 2, (const double *const[]) { falls, falls }),
               MS_ERR_ARGUMENT);
  refused(load, MS_ERR_ARGUMENT, "duration");
  refused(make("half_sine", "amplitude", 1.3, "duration", 0.2, "omega", 3.0, NULL), MS_ERR_ARGUMENT,
          "duration and omega belong to different");
  load = make("haversine", "amplitude", 1.3, "frequency", 0.2, NULL);
  CHECK_STATUS(ms_load_set_text(load, "lobe", "third"), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "full|half");
  CHECK_STATUS(ms_load_set_text(load, "frequency", "fast"), MS_ERR_FORMAT);
  ms_load_destroy(&load);
  load = make("table", NULL);
  CHECK_STATUS(ms_load_set_table(load, 2, 2, (const double *const[]) { falls, bad }),
               MS_ERR_NUMERIC);
  CHECK_OK(ms_load_set_table(load, 2, 2, (const double *const[]) { falls, falls }));
  refused(load, MS_ERR_BOUNDS, "row 2");
  refused(make("table", NULL), MS_ERR_ARGUMENT, "time");
  const double rise[] = { 3.1, 7.3 }, zero[] = { 3.1, 0.0 }, one[] = { 1.7, 1.9 };
  load = make("multisine", NULL);
  CHECK_OK(ms_load_set_table(load, 2, 2, (const double *const[]) { zero, one }));
  refused(load, MS_ERR_BOUNDS, "frequency 2, 0, must be > 0");
  load = make("noise", NULL);
  CHECK_OK(ms_load_set_table(load, 2, 2, (const double *const[]) { falls, one }));
  refused(load, MS_ERR_BOUNDS, "row 2: frequencies must be > 0 and rise, densities be > 0");
  load = make("noise", NULL);
  CHECK_OK(ms_load_set_table(load, 2, 2, (const double *const[]) { rise, zero }));
  refused(load, MS_ERR_BOUNDS, "row 2: frequencies must be > 0 and rise, densities be > 0");
  load = make("noise", NULL);
  CHECK_OK(ms_load_set_table(load, 1, 2, (const double *const[]) { rise, one }));
  refused(load, MS_ERR_BOUNDS, "a density needs two points");
  refused(make("noise", "rms", 1.0, NULL), MS_ERR_ARGUMENT, "high");
  refused(make("noise", "rms", 1.0, "low", 3.0, "high", 2.0, NULL), MS_ERR_BOUNDS, "above low");
}

/* Every kind with its typical values: finite everywhere, nothing before its start, and the
   parameters say what they are. */
static void test_every_kind(void) {
  for (int k = 0; k < ms_load_count_kinds(); k++) {
    const ms_load_info *info = ms_load_get_kind(k);
    ms_load *load = make(info->name, NULL);
    for (int i = 0; i < info->n_param; i++) {
      const ms_param *p = &info->param[i];
      CHECK(p->name && p->unit && p->meaning && p->lower < p->upper);
      if (p->required && p->set < 2) CHECK_OK(ms_load_set(load, p->name, p->typical));
    }
    CHECK_TEXT(info->param[info->n_param - 1].name, "start");
    const ms_param_table *t = info->table;
    if (t) CHECK_OK(ms_load_set_table(load, t->rows, t->n_column, t->typical));
    CHECK_OK(ms_load_set(load, "start", 0.7e-3));
    ready(load);
    double largest = 0.0;
    for (int i = 0; i < 1000; i++) {
      double s = ms_load_eval(load, 1.3e-5 * i);
      CHECK(isfinite(s) && (1.3e-5 * i >= 0.7e-3 || s == 0.0));
      largest = fmax(largest, fabs(s));
    }
    CHECK(largest > 0.0);
    ms_load_destroy(&load);
  }
  CHECK(ms_load_get_kind(-1) == NULL && ms_load_get_kind(ms_load_count_kinds()) == NULL);
}

static ms_status make_noise(ms_context *ctx, void *user) {
  const double f[] = { 4.3, 91.0 }, *const column[] = { f, f };
  ms_load *load = NULL;
  (void)user;
  ms_status status = ms_load_create(ctx, "noise", &load);
  if (status == MS_SUCCESS) status = ms_load_set_table(load, 2, 2, column);
  if (status == MS_SUCCESS) status = ms_load_setup(load);
  ms_load_destroy(&load);
  return status;
}

static void test_memory_failures(void) {
  CHECK_EQUAL(test_allocations(make_noise, NULL), 4);
}

static void check_scale(ms_load *load, double pulse, double period) {
  ms_load_scale scale = ms_load_get_scale(ready(load));
  if (isfinite(pulse)) CHECK_CLOSE(scale.pulse, pulse, 1e-12);
  if (isfinite(period)) CHECK_CLOSE(scale.period, period, 1e-12);
  CHECK_EQUAL(isfinite(scale.pulse), isfinite(pulse));
  CHECK_EQUAL(isfinite(scale.period), isfinite(period));
  ms_load_destroy(&load);
}

static ms_load *make_table(ptrdiff_t n, const double *t, const double *y) {
  ms_load *load = make("table", NULL);
  CHECK_OK(ms_load_set_table(load, n, 2, (const double *const[]) { t, y }));
  return load;
}

/* What time steps have to resolve. */
static void test_scale(void) {
  const double no = HUGE_VAL, t[] = { 0.1, 0.2, 0.4, 0.5, 7.3 }, y[] = { 0.0, 3.1, 3.1, 0.0, 0.0 };
  double time[500], wave[500];
  check_scale(make("half_sine", "amplitude", 2.0, "duration", 0.37, "start", 5.1, NULL), 0.37, no);
  check_scale(make("haversine", "amplitude", 2.0, "frequency", 13.7, NULL), 1.0 / 13.7, no);
  check_scale(make("sine", "amplitude", 2.0, "frequency", 13.7, NULL), no, 1.0 / 13.7);
  check_scale(make("sine", "amplitude", 2.0, "omega", 3.7, "cycles", 0.25, NULL), 0.5 * pi / 3.7,
              2.0 * pi / 3.7);
  check_scale(make("sweep", "amplitude", 2.0, "from", 31.0, "to", 13.7, "duration", 5.3, NULL), 5.3,
              1.0 / 31.0);
  check_scale(make("noise", "rms", 2.0, "low", 3.0, "high", 31.0, NULL), no, 1.0 / 31.0);
  check_scale(make("step", "amplitude", 2.0, NULL), no, no);
  check_scale(make_table(5, t, y), 0.3, no); /* a trapezium, and a long rest */
  for (int i = 0; i < 500; i++) {            /* with noise, which has no period */
    time[i] = 0.01 * i;
    wave[i] = sin(2.0 * pi * (0.01 * i + 0.003)) + 0.02 * cos(3.0 * i);
  }
  ms_load *load = ready(make_table(500, time, wave));
  CHECK_CLOSE(ms_load_get_scale(load).period, 2.0 * 4.99 / 9.0, 1e-12);
  CHECK_CLOSE(ms_load_get_scale(load).pulse, 4.99 * 2.0 / pi, 0.03);
  ms_load_destroy(&load);
}

/* The keys of a study file: columns of a table or a file, and a mode where there is an omega. */
static const ms_param *find_key(const char *kind, const char *name, ms_param *row) {
  for (int k = 0; k < ms_load_count_kinds(); k++) {
    const ms_load_info *info = ms_load_get_kind(k);
    if (strcmp(info->name, kind) != 0) continue;
    const int n = ms_load_list_keys(info, row);
    for (int i = 0; i < n; i++) {
      if (strcmp(row[i].name, name) == 0) return &row[i];
    }
  }
  return NULL;
}

static void test_keys(void) {
  ms_param row[MS_LOAD_MAX_KEYS];
  const ms_param *p = find_key("table", "value", row);
  CHECK(p && p->kind == MS_PARAM_NUMBERS && p->required && p->set == 1);
  CHECK_TEXT(p->unit, "load");
  p = find_key("table", "file", row);
  CHECK(p && p->kind == MS_PARAM_PATH && p->required && p->set == 2);
  p = find_key("multisine", "phase", row);
  CHECK(p && p->kind == MS_PARAM_NUMBERS && !p->required && p->set == 0);
  p = find_key("noise", "density", row);
  CHECK(p && !p->required && p->set == 0);
  p = find_key("half_sine", "pulse_mode", row);
  CHECK(p && p->kind == MS_PARAM_COUNT && p->required && p->set == 3 && p->lower == 1.0);
  p = find_key("sine", "pulse_mode", row);
  CHECK(p && p->set == 3);
  CHECK(!find_key("haversine", "pulse_mode", row));
  CHECK(!find_key("step", "file", row));
  CHECK(find_key("step", "start", row) != NULL);
}

int main(void) {
  TEST(test_half_sine);
  TEST(test_haversine);
  TEST(test_sine);
  TEST(test_sweep);
  TEST(test_sweep_turns);
  TEST(test_sweep_phase);
  TEST(test_multisine);
  TEST(test_noise);
  TEST(test_noise_shape);
  TEST(test_noise_band);
  TEST(test_duration);
  TEST(test_many_lines);
  TEST(test_cheap);
  TEST(test_table);
  TEST(test_step);
  TEST(test_scale);
  TEST(test_refused);
  TEST(test_every_kind);
  TEST(test_keys);
  TEST(test_memory_failures);
  return test_finish();
}
