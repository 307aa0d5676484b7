/* A channel table: what a file does not say of its channels, or says in other words. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/internal.h"
#include "io/measured/measured.h"
#include "io/record.h"

typedef struct channel_row {
  ms_measurement_reader *r;
  ptrdiff_t axis; /* the channel that is times or frequencies; -1: none */
  int is_frequency;
  const ms_table *table;
  const char *path;
  ptrdiff_t row;
} channel_row;

/* The cell of a column as text; "" where the table has none. */
static const char *text_of(const channel_row *c, const char *column, char text[32]) {
  const char *word = ms_table_get_word(c->table, column, c->row);
  if (word) return word;
  const double *number = ms_table_get_column(c->table, column);
  text[0] = '\0';
  if (number) snprintf(text, 32, "%.15g", number[c->row]);
  return text;
}

MS_PRINTF(3, 4)
static ms_status refuse(const channel_row *c, ms_status status, const char *format, ...);

static ms_status refuse(const channel_row *c, ms_status status, const char *format, ...) {
  char text[320];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return ms_fail(c->r->ctx, status, "%s:%td: %s", c->path, ms_table_get_line(c->table, c->row),
                 text);
}

static const char *channel_name(const void *list, int i) {
  return ((const ms_measurement *)list)->channel[i].name;
}

static ms_status find_channel(const channel_row *c, ms_measurement_channel **out) {
  ms_measurement *f = c->r->file;
  char text[32];
  const char *wanted = text_of(c, "channel", text);
  int number = 0, used = 0;
  *out = NULL;
  for (ptrdiff_t i = 0; i < f->n && !*out; i++)
    if (strcmp(wanted, f->channel[i].name) == 0) *out = &f->channel[i];
  for (ptrdiff_t i = 0; i < f->n && !*out; i++)
    if (wanted[0] && strcmp(wanted, f->channel[i].id) == 0) *out = &f->channel[i];
  const char *digits = wanted + (wanted[0] == '#');
  if (!*out && sscanf(digits, "%6d%n", &number, &used) == 1 && digits[used] == '\0' &&
      number >= 1 && number <= f->n)
    *out = &f->channel[number - 1];
  if (*out) return MS_SUCCESS;
  const char *nearest = ms_text_nearest(wanted, channel_name, f, (int)(f->n < 2000 ? f->n : 2000));
  return refuse(c, MS_ERR_NAME,
                "%.100s has no channel '%.60s'%s%.60s%s; write its name or its number, 1 to %td",
                c->r->path, wanted, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                nearest ? "'" : "", f->n);
}

static ms_status read_kind(channel_row *c, ms_measurement_channel *channel) {
  char text[32];
  const char *word = text_of(c, "kind", text);
  if (word[0] == '\0') return MS_SUCCESS;
  if (strcasecmp(word, "time") == 0 || strcasecmp(word, "frequency") == 0) {
    c->axis = channel - c->r->file->channel;
    c->is_frequency = tolower((unsigned char)*word) == 'f';
    return MS_SUCCESS;
  }
  for (int i = MS_RECORD_DISPLACEMENT; i <= MS_RECORD_FORCE; i++) {
    if (strcasecmp(word, ms_record_kind_text((ms_record_kind)i)) != 0) continue;
    channel->kind = (ms_record_kind)i;
    return MS_SUCCESS;
  }
  return refuse(c, MS_ERR_NAME,
                "kind '%.40s' must be displacement, velocity, acceleration, force, time or "
                "frequency",
                word);
}

static ms_status read_axis_unit(const channel_row *c, const char *word) {
  if (c->is_frequency ? strcasecmp(word, "Hz") == 0 : ms_record_time_factor(word) > 0.0)
    return MS_SUCCESS;
  return refuse(c, MS_ERR_NAME, "unit '%.40s' must be %s", word,
                c->is_frequency ? "Hz" : "s, ms or us");
}

static ms_status read_unit(const channel_row *c, ms_measurement_channel *channel) {
  char text[32];
  const char *word = text_of(c, "unit", text);
  if (word[0] == '\0') return MS_SUCCESS;
  snprintf(channel->unit, sizeof channel->unit, "%s", word);
  if (channel - c->r->file->channel == c->axis) return read_axis_unit(c, word);
  const int own = text_of(c, "kind", text)[0] != '\0';
  if (!own) channel->kind = MS_RECORD_UNKNOWN;
  ms_measurement_find_unit(channel);
  if (channel->factor > 0.0) return MS_SUCCESS;
  return refuse(c, MS_ERR_NAME,
                "unit '%.40s' is not known; known are N, mN, kN, lbf, m, cm, mm, um, nm, in, ft, "
                "each length over s or s^2, g and mg",
                word);
}

/* "+Z", "-x", "rz". */
static ms_status read_direction(const channel_row *c, ms_measurement_channel *channel) {
  static const char *const known[] = { "x", "y", "z", "rx", "ry", "rz" };
  char text[32];
  const char *word = text_of(c, "direction", text);
  if (word[0] == '\0') return MS_SUCCESS;
  const int negative = word[0] == '-';
  const char *name = word + (word[0] == '-' || word[0] == '+');
  for (int i = 0; i < 6; i++) {
    if (strcasecmp(name, known[i]) != 0) continue;
    channel->direction = negative ? -(i + 1) : i + 1;
    return MS_SUCCESS;
  }
  return refuse(c, MS_ERR_NAME,
                "direction '%.40s' must be x, y, z, rx, ry or rz, with a sign or "
                "without",
                word);
}

