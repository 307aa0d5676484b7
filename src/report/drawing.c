/* Drawings of other rooms as figures. */
#include <math.h>

#include "core/internal.h"
#include "report/internal.h"
#include "report/result/result.h"

/* At the upper right corner of what is drawn. */
static ms_status add_note(const ms_drawn_panel *panel, ms_figure *figure) {
  double x = -HUGE_VAL, y = -HUGE_VAL;
  for (ptrdiff_t c = 0; c < panel->n_curve; c++) {
    const ms_drawn_curve *curve = &panel->curve[c];
    for (ptrdiff_t k = 0; k < curve->n; k++) x = fmax(x, curve->x[k]), y = fmax(y, curve->y[k]);
  }
  return isfinite(x) ? ms_figure_add_note(figure, x, y, panel->note) : MS_SUCCESS;
}

static int find_quantity(const char *label, const char *unit) {
  return label ? (int)ms_display_find_quantity(label, unit, NULL) : (int)MS_DISPLAY_PLAIN;
}

static ms_status add_panel(const ms_drawn_panel *panel, ms_figure *figure) {
  const ms_drawn_axes *axes = &panel->axes;
  const char *y_unit = panel->y_unit[0] ? panel->y_unit : NULL;
  const ms_panel spec = { .title = panel->title[0] ? panel->title : NULL,
                          .x_quantity = find_quantity(axes->x_label, axes->x_unit),
                          .y_quantity = find_quantity(axes->y_label, y_unit),
                          .x_label = axes->x_label,
                          .x_unit = axes->x_unit,
                          .y_label = axes->y_label,
                          .y_unit = y_unit,
                          .y_log = axes->y_log,
                          .height = axes->height };
  if (panel->empty || panel->n_curve == 0) return ms_figure_skip_panel(figure);
  MS_TRY(ms_figure_add_panel(figure, &spec));
  for (ptrdiff_t c = 0; c < panel->n_curve; c++) {
    const ms_drawn_curve *curve = &panel->curve[c];
    const ms_series series = { .label = curve->label[0] ? curve->label : NULL,
                               .x = curve->x,
                               .y = curve->y,
                               .n = curve->n,
                               .style = curve->points ? MS_SERIES_POINTS : MS_SERIES_LINE,
                               .colour = curve->colour };
    MS_TRY(ms_figure_add_series(figure, &series));
  }
  return panel->note[0] ? add_note(panel, figure) : MS_SUCCESS;
}

ms_status ms_figure_from_drawing(ms_context *ctx, const ms_drawing *drawing, ms_figure **out) {
  ms_figure *figure;
  MS_MAKE(ctx, out, drawing);
  MS_TRY(ms_figure_create(ctx, ms_drawing_get_title(drawing), NULL, &figure));
  ms_status status = ms_figure_set_columns(figure, ms_drawing_get_columns(drawing));
  ms_figure_share(figure, MS_SHARE_X);
  for (ptrdiff_t p = 0; p < ms_drawing_count_panels(drawing) && status == MS_SUCCESS; p++)
    status = add_panel(ms_drawing_get_panel(drawing, p), figure);
  if (status == MS_SUCCESS) *out = figure;
  if (status != MS_SUCCESS) ms_figure_destroy(&figure);
  return status;
}

void ms_result_take_drawing(ms_result *r, ms_status status, ms_drawing **drawing) {
  ms_figure *figure = NULL;
  if (status == MS_SUCCESS && *drawing) status = ms_figure_from_drawing(r->ctx, *drawing, &figure);
  ms_result_fail_page(r, status);
  ms_result_take_figure(r, figure ? ms_drawing_get_caption(*drawing) : NULL, &figure);
  ms_drawing_destroy(drawing);
}
