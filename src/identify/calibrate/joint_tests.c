/* Stiffness and loss per cycle against force, of one joint.

   At force F the amplitude u solves F(u) = F; k = F/u and D = D(u). With closed forms

     du/dp = -F_p/F',   d ln k/dp = F_p/(F' u),   dD/dp = D_p + D' du/dp

   in a parameter p of the joint; else differences are taken. */
#include <math.h>
#include <microslip/joint_target.h>
#include <string.h>

#include "core/internal.h"
#include "identify/calibrate/joint_cycle.h"
#include "identify/calibrate/free_parameters.h"
#include "identify/calibrate/target_points.h"
#include "joint/gradient.h"
#include "structure/impl.h"

typedef struct own_test {
  ms_joint_test is;
  ms_own_points points; /* force, stiffness, loss */
  ms_joint *joint;
  double *u, *stiffness, *loss, *slope; /* of the model, in one block at u */
  double residual;                      /* largest */
} own_test;

struct ms_joint_tests {
  ms_context *ctx;
  ptrdiff_t n_parameter, n_target, n_residual;
  own_test *test;
  ms_places places;
  ms_joint_gradient *gradient; /* as many as the joint with the most numbers has */
  double *cycle, *room;
  int by_differences;
};

/* ---- life ---- */

void ms_joint_tests_destroy(ms_joint_tests **tests) {
  if (!tests || !*tests) return;
  ms_joint_tests *t = *tests;
  ms_places_free(&t->places);
  for (ptrdiff_t k = 0; t->test && k < t->n_target; k++) {
    ms_point_set_free(t->ctx, &t->test[k].points);
    ms_free(t->ctx, &t->test[k].u);
  }
  ms_free(t->ctx, &t->test);
  ms_free(t->ctx, &t->gradient);
  ms_free(t->ctx, &t->cycle);
  ms_free(t->ctx, &t->room);
  ms_free(t->ctx, tests);
}

