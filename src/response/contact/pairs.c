/* Contact points on triangles and quadrangles between nodes of a table: nodes of two sets that lie
   opposite each other. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/match.h"
#include "response/contact/pairs.h"

/* A node on a set of faces. */
typedef struct side_node {
  int32_t partner;        /* node of the other set, or -1 */
  int on;                 /* it is on this side */
  double area, normal[3]; /* integrals of its shape functions, and of these times the normal */
  double largest;         /* m: the largest square root of a face's area, of all its faces */
} side_node;

typedef struct work {
  ms_context *ctx;
  const ms_contact_mesh *mesh;
  const ms_contact_between *between;
  const ms_contact_tolerances *tol;
  const ms_contact_faces *set[2]; /* [1] NULL: the ground */
  side_node *side[2];             /* of all nodes */
  unsigned char *on[2];           /* faces that are in the contact; NULL: all */
} work;

/* ---- faces ---- */

/* The area, outward normal times area, and the parts of both that belong to each corner: integrals
   of linear and bilinear shape functions. */
typedef struct face_part {
  int n;
  double whole, longest, area[4], normal[4][3]; /* longest: of its sides */
} face_part;

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[i] * b[j] - a[j] * b[i];
  }
}

/* A quarter of the face around a Gauss point of a quadrangle, or a triangle. */
static void add_part(face_part *p, const double *N, const double *along, const double *across,
                     double weight) {
  double normal[3];
  cross(along, across, normal);
  const double dA =
      weight * sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  p->whole += dA;
  for (int i = 0; i < p->n; i++) {
    p->area[i] += N[i] * dA;
    for (int a = 0; a < 3; a++) p->normal[i][a] += weight * N[i] * normal[a];
  }
}

static double distance(const double *x, const double *y) {
  const double a = x[0] - y[0], b = x[1] - y[1], c = x[2] - y[2];
  return sqrt(a * a + b * b + c * c);
}

static face_part measure_face(const ms_contact_mesh *mesh, const int32_t *node) {
  static const double r[4] = { -1, 1, 1, -1 }, s[4] = { -1, -1, 1, 1 };
  face_part p = { .n = node[3] < 0 ? 3 : 4 };
  const double *x[4];
  for (int i = 0; i < p.n; i++) {
    x[i] = mesh->node[node[i]].x;
    if (i > 0) p.longest = fmax(p.longest, distance(x[i], x[i - 1]));
  }
  for (int k = 0; k < (p.n == 3 ? 1 : 4); k++) {
    const double at[2] = { r[k] / sqrt(3.0), s[k] / sqrt(3.0) };
    double N[4] = { 1.0 / 3, 1.0 / 3, 1.0 / 3 }, along[3] = { 0 }, across[3] = { 0 };
    for (int i = 0; i < p.n; i++) {
      double d_r = i == 1 ? 1.0 : i == 0 ? -1.0 : 0.0, d_s = i == 2 ? 1.0 : i == 0 ? -1.0 : 0.0;
      if (p.n == 4) {
        N[i] = 0.25 * (1 + r[i] * at[0]) * (1 + s[i] * at[1]);
        d_r = 0.25 * r[i] * (1 + s[i] * at[1]);
        d_s = 0.25 * s[i] * (1 + r[i] * at[0]);
      }
      for (int a = 0; a < 3; a++) along[a] += d_r * x[i][a], across[a] += d_s * x[i][a];
    }
    add_part(&p, N, along, across, p.n == 3 ? 0.5 : 1.0);
  }
  return p;
}

static ms_status find_set(ms_context *ctx, const ms_contact_mesh *mesh, const char *name,
                          const ms_contact_faces **out) {
  for (int i = 0; i < mesh->n_set; i++) {
    *out = &mesh->set[i];
    if (strcmp(mesh->set[i].name, name) == 0) return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_NAME, "there are no faces '%.100s'", name);
}

