/* The report of microslip survey. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "survey.h"

enum { TEXT = 1000, ROWS = 200 };

static const char *group_name(const survey_group *group) {
  return group->name[0] ? group->name : NULL;
}

/* ---- frequency responses ---- */

/* Lines in a range (Hz) of a frequency response, as magnitude in the unit over N, or coherence. */
static ms_status add_lines(const survey_job *job, const ms_frf *frf, const double range[2],
                           int coherence, const ms_series *like, ms_figure *figure) {
  double *x;
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(job->ctx, 2 * frf->n, sizeof *x, &x));
  for (ptrdiff_t k = 1; k < frf->n; k++) {
    const double size = hypot(frf->H1[2 * k], frf->H1[2 * k + 1]);
    if (frf->freq_hz[k] < range[0] || frf->freq_hz[k] > range[1] || !(size > 0.0)) continue;
    x[n] = frf->freq_hz[k];
    x[frf->n + n++] = coherence ? frf->coherence[k] : survey_amplitude(job, size);
  }
  ms_series series = *like;
  series.x = x, series.y = x + frf->n, series.n = n;
  ms_status status = n > 0 ? ms_figure_add_series(figure, &series) : MS_SUCCESS;
  ms_free(job->ctx, &x);
  return status;
}

/* A panel of each level's magnitude. */
static ms_status draw_levels(const survey_job *job, const survey_group *group, const char *title,
                             const double range[2], ms_figure *figure) {
  char unit[80], label[80];
  snprintf(unit, sizeof unit, "%s/N", job->group[0].at->unit);
  const ms_panel magnitude = { .title = title,
                               .x_label = "frequency",
                               .x_unit = "Hz",
                               .y_label = "magnitude",
                               .y_unit = unit,
                               .y_log = 1 };
  MS_TRY(ms_figure_add_panel(figure, &magnitude));
  for (ptrdiff_t l = 0; l < ms_survey_get_info(group->survey)->n_level; l++) {
    const ms_survey_level *level = ms_survey_get_level(group->survey, l);
    if (level->impacts > 1)
      snprintf(label, sizeof label, "%.3g to %.3g N, %td impacts", level->low, level->high,
               level->impacts);
    else
      snprintf(label, sizeof label, "%.3g N", level->low);
    const ms_series like = { .label = label, .style = MS_SERIES_LINE, .colour = (int)l };
    MS_TRY(add_lines(job, &level->frf, range, 0, &like, figure));
  }
  return MS_SUCCESS;
}

static ms_status draw_responses(const survey_job *job, const survey_group *group,
                                ms_figure *figure) {
  const ms_survey_info *info = ms_survey_get_info(group->survey);
  const double range[2] = { info->low, info->high };
  MS_TRY(draw_levels(job, group, NULL, range, figure));
  if (info->n_used < 2) return MS_SUCCESS; /* the coherence of a single impact is 1 */
  const ms_panel panel = {
    .x_label = "frequency", .x_unit = "Hz", .y_label = "coherence", .height = 0.4
  };
  const ms_series all = { .label = "all impacts", .style = MS_SERIES_LINE, .colour = -1 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  return add_lines(job, ms_survey_get_frf(group->survey), range, 1, &all, figure);
}

/* About each mode, where levels part. */
static ms_status draw_peaks(const survey_job *job, const survey_group *group, ms_figure *figure) {
  static const double about = 0.03; /* of the frequency, on both sides */
  for (ptrdiff_t r = 0; r < ms_survey_get_info(group->survey)->n_mode; r++) {
    const double f = ms_survey_get_mode(group->survey, r)->peak_hz;
    const double range[2] = { f * (1.0 - about), f * (1.0 + about) };
    char title[80];
    snprintf(title, sizeof title, "Mode %td", group->number[r]);
    MS_TRY(draw_levels(job, group, title, range, figure));
  }
  return MS_SUCCESS;
}

static ms_status add_figure(ms_page *page, ms_figure **figure, ms_status status,
                            const char *caption) {
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, caption, *figure);
  ms_figure_destroy(figure);
  return status;
}

