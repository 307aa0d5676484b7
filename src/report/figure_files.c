/* A figure as files for a paper: SVG and PDF of a width and a type size, and its points as CSV. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "report/internal.h"
#include "report/pdf/pdf.h"

enum { DEFAULT_FONT = 9 }; /* pt */
static const double pt_in_mm = 72.0 / 25.4;

/* ---- pictures ---- */

typedef struct drawing {
  ms_figure figure; /* without its titles, where there is a width */
  ms_layout layout;
  double pt; /* of a px */
  double mm; /* width; 0: as drawn */
  ms_theme theme;
} drawing;

static ms_status print(ms_context *ctx, const void *user, FILE *out) {
  const drawing *d = user;
  (void)ctx;
  ms_svg_draw_file(out, &d->figure, &d->layout, d->theme, d->mm);
  return MS_SUCCESS;
}

static ms_status write_svg(ms_context *ctx, const drawing *d, const char *path) {
  ms_outfile *file;
  MS_TRY(ms_outfile_open(ctx, path, &file));
  print(ctx, d, ms_outfile_stream(file));
  return ms_outfile_commit(&file);
}

static ms_status write_pdf(ms_context *ctx, const drawing *d, const char *title, const char *path) {
  drawing light = *d;
  char *svg;
  size_t length;
  light.theme = MS_THEME_LIGHT;
  MS_TRY(ms_print_text(ctx, print, &light, &svg, &length));
  const double width = d->mm > 0.0 ? d->mm * pt_in_mm : ceil(d->layout.width) * d->pt;
  const double height =
      d->mm > 0.0 ? width * d->layout.height / d->layout.width : ceil(d->layout.height) * d->pt;
  const ms_pdf_picture picture = { svg, length, title, width, height };
  ms_status status = ms_pdf_write(ctx, &picture, path);
  ms_free(ctx, &svg);
  return status;
}

/* ---- points ---- */

/* The heading of an axis, "zeta [%]", without the power of ten that its ticks leave out. */
static void print_heading(const ms_panel *spec, int y, char text[256]) {
  const ms_axis plain = { 0 };
  const char *label = y ? spec->y_label : spec->x_label;
  ms_axis_title(&plain, label ? label : y ? "y" : "x", y ? spec->y_unit : spec->x_unit, text, 256);
}

typedef struct headings {
  char (*text)[256];
  int n, (*at)[2]; /* of each panel: the columns of x and y */
} headings;

static void find_headings(const ms_figure *figure, headings *h) {
  for (int y = 0; y < 2; y++) {
    const int first = h->n;
    for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
      int k = first;
      if (figure->panel[p].empty) continue;
      print_heading(&figure->panel[p].spec, y, h->text[h->n]);
      while (strcmp(h->text[k], h->text[h->n]) != 0) k++;
      if (k == h->n) h->n++;
      h->at[p][y] = k;
    }
  }
}

static void write_word(FILE *out, const char *word) {
  fputc('"', out);
  for (; word && *word; word++) fputs(*word == '"' ? "\"\"" : (char[2]) { *word, '\0' }, out);
  fputc('"', out);
}

static void write_point(FILE *out, const headings *h, ptrdiff_t p, double x, double y) {
  for (int k = 0; k < h->n; k++) {
    char text[32] = "";
    if (k == h->at[p][0]) ms_format_double(x, text);
    if (k == h->at[p][1]) ms_format_double(y, text);
    fprintf(out, ",%s", text);
  }
  fputc('\n', out);
}

static void write_points(FILE *out, const ms_figure *figure, const headings *h) {
  fputs("panel,curve", out);
  for (int k = 0; k < h->n; k++) fputc(',', out), write_word(out, h->text[k]);
  fputc('\n', out);
  for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
    const ms_figure_panel *panel = &figure->panel[p];
    for (ptrdiff_t i = 0; i < panel->n_series; i++) {
      const ms_series *s = &panel->series[i];
      char number[32];
      snprintf(number, sizeof number, "%td", p + 1);
      for (ptrdiff_t k = 0; k < s->n; k++) {
        write_word(out, panel->spec.title ? panel->spec.title : number);
        fputc(',', out);
        snprintf(number, sizeof number, "%td", i + 1);
        write_word(out, s->label ? s->label : number);
        write_point(out, h, p, s->x[k], s->y[k]);
        snprintf(number, sizeof number, "%td", p + 1);
      }
    }
  }
}

