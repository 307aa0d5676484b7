/* The surface of a mesh: counts, orientation by the volume it encloses, edges, merging. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/impl.h"
#include "support/check.h"
#include "support/fem/meshes.h"

#define PI 3.14159265358979323846

static const double size[3] = { 1.37, 0.71, 0.93 };

static ms_surface *extract(const ms_mesh *m, ptrdiff_t max_face) {
  ms_surface *s = NULL;
  ms_surface_settings set = ms_surface_defaults();
  set.max_face = max_face;
  CHECK_OK(ms_mesh_extract_surface(m, &set, &s));
  return s;
}

static const double *place(const ms_mesh *m, const ms_surface_view *v, int32_t number) {
  return ms_mesh_get_nodes(m) + 3 * (ptrdiff_t)v->node[number];
}

/* The volume that the faces enclose: a sixth of a . (b x c), over triangles seen from outside. */
static double volume_of(const ms_mesh *m, const ms_surface_view *v) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < v->n_face; i++) {
    const int32_t *f = v->face + 4 * i;
    for (int t = 1; t < 3 && f[t + 1] >= 0; t++) {
      const double *a = place(m, v, f[0]), *b = place(m, v, f[t]), *c = place(m, v, f[t + 1]);
      sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
              a[2] * (b[0] * c[1] - b[1] * c[0])) /
             6.0;
    }
  }
  return sum;
}

static double length_of(const ms_mesh *m, const ms_surface_view *v) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < v->n_line; i++) {
    const double *a = place(m, v, v->line[2 * i]), *b = place(m, v, v->line[2 * i + 1]);
    sum += hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
  }
  return sum;
}

static int by_value(const void *a, const void *b) {
  const long long *p = a, *q = b;
  return *p < *q ? -1 : *p > *q;
}

/* Sides that are walked more often in one direction than in the other: 0 without holes. */
static long count_holes(const ms_surface_view *v) {
  long long *side = malloc(4 * (size_t)v->n_face * sizeof *side);
  ptrdiff_t n = 0;
  long holes = 0;
  for (ptrdiff_t i = 0; i < v->n_face; i++) {
    const int32_t *f = v->face + 4 * i;
    int corners = f[3] < 0 ? 3 : 4;
    for (int k = 0; k < corners; k++) {
      long long a = f[k], b = f[(k + 1) % corners];
      side[n++] = a < b ? 2 * (a * v->n_node + b) : 2 * (b * v->n_node + a) + 1;
    }
  }
  qsort(side, (size_t)n, sizeof *side, by_value);
  for (ptrdiff_t i = 0; i < n;) {
    long balance = 0;
    ptrdiff_t k = i;
    for (; k < n && side[k] / 2 == side[i] / 2; k++) balance += side[k] % 2 ? -1 : 1;
    holes += balance != 0;
    i = k;
  }
  free(side);
  return holes;
}

/* ---- bricks of all solids ---- */

static void test_bricks(void) {
  static const char *const kind[] = { "hex8", "hex20", "wedge6", "tet4", "tet10" };
  static const int n[3] = { 5, 3, 4 };
  const int ends = 2 * 5 * 3, sides = 2 * (3 * 4 + 4 * 5); /* quads of bottom and top; others */
  const int faces[] = { ends + sides, 5 * (ends + sides), 2 * ends + sides, 2 * (ends + sides),
                        8 * (ends + sides) };
  /* all nodes but those inside; on a quadratic mesh also the middles of sides and, where a brick's
     face is cut in two, of the diagonals */
  const int linear = 6 * 4 * 5 - 4 * 2 * 3, quads = ends + sides;
  const int nodes[] = { linear, linear + 2 * quads, linear, linear, linear + 3 * quads };
  for (int k = 0; k < 5; k++) {
    ms_mesh *m = test_brick(kind[k], size, n, 2.1e11, 0.3, 7800.0);
    ms_surface *s = extract(m, 0);
    ms_surface_view v = ms_surface_get(s);
    int quadratic = k == 1 || k == 4;
    CHECK_EQUAL(v.n_face, faces[k]);
    CHECK_EQUAL(v.n_node, nodes[k]);
    CHECK_EQUAL(v.n_line, 4 * (5 + 3 + 4) * (quadratic ? 2 : 1));
    CHECK_CLOSE(volume_of(m, &v), size[0] * size[1] * size[2], 1e-13);
    CHECK_CLOSE(length_of(m, &v), 4.0 * (size[0] + size[1] + size[2]), 1e-13);
    CHECK_EQUAL(v.closed, 1);
    CHECK_EQUAL(count_holes(&v), 0);
    CHECK(v.merged == 0.0);
    int ascending = 1;
    for (ptrdiff_t i = 1; i < v.n_node; i++) ascending &= v.node[i] > v.node[i - 1];
    CHECK(ascending);
    ms_surface_destroy(&s);
    ms_mesh_destroy(&m);
  }
}

