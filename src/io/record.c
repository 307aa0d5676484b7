/* Measured records: one channel in time of a file of measured data, in SI units. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "io/measured/measured.h"
#include "io/record.h"
#include "io/tolerance.h"

typedef struct ms_record_reader {
  ms_context *ctx;
  const char *path;
  const ms_record_request *request;
  const ms_measurement *file;
  ms_record *out;
} ms_record_reader;

static ms_status find_force_scale(const ms_record_reader *r, const char *unit) {
  ms_record *out = r->out;
  if (ms_record_says_nothing(unit)) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: channel %s, a force, has no unit, e.g. [N]",
                   r->path, out->channel);
  }
  ms_status status = ms_record_parse_force(r->ctx, unit, &out->factor);
  if (status != MS_SUCCESS)
    return ms_fail_at(r->ctx, status, "%s: channel %s", r->path, out->channel);
  out->kind = MS_RECORD_FORCE;
  snprintf(out->unit, sizeof out->unit, "%s", unit);
  return MS_SUCCESS;
}

/* Kind and unit, from the request, else from the file's unit and kind; they must agree. */
static ms_status find_scale(const ms_record_reader *r, const char *file_unit,
                            ms_record_kind file_kind) {
  ms_record *out = r->out;
  ms_record_kind kind = r->request->kind, measured;
  const char *unit = r->request->unit ? r->request->unit : file_unit;
  if (kind == MS_RECORD_FORCE) return find_force_scale(r, unit);
  if (kind == MS_RECORD_UNKNOWN) kind = file_kind;
  if (ms_record_says_nothing(unit)) {
    return ms_fail(
        r->ctx, MS_ERR_ARGUMENT,
        "%s: channel %s has no unit%s: give its %sunit, e.g. m, mm, m/s, g, m/s^2", r->path,
        out->channel,
        kind == MS_RECORD_UNKNOWN
            ? ", and it is not known whether it is displacement, velocity or acceleration"
            : "",
        kind == MS_RECORD_UNKNOWN ? "kind and " : "");
  }
  ms_status status = ms_record_parse_unit(r->ctx, unit, &measured, &out->factor);
  if (status != MS_SUCCESS)
    return ms_fail_at(r->ctx, status, "%s: channel %s", r->path, out->channel);
  if (kind != MS_RECORD_UNKNOWN && kind != measured) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s: channel %s is %s, but its unit, %s, is one of %s; correct kind or unit",
                   r->path, out->channel, ms_record_kind_text(kind), unit,
                   ms_record_kind_text(measured));
  }
  out->kind = measured;
  snprintf(out->unit, sizeof out->unit, "%s", unit);
  return MS_SUCCESS;
}

/* A scaled copy. */
static ms_status take_samples(const ms_record_reader *r, const double *x, ptrdiff_t n) {
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

ptrdiff_t ms_record_find_uneven(ptrdiff_t n, const double *t, double *dt) {
  *dt = n > 1 ? (t[n - 1] - t[0]) / (double)(n - 1) : 0.0;
  if (!isfinite(*dt)) return 1;
  for (ptrdiff_t k = 1; k < n; k++) {
    if (!(t[k] > t[k - 1])) return k;
  }
  for (ptrdiff_t k = 1; k < n; k++) {
    if (!(fabs(t[k] - t[0] - *dt * (double)k) <= MS_RECORD_SLACK * *dt))
      return worst_step(n, t, *dt);
  }
  return 0;
}

/* ---- the channel ---- */

static int is_record(const ms_measurement_channel *c) {
  return c->type == 1 && !c->is_complex;
}

/* Channels in time alone, counted from 0. */
static const ms_measurement_channel *get_record(const ms_measurement *file, int index) {
  for (ptrdiff_t i = 0; i < file->n; i++)
    if (is_record(&file->channel[i]) && index-- == 0) return &file->channel[i];
  return NULL;
}

static const char *record_name(const void *file, int i) {
  return get_record(file, i)->name;
}

/* The channel that was asked for is none of them, or none was asked for. */
static ms_status refuse_channel(const ms_record_reader *r, int n) {
  char text[256];
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < n && used < 200; i++) {
    int k = snprintf(text + used, 256 - used, "%s%.40s", i ? ", " : "", record_name(r->file, i));
    used += k > 0 ? (size_t)k : 0;
    if (i + 1 < n && used >= 200) snprintf(text + used, 256 - used, ", ...");
  }
  if (!r->request->channel) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s has %d channels: name one of %s", r->path, n, text);
  }
  const char *nearest = ms_text_nearest(r->request->channel, record_name, r->file, n);
  if (nearest) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s has no channel '%s'; did you mean '%s'?", r->path,
                   r->request->channel, nearest);
  }
  return ms_fail(r->ctx, MS_ERR_NAME, "%s has no channel '%s'; there are %s", r->path,
                 r->request->channel, text);
}

