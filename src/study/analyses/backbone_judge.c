/* How a backbone ended: curves that were given up, and numbers that should not be believed. */
#include <math.h>

#include "study/analyses/backbone.h"

#define ALIASED 0.01 /* of zeta: an error that is no rounding, as 1 % of an energy balance */

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
