/* Targets, and how far a backbone model is from them. */
#include <math.h>
#include <microslip/calibrate.h>

#include "core/internal.h"
#include "identify/calibrate/target_points.h"
#include "structure/impl.h"

#define LEAST_SHIFT 1e-4 /* of omega: a mode that does not shift is held to this */

typedef struct own_target {
  ms_target is;
  ms_own_points points; /* q, omega, zeta */
  double shift;
} own_target;

struct ms_calibration {
  ms_context *ctx;
  ptrdiff_t n_parameter, n_target, n_residual;
  own_target *target;
  ms_backbone_model *model;
};

/* ---- targets ---- */

static ms_status take_target(ms_context *ctx, const ms_target *from, own_target *to) {
  const ms_point_set set = { .name = from->name,
                             .what = { "amplitude", "frequency", "damping" },
                             .n = from->n,
                             .column = { from->q, from->omega, from->zeta },
                             .row = from->row,
                             .low = from->low,
                             .high = from->high,
                             .weight = { from->weight_omega, from->weight_zeta } };
  double low = HUGE_VAL, high = 0.0;
  MS_TRY(ms_point_set_take(ctx, &set, &to->points));
  to->is = *from;
  to->is.n = to->points.n;
  to->is.name = to->points.name;
  to->is.q = to->points.column[0];
  to->is.omega = to->points.column[1];
  to->is.zeta = to->points.column[2];
  to->is.row = to->points.row;
  for (ptrdiff_t i = 0; i < to->is.n; i++) {
    low = fmin(low, to->is.omega[i]);
    high = fmax(high, to->is.omega[i]);
  }
  to->shift = fmax(high - low, LEAST_SHIFT * high);
  return MS_SUCCESS;
}

/* ---- life ---- */

void ms_calibration_destroy(ms_calibration **calibration) {
  if (!calibration || !*calibration) return;
  ms_calibration *c = *calibration;
  ms_backbone_model_destroy(&c->model);
  for (ptrdiff_t k = 0; c->target && k < c->n_target; k++) {
    ms_point_set_free(c->ctx, &c->target[k].points);
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
    r[t->n + i] = wz > 0.0 ? wz * log(fmax(zeta[i] / t->zeta[i], MS_POINT_SET_LEAST)) : 0.0;
  }
}

/* Column of parameter j; J points at this target's rows. */
static void fill_slopes(const own_target *target, const ms_curve_values *v, ptrdiff_t j,
                        double *J) {
  const ms_target *t = &target->is;
  const double *zeta = zeta_of(t, v), *zeta_p = t->joint_part ? v->zeta_joint_p : v->zeta_p;
  const double w = sqrt(t->weight_omega) / target->shift, wz = sqrt(t->weight_zeta);
  for (ptrdiff_t i = 0; i < t->n; i++) {
    int held = !(zeta[i] / t->zeta[i] > MS_POINT_SET_LEAST);
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

ms_status ms_calibration_objectives(ms_calibration *c, const double *p, double *f) {
  MS_TRY(eval_model(c, p, 0));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_target *t = &c->target[k].is;
    const ms_curve_values v = ms_backbone_model_curve(c->model, k);
    f[2 * k] = t->weight_omega > 0.0 ? ms_point_set_misfit(t->n, v.omega, t->omega) : 0.0;
    f[2 * k + 1] = t->weight_zeta > 0.0 ? ms_point_set_misfit(t->n, zeta_of(t, &v), t->zeta) : 0.0;
    if (isfinite(f[2 * k] + f[2 * k + 1])) continue;
    return ms_fail(c->ctx, MS_NOT_CONVERGED, "%s: the misfit is not finite", t->name);
  }
  return MS_SUCCESS;
}
