/* Options of `update`: what is unknown, and where it stands in the file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/update.h"

#define WIDE 10.0 /* bounds this far apart, as a ratio, are searched on a logarithmic scale */

const ms_key ms_update_keys[MS_UPDATE_KEYS] = {
  { "name", "word", "of this analysis", 0 },
  { "parameters", "mapping", "path in the file: [lowest, highest]", 1 },
  { "measured", "word or mapping", "modes: a table, or {frequencies: ..., shapes: ...}", 1 },
  { "deviation", "number", "relative standard deviation of the frequencies; 0.001", 0 },
  { "shape_deviation", "number", "of a shape's components, over their rms", 0 },
  { "least_mac", "number", "MAC that a pair of modes needs; 0.5", 0 },
  { "starts", "number", "of fits; 8, or 1 where each evaluation reduces finite elements", 0 },
  { "seed", "number", "of the starts; 1", 0 },
};

static const ms_key place_keys[] = {
  { "at", "list", "paths of numbers that change in proportion", 1 },
  { "bounds", "list", "[lowest, highest] of the first of them", 1 },
};

/* ---- places ---- */

static ms_status add_place(ms_study *s, struct fy_node *node, const char *path, ms_update *u) {
  double value;
  MS_TRY(ms_variant_find_number(s, node, path, &value));
  for (ptrdiff_t i = 0; i < u->n_place; i++) {
    if (strcmp(u->place[i].path, path) != 0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "'%.120s' is unknown twice", path);
  }
  if (u->n_place == MS_UPDATE_PLACES) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "more than %d places", MS_UPDATE_PLACES);
  }
  ms_update_place *place = &u->place[u->n_place++];
  *place = (ms_update_place) { path, u->n - 1, 1.0 };
  u->reduces |= ms_variant_reduces(s, path);
  int first = u->n_place == 1 || place[-1].unknown != u->n - 1;
  if (first) u->start[u->n - 1] = value;
  if (!first && u->start[u->n - 1] == 0.0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "'%.120s' cannot be in proportion to a number that is 0", path);
  }
  if (!first) place->ratio = value / u->start[u->n - 1];
  return MS_SUCCESS;
}

/* ---- unknowns ---- */

static ms_status read_bounds(const ms_study *s, struct fy_node *node, double start,
                             ms_fit_parameter *bound) {
  MS_TRY(ms_yaml_bounds(&s->yaml, node, &bound->lower, &bound->upper));
  bound->logarithmic = bound->lower > 0.0 && bound->upper >= WIDE * bound->lower;
  if (start >= bound->lower && start <= bound->upper) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "the file has %g, which is not between these bounds: the search begins there",
                      start);
}

/* path: [low, high], or name: {at: [path, ...], bounds: [low, high]}. */
static ms_status read_unknown(ms_study *s, struct fy_node *key, struct fy_node *value,
                              ms_update *u) {
  ms_fit_parameter *bound = &u->bound[u->n++];
  struct fy_node *bounds = value;
  void *in = NULL;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a parameter", &bound->name));
  if (ms_yaml_is_mapping(value)) {
    MS_TRY(ms_yaml_check_keys(&s->yaml, value, bound->name, place_keys, 2));
    struct fy_node *at = ms_yaml_get(value, "at");
    bounds = ms_yaml_get(value, "bounds");
    if (!ms_yaml_is_sequence(at) || ms_yaml_count(at) == 0) {
      return ms_yaml_fail(&s->yaml, at, MS_ERR_FORMAT, "at is a list of paths");
    }
    for (struct fy_node *item; (item = ms_yaml_next_item(at, &in));) {
      const char *path;
      MS_TRY(ms_yaml_text(&s->yaml, item, "a path", &path));
      MS_TRY(add_place(s, item, path, u));
    }
  } else {
    MS_TRY(add_place(s, key, bound->name, u));
  }
  return read_bounds(s, bounds, u->start[u->n - 1], bound);
}

