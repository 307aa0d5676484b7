/* Updating: MAC and pairs by closed form and by trying all, residuals as they are defined,
   derivatives against differences, modes that cross, numbers found again, what is refused. */
#include <math.h>
#include <microslip/update.h>
#include <string.h>

#include "support/check.h"

/* ---- MAC and pairs ---- */

/* Real shapes at an angle: cos^2. A complex factor changes nothing; a shape that turns does. */
static void test_mac(void) {
  const double angle = 0.737, scale = 2.385, phase = 1.13;
  const double b[4] = { 1.7, 0.0, cos(angle), sin(angle) };
  double re[2] = { scale * cos(phase), 0.0 }, im[2] = { scale * sin(phase), 0.0 }, mac[2];
  ms_mac(2, 1, re, im, 2, b, mac);
  CHECK_CLOSE(mac[0], 1.0, 1e-15);
  CHECK_CLOSE(mac[1], cos(angle) * cos(angle), 1e-14);
  const double around_re[2] = { 3.1, 0.0 }, around_im[2] = { 0.0, 3.1 };
  ms_mac(2, 1, around_re, around_im, 2, b, mac);
  CHECK_CLOSE(mac[0], 0.5, 1e-15);
  CHECK_CLOSE(mac[1], 0.5, 1e-15);
  const double none[2] = { 0.0, 0.0 };
  ms_mac(2, 1, none, NULL, 2, b, mac);
  CHECK_EQUAL(mac[0] == 0.0 && mac[1] == 0.0, 1);
}

enum { ROWS = 4, COLUMNS = 6 };

/* The least sum over all ways to give the rows from `row` on columns that are free. */
static double try_all(const double *cost, int row, unsigned taken) {
  double least = HUGE_VAL;
  if (row == ROWS) return 0.0;
  for (int c = 0; c < COLUMNS; c++) {
    if (taken & (1u << c)) continue;
    least = fmin(least, cost[row + ROWS * c] + try_all(cost, row + 1, taken | (1u << c)));
  }
  return least;
}

static void test_assign(void) {
  ms_random random;
  ms_random_start(&random, 7, 3);
  for (int trial = 0; trial < 200; trial++) {
    double cost[ROWS * COLUMNS], sum = 0.0;
    ptrdiff_t pair[ROWS];
    unsigned taken = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++) cost[i] = ms_random_uniform(&random) - 0.3;
    CHECK_OK(ms_assign(test_context(), ROWS, COLUMNS, cost, pair));
    for (int k = 0; k < ROWS; k++) {
      sum += cost[k + ROWS * pair[k]];
      taken |= 1u << pair[k];
    }
    CHECK_EQUAL(__builtin_popcount(taken), ROWS);
    CHECK_NEAR(sum, try_all(cost, 0, 0), 1e-12);
  }
  const double bad[2] = { 0.3, (double)NAN };
  ptrdiff_t pair[2];
  CHECK_STATUS(ms_assign(test_context(), 2, 1, bad, pair), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_assign(test_context(), 1, 2, bad, pair), MS_ERR_NUMERIC);
}

/* ---- a chain whose numbers are a clamp, a spring, a mass, a joint's K_T and a length ---- */

enum { SIZE = 5, FREE = 5, SENSORS = 4 };
static const ms_fit_parameter bounds[FREE] = { { "clamp", 30.0, 3000.0, 1, 0.0 },
                                               { "spring", 20.0, 900.0, 1, 0.0 },
                                               { "mass", 0.4, 3.7, 0, 0.0 },
                                               { "K_T", 5.0, 600.0, 1, 0.0 },
                                               { "length", 0.31, 0.83, 0, 0.0 } };
static const double truth[FREE] = { 317.0, 143.0, 1.37, 77.0, 0.53 };
static const double away[FREE] = { 211.0, 187.0, 1.11, 103.0, 0.59 };

static ms_status add_joint(ms_context *ctx, ms_structure *s, double K_T) {
  const ptrdiff_t from = 2, to = 3;
  ms_joint *joint = NULL;
  ms_status status = ms_joint_create(ctx, "iwan4", &joint);
  if (status == MS_SUCCESS) status = ms_joint_set(joint, "F_S", 2.1);
  if (status == MS_SUCCESS) status = ms_joint_set(joint, "K_T", K_T);
  if (status == MS_SUCCESS) status = ms_joint_set(joint, "chi", -0.4);
  if (status == MS_SUCCESS) status = ms_joint_set(joint, "beta", 1.7);
  if (status == MS_SUCCESS) status = ms_joint_setup(joint);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "lap", &joint, &from, &to);
  ms_joint_destroy(&joint);
  return status;
}

