/* Figures of several runs over each other. A figure is found again by its title, a panel by its
   title and its axes. A curve of the other runs has the colour of the same curve of the first run
   and another line or marker. */
#include <stdio.h>
#include <string.h>

#include "report/compare/compare.h"
#include "report/internal.h"

enum { PATH_SIZE = 1024, LABEL_SIZE = 256 };

typedef struct kept_figure {
  ms_figure *figure;
  char *caption;
} kept_figure;

typedef struct kept_figures {
  kept_figure *item;
  ptrdiff_t n;
} kept_figures;

/* ---- reading ---- */

static void free_figures(ms_context *ctx, kept_figures *f) {
  for (ptrdiff_t i = 0; i < f->n; i++) {
    ms_figure_destroy(&f->item[i].figure);
    ms_free(ctx, &f->item[i].caption);
  }
  ms_free(ctx, &f->item);
  f->n = 0;
}

/* As the run's display shows it. */
static ms_status read_figure(const ms_run *run, const char *path, kept_figure *kept) {
  ms_figure *plain;
  MS_TRY(ms_figure_read_results(run->ctx, run->file, path, &kept->caption, &plain));
  ms_status status = ms_figure_convert(plain, run->display, &kept->figure);
  ms_figure_destroy(&plain);
  return status;
}

/* analyses/NAME/figures/1, 2 and so on. */
static ms_status read_figures(const ms_run *run, const char *analysis, kept_figures *out) {
  ms_names names;
  char path[PATH_SIZE];
  *out = (kept_figures) { 0 };
  snprintf(path, sizeof path, "analyses/%s/figures", analysis);
  MS_TRY(ms_run_list(run, path, &names));
  ms_status status = ms_allocate(run->ctx, names.n, sizeof *out->item, &out->item);
  for (ptrdiff_t i = 1; i <= names.n && status == MS_SUCCESS; i++) {
    snprintf(path, sizeof path, "analyses/%s/figures/%td", analysis, i);
    kept_figure *kept = &out->item[out->n++];
    status = read_figure(run, path, kept);
  }
  ms_names_free(run->ctx, &names);
  return status;
}

/* ---- finding again ---- */

