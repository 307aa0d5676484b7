/* Contact points: nodes of two sets of linear faces that lie opposite each other, or the Gauss
   points of gauss.c. */
#include <math.h>
#include <string.h>

#include <microslip/fem_contact.h>

#include "core/internal.h"
#include "fem/contact/points.h"
#include "fem/model/model.h"
#include "fem/tolerance.h"
#include "response/contact/match.h"
#include "response/contact/pairs.h"

/* A node on a set of faces. */
typedef struct side_node {
  int32_t node;
  int32_t partner;        /* place in the other side, or -1 */
  double area, normal[3]; /* integrals of its shape functions, and of these times the normal */
  double stiffness;       /* Young's modulus of the faces' elements, weighted by area */
  double side;            /* m: the same of the square root of the faces' areas */
} side_node;

typedef struct side {
  const char *faces;
  ms_mesh_set set;
  ptrdiff_t n;
  side_node *node;
  ms_contact_side match;
} side;

typedef struct work {
  ms_fem_model *m;
  const ms_fem_contact *contact;
  side side[2];
  int32_t *at;  /* mesh nodes: place in a side, or -1 */
  int mismatch; /* the nodes do not lie opposite each other */
} work;

/* ---- nodes, areas and normals of a set ---- */

/* How often the part of an element counts. */
static double times_of(const ms_part *part) {
  return part->times > 0.0 ? part->times : 1.0;
}

/* In a sector nodes that follow others leave their share to these. */
static void add_face(const work *w, side *s, const int32_t *node, int n, const double *x,
                     const ms_part *part) {
  const double *E = part->material.E, most = fmax(E[0], fmax(E[1], E[2]));
  double area[MS_FACE_NODES], normal[3 * MS_FACE_NODES], whole = 0.0;
  ms_face_weigh(n, x, area, normal);
  for (int i = 0; i < n; i++) whole += area[i];
  for (int i = 0; i < n; i++) {
    side_node *at = &s->node[w->at[ms_fem_twin(w->m, node[i])]];
    area[i] *= times_of(part);
    ms_fem_turn_back(w->m, node[i], normal + 3 * i);
    at->area += area[i];
    at->stiffness += area[i] * most;
    at->side += area[i] * sqrt(whole);
    for (int a = 0; a < 3; a++) at->normal[a] += normal[3 * i + a];
  }
}

/* The nodes of a set, each once. */
static ms_status gather_nodes(work *w, side *s) {
  const ms_fem_model *m = w->m;
  MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_FACES, s->faces, &s->set));
  for (ptrdiff_t i = 0; i < m->mesh->n_node; i++) w->at[i] = -1;
  MS_TRY(ms_allocate(m->ctx, 4 * s->set.n + 1, sizeof *s->node, &s->node));
  for (ptrdiff_t k = 0; k < s->set.n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES];
    const ms_face *f = ms_face_gather(m->mesh, s->set.index[k], s->set.face[k], node, x);
    for (int i = 0; i < f->n_node; i++) {
      if (w->at[node[i]] >= 0) continue;
      w->at[node[i]] = (int32_t)s->n;
      s->node[s->n++] = (side_node) { .node = node[i], .partner = -1 };
    }
  }
  return MS_SUCCESS;
}

void ms_contact_fill_spot(const ms_mesh *mesh, const ms_mesh_set *set, ptrdiff_t face, double r,
                          double s, ms_contact_spot *spot) {
  double x[3 * MS_FACE_NODES], share[MS_FACE_NODES], t[6], whole = 0.0;
  const int block = (int)ms_mesh_find_block(mesh, set->index[face]);
  const ms_part *part = ms_mesh_get_part(mesh, mesh->block[block].part);
  const double *E = part->material.E;
  *spot = (ms_contact_spot) { 0 };
  spot->n = ms_face_gather(mesh, set->index[face], set->face[face], spot->node, x)->n_node;
  ms_face_share(spot->n, x, share);
  for (int i = 0; i < spot->n; i++) whole += share[i];
  spot->area = ms_face_map(spot->n, x, r, s, spot->N, spot->x, t);
  ms_face_normal(t, spot->normal);
  for (int a = 0; a < 3; a++) spot->normal[a] /= spot->area;
  spot->area *= times_of(part);
  spot->stiffness = fmax(E[0], fmax(E[1], E[2]));
  spot->side = sqrt(whole);
}

