/* Modes of a universal file (dataset 55) as a table, a row for each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/internal.h"
#include "io/measured/measured.h"

enum { NORMAL = 2, COMPLEX = 3, COMPLEX_VELOCITY = 7 };

static const char *const directions[] = { "X", "Y", "Z", "RX", "RY", "RZ" };

static int is_mode(const ms_measurement_shape *s) {
  return (s->type == NORMAL || s->type == COMPLEX || s->type == COMPLEX_VELOCITY) &&
         s->frequency > 0.0;
}

/* "12+Z", "12Z" or "12-RX": node, direction from 0, sign. */
static int parse_place(const char *text, ptrdiff_t *node, int *direction, double *sign) {
  char *end;
  *node = (ptrdiff_t)strtol(text, &end, 10);
  *sign = *end == '-' ? -1.0 : 1.0;
  if (end == text || *node < 0) return 0;
  if (*end == '+' || *end == '-') end++;
  for (*direction = 0; *direction < 6; ++*direction) {
    if (strcasecmp(end, directions[*direction]) == 0) return 1;
  }
  return 0;
}

/* Two numbers, or NULL where the shape lacks the place. */
static const double *find_value(const ms_measurement_shape *s, ptrdiff_t node, int direction) {
  const ptrdiff_t stride = s->is_complex ? 2 : 1;
  for (ptrdiff_t i = 0; i < s->n && direction < s->width; i++) {
    if (s->label[i] == node) return s->value + stride * (s->width * i + direction);
  }
  return NULL;
}

typedef struct modes {
  ms_context *ctx;
  const ms_measurement_shape **shape;
  ptrdiff_t n;
  double *column; /* n */
  ms_table *table;
} modes;

/* Real or imaginary parts; imaginary ones that are all zero are left out. */
static ms_status add_part(modes *m, const char *name, ptrdiff_t node, int direction, double sign,
                          int imaginary) {
  char text[300];
  int any = 0;
  snprintf(text, sizeof text, "%.280s%s", name, imaginary ? ".im" : "");
  for (ptrdiff_t k = 0; k < m->n; k++) {
    const double *v = find_value(m->shape[k], node, direction);
    if (!v) {
      return ms_fail(m->ctx, MS_ERR_NAME, "mode %td at %g Hz has no value at node %td in %s", k + 1,
                     m->shape[k]->frequency, node, directions[direction]);
    }
    m->column[k] = imaginary ? (m->shape[k]->is_complex ? sign * v[1] : 0.0) : sign * v[0];
    any |= m->column[k] != 0.0;
  }
  return imaginary && !any ? MS_SUCCESS
                           : ms_table_add_column(m->table, text, NULL, m->column, m->n);
}

static ms_status add_place(modes *m, const char *name, ptrdiff_t node, int direction, double sign) {
  MS_TRY(add_part(m, name, node, direction, sign, 0));
  return add_part(m, name, node, direction, sign, 1);
}

/* All that any mode moves at: what is zero in all of them was not measured. */
static ms_status add_all(modes *m) {
  const ms_measurement_shape *first = m->shape[0];
  for (ptrdiff_t q = 0; q < first->n * first->width; q++) {
    const ptrdiff_t node = first->label[q / first->width];
    const int direction = (int)(q % first->width);
    int any = 0;
    char name[64];
    for (ptrdiff_t k = 0; k < m->n && !any; k++) {
      const double *v = find_value(m->shape[k], node, direction);
      any = v && (v[0] != 0.0 || (m->shape[k]->is_complex && v[1] != 0.0));
    }
    snprintf(name, sizeof name, "%td+%s", node, directions[direction]);
    if (any) MS_TRY(add_place(m, name, node, direction, 1.0));
  }
  return MS_SUCCESS;
}

static ms_status fill(modes *m, ptrdiff_t n_sensor, const ms_modes_sensor *sensor) {
  for (ptrdiff_t k = 0; k < m->n; k++) m->column[k] = m->shape[k]->frequency;
  MS_TRY(ms_table_add_column(m->table, "f", NULL, m->column, m->n));
  for (ptrdiff_t k = 0; k < m->n; k++) m->column[k] = m->shape[k]->damping;
  MS_TRY(ms_table_add_column(m->table, "zeta", NULL, m->column, m->n));
  for (ptrdiff_t k = 0; k < m->n; k++) {
    if (m->shape[k]->width == 3 || m->shape[k]->width == 6) continue;
    return ms_fail(m->ctx, MS_ERR_FORMAT,
                   "mode %td at %g Hz has %d values at a node; a shape has 3 (X, Y, Z) or 6", k + 1,
                   m->shape[k]->frequency, m->shape[k]->width);
  }
  if (n_sensor == 0) return add_all(m);
  for (ptrdiff_t i = 0; i < n_sensor; i++) {
    ptrdiff_t node;
    int direction;
    double sign;
    if (!sensor[i].place || !parse_place(sensor[i].place, &node, &direction, &sign)) {
      return ms_fail(m->ctx, MS_ERR_FORMAT,
                     "%.60s: '%.40s' is no node and direction, such as 12+Z, 12-X or 12+RY",
                     sensor[i].name, sensor[i].place ? sensor[i].place : "");
    }
    MS_TRY(add_place(m, sensor[i].name, node, direction, sign));
  }
  return MS_SUCCESS;
}

ms_status ms_measurement_tabulate_modes(const ms_measurement *file, ptrdiff_t n_sensor,
                                        const ms_modes_sensor *sensor, ms_table **out) {
  modes m = { .ctx = file->ctx };
  ptrdiff_t n;
  const ms_measurement_shape *shape = ms_measurement_get_shapes(file, &n);
  *out = NULL;
  MS_TRY(ms_allocate(m.ctx, n + 1, sizeof *m.shape, &m.shape));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (is_mode(&shape[i])) m.shape[m.n++] = &shape[i];
  }
  ms_status status =
      m.n > 0
          ? ms_allocate(m.ctx, m.n, sizeof *m.column, &m.column)
          : ms_fail(m.ctx, MS_ERR_FORMAT,
                    "there is no mode with a frequency in it (dataset 55 of a normal or complex "
                    "mode)");
  if (status == MS_SUCCESS) status = ms_table_create(m.ctx, &m.table);
  if (status == MS_SUCCESS) status = fill(&m, n_sensor, sensor);
  if (status != MS_SUCCESS) ms_table_destroy(&m.table);
  *out = m.table;
  ms_free(m.ctx, &m.shape);
  ms_free(m.ctx, &m.column);
  return status;
}

int ms_modes_is_universal(const char *path) {
  static const char *const ending[] = { ".uff", ".unv", ".uf" };
  const size_t n = strlen(path);
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
    const size_t m = strlen(ending[i]);
    if (n > m && strcasecmp(path + n - m, ending[i]) == 0) return 1;
  }
  return 0;
}

ms_status ms_modes_read(ms_context *ctx, const char *path, ptrdiff_t n_sensor,
                        const ms_modes_sensor *sensor, ms_table **out) {
  ms_measurement *file = NULL;
  *out = NULL;
  if (!ms_modes_is_universal(path)) return ms_table_read(ctx, path, out);
  MS_TRY(ms_measurement_read(ctx, path, NULL, &file));
  ms_status status = ms_measurement_tabulate_modes(file, n_sensor, sensor, out);
  ms_measurement_destroy(&file);
  return status == MS_SUCCESS ? status : ms_fail_at(ctx, status, "%s", path);
}
