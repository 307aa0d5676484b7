/* What analyses of random joints read: the joint, noise, parameters and distributions. */
#include "core/param.h"
#include "study/model/joint_parameters.h"
#include "study/analyses/scatter/scatter.h"

/* ---- rows ---- */

static ms_status read_one_law(const ms_reading *r, struct fy_node *node, void *value) {
  int *joint = value;
  *joint = -1;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_study_find_joint(r->study, node, joint));
  const ms_joint *j = ms_structure_get_joint(r->study->structure, *joint);
  if (ms_joint_count_members(j) == 0 && ms_joint_info(j)->n_axis == 1) return MS_SUCCESS;
  return ms_yaml_fail(&r->study->yaml, node, MS_ERR_ARGUMENT,
                      "joint '%.60s' is not one law on one axis",
                      ms_structure_get_joint_name(r->study->structure, *joint));
}

const ms_param_reader ms_as_one_law = { .read = read_one_law };

/* ---- parameters and distributions ---- */

ms_status ms_scatter_read_param(const ms_study *s, struct fy_node *key, int joint,
                                const ms_param **param, double *factor) {
  const ms_joint *j = ms_structure_get_joint(s->structure, joint);
  const ms_units units = ms_study_joint_units(s, joint);
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a parameter", &name));
  const int i = ms_param_find(ms_joint_info(j)->param, ms_joint_info(j)->n_param, name);
  if (i < 0) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME, "law %s has no parameter '%.40s'",
                        ms_joint_info(j)->name, name);
  }
  *param = &ms_joint_info(j)->param[i];
  *factor = ms_units_factor(&units, (*param)->unit);
  if (*factor != 0.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, key, MS_ERR_ARGUMENT,
                      "%s is in %s, which is not converted: use SI units", name, (*param)->unit);
}
