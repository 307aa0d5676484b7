/* Projection of a sampled curve on concave (convex) ones. Letters: inverse.c. */
#include "joint/iwan/inverse.h"
#include "joint/tolerance.h"

#include <math.h>

/* Is chord i out of order after chord `before`? */
static int is_out_of_order(const ms_curve *c, double before, double after) {
  return c->kind == MS_CURVE_VIRGIN ? after > before : after < before;
}

/* Pool adjacent violators: chords out of order are replaced by the chord over both, which gives the
   least concave majorant (greatest convex minorant). W, free so far, holds the last sample of each
   pool. Afterwards slope[1 .. pools], end[1 .. pools]. */
static ptrdiff_t pool_chords(ms_curve *c) {
  ptrdiff_t n = 0;
  double *end = c->W;
  for (ptrdiff_t i = 1; i <= c->n; i++) {
    n++;
    end[n] = (double)i;
    c->slope[n] = c->slope[i];
    while (n > 1 && is_out_of_order(c, c->slope[n - 1], c->slope[n])) {
      ptrdiff_t from = n > 2 ? (ptrdiff_t)end[n - 2] : 0;
      n--;
      end[n] = (double)i;
      c->slope[n] = (c->y[i] - c->y[from]) / (c->x[i] - c->x[from]);
    }
  }
  return n;
}

/* A virgin curve does not fall either. */
static double admissible(const ms_curve *c, double slope) {
  return c->kind == MS_CURVE_VIRGIN && slope < 0.0 ? 0.0 : slope;
}

static void note_move(double y, double moved, ptrdiff_t i, ms_density_report *report) {
  double size = fmax(fabs(y), fabs(moved)), part = size > 0.0 ? fabs(moved - y) / size : 0.0;
  if (part > ms_joint_tol.same_slope) report->violations++;
  if (part > ms_joint_tol.same_slope && part > report->correction) report->worst = i;
  report->correction = fmax(report->correction, part);
}

ms_status ms_curve_project(ms_context *ctx, ms_curve *c, double limit, ms_density_report *report) {
  ms_curve_find_slopes(c);
  ptrdiff_t pools = pool_chords(c), from = 0;
  double y_from = 0.0;
  for (ptrdiff_t p = 1; p <= pools; p++) {
    ptrdiff_t to = (ptrdiff_t)c->W[p];
    double slope = admissible(c, c->slope[p]);
    /* Moves the samples from + 1 .. to onto their pool's chord. Those inside it that moved by more
       than rounding are marked NaN: the corners between them were noise, and the density is better
       spread over the whole pool. */
    for (ptrdiff_t i = from + 1; i <= to; i++) {
      double y = y_from + slope * (c->x[i] - c->x[from]);
      note_move(c->y[i], y, i - 1, report);
      if (fabs(y - c->y[i]) <= ms_joint_tol.same_slope * fabs(y)) continue;
      c->y[i] = i < to ? NAN : y;
    }
    y_from = c->y[to];
    from = to;
  }
  ptrdiff_t kept = 0;
  for (ptrdiff_t i = 1; i <= c->n; i++) {
    if (isnan(c->y[i])) continue;
    kept++;
    c->x[kept] = c->x[i];
    c->y[kept] = c->y[i];
  }
  c->n = kept;
  ms_curve_find_slopes(c);
  if (report->correction <= limit) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "the curve is not %s: %td samples would have to move, sample %td (from 0) by %.2g "
                 "of itself; smooth it, or allow that much in the setting `projection`",
                 c->kind == MS_CURVE_VIRGIN ? "concave and rising" : "convex", report->violations,
                 report->worst, report->correction);
}