static ms_status add_responses(const survey_job *job, ms_page *page) {
  char caption[TEXT];
  MS_TRY(ms_page_add_section(page, "Frequency responses by level"));
  for (int g = 0; g < job->n_group; g++) {
    const survey_group *group = &job->group[g];
    ms_figure *figure;
    MS_TRY(ms_figure_create(job->ctx, "Frequency response", group_name(group), &figure));
    ms_status status = ms_figure_set_columns(figure, 1);
    ms_figure_share(figure, MS_SHARE_X);
    if (status == MS_SUCCESS) status = draw_responses(job, group, figure);
    snprintf(caption, sizeof caption,
             "H1 of %s over the hammer's force, impacts parted by their peak force, and the "
             "coherence of all. In a linear structure the curves coincide.",
             group->at->name);
    MS_TRY(add_figure(page, &figure, status, caption));
    MS_TRY(ms_figure_create(job->ctx, "About the modes", group_name(group), &figure));
    MS_TRY(add_figure(page, &figure, draw_peaks(job, group, figure), NULL));
  }
  return MS_SUCCESS;
}

/* ---- curves ---- */

typedef struct curve {
  double x[ROWS], y[ROWS], low[ROWS], high[ROWS];
  ptrdiff_t n;
} curve;

static void read_curve(const survey_job *job, const ms_survey_mode *m, int damping, int coupled,
                       curve *c) {
  c->n = 0;
  for (ptrdiff_t k = 0; k < m->n_point && c->n < ROWS; k++) {
    const ms_survey_point *p = &m->point[k];
    const double y = damping ? 100.0 * p->zeta : p->freq_hz;
    const double spread = damping ? 100.0 * p->zeta_spread : p->freq_spread;
    if (p->coupled != coupled || !(p->zeta > 0.0)) continue;
    c->x[c->n] = survey_amplitude(job, p->amplitude);
    c->y[c->n] = y;
    c->low[c->n] = y - spread;
    c->high[c->n++] = y + spread;
  }
}

