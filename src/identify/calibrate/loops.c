/* Measured loops: the law driven along the measured displacement, forces compared. */
#include <math.h>
#include <microslip/joint_target.h>
#include <string.h>

#include "core/internal.h"
#include "identify/calibrate/free_parameters.h"
#include "joint/impl.h"
#include "structure/impl.h"

typedef struct own_loop {
  char *name;
  ms_loop_target is;
  double *store; /* u, force, t, and the model's force */
  int *row;
  ms_joint *joint;
  double range; /* of the target's force */
} own_loop;

struct ms_loops {
  ms_context *ctx;
  ptrdiff_t n_parameter, n_target, n_residual;
  own_loop *loop;
  ms_places places;
  double *slope; /* of the force on every axis, by the parameters */
  double *room;
  int by_differences;
};

/* ---- targets ---- */

static int row_of(const ms_loop_target *t, ptrdiff_t i) {
  return t->row ? t->row[i] : (int)i + 1;
}

static const char *name_of(const ms_loop_target *t) {
  return t->name ? t->name : "target";
}

static double range_of(ptrdiff_t n, const double *x) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (ptrdiff_t i = 0; i < n; i++) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  return high - low;
}

static ms_status check_rows(ms_context *ctx, const ms_loop_target *t) {
  for (ptrdiff_t i = 0; i < t->n; i++) {
    const double time = t->t ? t->t[i] : 0.0;
    if (!isfinite(t->u[i] + t->force[i] + time)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "%s: row %d is not finite", name_of(t), row_of(t, i));
    }
    if (!t->t || i == 0 || time > t->t[i - 1]) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: time does not rise in row %d: %g after %g", name_of(t),
                   row_of(t, i), time, t->t[i - 1]);
  }
  return MS_SUCCESS;
}

static ms_status check_target(ms_context *ctx, const ms_loop_target *t, const ms_joint *joint) {
  if (!joint) return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: no joint %d", name_of(t), t->joint);
  if (t->n < MS_LOOP_LEAST) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: a loop has %td points; it takes %d", name_of(t), t->n,
                   MS_LOOP_LEAST);
  }
  if (!(t->weight > 0.0 && t->weight < HUGE_VAL) || t->laps < 1) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: weight %g must be > 0, laps %d >= 1", name_of(t),
                   t->weight, t->laps);
  }
  MS_TRY(check_rows(ctx, t));
  if (!(range_of(t->n, t->u) > 0.0 && range_of(t->n, t->force) > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: %s is the same in all rows", name_of(t),
                   range_of(t->n, t->u) > 0.0 ? "force" : "displacement");
  }
  if (t->t || !(joint->law->info.flags & MS_LAW_RATE)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: law %s knows time; the loop needs a column of it",
                 name_of(t), joint->law->info.name);
}

static ms_status take_loop(ms_context *ctx, ms_structure *structure, const ms_loop_target *from,
                           own_loop *to) {
  const ptrdiff_t n = from->n;
  to->joint = ms_structure_get_joint(structure, from->joint);
  MS_TRY(check_target(ctx, from, to->joint));
  MS_TRY(ms_text_copy(ctx, name_of(from), &to->name));
  MS_TRY(ms_allocate(ctx, 4 * n, sizeof *to->store, &to->store));
  MS_TRY(ms_allocate(ctx, n, sizeof *to->row, &to->row));
  memcpy(to->store, from->u, (size_t)n * sizeof *to->store);
  memcpy(to->store + n, from->force, (size_t)n * sizeof *to->store);
  if (from->t) memcpy(to->store + 2 * n, from->t, (size_t)n * sizeof *to->store);
  for (ptrdiff_t i = 0; i < n; i++) to->row[i] = row_of(from, i);
  to->is = *from;
  to->is.name = to->name;
  to->is.u = to->store;
  to->is.force = to->store + n;
  to->is.t = from->t ? to->store + 2 * n : NULL;
  to->is.row = to->row;
  to->range = range_of(n, from->force);
  return MS_SUCCESS;
}

/* ---- life ---- */

