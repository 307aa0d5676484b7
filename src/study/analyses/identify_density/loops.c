/* Loops that another method has found, beside those of the identified density under constant load:
   the amplitude up to which both agree (docs/theory/density.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/analyses/identify_density/identify_density.h"

enum { LAPS = 3 }; /* the second is steady, for what obeys Masing's rules */

/* ---- options ---- */

ms_status ms_pairs_read(const ms_study *s, const ms_task *task, struct fy_node *loops,
                        ms_pairs *out) {
  static const char *const kinds[] = { "hysteresis", "force_state" };
  if (!loops) return MS_SUCCESS;
  MS_TRY(ms_study_find_task(s, task, loops, NULL, &out->from));
  for (int i = 0; i < 2; i++) {
    if (strcmp(out->from->kind->name, kinds[i]) == 0) return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, loops, MS_ERR_NAME,
                      "%s is a %s; loops are those of a hysteresis or force_state", out->from->name,
                      out->from->kind->name);
}

/* ---- loops ---- */

/* Room for one loop: n points over LAPS laps. */
typedef struct walk {
  ptrdiff_t n;
  double *u, *f, *predicted;
} walk;

static double mean_of(ptrdiff_t n, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) sum += x[i] / (double)n;
  return sum;
}

/* Area of a closed polygon. */
static double area_of(ptrdiff_t n, const double *u, const double *f) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const ptrdiff_t next = (i + 1) % n;
    sum += 0.5 * (f[i] + f[next]) * (u[next] - u[i]);
  }
  return sum;
}

/* The element along the displacement, lap after lap; the last stays, without its mean. */
static ms_status follow(ms_joint *joint, walk *w) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  const double mean = mean_of(w->n, w->u);
  MS_TRY(ms_joint_start(joint, NULL));
  for (ptrdiff_t i = 0; i < LAPS * w->n; i++) {
    in.u[0] = w->u[i % w->n] - mean;
    MS_TRY(ms_joint_step(joint, &in, &out));
    w->predicted[i % w->n] = out.force[0];
  }
  const double middle = mean_of(w->n, w->predicted), other = mean_of(w->n, w->f);
  for (ptrdiff_t i = 0; i < w->n; i++) {
    w->u[i] -= mean, w->predicted[i] -= middle, w->f[i] -= other;
  }
  return MS_SUCCESS;
}

static void measure(const walk *w, ms_paired *out) {
  double low = HUGE_VAL, high = -HUGE_VAL, sum = 0.0;
  for (ptrdiff_t i = 0; i < w->n; i++) {
    const double d = w->predicted[i] - w->f[i];
    low = fmin(low, w->u[i]), high = fmax(high, w->u[i]);
    out->force = fmax(out->force, fabs(w->f[i]));
    sum += d * d / (double)w->n;
  }
  out->amplitude = 0.5 * (high - low);
  out->difference = out->force > 0.0 ? sqrt(sum) / out->force : 0.0;
  out->loss = fabs(area_of(w->n, w->u, w->f));
  out->predicted = fabs(area_of(w->n, w->u, w->predicted));
}

/* ---- the table of the other method ---- */

/* The last point is the first, to a thousandth of the way between neighbours there. */
static int is_closed(ptrdiff_t n, const double *u) {
  return fabs(u[n - 1] - u[0]) <= 1e-3 * fabs(u[1] - u[0]);
}

/* Rows of one source stand together; a loop that ends where it began loses its last point, which
   would count twice. */
static ptrdiff_t read_loop(const ms_result_table *from, ptrdiff_t first, walk *w) {
  const double *u = ms_result_table_column(from, ms_result_table_find_column(from, "displacement"));
  const double *f = ms_result_table_column(from, ms_result_table_find_column(from, "force"));
  const int source = ms_result_table_find_column(from, "source");
  const char *name = ms_result_table_word(from, source, first);
  ptrdiff_t end = first;
  while (end < ms_result_table_rows(from) &&
         strcmp(ms_result_table_word(from, source, end), name) == 0)
    end++;
  w->n = end - first;
  if (w->n > 1 && is_closed(w->n, u + first)) w->n--;
  memcpy(w->u, u + first, (size_t)w->n * sizeof *u);
  memcpy(w->f, f + first, (size_t)w->n * sizeof *f);
  return end;
}

