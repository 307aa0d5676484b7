/* Contact of bodies given by matrices, against the finite elements that the matrices come from: all
   degrees of freedom, and condensed to the nodes of the faces. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/contact_bodies.h>
#include <microslip/fem_contact.h>
#include <microslip/reduced.h>

#include "fem/model/model.h"
#include "support/check.h"
#include "support/fem/leaks.h"

static const double E = 2.03e11, NU = 0.29, RHO = 7810.0, L = 0.043, W = 0.016, H = 0.007;
enum { NX = 6, NY = 3, NZ = 2 };

/* A lap: the upper block begins at a third of the length of the lower one, or where it begins. */
static ms_mesh *make_lap(int fixed) {
  ms_mesh *mesh;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 2; k++) {
    const ms_part part = { .name = k ? "upper" : "lower",
                           .material = ms_material_isotropic(E, NU, RHO) };
    const ms_brick brick = { .at = { fixed ? k * L / 3 : 0.0, 0.0, k * H },
                             .size = { L, W, H },
                             .n = { NX, NY, NZ } };
    int index;
    CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
    CHECK_OK(ms_mesh_add_brick(mesh, index, "hex8", &brick));
  }
  return mesh;
}

typedef struct lap {
  ms_mesh *mesh;
  int fixed; /* the lower block on the left, the upper one on the right */
} lap;

static ms_status make(void *user, ms_context *ctx, ms_fem_model **out) {
  const lap *l = user;
  ms_status status = ms_fem_create(ctx, l->mesh, out);
  if (!status && l->fixed) status = ms_fem_fix_set(*out, "lower.left", MS_FEM_ALL);
  if (!status && l->fixed) status = ms_fem_fix_set(*out, "upper.right", MS_FEM_ALL);
  return status;
}

/* ---- the same as matrices, nodes and faces ---- */

enum { SETS = 4 };
static const char *const set_name[SETS] = { "upper.bottom", "lower.top", "upper.top",
                                            "lower.bottom" };

typedef struct table {
  ms_structure *structure;
  ms_sketch_point *node;
  ptrdiff_t n_node;
  ms_contact_faces set[SETS];
  ms_contact_mesh mesh;
} table;

static int is_fixed(const lap *l, ptrdiff_t node) {
  const double x = l->mesh->x[3 * node];
  return l->fixed && (x < 1e-9 || x > L * 4.0 / 3 - 1e-9);
}

/* Faces of the mesh that supports do not touch. */
static void fill_sets(const lap *l, table *t) {
  const ms_mesh *mesh = l->mesh;
  for (int s = 0; s < SETS; s++) {
    ms_mesh_set set;
    CHECK_OK(ms_mesh_find_set(mesh, MS_SET_FACES, set_name[s], &set));
    t->set[s] = (ms_contact_faces) { .name = set_name[s] };
    t->set[s].node = malloc(4 * (size_t)set.n * sizeof *t->set[s].node);
    for (ptrdiff_t k = 0; k < set.n; k++) {
      int32_t node[MS_FACE_NODES];
      double x[3 * MS_FACE_NODES];
      ms_face_gather(mesh, set.index[k], set.face[k], node, x);
      int fixed = 0;
      for (int i = 0; i < 4; i++) fixed |= is_fixed(l, node[i]);
      if (!fixed) memcpy(t->set[s].node + 4 * t->set[s].n++, node, 4 * sizeof *node);
    }
  }
}

/* Nodes of the four sets are kept; or (modes < 0) all but some inside, of
   which most modes are. */
static table make_table(lap *l, ptrdiff_t modes) {
  table t = { .n_node = ms_mesh_count_nodes(l->mesh) };
  const double *x = l->mesh->x;
  char(*name)[24] = calloc((size_t)t.n_node, sizeof *name);
  unsigned char *kept = calloc((size_t)t.n_node, 1);
  ms_fem_model *model = NULL;
  ms_reduced *reduced = NULL;
  int inside = 0;
  fill_sets(l, &t);
  for (int s = 0; s < SETS; s++) {
    for (ptrdiff_t k = 0; k < 4 * t.set[s].n; k++) kept[t.set[s].node[k]] = 1;
  }
  CHECK_OK(make(l, test_context(), &model));
  for (ptrdiff_t i = 0; i < t.n_node; i++) {
    snprintf(name[i], sizeof name[i], "n%td", i + 1);
    if (is_fixed(l, i)) continue;
    const int left_out = !kept[i] && (modes >= 0 || inside++ < 10);
    if (!left_out) CHECK_OK(ms_fem_keep(model, name[i], i, MS_FEM_TRANSLATIONS));
  }
  CHECK_OK(ms_fem_setup(model, NULL));
  const ms_fem_reduction reduction = { .n_mode = modes < 0 ? 20 : modes };
  CHECK_OK(ms_fem_reduce(model, &reduction, &reduced));
  CHECK_OK(ms_reduced_make_structure(reduced, &t.structure));
  t.node = calloc((size_t)t.n_node, sizeof *t.node);
  for (ptrdiff_t i = 0; i < t.n_node; i++) {
    t.node[i] =
        (ms_sketch_point) { .name = name[i], .x = { x[3 * i], x[3 * i + 1], x[3 * i + 2] } };
    for (int a = 0; a < 3; a++) {
      char dof[32];
      snprintf(dof, sizeof dof, "%s.u%c", name[i], "xyz"[a]);
      if (ms_structure_find(t.structure, dof, &t.node[i].dof[a])) t.node[i].dof[a] = MS_GROUND;
    }
  }
  ms_reduced_destroy(&reduced);
  ms_fem_destroy(&model);
  free(kept);
  return t;
}

