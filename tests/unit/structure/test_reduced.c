/* Reduced models: sub-structures put together, as a structure, and in files. */
#include <math.h>
#include <string.h>

#include <microslip/io.h>
#include <microslip/study.h>

#include "support/check.h"
#include "support/files.h"

/* A free chain of n masses m with springs k between neighbours; the first n_boundary are boundary.
 */
static ms_reduced *make_chain(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_boundary, double m,
                              double k, ptrdiff_t n_row) {
  static const char *const name[] = { "a", "b", "c", "d" };
  ms_reduced *r = NULL;
  if (ms_reduced_create(ctx, n, n_boundary, name, n_row, &r) != MS_SUCCESS) return NULL;
  for (ptrdiff_t i = 0; i < n; i++) r->M[i + n * i] = m * (1.0 + 0.31 * (double)i);
  for (ptrdiff_t i = 0; i + 1 < n; i++) {
    r->K[i + n * i] += k;
    r->K[i + 1 + n * (i + 1)] += k;
    r->K[i + 1 + n * i] -= k;
    r->K[i + n * (i + 1)] -= k;
  }
  for (ptrdiff_t i = 0; i < n_row * n; i++) r->basis[i] = 0.37 * (double)i - 2.385;
  if (n_row > 0 && ms_reduced_add_translations(r) != MS_SUCCESS) ms_reduced_destroy(&r);
  for (ptrdiff_t i = 0; r && r->inertia && i < 3 * n; i++) {
    r->inertia[i] = 0.41 * (double)i - 1.7;
    r->follow[i] = 0.9 - 0.13 * (double)i;
  }
  if (r) r->mass = 2.6 * m;
  return r;
}

/* Two masses m1, m2 and a spring: omega^2 = k (1/m1 + 1/m2), and a rigid motion. */
static void test_frequencies(void) {
  double m = 2.385, k = 7.1, omega[2];
  ms_reduced *r = make_chain(test_context(), 2, 1, m, k, 0);
  CHECK_OK(ms_reduced_find_omega(r, omega));
  CHECK_NEAR(omega[0], 0.0, 1e-300);
  CHECK_CLOSE(omega[1], sqrt(k / m + k / (1.31 * m)), 1e-14);
  r->M[0] = -1.0;
  CHECK_STATUS(ms_reduced_find_omega(r, omega), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "not positive definite");
  ms_reduced_destroy(&r);
}

/* Chains a-b and b'-a' joined at the ends: the matrix written out. */
static void test_assembly(void) {
  static const char *const part[] = { "left", "right" };
  static const char *const same[] = { "left.b", "right.a" };
  double k1 = 7.1, k2 = 3.3, m1 = 2.385, m2 = 0.77;
  ms_reduced *p[2] = { make_chain(test_context(), 2, 2, m1, k1, 0),
                       make_chain(test_context(), 3, 2, m2, k2, 0) };
  ms_reduced *r = NULL;
  CHECK_OK(ms_reduced_assemble(test_context(), 2, part, (const ms_reduced *const *)p, 1, same, &r));
  if (r) {
    static const char *const want[] = { "left.a", "left.b", "right.b", "right.c" };
    const double K[16] = { k1,  -k1, 0.0,    0.0, -k1, k1 + k2, -k2, 0.0, //
                           0.0, -k2, 2 * k2, -k2, 0.0, 0.0,     -k2, k2 };
    const double M[4] = { m1, 1.31 * m1 + m2, 1.31 * m2, 1.62 * m2 };
    CHECK_EQUAL(r->n, 4);
    CHECK_EQUAL(r->n_boundary, 3);
    for (int i = 0; i < 4; i++) CHECK_TEXT(r->name[i], want[i]);
    for (int i = 0; i < 16; i++) CHECK_NEAR(r->K[i], K[i], 1e-15);
    for (int i = 0; i < 4; i++) CHECK_NEAR(r->M[5 * i], M[i], 1e-15);
  }
  ms_reduced_destroy(&r);
  static const char *const wrong[] = { "left.b", "right.aa" };
  static const char *const modal[] = { "left.b", "right.c" };
  static const char *const twice[] = { "left.b", "right.a", "right.a", "left.b" };
  ms_context *ctx = test_context();
  const ms_reduced *const *list = (const ms_reduced *const *)p;
  CHECK_STATUS(ms_reduced_assemble(ctx, 2, part, list, 1, wrong, &r), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "did you mean 'right.a'");
  CHECK_STATUS(ms_reduced_assemble(ctx, 2, part, list, 1, modal, &r), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "modal");
  CHECK_STATUS(ms_reduced_assemble(ctx, 2, part, list, 2, twice, &r), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "already");
  CHECK(!r);
  ms_reduced_destroy(&p[0]);
  ms_reduced_destroy(&p[1]);
}

