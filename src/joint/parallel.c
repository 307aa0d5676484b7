/* Laws side by side: a joint whose members' forces add. It is a joint like any other, with a table
   of its own that lies in its model because the number of axes and what the members can do vary.

   The trial keeps the input, not the members' trials, which would not fit a record of fixed size:
   commit updates each member once more. */
#include <string.h>

#include "core/internal.h"
#include "joint/impl.h"

typedef struct parallel_member {
  ms_joint *joint;
  int axis[MS_JOINT_MAX_AXIS];
} parallel_member;

typedef struct parallel_model {
  ms_law law;
  parallel_member *member;
  int n;
} parallel_model;

_Static_assert(sizeof(ms_joint_input) <= sizeof(((ms_joint_trial *)0)->real), "input must fit");

static int member_axes(const parallel_member *m) {
  return m->joint->law->info.n_axis;
}

static void member_start(const void *model, void *state, const double *u) {
  const parallel_model *p = model;
  (void)state;
  for (int i = 0; i < p->n; i++) {
    const parallel_member *m = &p->member[i];
    double own[MS_JOINT_MAX_AXIS] = { 0.0 };
    for (int a = 0; a < member_axes(m); a++) own[a] = u[m->axis[a]];
    ms_joint_start(m->joint, own);
  }
}

static void member_input(const parallel_member *m, const ms_joint_input *in, ms_joint_input *own) {
  *own = *in;
  for (int a = 0; a < member_axes(m); a++) {
    own->u[a] = in->u[m->axis[a]];
    own->v[a] = in->v[m->axis[a]];
  }
}

static ms_status update_member(const parallel_member *m, const ms_joint_input *in,
                               ms_joint_output *out, ms_joint_trial *trial) {
  ms_joint_input own;
  member_input(m, in, &own);
  return ms_joint_update(m->joint, &own, out, trial);
}

/* Adds a member's force and derivatives into the places of its axes. */
static void add_output(const parallel_member *m, int n_axis, const ms_joint_output *own,
                       ms_joint_output *out) {
  int n = member_axes(m);
  for (int a = 0; a < n; a++) {
    out->force[m->axis[a]] += own->force[a];
    out->dalpha[m->axis[a]] += own->dalpha[a];
    out->dk[m->axis[a]] += own->dk[a];
    for (int b = 0; b < n; b++) {
      int at = m->axis[a] + n_axis * m->axis[b];
      out->du[at] += own->du[a + n * b];
      out->dv[at] += own->dv[a + n * b];
    }
  }
}

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const parallel_model *p = model;
  ms_joint_output own;
  ms_joint_trial own_trial;
  (void)state;
  memset(out, 0, sizeof *out);
  for (int i = 0; i < p->n; i++) {
    MS_TRY(update_member(&p->member[i], in, &own, &own_trial));
    add_output(&p->member[i], p->law.info.n_axis, &own, out);
  }
  memcpy(trial->real, in, sizeof *in);
  return MS_SUCCESS;
}

static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  const parallel_model *p = model;
  ms_joint_input in;
  (void)ctx, (void)state;
  memcpy(&in, trial->real, sizeof in);
  for (int i = 0; i < p->n; i++) {
    ms_joint_output own;
    ms_joint_trial own_trial;
    MS_TRY(update_member(&p->member[i], &in, &own, &own_trial));
    MS_TRY(ms_joint_commit(p->member[i].joint, &own_trial));
  }
  return MS_SUCCESS;
}

/* ---- state: each member's length and numbers, one after the other ---- */

static ptrdiff_t save_size(const void *model, const void *state) {
  const parallel_model *p = model;
  ptrdiff_t n = 0;
  (void)state;
  for (int i = 0; i < p->n; i++) n += 1 + ms_joint_save_size(p->member[i].joint);
  return n;
}

static void save(const void *model, const void *state, double *buffer) {
  const parallel_model *p = model;
  (void)state;
  for (int i = 0; i < p->n; i++) {
    ptrdiff_t n = ms_joint_save_size(p->member[i].joint);
    *buffer = (double)n;
    ms_joint_save(p->member[i].joint, buffer + 1);
    buffer += n + 1;
  }
}

