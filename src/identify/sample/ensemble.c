/* The stretch move of Goodman and Weare, "Ensemble samplers with affine invariance" (2010), in the
   parallel form of Foreman-Mackey et al. (2013): the walkers are two halves; each of one half
   stretches its distance to a walker y of the other,

     x' = y + z (x - y),    density of z ~ 1/sqrt(z) in [1/a, a],

   and goes there with probability min(1, z^(n-1) p(x')/p(x)). */
#include <math.h>
#include <string.h>

#include <microslip/posterior.h>

#include "core/draw.h"
#include "core/internal.h"

struct ms_ensemble {
  ms_context *ctx;
  ptrdiff_t n_x, n_walker, step, accepted, proposed;
  ms_log_density *density;
  void *user;
  double stretch;
  uint64_t seed;
  double *x, *log_p;           /* of all walkers */
  double *x_next, *log_p_next; /* where they will stand after the step */
  double *asked, *log_p_asked; /* proposals of one half */
  double *z, *chance;          /* of each proposal: its factor, a number in (0, 1) */
};

void ms_ensemble_default(ms_ensemble_setting *setting, size_t size) {
  ms_settings_fill(&(ms_ensemble_setting)MS_ENSEMBLE_DEFAULT, setting, size);
}

static ms_status check(ms_context *ctx, ptrdiff_t n_x, const ms_ensemble_setting *s) {
  if (n_x < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "a density of %td parameters", n_x);
  if (s->n_walker % 2 || s->n_walker < 2 * n_x + 2) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%td walkers for %td parameters; they must be even, at least %td", s->n_walker,
                   n_x, 2 * n_x + 2);
  }
  if (!(s->stretch > 1.0) || !isfinite(s->stretch)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a stretch of %g; it must be above 1", s->stretch);
  }
  return MS_SUCCESS;
}

static ms_status allocate(ms_ensemble *e) {
  ptrdiff_t n = e->n_walker;
  MS_TRY(ms_allocate(e->ctx, n * e->n_x, sizeof(double), &e->x));
  MS_TRY(ms_allocate(e->ctx, n * e->n_x, sizeof(double), &e->x_next));
  MS_TRY(ms_allocate(e->ctx, n * e->n_x, sizeof(double), &e->asked));
  MS_TRY(ms_allocate(e->ctx, n, sizeof(double), &e->log_p));
  MS_TRY(ms_allocate(e->ctx, n, sizeof(double), &e->log_p_next));
  MS_TRY(ms_allocate(e->ctx, n, sizeof(double), &e->log_p_asked));
  MS_TRY(ms_allocate(e->ctx, n, sizeof(double), &e->z));
  return ms_allocate(e->ctx, n, sizeof(double), &e->chance);
}

ms_status ms_ensemble_create(ms_context *ctx, ptrdiff_t n_x, ms_log_density *density, void *user,
                             const ms_ensemble_setting *setting, ms_ensemble **out) {
  ms_ensemble_setting own = MS_ENSEMBLE_DEFAULT;
  *out = NULL;
  MS_TAKE(ctx, ms_ensemble_default, setting, own);
  MS_TRY(check(ctx, n_x, setting));
  ms_ensemble *e = NULL;
  MS_TRY(ms_allocate(ctx, 1, sizeof *e, &e));
  e->ctx = ctx, e->n_x = n_x, e->n_walker = setting->n_walker, e->step = -1;
  e->density = density, e->user = user;
  e->stretch = setting->stretch, e->seed = setting->seed;
  ms_status status = allocate(e);
  if (status) ms_ensemble_destroy(&e);
  *out = e;
  return status;
}

