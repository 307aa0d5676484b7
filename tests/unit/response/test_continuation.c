/* Following curves: those that close, and those that only come near themselves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "response/harmonic/continuation.h"
#include "support/check.h"

/* x = r cos phi, lambda = 5.3 + r sin phi, r = 1.7 - b phi: a circle, or with b > 0 a spiral.
   Lengths are taken in the plane; phi has no weight, so it does not tell one turn from the next. */
typedef struct spiral {
  double b;
  double turned; /* largest phi */
} spiral;

static ms_status eval(void *self, const double *x, double *R, double *J, double *size) {
  const spiral *s = self;
  const double phi = x[1], r = 1.7 - s->b * phi;
  R[0] = x[0] - r * cos(phi);
  R[1] = x[2] - 5.3 - r * sin(phi);
  J[0] = 1.0;
  J[1] = 0.0;
  J[2] = s->b * cos(phi) + r * sin(phi);
  J[3] = s->b * sin(phi) - r * cos(phi);
  J[4] = 0.0;
  J[5] = 1.0;
  *size = 1.0;
  return MS_SUCCESS;
}

static void weigh(void *self, const double *x, double *w) {
  (void)self, (void)x;
  w[0] = w[2] = 0.5;
  w[1] = 0.0;
}

static ms_status record(void *self, const ms_path_point *point) {
  spiral *s = self;
  s->turned = fmax(s->turned, point->x[1]);
  return MS_SUCCESS;
}

/* From just beside its lowest point, where lambda would leave its range. */
static ms_path run(spiral *s, double step_max, ptrdiff_t points_max) {
  const double pi = acos(-1.0), phi = -0.5 * pi + 1e-5, r = 1.7 - s->b * phi;
  const double x[3] = { r * cos(phi), phi, 5.3 + r * sin(phi) };
  ms_path p = { .ctx = test_context(),
                .what = "lambda",
                .unit = "",
                .n = 2,
                .self = s,
                .eval = eval,
                .weigh = weigh,
                .record = record,
                .tolerance = 1e-12,
                .turn_tolerance = 1e-6,
                .turn_margin = 0.3,
                .newton_max = 15,
                .step = 0.02,
                .step_min = 1e-6,
                .step_max = step_max,
                .points_max = points_max,
                .from = x[2],
                .to = 100.0 };
  s->turned = phi;
  CHECK_OK(ms_path_open(&p));
  CHECK_OK(ms_path_run(&p, x));
  ms_path_close(&p);
  printf("# b %g, steps up to %g: %td steps, %.2f turns, %s\n", s->b, step_max, p.steps,
         (s->turned - phi) / (2.0 * pi), p.reason);
  return p;
}

static void test_circle(void) {
  static const double step_max[] = { 0.05, 0.13, 0.2 };
  for (int i = 0; i < 3; i++) {
    spiral s = { .b = 0.0 };
    ms_path p = run(&s, step_max[i], 3000);
    CHECK_HAS(p.reason, "the curve is closed");
    CHECK(!p.complete);
    CHECK_BELOW(s.turned / (2.0 * acos(-1.0)), 4.0);
  }
}

/* Turns apart by a hundredth of a step and more: never closed, whatever the steps. */
static void test_spiral(void) {
  static const double pitch[] = { 0.003, 0.017, 0.05, 0.11 };
  for (int i = 0; i < 8; i++) {
    spiral s = { .b = pitch[i / 2] / (2.0 * acos(-1.0)) };
    ms_path p = run(&s, i % 2 ? 0.2 : 0.09, 300);
    CHECK_HAS(p.reason, "as many points");
    CHECK(s.turned > 20.0);
  }
}

/* x = lambda, and 1.7 more beyond lambda = 2.385: what is found there is a solution, but no step.
 */
static ms_status eval_jump(void *self, const double *x, double *R, double *J, double *size) {
  (void)self;
  R[0] = x[0] - x[1] - (x[1] > 2.385 ? 1.7 : 0.0);
  J[0] = 1.0;
  J[1] = -1.0;
  *size = 1.0;
  return MS_SUCCESS;
}

static void weigh_all(void *self, const double *x, double *w) {
  (void)self, (void)x;
  w[0] = w[1] = 1.0;
}

