/* An assembly of finite elements at rest: preload in stages, supports that are released, bodies
   that nothing holds, and quasi-static modes with contact. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/backbone.h>
#include <microslip/fem_contact.h>

#include "support/check.h"
#include "support/fem/leaks.h"

static const double SIZE[3] = { 0.043, 0.016, 0.007 }, E = 2.03e11, NU = 0.29, RHO = 7810.0;
enum { NX = 6, NY = 3, NZ = 2, POINTS = (NX + 1) * (NY + 1) };

/* Two blocks on each other; `merged`: as one. */
static ms_mesh *make_blocks(int merged) {
  ms_mesh *mesh;
  ptrdiff_t n;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 2; k++) {
    const ms_part part = { .name = k ? "upper" : "lower",
                           .material = ms_material_isotropic(E, NU, RHO) };
    ms_brick brick = { .at = { 0.0, 0.0, k * SIZE[2] }, .n = { NX, NY, NZ } };
    int index;
    memcpy(brick.size, SIZE, sizeof SIZE);
    CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
    CHECK_OK(ms_mesh_add_brick(mesh, index, "hex8", &brick));
  }
  if (merged) CHECK_OK(ms_mesh_merge(mesh, 0, NULL, 1e-9, &n));
  return mesh;
}

typedef struct supported {
  const ms_mesh *mesh;
  const char *fixed, *also; /* NULL: free */
} supported;

static ms_status make(void *user, ms_context *ctx, ms_fem_model **out) {
  const supported *s = user;
  ms_status status = ms_fem_create(ctx, s->mesh, out);
  if (!status && s->fixed) status = ms_fem_fix_set(*out, s->fixed, MS_FEM_ALL);
  if (!status && s->also) status = ms_fem_fix_set(*out, s->also, MS_FEM_ALL);
  return status;
}

static const ms_fem_contact between = { .name = "joint",
                                        .faces = { "upper.bottom", "lower.top" },
                                        .mu = 0.31 };
static const double PRESS = 4700.0;

static void find_frequencies(const char *fixed, ptrdiff_t n, double *omega) {
  ms_mesh *mesh = make_blocks(1);
  ms_fem_model *model = NULL;
  ms_fem_modes modes;
  CHECK_OK(make(&(supported) { .mesh = mesh, .fixed = fixed }, test_context(), &model));
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, n, 0.0, &modes));
  memcpy(omega, modes.omega, (size_t)n * sizeof *omega);
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* ---- uniform pressure on bodies that nothing holds ---- */

/* Pressed from both sides, or from above with the bottom held: the same forces, and free
   afterwards with the frequencies of one body. */
static void check_free(int held) {
  enum { N = 10 };
  ms_mesh *mesh = make_blocks(0);
  supported user = { .mesh = mesh };
  const ms_fem_push push[] = { { .set = "upper.top", .force = { 0.0, 0.0, -PRESS } },
                               { .set = "lower.bottom", .force = { 0.0, 0.0, PRESS } } };
  const char *const hold[] = { "lower.bottom" };
  const ms_fem_stage stage = {
    .push = push, .n_push = held ? 1 : 2, .hold = hold, .n_hold = held, .friction = 1, .steps = 2
  };
  const ms_fem_assembly assembly = {
    .make = make, .user = &user, .n_contact = 1, .contact = &between, .n_stage = 1, .stage = &stage
  };
  double omega[N], whole[N];
  ms_fem_rest rest;
  ms_contact *c;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_EQUAL(rest.n_point, POINTS);
  CHECK_EQUAL(rest.n_face, NX * NY);
  CHECK_EQUAL(rest.n_free, held ? 0 : 6);
  const ms_contact_state at_rest = ms_contact_get(rest.contact);
  CHECK_CLOSE(ms_contact_add_up(rest.contact, 0).force[2], PRESS, 1e-9);
  if (!held) {
    for (ptrdiff_t i = 0; i < POINTS; i++) {
      CHECK_CLOSE(at_rest.lambda[3 * i + 2], PRESS * rest.point[i].area / (SIZE[0] * SIZE[1]),
                  1e-8);
    }
    CHECK_NEAR(rest.change, 0.0, 1e-9);
  }
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &rest, N, omega, &c));
  if (!c) return;
  find_frequencies(NULL, N, whole);
  for (int k = 0; k < N; k++) {
    if (k < 6)
      CHECK_EQUAL(omega[k], 0.0);
    else
      CHECK_CLOSE(omega[k], whole[k], 1e-8);
  }
  /* A load that makes nothing slip: q = p/omega^2, and the forces are those of rest. */
  double p[N] = { [6] = 1e-3 * omega[6] * omega[6] * 1e-6 };
  CHECK_OK(ms_contact_load(c, p));
  CHECK_CLOSE(ms_contact_get(c).v[6], p[6] / (omega[6] * omega[6]), 1e-6);
  CHECK_OK(ms_contact_return(c));
  for (ptrdiff_t i = 0; i < 3 * POINTS; i++) {
    CHECK_NEAR(ms_contact_get(c).lambda[i], at_rest.lambda[i], 1e-9 * PRESS);
    CHECK_EQUAL(ms_contact_get(c).v[6], 0.0);
  }
  ms_contact_destroy(&c);
  ms_fem_rest_free(test_context(), &rest);
  ms_mesh_destroy(&mesh);
}

