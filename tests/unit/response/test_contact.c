/* Contact of condensed bodies against closed forms: a long rod on a layer, two cylinders pressed
   and sheared (Cattaneo, Mindlin), a point that is pulled around. */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/contact.h>

#include "core/internal.h"
#include "support/check.h"

/* What a problem is made of; n points, loads of its own. */
typedef struct bodies {
  ptrdiff_t n, n_load;
  ms_contact_point *point;
  double *H, *S_0, *Z, *C;
} bodies;

static bodies make_bodies(ptrdiff_t n, ptrdiff_t n_load) {
  bodies b = { .n = n, .n_load = n_load };
  b.point = calloc((size_t)n, sizeof *b.point);
  b.H = calloc((size_t)(9 * n * n), sizeof *b.H);
  b.S_0 = calloc((size_t)(3 * n), sizeof *b.S_0);
  b.Z = calloc((size_t)(3 * n * n_load), sizeof *b.Z);
  b.C = calloc((size_t)(n_load * n_load), sizeof *b.C);
  return b;
}

static void free_bodies(bodies *b) {
  free(b->point), free(b->H), free(b->S_0), free(b->Z), free(b->C);
}

static ms_contact_problem problem_of(const bodies *b) {
  return (ms_contact_problem) { b->n, b->n_load, b->point, b->H, b->S_0, b->Z, b->C };
}

static void invert(ptrdiff_t n, double *A) {
  int *pivot = malloc((size_t)n * sizeof *pivot);
  CHECK_EQUAL(LAPACKE_dgetrf(LAPACK_COL_MAJOR, (int)n, (int)n, A, (int)n, pivot), 0);
  CHECK_EQUAL(LAPACKE_dgetri(LAPACK_COL_MAJOR, (int)n, A, (int)n, pivot), 0);
  free(pivot);
}

/* H, Z, C of bodies whose displacements are those of the points (B = I), from K and the loads F. */
static void condense(bodies *b, const double *K, const double *F) {
  const ptrdiff_t n = 3 * b->n;
  memcpy(b->H, K, (size_t)(n * n) * sizeof *K);
  for (ptrdiff_t i = 0; i < n; i++) b->H[i + n * i] += b->S_0[i];
  invert(n, b->H);
  for (ptrdiff_t k = 0; k < b->n_load; k++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      for (ptrdiff_t j = 0; j < n; j++) b->Z[i + n * k] += b->H[i + n * j] * F[j + n * k];
    }
    for (ptrdiff_t l = 0; l < b->n_load; l++) {
      for (ptrdiff_t i = 0; i < n; i++) b->C[l + b->n_load * k] += F[i + n * l] * b->Z[i + n * k];
    }
  }
}

/* ---- a long rod, pulled at its end, pressed on a layer; load 0 presses, load 1 pulls ---- */

static const double EA = 2.3e6, LENGTH = 1.7, LAYER = 4.1e8, TAU = 730.0,
                    MU = 0.37; /* per length */

static bodies make_rod(ptrdiff_t n) {
  bodies b = make_bodies(n, 2);
  const ptrdiff_t m = 3 * n;
  const double h = LENGTH / (double)(n - 1);
  double *K = calloc((size_t)(m * m), sizeof *K), *F = calloc((size_t)(2 * m), sizeof *F);
  for (ptrdiff_t i = 0; i < n; i++) {
    const double w = i == 0 || i == n - 1 ? 0.5 * h : h;
    b.point[i] = (ms_contact_point) { .mu = MU, .K_n = 1.9 * LAYER * w, .K_t = LAYER * w };
    b.S_0[3 * i] = b.S_0[3 * i + 1] = LAYER * w;
    b.S_0[3 * i + 2] = 1.3 * LAYER * w; /* not the layer's: it changes no answer */
    F[3 * i + 2] = TAU / MU * w;
    if (i == 0) continue;
    for (ptrdiff_t p = 0; p < 2; p++) {
      for (ptrdiff_t q = 0; q < 2; q++)
        K[3 * (i - p) + m * 3 * (i - q)] += (p == q ? 1.0 : -1.0) * EA / h;
    }
  }
  F[m] = 1.0;
  condense(&b, K, F);
  free(K), free(F);
  return b;
}

/* Dissipation and displacement of the end in a steady cycle between -F and F. */
static double rod_loss(double F) {
  const double k = LAYER;
  return 2.0 * F * F * F / (3.0 * EA * TAU) - 2.0 * TAU * F / k +
         4.0 / 3.0 * TAU * TAU * sqrt(EA) / pow(k, 1.5);
}

static double rod_end(double F) {
  return F * F / (2.0 * EA * TAU) + TAU / (2.0 * LAYER);
}

