/* posterior: how likely parameters are given the data. Walkers start about the best local fit; the
   steps are kept, so that a chain that was interrupted goes on where it was. */
#include <string.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/shared/answers.h"

enum { MOST_ROWS = 4000 }; /* of the table of samples, about */

/* Walkers must be able to span the space of the parameters twice. */
static ptrdiff_t count_walkers(const ms_task *task, ptrdiff_t *least) {
  const ms_calibrate_options *o = task->options;
  const ptrdiff_t n = ((const ms_calibrate *)task->product)->n;
  *least = 2 * n + 2;
  return o->walkers >= 0 ? o->walkers : n > 7 ? 2 * *least : 32;
}

static ms_status check(const ms_study *s, const ms_task *task) {
  ptrdiff_t least, walkers = count_walkers(task, &least);
  MS_TRY(ms_calibrate_check_even(s, task, "walkers", walkers));
  if (walkers >= least) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "walkers"), MS_ERR_BOUNDS,
                      "%td parameters need at least %td walkers, not %td", (least - 2) / 2, least,
                      walkers);
}

static ms_status run(ms_study *s, const ms_task *task) {
  const ms_calibrate_options *o = task->options;
  ms_calibrate *c = task->product;
  const ms_calibration_plan plan = ms_calibrate_plan(s, task);
  ptrdiff_t least;
  const ms_samples_setting setting = { sizeof setting, NULL,    count_walkers(task, &least),
                                       o->steps,       o->burn, 0 };
  ms_status status = ms_allocate(s->ctx, 1, sizeof *c->samples, &c->samples);
  if (status == MS_SUCCESS) status = ms_local_run(s, task);
  MS_TRY(ms_context_agree(s->ctx, status));
  ms_calibrate_samples *x = c->samples;
  x->walkers = setting.walkers;
  MS_TRY(ms_plan_sample(&plan, c->main, c->main ? c->solution[0].p : NULL, &c->fits->best, &setting,
                        &x->found));
  c->made = x->found.made;
  status = ms_plan_find_bands(&plan, c->main,
                              c->main ? ms_solution_count(&c->solution[0], c->n_target) : 0,
                              &x->found, &x->band);
  c->band = x->band;
  return status;
}

static void close_samples(ms_study *s, ms_calibrate *c) {
  ms_local_close(s, c);
  if (!c->samples) return;
  ms_samples_free(s->ctx, &c->samples->found);
  ms_free(s->ctx, &c->samples->band);
  ms_free(s->ctx, &c->samples);
}

/* ---- tables ---- */

static ms_status tabulate_parameters(ms_study *s, ms_task *task, const ms_calibrate *c,
                                     ms_result_table **out) {
  MS_TRY(ms_task_add_table(s, task, "",
                           "parameter:word,mean [unit],deviation [unit],q05 [unit],q50 [unit],"
                           "q95 [unit],unit:word,lower [unit],upper [unit],fit [unit],"
                           "tau,effective,r_hat,settled:flag",
                           out));
  for (ptrdiff_t j = 0; j < c->n; j++) {
    const ms_chain_report *r = &c->samples->found.report[j];
    const double *q = c->samples->found.quantile + MS_BAND * j;
    MS_TRY(ms_result_table_add_row(s->ctx, *out, c->parameter[j].key, r->mean, r->deviation, q[0],
                                   q[1], q[2], c->parameter[j].unit, c->bound[j].lower,
                                   c->bound[j].upper, c->solution[0].p[j], r->tau, r->effective,
                                   r->r_hat, (double)r->settled));
  }
  return MS_SUCCESS;
}

/* Every so many steps, all walkers. */
static ms_status tabulate_chain(ms_study *s, ms_task *task, const ms_calibrate *c) {
  const ptrdiff_t steps = ((const ms_calibrate_options *)task->options)->steps;
  const ms_calibrate_samples *x = c->samples;
  const ptrdiff_t every = (x->found.n + MOST_ROWS - 1) / MOST_ROWS;
  double row[2 + MS_JOINT_PARAMETERS];
  ms_result_table *table;
  MS_TRY(ms_calibrate_add_table(s, task, "_chain", "step,walker", &table));
  for (ptrdiff_t k = every - 1; k < steps; k += every) {
    for (ptrdiff_t i = 0; i < x->walkers; i++) {
      row[0] = (double)(k + 1);
      row[1] = (double)(i + 1);
      memcpy(row + 2, x->found.p + c->n * (i + x->walkers * k), (size_t)c->n * sizeof *row);
      MS_TRY(ms_result_table_add_numbers(s->ctx, table, row));
    }
  }
  return MS_SUCCESS;
}

static ms_status tabulate_bands(ms_study *s, ms_task *task, const ms_calibrate *c) {
  const double *at = c->samples->band;
  ms_result_table *table;
  MS_TRY(ms_task_add_table(s, task, "_bands", "target:word,quantity:word,row,x,value,q05,q50,q95",
                           &table));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_target_view *v = &c->solution[0].view[k];
    for (int q = 0; q < 2 && v->model[q]; q++) {
      for (ptrdiff_t i = 0; i < v->n; i++, at += MS_BAND) {
        MS_TRY(ms_result_table_add_row(s->ctx, table, c->target[k].name,
                                       ms_target_quantity(c->is[k].kind, q), (double)v->row[i],
                                       v->x[i], v->target[q][i], at[0], at[1], at[2]));
      }
    }
  }
  return MS_SUCCESS;
}

