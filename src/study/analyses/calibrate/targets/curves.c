/* Targets of `calibrate` that are curves of frequency and damping against amplitude: tables, or
   what earlier analyses leave. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/backbone/backbone.h"
#include "study/analyses/calibrate/targets/curves.h"
#include "study/analyses/calibrate/targets/tables.h"

typedef struct options {
  ms_numbers weight;
  ptrdiff_t mode;
  const char *from, *curve;
  struct fy_node *columns;
  int damping; /* 1: joint */
  double window[2];
} options;

static const ms_param curve_keys[] = {
  MS_COUNT(options, mode, MS_FROM(1), MS_REQUIRED,
           "which mode of the structure as the study has it"),
  MS_WORD(options, from, MS_REQUIRED,
          "an earlier `backbone`, `modal_ringdown`, `ringdown` or `hammer_test`, or a table; of a "
          "table with a column `mode` the rows of that mode"),
  MS_WORD(options, curve, MS_ELSE("of a backbone its reference"),
          "method of a backbone, or of a table with a column `method` of words"),
  MS_MAPPING(options, columns, ms_curve_columns, MS_OPTIONAL, "names of a table's columns"),
  MS_CHOICE(options, damping, "total|joint", MS_OPTIONAL,
            "damping of the curve; joint: without the viscous part"),
  MS_PAIR(options, window, "m sqrt(kg)", MS_POSITIVE, MS_ELSE("all"),
          "modal amplitudes that count"),
  MS_ROW_WEIGHTS(options, "[of frequency, of damping]"),
};
const ms_param_list ms_target_curves_keys = MS_LIST_OF(curve_keys);

ms_status ms_curve_target_reserve(ms_context *ctx, ms_curve_target *t, ptrdiff_t n) {
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *t->points.q, &t->points.q));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->row, &t->row));
  t->points.omega = t->points.q + n;
  t->points.zeta = t->points.q + 2 * n;
  return MS_SUCCESS;
}

int ms_target_curves_mode(const ms_calibrate_target *target, int *joint_part) {
  const ms_curve_target *t = target->own;
  const int is_curve = target->kind == &ms_target_curves;
  if (joint_part) *joint_part = is_curve && t->joint_part;
  return is_curve ? t->mode : -1;
}

/* ---- earlier analyses ---- */

static int is_kind(const ms_task *t, const char *kind) {
  return strcmp(t->kind->name, kind) == 0;
}

static const ms_backbone_curve *find_curve(const ms_backbone *b, const ms_curve_target *t) {
  const char *method = t->curve ? t->curve : b->reference->name;
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    const ms_backbone_curve *c = &b->curve[i];
    if (c->mode == t->mode && strcmp(c->method->name, method) == 0) return c;
  }
  return NULL;
}

/* These methods go by amplitudes that are given: how many of them the window holds is known. */
static ms_status check_levels(const ms_study *s, const ms_calibrate_target *target) {
  const ms_backbone *b = target->from->product;
  const ms_curve_target *t = target->own;
  struct fy_node *window = ms_yaml_get(target->node, "window");
  const char *method = t->curve ? t->curve : b->reference->name;
  if (strcmp(method, "qsma") != 0 && strcmp(method, "rqnm") != 0 && strcmp(method, "epmc") != 0) {
    return MS_SUCCESS;
  }
  for (int i = 0; i < b->n_mode; i++) {
    ptrdiff_t inside = 0;
    if (b->mode[i] != t->mode) continue;
    for (ptrdiff_t k = 0; k < b->n_level[i]; k++) {
      const double q = b->level[i][k];
      inside += !(t->low > 0.0 && q < t->low) && !(t->high > 0.0 && q > t->high);
    }
    if (inside >= MS_TARGET_LEAST) continue;
    return ms_yaml_fail(&s->yaml, window ? window : target->node, MS_ERR_BOUNDS,
                        "%td of the %td amplitudes of %s are in the window; it takes %d", inside,
                        b->n_level[i], target->from->name, MS_TARGET_LEAST);
  }
  return MS_SUCCESS;
}

