/* Transient response: linear closed forms, orders, energy, joints, state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

static const double pi = 3.14159265358979323846;

static ms_transient *start_run(ms_structure *s, const char *method, double step) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.method = method;
  setting.step = step;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  return run;
}

static double ramp(void *user, double t) {
  return *(double *)user * t;
}

static double half_sine(void *user, double t) {
  const double *p = user; /* amplitude, omega */
  return p[0] * sin(p[1] * t);
}

/* One mass on a spring and dashpot. */
static ms_structure *oscillator(double m, double k, double zeta) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, m));
  if (k > 0.0) CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, k));
  CHECK_OK(ms_structure_set_modal_damping(s, &zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* Free decay from u0, v0 and the response to a force b t: closed forms of a linear oscillator. */
static double oscillator_at(double t, double m, double k, double zeta, double u0, double v0,
                            double b) {
  double w = sqrt(k / m), wd = w * sqrt(1.0 - zeta * zeta), c = 2.0 * zeta / w;
  double A = u0 + b * c / k, B = (v0 - b / k + zeta * w * A) / wd;
  return b / k * (t - c) + exp(-zeta * w * t) * (A * cos(wd * t) + B * sin(wd * t));
}

static double linear_error(const char *method, double step) {
  double u0 = 0.31, v0 = -0.83, b = 2.385;
  ms_structure *s = oscillator(1.3, 47.0, 0.037);
  ms_transient *run = start_run(s, method, step);
  CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0 }, ramp, &b, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, &u0, &v0));
  CHECK_OK(ms_transient_run(run, (ptrdiff_t)round(1.92 / step), 1, NULL, NULL));
  double u;
  ms_transient_get_coordinates(run, &u, NULL, NULL);
  double error = fabs(u - oscillator_at(1.92, 1.3, 47.0, 0.037, u0, v0, b));
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
  return error;
}

static void test_linear_newmark(void) {
  double coarse = linear_error("newmark", 0.02), fine = linear_error("newmark", 0.005);
  CHECK_NEAR(log(coarse / fine) / log(4.0), 2.0, 0.05);
}

/* Exact for a linear structure and a force linear in time, whatever the step. */
static void test_linear_exponential(void) {
  CHECK_BELOW(linear_error("exponential", 0.02), 1e-13);
  CHECK_BELOW(linear_error("exponential", 0.48), 1e-13);
}

/* Two masses of their own: one rings on as if alone, the other, above the limit, follows its force
   without inertia. */
static void test_static_above(void) {
  const double u0[2] = { 0.31, 0.0 }, v0[2] = { -0.83, 0.0 }, zeta[2] = { 0.037, 0.037 };
  double b = 2.385, u[2], v[2];
  ms_structure *s = NULL;
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 1.3));
  CHECK_OK(ms_structure_add_mass(s, 1, 0.7));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 47.0));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 1, 8300.0));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  setting.method = "exponential";
  setting.step = 0.02;
  setting.static_above = 60.0; /* 6.0 and 109 rad/s */
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0, 1.9 }, ramp, &b, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, u0, v0));
  CHECK_OK(ms_transient_run(run, 96, 1, NULL, NULL));
  ms_transient_get_coordinates(run, u, v, NULL);
  CHECK_NEAR(u[0], oscillator_at(1.92, 1.3, 47.0, 0.037, u0[0], v0[0], b), 1e-13);
  CHECK_CLOSE(u[1], 1.9 * b * 1.92 / 8300.0, 1e-12);
  CHECK_NEAR(v[1], 0.0, 0.0);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* Modes above the limit, once the load is over: no inertia, so K q = -gamma (f - K_T z) and no
   velocity; where steps are taken in parts, too. And the others move as if these had been moved in
   every part, as they are while a load of nothing acts. */
static void test_static_modes_follow(void) {
  double p[] = { 23.85, 4.1 }, none[] = { 0.0, 1.0 }, u[2][3];
  for (int loaded = 0; loaded < 2; loaded++) {
    ms_structure *s = NULL;
    ms_joint *j = test_joint("iwan4", "F_S", 3.0, "K_T", 900.0, "chi", -0.5, "beta", 2.0, NULL);
    const ptrdiff_t from = 0, to = 1;
    ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
    ms_transient *run = NULL;
    const double *q, *v, *a, *z, *f;
    CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
    for (ptrdiff_t i = 0; i < 3; i++) CHECK_OK(ms_structure_add_mass(s, i, i < 2 ? 1.3 : 0.01));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 47.0));
    CHECK_OK(ms_structure_add_spring(s, 1, 2, 4300.0));
    CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
    CHECK_OK(ms_structure_setup(s));
    setting.method = "exponential";
    setting.step = 0.02;
    setting.static_above = 50.0;
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_OK(
        ms_transient_add_load(run, (const double[]) { 1.0, 0.0, 0.0 }, half_sine, p, pi / p[1]));
    if (loaded) {
      CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0, 0.0, 0.0 }, half_sine, none,
                                     HUGE_VAL));
    }
    CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
    CHECK_OK(ms_transient_run(run, 140, 1, NULL, NULL));
    CHECK(ms_transient_get_count(run).divided > 0);
    ms_transient_get_modal(run, &q, &v, &a);
    ms_transient_get_joints(run, &z, &f);
    const ms_modes modes = ms_structure_get_stuck(s);
    int above = 0;
    for (ptrdiff_t r = 0; r < 3; r++) {
      if (modes.omega[r] <= setting.static_above) continue;
      const double gamma = modes.shape[1 + 3 * r] - modes.shape[3 * r];
      above++;
      CHECK_CLOSE(modes.omega[r] * modes.omega[r] * q[r], -gamma * (f[0] - 900.0 * z[0]), 1e-9);
      CHECK_NEAR(v[r], 0.0, 0.0);
    }
    CHECK_EQUAL(above, 1);
    ms_transient_get_coordinates(run, u[loaded], NULL, NULL);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
  for (int i = 0; i < 3; i++) CHECK_CLOSE(u[0][i], u[1][i], 1e-9);
}

