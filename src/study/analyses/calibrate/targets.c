/* Targets of `calibrate`, whatever their kind. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/targets/tables.h"

void ms_calibrate_find_source(const ms_study *s, const ms_task *task, const char *name,
                              ms_calibrate_target *t) {
  for (const ms_task *other = task - 1; other >= s->task && !t->from; other--) {
    if (strcmp(other->name, name) == 0) t->from = other;
  }
}

ms_calibrate_target *ms_calibrate_get_target(const ms_calibrate *c, const ms_target_kind *kind,
                                             ptrdiff_t k) {
  for (ptrdiff_t i = 0; i < c->n_target; i++) {
    if (c->target[i].kind == kind && k-- == 0) return &c->target[i];
  }
  return NULL;
}

/* ---- options ---- */

static ms_status fail_kind(const ms_study *s, struct fy_node *node) {
  char marks[200] = "";
  size_t n = 0;
  for (int i = 0; i < ms_target_kind_count() && n + 40 < sizeof marks; i++) {
    const ms_target_kind *kind = ms_target_kind_get(i);
    n += (size_t)snprintf(marks + n, sizeof marks - n, "%s%.16s (%.16s)", i ? ", " : "", kind->mark,
                          kind->name);
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "a target needs one of the keys %s", marks);
}

/* The kind is told by the key that only it has. */
static ms_status find_kind(const ms_study *s, struct fy_node *node, ms_calibrate_target *t) {
  for (int i = 0; i < ms_target_kind_count() && ms_yaml_is_mapping(node); i++) {
    if (ms_yaml_get(node, ms_target_kind_get(i)->mark)) t->kind = ms_target_kind_get(i);
  }
  return t->kind ? MS_SUCCESS : fail_kind(s, node);
}

/* 1 where none is given. */
static ms_status set_weights(const ms_study *s, const ms_numbers *given, ms_calibrate_target *t) {
  struct fy_node *node = ms_yaml_get(t->node, "weight");
  const ptrdiff_t n = given->n;
  t->weight[0] = n > 0 ? given->value[0] : 1.0;
  t->weight[1] = n > 1 ? given->value[1] : t->weight[0];
  if (!node || ((n == 1 || n == 2) && t->weight[0] + t->weight[1] > 0.0)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "weight is a number, or [of %s, of %s], >= 0 and not both 0",
                      t->kind->quantity[0], t->kind->quantity[1]);
}

ms_status ms_target_read_two(const ms_study *s, ms_calibrate_target *t, void *options,
                             const ms_numbers *weight) {
  const ms_param_list *keys = t->kind->keys;
  ms_status status = ms_options_read(s, t->node, NULL, "a target", keys->param, keys->n, options);
  if (status == MS_SUCCESS) status = set_weights(s, weight, t);
  ms_options_free(s->ctx, keys->param, keys->n, options);
  return status;
}

static ms_status read_target(ms_study *s, const ms_task *task, struct fy_node *node,
                             ms_calibrate_target *t) {
  t->node = node;
  MS_TRY(find_kind(s, node, t));
  return t->kind->read(s, task, t);
}

ms_status ms_calibrate_read_targets(ms_study *s, const ms_task *task, struct fy_node *node,
                                    ms_calibrate *c) {
  void *at = NULL;
  ptrdiff_t n = ms_yaml_is_sequence(node) ? ms_yaml_count(node) : 0;
  if (n < 1) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "targets is a list, e.g. [{mode: 2, from: measured.csv}]");
  }
  MS_TRY(ms_allocate(s->ctx, n, sizeof *c->target, &c->target));
  for (struct fy_node *item; (item = ms_yaml_next_item(node, &at));) {
    MS_TRY(read_target(s, task, item, &c->target[c->n_target++]));
  }
  return MS_SUCCESS;
}

/* ---- at the run, and after ---- */

static ms_status gather_all(ms_study *s, ms_calibrate *c) {
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    ms_calibrate_target *t = &c->target[k];
    if (t->from) MS_TRY(t->kind->gather(s, t));
  }
  return MS_SUCCESS;
}

/* Earlier analyses have left something on the first process only. */
ms_status ms_calibrate_gather(ms_study *s, ms_calibrate *c) {
  ms_status status = ms_study_is_first(s) ? gather_all(s, c) : MS_SUCCESS;
  MS_TRY(ms_context_agree(s->ctx, status));
  if (ms_context_get_communicator(s->ctx)->size == 1) return MS_SUCCESS;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    ms_calibrate_target *t = &c->target[k];
    if (t->from) MS_TRY(t->kind->share(s, t));
  }
  return MS_SUCCESS;
}

void ms_calibrate_close_targets(ms_study *s, ms_calibrate *c) {
  for (ptrdiff_t k = 0; c->target && k < c->n_target; k++) {
    if (c->target[k].kind) c->target[k].kind->close(s, &c->target[k]);
  }
  ms_free(s->ctx, &c->target);
}
