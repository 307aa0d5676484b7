/* The exponential method where stiff joints slip, and what a run says of its own steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"

static const double pi = 3.14159265358979323846;

/* Two masses on springs; a joint holds the first one to ground, nearly always slipping. */
static ms_structure *make_structure(ms_joint *joint) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 13.92));
  CHECK_OK(ms_structure_add_mass(s, 1, 25.07));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 5.23));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 7.52));
  CHECK_OK(ms_structure_take_joint(s, "slider", &joint, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static double sine(void *user, double t) {
  (void)user;
  return 12.07 * sin(1.0216 * t);
}

static double slow_sine(void *user, double t) {
  (void)user;
  return 6.69401 * sin(0.725056 * t);
}

static double sine_between(void *user, double t) {
  (void)user;
  return 6.69 * sin(1.0465 * t);
}

static double place[2] = { 1.0, 0.0 }; /* of the sine */

typedef struct outcome {
  double peak;
  ms_transient_quality quality;
  ms_transient_count count;
} outcome;

static int find_peak(void *user, const ms_transient *run) {
  double u[2], *peak = user;
  ms_transient_get_coordinates(run, u, NULL, NULL);
  *peak = fmax(*peak, fabs(u[0]));
  return 0;
}

/* 500 outputs, `parts` steps apart. */
static outcome simulate(ms_structure *s, const ms_transient_setting *setting, ptrdiff_t parts) {
  outcome out = { .peak = 0.0 };
  ms_transient *run = NULL;
  CHECK_OK(ms_transient_create(s, setting, &run));
  CHECK_OK(ms_transient_add_load(run, place, sine, NULL, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, 500 * parts, parts, find_peak, &out.peak));
  out.quality = ms_transient_get_quality(run);
  out.count = ms_transient_get_count(run);
  ms_transient_destroy(&run);
  return out;
}

static ms_joint *make_joint(int law, double K) {
  const double F = 0.4 * K / 2208.0;
  switch (law) {
  case 0:
    return test_joint("jenkins", "F_S", F, "K_T", K, NULL);
  case 1:
    return test_joint("iwan4", "F_S", F, "K_T", K, "chi", -0.37, "beta", 1.7, NULL);
  case 2:
    return test_joint("bouc_wen", "K", K, "a", 0.0, "n", 1.3, "z_max", F / K, "delta", 0.65, NULL);
  case 3:
    return test_joint("valanis", "E_0", K, "E_t", 0.0, "lambda", K / F, "kappa", 0.6, NULL);
  default:
    return test_joint("dahl", "F_c", F, "sigma_0", K, "i", 1.0, NULL);
  }
}

enum { LAWS = 5 };

/* 48.3 s with 5.2 and with 1.6 steps in a period of the stuck joint: the methods agree on the peak
   to 1e-3, of which Newmark's fine steps take 1e-4. A step for each record alone is off by 41 %,
   and has no bound. */
static void test_peak(void) {
  const double dt = 0.0966;
  for (int law = 0; law < LAWS; law++) {
    for (int stiff = 0; stiff < 2; stiff++) {
      ms_joint *joint = make_joint(law, stiff ? 22077.0 : 2208.0);
      ms_structure *s = make_structure(joint);
      ms_transient_setting fine = MS_TRANSIENT_DEFAULT, coarse = MS_TRANSIENT_DEFAULT;
      fine.step = dt / 16.0;
      coarse.step = dt;
      coarse.method = "exponential";
      outcome exact = simulate(s, &fine, 16), got = simulate(s, &coarse, 1);
      CHECK_NEAR(got.peak, exact.peak, 1e-3 * exact.peak);
      CHECK_BELOW(got.quality.balance, 1e-3);
      CHECK(got.count.divided > 400 && got.count.coarse == 0);
      ms_structure_destroy(&s);
    }
  }
}

static ms_transient_setting coarse_setting(void) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  setting.method = "exponential";
  setting.step = 0.0966;
  return setting;
}

/* All reasons in one text. */
static const char *doubts(const ms_transient_quality *q) {
  static char all[800];
  char one[240];
  all[0] = '\0';
  for (int i = 0; i < MS_N_DOUBT; i++) {
    if (!ms_transient_quality_doubt(q, (ms_transient_doubt)i, one, sizeof one)) continue;
    strncat(all, one, sizeof all - strlen(all) - 1);
  }
  return all;
}

/* Undivided, or not divided enough, the answer is wrong and says so. */
static void test_doubts(void) {
  ms_structure *s = make_structure(make_joint(4, 2208.0));
  ms_transient_setting setting = coarse_setting();
  outcome good = simulate(s, &setting, 1);
  CHECK_TEXT(doubts(&good.quality), "");
  setting.divide = 0.0;
  outcome wrong = simulate(s, &setting, 1);
  CHECK(wrong.peak < 0.7 * good.peak);
  CHECK_HAS(doubts(&wrong.quality), "energy balance");
  CHECK_EQUAL(wrong.count.divided, 0);
  setting = coarse_setting();
  setting.divide_max = 2;
  outcome half = simulate(s, &setting, 1);
  CHECK(half.count.coarse > 1000);
  CHECK_HAS(doubts(&half.quality), "too long for stiff joints that slip");
  setting.divide_max = 21;
  ms_transient *none = NULL;
  CHECK_STATUS(ms_transient_create(s, &setting, &none), MS_ERR_BOUNDS);
  ms_structure_destroy(&s);
}

/* A joint of the structure's own stiffness, at 200 steps in its period, costs no part. */
static void test_benign(void) {
  ms_structure *s = make_structure(make_joint(1, 9.3));
  ms_transient_setting setting = coarse_setting();
  setting.step = 2.0 * pi / ms_structure_get_stuck(s).omega[1] / 200.0;
  outcome got = simulate(s, &setting, 1);
  CHECK_EQUAL(got.count.divided, 0);
  CHECK_EQUAL(got.count.steps, 500);
  CHECK_TEXT(doubts(&got.quality), "");
  ms_structure_destroy(&s);
}

/* Nor does one that is four thousand times as stiff and slips a little: what it keeps holds it. */
static void test_stiff_and_held(void) {
  ms_joint *joint =
      test_joint("iwan4", "F_S", 170.0, "K_T", 22077.0, "chi", -0.37, "beta", 1.7, NULL);
  ms_structure *s = make_structure(joint);
  ms_transient_setting fine = MS_TRANSIENT_DEFAULT, setting = coarse_setting();
  fine.step = setting.step / 16.0;
  place[0] = 0.0, place[1] = 1.0; /* on the mass that the joint does not hold */
  outcome exact = simulate(s, &fine, 16), got = simulate(s, &setting, 1);
  place[0] = 1.0, place[1] = 0.0;
  CHECK_BELOW((double)got.count.divided, 5.0); /* before its motion is known */
  CHECK_NEAR(got.peak, exact.peak, 2e-3 * exact.peak);
  CHECK_TEXT(doubts(&got.quality), "");
  ms_structure_destroy(&s);
}

/* A joint 6700 times as stiff as the spring beside it that sticks and slips by turns, at one step
   in a period of the stuck mode, and at two: while it sticks that mode rings, and the joint slips
   at the crests, between the ends of steps. Seen at the ends alone, it drifted by the whole motion,
   with an energy balance of 2e-6 and no doubt. */
static void check_slip_between(double dt) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  enum { N = 400 };
  ms_joint *joint = test_joint("jenkins", "F_S", 3.74479, "K_T", 10371.6, NULL);
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 22.5));
  CHECK_OK(ms_structure_add_mass(s, 1, 7.124));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 1.548));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 11.23));
  CHECK_OK(ms_structure_take_joint(s, "slider", &joint, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  double end[2][2];
  for (int k = 0; k < 2; k++) { /* Newmark with fine steps is right to 1e-4 */
    ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
    ms_transient *run = NULL;
    const ptrdiff_t parts = k ? 1 : 64;
    if (k) setting.method = "exponential";
    setting.step = dt / (double)parts;
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_OK(ms_transient_add_load(run, (const double[]) { 0.0, 1.0 }, slow_sine, NULL, HUGE_VAL));
    CHECK_OK(ms_transient_run(run, N * parts, N * parts, NULL, NULL));
    ms_transient_get_coordinates(run, end[k], NULL, NULL);
    ms_transient_quality q = ms_transient_get_quality(run);
    CHECK_TEXT(doubts(&q), "");
    ms_transient_destroy(&run);
  }
  printf("# steps of %g s: ends %.5f %.5f, exact %.5f %.5f\n", dt, end[1][0], end[1][1], end[0][0],
         end[0][1]);
  for (int i = 0; i < 2; i++) CHECK_NEAR(end[1][i], end[0][i], 2e-3); /* of 1 m */
  ms_structure_destroy(&s);
}

static void test_slip_between(void) {
  static const double dt[] = { 0.2813, 0.2193, 0.1871, 0.1413 };
  for (int i = 0; i < 4; i++) check_slip_between(dt[i]);
}

/* A push the other way is the same motion the other way, with the same divided steps: a joint may
   slip between the ends of a step to either side. */
static void test_mirrored(void) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  const double way[2][2] = { { 0.0, 1.0 }, { 0.0, -1.0 } };
  ms_joint *joint = test_joint("jenkins", "F_S", 3.6622, "K_T", 5006.9, NULL);
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 13.81));
  CHECK_OK(ms_structure_add_mass(s, 1, 23.88));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 4.117));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 6.244));
  CHECK_OK(ms_structure_take_joint(s, "slider", &joint, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  double end[2][2];
  ms_transient_count count[2];
  for (int k = 0; k < 2; k++) {
    ms_transient_setting setting = coarse_setting();
    ms_transient *run = NULL;
    setting.step = 0.2973;
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_OK(ms_transient_add_load(run, way[k], sine_between, NULL, HUGE_VAL));
    CHECK_OK(ms_transient_run(run, 400, 400, NULL, NULL));
    ms_transient_get_coordinates(run, end[k], NULL, NULL);
    count[k] = ms_transient_get_count(run);
    ms_transient_destroy(&run);
  }
  for (int i = 0; i < 2; i++) CHECK_NEAR(end[1][i], -end[0][i], 1e-12);
  CHECK_EQUAL(count[1].divided, count[0].divided);
  ms_structure_destroy(&s);
}

/* Two joints that slip from the first step on, one to ground and one between the masses: the error
   is bounded by the largest row of S, here (sqrt(K_1 K_2)/m_1 + K_2 (1/m_1 + 1/m_2)) dt^2/12, of
   parts a quarter of that and so on. */
static void test_threshold(void) {
  const double m[] = { 2.385, 0.71 }, K[] = { 131.0, 89.0 }, dt = 0.0231;
  const ptrdiff_t ground = MS_GROUND, first = 0, second = 1;
  const double e = dt * dt / 12.0 * (sqrt(K[0] * K[1]) / m[0] + K[1] * (1.0 / m[0] + 1.0 / m[1]));
  const double limit[] = { 1.003 * e, 0.997 * e, 0.253 * e, 0.247 * e };
  const ptrdiff_t parts[] = { 1, 2, 2, 4 };
  ms_joint *a = test_joint("jenkins", "F_S", 1.3e-6, "K_T", K[0], NULL);
  ms_joint *b = test_joint("jenkins", "F_S", 1.7e-6, "K_T", K[1], NULL);
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (int i = 0; i < 2; i++) CHECK_OK(ms_structure_add_mass(s, i, m[i]));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 1.7));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 2.3));
  CHECK_OK(ms_structure_take_joint(s, "a", &a, &ground, &first));
  CHECK_OK(ms_structure_take_joint(s, "b", &b, &first, &second));
  CHECK_OK(ms_structure_setup(s));
  for (int k = 0; k < 4; k++) {
    ms_transient_setting setting = coarse_setting();
    ms_transient *run = NULL;
    setting.step = dt;
    setting.divide = limit[k];
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_OK(ms_transient_start(run, 0.0, NULL, (const double[]) { 1.3, 3.1 }));
    CHECK_OK(ms_transient_run(run, 1, 1, NULL, NULL)); /* its motion is not known yet */
    CHECK_EQUAL(ms_transient_get_count(run).steps, parts[k]);
    CHECK_EQUAL(ms_transient_get_count(run).divided, k > 0);
    CHECK_EQUAL(ms_transient_get_count(run).coarse, 0);
    ms_transient_destroy(&run);
  }
  ms_structure_destroy(&s);
}

