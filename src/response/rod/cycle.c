/* Masses on the foundation, shaken from rest until the motion repeats: the last cycle. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "core/pack.h"
#include "response/rod/impl.h"
#include "response/rod/pack.h"

static double force_at(const ms_rod_cycle *r, double step) {
  return r->amplitude * sin((2.0 * MS_PI) * step / (double)r->steps);
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
  /* The end of the rod without inertia, in its steady cycle: the branch that the sample is on. */
  const double quarter = 1.57079632679489661923;
  const int falling = x->tau > quarter && x->tau <= 3.0 * quarter;
  const double from = falling ? r->amplitude : -r->amplitude;
  const double u_from = -ms_rod_first_displacement(p, r->amplitude);
  const double moved = 2.0 * ms_rod_first_displacement(p, 0.5 * (x->force - from));
  x->u_still = falling ? u_from + moved : -u_from - moved;
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

ms_status ms_rod_cycle_grid(ms_context *ctx, const ms_rod_cycle *request, ptrdiff_t map,
                            ptrdiff_t n_masses, const double *masses, ptrdiff_t n_amplitude,
                            const double *amplitude, ptrdiff_t n_omega, const double *omega,
                            ptrdiff_t *n, ms_rod_cycle **out) {
  enum { MOST = 1000 };
  const ptrdiff_t all = n_masses * n_amplitude * n_omega;
  *n = 0;
  if (all > MOST) return ms_fail(ctx, MS_ERR_BOUNDS, "%td runs; %d are the most", all, (int)MOST);
  MS_TRY(ms_allocate(ctx, all, sizeof **out, out));
  for (*n = 0; *n < all; ++*n) {
    const ptrdiff_t rest = *n / n_masses;
    ms_rod_cycle *r = &(*out)[*n];
    *r = *request;
    r->n = (ptrdiff_t)masses[*n % n_masses];
    r->amplitude = amplitude[rest % n_amplitude];
    r->omega = omega[rest / n_amplitude];
    r->keep = r->n == map;
  }
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

/* ---- as numbers ---- */

enum { N_HEAD = 6, N_SAMPLE = 5 };

ptrdiff_t ms_rod_cycle_save(const void *run, double *values) {
  const ms_rod_cycle *r = run;
  const double head[N_HEAD] = { r->work,     r->loss_chain, r->loss_rod,
                                r->residual, r->rescued,    r->solves };
  ms_packer t = { .values = values };
  ms_pack_numbers(&t, head, N_HEAD);
  for (int k = 0; k < MS_ROD_SAMPLES; k++) {
    const ms_rod_sample *x = &r->sample[k];
    const double sample[N_SAMPLE] = { x->tau, x->force, x->u, x->power, x->u_still };
    ms_pack_numbers(&t, sample, N_SAMPLE);
  }
  if (r->keep) ms_pack_numbers(&t, r->u, MS_ROD_SAMPLES * r->n);
  return t.n;
}

ms_status ms_rod_cycle_load(ms_context *ctx, void *run, const double *v, ptrdiff_t n) {
  ms_rod_cycle *r = run;
  const ptrdiff_t kept = r->keep ? MS_ROD_SAMPLES * r->n : 0;
  if (n != N_HEAD + N_SAMPLE * MS_ROD_SAMPLES + kept) {
    return ms_fail(ctx, MS_ERR_FORMAT, "no run of this rod");
  }
  MS_TRY(ms_allocate(ctx, MS_ROD_SAMPLES, sizeof *r->sample, &r->sample));
  if (r->keep) MS_TRY(ms_allocate(ctx, kept, sizeof *r->u, &r->u));
  r->work = v[0];
  r->loss_chain = v[1];
  r->loss_rod = v[2];
  r->residual = v[3];
  r->rescued = v[4];
  r->solves = v[5];
  v += N_HEAD;
  for (int k = 0; k < MS_ROD_SAMPLES; k++, v += N_SAMPLE) {
    r->sample[k] = (ms_rod_sample) { v[0], v[1], v[2], v[3], v[4] };
  }
  if (kept > 0) memcpy(r->u, v, (size_t)kept * sizeof *r->u);
  return MS_SUCCESS;
}

double ms_rod_find_exponent(ptrdiff_t n, const double *x, const double *work) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  if (n < 3) return NAN;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!(work[i] < 0.0)) return NAN;
    const double a = log(x[i]), b = log(-work[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return ((double)n * sxy - sx * sy) / ((double)n * sxx - sx * sx);
}
