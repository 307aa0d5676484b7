/* Force-state mapping: the joint's own loop comes back from harmonic balance, deviations cover what
   noise does. */
#include <math.h>
#include <microslip/force_state.h>
#include <microslip/harmonic.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"

enum { N = 5, H = 9, P = 2 * H + 1, SENSORS = 3, SAMPLES = 1400 };

static const double pi = 3.14159265358979323846;
static const double dt = 0.00931, time_0 = 0.371;

/* ---- structure ---- */

static void take(ms_structure *s, const char *name, ms_joint *joint, int axes, ptrdiff_t from,
                 ptrdiff_t to) {
  const ptrdiff_t a[3] = { from, MS_GROUND, MS_GROUND }, b[3] = { to, 3, 3 };
  CHECK(joint && ms_joint_info(joint)->n_axis == axes);
  CHECK_OK(ms_structure_take_joint(s, name, &joint, a, b));
}

/* Five masses on ground; the joint of interest between the second and the third (its normal axis,
   if it has one, under the fourth), and a spring with dashpot that stays as it is. */
static ms_structure *make(ms_joint *joint, int full_damping, double dashpot) {
  const double m[N] = { 1.31, 0.83, 1.17, 0.71, 0.97 };
  const double k[N] = { 412.0, 371.0, 290.0, 355.0, 433.0 };
  const double zeta[N] = { 0.0041, 0.0063, 0.0087, 0.0052, 0.0071 };
  double C[N * N] = { 0.0 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
  for (ptrdiff_t i = 0; i < N; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m[i]));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, i == 2 ? 31.7 : k[i]));
    C[i + N * i] = 0.13 + 0.05 * (double)i;
  }
  C[1] = C[N] = -0.041;
  take(s, "lap", joint, ms_joint_info(joint)->n_axis, 1, 2);
  take(s, "foot", test_joint("linear", "K", 93.0, "C", dashpot, NULL), 1, MS_GROUND, 4);
  CHECK_OK(full_damping ? ms_structure_set_damping(s, C) : ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_joint *iwan(void) {
  return test_joint("iwan4", "F_S", 8.3, "K_T", 263.0, "chi", -0.41, "beta", 0.77, NULL);
}

/* ---- places ---- */

static const double drive[N] = { 0.0, 0.0, 0.0, 1.0, 0.0 };
static const double place[SENSORS][N] = { { 0.0, 0.0, 0.0, 1.0, 0.0 },
                                          { 1.0, 0.0, 0.0, 0.0, 0.0 },
                                          { 0.0, 0.0, 0.87, 0.0, 0.31 } };
static const ms_signal_kind kind[SENSORS] = { MS_SIGNAL_ACCELERATION, MS_SIGNAL_VELOCITY,
                                              MS_SIGNAL_DISPLACEMENT };

typedef struct test_case {
  ms_structure *structure;
  double omega, loss;
  double z[2 * P], f[2 * P];            /* the joint's own */
  double u[N][P], x[SENSORS][P], force; /* coordinates, sensors; amplitude of the drive */
  double signal[SENSORS][SAMPLES], driven[SAMPLES];
  const double *channel[SENSORS];
  ms_force_state_sensor sensor[SENSORS];
  ms_force_state_request request;
  ms_force_state_record record;
  ms_force_state_setting setting;
} test_case;

static double sample(const double *x, double omega, double t, int derivative) {
  double sum = derivative ? 0.0 : x[0];
  for (int k = 1; k <= H; k++) {
    const double w = k * omega, a = x[2 * k - 1], b = x[2 * k], c = cos(w * t), s = sin(w * t);
    if (derivative == 1) sum += w * (b * c - a * s);
    if (derivative != 1) sum += (derivative ? -w * w : 1.0) * (a * c + b * s);
  }
  return sum;
}

static void recover(const test_case *c, const double *weights, double *x) {
  for (int i = 0; i < P; i++) {
    x[i] = 0.0;
    for (int n = 0; n < N; n++) x[i] += weights[n] * c->u[n][i];
  }
}

/* Steady vibration by harmonic balance. */
static void solve(test_case *c) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic_range range = { .from = c->omega, .to = c->omega * 1.0000001 };
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  setting.harmonics = H;
  setting.times = 128; /* what the loop is does not matter here, only that it balances */
  setting.stability_modes = 0;
  setting.tolerance = 1e-12;
  CHECK_OK(ms_harmonic_create(c->structure, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, drive, 1, c->force, 0.37));
  CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
  const int axes = ms_joint_info(ms_structure_get_joint(c->structure, 0))->n_axis;
  memcpy(c->z, ms_harmonic_curve_get_joints(curve, 0), sizeof(double) * (size_t)(P * axes));
  memcpy(c->f, ms_harmonic_curve_get_forces(curve, 0), sizeof(double) * (size_t)(P * axes));
  c->omega = ms_harmonic_curve_get_point(curve, 0)->omega;
  c->loss = ms_harmonic_curve_get_loss(curve, 0, 0);
  for (int i = 0; i < N; i++) {
    double weights[N] = { 0.0 };
    weights[i] = 1.0;
    CHECK_OK(ms_harmonic_recover(h, curve, 0, weights, c->u[i]));
  }
  for (int s = 0; s < SENSORS; s++) recover(c, place[s], c->x[s]);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
}

