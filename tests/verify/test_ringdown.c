/* The three-mass system of Lacayo and Allen, one mode excited, its ring-down analysed: an
   independent average-acceleration Newmark march with the exact Iwan element, then each method of
   the signal room. Reference numbers were computed elsewhere.

     M u" + C u' + K u + b f(b^T u) = p M phi sin(omega_0 t) [t < pi/omega_0],   M = 10 I,
     C = M Phi diag(2 zeta omega_0) Phi^T M,  zeta = 1e-4. */
#include <math.h>
#include <stdlib.h>

#include <microslip/joint.h>
#include <microslip/signal.h>

#include "support/check.h"
#include "support/joints.h"

#define PI 3.14159265358979323846

enum { N_STEP = 200000 };
static const double mass = 10.0, k_spring = 9.0, K_T = 1.0, zeta_0 = 1e-4, dt = 0.02;

/* ---- modes of the stuck chain: K_0 = [2k -k 0; -k 2k+K -k-K; 0 -k-K k+K] ---- */

static double determinant(double s) {
  double k = k_spring, c = k + K_T;
  return (2 * k - s) * ((k + c - s) * (c - s) - c * c) - k * k * (c - s);
}

static double bisect(double a, double b) {
  for (int i = 0; i < 200; i++) {
    double middle = 0.5 * (a + b);
    if ((determinant(middle) > 0.0) == (determinant(a) > 0.0))
      a = middle;
    else
      b = middle;
  }
  return 0.5 * (a + b);
}

/* phi is the cross product of the first and the last row of K_0 - s I. */
static void find_mode(int r, double *omega, double phi[3]) {
  static const double bracket[4] = { 0.0, 8.0, 22.0, 40.0 };
  double s = bisect(bracket[r], bracket[r + 1]), k = k_spring, c = k + K_T;
  phi[0] = -k * (c - s);
  phi[1] = -(2 * k - s) * (c - s);
  phi[2] = -(2 * k - s) * c;
  double norm = sqrt(mass * (phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2]));
  for (int i = 0; i < 3; i++) phi[i] /= norm;
  *omega = sqrt(s / mass);
}

/* ---- Newmark ---- */

/* A row by row */
static void solve3(const double *A, const double b[3], double x[3]) {
  double w[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) w[i][j] = j < 3 ? A[3 * i + j] : b[i];
  for (int i = 0; i < 3; i++) /* symmetric positive definite: no pivoting */
    for (int r = 0; r < 3; r++) {
      if (r == i) continue;
      double f = w[r][i] / w[i][i];
      for (int j = i; j < 4; j++) w[r][j] -= f * w[i][j];
    }
  for (int i = 0; i < 3; i++) x[i] = w[i][3] / w[i][i];
}

typedef struct chain {
  double C[3][3], K[3][3], A[9]; /* A = 4 M/dt^2 + 2 C/dt + K */
  double Ab[3], h;               /* A^-1 b and b^T A^-1 b, b = (0, -1, 1) */
  double omega[3], phi[3][3];
} chain;

static void make_chain(chain *s) {
  for (int r = 0; r < 3; r++) find_mode(r, &s->omega[r], s->phi[r]);
  double k = k_spring, K[3][3] = { { 2 * k, -k, 0 }, { -k, 2 * k, -k }, { 0, -k, k } };
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      s->K[i][j] = K[i][j];
      s->C[i][j] = 0.0;
      for (int r = 0; r < 3; r++)
        s->C[i][j] += mass * mass * 2.0 * zeta_0 * s->omega[r] * s->phi[r][i] * s->phi[r][j];
      s->A[3 * i + j] =
          (i == j ? 4.0 * mass / (dt * dt) : 0.0) + 2.0 / dt * s->C[i][j] + s->K[i][j];
    }
  const double b[3] = { 0, -1, 1 };
  solve3(s->A, b, s->Ab);
  s->h = s->Ab[2] - s->Ab[1];
}

/* z = z_free - h f(z), by Newton from the last z. */
static double solve_joint(ms_joint *joint, double z_free, double h, double z, double *force) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_joint_trial trial;
  for (int i = 0; i < 50; i++) {
    in.u[0] = z;
    CHECK_OK(ms_joint_update(joint, &in, &out, &trial));
    double step = (z - z_free + h * out.force[0]) / (1.0 + h * out.du[0]);
    if (fabs(step) <= 1e-15 * (1.0 + fabs(z))) break;
    z -= step;
  }
  CHECK_OK(ms_joint_commit(joint, &trial));
  *force = out.force[0];
  return z;
}

typedef struct state {
  double u[3], v[3], a[3];
} state;

