/* Records from tables: a column of times, or a rate, and the column of a channel. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/record.h"

/* A heading as records understand it: "tip [g]", and "tip (g)" where what stands in parentheses is
   a unit. */
typedef struct heading {
  char name[64];
  const char *unit; /* "" for none */
  char own[32];     /* where it stands in parentheses */
} heading;

static int is_unit(const char *text) {
  ms_record_kind kind;
  double factor;
  return ms_record_time_factor(text) > 0.0 || ms_record_knows_unit(text, &kind, &factor) ||
         ms_record_knows_force(text, &factor);
}

static void read_heading(const ms_table *table, ptrdiff_t column, heading *out) {
  const char *name = ms_table_get_name(table, column), *unit = ms_table_get_unit(table, column);
  const char *open = strrchr(name, '(');
  const size_t n = strlen(name), inside = open ? n - (size_t)(open - name) : 0;
  snprintf(out->name, sizeof out->name, "%.60s", name);
  out->unit = unit ? unit : "";
  if (unit || inside < 3 || inside > sizeof out->own || name[n - 1] != ')') return;
  snprintf(out->own, sizeof out->own, "%.*s", (int)inside - 2, open + 1);
  size_t length = (size_t)(open - name);
  while (length > 0 && name[length - 1] == ' ') length--;
  if (length == 0 || length >= sizeof out->name || !is_unit(out->own)) return;
  out->name[length] = '\0';
  out->unit = out->own;
}

/* "t" or "time", also "time_ms": the unit after the line is then that of a column without one. */
static int is_time(heading *h) {
  char word[64];
  const char *line = strchr(h->name, '_');
  snprintf(word, sizeof word, "%.*s", (int)(line ? line - h->name : 60), h->name);
  if (strcasecmp(word, "t") != 0 && strcasecmp(word, "time") != 0) return 0;
  if (!line) return 1;
  if (ms_record_says_nothing(line + 1) || !(ms_record_time_factor(line + 1) > 0.0)) return 0;
  if (h->unit[0] == '\0') h->unit = line + 1;
  return 1;
}

static ptrdiff_t find_time_column(const ms_table *table) {
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table); c++) {
    heading h;
    read_heading(table, c, &h);
    if (is_time(&h)) return c;
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

/* By the whole heading, else by the name before a unit in parentheses if only one has it; -1 if
   there is none such. */
static int find_channel(const table_channels *c, int n, const char *wanted) {
  int found = -1, count = 0;
  if (!wanted) return n == 1 ? 0 : -1;
  for (int i = 0; i < n; i++) {
    heading h;
    if (strcmp(wanted, table_name(c, i)) == 0) return i;
    read_heading(c->table, channel_column(c, i), &h);
    if (strcmp(wanted, h.name) != 0) continue;
    found = i;
    count++;
  }
  return count == 1 ? found : -1;
}

static ms_status find_column(const ms_record_reader *r, const table_channels *c,
                             ptrdiff_t *column) {
  ms_record_names all = { table_name, c, (int)ms_table_get_columns(c->table) - (c->time >= 0) };
  if (all.n == 0) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s has no channel besides time", r->path);
  }
  const int found = find_channel(c, all.n, r->request->channel);
  if (found < 0) return ms_record_refuse_channel(r, &all);
  heading h;
  *column = channel_column(c, found);
  read_heading(c->table, *column, &h);
  snprintf(r->out->channel, sizeof r->out->channel, "%s", h.name);
  return MS_SUCCESS;
}

static ms_status time_from_column(const ms_record_reader *r, const ms_table *table,
                                  ptrdiff_t column) {
  const char *name = ms_table_get_name(table, column);
  const double *t = ms_table_get_column(table, name);
  ptrdiff_t n = ms_table_get_rows(table);
  heading h;
  read_heading(table, column, &h);
  is_time(&h);
  double dt, seconds = ms_record_time_factor(h.unit);
  if (seconds == 0.0) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s: column %s is in [%s]; times are in s, ms or us",
                   r->path, name, h.unit);
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
                   "%s has no column t or time (the first is '%.40s'): write 't [s]', or give the "
                   "rate in samples per second",
                   r->path, ms_table_get_name(c->table, 0));
  }
  r->out->dt = 1.0 / r->request->rate_hz;
  return MS_SUCCESS;
}

static ms_status take_table(const ms_record_reader *r, const ms_table *table) {
  table_channels channels = { table, find_time_column(table) };
  ptrdiff_t column = 0;
  MS_TRY(find_times(r, &channels));
  MS_TRY(find_column(r, &channels, &column));
  heading h;
  read_heading(table, column, &h);
  MS_TRY(ms_record_find_scale(r, h.unit, MS_RECORD_UNKNOWN));
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