static void test_free(void) {
  check_free(0);
}

static void test_held_and_released(void) {
  check_free(1);
}

/* Without friction both bodies are held by supports; contacts have normal forces only. */
static void test_frictionless(void) {
  ms_mesh *mesh = make_blocks(0);
  supported user = { mesh, "lower.bottom", "upper.left" };
  const ms_fem_push push = { .set = "upper.top", .force = { 300.0, 0.0, -PRESS } };
  const ms_fem_stage stage[] = { { .push = &push, .n_push = 1, .friction = 0, .steps = 1 },
                                 { .friction = 1, .steps = 1 } };
  ms_fem_assembly assembly = {
    .make = make, .user = &user, .n_contact = 1, .contact = &between, .n_stage = 1, .stage = stage
  };
  ms_fem_rest rest;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  ms_contact_sum sum = ms_contact_add_up(rest.contact, 0);
  CHECK_EQUAL(sum.slip, 0); /* it sticks afterwards, with its own friction */
  CHECK_CLOSE(sum.friction, between.mu * sum.force[2], 1e-9);
  ms_contact *more = NULL; /* the stage goes on without friction, too */
  CHECK_OK(ms_contact_press_on(test_context(), &rest, 0.7, &more));
  const ms_contact_sum pressed = ms_contact_add_up(more, 0);
  CHECK_CLOSE(pressed.force[2], 1.7 * sum.force[2], 1e-9);
  CHECK_NEAR(hypot(pressed.force[0], pressed.force[1]), 0.0, 1e-9 * PRESS);
  CHECK_CLOSE(pressed.friction, between.mu * pressed.force[2], 1e-9);
  CHECK_EQUAL(pressed.slip, 0);
  ms_contact_destroy(&more);
  ms_fem_rest_free(test_context(), &rest);
  assembly.n_stage = 2;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  sum = ms_contact_add_up(rest.contact, 0);
  CHECK_BELOW(0.3 * PRESS, sum.force[2]);
  CHECK_NEAR(hypot(sum.force[0], sum.force[1]), 0.0, 1e-9 * PRESS);
  CHECK_EQUAL(sum.slip, 0); /* nothing moves in the second stage */
  CHECK_EQUAL(sum.dissipated, 0.0);
  ms_fem_rest_free(test_context(), &rest);
  user.also = NULL; /* then nothing but friction would hold the upper one */
  CHECK_STATUS(ms_fem_find_rest(test_context(), &assembly, &rest), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "stage 1 of the preload");
  CHECK_HAS(ms_context_message(test_context()), "left free");
  ms_mesh_destroy(&mesh);
}

/* ---- other numbers ---- */

