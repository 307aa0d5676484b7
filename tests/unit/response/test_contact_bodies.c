/* Bodies given by matrices against closed forms: four pairs of nodes, each node with a mass and
   springs of its own, pressed and cycled; what is refused; allocations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/contact_bodies.h>

#include "core/internal.h"
#include "support/check.h"

enum { NODES = 8, N = 3 * NODES };
static const double A = 0.31, B = 0.17, MU = 0.37, PRESS = 530.0;
static const char *const name[NODES] = { "l1", "l2", "l3", "l4", "u1", "u2", "u3", "u4" };

/* Nodes 0 to 3 below, 4 to 7 above them. */
typedef struct pairs {
  ms_structure *structure;
  ms_sketch_point node[NODES];
  int32_t face[2][4];
  ms_contact_faces set[2];
  ms_contact_mesh mesh;
  ms_contact_between between;
  double K[N], M[N];
  double stiff; /* N/m, between u1 and u2 along x */
} pairs;

static ms_status make_structure(ms_context *ctx, pairs *p) {
  char text[N][8];
  const char *list[N];
  for (int i = 0; i < N; i++) {
    snprintf(text[i], sizeof text[i], "%s.u%c", name[i / 3], "xyz"[i % 3]);
    list[i] = text[i];
  }
  MS_TRY(ms_structure_create(ctx, N, list, &p->structure));
  for (ptrdiff_t i = 0; i < N; i++) {
    MS_TRY(ms_structure_add_mass(p->structure, i, p->M[i]));
    MS_TRY(ms_structure_add_spring(p->structure, MS_GROUND, i, p->K[i]));
  }
  if (p->stiff > 0.0) return ms_structure_add_spring(p->structure, 12, 15, p->stiff);
  return MS_SUCCESS;
}

static void fill_pairs(pairs *p) {
  static const double x[4] = { 0.0, 1.0, 1.0, 0.0 }, y[4] = { 0.0, 0.0, 1.0, 1.0 };
  static const int32_t face[2][4] = { { 0, 1, 2, 3 }, { 4, 7, 6, 5 } };
  memset(p, 0, sizeof *p);
  memcpy(p->face, face, sizeof face);
  for (int i = 0; i < NODES; i++) {
    p->node[i] = (ms_sketch_point) { .name = name[i],
                                     .x = { A * x[i % 4], B * y[i % 4], 0.23 },
                                     .dof = { 3 * i, 3 * i + 1, 3 * i + 2 } };
  }
  for (int i = 0; i < N; i++) {
    p->K[i] = 1e6 * (1.3 + 0.37 * i + 0.11 * (i % 5));
    p->M[i] = 0.7 + 0.3 * (i % 7) + 0.05 * (i / 3); /* upper and lower ones in no proportion */
  }
  p->set[0] = (ms_contact_faces) { "lower", 1, p->face[0] };
  p->set[1] = (ms_contact_faces) { "upper", 1, p->face[1] };
  p->mesh = (ms_contact_mesh) { NODES, p->node, 2, p->set };
  p->between = (ms_contact_between) { .name = "joint", .faces = { "upper", "lower" }, .mu = MU };
}

typedef struct found {
  ms_contact_site *site;
  double *B;
  ptrdiff_t n;
  ms_contact_stage *stage;
  ms_contact_rest rest;
  ms_structure *stuck;
  ms_contact *contact;
} found;

static ms_status solve(ms_context *ctx, pairs *p, const double *force, found *f) {
  const ms_contact_push push = { .set = "upper", .force = { force[0], force[1], force[2] } };
  const ms_contact_plan plan = { .n_push = 1, .push = &push, .friction = 1, .steps = 2 };
  MS_TRY(make_structure(ctx, p));
  MS_TRY(ms_contact_make_stages(ctx, &p->mesh, N, 1, &plan, &f->stage));
  MS_TRY(ms_contact_add_pairs(ctx, &p->mesh, &p->between, 0, NULL, &f->n, &f->site));
  MS_TRY(ms_contact_add_rows(ctx, &p->mesh, N, 0, f->n, f->site, &f->B));
  const ms_contact_bodies bodies = { p->structure, f->n, f->site, f->B };
  MS_TRY(ms_contact_find_rest(ctx, &bodies, 1, f->stage, NULL, &f->rest));
  MS_TRY(ms_contact_add_faces(ctx, &p->mesh, 0, "upper", &f->rest));
  MS_TRY(ms_contact_stick(ctx, &bodies, &f->rest, NULL, &f->stuck));
  MS_TRY(ms_structure_setup(f->stuck));
  return ms_contact_load_modes(ctx, &bodies, &f->rest, f->stuck, N, NULL, &f->contact);
}

