/* What a least-squares fit is worth: how well parameters are known, and which combinations of them
   the data do not see.

   J    Jacobian of the residuals by the parameters, each in its unit: J = U diag(sigma) V^T
   s    standard deviation of a residual: 1, or sqrt(sum r^2/(m - n))
   C    covariance in units, s^2 sum over k of v_k v_k^T / sigma_k^2

   Direction v_k is open if a step of one unit along it moves the residuals by less than `weak`
   (sigma_k/sqrt(m)), or if its standard error s/sigma_k is above `vague`. */
#include <lapacke.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/fit/fit.h"

enum { REMARKS = 4000 };

typedef struct judge {
  ms_context *ctx;
  const ms_fit_problem *problem;
  const ms_fit_setting *setting;
  const double *p;
  double *r, *jac, *scratch, *unit;
  ms_fit_judgement *out;
} judge;

/* Relative standard error; that of a parameter that the data do not determine is not finite. */
static double relative_error(const ms_fit_judgement *j, const double *p, ptrdiff_t i) {
  return j->determined[i] ? j->standard_error[i] / fabs(p[i]) : HUGE_VAL;
}

ptrdiff_t ms_fit_rank(const ms_fit_judgement *j, ptrdiff_t n, const double *p, ptrdiff_t k) {
  for (ptrdiff_t i = 0; i < n; i++) {
    const double own = relative_error(j, p, i);
    ptrdiff_t better = 0;
    for (ptrdiff_t l = 0; l < n; l++) {
      const double other = relative_error(j, p, l);
      better += other < own || (l < i && !(own < other));
    }
    if (better == k) return i;
  }
  return 0;
}

void ms_fit_judgement_destroy(ms_context *ctx, ms_fit_judgement *j) {
  if (!j) return;
  ms_free(ctx, &j->standard_error);
  ms_free(ctx, &j->covariance);
  ms_free(ctx, &j->correlation);
  ms_free(ctx, &j->determined);
  ms_free(ctx, &j->at_bound);
  ms_free(ctx, &j->sigma);
  ms_free(ctx, &j->direction);
  ms_free(ctx, &j->open);
  ms_free(ctx, &j->remarks);
}

static ms_status allocate(judge *w) {
  ms_context *ctx = w->ctx;
  ms_fit_judgement *o = w->out;
  ptrdiff_t n = w->problem->n, m = w->problem->m;
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &o->standard_error));
  MS_TRY(ms_allocate(ctx, n * n, sizeof(double), &o->covariance));
  MS_TRY(ms_allocate(ctx, n * n, sizeof(double), &o->correlation));
  MS_TRY(ms_allocate(ctx, n, sizeof(int), &o->determined));
  MS_TRY(ms_allocate(ctx, n, sizeof(int), &o->at_bound));
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &o->sigma));
  MS_TRY(ms_allocate(ctx, n * n, sizeof(double), &o->direction));
  MS_TRY(ms_allocate(ctx, n, sizeof(int), &o->open));
  MS_TRY(ms_allocate(ctx, REMARKS, 1, &o->remarks));
  MS_TRY(ms_allocate(ctx, m, sizeof(double), &w->r));
  MS_TRY(ms_allocate(ctx, m * n, sizeof(double), &w->jac));
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &w->unit));
  return ms_allocate(ctx, 2 * m + 8 * n + n * n, sizeof(double), &w->scratch);
}

