/* Harmonic balance of joints whose displacement is quadratic, z = b^T u + u^T G u/2: the Jacobian,
   what is reported, complaints, memory. Runs in time: tests/verify/test_curved_harmonic.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/balances.h"
#include "support/check.h"
#include "support/joints.h"

enum { N = 3, AXES = MS_JOINT_MAX_AXIS };
static const double pi = 3.14159265358979323846;

/* Symmetric, of no special kind, one for each axis. */
static const double G[AXES][N * N] = {
  { 1.7, 0.4, -0.3, 0.4, -2.2, 0.9, -0.3, 0.9, 0.8 },
  { -0.6, 1.1, 0.5, 1.1, 0.7, -0.2, 0.5, -0.2, 1.9 },
  { 0.9, -0.7, 0.2, -0.7, 1.3, 0.6, 0.2, 0.6, -0.4 },
};

static void bend(ms_structure *s, int joint, int axis, double size, ptrdiff_t modes) {
  double scaled[N * N];
  for (int i = 0; i < N * N; i++) scaled[i] = size * G[axis][i];
  CHECK_OK(ms_structure_set_curvature(s, joint, axis, scaled, modes));
}

static ms_harmonic *make(ms_structure *s, int harmonics, ptrdiff_t times) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  setting.harmonics = harmonics;
  setting.times = times;
  setting.own_phase = 0;            /* as curved joints, for which there is none */
  setting.repeat_tolerance = 1e-15; /* what is left of it would be divided by a step */
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  return h;
}

/* ---- the Jacobian ---- */

/* A joint with curvature on `curved` of its axes (a bit each), beside one without. */
static void check_joint(ms_joint *j, const char *law, int curved, ptrdiff_t modes) {
  ms_structure *s = test_masses(1e6);
  const double zeta[N] = { 0.011, 0.007, 0.013 }, size = 1.3 * test_scale(j);
  const ptrdiff_t from[] = { 0, 1, MS_GROUND }, to[] = { 1, 2, 0 };
  const int n = ms_joint_info(j)->n_axis;
  ms_joint *other = test_joint("jenkins", "F_S", 2.9e6 * size, "K_T", 31e6, NULL);
  CHECK_OK(ms_structure_take_joint(s, "other", &other, &from[2], &to[1]));
  CHECK_OK(ms_structure_take_joint(s, "one", &j, from, to));
  for (int a = 0; a < n; a++) {
    if (curved & (1 << a)) bend(s, 1, a, 0.31 / size, modes);
  }
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  ms_harmonic *h = make(s, 2, 64);
  CHECK_EQUAL(h->n, 1 + n + (modes ? modes : N));
  test_load_oddly(h, 1e6);
  h->master = 0;
  double error = test_jacobian_error(h, size, 7.9);
  if (!CHECK_BELOW(error, 1e-6)) printf("# law %s\n", law);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

static void test_jacobians_of_laws(void) {
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    const ms_law_info *law = ms_joint_get_law(i);
    check_joint(test_typical(law->name), law->name, 1 + 2 + 4, 0);
    if (!(law->flags & MS_LAW_NORMAL) || law->n_axis == AXES) continue;
    check_joint(test_loaded(test_typical(law->name), 1), law->name, 1 + 2 + 4, 2);
  }
  check_joint(test_loaded(test_typical("iwan4"), 0), "iwan4", 2, 0); /* the normal axis alone */
  check_joint(test_typical("contact3d"), "contact3d", 4, 1);
}

/* ---- three masses ---- */

