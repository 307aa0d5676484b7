/* What every law of the registry must keep, by itself and, where it feels a normal load, under that
   of a spring. Adding a law adds its tests. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint/impl.h"
#include "support/check.h"
#include "support/joints.h"

static const ms_law_info *law; /* the one being tested */
static int loaded;             /* under a normal spring: then of one axis more */

static ms_joint *typical(void) {
  ms_joint *j = test_typical(law->name);
  return loaded ? test_loaded(j, 0) : j;
}

/* ---- the table ---- */

static void test_table(void) {
  CHECK(law->name && law->title && law->reference && law->param);
  CHECK(law->n_axis >= 1 && law->n_axis <= MS_JOINT_MAX_AXIS);
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    CHECK(p->name && p->unit && p->meaning);
    CHECK(p->lower <= p->upper);
    CHECK(p->kind != MS_PARAM_CHOICE || p->choices);
    for (int k = 0; k < i; k++) CHECK(strcmp(p->name, law->param[k].name) != 0);
  }
}

static void test_bounds_refused(void) {
  ms_context *ctx = test_context();
  ms_joint *j = typical();
  for (int i = 0; j && i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    CHECK_STATUS(ms_joint_set(j, p->name, NAN), MS_ERR_BOUNDS);
    CHECK_STATUS(ms_joint_set(j, p->name, HUGE_VAL), MS_ERR_BOUNDS);
    if (p->lower > -HUGE_VAL) {
      double below = p->open & 1 ? p->lower : p->lower - 0.37;
      CHECK_STATUS(ms_joint_set(j, p->name, below), MS_ERR_BOUNDS);
      CHECK_HAS(ms_context_message(ctx), p->name);
      if (p->why) CHECK_HAS(ms_context_message(ctx), p->why);
    }
    if (p->upper < HUGE_VAL) {
      double above = p->open & 2 ? p->upper : p->upper * 1.01 + 0.37;
      CHECK_STATUS(ms_joint_set(j, p->name, above), MS_ERR_BOUNDS);
    }
  }
  ms_joint_destroy(&j);
}

static void test_input_refused(void) {
  ms_joint *j = typical();
  ms_joint_output out;
  ms_joint_trial trial;
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  in.u[law->n_axis - 1] = NAN;
  CHECK_STATUS(ms_joint_update(j, &in, &out, &trial), MS_ERR_NUMERIC);
  in = (ms_joint_input)MS_JOINT_INPUT_DEFAULT;
  in.alpha = -0.1;
  CHECK_STATUS(ms_joint_update(j, &in, &out, &trial), MS_ERR_BOUNDS);
  in.alpha = 1.0;
  in.k = 0.0;
  CHECK_STATUS(ms_joint_update(j, &in, &out, &trial), MS_ERR_BOUNDS);
  ms_joint_destroy(&j);
}

/* ---- purity: a trial changes nothing ---- */

static double *saved(const ms_joint *j, ptrdiff_t *n) {
  *n = ms_joint_save_size(j);
  double *buffer = calloc((size_t)*n + 1, sizeof *buffer);
  CHECK_OK(ms_joint_save(j, buffer));
  return buffer;
}

static void check_same_state(const ms_joint *j, const double *before, ptrdiff_t n) {
  ptrdiff_t n_after;
  double *after = saved(j, &n_after);
  CHECK_EQUAL(n_after, n);
  CHECK(n_after == n && memcmp(before, after, (size_t)n * sizeof *after) == 0);
  free(after);
}