void ms_ensemble_destroy(ms_ensemble **ensemble) {
  if (!ensemble || !*ensemble) return;
  ms_ensemble *e = *ensemble;
  ms_context *ctx = e->ctx;
  ms_free(ctx, &e->x);
  ms_free(ctx, &e->x_next);
  ms_free(ctx, &e->asked);
  ms_free(ctx, &e->log_p);
  ms_free(ctx, &e->log_p_next);
  ms_free(ctx, &e->log_p_asked);
  ms_free(ctx, &e->z);
  ms_free(ctx, &e->chance);
  ms_free(ctx, ensemble);
}

/* Minus infinity is an answer, plus infinity and not-a-number are none. */
static ms_status ask(ms_ensemble *e, ptrdiff_t n, const double *x, double *log_p) {
  MS_TRY(e->density(e->user, n, x, log_p));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (log_p[i] < INFINITY) continue;
    return ms_fail(e->ctx, MS_ERR_NUMERIC, "the logarithm of the density came out as %g", log_p[i]);
  }
  return MS_SUCCESS;
}

static size_t bytes(ptrdiff_t n) {
  return (size_t)n * sizeof(double);
}

/* All walkers at one place, or in one plane, would stay in it. Elimination on their differences. */
static int span_all(ms_ensemble *e, const double *x) {
  ptrdiff_t n_x = e->n_x, n = e->n_walker - 1;
  double *d = e->asked, *scale = e->z;
  for (ptrdiff_t j = 0; j < n_x; j++) scale[j] = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t j = 0; j < n_x; j++) {
      d[j + n_x * i] = x[j + n_x * (i + 1)] - x[j];
      scale[j] = fmax(scale[j], fabs(d[j + n_x * i]));
    }
  }
  for (ptrdiff_t j = 0; j < n_x; j++) {
    ptrdiff_t pivot = j;
    for (ptrdiff_t i = j; i < n; i++) {
      if (fabs(d[j + n_x * i]) > fabs(d[j + n_x * pivot])) pivot = i;
    }
    if (!(fabs(d[j + n_x * pivot]) > 1e-13 * scale[j])) return 0;
    for (ptrdiff_t k = 0; k < n_x; k++) {
      double kept = d[k + n_x * j];
      d[k + n_x * j] = d[k + n_x * pivot], d[k + n_x * pivot] = kept;
    }
    for (ptrdiff_t i = j + 1; i < n; i++) {
      double factor = d[j + n_x * i] / d[j + n_x * j];
      for (ptrdiff_t k = j; k < n_x; k++) d[k + n_x * i] -= factor * d[k + n_x * j];
    }
  }
  return 1;
}

/* Those where the density is zero come nearer to the centre; how many there were. */
static ptrdiff_t draw_near(ms_ensemble *e, const double *centre, double *x) {
  ptrdiff_t moved = 0;
  for (ptrdiff_t i = 0; i < e->n_walker; i++) {
    if (e->log_p_next[i] > -INFINITY) continue;
    for (ptrdiff_t j = 0; j < e->n_x; j++)
      x[j + e->n_x * i] = 0.5 * (x[j + e->n_x * i] + centre[j]);
    moved++;
  }
  return moved;
}

static ms_status check_span(ms_ensemble *e, const double *x) {
  if (span_all(e, x)) return MS_SUCCESS;
  return ms_fail(e->ctx, MS_ERR_ARGUMENT,
                 "the walkers stand in one plane and could not leave it; spread them");
}

/* At x, where the density has been asked for. */
static ms_status stand(ms_ensemble *e, const double *x) {
  for (ptrdiff_t i = 0; i < e->n_walker; i++) {
    if (e->log_p_next[i] > -INFINITY) continue;
    return ms_fail(e->ctx, MS_ERR_ARGUMENT, "the density is zero where walker %td starts", i + 1);
  }
  return ms_ensemble_restore(e, 0, x, e->log_p_next);
}

ms_status ms_ensemble_start(ms_ensemble *e, const double *x) {
  MS_TRY(check_span(e, x));
  MS_TRY(ask(e, e->n_walker, x, e->log_p_next));
  return stand(e, x);
}

