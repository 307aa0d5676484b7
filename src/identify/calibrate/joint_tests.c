/* Targets that are tests of one joint: stiffness and loss per cycle against force.

   At force F the amplitude u solves F(u) = F; k = F/u and D = D(u). With closed forms

     du/dp = -F_p/F',   d ln k/dp = F_p/(F' u),   dD/dp = D_p + D' du/dp

   in a parameter p of the joint; else differences are taken. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/calibrate/joint_cycle.h"
#include "identify/calibrate/residuals.h"
#include "joint/gradient.h"
#include "structure/impl.h"

typedef struct own_test {
  ms_joint *joint;
  double *u, *stiffness, *loss, *slope; /* of the model, in one block at u */
} own_test;

typedef struct joint_tests {
  ms_residuals is;
  own_test *test;
  ms_joint_gradient *gradient; /* as many as the joint with the most numbers has */
  double *cycle;
} joint_tests;

/* ---- targets ---- */

static ms_status check(ms_structure *structure, const ms_target *t) {
  ms_context *ctx = structure->ctx;
  const ms_joint_test_option *o = &t->is.test;
  const char *name = ms_points_name(t);
  const ms_joint *joint = ms_structure_get_joint(structure, o->joint);
  if (!joint) return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: there is no joint %d", name, o->joint);
  if (!(o->omega >= 0.0 && o->omega < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: frequency %g must be >= 0", name, o->omega);
  }
  if (o->omega == 0.0 && !ms_joint_has_closed_cycle(joint) &&
      (joint->law->info.flags & MS_LAW_RATE)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%s: law %s knows time; the test needs the frequency of its cycles", name,
                   joint->law->info.name);
  }
  return ms_points_check(ctx, t, ms_joint_test_residuals.column);
}

static void close_tests(ms_residuals *self) {
  joint_tests *t = (joint_tests *)self;
  for (ptrdiff_t k = 0; t->test && k < self->n_target; k++) ms_free(self->ctx, &t->test[k].u);
  ms_free(self->ctx, &t->test);
  ms_free(self->ctx, &t->gradient);
  ms_free(self->ctx, &t->cycle);
}

static ms_status open_test(const ms_residuals *self, ms_structure *structure, ms_own_target *t,
                           own_test *x) {
  const ptrdiff_t n = t->is.n;
  x->joint = ms_structure_get_joint(structure, t->is.is.test.joint);
  MS_TRY(ms_allocate(self->ctx, 4 * n, sizeof *x->u, &x->u));
  x->stiffness = x->u + n;
  x->loss = x->u + 2 * n;
  x->slope = x->u + 3 * n;
  t->view.model[0] = x->stiffness;
  t->view.model[1] = x->loss;
  return MS_SUCCESS;
}

static ms_status open_tests(ms_residuals *self, ms_structure *structure,
                            const ms_free_parameter *parameter) {
  joint_tests *t = (joint_tests *)self;
  ptrdiff_t most = 1;
  MS_TRY(ms_places_take(structure, self->n_parameter, parameter, &self->places));
  MS_TRY(ms_allocate(self->ctx, self->n_target, sizeof *t->test, &t->test));
  for (ptrdiff_t k = 0; k < self->n_target; k++) {
    MS_TRY(open_test(self, structure, &self->target[k], &t->test[k]));
    const int numbers = ms_joint_count_gradient(t->test[k].joint);
    most = numbers > most ? numbers : most;
  }
  MS_TRY(ms_allocate(self->ctx, most, sizeof *t->gradient, &t->gradient));
  return ms_allocate(self->ctx, MS_JOINT_CYCLE_POINTS + 1, sizeof *t->cycle, &t->cycle);
}

/* ---- values ---- */

static ms_status eval_point(const joint_tests *t, ptrdiff_t k, ptrdiff_t i) {
  const ms_target *is = &t->is.target[k].is;
  const own_test *x = &t->test[k];
  const double force = is->x[i];
  double *residual = &t->is.target[k].view.residual;
  ms_joint_at_force at;
  ms_status status =
      ms_joint_find_cycle(x->joint, force, is->is.test.omega, force / is->y[0][i], t->cycle, &at);
  if (status == MS_NOT_CONVERGED) {
    return ms_fail_at(t->is.ctx, status, "%s: %td rows from row %d (force %g) on are out of reach",
                      is->name, is->n - i, is->row[i], force);
  }
  MS_TRY(status);
  x->u[i] = at.u;
  x->stiffness[i] = force / at.u;
  x->loss[i] = at.loss;
  x->slope[i] = at.slope;
  *residual = fmax(*residual, at.residual);
  return MS_SUCCESS;
}