static ms_status draw_curves(const survey_job *job, ptrdiff_t number, int damping,
                             ms_figure *figure) {
  const ms_panel panel = { .title = damping ? "Damping" : "Frequency",
                           .x_label = "amplitude",
                           .x_unit = job->group[0].at->unit,
                           .y_label = damping ? "damping ratio" : "frequency",
                           .y_unit = damping ? "%" : "Hz",
                           .x_log = 1 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  for (int g = 0; g < job->n_group; g++) {
    const survey_group *group = &job->group[g];
    const ms_survey_mode *m = ms_survey_get_mode(group->survey, survey_find_mode(group, number));
    for (int coupled = 0; m && coupled < 2; coupled++) {
      char label[120];
      curve c;
      read_curve(job, m, damping, coupled, &c);
      snprintf(label, sizeof label, "%s%s%s", group->name, group->name[0] ? ", " : "",
               coupled ? "other modes ring too" : "the mode alone");
      const ms_series series = { .label = label,
                                 .x = c.x,
                                 .y = c.y,
                                 .n = c.n,
                                 .style = MS_SERIES_POINTS,
                                 .colour = g,
                                 .pattern = g + 1 + coupled * MS_PALETTE_SIZE,
                                 .y_low = c.low,
                                 .y_high = c.high };
      if (c.n > 0) MS_TRY(ms_figure_add_series(figure, &series));
    }
  }
  return MS_SUCCESS;
}

static ms_status add_notes(const survey_job *job, ms_page *page, ptrdiff_t number) {
  char text[TEXT], line[TEXT + 400];
  for (int g = 0; g < job->n_group; g++) {
    const survey_group *group = &job->group[g];
    const ptrdiff_t r = survey_find_mode(group, number);
    for (int i = 0; ms_survey_note(group->survey, r, i, text, sizeof text); i++) {
      snprintf(line, sizeof line, "%s%s%s.", group->name, group->name[0] ? ": " : "", text);
      MS_TRY(ms_page_add_text(page, line));
    }
  }
  return MS_SUCCESS;
}

/* The first one in which a mode could be read; NULL: none. */
static const survey_group *find_group(const survey_job *job, ptrdiff_t number) {
  for (int g = 0; g < job->n_group; g++) {
    const survey_group *group = &job->group[g];
    const ms_survey_mode *m = ms_survey_get_mode(group->survey, survey_find_mode(group, number));
    if (m && m->n_point > 0) return group;
  }
  return NULL;
}

static ms_status add_curves(const survey_job *job, ms_page *page) {
  char title[80], subtitle[100];
  MS_TRY(ms_page_add_section(page, "Frequency and damping against amplitude"));
  for (ptrdiff_t r = 1; r <= job->n_mode; r++) {
    const survey_group *first = find_group(job, r);
    if (!first) continue;
    ms_figure *figure;
    snprintf(title, sizeof title, "Mode %td, %.5g Hz", r,
             ms_survey_get_mode(first->survey, survey_find_mode(first, r))->freq_hz);
    MS_TRY(ms_page_add_heading(page, title));
    MS_TRY(add_notes(job, page, r));
    snprintf(title, sizeof title, "Frequency and damping of mode %td", r);
    snprintf(subtitle, sizeof subtitle, "amplitudes at %s", first->at->name);
    MS_TRY(ms_figure_create(job->ctx, title, subtitle, &figure));
    ms_status status = draw_curves(job, r, 0, figure);
    if (status == MS_SUCCESS) status = draw_curves(job, r, 1, figure);
    MS_TRY(add_figure(page, &figure, status,
                      "Means over impacts, with one standard deviation to both sides. Amplitude: "
                      "that of the mode at the sensor."));
    MS_TRY(ms_page_feature(page, 100 - (int)(r < 90 ? r : 90)));
  }
  return MS_SUCCESS;
}

/* ---- tables ---- */

enum { COLUMNS = 7 };

/* One row for each mode; texts[c] stand in place of numbers, where they are not NULL. */
static ms_status add_mode_table(const survey_job *job, const survey_group *group,
                                void (*fill)(const survey_job *job, const ms_survey_mode *m,
                                             double row[COLUMNS], const char *text[COLUMNS]),
                                const ms_page_column like[COLUMNS], ms_page *page) {
  const ptrdiff_t n = ms_survey_get_info(group->survey)->n_mode;
  double *v;
  const char **text;
  ms_page_column column[COLUMNS];
  MS_TRY(ms_allocate(job->ctx, COLUMNS * n, sizeof *v, &v));
  ms_status status = ms_allocate(job->ctx, COLUMNS * n, sizeof *text, &text);
  for (ptrdiff_t r = 0; r < n && status == MS_SUCCESS; r++) {
    double row[COLUMNS] = { (double)group->number[r] };
    const char *word[COLUMNS] = { NULL };
    fill(job, ms_survey_get_mode(group->survey, r), row, word);
    for (int c = 0; c < COLUMNS; c++) v[r + n * c] = row[c], text[r + n * c] = word[c];
  }
  for (int c = 0; c < COLUMNS && status == MS_SUCCESS; c++) {
    column[c] = like[c];
    column[c].numbers = v + n * c;
    column[c].texts = text + n * c;
  }
  const ms_page_table table = { .n_row = n, .n_column = COLUMNS, .column = column };
  if (status == MS_SUCCESS) status = ms_page_add_table(page, group_name(group), &table);
  ms_free(job->ctx, &text);
  ms_free(job->ctx, &v);
  return status;
}

static void fill_mode(const survey_job *job, const ms_survey_mode *m, double row[COLUMNS],
                      const char *text[COLUMNS]) {
  row[1] = m->n_point > 0 ? m->freq_hz : m->peak_hz;
  row[2] = 100.0 * m->zeta;
  row[3] = survey_amplitude(job, m->freq_from);
  row[4] = survey_amplitude(job, m->zeta_from);
  row[6] = m->coherence;
  text[5] = m->is_coupled && m->n_point > 0 ? "ring too" : "-";
  if (m->n_point == 0) text[2] = "not read";
  if (!(m->freq_from > 0.0)) text[3] = "-";
  if (!(m->zeta_from > 0.0)) text[4] = "-";
}

static void fill_filter(const survey_job *job, const ms_survey_mode *m, double row[COLUMNS],
                        const char *text[COLUMNS]) {
  (void)job, (void)text;
  row[1] = m->low;
  row[2] = m->high;
  row[3] = m->edge;
  row[4] = (double)m->filtered;
  row[5] = m->magnified;
  row[6] = m->second;
}

static ms_status add_modes(const survey_job *job, const survey_group *group, ms_page *page) {
  const char *unit = job->group[0].at->unit;
  const ms_page_column column[COLUMNS] = {
    { .heading = "mode" },
    { .heading = "frequency", .unit = "Hz", .meaning = "at the lowest amplitudes" },
    { .heading = "damping", .unit = "%", .meaning = "at the lowest amplitudes" },
    { .heading = "frequency deviates from",
      .unit = unit,
      .meaning = "the amplitude from which on it differs from that at the lowest ones" },
    { .heading = "damping deviates from",
      .unit = unit,
      .meaning = "the amplitude from which on it differs from that at the lowest ones" },
    { .heading = "other modes",
      .meaning = "ring too at the lowest amplitudes in every impact: where joints slip they raise "
                 "the damping of this one, which by itself usually has less" },
    { .heading = "coherence", .meaning = "at the peak, of all impacts" },
  };
  return add_mode_table(job, group, fill_mode, column, page);
}

static ms_status add_filters(const survey_job *job, const survey_group *group, ms_page *page) {
  static const ms_page_column column[COLUMNS] = {
    { .heading = "mode" },
    { .heading = "band from", .unit = "Hz", .meaning = "the band-pass has the gain 1 from here" },
    { .heading = "band to", .unit = "Hz", .meaning = "to here" },
    { .heading = "edge", .meaning = "outside, the gain falls to 0 over this part of the limits" },
    { .heading = "modes filtered by shape",
      .meaning = "neighbours that the modal filter takes away" },
    { .heading = "noise magnified", .meaning = "by the modal filter, times" },
    { .heading = "second shape", .meaning = "in the peak; above 0.15 another mode may be in it" },
  };
  return add_mode_table(job, group, fill_filter, column, page);
}

static ms_status add_records(const survey_job *job, const survey_group *group, ms_page *page) {
  const ptrdiff_t n = ms_survey_get_info(group->survey)->n_record;
  char(*remarks)[TEXT];
  const char **text;
  double *peak;
  MS_TRY(ms_allocate(job->ctx, n, sizeof *remarks, &remarks));
  ms_status status = ms_allocate(job->ctx, 3 * n, sizeof *text, &text);
  peak = NULL;
  if (status == MS_SUCCESS) status = ms_allocate(job->ctx, n, sizeof *peak, &peak);
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    const ms_survey_impact *impact = ms_survey_get_impact(group->survey, i);
    for (int k = 0; strlen(remarks[i]) + 200 < TEXT; k++) {
      const size_t at = strlen(remarks[i]);
      if (at > 0) snprintf(remarks[i] + at, TEXT - at, "; ");
      if (survey_remark(group, i, k, remarks[i] + strlen(remarks[i]), 200)) continue;
      remarks[i][at] = '\0';
      break;
    }
    text[i] = survey_file(group, i);
    text[n + i] = impact->used ? "yes" : "no";
    text[2 * n + i] = remarks[i];
    peak[i] = impact->peak;
  }
  const ms_page_column column[] = {
    { .heading = "file", .texts = text },
    { .heading = "peak force", .unit = "N", .numbers = peak },
    { .heading = "used", .texts = status == MS_SUCCESS ? text + n : NULL },
    { .heading = "remarks", .texts = status == MS_SUCCESS ? text + 2 * n : NULL },
  };
  const ms_page_table table = { .n_row = n, .n_column = 4, .column = column };
  if (status == MS_SUCCESS) status = ms_page_add_table(page, group_name(group), &table);
  ms_free(job->ctx, &peak);
  ms_free(job->ctx, &text);
  ms_free(job->ctx, &remarks);
  return status;
}

