/* ringdown_hilbert, ringdown_stft and sweep: what other analyses simulated in time. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/backbone/backbone.h"
#include "study/analyses/sweep/sweep.h"

/* ---- ring-downs ---- */

static ms_status check_ringdown(ms_study *s, const ms_task *task, ms_backbone *b) {
  struct fy_node *from = b->ringdown;
  MS_TRY(ms_study_find_task(s, task, from, from ? NULL : "modal_ringdown", &b->from));
  const char *kind = b->from->kind->name;
  if (strcmp(kind, "modal_ringdown") == 0 || strcmp(kind, "shock") == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, from, MS_ERR_NAME, "'%s' is a %s; name a modal_ringdown or a shock",
                      b->from->name, kind);
}

/* Runs that could not be read are said; a mode that none of them hit has no curve. */
static ms_status gather_decays(ms_study *s, const ms_backbone *b, const ms_curves *c,
                               ms_backbone_curve *curve) {
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
    snprintf(curve->remark, sizeof curve->remark, "%.60s has no run of this mode", b->from->name);
  } else if (unread > 0) {
    snprintf(curve->remark, sizeof curve->remark, "%td of %td runs of %.60s could not be read",
             unread, runs, b->from->name);
  }
  return MS_SUCCESS;
}

static int is_wanted(const ms_backbone *b, int mode) {
  for (int i = 0; i < b->n_mode; i++) {
    if (b->mode[i] == mode) return 1;
  }
  return 0;
}

/* The runs of the ring-down once more, for they are too long to be kept; read by the STFT. */
static ms_status simulate_again(ms_study *s, const ms_task *task, ms_backbone *b) {
  const ms_curves *from = b->from->product;
  ms_curves *c = &b->stft;
  char what[96];
  MS_TRY(ms_allocate(s->ctx, from->n_run, sizeof *c->run, &c->run));
  MS_TRY(ms_allocate(s->ctx, from->n_run, sizeof *c->curve, &c->curve));
  for (ptrdiff_t i = 0; i < from->n_run; i++) {
    if (!is_wanted(b, from->run[i].mode[0])) continue;
    c->run[c->n_run++] = ms_pulse_again(&from->run[i], MS_RING_STFT);
  }
  snprintf(what, sizeof what, "%.80s_stft", task->name);
  MS_TRY(ms_curves_run(s, what, NULL, c));
  for (ptrdiff_t i = 0; i < c->n_run; i++) ms_curves_add(c, i, 0, c->run[i].mode[0], "");
  return MS_SUCCESS;
}

/* ---- sweeps ---- */

static ms_status next_sweep(const ms_study *s, const ms_task *task, struct fy_node *item,
                            const ms_task **at) {
  if (item) return ms_study_find_task(s, task, item, "sweep", at);
  const ms_task *end = *at ? *at : task;
  return ms_study_find_task(s, end, NULL, "sweep", at);
}

static ms_status check_sweep(ms_study *s, const ms_task *task, ms_backbone *b) {
  const ms_task *found = NULL;
  void *at = NULL;
  if (!ms_yaml_is_sequence(b->sweeps)) return next_sweep(s, task, b->sweeps, &found);
  for (struct fy_node *item; (item = ms_yaml_next_item(b->sweeps, &at));) {
    MS_TRY(next_sweep(s, task, item, &found));
  }
  return MS_SUCCESS;
}

static int is_named(const ms_backbone *b, const char *name) {
  void *at = NULL;
  if (!b->sweeps) return 1;
  if (!ms_yaml_is_sequence(b->sweeps)) return ms_yaml_is_word(b->sweeps, name);
  for (struct fy_node *item; (item = ms_yaml_next_item(b->sweeps, &at));) {
    if (ms_yaml_is_word(item, name)) return 1;
  }
  return 0;
}

int ms_backbone_reads_sweep(const ms_backbone *b, const ms_task *other) {
  return ms_backbone_has(b, "sweep") && strcmp(other->kind->name, "sweep") == 0 &&
         is_named(b, other->name);
}

static ms_status add_sweep(ms_study *s, const ms_backbone *b, const ms_sweep_product *from,
                           ms_backbone_curve *curve, ptrdiff_t *fast) {
  for (ptrdiff_t i = 0; from->mode == curve->mode && i < from->n_run; i++) {
    if (from->run[i].sweep.n == 0) continue;
    ms_decay_point row = ms_sweep_get_resonance(&from->run[i]);
    const ms_decay resonance = { 1, &row };
    MS_TRY(ms_backbone_add_decay(s->ctx, s->structure, &b->setting, &resonance, MS_BACKBONE_FORCE,
                                 curve));
    *fast += from->run[i].sweep.severity > MS_SWEEP_LIMIT;
  }
  return MS_SUCCESS;
}

static ms_status gather_sweep(ms_study *s, const ms_task *task, const ms_backbone *b,
                              ms_backbone_curve *curve) {
  ptrdiff_t fast = 0;
  for (const ms_task *t = s->task; t < task; t++) {
    if (strcmp(t->kind->name, "sweep") != 0 || !is_named(b, t->name)) continue;
    MS_TRY(add_sweep(s, b, t->product, curve, &fast));
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

/* ---- all of them ---- */

ms_status ms_backbone_check_sources(ms_study *s, const ms_task *task, ms_backbone *b) {
  for (int i = 0; i < b->n_method; i++) {
    if (b->method[i]->run) continue;
    const int sweep = strcmp(b->method[i]->name, "sweep") == 0;
    MS_TRY((sweep ? check_sweep : check_ringdown)(s, task, b));
  }
  return MS_SUCCESS;
}

ms_status ms_backbone_gather(ms_study *s, const ms_task *task, ms_backbone *b) {
  if (ms_backbone_has(b, "ringdown_stft")) MS_TRY(simulate_again(s, task, b));
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    ms_backbone_curve *c = &b->curve[i];
    if (c->method->run) continue;
    if (strcmp(c->method->name, "sweep") == 0) {
      MS_TRY(gather_sweep(s, task, b, c));
    } else {
      const int again = strcmp(c->method->name, "ringdown_stft") == 0;
      MS_TRY(gather_decays(s, b, again ? &b->stft : b->from->product, c));
    }
  }
  return MS_SUCCESS;
}