/* What takes part is seen by how it moves: omega, its steps in a period, the reason for doubt. */
static void test_resolution(void) {
  const double v[] = { 1.3, -0.4 };
  ms_structure *s = make_structure(test_joint("jenkins", "F_S", 1e6, "K_T", 9.3, NULL));
  const double fast = ms_structure_get_stuck(s).omega[1];
  const char *method[] = { "newmark", "exponential" };
  for (int k = 0; k < 2; k++) {
    for (int coarse = 0; coarse < 2; coarse++) {
      ms_transient_setting setting = coarse_setting();
      const double steps = coarse ? 3.7 : 31.3;
      ms_transient *run = NULL;
      setting.method = method[k];
      setting.step = 2.0 * pi / fast / steps;
      CHECK_OK(ms_transient_create(s, &setting, &run));
      CHECK_TEXT(doubts(&(ms_transient_quality) { 0 }), "");
      CHECK_OK(ms_transient_start(run, 0.0, NULL, v));
      CHECK_OK(ms_transient_run(run, 2000, 1, NULL, NULL));
      ms_transient_quality q = ms_transient_get_quality(run);
      CHECK_EQUAL(q.mode, 1);
      CHECK_CLOSE(q.omega, fast, 0.15); /* a mean over some 200 of the steps, at any phase */
      CHECK_CLOSE(q.steps, steps, 0.15);
      CHECK(q.share > 0.1 && q.share < 1.0);
      if (coarse) CHECK_HAS(doubts(&q), "time step is too coarse: mode 2");
      if (!coarse) CHECK_TEXT(doubts(&q), "");
      CHECK_BELOW(q.balance, 1e-10);
      ms_transient_destroy(&run);
    }
  }
  ms_structure_destroy(&s);
}

