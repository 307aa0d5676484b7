/* A figure in which the reader chooses: checked, and kept as the JSON that choice.js reads. */
#include <math.h>
#include <microslip/io.h>

#include "core/internal.h"
#include "report/page.h"

/* ---- checking ---- */

static ms_status check_finite(ms_context *ctx, const double *v, ptrdiff_t n, const char *what) {
  for (ptrdiff_t i = 0; i < n; i++) {
    if (isfinite(v[i])) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC, "value %td of %s is %g", i, what, v[i]);
  }
  return MS_SUCCESS;
}

static ms_status check_bar(ms_context *ctx, const ms_choices *c, const ms_choice_bar *bar) {
  if (!bar->name || !(bar->low < bar->high) || (bar->log && !(bar->low > 0.0))) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "bar %s from %g to %g needs a name and bounds",
                   bar->name ? bar->name : "NULL", bar->low, bar->high);
  }
  return check_finite(ctx, bar->value, c->n, bar->name);
}

static ms_status check(ms_context *ctx, const ms_choices *c, const ms_figure *figure) {
  if (!c) return ms_fail(ctx, MS_ERR_ARGUMENT, "the choices are NULL");
  const ms_figure_panel *panel = figure->panel;
  const ptrdiff_t n = panel->n_series > 0 ? panel->series[0].n : 0;
  if (c->n < 1 || c->n != n || c->first < 0 || c->first >= c->n) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%td choices, the first of them %td; the first series has %td points", c->n,
                   c->first, n);
  }
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    if (c->curve[i].panel < 0 || c->curve[i].panel >= figure->n_panel || c->curve[i].n < 1) {
      return ms_fail(ctx, MS_ERR_ARGUMENT,
                     "a curve of %td points in panel %td; panels are 0 to %td, points at least 1",
                     c->curve[i].n, c->curve[i].panel, figure->n_panel - 1);
    }
    MS_TRY(check_finite(ctx, c->curve[i].x, c->curve[i].n, "a curve's x"));
    MS_TRY(check_finite(ctx, c->curve[i].y, c->curve[i].n * c->n, "a curve's y"));
  }
  for (ptrdiff_t i = 0; i < c->n_bar; i++) MS_TRY(check_bar(ctx, c, &c->bar[i]));
  return MS_SUCCESS;
}

/* ---- writing ---- */

static void write_curve(ms_json *json, const ms_choices *c, const ms_choice_curve *curve) {
  ms_json_begin_object(json, NULL);
  ms_json_add_integer(json, "panel", curve->panel);
  ms_json_add_rounded(json, "x", curve->x, curve->n);
  ms_json_begin_array(json, "y");
  for (ptrdiff_t k = 0; k < c->n; k++) {
    ms_json_add_rounded(json, NULL, curve->y + curve->n * k, curve->n);
  }
  ms_json_end(json);
  ms_json_end(json);
}

static void write_bar(ms_json *json, const ms_choices *c, const ms_choice_bar *bar) {
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "name", bar->name);
  ms_json_add_text(json, "unit", bar->unit);
  ms_json_add_number(json, "low", bar->low);
  ms_json_add_number(json, "high", bar->high);
  ms_json_add_bool(json, "log", bar->log);
  ms_json_add_rounded(json, "value", bar->value, c->n);
  ms_json_end(json);
}

static ms_status write(ms_context *ctx, const void *from, FILE *out) {
  const ms_choices *c = from;
  ms_json *json;
  MS_TRY(ms_json_create(ctx, out, &json));
  ms_json_escape_markup(json);
  ms_json_begin_object(json, NULL);
  ms_json_add_integer(json, "n", c->n);
  ms_json_add_integer(json, "first", c->first);
  ms_json_begin_array(json, "name");
  for (ptrdiff_t k = 0; k < c->n; k++) ms_json_add_text(json, NULL, c->name ? c->name[k] : NULL);
  ms_json_end(json);
  ms_json_begin_array(json, "curves");
  for (ptrdiff_t i = 0; i < c->n_curve; i++) write_curve(json, c, &c->curve[i]);
  ms_json_end(json);
  ms_json_begin_array(json, "bars");
  for (ptrdiff_t i = 0; i < c->n_bar; i++) write_bar(json, c, &c->bar[i]);
  ms_json_end(json);
  ms_json_end(json);
  return ms_json_close(&json);
}

ms_status ms_block_copy_choices(ms_context *ctx, const ms_choices *choices, ms_page_block *block) {
  MS_TRY(check(ctx, choices, block->figure));
  size_t length;
  return ms_print_text(ctx, write, choices, &block->choices, &length);
}