/* An iwan4 with curvature and a lever, a loaded one with curvature, and a spring without. */
static ms_structure *three(int full_damping) {
  static const double C[N * N] = { 0.9, -0.2, 0.1, -0.2, 0.7, -0.3, 0.1, -0.3, 0.5 };
  static const double zeta[N] = { 0.011, 0.007, 0.013 }, mapping_row[N] = { 0.17, -0.31, 0.23 };
  const ptrdiff_t from[] = { 0, 1 }, to[] = { 1, 2 }, base[] = { MS_GROUND, MS_GROUND };
  ms_structure *s = test_masses(1.0);
  ms_joint *j = test_joint("iwan4", "F_S", 2.9, "K_T", 31.0, "chi", -0.43, "beta", 1.37, NULL);
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, from, to));
  j = test_joint("linear", "K", 12.0, "C", 0.17, NULL);
  CHECK_OK(ms_structure_take_joint(s, "spring", &j, from + 1, to + 1));
  j = test_loaded(test_joint("jenkins", "F_S", 1.7, "K_T", 23.0, NULL), 0);
  CHECK_OK(ms_structure_take_joint(s, "foot", &j, base, to));
  CHECK_OK(ms_structure_set_mapping_row(s, 0, 0, mapping_row));
  bend(s, 0, 0, 1.9, 0);
  bend(s, 2, 0, 0.7, 2);
  bend(s, 2, 1, 0.9, 2);
  CHECK_OK(full_damping ? ms_structure_set_damping(s, C) : ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static void test_jacobian_of_all(void) {
  for (int full = 0; full < 2; full++) {
    ms_structure *s = three(full);
    ms_harmonic *h = make(s, 3, 256);
    CHECK_EQUAL(h->n, 4 + 3 + 2);
    test_load_oddly(h, 1.0);
    h->master = 1;
    CHECK_BELOW(test_jacobian_error(h, 0.13, 7.9), 1e-6);
    ms_harmonic_destroy(&h);
    ms_structure_destroy(&s);
  }
}

/* Values over the period from coefficients. */
static double value_at(int H, const double *x, double tau) {
  double sum = x[0];
  for (int k = 1; k <= H; k++) sum += x[2 * k - 1] * cos(k * tau) + x[2 * k] * sin(k * tau);
  return sum;
}

enum { H = 3, P = 2 * H + 1, TIMES = 256 };

/* Coefficient c of values over the period. */
static double coefficient(const double *y, int c) {
  double sum = 0.0;
  for (int j = 0; j < TIMES; j++) {
    const double angle = 2.0 * pi * ((c + 1) / 2) * j / TIMES;
    sum += y[j] * (c % 2 ? cos(angle) : c ? sin(angle) : 0.5);
  }
  return 2.0 * sum / TIMES;
}

/* b^T u + u^T G u/2 of the lap, by its definition. */
static double lap_displacement(const double u[N]) {
  double z = (1.0 - 0.31) * u[1] + (0.17 - 1.0) * u[0] + 0.23 * u[2];
  for (int ij = 0; ij < N * N; ij++) z += 0.5 * 1.9 * G[0][ij] * u[ij % N] * u[ij / N];
  return z;
}

/* The lap's displacement over the period, its force along it (second lap from virgin), and the work
   of that; the law by its interface. */
static double walk_lap(ms_structure *s, double x[N][P], double omega, double *z, double *f) {
  ms_joint *law = ms_structure_get_joint(s, 0);
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  double work = 0.0;
  CHECK_OK(ms_joint_start(law, NULL));
  for (int j = 0; j < 2 * TIMES; j++) {
    double u[N];
    for (int i = 0; i < N; i++) u[i] = value_at(H, x[i], 2.0 * pi * (j % TIMES) / TIMES);
    in.u[0] = z[j % TIMES] = lap_displacement(u);
    in.dt = 2.0 * pi / (TIMES * omega);
    CHECK_OK(ms_joint_step(law, &in, &out));
    f[j % TIMES] = out.force[0];
  }
  for (int k = 1; k <= 2 * H; k++) { /* z has 2H harmonics */
    work += pi * k *
            (coefficient(f, 2 * k - 1) * coefficient(z, 2 * k) -
             coefficient(f, 2 * k) * coefficient(z, 2 * k - 1));
  }
  return work;
}

static void check_point(ms_structure *s, ms_harmonic *h, const ms_harmonic_curve *curve,
                        ptrdiff_t i, double *worst) {
  static const double c[N][N] = { { 0.9, -0.2, 0.1 }, { -0.2, 0.7, -0.3 }, { 0.1, -0.3, 0.5 } };
  const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
  const double *Z = ms_harmonic_curve_get_joints(curve, i);
  const double *F = ms_harmonic_curve_get_forces(curve, i);
  double x[N][P], z[TIMES], f[TIMES], lost = p->D, sum = 0.0, z_size = 0.0, f_size = 0.0;
  for (int r = 0; r < N; r++) {
    double weights[N] = { 0.0 };
    weights[r] = 1.0;
    CHECK_OK(ms_harmonic_recover(h, curve, i, weights, x[r]));
  }
  const double loss = walk_lap(s, x, p->omega, z, f);
  for (int k = 0; k < P; k++) {
    z_size = fmax(z_size, fabs(Z[k]));
    f_size = fmax(f_size, fabs(F[k]));
  }
  for (int k = 0; k < P; k++) {
    worst[0] = fmax(worst[0], fabs(Z[k] - coefficient(z, k)) / z_size);
    worst[1] = fmax(worst[1], fabs(F[k] - coefficient(f, k)) / f_size);
  }
  const double own = ms_harmonic_curve_get_loss(curve, i, 0);
  worst[2] = fmax(worst[2], fabs(own - loss) / p->D);
  for (int j = 0; j < 3; j++) sum += ms_harmonic_curve_get_loss(curve, i, j);
  worst[3] = fmax(worst[3], fabs(sum - p->D) / p->D);
  for (int k = 1; k <= H; k++) {
    for (int ij = 0; ij < N * N; ij++) {
      const double *a = x[ij % N] + 2 * k - 1, *b = x[ij / N] + 2 * k - 1;
      lost += pi * k * k * p->omega * c[ij % N][ij / N] * (a[0] * b[0] + a[1] * b[1]);
    }
  }
  worst[4] = fmax(worst[4], fabs(pi * 2.385 * p->level * x[1][2] / lost - 1.0));
  worst[5] = fmax(worst[5], own / lost);
}

static void check_curve(ms_structure *s, ms_harmonic *h, const ms_harmonic_curve *curve) {
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  double worst[6] = { 0.0 };
  CHECK_TEXT(info.reason, "");
  for (ptrdiff_t i = 0; i < info.points; i += 3) check_point(s, h, curve, i, worst);
  printf("# %td points, %td evaluations: z %.1e, f %.1e, loss %.1e, balance %.1e; share %.2f\n",
         info.points, info.evaluations, worst[0], worst[1], worst[2], worst[4], worst[5]);
  CHECK_BELOW(worst[0], 1e-8);
  CHECK_BELOW(worst[1], 1e-8);
  CHECK_BELOW(worst[2], 1e-8);
  CHECK_BELOW(worst[3], 1e-12);
  CHECK_BELOW(worst[4], 1e-7); /* the load's work is what joints and dampers lose */
  CHECK(worst[5] > 0.1);
}

/* z and f of a joint are those of the motion; what the lap loses is the work of f along z, and all
   losses are the load's work. The sweep passes two resonances: both modes become masters. */
static void test_what_is_reported(void) {
  static const double shape[N] = { 0.0, 1.0, 0.0 };
  ms_structure *s = three(1);
  ms_harmonic *h = make(s, H, TIMES);
  ms_harmonic_curve *curve = NULL;
  CHECK_OK(ms_harmonic_add_load(h, shape, 1, 2.385, 0.0));
  CHECK_OK(
      ms_harmonic_run_forced(h, &(ms_harmonic_range) { .from = 4.1, .to = 13.7 }, 1.0, &curve));
  check_curve(s, h, curve);
  CHECK_EQUAL(ms_harmonic_curve_get_point(curve, 0)->mode, 0);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_range levels = { .from = 0.03, .to = 1.7 };
  CHECK_OK(ms_harmonic_run_resonance(h, 0, shape, MS_HARMONIC_LEVEL, &levels, &curve));
  check_curve(s, h, curve);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* Without G the further axes are not there; with G = 0 they change nothing. */
static void test_no_curvature(void) {
  static const double none[N * N] = { 0.0 }, shape[N] = { 0.3, 1.0, -0.2 };
  double omega[2], q[2], D[2];
  for (int curved = 0; curved < 2; curved++) {
    const ptrdiff_t from = 0, to = 1;
    ms_structure *s = test_masses(1.0);
    ms_joint *j = test_joint("iwan4", "F_S", 2.9, "K_T", 31.0, "chi", -0.43, "beta", 1.37, NULL);
    ms_harmonic_curve *curve = NULL;
    CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
    if (curved) CHECK_OK(ms_structure_set_curvature(s, 0, 0, none, 0));
    CHECK_OK(ms_structure_setup(s));
    ms_harmonic *h = make(s, 3, 256);
    CHECK_EQUAL(h->n, curved ? 4 : 1);
    CHECK_OK(ms_harmonic_add_load(h, shape, 1, 1.0, 0.0));
    CHECK_OK(ms_harmonic_run_mode(h, 1, &(ms_harmonic_range) { .from = 0.19, .to = 0.19 }, &curve));
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, 0);
    omega[curved] = p->omega;
    D[curved] = p->D;
    ms_harmonic_curve_destroy(&curve);
    CHECK_OK(
        ms_harmonic_run_forced(h, &(ms_harmonic_range) { .from = 4.9, .to = 4.9 }, 1.3, &curve));
    q[curved] = ms_harmonic_curve_get_point(curve, 0)->q;
    ms_harmonic_curve_destroy(&curve);
    ms_harmonic_destroy(&h);
    ms_structure_destroy(&s);
  }
  CHECK_CLOSE(omega[1], omega[0], 1e-10);
  CHECK_CLOSE(D[1], D[0], 1e-8);
  CHECK_CLOSE(q[1], q[0], 1e-8);
}

/* A saved point begins a run with other harmonics, and refinement goes through. */
static void test_again(void) {
  static const double shape[N] = { 0.0, 1.0, 0.0 };
  ms_structure *s = three(0);
  ms_harmonic *h = make(s, 3, 256), *finer = make(s, 5, 256);
  ms_harmonic_curve *curve = NULL, *again = NULL;
  ms_harmonic_row row[8];
  ptrdiff_t rows;
  double state[200];
  CHECK_OK(ms_harmonic_add_load(h, shape, 1, 1.1, 0.0));
  CHECK_OK(ms_harmonic_add_load(finer, shape, 1, 1.1, 0.0));
  ms_harmonic_range range = { .from = 5.3, .to = 5.3 };
  CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
  CHECK(ms_harmonic_save_size(curve) <= 200);
  ms_harmonic_save(curve, 0, state);
  range.start = state;
  CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &again));
  CHECK_EQUAL(ms_harmonic_curve_get_point(again, 0)->iterations, 1);
  ms_harmonic_curve_destroy(&again);
  CHECK_OK(ms_harmonic_run_forced(finer, &range, 1.0, &again));
  CHECK_CLOSE(ms_harmonic_curve_get_point(again, 0)->q, ms_harmonic_curve_get_point(curve, 0)->q,
              1e-2);
  CHECK_OK(ms_harmonic_refine(h, curve, 0, shape, 1e-4, 8, row, &rows));
  ms_harmonic_curve_destroy(&again);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&finer);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* ---- complaints, memory ---- */

