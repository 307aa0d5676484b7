/* Measured records: one channel of a table or of a universal file, in SI units. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/internal.h"
#include "io/internal.h"

#define GRAVITY    9.80665 /* m/s^2, standard */
#define RATE_SLACK 1e-4    /* between a rate that is asked for and the file's */

/* ---- kinds and units ---- */

static const char *const kind_text[] = { "displacement", "velocity", "acceleration" };

const char *ms_record_kind_text(ms_record_kind kind) {
  return kind >= MS_RECORD_DISPLACEMENT && kind <= MS_RECORD_ACCELERATION ? kind_text[kind] : NULL;
}

ms_status ms_record_parse_kind(ms_context *ctx, const char *word, ms_record_kind *out) {
  for (int i = 0; i < 3; i++) {
    if (strcmp(word, kind_text[i]) != 0) continue;
    *out = (ms_record_kind)i;
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_NAME, "kind '%s' is none of displacement, velocity, acceleration",
                 word);
}

static const struct unit {
  const char *name;
  ms_record_kind kind;
  double factor;
} lengths[] = {
  { "m", MS_RECORD_DISPLACEMENT, 1.0 },     { "cm", MS_RECORD_DISPLACEMENT, 1e-2 },
  { "mm", MS_RECORD_DISPLACEMENT, 1e-3 },   { "um", MS_RECORD_DISPLACEMENT, 1e-6 },
  { "nm", MS_RECORD_DISPLACEMENT, 1e-9 },   { "in", MS_RECORD_DISPLACEMENT, 0.0254 },
  { "ft", MS_RECORD_DISPLACEMENT, 0.3048 },
}, gravities[] = {
  { "g", MS_RECORD_ACCELERATION, GRAVITY }, { "mg", MS_RECORD_ACCELERATION, 1e-3 * GRAVITY },
};

static int is_upper(const char *text) {
  int upper = 0;
  for (; *text; text++) {
    if (islower((unsigned char)*text)) return 0;
    upper |= isupper((unsigned char)*text);
  }
  return upper;
}

/* One spelling for all: no blanks or brackets, a raised 2 as ^2, micro as u, small letters where
   all are capitals ("Mm" is not "mm"). */
static void spell(const char *unit, char out[32]) {
  static const char *const micro[] = { "\xc2\xb5", "\xce\xbc" };
  int lower = is_upper(unit);
  size_t n = 0;
  while (*unit && n < 28) {
    if (strncmp(unit, micro[0], 2) == 0 || strncmp(unit, micro[1], 2) == 0) {
      out[n++] = 'u';
      unit += 2;
    } else if (strncmp(unit, "\xc2\xb2", 2) == 0) {
      out[n++] = '2';
      unit += 2;
    } else {
      int skip = *unit == ' ' || *unit == '(' || *unit == ')' || *unit == '^' || *unit == '*';
      if (!skip) out[n++] = lower ? (char)tolower((unsigned char)*unit) : *unit;
      unit++;
    }
  }
  out[n] = '\0';
}

static const struct unit *find_unit(const struct unit *list, size_t n, const char *name,
                                    size_t length) {
  for (size_t i = 0; i < n; i++) {
    if (strlen(list[i].name) == length && memcmp(list[i].name, name, length) == 0) return &list[i];
  }
  return NULL;
}

/* How often a unit is divided by seconds, by what stands after the length: 0, 1, 2; -1 unknown. */
static int count_seconds(const char *rest) {
  static const char *const over[][3] = { { "", "", "" },
                                         { "/s", "/sec", "/s1" },
                                         { "/s2", "/sec2", "/s/s" } };
  for (int d = 0; d < 3; d++) {
    for (int i = 0; i < 3; i++) {
      if (strcmp(rest, over[d][i]) == 0) return d;
    }
  }
  return -1;
}

/* Whether the unit is known; kind and factor if so. */
static int read_unit(const char *unit, ms_record_kind *kind, double *factor) {
  char text[32];
  spell(unit, text);
  size_t length = strcspn(text, "/");
  const struct unit *u = find_unit(gravities, 2, text, strlen(text));
  if (!u) u = find_unit(lengths, sizeof lengths / sizeof *lengths, text, length);
  if (!u) return 0;
  int order = u->kind == MS_RECORD_ACCELERATION ? 2 : count_seconds(text + length);
  if (order < 0) return 0;
  *kind = (ms_record_kind)order;
  *factor = u->factor;
  return 1;
}