static void newmark(const chain *s, ms_joint *joint, const double load[3], state *x) {
  double rhs[3], free[3], f, old[3];
  for (int i = 0; i < 3; i++) {
    rhs[i] = load[i] + mass * (4.0 / (dt * dt) * x->u[i] + 4.0 / dt * x->v[i] + x->a[i]);
    for (int j = 0; j < 3; j++) rhs[i] += s->C[i][j] * (2.0 / dt * x->u[j] + x->v[j]);
    old[i] = x->u[i];
  }
  solve3(s->A, rhs, free);
  solve_joint(joint, free[2] - free[1], s->h, x->u[2] - x->u[1], &f);
  for (int i = 0; i < 3; i++) {
    x->u[i] = free[i] - s->Ab[i] * f;
    double v = 2.0 / dt * (x->u[i] - old[i]) - x->v[i];
    x->a[i] = 2.0 / dt * (v - x->v[i]) - x->a[i];
    x->v[i] = v;
  }
}

/* Modal velocity of mode r under p M phi_r sin(omega_r t), N_STEP + 1 samples, to be freed. */
static double *simulate(int r, double p, double *pulse_end) {
  chain s;
  make_chain(&s);
  ms_joint *joint = test_joint("iwan4", "F_S", 10.0, "K_T", K_T, "chi", -0.5, "beta", 5.0, NULL);
  double *velocity = calloc(N_STEP + 1, sizeof *velocity);
  state x = { .u = { 0 } };
  *pulse_end = PI / s.omega[r];
  for (int n = 1; joint && velocity && n <= N_STEP; n++) {
    double t = n * dt, load[3];
    for (int i = 0; i < 3; i++)
      load[i] = t < *pulse_end ? p * mass * s.phi[r][i] * sin(s.omega[r] * t) : 0.0;
    newmark(&s, joint, load, &x);
    for (int i = 0; i < 3; i++) velocity[n] += mass * s.phi[r][i] * x.v[i];
  }
  ms_joint_destroy(&joint);
  return velocity;
}

/* ---- the reference ---- */

static void check_row(const ms_decay_point *got, double q, double omega, double zeta) {
  CHECK_CLOSE(got->q, q, 5e-5);
  CHECK_CLOSE(got->omega, omega, 1e-5);
  CHECK_CLOSE(got->zeta, zeta, 3e-4);
}

static void test_modes(void) {
  chain s;
  make_chain(&s);
  const double omega[3] = { 0.424470, 1.21568, 1.74412 };
  for (int r = 0; r < 3; r++) CHECK_CLOSE(s.omega[r], omega[r], 1e-5);
}