static ms_status ignore(void *self, const ms_path_point *point) {
  (void)self, (void)point;
  return MS_SUCCESS;
}

typedef ms_status (*eval_fn)(void *self, const double *x, double *R, double *J, double *size);
typedef ms_status (*record_fn)(void *self, const ms_path_point *point);

/* One unknown, in steps that suit the curves here. */
static ms_path a_path(eval_fn by, record_fn keep, double from) {
  return (ms_path) { .ctx = test_context(),
                     .what = "lambda",
                     .unit = "",
                     .n = 1,
                     .eval = by,
                     .weigh = weigh_all,
                     .record = keep,
                     .tolerance = 1e-12,
                     .turn_tolerance = 1e-6,
                     .turn_margin = 0.3,
                     .newton_max = 15,
                     .step = 0.02,
                     .step_min = 1e-6,
                     .step_max = 0.2,
                     .points_max = 1000,
                     .from = from,
                     .to = 4.1 };
}

static void test_jump(void) {
  const double x[2] = { 1.3, 1.3 };
  ms_path p = a_path(eval_jump, ignore, 1.3);
  CHECK_OK(ms_path_open(&p));
  CHECK_OK(ms_path_run(&p, x));
  CHECK_EQUAL(p.complete, 0);
  CHECK_NEAR(p.x[1], 2.385, 1e-4);
  CHECK_HAS(p.reason, "stopped at lambda = 2.38");
  const char *left = strstr(p.reason, "(residual ");
  CHECK_HAS(p.reason, "do not converge");
  CHECK(left && strtod(left + 10, NULL) > p.tolerance); /* below it there was no reason to stop */
  printf("# %s\n", p.reason);
  ms_path_close(&p);
}

/* lambda = 2.385 - kappa x^2, or with `sharp` - kappa |x|: a hairpin, out along x < 0 and back
   along x > 0. Beyond x = end the equation jumps, and Newton's method comes from there to the way
   out. */
typedef struct hairpin {
  double kappa, end;
  int sharp;
  int listed[2]; /* how often, of the list */
  double side;   /* largest x of these */
} hairpin;

static ms_status eval_hairpin(void *self, const double *x, double *R, double *J, double *size) {
  const hairpin *h = self;
  const double k = h->kappa, sign = x[0] < 0.0 ? -1.0 : 1.0;
  R[0] = x[1] - 2.385 + (h->sharp ? k * fabs(x[0]) : k * x[0] * x[0]);
  if (x[0] > h->end) R[0] += 1.7;
  J[0] = h->sharp ? k * sign : 2.0 * k * x[0];
  J[1] = 1.0;
  *size = 1.0;
  return MS_SUCCESS;
}

static ms_status record_hairpin(void *self, const ms_path_point *point) {
  hairpin *h = self;
  if (point->listed > 0) h->listed[point->listed - 1]++;
  if (point->listed > 0) h->side = fmax(h->side, point->x[0]);
  return MS_SUCCESS;
}

static ms_path run_hairpin(hairpin *h) {
  static const double list[2] = { 1.71, 2.13 };
  const double from = 1.31, way = (2.385 - from) / h->kappa;
  const double x[2] = { h->sharp ? -way : -sqrt(way), from };
  ms_path p = a_path(eval_hairpin, record_hairpin, from);
  p.self = h;
  p.list = list;
  p.n_list = 2;
  CHECK_OK(ms_path_open(&p));
  CHECK_OK(ms_path_run(&p, x));
  CHECK_EQUAL(p.complete, 0);
  printf("# kappa %g%s, %td steps, listed %d and %d, x up to %.3g: %s\n", h->kappa,
         h->sharp ? " sharp" : "", p.steps, h->listed[0], h->listed[1], h->side, p.reason);
  ms_path_close(&p);
  return p;
}

/* The way back ends: what Newton's method finds there is the way out, which is not gone twice. */
static void test_retraced(void) {
  static const double end[] = { 0.0031, 0.0047, 0.0083 };
  for (int i = 0; i < 3; i++) {
    hairpin h = { .kappa = 1130.0, .end = end[i], .side = -1.0 };
    ms_path p = run_hairpin(&h);
    CHECK_HAS(p.reason, "not taken twice");
    CHECK_EQUAL(h.listed[0], 1);
    CHECK_EQUAL(h.listed[1], 1);
    CHECK_BELOW(h.side, 0.0);
  }
}