/* ---- parts, edges, beams ---- */

static ms_mesh *two_bricks(void) {
  static const int n[3] = { 2, 3, 2 };
  ms_mesh *m = test_brick("hex8", size, n, 2.1e11, 0.3, 7800.0);
  ms_part second = *ms_mesh_get_part(m, 0);
  int part;
  second.name = "second";
  CHECK_OK(ms_mesh_add_part(m, &second, &part));
  ms_brick brick = { { size[0], 0, 0 }, { size[0], size[1], size[2] }, { 2, 3, 2 } };
  CHECK_OK(ms_mesh_add_brick(m, part, "hex8", &brick));
  return m;
}

static void test_touching(void) {
  ms_mesh *m = two_bricks();
  ms_surface *s = extract(m, 0);
  ms_surface_view v = ms_surface_get(s);
  CHECK_EQUAL(v.n_face, 2 * 32);
  CHECK_EQUAL(v.n_line, 2 * 28);
  ms_surface_destroy(&s);
  CHECK_OK(ms_mesh_merge(m, 0, NULL, 1e-9, NULL));
  s = extract(m, 0);
  v = ms_surface_get(s);
  CHECK_EQUAL(v.n_face, 2 * 32 - 2 * 6);       /* what was between them is inside */
  CHECK_EQUAL(v.n_line, 4 * (4 + 3 + 2) + 10); /* and around it goes an edge, though flat */
  CHECK_CLOSE(volume_of(m, &v), 2.0 * size[0] * size[1] * size[2], 1e-13);
  ms_surface_destroy(&s);
  ms_mesh_destroy(&m);
}

/* A cylinder turns by 2 pi / 4 core along its wall, by pi / 2 at its ends. */
static void test_angle(void) {
  ms_mesh *m = test_mesh(2.1e11, 0.3, 7800.0);
  ms_rings rings = { .axis = 2, .core = 4, .n_zone = 1, .n_slab = 1 };
  rings.radius[0] = 0.31, rings.rings[0] = 2, rings.height[0] = 0.83, rings.layers[0] = 3;
  rings.filled[0][0] = 1;
  CHECK_OK(ms_mesh_add_rings(m, 0, "hex8", &rings));
  const double turn = 2.0 * PI / 16.0;
  for (int fine = 0; fine < 2; fine++) {
    ms_surface *s = NULL;
    ms_surface_settings set = { .edge_angle = turn * (fine ? 0.99 : 1.01) };
    CHECK_OK(ms_mesh_extract_surface(m, &set, &s));
    CHECK_EQUAL(ms_surface_get(s).n_line, 2 * 16 + (fine ? 16 * 3 : 0));
    ms_surface_destroy(&s);
  }
  ms_mesh_destroy(&m);
}

static void test_beams(void) {
  ms_part part = test_part(0);
  ms_mesh *m = test_beam("beam", &part, 1.7, (const double[3]) { 0.6, 0.0, 0.8 }, 7);
  ms_surface *s = extract(m, 100);
  ms_surface_view v = ms_surface_get(s);
  CHECK_EQUAL(v.n_face, 0);
  CHECK_EQUAL(v.n_line, 7);
  CHECK_EQUAL(v.n_node, 8);
  CHECK_EQUAL(v.closed, 0);
  CHECK_CLOSE(length_of(m, &v), 1.7, 1e-13);
  ms_surface_destroy(&s);
  ms_mesh_destroy(&m);
}