static void record(test_case *c) {
  for (int i = 0; i < SAMPLES; i++) {
    const double t = time_0 + i * dt;
    c->driven[i] = c->force * cos(c->omega * t + 0.37) + 0.91; /* and an offset, as sensors have */
    for (int s = 0; s < SENSORS; s++) c->signal[s][i] = sample(c->x[s], c->omega, t, (int)kind[s]);
  }
}

static void start_on(test_case *c, ms_structure *structure, double force) {
  *c = (test_case) { .structure = structure, .force = force };
  c->omega = 0.9873 * ms_structure_get_stuck(c->structure).omega[0];
  solve(c);
  record(c);
  for (int s = 0; s < SENSORS; s++) {
    c->channel[s] = c->signal[s];
    c->sensor[s] = (ms_force_state_sensor) { place[s], kind[s], 0.0 };
  }
  c->request = (ms_force_state_request) { 0, drive, SENSORS, c->sensor };
  c->record = (ms_force_state_record) { SAMPLES, dt, time_0, c->driven, c->channel };
  c->setting = (ms_force_state_setting)MS_FORCE_STATE_DEFAULT;
  c->setting.omega = c->omega;
  c->setting.periods = 5;
}

static void start_with(test_case *c, ms_joint *joint, int full, double dashpot, double force) {
  start_on(c, make(joint, full, dashpot), force);
}

static void start(test_case *c, ms_joint *joint, int full, double force) {
  start_with(c, joint, full, 0.071, force);
}

static ms_status map(test_case *c, ms_force_state *out) {
  return ms_force_state_map(c->structure, &c->request, &c->record, &c->setting, out);
}

/* Largest difference of mapped and own coefficients over the size of the first harmonic. */
static double compare(const double *found, const double *own) {
  double worst = 0.0;
  for (int i = 0; i < 2 * H; i++) worst = fmax(worst, fabs(found[i] - own[i + 1]));
  return worst / hypot(own[1], own[2]);
}

static double own_loss(const test_case *c) {
  double D = 0.0;
  for (int k = 1; k <= H; k++) {
    D += pi * k * (c->f[2 * k - 1] * c->z[2 * k] - c->f[2 * k] * c->z[2 * k - 1]);
  }
  return D;
}

/* ---- tests ---- */

static void test_linear(void) {
  static test_case c;
  ms_force_state s;
  start(&c, test_joint("linear", "K", 263.0, "C", 0.083, NULL), 0, 3.1);
  CHECK_OK(map(&c, &s));
  CHECK_BELOW(compare(s.z, c.z), 1e-9);
  CHECK_BELOW(compare(s.f, c.f), 1e-9);
  CHECK_CLOSE(s.stiffness.value, 263.0, 1e-9);
  CHECK_CLOSE(s.amplitude.value, hypot(c.z[1], c.z[2]), 1e-9);
  CHECK_CLOSE(s.loss.value, pi * 0.083 * c.omega * (c.z[1] * c.z[1] + c.z[2] * c.z[2]), 1e-8);
  CHECK_CLOSE(s.K_T, 263.0, 1e-15);
  CHECK_CLOSE(s.force, 3.1, 1e-12);
  CHECK_EQUAL(s.has_normal, 0);
  ms_force_state_free(test_context(), &s);
  CHECK(!s.z && !s.used);
  ms_structure_destroy(&c.structure);
}

