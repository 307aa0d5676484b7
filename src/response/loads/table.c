/* A measured history: straight lines between its points, zero outside. */
#include "response/load.h"

enum { SCALE, START, N_PARAM };

static const ms_param params[] = {
  [SCALE] = { MS_LOAD_NUMBER("scale", "-", "factor on every value", 1) },
  [START] = MS_LOAD_START,
};

enum { TIME, VALUE };

static const double typical[2][3] = { { 0, 1e-3, 2e-3 }, { 0, 100, 0 } };
static const ms_param_table table = {
  .n_column = 2,
  .n_required = 2,
  .column = (const char *const[]) { "time", "value" },
  .unit = (const char *const[]) { "s", "load" },
  .rows = 3,
  .typical = (const double *const[]) { typical[0], typical[1] },
  .meaning = (const char *const[]) { "times, rising", "values at these" },
};

/* The area under |value| over its largest, and twice the mean time between changes of sign. */
static ms_load_scale find_scale(const ms_load *load) {
  const double *t = load->column[TIME], *y = load->column[VALUE];
  double area = 0.0, largest = 0.0, changes = 0.0, sign = 0.0;
  for (ptrdiff_t i = 0; i < load->rows; i++) largest = fmax(largest, fabs(y[i]));
  for (ptrdiff_t i = 0; i < load->rows; i++) {
    const double a = i > 0 ? y[i - 1] : 0.0, b = y[i], step = i > 0 ? t[i] - t[i - 1] : 0.0;
    area += 0.5 * step * (a * b < 0.0 ? (a * a + b * b) / fabs(b - a) : fabs(a + b));
    if (fabs(b) <= MS_LOAD_QUIET * largest) continue;
    changes += b * sign < 0.0;
    sign = b;
  }
  const double length = t[load->rows - 1] - t[0];
  return (ms_load_scale) { largest > 0.0 ? area / largest : HUGE_VAL,
                           changes > 1.0 ? 2.0 * length / changes : HUGE_VAL };
}

static ms_status setup(ms_load *load) {
  const double *t = load->column[TIME];
  ptrdiff_t n = load->rows;
  if (n < 2) return ms_load_fail(load, MS_ERR_BOUNDS, "a history needs two points");
  for (ptrdiff_t i = 1; i < n; i++) {
    if (t[i] > t[i - 1]) continue;
    return ms_load_fail(load, MS_ERR_BOUNDS, "row %td: time %g does not rise", i + 1, t[i]);
  }
  load->scale = find_scale(load);
  load->begin = t[0];
  load->end = nextafter(t[n - 1], HUGE_VAL); /* the last point belongs to it */
  return MS_SUCCESS;
}

static double eval(const ms_load *load, double t) {
  const double *x = load->column[TIME], *y = load->column[VALUE];
  ptrdiff_t low = 0, high = load->rows - 1;
  while (high - low > 1) {
    ptrdiff_t middle = low + (high - low) / 2;
    if (x[middle] <= t) {
      low = middle;
    } else {
      high = middle;
    }
  }
  double part = (t - x[low]) / (x[high] - x[low]);
  return load->value[SCALE] * (y[low] + part * (y[high] - y[low]));
}

const ms_load_kind ms_load_kind_table = {
  .info = { .name = "table",
            .title = "measured history",
            .param = params,
            .n_param = N_PARAM,
            .table = &table },
  .setup = setup,
  .eval = eval,
};
