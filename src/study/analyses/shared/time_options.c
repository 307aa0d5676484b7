/* Options that several analyses take: how to integrate, which modes, how many segments. */
#include <string.h>

#include "structure/impl.h"
#include "study/analyses/shared/rows.h"
#include "study/file/shared_keys.h"

static ms_status check_newmark(const ms_yaml *y, struct fy_node *time, ms_time_setting *out) {
  struct fy_node *beta = ms_yaml_get(time, "beta"), *gamma = ms_yaml_get(time, "gamma");
  const double least = 0.25 * (out->gamma + 0.5) * (out->gamma + 0.5);
  if ((beta || gamma) && strcmp(out->method, "newmark") != 0) {
    return ms_yaml_fail(y, beta ? beta : gamma, MS_ERR_NAME,
                        "beta and gamma are newmark's; method %s has none", out->method);
  }
  if (!beta) out->beta = least;
  if (out->beta >= least * (1.0 - 1e-12)) return MS_SUCCESS;
  return ms_yaml_fail(y, beta, MS_ERR_BOUNDS,
                      "beta must be from (gamma + 1/2)^2/4 = %.6g to 1, not %g; below that, long "
                      "steps are not stable",
                      least, out->beta);
}

/* The stand-in for finite elements has other modes: there it is seen when the run begins. */
ms_status ms_check_method(const ms_study *study, struct fy_node *node, const char *method) {
  if (strcmp(method, "exponential") != 0) return MS_SUCCESS;
  if (!study->structure || (study->outline && study->fe)) return MS_SUCCESS;
  if (!ms_structure_view(study->structure).damping_full) return MS_SUCCESS;
  return ms_yaml_fail(&study->yaml, node, MS_ERR_ARGUMENT,
                      "method exponential needs damping that the modes diagonalise, and they do "
                      "not diagonalise this damping matrix; use newmark");
}

static ms_status read_time(const ms_study *study, struct fy_node *node, const ms_param_list *keys,
                           ms_time_setting *out) {
  ms_time_options o = { 0 };
  MS_TRY(ms_options_read(study, node, node, "time", keys->param, keys->n, &o));
  *out = (ms_time_setting) { .step = o.step,
                             .steps = o.steps,
                             .method = ms_time_methods[o.method],
                             .beta = o.beta,
                             .gamma = o.gamma,
                             .tolerance = o.tolerance > 0.0 ? o.tolerance : 0.0 };
  MS_TRY(ms_check_method(study, ms_yaml_get(node, "method"), out->method));
  return check_newmark(&study->yaml, node, out);
}

static ms_status read_steps(const ms_reading *r, struct fy_node *node, void *value) {
  return node ? read_time(r->study, node, &ms_time_keys, value) : MS_SUCCESS;
}

static ms_status read_adaptive(const ms_reading *r, struct fy_node *node, void *value) {
  const ms_time_setting *time = value;
  if (!node) return MS_SUCCESS;
  MS_TRY(read_time(r->study, node, &ms_adaptive_time_keys, value));
  if (time->tolerance == 0.0 || time->gamma == 0.5) return MS_SUCCESS;
  return ms_yaml_fail(&r->study->yaml, ms_yaml_get(node, "tolerance"), MS_ERR_NAME,
                      "with a tolerance gamma must be 1/2, not %g: the error is estimated for that",
                      time->gamma);
}

const ms_param_reader ms_as_time = { .read = read_steps };
const ms_param_reader ms_as_adaptive_time = { .read = read_adaptive };

/* [height, step, steps] */
static ms_status read_own_time(const ms_study *study, struct fy_node *node, ms_level *level) {
  void *at = NULL;
  if (ms_yaml_count(node) != 3) {
    return ms_yaml_fail(&study->yaml, node, MS_ERR_FORMAT,
                        "a level is a height, or [height, step, steps]");
  }
  MS_TRY(ms_yaml_positive(&study->yaml, ms_yaml_next_item(node, &at), "a level", &level->p));
  struct fy_node *step = ms_yaml_next_item(node, &at), *steps = ms_yaml_next_item(node, &at);
  MS_TRY(ms_yaml_positive(&study->yaml, step, "step", &level->time.step));
  level->time.step *= study->units.time;
  return ms_yaml_count_value(&study->yaml, steps, "steps", 1, &level->time.steps);
}

static ms_status read_level(const ms_study *study, struct fy_node *node,
                            const ms_time_setting *time, ms_level *level) {
  level->time = *time;
  if (ms_yaml_is_sequence(node)) return read_own_time(study, node, level);
  return ms_yaml_positive(&study->yaml, node, "a level", &level->p);
}

ms_status ms_read_levels(const ms_study *study, struct fy_node *node, const ms_time_setting *time,
                         ms_level **out, ptrdiff_t *n) {
  void *at = NULL;
  int list = ms_yaml_is_sequence(node);
  ms_status status = MS_SUCCESS;
  *n = list ? ms_yaml_count(node) : 1;
  if (*n == 0) return ms_yaml_fail(&study->yaml, node, MS_ERR_FORMAT, "levels must not be empty");
  MS_TRY(ms_allocate(study->ctx, *n, sizeof **out, out));
  for (ptrdiff_t i = 0; i < *n && status == MS_SUCCESS; i++) {
    status = read_level(study, list ? ms_yaml_next_item(node, &at) : node, time, &(*out)[i]);
  }
  if (status != MS_SUCCESS) ms_free(study->ctx, out);
  return status;
}

ms_status ms_read_segments(const ms_study *study, struct fy_node *node, const int *mode, int n,
                           ptrdiff_t **out) {
  MS_TRY(ms_allocate(study->ctx, n, sizeof **out, out));
  for (int i = 0; i < n; i++) (*out)[i] = mode[i] == 0 ? 40 : 100;
  ms_status status = ms_yaml_read_mode_counts(&study->yaml, node, "segments", 4, mode, n, *out);
  if (status != MS_SUCCESS) ms_free(study->ctx, out);
  return status;
}