static ms_status refuse_empty(const ms_record_reader *r) {
  if (r->file->n == 0 && strcmp(r->file->format, "uff") != 0)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s has no channel besides time", r->path);
  return ms_fail(
      r->ctx, MS_ERR_ARGUMENT,
      "%s has no function of time: the %td functions in it are of other kinds (%s first)", r->path,
      r->file->n, r->file->n > 0 ? ms_uff58_type_text(r->file->channel[0].type) : "none");
}

/* Does `wanted` stand for the channel: its name, the heading or line of text, or a part of it? */
static int matches(const ms_measurement_channel *c, const char *wanted) {
  const char *const word[] = { c->id, c->response_name, c->place };
  for (int i = 0; i < 3; i++)
    if (word[i][0] != '\0' && strcmp(wanted, word[i]) == 0) return 1;
  return 0;
}

static int read_number_sign(const char *wanted, int n) {
  int number = 0, used = 0;
  if (sscanf(wanted, "#%4d%n", &number, &used) != 1 || wanted[used] != '\0') return -1;
  return number >= 1 && number <= n ? number - 1 : -1;
}

/* By name or number, else by a part of it if one channel alone has it, or one alone of the kind
   that is asked for. */
static ms_status find_channel(const ms_record_reader *r, const ms_measurement_channel **out) {
  const char *wanted = r->request->channel;
  int n = 0, found = 0, of_kind = 0;
  const ms_measurement_channel *last_of_kind = NULL;
  for (ptrdiff_t i = 0; i < r->file->n && n < 10000; i++) n += is_record(&r->file->channel[i]);
  if (n == 0) return refuse_empty(r);
  const int number = wanted ? read_number_sign(wanted, n) : n == 1 ? 0 : -1;
  *out = number >= 0 ? get_record(r->file, number) : NULL;
  for (ptrdiff_t i = 0; i < r->file->n && wanted && !*out; i++) {
    const ms_measurement_channel *c = &r->file->channel[i];
    if (is_record(c) && strcmp(wanted, c->name) == 0) *out = c;
  }
  if (*out) return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < r->file->n && wanted; i++) {
    const ms_measurement_channel *c = &r->file->channel[i];
    if (!is_record(c) || !matches(c, wanted)) continue;
    *out = c;
    found++;
    if (c->kind != r->request->kind || c->kind == MS_RECORD_UNKNOWN) continue;
    last_of_kind = c;
    of_kind++;
  }
  if (found > 1 && of_kind == 1) *out = last_of_kind;
  if (found == 1 || of_kind == 1) return MS_SUCCESS;
  if (found == 0) return refuse_channel(r, n);
  return ms_fail(r->ctx, MS_ERR_NAME,
                 "%s: channel '%s' appears %d times; name it by its number, #1 to #%d", r->path,
                 wanted, found, n);
}

/* ---- its times ---- */

static ms_status refuse_uneven(const ms_record_reader *r, const ms_measurement_channel *c) {
  const ptrdiff_t k = c->uneven - 1;
  const double *t = c->x;
  char where[160];
  if (c->uneven_line > 0) {
    snprintf(where, sizeof where, ":%td", c->uneven_line);
  } else {
    snprintf(where, sizeof where, ":%td: channel %s: sample %td", c->line, c->name, c->uneven);
  }
  if (!(t[k] > t[k - 1])) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s%s: time does not increase: %.9g after %.9g",
                   r->path, where, t[k], t[k - 1]);
  }
  return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                 "%s%s: sampling is uneven: the step to this row is %.6g, on average %.6g; "
                 "resample the record",
                 r->path, where, t[k] - t[k - 1], c->step);
}

static ms_status refuse_times(const ms_record_reader *r, const ms_measurement_channel *c) {
  const int table = strcmp(r->file->format, "csv") == 0;
  if (c->x_factor == 0.0 && table) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s: column %s is in [%s]; times are in s, ms or us",
                   r->path, c->x_name, c->x_unit);
  }
  if (c->x_factor == 0.0) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s:%td: the abscissa is in '%s'; times are in s, ms or us",
                   r->path, c->line, c->x_unit);
  }
  if (c->n < 2 && table)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s has one row; it is too short", r->path);
  if (c->n < 2) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s:%td: channel %s has one sample; it is too short",
                   r->path, c->line, c->name);
  }
  if (c->uneven > 0) return refuse_uneven(r, c);
  if (c->step == 0.0) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has no column t or time (the first is '%.40s'): write 't [s]', or give the "
                   "rate in samples per second",
                   r->path, r->file->channel[0].name);
  }
  return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s:%td: the time step is %g s; it must be > 0", r->path,
                 c->line, c->x_factor * c->step);
}