/* Displacement at t = 1.92 after a half-sine that ends within a step. */
static double pulse_response(double step) {
  double p[] = { 2.385, 4.1 }, u;
  ms_structure *s = oscillator(1.3, 47.0, 0.037);
  ms_transient *run = start_run(s, "exponential", step);
  CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0 }, half_sine, p, pi / p[1]));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, (ptrdiff_t)round(1.92 / step), 1, NULL, NULL));
  ms_transient_get_coordinates(run, &u, NULL, NULL);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
  return u;
}

/* Curved loads and their ends cost the exponential method an error of fourth order only. */
static void test_exponential_load(void) {
  double fine = pulse_response(6.4e-4);
  double coarse = fabs(pulse_response(0.064) - fine), half = fabs(pulse_response(0.016) - fine);
  CHECK_NEAR(log(coarse / half) / log(4.0), 4.0, 0.7);
  CHECK_BELOW(coarse, 3e-4 * fabs(fine));
}

static void test_rigid_and_overdamped(void) {
  double b = 2.385, u, v;
  ms_structure *s = oscillator(1.3, 0.0, 0.0);
  ms_transient *run = start_run(s, "exponential", 0.31);
  CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0 }, ramp, &b, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, 10, 1, NULL, NULL));
  ms_transient_get_coordinates(run, &u, &v, NULL);
  CHECK_CLOSE(u, b * pow(3.1, 3) / 6.0 / 1.3, 1e-13);
  CHECK_CLOSE(v, b * 3.1 * 3.1 / 2.0 / 1.3, 1e-13);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
  s = oscillator(1.3, 47.0, 1.9);
  double u0 = 0.7, w = sqrt(47.0 / 1.3), r = sqrt(1.9 * 1.9 - 1.0), t = 1.7;
  run = start_run(s, "exponential", 0.17);
  CHECK_OK(ms_transient_start(run, 0.0, &u0, NULL));
  CHECK_OK(ms_transient_run(run, 10, 1, NULL, NULL));
  ms_transient_get_coordinates(run, &u, NULL, NULL);
  double closed = u0 * exp(-1.9 * w * t) * (cosh(r * w * t) + 1.9 / r * sinh(r * w * t));
  CHECK_CLOSE(u, closed, 1e-11);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* A damping matrix with coupling against the same system by brute force: Newmark in coordinates. */
