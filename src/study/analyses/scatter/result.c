/* What scatter ends in. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/scatter/scatter.h"
#include "study/analyses/shared/answers.h"

enum { L = MS_SCATTER_LEVELS };

/* ---- tables ---- */

static ms_result_table *add_parameters(const ms_task *task, const ms_scatter_analysis *a) {
  const ms_scatter_result *r = &a->result.found;
  ms_result_table *table =
      ms_result_new_table(task->result, "",
                          "parameter:word,unit:word,family:word,mean [unit],mean_error [unit],"
                          "mean_low [unit],mean_high [unit],deviation [unit],"
                          "deviation_error [unit],deviation_low [unit],deviation_high [unit],a,b,"
                          "seen:flag");
  for (ptrdiff_t i = 0; i < a->n; i++) {
    const double *mean = r->mean_interval + 2 * i, *deviation = r->deviation_interval + 2 * i;
    ms_result_put_row(table, a->option[i].key, a->option[i].is.unit,
                      ms_family_name(r->distribution[i].family), r->mean[i], r->mean_error[i],
                      mean[0], mean[1], r->deviation[i], r->deviation_error[i], deviation[0],
                      deviation[1], r->distribution[i].a, r->distribution[i].b, (double)r->seen[i]);
  }
  return table;
}

static void add_specimens(const ms_task *task, const ms_scatter_analysis *a) {
  const ms_scatter_result *r = &a->result.found;
  ms_result_table *own = ms_result_new_table(task->result, "_specimens",
                                             "specimen,parameter:word,value,standard_error");
  for (ptrdiff_t k = 0; k < a->n * r->n_specimen; k++) {
    const double *id = a->used.tests->id;
    ms_result_put_row(own, id ? id[k / a->n] : (double)(k / a->n + 1), a->option[k % a->n].key,
                      r->p[k], r->p_error[k]);
  }
  ms_result_table *pairs = ms_result_new_table(
      task->result, "_correlation", "parameter:word,with:word,correlation,standard_errors");
  for (ptrdiff_t i = 0; i < a->n; i++) {
    for (ptrdiff_t k = 0; k < i; k++) {
      ms_result_put_row(pairs, a->option[i].key, a->option[k].key, r->correlation[i + a->n * k],
                        r->dependence[i + a->n * k]);
    }
  }
}

/* Of joints, then of what is measured on them. */
static void add_bands(const ms_task *task, const ms_scatter_analysis *a) {
  const ms_scatter_bands *const of[2] = { &a->result.joints, &a->result.measured };
  double row[2 + 4 * L];
  ms_result_table *table =
      ms_result_new_table(task->result, "_bands",
                          "force [N],joints,stiffness_05 [N/m],stiffness_50 [N/m],"
                          "stiffness_95 [N/m],dissipation_05 [J],dissipation_50 [J],"
                          "dissipation_95 [J],measured_stiffness_05 [N/m],"
                          "measured_stiffness_50 [N/m],measured_stiffness_95 [N/m],"
                          "measured_dissipation_05 [J],measured_dissipation_50 [J],"
                          "measured_dissipation_95 [J]");
  for (ptrdiff_t i = 0; i < a->result.n_force; i++) {
    row[0] = a->result.force[i], row[1] = (double)a->result.joints.reach[i];
    for (int k = 0; k < 2; k++) {
      memcpy(row + 2 + 2 * L * k, of[k]->stiffness + L * i, L * sizeof *row);
      memcpy(row + 2 + 2 * L * k + L, of[k]->loss + L * i, L * sizeof *row);
    }
    ms_result_put_numbers(table, row);
  }
}

static ms_result_table *add_repeated(const ms_task *task, const ms_scatter_analysis *a) {
  const ptrdiff_t repetitions = ((const ms_scatter_options *)task->options)->repetitions;
  const ms_scatter_result *x = &a->result.found;
  if (!a->repeated) return NULL;
  ms_result_table *table =
      ms_result_new_table(task->result, "_repeated",
                          "parameter:word,of:word,simulated_with,repetitions,covered,mean_found,"
                          "scatter_found,standard_error");
  for (ptrdiff_t k = 0; k < 2 * a->n; k++) {
    const ptrdiff_t i = k / 2;
    const int deviation = (int)(k % 2);
    const ms_scatter_repeated r =
        ms_scatter_judge_repeated(x, repetitions, a->repeated, i, deviation);
    ms_result_put_row(table, a->option[i].key, deviation ? "deviation" : "mean",
                      deviation ? x->deviation[i] : x->mean[i], (double)r.done, (double)r.covered,
                      r.mean, r.scatter, deviation ? x->deviation_error[i] : x->mean_error[i]);
  }
  return table;
}

