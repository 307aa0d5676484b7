/* Meshes: adding, labels, sets, lookups, merging, what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/impl.h"
#include "support/check.h"
#include "support/fem/meshes.h"

static const char *message(void) {
  return ms_context_message(test_context());
}

static const double cube[24] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0,
                                 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1 };
static const int32_t corners[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };

static void test_labels(void) {
  ms_mesh *m = test_mesh(2.1, 0.3, 1.7);
  const ptrdiff_t node_label[2] = { 1001, 7 }, label = 4711;
  const double more[6] = { 2, 0, 0, 2, 1, 0 };
  const int32_t nodes[8] = { 1, 8, 9, 2, 5, 8, 9, 6 }, other[4] = { 1, 8, 9, 5 };
  ptrdiff_t first;
  CHECK_OK(ms_mesh_add_nodes(m, 8, cube, NULL, &first));
  CHECK_EQUAL(first, 0);
  CHECK_OK(ms_mesh_add_elements(m, 0, "hex8", 1, corners, NULL, NULL));
  CHECK_EQUAL(ms_mesh_get_element_label(m, 0), 1);
  CHECK_OK(ms_mesh_add_nodes(m, 2, more, node_label, &first));
  CHECK_EQUAL(first, 8);
  CHECK_EQUAL(ms_mesh_get_node_label(m, 3), 4);
  CHECK_EQUAL(ms_mesh_get_node_label(m, 9), 7);
  CHECK_STATUS(ms_mesh_add_elements(m, 0, "hex8", 1, nodes, &label, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "element 4711 (hex8) has node 1001 twice");
  CHECK_OK(ms_mesh_add_elements(m, 0, "tet4", 1, other, &label, &first));
  CHECK_EQUAL(first, 1);
  CHECK_EQUAL(ms_mesh_get_element_label(m, 0), 1);
  CHECK_EQUAL(ms_mesh_get_element_label(m, 1), 4711);
  CHECK_EQUAL(ms_mesh_find_block(m, 0), 0);
  CHECK_EQUAL(ms_mesh_find_block(m, 1), 1);
  CHECK_EQUAL(ms_mesh_find_block(m, 2), -1);
  CHECK_EQUAL(ms_mesh_count_elements(m), 2);
  CHECK_TEXT(ms_mesh_get_block(m, 1).element->name, "tet4");
  CHECK(ms_mesh_get_block(m, 2).element == NULL && ms_mesh_get_part(m, 1) == NULL);
  char text[80];
  ms_mesh_describe(m, 1, text, sizeof text);
  CHECK_TEXT(text, "element 4711 (tet4) of part 'part'");
  ms_mesh_destroy(&m);
  CHECK(m == NULL);
  ms_mesh_destroy(&m);
}

static void test_sets(void) {
  ms_mesh *m = test_mesh(2.1, 0.3, 1.7);
  const int32_t some[3] = { 4, 2, 7 }, wrong[1] = { 8 }, element[2] = { 0, 0 };
  const unsigned char face[2] = { 1, 5 }, no_face[2] = { 1, 6 };
  ms_mesh_set s;
  CHECK_OK(ms_mesh_add_nodes(m, 8, cube, NULL, NULL));
  CHECK_OK(ms_mesh_add_elements(m, 0, "hex8", 1, corners, NULL, NULL));
  CHECK_OK(ms_mesh_add_set(m, MS_SET_NODES, "bolts", 3, some, NULL));
  CHECK_OK(ms_mesh_add_set(m, MS_SET_FACES, "bolts", 2, element, face));
  CHECK_OK(ms_mesh_add_set(m, MS_SET_ELEMENTS, "empty", 0, NULL, NULL));
  CHECK_STATUS(ms_mesh_add_set(m, MS_SET_NODES, "bolts", 3, some, NULL), MS_ERR_NAME);
  CHECK_STATUS(ms_mesh_add_set(m, MS_SET_NODES, "x", 1, wrong, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_mesh_add_set(m, MS_SET_FACES, "x", 2, element, no_face), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "face 7 of element 1 (hex8) of part 'part', which has 6");
  CHECK_STATUS(ms_mesh_add_set(m, MS_SET_FACES, "x", 2, element, NULL), MS_ERR_ARGUMENT);
  CHECK_OK(ms_mesh_find_set(m, MS_SET_FACES, "bolts", &s));
  CHECK(s.n == 2 && s.index[1] == 0 && s.face[1] == 5 && s.kind == MS_SET_FACES);
  CHECK_OK(ms_mesh_find_set(m, MS_SET_NODES, "bolts", &s));
  CHECK(s.n == 3 && s.index[2] == 7 && s.face == NULL);
  CHECK_STATUS(ms_mesh_find_set(m, MS_SET_NODES, "bolt", &s), MS_ERR_NAME);
  CHECK_HAS(message(), "unknown set of nodes 'bolt'; did you mean 'bolts'?");
  CHECK(s.name == NULL);
  CHECK_STATUS(ms_mesh_find_set(m, MS_SET_ELEMENTS, "bolts", &s), MS_ERR_NAME);
  CHECK_EQUAL(ms_mesh_count_sets(m), 3);
  CHECK(ms_mesh_get_set(m, 3).name == NULL);
  ms_mesh_destroy(&m);
}

static void test_refused(void) {
  ms_mesh *m = test_mesh(2.1, 0.3, 1.7);
  const double bad[3] = { 0.1, INFINITY, 0.2 };
  int part;
  ms_part p = { .name = "part" };
  CHECK_STATUS(ms_mesh_add_nodes(m, 1, bad, NULL, NULL), MS_ERR_NUMERIC);
  CHECK_STATUS(ms_mesh_add_nodes(m, -1, bad, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_mesh_add_nodes(m, (ptrdiff_t)INT32_MAX + 1, cube, NULL, NULL), MS_ERR_OVERFLOW);
  CHECK_OK(ms_mesh_add_nodes(m, 8, cube, NULL, NULL));
  CHECK_STATUS(ms_mesh_add_part(m, &p, &part), MS_ERR_NAME);
  CHECK_HAS(message(), "two parts named 'part'");
  p.name = "bolt";
  CHECK_OK(ms_mesh_add_part(m, &p, &part));
  CHECK_STATUS(ms_mesh_add_elements(m, part, "hex8", 1, corners, NULL, NULL), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "part 'bolt' has no material; give it one");
  for (int part_of = -1; part_of < 3; part_of += 3) {
    CHECK_STATUS(ms_mesh_add_elements(m, part_of, "hex8", 1, corners, NULL, NULL), MS_ERR_ARGUMENT);
    CHECK_HAS(message(),
              part_of < 0 ? "part -1: the mesh has 2 parts" : "part 2: the mesh has 2 parts");
  }
  CHECK_STATUS(ms_mesh_add_elements(m, 0, "hex9", 1, corners, NULL, NULL), MS_ERR_NAME);
  CHECK_STATUS(ms_mesh_find_part(m, "bolts", &part), MS_ERR_NAME);
  CHECK_HAS(message(), "did you mean 'bolt'?");
  CHECK_STATUS(ms_mesh_find_part(m, "undercarriage", &part), MS_ERR_NAME);
  CHECK_HAS(message(), "unknown part 'undercarriage' in a mesh of 2");
  CHECK_STATUS(ms_mesh_add_elements(m, 0, "z", 1, corners, NULL, NULL), MS_ERR_NAME);
  CHECK_HAS(message(), "unknown element 'z'; try hex8, hex20, tet10 or beam");
  const int32_t last[8] = { 0, 1, 2, 3, 4, 5, 6, 8 };
  CHECK_STATUS(ms_mesh_add_elements(m, 0, "hex8", 1, last, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "element 1: its node 8 is not in the mesh");
  CHECK_OK(ms_mesh_find_part(m, "bolt", &part));
  CHECK_EQUAL(part, 1);
  CHECK_EQUAL(ms_mesh_count_elements(m), 0);
  ms_mesh_destroy(&m);
}

static ms_status prepare(ms_part part, int needs) {
  ms_property p;
  part.name = "x";
  return ms_property_prepare(test_context(), &part, needs, &p);
}

static void test_properties_refused(void) {
  ms_part p = { .material = ms_material_isotropic(2.0, 0.3, -1.0) };
  CHECK_STATUS(prepare(p, MS_NEEDS_MATERIAL), MS_ERR_BOUNDS);
  p.material = ms_material_isotropic(2.0, 0.5, 1.0);
  CHECK_STATUS(prepare(p, MS_NEEDS_MATERIAL), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "between -1 and 0.5");
  p.material = ms_material_isotropic(2.0, 0.49, 1.0);
  CHECK_OK(prepare(p, MS_NEEDS_MATERIAL));
  p.material.G[1] = 0.0;
  CHECK_STATUS(prepare(p, MS_NEEDS_MATERIAL), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "part 'x': moduli must be above 0, but E is 2 and G is 0 Pa");
  p.material = ms_material_isotropic(2.0, 0.49, 0.0);
  CHECK_OK(prepare(p, MS_NEEDS_MATERIAL)); /* without mass */
  p.axes[0] = 1.0;
  CHECK_STATUS(prepare(p, MS_NEEDS_MATERIAL), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "right angles");
  p.axes[0] = 0.0;
  CHECK_STATUS(prepare(p, MS_NEEDS_SECTION), MS_ERR_BOUNDS);
  p.section = (ms_beam_section) { 1.0, 1.0, 1.0, 1.0, -0.1, 0.0, { 0.0 } };
  CHECK_STATUS(prepare(p, MS_NEEDS_SECTION), MS_ERR_BOUNDS);
  p.mass = -1.0;
  CHECK_STATUS(prepare(p, MS_NEEDS_MASS), MS_ERR_BOUNDS);
  p.mass = 1.0;
  p.inertia[0] = p.inertia[1] = 1.0;
  p.inertia[3] = 1.1; /* more across than along */
  CHECK_STATUS(prepare(p, MS_NEEDS_MASS), MS_ERR_BOUNDS);
  p.stiffness[4] = NAN;
  CHECK_STATUS(prepare(p, MS_NEEDS_STIFFNESS), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "stiffness 5");
}

