/* The densities: exact elements against a hundred thousand sliders written out here, and densities
   that go out as a curve and come back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/density.h>

#include "support/check.h"
#include "support/joints.h"

/* ---- sliders, independent of the library ---- */

typedef struct crowd {
  int n, capacity;
  double *phi, *stiffness, *anchor, K_inf;
} crowd;

static crowd crowd_create(int capacity, double K_inf) {
  crowd c = { .capacity = capacity, .K_inf = K_inf };
  c.phi = calloc((size_t)capacity, sizeof(double));
  c.stiffness = calloc((size_t)capacity, sizeof(double));
  c.anchor = calloc((size_t)capacity, sizeof(double));
  CHECK(c.phi && c.stiffness && c.anchor);
  return c;
}

static void crowd_destroy(crowd *c) {
  free(c->phi);
  free(c->stiffness);
  free(c->anchor);
}

static void crowd_add(crowd *c, double phi, double stiffness) {
  if (c->n >= c->capacity) abort();
  c->phi[c->n] = phi;
  c->stiffness[c->n++] = stiffness;
}

/* n cells on [a, b], growing in proportion to phi where a > 0, each with one slider at its middle
   and Simpson's rule for its mass. */
static void crowd_spread(crowd *c, double a, double b, int n, double (*rho)(const double *, double),
                         const double *param) {
  for (int i = 0; i < n; i++) {
    double low = a + (b - a) * i / n, high = a + (b - a) * (i + 1) / n;
    if (a > 0.0) low = a * pow(b / a, (double)i / n), high = a * pow(b / a, (i + 1.0) / n);
    double mid = 0.5 * (low + high);
    double mass = (rho(param, low) + 4.0 * rho(param, mid) + rho(param, high)) / 6.0;
    crowd_add(c, mid, mass * (high - low));
  }
}

static double crowd_step(crowd *c, double u, double alpha, double k) {
  double F = c->K_inf * u;
  for (int i = 0; i < c->n; i++) {
    double limit = c->phi[i] * alpha / k, e = u - c->anchor[i];
    if (e > limit) e = limit;
    if (e < -limit) e = -limit;
    c->anchor[i] = u - e;
    F += c->stiffness[i] * e;
  }
  return k * F;
}

/* Largest difference of force, of the peak, on a random history of u, alpha and k. */
static void compare(ms_joint *exact, crowd *c, unsigned seed) {
  test_history h = test_wander(exact, seed, 1);
  double worst = 0.0, peak = 0.0;
  for (int i = 0; i < 400; i++) {
    ms_joint_output out;
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(exact, in, &out));
    double F = crowd_step(c, in->u[0], in->alpha, in->k);
    worst = fmax(worst, fabs(out.force[0] - F));
    peak = fmax(peak, fabs(F));
  }
  CHECK_BELOW(worst / peak, 1e-6);
  ms_joint_destroy(&exact);
  crowd_destroy(c);
}

static double power_density(const double *p, double phi) {
  return p[0] * pow(phi, p[1]);
}

static double linear_density(const double *p, double phi) { /* through (p0, p1) and (p2, p3) */
  return p[1] + (p[3] - p[1]) * (phi - p[0]) / (p[2] - p[0]);
}

static void test_iwan6_sliders(void) {
  static const double chi[] = { -0.71, -0.31, 0.57 }, S[] = { 0.0, 0.013, 0.29 };
  for (unsigned i = 0; i < 3; i++) {
    const double power[] = { 0.083, chi[i] };
    ms_joint *j = test_joint("iwan6", "R", power[0], "S", S[i], "chi", chi[i], "phi_1", 0.37,
                             "phi_2", 11.3, "K_inf", 0.041, NULL);
    crowd c = crowd_create(100001, 0.041);
    crowd_spread(&c, 0.37, 11.3, 100000, power_density, power);
    crowd_add(&c, 11.3, S[i]);
    compare(j, &c, 71 + i);
  }
}

static void test_uniform_sliders(void) {
  for (unsigned i = 0; i < 3; i++) {
    const double power[] = { 0.213, 0.0 };
    ms_joint *j = test_joint("iwan_uniform", "rho", power[0], "phi_max", 4.7, NULL);
    crowd c = crowd_create(100000, 0.0);
    crowd_spread(&c, 0.0, 4.7, 100000, power_density, power);
    compare(j, &c, 81 + i);
  }
}

