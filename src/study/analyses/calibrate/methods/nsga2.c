/* nsga2: the Pareto front of misfits such as those of frequency and damping; linked to its curves,
   a figure in which the reader points at a solution; and the map of what the search has seen. */
#include <stdio.h>
#include <string.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/shared/answers.h"

enum { MOST_CHOICES = 60 }; /* solutions whose curves are kept */
enum { MOST_TARGETS = 4 };  /* that are shown beside the front */
enum { MOST_ANSWERS = 4 };

typedef struct ms_calibrate_front {
  ms_objective *objective;
  ms_front found;
  ms_front_map map;
  ms_solution *choice; /* some of the front */
  ptrdiff_t n_choice;
} ms_calibrate_front;

static ms_status check(const ms_study *s, const ms_task *task) {
  const ms_calibrate_options *o = task->options;
  return ms_calibrate_check_even(s, task, "points", o->points);
}

static ms_status run(ms_study *s, const ms_task *task) {
  const ms_calibrate_options *o = task->options;
  ms_calibrate *c = task->product;
  const ms_calibration_plan plan = ms_calibrate_plan(s, task);
  ms_front_setting setting = MS_FRONT_DEFAULT;
  setting.points = o->points;
  setting.generations = o->generations;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c->front, &c->front));
  ms_calibrate_front *x = c->front;
  MS_TRY(ms_allocate(s->ctx, 2 * c->n_target, sizeof *x->objective, &x->objective));
  c->objective = x->objective;
  c->n_objective = ms_objectives_list(c->n_target, c->is, o->objectives, x->objective);
  MS_TRY(ms_plan_search(&plan, c->n_objective, x->objective, c->main, &setting, &x->found));
  if (!c->main) return MS_SUCCESS;
  c->made = x->found.made;
  MS_TRY(ms_allocate(s->ctx, c->n_objective + 1, sizeof *c->solution, &c->solution));
  MS_TRY(ms_front_solve(&x->found, x->objective, c->main, c->solution, &c->n_solution));
  MS_TRY(ms_allocate(s->ctx, x->found.n, sizeof *x->choice, &x->choice));
  MS_TRY(ms_front_choose(&x->found, MOST_CHOICES, c->n_solution, c->solution, c->main, x->choice,
                         &x->n_choice));
  return ms_front_map_make(s->ctx, &x->found, c->bound, &x->map);
}

static void close_front(ms_study *s, ms_calibrate *c) {
  ms_calibrate_front *x = c->front;
  if (!x) return;
  for (ptrdiff_t k = 0; k < x->n_choice; k++) ms_solution_free(s->ctx, &x->choice[k]);
  ms_free(s->ctx, &x->choice);
  ms_front_map_free(s->ctx, &x->map);
  ms_front_free(s->ctx, &x->found);
  ms_free(s->ctx, &x->objective);
  ms_free(s->ctx, &c->front);
}

/* ---- the front linked to curves ---- */

/* Points of the front, and on top of them the first solutions; xy: room for two numbers of each. */
static ms_status add_front(const ms_calibrate *c, ms_figure *figure, double *xy) {
  const ms_calibrate_front *x = c->front;
  const ptrdiff_t n = x->n_choice;
  int positive[2] = { 1, 1 };
  for (ptrdiff_t k = 0; k < 2 * n; k++) {
    xy[k] = ms_objective_weigh(&x->objective[k / n], c->n_target, c->is, x->choice[k % n].f);
    positive[k / n] &= xy[k] > 0.0;
  }
  const ms_panel panel = { "Front", x->objective[0].name, NULL,       x->objective[1].name,
                           NULL,    positive[0],          positive[1] };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  const ms_series points = { "front", xy, xy + n, n, MS_SERIES_POINTS, 0 };
  MS_TRY(ms_figure_add_series(figure, &points));
  for (ptrdiff_t k = 0; k < c->n_solution && k < 3; k++) {
    double f[2];
    for (int m = 0; m < 2; m++) {
      f[m] = ms_objective_weigh(&x->objective[m], c->n_target, c->is, c->solution[k].f);
    }
    const ms_series one = { c->solution[k].name, &f[0], &f[1], 1, MS_SERIES_POINTS, (int)k + 1 };
    MS_TRY(ms_figure_add_series(figure, &one));
  }
  return MS_SUCCESS;
}

/* The page's choices: numbers of each as bars, and each quantity of the first targets as curves.
   scratch: for all numbers of all choices. */
