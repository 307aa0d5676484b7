/* A record of a swept sine, window by window: amplitude and phase against the force.

   The phase of the force is that of its analytic signal f + i H[f]. In each window, a whole number
   of its periods, a parabola phi(t) is fitted to it, whose slope in the middle is omega, and force
   and response are projected on exp(i phi), weighted by a Hann window. What a resonance does in a
   sweep of rate alpha = d omega/dt differs from the steady state by -(i alpha/2) H''(omega), of
   H(omega) ~ 1/(omega_0 - omega + i d) at its peak alpha/d^2 of its height. */
#include <math.h>
#include <stdio.h>

#include "signal/internal.h"

enum { HOPS = 2 }; /* windows begin every half of one */

/* phase[j] of x + i H[x], unwrapped, and its size. */
static ms_status find_phase(ms_context *ctx, const ms_signal *force, double *phase, double *size) {
  const ptrdiff_t n = force->n, N = ms_fft_good_size(n);
  ms_fft fft;
  double turns = 0.0;
  MS_TRY(ms_fft_open(ctx, N, &fft));
  for (ptrdiff_t j = 0; j < N; j++) fft.real[j] = j < n ? force->x[j] : 0.0;
  ms_fft_forward(&fft);
  for (ptrdiff_t k = 0; k <= N / 2; k++) { /* times -i */
    const double re = fft.spectrum[k][0], im = fft.spectrum[k][1];
    const int end = k == 0 || 2 * k == N;
    fft.spectrum[k][0] = end ? 0.0 : im;
    fft.spectrum[k][1] = end ? 0.0 : -re;
  }
  ms_fft_inverse(&fft);
  for (ptrdiff_t j = 0; j < n; j++) {
    const double x = force->x[j], y = fft.real[j] / (double)N, angle = atan2(y, x);
    size[j] = hypot(x, y);
    phase[j] = angle + turns;
    if (j > 0) {
      turns += 2.0 * MS_PI * round((phase[j - 1] - phase[j]) / (2.0 * MS_PI));
      phase[j] = angle + turns;
    }
  }
  ms_fft_close(ctx, &fft);
  return MS_SUCCESS;
}

/* Of sample j in a window, -1 to 1. */
static double place(ptrdiff_t j, ptrdiff_t n) {
  return 2.0 * (double)j / (double)(n - 1) - 1.0;
}

/* phi = c_0 + c_1 u + c_2 u^2 over u = -1 ... 1, by least squares under the window, so that what
   harmonics of the force add to its phase falls out. */
static void fit_parabola(ptrdiff_t n, const double *phase, double c[3]) {
  double sum[3] = { 0.0, 0.0, 0.0 }, norm[3] = { 0.0, 0.0, 0.0 };
  for (ptrdiff_t j = 0; j < n; j++) {
    const double u = place(j, n), w = 1.0 + cos(MS_PI * u);
    norm[0] += w;
    norm[1] += w * u * u;
  }
  const double mean = norm[1] / norm[0];
  for (ptrdiff_t j = 0; j < n; j++) {
    const double u = place(j, n), w = 1.0 + cos(MS_PI * u), p[3] = { w, w * u, w * (u * u - mean) };
    norm[2] += p[2] * (u * u - mean);
    for (int k = 0; k < 3; k++) sum[k] += p[k] * phase[j];
  }
  for (int k = 0; k < 3; k++) c[k] = sum[k] / norm[k];
  c[0] -= mean * c[2];
}

/* One window; amplitudes of the response as its kind has them. */
static void read_window(const double *f, const double *x, const double *phase, ptrdiff_t n,
                        double dt, ms_sine_row *row) {
  double c[3], F[2] = { 0.0, 0.0 }, X[2] = { 0.0, 0.0 }, sum = 0.0;
  const double half = 0.5 * (double)(n - 1) * dt;
  fit_parabola(n, phase, c);
  for (ptrdiff_t j = 0; j < n; j++) {
    const double u = place(j, n);
    const double phi = c[0] + u * (c[1] + u * c[2]), w = 1.0 + cos(MS_PI * u);
    const double re = w * cos(phi), im = -w * sin(phi);
    F[0] += re * f[j], F[1] += im * f[j];
    X[0] += re * x[j], X[1] += im * x[j];
    sum += w;
  }
  row->omega = c[1] / half;
  row->rate = 2.0 * c[2] / (half * half);
  row->force = 2.0 * hypot(F[0], F[1]) / sum;
  row->amplitude = 2.0 * hypot(X[0], X[1]) / sum;
  row->phase = remainder(atan2(X[1], X[0]) - atan2(F[1], F[0]), 2.0 * MS_PI);
}

/* ---- is it slow enough ---- */

static double height(const ms_sine_rows *s, ptrdiff_t i) {
  return s->row[i].amplitude / s->row[i].force;
}

/* Half of the half-power width on one side of row `peak`; 0 where it is not passed. */
static double find_side(const ms_sine_rows *s, ptrdiff_t peak, int way) {
  const double level = sqrt(0.5) * height(s, peak);
  for (ptrdiff_t i = peak + way; i >= 0 && i < s->n; i += way) {
    if (height(s, i) > level) continue;
    const double a = height(s, i - way), b = height(s, i), part = (a - level) / (a - b);
    const double omega = s->row[i - way].omega + part * (s->row[i].omega - s->row[i - way].omega);
    return fabs(omega - s->row[peak].omega);
  }
  return 0.0;
}

