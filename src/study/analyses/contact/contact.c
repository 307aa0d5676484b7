/* contact: contacts between solids at rest, after the preload. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/contact/contact.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/shared/rows.h"
#include "study/model/fe/fe.h"

enum { MOST_LOADS = 50 };

typedef struct options {
  double change_limit;
  ms_numbers loads;
  int vtu;
} options;

/* The contacts at rest, or at each of the loads. */
typedef struct states {
  ms_contact *loaded[MOST_LOADS];
  ptrdiff_t n;
} states;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_NUMBER(
      options, change_limit, NULL, MS_POSITIVE, MS_DEFAULT(MS_PRELOAD_CHANGE),
      "of the normal forces: a larger change by twice as many load steps of the preload makes "
      "the analysis suspect"),
  { MS_AT(options, loads), .kind = MS_PARAM_NUMBERS, MS_ANY, MS_ELSE("rest only"),
    .meaning =
        "the state at these loads, up to 50, each beside rest: by how much of its pushes the "
        "last stage of the preload goes on; 0: rest, 0.5: half as much again" },
  MS_FLAG(options, vtu, MS_DEFAULT(0), "write the fields as a VTU file, NAME_1.vtu, too"),
};

ms_status ms_contact_check_vtu(const ms_study *s, const ms_task *task, int vtu) {
  if (!vtu || s->fe) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "vtu"), MS_ERR_NAME,
                      "VTU files need finite elements; the report has the same fields");
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  if (o->loads.n > MOST_LOADS) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "loads"), MS_ERR_BOUNDS,
                        "%td loads; there may be %d", o->loads.n, (int)MOST_LOADS);
  }
  if (s->has_contacts) return ms_contact_check_vtu(s, task, o->vtu);
  return ms_yaml_fail(
      &s->yaml, task->key, MS_ERR_NAME,
      "contact needs finite elements or matrices with contacts, e.g. structure: fe: "
      "contacts");
}

/* Rest is known since the structure was built. */
static ms_status run(ms_study *s, ms_task *task) {
  const options *o = task->options;
  states *found = task->product;
  for (ptrdiff_t i = 0; i < (o->loads.n > 0 ? o->loads.n : 1); i++) {
    const double factor = o->loads.n > 0 ? o->loads.value[i] : 0.0;
    const ms_status status =
        ms_contact_press_on(s->ctx, &s->solids->rest, factor, &found->loaded[i]);
    if (status == MS_NOT_CONVERGED)
      return ms_task_give_up(s, task, "%s", ms_context_message(s->ctx));
    MS_TRY(status);
    found->n++;
    MS_TRY(ms_progress(s->ctx, task->name, (double)(i + 1) / fmax(1.0, (double)o->loads.n)));
  }
  return MS_SUCCESS;
}

static void close_states(ms_study *s, ms_task *task) {
  states *found = task->product;
  (void)s;
  for (ptrdiff_t i = 0; i < found->n; i++) ms_contact_destroy(&found->loaded[i]);
}

static ms_status judge(ms_study *s, ms_task *task) {
  return ms_task_doubt_rest(s, task, ((const options *)task->options)->change_limit, 1);
}

/* ---- tables ---- */

/* `load` is the last column, if there is one. */
static ms_status add_contacts(ms_study *s, const ms_contact *contact, double load,
                              ms_result_table *table) {
  const ms_fe *fe = s->solids;
  for (int g = 0; g < fe->assembly.n_contact; g++) {
    const ms_fem_contact *c = &fe->assembly.contact[g];
    const ms_contact_sum sum = ms_contact_add_up(contact, g);
    const ms_contact_total t = ms_contact_total_of(&fe->rest, contact, g);
    MS_TRY(ms_result_table_add_row(s->ctx, table, c->name, c->K_n > 0.0 ? "layer" : "rigid", c->mu,
                                   c->K_n, c->K_t, (double)sum.n, (double)(sum.n - sum.open),
                                   t.area, t.closed, t.closed - t.slipping, t.slipping,
                                   sum.force[2], t.force[0], t.force[1], t.force[2], t.pressure,
                                   t.compression, sum.dissipated, t.glued, load));
  }
  return MS_SUCCESS;
}

static ms_status add_points(ms_study *s, const ms_contact *contact, double load,
                            ms_result_table *table) {
  static const char *const word[] = { "open", "stuck", "slipping", "glued" };
  const ms_fe *fe = s->solids;
  const ms_contact_state state = ms_contact_get(contact);
  for (ptrdiff_t i = 0; i < fe->rest.n_point; i++) {
    const ms_fem_contact_point *p = &fe->rest.point[i];
    const double *f = state.lambda + 3 * i, z = state.z[3 * i + 2];
    MS_TRY(ms_result_table_add_row(
        s->ctx, table, fe->assembly.contact[p->contact].name, p->at[0], p->at[1], p->at[2], p->area,
        (state.glued[i] ? f[2] : fmax(0.0, f[2])) / p->area, hypot(f[0], f[1]) / p->area,
        z < 0.0 ? -z : 0.0, state.slip[i], word[state.glued[i] ? 3 : state.status[i]], load));
  }
  return MS_SUCCESS;
}

/* ---- report ---- */

static ms_status show_bolts(ms_study *s, ms_task *task) {
  const ms_fem_rest *rest = &s->solids->rest;
  ms_result_table *table;
  if (rest->n_bolt == 0) return MS_SUCCESS;
  MS_TRY(ms_task_add_table(s, task, "_bolts", "stage,bolt:word,force [N]", &table));
  for (int i = 0; i < rest->n_bolt * s->solids->assembly.n_stage; i++) {
    MS_TRY(ms_result_table_add_row(s->ctx, table, (double)(1 + i / rest->n_bolt),
                                   rest->cut[i % rest->n_bolt].name, rest->bolt[i]));
  }
  ms_result_list_rows(task->result, "bolts", table, "stage,bolt,force");
  ms_result_show_table(task->result, table, "Bolts after each stage of the preload");
  return MS_SUCCESS;
}

