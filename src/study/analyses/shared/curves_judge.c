/* What is doubtful about runs that ring down: steps, energy, modes that could not be read. */
#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/time_steps.h"

static const ms_transient_quality *get_quality(const void *user, ptrdiff_t i, const char **source) {
  const ms_curves *c = user;
  *source = ms_curves_get_first(c, i)->source;
  return &c->run[i].quality;
}

static ms_status judge_modes(ms_study *s, ms_task *task, const ms_curves *c) {
  double steps, required;
  const ms_curve *worst = ms_curves_find_coarse(c, &steps, &required);
  if (!worst) return MS_SUCCESS;
  return ms_task_doubt(
      s, task,
      "%s: the time step is too coarse: mode %d, which is read, has %.3g steps in a "
      "period; at least %g are required",
      worst->source, worst->mode + 1, steps, required);
}

/* Of runs for one mode each that mode is the result; of others some may be missing. */
static ms_status judge_unread(ms_study *s, ms_task *task, const ms_curves *c) {
  const ms_curve *curve = c->curve;
  for (ptrdiff_t i = 0; i < c->n_run; curve += c->run[i].n_mode, i++) {
    const ms_pulse_run *run = &c->run[i];
    for (int k = 0; k < run->n_mode; k++) {
      if (run->decay[k].n > 0) continue;
      const char *why = run->remark[k][0] ? run->remark[k] : "there are no rows";
      if (run->n_mode == 1) {
        MS_TRY(ms_task_give_up(s, task, "%s: mode %d could not be read: %s", curve->source,
                               curve[k].mode + 1, why));
      } else {
        MS_TRY(ms_task_note(s, task, "%s: mode %d could not be read: %s", curve->source,
                            curve[k].mode + 1, why));
      }
    }
  }
  return MS_SUCCESS;
}

ms_status ms_curves_judge_steps(ms_study *s, ms_task *task, const ms_curves *c) {
  for (ptrdiff_t i = 0; i < c->n_run; i++) {
    const ms_pulse_run *run = &c->run[i];
    MS_TRY(ms_steps_judge_pulse(s, task, &run->time, ms_pulse_length(run)));
  }
  MS_TRY(ms_steps_judge_runs(s, task, c->n_run, get_quality, c));
  return judge_modes(s, task, c);
}

ms_status ms_curves_judge(ms_study *s, ms_task *task) {
  MS_TRY(ms_curves_judge_steps(s, task, task->product));
  return judge_unread(s, task, task->product);
}
