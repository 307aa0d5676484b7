/* How a backbone ended: curves that were given up, and numbers that should not be believed. */
#include <math.h>
#include <string.h>

#include "study/analyses/backbone/backbone.h"

#define ALIASED 0.01 /* of zeta: an error that is no rounding, as 1 % of an energy balance */

#define TUNED 0.005 /* relative distance of a mode from three times the frequency of another */

/* Friction makes a third harmonic, which the quasi-static methods leave out. Where another mode
   lies at three times the frequency it answers, and damping changes by 10 % and more. */
static ms_status note_tuned(ms_study *s, ms_task *task, const ms_backbone_curve *c) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  const double omega = stuck.omega[c->mode];
  const int quasi_static = !strcmp(c->method->name, "qsma") || !strcmp(c->method->name, "rqnm");
  for (ptrdiff_t k = 0; quasi_static && k < n; k++) {
    if (!(fabs(stuck.omega[k] - 3.0 * omega) < TUNED * 3.0 * omega)) continue;
    MS_TRY(ms_task_note(s, task,
                        "mode %d by %s: mode %td lies at %.4f times its frequency, so that the "
                        "third harmonic excites it, which %s leaves out; compare with epmc",
                        c->mode + 1, c->method->name, k + 1, stuck.omega[k] / omega,
                        c->method->name));
  }
  return MS_SUCCESS;
}

/* The first point where the motion does not oscillate any more; NULL if there is none. */
static const ms_backbone_point *find_overdamped(const ms_backbone_curve *c) {
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (c->point[i].zeta > 1.0) return &c->point[i];
  }
  return NULL;
}

static ms_status judge_curve(ms_study *s, ms_task *task, const ms_backbone_curve *c) {
  const ms_backbone_point *over = find_overdamped(c);
  const int mode = c->mode + 1;
  const char *by = c->method->name;
  const int given_up = c->partial && !c->absent;
  MS_TRY(note_tuned(s, task, c));
  if (c->partial || c->remark[0]) {
    MS_TRY((given_up ? ms_task_give_up : ms_task_note)(s, task, "mode %d by %s: %s", mode, by,
                                                       c->remark));
  }
  if (over) {
    MS_TRY(
        ms_task_doubt(s, task,
                      "mode %d by %s: the damping ratio is above 1 from q = %.4g on (%.3g there): "
                      "the motion does not oscillate",
                      mode, by, over->q, over->zeta));
  }
  if (!(c->alias > ALIASED)) return MS_SUCCESS;
  return ms_task_doubt(s, task,
                       "mode %d by %s: joints that conserve energy seem to cause up to %.2g of the "
                       "damping; increase times",
                       mode, by, c->alias);
}

ms_status ms_backbone_judge(ms_study *s, ms_task *task) {
  const ms_backbone *b = task->product;
  for (ptrdiff_t i = 0; i < b->n_curve; i++) MS_TRY(judge_curve(s, task, &b->curve[i]));
  return MS_SUCCESS;
}