static ms_status check_node(ms_context *ctx, const ms_contact_mesh *mesh, int32_t node,
                            const char *faces) {
  const ms_sketch_point *p = &mesh->node[node];
  for (int a = 0; a < 3; a++) {
    if (p->dof[a] != MS_GROUND) continue;
    return ms_fail(ctx, MS_ERR_NAME,
                   "faces '%s': node %.60s has no degree of freedom %.60s.u%c; nodes of contacts "
                   "move along x, y and z",
                   faces, p->name, p->name, "xyz"[a]);
  }
  return MS_SUCCESS;
}

/* ---- nodes, areas and normals of a side ---- */

static ms_status gather_nodes(work *w, int k) {
  const ms_contact_faces *set = w->set[k];
  for (ptrdiff_t f = 0; f < set->n; f++) {
    const int32_t *node = set->node + 4 * f;
    const face_part p = measure_face(w->mesh, node);
    for (int i = 0; i < p.n; i++) {
      side_node *at = &w->side[k][node[i]];
      MS_TRY(check_node(w->ctx, w->mesh, node[i], set->name));
      if (!at->on) *at = (side_node) { .on = 1, .partner = -1 };
      at->largest = fmax(at->largest, sqrt(p.whole));
    }
    if (p.whole > w->tol->flat * p.longest * p.longest) continue;
    return ms_fail(w->ctx, MS_ERR_ARGUMENT, "faces '%s': face %td, at node %.60s, has no area",
                   set->name, f + 1, w->mesh->node[node[0]].name);
  }
  return MS_SUCCESS;
}

static ms_status fill_side(const work *w, int k, int32_t *place, ms_contact_side *out) {
  const ms_contact_faces *set = w->set[k];
  MS_TRY(ms_contact_reserve_side(w->ctx, w->mesh->n_node, set->n, out));
  out->faces = set->name;
  out->n_face = set->n;
  for (ptrdiff_t i = 0; i < w->mesh->n_node; i++) {
    if (!w->side[k][i].on) continue;
    place[i] = (int32_t)out->n;
    memcpy(out->x + 3 * out->n++, w->mesh->node[i].x, 3 * sizeof *out->x);
  }
  for (ptrdiff_t f = 0; f < 4 * set->n; f++) {
    out->corner[f] = set->node[f] < 0 ? -1 : place[set->node[f]];
  }
  return MS_SUCCESS;
}

static ms_status check_shared(const work *w) {
  for (ptrdiff_t i = 0; i < w->mesh->n_node; i++) {
    if (!w->side[0][i].on || !w->side[1][i].on) continue;
    return ms_fail(w->ctx, MS_ERR_ARGUMENT,
                   "contact '%s': '%s' and '%s' share node %.60s; parts in contact have nodes of "
                   "their own",
                   w->between->name, w->set[0]->name, w->set[1]->name, w->mesh->node[i].name);
  }
  return MS_SUCCESS;
}

static ms_status match(work *w, int32_t *const place[2], ms_contact_side side[2]) {
  ms_contact_match m = { .name = w->between->name,
                         .advice =
                             "nodes of faces that touch must match, or give interpolation "
                             "and weights of points that do",
                         .tol = w->tol };
  for (int k = 0; k < 2; k++) MS_TRY(fill_side(w, k, place[k], &side[k]));
  MS_TRY(ms_contact_find_match(w->ctx, &m, &side[0], &side[1]));
  for (int k = 0; k < 2; k++) {
    for (ptrdiff_t i = 0; i < w->mesh->n_node; i++) {
      side_node *at = &w->side[k][i];
      const int32_t other = at->on ? side[k].partner[place[k][i]] : -1;
      for (ptrdiff_t j = 0; j < w->mesh->n_node && other >= 0; j++) {
        if (w->side[1 - k][j].on && place[1 - k][j] == other) at->partner = (int32_t)j;
      }
    }
    memcpy(w->on[k], side[k].on, (size_t)side[k].n_face);
  }
  return MS_SUCCESS;
}