/* ---- a table with everything in it: a gap, jumps, deltas inside and at the end ---- */

enum { ROWS = 9 };
static const double table_phi[ROWS] = { 0.21, 0.9, 0.9, 1.7, 2.6, 2.6, 4.4, 5.2, 7.3 };
static const double table_rho[ROWS] = { 0.11, 0.37, 0.19, 0.0, 0.0, 0.28, 0.07, 0.31, 0.0 };
static const double table_S[ROWS] = { 0.043, 0.0, 0.21, 0.0, 0.087, 0.0, 0.0, 0.0, 0.39 };
static const double *const table_column[3] = { table_phi, table_rho, table_S };

static ms_joint *table_joint(ptrdiff_t rows, const double *const *column, double K_inf,
                             double sliders) {
  ms_joint *j;
  CHECK_OK(ms_joint_create(test_context(), "iwan_table", &j));
  CHECK_OK(ms_joint_set_table(j, "density", rows, 3, column));
  CHECK_OK(ms_joint_set(j, "K_inf", K_inf));
  CHECK_OK(ms_joint_set(j, "sliders", sliders));
  CHECK_OK(ms_joint_setup(j));
  return j;
}

static crowd table_crowd(double K_inf) {
  crowd c = crowd_create(100000 + ROWS, K_inf);
  for (int i = 0; i + 1 < ROWS; i++) {
    const double line[] = { table_phi[i], table_rho[i], table_phi[i + 1], table_rho[i + 1] };
    if (line[2] > line[0]) crowd_spread(&c, line[0], line[2], 14000, linear_density, line);
  }
  for (int i = 0; i < ROWS; i++) {
    if (table_S[i] > 0.0) crowd_add(&c, table_phi[i], table_S[i]);
  }
  return c;
}

static void test_table_sliders(void) {
  for (unsigned i = 0; i < 3; i++) {
    double K_inf = 0.031 * i;
    ms_joint *j = table_joint(ROWS, table_column, K_inf, 0.0);
    crowd c = table_crowd(K_inf);
    compare(j, &c, 91 + i);
  }
}

/* The laws' own slider form: the same to 1e-6, energies too. */
static void compare_forms(ms_joint *exact, ms_joint *many, unsigned seed) {
  test_history h = test_wander(exact, seed, 1);
  double worst = 0.0, peak = 0.0;
  ms_joint_energy ea, eb;
  for (int i = 0; i < 300; i++) {
    ms_joint_output a, b;
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(exact, in, &a));
    CHECK_OK(ms_joint_step(many, in, &b));
    worst = fmax(worst, fabs(a.force[0] - b.force[0]));
    peak = fmax(peak, fabs(b.force[0]));
  }
  CHECK_BELOW(worst / peak, 1e-6);
  CHECK_OK(ms_joint_get_energy(exact, &ea));
  CHECK_OK(ms_joint_get_energy(many, &eb));
  CHECK_CLOSE(ea.stored, eb.stored, 1e-5);
  CHECK_CLOSE(ea.dissipated, eb.dissipated, 1e-6);
  ms_joint_destroy(&exact);
  ms_joint_destroy(&many);
}

static ms_joint *iwan6_with(double sliders) {
  return test_joint("iwan6", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, "phi_ratio",
                    0.043, "K_inf", 0.17, "sliders", sliders, NULL);
}

static void test_slider_form(void) {
  compare_forms(iwan6_with(0.0), iwan6_with(1e5), 101);
  compare_forms(test_joint("iwan_uniform", "F_S", 11.7, "K_T", 2.385, NULL),
                test_joint("iwan_uniform", "F_S", 11.7, "K_T", 2.385, "sliders", 1e5, NULL), 102);
  compare_forms(table_joint(ROWS, table_column, 0.067, 0.0),
                table_joint(ROWS, table_column, 0.067, 1e5), 103);
}

/* ---- out and back ---- */

enum { N = 200 };

typedef struct sampled {
  double u[N], F[N], D[N];
} sampled;

/* The curves of a joint, N samples on (first, last], even in u or in its logarithm. */
static void sample(ms_joint *j, double first, double last, int logarithmic, sampled *s) {
  for (int i = 0; i < N; i++) {
    double slope, part = (double)i / (N - 1);
    ms_joint_cycle c;
    s->u[i] = logarithmic ? first * pow(last / first, part) : last * (i + 1) / N;
    CHECK_OK(ms_joint_eval_virgin(j, s->u[i], &s->F[i], &slope));
    CHECK_OK(ms_joint_run_cycle(j, s->u[i], 0.0, 4, NULL, NULL, &c));
    s->D[i] = c.D;
  }
}

