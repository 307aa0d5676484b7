/* frf: what is said about the curves. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/frf/frf.h"

/* By what is sensed, displacement or rotation; by what acts, force, moment or base; and by kind. */
static const char *unit_of(const ms_study *s, const ms_frf_product *p) {
  static const char *const unit[2][3][4] = {
    { { "m/N", "m/(N s)", "1/kg", NULL },
      { "1/N", "1/(N s)", "1/(kg m)", NULL },
      { "s^2", "s", NULL, NULL } },
    { { "rad/N", "rad/(N s)", "rad/(kg m)", NULL },
      { "rad/(N m)", "rad/(N m s)", "rad/(kg m^2)", NULL },
      { "rad s^2/m", "rad s/m", "rad/m", "rad/m" } },
  };
  const int turns = ms_name_is_rotation(ms_structure_get_name(s->structure, p->run.sensor));
  return unit[turns][p->load.iota ? 2 : p->load.moment][p->kind];
}

void ms_frf_unit(const ms_study *s, const ms_frf_product *p, char text[32]) {
  const char *unit = unit_of(s, p);
  snprintf(text, 32, unit ? " [%s]" : "%s", unit ? unit : "");
}

void ms_frf_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_frf_product *p = task->product;
  ms_json_add_text(json, "quantity", ms_response_kind_text(p->kind));
  ms_json_add_text(json, "unit", unit_of(s, p) ? unit_of(s, p) : "1");
  ms_json_add_integer(json, "curves", p->n_curve);
  if (p->variants.n > 0) {
    ms_json_begin_object(json, "variants");
    ms_variants_summarise(&p->variants, json);
    ms_json_end(json);
  }
  if (p->run.frf.n == 0) return;
  ms_json_begin_object(json, p->source.simulated ? "test" : "measured");
  ms_json_add_text(json, "window", ms_frf_window_text(p->run.settings.window));
  ms_json_add_integer(json, "length", p->run.settings.length);
  ms_json_add_number(json, "resolution_hz", p->run.frf.df);
  ms_json_add_integer(json, "blocks", p->run.frf.blocks);
  ms_json_add_number(json, "averages", p->run.frf.averages);
  if (p->source.before > 0) {
    ms_json_add_integer(json, "offset_samples", p->source.before);
    ms_json_add_numbers(
        json, "offset",
        (const double[]) { p->source.scale * p->source.offset[0], p->source.offset[1] }, 2);
  }
  if (p->source.simulated) ms_json_add_number(json, "residual", p->run.count.residual);
  if (p->run.has_energy) ms_json_add_number(json, "balance", p->run.energy.balance);
  if (p->run.has_energy) ms_json_add_number(json, "input", p->run.energy.input);
  ms_json_end(json);
}

/* Magnitude or phase of the pairs H; a magnitude of zero cannot be drawn. */
static ms_status add_curve(const ms_study *s, ms_figure *figure, const char *label, ptrdiff_t n,
                           const double *freq_hz, const double *H, int phase, int colour,
                           ms_series_style style) {
  double *x;
  ptrdiff_t m = 0;
  MS_TRY(ms_allocate(s->ctx, 2 * n, sizeof *x, &x));
  for (ptrdiff_t k = 0; k < n; k++) {
    double size = hypot(H[2 * k], H[2 * k + 1]);
    if (!(size > 0.0)) continue;
    x[m] = freq_hz[k];
    x[n + m++] = phase ? atan2(H[2 * k + 1], H[2 * k]) * 180.0 / acos(-1.0) : size;
  }
  ms_series series = {
    .label = label, .x = x, .y = x + n, .n = m, .style = style, .colour = colour
  };
  ms_status status = m > 0 ? ms_figure_add_series(figure, &series) : MS_SUCCESS;
  ms_free(s->ctx, &x);
  return status;
}

/* Lines of the estimate within the range: from *first on, so many. */
static ptrdiff_t cut(const ms_frf_product *p, ptrdiff_t *first) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 1; k < p->run.frf.n; k++) {
    if (p->run.frf.freq_hz[k] < p->low || p->run.frf.freq_hz[k] > p->high) continue;
    if (n++ == 0) *first = k;
  }
  return n;
}

static ms_status fill_panel(const ms_study *s, const ms_frf_product *p, ms_figure *figure,
                            const double *freq_hz, int phase) {
  ptrdiff_t first = 0, n = cut(p, &first);
  for (ptrdiff_t i = 0; i < p->n_curve && i < MS_PALETTE_SIZE; i++) {
    const ms_frf_curve *c = &p->curve[i];
    MS_TRY(
        add_curve(s, figure, c->label, p->n_omega, freq_hz, c->H, phase, (int)i, MS_SERIES_LINE));
  }
  if (n == 0) return MS_SUCCESS;
  return add_curve(s, figure, p->source.simulated ? "test, H1" : "measured, H1", n,
                   p->run.frf.freq_hz + first, p->run.frf.H1 + 2 * first, phase, -1,
                   MS_SERIES_LINE);
}