static ms_status find_partners(work *w) {
  ms_contact_side side[2] = { 0 };
  int32_t *place[2] = { NULL, NULL };
  ms_status status = check_shared(w);
  for (int k = 0; k < 2 && !status; k++) {
    status = ms_allocate(w->ctx, w->mesh->n_node + 1, sizeof *place[k], &place[k]);
    if (!status) status = ms_allocate(w->ctx, w->set[k]->n + 1, 1, &w->on[k]);
  }
  if (!status) status = match(w, place, side);
  for (int k = 0; k < 2; k++) {
    ms_free(w->ctx, &place[k]);
    ms_contact_free_side(w->ctx, &side[k]);
  }
  return status;
}

/* Areas and normals, by the faces that are opposite others. */
static void weigh_side(work *w, int k) {
  for (ptrdiff_t f = 0; f < w->set[k]->n; f++) {
    const int32_t *node = w->set[k]->node + 4 * f;
    const face_part p = measure_face(w->mesh, node);
    for (int i = 0; i < p.n && (!w->on[k] || w->on[k][f]); i++) {
      side_node *at = &w->side[k][node[i]];
      at->area += p.area[i];
      for (int a = 0; a < 3; a++) at->normal[a] += p.normal[i][a];
    }
  }
}

/* ---- points ---- */

void ms_contact_fill_axes(const double *n, double *axes) {
  const int from = fabs(n[0]) > 0.9;
  double t[3] = { 0.0, 0.0, 0.0 }, size = 0.0;
  t[from] = 1.0;
  for (int a = 0; a < 3; a++) t[a] -= n[from] * n[a], size += t[a] * t[a];
  for (int a = 0; a < 3; a++) {
    axes[a] = t[a] / sqrt(size);
    axes[6 + a] = n[a];
  }
  cross(n, axes, axes + 3);
}

/* inside: by how much (m) the first body is in the second; 0: they face the same way. */
ms_status ms_contact_refuse_at(ms_context *ctx, const char *name, const char *const faces[2],
                               const double *x, double inside) {
  if (inside > 0.0) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "contact '%s': '%s' is %.3g m inside '%s' at (%.6g, %.6g, %.6g): part the "
                   "meshes, or give the contact an interference (a negative gap), which adds to "
                   "that of the meshes",
                   name, faces[0], inside, faces[1], x[0], x[1], x[2]);
  }
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "contact '%s': '%s' and '%s' face the same way at (%.6g, %.6g, %.6g); they must "
                 "face each other",
                 name, faces[0], faces[1], x[0], x[1], x[2]);
}

static ms_status place(const work *w, ptrdiff_t i, int index, ms_contact_site *site) {
  const ms_contact_between *c = w->between;
  const side_node *a = &w->side[0][i], *b = w->set[1] ? &w->side[1][a->partner] : NULL;
  const double *x = w->mesh->node[i].x, *y = b ? w->mesh->node[a->partner].x : x;
  double n[3], size = 0.0, facing = 0.0, apart = 0.0;
  for (int k = 0; k < 3; k++) {
    n[k] = a->normal[k] - (b ? b->normal[k] : 0.0);
    size += n[k] * n[k];
    facing += b ? a->normal[k] * b->normal[k] : -1.0;
  }
  if (!(facing < 0.0 && size > 0.0)) return ms_contact_refuse_at(w->ctx, c->name, c->faces, x, 0.0);
  for (int k = 0; k < 3; k++) n[k] /= sqrt(size);
  for (int k = 0; k < 3; k++) apart += n[k] * (y[k] - x[k]);
  if (apart < -w->tol->flat * a->largest && c->gap >= 0.0) {
    return ms_contact_refuse_at(w->ctx, c->name, c->faces, x, -apart);
  }
  *site = (ms_contact_site) { .n = { 1, b != NULL },
                              .node = { { (int32_t)i }, { b ? a->partner : 0 } },
                              .N = { { 1.0 }, { 1.0 } },
                              .contact = index,
                              .at = { x[0], x[1], x[2] },
                              .area = a->area,
                              .gap = apart + c->gap,
                              .apart = apart,
                              .mu = c->mu,
                              .K_n = c->K_n * a->area,
                              .K_t = c->K_t * a->area };
  ms_contact_fill_axes(n, site->axes);
  return MS_SUCCESS;
}