static ms_status fill(ms_context *ctx, ms_structure *s, const double *p) {
  const double m[SIZE] = { 1.1, 0.9, p[2], 1.23, 0.71 };
  const double k[SIZE] = { p[0], 171.0, p[1], 37.0, 11.0 / (p[4] * p[4] * p[4]) };
  for (ptrdiff_t i = 0; i < SIZE; i++) {
    MS_TRY(ms_structure_add_mass(s, i, m[i]));
    MS_TRY(ms_structure_add_spring(s, i - 1, i, k[i]));
  }
  MS_TRY(add_joint(ctx, s, p[3]));
  return ms_structure_setup(s);
}

static ms_status build(void *user, const double *p, ms_structure **out) {
  ms_context *ctx = user;
  MS_TRY(ms_structure_create(ctx, SIZE, NULL, out));
  ms_status status = fill(ctx, *out, p);
  if (status != MS_SUCCESS) ms_structure_destroy(out);
  return status;
}

static const char *const sensor[SENSORS] = { "u1", "u2", "u4", "u5" };
static const ptrdiff_t place[SENSORS] = { 0, 1, 3, 4 };
static const double deviation[SIZE] = { 0.011, 0.007, 0.013, 0.009, 0.017 };

/* The modes at p, their shapes times factors that differ, turned by a phase. */
typedef struct measured {
  double omega[SIZE], re[SENSORS * SIZE], im[SENSORS * SIZE];
} measured;

static measured measure(const double *p) {
  measured m;
  ms_structure *s = NULL;
  CHECK_OK(build(test_context(), p, &s));
  ms_modes modes = ms_structure_get_stuck(s);
  for (int k = 0; k < SIZE; k++) {
    m.omega[k] = modes.omega[k];
    for (int i = 0; i < SENSORS; i++) {
      double x = (1.3 - 0.7 * k) * modes.shape[place[i] + SIZE * k];
      m.re[i + SENSORS * k] = x * cos(0.7 + k);
      m.im[i + SENSORS * k] = x * sin(0.7 + k);
    }
  }
  ms_structure_destroy(&s);
  return m;
}

static ms_measured_modes with_shapes(const measured *m, double shape_deviation) {
  return (ms_measured_modes) { .n = SIZE,
                               .omega = m->omega,
                               .deviation = deviation,
                               .n_sensor = SENSORS,
                               .sensor = sensor,
                               .re = m->re,
                               .im = m->im,
                               .shape_deviation = shape_deviation };
}

static ms_update_model model_of(ms_context *ctx) {
  return (ms_update_model) { FREE, bounds, build, ctx };
}

/* At the truth nothing is left; elsewhere |r|^2 of a shape is n_sensor (1 - MAC)/deviation^2, and
   a frequency's residual is what it is defined to be. */
static void test_residuals(void) {
  enum { M = SIZE + 2 * SENSORS * SIZE };
  measured m = measure(truth), at_away = measure(away);
  ms_measured_modes given = with_shapes(&m, 0.031);
  ms_update_model model = model_of(test_context());
  ms_updating *u = NULL;
  double r[M], mac[SIZE * SIZE];
  CHECK_OK(ms_updating_create(test_context(), &model, &given, away, &u));
  CHECK_EQUAL(ms_updating_count_residuals(u), M);
  CHECK_OK(ms_updating_eval(u, truth, r, NULL));
  for (int i = 0; i < M; i++) CHECK_NEAR(r[i], 0.0, 1e-10);
  CHECK_OK(ms_updating_eval(u, away, r, NULL));
  double real[SENSORS * SIZE]; /* of the model away: turned back, up to a factor */
  for (int i = 0; i < SENSORS * SIZE; i++) {
    int k = i / SENSORS;
    real[i] = at_away.re[i] * cos(0.7 + k) + at_away.im[i] * sin(0.7 + k);
  }
  ms_mac(SENSORS, SIZE, m.re, m.im, SIZE, real, mac);
  for (int k = 0; k < SIZE; k++) {
    double sum = 0.0;
    CHECK_CLOSE(r[k], (at_away.omega[k] - m.omega[k]) / m.omega[k] / deviation[k], 1e-9);
    for (int i = 0; i < SENSORS; i++) {
      double re = r[SIZE + i + SENSORS * k], im = r[SIZE + SENSORS * SIZE + i + SENSORS * k];
      sum += re * re + im * im;
    }
    CHECK_CLOSE(sum, SENSORS * (1.0 - mac[k + SIZE * k]) / (0.031 * 0.031), 1e-9);
  }
  ms_updating_destroy(&u);
}