/* Twice the energy of a body that turns about an oblique axis: w^T I w, each entry another one. */
static void test_point_inertia(void) {
  const double xx = 2.3, yy = 3.1, zz = 4.7, xy = 0.31, yz = -0.53, zx = 0.79;
  const double w[3] = { 0.37, -1.19, 2.63 };
  const ms_part part = { .name = "x", .mass = 1.7, .inertia = { xx, yy, zz, xy, yz, zx } };
  const ms_element_info *info;
  ms_property p;
  double M[36], twice = 0.0;
  CHECK_OK(ms_property_prepare(test_context(), &part, MS_NEEDS_MASS, &p));
  CHECK_OK(ms_element_find(test_context(), "inertia", &info));
  CHECK_EQUAL(ms_element_make_mass(ms_element_of(info), &p, cube, M), 0);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) twice += w[i] * M[3 + i + 6 * (3 + k)] * w[k];
  }
  CHECK_CLOSE(twice,
              xx * w[0] * w[0] + yy * w[1] * w[1] + zz * w[2] * w[2] +
                  2.0 * (xy * w[0] * w[1] + yz * w[1] * w[2] + zx * w[2] * w[0]),
              1e-14);
}

/* Orthotropic values that are isotropic ones give the same tensor as Lame's. */
static void test_isotropic_tensor(void) {
  ms_part part = { .name = "x", .material = ms_material_isotropic(3.17, 0.27, 1.0) };
  ms_property p;
  CHECK_OK(ms_property_prepare(test_context(), &part, MS_NEEDS_MATERIAL, &p));
  double mu = 3.17 / 2.54, lambda = 3.17 * 0.27 / (1.27 * 0.46);
  CHECK(p.isotropic);
  CHECK_CLOSE(p.lambda, lambda, 1e-14);
  CHECK_CLOSE(p.mu, mu, 1e-15);
  for (int i = 0; i < 81; i++) {
    int a = i % 3, b = i / 3 % 3, c = i / 9 % 3, d = i / 27;
    double want = lambda * (a == b && c == d) + mu * ((a == c && b == d) + (a == d && b == c));
    CHECK_NEAR(p.C[i], want, 1e-14);
  }
}

