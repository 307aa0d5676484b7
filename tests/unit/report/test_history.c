/* Histories with their first cycles beside them. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

#include "core/cycles.h"
#include "report/internal.h"

enum { N = 6000 };
static const double dt = 1.7e-3, pi = 3.14159265358979323846;
static double time_[N], slow[N], fast[N];

/* Decays of `cycles` cycles in all, after `quiet` seconds of silence, about an offset. */
static void fill(double cycles, double quiet, double *x) {
  const double end = (N - 1) * dt;
  for (int i = 0; i < N; i++) {
    time_[i] = 0.43 + i * dt;
    const double t = i * dt - quiet, omega = 2.0 * pi * cycles / (end - quiet);
    x[i] = 0.31 + (t > 0.0 ? 2.385 * exp(-0.9 * t / (end - quiet)) * sin(omega * t) : 0.0);
  }
}

static void test_cycles(void) {
  fill(37.25, 0.0, slow);
  ms_cycles c = ms_cycles_find(N, time_, slow, 0.05, 8);
  CHECK_EQUAL(c.n, 37);
  CHECK_EQUAL(c.first, 0);
  const double period = (N - 1) * dt / 37.25;
  CHECK_NEAR(time_[c.last] - time_[0], 8.0 * period, 0.05 * period);
  c = ms_cycles_find(N, NULL, slow, 0.05, 8); /* equal steps */
  CHECK_EQUAL(c.n, 37);
  c = ms_cycles_find(N, time_, slow, 0.05, 60); /* more than there are */
  CHECK_EQUAL(c.last, c.first);
  fill(37.25, 2.9, slow); /* silence is not shown, but for a cycle */
  c = ms_cycles_find(N, time_, slow, 0.05, 8);
  const double shorter = ((N - 1) * dt - 2.9) / 37.25;
  CHECK_EQUAL(c.n, 37);
  CHECK_NEAR(time_[c.first], time_[0] + 2.9 - shorter, 0.1 * shorter);
  for (int i = 0; i < N; i++) slow[i] = 1.7;
  CHECK_EQUAL(ms_cycles_find(N, time_, slow, 0.05, 8).n, 0);
  CHECK_EQUAL(ms_cycles_find(1, time_, slow, 0.05, 8).n, 0);
}

/* Ripple of less than a twentieth of the largest value makes no cycles. */
static void test_ripple(void) {
  fill(30.3, 0.0, slow);
  for (int i = 0; i < N; i++) slow[i] += 0.1 * sin(411.0 * time_[i]);
  CHECK_EQUAL(ms_cycles_find(N, time_, slow, 0.05, 8).n, 30);
}

static void add_history(ms_figure *figure, const char *title, const double *x) {
  const ms_panel panel = { title, "time", "s", "u", "m", 0, 0 };
  const double flat[] = { 0.1, 0.1 }, ends[] = { 0.0, 11.0 };
  const ms_series series[] = {
    { .label = "u", .x = time_, .y = x, .n = N, .key = "sensor=2" },
    { .label = "level", .x = ends, .y = flat, .n = 2, .style = MS_SERIES_DASHED, .colour = 1 },
  };
  CHECK_OK(ms_figure_add_panel(figure, &panel));
  for (int k = 0; k < 2; k++) CHECK_OK(ms_figure_add_series(figure, &series[k]));
}

/* The window must hold `cycles` of the curve whose period is given. */
static void check_part(const ms_figure_panel *part, const double *x, double period) {
  CHECK_EQUAL(part->spec.part, 1);
  CHECK(part->n_series >= 1);
  const ms_series *s = &part->series[0];
  ptrdiff_t wrong = 0;
  CHECK_TEXT(s->label, "u");
  CHECK_TEXT(s->key, "sensor=2");
  for (ptrdiff_t i = 0; i < s->n; i++) {
    const ptrdiff_t k = (ptrdiff_t)floor((s->x[i] - time_[0]) / dt + 0.5);
    wrong += s->y[i] != x[k];
  }
  CHECK_EQUAL(wrong, 0);
  CHECK_NEAR(s->x[s->n - 1] - s->x[0], 8.0 * period, 0.1 * period);
}

/* Each history has a part of its own, or an empty place; the figure two columns. */
static void test_own_parts(void) {
  ms_context *ctx = test_context();
  ms_figure *figure;
  fill(101.0, 0.0, slow);
  fill(307.0, 0.0, fast);
  CHECK_OK(ms_figure_create(ctx, "h", NULL, &figure));
  add_history(figure, "slow", slow);
  CHECK_OK(ms_figure_skip_panel(figure));
  add_history(figure, "fast", fast);
  fill(7.0, 0.0, fast);
  add_history(figure, "few", fast);
  fill(307.0, 0.0, fast);
  CHECK_OK(ms_figure_add_first_cycles(figure));
  CHECK_EQUAL(figure->n_panel, 6);
  CHECK_EQUAL(figure->columns, 2);
  CHECK_TEXT(figure->panel[1].spec.title, "slow, first 8 cycles");
  CHECK_TEXT(figure->panel[2].spec.title, "fast");
  check_part(&figure->panel[1], slow, (N - 1) * dt / 101.0);
  check_part(&figure->panel[3], fast, (N - 1) * dt / 307.0);
  CHECK_TEXT(figure->panel[4].spec.title, "few");
  CHECK(figure->panel[5].empty && !figure->panel[4].empty);
  CHECK_EQUAL(figure->panel[0].series[0].n, N); /* the whole stays whole */
  ms_figure_destroy(&figure);
}

