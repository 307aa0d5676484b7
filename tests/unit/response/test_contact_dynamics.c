/* Contact in time: one point on the ground against a Jenkins element, free bodies, loads that
   appear at once, springs under loads; what is refused; allocations. */
#include <math.h>
#include <string.h>

#include <microslip/contact_dynamics.h>
#include <microslip/response.h>

#include "core/internal.h"
#include "response/contact/impl.h"
#include "support/check.h"
#include "support/joints.h"

/* A mass b (3 to 5) on a node a without mass (0 to 2), which touches the ground; along x the mass
   is on a spring of its own as well. */
enum { N = 6 };
static const double KX = 3.7e6, KZ = 9.1e6, OWN = 1.3e6, MASS = 2.3, PRESS = 810.0, MU = 0.31;

typedef struct body {
  double K[N * N], M[N * N], B[N * 3], load[N * 2];
  ms_contact_site site;
  ms_structure *structure, *stuck;
  ms_contact_rest rest;
  ms_contact_modal modal;
} body;

static void add_spring(body *p, int i, int j, double k) {
  p->K[i + N * i] += k;
  if (j < 0) return;
  p->K[j + N * j] += k;
  p->K[i + N * j] -= k;
  p->K[j + N * i] -= k;
}

static void fill(body *p, double layer) {
  memset(p, 0, sizeof *p);
  for (int a = 0; a < 3; a++) {
    add_spring(p, a, 3 + a, a == 2 ? KZ : KX);
    p->M[3 + a + N * (3 + a)] = MASS;
  }
  add_spring(p, 3, -1, OWN);
  p->B[0] = 1.0, p->B[1 + N] = -1.0, p->B[2 + 2 * N] = -1.0;
  p->site = (ms_contact_site) { .mu = MU, .K_n = 2.0 * layer, .K_t = layer };
  p->load[3] = 1.0;
  p->load[5 + N] = 1.0;
}

static ms_status open_body(ms_context *ctx, body *p, ptrdiff_t n_mode) {
  const double force[N] = { 0.0, 0.0, 0.0, 0.0, 0.0, -PRESS };
  const ms_contact_stage stage = { .load = force, .friction = 1, .steps = 1 };
  MS_TRY(ms_structure_create(ctx, N, NULL, &p->structure));
  MS_TRY(ms_structure_set_stiffness(p->structure, p->K));
  MS_TRY(ms_structure_set_mass(p->structure, p->M));
  const ms_contact_bodies bodies = { p->structure, 1, &p->site, p->B };
  MS_TRY(ms_contact_find_rest(ctx, &bodies, 1, &stage, NULL, &p->rest));
  MS_TRY(ms_contact_stick(ctx, &bodies, &p->rest, NULL, &p->stuck));
  for (ptrdiff_t i = 0; p->site.K_n > 0.0 && i < 3;
       i++) { /* modes need a mass: of next to nothing */
    MS_TRY(ms_structure_add_mass(p->stuck, i, 1e-7 * MASS));
  }
  MS_TRY(ms_structure_setup(p->stuck));
  return ms_contact_find_modal(ctx, &bodies, &p->rest, p->stuck, n_mode, 2, p->load, NULL,
                               &p->modal);
}

static void close_body(ms_context *ctx, body *p) {
  ms_structure_destroy(&p->structure);
  ms_structure_destroy(&p->stuck);
  ms_contact_rest_free(ctx, &p->rest);
  ms_contact_modal_free(ctx, &p->modal);
}

/* ---- one point against a Jenkins element ---- */

static const double STEP = 6e-5, OMEGA = 1100.0, FORCE = 900.0, ZETA = 0.013;

static double push(void *user, double t) {
  (void)user;
  return FORCE * sin(OMEGA * t);
}

/* The mass on its own spring, and beside it the friction of the point with what holds it in series.
 */
