/* A load cycled until the energy dissipated in a cycle repeats. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/impl.h"

typedef struct cycle_run {
  ms_contact *c;
  ptrdiff_t k;
  double p_0, amplitude;
  double *p;          /* all loads */
  double *before;     /* dissipated at the points when the cycle began */
  unsigned char *low; /* status at the lower end */
  double largest_residual;
  double ended; /* of all load steps, in amplitudes: a cycle has four */
} cycle_run;

/* Amplitudes that are half of the work: nobody knows how many cycles there will be. */
enum { EXPECTED = 4 };

/* Load k from p_0 + a amplitude to p_0 + b amplitude. *integral (may be NULL): of p - p_0 over v.
 */
static ms_status go(cycle_run *run, double a, double b, ptrdiff_t steps, double *integral) {
  ms_contact *c = run->c;
  for (ptrdiff_t i = 1; i <= steps; i++) {
    const double part = i == steps ? b : a + (b - a) * (double)i / (double)steps;
    const double p_old = c->now.p[run->k], v_old = c->now.v[run->k];
    run->p[run->k] = run->p_0 + part * run->amplitude;
    MS_TRY(ms_contact_load(c, run->p));
    run->largest_residual = fmax(run->largest_residual, c->now.residual);
    run->ended += fabs(b - a) / (double)steps;
    MS_TRY(ms_progress(c->ctx, "cycles", run->ended / (run->ended + EXPECTED)));
    if (!integral) continue;
    *integral += (0.5 * (p_old + run->p[run->k]) - run->p_0) * (c->now.v[run->k] - v_old);
  }
  return MS_SUCCESS;
}

static double sum_dissipated(const cycle_run *run, double *D) {
  const ms_contact *c = run->c;
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const double d = c->now.dissipated[i] - run->before[i];
    sum += d;
    if (D) D[i] = d;
  }
  return sum;
}

/* Work of the load and dissipation of the last cycle agree, but for what the forces are known to.
 */
static int is_balanced(const cycle_run *run, const ms_contact_cycle *out) {
  const ms_contact_setting *set = &run->c->setting;
  const double known = set->newton_tolerance * run->amplitude * (out->v_max - out->v_min);
  return fabs(out->work - out->D) <= set->tol.balance * out->D + known;
}

static void copy_normal(const ms_contact *c, double *out) {
  for (ptrdiff_t i = 0; out && i < c->n; i++) out[i] = c->now.lambda[3 * i + 2];
}

static ms_status repeat(cycle_run *run, ms_contact_cycle *out, const ms_contact_cycle_fields *f) {
  ms_contact *c = run->c;
  ptrdiff_t steps = c->setting.cycle_steps;
  const ptrdiff_t most = steps << c->setting.refine_max;
  double D_old = NAN;
  while (out->cycles < c->setting.cycle_max && !out->steady) {
    const double work = c->now.work;
    memcpy(run->before, c->now.dissipated, (size_t)c->n * sizeof *run->before);
    if (f->slip) memcpy(f->slip, c->now.slip, (size_t)c->n * sizeof *f->slip);
    run->largest_residual = 0.0;
    MS_TRY(go(run, 1.0, -1.0, steps, NULL));
    copy_normal(c, f->low);
    out->v_min = c->now.v[run->k];
    memcpy(run->low, c->now.status, (size_t)c->n);
    MS_TRY(go(run, -1.0, 1.0, steps, NULL));
    out->v_max = c->now.v[run->k];
    out->cycles++;
    out->steps = steps;
    out->D = sum_dissipated(run, f->D);
    copy_normal(c, f->high);
    for (ptrdiff_t i = 0; f->slip && i < c->n; i++)
      f->slip[i] = 0.25 * (c->now.slip[i] - f->slip[i]);
    out->work = c->now.work - work;
    out->change = out->D > 0.0 ? fabs(out->D - D_old) / out->D : fabs(out->D - D_old);
    out->steady = out->change <= c->setting.cycle_tolerance;
    out->balanced = is_balanced(run, out);
    D_old = out->D;
    if (!out->steady || out->balanced || steps == most) continue;
    steps *= 2;
    out->steady = 0;
  }
  out->largest_residual = run->largest_residual;
  out->slipped = out->opened = 0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    out->slipped += c->now.dissipated[i] > run->before[i];
    out->opened += (run->low[i] == MS_CONTACT_OPEN) != (c->now.status[i] == MS_CONTACT_OPEN);
  }
  return MS_SUCCESS;
}