static ms_status check_backbone(const ms_study *s, const ms_calibrate_target *target) {
  const ms_backbone *b = target->from->product;
  const ms_curve_target *t = target->own;
  int known = 0;
  for (int i = 0; i < b->n_mode; i++) known |= b->mode[i] == t->mode;
  if (!known) {
    return ms_yaml_fail(&s->yaml, target->node, MS_ERR_BOUNDS, "%s has no curve of mode %d",
                        target->from->name, t->mode + 1);
  }
  if (!t->curve || ms_backbone_has(b, t->curve)) return check_levels(s, target);
  return ms_yaml_fail(&s->yaml, ms_yaml_get(target->node, "curve"), MS_ERR_NAME,
                      "%s has no method '%.40s'", target->from->name, t->curve);
}

static ms_status check_source(const ms_study *s, const ms_calibrate_target *target) {
  struct fy_node *node = target->node;
  ms_curve_target *t = target->own;
  const ms_task *from = target->from;
  if (is_kind(from, "backbone")) return check_backbone(s, target);
  if (is_kind(from, "modal_ringdown") || is_kind(from, "ringdown") ||
      is_kind(from, "hammer_test")) {
    if (((const ms_curves *)from->product)->channel) {
      return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "from"), MS_ERR_ARGUMENT,
                          "%s does not say where its record was measured, and its amplitude is not "
                          "that of a mode; give it at",
                          from->name);
    }
    if (!t->joint_part) return MS_SUCCESS;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "damping"), MS_ERR_NAME,
                        "a ring-down sees the total damping");
  }
  return ms_yaml_fail(
      &s->yaml, ms_yaml_get(node, "from"), MS_ERR_NAME,
      "%s has no curves: from is a backbone, modal_ringdown, ringdown, hammer_test or a "
      "table",
      from->name);
}

static ms_status gather_backbone(ms_study *s, const ms_backbone *from, ms_curve_target *t) {
  const ms_backbone_curve *curve = find_curve(from, t);
  ptrdiff_t n = curve ? curve->n : 0;
  MS_TRY(ms_curve_target_reserve(s->ctx, t, n > 0 ? n : 1));
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
static ms_status gather_decays(ms_study *s, ms_calibrate_target *target) {
  const ms_curves *c = target->from->product;
  ms_curve_target *t = target->own;
  ms_points all;
  MS_TRY(ms_curves_gather(s->ctx, c, t->mode, &all));
  ms_status status = ms_curve_target_reserve(s->ctx, t, all.n > 0 ? all.n : 1);
  target->why = "do not decay";
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < all.n; i++) {
    if (!(all.zeta[i] > 0.0)) {
      target->left_out++;
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

static ms_status gather(ms_study *s, ms_calibrate_target *target) {
  ms_curve_target *t = target->own;
  if (t->points.q) return MS_SUCCESS;
  if (is_kind(target->from, "backbone")) return gather_backbone(s, target->from->product, t);
  return gather_decays(s, target);
}

static ms_status share(ms_study *s, ms_calibrate_target *target) {
  ms_curve_target *t = target->own;
  ptrdiff_t n = t->points.n;
  MS_TRY(ms_study_share(s, 0, &n, sizeof n));
  if (!t->points.q) MS_TRY(ms_curve_target_reserve(s->ctx, t, n > 0 ? n : 1));
  t->points.n = n;
  double *const part[3] = { t->points.q, t->points.omega, t->points.zeta };
  return ms_target_share_points(s, n, part, t->row);
}

/* ---- options ---- */

static ms_status check_elastic(const ms_study *s, struct fy_node *node, int mode) {
  if (ms_structure_get_stuck(s->structure).omega[mode] > 0.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "mode %d is a rigid-body mode: it has no frequency", mode + 1);
}

/* Two windows of one curve are two targets. */
static void name_target(const ms_curve_target *t, const char *from, char *name, size_t size) {
  const int n = snprintf(name, size, "mode %d of %.200s", t->mode + 1, from);
  if (t->high > 0.0) snprintf(name + n, size - (size_t)n, " %.3g-%.3g", t->low, t->high);
}

/* An analysis of that name, or else a table. */
static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *target) {
  struct fy_node *node = target->node;
  ms_curve_target *t;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *t, &t));
  target->own = t;
  MS_TRY(ms_study_refuse_curved(s, node, MS_QUASISTATIC_MODE));
  MS_TRY(ms_target_read_two(s, target, &o, &o.weight));
  MS_TRY(ms_check_mode(s, ms_yaml_get(node, "mode"), o.mode));
  t->mode = (int)o.mode - 1;
  MS_TRY(check_elastic(s, ms_yaml_get(node, "mode"), t->mode));
  t->joint_part = o.damping;
  t->curve = o.curve;
  if (!isnan(o.window[0])) t->low = o.window[0], t->high = o.window[1];
  name_target(t, o.from, target->name, sizeof target->name);
  ms_calibrate_find_source(s, task, o.from, target);
  if (target->from) return check_source(s, target);
  if (!strchr(o.from, '.')) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "from"), MS_ERR_NAME,
                        "there is no analysis '%.60s' before this one, and it is no file", o.from);
  }
  return ms_curve_target_read(s, target);
}

