/* The planar beam: closed forms of statics and frequencies, its shortening, masses and names. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/beam.h>

#include "structure/impl.h"
#include "support/check.h"

#define PI 3.14159265358979323846

enum { MAX = 96 };

static const ms_beam_point points[] = { { "drive", 0.5512, 0.0, 0.0 },
                                        { "middle", 0.3071, 0.0, 0.0 },
                                        { "root", 0.0523, 0.0, 0.0 } };

static ms_beam a_beam(ptrdiff_t elements) {
  return (ms_beam) { .L = 0.6137,
                     .A = 2.077e-4,
                     .I = 4.653e-10,
                     .E = 2.083e11,
                     .rho = 7834.0,
                     .elements = elements,
                     .start = MS_BEAM_CLAMPED,
                     .end = MS_BEAM_FREE,
                     .point = points,
                     .n_point = 3 };
}

static ms_structure *make(const ms_beam *b) {
  ms_structure *s = NULL;
  CHECK_OK(ms_beam_make_structure(test_context(), b, &s));
  return s;
}

static ptrdiff_t find(const ms_structure *s, const char *name) {
  ptrdiff_t i = -7;
  CHECK_OK(ms_structure_find(s, name, &i));
  return i;
}

/* A function and its slope. */
typedef double (*shape_fn)(const ms_beam *b, double x, int slope);

/* Where the nodes are: spans between points, each cut evenly as the header says. */
static ptrdiff_t list_nodes(const ms_beam *b, double *x) {
  const double place[] = { 0.0, 0.0523, 0.3071, 0.5512, b->L };
  ptrdiff_t n = 0;
  for (int k = 0; k < 4; k++) {
    double l = place[k + 1] - place[k];
    int m = (int)ceil((double)b->elements * l / b->L);
    for (int i = 0; i < m; i++) x[n++] = place[k] + l * i / m;
  }
  x[n++] = b->L;
  return n;
}

/* u of w(x) for a clamped start; returns n. */
static ptrdiff_t sample(const ms_beam *b, shape_fn w, double *u) {
  double x[MAX];
  ptrdiff_t n = list_nodes(b, x);
  for (ptrdiff_t k = 1; k < n; k++) {
    u[2 * (k - 1)] = w(b, x[k], 0);
    u[2 * (k - 1) + 1] = w(b, x[k], 1);
  }
  return 2 * (n - 1);
}

/* ---- statics ---- */

#define FORCE 37.19

/* A force at the end. */
static double bent_by_tip(const ms_beam *b, double x, int slope) {
  double c = FORCE / (6.0 * b->E * b->I);
  return slope ? c * (6.0 * b->L * x - 3.0 * x * x) : c * x * x * (3.0 * b->L - x);
}

/* A force at 0.5512: straight beyond. */
static double bent_by_drive(const ms_beam *b, double x, int slope) {
  double c = FORCE / (6.0 * b->E * b->I), a = 0.5512;
  if (slope) return x < a ? c * (6.0 * a * x - 3.0 * x * x) : c * 3.0 * a * a;
  return x < a ? c * x * x * (3.0 * a - x) : c * a * a * (3.0 * x - a);
}

/* K u is that force and nothing else, to rounding of the entries of K u. */
static void check_statics(shape_fn w, const char *where) {
  for (ptrdiff_t elements = 1; elements < 30; elements += 7) {
    ms_beam b = a_beam(elements);
    double u[2 * MAX];
    ms_structure *s = make(&b);
    ptrdiff_t n = sample(&b, w, u), at = find(s, where);
    CHECK_EQUAL(ms_structure_get_size(s), n);
    CHECK(n / 2 >= elements);
    for (ptrdiff_t i = 0; i < n && ms_structure_get_size(s) == n; i++) {
      double f = 0.0, size = 0.0;
      for (ptrdiff_t k = 0; k < n; k++) {
        double term = ms_structure_get_stiffness(s)[i + n * k] * u[k];
        f += term;
        size += fabs(term);
      }
      CHECK_NEAR(f, i == at ? FORCE : 0.0, 1e-14 * size);
    }
    ms_structure_destroy(&s);
  }
}

static void test_statics(void) {
  check_statics(bent_by_tip, "end.uy");
  check_statics(bent_by_drive, "drive.uy");
}

/* ---- frequencies ---- */

static double frequency(const ms_beam *b, int mode) {
  ms_structure *s = make(b);
  CHECK_OK(ms_structure_setup(s));
  double omega = ms_structure_get_stuck(s).omega[mode];
  ms_structure_destroy(&s);
  return omega;
}