static void test_purity(void) {
  ms_joint *j = typical();
  test_history h = test_wander(j, 5, 1), other = test_wander(j, 6, 1);
  for (int i = 0; i < 200; i++) {
    ptrdiff_t n;
    double *before = saved(j, &n);
    ms_joint_output wanted, again, out;
    ms_joint_trial trial, rejected;
    const ms_joint_input *in = test_next(&h);
    memset(&wanted, 0, sizeof wanted);
    memset(&again, 0, sizeof again);
    CHECK_OK(ms_joint_update(j, in, &wanted, &trial));
    CHECK_OK(ms_joint_update(j, test_next(&other), &out, &rejected));
    check_same_state(j, before, n);
    CHECK_OK(ms_joint_update(j, in, &again, &trial));
    CHECK(memcmp(&wanted, &again, sizeof again) == 0);
    CHECK_OK(ms_joint_commit(j, &trial));
    free(before);
  }
  ms_joint_destroy(&j);
}

/* ---- derivatives against differences ---- */

/* Central and one-sided differences of force[i]; at a kink one of the three must fit. */
static void check_derivative(const ms_joint *j, const ms_joint_input *in, double *moving,
                             double step, int axis, double derivative, double force_scale,
                             const char *what) {
  ms_joint_output low, mid, high;
  ms_joint_trial trial;
  double at = *moving;
  CHECK_OK(ms_joint_update(j, in, &mid, &trial));
  *moving = at - step;
  CHECK_OK(ms_joint_update(j, in, &low, &trial));
  *moving = at + step;
  CHECK_OK(ms_joint_update(j, in, &high, &trial));
  *moving = at;
  double central = (high.force[axis] - low.force[axis]) / (2.0 * step);
  double left = (mid.force[axis] - low.force[axis]) / step;
  double right = (high.force[axis] - mid.force[axis]) / step;
  double size = fmax(fabs(derivative), 1e-3 * force_scale / step * 1e-3);
  double error =
      fmin(fabs(central - derivative), fmin(fabs(left - derivative), fabs(right - derivative)));
  if (!CHECK_NEAR(error, 0.0, 2e-4 * size)) { /* an open contact: both are 0 */
    printf("#   d force[%d] / d %s: law %.10g, differences %.10g %.10g %.10g\n", axis, what,
           derivative, left, central, right);
  }
}

static void test_slopes(void) {
  ms_joint *j = typical();
  for (int load = 0; load < 2; load++) {
    test_history h = test_wander(j, 11 + (unsigned)load, load);
    CHECK_OK(ms_joint_start(j, NULL));
    for (int i = 0; i < 300; i++) {
      ms_joint_output out;
      ms_joint_trial trial;
      test_next(&h);
      ms_joint_input *in = &h.in;
      double scale = h.scale, n = law->n_axis, force = 0.0;
      CHECK_OK(ms_joint_update(j, in, &out, &trial));
      for (int a = 0; a < n; a++) force = fmax(force, fabs(out.force[a]));
      for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
          int ab = a + law->n_axis * b;
          check_derivative(j, in, &in->u[b], 1e-6 * scale, a, out.du[ab], force, "u");
          check_derivative(j, in, &in->v[b], 1e-3 * scale, a, out.dv[ab], force, "v");
        }
        check_derivative(j, in, &in->alpha, 1e-6, a, out.dalpha[a], force, "alpha");
        check_derivative(j, in, &in->k, 1e-6, a, out.dk[a], force, "k");
      }
      CHECK_OK(ms_joint_commit(j, &trial));
    }
  }
  ms_joint_destroy(&j);
}

/* ---- energy ---- */

/* What is in the springs before anything moves: a preloaded law has some. */
static double stored_now(const ms_joint *j) {
  ms_joint_energy e = { 0.0, 0.0 };
  if (ms_joint_get_energy(j, &e) != MS_SUCCESS) ms_context_clear_message(test_context());
  return e.stored;
}

/* At a corner of a walk the velocity jumps, and with it the force of a law that depends on it: a
   step of no length has the force at the start of the next side. */
static void turn_corner(ms_joint *j, const ms_joint_input *at, const ms_joint_input *next,
                        ms_joint_output *out) {
  ms_joint_input in = *at;
  in.dt = 0.0;
  for (int a = 0; a < law->n_axis; a++) in.v[a] = (next->u[a] - at->u[a]) / next->dt;
  CHECK_OK(ms_joint_step(j, &in, out));
}

