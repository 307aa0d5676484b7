/* A tangent: a joint's history and the derivatives of all it remembers, stepped together.

   A step with state s and inputs x = (u, v, dt, alpha, k) is F = f(x, s), s <- g(x, s). In every
   direction

     dF = f_x dx + f_s ds,     ds <- g_x dx + g_s ds.

   f_x comes with the force; the law's `sensitivity` does the rest. The rows grow with the history.
 */
#include <string.h>

#include "core/internal.h"
#include "joint/impl.h"

struct ms_tangent {
  ms_joint *joint;
  ptrdiff_t n;        /* directions */
  double *row;        /* of the state */
  ptrdiff_t capacity; /* rows */
  double *kept;       /* rows, while ms_tangent_look tries a step */
  ptrdiff_t n_kept;   /* room for so many */
  double *zero;       /* rows for inputs without derivatives */
  int loaded;         /* see ms_step_sensitivity */
  ms_sensitivity_param *param;
  ptrdiff_t n_param;
  int lost; /* a failed commit left rows and state apart */
  /* a joint of members: a tangent for each, and room for its inputs and force */
  ms_tangent **member;
  int n_member;
  double *own_u, *own_v, *own_force;
};

/* ---- life ---- */

static ms_status fail_sensitivity(const ms_joint *j) {
  return ms_fail(j->ctx, MS_ERR_ARGUMENT,
                 "law %s has no derivatives through its history; use finite differences of whole "
                 "histories, or another law",
                 j->law->info.name);
}

static ptrdiff_t count_rows(const ms_tangent *t, const ms_joint_trial *trial) {
  const ms_joint *j = t->joint;
  return j->law->count_rows ? j->law->count_rows(j->model, j->state, trial) : j->law->n_row;
}

/* What rows are added are zero. */
static ms_status reserve_rows(ms_tangent *t, const ms_joint_trial *trial) {
  const ms_joint *j = t->joint;
  ptrdiff_t wanted = count_rows(t, trial);
  if (wanted <= t->capacity) return MS_SUCCESS;
  ptrdiff_t capacity = t->capacity > wanted / 2 ? 2 * t->capacity : wanted;
  size_t bytes = (size_t)t->n * sizeof(double);
  MS_TRY(ms_resize(j->ctx, capacity, bytes, &t->row));
  memset(t->row + t->n * t->capacity, 0, (size_t)(capacity - t->capacity) * bytes);
  t->capacity = capacity;
  return MS_SUCCESS;
}

static ms_status open_members(ms_tangent *t) {
  ms_context *ctx = t->joint->ctx;
  int n = ms_joint_count_members(t->joint);
  size_t axes = MS_JOINT_MAX_AXIS * sizeof(double);
  MS_TRY(ms_allocate(ctx, t->n, axes, &t->own_u));
  MS_TRY(ms_allocate(ctx, t->n, axes, &t->own_v));
  MS_TRY(ms_allocate(ctx, t->n, axes, &t->own_force));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->member, &t->member));
  for (t->n_member = 0; t->n_member < n; t->n_member++) {
    const int *axis;
    ms_joint *member = ms_parallel_member(t->joint, t->n_member, &axis);
    MS_TRY(ms_tangent_create(member, t->n, &t->member[t->n_member]));
  }
  return MS_SUCCESS;
}

static ms_status open_parts(ms_tangent *t) {
  const ms_joint *j = t->joint;
  MS_TRY(ms_allocate(j->ctx, t->n, MS_JOINT_MAX_AXIS * sizeof(double), &t->zero));
  if (ms_joint_count_members(j) > 0) return open_members(t);
  if (!j->law->sensitivity) return fail_sensitivity(j);
  return reserve_rows(t, NULL);
}

ms_status ms_tangent_create(ms_joint *joint, ptrdiff_t n_dir, ms_tangent **out) {
  MS_MAKE(joint ? joint->ctx : NULL, out, joint);
  if (!joint->ready) {
    return ms_fail(joint->ctx, MS_ERR_STATE, "set the joint up before its tangent is made");
  }
  if (n_dir < 1) {
    return ms_fail(joint->ctx, MS_ERR_ARGUMENT, "a tangent has at least 1 direction, not %td",
                   n_dir);
  }
  ms_tangent *t;
  MS_TRY(ms_allocate(joint->ctx, 1, sizeof *t, &t));
  t->joint = joint;
  t->n = n_dir;
  ms_status status = open_parts(t);
  if (status == MS_SUCCESS) {
    *out = t;
  } else {
    ms_tangent_destroy(&t);
  }
  return status;
}

