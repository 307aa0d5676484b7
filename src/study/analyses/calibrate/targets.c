/* Targets of `calibrate`, whatever their kind. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"

const ms_target_source *ms_target_source_get(int i) {
  static const ms_target_source *const all[] = {
#define MS_TARGET_KIND(name, meaning) &ms_target_##name,
#include "study/analyses/calibrate/targets.def"
#undef MS_TARGET_KIND
    NULL
  };
  return all[i];
}

/* The points that were read or gathered, for the calibration. */
static void use_points(ms_calibrate_target *t) {
  const ms_point_table *p = &t->points;
  if (!p->column) return;
  t->is->n = p->n;
  t->is->x = p->column;
  t->is->y[0] = p->column + p->capacity;
  t->is->y[1] = p->missing[2] ? NULL : p->column + 2 * p->capacity;
  t->is->level = p->column + 3 * p->capacity;
  t->is->row = p->row;
}

/* ---- options ---- */

/* The kind is told by the key that only it has. */
static ms_status find_kind(const ms_study *s, struct fy_node *node, ms_calibrate_target *t) {
  char marks[200] = "";
  size_t n = 0;
  const ms_target_source *kind;
  for (int i = 0; (kind = ms_target_source_get(i)) && n + 40 < sizeof marks; i++) {
    const int also = kind->also && ms_yaml_is_mapping(node) && ms_yaml_get(node, kind->also);
    if (also || (ms_yaml_is_mapping(node) && ms_yaml_get(node, kind->mark))) t->kind = kind;
    n += (size_t)snprintf(marks + n, sizeof marks - n, "%s%.16s (%.16s)", i ? ", " : "", kind->mark,
                          kind->name);
  }
  if (t->kind) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "a target needs one of the keys %s", marks);
}

/* Of a kind with two quantities: 1 where none is given. */
static ms_status set_weights(const ms_study *s, const ms_calibrate_target *t) {
  const ms_numbers *given = t->options;
  const ptrdiff_t n = given->n;
  struct fy_node *node = ms_yaml_get(t->node, "weight");
  double *w = t->is->weight;
  w[0] = n > 0 ? given->value[0] : 1.0;
  w[1] = n > 1 ? given->value[1] : w[0];
  if (!node || ((n == 1 || n == 2) && w[0] + w[1] > 0.0)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "weight is a number, or [of %s, of %s], >= 0 and not both 0",
                      ms_target_quantity(t->kind->is, 0), ms_target_quantity(t->kind->is, 1));
}

/* Points are checked as the calibration will do, while the place in the file is known. */
static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *t) {
  MS_TRY(find_kind(s, t->node, t));
  struct fy_node *window = ms_yaml_get(t->node, "window");
  const ms_param_list *keys = t->kind->keys;
  t->is->kind = t->kind->is;
  MS_TRY(ms_allocate(s->ctx, (ptrdiff_t)t->kind->size, 1, &t->options));
  MS_TRY(ms_options_read(s, t->node, NULL, "a target", keys->param, keys->n, t->options));
  if (ms_target_quantity(t->kind->is, 1)) MS_TRY(set_weights(s, t));
  MS_TRY(t->kind->read(s, task, t));
  use_points(t);
  ms_status status = t->points.column ? ms_target_check(s->structure, t->is) : MS_SUCCESS;
  return ms_yaml_fail_here(&s->yaml, window ? window : t->node, status);
}

/* What points into arrays that have moved. */
static void connect(ms_calibrate *c) {
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    c->target[k].is = &c->is[k];
    c->is[k].name = c->target[k].name;
  }
}

/* An item, and as many more targets as it says that it stands for. */
static ms_status read_item(ms_study *s, const ms_task *task, struct fy_node *item,
                           ms_calibrate *c) {
  for (ptrdiff_t i = 0, n = 1; i < n; i++) {
    const ptrdiff_t k = c->n_target;
    MS_TRY(ms_resize(s->ctx, k + 1, sizeof *c->target, &c->target));
    MS_TRY(ms_resize(s->ctx, k + 1, sizeof *c->is, &c->is));
    c->target[k] = (ms_calibrate_target) { .node = item, .i = i };
    c->is[k] = (ms_target) { .weight = { 0.0 } };
    c->n_target++;
    connect(c);
    MS_TRY(read_target(s, task, &c->target[k]));
    n = c->target[k].n;
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_read_targets(ms_study *s, const ms_task *task, struct fy_node *node,
                                    ms_calibrate *c) {
  void *at = NULL;
  const ptrdiff_t n = ms_yaml_is_sequence(node) ? ms_yaml_count(node) : 0;
  if (ms_yaml_is_mapping(node)) return read_item(s, task, node, c);
  if (n < 1) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "targets is a list, e.g. [{mode: 2, from: measured.csv}], or one target");
  }
  for (struct fy_node *item; (item = ms_yaml_next_item(node, &at));) {
    MS_TRY(read_item(s, task, item, c));
  }
  return MS_SUCCESS;
}

/* ---- at the run, and after ---- */

static ms_status gather_all(ms_study *s, ms_calibrate *c) {
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    ms_calibrate_target *t = &c->target[k];
    if (t->from && !t->points.column) MS_TRY(t->kind->gather(s, t));
    use_points(t);
  }
  return MS_SUCCESS;
}

static ms_status share_points(const ms_study *s, ms_calibrate_target *t) {
  MS_TRY(ms_point_table_share(s->ctx, &t->points));
  use_points(t);
  return MS_SUCCESS;
}

static void close_target(ms_study *s, ms_calibrate_target *t) {
  ms_point_table_free(s->ctx, &t->points);
  if (t->options) ms_keys_free(s->ctx, t->kind->keys->param, t->kind->keys->n, t->options);
  ms_free(s->ctx, &t->options);
}

/* Of a whole test what could not be read. */
static void leave_out(ms_study *s, ms_calibrate *c) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].empty) {
      const size_t at = strlen(c->left_out);
      snprintf(c->left_out + at, sizeof c->left_out - at, "%s%s", at ? ", " : "",
               c->target[k].name);
      close_target(s, &c->target[k]);
    } else {
      c->target[n] = c->target[k], c->is[n++] = c->is[k];
    }
  }
  c->n_target = n;
  connect(c);
}

/* Earlier analyses have left something on the first process only. */
ms_status ms_calibrate_gather(ms_study *s, ms_calibrate *c) {
  ms_status status = ms_study_is_first(s) ? gather_all(s, c) : MS_SUCCESS;
  MS_TRY(ms_context_agree(s->ctx, status));
  const int alone = ms_context_get_communicator(s->ctx)->size == 1;
  for (ptrdiff_t k = 0; !alone && k < c->n_target; k++) {
    ms_calibrate_target *t = &c->target[k];
    if (t->from) MS_TRY(t->kind->share ? t->kind->share(s, t) : share_points(s, t));
  }
  leave_out(s, c);
  return MS_SUCCESS;
}

void ms_calibrate_close_targets(ms_study *s, ms_calibrate *c) {
  for (ptrdiff_t k = 0; c->target && k < c->n_target; k++) close_target(s, &c->target[k]);
  ms_free(s->ctx, &c->target);
  ms_free(s->ctx, &c->is);
}