/* Two masses apart: the fast one takes part from 1 % of the kinetic energy on. */
static void test_share(void) {
  static const double share[] = { 0.0077, 0.013 }, omega[] = { 2.9, 11.3 };
  for (int k = 0; k < 2; k++) {
    const double v[] = { sqrt(1.0 - share[k]), sqrt(share[k]) };
    ms_transient_setting setting = coarse_setting();
    ms_structure *s = NULL;
    ms_transient *run = NULL;
    setting.step = 2.0 * pi / omega[1] / 31.3;
    CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
    for (int i = 0; i < 2; i++) {
      CHECK_OK(ms_structure_add_mass(s, i, 1.13));
      CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, 1.13 * omega[i] * omega[i]));
    }
    CHECK_OK(ms_structure_setup(s));
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_OK(ms_transient_start(run, 0.0, NULL, v));
    CHECK_OK(ms_transient_run(run, 4000, 1, NULL, NULL));
    const ms_transient_quality q = ms_transient_get_quality(run);
    CHECK_EQUAL(q.mode, k);
    CHECK_CLOSE(q.share, k ? share[k] : 1.0 - share[k], 0.1);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
}

/* What is too few steps, 20 for newmark and 10 for exponential, unless the error chooses them; and
   what is too much energy missing, 1 %. */