void ms_tangent_destroy(ms_tangent **tangent) {
  if (!tangent || !*tangent) return;
  ms_tangent *t = *tangent;
  ms_context *ctx = t->joint->ctx;
  for (int i = 0; i < t->n_member; i++) ms_tangent_destroy(&t->member[i]);
  ms_free(ctx, &t->member);
  ms_free(ctx, &t->own_u);
  ms_free(ctx, &t->own_v);
  ms_free(ctx, &t->own_force);
  ms_free(ctx, &t->zero);
  ms_free(ctx, &t->row);
  ms_free(ctx, &t->kept);
  ms_free(ctx, &t->param);
  ms_free(ctx, tangent);
}

/* ---- parameters ---- */

int ms_slopes_plain(const void *model, const double *value, int set, int i,
                    double slope[MS_SENSITIVITY_SLOPES]) {
  (void)model, (void)value, (void)set;
  if (i >= MS_SENSITIVITY_SLOPES) return 0;
  slope[i] = 1.0;
  return 1;
}

ms_status ms_tangent_set_parameter(ms_tangent *t, ptrdiff_t direction, const char *name) {
  const ms_joint *j = t->joint;
  const ms_law *law = j->law;
  ms_sensitivity_param p = { .direction = direction };
  int i = 0;
  if (direction < 0 || direction >= t->n) {
    return ms_fail(j->ctx, MS_ERR_ARGUMENT, "direction %td is not one of 0 to %td", direction,
                   t->n - 1);
  }
  MS_TRY(ms_joint_find_param(j, name, &i));
  const ms_param *param = &law->info.param[i];
  if (param->set && param->set != j->set) {
    return ms_fail(j->ctx, MS_ERR_ARGUMENT,
                   "law %s: %s was not given but follows from others; differentiate with respect "
                   "to one of these",
                   law->info.name, name);
  }
  if (!law->slopes || !law->slopes(j->model, j->value, j->set, i, p.slope)) {
    return ms_fail(j->ctx, MS_ERR_ARGUMENT,
                   "law %s has no derivatives with respect to its parameter %s", law->info.name,
                   name);
  }
  MS_TRY(ms_resize(j->ctx, t->n_param + 1, sizeof *t->param, &t->param));
  t->param[t->n_param++] = p;
  return MS_SUCCESS;
}

ms_tangent *ms_tangent_get_member(ms_tangent *t, int index) {
  return index >= 0 && index < t->n_member ? t->member[index] : NULL;
}

/* ---- members ---- */

/* Rows of the member's axes out of the whole's; NULL stays NULL. */
static const double *member_rows(const ms_tangent *t, int n_axis, const int *axis,
                                 const double *whole, double *own) {
  if (!whole) return NULL;
  if (n_axis == 1) return whole + t->n * axis[0];
  for (int a = 0; a < n_axis; a++) {
    memcpy(own + t->n * a, whole + t->n * axis[a], (size_t)t->n * sizeof *own);
  }
  return own;
}

static ms_status start_members(ms_tangent *t, const double *u, const double *du) {
  for (int i = 0; i < t->n_member; i++) {
    const int *axis;
    const ms_joint *member = ms_parallel_member(t->joint, i, &axis);
    int n_axis = member->law->info.n_axis;
    double own[MS_JOINT_MAX_AXIS] = { 0.0 };
    for (int a = 0; u && a < n_axis; a++) own[a] = u[axis[a]];
    MS_TRY(ms_tangent_start(t->member[i], own, member_rows(t, n_axis, axis, du, t->own_u)));
  }
  return MS_SUCCESS;
}

