/* Shapes of modes in the report: the surfaces of the meshes, moving, with the nodes that have
   names. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/modes/modes.h"

#define TWO_PI 6.283185307179586
enum { MOST_SHAPES = 6, MOST_MARKS = 256 };

/* A mesh, and where its nodes, faces and lines begin in the scene. */
typedef struct body {
  const ms_fe *fe;
  ms_surface *surface;
  ms_surface_view view;
  ptrdiff_t node, face, line;
} body;

/* The surfaces' nodes, then the marks. */
typedef struct scene {
  const ms_study *s;
  const ms_mode_family *family; /* of every mode; NULL: not told */
  body *body;
  ptrdiff_t n_body;
  ptrdiff_t n_node, n_face, n_line, n_seen; /* n_seen: nodes that are no marks */
  double *x, *u;                            /* 3 x n_node, and as many for each mode */
  double *field;                            /* of the largest mesh, 3 x nodes */
  int32_t *face, *line;
  int closed;
  ptrdiff_t n_mark;
  const ms_fe *owner[MOST_MARKS];
  const ms_fem_node *named[MOST_MARKS];
  char label[MOST_MARKS][MS_FE_COORDINATE];
  ms_shape_mark mark[MOST_MARKS];
  char name[MOST_SHAPES][32], value[MOST_SHAPES][80];
  ms_shape_mode mode[MOST_SHAPES];
  ptrdiff_t n_mode;
} scene;

/* ---- marks ---- */

/* A translation of a node with a name in a vector of the structure; 0 if it was not kept. */
static int find_translation(const ms_fe *fe, const char *node, int c, ptrdiff_t *i) {
  char name[MS_FE_NAME + 8], full[MS_FE_COORDINATE];
  snprintf(name, sizeof name, "%s.%s", node, ms_fe_component_name(c));
  ms_fe_print_coordinate(fe, name, full);
  ms_status status = ms_structure_find(fe->study->structure, full, i);
  if (status != MS_SUCCESS) ms_context_clear_message(fe->ctx);
  return status == MS_SUCCESS;
}

static int is_kept(const ms_fe *fe, const char *node) {
  ptrdiff_t i;
  for (int c = 0; c < 3; c++) {
    if (!find_translation(fe, node, c, &i)) return 0;
  }
  return 1;
}

/* Ends of a joint in two bodies are at one place. */
static int is_marked(const scene *e, const double *at) {
  for (ptrdiff_t k = 0; k < e->n_mark; k++) {
    if (memcmp(e->named[k]->at, at, sizeof e->named[k]->at) == 0) return 1;
  }
  return 0;
}

/* The first end of a pair stands for both: "bolt.1" for bolt.1.a. */
static void list_marks(scene *e, const ms_fe *fe) {
  for (ptrdiff_t k = 0; k < fe->n_named && e->n_mark < MOST_MARKS; k++) {
    const ms_fem_node *node = &fe->named[k];
    size_t n = strlen(node->name);
    int end = n > 2 && node->name[n - 2] == '.' ? node->name[n - 1] : 0;
    if (end == 'b' || is_marked(e, node->at) || !is_kept(fe, node->name)) continue;
    char *label = e->label[e->n_mark];
    ms_fe_print_coordinate(fe, node->name, label);
    if (end == 'a') label[strlen(label) - 2] = '\0';
    e->owner[e->n_mark] = fe;
    e->named[e->n_mark] = node;
    e->mark[e->n_mark] = (ms_shape_mark) { e->n_seen + e->n_mark, label };
    e->n_mark++;
  }
}

/* ---- bodies ---- */

static void place_nodes(scene *e) {
  for (const body *b = e->body; b < e->body + e->n_body; b++) {
    const double *x = b->fe->f->mesh_get_nodes(b->fe->mesh);
    for (ptrdiff_t i = 0; i < b->view.n_node; i++) {
      memcpy(e->x + 3 * (b->node + i), x + 3 * (ptrdiff_t)b->view.node[i], 3 * sizeof *x);
    }
  }
  for (ptrdiff_t k = 0; k < e->n_mark; k++) {
    memcpy(e->x + 3 * (e->n_seen + k), e->named[k]->at, sizeof e->named[k]->at);
  }
}

/* Faces and lines count the nodes of their body; -1 is none. */
static void copy_numbers(const int32_t *from, ptrdiff_t n, ptrdiff_t first, int32_t *to) {
  for (ptrdiff_t i = 0; i < n; i++) to[i] = from[i] < 0 ? from[i] : from[i] + (int32_t)first;
}

static void join_surfaces(scene *e) {
  for (const body *b = e->body; b < e->body + e->n_body; b++) {
    copy_numbers(b->view.face, 4 * b->view.n_face, b->node, e->face + 4 * b->face);
    copy_numbers(b->view.line, 2 * b->view.n_line, b->node, e->line + 2 * b->line);
  }
}

