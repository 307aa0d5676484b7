/* The front linked to its curves: some of its solutions with what the model makes of them, and the
   figure in which the reader points at one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"

enum {
  MOST_CHOICES = 60, /* solutions whose curves are kept */
  MOST_TARGETS = 4   /* that are shown beside the front */
};

/* One solution of the front. */
typedef struct choice {
  const double *row; /* of the front: objectives, parameters */
  const char *name;  /* NULL: none */
  ms_kept_view *view;
} choice;

struct ms_front_choices {
  choice *of;
  ptrdiff_t n, n_target;
};

void ms_choices_close(ms_study *s, ms_front_choices **choices) {
  ms_front_choices *x = *choices;
  if (!x) return;
  for (ptrdiff_t k = 0; x->of && k < x->n; k++) {
    for (ptrdiff_t i = 0; x->of[k].view && i < x->n_target; i++) {
      ms_view_free(s->ctx, &x->of[k].view[i]);
    }
    ms_free(s->ctx, &x->of[k].view);
  }
  ms_free(s->ctx, &x->of);
  ms_free(s->ctx, choices);
}

/* ---- at the run ---- */

static const char *find_name(const ms_calibrate *c, const double *p) {
  for (ptrdiff_t i = 0; i < c->n_solution; i++) {
    if (memcmp(c->solution[i].p, p, (size_t)c->n * sizeof *p) == 0) return c->solution[i].name;
  }
  return NULL;
}

static ms_status look_at(ms_study *s, const ms_calibrate *c, choice *one) {
  double *f;
  MS_TRY(ms_allocate(s->ctx, c->n_target, sizeof *one->view, &one->view));
  MS_TRY(ms_allocate(s->ctx, 2 * c->n_target, sizeof *f, &f));
  ms_status status = ms_evaluator_misfit(c->main, one->row + c->n_objective, f);
  ms_free(s->ctx, &f);
  for (ptrdiff_t k = 0; k < c->n_target && status == MS_SUCCESS; k++) {
    const ms_target_view view = ms_evaluator_view(c->main, k);
    status = ms_view_keep(s->ctx, &view, &one->view[k]);
  }
  return status;
}

/* Of many, an even choice and those that have names. */
static int is_taken(const ms_calibrate *c, ptrdiff_t i) {
  const double *p = c->front + (c->n_objective + c->n) * i + c->n_objective;
  const ptrdiff_t most = MOST_CHOICES - c->n_solution;
  return c->n_front <= MOST_CHOICES || find_name(c, p) ||
         (i * most) / c->n_front != ((i + 1) * most) / c->n_front;
}

ms_status ms_choices_gather(ms_study *s, ms_calibrate *c) {
  const ptrdiff_t width = c->n_objective + c->n;
  ms_front_choices *x;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *x, &x));
  c->choices = x;
  x->n_target = c->n_target;
  MS_TRY(ms_allocate(s->ctx, c->n_front, sizeof *x->of, &x->of));
  for (ptrdiff_t i = 0; i < c->n_front; i++) {
    if (!is_taken(c, i)) continue;
    choice *one = &x->of[x->n++];
    one->row = c->front + width * i;
    one->name = find_name(c, one->row + c->n_objective);
    MS_TRY(look_at(s, c, one));
  }
  return MS_SUCCESS;
}

/* ---- the figure ---- */

static int is_positive(const ms_calibrate *c, int objective) {
  for (ptrdiff_t k = 0; k < c->choices->n; k++) {
    if (!(c->choices->of[k].row[objective] > 0.0)) return 0;
  }
  return 1;
}

/* xy: room for two numbers of each. */
static ms_status add_front(const ms_calibrate *c, ms_figure *figure, double *xy) {
  const ptrdiff_t n = c->choices->n;
  const ms_panel panel = {
    "Front",           c->objective[0].name, NULL, c->objective[1].name, NULL,
    is_positive(c, 0), is_positive(c, 1)
  };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  for (ptrdiff_t k = 0; k < n; k++) {
    xy[k] = c->choices->of[k].row[0], xy[n + k] = c->choices->of[k].row[1];
  }
  const ms_series points = {
    .label = "front", .x = xy, .y = xy + n, .n = n, .style = MS_SERIES_POINTS, .colour = 0
  };
  MS_TRY(ms_figure_add_series(figure, &points));
  for (ptrdiff_t k = 0; k < c->n_solution && k < 3; k++) {
    const double f[2] = { ms_calibrate_weigh(c, &c->objective[0], c->solution[k].f),
                          ms_calibrate_weigh(c, &c->objective[1], c->solution[k].f) };
    const ms_series one = { .label = c->solution[k].name,
                            .x = &f[0],
                            .y = &f[1],
                            .n = 1,
                            .style = MS_SERIES_POINTS,
                            .colour = (int)k + 1 };
    MS_TRY(ms_figure_add_series(figure, &one));
  }
  return MS_SUCCESS;
}