static ms_transient *open_jenkins(double layer, ms_structure **structure) {
  const double K_t = layer > 0.0 ? 1.0 / (1.0 / KX + 1.0 / layer) : KX;
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.step = STEP;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, structure));
  CHECK_OK(ms_structure_add_mass(*structure, 0, MASS));
  CHECK_OK(ms_structure_add_spring(*structure, MS_GROUND, 0, OWN));
  ms_joint *joint = test_joint("jenkins", "F_S", MU * PRESS, "K_T", K_t, NULL);
  CHECK_OK(ms_structure_take_joint(*structure, "point", &joint, (const ptrdiff_t[]) { MS_GROUND },
                                   (const ptrdiff_t[]) { 0 }));
  CHECK_OK(ms_structure_set_modal_damping(*structure, &ZETA));
  CHECK_OK(ms_structure_setup(*structure));
  CHECK_OK(ms_transient_create(*structure, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0 }, push, NULL, HUGE_VAL));
  return run;
}

static void compare_jenkins(double layer) {
  const double zeta[3] = { ZETA, ZETA, ZETA };
  ms_structure *structure;
  ms_contact_run *run = NULL;
  body p;
  double most = 0.0, largest = 0.0;
  fill(&p, layer);
  CHECK_OK(open_body(test_context(), &p, 3));
  CHECK_OK(ms_contact_run_create(test_context(), &p.modal, zeta, STEP, &run));
  ms_transient *jenkins = open_jenkins(layer, &structure);
  for (int i = 1; i <= 400; i++) {
    double u;
    CHECK_OK(ms_transient_step(jenkins));
    CHECK_OK(ms_contact_run_step(run, (const double[]) { push(NULL, STEP * i), 0.0 }));
    ms_transient_get_coordinates(jenkins, &u, NULL, NULL);
    most = fmax(most, fabs(u - ms_contact_run_get(run).u[0]));
    largest = fmax(largest, fabs(u));
  }
  CHECK_BELOW(most, (layer > 0.0 ? 1e-6 : 1e-10) * largest);
  const ms_contact_energy e = ms_contact_run_get_energy(run);
  ms_transient_energy want;
  CHECK_OK(ms_transient_get_energy(jenkins, &want));
  CHECK(want.dissipated > 0.1 * want.input);
  CHECK_CLOSE(e.input, want.input, 1e-6);
  CHECK_CLOSE(e.friction, want.dissipated, 0.01); /* that of the element has no corners */
  CHECK_CLOSE(e.friction + e.corner, want.dissipated + want.balance, 1e-6);
  CHECK_CLOSE(e.viscous, want.viscous, 1e-6);
  CHECK_CLOSE(e.kinetic, want.kinetic, 1e-6);
  CHECK_BELOW(fabs(e.balance), 1e-11 * e.input);
  CHECK_EQUAL(e.opening, 0);
  CHECK(ms_contact_add_up(ms_contact_run_get_contact(run), -1).slid > 0.0);
  ms_contact_run_destroy(&run);
  ms_transient_destroy(&jenkins);
  ms_structure_destroy(&structure);
  close_body(test_context(), &p);
}

static void test_rigid(void) {
  compare_jenkins(0.0);
}
static void test_layer(void) {
  compare_jenkins(2.9e6);
}

/* ---- at rest ---- */

static void test_nothing_moves(void) {
  ms_contact_run *run = NULL;
  body p;
  fill(&p, 0.0);
  CHECK_OK(open_body(test_context(), &p, 3));
  CHECK_OK(ms_contact_run_create(test_context(), &p.modal, NULL, STEP, &run));
  for (int i = 0; i < 1000; i++) {
    CHECK_OK(ms_contact_run_step(run, (const double[]) { 0.0, 0.0 }));
  }
  const ms_contact_motion m = ms_contact_run_get(run);
  CHECK_CLOSE(m.time, 1000 * STEP, 1e-14);
  CHECK_EQUAL(m.step, 1000);
  for (int k = 0; k < 2; k++) CHECK_BELOW(fabs(m.u[k]), 1e-12 * PRESS / KZ);
  ms_contact_run_destroy(&run);
  close_body(test_context(), &p);
}

