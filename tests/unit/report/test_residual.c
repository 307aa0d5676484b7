/* Residuals of a model below its target. */
#include "support/check.h"

#include <math.h>

#include "report/internal.h"

static const double at[] = { 0.13, 0.41, 1.7, 5.3, 19.0 };
static const double data[] = { 2.385, 2.2, 1.13, 0.7, 0.31 };

/* A panel with data, a model at x and a band around it that goes back in x. */
static ms_figure *draw(int log, const double *x, const double *model, ptrdiff_t n) {
  ms_figure *figure;
  double around[12], edge[12];
  for (ptrdiff_t i = 0; i < n; i++) {
    around[i] = around[2 * n - 1 - i] = x[i];
    edge[i] = 0.8 * model[i], edge[2 * n - 1 - i] = 1.2 * model[i];
  }
  const ms_panel panel = { "Damping", "q", "m", "zeta", "1/s", log, log };
  const ms_series series[] = {
    { .label = "band", .x = around, .y = edge, .n = 2 * n, .style = MS_SERIES_AREA },
    { .label = "data",
      .x = at,
      .y = data,
      .n = 5,
      .style = MS_SERIES_POINTS,
      .mode = 2,
      .omega = at,
      .key = "mode=2",
      .colour = 3 },
    { .label = "fit", .x = x, .y = model, .n = n },
  };
  CHECK_OK(ms_figure_create(test_context(), "f", NULL, &figure));
  CHECK_OK(ms_figure_add_panel(figure, &panel));
  for (int i = 0; i < 3; i++) CHECK_OK(ms_figure_add_series(figure, &series[i]));
  return figure;
}

/* Where both have the same x, in the unit of y, and in per cent of the model on a log axis. */
static void test_pairs(void) {
  const double model[] = { 2.1, 2.2, 1.3, 0.75, 0.3 };
  for (int log = 0; log < 2; log++) {
    ms_figure *figure = draw(log, at, model, 5);
    CHECK_OK(ms_figure_add_residuals(figure, figure, 0, "data", "fit"));
    CHECK_EQUAL(figure->n_panel, 2);
    const ms_figure_panel *p = &figure->panel[1];
    CHECK_TEXT(p->spec.title, "Damping, residual");
    CHECK_TEXT(p->spec.y_label, "residual");
    CHECK_TEXT(p->spec.y_unit, log ? "%" : "1/s");
    CHECK(ms_panel_has_same_x(&p->spec, &figure->panel[0].spec) && !p->spec.y_log);
    CHECK_EQUAL(p->n_series, 2);
    const ms_series *s = &p->series[1];
    CHECK_EQUAL(s->n, 5);
    CHECK(s->mode == 2 && s->colour == 3 && s->style == MS_SERIES_POINTS);
    CHECK_TEXT(s->key, "mode=2");
    for (int i = 0; i < 5; i++) {
      const double d = data[i] - model[i];
      CHECK_NEAR(s->y[i], log ? 100.0 * d / model[i] : d, 1e-12);
      CHECK_NEAR(s->omega[i], at[i], 0.0);
    }
    CHECK_EQUAL(p->series[0].n, 10); /* the band: 20 per cent on either side */
    CHECK_NEAR(p->series[0].y[2], log ? -20.0 : -0.2 * model[2], 1e-12);
    CHECK_NEAR(p->series[0].y[7], log ? 20.0 : 0.2 * model[2], 1e-12);
    ms_figure_destroy(&figure);
  }
}

/* A power law is straight on log axes: two points give it everywhere between them, no other. */
static void test_between_points(void) {
  const double x[] = { 0.2, 10.0 }, model[] = { pow(0.2, -0.37), pow(10.0, -0.37) };
  ms_figure *figure = draw(1, x, model, 2), *other;
  CHECK_OK(ms_figure_create(test_context(), "r", NULL, &other));
  CHECK_OK(ms_figure_add_residuals(other, figure, 0, "data", "fit"));
  CHECK_EQUAL(figure->n_panel, 1);
  const ms_series *s = &other->panel[0].series[1];
  CHECK_EQUAL(s->n, 3);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(s->x[i], at[i + 1], 0.0);
    CHECK_NEAR(s->y[i], 100.0 * (data[i + 1] / pow(at[i + 1], -0.37) - 1.0), 1e-10);
  }
  ms_figure_destroy(&other);
  ms_figure_destroy(&figure);
}

/* A loop goes back in x; rounding is nothing. */
static void test_loop(void) {
  const double x[] = { 0.0, 1.0, 0.3, -1.0, 0.1 }, y[] = { 0.1, 2.0, 0.7, -2.1, 0.2 };
  const double model[] = { 0.2, 2.0 + 1e-13, 0.6, -2.0, 0.2 };
  const ms_panel panel = { NULL, "z", "m", "f", "N", 0, 0 };
  const ms_series series[] = { { .label = "target", .x = x, .y = y, .n = 5 },
                               { .label = "law", .x = x, .y = model, .n = 5 } };
  ms_figure *figure;
  CHECK_OK(ms_figure_create(test_context(), "f", NULL, &figure));
  CHECK_OK(ms_figure_add_panel(figure, &panel));
  for (int i = 0; i < 2; i++) CHECK_OK(ms_figure_add_series(figure, &series[i]));
  CHECK_OK(ms_figure_add_residuals(figure, figure, 0, "target", "law"));
  const ms_series *s = &figure->panel[1].series[0];
  const double want[] = { -0.1, 0.0, 0.1, -0.1, 0.0 };
  CHECK_TEXT(figure->panel[1].spec.title, "Residual");
  for (int i = 0; i < 5; i++) CHECK_NEAR(s->y[i], want[i], i == 1 ? 0.0 : 1e-14);
  CHECK_STATUS(ms_figure_add_residuals(figure, figure, 2, "target", "law"), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_figure_add_residuals(figure, figure, 0, "target", "no law"), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "no law");
  CHECK_EQUAL(figure->n_panel, 2);
  ms_figure_destroy(&figure);
}

static ms_status build(ms_context *ctx, void *user) {
  ms_figure *figure = NULL;
  const ms_panel panel = { "u", "time", "s", "u", "m", 0, 0 };
  const ms_series series[] = { { .label = "data", .x = at, .y = data, .n = 5 },
                               { .label = "fit", .x = at, .y = at, .n = 5 } };
  (void)user;
  ms_status status = ms_figure_create(ctx, "f", NULL, &figure);
  if (status == MS_SUCCESS) status = ms_figure_add_panel(figure, &panel);
  for (int i = 0; i < 2 && status == MS_SUCCESS; i++)
    status = ms_figure_add_series(figure, &series[i]);
  if (status == MS_SUCCESS) {
    status = ms_figure_add_residuals(figure, figure, 0, "data", "fit");
    if (status != MS_SUCCESS) CHECK_EQUAL(figure->n_panel, 1);
  }
  ms_figure_destroy(&figure);
  return status;
}

static void test_memory_runs_out(void) {
  CHECK(test_allocations(build, NULL) > 8);
}

int main(void) {
  TEST(test_pairs);
  TEST(test_between_points);
  TEST(test_loop);
  TEST(test_memory_runs_out);
  return test_finish();
}