/* Roots beta L of the frequency equations (R. D. Blevins, Formulas for Natural Frequency and Mode
   Shape, 1979, table 8-1). */
static const struct ends {
  ms_beam_support start, end;
  int rigid;
  double root[3];
} all_ends[] = {
  { MS_BEAM_CLAMPED, MS_BEAM_FREE, 0, { 1.875104068711961, 4.694091132974174, 7.854757438237613 } },
  { MS_BEAM_CLAMPED,
    MS_BEAM_PINNED,
    0,
    { 3.926602312047919, 7.068582745628732, 10.21017612281303 } },
  { MS_BEAM_CLAMPED,
    MS_BEAM_CLAMPED,
    0,
    { 4.730040744862704, 7.853204624095838, 10.99560783800167 } },
  { MS_BEAM_PINNED, MS_BEAM_PINNED, 0, { PI, 2.0 * PI, 3.0 * PI } },
  { MS_BEAM_FREE, MS_BEAM_FREE, 2, { 4.730040744862704, 7.853204624095838, 10.99560783800167 } },
  { MS_BEAM_PINNED, MS_BEAM_FREE, 1, { 3.926602312047919, 7.068582745628732, 10.21017612281303 } },
};

static double closed_form(const ms_beam *b, double root) {
  return root * root / (b->L * b->L) * sqrt(b->E * b->I / (b->rho * b->A));
}

/* Against the closed form, the error falls by 2^4 for elements of half the length. */
static void test_frequencies(void) {
  for (size_t e = 0; e < sizeof all_ends / sizeof *all_ends; e++) {
    const struct ends *c = &all_ends[e];
    for (int r = 0; r < 3; r++) {
      double error[2];
      for (int k = 0; k < 2; k++) {
        ms_beam b = a_beam((k + 1) * (10 + 5 * r));
        b.start = c->start, b.end = c->end, b.n_point = 0;
        double want = closed_form(&b, c->root[r]);
        error[k] = frequency(&b, c->rigid + r) / want - 1.0;
      }
      CHECK(error[1] > 0.0); /* from above, as Rayleigh says */
      CHECK_NEAR(log2(error[0] / error[1]), 4.0, 0.05);
      CHECK_BELOW(error[1], 1e-5);
    }
  }
}

/* With points anywhere the limit is the same. */
static void test_points_change_nothing(void) {
  ms_beam b = a_beam(40);
  CHECK_CLOSE(frequency(&b, 0), closed_form(&b, all_ends[0].root[0]), 1e-8);
}

/* omega^2 of the first mode is 1e-11 of the last one's, and rounding of K is no reason to call it
   rigid; the two rigid modes of a free beam are. */
static void test_many_elements(void) {
  for (size_t e = 0; e < sizeof all_ends / sizeof *all_ends; e += 4) {
    const struct ends *c = &all_ends[e];
    ms_beam b = a_beam(150);
    b.start = c->start, b.end = c->end, b.n_point = 0;
    ms_structure *s = make(&b);
    CHECK_OK(ms_structure_setup(s));
    for (int r = 0; r < c->rigid; r++) CHECK_NEAR(ms_structure_get_stuck(s).omega[r], 0.0, 0.0);
    CHECK_CLOSE(ms_structure_get_stuck(s).omega[c->rigid], closed_form(&b, c->root[0]), 1e-6);
    ms_structure_destroy(&s);
  }
}

/* ---- shortening ---- */

static double a_cubic(const ms_beam *b, double x, int slope) {
  (void)b;
  return slope ? 2.0 * 0.0387 * x - 3.0 * 0.0513 * x * x : 0.0387 * x * x - 0.0513 * x * x * x;
}

static void test_shortening(void) {
  for (ptrdiff_t elements = 1; elements < 30; elements += 7) {
    ms_beam b = a_beam(elements);
    double u[2 * MAX], sum = 0.0, p = 2.0 * 0.0387, q = -3.0 * 0.0513;
    b.axial = MS_BEAM_AXIAL_STATIC;
    ptrdiff_t n = sample(&b, a_cubic, u) + 1;
    u[n - 1] = 2.385; /* ux has no part in it */
    double *G = malloc((size_t)(n * n) * sizeof *G);
    if (!G) abort();
    CHECK_OK(ms_beam_fill_shortening(test_context(), &b, n, G));
    for (ptrdiff_t i = 0; i < n * n; i++) sum += u[i % n] * G[i] * u[i / n];
    double L3 = pow(b.L, 3.0);
    CHECK_CLOSE(sum, p * p * L3 / 3.0 + p * q * L3 * b.L / 2.0 + q * q * L3 * b.L * b.L / 5.0,
                1e-13);
    CHECK_STATUS(ms_beam_fill_shortening(test_context(), &b, n - 1, G), MS_ERR_ARGUMENT);
    free(G);
  }
}