/* Numbers in which K and M are linear, and one in which they are not. */
static void test_slopes(void) {
  enum { M = SIZE + 2 * SENSORS * SIZE };
  measured m = measure(truth);
  ms_measured_modes given = with_shapes(&m, 0.031);
  ms_update_model model = model_of(test_context());
  ms_updating *u = NULL;
  double r[M], J[M * FREE], up[M], down[M], p[FREE];
  CHECK_OK(ms_updating_create(test_context(), &model, &given, away, &u));
  CHECK_OK(ms_updating_eval(u, away, r, J));
  for (int j = 0; j < FREE; j++) {
    double h = 2e-5 * away[j], largest = 0.0;
    memcpy(p, away, sizeof p);
    p[j] = away[j] + h;
    CHECK_OK(ms_updating_eval(u, p, up, NULL));
    p[j] = away[j] - h;
    CHECK_OK(ms_updating_eval(u, p, down, NULL));
    for (int i = 0; i < M; i++) largest = fmax(largest, fabs(up[i] - down[i]) / (2.0 * h));
    CHECK(largest > 0.0);
    for (int i = 0; i < M; i++) {
      double d = (up[i] - down[i]) / (2.0 * h);
      CHECK_NEAR(J[i + M * j], d, 1e-6 * largest);
    }
  }
  ms_updating_destroy(&u);
}

/* The first four are free. */
static ms_status build_four(void *user, const double *p, ms_structure **out) {
  const double all[FREE] = { p[0], p[1], p[2], p[3], truth[4] };
  return build(user, all, out);
}

static void find(ptrdiff_t n, ms_update_build *builder, const ms_measured_modes *given) {
  ms_update_model model = { n, bounds, builder, test_context() };
  ms_updating *u = NULL;
  ms_fit_local local;
  double p[FREE];
  memcpy(p, away, sizeof p);
  CHECK_OK(ms_updating_create(test_context(), &model, given, p, &u));
  ms_fit_problem problem = { n, ms_updating_count_residuals(u), bounds, ms_updating_eval, u, 1 };
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
  CHECK_BELOW(local.sum, 1e-15);
  for (int j = 0; j < n; j++) CHECK_CLOSE(p[j], truth[j], 1e-6);
  ms_updating_destroy(&u);
}

/* Four numbers from five frequencies by their order, five from three modes with shapes. (Five
   numbers from five frequencies have more than one answer: K_T = 72.01 is another.) */
static void test_finds_the_numbers(void) {
  measured m = measure(truth);
  ms_measured_modes given = { .n = SIZE, .omega = m.omega, .deviation = deviation };
  find(4, build_four, &given);
  given = with_shapes(&m, 0.031);
  given.n = 3;
  find(FREE, build, &given);
}

/* ---- two oscillators, hardly coupled: their order changes with the first stiffness ---- */

static ms_status build_two(void *user, const double *p, ms_structure **out) {
  ms_context *ctx = user;
  ms_structure *s;
  MS_TRY(ms_structure_create(ctx, 3, NULL, &s));
  const double m[3] = { 1.3, 0.9, 2.1 };
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < 3; i++) {
    status = ms_structure_add_mass(s, i, m[i]);
  }
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, MS_GROUND, 0, p[0]);
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, 0, 1, 0.37);
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, 1, MS_GROUND, 77.0);
  if (status == MS_SUCCESS) status = ms_structure_setup(s); /* the third mass is free */
  if (status != MS_SUCCESS) ms_structure_destroy(&s);
  if (status == MS_SUCCESS) *out = s;
  return status;
}

/* The start has the measured modes in the other order; by shape the stiffness is found, by order it
   is not. A rigid-body mode is never a pair. */
