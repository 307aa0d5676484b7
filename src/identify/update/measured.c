/* Measured modes as they are read: from frequencies, numbers and sensors one by one. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/update/update.h"

ms_status ms_measured_create(ms_context *ctx, ptrdiff_t n, ms_measured_table *t) {
  *t = (ms_measured_table) { .ctx = ctx, .is = { .n = n } };
  MS_TRY(ms_allocate(ctx, n, sizeof *t->omega, &t->omega));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->deviation, &t->deviation));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->row, &t->row));
  for (ptrdiff_t k = 0; k < n; k++) t->row[k] = (int)k + 1;
  t->is.omega = t->omega;
  t->is.deviation = t->deviation;
  t->is.row = t->row;
  return MS_SUCCESS;
}

void ms_measured_destroy(ms_measured_table *t) {
  void *owned[] = { &t->sensor, &t->omega, &t->deviation, &t->re, &t->im, &t->mode, &t->row };
  if (!t->ctx) return;
  for (ptrdiff_t i = 0; i < t->is.n_sensor; i++) ms_free(t->ctx, &t->sensor[i]);
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) ms_free(t->ctx, owned[i]);
  *t = (ms_measured_table) { .ctx = NULL };
}

ms_status ms_measured_set_modes(ms_measured_table *t, const double *number) {
  ms_free(t->ctx, &t->mode);
  MS_TRY(ms_allocate(t->ctx, t->is.n, sizeof *t->mode, &t->mode));
  t->is.mode = t->mode;
  for (ptrdiff_t k = 0; k < t->is.n; k++) {
    if (number[k] != floor(number[k]) || !(number[k] >= 1.0 && number[k] < 1e9)) {
      return ms_fail(t->ctx, MS_ERR_BOUNDS, "row %d: the number of a mode is 1, 2, ..., not %g",
                     t->row[k], number[k]);
    }
    t->mode[k] = (ptrdiff_t)number[k] - 1;
    for (ptrdiff_t i = 0; i < k; i++) {
      if (t->mode[i] != t->mode[k]) continue;
      return ms_fail(t->ctx, MS_ERR_BOUNDS, "rows %d and %d are both mode %g", t->row[i], t->row[k],
                     number[k]);
    }
  }
  return MS_SUCCESS;
}

/* From m to m + 1 components of each shape. */
static void widen(ptrdiff_t n, ptrdiff_t m, double *x) {
  for (ptrdiff_t k = n - 1; x && k >= 0; k--) {
    memmove(x + (m + 1) * k, x + m * k, (size_t)m * sizeof *x);
    x[m + (m + 1) * k] = 0.0;
  }
}

static ms_status add_sensor(ms_measured_table *t, const char *name, size_t length) {
  const ptrdiff_t n = t->is.n, m = t->is.n_sensor;
  MS_TRY(ms_resize(t->ctx, m + 1, sizeof *t->sensor, &t->sensor));
  MS_TRY(ms_resize(t->ctx, n * (m + 1), sizeof *t->re, &t->re));
  if (t->im) MS_TRY(ms_resize(t->ctx, n * (m + 1), sizeof *t->im, &t->im));
  MS_TRY(ms_allocate(t->ctx, (ptrdiff_t)length + 1, 1, &t->sensor[m]));
  memcpy(t->sensor[m], name, length);
  widen(n, m, t->re);
  widen(n, m, t->im);
  t->is.n_sensor++;
  return MS_SUCCESS;
}

ms_status ms_measured_set_sensor(ms_measured_table *t, const char *name, const double *value) {
  size_t length = strlen(name);
  const int imaginary = length > 3 && strcmp(name + length - 3, ".im") == 0;
  ptrdiff_t i = 0;
  if (imaginary) length -= 3;
  while (i < t->is.n_sensor &&
         (strncmp(t->sensor[i], name, length) != 0 || t->sensor[i][length] != '\0')) {
    i++;
  }
  if (i == t->is.n_sensor) MS_TRY(add_sensor(t, name, length));
  if (imaginary && !t->im) {
    MS_TRY(ms_allocate(t->ctx, t->is.n * t->is.n_sensor, sizeof *t->im, &t->im));
  }
  for (ptrdiff_t k = 0; k < t->is.n; k++) {
    (imaginary ? t->im : t->re)[i + t->is.n_sensor * k] = value[k];
  }
  t->is.sensor = (const char *const *)t->sensor;
  t->is.re = t->re;
  t->is.im = t->im;
  return MS_SUCCESS;
}

/* Modes without shapes or numbers are those of the model in its order, which rises. */
ms_status ms_measured_check_order(const ms_measured_table *t) {
  for (ptrdiff_t k = 1; k < t->is.n && t->is.n_sensor == 0 && !t->mode; k++) {
    if (!(t->omega[k] < t->omega[k - 1]) || !(t->omega[k] > 0.0)) continue;
    return ms_fail(t->ctx, MS_ERR_BOUNDS,
                   "measured mode %td (row %d) is lower than the one before: without shapes they "
                   "are paired in their order; sort them, or say which modes they are",
                   k + 1, t->row[k]);
  }
  return MS_SUCCESS;
}