/* ---- masses, names ---- */

static const ms_beam_point loaded[] = { { "mid", 0.3071, 0.0172, 3.1e-6 },
                                        { "pin", 0.6137, 0.0247, 7.7e-7 },
                                        { "sensor", 0.3071, 0.0049, 0.0 },
                                        { "blocks", 0.6137, 21.3, 0.0 } };

static ms_beam a_loaded_beam(void) {
  ms_beam b = a_beam(5);
  b.start = MS_BEAM_PINNED, b.end = MS_BEAM_FREE;
  b.axial = MS_BEAM_AXIAL_INERTIAL;
  b.point = loaded, b.n_point = 4;
  return b;
}

/* Turning about the start as a rigid body: the moment of inertia. */
static void test_masses(void) {
  ms_beam b = a_loaded_beam();
  ms_structure *s = make(&b);
  ptrdiff_t n = ms_structure_get_size(s), ux = find(s, "end.ux");
  const double *M = ms_structure_get_mass(s), m = b.rho * b.A * b.L;
  double u[2 * MAX] = { 0.0 }, sum = 0.0;
  static const char *const name[] = { "b1.uy", "b2.uy", "mid.uy", "b3.uy", "b4.uy", "pin.uy" };
  const double x[] = { 0.3071 / 3,          2 * 0.3071 / 3,      0.3071,
                       0.3071 + 0.3066 / 3, 0.6137 - 0.3066 / 3, 0.6137 };
  for (int k = 0; k < 6; k++) u[find(s, name[k])] = x[k];
  for (ptrdiff_t i = 0; i < n; i++) u[i] = strstr(ms_structure_get_name(s, i), ".rz") ? 1.0 : u[i];
  for (ptrdiff_t i = 0; i < n * n; i++) sum += u[i % n] * M[i] * u[i / n];
  CHECK_CLOSE(sum,
              m * b.L * b.L / 3.0 + (0.0172 + 0.0049) * 0.3071 * 0.3071 +
                  (0.0247 + 21.3) * b.L * b.L + 3.1e-6 + 7.7e-7,
              1e-14);
  CHECK_EQUAL(ux, n - 1);
  CHECK_CLOSE(M[ux + n * ux], m / 3.0, 1e-15);
  CHECK_CLOSE(ms_structure_get_stiffness(s)[ux + n * ux], b.E * b.A / b.L, 1e-15);
  CHECK_EQUAL(n, 14);
  ms_structure_destroy(&s);
  b.axial = MS_BEAM_AXIAL_STATIC;
  s = make(&b);
  CHECK_CLOSE(ms_structure_get_mass(s)[ux + n * ux], 1e-6 * m, 1e-15);
  ms_structure_destroy(&s);
}

/* Uniform inertia over cubics: int N dx = l/2, l^2/12, l/2, -l^2/12 of each element, whatever the
   supports hold; and the points' masses. */
static void check_inertia(ms_beam_support start) {
  ms_beam b = a_beam(7);
  const ms_beam_point heavy[] = { { "drive", 0.5512, 0.0172, 3.1e-6 },
                                  { "middle", 0.3071, 0.0049, 0.0 },
                                  { "root", 0.0523, 0.0247, 0.0 } };
  double x[MAX], r[2 * MAX];
  const double c = b.rho * b.A;
  b.point = heavy, b.start = start;
  const ptrdiff_t nodes = list_nodes(&b, x), held = start == MS_BEAM_CLAMPED ? 2 : 1;
  CHECK_OK(ms_beam_fill_inertia(test_context(), &b, 1, 2 * nodes - held, r));
  for (ptrdiff_t k = 0; k < nodes; k++) {
    const double left = k > 0 ? x[k] - x[k - 1] : 0.0,
                 right = k + 1 < nodes ? x[k + 1] - x[k] : 0.0;
    double point = 0.0;
    for (int p = 0; p < 3; p++) point += fabs(heavy[p].x - x[k]) < 1e-12 ? heavy[p].mass : 0.0;
    const ptrdiff_t uy = 2 * k - held, rz = uy + 1;
    if (uy >= 0) CHECK_CLOSE(r[uy], c * (left + right) / 2.0 + point, 1e-14);
    if (rz >= 0) {
      CHECK_NEAR(r[rz], c * (right * right - left * left) / 12.0, 1e-15 * c * b.L * b.L);
    }
  }
}

