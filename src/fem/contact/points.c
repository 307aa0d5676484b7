/* Contact points: nodes of two sets of linear faces that lie opposite each other. */
#include <math.h>
#include <string.h>

#include <microslip/fem_contact.h>

#include "core/internal.h"
#include "fem/model/model.h"
#include "fem/tolerance.h"

/* A node on a set of faces. */
typedef struct side_node {
  int32_t node;
  double area, normal[3]; /* integrals of its shape functions, and of these times the normal */
  double stiffness;       /* Young's modulus of the faces' elements, weighted by area */
  double side;            /* m: the same of the square root of the faces' areas */
} side_node;

typedef struct side {
  const char *faces;
  ptrdiff_t n;
  side_node *node;
} side;

typedef struct work {
  ms_fem_model *m;
  const ms_fem_contact *contact;
  side side[2];
  int32_t *at; /* mesh nodes: place in a side, or -1 */
} work;

/* ---- nodes, areas and normals of a set ---- */

static ms_status refuse_quadratic(const work *w, const side *s) {
  return ms_fail(
      w->m->ctx, MS_ERR_ARGUMENT,
      "contact '%s': the faces '%s' are quadratic, whose node weights are zero or negative at the "
      "corners: take linear elements (hex8, tet4, wedge6)",
      w->contact->name, s->faces);
}

static void add_face(const work *w, side *s, const int32_t *node, int n, const double *x,
                     double E) {
  double area[MS_FACE_NODES], normal[3 * MS_FACE_NODES], whole = 0.0;
  ms_face_weigh(n, x, area, normal);
  for (int i = 0; i < n; i++) whole += area[i];
  for (int i = 0; i < n; i++) {
    side_node *at = &s->node[w->at[node[i]]];
    at->area += area[i];
    at->stiffness += area[i] * E;
    at->side += area[i] * sqrt(whole);
    for (int a = 0; a < 3; a++) at->normal[a] += normal[3 * i + a];
  }
}

static ms_status gather_side(work *w, side *s) {
  const ms_fem_model *m = w->m;
  ms_mesh_set set;
  MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_FACES, s->faces, &set));
  for (ptrdiff_t i = 0; i < m->mesh->n_node; i++) w->at[i] = -1;
  MS_TRY(ms_allocate(m->ctx, 4 * set.n + 1, sizeof *s->node, &s->node));
  for (ptrdiff_t k = 0; k < set.n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES];
    const ms_face *f = ms_face_gather(m->mesh, set.index[k], set.face[k], node, x);
    if (f->n_node > 4) return refuse_quadratic(w, s);
    for (int i = 0; i < f->n_node; i++) {
      if (w->at[node[i]] >= 0) continue;
      w->at[node[i]] = (int32_t)s->n;
      s->node[s->n++].node = node[i];
    }
    const ms_part *part =
        ms_mesh_get_part(m->mesh, m->mesh->block[ms_mesh_find_block(m->mesh, set.index[k])].part);
    add_face(w, s, node, f->n_node, x,
             fmax(part->material.E[0], fmax(part->material.E[1], part->material.E[2])));
  }
  for (ptrdiff_t i = 0; i < s->n; i++) {
    side_node *at = &s->node[i];
    at->stiffness /= at->area;
    at->side /= at->area;
  }
  return MS_SUCCESS;
}

/* ---- pairs ---- */

static double distance(const ms_mesh *mesh, int32_t a, int32_t b) {
  const double *x = mesh->x + 3 * (ptrdiff_t)a, *y = mesh->x + 3 * (ptrdiff_t)b;
  return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
              (x[2] - y[2]) * (x[2] - y[2]));
}

