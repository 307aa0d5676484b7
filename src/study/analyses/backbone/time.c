/* ringdown_hilbert, ringdown_stft and sweep: what other analyses simulated in time. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/backbone/backbone.h"
#include "study/analyses/sweep/points.h"

static ms_backbone_curve *find_curve(ms_backbone *b, int mode, const ms_backbone_method *method) {
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    if (b->curve[i].mode == mode && b->curve[i].method == method) return &b->curve[i];
  }
  return NULL;
}

/* ---- ring-downs ---- */

static ms_status check_ringdown(ms_study *s, const ms_task *task, ms_backbone *b) {
  struct fy_node *from = b->ringdown;
  MS_TRY(ms_study_find_task(s, task, from, from ? NULL : "modal_ringdown", &b->from));
  const char *kind = b->from->kind->name;
  if (strcmp(kind, "modal_ringdown") == 0 || strcmp(kind, "shock") == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, from, MS_ERR_NAME, "'%s' is a %s; name a modal_ringdown or a shock",
                      b->from->name, kind);
}

static ms_status gather_decays(ms_study *s, const ms_backbone *b, const ms_curves *c,
                               ms_backbone_curve *curve) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    n += c->curve[i].mode == curve->mode ? c->curve[i].decay->n : 0;
  }
  MS_TRY(ms_backbone_reserve(s->ctx, curve, n));
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    if (c->curve[i].mode != curve->mode) continue;
    for (ptrdiff_t k = 0; k < c->curve[i].decay->n; k++) {
      const ms_decay_point *d = &c->curve[i].decay->point[k];
      ms_backbone_point *point = &curve->point[curve->n++];
      *point = ms_backbone_observe(s->structure, b, curve->mode, d->q, d->omega, d->zeta);
      point->quality = d->quality;
    }
  }
  ms_backbone_sort(curve);
  return MS_SUCCESS;
}

/* Runs that could not be read are said; a mode that none of them hit has no curve. */
static void explain(const ms_curves *c, const char *from, ms_backbone_curve *curve) {
  ptrdiff_t runs = 0, unread = 0;
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    if (c->curve[i].mode != curve->mode) continue;
    runs++;
    unread += c->curve[i].decay->n == 0;
  }
  curve->partial = unread > 0 || runs == 0;
  curve->absent = runs == 0;
  if (runs == 0) {
    snprintf(curve->remark, sizeof curve->remark, "%.60s has no run of this mode", from);
  } else if (unread > 0) {
    snprintf(curve->remark, sizeof curve->remark, "%td of %td runs of %.60s could not be read",
             unread, runs, from);
  }
}

static ms_status gather_from(ms_study *s, ms_backbone *b, const ms_curves *c,
                             const ms_backbone_method *method) {
  for (int i = 0; i < b->n_mode; i++) {
    ms_backbone_curve *curve = find_curve(b, b->mode[i], method);
    MS_TRY(gather_decays(s, b, c, curve));
    explain(c, b->from->name, curve);
  }
  return MS_SUCCESS;
}

static ms_status gather_hilbert(ms_study *s, const ms_task *task, ms_backbone *b,
                                const ms_backbone_method *method) {
  (void)task;
  return gather_from(s, b, b->from->product, method);
}

static ms_status run_stft(ms_worker *w, ptrdiff_t job, void *user) {
  ms_curves *c = user;
  return ms_pulse_simulate(w->ctx, w->structure, &c->run[job]);
}

static int is_wanted(const ms_backbone *b, int mode) {
  for (int i = 0; i < b->n_mode; i++) {
    if (b->mode[i] == mode) return 1;
  }
  return 0;
}

