/* Bolts: springs in parallel by hand, and against the stiffnesses of the same model under unit
   loads; cuts that are none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/fem_contact.h>

#include "core/internal.h"
#include "support/check.h"
#include "support/fem/leaks.h"

static const double E = 2.03e11, RHO = 7810.0;

typedef struct box {
  const char *part;
  double at[3], size[3];
  int n[3];
} box;

static ms_mesh *make_mesh(int n, const box *b, double nu, const char *element) {
  ms_mesh *mesh;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int i = 0; i < n; i++) {
    const ms_part part = { .name = b[i].part, .material = ms_material_isotropic(E, nu, RHO) };
    ms_brick brick = { .n = { b[i].n[0], b[i].n[1], b[i].n[2] } };
    int index;
    memcpy(brick.at, b[i].at, sizeof brick.at);
    memcpy(brick.size, b[i].size, sizeof brick.size);
    CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
    CHECK_OK(ms_mesh_add_brick(mesh, index, element, &brick));
  }
  return mesh;
}

/* ---- uniaxial bars: a column under a head, two bolts beside it, all moved by the head alone ----
 */

static const double HIGH = 0.06, WIDE = 0.012, THIN = 0.005;
static const box bars[] = {
  { "column", { 0, 0, 0 }, { 0.012, 0.012, 0.06 }, { 1, 1, 3 } },
  { "head", { 0, 0, 0.06 }, { 0.012, 0.012, 0.004 }, { 1, 1, 1 } },
  { "low_1", { 0.02, 0, 0 }, { 0.005, 0.005, 0.024 }, { 1, 1, 1 } },
  { "top_1", { 0.02, 0, 0.024 }, { 0.005, 0.005, 0.036 }, { 1, 1, 2 } },
  { "low_2", { 0.04, 0, 0 }, { 0.007, 0.005, 0.024 }, { 1, 1, 1 } },
  { "top_2", { 0.04, 0, 0.024 }, { 0.007, 0.005, 0.036 }, { 1, 1, 2 } },
};

static ms_status make_bars(void *mesh, ms_context *ctx, ms_fem_model **out) {
  const double *x = ms_mesh_get_nodes(mesh);
  ptrdiff_t first = -1;
  ms_status status = ms_fem_create(ctx, mesh, out);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh) && !status; i++) {
    const char *part = ms_mesh_find_part_at(mesh, i);
    const double z = x[3 * i + 2];
    status = ms_fem_fix(*out, "sides", i, z < 1e-9 ? MS_FEM_TRANSLATIONS : 3);
    if (status || (strcmp(part, "head") != 0 && (part[0] == 'c' || z < HIGH - 1e-9))) continue;
    if (first < 0) first = i;
    const ms_fem_term term[2] = { { i, 2, 1.0 }, { first, 2, -1.0 } };
    if (i != first) status = ms_fem_link(*out, "head", 2, term, 0.0);
  }
  return status;
}

static const ms_fem_bolt bolt[2] = { { .name = "b1", .cut = { "top_1.bottom", "low_1.top" } },
                                     { .name = "b2", .cut = { "low_2.top", "top_2.bottom" } } };

