/* Targets that are measured loops: the law driven along the measured displacement, forces compared.
 */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/calibrate/residuals.h"
#include "joint/impl.h"
#include "structure/impl.h"

typedef struct loops {
  ms_residuals is;
  ms_joint **joint; /* of each target */
  double *slope;    /* of the force on every axis, by the parameters */
} loops;

/* ---- targets ---- */

static ms_status check_rows(ms_context *ctx, const ms_target *t) {
  const double *time = t->y[1];
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (!isfinite(t->x[i] + t->y[0][i] + (time ? time[i] : 0.0))) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "%s: row %d is not finite", ms_points_name(t),
                     ms_points_row(t, i));
    }
    if (!time || i == 0 || time[i] > time[i - 1]) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: time does not rise in row %d: %g after %g",
                   ms_points_name(t), ms_points_row(t, i), time[i], time[i - 1]);
  }
  return MS_SUCCESS;
}

static ms_status check(ms_structure *structure, const ms_target *t) {
  ms_context *ctx = structure->ctx;
  const char *name = ms_points_name(t);
  const ms_joint *joint = ms_structure_get_joint(structure, t->is.loop.joint);
  if (!joint) return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: no joint %d", name, t->is.loop.joint);
  if (t->n < MS_LOOP_LEAST) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: a loop has %td points; it takes %d", name, t->n,
                   MS_LOOP_LEAST);
  }
  if (!(t->weight[0] > 0.0 && t->weight[0] < HUGE_VAL) || t->is.loop.cycles < 1) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: weight %g must be > 0, cycles %d >= 1", name,
                   t->weight[0], t->is.loop.cycles);
  }
  MS_TRY(check_rows(ctx, t));
  const int moves = ms_points_range(t->n, t->x) > 0.0;
  if (!(moves && ms_points_range(t->n, t->y[0]) > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: %s is the same in all rows", name,
                   moves ? "force" : "displacement");
  }
  if (t->y[1] || !(joint->law->info.flags & MS_LAW_RATE)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: law %s knows time; the loop needs a column of it", name,
                 joint->law->info.name);
}

/* The fourth column is the model's force. */
static ms_status take(ms_residuals *self, const ms_target *from, ms_own_target *to) {
  const ptrdiff_t n = from->n;
  const double *column[3] = { from->x, from->y[0], from->y[1] };
  MS_TRY(ms_points_reserve(self->ctx, n, 4, to));
  for (int c = 0; c < 3; c++) {
    if (column[c]) memcpy(to->store + n * c, column[c], (size_t)n * sizeof *to->store);
  }
  for (ptrdiff_t i = 0; i < n; i++) to->row[i] = ms_points_row(from, i);
  if (!from->y[1]) to->is.y[1] = NULL;
  to->view.target[1] = NULL;
  to->view.model[0] = to->store + 3 * n;
  to->view.scale[0] = ms_points_range(n, from->y[0]);
  return MS_SUCCESS;
}

static void close_loops(ms_residuals *self) {
  ms_free(self->ctx, &((loops *)self)->joint);
  ms_free(self->ctx, &((loops *)self)->slope);
}

static ms_status open_loops(ms_residuals *self, ms_structure *structure,
                            const ms_free_parameter *parameter) {
  loops *l = (loops *)self;
  MS_TRY(ms_places_take(structure, self->n_parameter, parameter, &self->places));
  MS_TRY(ms_allocate(self->ctx, self->n_target, sizeof *l->joint, &l->joint));
  for (ptrdiff_t k = 0; k < self->n_target; k++) {
    l->joint[k] = ms_structure_get_joint(structure, self->target[k].is.is.loop.joint);
  }
  return ms_allocate(self->ctx, MS_JOINT_MAX_AXIS * self->n_parameter, sizeof *l->slope, &l->slope);
}

/* ---- values ---- */

/* Row i; from the end of one cycle to the start of the next it takes a mean step. */
static ms_joint_input input_at(const ms_target *t, int cycle, ptrdiff_t i) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  const double *u = t->x, *time = t->y[1];
  const double before = i > 0 ? u[i - 1] : cycle > 0 ? u[t->n - 1] : 0.0;
  in.u[0] = u[i];
  if (!time || (i == 0 && cycle == 0)) return in;
  in.dt = i > 0 ? time[i] - time[i - 1] : (time[t->n - 1] - time[0]) / (double)(t->n - 1);
  in.v[0] = (in.u[0] - before) / in.dt;
  return in;
}

