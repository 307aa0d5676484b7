/* microslip for Octave and MATLAB: one MEX function, microslip(command, ...), over the public
   headers. microslip.m is its help. */
#define _POSIX_C_SOURCE 200809L /* signals, open_memstream */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mex.h>
#include <microslip/microslip.h>

enum { PATH_SIZE = 1024, NAME_SIZE = 64, TEXT_SIZE = 4096 };

/* ---- what a call holds ---- */

/* The mx functions end a call by a jump where memory is short, so that all a call holds is here:
   the next call lets go of it. mxArrays and memory of mxMalloc are freed by the interpreter. */
static struct {
  ms_context *ctx;
  ms_joint *joint;
  ms_study *study;
  ms_results *results;
  ms_json *json;
  FILE *stream; /* of json, into text */
  char *text;
  size_t length;
  double *values; /* of the library, as are words and name */
  char **words, *name;
  int catching;
  struct sigaction handler; /* of the interpreter, and its mask */
  sigset_t mask;
} now;

static char message[TEXT_SIZE], warning[TEXT_SIZE], warning_id[NAME_SIZE];

/* Ctrl-C is for the library during a call. The interpreter may have blocked the signal in this
 * thread. */
static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
  (void)signal;
  interrupted = 1;
}

static int is_interrupted(void *user) {
  (void)user;
  return interrupted != 0;
}

static void catch_interrupts(void) {
  struct sigaction action = { .sa_handler = interrupt };
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigemptyset(&action.sa_mask);
  interrupted = 0;
  ms_context_set_stop(now.ctx, is_interrupted, NULL);
  if (sigaction(SIGINT, &action, &now.handler) != 0) return;
  pthread_sigmask(SIG_UNBLOCK, &set, &now.mask);
  now.catching = 1;
}

static void clean_up(void) {
  if (now.catching) {
    pthread_sigmask(SIG_SETMASK, &now.mask, NULL);
    sigaction(SIGINT, &now.handler, NULL);
  }
  if (now.json) ms_json_close(&now.json);
  if (now.stream) fclose(now.stream);
  free(now.text);
  if (now.ctx) {
    ms_free(now.ctx, &now.values);
    ms_free(now.ctx, &now.words);
    ms_free(now.ctx, &now.name);
  }
  ms_results_close(&now.results);
  ms_study_close(&now.study);
  ms_joint_destroy(&now.joint);
  ms_context_destroy(&now.ctx);
  memset(&now, 0, sizeof now);
}

/* ---- arguments ---- */

static ms_status refuse(const char *what, const char *wanted, const mxArray *given) {
  if (!given) return ms_fail(now.ctx, MS_ERR_ARGUMENT, "%s is missing; it is %s", what, wanted);
  return ms_fail(now.ctx, MS_ERR_ARGUMENT, "%s must be %s, not %td x %td %s", what, wanted,
                 (ptrdiff_t)mxGetM(given), (ptrdiff_t)mxGetN(given), mxGetClassName(given));
}

/* *out is freed by the interpreter. */
static ms_status read_text(const mxArray *given, const char *what, char **out) {
  const size_t n = given ? mxGetNumberOfElements(given) : 0;
  if (!given || !mxIsChar(given) || (n > 0 && mxGetM(given) != 1))
    return refuse(what, "a text in one row", given);
  *out = mxArrayToString(given);
  if (!*out) return ms_fail(now.ctx, MS_ERR_MEMORY, "%s: out of memory", what);
  if (strlen(*out) < n)
    return ms_fail(now.ctx, MS_ERR_ARGUMENT, "%s has a character of code 0", what);
  return MS_SUCCESS;
}

static int is_number(const mxArray *a) {
  return (mxIsNumeric(a) || mxIsLogical(a)) && !mxIsComplex(a) && !mxIsSparse(a) &&
         mxGetNumberOfElements(a) == 1;
}

static int is_real(const mxArray *a) {
  return mxIsDouble(a) && !mxIsComplex(a) && !mxIsSparse(a) && mxGetNumberOfDimensions(a) == 2;
}

static ms_status read_count(const mxArray *given, const char *what, int most, int *out) {
  const double value = is_number(given) ? mxGetScalar(given) : -1.0;
  char wanted[NAME_SIZE];
  snprintf(wanted, sizeof wanted, "a whole number from 0 to %d", most);
  if (!(value >= 0.0 && value <= most && value == (int)value)) return refuse(what, wanted, given);
  *out = (int)value;
  return MS_SUCCESS;
}

typedef struct option {
  const char *name;
  const mxArray *value; /* NULL: not given */
} option;

