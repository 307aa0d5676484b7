/* Whether a calibration can be trusted: what the best solution leaves of the targets, bounds, and
   what the data do not determine. */
#include <math.h>
#include <string.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/methods/posterior.h"

#define LEAST_SHIFT 1e-3 /* of a frequency: one that changes by less is held to this much */
#define AT_BOUND    1e-4 /* of the bounds' range, as for a local fit */

/* rms over the points of target k, relative: of a frequency to its shift, as in the fit; of
   anything else to its value. */
static double find_misfit(const ms_calibrate *c, ptrdiff_t k, int i) {
  const ms_calibrate_solution *x = &c->solution[0];
  const ms_target_view *v = &x->view[k].is;
  const double rms = sqrt(x->f[2 * k + i]);
  double low = HUGE_VAL, high = 0.0;
  if (strcmp(c->target[k].kind->quantity[i], "frequency") != 0) return rms;
  for (ptrdiff_t j = 0; j < v->n; j++) {
    low = fmin(low, v->target[i][j]);
    high = fmax(high, v->target[i][j]);
  }
  return rms * high / fmax(high - low, LEAST_SHIFT * high);
}

/* The worst quantity of all targets, where it is above the limit. */
static ms_status judge_misfit(ms_study *s, ms_task *task, const ms_calibrate *c) {
  ptrdiff_t at = 0, poor = 0, all = 0;
  int which = 0;
  double worst = 0.0;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    for (int i = 0; i < 2; i++) {
      if (!(c->target[k].weight[i] > 0.0) || !c->target[k].kind->quantity[i]) continue;
      const double misfit = find_misfit(c, k, i);
      all++;
      poor += misfit > c->misfit_limit;
      if (misfit > worst) worst = misfit, at = k, which = i;
    }
  }
  if (poor == 0) return MS_SUCCESS;
  const char *quantity = c->target[at].kind->quantity[which];
  return ms_task_doubt(s, task,
                       "the fit is poor: the %s of %.200s is off by %.3g of its %s (rms; more than "
                       "misfit_limit %g in %td of %td quantities, this one worst): the model does "
                       "not describe these data, or the search was too short",
                       quantity, c->target[at].name, worst,
                       strcmp(quantity, "frequency") == 0 ? "shift" : "size", c->misfit_limit, poor,
                       all);
}

/* Residuals of several times the noise that was given are those of another model, or noise. */
static ms_status judge_scatter(ms_study *s, ms_task *task, const ms_calibrate *c) {
  if (c->scatter <= MS_CALIBRATE_POOR * c->supposed) return MS_SUCCESS;
  return ms_task_doubt(s, task,
                       "the residual of the fit is %.3g times the noise that was given: the model "
                       "does not describe these data, or the noise is larger; standard errors are "
                       "scaled by it",
                       c->scatter / c->supposed);
}

/* The knee of a front has no Jacobian that could say more. */
static ms_status judge_knee(ms_study *s, ms_task *task, const ms_calibrate *c) {
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_fit_parameter *b = &c->bound[i];
    const double t = ms_fit_scaled(b, c->solution[0].p[i]);
    if (t > AT_BOUND && t < 1.0 - AT_BOUND) continue;
    MS_TRY(ms_task_doubt(s, task, "%s ended at its %s bound, %g", b->name,
                         t < 0.5 ? "lower" : "upper", t < 0.5 ? b->lower : b->upper));
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_judge(ms_study *s, ms_task *task) {
  const ms_calibrate *c = task->product;
  MS_TRY(ms_calibrate_judge_samples(s, task));
  MS_TRY(c->noise > 0.0 && c->judged ? judge_scatter(s, task, c) : judge_misfit(s, task, c));
  if (!c->judged) return judge_knee(s, task, c);
  MS_TRY(ms_starts_judge(s, task, &c->fits, c->best, &c->judgement));
  if (c->chain) return MS_SUCCESS; /* its intervals say what is not determined */
  return ms_starts_judge_open(s, task, &c->fits, &c->judgement);
}
