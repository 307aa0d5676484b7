/* contact: contacts between solids at rest, after the preload. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/contact/contact.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/shared/rows.h"
#include "study/model/fe/fe.h"

typedef struct options {
  double change_limit;
  int vtu;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_NUMBER(
      options, change_limit, NULL, MS_POSITIVE, MS_DEFAULT(0.01),
      "of the normal forces: a larger change by twice as many load steps of the preload makes "
      "the analysis suspect"),
  MS_FLAG(options, vtu, MS_DEFAULT(0), "write the fields as a VTU file, NAME_1.vtu, too"),
};

static ms_status check(ms_study *s, ms_task *task) {
  if (s->has_contacts) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, task->key, MS_ERR_NAME,
                      "contact needs finite elements with contacts: structure: fe: contacts");
}

/* What presses, holds and slips is known since the structure was built. */
static ms_status run(ms_study *s, ms_task *task) {
  return ms_progress(s->ctx, task->name, 1.0);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const ms_fe *fe = s->fe;
  const ms_contact_sum sum = ms_contact_add_up(fe->rest.contact, -1);
  if (fe->rest.change > o->change_limit) {
    MS_TRY(ms_task_doubt(s, task,
                         "twice as many load steps of the preload change the normal forces by %.2g "
                         "of their sum (change_limit %g): take more steps",
                         fe->rest.change, o->change_limit));
  }
  for (int g = 0; g < fe->assembly.n_contact; g++) {
    const ms_contact_sum own = ms_contact_add_up(fe->rest.contact, g);
    if (own.open < own.n) continue;
    MS_TRY(ms_task_doubt(s, task, "contact %s is open at rest: nothing presses it together",
                         fe->assembly.contact[g].name));
  }
  if (sum.friction > 0.0) return MS_SUCCESS;
  return ms_task_doubt(s, task, "no contact has friction at rest: give a preload and mu");
}

/* ---- tables ---- */

/* Of contact g over its points. */
typedef struct totals {
  double area, closed, slipping, force[3], pressure, compression;
} totals;

static totals add_up(const ms_fe *fe, int g) {
  const ms_contact_state state = ms_contact_get(fe->rest.contact);
  totals t = { 0 };
  double normal = 0.0;
  for (ptrdiff_t i = 0; i < fe->rest.n_point; i++) {
    const ms_fem_contact_point *p = &fe->rest.point[i];
    const double *f = state.lambda + 3 * i;
    if (p->contact != g) continue;
    t.area += p->area;
    if (state.status[i] == MS_CONTACT_OPEN) continue;
    t.closed += p->area;
    if (state.status[i] == MS_CONTACT_SLIP) t.slipping += p->area;
    for (int a = 0; a < 3; a++) { /* on the first body: against its own displacement */
      t.force[a] -= f[0] * p->axes[a] + f[1] * p->axes[3 + a] + f[2] * p->axes[6 + a];
    }
    normal += f[2];
    t.pressure = fmax(t.pressure, f[2] / p->area);
    if (p->K_n > 0.0) t.compression = fmax(t.compression, f[2] / p->K_n);
  }
  for (int a = 0; a < 3; a++) { /* what rounding leaves of nothing */
    if (fabs(t.force[a]) < ms_contact_get_setting(fe->rest.contact)->tol.undecided * normal) {
      t.force[a] = 0.0;
    }
  }
  return t;
}

static ms_status add_contacts(ms_study *s, ms_result_table *table) {
  const ms_fe *fe = s->fe;
  for (int g = 0; g < fe->assembly.n_contact; g++) {
    const ms_fem_contact *c = &fe->assembly.contact[g];
    const ms_contact_sum sum = ms_contact_add_up(fe->rest.contact, g);
    const totals t = add_up(fe, g);
    MS_TRY(ms_result_table_add_row(s->ctx, table, c->name, c->K_n > 0.0 ? "layer" : "rigid", c->mu,
                                   c->K_n, c->K_t, (double)sum.n, (double)(sum.n - sum.open),
                                   t.area, t.closed, t.closed - t.slipping, t.slipping,
                                   sum.force[2], t.force[0], t.force[1], t.force[2], t.pressure,
                                   t.compression, sum.dissipated));
  }
  return MS_SUCCESS;
}