/* Along x the half of a rod's mass, int x/L dx. */
static void test_inertia(void) {
  double r[14];
  ms_beam b = a_loaded_beam();
  check_inertia(MS_BEAM_CLAMPED);
  check_inertia(MS_BEAM_PINNED);
  CHECK_OK(ms_beam_fill_inertia(test_context(), &b, 0, 14, r));
  for (int i = 0; i < 13; i++) CHECK_NEAR(r[i], 0.0, 0.0);
  CHECK_CLOSE(r[13], b.rho * b.A * b.L / 2.0, 1e-15);
  CHECK_STATUS(ms_beam_fill_inertia(test_context(), &b, 0, 13, r), MS_ERR_ARGUMENT);
}

static void test_names(void) {
  ms_beam b = a_loaded_beam();
  ms_structure *s = make(&b);
  CHECK_EQUAL(find(s, "start.uy"), MS_GROUND);
  CHECK_EQUAL(find(s, "start.rz"), 0);
  CHECK_TEXT(ms_structure_get_name(s, 0), "start.rz");
  CHECK_EQUAL(find(s, "sensor.rz"), find(s, "mid.rz"));
  CHECK_EQUAL(find(s, "blocks.uy"), find(s, "pin.uy"));
  CHECK_EQUAL(find(s, "end.rz"), find(s, "pin.rz"));
  CHECK_EQUAL(find(s, "blocks.ux"), find(s, "end.ux"));
  CHECK_TEXT(ms_structure_get_name(s, ms_structure_get_size(s) - 1), "pin.ux");
  ptrdiff_t i;
  CHECK_STATUS(ms_structure_find(s, "mid.ux", &i), MS_ERR_NAME);
  ms_structure_destroy(&s);
}

/* ---- what is refused ---- */

static void refuse(const ms_beam *b, ms_status status, const char *words) {
  ms_structure *s = NULL;
  double G[4];
  CHECK_STATUS(ms_beam_make_structure(test_context(), b, &s), status);
  CHECK(!s);
  CHECK_HAS(ms_context_message(test_context()), words);
  CHECK_STATUS(ms_beam_fill_shortening(test_context(), b, 2, G), status);
}

static void refuse_point(ms_beam_point point, ms_status status, const char *words) {
  ms_beam b = a_beam(3);
  const ms_beam_point two[] = { points[0], point };
  b.point = two, b.n_point = 2;
  refuse(&b, status, words);
}

static void test_refused(void) {
  ms_beam b = a_beam(3);
  b.I = 0.0;
  refuse(&b, MS_ERR_BOUNDS, "I = 0");
  b = a_beam(0);
  refuse(&b, MS_ERR_BOUNDS, "0 elements");
  b = a_beam(4097);
  refuse(&b, MS_ERR_BOUNDS, "4097 elements");
  b = a_beam(3), b.start = MS_BEAM_FREE, b.axial = MS_BEAM_AXIAL_STATIC;
  refuse(&b, MS_ERR_ARGUMENT, "this one is free");
  b = a_beam(1), b.n_point = 0, b.end = MS_BEAM_CLAMPED;
  refuse(&b, MS_ERR_ARGUMENT, "fix every degree of freedom");
  refuse_point((ms_beam_point) { "far", 0.614, 0.0, 0.0 }, MS_ERR_BOUNDS, "point far");
  refuse_point((ms_beam_point) { "drive", 0.1, 0.0, 0.0 }, MS_ERR_NAME, "two points");
  refuse_point((ms_beam_point) { "end", 0.1, 0.0, 0.0 }, MS_ERR_NAME, "end is at x = 0.6137");
  refuse_point((ms_beam_point) { "b17", 0.1, 0.0, 0.0 }, MS_ERR_NAME, "b17");
  refuse_point((ms_beam_point) { "", 0.1, 0.0, 0.0 }, MS_ERR_NAME, "needs a name");
  refuse_point((ms_beam_point) { "m", 0.1, -0.3, 0.0 }, MS_ERR_BOUNDS, "must be >= 0");
  refuse_point((ms_beam_point) { "m", 0.1, 0.3, NAN }, MS_ERR_BOUNDS, "must be >= 0");
}