static void close_target(ms_study *s, ms_calibrate_target *target) {
  ms_curve_target *t = target->own;
  if (!t) return;
  ms_free(s->ctx, &t->points.q);
  ms_free(s->ctx, &t->row);
  ms_free(s->ctx, &target->own);
}

/* ---- model ---- */

static ms_status open_model(ms_context *ctx, const ms_calibrate *c, ms_structure *structure,
                            void **model) {
  ms_target *is;
  ms_calibration *calibration = NULL;
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(ctx, c->n_target, sizeof *is, &is));
  for (const ms_calibrate_target *k; (k = ms_calibrate_get_target(c, &ms_target_curves, n));) {
    const ms_curve_target *t = k->own;
    is[n++] = (ms_target) { .name = k->name,
                            .mode = t->mode,
                            .n = t->points.n,
                            .q = t->points.q,
                            .omega = t->points.omega,
                            .zeta = t->points.zeta,
                            .row = t->row,
                            .joint_part = t->joint_part,
                            .low = t->low,
                            .high = t->high,
                            .weight_omega = k->weight[0],
                            .weight_zeta = k->weight[1] };
  }
  ms_status status = ms_calibration_create(structure, c->n, c->free, n, is, &calibration);
  ms_free(ctx, &is);
  *model = calibration;
  return status;
}

static void close_model(void **model) {
  ms_calibration *calibration = *model;
  ms_calibration_destroy(&calibration);
  *model = NULL;
}

static ptrdiff_t count(const void *model) {
  return ms_calibration_count_residuals(model);
}

static ms_status misfit(void *model, const double *p, double *f) {
  return ms_calibration_objectives(model, p, f);
}

static ms_target_view view(const void *model, ptrdiff_t k) {
  const ms_target t = ms_calibration_target(model, k);
  const ms_curve_values v = ms_calibration_curve(model, k);
  return (ms_target_view) { .n = t.n,
                            .x = t.q,
                            .target = { t.omega, t.zeta },
                            .model = { v.omega, t.joint_part ? v.zeta_joint : v.zeta },
                            .row = t.row };
}

/* ---- report ---- */

static ms_status figure(const ms_study *s, const ms_calibrate *c, ptrdiff_t k, ms_page *page) {
  enum { MOST = 7 };
  const ms_curve_target *t = c->target[k].own;
  ms_overlay overlay[MOST + 2];
  ms_points points[MOST], band = ms_calibrate_outline(c, k);
  int n = 0;
  overlay[n++] = (ms_overlay) { c->target[k].name, &t->points, MS_SERIES_POINTS, 0 };
  for (ptrdiff_t i = 0; i < c->n_solution && i < MOST; i++) {
    const ms_kept_view *v = &c->solution[i].view[k];
    points[i] = (ms_points) { v->is.n, v->store, v->store + 3 * v->is.n, v->store + 4 * v->is.n };
    overlay[n++] = (ms_overlay) { c->solution[i].name, &points[i],
                                  i ? MS_SERIES_DASHED : MS_SERIES_LINE, (int)i + 1 };
  }
  if (band.n > 0) overlay[n++] = (ms_overlay) { MS_OUTLINE_LABEL, &band, MS_SERIES_AREA, 1 };
  return ms_curves_figure(s, page, t->mode, overlay, n);
}

const ms_target_kind ms_target_curves = {
  .name = "curves",
  .mark = "from",
  .keys = &ms_target_curves_keys,
  .quantity = { "frequency", "damping" },
  .table = "curves",
  .x = "q [m sqrt(kg)]",
  .y = { "omega [rad/s]", "zeta" },
  .x_log = 1,
  .y_log = { 0, 1 },
  .read = read_target,
  .gather = gather,
  .share = share,
  .close = close_target,
  .open_model = open_model,
  .close_model = close_model,
  .count = count,
  .has_jacobian = 1,
  .eval = ms_calibration_eval,
  .misfit = misfit,
  .view = view,
  .figure = figure,
};
