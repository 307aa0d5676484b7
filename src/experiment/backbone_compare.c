/* How far the methods of a backbone differ: each against the reference, over the amplitudes that
   both have, the reference interpolated in the logarithm of q. Of a curve that folds the first
   passage of an amplitude counts. */
#include <math.h>
#include <stdlib.h>

#include "core/internal.h"
#include "experiment/backbone.h"
#include "experiment/tolerance.h"

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

/* The first piece of the curve that rises through q: from point i to i + 1; -1 if there is none. */
static ptrdiff_t find_piece(const ms_backbone_curve *c, double q) {
  for (ptrdiff_t i = 0; i + 1 < c->n; i++) {
    double low = c->point[i].q, high = c->point[i + 1].q;
    if (high <= low * (1.0 + ms_experiment_tol.same_amplitude)) continue;
    if (q >= low * (1.0 - ms_experiment_tol.same_amplitude) &&
        q <= high * (1.0 + ms_experiment_tol.same_amplitude))
      return i;
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
  if (i > 0 && q <= *highest * (1.0 + ms_experiment_tol.same_amplitude)) return -1;
  *highest = q;
  return find_piece(reference, q);
}

/* Of n values, which are sorted: the median, and the one of largest size. */
static void reduce(ptrdiff_t n, double *x, double out[2]) {
  out[0] = out[1] = 0.0;
  if (n == 0) return;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (fabs(x[i]) > fabs(out[1])) out[1] = x[i];
  }
  out[0] = ms_median(n, x);
}

/* Whether there is anything that the quantity can be compared with. */
static int is_there(const ms_backbone_curve *c, ptrdiff_t piece, double q, int quantity) {
  double r = interpolate(c, piece, q, quantity);
  return r >
         (quantity == JOINT ? ms_experiment_tol.least_joint * interpolate(c, piece, q, ZETA) : 0.0);
}

/* Relative to the reference, at the points of c; room for them in x. Returns how many. */
static ptrdiff_t differ(const ms_backbone_curve *c, const ms_backbone_curve *reference,
                        int quantity, double *x, double out[2]) {
  ptrdiff_t n = 0;
  double highest = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double q = c->point[i].q;
    ptrdiff_t piece = match(c, i, &highest, reference);
    if (piece < 0 || !is_there(reference, piece, q, quantity)) continue;
    x[n++] = get(&c->point[i], quantity) / interpolate(reference, piece, q, quantity) - 1.0;
  }
  reduce(n, x, out);
  return n;
}

ms_status ms_backbone_compare(ms_context *ctx, const ms_backbone_curve *c,
                              const ms_backbone_curve *reference, ms_backbone_difference *out) {
  double *x, highest = 0.0;
  MS_NEED(ctx, ctx && c && reference && out);
  *out = (ms_backbone_difference) { .n = 0 };
  if (c->n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, c->n, sizeof *x, &x));
  out->n = differ(c, reference, OMEGA, x, out->omega);
  differ(c, reference, ZETA, x, out->zeta);
  out->n_joint = differ(c, reference, JOINT, x, out->zeta_joint);
  ms_free(ctx, &x);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const double q = c->point[i].q;
    if (match(c, i, &highest, reference) < 0) continue;
    out->q_from = out->q_to > 0.0 ? fmin(out->q_from, q) : q;
    out->q_to = fmax(out->q_to, q);
  }
  return MS_SUCCESS;
}