/* Translations of parts: inertia and mass add where coordinates are one; none if a part has none.
 */
static void test_translations(void) {
  static const char *const part[] = { "left", "right" };
  static const char *const same[] = { "left.b", "right.a" };
  ms_context *ctx = test_context();
  ms_reduced *p[2] = { make_chain(ctx, 2, 2, 2.385, 7.1, 1), make_chain(ctx, 3, 2, 0.77, 3.3, 1) };
  ms_reduced *bare = make_chain(ctx, 3, 2, 0.77, 3.3, 0), *r = NULL;
  CHECK_OK(ms_reduced_assemble(ctx, 2, part, (const ms_reduced *const *)p, 1, same, &r));
  for (int d = 0; r && d < 3; d++) {
    CHECK_NEAR(r->inertia[d], 0.41 * d - 1.7, 1e-15);
    CHECK_NEAR(r->inertia[d + 3], 0.41 * (d + 3) - 1.7 + 0.41 * d - 1.7, 1e-15);
    CHECK_NEAR(r->inertia[d + 9], 0.41 * (d + 6) - 1.7, 1e-15);
    CHECK_NEAR(r->follow[d + 9], 0.9 - 0.13 * (d + 6), 1e-15);
  }
  if (r) CHECK_NEAR(r->mass, 2.6 * (2.385 + 0.77), 1e-15);
  ms_reduced_destroy(&r);
  const ms_reduced *mixed[2] = { p[0], bare };
  CHECK_OK(ms_reduced_assemble(ctx, 2, part, mixed, 1, same, &r));
  CHECK(r && !r->inertia && !r->follow);
  ms_reduced_destroy(&r);
  ms_reduced_destroy(&bare);
  for (int i = 0; i < 2; i++) ms_reduced_destroy(&p[i]);
}

/* ---- motions that strain nothing ---- */

/* Of parts that are joined: M z of each, in the rows of its own coordinates. */
static void test_free_assembly(void) {
  static const char *const part[] = { "left", "right" };
  static const char *const same[] = { "left.b", "right.a" };
  static const double one[3] = { 1.7, 1.7, 1.7 };
  const double m1 = 2.385, m2 = 0.77;
  const double want[8] = { m1,  1.31 * m1, 0.0,       0.0, //
                           0.0, m2,        1.31 * m2, 1.62 * m2 };
  const double size[2] = { sqrt(2.31 * m1), sqrt(3.93 * m2) };
  ms_context *ctx = test_context();
  ms_reduced *p[2] = { make_chain(ctx, 2, 2, m1, 7.1, 0), make_chain(ctx, 3, 2, m2, 3.3, 0) };
  ms_reduced *r = NULL;
  for (int i = 0; i < 2; i++) CHECK_OK(ms_reduced_set_free(p[i], 1, one, 1e-9 * (i + 1)));
  CHECK_OK(ms_reduced_assemble(ctx, 2, part, (const ms_reduced *const *)p, 1, same, &r));
  if (r) {
    CHECK_EQUAL(r->n_free, 2);
    CHECK_NEAR(r->rounding, 2e-9, 1e-24); /* the larger one */
    for (int i = 0; i < 8; i++) CHECK_NEAR(fabs(r->momentum[i]), want[i] / size[i / 4], 1e-14);
  }
  ms_reduced_destroy(&r);
  for (int i = 0; i < 2; i++) ms_reduced_destroy(&p[i]);
}

/* A stiff free chain whose K has noise, as from a mesh: the motion is found again if it is known,
   and the rest stays as it was. */