static void check_iwan(int full) {
  static test_case c;
  ms_force_state s;
  double z, f;
  start(&c, iwan(), full, 1.13);
  CHECK_OK(map(&c, &s));
  printf("# |z_1| %.3g m, |f_1| %.3g N, |f_3| %.2g N, condition %.2g to %.2g, used %d\n",
         hypot(c.z[1], c.z[2]), hypot(c.f[1], c.f[2]), hypot(c.f[5], c.f[6]), s.condition[0],
         s.condition[H - 1], s.n_used);
  printf("# errors: z %.2g, f %.2g, loss %.2g\n", compare(s.z, c.z), compare(s.f, c.f),
         fabs(s.loss.value / own_loss(&c) - 1.0));
  CHECK_BELOW(compare(s.z, c.z), 1e-8);
  CHECK_BELOW(compare(s.f, c.f), 1e-8);
  CHECK_CLOSE(s.loss.value, own_loss(&c), 1e-8);
  CHECK_BELOW(s.mismatch, 1e-9);
  CHECK_BELOW(s.residual, 1e-10);
  CHECK_CLOSE(s.end, time_0 + (SAMPLES - 1) * dt, 1e-12);
  ms_force_state_eval(&s, 0, 5.173, &z, &f);
  CHECK_CLOSE(z, sample(c.z, c.omega, 5.173, 0) - c.z[0], 1e-7);
  CHECK_CLOSE(f, sample(c.f, c.omega, 5.173, 0) - c.f[0], 1e-7);
  CHECK(hypot(c.f[5], c.f[6]) > 0.003 * hypot(c.f[1], c.f[2])); /* there is something to find */
  ms_force_state_free(test_context(), &s);
  ms_structure_destroy(&c.structure);
}

static void test_iwan(void) {
  check_iwan(0);
}

static void test_full_damping(void) {
  check_iwan(1);
}

/* The plain way is exact where sensors see all modes, and not where they do not. */
static void test_plain(void) {
  static test_case c;
  static double more[2][SAMPLES];
  const double extra[2][N] = { { 0.0, 1.0, 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 0.0, 1.0 } };
  const double *channel[N];
  double x[2][P];
  ms_force_state_sensor sensor[N];
  ms_force_state few, all, exact;
  start_with(&c, iwan(), 0, 0.0, 1.13);
  CHECK_OK(map(&c, &exact));
  c.setting.method = MS_FORCE_STATE_PLAIN;
  CHECK_OK(map(&c, &few));
  for (int s = 0; s < 2; s++) {
    recover(&c, extra[s], x[s]);
    for (int i = 0; i < SAMPLES; i++) more[s][i] = sample(x[s], c.omega, time_0 + i * dt, 2);
  }
  for (int s = 0; s < N; s++) {
    sensor[s] = s < SENSORS
                    ? c.sensor[s]
                    : (ms_force_state_sensor) { extra[s - SENSORS], MS_SIGNAL_ACCELERATION, 0.0 };
    channel[s] = s < SENSORS ? c.signal[s] : more[s - SENSORS];
  }
  c.request.sensor = sensor;
  c.request.n_sensor = N;
  c.record.sensor = channel;
  CHECK_OK(map(&c, &all));
  printf("# plain, 3 of 5 modes: z %.2g, f %.2g, loss %.2g; exact: z %.2g, f %.2g, loss %.2g\n",
         compare(few.z, c.z), compare(few.f, c.f), few.loss.value / own_loss(&c) - 1.0,
         compare(exact.z, c.z), compare(exact.f, c.f), exact.loss.value / own_loss(&c) - 1.0);
  CHECK_BELOW(compare(all.z, c.z), 1e-8);
  CHECK_BELOW(compare(all.f, c.f), 1e-8);
  CHECK(compare(few.f, c.f) > 1e-3);
  ms_force_state_free(test_context(), &few);
  ms_force_state_free(test_context(), &all);
  ms_force_state_free(test_context(), &exact);
  ms_structure_destroy(&c.structure);
}

/* ---- noise ---- */