static ms_status add_drawing(const survey_job *job, const survey_group *group,
                             const ms_drawing *drawing, ms_page *page) {
  ms_figure *figure;
  char caption[2 * TEXT];
  MS_TRY(ms_figure_from_drawing(job->ctx, drawing, &figure));
  snprintf(caption, sizeof caption, "%s%s%s", group->name, group->name[0] ? ": " : "",
           ms_drawing_get_caption(drawing));
  return add_figure(page, &figure, MS_SUCCESS, caption);
}

/* ---- the page ---- */

static ms_status add_answers(const survey_job *job, ms_page *page) {
  const survey_group *group = &job->group[0];
  for (ptrdiff_t r = 0; r < ms_survey_get_info(group->survey)->n_mode; r++) {
    const ms_survey_mode *m = ms_survey_get_mode(group->survey, r);
    char label[160];
    if (m->n_point == 0) continue;
    char at[80] = "low amplitude";
    if (!m->is_low)
      snprintf(at, sizeof at, "%.3g %s, the lowest read", survey_amplitude(job, m->lowest),
               job->group[0].at->unit);
    snprintf(label, sizeof label, "%s%sMode %td: frequency at %s", group->name,
             group->name[0] ? ", " : "", group->number[r], at);
    const ms_answer f = { .label = label, .unit = "Hz", .value = m->freq_hz };
    MS_TRY(ms_page_add_answer(page, &f));
    snprintf(label, sizeof label, "%s%sMode %td: damping at %s%s", group->name,
             group->name[0] ? ", " : "", group->number[r], at,
             m->is_coupled ? ", other modes ring too" : "");
    const ms_answer zeta = { .label = label, .unit = "%", .value = 100.0 * m->zeta };
    MS_TRY(ms_page_add_answer(page, &zeta));
  }
  return MS_SUCCESS;
}