static void test_crossing(void) {
  static const ms_fit_parameter one = { "k", 20.0, 900.0, 1, 0.0 };
  static const char *const at[2] = { "u1", "u2" };
  const double k_true = 213.0, k_start = 61.0, small[2] = { 1e-3, 1e-3 };
  ms_update_model model = { 1, &one, build_two, test_context() };
  ms_structure *s = NULL;
  ms_updating *u = NULL;
  ms_mode_pair pair[2];
  ms_fit_local local;
  double omega[2], shape[4], p = k_start;
  CHECK_OK(build_two(test_context(), &k_true, &s));
  ms_modes modes = ms_structure_get_stuck(s);
  CHECK_EQUAL(modes.omega[0] == 0.0, 1);
  for (int k = 0; k < 2; k++) {
    omega[k] = modes.omega[k + 1];
    for (int i = 0; i < 2; i++) shape[i + 2 * k] = modes.shape[i + 3 * (k + 1)];
  }
  ms_structure_destroy(&s);
  ms_measured_modes given = {
    .n = 2, .omega = omega, .deviation = small, .n_sensor = 2, .sensor = at, .re = shape
  };
  CHECK_OK(ms_updating_create(test_context(), &model, &given, &p, &u));
  CHECK_OK(ms_updating_look(u, &p, pair));
  CHECK_EQUAL(pair[0].mode, 2);
  CHECK_EQUAL(pair[1].mode, 1);
  CHECK_EQUAL(pair[0].rival, 1);
  CHECK_BELOW(0.95, pair[0].mac);
  CHECK_BELOW(pair[0].rival_mac, 0.05);
  ms_fit_problem problem = { 1, 2, &one, ms_updating_eval, u, 1 };
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, &p, &local));
  CHECK_CLOSE(p, k_true, 1e-8);
  CHECK_OK(ms_updating_look(u, &p, pair));
  CHECK_EQUAL(pair[0].mode, 1);
  CHECK_EQUAL(pair[1].mode, 2);
  CHECK_OK(ms_updating_check_pairs(u, pair, 0.99));
  ms_updating_destroy(&u);
  given.n_sensor = 0;
  CHECK_OK(ms_updating_create(test_context(), &model, &given, &p, &u));
  p = k_start;
  CHECK_OK(ms_updating_look(u, &p, pair));
  CHECK_EQUAL(pair[0].mode, 1);
  CHECK_EQUAL(pair[1].mode, 2);
  CHECK_EQUAL(pair[0].mac == 0.0, 1);
  ms_updating_destroy(&u);
}

/* Measured shapes that have each the frequency of the other: MAC decides. */
static void test_shapes_decide(void) {
  static const ms_fit_parameter one = { "k", 20.0, 900.0, 1, 0.0 };
  static const char *const at[2] = { "u1", "u2" };
  const double k = 61.0, small[2] = { 1e-3, 1e-3 };
  ms_update_model model = { 1, &one, build_two, test_context() };
  ms_structure *s = NULL;
  ms_updating *u = NULL;
  ms_mode_pair pair[2];
  double omega[2], shape[4];
  CHECK_OK(build_two(test_context(), &k, &s));
  ms_modes modes = ms_structure_get_stuck(s);
  for (int j = 0; j < 2; j++) {
    omega[j] = modes.omega[j + 1];
    for (int i = 0; i < 2; i++) shape[i + 2 * j] = modes.shape[i + 3 * (2 - j)];
  }
  ms_structure_destroy(&s);
  ms_measured_modes given = {
    .n = 2, .omega = omega, .deviation = small, .n_sensor = 2, .sensor = at, .re = shape
  };
  CHECK_OK(ms_updating_create(test_context(), &model, &given, &k, &u));
  CHECK_OK(ms_updating_look(u, &k, pair));
  CHECK_EQUAL(pair[0].mode, 2);
  CHECK_EQUAL(pair[1].mode, 1);
  CHECK_CLOSE(pair[0].mac, 1.0, 1e-12);
  ms_updating_destroy(&u);
}

/* ---- refusals ---- */

static void refuse(const ms_measured_modes *given, ms_status want, const char *words) {
  ms_update_model model = model_of(test_context());
  ms_updating *u = NULL;
  CHECK_STATUS(ms_updating_create(test_context(), &model, given, away, &u), want);
  CHECK(u == NULL);
  CHECK_HAS(ms_context_message(test_context()), words);
}