/* Closed walks at constant load: work put in is never negative, and where the law counts energies,
   work = growth of what is stored + dissipated, the trapezoidal rule's error shrinking with the
   step. */
static double walk_work(ms_joint *j, int refine, ms_joint_energy *e, double *gross) {
  test_history h = test_wander(j, 23, 0);
  ms_joint_output out = { { 0.0 }, { 0.0 }, { 0.0 }, { 0.0 }, { 0.0 } }, old;
  ms_joint_input from = MS_JOINT_INPUT_DEFAULT, in;
  double work = 0.0;
  *gross = 0.0;
  CHECK_OK(ms_joint_start(j, NULL));
  double at_start = stored_now(j);
  for (int i = 0; i < 100; i++) {
    test_next(&h);
    if (i == 99) memset(h.in.u, 0, sizeof h.in.u); /* home again */
    if (law->flags & MS_LAW_RATE) turn_corner(j, &from, &h.in, &out);
    for (int s = 1; s <= refine; s++) {
      double part = (double)s / refine;
      in = h.in;
      in.dt = h.in.dt / refine;
      for (int a = 0; a < law->n_axis; a++) {
        in.u[a] = from.u[a] + part * (h.in.u[a] - from.u[a]);
        in.v[a] = (h.in.u[a] - from.u[a]) / h.in.dt;
      }
      old = out;
      CHECK_OK(ms_joint_step(j, &in, &out));
      for (int a = 0; a < law->n_axis; a++) {
        double du = (h.in.u[a] - from.u[a]) / refine;
        work += 0.5 * (old.force[a] + out.force[a]) * du;
        *gross += fabs(0.5 * (old.force[a] + out.force[a]) * du);
      }
    }
    from = h.in;
  }
  *e = (ms_joint_energy) { NAN, NAN };
  if (ms_joint_get_energy(j, e) != MS_SUCCESS) ms_context_clear_message(test_context());
  e->stored -= at_start;
  return work;
}

static void test_energy(void) {
  ms_joint *j = typical();
  ms_joint_energy e;
  double gross, work = walk_work(j, 20, &e, &gross);
  double coarse = fabs(work - e.stored - e.dissipated), rough = work;
  work = walk_work(j, 200, &e, &gross);
  CHECK(work >= -1e-12 * gross - fabs(work - rough) / 30.0); /* the rule's own error */
  if (!isnan(e.stored)) {
    double error = fabs(work - e.stored - e.dissipated);
    CHECK(e.stored >= 0.0 && e.dissipated >= 0.0);
    CHECK_BELOW(error / gross, loaded ? 1e-3 : 1e-4); /* one law's loss takes the load at the end */
    CHECK_BELOW(error / gross, 0.3 * coarse / gross + 1e-12);
  }
  ms_joint_destroy(&j);
}

/* Each turn round a closed walk: loss counted by the law never decreases. */
static void test_loss_grows(void) {
  ms_joint *j = typical();
  ms_joint_energy e;
  if (ms_joint_get_energy(j, &e) == MS_SUCCESS) {
    test_history h = test_wander(j, 31, 1);
    double before = 0.0;
    for (int i = 0; i < 2000; i++) {
      ms_joint_output out;
      CHECK_OK(ms_joint_step(j, test_next(&h), &out));
      CHECK_OK(ms_joint_get_energy(j, &e));
      CHECK(e.dissipated >= before - 1e-13 * before);
      before = e.dissipated;
    }
  } else {
    CHECK(strlen(ms_context_message(test_context())) > 0);
  }
  ms_joint_destroy(&j);
}

/* ---- save, restore ---- */