static void test_rod(void) {
  bodies b = make_rod(120);
  const ms_contact_problem problem = problem_of(&b);
  const double yield = TAU * sqrt(EA / LAYER);
  for (int rebase = 0; rebase < 2; rebase++) {
    ms_contact *c;
    ms_contact_cycle cycle;
    CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
    CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 0.0 }));
    CHECK_CLOSE(ms_contact_add_up(c, -1).force[2], TAU / MU * LENGTH, 1e-12);
    if (rebase) CHECK_OK(ms_contact_rebase(c));
    double from = 0.0, all = 0.0;
    CHECK_OK(ms_contact_find_capacity(c, 1, &all)); /* all shear is along the pull */
    CHECK_CLOSE(all, TAU * LENGTH, 1e-9);
    CHECK_OK(ms_contact_find_slip(c, 1, &from));
    CHECK_CLOSE(from, yield, 1e-2); /* of points at a finite distance */
    CHECK_OK(ms_contact_run_cycle(c, 1, 0.999 * from, &cycle, NULL));
    CHECK_EQUAL(cycle.slipped, 0);
    CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 1.001 * from }));
    CHECK_EQUAL(ms_contact_add_up(c, -1).slip, 1);
    CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 0.0 }));
    CHECK_OK(ms_contact_run_cycle(c, 1, 0.9 * yield, &cycle, NULL));
    CHECK_EQUAL(cycle.slipped, 0);
    CHECK_NEAR(cycle.D, 0.0, 1e-20);
    double each[4][120], way = 0.0;
    CHECK_EQUAL(problem.n_point, 120);
    const ms_contact_cycle_fields fields = { each[0], each[1], each[2], each[3] };
    CHECK_OK(ms_contact_run_cycle_fields(c, 1, 830.0, &cycle, &fields));
    CHECK_CLOSE(cycle.D, rod_loss(830.0), 5e-4);
    for (ptrdiff_t i = 0; i < problem.n_point; i++) {
      way += 4.0 * each[1][i] * MU * 0.5 * (each[2][i] + each[3][i]); /* friction along the way */
    }
    CHECK_CLOSE(way, cycle.D, 1e-9);
    CHECK_CLOSE(0.5 * (cycle.v_max - cycle.v_min), rod_end(830.0), 2e-4);
    CHECK_CLOSE(cycle.work, cycle.D, 3e-4);
    CHECK_CLOSE(cycle.D_masing, cycle.D, 2e-2);
    CHECK_EQUAL(cycle.steady, 1);
    CHECK_BELOW(cycle.largest_residual, 1e-10);
    const ms_contact_count count = ms_contact_get_count(c);
    CHECK_BELOW((double)count.iterations / (double)count.steps, 2.5);
    CHECK_EQUAL(count.slow, 0);
    ms_contact_destroy(&c);
  }
  free_bodies(&b);
}

/* Work of the load and dissipation: second order in the load step. */
/* Glued while a part of it has slipped: no force changes, then springs too the whole rod and no
   friction, however it is pulled, also off the layer; copies and what goes on are glued. */
static void test_rod_glued(void) {
  bodies b = make_rod(120);
  const ms_contact_problem problem = problem_of(&b);
  const double h = LENGTH / 119.0, pull = 830.0, more = 2900.0;
  const double theta = acosh(1.0 + 0.5 * LAYER * h * h / EA); /* of a chain of springs on springs */
  double lambda[3 * 120];
  ms_contact *c, *copy = NULL, *next = NULL;
  ms_contact_cycle cycle;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 0.0 }));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, pull }));
  CHECK_BELOW(0.0, (double)ms_contact_add_up(c, 0).slip);
  memcpy(lambda, ms_contact_get(c).lambda, sizeof lambda);
  const double v = ms_contact_get(c).v[1], spent = ms_contact_add_up(c, 0).dissipated;
  CHECK_OK(ms_contact_glue(c, 0));
  CHECK_EQUAL(ms_contact_add_up(c, 0).slip, 0);
  CHECK_EQUAL(ms_contact_add_up(c, 0).glued, 120);
  CHECK_EQUAL(ms_contact_add_up(c, 0).friction, 0.0);
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, pull }));
  for (int i = 0; i < 3 * 120; i++)
    CHECK_NEAR(ms_contact_get(c).lambda[i], lambda[i], 1e-11 * pull);
  CHECK_OK(ms_contact_load(c, (double[]) { -0.6, pull + more }));
  const double stretched = more * h / EA / (sinh(theta) * tanh(119.0 * theta));
  CHECK_CLOSE(ms_contact_get(c).v[1] - v, stretched, 1e-10);
  CHECK_CLOSE(ms_contact_add_up(c, 0).force[2], -0.6 * TAU / MU * LENGTH, 1e-11);
  CHECK_EQUAL(ms_contact_add_up(c, 0).stick, 120);
  CHECK_EQUAL(ms_contact_add_up(c, 0).dissipated, spent);
  double from = 0.0;
  CHECK_OK(ms_contact_find_slip(c, 1, &from));
  CHECK(from == HUGE_VAL);
  CHECK_EQUAL(ms_contact_compare_critical(c, NULL), 0.0);
  CHECK_OK(ms_contact_run_cycle(c, 1, more, &cycle, NULL));
  CHECK_EQUAL(cycle.D, 0.0);
  CHECK_EQUAL(cycle.steady, 1);
  CHECK_OK(ms_contact_return(c)); /* glueing has marked it */
  CHECK_EQUAL(ms_contact_get(c).v[1], v);
  CHECK_OK(ms_contact_copy(test_context(), c, &copy));
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &next));
  CHECK_OK(ms_contact_continue(next, c));
  CHECK_OK(ms_contact_load(copy, (double[]) { -0.6, pull + more }));
  CHECK_OK(ms_contact_load(next, (double[]) { -1.6, more }));
  CHECK_CLOSE(ms_contact_get(copy).v[1] - v, stretched, 1e-10);
  CHECK_CLOSE(ms_contact_get(next).v[1], ms_contact_get(copy).v[1] - v, 1e-9);
  CHECK_EQUAL(ms_contact_get(next).glued[7], 1);
  CHECK_STATUS(ms_contact_glue(c, 1), MS_ERR_ARGUMENT);
  ms_contact_destroy(&c), ms_contact_destroy(&copy), ms_contact_destroy(&next);
  free_bodies(&b);
}

static void test_rod_balance(void) {
  bodies b = make_rod(90);
  const ms_contact_problem problem = problem_of(&b);
  double error[3];
  for (int k = 0; k < 3; k++) {
    ms_contact_setting setting = MS_CONTACT_DEFAULT;
    ms_contact *c;
    ms_contact_cycle cycle;
    setting.cycle_steps = 24 << k;
    setting.refine_max = 0;
    CHECK_OK(ms_contact_create(test_context(), &problem, &setting, &c));
    CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 0.0 }));
    CHECK_OK(ms_contact_run_cycle(c, 1, 830.0, &cycle, NULL));
    error[k] = fabs(cycle.work / cycle.D - 1.0);
    ms_contact_destroy(&c);
  }
  CHECK_BELOW(error[0], 3e-3);
  CHECK_BELOW(log2(error[0] / error[2]) / 2.0, 2.6);
  CHECK_BELOW(-log2(error[0] / error[2]) / 2.0, -1.6);
  free_bodies(&b);
}

