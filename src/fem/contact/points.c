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
  int32_t partner;        /* of the first side: place in the other, or -1 */
  double area, normal[3]; /* integrals of its shape functions, and of these times the normal */
  double stiffness;       /* Young's modulus of the faces' elements, weighted by area */
  double side;            /* m: the same of the square root of the faces' areas */
  double largest;         /* m: the largest of these, of all its faces */
} side_node;

typedef struct side {
  const char *faces;
  ms_mesh_set set;
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

/* The nodes of a set, each once, with the size of their faces. */
static ms_status gather_nodes(work *w, side *s) {
  const ms_fem_model *m = w->m;
  MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_FACES, s->faces, &s->set));
  for (ptrdiff_t i = 0; i < m->mesh->n_node; i++) w->at[i] = -1;
  MS_TRY(ms_allocate(m->ctx, 4 * s->set.n + 1, sizeof *s->node, &s->node));
  for (ptrdiff_t k = 0; k < s->set.n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES], share[MS_FACE_NODES], area = 0.0;
    const ms_face *f = ms_face_gather(m->mesh, s->set.index[k], s->set.face[k], node, x);
    if (f->n_node > 4) return refuse_quadratic(w, s);
    ms_face_share(f->n_node, x, share);
    for (int i = 0; i < f->n_node; i++) area += share[i];
    for (int i = 0; i < f->n_node; i++) {
      if (w->at[node[i]] < 0) {
        w->at[node[i]] = (int32_t)s->n;
        s->node[s->n++] = (side_node) { .node = node[i], .partner = -1 };
      }
      side_node *at = &s->node[w->at[node[i]]];
      at->largest = fmax(at->largest, sqrt(area));
    }
  }
  return MS_SUCCESS;
}

static int is_paired(const work *w, const side *s, int n, const int32_t *node) {
  for (int i = 0; i < n; i++) {
    if (s->node[w->at[node[i]]].partner < 0) return 0;
  }
  return 1;
}

static double get_reach(const work *w, double size) {
  return w->contact->reach > 0.0 ? w->contact->reach : ms_mesh_tol.apart * size;
}

/* A face without partners may lie beside the other faces, but not on them. */
static ms_status refuse_mismatch(const work *w, int n, const double *x) {
  const ms_mesh *mesh = w->m->mesh;
  const side *other = &w->side[1];
  double middle[3] = { 0.0, 0.0, 0.0 }, share[MS_FACE_NODES], area = 0.0;
  ms_face_share(n, x, share);
  for (int i = 0; i < n; i++) {
    area += share[i];
    for (int a = 0; a < 3; a++) middle[a] += x[3 * i + a] / n;
  }
  for (ptrdiff_t k = 0; k < other->set.n; k++) {
    int32_t node[MS_FACE_NODES];
    double y[3 * MS_FACE_NODES], r, s;
    const ms_face *f = ms_face_gather(mesh, other->set.index[k], other->set.face[k], node, y);
    const double d = ms_face_project(f->n_node, y, middle, &r, &s);
    if (!(d <= get_reach(w, sqrt(area)))) continue;
    return ms_fail(w->m->ctx, MS_ERR_ARGUMENT,
                   "contact '%s': near (%.6g, %.6g, %.6g) m the nodes of '%s' and '%s' do not lie "
                   "opposite each other: mesh both faces alike",
                   w->contact->name, middle[0], middle[1], middle[2], w->side[0].faces,
                   other->faces);
  }
  return MS_SUCCESS;
}

