/* Drawings of records: what they show of impacts on a mass on a spring in closed form, doubtful
   records, which of many are shown, thinning and rounding. */
#include <math.h>
#include <microslip/records.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { N = 6000, RISE = 300, WIDTH = 25, MOST = 20 };
#define DT   7.3e-5
#define FREQ 211.7
#define ZETA 0.011
#define PI   3.14159265358979323846

static ms_records_impact impact[MOST];
static double force[MOST][N], x[MOST][2 * N];
static char name[MOST][16];
static const char *const sensor[2] = { "low", "high" };

/* Acceleration of 1.7 kg; the first sensor sees a third of it. */
static void make_impact(int i, double peak) {
  const double w = 2.0 * PI * FREQ, wd = w * sqrt(1.0 - ZETA * ZETA);
  double q = 0.0, v = 0.0;
  memset(force[i], 0, sizeof force[i]);
  for (int k = 1; k < WIDTH; k++) force[i][RISE + k] = peak * sin(PI * k / WIDTH);
  for (int k = 0; k < N; k++) { /* exact between samples for a force that is constant there */
    const double f = force[i][k] / 1.7 / (w * w), e = exp(-ZETA * w * DT);
    const double a = q - f, b = (v + ZETA * w * a) / wd, c = cos(wd * DT), s = sin(wd * DT);
    x[i][k + N] = force[i][k] / 1.7 - 2.0 * ZETA * w * v - w * w * q;
    x[i][k] = x[i][k + N] / 3.0;
    q = f + e * (a * c + b * s);
    v = e * (-ZETA * w * (a * c + b * s) + wd * (b * c - a * s));
  }
  snprintf(name[i], sizeof name[i], "blow %d", i + 1);
  impact[i] = (ms_records_impact) {
    .name = name[i], .used = 1, .n = N, .dt = DT, .force = force[i], .x = x[i]
  };
}

static ms_records records_of(ptrdiff_t n) {
  return (ms_records) { .n_impact = n,
                        .impact = impact,
                        .n_sensor = 2,
                        .sensor = sensor,
                        .quantity = "acceleration",
                        .unit = "g",
                        .scale = 1.0 / 9.80665,
                        .high_hz = 400.0 };
}

static ms_drawing *draw(const ms_records *r, ms_records_drawing what) {
  ms_drawing *d = NULL;
  CHECK_OK(ms_records_draw(test_context(), r, what, &d));
  return d;
}

static double largest(const ms_drawn_curve *c, ptrdiff_t *at) {
  double most = -HUGE_VAL;
  *at = 0;
  for (ptrdiff_t k = 0; k < c->n; k++)
    if (c->y[k] > most) most = c->y[k], *at = k;
  return most;
}

static void test_pulses(void) {
  for (int i = 0; i < 3; i++) make_impact(i, 31.0 * (i + 1));
  impact[1].doubt = "double hit";
  impact[1].used = 0;
  impact[2].doubt = "begins late"; /* and used all the same */
  const ms_records r = records_of(3);
  ms_drawing *d = draw(&r, MS_RECORDS_PULSES);
  CHECK_EQUAL(ms_drawing_count_panels(d), 9);
  CHECK_EQUAL(ms_drawing_get_columns(d), 3);
  CHECK_TEXT(ms_drawing_get_panel(d, 0)->title, "blow 1");
  CHECK_TEXT(ms_drawing_get_panel(d, 0)->note, "");
  CHECK_TEXT(ms_drawing_get_panel(d, 3)->title, "blow 2: left out");
  CHECK_TEXT(ms_drawing_get_panel(d, 3)->note, "double hit");
  CHECK_TEXT(ms_drawing_get_panel(d, 6)->title, "blow 3: doubtful");
  CHECK_TEXT(ms_drawing_get_panel(d, 8)->title, "high"); /* the sensor that sees more */
  CHECK_HAS(ms_drawing_get_caption(d), "Doubtful records have the other colour");
  for (int i = 0; i < 3; i++) {
    const ms_drawn_curve *pulse = ms_drawing_get_panel(d, 3 * i)->curve;
    const ms_drawn_curve *spectrum = ms_drawing_get_panel(d, 3 * i + 1)->curve;
    const ms_drawn_curve *history = ms_drawing_get_panel(d, 3 * i + 2)->curve;
    const double peak = 31.0 * (i + 1);
    double most = 0.0, momentum = 0.0;
    ptrdiff_t at, when = 0;
    for (int k = 0; k < 3; k++)
      CHECK_EQUAL(ms_drawing_get_panel(d, 3 * i + k)->curve->colour, i > 0);
    for (int k = 0; k < N; k++) {
      momentum += DT * force[i][k];
      if (x[i][k + N] / 9.80665 > most) most = x[i][k + N] / 9.80665, when = k;
    }
    CHECK_NEAR(largest(pulse, &at), peak * sin(PI * 12 / WIDTH), peak / MS_DRAWN_VALUES);
    CHECK_NEAR(pulse->x[at], 1e3 * DT * (12 - 1), 0.01); /* the first sample is above a tenth */
    CHECK_CLOSE(spectrum->y[0], momentum, 0.01);         /* 0.4 of a line's width from 0 Hz */
    CHECK(spectrum->x[spectrum->n - 1] <= 400.0 && spectrum->x[spectrum->n - 1] > 350.0);
    CHECK_NEAR(largest(history, &at), most, most / 500.0);
    CHECK_NEAR(history->x[at], DT * (double)when, DT * N / MS_DRAWN_VALUES);
    CHECK(history->n <= 2 * MS_DRAWN_STRETCHES);
  }
  ms_drawing_destroy(&d);
}

