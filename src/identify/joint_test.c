/* A joint test at a force amplitude F: the root u of f(u) = F on first loading f by Newton's
   method inside an interval that shrinks. */
#include "identify/joint_test.h"

#include <math.h>

#include "joint/impl.h"

enum { CYCLE_POINTS = 256, WIDER = 60, NARROWER = 200 };
#define BEFORE_SLIP (1.0 - 1e-12)

static ms_status fail_reach(const ms_joint *j, double force) {
  return ms_fail(j->ctx, MS_NOT_CONVERGED, "first loading does not reach a force of %g N", force);
}

/* The next displacement further out; one stop just before macroslip, where a law's force may have
   a peak that is soon over. */
static double further(double u, double slip) {
  const double peak = slip * BEFORE_SLIP;
  return u < peak && 2.0 * u > peak ? peak : 2.0 * u;
}

static ms_status bracket(ms_joint *j, double force, double *low, double *high) {
  double f, slope, slip = ms_joint_slip_scale(j);
  MS_TRY(ms_joint_eval_virgin(j, 0.0, &f, &slope));
  *low = 0.0;
  *high = slope > 0.0 && isfinite(slope) ? force / slope : slip;
  if (!(*high > 0.0)) return fail_reach(j, force);
  for (int i = 0; i < WIDER; i++) {
    MS_TRY(ms_joint_eval_virgin(j, *high, &f, &slope));
    if (f >= force) return MS_SUCCESS;
    if (*high > slip && slope <= 0.0) break;
    *low = *high;
    *high = further(*high, slip);
  }
  return fail_reach(j, force);
}

static ms_status find_displacement(ms_joint *j, double force, double *out) {
  double low, high, f, slope;
  MS_TRY(bracket(j, force, &low, &high));
  double u = low > 0.0 ? 0.5 * (low + high) : high;
  for (int i = 0; i < NARROWER; i++) {
    MS_TRY(ms_joint_eval_virgin(j, u, &f, &slope));
    if (f >= force) {
      high = u;
    } else {
      low = u;
    }
    double next = u - (f - force) / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    double move = fabs(next - u);
    u = next;
    if (move <= 1e-15 * u || high - low <= 1e-15 * high) break;
  }
  *out = u;
  return MS_SUCCESS;
}

static ms_status find_loss(ms_joint *j, double u, double omega, double *out) {
  ms_joint_cycle cycle;
  if (j->law->cycle && j->law->backbone) {
    *out = j->law->cycle(j->model, u, omega);
    return MS_SUCCESS;
  }
  MS_TRY(ms_joint_run_cycle(j, u, omega, CYCLE_POINTS, NULL, NULL, &cycle));
  *out = cycle.D;
  return MS_SUCCESS;
}

ms_status ms_joint_test_eval(ms_joint *joint, ms_joint *loss, double force, double omega,
                             ms_joint_test_point *out) {
  MS_TRY(find_displacement(joint, force, &out->u));
  out->stiffness = force / out->u;
  return find_loss(loss ? loss : joint, out->u, omega, &out->loss);
}