/* Pairs of a name and a value. */
static ms_status read_options(int n, const mxArray *const *argument, option *list, int n_option) {
  for (int i = 0; i < n; i += 2) {
    char *name, known[256] = "";
    int k = 0;
    MS_TRY(read_text(argument[i], "the name of an option", &name));
    while (k < n_option && strcmp(list[k].name, name) != 0) k++;
    for (int o = 0; o < n_option; o++)
      snprintf(known + strlen(known), sizeof known - strlen(known), "%s'%s'", o > 0 ? ", " : "",
               list[o].name);
    if (k == n_option)
      return ms_fail(now.ctx, MS_ERR_ARGUMENT, "option '%s' is not known; there are %s", name,
                     known);
    if (list[k].value) return ms_fail(now.ctx, MS_ERR_ARGUMENT, "option '%s' is given twice", name);
    if (i + 1 == n) return ms_fail(now.ctx, MS_ERR_ARGUMENT, "option '%s' has no value", name);
    list[k].value = argument[i + 1];
    mxFree(name);
  }
  return MS_SUCCESS;
}

/* ---- structs to give back ---- */

static mxArray *make_struct(void) {
  return mxCreateStructMatrix(1, 1, 0, NULL);
}

/* A field of any name, with _ for what a field may not have and a number where it is taken. */
static void set_field(mxArray *s, const char *name, mxArray *value) {
  char field[NAME_SIZE];
  const int begins = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
  snprintf(field, sizeof field - 4, "%s%s", begins ? "" : "x", name);
  for (char *c = field; *c; c++) {
    const int fits =
        (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    if (!fits) *c = '_';
  }
  const size_t length = strlen(field);
  for (int i = 2; i < 100 && mxGetField(s, 0, field); i++)
    snprintf(field + length, sizeof field - length, "_%d", i);
  if (mxGetFieldNumber(s, field) < 0) mxAddField(s, field);
  mxSetField(s, 0, field, value);
}

static void set_text(mxArray *s, const char *name, const char *text) {
  set_field(s, name, mxCreateString(text ? text : ""));
}

static void set_text_at(mxArray *s, ptrdiff_t i, const char *name, const char *text) {
  mxSetField(s, (mwIndex)i, name, mxCreateString(text ? text : ""));
}

/* ---- joints ---- */

static ms_status set_parameter(const char *name, const mxArray *value) {
  char what[NAME_SIZE + 16], *text;
  snprintf(what, sizeof what, "parameter %.63s", name);
  if (value && mxIsChar(value)) {
    MS_TRY(read_text(value, what, &text));
    return ms_joint_set_text(now.joint, name, text);
  }
  if (value && is_number(value)) return ms_joint_set(now.joint, name, mxGetScalar(value));
  if (!value || !is_real(value) || mxIsEmpty(value))
    return refuse(what, "a real number, a text or a table (a matrix of double)", value);
  const ptrdiff_t rows = (ptrdiff_t)mxGetM(value);
  const int columns = (int)mxGetN(value);
  const double **column = mxCalloc((size_t)columns, sizeof *column);
  for (int c = 0; c < columns; c++) column[c] = mxGetPr(value) + c * rows;
  return ms_joint_set_table(now.joint, name, rows, columns, column);
}

/* As of the command: without parameters typical values. */
static ms_status make_joint(const mxArray *law, const mxArray *parameters) {
  char *name;
  MS_TRY(read_text(law, "the law", &name));
  MS_TRY(ms_joint_create(now.ctx, name, &now.joint));
  const int is_struct = mxIsStruct(parameters) && mxGetNumberOfElements(parameters) == 1;
  if (!is_struct && !(mxIsDouble(parameters) && mxIsEmpty(parameters)))
    return refuse("the parameters", "a struct, or [] for typical values", parameters);
  const int n = is_struct ? mxGetNumberOfFields(parameters) : 0;
  for (int i = 0; i < n; i++)
    MS_TRY(
        set_parameter(mxGetFieldNameByNumber(parameters, i), mxGetFieldByNumber(parameters, 0, i)));
  if (n == 0) MS_TRY(ms_joint_set_typical(now.joint));
  return ms_joint_setup(now.joint);
}

/* n numbers, or n rows of a column for each axis; NULL where there are none. */
static ms_status read_numbers(const option *o, ptrdiff_t n, int axes, const double **out) {
  char wanted[NAME_SIZE];
  *out = NULL;
  if (!o->value) return MS_SUCCESS;
  const mxArray *a = o->value;
  const ptrdiff_t rows = (ptrdiff_t)mxGetM(a), columns = (ptrdiff_t)mxGetN(a);
  snprintf(wanted, sizeof wanted,
           axes == 1 ? "%td real numbers (double)" : "%td x %d real numbers (double)", n, axes);
  const int fits = axes == 1 ? rows * columns == n && (rows == 1 || columns == 1 || n == 0)
                             : rows == n && columns == axes;
  if (!is_real(a) || !fits) return refuse(o->name, wanted, a);
  *out = mxGetPr(a);
  return MS_SUCCESS;
}

enum { PATH_T, PATH_V, PATH_ALPHA, PATH_K, PATH_OPTIONS };

static ms_status read_path(const mxArray *u, option *list, int axes, ms_joint_path *path) {
  const double *v;
  const int is_vector = is_real(u) && (mxGetM(u) == 1 || mxGetN(u) == 1 || mxIsEmpty(u));
  if (axes == 1 ? !is_vector : !is_real(u) || mxGetN(u) != (size_t)axes)
    return refuse(
        "u",
        axes == 1 ? "a vector of real numbers (double), one displacement a step"
                  : "a real matrix (double) with a row for each step and a column for each axis",
        u);
  path->n = (ptrdiff_t)mxGetNumberOfElements(u) / axes;
  MS_TRY(read_numbers(&list[PATH_T], path->n, 1, &path->t));
  MS_TRY(read_numbers(&list[PATH_V], path->n, axes, &v));
  MS_TRY(read_numbers(&list[PATH_ALPHA], path->n, 1, &path->alpha));
  MS_TRY(read_numbers(&list[PATH_K], path->n, 1, &path->k));
  for (int a = 0; a < axes; a++) {
    path->u[a] = mxGetPr(u) + a * path->n;
    path->v[a] = v ? v + a * path->n : NULL;
  }
  return MS_SUCCESS;
}

/* s = microslip('path', law, parameters, u, ...) */
static ms_status run_path(int n, const mxArray *const *argument, mxArray **out) {
  option list[PATH_OPTIONS] = {
    { .name = "t" }, { .name = "v" }, { .name = "alpha" }, { .name = "k" }
  };
  ms_joint_path path = { 0 };
  ms_joint_energy energy;
  ptrdiff_t row = -1;
  MS_TRY(make_joint(argument[0], argument[1]));
  MS_TRY(read_options(n - 3, argument + 3, list, PATH_OPTIONS));
  const mxArray *u = argument[2];
  const int axes = ms_joint_info(now.joint)->n_axis;
  MS_TRY(read_path(u, list, axes, &path));

  const mwSize rows = (mwSize)mxGetM(u), columns = (mwSize)mxGetN(u);
  const mwSize cube[] = { (mwSize)path.n, (mwSize)axes, (mwSize)axes };
  mxArray *force = mxCreateDoubleMatrix(rows, columns, mxREAL);
  mxArray *tangent = axes == 1 ? mxCreateDoubleMatrix(rows, columns, mxREAL)
                               : mxCreateNumericArray(3, cube, mxDOUBLE_CLASS, mxREAL);
  const int has_energy =
      ms_joint_get_energy(now.joint, &energy) == MS_SUCCESS; /* not every law keeps them */
  mxArray *share[2];
  for (int i = 0; i < 2; i++)
    share[i] = mxCreateDoubleMatrix(has_energy ? rows : 0,
                                    has_energy ? (axes == 1 ? columns : 1) : 0, mxREAL);
  if (has_energy) path.stored = mxGetPr(share[0]), path.dissipated = mxGetPr(share[1]);
  for (int a = 0; a < axes; a++) path.force[a] = mxGetPr(force) + a * path.n;
  for (int ab = 0; ab < axes * axes; ab++) path.slope[ab] = mxGetPr(tangent) + ab * path.n;

  ms_status status = ms_joint_run_path(now.joint, &path, &row);
  if (status != MS_SUCCESS) return ms_fail_at(now.ctx, status, "row %td", row + 1);
  *out = make_struct();
  set_field(*out, "force", force);
  set_field(*out, "tangent", tangent);
  set_field(*out, "stored", share[0]);
  set_field(*out, "dissipated", share[1]);
  return MS_SUCCESS;
}

static mxArray *make_parameters(const ms_law_info *law) {
  static const char *field[] = { "name", "unit", "meaning", "kind", "range", "default" };
  mxArray *list = mxCreateStructMatrix((mwSize)law->n_param, 1, 6, field);
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    char text[512];
    set_text_at(list, i, "name", p->name);
    set_text_at(list, i, "unit", p->unit);
    set_text_at(list, i, "meaning", p->meaning);
    ms_param_describe_kind(p, text, sizeof text);
    set_text_at(list, i, "kind", text);
    ms_param_describe_range(p, text, sizeof text);
    set_text_at(list, i, "range", text);
    ms_param_describe_default(p, text, sizeof text);
    set_text_at(list, i, "default", text);
  }
  return list;
}