static void test_full_damping(void) {
  const double C[] = { 2.1, -0.7, -0.7, 0.9 }, K[] = { 90.0, -40.0, -40.0, 70.0 };
  const double m[] = { 1.3, 0.8 }, dt = 0.01;
  double u[2] = { 0.2, -0.1 }, v[2] = { 0.0, 0.5 }, a[2], got[2];
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  CHECK_OK(ms_structure_set_damping(s, C));
  for (ptrdiff_t i = 0; i < 2; i++) CHECK_OK(ms_structure_add_mass(s, i, m[i]));
  CHECK_OK(ms_structure_setup(s));
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = start_run(s, "newmark", dt), *none = NULL;
  CHECK_OK(ms_transient_start(run, 0.0, u, v));
  CHECK_OK(ms_transient_run(run, 200, 1, NULL, NULL));
  ms_transient_get_coordinates(run, got, NULL, NULL);
  for (int i = 0; i < 2; i++) {
    a[i] = -(C[2 * i] * v[0] + C[2 * i + 1] * v[1] + K[2 * i] * u[0] + K[2 * i + 1] * u[1]) / m[i];
  }
  for (int k = 0; k < 200; k++) { /* (M + dt/2 C + dt^2/4 K) a = -C vp - K up */
    double up[2], vp[2], A[4], r[2], x[2];
    for (int i = 0; i < 2; i++) {
      up[i] = u[i] + dt * v[i] + 0.25 * dt * dt * a[i];
      vp[i] = v[i] + 0.5 * dt * a[i];
    }
    for (int i = 0; i < 4; i++) {
      A[i] = 0.5 * dt * C[i] + 0.25 * dt * dt * K[i] + (i == 0 ? m[0] : i == 3 ? m[1] : 0.0);
    }
    for (int i = 0; i < 2; i++) {
      r[i] = -(C[2 * i] * vp[0] + C[2 * i + 1] * vp[1] + K[2 * i] * up[0] + K[2 * i + 1] * up[1]);
    }
    double det = A[0] * A[3] - A[1] * A[2];
    x[0] = (r[0] * A[3] - r[1] * A[1]) / det;
    x[1] = (r[1] * A[0] - r[0] * A[2]) / det;
    for (int i = 0; i < 2; i++) {
      a[i] = x[i];
      u[i] = up[i] + 0.25 * dt * dt * a[i];
      v[i] = vp[i] + 0.5 * dt * a[i];
    }
  }
  CHECK_NEAR(got[0], u[0], 1e-12);
  CHECK_NEAR(got[1], u[1], 1e-12);
  setting.method = "exponential";
  setting.step = dt;
  CHECK_STATUS(ms_transient_create(s, &setting, &none), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "newmark");
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* Modal damping put in as a matrix is solved as a full one, and gives the same response: with
   Newmark's parameters off their defaults, under a load, with a joint that slips. */
static void test_modal_as_matrix(void) {
  double C[9], u[2][3], v[2][3], b = 2.385;
  ms_transient_energy e[2];
  for (int full = 0; full < 2; full++) {
    ms_structure *s = test_three_mass(0.037);
    ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
    ms_transient *run = NULL;
    if (full) {
      CHECK_OK(ms_structure_fill_damping(s, C));
      C[1] *= 1.0 + 1e-9, C[3] = C[1]; /* enough that the modes do not diagonalise it */
      CHECK_OK(ms_structure_set_damping(s, C));
      CHECK_OK(ms_structure_setup(s));
    }
    setting.step = 0.17;
    setting.method = "exponential"; /* which takes no other than modal damping */
    CHECK_STATUS(ms_transient_create(s, &setting, &run), full ? MS_ERR_ARGUMENT : MS_SUCCESS);
    ms_transient_destroy(&run);
    setting.method = "newmark";
    setting.gamma = 0.63;
    setting.beta = 0.33;
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_OK(ms_transient_add_load(run, (const double[]) { 0.0, 1.0, -0.7 }, ramp, &b, HUGE_VAL));
    CHECK_OK(ms_transient_start(run, 0.0, (const double[]) { 0.31, -0.83, 1.7 }, NULL));
    CHECK_OK(ms_transient_run(run, 60, 1, NULL, NULL));
    ms_transient_get_coordinates(run, u[full], v[full], NULL);
    CHECK_OK(ms_transient_get_energy(run, &e[full]));
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(u[1][i], u[0][i], 1e-7 * b);
    CHECK_NEAR(v[1][i], v[0][i], 1e-7 * b);
  }
  CHECK(e[0].dissipated > 0.01 * e[0].input);
  CHECK_CLOSE(e[1].viscous, e[0].viscous, 1e-7);
}

/* A joint that never slips is a spring: the run equals one with a spring in its place. */
static void test_stuck_joint(void) {
  const double strong = 1e9, K = 310.0, u0[] = { 0.01, -0.02, 0.015 };
  double a[3], b[3];
  for (int which = 0; which < 2; which++) {
    ms_structure *s = NULL;
    ms_joint *j = test_joint("jenkins", "F_S", strong, "K_T", K, NULL);
    const ptrdiff_t from = 0, to = 1;
    CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
    for (ptrdiff_t i = 0; i < 3; i++) {
      CHECK_OK(ms_structure_add_mass(s, i, 1.1 + 0.2 * (double)i));
      CHECK_OK(ms_structure_add_spring(s, i - 1, i, 71.0));
    }
    if (which)
      CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
    else
      CHECK_OK(ms_structure_add_spring(s, from, to, K));
    CHECK_OK(ms_structure_setup(s));
    ms_transient *run = start_run(s, "newmark", 0.003);
    CHECK_OK(ms_transient_start(run, 0.0, u0, NULL));
    CHECK_OK(ms_transient_run(run, 500, 1, NULL, NULL));
    ms_transient_get_coordinates(run, which ? b : a, NULL, NULL);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
    ms_joint_destroy(&j);
  }
  for (int i = 0; i < 3; i++) CHECK_NEAR(b[i], a[i], 1e-13);
}

static double balance_of(const char *method, double step) {
  ms_structure *s = test_three_mass(1e-3);
  double omega = ms_structure_get_stuck(s).omega[2], p[] = { 500.0, omega };
  ms_transient *run = start_run(s, method, step);
  CHECK_OK(
      ms_transient_add_load(run, (const double[]) { 0.0, 1.0, 0.0 }, half_sine, p, pi / omega));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, (ptrdiff_t)round(60.0 / step), 1, NULL, NULL));
  ms_transient_energy e;
  CHECK_OK(ms_transient_get_energy(run, &e));
  CHECK(e.dissipated > 0.05 * e.input && e.input > 0.0);
  CHECK_NEAR(e.balance,
             e.start + e.input - e.kinetic - e.elastic - e.viscous - e.stored - e.dissipated,
             1e-9 * e.input);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
  return fabs(e.balance) / e.input;
}

/* The law's own energies close the balance at second order in the step. */
static void test_energy_order(void) {
  double coarse = balance_of("newmark", 0.04), fine = balance_of("newmark", 0.005);
  CHECK_NEAR(log(coarse / fine) / log(8.0), 2.0, 0.35);
  CHECK_BELOW(fine, 1e-5);
  coarse = balance_of("exponential", 0.04), fine = balance_of("exponential", 0.005);
  CHECK_BELOW(fine, coarse / 30.0);
}

