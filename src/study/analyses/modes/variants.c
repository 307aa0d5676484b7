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
  ms_mode_pairs pairs;
  ms_status status = ms_mode_pairs_find(view->ctx, view->structure, &pairs);
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
  ms_mode_pairs_free(view->ctx, &pairs);
  return status;
}

ms_status ms_modes_run_variants(ms_study *s, const ms_task *task, ms_modes_product *p) {
  if (p->variants.n == 0) return MS_SUCCESS;
  MS_TRY(ms_task_add_table(s, task, "_variants", "variant", &p->varied));
  MS_TRY(ms_variants_add_columns(s->ctx, &p->variants, p->varied));
  MS_TRY(ms_result_table_add_columns(
      s->ctx, p->varied,
      "mode,omega_0 [rad/s],omega_inf [rad/s],f_0 [Hz],f_inf [Hz],zeta_0,"
      "zeta_dashpots,mode_inf,mac"));
  return ms_variants_visit(s, task->name, &p->variants, add_rows, p);
}

/* ---- result ---- */

/* Over the first path, of the lowest modes that are not of a rigid body. */
static void plot(const ms_modes_product *p, const char *frequency, const char *title,
                 ms_result *result) {
  const ms_result_table *t = p->varied;
  const double *mode = ms_result_table_column(t, 1 + (int)p->variants.n_path);
  const double *f = ms_result_table_column(t, ms_result_table_find_column(t, frequency));
  char name[N_PANEL][32], where[N_PANEL][32];
  ms_plot panel[N_PANEL];
  int n = 0;
  for (double r = 1.0; n < N_PANEL; r += 1.0) {
    double most = -1.0;
    for (ptrdiff_t k = 0; k < ms_result_table_rows(t); k++) {
      if (mode[k] == r) most = fmax(most, f[k]);
    }
    if (most < 0.0) break;
    if (most == 0.0) continue;
    snprintf(name[n], sizeof name[n], "Mode %g", r);
    snprintf(where[n], sizeof where[n], "mode=%g", r);
    panel[n] = (ms_plot) { .title = name[n],
                           .x = ms_result_table_describe(t, 1).name,
                           .y = frequency,
                           .x_label = ms_variants_short(p->variants.path[0]),
                           .x_unit = "file's units",
                           .y_label = "frequency",
                           .where = where[n],
                           .style = MS_SERIES_LINE_POINTS };
    n++;
  }
  ms_result_plot(result, title, NULL, t, n, panel);
}

static void set_column(const ms_result_table *t, const char *name, const char *unit,
                       ms_result *result) {
  const int column = ms_result_table_find_column(t, name);
  ms_result_set_numbers(result, name, unit, ms_result_table_column(t, column),
                        ms_result_table_rows(t));
}

void ms_modes_result_variants(const ms_study *s, ms_task *task) {
  const ms_modes_product *p = task->product;
  ms_result *result = task->result;
  if (!p->varied) return;
  ms_result_begin(result, "variants");
  ms_variants_set_values(&p->variants, result);
  set_column(p->varied, "variant", NULL, result);
  set_column(p->varied, "mode", NULL, result);
  set_column(p->varied, "omega_0", "rad/s", result);
  set_column(p->varied, "omega_inf", "rad/s", result);
  ms_result_end(result);
  ms_result_say(result,
                "Variants: the structure with other numbers in the file, in the file's units. "
                "Figures are drawn over the first of them.");
  plot(p, "f_0", "Variants: frequencies with joints stuck", result);
  if (ms_structure_count_joints(s->structure) > 0) {
    plot(p, "f_inf", "Variants: frequencies with joints slipped", result);
  }
  ms_result_show_table(result, p->varied, "Modes of the variants");
}
