/* Targets of `calibrate`: tables, or the curves of earlier analyses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/backbone.h"
#include "study/analyses/calibrate.h"

static const ms_key target_keys[] = {
  { "mode", "number", "that the curve is of, from 1", 1 },
  { "from", "word", "a table, or an earlier backbone, modal_ringdown or ringdown", 1 },
  { "curve", "word", "method of a backbone; its reference", 0 },
  { "columns", "mapping", "of a table", 0 },
  { "damping", "word", "total (default) or joint", 0 },
  { "window", "list", "[lowest, highest] amplitude that counts", 0 },
  { "weight", "number or list", "of the squares, or [of frequency, of damping]; 1", 0 },
};

static const ms_key column_keys[] = {
  { "q", "word", "modal amplitude; q", 0 },
  { "omega", "word", "frequency, rad/s; omega", 0 },
  { "frequency", "word", "frequency, Hz, in place of omega", 0 },
  { "zeta", "word", "damping ratio; zeta, of damping: joint zeta_joint", 0 },
};

/* ---- tables ---- */

typedef struct columns {
  const char *q, *omega, *zeta;
  double omega_factor;
} columns;

static ms_status read_columns(const ms_study *s, struct fy_node *node, const ms_calibrate_target *t,
                              columns *out) {
  const double two_pi = 6.28318530717958647693;
  struct fy_node *q = ms_yaml_get(node, "q"), *omega = ms_yaml_get(node, "omega");
  struct fy_node *hertz = ms_yaml_get(node, "frequency"), *zeta = ms_yaml_get(node, "zeta");
  *out = (columns) { "q", "omega", t->joint_part ? "zeta_joint" : "zeta", 1.0 / s->units.time };
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, "columns", column_keys, 4));
  if (q) MS_TRY(ms_yaml_text(&s->yaml, q, "q", &out->q));
  if (omega) MS_TRY(ms_yaml_text(&s->yaml, omega, "omega", &out->omega));
  if (zeta) MS_TRY(ms_yaml_text(&s->yaml, zeta, "zeta", &out->zeta));
  if (omega && hertz) {
    return ms_yaml_fail(&s->yaml, hertz, MS_ERR_NAME, "give omega or frequency, not both");
  }
  if (hertz) {
    MS_TRY(ms_yaml_text(&s->yaml, hertz, "frequency", &out->omega));
    out->omega_factor *= two_pi;
  }
  return MS_SUCCESS;
}

static ms_status reserve(ms_context *ctx, ms_calibrate_target *t, ptrdiff_t n) {
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *t->points.q, &t->points.q));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->row, &t->row));
  t->points.omega = t->points.q + n;
  t->points.zeta = t->points.q + 2 * n;
  return MS_SUCCESS;
}

/* Rows of the mode, where the table has a column of modes. */
static ms_status take_rows(const ms_study *s, const ms_table *table, const columns *c,
                           ms_calibrate_target *t) {
  const double *q = ms_table_get_column(table, c->q), *omega = ms_table_get_column(table, c->omega),
               *zeta = ms_table_get_column(table, c->zeta),
               *mode = ms_table_get_column(table, "mode");
  const char *lacks = !q ? c->q : !omega ? c->omega : !zeta ? c->zeta : NULL;
  const double amplitude = s->units.length * sqrt(s->units.mass);
  if (lacks) {
    return ms_yaml_fail(&s->yaml, t->node, MS_ERR_NAME,
                        "%s has no column '%s'; name the columns with columns: {q: ..., omega: "
                        "..., zeta: ...}",
                        t->name, lacks);
  }
  MS_TRY(reserve(s->ctx, t, ms_table_get_rows(table)));
  for (ptrdiff_t i = 0; i < ms_table_get_rows(table); i++) {
    if (mode && mode[i] != t->mode + 1.0) continue;
    ptrdiff_t k = t->points.n++;
    t->points.q[k] = amplitude * q[i];
    t->points.omega[k] = c->omega_factor * omega[i];
    t->points.zeta[k] = zeta[i];
    t->row[k] = (int)ms_table_get_line(table, i);
  }
  return MS_SUCCESS;
}