static ms_status add_sites(const work *w, int index, ptrdiff_t *n, ms_contact_site **site) {
  const ptrdiff_t first = *n;
  ptrdiff_t more = 0;
  for (ptrdiff_t i = 0; i < w->mesh->n_node; i++) more += w->side[0][i].area > 0.0;
  MS_TRY(ms_resize(w->ctx, first + more + 1, sizeof **site, site));
  for (ptrdiff_t i = 0; i < w->mesh->n_node; i++) {
    if (!(w->side[0][i].area > 0.0)) continue;
    MS_TRY(place(w, i, index, &(*site)[*n]));
    ++*n;
  }
  return MS_SUCCESS;
}

static ms_status find_pairs(work *w, int index, ptrdiff_t *n, ms_contact_site **site) {
  const int ground = !w->between->faces[1];
  for (int k = 0; k < (ground ? 1 : 2); k++) {
    MS_TRY(find_set(w->ctx, w->mesh, w->between->faces[k], &w->set[k]));
    MS_TRY(ms_allocate(w->ctx, w->mesh->n_node, sizeof *w->side[k], &w->side[k]));
    MS_TRY(gather_nodes(w, k));
  }
  if (!ground) MS_TRY(find_partners(w));
  for (int k = 0; k < (ground ? 1 : 2); k++) weigh_side(w, k);
  return add_sites(w, index, n, site);
}

ms_status ms_contact_add_pairs(ms_context *ctx, const ms_contact_mesh *mesh,
                               const ms_contact_between *between, int index,
                               const ms_contact_setting *setting, ptrdiff_t *n,
                               ms_contact_site **site) {
  ms_contact_setting own = MS_CONTACT_DEFAULT;
  MS_TAKE(ctx, ms_contact_default, setting, own);
  work w = { .ctx = ctx, .mesh = mesh, .between = between, .tol = &setting->tol };
  const ms_status status = find_pairs(&w, index, n, site);
  for (int k = 0; k < 2; k++) {
    ms_free(ctx, &w.side[k]);
    ms_free(ctx, &w.on[k]);
  }
  return status;
}

ms_status ms_contact_add_rows(ms_context *ctx, const ms_contact_mesh *mesh, ptrdiff_t n,
                              ptrdiff_t first, ptrdiff_t n_point, const ms_contact_site *point,
                              double **B) {
  MS_TRY(ms_resize(ctx, 3 * n * n_point, sizeof **B, B));
  memset(*B + 3 * n * first, 0, (size_t)(3 * n * (n_point - first)) * sizeof **B);
  for (ptrdiff_t k = 3 * first; k < 3 * n_point; k++) {
    const ms_contact_site *p = &point[k / 3];
    for (int s = 0; s < 2; s++) {
      for (int i = 0; i < p->n[s]; i++) {
        const ptrdiff_t *dof = mesh->node[p->node[s][i]].dof;
        const double N = (s == 0 ? 1.0 : -1.0) * p->N[s][i];
        for (int a = 0; a < 3; a++) (*B)[dof[a] + n * k] += N * p->axes[3 * (k % 3) + a];
      }
    }
  }
  return MS_SUCCESS;
}

/* ---- points that are given ---- */