/* Areas and normals, by the faces that are opposite others. */
static void weigh_side(const work *w, side *s) {
  const ms_fem_model *m = w->m;
  for (ptrdiff_t i = 0; i < s->n; i++) w->at[s->node[i].node] = (int32_t)i;
  for (ptrdiff_t k = 0; k < s->set.n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES];
    const ms_face *f = ms_face_gather(m->mesh, s->set.index[k], s->set.face[k], node, x);
    const int block = (int)ms_mesh_find_block(m->mesh, s->set.index[k]);
    if (!s->match.on || s->match.on[k]) {
      add_face(w, s, node, f->n_node, x, ms_mesh_get_part(m->mesh, m->mesh->block[block].part));
    }
  }
  for (ptrdiff_t i = 0; i < s->n; i++) {
    side_node *at = &s->node[i];
    if (!(at->area > 0.0)) continue;
    at->stiffness /= at->area;
    at->side /= at->area;
  }
}

/* ---- pairs ---- */

static ms_status fill_match(work *w, side *s) {
  const ms_mesh *mesh = w->m->mesh;
  ms_contact_side *out = &s->match;
  MS_TRY(ms_contact_reserve_side(w->m->ctx, s->n, s->set.n, out));
  out->faces = s->faces;
  out->n = s->n;
  out->n_face = s->set.n;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    w->at[s->node[i].node] = (int32_t)i;
    memcpy(out->x + 3 * i, mesh->x + 3 * (ptrdiff_t)s->node[i].node, 3 * sizeof *out->x);
  }
  for (ptrdiff_t k = 0; k < s->set.n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES];
    const int n = ms_face_gather(mesh, s->set.index[k], s->set.face[k], node, x)->n_node;
    for (int i = 0; i < 4; i++) out->corner[4 * k + i] = i < n ? w->at[node[i]] : -1;
  }
  return MS_SUCCESS;
}

static ms_status check_shared(work *w) {
  const side *first = &w->side[0], *second = &w->side[1];
  for (ptrdiff_t i = 0; i < w->m->mesh->n_node; i++) w->at[i] = -1;
  for (ptrdiff_t i = 0; i < first->n; i++) w->at[first->node[i].node] = 0;
  for (ptrdiff_t i = 0; i < second->n; i++) {
    const int32_t node = second->node[i].node;
    if (w->at[node] < 0) continue;
    return ms_fail(
        w->m->ctx, MS_ERR_ARGUMENT,
        "contact '%s': '%s' and '%s' share node %td; parts in contact have nodes of their own",
        w->contact->name, first->faces, second->faces, ms_mesh_get_node_label(w->m->mesh, node));
  }
  return MS_SUCCESS;
}

static ms_status find_partners(work *w) {
  const ms_contact_setting setting = MS_CONTACT_DEFAULT;
  ms_contact_match m = { .name = w->contact->name,
                         .advice =
                             "mesh both faces alike, or give the contact a layer, which "
                             "Gauss points can have",
                         .reach = w->contact->reach,
                         .tol = &setting.tol };
  MS_TRY(check_shared(w));
  for (int s = 0; s < 2; s++) MS_TRY(fill_match(w, &w->side[s]));
  const ms_status status =
      ms_contact_find_match(w->m->ctx, &m, &w->side[0].match, &w->side[1].match);
  w->mismatch = m.mismatch;
  for (ptrdiff_t i = 0; i < w->side[0].n && !status; i++) {
    w->side[0].node[i].partner = w->side[0].match.partner[i];
  }
  return status;
}

ms_status ms_contact_place(const ms_fem_model *m, const ms_fem_contact *c, const ms_contact_spot *a,
                           const ms_contact_spot *b, ms_fem_contact_point *p) {
  double n[3], size = 0.0, facing = 0.0, apart = 0.0;
  for (int k = 0; k < 3; k++) {
    n[k] = a->normal[k] - (b ? b->normal[k] : 0.0);
    size += n[k] * n[k];
    facing += b ? a->normal[k] * b->normal[k] : -1.0;
  }
  if (!(facing < 0.0 && size > 0.0)) {
    return ms_contact_refuse_at(m->ctx, c->name, c->faces, a->x, 0.0);
  }
  for (int k = 0; k < 3; k++) n[k] /= sqrt(size);
  ms_contact_fill_axes(n, p->axes);
  for (int k = 0; b && k < 3; k++) apart += n[k] * (b->x[k] - a->x[k]);
  if (apart < -ms_mesh_tol.flat * a->side && c->gap >= 0.0) {
    return ms_contact_refuse_at(m->ctx, c->name, c->faces, a->x, -apart);
  }
  memcpy(p->at, a->x, sizeof p->at);
  for (int s = 0; s < (b ? 2 : 1); s++) {
    const ms_contact_spot *spot = s ? b : a;
    p->n[s] = spot->n;
    memcpy(p->node[s], spot->node, sizeof p->node[s]);
    memcpy(p->N[s], spot->N, sizeof p->N[s]);
  }
  p->contact = m->n_contact;
  p->area = a->area;
  p->gap = apart + c->gap;
  p->apart = apart;
  p->mu = c->mu;
  p->K_n = c->K_n * a->area;
  p->K_t = c->K_t * a->area;
  const double E = b ? fmin(a->stiffness, b->stiffness) : a->stiffness;
  for (int k = 0; k < 3; k++) p->spring[k] = E * a->area / a->side;
  return MS_SUCCESS;
}