static ms_status read_table(const ms_study *s, struct fy_node *from, struct fy_node *node,
                            ms_calibrate_target *t) {
  const char *file;
  char *path = NULL;
  ms_table *table = NULL;
  columns c;
  MS_TRY(ms_yaml_text(&s->yaml, from, "from", &file));
  MS_TRY(read_columns(s, ms_yaml_get(node, "columns"), t, &c));
  MS_TRY(ms_study_path(s, file, &path));
  ms_status status = ms_table_read(s->ctx, path, &table);
  if (status != MS_SUCCESS) status = ms_yaml_fail_here(&s->yaml, from, status);
  if (status == MS_SUCCESS) status = take_rows(s, table, &c, t);
  ms_table_destroy(&table);
  ms_free(s->ctx, &path);
  return status;
}

/* ---- earlier analyses ---- */

static int is_kind(const ms_task *t, const char *kind) {
  return strcmp(t->kind->name, kind) == 0;
}

static const ms_backbone_curve *find_curve(const ms_backbone *b, const ms_calibrate_target *t) {
  const char *method = t->curve ? t->curve : b->reference->name;
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    const ms_backbone_curve *c = &b->curve[i];
    if (c->mode == t->mode && strcmp(c->method->name, method) == 0) return c;
  }
  return NULL;
}

static ms_status check_backbone(const ms_study *s, struct fy_node *node, ms_calibrate_target *t) {
  const ms_backbone *b = t->from->product;
  int known = 0;
  for (int i = 0; i < b->n_mode; i++) known |= b->mode[i] == t->mode;
  if (!known) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "%s has no curve of mode %d", t->from->name,
                        t->mode + 1);
  }
  if (!t->curve || ms_backbone_has(b, t->curve)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "curve"), MS_ERR_NAME, "%s has no method '%.40s'",
                      t->from->name, t->curve);
}

static ms_status check_source(const ms_study *s, struct fy_node *node, ms_calibrate_target *t) {
  struct fy_node *curve = ms_yaml_get(node, "curve");
  if (curve) MS_TRY(ms_yaml_text(&s->yaml, curve, "curve", &t->curve));
  if (is_kind(t->from, "backbone")) return check_backbone(s, node, t);
  if (is_kind(t->from, "modal_ringdown") || is_kind(t->from, "ringdown")) {
    if (!t->joint_part) return MS_SUCCESS;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "damping"), MS_ERR_NAME,
                        "a ring-down sees the total damping");
  }
  return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "from"), MS_ERR_NAME,
                      "%s has no curves: from is a backbone, modal_ringdown, ringdown or a table",
                      t->from->name);
}

static ms_status gather_backbone(ms_study *s, ms_calibrate_target *t) {
  const ms_backbone_curve *curve = find_curve(t->from->product, t);
  ptrdiff_t n = curve ? curve->n : 0;
  MS_TRY(reserve(s->ctx, t, n > 0 ? n : 1));
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_backbone_point *p = &curve->point[i];
    t->points.q[i] = p->q;
    t->points.omega[i] = p->omega;
    t->points.zeta[i] = t->joint_part ? p->zeta_joint : p->zeta;
    t->row[i] = (int)i + 1;
  }
  t->points.n = n;
  return MS_SUCCESS;
}

/* Noise makes some points of a decay grow: they are left out, and counted. */
static ms_status gather_decays(ms_study *s, ms_calibrate_target *t) {
  const ms_curves *c = t->from->product;
  ms_points all;
  if (c->channel) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "%s: the record's place is unknown, and its amplitude is not that of a mode",
                   t->name);
  }
  MS_TRY(ms_curves_gather(s->ctx, c, t->mode, &all));
  ms_status status = reserve(s->ctx, t, all.n > 0 ? all.n : 1);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < all.n; i++) {
    if (!(all.zeta[i] > 0.0)) {
      t->left_out++;
      continue;
    }
    ptrdiff_t k = t->points.n++;
    t->points.q[k] = all.q[i];
    t->points.omega[k] = all.omega[i];
    t->points.zeta[k] = all.zeta[i];
    t->row[k] = (int)i + 1;
  }
  ms_free(s->ctx, &all.q);
  return status;
}

ms_status ms_calibrate_gather(ms_study *s, ms_calibrate *c) {
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    ms_calibrate_target *t = &c->target[k];
    if (!t->from || t->points.q) continue;
    MS_TRY(is_kind(t->from, "backbone") ? gather_backbone(s, t) : gather_decays(s, t));
  }
  return MS_SUCCESS;
}

/* ---- options ---- */

static ms_status read_damping(const ms_study *s, struct fy_node *node, int *joint_part) {
  const char *word;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, node, "damping", &word));
  *joint_part = strcmp(word, "joint") == 0;
  if (*joint_part || strcmp(word, "total") == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "damping '%.40s' is none of total, joint", word);
}