/* Too few load steps: they are doubled until work and dissipation agree, or as often as allowed. */
static void test_rod_refined(void) {
  bodies b = make_rod(90);
  const ms_contact_problem problem = problem_of(&b);
  for (int most = 0; most < 8; most++) {
    ms_contact_setting setting = MS_CONTACT_DEFAULT;
    ms_contact *c;
    ms_contact_cycle cycle;
    setting.cycle_steps = 6;
    setting.refine_max = most;
    CHECK_OK(ms_contact_create(test_context(), &problem, &setting, &c));
    CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 0.0 }));
    const ms_contact_count before = ms_contact_get_count(c);
    CHECK_OK(ms_contact_run_cycle(c, 1, 830.0, &cycle, NULL));
    const double error = fabs(cycle.work / cycle.D - 1.0);
    CHECK_EQUAL(cycle.steady, 1);
    CHECK_EQUAL(cycle.balanced, error < 1e-3);
    CHECK_EQUAL(cycle.steps, 6 << (most < 3 ? most : 3));
    CHECK_EQUAL(cycle.balanced, most >= 3);
    CHECK_EQUAL(cycle.load_steps, ms_contact_get_count(c).steps - before.steps);
    CHECK_EQUAL(cycle.iterations, ms_contact_get_count(c).iterations - before.iterations);
    CHECK_EQUAL(cycle.slow, ms_contact_get_count(c).slow);
    ms_contact_destroy(&c);
  }
  free_bodies(&b);
}

/* The load whose cycle has an amplitude, found from a poor guess; more than the base can hold has
   none. */
static void test_find_cycle(void) {
  bodies b = make_rod(60);
  const ms_contact_problem problem = problem_of(&b);
  const double load[] = { 113.0, 830.0 };
  ms_contact *c;
  ms_contact_cycle cycle, again;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 0.0 }));
  for (int i = 0; i < 2; i++) {
    double p = 0.6 * load[i];
    ms_contact_mark(c);
    CHECK_OK(ms_contact_run_cycle(c, 1, load[i], &cycle, NULL));
    const double q = 0.5 * (cycle.v_max - cycle.v_min);
    CHECK_OK(ms_contact_return(c));
    CHECK_OK(ms_contact_find_cycle(c, 1, q, &p, &again, NULL));
    CHECK_CLOSE(0.5 * (again.v_max - again.v_min), q, 1.1e-5);
    CHECK_CLOSE(p, load[i], 3e-5);
    CHECK_CLOSE(again.D, cycle.D, 2e-4);
    CHECK_OK(ms_contact_return(c));
  }
  double p = 1e3;
  CHECK_STATUS(ms_contact_find_cycle(c, 1, 1.0, &p, &again, NULL), MS_NOT_CONVERGED);
  ms_contact_destroy(&c);
  free_bodies(&b);
}

/* The rod slides away: nothing has changed, and the message says what happened. */
static void test_slides_away(void) {
  bodies b = make_rod(40);
  ms_contact_problem problem = problem_of(&b);
  problem.group = (const char *const[]) { "base" };
  ms_contact *c;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 100.0 }));
  const double v = ms_contact_get(c).v[1];
  CHECK_STATUS(ms_contact_load(c, (double[]) { 1.0, 1.1 * TAU * LENGTH }), MS_NOT_CONVERGED);
  const char *said = strstr(ms_context_message(test_context()), "'base' slides as a whole beyond ");
  CHECK(said != NULL);
  double load = 0.0;
  if (said) CHECK_EQUAL(sscanf(said, "'base' slides as a whole beyond load %lf: all", &load), 1);
  CHECK_CLOSE(load, TAU * LENGTH, 1e-4);
  CHECK(ms_contact_get(c).v[1] == v && ms_contact_get(c).p[1] == 100.0);
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 0.97 * TAU * LENGTH }));
  CHECK_STATUS(ms_contact_load(c, (double[]) { NAN, 0.0 }), MS_ERR_NUMERIC);
  ms_contact_destroy(&c);
  free_bodies(&b);
}

/* ---- two equal cylinders, rigid contact: load 0 presses, 1 shears along t1, 2 along t2 ---- */

static const double E_STAR = 7.7e10, RADIUS = 0.083, PRESS = 2.4e5; /* plane strain, per length */

/* Mean over a strip of width h at distance d of ln(far/|x|). */
static double log_kernel(double d, double h, double far) {
  const double a = d + 0.5 * h, b = d - 0.5 * h;
  const double A = a == 0.0 ? 0.0 : a * log(fabs(a)), B = b == 0.0 ? 0.0 : b * log(fabs(b));
  return log(far) - (A - B - h) / h;
}

static double half_width(double P) {
  return sqrt(4.0 * P * RADIUS / (MS_PI * E_STAR));
}

/* Bodies that nothing but contact holds: z = delta - G lambda, sum of lambda = P. With A = (G^-1 +
   S_0)^-1, t = (I - A S_0) 1, s = 1^T S_0 t: H = A + t t^T/s, Z = t/s, C = 1/s. */