static void test_limits(void) {
  static const char *const method[] = { "newmark", "exponential" };
  ms_structure *s = make_structure(make_joint(3, 2208.0));
  for (int k = 0; k < 4; k++) {
    ms_transient_setting setting = coarse_setting();
    ms_transient *run = NULL;
    setting.method = method[k % 2];
    setting.tolerance = k < 2 ? 0.0 : 1e-5;
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_NEAR(ms_transient_get_quality(run).steps_least, k == 0 ? 20.0 : k == 1 ? 10.0 : 0.0, 0.0);
    ms_transient_destroy(&run);
  }
  ms_structure_destroy(&s);
  CHECK_TEXT(doubts(&(ms_transient_quality) { .balance = 0.0099 }), "");
  CHECK_HAS(doubts(&(ms_transient_quality) { .balance = 0.0101 }), "off by 1.01 %");
  CHECK_TEXT(doubts(&(ms_transient_quality) { .steps = 20.0, .steps_least = 20.0 }), "");
  CHECK_HAS(doubts(&(ms_transient_quality) { .steps = 19.9, .steps_least = 20.0 }), "too coarse");
}

/* Steps are looked at without a pattern, which could meet the same phase again and again. */
static void test_any_phase(void) {
  static const double steps[] = { 20.0, 32.0, 40.0, 64.0 };
  const double omega = 2.0 * pi * 1.7, v = 1.3;
  for (int k = 0; k < 4; k++) {
    ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
    ms_structure *s = NULL;
    ms_transient *run = NULL;
    setting.method = "exponential"; /* exact: the phase does not drift */
    setting.step = 2.0 * pi / omega / steps[k];
    CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
    CHECK_OK(ms_structure_add_mass(s, 0, 1.13));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 1.13 * omega * omega));
    CHECK_OK(ms_structure_setup(s));
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_OK(ms_transient_start(run, 0.0, NULL, &v));
    CHECK_OK(ms_transient_run(run, 20000, 1, NULL, NULL));
    CHECK_CLOSE(ms_transient_get_quality(run).omega, omega, 0.05);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
}