static ms_status fill_page(const survey_job *job, ms_page *page) {
  char text[TEXT], line[TEXT + 400];
  MS_TRY(ms_page_add_section(page, "Is the structure nonlinear?"));
  MS_TRY(add_answers(job, page));
  for (int g = 0; g < job->n_group; g++) {
    const survey_group *group = &job->group[g];
    survey_say(job, group, text, sizeof text);
    snprintf(line, sizeof line, "%s%s%s Amplitudes are those of %s in %s.", group->name,
             group->name[0] ? ": " : "", text, group->at->name, job->group[0].at->unit);
    MS_TRY(ms_page_add_text(page, line));
    if (survey_say_places(group, text, sizeof text)) MS_TRY(ms_page_add_text(page, text));
    if (survey_say_hum(group, text, sizeof text)) MS_TRY(ms_page_add_text(page, text));
    MS_TRY(add_modes(job, group, page));
  }
  MS_TRY(add_curves(job, page));
  MS_TRY(add_responses(job, page));
  MS_TRY(ms_page_add_section(page, "Records and filters"));
  for (int g = 0; g < job->n_group; g++) {
    const survey_group *group = &job->group[g];
    const ms_survey_info *info = ms_survey_get_info(group->survey);
    MS_TRY(add_records(job, group, page));
    MS_TRY(add_drawing(job, group, group->pulses, page));
    MS_TRY(add_drawing(job, group, group->spectrograms, page));
    MS_TRY(add_filters(job, group, page));
    MS_TRY(ms_page_add_fact(page, "sampling rate", "%.6g Hz, decimated by %td", info->rate,
                            info->factor));
    MS_TRY(ms_page_add_fact(page, "modes looked for", "%.4g to %.4g Hz", info->low, info->high));
    MS_TRY(
        ms_page_add_fact(page, "frequency responses faded out by", "exp(-%.3g t/s)", info->decay));
    if (group->left[0]) MS_TRY(ms_page_add_fact(page, "channels left out", "%.300s", group->left));
    if (group->skipped[0])
      MS_TRY(ms_page_add_fact(page, "files that are no records", "%.300s", group->skipped));
  }
  return MS_SUCCESS;
}

ms_status survey_write_page(const survey_job *job) {
  ms_page *page;
  char subtitle[200];
  ptrdiff_t n = 0;
  for (int g = 0; g < job->n_group; g++) n += job->group[g].n_path;
  snprintf(subtitle, sizeof subtitle, "%td impacts, without a model", n);
  MS_TRY(ms_page_create(job->ctx, "Survey of impact tests", subtitle, &page));
  ms_status status = fill_page(job, page);
  if (status == MS_SUCCESS) status = ms_page_write(page, job->report);
  ms_page_destroy(&page);
  return status;
}
