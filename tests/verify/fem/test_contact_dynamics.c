/* Finite elements in contact, in time: a block that preload alone holds on the ground slips under a
   push; how the answer converges with the number of modes. Two blocks that nothing holds fly away.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/fem_contact.h>

#include "support/check.h"
#include "support/fem/leaks.h"

static const double SIZE[3] = { 0.043, 0.016, 0.007 }, E = 2.03e11, NU = 0.29, RHO = 7810.0;
static const double PI = 3.14159265358979323846, PRESS = 900.0;
enum { NX = 6, NY = 3, NZ = 2 };

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

static ms_status make(void *user, ms_context *ctx, ms_fem_model **out) {
  return ms_fem_create(ctx, user, out);
}

/* u of the second load, a sensor, under a pulse on the first. */
static double run_pulse(const ms_contact_modal *modal, double force, double length, double step,
                        ptrdiff_t n, double *u, ms_contact_energy *e) {
  const double zeta[64] = { 0.0 };
  ms_contact_run *run;
  double last = 0.0;
  CHECK_OK(ms_contact_run_create(test_context(), modal, zeta, step, &run));
  for (ptrdiff_t i = 0; i < n; i++) {
    const double t = step * (double)(i + 1);
    const double p[2] = { t < length ? force * (0.5 - 0.5 * cos(2.0 * PI * t / length)) : 0.0,
                          0.0 };
    CHECK_OK(ms_contact_run_step(run, p));
    u[i] = last = ms_contact_run_get(run).u[1];
  }
  *e = ms_contact_run_get_energy(run);
  ms_contact_run_destroy(&run);
  return last;
}

/* ---- a block on the ground ---- */

enum { STEPS = 1200, MOST = 60 };

static void test_modes(void) {
  static const ptrdiff_t n_mode[] = { 2, 5, 10, 20, 40 };
  static double u[STEPS], reference[STEPS];
  ms_mesh *mesh = make_blocks(1);
  const ms_fem_contact floor = { .name = "floor", .faces = { "lower.bottom", NULL }, .mu = 0.4 };
  const ms_fem_push press = { .set = "upper.top", .force = { 0.0, 0.0, -PRESS } };
  const ms_fem_stage stage = { .push = &press, .n_push = 1, .friction = 1, .steps = 1 };
  const ms_fem_assembly assembly = {
    .make = make, .user = mesh, .n_contact = 1, .contact = &floor, .n_stage = 1, .stage = &stage
  };
  const ms_fem_push load[2] = { { .set = "upper.top", .force = { 1.0, 0.0, 0.0 } },
                                { .set = "upper.top", .force = { 1.0, 0.0, 0.0 } } };
  ms_fem_rest rest;
  ms_contact_modal modal;
  ms_contact_energy e;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_OK(ms_fem_find_modal(test_context(), &assembly, &rest, MOST, 2, load, &modal));
  const double period = 2.0 * PI / modal.omega[0], step = period / 60.0;
  run_pulse(&modal, 280.0, 4.0 * period, step, STEPS, reference, &e);
  const double D = e.friction;
  CHECK(D > 0.05 * e.input);
  ms_contact_modal_free(test_context(), &modal);
  for (size_t k = 0; k < sizeof n_mode / sizeof *n_mode; k++) {
    double most = 0.0, largest = 0.0;
    CHECK_OK(ms_fem_find_modal(test_context(), &assembly, &rest, n_mode[k], 2, load, &modal));
    run_pulse(&modal, 280.0, 4.0 * period, step, STEPS, u, &e);
    for (ptrdiff_t i = 0; i < STEPS; i++) {
      most = fmax(most, fabs(u[i] - reference[i]));
      largest = fmax(largest, fabs(reference[i]));
    }
    printf("# %2td modes to %.0f Hz: displacement %.2g %%, dissipation %+.2g %%, balance %.1e\n",
           n_mode[k], modal.omega[n_mode[k] - 1] / (2.0 * PI), 100.0 * most / largest,
           100.0 * (e.friction / D - 1.0), e.balance / e.input);
    CHECK_BELOW(fabs(e.balance), 1e-9 * e.input);
    if (n_mode[k] >= 5) CHECK_BELOW(most, 0.005 * largest);
    if (n_mode[k] >= 10) CHECK_CLOSE(e.friction, D, 0.005);
    ms_contact_modal_free(test_context(), &modal);
  }
  ms_fem_rest_free(test_context(), &rest);
  ms_mesh_destroy(&mesh);
}

/* ---- two blocks that nothing holds ---- */

/* A slow pulse through their middle, which parts of them follow as one: the last is the impulse
   over the mass times the time since its middle. */