/* Several joints on many masses: converged answers of the two methods agree, residuals are
 * reported. */
static void test_many_joints(void) {
  enum { N = 20 };
  double u[2][N];
  for (int which = 0; which < 2; which++) {
    ms_structure *s = test_chain(N, 4, "jenkins");
    double p[] = { 90.0, 21.0 };
    double shape[N] = { 0.0 };
    shape[N - 1] = 1.0;
    ms_transient *run = start_run(s, which ? "exponential" : "newmark", 2e-4);
    CHECK_OK(ms_transient_add_load(run, shape, half_sine, p, pi / 21.0));
    CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
    CHECK_OK(ms_transient_run(run, 5000, 1, NULL, NULL));
    ms_transient_get_coordinates(run, u[which], NULL, NULL);
    ms_transient_count count = ms_transient_get_count(run);
    CHECK_EQUAL(count.steps, 5000);
    CHECK(count.residual <= 1e-12 && count.evaluations < 3 * count.steps);
    ms_transient_energy e;
    CHECK_OK(ms_transient_get_energy(run, &e));
    CHECK(e.dissipated > 0.05 * e.input);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
  double size = 0.0;
  for (int i = 0; i < N; i++) size = fmax(size, fabs(u[0][i]));
  for (int i = 0; i < N; i++) CHECK_NEAR(u[0][i], u[1][i], 2e-4 * size);
}

/* A joint that depends on velocity: a dashpot between masses equals a damping matrix. */
static void test_rate_joint(void) {
  const double u0[] = { 0.2, -0.1 };
  double a[2], b[2], C[] = { 1.9, -1.9, -1.9, 1.9 };
  for (int which = 0; which < 2; which++) {
    ms_structure *s = NULL;
    ms_joint *j = test_joint("linear", "K", 0.0, "C", 1.9, NULL);
    const ptrdiff_t from = 0, to = 1;
    CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
    for (ptrdiff_t i = 0; i < 2; i++) {
      CHECK_OK(ms_structure_add_mass(s, i, 1.1 + 0.6 * (double)i));
      CHECK_OK(ms_structure_add_spring(s, i - 1, i, 71.0));
    }
    if (which)
      CHECK_OK(ms_structure_take_joint(s, "dashpot", &j, &from, &to));
    else
      CHECK_OK(ms_structure_set_damping(s, C));
    CHECK_OK(ms_structure_setup(s));
    ms_transient *run = start_run(s, "newmark", 0.004);
    CHECK_OK(ms_transient_start(run, 0.0, u0, NULL));
    CHECK_OK(ms_transient_run(run, 400, 1, NULL, NULL));
    ms_transient_get_coordinates(run, which ? b : a, NULL, NULL);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
    ms_joint_destroy(&j);
  }
  for (int i = 0; i < 2; i++) CHECK_NEAR(b[i], a[i], 1e-12);
}

static void test_save_restore(void) {
  ms_structure *s = test_three_mass(1e-4), *twin = test_three_mass(1e-4);
  double omega = ms_structure_get_stuck(s).omega[2], p[] = { 500.0, omega }, u[3], w[3];
  ms_transient *run = start_run(s, "newmark", 0.02), *again = start_run(twin, "newmark", 0.02);
  const double shape[] = { 0.0, 1.0, 0.0 };
  CHECK_OK(ms_transient_add_load(run, shape, half_sine, p, pi / omega));
  CHECK_OK(ms_transient_add_load(again, shape, half_sine, p, pi / omega));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, 60, 1, NULL, NULL)); /* in the middle of the pulse */
  ptrdiff_t n = ms_transient_save_size(run);
  double *buffer = calloc((size_t)n, sizeof *buffer);
  CHECK_OK(ms_transient_save(run, buffer));
  CHECK_OK(ms_transient_load(again, buffer, n));
  CHECK_OK(ms_transient_run(run, 3000, 1, NULL, NULL));
  CHECK_OK(ms_transient_run(again, 3000, 1, NULL, NULL));
  ms_transient_get_coordinates(run, u, NULL, NULL);
  ms_transient_get_coordinates(again, w, NULL, NULL);
  CHECK(memcmp(u, w, sizeof u) == 0);
  ms_transient_energy e, f;
  CHECK_OK(ms_transient_get_energy(run, &e));
  CHECK_OK(ms_transient_get_energy(again, &f));
  CHECK(memcmp(&e, &f, sizeof e) == 0);
  CHECK_STATUS(ms_transient_load(again, buffer, n - 1), MS_ERR_FORMAT);
  free(buffer);
  ms_transient_destroy(&run);
  ms_transient_destroy(&again);
  ms_structure_destroy(&s);
  ms_structure_destroy(&twin);
}

typedef struct watched {
  double last;
  int calls;
} watched;

static double watch(void *user, double t) {
  watched *w = user;
  w->last = fmax(w->last, t);
  w->calls++;
  return 2.385;
}

/* A load is not asked for its value from its end on, also where a step ends there exactly. */
static void test_load_end(void) {
  static const char *const method[] = { "newmark", "exponential" };
  for (int k = 0; k < 2; k++) {
    watched w = { .last = 0.0 };
    ms_structure *s = oscillator(1.3, 47.0, 0.037);
    ms_transient *run = start_run(s, method[k], 0.25);
    CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0 }, watch, &w, 1.25));
    CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
    CHECK_OK(ms_transient_run(run, 9, 1, NULL, NULL));
    CHECK(w.calls >= 5);
    CHECK_BELOW(w.last, 1.25);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
}

