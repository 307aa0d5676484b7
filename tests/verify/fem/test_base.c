/* A moving ground: the inertia of translations in models and in what they are reduced to, against
   closed forms of a rod and against each other. */
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/fem_model.h>

#include "support/check.h"
#include "support/fem/leaks.h"
#include "support/fem/meshes.h"

#define PI 3.14159265358979323846

static const double size[3] = { 1.7, 0.13, 0.11 }, E = 71e9, rho = 2700.0;

static ms_mesh *make_mesh(int n_x, double nu) {
  const int n[3] = { n_x, 1, 1 };
  return test_brick("hex8", size, n, E, nu, rho);
}

static double whole(void) {
  return rho * size[0] * size[1] * size[2];
}

/* A rigid spider on a set of nodes, kept. */
static void keep_end(const ms_mesh *mesh, ms_fem_model *model, const char *set, double x) {
  ms_mesh_set nodes = { 0 };
  ptrdiff_t ref = -1;
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, set, &nodes));
  ms_spider spider = { .name = set,
                       .kind = MS_SPIDER_RIGID,
                       .at = { x, 0.041, 0.067 },
                       .n = nodes.n,
                       .node = nodes.index };
  CHECK_OK(ms_fem_add_spider(model, &spider, &ref));
  CHECK_OK(ms_fem_keep(model, set, ref, MS_FEM_ALL));
}

