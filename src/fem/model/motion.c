/* Motions of a structure on the meshes that its coordinates were reduced from. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "fem/impl.h"
#include "fem/model/model.h"
#include "structure/impl.h"

ms_status ms_fem_recover(const ms_structure *structure, const ms_fem_body *body, const double *u,
                         double *field) {
  const ptrdiff_t rows = 3 * ms_mesh_count_nodes(body->mesh);
  char name[2 * MS_FEM_NODE_NAME + 8];
  memset(field, 0, (size_t)rows * sizeof *field);
  for (ptrdiff_t j = 0; j < body->n; j++) {
    ptrdiff_t i;
    snprintf(name, sizeof name, "%.100s%s%.150s", body->name ? body->name : "",
             body->name ? "." : "", body->coordinate[j]);
    MS_TRY(ms_structure_find(structure, name, &i));
    if (i == MS_GROUND) continue;
    for (ptrdiff_t k = 0; k < rows; k++) field[k] += u[i] * body->basis[k + rows * j];
  }
  return MS_SUCCESS;
}

ms_status ms_fem_find_moved_part(const ms_structure *structure, const ms_fem_body *body,
                                 const double *u, double *most, char *text, size_t size) {
  ms_context *ctx = structure->ctx;
  ptrdiff_t n = 3 * ms_mesh_count_nodes(body->mesh), at = -1;
  double *field;
  MS_TRY(ms_allocate(ctx, n, sizeof *field, &field));
  ms_status status = ms_fem_recover(structure, body, u, field);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) {
    if (fabs(field[i]) <= *most) continue;
    *most = fabs(field[i]);
    at = i / 3;
  }
  ms_free(ctx, &field);
  if (at < 0) return status;
  snprintf(text, size, "part '%.60s%s%.60s'", body->name ? body->name : "", body->name ? "." : "",
           ms_mesh_find_part_at(body->mesh, at));
  return status;
}

ms_status ms_fem_write_motions(const ms_structure *structure, const ms_fem_body *body, ptrdiff_t n,
                               const ms_fem_motion *motion, const char *path) {
  ms_context *ctx = structure->ctx;
  const ptrdiff_t rows = 3 * ms_mesh_count_nodes(body->mesh);
  double *values = NULL;
  ms_mesh_field *field = NULL;
  ms_status status = ms_allocate(ctx, n, sizeof *field, &field);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, n * rows, sizeof *values, &values);
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    field[i] = (ms_mesh_field) { motion[i].name, 3, values + rows * i };
    status = ms_fem_recover(structure, body, motion[i].u, values + rows * i);
  }
  if (status == MS_SUCCESS) status = ms_mesh_write_vtu(body->mesh, (int)n, field, path);
  ms_free(ctx, &field);
  ms_free(ctx, &values);
  return status;
}

/* ---- pictures ---- */

/* The meshes, then the marks. */
struct ms_fem_picture {
  ms_context *ctx;
  const ms_structure *structure;
  int n_body;
  ms_fem_body *body;
  ms_scene *scene;
  double *field; /* of the largest mesh, 3 x nodes */
  ptrdiff_t n_mark;
  ms_fem_mark mark[MS_FEM_MARKS];
};

static ms_status build(ms_fem_picture *p) {
  const ms_mesh **mesh = NULL;
  double at[MS_FEM_MARKS][3];
  ptrdiff_t most = 0;
  char prefix[128];
  MS_TRY(ms_allocate(p->ctx, p->n_body, sizeof *mesh, &mesh));
  for (int k = 0; k < p->n_body; k++) {
    const ms_fem_body *b = &p->body[k];
    const ptrdiff_t n = ms_mesh_count_nodes(b->mesh);
    mesh[k] = b->mesh;
    most = n > most ? n : most;
    snprintf(prefix, sizeof prefix, "%.100s%s", b->name ? b->name : "", b->name ? "." : "");
    ms_fem_add_marks(p->structure, prefix, b->n_named, b->named, MS_FEM_MARKS, p->mark, &p->n_mark);
  }
  for (ptrdiff_t k = 0; k < p->n_mark; k++) memcpy(at[k], p->mark[k].at, sizeof at[k]);
  ms_status status = ms_allocate(p->ctx, 3 * most, sizeof *p->field, &p->field);
  if (status == MS_SUCCESS) {
    status = ms_scene_create(p->ctx, p->n_body, mesh, p->n_mark, at[0], &p->scene);
  }
  ms_free(p->ctx, &mesh);
  return status;
}

ms_status ms_fem_picture_create(const ms_structure *structure, int n_body, const ms_fem_body *body,
                                ms_fem_picture **out) {
  ms_context *ctx = structure ? structure->ctx : NULL;
  MS_MAKE(ctx, out, body && n_body > 0);
  ms_fem_picture *p;
  MS_TRY(ms_allocate(ctx, 1, sizeof *p, &p));
  p->ctx = ctx;
  p->structure = structure;
  p->n_body = n_body;
  ms_status status = ms_allocate(ctx, n_body, sizeof *p->body, &p->body);
  if (status == MS_SUCCESS) {
    memcpy(p->body, body, (size_t)n_body * sizeof *body);
    status = build(p);
  }
  if (status != MS_SUCCESS) {
    ms_fem_picture_destroy(&p);
    return status;
  }
  *out = p;
  return MS_SUCCESS;
}

void ms_fem_picture_destroy(ms_fem_picture **picture) {
  if (!picture || !*picture) return;
  ms_fem_picture *p = *picture;
  ms_context *ctx = p->ctx;
  ms_scene_destroy(&p->scene);
  ms_free(ctx, &p->field);
  ms_free(ctx, &p->body);
  ms_free(ctx, picture);
}

ms_fem_picture_view ms_fem_picture_get(const ms_fem_picture *p) {
  return (ms_fem_picture_view) { ms_scene_get(p->scene), p->n_mark, p->mark };
}

ms_status ms_fem_picture_move(ms_fem_picture *p, const double *phi, double *u) {
  const ptrdiff_t n_seen = ms_scene_get(p->scene).n_seen;
  for (int k = 0; k < p->n_body; k++) {
    MS_TRY(ms_fem_recover(p->structure, &p->body[k], phi, p->field));
    ms_scene_fill(p->scene, k, p->field, u);
  }
  for (ptrdiff_t m = 0; m < 3 * p->n_mark; m++) {
    const ptrdiff_t i = p->mark[m / 3].dof[m % 3];
    u[3 * n_seen + m] = i == MS_GROUND ? 0.0 : phi[i];
  }
  return MS_SUCCESS;
}
