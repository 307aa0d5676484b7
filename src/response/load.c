/* Loads as functions of time: the catalogue, parameters, and what the kinds share. */
#include "response/load.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/param.h"
#include "structure/impl.h"

#define MS_LOAD(name) extern const ms_load_kind ms_load_kind_##name;
#include "response/loads.def"
#undef MS_LOAD

#define MS_LOAD(name) &ms_load_kind_##name,
static const ms_load_kind *const kinds[] = {
#include "response/loads.def"
};
#undef MS_LOAD

enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* Those that callers have added. One is there once the count says so. */
static ms_custom_load custom[MS_CUSTOM_MAX_LOAD];
static ms_param custom_param[MS_CUSTOM_MAX_LOAD][MS_LOAD_MAX_PARAM];
static ms_load_kind added[MS_CUSTOM_MAX_LOAD];
static atomic_int n_added;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static const ms_load_kind *get_kind(int i) {
  return i < N_KINDS ? kinds[i] : &added[i - N_KINDS];
}

int ms_load_count_kinds(void) {
  return N_KINDS + atomic_load(&n_added);
}

const ms_load_info *ms_load_get_kind(int index) {
  return index >= 0 && index < ms_load_count_kinds() ? &get_kind(index)->info : NULL;
}

static const ms_load_kind *look_up(const char *name) {
  for (int i = 0; i < ms_load_count_kinds(); i++) {
    if (strcmp(get_kind(i)->info.name, name) == 0) return get_kind(i);
  }
  return NULL;
}

/* ---- keys ---- */

/* Of a table that must be there the columns are one set of keys, the file is another. */
static int list_columns(const ms_load_info *info, ms_param *row) {
  const ms_param_table *t = info->table;
  const int needed = !info->table_optional;
  for (int c = 0; c < t->n_column; c++) {
    const int required = needed && c < t->n_required;
    row[c] = (ms_param) { .name = t->column[c],
                          .unit = t->unit[c],
                          .meaning = t->meaning[c],
                          .lower = -HUGE_VAL,
                          .upper = HUGE_VAL,
                          .open = 3,
                          .kind = MS_PARAM_NUMBERS,
                          .required = required,
                          .set = required };
  }
  row[t->n_column] = (ms_param) { .name = "file",
                                  .meaning = "a table with these columns, by name or in this order",
                                  .kind = MS_PARAM_PATH,
                                  .required = needed,
                                  .set = 2 * needed };
  return t->n_column + 1;
}

int ms_load_list_keys(const ms_load_info *info, ms_param row[MS_LOAD_MAX_KEYS]) {
  const int omega = ms_param_find(info->param, info->n_param, "omega");
  int n = info->n_param;
  memcpy(row, info->param, (size_t)n * sizeof *row);
  if (info->table) n += list_columns(info, row + n);
  if (omega < 0) return n;
  row[n] = (ms_param) { .name = "pulse_mode",
                        .meaning = "omega is that of this stuck mode",
                        .lower = 1.0,
                        .upper = HUGE_VAL,
                        .open = 2,
                        .kind = MS_PARAM_COUNT,
                        .required = row[omega].required,
                        .set = row[omega].set + 1 };
  return n + 1;
}

/* ---- of a caller ---- */

static ms_status setup_custom(ms_load *load) {
  (void)load;
  return MS_SUCCESS;
}

static double eval_custom(const ms_load *load, double t) {
  const ms_custom_load *own = load->kind->custom;
  return own->eval(load->value, t, own->user);
}

static ms_status check_custom(ms_context *ctx, const ms_custom_load *load) {
  if (!load->name || !load->eval || load->n_param < 0 || load->n_param >= MS_LOAD_MAX_PARAM ||
      (load->n_param > 0 && !load->param)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a load of your own needs a name, eval, and at most %d parameters besides start",
                   MS_LOAD_MAX_PARAM - 1);
  }
  if (look_up(load->name)) {
    return ms_fail(ctx, MS_ERR_NAME, "there is a load '%s' already", load->name);
  }
  if (atomic_load(&n_added) < MS_CUSTOM_MAX_LOAD) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "no more than %d loads can be added", MS_CUSTOM_MAX_LOAD);
}