/* A way back that is another one, however narrow the hairpin, is gone to its end. */
static void test_narrow(void) {
  static const struct {
    double kappa;
    int sharp;
  } turn[] = { { 17.0, 0 }, { 1130.0, 0 }, { 1.13e5, 0 }, { 1.7, 1 }, { 3.1, 1 } };
  for (int i = 0; i < 5; i++) {
    hairpin h = { .kappa = turn[i].kappa, .end = 10.0, .sharp = turn[i].sharp, .side = -1.0 };
    ms_path p = run_hairpin(&h);
    CHECK_HAS(p.reason, "left its range where it began");
    CHECK_EQUAL(h.listed[0], 2);
    CHECK_EQUAL(h.listed[1], 2);
    CHECK(h.side > 0.0);
  }
}

/* lambda = 2 x + bend sin(4 x): folds where cos(4 x) = -1/(2 bend), and a watched value x (5.3 - x)
   with its maximum at 2.65. */
typedef struct wavy {
  double bend;
  double x;    /* where it was evaluated last */
  double last; /* x of the last point: it rises all along the curve */
  int folds, peaks, listed;
  double fold[16], peak;
} wavy;

static ms_status eval_wavy(void *self, const double *x, double *R, double *J, double *size) {
  wavy *c = self;
  c->x = x[0];
  R[0] = x[1] - 2.0 * x[0] - c->bend * sin(4.0 * x[0]);
  J[0] = -2.0 - 4.0 * c->bend * cos(4.0 * x[0]);
  J[1] = 1.0;
  *size = 1.0;
  return MS_SUCCESS;
}

static void watch_wavy(void *self, const double *t, double *value, double *slope) {
  const wavy *c = self;
  *value = c->x * (5.3 - c->x);
  *slope = (5.3 - 2.0 * c->x) * t[0];
}

static ms_status record_wavy(void *self, const ms_path_point *point) {
  wavy *c = self;
  if (!point->again) {
    CHECK(point->x[0] >= c->last);
    c->last = point->x[0];
  }
  if ((point->turn & MS_PATH_FOLD) && c->folds < 16) c->fold[c->folds] = point->x[1];
  c->folds += (point->turn & MS_PATH_FOLD) != 0;
  c->peaks += (point->turn & MS_PATH_PEAK) != 0;
  if (point->turn & MS_PATH_PEAK) c->peak = point->x[0];
  c->listed += point->listed > 0;
  return MS_SUCCESS;
}

/* A line whose watched value is largest at x = top. */
typedef struct hill {
  double x, top, at[64];
  int points, peaks;
} hill;

static ms_status eval_line(void *self, const double *x, double *R, double *J, double *size) {
  ((hill *)self)->x = x[0];
  R[0] = x[0] - 1.7 * x[1];
  J[0] = 1.0;
  J[1] = -1.7;
  *size = 1.0;
  return MS_SUCCESS;
}

static void watch_hill(void *self, const double *t, double *value, double *slope) {
  const hill *h = self;
  const double off = h->x - h->top;
  *value = 2.385 - off * off;
  *slope = -2.0 * off * t[0];
}

static ms_status record_hill(void *self, const ms_path_point *point) {
  hill *h = self;
  if (point->turn & MS_PATH_PEAK) CHECK_NEAR(point->x[0], h->top, 1e-7);
  h->peaks += (point->turn & MS_PATH_PEAK) != 0;
  if (!point->again && h->points < 64) h->at[h->points++] = point->x[0];
  return MS_SUCCESS;
}

static hill climb(double top) {
  const double x[2] = { 0.17, 0.1 };
  hill h = { .top = top };
  ms_path p = a_path(eval_line, record_hill, x[1]);
  p.self = &h;
  p.watch = watch_hill;
  p.step_max = 0.2;
  p.to = 1.3;
  CHECK_OK(ms_path_open(&p));
  CHECK_OK(ms_path_run(&p, x));
  ms_path_close(&p);
  return h;
}

/* A peak at the end of a step, exactly or by less than it is located to, is that point: none is
   inserted beside it. */
