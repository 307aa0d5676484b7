/* Contact in time against a model that is not reduced: two lattices of masses and springs that
   touch at four points, all 36 degrees of freedom with their own masses, integrated with a step a
   hundredth as long: with a layer by central differences, rigid by impulses (Moreau). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/contact_dynamics.h>

#include "core/internal.h"
#include "support/check.h"

enum { POINTS = 4, NODES = 3 * POINTS, N = 3 * NODES, LOADS = 3 };
static const double MU = 0.3, PRESS = 2000.0, DAMPING = 14.0; /* N a point; 1/s, C = 14 M */
static const double LIGHT = 0.0005; /* kg, of the nodes that touch, beside 2 kg of those above */

typedef struct model {
  int free; /* nothing is on the ground; then the lower nodes are heavy */
  double K[N * N], m[N], B[N * 3 * POINTS], load[N * LOADS];
  ms_contact_site site[POINTS];
  ms_structure *structure, *stuck;
  ms_contact_rest rest;
} model;

/* Lower faces are nodes 0 to 3, upper ones 4 to 7, the body above them 8 to 11; -1 is the ground.
 */
static void add_bar(model *p, int a, int b, double k, double x, double y, double z) {
  const double length = sqrt(x * x + y * y + z * z), e[3] = { x / length, y / length, z / length };
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const double kij = k * e[i] * e[j];
      p->K[3 * a + i + N * (3 * a + j)] += kij;
      if (b < 0) continue;
      p->K[3 * b + i + N * (3 * b + j)] += kij;
      p->K[3 * a + i + N * (3 * b + j)] -= kij;
      p->K[3 * b + i + N * (3 * a + j)] -= kij;
    }
  }
}

static void fill(model *p, double layer, double mu, int free) {
  memset(p, 0, sizeof *p);
  p->free = free;
  for (int i = 0; i < POINTS; i++) {
    const int w = i, u = 4 + i, v = 8 + i;
    const double uneven = 1.0 + 0.07 * i;
    for (int a = 0; a < 3; a++) {
      if (!free) add_bar(p, w, -1, 5e7 * uneven, a == 0, a == 1, a == 2);
      p->m[3 * w + a] = free ? 1.5 : LIGHT;
      p->m[3 * u + a] = LIGHT, p->m[3 * v + a] = 2.0 + 0.1 * i;
    }
    add_bar(p, u, v, 4e7, 0, 0, 1);
    add_bar(p, u, v, 2e7, 1, 0, 0);
    add_bar(p, u, v, 2e7 * uneven, 0, 1, 0);
    if (!free) add_bar(p, v, -1, 1e6, 0, 1, 0);
    if (i + 1 == POINTS) break;
    add_bar(p, w, w + 1, 2e7, 1, 0, 0);
    if (free) add_bar(p, w, w + 1, 2e7, 0, 1, 0);
    if (free) add_bar(p, w, w + 1, 2e7, 0, 0, 1);
    add_bar(p, u, v + 1, 1.5e7, 1, 0.2, 1);
    add_bar(p, u + 1, v, 1e7, -1, 0.1, 1);
    add_bar(p, v, v + 1, 8e7, 1, 0, 0);
    add_bar(p, v, v + 1, 1e6, 0, 0, 1);
    add_bar(p, v, v + 1, 1e6, 0, 1, 0);
  }
  if (!free) add_bar(p, 11, -1, 3e6, 1, 0, 0);
  for (int i = 0; i < POINTS; i++) {
    static const double axis[3][3] = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
    for (int k = 0; k < 9; k++) {
      p->B[3 * (4 + i) + k % 3 + N * (3 * i + k / 3)] = axis[k / 3][k % 3];
      p->B[3 * i + k % 3 + N * (3 * i + k / 3)] = -axis[k / 3][k % 3];
    }
    p->site[i] = (ms_contact_site) { .mu = mu, .K_n = 2.0 * layer, .K_t = 1.5 * layer };
  }
  p->load[3 * 9] = 1.0;          /* along the faces */
  p->load[3 * 11 + 2 + N] = 1.0; /* away from them */
  p->load[3 * 4 + 2 * N] = 1.0;  /* a sensor beside a point */
}