/* Stiffnesses of the column with its layer, K_n a (0: rigid), and of the bolts. */
static void check_bars(double layer, int friction) {
  enum { STAGES = 6 };
  ms_mesh *mesh = make_mesh(6, bars, 0.0, "hex8");
  const ms_fem_contact contact = {
    .name = "seat", .faces = { "head.bottom", "column.top" }, .mu = 0.2, .K_n = layer, .K_t = layer
  };
  const double k_1 = E * THIN * THIN / HIGH, k_2 = E * 0.007 * THIN / HIGH, A = WIDE * WIDE;
  const double soft = HIGH / (E * A) + (layer > 0.0 ? 1.0 / (layer * A) : 0.0), k_0 = 1.0 / soft;
  const double F_1 = 5100.0, F_2 = 3700.0, again = 4400.0, P = 900.0, pull = 700.0;
  const ms_contact_tightening first = { 0, F_1 }, second = { 1, F_2 }, third = { 0, again };
  const ms_fem_push push = { .set = "head.top", .force = { 0.0, 0.0, -P } };
  const ms_fem_push up = { .set = "head.top", .force = { 0.0, 0.0, pull } };
  const ms_fem_stage stage[STAGES] = {
    { .n_bolt = 1, .bolt = &first, .friction = friction, .steps = 2 },
    { .friction = friction, .steps = 1 },
    { .n_bolt = 1, .bolt = &second, .friction = friction, .steps = 1 },
    { .n_bolt = 1, .bolt = &third, .friction = friction, .steps = 2 },
    { .n_push = 1, .push = &push, .friction = friction, .steps = 1 },
    { .n_push = 1, .push = &up, .friction = friction, .steps = 1 },
  };
  const ms_fem_assembly assembly = { .make = make_bars,
                                     .user = mesh,
                                     .n_contact = 1,
                                     .contact = &contact,
                                     .n_stage = STAGES,
                                     .stage = stage,
                                     .n_bolt = 2,
                                     .bolt = bolt };
  double r[STAGES][2] = { { F_1, 0.0 }, { F_1, 0.0 } }, seat[STAGES] = { F_1, F_1 };
  r[2][0] = F_1 - k_1 * F_2 / (k_0 + k_1), r[2][1] = F_2;
  seat[2] = r[2][0] + r[2][1];
  r[3][0] = again, r[3][1] = F_2 - k_2 * (again - r[2][0]) / (k_0 + k_2);
  seat[3] = r[3][0] + r[3][1];
  for (int k = 4; k < STAGES; k++) {
    const double down = (k == 4 ? P : -pull) / (k_0 + k_1 + k_2);
    r[k][0] = r[k - 1][0] - k_1 * down, r[k][1] = r[k - 1][1] - k_2 * down;
    seat[k] = seat[k - 1] + k_0 * down;
  }
  ms_fem_rest rest;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_EQUAL(rest.n_bolt, 2);
  for (int k = 0; k < STAGES && rest.bolt; k++) {
    CHECK_CLOSE(rest.bolt[2 * k], r[k][0], 1e-9);
    CHECK_NEAR(rest.bolt[2 * k + 1], r[k][1], 1e-9 * F_1);
  }
  CHECK_CLOSE(ms_contact_add_up(rest.contact, 0).force[2], seat[STAGES - 1], 1e-9);
  /* The last stage goes on: both bolts and the column are springs. */
  ms_contact *more;
  CHECK_OK(ms_contact_press_on(test_context(), &rest, 0.5, &more));
  CHECK_CLOSE(ms_contact_add_up(more, 0).force[2],
              seat[STAGES - 1] - 0.5 * pull * k_0 / (k_0 + k_1 + k_2), 1e-9);
  ms_contact_destroy(&more);
  /* At rest under the load of its mode: the bolts are springs of the structure, too. */
  double omega;
  ms_contact *c;
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &rest, 1, &omega, &c));
  const double p = 1e-3 * omega * omega * 1e-6;
  CHECK_OK(ms_contact_load(c, &p));
  CHECK_CLOSE(ms_contact_get(c).v[0], p / (omega * omega), 1e-6);
  ms_contact_destroy(&c);
  /* Other numbers: all bolts 7 % tighter where they are tightened. */
  const double value[] = {
    contact.mu, 0.0, 0.0, 1.0, layer, layer, 1.07, 1.0, 1.07, 1.07, 1.0, 1.0
  };
  CHECK_OK(ms_fem_load_changed(test_context(), &assembly, &rest, value, 1, NULL, NULL, &c));
  if (c) {
    CHECK_CLOSE(ms_contact_add_up(c, 0).force[2], 1.07 * seat[3] + seat[STAGES - 1] - seat[3],
                1e-9);
  }
  ms_contact_destroy(&c);
  ms_fem_rest_free(test_context(), &rest);
  ms_mesh_destroy(&mesh);
}

static void test_bars(void) {
  check_bars(0.0, 1);
  check_bars(3.7e12, 1);
}

/* ---- two blocks and two shanks between ears at their ends, in space ---- */

