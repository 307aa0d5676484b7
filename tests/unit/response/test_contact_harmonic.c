/* Contact between solids in harmonic balance: derivatives through its history against differences
   of whole histories; one point on the ground against a Jenkins element; what is refused. */
#include <math.h>
#include <string.h>

#include <microslip/harmonic.h>

#include "core/internal.h"
#include "response/contact/impl.h"
#include "support/check.h"
#include "support/joints.h"

/* ---- derivatives ---- */

enum { POINTS = 4, SIZE = 3 * POINTS, LOADS = 3, DIRECTIONS = 2, STEPS = 90 };

/* Numbers without a pattern, between -1 and 1. */
static double scatter(int i) {
  return fmod(fabs(sin(12.9898 * (i + 1)) * 43758.5453), 2.0) - 1.0;
}

static ms_contact *make_contact(double K_n, double K_t) {
  static double H[SIZE * SIZE], Z[SIZE * LOADS], L[LOADS * LOADS];
  ms_contact_point point[POINTS];
  ms_contact *c;
  memset(H, 0, sizeof H);
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      for (int k = 0; k < SIZE; k++) {
        H[i + SIZE * j] += 0.1 * scatter(i + SIZE * k) * scatter(j + SIZE * k);
      }
      if (i == j) H[i + SIZE * j] += 0.7;
    }
  }
  for (int i = 0; i < SIZE * LOADS; i++) Z[i] = 0.4 * scatter(500 + i);
  for (int i = 0; i < POINTS; i++) {
    Z[3 * i + 2] = 1.0 + 0.2 * i; /* the first load presses */
    point[i] = (ms_contact_point) { .mu = 0.3, .K_n = K_n, .K_t = K_t };
  }
  point[3].gap = 1.3; /* closes on the way */
  for (int i = 0; i < LOADS; i++) {
    for (int j = 0; j < LOADS; j++) L[i + LOADS * j] = (i == j ? 3.0 : 0.3);
  }
  const ms_contact_problem problem = {
    .n_point = POINTS, .n_load = LOADS, .point = point, .H = H, .z_load = Z, .load_load = L
  };
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (const double[]) { 1.0, 0.0, 0.0 }));
  CHECK_OK(ms_contact_rebase(c));
  ms_contact_mark(c);
  return c;
}

/* Load k at step i, and what direction d adds to it. */
static double load_at(int i, int k) {
  const double t = 0.11 * i;
  return k == 0 ? 1.0 + 0.75 * sin(0.7 * t) : (k == 1 ? 1.1 : 0.9) * sin(t + 0.8 * k);
}

static double way(int i, int k, int d) {
  return cos(0.05 * i * (d + 1) + 1.3 * k + d);
}

/* v after each step of the path with `by` times direction d; counts of statuses. */
static void run_path(ms_contact *c, int d, double by, double *v, ptrdiff_t count[3]) {
  CHECK_OK(ms_contact_return(c));
  for (int i = 0; i < STEPS; i++) {
    double p[LOADS];
    for (int k = 0; k < LOADS; k++) p[k] = load_at(i, k) + by * way(i, k, d);
    CHECK_OK(ms_contact_load(c, p));
    memcpy(v + LOADS * i, ms_contact_get(c).v, LOADS * sizeof *v);
    for (int k = 0; k < POINTS; k++) count[ms_contact_get(c).status[k]]++;
  }
}

/* Where a point changes its status within the difference this is none: such steps are few. */
static void check_derivatives(double K_n, double K_t) {
  static double v[2][LOADS * STEPS], found[DIRECTIONS][LOADS * STEPS];
  const double by = 1e-6;
  ptrdiff_t count[3] = { 0 };
  ms_contact *c = make_contact(K_n, K_t);
  CHECK_OK(ms_contact_tangent_open(c, DIRECTIONS));
  CHECK_OK(ms_contact_return(c));
  ms_contact_tangent_begin(c);
  for (int i = 0; i < STEPS; i++) {
    double p[LOADS], *to = ms_contact_tangent_loads(c);
    for (int k = 0; k < LOADS; k++) {
      p[k] = load_at(i, k);
      for (int d = 0; d < DIRECTIONS; d++) to[d + DIRECTIONS * k] = way(i, k, d);
    }
    CHECK_OK(ms_contact_load(c, p));
    const double *dv = ms_contact_tangent_moves(c);
    for (int k = 0; k < LOADS * DIRECTIONS; k++) {
      found[k % DIRECTIONS][LOADS * i + k / DIRECTIONS] = dv[k];
    }
  }
  ms_contact_destroy(&c);
  c = make_contact(K_n, K_t);
  for (int d = 0; d < DIRECTIONS; d++) {
    double worst = 0.0;
    int off = 0;
    for (int side = 0; side < 2; side++) run_path(c, d, side ? by : -by, v[side], count);
    for (int i = 0; i < LOADS * STEPS; i++) {
      const double want = (v[1][i] - v[0][i]) / (2.0 * by), miss = fabs(found[d][i] - want);
      off += miss > 1e-4;
      if (miss <= 1e-4) worst = fmax(worst, miss);
    }
    CHECK_BELOW(off, 3 * LOADS + 0.5);
    CHECK_BELOW(worst, 1e-5);
  }
  for (int s = 0; s < 3; s++) CHECK(count[s] > 30); /* open, stuck, slipping */
  ms_contact_destroy(&c);
}