static void answer(ms_study *s, ms_result *r) {
  for (int g = 0; g < s->solids->assembly.n_contact && g < 2; g++) {
    const char *name = s->solids->assembly.contact[g].name;
    const ms_contact_sum sum = ms_contact_add_up(s->solids->rest.contact, g);
    const ms_contact_total t = ms_contact_total_of(&s->solids->rest, s->solids->rest.contact, g);
    ms_answer_number(r, MS_HEAD_MODES, NULL, "N", sum.force[2], "Normal force of %s", name);
    ms_answer_percent(r, t.closed / t.area, MS_HEAD_MODES, "Closed area of %s", name);
    ms_answer_number(r, MS_HEAD_MODES, NULL, "Pa", t.pressure, "Largest pressure of %s", name);
  }
}

static ms_status show_fields(ms_study *s, ms_task *task, const ms_result_table *points) {
  static const char *const column[] = { "pressure", "shear", "slip", "opening" };
  static const char *const name[] = { "Pressure", "Shear traction", "Slip", "Opening" };
  static const char *const unit[] = { "Pa", "Pa", "m", "m" };
  ms_face_field field[4];
  for (int k = 0; k < 4; k++) {
    const int c = ms_result_table_find_column(points, column[k]);
    field[k] = (ms_face_field) { name[k], unit[k], 1, 0, ms_result_table_column(points, c) };
  }
  const options *o = task->options;
  const ms_fields fields = { .n_frame = ((const states *)task->product)->n,
                             .frame_name = o->loads.n > 0 ? "Load beyond rest" : NULL,
                             .frame_value = o->loads.n > 0 ? o->loads.value : NULL,
                             .n_field = 4,
                             .field = field };
  if (fields.n_frame == 0) return MS_SUCCESS;
  ms_result_fail_page(
      task->result,
      ms_contact_show_map(
          s, ms_result_get_page(task->result),
          "Contact faces at rest, or at each load. Look for the border of the pressed area, and "
          "for slip along it.",
          fields));
  if (s->solids->rest.n_face > 0) ms_result_feature_figure(task->result, MS_HEAD_MODES);
  if (!o->vtu) return MS_SUCCESS;
  return s->folder ? ms_contact_write_vtu(s, task->name, &fields) : MS_SUCCESS;
}

#define CONTACT_COLUMNS                                                                  \
  "contact:word,law:word,mu,K_n [N/m^3],K_t [N/m^3],points,closed_points,area [m^2],"    \
  "closed_area [m^2],stuck_area [m^2],slipping_area [m^2],normal_force [N],force_x [N]," \
  "force_y [N],force_z [N],largest_pressure [Pa],compression [m],dissipated [J],"        \
  "glued_area [m^2]"
#define LISTED                                                                        \
  "contact,law,mu,K_n,K_t,points,closed_points,normal_force,force_x,force_y,force_z," \
  "closed_area,slipping_area,largest_pressure"
#define POINT_COLUMNS                                        \
  "contact:word,x [m],y [m],z [m],area [m^2],pressure [Pa]," \
  "shear [Pa],opening [m],slip [m],status:word"

static ms_status result(ms_study *s, ms_task *task) {
  const ms_contact_count count = ms_contact_get_count(s->solids->rest.contact);
  ms_result *r = task->result;
  ms_result_table *contacts, *points;
  const states *found = task->product;
  const ms_numbers *loads = &((const options *)task->options)->loads;
  MS_TRY(ms_task_add_table(s, task, "", loads->n > 0 ? CONTACT_COLUMNS ",load" : CONTACT_COLUMNS,
                           &contacts));
  MS_TRY(ms_task_add_table(s, task, "_points", loads->n > 0 ? POINT_COLUMNS ",load" : POINT_COLUMNS,
                           &points));
  for (ptrdiff_t i = 0; i < found->n; i++) {
    const double load = loads->n > 0 ? loads->value[i] : 0.0;
    MS_TRY(add_contacts(s, found->loaded[i], load, contacts));
    MS_TRY(add_points(s, found->loaded[i], load, points));
  }
  ms_result_set_values(r, "change,residual,load_steps:count,iterations:count,slow_steps:count",
                       s->solids->rest.change, ms_contact_get(s->solids->rest.contact).residual,
                       (double)count.steps, (double)count.iterations, (double)count.slow);
  ms_result_list_rows(r, "contacts", contacts, loads->n > 0 ? "load," LISTED : LISTED);
  ms_result_set_text(
      r, "preload_friction",
      ms_contact_plan_friction(s->solids->assembly.n_stage, s->solids->assembly.stage));
  answer(s, r);
  ms_result_show_table(
      r, contacts,
      "Contacts at rest, or at each load. Forces are those on the body that is named "
      "first, the ground left out; a rigid contact has no stiffness and no "
      "compression");
  MS_TRY(show_bolts(s, task));
  MS_TRY(show_fields(s, task, points));
  ms_result_say(r,
                "Preload: %td load steps, %td iterations of Newton's method. Twice as many steps "
                "change the normal forces by %.2g of their sum.",
                count.steps, count.iterations, s->solids->rest.change);
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_contact = {
  .name = "contact",
  .title = "Contact at rest",
  .meaning =
      "Contacts between solids after the preload: where they are open, stuck and "
      "slipping, the normal forces, pressures and resultants.",
  MS_KEYS(keys, options, states),
  .knows_contact = 1,
  .check = check,
  .run = run,
  .judge = judge,
  .result = result,
  .close = close_states,
};
