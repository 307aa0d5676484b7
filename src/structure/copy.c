/* A structure for another thread: its joints move on their own, its modes are those of the
 * original. */
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

static ms_status copy_array(ms_context *ctx, const double *from, ptrdiff_t n, double **out) {
  if (!from) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, n, sizeof **out, out));
  memcpy(*out, from, (size_t)n * sizeof **out);
  return MS_SUCCESS;
}

static ms_status copy_attachment(ms_structure *s, const ms_attachment *from) {
  const ptrdiff_t n = s->n;
  ms_attachment *to = &s->attachment[s->n_attachment++];
  *to = *from;
  to->name = NULL;
  to->joint = NULL;
  for (int a = 0; a < MS_JOINT_MAX_AXIS; a++)
    to->mapping_row[a] = to->G[a] = to->curvature[a] = NULL;
  MS_TRY(ms_text_copy(s->ctx, from->name, &to->name));
  MS_TRY(ms_joint_copy(s->ctx, from->joint, &to->joint));
  for (int a = 0; a < MS_JOINT_MAX_AXIS; a++) {
    MS_TRY(copy_array(s->ctx, from->mapping_row[a], n, &to->mapping_row[a]));
    MS_TRY(copy_array(s->ctx, from->G[a], n * n, &to->G[a]));
    MS_TRY(
        copy_array(s->ctx, from->curvature[a], from->n_curved * from->n_curved, &to->curvature[a]));
  }
  return MS_SUCCESS;
}

static ms_status copy_parts(const ms_structure *from, ms_structure *s) {
  const ptrdiff_t n = s->n;
  memcpy(s->M, from->M, (size_t)(n * n) * sizeof *s->M);
  memcpy(s->K, from->K, (size_t)(n * n) * sizeof *s->K);
  MS_TRY(ms_structure_set_rounding(s, from->rounding));
  for (ptrdiff_t i = 0; i < from->n_alias; i++) {
    MS_TRY(ms_structure_add_alias(s, from->alias[i].name, from->alias[i].i));
  }
  MS_TRY(copy_array(s->ctx, from->mass, n, &s->mass));
  for (ptrdiff_t i = 0; i < from->n_spring; i++) {
    const ms_spring *spring = &from->spring[i];
    MS_TRY(ms_structure_keep_spring(s, spring->name, spring->from, spring->to, spring->k));
  }
  s->damping = from->damping;
  s->contact = from->contact;
  memcpy(s->rayleigh, from->rayleigh, sizeof s->rayleigh);
  MS_TRY(copy_array(s->ctx, from->zeta, n, &s->zeta));
  MS_TRY(copy_array(s->ctx, from->modal_damping, n, &s->modal_damping));
  MS_TRY(copy_array(s->ctx, from->C, n * n, &s->C));
  if (from->n_attachment > 0)
    MS_TRY(ms_allocate(s->ctx, from->n_attachment, sizeof *s->attachment, &s->attachment));
  for (int j = 0; j < from->n_attachment; j++) MS_TRY(copy_attachment(s, &from->attachment[j]));
  s->n_axis = from->n_axis;
  s->n_curved = from->n_curved;
  return MS_SUCCESS;
}

ms_status ms_structure_copy(ms_context *ctx, const ms_structure *from, ms_structure **out) {
  MS_MAKE(ctx, out, from);
  if (!from->ready) return ms_fail(ctx, MS_ERR_STATE, "call ms_structure_setup first");
  ms_structure *s;
  MS_TRY(ms_structure_create(ctx, from->n, (const char *const *)from->name, &s));
  ms_status status = copy_parts(from, s);
  if (status != MS_SUCCESS) {
    ms_structure_destroy(&s);
    return status;
  }
  s->omega = from->omega, s->shape = from->shape;
  s->omega_slip = from->omega_slip, s->shape_slip = from->shape_slip;
  s->gamma = from->gamma, s->modal_damping_full = from->modal_damping_full;
  s->shared = s->ready = 1;
  *out = s;
  return MS_SUCCESS;
}