/* Areas and normals, of the first side by the faces all of whose nodes have partners. */
static ms_status weigh_side(work *w, side *s, int all) {
  const ms_fem_model *m = w->m;
  for (ptrdiff_t i = 0; i < s->n; i++) w->at[s->node[i].node] = (int32_t)i;
  for (ptrdiff_t k = 0; k < s->set.n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES];
    const ms_face *f = ms_face_gather(m->mesh, s->set.index[k], s->set.face[k], node, x);
    const int block = (int)ms_mesh_find_block(m->mesh, s->set.index[k]);
    const double *E = ms_mesh_get_part(m->mesh, m->mesh->block[block].part)->material.E;
    if (all || is_paired(w, s, f->n_node, node))
      add_face(w, s, node, f->n_node, x, fmax(E[0], fmax(E[1], E[2])));
    else
      MS_TRY(refuse_mismatch(w, f->n_node, x));
  }
  for (ptrdiff_t i = 0; i < s->n; i++) {
    side_node *at = &s->node[i];
    if (!(at->area > 0.0)) continue;
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

/* The nearest node of the other side, where it is near enough. *nearest: of all nodes so far. */
static ms_status find_partner(const work *w, side_node *a, unsigned char *taken, double *nearest) {
  const ms_mesh *mesh = w->m->mesh;
  const side *other = &w->side[1];
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
  *nearest = fmin(*nearest, least);
  if (best < 0 || least > get_reach(w, a->largest) || taken[best]) return MS_SUCCESS;
  taken[best] = 1;
  a->partner = (int32_t)best;
  return MS_SUCCESS;
}

static ms_status find_partners(const work *w, unsigned char *taken) {
  const side *first = &w->side[0];
  double nearest = HUGE_VAL;
  int paired = 0;
  for (ptrdiff_t i = 0; i < first->n; i++) {
    MS_TRY(find_partner(w, &first->node[i], taken, &nearest));
    paired |= first->node[i].partner >= 0;
  }
  if (paired) return MS_SUCCESS;
  return ms_fail(w->m->ctx, MS_ERR_ARGUMENT,
                 "contact '%s': the faces '%s' and '%s' are %.3g m apart at least, farther than "
                 "%.3g m: move them together, or give the contact's gap instead",
                 w->contact->name, first->faces, w->side[1].faces, nearest,
                 get_reach(w, first->n > 0 ? first->node[0].largest : 0.0));
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

static ms_status add_pairs(work *w) {
  ms_fem_model *m = w->m;
  const side *first = &w->side[0];
  ptrdiff_t n = 0;
  MS_TRY(ms_resize(m->ctx, m->n_contact_point + first->n, sizeof *m->contact_point,
                   &m->contact_point));
  ms_fem_contact_point *point = m->contact_point + m->n_contact_point;
  for (const side_node *a = first->node; a < first->node + first->n; a++) {
    if (!(a->area > 0.0)) continue;
    MS_TRY(place_point(w, a, a->partner >= 0 ? &w->side[1].node[a->partner] : NULL, &point[n++]));
  }
  for (ptrdiff_t i = 0; i < 3 * n; i++) {
    const ms_fem_contact_point *p = &point[i / 3];
    ms_fem_term term[6];
    MS_TRY(ms_fem_add_spring(m, fill_terms(p, (int)(i % 3), term), term, p->spring[i % 3]));
  }
  if (n == 0) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                   "contact '%s': no face of '%s' has all its nodes opposite nodes of '%s': mesh "
                   "both faces alike",
                   w->contact->name, first->faces, w->side[1].faces);
  }
  m->n_contact_point += n;
  m->n_contact++;
  return MS_SUCCESS;
}

static ms_status pair_sides(work *w) {
  const int ground = !w->contact->faces[1];
  unsigned char *taken;
  for (int s = 0; s < (ground ? 1 : 2); s++) MS_TRY(gather_nodes(w, &w->side[s]));
  if (!ground) {
    MS_TRY(ms_allocate(w->m->ctx, w->side[1].n + 1, 1, &taken));
    const ms_status status = find_partners(w, taken);
    ms_free(w->m->ctx, &taken);
    MS_TRY(status);
    MS_TRY(weigh_side(w, &w->side[1], 1));
  }
  MS_TRY(weigh_side(w, &w->side[0], ground));
  return add_pairs(w);
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
  MS_TRY(ms_fem_check_open(m));
  MS_TRY(check_contact(m, contact));
  const int springs = m->n_spring;
  for (int s = 0; s < 2; s++) w.side[s].faces = contact->faces[s];
  ms_status status = ms_allocate(m->ctx, m->mesh->n_node, sizeof *w.at, &w.at);
  if (status == MS_SUCCESS) status = pair_sides(&w);
  if (status != MS_SUCCESS) m->n_spring = springs;
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