static ms_status run(ms_residuals *self, const double *p) {
  ms_status status = ms_places_set(&self->places, p);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < self->n_target; k++) {
    self->target[k].view.residual = 0.0;
    for (ptrdiff_t i = 0; status == MS_SUCCESS && i < self->target[k].is.n; i++) {
      status = eval_point((joint_tests *)self, k, i);
    }
  }
  return ms_places_soften(status);
}

static void fill(const ms_residuals *self, ptrdiff_t k, double *r) {
  const ms_target *t = &self->target[k].is;
  const own_test *x = &((const joint_tests *)self)->test[k];
  const double wk = sqrt(t->weight[0]), wd = sqrt(t->weight[1]);
  for (ptrdiff_t i = 0; i < t->n; i++) {
    r[i] = wk * log(x->stiffness[i] / t->y[0][i]);
    r[t->n + i] =
        wd > 0.0 ? wd * log(fmax(x->loss[i] / t->y[1][i], ms_identify_tol.least_loss)) : 0.0;
  }
}

/* ---- derivatives ---- */

/* The free parameter that a number of joint `index` belongs to, -1 if none. */
static ptrdiff_t owner_of(const ms_places *places, int index, const ms_joint_gradient *g) {
  for (ptrdiff_t j = 0; j < places->n; j++) {
    for (ptrdiff_t k = 0; k < places->parameter[j].n_place; k++) {
      const ms_place *at = &places->parameter[j].place[k];
      if (at->index == index && at->member == g->member && strcmp(at->param, g->param->name) == 0)
        return j;
    }
  }
  return -1;
}

/* Adds the derivatives of point i by all numbers of the joint; J points at the target's rows. */
static ms_status add_slopes(const joint_tests *t, ptrdiff_t k, ptrdiff_t i, double *J) {
  const ms_target *is = &t->is.target[k].is;
  const own_test *x = &t->test[k];
  const double u = x->u[i], D = x->loss[i], omega = is->is.test.omega;
  const double D_u = ms_joint_loss_slope(x->joint, u, omega);
  const double wk = sqrt(is->weight[0]), wd = sqrt(is->weight[1]);
  const int held = wd == 0.0 || !(D / is->y[1][i] > ms_identify_tol.least_loss);
  MS_TRY(ms_joint_fill_gradient(x->joint, u, omega, t->gradient));
  for (int g = 0; g < ms_joint_count_gradient(x->joint); g++) {
    const ms_joint_gradient *d = &t->gradient[g];
    const ptrdiff_t j = owner_of(&t->is.places, is->is.test.joint, d);
    if (j < 0) continue;
    const double du = -d->d.force / x->slope[i];
    J[i + t->is.n_residual * j] -= wk * du / u;
    if (!held) J[is->n + i + t->is.n_residual * j] += wd * (d->d.loss + D_u * du) / D;
  }
  return MS_SUCCESS;
}

/* Laws with closed forms of the derivatives too, on one axis. */
static int is_exact(const ms_joint *joint) {
  const int members = ms_joint_count_members(joint);
  if (!ms_joint_has_closed_cycle(joint)) return 0;
  for (int i = 0; i < (members > 0 ? members : 1); i++) {
    const ms_joint *law = members > 0 ? ms_joint_get_member(joint, i) : joint;
    if (!law->law->gradient || law->law->info.n_axis > 1) return 0;
  }
  return joint->law->info.n_axis == 1;
}

static ms_status differentiate(ms_residuals *self, const double *p, double *r, double *jac) {
  const joint_tests *t = (joint_tests *)self;
  MS_TRY(ms_residuals_eval(self, p, r, NULL));
  self->by_differences = 0;
  for (ptrdiff_t k = 0; k < self->n_target; k++)
    self->by_differences |= !is_exact(t->test[k].joint);
  if (self->by_differences) {
    return ms_places_differ(ms_residuals_eval, self, self->n_parameter, self->n_residual, p,
                            self->scratch, r, jac);
  }
  memset(jac, 0, (size_t)(self->n_residual * self->n_parameter) * sizeof *jac);
  for (ptrdiff_t k = 0; k < self->n_target; k++) {
    for (ptrdiff_t i = 0; i < self->target[k].is.n; i++) {
      MS_TRY(add_slopes(t, k, i, jac + ms_residuals_first(self, k)));
    }
  }
  return MS_SUCCESS;
}

const ms_residual_kind ms_joint_test_residuals = {
  .quantity = { "stiffness", "dissipation" },
  .column = { "force", "stiffness", "dissipation" },
  .size = sizeof(joint_tests),
  .check = check,
  .take = ms_points_take,
  .open = open_tests,
  .close = close_tests,
  .run = run,
  .fill = fill,
  .differentiate = differentiate,
};