static void test_save_restore(void) {
  ms_joint *j = typical(), *twin = typical();
  for (int load = 0; load < 2; load++) {
    ms_joint_output out, same;
    memset(&out, 0, sizeof out);
    memset(&same, 0, sizeof same);
    test_history h = test_wander(j, 41, load);
    for (int i = 0; i < 150; i++) CHECK_OK(ms_joint_step(j, test_next(&h), &out));
    ptrdiff_t n;
    double *buffer = saved(j, &n);
    CHECK_OK(ms_joint_load(twin, buffer, n));
    check_same_state(twin, buffer, n);
    for (int i = 0; i < 150; i++) {
      const ms_joint_input *in = test_next(&h);
      CHECK_OK(ms_joint_step(j, in, &out));
      CHECK_OK(ms_joint_step(twin, in, &same));
      CHECK(memcmp(&out, &same, sizeof out) == 0);
    }
    if (n > 0) {
      CHECK_STATUS(ms_joint_load(twin, buffer, n - 1), MS_ERR_FORMAT);
      buffer[0] = NAN;
      CHECK_STATUS(ms_joint_load(twin, buffer, n), MS_ERR_FORMAT);
    }
    free(buffer);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&twin);
}

/* A long ring-down, so that histories fill and are merged: a joint that has been through another
   one before, one that is fresh, and one restored half way give the same bits. */
static void ring(const ms_joint *j, int i, ms_joint_input *in) {
  *in = (ms_joint_input)MS_JOINT_INPUT_DEFAULT;
  in->dt = 1e-3;
  for (int a = 0; a < law->n_axis; a++) {
    in->u[a] = test_scale(j) * (i % 2 ? -1.0 : 1.0) * (1.2 - 1e-4 * i) * (1.0 - 0.1 * a);
  }
}

static void test_history_alone_counts(void) {
  enum { N = 9000 };
  ms_joint *used = typical(), *fresh = typical(), *restored = NULL;
  ms_joint_output a, b, c;
  ms_joint_input in;
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b), memset(&c, 0, sizeof c);
  for (int i = 0; i < N; i++) {
    ring(used, i, &in);
    CHECK_OK(ms_joint_step(used, &in, &a));
  }
  CHECK_OK(ms_joint_start(used, NULL));
  for (int i = 0; i < N; i++) {
    ring(used, i, &in);
    CHECK_OK(ms_joint_step(used, &in, &a));
    CHECK_OK(ms_joint_step(fresh, &in, &b));
    if (restored) CHECK_OK(ms_joint_step(restored, &in, &c));
    CHECK(memcmp(&a, &b, sizeof a) == 0 && (!restored || memcmp(&a, &c, sizeof a) == 0));
    if (i != N / 2) continue;
    ptrdiff_t n;
    double *buffer = saved(fresh, &n);
    restored = typical();
    CHECK_OK(ms_joint_load(restored, buffer, n));
    free(buffer);
  }
  ptrdiff_t n;
  double *buffer = saved(used, &n);
  check_same_state(fresh, buffer, n);
  check_same_state(restored, buffer, n);
  free(buffer);
  ms_joint_destroy(&used);
  ms_joint_destroy(&fresh);
  ms_joint_destroy(&restored);
}

/* A slow beat: the list of turns grows while the motion decays and is wiped out as it comes back,
   with merging in between. At every restart a fresh joint takes over from the saved numbers alone;
   it is never told apart from the one that went through all of it. */
static void beat(const ms_joint *j, int i, ms_joint_input *in) {
  *in = (ms_joint_input)MS_JOINT_INPUT_DEFAULT;
  in->dt = 1e-3;
  double size = 0.61 + 0.57 * cos(7.3e-4 * i) * cos(3.1e-3 * i) + 1e-3 * sin(2.385 * i);
  for (int a = 0; a < law->n_axis; a++) {
    in->u[a] = test_scale(j) * size * cos(3.0 * i + 0.4 * a);
    in->v[a] = -test_scale(j) * size * sin(3.0 * i + 0.4 * a);
  }
}

