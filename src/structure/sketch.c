/* Sketches of chains, beams and points: nodes, lines and marks, with springs, supports and joints.
 */
#include <microslip/sketch.h>

#include <float.h>
#include <math.h>

#include "core/internal.h"
#include "structure/impl.h"

enum { MOST_LABELS = 40, ARC = 12, CURVE = 96 };

/* Of component c of a node: weight times a degree of freedom. */
typedef struct term {
  ptrdiff_t node, dof;
  int c;
  double weight;
} term;

struct ms_sketch {
  const ms_structure *structure;
  ms_status status; /* of what was added so far */
  double *x;
  int32_t *line;
  unsigned char *kind;
  ms_sketch_mark *mark;
  term *term;
  ptrdiff_t n_node, n_line, n_mark, n_term;
  ptrdiff_t *node_of; /* of each degree of freedom; -1: none */
  double step;        /* between neighbours: offsets are parts of it */
  ptrdiff_t end;      /* of a beam: its axial degree of freedom */
};

/* ---- building ---- */

static ptrdiff_t add_node(ms_sketch *e, double x, double y, double z) {
  if (e->status == MS_SUCCESS)
    e->status = ms_resize(e->structure->ctx, 3 * (e->n_node + 1), sizeof *e->x, &e->x);
  if (e->status != MS_SUCCESS) return 0;
  double *at = e->x + 3 * e->n_node;
  at[0] = x, at[1] = y, at[2] = z;
  return e->n_node++;
}

static void add_term(ms_sketch *e, ptrdiff_t node, int c, ptrdiff_t dof, double weight) {
  if (dof == MS_GROUND || e->status != MS_SUCCESS) return;
  e->status = ms_resize(e->structure->ctx, e->n_term + 1, sizeof *e->term, &e->term);
  if (e->status == MS_SUCCESS) e->term[e->n_term++] = (term) { node, dof, c, weight };
}

static void add_line(ms_sketch *e, ptrdiff_t a, ptrdiff_t b, ms_sketch_line kind) {
  if (e->status == MS_SUCCESS)
    e->status = ms_resize(e->structure->ctx, 2 * (e->n_line + 1), sizeof *e->line, &e->line);
  if (e->status == MS_SUCCESS)
    e->status = ms_resize(e->structure->ctx, e->n_line + 1, sizeof *e->kind, &e->kind);
  if (e->status != MS_SUCCESS) return;
  e->line[2 * e->n_line] = (int32_t)a;
  e->line[2 * e->n_line + 1] = (int32_t)b;
  e->kind[e->n_line++] = (unsigned char)kind;
}

static void add_mark(ms_sketch *e, ptrdiff_t node, const char *label, ms_sketch_mark_kind kind) {
  if (e->status == MS_SUCCESS)
    e->status = ms_resize(e->structure->ctx, e->n_mark + 1, sizeof *e->mark, &e->mark);
  if (e->status == MS_SUCCESS)
    e->mark[e->n_mark++] = (ms_sketch_mark) { .node = node, .label = label, .kind = kind };
}

/* A node that moves with part t of b and 1 - t of a, `drop` below the line between them. */
static ptrdiff_t add_between(ms_sketch *e, ptrdiff_t a, ptrdiff_t b, double t, double drop) {
  if (e->status != MS_SUCCESS) return 0;
  const double *p = e->x + 3 * a, *q = e->x + 3 * b;
  const ptrdiff_t n = e->n_term,
                  node = add_node(e, p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]),
                                  p[2] + t * (q[2] - p[2]) - drop);
  for (ptrdiff_t k = 0; k < n && e->status == MS_SUCCESS; k++) {
    const term m = e->term[k];
    if (m.node == a) add_term(e, node, m.c, m.dof, (1.0 - t) * m.weight);
    if (m.node == b) add_term(e, node, m.c, m.dof, t * m.weight);
  }
  return node;
}

/* From a to b below what is between them; returns the node in its middle. */
static ptrdiff_t add_arc(ms_sketch *e, ptrdiff_t a, ptrdiff_t b, ms_sketch_line kind, double drop) {
  ptrdiff_t last = a, middle = a;
  for (int i = 1; i <= ARC; i++) {
    const double t = (double)i / ARC;
    const ptrdiff_t next = i < ARC ? add_between(e, a, b, t, 4.0 * t * (1.0 - t) * drop) : b;
    add_line(e, last, next, kind);
    if (i == ARC / 2) middle = next;
    last = next;
  }
  return middle;
}

static ptrdiff_t add_ground(ms_sketch *e, ptrdiff_t node, double dx, double dz) {
  static const double origin[3];
  const double *at = e->status == MS_SUCCESS ? e->x + 3 * node : origin;
  const ptrdiff_t ground = add_node(e, at[0] + dx, at[1], at[2] + dz);
  add_mark(e, ground, NULL, MS_SKETCH_AT_GROUND);
  return ground;
}

/* ---- joints ---- */

