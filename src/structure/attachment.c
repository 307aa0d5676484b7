/* Where joints sit: what their axes read of the structure's coordinates, and what they give back.

     z = b^T u + u^T G u/2,      force on u: (b + G u) f

   b is a difference of two coordinates and perhaps a mapping row; G is rare. In modes, with y the
   lowest n_curved of q:  z = gamma^T q + y^T curvature y/2. */
#include <stdio.h>
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "joint/impl.h"
#include "structure/impl.h"

/* ---- life ---- */

static int count_axes(const ms_attachment *attachment) {
  return ms_joint_info(attachment->joint)->n_axis;
}

void ms_attachments_forget(ms_structure *s) {
  for (int j = 0; j < s->n_attachment; j++) {
    for (int a = 0; a < MS_JOINT_MAX_AXIS; a++) ms_free(s->ctx, &s->attachment[j].curvature[a]);
    s->attachment[j].n_curved = 0;
  }
  s->n_curved = 0;
}

void ms_attachments_close(ms_structure *s) {
  for (int j = 0; j < s->n_attachment; j++) {
    ms_attachment *attachment = &s->attachment[j];
    ms_joint_destroy(&attachment->joint);
    ms_free(s->ctx, &attachment->name);
    for (int a = 0; a < MS_JOINT_MAX_AXIS; a++) {
      ms_free(s->ctx, &attachment->mapping_row[a]);
      ms_free(s->ctx, &attachment->G[a]);
    }
  }
  ms_free(s->ctx, &s->attachment);
}

/* The virgin joint's tangents: its stuck stiffness and its dashpot. */
static ms_status find_stuck(ms_structure *s, ms_attachment *attachment) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_joint_trial trial;
  int n = ms_joint_info(attachment->joint)->n_axis;
  MS_TRY(ms_joint_start(attachment->joint, NULL));
  MS_TRY(ms_joint_update(attachment->joint, &in, &out, &trial));
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < n; b++) {
      attachment->stuck[a + n * b] = 0.5 * (out.du[a + n * b] + out.du[b + n * a]);
      attachment->dashpot[a + n * b] = out.dv[a + n * b];
      if (isfinite(out.du[a + n * b]) && isfinite(out.dv[a + n * b])) continue;
      return ms_fail(s->ctx, MS_ERR_NUMERIC, "joint %s has no finite %s at rest", attachment->name,
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
  MS_TRY(ms_resize(s->ctx, s->n_attachment + 1, sizeof *s->attachment, &s->attachment));
  ms_attachment *attachment = &s->attachment[s->n_attachment];
  *attachment = (ms_attachment) { .joint = *joint, .first = s->n_axis };
  MS_TRY(ms_text_copy(s->ctx, name, &attachment->name));
  int n = ms_joint_info(*joint)->n_axis;
  memcpy(attachment->from, from, (size_t)n * sizeof *from);
  memcpy(attachment->to, to, (size_t)n * sizeof *to);
  ms_status status = find_stuck(s, attachment);
  if (status != MS_SUCCESS) {
    ms_free(s->ctx, &attachment->name);
    return status;
  }
  *joint = NULL;
  s->n_attachment++;
  s->n_axis += n;
  s->ready = 0;
  return MS_SUCCESS;
}

/* ---- mapping rows and curvature ---- */

static ms_status find_axis(ms_structure *s, int joint, int axis, ms_attachment **out) {
  if (joint < 0 || joint >= s->n_attachment) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "there is no joint %d; there are %d", joint,
                   s->n_attachment);
  }
  *out = &s->attachment[joint];
  if (axis >= 0 && axis < count_axes(*out)) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT, "joint %s has %d axes; there is no axis %d", (*out)->name,
                 count_axes(*out), axis);
}

