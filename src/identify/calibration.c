/* Targets, and how far a backbone model is from them. */
#include <math.h>
#include <microslip/calibrate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

#define LEAST_SHIFT 1e-4 /* of omega: a mode that does not shift is held to this */
#define LEAST_ZETA  1e-6 /* of the target's: a model without loss is held to this */

/* A point of a target while it is sorted. */
typedef struct target_point {
  double q, omega, zeta;
  int row;
} target_point;

typedef struct own_target {
  char *name;
  ms_target is;
  double *store; /* q, omega, zeta */
  int *row;
  double shift;
} own_target;

struct ms_calibration {
  ms_context *ctx;
  ptrdiff_t n_parameter, n_target, n_residual;
  own_target *target;
  ms_backbone_model *model;
};

/* ---- targets ---- */

static const char *name_of(const ms_target *t) {
  return t->name ? t->name : "target";
}

static int is_inside(const ms_target *t, double q) {
  return (t->low == 0.0 || q >= t->low) && (t->high == 0.0 || q <= t->high);
}

static int is_positive(double x) {
  return x > 0.0 && x < HUGE_VAL;
}

static int is_usable(const ms_target *t, ptrdiff_t i) {
  return is_positive(t->q[i]) && is_positive(t->omega[i]) &&
         (t->weight_zeta == 0.0 || is_positive(t->zeta[i]));
}

static int row_of(const ms_target *t, ptrdiff_t i) {
  return t->row ? t->row[i] : (int)i + 1;
}

/* What is wrong with the first such row, and the rows, as many as fit. */
static ms_status fail_rows(ms_context *ctx, const ms_target *t, ptrdiff_t first) {
  const char *what = !is_positive(t->q[first])       ? "amplitude"
                     : !is_positive(t->omega[first]) ? "frequency"
                                                     : "damping";
  double value = !is_positive(t->q[first])       ? t->q[first]
                 : !is_positive(t->omega[first]) ? t->omega[first]
                                                 : t->zeta[first];
  char rows[160] = "";
  size_t n = 0;
  for (ptrdiff_t i = first; i < t->n && n + 16 < sizeof rows; i++) {
    if (!is_inside(t, t->q[i]) || is_usable(t, i)) continue;
    n += (size_t)snprintf(rows + n, sizeof rows - n, "%s%d", n ? ", " : "", row_of(t, i));
  }
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "%s: row %d has %s %g, which must be positive (rows %s); leave such rows out or "
                 "set a window",
                 name_of(t), row_of(t, first), what, value, rows);
}

static ms_status check_target(ms_context *ctx, const ms_target *t, ptrdiff_t *inside) {
  *inside = 0;
  if (!(t->weight_omega >= 0.0 && t->weight_zeta >= 0.0 &&
        t->weight_omega + t->weight_zeta > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: weights %g and %g must be >= 0 and not both 0",
                   name_of(t), t->weight_omega, t->weight_zeta);
  }
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (isfinite(t->q[i]) && !is_inside(t, t->q[i])) continue;
    if (!is_usable(t, i)) return fail_rows(ctx, t, i);
    *inside += 1;
  }
  if (*inside >= MS_TARGET_LEAST) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: %td of %td points are in the window; it takes %d",
                 name_of(t), *inside, t->n, MS_TARGET_LEAST);
}