static void test_free_motion(void) {
  static const double one[3] = { 1.7, 1.7, 1.7 }; /* of any size */
  const double k = 7.1e9, noise = 3.9e-3;
  double omega[3], noisy[3];
  ms_context *ctx = test_context();
  ms_reduced *r = make_chain(ctx, 3, 2, 2.385, k, 0), *clean = make_chain(ctx, 3, 2, 2.385, k, 0);
  r->K[0] += 3.0 * noise;
  r->K[4] -= noise;
  r->K[1] += noise;
  r->K[3] += noise;
  CHECK_OK(ms_reduced_set_free(r, 1, one, 10.0 * noise));
  CHECK_OK(ms_reduced_find_omega(r, noisy));
  CHECK_OK(ms_reduced_find_omega(clean, omega));
  CHECK_EQUAL(r->n_free, 1);
  CHECK_NEAR(noisy[0], 0.0, 0.0);
  for (int i = 1; i < 3; i++) CHECK_CLOSE(noisy[i], omega[i], 1e-11);
  double sum = 0.0; /* z^T M z = 1 */
  for (int i = 0; i < 3; i++) sum += r->momentum[i] * r->momentum[i] / r->M[4 * i];
  CHECK_CLOSE(sum, 1.0, 1e-14);
  const double twice[6] = { 1.0, 1.0, 1.0, 2.0, 2.0, 2.0 };
  CHECK_STATUS(ms_reduced_set_free(r, 2, twice, 0.0), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "dependent");
  CHECK_STATUS(ms_reduced_set_free(r, 4, one, 0.0), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_reduced_set_free(r, 1, one, -1.0), MS_ERR_BOUNDS);
  ms_reduced_destroy(&r);
  ms_reduced_destroy(&clean);
}

/* Two such bodies and a spring so soft that the rounding of the meshes is far above its omega^2:
   omega^2 = k (1/m_1 + 1/m_2) but for k/stiff. Of a soft mode that is no motion of whole bodies
   nothing is known. */
static void test_soft_spring(void) {
  static const char *const part[] = { "left", "right" };
  static const double one[3] = { 1.0, 1.0, 1.0 };
  const double k = 2.9, m[2] = { 2.385 * 3.93, 0.77 * 2.31 };
  ms_context *ctx = test_context();
  ms_reduced *p[2] = { make_chain(ctx, 3, 2, 2.385, 7.1e9, 0),
                       make_chain(ctx, 2, 2, 0.77, 3e9, 0) };
  ms_reduced *r = NULL;
  ms_structure *s = NULL;
  for (int i = 0; i < 2; i++) CHECK_OK(ms_reduced_set_free(p[i], 1, one, 1e3));
  CHECK_OK(ms_reduced_assemble(ctx, 2, part, (const ms_reduced *const *)p, 0, NULL, &r));
  CHECK_EQUAL(r->n_free, 2);
  CHECK_NEAR(r->rounding, 1e3, 0.0);
  CHECK_OK(ms_reduced_make_structure(r, &s));
  CHECK_OK(ms_structure_add_spring(s, 1, 2, k));
  CHECK_OK(ms_structure_setup(s));
  CHECK_NEAR(ms_structure_get_stuck(s).omega[0], 0.0, 0.0);
  CHECK_CLOSE(ms_structure_get_stuck(s).omega[1], sqrt(k / m[0] + k / m[1]), 1e-7);
  ms_structure_destroy(&s);
  CHECK_OK(ms_reduced_make_structure(r, &s));
  const ptrdiff_t pair[2] = { 1, 2 };
  ms_structure *joined = NULL; /* one body: one motion is left */
  CHECK_OK(ms_structure_join(s, 1, pair, &joined, NULL));
  CHECK_OK(ms_structure_setup(joined));
  CHECK_NEAR(ms_structure_get_stuck(joined).omega[0], 0.0, 0.0);
  CHECK(ms_structure_get_stuck(joined).omega[1] > 1e3);
  ms_structure_destroy(&joined);
  ms_structure_destroy(&s);
  ms_reduced_destroy(&r);
  for (int i = 0; i < 2; i++) ms_reduced_destroy(&p[i]);
}

