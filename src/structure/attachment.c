/* Where joints sit: what their axes read of the structure's coordinates, and what they give back.

     z = b^T u + u^T G u/2,      force on u: (b + G u) f

   b is a difference of two coordinates and perhaps a mapping row; G is rare. In modes, with y the
   lowest n_bend of q:  z = gamma^T q + y^T bend y/2. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "joint/impl.h"
#include "structure/impl.h"

/* ---- life ---- */

static int count_axes(const ms_seat *seat) {
  return ms_joint_info(seat->joint)->n_axis;
}

void ms_seats_forget(ms_structure *s) {
  for (int j = 0; j < s->n_seat; j++) {
    for (int a = 0; a < MS_JOINT_MAX_AXIS; a++) ms_free(s->ctx, &s->seat[j].bend[a]);
    s->seat[j].n_bend = 0;
  }
  s->n_bend = 0;
}

void ms_seats_close(ms_structure *s) {
  for (int j = 0; j < s->n_seat; j++) {
    ms_seat *seat = &s->seat[j];
    ms_joint_destroy(&seat->joint);
    ms_free(s->ctx, &seat->name);
    for (int a = 0; a < MS_JOINT_MAX_AXIS; a++) {
      ms_free(s->ctx, &seat->mapping_row[a]);
      ms_free(s->ctx, &seat->G[a]);
    }
  }
  ms_free(s->ctx, &s->seat);
}

/* The virgin joint's tangents: its stuck stiffness and its dashpot. */
static ms_status find_stuck(ms_structure *s, ms_seat *seat) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_joint_trial trial;
  int n = ms_joint_info(seat->joint)->n_axis;
  MS_TRY(ms_joint_start(seat->joint, NULL));
  MS_TRY(ms_joint_update(seat->joint, &in, &out, &trial));
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < n; b++) {
      seat->stuck[a + n * b] = 0.5 * (out.du[a + n * b] + out.du[b + n * a]);
      seat->dashpot[a + n * b] = out.dv[a + n * b];
      if (isfinite(out.du[a + n * b]) && isfinite(out.dv[a + n * b])) continue;
      return ms_fail(s->ctx, MS_ERR_NUMERIC, "joint %s has no finite %s at rest", seat->name,
                     isfinite(out.du[a + n * b]) ? "damping" : "stiffness");
    }
  }
  return MS_SUCCESS;
}

ms_status ms_structure_take_joint(ms_structure *s, const char *name, ms_joint **joint,
                                  const ptrdiff_t *from, const ptrdiff_t *to) {
  for (int a = 0; a < ms_joint_info(*joint)->n_axis; a++) {
    MS_TRY(ms_structure_check_coordinate(s, from[a]));
    MS_TRY(ms_structure_check_coordinate(s, to[a]));
    if (from[a] == to[a]) {
      return ms_fail(s->ctx, MS_ERR_ARGUMENT, "joint %s: both ends are %s", name,
                     from[a] == MS_GROUND ? "ground" : s->name[from[a]]);
    }
  }
  MS_TRY(ms_resize(s->ctx, s->n_seat + 1, sizeof *s->seat, &s->seat));
  ms_seat *seat = &s->seat[s->n_seat];
  *seat = (ms_seat) { .joint = *joint, .first = s->n_axis };
  MS_TRY(ms_text_copy(s->ctx, name, &seat->name));
  int n = ms_joint_info(*joint)->n_axis;
  memcpy(seat->from, from, (size_t)n * sizeof *from);
  memcpy(seat->to, to, (size_t)n * sizeof *to);
  ms_status status = find_stuck(s, seat);
  if (status != MS_SUCCESS) {
    ms_free(s->ctx, &seat->name);
    return status;
  }
  *joint = NULL;
  s->n_seat++;
  s->n_axis += n;
  s->ready = 0;
  return MS_SUCCESS;
}

/* ---- mapping rows and curvature ---- */

static ms_status find_axis(ms_structure *s, int joint, int axis, ms_seat **out) {
  if (joint < 0 || joint >= s->n_seat) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "there is no joint %d; there are %d", joint, s->n_seat);
  }
  *out = &s->seat[joint];
  if (axis >= 0 && axis < count_axes(*out)) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT, "joint %s has %d axes; there is no axis %d", (*out)->name,
                 count_axes(*out), axis);
}

ms_status ms_structure_set_mapping_row(ms_structure *s, int joint, int axis, const double *b) {
  ms_seat *seat = NULL;
  MS_TRY(find_axis(s, joint, axis, &seat));
  for (ptrdiff_t i = 0; i < s->n; i++) {
    if (isfinite(b[i])) continue;
    return ms_fail(s->ctx, MS_ERR_NUMERIC, "joint %s: its weight on %s is not finite", seat->name,
                   s->name[i]);
  }
  double **to = &seat->mapping_row[axis];
  if (!*to) MS_TRY(ms_allocate(s->ctx, s->n, sizeof **to, to));
  memcpy(*to, b, (size_t)s->n * sizeof **to);
  s->ready = 0;
  return MS_SUCCESS;
}

ms_status ms_structure_set_curvature(ms_structure *s, int joint, int axis, const double *G,
                                     ptrdiff_t modes) {
  ms_seat *seat = NULL;
  MS_TRY(find_axis(s, joint, axis, &seat));
  if (modes < 0) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "joint %s: its curvature in %td modes", seat->name,
                   modes);
  }
  double **to = &seat->G[axis];
  if (!*to) MS_TRY(ms_structure_allocate_square(s->ctx, s->n, to));
  MS_TRY(ms_structure_copy_symmetric(s, G, "curvature", *to));
  seat->curved_modes = modes;
  s->ready = 0;
  return MS_SUCCESS;
}