/* laws = microslip('laws'), law = microslip('laws', name) */
static ms_status list_laws(int n, const mxArray *const *argument, mxArray **out) {
  static const char *field[] = { "name", "title", "reference", "axes", "parameters" };
  const ms_law_info *law = NULL;
  char *name;
  if (n > 0) {
    MS_TRY(read_text(argument[0], "the law", &name));
    MS_TRY(ms_joint_find_law(now.ctx, name, &law));
  }
  const int count = n > 0 ? 1 : ms_joint_count_laws();
  *out = mxCreateStructMatrix((mwSize)count, 1, 5, field);
  for (int i = 0; i < count; i++) {
    const ms_law_info *info = law ? law : ms_joint_get_law(i);
    set_text_at(*out, i, "name", info->name);
    set_text_at(*out, i, "title", info->title);
    set_text_at(*out, i, "reference", info->reference);
    mxSetField(*out, i, "axes", mxCreateDoubleScalar(info->n_axis));
    mxSetField(*out, i, "parameters", make_parameters(info));
  }
  return MS_SUCCESS;
}

/* ---- a struct as the text of a study: JSON, which is YAML ---- */

static ms_status write_value(const char *key, const mxArray *value);

static ms_status write_numbers(const char *key, const mxArray *a) {
  const ptrdiff_t rows = (ptrdiff_t)mxGetM(a), columns = (ptrdiff_t)mxGetN(a);
  const double *x = mxGetPr(a);
  if (rows <= 1 || columns <= 1) {
    ms_json_add_numbers(now.json, key, x, rows * columns);
    return MS_SUCCESS;
  }
  ms_json_begin_array(now.json, key); /* of rows */
  for (ptrdiff_t i = 0; i < rows; i++) {
    ms_json_begin_array(now.json, NULL);
    for (ptrdiff_t j = 0; j < columns; j++) ms_json_add_number(now.json, NULL, x[i + rows * j]);
    ms_json_end(now.json);
  }
  ms_json_end(now.json);
  return MS_SUCCESS;
}

