/* Curves with contact between solids: cycles, dissipation by contact, maps. */
#include <math.h>
#include <stdio.h>

#include "experiment/pack.h"
#include "study/analyses/backbone/backbone.h"
#include "study/analyses/contact/contact.h"
#include "study/model/fe/fe.h"
#include "study/run/checkpoint.h"

/* ---- levels that have ended ---- */

typedef struct keeper {
  const ms_worker *worker;
  ms_checkpointed_run *checkpoint;
} keeper;

static ms_status find_levels(const keeper *k, ms_backbone_curve *curve) {
  ms_context *ctx = k->worker->ctx;
  ms_block block;
  if (!ms_checkpointed_run_goes_on(k->checkpoint)) return MS_SUCCESS;
  ms_status status = ms_checkpointed_run_find(k->checkpoint, "curve", &block);
  if (!status) status = ms_backbone_load(ctx, curve, block.values, block.n);
  if (status) return ms_checkpointed_run_begin(k->checkpoint);
  ms_log(ctx, MS_LOG_INFO, "%s: curve %td goes on after %td of %td amplitudes", k->worker->what,
         k->worker->job + 1, curve->n, curve->n_level);
  return MS_SUCCESS;
}

/* A level takes longer than its checkpoint. */
static ms_status keep_levels(void *user, ms_backbone_curve *curve, int ended) {
  const keeper *k = user;
  double *values;
  if (!ended) return find_levels(k, curve);
  const ptrdiff_t n = ms_backbone_save(curve, NULL);
  MS_TRY(ms_allocate(k->worker->ctx, n, sizeof *values, &values));
  ms_backbone_save(curve, values);
  const ms_block block = { "curve", n, values };
  const ms_status status = ms_checkpointed_run_keep(k->checkpoint, &block, 1);
  ms_free(k->worker->ctx, &values);
  return status;
}

ms_status ms_backbone_run_kept(const ms_worker *worker, ms_backbone_setting *setting,
                               ms_backbone_curve *curve) {
  keeper k = { .worker = worker };
  MS_TRY(ms_checkpointed_run_open_job(worker, &k.checkpoint));
  setting->keep_levels = keep_levels;
  setting->user = &k;
  const ms_status status = ms_backbone_run(worker->ctx, worker->structure, setting, curve);
  ms_checkpointed_run_close(&k.checkpoint);
  return status;
}

/* ---- tables ---- */

static ms_status add_cycles(ms_study *s, const ms_backbone_curve *c, ms_result_table *cycles,
                            ms_result_table *contacts) {
  const ms_fe *fe = s->solids;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_backbone_contact *k = &c->contact[i];
    const double *D = c->contact_D + c->n_contact_point * i;
    MS_TRY(ms_result_table_add_row(
        s->ctx, cycles, c->mode + 1.0, c->point[i].q, k->q_min, k->q_max,
        0.5 * (k->q_min + k->q_max), k->cycle.D, k->cycle.D_masing,
        k->cycle.D > 0.0 ? k->cycle.work / k->cycle.D - 1.0 : 0.0, (double)k->cycle.cycles,
        k->cycle.change, (double)k->cycle.slipped, (double)k->cycle.opened,
        k->cycle.largest_residual, (double)k->cycle.steps, (double)k->cycle.load_steps,
        (double)k->cycle.iterations, (double)k->cycle.slow));
    for (int g = 0; g < fe->assembly.n_contact; g++) {
      double area, sum = ms_contact_add_field(&fe->rest, g, D, &area);
      MS_TRY(ms_result_table_add_row(s->ctx, contacts, c->mode + 1.0, c->point[i].q,
                                     fe->assembly.contact[g].name, sum, area));
    }
  }
  return MS_SUCCESS;
}

/* Below which amplitude layers do not slip, and what ten times their stiffness changes. */
static ms_status add_layers(ms_study *s, ms_task *task) {
  const ms_backbone *b = task->product;
  ms_result_table *table;
  int layers = 0;
  for (int g = 0; g < s->solids->assembly.n_contact; g++)
    layers |= s->solids->assembly.contact[g].K_n > 0.0;
  if (!layers) return MS_SUCCESS;
  MS_TRY(ms_task_add_table(
      s, task, "_layer",
      "mode,q [m sqrt(kg)],first_slip [m sqrt(kg)],compared,omega_change,zeta_change", &table));
  for (const ms_backbone_curve *c = b->curve; c < b->curve + b->n_curve; c++) {
    if (!c->contact) continue;
    for (ptrdiff_t i = 0; i < c->n; i++) {
      const ms_backbone_contact *k = &c->contact[i];
      MS_TRY(ms_result_table_add_row(s->ctx, table, c->mode + 1.0, c->point[i].q, c->first_slip,
                                     (double)k->stiffer, k->omega_change, k->zeta_change));
    }
    ms_result_say(
        task->result,
        c->first_slip > 0.0
            ? "Mode %d: with all closed points stuck, the first point of a contact slips or "
              "opens at q = %.3g m sqrt(kg). Below it a layer dissipates nothing."
            : "Mode %d: at rest a point of a contact is at its limit of friction, so that "
              "something slips at every amplitude.",
        c->mode + 1, c->first_slip);
  }
  ms_result_show_table(
      task->result, table,
      "Layers: amplitude below which nothing slips, and relative changes of "
      "frequency and joint damping with ten times the stiffness, at the same load");
  return MS_SUCCESS;
}