/* At rest, pressed without friction. */
static ms_status press(ms_context *ctx, model *p) {
  double force[N] = { 0.0 };
  static char text[N][8];
  static const char *name[N];
  for (int i = 0; i < N; i++) {
    snprintf(text[i], sizeof text[i], "n%d.u%c", i / 3, "xyz"[i % 3]);
    name[i] = text[i];
  }
  MS_TRY(ms_structure_create(ctx, N, name, &p->structure));
  MS_TRY(ms_structure_set_stiffness(p->structure, p->K));
  for (ptrdiff_t i = 0; i < N; i++) MS_TRY(ms_structure_add_mass(p->structure, i, p->m[i]));
  for (int i = 8; i < NODES; i++) force[3 * i + 2] = -PRESS;
  for (int i = 0; p->free && i < POINTS; i++) force[3 * i + 2] = PRESS;
  const ms_contact_stage stage = { .load = force, .steps = 2 };
  const ms_contact_bodies bodies = { p->structure, POINTS, p->site, p->B };
  MS_TRY(ms_contact_find_rest(ctx, &bodies, 1, &stage, NULL, &p->rest));
  MS_TRY(ms_contact_stick(ctx, &bodies, &p->rest, NULL, &p->stuck));
  return ms_structure_setup(p->stuck);
}

static void close_model(ms_context *ctx, model *p) {
  ms_structure_destroy(&p->structure);
  ms_structure_destroy(&p->stuck);
  ms_contact_rest_free(ctx, &p->rest);
}

/* ---- loads ---- */

typedef struct pulse {
  double along, away; /* N */
  double length;      /* s */
} pulse;

static void push(const pulse *p, double t, double *force) {
  const double s = t < p->length ? 0.5 - 0.5 * cos(6.283185307179586 * t / p->length) : 0.0;
  force[0] = p->along * s;
  force[1] = p->away * s;
  force[2] = 0.0;
}

/* ---- all degrees of freedom ---- */

typedef struct full {
  const model *p;
  double u[N], v[N], f[N], z[3 * POINTS], l[3 * POINTS], l_0[3 * POINTS], z_0[3 * POINTS];
  double dissipated;
} full;

static void open_full(full *x, const model *p) {
  const ms_contact_state s = ms_contact_get(p->rest.contact);
  memset(x, 0, sizeof *x);
  x->p = p;
  memcpy(x->z, s.z, sizeof x->z);
  memcpy(x->z_0, s.z, sizeof x->z);
  memcpy(x->l, s.lambda, sizeof x->l);
  memcpy(x->l_0, s.lambda, sizeof x->l);
}

/* z and the law of a layer at u. */
static void follow_layer(full *x) {
  for (int i = 0; i < POINTS; i++) {
    const ms_contact_site *p = &x->p->site[i];
    double z[3], *l = x->l + 3 * i;
    for (int k = 0; k < 3; k++) {
      const double *b = x->p->B + N * (3 * i + k);
      z[k] = x->z_0[3 * i + k];
      for (int j = 0; j < N; j++) z[k] += b[j] * x->u[j];
    }
    l[2] = fmax(0.0, p->K_n * z[2]);
    for (int k = 0; k < 2; k++) l[k] += p->K_t * (z[k] - x->z[3 * i + k]);
    const double size = hypot(l[0], l[1]), most = p->mu * l[2];
    if (size > most) {
      x->dissipated += most * (size - most) / p->K_t;
      l[0] *= most / size, l[1] *= most / size;
    }
    memcpy(x->z + 3 * i, z, sizeof z);
  }
}

static void add_forces(full *x, const double *push, double dt) {
  const model *p = x->p;
  for (int i = 0; i < N; i++) {
    double f = p->free ? 0.0 : -DAMPING * p->m[i] * x->v[i];
    for (int k = 0; k < LOADS; k++) f += p->load[i + N * k] * push[k];
    for (int j = 0; j < N; j++) f -= p->K[i + N * j] * x->u[j];
    x->f[i] = f;
  }
  for (int k = 0; k < 3 * POINTS; k++) {
    const double d = p->site[0].K_n > 0.0 ? x->l[k] - x->l_0[k] : -x->l_0[k];
    for (int i = 0; i < NODES; i++) {
      for (int a = 0; a < 3; a++) x->f[3 * i + a] -= p->B[3 * i + a + N * k] * d;
    }
  }
  for (int i = 0; i < N; i++) x->v[i] += dt * x->f[i] / p->m[i];
}

