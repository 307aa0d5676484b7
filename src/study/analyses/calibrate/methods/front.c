/* What nsga2 says: the front, its parameters, how the search went. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/calibrate/calibrate.h"

/* ---- tables ---- */

static ms_status tabulate_parameters(ms_study *s, const ms_task *task, ms_calibrate *c) {
  const ptrdiff_t width = c->n_objective + c->n;
  MS_TRY(ms_result_table_create(
      s, task->name, "parameter:word,knee,front_lowest,front_highest,unit:word,lower,upper",
      &c->table));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (ptrdiff_t k = 0; k < c->n_front; k++) {
      low = fmin(low, c->front[c->n_objective + i + width * k]);
      high = fmax(high, c->front[c->n_objective + i + width * k]);
    }
    MS_TRY(ms_result_table_add_row(s->ctx, c->table, c->parameter[i].key, c->solution[0].p[i], low,
                                   high, c->parameter[i].unit, c->bound[i].lower,
                                   c->bound[i].upper));
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_front_table(ms_study *s, const ms_task *task, const ms_calibrate *c,
                                   const char *ending, const char *before, ms_result_table **out) {
  char name[96];
  snprintf(name, sizeof name, "%.80s_%.12s", task->name, ending);
  MS_TRY(ms_result_table_create(s, name, before, out));
  for (ptrdiff_t m = 0; m < c->n_objective; m++) {
    MS_TRY(ms_result_table_add_column(s->ctx, *out, c->objective[m].name, NULL,
                                      "objective: mean square of the relative differences"));
  }
  return ms_calibrate_add_parameters(s, c, *out);
}

static ms_status tabulate_front(ms_study *s, const ms_task *task, ms_calibrate *c) {
  const ptrdiff_t width = c->n_objective + c->n;
  MS_TRY(ms_calibrate_front_table(s, task, c, "front", "", &c->front_table));
  for (ptrdiff_t k = 0; k < c->n_front; k++) {
    MS_TRY(ms_result_table_add_numbers(s->ctx, c->front_table, c->front + width * k));
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_tabulate_front(ms_study *s, const ms_task *task, ms_calibrate *c) {
  char name[96];
  MS_TRY(tabulate_parameters(s, task, c));
  MS_TRY(tabulate_front(s, task, c));
  snprintf(name, sizeof name, "%.80s_generations", task->name);
  MS_TRY(ms_result_table_create(s, name, "generation,hypervolume", &c->volume_table));
  for (ptrdiff_t g = 0; g <= c->generations; g++) {
    MS_TRY(ms_result_table_add_row(s->ctx, c->volume_table, (double)g, c->volume[g]));
  }
  return ms_explored_tabulate(s, task, c);
}

/* ---- summary and report ---- */

void ms_calibrate_summarise_front(const ms_calibrate *c, ms_json *json) {
  ms_json_begin_array(json, "parameters");
  for (ptrdiff_t i = 0; i < c->n; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "name", c->parameter[i].key);
    ms_json_add_number(json, "value", c->solution[0].p[i]);
    ms_json_end(json);
  }
  ms_json_end(json);
  ms_json_begin_array(json, "objectives");
  for (ptrdiff_t m = 0; m < c->n_objective; m++) ms_json_add_text(json, NULL, c->objective[m].name);
  ms_json_end(json);
  ms_json_add_integer(json, "front", c->n_front);
  ms_json_add_integer(json, "generations", c->generations);
  ms_json_add_integer(json, "evaluations", c->evaluations);
  ms_json_add_number(json, "hypervolume", c->volume[c->generations]);
  ms_explored_summarise(c, json);
}

static ms_status report_progress(const ms_study *s, const ms_calibrate *c, ms_page *page) {
  const ms_panel panel = { NULL, "generation", NULL, "hypervolume", NULL, 0, 0 };
  const ms_series line = { .label = "hypervolume",
                           .x = ms_result_table_column(c->volume_table, 0),
                           .y = ms_result_table_column(c->volume_table, 1),
                           .n = ms_result_table_rows(c->volume_table),
                           .style = MS_SERIES_LINE,
                           .colour = 0 };
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, "Progress", NULL, &figure));
  ms_status status = ms_figure_add_panel(figure, &panel);
  if (status == MS_SUCCESS) status = ms_figure_add_series(figure, &line);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}

ms_status ms_calibrate_report_front(const ms_study *s, const ms_calibrate *c, ms_page *page) {
  char text[400];
  snprintf(text, sizeof text,
           "%td points over %td generations, %td evaluations; %td of the points are on the front. "
           "Objectives are mean squares of relative errors. The hypervolume is what the front "
           "dominates of the box below the worst of the first generation.",
           c->points, c->generations, c->evaluations, c->n_front);
  MS_TRY(ms_page_add_text(page, text));
  if (c->n_objective > 1) MS_TRY(ms_choices_report(s, c, page));
  MS_TRY(ms_result_table_add_to_page(
      s->ctx, c->table, "Parameters at the knee of the front, and their range over the front",
      page));
  MS_TRY(ms_result_table_add_to_page(s->ctx, c->front_table, "The front", page));
  MS_TRY(ms_explored_report(s, c, page));
  return report_progress(s, c, page);
}