static void add_component(bodies *b, int k, double h, double S) {
  const ptrdiff_t n = b->n, m = 3 * n;
  double *A = malloc((size_t)(n * n) * sizeof *A), *t = malloc((size_t)n * sizeof *t), s = 0.0;
  const double far = 50.0 * (double)n * h;
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t j = 0; j < n; j++) {
      A[i + n * j] = 2.0 / (MS_PI * E_STAR) * log_kernel(h * (double)(i - j), h, far);
    }
  }
  invert(n, A);
  for (ptrdiff_t i = 0; i < n; i++) A[i + n * i] += S;
  invert(n, A);
  for (ptrdiff_t i = 0; i < n; i++) {
    t[i] = 1.0;
    for (ptrdiff_t j = 0; j < n; j++) t[i] -= A[i + n * j] * S;
    s += S * t[i];
  }
  const ptrdiff_t load = k == 2 ? 0 : k + 1;
  for (ptrdiff_t i = 0; i < n; i++) {
    b->S_0[3 * i + k] = S;
    b->Z[3 * i + k + m * load] = t[i] / s;
    for (ptrdiff_t j = 0; j < n; j++)
      b->H[3 * i + k + m * (3 * j + k)] = A[i + n * j] + t[i] * t[j] / s;
  }
  b->C[load * (b->n_load + 1)] = 1.0 / s;
  free(A), free(t);
}

static bodies make_cylinders(int per_a, double mu) {
  const double a = half_width(PRESS), h = a / per_a;
  const ptrdiff_t n = 2 * (ptrdiff_t)(1.3 * per_a) + 1;
  bodies b = make_bodies(n, 3);
  for (ptrdiff_t i = 0; i < n; i++) {
    const double x = h * (double)(i - n / 2);
    b.point[i] = (ms_contact_point) { .mu = mu, .gap = x * x / (2.0 * RADIUS), .group = x > 0.0 };
  }
  for (int k = 0; k < 3; k++) add_component(&b, k, h, 0.7 * E_STAR);
  return b;
}

static double cylinder_loss(double mu, double s) {
  return 4.0 * mu * mu * PRESS * PRESS / (MS_PI * E_STAR) *
         ((1.0 - s) * log(1.0 - s) + s - 0.5 * s * s);
}

static void check_hertz(const ms_contact *c, int per_a) {
  const ms_contact_state state = ms_contact_get(c);
  const double a = half_width(PRESS), h = a / per_a;
  double miss = 0.0, size = 0.0;
  for (ptrdiff_t i = 0; i < state.n_point; i++) {
    const double x = h * (double)(i - state.n_point / 2), inside = fmax(0.0, 1.0 - x * x / (a * a));
    const double p = 2.0 * PRESS / (MS_PI * a) * sqrt(inside) * h;
    miss += pow(state.lambda[3 * i + 2] - p, 2.0), size += p * p;
  }
  CHECK_BELOW(sqrt(miss / size), 0.02);
  CHECK_CLOSE(ms_contact_add_up(c, -1).force[2], PRESS, 1e-10);
}

/* Pressed in one step, then sheared: along t1, or along a direction between t1 and t2, which must
   make no difference. */
static void shear_cylinders(int per_a, double s, int slanted, double tolerance) {
  const double mu = 0.31, Q = s * mu * PRESS, cosine = slanted ? 0.6 : 1.0,
               sine = slanted ? 0.8 : 0.0;
  bodies b = make_cylinders(per_a, mu);
  const ptrdiff_t m = 3 * b.n;
  for (ptrdiff_t i = 0; i < m; i++) b.Z[i + m] = cosine * b.Z[i + m] + sine * b.Z[i + 2 * m];
  const ms_contact_problem problem = problem_of(&b);
  ms_contact *c;
  ms_contact_cycle cycle;
  double *D = malloc((size_t)b.n * sizeof *D), whole = 0.0;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { PRESS, 0.0, 0.0 }));
  check_hertz(c, per_a);
  CHECK_BELOW((double)ms_contact_get_count(c).iterations, 13.0);
  CHECK_OK(ms_contact_rebase(c));
  CHECK_OK(ms_contact_run_cycle(c, 1, Q, &cycle, D));
  CHECK_CLOSE(cycle.D, cylinder_loss(mu, s), tolerance);
  for (ptrdiff_t i = 0; i < b.n; i++) whole += D[i];
  CHECK_CLOSE(whole, cycle.D, 1e-12);
  free(D);
  const ms_contact_sum sum = ms_contact_add_up(c, -1);
  CHECK_CLOSE(sum.force[0], cosine * Q, 1e-9);
  CHECK_NEAR(sum.force[1], sine * Q, 1e-9 * Q);
  const ms_contact_count count = ms_contact_get_count(c);
  CHECK_BELOW((double)count.iterations / (double)count.steps, 5.0);
  CHECK_EQUAL(count.divided, 0);
  ms_contact_destroy(&c);
  free_bodies(&b);
}

static void test_cylinders(void) {
  shear_cylinders(32, 0.5, 0, 0.005);
  shear_cylinders(32, 0.2, 0, 0.03);
  shear_cylinders(32, 0.5, 1, 0.005);
}

/* Pressed and sheared in proportion, dQ/dP < mu: no slip at all. */
static void test_in_phase(void) {
  const double mu = 0.31;
  bodies b = make_cylinders(16, mu);
  const ms_contact_problem problem = problem_of(&b);
  ms_contact *c;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  for (int k = 1; k <= 40; k++) {
    const double P = PRESS * k / 40.0;
    CHECK_OK(ms_contact_load(c, (double[]) { P, 0.9 * mu * P, 0.0 }));
  }
  const ms_contact_sum sum = ms_contact_add_up(c, -1);
  CHECK_BELOW(sum.dissipated, 1e-2 * cylinder_loss(mu, 0.9));
  CHECK_EQUAL(sum.slip, 0);
  ms_contact_destroy(&c);
  free_bodies(&b);
}

/* Unloaded, loaded again and sheared, so that points open and close: no answer depends on the base
   state, nor on S_0. */
