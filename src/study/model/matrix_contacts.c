/* structure: matrices: contacts between faces of its points. The keys of contacts and preload, and
   their reader, are those of finite elements; an ms_fe without a mesh holds what they become. */
#include "study/model/fe/fe.h"

enum { MODES = 50 }; /* whose loads the contact has */

static ms_status read_faces(ms_fe *fe, struct fy_node *faces) {
  void *at = NULL;
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(faces) + 1, sizeof *fe->sets, &fe->sets));
  fe->table = (ms_contact_mesh) { fe->points.n, fe->points.point, 0, fe->sets };
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(faces, &at, &key));) {
    ms_contact_faces *f = &fe->sets[fe->table.n_set++];
    MS_TRY(ms_yaml_text(fe->y, key, "a set of faces", &f->name));
    MS_TRY(ms_yaml_read_faces(fe->y, node, "positions", fe->points.n, fe->points.place, &f->n,
                              &f->node));
  }
  return MS_SUCCESS;
}

/* Columns of angles say how far a point moves, in the file's unit of length. */
static ms_status read_given(ms_fe *fe, struct fy_node *node, const ms_contact_between *c, int g,
                            ms_contact_site **site) {
  const double length = fe->study->units.length;
  struct fy_node *file = ms_yaml_get(node, "interpolation"), *list = ms_yaml_get(node, "weights");
  const ptrdiff_t n = ms_structure_get_size(fe->apart);
  ms_contact_given given = { 0 };
  double *matrix = NULL, *weight = NULL;
  char *path;
  MS_TRY(ms_yaml_file(fe->y, file, "interpolation", &path));
  ms_status status = ms_yaml_fail_here(
      fe->y, file, ms_matrix_read(fe->ctx, path, &given.n_row, &given.n_column, &matrix));
  if (!status)
    status = ms_yaml_read_column(fe->y, list, "weights", "area", &weight, &given.n_weight);
  for (ptrdiff_t i = 0; i < given.n_weight && !status; i++) weight[i] *= length * length;
  for (ptrdiff_t i = 0; i < given.n_row * given.n_column && given.n_column == n && !status; i++) {
    if (ms_name_is_rotation(ms_structure_get_name(fe->apart, i / given.n_row))) matrix[i] *= length;
  }
  given.interpolation = matrix;
  given.weight = weight;
  if (!status) {
    status = ms_yaml_fail_here(
        fe->y, node,
        ms_contact_add_given(fe->ctx, c, g, n, &given, &fe->bodies.n_point, site, &fe->rows));
  }
  ms_free(fe->ctx, &matrix);
  ms_free(fe->ctx, &weight);
  ms_free(fe->ctx, &path);
  return status;
}

static ms_status find_points_of(ms_fe *fe, int g, ms_contact_site **site) {
  const ms_fem_contact *c = &fe->assembly.contact[g];
  struct fy_node *node = ms_yaml_get(fe->options.contacts, c->name);
  const ms_contact_between between = { c->name, { c->faces[0], c->faces[1] }, c->mu, c->gap, c->K_n,
                                       c->K_t };
  const ptrdiff_t first = fe->bodies.n_point;
  if (!c->faces[0]) return read_given(fe, node, &between, g, site);
  if (c->points == MS_FEM_POINTS_GAUSS) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT,
                        "contacts of matrices are pairs of nodes; for other points give "
                        "interpolation and weights");
  }
  MS_TRY(ms_yaml_fail_here(
      fe->y, node,
      ms_contact_add_pairs(fe->ctx, &fe->table, &between, g, NULL, &fe->bodies.n_point, site)));
  return ms_contact_add_rows(fe->ctx, &fe->table, ms_structure_get_size(fe->apart), first,
                             fe->bodies.n_point, *site, &fe->rows);
}

static ms_status find_points(ms_fe *fe) {
  ms_contact_site *site = NULL;
  ms_status status = MS_SUCCESS;
  for (int g = 0; g < fe->assembly.n_contact && !status; g++) {
    status = find_points_of(fe, g, &site);
  }
  fe->bodies.point = site;
  fe->bodies.B = fe->rows;
  return status;
}

