/* Measured data: the file in memory, its format, names that tell channels apart. */
#include "io/measured/measured.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/internal.h"
#include "io/record.h"

static const ms_measurement_format *const formats[] = {
#define MS_MEASUREMENT(name) &ms_measurement_##name,
#include "io/measured/measured.def"
#undef MS_MEASUREMENT
};

enum { n_formats = sizeof formats / sizeof formats[0] };

/* ---- life ---- */

void ms_measurement_destroy(ms_measurement **file) {
  if (!file || !*file) return;
  ms_measurement *f = *file;
  ms_context *ctx = f->ctx;
  for (ptrdiff_t i = 0; i < f->n_block; i++) ms_free(ctx, &f->block[i]);
  ms_free(ctx, &f->block);
  ms_free(ctx, &f->channel);
  ms_free(ctx, &f->node);
  ms_free(ctx, &f->trace);
  ms_free(ctx, &f->shape);
  ms_uff58_destroy(&f->uff);
  ms_free(ctx, file);
}

ptrdiff_t ms_measurement_get_count(const ms_measurement *file) {
  return file->n;
}

const ms_measurement_channel *ms_measurement_get(const ms_measurement *file, ptrdiff_t index) {
  return index >= 0 && index < file->n ? &file->channel[index] : NULL;
}

const char *ms_measurement_get_format(const ms_measurement *file) {
  return file->format;
}

const char *ms_measurement_get_writer(const ms_measurement *file) {
  return file->writer;
}

const char *ms_measurement_get_table(const ms_measurement *file) {
  return file->table;
}

const char *ms_measurement_get_remark(const ms_measurement *file, ptrdiff_t index) {
  return index >= 0 && index < file->n_remark ? file->remark[index] : NULL;
}

const ms_measurement_node *ms_measurement_get_nodes(const ms_measurement *file, ptrdiff_t *n) {
  *n = file->n_node;
  return file->node;
}

const ms_measurement_trace *ms_measurement_get_traces(const ms_measurement *file, ptrdiff_t *n) {
  *n = file->n_trace;
  return file->trace;
}

const ms_measurement_shape *ms_measurement_get_shapes(const ms_measurement *file, ptrdiff_t *n) {
  *n = file->n_shape;
  return file->shape;
}

/* ---- what readers use ---- */

ms_status ms_measurement_add(ms_measurement_reader *r, ms_measurement_channel **out) {
  ms_measurement *f = r->file;
  MS_TRY(ms_resize(r->ctx, f->n + 1, sizeof *f->channel, &f->channel));
  *out = &f->channel[f->n++];
  **out = (ms_measurement_channel) { .kind = MS_RECORD_UNKNOWN, .type = 1, .x_factor = 1.0 };
  return MS_SUCCESS;
}

ms_status ms_measurement_allocate(ms_measurement_reader *r, ptrdiff_t n, double **out) {
  ms_measurement *f = r->file;
  MS_TRY(ms_resize(r->ctx, f->n_block + 1, sizeof *f->block, &f->block));
  f->block[f->n_block] = NULL;
  MS_TRY(ms_resize(r->ctx, n, sizeof **out, &f->block[f->n_block]));
  *out = f->block[f->n_block++];
  return MS_SUCCESS;
}

void ms_measurement_note(ms_measurement_reader *r, const char *format, ...) {
  ms_measurement *f = r->file;
  if (f->n_remark >= MS_REMARKS) return;
  va_list args;
  va_start(args, format);
  vsnprintf(f->remark[f->n_remark++], MS_REMARK_SIZE, format, args);
  va_end(args);
}

void ms_measurement_find_unit(ms_measurement_channel *c) {
  ms_record_kind kind;
  c->factor = 0.0;
  if (ms_record_says_nothing(c->unit)) return;
  if (ms_record_knows_force(c->unit, &c->factor)) {
    if (c->kind == MS_RECORD_UNKNOWN) c->kind = MS_RECORD_FORCE;
  } else if (ms_record_knows_unit(c->unit, &kind, &c->factor)) {
    if (c->kind == MS_RECORD_UNKNOWN) c->kind = kind;
  } else {
    c->factor = 0.0;
  }
}

