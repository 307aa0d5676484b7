/* A joint cycled so that its force at the turning points is given.

     F(u) = (f(u) - f(-u))/2 on first loading f      closed forms: laws whose steady cycle has its
     D(u) = sum of the laws' losses                  turning points on the curve of first loading
     F(u), D(u) from steps round the steady cycle    every other law

   and the root of F(u) = F_given in a bracket grown by factors of two, by Newton's method where
   there are closed forms, else or where that leaves the bracket by the Illinois variant of the
   false position. */
#include "identify/calibrate/joint_cycle.h"
#include "identify/tolerance.h"

#include <math.h>

#include "joint/impl.h"

enum { MOST_DOUBLINGS = 200, MOST_STEPS = 200 };

/* ---- one amplitude ---- */

static int count_laws(const ms_joint *j) {
  int n = ms_joint_count_members(j);
  return n > 0 ? n : 1;
}

/* Law i if it works on the first axis, else NULL. */
static const ms_joint *law_at(const ms_joint *j, int i) {
  const int *axis;
  if (ms_joint_count_members(j) == 0) return j;
  const ms_joint *member = ms_parallel_member(j, i, &axis);
  return axis[0] == 0 || member->law->info.n_axis > 1 ? member : NULL;
}

/* Laws with `virgin` say whether their closed forms are those of their steps. */
static int is_closed(const ms_joint *j) {
  const ms_law *law = j->law;
  ms_virgin point;
  if (law->info.n_axis > 1 || !law->backbone || !law->cycle) return 0;
  return !law->virgin || law->virgin(j->model, 0.0, &point);
}

int ms_joint_has_closed_cycle(const ms_joint *joint) {
  for (int i = 0; i < count_laws(joint); i++) {
    const ms_joint *law = law_at(joint, i);
    if (law && !is_closed(law)) return 0;
  }
  return 1;
}

static void eval_closed(const ms_joint *joint, double u, ms_joint_at_force *out) {
  *out = (ms_joint_at_force) { .u = u };
  for (int i = 0; i < count_laws(joint); i++) {
    const ms_joint *law = law_at(joint, i);
    double up, down, up_slope, down_slope;
    if (!law) continue;
    law->law->backbone(law->model, u, &up, &up_slope);
    law->law->backbone(law->model, -u, &down, &down_slope);
    out->force += 0.5 * (up - down);
    out->slope += 0.5 * (up_slope + down_slope);
  }
}

static double closed_loss(const ms_joint *joint, double u, double omega) {
  double sum = 0.0;
  for (int i = 0; i < count_laws(joint); i++) {
    const ms_joint *law = law_at(joint, i);
    if (law) sum += law->law->cycle(law->model, u, omega);
  }
  return sum;
}

/* The loss as the law counts it, also for discrete sliders, whose closed form is the exact
   element's. */
static ms_status eval_stepped(ms_joint *j, double u, double omega, double *scratch,
                              ms_joint_at_force *out) {
  const ptrdiff_t n = MS_JOINT_CYCLE_POINTS;
  ms_joint_cycle cycle;
  MS_TRY(ms_joint_run_cycle(j, u, omega, n, NULL, scratch, &cycle));
  const int counted = j->law->energy && (j->law->info.flags & MS_LAW_MASING);
  *out = (ms_joint_at_force) { .u = u,
                               .force = 0.5 * (scratch[n] - scratch[n / 2]),
                               .loss = cycle.has_closed_form && !counted ? cycle.D_closed_form
                                                                         : cycle.D };
  return MS_SUCCESS;
}

typedef struct search {
  ms_joint *joint;
  double force, omega, *scratch;
  int closed;
} search;

static ms_status eval(const search *s, double u, ms_joint_at_force *out) {
  if (s->closed) {
    eval_closed(s->joint, u, out);
  } else {
    MS_TRY(eval_stepped(s->joint, u, s->omega, s->scratch, out));
  }
  out->residual = fabs(out->force / s->force - 1.0);
  if (isfinite(out->force) && isfinite(out->loss)) return MS_SUCCESS;
  return ms_fail(s->joint->ctx, MS_ERR_NUMERIC, "the cycle of amplitude %g is not finite", u);
}

/* ---- the root ---- */

static ms_status fail_reach(const search *s, double reached) {
  return ms_fail(s->joint->ctx, MS_NOT_CONVERGED,
                 "no cycle has the force %g N; the joint reaches %g N", s->force, reached);
}

/* The next amplitude further out, with one stop just before macroslip, where a law's force may have
   a peak that is soon over. */
