/* Derivatives through whole histories, of every law of the registry, against differences of the
   whole history. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"

enum { N_STEP = 400, N_DIR = 5, MAX_AXIS = MS_JOINT_MAX_AXIS };

/* The history is in + x[0] D_0 + x[1] D_1 + ...: every direction moves all inputs at once. */
typedef struct tangent_history {
  ms_joint_input in[N_STEP];
  double u[N_STEP][MAX_AXIS][N_DIR], v[N_STEP][MAX_AXIS][N_DIR];
  double dt[N_STEP][N_DIR], alpha[N_STEP][N_DIR], k[N_STEP][N_DIR];
  double start[MAX_AXIS], d_start[MAX_AXIS][N_DIR];
  int n_axis, load;
} tangent_history;

/* ---- histories ---- */

/* Three frequencies that never meet, growing from microslip far into macroslip and back. */
static double wave(double i, int a, double size) {
  double t = 0.19 * i + 0.6 * a, envelope = 0.04 + 1.7 * pow(sin(3.02 * i / N_STEP), 2.0);
  return size * envelope * (0.8 * sin(t) + 0.47 * sin(2.618 * t + 0.4) + 0.3 * cos(0.433 * t + a));
}

static void make_waves(const ms_joint *j, tangent_history *h) {
  double dt = 1.3e-3, scale = test_scale(j);
  for (int i = 0; i < N_STEP; i++) {
    h->in[i] = (ms_joint_input)MS_JOINT_INPUT_DEFAULT;
    h->in[i].dt = dt;
    for (int a = 0; a < h->n_axis; a++) {
      h->in[i].u[a] = wave(i, a, scale);
      h->in[i].v[a] = (wave(i + 0.01, a, scale) - wave(i - 0.01, a, scale)) / (0.02 * dt);
    }
  }
}

/* Two hundred reversals that decay, then a growing motion that closes all those loops. The axes are
   not in proportion: under a load that is one of them, every slip would begin in the same slider.
 */
static void make_ring_down(const ms_joint *j, tangent_history *h) {
  make_waves(j, h);
  for (int i = 0; i < N_STEP; i++) {
    double size = i < 200 ? 1.3 * exp(-0.013 * i) : 0.09 + 0.0081 * (i - 200);
    double phase = i < 200 ? (i % 2 ? -1.0 : 1.0) : sin(0.37 * i);
    for (int a = 0; a < h->n_axis; a++) {
      double apart = 0.083 * a * sin(0.77 * i);
      h->in[i].u[a] = test_scale(j) * size * (phase * (1.0 - 0.17 * a) + apart);
    }
  }
}

static void make_wandering(const ms_joint *j, unsigned seed, tangent_history *h) {
  test_history w = test_wander(j, seed, h->load);
  for (int i = 0; i < N_STEP; i++) h->in[i] = *test_next(&w);
}

static void add_load(tangent_history *h) {
  for (int i = 0; i < N_STEP; i++) {
    h->in[i].alpha = 1.0 + 0.7 * sin(0.131 * i + 0.3);
    h->in[i].k = 1.1 + 0.4 * cos(0.087 * i);
  }
}

static void add_directions(double scale, tangent_history *h) {
  for (int k = 0; k < N_DIR; k++) {
    for (int i = 0; i < N_STEP; i++) {
      double t = (0.11 + 0.07 * k) * i + k;
      for (int a = 0; a < h->n_axis; a++) {
        h->u[i][a][k] = scale * cos(t + 1.3 * a);
        h->v[i][a][k] = -40.0 * scale * sin(1.1 * t + a);
      }
      h->dt[i][k] = 1e-4 * sin(0.3 * t);
      h->alpha[i][k] = h->load ? 0.3 * cos(0.7 * t) : 0.0;
      h->k[i][k] = h->load ? 0.2 * sin(0.9 * t + 0.2) : 0.0;
    }
    for (int a = 0; a < h->n_axis; a++) h->d_start[a][k] = scale * (0.3 + 0.2 * k - 0.4 * a);
  }
  for (int a = 0; a < h->n_axis; a++) h->start[a] = scale * (0.21 - 0.1 * a);
}

/* ---- differences ---- */