static ms_status open_bodies(scene *e, ptrdiff_t *most) {
  for (const ms_fe *fe = e->s->fe; fe; fe = fe->next) {
    body *b = &e->body[e->n_body++];
    *b = (body) { .fe = fe, .node = e->n_seen, .face = e->n_face, .line = e->n_line };
    MS_TRY(fe->f->mesh_extract_surface(fe->mesh, NULL, &b->surface));
    b->view = fe->f->surface_get(b->surface);
    e->n_seen += b->view.n_node;
    e->n_face += b->view.n_face;
    e->n_line += b->view.n_line;
    e->closed = e->closed && b->view.closed;
    ptrdiff_t n = fe->f->mesh_count_nodes(fe->mesh);
    *most = n > *most ? n : *most;
  }
  for (const ms_fe *fe = e->s->fe; fe; fe = fe->next) list_marks(e, fe);
  e->n_node = e->n_seen + e->n_mark;
  return MS_SUCCESS;
}

/* ---- modes ---- */

static ms_status add_mode(scene *e, ptrdiff_t r) {
  ms_modes stuck = ms_structure_get_stuck(e->s->structure);
  const double *phi = stuck.shape + stuck.n * r;
  ptrdiff_t m = e->n_mode++;
  double *u = e->u + 3 * e->n_node * m;
  for (const body *b = e->body; b < e->body + e->n_body; b++) {
    MS_TRY(ms_fe_recover(b->fe, phi, e->field));
    for (ptrdiff_t i = 0; i < b->view.n_node; i++) {
      memcpy(u + 3 * (b->node + i), e->field + 3 * (ptrdiff_t)b->view.node[i], 3 * sizeof *u);
    }
  }
  for (ptrdiff_t k = 0; k < e->n_mark; k++) {
    for (int c = 0; c < 3; c++) {
      ptrdiff_t i = MS_GROUND;
      find_translation(e->owner[k], e->named[k]->name, c, &i);
      u[3 * (e->n_seen + k) + c] = i == MS_GROUND ? 0.0 : phi[i];
    }
  }
  snprintf(e->name[m], sizeof e->name[m], "Mode %td", r + 1);
  int at = snprintf(e->value[m], sizeof e->value[m], "%.6g rad/s, %.5g Hz", stuck.omega[r],
                    stuck.omega[r] / TWO_PI);
  if (e->family) {
    snprintf(e->value[m] + at, sizeof e->value[m] - (size_t)at, ", %s %td", e->family[r].name,
             e->family[r].number);
  }
  e->mode[m] = (ms_shape_mode) { e->name[m], e->value[m], u };
  return MS_SUCCESS;
}

static ms_status draw(scene *e, ms_page *page) {
  ms_modes stuck = ms_structure_get_stuck(e->s->structure);
  for (ptrdiff_t r = 0; r < stuck.n && e->n_mode < MOST_SHAPES; r++) {
    if (stuck.omega[r] > 0.0) MS_TRY(add_mode(e, r));
  }
  if (e->n_mode == 0) return MS_SUCCESS;
  ms_shape shape = { .n_node = e->n_node,
                     .x = e->x,
                     .n_face = e->n_face,
                     .face = e->face,
                     .closed = e->closed,
                     .n_line = e->n_line,
                     .line = e->line,
                     .n_mode = e->n_mode,
                     .mode = e->mode,
                     .n_mark = e->n_mark,
                     .mark = e->mark };
  return ms_page_add_shape(page, "Modes of the stuck structure.", &shape);
}

static ms_status fill(scene *e, ms_page *page) {
  ms_context *ctx = e->s->ctx;
  ptrdiff_t n_fe = 0, most = 0;
  for (const ms_fe *fe = e->s->fe; fe; fe = fe->next) n_fe++;
  MS_TRY(ms_allocate(ctx, n_fe, sizeof *e->body, &e->body));
  MS_TRY(open_bodies(e, &most));
  MS_TRY(ms_allocate(ctx, 3 * e->n_node, sizeof *e->x, &e->x));
  MS_TRY(ms_allocate(ctx, 3 * e->n_node * MOST_SHAPES, sizeof *e->u, &e->u));
  MS_TRY(ms_allocate(ctx, 3 * most, sizeof *e->field, &e->field));
  MS_TRY(ms_allocate(ctx, 4 * e->n_face + 1, sizeof *e->face, &e->face));
  MS_TRY(ms_allocate(ctx, 2 * e->n_line + 1, sizeof *e->line, &e->line));
  place_nodes(e);
  join_surfaces(e);
  return draw(e, page);
}

static void free_scene(ms_context *ctx, scene **at) {
  scene *e = *at;
  for (ptrdiff_t i = 0; i < e->n_body; i++) {
    if (e->body[i].surface) e->body[i].fe->f->surface_destroy(&e->body[i].surface);
  }
  ms_free(ctx, &e->body);
  ms_free(ctx, &e->x);
  ms_free(ctx, &e->u);
  ms_free(ctx, &e->field);
  ms_free(ctx, &e->face);
  ms_free(ctx, &e->line);
  ms_free(ctx, at);
}

ms_status ms_modes_show_shapes(const ms_study *s, const ms_modes_product *p, ms_page *page) {
  scene *e;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *e, &e));
  e->s = s;
  e->family = p->family;
  e->closed = 1;
  ms_status status = fill(e, page);
  free_scene(s->ctx, &e);
  return status;
}