static ms_contact_spot spot_of(const work *w, const side_node *a) {
  ms_contact_spot spot = { .n = 1,
                           .node = { a->node },
                           .N = { 1.0 },
                           .area = a->area,
                           .stiffness = a->stiffness,
                           .side = a->side };
  memcpy(spot.x, w->m->mesh->x + 3 * (ptrdiff_t)a->node, sizeof spot.x);
  memcpy(spot.normal, a->normal, sizeof spot.normal);
  return spot;
}

/* u_first - u_second along axis k; the number of terms. */
static int fill_terms(const ms_fem_contact_point *p, int k, ms_fem_term *term) {
  int n = 0;
  for (int s = 0; s < 2; s++) {
    for (int i = 0; i < p->n[s]; i++) {
      for (int a = 0; a < 3; a++) {
        const double factor = (s == 0 ? 1.0 : -1.0) * p->N[s][i] * p->axes[3 * k + a];
        term[n++] = (ms_fem_term) { p->node[s][i], a, factor };
      }
    }
  }
  return n;
}

/* The n points behind those of the model, with their springs. */
static ms_status take_points(ms_fem_model *m, ptrdiff_t n) {
  const ms_fem_contact_point *point = m->contact_point + m->n_contact_point;
  for (ptrdiff_t i = 0; i < 3 * n; i++) {
    const ms_fem_contact_point *p = &point[i / 3];
    ms_fem_term term[MS_FEM_SPRING_TERMS];
    MS_TRY(ms_fem_add_spring(m, fill_terms(p, (int)(i % 3), term), term, p->spring[i % 3]));
  }
  m->n_contact_point += n;
  m->n_contact++;
  return MS_SUCCESS;
}

static ms_status add_pairs(work *w, ptrdiff_t *n) {
  ms_fem_model *m = w->m;
  const side *first = &w->side[0];
  MS_TRY(ms_resize(m->ctx, m->n_contact_point + first->n, sizeof *m->contact_point,
                   &m->contact_point));
  ms_fem_contact_point *point = m->contact_point + m->n_contact_point;
  for (const side_node *a = first->node; a < first->node + first->n; a++) {
    if (!(a->area > 0.0)) continue;
    const ms_contact_spot here = spot_of(w, a);
    ms_contact_spot there;
    if (a->partner >= 0) there = spot_of(w, &w->side[1].node[a->partner]);
    point[*n] = (ms_fem_contact_point) { 0 };
    MS_TRY(ms_contact_place(m, w->contact, &here, a->partner >= 0 ? &there : NULL, &point[*n]));
    (*n)++;
  }
  return MS_SUCCESS;
}

static ms_status pair_sides(work *w, ptrdiff_t *n) {
  const int ground = !w->contact->faces[1];
  for (int s = 0; s < (ground ? 1 : 2); s++) MS_TRY(gather_nodes(w, &w->side[s]));
  if (!ground) {
    MS_TRY(find_partners(w));
    weigh_side(w, &w->side[1]);
  }
  weigh_side(w, &w->side[0]);
  return add_pairs(w, n);
}

/* ---- pairs or Gauss points ---- */

static ms_status find_quadratic(const work *w, const char **out) {
  *out = NULL;
  for (int s = 0; s < 2 && w->contact->faces[s] && !*out; s++) {
    ms_mesh_set set;
    MS_TRY(ms_mesh_find_set(w->m->mesh, MS_SET_FACES, w->contact->faces[s], &set));
    for (ptrdiff_t k = 0; k < set.n && !*out; k++) {
      int32_t node[MS_FACE_NODES];
      double x[3 * MS_FACE_NODES];
      if (ms_face_gather(w->m->mesh, set.index[k], set.face[k], node, x)->n_node > 4) {
        *out = w->contact->faces[s];
      }
    }
  }
  return MS_SUCCESS;
}

