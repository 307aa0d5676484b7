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
    CHECK_OK(ms_contact_run_cycle(c, 1, 0.9 * yield, &cycle, NULL));
    CHECK_EQUAL(cycle.slipped, 0);
    CHECK_NEAR(cycle.D, 0.0, 1e-20);
    CHECK_OK(ms_contact_run_cycle(c, 1, 830.0, &cycle, NULL));
    CHECK_CLOSE(cycle.D, rod_loss(830.0), 5e-4);
    CHECK_CLOSE(0.5 * (cycle.v_max - cycle.v_min), rod_end(830.0), 2e-4);
    CHECK_CLOSE(cycle.work, cycle.D, 3e-4);
    CHECK_CLOSE(cycle.D_masing, cycle.D, 2e-2);
    CHECK_EQUAL(cycle.steady, 1);
    CHECK_BELOW(cycle.largest_residual, 1e-10);
    const ms_contact_count count = ms_contact_get_count(c);
    CHECK_BELOW((double)count.iterations / (double)count.steps, 5.0);
    ms_contact_destroy(&c);
  }
  free_bodies(&b);
}

/* Work of the load and dissipation: second order in the load step. */
static void test_rod_balance(void) {
  bodies b = make_rod(90);
  const ms_contact_problem problem = problem_of(&b);
  double error[3];
  for (int k = 0; k < 3; k++) {
    ms_contact_setting setting = MS_CONTACT_DEFAULT;
    ms_contact *c;
    ms_contact_cycle cycle;
    setting.cycle_steps = 24 << k;
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

/* The rod slides away: nothing has changed, and the message says what happened. */
static void test_slides_away(void) {
  bodies b = make_rod(40);
  const ms_contact_problem problem = problem_of(&b);
  ms_contact *c;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 100.0 }));
  const double v = ms_contact_get(c).v[1];
  CHECK_STATUS(ms_contact_load(c, (double[]) { 1.0, 1.1 * TAU * LENGTH }), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "slides as a whole");
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

static void test_memory_errors(void) {
  bodies b = make_rod(12);
  ms_contact_problem problem = problem_of(&b);
  CHECK(test_allocations(work, &problem) > 10);
  free_bodies(&b);
}

int main(void) {
  TEST(test_rod);
  TEST(test_rod_balance);
  TEST(test_slides_away);
  TEST(test_cylinders);
  TEST(test_in_phase);
  TEST(test_base);
  TEST(test_turning_slip);
  TEST(test_refused);
  TEST(test_shared_displacement);
  TEST(test_states);
  TEST(test_memory_errors);
  return test_finish();
}
