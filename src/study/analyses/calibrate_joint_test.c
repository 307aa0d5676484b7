/* Targets of `calibrate` that are joint tests: stiffness and dissipation per cycle against force.
 */
#include <microslip/joint_target.h>
#include <stdio.h>

#include "study/analyses/calibrate_tables.h"

extern const ms_target_kind ms_target_joint_test;

typedef struct test_target {
  int joint;
  double omega, low, high;
  ptrdiff_t n;
  double *force, *stiffness, *loss; /* in one block at force */
  int *row;
} test_target;

static const ms_param test_keys[] = {
  MS_KEY("joint_test", "word", "a table of force, stiffness and dissipation per cycle", 1),
  MS_KEY("joint", "word", "that was tested", 1),
  MS_KEY("columns", "mapping", "of the table", 0),
  MS_KEY("frequency", "number", "of the cycles, Hz, for laws that know time", 0),
  MS_KEY("window", "list", "[lowest, highest] force that counts", 0),
  MS_KEY("weight", "number or list", "of the squares, or [of stiffness, of dissipation]; 1", 0),
};

static const ms_param column_keys[] = {
  MS_KEY("force", "word", "amplitude; force", 0),
  MS_KEY("stiffness", "word", "secant of the loop; stiffness", 0),
  MS_KEY("displacement", "word", "amplitude, in place of stiffness", 0),
  MS_KEY("dissipation", "word", "energy per cycle; dissipation", 0),
};

/* ---- points ---- */

static ms_status take_rows(const ms_study *s, const ms_calibrate_target *target,
                           const ms_table *table) {
  struct fy_node *node = target->node, *names = ms_yaml_get(node, "columns");
  struct fy_node *travel = names ? ms_yaml_get(names, "displacement") : NULL;
  test_target *t = target->own;
  const ms_units units = ms_study_joint_units(s, t->joint);
  const int ours = ms_target_is_ours(table);
  const double length = ours ? 1.0 : units.length, force = ours ? 1.0 : units.force;
  const double *F, *k, *D;
  const ptrdiff_t n = ms_table_get_rows(table);
  if (names) MS_TRY(ms_yaml_check_keys(&s->yaml, names, "columns", column_keys, 4));
  if (travel && ms_yaml_get(names, "stiffness")) {
    return ms_yaml_fail(&s->yaml, travel, MS_ERR_NAME, "give stiffness or displacement, not both");
  }
  MS_TRY(ms_target_get_column(s, node, names, "force", "force", table, &F));
  MS_TRY(ms_target_get_column(s, node, names, travel ? "displacement" : "stiffness", "stiffness",
                              table, &k));
  MS_TRY(ms_target_get_column(s, node, names, "dissipation", "dissipation", table, &D));
  MS_TRY(ms_allocate(s->ctx, 3 * n, sizeof *t->force, &t->force));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *t->row, &t->row));
  t->stiffness = t->force + n;
  t->loss = t->force + 2 * n;
  t->n = n;
  for (ptrdiff_t i = 0; i < n; i++) {
    t->force[i] = force * F[i];
    t->stiffness[i] = travel ? t->force[i] / (length * k[i]) : force / length * k[i];
    t->loss[i] = force * length * D[i];
    t->row[i] = (int)ms_table_get_line(table, i);
  }
  return MS_SUCCESS;
}

static ms_status read_table(const ms_study *s, const ms_calibrate_target *target) {
  ms_table *table;
  MS_TRY(ms_target_open_table(s, ms_yaml_get(target->node, "joint_test"), &table));
  ms_status status = take_rows(s, target, table);
  ms_table_destroy(&table);
  return status;
}

/* ---- options ---- */

static ms_joint_test test_of(const ms_calibrate_target *target) {
  const test_target *t = target->own;
  return (ms_joint_test) { .name = target->name,
                           .joint = t->joint,
                           .n = t->n,
                           .force = t->force,
                           .stiffness = t->stiffness,
                           .loss = t->loss,
                           .row = t->row,
                           .omega = t->omega,
                           .low = t->low,
                           .high = t->high,
                           .weight_stiffness = target->weight[0],
                           .weight_loss = target->weight[1] };
}

