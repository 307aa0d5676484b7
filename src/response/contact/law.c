/* The contact law at a point. With a = lambda_n + r_n z_n (rigid) or K_n z_n (layer), and the
   tangential force that would hold the point where it was at the beginning of the step,
   tau = lambda_t + r_t (z_t - z_t0) (rigid) or lambda_t0 + K_t (z_t - z_t0) (layer):

     lambda_n = max(0, a),   lambda_t = tau where |tau| <= mu lambda_n, else mu lambda_n tau/|tau|

   For rigid points these equations say the same as Signorini's and Coulomb's conditions, whatever
   r > 0 is (augmented Lagrangian). A point that was open at the beginning of the step has no
   friction in the step in which it closes: where it stood while it was open must not pull it. */
#include <math.h>

#include "response/contact/impl.h"

typedef struct trial_force {
  double a, tau[2], size, limit;
} trial_force;

static double friction(const ms_contact *c, ptrdiff_t i) {
  return ms_contact_was_open(c, i) ? 0.0 : c->point[i].mu;
}

static trial_force try_force(const ms_contact *c, ptrdiff_t i) {
  const ms_contact_point *p = &c->point[i];
  const double *z = c->zt + 3 * i, *l = c->lt + 3 * i, *z_0 = c->now.z + 3 * i;
  const double *l_0 = c->now.lambda + 3 * i, *r = c->r + 3 * i;
  const int rigid = ms_contact_is_rigid(p);
  trial_force f;
  f.a = rigid ? l[2] + r[2] * z[2] : p->K_n * z[2];
  if (rigid && c->held[3 * i + 2] && z[2] > 0.0) f.a = l[2]; /* no force can part the bodies */
  for (int k = 0; k < 2; k++) {
    const double moved = z[k] - z_0[k];
    f.tau[k] = rigid ? l[k] + r[k] * moved : l_0[k] + p->K_t * moved;
  }
  f.size = hypot(f.tau[0], f.tau[1]);
  f.limit = c->limited ? c->limit[i] : friction(c, i) * fmax(0.0, f.a);
  return f;
}

/* lambda_t - mu lambda_n e - rho (I - e e^T) tau(z_t, lambda_t) = 0, e and rho = mu lambda_n/|tau|
   of the trial state: Newton's method for the direction of slip. Imposed limits stand for
   mu lambda_n, and slip is damped by what its change since the last iterate costs. */
static void linearise_slip(const ms_contact *c, ptrdiff_t i, ms_contact_rows *rows) {
  const ms_contact_point *p = &c->point[i];
  const double *z_0 = c->now.z + 3 * i, *l_0 = c->now.lambda + 3 * i, *r = c->r + 3 * i;
  const int rigid = ms_contact_is_rigid(p);
  const trial_force f = try_force(c, i);
  const double e[2] = { f.size > 0.0 ? f.tau[0] / f.size : 1.0,
                        f.size > 0.0 ? f.tau[1] / f.size : 0.0 };
  const double rho = f.size > 0.0 ? fmin(1.0, f.limit / f.size) : 0.0;
  for (int k = 0; k < 2; k++) {
    rows->C_l[k + 3 * k] = 1.0;
    if (c->limited) {
      const double damping = c->setting.tol.damping * r[k];
      rows->C_z[k + 3 * k] = -damping;
      rows->right[k] = f.limit * e[k] - damping * c->zt[3 * i + k];
    } else {
      rows->C_l[k + 3 * 2] = -friction(c, i) * e[k];
    }
    for (int m = 0; m < 2; m++) {
      const double P = rho * ((k == m) - e[k] * e[m]), stiffness = rigid ? r[m] : p->K_t;
      if (rigid) rows->C_l[k + 3 * m] -= P;
      rows->C_z[k + 3 * m] -= P * stiffness;
      rows->right[k] += P * ((rigid ? 0.0 : l_0[m]) - stiffness * z_0[m]);
    }
  }
}

void ms_contact_linearise(const ms_contact *c, ptrdiff_t i, ms_contact_rows *rows) {
  const ms_contact_point *p = &c->point[i];
  const double *z_0 = c->now.z + 3 * i, *l_0 = c->now.lambda + 3 * i, *r = c->r + 3 * i;
  const int rigid = ms_contact_is_rigid(p);
  *rows = (ms_contact_rows) { .right = { 0.0 } };
  if (c->trial[i] == MS_CONTACT_OPEN) {
    for (int k = 0; k < 3; k++) rows->C_l[k + 3 * k] = 1.0;
    return;
  }
  rows->C_z[8] = rigid ? r[2] : -p->K_n; /* z_n = 0, or lambda_n = K_n z_n */
  rows->C_l[8] = rigid ? 0.0 : 1.0;
  if (c->trial[i] == MS_CONTACT_SLIP) {
    linearise_slip(c, i, rows);
    return;
  }
  for (int k = 0; k < 2; k++) { /* z_t = z_t0, or lambda_t = lambda_t0 + K_t (z_t - z_t0) */
    rows->C_z[k + 3 * k] = rigid ? r[k] : -p->K_t;
    rows->C_l[k + 3 * k] = rigid ? 0.0 : 1.0;
    rows->right[k] = rigid ? r[k] * z_0[k] : l_0[k] - p->K_t * z_0[k];
  }
}

void ms_contact_recall(const ms_contact *c, ptrdiff_t i, double *W) {
  const int rigid = ms_contact_is_rigid(&c->point[i]);
  const trial_force f = try_force(c, i);
  const double rho = f.size > 0.0 ? fmin(1.0, f.limit / f.size) : 0.0;
  for (int km = 0; km < 4; km++) {
    const int k = km % 2, m = km / 2;
    const double across = (k == m) - (f.size > 0.0 ? f.tau[k] * f.tau[m] / (f.size * f.size) : 0.0);
    W[km] = c->trial[i] == MS_CONTACT_SLIP    ? rho * across
            : c->trial[i] == MS_CONTACT_STICK ? (rigid ? -1.0 : 1.0) * (k == m)
                                              : 0.0;
  }
}

ms_contact_status ms_contact_judge(const ms_contact *c, ptrdiff_t i, double floor) {
  const trial_force f = try_force(c, i);
  const unsigned char was = c->trial[i];
  if (c->glued[i]) return MS_CONTACT_STICK;
  if (was == MS_CONTACT_OPEN ? f.a <= floor : f.a < -floor) return MS_CONTACT_OPEN;
  if (friction(c, i) == 0.0) return MS_CONTACT_SLIP;
  /* Slip that turns back on its own friction force sticks first: else both may turn for ever. */
  const double *l = c->lt + 3 * i;
  if (was == MS_CONTACT_SLIP && l[0] * f.tau[0] + l[1] * f.tau[1] < 0.0) return MS_CONTACT_STICK;
  const double margin = was == MS_CONTACT_SLIP ? -floor : floor;
  return f.size > f.limit + margin ? MS_CONTACT_SLIP : MS_CONTACT_STICK;
}

double ms_contact_miss(const ms_contact *c, ptrdiff_t i) {
  const double *l = c->lt + 3 * i;
  const trial_force f = try_force(c, i);
  if (c->glued[i]) return 0.0; /* it keeps its y */
  const double part = f.size > f.limit ? f.limit / f.size : 1.0;
  return fmax(fabs(l[2] - fmax(0.0, f.a)), hypot(l[0] - part * f.tau[0], l[1] - part * f.tau[1]));
}
