/* Shapes of modes of finite elements: the surfaces of the meshes, and the nodes that have names. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/modes/modes.h"

enum { MOST_SHAPES = 6, MOST_MARKS = 256 };

/* A mesh, and where its nodes begin in the scene. */
typedef struct body {
  const ms_fe *fe;
  ms_surface *surface;
  ms_surface_view view;
  ptrdiff_t node;
} body;

/* The surfaces' nodes, then the marks. */
typedef struct scene {
  const ms_study *s;
  body *body;
  ptrdiff_t n_body, n_seen; /* n_seen: nodes that are no marks */
  ms_shape shape;
  double *x;
  double *field; /* of the largest mesh, 3 x nodes */
  int32_t *face, *line;
  ptrdiff_t dof[MOST_MARKS][3]; /* translations of a mark in a vector of the structure */
  const double *at[MOST_MARKS];
  char label[MOST_MARKS][MS_FE_COORDINATE];
  ms_shape_mark mark[MOST_MARKS];
} scene;

/* ---- marks ---- */

/* The translations of a node with a name; 0 if they were not kept. */
static int find_translations(const ms_fe *fe, const char *node, ptrdiff_t dof[3]) {
  char name[MS_FE_NAME + 8], full[MS_FE_COORDINATE];
  for (int c = 0; c < 3; c++) {
    snprintf(name, sizeof name, "%s.%s", node, ms_fe_component_name(c));
    ms_fe_print_coordinate(fe, name, full);
    if (ms_structure_find(fe->study->structure, full, &dof[c]) == MS_SUCCESS) continue;
    ms_context_clear_message(fe->ctx);
    return 0;
  }
  return 1;
}

/* Ends of a joint in two bodies are at one place. */
static int is_marked(const scene *e, const double at[3]) {
  for (ptrdiff_t k = 0; k < e->shape.n_mark; k++) {
    if (memcmp(e->at[k], at, 3 * sizeof *at) == 0) return 1;
  }
  return 0;
}

/* The first end of a pair stands for both: "bolt.1" for bolt.1.a. */
static void list_marks(scene *e, const ms_fe *fe) {
  ptrdiff_t *n = &e->shape.n_mark;
  for (ptrdiff_t k = 0; k < fe->n_named && *n < MOST_MARKS; k++) {
    const ms_fem_node *node = &fe->named[k];
    const size_t length = strlen(node->name);
    const int end = length > 2 && node->name[length - 2] == '.' ? node->name[length - 1] : 0;
    if (end == 'b' || is_marked(e, node->at) || !find_translations(fe, node->name, e->dof[*n]))
      continue;
    char *label = e->label[*n];
    ms_fe_print_coordinate(fe, node->name, label);
    if (end == 'a') label[strlen(label) - 2] = '\0';
    e->at[*n] = node->at;
    e->mark[*n] = (ms_shape_mark) { .node = e->n_seen + *n, .label = label };
    ++*n;
  }
}

/* ---- bodies ---- */

static ms_status open_bodies(scene *e, ptrdiff_t *most) {
  for (const ms_fe *fe = e->s->fe; fe; fe = fe->next) {
    body *b = &e->body[e->n_body++];
    *b = (body) { .fe = fe, .node = e->n_seen };
    MS_TRY(fe->f->mesh_extract_surface(fe->mesh, NULL, &b->surface));
    b->view = fe->f->surface_get(b->surface);
    e->n_seen += b->view.n_node;
    e->shape.n_face += b->view.n_face;
    e->shape.n_line += b->view.n_line;
    e->shape.closed = e->shape.closed && b->view.closed;
    const ptrdiff_t n = fe->f->mesh_count_nodes(fe->mesh);
    *most = n > *most ? n : *most;
  }
  for (const ms_fe *fe = e->s->fe; fe; fe = fe->next) list_marks(e, fe);
  e->shape.n_node = e->n_seen + e->shape.n_mark;
  return MS_SUCCESS;
}

