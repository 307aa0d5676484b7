/* Options of `calibrate`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/analyses/calibrate.h"

#define MS_CALIBRATE(name) extern const ms_calibrate_method ms_calibrate_##name;
#include "study/analyses/calibrate_methods.def"
#undef MS_CALIBRATE

static const ms_calibrate_method *const methods[] = {
#define MS_CALIBRATE(name) &ms_calibrate_##name,
#include "study/analyses/calibrate_methods.def"
#undef MS_CALIBRATE
};

enum { N_METHODS = sizeof methods / sizeof *methods };
#define WIDE 10.0 /* bounds this far apart, as a ratio, are searched on a logarithmic scale */

const ms_param ms_calibrate_keys[MS_CALIBRATE_KEYS] = {
  MS_KEY("name", "word", "of this analysis", 0),
  MS_KEY("parameters", "mapping", "joint.parameter: [lowest, highest]; a pattern shares one value",
         1),
  MS_KEY("targets", "list", "curves to match", 1),
  MS_KEY("method", "word", "local (default), nsga2 or posterior", 0),
  MS_KEY("starts", "number", "of local fits; 20", 0),
  MS_KEY("noise", "number", "of the data, for what is known of the parameters", 0),
  MS_KEY("misfit_limit", "number",
         "rms misfit, relative, above which a fit without noise is poor; 0.1", 0),
  MS_KEY("points", "number", "of nsga2, even; 100", 0),
  MS_KEY("generations", "number", "of nsga2; 100", 0),
  MS_KEY("objectives", "word", "of nsga2: total (default) or targets", 0),
  MS_KEY("walkers", "number", "of posterior, even; 32", 0),
  MS_KEY("steps", "number", "of posterior, that count; 5000", 0),
  MS_KEY("burn", "number", "of posterior: steps before; 500", 0),
  MS_KEY("seed", "number", "of starts and search; 1", 0),
  MS_KEY("verify", "word or mapping",
         "an earlier modal_ringdown or shock, again with what was found", 0),
};

/* ---- parameters ---- */

/* Both bounds must be values that the law takes. */
static ms_status check_bounds(const ms_study *s, struct fy_node *node,
                              const ms_parameter_place *place, const ms_fit_parameter *bound) {
  const ms_joint *j = ms_structure_get_joint(s->structure, place->joint);
  ms_joint *probe = NULL;
  if (ms_joint_count_members(j) > 0) j = ms_joint_get_member(j, place->member);
  ms_status status = ms_joint_create(s->ctx, ms_joint_info(j)->name, &probe);
  if (status == MS_SUCCESS) status = ms_joint_set(probe, place->param, bound->lower);
  if (status == MS_SUCCESS) status = ms_joint_set(probe, place->param, bound->upper);
  ms_joint_destroy(&probe);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, node, status);
}

/* Bounds are SI from now on. */
static ms_status read_parameter(const ms_study *s, struct fy_node *key, struct fy_node *value,
                                ms_calibrate_parameter *p, ms_fit_parameter *bound) {
  double factor;
  MS_TRY(ms_yaml_bounds(&s->yaml, value, &bound->lower, &bound->upper));
  MS_TRY(ms_calibrate_find_places(s, key, p, &factor));
  bound->lower *= factor;
  bound->upper *= factor;
  for (ptrdiff_t i = 0; i < p->n_place; i++) {
    MS_TRY(check_bounds(s, value, &p->place[i], bound));
  }
  bound->name = p->name;
  bound->logarithmic = bound->lower > 0.0 && bound->upper >= WIDE * bound->lower;
  return MS_SUCCESS;
}

static ms_status read_parameters(const ms_study *s, struct fy_node *node, ms_calibrate *c) {
  void *at = NULL;
  ptrdiff_t count = ms_yaml_is_mapping(node) ? ms_yaml_count(node) : 0;
  if (count < 1 || count > 32) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "parameters are 1 to 32 of joint.parameter: [lowest, highest]");
  }
  MS_TRY(ms_allocate(s->ctx, count, sizeof *c->parameter, &c->parameter));
  MS_TRY(ms_allocate(s->ctx, count, sizeof *c->bound, &c->bound));
  MS_TRY(ms_allocate(s->ctx, count, sizeof *c->free, &c->free));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    ms_calibrate_parameter *p = &c->parameter[c->n++];
    MS_TRY(read_parameter(s, key, value, p, &c->bound[c->n - 1]));
    for (ptrdiff_t i = 0; i + 1 < c->n; i++) {
      MS_TRY(ms_calibrate_check_twice(s, key, &c->parameter[i], p));
    }
    c->free[c->n - 1] = (ms_free_parameter) { p->name, p->n_place, p->place };
  }
  return MS_SUCCESS;
}

/* ---- method ---- */

static ms_status read_method(const ms_study *s, struct fy_node *node, ms_calibrate *c) {
  const char *name = methods[0]->name;
  if (node) MS_TRY(ms_yaml_text(&s->yaml, node, "method", &name));
  for (int i = 0; i < N_METHODS; i++) {
    if (strcmp(methods[i]->name, name) == 0) c->method = methods[i];
  }
  if (c->method) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                      "method '%.40s' is none of local, nsga2, posterior", name);
}