static void close_found(ms_context *ctx, pairs *p, found *f) {
  ms_free(ctx, &f->site);
  ms_free(ctx, &f->B);
  ms_free(ctx, &f->stage);
  ms_contact_rest_free(ctx, &f->rest);
  ms_structure_destroy(&f->stuck);
  ms_structure_destroy(&p->structure);
  ms_contact_destroy(&f->contact);
}

/* K of a node along axis a; points are in the order of the upper nodes. */
static double upper(const pairs *p, ptrdiff_t i, int a) {
  return p->K[3 * (i + 4) + a];
}
static double lower(const pairs *p, ptrdiff_t i, int a) {
  return p->K[3 * i + a];
}

/* ---- normal forces ---- */

static void test_rigid(void) {
  pairs p;
  found f = { 0 };
  fill_pairs(&p);
  CHECK_OK(solve(test_context(), &p, (double[]) { 0.0, 0.0, -PRESS }, &f));
  CHECK_EQUAL(f.n, 4);
  CHECK_EQUAL(f.rest.n_face, 1);
  CHECK_EQUAL(f.rest.n_corner, 4);
  CHECK_EQUAL(f.rest.n_free, 0);
  const ms_contact_state s = ms_contact_get(f.rest.contact);
  for (ptrdiff_t i = 0; i < f.n; i++) {
    CHECK_CLOSE(f.site[i].area, A * B / 4.0, 1e-14);
    CHECK_CLOSE(f.site[i].axes[8], -1.0, 1e-14);
    CHECK_CLOSE(s.lambda[3 * i + 2], PRESS / 4.0 / (1.0 + upper(&p, i, 2) / lower(&p, i, 2)),
                1e-12);
    CHECK_EQUAL(s.status[i], MS_CONTACT_STICK);
  }
  close_found(test_context(), &p, &f);
}

static void test_layer(void) {
  pairs p;
  found f = { 0 };
  fill_pairs(&p);
  p.between.K_n = 3.1e9;
  p.between.K_t = 2.2e9;
  p.between.gap = 1.7e-6;
  CHECK_OK(solve(test_context(), &p, (double[]) { 0.0, 0.0, -50.0 * PRESS }, &f));
  const ms_contact_state s = ms_contact_get(f.rest.contact);
  for (ptrdiff_t i = 0; i < f.n; i++) {
    const double K = 3.1e9 * A * B / 4.0, ku = upper(&p, i, 2), kl = lower(&p, i, 2);
    CHECK_CLOSE(s.lambda[3 * i + 2], (12.5 * PRESS / ku - 1.7e-6) / (1.0 / K + 1.0 / ku + 1.0 / kl),
                1e-11);
  }
  /* Modes with springs instead of contact: of each pair along each axis, two. */
  CHECK_EQUAL(ms_structure_get_size(f.stuck), N);
  const double K = 2.2e9 * A * B / 4.0, ku = upper(&p, 1, 0), kl = lower(&p, 1, 0);
  const double mu = p.M[15], ml = p.M[3], a = (ku + K) / mu, b = (kl + K) / ml;
  const double square = 0.5 * (a + b) - sqrt(0.25 * (a - b) * (a - b) + K * K / mu / ml);
  double nearest = HUGE_VAL;
  for (int k = 0; k < N; k++) {
    const double omega = ms_structure_get_stuck(f.stuck).omega[k];
    nearest = fmin(nearest, fabs(omega * omega / square - 1.0));
  }
  CHECK_BELOW(nearest, 1e-10);
  close_found(test_context(), &p, &f);
}

