/* Contact points at the Gauss points of the first faces: on quadratic faces, whose nodes have no
   useful weights, and where meshes do not match. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "fem/contact/points.h"
#include "fem/model/model.h"
#include "fem/tolerance.h"

typedef struct work {
  ms_fem_model *m;
  const ms_fem_contact *contact;
  ms_mesh_set set[2];
  ms_contact_pieces pieces;
  double *ball;   /* of the second faces */
  double nearest; /* m: of all points, how near the other faces are */
  double area;    /* m2: of the first faces */
} work;

static ms_status refuse_shared(const work *w, const ms_contact_spot *a, const ms_contact_spot *b) {
  for (int i = 0; i < a->n; i++) {
    for (int j = 0; j < b->n; j++) {
      if (a->node[i] != b->node[j]) continue;
      return ms_fail(
          w->m->ctx, MS_ERR_ARGUMENT,
          "contact '%s': '%s' and '%s' share node %td; parts in contact have nodes of their own",
          w->contact->name, w->contact->faces[0], w->contact->faces[1],
          ms_mesh_get_node_label(w->m->mesh, a->node[i]));
    }
  }
  return MS_SUCCESS;
}

static double get_near(const ms_fem_contact *c, double size) {
  const ms_contact_setting setting = MS_CONTACT_DEFAULT;
  return c->reach > 0.0 ? c->reach : setting.tol.apart * size;
}

static double get_distance(const ms_contact_spot *a, const ms_contact_spot *b, double *beside) {
  double along = 0.0, sum = 0.0;
  for (int k = 0; k < 3; k++) along += a->normal[k] * (b->x[k] - a->x[k]);
  for (int k = 0; k < 3; k++) {
    const double d = b->x[k] - a->x[k] - along * a->normal[k];
    sum += d * d;
  }
  *beside = sqrt(sum);
  return along;
}

/* The point of the second faces that the normal of the first meets: the nearest one, then that
   nearest to the point at this height on the normal, and so on. *found: it is not beside them. */
static void find_opposite(work *w, const ms_contact_spot *a, ms_contact_spot *b, int *found) {
  enum { ITERATIONS = 30 };
  const double near = get_near(w->contact, a->side);
  double from[3] = { a->x[0], a->x[1], a->x[2] }, beside = 0.0, along = 0.0, facing = 0.0;
  for (int k = 0; k < ITERATIONS; k++) {
    const ms_landing landing = ms_faces_project(w->m->mesh, &w->set[1], w->ball, from);
    ms_contact_fill_spot(w->m->mesh, &w->set[1], landing.face, landing.r, landing.s, b);
    along = get_distance(a, b, &beside);
    if (beside <= ms_mesh_tol.beside * a->side) break;
    for (int c = 0; c < 3; c++) from[c] = a->x[c] + along * a->normal[c];
  }
  for (int c = 0; c < 3; c++) facing += a->normal[c] * b->normal[c];
  *found = beside <= ms_mesh_tol.beside * a->side && along >= -near &&
           (facing < 0.0 || along <= near) &&
           (w->contact->reach == 0.0 || along <= w->contact->reach);
  if (*found) w->nearest = fmin(w->nearest, fabs(along));
}

static ms_status add_point(work *w, ptrdiff_t face, const ms_face_point *at, ptrdiff_t *n) {
  const ms_mesh *mesh = w->m->mesh;
  const int ground = !w->contact->faces[1];
  ms_fem_contact_point *p = &w->m->contact_point[w->m->n_contact_point + *n];
  ms_contact_spot a, b, corner;
  ms_contact_fill_spot(mesh, &w->set[0], face, at->r, at->s, &a);
  a.area *= at->weight;
  w->area += a.area;
  if (!ground) {
    int found;
    find_opposite(w, &a, &b, &found);
    MS_TRY(refuse_shared(w, &a, &b));
    if (!found) return MS_SUCCESS;
  }
  *p = (ms_fem_contact_point) { 0 };
  MS_TRY(ms_contact_place(w->m, w->contact, &a, ground ? NULL : &b, p));
  for (int c = 0; c < 4; c++) {
    ms_contact_fill_spot(mesh, &w->set[0], face, at->cell[c][0], at->cell[c][1], &corner);
    memcpy(p->cell + 3 * c, corner.x, sizeof corner.x);
  }
  (*n)++;
  return MS_SUCCESS;
}

