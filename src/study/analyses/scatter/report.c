/* The part of `scatter` in the report. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/scatter/random_joints.h"
#include "study/analyses/scatter/scatter.h"

enum { L = MS_SCATTER_LEVELS, CURVE = 121, MOST_BINS = 24 };

/* ---- bands over the tests ---- */

static ms_status add_tests(const ms_test_table *t, const char *label, int loss, int colour,
                           ms_figure *figure) {
  const ms_series points = { label, t->force,         loss ? t->loss : t->stiffness,
                             t->n,  MS_SERIES_POINTS, colour };
  return t->n > 0 ? ms_figure_add_series(figure, &points) : MS_SUCCESS;
}

static ms_status add_bands(const ms_study *s, const ms_scatter_analysis *a, int loss,
                           ms_figure *figure) {
  const double *quantile[L];
  for (int l = 0; l < L; l++) {
    quantile[l] = ms_result_table_column(a->bands_table, 2 + 2 * L + L * loss + l);
  }
  MS_TRY(ms_random_add_band(s->ctx, figure, a->n_force, a->force, quantile));
  MS_TRY(add_tests(&a->fresh.tests, "tests that were not used", loss, 2, figure));
  return add_tests(&a->used.tests, "tests", loss, 0, figure);
}

static ms_status report_bands(const ms_study *s, const ms_scatter_analysis *a, ms_page *page) {
  const ms_panel panel[2] = { { "Stiffness", "force", "N", "stiffness", "N/m", 1, 0 },
                              { "Dissipation", "force", "N", "energy per cycle", "J", 1, 1 } };
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, "Tests and bands", NULL, &figure));
  ms_status status = MS_SUCCESS;
  for (int k = 0; k < 2 && status == MS_SUCCESS; k++) {
    status = ms_figure_add_panel(figure, &panel[k]);
    if (status == MS_SUCCESS) status = add_bands(s, a, k, figure);
  }
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(page,
                                "Tests, and where 90 % of the tests of new joints are expected, "
                                "noise included.",
                                figure);
  }
  ms_figure_destroy(&figure);
  return status;
}

/* ---- parameters ---- */

typedef struct outline {
  double x[4 * MOST_BINS + 2], y[4 * MOST_BINS + 2];
  ptrdiff_t n;
} outline;

/* The specimens' own values as a histogram of area 1, drawn round. */
static void draw_histogram(const ms_scatter_analysis *a, ptrdiff_t i, double low, double high,
                           outline *out) {
  const ptrdiff_t N = a->result.n_specimen;
  const int bins = (int)fmin(ceil(2.0 * cbrt((double)N)) + 2.0, MOST_BINS);
  const double width = (high - low) / bins;
  double height[MOST_BINS] = { 0.0 };
  for (ptrdiff_t k = 0; k < N; k++) {
    const int bin = (int)floor((a->result.p[i + a->n * k] - low) / width);
    if (bin >= 0 && bin < bins) height[bin] += 1.0 / ((double)N * width);
  }
  out->n = 0;
  for (int b = 0; b < bins; b++) {
    const double x[4] = { low + b * width, low + b * width, low + (b + 1) * width,
                          low + (b + 1) * width };
    const double y[4] = { 0.0, height[b], height[b], 0.0 };
    for (int c = 0; c < 4; c++) out->x[out->n] = x[c], out->y[out->n++] = y[c];
  }
}

/* A range that holds the specimens' values and most of the distribution. */
static void find_range(const ms_scatter_analysis *a, ptrdiff_t i, double *low, double *high) {
  const ms_distribution *d = &a->result.distribution[i];
  *low = ms_distribution_quantile(d, 0.002), *high = ms_distribution_quantile(d, 0.998);
  for (ptrdiff_t k = 0; k < a->result.n_specimen; k++) {
    *low = fmin(*low, a->result.p[i + a->n * k]);
    *high = fmax(*high, a->result.p[i + a->n * k]);
  }
}

static ms_status add_parameter(const ms_scatter_analysis *a, ptrdiff_t i, ms_figure *figure) {
  const ms_panel panel = { a->option[i].key, "value", a->option[i].unit, "density", NULL, 0, 0 };
  double x[CURVE], y[CURVE], low, high;
  outline histogram;
  find_range(a, i, &low, &high);
  draw_histogram(a, i, low, high, &histogram);
  for (int k = 0; k < CURVE; k++) {
    x[k] = low + (high - low) * (k + 0.5) / CURVE;
    y[k] = exp(ms_distribution_log_density(&a->result.distribution[i], x[k]));
  }
  const ms_series bars = { "fits of specimens", histogram.x,    histogram.y,
                           histogram.n,         MS_SERIES_AREA, 0 };
  const ms_series curve = { "distribution", x, y, CURVE, MS_SERIES_LINE, 1 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(ms_figure_add_series(figure, &bars));
  return ms_figure_add_series(figure, &curve);
}

static ms_status report_parameters(const ms_study *s, const ms_scatter_analysis *a, ms_page *page) {
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, "Parameters", NULL, &figure));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < a->n && status == MS_SUCCESS; i++) status = add_parameter(a, i, figure);
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(page,
                                "Distributions that make all tests likeliest, and each specimen's "
                                "own fit, which also has the noise of its test.",
                                figure);
  }
  ms_figure_destroy(&figure);
  return status;
}

/* ---- words ---- */

static ms_status report_counts(const char *what, ptrdiff_t rows, const ptrdiff_t inside[2],
                               ms_page *page) {
  char text[240];
  snprintf(text, sizeof text,
           "Of the %td rows of tests %s, %.1f %% of the stiffnesses and %.1f %% of the "
           "dissipations lie in the bands of 90 %%.",
           rows, what, 100.0 * (double)inside[0] / (double)rows,
           100.0 * (double)inside[1] / (double)rows);
  return ms_page_add_text(page, text);
}

ms_status ms_scatter_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_scatter_analysis *a = task->product;
  const ms_scatter_result *r = &a->result;
  char text[400];
  snprintf(text, sizeof text,
           "%td specimens, noise of %.3g (stiffness) and %.3g (dissipation)%s. The likelihood's "
           "maximum was found in %d steps, to %.1e standard errors; each test is told by %.0f "
           "draws or more.",
           r->n_specimen, r->noise[0], r->noise[1], a->setting.noise[0] > 0.0 ? "" : ", estimated",
           r->steps, r->residual, r->effective);
  MS_TRY(ms_page_add_text(page, text));
  MS_TRY(ms_remarks_report(r->remarks, page));
  MS_TRY(ms_result_table_add_to_page(
      s->ctx, a->table,
      "Distributions of the parameters, with standard errors and intervals "
      "of 95 % (SI units)",
      page));
  MS_TRY(report_parameters(s, a, page));
  MS_TRY(report_bands(s, a, page));
  MS_TRY(report_counts("that were used", a->used.tests.n, a->inside, page));
  if (a->fresh.tests.n > 0) {
    MS_TRY(report_counts("that were not used", a->fresh.tests.n, a->fresh_inside, page));
  }
  if (a->repetitions == 0) return MS_SUCCESS;
  return ms_result_table_add_to_page(
      s->ctx, a->repeated_table,
      "The identification repeated on synthetic tests of what was found: "
      "how many intervals of 95 % cover the truth",
      page);
}