/* ---- loads that appear at once, and velocities ---- */

/* Up to slip the mass rings about its static place, from 0 to twice of that. */
static void test_load_at_once(void) {
  const double p_0[2] = { 0.3 * MU * PRESS, 0.0 }, k = OWN + KX, omega = sqrt(k / MASS);
  ms_contact_run *run = NULL;
  body p;
  double most = 0.0;
  fill(&p, 0.0);
  CHECK_OK(open_body(test_context(), &p, 3));
  CHECK_OK(ms_contact_run_create(test_context(), &p.modal, NULL, 1e-3 / omega, &run));
  CHECK_OK(ms_contact_run_start(run, p_0, NULL));
  for (int i = 1; i <= 3000; i++) {
    CHECK_OK(ms_contact_run_step(run, p_0));
    const double want = p_0[0] / k * (1.0 - cos(1e-3 * i));
    most = fmax(most, fabs(ms_contact_run_get(run).u[0] - want));
  }
  CHECK_BELOW(most, 1e-6 * p_0[0] / k);
  CHECK_BELOW(fabs(ms_contact_run_get_energy(run).balance), 1e-12 * p_0[0] * p_0[0] / k);
  CHECK_STATUS(ms_contact_run_start(run, p_0, NULL), MS_ERR_STATE);
  ms_contact_run_destroy(&run);
  close_body(test_context(), &p);
}

/* A load on the node without mass: what has none follows at once. */
static void test_load_at_the_point(void) {
  ms_contact_run *run = NULL;
  body p;
  fill(&p, 2.9e6);
  p.load[3] = 0.0;
  p.load[0] = 1.0;
  CHECK_OK(open_body(test_context(), &p, 3));
  CHECK_OK(ms_contact_run_create(test_context(), &p.modal, NULL, 1e-6, &run));
  CHECK_OK(ms_contact_run_start(run, (const double[]) { 100.0, 0.0 }, NULL));
  CHECK_CLOSE(ms_contact_run_get(run).u[0], 100.0 / (KX + 2.9e6), 1e-9);
  CHECK_CLOSE(ms_contact_get(ms_contact_run_get_contact(run)).lambda[0],
              100.0 * 2.9e6 / (KX + 2.9e6), 1e-9);
  CHECK_OK(ms_contact_run_step(run, (const double[]) { 100.0, 0.0 }));
  CHECK_CLOSE(ms_contact_run_get(run).u[0], 100.0 / (KX + 2.9e6), 1e-4);
  CHECK_BELOW(fabs(ms_contact_run_get_energy(run).balance), 1e-15);
  ms_contact_run_destroy(&run);
  close_body(test_context(), &p);
}

static void test_velocity(void) {
  const double omega = sqrt((OWN + KX) / MASS), v_0 = 0.3 * MU * PRESS / sqrt((OWN + KX) * MASS);
  ms_contact_run *run = NULL;
  body p;
  double v[3] = { 0.0 };
  fill(&p, 0.0);
  CHECK_OK(open_body(test_context(), &p, 3));
  CHECK_OK(ms_contact_run_create(test_context(), &p.modal, NULL, 1e-3 / omega, &run));
  for (int r = 0; r < 3; r++) v[r] = v_0 * MASS * p.modal.follow[2 * r];
  CHECK_OK(ms_contact_run_start(run, NULL, v));
  CHECK_CLOSE(ms_contact_run_get_energy(run).start, 0.5 * MASS * v_0 * v_0, 1e-10);
  for (int i = 1; i <= 1000; i++) {
    CHECK_OK(ms_contact_run_step(run, (const double[]) { 0.0, 0.0 }));
  }
  CHECK_CLOSE(ms_contact_run_get(run).u[0], v_0 / omega * sin(1.0), 1e-6);
  ms_contact_run_destroy(&run);
  close_body(test_context(), &p);
}

/* ---- a body that is thrown up and falls back ---- */

