/* Fields on the faces of contacts: in the report, and as files for other programs. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/contact/contact.h"
#include "study/model/fe/fe.h"

ms_status ms_contact_show_map(const ms_study *s, ms_page *page, const char *caption,
                              ms_fields fields) {
  const ms_fem_rest *rest = &s->fe->rest;
  double *x;
  MS_TRY(ms_allocate(s->ctx, 3 * rest->n_point, sizeof *x, &x));
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    for (int a = 0; a < 3; a++) x[3 * i + a] = rest->point[i].at[a];
  }
  fields.body =
      (ms_shape) { .n_node = rest->n_point, .x = x, .n_face = rest->n_face, .face = rest->face };
  const ms_status status = ms_page_add_field(page, caption, &fields);
  ms_free(s->ctx, &x);
  return status;
}

/* A frame on the nodes of the first faces; elsewhere 0. */
static ms_status write_frame(const ms_study *s, const char *path, const ms_fields *fields,
                             ptrdiff_t frame) {
  const ms_fe *fe = s->fe;
  const ptrdiff_t n_node = fe->f->mesh_count_nodes(fe->mesh), n = fe->rest.n_point;
  ms_mesh_field *field;
  double *value = NULL;
  MS_TRY(ms_allocate(s->ctx, fields->n_field, sizeof *field, &field));
  ms_status status = ms_allocate(s->ctx, fields->n_field * n_node, sizeof *value, &value);
  for (ptrdiff_t k = 0; k < fields->n_field && !status; k++) {
    double *out = value + n_node * k;
    const double *from = fields->field[k].value + n * frame;
    for (ptrdiff_t i = 0; i < n; i++) {
      if (isfinite(from[i])) out[fe->rest.point[i].node[0]] = from[i];
    }
    field[k] = (ms_mesh_field) { fields->field[k].name, 1, out };
  }
  if (!status) status = fe->f->mesh_write_vtu(fe->mesh, (int)fields->n_field, field, path);
  ms_free(s->ctx, &value);
  ms_free(s->ctx, &field);
  return status;
}

ms_status ms_contact_write_vtu(const ms_study *s, const char *name, const ms_fields *fields) {
  for (ptrdiff_t k = 0; k < fields->n_frame; k++) {
    char file[128], *path;
    snprintf(file, sizeof file, "%.100s_%td.vtu", name, k + 1);
    MS_TRY(ms_folder_path(s->ctx, s->folder, file, &path));
    const ms_status status = write_frame(s, path, fields, k);
    ms_free(s->ctx, &path);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}