static double constant(void *user, double t) {
  (void)t;
  return *(double *)user;
}

/* Ground that accelerates by a constant: m (u'' + g) + k u = 0 from rest. */
static void test_base(void) {
  const double m = 1.3, k = 470.0, g = 2.385, omega = sqrt(k / m);
  ms_structure *s = oscillator(m, k, 0.0);
  ms_transient *run = start_run(s, "exponential", 1e-3);
  double u, level = g;
  CHECK_OK(ms_transient_add_base(run, NULL, constant, &level, HUGE_VAL));
  CHECK_OK(ms_transient_run(run, 137, 137, NULL, NULL));
  ms_transient_get_coordinates(run, &u, NULL, NULL);
  CHECK_CLOSE(u, -g / (omega * omega) * (1.0 - cos(omega * 0.137)), 1e-12);
  CHECK_OK(ms_transient_add_base(run, (const double[]) { -1.0 }, constant, &level, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, 10, 10, NULL, NULL));
  ms_transient_get_coordinates(run, &u, NULL, NULL);
  CHECK_NEAR(u, 0.0, 1e-16); /* the two cancel */
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

static double one(void *user, double t) {
  (void)user, (void)t;
  return 1.0;
}

/* A force on the last mass goes through all springs and the joint: 9 z + g(z) = F, in microslip and
   beyond. With the force kept on nothing moves; let go, the energy balance holds. */
static void test_preload(void) {
  for (int k = 0; k < 4; k++) {
    const char *method = k % 2 ? "exponential" : "newmark";
    double F[] = { 0.0, 0.0, k < 2 ? 23.85 : 131.7 }, u[3], w[3], g, k_t, v0[] = { 0.3, -0.1, 0.2 };
    ms_structure *s = test_three_mass(1e-3);
    ms_joint *virgin = test_joint("iwan4", "F_S", 10.0, "K_T", 1.0, "chi", -0.5, "beta", 5.0, NULL);
    ms_transient *run = start_run(s, method, 0.02);
    CHECK_OK(ms_transient_start_static(run, 1.3, F, NULL));
    ms_transient_get_coordinates(run, u, NULL, NULL);
    CHECK_CLOSE(u[0], F[2] / 9.0, 1e-12);
    CHECK_CLOSE(u[1], 2.0 * F[2] / 9.0, 1e-12);
    CHECK_OK(ms_joint_eval_virgin(virgin, u[2] - u[1], &g, &k_t));
    CHECK_CLOSE(9.0 * (u[2] - u[1]) + g, F[2], 1e-11);
    CHECK_CLOSE(ms_transient_get_time(run), 1.3, 1e-15);
    CHECK_OK(ms_transient_run(run, 700, 1, NULL, NULL)); /* let go */
    ms_transient_energy e;
    CHECK_OK(ms_transient_get_energy(run, &e));
    CHECK(e.viscous > 0.0 && e.input == 0.0);
    CHECK_NEAR(e.balance, 0.0, 1e-4 * e.start);
    CHECK_OK(ms_transient_add_load(run, F, one, NULL, HUGE_VAL));
    CHECK_OK(ms_transient_start_static(run, 0.0, F, NULL));
    CHECK_OK(ms_transient_run(run, 700, 1, NULL, NULL));
    ms_transient_get_coordinates(run, w, NULL, NULL);
    for (int i = 0; i < 3; i++) CHECK_NEAR(w[i], u[i], 1e-10 * u[2]);
    CHECK_OK(ms_transient_start_static(run, 0.0, F, v0));
    ms_transient_get_coordinates(run, NULL, w, NULL);
    for (int i = 0; i < 3; i++) CHECK_NEAR(w[i], v0[i], 1e-13);
    ms_transient_destroy(&run);
    ms_joint_destroy(&virgin);
    ms_structure_destroy(&s);
  }
}

/* Two masses, a jenkins joint between them and nothing to the ground: the joint holds up to F_S, a
   force on one mass alone would drive both away. */
static void test_preload_refused(void) {
  ms_structure *s = NULL;
  ms_joint *j = test_joint("jenkins", "F_S", 2.9, "K_T", 310.0, NULL);
  const ptrdiff_t from = 0, to = 1;
  const double holds[] = { -2.7, 2.7 }, slips[] = { -3.1, 3.1 }, drives[] = { 0.0, 1.3 };
  double u[2];
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 1.3));
  CHECK_OK(ms_structure_add_mass(s, 1, 0.7));
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  ms_transient *run = start_run(s, "newmark", 0.001);
  CHECK_OK(ms_transient_start_static(run, 0.0, holds, NULL));
  ms_transient_get_coordinates(run, u, NULL, NULL);
  CHECK_CLOSE(u[1] - u[0], 2.7 / 310.0, 1e-11);
  CHECK_STATUS(ms_transient_start_static(run, 0.0, slips, NULL), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "cannot hold");
  ms_transient_get_coordinates(run, u, NULL, NULL);
  CHECK(u[0] == 0.0 && u[1] == 0.0);
  CHECK_STATUS(ms_transient_start_static(run, 0.0, drives, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "rigid-body mode 1");
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* Two masses on a spring, held to the ground by a joint alone: beyond its slip force there is no
   equilibrium, though rounding offers some at displacements of 1e11. Any F above 1.05 F_S. */
static void test_preload_beyond_slip(void) {
  static const char *const law[] = { "jenkins", "iwan4" };
  for (int k = 0; k < 2; k++) {
    ms_structure *s = NULL;
    ms_joint *j =
        k == 0 ? test_joint(law[k], "F_S", 9.85, "K_T", 1.07e4, NULL)
               : test_joint(law[k], "F_S", 9.85, "K_T", 1.07e4, "chi", -0.47, "beta", 0.31, NULL);
    const ptrdiff_t from = MS_GROUND, to = 0;
    double u[2], held[] = { 9.63, 0.0 };
    CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
    CHECK_OK(ms_structure_add_mass(s, 0, 2.3));
    CHECK_OK(ms_structure_add_mass(s, 1, 1.1));
    CHECK_OK(ms_structure_add_spring(s, 0, 1, 7.1e3));
    CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
    CHECK_OK(ms_structure_setup(s));
    ms_transient *run = start_run(s, "newmark", 1e-4);
    CHECK_OK(ms_transient_start_static(run, 0.0, held, NULL));
    for (int i = 0; i < 40; i++) {
      double F[] = { 9.85 * (1.05 + 0.0473 * i), 0.0 };
      CHECK_STATUS(ms_transient_start_static(run, 0.0, F, NULL), MS_NOT_CONVERGED);
      CHECK_HAS(ms_context_message(test_context()), "cannot hold");
      ms_transient_get_coordinates(run, u, NULL, NULL);
      CHECK(u[0] == 0.0 && u[1] == 0.0);
    }
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
}

/* ---- steps by their error ---- */

/* A half-sine on an oscillator and the free decay after it, against a closed form: the particular
   solution A sin(w t) + B cos(w t) and a decay, up to the end of the pulse. */
static double pulse_error(const char *method, double tolerance, double step,
                          ms_transient_count *count) {
  const double m = 1.3, k = 47.0, zeta = 0.037;
  double p[] = { 23.85, 2.9 };
  ms_structure *s = oscillator(m, k, zeta);
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.method = method;
  setting.step = step;
  setting.tolerance = tolerance;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0 }, half_sine, p, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  double w = p[1], c = 2.0 * zeta * sqrt(k * m), a = k - m * w * w, size = a * a + c * c * w * w;
  double A = p[0] * a / size, B = -p[0] * c * w / size, w0 = sqrt(k / m), worst = 0.0;
  double wd = w0 * sqrt(1.0 - zeta * zeta), C = -B, D = (zeta * w0 * C - A * w) / wd;
  for (int i = 1; i * step < 7.0; i++) {
    double u, t = i * step;
    CHECK_OK(ms_transient_step(run));
    ms_transient_get_coordinates(run, &u, NULL, NULL);
    CHECK_NEAR(ms_transient_get_time(run), t, 1e-12);
    double want =
        A * sin(w * t) + B * cos(w * t) + exp(-zeta * w0 * t) * (C * cos(wd * t) + D * sin(wd * t));
    worst = fmax(worst, fabs(u - want));
  }
  *count = ms_transient_get_count(run);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
  return worst / (p[0] / k);
}

/* Third-order local errors of size tol add up over about tol^(-1/3) steps: Newmark's error falls as
   tol^(2/3), and the number of steps grows as tol^(-1/3). The exponential method is exact but for
   its loads, which it takes to fourth order, better than it estimates: the error falls as tol^(4/3)
   at most. */
static void test_adaptive_linear(void) {
  const char *const method[] = { "newmark", "exponential" };
  for (int k = 0; k < 2; k++) {
    ms_transient_count few, many;
    double coarse = pulse_error(method[k], 1e-4, 0.35, &few);
    double fine = pulse_error(method[k], 1e-8, 0.35, &many);
    CHECK_BELOW(coarse, 0.03);
    CHECK_NEAR(log(coarse / fine) / log(1e4), k ? 4.0 / 3.0 : 2.0 / 3.0, k ? 0.25 : 0.12);
    CHECK_NEAR(log((double)many.steps / (double)few.steps) / log(1e4), 1.0 / 3.0, 0.08);
    CHECK(few.rejected > 0 && few.rejected < few.steps);
  }
}

/* The three-mass impact: the error at the outputs follows the tolerance, small steps are taken in
   the pulse and where the joint turns, and the energy closes. */
static double impact_state(const char *method, double tolerance, double step, double u[3],
                           ms_transient_count *count) {
  ms_structure *s = test_three_mass(1e-4);
  double omega = ms_structure_get_stuck(s).omega[2], p[] = { 500.0, omega };
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  ms_transient_energy e;
  setting.method = method;
  setting.step = step;
  setting.tolerance = tolerance;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(
      ms_transient_add_load(run, (const double[]) { 0.0, 1.0, 0.0 }, half_sine, p, pi / omega));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, (ptrdiff_t)round(12.0 / step), 1, NULL, NULL));
  ms_transient_get_coordinates(run, u, NULL, NULL);
  CHECK_OK(ms_transient_get_energy(run, &e));
  *count = ms_transient_get_count(run);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
  return fabs(e.balance) / e.input;
}