static ms_status add_points(ms_study *s, ms_result_table *table) {
  static const char *const word[] = { "open", "stuck", "slipping" };
  const ms_fe *fe = s->fe;
  const ms_contact_state state = ms_contact_get(fe->rest.contact);
  for (ptrdiff_t i = 0; i < fe->rest.n_point; i++) {
    const ms_fem_contact_point *p = &fe->rest.point[i];
    const double *f = state.lambda + 3 * i, z = state.z[3 * i + 2];
    MS_TRY(ms_result_table_add_row(s->ctx, table, fe->assembly.contact[p->contact].name, p->at[0],
                                   p->at[1], p->at[2], p->area, fmax(0.0, f[2]) / p->area,
                                   hypot(f[0], f[1]) / p->area, z < 0.0 ? -z : 0.0, state.slip[i],
                                   word[state.status[i]]));
  }
  return MS_SUCCESS;
}

/* ---- report ---- */

static void answer(ms_study *s, ms_result *r) {
  for (int g = 0; g < s->fe->assembly.n_contact && g < 2; g++) {
    const char *name = s->fe->assembly.contact[g].name;
    const ms_contact_sum sum = ms_contact_add_up(s->fe->rest.contact, g);
    const totals t = add_up(s->fe, g);
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
  const ms_fields fields = { .n_frame = 1, .n_field = 4, .field = field };
  ms_result_fail_page(
      task->result,
      ms_contact_show_map(s, ms_result_get_page(task->result),
                          "Contact faces at rest. Look for the border of the pressed area, and "
                          "for slip along it.",
                          fields));
  ms_result_feature_figure(task->result, MS_HEAD_MODES);
  if (!((const options *)task->options)->vtu) return MS_SUCCESS;
  return s->folder ? ms_contact_write_vtu(s, task->name, &fields) : MS_SUCCESS;
}

static ms_status result(ms_study *s, ms_task *task) {
  const ms_contact_count count = ms_contact_get_count(s->fe->rest.contact);
  ms_result *r = task->result;
  ms_result_table *contacts, *points;
  MS_TRY(ms_task_add_table(
      s, task, "",
      "contact:word,law:word,mu,K_n [N/m^3],K_t [N/m^3],points,closed_points,area [m^2],"
      "closed_area [m^2],stuck_area [m^2],slipping_area [m^2],normal_force [N],force_x [N],"
      "force_y [N],force_z [N],largest_pressure [Pa],compression [m],dissipated [J]",
      &contacts));
  MS_TRY(ms_task_add_table(s, task, "_points",
                           "contact:word,x [m],y [m],z [m],area [m^2],pressure [Pa],"
                           "shear [Pa],opening [m],slip [m],status:word",
                           &points));
  MS_TRY(add_contacts(s, contacts));
  MS_TRY(add_points(s, points));
  ms_result_set_number(r, "change", NULL, s->fe->rest.change);
  ms_result_set_number(r, "residual", NULL, ms_contact_get(s->fe->rest.contact).residual);
  ms_result_set_integer(r, "load_steps", count.steps);
  ms_result_set_integer(r, "iterations", count.iterations);
  ms_result_list_rows(r, "contacts", contacts,
                      "contact,law,points,closed_points,normal_force,force_x,force_y,force_z,"
                      "closed_area,slipping_area,largest_pressure");
  answer(s, r);
  ms_result_show_table(r, contacts,
                       "Contacts at rest. Forces are those on the body that is named first; a "
                       "rigid contact has no stiffness and no compression");
  MS_TRY(show_fields(s, task, points));
  ms_result_say(r,
                "Preload: %td load steps, %td iterations of Newton's method. Twice as many steps "
                "change the normal forces by %.2g of their sum.",
                count.steps, count.iterations, s->fe->rest.change);
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_contact = {
  .name = "contact",
  .title = "Contact at rest",
  .meaning =
      "Contacts between finite elements after the preload: where they are open, stuck and "
      "slipping, the normal forces, pressures and resultants.",
  MS_KEYS(keys, options, char),
  .knows_contact = 1,
  .check = check,
  .run = run,
  .judge = judge,
  .result = result,
};