static ms_status write_csv(ms_context *ctx, const ms_figure *figure, const char *path) {
  headings h = { 0 };
  ms_outfile *file;
  MS_TRY(ms_allocate(ctx, 2 * figure->n_panel + 1, sizeof *h.text, &h.text));
  ms_status status = ms_allocate(ctx, figure->n_panel, sizeof *h.at, &h.at);
  if (status == MS_SUCCESS) status = ms_outfile_open(ctx, path, &file);
  if (status == MS_SUCCESS) {
    find_headings(figure, &h);
    write_points(ms_outfile_stream(file), figure, &h);
    status = ms_outfile_commit(&file);
  }
  ms_free(ctx, &h.text);
  ms_free(ctx, &h.at);
  return status;
}

/* ---- files ---- */

static ms_status write_files(ms_context *ctx, const ms_figure *figure, const drawing *d,
                             const char *stem, const ms_figure_format *f) {
  const int wanted[] = { f->svg || !f->pdf, f->pdf, 1 };
  static const char *const ending[] = { "svg", "pdf", "csv" };
  const ptrdiff_t size = (ptrdiff_t)strlen(stem) + 5;
  char *path;
  MS_TRY(ms_allocate(ctx, size, 1, &path));
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < 3 && status == MS_SUCCESS; i++) {
    if (!wanted[i]) continue;
    snprintf(path, (size_t)size, "%s.%s", stem, ending[i]);
    status = i == 0   ? write_svg(ctx, d, path)
             : i == 1 ? write_pdf(ctx, d, figure->title, path)
                      : write_csv(ctx, figure, path);
  }
  ms_free(ctx, &path);
  return status;
}

static ms_status check(const ms_figure *figure, const char *stem, const ms_figure_format *f) {
  ms_context *ctx = figure->ctx;
  if (!stem) return ms_fail(ctx, MS_ERR_ARGUMENT, "figure '%s': the path is NULL", figure->title);
  if (figure->n_panel == 0)
    return ms_fail(ctx, MS_ERR_STATE, "figure '%s' has no panel; add one before writing",
                   figure->title);
  if (f->width != 0.0 && !(f->width >= 20.0 && f->width <= 1000.0))
    return ms_fail(ctx, MS_ERR_BOUNDS, "a figure is 20 to 1000 mm wide, not %g", f->width);
  if (f->font != 0.0 && !(f->font >= 4.0 && f->font <= 40.0))
    return ms_fail(ctx, MS_ERR_BOUNDS, "type in figures is 4 to 40 pt, not %g", f->font);
  return MS_SUCCESS;
}

ms_status ms_figure_write(const ms_figure *figure, const char *stem,
                          const ms_figure_format *format) {
  static const ms_figure_format usual;
  static char none[] = "";
  const ms_figure_format *f = format ? format : &usual;
  if (!figure) return MS_ERR_ARGUMENT;
  ms_context *ctx = figure->ctx;
  MS_TRY(check(figure, stem, f));
  drawing d = { .figure = *figure, .mm = f->width, .theme = f->theme };
  d.pt = (f->font > 0.0 ? f->font : DEFAULT_FONT) / MS_LABEL_SIZE;
  if (f->width > 0.0) d.figure.title = none, d.figure.subtitle = NULL;
  MS_TRY(ms_layout_setup_width(&d.figure, f->width * pt_in_mm / d.pt, &d.layout));
  d.figure.title = figure->title; /* for those who hear it */
  ms_status status = write_files(ctx, figure, &d, stem, f);
  ms_free(ctx, &d.layout.view);
  return status;
}