/* Jacobian in units and its singular values; direction[i + n*k] is component i of v_k. */
static ms_status decompose(judge *w) {
  ptrdiff_t n = w->problem->n, m = w->problem->m;
  MS_TRY(ms_fit_jacobian(w->problem, w->setting, w->p, w->r, w->jac, w->scratch));
  for (ptrdiff_t j = 0; j < n; j++) {
    w->unit[j] = ms_fit_unit(&w->problem->parameter[j], w->p[j]);
    for (ptrdiff_t k = 0; k < m; k++) {
      w->jac[k + m * j] *= w->unit[j];
      if (isfinite(w->jac[k + m * j])) continue;
      return ms_fail(w->ctx, MS_ERR_NUMERIC, "fit: derivative of residual %td by %s is not finite",
                     k + 1, w->problem->parameter[j].name);
    }
  }
  double *vt = w->scratch, *superb = w->scratch + n * n;
  int info = (int)LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'O', 'S', (int)m, (int)n, w->jac, (int)m,
                                 w->out->sigma, NULL, 1, vt, (int)n, superb);
  if (info != 0) {
    return ms_fail(w->ctx, MS_ERR_NUMERIC, "fit: no singular values of the Jacobian (LAPACK %d)",
                   info);
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t i = 0; i < n; i++) w->out->direction[i + n * k] = vt[k + n * i];
  }
  return MS_SUCCESS;
}

static void find_scatter(judge *w) {
  double sum = 0.0, m = (double)w->problem->m, freedom = m - (double)w->problem->n;
  for (ptrdiff_t k = 0; k < w->problem->m; k++) sum += w->r[k] * w->r[k];
  w->out->rms = sqrt(sum / m);
  w->out->scatter = w->setting->known_noise ? 1.0 : sqrt(sum / fmax(freedom, 1.0));
}

/* Standard error along direction k, in units; infinite where rounding is all there is. */
static double width_of(const judge *w, ptrdiff_t k) {
  double sigma = w->out->sigma[k];
  return sigma > 1e-13 * w->out->sigma[0] ? w->out->scatter / sigma : HUGE_VAL;
}

static void find_open(judge *w) {
  double root = sqrt((double)w->problem->m);
  for (ptrdiff_t k = 0; k < w->problem->n; k++) {
    double width = width_of(w, k);
    w->out->open[k] = !(w->out->sigma[k] > w->setting->weak * root) || width > w->setting->vague;
    w->out->n_open += w->out->open[k];
  }
}

static void fill_covariance(judge *w) {
  ms_fit_judgement *o = w->out;
  ptrdiff_t n = w->problem->n;
  for (ptrdiff_t k = 0; k < n; k++) {
    const double *v = o->direction + n * k;
    double width = width_of(w, k);
    if (o->open[k]) width = isfinite(width) ? fmax(width, 1.0) : 1.0;
    for (ptrdiff_t i = 0; i < n; i++) {
      for (ptrdiff_t j = 0; j <= i; j++) {
        o->covariance[i + n * j] += width * width * v[i] * v[j] * w->unit[i] * w->unit[j];
      }
    }
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    o->standard_error[i] = sqrt(o->covariance[i + n * i]);
    for (ptrdiff_t j = 0; j <= i; j++) {
      double c = o->covariance[i + n * j], both = o->standard_error[i] * o->standard_error[j];
      o->covariance[j + n * i] = c;
      c = i == j ? 1.0 : both > 0.0 ? c / both : 0.0;
      o->correlation[i + n * j] = o->correlation[j + n * i] = c;
    }
  }
}

int ms_fit_at_bound(const ms_fit_parameter *parameter, double p) {
  const double near = 1e-4, t = ms_fit_scaled(parameter, p);
  return t < near ? -1 : t > 1.0 - near ? 1 : 0;
}

/* A parameter is open if a good part of its axis lies in open directions. */
static void find_determined(judge *w) {
  ms_fit_judgement *o = w->out;
  ptrdiff_t n = w->problem->n;
  for (ptrdiff_t i = 0; i < n; i++) {
    double share = 0.0;
    for (ptrdiff_t k = 0; k < n; k++) {
      if (o->open[k]) share += o->direction[i + n * k] * o->direction[i + n * k];
    }
    o->determined[i] = share < 0.1;
    o->at_bound[i] = ms_fit_at_bound(&w->problem->parameter[i], w->p[i]);
  }
}

/* ---- words ---- */

