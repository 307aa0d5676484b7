/* nsga2: the Pareto front of misfits such as those of frequency and damping. */
#include <math.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/calibrate.h"

enum { MOST_CHOICES = 60 }; /* solutions whose curves are kept */

#define AT_BOUND 1e-4 /* of the bounds' range, as for a local fit */

static ms_status run(ms_study *s, const ms_task *task, ms_calibrate *c) {
  ms_calibrate_front *x = &c->front;
  const ms_calibration_plan plan = ms_calibrate_plan(s, task, c);
  ms_front_setting setting = MS_FRONT_DEFAULT;
  setting.points = x->points;
  setting.generations = x->generations;
  MS_TRY(ms_allocate(s->ctx, 2 * c->n_target, sizeof *x->objective, &x->objective));
  x->n_objective = ms_objectives_list(c->n_target, c->is, x->each, x->objective);
  MS_TRY(ms_plan_search(&plan, x->n_objective, x->objective, c->main, &setting, &x->found));
  if (!c->main) return MS_SUCCESS;
  c->made = x->found.made;
  MS_TRY(ms_allocate(s->ctx, x->n_objective + 1, sizeof *c->solution, &c->solution));
  MS_TRY(ms_front_solve(&x->found, x->objective, c->main, c->solution, &c->n_solution));
  MS_TRY(ms_allocate(s->ctx, x->found.n, sizeof *x->choice, &x->choice));
  MS_TRY(ms_front_choose(&x->found, MOST_CHOICES, c->n_solution, c->solution, c->main, x->choice,
                         &x->n_choice));
  return ms_front_map_make(s->ctx, &x->found, c->bound, &x->map);
}

static void close_front(ms_study *s, ms_calibrate *c) {
  ms_calibrate_front *x = &c->front;
  for (ptrdiff_t k = 0; k < x->n_choice; k++) ms_solution_free(s->ctx, &x->choice[k]);
  ms_free(s->ctx, &x->choice);
  ms_front_map_free(s->ctx, &x->map);
  ms_front_free(s->ctx, &x->found);
  ms_free(s->ctx, &x->objective);
}

/* ---- result ---- */

static ms_status tabulate_parameters(ms_study *s, ms_task *task, const ms_calibrate *c,
                                     ms_result_table **out) {
  const ms_front *f = &c->front.found;
  MS_TRY(ms_task_add_table(
      s, task, "", "parameter:word,knee,front_lowest,front_highest,unit:word,lower,upper", out));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (ptrdiff_t k = 0; k < f->n; k++) {
      const double p = f->row[f->n_f + i + (f->n_f + f->n_x) * k];
      low = fmin(low, p), high = fmax(high, p);
    }
    MS_TRY(ms_result_table_add_row(s->ctx, *out, c->parameter[i].key, c->solution[0].p[i], low,
                                   high, c->parameter[i].unit, c->bound[i].lower,
                                   c->bound[i].upper));
  }
  return MS_SUCCESS;
}

static ms_status tabulate_map(ms_study *s, ms_task *task, const ms_calibrate *c) {
  const ms_front_map *map = &c->front.map;
  const ptrdiff_t width = c->front.n_objective + c->n;
  ms_result_table *table;
  double *row;
  if (!map->som) return MS_SUCCESS;
  const ms_som_map m = ms_som_get(map->som);
  const ptrdiff_t nodes = m.columns * m.rows;
  MS_TRY(ms_calibrate_add_table(s, task, c, "_map", "column,row,points", &table));
  MS_TRY(ms_allocate(s->ctx, 3 + width, sizeof *row, &row));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < nodes && status == MS_SUCCESS; k++) {
    row[0] = (double)(k % m.columns + 1);
    row[1] = (double)(k / m.columns + 1);
    row[2] = (double)m.hits[k];
    for (ptrdiff_t j = 0; j < width; j++) row[3 + j] = map->plane[k + nodes * j];
    status = ms_result_table_add_numbers(s->ctx, table, row);
  }
  ms_free(s->ctx, &row);
  ms_result_begin(task->result, "map");
  ms_result_set_integer(task->result, "points", map->points);
  ms_result_set_integer(task->result, "columns", m.columns);
  ms_result_set_integer(task->result, "rows", m.rows);
  ms_result_set_number(task->result, "quantisation_error", NULL, m.quantisation);
  ms_result_set_number(task->result, "topographic_error", NULL, m.topographic);
  if (c->front.n_objective > 1) {
    ms_result_set_number(task->result, "objectives_alike", NULL, map->alike);
  }
  ms_result_end(task->result);
  return status;
}

static ms_status result(ms_study *s, ms_task *task, ms_calibrate *c) {
  static const ms_plot progress = { .x = "generation", .y = "hypervolume", .label = "hypervolume" };
  const ms_calibrate_front *x = &c->front;
  const ms_front *f = &x->found;
  ms_result *r = task->result;
  ms_result_table *table, *front, *volume;
  MS_TRY(tabulate_parameters(s, task, c, &table));
  MS_TRY(ms_calibrate_add_table(s, task, c, "_front", "", &front));
  for (ptrdiff_t k = 0; k < f->n; k++) {
    MS_TRY(ms_result_table_add_numbers(s->ctx, front, f->row + (f->n_f + f->n_x) * k));
  }
  MS_TRY(ms_task_add_table(s, task, "_generations", "generation,hypervolume", &volume));
  for (ptrdiff_t g = 0; g <= f->generations; g++) {
    MS_TRY(ms_result_table_add_row(s->ctx, volume, (double)g, f->volume[g]));
  }
  ms_result_list_rows(r, "parameters", table, "parameter,knee");
  ms_result_begin_list(r, "objectives");
  for (ptrdiff_t m = 0; m < x->n_objective; m++) ms_result_set_text(r, NULL, x->objective[m].name);
  ms_result_end(r);
  ms_result_set_integer(r, "front", f->n);
  ms_result_set_integer(r, "points", x->points);
  ms_result_set_integer(r, "generations", f->generations);
  ms_result_set_integer(r, "evaluations", f->evaluations);
  ms_result_set_number(r, "hypervolume", NULL, f->volume[f->generations]);
  MS_TRY(tabulate_map(s, task, c));
  ms_result_say(r,
                "Objectives are mean squares of relative errors. The hypervolume is what the "
                "front dominates of the box below the worst of the first generation.");
  MS_TRY(ms_calibrate_show_front(s, task, c));
  ms_result_show_table(r, table,
                       "Parameters at the knee of the front, and their range over the front");
  ms_result_show_table(r, front, "The front");
  ms_result_plot(r, "Progress", NULL, volume, 1, &progress);
  return MS_SUCCESS;
}

/* The knee of a front has no Jacobian that could say more. */
static ms_status judge(ms_study *s, ms_task *task, const ms_calibrate *c) {
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_fit_parameter *b = &c->bound[i];
    const double t = ms_fit_scaled(b, c->solution[0].p[i]);
    if (t > AT_BOUND && t < 1.0 - AT_BOUND) continue;
    MS_TRY(ms_task_doubt(s, task, "%s ended at its %s bound, %g", b->name,
                         t < 0.5 ? "lower" : "upper", t < 0.5 ? b->lower : b->upper));
  }
  return MS_SUCCESS;
}

const ms_calibrate_method ms_calibrate_nsga2 = {
  .name = "nsga2",
  .run = run,
  .result = result,
  .judge = judge,
  .close = close_front,
};
