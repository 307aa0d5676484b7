/* A run in time: started, recorded step by step, kept on the disk as it goes (see
 * run/checkpoint.h). */
#include "study/analyses/transient/transient.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/signal.h>

#include "study/run/checkpoint.h"

static ms_status create_tables(ms_study *s, ms_task *task, ms_transient_product *p) {
  char name[96];
  MS_TRY(ms_result_table_create(s, task->name, "time [s]", &p->table));
  for (int c = 0; c < p->channels.n; c++) {
    const ms_channel *channel = &p->channels.channel[c];
    MS_TRY(ms_result_table_add_column(s->ctx, p->table, channel->name,
                                      ms_quantity_unit(channel->quantity, channel->turns),
                                      ms_quantity_meaning(channel->quantity)));
  }
  snprintf(name, sizeof name, "%.80s_energy", task->name);
  MS_TRY(ms_result_table_create(s, name,
                                "time [s],input [J],kinetic [J],elastic [J],viscous [J],stored [J],"
                                "dissipated [J],balance [J]",
                                &p->energy));
  ptrdiff_t rows = ms_transient_count_rows(p);
  MS_TRY(ms_result_table_reserve(s->ctx, p->table, rows));
  return ms_result_table_reserve(s->ctx, p->energy, rows);
}

static double one(void *user, double t) {
  (void)user, (void)t;
  return 1.0;
}

static ms_status add_loads(ms_transient_product *p, ms_transient *run) {
  for (int i = 0; i < p->n_load; i++) {
    ms_study_load *l = &p->load[i];
    MS_TRY(ms_transient_add_load(run, l->shape, ms_load_time_fn, l->load, ms_load_end(l->load)));
  }
  if (!p->preload || p->release) return MS_SUCCESS;
  return ms_transient_add_load(run, p->preload, one, NULL, HUGE_VAL);
}

/* ---- recording ---- */

typedef struct recorder {
  ms_study *study;
  const ms_task *task;
  ms_transient_product *p;
  ms_checkpointed_run *checkpoint;
  ms_decimator *decimator;
  double *work, *in, *row; /* row: time, then the channels */
  double *state;           /* for a checkpoint */
  int no_energy;           /* some law has none */
} recorder;

static ms_status open_recorder(ms_study *s, const ms_task *task, recorder *r) {
  ms_decimator_settings setting = MS_DECIMATOR_DEFAULT;
  ms_transient_product *p = task->product;
  *r = (recorder) { .study = s, .task = task, .p = p };
  setting.factor = p->every;
  MS_TRY(ms_allocate(s->ctx, 3 * ms_structure_get_size(s->structure), sizeof *r->work, &r->work));
  MS_TRY(ms_allocate(s->ctx, p->channels.n, sizeof *r->in, &r->in));
  MS_TRY(ms_allocate(s->ctx, p->channels.n + 1, sizeof *r->row, &r->row));
  MS_TRY(ms_decimator_create(s->ctx, &setting, p->channels.n, &r->decimator));
  return ms_checkpointed_run_open(s, task->name, 2, (ms_result_table *[]) { p->table, p->energy },
                                  &r->checkpoint);
}

static void close_recorder(recorder *r) {
  ms_checkpointed_run_close(&r->checkpoint);
  ms_decimator_destroy(&r->decimator);
  ms_free(r->study->ctx, &r->work);
  ms_free(r->study->ctx, &r->in);
  ms_free(r->study->ctx, &r->row);
  ms_free(r->study->ctx, &r->state);
}

static ms_status add_row(recorder *r) {
  r->row[0] = (double)ms_result_table_rows(r->p->table) * (double)r->p->every * r->p->time.step;
  return ms_result_table_add_numbers(r->study->ctx, r->p->table, r->row);
}

/* Energies are sums over time: taken as they are, not filtered. */
static ms_status record_energy(recorder *r, const ms_transient *run) {
  ms_transient_energy e;
  if (r->no_energy) return MS_SUCCESS;
  if (ms_transient_get_energy(run, &e) != MS_SUCCESS) {
    ms_context_clear_message(r->study->ctx);
    r->no_energy = 1;
    return MS_SUCCESS;
  }
  double t = (double)ms_transient_get_step(run) * r->p->time.step;
  MS_TRY(ms_result_table_add_row(r->study->ctx, r->p->energy, t, e.input, e.kinetic, e.elastic,
                                 e.viscous, e.stored, e.dissipated, e.balance));
  r->p->last = e;
  return MS_SUCCESS;
}

static ms_status record(recorder *r, const ms_transient *run) {
  const ms_transient_product *p = r->p;
  int ready;
  ms_sample_channels(run, p->load, p->n_load, p->channels.channel, p->channels.n,
                     ms_structure_get_size(r->study->structure), r->work, r->in);
  MS_TRY(ms_decimator_push(r->decimator, r->in, r->row + 1, &ready));
  if (ready) MS_TRY(add_row(r));
  if (ms_transient_get_step(run) % p->every != 0) return MS_SUCCESS;
  return record_energy(r, run);
}

/* ---- the state on the disk ---- */

enum { N_OWN = 9 }; /* no_energy, the energies last recorded */