static void test_derivatives(void) {
  check_derivatives(0.0, 0.0);
  check_derivatives(7.0, 3.0);
}

/* ---- one point against a Jenkins element ---- */

static const double KX = 3.7e6, KY = 2.9e6, KZ = 9.1e6, OWN = 1.3e6, MASS = 2.3, PRESS = 810.0,
                    MU = 0.31, ZETA = 0.013;

/* A mass on a node without mass, which the ground holds by friction; along x also on a spring of
   its own. Loads: M phi of its motion along y, x and z, in the order of their frequencies. */
static ms_contact *make_point(double layer, double omega[3]) {
  static const int along[3] = { 1, 0, 2 };
  const double k[3] = { KX, KY, KZ }, own[3] = { OWN, 0.0, 0.0 }, S = 5e6;
  double H[9] = { 0.0 }, Z[12] = { 0.0 }, L[16] = { 0.0 }, S_0[3] = { S, S, S };
  const ms_contact_point point = { .mu = MU, .K_n = 2.0 * layer, .K_t = layer };
  ms_contact *pressed, *c;
  for (int r = 0; r < 3; r++) {
    const int a = along[r];
    const double det = (S + k[a]) * (k[a] + own[a]) - k[a] * k[a];
    const double series =
        layer > 0.0 ? 1.0 / (1.0 / k[a] + 1.0 / (layer * (a == 2 ? 2.0 : 1.0))) : k[a];
    H[4 * a] = (k[a] + own[a]) / det;
    Z[a + 3 * r] = sqrt(MASS) * k[a] / det;
    L[5 * r] = MASS * (S + k[a]) / det;
    omega[r] = sqrt((series + own[a]) / MASS);
  }
  Z[2 + 9] = Z[2 + 6] / sqrt(MASS); /* the last load presses */
  L[15] = L[10] / MASS;
  L[11] = L[14] = L[10] / sqrt(MASS);
  ms_contact_problem problem = {
    .n_point = 1, .n_load = 4, .point = &point, .H = H, .S_0 = S_0, .z_load = Z, .load_load = L
  };
  double L_3[9];
  for (int i = 0; i < 9; i++) L_3[i] = L[i % 3 + 4 * (i / 3)];
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &pressed));
  CHECK_OK(ms_contact_load(pressed, (const double[]) { 0.0, 0.0, 0.0, PRESS }));
  problem.n_load = 3;
  problem.load_load = L_3;
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_continue(c, pressed));
  ms_contact_destroy(&pressed);
  return c;
}

static ms_structure *make_modes(const double *omega) {
  ms_structure *s;
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (int r = 0; r < 3; r++) {
    CHECK_OK(ms_structure_add_mass(s, r, 1.0));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, r, omega[r] * omega[r]));
  }
  CHECK_OK(ms_structure_set_modal_damping(s, (const double[]) { ZETA, ZETA, ZETA }));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_structure *make_jenkins(double layer) {
  const double K_t = layer > 0.0 ? 1.0 / (1.0 / KX + 1.0 / layer) : KX;
  ms_structure *s;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, MASS));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, OWN));
  ms_joint *joint = test_joint("jenkins", "F_S", MU * PRESS, "K_T", K_t, NULL);
  CHECK_OK(ms_structure_take_joint(s, "point", &joint, (const ptrdiff_t[]) { MS_GROUND },
                                   (const ptrdiff_t[]) { 0 }));
  CHECK_OK(ms_structure_set_modal_damping(s, &ZETA));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* A nonlinear mode, then a resonance under a force along x. */