/* Coefficients that are numbers, though their squares are not: out of reach, and no law sees it. */
static void test_too_far(void) {
  const ptrdiff_t from = 0, to = 1;
  ms_structure *s = test_masses(1.0);
  ms_joint *j = test_joint("cubic", "K", 12.0, "K3", 410.0, NULL); /* it asks no questions */
  CHECK_OK(ms_structure_take_joint(s, "one", &j, &from, &to));
  bend(s, 0, 0, 1.9, 0);
  CHECK_OK(ms_structure_setup(s));
  ms_harmonic *h = make(s, 2, 64);
  for (ptrdiff_t i = h->modal.n * h->P; i < h->n * h->P; i++) h->X[i] = 2.385e170;
  CHECK_STATUS(ms_aft_eval(h, h->X, 7.9), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "not finite");
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* Two masses in the air: shortening that goes with their common motion has no mean. */
static void test_rigid(void) {
  static const double turned[4] = { 1.0, 1.0, 1.0, 1.0 }, apart[4] = { 1.0, -1.0, -1.0, 1.0 };
  for (int held = 0; held < 2; held++) {
    const ptrdiff_t from = 0, to = 1;
    ms_structure *s = NULL;
    ms_harmonic *h = NULL;
    ms_joint *j = test_joint("jenkins", "F_S", 1.7, "K_T", 23.0, NULL);
    ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
    CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
    for (int i = 0; i < 2; i++) CHECK_OK(ms_structure_add_mass(s, i, 1.7));
    CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
    CHECK_OK(ms_structure_set_curvature(s, 0, 0, held ? apart : turned, 0));
    CHECK_OK(ms_structure_setup(s));
    CHECK_STATUS(ms_harmonic_create(s, &setting, &h), held ? MS_SUCCESS : MS_ERR_ARGUMENT);
    if (!held) CHECK_HAS(ms_context_message(test_context()), "rigid-body mode 1");
    ms_harmonic_destroy(&h);
    ms_structure_destroy(&s);
  }
}

static ms_status fill(ms_context *ctx, ms_structure *s, ms_joint **joint) {
  static const ptrdiff_t from[] = { 0 }, to[] = { 1 };
  for (ptrdiff_t i = 0; i < N; i++) {
    MS_TRY(ms_structure_add_mass(s, i, 1.3));
    MS_TRY(ms_structure_add_spring(s, i - 1, i, 71.0));
  }
  for (int k = 0; k < 2; k++) {
    MS_TRY(ms_joint_create(ctx, k ? "jenkins" : "cubic", joint));
    MS_TRY(ms_joint_set(*joint, k ? "F_S" : "K3", 2.9));
    MS_TRY(ms_joint_set(*joint, k ? "K_T" : "K", 23.0));
    MS_TRY(ms_joint_setup(*joint));
    MS_TRY(ms_structure_take_joint(s, "one", joint, from, to));
    MS_TRY(ms_structure_set_curvature(s, k, 0, G[k], 0));
  }
  return ms_structure_setup(s);
}

static ms_status use_all(ms_context *ctx, void *user) {
  static const double shape[N] = { 1.0, 0.2, 0.3 };
  ms_structure *s = NULL;
  ms_joint *joint = NULL;
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic_range range = { .from = 4.9, .to = 4.9 };
  (void)user;
  setting.harmonics = 2;
  setting.times = 32;
  ms_status status = ms_structure_create(ctx, N, NULL, &s);
  if (status == MS_SUCCESS) status = fill(ctx, s, &joint);
  if (status == MS_SUCCESS) status = ms_harmonic_create(s, &setting, &h);
  if (status == MS_SUCCESS) status = ms_harmonic_add_load(h, shape, 1, 1.3, 0.0);
  if (status == MS_SUCCESS) status = ms_harmonic_run_forced(h, &range, 1.0, &curve);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_joint_destroy(&joint);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_runs_out(void) {
  CHECK(test_allocations(use_all, NULL) > 60);
}

int main(void) {
  TEST(test_jacobians_of_laws);
  TEST(test_jacobian_of_all);
  TEST(test_what_is_reported);
  TEST(test_no_curvature);
  TEST(test_again);
  TEST(test_too_far);
  TEST(test_rigid);
  TEST(test_memory_runs_out);
  return test_finish();
}