static void run_displaced(ms_joint *j, const tangent_history *h, int k, double x,
                          double force[N_STEP][MAX_AXIS]) {
  double start[MAX_AXIS] = { 0.0 };
  for (int a = 0; a < h->n_axis; a++) start[a] = h->start[a] + x * h->d_start[a][k];
  CHECK_OK(ms_joint_start(j, start));
  for (int i = 0; i < N_STEP; i++) {
    ms_joint_input in = h->in[i];
    ms_joint_output out;
    for (int a = 0; a < h->n_axis; a++) {
      in.u[a] += x * h->u[i][a][k];
      in.v[a] += x * h->v[i][a][k];
    }
    in.dt += x * h->dt[i][k];
    in.alpha += x * h->alpha[i][k];
    in.k += x * h->k[i][k];
    CHECK_OK(ms_joint_step(j, &in, &out));
    memcpy(force[i], out.force, (size_t)h->n_axis * sizeof(double));
  }
}

/* Central, fourth order; the step is so small that no corner lies within it, which for sliders,
   each with its own, takes a smaller one. */
static double step = 2e-6;
#define SLIDER_STEP 1e-7
#define LOADED_STEP 5e-7 /* slip begins and ends in more places */
static double difference[N_DIR][N_STEP][MAX_AXIS];

static void take_differences(ms_joint *j, const tangent_history *h) {
  static double force[4][N_STEP][MAX_AXIS];
  static const double at[4] = { -2.0, -1.0, 1.0, 2.0 };
  for (int k = 0; k < N_DIR; k++) {
    for (int p = 0; p < 4; p++) run_displaced(j, h, k, at[p] * step, force[p]);
    for (int i = 0; i < N_STEP; i++) {
      for (int a = 0; a < h->n_axis; a++) {
        double near = force[2][i][a] - force[1][i][a], far = force[3][i][a] - force[0][i][a];
        difference[k][i][a] = (8.0 * near - far) / (12.0 * step);
      }
    }
  }
}

/* ---- comparison ---- */

static double largest_difference(int n_axis) {
  double largest = 0.0;
  for (int k = 0; k < N_DIR; k++) {
    for (int i = 0; i < N_STEP; i++) {
      for (int a = 0; a < n_axis; a++) largest = fmax(largest, fabs(difference[k][i][a]));
    }
  }
  return largest;
}

/* Largest error over the largest derivative. The force itself must be that of the joint alone. */
static double tangent_error(ms_joint *j, const tangent_history *h, ms_tangent *t) {
  static double force[N_STEP][MAX_AXIS];
  double largest = largest_difference(h->n_axis), worst = 0.0, top = 0.0, apart = 0.0;
  run_displaced(j, h, 0, 0.0, force);
  CHECK_OK(ms_tangent_start(t, h->start, &h->d_start[0][0]));
  for (int i = 0; i < N_STEP; i++) {
    double dforce[MAX_AXIS][N_DIR];
    ms_joint_output out;
    ms_tangent_input d = { .u = &h->u[i][0][0], .v = &h->v[i][0][0], .dt = h->dt[i] };
    if (h->load) d.alpha = h->alpha[i], d.k = h->k[i];
    if (!CHECK_OK(ms_tangent_step(t, &h->in[i], &d, &out, &dforce[0][0]))) return HUGE_VAL;
    for (int a = 0; a < h->n_axis; a++) {
      top = fmax(top, fabs(force[i][a]));
      apart = fmax(apart, fabs(out.force[a] - force[i][a]));
      for (int k = 0; k < N_DIR; k++) {
        double error = fabs(dforce[a][k] - difference[k][i][a]);
        if (!(error <= worst)) worst = error;
      }
    }
  }
  CHECK_BELOW(apart, 1e-13 * top + 1e-300); /* merging is off in the one, on in the other */
  return worst / fmax(largest, 1e-300);
}

#define TOLERANCE 1e-8

static void check_history(ms_joint *j, ms_tangent *t, tangent_history *h, const char *what) {
  add_directions(test_scale(j), h);
  take_differences(j, h);
  double error = tangent_error(j, h, t);
  printf("# %s, %s: error %.2g of the largest derivative %.3g\n", ms_joint_info(j)->name, what,
         error, largest_difference(h->n_axis));
  CHECK_BELOW(error, TOLERANCE);
}

