/* A measured stepped sine beside a computed one: resonances of its levels. */
#include <math.h>
#include <microslip/experiment.h>

#include "core/internal.h"
#include "experiment/tolerance.h"
#include "structure/impl.h"

static int is_of(const ms_measured_sine *m, ptrdiff_t i, double level) {
  return fabs(m->force[i] / level - 1.0) <= ms_experiment_tol.same_level;
}

ptrdiff_t ms_measured_count_other(const ms_measured_sine *m, ptrdiff_t n, const double *level) {
  ptrdiff_t other = 0;
  for (ptrdiff_t i = 0; i < m->n; i++) {
    int of = 0;
    for (ptrdiff_t k = 0; k < n; k++) of |= is_of(m, i, level[k]);
    other += !of;
  }
  return other;
}

ptrdiff_t ms_measured_take(const ms_measured_sine *m, double level, ms_sine_what what,
                           double x_unit, double *x, double *y) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < m->n; i++) {
    const double degrees = m->phase[i] * 180.0 / MS_PI;
    if (!is_of(m, i, level)) continue;
    x[n] = m->omega[i] / x_unit;
    y[n++] = what == MS_SINE_AMPLITUDE   ? m->amplitude[i]
             : what == MS_SINE_PER_LEVEL ? m->amplitude[i] / m->force[i]
                                         : degrees - 360.0 * round((degrees + 90.0) / 360.0);
  }
  return n;
}

/* The row of the level next to row i in frequency, above or below; -1: there is none. */
static ptrdiff_t find_next(const ms_measured_sine *m, double level, ptrdiff_t i, int above) {
  ptrdiff_t next = -1;
  for (ptrdiff_t k = 0; k < m->n; k++) {
    const double way = above ? m->omega[k] - m->omega[i] : m->omega[i] - m->omega[k];
    if (!is_of(m, k, level) || !(way > 0.0)) continue;
    if (next < 0 || way < fabs(m->omega[next] - m->omega[i])) next = k;
  }
  return next;
}

/* Least value of the parabola through three points, and where; no change where there is none. */
static void find_least(const double x[3], const double y[3], double *at, double *least) {
  const double a = x[0] - x[1], b = x[2] - x[1], u = y[0] - y[1], v = y[2] - y[1];
  const double curvature = (u / a - v / b) / (a - b), slope = u / a - curvature * a;
  if (!(curvature > 0.0)) return;
  const double step = -0.5 * slope / curvature, low = y[1] - curvature * step * step;
  if (!(step >= a && step <= b && low > 0.0)) return;
  *at = x[1] + step;
  *least = low;
}

static ms_sine_match match_peak(const ms_measured_sine *m, const ms_frequency_run *run) {
  const ms_periodic *c = &run->curve;
  ms_sine_match out = { .level = run->level, .omega_error = NAN, .amplitude_error = NAN };
  ptrdiff_t row[3] = { -1, -1, -1 };
  for (ptrdiff_t i = 0; i < m->n; i++) {
    if (!is_of(m, i, run->level)) continue;
    out.rows++;
    if (row[1] < 0 || m->amplitude[i] > m->amplitude[row[1]]) row[1] = i;
  }
  if (out.rows == 0) return out;
  row[0] = find_next(m, run->level, row[1], 0);
  row[2] = find_next(m, run->level, row[1], 1);
  double least = pow(m->amplitude[row[1]], -2.0);
  out.omega = m->omega[row[1]];
  if (row[0] >= 0 && row[2] >= 0) {
    double x[3], y[3];
    for (int k = 0; k < 3; k++) x[k] = m->omega[row[k]], y[k] = pow(m->amplitude[row[k]], -2.0);
    find_least(x, y, &out.omega, &least);
  }
  out.amplitude = 1.0 / sqrt(least);
  if (c->n == 0) return out;
  out.omega_error = c->point[run->peak].omega / out.omega - 1.0;
  out.amplitude_error = c->sensor[c->n_sensor * run->peak].amplitude / out.amplitude - 1.0;
  return out;
}

ms_status ms_frequency_match(ms_context *ctx, const ms_measured_sine *m, ptrdiff_t n,
                             const ms_frequency_run *run, ms_sine_match **out) {
  MS_TRY(ms_allocate(ctx, n, sizeof **out, out));
  for (ptrdiff_t i = 0; i < n; i++) (*out)[i] = match_peak(m, &run[i]);
  return MS_SUCCESS;
}