/* Without friction closed points slide: only normal displacements are one, or have the layer. */
static void test_slippery(void) {
  for (int layer = 0; layer < 2; layer++) {
    pairs p;
    found f = { 0 };
    fill_pairs(&p);
    p.between.mu = 0.0;
    p.between.K_n = p.between.K_t = layer ? 2.7e11 : 0.0;
    CHECK_OK(solve(test_context(), &p, (double[]) { 0.0, 0.0, -PRESS }, &f));
    CHECK_EQUAL(ms_structure_get_size(f.stuck), layer ? N : N - 4);
    const double *was = ms_structure_get_stiffness(p.structure),
                 *now = ms_structure_get_stiffness(f.stuck);
    for (ptrdiff_t i = 0; i < N && layer; i++) {
      const double K_n = i % 3 == 2 ? p.between.K_n * A * B / 4.0 : 0.0;
      CHECK_CLOSE(now[i + N * i], was[i + N * i] + K_n, 1e-12);
    }
    close_found(test_context(), &p, &f);
  }
}

/* One face on the ground, which a gap keeps away at first; interference needs no push. */
static void test_ground(void) {
  for (int k = 0; k < 2; k++) {
    pairs p;
    found f = { 0 };
    const double gap = k ? -2.1e-5 : 3.3e-5;
    fill_pairs(&p);
    p.between =
        (ms_contact_between) { .name = "floor", .faces = { "upper" }, .mu = MU, .gap = gap };
    CHECK_OK(solve(test_context(), &p, (double[]) { 0.0, 0.0, k ? 0.0 : -50.0 * PRESS }, &f));
    const ms_contact_state s = ms_contact_get(f.rest.contact);
    for (ptrdiff_t i = 0; i < f.n; i++) {
      const double want = (k ? 0.0 : 12.5 * PRESS) - gap * upper(&p, i, 2);
      CHECK_CLOSE(s.lambda[3 * i + 2], fmax(0.0, want), 1e-10);
    }
    ptrdiff_t at;
    CHECK_OK(ms_structure_find(f.stuck, "u1.uz", &at));
    CHECK_EQUAL(at, s.status[0] == MS_CONTACT_OPEN ? 12 : MS_GROUND);
    close_found(test_context(), &p, &f);
  }
}

/* ---- stick and slip ---- */

/* Both masses of a pair move as one where it sticks, and slide by the rest where it slips:
   D = 4 mu N (|Z| - mu N (1/ku + 1/kl)),  Z = p phi (m_u/k_u - m_l/k_l). */
static void test_cycle(void) {
  pairs p;
  found f = { 0 };
  fill_pairs(&p);
  CHECK_OK(solve(test_context(), &p, (double[]) { 0.0, 0.0, -PRESS }, &f));
  const ms_modes modes = ms_structure_get_stuck(f.stuck);
  CHECK_EQUAL(modes.n, N / 2);
  for (int r = 0; r < N / 2; r++) {
    ptrdiff_t at = 0;
    for (ptrdiff_t i = 0; i < modes.n; i++) {
      if (fabs(modes.shape[i + modes.n * r]) > fabs(modes.shape[at + modes.n * r])) at = i;
    }
    char x[8], other[8];
    ptrdiff_t same = -1, pair = 0;
    int a = 0;
    for (pair = 0; pair < 12 && same != at; pair++) {
      a = (int)(pair % 3);
      snprintf(x, sizeof x, "l%td.u%c", pair / 3 + 1, "xyz"[a]);
      snprintf(other, sizeof other, "u%td.u%c", pair / 3 + 1, "xyz"[a]);
      ptrdiff_t one;
      CHECK_OK(ms_structure_find(f.stuck, x, &same));
      CHECK_OK(ms_structure_find(f.stuck, other, &one));
      CHECK_EQUAL(one, same);
    }
    const ptrdiff_t i = (pair - 1) / 3;
    const double ku = upper(&p, i, a), kl = lower(&p, i, a), mu = p.M[3 * (i + 4) + a],
                 ml = p.M[3 * i + a];
    CHECK_CLOSE(modes.omega[r] * modes.omega[r], (ku + kl) / (mu + ml), 1e-11);
    if (a == 2) continue;
    const double N_i = PRESS / 4.0 / (1.0 + upper(&p, i, 2) / lower(&p, i, 2));
    const double c = 1.0 / ku + 1.0 / kl, phi = 1.0 / sqrt(mu + ml);
    const double unit = fabs(phi * (mu / ku - ml / kl)), slips = MU * N_i * c / unit;
    ms_contact_cycle cycle;
    CHECK_OK(ms_contact_run_cycle(f.contact, r, 0.9 * slips, &cycle, NULL));
    CHECK_EQUAL(cycle.slipped, 0);
    CHECK_CLOSE(cycle.v_max - cycle.v_min, 1.8 * slips / modes.omega[r] / modes.omega[r], 1e-10);
    CHECK_OK(ms_contact_return(f.contact));
    CHECK_OK(ms_contact_run_cycle(f.contact, r, 2.9 * slips, &cycle, NULL));
    CHECK_EQUAL(cycle.slipped, 1);
    CHECK_CLOSE(cycle.D, 4.0 * MU * N_i * (2.9 * slips * unit - MU * N_i * c), 2e-3);
    CHECK_OK(ms_contact_return(f.contact));
  }
  close_found(test_context(), &p, &f);
}