static ms_status step_member(ms_tangent *t, int i, const ms_joint_input *in,
                             const ms_tangent_input *d, ms_joint_output *out, double *dforce) {
  const int *axis;
  int n_axis = ms_parallel_member(t->joint, i, &axis)->law->info.n_axis;
  ms_joint_input own_in;
  ms_joint_output own_out;
  ms_tangent_input own = *d;
  ms_parallel_input(t->joint, i, in, &own_in);
  own.u = member_rows(t, n_axis, axis, d->u, t->own_u);
  own.v = member_rows(t, n_axis, axis, d->v, t->own_v);
  MS_TRY(ms_tangent_step(t->member[i], &own_in, &own, &own_out, t->own_force));
  ms_parallel_add(t->joint, i, &own_out, out);
  for (int a = 0; a < n_axis; a++) {
    ms_sensitivity_add(t->n, 1.0, t->own_force + t->n * a, dforce + t->n * axis[a]);
  }
  return MS_SUCCESS;
}

/* ---- stepping ---- */

void ms_sensitivity_none(const void *model, const void *state, const ms_joint_input *in,
                         const ms_joint_output *out, ms_joint_trial *trial,
                         const ms_step_sensitivity *d) {
  (void)model, (void)state, (void)in, (void)out, (void)trial, (void)d;
}

ms_status ms_tangent_start(ms_tangent *t, const double *u, const double *du) {
  const ms_joint *j = t->joint;
  t->lost = t->loaded = 0;
  if (t->member) return start_members(t, u, du);
  MS_TRY(ms_joint_start(t->joint, u));
  MS_TRY(reserve_rows(t, NULL));
  if (t->capacity == 0) return MS_SUCCESS;
  memset(t->row, 0, (size_t)(t->capacity * t->n) * sizeof *t->row);
  if (!du) return MS_SUCCESS;
  if (j->law->sensitivity_start) {
    ms_step_sensitivity sensitivity = { .n = t->n, .u = du, .row = t->row };
    j->law->sensitivity_start(j->model, j->state, &sensitivity);
  } else {
    memcpy(t->row, du, (size_t)(t->n * j->law->info.n_axis) * sizeof *t->row);
  }
  return MS_SUCCESS;
}

/* A row times a number, most of which are zero in many laws. */
static void add_part(ptrdiff_t n, double slope, const double *row, double *force) {
  if (row && slope != 0.0) ms_sensitivity_add(n, slope, row, force);
}

/* Force on axis a from u[0]; the others are added to it. */
static void set_part(ptrdiff_t n, double slope, const double *restrict u, double *restrict force) {
  for (ptrdiff_t i = 0; i < n; i++) force[i] = slope * u[i];
}

/* f_x dx, but for dt. */
static void set_inputs(ptrdiff_t n, int n_axis, const ms_joint_output *out,
                       const ms_step_sensitivity *d, const ms_tangent_input *given) {
  for (int a = 0; a < n_axis; a++) {
    double *force = d->force + n * a;
    set_part(n, out->du[a], d->u, force);
    for (int b = 1; b < n_axis; b++) add_part(n, out->du[a + n_axis * b], d->u + n * b, force);
    for (int b = 0; given->v && b < n_axis; b++) {
      add_part(n, out->dv[a + n_axis * b], d->v + n * b, force);
    }
    add_part(n, out->dalpha[a], given->alpha, force);
    add_part(n, out->dk[a], given->k, force);
  }
}

static const double *or_zero(const ms_tangent *t, const double *row) {
  return row ? row : t->zero;
}

static ms_status fail_lost(const ms_tangent *t) {
  return ms_fail(t->joint->ctx, MS_ERR_STATE,
                 "the tangent lost its joint when a step failed; start it");
}

/* dforce, and the rows that commit of this trial will leave. */
static void sensitivity_over(ms_tangent *t, const ms_joint_input *in, const ms_tangent_input *d,
                             const ms_joint_output *out, ms_joint_trial *trial, double *dforce) {
  const ms_joint *j = t->joint;
  ms_step_sensitivity sensitivity = { .n = t->n,
                                      .u = or_zero(t, d->u),
                                      .v = or_zero(t, d->v),
                                      .dt = or_zero(t, d->dt),
                                      .alpha = or_zero(t, d->alpha),
                                      .k = or_zero(t, d->k),
                                      .loaded = t->loaded,
                                      .row = t->row,
                                      .force = dforce,
                                      .param = t->param,
                                      .n_param = t->n_param };
  set_inputs(t->n, j->law->info.n_axis, out, &sensitivity, d);
  j->law->sensitivity(j->model, j->state, in, out, trial, &sensitivity);
}

