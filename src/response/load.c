/* Loads as functions of time: the catalogue, parameters, and what the kinds share. */
#include "response/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/param.h"

#define RESOLVED 0.5  /* largest distance of lines over the half-power width of a mode */
#define NO_FORCE 1e-9 /* of the parts of a modal force: less is rounding */

#define MS_LOAD(name) extern const ms_load_kind ms_load_kind_##name;
#include "response/loads.def"
#undef MS_LOAD

#define MS_LOAD(name) &ms_load_kind_##name,
static const ms_load_kind *const kinds[] = {
#include "response/loads.def"
};
#undef MS_LOAD

enum { N_KINDS = sizeof kinds / sizeof *kinds };

int ms_load_count_kinds(void) {
  return N_KINDS;
}

const ms_load_info *ms_load_get_kind(int index) {
  return index >= 0 && index < N_KINDS ? &kinds[index]->info : NULL;
}

/* ---- life ---- */

static const char *kind_name(const void *list, int i) {
  (void)list;
  return kinds[i]->info.name;
}

static ms_status find_kind(ms_context *ctx, const char *name, const ms_load_kind **out) {
  for (int i = 0; i < N_KINDS; i++) {
    if (strcmp(kinds[i]->info.name, name) != 0) continue;
    *out = kinds[i];
    return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, kind_name, NULL, N_KINDS);
  char list[160] = "";
  for (int i = 0, at = 0; i < N_KINDS && at < 140; i++) {
    at += snprintf(list + at, sizeof list - (size_t)at, "%s%s", i ? ", " : "", kinds[i]->info.name);
  }
  return ms_fail(ctx, MS_ERR_NAME, "there is no load '%s'; %s%s%s", name,
                 near ? "did you mean '" : "there are ", near ? near : list, near ? "'?" : "");
}

ms_status ms_load_create(ms_context *ctx, const char *name, ms_load **out) {
  const ms_load_kind *kind = NULL;
  ms_load *load;
  MS_MAKE(ctx, out, name);
  MS_TRY(find_kind(ctx, name, &kind));
  MS_TRY(ms_allocate(ctx, 1, sizeof *load, &load));
  load->ctx = ctx;
  load->kind = kind;
  for (int i = 0; i < kind->info.n_param; i++) {
    const ms_param *p = &kind->info.param[i];
    load->value[i] = p->required || p->kind == MS_PARAM_CHOICE ? 0.0 : p->typical;
  }
  *out = load;
  return MS_SUCCESS;
}

void ms_load_destroy(ms_load **pointer) {
  if (!pointer || !*pointer) return;
  ms_load *load = *pointer;
  ms_free(load->ctx, &load->column[0]);
  ms_free(load->ctx, &load->line);
  ms_comb_close(load->ctx, &load->comb);
  ms_free(load->ctx, pointer);
}

const ms_load_info *ms_load_get_info(const ms_load *load) {
  return &load->kind->info;
}

ms_status ms_load_fail(const ms_load *load, ms_status status, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return ms_fail(load->ctx, status, "load %s: %s", load->kind->info.name, text);
}

/* ---- parameters ---- */

typedef struct owner {
  char text[64];
} owner;

/* "load sine", for messages. */
static owner owner_of(const ms_load *load) {
  owner who;
  snprintf(who.text, sizeof who.text, "load %s", load->kind->info.name);
  return who;
}

static ms_status find_param(const ms_load *load, const char *name, int *index) {
  const ms_load_info *info = &load->kind->info;
  *index = ms_param_find(info->param, info->n_param, name);
  if (*index >= 0) return MS_SUCCESS;
  return ms_param_fail_name(load->ctx, owner_of(load).text, info->param, info->n_param, name, NULL);
}

ms_status ms_load_set(ms_load *load, const char *param, double value) {
  int i = 0;
  MS_TRY(find_param(load, param, &i));
  MS_TRY(ms_param_check(load->ctx, owner_of(load).text, &load->kind->info.param[i], value));
  load->value[i] = value;
  load->given[i] = 1;
  load->ready = 0;
  return MS_SUCCESS;
}

ms_status ms_load_set_text(ms_load *load, const char *param, const char *text) {
  int i = 0;
  double value;
  MS_TRY(find_param(load, param, &i));
  MS_TRY(ms_param_read(load->ctx, owner_of(load).text, &load->kind->info.param[i], text, &value));
  return ms_load_set(load, param, value);
}