static void test_restored_again_and_again(void) {
  enum { EVERY = 517, N = 23 * EVERY };
  ms_joint *j = typical(), *other = typical();
  ms_joint_output a, b;
  ms_joint_input in;
  ptrdiff_t n;
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
  for (int i = 0; i < N; i++) {
    beat(j, i, &in);
    CHECK_OK(ms_joint_step(j, &in, &a));
    CHECK_OK(ms_joint_step(other, &in, &b));
    if (!CHECK(memcmp(&a, &b, sizeof a) == 0)) break;
    if (i % EVERY != EVERY - 1) continue;
    double *buffer = saved(other, &n);
    check_same_state(j, buffer, n);
    ms_joint_destroy(&other);
    other = typical();
    CHECK_OK(ms_joint_load(other, buffer, n));
    free(buffer);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&other);
}

/* ---- closed forms against stepping ---- */

static void test_virgin(void) {
  ms_joint *j = typical();
  for (int i = 0; law->n_axis == 1 && i < 40; i++) {
    double u = test_scale(j) * (i - 17.3) * 0.11, F, slope;
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
    CHECK_OK(ms_joint_start(j, NULL));
    in.u[0] = u;
    CHECK_OK(ms_joint_step(j, &in, &out));
    CHECK_NEAR(out.force[0], F, 1e-12 * fabs(F));
    CHECK_NEAR(out.du[0], slope, 1e-9 * fabs(slope));
  }
  CHECK(j != NULL);
  ms_joint_destroy(&j);
}

/* A cycle's loss against the closed form: as the law counts it, or the area of the loop by the
   trapezoidal rule, whose error falls by 4 with twice the points. */
static void check_cycle(ms_joint *j, double amplitude) {
  ms_joint_cycle c, fine;
  CHECK_OK(ms_joint_run_cycle(j, amplitude, 3.1, 200, NULL, NULL, &c));
  CHECK(c.D >= -1e-13 * fabs(c.F0) * amplitude);                /* an area has its rounding */
  CHECK_NEAR(c.K_secant * amplitude, c.F0, 1e-14 * fabs(c.F0)); /* 0 if velocity rules */
  if (!c.has_closed_form) return;
  double tolerance = 1e-9 * c.D_closed_form;
  if (!j->law->energy) {
    CHECK_OK(ms_joint_run_cycle(j, amplitude, 3.1, 400, NULL, NULL, &fine));
    tolerance = 2.0 * fabs(c.D - fine.D) + 1e-12 * fabs(c.F0) * amplitude;
    CHECK(tolerance <= 0.05 * fabs(c.F0) * amplitude); /* or nothing would be tested */
  }
  CHECK_NEAR(c.D, c.D_closed_form, tolerance);
}

static void test_cycles(void) {
  ms_joint *j = typical();
  for (int i = 0; law->n_axis == 1 && i < 12; i++) {
    check_cycle(j, test_scale(j) * pow(10.0, -3.7 + 0.41 * i));
  }
  CHECK(j != NULL);
  ms_joint_destroy(&j);
}

/* The same law if it did not count energies. */
static void test_cycles_by_area(void) {
  ms_joint *j = typical();
  ms_law bare = *j->law;
  const ms_law *own = j->law;
  bare.energy = NULL;
  j->law = &bare;
  for (int i = 0; law->n_axis == 1 && i < 12; i++) {
    check_cycle(j, test_scale(j) * pow(10.0, -3.7 + 0.41 * i));
  }
  j->law = own;
  CHECK(j != NULL);
  ms_joint_destroy(&j);
}
/* The point of the virgin curve at u = x times the slip scale, by a step and by a cycle. */
static void check_curve_point(ms_joint *j, double x) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output rest, out;
  ms_joint_cycle c;
  ms_virgin point;
  CHECK(j->law->info.flags & MS_LAW_MASING);
  CHECK_OK(ms_joint_start(j, NULL));
  CHECK_OK(ms_joint_step(j, &in, &rest));
  in.u[0] = x * test_scale(j);
  double stuck = rest.du[0] * in.u[0];
  CHECK_OK(ms_joint_step(j, &in, &out));
  CHECK_EQUAL(j->law->virgin(j->model, in.u[0], &point), 1);
  CHECK_NEAR(point.force, out.force[0], 1e-14 * fabs(stuck));
  CHECK_NEAR(point.slope, out.du[0], 1e-14 * rest.du[0]);
  CHECK_NEAR(point.slip, stuck - out.force[0], 1e-14 * fabs(stuck));
  CHECK_OK(ms_joint_run_cycle(j, fabs(in.u[0]), 3.1, 200, NULL, NULL, &c));
  CHECK_NEAR(point.loss, c.D, 1e-12 * c.D);
}