void ms_loops_destroy(ms_loops **loops) {
  if (!loops || !*loops) return;
  ms_loops *l = *loops;
  ms_places_free(&l->places);
  for (ptrdiff_t k = 0; l->loop && k < l->n_target; k++) {
    ms_free(l->ctx, &l->loop[k].name);
    ms_free(l->ctx, &l->loop[k].store);
    ms_free(l->ctx, &l->loop[k].row);
  }
  ms_free(l->ctx, &l->loop);
  ms_free(l->ctx, &l->slope);
  ms_free(l->ctx, &l->room);
  ms_free(l->ctx, loops);
}

static ms_status fill(ms_loops *l, ms_structure *structure, const ms_free_parameter *parameter,
                      const ms_loop_target *target) {
  MS_TRY(ms_allocate(l->ctx, l->n_target, sizeof *l->loop, &l->loop));
  MS_TRY(ms_places_take(structure, l->n_parameter, parameter, &l->places));
  for (ptrdiff_t k = 0; k < l->n_target; k++) {
    MS_TRY(take_loop(l->ctx, structure, &target[k], &l->loop[k]));
    l->n_residual += target[k].n;
  }
  MS_TRY(ms_allocate(l->ctx, MS_JOINT_MAX_AXIS * l->n_parameter, sizeof *l->slope, &l->slope));
  return ms_allocate(l->ctx, l->n_residual + l->n_parameter, sizeof *l->room, &l->room);
}

ms_status ms_loops_create(ms_structure *structure, ptrdiff_t n_parameter,
                          const ms_free_parameter *parameter, ptrdiff_t n_target,
                          const ms_loop_target *target, ms_loops **out) {
  ms_context *ctx = structure ? structure->ctx : NULL;
  ms_loops *l;
  MS_MAKE(ctx, out, parameter && target);
  if (n_parameter < 1 || n_target < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "loops need a parameter and a target");
  }
  MS_TRY(ms_allocate(ctx, 1, sizeof *l, &l));
  *l = (ms_loops) { .ctx = ctx, .n_parameter = n_parameter, .n_target = n_target };
  ms_status status = fill(l, structure, parameter, target);
  if (status != MS_SUCCESS) {
    ms_loops_destroy(&l);
    return status;
  }
  *out = l;
  return MS_SUCCESS;
}

ptrdiff_t ms_loops_count_residuals(const ms_loops *l) {
  return l->n_residual;
}

ptrdiff_t ms_loops_count_targets(const ms_loops *l) {
  return l->n_target;
}

ms_loop_target ms_loops_target(const ms_loops *l, ptrdiff_t k) {
  return l->loop[k].is;
}

const double *ms_loops_force(const ms_loops *l, ptrdiff_t k, double *range) {
  *range = l->loop[k].range;
  return l->loop[k].store + 3 * l->loop[k].is.n;
}

int ms_loops_by_differences(const ms_loops *l) {
  return l->by_differences;
}

/* ---- values ---- */

/* Row i; from the end of one lap to the start of the next it takes a mean step. */
static ms_joint_input input_at(const ms_loop_target *t, int lap, ptrdiff_t i) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  const double before = i > 0 ? t->u[i - 1] : lap > 0 ? t->u[t->n - 1] : 0.0;
  in.u[0] = t->u[i];
  if (!t->t || (i == 0 && lap == 0)) return in;
  in.dt = i > 0 ? t->t[i] - t->t[i - 1] : (t->t[t->n - 1] - t->t[0]) / (double)(t->n - 1);
  in.v[0] = (in.u[0] - before) / in.dt;
  return in;
}

/* Where the tangent is, its joint is stepped with it; slope[i + n_residual*j] is written. */
static ms_status drive(const ms_loops *l, own_loop *x, ms_tangent *tangent, double *slope) {
  const ms_loop_target *t = &x->is;
  double *force = x->store + 3 * t->n;
  ms_joint_output out;
  MS_TRY(tangent ? ms_tangent_start(tangent, NULL, NULL) : ms_joint_start(x->joint, NULL));
  for (int lap = 0; lap < t->laps; lap++) {
    for (ptrdiff_t i = 0; i < t->n; i++) {
      const ms_joint_input in = input_at(t, lap, i);
      const ms_tangent_input none = { NULL, NULL, NULL, NULL, NULL };
      MS_TRY(tangent ? ms_tangent_step(tangent, &in, &none, &out, l->slope)
                     : ms_joint_step(x->joint, &in, &out));
      force[i] = out.force[0];
      if (!isfinite(force[i])) {
        return ms_fail(l->ctx, MS_ERR_NUMERIC, "%s: the force in row %d is not finite", t->name,
                       t->row[i]);
      }
      for (ptrdiff_t j = 0; tangent && j < l->n_parameter; j++) {
        slope[i + l->n_residual * j] = l->slope[j];
      }
    }
  }
  return MS_SUCCESS;
}