/* What the page is given; everything that is allocated is in here. */
typedef struct page_choices {
  ms_choices is;
  ms_choice_curve *curve;
  ms_choice_bar *bar;
  const char **name;
  double *xy, **y, *value;
} page_choices;

static void free_page(ms_context *ctx, page_choices *x) {
  for (ptrdiff_t i = 0; x->y && i < x->is.n_curve; i++) ms_free(ctx, &x->y[i]);
  ms_free(ctx, &x->y);
  ms_free(ctx, &x->curve);
  ms_free(ctx, &x->bar);
  ms_free(ctx, &x->name);
  ms_free(ctx, &x->xy);
  ms_free(ctx, &x->value);
}

/* Quantity i of target k, of every choice. */
static ms_status add_curve(ms_context *ctx, const ms_calibrate *c, ptrdiff_t k, int i,
                           page_choices *x) {
  const ms_front_choices *from = c->choices;
  const ms_target_view *first = &from->of[0].view[k].is;
  double **y = &x->y[x->is.n_curve];
  MS_TRY(ms_allocate(ctx, first->n * from->n, sizeof **y, y));
  for (ptrdiff_t m = 0; m < from->n; m++) {
    memcpy(*y + first->n * m, from->of[m].view[k].is.model[i], (size_t)first->n * sizeof **y);
  }
  x->curve[x->is.n_curve] = (ms_choice_curve) { x->is.n_curve + 1, first->n, first->x, *y };
  x->is.n_curve++;
  return MS_SUCCESS;
}

static ms_status add_targets(ms_context *ctx, const ms_calibrate *c, ms_figure *figure,
                             page_choices *x) {
  const ptrdiff_t n = ms_calibrate_count_shown(c);
  MS_TRY(ms_allocate(ctx, 2 * n, sizeof *x->curve, &x->curve));
  MS_TRY(ms_allocate(ctx, 2 * n, sizeof *x->y, &x->y));
  for (ptrdiff_t k = 0; k < n; k++) {
    MS_TRY(ms_calibrate_add_panels(c, k, figure));
    for (int i = 0; i < 2 && c->target[k].kind->y[i]; i++) MS_TRY(add_curve(ctx, c, k, i, x));
  }
  return MS_SUCCESS;
}

static ms_status add_bars(ms_context *ctx, const ms_calibrate *c, page_choices *x) {
  const ptrdiff_t n = c->choices->n;
  MS_TRY(ms_allocate(ctx, c->n, sizeof *x->bar, &x->bar));
  MS_TRY(ms_allocate(ctx, c->n * n, sizeof *x->value, &x->value));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double *value = x->value + n * i;
    for (ptrdiff_t k = 0; k < n; k++) value[k] = c->choices->of[k].row[c->n_objective + i];
    x->bar[i] = (ms_choice_bar) { .name = c->parameter[i].key,
                                  .unit = ms_calibrate_unit(&c->parameter[i]),
                                  .low = c->bound[i].lower,
                                  .high = c->bound[i].upper,
                                  .log = c->bound[i].logarithmic,
                                  .value = value };
  }
  x->is.n_bar = c->n;
  return MS_SUCCESS;
}

static ms_status fill(ms_context *ctx, const ms_calibrate *c, ms_figure *figure, page_choices *x) {
  x->is.n = c->choices->n;
  MS_TRY(ms_allocate(ctx, 2 * x->is.n, sizeof *x->xy, &x->xy));
  MS_TRY(ms_allocate(ctx, x->is.n, sizeof *x->name, &x->name));
  for (ptrdiff_t k = 0; k < x->is.n; k++) {
    x->name[k] = c->choices->of[k].name;
    if (x->name[k] && strcmp(x->name[k], c->solution[0].name) == 0) x->is.first = k;
  }
  MS_TRY(add_front(c, figure, x->xy));
  MS_TRY(add_targets(ctx, c, figure, x));
  return add_bars(ctx, c, x);
}

ptrdiff_t ms_calibrate_count_shown(const ms_calibrate *c) {
  if (!c->choices || c->n_objective < 2) return 0;
  return c->n_target < MOST_TARGETS ? c->n_target : MOST_TARGETS;
}

ms_status ms_choices_report(const ms_study *s, const ms_calibrate *c, ms_page *page) {
  page_choices x = { .is = { .n = 0 } };
  char caption[160];
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, "Pareto front", NULL, &figure));
  ms_status status = fill(s->ctx, c, figure, &x);
  x.is.name = x.name;
  x.is.curve = x.curve;
  x.is.bar = x.bar;
  snprintf(
      caption, sizeof caption,
      "Point at a solution on the front to see its curves and parameters. %td of %td are here.",
      c->choices->n, c->n_front);
  if (status == MS_SUCCESS) status = ms_page_add_choices(page, caption, figure, &x.is);
  free_page(s->ctx, &x);
  ms_figure_destroy(&figure);
  return status;
}