static ms_status keep(recorder *r, const ms_transient *run) {
  const ms_transient_energy *e = &r->p->last;
  const double own[N_OWN] = {
    (double)r->no_energy, e->start,  e->input,      e->kinetic, e->elastic,
    e->viscous,           e->stored, e->dissipated, e->balance
  };
  ptrdiff_t n = ms_transient_save_size(run), m = ms_decimator_save_size(r->decimator);
  MS_TRY(ms_resize(r->study->ctx, n + m, sizeof *r->state, &r->state));
  MS_TRY(ms_transient_save(run, r->state));
  ms_decimator_save(r->decimator, r->state + n);
  const ms_block block[] = { { "energy", N_OWN, own },
                             { "transient", n, r->state },
                             { "decimator", m, r->state + n } };
  return ms_checkpointed_run_keep(r->checkpoint, block, 3);
}

static ms_status restore(recorder *r, ms_transient *run) {
  ms_block own, state, decimator;
  MS_TRY(ms_checkpointed_run_find(r->checkpoint, "energy", &own));
  MS_TRY(ms_checkpointed_run_find(r->checkpoint, "transient", &state));
  MS_TRY(ms_checkpointed_run_find(r->checkpoint, "decimator", &decimator));
  MS_TRY(ms_transient_load(run, state.values, state.n));
  MS_TRY(ms_decimator_load(r->decimator, decimator.values, decimator.n));
  if (own.n != N_OWN || ms_transient_get_step(run) > r->p->time.steps) {
    return ms_fail(r->study->ctx, MS_ERR_FORMAT, "it is of another run");
  }
  const double *e = own.values;
  r->no_energy = e[0] != 0.0;
  r->p->last = (ms_transient_energy) { e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8] };
  return MS_SUCCESS;
}

/* ---- the run ---- */

static double fraction_done(const recorder *r, const ms_transient *run) {
  return (double)ms_transient_get_step(run) / (double)r->p->time.steps;
}

/* The time left counts from here. */
static ms_status announce(const recorder *r, const ms_transient *run) {
  ms_context *ctx = r->study->ctx;
  ms_log(ctx, MS_LOG_INFO, "%s: goes on from step %td of %td", r->task->name,
         ms_transient_get_step(run), r->p->time.steps);
  MS_TRY(ms_progress(ctx, r->task->name, 0.0));
  return ms_progress(ctx, r->task->name, fraction_done(r, run));
}

static ms_status start(recorder *r, ms_transient *run) {
  const ms_transient_product *p = r->p;
  const ms_yaml *yaml = &r->study->yaml;
  ms_status status = p->preload ? ms_transient_start_static(run, 0.0, p->preload, p->v)
                                : ms_transient_start(run, 0.0, p->u, p->v);
  if (status == MS_SUCCESS) return record(r, run);
  struct fy_node *preload = ms_yaml_get(r->task->node, "preload");
  return ms_yaml_fail_here(yaml, preload ? preload : r->task->node, status);
}

/* From the beginning, or from where an earlier start was interrupted. */
static ms_status start_or_go_on(recorder *r, ms_transient *run) {
  if (ms_checkpointed_run_goes_on(r->checkpoint)) {
    ms_status status = restore(r, run);
    if (status == MS_SUCCESS) return announce(r, run);
    if (status != MS_ERR_FORMAT && status != MS_ERR_NAME) return status;
    MS_TRY(ms_checkpointed_run_begin(r->checkpoint));
  }
  return start(r, run);
}

static ms_status look(recorder *r, const ms_transient *run) {
  int due;
  ms_status status = ms_checkpointed_run_look(r->checkpoint, fraction_done(r, run), &due);
  if (due) MS_TRY(keep(r, run));
  return status;
}

static ms_status march(recorder *r, ms_transient *run) {
  enum { LOOK = 64 };
  while (ms_transient_get_step(run) < r->p->time.steps) {
    MS_TRY(ms_transient_step(run));
    MS_TRY(record(r, run));
    if (ms_transient_get_step(run) % LOOK == 0) MS_TRY(look(r, run));
  }
  return ms_checkpointed_run_is_kept(r->checkpoint) ? keep(r, run) : MS_SUCCESS;
}

/* Rows that wait for what follows them; of a run that failed they are left out. */
static ms_status flush(recorder *r) {
  int ready;
  do {
    MS_TRY(ms_decimator_flush(r->decimator, r->row + 1, &ready));
    if (ready) MS_TRY(add_row(r));
  } while (ready);
  return MS_SUCCESS;
}

static ms_status run_transient(ms_study *s, const ms_task *task, ms_transient *run) {
  recorder r;
  ms_status status = add_loads(task->product, run);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, task->node, status);
  status = open_recorder(s, task, &r);
  if (status == MS_SUCCESS) status = start_or_go_on(&r, run);
  if (status == MS_SUCCESS) status = march(&r, run);
  if (status == MS_SUCCESS) status = flush(&r);
  r.p->count = ms_transient_get_count(run);
  r.p->quality = ms_transient_get_quality(run);
  close_recorder(&r);
  return status;
}

ms_status ms_transient_analysis_run(ms_study *s, ms_task *task) {
  ms_transient_product *p = task->product;
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *transient;
  ms_time_apply(&p->time, &setting);
  MS_TRY(create_tables(s, task, p));
  MS_TRY(ms_transient_create(s->structure, &setting, &transient));
  ms_status status = run_transient(s, task, transient);
  ms_transient_destroy(&transient);
  for (int i = 0; i < p->n_load && status == MS_SUCCESS; i++) {
    status = ms_load_judge(s, task, &p->load[i], p->time.step * (double)p->time.steps);
  }
  return status;
}
