/* posterior: chains or walkers about the best local fit; what was interrupted goes on. */
#include <string.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/shared/answers.h"

enum { MOST_ROWS = 4000 }; /* of the table of samples, about */

/* Walkers must be able to span the space of the parameters twice; chains go by themselves. */
static ptrdiff_t count_walkers(const ms_task *task, ptrdiff_t *least) {
  const ms_calibrate_options *o = task->options;
  const ptrdiff_t n = ((const ms_calibrate *)task->product)->n;
  *least = o->steps < 0 ? 4 : 2 * n + 2;
  return o->walkers >= 0 ? o->walkers : o->steps < 0 ? 8 : n > 7 ? 2 * *least : 32;
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
  ms_samples_setting setting = MS_SAMPLES_DEFAULT;
  setting.walkers = count_walkers(task, &least);
  setting.steps = o->steps < 0 ? 0 : o->steps;
  setting.burn = o->burn;
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

static ms_result_table *tabulate_parameters(ms_task *task, const ms_calibrate *c) {
  ms_result_table *out =
      ms_result_new_table(task->result, "",
                          "parameter:word,mean [unit],deviation [unit],q05 [unit],q50 [unit],"
                          "q95 [unit],unit:word,lower [unit],upper [unit],fit [unit],"
                          "tau,effective,r_hat,settled:flag");
  for (ptrdiff_t j = 0; j < c->n; j++) {
    const ms_chain_report *r = &c->samples->found.report[j];
    const double *q = c->samples->found.quantile + MS_BAND * j;
    ms_result_put_row(out, c->parameter[j].key, r->mean, r->deviation, q[0], q[1], q[2],
                      c->parameter[j].unit, c->bound[j].lower, c->bound[j].upper,
                      c->solution[0].p[j], r->tau, r->effective, r->r_hat, (double)r->settled);
  }
  return out;
}

/* Every so many steps, all walkers. */
static void tabulate_chain(const ms_task *task, const ms_calibrate *c) {
  const ms_calibrate_samples *x = c->samples;
  const ptrdiff_t every = (x->found.n + MOST_ROWS - 1) / MOST_ROWS;
  double row[2 + MS_JOINT_PARAMETERS];
  ms_result_table *table = ms_calibrate_new_table(task, "_chain", "step,walker");
  for (ptrdiff_t k = every - 1; k < x->found.steps; k += every) {
    for (ptrdiff_t i = 0; i < x->walkers; i++) {
      row[0] = (double)(k + 1);
      row[1] = (double)(i + 1);
      memcpy(row + 2, x->found.p + c->n * (i + x->walkers * k), (size_t)c->n * sizeof *row);
      ms_result_put_numbers(table, row);
    }
  }
}

static void tabulate_bands(ms_task *task, const ms_calibrate *c) {
  const double *at = c->samples->band;
  ms_result_table *table = ms_result_new_table(task->result, "_bands",
                                               "target:word,quantity:word,row,x,value,q05,q50,q95");
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_target_view *v = &c->solution[0].view[k];
    for (int q = 0; q < 2 && v->model[q]; q++) {
      for (ptrdiff_t i = 0; i < v->n; i++, at += MS_BAND) {
        ms_result_put_row(table, c->target[k].name, ms_target_quantity(c->is[k].kind, q),
                          (double)v->row[i], v->x[i], v->target[q][i], at[0], at[1], at[2]);
      }
    }
  }
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
  ms_result_table *table = tabulate_parameters(task, c);
  ms_calibrate_tabulate_correlation(task, x->found.correlation);
  tabulate_chain(task, c);
  tabulate_bands(task, c);
  ms_result_list_rows(r, "parameters", table,
                      "parameter,mean,deviation,q05,q50,q95,fit,tau,effective,r_hat,settled");
  ms_result_set_values(r,
                       "starts:count,walkers:count,steps:count,burn:count,acceptance,"
                       "settled:flag,supposed_noise,scatter,remarks:word",
                       (double)o->starts, (double)x->walkers, (double)x->found.steps,
                       (double)x->found.burn, (double)x->found.accepted / (double)x->found.proposed,
                       (double)(ms_samples_find_unsettled(&x->found) < 0), c->fits->best.supposed,
                       c->fits->best.scatter, c->fits->best.judgement.remarks);
  ptrdiff_t order[MS_JOINT_PARAMETERS];
  ms_calibrate_order(c, NULL, order);
  for (ptrdiff_t k = 0; k < c->n && k < 4; k++) {
    const ptrdiff_t i = order[k];
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
                "Posterior distribution of the parameters, sampled about the best of several local "
                "fits. Residuals (relative "
                "differences; of a frequency over its shift) have a standard deviation of %.3g. "
                "The prior is uniform between a parameter's bounds, on the scale of the search.",
                c->fits->best.scatter);
  return MS_SUCCESS;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_calibrate *c = task->product;
  char text[600];
  MS_TRY(ms_local_judge(s, task));
  return ms_samples_warning(&c->samples->found, c->bound, text, sizeof text)
             ? ms_task_doubt(s, task, "%s", text)
             : MS_SUCCESS;
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
