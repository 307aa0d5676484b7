/* What scatter ends in. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/scatter/scatter.h"
#include "study/analyses/shared/answers.h"

enum { L = MS_SCATTER_LEVELS };

/* ---- tables ---- */

static ms_status add_parameters(ms_study *s, const ms_task *task, const ms_scatter_analysis *a,
                                ms_result_table **table) {
  const ms_scatter_result *r = &a->result.found;
  MS_TRY(ms_task_add_table(s, task, "",
                           "parameter:word,unit:word,family:word,mean [unit],mean_error [unit],"
                           "mean_low [unit],mean_high [unit],deviation [unit],"
                           "deviation_error [unit],deviation_low [unit],deviation_high [unit],a,b,"
                           "seen:flag",
                           table));
  for (ptrdiff_t i = 0; i < a->n; i++) {
    const double *mean = r->mean_interval + 2 * i, *deviation = r->deviation_interval + 2 * i;
    MS_TRY(ms_result_table_add_row(s->ctx, *table, a->option[i].key, a->option[i].unit,
                                   ms_family_name(r->distribution[i].family), r->mean[i],
                                   r->mean_error[i], mean[0], mean[1], r->deviation[i],
                                   r->deviation_error[i], deviation[0], deviation[1],
                                   r->distribution[i].a, r->distribution[i].b, (double)r->seen[i]));
  }
  return MS_SUCCESS;
}

static ms_status add_specimens(ms_study *s, const ms_task *task, const ms_scatter_analysis *a) {
  const ms_scatter_result *r = &a->result.found;
  ms_result_table *own, *pairs;
  MS_TRY(ms_task_add_table(s, task, "_specimens", "specimen,parameter:word,value,standard_error",
                           &own));
  for (ptrdiff_t k = 0; k < a->n * r->n_specimen; k++) {
    MS_TRY(ms_result_table_add_row(s->ctx, own, a->used.tests->id[k / a->n],
                                   a->option[k % a->n].key, r->p[k], r->p_error[k]));
  }
  MS_TRY(ms_task_add_table(s, task, "_correlation",
                           "parameter:word,with:word,correlation,standard_errors", &pairs));
  for (ptrdiff_t i = 0; i < a->n; i++) {
    for (ptrdiff_t k = 0; k < i; k++) {
      MS_TRY(ms_result_table_add_row(s->ctx, pairs, a->option[i].key, a->option[k].key,
                                     r->correlation[i + a->n * k], r->dependence[i + a->n * k]));
    }
  }
  return MS_SUCCESS;
}

/* Of joints, then of what is measured on them. */
static ms_status add_bands(ms_study *s, const ms_task *task, const ms_scatter_analysis *a) {
  const ms_scatter_bands *const of[2] = { &a->result.joints, &a->result.measured };
  ms_result_table *table;
  double row[2 + 4 * L];
  MS_TRY(ms_task_add_table(s, task, "_bands",
                           "force [N],joints,stiffness_05 [N/m],stiffness_50 [N/m],"
                           "stiffness_95 [N/m],dissipation_05 [J],dissipation_50 [J],"
                           "dissipation_95 [J],measured_stiffness_05 [N/m],"
                           "measured_stiffness_50 [N/m],measured_stiffness_95 [N/m],"
                           "measured_dissipation_05 [J],measured_dissipation_50 [J],"
                           "measured_dissipation_95 [J]",
                           &table));
  for (ptrdiff_t i = 0; i < a->result.n_force; i++) {
    row[0] = a->result.force[i], row[1] = (double)a->result.joints.reach[i];
    for (int k = 0; k < 2; k++) {
      memcpy(row + 2 + 2 * L * k, of[k]->stiffness + L * i, L * sizeof *row);
      memcpy(row + 2 + 2 * L * k + L, of[k]->loss + L * i, L * sizeof *row);
    }
    MS_TRY(ms_result_table_add_numbers(s->ctx, table, row));
  }
  return MS_SUCCESS;
}

static ms_status add_repeated(ms_study *s, const ms_task *task, const ms_scatter_analysis *a,
                              ms_result_table **table) {
  const ptrdiff_t repetitions = ((const ms_scatter_options *)task->options)->repetitions;
  const ms_scatter_result *x = &a->result.found;
  if (!a->repeated) return MS_SUCCESS;
  MS_TRY(ms_task_add_table(s, task, "_repeated",
                           "parameter:word,of:word,simulated_with,repetitions,covered,mean_found,"
                           "scatter_found,standard_error",
                           table));
  for (ptrdiff_t k = 0; k < 2 * a->n; k++) {
    const ptrdiff_t i = k / 2;
    const int deviation = (int)(k % 2);
    const ms_scatter_repeated r =
        ms_scatter_judge_repeated(x, repetitions, a->repeated, i, deviation);
    MS_TRY(ms_result_table_add_row(
        s->ctx, *table, a->option[i].key, deviation ? "deviation" : "mean",
        deviation ? x->deviation[i] : x->mean[i], (double)r.done, (double)r.covered, r.mean,
        r.scatter, deviation ? x->deviation_error[i] : x->mean_error[i]));
  }
  return MS_SUCCESS;
}