static void run_both(ms_harmonic *h, int mode, const double *push, ms_harmonic_curve **out) {
  const double slips = MU * PRESS / KX * sqrt(MASS), w = sqrt((KX + OWN) / MASS);
  const double level[3] = { 0.7 * slips, 2.0 * slips, 6.0 * slips };
  const ms_harmonic_range q = { level[0], level[2], .list = level, .n_list = 3 };
  const ms_harmonic_range omega = { 0.5 * w, 1.1 * w, .watch = push };
  CHECK_OK(ms_harmonic_run_mode(h, mode, &q, &out[0]));
  CHECK_OK(ms_harmonic_add_load(h, push, 1, 1.0, 0.0));
  CHECK_OK(ms_harmonic_run_forced(h, &omega, 0.8 * MU * PRESS, &out[1]));
}

static const ms_harmonic_point *find_point(const ms_harmonic_curve *c, int listed) {
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(c).points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(c, i);
    if (listed ? p->listed == listed : p->turn & MS_HARMONIC_PEAK) return p;
  }
  return NULL;
}

static void compare_jenkins(double layer) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  double omega[3];
  ms_contact *point = make_point(layer, omega);
  ms_structure *s[2] = { make_modes(omega), make_jenkins(layer) };
  ms_harmonic_curve *curve[2][2];
  setting.harmonics = 5;
  setting.times = 256;
  setting.own_phase = 0; /* both from the load's */
  for (int i = 0; i < 2; i++) {
    ms_harmonic *h;
    setting.contact = i == 0 ? point : NULL;
    const double push[3] = { i == 0 ? 0.0 : 1.0, 1.0 / sqrt(MASS), 0.0 };
    CHECK_OK(ms_harmonic_create(s[i], &setting, &h));
    run_both(h, i == 0 ? 1 : 0, push, curve[i]);
    ms_harmonic_destroy(&h);
  }
  for (int k = 0; k < 4; k++) {
    const ms_harmonic_point *a = find_point(curve[0][k == 3], k == 3 ? 0 : k + 1);
    const ms_harmonic_point *b = find_point(curve[1][k == 3], k == 3 ? 0 : k + 1);
    if (!a || !b) {
      CHECK(a && b);
      continue;
    }
    CHECK_CLOSE(a->omega, b->omega, 1e-7);
    CHECK_NEAR(a->zeta, b->zeta, 1e-7);
    CHECK_CLOSE(k < 3 ? a->q : a->response, k < 3 ? b->q : b->response, 1e-7);
    CHECK_NEAR(a->D, b->D, 1e-7 * MU * PRESS * MU * PRESS / KX);
    CHECK(k == 0 ? b->zeta_joint < 1e-9 : b->zeta_joint > 0.02);
    /* The point may be moved along y, too, where only friction holds it. */
    CHECK_EQUAL(a->stability, b->stability);
    CHECK(a->multiplier > b->multiplier - 1e-6 && a->multiplier < 1.0 + 1e-6);
  }
  for (int i = 0; i < 4; i++) ms_harmonic_curve_destroy(&curve[i / 2][i % 2]);
  for (int i = 0; i < 2; i++) ms_structure_destroy(&s[i]);
  ms_contact_destroy(&point);
}

static void test_rigid(void) {
  compare_jenkins(0.0);
}

static void test_layer(void) {
  compare_jenkins(8.3e6);
}

/* ---- what is refused, memory ---- */

static void test_refused(void) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  double omega[3];
  ms_contact *point = make_point(0.0, omega);
  ms_structure *jenkins = make_jenkins(0.0), *small;
  ms_harmonic *h;
  setting.contact = point;
  CHECK_STATUS(ms_harmonic_create(jenkins, &setting, &h), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "no joints beside");
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &small));
  CHECK_OK(ms_structure_add_mass(small, 0, MASS));
  CHECK_OK(ms_structure_add_spring(small, MS_GROUND, 0, OWN));
  CHECK_OK(ms_structure_setup(small));
  CHECK_STATUS(ms_harmonic_create(small, &setting, &h), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "under loads of 3 modes, of 1");
  ms_structure_destroy(&jenkins);
  ms_structure_destroy(&small);
  ms_contact_destroy(&point);
}

int main(void) {
  TEST(test_derivatives);
  TEST(test_rigid);
  TEST(test_layer);
  TEST(test_refused);
  return test_finish();
}
