/* Self-organising map, batch training. In scaled components, with b_i the node nearest to point i
   and s(k, l) the distance of two nodes on the grid,

     m_k = sum_i h(k, b_i) x_i / sum_i h(k, b_i),    h(k, l) = exp(-s(k, l)^2 / (2 sigma^2)).

   Points enter through the sums over each node, S_l and n_l: m_k = sum_l h S_l / sum_l h n_l. */
#include <math.h>
#include <string.h>

#include <lapacke.h>

#include <microslip/som.h>

#include "core/internal.h"

struct ms_som {
  ms_context *ctx;
  ms_som_tolerances tol;
  ptrdiff_t n, d, columns, rows, nodes;
  double *mean, *scale; /* d; scale is 0 of what does not vary */
  double *x;            /* d x n, scaled */
  double *m;            /* d x nodes, scaled */
  double *place, *plane;
  double *sum;   /* d x nodes, of the points of each node */
  double *axis;  /* d x d, then eigenvectors of the covariance */
  double *value; /* d eigenvalues, rising; room for one node once the grid is laid */
  ptrdiff_t *hits, *node;
  double quantisation, at_start, topographic, moved;
};

void ms_som_destroy(ms_som **som) {
  if (!som || !*som) return;
  ms_som *s = *som;
  ms_context *ctx = s->ctx;
  ms_free(ctx, &s->mean);
  ms_free(ctx, &s->x);
  ms_free(ctx, &s->m);
  ms_free(ctx, &s->place);
  ms_free(ctx, &s->plane);
  ms_free(ctx, &s->sum);
  ms_free(ctx, &s->axis);
  ms_free(ctx, &s->hits);
  ms_free(ctx, &s->node);
  ms_free(ctx, som);
}

/* ---- points ---- */

static ms_status check(ms_context *ctx, ptrdiff_t n, ptrdiff_t d, const double *x) {
  if (n < 3 || d < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a map of %td points with %td components; three points are the least", n, d);
  }
  for (ptrdiff_t i = 0; i < n * d; i++) {
    if (isfinite(x[i])) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC, "component %td of point %td is %g", i % d + 1, i / d + 1,
                   x[i]);
  }
  return MS_SUCCESS;
}

/* Means are taken from the first point: what does not vary is zero exactly. */
static void scale_component(ms_som *s, ptrdiff_t j, const double *x) {
  const double n = (double)s->n, origin = x[j];
  double mean = 0.0, V = 0.0;
  for (ptrdiff_t i = 0; i < s->n; i++) mean += (x[j + s->d * i] - origin) / n;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double a = x[j + s->d * i] - origin - mean;
    V += a * a / n;
  }
  s->mean[j] = origin + mean;
  s->scale[j] = sqrt(V);
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double a = x[j + s->d * i] - origin - mean;
    s->x[j + s->d * i] = V > 0.0 ? a / s->scale[j] : 0.0;
  }
}

/* ---- the grid, in the plane of the two main directions ---- */

static ms_status find_axes(ms_som *s) {
  const ptrdiff_t d = s->d;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    const double *x = s->x + d * i;
    for (ptrdiff_t a = 0; a < d; a++) {
      for (ptrdiff_t b = 0; b < d; b++) s->axis[a + d * b] += x[a] * x[b] / (double)s->n;
    }
  }
  lapack_int info =
      LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', (lapack_int)d, s->axis, (lapack_int)d, s->value);
  if (info != 0) return ms_fail(s->ctx, MS_ERR_NUMERIC, "the points have no main directions");
  if (!(s->value[d - 1] > 0.0)) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "all %td points are the same", s->n);
  }
  return MS_SUCCESS;
}

/* The root of the spread along the main direction (0) or the second one (1). */
static double spread(const ms_som *s, int which) {
  const double first = sqrt(s->value[s->d - 1]);
  if (which == 0) return first;
  return s->d < 2 ? s->tol.thin * first
                  : fmax(sqrt(fmax(s->value[s->d - 2], 0.0)), s->tol.thin * first);
}

static void choose_sides(ms_som *s, const ms_som_setting *set) {
  double nodes = fmax(fmin(5.0 * sqrt((double)s->n), (double)set->most), 4.0);
  double ratio = fmin(spread(s, 0) / spread(s, 1), s->tol.sides);
  s->rows = set->rows > 0 ? set->rows : (ptrdiff_t)fmax(floor(sqrt(nodes / ratio) + 0.5), 2.0);
  s->columns =
      set->columns > 0 ? set->columns : (ptrdiff_t)fmax(floor(nodes / (double)s->rows + 0.5), 2.0);
  s->nodes = s->rows * s->columns;
}