static void test_free(void) {
  enum { N = 12, SLOW = 400 };
  static double u[SLOW];
  ms_mesh *mesh = make_blocks(0);
  const ms_fem_push push[] = { { .set = "upper.top", .force = { 0.0, 0.0, -PRESS } },
                               { .set = "lower.bottom", .force = { 0.0, 0.0, PRESS } } };
  const ms_fem_contact between = { .name = "joint",
                                   .faces = { "upper.bottom", "lower.top" },
                                   .mu = 0.31 };
  const ms_fem_stage stage = { .push = push, .n_push = 2, .friction = 1, .steps = 2 };
  const ms_fem_assembly assembly = {
    .make = make, .user = mesh, .n_contact = 1, .contact = &between, .n_stage = 1, .stage = &stage
  };
  const ms_fem_push load[2] = { { .set = "upper.top", .force = { 0.0, 0.0, 1.0 } },
                                { .set = "lower.bottom", .force = { 0.0, 0.0, 1.0 } } };
  const double mass = 2.0 * RHO * SIZE[0] * SIZE[1] * SIZE[2], T = 1e-3;
  ms_fem_rest rest;
  ms_contact_modal modal;
  ms_contact_energy e;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_EQUAL(rest.n_free, 6);
  CHECK_OK(ms_fem_find_modal(test_context(), &assembly, &rest, N, 2, load, &modal));
  for (int r = 0; r < N; r++) CHECK_EQUAL(modal.omega[r] > 0.0, r >= 6);
  const double last = run_pulse(&modal, 0.2 * PRESS, T, 1e-5, SLOW, u, &e);
  CHECK_CLOSE(last, 0.2 * PRESS * 0.5 * T * (1e-5 * SLOW - 0.5 * T) / mass, 1e-5);
  CHECK_BELOW(fabs(e.balance), 1e-10 * e.input);
  ms_contact_modal_free(test_context(), &modal);
  CHECK_STATUS(ms_fem_find_modal(test_context(), &assembly, &rest, 0, 0, NULL, &modal),
               MS_ERR_ARGUMENT);
  ms_fem_rest_free(test_context(), &rest);
  ms_mesh_destroy(&mesh);
}

/* ---- glued, released, at rest ---- */

/* Pressed against a support, glued, then let go: what pressed is taken away, and so is
   the support. What is left balances itself: without loads nothing moves. */
static void test_at_rest(void) {
  enum { N = 20 };
  ms_mesh *mesh = make_blocks(0);
  const ms_fem_push press = { .set = "upper.top", .force = { 0.0, 0.0, -PRESS } };
  const ms_fem_push away[] = { { .set = "upper.top", .force = { 0.0, 0.0, PRESS } },
                               { .set = "lower.bottom", .force = { 0.0, 0.0, -PRESS } } };
  const ms_fem_contact between = { .name = "joint",
                                   .faces = { "upper.bottom", "lower.top" },
                                   .mu = 0.31 };
  const char *const hold[] = { "lower.bottom" };
  const int glue[] = { 0 };
  const ms_fem_stage stage[] = { { .push = &press,
                                   .n_push = 1,
                                   .hold = hold,
                                   .n_hold = 1,
                                   .friction = 1,
                                   .steps = 4,
                                   .glue = glue,
                                   .n_glue = 1 },
                                 { .push = away, .n_push = 2, .friction = 1, .steps = 1 } };
  const ms_fem_assembly assembly = {
    .make = make, .user = mesh, .n_contact = 1, .contact = &between, .n_stage = 2, .stage = stage
  };
  const ms_fem_push load[2] = { { .set = "upper.top", .force = { 0.0, 0.0, 1.0 } },
                                { .set = "upper.top", .force = { 1.0, 0.0, 0.0 } } };
  const double pressed = PRESS * 2.0 * SIZE[2] / (E * SIZE[0] * SIZE[1]);
  ms_fem_rest rest;
  ms_contact_modal modal;
  ms_contact_run *run;
  double most = 0.0, force = 0.0;
  CHECK_OK(ms_fem_find_rest(test_context(), &assembly, &rest));
  CHECK_EQUAL(rest.n_free, 6);
  CHECK_OK(ms_fem_find_modal(test_context(), &assembly, &rest, N, 2, load, &modal));
  CHECK_OK(ms_contact_run_create(test_context(), &modal, NULL, 1e-6, &run));
  for (int i = 0; i < 1000; i++) {
    CHECK_OK(ms_contact_run_step(run, (const double[]) { 0.0, 0.0 }));
    const ms_contact_motion m = ms_contact_run_get(run);
    for (int k = 0; k < 2; k++) most = fmax(most, fabs(m.u[k]));
  }
  const ms_contact_state now = ms_contact_get(ms_contact_run_get_contact(run));
  for (ptrdiff_t i = 0; i < 3 * now.n_point; i++) force = fmax(force, fabs(now.lambda[i]));
  printf(
      "# glued and let go: in 1000 steps the top moves by %.1e of what it was pressed by; "
      "largest force left at a point %.3g N\n",
      most / pressed, force);
  CHECK_BELOW(most, 1e-9 * pressed);
  CHECK(force > 1e-3 * PRESS / (double)now.n_point); /* it is under stress */
  ms_contact_run_destroy(&run);
  ms_contact_modal_free(test_context(), &modal);
  ms_fem_rest_free(test_context(), &rest);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_modes);
  TEST(test_free);
  TEST(test_at_rest);
  return test_leaks_finish();
}