ms_status ms_record_parse_unit(ms_context *ctx, const char *unit, ms_record_kind *kind,
                               double *factor) {
  if (read_unit(unit, kind, factor)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NAME,
                 "unit '%s' is not known; known are m, cm, mm, um, nm, in, ft, each over s or s^2, "
                 "and g, mg",
                 unit);
}

/* ---- what is common to both formats ---- */

typedef struct reader {
  ms_context *ctx;
  const char *path;
  const ms_record_request *request;
  ms_record *out;
} reader;

/* "" and what programs write for it. */
static int says_nothing(const char *text) {
  return text[0] == '\0' || strcasecmp(text, "none") == 0 || strcasecmp(text, "unknown") == 0 ||
         strcmp(text, "-") == 0;
}

/* Kind and unit, from the request, else from the file's unit and kind; they must agree. */
static ms_status find_scale(const reader *r, const char *file_unit, ms_record_kind file_kind) {
  ms_record *out = r->out;
  ms_record_kind kind = r->request->kind, measured;
  const char *unit = r->request->unit ? r->request->unit : file_unit;
  if (kind == MS_RECORD_UNKNOWN) kind = file_kind;
  if (says_nothing(unit)) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s: channel %s has no unit%s: give its %sunit, e.g. m, mm, m/s, g, m/s^2",
                   r->path, out->channel,
                   kind == MS_RECORD_UNKNOWN
                       ? ", and nothing says whether it is displacement, velocity or acceleration"
                       : "",
                   kind == MS_RECORD_UNKNOWN ? "kind and " : "");
  }
  ms_status status = ms_record_parse_unit(r->ctx, unit, &measured, &out->factor);
  if (status != MS_SUCCESS)
    return ms_fail_at(r->ctx, status, "%s: channel %s", r->path, out->channel);
  if (kind != MS_RECORD_UNKNOWN && kind != measured) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s: channel %s is %s, but its unit, %s, is one of %s; correct kind or unit",
                   r->path, out->channel, kind_text[kind], unit, kind_text[measured]);
  }
  out->kind = measured;
  snprintf(out->unit, sizeof out->unit, "%s", unit);
  return MS_SUCCESS;
}

/* Seconds in the unit of an axis of time, 0 if it is not known. */
static double time_factor(const char *unit) {
  static const char *const name[] = { "s", "sec", "second", "seconds", "ms", "us" };
  static const double factor[] = { 1.0, 1.0, 1.0, 1.0, 1e-3, 1e-6 };
  char text[32];
  if (says_nothing(unit)) return 1.0;
  spell(unit, text);
  for (int i = 0; i < 6; i++) {
    if (strcasecmp(text, name[i]) == 0) return factor[i];
  }
  return 0.0;
}

/* A scaled copy. */
static ms_status take_samples(const reader *r, const double *x, ptrdiff_t n) {
  MS_TRY(ms_resize(r->ctx, n, sizeof *r->out->x, &r->out->x));
  for (ptrdiff_t k = 0; k < n; k++) {
    r->out->x[k] = r->out->factor * x[k];
    if (isfinite(r->out->x[k])) continue;
    return ms_fail(r->ctx, MS_ERR_NUMERIC, "%s: channel %s: sample %td is too large", r->path,
                   r->out->channel, k + 1);
  }
  r->out->n = n;
  return MS_SUCCESS;
}

/* The row whose step from the row before is farthest from the mean one: where a sample is missing
   or twice there, or the grid changes. */
static ptrdiff_t worst_step(ptrdiff_t n, const double *t, double dt) {
  ptrdiff_t worst = 1;
  for (ptrdiff_t k = 1; k < n; k++) {
    if (fabs(t[k] - t[k - 1] - dt) > fabs(t[worst] - t[worst - 1] - dt)) worst = k;
  }
  return worst;
}

/* Which row is not where an even grid has it; 0 if all are. */
static ptrdiff_t find_uneven(ptrdiff_t n, const double *t, double *dt) {
  *dt = n > 1 ? (t[n - 1] - t[0]) / (double)(n - 1) : 0.0;
  for (ptrdiff_t k = 1; k < n; k++) {
    if (!(t[k] > t[k - 1])) return k;
  }
  for (ptrdiff_t k = 1; k < n; k++) {
    if (!(fabs(t[k] - t[0] - *dt * (double)k) <= MS_RECORD_SLACK * *dt))
      return worst_step(n, t, *dt);
  }
  return 0;
}

