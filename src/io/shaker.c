/* Tables of a measured stepped sine. */
#include <math.h>
#include <microslip/shaker.h>
#include <string.h>

#include "core/internal.h"
#include "io/record.h"

enum { FREQUENCY, FORCE, AMPLITUDE, PHASE, COLUMNS };

static const char *unit_of(const ms_table *table, const char *name) {
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table); c++) {
    if (strcmp(ms_table_get_name(table, c), name) == 0) return ms_table_get_unit(table, c);
  }
  return NULL;
}

/* What a unit is in SI; 0: none of this column. */
static double find_factor(int column, const char *unit, ms_record_kind *kind) {
  static const struct {
    int column;
    const char *unit;
    double factor;
  } known[] = { { FREQUENCY, "Hz", 2.0 * MS_PI },
                { FREQUENCY, "kHz", 2e3 * MS_PI },
                { FREQUENCY, "rad/s", 1.0 },
                { PHASE, "deg", MS_PI / 180.0 },
                { PHASE, "rad", 1.0 } };
  double factor = 0.0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (known[i].column == column && strcmp(known[i].unit, unit) == 0) return known[i].factor;
  }
  if (column == FORCE) ms_record_knows_force(unit, &factor);
  if (column == AMPLITUDE) ms_record_knows_unit(unit, kind, &factor);
  return factor;
}

static ms_status find_column(ms_context *ctx, const ms_table *table, int column, const char *name,
                             const char *path, const double **values, double *factor,
                             ms_record_kind *kind) {
  static const char *const expected[COLUMNS] = { "Hz, kHz or rad/s", "N, mN, kN or lbf",
                                                 "m, mm, m/s, m/s^2, g and the like",
                                                 "deg or rad" };
  MS_TRY(ms_table_find_column(table, name, values));
  if (!*values) {
    return ms_fail(ctx, MS_ERR_NAME,
                   "%s: there is no column '%s'; a stepped sine has frequency, force, amplitude "
                   "and phase",
                   path, name);
  }
  const char *unit = unit_of(table, name);
  *factor = unit ? find_factor(column, unit, kind) : 0.0;
  if (*factor > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NAME, "%s: column '%s' is in [%s]; its heading must say %s", path,
                 name, unit ? unit : "", expected[column]);
}

/* The d-th derivative leads the displacement by d quarters of a period. */
static void use_derivative(ms_shaker_table *t) {
  const int d = (int)t->kind;
  for (ptrdiff_t i = 0; i < t->n; i++) {
    t->amplitude[i] /= pow(t->omega[i], d);
    t->phase[i] = remainder(t->phase[i] - 0.5 * MS_PI * d, 2.0 * MS_PI);
  }
}

static ms_status fill(ms_context *ctx, const ms_table *table, const char *path,
                      const ms_shaker_columns *columns, ms_shaker_table *out) {
  static const char *const otherwise[COLUMNS] = { "frequency", "force", "amplitude", "phase" };
  const ms_shaker_columns none = { NULL, NULL, NULL, NULL }, *c = columns ? columns : &none;
  const char *const given[COLUMNS] = { c->frequency, c->force, c->amplitude, c->phase };
  double **const to[COLUMNS] = { &out->omega, &out->force, &out->amplitude, &out->phase };
  const ptrdiff_t n = out->n = ms_table_get_rows(table);
  MS_TRY(ms_allocate(ctx, n, sizeof *out->row, &out->row));
  for (int k = 0; k < COLUMNS; k++) {
    const char *name = given[k] ? given[k] : otherwise[k];
    const double *values;
    double factor = 0.0;
    MS_TRY(find_column(ctx, table, k, name, path, &values, &factor, &out->kind));
    MS_TRY(ms_allocate(ctx, n, sizeof **to[k], to[k]));
    for (ptrdiff_t i = 0; i < n; i++) {
      (*to[k])[i] = factor * values[i];
      out->row[i] = (int)ms_table_get_line(table, i);
      if (k == PHASE || values[i] > 0.0) continue;
      return ms_fail(ctx, MS_ERR_BOUNDS, "%s:%d: %s is %g; it must be positive", path, out->row[i],
                     name, values[i]);
    }
  }
  use_derivative(out);
  return MS_SUCCESS;
}

ms_status ms_shaker_read(ms_context *ctx, const char *path, const ms_shaker_columns *columns,
                         ms_shaker_table *out) {
  ms_table *table = NULL;
  MS_NEED(ctx, ctx && path && out);
  *out = (ms_shaker_table) { .n = 0 };
  MS_TRY(ms_table_read_words(ctx, path, &table));
  ms_status status = fill(ctx, table, path, columns, out);
  ms_table_destroy(&table);
  if (status != MS_SUCCESS) ms_shaker_free(ctx, out);
  return status;
}

void ms_shaker_free(ms_context *ctx, ms_shaker_table *t) {
  double **part[COLUMNS] = { &t->omega, &t->force, &t->amplitude, &t->phase };
  for (int k = 0; k < COLUMNS; k++) ms_free(ctx, part[k]);
  ms_free(ctx, &t->row);
  t->n = 0;
}
