/* Shapes of modes in the report: the surface of the mesh, moving, with the nodes that have names.
 */
#include <stdio.h>
#include <string.h>

#include "study/analyses/modes.h"

#define TWO_PI 6.283185307179586
enum { MOST_SHAPES = 6 };

/* The surface's nodes, then the marks. */
typedef struct scene {
  const ms_study *s;
  const ms_mode_family *family; /* of every mode */
  ms_surface_view view;
  ptrdiff_t n_node, n_mark;
  double *x, *u; /* 3 x n_node, and as many for each mode */
  double *field; /* of the whole mesh, 3 x nodes */
  const ms_fe_node *named[256];
  char label[256][MS_FE_NAME];
  ms_shape_mark mark[256];
  char name[MOST_SHAPES][32], value[MOST_SHAPES][80];
  ms_shape_mode mode[MOST_SHAPES];
  ptrdiff_t n_mode;
} scene;

/* A translation of a node with a name in a vector of the structure; 0 if it was not kept. */
static int find_translation(const ms_study *s, const char *node, int c, ptrdiff_t *i) {
  char name[MS_FE_NAME + 8];
  snprintf(name, sizeof name, "%s.%s", node, ms_fe_component_name(c));
  ms_status status = ms_structure_find(s->structure, name, i);
  if (status != MS_SUCCESS) ms_context_clear_message(s->ctx);
  return status == MS_SUCCESS;
}

static int is_kept(const ms_study *s, const char *node) {
  ptrdiff_t i;
  for (int c = 0; c < 3; c++) {
    if (!find_translation(s, node, c, &i)) return 0;
  }
  return 1;
}

/* The first end of a pair stands for both: "bolt.1" for bolt.1.a. */
static void list_marks(scene *e) {
  const ms_fe *fe = e->s->fe;
  for (ptrdiff_t k = 0; k < fe->n_named && e->n_mark < 256; k++) {
    const ms_fe_node *node = &fe->named[k];
    size_t n = strlen(node->name);
    int end = n > 2 && node->name[n - 2] == '.' ? node->name[n - 1] : 0;
    if (end == 'b' || !is_kept(e->s, node->name)) continue;
    char *label = e->label[e->n_mark];
    memcpy(label, node->name, n + 1);
    if (end == 'a') label[n - 2] = '\0';
    e->named[e->n_mark] = node;
    e->mark[e->n_mark] = (ms_shape_mark) { e->view.n_node + e->n_mark, label };
    e->n_mark++;
  }
}

static void place_nodes(scene *e) {
  const ms_fe *fe = e->s->fe;
  const double *x = fe->f->mesh_get_nodes(fe->mesh);
  for (ptrdiff_t i = 0; i < e->view.n_node; i++) {
    memcpy(e->x + 3 * i, x + 3 * (ptrdiff_t)e->view.node[i], 3 * sizeof *x);
  }
  for (ptrdiff_t k = 0; k < e->n_mark; k++) {
    memcpy(e->x + 3 * (e->view.n_node + k), e->named[k]->at, 3 * sizeof *x);
  }
}

static ms_status add_mode(scene *e, ptrdiff_t r) {
  const ms_study *s = e->s;
  ms_modes stuck = ms_structure_get_stuck(s->structure);
  const double *phi = stuck.shape + stuck.n * r;
  ptrdiff_t m = e->n_mode++;
  double *u = e->u + 3 * e->n_node * m;
  MS_TRY(ms_fe_recover(s->fe, phi, e->field));
  for (ptrdiff_t i = 0; i < e->view.n_node; i++) {
    memcpy(u + 3 * i, e->field + 3 * (ptrdiff_t)e->view.node[i], 3 * sizeof *u);
  }
  for (ptrdiff_t k = 0; k < e->n_mark; k++) {
    for (int c = 0; c < 3; c++) {
      ptrdiff_t i = MS_GROUND;
      find_translation(s, e->named[k]->name, c, &i);
      u[3 * (e->view.n_node + k) + c] = i == MS_GROUND ? 0.0 : phi[i];
    }
  }
  snprintf(e->name[m], sizeof e->name[m], "Mode %td", r + 1);
  snprintf(e->value[m], sizeof e->value[m], "%.6g rad/s, %.5g Hz, %s %td", stuck.omega[r],
           stuck.omega[r] / TWO_PI, e->family[r].name, e->family[r].number);
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
                     .n_face = e->view.n_face,
                     .face = e->view.face,
                     .closed = e->view.closed,
                     .n_line = e->view.n_line,
                     .line = e->view.line,
                     .n_mode = e->n_mode,
                     .mode = e->mode,
                     .n_mark = e->n_mark,
                     .mark = e->mark };
  return ms_page_add_shape(page, "Modes of the stuck structure.", &shape);
}

static ms_status fill(scene *e, ms_page *page) {
  ms_context *ctx = e->s->ctx;
  list_marks(e);
  e->n_node = e->view.n_node + e->n_mark;
  MS_TRY(ms_allocate(ctx, 3 * e->n_node, sizeof *e->x, &e->x));
  MS_TRY(ms_allocate(ctx, 3 * e->n_node * MOST_SHAPES, sizeof *e->u, &e->u));
  MS_TRY(ms_allocate(ctx, 3 * e->s->fe->f->mesh_count_nodes(e->s->fe->mesh), sizeof *e->field,
                     &e->field));
  place_nodes(e);
  return draw(e, page);
}

ms_status ms_modes_report_shapes(const ms_study *s, const ms_modes_product *p, ms_page *page) {
  ms_surface *surface;
  scene *e;
  MS_TRY(s->fe->f->mesh_extract_surface(s->fe->mesh, NULL, &surface));
  ms_status status = ms_allocate(s->ctx, 1, sizeof *e, &e);
  if (status == MS_SUCCESS) {
    e->s = s;
    e->family = p->family;
    e->view = s->fe->f->surface_get(surface);
    status = fill(e, page);
    ms_free(s->ctx, &e->x);
    ms_free(s->ctx, &e->u);
    ms_free(s->ctx, &e->field);
    ms_free(s->ctx, &e);
  }
  s->fe->f->surface_destroy(&surface);
  return status;
}