/* From 0 at a lag of a quarter of a period. */
static double lag_of(const ms_measured_sine *m, ptrdiff_t i) {
  return remainder(m->phase[i] + 0.5 * MS_PI, 2.0 * MS_PI);
}

/* The row nearest to a quarter of a period, and its neighbour beyond: omega, amplitude, force and
   phase there. With l the lag beyond that, tan l and A/cos l of a single mode are nearly straight
   lines over omega. */
static int find_quadrature(const ms_measured_sine *m, double level, double near, double out[4]) {
  ptrdiff_t best = -1;
  for (ptrdiff_t i = 0; i < m->n; i++) {
    if (!is_of(m, i, level) || fabs(m->omega[i] / near - 1.0) > ms_experiment_tol.same_mode)
      continue;
    if (best < 0 || fabs(lag_of(m, i)) < fabs(lag_of(m, best))) best = i;
  }
  if (best < 0) return 0;
  const double lag = lag_of(m, best);
  const ptrdiff_t other = find_next(m, level, best, lag > 0.0);
  double part = 0.0;
  if (other >= 0 && lag * lag_of(m, other) < 0.0 && cos(lag_of(m, other)) > 0.0) {
    part = tan(lag) / (tan(lag) - tan(lag_of(m, other)));
  } else if (fabs(lag) > ms_experiment_tol.held_phase) {
    return 0;
  }
  const ptrdiff_t k = part > 0.0 ? other : best;
  out[0] = m->omega[best] + part * (m->omega[k] - m->omega[best]);
  out[1] = m->amplitude[best];
  if (part > 0.0) {
    const double a = m->amplitude[best] / cos(lag), b = m->amplitude[k] / cos(lag_of(m, k));
    out[1] = a + part * (b - a);
  }
  out[2] = m->force[best] + part * (m->force[k] - m->force[best]);
  out[3] = part > 0.0 ? -0.5 * MS_PI : m->phase[best];
  return 1;
}

static ms_sine_match match_phase(const ms_structure *s, const ms_measured_sine *m,
                                 const ms_stepped_run *run, ptrdiff_t i) {
  const ms_modes stuck = ms_structure_get_stuck(s);
  const double *phi = stuck.shape + stuck.n * run->mode;
  const double seen = fabs(phi[run->plan->sensor[0]]);
  const double force = fabs(ms_structure_get_modal_force(s, run->mode, run->plan->force, NULL));
  ms_sine_match out = {
    .mode = run->mode + 1, .level = run->plan->level[i], .omega_error = NAN, .amplitude_error = NAN
  };
  double at[4];
  if (!find_quadrature(m, out.level, stuck.omega[run->mode], at) || !(seen > 0.0)) return out;
  for (ptrdiff_t k = 0; k < m->n; k++) out.rows += is_of(m, k, out.level);
  out.omega = at[0];
  out.amplitude = at[1];
  out.q = at[1] / seen;
  const double f[3] = { 0.0, force * at[2], 0.0 };
  const double x[3] = { 0.0, out.q * cos(at[3]), -out.q * sin(at[3]) };
  const ms_power_balance power = ms_signal_power_balance(1, at[0], f, x, out.q);
  out.zeta = power.zeta;
  out.purity = power.purity;
  for (ptrdiff_t k = 0; k < run->curve.n; k++) {
    if (run->curve.point[k].level != out.level) continue;
    const double A = run->curve.sensor[run->curve.n_sensor * k].amplitude;
    if (fabs(A / out.amplitude - 1.0) > fabs(out.amplitude_error)) continue;
    out.omega_error = run->curve.point[k].omega / out.omega - 1.0;
    out.amplitude_error = A / out.amplitude - 1.0;
  }
  return out;
}

ms_status ms_stepped_match(ms_context *ctx, const ms_structure *structure,
                           const ms_measured_sine *m, ptrdiff_t n, const ms_stepped_run *run,
                           ptrdiff_t *n_out, ms_sine_match **out) {
  const ptrdiff_t levels = n > 0 ? run->plan->n_level : 0;
  *n_out = n * levels;
  MS_TRY(ms_allocate(ctx, *n_out, sizeof **out, out));
  for (ptrdiff_t i = 0; i < *n_out; i++) {
    (*out)[i] = match_phase(structure, m, &run[i / levels], i % levels);
  }
  return MS_SUCCESS;
}
