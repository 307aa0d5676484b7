/* The cut of a bolt: pairs of coincident nodes of two halves of a shank, of which the second moves
   with the first but for a displacement along the normal of the cut, which all pairs share:

     u_a - u_b = n v,   v = n . (u_a0 - u_b0) of the first pair; v = 0 where its length is held

   v > 0 lets the halves overlap: the shank is shorter by v, and a force F that works on v, n F on
   a0 and -n F on b0, is the bolt's tension. */
#include "fem/contact/bolt.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "fem/model/model.h"
#include "fem/tolerance.h"

typedef struct cut {
  ptrdiff_t n;
  int32_t *node[2]; /* n each, in pairs */
  double normal[3]; /* unit vector, from the first half to the second */
} cut;

static void free_cut(ms_context *ctx, cut *c) {
  for (int s = 0; s < 2; s++) ms_free(ctx, &c->node[s]);
}

/* The nodes of a set, each once; of faces also their mean normal, outward. */
static ms_status gather(const ms_fem_model *m, const char *name, ptrdiff_t *n, int32_t **out,
                        double *normal) {
  ms_mesh_set set;
  unsigned char *seen;
  *n = 0;
  memset(normal, 0, 3 * sizeof *normal);
  const int faces = ms_mesh_find_set(m->mesh, MS_SET_FACES, name, &set) == MS_SUCCESS;
  if (!faces) {
    ms_context_clear_message(m->ctx);
    MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_NODES, name, &set));
  }
  MS_TRY(ms_allocate(m->ctx, (faces ? MS_FACE_NODES : 1) * set.n + 1, sizeof **out, out));
  MS_TRY(ms_allocate(m->ctx, m->mesh->n_node, 1, &seen));
  for (ptrdiff_t k = 0; k < set.n; k++) {
    int32_t node[MS_FACE_NODES] = { faces ? 0 : set.index[k] };
    double x[3 * MS_FACE_NODES], area[MS_FACE_NODES], to[3 * MS_FACE_NODES];
    const int of = faces ? ms_face_gather(m->mesh, set.index[k], set.face[k], node, x)->n_node : 1;
    if (faces) ms_face_weigh(of, x, area, to);
    for (int i = 0; i < of; i++) {
      for (int a = 0; a < 3 && faces; a++) normal[a] += to[3 * i + a];
      if (!seen[node[i]]) (*out)[(*n)++] = node[i];
      seen[node[i]] = 1;
    }
  }
  ms_free(m->ctx, &seen);
  return MS_SUCCESS;
}

static double distance_of(const ms_fem_model *m, int32_t a, int32_t b) {
  const double *x = ms_fem_place(m, a), *y = ms_fem_place(m, b);
  return hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
}

/* The second nodes in the order of the first. */
static ms_status pair(const ms_fem_model *m, const ms_fem_bolt *b, ptrdiff_t n_b, cut *c) {
  ms_mesh_box box;
  MS_TRY(ms_mesh_find_box(m->mesh, NULL, &box));
  const double most = ms_mesh_tol.same_place * box.size;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    ptrdiff_t near = i;
    const int32_t a = c->node[0][i];
    for (ptrdiff_t j = i; j < n_b; j++) {
      if (c->node[1][j] == a) {
        return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                       "bolt '%s': '%s' and '%s' share a node; a cut divides the shank into halves "
                       "that are not merged across it",
                       b->name, b->cut[0], b->cut[1]);
      }
      if (distance_of(m, a, c->node[1][j]) < distance_of(m, a, c->node[1][near])) near = j;
    }
    const double away = i < n_b ? distance_of(m, a, c->node[1][near]) : HUGE_VAL;
    if (away > most || n_b != c->n) {
      const double *x = ms_fem_place(m, a);
      return ms_fail(
          m->ctx, MS_ERR_ARGUMENT,
          "bolt '%s': '%s' (%td nodes) and '%s' (%td nodes) are no cut of a shank, whose "
          "halves end on the same places: the node at (%.6g, %.6g, %.6g) m is %.3g m "
          "from the nearest one",
          b->name, b->cut[0], c->n, b->cut[1], n_b, x[0], x[1], x[2], away);
    }
    const int32_t found = c->node[1][near];
    c->node[1][near] = c->node[1][i];
    c->node[1][i] = found;
  }
  return MS_SUCCESS;
}

