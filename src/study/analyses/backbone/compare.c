/* How far the methods of a backbone differ: each against the reference, over the amplitudes that
   both have, the reference interpolated in the logarithm of q. Of a curve that folds the first
   passage of an amplitude counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "study/analyses/backbone/backbone.h"

enum { OMEGA, ZETA, JOINT, N_QUANTITY };

static double get(const ms_backbone_point *p, int quantity) {
  const double value[N_QUANTITY] = {
    [OMEGA] = p->omega, [ZETA] = p->zeta, [JOINT] = p->zeta_joint
  };
  return value[quantity];
}

/* Between points a and b, logarithmic where that has a meaning. */
static double between(double a, double b, double part) {
  if (a > 0.0 && b > 0.0) return exp(log(a) + part * log(b / a));
  return a + part * (b - a);
}

/* Amplitudes that are the same but for rounding are so. */
#define SLACK 1e-12
/* Joint parts below this, of the total, are what rounding leaves of nothing. */
#define LEAST_JOINT 1e-6

/* The first piece of the curve that rises through q: from point i to i + 1; -1 if there is none. */
static ptrdiff_t find_piece(const ms_backbone_curve *c, double q) {
  for (ptrdiff_t i = 0; i + 1 < c->n; i++) {
    double low = c->point[i].q, high = c->point[i + 1].q;
    if (high <= low * (1.0 + SLACK)) continue;
    if (q >= low * (1.0 - SLACK) && q <= high * (1.0 + SLACK)) return i;
  }
  return -1;
}

static double interpolate(const ms_backbone_curve *c, ptrdiff_t i, double q, int quantity) {
  const ms_backbone_point *low = &c->point[i], *high = low + 1;
  return between(get(low, quantity), get(high, quantity), log(q / low->q) / log(high->q / low->q));
}

/* Where the reference can be asked for point i of c, as find_piece; -1 also for an amplitude that c
   has had before. */
static ptrdiff_t match(const ms_backbone_curve *c, ptrdiff_t i, double *highest,
                       const ms_backbone_curve *reference) {
  double q = c->point[i].q;
  if (i > 0 && q <= *highest * (1.0 + SLACK)) return -1;
  *highest = q;
  return find_piece(reference, q);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct difference {
  ptrdiff_t n;
  double median, worst; /* of signed values; the one of largest size */
} difference;

static difference reduce(ptrdiff_t n, double *x) {
  difference d = { .n = n };
  if (n == 0) return d;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (fabs(x[i]) > fabs(d.worst)) d.worst = x[i];
  }
  qsort(x, (size_t)n, sizeof *x, by_value);
  d.median = n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
  return d;
}

/* Whether there is anything that the quantity can be compared with. */
static int is_there(const ms_backbone_curve *c, ptrdiff_t piece, double q, int quantity) {
  double r = interpolate(c, piece, q, quantity);
  return r > (quantity == JOINT ? LEAST_JOINT * interpolate(c, piece, q, ZETA) : 0.0);
}

/* Relative to the reference, at the points of c; room for them in x. */
static difference differ(const ms_backbone_curve *c, const ms_backbone_curve *reference,
                         int quantity, double *x) {
  ptrdiff_t n = 0;
  double highest = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double q = c->point[i].q;
    ptrdiff_t piece = match(c, i, &highest, reference);
    if (piece < 0 || !is_there(reference, piece, q, quantity)) continue;
    x[n++] = get(&c->point[i], quantity) / interpolate(reference, piece, q, quantity) - 1.0;
  }
  return reduce(n, x);
}

/* What is compared: see ms_backbone_sees. */
static const char *describe(const ms_backbone_method *a, const ms_backbone_method *reference) {
  static const char *const text[2][2] = { { "sum with sum", "sum with total" },
                                          { "total with sum", "total with total" } };
  return text[a->sees == MS_BACKBONE_TOTAL][reference->sees == MS_BACKBONE_TOTAL];
}

static ms_status add_row(ms_study *s, ms_backbone *b, const ms_backbone_curve *c,
                         const ms_backbone_curve *reference, double *x) {
  difference d[N_QUANTITY];
  double from = HUGE_VAL, to = 0.0, highest = 0.0;
  for (int k = 0; k < N_QUANTITY; k++) d[k] = differ(c, reference, k, x);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (match(c, i, &highest, reference) < 0) continue;
    from = fmin(from, c->point[i].q);
    to = fmax(to, c->point[i].q);
  }
  if (d[0].n == 0) return MS_SUCCESS;
  return ms_result_table_add_row(s->ctx, b->differences, c->mode + 1.0, c->method->name,
                                 reference->method->name, d[0].median, d[0].worst, d[1].median,
                                 d[1].worst, d[2].median, d[2].worst, (double)d[0].n,
                                 (double)d[2].n, from, to, describe(c->method, reference->method));
}

static ms_status compare_mode(ms_study *s, ms_backbone *b, const ms_backbone_curve *curve) {
  const ms_backbone_curve *reference = NULL;
  for (int i = 0; i < b->n_method; i++) {
    if (curve[i].method == b->reference) reference = &curve[i];
  }
  if (reference->n < 2) return MS_SUCCESS;
  for (int i = 0; i < b->n_method; i++) {
    double *x;
    if (&curve[i] == reference || curve[i].n == 0) continue;
    MS_TRY(ms_allocate(s->ctx, curve[i].n, sizeof *x, &x));
    ms_status status = add_row(s, b, &curve[i], reference, x);
    ms_free(s->ctx, &x);
    if (status != MS_SUCCESS) return status;
  }
  return MS_SUCCESS;
}

ms_status ms_backbone_compare(ms_study *s, const ms_task *task, ms_backbone *b) {
  char name[96];
  snprintf(name, sizeof name, "%.80s_differences", task->name);
  MS_TRY(
      ms_result_table_create(s, name,
                             "mode,method:word,reference:word,omega_median,omega_max,zeta_median,"
                             "zeta_max,zeta_joint_median,zeta_joint_max,points,joint_points,"
                             "q_from [m sqrt(kg)],q_to [m sqrt(kg)],compares:word",
                             &b->differences));
  for (int m = 0; m < b->n_mode; m++) {
    MS_TRY(compare_mode(s, b, &b->curve[(ptrdiff_t)m * b->n_method]));
  }
  return MS_SUCCESS;
}
