/* States of a contact: copied, taken over from another, marked and gone back to. */
#include <cblas.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/impl.h"

ms_status ms_contact_copy(ms_context *ctx, const ms_contact *from, ms_contact **out) {
  ms_contact *c = NULL;
  MS_MAKE(ctx, out, from);
  const ms_contact_problem problem = { from->n,         from->n_load,
                                       from->point,     from->H,
                                       from->S_0,       from->z_load,
                                       from->load_load, (const char *const *)from->group };
  const ptrdiff_t n = 3 * from->n;
  MS_TRY(ms_contact_create(ctx, &problem, &from->setting, &c));
  memcpy(c->offset, from->offset, (size_t)n * sizeof *c->offset);
  memcpy(c->v_0, from->v_0, (size_t)c->n_load * sizeof *c->v_0);
  memcpy(c->M, from->M, (size_t)(n * n) * sizeof *c->M);
  memcpy(c->b, from->b, (size_t)(n * (c->n_load + 1)) * sizeof *c->b);
  memcpy(c->closed, from->closed, (size_t)c->n);
  memcpy(c->glued, from->glued, (size_t)c->n);
  memcpy(c->marked_closed, from->marked_closed, (size_t)c->n);
  c->spent = from->spent, c->marked_spent = from->marked_spent;
  ms_contact_copy_values(c, &from->now, &c->now);
  ms_contact_copy_values(c, &from->marked, &c->marked);
  c->started = from->started;
  *out = c;
  return MS_SUCCESS;
}

/* offset = (I - H S_0) z + H lambda at zero loads, z with the gap. */
static void find_offset(ms_contact *c) {
  const ptrdiff_t n = 3 * c->n;
  for (ptrdiff_t i = 0; i < n; i++) {
    c->zt[i] = c->now.z[i] + (i % 3 == 2 ? c->point[i / 3].gap : 0.0);
    c->lt[i] = c->now.lambda[i] - c->S_0[i] * c->zt[i];
  }
  memcpy(c->offset, c->zt, (size_t)n * sizeof *c->offset);
  cblas_dsymv(CblasColMajor, CblasUpper, (int)n, 1.0, c->H, (int)n, c->lt, 1, 1.0, c->offset, 1);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (c->held[i]) c->offset[i] = c->zt[i];
  }
  for (ptrdiff_t k = 0; k < c->n_load; k++) {
    c->v_0[k] = -cblas_ddot((int)n, c->z_load + n * k, 1, c->lt, 1);
  }
}

ms_status ms_contact_continue(ms_contact *c, const ms_contact *from) {
  MS_NEED(c ? c->ctx : NULL, c && from);
  if (c->n != from->n || c->started) {
    return ms_fail(c->ctx, MS_ERR_ARGUMENT,
                   "a contact goes on from another of as many points, before its first load");
  }
  const size_t n = (size_t)c->n;
  memcpy(c->now.z, from->now.z, 3 * n * sizeof *c->now.z);
  memcpy(c->now.lambda, from->now.lambda, 3 * n * sizeof *c->now.lambda);
  memcpy(c->now.dissipated, from->now.dissipated, n * sizeof *c->now.dissipated);
  memcpy(c->now.slip, from->now.slip, n * sizeof *c->now.slip);
  memcpy(c->now.status, from->now.status, n);
  memcpy(c->glued, from->glued, n);
  c->now.residual = from->now.residual;
  for (ptrdiff_t i = 0; i < c->n; i++) c->closed[i] = c->now.status[i] != MS_CONTACT_OPEN;
  c->started = 1;
  find_offset(c);
  MS_TRY(ms_contact_make_base(c));
  ms_contact_refer(c);
  ms_contact_mark(c);
  return MS_SUCCESS;
}

ms_status ms_contact_glue(ms_contact *c, int group) {
  ptrdiff_t n = 0;
  MS_NEED(c ? c->ctx : NULL, c);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (c->point[i].group != group || c->now.status[i] == MS_CONTACT_OPEN) continue;
    c->glued[i] = 1;
    c->now.status[i] = MS_CONTACT_STICK;
    n++;
  }
  if (n == 0 && c->group && group >= 0 && group < c->n_group) {
    return ms_fail(c->ctx, MS_ERR_ARGUMENT,
                   "contact '%.60s' cannot be glued: no point of it is closed", c->group[group]);
  }
  if (n == 0) {
    return ms_fail(c->ctx, MS_ERR_ARGUMENT,
                   "contact %d of %d cannot be glued: no point of it is closed", group, c->n_group);
  }
  c->moves = 0;
  MS_TRY(ms_contact_rebase(c));
  ms_contact_mark(c);
  return MS_SUCCESS;
}

void ms_contact_mark(ms_contact *c) {
  ms_contact_copy_values(c, &c->now, &c->marked);
  memcpy(c->marked_closed, c->closed, (size_t)c->n);
  c->marked_spent = c->spent;
}

/* The base state, too: what follows has the same digits whatever was done since. */
ms_status ms_contact_return(ms_contact *c) {
  MS_NEED(c ? c->ctx : NULL, c);
  ms_contact_copy_values(c, &c->marked, &c->now);
  MS_TRY(ms_contact_change_base(c, c->marked_closed));
  c->spent = c->marked_spent;
  ms_contact_refer(c);
  c->moves = 0;
  return MS_SUCCESS;
}