static double get(const ms_joint *j, const char *name) {
  double value = NAN;
  CHECK_OK(ms_joint_get(j, name, &value));
  return value;
}

/* rho of a table at phi. */
static double table_at(const ms_density_table *d, double phi) {
  for (ptrdiff_t i = 0; i + 1 < d->n; i++) {
    if (phi < d->phi[i] || phi >= d->phi[i + 1]) continue;
    const double line[] = { d->phi[i], d->rho[i], d->phi[i + 1], d->rho[i + 1] };
    return linear_density(line, phi);
  }
  return 0.0;
}

/* Largest relative error of rho against R phi^chi inside (low, high). */
static double density_error(const ms_density_table *d, double R, double chi, double low,
                            double high) {
  double worst = 0.0;
  for (int i = 0; i < 1000; i++) {
    double phi = low * pow(high / low, (i + 0.5) / 1000.0);
    worst = fmax(worst, fabs(table_at(d, phi) / (R * pow(phi, chi)) - 1.0));
  }
  return worst;
}

/* The density as an element again: its curves against those that were sampled, between samples. */
static void check_element(const ms_density_table *d, ms_joint *want, double low, double high,
                          double tol_force, double tol_loss) {
  const double *const column[3] = { d->phi, d->rho, d->S };
  ms_joint *j = table_joint(d->n, column, d->K_inf, 0.0);
  double worst_F = 0.0, worst_D = 0.0;
  for (int i = 0; i < 300; i++) {
    double u = low * pow(high / low, (i + 0.5) / 300.0), F, F_want, slope;
    ms_joint_cycle c, c_want;
    CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
    CHECK_OK(ms_joint_eval_virgin(want, u, &F_want, &slope));
    CHECK_OK(ms_joint_run_cycle(j, u, 0.0, 4, NULL, NULL, &c));
    CHECK_OK(ms_joint_run_cycle(want, u, 0.0, 4, NULL, NULL, &c_want));
    worst_F = fmax(worst_F, fabs(F / F_want - 1.0));
    worst_D = fmax(worst_D, fabs(c.D / c_want.D - 1.0));
  }
  CHECK_BELOW(worst_F, tol_force);
  CHECK_BELOW(worst_D, tol_loss);
  ms_joint_destroy(&j);
}

/* The delta at the onset of macroslip: one, in its place, and of its stiffness. */
static void check_last_delta(const ms_density_table *d, double S, double phi, double tolerance) {
  double sum = 0.0, moment = 0.0;
  for (ptrdiff_t i = 0; i < d->n; i++) {
    sum += d->S[i];
    moment += d->S[i] * d->phi[i];
  }
  CHECK_CLOSE(sum, S, tolerance);
  CHECK_CLOSE(moment / sum, phi, tolerance);
}

static void round_trip(double chi, int logarithmic) {
  ms_joint *j = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", chi, "beta", 0.83, NULL);
  double phi = get(j, "phi_max"), R = get(j, "R"), S = get(j, "S");
  sampled s;
  ms_density_table *d;
  ms_density_report r;
  /* 200 even samples do not resolve the first few, nor any the step beside the delta. */
  double low = logarithmic ? 1e-3 * phi : 0.1 * phi, high = 0.85 * phi;
  sample(j, 1e-6 * phi, 1.17 * phi, logarithmic, &s);
  CHECK_OK(ms_density_from_virgin(test_context(), N, s.u, s.F, NULL, &d, &r));
  CHECK_BELOW(density_error(d, R, chi, low, high), 1e-2);
  CHECK_CLOSE(r.K_T, 2.385, 1e-3);
  CHECK_CLOSE(r.F_S, 11.7, 1e-3);
  CHECK_EQUAL(r.deltas, 1);
  CHECK_EQUAL(r.violations, 0);
  check_last_delta(d, S, phi, logarithmic ? 2e-2 : 3e-3);
  check_element(d, j, low, 1.6 * phi, 1e-3, 1e-2);
  ms_density_destroy(test_context(), &d);

  CHECK_OK(ms_density_from_dissipation(test_context(), N, s.u, s.D, NULL, &d, &r));
  CHECK_BELOW(density_error(d, R, chi, low, high), 1e-2);
  CHECK_CLOSE(r.K_T, 2.385, 1e-3);
  CHECK_CLOSE(r.F_S, 11.7, 1e-3);
  CHECK_EQUAL(r.deltas, 1);
  check_last_delta(d, S, phi, logarithmic ? 2e-2 : 3e-3);
  check_element(d, j, low, 1.6 * phi, 1e-3, 1e-2);
  ms_density_destroy(test_context(), &d);
  ms_joint_destroy(&j);
}