static int same_text(const char *a, const char *b) {
  return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Of several figures with the title of figure i, the one with the same number among them. */
static const ms_figure *find_figure(const kept_figures *own, ptrdiff_t i,
                                    const kept_figures *other) {
  const char *title = own->item[i].figure->title;
  ptrdiff_t rank = 0;
  for (ptrdiff_t k = 0; k < i; k++) rank += same_text(own->item[k].figure->title, title);
  for (ptrdiff_t k = 0; k < other->n; k++) {
    if (same_text(other->item[k].figure->title, title) && rank-- == 0) return other->item[k].figure;
  }
  return NULL;
}

static int same_rows(const ms_figure_panel *a, const ms_figure_panel *b) {
  if (a->n_row != b->n_row) return 0;
  for (ptrdiff_t i = 0; i < a->n_row; i++)
    if (!same_text(a->row[i], b->row[i])) return 0;
  return 1;
}

static int same_panel(const ms_figure_panel *a, const ms_figure_panel *b) {
  return !a->empty && !b->empty && same_text(a->spec.title, b->spec.title) &&
         same_text(a->spec.x_label, b->spec.x_label) && same_text(a->spec.x_unit, b->spec.x_unit) &&
         same_text(a->spec.y_label, b->spec.y_label) && same_text(a->spec.y_unit, b->spec.y_unit) &&
         same_rows(a, b);
}

/* Panel p of a figure in another, as the first or second of those that are alike. */
static const ms_figure_panel *find_panel(const ms_figure *own, ptrdiff_t p,
                                         const ms_figure *other) {
  ptrdiff_t rank = 0;
  for (ptrdiff_t k = 0; k < p; k++) rank += same_panel(&own->panel[k], &own->panel[p]);
  for (ptrdiff_t k = 0; other && k < other->n_panel; k++)
    if (same_panel(&own->panel[p], &other->panel[k]) && rank-- == 0) return &other->panel[k];
  return NULL;
}

/* ---- drawing ---- */

/* How a curve of run k differs from that of the first. Areas and clouds have no other look. */
static void change_style(int k, ms_series *s) {
  static const ms_series_style other[] = {
    [MS_SERIES_LINE] = MS_SERIES_DASHED,  [MS_SERIES_DASHED] = MS_SERIES_LINE_POINTS,
    [MS_SERIES_POINTS] = MS_SERIES_CLOUD, [MS_SERIES_LINE_POINTS] = MS_SERIES_DASHED,
    [MS_SERIES_AREA] = MS_SERIES_AREA,    [MS_SERIES_CLOUD] = MS_SERIES_CLOUD,
  };
  const int alike = s->style == MS_SERIES_AREA || s->style == MS_SERIES_CLOUD || k > 2;
  for (int i = 0; i < k && i < 2; i++) s->style = other[s->style];
  if (alike && s->colour >= 0) s->colour = (s->colour + k) % MS_PALETTE_SIZE;
}

static int has_labels(const ms_figure_panel *panel) {
  for (ptrdiff_t i = 0; i < panel->n_series; i++)
    if (panel->series[i].label) return 1;
  return 0;
}

/* The curves of run k, with its name behind their labels, or alone at the first. */
static ms_status add_curves(ms_figure *figure, const ms_figure_panel *panel, int k,
                            const char *name) {
  const int labels = has_labels(panel);
  for (ptrdiff_t i = 0; i < panel->n_series; i++) {
    ms_series s = panel->series[i];
    char label[LABEL_SIZE];
    if (s.label) snprintf(label, sizeof label, "%.180s, %.60s", s.label, name);
    if (!s.label) snprintf(label, sizeof label, "%.60s", name);
    if (s.label || (i == 0 && !labels)) s.label = label;
    change_style(k, &s);
    MS_TRY(ms_figure_add_series(figure, &s));
  }
  return MS_SUCCESS;
}

typedef struct sources {
  const ms_compare *compare;
  const kept_figures *kept; /* of each run */
  ptrdiff_t figure;         /* of the first */
} sources;

static const ms_figure_panel *panel_of(const sources *s, int k, ptrdiff_t p) {
  const ms_figure *own = s->kept[0].item[s->figure].figure;
  if (k == 0) return &own->panel[p];
  return find_panel(own, p, find_figure(&s->kept[0], s->figure, &s->kept[k]));
}

static ms_status add_panel(const sources *s, ptrdiff_t p, ms_figure *figure) {
  const ms_figure_panel *own = panel_of(s, 0, p);
  if (own->empty) return ms_figure_skip_panel(figure);
  ms_panel spec = own->spec;
  for (int k = 1; k < s->compare->n_run; k++) {
    const ms_figure_panel *other = panel_of(s, k, p);
    if (!other) continue;
    spec.x_log &= other->spec.x_log; /* some axes are logarithmic only where values allow it */
    spec.y_log &= other->spec.y_log;
  }
  MS_TRY(ms_figure_add_panel(figure, &spec));
  for (int k = 0; k < s->compare->n_run; k++) {
    const ms_figure_panel *panel = panel_of(s, k, p);
    if (panel) MS_TRY(add_curves(figure, panel, k, s->compare->run[k].name));
  }
  if (own->n_row == 0) return MS_SUCCESS;
  return ms_figure_name_rows(figure, own->n_row, (const char *const *)own->row);
}

/* *added: whether any run but the first has a panel of it. */
static ms_status add_figure(const sources *s, ms_page *page, int *added) {
  const ms_figure *own = s->kept[0].item[s->figure].figure;
  ms_figure *figure;
  *added = 0;
  for (int k = 1; k < s->compare->n_run; k++)
    for (ptrdiff_t p = 0; p < own->n_panel; p++) *added |= panel_of(s, k, p) != NULL;
  if (!*added) return MS_SUCCESS;
  MS_TRY(ms_figure_create(s->compare->ctx, own->title, own->subtitle, &figure));
  ms_status status = own->columns > 0 ? ms_figure_set_columns(figure, own->columns) : MS_SUCCESS;
  ms_figure_share(figure, own->share);
  for (ptrdiff_t p = 0; p < own->n_panel && status == MS_SUCCESS; p++)
    status = add_panel(s, p, figure);
  if (status == MS_SUCCESS)
    status = ms_page_add_figure(page, s->kept[0].item[s->figure].caption, figure);
  ms_figure_destroy(&figure);
  return status;
}

ms_status ms_compare_overlay(ms_compare *c, const char *analysis, int weight, ms_page *page) {
  kept_figures *kept;
  int featured = 0, added;
  MS_TRY(ms_allocate(c->ctx, c->n_run, sizeof *kept, &kept));
  ms_status status = MS_SUCCESS;
  for (int k = 0; k < c->n_run && status == MS_SUCCESS; k++)
    status = read_figures(&c->run[k], analysis, &kept[k]);
  for (ptrdiff_t i = 0; i < kept[0].n && status == MS_SUCCESS; i++) {
    status = add_figure(&(sources) { c, kept, i }, page, &added);
    if (status == MS_SUCCESS && added && !featured++) status = ms_page_feature(page, weight);
  }
  for (int k = 0; k < c->n_run; k++) free_figures(c->ctx, &kept[k]);
  ms_free(c->ctx, &kept);
  return status;
}