static ms_status make_all(ms_context *ctx, void *user) {
  ms_beam b = a_loaded_beam();
  ms_structure *s = NULL;
  double G[14 * 14];
  (void)user;
  ms_status status = ms_beam_make_structure(ctx, &b, &s);
  if (status == MS_SUCCESS) status = ms_beam_fill_shortening(ctx, &b, 14, G);
  if (status == MS_SUCCESS) status = ms_beam_fill_inertia(ctx, &b, 1, 14, G);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_runs_out(void) {
  CHECK(test_allocations(make_all, NULL) > 20);
}

/* In a structure in which two coordinates became one: what acts on them adds up. */
static void test_attached(void) {
  ms_context *ctx = test_context();
  const ms_beam b = a_loaded_beam();
  ms_structure *own = make(&b), *s = NULL;
  const ptrdiff_t n = ms_structure_get_size(own),
                  pair[2] = { find(own, "mid.uy"), find(own, "pin.uy") };
  double r[2 * MAX], y[2 * MAX] = { 0.0 };
  CHECK_OK(ms_structure_join(own, 1, pair, &s, NULL));
  CHECK_OK(ms_beam_fill_inertia(ctx, &b, 1, n, r));
  CHECK_OK(ms_beam_add_inertia(&b, s, 1, y));
  CHECK_CLOSE(y[find(s, "mid.uy")], r[pair[0]] + r[pair[1]], 1e-15);
  CHECK_CLOSE(y[find(s, "b1.uy")], r[find(own, "b1.uy")], 1e-15);
  const ms_attached_part acc = { "acc", "b1", 0.23, 0.0, NULL, -1 };
  const double before = y[find(s, "b1.uy")];
  CHECK_OK(ms_structure_attach(s, &acc));
  memset(y, 0, sizeof y);
  CHECK_OK(ms_beam_add_inertia(&b, s, 1, y));
  CHECK_CLOSE(y[find(s, "b1.uy")], before + 0.23, 1e-15);
  ms_structure_destroy(&s);
  ms_structure_destroy(&own);
}

/* A joint from the ground to the end: its axis has -G, in the coordinates of the structure. */
static void test_attached_shortening(void) {
  ms_context *ctx = test_context();
  const ms_beam b = a_loaded_beam();
  ms_structure *s = make(&b);
  const ptrdiff_t n = ms_structure_get_size(s), ground = MS_GROUND, ux = find(s, "end.ux"), uy = 0;
  double *G = malloc((size_t)(n * n) * sizeof *G);
  if (!G) abort();
  for (int j = 0; j < 2; j++) {
    ms_joint *joint = NULL;
    CHECK_OK(ms_joint_create(ctx, "linear", &joint));
    CHECK_OK(ms_joint_set(joint, "K", 71.3));
    CHECK_OK(ms_joint_setup(joint));
    CHECK_OK(ms_structure_take_joint(s, j ? "side" : "end", &joint, &ground, j ? &uy : &ux));
  }
  CHECK_OK(ms_beam_fill_shortening(ctx, &b, n, G));
  CHECK_OK(ms_beam_set_shortening(&b, s, 0, 1, 3));
  CHECK(s->attachment[0].G[0] != NULL);
  for (ptrdiff_t i = 0; s->attachment[0].G[0] && i < n * n; i++) {
    CHECK_NEAR(s->attachment[0].G[0][i], -G[i], 0.0);
  }
  CHECK_STATUS(ms_beam_set_shortening(&b, s, 1, 1, 3), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "not attached to end.ux");
  CHECK_STATUS(ms_beam_set_shortening(NULL, s, 0, 1, 3), MS_ERR_ARGUMENT);
  free(G);
  ms_structure_destroy(&s);
}

int main(void) {
  test_run("deflections under forces at nodes are exact", test_statics);
  test_run("frequencies of the classical supports, to fourth order", test_frequencies);
  test_run("low modes of many elements", test_many_elements);
  test_run("points at any place change no frequency", test_points_change_nothing);
  test_run("the shortening of a cubic is exact", test_shortening);
  test_run("masses of the beam and its points", test_masses);
  test_run("inertia of a beam whose ground moves", test_inertia);
  test_run("names, and further names of the same", test_names);
  test_run("inertia in a structure with joined coordinates", test_attached);
  test_run("shortening of a joint at the end", test_attached_shortening);
  test_run("what is refused", test_refused);
  test_run("memory runs out", test_memory_runs_out);
  return test_finish();
}