/* Over many draws of the noise the deviations stated are those that happen. */
static void test_coverage(void) {
  enum { DRAWS = 200 };
  static test_case c;
  static double clean[SENSORS + 1][SAMPLES];
  const double share[SENSORS + 1] = { 0.011, 0.008, 0.013, 0.009 };
  double square[5] = { 0.0 }, mean[5] = { 0.0 }, misfit = 0.0, size[SENSORS + 1] = { 0.0 };
  ms_random random;
  ms_random_start(&random, 7193, 0);
  start(&c, iwan(), 0, 1.13);
  const double truth_loss = own_loss(&c);
  ms_force_state exact, s;
  CHECK_OK(map(&c, &exact));
  for (int r = 0; r <= SENSORS; r++) {
    memcpy(clean[r], r ? c.signal[r - 1] : c.driven, sizeof clean[r]);
    for (int i = 0; i < SAMPLES; i++) size[r] = fmax(size[r], fabs(clean[r][i]));
  }
  for (int draw = 0; draw < DRAWS; draw++) {
    for (int r = 0; r <= SENSORS; r++) {
      double *to = r ? c.signal[r - 1] : c.driven;
      for (int i = 0; i < SAMPLES; i++) {
        to[i] = clean[r][i] + share[r] * size[r] * ms_random_normal(&random);
      }
    }
    CHECK_OK(map(&c, &s));
    const double u[5] = { (s.loss.value - truth_loss) / s.loss.deviation,
                          (s.amplitude.value - exact.amplitude.value) / s.amplitude.deviation,
                          (s.z[0] - c.z[1]) / s.z_noise[0], (s.f[1] - c.f[2]) / s.f_noise[0],
                          s.stored.value / s.stored.deviation };
    CHECK(ms_force_state_is_steady(&s));
    for (int i = 0; i < 5; i++) square[i] += u[i] * u[i] / DRAWS, mean[i] += u[i] / DRAWS;
    misfit += s.misfit * s.misfit / DRAWS;
    if (draw == 0) {
      printf("# loss %.4g +- %.2g J, %d harmonics\n", s.loss.value, s.loss.deviation, s.n_used);
    }
    ms_force_state_free(test_context(), &s);
  }
  for (int i = 0; i < 5; i++) {
    printf("# rms %.3f, mean %.3f deviations\n", sqrt(square[i]), mean[i]);
    CHECK_CLOSE(sqrt(square[i]), 1.0, 0.15); /* three times 1/sqrt(2 DRAWS) */
  }
  CHECK_CLOSE(sqrt(misfit), 1.0, 0.15);
  ms_force_state_free(test_context(), &exact);
  ms_structure_destroy(&c.structure);
}

/* ---- drift ---- */

/* Mean over a period of kinetic and elastic energy of the stuck structure, out of the coordinates
   and of what make() puts together. */
static double energy_of(const test_case *c) {
  const double m[N] = { 1.31, 0.83, 1.17, 0.71, 0.97 };
  const double k[N] = { 412.0, 371.0, 31.7 + 263.0, 355.0, 433.0 };
  double E = 0.0;
  for (int i = 1; i < P; i++) {
    const double w = (i + 1) / 2 * c->omega;
    E += 0.25 * 93.0 * c->u[4][i] * c->u[4][i]; /* the foot */
    for (int n = 0; n < N; n++) {
      const double stretch = c->u[n][i] - (n > 0 ? c->u[n - 1][i] : 0.0);
      E += 0.25 * (k[n] * stretch * stretch + m[n] * pow(w * c->u[n][i], 2.0));
    }
  }
  return E;
}

/* The same motion, growing and turning at rates g (1/s) and a (rad/s). */
static void let_drift(test_case *c, double g, double a, double middle) {
  for (int i = 0; i < SAMPLES; i++) {
    const double t = time_0 + i * dt, grow = 1.0 + g * (t - middle), later = t + a * t / c->omega;
    c->driven[i] = grow * c->force * cos(c->omega * later + 0.37);
    for (int r = 0; r < SENSORS; r++) {
      c->signal[r][i] = grow * sample(c->x[r], c->omega, later, (int)kind[r]);
    }
  }
}

/* Then the energy is known, and that it grows. */
static void check_drift(int full, double g, double a, double tolerance) {
  static test_case c;
  ms_force_state still, s;
  start(&c, iwan(), full, 1.13);
  CHECK_OK(map(&c, &still));
  CHECK_BELOW(fabs(still.stored.value), 1e-9 * still.loss.value);
  CHECK(ms_force_state_is_steady(&still));
  const double T = 2.0 * pi / c.omega, E = energy_of(&c);
  const double stored = 2.0 * g * T * E;
  const double stiffened = -2.0 * a * T * E / (pi * (c.z[1] * c.z[1] + c.z[2] * c.z[2]));
  let_drift(&c, g, a, time_0 + (SAMPLES - 1) * dt - 2.0 * T); /* 2 T: half of four periods */
  CHECK_OK(map(&c, &s));
  printf("# stored %.4g, %.4g J; loss %.4g +- %.2g J; stiffened %.4g, %.4g N/m; drift %.3g, %.3g\n",
         s.stored.value, stored, s.loss.value, s.loss.deviation, s.stiffened.value, stiffened,
         s.drift, hypot(g, a) * T);
  if (g != 0.0) CHECK_CLOSE(s.stored.value, stored, tolerance);
  if (a != 0.0) CHECK_CLOSE(s.stiffened.value, stiffened, tolerance);
  CHECK_CLOSE(s.drift, hypot(g, a) * T, tolerance);
  CHECK(s.loss.deviation >= 0.9 * fabs(stored));
  CHECK(s.stiffness.deviation >= 0.9 * fabs(stiffened));
  CHECK_EQUAL(ms_force_state_is_steady(&s),
              fabs(stored) < 0.05 * s.loss.value && fabs(stiffened) < 0.05 * s.stiffness.value);
  ms_force_state_free(test_context(), &still);
  ms_force_state_free(test_context(), &s);
  ms_structure_destroy(&c.structure);
}