/* Vectors at the nodes of a mesh to those of its surface. */
static void copy_nodes(const body *b, const double *from, double *to) {
  for (ptrdiff_t i = 0; i < b->view.n_node; i++) {
    memcpy(to + 3 * (b->node + i), from + 3 * (ptrdiff_t)b->view.node[i], 3 * sizeof *to);
  }
}

/* Faces and lines count the nodes of their body; -1 is none. */
static int32_t *copy_numbers(const int32_t *from, ptrdiff_t n, ptrdiff_t first, int32_t *to) {
  for (ptrdiff_t i = 0; i < n; i++) to[i] = from[i] < 0 ? from[i] : from[i] + (int32_t)first;
  return to + n;
}

static void join_bodies(scene *e) {
  int32_t *face = e->face, *line = e->line;
  for (const body *b = e->body; b < e->body + e->n_body; b++) {
    copy_nodes(b, b->fe->f->mesh_get_nodes(b->fe->mesh), e->x);
    face = copy_numbers(b->view.face, 4 * b->view.n_face, b->node, face);
    line = copy_numbers(b->view.line, 2 * b->view.n_line, b->node, line);
  }
  for (ptrdiff_t k = 0; k < e->shape.n_mark; k++) {
    memcpy(e->x + 3 * (e->n_seen + k), e->at[k], 3 * sizeof *e->x);
  }
}

/* ---- modes ---- */

static ms_status move(void *scene_of, const double *phi, double *u) {
  scene *e = scene_of;
  for (const body *b = e->body; b < e->body + e->n_body; b++) {
    MS_TRY(ms_fe_recover(b->fe, phi, e->field));
    copy_nodes(b, e->field, u);
  }
  for (ptrdiff_t k = 0; k < 3 * e->shape.n_mark; k++) {
    const ptrdiff_t i = e->dof[k / 3][k % 3];
    u[3 * e->n_seen + k] = i == MS_GROUND ? 0.0 : phi[i];
  }
  return MS_SUCCESS;
}

static ms_status draw(scene *e, const ms_modes_product *p, ms_page *page) {
  ms_context *ctx = e->s->ctx;
  ms_shape *shape = &e->shape;
  ptrdiff_t n_fe = 0, most = 0;
  for (const ms_fe *fe = e->s->fe; fe; fe = fe->next) n_fe++;
  MS_TRY(ms_allocate(ctx, n_fe, sizeof *e->body, &e->body));
  MS_TRY(open_bodies(e, &most));
  MS_TRY(ms_allocate(ctx, 3 * shape->n_node, sizeof *e->x, &e->x));
  MS_TRY(ms_allocate(ctx, 3 * most, sizeof *e->field, &e->field));
  MS_TRY(ms_allocate(ctx, 4 * shape->n_face + 1, sizeof *e->face, &e->face));
  MS_TRY(ms_allocate(ctx, 2 * shape->n_line + 1, sizeof *e->line, &e->line));
  join_bodies(e);
  shape->x = e->x;
  shape->face = e->face;
  shape->line = e->line;
  shape->mark = e->mark;
  const ms_mode_picture picture = { *shape, MOST_SHAPES, move, e };
  return ms_modes_add_picture(e->s, p, "", &picture, page);
}

ms_status ms_modes_show_shapes(const ms_study *s, const ms_modes_product *p, ms_page *page) {
  scene *e;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *e, &e));
  e->s = s;
  e->shape.closed = 1;
  ms_status status = draw(e, p, page);
  for (body *b = e->body; b < e->body + e->n_body; b++) {
    if (b->surface) b->fe->f->surface_destroy(&b->surface);
  }
  ms_free(s->ctx, &e->body);
  ms_free(s->ctx, &e->x);
  ms_free(s->ctx, &e->field);
  ms_free(s->ctx, &e->face);
  ms_free(s->ctx, &e->line);
  ms_free(s->ctx, &e);
  return status;
}