/* ---- free bodies and stages ---- */

/* Along x nothing holds the pairs: four motions, and no load along them. */
static void test_free(void) {
  pairs p;
  fill_pairs(&p);
  for (int i = 0; i < N; i += 3) p.K[i] = 0.0;
  for (int k = 0; k < 2; k++) {
    found f = { 0 };
    const ms_status status = solve(test_context(), &p, (double[]) { 3.1 * k, 0.0, -PRESS }, &f);
    CHECK_STATUS(status, k ? MS_ERR_ARGUMENT : MS_SUCCESS);
    if (k) CHECK_HAS(ms_context_message(test_context()), "not in balance");
    if (!k) CHECK_EQUAL(f.rest.n_free, 4);
    if (!k)
      CHECK_CLOSE(ms_contact_get(f.rest.contact).lambda[2],
                  PRESS / 4.0 / (1.0 + upper(&p, 0, 2) / lower(&p, 0, 2)), 1e-12);
    close_found(test_context(), &p, &f);
  }
}

/* A spring that is much stiffer than the others leaves small pivots, but no motion free. */
static void test_stiff(void) {
  pairs p;
  found f = { 0 };
  fill_pairs(&p);
  p.stiff = 3.7e12;
  CHECK_OK(solve(test_context(), &p, (double[]) { 31.0, 0.0, -PRESS }, &f));
  CHECK_EQUAL(f.rest.n_free, 0);
  const double u = 15.5 / (upper(&p, 0, 0) + upper(&p, 1, 0) + lower(&p, 0, 0) + lower(&p, 1, 0));
  CHECK_CLOSE(fabs(ms_contact_get(f.rest.contact).lambda[0]), lower(&p, 0, 0) * u, 1e-5);
  close_found(test_context(), &p, &f);
}

