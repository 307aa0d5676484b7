/* How well `scatter` knows what it says: tests of as many specimens are made up from the
   distributions that were found, and identified again, many times. */
#include <string.h>

#include "joint/gradient.h"
#include "study/analyses/scatter/scatter.h"

void ms_scatter_close_model(ms_scatter_model *m) {
  ms_scatter_destroy(&m->on);
  ms_joint_destroy(&m->joint);
  ms_joint_destroy(&m->loss);
}

ms_status ms_scatter_open_model(ms_context *ctx, const ms_structure *structure,
                                const ms_scatter_analysis *a, ms_scatter_model *m) {
  const ms_joint *joint = ms_structure_get_joint(structure, a->joint);
  ms_status status = ms_joint_copy(ctx, joint, &m->joint);
  if (status == MS_SUCCESS && a->n_separate > 0) status = ms_joint_copy(ctx, joint, &m->loss);
  if (status == MS_SUCCESS)
    status = ms_scatter_create(m->joint, m->loss, a->omega, a->n, a->parameter, &m->on);
  return status;
}

/* Done, then means, deviations and their intervals. */
ptrdiff_t ms_scatter_repeat_width(const ms_scatter_analysis *a) {
  return 1 + 6 * a->n;
}

static void keep(const ms_scatter_analysis *a, const ms_scatter_result *r, double *to) {
  const size_t bytes = (size_t)a->n * sizeof *to;
  to[0] = 1.0;
  memcpy(to + 1, r->mean, bytes);
  memcpy(to + 1 + a->n, r->deviation, bytes);
  memcpy(to + 1 + 2 * a->n, r->mean_interval, 2 * bytes);
  memcpy(to + 1 + 4 * a->n, r->deviation_interval, 2 * bytes);
}

/* A repetition that has no answer is left out, and counted. */
static ms_status identify(ms_context *ctx, ms_scatter *on, const ms_scatter_analysis *a,
                          ptrdiff_t job, ms_test_table *t, double *p) {
  const uint64_t seed = a->setting.seed + 1 + (uint64_t)job;
  ms_scatter_setting setting = a->setting;
  ms_scatter_result r;
  ms_scatter_draw(a->n, a->result.distribution, t->n_specimen, seed, p);
  ms_scatter_data data = ms_test_table_view(t);
  MS_TRY(ms_scatter_simulate(on, &data, p, a->result.noise, seed, t->stiffness, t->loss));
  ms_test_table_shorten(t);
  data = ms_test_table_view(t);
  ms_status status = ms_scatter_identify(on, &data, &setting, &r);
  if (status == MS_SUCCESS) keep(a, &r, a->repeated + ms_scatter_repeat_width(a) * job);
  ms_scatter_result_destroy(ctx, &r);
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY) return status;
  ms_context_clear_message(ctx);
  return MS_SUCCESS;
}

static ms_status run_one(ms_worker *w, ptrdiff_t job, void *user) {
  const ms_scatter_analysis *a = user;
  ms_scatter_model model = { 0 };
  ms_test_table t = { 0 };
  double *p = NULL;
  ms_status status = ms_scatter_open_model(w->ctx, w->structure, a, &model);
  if (status == MS_SUCCESS) status = ms_test_table_copy(w->ctx, &a->used.tests, &t);
  if (status == MS_SUCCESS) status = ms_allocate(w->ctx, a->n * t.n_specimen, sizeof *p, &p);
  if (status == MS_SUCCESS) status = identify(w->ctx, model.on, a, job, &t, p);
  ms_free(w->ctx, &p);
  ms_test_table_free(w->ctx, &t);
  ms_scatter_close_model(&model);
  return status;
}

static ptrdiff_t save_one(const void *user, ptrdiff_t job, double *values) {
  const ms_scatter_analysis *a = user;
  const ptrdiff_t n = ms_scatter_repeat_width(a);
  if (values) memcpy(values, a->repeated + n * job, (size_t)n * sizeof *values);
  return n;
}

static ms_status load_one(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  ms_scatter_analysis *a = user;
  if (n != ms_scatter_repeat_width(a)) return ms_fail(ctx, MS_ERR_FORMAT, "no such repetition");
  memcpy(a->repeated + n * job, values, (size_t)n * sizeof *values);
  return MS_SUCCESS;
}

/* ---- several processes ---- */

static ms_status make_room(ms_study *s, ms_scatter_analysis *a, ptrdiff_t rows) {
  if (!a->used.tests.force) MS_TRY(ms_test_table_reserve(s->ctx, rows, &a->used.tests));
  if (!a->result.distribution) {
    MS_TRY(ms_allocate(s->ctx, a->n, sizeof *a->result.distribution, &a->result.distribution));
  }
  return ms_allocate(s->ctx, a->repetitions * ms_scatter_repeat_width(a), sizeof *a->repeated,
                     &a->repeated);
}

/* What the first process has found, and the forces of the tests. */
static ms_status share(ms_study *s, ms_scatter_analysis *a) {
  ms_test_table *t = &a->used.tests;
  ptrdiff_t size[2] = { t->n, t->n_specimen };
  MS_TRY(ms_study_share(s, 0, size, sizeof size));
  MS_TRY(ms_context_agree(s->ctx, make_room(s, a, size[0])));
  t->n = size[0], t->n_specimen = size[1];
  MS_TRY(ms_study_share(s, 0, t->specimen, (size_t)t->n * sizeof *t->specimen));
  MS_TRY(ms_study_share(s, 0, t->force, (size_t)t->n * sizeof *t->force));
  MS_TRY(ms_study_share(s, 0, a->result.noise, sizeof a->result.noise));
  return ms_study_share(s, 0, a->result.distribution,
                        (size_t)a->n * sizeof *a->result.distribution);
}

ms_status ms_scatter_repeat(ms_study *s, const ms_task *task, ms_scatter_analysis *a) {
  const ms_jobs jobs = {
    .n = a->repetitions, .run = run_one, .save = save_one, .load = load_one, .user = a
  };
  if (a->repetitions == 0) return MS_SUCCESS;
  MS_TRY(share(s, a));
  return ms_pool_share_jobs(s, task->name, &jobs);
}
