/* Metropolis-Hastings about a normal approximation of the density. Of four steps three ask for a
   point x' that does not depend on where the chain is,

     x' = c + L z sqrt(nu/s),   z normal, s chi^2 with nu degrees of freedom,
     ln q(x) = -(nu + n)/2 ln(1 + |L^-1 (x - c)|^2/nu),

   which is taken with probability min(1, p(x') q(x)/(p(x) q(x'))); its tails are heavier than those
   of a normal density, for a chain must not be alone out there. The fourth is a random walk,
   x' = x + 2.38/sqrt(n) L z, for where c and L are wrong (Roberts, Gelman, Gilks 1997). */
#include "identify/sample/chains.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"

enum { NU = 6, WALK = 4 };

struct ms_chains {
  ms_context *ctx;
  ptrdiff_t n_x, n, step;
  ms_log_density *density;
  void *user;
  uint64_t seed;
  double *x, *log_p, *asked, *log_p_asked; /* n_x x n, n */
  double *centre, *y, *L, *C;              /* n_x, n_x, and two n_x x n_x */
  double *chance;                          /* n */
  ms_chains_state count;
};

ms_status ms_chains_create(ms_context *ctx, ptrdiff_t n_x, ptrdiff_t n, ms_log_density *density,
                           void *user, uint64_t seed, ms_chains **out) {
  ms_chains *c;
  *out = NULL;
  MS_TRY(ms_allocate(ctx, 1, sizeof *c, &c));
  *c = (ms_chains) {
    .ctx = ctx, .n_x = n_x, .n = n, .density = density, .user = user, .seed = seed
  };
  ms_status status =
      ms_allocate(ctx, 2 * n * n_x + 3 * n + 2 * n_x * (n_x + 1), sizeof *c->x, &c->x);
  if (status != MS_SUCCESS) {
    ms_chains_destroy(&c);
    return status;
  }
  c->asked = c->x + n * n_x;
  c->log_p = c->asked + n * n_x;
  c->log_p_asked = c->log_p + n;
  c->chance = c->log_p_asked + n;
  c->centre = c->chance + n;
  c->y = c->centre + n_x;
  c->L = c->y + n_x;
  c->C = c->L + n_x * n_x;
  *out = c;
  return MS_SUCCESS;
}

void ms_chains_destroy(ms_chains **chains) {
  if (!*chains) return;
  ms_context *ctx = (*chains)->ctx;
  ms_free(ctx, &(*chains)->x);
  ms_free(ctx, chains);
}

/* ---- where proposals are made ---- */

void ms_chains_aim(ms_chains *c, const double *centre, const double *L) {
  memcpy(c->centre, centre, (size_t)c->n_x * sizeof *centre);
  memcpy(c->L, L, (size_t)(c->n_x * c->n_x) * sizeof *L);
}

void ms_chains_aim_at(ms_chains *c, ptrdiff_t n, const double *x) {
  const ptrdiff_t n_x = c->n_x;
  double *mean = c->y, *C = c->C;
  memset(mean, 0, (size_t)n_x * sizeof *mean);
  for (ptrdiff_t i = 0; i < n_x * n; i++) mean[i % n_x] += x[i] / (double)n;
  for (ptrdiff_t j = 0; j < n_x; j++) {
    for (ptrdiff_t k = 0; k <= j; k++) {
      double sum = 0.0;
      for (ptrdiff_t i = 0; i < n; i++) {
        sum += (x[j + n_x * i] - mean[j]) * (x[k + n_x * i] - mean[k]);
      }
      C[j + n_x * k] = sum / (double)(n - 1);
    }
  }
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n_x, C, (int)n_x) != 0) return;
  memcpy(c->L, C, (size_t)(n_x * n_x) * sizeof *C);
  memcpy(c->centre, mean, (size_t)n_x * sizeof *mean);
}

static double log_q(const ms_chains *c, const double *x) {
  const ptrdiff_t n = c->n_x;
  double square = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double y = x[i] - c->centre[i];
    for (ptrdiff_t k = 0; k < i; k++) y -= c->L[i + n * k] * c->y[k];
    c->y[i] = y / c->L[i + n * i];
    square += c->y[i] * c->y[i];
  }
  return -0.5 * (double)(NU + n) * log1p(square / NU);
}

/* ---- steps ---- */

static ms_status ask(const ms_chains *c, const double *x, double *log_p) {
  MS_TRY(c->density(c->user, c->n, x, log_p));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (isnan(log_p[i])) log_p[i] = -INFINITY;
  }
  return MS_SUCCESS;
}

ms_status ms_chains_start(ms_chains *c, const double *x) {
  enum { HALVINGS = 30 };
  ptrdiff_t lost = c->n;
  memcpy(c->x, x, (size_t)(c->n * c->n_x) * sizeof *x);
  for (int k = 0; k < HALVINGS && lost > 0; k++) {
    MS_TRY(ask(c, c->x, c->log_p));
    lost = 0;
    for (ptrdiff_t i = 0; i < c->n * c->n_x; i++) {
      if (c->log_p[i / c->n_x] > -INFINITY) continue;
      c->x[i] = 0.5 * (c->x[i] + c->centre[i % c->n_x]);
      lost++;
    }
  }
  c->step = 0;
  if (lost == 0) return MS_SUCCESS;
  return ms_fail(c->ctx, MS_ERR_ARGUMENT, "the density is zero where chains start");
}

void ms_chains_restore(ms_chains *c, ptrdiff_t step, const double *x, const double *log_p) {
  memcpy(c->x, x, (size_t)(c->n * c->n_x) * sizeof *x);
  memcpy(c->log_p, log_p, (size_t)c->n * sizeof *log_p);
  c->step = step;
}

static void propose(ms_chains *c, ms_random *random, ptrdiff_t i, int walks) {
  const ptrdiff_t n = c->n_x;
  const double *from = walks ? c->x + n * i : c->centre;
  double *to = c->asked + n * i, square = 0.0, size = 2.38 / sqrt((double)n);
  for (ptrdiff_t j = 0; j < n; j++) c->y[j] = ms_random_normal(random);
  for (int k = 0; k < NU && !walks; k++) square += pow(ms_random_normal(random), 2.0);
  if (!walks) size = sqrt(NU / square);
  for (ptrdiff_t j = 0; j < n; j++) {
    to[j] = from[j];
    for (ptrdiff_t k = 0; k <= j; k++) to[j] += size * c->L[j + n * k] * c->y[k];
  }
  c->chance[i] = ms_random_uniform(random);
}

ms_status ms_chains_step(ms_chains *c) {
  const ptrdiff_t n = c->n_x;
  const int walks = c->step % WALK == WALK - 1;
  ms_random random;
  ms_random_start(&random, c->seed, (uint64_t)(c->step + 1));
  for (ptrdiff_t i = 0; i < c->n; i++) propose(c, &random, i, walks);
  MS_TRY(ask(c, c->asked, c->log_p_asked));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double gain = c->log_p_asked[i] - c->log_p[i];
    if (!walks) gain += log_q(c, c->x + n * i) - log_q(c, c->asked + n * i);
    c->count.asked += !walks;
    if (!(log(c->chance[i]) < gain)) continue;
    memcpy(c->x + n * i, c->asked + n * i, (size_t)n * sizeof *c->x);
    c->log_p[i] = c->log_p_asked[i];
    c->count.accepted++;
    c->count.taken += !walks;
  }
  c->step++;
  return MS_SUCCESS;
}

ms_chains_state ms_chains_get(const ms_chains *c) {
  ms_chains_state out = c->count;
  out.x = c->x;
  out.log_p = c->log_p;
  return out;
}