static void test_adaptive_joints(void) {
  const double tolerance[] = { 1e-4, 1e-6, 1e-8 };
  double exact[3], u[3], error[3];
  ms_transient_count count;
  impact_state("exponential", 0.0, 1e-4, exact, &count);
  for (int k = 0; k < 2; k++) {
    const char *method = k ? "exponential" : "newmark";
    for (int i = 0; i < 3; i++) {
      double balance = impact_state(method, tolerance[i], 0.4, u, &count);
      error[i] = 0.0;
      for (int j = 0; j < 3; j++) error[i] = fmax(error[i], fabs(u[j] - exact[j]) / 58.8);
      CHECK_BELOW(error[i], 2.0 * pow(tolerance[i], 2.0 / 3.0));
      CHECK_BELOW(balance, 0.2 * pow(tolerance[i], 2.0 / 3.0));
    }
    CHECK_BELOW(error[1], 0.2 * error[0]);
    CHECK_BELOW(error[2], 0.2 * error[1]);
  }
}

/* A load without a value ends the run, whatever its error is compared with. */
static double broken_load(void *user, double t) {
  return t < *(const double *)user ? 3.1 : NAN;
}

static void test_adaptive_not_finite(void) {
  const char *const method[] = { "newmark", "exponential" };
  double end = 1.7;
  for (int k = 0; k < 2; k++) {
    ms_structure *s = test_three_mass(1e-4);
    ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
    ms_transient *run = NULL;
    setting.method = method[k];
    setting.step = 0.2;
    setting.tolerance = 1e-6;
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_OK(ms_transient_add_load(run, (const double[]) { 0.0, 1.0, 0.0 }, broken_load, &end,
                                   HUGE_VAL));
    CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
    CHECK(ms_transient_run(run, 20, 1, NULL, NULL) != MS_SUCCESS);
    CHECK_HAS(ms_context_message(test_context()), "not finite");
    CHECK(ms_transient_get_time(run) < end + 0.2);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
}

/* A saved adaptive run goes on with the same digits. */
static void test_adaptive_restore(void) {
  ms_structure *s = test_three_mass(1e-4), *twin = test_three_mass(1e-4);
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL, *again = NULL;
  const double v0[] = { 3.1, -7.9, 11.3 };
  double a[3], b[3];
  setting.step = 0.7;
  setting.tolerance = 1e-6;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_create(twin, &setting, &again));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, v0));
  CHECK_OK(ms_transient_run(run, 17, 1, NULL, NULL));
  ptrdiff_t n = ms_transient_save_size(run);
  double *buffer = calloc((size_t)n, sizeof *buffer);
  CHECK_OK(ms_transient_save(run, buffer));
  CHECK_OK(ms_transient_load(again, buffer, n));
  CHECK_OK(ms_transient_run(run, 31, 1, NULL, NULL));
  CHECK_OK(ms_transient_run(again, 31, 1, NULL, NULL));
  ms_transient_get_coordinates(run, a, NULL, NULL);
  ms_transient_get_coordinates(again, b, NULL, NULL);
  CHECK(memcmp(a, b, sizeof a) == 0);
  CHECK_EQUAL(ms_transient_get_step(again), 48);
  buffer[10] = 99.0;
  CHECK_STATUS(ms_transient_load(again, buffer, n), MS_ERR_FORMAT);
  free(buffer);
  ms_transient_destroy(&run);
  ms_transient_destroy(&again);
  ms_structure_destroy(&s);
  ms_structure_destroy(&twin);
}