static ms_status check_given(ms_context *ctx, const ms_contact_between *c, ptrdiff_t n,
                             const ms_contact_given *g) {
  if (g->n_weight < 1 || g->n_row != 3 * g->n_weight || g->n_column != n) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "contact '%s': the interpolation is %td x %td; for %td weights and %td degrees "
                   "of freedom it is %td x %td: t1, t2, n of each point",
                   c->name, g->n_row, g->n_column, g->n_weight, n, 3 * g->n_weight, n);
  }
  for (ptrdiff_t i = 0; i < g->n_weight; i++) {
    double most = 0.0;
    for (ptrdiff_t j = 0; j < n; j++) {
      most = fmax(most, fabs(g->interpolation[3 * i + 2 + g->n_row * j]));
    }
    if (!(g->weight[i] > 0.0 && g->weight[i] < HUGE_VAL)) {
      return ms_fail(ctx, MS_ERR_BOUNDS,
                     "contact '%s': weight %td is %g m^2; the area of a point must be above 0",
                     c->name, i + 1, g->weight[i]);
    }
    if (most > 0.0) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "contact '%s': row %td of the interpolation, the normal of point %td, is zero",
                   c->name, 3 * i + 3, i + 1);
  }
  return MS_SUCCESS;
}

ms_status ms_contact_add_given(ms_context *ctx, const ms_contact_between *c, int index, ptrdiff_t n,
                               const ms_contact_given *given, ptrdiff_t *n_point,
                               ms_contact_site **point, double **B) {
  const ptrdiff_t first = *n_point, all = first + given->n_weight;
  MS_TRY(check_given(ctx, c, n, given));
  MS_TRY(ms_resize(ctx, all, sizeof **point, point));
  MS_TRY(ms_resize(ctx, 3 * n * all, sizeof **B, B));
  for (ptrdiff_t i = first; i < all; i++) {
    const double w = given->weight[i - first];
    (*point)[i] = (ms_contact_site) { .contact = index,
                                      .axes = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                      .area = w,
                                      .gap = c->gap,
                                      .mu = c->mu,
                                      .K_n = c->K_n * w,
                                      .K_t = c->K_t * w };
  }
  for (ptrdiff_t k = 0; k < given->n_row; k++) {
    for (ptrdiff_t j = 0; j < n; j++) {
      (*B)[j + n * (3 * first + k)] = given->interpolation[k + given->n_row * j];
    }
  }
  *n_point = all;
  return MS_SUCCESS;
}

/* ---- preload ---- */

/* A part of a force on a node, or the node held; either may be NULL. */
static ms_status apply_to_node(ms_context *ctx, const ms_contact_mesh *mesh, ptrdiff_t node,
                               double part, const double *force, double *load,
                               unsigned char *held) {
  const ms_sketch_point *p = &mesh->node[node];
  for (int a = 0; a < 3; a++) {
    const ptrdiff_t dof = p->dof[a];
    if (held && dof != MS_GROUND) held[dof] = 1;
    if (!load || force[a] == 0.0) continue;
    if (dof == MS_GROUND) {
      return ms_fail(ctx, MS_ERR_NAME, "node %.60s has no degree of freedom %.60s.u%c to push",
                     p->name, p->name, "xyz"[a]);
    }
    load[dof] += part * force[a];
  }
  return MS_SUCCESS;
}

/* A node of that name, or a set of faces. */
static ms_status apply(ms_context *ctx, const ms_contact_mesh *mesh, const char *name,
                       const double *force, double *load, unsigned char *held) {
  const ms_contact_faces *set = NULL;
  double area = 0.0;
  for (ptrdiff_t i = 0; i < mesh->n_node; i++) {
    if (strcmp(mesh->node[i].name, name) != 0) continue;
    return apply_to_node(ctx, mesh, i, 1.0, force, load, held);
  }
  if (find_set(ctx, mesh, name, &set)) {
    return ms_fail(ctx, MS_ERR_NAME, "'%.100s' is no set of faces and no node", name);
  }
  for (ptrdiff_t f = 0; f < set->n; f++) area += measure_face(mesh, set->node + 4 * f).whole;
  for (ptrdiff_t f = 0; f < set->n; f++) {
    const face_part p = measure_face(mesh, set->node + 4 * f);
    for (int i = 0; i < p.n; i++) {
      MS_TRY(apply_to_node(ctx, mesh, set->node[4 * f + i], p.area[i] / area, force, load, held));
    }
  }
  return MS_SUCCESS;
}