/* A stage that holds the lower nodes; what it presses stays when they are released. */
static void test_stages(void) {
  pairs p;
  found f = { 0 };
  const ms_contact_push push[2] = { { .set = "upper", .force = { 0.0, 0.0, -PRESS } },
                                    { .set = "u1", .force = { 0.0, 0.0, 0.0 } } };
  const char *const hold[] = { "lower", "l2" };
  const ms_contact_plan plan[2] = {
    { .n_push = 2, .push = push, .n_hold = 2, .hold = hold, .friction = 0, .steps = 1 },
    { .friction = 1, .steps = 1 }
  };
  unsigned char held[N];
  fill_pairs(&p);
  ms_context *ctx = test_context();
  CHECK_OK(make_structure(ctx, &p));
  CHECK_OK(ms_contact_make_stages(ctx, &p.mesh, N, 2, plan, &f.stage));
  for (int i = 0; i < N; i++) {
    CHECK_EQUAL(f.stage[0].held[i], i < N / 2);
    CHECK_EQUAL(f.stage[1].held[i], 0);
    CHECK_EQUAL(f.stage[1].load[i], 0.0);
  }
  CHECK_OK(ms_contact_add_pairs(ctx, &p.mesh, &p.between, 0, NULL, &f.n, &f.site));
  CHECK_OK(ms_contact_add_rows(ctx, &p.mesh, N, 0, f.n, f.site, &f.B));
  const ms_contact_bodies bodies = { p.structure, f.n, f.site, f.B };
  CHECK_OK(ms_contact_find_rest(ctx, &bodies, 2, f.stage, NULL, &f.rest));
  for (ptrdiff_t i = 0; i < f.n; i++) {
    CHECK_CLOSE(ms_contact_get(f.rest.contact).lambda[3 * i + 2], PRESS / 4.0, 1e-12);
  }
  ms_contact_rest_free(ctx, &f.rest);
  memset(held, 1, sizeof held);
  f.stage[0].held = held;
  CHECK_STATUS(ms_contact_find_rest(ctx, &bodies, 2, f.stage, NULL, &f.rest), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "stage 1 of the preload: all degrees of freedom are held");
  CHECK_STATUS(ms_contact_find_rest(ctx, &(ms_contact_bodies) { p.structure, 0, f.site, f.B }, 0,
                                    NULL, NULL, &f.rest),
               MS_ERR_ARGUMENT);
  close_found(ctx, &p, &f);
}

/* Pushed along the surface without friction, glued, and let go: what springs back does so with both
   nodes of a pair in parallel, and a pull leaves tension. All of it rigid. */
static void test_glue(void) {
  pairs p;
  found f = { 0 };
  const double along = 210.0, pull = 130.0;
  const ms_contact_push push[2] = { { .set = "upper", .force = { along, 0.0, -PRESS } },
                                    { .set = "upper", .force = { -along, 0.0, PRESS + pull } } };
  const int glue[] = { 0 };
  const ms_contact_plan plan[2] = {
    { .n_push = 1, .push = push, .friction = 0, .steps = 1, .n_glue = 1, .glue = glue },
    { .n_push = 1, .push = push + 1, .friction = 0, .steps = 1 }
  };
  fill_pairs(&p);
  ms_context *ctx = test_context();
  CHECK_OK(make_structure(ctx, &p));
  CHECK_OK(ms_contact_make_stages(ctx, &p.mesh, N, 2, plan, &f.stage));
  CHECK_OK(ms_contact_add_pairs(ctx, &p.mesh, &p.between, 0, NULL, &f.n, &f.site));
  CHECK_OK(ms_contact_add_rows(ctx, &p.mesh, N, 0, f.n, f.site, &f.B));
  const ms_contact_bodies bodies = { p.structure, f.n, f.site, f.B };
  for (int stages = 1; stages < 3; stages++) {
    CHECK_OK(ms_contact_find_rest(ctx, &bodies, stages, f.stage, NULL, &f.rest));
    const ms_contact_state s = ms_contact_get(f.rest.contact);
    CHECK_EQUAL(ms_contact_add_up(f.rest.contact, 0).glued, 4);
    CHECK_CLOSE(ms_contact_total_of(&f.rest, f.rest.contact, 0).glued, A * B, 1e-12);
    double back = 0.0; /* along what takes the pushes away: pairs spring back in parallel */
    const double share_n = stages == 1 ? -PRESS / 4.0 : pull / 4.0;
    for (ptrdiff_t i = 0; i < f.n; i++) {
      const double kept = -along / 4.0 / (1.0 + upper(&p, i, 0) / lower(&p, i, 0));
      const double *axis = f.site[i].axes, *l = s.lambda + 3 * i;
      double force[3];
      for (int a = 0; a < 3; a++)
        force[a] = l[0] * axis[a] + l[1] * axis[3 + a] + l[2] * axis[6 + a];
      back += 0.0625 * along * along / (upper(&p, i, 0) + lower(&p, i, 0)) +
              0.0625 * (PRESS + pull) * (PRESS + pull) / (upper(&p, i, 2) + lower(&p, i, 2));
      CHECK_EQUAL(s.glued[i], 1);
      CHECK_EQUAL(s.status[i], MS_CONTACT_STICK);
      CHECK_NEAR(force[0], stages == 1 ? 0.0 : kept, 1e-10 * PRESS);
      CHECK_NEAR(force[1], 0.0, 1e-10 * PRESS);
      CHECK_CLOSE(force[2], share_n / (1.0 + upper(&p, i, 2) / lower(&p, i, 2)), 1e-10);
    }
    if (stages == 2) CHECK_CLOSE(s.v[0], back, 1e-10);
    ms_contact_rest_free(ctx, &f.rest);
  }
  f.stage[0].load = f.stage[1].load; /* it is pulled off */
  CHECK_STATUS(ms_contact_find_rest(ctx, &bodies, 1, f.stage, NULL, &f.rest), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "contact 0 of 1 cannot be glued: no point of it is closed");
  close_found(ctx, &p, &f);
}