/* A step that may iterate only once fails in slip, and leaves the run where it was. */
static void test_failed_step_changes_nothing(void) {
  enum { N = 6 };
  ms_structure *s = test_chain(N, 2, "iwan_uniform");
  const double v0[N] = { 0.0, 0.3, -0.4, 0.2, 0.7, -0.5 };
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  const double *z, *f;
  double u[N], w[N];
  setting.step = 0.02;
  setting.newton_max = 1;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, v0));
  ms_transient_get_coordinates(run, u, NULL, NULL);
  CHECK_STATUS(ms_transient_step(run), MS_NOT_CONVERGED);
  ms_transient_get_coordinates(run, w, NULL, NULL);
  ms_transient_get_joints(run, &z, &f);
  CHECK(memcmp(u, w, sizeof u) == 0);
  CHECK_NEAR(ms_transient_get_time(run), 0.0, 0.0);
  CHECK_NEAR(fabs(z[0]) + fabs(z[1]) + fabs(f[0]) + fabs(f[1]), 0.0, 1e-14);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* One field changed: refused with these words, or, without words, accepted. */
static void try_setting(const ms_transient_setting *setting, const char *words) {
  ms_structure *s = test_three_mass(0.0);
  ms_transient *run = NULL;
  CHECK_STATUS(ms_transient_create(s, setting, &run), words ? MS_ERR_BOUNDS : MS_SUCCESS);
  if (words) CHECK_HAS(ms_context_message(test_context()), words);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

#define TRY(field, value, words)             \
  do {                                       \
    ms_transient_setting changed_ = setting; \
    changed_.field = (value);                \
    try_setting(&changed_, words);           \
  } while (0)

static void test_limits(void) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  setting.step = 0.01;
  TRY(beta, 0.0, NULL);
  TRY(beta, -1e-9, "Newmark beta = -1e-09 and gamma = 0.5");
  TRY(beta, 1.0, NULL);
  TRY(beta, 1.0 + 1e-9, "beta must be in [0, 1]");
  TRY(gamma, 0.5, NULL);
  TRY(gamma, 0.5 - 1e-9, "below 1/2 the method feeds energy in");
  TRY(gamma, 1.0, NULL);
  TRY(gamma, 1.0 + 1e-9, "gamma in [1/2, 1]");
  TRY(tolerance, 1.0 - 1e-9, NULL);
  TRY(tolerance, 1.0, "error tolerance 1 must be in (0, 1)");
  TRY(divide, 0.0, NULL);
  TRY(divide, -1e-9, "divide = -1e-09 must be >= 0");
  TRY(divide_max, 0, NULL);
  TRY(divide_max, -1, "divide_max = -1 from 0 to 20");
  TRY(divide_max, 20, NULL);
  TRY(divide_max, 21, "divide_max = 21 from 0 to 20");
  TRY(newton_max, 1, NULL);
  TRY(newton_max, 0, "Newton needs a tolerance > 0 and at least one iteration");
  TRY(newton_tolerance, 0.0, "Newton needs a tolerance > 0 and at least one iteration");
}