/* Impulses that let no point penetrate at the end of the step, with friction. Points have nodes of
   their own, so that each is by itself. */
static void add_impulses(full *x, double dt) {
  const model *p = x->p;
  for (int i = 0; i < POINTS; i++) {
    const double W = 1.0 / p->m[3 * i] + 1.0 / p->m[3 * (4 + i)];
    double w[3], P[3], *z = x->z + 3 * i;
    for (int k = 0; k < 3; k++) {
      const double *b = p->B + N * (3 * i + k);
      w[k] = 0.0;
      for (int j = 0; j < N; j++) w[k] += b[j] * x->v[j];
    }
    P[2] = fmax(0.0, (w[2] + z[2] / dt) / W);
    const double size = hypot(w[0], w[1]) / W, most = p->site[i].mu * P[2];
    for (int k = 0; k < 2; k++) P[k] = w[k] / W * (size > most ? most / size : 1.0);
    for (int k = 0; k < 3; k++) {
      const double *b = p->B + N * (3 * i + k);
      for (int j = 0; j < N; j++) x->v[j] -= b[j] * P[k] / p->m[j];
      z[k] += dt * (w[k] - W * P[k]);
      x->l[3 * i + k] = P[k] / dt;
    }
    if (size > most) x->dissipated += most * (size - most) * W;
  }
}

static void step_full(full *x, const double *push, double dt) {
  const int layer = x->p->site[0].K_n > 0.0;
  add_forces(x, push, dt);
  if (!layer) add_impulses(x, dt);
  for (int i = 0; i < N; i++) x->u[i] += dt * x->v[i];
  if (layer) follow_layer(x);
}

/* ---- reduced ---- */

typedef struct run {
  ms_contact_modal modal;
  ms_contact_run *run;
  double step;
} run;

static ms_status open_run(ms_context *ctx, const model *p, ptrdiff_t n_mode, double step, run *r) {
  const ms_contact_bodies bodies = { p->structure, POINTS, p->site, p->B };
  double zeta[N] = { 0.0 };
  *r = (run) { .step = step };
  MS_TRY(ms_contact_find_modal(ctx, &bodies, &p->rest, p->stuck, n_mode, LOADS, p->load, NULL,
                               &r->modal));
  for (ptrdiff_t k = 0; k < r->modal.n_mode; k++) {
    if (r->modal.omega[k] > 0.0) zeta[k] = 0.5 * DAMPING / r->modal.omega[k];
  }
  return ms_contact_run_create(ctx, &r->modal, zeta, step, &r->run);
}

static void close_run(ms_context *ctx, run *r) {
  ms_contact_run_destroy(&r->run);
  ms_contact_modal_free(ctx, &r->modal);
}

/* u of all loads, after each of n steps. */
static ms_status go(run *r, const pulse *p, ptrdiff_t n, double *u) {
  for (ptrdiff_t i = 0; i < n; i++) {
    double force[LOADS];
    push(p, r->step * (double)(i + 1), force);
    MS_TRY(ms_contact_run_step(r->run, force));
    memcpy(u + LOADS * i, ms_contact_run_get(r->run).u, LOADS * sizeof *u);
  }
  return MS_SUCCESS;
}

/* The largest difference of u[k] over the largest u[k]; b has `of` rows for each of a. */
static double compare(ptrdiff_t n, const double *a, const double *b, ptrdiff_t of, int k) {
  double most = 0.0, largest = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double y = b[LOADS * (of * (i + 1) - 1) + k];
    most = fmax(most, fabs(a[LOADS * i + k] - y));
    largest = fmax(largest, fabs(y));
  }
  return most / largest;
}

enum { STEPS = 1000, FINER = 100, MODES = 12 };
static const double STEP = 1e-5; /* s */
static const pulse slips = { 5000.0, 0.0, 1e-3 }, opens = { 5000.0, 4000.0, 1e-3 };