static ms_status write_struct(const char *key, const mxArray *s, mwIndex i) {
  ms_json_begin_object(now.json, key);
  for (int f = 0; f < mxGetNumberOfFields(s); f++)
    MS_TRY(write_value(mxGetFieldNameByNumber(s, f), mxGetFieldByNumber(s, i, f)));
  ms_json_end(now.json);
  return MS_SUCCESS;
}

static ms_status write_list(const char *key, const mxArray *a) {
  const ptrdiff_t n = (ptrdiff_t)mxGetNumberOfElements(a);
  ms_json_begin_array(now.json, key);
  for (ptrdiff_t i = 0; i < n; i++)
    MS_TRY(mxIsCell(a) ? write_value(NULL, mxGetCell(a, i)) : write_struct(NULL, a, i));
  ms_json_end(now.json);
  return MS_SUCCESS;
}

static ms_status write_value(const char *key, const mxArray *a) {
  const char *what = key ? key : "an item of a list";
  char *text;
  if (!a) { /* an item that was never set: [] */
    ms_json_add_numbers(now.json, key, NULL, 0);
  } else if (mxIsChar(a)) {
    MS_TRY(read_text(a, what, &text));
    ms_json_add_text(now.json, key, text);
    mxFree(text);
  } else if (mxIsCell(a) || (mxIsStruct(a) && mxGetNumberOfElements(a) != 1)) {
    return write_list(key, a);
  } else if (mxIsStruct(a)) {
    return write_struct(key, a, 0);
  } else if (mxIsLogical(a) && is_number(a)) {
    ms_json_add_bool(now.json, key, mxGetScalar(a) != 0.0);
  } else if (is_number(a)) {
    ms_json_add_number(now.json, key, mxGetScalar(a));
  } else if (is_real(a)) {
    return write_numbers(key, a);
  } else {
    return refuse(what, "a number, text, cell, struct or a real matrix (double)", a);
  }
  return MS_SUCCESS;
}

