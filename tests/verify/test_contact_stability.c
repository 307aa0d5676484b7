/* Floquet multipliers of periodic motions with contact between solids: against closed forms,
   against the decay and the growth of disturbances in runs in time, and on both sides of folds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/contact_dynamics.h>
#include <microslip/harmonic.h>

#include "core/dense.h"
#include "core/internal.h"
#include "support/check.h"

static const double pi = 3.14159265358979323846;

/* ---- bodies on the ground ---- */

enum { POINTS = 3, SIZE = 18, MODES = 9 }; /* at most */
static const double SLAVED = 0.12;         /* omega dt: the lattice's last mode is beyond */

/* The first nodes touch the ground, the others are the body above them. The first have so little
   mass that the modes are those of the body. */
typedef struct body {
  int n, n_point, n_mode;
  double K[SIZE * SIZE], m[SIZE], B[SIZE * 3 * POINTS], zeta[MODES];
  ms_contact_site site[POINTS];
  ms_structure *structure, *stuck, *modes;
  ms_contact_rest rest;
  ms_contact_modal modal;
} body;

static void add_bar(body *p, int a, int b, double k, double x, double y, double z) {
  const double length = sqrt(x * x + y * y + z * z), e[3] = { x / length, y / length, z / length };
  for (int ij = 0; ij < 9; ij++) {
    const int i = ij % 3, j = ij / 3;
    const double kij = k * e[i] * e[j];
    p->K[3 * a + i + p->n * (3 * a + j)] += kij;
    if (b < 0) continue;
    p->K[3 * b + i + p->n * (3 * b + j)] += kij;
    p->K[3 * a + i + p->n * (3 * b + j)] -= kij;
    p->K[3 * b + i + p->n * (3 * a + j)] -= kij;
  }
}

static void begin(body *p, int n_point, int n_mode, double layer, double mu, double gap) {
  static const double axis[3][3] = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
  memset(p, 0, sizeof *p);
  p->n = 6 * n_point, p->n_point = n_point, p->n_mode = n_mode;
  for (int i = 0; i < n_point; i++) {
    for (int a = 0; a < 3; a++) p->m[3 * i + a] = 1e-4;
    for (int k = 0; k < 9; k++) {
      p->B[3 * i + k % 3 + p->n * (3 * i + k / 3)] = axis[k / 3][k % 3];
    }
    p->site[i] = (ms_contact_site) { .mu = mu, .gap = gap, .K_n = 2.0 * layer, .K_t = 1.5 * layer };
  }
}

/* Pressed on the ground at three points. */
static void fill_lattice(body *p, double layer) {
  begin(p, POINTS, MODES, layer, 0.3, 0.0);
  for (int i = 0; i < POINTS; i++) {
    const int v = POINTS + i;
    const double uneven = 1.0 + 0.13 * i;
    for (int a = 0; a < 3; a++) p->m[3 * v + a] = 2.0 + 0.1 * i;
    add_bar(p, i, v, 4e7, 0, 0, 1);
    add_bar(p, i, v, 2e7, 1, 0, 0);
    add_bar(p, i, v, 2e7 * uneven, 0, 1, 0);
    add_bar(p, v, -1, 6e6, 0, 1, 0);
    add_bar(p, v, -1, 9e6 * uneven, 0, 0, 1);
    if (i + 1 == POINTS) break;
    add_bar(p, i, v + 1, 1.5e7, 1, 0.2, 1);
    add_bar(p, i + 1, v, 1e7, -1, 0.1, 1);
    add_bar(p, v, v + 1, 8e7, 1, 0, 0);
    add_bar(p, v, v + 1, 1.3e7, 0, 0.3, 1);
  }
  add_bar(p, 5, -1, 7e6, 1, 0, 0);
}

/* A mass above the ground at a gap, where it does not stick; and if there are two points, another
   beside it that is pressed on the ground, where friction holds it along x. */