/* Panels that share x show the same stretch, and parts have an axis of their own. */
static void test_shared(void) {
  ms_context *ctx = test_context();
  ms_figure *figure;
  ms_layout layout;
  fill(101.0, 0.0, slow);
  fill(307.0, 0.0, fast);
  CHECK_OK(ms_figure_create(ctx, "h", NULL, &figure));
  ms_figure_share(figure, MS_SHARE_X);
  add_history(figure, "slow", slow);
  add_history(figure, "fast", fast);
  CHECK_OK(ms_figure_add_first_cycles(figure));
  CHECK_EQUAL(figure->n_panel, 4);
  check_part(&figure->panel[1], slow, (N - 1) * dt / 101.0);
  check_part(&figure->panel[3], fast, (N - 1) * dt / 101.0);
  CHECK_OK(ms_layout_setup(figure, &layout));
  CHECK_EQUAL(layout.columns, 2);
  CHECK_EQUAL(layout.view[2].x_group, 0);
  CHECK_EQUAL(layout.view[1].x_group, 1);
  CHECK_EQUAL(layout.view[3].x_group, 1);
  CHECK_BELOW(layout.view[3].x.high - layout.view[3].x.low, 0.1 * N * dt);
  CHECK_BELOW(0.99 * N * dt, layout.view[2].x.high - layout.view[2].x.low);
  ms_free(ctx, &layout.view);
  ms_figure_destroy(&figure);
}

/* 24 cycles are many, 23 are not. Curves that go back in x are no histories. */
static void test_few(void) {
  ms_context *ctx = test_context();
  for (int k = 0; k < 3; k++) {
    ms_figure *figure;
    fill(k == 0 ? 23.4 : 25.0, 0.0, slow);
    if (k == 2) time_[N / 2] = time_[N / 2 - 2];
    CHECK_OK(ms_figure_create(ctx, "h", NULL, &figure));
    add_history(figure, "u", slow);
    CHECK_OK(ms_figure_add_first_cycles(figure));
    CHECK_EQUAL(figure->n_panel, k == 1 ? 2 : 1);
    CHECK_EQUAL(figure->columns, k == 1 ? 2 : 0);
    ms_figure_destroy(&figure);
  }
}

/* A picture has both, the band lighter than other lines. */
static void test_picture(void) {
  ms_context *ctx = test_context();
  ms_figure *figure;
  fill(101.0, 0.0, slow);
  CHECK_OK(ms_figure_create(ctx, "h", NULL, &figure));
  add_history(figure, "slow", slow);
  CHECK_OK(ms_figure_add_first_cycles(figure));
  CHECK(ms_series_is_band(&figure->panel[0], &figure->panel[0].series[0]));
  CHECK(!ms_series_is_band(&figure->panel[0], &figure->panel[0].series[1]));
  ms_layout layout;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  CHECK_OK(ms_layout_setup(figure, &layout));
  ms_svg_draw_file(out, figure, &layout, MS_THEME_LIGHT, 0.0);
  fclose(out);
  CHECK_HAS(text, "slow, first 8 cycles");
  CHECK_HAS(text, "line band l0");
  free(text);
  ms_free(ctx, &layout.view);
  ms_figure_destroy(&figure);
}

static ms_status build(ms_context *ctx, void *user) {
  ms_figure *figure = NULL;
  const ms_panel panel = { "u", "time", "s", "u", "m", 0, 0 };
  const ms_series series = { .label = "u", .x = time_, .y = slow, .n = N };
  (void)user;
  ms_status status = ms_figure_create(ctx, "h", NULL, &figure);
  if (status == MS_SUCCESS) status = ms_figure_add_panel(figure, &panel);
  if (status == MS_SUCCESS) status = ms_figure_add_series(figure, &series);
  if (status == MS_SUCCESS) {
    status = ms_figure_add_first_cycles(figure);
    if (status != MS_SUCCESS) CHECK(figure->n_panel == 1 && figure->columns == 0);
  }
  ms_figure_destroy(&figure);
  return status;
}

static void test_memory_runs_out(void) {
  fill(101.0, 0.0, slow);
  CHECK(test_allocations(build, NULL) > 8);
}

int main(void) {
  TEST(test_cycles);
  TEST(test_ripple);
  TEST(test_own_parts);
  TEST(test_shared);
  TEST(test_few);
  TEST(test_picture);
  TEST(test_memory_runs_out);
  return test_finish();
}