static ms_status check_joint(ms_context *ctx, ms_structure *structure, const ms_joint_test *from,
                             ms_joint **out) {
  const char *name = from->name ? from->name : "target";
  *out = ms_structure_get_joint(structure, from->joint);
  if (!*out) return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: there is no joint %d", name, from->joint);
  if (!(from->omega >= 0.0 && from->omega < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: frequency %g must be >= 0", name, from->omega);
  }
  if (from->omega > 0.0 || ms_joint_has_closed_cycle(*out) ||
      !((*out)->law->info.flags & MS_LAW_RATE)) {
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "%s: law %s knows time; the test needs the frequency of its cycles", name,
                 (*out)->law->info.name);
}

static ms_point_set points_of(const ms_joint_test *from) {
  return (ms_point_set) { .name = from->name,
                          .what = { "force", "stiffness", "dissipation" },
                          .n = from->n,
                          .column = { from->force, from->stiffness, from->loss },
                          .row = from->row,
                          .low = from->low,
                          .high = from->high,
                          .weight = { from->weight_stiffness, from->weight_loss } };
}

ms_status ms_joint_tests_check(ms_structure *structure, const ms_joint_test *test) {
  const ms_point_set set = points_of(test);
  ms_joint *joint;
  MS_TRY(check_joint(structure->ctx, structure, test, &joint));
  return ms_point_set_check(structure->ctx, &set);
}

static ms_status take_test(ms_context *ctx, ms_structure *structure, const ms_joint_test *from,
                           own_test *to) {
  const ms_point_set set = points_of(from);
  MS_TRY(check_joint(ctx, structure, from, &to->joint));
  MS_TRY(ms_point_set_take(ctx, &set, &to->points));
  const ptrdiff_t n = to->points.n;
  MS_TRY(ms_allocate(ctx, 4 * n, sizeof *to->u, &to->u));
  to->stiffness = to->u + n;
  to->loss = to->u + 2 * n;
  to->slope = to->u + 3 * n;
  to->is = *from;
  to->is.n = n;
  to->is.name = to->points.name;
  to->is.force = to->points.column[0];
  to->is.stiffness = to->points.column[1];
  to->is.loss = to->points.column[2];
  to->is.row = to->points.row;
  return MS_SUCCESS;
}

static ms_status fill(ms_joint_tests *t, ms_structure *structure,
                      const ms_free_parameter *parameter, const ms_joint_test *target) {
  ptrdiff_t most = 1;
  MS_TRY(ms_allocate(t->ctx, t->n_target, sizeof *t->test, &t->test));
  MS_TRY(ms_places_take(structure, t->n_parameter, parameter, &t->places));
  for (ptrdiff_t k = 0; k < t->n_target; k++) {
    MS_TRY(take_test(t->ctx, structure, &target[k], &t->test[k]));
    t->n_residual += 2 * t->test[k].is.n;
    const int numbers = ms_joint_count_gradient(t->test[k].joint);
    most = numbers > most ? numbers : most;
  }
  MS_TRY(ms_allocate(t->ctx, most, sizeof *t->gradient, &t->gradient));
  MS_TRY(ms_allocate(t->ctx, MS_JOINT_CYCLE_POINTS + 1, sizeof *t->cycle, &t->cycle));
  return ms_allocate(t->ctx, t->n_residual + t->n_parameter, sizeof *t->room, &t->room);
}

ms_status ms_joint_tests_create(ms_structure *structure, ptrdiff_t n_parameter,
                                const ms_free_parameter *parameter, ptrdiff_t n_target,
                                const ms_joint_test *target, ms_joint_tests **out) {
  ms_context *ctx = structure ? structure->ctx : NULL;
  ms_joint_tests *t;
  MS_MAKE(ctx, out, parameter && target);
  if (n_parameter < 1 || n_target < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "joint tests need a parameter and a target");
  }
  MS_TRY(ms_allocate(ctx, 1, sizeof *t, &t));
  *t = (ms_joint_tests) { .ctx = ctx, .n_parameter = n_parameter, .n_target = n_target };
  ms_status status = fill(t, structure, parameter, target);
  if (status != MS_SUCCESS) {
    ms_joint_tests_destroy(&t);
    return status;
  }
  *out = t;
  return MS_SUCCESS;
}

ptrdiff_t ms_joint_tests_count_residuals(const ms_joint_tests *t) {
  return t->n_residual;
}

ms_joint_test ms_joint_tests_target(const ms_joint_tests *t, ptrdiff_t k) {
  return t->test[k].is;
}

ms_joint_test_values ms_joint_tests_values(const ms_joint_tests *t, ptrdiff_t k) {
  const own_test *x = &t->test[k];
  return (ms_joint_test_values) { x->is.n, x->u,        x->stiffness,
                                  x->loss, x->residual, t->by_differences };
}

/* ---- values ---- */

static ms_status eval_point(const ms_joint_tests *t, own_test *x, ptrdiff_t i) {
  const ms_joint_test *is = &x->is;
  ms_joint_at_force at;
  ms_status status = ms_joint_find_cycle(x->joint, is->force[i], is->omega,
                                         is->force[i] / is->stiffness[i], t->cycle, &at);
  if (status == MS_NOT_CONVERGED) {
    return ms_fail_at(t->ctx, status, "%s: %td rows from row %d (force %g) on are out of reach",
                      is->name, is->n - i, is->row[i], is->force[i]);
  }
  MS_TRY(status);
  x->u[i] = at.u;
  x->stiffness[i] = is->force[i] / at.u;
  x->loss[i] = at.loss;
  x->slope[i] = at.slope;
  x->residual = fmax(x->residual, at.residual);
  return MS_SUCCESS;
}

static ms_status eval_all(ms_joint_tests *t, const double *p) {
  ms_status status = ms_places_set(&t->places, p);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < t->n_target; k++) {
    t->test[k].residual = 0.0;
    for (ptrdiff_t i = 0; status == MS_SUCCESS && i < t->test[k].is.n; i++) {
      status = eval_point(t, &t->test[k], i);
    }
  }
  return ms_places_soften(status);
}