enum { EARS = 10, POINTS = 7 * 4 };
static const box clamp[EARS] = {
  { "lower", { 0, 0, 0 }, { 0.06, 0.02, 0.01 }, { 6, 3, 5 } },
  { "upper", { 0, 0, 0.01 }, { 0.06, 0.02, 0.01 }, { 6, 3, 5 } },
  { "ear_ll", { -0.01, 0, 0 }, { 0.01, 0.02, 0.008 }, { 2, 3, 4 } },
  { "ear_ul", { -0.01, 0, 0.012 }, { 0.01, 0.02, 0.008 }, { 2, 3, 4 } },
  { "ear_lr", { 0.06, 0, 0 }, { 0.014, 0.02, 0.008 }, { 2, 3, 4 } },
  { "ear_ur", { 0.06, 0, 0.012 }, { 0.014, 0.02, 0.008 }, { 2, 3, 4 } },
  { "low_l", { -0.01, 0, 0.008 }, { 0.005, 0.02, 0.002 }, { 1, 3, 1 } },
  { "top_l", { -0.01, 0, 0.01 }, { 0.005, 0.02, 0.002 }, { 1, 3, 1 } },
  { "low_r", { 0.067, 0, 0.008 }, { 0.007, 0.02, 0.002 }, { 1, 3, 1 } },
  { "top_r", { 0.067, 0, 0.01 }, { 0.007, 0.02, 0.002 }, { 1, 3, 1 } },
};
static const ms_fem_bolt shank[2] = { { .name = "left", .cut = { "top_l.bottom", "low_l.top" } },
                                      { .name = "right", .cut = { "top_r.bottom", "low_r.top" } } };
static const ms_fem_contact joint = { .name = "joint",
                                      .faces = { "upper.bottom", "lower.top" },
                                      .mu = 0.3 };

/* Each half of the clamp as one body; `whole`: both, with their shanks. */
static ms_mesh *make_clamp(int whole) {
  static const int half[2][5] = { { 0, 2, 4, 6, 8 }, { 1, 3, 5, 7, 9 } };
  ms_mesh *mesh = make_mesh(EARS, clamp, 0.29, "hex8");
  for (int k = 0; k < 2 && !whole; k++) CHECK_OK(ms_mesh_merge(mesh, 5, half[k], 1e-9, NULL));
  if (whole) CHECK_OK(ms_mesh_merge(mesh, 0, NULL, 1e-9, NULL));
  return mesh;
}

static ms_status make_free(void *mesh, ms_context *ctx, ms_fem_model **out) {
  return ms_fem_create(ctx, mesh, out);
}

static ms_status make_fixed(void *mesh, ms_context *ctx, ms_fem_model **out) {
  MS_TRY(ms_fem_create(ctx, mesh, out));
  return ms_fem_fix_set(*out, "lower.bottom", MS_FEM_ALL);
}

static ms_status make_held(void *mesh, ms_context *ctx, ms_fem_model **out) {
  MS_TRY(ms_fem_create(ctx, mesh, out));
  MS_TRY(ms_fem_fix_set(*out, "low_1.left", MS_FEM_ALL));
  return ms_fem_fix_set(*out, "floor.bottom", MS_FEM_ALL);
}

static ptrdiff_t find_node(const ms_mesh *mesh, const char *set, const double *at) {
  ms_mesh_set nodes;
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, set, &nodes));
  for (ptrdiff_t k = 0; k < nodes.n; k++) {
    const double *x = ms_mesh_get_nodes(mesh) + 3 * (ptrdiff_t)nodes.index[k];
    if (hypot(hypot(x[0] - at[0], x[1] - at[1]), x[2] - at[2]) < 1e-9) return nodes.index[k];
  }
  return -1;
}

/* Overlap of cut i under unit tension of cut j, all contact points tied: the glued clamp. */
static void find_flexibility(ms_mesh *mesh, const ms_fem_contact_point *point, double A[4]) {
  static const double at[2][3] = { { -0.01, 0.0, 0.01 }, { 0.074, 0.0, 0.01 } };
  ms_fem_model *model;
  ptrdiff_t node[2][2];
  CHECK_OK(make_fixed(mesh, test_context(), &model));
  CHECK_OK(ms_fem_stick(model, POINTS, point, NULL));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(ms_fem_add_bolt(model, &shank[i], 1));
    for (int s = 0; s < 2; s++) node[i][s] = find_node(mesh, shank[i].cut[s], at[i]);
  }
  CHECK_OK(ms_fem_setup(model, NULL));
  const ptrdiff_t size = ms_fem_get_size(model);
  double *load = calloc((size_t)(4 * size), sizeof *load), *u = load + 2 * size;
  for (int j = 0; j < 2; j++) { /* tension pulls the upper half down */
    load[size * j + ms_fem_get_index(model, node[j][0], 2)] = -1.0;
    load[size * j + ms_fem_get_index(model, node[j][1], 2)] = 1.0;
  }
  CHECK_OK(ms_fem_solve(model, 2, load, u));
  for (int j = 0; j < 2; j++) {
    for (int i = 0; i < 2; i++) {
      A[i + 2 * j] = u[size * j + ms_fem_get_index(model, node[i][1], 2)] -
                     u[size * j + ms_fem_get_index(model, node[i][0], 2)];
    }
  }
  free(load);
  ms_fem_destroy(&model);
}