static ms_record_kind kind_of_unit(const char *unit) {
  ms_record_kind kind = MS_RECORD_UNKNOWN;
  double factor;
  if (ms_record_says_nothing(unit)) return MS_RECORD_UNKNOWN;
  if (ms_record_knows_force(unit, &factor)) return MS_RECORD_FORCE;
  return ms_record_knows_unit(unit, &kind, &factor) ? kind : MS_RECORD_UNKNOWN;
}

/* A name is a word, a unit is what was measured. */
static void take_unit(ms_measurement_reader *r, ms_measurement_channel *c) {
  const ms_record_kind kind = kind_of_unit(c->unit);
  if (kind != MS_RECORD_UNKNOWN && c->kind != MS_RECORD_UNKNOWN && c->kind != kind) {
    ms_measurement_note(r,
                        "channel %s would be %s by its name or type, but its unit is %s: it is %s",
                        c->name, ms_record_kind_text(c->kind), c->unit, ms_record_kind_text(kind));
    c->kind = kind;
  }
  ms_measurement_find_unit(c);
}

void ms_measurement_find_uneven(ms_measurement_channel *c) {
  if (!c->x || c->n < 2) return;
  c->uneven = ms_record_find_uneven(c->n, c->x, &c->step);
  c->uneven += c->uneven > 0; /* counts from 1 */
  c->first = c->x[0];
}

/* ---- names ---- */

static int count_name(const ms_measurement *f, const char *name) {
  int count = 0;
  for (ptrdiff_t i = 0; i < f->n; i++) count += strcmp(f->channel[i].name, name) == 0;
  return count;
}

static void lengthen(ms_measurement_channel *c, const char *more) {
  char text[sizeof c->name];
  snprintf(text, sizeof text, "%.40s %.20s", c->name, more);
  memcpy(c->name, text, sizeof text);
}

static void join_reference(ms_measurement_channel *c) {
  static const char *const direction[] = { "", "X", "Y", "Z", "RX", "RY", "RZ" };
  char text[24];
  const int d = c->reference_direction, size = d < 0 ? -d : d;
  snprintf(text, sizeof text, "/%d%s%s", c->reference_node,
           d < 0   ? "-"
           : d > 0 ? "+"
                   : "",
           direction[size < 7 ? size : 0]);
  lengthen(c, text);
}

/* What tells channels of one name apart: quantity, function, reference, line of text, place. */
static void add_word(ms_measurement *f, ptrdiff_t i, int way) {
  ms_measurement_channel *c = &f->channel[i];
  char text[32];
  if (way == 0 && ms_record_kind_text(c->kind)) {
    lengthen(c, ms_record_kind_text(c->kind));
  } else if (way == 1 && c->type > 1) {
    lengthen(c, ms_uff58_type_text(c->type));
  } else if (way == 2 && c->reference_node > 0) {
    join_reference(c);
  } else if (way == 3 && !ms_record_says_nothing(c->id) && strcmp(c->id, c->name) != 0) {
    lengthen(c, c->id);
  } else if (way == 4) {
    snprintf(text, sizeof text, "#%td", i + 1);
    lengthen(c, text);
  }
}

/* A word that all channels of one name share tells nothing: it is left out again. */
static int differs(const ms_measurement *f, ptrdiff_t i, int way, const char *name) {
  const ms_measurement_channel *a = &f->channel[i];
  for (ptrdiff_t j = 0; j < f->n; j++) {
    const ms_measurement_channel *b = &f->channel[j];
    if (j == i || strcmp(b->name, name) != 0) continue;
    if ((way == 0 && a->kind != b->kind) || (way == 1 && a->type != b->type) || way == 4) return 1;
    if (way == 2 && (a->reference_node != b->reference_node ||
                     a->reference_direction != b->reference_direction))
      return 1;
    if (way == 3 && strcmp(a->id, b->id) != 0) return 1;
  }
  return 0;
}

enum { MOST_NAMED = 2000 }; /* beyond, channels of one name get their number at once */

static ms_status tell_apart(ms_measurement_reader *r) {
  ms_measurement *f = r->file;
  unsigned char *mark;
  if (f->n < 2) return MS_SUCCESS;
  if (f->n > MOST_NAMED) {
    for (ptrdiff_t i = 0; i < f->n; i++) add_word(f, i, 4);
    return MS_SUCCESS;
  }
  MS_TRY(ms_allocate(r->ctx, f->n, 1, &mark));
  for (int way = 0; way < 5; way++) {
    for (ptrdiff_t i = 0; i < f->n; i++) {
      const char *name = f->channel[i].name;
      mark[i] = count_name(f, name) > 1 && differs(f, i, way, name);
    }
    for (ptrdiff_t i = 0; i < f->n; i++)
      if (mark[i]) add_word(f, i, way);
  }
  ms_free(r->ctx, &mark);
  return MS_SUCCESS;
}