static ms_status read_node(const channel_row *c, ms_measurement_channel *channel) {
  const double *node = ms_table_get_column(c->table, "node");
  if (!node) return MS_SUCCESS;
  if (node[c->row] >= 0.0 && node[c->row] <= 2e9 && node[c->row] == floor(node[c->row])) {
    channel->node = (int)node[c->row];
    return MS_SUCCESS;
  }
  return refuse(c, MS_ERR_BOUNDS, "node %g must be a whole number from 0 on", node[c->row]);
}

/* In the unit of the heading, m where there is none. */
static ms_status read_position(const channel_row *c, ms_measurement_channel *channel) {
  static const char *const axis[] = { "x", "y", "z" };
  for (ptrdiff_t j = 0; j < ms_table_get_columns(c->table); j++) {
    const char *name = ms_table_get_name(c->table, j), *unit = ms_table_get_unit(c->table, j);
    for (int a = 0; a < 3; a++) {
      ms_record_kind kind = MS_RECORD_DISPLACEMENT;
      double factor = 1.0;
      const double *value = ms_table_get_column(c->table, name);
      if (strcmp(name, axis[a]) != 0 || !value) continue;
      if (unit && (!ms_record_knows_unit(unit, &kind, &factor) || kind != MS_RECORD_DISPLACEMENT))
        return refuse(c, MS_ERR_NAME, "column %s is in [%.40s]; it must be a length", name, unit);
      channel->position[a] = factor * value[c->row];
      channel->has_position = 1;
    }
  }
  return MS_SUCCESS;
}

static ms_status read_row(channel_row *c) {
  ms_measurement_channel *channel;
  char text[32];
  MS_TRY(find_channel(c, &channel));
  MS_TRY(read_kind(c, channel));
  MS_TRY(read_unit(c, channel));
  MS_TRY(read_direction(c, channel));
  MS_TRY(read_node(c, channel));
  MS_TRY(read_position(c, channel));
  const char *name = text_of(c, "name", text);
  if (name[0] != '\0') snprintf(channel->name, sizeof channel->name, "%.60s", name);
  return MS_SUCCESS;
}

static ms_status refuse_same(const channel_row *c) {
  const ms_measurement *f = c->r->file;
  for (ptrdiff_t i = 0; i < f->n && f->n < 2000; i++)
    for (ptrdiff_t j = 0; j < i; j++)
      if (strcmp(f->channel[i].name, f->channel[j].name) == 0)
        return ms_fail(c->r->ctx, MS_ERR_NAME,
                       "%s: channels #%td and #%td are both called '%s'; every channel needs its "
                       "own name",
                       c->path, j + 1, i + 1, f->channel[i].name);
  return MS_SUCCESS;
}

static ms_status check_columns(const channel_row *c) {
  static const char *const known[] = { "channel",   "name", "kind", "unit", "node",
                                       "direction", "x",    "y",    "z" };
  int found = 0;
  for (ptrdiff_t j = 0; j < ms_table_get_columns(c->table); j++) {
    const char *name = ms_table_get_name(c->table, j);
    int is_known = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      is_known |= strcmp(name, known[i]) == 0;
    found |= strcmp(name, "channel") == 0;
    if (!is_known)
      return ms_fail(c->r->ctx, MS_ERR_NAME,
                     "%s: column '%.40s' is not known; a channel table has channel, name, kind, "
                     "unit, node, direction, x, y, z",
                     c->path, name);
  }
  if (found) return MS_SUCCESS;
  return ms_fail(
      c->r->ctx, MS_ERR_NAME,
      "%s: has no column channel; it has names of channels of the file, or their numbers", c->path);
}

/* The channel that is times or frequencies becomes those of all others with as many samples. */
static ms_status move_axis(const channel_row *c) {
  ms_measurement *f = c->r->file;
  const ms_measurement_channel axis = f->channel[c->axis];
  if (axis.is_complex || axis.x || axis.step != 0.0)
    return ms_fail(c->r->ctx, MS_ERR_ARGUMENT, "%s: channel %s cannot be %s: %s", c->path,
                   axis.name, c->is_frequency ? "frequencies" : "times",
                   axis.is_complex ? "it is complex" : "the file has some");
  memmove(f->channel + c->axis, f->channel + c->axis + 1,
          (size_t)(f->n - c->axis - 1) * sizeof *f->channel);
  f->n--;
  for (ptrdiff_t i = 0; i < f->n; i++) {
    ms_measurement_channel *channel = &f->channel[i];
    if (channel->n != axis.n) continue;
    if (c->is_frequency) channel->type = channel->is_complex ? 4 : 12;
    channel->x = axis.y;
    channel->x_factor = c->is_frequency ? 1.0 : ms_record_time_factor(axis.unit);
    snprintf(channel->x_name, sizeof channel->x_name, "%.40s", axis.name);
    snprintf(channel->x_unit, sizeof channel->x_unit, "%.40s",
             axis.unit[0]      ? axis.unit
             : c->is_frequency ? "Hz"
                               : "s");
    ms_measurement_find_uneven(channel);
    if (channel->uneven == 0) channel->x = NULL;
  }
  return MS_SUCCESS;
}

static ms_status apply(ms_measurement_reader *r, const char *path, const ms_table *table) {
  channel_row c = { .r = r, .axis = -1, .table = table, .path = path };
  MS_TRY(check_columns(&c));
  for (; c.row < ms_table_get_rows(table); c.row++) MS_TRY(read_row(&c));
  if (c.axis >= 0) MS_TRY(move_axis(&c));
  return refuse_same(&c);
}

ms_status ms_measurement_apply_table(ms_measurement_reader *r, const char *path) {
  ms_table *table;
  MS_TRY(ms_table_read_words(r->ctx, path, &table));
  ms_status status = apply(r, path, table);
  ms_table_destroy(&table);
  if (status == MS_SUCCESS && path != r->file->table)
    snprintf(r->file->table, sizeof r->file->table, "%s", path);
  return status;
}