static void test_turn_at_point(void) {
  static const double off[] = { 0.0, 3e-17, 1e-14, -1e-14, 2e-9, -2e-9 };
  const hill plain = climb(-1.0), inside = climb(0.5 * (plain.at[4] + plain.at[5]));
  CHECK_EQUAL(plain.peaks, 0);
  CHECK_EQUAL(inside.peaks, 1);
  CHECK_EQUAL(inside.points, plain.points + 1);
  for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
    const hill h = climb(plain.at[5] + off[i]);
    CHECK_EQUAL(h.peaks, 1);
    CHECK_EQUAL(h.points, plain.points);
  }
}

/* lambda at fold k: the first is the largest value before the curve turns back. */
static double fold_of(double bend, int k) {
  const double turn = 2.0 * acos(-1.0) * ((k + 1) / 2), angle = acos(-0.5 / bend);
  const double x = (turn + (k % 2 ? -angle : angle)) / 4.0;
  return 2.0 * x + bend * sin(4.0 * x);
}

/* Folds one by one and two in one step, from wide to almost none, in short steps and long ones. A
   value inside the first fold is met on both sides of it, however near, and on the third branch. */
static void test_turns(void) {
  static const double bend[] = { 1.13, 0.63, 0.531, 0.517 }, longest[] = { 0.05, 0.2, 0.35 };
  for (int i = 0; i < 12; i++) {
    wavy c = { .bend = bend[i % 4] };
    const double x[2] = { 0.1, 0.2 + c.bend * sin(0.4) }, top = fold_of(c.bend, 0);
    const double list[] = { top - 1e-4, top - 1e-6, top - 1e-8, top - 1e-9 };
    ms_path p = a_path(eval_wavy, record_wavy, x[1]);
    p.self = &c;
    p.watch = watch_wavy;
    p.step_max = longest[i / 4];
    p.to = 9.7;
    p.list = list;
    p.n_list = 4;
    CHECK_OK(ms_path_open(&p));
    CHECK_OK(ms_path_run(&p, x));
    printf("# bend %g, steps up to %g: %td steps, %d folds, listed %d times\n", c.bend, p.step_max,
           p.steps, c.folds, c.listed);
    CHECK_EQUAL(p.complete, 1);
    CHECK_EQUAL(p.missed, 0);
    CHECK_EQUAL(c.peaks, 1);
    CHECK_NEAR(c.peak, 2.65, 1e-6);
    CHECK_EQUAL(c.listed, 12);
    CHECK_EQUAL(c.folds, 6);
    for (int k = 0; k < 6; k++) CHECK_NEAR(c.fold[k], fold_of(c.bend, k), 1e-10);
    ms_path_close(&p);
  }
}

/* The same with a dent, -0.015 tanh((x - 0.36)/0.006), much shorter than a step, which may pass
   over it. Beside it a cubic is no guess from which every value is met, and the piece is divided:
   none is missed, and each is met on three branches at least. */
static double dented(double x, double *slope) {
  const double t = tanh((x - 0.36) / 0.006);
  *slope = 2.0 + 3.6 * cos(4.0 * x) - 0.015 / 0.006 * (1.0 - t * t);
  return 2.0 * x + 0.9 * sin(4.0 * x) - 0.015 * t;
}

static ms_status eval_dented(void *self, const double *x, double *R, double *J, double *size) {
  ((wavy *)self)->x = x[0];
  R[0] = x[1] - dented(x[0], &J[0]);
  J[0] = -J[0];
  J[1] = 1.0;
  *size = 1.0;
  return MS_SUCCESS;
}

enum { DISTANCES = 4, MOST_LISTED = 30 };

/* Values inside all folds up to x = 1.5; how many there are. */
static int list_folds(double *list) {
  const double step = 1e-6;
  double before, slope;
  int n = 0;
  dented(0.1, &before);
  for (double x = 0.1; x < 1.5; x += step, before = slope) {
    const double top = dented(x, &slope);
    if (before * slope > 0.0) continue;
    for (int k = 0; k < DISTANCES && n < MOST_LISTED; k++)
      list[n++] = top - copysign(pow(10.0, -4.0 - 2.0 * k), before);
  }
  return n;
}

