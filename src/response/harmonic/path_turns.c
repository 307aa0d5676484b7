/* Turning points of a step: folds, where the parameter turns back, and the maxima of what is
   watched. From the last point x to the new one, b, a point of the curve is known by its part s of
   the chord c = b - x,

     c . (x(s) - x) = s c . c,    dx/ds = t (c . c)/(c . t),

   products by the weights. A turn of phi, the parameter or the watched value, is a root of dphi/ds.
   phi and dphi/ds at two points give the first guess at it, dphi/ds at three points the others;
   where dphi/ds jumps, the tangents of phi at two points. A turn within the tolerance of a spot
   that is there is that spot. */
#include <math.h>
#include <string.h>

#include "response/harmonic/path.h"

enum { PARAMETER, WATCHED };
enum {
  MOST = 16,  /* points for one turn */
  SMOOTH = 4, /* after so many the slope may jump: a corner, where a slider changes over */
  LOOKS = 8   /* points of a step for turns that may hide */
};

/* ---- spots ---- */

static void set_value(const ms_path *p, ms_path_spot *spot, double height, double slope) {
  spot->value[PARAMETER] = spot->x[p->n];
  spot->slope[PARAMETER] = spot->t[p->n];
  spot->value[WATCHED] = height;
  spot->slope[WATCHED] = slope;
}

/* An end of the step, where the unit tangent is t. */
static void set_end(ms_path *p, ptrdiff_t i, const double *x, const double *t, double height,
                    double slope) {
  ms_path_spot *spot = &p->spot[i];
  const double along = p->chord_length / ms_path_dot(p, p->across, t);
  spot->s = (double)i;
  spot->turn = 0;
  ms_path_move(p, x, spot->x);
  for (ptrdiff_t k = 0; k <= p->n; k++) spot->t[k] = along * t[k];
  set_value(p, spot, height, along * slope);
}

/* The free slot, filled, becomes spot i. */
static void enter(ms_path *p, ptrdiff_t i) {
  const ms_path_spot spot = p->spot[p->n_spot];
  memmove(p->spot + i + 1, p->spot + i, (size_t)(p->n_spot - i) * sizeof spot);
  p->spot[i] = spot;
  p->n_spot++;
}

void ms_path_drop_spot(ms_path *p, ptrdiff_t i) {
  const ms_path_spot spot = p->spot[i];
  p->n_spot--;
  memmove(p->spot + i, p->spot + i + 1, (size_t)(p->n_spot - i) * sizeof spot);
  p->spot[p->n_spot] = spot;
}

ms_status ms_path_fill_spot(ms_path *p, ms_path_spot *spot, int iterations, double error) {
  double height = 0.0, slope = 0.0;
  ms_path_move(p, p->x_next, spot->x);
  memset(spot->t, 0, (size_t)(p->n + 1) * sizeof *spot->t);
  spot->t[p->n] = p->chord_length;
  MS_TRY(ms_path_solve(p, p->across, spot->t));
  spot->s = ms_path_part(p, spot->x);
  spot->turn = 0;
  spot->iterations = iterations;
  spot->residual = error;
  if (p->watch) p->watch(p->self, spot->t, &height, &slope);
  set_value(p, spot, height, slope);
  return MS_SUCCESS;
}

double ms_path_part(ms_path *p, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i <= p->n; i++) {
    sum += (p->w[i] * p->across[i]) * (p->w[i] * (x[i] - p->spot[0].x[i]));
  }
  return sum / p->chord_length;
}

void ms_path_interpolate(ms_path *p, ptrdiff_t i, double u) {
  const ms_path_spot *a = &p->spot[i], *b = a + 1;
  const double v = 1.0 - u, h = b->s - a->s;
  const double on_a = v * v * (1.0 + 2.0 * u), on_b = u * u * (3.0 - 2.0 * u);
  for (ptrdiff_t k = 0; k <= p->n; k++) {
    p->x_next[k] = on_a * a->x[k] + on_b * b->x[k] + h * u * v * (v * a->t[k] - u * b->t[k]);
  }
}