static void test_base(void) {
  double v[3][3], lambda[3], work[3];
  for (int k = 0; k < 3; k++) {
    bodies b = make_cylinders(12, 0.31);
    for (int m = 0; k == 2 && m < 3; m++)
      add_component(&b, m, half_width(PRESS) / 12, 2.9 * E_STAR);
    const ms_contact_problem problem = problem_of(&b);
    ms_contact *c;
    CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
    const double path[][2] = { { 1.0, 0.0 },  { 1.0, 0.4 }, { 0.3, 0.1 },
                               { 0.5, -0.3 }, { 0.9, 0.2 }, { 0.4, 0.6 } };
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
      CHECK_OK(ms_contact_load(
          c, (double[]) { path[i][0] * PRESS, path[i][1] * 0.31 * PRESS * 0.6, 0.0 }));
      if (k == 1) CHECK_OK(ms_contact_rebase(c));
    }
    const ms_contact_state state = ms_contact_get(c);
    memcpy(v[k], state.v, sizeof v[k]);
    lambda[k] = state.lambda[3 * (b.n / 2 + 3)];
    work[k] = ms_contact_add_up(c, -1).dissipated;
    CHECK(ms_contact_add_up(c, -1).open > 10 && work[k] > 0.0);
    ms_contact_destroy(&c);
    free_bodies(&b);
  }
  for (int k = 1; k < 3; k++) {
    CHECK_CLOSE(v[k][0], v[0][0], 1e-10);
    CHECK_CLOSE(v[k][1], v[0][1], 1e-10);
    CHECK_CLOSE(lambda[k], lambda[0], 1e-9);
    CHECK_CLOSE(work[k], work[0], 1e-9);
  }
}

/* ---- one point on springs: pulled around in a circle, the slip turns with it ---- */

/* Dissipation of the third turn, with that many steps a turn. */
static double turn(const bodies *b, ptrdiff_t steps, double Q, double *radius) {
  const ms_contact_problem problem = problem_of(b);
  ms_contact *c;
  double before = 0.0;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 0.0, 0.0, 250.0 }));
  for (ptrdiff_t k = 0; k <= 3 * steps; k++) {
    const double angle = 2.0 * MS_PI * (double)k / (double)steps;
    CHECK_OK(ms_contact_load(c, (double[]) { Q * cos(angle), Q * sin(angle), 250.0 }));
    if (k == 2 * steps) before = ms_contact_get(c).dissipated[0];
  }
  const ms_contact_state state = ms_contact_get(c);
  CHECK_CLOSE(hypot(state.lambda[0], state.lambda[1]), 100.0, 1e-10);
  const double D = state.dissipated[0] - before;
  *radius = hypot(state.z[0], state.z[1]);
  ms_contact_destroy(&c);
  return D;
}

/* Steady: the friction force is at right angles to that of the springs, whose size is then sqrt(Q^2
   - 100^2); z turns on a circle. The direction of slip is that at the end of a step: first order.
 */
static void test_turning_slip(void) {
  bodies b = make_bodies(1, 3);
  const double K[9] = { 3.1e6, 0, 0, 0, 3.1e6, 0, 0, 0, 5.3e6 },
               F[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const double Q = 173.0, radius = sqrt(Q * Q - 1e4) / 3.1e6;
  double r[2], D[2];
  b.point[0] = (ms_contact_point) { .mu = 0.4 };
  condense(&b, K, F);
  for (int k = 0; k < 2; k++) D[k] = turn(&b, 400 << k, Q, &r[k]);
  CHECK_CLOSE(D[1], 100.0 * 2.0 * MS_PI * radius, 4e-3);
  CHECK_CLOSE(2.0 * r[1] - r[0], radius, 1e-4);
  CHECK_CLOSE(2.0 * D[1] - D[0], 100.0 * 2.0 * MS_PI * radius, 1e-4);
  free_bodies(&b);
}

/* ---- two nodes on springs: friction above a critical value (Klarbring) ---- */

/* At the second node the spring is inclined: pulled along t1, it lifts the node. Above mu =
   K_tt/K_tn one load has two answers, stuck and open, and the path decides between them. */
static void test_not_unique(void) {
  const double K_tt = 2.3e6, K_tn = 1.7e6, K_nn = 4.1e6, critical = K_tt / K_tn;
  for (int layer = 0; layer < 2; layer++) {
    for (int above = 0; above < 2; above++) {
      const double mu = (above ? 1.3 : 0.7) * critical;
      bodies b = make_bodies(2, 2);
      double K[36] = { 0 };
      for (int i = 0; i < 2; i++) {
        K[21 * i] = K_tt, K[21 * i + 7] = 3.9e6, K[21 * i + 14] = K_nn;
        b.point[i] = (ms_contact_point) { .mu = mu };
        if (layer) b.point[i].K_n = b.point[i].K_t = 1e6 * K_nn; /* nearly rigid */
        for (int k = 0; k < 3; k++) b.S_0[3 * i + k] = layer ? 1e6 * K_nn : K_nn;
      }
      K[5 + 6 * 3] = K[3 + 6 * 5] = K_tn;
      const double F[12] = { [2] = 310.0, [3] = 1.0, [11] = 1.0 };
      condense(&b, K, F);
      const ms_contact_problem problem = problem_of(&b);
      ms_contact *c;
      ptrdiff_t point, open[2];
      CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
      CHECK_CLOSE(ms_contact_compare_critical(c, &point), mu / critical, layer ? 1e-4 : 1e-9);
      CHECK_EQUAL(point, 1);
      const double pull = 1.15 * critical * 90.0; /* below mu times the press if mu is above */
      for (int path = 0; path < 2 && above; path++) {
        CHECK_OK(ms_contact_load(c, (double[]) { 1.0, path ? -90.0 : 90.0 }));
        CHECK_OK(ms_contact_load(c, (double[]) { pull, path ? -90.0 : 90.0 }));
        CHECK_OK(ms_contact_load(c, (double[]) { pull, 90.0 }));
        open[path] = ms_contact_add_up(c, -1).open;
        CHECK_BELOW(ms_contact_get(c).residual, 1e-10);
        CHECK_OK(ms_contact_return(c));
      }
      if (above) CHECK(open[0] == 0 && open[1] == 1);
      ms_contact_destroy(&c);
      free_bodies(&b);
    }
  }
}

/* ---- points that supports hold, that are apart, that slide against each other ---- */

/* Beside a pressed point one that supports hold on both sides: its gap and the force of its layer
   stay. */
static void test_held(void) {
  const double gap[] = { 4.3e-4, -2.7e-5, 0.0, -2.7e-5 }, K_n = 3.1e6;
  for (int k = 0; k < 4; k++) {
    const int layer = k < 3;
    bodies b = make_bodies(2, 1);
    b.point[0] = (ms_contact_point) { .mu = 0.3 };
    b.point[1] = (ms_contact_point) { .mu = 0.3, .gap = gap[k] };
    if (layer) b.point[1].K_n = b.point[1].K_t = K_n;
    for (int i = 0; i < 3; i++) b.H[7 * i] = 2.2e-7;
    b.Z[2] = 2.2e-7, b.C[0] = 2.2e-7;
    const ms_contact_problem problem = problem_of(&b);
    const double force = layer && gap[k] < 0.0 ? -K_n * gap[k] : 0.0;
    ms_contact *c, *next;
    CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
    for (int load = 1; load < 3; load++) {
      CHECK_OK(ms_contact_load(c, (double[]) { 170.0 * load }));
      const ms_contact_state s = ms_contact_get(c);
      CHECK_EQUAL(s.status[1], gap[k] > 0.0 ? MS_CONTACT_OPEN : MS_CONTACT_STICK);
      CHECK_CLOSE(s.lambda[2], 170.0 * load, 1e-12);
      CHECK_NEAR(s.z[5], -gap[k], 1e-18);
      CHECK_NEAR(s.lambda[5], force, 1e-12);
    }
    CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &next));
    CHECK_OK(ms_contact_continue(next, c));
    CHECK_OK(ms_contact_load(next, (double[]) { 11.0 }));
    CHECK_NEAR(ms_contact_get(next).z[5], -gap[k], 1e-18);
    CHECK_NEAR(ms_contact_get(next).lambda[5], force, 1e-12);
    ms_contact_destroy(&next);
    ms_contact_destroy(&c);
    free_bodies(&b);
  }
}