/* where: line of row k, or its number where lines do not tell. */
static ms_status refuse_uneven(const reader *r, const double *t, ptrdiff_t k, double dt,
                               const char *where) {
  if (!(t[k] > t[k - 1])) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s%s: time does not increase: %.9g after %.9g",
                   r->path, where, t[k], t[k - 1]);
  }
  return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                 "%s%s: sampling is not even: the step to this row is %.6g, on average %.6g; "
                 "resample the record",
                 r->path, where, t[k] - t[k - 1], dt);
}

/* ---- tables ---- */

static int is_time_name(const char *name) {
  return strcasecmp(name, "t") == 0 || strcasecmp(name, "time") == 0;
}

static ptrdiff_t find_time_column(const ms_table *table) {
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table); c++) {
    if (is_time_name(ms_table_get_name(table, c))) return c;
  }
  return -1;
}

/* Names of the channels, for messages and to look one up. */
typedef struct names {
  const char *(*name)(const void *list, int i);
  const void *list;
  int n;
} names;

static void list_names(const names *all, char text[256]) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < all->n && used < 200; i++) {
    int n = snprintf(text + used, 256 - used, "%s%.40s", i ? ", " : "", all->name(all->list, i));
    used += n > 0 ? (size_t)n : 0;
    if (i + 1 < all->n && used >= 200) snprintf(text + used, 256 - used, ", ...");
  }
}

static ms_status refuse_channel(const reader *r, const names *all) {
  char text[256];
  list_names(all, text);
  if (!r->request->channel) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s has %d channels: name one of %s", r->path, all->n,
                   text);
  }
  const char *nearest = ms_text_nearest(r->request->channel, all->name, all->list, all->n);
  if (nearest) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s has no channel '%s'; did you mean '%s'?", r->path,
                   r->request->channel, nearest);
  }
  return ms_fail(r->ctx, MS_ERR_NAME, "%s has no channel '%s'; there are %s", r->path,
                 r->request->channel, text);
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

static ms_status find_column(const reader *r, const table_channels *c, ptrdiff_t *column) {
  names all = { table_name, c, (int)ms_table_get_columns(c->table) - (c->time >= 0) };
  if (all.n == 0) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s has no channel beside its times", r->path);
  }
  for (int i = 0; i < all.n; i++) {
    int only = !r->request->channel && all.n == 1;
    if (!only && (!r->request->channel || strcmp(r->request->channel, table_name(c, i)) != 0))
      continue;
    *column = channel_column(c, i);
    snprintf(r->out->channel, sizeof r->out->channel, "%.60s", table_name(c, i));
    return MS_SUCCESS;
  }
  return refuse_channel(r, &all);
}

static ms_status time_from_column(const reader *r, const ms_table *table, ptrdiff_t column) {
  const char *name = ms_table_get_name(table, column), *unit = ms_table_get_unit(table, column);
  const double *t = ms_table_get_column(table, name);
  ptrdiff_t n = ms_table_get_rows(table);
  double dt, seconds = time_factor(unit ? unit : "");
  if (seconds == 0.0) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s: column %s is in [%s]; times are in s, ms or us",
                   r->path, name, unit);
  }
  if (n < 2) return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s has one row; it is too short", r->path);
  ptrdiff_t uneven = find_uneven(n, t, &dt);
  if (uneven > 0) {
    char where[32];
    snprintf(where, sizeof where, ":%td", ms_table_get_line(table, uneven));
    return refuse_uneven(r, t, uneven, dt, where);
  }
  r->out->dt = seconds * dt;
  r->out->time = seconds * t[0];
  return MS_SUCCESS;
}

static ms_status find_times(const reader *r, const table_channels *c) {
  if (c->time >= 0 && r->request->rate_hz > 0.0) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has its times in column %s: a rate is for files without", r->path,
                   ms_table_get_name(c->table, c->time));
  }
  if (c->time >= 0) return time_from_column(r, c->table, c->time);
  if (!(r->request->rate_hz > 0.0)) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has no column t: add one, or give the rate in samples per second", r->path);
  }
  r->out->dt = 1.0 / r->request->rate_hz;
  return MS_SUCCESS;
}

static ms_status take_table(const reader *r, const ms_table *table) {
  table_channels channels = { table, find_time_column(table) };
  ptrdiff_t column = 0;
  MS_TRY(find_times(r, &channels));
  MS_TRY(find_column(r, &channels, &column));
  const char *unit = ms_table_get_unit(table, column);
  MS_TRY(find_scale(r, unit ? unit : "", MS_RECORD_UNKNOWN));
  return take_samples(r, ms_table_get_column(table, ms_table_get_name(table, column)),
                      ms_table_get_rows(table));
}