ms_status ms_path_add_spot(ms_path *p, ptrdiff_t i, double u) {
  const double piece = (p->spot[i + 1].s - p->spot[i].s) * p->chord_length;
  double error;
  int iterations;
  if (p->n_spot >= MS_PATH_SPOTS) return MS_NOT_CONVERGED;
  ms_path_interpolate(p, i, u);
  MS_TRY(ms_path_correct(p, p->across, &iterations, &error));
  for (ptrdiff_t k = 0; k <= p->n; k++) p->chord[k] = p->x_next[k] - p->x_try[k];
  if (ms_path_length(p, p->chord) > p->tol->off_chord * piece) return MS_NOT_CONVERGED;
  MS_TRY(ms_path_fill_spot(p, &p->spot[p->n_spot], iterations, error));
  enter(p, i + 1);
  return MS_SUCCESS;
}

/* ---- one turn ---- */

/* Between spots i and i + 1, over u from 0 to 1, dphi/ds is taken as A + (E - A) u + C u (u - 1).
 */
typedef struct parabola {
  double A, E, C;
} parabola;

/* C by the change of phi. */
static parabola by_value(const ms_path *p, int v, ptrdiff_t i) {
  const ms_path_spot *a = &p->spot[i], *b = a + 1;
  const double A = a->slope[v], E = b->slope[v];
  return (parabola) { A, E, 3.0 * (A + E) - 6.0 * (b->value[v] - a->value[v]) / (b->s - a->s) };
}

/* C by the slope at the nearest other spot, of which there is one. */
static parabola by_slope(const ms_path *p, int v, ptrdiff_t i) {
  const ms_path_spot *a = &p->spot[i], *b = a + 1, *other = i > 0 ? a - 1 : b + 1;
  if (i > 0 && i + 2 < p->n_spot && b[1].s - b->s < a->s - a[-1].s) other = b + 1;
  const double A = a->slope[v], E = b->slope[v], u = (other->s - a->s) / (b->s - a->s);
  return (parabola) { A, E, (other->slope[v] - A - (E - A) * u) / (u * (u - 1.0)) };
}

/* Its root between 0 and 1, A and E being of different sign, or E 0: of both the one nearer to the
   middle. */
static double root_of(parabola q) {
  const double B = q.E - q.A - q.C, D = sqrt(fmax(B * B - 4.0 * q.A * q.C, 0.0));
  const double r = -0.5 * (B + copysign(D, B)), one = q.A / r, other = r / q.C;
  return fmin(fmax(fabs(one - 0.5) <= fabs(other - 0.5) ? one : other, 0.0), 1.0);
}

/* Where the tangents at both ends meet: the turn, where it is a corner between straight pieces. */
static double corner_of(const ms_path *p, int v, ptrdiff_t i) {
  const ms_path_spot *a = &p->spot[i], *b = a + 1;
  const double A = a->slope[v], E = b->slope[v];
  return fmin(fmax(((b->value[v] - a->value[v]) / (b->s - a->s) - E) / (A - E), 0.0), 1.0);
}

/* The k-th guess at the turn between spots i and i + 1. One end may stay far from a corner, and
   with it the tangents' error: every other guess goes beyond the corner, seen from the last spot.
 */
static double guess(const ms_path *p, int v, ptrdiff_t i, int k, ptrdiff_t last) {
  if (k == 0 || p->n_spot < 3) return root_of(by_value(p, v, i));
  const parabola q = by_slope(p, v, i);
  if (k < SMOOTH || fabs(q.C) < p->tol->straight * fabs(q.E - q.A)) return root_of(q);
  const double u = corner_of(p, v, i);
  const double least = 1.5 * p->turn_tolerance / (p->spot[i + 1].s - p->spot[i].s);
  const int at_end = u < least || u > 1.0 - least;
  if (at_end && k % 2 == 0) return 0.5;
  if (at_end || k % 2 == 0) return fmin(fmax(u, least), 1.0 - least);
  return last == i ? fmin(p->tol->beyond * u, 0.5) : fmax(1.0 - p->tol->beyond * (1.0 - u), 0.5);
}

static int turns(const ms_path *p, int v, ptrdiff_t i) {
  const double a = p->spot[i].slope[v], b = p->spot[i + 1].slope[v];
  return v == WATCHED ? a > 0.0 && b <= 0.0 : a != 0.0 && a * b <= 0.0;
}

/* Of the ends of a piece the one where phi is farther on. */
static ptrdiff_t farther(const ms_path *p, int v, ptrdiff_t i, double before) {
  return (p->spot[i + 1].value[v] - p->spot[i].value[v]) * before > 0.0 ? i + 1 : i;
}

