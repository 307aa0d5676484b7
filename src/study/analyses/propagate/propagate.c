/* propagate: random joints to frequency and damping against amplitude, by Monte Carlo. */
#include <math.h>
#include <microslip/posterior.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/propagate/random_curves.h"

enum { N_LEVEL = 3, LEAST = 20 };
static const double levels[N_LEVEL] = { 0.05, 0.5, 0.95 };

static const ms_param keys[] = { MS_RANDOM_KEYS(LEAST, 400, "structures with random joints") };

/* ---- the run ---- */

static ptrdiff_t count_answers(const ms_random_curves *c) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < c->count; i++) n += c->answered[i];
  return n;
}

/* Quantiles of one number over the points that have an answer; room for all of them. */
static ms_status find_band(ms_context *ctx, const ms_random_curves *c, int mode, ptrdiff_t level,
                           int damping, double *room, double *out) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < c->count; i++) {
    if (c->answered[i]) room[n++] = *ms_random_value(c, i, mode, level, damping);
  }
  return ms_chain_quantiles(ctx, n, room, 1, N_LEVEL, levels, out);
}

static ms_status add_row(ms_study *s, ms_random_curves *c, int mode, ptrdiff_t level,
                         double *room) {
  double row[2 + 2 * N_LEVEL] = { c->mode[mode] + 1, c->q[level] };
  MS_TRY(find_band(s->ctx, c, mode, level, 0, room, row + 2));
  MS_TRY(find_band(s->ctx, c, mode, level, 1, room, row + 2 + N_LEVEL));
  return ms_result_table_add_numbers(s->ctx, c->table, row);
}

static ms_status tabulate_bands(ms_study *s, const ms_task *task, ms_random_curves *c) {
  double *room;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_result_table_create(
      s, task->name,
      "mode,q [m sqrt(kg)],omega_05 [rad/s],omega_50 [rad/s],omega_95 [rad/s],"
      "zeta_05,zeta_50,zeta_95",
      &c->table));
  MS_TRY(ms_allocate(s->ctx, c->count, sizeof *room, &room));
  for (int k = 0; k < c->n_mode; k++) {
    for (ptrdiff_t i = 0; i < c->n_level && status == MS_SUCCESS; i++) {
      status = add_row(s, c, k, i, room);
    }
  }
  ms_free(s->ctx, &room);
  return status;
}

/* A row for every joint: its parameters. */
static ms_status tabulate_samples(ms_study *s, const ms_task *task, const ms_random_curves *c) {
  char name[96];
  double row[2 + 32];
  ms_result_table *table;
  const ptrdiff_t n = c->joints.n;
  snprintf(name, sizeof name, "%.80s_samples", task->name);
  MS_TRY(ms_result_table_create(s, name, "sample,answered", &table));
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(ms_result_table_add_column(s->ctx, table, c->joints.parameter[i].is.key,
                                      ms_calibrate_unit(&c->joints.parameter[i].is),
                                      "value of this joint parameter in the sample"));
  }
  for (ptrdiff_t i = 0; i < c->count; i++) {
    row[0] = (double)(i + 1), row[1] = c->answered[i];
    memcpy(row + 2, c->p + n * i, (size_t)n * sizeof *row);
    MS_TRY(ms_result_table_add_numbers(s->ctx, table, row));
  }
  return MS_SUCCESS;
}

/* Every process. */
static ms_status evaluate(ms_study *s, ms_task *task) {
  ms_random_curves *c = task->product;
  MS_TRY(ms_random_begin(s, c->samples, c));
  ms_scatter_draw(c->joints.n, c->joints.d, c->count, c->seed, c->p);
  return ms_random_run(s, task->name, c);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_random_curves *c = task->product;
  MS_TRY(evaluate(s, task));
  if (count_answers(c) < LEAST) {
    return ms_fail(s->ctx, MS_NOT_CONVERGED,
                   "%s: %td of %td random joints have an answer at all amplitudes: look at them "
                   "and at the distributions",
                   task->name, count_answers(c), c->count);
  }
  MS_TRY(tabulate_bands(s, task, c));
  return tabulate_samples(s, task, c);
}

/* ---- summary and report ---- */

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  static const char *const name[] = { "omega_05", "omega_50", "omega_95",
                                      "zeta_05",  "zeta_50",  "zeta_95" };
  const ms_random_curves *c = task->product;
  (void)s;
  ms_json_add_integer(json, "samples", c->count);
  ms_json_add_integer(json, "without_answer", c->count - count_answers(c));
  ms_json_begin_array(json, "modes");
  for (int k = 0; k < c->n_mode; k++) {
    const ptrdiff_t last = c->n_level * (k + 1) - 1;
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "mode", c->mode[k] + 1);
    ms_json_add_number(json, "q", ms_result_table_column(c->table, 1)[last]);
    for (int i = 0; i < 2 * N_LEVEL; i++) {
      ms_json_add_number(json, name[i], ms_result_table_column(c->table, 2 + i)[last]);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

static ms_status add_band(const ms_study *s, const ms_random_curves *c, int mode, int damping,
                          ms_figure *figure) {
  const ptrdiff_t at = c->n_level * mode;
  const double *x = ms_result_table_column(c->table, 1) + at, *of[N_LEVEL];
  for (int l = 0; l < N_LEVEL; l++) {
    of[l] = ms_result_table_column(c->table, 2 + N_LEVEL * damping + l) + at;
  }
  return ms_random_add_band(s->ctx, figure, c->n_level, x, of);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_random_curves *c = task->product;
  const ptrdiff_t without = c->count - count_answers(c);
  if (without == 0) return MS_SUCCESS;
  return ms_task_doubt(s, task,
                       "%td of %td structures have no answer at one of the amplitudes and are left "
                       "out of the quantiles",
                       without, c->count);
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  static const char *const label[2] = { "omega", "zeta" }, *const unit[2] = { "rad/s", NULL };
  const ms_random_curves *c = task->product;
  char text[240];
  snprintf(text, sizeof text, "%td structures whose joints have random parameters.", c->count);
  MS_TRY(ms_page_add_text(page, text));
  MS_TRY(ms_random_report(s, &c->joints, page));
  MS_TRY(ms_random_figures(
      s, c, label, unit, "Median over random joints, and where 90 % of them lie.", add_band, page));
  return ms_result_table_add_to_page(s->ctx, c->table, "Quantiles of 5, 50 and 95 %", page);
}

const ms_analysis ms_analysis_propagate = {
  .needs = ms_random_task_needs,
  .name = "propagate",
  .meaning =
      "What random joints make of a structure: quasi-static frequency and damping (qsma) "
      "against amplitude for many random values of the joints' parameters; 5, 50 and 95 % "
      "of them.",
  .keys = keys,
  .n_keys = sizeof keys / sizeof *keys,
  .check = ms_random_check,
  .run = run,
  .judge = judge,
  .help = evaluate,
  .summarise = summarise,
  .report = report,
  .close = ms_random_close_task,
};