static int by_amplitude(const void *a, const void *b) {
  const target_point *x = a, *y = b;
  if (x->q != y->q) return x->q < y->q ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static void sort_points(const ms_target *from, target_point *point, own_target *to) {
  ptrdiff_t n = 0;
  double low = HUGE_VAL, high = 0.0;
  for (ptrdiff_t i = 0; i < from->n; i++) {
    if (!is_inside(from, from->q[i])) continue;
    point[n++] = (target_point) { from->q[i], from->omega[i], from->zeta[i], row_of(from, i) };
  }
  qsort(point, (size_t)n, sizeof *point, by_amplitude);
  for (ptrdiff_t i = 0; i < n; i++) {
    to->store[i] = point[i].q;
    to->store[n + i] = point[i].omega;
    to->store[2 * n + i] = point[i].zeta;
    to->row[i] = point[i].row;
    low = fmin(low, point[i].omega);
    high = fmax(high, point[i].omega);
  }
  to->shift = fmax(high - low, LEAST_SHIFT * high);
}

static ms_status take_target(ms_context *ctx, const ms_target *from, own_target *to) {
  target_point *point;
  ptrdiff_t n;
  MS_TRY(check_target(ctx, from, &n));
  MS_TRY(ms_text_copy(ctx, name_of(from), &to->name));
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *to->store, &to->store));
  MS_TRY(ms_allocate(ctx, n, sizeof *to->row, &to->row));
  MS_TRY(ms_allocate(ctx, n, sizeof *point, &point));
  sort_points(from, point, to);
  ms_free(ctx, &point);
  to->is = *from;
  to->is.n = n;
  to->is.name = to->name;
  to->is.q = to->store;
  to->is.omega = to->store + n;
  to->is.zeta = to->store + 2 * n;
  to->is.row = to->row;
  return MS_SUCCESS;
}

/* ---- life ---- */

void ms_calibration_destroy(ms_calibration **calibration) {
  if (!calibration || !*calibration) return;
  ms_calibration *c = *calibration;
  ms_backbone_model_destroy(&c->model);
  for (ptrdiff_t k = 0; c->target && k < c->n_target; k++) {
    ms_free(c->ctx, &c->target[k].name);
    ms_free(c->ctx, &c->target[k].store);
    ms_free(c->ctx, &c->target[k].row);
  }
  ms_free(c->ctx, &c->target);
  ms_free(c->ctx, calibration);
}

static ms_status make_model(ms_calibration *c, ms_structure *structure,
                            const ms_free_parameter *parameter) {
  ms_curve_request *request;
  MS_TRY(ms_allocate(c->ctx, c->n_target, sizeof *request, &request));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_target *t = &c->target[k].is;
    request[k] = (ms_curve_request) { t->mode, t->n, t->q };
  }
  ms_status status = ms_backbone_model_create(structure, c->n_parameter, parameter, c->n_target,
                                              request, &c->model);
  ms_free(c->ctx, &request);
  return status;
}

static ms_status fill(ms_calibration *c, ms_structure *structure,
                      const ms_free_parameter *parameter, const ms_target *target) {
  MS_TRY(ms_allocate(c->ctx, c->n_target, sizeof *c->target, &c->target));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    MS_TRY(take_target(c->ctx, &target[k], &c->target[k]));
    c->n_residual += 2 * c->target[k].is.n;
  }
  if (c->n_residual < c->n_parameter) {
    return ms_fail(c->ctx, MS_ERR_ARGUMENT, "%td numbers do not determine %td parameters",
                   c->n_residual, c->n_parameter);
  }
  return make_model(c, structure, parameter);
}

ms_status ms_calibration_create(ms_structure *structure, ptrdiff_t n_parameter,
                                const ms_free_parameter *parameter, ptrdiff_t n_target,
                                const ms_target *target, ms_calibration **out) {
  ms_context *ctx = structure ? structure->ctx : NULL;
  ms_calibration *c;
  MS_MAKE(ctx, out, parameter && target);
  if (n_target < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "a calibration needs a target");
  MS_TRY(ms_allocate(ctx, 1, sizeof *c, &c));
  *c = (ms_calibration) { .ctx = ctx, .n_parameter = n_parameter, .n_target = n_target };
  ms_status status = fill(c, structure, parameter, target);
  if (status != MS_SUCCESS) {
    ms_calibration_destroy(&c);
    return status;
  }
  *out = c;
  return MS_SUCCESS;
}

ptrdiff_t ms_calibration_count_residuals(const ms_calibration *c) {
  return c->n_residual;
}

ms_target ms_calibration_target(const ms_calibration *c, ptrdiff_t k) {
  return c->target[k].is;
}

