#include "identify/scatter/repeats.h"

#include <string.h>

static ms_status repeat_one(ms_worker *w, ptrdiff_t job, void *user) {
  const ms_scatter_repeats *r = user;
  ms_scatter *model;
  MS_TRY(ms_scatter_create_copy(w->ctx, ms_structure_get_joint(w->structure, r->joint), r->omega,
                                r->n, r->parameter, &model));
  ms_status status =
      ms_scatter_repeat(model, r->tests, r->found->distribution, r->found->noise, &r->setting, job,
                        r->values + MS_SCATTER_REPEAT_WIDTH(r->n) * job);
  ms_scatter_destroy(&model);
  return status;
}

static ptrdiff_t save_one(const void *user, ptrdiff_t job, double *values) {
  const ms_scatter_repeats *r = user;
  const ptrdiff_t n = MS_SCATTER_REPEAT_WIDTH(r->n);
  if (values) memcpy(values, r->values + n * job, (size_t)n * sizeof *values);
  return n;
}

static ms_status load_one(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  const ms_scatter_repeats *r = user;
  if (n != MS_SCATTER_REPEAT_WIDTH(r->n)) return ms_fail(ctx, MS_ERR_FORMAT, "no such repetition");
  memcpy(r->values + n * job, values, (size_t)n * sizeof *values);
  return MS_SUCCESS;
}

ms_status ms_scatter_share_repeats(const ms_crew *crew, const char *what,
                                   ms_scatter_repeats *repeats) {
  const ms_jobs jobs = {
    .n = repeats->count, .run = repeat_one, .save = save_one, .load = load_one, .user = repeats
  };
  return ms_crew_share_jobs(crew, what, &jobs);
}