/* Impacts of two places; what is left out is not averaged. */
static void test_responses(void) {
  for (int i = 0; i < 6; i++) make_impact(i, 10.0 * (6 - i));
  impact[5].place = 4;
  impact[2].used = 0;
  ms_records r = records_of(6);
  ms_drawing *d = draw(&r, MS_RECORDS_RESPONSES);
  CHECK_EQUAL(ms_drawing_get_columns(d), 2);
  CHECK_EQUAL(ms_drawing_count_panels(d), 4);
  const ms_drawn_panel *first = ms_drawing_get_panel(d, 0), *second = ms_drawing_get_panel(d, 1);
  const ms_drawn_panel *coherence = ms_drawing_get_panel(d, 2);
  CHECK_TEXT(first->title, "at the place of blow 1");
  CHECK_TEXT(first->y_unit, "g/N");
  CHECK_EQUAL(first->n_curve, 3);
  CHECK_TEXT(first->curve[0].label, "20 N");
  CHECK_TEXT(first->curve[2].label, "49.9 to 59.9 N, 2 impacts");
  CHECK_EQUAL(second->n_curve, 1);
  CHECK(ms_drawing_get_panel(d, 3)->empty);
  for (int c = 0; c < 3; c++) { /* 1/m/(2 zeta) at resonance, widened by no window: it rings out */
    ptrdiff_t at;
    const double most = largest(&first->curve[c], &at);
    CHECK_NEAR(first->curve[c].x[at], FREQ, 1.0 / (DT * (N - RISE)));
    CHECK_CLOSE(most, 1.0 / (2.0 * ZETA * 1.7 * 9.80665), 0.06);
  }
  for (ptrdiff_t k = 0; k < coherence->curve->n; k++) CHECK(coherence->curve->y[k] > 0.99);
  ms_drawing_destroy(&d);
  r.n_impact = 3; /* of one place, one of them left out */
  d = draw(&r, MS_RECORDS_RESPONSES);
  CHECK_EQUAL(ms_drawing_count_panels(d), 2);
  CHECK_TEXT(ms_drawing_get_panel(d, 0)->title, "high");
  CHECK_EQUAL(ms_drawing_get_panel(d, 0)->n_curve, 2);
  ms_drawing_destroy(&d);
  impact[0].used = impact[1].used = 0;
  d = draw(&r, MS_RECORDS_RESPONSES);
  CHECK(!d);
}

/* What is louder than -10 dB of all is the mode, at first. */
static void test_spectrograms(void) {
  make_impact(0, 20.0);
  const ms_records r = records_of(1);
  ms_drawing *d = draw(&r, MS_RECORDS_SPECTROGRAMS);
  const ms_drawn_panel *panel = ms_drawing_get_panel(d, 0);
  CHECK_EQUAL(ms_drawing_count_panels(d), 1);
  CHECK_EQUAL(panel->n_curve, 3);
  CHECK(panel->curve->n > 3);
  double late = 0.0;
  for (ptrdiff_t k = 0; k < panel->curve->n; k++) {
    CHECK_NEAR(panel->curve->y[k], FREQ, 60.0); /* two lines */
    late = fmax(late, panel->curve->x[k]);
  }
  CHECK_NEAR(late, DT * RISE + log(sqrt(10.0)) / (ZETA * 2.0 * PI * FREQ), 0.03);
  CHECK_TEXT(panel->curve[1].label, "-10 to -20 dB");
  ms_drawing_destroy(&d);
}

