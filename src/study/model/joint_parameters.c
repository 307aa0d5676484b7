/* Where "lap.K_T" is: parameters of joints by name. */
#include <stdio.h>
#include <string.h>

#include "identify/calibrate/free_parameters.h"
#include "study/model/joint_parameters.h"

#define WIDE 10.0 /* bounds this far apart, as a ratio, are searched on a logarithmic scale */

/* Moments and angles, of a joint about an axis. */
static const char *unit_of(const ms_units *units, const ms_param *param) {
  if (!units->about) return param->unit;
  if (strcmp(param->unit, "N") == 0) return "N m";
  return strcmp(param->unit, "N/m") == 0 ? "N m/rad" : param->unit;
}

static ms_status check_place(const ms_study *s, struct fy_node *key, ms_joint_parameter *p,
                             const ms_parameter_place *place, double *factor) {
  const ms_param *param = ms_parameter_place_param(s->structure, place);
  const ms_units units = ms_study_joint_units(s, place->joint);
  const double own = ms_units_factor(&units, param->unit);
  if (place == p->place) *factor = own;
  if (own != *factor) {
    return ms_yaml_fail(
        &s->yaml, key, MS_ERR_ARGUMENT,
        "'%.60s' is of joints along an axis and about one: they cannot share a value", p->key);
  }
  if (*factor == 0.0) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_ARGUMENT,
                        "%s is in %s, which is not converted: use SI units", param->name,
                        param->unit);
  }
  p->unit = unit_of(&units, param);
  return MS_SUCCESS;
}

static ms_status fail_joint(const ms_study *s, struct fy_node *key, const char *text) {
  const ms_structure *structure = s->structure;
  if (ms_structure_count_joints(structure) == 0) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME, "the structure has no joints");
  }
  return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME,
                      "'%s' is no parameter of a joint; write joint.parameter, as of joint '%s' "
                      "with law %s",
                      text, ms_structure_get_joint_name(structure, 0),
                      ms_joint_info(ms_structure_get_joint(structure, 0))->name);
}

const char *ms_joint_parameter_unit(const ms_joint_parameter *parameter) {
  const char *unit = parameter->unit;
  return unit && *unit && strcmp(unit, "-") != 0 ? unit : NULL;
}

ms_status ms_joint_parameter_check_twice(const ms_study *s, struct fy_node *key,
                                         const ms_joint_parameter *a, const ms_joint_parameter *b) {
  for (ptrdiff_t i = 0; i < a->n_place * b->n_place; i++) {
    const ms_parameter_place *x = &a->place[i % a->n_place], *y = &b->place[i / a->n_place];
    if (x->joint != y->joint || x->member != y->member || strcmp(x->param, y->param) != 0) continue;
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME,
                        "%s of joint '%s' is free twice: as %s and as %s", x->param,
                        ms_structure_get_joint_name(s->structure, x->joint), a->key, b->key);
  }
  return MS_SUCCESS;
}

ms_status ms_joint_parameter_find(const ms_study *s, struct fy_node *key, ms_joint_parameter *p,
                                  double *factor) {
  char pattern[256];
  *factor = 1.0;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a parameter", &p->key));
  const char *dot = strrchr(p->key, '.');
  if (!dot || dot - p->key >= (ptrdiff_t)sizeof pattern) return fail_joint(s, key, p->key);
  snprintf(pattern, sizeof pattern, "%.*s", (int)(dot - p->key), p->key);
  MS_TRY(ms_parameter_find_places(s->structure, pattern, dot + 1, &p->n_place, &p->place));
  if (p->n_place == 0) return fail_joint(s, key, p->key);
  for (ptrdiff_t i = 0; i < p->n_place; i++) MS_TRY(check_place(s, key, p, &p->place[i], factor));
  snprintf(p->name, sizeof p->name, "%.60s of %.250s", dot + 1, pattern);
  return MS_SUCCESS;
}

/* ---- with bounds ---- */

/* Both bounds must be values that the law takes. */
static ms_status check_bounds(const ms_study *s, struct fy_node *node,
                              const ms_parameter_place *place, const ms_fit_parameter *bound) {
  const ms_joint *j = ms_parameter_place_joint(s->structure, place);
  ms_joint *probe = NULL;
  ms_status status = ms_joint_create(s->ctx, ms_joint_info(j)->name, &probe);
  if (status == MS_SUCCESS) status = ms_joint_set(probe, place->param, bound->lower);
  if (status == MS_SUCCESS) status = ms_joint_set(probe, place->param, bound->upper);
  ms_joint_destroy(&probe);
  return ms_yaml_fail_here(&s->yaml, node, status);
}

/* Bounds are SI from now on. */
static ms_status read_parameter(const ms_study *s, struct fy_node *key, struct fy_node *value,
                                ms_joint_parameter *p, ms_fit_parameter *bound) {
  double factor;
  MS_TRY(ms_yaml_bounds(&s->yaml, value, &bound->lower, &bound->upper));
  MS_TRY(ms_joint_parameter_find(s, key, p, &factor));
  bound->lower *= factor;
  bound->upper *= factor;
  for (ptrdiff_t i = 0; i < p->n_place; i++) {
    MS_TRY(check_bounds(s, value, &p->place[i], bound));
  }
  bound->name = p->name;
  bound->logarithmic = bound->lower > 0.0 && bound->upper >= WIDE * bound->lower;
  return MS_SUCCESS;
}

ms_status ms_joint_parameters_read(const ms_study *s, struct fy_node *node, ptrdiff_t *n,
                                   ms_joint_parameter **parameter, ms_fit_parameter **bound,
                                   ms_free_parameter **free) {
  void *at = NULL;
  const ptrdiff_t count = ms_yaml_is_mapping(node) ? ms_yaml_count(node) : 0;
  if (count < 1 || count > MS_JOINT_PARAMETERS) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "parameters are 1 to %d of joint.parameter: [lowest, highest]",
                        MS_JOINT_PARAMETERS);
  }
  MS_TRY(ms_allocate(s->ctx, count, sizeof **parameter, parameter));
  MS_TRY(ms_allocate(s->ctx, count, sizeof **bound, bound));
  MS_TRY(ms_allocate(s->ctx, count, sizeof **free, free));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    const ptrdiff_t k = (*n)++;
    ms_joint_parameter *p = *parameter + k;
    MS_TRY(read_parameter(s, key, value, p, *bound + k));
    for (ptrdiff_t i = 0; i < k; i++) {
      MS_TRY(ms_joint_parameter_check_twice(s, key, *parameter + i, p));
    }
    (*free)[k] = (ms_free_parameter) { p->name, p->n_place, p->place };
  }
  return MS_SUCCESS;
}