/* Contact at rest with other numbers is that of an assembly that has them: two stages of which one
   or each holds something, an interference beside a table of gaps, and a layer. */
static void check_changed(int held, int both) {
  enum { N = 3 };
  ms_mesh *mesh = make_blocks(0);
  supported user = { .mesh = mesh, .fixed = "lower.bottom" };
  const ms_fem_push push = { .set = "upper.top", .force = { 310.0, -170.0, -PRESS } };
  const char *const hold[] = { "upper.right" };
  const ms_fem_stage stage[] = {
    { .push = &push, .n_push = 1, .hold = hold, .n_hold = held, .friction = 1, .steps = 2 },
    { .push = &push, .n_push = 1, .hold = hold, .n_hold = held && both, .friction = 1, .steps = 1 }
  };
  const double factor[2] = { 0.83, 1.27 };
  ms_fem_contact own = between, other = between;
  own.K_n = 6e13, own.K_t = 4e13, own.gap = 1e-8;
  other.K_n = 3.1e13, other.K_t = 5.3e13, other.mu = 0.19, other.gap = -3e-8;
  const double x[] = { -1.0, 1.0 }, gap[] = { -7e-7, 7e-7 };
  const ms_fem_gaps gaps = { .n = 2, .at = { x }, .gap = gap };
  own.gaps = other.gaps = &gaps;
  other.gap_factor = 1.9;
  ms_fem_assembly assembly = {
    .make = make, .user = &user, .n_contact = 1, .contact = &own, .n_stage = 2, .stage = stage
  };
  double omega[N], changed[N], mac[N];
  ms_fem_rest rest;
  ms_contact *c = NULL, *of = NULL;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &rest, N, NULL, &c));
  ms_contact_destroy(&c);
  const double value[] = { other.mu,  0.0,       -other.gap, other.gap_factor,
                           other.K_n, other.K_t, factor[0],  factor[1] };
  CHECK_STATUS(
      ms_fem_load_changed(test_context(), &assembly, &rest, value, N + 1, changed, mac, &of),
      MS_ERR_ARGUMENT);
  CHECK_OK(ms_fem_load_changed(test_context(), &assembly, &rest, value, N, changed, mac, &of));
  ms_fem_rest_free(test_context(), &rest);
  ms_fem_stage with[2] = { stage[0], stage[1] };
  with[0].factor = factor[0], with[1].factor = factor[1];
  assembly.contact = &other, assembly.stage = with;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &rest, N, omega, &c));
  ms_fem_rest_free(test_context(), &rest);
  if (!c || !of) return;
  const ms_contact_state a = ms_contact_get(c), b = ms_contact_get(of);
  for (ptrdiff_t i = 0; i < 3 * POINTS; i++) CHECK_NEAR(b.lambda[i], a.lambda[i], 1e-9 * PRESS);
  for (int k = 0; k < N; k++) {
    CHECK_CLOSE(changed[k], omega[k], 1e-9);
    CHECK_BELOW(0.9, mac[k]);
    CHECK_BELOW(mac[k], 1.0 + 1e-9);
    double p[N] = { 0.0 };
    p[k] = omega[k] * omega[k] * 3e-8;
    CHECK_OK(ms_contact_load(c, p));
    CHECK_OK(ms_contact_load(of, p));
    CHECK_CLOSE(fabs(ms_contact_get(of).v[k]), fabs(ms_contact_get(c).v[k]), 1e-6);
  }
  ms_contact_destroy(&c);
  ms_contact_destroy(&of);
  ms_mesh_destroy(&mesh);
}

static void test_changed(void) {
  check_changed(0, 0);
  check_changed(1, 0);
  check_changed(1, 1);
}

/* ---- stages ---- */

