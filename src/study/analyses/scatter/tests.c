/* What analyses of random joints read: the joint, noise, parameters and distributions. */
#include <math.h>

#include "core/param.h"
#include "study/model/joint_parameters.h"
#include "study/analyses/scatter/scatter.h"

/* ---- rows ---- */

static ms_status read_one_law(const ms_reading *r, struct fy_node *node, void *value) {
  int *joint = value;
  MS_TRY(ms_study_find_joint(r->study, node, joint));
  const ms_joint *j = ms_structure_get_joint(r->study->structure, *joint);
  if (ms_joint_count_members(j) == 0 && ms_joint_info(j)->n_axis == 1) return MS_SUCCESS;
  return ms_yaml_fail(&r->study->yaml, node, MS_ERR_ARGUMENT,
                      "joint '%.60s' is not one law on one axis",
                      ms_structure_get_joint_name(r->study->structure, *joint));
}

static ms_status read_noise(const ms_reading *r, struct fy_node *node, void *value) {
  double *noise = value;
  ms_numbers given = { 0 };
  if (!node) return MS_SUCCESS;
  ms_status status = ms_options_read_value(r->study, node, r->row->name, r->row, &given);
  if (status == MS_SUCCESS && given.n > 2) {
    status = ms_yaml_fail(&r->study->yaml, node, MS_ERR_BOUNDS,
                          "noise is one number, or [of stiffness, of dissipation]");
  }
  if (status == MS_SUCCESS) noise[0] = given.value[0], noise[1] = given.value[given.n - 1];
  ms_free(r->study->ctx, &given.value);
  return status;
}

const ms_param_reader ms_as_one_law = { .read = read_one_law };
const ms_param_reader ms_as_noise = { .read = read_noise };

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

typedef struct distribution {
  int family;
  double bounds[2], mean, deviation;
} distribution;

static const ms_param distribution_keys[] = {
  MS_ROW_FAMILY(distribution),
  MS_ROW_BOUNDS(distribution),
  MS_NUMBER(distribution, mean, "-", MS_ANY, MS_ELSE("optional"),
            "of all but uniform; in the unit of the parameter"),
  MS_NUMBER(distribution, deviation, "-", MS_POSITIVE, MS_ELSE("optional"),
            "standard deviation, of all but uniform and exponential; in the unit of the parameter"),
};
const ms_param_list ms_random_distribution = MS_LIST_OF(distribution_keys);

/* Of all densities with two moments between these bounds the one that says least. */
ms_family ms_random_take_family(int family, const double bounds[2], double factor, double *lower,
                                double *upper) {
  if (!isnan(bounds[0])) *lower = factor * bounds[0], *upper = factor * bounds[1];
  if (family >= 0) return (ms_family)family;
  if (isfinite(*lower) && isfinite(*upper)) return MS_FAMILY_BETA;
  return isfinite(*lower) ? MS_FAMILY_GAMMA : MS_FAMILY_NORMAL;
}

/* Uniform ones have bounds only, exponential ones a mean. */
ms_status ms_random_read_distribution(const ms_study *s, struct fy_node *node,
                                      const ms_param *param, double factor, ms_distribution *out) {
  const ms_param_list *list = &ms_random_distribution;
  struct fy_node *m = ms_yaml_get(node, "mean"), *sd = ms_yaml_get(node, "deviation");
  double lower = param->lower, upper = param->upper;
  distribution o = { 0 };
  MS_TRY(ms_options_read(s, node, NULL, param->name, list->param, list->n, &o));
  const ms_family family = ms_random_take_family(o.family, o.bounds, factor, &lower, &upper);
  if (lower < param->lower || upper > param->upper) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "bounds"), MS_ERR_BOUNDS,
                        "%s lies between %g and %g: %s", param->name, param->lower, param->upper,
                        param->why ? param->why : "the law says so");
  }
  const int mean = family != MS_FAMILY_UNIFORM, both = mean && family != MS_FAMILY_EXPONENTIAL;
  if ((mean && !m) || (both && !sd)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "a distribution '%s' needs %s",
                        ms_family_name(family), m ? "deviation" : "mean");
  }
  if ((sd && !both) || (m && !mean)) {
    return ms_yaml_fail(&s->yaml, sd ? sd : m, MS_ERR_NAME,
                        "a distribution '%s' has no %s of its own to give", ms_family_name(family),
                        sd ? "deviation" : "mean");
  }
  ms_status status =
      ms_distribution_from_moments(s->ctx, family, lower, upper, m ? factor * o.mean : 0.0,
                                   sd ? factor * o.deviation : 0.0, out);
  return ms_yaml_fail_here(&s->yaml, node, status);
}