static ms_status fill_stage(ms_context *ctx, const ms_contact_mesh *mesh, ptrdiff_t n,
                            const ms_contact_plan *plan, double *load, unsigned char *held) {
  for (int i = 0; i < plan->n_push; i++) {
    const ms_contact_push *p = &plan->push[i];
    MS_TRY(p->set ? apply(ctx, mesh, p->set, p->force, load, NULL)
                  : apply_to_node(ctx, mesh, p->node, 1.0, p->force, load, NULL));
  }
  for (int i = 0; i < plan->n_hold; i++) {
    MS_TRY(apply(ctx, mesh, plan->hold[i], NULL, NULL, held));
  }
  for (ptrdiff_t i = 0; i < n && plan->factor > 0.0; i++) load[i] *= plan->factor;
  return MS_SUCCESS;
}

ms_status ms_contact_make_stages(ms_context *ctx, const ms_contact_mesh *mesh, ptrdiff_t n,
                                 int n_stage, const ms_contact_plan *plan, ms_contact_stage **out) {
  const ptrdiff_t each = (ptrdiff_t)sizeof **out + n * ((ptrdiff_t)sizeof(double) + 1);
  MS_TRY(ms_allocate(ctx, n_stage * each + 1, 1, out));
  double *load = (double *)(*out + n_stage);
  unsigned char *held = (unsigned char *)(load + n * n_stage);
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < n_stage && !status; i++, load += n, held += n) {
    (*out)[i] = (ms_contact_stage) { load,          held,           plan[i].friction,
                                     plan[i].steps, plan[i].n_glue, plan[i].glue };
    status = fill_stage(ctx, mesh, n, &plan[i], load, held);
  }
  if (status) ms_free(ctx, out);
  return status;
}

/* ---- maps ---- */

/* Faces that have all their corners in the contact. */
static void add_faces(const ms_contact_faces *set, const int32_t *corner, ms_contact_rest *rest) {
  for (ptrdiff_t f = 0; f < set->n; f++) {
    const int32_t *node = set->node + 4 * f;
    int32_t *out = rest->face + 4 * rest->n_face;
    int all = 1;
    for (int i = 0; i < 4; i++) {
      out[i] = node[i] < 0 ? -1 : corner[node[i]];
      all &= node[i] < 0 || out[i] >= 0;
    }
    rest->n_face += all;
  }
}

static ms_status add_corners(ms_context *ctx, const ms_contact_mesh *mesh, int contact,
                             const ms_contact_faces *set, int32_t *corner, ms_contact_rest *rest) {
  const ptrdiff_t most = rest->n_corner + rest->n_point;
  MS_TRY(ms_resize(ctx, 3 * most + 1, sizeof *rest->corner, &rest->corner));
  MS_TRY(ms_resize(ctx, most + 1, sizeof *rest->of, &rest->of));
  MS_TRY(ms_resize(ctx, 4 * (rest->n_face + set->n), sizeof *rest->face, &rest->face));
  for (ptrdiff_t i = 0; i < mesh->n_node; i++) corner[i] = -1;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_contact_site *p = &rest->point[i];
    if (p->contact != contact) continue;
    corner[p->node[0][0]] = (int32_t)rest->n_corner;
    memcpy(rest->corner + 3 * rest->n_corner, p->at, sizeof p->at);
    rest->of[rest->n_corner++] = (int32_t)i;
  }
  add_faces(set, corner, rest);
  return MS_SUCCESS;
}

ms_status ms_contact_add_faces(ms_context *ctx, const ms_contact_mesh *mesh, int contact,
                               const char *name, ms_contact_rest *rest) {
  const ms_contact_faces *set = NULL;
  int32_t *corner;
  MS_TRY(find_set(ctx, mesh, name, &set));
  MS_TRY(ms_allocate(ctx, mesh->n_node, sizeof *corner, &corner));
  const ms_status status = add_corners(ctx, mesh, contact, set, corner, rest);
  ms_free(ctx, &corner);
  return status;
}