/* A body on a spring in front of a wall: drawn away, not far enough, and on to it. */
static void test_apart(void) {
  const double k = 2.9e6, gap = 1.3e-5, K_n = 8.3e6;
  for (int layer = 0; layer < 2; layer++) {
    bodies b = make_bodies(1, 1);
    b.point[0] = (ms_contact_point) { .mu = 0.3, .gap = gap };
    if (layer) b.point[0].K_n = b.point[0].K_t = K_n;
    for (int i = 0; i < 3; i++) b.S_0[i] = 5.9e6;
    condense(&b, (double[]) { [0] = k, [4] = k, [8] = k }, (double[]) { [2] = 1.0 });
    const ms_contact_problem problem = problem_of(&b);
    const double load[] = { -310.0, 0.0, 1e-9, 0.7 * k * gap, 1.9 * k * gap, -20.0 };
    ms_contact *c;
    CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
    for (int i = 0; i < 6; i++) {
      const double left = load[i] - k * gap, part = layer ? K_n / (K_n + k) : 1.0;
      CHECK_OK(ms_contact_load(c, &load[i]));
      const ms_contact_state s = ms_contact_get(c);
      CHECK_NEAR(s.lambda[2], fmax(0.0, part * left), 1e-9);
      CHECK_EQUAL(s.status[0] == MS_CONTACT_OPEN, left < 0.0);
      if (left < 0.0) CHECK_NEAR(s.z[2], left / k, 1e-12 * gap);
    }
    CHECK_EQUAL(ms_contact_get_count(c).divided, 0);
    ms_contact_destroy(&c);
    free_bodies(&b);
  }
}

/* A bar between two points that nothing else holds along it, spread by forces in balance: both
   slip, against each other, and the middle may be anywhere. */
static void test_spread(void) {
  const double k = 2.3e6, mu = 0.3, N = 100.0, F = 47.0;
  for (int layer = 0; layer < 2; layer++) {
    bodies b = make_bodies(2, 2);
    double K[36] = { [0] = k, [21] = k, [3] = -k, [18] = -k, [7] = k, [28] = k };
    for (int i = 0; i < 6; i++) b.S_0[i] = 4.1e6;
    for (int i = 0; i < 2; i++) {
      b.point[i].mu = mu;
      if (layer) b.point[i].K_n = b.point[i].K_t = 1.7e7;
    }
    condense(&b, K, (double[12]) { [2] = 1.0, [5] = 1.0, [6] = 1.0, [9] = -1.0 });
    const ms_contact_problem problem = problem_of(&b);
    ms_contact *c;
    CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
    CHECK_OK(ms_contact_load(c, (double[]) { N, 0.0 }));
    CHECK_OK(ms_contact_load(c, (double[]) { N, F }));
    const ms_contact_state s = ms_contact_get(c);
    CHECK(ms_contact_add_up(c, -1).slip > 0);
    CHECK_CLOSE(s.lambda[0], mu * N, 1e-9);
    CHECK_CLOSE(s.lambda[3], -mu * N, 1e-9);
    CHECK_CLOSE(s.v[1], (F - mu * N) / k, 1e-8);
    CHECK_BELOW(s.residual, 1e-10);
    ms_contact_destroy(&c);
    free_bodies(&b);
  }
}

