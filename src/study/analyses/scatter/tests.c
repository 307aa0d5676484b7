/* What `specimens` and `scatter` read: tables of joint tests, the joint, its parameters. */
#include <string.h>

#include "study/file/point_table.h"
#include "study/model/joint_parameters.h"
#include "study/analyses/scatter/scatter.h"

enum { SPECIMEN, FORCE, STIFFNESS, DISSIPATION, N_COLUMNS };

typedef struct column_names {
  const char *specimen, *force, *stiffness, *dissipation;
} column_names;

static const ms_param column_keys[] = {
  MS_WORD(column_names, specimen, MS_ELSE("specimen"), "its number"),
  MS_WORD(column_names, force, MS_ELSE("force"), "force amplitude"),
  MS_WORD(column_names, stiffness, MS_ELSE("stiffness"),
          "force over displacement between the turning points"),
  MS_WORD(column_names, dissipation, MS_ELSE("dissipation"), "energy dissipated per cycle"),
};
const ms_param_list ms_scatter_columns = MS_LIST_OF(column_keys);

static ms_status take_table(const ms_study *s, struct fy_node *file, struct fy_node *columns,
                            const ms_table *table, int joint, ms_scatter_tests *t) {
  const ms_units units = ms_study_joint_units(s, joint);
  const int ours = ms_table_is_ours(table);
  const double force = ours ? 1.0 : units.force, length = ours ? 1.0 : units.length;
  const ptrdiff_t n = ms_table_get_rows(table);
  column_names o = { 0 };
  MS_TRY(ms_options_read(s, columns, NULL, "columns", column_keys, N_COLUMNS, &o));
  const char *const given[N_COLUMNS] = { o.specimen, o.force, o.stiffness, o.dissipation };
  const double *column[N_COLUMNS];
  int *row;
  for (int i = 0; i < N_COLUMNS; i++) {
    const char *name = given[i] ? given[i] : column_keys[i].name;
    column[i] = ms_table_get_column(table, name);
    if (column[i]) continue;
    return ms_yaml_fail(&s->yaml, file, MS_ERR_NAME,
                        "the table has no column '%s'; name the columns with columns: {specimen: "
                        "..., force: ..., stiffness: ..., dissipation: ...}",
                        name);
  }
  MS_TRY(ms_allocate(s->ctx, n, sizeof *row, &row));
  for (ptrdiff_t i = 0; i < n; i++) row[i] = (int)ms_table_get_line(table, i);
  ms_status status = ms_scatter_tests_create(s->ctx, n, column[SPECIMEN], column[FORCE],
                                             column[STIFFNESS], column[DISSIPATION], row, t);
  ms_free(s->ctx, &row);
  for (ptrdiff_t i = 0; i < n && !status; i++) {
    t->force[i] *= force;
    t->stiffness[i] *= force / length;
    t->loss[i] *= force * length;
  }
  const ms_scatter_data data = ms_scatter_tests_view(t);
  if (!status) status = ms_scatter_check_data(s->ctx, &data);
  return status ? ms_yaml_fail_here(&s->yaml, file, status) : status;
}

ms_status ms_scatter_read_tests(const ms_study *s, const ms_task *task, const char *key, int joint,
                                ms_test_source *out) {
  struct fy_node *node = ms_yaml_get(task->node, key);
  const char *name;
  ms_table *table = NULL;
  out->tests = &out->own;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, node, key, &name));
  for (const ms_task *t = task - 1; t >= s->task; t--) {
    if (strcmp(t->name, name) == 0)
      return ms_study_find_task(s, task, node, "specimens", &out->from);
  }
  if (!strchr(name, '.')) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                        "there is no analysis '%.60s' before this one, and it is no file", name);
  }
  MS_TRY(ms_study_open_table(s, node, &table));
  ms_status status =
      take_table(s, node, ms_yaml_get(task->node, "columns"), table, joint, &out->own);
  ms_table_destroy(&table);
  return status;
}

ms_status ms_scatter_read_joint(const ms_study *s, struct fy_node *node, int *joint) {
  MS_TRY(ms_study_find_joint(s, node, joint));
  const ms_joint *j = ms_structure_get_joint(s->structure, *joint);
  if (ms_joint_count_members(j) == 0 && ms_joint_info(j)->n_axis == 1) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT, "joint '%.60s' is not one law on one axis",
                      ms_structure_get_joint_name(s->structure, *joint));
}

ms_status ms_scatter_read_param(const ms_study *s, struct fy_node *key, int joint,
                                const ms_param **param, double *factor) {
  const ms_joint *j = ms_structure_get_joint(s->structure, joint);
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a parameter", &name));
  *param = ms_joint_parameter_get(j, name);
  if (!*param) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME, "law %s has no parameter '%.40s'",
                        ms_joint_info(j)->name, name);
  }
  const ms_units units = ms_study_joint_units(s, joint);
  *factor = ms_units_factor(&units, (*param)->unit);
  if (*factor != 0.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, key, MS_ERR_ARGUMENT,
                      "%s is in %s, which is not converted: use SI units", name, (*param)->unit);
}

ms_status ms_scatter_take_noise(const ms_study *s, struct fy_node *node, const ms_numbers *given,
                                double noise[2]) {
  if (given->n > 2) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "noise is one number, or [of stiffness, of dissipation]");
  }
  if (given->n > 0) noise[0] = given->value[0], noise[1] = given->value[given->n - 1];
  return MS_SUCCESS;
}
