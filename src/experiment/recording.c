/* A run in time, recorded step by step. */
#include <math.h>
#include <microslip/contact_dynamics.h>
#include <microslip/recording.h>

#include "core/internal.h"
#include "core/pack.h"
#include "experiment/channels.h"

struct ms_recorder {
  ms_context *ctx;
  ms_recording *of;
  ms_transient *run;
  ms_decimator *decimator;
  ptrdiff_t size, rows;    /* degrees of freedom; rows given away */
  double *work, *in, *row; /* row: time, then the channels */
  double *contacts;        /* a row of them */
  int no_energy;           /* some law has none */
};

ms_recording ms_recording_default(void) {
  return (ms_recording) { .time = ms_time_default(), .every = 1 };
}

/* ---- rows ---- */

ms_status ms_rows_add(void *user, const double *row) {
  ms_rows *rows = user;
  if (rows->n >= rows->capacity) return MS_ERR_OVERFLOW;
  for (ptrdiff_t i = 0; i < rows->n_column; i++) rows->value[rows->n + rows->capacity * i] = row[i];
  rows->n++;
  return MS_SUCCESS;
}

static ms_status give_row(ms_recorder *r) {
  r->row[0] = (double)r->rows++ * (double)r->of->every * r->of->time.step;
  return r->of->row(r->of->user, r->row);
}

static ms_status record_contacts(ms_recorder *r) {
  const ms_contact_run *contact = ms_transient_get_contact(r->run);
  if (!contact || !r->of->contacts) return MS_SUCCESS;
  const int n = ms_contact_count_groups(ms_contact_run_get_contact(contact));
  MS_TRY(ms_resize(r->ctx, 1 + n * MS_N_CONTACT_QUANTITY, sizeof *r->contacts, &r->contacts));
  r->contacts[0] = (double)ms_transient_get_step(r->run) * r->of->time.step;
  for (int g = 0; g < n; g++) {
    ms_contact_run_fill_columns(contact, g, r->contacts + 1 + g * MS_N_CONTACT_QUANTITY);
  }
  return r->of->contacts(r->of->user, r->contacts);
}

static ms_status record(ms_recorder *r) {
  const ms_recording *of = r->of;
  int ready;
  ms_channels_sample(of->channels, r->run, of->load, of->n_load, r->size, r->work, r->in);
  MS_TRY(ms_decimator_push(r->decimator, r->in, r->row + 1, &ready));
  if (ready) MS_TRY(give_row(r));
  if (ms_transient_get_step(r->run) % of->every != 0) return MS_SUCCESS;
  MS_TRY(record_contacts(r));
  /* Energies are sums over time: taken as they are, not filtered. */
  ms_transient_energy e;
  if (r->no_energy) return MS_SUCCESS;
  if (ms_transient_get_energy(r->run, &e) != MS_SUCCESS) {
    ms_context_clear_message(r->ctx);
    r->no_energy = 1;
    return MS_SUCCESS;
  }
  r->of->last = e;
  if (!r->of->energy) return MS_SUCCESS;
  const double t = (double)ms_transient_get_step(r->run) * r->of->time.step;
  return r->of->energy(r->of->user, t, &e);
}

/* ---- the state ---- */

enum { N_OWN = 10 };

ptrdiff_t ms_recorder_get_step(const ms_recorder *r) {
  return ms_transient_get_step(r->run);
}

ptrdiff_t ms_recorder_save_size(const ms_recorder *r) {
  return N_OWN + 1 + ms_transient_save_size(r->run) + ms_decimator_save_size(r->decimator);
}

ms_status ms_recorder_save(const ms_recorder *r, double *values) {
  const ms_transient_energy *e = &r->of->last;
  const ptrdiff_t n = ms_transient_save_size(r->run);
  const double own[N_OWN] = { (double)r->rows, r->no_energy, e->start,  e->input,      e->kinetic,
                              e->elastic,      e->viscous,   e->stored, e->dissipated, e->balance };
  ms_packer t = { .values = values };
  ms_pack_numbers(&t, own, N_OWN);
  ms_pack_number(&t, (double)n);
  ms_decimator_save(r->decimator, values + t.n + n);
  return ms_transient_save(r->run, values + t.n);
}

/* ---- the run ---- */

static ms_status look(const ms_recorder *r, int over) {
  return r->of->look ? r->of->look(r->of->user, r, over) : MS_SUCCESS;
}