static ms_status check_cycle(const ms_contact *c, ptrdiff_t k, double amplitude) {
  if (k >= 0 && k < c->n_load && amplitude > 0.0 && amplitude < HUGE_VAL) return MS_SUCCESS;
  return ms_fail(c->ctx, MS_ERR_BOUNDS,
                 "contact cycle: load %td of %td (from 0), amplitude %g, which must be above 0", k,
                 c->n_load, amplitude);
}

static ms_status open_run(ms_contact *c, ptrdiff_t k, double amplitude, cycle_run *run) {
  *run = (cycle_run) { .c = c, .k = k, .p_0 = c->now.p[k], .amplitude = amplitude };
  MS_TRY(ms_allocate(c->ctx, c->n_load + 2 * c->n, sizeof *run->p, &run->p));
  run->before = run->p + c->n_load;
  run->low = (unsigned char *)(run->before + c->n);
  memcpy(run->p, c->now.p, (size_t)c->n_load * sizeof *run->p);
  return MS_SUCCESS;
}

ms_status ms_contact_settle(ms_contact *c, ptrdiff_t k, double amplitude, int cycles) {
  cycle_run run;
  MS_NEED(c ? c->ctx : NULL, c);
  const ptrdiff_t steps = c->setting.cycle_steps, half = (steps + 1) / 2;
  MS_TRY(check_cycle(c, k, amplitude));
  MS_TRY(open_run(c, k, amplitude, &run));
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < cycles && !status; i++) {
    status = go(&run, 0.0, 1.0, half, NULL);
    if (!status) status = go(&run, 1.0, -1.0, steps, NULL);
    if (!status) status = go(&run, -1.0, 0.0, half, NULL);
  }
  if (!status) ms_contact_mark(c);
  ms_free(c->ctx, &run.p);
  return status;
}

ms_status ms_contact_run_cycle(ms_contact *c, ptrdiff_t k, double amplitude, ms_contact_cycle *out,
                               double *D) {
  return ms_contact_run_cycle_fields(c, k, amplitude, out, &(ms_contact_cycle_fields) { .D = D });
}

ms_status ms_contact_run_cycle_fields(ms_contact *c, ptrdiff_t k, double amplitude,
                                      ms_contact_cycle *out,
                                      const ms_contact_cycle_fields *fields) {
  double loading = 0.0;
  cycle_run run;
  MS_NEED(c ? c->ctx : NULL, c && out && fields);
  *out = (ms_contact_cycle) { .change = HUGE_VAL };
  MS_TRY(check_cycle(c, k, amplitude));
  MS_TRY(open_run(c, k, amplitude, &run));
  const double v_0 = c->now.v[k];
  const ms_contact_count before = c->count;
  ms_status status = go(&run, 0.0, 1.0, (c->setting.cycle_steps + 1) / 2, &loading);
  /* Masing: both branches are the first loading, doubled: 8 times its area above the chord. */
  if (!status) out->D_masing = 8.0 * loading - 4.0 * amplitude * (c->now.v[k] - v_0);
  if (!status) status = repeat(&run, out, fields);
  out->load_steps = c->count.steps - before.steps;
  out->iterations = c->count.iterations - before.iterations;
  out->slow = c->count.slow - before.slow;
  ms_free(c->ctx, &run.p);
  return status;
}