/* ---- against the full model ---- */

static double reference[LOADS * STEPS], answer[LOADS * STEPS];

/* J, dissipated. */
static double run_full(const model *p, const pulse *load) {
  full x;
  open_full(&x, p);
  for (int i = 0; i < STEPS; i++) {
    for (int k = 0; k < FINER; k++) {
      double force[LOADS];
      push(load, STEP * (i + (double)k / FINER), force);
      step_full(&x, force, STEP / FINER);
    }
    for (int k = 0; k < LOADS; k++) {
      double *u = &reference[LOADS * i + k];
      *u = 0.0;
      for (int j = 0; j < N; j++) *u += p->load[j + N * k] * x.u[j];
    }
  }
  return x.dissipated;
}

static void compare_full(double layer, const pulse *load) {
  static const ptrdiff_t modes[] = { 4, 8, MODES, N };
  ms_context *ctx = test_context();
  model p;
  fill(&p, layer, MU, 0);
  CHECK_OK(press(ctx, &p));
  const double D = run_full(&p, load);
  printf("# %s, %s:\n", layer > 0.0 ? "layer" : "rigid", load->away > 0.0 ? "opens" : "slips");
  for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
    run r;
    CHECK_OK(open_run(ctx, &p, modes[k], STEP, &r));
    CHECK_OK(go(&r, load, STEPS, answer));
    const ms_contact_energy e = ms_contact_run_get_energy(r.run);
    double miss[LOADS];
    for (int l = 0; l < LOADS; l++) miss[l] = compare(STEPS, answer, reference, 1, l);
    printf(
        "# %2td modes to %6.0f Hz: displacements within %.2g %%, %.2g %%, %.2g %% of the peak, "
        "dissipation %+.2g %%, opening %.1e, corner %.1e of %.3g J\n",
        r.modal.n_mode, r.modal.omega[r.modal.n_mode - 1] / 6.283185307179586, 100.0 * miss[0],
        100.0 * miss[1], 100.0 * miss[2], 100.0 * (e.friction / D - 1.0), e.opening, e.corner,
        e.input);
    for (int l = 0; l < LOADS && modes[k] >= MODES; l++) CHECK_BELOW(miss[l], 0.01);
    if (modes[k] >= MODES) CHECK_CLOSE(e.friction, D, 0.01);
    CHECK_BELOW(fabs(e.balance), 1e-11 * e.input);
    CHECK_BELOW(fabs(e.opening) + fabs(e.corner), 1e-3 * e.input);
    if (load->away > 0.0 && modes[k] >= MODES) CHECK(e.opening != 0.0);
    close_run(ctx, &r);
  }
  close_model(ctx, &p);
}

static void test_layer(void) {
  compare_full(1e8, &slips);
  compare_full(1e8, &opens);
}
static void test_rigid(void) {
  compare_full(0.0, &slips);
  compare_full(0.0, &opens);
}

/* ---- free bodies ---- */

/* They fly away, and ring as they do. */
static void test_free(void) {
  ms_context *ctx = test_context();
  model p;
  run r;
  double mass = 0.0;
  fill(&p, 1e8, MU, 1);
  for (int i = 0; i < NODES; i++) mass += p.m[3 * i];
  for (int i = 0; i < N; i++) p.load[i + 2 * N] = i % 3 == 0 ? p.m[i] / mass : 0.0;
  CHECK_OK(press(ctx, &p));
  CHECK_EQUAL(p.rest.n_free, 3);
  const double D = run_full(&p, &opens);
  CHECK_OK(open_run(ctx, &p, N, STEP, &r));
  ms_contact_run_destroy(&r.run);
  CHECK_OK(ms_contact_run_create(ctx, &r.modal, NULL, STEP, &r.run));
  CHECK_OK(go(&r, &opens, STEPS, answer));
  const ms_contact_energy e = ms_contact_run_get_energy(r.run);
  for (int l = 0; l < LOADS; l++) {
    const double miss = compare(STEPS, answer, reference, 1, l);
    printf("# free: displacement within %.2g %% of the peak\n", 100.0 * miss);
    CHECK_BELOW(miss, 0.01);
  }
  /* The centre of mass under 1/2 - 1/2 cos(a t) until T = 1 ms: F T/2 (t - T/2)/m. */
  const double t = STEP * STEPS, T = opens.length;
  CHECK_CLOSE(ms_contact_run_get(r.run).u[2], 0.5 * opens.along * T * (t - 0.5 * T) / mass, 1e-9);
  printf("# dissipation %.3g J, %+.2g %%\n", D, 100.0 * (e.friction / D - 1.0));
  CHECK_CLOSE(e.friction, D, 0.01);
  CHECK_BELOW(fabs(e.balance), 1e-10 * e.input);
  close_run(ctx, &r);
  close_model(ctx, &p);
}

