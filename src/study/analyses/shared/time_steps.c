#include "study/analyses/shared/time_steps.h"

#include <math.h>

/* ---- what cannot be resolved ---- */

/* Messages have times in the units of the file. */
static const char *unit_of_time(const ms_study *s) {
  return s->units.time == 1.0 ? "s" : "ms";
}

/* A step in the units of the file: two digits, rounded down, so that it is short enough. */
static double step_of(const ms_study *s, double step) {
  const double x = step / s->units.time, digit = pow(10.0, floor(log10(x)) - 1.0);
  return digit * floor(x / digit);
}

ms_status ms_steps_check_mode(const ms_study *s, struct fy_node *node, const ms_time_setting *time,
                              int mode, double omega) {
  const double period = 2.0 * acos(-1.0) / omega, steps = period / time->step;
  if (!ms_study_knows_modes(s) || !(omega > 0.0) || steps >= MS_STEPS_PER_MODE) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "a step of %g %s makes %.3g steps in a period of mode %d; at least %g are "
                      "required, a step of %.2g %s",
                      time->step / s->units.time, unit_of_time(s), steps, mode + 1,
                      MS_STEPS_PER_MODE, step_of(s, period / MS_STEPS_PER_MODE), unit_of_time(s));
}

ms_status ms_steps_check_pulse(const ms_study *s, struct fy_node *node, const ms_time_setting *time,
                               double length) {
  const ms_pulse_steps p = ms_time_count_steps(time);
  if (!(length < p.least * time->step)) return MS_SUCCESS;
  return ms_yaml_fail(
      &s->yaml, node, MS_ERR_BOUNDS,
      "the pulse lasts %.3g %s, %.3g steps: it falls between the steps; at least %g are "
      "required, a step of %.2g %s",
      length / s->units.time, unit_of_time(s), length / time->step, p.least,
      step_of(s, length / p.least), unit_of_time(s));
}

ms_status ms_steps_check_load(const ms_study *s, struct fy_node *node, const ms_time_setting *time,
                              const ms_study_load *load) {
  const ms_load_scale scale = ms_load_get_scale(load->load);
  const double length = time->step * (double)time->steps, begin = ms_load_begin(load->load);
  if (!(begin < (1.0 - 1e-9) * length)) { /* rounding of the last step */
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "load %s begins at %.6g %s, but the run ends at %.6g %s: it takes no part",
                        load->name, begin / s->units.time, unit_of_time(s), length / s->units.time,
                        unit_of_time(s));
  }
  if (load->of_mode && !ms_study_knows_modes(s)) return MS_SUCCESS;
  if (!(ms_load_end(load->load) > 0.0)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "load %s ends at %.6g %s, before the run begins: it takes no part",
                        load->name, ms_load_end(load->load) / s->units.time, unit_of_time(s));
  }
  MS_TRY(ms_steps_check_pulse(s, node, time, scale.pulse));
  if (!(scale.period < MS_STEPS_PER_CYCLE * time->step)) return MS_SUCCESS;
  return ms_yaml_fail(
      &s->yaml, node, MS_ERR_BOUNDS,
      "a step of %g %s makes %.3g steps in a period of the load, %.3g %s; at least %g are "
      "required",
      time->step / s->units.time, unit_of_time(s), scale.period / time->step,
      scale.period / s->units.time, unit_of_time(s), MS_STEPS_PER_CYCLE);
}

/* ---- what is resolved badly ---- */

ms_status ms_steps_judge_pulse(ms_study *s, ms_task *task, const ms_time_setting *time,
                               double length) {
  const ms_pulse_steps p = ms_time_count_steps(time);
  if (!(length < p.enough * time->step)) return MS_SUCCESS;
  return ms_task_doubt(
      s, task,
      "the time step is too coarse for the pulse, which has %.3g steps: its impulse may be off "
      "by more than 1 %%; at least %g are required",
      length / time->step, p.enough);
}

/* Zeros are right where nothing pushes, but seldom what was meant. */
static ms_status note_rest(ms_study *s, ms_task *task, ptrdiff_t n, ms_transient_quality_fn *get,
                           const void *user) {
  for (ptrdiff_t i = 0; i < n; i++) {
    const char *source = NULL;
    if (get(user, i, &source)->mode >= 0) continue;
    MS_TRY(ms_task_note(s, task, "%s%snothing moves: no mode takes part", source ? source : "",
                        source ? ": " : ""));
  }
  return MS_SUCCESS;
}

ms_status ms_steps_judge_runs(ms_study *s, ms_task *task, ptrdiff_t n, ms_transient_quality_fn *get,
                              const void *user) {
  MS_TRY(note_rest(s, task, n, get, user));
  for (int kind = 0; kind < MS_N_DOUBT; kind++) {
    const ms_transient_doubt k = (ms_transient_doubt)kind;
    const char *source = NULL;
    char text[320];
    ptrdiff_t count;
    const ptrdiff_t worst = ms_transient_quality_find_worst(n, get, user, k, &count);
    if (worst < 0) continue;
    ms_transient_quality_doubt(get(user, worst, &source), k, text, sizeof text);
    if (n == 1) {
      MS_TRY(ms_task_doubt(s, task, "%s", text));
    } else {
      MS_TRY(ms_task_doubt(s, task, "%s: %s (%td of %td runs, this one worst)",
                           source ? source : "a run", text, count, n));
    }
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
