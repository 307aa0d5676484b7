/* Shapes of modes of finite elements: the surfaces of the meshes, and the nodes that have names. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/modes/modes.h"

enum { MOST_SHAPES = 6, MOST_MARKS = 256 };

/* The meshes, then the marks. */
typedef struct scene {
  const ms_study *s;
  const ms_fem_functions *f;
  ms_scene *meshes;
  const ms_mesh **mesh;
  int n_mesh;
  double *field; /* of the largest mesh, 3 x nodes */
  ptrdiff_t n_seen, n_mark;
  ptrdiff_t dof[MOST_MARKS][3]; /* translations of a mark in a vector of the structure */
  double at[MOST_MARKS][3];
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
  for (ptrdiff_t k = 0; k < e->n_mark; k++) {
    if (memcmp(e->at[k], at, 3 * sizeof *at) == 0) return 1;
  }
  return 0;
}

/* The first end of a pair stands for both: "bolt.1" for bolt.1.a. */
static void list_marks(scene *e, const ms_fe *fe) {
  ptrdiff_t *n = &e->n_mark;
  for (ptrdiff_t k = 0; k < fe->n_named && *n < MOST_MARKS; k++) {
    const ms_fem_node *node = &fe->named[k];
    const size_t length = strlen(node->name);
    const int end = length > 2 && node->name[length - 2] == '.' ? node->name[length - 1] : 0;
    if (end == 'b' || is_marked(e, node->at) || !find_translations(fe, node->name, e->dof[*n]))
      continue;
    char *label = e->label[*n];
    ms_fe_print_coordinate(fe, node->name, label);
    if (end == 'a') label[strlen(label) - 2] = '\0';
    memcpy(e->at[*n], node->at, sizeof node->at);
    e->mark[(*n)++].label = label;
  }
}

/* ---- modes ---- */

static ms_status move(void *scene_of, const double *phi, double *u) {
  scene *e = scene_of;
  int k = 0;
  for (const ms_fe *fe = e->s->fe; fe; fe = fe->next) {
    MS_TRY(ms_fe_recover(fe, phi, e->field));
    e->f->scene_fill(e->meshes, k++, e->field, u);
  }
  for (ptrdiff_t m = 0; m < 3 * e->n_mark; m++) {
    const ptrdiff_t i = e->dof[m / 3][m % 3];
    u[3 * e->n_seen + m] = i == MS_GROUND ? 0.0 : phi[i];
  }
  return MS_SUCCESS;
}

static ms_status draw(scene *e, const ms_modes_product *p, ms_page *page) {
  ms_context *ctx = e->s->ctx;
  ptrdiff_t most = 0;
  for (const ms_fe *fe = e->s->fe; fe; fe = fe->next) {
    MS_TRY(ms_resize(ctx, e->n_mesh + 1, sizeof *e->mesh, &e->mesh));
    e->mesh[e->n_mesh++] = fe->mesh;
    const ptrdiff_t n = e->f->mesh_count_nodes(fe->mesh);
    most = n > most ? n : most;
    list_marks(e, fe);
  }
  MS_TRY(ms_allocate(ctx, 3 * most, sizeof *e->field, &e->field));
  MS_TRY(e->f->scene_create(ctx, e->n_mesh, e->mesh, e->n_mark, e->at[0], &e->meshes));
  const ms_scene_view v = e->f->scene_get(e->meshes);
  e->n_seen = v.n_seen;
  for (ptrdiff_t k = 0; k < e->n_mark; k++) e->mark[k].node = v.n_seen + k;
  const ms_mode_picture picture = { { .n_node = v.n_node,
                                      .x = v.x,
                                      .n_face = v.n_face,
                                      .face = v.face,
                                      .n_line = v.n_line,
                                      .line = v.line,
                                      .closed = v.closed,
                                      .n_mark = e->n_mark,
                                      .mark = e->mark },
                                    MOST_SHAPES,
                                    move,
                                    e };
  return ms_modes_add_picture(e->s, p, "", &picture, page);
}

ms_status ms_modes_show_shapes(const ms_study *s, const ms_modes_product *p, ms_page *page) {
  scene *e;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *e, &e));
  e->s = s;
  e->f = s->fe->f;
  ms_status status = draw(e, p, page);
  e->f->scene_destroy(&e->meshes);
  ms_free(s->ctx, &e->mesh);
  ms_free(s->ctx, &e->field);
  ms_free(s->ctx, &e);
  return status;
}