static void fill_stop(body *p, int n_point, int n_mode, double layer) {
  const int v = 2 * n_point - 1;
  begin(p, n_point, n_mode, layer, 0.3, 0.0);
  p->site[n_point - 1].mu = 0.0;
  p->site[n_point - 1].gap = 2.3e-5;
  for (int i = 0; i < n_point; i++) {
    for (int a = 0; a < 3; a++) p->m[3 * (n_point + i) + a] = 2.1 - 0.1 * i;
    add_bar(p, i, n_point + i, 2e7, 1, 0, 0);
    add_bar(p, i, n_point + i, 2e7, 0, 1, 0);
    add_bar(p, i, n_point + i, 4e7, 0, 0, 1);
  }
  add_bar(p, v, -1, 1.3e7, 1, 0, 0);
  add_bar(p, v, -1, 2.6e7, 0, 1, 0);
  add_bar(p, v, -1, 8e6, 0, 0, 1);
  if (n_point == 1) return;
  add_bar(p, v - 1, -1, 6e6, 1, 0, 0);
  add_bar(p, v - 1, -1, 2e7, 0, 1, 0);
  add_bar(p, v - 1, v, 4e6, 1, 0, 0.5);
}

/* resolved: of ms_contact_setting, 0: its default. */
static void open(body *p, double press, double resolved) {
  ms_contact_setting setting = MS_CONTACT_DEFAULT;
  ms_context *ctx = test_context();
  double force[SIZE] = { 0.0 };
  static char text[SIZE][8];
  static const char *name[SIZE];
  if (resolved > 0.0) setting.resolved = resolved;
  for (int i = 0; i < p->n; i++) {
    snprintf(text[i], sizeof text[i], "n%d.u%c", i / 3, "xyz"[i % 3]);
    name[i] = text[i];
    if (i >= 3 * p->n_point && i % 3 == 2 && p->site[i / 3 - p->n_point].gap == 0.0) {
      force[i] = -press;
    }
  }
  CHECK_OK(ms_structure_create(ctx, p->n, name, &p->structure));
  CHECK_OK(ms_structure_set_stiffness(p->structure, p->K));
  for (ptrdiff_t i = 0; i < p->n; i++) CHECK_OK(ms_structure_add_mass(p->structure, i, p->m[i]));
  const ms_contact_stage stage = { .load = force, .steps = 2 };
  const ms_contact_bodies b = { p->structure, p->n_point, p->site, p->B };
  CHECK_OK(ms_contact_find_rest(ctx, &b, 1, &stage, NULL, &p->rest));
  CHECK_OK(ms_contact_stick(ctx, &b, &p->rest, NULL, &p->stuck));
  CHECK_OK(ms_structure_setup(p->stuck));
  CHECK_OK(
      ms_contact_find_modal(ctx, &b, &p->rest, p->stuck, p->n_mode, 0, NULL, &setting, &p->modal));
  CHECK_OK(ms_structure_create(ctx, p->n_mode, NULL, &p->modes));
  for (int r = 0; r < p->n_mode; r++) {
    const double w = p->modal.omega[r];
    p->zeta[r] = resolved > 0.0 && r == p->n_mode - 1 ? 1e-4 : 0.011 + 0.0031 * r;
    CHECK_OK(ms_structure_add_mass(p->modes, r, 1.0));
    CHECK_OK(ms_structure_add_spring(p->modes, MS_GROUND, r, w * w));
  }
  CHECK_OK(ms_structure_set_modal_damping(p->modes, p->zeta));
  CHECK_OK(ms_structure_setup(p->modes));
}

static void close(body *p) {
  ms_context *ctx = test_context();
  ms_structure_destroy(&p->structure);
  ms_structure_destroy(&p->stuck);
  ms_structure_destroy(&p->modes);
  ms_contact_rest_free(ctx, &p->rest);
  ms_contact_modal_free(ctx, &p->modal);
}

/* Under modal forces `push` cos(omega t). */
static ms_harmonic_curve *follow(const body *p, const double *push, int harmonics, int times,
                                 const ms_harmonic_range *range) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  setting.harmonics = harmonics;
  setting.times = times;
  setting.own_phase = 0;
  setting.contact = p->modal.contact;
  CHECK_OK(ms_harmonic_create(p->modes, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, push, 1, 1.0, 0.0));
  CHECK_OK(ms_harmonic_run_forced(h, range, 1.0, &curve));
  CHECK_TEXT(ms_harmonic_curve_get_info(curve).reason, "");
  ms_harmonic_destroy(&h);
  return curve;
}

static const char *name_of(double layer) {
  return layer > 0.0 ? "layer" : "rigid";
}

/* ---- all closed points stick ---- */