static ms_status press(ms_fe *fe) {
  const ms_fem_assembly *a = &fe->assembly;
  ms_contact_stage *stage;
  ms_status status = ms_contact_make_stages(fe->ctx, &fe->table, ms_structure_get_size(fe->apart),
                                            a->n_stage, a->stage, &stage);
  if (!status && !fe->study->outline) {
    status = ms_contact_find_rest(fe->ctx, &fe->bodies, a->n_stage, stage, NULL, &fe->rest);
  }
  for (int g = 0; g < a->n_contact && fe->rest.contact && !status; g++) {
    if (!a->contact[g].faces[0]) continue;
    status = ms_contact_add_faces(fe->ctx, &fe->table, g, a->contact[g].faces[0], &fe->rest);
  }
  ms_free(fe->ctx, &stage);
  return ms_yaml_fail_here(fe->y, fe->options.preload ? fe->options.preload : fe->options.contacts,
                           status);
}

/* ---- the structure ---- */

static ms_status read_all(ms_fe *fe, struct fy_node *node) {
  ms_study *s = fe->study;
  ms_builder b = { .study = s, .y = &s->yaml, .ctx = s->ctx, .units = &s->units };
  const ms_status status = ms_build_matrices(&b, node);
  fe->bodies.structure = fe->apart = b.structure;
  ms_dofs_free(s->ctx, &b.dofs);
  MS_TRY(status);
  MS_TRY(ms_build_points(&b, ms_yaml_get(node, "positions"), NULL, &fe->points));
  MS_TRY(read_faces(fe, ms_yaml_get(node, "faces")));
  MS_TRY(ms_fe_read_touching(fe));
  MS_TRY(find_points(fe));
  return press(fe);
}

ms_status ms_matrices_press(ms_study *s, struct fy_node *node) {
  ms_fe *fe;
  const ms_fe_options o = { .contacts = ms_yaml_get(node, "contacts"),
                            .preload = ms_yaml_get(node, "preload") };
  if (!o.contacts && !o.preload) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *fe, &fe));
  *fe = (ms_fe) { .study = s, .y = &s->yaml, .ctx = s->ctx, .node = node, .options = o };
  s->solids = fe;
  return read_all(fe, node);
}

ms_status ms_matrices_stick(ms_builder *b) {
  const ms_fe *fe = b->study->solids;
  if (!fe || !fe->bodies.B) return MS_SUCCESS;
  ms_structure_destroy(&b->structure);
  return ms_build_at(b, fe->options.contacts,
                     ms_contact_stick(b->ctx, &fe->bodies, fe->rest.contact ? &fe->rest : NULL,
                                      NULL, &b->structure));
}

ms_status ms_matrices_load_modes(ms_study *s) {
  ms_fe *fe = s->solids;
  if (!fe || !fe->bodies.B || !fe->rest.contact) return MS_SUCCESS;
  const ms_status status =
      ms_contact_load_modes(s->ctx, &fe->bodies, &fe->rest, s->structure, MODES, NULL, &s->contact);
  fe->family.rest = s->contact;
  ms_structure_set_contact(s->structure, &fe->family);
  return ms_yaml_fail_here(fe->y, fe->options.contacts, status);
}

void ms_matrices_close(ms_study *s) {
  ms_fe *fe = s->solids;
  if (!fe || fe->f) return;
  ms_fe_close_contacts(fe);
  ms_structure_destroy(&fe->apart);
  for (int i = 0; i < fe->table.n_set; i++) ms_free(s->ctx, &fe->sets[i].node);
  ms_free(s->ctx, &fe->sets);
  ms_free(s->ctx, &fe->bodies.point);
  ms_free(s->ctx, &fe->rows);
  ms_points_free(s->ctx, &fe->points);
  ms_free(s->ctx, &s->solids);
}
