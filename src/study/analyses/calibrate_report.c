/* What `calibrate` says whatever its method: curves over targets, misfits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate.h"

ms_status ms_calibrate_sheet(ms_study *s, const ms_task *task, const ms_calibrate *c,
                             const char *ending, const char *first, ms_sheet **out) {
  char name[96], columns[4096];
  int at = snprintf(columns, sizeof columns, "%s", first);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const char *unit = c->parameter[i].unit;
    const int has_unit = unit && *unit && strcmp(unit, "-") != 0;
    at +=
        snprintf(columns + at, sizeof columns - (size_t)at, ",%.31s%s%.20s%s", c->parameter[i].key,
                 has_unit ? " [" : "", has_unit ? unit : "", has_unit ? "]" : "");
  }
  snprintf(name, sizeof name, "%.80s_%.12s", task->name, ending);
  return ms_sheet_create(s, name, columns, out);
}

/* ---- tables ---- */

static ms_status tabulate_curves(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  char name[96];
  ms_sheet *sheet;
  snprintf(name, sizeof name, "%.80s_curves", task->name);
  MS_TRY(ms_sheet_create(s, name,
                         "mode,target:word,solution:word,row,q [m sqrt(kg)],omega_target [rad/s],"
                         "zeta_target,omega [rad/s],zeta",
                         &sheet));
  for (ptrdiff_t x = 0; x < c->n_solution; x++) {
    for (ptrdiff_t k = 0; k < c->n_target; k++) {
      const ms_target t = ms_calibration_target(c->main, k);
      const ms_points *fit = &c->solution[x].curve[k];
      for (ptrdiff_t i = 0; i < t.n; i++) {
        MS_TRY(ms_sheet_add_row(s->ctx, sheet, (double)(t.mode + 1), t.name, c->solution[x].name,
                                (double)t.row[i], t.q[i], t.omega[i], t.zeta[i], fit->omega[i],
                                fit->zeta[i]));
      }
    }
  }
  return MS_SUCCESS;
}

/* The largest relative difference. */
static double largest(ptrdiff_t n, const double *a, const double *b) {
  double worst = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] / b[i] - 1.0));
  return worst;
}

static ms_status tabulate_targets(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  char name[96];
  ms_sheet *sheet;
  snprintf(name, sizeof name, "%.80s_targets", task->name);
  MS_TRY(ms_sheet_create(s, name,
                         "target:word,solution:word,mode,points,left_out,omega_rms,omega_max,"
                         "zeta_rms,zeta_max",
                         &sheet));
  for (ptrdiff_t x = 0; x < c->n_solution; x++) {
    for (ptrdiff_t k = 0; k < c->n_target; k++) {
      const ms_target t = ms_calibration_target(c->main, k);
      const ms_calibrate_solution *is = &c->solution[x];
      const int seen = c->target[k].weight_zeta > 0.0;
      MS_TRY(ms_sheet_add_row(s->ctx, sheet, t.name, is->name, (double)(t.mode + 1), (double)t.n,
                              (double)c->target[k].left_out, sqrt(is->f[2 * k]),
                              largest(t.n, is->curve[k].omega, t.omega), sqrt(is->f[2 * k + 1]),
                              seen ? largest(t.n, is->curve[k].zeta, t.zeta) : 0.0));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_tabulate(ms_study *s, const ms_task *task, ms_calibrate *c) {
  MS_TRY(c->method->tabulate(s, task, c));
  MS_TRY(tabulate_curves(s, task, c));
  return tabulate_targets(s, task, c);
}

static const ms_sheet *find_sheet(const ms_study *s, const ms_task *task, const char *ending) {
  char name[96];
  snprintf(name, sizeof name, "%.80s_%s", task->name, ending);
  for (int i = 0; i < s->n_sheet; i++) {
    if (strcmp(ms_sheet_name(s->sheet[i]), name) == 0) return s->sheet[i];
  }
  return NULL;
}

/* ---- summary ---- */

void ms_calibrate_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  static const char *const column[] = { "omega_rms", "omega_max", "zeta_rms", "zeta_max" };
  const ms_calibrate *c = task->product;
  const ms_sheet *sheet = find_sheet(s, task, "targets");
  ms_json_add_text(json, "method", c->method->name);
  c->method->summarise(c, json);
  ms_json_begin_array(json, "targets");
  for (ptrdiff_t i = 0; i < ms_sheet_rows(sheet); i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "target", ms_sheet_word(sheet, 0, i));
    ms_json_add_text(json, "solution", ms_sheet_word(sheet, 1, i));
    ms_json_add_integer(json, "points", (long long)ms_sheet_column(sheet, 3)[i]);
    for (int k = 0; k < 4; k++) {
      ms_json_add_number(json, column[k], ms_sheet_column(sheet, 5 + k)[i]);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

/* ---- report ---- */

static ms_status report_target(const ms_study *s, const ms_calibrate *c, ptrdiff_t k,
                               ms_page *page) {
  enum { MOST = 7 };
  ms_overlay overlay[MOST + 1];
  int n = 0;
  overlay[n++] = (ms_overlay) { c->target[k].name, &c->target[k].points, MS_SERIES_POINTS, 0 };
  for (ptrdiff_t x = 0; x < c->n_solution && n <= MOST; x++, n++) {
    overlay[n] = (ms_overlay) { c->solution[x].name, &c->solution[x].curve[k],
                                x ? MS_SERIES_DASHED : MS_SERIES_LINE, (int)x + 1 };
  }
  return ms_curves_figure(s, page, c->target[k].mode, overlay, n);
}

static ms_status report_left_out(const ms_calibrate *c, ms_page *page) {
  char text[200];
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].left_out == 0) continue;
    snprintf(text, sizeof text, "%s: %td points that do not decay were left out.",
             c->target[k].name, c->target[k].left_out);
    MS_TRY(ms_page_add_warning(page, text));
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_calibrate *c = task->product;
  MS_TRY(c->method->report(s, c, page));
  MS_TRY(report_left_out(c, page));
  for (ptrdiff_t k = 0; k < c->n_target; k++) MS_TRY(report_target(s, c, k, page));
  return ms_sheet_add_to_page(s->ctx, find_sheet(s, task, "targets"),
                              "Relative differences between curves and targets", page);
}