/* First and last segment of mode 2's ring-down. */
static void check_mode_2(double p, const ms_decay_point *first, const ms_decay_point *last) {
  ms_hilbert_settings set = MS_HILBERT_DEFAULT;
  double *x = simulate(1, p, &set.start);
  ms_signal signal = { x, N_STEP + 1, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_decay decay;
  if (CHECK_OK(ms_signal_hilbert(test_context(), &signal, &set, &decay))) {
    CHECK_EQUAL(decay.n, 100);
    check_row(&decay.point[0], first->q, first->omega, first->zeta);
    check_row(&decay.point[decay.n - 1], last->q, last->omega, last->zeta);
  }
  ms_decay_free(test_context(), &decay);
  free(x);
}

static void test_hilbert_large(void) {
  ms_decay_point first = { .q = 9.43212, .omega = 1.21401, .zeta = 4.34652e-4 };
  ms_decay_point last = { .q = 2.00101, .omega = 1.21488, .zeta = 2.54161e-4 };
  check_mode_2(9.0, &first, &last);
}

static void test_hilbert_small(void) {
  ms_decay_point first = { .q = 0.211457, .omega = 1.21538, .zeta = 1.49946e-4 };
  ms_decay_point last = { .q = 0.107186, .omega = 1.21545, .zeta = 1.34802e-4 };
  check_mode_2(0.2, &first, &last);
}

/* Mirrored about the extremum between samples the end effects are smaller: the reference has those
   of a mirror at a sample, up to half a percent of zeta. */
static void test_mirror(void) {
  ms_hilbert_settings set = MS_HILBERT_DEFAULT;
  double *x = simulate(1, 0.2, &set.start);
  ms_signal signal = { x, N_STEP + 1, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_decay d;
  set.mirror = MS_MIRROR_EXTREMUM;
  if (CHECK_OK(ms_signal_hilbert(test_context(), &signal, &set, &d))) {
    CHECK_CLOSE(d.point[0].zeta, 1.49946e-4, 5e-3);
    CHECK_CLOSE(d.point[99].zeta, 1.34802e-4, 5e-3);
    double slope = d.point[2].zeta - d.point[1].zeta; /* the ends lie on the curve of the others */
    CHECK_CLOSE(d.point[0].zeta, d.point[1].zeta - slope, 1e-3);
    slope = d.point[98].zeta - d.point[97].zeta;
    CHECK_CLOSE(d.point[99].zeta, d.point[98].zeta + slope, 1e-3);
  }
  ms_decay_free(test_context(), &d);
  free(x);
}

/* ---- the methods agree ---- */

/* Largest relative differences of b's inner rows from a, interpolated in time. */
static void compare(const ms_decay *a, const ms_decay *b, double *omega, double *zeta, double *q) {
  *omega = *zeta = *q = 0.0;
  int n = 0;
  for (ptrdiff_t i = 2, k = 0; i < b->n - 2; i++) {
    const ms_decay_point *y = &b->point[i];
    while (k < a->n - 2 && a->point[k + 1].time < y->time) k++;
    const ms_decay_point *p = &a->point[k], *r = p + 1;
    if (y->time < p->time || y->time > r->time) continue;
    double s = (y->time - p->time) / (r->time - p->time);
    *omega = fmax(*omega, fabs(y->omega / (p->omega + s * (r->omega - p->omega)) - 1.0));
    *zeta = fmax(*zeta, fabs(y->zeta / (p->zeta + s * (r->zeta - p->zeta)) - 1.0));
    *q = fmax(*q, fabs(y->q / (p->q * pow(r->q / p->q, s)) - 1.0));
    n++;
  }
  CHECK(n > 20);
}

static void test_methods_agree(void) {
  double start, omega, zeta, q;
  double *x = simulate(1, 9.0, &start);
  ms_signal signal = { x, N_STEP + 1, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_hilbert_settings hilbert = MS_HILBERT_DEFAULT;
  ms_stft_settings stft = MS_STFT_DEFAULT;
  ms_crossing_settings crossing = MS_CROSSING_DEFAULT;
  hilbert.start = stft.start = crossing.start = start;
  stft.growth = MS_GROWTH_LINEAR;
  stft.window_first = 80.0;
  stft.window_last = 160.0;
  crossing.cycles = 20;
  ms_decay a, b;
  CHECK_OK(ms_signal_hilbert(test_context(), &signal, &hilbert, &a));
  CHECK_OK(ms_signal_stft(test_context(), &signal, &stft, &b));
  compare(&a, &b, &omega, &zeta, &q);
  CHECK_BELOW(omega, 5e-6);
  CHECK_BELOW(zeta, 1e-2);
  CHECK_BELOW(q, 1e-3);
  ms_decay_free(test_context(), &b);
  CHECK_OK(ms_signal_zero_crossings(test_context(), &signal, &crossing, &b));
  compare(&a, &b, &omega, &zeta, &q);
  CHECK_BELOW(omega, 3e-5);
  CHECK_BELOW(zeta, 5e-2);
  CHECK_BELOW(q, 3e-3);
  ms_decay_free(test_context(), &b);
  ms_decay_free(test_context(), &a);
  free(x);
}

/* Every 20th sample behind the anti-alias filter: the same table. */
static void test_decimated(void) {
  double start, omega, zeta, q;
  double *x = simulate(1, 9.0, &start);
  ms_decimator_settings set = MS_DECIMATOR_DEFAULT;
  set.factor = 20;
  ptrdiff_t m = ms_signal_decimated_length(N_STEP + 1, set.factor);
  double *y = malloc((size_t)m * sizeof *y);
  CHECK_OK(ms_signal_decimate(test_context(), &set, N_STEP + 1, 1, x, y));
  ms_signal whole = { x, N_STEP + 1, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_signal few = { y, m, 20 * dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_hilbert_settings hilbert = MS_HILBERT_DEFAULT;
  hilbert.start = start;
  hilbert.mirror = MS_MIRROR_EXTREMUM;
  ms_decay a, b;
  CHECK_OK(ms_signal_hilbert(test_context(), &whole, &hilbert, &a));
  CHECK_OK(ms_signal_hilbert(test_context(), &few, &hilbert, &b));
  compare(&a, &b, &omega, &zeta, &q);
  CHECK_BELOW(omega, 1e-6);
  CHECK_BELOW(zeta, 1e-3);
  CHECK_BELOW(q, 1e-4);
  ms_decay_free(test_context(), &b);
  ms_decay_free(test_context(), &a);
  free(x);
  free(y);
}

int main(void) {
  TEST(test_modes);
  TEST(test_hilbert_large);
  TEST(test_hilbert_small);
  TEST(test_mirror);
  TEST(test_methods_agree);
  TEST(test_decimated);
  return test_finish();
}