static void test_dent(void) {
  double list[MOST_LISTED], slope;
  const double x[2] = { 0.1, dented(0.1, &slope) };
  const int n = list_folds(list);
  CHECK_EQUAL(n, 4 * DISTANCES);
  for (int i = 0; i < 3; i++) {
    wavy c = { .listed = 0 };
    ms_path p = a_path(eval_dented, record_wavy, x[1]);
    p.self = &c;
    p.step_max = 0.3 + 0.1 * i;
    p.to = dented(1.5, &slope);
    p.list = list;
    p.n_list = n;
    CHECK_OK(ms_path_open(&p));
    CHECK_OK(ms_path_run(&p, x));
    printf("# dent, steps up to %g: listed %d times, %td missed\n", p.step_max, c.listed, p.missed);
    CHECK_EQUAL(p.complete, 1);
    CHECK_EQUAL(p.missed, 0);
    CHECK(c.listed >= 3 * n);
    ms_path_close(&p);
  }
}

/* The same without an answer at one value of lambda, which is counted as missed as often as
   its neighbours are met. */
static const double nowhere = 1.31;

static ms_status eval_hole(void *self, const double *x, double *R, double *J, double *size) {
  MS_TRY(eval_wavy(self, x, R, J, size));
  if (fabs(x[1] - nowhere) < 1e-14) R[0] += 1.0;
  return MS_SUCCESS;
}

static void test_missed(void) {
  wavy c = { .bend = 0.63 };
  const double x[2] = { 0.1, 0.2 + c.bend * sin(0.4) }, list[] = { 1.27, nowhere, 1.37 };
  ms_path p = a_path(eval_hole, record_wavy, x[1]);
  p.self = &c;
  p.to = 9.7;
  p.list = list;
  p.n_list = 3;
  CHECK_OK(ms_path_open(&p));
  CHECK_OK(ms_path_run(&p, x));
  CHECK_EQUAL(p.complete, 1);
  CHECK(c.listed > 0);
  CHECK_EQUAL(2 * p.missed, c.listed); /* one value of three */
  ms_path_close(&p);
}

/* ---- stopping ---- */

/* x^3 = lambda from far off, slowly: Newton's method takes more than ten evaluations. */
typedef struct slow {
  int evaluations, stop_at;
} slow;

static ms_status eval_slow(void *self, const double *x, double *R, double *J, double *size) {
  slow *s = self;
  const struct timespec pause = { .tv_nsec = 150000000 };
  nanosleep(&pause, NULL);
  s->evaluations++;
  R[0] = x[0] * x[0] * x[0] - x[1];
  J[0] = 3.0 * x[0] * x[0];
  J[1] = -1.0;
  *size = 1.0;
  return MS_SUCCESS;
}

static int should_stop(void *user) {
  const slow *s = user;
  return s->evaluations >= s->stop_at;
}

/* A point that takes long is not waited for: 0.5 s are three evaluations and a part of one. */
static void test_stop(void) {
  const double x[2] = { 870.0, 2.385 };
  slow s = { .stop_at = 2 };
  ms_path p = { .ctx = test_context(),
                .title = "curve",
                .what = "lambda",
                .unit = "",
                .n = 1,
                .self = &s,
                .eval = eval_slow,
                .weigh = weigh_all,
                .record = ignore,
                .tolerance = 1e-12,
                .newton_max = 40,
                .step = 0.02,
                .step_min = 1e-6,
                .step_max = 0.2,
                .points_max = 10,
                .from = x[1],
                .to = 3.1 };
  ms_context_set_stop(test_context(), should_stop, &s);
  CHECK_OK(ms_path_open(&p));
  CHECK_STATUS(ms_path_run(&p, x), MS_CANCELLED);
  ms_path_close(&p);
  ms_context_set_stop(test_context(), NULL, NULL);
  CHECK(s.evaluations >= 2 && s.evaluations <= 5);
}

int main(void) {
  TEST(test_circle);
  TEST(test_spiral);
  TEST(test_jump);
  TEST(test_retraced);
  TEST(test_narrow);
  TEST(test_turns);
  TEST(test_dent);
  TEST(test_missed);
  TEST(test_turn_at_point);
  TEST(test_stop);
  return test_finish();
}