/* Where the tangent is, its joint is stepped with it; slope[i + n_residual*j] is written. */
static ms_status drive(const loops *l, ptrdiff_t k, ms_tangent *tangent, double *slope) {
  const ms_target *t = &l->is.target[k].is;
  double *force = l->is.target[k].store + 3 * t->n;
  ms_joint_output out;
  MS_TRY(tangent ? ms_tangent_start(tangent, NULL, NULL) : ms_joint_start(l->joint[k], NULL));
  for (int cycle = 0; cycle < t->is.loop.cycles; cycle++) {
    for (ptrdiff_t i = 0; i < t->n; i++) {
      const ms_joint_input in = input_at(t, cycle, i);
      const ms_tangent_input none = { NULL, NULL, NULL, NULL, NULL };
      MS_TRY(tangent ? ms_tangent_step(tangent, &in, &none, &out, l->slope)
                     : ms_joint_step(l->joint[k], &in, &out));
      force[i] = out.force[0];
      if (!isfinite(force[i])) {
        return ms_fail(l->is.ctx, MS_ERR_NUMERIC, "%s: the force in row %d is not finite", t->name,
                       t->row[i]);
      }
      for (ptrdiff_t j = 0; tangent && j < l->is.n_parameter; j++) {
        slope[i + l->is.n_residual * j] = l->slope[j];
      }
    }
  }
  return MS_SUCCESS;
}

static ms_status run(ms_residuals *self, const double *p) {
  ms_status status = ms_places_set(&self->places, p);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < self->n_target; k++) {
    status = drive((loops *)self, k, NULL, NULL);
  }
  return ms_places_soften(status);
}

static double weight_of(const ms_own_target *t) {
  return sqrt(t->is.weight[0]) / t->view.scale[0];
}

static void fill(const ms_residuals *self, ptrdiff_t k, double *r) {
  const ms_own_target *t = &self->target[k];
  const double *force = t->view.model[0], w = weight_of(t);
  for (ptrdiff_t i = 0; i < t->is.n; i++) r[i] = w * (force[i] - t->is.y[0][i]);
}

static double misfit(const ms_residuals *self, ptrdiff_t k, int quantity) {
  const ms_target_view *v = &self->target[k].view;
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < v->n; i++) {
    const double e = (v->model[quantity][i] - v->target[quantity][i]) / v->scale[quantity];
    sum += e * e / (double)v->n;
  }
  return sum;
}

/* ---- derivatives ---- */

/* Directions are the free parameters; those of other joints move nothing here. */
static ms_status aim(const loops *l, ptrdiff_t k, ms_tangent *tangent) {
  const int members = ms_joint_count_members(l->joint[k]);
  for (ptrdiff_t j = 0; j < l->is.places.n; j++) {
    const ms_placed_parameter *p = &l->is.places.parameter[j];
    for (ptrdiff_t i = 0; i < p->n_place; i++) {
      const ms_place *at = &p->place[i];
      if (at->index != l->is.target[k].is.is.loop.joint) continue;
      MS_TRY(ms_tangent_set_parameter(
          members > 0 ? ms_tangent_get_member(tangent, at->member) : tangent, j, at->param));
    }
  }
  return MS_SUCCESS;
}

/* MS_ERR_ARGUMENT where the law cannot carry the derivatives. The joint's parameters are new, and a
   tangent is of one set of them. */
static ms_status fill_slopes(const loops *l, ptrdiff_t k, double *J) {
  const ms_own_target *t = &l->is.target[k];
  const double w = weight_of(t);
  ms_tangent *tangent;
  MS_TRY(ms_tangent_create(l->joint[k], l->is.n_parameter, &tangent));
  ms_status status = aim(l, k, tangent);
  if (status == MS_SUCCESS) status = drive(l, k, tangent, J);
  ms_tangent_destroy(&tangent);
  for (ptrdiff_t j = 0; status == MS_SUCCESS && j < l->is.n_parameter; j++) {
    for (ptrdiff_t i = 0; i < t->is.n; i++) J[i + l->is.n_residual * j] *= w;
  }
  return status;
}

static ms_status differentiate(ms_residuals *self, const double *p, double *r, double *jac) {
  ms_status status = ms_places_set(&self->places, p);
  MS_TRY(ms_places_soften(status));
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < self->n_target; k++) {
    const ptrdiff_t first = ms_residuals_first(self, k);
    status = fill_slopes((loops *)self, k, jac + first);
    if (status == MS_SUCCESS) fill(self, k, r + first);
  }
  self->by_differences = status == MS_ERR_ARGUMENT;
  if (self->by_differences) {
    ms_context_clear_message(self->ctx);
    return ms_places_differ(ms_residuals_eval, self, self->n_parameter, self->n_residual, p,
                            self->scratch, r, jac);
  }
  return ms_places_soften(status);
}

const ms_residual_kind ms_loop_residuals = {
  .quantity = { "force", NULL },
  .column = { "displacement", "force", "time" },
  .size = sizeof(loops),
  .check = check,
  .take = take,
  .open = open_loops,
  .close = close_loops,
  .run = run,
  .fill = fill,
  .differentiate = differentiate,
  .misfit = misfit,
};