/* Pressed, glued, and bolted in either order: each bolt is a spring of what the others see. */
static void test_order(void) {
  const double F[2] = { 4100.0, 6300.0 };
  const int glue = 0;
  const ms_fem_push push = { .set = "upper.top", .force = { 0.0, 0.0, -5000.0 } };
  ms_mesh *mesh = make_clamp(0);
  double A[4] = { 0.0 };
  for (int order = 0; order < 2; order++) {
    const int one = order, two = 1 - order;
    const ms_contact_tightening first = { one, F[one] }, second = { two, F[two] };
    const ms_fem_stage stage[4] = {
      { .n_push = 1, .push = &push, .friction = 1, .steps = 1, .n_glue = 1, .glue = &glue },
      { .n_bolt = 1, .bolt = &first, .friction = 1, .steps = 1 },
      { .n_bolt = 1, .bolt = &second, .friction = 1, .steps = 1 },
      { .n_bolt = 1, .bolt = &first, .friction = 1, .steps = 1 },
    };
    const ms_fem_assembly assembly = { .make = make_fixed,
                                       .user = mesh,
                                       .n_contact = 1,
                                       .contact = &joint,
                                       .n_stage = 4,
                                       .stage = stage,
                                       .n_bolt = 2,
                                       .bolt = shank };
    ms_fem_rest rest;
    CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
    if (!rest.bolt) break;
    CHECK_EQUAL(ms_contact_add_up(rest.contact, 0).glued, POINTS);
    if (order == 0) find_flexibility(mesh, rest.point, A);
    const double lost =
        -A[1] / A[3 * one] * F[two]; /* by the first, when the second is tightened */
    const double *r = rest.bolt + 2;
    CHECK_CLOSE(r[one], F[one], 1e-12);
    CHECK_EQUAL(r[two], 0.0);
    CHECK_CLOSE(r[2 + one], F[one] + lost, 1e-9);
    CHECK_CLOSE(r[2 + two], F[two], 1e-12);
    CHECK_CLOSE(r[4 + one], F[one], 1e-12);
    CHECK_CLOSE(r[4 + two], F[two] + A[1] / A[3 * two] * lost, 1e-9);
    CHECK_BELOW(1.0, fabs(lost)); /* one bolt does see the other */
    printf("# %s first: it changes by %+.4g N\n", shank[one].name, lost);
    ms_fem_rest_free(test_context(), &rest);
  }
  ms_mesh_destroy(&mesh);
}

/* Nothing but the bolts holds the clamp together. Its normal forces are theirs, and it has the
   frequencies of one body, whatever is closed, once it is glued. */