/* ---- what is refused ---- */

static void refuse(pairs *p, const char *words) {
  found f = { 0 };
  const ms_status status = solve(test_context(), p, (double[]) { 0.0, 0.0, -PRESS }, &f);
  CHECK(status < 0);
  CHECK_HAS(ms_context_message(test_context()), words);
  close_found(test_context(), p, &f);
  fill_pairs(p);
}

static void test_refusals(void) {
  pairs p;
  fill_pairs(&p);
  p.node[2].dof[1] = MS_GROUND;
  refuse(&p, "node l3 has no degree of freedom l3.uy");
  for (int i = 4; i < NODES; i++) p.node[i].x[2] += 0.05;
  refuse(&p, "0.05 m apart at least, farther than 0.023");
  for (int i = 4; i < NODES; i++) p.node[i].x[2] -= 0.001;
  refuse(&p, "'upper' is 0.001 m inside 'lower'");
  for (int i = 0; i < 4; i++) p.face[1][i] = 4 + i;
  refuse(&p, "face the same way");
  p.face[1][0] = 0;
  refuse(&p, "share node l1");
  for (int i = 4; i < NODES; i++) p.node[i].x[0] += 0.4 * A * (i == 5 || i == 6);
  refuse(&p, "do not lie opposite each other");
  p.between.faces[1] = "under";
  refuse(&p, "no faces 'under'");
  for (int i = 0; i < 4; i++) p.node[i].x[1] = 0.0;
  refuse(&p, "faces 'lower': face 1, at node l1, has no area");
  memset(p.K, 0, sizeof p.K);
  refuse(&p, "no stiffness at the contact points");
}

/* A triangle weighs a third of its area at each corner; faces beside the contact are left out. */
static void test_triangle(void) {
  pairs p;
  found f = { 0 };
  fill_pairs(&p);
  p.face[0][3] = -1;
  const int32_t turned[4] = { 4, 6, 5, -1 };
  memcpy(p.face[1], turned, sizeof turned);
  CHECK_OK(solve(test_context(), &p, (double[]) { 0.0, 0.0, -PRESS }, &f));
  CHECK_EQUAL(f.n, 3);
  CHECK_CLOSE(f.site[0].area, A * B / 6.0, 1e-14);
  CHECK_CLOSE(ms_contact_get(f.rest.contact).lambda[2],
              PRESS / 3.0 / (1.0 + upper(&p, 0, 2) / lower(&p, 0, 2)), 1e-12);
  close_found(test_context(), &p, &f);
}

/* ---- points that are given ---- */

static ms_status solve_given(ms_context *ctx, pairs *p, const ms_contact_given *g, found *f) {
  double load[N] = { 0.0 };
  for (int i = 4; i < NODES; i++) load[3 * i + 2] = -PRESS / 4.0;
  const ms_contact_stage stage = { .load = load, .friction = 1, .steps = 1 };
  MS_TRY(make_structure(ctx, p));
  MS_TRY(ms_contact_add_given(ctx, &p->between, 0, N, g, &f->n, &f->site, &f->B));
  const ms_contact_bodies bodies = { p->structure, f->n, f->site, f->B };
  MS_TRY(ms_contact_find_rest(ctx, &bodies, 1, &stage, NULL, &f->rest));
  return ms_contact_stick(ctx, &bodies, &f->rest, NULL, &f->stuck);
}