/* The turn between spots *i and *i + 1, which are then next to it. */
static ms_status locate(ms_path *p, int v, ptrdiff_t *i) {
  const int turn = v == WATCHED ? MS_PATH_PEAK : MS_PATH_FOLD;
  ptrdiff_t last = -1;
  for (int k = 0; k < MOST; k++) {
    const ms_path_spot *a = &p->spot[*i];
    const double width = a[1].s - a->s, u = guess(p, v, *i, k, last);
    const ptrdiff_t nearer = u < 0.5 ? *i : *i + 1;
    if (width < 2.0 * p->turn_tolerance) break;
    if (fmin(u, 1.0 - u) * width < p->turn_tolerance) {
      last = nearer;
      break;
    }
    ms_status status = ms_path_add_spot(p, *i, u);
    if (status == MS_NOT_CONVERGED) break;
    MS_TRY(status);
    last = *i + 1;
    if (p->spot[last].slope[v] * p->spot[*i].slope[v] > 0.0) *i = last;
  }
  if (last < 0) last = farther(p, v, *i, p->spot[*i].slope[v]);
  p->spot[last].turn |= turn;
  return MS_SUCCESS;
}

/* Where both slopes are of one sign but phi does not change as they say, two turns may hide: the
   slope, as a parabola, changes its sign or comes near to it. */
static int may_hide(const ms_path *p, int v, ptrdiff_t i, double *u) {
  const parabola q = by_value(p, v, i);
  if (!(q.A * q.E > 0.0) || q.C == 0.0) return 0;
  *u = 0.5 * (q.C - (q.E - q.A)) / q.C;
  const double least = copysign(1.0, q.A) * (q.A + (q.E - q.A) * *u + q.C * *u * (*u - 1.0));
  return *u > 0.0 && *u < 1.0 && least < p->turn_margin * fmin(fabs(q.A), fabs(q.E));
}

/* A new spot divides a piece in two, both of which are looked at again. */
static ms_status find_all(ms_path *p, int v) {
  int looks = 0;
  for (ptrdiff_t i = 0; i + 1 < p->n_spot; i++) {
    double u;
    if (looks < LOOKS && may_hide(p, v, i, &u)) {
      ms_status status = ms_path_add_spot(p, i, u);
      if (status == MS_NOT_CONVERGED) continue;
      MS_TRY(status);
      looks++;
      i--;
      continue;
    }
    if (turns(p, v, i)) MS_TRY(locate(p, v, &i));
  }
  return MS_SUCCESS;
}

/* ---- the step ---- */

ms_status ms_path_find_turns(ms_path *p, int iterations, double error) {
  for (ptrdiff_t i = 0; i <= p->n; i++) p->across[i] = p->b[i] - p->x[i];
  p->chord_length = ms_path_length(p, p->across);
  for (ptrdiff_t i = 0; i <= p->n; i++) p->across[i] /= p->chord_length;
  const int smooth = !p->cornered && ms_path_dot(p, p->across, p->t) > p->tol->least_cosine &&
                     ms_path_dot(p, p->across, p->t_next) > p->tol->least_cosine;
  p->n_spot = 2;
  set_end(p, 0, p->x, smooth ? p->t : p->across, p->height, p->slope);
  set_end(p, 1, p->b, smooth ? p->t_next : p->across, p->height_next, p->slope_next);
  p->spot[1].iterations = iterations;
  p->spot[1].residual = error;
  if (!smooth) {
    /* A corner, where the step is short and s no measure: the turn is at one of its ends. */
    const double *before = p->cornered ? p->t_old : p->t;
    const int peak = p->watch && p->slope > 0.0 && p->slope_next < 0.0;
    if (before[p->n] * p->t_next[p->n] < 0.0) {
      p->spot[farther(p, PARAMETER, 0, before[p->n])].turn |= MS_PATH_FOLD;
    }
    if (peak) p->spot[farther(p, WATCHED, 0, 1.0)].turn |= MS_PATH_PEAK;
    return MS_SUCCESS;
  }
  MS_TRY(find_all(p, PARAMETER));
  return p->watch ? find_all(p, WATCHED) : MS_SUCCESS;
}
