/* Where "lap.K_T" is: parameters of joints by name. */
#include <stdio.h>
#include <string.h>

#include "core/param.h"
#include "identify/calibrate/free_parameters.h"
#include "study/model/joint_parameters.h"

/* Moments and angles, of a joint about an axis. */
static const char *unit_of(const ms_units *units, const ms_param *param) {
  if (!param->unit) return "-";
  if (!units->about) return param->unit;
  if (strcmp(param->unit, "N") == 0) return "N m";
  return strcmp(param->unit, "N/m") == 0 ? "N m/rad" : param->unit;
}

static ms_status check_place(const ms_study *s, struct fy_node *key, ms_joint_parameter *p,
                             const ms_parameter_place *place, double *factor) {
  const ms_param *param = ms_parameter_place_param(s->structure, place);
  const ms_units units = place->joint < 0 ? s->units : ms_study_joint_units(s, place->joint);
  const double own = ms_units_factor(&units, param->unit ? param->unit : "-");
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
  if (s->has_contacts) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME,
                        "'%s' is no number of the contacts: write contacts.NAME.mu, .gap or "
                        ".interference, .gap_factor of one with a table of gaps, "
                        "contacts.NAME.layer.K_n or .K_t of one with a layer, "
                        "preload.1.factor of the first stage",
                        text);
  }
  if (ms_structure_count_joints(structure) == 0) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME, "the structure has no joints");
  }
  return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME,
                      "'%s' is no parameter of a joint; write joint.parameter, as of joint '%s' "
                      "with law %s, mode.1.damping, spring.1 or mass.NAME",
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
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME, "%s is free twice: as %s, too", b->key, a->key);
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
  ms_status status =
      ms_parameter_find_places(s->structure, pattern, dot + 1, &p->n_place, &p->place);
  MS_TRY(ms_yaml_fail_here(&s->yaml, key, status));
  if (p->n_place == 0) return fail_joint(s, key, p->key);
  for (ptrdiff_t i = 0; i < p->n_place; i++) MS_TRY(check_place(s, key, p, &p->place[i], factor));
  snprintf(p->name, sizeof p->name, "%.60s of %.250s", dot + 1, pattern);
  if (p->place->joint <= MS_PLACE_SPRING) snprintf(p->name, sizeof p->name, "%.310s", p->key);
  return MS_SUCCESS;
}

/* ---- with bounds ---- */

/* Bounds are SI from now on. */
static ms_status read_parameter(const ms_study *s, struct fy_node *key, struct fy_node *value,
                                ms_joint_parameter *p, ms_fit_parameter *bound) {
  double factor;
  MS_TRY(ms_yaml_bounds(&s->yaml, value, &bound->lower, &bound->upper));
  MS_TRY(ms_joint_parameter_find(s, key, p, &factor));
  bound->lower *= factor;
  bound->upper *= factor;
  for (ptrdiff_t i = 0; i < p->n_place; i++) {
    ms_status status =
        ms_parameter_place_check(s->ctx, s->structure, &p->place[i], bound->lower, bound->upper);
    MS_TRY(ms_yaml_fail_here(&s->yaml, value, status));
  }
  bound->name = p->name;
  ms_fit_choose_scale(bound);
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
