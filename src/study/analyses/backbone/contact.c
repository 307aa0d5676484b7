/* Curves with contact between solids: cycles, dissipation by contact, maps. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/backbone/backbone.h"
#include "study/analyses/contact/contact.h"
#include "study/model/fe/fe.h"

/* ---- tables ---- */

static ms_status add_cycles(ms_study *s, const ms_backbone_curve *c, ms_result_table *cycles,
                            ms_result_table *contacts) {
  const ms_fe *fe = s->fe;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_backbone_contact *k = &c->contact[i];
    const double *D = c->contact_D + c->n_contact_point * i;
    MS_TRY(ms_result_table_add_row(s->ctx, cycles, c->mode + 1.0, c->point[i].q, k->q_min, k->q_max,
                                   0.5 * (k->q_min + k->q_max), k->cycle.D, k->cycle.D_masing,
                                   k->cycle.D > 0.0 ? k->cycle.work / k->cycle.D - 1.0 : 0.0,
                                   (double)k->cycle.cycles, k->cycle.change,
                                   (double)k->cycle.slipped, (double)k->cycle.opened,
                                   k->cycle.largest_residual));
    for (int g = 0; g < fe->assembly.n_contact; g++) {
      double sum = 0.0, area = 0.0;
      for (ptrdiff_t p = 0; p < fe->rest.n_point; p++) {
        if (fe->rest.point[p].contact != g || !(D[p] > 0.0)) continue;
        sum += D[p];
        area += fe->rest.point[p].area;
      }
      MS_TRY(ms_result_table_add_row(s->ctx, contacts, c->mode + 1.0, c->point[i].q,
                                     fe->assembly.contact[g].name, sum, area));
    }
  }
  return MS_SUCCESS;
}

/* ---- maps ---- */

/* Energy dissipated per area and cycle, a frame for each amplitude. */
static ms_status show_map(ms_study *s, ms_task *task, const ms_backbone_curve *c) {
  const ms_fem_rest *rest = &s->fe->rest;
  double *value = NULL, *q = NULL;
  char caption[200];
  ms_status status = ms_allocate(s->ctx, c->n * rest->n_point, sizeof *value, &value);
  if (!status) status = ms_allocate(s->ctx, c->n, sizeof *q, &q);
  for (ptrdiff_t i = 0; i < c->n && !status; i++) {
    q[i] = c->point[i].q;
    for (ptrdiff_t p = 0; p < rest->n_point; p++) {
      const double d = c->contact_D[p + rest->n_point * i] / rest->point[p].area;
      value[p + rest->n_point * i] = d > 0.0 ? d : NAN;
    }
  }
  const ms_face_field field = { "Energy dissipated per cycle", "J/m^2", 1, 1, value };
  const ms_fields fields = { .n_frame = c->n,
                             .frame_name = "Modal amplitude",
                             .frame_unit = "m sqrt(kg)",
                             .frame_value = q,
                             .n_field = 1,
                             .field = &field };
  snprintf(caption, sizeof caption,
           "Where mode %d dissipates energy. Grey points do not slip: look for how far slip "
           "reaches at the largest amplitude.",
           c->mode + 1);
  if (!status) {
    ms_result_fail_page(task->result,
                        ms_contact_show_map(s, ms_result_get_page(task->result), caption, fields));
  }
  ms_free(s->ctx, &value);
  ms_free(s->ctx, &q);
  return status;
}

ms_status ms_backbone_result_contact(ms_study *s, ms_task *task) {
  const ms_backbone *b = task->product;
  ms_result_table *cycles, *contacts;
  if (!s->contact) return MS_SUCCESS;
  MS_TRY(ms_task_add_table(s, task, "_cycles",
                           "mode,q [m sqrt(kg)],q_min [m sqrt(kg)],q_max [m sqrt(kg)],"
                           "mean_shift [m sqrt(kg)],dissipated [J],masing [J],work_error,cycles,"
                           "change,slipped_points,opened_points,residual",
                           &cycles));
  MS_TRY(ms_task_add_table(s, task, "_contacts",
                           "mode,q [m sqrt(kg)],contact:word,dissipated [J],slipping_area [m^2]",
                           &contacts));
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    MS_TRY(add_cycles(s, &b->curve[i], cycles, contacts));
    if (b->curve[i].n > 0) MS_TRY(show_map(s, task, &b->curve[i]));
  }
  ms_result_list_rows(task->result, "cycles", cycles,
                      "mode,q,q_min,q_max,mean_shift,dissipated,masing,work_error,cycles,change");
  ms_result_show_table(task->result, cycles,
                       "Cycles of the load: ends and mean of the modal amplitude from rest, energy "
                       "dissipated in the last cycle and by Masing's rule");
  ms_result_show_table(task->result, contacts,
                       "Energy dissipated per cycle, and area that slips, by contact");
  ms_result_say(task->result,
                "The load M phi is cycled about rest until the energy dissipated in a cycle "
                "repeats to %g, in %td steps each way.",
                ms_contact_get_setting(s->contact)->cycle_tolerance,
                ms_contact_get_setting(s->contact)->cycle_steps);
  return MS_SUCCESS;
}

/* ---- doubts ---- */

/* The largest amplitude at which the slip zone is thinner than two elements; -1: none. */
static ms_status find_thin(ms_study *s, const ms_backbone_curve *c, ptrdiff_t *out) {
  unsigned char *slips;
  *out = -1;
  MS_TRY(ms_allocate(s->ctx, c->n_contact_point, 1, &slips));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (c->contact[i].cycle.slipped == 0) continue;
    for (ptrdiff_t p = 0; p < c->n_contact_point; p++) {
      slips[p] = c->contact_D[p + c->n_contact_point * i] > 0.0;
    }
    if (s->fe->f->fem_count_inside(&s->fe->rest, slips) == 0) *out = i;
  }
  ms_free(s->ctx, &slips);
  return MS_SUCCESS;
}

ms_status ms_backbone_judge_contact(ms_study *s, ms_task *task) {
  const ms_backbone *b = task->product;
  for (ptrdiff_t i = 0; s->contact && i < b->n_curve; i++) {
    const ms_backbone_curve *c = &b->curve[i];
    ptrdiff_t thin;
    MS_TRY(find_thin(s, c, &thin));
    if (thin < 0) continue;
    MS_TRY(ms_task_doubt(s, task,
                         "mode %d: up to q = %.3g the slip zone is thinner than two elements, so "
                         "that the dissipated energy is that of the mesh; refine the faces where "
                         "slip begins",
                         c->mode + 1, c->point[thin].q));
  }
  return MS_SUCCESS;
}