static ms_status find_partner(const work *w, const side_node *a, unsigned char *taken,
                              const side_node **out) {
  const ms_mesh *mesh = w->m->mesh;
  const side *other = &w->side[1];
  const double reach = w->contact->reach > 0.0 ? w->contact->reach : ms_mesh_tol.apart * a->side;
  ptrdiff_t best = -1;
  double least = HUGE_VAL;
  for (ptrdiff_t k = 0; k < other->n; k++) {
    const double d = distance(mesh, a->node, other->node[k].node);
    if (d < least) least = d, best = k;
  }
  if (best >= 0 && other->node[best].node == a->node) {
    return ms_fail(
        w->m->ctx, MS_ERR_ARGUMENT,
        "contact '%s': '%s' and '%s' share node %td; parts in contact have nodes of their own",
        w->contact->name, w->side[0].faces, other->faces, ms_mesh_get_node_label(mesh, a->node));
  }
  if (best < 0 || least > reach || taken[best]) {
    return ms_fail(w->m->ctx, MS_ERR_ARGUMENT,
                   "contact '%s': node %td of '%s' is %.3g m away from the nearest %snode of '%s', "
                   "farther than "
                   "%.3g m: the faces are apart or their meshes do not match",
                   w->contact->name, ms_mesh_get_node_label(mesh, a->node), w->side[0].faces, least,
                   best >= 0 && taken[best] ? "(already paired) " : "", other->faces, reach);
  }
  taken[best] = 1;
  *out = &other->node[best];
  return MS_SUCCESS;
}

/* t1 is the projection of the x axis, or of y where that is nearly the normal. */
static void fill_axes(const double *n, double *axes) {
  const int from = fabs(n[0]) > 0.9;
  double t[3] = { 0.0, 0.0, 0.0 }, size = 0.0;
  t[from] = 1.0;
  for (int a = 0; a < 3; a++) t[a] -= n[from] * n[a], size += t[a] * t[a];
  for (int a = 0; a < 3; a++) {
    axes[a] = t[a] / sqrt(size);
    axes[6 + a] = n[a];
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    axes[3 + a] = n[b] * axes[c] - n[c] * axes[b];
  }
}

static ms_status place_point(const work *w, const side_node *a, const side_node *b,
                             ms_fem_contact_point *p) {
  const ms_mesh *mesh = w->m->mesh;
  const ms_fem_contact *c = w->contact;
  double n[3], size = 0.0, facing = 0.0, apart = 0.0;
  for (int k = 0; k < 3; k++) {
    n[k] = a->normal[k] - (b ? b->normal[k] : 0.0);
    size += n[k] * n[k];
    facing += b ? a->normal[k] * b->normal[k] : -1.0;
  }
  if (!(facing < 0.0 && size > 0.0)) {
    return ms_fail(
        w->m->ctx, MS_ERR_ARGUMENT,
        "contact '%s': at node %td '%s' and '%s' face the same way; they must face each other",
        c->name, ms_mesh_get_node_label(mesh, a->node), c->faces[0], c->faces[1]);
  }
  for (int k = 0; k < 3; k++) n[k] /= sqrt(size);
  fill_axes(n, p->axes);
  memcpy(p->at, mesh->x + 3 * (ptrdiff_t)a->node, sizeof p->at);
  for (int k = 0; b && k < 3; k++) apart += n[k] * (mesh->x[3 * (ptrdiff_t)b->node + k] - p->at[k]);
  if (apart < -ms_mesh_tol.flat * a->side && c->gap >= 0.0) {
    return ms_fail(w->m->ctx, MS_ERR_ARGUMENT,
                   "contact '%s': node %td of '%s' is %.3g m inside '%s' at (%.6g, %.6g, %.6g): "
                   "part the meshes, or "
                   "say with a negative gap that the parts interfere",
                   c->name, ms_mesh_get_node_label(mesh, a->node), c->faces[0], -apart, c->faces[1],
                   p->at[0], p->at[1], p->at[2]);
  }
  p->node[0] = a->node;
  p->node[1] = b ? b->node : -1;
  p->contact = w->m->n_contact;
  p->area = a->area;
  p->gap = apart + c->gap;
  p->mu = c->mu;
  p->K_n = c->K_n * a->area;
  p->K_t = c->K_t * a->area;
  const double E = b ? fmin(a->stiffness, b->stiffness) : a->stiffness;
  for (int k = 0; k < 3; k++) p->spring[k] = E * a->area / a->side;
  return MS_SUCCESS;
}

/* u_first - u_second along axis k; the number of terms. */
static int fill_terms(const ms_fem_contact_point *p, int k, ms_fem_term term[6]) {
  int n = 0;
  for (int s = 0; s < 2 && p->node[s] >= 0; s++) {
    for (int a = 0; a < 3; a++) {
      term[n++] = (ms_fem_term) { p->node[s], a, (s == 0 ? 1.0 : -1.0) * p->axes[3 * k + a] };
    }
  }
  return n;
}

