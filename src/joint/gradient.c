/* Derivatives with respect to parameters: the law's closed forms, or differences of its curves on
   copies of the joint with other parameters, extrapolated (Romberg on central differences;
   one-sided where a parameter stands at its bound). */
#include "joint/gradient.h"
#include "joint/tolerance.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 4, CYCLE_POINTS = 64 };

/* The set the parameters were given in. */
static int given_set(const ms_joint *j) {
  for (int i = 0; i < j->law->info.n_param; i++) {
    if (j->given[i] && j->law->info.param[i].set > 0) return j->law->info.param[i].set;
  }
  return 1;
}

static int is_listed(const ms_joint *j, int i, int set) {
  const ms_param *p = &j->law->info.param[i];
  int number = p->kind == MS_PARAM_NUMBER;
  return number && (p->set == 0 || p->set == set);
}

int ms_joint_count_gradient(const ms_joint *joint) {
  int members = ms_joint_count_members(joint), n = 0, set = given_set(joint);
  for (int i = 0; i < members; i++) n += ms_joint_count_gradient(ms_joint_get_member(joint, i));
  for (int i = 0; i < joint->law->info.n_param; i++) n += is_listed(joint, i, set);
  return n;
}

/* ---- copies with other parameters ---- */

/* Force at u, slope at zero and loss. Stepped, for a closed form may be another's: that of discrete
   sliders is the exact element's. The joint is virgin. */
static ms_status curves(ms_joint *j, double u, double omega, ms_gradient *out) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output o;
  ms_joint_trial trial;
  ms_joint_cycle cycle;
  MS_TRY(ms_joint_update(j, &in, &o, &trial));
  out->stuck = o.du[0];
  in.u[0] = u;
  MS_TRY(ms_joint_update(j, &in, &o, &trial));
  out->force = o.force[0];
  out->loss = 0.0;
  if (u == 0.0) return MS_SUCCESS;
  MS_TRY(ms_joint_run_cycle(j, fabs(u), omega, CYCLE_POINTS, NULL, NULL, &cycle));
  int exact = j->law->energy && (j->law->info.flags & MS_LAW_MASING); /* also for sliders */
  out->loss = cycle.has_closed_form && !exact ? cycle.D_closed_form : cycle.D;
  return MS_SUCCESS;
}

/* ---- differences ---- */

/* What is differentiated: parameter i, or (i < 0) the amplitude or the frequency of the loss. */
typedef struct difference {
  const ms_joint *j;
  int i; /* parameter, or BY_U, BY_OMEGA */
  double u, omega;
  double at;
} difference;

enum { BY_U = -1, BY_OMEGA = -2 };

static ms_status eval(const difference *x, double value, ms_gradient *out) {
  double u = x->i == BY_U ? value : x->u, omega = x->i == BY_OMEGA ? value : x->omega;
  ms_joint *copy;
  MS_TRY(ms_joint_copy(x->j->ctx, x->j, &copy));
  ms_status status = MS_SUCCESS;
  if (x->i >= 0) {
    status = ms_joint_set(copy, x->j->law->info.param[x->i].name, value);
    if (status == MS_SUCCESS) status = ms_joint_setup(copy);
  }
  if (status == MS_SUCCESS) status = curves(copy, u, omega, out);
  ms_joint_destroy(&copy);
  return status;
}

static ms_gradient minus(ms_gradient a, ms_gradient b, double over) {
  return (ms_gradient) { (a.force - b.force) / over, (a.stuck - b.stuck) / over,
                         (a.loss - b.loss) / over };
}

/* Central, or on one side where the other is out of bounds: side 0, 1, -1, found on the way. */
static ms_status differ(const difference *x, double h, int *side, ms_gradient *out) {
  ms_gradient up, down;
  ms_status above = *side < 0 ? eval(x, x->at, &up) : eval(x, x->at + h, &up);
  if (above == MS_ERR_BOUNDS && *side == 0) {
    *side = -1;
    return differ(x, h, side, out);
  }
  MS_TRY(above);
  ms_status below = *side > 0 ? eval(x, x->at, &down) : eval(x, x->at - h, &down);
  if (below == MS_ERR_BOUNDS && *side == 0) {
    *side = 1;
    return differ(x, h, side, out);
  }
  *out = minus(up, down, *side == 0 ? 2.0 * h : h);
  return below;
}

/* Romberg's table: errors in h^2 (one-sided: in h) go one after the other. */
static ms_status extrapolate(const difference *x, double h, ms_gradient *out) {
  ms_gradient row[LEVELS];
  int side = 0;
  for (int k = 0; k < LEVELS; k++, h *= 0.5) {
    ms_gradient now;
    int before = side;
    MS_TRY(differ(x, h, &side, &now));
    if (side != before) k = 0; /* what is in the table is of the other kind */
    double factor = side != 0 ? 2.0 : 4.0, f = factor;
    for (int l = 0; l < k; l++, f *= factor) {
      ms_gradient gain = minus(now, row[l], f - 1.0), old = now;
      row[l] = old;
      now.force += gain.force;
      now.stuck += gain.stuck;
      now.loss += gain.loss;
    }
    row[k] = now;
  }
  *out = row[LEVELS - 1];
  return MS_SUCCESS;
}