/* ---- maps ---- */

/* Energy dissipated per area and cycle, slip amplitude, pressures at both ends: a frame for each
   amplitude. */
static ms_status show_map(ms_study *s, ms_task *task, const ms_backbone_curve *c) {
  enum { FIELDS = 4 };
  static const char *const name[FIELDS] = { "Energy dissipated per cycle", "Slip amplitude",
                                            "Pressure at the lower end",
                                            "Pressure at the upper end" };
  static const char *const unit[FIELDS] = { "J/m^2", "m", "Pa", "Pa" };
  const ms_fem_rest *rest = &s->solids->rest;
  const ptrdiff_t n = rest->n_point, size = n * c->n;
  ms_face_field field[FIELDS];
  double *value = NULL;
  char text[200];
  ms_status status = ms_allocate(s->ctx, FIELDS * size + c->n, sizeof *value, &value);
  double *q = value + FIELDS * size;
  for (ptrdiff_t i = 0; i < c->n && !status; i++) q[i] = c->point[i].q;
  if (!status) ms_backbone_fill_fields(c, rest->point, value);
  for (int k = 0; k < FIELDS; k++) {
    field[k] = (ms_face_field) { name[k], unit[k], 1, k == 0, value + size * k };
  }
  const ms_fields fields = { .n_frame = c->n,
                             .frame_name = "Modal amplitude",
                             .frame_unit = "m sqrt(kg)",
                             .frame_value = q,
                             .n_field = FIELDS,
                             .field = field };
  snprintf(text, sizeof text,
           "Where mode %d dissipates energy. Grey points do not slip: look for how far slip "
           "reaches at the largest amplitude.",
           c->mode + 1);
  if (!status) {
    ms_result_fail_page(task->result,
                        ms_contact_show_map(s, ms_result_get_page(task->result), text, fields));
  }
  if (!status && s->folder && ((const ms_backbone_options *)task->options)->vtu) {
    snprintf(text, sizeof text, "%.90s_mode%d", task->name, c->mode + 1);
    status = ms_contact_write_vtu(s, text, &fields);
  }
  ms_free(s->ctx, &value);
  return status;
}

ms_status ms_backbone_result_contact(ms_study *s, ms_task *task) {
  const ms_backbone *b = task->product;
  ms_result_table *cycles, *contacts;
  if (!s->contact || !ms_backbone_has(task->options, "qsma")) return MS_SUCCESS;
  const ms_contact_setting *set = ms_contact_get_setting(s->contact);
  const ms_contact_count count = ms_backbone_count_contact(b->n_curve, b->curve);
  const double mean = (double)count.iterations / fmax(1.0, (double)count.steps);
  const double slow = (double)count.slow / fmax(1.0, (double)count.steps);
  MS_TRY(ms_task_add_table(s, task, "_cycles",
                           "mode,q [m sqrt(kg)],q_min [m sqrt(kg)],q_max [m sqrt(kg)],"
                           "mean_shift [m sqrt(kg)],dissipated [J],masing [J],work_error,cycles,"
                           "change,slipped_points,opened_points,residual,steps,load_steps,"
                           "iterations,slow_steps",
                           &cycles));
  MS_TRY(ms_task_add_table(s, task, "_contacts",
                           "mode,q [m sqrt(kg)],contact:word,dissipated [J],slipping_area [m^2]",
                           &contacts));
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    if (!b->curve[i].contact) continue; /* of tests in time, or without points */
    MS_TRY(add_cycles(s, &b->curve[i], cycles, contacts));
    if (b->curve[i].n > 0) MS_TRY(show_map(s, task, &b->curve[i]));
  }
  ms_result_list_rows(
      task->result, "cycles", cycles,
      "mode,q,q_min,q_max,mean_shift,dissipated,masing,work_error,cycles,change,steps");
  ms_result_show_table(task->result, cycles,
                       "Cycles of the load: ends and mean of the modal amplitude from rest, energy "
                       "dissipated in the last cycle and by Masing's rule");
  ms_result_show_table(task->result, contacts,
                       "Energy dissipated per cycle, and area that slips, by contact");
  ms_result_set_values(task->result, "newton_mean,newton_slow", mean, slow);
  MS_TRY(ms_contact_add_laws(s, task));
  MS_TRY(add_layers(s, task));
  ms_result_say(task->result,
                "The load M phi is cycled about rest until the energy dissipated in a cycle "
                "repeats to %g, in %td steps each way, twice as many where the work of the load "
                "differs from it by %g. Newton's method takes %.2g iterations a step on average, "
                "those of rejected steps included, and more than %d in %.2g %% of the steps.",
                set->cycle_tolerance, set->cycle_steps, set->tol.balance, mean, set->newton_full,
                100.0 * slow);
  return MS_SUCCESS;
}
