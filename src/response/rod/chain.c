/* n masses on a frictional foundation. */
#include "response/rod/chain.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"

void ms_rod_chain_default(ms_rod_chain_setting *setting, size_t size) {
  ms_settings_fill(&(ms_rod_chain_setting)MS_ROD_CHAIN_DEFAULT, setting, size);
}

static ms_status reserve(ms_rod_chain *c) {
  const ptrdiff_t n = c->is.n;
  double **const array[] = { &c->x, &c->psi, &c->u,     &c->v,      &c->G,
                             &c->b, &c->w,   &c->pivot, &c->trial_G };
  enum { ARRAYS = sizeof array / sizeof *array, SLOPES = 10 };
  MS_TRY(ms_allocate(c->ctx, (ARRAYS + SLOPES) * n, sizeof *c->memory, &c->memory));
  MS_TRY(ms_allocate(c->ctx, 2 * n, sizeof *c->sign, &c->sign));
  c->before = c->sign + n;
  for (int i = 0; i < ARRAYS; i++) *array[i] = c->memory + i * n;
  c->k = c->memory + ARRAYS * n;
  return MS_SUCCESS;
}

ms_status ms_rod_chain_create(ms_context *ctx, const ms_pressure *pressure,
                              const ms_rod_chain_setting *setting, ms_rod_chain **out) {
  ms_rod_chain_setting own = MS_ROD_CHAIN_DEFAULT;
  ms_rod_chain *c;
  MS_MAKE(ctx, out, pressure && setting);
  MS_TAKE(ctx, ms_rod_chain_default, setting, own);
  if (setting->n < 2)
    return ms_fail(ctx, MS_ERR_BOUNDS, "a rod of %td masses; it takes two", setting->n);
  if (!(setting->step > 0.0 && setting->step < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "the time step %g must be positive", setting->step);
  }
  if (setting->method == MS_ROD_RAMP && !(setting->ramp > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "the ramp's velocity %g must be positive", setting->ramp);
  }
  if (!(setting->sweep_tolerance >= 0.0 && setting->sweep_tolerance < 1.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "sweep_tolerance = %g must be in (0, 1), or 0 for 1e-13",
                   setting->sweep_tolerance);
  }
  MS_TRY(ms_allocate(ctx, 1, sizeof *c, &c));
  *c = (ms_rod_chain) { .ctx = ctx, .is = *setting };
  if (c->is.sweep_tolerance == 0.0) c->is.sweep_tolerance = 1e-13;
  ms_status status = reserve(c);
  if (status != MS_SUCCESS) {
    ms_rod_chain_destroy(&c);
    return status;
  }
  for (ptrdiff_t i = 0; i < setting->n; i++) {
    c->x[i] = ((double)i + 0.5) / (double)setting->n;
    c->psi[i] = ms_pressure_psi(pressure, c->x[i]);
  }
  *out = c;
  return MS_SUCCESS;
}

void ms_rod_chain_destroy(ms_rod_chain **chain) {
  if (!chain || !*chain) return;
  ms_rod_chain *c = *chain;
  ms_free(c->ctx, &c->memory);
  ms_free(c->ctx, &c->sign);
  ms_free(c->ctx, chain);
}

ms_status ms_rod_chain_step(ms_rod_chain *c, const double F[3]) {
  if (c->is.method == MS_ROD_MOREAU) MS_TRY(ms_chain_step_moreau(c, F));
  if (c->is.method != MS_ROD_MOREAU) ms_chain_step_kutta(c, F);
  c->steps++;
  c->time = c->is.step * (double)c->steps;
  return MS_SUCCESS;
}

ms_rod_chain_state ms_rod_chain_get(const ms_rod_chain *c) {
  return (ms_rod_chain_state) { .n = c->is.n,
                                .x = c->x,
                                .u = c->u,
                                .v = c->v,
                                .G = c->G,
                                .time = c->time,
                                .work = c->work,
                                .power = c->power,
                                .residual = c->residual,
                                .steps = c->steps,
                                .solves = c->solves,
                                .rescued = c->rescued };
}

/* ---- without inertia ---- */

/* First loading of the chain: m masses slip, each carrying its whole friction, and the next one
   stands still. The force on link i (between masses i and i + 1) is f less the friction before it;
   a mass slips against its friction psi_i/n by the stretch of all links up to the one that stands.
   Friction above f sticks. */
ms_status ms_rod_chain_cycle_loss(ms_context *ctx, const ms_pressure *pressure, ptrdiff_t n,
                                  double f, double *loss) {
  double rest = fabs(f), u = 0.0;
  ptrdiff_t m = 0;
  *loss = 0.0;
  if (n < 2) return ms_fail(ctx, MS_ERR_BOUNDS, "a rod of %td masses; it takes two", n);
  while (m < n) {
    double next = ms_pressure_psi(pressure, ((double)m + 0.5) / (double)n) / (double)n;
    if (rest <= next) break;
    rest -= next;
    m++;
  }
  if (m == n) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "at a force of %g the rod slides away", f);
  }
  /* from the innermost slipping mass outward: `rest` is the force in the link beyond it */
  for (ptrdiff_t i = m - 1; i >= 0; i--) {
    double own = ms_pressure_psi(pressure, ((double)i + 0.5) / (double)n) / (double)n;
    u += rest / (double)n;
    *loss += 4.0 * own * u;
    rest += own;
  }
  return MS_SUCCESS;
}