/* Two stages of half the force are one of the whole, as nothing slips. */
static void test_stages(void) {
  ms_mesh *mesh = make_blocks(0);
  supported user = { .mesh = mesh, .fixed = "lower.bottom" };
  const ms_fem_push half = { .set = "upper.top", .force = { 31.0, -17.0, -0.5 * PRESS } };
  const ms_fem_push full = { .set = "upper.top", .force = { 62.0, -34.0, -PRESS } };
  const ms_fem_stage two[] = { { .push = &half, .n_push = 1, .friction = 1, .steps = 1 },
                               { .push = &half, .n_push = 1, .friction = 1, .steps = 3 } };
  const ms_fem_stage one = { .push = &full, .n_push = 1, .friction = 1, .steps = 1 };
  const ms_fem_contact wide = { .name = "joint",
                                .faces = { "upper.bottom", "lower.top" },
                                .mu = 50.0 };
  ms_fem_assembly assembly = {
    .make = make, .user = &user, .n_contact = 1, .contact = &wide, .n_stage = 2, .stage = two
  };
  ms_fem_rest a, b;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &a));
  assembly.n_stage = 1, assembly.stage = &one;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &b));
  const ms_contact_sum sum = ms_contact_add_up(a.contact, 0);
  CHECK_CLOSE(sum.force[2], PRESS, 1e-9);
  CHECK_CLOSE(hypot(sum.force[0], sum.force[1]), hypot(62.0, 34.0), 1e-8);
  for (ptrdiff_t i = 0; i < 3 * POINTS; i++) {
    CHECK_NEAR(ms_contact_get(a.contact).lambda[i], ms_contact_get(b.contact).lambda[i],
               1e-8 * PRESS);
  }
  ms_fem_rest_free(test_context(), &a);
  ms_fem_rest_free(test_context(), &b);
  ms_mesh_destroy(&mesh);
}

/* ---- quasi-static modes ---- */

/* Counts how often progress is in the first of two levels. */
static int hear(void *user, const char *what, double fraction) {
  CHECK_TEXT(what, "levels");
  CHECK(fraction > 0.0 && fraction <= 1.0);
  *(int *)user += fraction < 0.5;
  return 0;
}

/* The upper block on the ground, held by the preload alone: below slip the frequency of the fixed
   block, above it less, with damping that grows. */