static void test_free(void) {
  enum { N = 9 };
  const double F[2] = { 4100.0, 6300.0 };
  const int glue = 0;
  const ms_contact_tightening both[2] = { { 0, F[0] }, { 1, F[1] } };
  const ms_fem_push push[2] = { { .set = "upper.top", .force = { 0.0, 0.0, -20000.0 } },
                                { .set = "lower.bottom", .force = { 0.0, 0.0, 20000.0 } } };
  const ms_fem_stage stage[2] = {
    { .n_bolt = 2, .bolt = both, .friction = 1, .steps = 4 },
    { .n_push = 2, .push = push, .friction = 1, .steps = 4, .n_glue = 1, .glue = &glue }
  };
  ms_mesh *mesh = make_clamp(0), *whole = make_clamp(1);
  ms_fem_assembly assembly = { .make = make_free,
                               .user = mesh,
                               .n_contact = 1,
                               .contact = &joint,
                               .n_stage = 1,
                               .stage = stage,
                               .n_bolt = 2,
                               .bolt = shank };
  ms_fem_rest rest;
  double omega[N];
  ms_contact *c;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_EQUAL(rest.n_free, 6);
  if (!rest.contact) return;
  const ms_contact_total total = ms_contact_total_of(&rest, rest.contact, 0);
  CHECK_CLOSE(total.force[2], F[0] + F[1], 1e-9);
  CHECK_BELOW(1.0, (double)ms_contact_add_up(rest.contact, 0).open); /* the ends are drawn down */
  CHECK_CLOSE(rest.bolt[0], F[0], 1e-12);
  CHECK_CLOSE(rest.bolt[1], F[1], 1e-12);
  ms_fem_rest_free(test_context(), &rest);
  assembly.n_stage = 2;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  const double closing = ms_contact_total_of(&rest, rest.contact, 0).force[2];
  CHECK_CLOSE(closing - 20000.0, rest.bolt[2] + rest.bolt[3], 1e-9); /* of each half */
  const ptrdiff_t open = ms_contact_add_up(rest.contact, 0).open;
  CHECK_EQUAL(open, 0);
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &rest, N, omega, &c));
  ms_contact_destroy(&c);
  ms_fem_model *model;
  ms_fem_modes modes;
  CHECK_OK(make_free(whole, test_context(), &model));
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, N, 0.0, &modes));
  for (int k = 6; k < N; k++) CHECK_CLOSE(omega[k], modes.omega[k], 1e-8);
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
  ms_fem_rest_free(test_context(), &rest);
  ms_mesh_destroy(&mesh);
  ms_mesh_destroy(&whole);
}

/* ---- a beam between rigid spiders on the outer faces of two blocks ---- */

static const double DEEP = 0.02, AREA_X = 0.04, AREA_Y = 0.03;

/* `whole`: one body, and a beam without a cut. */
static ms_mesh *make_studded(int whole) {
  static const box blocks[] = {
    { "lower", { 0, 0, 0 }, { AREA_X, AREA_Y, DEEP }, { 2, 2, 2 } },
    { "upper", { 0, 0, DEEP }, { AREA_X, AREA_Y, DEEP }, { 2, 2, 2 } },
  };
  static const int both[2] = { 0, 1 };
  static const double z[] = { 0.0, 0.011, 0.024, 0.024, 2.0 * DEEP };
  ms_mesh *mesh = make_mesh(2, blocks, 0.0, "hex8");
  const ms_part part = { .name = "stud",
                         .material = ms_material_isotropic(E, 0.0, RHO),
                         .section = ms_beam_circle(0.004) };
  ptrdiff_t first;
  int index;
  double x[3 * 5];
  if (whole) CHECK_OK(ms_mesh_merge(mesh, 2, both, 1e-9, NULL));
  for (int i = 0; i < 5; i++)
    x[3 * i] = 0.5 * AREA_X, x[3 * i + 1] = 0.5 * AREA_Y, x[3 * i + 2] = z[i];
  CHECK_OK(ms_mesh_add_nodes(mesh, 5, x, NULL, &first));
  CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
  const int32_t n = (int32_t)first;
  const int32_t node[6] = { n, n + 1, n + 1, n + 2, whole ? n + 2 : n + 3, n + 4 };
  CHECK_OK(ms_mesh_add_elements(mesh, index, "timoshenko", 3, node, NULL, NULL));
  CHECK_OK(ms_mesh_add_set(mesh, MS_SET_NODES, "stud.low", 1, (int32_t[]) { n + 2 }, NULL));
  CHECK_OK(ms_mesh_add_set(mesh, MS_SET_NODES, "stud.top", 1, (int32_t[]) { n + 3 }, NULL));
  CHECK_OK(ms_mesh_add_set(mesh, MS_SET_NODES, "ends", 2, (int32_t[]) { n, n + 4 }, NULL));
  return mesh;
}

