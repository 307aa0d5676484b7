/* The best of many local fits, judged. */
#include <math.h>
#include <microslip/calibrate_methods.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/calibrate/residuals.h"

/* Residuals in units of their scatter. */
typedef struct scaled_problem {
  ms_calibration *on;
  ptrdiff_t m, n;
  double scale;
} scaled_problem;

static ms_status eval_scaled(void *user, const double *p, double *r, double *jac) {
  const scaled_problem *x = user;
  MS_TRY(ms_calibration_eval(x->on, p, r, jac));
  for (ptrdiff_t i = 0; i < x->m; i++) r[i] *= x->scale;
  for (ptrdiff_t i = 0; jac && i < x->m * x->n; i++) jac[i] *= x->scale;
  return MS_SUCCESS;
}

/* A start without an answer says why, if the model still knows. */
static ms_status fail_all(ms_context *ctx, ms_calibration *c, const ms_starts *s) {
  ms_solution first;
  ms_status status = ms_calibration_solve(c, "", s->found, &first);
  ms_solution_free(ctx, &first);
  if (status == MS_SUCCESS) ms_fail(ctx, MS_NOT_CONVERGED, "the model has no answer there");
  return ms_fail_at(ctx, MS_NOT_CONVERGED, "none of %td starts could be evaluated", s->count);
}

/* A model that leaves more than the noise that was given is not right to that noise, and neither
   are its parameters: errors grow with what is left. */
ms_status ms_calibration_judge(ms_calibration *c, const ms_starts *s, double noise, uint64_t seed,
                               ms_best_fit *out) {
  ms_context *ctx = ms_calibration_context(c);
  ms_fit_problem problem = ms_calibration_problem(c, s->bound);
  ms_fit_setting setting = MS_FIT_DEFAULT;
  const ptrdiff_t data = ms_calibration_count_data(c), rest = data > s->n ? data - s->n : 1;
  out->best = ms_starts_find_best(s, 0.0);
  if (out->best < 0) return fail_all(ctx, c, s);
  out->agree = ms_starts_count_agreeing(s, out->best);
  if (data < s->n) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%td numbers that have a weight do not determine %td parameters", data, s->n);
  }
  const double left = sqrt(s->local[out->best].sum / (double)rest);
  out->supposed = noise > 0.0 ? noise : fmax(left, ms_calibration_least_noise(c));
  out->scatter = fmax(left, out->supposed);
  scaled_problem scaled = { c, problem.m, s->n, 1.0 / out->scatter };
  problem.eval = eval_scaled;
  problem.user = &scaled;
  setting.seed = seed;
  setting.known_noise = 1;
  MS_TRY(ms_fit_judge(ctx, &problem, &setting, s->found + s->n * out->best, &out->judgement));
  return ms_starts_weigh_rivals(ctx, s, out->best, out->scatter, &out->judgement);
}

int ms_best_fit_warning(const ms_best_fit *fit, const ms_starts *starts, ptrdiff_t i, char *text,
                        size_t size) {
  const double times = fit->scatter / fit->supposed;
  const int poor = times > ms_identify_tol.poor;
  if (!poor || i > 0) {
    return ms_starts_warning(starts, fit->best, &fit->judgement, i - poor, text, size);
  }
  snprintf(text, size,
           "the residual of the fit is %.3g times the noise that was given: the model does not "
           "describe these data, or the noise is larger; standard errors are scaled by it",
           times);
  return 1;
}

double ms_solution_misfit(const ms_solution *s, const ms_target *target, ptrdiff_t k, int i) {
  const ms_target_view *v = &s->view[k];
  const double rms = sqrt(s->f[2 * k + i]);
  double low = HUGE_VAL, high = 0.0;
  if (target[k].kind != MS_TARGET_CURVE && target[k].kind != MS_TARGET_HIT) return rms;
  for (ptrdiff_t j = 0; i == 0 && j < v->n; j++) {
    low = fmin(low, v->target[i][j]);
    high = fmax(high, v->target[i][j]);
  }
  return i == 0 ? rms * high / fmax(high - low, ms_identify_tol.judged_shift * high) : rms;
}

ms_worst_misfit ms_solution_find_worst(const ms_solution *s, ptrdiff_t n_target,
                                       const ms_target *target, double limit) {
  ms_worst_misfit worst = { .target = 0 };
  for (ptrdiff_t j = 0; j < 2 * n_target; j++) {
    const ms_target *t = &target[j / 2];
    const int i = (int)(j % 2);
    if (!(t->weight[i] > 0.0) || !ms_target_quantity(t->kind, i)) continue;
    const double misfit = ms_solution_misfit(s, target, j / 2, i);
    worst.all++;
    worst.above += misfit > limit;
    if (misfit > worst.misfit) worst.misfit = misfit, worst.target = j / 2, worst.quantity = i;
  }
  return worst;
}

int ms_solution_unreached_warning(const ms_solution *solution, ptrdiff_t n_target,
                                  const ms_target *target, char *text, size_t size) {
  for (ptrdiff_t k = 0; k < n_target; k++) {
    const ms_target_view *v = &solution->view[k];
    char rows[120] = "";
    size_t at = 0;
    ptrdiff_t n = 0, named = 0;
    for (ptrdiff_t i = 0; v->unreached && i < v->n; i++) {
      if (!v->unreached[i]) continue;
      n++;
      if (at + 16 < sizeof rows && ++named)
        at += (size_t)snprintf(rows + at, sizeof rows - at, "%s%d", at ? ", " : "", v->row[i]);
    }
    if (n == 0) continue;
    snprintf(
        text, size,
        "%td of %td points of %.200s could not be reached from the measured motion (rows %s%s): "
        "the model may be on another branch of its curve there",
        n, v->n, target[k].name, rows, named < n ? ", ..." : "");
    return 1;
  }
  return 0;
}

int ms_solution_warning(const ms_solution *solution, ptrdiff_t n_target, const ms_target *target,
                        double limit, char *text, size_t size) {
  const ms_worst_misfit x = ms_solution_find_worst(solution, n_target, target, limit);
  if (x.above == 0) return 0;
  const char *quantity = ms_target_quantity(target[x.target].kind, x.quantity);
  snprintf(text, size,
           "the fit is poor: the %s of %.200s is off by %.3g of its %s (rms; more than "
           "misfit_limit %g in %td of %td quantities, this one worst): the model does not describe "
           "these data, or the search was too short",
           quantity, target[x.target].name, x.misfit,
           strcmp(quantity, "frequency") == 0 ? "shift" : "size", limit, x.above, x.all);
  return 1;
}
