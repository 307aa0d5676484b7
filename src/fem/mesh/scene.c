/* The surfaces of several meshes side by side, and points behind them. */
#include <string.h>

#include "core/internal.h"
#include "fem/impl.h"

/* A mesh, and where its nodes begin in the scene. */
typedef struct body {
  const ms_mesh *mesh;
  ms_surface *surface;
  ms_surface_view view;
  ptrdiff_t node;
} body;

struct ms_scene {
  ms_context *ctx;
  ms_scene_view view; /* of what follows */
  int n_body;
  body *body;
  double *x;
  int32_t *face, *line;
};

static ms_status open_bodies(ms_scene *e, const ms_mesh *const *mesh) {
  ms_scene_view *v = &e->view;
  v->closed = 1;
  for (int k = 0; k < e->n_body; k++) {
    body *b = &e->body[k];
    *b = (body) { .mesh = mesh[k], .node = v->n_seen };
    MS_TRY(ms_mesh_extract_surface(b->mesh, NULL, &b->surface));
    b->view = ms_surface_get(b->surface);
    v->n_seen += b->view.n_node;
    v->n_face += b->view.n_face;
    v->n_line += b->view.n_line;
    v->closed = v->closed && b->view.closed;
  }
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

static void join_bodies(ms_scene *e) {
  int32_t *face = e->face, *line = e->line;
  for (const body *b = e->body; b < e->body + e->n_body; b++) {
    copy_nodes(b, b->mesh->x, e->x);
    face = copy_numbers(b->view.face, 4 * b->view.n_face, b->node, face);
    line = copy_numbers(b->view.line, 2 * b->view.n_line, b->node, line);
  }
}

static ms_status build(ms_scene *e, const ms_mesh *const *mesh, ptrdiff_t n_point,
                       const double *at) {
  ms_scene_view *v = &e->view;
  MS_TRY(ms_allocate(e->ctx, e->n_body, sizeof *e->body, &e->body));
  MS_TRY(open_bodies(e, mesh));
  v->n_node = v->n_seen + n_point;
  MS_TRY(ms_allocate(e->ctx, 3 * v->n_node + 1, sizeof *e->x, &e->x));
  MS_TRY(ms_allocate(e->ctx, 4 * v->n_face + 1, sizeof *e->face, &e->face));
  MS_TRY(ms_allocate(e->ctx, 2 * v->n_line + 1, sizeof *e->line, &e->line));
  join_bodies(e);
  if (n_point > 0) memcpy(e->x + 3 * v->n_seen, at, (size_t)n_point * 3 * sizeof *at);
  v->x = e->x, v->face = e->face, v->line = e->line;
  return MS_SUCCESS;
}

ms_status ms_scene_create(ms_context *ctx, int n_mesh, const ms_mesh *const *mesh,
                          ptrdiff_t n_point, const double *at, ms_scene **out) {
  MS_MAKE(ctx, out, mesh && n_mesh > 0 && n_point >= 0 && (at || n_point == 0));
  ms_scene *e;
  MS_TRY(ms_allocate(ctx, 1, sizeof *e, &e));
  e->ctx = ctx;
  e->n_body = n_mesh;
  ms_status status = build(e, mesh, n_point, at);
  if (status != MS_SUCCESS) {
    ms_scene_destroy(&e);
    return status;
  }
  *out = e;
  return MS_SUCCESS;
}

void ms_scene_destroy(ms_scene **scene) {
  if (!scene || !*scene) return;
  ms_scene *e = *scene;
  ms_context *ctx = e->ctx;
  for (int k = 0; e->body && k < e->n_body; k++) ms_surface_destroy(&e->body[k].surface);
  ms_free(ctx, &e->body);
  ms_free(ctx, &e->x);
  ms_free(ctx, &e->face);
  ms_free(ctx, &e->line);
  ms_free(ctx, scene);
}

ms_scene_view ms_scene_get(const ms_scene *scene) {
  return scene->view;
}

void ms_scene_fill(const ms_scene *scene, int mesh, const double *field, double *u) {
  copy_nodes(&scene->body[mesh], field, u);
}