ms_status ms_structure_set_mapping_row(ms_structure *s, int joint, int axis, const double *b) {
  ms_attachment *attachment = NULL;
  MS_TRY(find_axis(s, joint, axis, &attachment));
  for (ptrdiff_t i = 0; i < s->n; i++) {
    if (isfinite(b[i])) continue;
    return ms_fail(s->ctx, MS_ERR_NUMERIC, "joint %s: its weight on %s is not finite",
                   attachment->name, s->name[i]);
  }
  double **to = &attachment->mapping_row[axis];
  if (!*to) MS_TRY(ms_allocate(s->ctx, s->n, sizeof **to, to));
  memcpy(*to, b, (size_t)s->n * sizeof **to);
  s->ready = 0;
  return MS_SUCCESS;
}

ms_status ms_structure_set_curvature(ms_structure *s, int joint, int axis, const double *G,
                                     ptrdiff_t modes) {
  ms_attachment *attachment = NULL;
  MS_TRY(find_axis(s, joint, axis, &attachment));
  if (modes < 0) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "joint %s: its curvature in %td modes",
                   attachment->name, modes);
  }
  double **to = &attachment->G[axis];
  if (!*to) MS_TRY(ms_structure_allocate_square(s->ctx, s->n, to));
  MS_TRY(ms_structure_copy_symmetric(s, G, "curvature", *to));
  attachment->curved_modes = modes;
  s->ready = 0;
  return MS_SUCCESS;
}

