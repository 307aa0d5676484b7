/* A run in time: its rows into tables, kept on the disk as it goes (see run/checkpoint.h). */
#include "study/analyses/transient/transient.h"

#include "study/model/fe/fe.h"
#include "study/run/checkpoint.h"

static ms_status create_contacts(ms_study *s, ms_task *task, ms_transient_product *p) {
  const ms_fem_assembly *a = &s->solids->assembly;
  char name[160];
  MS_TRY(ms_task_add_table(s, task, "_contacts", "time [s]", &p->contacts));
  for (int i = 0; i < a->n_contact * MS_N_CONTACT_QUANTITY; i++) {
    const ms_contact_column c =
        ms_contact_get_column(i, a->contact[i / MS_N_CONTACT_QUANTITY].name, name, sizeof name);
    MS_TRY(ms_result_table_add_column(s->ctx, p->contacts, name, c.unit, c.meaning));
  }
  return MS_SUCCESS;
}

static ms_status create_tables(ms_study *s, ms_task *task, ms_transient_product *p) {
  MS_TRY(ms_task_add_table(s, task, "", "time [s]", &p->table));
  for (int c = 0; c < p->channels.n; c++) {
    const ms_channel *channel = &p->channels.channel[c];
    MS_TRY(ms_result_table_add_column(s->ctx, p->table, channel->name,
                                      ms_quantity_unit(channel->quantity, channel->turns),
                                      ms_quantity_meaning(channel->quantity)));
  }
  MS_TRY(ms_task_add_table(s, task, "_energy",
                           "time [s],input [J],kinetic [J],elastic [J],viscous [J],stored [J],"
                           "dissipated [J],balance [J]",
                           &p->energy));
  if (s->has_contacts) MS_TRY(create_contacts(s, task, p));
  ptrdiff_t rows = ms_transient_count_rows(p);
  MS_TRY(ms_result_table_reserve(s->ctx, p->table, rows));
  return ms_result_table_reserve(s->ctx, p->energy, rows);
}

typedef struct keeper {
  ms_study *study;
  const ms_task *task;
  ms_transient_product *p;
  ms_checkpointed_run *checkpoint;
  double *state;
  int goes_on; /* and nobody has been told */
} keeper;

static ms_status add_row(void *user, const double *row) {
  const keeper *k = user;
  return ms_result_table_add_numbers(k->study->ctx, k->p->table, row);
}

static ms_status add_contacts(void *user, const double *row) {
  const keeper *k = user;
  return ms_result_table_add_numbers(k->study->ctx, k->p->contacts, row);
}

static ms_status add_energy(void *user, double t, const ms_transient_energy *e) {
  const keeper *k = user;
  return ms_result_table_add_row(k->study->ctx, k->p->energy, t, e->input, e->kinetic, e->elastic,
                                 e->viscous, e->stored, e->dissipated, e->balance);
}

static ms_status keep(keeper *k, const ms_recorder *r) {
  ms_block block = { "run", ms_recorder_save_size(r), NULL };
  MS_TRY(ms_resize(k->study->ctx, block.n, sizeof *k->state, &k->state));
  MS_TRY(ms_recorder_save(r, k->state));
  block.values = k->state;
  return ms_checkpointed_run_keep(k->checkpoint, &block, 1);
}

static ms_status look(void *user, const ms_recorder *r, int over) {
  keeper *k = user;
  ms_context *ctx = k->study->ctx;
  const ptrdiff_t step = ms_recorder_get_step(r), steps = k->p->time.steps;
  const double fraction = (double)step / (double)steps;
  int due;
  if (over) return ms_checkpointed_run_is_kept(k->checkpoint) ? keep(k, r) : MS_SUCCESS;
  if (k->goes_on) { /* the time left counts from here */
    k->goes_on = 0;
    ms_log(ctx, MS_LOG_INFO, "%s: goes on from step %td of %td", k->task->name, step, steps);
    MS_TRY(ms_progress(ctx, k->task->name, 0.0));
    return ms_progress(ctx, k->task->name, fraction);
  }
  ms_status status = ms_checkpointed_run_look(k->checkpoint, fraction, &due);
  if (due) MS_TRY(keep(k, r));
  return status;
}

/* From the beginning, or from where an earlier start was interrupted. */
static ms_status start_or_go_on(keeper *k, ms_recording *run) {
  ms_block state;
  if (ms_checkpointed_run_goes_on(k->checkpoint)) {
    ms_status status = ms_checkpointed_run_find(k->checkpoint, "run", &state);
    if (status == MS_SUCCESS) {
      run->resume = state.values;
      run->n_resume = state.n;
      k->goes_on = 1;
      status = ms_recording_run(k->study->ctx, k->study->structure, run);
      run->resume = NULL;
    }
    if (run->started || (status != MS_ERR_FORMAT && status != MS_ERR_NAME)) return status;
    k->goes_on = 0;
    MS_TRY(ms_checkpointed_run_begin(k->checkpoint));
  }
  return ms_recording_run(k->study->ctx, k->study->structure, run);
}

ms_status ms_transient_analysis_run(ms_study *s, ms_task *task) {
  ms_transient_product *p = task->product;
  keeper k = { .study = s, .task = task, .p = p };
  ms_recording run = { .time = p->time,
                       .load = p->acting,
                       .n_load = p->n_load,
                       .channels = &p->channels,
                       .every = p->every,
                       .u = p->u,
                       .v = p->v,
                       .preload = p->preload,
                       .release = p->release,
                       .row = add_row,
                       .energy = add_energy,
                       .contacts = add_contacts,
                       .look = look,
                       .user = &k };
  MS_TRY(create_tables(s, task, p));
  MS_TRY(ms_checkpointed_run_open(s, task->name, p->contacts ? 3 : 2,
                                  (ms_result_table *[]) { p->table, p->energy, p->contacts },
                                  &k.checkpoint));
  ms_status status = start_or_go_on(&k, &run);
  p->last = run.last;
  p->count = run.count;
  p->quality = run.quality;
  ms_checkpointed_run_close(&k.checkpoint);
  ms_free(s->ctx, &k.state);
  if (status != MS_SUCCESS && !run.started) {
    struct fy_node *preload = ms_yaml_get(task->node, "preload");
    status = ms_yaml_fail_here(&s->yaml, preload ? preload : task->node, status);
  }
  for (int i = 0; i < p->n_load && status == MS_SUCCESS; i++) {
    status = ms_load_judge(s, task, &p->load[i], p->time.step * (double)p->time.steps);
  }
  return status;
}
