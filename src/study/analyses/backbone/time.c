/* ringdown_hilbert, ringdown_stft and sweep: what other analyses simulated in time. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/backbone/backbone.h"
#include "study/analyses/sweep/sweep.h"

/* The runs of the ring-down once more, for they are too long to be kept; read by the STFT. */
static ms_status simulate_again(ms_study *s, const ms_task *task) {
  ms_backbone *b = task->product;
  const ms_curves *from = ((const ms_backbone_options *)task->options)->from->product;
  ms_curves *c = &b->stft;
  char what[96];
  MS_TRY(ms_allocate(s->ctx, from->n_run, sizeof *c->run, &c->run));
  for (ptrdiff_t i = 0; i < from->n_run; i++) {
    if (!ms_backbone_find(b->n_curve, b->curve, from->run[i].mode[0], NULL)) continue;
    c->run[c->n_run++] = ms_pulse_again(&from->run[i], MS_RING_STFT);
  }
  snprintf(what, sizeof what, "%.80s_stft", task->name);
  MS_TRY(ms_curves_run(s, what, NULL, c));
  return ms_curves_collect(s->ctx, c);
}

/* All before this one. */
static ms_status list_sweeps(ms_study *s, const ms_task *task, ms_task_list *list) {
  const ms_task *last;
  MS_TRY(ms_study_find_task(s, task, NULL, "sweep", &last));
  MS_TRY(ms_allocate(s->ctx, last - s->task + 1, sizeof *list->task, &list->task));
  for (const ms_task *t = s->task; t <= last; t++) {
    if (t->kind == last->kind) list->task[list->n++] = t;
  }
  return MS_SUCCESS;
}

/* What no method reads is not needed. */
ms_status ms_backbone_find_sources(ms_study *s, const ms_task *task, ms_backbone_options *o) {
  const int rings = ms_backbone_has(o, "ringdown_hilbert") || ms_backbone_has(o, "ringdown_stft");
  const int sweeps = ms_backbone_has(o, "sweep");
  if (!rings) o->from = NULL;
  if (!sweeps) o->sweeps.n = 0;
  if (rings && !o->from) MS_TRY(ms_study_find_task(s, task, NULL, "modal_ringdown", &o->from));
  return sweeps && o->sweeps.n == 0 ? list_sweeps(s, task, &o->sweeps) : MS_SUCCESS;
}

ms_status ms_backbone_gather(ms_study *s, const ms_task *task) {
  const ms_backbone_options *o = task->options;
  ms_backbone *b = task->product;
  if (ms_backbone_has(o, "ringdown_stft")) MS_TRY(simulate_again(s, task));
  for (ms_backbone_curve *c = b->curve; c < b->curve + b->n_curve; c++) {
    const int again = strcmp(c->method->name, "ringdown_stft") == 0;
    const int sweeps = strcmp(c->method->name, "sweep") == 0;
    ptrdiff_t fast = 0;
    if (c->method->run) continue;
    for (int k = 0; sweeps && k < o->sweeps.n; k++) {
      const ms_sweep_product *from = o->sweeps.task[k]->product;
      const int mode = ((const ms_sweep_options *)o->sweeps.task[k]->options)->mode;
      MS_TRY(ms_backbone_add_sweeps(s->ctx, s->structure, &b->setting,
                                    mode == c->mode ? from->n_run : 0, from->run, &fast, c));
    }
    if (sweeps) continue;
    MS_TRY(ms_backbone_add_ringdowns(s->ctx, s->structure, &b->setting,
                                     again ? &b->stft : o->from->product, o->from->name, c));
  }
  return MS_SUCCESS;
}
