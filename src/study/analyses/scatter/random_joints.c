/* Random parameters of joints. */
#include "study/analyses/scatter/random_joints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/scatter/scatter.h"

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

/* For help and manual: any number of these. */
static const ms_param parameter_keys[] = {
  { .name = "JOINT.PARAMETER",
    .kind = MS_PARAM_FORMS,
    .forms = "mapping or word",
    .keys = &ms_random_distribution,
    .meaning = "distribution of a parameter, or a scatter that has one; the joint may be a "
               "pattern: all joints of bolt.*.K_T have one value" },
};
const ms_param_list ms_random_parameters = MS_LIST_OF(parameter_keys);

/* ---- distributions ---- */

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

/* ---- the list ---- */

static ms_status find_scatter(ms_study *s, const ms_task *task, struct fy_node *node,
                              const ms_task **out) {
  MS_TRY(ms_study_find_task(s, task, node, "scatter", out));
  const ms_scatter_analysis *a = (*out)->product;
  if (a->n_separate == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                      "%s has other parameters for the loss than for the stiffness: no law of a "
                      "structure has",
                      (*out)->name);
}

static ms_status read_one(ms_study *s, const ms_task *task, struct fy_node *key,
                          struct fy_node *value, ms_random_parameter *p) {
  double factor;
  MS_TRY(ms_joint_parameter_find(s, key, &p->is, &factor));
  const ms_parameter_place *at = &p->is.place[0];
  if (!ms_yaml_is_scalar(value)) {
    const ms_joint *j = ms_structure_get_joint(s->structure, at->joint);
    if (ms_joint_count_members(j) > 0) j = ms_joint_get_member(j, at->member);
    return ms_random_read_distribution(s, value, ms_joint_parameter_get(j, at->param), factor,
                                       &p->d);
  }
  MS_TRY(find_scatter(s, task, value, &p->from));
  const ms_scatter_analysis *a = p->from->product;
  for (ptrdiff_t i = 0; i < a->n; i++) {
    if (strcmp(a->parameter[i].param, at->param) == 0) return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, value, MS_ERR_NAME, "%s has no distribution of %s", p->from->name,
                      at->param);
}

static ms_status reserve(const ms_study *s, ptrdiff_t n, ms_random_joints *r) {
  MS_TRY(ms_allocate(s->ctx, n, sizeof *r->parameter, &r->parameter));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *r->free, &r->free));
  return ms_allocate(s->ctx, n, sizeof *r->d, &r->d);
}

/* All parameters of a scatter, at its joint. */
static ms_status take_scatter(ms_study *s, const ms_task *task, struct fy_node *node,
                              ms_random_joints *r) {
  const ms_task *from;
  MS_TRY(find_scatter(s, task, node, &from));
  const ms_scatter_analysis *a = from->product;
  MS_TRY(reserve(s, a->n, r));
  for (r->n = 0; r->n < a->n; r->n++) {
    ms_random_parameter *p = &r->parameter[r->n];
    p->from = from;
    p->is.key = a->option[r->n].key;
    p->is.unit = a->option[r->n].unit;
    snprintf(p->is.name, sizeof p->is.name, "%s", a->option[r->n].name);
    MS_TRY(ms_allocate(s->ctx, 1, sizeof *p->is.place, &p->is.place));
    p->is.place[p->is.n_place++] = (ms_parameter_place) { a->joint, 0, a->parameter[r->n].param };
  }
  return MS_SUCCESS;
}

ms_status ms_random_read(ms_study *s, const ms_task *task, struct fy_node *node,
                         ms_random_joints *r) {
  void *at = NULL;
  ptrdiff_t count = ms_yaml_is_mapping(node) ? ms_yaml_count(node) : 0;
  if (node && ms_yaml_is_scalar(node)) {
    MS_TRY(take_scatter(s, task, node, r));
  } else if (count < 1 || count > 32) {
    return ms_yaml_fail(&s->yaml, node ? node : task->key, MS_ERR_FORMAT,
                        "random is 1 to 32 of joint.parameter: {mean: ..., deviation: ...}, or "
                        "the name of a scatter");
  } else {
    MS_TRY(reserve(s, count, r));
    for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
      MS_TRY(read_one(s, task, key, value, &r->parameter[r->n++]));
      for (ptrdiff_t i = 0; i + 1 < r->n; i++) {
        MS_TRY(ms_joint_parameter_check_twice(s, key, &r->parameter[i].is,
                                              &r->parameter[r->n - 1].is));
      }
    }
  }
  for (ptrdiff_t i = 0; i < r->n; i++) {
    const ms_joint_parameter *p = &r->parameter[i].is;
    r->free[i] = (ms_free_parameter) { p->name, p->n_place, p->place };
  }
  return MS_SUCCESS;
}

void ms_random_close(ms_study *s, ms_random_joints *r) {
  for (ptrdiff_t i = 0; i < r->n; i++) ms_free(s->ctx, &r->parameter[i].is.place);
  ms_free(s->ctx, &r->parameter);
  ms_free(s->ctx, &r->free);
  ms_free(s->ctx, &r->d);
}

ms_status ms_random_gather(const ms_study *s, ms_random_joints *r) {
  for (ptrdiff_t i = 0; i < r->n; i++) {
    ms_random_parameter *p = &r->parameter[i];
    const ms_scatter_analysis *a = p->from ? p->from->product : NULL;
    for (ptrdiff_t k = 0; a && k < a->n; k++) {
      if (strcmp(a->parameter[k].param, p->is.place[0].param) != 0) continue;
      p->d = a->result.found.distribution[k];
    }
    r->d[i] = p->d;
    MS_TRY(ms_distribution_check(s->ctx, &r->d[i]));
  }
  return MS_SUCCESS;
}

int ms_random_needs(const ms_random_joints *r, const ms_task *other) {
  for (ptrdiff_t i = 0; i < r->n; i++) {
    if (r->parameter[i].from == other) return 1;
  }
  return 0;
}

void ms_random_show(const ms_random_joints *r, ms_result *result) {
  ms_page *page = ms_result_get_page(result);
  const char *name[32], *family[32];
  double mean[32], deviation[32];
  for (ptrdiff_t i = 0; i < r->n; i++) {
    name[i] = r->parameter[i].is.key;
    family[i] = ms_family_name(r->d[i].family);
    mean[i] = ms_distribution_mean(&r->d[i]);
    deviation[i] = ms_distribution_deviation(&r->d[i]);
  }
  const ms_page_column column[] = { { "parameter", NULL, NULL, name, 0 },
                                    { "distribution", NULL, NULL, family, 0 },
                                    { "mean", NULL, mean, NULL, 0 },
                                    { "deviation", NULL, deviation, NULL, 0 } };
  const ms_page_table table = { r->n, 4, column };
  if (page) {
    ms_result_fail_page(result, ms_page_add_table(page, "Random parameters (SI units)", &table));
  }
}
