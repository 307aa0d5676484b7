/* backbone: how frequency and damping of a mode depend on its amplitude, by several independent
   methods; one table, one figure for each mode, and how far the methods differ. */
#include "study/analyses/backbone/backbone.h"

#include "experiment/pack.h"
#include "study/analyses/shared/harmonic.h"

static void close_product(ms_study *s, ms_task *task) {
  ms_backbone *b = task->product;
  for (ptrdiff_t i = 0; b->curve && i < b->n_curve; i++) {
    ms_backbone_free(s->ctx, &b->curve[i]);
  }
  for (int i = 0; b->level && i < b->n_mode; i++) ms_free(s->ctx, &b->level[i]);
  ms_curves_free(s->ctx, &b->stft);
  ms_free(s->ctx, &b->curve);
  ms_free(s->ctx, &b->level);
  ms_free(s->ctx, &b->n_level);
  ms_free(s->ctx, &b->guessed);
  ms_free(s->ctx, &b->mode);
  ms_free(s->ctx, &b->method);
  ms_free(s->ctx, &b->preload);
  ms_free(s->ctx, &b->push);
  ms_free(s->ctx, &task->product);
}

static ms_status request_curves(ms_study *s, ms_backbone *b) {
  b->n_curve = (ptrdiff_t)b->n_mode * b->n_method;
  MS_TRY(ms_allocate(s->ctx, b->n_curve, sizeof *b->curve, &b->curve));
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    ptrdiff_t m = i / b->n_method;
    b->curve[i] = (ms_backbone_curve) { .mode = b->mode[m],
                                        .method = b->method[i % b->n_method],
                                        .level = b->level[m],
                                        .n_level = b->n_level[m] };
  }
  return MS_SUCCESS;
}

/* A job is a curve; those that are gathered are no work. */
static ms_status run_curve(ms_worker *worker, ptrdiff_t job, void *user) {
  ms_backbone *b = user;
  ms_backbone_curve *curve = &b->curve[job];
  ms_backbone_setting setting = b->setting;
  setting.keep = ms_harmonic_run_kept;
  setting.user = worker;
  if (!curve->method->run) return MS_SUCCESS;
  MS_TRY(ms_backbone_run(worker->ctx, worker->structure, &setting, curve));
  if (b->guessed[job / b->n_method]) ms_backbone_trim(curve);
  return MS_SUCCESS;
}

static ptrdiff_t save_curve(const void *user, ptrdiff_t job, double *values) {
  const ms_backbone *b = user;
  return ms_backbone_save(&b->curve[job], values);
}

static ms_status load_curve(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                            ptrdiff_t n) {
  ms_backbone *b = user;
  return ms_backbone_load(ctx, &b->curve[job], values, n);
}

/* By all processes. */
static ms_status run_curves(ms_study *s, ms_task *task) {
  ms_backbone *b = task->product;
  ms_jobs jobs = { .run = run_curve, .save = save_curve, .load = load_curve, .user = b };
  MS_TRY(request_curves(s, b));
  jobs.n = b->n_curve;
  return ms_pool_share_jobs(s, task->name, &jobs);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_backbone *b = task->product;
  MS_TRY(run_curves(s, task));
  MS_TRY(ms_backbone_gather(s, task, b));
  return ms_curves_judge_steps(s, task, &b->stft);
}

static ms_status judge_curve(ms_study *s, ms_task *task, const ms_backbone_curve *c) {
  char text[400];
  ms_backbone_doubt doubt;
  for (ptrdiff_t i = 0; ms_backbone_warning(s->structure, c, i, &doubt, text, sizeof text); i++) {
    MS_TRY((doubt == MS_BACKBONE_NOTE      ? ms_task_note
            : doubt == MS_BACKBONE_SUSPECT ? ms_task_doubt
                                           : ms_task_give_up)(s, task, "mode %d by %s: %s",
                                                              c->mode + 1, c->method->name, text));
  }
  return MS_SUCCESS;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_backbone *b = task->product;
  for (ptrdiff_t i = 0; i < b->n_curve; i++) MS_TRY(judge_curve(s, task, &b->curve[i]));
  return MS_SUCCESS;
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_backbone *b = task->product;
  return b->from == other || ms_backbone_reads_sweep(b, other);
}

const ms_analysis ms_analysis_backbone = {
  .needs = needs,
  .name = "backbone",
  .meaning =
      "Frequency and damping of each mode against its amplitude, by several independent methods. "
      "Static ones (qsma, rqnm) compute the joints' damping and add the viscous part by its "
      "formula; periodic ones (epmc, stepped_sine) and those in time see the total.",
  .keys = ms_backbone_keys,
  .n_keys = MS_BACKBONE_KEYS,
  .check = ms_backbone_read,
  .run = run,
  .judge = judge,
  .help = run_curves,
  .result = ms_backbone_result,
  .close = close_product,
};