static ms_status find_points(work *w, ptrdiff_t *n) {
  const ms_fem_contact *c = w->contact;
  const int layer = c->K_n > 0.0;
  const char *quadratic;
  MS_TRY(find_quadratic(w, &quadratic));
  if (quadratic && c->points == MS_FEM_POINTS_NODES) {
    return ms_fail(w->m->ctx, MS_ERR_ARGUMENT,
                   "contact '%s': the faces '%s' are quadratic, whose node weights are zero or "
                   "negative at the corners: take Gauss points, which need a layer, or linear "
                   "elements (hex8, tet4, wedge6)",
                   c->name, quadratic);
  }
  if (!layer && (quadratic || c->points == MS_FEM_POINTS_GAUSS)) {
    return ms_fail(w->m->ctx, MS_ERR_ARGUMENT,
                   "contact '%s': rigid contact has no unique forces at Gauss points%s%s%s, which "
                   "outnumber the displacements of the faces: give the contact a layer, or take "
                   "linear elements (hex8, tet4, wedge6) whose nodes lie opposite each other",
                   c->name, quadratic ? " of the quadratic faces '" : "",
                   quadratic ? quadratic : "", quadratic ? "'" : "");
  }
  if (quadratic || c->points == MS_FEM_POINTS_GAUSS) return ms_contact_find_gauss(w->m, c, n);
  const ms_status status = pair_sides(w, n);
  if (!status || !w->mismatch || !layer || c->points == MS_FEM_POINTS_NODES) return status;
  ms_context_clear_message(w->m->ctx);
  *n = 0;
  return ms_contact_find_gauss(w->m, c, n);
}

static ms_status check_contact(const ms_fem_model *m, const ms_fem_contact *c) {
  const int layer = c->K_n != 0.0 || c->K_t != 0.0;
  MS_NEED(m->ctx, c->name && c->faces[0]);
  if (c->gauss != 0 && (c->gauss < 2 || c->gauss > 4)) {
    return ms_fail(m->ctx, MS_ERR_BOUNDS,
                   "contact '%s': gauss = %d; a face has 2 to 4 points along each side", c->name,
                   c->gauss);
  }
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
  ptrdiff_t n = 0;
  for (int s = 0; s < 2; s++) w.side[s].faces = contact->faces[s];
  ms_status status = ms_allocate(m->ctx, m->mesh->n_node, sizeof *w.at, &w.at);
  if (status == MS_SUCCESS) status = find_points(&w, &n);
  if (status == MS_SUCCESS && m->n_contact_point + n > MS_CONTACT_MOST_POINTS) {
    const double all = (double)(m->n_contact_point + n);
    status = ms_fail(m->ctx, MS_ERR_BOUNDS,
                     "contact '%s': with it there are %.0f points, whose dense flexibilities need "
                     "%.1f GB; at most %d points (%.1f GB): take coarser faces",
                     contact->name, all, 216e-9 * all * all, MS_CONTACT_MOST_POINTS,
                     216e-9 * MS_CONTACT_MOST_POINTS * MS_CONTACT_MOST_POINTS);
  }
  if (status == MS_SUCCESS) {
    status = ms_contact_add_gaps(m, contact, n, m->contact_point + m->n_contact_point);
  }
  if (status == MS_SUCCESS) status = take_points(m, n);
  if (status != MS_SUCCESS) m->n_spring = springs;
  ms_free(m->ctx, &w.at);
  for (int s = 0; s < 2; s++) {
    ms_free(m->ctx, &w.side[s].node);
    ms_contact_free_side(m->ctx, &w.side[s].match);
  }
  return status;
}

const ms_fem_contact_point *ms_fem_get_contact_points(const ms_fem_model *m, ptrdiff_t *n) {
  *n = m->n_contact_point;
  return m->contact_point;
}

/* ---- closed points in another model ---- */

/* Along x, y and z; what slides, along the normal. */
static ms_status link_point(ms_fem_model *m, const ms_fem_contact_point *p, int slides) {
  ms_fem_term normal[MS_FEM_SPRING_TERMS];
  int n = 0;
  for (int a = 0; a < 3 && !slides; a++) {
    const ms_fem_term term[2] = { { p->node[0][0], a, 1.0 }, { p->node[1][0], a, -1.0 } };
    MS_TRY(ms_fem_link(m, "closed contact", p->n[1] == 0 ? 1 : 2, term, 0.0));
  }
  if (!slides) return MS_SUCCESS;
  for (int k = 0, of = fill_terms(p, 2, normal); k < of; k++) {
    if (normal[k].factor != 0.0) normal[n++] = normal[k];
  }
  return ms_fem_link(m, "closed contact", n, normal, 0.0);
}

ms_status ms_fem_stick(ms_fem_model *m, ptrdiff_t n, const ms_fem_contact_point *point,
                       const unsigned char *closed) {
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_fem_contact_point *p = &point[i];
    const int slides = closed && closed[i] == MS_CONTACT_SLIP;
    if (closed && closed[i] == MS_CONTACT_OPEN) continue;
    if (p->K_n == 0.0) MS_TRY(link_point(m, p, slides));
    for (int k = slides ? 2 : 0; k < 3 && p->K_n > 0.0; k++) {
      ms_fem_term term[MS_FEM_SPRING_TERMS];
      MS_TRY(ms_fem_add_spring(m, fill_terms(p, k, term), term, k == 2 ? p->K_n : p->K_t));
    }
  }
  return MS_SUCCESS;
}