static ptrdiff_t node_of(const ms_sketch *e, ptrdiff_t dof) {
  return dof == MS_GROUND ? -1 : e->node_of[dof];
}

static double distance(const ms_sketch *e, ptrdiff_t a, ptrdiff_t b) {
  if (e->status != MS_SUCCESS) return 0.0;
  const double *p = e->x + 3 * a, *q = e->x + 3 * b;
  return hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
}

/* Between two degrees of freedom an arc, to the ground a line downwards; a joint on a combination
   of several is a mark at that of the largest weight. */
static void add_joint(ms_sketch *e, const ms_attachment *at) {
  const ptrdiff_t a = node_of(e, at->from[0]), b = node_of(e, at->to[0]), one = a < 0 ? b : a;
  ptrdiff_t mark = one;
  if (one < 0) return;
  if (a >= 0 && b >= 0 && a != b) {
    mark = add_arc(e, a, b, MS_SKETCH_JOINT, 0.2 * fmax(distance(e, a, b), e->step));
  } else if (!at->mapping_row[0] && a != b) {
    const ptrdiff_t ground = add_ground(e, one, 0.2 * e->step, -0.9 * e->step);
    add_line(e, one, ground, MS_SKETCH_JOINT);
    mark = add_between(e, one, ground, 0.5, 0.0);
  }
  add_mark(e, mark, e->structure->n_attachment > MOST_LABELS ? NULL : at->name, MS_SKETCH_AT_JOINT);
}

/* ---- chain: degrees of freedom in their order, springs by the stiffness matrix ---- */

static void add_ground_spring(ms_sketch *e, ptrdiff_t i, ptrdiff_t n) {
  const double d = e->step;
  const ptrdiff_t ground = i == 0       ? add_ground(e, i, -d, 0.0)
                           : i == n - 1 ? add_ground(e, i, d, 0.0)
                                        : add_ground(e, i, -0.2 * d, -0.9 * d);
  add_line(e, ground, i, MS_SKETCH_SPRING);
}

static void draw_chain(ms_sketch *e) {
  const ptrdiff_t n = ms_structure_get_size(e->structure);
  const double *K = ms_structure_get_stiffness(e->structure);
  const int few = n <= MOST_LABELS;
  e->step = 1.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    e->node_of[i] = add_node(e, (double)i, 0.0, 0.0);
    add_term(e, i, 2, i, 1.0);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    double rest = K[i + n * i], size = fabs(rest);
    for (ptrdiff_t j = 0; j < n; j++) {
      const double k = K[i + n * j];
      if (j == i || k == 0.0) continue;
      rest += k;
      size += fabs(k);
      if (j == i + 1) add_line(e, i, j, few ? MS_SKETCH_SPRING : MS_SKETCH_BODY);
      if (j > i + 1) add_arc(e, i, j, MS_SKETCH_THIN, -0.15 * (double)(j - i));
    }
    if (fabs(rest) > (double)n * DBL_EPSILON * size) add_ground_spring(e, i, n);
  }
  for (ptrdiff_t i = 0; i < n && few; i++)
    add_mark(e, i, ms_structure_get_name(e->structure, i), MS_SKETCH_AT_MASS);
}

/* ---- beam: the cubics of its elements ---- */

static void draw_element(ms_sketch *e, const ms_beam_node *at, int parts, ptrdiff_t first,
                         ptrdiff_t last, double length) {
  const double l = at[1].x - at->x;
  ptrdiff_t before = first;
  for (int i = 1; i <= parts; i++) {
    const double t = (double)i / parts;
    ptrdiff_t node = last;
    if (i < parts) {
      node = add_node(e, at->x + t * l, 0.0, 0.0);
      add_term(e, node, 2, at->uy, 1.0 - t * t * (3.0 - 2.0 * t));
      add_term(e, node, 2, at->rz, l * t * (1.0 - t) * (1.0 - t));
      add_term(e, node, 2, at[1].uy, t * t * (3.0 - 2.0 * t));
      add_term(e, node, 2, at[1].rz, l * t * t * (t - 1.0));
      add_term(e, node, 0, e->end, (at->x + t * l) / length);
    }
    add_line(e, before, node, MS_SKETCH_BODY);
    before = node;
  }
}

static void draw_beam(ms_sketch *e, const ms_beam_node *node, ptrdiff_t n) {
  const double length = node[n - 1].x;
  const int parts = n > CURVE ? 1 : 1 + CURVE / (int)n;
  e->step = 0.12 * length;
  e->end = node[n - 1].ux;
  for (ptrdiff_t k = 0; k < n; k++) {
    add_node(e, node[k].x, 0.0, 0.0);
    add_term(e, k, 2, node[k].uy, 1.0);
    add_term(e, k, 0, e->end, node[k].x / length);
    const ptrdiff_t own[] = { node[k].uy, node[k].rz, node[k].ux };
    for (int d = 0; d < 3; d++)
      if (own[d] != MS_GROUND) e->node_of[own[d]] = k;
  }
  for (ptrdiff_t k = 0; k + 1 < n; k++) draw_element(e, node + k, parts, k, k + 1, length);
  for (ptrdiff_t k = 0; k < n; k += n - 1)
    if (node[k].uy == MS_GROUND) add_mark(e, k, NULL, MS_SKETCH_AT_GROUND);
}

