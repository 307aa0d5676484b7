/* Options for figures as files. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static ms_status read_kinds(ms_context *ctx, const char *text, cli_figures *f) {
  f->kinds = text;
  f->format.svg = f->format.pdf = 0;
  for (const char *at = text;; at++) {
    const size_t n = strcspn(at, ",");
    const int svg = n == 3 && strncmp(at, "svg", 3) == 0,
              pdf = n == 3 && strncmp(at, "pdf", 3) == 0;
    if (!svg && !pdf)
      return ms_fail(ctx, MS_ERR_ARGUMENT,
                     "--figures=%s: figures are written as svg, pdf or svg,pdf", text);
    f->format.svg |= svg;
    f->format.pdf |= pdf;
    at += n;
    if (!*at) return MS_SUCCESS;
  }
}

typedef struct length {
  const char *unit;
  double size;
} length;

/* A number and one of the units, of which the first may be left out. */
static ms_status read_length(ms_context *ctx, const char *option, const char *text,
                             const length *unit, double low, double high, double *out) {
  char *end;
  const double number = strtod(text, &end);
  for (int i = 0; end > text && unit[i].unit; i++) {
    if (strcmp(end, unit[i].unit) != 0 && (i > 0 || *end)) continue;
    *out = number * unit[i].size;
    if (*out >= low && *out <= high) return MS_SUCCESS;
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s %s: there may be %g to %g %s", option, text, low, high,
                   unit[0].unit);
  }
  return ms_fail(ctx, MS_ERR_FORMAT, "%s %s: this is not a length such as %s", option, text,
                 strcmp(unit[0].unit, "mm") == 0 ? "90mm or 3.5in" : "8pt");
}

ms_status cli_take_figures(ms_context *ctx, cli_args *args, cli_figures *f, int *taken) {
  static const length widths[] = {
    { "mm", 1.0 }, { "cm", 10.0 }, { "in", 25.4 }, { "pt", 25.4 / 72.0 }, { NULL, 0.0 }
  };
  static const length fonts[] = { { "pt", 1.0 }, { "mm", 72.0 / 25.4 }, { NULL, 0.0 } };
  const char *word = args->argv[args->at];
  *taken = cli_take_flag(args, "--figures");
  if (*taken) {
    f->wanted = 1;
    return MS_SUCCESS;
  }
  if (!args->words && strncmp(word, "--figures=", 10) == 0) {
    *taken = f->wanted = 1;
    args->at++;
    return read_kinds(ctx, word + 10, f);
  }
  MS_TRY(cli_take_option(ctx, args, "--figure-width", &f->width, taken));
  if (*taken)
    return read_length(ctx, "--figure-width", f->width, widths, 20.0, 1000.0, &f->format.width);
  MS_TRY(cli_take_option(ctx, args, "--figure-font", &f->font, taken));
  if (!*taken) return MS_SUCCESS;
  return read_length(ctx, "--figure-font", f->font, fonts, 4.0, 40.0, &f->format.font);
}

ms_status cli_check_figures(ms_context *ctx, const cli_figures *f) {
  if (!f->wanted && (f->width || f->font))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%s is for figures: give --figures, too",
                   f->width ? "--figure-width" : "--figure-font");
  return f->format.pdf ? ms_figure_check_pdf(ctx) : MS_SUCCESS;
}