static void test_refusals(void) {
  static const int row[SIZE] = { 12, 13, 14, 15, 16 };
  static const char *const unknown[SENSORS] = { "u1", "u2", "u7", "u5" };
  static const char *const held[SENSORS] = { "u1", "u2", "ground", "u5" };
  const ptrdiff_t sixth[SIZE] = { 0, 1, 2, 3, 5 };
  measured m = measure(truth);
  ms_measured_modes given = with_shapes(&m, 0.0);
  given.row = row;
  given.n = 4;
  refuse(&given, MS_ERR_ARGUMENT, "5 unknowns, but 4 measured frequencies (shapes are for pairs");
  given.n_sensor = 0;
  refuse(&given, MS_ERR_ARGUMENT, "5 unknowns, but 4 measured frequencies;");
  given.n = SIZE;
  given.mode = sixth;
  refuse(&given, MS_ERR_ARGUMENT, "measured mode 5 (row 16) is to be mode 6");
  given = with_shapes(&m, 0.1);
  given.row = row;
  given.sensor = unknown;
  refuse(&given, MS_ERR_NAME, "sensor u7");
  given.sensor = held;
  refuse(&given, MS_ERR_NAME, "'ground' does not move");
  given.sensor = sensor;
  given.n_sensor = 1;
  refuse(&given, MS_ERR_ARGUMENT, "one sensor");
  given.n_sensor = SENSORS;
  given.shape_deviation = -0.1;
  refuse(&given, MS_ERR_BOUNDS, "deviation of shapes is -0.1");
  given.shape_deviation = 0.1;
  double none[SENSORS * SIZE] = { 0.7, 0.3, 0.1, 0.2 };
  given.re = none, given.im = NULL;
  refuse(&given, MS_ERR_BOUNDS, "measured mode 2 (row 13) has a shape that is zero");
  double wrong[SIZE] = { 3.1, -6.283185307179586, 3.0, 4.0, 5.0 };
  given.omega = wrong;
  refuse(&given, MS_ERR_BOUNDS, "measured mode 2 (row 13)"); /* whichever comes first */
  given = with_shapes(&m, 0.1);
  given.omega = wrong;
  refuse(&given, MS_ERR_BOUNDS, "measured mode 2 (row 2) has a frequency of -1 Hz");
  given = with_shapes(&m, 0.1);
  double certain[SIZE] = { 0.1, 0.1, 0.0, 0.1, 0.1 };
  given.deviation = certain;
  refuse(&given, MS_ERR_BOUNDS, "measured mode 3 (row 3) has a standard deviation of 0");
  given.n = 0;
  refuse(&given, MS_ERR_ARGUMENT, "no measured mode");
}

/* More modes than the model has; shapes that are like none of it. */
static void test_without_pairs(void) {
  measured m = measure(truth);
  double omega[6] = { 1.1, 2.2, 3.3, 4.4, 5.5, 6.6 }, six[6] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
  ms_measured_modes many = { .n = 6, .omega = omega, .deviation = six };
  refuse(&many, MS_ERR_ARGUMENT, "6 modes were measured, but the model has 5");
  ms_update_model model = model_of(test_context());
  ms_measured_modes given = with_shapes(&m, 0.1);
  ms_updating *u = NULL;
  ms_mode_pair pair[SIZE];
  for (int i = 0; i < SENSORS; i++) { /* moves in turns, which no real shape does */
    m.re[i + SENSORS * 2] = i % 2 ? 1.7 : 0.0;
    m.im[i + SENSORS * 2] = i % 2 ? 0.0 : 1.7;
  }
  CHECK_OK(ms_updating_create(test_context(), &model, &given, away, &u));
  CHECK_OK(ms_updating_look(u, away, pair));
  CHECK_BELOW(pair[2].mac, 0.55);
  CHECK_STATUS(ms_updating_check_pairs(u, pair, 0.7), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "MAC below 0.7: 3 (row 3, ");
  ms_updating_destroy(&u);
}

static ms_status fail_to_build(void *user, const double *p, ms_structure **out) {
  (void)p, (void)out;
  return ms_fail(user, MS_ERR_BOUNDS, "no such length");
}

/* The numbers at which a model fails are named. */
static void test_model_fails(void) {
  measured m = measure(truth);
  ms_measured_modes given = with_shapes(&m, 0.1);
  ms_update_model model = model_of(test_context());
  ms_updating *u = NULL;
  model.build = fail_to_build;
  CHECK_STATUS(ms_updating_create(test_context(), &model, &given, away, &u), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "the model at clamp = 211, spring = 187");
  CHECK_HAS(ms_context_message(test_context()), "no such length");
}