/* ---- figures: what no table holds ---- */

/* The specimens' own values as a histogram, and the distribution. */
static ms_status draw_parameters(const ms_scatter_analysis *a, ms_figure *figure) {
  for (ptrdiff_t i = 0; i < a->n; i++) {
    const ms_panel panel = { a->option[i].key, "value", a->option[i].unit, "density", NULL, 0, 0 };
    ms_scatter_outline o;
    ms_scatter_draw_outline(&a->result.found, i, &o);
    const ms_series bars = {
      "fits of single specimens", o.bar_x, o.bar_y, o.n_bar, MS_SERIES_AREA, 0
    };
    const ms_series curve = { "distribution", o.x, o.density, MS_SCATTER_CURVE, MS_SERIES_LINE, 1 };
    MS_TRY(ms_figure_add_panel(figure, &panel));
    MS_TRY(ms_figure_add_series(figure, &bars));
    MS_TRY(ms_figure_add_series(figure, &curve));
  }
  return MS_SUCCESS;
}

static ms_status draw_tests(const ms_scatter_analysis *a, int loss, ms_figure *figure) {
  const ms_scatter_tests *const of[2] = { a->fresh.tests, a->used.tests };
  for (int k = 0; k < 2; k++) {
    const ms_series points = { .label = k ? "test points" : "validation points",
                               .x = of[k]->force,
                               .y = loss ? of[k]->loss : of[k]->stiffness,
                               .n = of[k]->n,
                               .style = MS_SERIES_POINTS,
                               .colour = k ? 0 : 2 };
    if (points.n > 0) MS_TRY(ms_figure_add_series(figure, &points));
  }
  return MS_SUCCESS;
}

static void show_figures(ms_study *s, const ms_scatter_analysis *a, ms_result *result) {
  static const ms_plot panel[2][2] = {
    { MS_PANEL("Stiffness", "force", "measured_stiffness_05", .y_to = "measured_stiffness_95",
               .y_label = "stiffness", .label = "5 to 95 %", .x_log = 1, .colour = 1),
      MS_OVER("force", "measured_stiffness_50", .label = "median", .colour = 1) },
    { MS_PANEL("Dissipation", "force", "measured_dissipation_05", .y_to = "measured_dissipation_95",
               .y_label = "energy per cycle", .label = "5 to 95 %", .x_log = 1, .y_log = 1,
               .colour = 1),
      MS_OVER("force", "measured_dissipation_50", .label = "median", .colour = 1) }
  };
  const ms_result_table *bands = ms_result_find_table(result, "_bands");
  ms_figure *figure = NULL;
  ms_status status = ms_figure_create(s->ctx, "Distributions of the parameters", NULL, &figure);
  if (!status) status = draw_parameters(a, figure);
  ms_result_fail_page(result, status);
  ms_result_take_figure(result,
                        "Bars: histogram of the values that fit each specimen alone; they scatter "
                        "because the joints differ and because each test has noise. Line: the "
                        "estimated distribution over the joints, without the noise, so it should "
                        "be as wide as the bars or narrower. A line that is wider, or beside them, "
                        "means that this family of distributions does not suit the parameter.",
                        &figure);
  status = ms_figure_create(s->ctx, "Tests and predicted bands", NULL, &figure);
  for (int k = 0; k < 2 && !status; k++) {
    status = ms_result_draw(s->ctx, figure, bands, 2, panel[k]);
    if (!status) status = draw_tests(a, k, figure);
  }
  ms_result_fail_page(result, status);
  ms_result_take_figure(
      result,
      "About 90 % of the points should lie within the band, noise included; many outside mean that "
      "the law or the family of the distributions is wrong.",
      &figure);
  ms_result_feature_figure(result, MS_HEAD_RANDOM);
}

/* ---- the result ---- */

static void set_rows(ms_result *r, const char *key, const ms_scatter_tests *tests,
                     const ptrdiff_t inside[2]) {
  if (tests->n == 0) return;
  ms_result_begin(r, key);
  ms_result_set_integer(r, "rows", tests->n);
  ms_result_set_integer(r, "stiffness_inside", inside[0]);
  ms_result_set_integer(r, "dissipation_inside", inside[1]);
  ms_result_end(r);
  ms_result_say(
      r,
      "Of the %td %s points (%td specimens), %.1f %% of the stiffnesses and %.1f %% of the "
      "dissipations lie within the 90 %% band.",
      tests->n, strcmp(key, "fresh") == 0 ? "validation" : "test", tests->n_specimen,
      100.0 * (double)inside[0] / (double)tests->n, 100.0 * (double)inside[1] / (double)tests->n);
}