static void test_round_trip(void) {
  round_trip(-0.5, 1);
  round_trip(-0.21, 1);
  round_trip(0.37, 1);
  round_trip(0.37, 0);
  round_trip(1.3, 0);
}

/* A tabulated density with a gap, jumps and deltas, through its curves and back, with even samples
   that hit none of its knots. Away from the jumps rho returns within 1 %, the deltas all. */
static void check_table_back(const ms_density_table *d, double cell) {
  int compared = 0;
  for (int i = 0; i < 1000; i++) {
    double phi = 0.3 + 6.5 * i / 1000.0, near_knot = HUGE_VAL;
    for (int k = 0; k < ROWS; k++) near_knot = fmin(near_knot, fabs(phi - table_phi[k]));
    ms_density_table want = { .n = ROWS };
    double phi_copy[ROWS], rho_copy[ROWS];
    memcpy(phi_copy, table_phi, sizeof phi_copy);
    memcpy(rho_copy, table_rho, sizeof rho_copy);
    want.phi = phi_copy, want.rho = rho_copy;
    if (near_knot < 3.0 * cell) continue;
    CHECK_NEAR(table_at(d, phi), table_at(&want, phi), 1e-2 * 0.28);
    compared++;
  }
  CHECK(compared > 700);
  for (int k = 0; k < ROWS; k++) {
    double sum = 0.0;
    for (ptrdiff_t i = 0; i < d->n; i++) {
      if (fabs(d->phi[i] - table_phi[k]) < 1.5 * cell) sum += d->S[i];
    }
    double want = table_S[k];
    if (k > 0 && table_phi[k - 1] == table_phi[k]) want += table_S[k - 1];
    if (k + 1 < ROWS && table_phi[k + 1] == table_phi[k]) want += table_S[k + 1];
    CHECK_NEAR(sum, want, 2e-3);
  }
}

static void test_table_round_trip(void) {
  enum { M = 1013 };
  static double u[M], F[M], D[M];
  double phi[ROWS], rho[ROWS], S[ROWS], cell = 7.9 / M;
  ms_density_table in = { ROWS, phi, rho, S, 0.047 }, *d;
  ms_density_report r;
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  memcpy(phi, table_phi, sizeof phi);
  memcpy(rho, table_rho, sizeof rho);
  memcpy(S, table_S, sizeof S);
  for (int i = 0; i < M; i++) u[i] = cell * (i + 1);
  CHECK_OK(ms_density_eval_virgin(test_context(), &in, M, u, F, NULL));
  CHECK_OK(ms_density_eval_dissipation(test_context(), &in, M, u, D));
  setting.end = MS_DENSITY_END_SPRING;
  CHECK_OK(ms_density_from_virgin(test_context(), M, u, F, &setting, &d, &r));
  CHECK_CLOSE(d->K_inf, 0.047, 1e-9);
  CHECK_CLOSE(r.K_T, F[0] / u[0], 1e-4);
  check_table_back(d, cell);
  ms_density_destroy(test_context(), &d);
  setting.K_T = F[0] / u[0]; /* stuck below the first slider: this is the slope at zero */
  CHECK_OK(ms_density_from_dissipation(test_context(), M, u, D, &setting, &d, &r));
  CHECK_NEAR(d->K_inf, 0.047, 1e-3 * setting.K_T);
  CHECK_CLOSE(r.K_T, setting.K_T, 1e-12);
  check_table_back(d, cell);
  ms_density_destroy(test_context(), &d);
}

int main(void) {
  TEST(test_iwan6_sliders);
  TEST(test_uniform_sliders);
  TEST(test_table_sliders);
  TEST(test_slider_form);
  TEST(test_round_trip);
  TEST(test_table_round_trip);
  return test_finish();
}