static ms_status build_one(void *user, const double *p, ms_structure **out) {
  const double all[FREE] = { p[0], truth[1], truth[2], truth[3], truth[4] };
  return build(user, all, out);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_measured_modes given = with_shapes(user, 0.1);
  ms_update_model model = { 1, bounds, build_one, ctx };
  ms_updating *u = NULL;
  ms_mode_pair pair[SIZE];
  double r[SIZE + 2 * SENSORS * SIZE], J[SIZE + 2 * SENSORS * SIZE];
  ms_status status = ms_updating_create(ctx, &model, &given, away, &u);
  if (status == MS_SUCCESS) status = ms_updating_look(u, away, pair);
  if (status == MS_SUCCESS) status = ms_updating_eval(u, away, r, J);
  ms_updating_destroy(&u);
  return status;
}

static void test_memory_runs_out(void) {
  measured m = measure(truth);
  CHECK_BELOW(50.0, (double)test_allocations(work, &m));
}

/* ---- modes as they are read, and what a fit is worth ---- */

static ms_status fill_table(ms_context *ctx, void *user) {
  const double a[2] = { 1.1, 1.2 }, b[2] = { 2.1, 2.2 }, c[2] = { 3.1, 3.2 }, mode[2] = { 3, 1 };
  ms_measured_table *t = user, own = { .ctx = NULL };
  if (!t) t = &own;
  ms_status status = ms_measured_create(ctx, 2, t);
  if (!status) status = ms_measured_set_sensor(t, "u1", a);
  if (!status) status = ms_measured_set_sensor(t, "u2.im", b);
  if (!status) status = ms_measured_set_sensor(t, "u10", c);
  if (!status) status = ms_measured_set_modes(t, mode);
  if (!user) ms_measured_destroy(t);
  return status;
}

static void test_table(void) {
  const double twice[2] = { 2, 2 }, half[2] = { 1, 1.5 }, a[2] = { 7.1, 7.2 };
  ms_measured_table t;
  CHECK_OK(fill_table(test_context(), &t));
  CHECK_EQUAL(t.is.n_sensor, 3);
  CHECK_TEXT(t.is.sensor[1], "u2");
  const double re[6] = { 1.1, 0.0, 3.1, 1.2, 0.0, 3.2 }, im[6] = { 0, 2.1, 0, 0, 2.2, 0 };
  for (int i = 0; i < 6; i++) {
    CHECK_NEAR(t.is.re[i], re[i], 0.0);
    CHECK_NEAR(t.is.im[i], im[i], 0.0);
  }
  CHECK_EQUAL(t.is.mode[0], 2);
  CHECK_OK(ms_measured_set_sensor(&t, "u1", a)); /* again: in place of the first */
  CHECK_EQUAL(t.is.n_sensor, 3);
  CHECK_NEAR(t.is.re[3], 7.2, 0.0);
  t.row[1] = 9;
  CHECK_STATUS(ms_measured_set_modes(&t, twice), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "rows 1 and 9 are both mode 2");
  CHECK_STATUS(ms_measured_set_modes(&t, half), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()),
            "row 9: the number of a mode is 1, 2, ..., not 1.5");
  t.omega[0] = 3.7, t.omega[1] = 3.1;
  CHECK_OK(ms_measured_check_order(&t)); /* shapes tell them apart */
  ms_measured_destroy(&t);
  CHECK_OK(ms_measured_create(test_context(), 2, &t));
  t.omega[0] = 3.7, t.omega[1] = 3.1;
  CHECK_STATUS(ms_measured_check_order(&t), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "measured mode 2 (row 2) is lower");
  ms_measured_destroy(&t);
  const double apart[3] = { 2, 3, 2 };
  CHECK_OK(ms_measured_create(test_context(), 3, &t));
  CHECK_STATUS(ms_measured_set_modes(&t, apart), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "rows 1 and 3 are both mode 2");
  ms_measured_destroy(&t);
  CHECK(test_allocations(fill_table, NULL) >= 8);
}