/* While the point is open the mass and its node fly; PRESS is what brings them back. */
static void test_flight(void) {
  const double v_0 = 4.0 * PRESS / sqrt(KZ * MASS), fall = PRESS / MASS;
  ms_contact_run *run = NULL;
  body p;
  double v[3] = { 0.0 }, top = 0.0, open = 0.0;
  fill(&p, 0.0);
  CHECK_OK(open_body(test_context(), &p, 3));
  CHECK_OK(ms_contact_run_create(test_context(), &p.modal, NULL, 2e-6, &run));
  for (int r = 0; r < 3; r++) v[r] = v_0 * MASS * p.modal.follow[1 + 2 * r];
  CHECK_OK(ms_contact_run_start(run, NULL, v));
  for (int i = 1; i <= 2500; i++) {
    CHECK_OK(ms_contact_run_step(run, (const double[]) { 0.0, 0.0 }));
    top = fmax(top, ms_contact_run_get(run).u[1]);
    open += ms_contact_add_up(ms_contact_run_get_contact(run), -1).open > 0 ? 2e-6 : 0.0;
  }
  /* until it opens it is a spring: v^2 = v_0^2 - (PRESS/KZ)^2 omega^2 */
  const double flies = v_0 * v_0 - PRESS * PRESS / (KZ * MASS);
  CHECK_CLOSE(top, PRESS / KZ + 0.5 * flies / fall, 1e-4);
  const ms_contact_energy e = ms_contact_run_get_energy(run);
  CHECK(open > sqrt(flies) / fall);
  CHECK_BELOW(fabs(e.balance), 1e-12 * e.start);
  CHECK_BELOW(fabs(e.opening), 1e-4 * e.start);
  CHECK(e.opening != 0.0);
  ms_contact_run_destroy(&run);
  close_body(test_context(), &p);
}

/* ---- forces on modes, and a state that goes on ---- */

static ms_contact_run *open_pushed(const body *p) {
  const double zeta[3] = { ZETA, ZETA, ZETA };
  ms_contact_run *run = NULL;
  CHECK_OK(ms_contact_run_create(test_context(), &p->modal, zeta, STEP, &run));
  return run;
}

static void push_modes(const body *p, ms_contact_run *run, int i) {
  double f[3];
  for (int r = 0; r < 3; r++) f[r] = push(NULL, STEP * i) * p->modal.follow[2 * r];
  ms_contact_run_push(run, f);
  CHECK_OK(ms_contact_run_step(run, (const double[]) { 0.0, 0.0 }));
}

/* The load on the mass is one on the modes, which are all that there are; saved in the middle. */
static void test_modal_forces(void) {
  body p;
  fill(&p, 0.0);
  CHECK_OK(open_body(test_context(), &p, 3));
  ms_contact_run *by_load = open_pushed(&p), *by_mode = open_pushed(&p), *late = open_pushed(&p);
  double u = 0.0, state[400];
  const ptrdiff_t n = ms_contact_run_save_size(late);
  CHECK(n < 400);
  for (int i = 1; i <= 200; i++) {
    CHECK_OK(ms_contact_run_step(by_load, (const double[]) { push(NULL, STEP * i), 0.0 }));
    push_modes(&p, by_mode, i);
    u = ms_contact_run_get(by_load).u[0];
    CHECK_NEAR(ms_contact_run_get(by_mode).u[0], u, 1e-15);
    if (i == 100) ms_contact_run_save(by_mode, state);
  }
  const ms_contact_energy a = ms_contact_run_get_energy(by_load);
  const ms_contact_energy b = ms_contact_run_get_energy(by_mode);
  CHECK_CLOSE(b.input, a.input, 1e-11);
  CHECK_CLOSE(b.friction, a.friction, 1e-11);
  CHECK_BELOW(fabs(b.balance), 1e-12 * b.input);
  CHECK_OK(ms_contact_run_load(late, state, n));
  CHECK_EQUAL(ms_contact_run_get(late).step, 100);
  for (int i = 101; i <= 200; i++) push_modes(&p, late, i);
  CHECK(ms_contact_run_get(late).u[0] == ms_contact_run_get(by_mode).u[0]);
  CHECK(ms_contact_run_get_energy(late).friction == b.friction);
  CHECK(ms_contact_run_get_energy(late).input == b.input);
  CHECK_STATUS(ms_contact_run_load(late, state, n - 1), MS_ERR_FORMAT);
  state[20] = NAN;
  CHECK_STATUS(ms_contact_run_load(late, state, n), MS_ERR_FORMAT);
  ms_contact_run_destroy(&by_load);
  ms_contact_run_destroy(&by_mode);
  ms_contact_run_destroy(&late);
  close_body(test_context(), &p);
}

