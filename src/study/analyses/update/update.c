/* update: springs, stiffnesses of joints, materials, lengths and other numbers of the study file
   that make the modes of its structure those that were measured. */
#include "study/analyses/update/update.h"

static void close_product(ms_study *s, ms_task *task) {
  ms_update *u = task->product;
  ms_update_free_measured(s->ctx, u);
  ms_free(s->ctx, &u->bound);
  ms_free(s->ctx, &u->start);
  ms_starts_close(s->ctx, &u->fits);
  if (u->ctx) {
    ms_fit_judgement_destroy(u->ctx, &u->judgement);
    ms_free(u->ctx, &u->before);
    ms_free(u->ctx, &u->after);
    for (int i = 0; i < 2; i++) {
      ms_free(u->ctx, &u->mac[i]);
      ms_free(u->ctx, &u->model_omega[i]);
    }
    ms_context_destroy(&u->ctx);
  }
  ms_free(s->ctx, &task->product);
}

static ms_status run(ms_study *s, ms_task *task) {
  MS_TRY(ms_update_search(s, task));
  return ms_update_tabulate(s, task, task->product);
}

const ms_analysis ms_analysis_update = {
  .name = "update",
  .meaning =
      "Numbers of the study file (springs, stiffnesses of joints, materials, lengths) with "
      "which the stuck modes of the structure match measured ones, their standard errors, and "
      "which of them the measured modes do not determine.",
  .keys = ms_update_keys,
  .n_keys = MS_UPDATE_KEYS,
  .check = ms_update_check,
  .run = run,
  .judge = ms_update_judge,
  .help = ms_update_help,
  .summarise = ms_update_summarise,
  .report = ms_update_report,
  .close = close_product,
};