/* A colour for each variant, a line for joints as the first curve has them, dashes for others. */
static ms_status fill_varied(const ms_study *s, const ms_frf_product *p, ms_figure *figure,
                             const double *freq_hz, int phase) {
  for (ptrdiff_t i = 0; i < p->variants.n && i < MS_PALETTE_SIZE; i++) {
    const ms_frf_varied *v = &p->varied[i];
    char of[MS_VARIANT_LABEL], label[MS_VARIANT_LABEL + 50];
    ms_variants_label(&p->variants, i, of);
    for (ptrdiff_t c = 0; c < v->n_curve; c++) {
      snprintf(label, sizeof label, "%s, %s", of, v->curve[c].label);
      MS_TRY(add_curve(s, figure, v->n_curve > 1 ? label : of, p->n_omega, freq_hz, v->curve[c].H,
                       phase, (int)i, c ? MS_SERIES_DASHED : MS_SERIES_LINE));
    }
  }
  return MS_SUCCESS;
}

static ms_status fill_coherence(const ms_frf_product *p, ms_figure *figure) {
  ms_panel panel = { "Coherence", "frequency", "Hz", "coherence", NULL, 0, 0 };
  ptrdiff_t first = 0, n = cut(p, &first);
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_figure_add_panel(figure, &panel));
  ms_series series = { .label = NULL,
                       .x = p->run.frf.freq_hz + first,
                       .y = p->run.frf.coherence + first,
                       .n = n,
                       .style = MS_SERIES_LINE,
                       .colour = -1 };
  return ms_figure_add_series(figure, &series);
}

static ms_status fill_figure(const ms_study *s, const ms_frf_product *p, int varied,
                             ms_figure *figure, const double *freq_hz) {
  ms_panel panel[2] = { { "Magnitude", "frequency", "Hz", NULL, NULL, 0, 1 },
                        { "Phase", "frequency", "Hz", "phase", "deg", 0, 0 } };
  panel[0].y_label = ms_response_kind_text(p->kind);
  panel[0].y_unit = unit_of(s, p);
  for (int phase = 0; phase < 2; phase++) {
    MS_TRY(ms_figure_add_panel(figure, &panel[phase]));
    MS_TRY(varied ? fill_varied(s, p, figure, freq_hz, phase)
                  : fill_panel(s, p, figure, freq_hz, phase));
  }
  return varied ? MS_SUCCESS : fill_coherence(p, figure);
}

static ms_status add_figure(const ms_study *s, const ms_frf_product *p, int varied, ms_page *page) {
  ms_figure *figure;
  double *freq_hz;
  MS_TRY(ms_allocate(s->ctx, p->n_omega, sizeof *freq_hz, &freq_hz));
  for (ptrdiff_t k = 0; k < p->n_omega; k++) freq_hz[k] = p->omega[k] / (2.0 * acos(-1.0));
  ms_status status = ms_figure_create(
      s->ctx, varied ? "Frequency response of the variants" : "Frequency response", NULL, &figure);
  if (status == MS_SUCCESS) {
    status = fill_figure(s, p, varied, figure, freq_hz);
    if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
    ms_figure_destroy(&figure);
  }
  ms_free(s->ctx, &freq_hz);
  return status;
}

static ms_status add_variants(const ms_study *s, const ms_frf_product *p, ms_page *page) {
  char text[200];
  if (p->variants.n == 0) return MS_SUCCESS;
  MS_TRY(add_figure(s, p, 1, page));
  if (p->variants.n <= MS_PALETTE_SIZE) return MS_SUCCESS;
  snprintf(text, sizeof text, "The first %d of %td variants are drawn; the table has all.",
           MS_PALETTE_SIZE, p->variants.n);
  return ms_page_add_text(page, text);
}

static ms_status add_test(const ms_study *s, const ms_frf_product *p, ms_page *page) {
  char text[500], run[200] = "";
  if (p->source.simulated) {
    snprintf(run, sizeof run, " %td steps of %g s, %s, residual %.2g%s", p->run.count.steps,
             p->run.time.step, p->run.time.method, p->run.count.residual,
             p->run.has_energy ? "; " : ".");
  }
  size_t at = 0;
  while (run[at]) at++;
  if (p->run.has_energy) {
    snprintf(run + at, sizeof run - at, "%.3g J of %.6g J are missing in the energy balance.",
             p->run.energy.balance, p->run.energy.input);
  }
  snprintf(text, sizeof text,
           "The %s: %td blocks of %td samples, window %s, resolution %.4g Hz, worth %.4g "
           "independent averages.%s",
           p->source.simulated ? "test" : "records", p->run.frf.blocks, p->run.settings.length,
           ms_frf_window_text(p->run.settings.window), p->run.frf.df, p->run.frf.averages, run);
  MS_TRY(ms_page_add_text(page, text));
  return ms_result_table_add_to_page(s->ctx, p->compare, "Test against the curves, H1", page);
}

ms_status ms_frf_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_frf_product *p = task->product;
  MS_TRY(add_figure(s, p, 0, page));
  if (p->run.frf.n > 0) MS_TRY(add_test(s, p, page));
  return add_variants(s, p, page);
}