/* The modes beyond those that the time points resolve have no part in it. */
static void check_stuck(double layer, double resolved) {
  static body p;
  const double push[MODES] = { 0.7, 0.2, 0.4 };
  double worst[2] = { 0.0 }, slow = HUGE_VAL;
  fill_lattice(&p, layer);
  open(&p, 2000.0, resolved);
  const int n = resolved > 0.0 ? MODES - 1 : MODES;
  for (int r = 0; r < n; r++) slow = fmin(slow, p.zeta[r] * p.modal.omega[r]);
  const double w = p.modal.omega[0];
  for (int t = 0; t < 2; t++) {
    ms_harmonic_curve *curve =
        follow(&p, push, 3, 64 << t, &(ms_harmonic_range) { .from = 0.96 * w, .to = 1.06 * w });
    for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
      const ms_harmonic_point *x = ms_harmonic_curve_get_point(curve, i);
      CHECK_EQUAL(x->stability, MS_STABLE);
      worst[t] = fmax(worst[t], fabs(x->multiplier / exp(-slow * 2.0 * pi / x->omega) - 1.0));
    }
    ms_harmonic_curve_destroy(&curve);
  }
  printf("# stuck, %s, %d modes: error %.2e with 64 times, %.2e with 128\n", name_of(layer), n,
         worst[0], worst[1]);
  CHECK_BELOW(worst[1], 1e-4);
  CHECK_NEAR(log2(worst[0] / worst[1]), 2.0, 0.1);
  close(&p);
}

static void test_stuck(void) {
  check_stuck(0.0, 0.0);
  check_stuck(1e8, 0.0);
  check_stuck(1e8, SLAVED);
}

/* ---- in time ---- */

enum { TIMES = 256, SETTLE = 90, AFTER = 36, FITTED = 8, STATE = 4000 };

typedef struct drive {
  const double *push;
  double omega, phase; /* push cos(omega t + phase) */
  double dt;
} drive;

static void push_run(const body *p, const drive *d, ms_contact_run *run, double t, double kick) {
  double f[MODES];
  for (int r = 0; r < p->n_mode; r++) {
    f[r] = d->push[r] * cos(d->omega * t + d->phase) + kick * (double)(1 + r % 3);
  }
  ms_contact_run_push(run, f);
}

static void go(const body *p, const drive *d, ms_contact_run *run, ptrdiff_t steps, double kick) {
  for (ptrdiff_t i = 0; i < steps; i++) {
    push_run(p, d, run, d->dt * (double)(ms_contact_run_get(run).step + 1), kick);
    CHECK_OK(ms_contact_run_step(run, NULL));
  }
}

/* The larger of two multipliers from three differences x_2 = t x_1 - p x_0: those of a pair, where
   others have decayed. */
static double fit_pair(ptrdiff_t n, const double *x) {
  const double *y = x + n, *z = y + n;
  const double xx = ms_dot(n, x, x), xy = ms_dot(n, x, y), yy = ms_dot(n, y, y);
  const double xz = ms_dot(n, x, z), yz = ms_dot(n, y, z), det = xx * yy - xy * xy;
  const double t = (yz * xx - xz * xy) / det, q = (yz * xy - xz * yy) / det;
  const double root = 0.25 * t * t - q;
  return root < 0.0 ? sqrt(q) : 0.5 * fabs(t) + sqrt(root);
}

/* Two runs in the same periodic motion, one of them kicked: how their difference decays. */
static double measure_decay(const body *p, const drive *d) {
  static double x[2 * MODES * AFTER], state[STATE];
  const ptrdiff_t m = p->n_mode;
  ms_contact_run *run[2] = { NULL, NULL };
  double sum = 0.0;
  for (int i = 0; i < 2; i++) {
    CHECK_OK(ms_contact_run_create(test_context(), &p->modal, p->zeta, d->dt, &run[i]));
  }
  const ptrdiff_t size = ms_contact_run_save_size(run[0]);
  CHECK(size <= STATE);
  go(p, d, run[0], SETTLE * TIMES, 0.0);
  ms_contact_run_save(run[0], state);
  CHECK_OK(ms_contact_run_load(run[1], state, size));
  for (int i = 0; i < 2; i++) go(p, d, run[i], 1, i);
  for (int k = 0; k < AFTER; k++) {
    for (int i = 0; i < 2; i++) go(p, d, run[i], TIMES, 0.0);
    const ms_contact_motion y = ms_contact_run_get(run[0]), z = ms_contact_run_get(run[1]);
    for (ptrdiff_t r = 0; r < m; r++) {
      x[r + 2 * m * k] = z.q[r] - y.q[r];
      x[r + m + 2 * m * k] = (z.v[r] - y.v[r]) / d->omega;
    }
    if (k >= AFTER - FITTED) sum += fit_pair(2 * m, x + 2 * m * (k - 2));
  }
  for (int i = 0; i < 2; i++) ms_contact_run_destroy(&run[i]);
  return sum / FITTED;
}