static void free_table(table *t) {
  if (t->n_node > 0) free((void *)(ptrdiff_t)t->node[0].name);
  for (int s = 0; s < SETS; s++) free(t->set[s].node);
  free(t->node);
  ms_structure_destroy(&t->structure);
}

/* ---- comparison ---- */

static ptrdiff_t find_point(const ms_contact_rest *rest, const ms_contact_site *p) {
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const double *x = rest->point[i].at;
    if (fabs(x[0] - p->at[0]) + fabs(x[1] - p->at[1]) + fabs(x[2] - p->at[2]) < 1e-9) return i;
  }
  return -1;
}

typedef struct compared {
  ms_contact_rest fem, rest;
  ms_structure *stuck;
  ms_contact *by_fem, *by_matrices;
  double omega[8];
} compared;

/* Equal forces on the nodes of set k, faces that supports touch left out. */
static int push_nodes(const table *t, int k, const double *force, ms_fem_push *push) {
  int n = 0;
  unsigned char *seen = calloc((size_t)t->n_node, 1);
  for (ptrdiff_t i = 0; i < 4 * t->set[k].n; i++) {
    const ptrdiff_t node = t->set[k].node[i];
    if (!seen[node]) push[n++].node = node;
    seen[node] = 1;
  }
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) push[i].force[a] = force[a] / n;
  }
  free(seen);
  return n;
}

static void add_push(const table *t, int n, const ms_fem_push *push, double *load) {
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) load[t->node[push[i].node].dof[a]] += push[i].force[a];
  }
}

static double friction = 0.31;

static void run(int fixed, double K_n, ptrdiff_t modes, compared *c) {
  enum { MOST = 2 * (NX + 1) * (NY + 1) };
  lap l = { make_lap(fixed), fixed };
  table t = make_table(&l, modes);
  t.mesh = (ms_contact_mesh) { .n_node = t.n_node, .node = t.node, .n_set = SETS, .set = t.set };
  const double layer = K_n > 0.0 ? 0.7 * K_n : 0.0;
  const ms_fem_contact contact = { .name = "lap",
                                   .faces = { "upper.bottom", "lower.top" },
                                   .mu = friction,
                                   .K_n = K_n,
                                   .K_t = layer };
  const ms_contact_between between = { "lap", { "upper.bottom", "lower.top" }, friction, 0.0, K_n,
                                       layer };
  const double down[3] = { 0.0, 0.0, -900.0 }, up[3] = { 0.0, 0.0, 900.0 },
               aside[3] = { 0.0, 25.0, -70.0 };
  ms_fem_push first[MOST] = { { 0 } }, second[MOST] = { { 0 } };
  int n_first = push_nodes(&t, 2, down, first), n_second = push_nodes(&t, 2, aside, second);
  if (!fixed) n_first += push_nodes(&t, 3, up, first + n_first);
  const char *const hold[] = { "lower.bottom" };
  const ms_fem_stage stage[2] = {
    { .push = first, .n_push = n_first, .friction = 1, .steps = 3 },
    { .push = second, .n_push = n_second, .hold = hold, .n_hold = 1, .friction = 1, .steps = 2 }
  };
  const ms_fem_assembly assembly = { .make = make,
                                     .user = &l,
                                     .n_contact = 1,
                                     .contact = &contact,
                                     .n_stage = fixed ? 2 : 1,
                                     .stage = stage };
  ms_contact_site *site = NULL;
  double *B = NULL;
  ptrdiff_t n_site = 0;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &c->fem));
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &c->fem, 8, c->omega, &c->by_fem));

  const ptrdiff_t n = ms_structure_get_size(t.structure);
  double *load = calloc(2 * (size_t)n, sizeof *load);
  unsigned char *held = calloc((size_t)n, 1);
  add_push(&t, n_first, first, load);
  add_push(&t, n_second, second, load + n);
  for (ptrdiff_t k = 0; k < 4 * t.set[3].n; k++) {
    const ms_sketch_point *p = &t.node[t.set[3].node[k]];
    for (int a = 0; a < 3; a++) {
      if (p->dof[a] != MS_GROUND) held[p->dof[a]] = 1;
    }
  }
  const ms_contact_stage own[2] = { { .load = load, .friction = 1, .steps = 3 },
                                    { .load = load + n, .held = held, .friction = 1, .steps = 2 } };
  CHECK_OK(ms_contact_add_pairs(test_context(), &t.mesh, &between, 0, NULL, &n_site, &site));
  CHECK_OK(ms_contact_add_rows(test_context(), &t.mesh, n, 0, n_site, site, &B));
  const ms_contact_bodies bodies = { t.structure, n_site, site, B };
  CHECK_OK(ms_contact_find_rest(test_context(), &bodies, fixed ? 2 : 1, own, NULL, &c->rest));
  CHECK_OK(ms_contact_add_faces(test_context(), &t.mesh, 0, "upper.bottom", &c->rest));
  CHECK_OK(ms_contact_stick(test_context(), &bodies, &c->rest, NULL, &c->stuck));
  CHECK_OK(ms_structure_setup(c->stuck));
  CHECK_OK(
      ms_contact_load_modes(test_context(), &bodies, &c->rest, c->stuck, 8, NULL, &c->by_matrices));
  free(load);
  free(held);
  ms_context *ctx = test_context();
  ms_free(ctx, &site);
  ms_free(ctx, &B);
  free_table(&t);
  ms_mesh_destroy(&l.mesh);
}