static ms_status add_choices(ms_task *task, ms_figure *figure, const char **name, double *scratch) {
  const ms_calibrate *c = task->product;
  const ms_calibrate_front *x = c->front;
  const ptrdiff_t n = x->n_choice;
  ms_choice_curve curve[2 * MOST_TARGETS];
  ms_choice_bar bar[MS_JOINT_PARAMETERS];
  ms_choices choices = { .n = n, .name = name, .curve = curve, .n_bar = c->n, .bar = bar };
  char caption[200];
  for (ptrdiff_t k = 0; k < n; k++) {
    name[k] = x->choice[k].name[0] ? x->choice[k].name : NULL;
    if (strcmp(x->choice[k].name, c->solution[0].name) == 0) choices.first = k;
  }
  for (ptrdiff_t i = 0; i < c->n; i++, scratch += n) {
    const ms_fit_parameter *b = &c->bound[i];
    for (ptrdiff_t k = 0; k < n; k++) scratch[k] = x->choice[k].p[i];
    bar[i] = (ms_choice_bar) { c->parameter[i].key,
                               ms_joint_parameter_unit(&c->parameter[i]),
                               b->lower,
                               b->upper,
                               b->logarithmic,
                               scratch };
  }
  MS_TRY(add_front(c, figure, scratch));
  scratch += 2 * n;
  for (ptrdiff_t j = 0; j < 2 * c->n_shown; j++) {
    const ms_target_view *v = &x->choice[0].view[j / 2];
    const ptrdiff_t at = choices.n_curve;
    if (j % 2 == 0) MS_TRY(ms_calibrate_add_panels(c, j / 2, figure));
    if (!v->model[j % 2]) continue;
    curve[at] = (ms_choice_curve) { at + 1, v->n, v->x, scratch };
    choices.n_curve++;
    for (ptrdiff_t m = 0; m < n; m++, scratch += v->n) {
      memcpy(scratch, x->choice[m].view[j / 2].model[j % 2], (size_t)v->n * sizeof *scratch);
    }
  }
  snprintf(
      caption, sizeof caption,
      "Point at a solution on the front to see its curves and parameters; towards the ends one "
      "objective is bought with the other. %td of %td are drawn.",
      n, x->found.n);
  return ms_page_add_choices(ms_result_get_page(task->result), caption, figure, &choices);
}

static ms_status show_choices(const ms_study *s, ms_task *task, const ms_calibrate *c) {
  const ptrdiff_t n = c->front->n_choice;
  const ptrdiff_t width = c->n + 2 + ms_solution_count(&c->solution[0], c->n_shown);
  const char **name = NULL;
  double *scratch = NULL;
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, "Pareto front", NULL, &figure));
  ms_status status = ms_allocate(s->ctx, n, sizeof *name, &name);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, width * n, sizeof *scratch, &scratch);
  if (status == MS_SUCCESS) status = add_choices(task, figure, name, scratch);
  ms_free(s->ctx, &name);
  ms_free(s->ctx, &scratch);
  ms_figure_destroy(&figure);
  return status;
}

static ms_status show_map(const ms_study *s, ms_task *task, const ms_calibrate *c) {
  const ms_calibrate_front *x = c->front;
  const ms_som_map m = ms_som_get(x->map.som);
  const ptrdiff_t nodes = m.columns * m.rows, width = c->n_objective + c->n;
  ms_hex_plane *plane;
  MS_TRY(ms_allocate(s->ctx, width, sizeof *plane, &plane));
  for (ptrdiff_t j = 0; j < width; j++) {
    const ptrdiff_t i = j - c->n_objective;
    plane[j] = (ms_hex_plane) { .name = i < 0 ? x->objective[j].name : c->parameter[i].key,
                                .unit = i < 0 ? NULL : ms_joint_parameter_unit(&c->parameter[i]),
                                .value = x->map.plane + nodes * j,
                                .log = i < 0 || c->bound[i].logarithmic };
  }
  const ms_hex_map map = { m.columns, m.rows, width, plane };
  ms_status status = ms_page_add_map(
      ms_result_get_page(task->result),
      "Self-organising map of the points of the search: each picture has the same points in the "
      "same places, coloured by one objective or parameter. Parameters whose pattern is that of an "
      "objective determine it; a parameter without a pattern does not matter.",
      &map);
  ms_free(s->ctx, &plane);
  return status;
}

/* ---- result ---- */

static ms_result_table *tabulate_parameters(ms_task *task, const ms_calibrate *c) {
  const ms_front *f = &c->front->found;
  ms_result_table *out = ms_result_new_table(
      task->result, "",
      "parameter:word,knee [unit],front_lowest [unit],front_highest [unit],unit:word,lower [unit],"
      "upper [unit]");
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double low, high;
    ms_front_find_range(f, i, &low, &high);
    ms_result_put_row(out, c->parameter[i].key, c->solution[0].p[i], low, high,
                      c->parameter[i].unit, c->bound[i].lower, c->bound[i].upper);
  }
  return out;
}