ms_status ms_load_add_kind(ms_context *ctx, const ms_custom_load *load) {
  MS_NEED(ctx, load);
  pthread_mutex_lock(&adding);
  ms_status status = check_custom(ctx, load);
  if (status == MS_SUCCESS) {
    const int n = atomic_load(&n_added);
    ms_param *param = custom_param[n];
    custom[n] = *load;
    for (int i = 0; i < load->n_param; i++) param[i] = load->param[i];
    param[load->n_param] = (ms_param)MS_LOAD_START;
    added[n] = (ms_load_kind) { .info = { .name = load->name,
                                          .title = load->title ? load->title : load->name,
                                          .param = param,
                                          .n_param = load->n_param + 1 },
                                .custom = &custom[n],
                                .setup = setup_custom,
                                .eval = eval_custom };
    atomic_store(&n_added, n + 1);
  }
  pthread_mutex_unlock(&adding);
  return status;
}

/* ---- life ---- */

static const char *kind_name(const void *list, int i) {
  (void)list;
  return get_kind(i)->info.name;
}

static ms_status find_kind(ms_context *ctx, const char *name, const ms_load_kind **out) {
  *out = look_up(name);
  if (*out) return MS_SUCCESS;
  const char *near = ms_text_nearest(name, kind_name, NULL, ms_load_count_kinds());
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

ms_status ms_load_setup(ms_load *load) {
  load->ready = 0;
  load->begin = 0.0;
  load->scale = (ms_load_scale) { HUGE_VAL, HUGE_VAL };
  load->end = HUGE_VAL;
  /* Parameters of one set only, and all that it needs. */
  const ms_load_info *info = &load->kind->info;
  const owner who = owner_of(load);
  int set = 1;
  MS_TRY(
      ms_param_find_set(load->ctx, who.text, info->param, info->n_param, load->given, NULL, &set));
  MS_TRY(
      ms_param_check_complete(load->ctx, who.text, info->param, info->n_param, load->given, set));
  if (info->table && !info->table_optional && load->rows == 0) {
    return ms_load_fail(load, MS_ERR_ARGUMENT, "needs a table with %s and %s",
                        info->table->column[0], info->table->column[1]);
  }
  if (load->kind->setup) MS_TRY(load->kind->setup(load));
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
    const double f = m.omega[r] / (2.0 * MS_PI);
    const double b = 2.0 * ms_structure_get_damping_ratio(s, r) * f;
    double force = 0.0, size = 0.0;
    for (ptrdiff_t i = 0; i < m.n; i++) {
      force += m.shape[i + m.n * r] * shape[i];
      size += fabs(m.shape[i + m.n * r] * shape[i]);
    }
    if (f < load->low || f > load->high || !(fabs(force) > ms_structure_tol.no_force * size))
      continue;
    if (distance <= MS_LOAD_RESOLVED * b) continue;
    double wanted = b > 0.0 ? ceil((load->high - load->low) / (MS_LOAD_RESOLVED * b)) : HUGE_VAL;
    if (worst >= 0 && wanted <= *lines) continue;
    worst = r;
    *lines = wanted;
  }
  return worst;
}

/* Lines at equal distances repeat themselves, but for a phase that all have in common. */
static int print_period(const ms_load *load, double until, char *text, size_t size) {
  const double period = 1.0 / ms_load_get_spacing(load), begin = fmax(ms_load_begin(load), 0.0);
  const double times = (fmin(ms_load_end(load), until) - begin) / period;
  if (!(times > 1.0 + 1e-9)) return 0;
  snprintf(text, size,
           "noise of lines %.3g Hz apart repeats after %.4g s, %.3g times in this run: the "
           "repetitions are not new samples; with %.3g times as many lines it does not repeat",
           1.0 / period, period, times, times);
  return 1;
}

int ms_load_warning(const ms_load *load, const ms_structure *s, const double *shape, double until,
                    int i, int *doubtful, char *text, size_t size) {
  const double spacing = ms_load_get_spacing(load);
  *doubtful = 0;
  if (!(spacing > 0.0)) return 0;
  const int repeats = print_period(load, until, text, size);
  if (repeats && i == 0) return 1;
  double lines;
  const int mode = ms_load_find_unresolved(load, s, shape, &lines);
  if (i != repeats || mode < 0) return 0;
  const double f = ms_structure_get_stuck(s).omega[mode] / (2.0 * MS_PI);
  char needed[64] = "the mode has no damping";
  if (isfinite(lines)) snprintf(needed, sizeof needed, "use lines: %.0f", lines);
  snprintf(text, size,
           "its lines are %.3g Hz apart, more than half the half-power width %.3g Hz of mode %d at "
           "%.6g Hz: %s",
           spacing, 2.0 * ms_structure_get_damping_ratio(s, mode) * f, mode + 1, f, needed);
  *doubtful = 1;
  return 1;
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
    load->line[i].phase = 2.0 * MS_PI * ms_random_uniform(&rng);
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