/* ---- what is refused ---- */

static void test_refused(void) {
  bodies b = make_rod(5);
  ms_contact_problem problem = problem_of(&b);
  ms_context *ctx = test_context();
  ms_contact *c;
  struct {
    double *at, bad;
    const char *says;
  } wrong[] = {
    { &b.point[3].mu, -0.1, "point 3: mu" },  { &b.point[2].gap, NAN, "point 2: gap" },
    { &b.point[1].K_t, 0.0, "point 1: K_n" }, { &b.H[1], 1.0, "not symmetric" },
    { &b.H[4 * 16], -1.0, "flexibility -1" }, { &b.S_0[2], -1.0, "S_0[2]" },
    { &b.Z[7], INFINITY, "z_load" },          { &b.C[1], NAN, "load_load" },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const double right = *wrong[i].at;
    *wrong[i].at = wrong[i].bad;
    CHECK(ms_contact_create(ctx, &problem, NULL, &c) < 0);
    CHECK(c == NULL);
    CHECK_HAS(ms_context_message(ctx), wrong[i].says);
    *wrong[i].at = right;
  }
  problem.n_point = 4000;
  ms_contact_point *many = calloc(4000, sizeof *many);
  problem.point = many;
  CHECK_STATUS(ms_contact_create(ctx, &problem, NULL, &c), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "3.5 GB");
  free(many);
  problem = problem_of(&b);
  problem.n_load = 0;
  CHECK_STATUS(ms_contact_create(ctx, &problem, NULL, &c), MS_ERR_ARGUMENT);
  problem = problem_of(&b);
  b.point[4].group = -1;
  CHECK_STATUS(ms_contact_create(ctx, &problem, NULL, &c), MS_ERR_BOUNDS);
  b.point[4].group = 0;
  ms_contact_setting setting = MS_CONTACT_DEFAULT;
  setting.cycle_steps = 1;
  CHECK_STATUS(ms_contact_create(ctx, &problem, &setting, &c), MS_ERR_BOUNDS);
  setting.cycle_steps = 64;
  setting.refine_max = -1;
  CHECK_STATUS(ms_contact_create(ctx, &problem, &setting, &c), MS_ERR_BOUNDS);
  CHECK_OK(ms_contact_create(ctx, &problem, NULL, &c));
  ms_contact_cycle cycle;
  CHECK_STATUS(ms_contact_run_cycle(c, 2, 1.0, &cycle, NULL), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_contact_run_cycle(c, 1, 0.0, &cycle, NULL), MS_ERR_BOUNDS);
  ms_contact_destroy(&c);
  free_bodies(&b);
}

/* Two points with one displacement: H is singular, forces are not unique. */
static void test_shared_displacement(void) {
  bodies b = make_bodies(2, 1);
  for (ptrdiff_t i = 0; i < 6; i++) {
    for (ptrdiff_t j = 0; j < 6; j++) b.H[i + 6 * j] = i % 3 == j % 3 ? 1e-9 : 0.0;
    b.Z[i] = 1e-9;
  }
  b.C[0] = 1e-9;
  const ms_contact_problem problem = problem_of(&b);
  ms_contact *c;
  CHECK_STATUS(ms_contact_create(test_context(), &problem, NULL, &c), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "singular");
  free_bodies(&b);
}

static ms_status work(ms_context *ctx, void *user) {
  const ms_contact_problem *problem = user;
  ms_contact *c, *copy = NULL, *next = NULL;
  ms_contact_cycle cycle;
  MS_TRY(ms_contact_create(ctx, problem, NULL, &c));
  ms_status status = ms_contact_load(c, (double[]) { 1.0, 0.0 });
  if (!status) status = ms_contact_run_cycle(c, 1, 830.0, &cycle, NULL);
  if (!status) status = ms_contact_rebase(c);
  if (!status) status = ms_contact_copy(ctx, c, &copy);
  if (!status) status = ms_contact_create(ctx, problem, NULL, &next);
  if (!status) status = ms_contact_continue(next, copy);
  if (!status) status = ms_contact_settle(next, 1, 20.0, 1);
  if (!status) status = ms_contact_return(next);
  ms_contact_destroy(&next);
  ms_contact_destroy(&copy);
  ms_contact_destroy(&c);
  return status;
}

/* A state that is taken over, copied or gone back to: forces are the same to rounding, loads count
   from there, and what follows is what follows without the change. */
static void test_states(void) {
  bodies b = make_rod(40);
  const ms_contact_problem problem = problem_of(&b);
  const double more = 640.0;
  ms_contact *c, *next, *copy;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 0.0 }));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 410.0 }));
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &next));
  CHECK_OK(ms_contact_continue(next, c));
  CHECK_STATUS(ms_contact_continue(next, c), MS_ERR_ARGUMENT); /* it has begun */
  CHECK_OK(ms_contact_copy(test_context(), next, &copy));
  const double v_0 = ms_contact_get(c).v[1];
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 410.0 + more }));
  CHECK_OK(ms_contact_load(next, (double[]) { 0.0, more }));
  CHECK_OK(ms_contact_load(copy, (double[]) { 0.0, more }));
  const ms_contact_state x = ms_contact_get(c), y = ms_contact_get(next), z = ms_contact_get(copy);
  CHECK_CLOSE(y.v[1], x.v[1] - v_0, 1e-9);
  CHECK_EQUAL(z.v[1], y.v[1]);
  for (ptrdiff_t i = 0; i < 3 * b.n; i++) {
    CHECK_NEAR(y.lambda[i], x.lambda[i], 1e-9 * fabs(x.lambda[3 * (i / 3) + 2]));
    CHECK_EQUAL(z.lambda[i], y.lambda[i]);
  }
  CHECK_OK(ms_contact_return(next));
  CHECK_EQUAL(ms_contact_get(next).v[1], 0.0);
  CHECK_OK(ms_contact_load(next, (double[]) { 0.0, more }));
  for (ptrdiff_t i = 0; i < 3 * b.n; i++)
    CHECK_NEAR(ms_contact_get(next).lambda[i], z.lambda[i], 1e-9 * fabs(z.lambda[3 * (i / 3) + 2]));
  CHECK_OK(ms_contact_return(next));
  CHECK_OK(ms_contact_settle(next, 1, 300.0, 2)); /* back at the load, but not where it was */
  CHECK_EQUAL(ms_contact_get(next).p[1], 0.0);
  CHECK(ms_contact_get(next).v[1] != 0.0);
  ms_contact_destroy(&copy);
  ms_contact_destroy(&next);
  ms_contact_destroy(&c);
  free_bodies(&b);
}

