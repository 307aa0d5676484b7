/* The front linked to its curves, a figure in which the reader points at a solution; and the map of
   what the search has seen. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"

enum { MOST_TARGETS = 4 }; /* that are shown beside the front */

ptrdiff_t ms_calibrate_count_shown(const ms_calibrate *c) {
  if (c->front.n_objective < 2) return 0;
  return c->n_target < MOST_TARGETS ? c->n_target : MOST_TARGETS;
}

static double objective_of(const ms_calibrate *c, int m, const ms_solution *x) {
  return ms_objective_weigh(&c->front.objective[m], c->n_target, c->is, x->f);
}

/* Points of the front, and on top of them the first solutions; xy: room for two numbers of each. */
static ms_status add_front(const ms_calibrate *c, ms_figure *figure, double *xy) {
  const ms_calibrate_front *x = &c->front;
  int positive[2] = { 1, 1 };
  for (ptrdiff_t k = 0; k < 2 * x->n_choice; k++) {
    const int m = (int)(k / x->n_choice);
    xy[k] = objective_of(c, m, &x->choice[k % x->n_choice]);
    positive[m] &= xy[k] > 0.0;
  }
  const ms_panel panel = { "Front", x->objective[0].name, NULL,       x->objective[1].name,
                           NULL,    positive[0],          positive[1] };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  const ms_series points = { "front", xy, xy + x->n_choice, x->n_choice, MS_SERIES_POINTS, 0 };
  MS_TRY(ms_figure_add_series(figure, &points));
  for (ptrdiff_t k = 0; k < c->n_solution && k < 3; k++) {
    const double f[2] = { objective_of(c, 0, &c->solution[k]),
                          objective_of(c, 1, &c->solution[k]) };
    const ms_series one = { c->solution[k].name, &f[0], &f[1], 1, MS_SERIES_POINTS, (int)k + 1 };
    MS_TRY(ms_figure_add_series(figure, &one));
  }
  return MS_SUCCESS;
}

/* What the page is given; everything that is allocated is in here. */
typedef struct page_choices {
  ms_choices is;
  ms_choice_curve curve[2 * MOST_TARGETS];
  ms_choice_bar *bar;
  const char **name;
  double *xy, *value, *y[2 * MOST_TARGETS];
} page_choices;

/* Each quantity of target k, of every choice. */
static ms_status add_curves(const ms_study *s, const ms_calibrate *c, ptrdiff_t k,
                            page_choices *x) {
  const ms_target_view *first = &c->front.choice[0].view[k];
  for (int i = 0; i < 2 && first->model[i]; i++) {
    const ptrdiff_t at = x->is.n_curve++;
    MS_TRY(ms_allocate(s->ctx, first->n * x->is.n, sizeof *x->y[at], &x->y[at]));
    for (ptrdiff_t m = 0; m < x->is.n; m++) {
      memcpy(x->y[at] + first->n * m, c->front.choice[m].view[k].model[i],
             (size_t)first->n * sizeof *x->y[at]);
    }
    x->curve[at] = (ms_choice_curve) { at + 1, first->n, first->x, x->y[at] };
  }
  return MS_SUCCESS;
}

static ms_status fill(const ms_study *s, const ms_calibrate *c, ms_figure *figure,
                      page_choices *x) {
  const ptrdiff_t n = c->front.n_choice;
  x->is.n = n;
  x->is.n_bar = c->n;
  MS_TRY(ms_allocate(s->ctx, 2 * n, sizeof *x->xy, &x->xy));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *x->name, &x->name));
  MS_TRY(ms_allocate(s->ctx, c->n, sizeof *x->bar, &x->bar));
  MS_TRY(ms_allocate(s->ctx, c->n * n, sizeof *x->value, &x->value));
  for (ptrdiff_t k = 0; k < n; k++) {
    const char *name = c->front.choice[k].name;
    x->name[k] = name[0] ? name : NULL;
    if (strcmp(name, c->solution[0].name) == 0) x->is.first = k;
    for (ptrdiff_t i = 0; i < c->n; i++) x->value[k + n * i] = c->front.choice[k].p[i];
  }
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_fit_parameter *b = &c->bound[i];
    x->bar[i] = (ms_choice_bar) { c->parameter[i].key,
                                  ms_joint_parameter_unit(&c->parameter[i]),
                                  b->lower,
                                  b->upper,
                                  b->logarithmic,
                                  x->value + n * i };
  }
  MS_TRY(add_front(c, figure, x->xy));
  for (ptrdiff_t k = 0; k < ms_calibrate_count_shown(c); k++) {
    MS_TRY(ms_calibrate_add_panels(s, c, k, figure));
    MS_TRY(add_curves(s, c, k, x));
  }
  x->is.name = x->name;
  x->is.curve = x->curve;
  x->is.bar = x->bar;
  return MS_SUCCESS;
}

static ms_status show_choices(const ms_study *s, ms_task *task, const ms_calibrate *c) {
  page_choices x = { .is = { .n = 0 } };
  char caption[160];
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, "Pareto front", NULL, &figure));
  ms_status status = fill(s, c, figure, &x);
  snprintf(
      caption, sizeof caption,
      "Point at a solution on the front to see its curves and parameters. %td of %td are here.",
      c->front.n_choice, c->front.found.n);
  if (status == MS_SUCCESS) {
    status = ms_page_add_choices(ms_result_get_page(task->result), caption, figure, &x.is);
  }
  for (int i = 0; i < 2 * MOST_TARGETS; i++) ms_free(s->ctx, &x.y[i]);
  ms_free(s->ctx, &x.bar);
  ms_free(s->ctx, &x.name);
  ms_free(s->ctx, &x.xy);
  ms_free(s->ctx, &x.value);
  ms_figure_destroy(&figure);
  return status;
}

static ms_status show_map(const ms_study *s, ms_task *task, const ms_calibrate *c) {
  const ms_calibrate_front *x = &c->front;
  const ms_som_map m = ms_som_get(x->map.som);
  const ptrdiff_t nodes = m.columns * m.rows, width = x->n_objective + c->n;
  ms_hex_plane *plane;
  MS_TRY(ms_allocate(s->ctx, width, sizeof *plane, &plane));
  for (ptrdiff_t j = 0; j < width; j++) {
    const ptrdiff_t i = j - x->n_objective;
    plane[j] = (ms_hex_plane) { .name = i < 0 ? x->objective[j].name : c->parameter[i].key,
                                .unit = i < 0 ? NULL : ms_joint_parameter_unit(&c->parameter[i]),
                                .value = x->map.plane + nodes * j,
                                .log = i < 0 || c->bound[i].logarithmic };
  }
  const ms_hex_map map = { m.columns, m.rows, width, plane };
  ms_status status = ms_page_add_map(
      ms_result_get_page(task->result),
      "Self-organising map of what the search has seen: every picture shows the same points laid "
      "out side by side, coloured by one objective or parameter. Those with one pattern go "
      "together.",
      &map);
  ms_free(s->ctx, &plane);
  return status;
}

ms_status ms_calibrate_show_front(ms_study *s, ms_task *task, const ms_calibrate *c) {
  ms_result *r = task->result;
  if (c->front.n_objective > 1) ms_result_fail_page(r, show_choices(s, task, c));
  if (c->front.map.som) ms_result_fail_page(r, show_map(s, task, c));
  return MS_SUCCESS;
}