/* ---- figures: what no table holds ---- */

/* The specimens' own values as a histogram, and the distribution. */
static ms_status draw_parameters(const ms_scatter_analysis *a, ms_figure *figure) {
  for (ptrdiff_t i = 0; i < a->n; i++) {
    const ms_panel panel = {
      a->option[i].key, "value", a->option[i].is.unit, "density", NULL, 0, 0
    };
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
  if (!bands) {
    ms_result_feature_figure(result, MS_HEAD_RANDOM);
    return;
  }
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
  ms_result_set_values(r, "rows:count,stiffness_inside:count,dissipation_inside:count",
                       (double)tests->n, (double)inside[0], (double)inside[1]);
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
  char text[400];
  ms_result_show_table(result, t,
                       "Identification repeated with synthetic tests of joints that are drawn from "
                       "the estimated distributions: how many of the 95 % intervals contain the "
                       "value that these tests were simulated with. That value is the estimate "
                       "above, not the unknown true one. Of: the mean or the standard deviation "
                       "(deviation) of the parameter");
  if (ms_scatter_coverage_note(ms_result_table_rows(t),
                               ms_result_table_find_numbers(t, "repetitions"),
                               ms_result_table_find_numbers(t, "covered"), text, sizeof text))
    ms_result_say(result, "%s", text);
}

/* Means and standard deviations, as ms_answer_parameter has them. */
static void answer(const ms_study *s, const ms_task *task, const ms_scatter_analysis *a) {
  const ms_scatter_result *r = &a->result.found;
  for (ptrdiff_t k = 0; k < 2 * a->n && k < 6; k++) {
    const ptrdiff_t i = k / 2;
    ms_answer_parameter(s, task->result,
                        (ms_answer) { .value = k % 2 ? r->deviation[i] : r->mean[i],
                                      .error = k % 2 ? r->deviation_error[i] : r->mean_error[i],
                                      .weight = MS_HEAD_RANDOM },
                        k % 2 ? "standard deviation of" : "mean", &a->option[i].is);
  }
}

ms_status ms_scatter_fill_result(ms_study *s, ms_task *task) {
  const ms_scatter_analysis *a = task->product;
  const ms_scatter_result *r = &a->result.found;
  const ms_scatter_options *o = task->options;
  ms_result *result = task->result;
  ms_result_table *table = add_parameters(task, a);
  add_specimens(task, a);
  if (o->assemblies.n == 0) add_bands(task, a);
  ms_result_table *repeated = add_repeated(task, a);
  ms_result_set_integer(result, "specimens", r->n_specimen);
  ms_result_list_rows(result, "parameters", table,
                      "name=parameter,family,mean,mean_error,mean_low,mean_high,deviation,"
                      "deviation_error,deviation_low,deviation_high,seen");
  ms_result_set_values(result, "residual,steps:count", r->residual, (double)r->steps);
  answer(s, task, a);
  ms_result_set_remarks(result, r->remarks);
  show_figures(s, a, result);
  ms_result_show_table(result, table,
                       "Distributions of the parameters, with standard errors and intervals of "
                       "95 % (SI units). a, b: the two parameters of the family. Seen: the "
                       "standard deviation differs significantly from zero");
  if (o->assemblies.n > 0) return MS_SUCCESS;
  ms_result_set_numbers(result, "noise", NULL, r->noise, 2);
  ms_result_set_number(result, "log_likelihood", NULL, r->log_likelihood);
  ms_result_set_number(result, "effective_draws", NULL, r->effective);
  ms_result_say(result,
                "Relative standard deviations of the measurement%s: %.3g of stiffness, %.3g of "
                "dissipation.",
                o->noise[0] > 0.0 ? "" : ", estimated", r->noise[0], r->noise[1]);
  set_rows(result, "bands", a->used.tests, a->result.inside);
  set_rows(result, "fresh", a->fresh.tests, a->result.fresh_inside);
  if (repeated) show_repeated(result, repeated);
  return MS_SUCCESS;
}
