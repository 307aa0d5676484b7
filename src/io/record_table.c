/* Records from tables: a column of times, or a rate, and the column of a channel. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/record.h"

static int is_time_name(const char *name) {
  return strcasecmp(name, "t") == 0 || strcasecmp(name, "time") == 0;
}

static ptrdiff_t find_time_column(const ms_table *table) {
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table); c++) {
    if (is_time_name(ms_table_get_name(table, c))) return c;
  }
  return -1;
}

typedef struct table_channels {
  const ms_table *table;
  ptrdiff_t time; /* column, -1 if there is none */
} table_channels;

static ptrdiff_t channel_column(const table_channels *c, int i) {
  return c->time >= 0 && i >= c->time ? i + 1 : i;
}

static const char *table_name(const void *list, int i) {
  const table_channels *c = list;
  return ms_table_get_name(c->table, channel_column(c, i));
}

static ms_status find_column(const ms_record_reader *r, const table_channels *c,
                             ptrdiff_t *column) {
  ms_record_names all = { table_name, c, (int)ms_table_get_columns(c->table) - (c->time >= 0) };
  if (all.n == 0) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s has no channel besides time", r->path);
  }
  for (int i = 0; i < all.n; i++) {
    int only = !r->request->channel && all.n == 1;
    if (!only && (!r->request->channel || strcmp(r->request->channel, table_name(c, i)) != 0))
      continue;
    *column = channel_column(c, i);
    snprintf(r->out->channel, sizeof r->out->channel, "%.60s", table_name(c, i));
    return MS_SUCCESS;
  }
  return ms_record_refuse_channel(r, &all);
}

static ms_status time_from_column(const ms_record_reader *r, const ms_table *table,
                                  ptrdiff_t column) {
  const char *name = ms_table_get_name(table, column), *unit = ms_table_get_unit(table, column);
  const double *t = ms_table_get_column(table, name);
  ptrdiff_t n = ms_table_get_rows(table);
  double dt, seconds = ms_record_time_factor(unit ? unit : "");
  if (seconds == 0.0) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s: column %s is in [%s]; times are in s, ms or us",
                   r->path, name, unit);
  }
  if (n < 2) return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s has one row; it is too short", r->path);
  ptrdiff_t uneven = ms_record_find_uneven(n, t, &dt);
  if (uneven > 0) {
    char where[32];
    snprintf(where, sizeof where, ":%td", ms_table_get_line(table, uneven));
    return ms_record_refuse_uneven(r, t, uneven, dt, where);
  }
  r->out->dt = seconds * dt;
  r->out->time = seconds * t[0];
  return MS_SUCCESS;
}

static ms_status find_times(const ms_record_reader *r, const table_channels *c) {
  if (c->time >= 0 && r->request->rate_hz > 0.0) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has its times in column %s: give a rate only for files without times",
                   r->path, ms_table_get_name(c->table, c->time));
  }
  if (c->time >= 0) return time_from_column(r, c->table, c->time);
  if (!(r->request->rate_hz > 0.0)) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has no column t: add one, or give the rate in samples per second", r->path);
  }
  r->out->dt = 1.0 / r->request->rate_hz;
  return MS_SUCCESS;
}

static ms_status take_table(const ms_record_reader *r, const ms_table *table) {
  table_channels channels = { table, find_time_column(table) };
  ptrdiff_t column = 0;
  MS_TRY(find_times(r, &channels));
  MS_TRY(find_column(r, &channels, &column));
  const char *unit = ms_table_get_unit(table, column);
  MS_TRY(ms_record_find_scale(r, unit ? unit : "", MS_RECORD_UNKNOWN));
  return ms_record_take_samples(r, ms_table_get_column(table, ms_table_get_name(table, column)),
                                ms_table_get_rows(table));
}

ms_status ms_record_read_table(const ms_record_reader *r) {
  ms_table *table;
  MS_TRY(ms_table_read(r->ctx, r->path, &table));
  ms_status status = take_table(r, table);
  ms_table_destroy(&table);
  return status;
}
