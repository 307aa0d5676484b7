/* Curves of frequency and damping from tables: those of others, and our own, whose rows words tell
   apart. */
#include "identify/calibrate/target_points.h"
#include "study/analyses/calibrate/targets/curves.h"

#include <math.h>

#include "study/analyses/calibrate/targets/tables.h"

static const ms_param column_keys[] = {
  MS_ROW_COLUMN("q", "q", "modal amplitude"),
  MS_ROW_COLUMN("omega", "omega", "frequency, rad/time"),
  MS_ROW_COLUMN("frequency", "`omega` is read", "frequency, cycles/time, in place of `omega`"),
  MS_ROW_COLUMN("zeta", "zeta, or zeta_joint with damping: joint", "damping ratio"),
};
const ms_param_list ms_curve_columns = MS_LIST_OF(column_keys);

typedef struct columns {
  const double *q, *omega, *zeta, *mode;
  double q_factor, omega_factor;
  const char *method; /* NULL: all rows */
  int decays;         /* from ring-downs, where noise makes some points grow */
} columns;

static ms_status find_columns(const ms_study *s, const ms_calibrate_target *target,
                              const ms_table *table, columns *c) {
  const double two_pi = 6.28318530717958647693;
  const ms_curve_target *t = target->own;
  struct fy_node *node = target->node, *names = ms_yaml_get(node, "columns");
  struct fy_node *hertz = names ? ms_yaml_get(names, "frequency") : NULL;
  const int ours = ms_target_is_ours(table);
  if (hertz && ms_yaml_get(names, "omega")) {
    return ms_yaml_fail(&s->yaml, hertz, MS_ERR_NAME, "give omega or frequency, not both");
  }
  MS_TRY(ms_target_get_column(s, &s->units, node, names, "q", "q", table, &c->q));
  MS_TRY(ms_target_get_column(s, &s->units, node, names, hertz ? "frequency" : "omega", "omega",
                              table, &c->omega));
  MS_TRY(ms_target_get_column(s, &s->units, node, names, "zeta",
                              t->joint_part ? "zeta_joint" : "zeta", table, &c->zeta));
  MS_TRY(ms_target_choose(s, target, "curve", "method", table, &c->method));
  ms_status status = ms_table_find_column(table, "mode", &c->mode);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, node, status);
  c->q_factor = ours ? 1.0 : s->units.length * sqrt(s->units.mass);
  c->omega_factor = (ours ? 1.0 : 1.0 / s->units.time) * (hertz ? two_pi : 1.0);
  c->decays = ms_table_get_word(table, "source", 0) != NULL;
  return MS_SUCCESS;
}

/* Rows of the mode, where the table has a column of modes, and of the method. */
static ms_status take_rows(const ms_study *s, const ms_table *table, const columns *c,
                           ms_calibrate_target *target) {
  ms_curve_target *t = target->own;
  MS_TRY(ms_curve_target_reserve(s->ctx, t, ms_table_get_rows(table)));
  target->why = "do not decay";
  for (ptrdiff_t i = 0; i < ms_table_get_rows(table); i++) {
    if (c->mode && c->mode[i] != t->mode + 1.0) continue;
    if (!ms_target_is_chosen(table, "method", c->method, i)) continue;
    if (c->decays && !(c->zeta[i] > 0.0)) {
      target->left_out++;
      continue;
    }
    ptrdiff_t k = t->points.n++;
    t->points.q[k] = c->q_factor * c->q[i];
    t->points.omega[k] = c->omega_factor * c->omega[i];
    t->points.zeta[k] = c->zeta[i];
    t->row[k] = (int)ms_table_get_line(table, i);
  }
  return MS_SUCCESS;
}

/* As the calibration will, while the place in the file is known. */
static ms_status check_points(const ms_study *s, const ms_calibrate_target *target) {
  const ms_curve_target *t = target->own;
  struct fy_node *window = ms_yaml_get(target->node, "window");
  const ms_point_set set = { .name = target->name,
                             .what = { "amplitude", "frequency", "damping" },
                             .n = t->points.n,
                             .column = { t->points.q, t->points.omega, t->points.zeta },
                             .row = t->row,
                             .low = t->low,
                             .high = t->high,
                             .weight = { target->weight[0], target->weight[1] } };
  ms_status status = ms_point_set_check(s->ctx, &set);
  if (status == MS_SUCCESS) return status;
  return ms_yaml_fail_here(&s->yaml, window ? window : target->node, status);
}

ms_status ms_curve_target_read(const ms_study *s, ms_calibrate_target *target) {
  ms_table *table;
  columns c;
  MS_TRY(ms_target_open_table(s, ms_yaml_get(target->node, "from"), &table));
  ms_status status = find_columns(s, target, table, &c);
  if (status == MS_SUCCESS) status = take_rows(s, table, &c, target);
  ms_table_destroy(&table);
  return status == MS_SUCCESS ? check_points(s, target) : status;
}
