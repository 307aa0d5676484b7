/* Time stepping of Moreau and Jean with theta = 1/2. Over 1/n, h the step:

     A v1 + h G' = b,   A = 1 + h^2/4 K,   b = v0 - h (K (u0 + h/4 v0) + n F e1),   G' in psi
   Sgn(v1)

   (K tridiagonal, G' the friction's resistance). For a guess of who slips and where to, the
   slipping masses are a tridiagonal system; masses that would slip backwards stick, and those that
   carry more than their friction slip. The guess is that of the last step, and A is an M-matrix, so
   it takes few rounds. Where it takes too many, the inclusion is solved mass by mass until it
   holds. */
#include <math.h>
#include <string.h>

#include "response/rod/chain.h"

enum { MOST_ROUNDS = 60, MOST_SWEEPS = 20000 };

/* Entries of A. */
typedef struct band {
  double diagonal, side; /* inside */
  double first, last, last_side;
} band;

static double diagonal_of(const band *A, ptrdiff_t n, ptrdiff_t i) {
  return i == 0 ? A->first : i + 1 < n ? A->diagonal : A->last;
}

/* The entry left of the diagonal. */
static double left_of(const band *A, ptrdiff_t n, ptrdiff_t i) {
  return i + 1 < n ? A->side : A->last_side;
}

/* What the neighbours' speeds leave of b for mass i. */
static double rest_of(const ms_rod_chain *c, const band *A, const double *v, ptrdiff_t i) {
  const ptrdiff_t n = c->is.n;
  double rest = c->b[i];
  if (i > 0) rest -= left_of(A, n, i) * v[i - 1];
  if (i + 1 < n) rest -= A->side * v[i + 1];
  return rest;
}

static void fill_right_side(ms_rod_chain *c, double F) {
  const ptrdiff_t n = c->is.n;
  const double h = c->is.step;
  for (ptrdiff_t i = 0; i < n; i++) c->w[i] = c->u[i] + 0.25 * h * c->v[i];
  for (ptrdiff_t i = 0; i < n; i++) c->b[i] = c->v[i] + h * ms_chain_pull(n, c->w, i, F);
}

/* Corrects the guess; 0 if it was right. */
static int correct_signs(ms_rod_chain *c, const band *A, const double *v) {
  const double h = c->is.step;
  int changed = 0;
  for (ptrdiff_t i = 0; i < c->is.n; i++) {
    signed char sign = c->sign[i];
    if (sign != 0 && v[i] * sign < 0.0) sign = 0;
    if (c->sign[i] == 0) {
      double held = rest_of(c, A, v, i);
      if (fabs(held) > h * c->psi[i]) sign = held > 0.0 ? 1 : -1;
    }
    changed |= sign != c->sign[i];
    c->sign[i] = sign;
  }
  return changed;
}

static int guess(ms_rod_chain *c, const band *A, double *v) {
  for (int round = 0; round < MOST_ROUNDS; round++) {
    c->solves++;
    /* Speeds of those that slip; each run of them between two that stick is a system of its own,
       and masses that stick make all of it one elimination. */
    const ptrdiff_t n = c->is.n;
    const double h = c->is.step;
    double *d = c->pivot;
    for (ptrdiff_t i = 0; i < n; i++) {
      v[i] = 0.0;
      if (c->sign[i] == 0) continue;
      const int joined = i > 0 && c->sign[i - 1] != 0;
      const double factor = joined ? left_of(A, n, i) / d[i - 1] : 0.0;
      d[i] = diagonal_of(A, n, i) - factor * A->side;
      v[i] = c->b[i] - h * c->psi[i] * c->sign[i];
      if (joined) v[i] -= factor * v[i - 1];
    }
    for (ptrdiff_t i = n - 1; i >= 0; i--) {
      if (c->sign[i] == 0) continue;
      if (i + 1 < n && c->sign[i + 1] != 0) v[i] -= A->side * v[i + 1];
      v[i] /= d[i];
    }
    if (!correct_signs(c, A, v)) return 1;
  }
  return 0;
}

/* One mass after the other takes the speed that the inclusion gives it. */
static int sweep(ms_rod_chain *c, const band *A, double *v) {
  const ptrdiff_t n = c->is.n;
  const double h = c->is.step;
  memcpy(v, c->v, (size_t)n * sizeof *v);
  for (int k = 0; k < MOST_SWEEPS; k++) {
    double change = 0.0, size = 0.0;
    for (ptrdiff_t i = 0; i < n; i++) {
      double rest = rest_of(c, A, v, i), limit = h * c->psi[i];
      double held = fmax(-limit, fmin(limit, rest)), now = (rest - held) / diagonal_of(A, n, i);
      change = fmax(change, fabs(now - v[i]));
      size = fmax(size, fabs(now));
      v[i] = now;
      c->sign[i] = (signed char)((now > 0.0) - (now < 0.0));
    }
    if (change <= c->is.sweep_tolerance * size) return 1;
  }
  return 0;
}

/* Friction from the balance of each mass, and how far it is from the inclusion. */
static double find_friction(ms_rod_chain *c, const band *A, const double *v) {
  const ptrdiff_t n = c->is.n;
  const double h = c->is.step;
  double worst = 0.0, size = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double held = (rest_of(c, A, v, i) - diagonal_of(A, n, i) * v[i]) / h;
    double wrong = c->sign[i] ? fabs(held - c->sign[i] * c->psi[i]) : fabs(held) - c->psi[i];
    c->trial_G[i] = -held;
    worst = fmax(worst, wrong);
    size = fmax(size, c->psi[i]);
  }
  return worst / size;
}

static void accept(ms_rod_chain *c, const double *v) {
  const ptrdiff_t n = c->is.n;
  const double h = c->is.step;
  double power = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double mean = 0.5 * (c->v[i] + v[i]);
    power += c->trial_G[i] * mean / (double)n;
    c->u[i] += h * mean;
    c->v[i] = v[i];
    c->G[i] = c->trial_G[i];
  }
  c->power = power;
  c->work += h * power;
}

ms_status ms_chain_step_moreau(ms_rod_chain *c, const double F[3]) {
  const double h = c->is.step, n = (double)c->is.n, a = 0.25 * h * h * n * n;
  const band A = (band) { 1.0 + 2.0 * a, -a, 1.0 + a, 1.0 + 4.0 * a, -4.0 / 3.0 * a };
  double *v = c->k; /* of the end of the step */
  memcpy(c->before, c->sign, (size_t)c->is.n);
  fill_right_side(c, F[1]);
  if (!guess(c, &A, v)) {
    c->rescued++;
    if (!sweep(c, &A, v)) {
      memcpy(c->sign, c->before, (size_t)c->is.n);
      return ms_fail(c->ctx, MS_NOT_CONVERGED,
                     "step %td: the signs of slip were not found; take a smaller step",
                     c->steps + 1);
    }
  }
  c->residual = fmax(c->residual, find_friction(c, &A, v));
  accept(c, v);
  return MS_SUCCESS;
}