/* As the calibration will, while the place in the file is known. */
static ms_status check_test(const ms_study *s, const ms_calibrate_target *target) {
  struct fy_node *window = ms_yaml_get(target->node, "window");
  const ms_joint_test test = test_of(target);
  ms_status status = ms_joint_tests_check(s->structure, &test);
  if (status == MS_SUCCESS) return status;
  return ms_yaml_fail_here(&s->yaml, window ? window : target->node, status);
}

static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *target) {
  const double two_pi = 6.28318530717958647693;
  struct fy_node *node = target->node, *hertz = ms_yaml_get(node, "frequency");
  const char *file;
  test_target *t;
  (void)task;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *t, &t));
  target->own = t;
  MS_TRY(ms_target_find_joint(s, target, &t->joint));
  if (hertz) MS_TRY(ms_yaml_positive(&s->yaml, hertz, "frequency", &t->omega));
  t->omega *= two_pi / s->units.time;
  MS_TRY(ms_target_read_window(s, ms_yaml_get(node, "window"), "force", s->units.force, &t->low,
                               &t->high));
  MS_TRY(ms_yaml_text(&s->yaml, ms_yaml_get(node, "joint_test"), "joint_test", &file));
  snprintf(target->name, sizeof target->name, "test %.240s", file);
  MS_TRY(read_table(s, target));
  return check_test(s, target);
}

static void close_target(ms_study *s, ms_calibrate_target *target) {
  test_target *t = target->own;
  if (!t) return;
  ms_free(s->ctx, &t->force);
  ms_free(s->ctx, &t->row);
  ms_free(s->ctx, &target->own);
}

/* ---- model ---- */

static ms_status open_model(ms_context *ctx, const ms_calibrate *c, ms_structure *structure,
                            void **model) {
  ms_joint_test *is;
  ms_joint_tests *tests = NULL;
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(ctx, c->n_target, sizeof *is, &is));
  for (const ms_calibrate_target *k; (k = ms_calibrate_get_target(c, &ms_target_joint_test, n));) {
    is[n++] = test_of(k);
  }
  ms_status status = ms_joint_tests_create(structure, c->n, c->free, n, is, &tests);
  ms_free(ctx, &is);
  *model = tests;
  return status;
}

static void close_model(void **model) {
  ms_joint_tests *tests = *model;
  ms_joint_tests_destroy(&tests);
  *model = NULL;
}

static ptrdiff_t count(const void *model) {
  return ms_joint_tests_count_residuals(model);
}

static ms_status misfit(void *model, const double *p, double *f) {
  return ms_joint_tests_objectives(model, p, f);
}

static ms_target_view view(const void *model, ptrdiff_t k) {
  const ms_joint_test t = ms_joint_tests_target(model, k);
  const ms_joint_test_values v = ms_joint_tests_values(model, k);
  return (ms_target_view) { .n = t.n,
                            .x = t.force,
                            .target = { t.stiffness, t.loss },
                            .model = { v.stiffness, v.loss },
                            .row = t.row };
}

const ms_target_kind ms_target_joint_test = {
  .name = "joint_test",
  .mark = "joint_test",
  .keys = test_keys,
  .n_keys = sizeof test_keys / sizeof *test_keys,
  .quantity = { "stiffness", "dissipation" },
  .table = "tests",
  .x = "force [N]",
  .y = { "stiffness [N/m]", "dissipation [J]" },
  .x_log = 1,
  .y_log = { 0, 1 },
  .read = read_target,
  .close = close_target,
  .open_model = open_model,
  .close_model = close_model,
  .count = count,
  .has_jacobian = 1,
  .eval = ms_joint_tests_eval,
  .misfit = misfit,
  .view = view,
};
