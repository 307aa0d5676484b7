/* Drawings become figures: panels, curves, notes, places left out. */
#include <microslip/report.h>
#include <string.h>

#include "report/internal.h"
#include "support/check.h"

static ms_drawing *make(ms_context *ctx, ms_status *status) {
  static const double x[] = { 0.31, 1.73, 2.385 }, y[] = { 12.7, 31.3, 18.9 };
  const ms_drawn_axes axes = { "time", "s", "force", "N", 0, 0.4 };
  const ms_drawn_axes log = { "frequency", "Hz", "magnitude", "g/N", 1, 0.0 };
  ms_drawing *d = NULL;
  *status = ms_drawing_create(ctx, "Records", 2, &d);
  if (*status == MS_SUCCESS) *status = ms_drawing_add_panel(d, &axes, "blow %d", 3);
  if (*status == MS_SUCCESS) *status = ms_drawing_add_curve(d, "line", 1, 0, 3, x, y);
  if (*status == MS_SUCCESS) *status = ms_drawing_add_curve(d, NULL, 2, 1, 2, x, y);
  if (*status == MS_SUCCESS) ms_drawing_note(d, "overload");
  if (*status == MS_SUCCESS) *status = ms_drawing_add_panel(d, NULL, "nothing");
  if (*status == MS_SUCCESS) *status = ms_drawing_add_panel(d, &log, "%s", "");
  if (*status == MS_SUCCESS) *status = ms_drawing_add_curve(d, NULL, -1, 0, 3, x, y);
  return d;
}

static void test_figure(void) {
  ms_status status;
  ms_drawing *d = make(test_context(), &status);
  ms_figure *f = NULL;
  CHECK_OK(status);
  CHECK_OK(ms_figure_from_drawing(test_context(), d, &f));
  CHECK_EQUAL(f->n_panel, 3);
  CHECK_EQUAL(f->columns, 2);
  CHECK_TEXT(f->title, "Records");
  const ms_figure_panel *p = f->panel;
  CHECK_TEXT(p[0].spec.title, "blow 3");
  CHECK_TEXT(p[0].spec.y_unit, "N");
  CHECK_NEAR(p[0].spec.height, 0.4, 0.0);
  CHECK_EQUAL(p[0].n_series, 2);
  CHECK_TEXT(p[0].series[0].label, "line");
  CHECK_EQUAL(p[0].series[0].style, MS_SERIES_LINE);
  CHECK_EQUAL(p[0].series[0].colour, 1);
  CHECK_EQUAL(p[0].series[1].style, MS_SERIES_POINTS);
  CHECK_NEAR(p[0].series[0].y[1], 31.3, 0.01);
  CHECK_EQUAL(p[0].n_note, 1);
  CHECK_TEXT(p[0].note[0].text, "overload");
  CHECK(p[1].empty);
  CHECK(p[2].spec.y_log);
  CHECK_TEXT(p[2].spec.y_unit, "g/N");
  CHECK_EQUAL(p[2].n_note, 0);
  ms_figure_destroy(&f);
  ms_drawing_destroy(&d);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_status status;
  ms_drawing *d = make(ctx, &status);
  ms_figure *f = NULL;
  (void)user;
  if (status == MS_SUCCESS) status = ms_figure_from_drawing(ctx, d, &f);
  ms_figure_destroy(&f);
  ms_drawing_destroy(&d);
  return status;
}

static void test_failing_memory(void) {
  CHECK(test_allocations(work, NULL) > 10);
}

int main(void) {
  TEST(test_figure);
  TEST(test_failing_memory);
  return test_finish();
}
