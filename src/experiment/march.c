#include "experiment/march.h"

ms_status ms_march_run(ms_context *ctx, ms_structure *structure, const ms_march *march,
                       ms_transient_energy *energy, ms_transient_count *count,
                       ms_transient_quality *quality, int *has_energy) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  ms_time_apply(&march->time, &setting);
  MS_TRY(ms_transient_create(structure, &setting, &run));
  ms_status status = ms_transient_add_load(run, march->shape, march->s, march->user, march->end);
  if (status == MS_SUCCESS) status = ms_transient_start(run, 0.0, NULL, NULL);
  if (status == MS_SUCCESS) {
    status = ms_transient_run(run, march->time.steps, 1, march->observe, march->user);
  }
  *count = ms_transient_get_count(run);
  *quality = ms_transient_get_quality(run);
  *has_energy = status == MS_SUCCESS && ms_transient_get_energy(run, energy) == MS_SUCCESS;
  if (status == MS_SUCCESS && !*has_energy) ms_context_clear_message(ctx);
  ms_transient_destroy(&run);
  return status;
}
