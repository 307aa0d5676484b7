/* Fields on the faces of contacts, in the report and as files for other programs; laws. */
#include "study/analyses/contact/contact.h"
#include "study/model/fe/fe.h"

ms_status ms_contact_show_map(const ms_study *s, ms_page *page, const char *caption,
                              ms_fields fields) {
  const ms_fem_rest *rest = &s->solids->rest;
  if (rest->n_face == 0) return MS_SUCCESS; /* nobody has said where the points are */
  fields.body = (ms_shape) {
    .n_node = rest->n_corner, .x = rest->corner, .n_face = rest->n_face, .face = rest->face
  };
  fields.of = rest->of;
  fields.n_value = rest->n_point;
  return ms_page_add_field(page, caption, &fields);
}

ms_status ms_contact_write_vtu(const ms_study *s, const char *name, const ms_fields *fields) {
  enum { MOST = 4 };
  const ms_fe *fe = s->solids;
  ms_mesh_field field[MOST];
  for (ptrdiff_t k = 0; k < fields->n_field && k < MOST; k++) {
    field[k] = (ms_mesh_field) { fields->field[k].name, 1, fields->field[k].value };
  }
  const ms_fem_frames frames = { fields->n_frame, fields->frame_value, (int)fields->n_field,
                                 field };
  return fe->f->fem_write_frames(s->ctx, fe->mesh, &fe->rest, s->folder, name, &frames);
}

ms_status ms_contact_add_laws(ms_study *s, ms_task *task) {
  ms_result_table *laws;
  if (!s->solids) return MS_SUCCESS;
  const ms_fem_assembly *a = &s->solids->assembly;
  MS_TRY(ms_task_add_table(s, task, "_laws", "contact:word,law:word,mu,K_n [N/m^3],K_t [N/m^3]",
                           &laws));
  for (const ms_fem_contact *c = a->contact; c < a->contact + a->n_contact; c++) {
    MS_TRY(ms_result_table_add_row(s->ctx, laws, c->name, c->K_n > 0.0 ? "layer" : "rigid", c->mu,
                                   c->K_n, c->K_t));
  }
  ms_result_list_rows(task->result, "laws", laws, "contact,law,mu,K_n,K_t");
  ms_result_set_values(task->result, "preload_friction:word,preload_change",
                       ms_contact_plan_friction(a->n_stage, a->stage), s->solids->rest.change);
  ms_result_show_table(task->result, laws, "Laws of the contacts");
  return MS_SUCCESS;
}
