/* Targets that are curves of frequency and damping: a backbone model against them. */
#include <math.h>

#include "core/internal.h"
#include "identify/calibrate/residuals.h"
#include "structure/impl.h"

typedef struct curves {
  ms_residuals is;
  ms_backbone_model *model;
  double *shift; /* of each target's frequency */
} curves;

static ms_status check(ms_structure *structure, const ms_target *t) {
  return ms_points_check(structure->ctx, t, ms_curve_residuals.column);
}

static void close_curves(ms_residuals *self) {
  curves *c = (curves *)self;
  ms_backbone_model_destroy(&c->model);
  ms_free(self->ctx, &c->shift);
}

static ms_status open_curves(ms_residuals *self, ms_structure *structure,
                             const ms_free_parameter *parameter) {
  curves *c = (curves *)self;
  ms_curve_request *request;
  MS_TRY(ms_allocate(self->ctx, self->n_target, sizeof *c->shift, &c->shift));
  MS_TRY(ms_allocate(self->ctx, self->n_target, sizeof *request, &request));
  for (ptrdiff_t k = 0; k < self->n_target; k++) {
    const ms_target *t = &self->target[k].is;
    c->shift[k] = ms_points_shift(t->n, t->y[0]);
    request[k] = (ms_curve_request) { t->is.curve.mode, t->n, t->x };
  }
  ms_status status = ms_backbone_model_create(structure, self->n_parameter, parameter,
                                              self->n_target, request, &c->model);
  ms_free(self->ctx, &request);
  return status;
}

ms_curve_values ms_curve_residuals_get(const ms_residuals *self, ptrdiff_t k) {
  return ms_backbone_model_curve(((const curves *)self)->model, k);
}

/* ---- evaluation ---- */

/* Says which rows of which target are out of reach. */
static ms_status eval_model(ms_residuals *self, const double *p, int derivatives) {
  ms_backbone_model *model = ((curves *)self)->model;
  ptrdiff_t failed, i;
  ms_status status = ms_backbone_model_eval(model, p, derivatives);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < self->n_target; k++) {
    const ms_curve_values v = ms_backbone_model_curve(model, k);
    ms_own_target *t = &self->target[k];
    t->view.model[0] = v.omega;
    t->view.model[1] = t->is.is.curve.joint_part ? v.zeta_joint : v.zeta;
    t->view.residual = v.residual;
    self->by_differences = v.by_differences;
  }
  if (status != MS_NOT_CONVERGED) return status;
  ms_backbone_model_get_failure(model, &failed, &i);
  if (failed < 0) return status;
  const ms_target *t = &self->target[failed].is;
  return ms_fail_at(self->ctx, status, "%s: %td rows from row %d (q = %g) on are out of reach",
                    t->name, t->n - i, t->row[i], t->x[i]);
}

static ms_status run(ms_residuals *self, const double *p) {
  return eval_model(self, p, 0);
}

static void fill(const ms_residuals *self, ptrdiff_t k, double *r) {
  const ms_target *t = &self->target[k].is;
  const double *omega = self->target[k].view.model[0], *zeta = self->target[k].view.model[1];
  const double w = sqrt(t->weight[0]) / ((const curves *)self)->shift[k], wz = sqrt(t->weight[1]);
  for (ptrdiff_t i = 0; i < t->n; i++) {
    r[i] = w * (omega[i] - t->y[0][i]);
    r[t->n + i] = wz > 0.0 ? wz * log(fmax(zeta[i] / t->y[1][i], ms_identify_tol.least_loss)) : 0.0;
  }
}

/* Column of parameter j; J points at this target's rows. */
static void fill_slopes(const ms_residuals *self, ptrdiff_t k, ptrdiff_t j, double *J) {
  const ms_target *t = &self->target[k].is;
  const ms_curve_values v = ms_curve_residuals_get(self, k);
  const double *zeta = self->target[k].view.model[1];
  const double *zeta_p = t->is.curve.joint_part ? v.zeta_joint_p : v.zeta_p;
  const double w = sqrt(t->weight[0]) / ((const curves *)self)->shift[k], wz = sqrt(t->weight[1]);
  for (ptrdiff_t i = 0; i < t->n; i++) {
    const int held = !(zeta[i] / t->y[1][i] > ms_identify_tol.least_loss);
    J[i] = w * v.omega_p[i + t->n * j];
    J[t->n + i] = held || wz == 0.0 ? 0.0 : wz * zeta_p[i + t->n * j] / zeta[i];
  }
}

static ms_status differentiate(ms_residuals *self, const double *p, double *r, double *jac) {
  MS_TRY(eval_model(self, p, 1));
  for (ptrdiff_t k = 0; k < self->n_target; k++) {
    const ptrdiff_t first = ms_residuals_first(self, k);
    fill(self, k, r + first);
    for (ptrdiff_t j = 0; j < self->n_parameter; j++) {
      fill_slopes(self, k, j, jac + first + self->n_residual * j);
    }
  }
  return MS_SUCCESS;
}

const ms_residual_kind ms_curve_residuals = {
  .quantity = { "frequency", "damping" },
  .column = { "amplitude", "frequency", "damping" },
  .size = sizeof(curves),
  .check = check,
  .take = ms_points_take,
  .open = open_curves,
  .close = close_curves,
  .run = run,
  .fill = fill,
  .differentiate = differentiate,
};
