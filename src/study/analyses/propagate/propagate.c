/* propagate: random joints to frequency and damping against amplitude, by Monte Carlo. */
#include <string.h>

#include "study/analyses/contact/contact.h"
#include "study/analyses/propagate/random_curves.h"
#include "study/analyses/shared/answers.h"

enum { N_LEVEL = 3, LEAST = 20 };
static const double levels[N_LEVEL] = { 0.05, 0.5, 0.95 };

static const ms_param keys[] = { MS_RANDOM_KEYS(LEAST, 400, "structures with random joints") };

/* Every process. */
static ms_status evaluate(ms_study *s, ms_task *task) {
  return ms_random_evaluate(s, task, ms_random_curves_draw);
}

static ms_status run(ms_study *s, ms_task *task) {
  const ms_random_curves *c = &((const ms_random_task *)task->product)->curves;
  MS_TRY(evaluate(s, task));
  const ptrdiff_t answers = ms_random_curves_count_answers(c);
  if (answers >= LEAST) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_NOT_CONVERGED,
                 "%s: %td of %td random joints have an answer at all amplitudes: look at them and "
                 "at the distributions",
                 task->name, answers, c->count);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_random_curves *c = &((const ms_random_task *)task->product)->curves;
  const ptrdiff_t without = c->count - ms_random_curves_count_answers(c);
  if (without == 0) return MS_SUCCESS;
  return ms_task_doubt(s, task,
                       "%td of %td structures have no answer at one of the amplitudes and are left "
                       "out of the quantiles",
                       without, c->count);
}

/* ---- the result ---- */

static ms_status add_bands(ms_study *s, const ms_task *task, ms_result_table **table) {
  const ms_random_curves *c = &((const ms_random_task *)task->product)->curves;
  double row[2 + 2 * N_LEVEL];
  *table =
      ms_result_new_table(task->result, "",
                          "mode,q [m sqrt(kg)],omega_05 [rad/s],omega_50 [rad/s],omega_95 [rad/s],"
                          "zeta_05,zeta_50,zeta_95");
  MS_TRY(ms_result_get_status(task->result));
  ms_result_begin_list(task->result, "modes");
  for (int k = 0; k < c->n_mode; k++) {
    for (ptrdiff_t i = 0; i < c->n_level; i++) {
      row[0] = c->mode[k] + 1, row[1] = c->q[i];
      for (int damping = 0; damping < 2; damping++) {
        MS_TRY(ms_random_curves_quantiles(s->ctx, c, k, i, damping, N_LEVEL, levels,
                                          row + 2 + N_LEVEL * damping));
      }
      ms_result_put_numbers(*table, row);
    }
    ms_result_begin(task->result, NULL); /* at the largest amplitude */
    ms_result_set_integer(task->result, "mode", c->mode[k] + 1);
    for (int i = 1; i < 2 + 2 * N_LEVEL; i++) {
      ms_result_set_number(task->result, ms_result_table_describe(*table, i).name, NULL, row[i]);
    }
    ms_result_end(task->result);
    for (int damping = 0; damping < 2 && k < 2; damping++) {
      const double *q = row + 2 + N_LEVEL * damping;
      ms_answer_add(task->result,
                    (ms_answer) { .symbol = damping ? "zeta" : "omega",
                                  .unit = damping ? NULL : "rad/s",
                                  .value = q[1],
                                  .low = q[0],
                                  .high = q[2],
                                  .weight = MS_HEAD_RANDOM },
                    "%s of mode %d at the largest amplitude (median, 5 to 95 %%), |q| = %.4g m "
                    "sqrt(kg)",
                    damping ? "Damping" : "Frequency", c->mode[k] + 1, c->q[c->n_level - 1]);
    }
  }
  ms_result_end(task->result);
  return MS_SUCCESS;
}

/* A row for every joint: its parameters. */
static ms_status add_samples(ms_study *s, const ms_task *task) {
  const ms_random_options *o = task->options;
  const ms_random_curves *c = &((const ms_random_task *)task->product)->curves;
  double row[2 + 32];
  ms_result_table *table = ms_result_new_table(task->result, "_samples", "sample,answered");
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_joint_parameter *p = &o->random.parameter[i].is;
    MS_TRY(ms_result_table_add_column(s->ctx, table, p->key, ms_joint_parameter_unit(p),
                                      "value of this joint parameter in the sample"));
  }
  for (ptrdiff_t i = 0; i < c->count; i++) {
    row[0] = (double)(i + 1), row[1] = c->answered[i];
    memcpy(row + 2, c->p + c->n * i, (size_t)c->n * sizeof *row);
    ms_result_put_numbers(table, row);
  }
  return MS_SUCCESS;
}

static ms_status fill_result(ms_study *s, ms_task *task) {
  static const ms_plot panel[] = {
    { .title = "frequency",
      .y = "omega_05",
      .y_to = "omega_95",
      .y_label = "omega",
      .label = "5 to 95 %",
      .colour = 1 },
    { .y = "omega_50", .label = "median", .colour = 1, .over = 1 },
    { .title = "damping",
      .y = "zeta_05",
      .y_to = "zeta_95",
      .y_label = "zeta",
      .label = "5 to 95 %",
      .colour = 1 },
    { .y = "zeta_50", .label = "median", .colour = 1, .over = 1 },
  };
  const ms_random_curves *c = &((const ms_random_task *)task->product)->curves;
  ms_result_table *table;
  ms_result_set_values(task->result, "samples:count,without_answer:count", (double)c->count,
                       (double)(c->count - ms_random_curves_count_answers(c)));
  MS_TRY(add_bands(s, task, &table));
  MS_TRY(add_samples(s, task));
  ms_random_show(task, table, "90 % of the structures lie within the band.", 4, panel);
  ms_result_show_table(task->result, table,
                       "Quantiles of frequency and damping over the random joints");
  return ms_contact_add_laws(s, task);
}

const ms_analysis ms_analysis_propagate = {
  .name = "propagate",
  .title = "Frequency and damping with random joints",
  .meaning =
      "Effect of random joints on a structure: quasi-static frequency and damping by qsma "
      "against amplitude for many random values of the joints' parameters; 5, 50 and 95 % "
      "of them.",
  MS_KEYS(keys, ms_random_options, ms_random_task),
  .knows_contact = 1,
  .check = ms_random_check,
  .run = run,
  .judge = judge,
  .help = evaluate,
  .result = fill_result,
  .close = ms_random_close_task,
};