static void test_drift(void) {
  check_drift(0, 0.00137, 0.0, 0.01);
  check_drift(0, -0.0521, 0.0, 0.02);
  check_drift(1, 0.0113, 0.0, 0.03);
  check_drift(0, 0.0, 0.00071, 0.01);
}

/* One sensor with much noise: higher harmonics drown, the first does not. */
static void test_left_out(void) {
  static test_case c;
  ms_force_state s;
  start(&c, iwan(), 0, 1.13);
  c.request.n_sensor = 1;
  c.sensor[0].noise = 0.31;
  CHECK_OK(map(&c, &s));
  CHECK_BELOW(s.n_used, H);
  CHECK_EQUAL(s.used[0], 1);
  int count = 0;
  for (int k = 0; k < H; k++) {
    count += s.used[k];
    const double size = hypot(s.f[0], s.f[1]);
    CHECK_EQUAL(s.used[k], k == 0 || s.f_noise[k] <= c.setting.worst * size);
    CHECK(s.used[k] || (s.z[2 * k] == 0.0 && s.f[2 * k + 1] == 0.0));
  }
  CHECK_EQUAL(count, s.n_used);
  CHECK_EQUAL(s.misfit == 0.0, 1); /* one sensor for one unknown */
  ms_force_state_free(test_context(), &s);
  ms_structure_destroy(&c.structure);
}

/* The frequency is found in the record of the force. */
static void test_frequency(void) {
  static test_case c;
  ms_force_state s;
  start(&c, iwan(), 0, 1.13);
  c.setting.omega = 0.0;
  CHECK_OK(map(&c, &s));
  CHECK_CLOSE(s.omega, c.omega, 1e-11);
  CHECK_BELOW(compare(s.f, c.f), 1e-7);
  ms_force_state_free(test_context(), &s);
  ms_structure_destroy(&c.structure);
}

/* ---- a normal axis ---- */

static ms_joint *loaded(double preload) {
  const ms_joint_normal normal = { .K_n = 127.0, .N_0 = preload, .N_ref = 3.7 };
  ms_joint *law = iwan(), *joint = NULL;
  CHECK_OK(ms_joint_create_loaded(test_context(), &law, &normal, &joint));
  return joint;
}

/* In contact the normal axis is a spring, so that holding it stuck is right; where it lifts off it
   must be sought. */
static void check_loaded(double preload, int axes, double tolerance) {
  static test_case c;
  ms_force_state s;
  double low = HUGE_VAL, high = -HUGE_VAL;
  start(&c, loaded(preload), 0, 1.13);
  c.setting.axes = axes;
  CHECK_OK(map(&c, &s));
  CHECK_EQUAL(s.axes, axes ? axes : 2);
  CHECK_EQUAL(s.n_axis, 2);
  CHECK_EQUAL(s.has_normal, 1);
  for (int i = 0; i < 20000; i++) {
    const double load = preload + sample(c.f + P, c.omega, i * 2.0 * pi / c.omega / 20000.0, 0);
    low = fmin(low, load - c.f[P]), high = fmax(high, load - c.f[P]);
  }
  printf("# N %.3g to %.3g N; errors: f %.2g, N %.2g\n", low, high, compare(s.f, c.f),
         compare(s.f + 2 * H, c.f + P));
  CHECK_BELOW(compare(s.f, c.f), tolerance);
  CHECK_BELOW(compare(s.f + 2 * H, c.f + P), tolerance);
  CHECK_CLOSE(s.loss.value, own_loss(&c), tolerance);
  CHECK_NEAR(s.N_min.value, low, tolerance * (high - low));
  CHECK_NEAR(s.N_max.value, high, tolerance * (high - low));
  ms_force_state_free(test_context(), &s);
  ms_structure_destroy(&c.structure);
}