/* An option that not every method knows. */
static ms_status read_count(const ms_study *s, const ms_task *task, const ms_calibrate *c,
                            const char *key, const char *knows, ptrdiff_t least, ptrdiff_t *out) {
  struct fy_node *node = ms_yaml_get(task->node, key);
  if (!node) return MS_SUCCESS;
  if (!strstr(knows, c->method->name)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "%s is for method %s, not %s", key, knows,
                        c->method->name);
  }
  return ms_yaml_count_value(&s->yaml, node, key, least, out);
}

static ms_status read_objectives(const ms_study *s, struct fy_node *node, ms_calibrate *c) {
  const char *name;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, node, "objectives", &name));
  c->each = strcmp(name, "targets") == 0;
  if (c->each || strcmp(name, "total") == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "objectives '%.40s' are none of total, targets",
                      name);
}

/* Walkers must be able to span the parameters' space twice. */
static ms_status read_chain(const ms_study *s, const ms_task *task, ms_calibrate *c) {
  const ptrdiff_t least = 2 * c->n + 2;
  if (c->walkers < 2 * least) c->walkers = 2 * least;
  MS_TRY(read_count(s, task, c, "walkers", "posterior", least, &c->walkers));
  MS_TRY(read_count(s, task, c, "steps", "posterior", 4, &c->steps));
  MS_TRY(read_count(s, task, c, "burn", "posterior", 0, &c->burn));
  if (c->walkers % 2 == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "walkers"), MS_ERR_BOUNDS,
                      "walkers must be even, not %td", c->walkers);
}

static ms_status read_numbers(const ms_study *s, const ms_task *task, ms_calibrate *c) {
  struct fy_node *seed = ms_yaml_get(task->node, "seed"), *noise = ms_yaml_get(task->node, "noise"),
                 *limit = ms_yaml_get(task->node, "misfit_limit");
  ptrdiff_t value = 1;
  MS_TRY(read_count(s, task, c, "starts", "local or posterior", 1, &c->starts));
  MS_TRY(read_count(s, task, c, "points", "nsga2", 4, &c->points));
  MS_TRY(read_count(s, task, c, "generations", "nsga2", 1, &c->generations));
  MS_TRY(read_chain(s, task, c));
  if (c->points % 2 != 0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "points"), MS_ERR_BOUNDS,
                        "points must be even, not %td", c->points);
  }
  if (noise) MS_TRY(ms_yaml_positive(&s->yaml, noise, "noise", &c->noise));
  if (limit) MS_TRY(ms_yaml_positive(&s->yaml, limit, "misfit_limit", &c->misfit_limit));
  if (seed) MS_TRY(ms_yaml_count_value(&s->yaml, seed, "seed", 0, &value));
  c->seed = (uint64_t)value;
  return read_objectives(s, ms_yaml_get(task->node, "objectives"), c);
}

/* ---- all of it ---- */

/* The target that fails alone as all of them do together: complaints do not know their place. What
   only all have in common, too few numbers, say, is the whole list's. */
static struct fy_node *find_guilty(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  char message[512];
  snprintf(message, sizeof message, "%s", ms_context_message(s->ctx));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    ms_calibrate one = *c;
    void *model = NULL;
    one.target += k;
    one.n_target = 1;
    ms_status status = one.target->kind->open_model(s->ctx, &one, s->structure, &model);
    if (model) one.target->kind->close_model(&model);
    if (status == MS_SUCCESS) continue;
    if (strncmp(message, ms_context_message(s->ctx), sizeof message - 1) == 0)
      return one.target->node;
  }
  ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s", message);
  return ms_yaml_get(task->node, "targets");
}

/* Where all points are there already, everything else that could be wrong is found now. */
static ms_status try_targets(ms_study *s, const ms_task *task, ms_calibrate *c) {
  ms_evaluator *trial = NULL;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].from) return MS_SUCCESS;
  }
  ms_status status = ms_evaluator_open(s->ctx, c, s->structure, &trial);
  ms_evaluator_close(&trial);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  return ms_yaml_fail_here(&s->yaml, find_guilty(s, task, c), status);
}

ms_status ms_calibrate_check(ms_study *s, ms_task *task) {
  ms_calibrate *c;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c, &c));
  *c = (ms_calibrate) {
    .starts = 20,
    .points = 100,
    .generations = 100,
    .walkers = 32,
    .steps = 5000,
    .burn = 500,
    .misfit_limit = MS_CALIBRATE_MISFIT_LIMIT,
  };
  task->product = c;
  if (!task->node) {
    return ms_yaml_fail(&s->yaml, task->key, MS_ERR_NAME, "calibrate needs parameters and targets");
  }
  MS_TRY(read_method(s, ms_yaml_get(task->node, "method"), c));
  MS_TRY(read_parameters(s, ms_yaml_get(task->node, "parameters"), c));
  MS_TRY(ms_calibrate_read_targets(s, task, ms_yaml_get(task->node, "targets"), c));
  MS_TRY(read_numbers(s, task, c));
  MS_TRY(ms_verify_read(s, task, c));
  return try_targets(s, task, c);
}
