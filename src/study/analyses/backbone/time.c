/* ringdown_hilbert, ringdown_stft and sweep: what other analyses simulated in time. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/backbone/backbone.h"
#include "study/analyses/sweep/sweep.h"

/* ---- ring-downs ---- */

/* Runs that could not be read are said; a mode that none of them hit has no curve. */
static ms_status gather_decays(ms_study *s, const ms_task *task, const ms_curves *c,
                               ms_backbone_curve *curve) {
  const char *from = ((const ms_backbone_options *)task->options)->from->name;
  const ms_backbone *b = task->product;
  ptrdiff_t runs = 0, unread = 0;
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    const ms_decay *decay = c->curve[i].decay;
    if (c->curve[i].mode != curve->mode) continue;
    MS_TRY(
        ms_backbone_add_decay(s->ctx, s->structure, &b->setting, decay, MS_BACKBONE_DECAY, curve));
    runs++;
    unread += decay->n == 0;
  }
  curve->partial = unread > 0 || runs == 0;
  curve->absent = runs == 0;
  if (runs == 0) {
    snprintf(curve->remark, sizeof curve->remark, "%.60s has no run of this mode", from);
  } else if (unread > 0) {
    snprintf(curve->remark, sizeof curve->remark, "%td of %td runs of %.60s could not be read",
             unread, runs, from);
  }
  return MS_SUCCESS;
}

/* The runs of the ring-down once more, for they are too long to be kept; read by the STFT. */
static ms_status simulate_again(ms_study *s, const ms_task *task) {
  ms_backbone *b = task->product;
  const ms_curves *from = ((const ms_backbone_options *)task->options)->from->product;
  ms_curves *c = &b->stft;
  char what[96];
  MS_TRY(ms_allocate(s->ctx, from->n_run, sizeof *c->run, &c->run));
  MS_TRY(ms_allocate(s->ctx, from->n_run, sizeof *c->curve, &c->curve));
  for (ptrdiff_t i = 0; i < from->n_run; i++) {
    if (!ms_backbone_find(b, from->run[i].mode[0], NULL)) continue;
    c->run[c->n_run++] = ms_pulse_again(&from->run[i], MS_RING_STFT);
  }
  snprintf(what, sizeof what, "%.80s_stft", task->name);
  MS_TRY(ms_curves_run(s, what, NULL, c));
  for (ptrdiff_t i = 0; i < c->n_run; i++) ms_curves_add(c, i, 0, c->run[i].mode[0], "");
  return MS_SUCCESS;
}

/* ---- sweeps ---- */

/* A sweep that is too fast is read all the same, and said. */
static ms_status gather_sweeps(ms_study *s, const ms_task *task, ms_backbone_curve *curve) {
  const ms_backbone_options *o = task->options;
  const ms_backbone *b = task->product;
  ptrdiff_t fast = 0;
  for (int k = 0; k < o->sweeps.n; k++) {
    const ms_sweep_product *from = o->sweeps.task[k]->product;
    const ms_sweep_options *of = o->sweeps.task[k]->options;
    for (ptrdiff_t i = 0; of->mode == curve->mode && i < from->n_run; i++) {
      if (from->run[i].sweep.n == 0) continue;
      ms_decay_point row = ms_sweep_get_resonance(&from->run[i]);
      const ms_decay resonance = { 1, &row };
      MS_TRY(ms_backbone_add_decay(s->ctx, s->structure, &b->setting, &resonance, MS_BACKBONE_FORCE,
                                   curve));
      fast += from->run[i].sweep.severity > MS_SWEEP_LIMIT;
    }
  }
  curve->partial = curve->absent = curve->n == 0;
  if (curve->n == 0) {
    snprintf(curve->remark, sizeof curve->remark, "no sweep has a resonance of this mode");
  } else if (fast > 0) {
    snprintf(curve->remark, sizeof curve->remark,
             "%td of %td sweeps were too fast for this damping", fast, curve->n);
  }
  return MS_SUCCESS;
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

/* ---- all of them ---- */

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
    if (c->method->run) continue;
    MS_TRY(strcmp(c->method->name, "sweep") == 0
               ? gather_sweeps(s, task, c)
               : gather_decays(s, task, again ? &b->stft : o->from->product, c));
  }
  return MS_SUCCESS;
}