static ms_status read_unknowns(ms_study *s, struct fy_node *node, ms_update *u) {
  void *at = NULL;
  ptrdiff_t count = ms_yaml_is_mapping(node) ? ms_yaml_count(node) : 0;
  if (count < 1 || count > MS_UPDATE_UNKNOWNS) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "parameters are 1 to %d of path: [lowest, highest]", MS_UPDATE_UNKNOWNS);
  }
  MS_TRY(ms_allocate(s->ctx, count, sizeof *u->bound, &u->bound));
  MS_TRY(ms_allocate(s->ctx, count, sizeof *u->start, &u->start));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    MS_TRY(read_unknown(s, key, value, u));
  }
  return MS_SUCCESS;
}

/* ---- numbers ---- */

static ms_status read_positive(const ms_study *s, const ms_task *task, const char *key,
                               double *out) {
  struct fy_node *node = ms_yaml_get(task->node, key);
  return node ? ms_yaml_positive(&s->yaml, node, key, out) : MS_SUCCESS;
}

static ms_status read_numbers(const ms_study *s, const ms_task *task, ms_update *u) {
  struct fy_node *starts = ms_yaml_get(task->node, "starts"), *mac;
  struct fy_node *seed = ms_yaml_get(task->node, "seed");
  ptrdiff_t value = 1;
  u->starts = u->reduces ? 1 : 8;
  if (starts) MS_TRY(ms_yaml_count_value(&s->yaml, starts, "starts", 1, &u->starts));
  if (seed) MS_TRY(ms_yaml_count_value(&s->yaml, seed, "seed", 0, &value));
  u->seed = (uint64_t)value;
  mac = ms_yaml_get(task->node, "least_mac");
  if (!mac) return MS_SUCCESS;
  MS_TRY(ms_yaml_number(&s->yaml, mac, "least_mac", &u->least_mac));
  if (u->least_mac >= 0.0 && u->least_mac <= 1.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, mac, MS_ERR_BOUNDS, "least_mac must be from 0 to 1, not %g",
                      u->least_mac);
}

/* ---- the model as the file has it ---- */

static ms_status build_as_it_is(void *user, const double *p, ms_structure **out) {
  const ms_study *s = user;
  (void)p;
  return ms_study_build(s, s->ctx, out);
}

static ms_status check_pairs(ms_updating *trial, const ms_study *s, const ms_update *u) {
  ms_mode_pair *pair;
  MS_TRY(ms_allocate(s->ctx, u->measured.n, sizeof *pair, &pair));
  ms_status status = ms_updating_look(trial, u->start, pair);
  if (status == MS_SUCCESS) status = ms_updating_check_pairs(trial, pair, u->least_mac);
  ms_free(s->ctx, &pair);
  return status;
}

/* Everything that could be wrong with the measured modes beside the model's is found now, unless
   the model's numbers have no meaning yet. */
static ms_status try_pairs(ms_study *s, const ms_update *u) {
  ms_update_model model = { u->n, u->bound, build_as_it_is, s };
  ms_updating *trial = NULL;
  ms_status status = ms_updating_create(s->ctx, &model, &u->measured, u->start, &trial);
  if (status == MS_SUCCESS && !(s->outline && s->fe)) status = check_pairs(trial, s, u);
  ms_updating_destroy(&trial);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, u->measured_node, status);
}

ms_status ms_update_check(ms_study *s, ms_task *task) {
  ms_update *u;
  double deviation = 1e-3;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *u, &u));
  *u = (ms_update) { .task = task, .least_mac = 0.5, .other = -1 };
  task->product = u;
  if (!task->node) {
    return ms_yaml_fail(&s->yaml, task->key, MS_ERR_NAME, "update needs parameters and measured");
  }
  MS_TRY(read_unknowns(s, ms_yaml_get(task->node, "parameters"), u));
  MS_TRY(read_numbers(s, task, u));
  MS_TRY(read_positive(s, task, "deviation", &deviation));
  u->measured_node = ms_yaml_get(task->node, "measured");
  MS_TRY(ms_update_read_measured(s, u->measured_node, deviation, u));
  MS_TRY(read_positive(s, task, "shape_deviation", &u->measured.shape_deviation));
  if (u->measured.shape_deviation > 0.0 && u->measured.n_sensor == 0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "shape_deviation"), MS_ERR_NAME,
                        "there are no measured shapes");
  }
  return try_pairs(s, u);
}