/* Along the axis that was given, or the normal of faces, which is one. */
static ms_status find_normal(const ms_fem_model *m, const ms_fem_bolt *b, const double *normal,
                             cut *c) {
  const double *axis = b->axis[0] != 0.0 || b->axis[1] != 0.0 || b->axis[2] != 0.0 ? b->axis : NULL;
  const double *n = axis ? axis : normal, size = hypot(hypot(n[0], n[1]), n[2]);
  const double *x_0 = ms_fem_place(m, c->node[0][0]);
  if (!axis && !(size > 0.0)) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                   "bolt '%s': a cut of sets of nodes needs an axis, from '%s' to '%s'", b->name,
                   b->cut[0], b->cut[1]);
  }
  for (int a = 0; a < 3; a++) c->normal[a] = n[a] / size;
  double extent = 0.0, off = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const double *x = ms_fem_place(m, c->node[0][i]);
    double along = 0.0;
    for (int a = 0; a < 3; a++) along += c->normal[a] * (x[a] - x_0[a]);
    off = fmax(off, fabs(along));
    extent = fmax(extent, distance_of(m, c->node[0][i], c->node[0][0]));
  }
  if (off <= ms_mesh_tol.cut * extent) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                 "bolt '%s': the cut '%s' is not flat across the bolt's axis (%.3g, %.3g, %.3g): "
                 "its nodes are up to %.3g m out of the plane",
                 b->name, b->cut[0], c->normal[0], c->normal[1], c->normal[2], off);
}

static ms_status find_cut(const ms_fem_model *m, const ms_fem_bolt *b, cut *c) {
  double normal[2][3];
  ptrdiff_t n_b = 0;
  *c = (cut) { 0 };
  ms_status status = gather(m, b->cut[0], &c->n, &c->node[0], normal[0]);
  if (!status) status = gather(m, b->cut[1], &n_b, &c->node[1], normal[1]);
  if (!status && c->n == 0) {
    status = ms_fail(m->ctx, MS_ERR_ARGUMENT, "bolt '%s': '%s' is empty", b->name, b->cut[0]);
  }
  if (!status) status = pair(m, b, n_b, c);
  if (!status) status = find_normal(m, b, normal[0], c);
  if (status) free_cut(m->ctx, c);
  return status;
}

/* u of component a of pair i: the terms of the first less the second. */
static int add_terms(const cut *c, ptrdiff_t i, int a, double factor, ms_fem_term *term) {
  if (factor == 0.0) return 0;
  term[0] = (ms_fem_term) { c->node[0][i], a, factor };
  term[1] = (ms_fem_term) { c->node[1][i], a, -factor };
  return 2;
}

/* u_a - u_b = n v of pair i; of the first one, which has v, only what is across n. */
static ms_status link_pair(ms_fem_model *m, const char *name, const cut *c, ptrdiff_t i, int open) {
  int along = 0; /* the largest component of n: that of the first pair is v */
  for (int a = 1; a < 3; a++) {
    if (fabs(c->normal[a]) > fabs(c->normal[along])) along = a;
  }
  for (int a = 0; a < 3; a++) {
    ms_fem_term term[8];
    int n = i > 0 || !open ? add_terms(c, i, a, 1.0, term) : 0;
    if (open && i == 0 && a == along) continue;
    for (int k = 0; k < 3 && open; k++) {
      const double one = i == 0 && k == a ? 1.0 : 0.0;
      n += add_terms(c, 0, k, one - c->normal[a] * c->normal[k], term + n);
    }
    MS_TRY(ms_fem_link(m, name, n, term, 0.0));
  }
  const int rotates = m->n_comp[c->node[0][i]] == 6 && m->n_comp[c->node[1][i]] == 6;
  for (int a = 3; a < 6 && rotates; a++) {
    ms_fem_term term[2];
    MS_TRY(ms_fem_link(m, name, add_terms(c, i, a, 1.0, term), term, 0.0));
  }
  return MS_SUCCESS;
}

ms_status ms_fem_add_bolt(ms_fem_model *m, const ms_fem_bolt *bolt, int open) {
  cut c;
  MS_NEED(m->ctx, bolt->name && bolt->cut[0] && bolt->cut[1]);
  MS_TRY(find_cut(m, bolt, &c));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < c.n && !status; i++) status = link_pair(m, bolt->name, &c, i, open);
  free_cut(m->ctx, &c);
  return status;
}

ms_status ms_fem_add_tension(const ms_fem_model *m, const ms_fem_bolt *bolt, double *load) {
  cut c;
  ms_status status = MS_SUCCESS;
  MS_TRY(find_cut(m, bolt, &c));
  for (int s = 0; s < 2; s++) {
    for (int a = 0; a < 3 && !status; a++) {
      int32_t i;
      status = ms_fem_find_index(m, c.node[s][0], a, &i);
      if (!status) load[i] += (s == 0 ? 1.0 : -1.0) * c.normal[a];
    }
  }
  free_cut(m->ctx, &c);
  return status;
}
