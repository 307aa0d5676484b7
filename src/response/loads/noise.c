/* Stationary noise as a sum of N sines with random phases at the middles of N equal bands of width
   df between `low` and `high`: s = sum a_i sin(2 pi f_i t + phase_i). In a flat band a_i = rms
   sqrt(2/N). With a table of the one-sided spectral density G, a_i = sqrt(2 G(f_i) df): straight
   lines in the logarithms between its points, zero outside; an rms value, if given, then scales the
   whole. The noise repeats after 1/df at the earliest: take enough lines for the run. Many lines
   are summed by FFT (signal/sine_sum.c), so that a value costs the same whatever their number. */
#include "response/load.h"

enum { FEW = 32 }; /* lines up to which the sum itself is as cheap */

enum { RMS, LOW, HIGH, LINES, SEED, DURATION, START, N_PARAM };

#define OF_TABLE .fallback = "that of the density"

static const ms_param params[] = {
  [RMS] = { MS_LOAD_POSITIVE("rms", "load", "root mean square", 0), OF_TABLE },
  [LOW] = { .name = "low",
            .unit = "Hz",
            .meaning = "lower end of the band",
            .upper = HUGE_VAL,
            .open = 2,
            OF_TABLE },
  [HIGH] = { MS_LOAD_POSITIVE("high", "Hz", "upper end of the band", 0), OF_TABLE },
  [LINES] = { .name = "lines",
              .unit = "-",
              .meaning = "number of sines",
              .lower = 1,
              .upper = 1e6,
              .typical = 16384,
              .kind = MS_PARAM_COUNT },
  [SEED] = MS_LOAD_SEED("of the phases"),
  [DURATION] = MS_LOAD_DURATION,
  [START] = MS_LOAD_START,
};

static const double typical[2][2] = { { 10, 1000 }, { 1, 1 } };
static const ms_param_table table = {
  .n_column = 2,
  .n_required = 2,
  .column = (const char *const[]) { "frequency", "density" },
  .unit = (const char *const[]) { "Hz", "load^2/Hz" },
  .rows = 2,
  .typical = (const double *const[]) { typical[0], typical[1] },
  .meaning = (const char *const[]) { "of the points of a spectral density, rising",
                                     "one-sided spectral density there" },
};

static double density(const ms_load *load, double f) {
  const double *x = load->column[0], *G = load->column[1];
  ptrdiff_t n = load->rows, i = 1;
  if (n == 0) return 1.0;
  if (f < x[0] || f > x[n - 1]) return 0.0;
  while (i < n - 1 && x[i] < f) i++;
  return G[i - 1] * pow(f / x[i - 1], log(G[i] / G[i - 1]) / log(x[i] / x[i - 1]));
}

static ms_status find_band(const ms_load *load, double *low, double *high) {
  const double *v = load->value;
  if (load->rows > 0) {
    const double *f = load->column[0], *G = load->column[1];
    if (load->rows == 1) return ms_load_fail(load, MS_ERR_BOUNDS, "a density needs two points");
    for (ptrdiff_t i = 0; i < load->rows; i++) {
      if (f[i] > (i ? f[i - 1] : 0.0) && G[i] > 0.0) continue;
      return ms_load_fail(load, MS_ERR_BOUNDS,
                          "row %td: frequencies must be > 0 and rise, densities be > 0", i + 1);
    }
  } else if (!load->given[RMS] || !load->given[HIGH]) {
    return ms_load_fail(load, MS_ERR_ARGUMENT, "not set: %s; or give a density",
                        load->given[RMS] ? "high" : "rms");
  }
  *low = load->given[LOW] || load->rows == 0 ? v[LOW] : load->column[0][0];
  *high = load->given[HIGH] ? v[HIGH] : load->column[0][load->rows - 1];
  if (*high > *low) return MS_SUCCESS;
  return ms_load_fail(load, MS_ERR_BOUNDS, "high = %g must be above low = %g", *high, *low);
}

static ms_status setup(ms_load *load) {
  const double *v = load->value;
  double low = 0.0, high = 0.0, square = 0.0;
  MS_TRY(find_band(load, &low, &high));
  MS_TRY(ms_load_draw_lines(load, (ptrdiff_t)v[LINES], v[SEED]));
  double df = (high - low) / v[LINES];
  for (ptrdiff_t i = 0; i < load->n_line; i++) {
    double f = low + ((double)i + 0.5) * df, G = density(load, f);
    load->line[i].omega = 2.0 * MS_PI * f;
    load->line[i].amplitude = sqrt(2.0 * G * df);
    square += G * df;
  }
  if (!(square > 0.0)) return ms_load_fail(load, MS_ERR_BOUNDS, "no line is inside the density");
  for (ptrdiff_t i = 0; load->given[RMS] && i < load->n_line; i++) {
    load->line[i].amplitude *= v[RMS] / sqrt(square);
  }
  load->scale.period = 1.0 / high;
  ms_load_last(load, v[DURATION]);
  load->low = low;
  load->high = high;
  ms_comb_close(load->ctx, &load->comb);
  if (load->n_line <= FEW) return MS_SUCCESS;
  const ms_load_line *l = load->line;
  return ms_comb_open(load->ctx, load->n_line, sizeof *l / sizeof l->phase, &l->amplitude,
                      &l->phase, l->omega, 2.0 * MS_PI * df, &load->comb);
}

static double eval(const ms_load *load, double t) {
  return load->n_line <= FEW ? ms_load_sum_lines(load, t) : ms_comb_eval(&load->comb, t);
}

const ms_load_kind ms_load_kind_noise = {
  .info = { .name = "noise",
            .title = "stationary noise",
            .param = params,
            .n_param = N_PARAM,
            .table = &table,
            .table_optional = 1 },
  .setup = setup,
  .eval = eval,
};