ms_status ms_tangent_step(ms_tangent *t, const ms_joint_input *in, const ms_tangent_input *d,
                          ms_joint_output *out, double *dforce) {
  ms_joint *j = t->joint;
  ms_joint_trial trial;
  if (t->lost) return fail_lost(t);
  if (t->member) {
    /* A failure behind the first member leaves some stepped and some not: the tangent is then lost
       until its next start. */
    memset(out, 0, sizeof *out);
    memset(dforce, 0, (size_t)(t->n * t->joint->law->info.n_axis) * sizeof *dforce);
    for (int i = 0; i < t->n_member; i++) {
      t->lost = i > 0;
      MS_TRY(step_member(t, i, in, d, out, dforce));
    }
    t->lost = 0;
    return MS_SUCCESS;
  }
  MS_TRY(ms_joint_update(j, in, out, &trial));
  MS_TRY(reserve_rows(t, &trial));
  if (d->alpha || d->k) t->loaded = 1;
  sensitivity_over(t, in, d, out, &trial, dforce);
  ms_status status = j->law->commit(j->ctx, j->model, j->state, &trial);
  t->lost = status != MS_SUCCESS;
  return status;
}

/* ---- disturbances of a given motion ---- */

void ms_tangent_rest(ms_tangent *t) {
  for (int i = 0; i < t->n_member; i++) ms_tangent_rest(t->member[i]);
  t->lost = t->loaded = 0;
  if (t->capacity > 0) memset(t->row, 0, (size_t)(t->capacity * t->n) * sizeof *t->row);
}

static ms_status look_members(ms_tangent *t, const ms_joint_input *in, ms_joint_output *out,
                              double *dforce) {
  memset(out, 0, sizeof *out);
  memset(dforce, 0, (size_t)(t->n * t->joint->law->info.n_axis) * sizeof *dforce);
  for (int i = 0; i < t->n_member; i++) {
    const int *axis;
    int n_axis = ms_parallel_member(t->joint, i, &axis)->law->info.n_axis;
    ms_joint_input own_in;
    ms_joint_output own_out;
    ms_parallel_input(t->joint, i, in, &own_in);
    MS_TRY(ms_tangent_look(t->member[i], &own_in, &own_out, t->own_force));
    ms_parallel_add(t->joint, i, &own_out, out);
    for (int a = 0; a < n_axis; a++) {
      ms_sensitivity_add(t->n, 1.0, t->own_force + t->n * a, dforce + t->n * axis[a]);
    }
  }
  return MS_SUCCESS;
}

ms_status ms_tangent_look(ms_tangent *t, const ms_joint_input *in, ms_joint_output *out,
                          double *dforce) {
  const ms_joint *j = t->joint;
  ms_joint_trial trial;
  if (t->lost) return fail_lost(t);
  if (t->member) return look_members(t, in, out, dforce);
  MS_TRY(ms_joint_update(j, in, out, &trial));
  MS_TRY(reserve_rows(t, &trial));
  const ptrdiff_t rows = count_rows(t, &trial);
  const size_t bytes = (size_t)(rows * t->n) * sizeof *t->row;
  if (rows > t->n_kept) {
    MS_TRY(ms_resize(j->ctx, t->capacity, (size_t)t->n * sizeof *t->kept, &t->kept));
    t->n_kept = t->capacity;
  }
  if (rows > 0) memcpy(t->kept, t->row, bytes);
  sensitivity_over(t, in, &(ms_tangent_input) { .u = NULL }, out, &trial, dforce);
  if (rows > 0) memcpy(t->row, t->kept, bytes);
  return MS_SUCCESS;
}

void ms_tangent_combine(ms_tangent *t, const double *R) {
  for (int i = 0; i < t->n_member; i++) ms_tangent_combine(t->member[i], R);
  for (ptrdiff_t i = 0; i < t->capacity; i++) {
    double *row = t->row + t->n * i;
    memcpy(t->zero, row, (size_t)t->n * sizeof *row);
    for (ptrdiff_t k = 0; k < t->n; k++) {
      row[k] = 0.0;
      for (ptrdiff_t l = 0; l < t->n; l++) row[k] += t->zero[l] * R[l + t->n * k];
    }
  }
  memset(t->zero, 0, (size_t)t->n * sizeof *t->zero);
}