static ms_status add_pairs(work *w, unsigned char *taken) {
  ms_fem_model *m = w->m;
  const side *first = &w->side[0];
  MS_TRY(ms_resize(m->ctx, m->n_contact_point + first->n, sizeof *m->contact_point,
                   &m->contact_point));
  for (ptrdiff_t i = 0; i < first->n; i++) {
    const side_node *b = NULL;
    ms_fem_contact_point *p = &m->contact_point[m->n_contact_point + i];
    if (w->side[1].faces) MS_TRY(find_partner(w, &first->node[i], taken, &b));
    MS_TRY(place_point(w, &first->node[i], b, p));
  }
  for (ptrdiff_t i = 0; i < first->n; i++) {
    for (int k = 0; k < 3; k++) {
      const ms_fem_contact_point *p = &m->contact_point[m->n_contact_point + i];
      ms_fem_term term[6];
      MS_TRY(ms_fem_add_spring(m, fill_terms(p, k, term), term, p->spring[k]));
    }
  }
  m->n_contact_point += first->n;
  m->n_contact++;
  return MS_SUCCESS;
}

static ms_status check_contact(const ms_fem_model *m, const ms_fem_contact *c) {
  const int layer = c->K_n != 0.0 || c->K_t != 0.0;
  MS_NEED(m->ctx, c->name && c->faces[0]);
  if (c->mu >= 0.0 && isfinite(c->mu) && isfinite(c->gap) && c->reach >= 0.0 &&
      (!layer || (c->K_n > 0.0 && c->K_t > 0.0 && isfinite(c->K_n) && isfinite(c->K_t)))) {
    return MS_SUCCESS;
  }
  return ms_fail(m->ctx, MS_ERR_BOUNDS,
                 "contact '%s': mu = %g and reach = %g are at least 0, gap = %g is finite, and K_n "
                 "= %g and K_t = %g "
                 "are both above 0 (a layer) or both 0 (rigid)",
                 c->name, c->mu, c->reach, c->gap, c->K_n, c->K_t);
}

ms_status ms_fem_add_contact(ms_fem_model *m, const ms_fem_contact *contact) {
  work w = { .m = m, .contact = contact };
  unsigned char *taken = NULL;
  MS_TRY(ms_fem_check_open(m));
  MS_TRY(check_contact(m, contact));
  const int springs = m->n_spring;
  for (int s = 0; s < 2; s++) w.side[s].faces = contact->faces[s];
  ms_status status = ms_allocate(m->ctx, m->mesh->n_node, sizeof *w.at, &w.at);
  for (int s = 0; s < 2 && status == MS_SUCCESS && contact->faces[s]; s++) {
    status = gather_side(&w, &w.side[s]);
  }
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, w.side[1].n + 1, 1, &taken);
  if (status == MS_SUCCESS) status = add_pairs(&w, taken);
  if (status != MS_SUCCESS) m->n_spring = springs;
  ms_free(m->ctx, &taken);
  ms_free(m->ctx, &w.at);
  for (int s = 0; s < 2; s++) ms_free(m->ctx, &w.side[s].node);
  return status;
}

const ms_fem_contact_point *ms_fem_get_contact_points(const ms_fem_model *m, ptrdiff_t *n) {
  *n = m->n_contact_point;
  return m->contact_point;
}

/* ---- closed points in another model ---- */

static ms_status link_point(ms_fem_model *m, const ms_fem_contact_point *p) {
  for (int a = 0; a < 3; a++) {
    const ms_fem_term term[2] = { { p->node[0], a, 1.0 }, { p->node[1], a, -1.0 } };
    MS_TRY(ms_fem_link(m, "closed contact", p->node[1] < 0 ? 1 : 2, term, 0.0));
  }
  return MS_SUCCESS;
}

ms_status ms_fem_stick(ms_fem_model *m, ptrdiff_t n, const ms_fem_contact_point *point,
                       const unsigned char *closed) {
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_fem_contact_point *p = &point[i];
    if (closed && !closed[i]) continue;
    if (p->K_n == 0.0) MS_TRY(link_point(m, p));
    for (int k = 0; k < 3 && p->K_n > 0.0; k++) {
      ms_fem_term term[6];
      MS_TRY(ms_fem_add_spring(m, fill_terms(p, k, term), term, k == 2 ? p->K_n : p->K_t));
    }
  }
  return MS_SUCCESS;
}