/* ---- looking ahead, other directions ---- */

static double through[N_STEP][MAX_AXIS][N_DIR];

static const double mix[N_DIR][N_DIR] = { /* column by column: new directions out of the old */
                                          { 0.7, -0.2, 0.3, 0.1, 0.4 },
                                          { 0.3, 1.1, -0.6, 0.2, 0.0 },
                                          { -0.5, 0.4, 0.9, 0.0, 0.3 },
                                          { 0.2, 0.0, 0.1, -1.3, 0.6 },
                                          { 0.0, 0.0, 0.0, 0.0, 0.0 }
};

static double mixed(const double *x, int k) {
  double sum = 0.0;
  for (int l = 0; l < N_DIR; l++) sum += x[l] * mix[k][l];
  return sum;
}

/* dforce of a step is what look says, and du, dv times the step's own; returns the worst error. */
static double look_error(ms_tangent *t, const tangent_history *h) {
  const int n = h->n_axis;
  double worst = 0.0;
  CHECK_OK(ms_tangent_start(t, h->start, &h->d_start[0][0]));
  for (int i = 0; i < N_STEP; i++) {
    double ahead[MAX_AXIS][N_DIR];
    ms_joint_output seen, out;
    ms_tangent_input d = { .u = &h->u[i][0][0], .v = &h->v[i][0][0] };
    if (!CHECK_OK(ms_tangent_look(t, &h->in[i], &seen, &ahead[0][0]))) return HUGE_VAL;
    CHECK_OK(ms_tangent_step(t, &h->in[i], &d, &out, &through[i][0][0]));
    for (int ak = 0; ak < n * N_DIR; ak++) {
      int a = ak / N_DIR, k = ak % N_DIR;
      double sum = ahead[a][k];
      for (int b = 0; b < n; b++) {
        sum += seen.du[a + n * b] * h->u[i][b][k] + seen.dv[a + n * b] * h->v[i][b][k];
      }
      worst = fmax(worst, fabs(sum - through[i][a][k]));
    }
  }
  return worst;
}

/* The same history, directions mixed half-way: derivatives must be those of before, mixed. */
static double mix_error(ms_tangent *t, const tangent_history *h) {
  double worst = 0.0;
  CHECK_OK(ms_tangent_start(t, h->start, &h->d_start[0][0]));
  for (int i = 0; i < N_STEP; i++) {
    double u[MAX_AXIS][N_DIR], v[MAX_AXIS][N_DIR], dforce[MAX_AXIS][N_DIR];
    ms_joint_output out;
    if (i == N_STEP / 2) ms_tangent_combine(t, &mix[0][0]);
    const int late = i >= N_STEP / 2;
    for (int ak = 0; ak < h->n_axis * N_DIR; ak++) {
      int a = ak / N_DIR, k = ak % N_DIR;
      u[a][k] = late ? mixed(h->u[i][a], k) : h->u[i][a][k];
      v[a][k] = late ? mixed(h->v[i][a], k) : h->v[i][a][k];
    }
    ms_tangent_input d = { .u = &u[0][0], .v = &v[0][0] };
    if (!CHECK_OK(ms_tangent_step(t, &h->in[i], &d, &out, &dforce[0][0]))) return HUGE_VAL;
    for (int ak = 0; late && ak < h->n_axis * N_DIR; ak++) {
      int a = ak / N_DIR, k = ak % N_DIR;
      worst = fmax(worst, fabs(dforce[a][k] - mixed(through[i][a], k)));
    }
  }
  return worst;
}

static void check_disturbances(ms_tangent *t, const tangent_history *h) {
  double largest = 0.0, look = look_error(t, h), mixing = mix_error(t, h);
  for (int i = 0; i < N_STEP * MAX_AXIS * N_DIR; i++) {
    largest = fmax(largest, fabs((&through[0][0][0])[i]));
  }
  printf("# looking ahead: error %.2g, mixing: %.2g of the largest derivative\n",
         look / fmax(largest, 1e-300), mixing / fmax(largest, 1e-300));
  CHECK_BELOW(look, 1e-12 * largest + 1e-300);
  CHECK_BELOW(mixing, 1e-11 * largest + 1e-300);
}