static ms_status take_times(const ms_record_reader *r, const ms_measurement_channel *c) {
  r->out->dt = c->x_factor * c->step;
  r->out->time = c->x_factor * c->first;
  if (c->n < 2 || c->uneven > 0 || !(r->out->dt > 0.0)) return refuse_times(r, c);
  const double rate = r->request->rate_hz;
  if (!(rate > 0.0)) return MS_SUCCESS;
  if (fabs(rate * r->out->dt - 1.0) > ms_io_tol.rate) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s: channel %s has %.6g samples per second, not %.6g; leave the rate out",
                   r->path, c->name, 1.0 / r->out->dt, rate);
  }
  r->out->dt = 1.0 / rate;
  return MS_SUCCESS;
}

static ms_status take_channel(const ms_record_reader *r) {
  const ms_measurement_channel *c = NULL;
  MS_TRY(find_channel(r, &c));
  snprintf(r->out->channel, sizeof r->out->channel, "%s", c->name);
  MS_TRY(take_times(r, c));
  MS_TRY(find_scale(r, c->unit, c->kind));
  return take_samples(r, c->y, c->n);
}

/* ---- the file ---- */

static ms_status open_file(ms_context *ctx, const char *path, const ms_record_request *request,
                           ms_measurement **out) {
  const ms_measurement_request whole = { .rate_hz = request->rate_hz, .table = request->table };
  return ms_measurement_read(ctx, path, &whole, out);
}

ms_status ms_record_read(ms_context *ctx, const char *path, const ms_record_request *request,
                         ms_record *out) {
  MS_NEED(ctx, path && request && out);
  *out = (ms_record) { .kind = MS_RECORD_UNKNOWN };
  ms_measurement *file;
  MS_TRY(open_file(ctx, path, request, &file));
  const ms_record_reader r = { ctx, path, request, file, out };
  ms_status status = take_channel(&r);
  if (status != MS_SUCCESS) ms_record_free(ctx, out);
  ms_measurement_destroy(&file);
  return status;
}

ms_status ms_record_check_same(ms_context *ctx, const ms_record *input, const ms_record *output) {
  if (input->n == output->n && fabs(input->dt / output->dt - 1.0) <= 1e-6) return MS_SUCCESS;
  return ms_fail(
      ctx, MS_ERR_FORMAT,
      "input and output must have the same samples; they have %td of %g s and %td of %g s",
      input->n, input->dt, output->n, output->dt);
}

void ms_record_free(ms_context *ctx, ms_record *record) {
  if (!record) return;
  ms_free(ctx, &record->x);
  *record = (ms_record) { .kind = MS_RECORD_UNKNOWN };
}

/* The first channel says how many samples there are, and when. */
static ms_status join_channel(ms_context *ctx, const ms_record *r, ptrdiff_t n_request, ptrdiff_t c,
                              ms_record_kind first, ms_record_set *out) {
  if (c == 0) {
    MS_TRY(ms_allocate(ctx, r->n * n_request, sizeof *out->x, &out->x));
    out->n = r->n, out->dt = r->dt, out->time = r->time;
  }
  if (r->n != out->n || fabs(r->dt - out->dt) > MS_RECORD_SAME_STEP * out->dt) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "channel %s has %td samples %g s apart, the %s %td, %g s apart", r->channel,
                   r->n, r->dt, ms_record_kind_text(first), out->n, out->dt);
  }
  memcpy(out->x + out->n * c, r->x, (size_t)r->n * sizeof *r->x);
  return MS_SUCCESS;
}

static ms_status take_set(ms_context *ctx, const char *path, ptrdiff_t n_request,
                          const ms_record_request *request, const ms_measurement *file,
                          ms_record_set *out, ms_record_kind *kind) {
  ms_record_kind first = MS_RECORD_UNKNOWN;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t c = 0; c < n_request && status == MS_SUCCESS; c++) {
    ms_record record = { .kind = MS_RECORD_UNKNOWN };
    const ms_record_reader r = { ctx, path, &request[c], file, &record };
    status = take_channel(&r);
    if (c == 0) first = record.kind;
    if (kind) kind[c] = record.kind;
    if (status == MS_SUCCESS) status = join_channel(ctx, &record, n_request, c, first, out);
    ms_record_free(ctx, &record);
  }
  return status;
}

ms_status ms_record_read_set(ms_context *ctx, const char *path, ptrdiff_t n_request,
                             const ms_record_request *request, ms_record_set *out,
                             ms_record_kind *kind) {
  MS_NEED(ctx, path && request && out && n_request > 0);
  *out = (ms_record_set) { .x = NULL };
  ms_measurement *file;
  MS_TRY(open_file(ctx, path, &request[0], &file));
  ms_status status = take_set(ctx, path, n_request, request, file, out, kind);
  if (status != MS_SUCCESS) ms_record_set_free(ctx, out);
  ms_measurement_destroy(&file);
  return status;
}

void ms_record_set_free(ms_context *ctx, ms_record_set *set) {
  ms_free(ctx, &set->x);
  *set = (ms_record_set) { .x = NULL };
}