/* Over a step of the exponential method the work of a load, a line along a cubic, and that of a
   damper close the balance to the fourth order: twice the steps, a sixteenth of it. */
static void test_work_of_line(void) {
  const double omega = 2.0 * pi * 1.7, shape = 1.0, zeta = 0.037;
  double balance[2];
  for (int k = 0; k < 2; k++) {
    ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
    ms_structure *s = NULL;
    ms_transient *run = NULL;
    const ptrdiff_t n = 70 << k;
    setting.method = "exponential";
    setting.step = 6.1 / (double)n;
    CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
    CHECK_OK(ms_structure_add_mass(s, 0, 1.13));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 1.13 * omega * omega));
    CHECK_OK(ms_structure_set_modal_damping(s, &zeta));
    CHECK_OK(ms_structure_setup(s));
    CHECK_OK(ms_transient_create(s, &setting, &run));
    CHECK_OK(ms_transient_add_load(run, &shape, sine, NULL, HUGE_VAL));
    CHECK_OK(ms_transient_run(run, n, 1, NULL, NULL));
    balance[k] = ms_transient_get_quality(run).balance;
    printf("# %td steps: balance %.3g\n", n, balance[k]);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
  CHECK_BELOW(balance[1], balance[0] / 12.0);
}

/* Nothing is put in where nothing pushes: the balance is held against the energy at the start. */
static void test_ringing(void) {
  const double v[] = { 1.3, -0.4 };
  ms_structure *s = make_structure(test_joint("jenkins", "F_S", 0.71, "K_T", 9.3, NULL));
  ms_transient_setting setting = coarse_setting();
  ms_transient *run = NULL;
  ms_transient_energy e = { 0 };
  setting.method = "newmark";
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, v));
  CHECK_OK(ms_transient_run(run, 300, 1, NULL, NULL));
  CHECK_OK(ms_transient_get_energy(run, &e));
  const ms_transient_quality q = ms_transient_get_quality(run);
  CHECK(e.input == 0.0 && e.start > 1.0);
  CHECK(q.balance > 1e-6);
  CHECK_CLOSE(q.balance, fabs(e.balance) / e.start, 1e-12);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* Saved between two parts and taken up by another run, it goes on to the last bit. */
static void test_restore(void) {
  ms_structure *s = make_structure(make_joint(3, 2208.0));
  ms_transient_setting setting = coarse_setting();
  ms_transient *first = NULL;
  double saved[400], u[2], want[2];
  CHECK_OK(ms_transient_create(s, &setting, &first));
  CHECK_OK(ms_transient_add_load(first, (const double[]) { 1.0, 0.0 }, sine, NULL, HUGE_VAL));
  CHECK_OK(ms_transient_run(first, 57, 1, NULL, NULL));
  CHECK(ms_transient_save_size(first) <= 400);
  const ptrdiff_t n = ms_transient_save_size(first);
  CHECK_OK(ms_transient_save(first, saved));
  CHECK_OK(ms_transient_run(first, 103, 1, NULL, NULL));
  ms_transient_get_coordinates(first, want, NULL, NULL);
  const ms_transient_quality before = ms_transient_get_quality(first);
  CHECK_OK(ms_transient_load(first, saved, n));
  CHECK_OK(ms_transient_run(first, 103, 1, NULL, NULL));
  ms_transient_get_coordinates(first, u, NULL, NULL);
  const ms_transient_quality after = ms_transient_get_quality(first);
  CHECK(u[0] == want[0] && u[1] == want[1]);
  CHECK(before.omega == after.omega && before.balance == after.balance);
  ms_transient_destroy(&first);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_peak);
  TEST(test_doubts);
  TEST(test_benign);
  TEST(test_stiff_and_held);
  TEST(test_slip_between);
  TEST(test_mirrored);
  TEST(test_threshold);
  TEST(test_resolution);
  TEST(test_share);
  TEST(test_limits);
  TEST(test_any_phase);
  TEST(test_work_of_line);
  TEST(test_ringing);
  TEST(test_restore);
  return test_finish();
}
