/* modes: how frequencies and damping change when numbers of the file do. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/modes/modes.h"

enum { N_OF_MODE = 9, N_PANEL = 6 };
enum { OMEGA_0, OMEGA_INF, F_0, F_INF }; /* behind the column of the mode */

/* ---- the run ---- */

static ms_status add_rows(ms_study *view, ptrdiff_t i, void *user) {
  const ms_modes_product *p = user;
  const ms_modes stuck = ms_structure_get_stuck(view->structure);
  const ms_modes slipped = ms_structure_get_slipped(view->structure);
  const double two_pi = 2.0 * acos(-1.0);
  ms_modes_pairs pairs;
  ms_status status = ms_modes_pair(view->ctx, view->structure, &pairs);
  for (ptrdiff_t r = 0; status == MS_SUCCESS && r < stuck.n; r++) {
    double row[1 + MS_VARIANT_PATHS + N_OF_MODE] = { (double)(i + 1) };
    double *at = row + 1 + ms_variants_row(&p->variants, i, row + 1);
    *at++ = (double)(r + 1);
    at[OMEGA_0] = stuck.omega[r];
    at[OMEGA_INF] = slipped.omega[pairs.slipped[r]];
    at[F_0] = stuck.omega[r] / two_pi;
    at[F_INF] = slipped.omega[pairs.slipped[r]] / two_pi;
    at[F_INF + 1] = ms_structure_get_damping_ratio(view->structure, r);
    at[F_INF + 2] = ms_structure_get_joint_damping_ratio(view->structure, r);
    at[F_INF + 3] = (double)(pairs.slipped[r] + 1);
    at[F_INF + 4] = pairs.mac[r];
    status = ms_result_table_add_numbers(view->ctx, p->varied, row);
  }
  ms_modes_pairs_free(view->ctx, &pairs);
  return status;
}

ms_status ms_modes_run_variants(ms_study *s, const ms_task *task, ms_modes_product *p) {
  char name[96];
  if (p->variants.n == 0) return MS_SUCCESS;
  snprintf(name, sizeof name, "%.80s_variants", task->name);
  MS_TRY(ms_result_table_create(s, name, "variant", &p->varied));
  MS_TRY(ms_variants_add_columns(s->ctx, &p->variants, p->varied));
  MS_TRY(ms_result_table_add_columns(
      s->ctx, p->varied,
      "mode,omega_0 [rad/s],omega_inf [rad/s],f_0 [Hz],f_inf [Hz],zeta_0,"
      "zeta_dashpots,mode_inf,mac"));
  return ms_variants_visit(s, task->name, &p->variants, add_rows, p);
}

/* ---- results ---- */

/* Column `of` of mode r (from 0) over the variants, in x behind their first numbers; how many have
   such a mode. */
static ptrdiff_t pick(const ms_modes_product *p, ptrdiff_t r, int of, double *x) {
  const int mode = 1 + (int)p->variants.n_path;
  const double *number = ms_result_table_column(p->varied, mode);
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < ms_result_table_rows(p->varied); k++) {
    if (number[k] != (double)(r + 1)) continue;
    x[n] = ms_result_table_column(p->varied, 1)[k];
    x[p->variants.n + n++] = ms_result_table_column(p->varied, mode + 1 + of)[k];
  }
  return n;
}

static ptrdiff_t count_modes(const ms_modes_product *p) {
  const double *number = ms_result_table_column(p->varied, 1 + (int)p->variants.n_path);
  double most = 0.0;
  for (ptrdiff_t k = 0; k < ms_result_table_rows(p->varied); k++) most = fmax(most, number[k]);
  return (ptrdiff_t)most;
}

void ms_modes_summarise_variants(const ms_modes_product *p, ms_json *json) {
  const int first = 2 + (int)p->variants.n_path;
  if (!p->varied) return;
  const ptrdiff_t n = ms_result_table_rows(p->varied);
  ms_json_begin_object(json, "variants");
  ms_variants_summarise(&p->variants, json);
  ms_json_add_numbers(json, "variant", ms_result_table_column(p->varied, 0), n);
  ms_json_add_numbers(json, "mode", ms_result_table_column(p->varied, first - 1), n);
  ms_json_add_numbers(json, "omega_0", ms_result_table_column(p->varied, first + OMEGA_0), n);
  ms_json_add_numbers(json, "omega_inf", ms_result_table_column(p->varied, first + OMEGA_INF), n);
  ms_json_end(json);
}

static ms_status add_panel(const ms_modes_product *p, ptrdiff_t r, int of, double *x,
                           ms_figure *figure) {
  char title[32];
  snprintf(title, sizeof title, "Mode %td", r + 1);
  ms_panel panel = { .title = title,
                     .x_label = ms_variants_short(p->variants.path[0]),
                     .x_unit = "file's units",
                     .y_label = "frequency",
                     .y_unit = "Hz" };
  ms_series series = { .x = x, .y = x + p->variants.n, .style = MS_SERIES_LINE_POINTS };
  series.n = pick(p, r, of, x);
  MS_TRY(ms_figure_add_panel(figure, &panel));
  return ms_figure_add_series(figure, &series);
}

/* Of the lowest modes that are not of a rigid body. */
static ms_status fill_figure(const ms_modes_product *p, int of, double *x, ms_figure *figure) {
  const ptrdiff_t modes = count_modes(p);
  int panels = 0;
  for (ptrdiff_t r = 0; r < modes && panels < N_PANEL; r++) {
    double most = 0.0;
    for (ptrdiff_t k = pick(p, r, of, x) - 1; k >= 0; k--) most = fmax(most, x[p->variants.n + k]);
    if (most == 0.0) continue;
    MS_TRY(add_panel(p, r, of, x, figure));
    panels++;
  }
  return MS_SUCCESS;
}

static ms_status add_figure(const ms_study *s, const ms_modes_product *p, int of, const char *title,
                            ms_page *page) {
  ms_figure *figure = NULL;
  double *x = NULL;
  ms_status status = ms_allocate(s->ctx, 2 * p->variants.n, sizeof *x, &x);
  if (status == MS_SUCCESS) status = ms_figure_create(s->ctx, title, NULL, &figure);
  if (status == MS_SUCCESS) status = fill_figure(p, of, x, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  ms_free(s->ctx, &x);
  return status;
}

ms_status ms_modes_report_variants(const ms_study *s, const ms_modes_product *p, ms_page *page) {
  if (!p->varied) return MS_SUCCESS;
  MS_TRY(ms_page_add_text(page,
                          "Variants: the structure with other numbers in the file, in the file's "
                          "units. Figures are drawn over the first of them."));
  MS_TRY(add_figure(s, p, F_0, "Variants: frequencies with joints stuck", page));
  if (ms_structure_count_joints(s->structure) > 0) {
    MS_TRY(add_figure(s, p, F_INF, "Variants: frequencies with joints slipped", page));
  }
  return ms_result_table_add_to_page(s->ctx, p->varied, "Modes of the variants", page);
}
