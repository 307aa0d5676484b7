/* A random or impact test in time, and the frequency response that its records give. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "experiment/march.h"

typedef struct recorder {
  const ms_frf_test *test;
  double *x, *y; /* samples of load and response */
  double *u;     /* displacement, velocity, acceleration of the n degrees of freedom */
  ptrdiff_t n, k;
} recorder;

static double eval(void *user, double t) {
  return ms_load_eval(((const recorder *)user)->test->load, t);
}

static int record(void *user, const ms_transient *run) {
  recorder *r = user;
  const ms_frf_test *test = r->test;
  double *u = r->u, *v = u + r->n, *a = v + r->n;
  const ptrdiff_t at = test->sensor;
  const double x = eval(r, (double)r->k * test->time.step);
  ms_transient_get_coordinates(run, u, v, a);
  const double values[] = { u[at], v[at], a[at], a[at] + (test->base ? test->base[at] : 0.0) * x };
  r->x[r->k] = x;
  r->y[r->k++] = values[test->kind];
  return 0;
}

static ms_status check(ms_context *ctx, const ms_structure *s, const ms_frf_test *test) {
  const ptrdiff_t n = ms_structure_get_size(s);
  if (!test->shape && !test->base) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a test needs a force or a base");
  }
  if (test->sensor < 0 || test->sensor >= n) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "there is no degree of freedom %td; they are 0 to %td",
                   test->sensor, n - 1);
  }
  if (!ms_response_kind_text(test->kind)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "kind of response %d unknown", (int)test->kind);
  }
  if (test->kind == MS_TRANSMISSIBILITY && !test->base) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "transmissibility is that of a moving base");
  }
  if (test->time.steps >= 1) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "steps must be >= 1, not %td", test->time.steps);
}

ms_frf_test ms_frf_test_default(void) {
  return (ms_frf_test) { .time = ms_time_default(), .settings = MS_FRF_DEFAULT };
}

ms_status ms_frf_test_simulate(ms_context *ctx, ms_structure *structure, ms_frf_test *test) {
  MS_NEED(ctx, ctx && structure && test && test->load);
  MS_TRY(check(ctx, structure, test));
  const ptrdiff_t samples = test->time.steps + 1;
  recorder r = { .test = test, .n = ms_structure_get_size(structure) };
  MS_TRY(ms_allocate(ctx, 2 * samples + 4 * r.n, sizeof *r.x, &r.x));
  r.y = r.x + samples;
  r.u = r.y + samples;
  double *shape = r.u + 3 * r.n;
  if (test->shape) {
    memcpy(shape, test->shape, (size_t)r.n * sizeof *shape);
  } else {
    ms_structure_apply_mass(structure, -1.0, test->base, shape);
  }
  const ms_march march = { test->time, shape, eval, ms_load_end(test->load), record, &r };
  ms_status status = ms_march_run(ctx, structure, &march, &test->energy, &test->count,
                                  &test->quality, &test->has_energy);
  if (status == MS_SUCCESS) {
    const ms_frf_record one = { r.x, r.y, samples };
    status = ms_signal_estimate_frf(ctx, &test->settings, test->time.step, 1, &one, &test->frf);
  }
  ms_free(ctx, &r.x);
  return status;
}

/* ---- records ---- */

ms_status ms_frf_test_measure(ms_context *ctx, double dt, ptrdiff_t n, double *x, const double *y,
                              double scale, int derivative, ms_frf_test *test) {
  MS_NEED(ctx, ctx && x && y && test);
  const int want = test->kind < MS_ACCELERANCE ? (int)test->kind : 2;
  const ms_frf_record one = { x, y, n };
  for (ptrdiff_t k = 0; k < n; k++) x[k] *= scale;
  MS_TRY(ms_signal_estimate_frf(ctx, &test->settings, dt, 1, &one, &test->frf));
  ms_frf_differentiate(&test->frf, want - derivative);
  return MS_SUCCESS;
}

ms_status ms_frf_subtract_offsets(ms_context *ctx, ptrdiff_t n, double *x, double *y,
                                  ptrdiff_t *before, double offset[2]) {
  double *const record[] = { x, y };
  ms_pulse pulse;
  MS_NEED(ctx, ctx && x && y && before && offset);
  MS_TRY(ms_signal_find_pulse(ctx, n, x, &pulse));
  *before = pulse.before;
  for (int c = 0; c < 2 && *before > 0; c++) {
    offset[c] = ms_signal_mean(*before, record[c]);
    for (ptrdiff_t k = 0; k < n; k++) record[c][k] -= offset[c];
  }
  return MS_SUCCESS;
}

ptrdiff_t ms_frf_find_lines(const ms_frf *frf, double from, double to, ptrdiff_t *first) {
  ptrdiff_t end = 1;
  while (end < frf->n && frf->freq_hz[end] < from) end++;
  *first = end;
  while (end < frf->n && frf->freq_hz[end] <= to) end++;
  return end - *first;
}

static int has_lines(ptrdiff_t length, double dt, double from, double to) {
  const double apart = 1.0 / ((double)length * dt);
  const double first = fmax(1.0, ceil(from / apart)), last = floor(to / apart);
  return first <= fmin(last, (double)(length / 2));
}

ms_status ms_frf_check_blocks(ms_context *ctx, ptrdiff_t length, ptrdiff_t samples, double dt,
                              double from, double to) {
  if (length < 8 || length > samples) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "a block of %td samples does not do for a record of %td; 8 are the least",
                   length, samples);
  }
  if (has_lines(length, dt, from, to)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "blocks of %td samples have lines every %.4g Hz up to %.4g Hz, none from %g to "
                 "%g Hz; use longer blocks, another step or range",
                 length, 1.0 / ((double)length * dt), 0.5 / dt, from, to);
}