static void test_structure(void) {
  ms_reduced *r = make_chain(test_context(), 3, 2, 2.385, 7.1, 0);
  ms_structure *s = NULL;
  CHECK_OK(ms_reduced_make_structure(r, &s));
  if (s) {
    CHECK_EQUAL(ms_structure_get_size(s), 3);
    CHECK_TEXT(ms_structure_get_name(s, 2), "c");
    CHECK_NEAR(ms_structure_get_stiffness(s)[4], 14.2, 1e-15);
  }
  ms_structure_destroy(&s);
  ms_reduced_destroy(&r);
}

static void check_same(const ms_reduced *a, const ms_reduced *b) {
  size_t square = (size_t)(a->n * a->n) * sizeof *a->M;
  CHECK_EQUAL(b->n, a->n);
  CHECK_EQUAL(b->n_boundary, a->n_boundary);
  CHECK_EQUAL(b->n_row, a->n_row);
  for (ptrdiff_t i = 0; i < a->n; i++) CHECK_TEXT(b->name[i], a->name[i]);
  CHECK(memcmp(a->M, b->M, square) == 0);
  CHECK(memcmp(a->K, b->K, square) == 0);
  if (a->n_row) CHECK(memcmp(a->basis, b->basis, (size_t)(a->n_row * a->n) * sizeof(double)) == 0);
  CHECK_EQUAL(b->n_free, a->n_free);
  CHECK_NEAR(b->rounding, a->rounding, 0.0);
  for (ptrdiff_t i = 0; i < a->n * a->n_free; i++) CHECK_NEAR(b->momentum[i], a->momentum[i], 0.0);
  CHECK_EQUAL(!b->turn, !a->turn);
  for (ptrdiff_t i = 0; a->turn && b->turn && i < 3 * a->n; i++) {
    CHECK_NEAR(b->turn[i], a->turn[i], 0.0);
  }
  CHECK_EQUAL(!b->inertia, !a->inertia);
  if (!a->inertia || !b->inertia) return;
  CHECK(memcmp(a->inertia, b->inertia, (size_t)(3 * a->n) * sizeof(double)) == 0);
  CHECK(memcmp(a->follow, b->follow, (size_t)(3 * a->n) * sizeof(double)) == 0);
  CHECK_NEAR(b->mass, a->mass, 0.0);
}

static void test_file(void) {
  for (ptrdiff_t n_row = 0; n_row < 10; n_row += 7) {
    const char *path = test_path("model.h5");
    ms_reduced *r = make_chain(test_context(), 4, 2, 2.385, 7.1, n_row), *back = NULL;
    if (n_row > 0) {
      static const double motion[8] = { 1.0, 1.0, 1.0, 1.0, 1.3, 0.7, -0.4, 2.1 };
      CHECK_OK(ms_reduced_set_free(r, 2, motion, 2.7e-3));
      CHECK_OK(ms_allocate(test_context(), 12, sizeof *r->turn, &r->turn));
      for (int i = 0; i < 12; i++) r->turn[i] = 0.3 - 0.21 * i;
    }
    CHECK_OK(ms_reduced_write(r, path));
    CHECK_OK(ms_reduced_read(test_context(), path, &back));
    if (back) check_same(r, back);
    ms_reduced_destroy(&back);
    ms_reduced_destroy(&r);
  }
}

static void test_broken_files(void) {
  ms_context *ctx = test_context();
  ms_reduced *r = make_chain(ctx, 3, 2, 2.385, 7.1, 0), *back = NULL;
  const char *path = test_path("model.h5");
  r->K[1] += 0.1;
  CHECK_OK(ms_reduced_write(r, path));
  CHECK_STATUS(ms_reduced_read(ctx, path, &back), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(ctx), "stiffness is not symmetric");
  r->M[1] = NAN;
  CHECK_STATUS(ms_reduced_write(r, path), MS_ERR_NUMERIC);
  ms_results *other = NULL;
  CHECK_OK(ms_results_create(ctx, path, &other));
  CHECK_OK(ms_results_commit(&other));
  CHECK_STATUS(ms_reduced_read(ctx, path, &back), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(ctx), "not a reduced model");
  CHECK(!back);
  ms_reduced_destroy(&r);
}

