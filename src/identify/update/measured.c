/* Measured modes as they are read: from frequencies, numbers and sensors one by one. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/update/update.h"
#include "structure/impl.h"

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

ms_status ms_measured_add(const ms_structure *s, const char *name, const double *value,
                          ms_measured_table *t) {
  ptrdiff_t coordinate;
  const ptrdiff_t last = t->is.n_sensor;
  MS_TRY(ms_measured_set_sensor(t, name, value));
  return t->is.n_sensor > last ? ms_structure_find(s, t->sensor[last], &coordinate) : MS_SUCCESS;
}

/* ---- tables ---- */

static const double *column_of(const ms_columns *from, const char *name) {
  const ptrdiff_t i = ms_columns_find(from, name);
  return i < 0 ? NULL : from->value[i];
}

ms_status ms_measured_take_table(const ms_structure *s, const ms_columns *from, double time,
                                 double deviation, ms_measured_table *t) {
  const double *f = column_of(from, "f"), *omega = column_of(from, "omega");
  const double *given = column_of(from, "deviation"), *mode = column_of(from, "mode");
  const double *zeta = column_of(from, "zeta"); /* of fits of FRFs: not used */
  if (from->rows == 0) return ms_fail(s->ctx, MS_ERR_FORMAT, "the table has no rows");
  if (!f == !omega) {
    return ms_fail(s->ctx, MS_ERR_NAME,
                   "a table of modes has one column 'f' (Hz) or 'omega' (rad/s)");
  }
  MS_TRY(ms_measured_create(s->ctx, from->rows, t));
  for (ptrdiff_t k = 0; k < from->rows; k++) {
    t->omega[k] = (f ? 2.0 * MS_PI * f[k] : omega[k]) / time;
    t->deviation[k] = given ? given[k] : deviation;
    t->row[k] = from->row[k];
  }
  if (mode) MS_TRY(ms_measured_set_modes(t, mode));
  for (ptrdiff_t c = 0; c < from->n; c++) {
    const double *value = from->value[c];
    if (value == f || value == omega || value == mode || value == given || value == zeta) continue;
    MS_TRY(ms_measured_add(s, from->name[c], value, t));
  }
  return MS_SUCCESS;
}

ms_status ms_measured_take_shapes(const ms_structure *s, const ms_columns *from,
                                  ms_measured_table *t) {
  const ptrdiff_t n = t->is.n;
  double *value;
  if (!from->word || from->n != n + 1) {
    return ms_fail(t->ctx, MS_ERR_FORMAT,
                   "a table of shapes has coordinates in its first column and then a column for "
                   "each of the %td modes",
                   n);
  }
  MS_TRY(ms_allocate(t->ctx, n, sizeof *value, &value));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < from->rows && status == MS_SUCCESS; i++) {
    for (ptrdiff_t k = 0; k < n; k++) {
      const double *column = from->value[k + 1];
      value[k] = column ? column[i] : (double)NAN; /* words, refused as no finite shape */
    }
    status = ms_measured_add(s, from->word[i], value, t);
    if (status) ms_fail_at(t->ctx, status, "line %d of the table", from->row[i]);
  }
  ms_free(t->ctx, &value);
  return status;
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