static ms_status read_table(const reader *r) {
  ms_table *table;
  MS_TRY(ms_table_read(r->ctx, r->path, &table));
  ms_status status = take_table(r, table);
  ms_table_destroy(&table);
  return status;
}

/* ---- universal files ---- */

enum { NAME_SIZE = 48 };

/* The time functions of a file, with their names. */
typedef struct uff_channels {
  const ms_uff58_function **function;
  char (*name)[NAME_SIZE];
  int n;
} uff_channels;

static const char *uff_name(const void *list, int i) {
  return ((const uff_channels *)list)->name[i];
}

/* Where on the structure, "12+Z". */
static const char *place_of(const ms_uff58_function *f, char text[24]) {
  static const char *const direction[] = { "", "X", "Y", "Z", "RX", "RY", "RZ" };
  int d = f->response_direction;
  const char *sign = d < 0 ? "-" : d > 0 ? "+" : "";
  if (d < 0) d = -d;
  snprintf(text, 24, "%d%s%s", f->response_node, sign, direction[d < 7 ? d : 0]);
  return text;
}

static int is_time_function(const ms_uff58_function *f) {
  return !f->is_complex && (f->type == 1 || (f->type == 0 && f->abscissa.kind == 17));
}

static void name_function(const ms_uff58_function *f, char name[NAME_SIZE]) {
  char place[24];
  place_of(f, place);
  if (says_nothing(f->response_name)) {
    snprintf(name, NAME_SIZE, "%s", place);
  } else {
    snprintf(name, NAME_SIZE, "%s:%s", f->response_name, place);
  }
}

static ms_status collect(const reader *r, const ms_uff58 *file, uff_channels *c) {
  ptrdiff_t n = ms_uff58_get_count(file);
  MS_TRY(ms_allocate(r->ctx, n, sizeof *c->function, &c->function));
  MS_TRY(ms_allocate(r->ctx, n, sizeof *c->name, &c->name));
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_uff58_function *f = ms_uff58_get(file, i);
    if (!is_time_function(f)) continue;
    name_function(f, c->name[c->n]);
    c->function[c->n++] = f;
  }
  if (c->n > 0) return MS_SUCCESS;
  return ms_fail(
      r->ctx, MS_ERR_ARGUMENT,
      "%s has no function of time: the %td functions in it are of other kinds (%s first)", r->path,
      n, ms_uff58_type_text(ms_uff58_get(file, 0)->type));
}

/* Does `wanted` stand for channel i: its whole name, or one part of it? */
static int matches(const uff_channels *c, int i, const char *wanted) {
  char place[24];
  return strcmp(wanted, c->name[i]) == 0 || strcmp(wanted, c->function[i]->response_name) == 0 ||
         strcmp(wanted, place_of(c->function[i], place)) == 0;
}

static int read_number_sign(const char *wanted, int n) {
  int number = 0, used = 0;
  if (sscanf(wanted, "#%4d%n", &number, &used) != 1 || wanted[used] != '\0') return -1;
  return number >= 1 && number <= n ? number - 1 : -1;
}

static ms_status find_function(const reader *r, const uff_channels *c, int *out) {
  const char *wanted = r->request->channel;
  names all = { uff_name, c, c->n };
  int found = 0;
  *out = wanted ? read_number_sign(wanted, c->n) : c->n == 1 ? 0 : -1;
  if (*out >= 0) return MS_SUCCESS;
  for (int i = 0; wanted && i < c->n; i++) {
    if (!matches(c, i, wanted)) continue;
    *out = i;
    found++;
  }
  if (found == 1) return MS_SUCCESS;
  if (found == 0) return refuse_channel(r, &all);
  return ms_fail(r->ctx, MS_ERR_NAME,
                 "%s: channel '%s' is there %d times; name it by its number, #1 to #%d", r->path,
                 wanted, found, c->n);
}

/* The step has six digits in the file; a rate that agrees with it may have more. */
static ms_status refine_step(const reader *r, double *dt) {
  double rate = r->request->rate_hz;
  if (!(rate > 0.0)) return MS_SUCCESS;
  if (fabs(rate * *dt - 1.0) > RATE_SLACK) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s: channel %s has %.6g samples per second, not %.6g; leave the rate out",
                   r->path, r->out->channel, 1.0 / *dt, rate);
  }
  *dt = 1.0 / rate;
  return MS_SUCCESS;
}