/* A path, or text of several lines; a struct becomes such a text, which the call holds. */
static ms_status read_source(const mxArray *given, const char **out) {
  char *text;
  if (mxIsChar(given)) {
    MS_TRY(read_text(given, "the study", &text));
    *out = text;
    return MS_SUCCESS;
  }
  if (!mxIsStruct(given) || mxGetNumberOfElements(given) != 1)
    return refuse("the study", "the path of a file, its text, or a struct", given);
  now.stream = open_memstream(&now.text, &now.length);
  if (!now.stream) return ms_fail(now.ctx, MS_ERR_MEMORY, "out of memory for the study");
  MS_TRY(ms_json_create(now.ctx, now.stream, &now.json));
  MS_TRY(write_value(NULL, given));
  MS_TRY(ms_json_close(&now.json));
  fflush(now.stream);
  *out = now.text;
  return MS_SUCCESS;
}

/* ---- results ---- */

/* folder/name, group/dataset */
static ms_status join(const char *group, const char *name, char *path) {
  const int n = snprintf(path, PATH_SIZE, "%s/%s", group, name);
  if (n >= 0 && n < PATH_SIZE) return MS_SUCCESS;
  return ms_fail(now.ctx, MS_ERR_ARGUMENT, "%s/%s: this name is too long", group, name);
}

/* What the group has, by place, in memory of the interpreter. */
typedef struct entry {
  char *name;
  double place;
} entry;

static int compare_places(const void *a, const void *b) {
  const double x = ((const entry *)a)->place, y = ((const entry *)b)->place;
  return (x > y) - (x < y);
}

static ms_status list_group(const char *group, ptrdiff_t *n, entry **out) {
  ms_results_kind kind;
  *n = 0;
  MS_TRY(ms_results_get_kind(now.results, group, &kind));
  if (kind == MS_RESULTS_GROUP) MS_TRY(ms_results_get_count(now.results, group, n));
  *out = mxCalloc((size_t)*n + 1, sizeof **out);
  for (ptrdiff_t i = 0; i < *n; i++) {
    char path[PATH_SIZE];
    MS_TRY(ms_results_get_name(now.results, group, i, &now.name));
    (*out)[i].name = mxCalloc(strlen(now.name) + 1, 1);
    strcpy((*out)[i].name, now.name);
    ms_free(now.ctx, &now.name);
    MS_TRY(join(group, (*out)[i].name, path));
    (*out)[i].place = (double)(i + 1); /* without a place: as they come */
    ms_status status = ms_results_get_number(now.results, path, "place", &(*out)[i].place);
    if (status != MS_SUCCESS && status != MS_ERR_NAME) return status;
  }
  qsort(*out, (size_t)*n, sizeof **out, compare_places);
  return MS_SUCCESS;
}

static void free_entries(ptrdiff_t n, entry *list) {
  for (ptrdiff_t i = 0; i < n; i++) mxFree(list[i].name);
  mxFree(list);
}

/* An attribute; "" where there is none. */
static ms_status set_attribute(mxArray *s, const char *field, const char *path, const char *name) {
  ms_status status = ms_results_get_text(now.results, path, name, &now.name);
  if (status != MS_SUCCESS && status != MS_ERR_NAME) return status;
  set_text(s, field, now.name);
  ms_free(now.ctx, &now.name);
  return MS_SUCCESS;
}

/* Numbers, or a column of words. */
static ms_status read_dataset(const char *path, mxArray **out) {
  ptrdiff_t rows, columns;
  ms_results_kind kind;
  MS_TRY(ms_results_get_kind(now.results, path, &kind));
  if (kind == MS_RESULTS_TEXTS) {
    MS_TRY(ms_results_read_texts(now.results, path, &rows, &now.words));
    *out = mxCreateCellMatrix((mwSize)rows, 1);
    for (ptrdiff_t i = 0; i < rows; i++) mxSetCell(*out, i, mxCreateString(now.words[i]));
    ms_free(now.ctx, &now.words);
    return MS_SUCCESS;
  }
  MS_TRY(ms_results_read_matrix(now.results, path, &rows, &columns, &now.values));
  *out = mxCreateDoubleMatrix((mwSize)rows, (mwSize)columns, mxREAL);
  if (rows * columns > 0)
    memcpy(mxGetPr(*out), now.values, (size_t)(rows * columns) * sizeof *now.values);
  ms_free(now.ctx, &now.values);
  return MS_SUCCESS;
}