/* Conditioning is the same as the loads one after the other, and the cycle after it another than
   without. */
static void test_settle(void) {
  enum { CYCLES = 2, TURNS = 3 };
  static const double turn[TURNS] = { 1.0, -1.0, 0.0 };
  bodies b = make_cylinders(8, 0.4);
  const ms_contact_problem problem = problem_of(&b);
  const double amplitude = 0.21 * PRESS;
  ms_contact *c[3];
  ms_contact_cycle cycle[3];
  for (int k = 0; k < 3; k++) { /* 0: settled, 1: by loads, 2: not at all */
    CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c[k]));
    CHECK_OK(ms_contact_load(c[k], (double[]) { PRESS, 0.07 * PRESS, 0.0 }));
    CHECK_OK(ms_contact_rebase(c[k]));
  }
  const ptrdiff_t steps = ms_contact_get_setting(c[0])->cycle_steps;
  CHECK_OK(ms_contact_settle(c[0], 1, amplitude, CYCLES));
  for (int k = 0; k < CYCLES * TURNS; k++) {
    const double from = k % TURNS == 0 ? 0.0 : turn[k % TURNS - 1], to = turn[k % TURNS];
    const ptrdiff_t n = k % TURNS == 1 ? steps : steps / 2;
    for (ptrdiff_t i = 1; i <= n; i++) {
      const double part = from + (to - from) * (double)i / (double)n;
      CHECK_OK(ms_contact_load(c[1], (double[]) { PRESS, 0.07 * PRESS + part * amplitude, 0.0 }));
    }
  }
  const ms_contact_state x = ms_contact_get(c[0]), y = ms_contact_get(c[1]),
                         none = ms_contact_get(c[2]);
  double moved = 0.0;
  for (ptrdiff_t i = 0; i < 3 * b.n; i++) {
    CHECK_NEAR(x.lambda[i], y.lambda[i], 1e-9 * PRESS);
    moved = fmax(moved, fabs(x.lambda[i] - none.lambda[i]) / PRESS);
  }
  CHECK(moved > 1e-4);
  CHECK_CLOSE(ms_contact_add_up(c[0], -1).dissipated, ms_contact_add_up(c[1], -1).dissipated, 1e-9);
  CHECK_OK(ms_contact_load(c[0], (double[]) { PRESS, 0.0, 0.0 }));
  CHECK_OK(ms_contact_return(c[0])); /* the state after it is the marked one */
  CHECK_CLOSE(ms_contact_get(c[0]).v[1], y.v[1], 1e-9);
  for (int k = 0; k < 2; k++) CHECK_OK(ms_contact_run_cycle(c[k], 1, 0.1 * PRESS, &cycle[k], NULL));
  CHECK_CLOSE(cycle[0].D, cycle[1].D, 1e-9);
  for (int k = 0; k < 3; k++) ms_contact_destroy(&c[k]);
  free_bodies(&b);
}

/* What follows a return has the same digits, whatever came between. */
static void test_return_is_exact(void) {
  bodies b = make_cylinders(8, 0.4);
  const ms_contact_problem problem = problem_of(&b);
  ms_contact *c;
  ms_contact_cycle first, again;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { PRESS, 0.0, 0.0 }));
  CHECK_OK(ms_contact_rebase(c));
  ms_contact_mark(c);
  CHECK_OK(ms_contact_run_cycle(c, 1, 0.13 * PRESS, &first, NULL));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(ms_contact_return(c));
    if (i == 0) CHECK_OK(ms_contact_load(c, (double[]) { 0.37 * PRESS, 0.0, 0.0 })); /* some open */
    if (i == 0) CHECK_OK(ms_contact_rebase(c));
    if (i == 0) CHECK_OK(ms_contact_return(c));
    CHECK_OK(ms_contact_run_cycle(c, 1, 0.13 * PRESS, &again, NULL));
    CHECK(again.D == first.D && again.v_max == first.v_max);
  }
  ms_contact_destroy(&c);
  free_bodies(&b);
}

static void test_memory_errors(void) {
  bodies b = make_rod(12);
  ms_contact_problem problem = problem_of(&b);
  CHECK(test_allocations(work, &problem) > 10);
  free_bodies(&b);
}

int main(void) {
  TEST(test_rod);
  TEST(test_rod_glued);
  TEST(test_rod_balance);
  TEST(test_rod_refined);
  TEST(test_find_cycle);
  TEST(test_slides_away);
  TEST(test_cylinders);
  TEST(test_in_phase);
  TEST(test_base);
  TEST(test_turning_slip);
  TEST(test_not_unique);
  TEST(test_held);
  TEST(test_apart);
  TEST(test_spread);
  TEST(test_refused);
  TEST(test_shared_displacement);
  TEST(test_states);
  TEST(test_settle);
  TEST(test_return_is_exact);
  TEST(test_memory_errors);
  return test_finish();
}