/* Laws that know their curve, in both directions from microslip through macroslip. */
static void test_curve(void) {
  ms_joint *j = typical();
  ms_virgin point;
  int knows = j && j->law->virgin && j->law->virgin(j->model, 0.0, &point);
  for (int i = 0; knows && i < 30; i++) {
    check_curve_point(j, (i % 2 ? -1.0 : 1.0) * pow(10.0, -3.1 + 0.117 * i));
  }
  CHECK(j != NULL);
  ms_joint_destroy(&j);
}

/* ---- Masing's rules ---- */

/* To u in five steps, the force there. */
static double lead(ms_joint *j, double from, double to) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out = { .force = { NAN } };
  in.dt = 1e-3;
  for (int i = 1; i <= 5; i++) {
    in.u[0] = from + (to - from) * i / 5.0;
    in.v[0] = (to - from) / 5.0 / in.dt;
    CHECK_OK(ms_joint_step(j, &in, &out));
  }
  return out.force[0];
}

static double virgin(ms_joint *j, double u) {
  double F = NAN, slope;
  CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
  return F;
}

/* What the flag promises, each as the worst error over the largest force. */
typedef struct masing_faults {
  double branch;  /* a reversal at (u_1, F_1) leads on along F_1 + 2 f((u - u_1)/2) */
  double beyond;  /* ... and beyond its mirror image along the virgin curve f */
  double closing; /* a smaller loop closes, and the branch goes on as if it had not been */
} masing_faults;

static masing_faults find_faults(ms_joint *j, double u_1) {
  const double u_2 = -0.37 * u_1, u_3 = 0.29 * u_1, on = -0.83 * u_1, out = -1.43 * u_1;
  const double size = fabs(virgin(j, out)), F_1 = virgin(j, u_1), after = virgin(j, out);
  const double half = virgin(j, 0.5 * (u_1 - u_2)), more = virgin(j, 0.5 * (u_1 - on));
  CHECK_OK(ms_joint_start(j, NULL)); /* without the smaller loop */
  double branch = fabs(lead(j, 0.0, u_1) - F_1);
  const double F_2 = lead(j, u_1, u_2), F_on = lead(j, u_2, on);
  branch = fmax(branch, fmax(fabs(F_2 - (F_1 - 2.0 * half)), fabs(F_on - (F_1 - 2.0 * more))));
  CHECK_OK(ms_joint_start(j, NULL)); /* with it */
  lead(j, 0.0, u_1);
  lead(j, u_1, u_2);
  lead(j, u_2, u_3);
  const double closed = fabs(lead(j, u_3, u_2) - F_2);
  const double closing = fmax(closed, fabs(lead(j, u_2, on) - F_on));
  const double beyond = fabs(lead(j, on, out) - after);
  return (masing_faults) { branch / size, beyond / size, closing / size };
}

/* Of a law with the flag none of the rules is broken, from microslip through macroslip; merging may
   cost 1e-12 of the strength. */