/* The datasets of a group as fields of `data`; units and meanings under the same names. */
static ms_status read_group(const char *group, mxArray *data, mxArray *units, mxArray *meanings) {
  ptrdiff_t n;
  entry *list;
  MS_TRY(list_group(group, &n, &list));
  for (ptrdiff_t i = 0; i < n; i++) {
    char path[PATH_SIZE];
    mxArray *value;
    MS_TRY(join(group, list[i].name, path));
    MS_TRY(read_dataset(path, &value));
    set_field(data, list[i].name, value);
    MS_TRY(set_attribute(units, list[i].name, path, "unit"));
    MS_TRY(set_attribute(meanings, list[i].name, path, "description"));
  }
  free_entries(n, list);
  return MS_SUCCESS;
}

/* What is in the group of an analysis: tables, and the numbers of `answers` and `values`. */
static ms_status read_tables(const char *name, mxArray *analysis) {
  static const char *const part[] = { "values", "answers", "tables", "units", "meanings" };
  enum { VALUES, ANSWERS, TABLES, UNITS, MEANINGS };
  mxArray *has[5];
  char group[PATH_SIZE], path[PATH_SIZE];
  ptrdiff_t n;
  entry *list;
  for (int i = 0; i < 5; i++) has[i] = mxGetField(analysis, 0, part[i]);
  MS_TRY(join("analyses", name, group));
  MS_TRY(list_group(group, &n, &list));
  for (ptrdiff_t i = 0; i < n; i++) {
    const char *inside = list[i].name;
    if (strcmp(inside, "figures") == 0) continue;
    mxArray *units = make_struct(), *meanings = make_struct();
    const int k = strcmp(inside, "values") == 0    ? VALUES
                  : strcmp(inside, "answers") == 0 ? ANSWERS
                                                   : TABLES;
    mxArray *data = k == TABLES ? make_struct() : has[k];
    MS_TRY(join(group, inside, path));
    MS_TRY(read_group(path, data, units, meanings));
    if (k == TABLES) set_field(has[TABLES], inside, data);
    if (k != ANSWERS) {
      set_field(has[UNITS], inside, units);
      set_field(has[MEANINGS], inside, meanings);
    } else {
      mxDestroyArray(units);
      mxDestroyArray(meanings);
    }
  }
  free_entries(n, list);
  return MS_SUCCESS;
}

/* jsondecode(fileread(path)): the interpreter's own reader of JSON. */
static ms_status decode(const char *path, mxArray **out) {
  mxArray *name = mxCreateString(path), *text = NULL;
  mxArray *failure = mexCallMATLABWithTrap(1, &text, 1, &name, "fileread");
  mxDestroyArray(name);
  if (failure)
    return ms_fail(now.ctx, MS_ERR_FILE,
                   "%s: cannot be read; is this the folder of a finished run?", path);
  failure = mexCallMATLABWithTrap(1, out, 1, &text, "jsondecode");
  mxDestroyArray(text);
  if (failure || !mxIsStruct(*out))
    return ms_fail(now.ctx, MS_ERR_FORMAT, "%s: is not the summary of a study", path);
  return MS_SUCCESS;
}

/* Item i of a list of structs: a cell, or a struct array where all of them have the same fields. */
static mxArray *copy_item(const mxArray *list, mwIndex i) {
  const mxArray *from = mxIsCell(list) ? mxGetCell(list, i) : list;
  const mwIndex at = mxIsCell(list) ? 0 : i;
  mxArray *out = make_struct();
  for (int f = 0; mxIsStruct(from) && f < mxGetNumberOfFields(from); f++)
    set_field(out, mxGetFieldNameByNumber(from, f),
              mxDuplicateArray(mxGetFieldByNumber(from, at, f)));
  return out;
}

/* All but tables and numbers, from an item of the summary, which it takes. */
static mxArray *make_analysis(mxArray *item) {
  static const char *const head[] = { "name", "kind", "status", "reasons", "notes" };
  static const char *column[] = { "label", "symbol", "unit", "value", "error", "low", "high" };
  static const char *const part[] = { "tables", "units", "meanings" };
  mxArray *out = make_struct(), *values = make_struct();
  for (int i = 0; i < 5; i++) {
    const mxArray *value = mxGetField(item, 0, head[i]);
    set_field(out, head[i], value ? mxDuplicateArray(value) : mxCreateCellMatrix(0, 1));
  }
  for (int f = 0; f < mxGetNumberOfFields(item); f++) { /* other texts, and flags */
    const char *name = mxGetFieldNameByNumber(item, f);
    const mxArray *value = mxGetFieldByNumber(item, 0, f);
    if (mxGetFieldNumber(out, name) < 0 && (mxIsChar(value) || mxIsLogical(value)))
      set_field(values, name, mxDuplicateArray(value));
  }
  set_field(out, "answers", mxCreateStructMatrix(1, 1, 7, column));
  set_field(out, "values", values);
  for (int i = 0; i < 3; i++) set_field(out, part[i], make_struct());
  set_field(out, "summary", item);
  return out;
}