static void compare(int fixed, double K_n, ptrdiff_t modes, double forces, double omega) {
  compared c = { .stuck = NULL };
  ms_contact_cycle a, b;
  run(fixed, K_n, modes, &c);
  if (!c.by_fem || !c.by_matrices) return;
  CHECK_EQUAL(c.rest.n_point, c.fem.n_point);
  CHECK_EQUAL(c.rest.n_face, c.fem.n_face);
  CHECK_EQUAL(c.rest.n_free, c.fem.n_free);
  CHECK_NEAR(c.rest.change, c.fem.change, forces);
  const ms_contact_state s = ms_contact_get(c.fem.contact), o = ms_contact_get(c.rest.contact);
  const double sum = ms_contact_add_up(c.fem.contact, -1).force[2];
  ptrdiff_t open = 0;
  CHECK_BELOW(400.0, sum);
  for (ptrdiff_t i = 0; i < c.rest.n_point; i++) {
    const ptrdiff_t k = find_point(&c.fem, &c.rest.point[i]);
    CHECK(k >= 0);
    CHECK_CLOSE(c.rest.point[i].area, c.fem.point[k].area, 1e-12);
    CHECK_EQUAL(o.status[i] == MS_CONTACT_OPEN, s.status[k] == MS_CONTACT_OPEN);
    open += o.status[i] == MS_CONTACT_OPEN;
    for (int j = 0; j < 3; j++) {
      CHECK_NEAR(o.lambda[3 * i + j], s.lambda[3 * k + j], forces * sum);
    }
  }
  CHECK(open > 0 || !fixed);
  const ms_modes stuck = ms_structure_get_stuck(c.stuck);
  for (int k = 0; k < 8; k++) {
    if (c.omega[k] == 0.0)
      CHECK_EQUAL(stuck.omega[k], 0.0);
    else
      CHECK_CLOSE(stuck.omega[k], c.omega[k], omega);
  }
  const int mode = fixed ? 0 : 6;
  const double p = 2e-6 * c.omega[mode] * c.omega[mode];
  CHECK_OK(ms_contact_run_cycle(c.by_fem, mode, p, &a, NULL));
  CHECK_OK(ms_contact_run_cycle(c.by_matrices, mode, p, &b, NULL));
  CHECK(a.slipped > 0 || K_n > 0.0 || friction == 0.0);
  CHECK_CLOSE(b.v_max - b.v_min, a.v_max - a.v_min, 20.0 * omega + forces);
  if (a.D > 0.0) CHECK_CLOSE(b.D, a.D, 50.0 * omega + 1e-6);
  CHECK_OK(ms_contact_return(c.by_fem));
  CHECK_OK(ms_contact_run_cycle(c.by_fem, mode, 1e-4 * p, &a, NULL)); /* of next to no amplitude */
  const double q = 0.5 * (a.v_max - a.v_min);
  if (friction == 0.0) CHECK_CLOSE(sqrt(1e-4 * p / q), c.omega[mode], 1e-6);
  ms_contact_destroy(&c.by_fem);
  ms_contact_destroy(&c.by_matrices);
  ms_structure_destroy(&c.stuck);
  ms_contact_rest_free(test_context(), &c.fem);
  ms_contact_rest_free(test_context(), &c.rest);
}

static void test_all_nodes(void) {
  compare(1, 0.0, -1, 1e-11, 3e-5);
}

static void test_all_nodes_layer(void) {
  compare(1, 2e13, -1, 1e-11, 3e-5);
}

/* Closed points slide in the modes at rest, too: a cycle has their frequency. */
static void test_frictionless(void) {
  friction = 0.0;
  compare(1, 0.0, -1, 1e-11, 3e-5);
  compare(1, 2e13, -1, 1e-11, 3e-5);
  friction = 0.31;
}

static void test_free(void) {
  compare(0, 0.0, -1, 1e-11, 1e-4);
}

static void test_condensed(void) {
  compare(1, 0.0, 0, 1e-11, 2e-2);
}

static void test_reduced(void) {
  compare(1, 0.0, 30, 1e-11, 1e-3);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_all_nodes);
  TEST(test_all_nodes_layer);
  TEST(test_frictionless);
  TEST(test_free);
  TEST(test_condensed);
  TEST(test_reduced);
  return test_leaks_finish();
}