/* ---- too many faces ---- */

/* The farthest that a node of one surface is from all nodes of the other. */
static double farthest(const ms_mesh *m, const ms_surface_view *from, const ms_surface_view *to) {
  double most = 0.0;
  for (ptrdiff_t i = 0; i < from->n_node; i++) {
    const double *a = place(m, from, (int32_t)i);
    double least = INFINITY;
    for (ptrdiff_t k = 0; k < to->n_node; k++) {
      const double *b = place(m, to, (int32_t)k);
      least = fmin(least, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
    }
    most = fmax(most, least);
  }
  return most;
}

static void test_merging(void) {
  static const int n[3] = { 30, 16, 21 };
  ms_mesh *m = test_brick("hex8", size, n, 2.1e11, 0.3, 7800.0);
  ms_surface *all = extract(m, 0), *few = extract(m, 500);
  ms_surface_view a = ms_surface_get(all), b = ms_surface_get(few);
  CHECK_EQUAL(a.n_face, 2 * (30 * 16 + 16 * 21 + 21 * 30));
  CHECK(b.n_face <= 500 && b.n_face > 250);
  CHECK(b.merged > 0.0);
  CHECK_EQUAL(b.closed, 1);
  CHECK_EQUAL(count_holes(&b), 0);
  CHECK_BELOW(farthest(m, &a, &b), b.merged * (1.0 + 1e-12));
  /* no point moves by more than `merged`, so the volume by no more than the area times that */
  double area = 2.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
  CHECK_NEAR(volume_of(m, &b), size[0] * size[1] * size[2], area * b.merged);
  CHECK(volume_of(m, &b) > 0.8 * size[0] * size[1] * size[2]);
  ms_surface_destroy(&all);
  ms_surface_destroy(&few);
  ms_mesh_destroy(&m);
}

/* Nodes of two parts that touch stay two. */
static void test_merging_parts(void) {
  ms_mesh *m = two_bricks();
  ms_surface *s = extract(m, 30);
  ms_surface_view v = ms_surface_get(s);
  int on[2] = { 0, 0 };
  for (ptrdiff_t i = 0; i < v.n_node; i++) {
    int second = v.node[i] >= 3 * 4 * 3;
    if (fabs(place(m, &v, (int32_t)i)[0] - size[0]) < 1e-12) on[second]++;
  }
  CHECK(v.n_face <= 30);
  CHECK(on[0] > 1 && on[1] > 1);
  CHECK_EQUAL(count_holes(&v), 0);
  ms_surface_destroy(&s);
  ms_mesh_destroy(&m);
}

/* ---- scenes ---- */

/* Two bricks and two points: nodes of the second come behind those of the first. */
static void test_scene(void) {
  const double at[] = { 0.31, -0.2, 1.7, 2.3, 0.1, 0.4 };
  ms_mesh *m[2] = { test_mesh(2.1e11, 0.3, 7800.0), test_mesh(2.1e11, 0.3, 7800.0) };
  const ms_brick brick[2] = { { { 0, 0, 0 }, { 1.3, 0.7, 0.9 }, { 2, 1, 3 } },
                              { { 2.1, 0.2, 0 }, { 0.6, 0.5, 0.4 }, { 1, 2, 1 } } };
  ms_scene *scene = NULL;
  ms_surface *s[2] = { NULL, NULL };
  for (int k = 0; k < 2; k++) {
    CHECK_OK(ms_mesh_add_brick(m[k], 0, "hex8", &brick[k]));
    CHECK_OK(ms_mesh_extract_surface(m[k], NULL, &s[k]));
  }
  CHECK_OK(ms_scene_create(test_context(), 2, (const ms_mesh *const *)m, 2, at, &scene));
  const ms_scene_view v = ms_scene_get(scene);
  const ms_surface_view a = ms_surface_get(s[0]), b = ms_surface_get(s[1]);
  CHECK(v.closed && v.n_face == a.n_face + b.n_face && v.n_line == a.n_line + b.n_line);
  CHECK(v.n_seen == a.n_node + b.n_node && v.n_node == v.n_seen + 2);
  CHECK(v.face[4 * a.n_face] == b.face[0] + (int)a.n_node);
  CHECK(v.line[2 * a.n_line + 1] == b.line[1] + (int)a.n_node);
  double u[3 * 100] = { 0.0 };
  if (!CHECK(v.n_node <= 100)) return;
  for (int k = 0; k < 2; k++) ms_scene_fill(scene, k, ms_mesh_get_nodes(m[k]), u);
  for (ptrdiff_t i = 0; i < 3 * v.n_seen; i++) CHECK(u[i] == v.x[i]); /* places as a field */
  for (int i = 0; i < 6; i++) CHECK(v.x[3 * v.n_seen + i] == at[i]);
  ms_scene_destroy(&scene);
  ms_scene_destroy(&scene);
  CHECK_TEXT(ms_mesh_find_part_at(m[0], 3), ms_mesh_get_part(m[0], 0)->name);
  CHECK_TEXT(ms_mesh_find_part_at(m[0], 999), "");
  for (int k = 0; k < 2; k++) ms_surface_destroy(&s[k]), ms_mesh_destroy(&m[k]);
}

/* ---- refusing ---- */

static void test_arguments(void) {
  ms_mesh *m = test_mesh(2.1e11, 0.3, 7800.0);
  ms_surface *s = NULL;
  CHECK_STATUS(ms_mesh_extract_surface(NULL, NULL, &s), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_mesh_extract_surface(m, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_mesh_extract_surface(m, &(ms_surface_settings) { NAN, 0 }, &s), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_mesh_extract_surface(m, &(ms_surface_settings) { 0.5, -1 }, &s), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "max_face is -1");
  CHECK_OK(ms_mesh_extract_surface(m, NULL, &s)); /* an empty mesh has an empty surface */
  CHECK_EQUAL(ms_surface_get(s).n_face, 0);
  CHECK_EQUAL(ms_surface_get(s).n_node, 0);
  ms_surface_destroy(&s);
  ms_surface_destroy(&s);
  CHECK_EQUAL(ms_surface_get(NULL).n_face, 0);
  ms_mesh_destroy(&m);
}

static ms_status make(ms_context *ctx, void *user) {
  (void)user;
  ms_mesh *m = NULL;
  ms_surface *s = NULL;
  ms_scene *scene = NULL;
  ms_part part = { .name = "p", .material = ms_material_isotropic(2.1e11, 0.3, 7800.0) };
  ms_brick brick = { { 0, 0, 0 }, { 1.3, 0.7, 0.9 }, { 4, 3, 3 } };
  ms_surface_settings set = { .edge_angle = 0.5, .max_face = 40 };
  ms_status status = ms_mesh_create(ctx, &m);
  if (status == MS_SUCCESS) status = ms_mesh_add_part(m, &part, NULL);
  if (status == MS_SUCCESS) status = ms_mesh_add_brick(m, 0, "hex8", &brick);
  if (status == MS_SUCCESS) status = ms_mesh_extract_surface(m, &set, &s);
  if (status == MS_SUCCESS)
    status = ms_scene_create(ctx, 1, (const ms_mesh *const *)&m, 0, NULL, &scene);
  ms_scene_destroy(&scene);
  ms_surface_destroy(&s);
  ms_mesh_destroy(&m);
  return status;
}

static void test_memory_short(void) {
  CHECK(test_allocations(make, NULL) > 20);
}

int main(void) {
  TEST(test_bricks);
  TEST(test_touching);
  TEST(test_angle);
  TEST(test_beams);
  TEST(test_merging);
  TEST(test_merging_parts);
  TEST(test_scene);
  TEST(test_arguments);
  TEST(test_memory_short);
  return test_finish();
}