static void say(judge *w, const char *format, ...) MS_PRINTF(2, 3);
static void say(judge *w, const char *format, ...) {
  size_t used = strlen(w->out->remarks);
  va_list args;
  va_start(args, format);
  vsnprintf(w->out->remarks + used, REMARKS - used, format, args);
  va_end(args);
}

/* The parameters that a direction moves, the largest first; returns how many. */
static ptrdiff_t movers(const judge *w, const double *v, ptrdiff_t *which) {
  ptrdiff_t n = w->problem->n, found = 0;
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) largest = fmax(largest, fabs(v[i]));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (fabs(v[i]) < 0.2 * largest) continue;
    ptrdiff_t k = found++;
    for (; k > 0 && fabs(v[which[k - 1]]) < fabs(v[i]); k--) which[k] = which[k - 1];
    which[k] = i;
  }
  return found;
}

/* " (+10 %, -8.3 %)": a change that goes unseen; of the parameter's value, or as it is if its unit
   is not its value. */
static void say_change(judge *w, const double *v, ptrdiff_t n, const ptrdiff_t *which) {
  double factor = 0.1 / fabs(v[which[0]]);
  for (ptrdiff_t k = 0; k < n; k++) {
    ptrdiff_t i = which[k];
    double change = factor * v[i] * (v[which[0]] < 0.0 ? -1.0 : 1.0);
    say(w, k ? ", " : " (");
    if (w->problem->parameter[i].logarithmic && w->unit[i] == w->p[i]) {
      say(w, "%+.3g %%", 100.0 * change);
    } else {
      say(w, "%+.3g", change * w->unit[i]);
    }
  }
  say(w, ")");
}

static void say_direction(judge *w, ptrdiff_t k, ptrdiff_t *which) {
  const double *v = w->out->direction + w->problem->n * k;
  const ms_fit_parameter *q = w->problem->parameter;
  ptrdiff_t n = movers(w, v, which);
  if (n == 1) {
    say(w, "The data do not determine %s.\n", q[which[0]].name);
    return;
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    say(w, "%s%s", i == 0 ? "" : i == n - 1 ? " and " : ", ", q[which[i]].name);
  }
  say(w, " can be traded against each other");
  say_change(w, v, n, which);
  say(w, ": the data do not see it.\n");
}

static ms_status find_words(judge *w) {
  ptrdiff_t *which = NULL;
  MS_TRY(ms_allocate(w->ctx, w->problem->n, sizeof *which, &which));
  for (ptrdiff_t k = w->problem->n; k-- > 0;) {
    if (w->out->open[k]) say_direction(w, k, which);
  }
  ms_free(w->ctx, &which);
  return MS_SUCCESS;
}

static ms_status run(judge *w) {
  ptrdiff_t n = w->problem->n;
  MS_TRY(allocate(w));
  MS_TRY(decompose(w));
  find_scatter(w);
  find_open(w);
  fill_covariance(w);
  find_determined(w);
  const double *sigma = w->out->sigma;
  w->out->condition = sigma[n - 1] > 1e-16 * sigma[0] ? sigma[0] / sigma[n - 1] : 1e16;
  return find_words(w);
}

ms_status ms_fit_judge(ms_context *ctx, const ms_fit_problem *problem,
                       const ms_fit_setting *setting, const double *p, ms_fit_judgement *out) {
  ms_fit_setting own = MS_FIT_DEFAULT;
  judge w = { .ctx = ctx, .problem = problem, .setting = &own, .p = p, .out = out };
  *out = (ms_fit_judgement) { 0 };
  MS_TAKE(ctx, ms_fit_default, setting, own);
  MS_TRY(ms_fit_check(ctx, problem, w.setting));
  ms_status status = run(&w);
  ms_free(ctx, &w.r);
  ms_free(ctx, &w.jac);
  ms_free(ctx, &w.scratch);
  ms_free(ctx, &w.unit);
  if (status) ms_fit_judgement_destroy(ctx, out);
  return status;
}