/* Also leaves out rows in which what the beginning has struck still rings. */
static void judge_rate(ms_sine_rows *s) {
  ptrdiff_t peak = 0;
  for (ptrdiff_t i = 1; i < s->n; i++) {
    if (height(s, i) > height(s, peak)) peak = i;
  }
  const double low = find_side(s, peak, -1), high = find_side(s, peak, 1);
  const double width = low > 0.0 && high > 0.0 ? 0.5 * (low + high) : fmax(low, high);
  s->resonance = s->row[peak].omega;
  if (!(width > 0.0)) return;
  s->error = fabs(s->row[peak].rate) / (width * width);
  const double until = s->row[0].time + ms_signal_tol.rung_out / width;
  ptrdiff_t first = 0, n = 0;
  while (first < peak && s->row[first].time < until) first++;
  while (first < s->n) s->row[n++] = s->row[first++];
  s->n = n;
}

/* ---- the whole ---- */

/* Windows of `turn` where there is a force. With rows NULL they are counted. */
static ptrdiff_t visit(const ms_signal *force, const ms_signal *response, const double *phase,
                       const double *size, double least, double turn, ms_sine_row *rows) {
  ptrdiff_t n = 0;
  for (ptrdiff_t begin = 0, next = 0; begin < force->n; begin = next) {
    ptrdiff_t end = begin;
    next = begin + 1;
    if (!(size[begin] > least)) continue;
    while (end < force->n && size[end] > least && phase[end] - phase[begin] < turn) end++;
    if (end == force->n || !(size[end] > least)) {
      next = end;
      continue;
    }
    while (next < end && phase[next] - phase[begin] < turn / HOPS) next++;
    if (end - begin < 8) continue;
    if (rows) {
      read_window(force->x + begin, response->x + begin, phase + begin, end - begin, force->dt,
                  &rows[n]);
      rows[n].time = force->time + 0.5 * (double)(begin + end - 1) * force->dt;
    }
    n++;
  }
  return n;
}

static void use_derivative(ms_sine_rows *s, ms_signal_kind kind) {
  for (ptrdiff_t i = 0; i < s->n; i++) {
    s->row[i].amplitude /= pow(s->row[i].omega, (int)kind);
    s->row[i].phase = remainder(s->row[i].phase - 0.5 * MS_PI * (int)kind, 2.0 * MS_PI);
  }
}

static ms_status demodulate(ms_context *ctx, const ms_signal *force, const ms_signal *response,
                            double periods, ptrdiff_t most, double *phase, ms_sine_rows *out) {
  double *size = phase + force->n, largest = 0.0;
  const double turn = 2.0 * MS_PI * periods;
  MS_TRY(find_phase(ctx, force, phase, size));
  for (ptrdiff_t j = 0; j < force->n; j++) largest = fmax(largest, size[j]);
  const double least = ms_signal_tol.silent * largest;
  const ptrdiff_t all = visit(force, response, phase, size, least, turn, NULL);
  const ptrdiff_t stride = most > 0 && all > most ? (all + most - 1) / most : 1;
  if (all < 3) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%td windows of %g periods in which the force does not fall below %g of its "
                   "largest; a sweep takes 3",
                   all, periods, ms_signal_tol.silent);
  }
  MS_TRY(ms_allocate(ctx, all, sizeof *out->row, &out->row));
  out->n = visit(force, response, phase, size, least, turn, out->row);
  use_derivative(out, response->kind);
  judge_rate(out);
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < out->n; i += stride) out->row[n++] = out->row[i];
  out->n = n;
  return MS_SUCCESS;
}

ms_status ms_signal_demodulate(ms_context *ctx, const ms_signal *force, const ms_signal *response,
                               double periods, ptrdiff_t most, ms_sine_rows *out) {
  double *phase = NULL;
  MS_NEED(ctx, ctx && force && response && out);
  *out = (ms_sine_rows) { .n = 0 };
  if (force->n != response->n || force->dt != response->dt || force->n < 16 ||
      !(periods >= 2.0 && periods < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "force and response are records of the same times, at least 16 of them, and a "
                   "window has 2 periods or more");
  }
  MS_TRY(ms_signal_check_finite(ctx, "the force", force->n, force->x));
  MS_TRY(ms_signal_check_finite(ctx, "the response", response->n, response->x));
  MS_TRY(ms_allocate(ctx, 2 * force->n, sizeof *phase, &phase));
  ms_status status = demodulate(ctx, force, response, periods, most, phase, out);
  ms_free(ctx, &phase);
  if (status != MS_SUCCESS) ms_sine_rows_free(ctx, out);
  return status;
}

int ms_sine_rows_warning(const ms_sine_rows *s, char *text, size_t size) {
  if (!(s->error > ms_signal_tol.too_fast)) return 0;
  snprintf(text, size,
           "the sweep is too fast for steady states: at %.5g Hz |df/dt|/(zeta f)^2 is %.3g, which "
           "changes amplitudes by about %.2g %%; up to %g %% are allowed: sweep slower",
           s->resonance / (2.0 * MS_PI), 2.0 * MS_PI * s->error, 100.0 * s->error,
           100.0 * ms_signal_tol.too_fast);
  return 1;
}

void ms_sine_rows_free(ms_context *ctx, ms_sine_rows *rows) {
  ms_free(ctx, &rows->row);
  rows->n = 0;
}
