/* Shapes of modes of a chain or a beam: drawn in a plane, x to the right, with springs, supports
   and joints. Displacements of a chain are drawn upwards, whatever their direction. */
#include <float.h>
#include <math.h>
#include <microslip/beam.h>

#include "structure/impl.h"
#include "study/analyses/modes/modes.h"

enum { MOST_MODES = 20, MOST_LABELS = 40, ARC = 12, CURVE = 96 };

/* Of component c of a node: weight times a degree of freedom. */
typedef struct term {
  ptrdiff_t node, dof;
  int c;
  double weight;
} term;

typedef struct scene {
  const ms_study *s;
  ms_status status; /* of what was added so far */
  double *x;
  int32_t *line;
  unsigned char *style;
  ms_shape_mark *mark;
  term *term;
  ptrdiff_t n_node, n_line, n_mark, n_term;
  ptrdiff_t *node_of; /* of each degree of freedom; -1: none */
  double step;        /* between neighbours: offsets are parts of it */
  ptrdiff_t end;      /* of a beam: its axial degree of freedom */
} scene;

/* ---- building ---- */

static ptrdiff_t add_node(scene *e, double x, double z) {
  if (e->status == MS_SUCCESS)
    e->status = ms_resize(e->s->ctx, 3 * (e->n_node + 1), sizeof *e->x, &e->x);
  if (e->status != MS_SUCCESS) return 0;
  double *at = e->x + 3 * e->n_node;
  at[0] = x, at[1] = 0.0, at[2] = z;
  return e->n_node++;
}

static void add_term(scene *e, ptrdiff_t node, int c, ptrdiff_t dof, double weight) {
  if (dof == MS_GROUND || e->status != MS_SUCCESS) return;
  e->status = ms_resize(e->s->ctx, e->n_term + 1, sizeof *e->term, &e->term);
  if (e->status == MS_SUCCESS) e->term[e->n_term++] = (term) { node, dof, c, weight };
}

static void add_line(scene *e, ptrdiff_t a, ptrdiff_t b, ms_line_style style) {
  if (e->status == MS_SUCCESS)
    e->status = ms_resize(e->s->ctx, 2 * (e->n_line + 1), sizeof *e->line, &e->line);
  if (e->status == MS_SUCCESS)
    e->status = ms_resize(e->s->ctx, e->n_line + 1, sizeof *e->style, &e->style);
  if (e->status != MS_SUCCESS) return;
  e->line[2 * e->n_line] = (int32_t)a;
  e->line[2 * e->n_line + 1] = (int32_t)b;
  e->style[e->n_line++] = (unsigned char)style;
}

static void add_mark(scene *e, ptrdiff_t node, const char *label, ms_mark_style style) {
  if (e->status == MS_SUCCESS)
    e->status = ms_resize(e->s->ctx, e->n_mark + 1, sizeof *e->mark, &e->mark);
  if (e->status == MS_SUCCESS)
    e->mark[e->n_mark++] = (ms_shape_mark) { .node = node, .label = label, .style = style };
}

/* A node that moves with part t of b and 1 - t of a, `drop` below the line between them. */
static ptrdiff_t add_between(scene *e, ptrdiff_t a, ptrdiff_t b, double t, double drop) {
  if (e->status != MS_SUCCESS) return 0;
  const double *p = e->x + 3 * a, *q = e->x + 3 * b;
  const ptrdiff_t n = e->n_term,
                  node = add_node(e, p[0] + t * (q[0] - p[0]), p[2] + t * (q[2] - p[2]) - drop);
  for (ptrdiff_t k = 0; k < n && e->status == MS_SUCCESS; k++) {
    const term m = e->term[k];
    if (m.node == a) add_term(e, node, m.c, m.dof, (1.0 - t) * m.weight);
    if (m.node == b) add_term(e, node, m.c, m.dof, t * m.weight);
  }
  return node;
}

/* From a to b below what is between them; returns the node in its middle. */
static ptrdiff_t add_arc(scene *e, ptrdiff_t a, ptrdiff_t b, ms_line_style style, double drop) {
  ptrdiff_t last = a, middle = a;
  for (int i = 1; i <= ARC; i++) {
    const double t = (double)i / ARC;
    const ptrdiff_t next = i < ARC ? add_between(e, a, b, t, 4.0 * t * (1.0 - t) * drop) : b;
    add_line(e, last, next, style);
    if (i == ARC / 2) middle = next;
    last = next;
  }
  return middle;
}

