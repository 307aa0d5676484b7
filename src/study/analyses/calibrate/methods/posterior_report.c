/* What posterior says: parameters with their intervals, the samples, how far the chain is to be
   believed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/methods/posterior.h"

enum { MOST_ROWS = 4000 }; /* of the table of samples, about */

/* ---- tables ---- */

static ms_status tabulate_parameters(ms_study *s, const ms_task *task, ms_calibrate *c) {
  MS_TRY(ms_result_table_create(
      s, task->name,
      "parameter:word,mean,deviation,q05,q50,q95,unit:word,lower,upper,fit,tau,"
      "effective,r_hat,settled",
      &c->table));
  for (ptrdiff_t j = 0; j < c->n; j++) {
    const ms_chain_report *r = &c->chain->report[j];
    const double *q = c->chain->quantile + MS_BAND * j;
    MS_TRY(ms_result_table_add_row(s->ctx, c->table, c->parameter[j].key, r->mean, r->deviation,
                                   q[0], q[1], q[2], c->parameter[j].unit, c->bound[j].lower,
                                   c->bound[j].upper, c->solution[0].p[j], r->tau, r->effective,
                                   r->r_hat, (double)r->settled));
  }
  return MS_SUCCESS;
}

/* Every so many steps, all walkers. */
static ms_status tabulate_samples(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  const ptrdiff_t every = (c->chain->n_sample + MOST_ROWS - 1) / MOST_ROWS;
  double row[2 + 32];
  ms_result_table *table;
  MS_TRY(ms_calibrate_table(s, task, c, "chain", "step,walker", &table));
  for (ptrdiff_t k = every - 1; k < c->steps; k += every) {
    for (ptrdiff_t i = 0; i < c->walkers; i++) {
      row[0] = (double)(k + 1);
      row[1] = (double)(i + 1);
      memcpy(row + 2, c->chain->p + c->n * (i + c->walkers * k), (size_t)c->n * sizeof *row);
      MS_TRY(ms_result_table_add_numbers(s->ctx, table, row));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_tabulate_samples(ms_study *s, const ms_task *task, ms_calibrate *c) {
  MS_TRY(tabulate_parameters(s, task, c));
  MS_TRY(ms_calibrate_tabulate_correlation(s, task, c, c->chain->correlation));
  MS_TRY(tabulate_samples(s, task, c));
  return ms_calibrate_tabulate_bands(s, task, c);
}

/* ---- summary ---- */

static void summarise_parameter(const ms_calibrate *c, ptrdiff_t j, ms_json *json) {
  const ms_chain_report *r = &c->chain->report[j];
  const double *q = c->chain->quantile + MS_BAND * j;
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "name", c->parameter[j].key);
  ms_json_add_number(json, "mean", r->mean);
  ms_json_add_number(json, "deviation", r->deviation);
  ms_json_add_number(json, "q05", q[0]);
  ms_json_add_number(json, "q50", q[1]);
  ms_json_add_number(json, "q95", q[2]);
  ms_json_add_number(json, "fit", c->solution[0].p[j]);
  ms_json_add_number(json, "tau", r->tau);
  ms_json_add_number(json, "effective", r->effective);
  ms_json_add_number(json, "r_hat", r->r_hat);
  ms_json_add_bool(json, "settled", r->settled);
  ms_json_end(json);
}

static int all_settled(const ms_calibrate *c) {
  for (ptrdiff_t j = 0; j < c->n; j++) {
    if (!c->chain->report[j].settled) return 0;
  }
  return 1;
}

static double acceptance(const ms_calibrate *c) {
  return (double)c->chain->accepted / (double)c->chain->proposed;
}

void ms_calibrate_summarise_samples(const ms_calibrate *c, ms_json *json) {
  ms_json_begin_array(json, "parameters");
  for (ptrdiff_t j = 0; j < c->n; j++) summarise_parameter(c, j, json);
  ms_json_end(json);
  ms_json_add_integer(json, "walkers", c->walkers);
  ms_json_add_integer(json, "steps", c->steps);
  ms_json_add_integer(json, "burn", c->burn);
  ms_json_add_number(json, "acceptance", acceptance(c));
  ms_json_add_bool(json, "settled", all_settled(c));
  ms_json_add_number(json, "supposed_noise", c->supposed);
  ms_json_add_number(json, "scatter", c->scatter);
  ms_json_add_text(json, "remarks", c->judgement.remarks);
}

/* ---- report ---- */

/* The parameter whose chain is worst. */
static ptrdiff_t slowest(const ms_calibrate *c) {
  ptrdiff_t worst = 0;
  for (ptrdiff_t j = 1; j < c->n; j++) {
    const ms_chain_report *r = &c->chain->report[j], *w = &c->chain->report[worst];
    if (w->settled == r->settled ? r->tau > w->tau : w->settled) worst = j;
  }
  return worst;
}

ms_status ms_calibrate_judge_samples(ms_study *s, ms_task *task) {
  const ms_calibrate *c = task->product;
  if (!c->chain || !c->chain->report || all_settled(c)) return MS_SUCCESS;
  const ptrdiff_t j = slowest(c);
  const ms_chain_report *r = &c->chain->report[j];
  return ms_task_doubt(
      s, task,
      "the chain has not settled: for %.200s its %td steps are %.0f autocorrelation times (50 are "
      "required), and R-hat is %.3f (at most 1.05); intervals and bands may be too narrow or "
      "shifted. Take more steps",
      c->parameter[j].name, c->steps, (double)c->steps / r->tau, r->r_hat);
}

ms_status ms_calibrate_report_samples(const ms_study *s, const ms_calibrate *c, ms_page *page) {
  char text[640];
  snprintf(
      text, sizeof text,
      "How likely parameters are given the data: %td walkers of an affine-invariant ensemble "
      "about the best of %td local fits, %td steps each after %td that do not count; %.0f %% "
      "of the moves were made. Residuals (relative differences; of a frequency over its shift) "
      "are supposed to scatter by %.3g; before the data, every value between a parameter's "
      "bounds is as likely as any other, on the scale that it is searched on.",
      c->walkers, c->starts, c->steps, c->burn, 100.0 * acceptance(c), c->scatter);
  MS_TRY(ms_page_add_text(page, text));
  MS_TRY(ms_remarks_report(c->judgement.remarks, page));
  MS_TRY(ms_result_table_add_to_page(
      s->ctx, c->table,
      "Parameters: mean, standard deviation, 5, 50 and 95 % of the samples "
      "lie below; the best fit; autocorrelation time (steps), independent "
      "samples that the chain is worth, R-hat",
      page));
  MS_TRY(ms_calibrate_report_intervals(s, c, page));
  return ms_calibrate_report_corner(s, c, page);
}
