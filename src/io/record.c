/* Measured records: one channel of a table or of a universal file, in SI units. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/internal.h"
#include "io/record.h"

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

ms_status ms_record_find_scale(const ms_record_reader *r, const char *file_unit,
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

ms_status ms_record_take_samples(const ms_record_reader *r, const double *x, ptrdiff_t n) {
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
  for (ptrdiff_t k = 1; k < n; k++) {
    if (!(t[k] > t[k - 1])) return k;
  }
  for (ptrdiff_t k = 1; k < n; k++) {
    if (!(fabs(t[k] - t[0] - *dt * (double)k) <= MS_RECORD_SLACK * *dt))
      return worst_step(n, t, *dt);
  }
  return 0;
}

ms_status ms_record_refuse_uneven(const ms_record_reader *r, const double *t, ptrdiff_t k,
                                  double dt, const char *where) {
  if (!(t[k] > t[k - 1])) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s%s: time does not increase: %.9g after %.9g",
                   r->path, where, t[k], t[k - 1]);
  }
  return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                 "%s%s: sampling is uneven: the step to this row is %.6g, on average %.6g; "
                 "resample the record",
                 r->path, where, t[k] - t[k - 1], dt);
}

ms_status ms_record_refuse_channel(const ms_record_reader *r, const ms_record_names *all) {
  char text[256];
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < all->n && used < 200; i++) {
    int n = snprintf(text + used, 256 - used, "%s%.40s", i ? ", " : "", all->name(all->list, i));
    used += n > 0 ? (size_t)n : 0;
    if (i + 1 < all->n && used >= 200) snprintf(text + used, 256 - used, ", ...");
  }
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
  MS_NEED(ctx, path && request && out);
  *out = (ms_record) { .kind = MS_RECORD_UNKNOWN };
  ms_record_reader r = { ctx, path, request, out };
  if (!(request->rate_hz >= 0.0) || !isfinite(request->rate_hz)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "rate %g must be > 0", request->rate_hz);
  }
  MS_TRY(check_ending(ctx, path));
  ms_status status = is_uff(path) ? ms_record_read_uff(&r) : ms_record_read_table(&r);
  if (status != MS_SUCCESS) ms_record_free(ctx, out);
  return status;
}

void ms_record_free(ms_context *ctx, ms_record *record) {
  if (!record) return;
  ms_free(ctx, &record->x);
  *record = (ms_record) { .kind = MS_RECORD_UNKNOWN };
}

/* The first channel says how many samples there are, and when. */
static ms_status take_channel(ms_context *ctx, const ms_record *r, ptrdiff_t n_request, ptrdiff_t c,
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

ms_status ms_record_read_set(ms_context *ctx, const char *path, ptrdiff_t n_request,
                             const ms_record_request *request, ms_record_set *out,
                             ms_record_kind *kind) {
  MS_NEED(ctx, path && request && out);
  ms_record_kind first = MS_RECORD_UNKNOWN;
  ms_status status = MS_SUCCESS;
  *out = (ms_record_set) { .x = NULL };
  for (ptrdiff_t c = 0; c < n_request && status == MS_SUCCESS; c++) {
    ms_record record;
    status = ms_record_read(ctx, path, &request[c], &record);
    if (status != MS_SUCCESS) break;
    if (c == 0) first = record.kind;
    if (kind) kind[c] = record.kind;
    status = take_channel(ctx, &record, n_request, c, first, out);
    ms_record_free(ctx, &record);
  }
  if (status != MS_SUCCESS) ms_record_set_free(ctx, out);
  return status;
}

void ms_record_set_free(ms_context *ctx, ms_record_set *set) {
  ms_free(ctx, &set->x);
  *set = (ms_record_set) { .x = NULL };
}