ms_status ms_ensemble_start_near(ms_ensemble *e, const double *centre, const double *x) {
  enum { HALVINGS = 30 };
  memmove(e->x_next, x, bytes(e->n_walker * e->n_x));
  for (int k = 0; k < HALVINGS; k++) {
    MS_TRY(ask(e, e->n_walker, e->x_next, e->log_p_next));
    if (draw_near(e, centre, e->x_next) == 0) break;
  }
  MS_TRY(check_span(e, e->x_next));
  return stand(e, e->x_next);
}

ms_status ms_ensemble_restore(ms_ensemble *e, ptrdiff_t step, const double *x,
                              const double *log_p) {
  if (step < 0) return ms_fail(e->ctx, MS_ERR_ARGUMENT, "a chain cannot go on from step %td", step);
  memmove(e->x, x, bytes(e->n_walker * e->n_x));
  memmove(e->log_p, log_p, bytes(e->n_walker));
  e->step = step, e->accepted = 0, e->proposed = 0;
  return MS_SUCCESS;
}

/* Proposals of the walkers [from, from + half), by walkers of the other half as they will stand. */
static void propose(ms_ensemble *e, ms_random *random, ptrdiff_t from, ptrdiff_t half) {
  double a = e->stretch;
  ptrdiff_t other = half - from;
  for (ptrdiff_t i = 0; i < half; i++) {
    double u = ms_random_uniform(random), root = (u * (a - 1.0) + 1.0) / sqrt(a);
    ptrdiff_t k = ms_draw_below(random, half);
    const double *x = e->x_next + e->n_x * (from + i);
    const double *y = e->x_next + e->n_x * (other + k);
    e->z[i] = root * root;
    e->chance[i] = ms_random_uniform(random);
    for (ptrdiff_t j = 0; j < e->n_x; j++)
      e->asked[j + e->n_x * i] = y[j] + e->z[i] * (x[j] - y[j]);
  }
}

static ptrdiff_t accept(ms_ensemble *e, ptrdiff_t from, ptrdiff_t half) {
  ptrdiff_t accepted = 0;
  for (ptrdiff_t i = 0; i < half; i++) {
    double gain = e->log_p_asked[i] - e->log_p_next[from + i];
    if (!(log(e->chance[i]) < (double)(e->n_x - 1) * log(e->z[i]) + gain)) continue;
    memcpy(e->x_next + e->n_x * (from + i), e->asked + e->n_x * i, bytes(e->n_x));
    e->log_p_next[from + i] = e->log_p_asked[i];
    accepted++;
  }
  return accepted;
}

ms_status ms_ensemble_step(ms_ensemble *e) {
  ptrdiff_t half = e->n_walker / 2, accepted = 0;
  ms_random random;
  if (e->step < 0)
    return ms_fail(e->ctx, MS_ERR_STATE, "the walkers have no place yet; start first");
  ms_random_start(&random, e->seed, (uint64_t)(e->step + 1));
  memcpy(e->x_next, e->x, bytes(e->n_walker * e->n_x));
  memcpy(e->log_p_next, e->log_p, bytes(e->n_walker));
  for (ptrdiff_t from = 0; from <= half; from += half) {
    propose(e, &random, from, half);
    MS_TRY(ask(e, half, e->asked, e->log_p_asked));
    accepted += accept(e, from, half);
  }
  memcpy(e->x, e->x_next, bytes(e->n_walker * e->n_x));
  memcpy(e->log_p, e->log_p_next, bytes(e->n_walker));
  e->accepted += accepted, e->proposed += e->n_walker, e->step++;
  return MS_SUCCESS;
}

ms_ensemble_state ms_ensemble_get(const ms_ensemble *e) {
  return (ms_ensemble_state) { .n_x = e->n_x,
                               .n_walker = e->n_walker,
                               .step = e->step,
                               .x = e->x,
                               .log_p = e->log_p,
                               .accepted = e->accepted,
                               .proposed = e->proposed };
}
