/* Targets of `calibrate` that are joint tests: stiffness and dissipation per cycle against force.
 */
#include <microslip/joint_target.h>
#include <math.h>
#include <stdio.h>

#include "study/analyses/calibrate/targets/tables.h"

typedef struct test_target {
  int joint;
  double omega, low, high;
  ptrdiff_t n;
  double *force, *stiffness, *loss; /* in one block at force */
  int *row;
} test_target;

typedef struct options {
  ms_numbers weight;
  const char *joint_test, *joint;
  struct fy_node *columns;
  double frequency, window[2];
} options;

static const ms_param column_keys[] = {
  MS_ROW_COLUMN("force", "force", "amplitude"),
  MS_ROW_COLUMN("stiffness", "stiffness", "secant of the loop, force/displacement"),
  MS_ROW_COLUMN("displacement", "`stiffness` is read", "amplitude, in place of `stiffness`"),
  MS_ROW_COLUMN("dissipation", "dissipation", "energy dissipated per cycle"),
};
static const ms_param_list column_list = MS_LIST_OF(column_keys);

static const ms_param test_keys[] = {
  MS_PATH(options, joint_test, MS_REQUIRED,
          "table of force amplitude, secant stiffness of the loop and energy dissipated per cycle"),
  MS_WORD(options, joint, MS_REQUIRED, "that was tested; of several axes the first"),
  MS_MAPPING(options, columns, column_list, MS_OPTIONAL, "names of the table's columns"),
  MS_NUMBER(options, frequency, "1/s", MS_POSITIVE, MS_ELSE("not known"),
            "of the cycles, cycles/time, for laws that know time"),
  MS_PAIR(options, window, "N", MS_POSITIVE, MS_ELSE("all"),
          "forces that count; of a joint about an axis moments"),
  MS_ROW_WEIGHTS(options, "[of stiffness, of dissipation]"),
};
const ms_param_list ms_target_joint_test_keys = MS_LIST_OF(test_keys);

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
  if (travel && ms_yaml_get(names, "stiffness")) {
    return ms_yaml_fail(&s->yaml, travel, MS_ERR_NAME, "give stiffness or displacement, not both");
  }
  MS_TRY(ms_target_get_column(s, &units, node, names, "force", "force", table, &F));
  MS_TRY(ms_target_get_column(s, &units, node, names, travel ? "displacement" : "stiffness",
                              "stiffness", table, &k));
  MS_TRY(ms_target_get_column(s, &units, node, names, "dissipation", "dissipation", table, &D));
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

/* [lower, upper] in the units of the study; the joint may have a moment for its force. */
static void set_window(const ms_study *s, const double window[2], test_target *t) {
  const double factor = ms_study_joint_units(s, t->joint).force / s->units.force;
  if (isnan(window[0])) return;
  t->low = factor * window[0];
  t->high = factor * window[1];
}

static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *target) {
  const double two_pi = 6.28318530717958647693;
  options o = { 0 };
  test_target *t;
  (void)task;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *t, &t));
  target->own = t;
  MS_TRY(ms_target_read_two(s, target, &o, &o.weight));
  MS_TRY(ms_target_find_joint(s, target, &t->joint));
  if (o.frequency > 0.0) t->omega = two_pi * o.frequency;
  set_window(s, o.window, t);
  snprintf(target->name, sizeof target->name, "test %.240s", o.joint_test);
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
  .keys = &ms_target_joint_test_keys,
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
