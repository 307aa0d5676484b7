#include "study/analyses/shared/time_steps.h"

enum { WORDS = 320 };

static ms_status refuse(const ms_study *s, struct fy_node *node, const char *why) {
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "%s", why);
}

ms_status ms_steps_check_mode(const ms_study *s, struct fy_node *node, const ms_time_setting *time,
                              int mode, double omega) {
  char why[WORDS];
  if (!ms_study_knows_modes(s)) return MS_SUCCESS;
  return ms_time_misses_mode(time, mode, omega, s->units.time, why, WORDS) ? refuse(s, node, why)
                                                                           : MS_SUCCESS;
}

ms_status ms_steps_check_pulse(const ms_study *s, struct fy_node *node, const ms_time_setting *time,
                               double length) {
  char why[WORDS];
  return ms_time_misses_pulse(time, length, s->units.time, why, WORDS) ? refuse(s, node, why)
                                                                       : MS_SUCCESS;
}

ms_status ms_steps_check_load(const ms_study *s, struct fy_node *node, const ms_time_setting *time,
                              const ms_study_load *load) {
  const double unit = s->units.time;
  char why[WORDS];
  if (ms_time_ends_before(time, load->load, load->name, unit, why, WORDS))
    return refuse(s, node, why);
  if (load->of_mode && !ms_study_knows_modes(s)) return MS_SUCCESS;
  return ms_time_misses_load(time, load->load, load->name, unit, why, WORDS) ? refuse(s, node, why)
                                                                             : MS_SUCCESS;
}

/* ---- what is resolved badly ---- */

ms_status ms_steps_judge_pulse(ms_study *s, ms_task *task, const ms_time_setting *time,
                               double length) {
  char text[WORDS];
  return ms_time_blurs_pulse(time, length, text, WORDS) ? ms_task_doubt(s, task, "%s", text)
                                                        : MS_SUCCESS;
}

ms_status ms_steps_judge_runs(ms_study *s, ms_task *task, ptrdiff_t n, ms_transient_quality_fn *get,
                              const void *user) {
  char text[WORDS + 160];
  (void)s;
  for (int i = 0, doubtful;
       ms_transient_quality_warning(n, get, user, i, &doubtful, text, sizeof text); i++) {
    MS_TRY(ms_result_remark(task->result, doubtful ? MS_OUTCOME_SUSPECT : MS_OUTCOME_COMPLETE, "%s",
                            text));
  }
  return MS_SUCCESS;
}

static const ms_transient_quality *only(const void *user, ptrdiff_t i, const char **source) {
  (void)i, (void)source;
  return user;
}

ms_status ms_steps_judge(ms_study *s, ms_task *task, const ms_transient_quality *quality) {
  return ms_steps_judge_runs(s, task, 1, only, quality);
}
