/* Masses on the foundation, shaken from rest until the motion repeats: the last cycle. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/rod/impl.h"

static double force_at(const ms_rod_cycle *r, double step) {
  return r->amplitude * sin((2.0 * MS_PI) * step / (double)r->steps);
}

/* The end of the rod without inertia, in its steady cycle: the branch that the sample is on. */
static double still_end(const ms_pressure *p, double amplitude, double tau, double F) {
  const double quarter = 1.57079632679489661923;
  const int falling = tau > quarter && tau <= 3.0 * quarter;
  const double from = falling ? amplitude : -amplitude;
  const double u_from = -ms_rod_first_displacement(p, amplitude);
  const double moved = 2.0 * ms_rod_first_displacement(p, 0.5 * (F - from));
  return falling ? u_from + moved : -u_from - moved;
}

/* Sample k ends at a whole step. */
static void take_sample(const ms_pressure *p, const ms_rod_chain *chain, ptrdiff_t k, double dt,
                        double work, ms_rod_cycle *r) {
  const ms_rod_chain_state at = ms_rod_chain_get(chain);
  const double step = at.time * r->omega / (2.0 * MS_PI) * (double)r->steps;
  ms_rod_sample *x = &r->sample[k];
  x->tau =
      k == MS_ROD_SAMPLES - 1 ? (2.0 * MS_PI) : (2.0 * MS_PI) * fmod(step / (double)r->steps, 1.0);
  x->force = force_at(r, step);
  x->u = at.u[0];
  x->power = (at.work - work) / dt;
  x->u_still = still_end(p, r->amplitude, x->tau, x->force);
  if (r->u) memcpy(r->u + r->n * k, at.u, (size_t)r->n * sizeof *r->u);
}

static ms_status march(ms_context *ctx, const ms_pressure *p, ms_rod_chain *chain,
                       ms_rod_cycle *r) {
  const ptrdiff_t first = (r->cycles - 1) * r->steps, end = r->cycles * r->steps;
  const double h = (2.0 * MS_PI) / r->omega / (double)r->steps;
  ptrdiff_t k = 0, last = first;
  double before = 0.0, work = 0.0;
  for (ptrdiff_t i = 0; i < end; i++) {
    double F[3];
    for (int j = 0; j < 3; j++) F[j] = force_at(r, (double)(i % r->steps) + 0.5 * j);
    if (i == first) before = work = ms_rod_chain_get(chain).work;
    MS_TRY(ms_rod_chain_step(chain, F));
    if (i % 4096 == 0) MS_TRY(ms_progress(ctx, "rod", (double)i / (double)end));
    if (i < first || (i + 1 - first) * MS_ROD_SAMPLES < (k + 1) * r->steps) continue;
    take_sample(p, chain, k++, h * (double)(i + 1 - last), work, r);
    work = ms_rod_chain_get(chain).work;
    last = i + 1;
  }
  const ms_rod_chain_state at = ms_rod_chain_get(chain);
  r->work = at.work - before;
  r->residual = at.residual;
  r->rescued = (double)at.rescued;
  r->solves = (double)at.solves / (double)at.steps;
  return MS_SUCCESS;
}

ms_status ms_rod_cycle_run(ms_context *ctx, const ms_pressure *p, ms_rod_cycle *r) {
  ms_rod_chain *chain = NULL;
  MS_NEED(ctx, ctx && p && r);
  if (r->cycles < 2 || r->steps < MS_ROD_SAMPLES || !(r->omega > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "a cycle needs omega > 0, 2 cycles and %d steps in each",
                   (int)MS_ROD_SAMPLES);
  }
  ms_rod_chain_setting setting = MS_ROD_CHAIN_DEFAULT;
  setting.n = r->n;
  setting.step = (2.0 * MS_PI) / r->omega / (double)r->steps;
  MS_TRY(ms_rod_chain_create(ctx, p, &setting, &chain));
  ms_status status = ms_allocate(ctx, MS_ROD_SAMPLES, sizeof *r->sample, &r->sample);
  if (status == MS_SUCCESS && r->keep) {
    status = ms_allocate(ctx, MS_ROD_SAMPLES * r->n, sizeof *r->u, &r->u);
  }
  if (status == MS_SUCCESS) status = march(ctx, p, chain, r);
  if (status == MS_SUCCESS) {
    status = ms_rod_chain_cycle_loss(ctx, p, r->n, r->amplitude, &r->loss_chain);
  }
  if (status == MS_SUCCESS) r->loss_rod = ms_rod_cycle_loss(p, r->amplitude);
  ms_rod_chain_destroy(&chain);
  return status;
}

void ms_rod_cycle_free(ms_context *ctx, ms_rod_cycle *r) {
  ms_free(ctx, &r->sample);
  ms_free(ctx, &r->u);
}