/* m_r = (phi_r^T y)^2 of all modes of a reduced model along d, and their sum. */
static double effective(const ms_reduced *r, int d, double *first) {
  lapack_int n = (lapack_int)r->n;
  size_t bytes = (size_t)(n * n) * sizeof(double);
  double *K = malloc(bytes), *M = malloc(bytes), *lambda = malloc(bytes), sum = 0.0;
  if (!K || !M || !lambda) exit(2);
  memcpy(K, r->K, bytes);
  memcpy(M, r->M, bytes);
  CHECK_EQUAL(LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', n, K, n, M, n, lambda), 0);
  for (int k = 0; k < n; k++) {
    double part = 0.0;
    for (int i = 0; i < n; i++) part += K[i + (ptrdiff_t)n * k] * r->inertia[d + 3 * i];
    if (k < 3 && first) first[k] = part * part;
    sum += part * part;
  }
  free(K);
  free(M);
  free(lambda);
  return sum;
}

/* Free: a translation is in the reduced model, so that M follow is its inertia, all of the mass is
   in the modes, and modal coordinates stand still where the boundary holds the body. With a loose
   boundary the motions that it leaves are among the modes. */
static void check_free(int loose) {
  ms_mesh *mesh = make_mesh(7, 0.3);
  ms_fem_model *model = NULL;
  ms_reduced *r = NULL;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  if (loose) {
    CHECK_OK(ms_fem_keep(model, "corner", 0, 1));
    CHECK_OK(ms_fem_keep(model, "other", 9, 4));
  } else {
    keep_end(mesh, model, "part.left", 0.0);
    keep_end(mesh, model, "part.right", size[0]);
  }
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_reduce(model, &(ms_fem_reduction) { .n_mode = 11 }, &r));
  for (int d = 0; r && d < 3; d++) {
    double rest = 0.0, still = 0.0;
    for (ptrdiff_t i = 0; i < r->n; i++) {
      double y = 0.0;
      for (ptrdiff_t j = 0; j < r->n; j++) y += r->M[i + r->n * j] * r->follow[d + 3 * j];
      rest = fmax(rest, fabs(y - r->inertia[d + 3 * i]));
      if (i >= r->n_boundary) still = fmax(still, fabs(r->follow[d + 3 * i]));
    }
    printf("# %s, %c: M follow - inertia %.1e kg, modal part %.3g\n", loose ? "loose" : "free",
           'x' + d, rest, still);
    CHECK_BELOW(rest, 1e-7 * whole());
    CHECK_CLOSE(effective(r, d, NULL), whole(), 1e-8);
    if (!loose) CHECK_BELOW(still, 1e-7);
    if (loose) CHECK(still > 0.1);
  }
  if (r) CHECK_CLOSE(r->mass, whole(), 1e-12);
  ms_reduced_destroy(&r);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_free(void) {
  check_free(0);
  check_free(1);
}

/* A rod held at one end and guided: nodes of linear elements are exact in statics, so that under an
   acceleration a the end moves by -rho a L^2/2E, whatever the mesh, if nothing of the mass of the
   first element is lost. The masses of its modes are 8/((2r - 1) pi)^2 of the whole, with an
   error of fourth order. Their sum lacks M_00 - M_01 (M^-1)_11 M_10 of the tridiagonal mass matrix,
   h/6 (1 4 1), 0 the fixed end: h/3 - h/6s, s = 4 - 1/(4 - 1/(... - 1/2)). */
static void test_rod(void) {
  for (int n = 3; n <= 48; n *= 4) {
    ms_mesh *mesh = make_mesh(n, 0.0);
    ms_fem_model *model = NULL;
    ms_reduced *r = NULL;
    double mass = 0.0, first[3] = { 0 }, u[2] = { 0 };
    lapack_int pivot[64];
    CHECK_OK(ms_fem_create(test_context(), mesh, &model));
    CHECK_OK(ms_fem_fix_set(model, "part.left", MS_FEM_ALL));
    for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++) {
      if (ms_mesh_get_nodes(mesh)[3 * i] > 1e-9) CHECK_OK(ms_fem_fix(model, "guide", i, 6));
    }
    CHECK_OK(ms_fem_keep(model, "tip", n, 1));
    CHECK_OK(ms_fem_setup(model, NULL));
    CHECK_OK(ms_fem_get_mass(model, &mass));
    CHECK_CLOSE(mass, whole(), 1e-12);
    CHECK_OK(ms_fem_reduce(model, &(ms_fem_reduction) { .n_mode = 4 * n - 1 }, &r));
    if (r && r->n <= 64) {
      double K[64 * 64], f[64];
      memcpy(K, r->K, (size_t)(r->n * r->n) * sizeof *K);
      for (ptrdiff_t i = 0; i < r->n; i++) f[i] = -r->inertia[3 * i];
      CHECK_EQUAL(LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)r->n, 1, K, (lapack_int)r->n, pivot,
                                f, (lapack_int)r->n),
                  0);
      u[0] = f[0];
      CHECK_CLOSE(u[0], -rho * size[0] * size[0] / (2.0 * E), 1e-9);
    }
    if (r) {
      double sum = effective(r, 0, first), h = 1.0 / n, s = 2.0;
      printf("# %d elements: masses of the first modes %.6f %.6f of the whole\n", n,
             first[0] / whole(), first[1] / whole());
      CHECK_BELOW(fabs(first[0] / (8.0 / (PI * PI) * whole()) - 1.0), 0.1 * h * h * h * h);
      for (int k = 1; k < n; k++) s = 4.0 - 1.0 / s;
      CHECK_CLOSE(sum, (1.0 - h / 3.0 + h / (6.0 * s)) * whole(), 1e-9);
      CHECK_NEAR(r->follow[0], 1.0, 0.0);
    }
    ms_reduced_destroy(&r);
    ms_fem_destroy(&model);
    ms_mesh_destroy(&mesh);
  }
}

/* All nodes of one element fixed: its mass is still the model's, and acts on nothing. */
static void test_fixed_element(void) {
  ms_mesh *mesh = make_mesh(4, 0.3);
  ms_fem_model *model = NULL;
  double mass = 0.0;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++) {
    if (ms_mesh_get_nodes(mesh)[3 * i] < 0.3 * size[0]) {
      CHECK_OK(ms_fem_fix(model, "held", i, MS_FEM_ALL));
    }
  }
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_get_mass(model, &mass));
  CHECK_CLOSE(mass, whole(), 1e-12);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_free);
  TEST(test_rod);
  TEST(test_fixed_element);
  return test_leaks_finish();
}