/* Slipping motions: friction takes more of a disturbance than damping does. */
static void check_decay(double layer, double resolved) {
  static body p;
  const double push[MODES] = { 600.0, 200.0, 400.0 };
  fill_lattice(&p, layer);
  open(&p, 2000.0, resolved);
  const double w = 0.8 * p.modal.omega[0];
  const drive d = { push, w, 0.0, 2.0 * pi / w / TIMES };
  ms_harmonic_curve *curve =
      follow(&p, push, 7, TIMES, &(ms_harmonic_range) { .from = w, .to = 1.0001 * w });
  const ms_harmonic_point *found = ms_harmonic_curve_get_point(curve, 0);
  const double decay = measure_decay(&p, &d);
  const double viscous = exp(-p.zeta[0] * p.modal.omega[0] * 2.0 * pi / w);
  printf("# %s, slips: multiplier %.6f, of disturbances in time %.6f, of damping alone %.4f\n",
         name_of(layer), found->multiplier, decay, viscous);
  CHECK_EQUAL(found->stability, MS_STABLE);
  /* The motion of harmonic balance has the inertia of slaved modes. */
  CHECK_CLOSE(found->multiplier, decay, resolved > 0.0 ? 2e-3 : 1e-3);
  CHECK_BELOW(found->multiplier, 0.95 * viscous);
  ms_harmonic_curve_destroy(&curve);
  close(&p);
}

static void test_decay(void) {
  check_decay(0.0, 0.0);
  check_decay(1e8, 0.0);
  check_decay(1e8, 0.6 * SLAVED);
}

/* ---- folds ---- */

static int is_beside_fold(const ms_harmonic_curve *curve, double omega) {
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (p->turn & MS_HARMONIC_FOLD && fabs(p->omega - omega) < 1e-3 * omega) return 1;
  }
  return 0;
}

/* One mass meets the ground, the other slides on it: every point of the curve but those beside a
   fold, some of them ripples of the time points, is on its right side of the folds. */
static void check_folds(double layer) {
  enum { H = 9 };
  static body p;
  int stable = 0, unstable = 0, wrong = 0;
  double part = 0.0;
  fill_stop(&p, 2, 4, layer);
  open(&p, 100.0, 0.0);
  const double push[4] = { 20.0, 3.0 }, w = p.modal.omega[0];
  ms_harmonic_curve *curve =
      follow(&p, push, H, TIMES, &(ms_harmonic_range) { .from = 0.9 * w, .to = 1.9 * w });
  for (ptrdiff_t i = 1; i + 1 < ms_harmonic_curve_get_info(curve).points; i++) {
    const ms_harmonic_point *x = ms_harmonic_curve_get_point(curve, i);
    const int back = x->omega < x[-1].omega;
    if (is_beside_fold(curve, x->omega)) continue;
    *(back ? &unstable : &stable) += 1;
    wrong += x->stability != (back ? MS_UNSTABLE : MS_STABLE);
    const double *z = ms_harmonic_curve_get_joints(curve, i);
    const double work = pi * (push[0] * z[2] + push[1] * z[2 + 2 * H + 1]);
    if (back) part = fmax(part, x->D / work);
  }
  printf("# %s: %d stable, %d unstable, %d wrong; friction takes up to %.2f of the work\n",
         name_of(layer), stable, unstable, wrong, part);
  CHECK_EQUAL(wrong, 0);
  CHECK(stable > 30);
  CHECK(unstable > 8);
  CHECK(part > 0.02);
  ms_harmonic_curve_destroy(&curve);
  close(&p);
}

static void test_folds(void) {
  check_folds(0.0);
  check_folds(1e8);
}

/* ---- an unstable motion in time ---- */

