/* What a YAML file says of random joints: noise, distributions of parameters, tables of tests. */
#include "identify/scatter/keys.h"

static ms_status read_noise(const ms_reading *r, struct fy_node *node, void *value) {
  double *noise = value;
  ms_numbers given = { 0 };
  if (!node) return MS_SUCCESS;
  ms_status status = ms_keys_read_value(r->from, node, r->row->name, r->row, &given);
  if (status == MS_SUCCESS && given.n > 2) {
    status = ms_yaml_fail(r->from->yaml, node, MS_ERR_BOUNDS,
                          "noise is one number, or [of stiffness, of dissipation]");
  }
  if (status == MS_SUCCESS) noise[0] = given.value[0], noise[1] = given.value[given.n - 1];
  ms_free(r->from->yaml->ctx, &given.value);
  return status;
}

const ms_param_reader ms_as_noise = { .read = read_noise };

/* ---- distributions ---- */

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
ms_status ms_random_read_distribution(const ms_key_source *from, struct fy_node *node,
                                      const ms_param *param, double factor, ms_distribution *out) {
  const ms_param_list *list = &ms_random_distribution;
  struct fy_node *m = ms_yaml_get(node, "mean"), *sd = ms_yaml_get(node, "deviation");
  double lower = param->lower, upper = param->upper;
  distribution o = { 0 };
  MS_TRY(ms_keys_read(from, node, NULL, param->name, list->param, list->n, &o));
  const ms_family family = ms_random_take_family(o.family, o.bounds, factor, &lower, &upper);
  if (lower < param->lower || upper > param->upper) {
    return ms_yaml_fail(from->yaml, ms_yaml_get(node, "bounds"), MS_ERR_BOUNDS,
                        "%s lies between %g and %g: %s", param->name, param->lower, param->upper,
                        param->why ? param->why : "the law says so");
  }
  const int mean = family != MS_FAMILY_UNIFORM, both = mean && family != MS_FAMILY_EXPONENTIAL;
  if ((mean && !m) || (both && !sd)) {
    return ms_yaml_fail(from->yaml, node, MS_ERR_NAME, "a distribution '%s' needs %s",
                        ms_family_name(family), m ? "deviation" : "mean");
  }
  if ((sd && !both) || (m && !mean)) {
    return ms_yaml_fail(from->yaml, sd ? sd : m, MS_ERR_NAME,
                        "a distribution '%s' has no %s of its own to give", ms_family_name(family),
                        sd ? "deviation" : "mean");
  }
  ms_status status =
      ms_distribution_from_moments(from->yaml->ctx, family, lower, upper, m ? factor * o.mean : 0.0,
                                   sd ? factor * o.deviation : 0.0, out);
  return ms_yaml_fail_here(from->yaml, node, status);
}

/* ---- tests ---- */

ms_status ms_scatter_read_table(const ms_yaml *y, const ms_units *units, struct fy_node *file,
                                const char *const column[4], ms_scatter_tests *t) {
  ms_table *table = NULL;
  ms_columns all;
  MS_TRY(ms_yaml_open_table(y, file, &table));
  const int ours = ms_table_is_ours(table);
  const double force = ours ? 1.0 : units->force, length = ours ? 1.0 : units->length;
  ms_status status = ms_table_get_all(table, &all);
  if (!status) status = ms_scatter_tests_take_table(y->ctx, &all, column, force, length, t);
  const ms_scatter_data data = ms_scatter_tests_view(t);
  if (!status) status = ms_scatter_check_data(y->ctx, &data);
  ms_table_destroy(&table);
  return ms_yaml_fail_here(y, file, status);
}