/* ---- as the contact of a structure ---- */

static ms_status open_transient(const body *p, const char *method, ms_transient **out) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  setting.step = STEP;
  setting.method = method;
  return ms_transient_create(p->stuck, &setting, out);
}

/* Loads of modes that are the opposite of the structure's. */
static void turn(ms_contact *c, const double *sign) {
  for (ptrdiff_t k = 0; k < c->n_load; k++) {
    for (ptrdiff_t i = 0; i < 3 * c->n; i++) c->z_load[i + 3 * c->n * k] *= sign[k];
    for (ptrdiff_t l = 0; l < c->n_load; l++) c->load_load[l + c->n_load * k] *= sign[k] * sign[l];
  }
  CHECK_OK(ms_contact_rebase(c));
  ms_contact_mark(c);
}

/* ms_transient with the contact is the run by itself, signs and checkpoints included. */
static void check_transient(const double *sign) {
  const double zeta[3] = { ZETA, ZETA, ZETA }, along[3] = { 1.0, 0.0, 0.0 };
  double u[3], late_u[3], state[600];
  ms_transient *run = NULL, *late = NULL;
  body p;
  fill(&p, 0.0);
  CHECK_OK(open_body(test_context(), &p, 3));
  CHECK_OK(ms_structure_set_modal_damping(p.stuck, zeta));
  CHECK_OK(ms_structure_setup(p.stuck));
  ms_contact_modal turned = { 0 };
  const ms_contact_bodies bodies = { p.structure, 1, &p.site, p.B };
  CHECK_OK(
      ms_contact_find_modal(test_context(), &bodies, &p.rest, p.stuck, 3, 0, NULL, NULL, &turned));
  if (sign) turn(turned.contact, sign);
  const ms_contact_family family = { .rest = turned.contact, .sign = sign };
  ms_structure_set_contact(p.stuck, &family);
  ms_contact_run *by_load = open_pushed(&p);
  CHECK_OK(open_transient(&p, "newmark", &run));
  CHECK_OK(open_transient(&p, "newmark", &late));
  CHECK(ms_transient_get_contact(run) != NULL);
  CHECK_OK(ms_transient_add_load(run, along, push, NULL, HUGE_VAL));
  CHECK_OK(ms_transient_add_load(late, along, push, NULL, HUGE_VAL));
  const ptrdiff_t n = ms_transient_save_size(run);
  CHECK(n < 600);
  for (int again = 0; again < 2; again++) { /* a second start is as the first */
    CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
    for (int i = 1; i <= 200; i++) {
      CHECK_OK(ms_transient_step(run));
      if (i == 100) CHECK_OK(ms_transient_save(run, state));
    }
  }
  for (int i = 1; i <= 200; i++) {
    CHECK_OK(ms_contact_run_step(by_load, (const double[]) { push(NULL, STEP * i), 0.0 }));
  }
  ms_transient_get_coordinates(run, u, NULL, NULL);
  CHECK_NEAR(u[0], ms_contact_run_get(by_load).u[0], 1e-14);
  const ms_contact_energy want = ms_contact_run_get_energy(by_load);
  ms_transient_energy e;
  CHECK_OK(ms_transient_get_energy(run, &e));
  CHECK_CLOSE(e.input, want.input, 1e-9);
  CHECK_CLOSE(e.dissipated, want.friction, 1e-9);
  CHECK_CLOSE(e.elastic, want.strain, 1e-9);
  CHECK_CLOSE(e.viscous, want.viscous, 1e-9);
  CHECK_NEAR(e.balance, want.opening + want.corner, 1e-11 * e.input);
  CHECK_CLOSE(ms_contact_add_up(ms_contact_run_get_contact(ms_transient_get_contact(run)), -1).slid,
              ms_contact_add_up(ms_contact_run_get_contact(by_load), -1).slid, 1e-9);
  CHECK_OK(ms_transient_load(late, state, n));
  CHECK_OK(ms_transient_run(late, 100, 1, NULL, NULL));
  ms_transient_get_coordinates(late, late_u, NULL, NULL);
  CHECK(late_u[0] == u[0]);
  CHECK_STATUS(ms_transient_load(late, state, n - 1), MS_ERR_FORMAT);
  CHECK_STATUS(ms_transient_start(run, 0.0, along, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_transient_start_static(run, 0.0, along, NULL), MS_ERR_ARGUMENT);
  ms_transient_destroy(&late);
  CHECK_STATUS(open_transient(&p, "exponential", &late), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "newmark");
  ms_transient_destroy(&run);
  ms_contact_run_destroy(&by_load);
  ms_contact_modal_free(test_context(), &turned);
  close_body(test_context(), &p);
}

static void test_transient(void) {
  check_transient(NULL);
  check_transient((const double[]) { -1.0, 1.0, -1.0 });
}

/* ---- springs under loads ---- */

static void test_springs(void) {
  const double k = 1.7e6, stuck = OWN + KX;
  ms_contact *sprung = NULL;
  body p;
  fill(&p, 0.0);
  CHECK_OK(open_body(test_context(), &p, 3));
  double stiffness[5] = { 0.0 }, load[5] = { 0.0 };
  stiffness[3] = k;
  load[3] = 2.1e-5;
  CHECK_OK(ms_contact_add_springs(test_context(), p.modal.contact, stiffness, &sprung));
  CHECK_OK(ms_contact_load(sprung, load));
  CHECK_CLOSE(ms_contact_get(sprung).v[3], -2.1e-5 / (1.0 / k + 1.0 / stuck), 1e-12);
  CHECK_CLOSE(ms_contact_get(sprung).lambda[0], 2.1e-5 / (1.0 / k + 1.0 / stuck) * KX / stuck,
              1e-12);
  ms_contact_destroy(&sprung);
  stiffness[3] = HUGE_VAL;
  CHECK_OK(ms_contact_add_springs(test_context(), p.modal.contact, stiffness, &sprung));
  CHECK_OK(ms_contact_load(sprung, load));
  CHECK_CLOSE(ms_contact_get(sprung).v[3], -2.1e-5 * stuck, 1e-12);
  load[3] = 1e-3; /* it slips */
  CHECK_OK(ms_contact_load(sprung, load));
  CHECK_CLOSE(ms_contact_get(sprung).v[3], -1e-3 * OWN - MU * PRESS, 1e-10);
  ms_contact_destroy(&sprung);
  stiffness[3] = -1.0;
  CHECK_STATUS(ms_contact_add_springs(test_context(), p.modal.contact, stiffness, &sprung),
               MS_ERR_BOUNDS);
  stiffness[3] = stiffness[0] = stiffness[1] = stiffness[2] = 1e300; /* a mode is the load itself */
  CHECK_STATUS(ms_contact_add_springs(test_context(), p.modal.contact, stiffness, &sprung),
               MS_ERR_NUMERIC);
  close_body(test_context(), &p);
}

/* ---- refused ---- */

static void test_refused(void) {
  const double bad[3] = { 0.1, -0.1, 0.1 };
  ms_context *ctx = test_context();
  ms_contact_run *run = NULL;
  body p;
  fill(&p, 0.0);
  CHECK_OK(open_body(ctx, &p, 3));
  CHECK_STATUS(ms_contact_run_create(ctx, &p.modal, NULL, 0.0, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "the step is 0 s");
  CHECK_STATUS(ms_contact_run_create(ctx, &p.modal, bad, 1e-4, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "mode 2");
  const double no_step[] = { -1e-9, NAN, HUGE_VAL }, no_number[] = { -1e-9, NAN, HUGE_VAL };
  double omega[3] = { p.modal.omega[0], p.modal.omega[1], p.modal.omega[2] };
  ms_contact_modal wrong = p.modal;
  wrong.omega = omega;
  for (int i = 0; i < 3; i++) {
    CHECK_STATUS(ms_contact_run_create(ctx, &p.modal, NULL, no_step[i], &run), MS_ERR_BOUNDS);
    CHECK_HAS(ms_context_message(ctx), "the step is ");
    const double zeta[3] = { 0.1, 0.1, no_number[i] };
    CHECK_STATUS(ms_contact_run_create(ctx, &p.modal, zeta, 1e-4, &run), MS_ERR_BOUNDS);
    CHECK_HAS(ms_context_message(ctx), "mode 3 has omega = ");
    omega[1] = no_number[i];
    CHECK_STATUS(ms_contact_run_create(ctx, &wrong, NULL, 1e-4, &run), MS_ERR_BOUNDS);
    CHECK_HAS(ms_context_message(ctx), "mode 2 has omega = ");
    omega[1] = p.modal.omega[1];
  }
  wrong = p.modal;
  wrong.n_load = 1;
  CHECK_STATUS(ms_contact_run_create(ctx, &wrong, NULL, 1e-4, &run), MS_ERR_ARGUMENT);
  CHECK(run == NULL);
  CHECK_OK(ms_contact_run_create(ctx, &p.modal, NULL, 1e-4, &run));
  CHECK_STATUS(ms_contact_run_step(run, (const double[]) { NAN, 0.0 }), MS_ERR_NUMERIC);
  CHECK_STATUS(ms_contact_run_step(run, NULL), MS_ERR_ARGUMENT);
  CHECK_EQUAL(ms_contact_run_get(run).step, 0);
  int stop = 1;
  ms_context_set_stop(ctx, ms_stop_if_set, &stop);
  CHECK_STATUS(ms_contact_run_step(run, (const double[]) { 700.0, 0.0 }), MS_CANCELLED);
  ms_context_set_stop(ctx, NULL, NULL);
  CHECK_EQUAL(ms_contact_run_get(run).step, 0);
  CHECK_EQUAL(ms_contact_run_get(run).u[0], 0);
  ms_contact_run_destroy(&run);
  ms_contact_run_destroy(&run);
  const ms_contact_bodies bodies = { p.structure, 1, &p.site, p.B };
  ms_contact_modal none;
  CHECK_STATUS(ms_contact_find_modal(ctx, &bodies, &p.rest, p.stuck, 0, 0, NULL, NULL, &none),
               MS_ERR_ARGUMENT);
  close_body(ctx, &p);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_contact_run *run = NULL;
  body p;
  (void)user;
  fill(&p, 0.0);
  ms_status status = open_body(ctx, &p, 3);
  if (!status) status = ms_contact_run_create(ctx, &p.modal, NULL, 1e-4, &run);
  if (!status) status = ms_contact_run_start(run, (const double[]) { 10.0, 0.0 }, NULL);
  if (!status) status = ms_contact_run_step(run, (const double[]) { 900.0, 0.0 });
  ms_contact_run_destroy(&run);
  close_body(ctx, &p);
  return status;
}

static void test_memory_runs_out(void) {
  CHECK(test_allocations(work, NULL) > 50);
}

int main(void) {
  TEST(test_rigid);
  TEST(test_layer);
  TEST(test_nothing_moves);
  TEST(test_load_at_once);
  TEST(test_load_at_the_point);
  TEST(test_velocity);
  TEST(test_flight);
  TEST(test_modal_forces);
  TEST(test_transient);
  TEST(test_springs);
  TEST(test_refused);
  TEST(test_memory_runs_out);
  return test_finish();
}