/* ---- the file ---- */

static const ms_measurement_format *find_format(const char *path) {
  const size_t length = strlen(path);
  for (int i = 0; i < n_formats; i++) {
    for (const char *const *known = formats[i]->endings; *known; known++) {
      const size_t n = strlen(*known);
      if (length > n && strcasecmp(path + length - n, *known) == 0) return formats[i];
    }
  }
  return NULL;
}

int ms_measurement_knows(const char *path) {
  return find_format(path) != NULL;
}

void ms_measurement_list_endings(char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < n_formats; i++) {
    for (const char *const *known = formats[i]->endings; *known && used + 8 < size; known++)
      used += (size_t)snprintf(text + used, size - used, " %s", *known);
  }
}

static ms_status refuse_ending(ms_context *ctx, const char *path) {
  char known[160];
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  ms_measurement_list_endings(known, sizeof known);
  return ms_fail(ctx, MS_ERR_NAME,
                 "%s: no format of measured data has the ending '%s'; it must be one of%s", path,
                 dot ? dot : "", known);
}

int ms_measurement_has_table(ms_measurement_reader *r) {
  char *beside = r->file->table;
  struct stat info;
  if (r->request->table) return 1;
  const int n = snprintf(beside, sizeof r->file->table, "%s.channels.csv", r->path);
  const int there = n > 0 && (size_t)n < sizeof r->file->table && stat(beside, &info) == 0;
  if (!there) beside[0] = '\0';
  return there;
}

static ms_status take_table(ms_measurement_reader *r) {
  if (!ms_measurement_has_table(r)) return MS_SUCCESS;
  return ms_measurement_apply_table(r, r->request->table ? r->request->table : r->file->table);
}

static ms_status read_bytes(ms_measurement_reader *r, const char *bytes, size_t length, int table) {
  const ms_measurement_format *format = find_format(r->path);
  if (!format) return refuse_ending(r->ctx, r->path);
  MS_TRY(ms_allocate(r->ctx, 1, sizeof *r->file, &r->file));
  r->file->ctx = r->ctx;
  r->file->format = format->name;
  MS_TRY(format->read(r, bytes, length));
  for (ptrdiff_t i = 0; i < r->file->n; i++) {
    ms_measurement_channel *c = &r->file->channel[i];
    if (c->name[0] == '\0') snprintf(c->name, sizeof c->name, "%td", i + 1);
    take_unit(r, c);
  }
  MS_TRY(tell_apart(r));
  return table ? take_table(r) : MS_SUCCESS;
}

static ms_status read_file(ms_context *ctx, const char *path, const char *bytes, size_t length,
                           const ms_measurement_request *request, int table, ms_measurement **out) {
  static const ms_measurement_request usual = { 0.0, NULL };
  ms_measurement_reader r = { ctx, path, request ? request : &usual, NULL };
  if (!(r.request->rate_hz >= 0.0) || !isfinite(r.request->rate_hz)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "rate %g must be > 0", r.request->rate_hz);
  }
  ms_status status = read_bytes(&r, bytes, length, table);
  if (status != MS_SUCCESS) ms_measurement_destroy(&r.file);
  *out = r.file;
  return status;
}

ms_status ms_measurement_parse(ms_context *ctx, const char *name, const char *bytes, size_t length,
                               const ms_measurement_request *request, ms_measurement **out) {
  *out = NULL;
  return read_file(ctx, name, bytes, length, request, 0, out);
}

ms_status ms_measurement_read(ms_context *ctx, const char *path,
                              const ms_measurement_request *request, ms_measurement **out) {
  MS_MAKE(ctx, out, path);
  if (!find_format(path)) return refuse_ending(ctx, path);
  char *bytes;
  size_t length;
  MS_TRY(ms_io_load(ctx, path, &bytes, &length));
  ms_status status = read_file(ctx, path, bytes, length, request, 1, out);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < (*out)->n_remark; i++)
    ms_log(ctx, MS_LOG_INFO, "%s: %s", path, (*out)->remark[i]);
  ms_free(ctx, &bytes);
  return status;
}
