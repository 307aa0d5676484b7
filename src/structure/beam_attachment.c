/* A beam in a structure that was made of it, whose coordinates may have become one since: what acts
   on them while the ground moves, and the shortening that a joint at its end feels. Coordinates
   that are one have the sum of what acts on each. */
#include <microslip/beam.h>

#include "structure/impl.h"

/* place[j], of the m coordinates of the beam on its own, in s; to be freed. */
static ms_status find_places(const ms_beam *beam, const ms_structure *s, ptrdiff_t *m,
                             ptrdiff_t **place) {
  ms_structure *own;
  *place = NULL;
  MS_TRY(ms_beam_make_structure(s->ctx, beam, &own));
  *m = own->n;
  ms_status status = ms_allocate(s->ctx, own->n, sizeof **place, place);
  for (ptrdiff_t j = 0; j < own->n && status == MS_SUCCESS; j++) {
    status = ms_structure_find(s, own->name[j], *place + j);
  }
  ms_structure_destroy(&own);
  return status;
}

/* Of masses that were added to it. */
static ms_status add_attached(const ms_structure *s, int direction, double *y) {
  double *x;
  if (!s->mass) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, s->n, sizeof *x, &x));
  ms_status status = ms_structure_fill_translation(s, direction, x);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < s->n; i++) y[i] += s->mass[i] * x[i];
  ms_free(s->ctx, &x);
  return status;
}

ms_status ms_beam_add_inertia(const ms_beam *beam, const ms_structure *s, int direction,
                              double *y) {
  double *r = NULL;
  ptrdiff_t m, *place;
  ms_status status = find_places(beam, s, &m, &place);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, m, sizeof *r, &r);
  if (status == MS_SUCCESS) status = ms_beam_fill_inertia(s->ctx, beam, direction, m, r);
  for (ptrdiff_t j = 0; status == MS_SUCCESS && j < m; j++) {
    if (place[j] != MS_GROUND) y[place[j]] += r[j];
  }
  ms_free(s->ctx, &place);
  ms_free(s->ctx, &r);
  return status == MS_SUCCESS ? add_attached(s, direction, y) : status;
}

/* ---- shortening ---- */

/* G (n x n) of the beam over the coordinates of s. */
static ms_status fill_shortening(const ms_beam *beam, const ms_structure *s, double *G) {
  double *own = NULL;
  ptrdiff_t m, *place;
  ms_status status = find_places(beam, s, &m, &place);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, m * m, sizeof *own, &own);
  if (status == MS_SUCCESS) status = ms_beam_fill_shortening(s->ctx, beam, m, own);
  for (ptrdiff_t ik = 0; status == MS_SUCCESS && ik < m * m; ik++) {
    const ptrdiff_t i = place[ik % m], k = place[ik / m];
    if (i != MS_GROUND && k != MS_GROUND) G[i + s->n * k] += own[ik];
  }
  ms_free(s->ctx, &place);
  ms_free(s->ctx, &own);
  return status;
}

static double weight_on(const ms_attachment *attachment, int axis, ptrdiff_t i) {
  return (attachment->to[axis] == i ? 1.0 : 0.0) - (attachment->from[axis] == i ? 1.0 : 0.0) +
         (attachment->mapping_row[axis] ? attachment->mapping_row[axis][i] : 0.0);
}

/* The end is at ux - u^T G u/2, of which an axis has its weight on ux. */
static ms_status set_axes(ms_structure *s, int joint, int n_axis, ptrdiff_t ux, const double *G,
                          double *work, ptrdiff_t modes) {
  for (int a = 0; a < n_axis; a++) {
    const double weight = weight_on(&s->attachment[joint], a, ux);
    if (weight == 0.0) continue;
    for (ptrdiff_t i = 0; i < s->n * s->n; i++) work[i] = -weight * G[i];
    MS_TRY(ms_structure_set_curvature(s, joint, a, work, modes));
  }
  return MS_SUCCESS;
}

ms_status ms_beam_set_shortening(const ms_beam *beam, ms_structure *s, int joint, int n_axis,
                                 ptrdiff_t modes) {
  ptrdiff_t ux = MS_GROUND;
  double *G;
  int attached = 0;
  if (!beam || ms_structure_find(s, "end.ux", &ux) != MS_SUCCESS || ux == MS_GROUND) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "shortening needs a beam with the degree of freedom end.ux (axial: static)");
  }
  for (int a = 0; a < n_axis; a++) attached |= weight_on(&s->attachment[joint], a, ux) != 0.0;
  if (!attached) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "shortening: the joint is not attached to end.ux");
  }
  MS_TRY(ms_allocate(s->ctx, 2 * s->n * s->n, sizeof *G, &G));
  ms_status status = fill_shortening(beam, s, G);
  if (status == MS_SUCCESS) status = set_axes(s, joint, n_axis, ux, G, G + s->n * s->n, modes);
  ms_free(s->ctx, &G);
  return status;
}

ms_status ms_beam_find_nodes(const ms_beam *beam, const ms_structure *s, ptrdiff_t *n,
                             ms_beam_node **node) {
  ptrdiff_t m, *place;
  *node = NULL;
  ms_status status = find_places(beam, s, &m, &place);
  if (status == MS_SUCCESS) status = ms_beam_list_nodes(s->ctx, beam, n, node);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < *n; k++) {
    ptrdiff_t *const own[] = { &(*node)[k].uy, &(*node)[k].rz, &(*node)[k].ux };
    for (int d = 0; d < 3; d++) *own[d] = *own[d] == MS_GROUND ? MS_GROUND : place[*own[d]];
  }
  ms_free(s->ctx, &place);
  return status;
}