/* Residuals that scatter by more than their deviations make standard errors larger by as much. */
static void test_judged(void) {
  measured m = measure(truth);
  ms_measured_modes given = with_shapes(&m, 0.1);
  ms_update_model model = model_of(test_context());
  ms_updating *u = NULL;
  ms_update_fit fine, wide;
  ms_update_look look;
  ms_mode_pair pair[SIZE];
  double found[2 * FREE];
  ms_fit_local local[2] = { { .end = MS_FIT_CONVERGED }, { .end = MS_FIT_CONVERGED } };
  const ms_starts starts = {
    .n = FREE, .count = 2, .bound = bounds, .found = found, .local = local
  };
  memcpy(found, truth, sizeof truth);
  memcpy(found + FREE, away, sizeof truth);
  CHECK_OK(ms_updating_create(test_context(), &model, &given, away, &u));
  const double rest = (double)(ms_updating_count_residuals(u) - FREE);
  local[0].sum = 0.3 * rest, local[1].sum = local[0].sum + 0.97; /* another that fits as well */
  CHECK_OK(ms_updating_judge(u, 0, &starts, &fine));
  CHECK_NEAR(fine.scatter, 1.0, 0.0);
  CHECK_EQUAL(fine.best, 0);
  CHECK_EQUAL(fine.agree, 1);
  CHECK_EQUAL(fine.other, 1);
  local[0].sum = 2.89 * rest, local[1].sum = local[0].sum + 1.03;
  CHECK_OK(ms_updating_judge(u, 0, &starts, &wide));
  CHECK_CLOSE(wide.scatter, 1.7, 1e-12);
  CHECK_EQUAL(wide.other, -1);
  for (int i = 0; i < FREE; i++) {
    CHECK_CLOSE(wide.judgement.standard_error[i], 1.7 * fine.judgement.standard_error[i], 1e-6);
  }
  CHECK_OK(ms_updating_look(u, away, pair));
  CHECK_OK(ms_updating_keep_look(u, away, &look));
  CHECK_EQUAL(look.n_mode, SIZE);
  for (int k = 0; k < SIZE; k++) {
    CHECK_EQUAL(look.pair[k].mode, pair[k].mode);
    CHECK_NEAR(look.omega[pair[k].mode], pair[k].omega, 0.0);
    CHECK_NEAR(look.mac[k + SIZE * pair[k].mode], pair[k].mac, 0.0);
  }
  ms_update_fit second; /* better by more than rounding */
  local[1].sum = local[0].sum - 0.03;
  CHECK_OK(ms_updating_judge(u, 0, &starts, &second));
  CHECK_EQUAL(second.best, 1);
  ms_fit_judgement_destroy(test_context(), &second.judgement);
  local[0].end = local[1].end = MS_FIT_FAILED;
  ms_update_fit none;
  CHECK_STATUS(ms_updating_judge(u, 0, &starts, &none), MS_NOT_CONVERGED);
  ms_update_look_destroy(test_context(), &look);
  ms_fit_judgement_destroy(test_context(), &fine.judgement);
  ms_fit_judgement_destroy(test_context(), &wide.judgement);
  ms_updating_destroy(&u);
}

static void test_choose(void) {
  ms_mode_pair pair[2] = { { .mode = 3 }, { .mode = 2 } };
  double omega[6] = { 0.0, 0.0, 3.1, 4.7, 5.9, 6.3 };
  const ms_update_look look = { .pair = pair, .n_mode = 6, .omega = omega };
  ptrdiff_t row[MS_LOOK_MOST], column[MS_LOOK_MOST];
  CHECK_EQUAL(ms_update_look_choose(&look, 2, row, column), 3);
  CHECK_EQUAL(row[1], 1);
  for (int k = 0; k < 3; k++) CHECK_EQUAL(column[k], 2 + k);
  pair[1].mode = 5; /* the last */
  CHECK_EQUAL(ms_update_look_choose(&look, 2, row, column), 4);
  CHECK_EQUAL(ms_update_look_choose(&look, MS_LOOK_MOST + 1, row, column), 0);
}

int main(void) {
  TEST(test_mac);
  TEST(test_assign);
  TEST(test_residuals);
  TEST(test_slopes);
  TEST(test_finds_the_numbers);
  TEST(test_crossing);
  TEST(test_shapes_decide);
  TEST(test_refusals);
  TEST(test_without_pairs);
  TEST(test_model_fails);
  TEST(test_memory_runs_out);
  TEST(test_table);
  TEST(test_judged);
  TEST(test_choose);
  return test_finish();
}
