/* The self-organising map of a search: every point that ever belonged to a generation, once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/som.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/calibrate.h"

#define TINY 1e-30 /* objectives below have no logarithm of interest */
enum { MOST_POINTS = 2000, FEWEST_POINTS = 16 };

struct ms_explored {
  double *row; /* objectives, parameters as they are searched */
  ptrdiff_t n, room, width;
  double *before; /* parameters of the last generation */
  ptrdiff_t n_before;
  ms_som *som;
  ptrdiff_t mapped; /* points that the map is of */
  double *plane;    /* nodes x width, in the units of the table */
};

void ms_explored_close(ms_study *s, ms_explored **explored) {
  ms_explored *x = *explored;
  if (!x) return;
  ms_som_destroy(&x->som);
  ms_free(s->ctx, &x->row);
  ms_free(s->ctx, &x->before);
  ms_free(s->ctx, &x->plane);
  ms_free(s->ctx, explored);
}

/* ---- points ---- */

/* What survives a generation was in it. */
static int is_known(const ms_explored *x, const double *p, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < x->n_before; i++) {
    if (memcmp(x->before + n * i, p, (size_t)n * sizeof *p) == 0) return 1;
  }
  return 0;
}

static ms_status add_row(ms_context *ctx, ms_explored *x, const double *f, ptrdiff_t n_f,
                         const double *p) {
  if (x->n == x->room) {
    x->room = 2 * x->room + 256;
    MS_TRY(ms_resize(ctx, x->room * x->width, sizeof *x->row, &x->row));
  }
  double *row = x->row + x->width * x->n++;
  memcpy(row, f, (size_t)n_f * sizeof *row);
  memcpy(row + n_f, p, (size_t)(x->width - n_f) * sizeof *row);
  return MS_SUCCESS;
}

ms_status ms_explored_add(ms_study *s, ms_calibrate *c, const ms_pareto_points *p) {
  if (!c->explored) {
    MS_TRY(ms_allocate(s->ctx, 1, sizeof *c->explored, &c->explored));
    c->explored->width = p->n_f + p->n_x;
    MS_TRY(ms_allocate(s->ctx, p->n * p->n_x, sizeof(double), &c->explored->before));
  }
  ms_explored *x = c->explored;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const double *at = p->x + p->n_x * i;
    if (p->v[i] > 0.0 || is_known(x, at, p->n_x)) continue;
    MS_TRY(add_row(s->ctx, x, p->f + p->n_f * i, p->n_f, at));
  }
  memcpy(x->before, p->x, (size_t)(p->n * p->n_x) * sizeof *x->before);
  x->n_before = p->n;
  return MS_SUCCESS;
}

/* ---- the map ---- */

/* Some points, evenly over the search; objectives by their logarithm. */
static void pick(const ms_calibrate *c, double *data) {
  const ms_explored *x = c->explored;
  for (ptrdiff_t k = 0; k < x->mapped; k++) {
    const double *row = x->row + x->width * (k * x->n / x->mapped);
    double *to = data + x->width * k;
    for (ptrdiff_t j = 0; j < x->width; j++) {
      to[j] = j < c->n_objective ? log(fmax(row[j], TINY)) : row[j];
    }
  }
}

static double as_in_table(const ms_calibrate *c, ptrdiff_t j, double value) {
  return j < c->n_objective ? exp(value) : ms_fit_unscaled(&c->bound[j - c->n_objective], value);
}

static ms_status train(ms_study *s, const ms_calibrate *c, double *data) {
  ms_explored *x = c->explored;
  pick(c, data);
  MS_TRY(ms_som_create(s->ctx, x->mapped, x->width, data, NULL, &x->som));
  const ms_som_map m = ms_som_get(x->som);
  const ptrdiff_t nodes = m.columns * m.rows;
  MS_TRY(ms_allocate(s->ctx, nodes * x->width, sizeof *x->plane, &x->plane));
  for (ptrdiff_t i = 0; i < nodes * x->width; i++) {
    x->plane[i] = as_in_table(c, i / nodes, m.plane[i]);
  }
  return MS_SUCCESS;
}

static ms_status tabulate(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  const ms_explored *x = c->explored;
  const ms_som_map m = ms_som_get(x->som);
  const ptrdiff_t nodes = m.columns * m.rows;
  double *row;
  ms_result_table *table;
  MS_TRY(ms_calibrate_front_table(s, task, c, "map", "column,row,points", &table));
  MS_TRY(ms_allocate(s->ctx, 3 + x->width, sizeof *row, &row));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < nodes && status == MS_SUCCESS; k++) {
    row[0] = (double)(k % m.columns + 1);
    row[1] = (double)(k / m.columns + 1);
    row[2] = (double)m.hits[k];
    for (ptrdiff_t j = 0; j < x->width; j++) row[3 + j] = x->plane[k + nodes * j];
    status = ms_result_table_add_numbers(s->ctx, table, row);
  }
  ms_free(s->ctx, &row);
  return status;
}