/* The eigenvector with its largest entry positive; none of one component. */
static double along(const ms_som *s, int which, ptrdiff_t j) {
  if (which >= s->d) return 0.0;
  const double *v = s->axis + s->d * (s->d - 1 - which);
  ptrdiff_t most = 0;
  for (ptrdiff_t i = 1; i < s->d; i++) most = fabs(v[i]) > fabs(v[most]) ? i : most;
  return v[most] < 0.0 ? -v[j] : v[j];
}

static double centred(double at, double length) {
  return length > 0.0 ? 2.0 * at / length - 1.0 : 0.0;
}

/* From -1 to 1 root of the spread, times sqrt(3), which is how far an even spread reaches. */
static void lay_grid(ms_som *s) {
  const double wide = (double)(s->columns - 1) + (s->rows > 1 ? 0.5 : 0.0);
  const double high = sqrt(0.75) * (double)(s->rows - 1);
  for (ptrdiff_t k = 0; k < s->nodes; k++) {
    const ptrdiff_t c = k % s->columns, r = k / s->columns;
    double *p = s->place + 2 * k;
    p[0] = (double)c + (r % 2 ? 0.5 : 0.0);
    p[1] = sqrt(0.75) * (double)r;
    const double u = sqrt(3.0) * spread(s, 0) * centred(p[0], wide),
                 v = sqrt(3.0) * spread(s, 1) * centred(p[1], high);
    for (ptrdiff_t j = 0; j < s->d; j++)
      s->m[j + s->d * k] = u * along(s, 0, j) + v * along(s, 1, j);
  }
}

/* ---- training ---- */