static ptrdiff_t add_ground(scene *e, ptrdiff_t node, double dx, double dz) {
  const double x = e->status == MS_SUCCESS ? e->x[3 * node] : 0.0;
  const ptrdiff_t ground = add_node(e, x + dx, dz);
  add_mark(e, ground, NULL, MS_MARK_GROUND);
  return ground;
}

/* ---- joints ---- */

static ptrdiff_t node_of(const scene *e, ptrdiff_t dof) {
  return dof == MS_GROUND ? -1 : e->node_of[dof];
}

/* Between two degrees of freedom an arc, to the ground a line downwards; a joint on a combination
   of several is a mark at that of the largest weight. */
static void add_joint(scene *e, const ms_attachment *at) {
  const ptrdiff_t a = node_of(e, at->from[0]), b = node_of(e, at->to[0]), one = a < 0 ? b : a;
  ptrdiff_t mark = one;
  if (one < 0) return;
  if (a >= 0 && b >= 0 && a != b) {
    const double apart = e->status == MS_SUCCESS ? fabs(e->x[3 * a] - e->x[3 * b]) : 0.0;
    mark = add_arc(e, a, b, MS_LINE_JOINT, 0.2 * fmax(apart, e->step));
  } else if (!at->mapping_row[0] && a != b) {
    const ptrdiff_t ground = add_ground(e, one, 0.2 * e->step, -0.9 * e->step);
    add_line(e, one, ground, MS_LINE_JOINT);
    mark = add_between(e, one, ground, 0.5, 0.0);
  }
  add_mark(e, mark, e->s->structure->n_attachment > MOST_LABELS ? NULL : at->name, MS_MARK_JOINT);
}

/* ---- chain: degrees of freedom in their order, springs by the stiffness matrix ---- */

static void add_ground_spring(scene *e, ptrdiff_t i, ptrdiff_t n) {
  const double d = e->step;
  const ptrdiff_t ground = i == 0       ? add_ground(e, i, -d, 0.0)
                           : i == n - 1 ? add_ground(e, i, d, 0.0)
                                        : add_ground(e, i, -0.2 * d, -0.9 * d);
  add_line(e, ground, i, MS_LINE_SPRING);
}

static void draw_chain(scene *e) {
  const ptrdiff_t n = ms_structure_get_size(e->s->structure);
  const double *K = ms_structure_get_stiffness(e->s->structure);
  const int few = n <= MOST_LABELS;
  e->step = 1.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    e->node_of[i] = add_node(e, (double)i, 0.0);
    add_term(e, i, 2, i, 1.0);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    double rest = K[i + n * i], size = fabs(rest);
    for (ptrdiff_t j = 0; j < n; j++) {
      const double k = K[i + n * j];
      if (j == i || k == 0.0) continue;
      rest += k;
      size += fabs(k);
      if (j == i + 1) add_line(e, i, j, few ? MS_LINE_SPRING : MS_LINE_BODY);
      if (j > i + 1) add_arc(e, i, j, MS_LINE_THIN, -0.15 * (double)(j - i));
    }
    if (fabs(rest) > (double)n * DBL_EPSILON * size) add_ground_spring(e, i, n);
  }
  for (ptrdiff_t i = 0; i < n && few; i++)
    add_mark(e, i, ms_structure_get_name(e->s->structure, i), MS_MARK_MASS);
}

/* ---- beam: the cubics of its elements ---- */

static void draw_element(scene *e, const ms_beam_node *at, int parts, ptrdiff_t first,
                         ptrdiff_t last, double length) {
  const double l = at[1].x - at->x;
  ptrdiff_t before = first;
  for (int i = 1; i <= parts; i++) {
    const double t = (double)i / parts;
    ptrdiff_t node = last;
    if (i < parts) {
      node = add_node(e, at->x + t * l, 0.0);
      add_term(e, node, 2, at->uy, 1.0 - t * t * (3.0 - 2.0 * t));
      add_term(e, node, 2, at->rz, l * t * (1.0 - t) * (1.0 - t));
      add_term(e, node, 2, at[1].uy, t * t * (3.0 - 2.0 * t));
      add_term(e, node, 2, at[1].rz, l * t * t * (t - 1.0));
      add_term(e, node, 0, e->end, (at->x + t * l) / length);
    }
    add_line(e, before, node, MS_LINE_BODY);
    before = node;
  }
}