static ms_status read_window(const ms_study *s, struct fy_node *node, ms_calibrate_target *t) {
  const double amplitude = s->units.length * sqrt(s->units.mass);
  double *value = NULL;
  ptrdiff_t n = 0;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "window", &value, &n));
  int sound = n == 2 && value[0] > 0.0 && value[1] > value[0];
  if (sound) t->low = amplitude * value[0], t->high = amplitude * value[1];
  ms_free(s->ctx, &value);
  if (sound) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "window is [lowest, highest] amplitude, 0 < lowest < highest");
}

static ms_status read_weight(const ms_study *s, struct fy_node *node, ms_calibrate_target *t) {
  double *value = NULL;
  ptrdiff_t n = 0;
  t->weight_omega = t->weight_zeta = 1.0;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "weight", &value, &n));
  t->weight_omega = n > 0 ? value[0] : 0.0;
  t->weight_zeta = n > 1 ? value[1] : t->weight_omega;
  ms_free(s->ctx, &value);
  if ((n == 1 || n == 2) && t->weight_omega >= 0.0 && t->weight_zeta >= 0.0 &&
      t->weight_omega + t->weight_zeta > 0.0) {
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "weight is a number, or [of frequency, of damping], >= 0 and not both 0");
}

static ms_status read_mode(const ms_study *s, struct fy_node *node, int *mode) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  ptrdiff_t value;
  MS_TRY(ms_yaml_count_value(&s->yaml, node, "mode", 1, &value));
  if (value > stuck.n) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "there is no mode %td; there are %td", value,
                        stuck.n);
  }
  *mode = (int)value - 1;
  if (stuck.omega[*mode] > 0.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "mode %td is a rigid-body mode: it has no frequency", value);
}

/* An analysis of that name, or else a table. */
static const ms_task *find_task(const ms_study *s, const ms_task *task, const char *name) {
  for (const ms_task *t = task - 1; t >= s->task; t--) {
    if (strcmp(t->name, name) == 0) return t;
  }
  return NULL;
}

static ms_status read_target(ms_study *s, const ms_task *task, struct fy_node *node,
                             ms_calibrate_target *t) {
  const char *from;
  t->node = node;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, "a target", target_keys, 7));
  MS_TRY(read_mode(s, ms_yaml_get(node, "mode"), &t->mode));
  MS_TRY(read_damping(s, ms_yaml_get(node, "damping"), &t->joint_part));
  MS_TRY(read_window(s, ms_yaml_get(node, "window"), t));
  MS_TRY(read_weight(s, ms_yaml_get(node, "weight"), t));
  MS_TRY(ms_yaml_text(&s->yaml, ms_yaml_get(node, "from"), "from", &from));
  snprintf(t->name, sizeof t->name, "mode %d of %.70s", t->mode + 1, from);
  t->from = find_task(s, task, from);
  if (t->from) return check_source(s, node, t);
  if (!strchr(from, '.')) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "from"), MS_ERR_NAME,
                        "there is no analysis '%.60s' before this one, and it is no file", from);
  }
  return read_table(s, ms_yaml_get(node, "from"), node, t);
}

ms_status ms_calibrate_read_targets(ms_study *s, const ms_task *task, struct fy_node *node,
                                    ms_calibrate *c) {
  void *at = NULL;
  ptrdiff_t n = ms_yaml_is_sequence(node) ? ms_yaml_count(node) : 0;
  if (n < 1) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "targets is a list, e.g. [{mode: 2, from: measured.csv}]");
  }
  MS_TRY(ms_allocate(s->ctx, n, sizeof *c->target, &c->target));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *c->is, &c->is));
  for (struct fy_node *item; (item = ms_yaml_next_item(node, &at));) {
    MS_TRY(read_target(s, task, item, &c->target[c->n_target++]));
  }
  return MS_SUCCESS;
}

void ms_calibrate_fill_targets(ms_calibrate *c) {
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_calibrate_target *t = &c->target[k];
    c->is[k] = (ms_target) { .name = t->name,
                             .mode = t->mode,
                             .n = t->points.n,
                             .q = t->points.q,
                             .omega = t->points.omega,
                             .zeta = t->points.zeta,
                             .row = t->row,
                             .joint_part = t->joint_part,
                             .low = t->low,
                             .high = t->high,
                             .weight_omega = t->weight_omega,
                             .weight_zeta = t->weight_zeta };
  }
}