/* How many intervals contain what they should, and whether that agrees with 95 %. */
static void show_repeated(ms_result *result, ms_result_table *t) {
  const double *done = ms_result_table_column(t, ms_result_table_find_column(t, "repetitions"));
  const double *covered = ms_result_table_column(t, ms_result_table_find_column(t, "covered"));
  const ptrdiff_t rows = ms_result_table_rows(t);
  ptrdiff_t few = 0, many = 0, low = 0, high = 0;
  ms_result_show_table(result, t,
                       "Identification repeated with synthetic tests of joints that are drawn from "
                       "the estimated distributions: how many of the 95 % intervals contain the "
                       "value that these tests were simulated with. That value is the estimate "
                       "above, not the unknown true one. Of: the mean or the standard deviation "
                       "(deviation) of the parameter");
  for (ptrdiff_t i = 0; i < rows; i++) {
    ms_scatter_expect_covered((ptrdiff_t)done[i], &low, &high);
    few += covered[i]<(double)low, many += covered[i]>(double) high;
  }
  if (rows == 0 || done[0] < 1.0) return;
  ms_scatter_expect_covered((ptrdiff_t)done[0], &low, &high);
  char verdict[200] = "All rows lie in this range: the intervals are as wide as they should be.";
  if (few + many > 0)
    snprintf(verdict, sizeof verdict,
             "%td of the %td rows lie below this range (intervals too narrow) and %td above it "
             "(too wide).",
             few, rows, many);
  ms_result_say(result,
                "With correct 95 %% intervals, %td to %td of %.0f repetitions should contain the "
                "true value (binomial distribution, 95 %% of all cases). %s",
                low, high, done[0], verdict);
}

/* Means and standard deviations, as ms_answer_parameter has them. */
static void answer(const ms_study *s, const ms_task *task, const ms_scatter_analysis *a) {
  const ms_scatter_result *r = &a->result.found;
  for (ptrdiff_t k = 0; k < 2 * a->n && k < 6; k++) {
    const ptrdiff_t i = k / 2;
    ms_parameter_place place = { ((const ms_scatter_options *)task->options)->joint, 0,
                                 a->parameter[i].param };
    const ms_joint_parameter p = {
      .key = a->option[i].key, .unit = a->option[i].unit, .place = &place, .n_place = 1
    };
    ms_answer_parameter(s, task->result,
                        (ms_answer) { .value = k % 2 ? r->deviation[i] : r->mean[i],
                                      .error = k % 2 ? r->deviation_error[i] : r->mean_error[i],
                                      .weight = MS_HEAD_RANDOM },
                        k % 2 ? "standard deviation of" : "mean", &p);
  }
}

ms_status ms_scatter_fill_result(ms_study *s, ms_task *task) {
  const ms_scatter_analysis *a = task->product;
  const ms_scatter_result *r = &a->result.found;
  const double *given = ((const ms_scatter_options *)task->options)->noise;
  ms_result *result = task->result;
  ms_result_table *table, *repeated = NULL;
  MS_TRY(add_parameters(s, task, a, &table));
  MS_TRY(add_specimens(s, task, a));
  MS_TRY(add_bands(s, task, a));
  MS_TRY(add_repeated(s, task, a, &repeated));
  ms_result_set_integer(result, "specimens", r->n_specimen);
  ms_result_list_rows(result, "parameters", table,
                      "name=parameter,family,mean,mean_error,mean_low,mean_high,deviation,"
                      "deviation_error,deviation_low,deviation_high,seen");
  ms_result_set_numbers(result, "noise", NULL, r->noise, 2);
  ms_result_set_number(result, "log_likelihood", NULL, r->log_likelihood);
  ms_result_set_number(result, "residual", NULL, r->residual);
  ms_result_set_integer(result, "steps", r->steps);
  ms_result_set_number(result, "effective_draws", NULL, r->effective);
  answer(s, task, a);
  ms_result_set_remarks(result, r->remarks);
  show_figures(s, a, result);
  ms_result_show_table(result, table,
                       "Distributions of the parameters, with standard errors and intervals of "
                       "95 % (SI units). a, b: the two parameters of the family. Seen: the "
                       "standard deviation differs significantly from zero");
  ms_result_say(result,
                "Relative standard deviations of the measurement%s: %.3g of stiffness, %.3g of "
                "dissipation.",
                given[0] > 0.0 ? "" : ", estimated", r->noise[0], r->noise[1]);
  set_rows(result, "bands", a->used.tests, a->result.inside);
  set_rows(result, "fresh", a->fresh.tests, a->result.fresh_inside);
  if (repeated) show_repeated(result, repeated);
  return MS_SUCCESS;
}