/* The runs of the ring-down once more, for they are too long to be kept; read by the STFT. */
static ms_status gather_stft(ms_study *s, const ms_task *task, ms_backbone *b,
                             const ms_backbone_method *method) {
  const ms_curves *from = b->from->product;
  ms_curves *c = &b->stft;
  char what[96];
  MS_TRY(ms_allocate(s->ctx, from->n_run, sizeof *c->run, &c->run));
  MS_TRY(ms_allocate(s->ctx, from->n_run, sizeof *c->curve, &c->curve));
  for (ptrdiff_t i = 0; i < from->n_run; i++) {
    if (!is_wanted(b, from->run[i].mode[0])) continue;
    c->run[c->n_run++] = ms_pulse_request_again(&from->run[i], MS_RING_STFT);
  }
  snprintf(what, sizeof what, "%.80s_stft", task->name);
  MS_TRY(ms_curves_run(s, what, run_stft, c));
  for (ptrdiff_t i = 0; i < c->n_run; i++) ms_curves_add(c, i, 0, c->run[i].mode[0], "");
  return gather_from(s, b, c, method);
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

static ms_status add_sweep(ms_study *s, const ms_backbone *b, const ms_sweep_points *from,
                           ms_backbone_curve *curve, ptrdiff_t *fast) {
  MS_TRY(ms_resize(s->ctx, curve->n + from->n, sizeof *curve->point, &curve->point));
  for (ptrdiff_t i = 0; i < from->n; i++) {
    const ms_sweep_point *p = &from->point[i];
    if (p->mode != curve->mode) continue;
    ms_backbone_point *point = &curve->point[curve->n++];
    *point = ms_backbone_observe(s->structure, b, curve->mode, p->q, p->omega, p->zeta);
    point->quality = p->quality;
    point->loss = MS_BACKBONE_FORCE;
    if (p->severity > MS_SWEEP_LIMIT) *fast += 1;
  }
  return MS_SUCCESS;
}

static void explain_sweep(ptrdiff_t fast, ms_backbone_curve *curve) {
  curve->partial = curve->absent = curve->n == 0;
  if (curve->n == 0) {
    snprintf(curve->remark, sizeof curve->remark, "no sweep has a resonance of this mode");
  } else if (fast > 0) {
    snprintf(curve->remark, sizeof curve->remark,
             "%td of %td sweeps were too fast for this damping", fast, curve->n);
  }
}

static ms_status gather_sweep(ms_study *s, const ms_task *task, ms_backbone *b,
                              const ms_backbone_method *method) {
  for (int i = 0; i < b->n_mode; i++) {
    ms_backbone_curve *curve = find_curve(b, b->mode[i], method);
    ptrdiff_t fast = 0;
    for (const ms_task *t = s->task; t < task; t++) {
      if (strcmp(t->kind->name, "sweep") != 0 || !is_named(b, t->name)) continue;
      MS_TRY(add_sweep(s, b, t->product, curve, &fast));
    }
    ms_backbone_sort(curve);
    explain_sweep(fast, curve);
  }
  return MS_SUCCESS;
}

const ms_backbone_method ms_backbone_ringdown_hilbert = {
  .name = "ringdown_hilbert",
  .meaning =
      "ring-downs in time of a modal_ringdown or a shock, read by the Hilbert transform; "
      "the rate of decay gives total damping",
  .sees = MS_BACKBONE_TOTAL,
  .style = MS_SERIES_POINTS,
  .check = check_ringdown,
  .gather = gather_hilbert,
};

const ms_backbone_method ms_backbone_ringdown_stft = {
  .name = "ringdown_stft",
  .meaning =
      "the same ring-downs read by the short-time Fourier transform, its windows growing "
      "exponentially from 8 to 32 periods",
  .sees = MS_BACKBONE_TOTAL,
  .style = MS_SERIES_POINTS,
  .check = check_ringdown,
  .gather = gather_stft,
};

const ms_backbone_method ms_backbone_sweep = {
  .name = "sweep",
  .meaning =
      "swept sines in time of analyses sweep: frequency at phase resonance, total damping "
      "from the height of the transfer function",
  .sees = MS_BACKBONE_TOTAL,
  .style = MS_SERIES_POINTS,
  .check = check_sweep,
  .gather = gather_sweep,
};