static ms_status make_spiders(void *mesh, ms_context *ctx, ms_fem_model **out) {
  static const char *const face[2] = { "lower.bottom", "upper.top" };
  ms_mesh_set ends;
  MS_TRY(ms_mesh_find_set(mesh, MS_SET_NODES, "ends", &ends));
  MS_TRY(ms_fem_create(ctx, mesh, out));
  for (int k = 0; k < 2; k++) {
    ms_mesh_set set;
    int32_t node[16];
    ptrdiff_t reference;
    MS_TRY(ms_mesh_find_set(mesh, MS_SET_NODES, face[k], &set));
    memcpy(node, set.index, (size_t)set.n * sizeof *node);
    node[set.n] = ends.index[k];
    const ms_spider spider = { .name = face[k],
                               .at = { 0.5 * AREA_X, 0.5 * AREA_Y, 2.0 * DEEP * k },
                               .n = set.n + 1,
                               .node = node };
    MS_TRY(ms_fem_add_spider(*out, &spider, &reference));
  }
  return MS_SUCCESS;
}

static void test_beam(void) {
  enum { N = 12 };
  const double F = 5200.0, P = 1900.0, k_0 = E * AREA_X * AREA_Y / (2.0 * DEEP),
               k_1 = E * ms_beam_circle(0.004).A / (2.0 * DEEP);
  const ms_fem_bolt stud = { .name = "stud",
                             .cut = { "stud.low", "stud.top" },
                             .axis = { 0, 0, 2 } };
  const ms_contact_tightening t = { 0, F };
  const ms_fem_push push[2] = { { .set = "upper.top", .force = { 0.0, 0.0, -P } },
                                { .set = "lower.bottom", .force = { 0.0, 0.0, P } } };
  const ms_fem_stage stage[2] = {
    { .n_bolt = 1, .bolt = &t, .friction = 1, .steps = 1 },
    { .n_push = 2, .push = push, .friction = 1, .steps = 1 },
  };
  ms_mesh *mesh = make_studded(0), *whole = make_studded(1);
  ms_fem_assembly assembly = { .make = make_spiders,
                               .user = mesh,
                               .n_contact = 1,
                               .contact = &joint,
                               .n_stage = 2,
                               .stage = stage,
                               .n_bolt = 1,
                               .bolt = &stud };
  ms_fem_rest rest;
  ms_contact *c = NULL;
  ms_fem_model *model = NULL;
  ms_fem_modes modes = { 0 };
  double omega[N];
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  if (!rest.bolt) return;
  CHECK_EQUAL(rest.n_free, 6);
  CHECK_CLOSE(rest.bolt[0], F, 1e-12);
  CHECK_CLOSE(rest.bolt[1], F - P * k_1 / (k_0 + k_1), 1e-9);
  CHECK_CLOSE(ms_contact_add_up(rest.contact, 0).force[2], F + P * k_0 / (k_0 + k_1), 1e-9);
  CHECK_EQUAL(ms_contact_add_up(rest.contact, 0).open, 0);
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &rest, N, omega, &c));
  CHECK_OK(make_spiders(whole, test_context(), &model));
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, N, 0.0, &modes));
  for (int k = 6; k < N && modes.n == N; k++) CHECK_CLOSE(omega[k], modes.omega[k], 1e-8);
  ms_contact_destroy(&c);
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
  ms_fem_rest_free(test_context(), &rest);
  /* Without an axis nobody knows which way a node is cut. */
  assembly.bolt = &(ms_fem_bolt) { .name = "stud", .cut = { "stud.low", "stud.top" } };
  CHECK_STATUS(ms_fem_find_rest(test_context(), &assembly, &rest), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()),
            "bolt 'stud': a cut of sets of nodes needs an axis, from 'stud.low' to 'stud.top'");
  ms_mesh_destroy(&mesh);
  ms_mesh_destroy(&whole);
}

/* ---- no equilibrium ---- */

