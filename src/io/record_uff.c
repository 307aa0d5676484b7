/* Records from universal files: the functions of time in datasets 58. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/record.h"
#include "io/tolerance.h"

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
  if (ms_record_says_nothing(f->response_name)) {
    snprintf(name, NAME_SIZE, "%s", place);
  } else {
    snprintf(name, NAME_SIZE, "%s:%s", f->response_name, place);
  }
}

static ms_status collect(const ms_record_reader *r, const ms_uff58 *file, uff_channels *c) {
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

static ms_status find_function(const ms_record_reader *r, const uff_channels *c, int *out) {
  const char *wanted = r->request->channel;
  ms_record_names all = { uff_name, c, c->n };
  int found = 0;
  *out = wanted ? read_number_sign(wanted, c->n) : c->n == 1 ? 0 : -1;
  if (*out >= 0) return MS_SUCCESS;
  for (int i = 0; wanted && i < c->n; i++) {
    if (!matches(c, i, wanted)) continue;
    *out = i;
    found++;
  }
  if (found == 1) return MS_SUCCESS;
  if (found == 0) return ms_record_refuse_channel(r, &all);
  return ms_fail(r->ctx, MS_ERR_NAME,
                 "%s: channel '%s' appears %d times; name it by its number, #1 to #%d", r->path,
                 wanted, found, c->n);
}

static ms_status time_of_function(const ms_record_reader *r, const ms_uff58_function *f) {
  double seconds = ms_record_time_factor(f->abscissa.unit), dt = f->x_step, first = f->x_first;
  if (seconds == 0.0) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s:%td: the abscissa is in '%s'; times are in s, ms or us",
                   r->path, f->line, f->abscissa.unit);
  }
  if (f->n < 2) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s:%td: channel %s has one sample; it is too short",
                   r->path, f->line, r->out->channel);
  }
  ptrdiff_t uneven = f->is_even ? 0 : ms_record_find_uneven(f->n, f->x, &dt);
  if (uneven > 0) {
    char where[160];
    snprintf(where, sizeof where, ":%td: channel %s: sample %td", f->line, r->out->channel,
             uneven + 1);
    return ms_record_refuse_uneven(r, f->x, uneven, dt, where);
  }
  if (!f->is_even) first = f->x[0];
  r->out->dt = seconds * dt;
  r->out->time = seconds * first;
  if (!(r->out->dt > 0.0)) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s:%td: the time step is %g s; it must be > 0",
                   r->path, f->line, r->out->dt);
  }
  /* The step has six digits in the file; a rate that agrees with it may have more. */
  double rate = r->request->rate_hz;
  if (!(rate > 0.0)) return MS_SUCCESS;
  if (fabs(rate * r->out->dt - 1.0) > ms_io_tol.rate) {
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s: channel %s has %.6g samples per second, not %.6g; leave the rate out",
                   r->path, r->out->channel, 1.0 / r->out->dt, rate);
  }
  r->out->dt = 1.0 / rate;
  return MS_SUCCESS;
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

static ms_status take_function(const ms_record_reader *r, const uff_channels *c) {
  int i;
  MS_TRY(find_function(r, c, &i));
  const ms_uff58_function *f = c->function[i];
  snprintf(r->out->channel, sizeof r->out->channel, "%s", c->name[i]);
  MS_TRY(time_of_function(r, f));
  MS_TRY(ms_record_find_scale(r, f->ordinate.unit, kind_of_axis(&f->ordinate)));
  return ms_record_take_samples(r, f->y, f->n);
}

ms_status ms_record_read_uff(const ms_record_reader *r) {
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