int ms_structure_is_curved(const ms_structure *s) {
  int curved = 0;
  for (int j = 0; j < s->n_attachment; j++) {
    for (int a = 0; a < count_axes(&s->attachment[j]); a++) curved |= s->attachment[j].G[a] != NULL;
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

void ms_attachment_push(const ms_structure *s, const ms_attachment *attachment, int axis, double f,
                        double *force) {
  if (attachment->to[axis] != MS_GROUND) force[attachment->to[axis]] += f;
  if (attachment->from[axis] != MS_GROUND) force[attachment->from[axis]] -= f;
  const double *b = attachment->mapping_row[axis];
  for (ptrdiff_t i = 0; b && i < s->n; i++) force[i] += b[i] * f;
}

static double read_axis(const ms_structure *s, const ms_attachment *attachment, int axis,
                        const double *u) {
  double z = (attachment->to[axis] == MS_GROUND ? 0.0 : u[attachment->to[axis]]) -
             (attachment->from[axis] == MS_GROUND ? 0.0 : u[attachment->from[axis]]);
  const double *b = attachment->mapping_row[axis];
  for (ptrdiff_t i = 0; b && i < s->n; i++) z += b[i] * u[i];
  return z;
}

/* K += k b_a b_b^T: a few entries, unless an axis has a mapping row. */
static void add_pair(const ms_structure *s, const ms_attachment *attachment, int a, int b, double k,
                     double *K) {
  const ptrdiff_t n = s->n;
  const ptrdiff_t end[2] = { attachment->to[b], attachment->from[b] };
  for (int side = 0; side < 2; side++) {
    if (end[side] != MS_GROUND)
      ms_attachment_push(s, attachment, a, side ? -k : k, K + n * end[side]);
  }
  const double *mapping_row = attachment->mapping_row[b];
  for (ptrdiff_t j = 0; mapping_row && j < n; j++) {
    if (mapping_row[j] != 0.0) ms_attachment_push(s, attachment, a, k * mapping_row[j], K + n * j);
  }
}

void ms_attachments_add_stiffness(const ms_structure *s, int slipped, double *K) {
  for (int j = 0; j < s->n_attachment; j++) {
    const ms_attachment *attachment = &s->attachment[j];
    double left[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
    const double *K_joint = slipped ? left : attachment->stuck;
    int m = count_axes(attachment);
    ms_joint_fill_macroslip(attachment->joint, left);
    for (int ab = 0; ab < m * m; ab++) add_pair(s, attachment, ab % m, ab / m, K_joint[ab], K);
  }
}

int ms_attachments_slip(const ms_structure *s) {
  for (int j = 0; j < s->n_attachment; j++) {
    const ms_attachment *attachment = &s->attachment[j];
    double left[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
    int m = count_axes(attachment);
    ms_joint_fill_macroslip(attachment->joint, left);
    for (int ab = 0; ab < m * m; ab++) {
      if (left[ab] != attachment->stuck[ab]) return 1;
    }
  }
  return 0;
}

ms_status ms_attachments_find_stuck(ms_structure *s) {
  for (int j = 0; j < s->n_attachment; j++) MS_TRY(find_stuck(s, &s->attachment[j]));
  return MS_SUCCESS;
}

/* ---- in modes ---- */

/* curvature := Phi^T G Phi over the lowest modes; work is n x n_curved. */
static ms_status project_curvature(const ms_structure *s, ms_attachment *attachment, int axis,
                                   double *work) {
  const int n = (int)s->n, m = (int)attachment->n_curved;
  if (!attachment->G[axis]) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, attachment->n_curved * attachment->n_curved, sizeof(double),
                     &attachment->curvature[axis]));
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, n, 1.0, attachment->G[axis], n,
              s->shape, n, 0.0, work, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1.0, s->shape, n, work, n, 0.0,
              attachment->curvature[axis], m);
  return MS_SUCCESS;
}

static ms_status bend_attachment(ms_structure *s, ms_attachment *attachment) {
  double *work;
  int curved = 0;
  for (int a = 0; a < count_axes(attachment); a++) curved |= attachment->G[a] != NULL;
  if (!curved) return MS_SUCCESS;
  const ptrdiff_t given = attachment->curved_modes;
  attachment->n_curved = given > 0 && given < s->n ? given : s->n;
  attachment->first_curved = s->n_axis + s->n_curved;
  s->n_curved += attachment->n_curved;
  MS_TRY(ms_allocate(s->ctx, s->n * attachment->n_curved, sizeof *work, &work));
  ms_status status = MS_SUCCESS;
  for (int a = 0; a < count_axes(attachment) && status == MS_SUCCESS; a++) {
    status = project_curvature(s, attachment, a, work);
  }
  ms_free(s->ctx, &work);
  return status;
}

ms_status ms_attachments_project(ms_structure *s) {
  const ptrdiff_t n = s->n;
  for (int j = 0; j < s->n_attachment; j++) MS_TRY(bend_attachment(s, &s->attachment[j]));
  const ptrdiff_t columns = s->n_axis + s->n_curved;
  MS_TRY(ms_allocate(s->ctx, n * (columns > 0 ? columns : 1), sizeof(double), &s->gamma));
  for (int j = 0; j < s->n_attachment; j++) {
    const ms_attachment *attachment = &s->attachment[j];
    for (int a = 0; a < count_axes(attachment); a++) {
      double *g = s->gamma + n * (attachment->first + a);
      for (ptrdiff_t r = 0; r < n; r++) g[r] = read_axis(s, attachment, a, s->shape + n * r);
    }
    for (ptrdiff_t r = 0; r < attachment->n_curved; r++)
      s->gamma[r + n * (attachment->first_curved + r)] = 1.0;
  }
  return MS_SUCCESS;
}

int ms_structure_print_alike(const ms_structure *s, int first, char *text, int size) {
  const ms_joint *joint = ms_structure_get_joint(s, first);
  int n = ms_structure_count_joints(s), many = 0;
  for (int j = 0; j < n; j++) {
    if (j == first || !ms_joint_is_like(joint, ms_structure_get_joint(s, j))) continue;
    if (j < first) return 0;
    many = 1;
  }
  int at = snprintf(text, (size_t)size, "Joint%s %s", many ? "s" : "",
                    ms_structure_get_joint_name(s, first));
  for (int j = first + 1; j < n && at < size - 100; j++) {
    if (!ms_joint_is_like(joint, ms_structure_get_joint(s, j))) continue;
    at += snprintf(text + at, (size_t)(size - at), ", %.90s", ms_structure_get_joint_name(s, j));
  }
  if (at < size) snprintf(text + at, (size_t)(size - at), "%s:", at < size - 100 ? "" : ", ...");
  return 1;
}