/* Stress component m in the material's own axes: the strain by the engineering constants, 3 x 3. */
static void strain_of(const ms_material *t, int m, double *e) {
  static const int pair[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
  memset(e, 0, 9 * sizeof *e);
  if (m < 3) {
    e[4 * m] = 1.0 / t->E[m];
    for (int k = 0; k < 3; k++) { /* nu_ij / E_i = nu_ji / E_j */
      int i = pair[k][0], j = pair[k][1];
      if (i == m) e[4 * j] = -t->nu[k] / t->E[i];
      if (j == m) e[4 * i] = -t->nu[k] / t->E[i];
    }
    return;
  }
  int i = pair[m - 3][0], j = pair[m - 3][1];
  e[i + 3 * j] = e[j + 3 * i] = 0.5 / t->G[m - 3];
}

/* B = Q A Q^T */
static void turn(const double *Q, const double *A, double *B) {
  for (int n = 0; n < 9; n++) {
    B[n] = 0.0;
    for (int m = 0; m < 9; m++) B[n] += Q[n % 3 + 3 * (m % 3)] * A[m] * Q[n / 3 + 3 * (m / 3)];
  }
}

static void test_orthotropic_tensor(void) {
  ms_part part = {
    .name = "x",
    .material = { 1.0, { 71.3, 23.1, 11.7 }, { 0.27, 0.31, 0.19 }, { 13.1, 9.7, 5.3 } },
    .axes = { 0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6 }
  };
  ms_property p;
  CHECK_OK(ms_property_prepare(test_context(), &part, MS_NEEDS_MATERIAL, &p));
  CHECK(!p.isotropic);
  for (int m = 0; m < 6; m++) {
    static const int place[6] = { 0, 4, 8, 3, 6, 7 };
    double local[9], strain[9], stress[9] = { 0.0 }, unit[9] = { 0.0 }, want[9];
    strain_of(&part.material, m, local);
    turn(part.axes, local, strain);
    for (int i = 0; i < 81; i++) stress[i % 9] += p.C[i] * strain[i / 9];
    unit[place[m]] = unit[place[m] / 3 + 3 * (place[m] % 3)] = 1.0;
    turn(part.axes, unit, want);
    for (int i = 0; i < 9; i++) CHECK_NEAR(stress[i], want[i], 1e-13);
  }
}

/* Two bricks that touch become one body; the sets of nodes follow, without doubles. */
static void test_merge(void) {
  ms_mesh *m = test_mesh(2.1, 0.3, 1.7);
  ms_part top = { .name = "top", .material = ms_material_isotropic(2.1, 0.3, 1.7) };
  ms_brick lower = { { 0.1, 0.2, 0.3 }, { 1.1, 0.9, 0.7 }, { 3, 2, 2 } }, upper = lower;
  ptrdiff_t gone;
  int part, none = 7;
  upper.at[2] += 0.7 + 3e-10;
  CHECK_OK(ms_mesh_add_part(m, &top, &part));
  CHECK_OK(ms_mesh_add_brick(m, 0, "hex20", &lower));
  CHECK_OK(ms_mesh_add_brick(m, part, "hex20", &upper));
  ptrdiff_t before = ms_mesh_count_nodes(m), shared = 4 * 3 + 3 * 3 + 4 * 2;
  int32_t both[2] = { (int32_t)(before / 2 - 1), 0 };
  ms_mesh_set a, b;
  CHECK_OK(ms_mesh_find_set(m, MS_SET_NODES, "top.bottom", &b));
  both[1] = b.index[b.n - 1]; /* the same place as the last node below */
  CHECK_OK(ms_mesh_add_set(m, MS_SET_NODES, "pair", 2, both, NULL));
  CHECK_OK(ms_mesh_merge(m, 1, &part, 1e-9, &gone)); /* within one part there is nothing to do */
  CHECK_EQUAL(gone, 0);
  CHECK_OK(ms_mesh_merge(m, 0, NULL, 1e-10, &gone));
  CHECK_EQUAL(gone, 0);
  CHECK_STATUS(ms_mesh_merge(m, 0, NULL, 0.3, &gone), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "would collapse element 1 (hex20) of part 'part'");
  CHECK_STATUS(ms_mesh_merge(m, 0, NULL, -1.0, &gone), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_mesh_merge(m, 1, &none, 1.0, &gone), MS_ERR_ARGUMENT);
  CHECK_EQUAL(ms_mesh_count_nodes(m), before);
  CHECK_OK(ms_mesh_merge(m, 0, NULL, 1e-9, &gone));
  CHECK_EQUAL(gone, shared);
  CHECK_EQUAL(ms_mesh_count_nodes(m), before - shared);
  CHECK_OK(ms_mesh_find_set(m, MS_SET_NODES, "part.top", &a));
  CHECK_OK(ms_mesh_find_set(m, MS_SET_NODES, "top.bottom", &b));
  CHECK_EQUAL(a.n, shared);
  CHECK_EQUAL(b.n, shared);
  CHECK(memcmp(a.index, b.index, (size_t)shared * sizeof *a.index) == 0);
  CHECK_OK(ms_mesh_find_set(m, MS_SET_NODES, "pair", &a));
  CHECK_EQUAL(a.n, 1);
  ms_mesh_report r;
  CHECK_OK(ms_mesh_check(m, NULL, &r));
  CHECK_EQUAL(r.n_piece, 1);
  CHECK_EQUAL(r.n_duplicate, 0);
  CHECK_CLOSE(r.volume, 2.0 * 1.1 * 0.9 * 0.7, 1e-8);
  ms_mesh_destroy(&m);
}

/* Points thrown at random, some twice: the originals as a search of all pairs gives them. */
static void test_nearby(void) {
  enum { N = 400 };
  double x[3 * N];
  int32_t original[N];
  ms_random rng;
  ms_random_start(&rng, 11, 3);
  for (int i = 0; i < 3 * N; i++) x[i] = 0.1 * ms_random_uniform(&rng) - 0.05;
  for (int i = 300; i < N; i++) {
    for (int a = 0; a < 3; a++)
      x[3 * i + a] = x[3 * (i - 300) + a] + 1e-3 * (ms_random_uniform(&rng) - 0.5);
  }
  CHECK_OK(ms_nearby_find(test_context(), N, x, NULL, 7e-4, original));
  int found = 0;
  for (int i = 0; i < N; i++) {
    int want = i;
    for (int j = 0; j < i && want == i; j++) {
      double d = sqrt(pow(x[3 * i] - x[3 * j], 2) + pow(x[3 * i + 1] - x[3 * j + 1], 2) +
                      pow(x[3 * i + 2] - x[3 * j + 2], 2));
      if (d <= 7e-4 && original[j] == j) want = j;
    }
    CHECK_EQUAL(original[i], want);
    found += want != i;
  }
  CHECK(found > 60);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_part part = { .name = "p", .material = ms_material_isotropic(2.0, 0.3, 1.0) };
  ms_brick brick = { { 0.0 }, { 1.0, 1.0, 1.0 }, { 2, 2, 2 } };
  ms_mesh *m = NULL;
  ms_mesh_report report;
  const ptrdiff_t label = 5;
  int32_t node = 0;
  (void)user;
  ms_status status = ms_mesh_create(ctx, &m);
  if (status == MS_SUCCESS) status = ms_mesh_add_part(m, &part, NULL);
  if (status == MS_SUCCESS) status = ms_mesh_add_brick(m, 0, "tet10", &brick);
  if (status == MS_SUCCESS) status = ms_mesh_add_nodes(m, 1, cube + 9, &label, NULL);
  if (status == MS_SUCCESS) status = ms_mesh_add_set(m, MS_SET_NODES, "one", 1, &node, NULL);
  if (status == MS_SUCCESS) status = ms_mesh_merge(m, 0, NULL, 1e-9, NULL);
  if (status == MS_SUCCESS) status = ms_mesh_check(m, NULL, &report);
  FILE *out = fopen("/dev/null", "w");
  if (status == MS_SUCCESS) status = ms_mesh_print_vtu(m, 0, NULL, out);
  fclose(out);
  ms_mesh_destroy(&m);
  return status;
}

static void test_memory_short(void) {
  CHECK(test_allocations(work, NULL) > 40);
}

/* The box of all, of a flat face, and the node nearest to a place. */
static void test_places(void) {
  ms_mesh *m = test_mesh(2.1, 0.3, 1.7);
  const ms_brick brick = { { 0.1, 0.2, 0.3 }, { 1.1, 0.9, 0.7 }, { 3, 2, 2 } };
  const double at[3] = { 1.25, 0.63, -0.2 };
  ms_mesh_box box;
  double distance = 0.0;
  CHECK_OK(ms_mesh_add_brick(m, 0, "hex8", &brick));
  CHECK_OK(ms_mesh_find_box(m, NULL, &box));
  CHECK_EQUAL(box.flat, -1);
  CHECK_NEAR(box.size, 1.1, 1e-15);
  for (int a = 0; a < 3; a++) {
    CHECK_NEAR(box.low[a], brick.at[a], 1e-15);
    CHECK_NEAR(box.high[a], brick.at[a] + brick.size[a], 1e-15);
  }
  CHECK_OK(ms_mesh_find_box(m, "part.left", &box));
  CHECK_EQUAL(box.flat, 0);
  CHECK_NEAR(box.high[0], 0.1, 1e-15);
  CHECK_NEAR(box.size, 0.9, 1e-15);
  CHECK_STATUS(ms_mesh_find_box(m, "part.middle", &box), MS_ERR_NAME);
  const ptrdiff_t nearest = ms_mesh_find_nearest(m, 0, at, &distance); /* (1.2, 0.65, 0.3) */
  CHECK_CLOSE(distance, sqrt(0.05 * 0.05 + 0.02 * 0.02 + 0.25), 1e-14);
  CHECK(nearest >= 0);
  if (nearest >= 0) CHECK_NEAR(ms_mesh_get_nodes(m)[3 * nearest + 1], 0.65, 1e-15);
  CHECK_EQUAL(ms_mesh_find_nearest(m, 7, at, &distance), -1);
  ms_mesh_destroy(&m);
}

int main(void) {
  TEST(test_labels);
  TEST(test_sets);
  TEST(test_refused);
  TEST(test_properties_refused);
  TEST(test_point_inertia);
  TEST(test_isotropic_tensor);
  TEST(test_orthotropic_tensor);
  TEST(test_merge);
  TEST(test_nearby);
  TEST(test_places);
  TEST(test_memory_short);
  return test_finish();
}