static void draw_beam(scene *e, const ms_beam_node *node, ptrdiff_t n) {
  const double length = node[n - 1].x;
  const int parts = n > CURVE ? 1 : 1 + CURVE / (int)n;
  e->step = 0.12 * length;
  e->end = node[n - 1].ux;
  for (ptrdiff_t k = 0; k < n; k++) {
    add_node(e, node[k].x, 0.0);
    add_term(e, k, 2, node[k].uy, 1.0);
    add_term(e, k, 0, e->end, node[k].x / length);
    const ptrdiff_t own[] = { node[k].uy, node[k].rz, node[k].ux };
    for (int d = 0; d < 3; d++)
      if (own[d] != MS_GROUND) e->node_of[own[d]] = k;
  }
  for (ptrdiff_t k = 0; k + 1 < n; k++) draw_element(e, node + k, parts, k, k + 1, length);
  for (ptrdiff_t k = 0; k < n; k += n - 1)
    if (node[k].uy == MS_GROUND) add_mark(e, k, NULL, MS_MARK_GROUND);
}

/* ---- the picture ---- */

static ms_status move(void *scene_of, const double *phi, double *u) {
  const scene *e = scene_of;
  for (ptrdiff_t k = 0; k < e->n_term; k++)
    u[3 * e->term[k].node + e->term[k].c] += e->term[k].weight * phi[e->term[k].dof];
  return MS_SUCCESS;
}

static ms_status draw(scene *e, const ms_modes_product *p, int is_chain, ms_page *page) {
  const ms_structure *structure = e->s->structure;
  const ptrdiff_t n = ms_structure_get_size(structure);
  ms_beam_node *node = NULL;
  ptrdiff_t n_node = 0;
  MS_TRY(ms_allocate(e->s->ctx, n, sizeof *e->node_of, &e->node_of));
  for (ptrdiff_t i = 0; i < n; i++) e->node_of[i] = -1;
  MS_TRY(ms_study_find_beam_nodes(e->s, &n_node, &node));
  is_chain ? draw_chain(e) : draw_beam(e, node, n_node);
  ms_free(e->s->ctx, &node);
  for (int j = 0; j < structure->n_attachment; j++) add_joint(e, &structure->attachment[j]);
  MS_TRY(e->status);
  const ms_mode_picture picture = { { .n_node = e->n_node,
                                      .x = e->x,
                                      .n_line = e->n_line,
                                      .line = e->line,
                                      .line_style = e->style,
                                      .n_mark = e->n_mark,
                                      .mark = e->mark },
                                    MOST_MODES,
                                    move,
                                    e };
  return ms_modes_add_picture(
      e->s, p,
      is_chain ? " A schematic: masses in the order of the file, displacements drawn upwards, "
                 "joints dashed."
               : " Deflections are drawn upwards, joints dashed.",
      &picture, page);
}

ms_status ms_modes_show_schematic(const ms_study *s, const ms_modes_product *p, ms_page *page) {
  struct fy_node *structure = ms_yaml_get(ms_yaml_root(&s->yaml), "structure");
  const int is_chain = ms_yaml_get(structure, "chain") != NULL;
  scene e = { .s = s };
  if (s->fe) return MS_SUCCESS;
  if (!is_chain && !ms_yaml_get(structure, "beam")) {
    return ms_page_add_text(page, "Mode shapes are not drawn: the structure has no positions.");
  }
  ms_status status = draw(&e, p, is_chain, page);
  ms_free(s->ctx, &e.x);
  ms_free(s->ctx, &e.line);
  ms_free(s->ctx, &e.style);
  ms_free(s->ctx, &e.mark);
  ms_free(s->ctx, &e.term);
  ms_free(s->ctx, &e.node_of);
  return status;
}