int ms_structure_is_curved(const ms_structure *s) {
  int curved = 0;
  for (int j = 0; j < s->n_seat; j++) {
    for (int a = 0; a < count_axes(&s->seat[j]); a++) curved |= s->seat[j].G[a] != NULL;
  }
  return curved;
}

ms_status ms_structure_refuse_curved(const ms_structure *s, const char *what) {
  if (!ms_structure_is_curved(s)) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                 "%s does not support a joint whose displacement is quadratic in that of the "
                 "structure (shortening of a beam)",
                 what);
}

/* ---- as the structure sees them ---- */

void ms_seat_push(const ms_structure *s, const ms_seat *seat, int axis, double f, double *force) {
  if (seat->to[axis] != MS_GROUND) force[seat->to[axis]] += f;
  if (seat->from[axis] != MS_GROUND) force[seat->from[axis]] -= f;
  const double *b = seat->mapping_row[axis];
  for (ptrdiff_t i = 0; b && i < s->n; i++) force[i] += b[i] * f;
}

static double read_axis(const ms_structure *s, const ms_seat *seat, int axis, const double *u) {
  double z = (seat->to[axis] == MS_GROUND ? 0.0 : u[seat->to[axis]]) -
             (seat->from[axis] == MS_GROUND ? 0.0 : u[seat->from[axis]]);
  const double *b = seat->mapping_row[axis];
  for (ptrdiff_t i = 0; b && i < s->n; i++) z += b[i] * u[i];
  return z;
}

/* K += k b_a b_b^T: a few entries, unless an axis has a mapping row. */
static void add_pair(const ms_structure *s, const ms_seat *seat, int a, int b, double k,
                     double *K) {
  const ptrdiff_t n = s->n;
  const ptrdiff_t end[2] = { seat->to[b], seat->from[b] };
  for (int side = 0; side < 2; side++) {
    if (end[side] != MS_GROUND) ms_seat_push(s, seat, a, side ? -k : k, K + n * end[side]);
  }
  const double *mapping_row = seat->mapping_row[b];
  for (ptrdiff_t j = 0; mapping_row && j < n; j++) {
    if (mapping_row[j] != 0.0) ms_seat_push(s, seat, a, k * mapping_row[j], K + n * j);
  }
}

void ms_seats_add_stiffness(const ms_structure *s, int slipped, double *K) {
  for (int j = 0; j < s->n_seat; j++) {
    const ms_seat *seat = &s->seat[j];
    double left[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
    const double *K_joint = slipped ? left : seat->stuck;
    int m = count_axes(seat);
    ms_joint_fill_macroslip(seat->joint, left);
    for (int ab = 0; ab < m * m; ab++) add_pair(s, seat, ab % m, ab / m, K_joint[ab], K);
  }
}

int ms_seats_slip(const ms_structure *s) {
  for (int j = 0; j < s->n_seat; j++) {
    const ms_seat *seat = &s->seat[j];
    double left[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
    int m = count_axes(seat);
    ms_joint_fill_macroslip(seat->joint, left);
    for (int ab = 0; ab < m * m; ab++) {
      if (left[ab] != seat->stuck[ab]) return 1;
    }
  }
  return 0;
}

ms_status ms_seats_find_stuck(ms_structure *s) {
  for (int j = 0; j < s->n_seat; j++) MS_TRY(find_stuck(s, &s->seat[j]));
  return MS_SUCCESS;
}

/* ---- in modes ---- */

/* bend := Phi^T G Phi over the lowest modes; work is n x n_bend. */
static ms_status project_curvature(const ms_structure *s, ms_seat *seat, int axis, double *work) {
  const int n = (int)s->n, m = (int)seat->n_bend;
  if (!seat->G[axis]) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, seat->n_bend * seat->n_bend, sizeof(double), &seat->bend[axis]));
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, n, 1.0, seat->G[axis], n, s->shape,
              n, 0.0, work, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1.0, s->shape, n, work, n, 0.0,
              seat->bend[axis], m);
  return MS_SUCCESS;
}

static ms_status bend_seat(ms_structure *s, ms_seat *seat) {
  double *work;
  int curved = 0;
  for (int a = 0; a < count_axes(seat); a++) curved |= seat->G[a] != NULL;
  if (!curved) return MS_SUCCESS;
  const ptrdiff_t given = seat->curved_modes;
  seat->n_bend = given > 0 && given < s->n ? given : s->n;
  seat->first_bend = s->n_axis + s->n_bend;
  s->n_bend += seat->n_bend;
  MS_TRY(ms_allocate(s->ctx, s->n * seat->n_bend, sizeof *work, &work));
  ms_status status = MS_SUCCESS;
  for (int a = 0; a < count_axes(seat) && status == MS_SUCCESS; a++) {
    status = project_curvature(s, seat, a, work);
  }
  ms_free(s->ctx, &work);
  return status;
}

ms_status ms_seats_project(ms_structure *s) {
  const ptrdiff_t n = s->n;
  for (int j = 0; j < s->n_seat; j++) MS_TRY(bend_seat(s, &s->seat[j]));
  const ptrdiff_t columns = s->n_axis + s->n_bend;
  MS_TRY(ms_allocate(s->ctx, n * (columns > 0 ? columns : 1), sizeof(double), &s->gamma));
  for (int j = 0; j < s->n_seat; j++) {
    const ms_seat *seat = &s->seat[j];
    for (int a = 0; a < count_axes(seat); a++) {
      double *g = s->gamma + n * (seat->first + a);
      for (ptrdiff_t r = 0; r < n; r++) g[r] = read_axis(s, seat, a, s->shape + n * r);
    }
    for (ptrdiff_t r = 0; r < seat->n_bend; r++) s->gamma[r + n * (seat->first_bend + r)] = 1.0;
  }
  return MS_SUCCESS;
}