static void test_backbone(void) {
  enum { N = 2, LEVELS = 3 };
  const double level[LEVELS] = { 1e-11, 1.9e-8, 2.1e-8 };
  ms_mesh *mesh = make_blocks(1);
  supported user = { .mesh = mesh };
  const ms_fem_contact floor = { .name = "floor", .faces = { "lower.bottom", NULL }, .mu = 0.4 };
  const ms_fem_push push = { .set = "upper.top", .force = { 0.0, 0.0, -900.0 } };
  const ms_fem_stage stage = { .push = &push, .n_push = 1, .friction = 1, .steps = 1 };
  const ms_fem_assembly assembly = {
    .make = make, .user = &user, .n_contact = 1, .contact = &floor, .n_stage = 1, .stage = &stage
  };
  double omega[N], fixed[N], one[N * N] = { 1.0, 0.0, 0.0, 1.0 }, K[N * N] = { 0.0 };
  ms_fem_rest rest;
  ms_contact *c;
  ms_structure *s;
  ms_backbone_setting setting;
  ms_backbone_curve curve;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_OK(ms_fem_load_modes(test_context(), &assembly, &rest, N, omega, &c));
  find_frequencies("lower.bottom", N, fixed);
  for (int k = 0; k < N; k++) {
    CHECK_CLOSE(omega[k], fixed[k], 1e-8);
    K[k + N * k] = omega[k] * omega[k];
  }
  CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
  CHECK_OK(ms_structure_set_mass(s, one));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  CHECK_OK(ms_structure_setup(s));
  ms_backbone_default(&setting, sizeof setting);
  setting.contact = c;
  CHECK_OK(ms_backbone_request(test_context(), "qsma", 0, LEVELS, level, &curve));
  CHECK_OK(ms_backbone_run(test_context(), s, &setting, &curve));
  CHECK_TEXT(curve.remark, "");
  CHECK_EQUAL(curve.partial, 0);
  CHECK_EQUAL(curve.n, LEVELS);
  CHECK_CLOSE(curve.point[0].omega, fixed[0], 1e-6);
  for (int k = 1; k < curve.n; k++) {
    CHECK_BELOW(curve.point[k].omega, curve.point[k - 1].omega);
    CHECK_BELOW(curve.point[k - 1].zeta, curve.point[k].zeta);
    CHECK_CLOSE(curve.contact[k].cycle.work, curve.contact[k].cycle.D, 5e-3);
    double sum = 0.0;
    for (ptrdiff_t i = 0; i < curve.n_contact_point; i++) {
      sum += curve.contact_D[i + curve.n_contact_point * k];
    }
    CHECK_CLOSE(sum, curve.contact[k].cycle.D, 1e-12);
    CHECK_CLOSE(curve.point[k].zeta,
                sum / (2.0 * 3.14159265358979 * curve.point[k].omega * curve.point[k].omega *
                       curve.point[k].q * curve.point[k].q),
                1e-9);
  }
  ms_backbone_free(test_context(), &curve);
  /* Progress moves inside the first level; a load at which the block slides away is said. */
  const double two[2] = { 2.1e-8, 1e-6 };
  int heard = 0;
  CHECK_OK(ms_backbone_request(test_context(), "qsma", 0, 2, two, &curve));
  ms_context_set_progress(test_context(), hear, &heard);
  CHECK_OK(ms_backbone_run(test_context(), s, &setting, &curve));
  ms_context_set_progress(test_context(), NULL, NULL);
  CHECK_BELOW(20.0, (double)heard);
  CHECK_EQUAL(curve.partial, 1);
  double whole = 0.0, reached = 0.0;
  const int said = sscanf(
      curve.remark, "q = 1e-06, load %lf: contact 'floor' slides as a whole beyond load %lf: all",
      &whole, &reached);
  CHECK_EQUAL(said, 2);
  CHECK_CLOSE(whole, omega[0] * omega[0] * two[1], 1e-5);
  CHECK(reached > 0.0 && reached < whole);
  ms_backbone_free(test_context(), &curve);
  CHECK_OK(ms_backbone_request(test_context(), "rqnm", 0, LEVELS, level, &curve));
  CHECK_STATUS(ms_backbone_run(test_context(), s, &setting, &curve), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "rqnm knows no contact");
  ms_structure_destroy(&s);
  ms_contact_destroy(&c);
  ms_fem_rest_free(test_context(), &rest);
  ms_mesh_destroy(&mesh);
}

/* ---- refusals ---- */

static void test_refusals(void) {
  ms_mesh *mesh = make_blocks(0);
  supported user = { .mesh = mesh };
  const ms_fem_push push = { .set = "upper.top", .force = { 0.0, 0.0, -PRESS } };
  const ms_fem_push away = { .set = "upper.top", .force = { 0.0, 0.0, PRESS } };
  const ms_fem_push nowhere = { .set = "upper.side", .force = { 0.0, 0.0, PRESS } };
  ms_fem_stage stage[] = { { .push = &push, .n_push = 1, .friction = 1, .steps = 2 },
                           { .push = &away, .n_push = 1, .friction = 1, .steps = 2 } };
  const ms_fem_assembly assembly = {
    .make = make, .user = &user, .n_contact = 1, .contact = &between, .n_stage = 1, .stage = stage
  };
  ms_fem_rest rest;
  CHECK_STATUS(ms_fem_find_rest(test_context(), &assembly, &rest), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "not in balance");
  user.fixed = "lower.bottom";
  stage[0].push = &away;
  CHECK_STATUS(ms_fem_find_rest(test_context(), &assembly, &rest), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "no equilibrium");
  stage[0].push = &nowhere;
  CHECK_STATUS(ms_fem_find_rest(test_context(), &assembly, &rest), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "upper.side");
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_free);
  TEST(test_held_and_released);
  TEST(test_frictionless);
  TEST(test_changed);
  TEST(test_stages);
  TEST(test_backbone);
  TEST(test_refusals);
  return test_leaks_finish();
}