static ms_status by_differences(const ms_joint *j, int i, double u, double omega,
                                ms_gradient *out) {
  const double value = j->value[i], typical = fabs(j->law->info.param[i].typical);
  difference x = { .j = j, .i = i, .u = u, .omega = omega, .at = value };
  double size = value != 0.0 ? fabs(value) : typical > 0.0 ? 1e-3 * typical : 1e-3;
  return extrapolate(&x, ms_joint_tol.width * size, out);
}

/* ---- all parameters of a joint ---- */

static ms_status fill_law(const ms_joint *j, double u, double omega, ms_gradient *d,
                          ms_joint_gradient *out) {
  int set = given_set(j), n = 0;
  int closed = j->law->gradient && j->law->gradient(j->value, set, u, omega, d);
  for (int i = 0; i < j->law->info.n_param; i++) {
    if (!is_listed(j, i, set)) continue;
    out[n] = (ms_joint_gradient) {
      .param = &j->law->info.param[i], .value = j->value[i], .d = d[i], .by_differences = !closed
    };
    if (!closed) MS_TRY(by_differences(j, i, u, omega, &out[n].d));
    n++;
  }
  return MS_SUCCESS;
}

static ms_status fill_side(const ms_joint *j, double u, double omega, ms_joint_gradient *out) {
  ms_gradient *d;
  int n = j->law->info.n_param;
  MS_TRY(ms_allocate(j->ctx, n > 0 ? n : 1, sizeof *d, &d));
  ms_status status = fill_law(j, u, omega, d, out);
  ms_free(j->ctx, &d);
  return status;
}

/* A parameter that moves the two sides of a curve unequally (one side's gap, an offset) moves what
   lasts of a cycle, its half range, by the odd part; the even part moves the middle. */
static ms_status fill_single(const ms_joint *j, double u, double omega, ms_joint_gradient *out) {
  int n = ms_joint_count_gradient(j);
  ms_joint_gradient *other;
  MS_TRY(fill_side(j, u, omega, out));
  MS_TRY(ms_allocate(j->ctx, n > 0 ? n : 1, sizeof *other, &other));
  ms_status status = fill_side(j, -u, omega, other);
  for (int i = 0; i < n && status == MS_SUCCESS; i++) {
    out[i].d.force = 0.5 * (out[i].d.force - other[i].d.force);
  }
  ms_free(j->ctx, &other);
  return status;
}

ms_status ms_joint_fill_gradient(const ms_joint *joint, double u, double omega,
                                 ms_joint_gradient *out) {
  int members = ms_joint_count_members(joint);
  if (members == 0) return fill_single(joint, u, omega, out);
  for (int i = 0; i < members; i++) {
    const ms_joint *member = ms_joint_get_member(joint, i);
    int n = ms_joint_count_gradient(member);
    MS_TRY(fill_single(member, u, omega, out));
    for (int k = 0; k < n; k++) out[k].member = i;
    out += n;
  }
  return MS_SUCCESS;
}

/* ---- the loss against amplitude and frequency ---- */

/* Masing: D = 8 int F - 4 u F, so D' = 4 (F - u F'). */
static ms_status slopes(const ms_joint *j, double u, double omega, double *by_u, double *by_omega) {
  ms_gradient d = { 0.0, 0.0, 0.0 };
  difference x = { .j = j, .i = BY_U, .u = fabs(u), .omega = omega, .at = fabs(u) };
  if (j->law->info.flags & MS_LAW_MASING) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output o;
    ms_joint_trial trial;
    in.u[0] = fabs(u);
    MS_TRY(ms_joint_update(j, &in, &o, &trial));
    *by_u += 4.0 * (o.force[0] - in.u[0] * o.du[0]);
    return MS_SUCCESS;
  }
  if (u == 0.0) return MS_SUCCESS;
  MS_TRY(extrapolate(&x, ms_joint_tol.width * x.at, &d));
  *by_u += d.loss;
  if (!(j->law->info.flags & MS_LAW_RATE)) return MS_SUCCESS;
  x.i = BY_OMEGA;
  x.at = omega;
  MS_TRY(extrapolate(&x, ms_joint_tol.width * x.at, &d));
  *by_omega += d.loss;
  return MS_SUCCESS;
}

ms_status ms_joint_loss_slopes(const ms_joint *joint, double u, double omega, double *by_u,
                               double *by_omega) {
  int members = ms_joint_count_members(joint);
  *by_u = *by_omega = 0.0;
  if (members == 0) return slopes(joint, u, omega, by_u, by_omega);
  for (int i = 0; i < members; i++) {
    MS_TRY(slopes(ms_joint_get_member(joint, i), u, omega, by_u, by_omega));
  }
  return MS_SUCCESS;
}