/* ---- figures ---- */

static ms_status show_samples(ms_study *s, ms_result *r, const ms_calibrate *c) {
  const ms_samples *x = &c->samples->found;
  const char *name[MS_JOINT_PARAMETERS], *unit[MS_JOINT_PARAMETERS];
  int log[MS_JOINT_PARAMETERS];
  ms_interval at[MS_JOINT_PARAMETERS];
  ms_figure *figure;
  for (ptrdiff_t j = 0; j < c->n; j++) {
    const double *q = x->quantile + MS_BAND * j;
    const ms_fit_parameter *b = &c->bound[j];
    at[j] = (ms_interval) { ms_fit_scaled(b, q[0]), ms_fit_scaled(b, q[1]), ms_fit_scaled(b, q[2]),
                            ms_fit_scaled(b, c->solution[0].p[j]) };
    name[j] = c->parameter[j].key;
    unit[j] = ms_joint_parameter_unit(&c->parameter[j]);
    log[j] = b->logarithmic && q[2] > 3.0 * q[0]; /* it spreads enough to tell */
  }
  const ms_corner corner = { x->n_x, x->n, x->p, name, unit, log };
  MS_TRY(ms_figure_create(s->ctx, "Intervals of the parameters", NULL, &figure));
  ms_result_fail_page(r,
                      ms_figure_add_intervals(figure, c->n, name, "place between the bounds", at));
  ms_result_take_figure(r,
                        "5, 50 and 95 % of each parameter between its bounds (0 lower, 1 upper). A "
                        "bar that reaches from end to end: the data say nothing about it.",
                        &figure);
  MS_TRY(ms_figure_create(s->ctx, "Samples of the posterior distribution", NULL, &figure));
  ms_result_fail_page(r, ms_figure_add_corner(figure, &corner));
  ms_result_take_figure(
      r,
      "Histograms of the first parameters, and their samples in pairs. A narrow slanted cloud "
      "means that the data determine only a combination of the two.",
      &figure);
  return MS_SUCCESS;
}

/* ---- result ---- */

static ms_status result(ms_study *s, ms_task *task) {
  const ms_calibrate_options *o = task->options;
  const ms_calibrate *c = task->product;
  const ms_calibrate_samples *x = c->samples;
  ms_result *r = task->result;
  ms_result_table *table;
  MS_TRY(tabulate_parameters(s, task, c, &table));
  MS_TRY(ms_calibrate_tabulate_correlation(s, task, x->found.correlation));
  MS_TRY(tabulate_chain(s, task, c));
  MS_TRY(tabulate_bands(s, task, c));
  ms_result_list_rows(r, "parameters", table,
                      "parameter,mean,deviation,q05,q50,q95,fit,tau,effective,r_hat,settled");
  ms_result_set_integer(r, "starts", o->starts);
  ms_result_set_integer(r, "walkers", x->walkers);
  ms_result_set_integer(r, "steps", o->steps);
  ms_result_set_integer(r, "burn", o->burn);
  ms_result_set_number(r, "acceptance", NULL,
                       (double)x->found.accepted / (double)x->found.proposed);
  ms_result_set_flag(r, "settled", ms_samples_find_unsettled(&x->found) < 0);
  ms_result_set_number(r, "supposed_noise", NULL, c->fits->best.supposed);
  ms_result_set_number(r, "scatter", NULL, c->fits->best.scatter);
  ms_result_set_text(r, "remarks", c->fits->best.judgement.remarks);
  for (ptrdiff_t i = 0; i < c->n && i < 4; i++) {
    const double *q = x->found.quantile + MS_BAND * i;
    ms_answer_parameter(
        s, r, (ms_answer) { .value = q[1], .low = q[0], .high = q[2], .weight = MS_HEAD_FIT }, NULL,
        &c->parameter[i]);
  }
  ms_result_show_table(r, table,
                       "Parameters: mean, standard deviation and quantiles of the samples, best "
                       "fit, and how well the chain has converged");
  MS_TRY(show_samples(s, r, c));
  ms_result_say(r,
                "Posterior distribution of the parameters, sampled by an affine-invariant ensemble "
                "of walkers that starts about the best of several local fits. Residuals (relative "
                "differences; of a frequency over its shift) have a standard deviation of %.3g. "
                "The prior is uniform between a parameter's bounds, on the scale of the search.",
                c->fits->best.scatter);
  return MS_SUCCESS;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const double steps = (double)((const ms_calibrate_options *)task->options)->steps;
  const ms_calibrate *c = task->product;
  const ms_samples *x = &c->samples->found;
  const ptrdiff_t worst = ms_samples_find_unsettled(x);
  MS_TRY(ms_local_judge(s, task));
  if (worst < 0) return MS_SUCCESS;
  return ms_task_doubt(
      s, task,
      "the chain has not settled: for %.200s its %.0f steps are %.0f autocorrelation times (50 are "
      "required), and R-hat is %.3f (at most 1.05); intervals and bands may be too narrow or "
      "shifted. Take more steps",
      c->parameter[worst].name, steps, steps / x->report[worst].tau, x->report[worst].r_hat);
}

const ms_calibrate_method ms_calibrate_posterior = {
  .name = "posterior",
  .keys = "starts|walkers|steps|burn",
  .check = check,
  .run = run,
  .result = result,
  .judge = judge,
  .close = close_samples,
};