/* Of a piece of a face: in its own coordinates shape functions of quadratic faces are of a higher
   degree than in those of the face. */
static int choose_order(const work *w, int n_node) {
  int32_t node[MS_FACE_NODES];
  double x[3 * MS_FACE_NODES];
  const ms_mesh_set *second = &w->set[1];
  if (w->contact->gauss > 0) return w->contact->gauss;
  for (ptrdiff_t k = 0; k < second->n && n_node <= 4; k++) {
    n_node = ms_face_gather(w->m->mesh, second->index[k], second->face[k], node, x)->n_node;
  }
  return n_node > 4 ? 3 : 2;
}

static ms_status find_points(work *w, ptrdiff_t *n) {
  ms_fem_model *m = w->m;
  const ms_mesh_set *first = &w->set[0];
  ptrdiff_t room = MS_FACE_POINTS * first->n;
  for (ptrdiff_t k = 0; k < first->n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES];
    ms_face_point whole[MS_FACE_POINTS];
    const int n_node = ms_face_gather(m->mesh, first->index[k], first->face[k], node, x)->n_node;
    const int order = w->contact->gauss > 0 ? w->contact->gauss : 2;
    w->pieces.n = 0;
    if (w->contact->faces[1]) {
      MS_TRY(ms_contact_cut_face(m->ctx, m->mesh, w->set, w->ball, k, choose_order(w, n_node),
                                 &w->pieces));
    }
    const int cut = w->pieces.n > 0;
    const ms_face_point *point = cut ? w->pieces.point : whole;
    const ptrdiff_t points = cut ? w->pieces.n : ms_face_rule(n_node, order, whole);
    if (*n + points > room) room = 2 * (*n + points);
    MS_TRY(
        ms_resize(m->ctx, m->n_contact_point + room, sizeof *m->contact_point, &m->contact_point));
    for (ptrdiff_t i = 0; i < points; i++) MS_TRY(add_point(w, k, &point[i], n));
  }
  const double near = get_near(w->contact, sqrt(w->area));
  if (*n > 0 && (!w->contact->faces[1] || w->nearest <= near)) return MS_SUCCESS;
  if (*n > 0) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                   "contact '%s': the faces '%s' and '%s' are %.3g m apart at least, farther than "
                   "%.3g m: move them together, or give the contact's gap instead",
                   w->contact->name, w->contact->faces[0], w->contact->faces[1], w->nearest, near);
  }
  return ms_fail(
      m->ctx, MS_ERR_ARGUMENT,
      "contact '%s': no point of '%s' lies opposite '%s': they lie beside each other, or "
      "do not face each other",
      w->contact->name, w->contact->faces[0], w->contact->faces[1]);
}

ms_status ms_contact_find_gauss(ms_fem_model *m, const ms_fem_contact *contact, ptrdiff_t *n) {
  work w = { .m = m, .contact = contact, .nearest = HUGE_VAL };
  for (int s = 0; s < 2 && contact->faces[s]; s++) {
    MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_FACES, contact->faces[s], &w.set[s]));
  }
  MS_TRY(ms_allocate(m->ctx, 4 * w.set[1].n + 1, sizeof *w.ball, &w.ball));
  if (contact->faces[1]) ms_faces_fill_balls(m->mesh, &w.set[1], w.ball);
  const ms_status status = find_points(&w, n);
  ms_free(m->ctx, &w.ball);
  ms_free(m->ctx, &w.pieces.point);
  return status;
}
