/* modes: effective masses of the stuck modes, m_r = (phi_r^T M iota)^2 along x, y, z. Over all
   modes they add up to the mass that can move relative to the ground; what a reduction leaves out,
   and what is fixed, is missing in the sum. */
#include <stdio.h>

#include "study/analyses/modes/modes.h"
#include "study/model/loads.h"

/* m: 3 x modes. */
static ms_status find_masses(const ms_study *s, double *y, double *m) {
  ms_modes stuck = ms_structure_get_stuck(s->structure);
  for (int d = 0; d < 3; d++) {
    for (ptrdiff_t i = 0; i < stuck.n; i++) y[i] = 0.0;
    MS_TRY(ms_find_translation(s, d, y, NULL));
    for (ptrdiff_t r = 0; r < stuck.n; r++) {
      double part = 0.0;
      for (ptrdiff_t i = 0; i < stuck.n; i++) part += stuck.shape[i + stuck.n * r] * y[i];
      m[d + 3 * r] = part * part;
    }
  }
  return MS_SUCCESS;
}

static ms_status fill(ms_study *s, const double *m, ms_result_table *table) {
  ms_modes stuck = ms_structure_get_stuck(s->structure);
  double sum[3] = { 0.0, 0.0, 0.0 };
  for (ptrdiff_t r = 0; r < stuck.n; r++) {
    const double *of = m + 3 * r;
    for (int d = 0; d < 3; d++) sum[d] += of[d];
    MS_TRY(ms_result_table_add_row(s->ctx, table, (double)(r + 1), stuck.omega[r], of[0], of[1],
                                   of[2], sum[0], sum[1], sum[2]));
  }
  return MS_SUCCESS;
}

ms_status ms_modes_run_mass(ms_study *s, const ms_task *task, ms_modes_product *p) {
  ptrdiff_t n = ms_structure_get_size(s->structure);
  char name[96];
  double *y = NULL, *m = NULL;
  snprintf(name, sizeof name, "%.80s_mass", task->name);
  MS_TRY(
      ms_result_table_create(s, name,
                             "mode,omega_0 [rad/s],mass_x [kg],mass_y [kg],mass_z [kg],sum_x [kg],"
                             "sum_y [kg],sum_z [kg]",
                             &p->mass));
  ms_status status = ms_allocate(s->ctx, n, sizeof *y, &y);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, 3 * n, sizeof *m, &m);
  if (status == MS_SUCCESS) status = find_masses(s, y, m);
  if (status == MS_SUCCESS) status = fill(s, m, p->mass);
  ms_free(s->ctx, &y);
  ms_free(s->ctx, &m);
  return status;
}

void ms_modes_summarise_mass(const ms_study *s, const ms_modes_product *p, ms_json *json) {
  static const char *const name[] = { "x", "y", "z" };
  ptrdiff_t n = p->mass ? ms_result_table_rows(p->mass) : 0;
  if (n == 0) return;
  ms_json_begin_object(json, "effective_mass");
  ms_json_add_number(json, "total", s->reduced->mass);
  for (int d = 0; d < 3; d++)
    ms_json_add_numbers(json, name[d], ms_result_table_column(p->mass, 2 + d), n);
  ms_json_end(json);
}

ms_status ms_modes_report_mass(const ms_study *s, const ms_modes_product *p, ms_page *page) {
  char text[256];
  if (!p->mass) return MS_SUCCESS;
  snprintf(
      text, sizeof text,
      "Effective masses say how strongly a mode answers to a ground that moves along x, y or "
      "z. The whole mass is %.6g kg; what their sums lack is fixed, or moves in modes that the "
      "reduction left out.",
      s->reduced->mass);
  MS_TRY(ms_page_add_text(page, text));
  return ms_result_table_add_to_page(s->ctx, p->mass, "Effective masses of the stuck modes", page);
}