/* q and dq/dtau of one mode at tau, from its coefficients. */
static void evaluate(int H, const double *z, double tau, double q[2]) {
  q[0] = z[0], q[1] = 0.0;
  for (int k = 1; k <= H; k++) {
    const double c = cos(k * tau), s = sin(k * tau);
    q[0] += z[2 * k - 1] * c + z[2 * k] * s;
    q[1] += k * (z[2 * k] * c - z[2 * k - 1] * s);
  }
}

static double find_zero(int H, const double *z) {
  double a = 0.0, b, q[2];
  for (b = 0.0; b < 2.0 * pi; b += 0.01) { /* where it rises */
    evaluate(H, z, b, q);
    if (q[0] < 0.0) a = b;
    if (q[0] > 0.0 && a == b - 0.01 && b > 0.01) break;
  }
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (a + b);
    evaluate(H, z, middle, q);
    *(q[0] < 0.0 ? &a : &b) = middle;
  }
  return a;
}

/* How a motion grows from the k-th period on, as long as it is small; x: q after each period. */
static double find_growth(ptrdiff_t n, const double *x, double small) {
  ptrdiff_t from = 12, to = from;
  while (to + 1 < n && fabs(x[to + 1] - x[to]) < small) to++;
  CHECK(to > from + 8);
  return pow(fabs((x[to] - x[to - 1]) / (x[from] - x[from - 1])), 1.0 / (double)(to - from));
}

/* One mode above its stop has three motions at one frequency. A run in time that begins at the
   unstable one, where q = 0, leaves it as its multiplier says, for one of the stable ones. */
static void check_leaving(double layer) {
  enum { H = 21, PERIODS = 220, FINE = 8 * TIMES };
  static body p;
  static double x[PERIODS];
  const double *z[3] = { NULL }, push[1] = { 20.0 };
  const ms_harmonic_point *at[3] = { NULL };
  ms_contact_run *run = NULL;
  double q[2];
  int n = 0;
  fill_stop(&p, 1, 1, layer);
  open(&p, 0.0, 0.0);
  const double w = p.modal.omega[0], list[] = { 1.3 * w };
  ms_harmonic_curve *curve =
      follow(&p, push, H, FINE,
             &(ms_harmonic_range) { .from = 0.9 * w, .to = 1.9 * w, .list = list, .n_list = 1 });
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points && n < 3; i++) {
    at[n] = ms_harmonic_curve_get_point(curve, i);
    if (at[n]->listed) z[n++] = ms_harmonic_curve_get_joints(curve, i);
  }
  CHECK_EQUAL(n, 3);
  CHECK(at[0]->stability == MS_STABLE && at[2]->stability == MS_STABLE);
  CHECK_EQUAL(at[1]->stability, MS_UNSTABLE);
  const double tau = find_zero(H, z[1]);
  evaluate(H, z[1], tau, q);
  const drive d = { push, list[0], tau, 2.0 * pi / list[0] / FINE };
  const double v = list[0] * q[1], size = fabs(q[1]);
  CHECK_OK(ms_contact_run_create(test_context(), &p.modal, p.zeta, d.dt, &run));
  push_run(&p, &d, run, 0.0, 0.0);
  CHECK_OK(ms_contact_run_start(run, NULL, &v));
  for (int k = 0; k < PERIODS; k++) {
    go(&p, &d, run, FINE, 0.0);
    x[k] = ms_contact_run_get(run).q[0];
  }
  const double growth = find_growth(PERIODS, x, 0.02 * size);
  double miss = HUGE_VAL;
  for (int i = 0; i < 3; i += 2) {
    evaluate(H, z[i], tau, q);
    miss = fmin(miss, fabs(q[0] - x[PERIODS - 1]) / size);
  }
  printf("# %s, unstable: multiplier %.5f, growth in time %.5f; ends %.2e from a stable motion\n",
         name_of(layer), at[1]->multiplier, growth, miss);
  CHECK_CLOSE(growth, at[1]->multiplier, 0.01);
  CHECK_BELOW(miss, 1e-3);
  ms_contact_run_destroy(&run);
  ms_harmonic_curve_destroy(&curve);
  close(&p);
}

static void test_leaving(void) {
  check_leaving(1e8);
  check_leaving(0.0);
}

int main(void) {
  TEST(test_stuck);
  TEST(test_decay);
  TEST(test_folds);
  TEST(test_leaving);
  return test_finish();
}