static void test_normal_axis(void) {
  check_loaded(31.3, 0, 1e-6);
  check_loaded(31.3, 1, 1e-6);
  check_loaded(1.9, 2, 1e-6); /* lifts off */
}

static void refuse(test_case *c, ms_status status, const char *part) {
  ms_force_state s;
  CHECK_STATUS(map(c, &s), status);
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK(!s.z && !s.used);
}

/* The same, and it can be told from the length of the record alone. */
static void refuse_early(test_case *c, ms_status status, const char *part) {
  refuse(c, status, part);
  ms_context_clear_message(test_context());
  CHECK_STATUS(
      ms_force_state_check(c->structure, &c->request, c->record.n, c->record.dt, &c->setting),
      status);
  CHECK_HAS(ms_context_message(test_context()), part);
}

/* ---- curvature ---- */

static const double bow[N * N] = { 0.31, -0.11, 0.0,   0.0,  0.0,   -0.11, 0.47, -0.13, 0.0,
                                   0.0,  0.0,   -0.13, 0.39, -0.17, 0.0,   0.0,  0.0,   -0.17,
                                   0.53, -0.07, 0.0,   0.0,  0.0,   -0.07, 0.23 };

static double bowed(const test_case *c, double t) { /* u^T G u/2 */
  double u[N], sum = 0.0;
  for (int i = 0; i < N; i++) u[i] = sample(c->u[i], c->omega, t, 0);
  for (int i = 0; i < N * N; i++) sum += 0.5 * u[i % N] * bow[i] * u[i / N];
  return sum;
}

/* The joint's displacement out of the coordinates. */
static void find_bowed(test_case *c) {
  enum { TIMES = 8 * H };
  for (int i = 0; i < P; i++) c->z[i] = c->u[2][i] - c->u[1][i];
  for (int i = 0; i < TIMES; i++) {
    const double t = 2.0 * pi * i / (TIMES * c->omega), s = bowed(c, t) / TIMES;
    c->z[0] += s;
    for (int k = 1; k <= H; k++) {
      c->z[2 * k - 1] += 2.0 * s * cos(k * c->omega * t);
      c->z[2 * k] += 2.0 * s * sin(k * c->omega * t);
    }
  }
}

static void start_bowed(test_case *c, ms_joint *joint, double force) {
  ms_structure *s = make(joint, 0, 0.071);
  CHECK_OK(ms_structure_set_curvature(s, 0, 0, bow, 0));
  CHECK_OK(ms_structure_setup(s));
  start_on(c, s, force);
  find_bowed(c);
}

/* A spring has the mean of a stuck joint: its loop is found, and without the curvature would not.
 */
static void test_curvature(void) {
  static test_case c;
  ms_force_state s;
  start_bowed(&c, test_joint("linear", "K", 263.0, "C", 0.0, NULL), 0.61);
  c.setting.force_mean = c.f[0];
  CHECK_OK(map(&c, &s));
  printf("# means %.2g m, %.2g N; second harmonic %.2g of the first; errors: z %.2g, f %.2g\n",
         c.z[0], c.f[0], hypot(c.z[3], c.z[4]) / hypot(c.z[1], c.z[2]), compare(s.z, c.z),
         compare(s.f, c.f));
  CHECK(hypot(c.z[3], c.z[4]) > 0.01 * hypot(c.z[1], c.z[2]));
  CHECK_BELOW(compare(s.z, c.z), 1e-10);
  CHECK_BELOW(compare(s.f, c.f), 1e-10);
  CHECK_BELOW(s.mismatch, 1e-10);
  CHECK(s.curvature_residual > 0.0);
  CHECK_BELOW(s.curvature_residual, 1.1e-13);
  CHECK_CLOSE(s.stiffness.value, 263.0, 1e-10);
  ms_force_state_free(test_context(), &s);
  c.setting.method = MS_FORCE_STATE_PLAIN;
  refuse_early(&c, MS_ERR_ARGUMENT, "joint lap has curvature");
  c.setting.method = MS_FORCE_STATE_EXACT;
  c.request.joint = 1;
  refuse_early(&c, MS_ERR_ARGUMENT, "joint lap has curvature");
  ms_structure_destroy(&c.structure);
}

/* The same with slip, up to what f has above harmonic H: that times y is in the balance's
   harmonics. And a mean that nobody knows costs a little. */