static void test_masing(void) {
  ms_joint *j = typical();
  for (int i = 0; (law->flags & MS_LAW_MASING) && i < 9; i++) {
    masing_faults fault = find_faults(j, test_scale(j) * pow(10.0, -1.7 + 0.27 * i));
    CHECK_BELOW(fault.branch, 1e-11);
    CHECK_BELOW(fault.beyond, 1e-11);
    CHECK_BELOW(fault.closing, 1e-11);
  }
  CHECK(law->n_axis == 1 || !(law->flags & MS_LAW_MASING));
  ms_joint_destroy(&j);
}

/* The test itself: laws that follow the virgin curve of their kind and yet break the rules. */
static void test_masing_is_tested(void) {
  ms_joint *drifts = test_typical("bouc_wen"),
           *returns = test_joint("cubic", "K", 31.7, "K3", 2.3e9, NULL);
  masing_faults fault = find_faults(drifts, 0.71 * test_scale(drifts));
  CHECK(fault.closing > 1e-4 && fault.beyond > 1e-4);
  fault = find_faults(returns, 1.71 * test_scale(returns));
  CHECK(fault.branch > 1e-4 && fault.closing < 1e-11);
  ms_joint_destroy(&drifts);
  ms_joint_destroy(&returns);
}

/* Start forgets everything: the same history then gives the same numbers. */
static void test_start(void) {
  ms_joint *j = typical();
  const double at[MS_JOINT_MAX_AXIS] = { 0.0, 0.0, 0.0 };
  ms_joint_output first, second;
  memset(&first, 0, sizeof first);
  memset(&second, 0, sizeof second);
  test_history h = test_wander(j, 51, 0), again = test_wander(j, 51, 0);
  for (int i = 0; i < 40; i++) CHECK_OK(ms_joint_step(j, test_next(&h), &first));
  CHECK_OK(ms_joint_start(j, at));
  for (int i = 0; i < 40; i++) CHECK_OK(ms_joint_step(j, test_next(&again), &second));
  CHECK(memcmp(&first, &second, sizeof first) == 0);
  ms_joint_destroy(&j);
}

/* ---- memory ---- */

static ms_status live_through(ms_context *ctx, void *user) {
  ms_joint *j = NULL;
  ms_status status = ms_joint_create(ctx, user, &j);
  if (status == MS_SUCCESS) status = ms_joint_set_typical(j);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);   /* a second time, over the first */
  for (int i = 0; status == MS_SUCCESS && i < 400; i++) { /* a ring-down: histories grow */
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    for (int a = 0; a < law->n_axis; a++) {
      in.u[a] = test_scale(j) * (i % 2 ? -1.0 : 1.0) * pow(0.99, i);
    }
    status = ms_joint_step(j, &in, &out);
  }
  ms_joint_destroy(&j);
  CHECK(j == NULL);
  return status;
}

static void test_memory_failures(void) {
  char name[64];
  snprintf(name, sizeof name, "%s", law->name);
  CHECK(test_allocations(live_through, name) >= 5);
}

static void test_histories(void) {
  TEST(test_input_refused);
  TEST(test_purity);
  TEST(test_slopes);
  TEST(test_energy);
  TEST(test_loss_grows);
  TEST(test_save_restore);
  TEST(test_history_alone_counts);
  TEST(test_restored_again_and_again);
  TEST(test_start);
}

int main(void) {
  TEST(test_masing_is_tested);
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    law = ms_joint_get_law(i);
    printf("# law %s\n", law->name);
    TEST(test_table);
    TEST(test_bounds_refused);
    test_histories();
    TEST(test_virgin);
    TEST(test_cycles);
    TEST(test_cycles_by_area);
    TEST(test_masing);
    TEST(test_curve);
    TEST(test_memory_failures);
    if (!(law->flags & MS_LAW_NORMAL) || law->n_axis == MS_JOINT_MAX_AXIS) continue;
    ms_law_info composed = *law;
    composed.n_axis++;
    law = &composed;
    loaded = 1;
    printf("# law %s under a normal spring\n", law->name);
    test_histories();
    loaded = 0;
  }
  return test_finish();
}
