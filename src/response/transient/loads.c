/* Loads of a run: at the end of a step, and as a line over it. */
#include <math.h>
#include <string.h>

#include "response/transient/impl.h"

ms_status ms_transient_add_load(ms_transient *run, const double *shape, ms_time_fn s, void *user,
                                double end) {
  ptrdiff_t m = run->m;
  for (ptrdiff_t i = 0; i < m; i++) {
    if (!isfinite(shape[i])) return ms_fail(run->ctx, MS_ERR_NUMERIC, "the load is not finite");
  }
  MS_TRY(ms_resize(run->ctx, run->n_load + 1, sizeof *run->load, &run->load));
  ms_applied_load *load = &run->load[run->n_load];
  *load = (ms_applied_load) { .s = s, .user = user, .end = end };
  MS_TRY(ms_allocate(run->ctx, m, sizeof *load->modal, &load->modal));
  for (ptrdiff_t r = 0; r < m; r++) {
    const double *phi = run->structure->shape + m * r;
    for (ptrdiff_t i = 0; i < m; i++) load->modal[r] += phi[i] * shape[i];
  }
  if (run->n_load++ == 0 || end > run->loads_end) run->loads_end = end;
  return MS_SUCCESS;
}

ms_status ms_transient_add_base(ms_transient *run, const double *iota, ms_time_fn a, void *user,
                                double end) {
  const ptrdiff_t n = run->m;
  double *x;
  MS_TRY(ms_allocate(run->ctx, 2 * n, sizeof *x, &x));
  for (ptrdiff_t i = 0; i < n; i++) x[i] = iota ? iota[i] : 1.0;
  ms_structure_apply_mass(run->structure, -1.0, x, x + n);
  ms_status status = ms_transient_add_load(run, x + n, a, user, end);
  ms_free(run->ctx, &x);
  return status;
}

/* p += s Phi^T shape, the first load of a step on a clean table. */
static void add_load(const ms_transient *run, const ms_applied_load *load, double s, int first,
                     double *restrict p) {
  const double *restrict modal = load->modal;
  if (first) memset(p, 0, (size_t)run->m * sizeof *p);
  for (ptrdiff_t r = 0; r < run->m; r++) p[r] += s * modal[r];
}

int ms_transient_eval_loads(const ms_transient *run, double t, double *p) {
  int on = 0;
  for (int i = 0; i < run->n_load; i++) {
    const ms_applied_load *load = &run->load[i];
    if (t >= load->end) continue;
    add_load(run, load, load->s(load->user, t), !on, p);
    on = 1;
  }
  return on;
}

/* The line from + (to - from) x, x in (0, 1), that has the mean and the first moment of a load over
   a step, which it may leave in the middle: Gauss, two points in the part where it is on. */
static void fit_line(const ms_applied_load *load, double t, double dt, double *from, double *to) {
  static const double point[2] = { 0.21132486540518712, 0.78867513459481288 };
  double part = fmin(1.0, (load->end - t) / dt), mean = 0.0, moment = 0.0;
  for (int i = 0; i < 2; i++) {
    double x = part * point[i], s = 0.5 * part * load->s(load->user, t + dt * x);
    mean += s;
    moment += s * x;
  }
  *from = 4.0 * mean - 6.0 * moment;
  *to = 6.0 * moment - 2.0 * mean;
}

/* p_from, p_to over the step that begins now. */
static void line_loads(ms_transient *run) {
  int on = 0;
  for (int i = 0; i < run->n_load; i++) {
    double from, to;
    if (run->t >= run->load[i].end) continue;
    fit_line(&run->load[i], run->t, run->dt, &from, &to);
    add_load(run, &run->load[i], from, !on, run->p_from);
    add_load(run, &run->load[i], to, !on, run->p_to);
    on = 1;
  }
  if (on || run->loaded == 0) return;
  memset(run->p_from, 0, (size_t)run->m * sizeof *run->p_from);
  memset(run->p_to, 0, (size_t)run->m * sizeof *run->p_to);
}

void ms_transient_next_loads(ms_transient *run, double t) {
  if (run->method->wants_line) line_loads(run);
  if (ms_transient_eval_loads(run, t, run->p_next)) {
    run->loaded = 2; /* now and at the next step */
    return;
  }
  if (run->loaded > 0) memset(run->p_next, 0, (size_t)run->m * sizeof *run->p_next);
  if (run->loaded > 0) run->loaded--;
}