/* All that are doubtful, and others from the first to the last. */
static void test_many(void) {
  for (int i = 0; i < MOST; i++) make_impact(i, 3.0 + i);
  impact[11].doubt = impact[17].doubt = "overload";
  const ms_records r = records_of(MOST);
  ms_drawing *d = draw(&r, MS_RECORDS_SPECTROGRAMS);
  int doubtful = 0;
  CHECK_EQUAL(ms_drawing_count_panels(d), MS_RECORDS_IMPACTS);
  for (int p = 0; p < MS_RECORDS_IMPACTS; p++)
    doubtful += ms_drawing_get_panel(d, p)->note[0] != '\0';
  CHECK_EQUAL(doubtful, 2);
  CHECK_HAS(ms_drawing_get_caption(d), "Shown are 12 of 20 impacts");
  ms_drawing_destroy(&d);
}

/* A line keeps the extremes of its stretches, to a part of its range; points are all kept. */
static void test_thinning(void) {
  enum { LONG = 5000 };
  static double t[LONG], y[LONG];
  ms_drawing *d = NULL;
  const ms_drawn_axes axes = { "t", NULL, "y", "m", 0, 0.0 }, logarithm = { .y_log = 1 };
  for (int k = 0; k < LONG; k++) t[k] = k * 0.0173, y[k] = sin(1.3 * k) + 100.0;
  y[3217] = 103.7;
  CHECK_OK(ms_drawing_create(test_context(), "thin", 2, &d));
  CHECK_OK(ms_drawing_add_panel(d, &axes, "%s %d", "panel", 7));
  CHECK_OK(ms_drawing_add_curve(d, "a line", 2, 0, LONG, t, y));
  CHECK_OK(ms_drawing_add_curve(d, NULL, 1, 1, LONG, t, y));
  const ms_drawn_panel *panel = ms_drawing_get_panel(d, 0);
  ptrdiff_t at;
  CHECK_TEXT(panel->title, "panel 7");
  CHECK_TEXT(panel->curve[0].label, "a line");
  CHECK_EQUAL(panel->curve[0].n, 2 * MS_DRAWN_STRETCHES);
  CHECK_EQUAL(panel->curve[1].n, LONG);
  CHECK_NEAR(largest(&panel->curve[0], &at), 103.7, 4.7 / MS_DRAWN_VALUES);
  CHECK_NEAR(panel->curve[0].x[at], t[3217], t[LONG - 1] / MS_DRAWN_VALUES);
  for (ptrdiff_t k = 1; k < panel->curve[0].n; k++)
    CHECK(panel->curve[0].x[k] > panel->curve[0].x[k - 1]);
  y[0] = 1.23456e-7, y[1] = 0.0, y[2] = -3.0, y[3] = 2.0;
  CHECK_OK(ms_drawing_add_panel(d, &logarithm, "log"));
  CHECK_OK(ms_drawing_add_curve(d, NULL, 0, 0, 4, t, y));
  CHECK_OK(ms_drawing_add_curve(d, NULL, 0, 0, 2, t + 1, y + 1));
  panel = ms_drawing_get_panel(d, 1);
  CHECK_EQUAL(panel->n_curve, 1);
  CHECK_EQUAL(panel->curve->n, 2);
  CHECK_CLOSE(panel->curve->y[0], 1.23456e-7, 1.0 / MS_DRAWN_VALUES);
  CHECK(!ms_drawing_get_panel(d, 2) && !ms_drawing_get_panel(d, -1));
  ms_drawing_destroy(&d);
}

static void test_refused(void) {
  ms_drawing *d;
  ms_records r = records_of(1);
  r.high_hz = 0.0;
  CHECK_STATUS(ms_records_draw(test_context(), &r, MS_RECORDS_PULSES, &d), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "up to 0 Hz: nothing to draw");
  make_impact(0, 0.0); /* a dead force channel is shown: it is one of the doubtful ones */
  r = records_of(1);
  d = draw(&r, MS_RECORDS_PULSES);
  CHECK_EQUAL(ms_drawing_count_panels(d), 3);
  ms_drawing_destroy(&d);
}

static ms_status work(ms_context *ctx, void *user) {
  const ms_records *r = user;
  for (int what = 0; what < MS_RECORDS_DRAWINGS; what++) {
    ms_drawing *d = NULL;
    MS_TRY(ms_records_draw(ctx, r, (ms_records_drawing)what, &d));
    ms_drawing_destroy(&d);
  }
  return MS_SUCCESS;
}

static void test_failing_memory(void) {
  for (int i = 0; i < 2; i++) make_impact(i, 5.0 + i);
  ms_records r = records_of(2);
  CHECK(test_allocations(work, &r) > 30);
}

int main(void) {
  TEST(test_pulses);
  TEST(test_responses);
  TEST(test_spectrograms);
  TEST(test_many);
  TEST(test_thinning);
  TEST(test_refused);
  TEST(test_failing_memory);
  return test_finish();
}