static void test_curvature_and_slip(void) {
  static test_case c;
  ms_force_state s;
  start_bowed(&c, iwan(), 0.61);
  for (int known = 0; known < 2; known++) {
    const double near_z = known ? 1e-5 : 2e-4, near_f = known ? 5e-5 : 2e-4;
    c.setting.force_mean = known ? c.f[0] : 0.0;
    CHECK_OK(map(&c, &s));
    printf(
        "# mean %.2g N%s; second harmonic %.2g of the first; errors: z %.2g, f %.2g, loss %.2g\n",
        c.f[0], known ? "" : ", not known", hypot(c.z[3], c.z[4]) / hypot(c.z[1], c.z[2]),
        compare(s.z, c.z), compare(s.f, c.f), s.loss.value / own_loss(&c) - 1.0);
    CHECK_BELOW(compare(s.z, c.z), near_z);
    CHECK_BELOW(compare(s.f, c.f), near_f);
    CHECK_CLOSE(s.loss.value, own_loss(&c), known ? 1e-7 : 2e-4);
    ms_force_state_free(test_context(), &s);
  }
  ms_structure_destroy(&c.structure);
}

/* ---- bad input, memory ---- */

static void test_complaints(void) {
  static test_case c;
  static const double still[N] = { 0.0 };
  static double zero[SAMPLES];
  start(&c, iwan(), 0, 1.13);
  const ms_force_state_setting usual = c.setting;
  c.setting.axes = 2;
  refuse_early(&c, MS_ERR_BOUNDS, "2 axes of 1");
  c.setting = usual;
  c.setting.method = MS_FORCE_STATE_PLAIN;
  c.setting.modes = 4;
  refuse_early(&c, MS_ERR_BOUNDS, "at most as many as sensors (3)");
  c.setting = usual;
  c.setting.method = (ms_force_state_method)7;
  refuse_early(&c, MS_ERR_ARGUMENT, "method 7");
  c.setting = usual;
  c.setting.periods = 50;
  refuse_early(&c, MS_ERR_BOUNDS, "periods, not 50");
  c.setting.omega = 0.0;
  c.setting.periods = 114; /* half of which it has not either */
  refuse(&c, MS_ERR_BOUNDS, "periods, not 114");
  c.setting.periods = 1;
  refuse(&c, MS_ERR_BOUNDS, "two periods");
  c.setting = usual;
  c.request.joint = 2;
  refuse_early(&c, MS_ERR_ARGUMENT, "joint 2 of 2");
  c.request.joint = 0;
  c.sensor[1].noise = -0.1;
  refuse_early(&c, MS_ERR_ARGUMENT, "sensor 2");
  c.sensor[1].noise = 0.0;
  c.channel[2] = zero;
  refuse(&c, MS_ERR_ARGUMENT, "sensor 3 is zero");
  c.channel[2] = c.signal[2];
  c.signal[1][SAMPLES - 7] = NAN;
  refuse(&c, MS_ERR_NUMERIC, "record 3");
  record(&c);
  for (int s = 0; s < SENSORS; s++) c.sensor[s].weights = still; /* sees nothing */
  refuse(&c, MS_ERR_NUMERIC, "do not determine");
  ms_structure_destroy(&c.structure);
}

static void test_methods(void) {
  ms_force_state_method method;
  CHECK_TEXT(ms_force_state_method_text(MS_FORCE_STATE_PLAIN), "plain");
  CHECK(!ms_force_state_method_text((ms_force_state_method)2));
  CHECK_OK(ms_force_state_parse_method(test_context(), "exact", &method));
  CHECK_EQUAL(method, MS_FORCE_STATE_EXACT);
  CHECK_STATUS(ms_force_state_parse_method(test_context(), "best", &method), MS_ERR_NAME);
}