static ms_status eval_residuals(void *user, const double *p, double *r, double *jac) {
  ms_joint_tests *t = user;
  (void)jac;
  MS_TRY(eval_all(t, p));
  for (ptrdiff_t k = 0; k < t->n_target; r += 2 * t->test[k++].is.n) {
    const own_test *x = &t->test[k];
    const double wk = sqrt(x->is.weight_stiffness), wd = sqrt(x->is.weight_loss);
    for (ptrdiff_t i = 0; i < x->is.n; i++) {
      r[i] = wk * log(x->stiffness[i] / x->is.stiffness[i]);
      r[x->is.n + i] =
          wd > 0.0 ? wd * log(fmax(x->loss[i] / x->is.loss[i], MS_POINT_SET_LEAST)) : 0.0;
    }
  }
  return MS_SUCCESS;
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
static ms_status add_slopes(const ms_joint_tests *t, const own_test *x, ptrdiff_t i, double *J) {
  const double u = x->u[i], D = x->loss[i];
  const double D_u = ms_joint_loss_slope(x->joint, u, x->is.omega);
  const double wk = sqrt(x->is.weight_stiffness), wd = sqrt(x->is.weight_loss);
  const int held = wd == 0.0 || !(D / x->is.loss[i] > MS_POINT_SET_LEAST);
  MS_TRY(ms_joint_fill_gradient(x->joint, u, x->is.omega, t->gradient));
  for (int g = 0; g < ms_joint_count_gradient(x->joint); g++) {
    const ms_joint_gradient *d = &t->gradient[g];
    const ptrdiff_t j = owner_of(&t->places, x->is.joint, d);
    if (j < 0) continue;
    const double du = -d->d.force / x->slope[i];
    J[i + t->n_residual * j] -= wk * du / u;
    if (!held) J[x->is.n + i + t->n_residual * j] += wd * (d->d.loss + D_u * du) / D;
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

ms_status ms_joint_tests_eval(void *user, const double *p, double *r, double *jac) {
  ms_joint_tests *t = user;
  MS_TRY(eval_residuals(t, p, r, NULL));
  if (!jac) return MS_SUCCESS;
  t->by_differences = 0;
  for (ptrdiff_t k = 0; k < t->n_target; k++) t->by_differences |= !is_exact(t->test[k].joint);
  if (t->by_differences) {
    return ms_places_differ(eval_residuals, t, t->n_parameter, t->n_residual, p, t->room, r, jac);
  }
  memset(jac, 0, (size_t)(t->n_residual * t->n_parameter) * sizeof *jac);
  for (ptrdiff_t k = 0; k < t->n_target; jac += 2 * t->test[k++].is.n) {
    for (ptrdiff_t i = 0; i < t->test[k].is.n; i++) MS_TRY(add_slopes(t, &t->test[k], i, jac));
  }
  return MS_SUCCESS;
}

ms_status ms_joint_tests_objectives(ms_joint_tests *t, const double *p, double *f) {
  MS_TRY(eval_all(t, p));
  for (ptrdiff_t k = 0; k < t->n_target; k++) {
    const own_test *x = &t->test[k];
    const ptrdiff_t n = x->is.n;
    f[2 * k] =
        x->is.weight_stiffness > 0.0 ? ms_point_set_misfit(n, x->stiffness, x->is.stiffness) : 0.0;
    f[2 * k + 1] = x->is.weight_loss > 0.0 ? ms_point_set_misfit(n, x->loss, x->is.loss) : 0.0;
    if (isfinite(f[2 * k] + f[2 * k + 1])) continue;
    return ms_fail(t->ctx, MS_NOT_CONVERGED, "%s: the misfit is not finite", x->is.name);
  }
  return MS_SUCCESS;
}