/* Closed: the first point stands at the end, too. */
static ms_status add_loop(ms_study *s, ms_pairs *q, const walk *w, ms_paired *pair) {
  pair->first = ms_result_table_rows(q->loops);
  pair->rows = w->n + 1;
  for (ptrdiff_t k = 0; k <= w->n; k++) {
    const ptrdiff_t i = k % w->n;
    MS_TRY(
        ms_result_table_add_row(s->ctx, q->loops, pair->source, w->u[i], w->f[i], w->predicted[i]));
  }
  return MS_SUCCESS;
}

static ms_status walk_all(ms_study *s, const ms_result_table *from, ms_joint *joint, ms_pairs *q,
                          walk *w) {
  const int source = ms_result_table_find_column(from, "source");
  for (ptrdiff_t first = 0, end; first < ms_result_table_rows(from); first = end) {
    ms_paired pair = { .source = ms_result_table_word(from, source, first) };
    end = read_loop(from, first, w);
    MS_TRY(follow(joint, w));
    measure(w, &pair);
    MS_TRY(add_loop(s, q, w, &pair));
    MS_TRY(ms_resize(s->ctx, q->n + 1, sizeof *q->pair, &q->pair));
    q->pair[q->n++] = pair;
  }
  return MS_SUCCESS;
}

/* ---- the run ---- */

static int by_amplitude(const void *a, const void *b) {
  const ms_paired *x = a, *y = b;
  return (x->amplitude > y->amplitude) - (x->amplitude < y->amplitude);
}

static ms_status tabulate(ms_study *s, ms_pairs *q) {
  int agree = 1;
  qsort(q->pair, (size_t)q->n, sizeof *q->pair, by_amplitude);
  for (ptrdiff_t i = 0; i < q->n; i++) {
    const ms_paired *x = &q->pair[i];
    agree = agree && x->difference <= q->tolerance;
    if (agree) q->trusted = x->amplitude;
    MS_TRY(ms_result_table_add_row(s->ctx, q->levels, x->source, x->amplitude, x->force,
                                   x->difference, x->loss, x->predicted, (double)agree));
  }
  return MS_SUCCESS;
}

static ms_status create_tables(ms_study *s, const ms_task *task, ms_pairs *q) {
  char name[96];
  snprintf(name, sizeof name, "%.80s_loops", task->name);
  MS_TRY(ms_result_table_create(s, name, "source:word,displacement [m],force [N],predicted [N]",
                                &q->loops));
  snprintf(name, sizeof name, "%.80s_levels", task->name);
  return ms_result_table_create(
      s, name,
      "source:word,amplitude [m],force [N],difference,loss [J],predicted [J],"
      "trusted",
      &q->levels);
}

static ms_status make_joint(ms_context *ctx, const ms_density_table *t, ms_joint **out) {
  const double *const column[] = { t->phi, t->rho, t->S };
  MS_TRY(ms_joint_create(ctx, "iwan_table", out));
  MS_TRY(ms_joint_set_table(*out, "density", t->n, 3, column));
  MS_TRY(ms_joint_set(*out, "K_inf", t->K_inf));
  return ms_joint_setup(*out);
}