/* A model of two degrees of freedom in a file, one thing of another size. */
static void test_sizes(void) {
  static const struct {
    const char *wrong, *message;
    ptrdiff_t n_row, n_column;
  } file[] = {
    { "", NULL, 0, 0 },
    { "boundary", "boundary must be one number", 2, 1 },
    { "mass", "mass must have 2 columns, as many rows, of finite numbers", 3, 2 },
    { "inertia", "inertia must have 2 columns, three rows, of finite numbers", 2, 2 },
    { "rounding", "rounding must be one number, not negative", 2, 1 },
    { "momentum", "momentum must have 2 rows of at most as many finite numbers", 2, 3 },
    { "momentum", "momentum must have 2 rows of at most as many finite numbers", 3, 2 },
    { "momentum", NULL, 2, 2 },
    { "basis", "basis must have 2 columns of finite numbers", 2, 3 },
  };
  static const char *const name[] = { "a", "b" };
  static const double unit[6] = { 1.0, 0.0, 0.0, 1.0, 0.0, 0.0 };
  static const int64_t boundary[2] = { 1, 1 };
  const char *path = test_path("model.h5");
  for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
    const char *wrong = file[i].wrong;
    const int other = strcmp(wrong, "boundary") == 0;
    ms_results *f = NULL;
    ms_reduced *r = NULL;
    CHECK_OK(ms_results_create(test_context(), path, &f));
    CHECK_OK(ms_results_set_text(f, "", "kind", "microslip reduced model 1"));
    CHECK_OK(ms_results_write_texts(f, "names", 2, name));
    CHECK_OK(ms_results_write_integers(f, "boundary", other ? 2 : 1, boundary));
    if (strcmp(wrong, "mass") != 0) CHECK_OK(ms_results_write_matrix(f, "mass", 2, 2, unit));
    CHECK_OK(ms_results_write_matrix(f, "stiffness", 2, 2, unit));
    if (*wrong && !other) {
      CHECK_OK(ms_results_write_matrix(f, wrong, file[i].n_row, file[i].n_column, unit));
    }
    CHECK_OK(ms_results_commit(&f));
    CHECK_STATUS(ms_reduced_read(test_context(), path, &r),
                 file[i].message ? MS_ERR_FORMAT : MS_SUCCESS);
    if (file[i].message) CHECK_HAS(ms_context_message(test_context()), file[i].message);
    ms_reduced_destroy(&r);
  }
}

static void test_names(void) {
  static const char *const name[] = { "a", "a" };
  ms_reduced *r = NULL;
  CHECK_STATUS(ms_reduced_create(test_context(), 2, 1, name, 0, &r), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "two degrees of freedom 'a'");
  CHECK_STATUS(ms_reduced_create(test_context(), 2, 3, name, 0, &r), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_reduced_create(test_context(), 2, 2, (const char *const[]) { "a", "" }, 0, &r),
               MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()),
            "degree of freedom 2 of the reduced model has no name");
}

static ms_status work(ms_context *ctx, void *user) {
  (void)user;
  static const char *const part[] = { "p" };
  ms_reduced *r = make_chain(ctx, 3, 2, 2.385, 7.1, 2), *all = NULL;
  ms_structure *s = NULL;
  if (!r) return MS_ERR_MEMORY;
  static const double one[3] = { 1.0, 1.0, 1.0 };
  ms_status status = ms_reduced_set_free(r, 1, one, 1e-3);
  if (status == MS_SUCCESS)
    status = ms_reduced_assemble(ctx, 1, part, (const ms_reduced *const *)&r, 0, NULL, &all);
  if (status == MS_SUCCESS) status = ms_reduced_make_structure(all, &s);
  ms_structure_destroy(&s);
  ms_reduced_destroy(&all);
  ms_reduced_destroy(&r);
  return status;
}

static void test_memory_fails(void) {
  CHECK(test_allocations(work, NULL) > 10);
}

int main(void) {
  test_folder_open();
  TEST(test_frequencies);
  TEST(test_free_assembly);
  TEST(test_free_motion);
  TEST(test_soft_spring);
  TEST(test_assembly);
  TEST(test_translations);
  TEST(test_structure);
  TEST(test_file);
  TEST(test_broken_files);
  TEST(test_sizes);
  TEST(test_names);
  TEST(test_memory_fails);
  test_folder_close();
  return test_finish();
}
