/* How far a run can be trusted: its energy balance, and how many steps its motion has in a period.
 */
#include <math.h>
#include <stdio.h>

#include "response/transient/impl.h"

enum { ALL = 64, GAP = 5 }; /* steps that are all looked at; then the least distance of two */

/* Every step at first, then one of some 13, at distances from 5 to 20 without a pattern: a regular
   one could always meet the same phase. */
ms_status ms_transient_refuse_energy(const ms_transient *run) {
  double most = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) most = fmax(most, fabs(run->v[r]));
  return ms_fail(run->ctx, MS_ERR_NUMERIC,
                 "at t = %g the motion is too large for its energy to be a number (modal velocity "
                 "%.3g); are units and amplitudes those that were meant?",
                 run->t, most);
}

ms_status ms_transient_sample_motion(ms_transient *run) {
  const ptrdiff_t now = run->count.steps;
  const double *restrict v = run->v, *restrict a = run->a;
  double *restrict v2 = run->v_square, *restrict a2 = run->a_square, all = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    v2[r] += v[r] * v[r];
    a2[r] += a[r] * a[r];
    all += v2[r] + a2[r];
  }
  run->sample_at = now < ALL ? now + 1 : now + GAP + (ptrdiff_t)((unsigned)now * 2654435761u >> 28);
  return isfinite(all) ? MS_SUCCESS : ms_transient_refuse_energy(run);
}

ms_transient_quality ms_transient_get_quality(const ms_transient *run) {
  ms_transient_quality out = { .balance = -1.0,
                               .mode = -1,
                               .steps = HUGE_VAL,
                               .steps_least = run->method->steps_least,
                               .coarse = run->count.coarse };
  ms_transient_energy e;
  if (ms_transient_get_energy(run, &e) == MS_SUCCESS) {
    const double size = fmax(fabs(e.start), run->largest_input);
    out.balance = size > 0.0 ? fabs(e.balance) / size : 0.0;
  } else {
    ms_context_clear_message(run->ctx);
  }
  double all = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) all += run->v_square[r];
  for (ptrdiff_t r = 0; r < run->m; r++) {
    const double share = all > 0.0 ? run->v_square[r] / all : 0.0;
    const double omega = share > 0.0 ? sqrt(run->a_square[r] / run->v_square[r]) : 0.0;
    if (!(share >= MS_TRANSIENT_SHARE) || omega <= out.omega) continue;
    out.mode = r;
    out.omega = omega;
    out.share = share;
    out.steps = 2.0 * acos(-1.0) / (omega * run->setting.step);
  }
  if (run->setting.tolerance > 0.0) out.steps_least = 0.0; /* as many as the error asked for */
  return out;
}

int ms_transient_quality_doubt(const ms_transient_quality *q, ms_transient_doubt kind, char *text,
                               size_t size) {
  const int applies[MS_N_DOUBT] = {
    [MS_DOUBT_STEP] =
        q->steps<q->steps_least, [MS_DOUBT_BALANCE] = !(q->balance <= MS_TRANSIENT_BALANCE),
                 [MS_DOUBT_SLIP] = q->coarse> 0
  };
  if (!applies[kind]) return 0;
  if (kind == MS_DOUBT_STEP) {
    snprintf(text, size,
             "the time step is too coarse: mode %td, with %.3g %% of the kinetic energy, has %.3g "
             "steps in a period; at least %g are required",
             q->mode + 1, 100.0 * q->share, q->steps, q->steps_least);
  } else if (kind == MS_DOUBT_BALANCE) {
    snprintf(text, size,
             "the energy balance is off by %.3g %% of the energy put in; try smaller steps",
             100.0 * q->balance);
  } else {
    snprintf(
        text, size,
        "the step is too long for stiff joints that slip, even where it was divided (%td parts "
        "of steps); try smaller steps, or method newmark",
        q->coarse);
  }
  return 1;
}

static double severity(const ms_transient_quality *q, ms_transient_doubt kind) {
  if (kind == MS_DOUBT_STEP) return q->steps_least / q->steps;
  return kind == MS_DOUBT_BALANCE ? q->balance : (double)q->coarse;
}

void ms_transient_quality_merge(const ms_transient_quality *run, ms_transient_quality *worst) {
  const double balance = worst->balance;
  const ptrdiff_t coarse = worst->coarse;
  if (!(severity(worst, MS_DOUBT_STEP) >= severity(run, MS_DOUBT_STEP))) *worst = *run;
  worst->balance = run->balance <= balance ? balance : run->balance;
  worst->coarse = run->coarse > coarse ? run->coarse : coarse;
}

/* Which of n runs has that reason worst, -1 for none, and how many have it. */
static ptrdiff_t find_worst(ptrdiff_t n, ms_transient_quality_fn *get, const void *user,
                            ms_transient_doubt kind, ptrdiff_t *count) {
  ptrdiff_t worst = -1;
  double most = 0.0;
  *count = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const char *source = NULL;
    char text[320];
    const ms_transient_quality *q = get(user, i, &source);
    if (!ms_transient_quality_doubt(q, kind, text, sizeof text)) continue;
    ++*count;
    if (worst >= 0 && !(severity(q, kind) > most)) continue;
    worst = i;
    most = severity(q, kind);
  }
  return worst;
}

/* Zeros are right where nothing pushes, but seldom what was meant. */
int ms_transient_quality_warning(ptrdiff_t n, ms_transient_quality_fn *get, const void *user, int i,
                                 int *doubtful, char *text, size_t size) {
  *doubtful = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    const char *source = NULL;
    if (get(user, k, &source)->mode >= 0 || i-- != 0) continue;
    snprintf(text, size, "%s%snothing moves: no mode takes part", source ? source : "",
             source ? ": " : "");
    return 1;
  }
  *doubtful = 1;
  for (int kind = 0; kind < MS_N_DOUBT; kind++) {
    const char *source = NULL;
    char why[320];
    ptrdiff_t count, worst = find_worst(n, get, user, (ms_transient_doubt)kind, &count);
    if (worst < 0 || i-- != 0) continue;
    ms_transient_quality_doubt(get(user, worst, &source), (ms_transient_doubt)kind, why,
                               sizeof why);
    if (n == 1) snprintf(text, size, "%s", why);
    if (n == 1) return 1;
    snprintf(text, size, "%s: %s (%td of %td runs, this one worst)", source ? source : "a run", why,
             count, n);
    return 1;
  }
  return 0;
}