static double given_rows[12 * N], given_weight[4];

/* One point in the middle of the faces, or one at each pair of nodes. */
static ms_contact_given fill_given(int middle) {
  const int points = middle ? 1 : 4;
  memset(given_rows, 0, sizeof given_rows);
  for (int i = 0; i < points; i++) {
    given_weight[i] = A * B / points;
    for (int k = 0; k < 4; k++) {
      for (int a = 0; a < 3 && (middle || k == i); a++) {
        const double part = (a == 2 ? -1.0 : 1.0) * (middle ? 0.25 : 1.0);
        given_rows[3 * i + a + 3 * points * (12 + 3 * k + a)] = part;
        given_rows[3 * i + a + 3 * points * (3 * k + a)] = -part;
      }
    }
  }
  return (ms_contact_given) { 3 * points, N, points, given_rows, given_weight };
}

/* A force in the middle of four springs each: they act one after the other, k = 16/sum of 1/k. */
static void test_given(void) {
  pairs p;
  for (int middle = 0; middle < 2; middle++) {
    found f = { 0 };
    const ms_contact_given g = fill_given(middle);
    double by_load = 0.0, by_contact = 0.0;
    fill_pairs(&p);
    CHECK_OK(solve_given(test_context(), &p, &g, &f));
    CHECK_EQUAL(f.n, g.n_weight);
    CHECK_CLOSE(f.site[0].area, A * B / (middle ? 1.0 : 4.0), 1e-14);
    for (ptrdiff_t i = 0; i < (middle ? 4 : 1); i++) {
      const double part = middle ? 0.25 : 1.0;
      by_load += part * PRESS / 4.0 / upper(&p, i, 2);
      by_contact += part * part * (1.0 / upper(&p, i, 2) + 1.0 / lower(&p, i, 2));
    }
    CHECK_CLOSE(ms_contact_get(f.rest.contact).lambda[2], by_load / by_contact, 1e-11);
    CHECK_EQUAL(ms_structure_get_size(f.stuck), N - 3 * f.n);
    close_found(test_context(), &p, &f);
  }
}

static void test_given_refused(void) {
  static const char *const words[] = { "the interpolation is 12 x 24; for 3 weights",
                                       "weight 3 is -1 m^2", "normal of point 2, is zero" };
  for (int k = 0; k < 3; k++) {
    pairs p;
    found f = { 0 };
    ms_contact_given g = fill_given(0);
    fill_pairs(&p);
    if (k == 0) g.n_weight = 3;
    if (k == 1) given_weight[2] = -1.0;
    for (int j = 0; k == 2 && j < N; j++) given_rows[5 + 12 * j] = 0.0;
    CHECK(solve_given(test_context(), &p, &g, &f) < 0);
    CHECK_HAS(ms_context_message(test_context()), words[k]);
    close_found(test_context(), &p, &f);
  }
}

static ms_status work_given(ms_context *ctx, void *user) {
  pairs *p = user;
  found f = { 0 };
  const ms_contact_given g = fill_given(0);
  const ms_status status = solve_given(ctx, p, &g, &f);
  close_found(ctx, p, &f);
  return status;
}

static ms_status work(ms_context *ctx, void *user) {
  pairs *p = user;
  found f = { 0 };
  const ms_status status = solve(ctx, p, (double[]) { 0.0, 0.0, -PRESS }, &f);
  close_found(ctx, p, &f);
  return status;
}

static void test_no_memory(void) {
  pairs p;
  fill_pairs(&p);
  CHECK(test_allocations(work, &p) > 50);
  CHECK(test_allocations(work_given, &p) > 30);
}

int main(void) {
  TEST(test_rigid);
  TEST(test_layer);
  TEST(test_slippery);
  TEST(test_ground);
  TEST(test_cycle);
  TEST(test_free);
  TEST(test_stiff);
  TEST(test_stages);
  TEST(test_glue);
  TEST(test_refusals);
  TEST(test_triangle);
  TEST(test_given);
  TEST(test_given_refused);
  TEST(test_no_memory);
  return test_finish();
}