/* An ellipse, f = K z + C z'/omega, and a mapped one that is a tenth larger in displacement. */
static void test_own_loop(void) {
  enum { M = 400 };
  const double omega = 7.3, a = 0.031, K = 53.0, C = 11.0, h = 0.0037;
  double z[M], f[M], found_z[4] = { 1.1 * a, 0.0, 0.0, 0.0 }, found_f[4] = { K * a, -C * a };
  const ms_force_state found = { .harmonics = 2, .omega = omega, .z = found_z, .f = found_f };
  for (int i = 0; i < M; i++) {
    z[i] = a * cos(omega * h * i);
    f[i] = K * z[i] - C * a * sin(omega * h * i);
  }
  const ms_signal displacement = { z, M, h, 0.0, MS_SIGNAL_DISPLACEMENT };
  const ms_signal force = { f, M, h, 0.0, MS_SIGNAL_DISPLACEMENT };
  ms_force_state_own own;
  CHECK_OK(ms_force_state_compare(test_context(), &found, 1, &displacement, &force, &own));
  CHECK_CLOSE(own.amplitude, a, 1e-6); /* of 4096 points */
  CHECK_CLOSE(own.stiffness, K, 1e-3);
  CHECK_CLOSE(own.loop.loss, acos(-1.0) * C * a * a, 1e-9);
  CHECK_NEAR(own.z_error, 0.1, 1e-9);
  CHECK_NEAR(own.f_error, 0.0, 1e-9);
  ms_hysteresis_free(test_context(), &own.loop);
}

/* The structure is built anew in the failing context. */
static ms_status work(ms_context *ctx, void *user) {
  test_case *c = user;
  const double M[4] = { 1.3, 0.0, 0.0, 0.9 }, K[4] = { 97.0, -41.0, -41.0, 73.0 };
  const double G[4] = { 3.1e-3, -1.3e-3, -1.3e-3, 2.7e-3 };
  const double zeta[2] = { 0.013, 0.017 }, force[2] = { 0.0, 1.0 }, first[2] = { 1.0, 0.0 };
  const ms_force_state_sensor sensor[2] = { { first, MS_SIGNAL_ACCELERATION, 0.0 },
                                            { force, MS_SIGNAL_ACCELERATION, 0.0 } };
  const ms_force_state_request q = { 0, force, 2, sensor };
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s = NULL;
  ms_joint *joint = NULL;
  ms_force_state out = { .z = NULL };
  ms_status status = ms_structure_create(ctx, 2, NULL, &s);
  if (status == MS_SUCCESS) status = ms_structure_set_mass(s, M);
  if (status == MS_SUCCESS) status = ms_structure_set_stiffness(s, K);
  if (status == MS_SUCCESS) status = ms_structure_set_modal_damping(s, zeta);
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "linear", &joint);
  if (status == MS_SUCCESS) status = ms_joint_set(joint, "K", 31.0);
  if (status == MS_SUCCESS) status = ms_joint_setup(joint);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "lap", &joint, &from, &to);
  if (status == MS_SUCCESS) status = ms_structure_set_curvature(s, 0, 0, G, 0);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_force_state_map(s, &q, &c->record, &c->setting, &out);
  ms_force_state_free(ctx, &out);
  ms_joint_destroy(&joint);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_runs_out(void) {
  static test_case c;
  start(&c, iwan(), 0, 1.13);
  for (int i = 0; i < 2; i++) {
    c.setting.omega = i ? 0.0 : c.omega;
    CHECK(test_allocations(work, &c) > 20);
  }
  ms_structure_destroy(&c.structure);
}

static void test_notes(void) {
  const ms_force_state a = {
    .harmonics = 9, .n_used = 9, .N_max = { .value = 110.0 }, .N_min = { .value = 90.0 }
  };
  const ms_force_state b = {
    .harmonics = 9, .n_used = 6, .N_max = { .value = 130.0 }, .N_min = { .value = 70.0 }
  };
  const ms_force_state *const both[] = { &a, &b };
  char text[200];
  CHECK(ms_force_state_note(2, both, 1, 0, text, sizeof text));
  CHECK_TEXT(text, "in 1 of 2 records up to 3 of 9 harmonics are left out: they are mostly noise");
  CHECK(ms_force_state_note(2, both, 1, 1, text, sizeof text));
  CHECK_TEXT(text, "the normal load varies by up to 30 % about its mean");
  CHECK(!ms_force_state_note(2, both, 1, 2, text, sizeof text));
  CHECK(!ms_force_state_note(2, both, 0, 1, text, sizeof text));
  CHECK(!ms_force_state_note(1, both, 0, 0, text, sizeof text));
}

int main(void) {
  TEST(test_linear);
  TEST(test_iwan);
  TEST(test_full_damping);
  TEST(test_plain);
  TEST(test_coverage);
  TEST(test_drift);
  TEST(test_left_out);
  TEST(test_frequency);
  TEST(test_normal_axis);
  TEST(test_curvature);
  TEST(test_curvature_and_slip);
  TEST(test_complaints);
  TEST(test_methods);
  TEST(test_own_loop);
  TEST(test_memory_runs_out);
  TEST(test_notes);
  return test_finish();
}