/* ---- points ---- */

static void draw_points(ms_sketch *e, ptrdiff_t n, const ms_sketch_point *point, ptrdiff_t n_line,
                        const int32_t *line) {
  double size = 0.0; /* the largest distance from the first */
  for (ptrdiff_t k = 0; k < n; k++) {
    const double *x = point[k].x;
    add_node(e, x[0], x[1], x[2]);
    size = fmax(size, distance(e, 0, k));
    for (int d = 0; d < 3; d++) {
      const ptrdiff_t dof = point[k].dof[d];
      add_term(e, k, d, dof, 1.0);
      if (dof != MS_GROUND) e->node_of[dof] = k;
    }
  }
  e->step = size > 0.0 ? 0.12 * size : 1.0;
  for (ptrdiff_t k = 0; k < n_line; k++) add_line(e, line[2 * k], line[2 * k + 1], MS_SKETCH_BODY);
  const int few = n <= MOST_LABELS;
  for (ptrdiff_t k = 0; k < n && (few || n_line == 0); k++)
    add_mark(e, k, few ? point[k].name : NULL, MS_SKETCH_AT_MASS);
}

/* ---- life ---- */

static ms_status create(const ms_structure *s, ms_sketch **out) {
  MS_TRY(ms_allocate(s->ctx, 1, sizeof **out, out));
  (*out)->structure = s;
  ms_status status = ms_allocate(s->ctx, s->n, sizeof *(*out)->node_of, &(*out)->node_of);
  if (status != MS_SUCCESS) ms_sketch_destroy(out);
  for (ptrdiff_t i = 0; *out && i < s->n; i++) (*out)->node_of[i] = -1;
  return status;
}

static ms_status finish(ms_sketch **out) {
  ms_sketch *e = *out;
  const ms_structure *s = e->structure;
  for (int j = 0; j < s->n_attachment; j++) add_joint(e, &s->attachment[j]);
  const ms_status status = e->status;
  if (status != MS_SUCCESS) ms_sketch_destroy(out);
  return status;
}

ms_status ms_sketch_create_chain(const ms_structure *s, ms_sketch **out) {
  MS_MAKE(s ? s->ctx : NULL, out, s);
  MS_TRY(create(s, out));
  draw_chain(*out);
  return finish(out);
}

ms_status ms_sketch_create_beam(const ms_structure *s, ptrdiff_t n, const ms_beam_node *node,
                                ms_sketch **out) {
  MS_MAKE(s ? s->ctx : NULL, out, node && n > 1);
  MS_TRY(create(s, out));
  draw_beam(*out, node, n);
  return finish(out);
}

ms_status ms_sketch_create_points(const ms_structure *s, ptrdiff_t n, const ms_sketch_point *point,
                                  ptrdiff_t n_line, const int32_t *line, ms_sketch **out) {
  MS_MAKE(s ? s->ctx : NULL, out, point && n > 0 && n_line >= 0 && (line || n_line == 0));
  for (ptrdiff_t k = 0; k < 2 * n_line; k++)
    if (line[k] < 0 || line[k] >= n)
      return ms_fail(s->ctx, MS_ERR_ARGUMENT, "line %td has no point %d; there are 0 to %td", k / 2,
                     (int)line[k], n - 1);
  for (ptrdiff_t k = 0; k < 3 * n; k++) {
    const ptrdiff_t dof = point[k / 3].dof[k % 3];
    if (dof != MS_GROUND && (dof < 0 || dof >= s->n))
      return ms_fail(s->ctx, MS_ERR_ARGUMENT, "point %td: there is no degree of freedom %td", k / 3,
                     dof);
  }
  MS_TRY(create(s, out));
  draw_points(*out, n, point, n_line, line);
  return finish(out);
}

void ms_sketch_destroy(ms_sketch **sketch) {
  ms_sketch *e = *sketch;
  if (!e) return;
  ms_context *ctx = e->structure->ctx;
  ms_free(ctx, &e->x);
  ms_free(ctx, &e->line);
  ms_free(ctx, &e->kind);
  ms_free(ctx, &e->mark);
  ms_free(ctx, &e->term);
  ms_free(ctx, &e->node_of);
  ms_free(ctx, sketch);
}

ms_sketch_view ms_sketch_get(const ms_sketch *e) {
  return (ms_sketch_view) { e->n_node, e->x, e->n_line, e->line, e->kind, e->n_mark, e->mark };
}

void ms_sketch_add_motion(const ms_sketch *e, const double *phi, double *u) {
  for (const term *t = e->term; t < e->term + e->n_term; t++)
    u[3 * t->node + t->c] += t->weight * phi[t->dof];
}