/* ---- order ---- */

enum { COARSE = 250, HALVED = 4, REFERENCE = 64 }; /* steps of 4e-5 s, and twice, ... as many */
static double coarse[LOADS * (COARSE << HALVED)], fine[LOADS * COARSE * REFERENCE];

/* Of the root mean square of the differences, by the first and the last step. */
static double find_order(double layer, const pulse *load) {
  ms_context *ctx = test_context();
  model p;
  run r;
  double miss[HALVED];
  fill(&p, layer, MU, 0);
  CHECK_OK(press(ctx, &p));
  CHECK_OK(open_run(ctx, &p, MODES, 4.0 * STEP / REFERENCE, &r));
  CHECK_OK(go(&r, load, COARSE * REFERENCE, fine));
  close_run(ctx, &r);
  printf("# %s, %s:", layer > 0.0 ? "layer" : "rigid", load->away > 0.0 ? "opens" : "slips");
  for (int k = 0; k < HALVED; k++) {
    const ptrdiff_t n = COARSE << k;
    CHECK_OK(open_run(ctx, &p, MODES, 4.0 * STEP / (double)(1 << k), &r));
    CHECK_OK(go(&r, load, n, coarse));
    close_run(ctx, &r);
    miss[k] = compare(n, coarse, fine, REFERENCE >> k, 0);
    printf(" %.2e", miss[k]);
  }
  const double order = log2(miss[0] / miss[HALVED - 1]) / (HALVED - 1);
  printf(", order %.2f\n", order);
  close_model(ctx, &p);
  return order;
}

static void test_order(void) {
  CHECK(find_order(1e8, &slips) > 1.8);
  CHECK(find_order(1e8, &opens) > 1.5);
  CHECK(find_order(0.0, &slips) > 1.5);
  CHECK(find_order(0.0, &opens) > 1.0);
}

/* ---- without friction ---- */

/* J: friction, and what the steps take or give beside. */
static void lose(double layer, double mu, double *friction, double *spurious) {
  ms_context *ctx = test_context();
  model p;
  run r;
  fill(&p, layer, mu, 0);
  CHECK_OK(press(ctx, &p));
  CHECK_OK(open_run(ctx, &p, MODES, STEP, &r));
  ms_contact_run_destroy(&r.run);
  CHECK_OK(ms_contact_run_create(ctx, &r.modal, NULL, STEP, &r.run));
  CHECK_OK(go(&r, &opens, STEPS, answer));
  const ms_contact_energy e = ms_contact_run_get_energy(r.run);
  *friction = e.friction;
  *spurious = e.start + e.input - e.kinetic - e.strain;
  CHECK_EQUAL(e.viscous, 0);
  close_run(ctx, &r);
  close_model(ctx, &p);
}

static void test_frictionless(void) {
  for (int k = 0; k < 2; k++) {
    double friction, nothing, spurious, lost;
    lose(k * 1e8, MU, &friction, &lost);
    lose(k * 1e8, 0.0, &nothing, &spurious);
    printf("# %s: friction %.3g J; without friction %.1e J are lost\n", k ? "layer" : "rigid",
           friction, spurious);
    CHECK_EQUAL(nothing, 0);
    CHECK_BELOW(fabs(spurious), 1e-3 * friction);
  }
}

int main(void) {
  TEST(test_layer);
  TEST(test_rigid);
  TEST(test_free);
  TEST(test_order);
  TEST(test_frictionless);
  return test_finish();
}