static double one(void *user, double t) {
  (void)user, (void)t;
  return 1.0;
}

static ms_status add_loads(const ms_recording *of, ms_transient *run) {
  for (int i = 0; i < of->n_load; i++) {
    const ms_acting_load *l = &of->load[i];
    MS_TRY(ms_transient_add_load(run, l->shape, ms_load_time_fn, l->load, ms_load_end(l->load)));
  }
  if (!of->preload || of->release) return MS_SUCCESS;
  return ms_transient_add_load(run, of->preload, one, NULL, HUGE_VAL);
}

static ms_status start(ms_recorder *r) {
  const ms_recording *of = r->of;
  MS_TRY(add_loads(of, r->run));
  if (of->resume) {
    ms_unpacker from = { .values = r->of->resume, .n = r->of->n_resume };
    const double *e = ms_unpack_numbers(&from, N_OWN);
    const ptrdiff_t n = e ? ms_unpack_count(&from, 1) : -1;
    const double *state = ms_unpack_numbers(&from, n);
    if (!state) return ms_fail(r->ctx, MS_ERR_FORMAT, "it is of another run");
    MS_TRY(ms_transient_load(r->run, state, n));
    MS_TRY(ms_decimator_load(r->decimator, from.values, from.n));
    if (ms_transient_get_step(r->run) > r->of->time.steps) {
      return ms_fail(r->ctx, MS_ERR_FORMAT, "it is of another run");
    }
    r->rows = (ptrdiff_t)e[0];
    r->no_energy = e[1] != 0.0;
    r->of->last = (ms_transient_energy) { e[2], e[3], e[4], e[5], e[6], e[7], e[8], e[9] };
    return look(r, 0);
  }
  MS_TRY(of->preload ? ms_transient_start_static(r->run, 0.0, of->preload, of->v)
                     : ms_transient_start(r->run, 0.0, of->u, of->v));
  return record(r);
}

static ms_status march(ms_recorder *r) {
  enum { LOOK = 64 };
  MS_TRY(start(r));
  r->of->started = 1;
  while (ms_transient_get_step(r->run) < r->of->time.steps) {
    MS_TRY(ms_transient_step(r->run));
    MS_TRY(record(r));
    if (ms_transient_get_step(r->run) % LOOK == 0) MS_TRY(look(r, 0));
  }
  MS_TRY(look(r, 1));
  /* Rows that wait for what follows them; of a run that failed they are left out. */
  int ready;
  do {
    MS_TRY(ms_decimator_flush(r->decimator, r->row + 1, &ready));
    if (ready) MS_TRY(give_row(r));
  } while (ready);
  return MS_SUCCESS;
}

static ms_status open_recorder(ms_structure *structure, ms_recorder *r) {
  const ms_recording *of = r->of;
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_decimator_settings filter = MS_DECIMATOR_DEFAULT;
  ms_time_apply(&of->time, &setting);
  filter.factor = of->every;
  r->size = ms_structure_get_size(structure);
  MS_TRY(ms_transient_create(structure, &setting, &r->run));
  MS_TRY(ms_allocate(r->ctx, 3 * r->size, sizeof *r->work, &r->work));
  MS_TRY(ms_allocate(r->ctx, of->channels->n, sizeof *r->in, &r->in));
  MS_TRY(ms_allocate(r->ctx, of->channels->n + 1, sizeof *r->row, &r->row));
  return ms_decimator_create(r->ctx, &filter, of->channels->n, &r->decimator);
}

ms_status ms_recording_run(ms_context *ctx, ms_structure *structure, ms_recording *of) {
  MS_NEED(ctx, ctx && structure && of && of->channels && of->row);
  ms_recorder r = { .ctx = ctx, .of = of };
  of->started = 0;
  of->last = (ms_transient_energy) { 0 };
  ms_status status = open_recorder(structure, &r);
  if (status == MS_SUCCESS) status = march(&r);
  if (r.run) {
    of->count = ms_transient_get_count(r.run);
    of->quality = ms_transient_get_quality(r.run);
  }
  of->has_energy = of->started && !r.no_energy;
  ms_transient_destroy(&r.run);
  ms_decimator_destroy(&r.decimator);
  ms_free(ctx, &r.work);
  ms_free(ctx, &r.in);
  ms_free(ctx, &r.row);
  ms_free(ctx, &r.contacts);
  return status;
}
