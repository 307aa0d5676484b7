/* Options that several analyses take: how to integrate, which modes, how many segments. */
#include <string.h>

#include "structure/impl.h"
#include "study/analyses/shared/time_options.h"
#include "study/file/shared_keys.h"

/* In SI. */
typedef struct time_options {
  double step, beta, gamma, tolerance;
  ptrdiff_t steps;
  int method;
} time_options;

const char *const ms_time_methods[] = { "newmark", "exponential" };

/* Stable whatever the step: gamma >= 1/2 and beta >= (gamma + 1/2)^2/4. Above 1 both only blur. */
#define GAMMA_RANGE .lower = 0.5, .upper = 1.0, .why = "below 1/2 the method feeds energy in"
#define BETA_RANGE \
  .lower = 0.25, .upper = 1.0, .why = "below (gamma + 1/2)^2/4 long steps are not stable"
#define BELOW_ONE .lower = 0.0, .upper = 1.0, .open = 3

static const ms_param time_keys[] = {
  MS_NUMBER(time_options, step, "s", MS_POSITIVE, MS_REQUIRED, "time step"),
  MS_COUNT(time_options, steps, MS_FROM(1), MS_REQUIRED, "number of steps"),
  MS_CHOICE(
      time_options, method, MS_TIME_METHODS, MS_OPTIONAL,
      "newmark: average acceleration unless beta or gamma is given; exponential: exact in the "
      "linear part, divides a step where a stiff joint slips"),
  MS_NUMBER(time_options, beta, NULL, BETA_RANGE, MS_ELSE("(gamma + 1/2)^2/4"),
            "of newmark; at least (gamma + 1/2)^2/4, which is stable whatever the step"),
  MS_NUMBER(time_options, gamma, NULL, GAMMA_RANGE, MS_DEFAULT(0.5),
            "of newmark; above 1/2 it damps, fast modes most, and is of first order only"),
  MS_NUMBER(time_options, tolerance, NULL, BELOW_ONE, MS_ELSE("steps of one length"),
            "of the relative error of a step: each is divided as it needs; with gamma = 1/2"),
};

enum { N_ADAPTIVE = sizeof time_keys / sizeof *time_keys };

const ms_param_list ms_time_keys = { time_keys, N_ADAPTIVE - 1 }; /* without the tolerance */
const ms_param_list ms_adaptive_time_keys = { time_keys, N_ADAPTIVE };

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
  time_options o = { 0 };
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

ms_status ms_read_time(const ms_study *study, struct fy_node *node, ms_time_setting *out) {
  return read_time(study, node, &ms_time_keys, out);
}

ms_status ms_read_adaptive_time(const ms_study *study, struct fy_node *node, ms_time_setting *out) {
  MS_TRY(read_time(study, node, &ms_adaptive_time_keys, out));
  if (out->tolerance == 0.0 || out->gamma == 0.5) return MS_SUCCESS;
  return ms_yaml_fail(&study->yaml, ms_yaml_get(node, "tolerance"), MS_ERR_NAME,
                      "with a tolerance gamma must be 1/2, not %g: the error is estimated for that",
                      out->gamma);
}

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

ms_status ms_check_mode(const ms_study *study, struct fy_node *node, ptrdiff_t mode) {
  const ptrdiff_t size = ms_structure_get_size(study->structure);
  if (mode <= size) return MS_SUCCESS;
  return ms_yaml_fail(&study->yaml, node, MS_ERR_BOUNDS, "there is no mode %td; modes are 1 to %td",
                      mode, size);
}

ms_status ms_read_segments(const ms_study *study, struct fy_node *node, const int *mode, int n,
                           ptrdiff_t **out) {
  MS_TRY(ms_allocate(study->ctx, n, sizeof **out, out));
  for (int i = 0; i < n; i++) (*out)[i] = mode[i] == 0 ? 40 : 100;
  ms_status status = ms_yaml_read_mode_counts(&study->yaml, node, "segments", 4, mode, n, *out);
  if (status != MS_SUCCESS) ms_free(study->ctx, out);
  return status;
}