static ms_status open_results(const char *folder) {
  char path[PATH_SIZE];
  MS_TRY(join(folder, "results.h5", path));
  FILE *file = fopen(path, "rb");
  if (!file) return MS_SUCCESS; /* no analysis had tables */
  fclose(file);
  return ms_results_open(now.ctx, path, &now.results);
}

static ms_status read_folder(const char *folder, mxArray **out) {
  char path[PATH_SIZE];
  mxArray *summary;
  MS_TRY(join(folder, "summary.json", path));
  MS_TRY(decode(path, &summary));
  MS_TRY(open_results(folder));
  static const char *const head[] = { "title", "status", "microslip", "analyses" };
  const mxArray *have[4];
  for (int i = 0; i < 4; i++) have[i] = mxGetField(summary, 0, head[i]);
  if (!have[0] || !have[1] || !have[2] || !have[3])
    return ms_fail(now.ctx, MS_ERR_FORMAT, "%s: is not the summary of a study", path);
  *out = make_struct();
  set_field(*out, "title", mxDuplicateArray(have[0]));
  set_field(*out, "status", mxDuplicateArray(have[1]));
  set_field(*out, "version", mxDuplicateArray(have[2]));
  set_text(*out, "folder", folder);
  mxArray *analyses = make_struct();
  for (mwIndex i = 0; i < (mwIndex)mxGetNumberOfElements(have[3]); i++) {
    char *name;
    mxArray *item = copy_item(have[3], i);
    MS_TRY(read_text(mxGetField(item, 0, "name"), "the name of an analysis", &name));
    mxArray *analysis = make_analysis(item);
    if (now.results) MS_TRY(read_tables(name, analysis));
    set_field(analyses, name, analysis);
    mxFree(name);
  }
  set_field(*out, "analyses", analyses);
  mxDestroyArray(summary);
  return MS_SUCCESS;
}

/* r = microslip('read', folder) */
static ms_status read_results(int n, const mxArray *const *argument, mxArray **out) {
  char *folder;
  (void)n;
  MS_TRY(read_text(argument[0], "the folder", &folder));
  return read_folder(folder, out);
}

/* ---- studies ---- */

/* A text, or a cell of them: assignments such as 'joints.lap.beta=3'. */
static ms_status read_assignments(const mxArray *given, int *n, const char *const **out) {
  const int is_cell = given && mxIsCell(given);
  *n = is_cell ? (int)mxGetNumberOfElements(given) : given != NULL;
  char **list = mxCalloc((size_t)*n + 1, sizeof *list);
  for (int i = 0; i < *n; i++)
    MS_TRY(read_text(is_cell ? mxGetCell(given, i) : given, "'set'", &list[i]));
  *out = (const char *const *)list;
  return MS_SUCCESS;
}

/* What is not as it should be, said when all is done: a warning may be made an error, and ends the
 * call. */
static void note_warning(const char *text) {
  const ms_outcome outcome = ms_study_get_outcome(now.study, -1);
  if (outcome <= MS_OUTCOME_COMPLETE) return;
  snprintf(warning_id, sizeof warning_id, "microslip:%s", ms_outcome_text(outcome));
  snprintf(warning, sizeof warning, "%s", text);
  for (int i = 0; *text == '\0' && i < ms_study_count_analyses(now.study); i++) {
    const ms_result *result = ms_study_get_result(now.study, i);
    if (!result || ms_result_get_outcome(result) != outcome) continue;
    snprintf(warning, sizeof warning, "analysis %s is %s: %s", ms_study_get_analysis(now.study, i),
             ms_outcome_text(outcome), ms_result_get_reason(result));
    return;
  }
}

enum { RUN_FOLDER, RUN_SET, RUN_THREADS, RUN_RESUME, RUN_DISPLAY, RUN_OPTIONS };