static ms_status time_of_function(const reader *r, const ms_uff58_function *f) {
  double seconds = time_factor(f->abscissa.unit), dt = f->x_step, first = f->x_first;
  if (seconds == 0.0) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s:%td: the abscissa is in '%s'; times are in s, ms or us",
                   r->path, f->line, f->abscissa.unit);
  }
  if (f->n < 2) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s:%td: channel %s has one sample; it is too short",
                   r->path, f->line, r->out->channel);
  }
  ptrdiff_t uneven = f->is_even ? 0 : find_uneven(f->n, f->x, &dt);
  if (uneven > 0) {
    char where[160];
    snprintf(where, sizeof where, ":%td: channel %s: sample %td", f->line, r->out->channel,
             uneven + 1);
    return refuse_uneven(r, f->x, uneven, dt, where);
  }
  if (!f->is_even) first = f->x[0];
  r->out->dt = seconds * dt;
  r->out->time = seconds * first;
  if (!(r->out->dt > 0.0)) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s:%td: the time step is %g s; it must be > 0",
                   r->path, f->line, r->out->dt);
  }
  return refine_step(r, &r->out->dt);
}

static ms_record_kind kind_of_axis(const ms_uff58_axis *axis) {
  switch (axis->kind) {
  case 8:
    return MS_RECORD_DISPLACEMENT;
  case 11:
    return MS_RECORD_VELOCITY;
  case 12:
    return MS_RECORD_ACCELERATION;
  default:
    return MS_RECORD_UNKNOWN;
  }
}

static ms_status take_function(const reader *r, const uff_channels *c) {
  int i;
  MS_TRY(find_function(r, c, &i));
  const ms_uff58_function *f = c->function[i];
  snprintf(r->out->channel, sizeof r->out->channel, "%s", c->name[i]);
  MS_TRY(time_of_function(r, f));
  MS_TRY(find_scale(r, f->ordinate.unit, kind_of_axis(&f->ordinate)));
  return take_samples(r, f->y, f->n);
}

static ms_status read_uff(const reader *r) {
  ms_uff58 *file;
  uff_channels channels = { NULL, NULL, 0 };
  MS_TRY(ms_uff58_read(r->ctx, r->path, &file));
  ms_status status = collect(r, file, &channels);
  if (status == MS_SUCCESS) status = take_function(r, &channels);
  ms_free(r->ctx, &channels.function);
  ms_free(r->ctx, &channels.name);
  ms_uff58_destroy(&file);
  return status;
}

/* ---- the file ---- */

static int is_uff(const char *path) {
  static const char *const ending[] = { ".uff", ".unv", ".uf", ".58" };
  size_t length = strlen(path);
  for (int i = 0; i < 4; i++) {
    size_t n = strlen(ending[i]);
    if (length > n && strcasecmp(path + length - n, ending[i]) == 0) return 1;
  }
  return 0;
}

/* The list of a table's endings, and those of universal files. */
static ms_status check_ending(ms_context *ctx, const char *path) {
  const ms_format *format;
  if (is_uff(path)) return MS_SUCCESS;
  ms_status status = ms_io_find_format(ctx, path, MS_IO_TABLE, &format);
  if (status == MS_SUCCESS) return status;
  char text[600];
  snprintf(text, sizeof text, "%s", ms_context_message(ctx));
  return ms_fail(ctx, status, "%s .uff .unv", text);
}

ms_status ms_record_read(ms_context *ctx, const char *path, const ms_record_request *request,
                         ms_record *out) {
  *out = (ms_record) { .kind = MS_RECORD_UNKNOWN };
  reader r = { ctx, path, request, out };
  if (!path) return ms_fail(ctx, MS_ERR_ARGUMENT, "a record to be read needs a path");
  if (!(request->rate_hz >= 0.0) || !isfinite(request->rate_hz)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "rate %g must be > 0", request->rate_hz);
  }
  MS_TRY(check_ending(ctx, path));
  ms_status status = is_uff(path) ? read_uff(&r) : read_table(&r);
  if (status != MS_SUCCESS) ms_record_free(ctx, out);
  return status;
}

void ms_record_free(ms_context *ctx, ms_record *record) {
  if (!record) return;
  ms_free(ctx, &record->x);
  *record = (ms_record) { .kind = MS_RECORD_UNKNOWN };
}