static int stop_after(void *user, const ms_transient *run) {
  (void)run;
  return (*(int *)user)-- == 0;
}

/* An observer ends a run: at its start, and after some rows. */
static void test_observed(void) {
  ms_structure *s = test_three_mass(0.0);
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.step = 0.01;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_STATUS(ms_transient_run(run, 6, 0, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "stride 0 must be at least 1");
  for (int rows = 0; rows < 3; rows++) {
    int left = rows;
    const double t = ms_transient_get_time(run);
    CHECK_STATUS(ms_transient_run(run, 6, 2, stop_after, &left), MS_CANCELLED);
    CHECK_HAS(ms_context_message(test_context()), "stopped by the observer");
    CHECK_NEAR(ms_transient_get_time(run) - t, 0.02 * rows, 1e-12);
  }
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  ms_structure *s = test_three_mass(0.0);
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  CHECK_STATUS(ms_transient_create(s, &setting, &run), MS_ERR_BOUNDS);
  setting.step = 0.01;
  setting.method = "newmrak";
  CHECK_STATUS(ms_transient_create(s, &setting, &run), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "newmark");
  setting.method = "newmark";
  setting.tolerance = -1e-3;
  CHECK_STATUS(ms_transient_create(s, &setting, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "tolerance");
  setting.tolerance = 0.0;
  setting.gamma = 0.4;
  CHECK_STATUS(ms_transient_create(s, &setting, &run), MS_ERR_BOUNDS);
  CHECK(run == NULL);
  ms_structure_destroy(&s);
}

static ms_status simulate(ms_context *ctx, void *user) {
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  ms_transient *run = NULL;
  const ptrdiff_t from = MS_GROUND, to = 0;
  double p[] = { 3.0, 2.0 };
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  setting.step = 0.01;
  setting.tolerance = user && *(int *)user == 1 ? 1e-4 : 0.0;
  if (user && *(int *)user == 2) setting.method = "exponential";
  ms_status status = ms_structure_create(ctx, 1, NULL, &s);
  if (status == MS_SUCCESS) status = ms_structure_add_mass(s, 0, 1.3);
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "jenkins", &j);
  if (status == MS_SUCCESS) status = ms_joint_set_typical(j);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "lap", &j, &from, &to);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_transient_create(s, &setting, &run);
  if (status == MS_SUCCESS) {
    status = ms_transient_add_load(run, (const double[]) { 1.0 }, half_sine, p, 1.0);
  }
  if (status == MS_SUCCESS) status = ms_transient_run(run, 10, 1, NULL, NULL);
  ms_transient_destroy(&run);
  ms_joint_destroy(&j);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_failures(void) {
  int adaptive = 1, divided = 2;
  CHECK(test_allocations(simulate, NULL) > 40);
  CHECK(test_allocations(simulate, &adaptive) > 140);
  CHECK(test_allocations(simulate, &divided) > 100);
}

int main(void) {
  TEST(test_linear_newmark);
  TEST(test_linear_exponential);
  TEST(test_static_above);
  TEST(test_static_modes_follow);
  TEST(test_exponential_load);
  TEST(test_rigid_and_overdamped);
  TEST(test_full_damping);
  TEST(test_modal_as_matrix);
  TEST(test_stuck_joint);
  TEST(test_energy_order);
  TEST(test_many_joints);
  TEST(test_rate_joint);
  TEST(test_save_restore);
  TEST(test_load_end);
  TEST(test_base);
  TEST(test_preload);
  TEST(test_preload_refused);
  TEST(test_preload_beyond_slip);
  TEST(test_adaptive_linear);
  TEST(test_adaptive_joints);
  TEST(test_adaptive_not_finite);
  TEST(test_adaptive_restore);
  TEST(test_failed_step_changes_nothing);
  TEST(test_limits);
  TEST(test_observed);
  TEST(test_refused);
  TEST(test_memory_failures);
  return test_finish();
}
