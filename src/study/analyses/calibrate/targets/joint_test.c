/* Targets of `calibrate` that are joint tests: stiffness and dissipation per cycle against force.
 */
#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "study/analyses/calibrate/calibrate.h"

typedef struct options {
  ms_numbers weight;
  const char *joint_test;
  int joint;
  struct fy_node *columns;
  double frequency, window[2];
} options;

static const ms_param column_keys[] = {
  MS_ROW_COLUMN("force", "force", "amplitude"),
  MS_ROW_COLUMN("stiffness", "stiffness", "secant of the loop, force/displacement"),
  MS_ROW_COLUMN("displacement", "`stiffness` is read", "amplitude, in place of `stiffness`"),
  MS_ROW_COLUMN("dissipation", "dissipation", "energy dissipated per cycle"),
};

static const ms_param test_keys[] = {
  MS_PATH(options, joint_test, MS_REQUIRED,
          "table of force amplitude, secant stiffness of the loop and energy dissipated per cycle"),
  MS_JOINT(options, joint, MS_REQUIRED, "that was tested; of several axes the first"),
  MS_MAPPING(options, columns, MS_ROWS(column_keys), MS_OPTIONAL, "names of the table's columns"),
  MS_NUMBER(options, frequency, "1/s", MS_POSITIVE, MS_ELSE("not known"),
            "of the cycles, cycles/time, for laws that know time"),
  MS_PAIR(options, window, "N", MS_POSITIVE, MS_ELSE("all"),
          "forces that count; of a joint about an axis moments"),
  MS_ROW_WEIGHTS(options, "[of stiffness, of dissipation]"),
};
const ms_param_list ms_target_joint_test_keys = MS_LIST_OF(test_keys);

/* The window is in the units of the study; the joint may have a moment for its force. */
static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *t) {
  const options *o = t->options;
  const ms_units units = ms_study_joint_units(s, o->joint);
  const double factor = units.force / s->units.force;
  (void)task;
  t->is->is.test.joint = o->joint;
  t->is->is.test.omega = o->frequency > 0.0 ? 2.0 * MS_PI * o->frequency : 0.0;
  if (!isnan(o->window[0])) t->is->low = factor * o->window[0], t->is->high = factor * o->window[1];
  snprintf(t->name, sizeof t->name, "test %.240s", o->joint_test);
  const ms_point_choice choice = {
    .column = { { "force", "force", "N", .factor = units.force },
                { "stiffness", "stiffness", "N/m", .factor = units.force / units.length,
                  .instead = "displacement", .instead_unit = "m", .instead_factor = units.length,
                  .scale = 1.0 },
                { "dissipation", "dissipation", "J", .factor = units.force * units.length } },
    .units = &units
  };
  MS_TRY(ms_point_table_read(&s->yaml, &s->units, t->node, ms_yaml_get(t->node, "joint_test"),
                             &choice, &t->points));
  double *force = t->points.column, *stiffness = force + t->points.capacity;
  for (ptrdiff_t i = 0; t->points.instead[1] && i < t->points.n; i++) {
    stiffness[i] = force[i] / stiffness[i];
  }
  return MS_SUCCESS;
}

const ms_target_source ms_target_joint_test = {
  .name = "joint_test",
  .is = MS_TARGET_JOINT_TEST,
  .mark = "joint_test",
  .keys = &ms_target_joint_test_keys,
  .size = sizeof(options),
  .table = "tests",
  .x = "force [N]",
  .y = { "stiffness [N/m]", "dissipation [J]" },
  .x_log = 1,
  .y_log = { 0, 1 },
  .read = read_target,
};