/* r = microslip('run', study, ...) */
static ms_status run_study(int n, const mxArray *const *argument, mxArray **out) {
  option list[RUN_OPTIONS] = { { .name = "folder" },
                               { .name = "set" },
                               { .name = "threads" },
                               { .name = "resume" },
                               { .name = "display" } };
  const char *source = NULL, *const *set = NULL;
  char *folder = NULL, *display = NULL;
  int n_set;
  ms_study_setting setting = { 0 };
  MS_TRY(read_options(n - 1, argument + 1, list, RUN_OPTIONS));
  if (list[RUN_FOLDER].value) MS_TRY(read_text(list[RUN_FOLDER].value, "'folder'", &folder));
  if (list[RUN_DISPLAY].value) MS_TRY(read_text(list[RUN_DISPLAY].value, "'display'", &display));
  if (list[RUN_THREADS].value)
    MS_TRY(read_count(list[RUN_THREADS].value, "'threads'", 256, &setting.threads));
  if (list[RUN_RESUME].value)
    MS_TRY(read_count(list[RUN_RESUME].value, "'resume'", 1, &setting.resume));
  MS_TRY(read_assignments(list[RUN_SET].value, &n_set, &set));
  MS_TRY(read_source(argument[0], &source));
  setting.folder = folder ? folder : "results";
  setting.display = display;

  MS_TRY(ms_study_open(now.ctx, source, n_set, set, &now.study));
  ms_status status = ms_study_run(now.study, &setting);
  if (status != MS_SUCCESS && !ms_study_is_partial(now.study)) {
    if (!ms_study_is_resumable(now.study)) return status;
    return ms_fail(now.ctx, status,
                   "%s; what was finished is kept in %s, 'resume', true goes on with it",
                   ms_context_message(now.ctx), setting.folder);
  }
  note_warning(status == MS_SUCCESS ? "" : ms_context_message(now.ctx));
  ms_study_close(&now.study);
  return read_folder(setting.folder, out);
}

/* ---- commands ---- */

static ms_status tell_version(int n, const mxArray *const *argument, mxArray **out) {
  (void)n, (void)argument;
  *out = mxCreateString(ms_version());
  return MS_SUCCESS;
}

typedef struct command {
  const char *name;
  ms_status (*run)(int n, const mxArray *const *argument, mxArray **out);
  int least, most; /* arguments behind the name */
  const char *usage;
} command;

static const command commands[] = {
  { "path", run_path, 3, 11,
    "microslip('path', law, parameters, u), and 't', 'v', 'alpha', 'k' with their values" },
  { "run", run_study, 1, 11,
    "microslip('run', study), and 'folder', 'set', 'threads', 'resume', 'display' with their "
    "values" },
  { "read", read_results, 1, 1, "microslip('read', folder)" },
  { "laws", list_laws, 0, 1, "microslip('laws') or microslip('laws', name)" },
  { "version", tell_version, 0, 0, "microslip('version')" },
};

static ms_status run_command(int nlhs, int nrhs, const mxArray *const *prhs, mxArray **out) {
  static const char known[] = "'path', 'run', 'read', 'laws' or 'version'";
  char *name;
  if (nrhs == 0)
    return ms_fail(now.ctx, MS_ERR_ARGUMENT, "the first argument is what to do: %s", known);
  MS_TRY(read_text(prhs[0], "the first argument", &name));
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    const command *c = &commands[i];
    if (strcmp(c->name, name) != 0) continue;
    const int n = nrhs - 1;
    if (n < c->least || n > c->most || nlhs > 1)
      return ms_fail(now.ctx, MS_ERR_ARGUMENT, "'%s' is called as %s%s", name,
                     nlhs > 1 ? "x = " : "", c->usage);
    return c->run(n, prhs + 1, out);
  }
  return ms_fail(now.ctx, MS_ERR_NAME, "'%s' is not known; the first argument is %s", name, known);
}

static const char *error_id(ms_status status) {
  switch (status) {
  case MS_NOT_CONVERGED:
  case MS_STEP_REJECTED:
  case MS_ERR_NUMERIC:
    return "microslip:numeric";
  case MS_CANCELLED:
    return "microslip:cancelled";
  case MS_ERR_MEMORY:
    return "microslip:memory";
  case MS_ERR_FILE:
  case MS_ERR_DISK:
    return "microslip:file";
  case MS_ERR_FORMAT:
    return "microslip:format";
  default:
    return "microslip:argument";
  }
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  mxArray *out = NULL;
  clean_up(); /* of a call that was ended from outside */
  mexAtExit(clean_up);
  warning[0] = '\0';
  ms_status status = ms_context_create(NULL, &now.ctx);
  snprintf(message, sizeof message, "out of memory");
  if (status == MS_SUCCESS) {
    catch_interrupts();
    status = run_command(nlhs, nrhs, prhs, &out);
    snprintf(message, sizeof message, "%s", ms_context_message(now.ctx));
  }
  clean_up();
  if (status != MS_SUCCESS) mexErrMsgIdAndTxt(error_id(status), "%s", message);
  plhs[0] = out;
  if (warning[0]) mexWarnMsgIdAndTxt(warning_id, "%s", warning);
}