ms_curve_values ms_calibration_curve(const ms_calibration *c, ptrdiff_t k) {
  return ms_backbone_model_curve(c->model, k);
}

/* ---- evaluation ---- */

/* Says which rows of which target are out of reach. */
static ms_status eval_model(ms_calibration *c, const double *p, int derivatives) {
  ptrdiff_t k, i;
  ms_status status = ms_backbone_model_eval(c->model, p, derivatives);
  if (status != MS_NOT_CONVERGED) return status;
  ms_backbone_model_get_failure(c->model, &k, &i);
  if (k < 0) return status;
  const ms_target *t = &c->target[k].is;
  return ms_fail_at(c->ctx, status, "%s: %td rows from row %d (q = %g) on are out of reach",
                    t->name, t->n - i, t->row[i], t->q[i]);
}

static const double *zeta_of(const ms_target *t, const ms_curve_values *v) {
  return t->joint_part ? v->zeta_joint : v->zeta;
}

static void fill_residuals(const own_target *target, const ms_curve_values *v, double *r) {
  const ms_target *t = &target->is;
  const double *zeta = zeta_of(t, v);
  const double w = sqrt(t->weight_omega) / target->shift, wz = sqrt(t->weight_zeta);
  for (ptrdiff_t i = 0; i < t->n; i++) {
    r[i] = w * (v->omega[i] - t->omega[i]);
    r[t->n + i] = wz > 0.0 ? wz * log(fmax(zeta[i] / t->zeta[i], LEAST_ZETA)) : 0.0;
  }
}

/* Column of parameter j; J points at this target's rows. */
static void fill_slopes(const own_target *target, const ms_curve_values *v, ptrdiff_t j,
                        double *J) {
  const ms_target *t = &target->is;
  const double *zeta = zeta_of(t, v), *zeta_p = t->joint_part ? v->zeta_joint_p : v->zeta_p;
  const double w = sqrt(t->weight_omega) / target->shift, wz = sqrt(t->weight_zeta);
  for (ptrdiff_t i = 0; i < t->n; i++) {
    int held = !(zeta[i] / t->zeta[i] > LEAST_ZETA);
    J[i] = w * v->omega_p[i + t->n * j];
    J[t->n + i] = held || wz == 0.0 ? 0.0 : wz * zeta_p[i + t->n * j] / zeta[i];
  }
}

ms_status ms_calibration_eval(void *user, const double *p, double *r, double *jac) {
  ms_calibration *c = user;
  ptrdiff_t first = 0;
  MS_TRY(eval_model(c, p, jac != NULL));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const own_target *t = &c->target[k];
    const ms_curve_values v = ms_backbone_model_curve(c->model, k);
    fill_residuals(t, &v, r + first);
    for (ptrdiff_t j = 0; jac && j < c->n_parameter; j++) {
      fill_slopes(t, &v, j, jac + first + c->n_residual * j);
    }
    first += 2 * t->is.n;
  }
  return MS_SUCCESS;
}

static double mean_square(ptrdiff_t n, const double *model, const double *target) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double e = (model[i] - target[i]) / target[i];
    sum += e * e;
  }
  return sum / (double)n;
}

ms_status ms_calibration_objectives(ms_calibration *c, const double *p, double *f) {
  MS_TRY(eval_model(c, p, 0));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_target *t = &c->target[k].is;
    const ms_curve_values v = ms_backbone_model_curve(c->model, k);
    f[2 * k] = t->weight_omega > 0.0 ? mean_square(t->n, v.omega, t->omega) : 0.0;
    f[2 * k + 1] = t->weight_zeta > 0.0 ? mean_square(t->n, zeta_of(t, &v), t->zeta) : 0.0;
    if (isfinite(f[2 * k] + f[2 * k + 1])) continue;
    return ms_fail(c->ctx, MS_NOT_CONVERGED, "%s: the misfit is not finite", t->name);
  }
  return MS_SUCCESS;
}
