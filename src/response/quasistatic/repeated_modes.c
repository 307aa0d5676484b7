/* rqnm sums over all modes but r, each divided by omega_j^2 - lambda. Modes of the frequency of
   mode r (a square frame has such pairs) cannot stand in that sum where lambda begins. Any turn
   within such a cluster is as good a basis: it is turned so that Gamma_c K_T Gamma_c^T is diagonal,
   the mode that the joints see most first, and then the others of the frequency of mode r stay at
   rest while the joints do not push them. Whether they do is looked at when a level is found. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

static int is_repeated(const ms_modal *m, ptrdiff_t r, ptrdiff_t j) {
  return fabs(m->omega[j] - m->omega[r]) <= ms_structure_tol.same_frequency * m->omega[r];
}

/* x^T K_T y over all joints, x and y rows of Gamma. */
static double weigh(const ms_quasistatic *run, ptrdiff_t x, ptrdiff_t y) {
  const ms_modal *m = &run->modal;
  double sum = 0.0;
  for (int k = 0; k < m->n_attachment; k++) {
    const ms_static_attachment *attachment = &run->attachment[k];
    for (int ab = 0; ab < attachment->n * attachment->n; ab++) {
      sum += m->gamma[x + m->m * (attachment->first + ab % attachment->n)] * attachment->stuck[ab] *
             m->gamma[y + m->m * (attachment->first + ab / attachment->n)];
    }
  }
  return sum;
}

/* The cluster is first .. first + c - 1, frequencies rise. W of it; whether it is diagonal. */
static int fill_weights(const ms_quasistatic *run, ptrdiff_t first, ptrdiff_t c, double *W,
                        double *one) {
  double off = 0.0, trace = 0.0;
  for (ptrdiff_t a = 0; a < c; a++) {
    for (ptrdiff_t b = 0; b < c; b++) {
      W[a + c * b] = weigh(run, first + a, first + b);
      one[a + c * b] = a == b;
      if (a != b) off = fmax(off, fabs(W[a + c * b]));
    }
    trace += W[a + c * a];
  }
  return off <= ms_structure_tol.same_frequency * trace;
}

static ms_status turn(ms_quasistatic *run, ptrdiff_t first, ptrdiff_t c, double *work) {
  const ptrdiff_t m = run->modal.m;
  double *V = work, *W = V + m * m, *one = W + c * c, *vector = one + c * c, *w = vector + c * c;
  const ms_rounding rounding = { .doubt = ms_structure_tol.doubt };
  if (fill_weights(run, first, c, W, one)) return MS_SUCCESS;
  MS_TRY(ms_modes_solve(run->ctx, c, W, one, &rounding, run->structure->name, w, vector));
  /* V: the identity but for the cluster, whose vectors come weakest first. */
  for (ptrdiff_t j = 0; j < m; j++) V[j + m * j] = 1.0;
  for (ptrdiff_t b = 0; b < c; b++) {
    for (ptrdiff_t a = 0; a < c; a++) {
      V[first + a + m * (first + b)] = vector[a + c * (c - 1 - b)];
    }
  }
  MS_TRY(ms_static_rebase(run, V, run->modal.omega));
  ms_static_reduce(run);
  return MS_SUCCESS;
}

/* Modes that stay out of the sum: mode r, those of its frequency, rigid ones, and those that no
 * joint sees. */
static void fill_still(ms_quasistatic *run) {
  const ms_modal *m = &run->modal;
  memset(run->still, 1, (size_t)m->m);
  for (ptrdiff_t i = 0; i < m->n; i++) {
    const double *gamma = m->gamma + m->m * i;
    double largest = 0.0;
    for (ptrdiff_t j = 0; j < m->m; j++) largest = fmax(largest, fabs(gamma[j]));
    for (ptrdiff_t j = 0; j < m->m; j++) {
      if (fabs(gamma[j]) > run->setting.tol.unseen * largest) run->still[j] = 0;
    }
  }
  for (ptrdiff_t j = 0; j < m->m; j++) {
    if (m->omega[j] == 0.0 || is_repeated(m, run->r, j)) run->still[j] = 1; /* r among them */
  }
}

ms_status ms_static_turn_repeated(ms_quasistatic *run) {
  const ptrdiff_t m = run->modal.m, r = run->r;
  ptrdiff_t first = r, end = r + 1;
  double *work;
  while (first > 0 && is_repeated(&run->modal, r, first - 1)) first--;
  while (end < m && is_repeated(&run->modal, r, end)) end++;
  ptrdiff_t c = end - first;
  if (c > 1) {
    MS_TRY(ms_allocate(run->ctx, m * m + 3 * c * c + c, sizeof *work, &work));
    ms_status status = turn(run, first, c, work);
    ms_free(run->ctx, &work);
    MS_TRY(status);
  }
  MS_TRY(ms_allocate(run->ctx, m, sizeof *run->still, &run->still));
  fill_still(run);
  return MS_SUCCESS;
}

ms_status ms_static_check_repeated(const ms_quasistatic *run, double q) {
  const ms_modal *m = &run->modal;
  double own = fabs(ms_static_dot(run->n, run->g, run->d));
  double rounding = run->accepted * run->omega_r * run->omega_r * q;
  for (ptrdiff_t j = 0; j < m->m; j++) {
    double push = 0.0;
    if (j == run->r || !is_repeated(m, run->r, j)) continue;
    for (ptrdiff_t i = 0; i < run->n; i++) push += m->gamma[j + m->m * i] * run->d[i];
    if (fabs(push) <= run->setting.tol.pushed * own + rounding) continue;
    return ms_fail(run->ctx, MS_NOT_CONVERGED,
                   "modes %td and %td have the same frequency, and the joints couple them: there "
                   "is no motion of one of them alone",
                   run->r + 1, j + 1);
  }
  return MS_SUCCESS;
}