static ms_status tabulate_map(ms_study *s, ms_task *task, const ms_calibrate *c) {
  const ms_front_map *map = &c->front->map;
  const ptrdiff_t width = c->n_objective + c->n;
  double *row;
  if (!map->som) return MS_SUCCESS;
  const ms_som_map m = ms_som_get(map->som);
  const ptrdiff_t nodes = m.columns * m.rows;
  ms_result_table *table = ms_calibrate_new_table(task, "_map", "column,row,points");
  MS_TRY(ms_allocate(s->ctx, 3 + width, sizeof *row, &row));
  for (ptrdiff_t k = 0; k < nodes; k++) {
    row[0] = (double)(k % m.columns + 1);
    row[1] = (double)(k / m.columns + 1);
    row[2] = (double)m.hits[k];
    for (ptrdiff_t j = 0; j < width; j++) row[3 + j] = map->plane[k + nodes * j];
    ms_result_put_numbers(table, row);
  }
  ms_free(s->ctx, &row);
  ms_result_begin(task->result, "map");
  ms_result_set_values(task->result,
                       "points:count,columns:count,rows:count,quantisation_error,"
                       "topographic_error",
                       (double)map->points, (double)m.columns, (double)m.rows, m.quantisation,
                       m.topographic);
  if (c->n_objective > 1) {
    ms_result_set_number(task->result, "objectives_alike", NULL, map->alike);
  }
  ms_result_end(task->result);
  return MS_SUCCESS;
}

static ms_status result(ms_study *s, ms_task *task) {
  static const ms_plot progress =
      MS_PANEL(NULL, "generation", "hypervolume", .label = "hypervolume");
  const ms_calibrate_options *o = task->options;
  ms_calibrate *c = task->product;
  const ms_front *f = &c->front->found;
  ms_result *r = task->result;
  ms_result_table *table = tabulate_parameters(task, c);
  ms_result_table *front = ms_calibrate_new_table(task, "_front", "");
  for (ptrdiff_t k = 0; k < f->n; k++) {
    ms_result_put_numbers(front, f->row + (f->n_f + f->n_x) * k);
  }
  ms_result_table *volume =
      ms_result_new_table(task->result, "_generations", "generation,hypervolume");
  for (ptrdiff_t g = 0; g <= f->generations; g++) {
    ms_result_put_row(volume, (double)g, f->volume[g]);
  }
  ms_result_list_rows(r, "parameters", table, "parameter,knee");
  ms_result_begin_list(r, "objectives");
  for (ptrdiff_t m = 0; m < c->n_objective; m++) ms_result_set_text(r, NULL, c->objective[m].name);
  ms_result_end(r);
  ms_result_set_values(r,
                       "front:count,points:count,generations:count,evaluations:count,"
                       "hypervolume",
                       (double)f->n, (double)o->points, (double)f->generations,
                       (double)f->evaluations, f->volume[f->generations]);
  MS_TRY(tabulate_map(s, task, c));
  ptrdiff_t order[MS_JOINT_PARAMETERS];
  ms_calibrate_order(c, NULL, order);
  for (ptrdiff_t k = 0; k < c->n && k < MOST_ANSWERS; k++) {
    const ptrdiff_t i = order[k];
    ms_answer_parameter(s, r, (ms_answer) { .value = c->solution[0].p[i], .weight = MS_HEAD_FIT },
                        "at the knee:", &c->parameter[i]);
  }
  if (c->n_objective > 1) {
    c->n_shown = c->n_target < MOST_TARGETS ? c->n_target : MOST_TARGETS;
    ms_result_fail_page(r, show_choices(s, task, c));
    ms_result_feature_figure(r, MS_HEAD_FIT);
  }
  ms_result_show_table(r, table,
                       "Parameters at the knee of the Pareto front, and their range over the "
                       "front");
  if (c->front->map.som) ms_result_fail_page(r, show_map(s, task, c));
  ms_result_show_table(r, front, "Pareto front: objectives and parameters of every point");
  ms_result_plot(r, "Progress of the search",
                 "The search has converged where the curve is flat. If it still rises at the end, "
                 "take more generations.",
                 volume, 1, &progress);
  ms_result_say(r,
                "Objectives are mean squares of relative errors. The hypervolume is the part of "
                "the box below the worst point of the first generation that the front dominates.");
  return MS_SUCCESS;
}

/* The knee of a front has no Jacobian that could say more. */
static ms_status judge(ms_study *s, ms_task *task) {
  const ms_calibrate *c = task->product;
  char text[400];
  MS_TRY(ms_calibrate_judge_misfit(s, task));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const int at_bound = ms_fit_at_bound(&c->bound[i], c->solution[0].p[i]);
    if (ms_fit_bound_warning(&c->bound[i], at_bound, text, sizeof text))
      MS_TRY(ms_task_doubt(s, task, "%s", text));
  }
  return MS_SUCCESS;
}

const ms_calibrate_method ms_calibrate_nsga2 = {
  .name = "nsga2",
  .keys = "points|generations",
  .check = check,
  .run = run,
  .result = result,
  .judge = judge,
  .close = close_front,
};