ms_status ms_pairs_run(ms_study *s, const ms_task *task, ms_identified *p) {
  ms_pairs *q = &p->pairs;
  ms_joint *joint = NULL;
  walk w = { .n = 0 };
  if (!q->from) return MS_SUCCESS;
  const ms_result_table *from = ms_result_table_find(s, q->from, "_loops");
  const ptrdiff_t room = from ? ms_result_table_rows(from) : 0;
  if (room == 0) return ms_fail(s->ctx, MS_ERR_STATE, "%s has no loops", q->from->name);
  MS_TRY(create_tables(s, task, q));
  MS_TRY(ms_allocate(s->ctx, 3 * room, sizeof *w.u, &w.u));
  w.f = w.u + room;
  w.predicted = w.u + 2 * room;
  ms_status status = make_joint(s->ctx, &p->table, &joint);
  if (status == MS_SUCCESS) status = walk_all(s, from, joint, q, &w);
  if (status == MS_SUCCESS) status = tabulate(s, q);
  ms_joint_destroy(&joint);
  ms_free(s->ctx, &w.u);
  return status;
}

/* ---- what it says ---- */

void ms_pairs_summarise(const ms_identified *p, ms_json *json) {
  const ms_pairs *q = &p->pairs;
  if (!q->from) return;
  ms_json_begin_object(json, "loops");
  ms_json_add_text(json, "from", q->from->name);
  ms_json_add_number(json, "tolerance", q->tolerance);
  ms_json_add_number(json, "trusted_amplitude", q->trusted);
  if (p->K_T > 0.0) ms_json_add_number(json, "trusted_force", p->K_T * q->trusted);
  ms_json_begin_array(json, "levels");
  for (ptrdiff_t i = 0; i < q->n; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "source", q->pair[i].source);
    ms_json_add_number(json, "amplitude", q->pair[i].amplitude);
    ms_json_add_number(json, "difference", q->pair[i].difference);
    ms_json_end(json);
  }
  ms_json_end(json);
  ms_json_end(json);
}

static ms_status draw(const ms_identified *p, ms_figure *figure) {
  const ms_pairs *q = &p->pairs;
  const ms_panel panel = { NULL, "displacement", "m", "force", "N", 0, 0 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  for (ptrdiff_t i = 0; i < q->n; i++) {
    const ms_paired *x = &q->pair[i];
    const double *u = ms_result_table_column(q->loops, 1) + x->first;
    const ms_series series[] = {
      { x->source, u, ms_result_table_column(q->loops, 2) + x->first, x->rows, MS_SERIES_LINE,
        (int)(i % MS_PALETTE_SIZE) },
      { NULL, u, ms_result_table_column(q->loops, 3) + x->first, x->rows, MS_SERIES_DASHED, -1 },
    };
    for (int k = 0; k < 2; k++) MS_TRY(ms_figure_add_series(figure, &series[k]));
  }
  return MS_SUCCESS;
}

static ms_status describe(const ms_identified *p, ms_page *page) {
  const ms_pairs *q = &p->pairs;
  char text[300];
  int n = snprintf(text, sizeof text, "Loops of %.60s and of the density agree to %g of the force ",
                   q->from->name, q->tolerance);
  if (q->trusted == 0.0) {
    snprintf(text + n, sizeof text - (size_t)n, "at no amplitude.");
  } else if (p->K_T > 0.0) {
    snprintf(text + n, sizeof text - (size_t)n, "up to an amplitude of %.4g m: f* = %.4g N.",
             q->trusted, p->K_T * q->trusted);
  } else {
    snprintf(text + n, sizeof text - (size_t)n, "up to an amplitude of %.4g m.", q->trusted);
  }
  return ms_page_add_text(page, text);
}

ms_status ms_pairs_report(const ms_study *s, const ms_identified *p, ms_page *page) {
  ms_figure *figure;
  if (!p->pairs.from) return MS_SUCCESS;
  MS_TRY(describe(p, page));
  MS_TRY(ms_figure_create(s->ctx, "Loops by two methods", NULL, &figure));
  ms_status status = draw(p, figure);
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(
        page, "As they were found; dashed, of the density under constant load.", figure);
  }
  ms_figure_destroy(&figure);
  if (status != MS_SUCCESS) return status;
  return ms_result_table_add_to_page(s->ctx, p->pairs.levels, "Loops, and how far they are apart",
                                     page);
}