ms_status ms_explored_tabulate(ms_study *s, const ms_task *task, ms_calibrate *c) {
  ms_explored *x = c->explored;
  double *data;
  if (!x || x->n < FEWEST_POINTS) return MS_SUCCESS;
  x->mapped = x->n < MOST_POINTS ? x->n : MOST_POINTS;
  MS_TRY(ms_allocate(s->ctx, x->mapped * x->width, sizeof *data, &data));
  ms_status status = train(s, c, data);
  ms_free(s->ctx, &data);
  return status == MS_SUCCESS ? tabulate(s, task, c) : status;
}

/* ---- summary and report ---- */

/* How alike the planes of components a and b are: their correlation over the nodes. */
static double similarity(const ms_som_map *m, ptrdiff_t a, ptrdiff_t b) {
  const ptrdiff_t n = m->columns * m->rows;
  const double *p = m->plane + n * a, *q = m->plane + n * b;
  double mp = 0.0, mq = 0.0, pp = 0.0, qq = 0.0, pq = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) mp += p[k] / (double)n, mq += q[k] / (double)n;
  for (ptrdiff_t k = 0; k < n; k++) {
    pp += (p[k] - mp) * (p[k] - mp);
    qq += (q[k] - mq) * (q[k] - mq);
    pq += (p[k] - mp) * (q[k] - mq);
  }
  return pp * qq > 0.0 ? pq / sqrt(pp * qq) : 0.0;
}

void ms_explored_summarise(const ms_calibrate *c, ms_json *json) {
  if (!c->explored || !c->explored->som) return;
  const ms_som_map m = ms_som_get(c->explored->som);
  ms_json_begin_object(json, "map");
  ms_json_add_integer(json, "points", c->explored->mapped);
  ms_json_add_integer(json, "columns", m.columns);
  ms_json_add_integer(json, "rows", m.rows);
  ms_json_add_number(json, "quantisation_error", m.quantisation);
  ms_json_add_number(json, "topographic_error", m.topographic);
  if (c->n_objective > 1) ms_json_add_number(json, "objectives_alike", similarity(&m, 0, 1));
  ms_json_end(json);
}

static ms_status add_planes(const ms_study *s, const ms_calibrate *c, const ms_som_map *m,
                            ms_page *page) {
  const ms_explored *x = c->explored;
  const ptrdiff_t nodes = m->columns * m->rows;
  ms_hex_plane *plane;
  MS_TRY(ms_allocate(s->ctx, x->width, sizeof *plane, &plane));
  for (ptrdiff_t j = 0; j < x->width; j++) {
    const ptrdiff_t i = j - c->n_objective;
    plane[j] = (ms_hex_plane) { .name = i < 0 ? c->objective[j].name : c->parameter[i].key,
                                .unit = i < 0 ? NULL : ms_calibrate_unit(&c->parameter[i]),
                                .value = x->plane + nodes * j,
                                .log = i < 0 || c->bound[i].logarithmic };
  }
  const ms_hex_map map = { m->columns, m->rows, x->width, plane };
  ms_status status = ms_page_add_map(
      page,
      "Self-organising map of what the search has seen: every picture shows the same points laid "
      "out side by side, coloured by one objective or parameter. Those with one pattern go "
      "together.",
      &map);
  ms_free(s->ctx, &plane);
  return status;
}

ms_status ms_explored_report(const ms_study *s, const ms_calibrate *c, ms_page *page) {
  char text[400], alike[120] = "";
  if (!c->explored || !c->explored->som) return MS_SUCCESS;
  const ms_som_map m = ms_som_get(c->explored->som);
  if (c->n_objective > 1) {
    snprintf(alike, sizeof alike, " The pictures of %.30s and %.30s have a correlation of %.2f.",
             c->objective[0].name, c->objective[1].name, similarity(&m, 0, 1));
  }
  snprintf(text, sizeof text,
           "Map of %td points on %td x %td nodes: quantisation error %.2g standard deviations, "
           "topographic error %.2g.%s",
           c->explored->mapped, m.columns, m.rows, m.quantisation, m.topographic, alike);
  MS_TRY(ms_page_add_text(page, text));
  return add_planes(s, c, &m, page);
}