static ms_status eval_all(ms_loops *l, const double *p) {
  ms_status status = ms_places_set(&l->places, p);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < l->n_target; k++) {
    status = drive(l, &l->loop[k], NULL, NULL);
  }
  return ms_places_soften(status);
}

static void fill_residuals(const ms_loops *l, double *r) {
  for (ptrdiff_t k = 0; k < l->n_target; r += l->loop[k++].is.n) {
    const own_loop *x = &l->loop[k];
    const double *force = x->store + 3 * x->is.n, w = sqrt(x->is.weight) / x->range;
    for (ptrdiff_t i = 0; i < x->is.n; i++) r[i] = w * (force[i] - x->is.force[i]);
  }
}

static ms_status eval_residuals(void *user, const double *p, double *r, double *jac) {
  ms_loops *l = user;
  (void)jac;
  MS_TRY(eval_all(l, p));
  fill_residuals(l, r);
  return MS_SUCCESS;
}

/* ---- derivatives ---- */

/* Directions are the free parameters; those of other joints move nothing here. */
static ms_status aim(const ms_loops *l, const own_loop *x, ms_tangent *tangent) {
  const int members = ms_joint_count_members(x->joint);
  for (ptrdiff_t j = 0; j < l->places.n; j++) {
    const ms_placed_parameter *p = &l->places.parameter[j];
    for (ptrdiff_t k = 0; k < p->n_place; k++) {
      const ms_place *at = &p->place[k];
      if (at->index != x->is.joint) continue;
      MS_TRY(ms_tangent_set_parameter(
          members > 0 ? ms_tangent_get_member(tangent, at->member) : tangent, j, at->param));
    }
  }
  return MS_SUCCESS;
}

/* MS_ERR_ARGUMENT where the law cannot carry the derivatives. The joint's parameters are new, and a
   tangent is of one set of them. */
static ms_status differentiate(const ms_loops *l, own_loop *x, double *J) {
  ms_tangent *tangent;
  const double w = sqrt(x->is.weight) / x->range;
  MS_TRY(ms_tangent_create(x->joint, l->n_parameter, &tangent));
  ms_status status = aim(l, x, tangent);
  if (status == MS_SUCCESS) status = drive(l, x, tangent, J);
  ms_tangent_destroy(&tangent);
  for (ptrdiff_t j = 0; status == MS_SUCCESS && j < l->n_parameter; j++) {
    for (ptrdiff_t i = 0; i < x->is.n; i++) J[i + l->n_residual * j] *= w;
  }
  return status;
}

ms_status ms_loops_eval(void *user, const double *p, double *r, double *jac) {
  ms_loops *l = user;
  ptrdiff_t first = 0;
  if (!jac) return eval_residuals(l, p, r, NULL);
  ms_status status = ms_places_set(&l->places, p);
  MS_TRY(ms_places_soften(status));
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < l->n_target; first += l->loop[k++].is.n) {
    status = differentiate(l, &l->loop[k], jac + first);
  }
  l->by_differences = status == MS_ERR_ARGUMENT;
  if (l->by_differences) {
    ms_context_clear_message(l->ctx);
    return ms_places_differ(eval_residuals, l, l->n_parameter, l->n_residual, p, l->room, r, jac);
  }
  if (status == MS_SUCCESS) fill_residuals(l, r);
  return ms_places_soften(status);
}

ms_status ms_loops_objectives(ms_loops *l, const double *p, double *f) {
  MS_TRY(eval_all(l, p));
  for (ptrdiff_t k = 0; k < l->n_target; k++) {
    const own_loop *x = &l->loop[k];
    const double *force = x->store + 3 * x->is.n;
    f[k] = 0.0;
    for (ptrdiff_t i = 0; i < x->is.n; i++) {
      const double e = (force[i] - x->is.force[i]) / x->range;
      f[k] += e * e / (double)x->is.n;
    }
    if (isfinite(f[k])) continue;
    return ms_fail(l->ctx, MS_NOT_CONVERGED, "%s: the misfit is not finite", x->is.name);
  }
  return MS_SUCCESS;
}
