/* modes: stuck and slipped frequencies, damping ratios, shapes. */
#include <stdio.h>

#include "study/study.h"

static const ms_key keys[] = { { "name", "word", "of this analysis", 0 } };

static ms_status run(ms_study *s, ms_task *task) {
  ms_modes stuck = ms_structure_get_stuck(s->structure);
  ms_modes slipped = ms_structure_get_slipped(s->structure);
  ms_sheet *table, *shapes;
  char name[96];
  MS_TRY(ms_sheet_create(s, task->name,
                         "mode,omega_0 [rad/s],omega_inf [rad/s],f_0 [Hz],zeta_0,zeta_dashpots",
                         &table));
  snprintf(name, sizeof name, "%.80s_shapes", task->name);
  MS_TRY(ms_sheet_create(s, name, "mode,coordinate:word,stuck [1/sqrt(kg)],slipped [1/sqrt(kg)]",
                         &shapes));
  task->product = table;
  for (ptrdiff_t r = 0; r < stuck.n; r++) {
    MS_TRY(ms_sheet_add_row(s->ctx, table, (double)(r + 1), stuck.omega[r], slipped.omega[r],
                            stuck.omega[r] / 6.283185307179586,
                            ms_structure_get_damping_ratio(s->structure, r),
                            ms_structure_get_joint_damping_ratio(s->structure, r)));
    for (ptrdiff_t i = 0; i < stuck.n; i++) {
      MS_TRY(ms_sheet_add_row(s->ctx, shapes, (double)(r + 1),
                              ms_structure_get_name(s->structure, i), stuck.shape[i + stuck.n * r],
                              slipped.shape[i + stuck.n * r]));
    }
  }
  return MS_SUCCESS;
}

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  ms_modes stuck = ms_structure_get_stuck(s->structure);
  ms_modes slipped = ms_structure_get_slipped(s->structure);
  (void)task;
  ms_json_begin_array(json, "modes");
  for (ptrdiff_t r = 0; r < stuck.n; r++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "mode", r + 1);
    ms_json_add_number(json, "omega_0", stuck.omega[r]);
    ms_json_add_number(json, "omega_inf", slipped.omega[r]);
    ms_json_add_number(json, "zeta_0", ms_structure_get_damping_ratio(s->structure, r));
    ms_json_add_number(json, "zeta_dashpots",
                       ms_structure_get_joint_damping_ratio(s->structure, r));
    ms_json_end(json);
  }
  ms_json_end(json);
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  return ms_sheet_add_to_page(s->ctx, task->product, "Modes of the stuck and the slipped structure",
                              page);
}

const ms_analysis ms_analysis_modes = {
  .name = "modes",
  .meaning =
      "Frequencies with every joint stuck (omega_0) and with every joint slipping "
      "(omega_inf); the damping of the stuck modes by the structure (zeta_0), and what dashpots in "
      "the joints add to it while nothing slips (zeta_dashpots).",
  .keys = keys,
  .n_keys = 1,
  .run = run,
  .summarise = summarise,
  .report = report,
};
