/* A run of harmonic balance as a worker's job: its checkpoints hold the whole of it, the curve so
   far and where it is. */
#include "study/run/checkpoint.h"
#include "study/analyses/shared/harmonic.h"

typedef struct keeper {
  ms_context *ctx;
  ms_checkpointed_run *checkpoint;
  double steps;  /* of the run, also before an earlier start was interrupted */
  double *state; /* for a checkpoint */
} keeper;

static ms_status keep(keeper *k, const ms_harmonic *h) {
  ptrdiff_t n = ms_harmonic_save_run_size(h);
  MS_TRY(ms_resize(k->ctx, n, sizeof *k->state, &k->state));
  ms_harmonic_save_run(h, k->state);
  const ms_block block[] = { { "steps", 1, &k->steps }, { "run", n, k->state } };
  return ms_checkpointed_run_keep(k->checkpoint, block, 2);
}

static ms_status look(void *user, const ms_harmonic *h, int stop) {
  keeper *k = user;
  k->steps += 1.0;
  return stop || ms_checkpointed_run_is_due(k->checkpoint) ? keep(k, h) : MS_SUCCESS;
}

/* The checkpoint of an earlier start as the range's; none if there is none of use. */
static ms_status find_state(const ms_worker *w, keeper *k, ms_harmonic_range *range) {
  ms_block steps, run;
  if (!ms_checkpointed_run_goes_on(k->checkpoint)) return MS_SUCCESS;
  ms_status status = ms_checkpointed_run_find(k->checkpoint, "steps", &steps);
  if (status == MS_SUCCESS) status = ms_checkpointed_run_find(k->checkpoint, "run", &run);
  if (status == MS_SUCCESS && steps.n != 1) {
    status = ms_fail(k->ctx, MS_ERR_FORMAT, "it is of another run");
  }
  if (status != MS_SUCCESS) return ms_checkpointed_run_begin(k->checkpoint);
  k->steps = steps.values[0];
  range->resume = run.values;
  range->n_resume = run.n;
  ms_log(k->ctx, MS_LOG_INFO, "%s: curve %td goes on from step %.0f", w->what, w->job + 1,
         k->steps);
  return MS_SUCCESS;
}

static ms_status run_checkpointed(const ms_worker *w, keeper *k, ms_harmonic *h,
                                  const ms_harmonic_range *range, ms_harmonic_run_fn *run,
                                  const void *user, ms_harmonic_curve **out) {
  ms_harmonic_range way = *range;
  MS_TRY(ms_checkpointed_run_open_job(w, &k->checkpoint));
  MS_TRY(find_state(w, k, &way));
  ms_harmonic_set_look(h, look, k);
  ms_status status = run(h, &way, user, out);
  if (status == MS_ERR_FORMAT && way.resume) {
    k->steps = 0.0;
    MS_TRY(ms_checkpointed_run_begin(k->checkpoint));
    status = run(h, range, user, out);
  }
  return status;
}

ms_status ms_harmonic_run_kept(void *worker, ms_harmonic *h, const ms_harmonic_range *range,
                               ms_harmonic_run_fn *run, const void *user, ms_harmonic_curve **out) {
  const ms_worker *w = worker;
  keeper k = { .ctx = w->ctx };
  if (!w->study->resume) return run(h, range, user, out);
  ms_status status = run_checkpointed(w, &k, h, range, run, user, out);
  ms_harmonic_set_look(h, NULL, NULL);
  ms_checkpointed_run_close(&k.checkpoint);
  ms_free(w->ctx, &k.state);
  return status;
}