ms_status ms_load_set_table(ms_load *load, ptrdiff_t rows, int columns,
                            const double *const *column) {
  double *block;
  const ms_param_table *t = load->kind->info.table;
  if (!t) return ms_load_fail(load, MS_ERR_ARGUMENT, "takes no table");
  MS_TRY(ms_param_check_table(load->ctx, owner_of(load).text, t, rows, columns, column));
  MS_TRY(ms_allocate(load->ctx, rows, (size_t)columns * sizeof *block, &block));
  ms_free(load->ctx, &load->column[0]);
  for (int c = 0; c < columns; c++) {
    load->column[c] = block + rows * c;
    memcpy(load->column[c], column[c], (size_t)rows * sizeof *block);
  }
  load->rows = rows;
  load->columns = columns;
  load->ready = 0;
  return MS_SUCCESS;
}

/* Parameters of one set only, and all that it needs. */
static ms_status check_complete(const ms_load *load) {
  const ms_load_info *info = &load->kind->info;
  const owner who = owner_of(load);
  int set = 1;
  MS_TRY(
      ms_param_find_set(load->ctx, who.text, info->param, info->n_param, load->given, NULL, &set));
  MS_TRY(
      ms_param_check_complete(load->ctx, who.text, info->param, info->n_param, load->given, set));
  if (!info->table || info->table_optional || load->rows > 0) return MS_SUCCESS;
  return ms_load_fail(load, MS_ERR_ARGUMENT, "needs a table with %s and %s", info->table->column[0],
                      info->table->column[1]);
}

ms_status ms_load_setup(ms_load *load) {
  load->ready = 0;
  load->begin = 0.0;
  load->scale = (ms_load_scale) { HUGE_VAL, HUGE_VAL };
  load->end = HUGE_VAL;
  MS_TRY(check_complete(load));
  MS_TRY(load->kind->setup(load));
  load->scale.pulse = fmin(load->scale.pulse, load->end - load->begin);
  load->start = load->value[load->kind->info.n_param - 1];
  load->ready = 1;
  return MS_SUCCESS;
}

/* ---- values ---- */

double ms_load_eval(const ms_load *load, double t) {
  t -= load->start;
  return load->ready && t >= load->begin && t < load->end ? load->kind->eval(load, t) : 0.0;
}

double ms_load_begin(const ms_load *load) {
  return load->start + load->begin;
}

double ms_load_end(const ms_load *load) {
  return load->start + load->end;
}

ms_load_scale ms_load_get_scale(const ms_load *load) {
  return load->scale;
}

double ms_load_time_fn(void *load, double t) {
  return ms_load_eval(load, t);
}

/* ---- noise and modes ---- */

double ms_load_get_spacing(const ms_load *load) {
  return load->ready && load->n_line > 0 ? (load->high - load->low) / (double)load->n_line : 0.0;
}

/* The mean square of a mode is the integral of a resonance of the half-power width b, which lines
   at a distance d get wrong by 2 exp(-pi b/d): 0.4 % where d is b/2. */
int ms_load_find_unresolved(const ms_load *load, const ms_structure *s, const double *shape,
                            double *lines) {
  const ms_modes m = ms_structure_get_stuck(s);
  const double distance = ms_load_get_spacing(load);
  int worst = -1;
  *lines = 0.0;
  for (int r = 0; r < m.n && distance > 0.0; r++) {
    const double f = m.omega[r] / (2.0 * MS_LOAD_PI);
    const double b = 2.0 * ms_structure_get_damping_ratio(s, r) * f;
    double force = 0.0, size = 0.0;
    for (ptrdiff_t i = 0; i < m.n; i++) {
      force += m.shape[i + m.n * r] * shape[i];
      size += fabs(m.shape[i + m.n * r] * shape[i]);
    }
    if (f < load->low || f > load->high || !(fabs(force) > NO_FORCE * size)) continue;
    if (distance <= RESOLVED * b) continue;
    double wanted = b > 0.0 ? ceil((load->high - load->low) / (RESOLVED * b)) : HUGE_VAL;
    if (worst >= 0 && wanted <= *lines) continue;
    worst = r;
    *lines = wanted;
  }
  return worst;
}

/* ---- what kinds share ---- */

void ms_load_last(ms_load *load, double duration) {
  if (duration > 0.0) load->end = duration;
}

ms_status ms_load_draw_lines(ms_load *load, ptrdiff_t n, double seed) {
  ms_random rng;
  ms_free(load->ctx, &load->line);
  load->n_line = 0;
  MS_TRY(ms_allocate(load->ctx, n, sizeof *load->line, &load->line));
  load->n_line = n;
  ms_random_start(&rng, (uint64_t)seed, 0);
  for (ptrdiff_t i = 0; i < n; i++) {
    load->line[i].phase = 2.0 * MS_LOAD_PI * ms_random_uniform(&rng);
  }
  return MS_SUCCESS;
}

double ms_load_sum_lines(const ms_load *load, double t) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < load->n_line; i++) {
    const ms_load_line *l = &load->line[i];
    sum += l->amplitude * sin(l->omega * t + l->phase);
  }
  return sum;
}