static double further(const search *s, double u) {
  const double peak = (1.0 - ms_identify_tol.before_slip) * ms_joint_slip_scale(s->joint);
  return u < peak && 2.0 * u > peak ? peak : 2.0 * u;
}

/* low: force below the given one, high: not below. */
static ms_status grow(const search *s, double guess, ms_joint_at_force *low,
                      ms_joint_at_force *high) {
  const double slip = ms_joint_slip_scale(s->joint);
  MS_TRY(eval(s, guess, low));
  *high = *low;
  for (int i = 0; i < MOST_DOUBLINGS && low->force >= s->force; i++) {
    *high = *low;
    MS_TRY(eval(s, 0.5 * low->u, low));
  }
  for (int i = 0; i < MOST_DOUBLINGS && high->force < s->force; i++) {
    *low = *high;
    MS_TRY(eval(s, further(s, low->u), high));
    if (low->u > slip && high->force <= low->force * (1.0 + ms_identify_tol.flat)) break;
  }
  if (low->force < s->force && high->force >= s->force) return MS_SUCCESS;
  return fail_reach(s, high->force);
}

/* The next amplitude; `last` is one of the ends. */
static double next_of(const search *s, const ms_joint_at_force *low, const ms_joint_at_force *high,
                      double below, double above, const ms_joint_at_force *last) {
  double u = s->closed ? last->u - (last->force - s->force) / last->slope : low->u;
  if (!(u > low->u && u < high->u)) u = high->u - above * (high->u - low->u) / (above - below);
  return u > low->u && u < high->u ? u : 0.5 * (low->u + high->u);
}

/* The end that stays for a second time counts half. */
static ms_status shrink(const search *s, ms_joint_at_force low, ms_joint_at_force high,
                        ms_joint_at_force *out) {
  double below = low.force - s->force, above = high.force - s->force;
  int side = 0;
  *out = high.residual < low.residual ? high : low;
  for (int i = 0; i < MOST_STEPS && out->residual > ms_identify_tol.same_force; i++) {
    double u = next_of(s, &low, &high, below, above, out);
    if (!(u > low.u && u < high.u)) break; /* neighbours in floating point */
    MS_TRY(eval(s, u, out));
    if (out->force < s->force) {
      low = *out;
      below = low.force - s->force;
      if (side < 0) above *= 0.5;
      side = -1;
    } else {
      high = *out;
      above = high.force - s->force;
      if (side > 0) below *= 0.5;
      side = 1;
    }
  }
  return MS_SUCCESS;
}

ms_status ms_joint_find_cycle(ms_joint *joint, double force, double omega, double guess,
                              double *scratch, ms_joint_at_force *out) {
  const search s = { joint, force, omega, scratch, ms_joint_has_closed_cycle(joint) };
  ms_joint_at_force low, high;
  MS_TRY(grow(&s, guess, &low, &high));
  MS_TRY(shrink(&s, low, high, out));
  if (s.closed) out->loss = closed_loss(joint, out->u, omega);
  if (isfinite(out->loss)) return MS_SUCCESS;
  return ms_fail(joint->ctx, MS_ERR_NUMERIC, "the loss at amplitude %g is not finite", out->u);
}

ms_status ms_joint_cycle_loss(ms_joint *joint, double u, double omega, double *scratch,
                              double *out) {
  ms_joint_at_force at = { .u = u };
  if (ms_joint_has_closed_cycle(joint)) {
    at.loss = closed_loss(joint, u, omega);
  } else {
    MS_TRY(eval_stepped(joint, u, omega, scratch, &at));
  }
  *out = at.loss;
  return MS_SUCCESS;
}

/* ---- the loss's slope ---- */

/* Masing: D = 8 int F - 4 u F, so D' = 4 (F - u F'). Else differences of the closed form,
   extrapolated once. */
static double law_slope(const ms_joint *j, double u, double omega) {
  const ms_law *law = j->law;
  double d[2], h = 1e-3 * u, force, slope;
  if (law->info.flags & MS_LAW_MASING) {
    law->backbone(j->model, u, &force, &slope);
    return 4.0 * (force - u * slope);
  }
  for (int k = 0; k < 2; k++, h *= 0.5) {
    d[k] = (law->cycle(j->model, u + h, omega) - law->cycle(j->model, u - h, omega)) / (2.0 * h);
  }
  return d[1] + (d[1] - d[0]) / 3.0;
}

double ms_joint_loss_slope(const ms_joint *joint, double u, double omega) {
  double sum = 0.0;
  for (int i = 0; i < count_laws(joint); i++) {
    const ms_joint *law = law_at(joint, i);
    if (law) sum += law_slope(law, u, omega);
  }
  return sum;
}