static void check_joint(ms_joint *j) {
  static tangent_history h;
  ms_tangent *t = NULL;
  if (!CHECK_OK(ms_tangent_create(j, N_DIR, &t))) return;
  h = (tangent_history) { .n_axis = ms_joint_info(j)->n_axis };
  make_waves(j, &h);
  check_history(j, t, &h, "waves");
  check_disturbances(t, &h);
  make_wandering(j, 23, &h);
  check_history(j, t, &h, "wandering");
  make_ring_down(j, &h);
  check_history(j, t, &h, "ring-down");
  h.load = 1;
  make_waves(j, &h);
  add_load(&h);
  check_history(j, t, &h, "waves under a varying load");
  make_wandering(j, 29, &h);
  check_history(j, t, &h, "wandering under a varying load");
  ms_tangent_destroy(&t);
}

/* ---- over the registry ---- */

static const ms_law_info *law;
static void test_law(void) {
  ms_joint *j = test_typical(law->name);
  if (j) check_joint(j);
  ms_joint_destroy(&j);
}

/* ---- the same laws in other forms ---- */

static void check_finely(ms_joint *j, double fine) {
  double usual = step;
  step = fine;
  check_joint(j);
  step = usual;
}

static void check_sliders(ms_joint *j) {
  check_finely(j, SLIDER_STEP);
}

/* Under a normal spring, with the law's stiffness constant and rising with the load. */
static void test_under_load(void) {
  for (int stiffening = 0; stiffening < 2; stiffening++) {
    ms_joint *j = test_loaded(test_typical(law->name), stiffening);
    if (j) check_finely(j, LOADED_STEP);
    ms_joint_destroy(&j);
  }
}

static void test_sliders(void) {
  ms_joint *j = test_joint("iwan6", "F_S", 2.385, "K_T", 1.71, "chi", -0.31, "beta", 0.4,
                           "phi_ratio", 0.12, "K_inf", 0.23, "sliders", 37.0, NULL);
  if (j) check_sliders(j);
  ms_joint_destroy(&j);
}

/* Sliders with a drop: their force jumps, but no jump lies within the step of the differences. */
static void test_sliders_with_drop(void) {
  ms_joint *j = test_joint("iwan5", "F_S", 2.385, "K_T", 1.71, "chi", -0.31, "beta", 0.4, "theta",
                           0.72, "sliders", 37.0, NULL);
  if (j) check_sliders(j);
  ms_joint_destroy(&j);
}

/* Surfaces that part and meet again, from a preload and from a gap. */
static void test_lift_off(void) {
  ms_joint *j = test_joint("contact3d", "mu", 1.3, "K_n", 2.9, "K_t", 0.71, "N_0", 2.385, NULL);
  if (j) check_joint(j);
  ms_joint_destroy(&j);
  j = test_joint("contact3d", "mu", 0.6, "K_n", 2.9, "K_t", 0.71, "N_0", 0.0, "gap", 0.83, NULL);
  if (j) check_joint(j);
  ms_joint_destroy(&j);
}

static void test_parallel(void) {
  static const int swapped[2] = { 2, 0 }, last[1] = { 2 };
  ms_joint *whole = NULL, *a = test_typical("jenkins2d"), *b = test_typical("iwan4"),
           *c = test_typical("linear");
  CHECK_OK(ms_joint_create_parallel(test_context(), 3, &whole));
  CHECK_OK(ms_joint_take_member(whole, &a, swapped));
  CHECK_OK(ms_joint_take_member(whole, &b, last));
  CHECK_OK(ms_joint_take_member(whole, &c, NULL));
  CHECK_OK(ms_joint_setup(whole));
  check_joint(whole);
  ms_joint_destroy(&whole);
}

int main(void) {
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    law = ms_joint_get_law(i);
    TEST(test_law);
    if (law->flags & MS_LAW_NORMAL && law->n_axis < MAX_AXIS) TEST(test_under_load);
  }
  TEST(test_sliders);
  TEST(test_sliders_with_drop);
  TEST(test_lift_off);
  TEST(test_parallel);
  return test_finish();
}