static ms_status load(ms_context *ctx, const void *model, void *state, const double *buffer,
                      ptrdiff_t n) {
  const parallel_model *p = model;
  (void)state;
  for (int i = 0; i < p->n; i++) {
    ptrdiff_t own = n > 0 && buffer[0] >= 0.0 && buffer[0] < (double)n ? (ptrdiff_t)buffer[0] : -1;
    if (own < 0)
      return ms_fail(ctx, MS_ERR_FORMAT, "the saved state does not belong to this joint");
    MS_TRY(ms_joint_load(p->member[i].joint, buffer + 1, own));
    buffer += own + 1;
    n -= own + 1;
  }
  if (n == 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_FORMAT, "the saved state does not belong to this joint");
}

/* ---- sums over the members ---- */

static double cycle(const void *model, double u0, double omega) {
  const parallel_model *p = model;
  double D = 0.0;
  for (int i = 0; i < p->n; i++) {
    const ms_joint *j = p->member[i].joint;
    if (p->member[i].axis[0] == 0) D += j->law->cycle(j->model, u0, omega);
  }
  return D;
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const parallel_model *p = model;
  (void)state;
  *out = (ms_joint_energy) { 0.0, 0.0 };
  for (int i = 0; i < p->n; i++) {
    ms_joint_energy own = { 0.0, 0.0 };
    ms_joint_get_energy(p->member[i].joint, &own);
    out->stored += own.stored;
    out->dissipated += own.dissipated;
  }
}

static void memory(const void *model, const void *state, ms_joint_memory *out) {
  const parallel_model *p = model;
  (void)state;
  *out = (ms_joint_memory) { .depth = 0 };
  for (int i = 0; i < p->n; i++) {
    ms_joint_memory own;
    if (ms_joint_get_memory(p->member[i].joint, &own) != MS_SUCCESS) continue;
    out->depth += own.depth;
    out->bytes += own.bytes;
    out->merge_error += own.merge_error;
  }
}

/* The first member to slip sets the scale. */
static double slip_scale(const void *model) {
  const parallel_model *p = model;
  double scale = 0.0;
  for (int i = 0; i < p->n; i++) {
    double own = ms_joint_slip_scale(p->member[i].joint);
    if (own > 0.0 && (scale == 0.0 || own < scale)) scale = own;
  }
  return scale;
}

static void macroslip(const void *model, double *K) {
  const parallel_model *p = model;
  for (int i = 0; i < p->n; i++) {
    const parallel_member *m = &p->member[i];
    double own[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
    int n = member_axes(m);
    ms_joint_fill_macroslip(m->joint, own);
    for (int ab = 0; ab < n * n; ab++) {
      K[m->axis[ab % n] + p->law.info.n_axis * m->axis[ab / n]] += own[ab];
    }
  }
}

/* ---- life ---- */

static void destroy(ms_context *ctx, void *model) {
  parallel_model *p = model;
  for (int i = 0; i < p->n; i++) ms_joint_destroy(&p->member[i].joint);
  ms_free(ctx, &p->member);
}

static const ms_law parallel_law = {
  .info = { .name = "parallel",
            .title = "laws in parallel",
            .reference = "forces add",
            .flags = MS_LAW_MASING },
  .start = member_start,
  .update = update,
  .commit = commit,
  .save_size = save_size,
  .save = save,
  .load = load,
  .cycle = cycle,
  .energy = energy,
  .memory = memory,
  .slip_scale = slip_scale,
  .macroslip = macroslip,
  .destroy = destroy,
};

ms_status ms_joint_create_parallel(ms_context *ctx, int n_axis, ms_joint **out) {
  MS_MAKE(ctx, out, ctx);
  if (n_axis < 1 || n_axis > MS_JOINT_MAX_AXIS) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a joint has 1 to %d axes, not %d", MS_JOINT_MAX_AXIS,
                   n_axis);
  }
  ms_joint *j;
  parallel_model *p;
  MS_TRY(ms_allocate(ctx, 1, sizeof *j, &j));
  ms_status status = ms_allocate(ctx, 1, sizeof *p, &p);
  if (status != MS_SUCCESS) {
    ms_free(ctx, &j);
    return status;
  }
  p->law = parallel_law;
  p->law.info.n_axis = n_axis;
  *j = (ms_joint) { .ctx = ctx, .law = &p->law, .model = p };
  *out = j;
  return MS_SUCCESS;
}