/* A bolt that pulls what nothing but friction holds is told, and which way that goes. */
static void test_slides(void) {
  const ms_fem_bolt across = { .name = "across", .cut = { "top_1.left", "low_1.right" } };
  static const box parts[] = {
    { "floor", { 0, 0, 0 }, { 0.03, 0.01, 0.01 }, { 3, 1, 1 } },
    { "block", { 0.01, 0, 0.01 }, { 0.02, 0.01, 0.01 }, { 2, 1, 2 } },
    { "low_1", { 0, 0, 0.015 }, { 0.005, 0.01, 0.005 }, { 1, 1, 1 } },
    { "top_1", { 0.005, 0, 0.015 }, { 0.005, 0.01, 0.005 }, { 1, 1, 1 } },
  };
  static const int pair[2] = { 1, 3 };
  const ms_contact_tightening t = { 0, 100.0 };
  const ms_fem_push down = { .set = "block.top", .force = { 0.0, 0.0, -200.0 } };
  const ms_fem_stage stage[2] = {
    { .n_push = 1, .push = &down, .friction = 1, .steps = 1 },
    { .n_bolt = 1, .bolt = &t, .friction = 1, .steps = 1 },
  };
  const ms_fem_contact seat = { .name = "seat",
                                .faces = { "block.bottom", "floor.top" },
                                .mu = 0.3 };
  ms_mesh *mesh = make_mesh(4, parts, 0.29, "hex8");
  CHECK_OK(ms_mesh_merge(mesh, 2, pair, 1e-9, NULL));
  const ms_fem_assembly assembly = { .make = make_held,
                                     .user = mesh,
                                     .n_contact = 1,
                                     .contact = &seat,
                                     .n_stage = 2,
                                     .stage = stage,
                                     .n_bolt = 1,
                                     .bolt = &across };
  ms_fem_rest rest;
  CHECK_STATUS(ms_fem_find_rest(test_context(), &assembly, &rest), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "stage 2 of the preload: contact 'seat' slides as");
  CHECK_HAS(ms_context_message(test_context()), "part 'block' moves along (-1, 0, 0)");
  ms_mesh_destroy(&mesh);
}

/* ---- what is refused ---- */

static void refuse(ms_mesh *mesh, const ms_fem_bolt *bad, const ms_contact_tightening *t, int n,
                   const char *words) {
  const ms_fem_stage stage = { .n_bolt = n, .bolt = t, .friction = 1, .steps = 1 };
  const ms_fem_assembly assembly = { .make = make_fixed,
                                     .user = mesh,
                                     .n_contact = 1,
                                     .contact = &joint,
                                     .n_stage = 1,
                                     .stage = &stage,
                                     .n_bolt = 2,
                                     .bolt = bad };
  ms_fem_rest rest;
  CHECK(ms_fem_find_rest(test_context(), &assembly, &rest) < 0);
  CHECK_HAS(ms_context_message(test_context()), words);
}

static void test_refusals(void) {
  const ms_contact_tightening both[2] = { { 0, 100.0 }, { 1, 100.0 } },
                              twice[2] = { { 0, 1.0 }, { 0, 2.0 } };
  const ms_contact_tightening none[2] = { { 0, 0.0 }, { 1, 100.0 } }, third[1] = { { 2, 1.0 } };
  static const int halves[2] = { 6, 7 };
  ms_mesh *mesh = make_clamp(0), *merged = make_clamp(0);
  CHECK_OK(ms_mesh_merge(merged, 2, halves, 1e-9, NULL));
  ms_fem_bolt bad[2] = { shank[0], shank[1] };
  refuse(mesh, shank, both, 1, "no stage of the preload tightens bolt 'right'");
  refuse(mesh, shank, twice, 2,
         "stage 1 of the preload tightens bolt 'left' twice: take two stages");
  refuse(mesh, shank, none, 2, "the force of bolt 'left' is 0 N; it must be above 0");
  refuse(mesh, shank, third, 1, "bolt 3 of 2");
  refuse(merged, shank, both, 2, "bolt 'left': 'top_l.bottom' and 'low_l.top' share a node");
  bad[0].cut[1] = "low_r.top";
  refuse(mesh, bad, both, 2, "'top_l.bottom' (8 nodes) and 'low_r.top' (8 nodes) are no cut");
  bad[0].cut[1] = "lower.top";
  refuse(mesh, bad, both, 2, "'lower.top' (28 nodes) are no cut of a shank");
  bad[0].cut[1] = "low_l.middle";
  refuse(mesh, bad, both, 2, "low_l.middle");
  bad[0].cut[1] = "low_l.top";
  bad[0].axis[0] = 1.0;
  refuse(mesh, bad, both, 2, "the cut 'top_l.bottom' is not flat across the bolt's axis (1, 0, 0)");
  ms_mesh_destroy(&mesh);
  ms_mesh_destroy(&merged);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_bars);
  TEST(test_order);
  TEST(test_free);
  TEST(test_beam);
  TEST(test_slides);
  TEST(test_refusals);
  return test_leaks_finish();
}