static double distance(const double *a, const double *b, ptrdiff_t d) {
  double sum = 0.0;
  for (ptrdiff_t j = 0; j < d; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/* The nearest node and the one after it; of equal ones the first. */
static double find_nearest(const ms_som *s, ptrdiff_t i, ptrdiff_t *first, ptrdiff_t *second) {
  double least = HUGE_VAL, next = HUGE_VAL;
  *first = *second = 0;
  for (ptrdiff_t k = 0; k < s->nodes; k++) {
    double a = distance(s->x + s->d * i, s->m + s->d * k, s->d);
    if (a < least) {
      next = least, *second = *first;
      least = a, *first = k;
    } else if (a < next) {
      next = a, *second = k;
    }
  }
  return sqrt(least);
}

/* Points to nodes; returns the mean distance. */
static double assign(ms_som *s) {
  ptrdiff_t second;
  double sum = 0.0;
  memset(s->hits, 0, (size_t)s->nodes * sizeof *s->hits);
  memset(s->sum, 0, (size_t)(s->d * s->nodes) * sizeof *s->sum);
  for (ptrdiff_t i = 0; i < s->n; i++) {
    sum += find_nearest(s, i, &s->node[i], &second);
    double *S = s->sum + s->d * s->node[i];
    s->hits[s->node[i]]++;
    for (ptrdiff_t j = 0; j < s->d; j++) S[j] += s->x[j + s->d * i];
  }
  return sum / (double)s->n;
}

/* Node k to the mean of the points around it; returns its largest step. m is room for d. */
static double move(ms_som *s, ptrdiff_t k, double sigma, double *m) {
  double weight = 0.0, step = 0.0;
  memset(m, 0, (size_t)s->d * sizeof *m);
  for (ptrdiff_t l = 0; l < s->nodes; l++) {
    if (s->hits[l] == 0) continue;
    double h = exp(-0.5 * distance(s->place + 2 * k, s->place + 2 * l, 2) / (sigma * sigma));
    weight += h * (double)s->hits[l];
    for (ptrdiff_t j = 0; j < s->d; j++) m[j] += h * s->sum[j + s->d * l];
  }
  if (!(weight > 0.0)) return 0.0; /* all points are too far away to be felt */
  for (ptrdiff_t j = 0; j < s->d; j++) {
    step = fmax(step, fabs(m[j] / weight - s->m[j + s->d * k]));
    s->m[j + s->d * k] = m[j] / weight;
  }
  return step;
}

static void train(ms_som *s, const ms_som_setting *set) {
  const double longer = (double)(s->columns > s->rows ? s->columns : s->rows);
  const double first = set->first > 0.0 ? set->first : fmax(0.25 * longer, set->last);
  s->at_start = assign(s);
  for (ptrdiff_t round = 0; round < set->rounds; round++) {
    const double part = set->rounds > 1 ? (double)round / (double)(set->rounds - 1) : 1.0;
    const double sigma = first * pow(set->last / first, part);
    s->moved = 0.0;
    for (ptrdiff_t k = 0; k < s->nodes; k++) s->moved = fmax(s->moved, move(s, k, sigma, s->value));
    s->quantisation = assign(s);
  }
}

/* ---- the result ---- */

static void finish(ms_som *s) {
  ptrdiff_t first, second, torn = 0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    find_nearest(s, i, &first, &second);
    torn += distance(s->place + 2 * first, s->place + 2 * second, 2) > 1.1;
  }
  s->topographic = (double)torn / (double)s->n;
  for (ptrdiff_t k = 0; k < s->nodes; k++) {
    for (ptrdiff_t j = 0; j < s->d; j++) {
      s->plane[k + s->nodes * j] = s->mean[j] + s->scale[j] * s->m[j + s->d * k];
    }
  }
}

static ms_status allocate_points(ms_som *s) {
  const ptrdiff_t d = s->d;
  MS_TRY(ms_allocate(s->ctx, 3 * d, sizeof *s->mean, &s->mean));
  s->scale = s->mean + d;
  s->value = s->mean + 2 * d;
  MS_TRY(ms_allocate(s->ctx, d * s->n, sizeof *s->x, &s->x));
  MS_TRY(ms_allocate(s->ctx, d * d, sizeof *s->axis, &s->axis));
  return ms_allocate(s->ctx, s->n, sizeof *s->node, &s->node);
}

static ms_status allocate_nodes(ms_som *s) {
  MS_TRY(ms_allocate(s->ctx, s->d * s->nodes, sizeof *s->m, &s->m));
  MS_TRY(ms_allocate(s->ctx, s->d * s->nodes, sizeof *s->sum, &s->sum));
  MS_TRY(ms_allocate(s->ctx, s->d * s->nodes, sizeof *s->plane, &s->plane));
  MS_TRY(ms_allocate(s->ctx, 2 * s->nodes, sizeof *s->place, &s->place));
  return ms_allocate(s->ctx, s->nodes, sizeof *s->hits, &s->hits);
}

static ms_status make(ms_som *s, const double *x, const ms_som_setting *set) {
  MS_TRY(allocate_points(s));
  for (ptrdiff_t j = 0; j < s->d; j++) scale_component(s, j, x);
  MS_TRY(find_axes(s));
  choose_sides(s, set);
  MS_TRY(allocate_nodes(s));
  lay_grid(s);
  train(s, set);
  finish(s);
  return MS_SUCCESS;
}

void ms_som_default(ms_som_setting *setting, size_t size) {
  ms_settings_fill(&(ms_som_setting)MS_SOM_DEFAULT, setting, size);
}

static ms_status check_setting(ms_context *ctx, const ms_som_setting *set) {
  const ms_som_tolerances *tol = &set->tol;
  MS_SOM_TOLERANCES(MS_TOLERANCE_CHECK)
  if (set->columns >= 0 && set->rows >= 0 && set->most >= 4 && set->rounds >= 1 &&
      set->first >= 0.0 && set->last > 0.0 && tol->thin <= 1.0 && tol->sides >= 1.0) {
    return MS_SUCCESS;
  }
  return ms_fail(
      ctx, MS_ERR_ARGUMENT,
      "a map needs sides >= 0, room for 4 nodes, a round and a last radius above 0; tol.thin "
      "is at most 1, tol.sides at least 1");
}

ms_status ms_som_create(ms_context *ctx, ptrdiff_t n, ptrdiff_t d, const double *x,
                        const ms_som_setting *setting, ms_som **out) {
  ms_som_setting own = MS_SOM_DEFAULT;
  MS_MAKE(ctx, out, x);
  MS_TAKE(ctx, ms_som_default, setting, own);
  MS_TRY(check(ctx, n, d, x));
  MS_TRY(check_setting(ctx, setting));
  ms_som *s;
  MS_TRY(ms_allocate(ctx, 1, sizeof *s, &s));
  s->ctx = ctx;
  s->n = n;
  s->d = d;
  s->tol = setting->tol;
  ms_status status = make(s, x, setting);
  if (status != MS_SUCCESS) {
    ms_som_destroy(&s);
    return status;
  }
  *out = s;
  return MS_SUCCESS;
}

ms_som_map ms_som_get(const ms_som *s) {
  return (ms_som_map) { .columns = s->columns,
                        .rows = s->rows,
                        .d = s->d,
                        .place = s->place,
                        .plane = s->plane,
                        .hits = s->hits,
                        .node = s->node,
                        .quantisation = s->quantisation,
                        .at_start = s->at_start,
                        .topographic = s->topographic,
                        .moved = s->moved };
}