/* What the whole can do is what all its members can. */
static void join_abilities(ms_law *whole, const ms_law *member) {
  const unsigned all = MS_LAW_MASING, any = MS_LAW_RATE | MS_LAW_NORMAL | MS_LAW_SLIDING;
  unsigned flags = member->info.flags;
  whole->info.flags = (whole->info.flags & flags & all) | ((whole->info.flags | flags) & any);
  if (!member->cycle || member->info.n_axis > 1) whole->cycle = NULL;
  if (!member->energy) whole->energy = NULL;
}

static ms_status check_axes(ms_context *ctx, const ms_joint *member, const int *axis, int n_axis) {
  for (int a = 0; a < member->law->info.n_axis; a++) {
    int at = axis ? axis[a] : a;
    int twice = axis && ((a > 0 && axis[0] == at) || (a > 1 && axis[1] == at));
    if (at >= 0 && at < n_axis && !twice) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT, "law %s: axis %d of %d does not exist or is used twice",
                   member->law->info.name, at, n_axis);
  }
  return MS_SUCCESS;
}

ms_status ms_joint_take_member(ms_joint *joint, ms_joint **member, const int *axis) {
  if (joint->law->update != update) {
    return ms_fail(joint->ctx, MS_ERR_STATE,
                   "a single law takes no members; see "
                   "ms_joint_create_parallel");
  }
  if (!(*member)->ready) {
    return ms_fail(joint->ctx, MS_ERR_STATE, "set up the member before it is added");
  }
  parallel_model *p = joint->model;
  MS_TRY(check_axes(joint->ctx, *member, axis, p->law.info.n_axis));
  MS_TRY(ms_resize(joint->ctx, p->n + 1, sizeof *p->member, &p->member));
  parallel_member *m = &p->member[p->n++];
  *m = (parallel_member) { .joint = *member };
  for (int a = 0; a < member_axes(m); a++) m->axis[a] = axis ? axis[a] : a;
  join_abilities(&p->law, (*member)->law);
  *member = NULL;
  return MS_SUCCESS;
}

ms_status ms_joint_put_beside(ms_context *ctx, ms_joint **law, double *K, ms_joint **joint) {
  const ms_law_info *info = ms_joint_info(*law);
  if (info->n_axis != 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "law %s has %d axes; a direction takes laws of one axis",
                   info->name, info->n_axis);
  }
  MS_TRY(ms_joint_take_stiffness(law, K));
  if (!*law) return MS_SUCCESS;
  if (!*joint) {
    *joint = *law;
    *law = NULL;
    return MS_SUCCESS;
  }
  if (ms_joint_count_members(*joint) == 0) {
    ms_joint *first = *joint;
    *joint = NULL;
    ms_status status = ms_joint_create_parallel(ctx, 1, joint);
    if (status == MS_SUCCESS) status = ms_joint_take_member(*joint, &first, NULL);
    ms_joint_destroy(&first);
    MS_TRY(status);
  }
  return ms_joint_take_member(*joint, law, NULL);
}

int ms_joint_count_members(const ms_joint *joint) {
  return joint->law->update == update ? ((const parallel_model *)joint->model)->n : 0;
}

const ms_joint *ms_joint_get_member(const ms_joint *joint, int index) {
  if (index < 0 || index >= ms_joint_count_members(joint)) return NULL;
  return ((const parallel_model *)joint->model)->member[index].joint;
}

/* ---- for tangents, which step the members one by one ---- */

static const parallel_member *find_member(const ms_joint *joint, int index) {
  return &((const parallel_model *)joint->model)->member[index];
}

ms_joint *ms_parallel_member(const ms_joint *joint, int index, const int **axis) {
  const parallel_member *m = find_member(joint, index);
  *axis = m->axis;
  return m->joint;
}

void ms_parallel_input(const ms_joint *joint, int index, const ms_joint_input *in,
                       ms_joint_input *own) {
  member_input(find_member(joint, index), in, own);
}

void ms_parallel_add(const ms_joint *joint, int index, const ms_joint_output *own,
                     ms_joint_output *out) {
  add_output(find_member(joint, index), joint->law->info.n_axis, own, out);
}
