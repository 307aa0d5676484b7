/* Results in one HDF5 file: life, paths and messages. */
#include "io/results.h"

#include <string.h>

#include "core/internal.h"

enum {
  WORDS_SIZE = 256, /* of HDF5's words in a message */
  NAME_SIZE = 256   /* of one name in a path, with its NUL */
};

/* ---- messages ---- */

void ms_quiet_begin(ms_quiet *quiet) {
  H5Eget_auto2(H5E_DEFAULT, &quiet->function, &quiet->data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void ms_quiet_end(const ms_quiet *quiet) {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, quiet->function, quiet->data);
}

/* The innermost error says what happened; those outside it, on whose behalf. */
static herr_t take_words(unsigned n, const H5E_error2_t *error, void *text) {
  if (n == 0) snprintf(text, WORDS_SIZE, "%s", error->desc ? error->desc : "");
  return 0;
}

/* A file that is written is in memory; of one that is read HDF5 says "errno = 5" among other words.
 */
static ms_status status_of(const ms_results *r, const char *words) {
  const char *number = strstr(words, "errno = ");
  int error;
  if (r->out) return MS_ERR_MEMORY;
  if (number && sscanf(number, "errno = %d", &error) == 1) return ms_status_of_errno(error);
  return MS_ERR_FILE;
}

ms_status ms_results_fail(const ms_results *r, const char *object, const char *what) {
  char words[WORDS_SIZE] = "";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_words, words);
  for (char *p = words; *p; p++)
    if ((unsigned char)*p < ' ') *p = ' ';
  return ms_fail(r->ctx, status_of(r, words), "%s: %s%scannot be %s: %s", r->path, object,
                 *object ? ": " : "", what, *words ? words : "HDF5 does not say why");
}

void ms_results_note(ms_results *r, herr_t result) {
  if (result < 0) r->broken = 1;
}

/* ---- life ---- */

ms_status ms_results_make(ms_context *ctx, const char *path, ms_results **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "a results file needs an output pointer");
  *out = NULL;
  if (!path || !*path) return ms_fail(ctx, MS_ERR_ARGUMENT, "a results file needs a path");
  MS_TRY(ms_allocate(ctx, 1, sizeof **out, out));
  (*out)->ctx = ctx;
  (*out)->file = -1;
  ms_status status = ms_text_copy(ctx, path, &(*out)->path);
  if (status != MS_SUCCESS) ms_results_close(out);
  return status;
}

hid_t ms_results_access(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access < 0) return -1;
  herr_t set = H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 14, 0) || (H5_VERS_MINOR == 10 && H5_VERS_RELEASE >= 7)
  if (set >= 0) set = H5Pset_file_locking(access, 0, 1);
#endif
  if (set >= 0) return access;
  H5Pclose(access);
  return -1;
}

void ms_results_close(ms_results **results) {
  if (!results || !*results) return;
  ms_results *r = *results;
  ms_quiet quiet;
  ms_quiet_begin(&quiet);
  if (r->file >= 0) H5Fclose(r->file);
  ms_quiet_end(&quiet);
  ms_outfile_discard(&r->out);
  ms_free(r->ctx, &r->path);
  ms_free(r->ctx, results);
}

void ms_results_set_allow_nan(ms_results *results, int allow) {
  results->allow_nan = allow;
}

/* ---- paths ---- */

/* Behind the next slash or at the end. */
static const char *next_name(const char *name) {
  const char *slash = strchr(name, '/');
  return slash ? slash + 1 : name + strlen(name);
}

static int is_good_name(const char *name, size_t n) {
  if (n == 0 || n >= NAME_SIZE) return 0;
  if (name[0] == '.' && (n == 1 || (n == 2 && name[1] == '.'))) return 0;
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)name[i] < ' ' || name[i] == 0x7f) return 0;
  return 1;
}

ms_status ms_results_check_path(const ms_results *r, const char *path, int root) {
  if (root && path && !*path) return MS_SUCCESS;
  int good = path && *path && path[strlen(path) - 1] != '/';
  for (const char *p = path; good && *p; p = next_name(p)) good = is_good_name(p, strcspn(p, "/"));
  if (good) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                 "%s: '%.60s' is not a path; it must be names separated by slashes, such as "
                 "analyses/modes/omega",
                 r->path, path ? path : "");
}

/* ---- what is where ---- */

static ms_results_kind kind_of_type(hid_t dataset) {
  hid_t type = H5Dget_type(dataset);
  H5T_class_t class = H5Tget_class(type);
  H5Tclose(type);
  if (class == H5T_INTEGER) return MS_RESULTS_INTEGERS;
  return class == H5T_STRING ? MS_RESULTS_TEXTS : MS_RESULTS_NUMBERS;
}

/* Asking for a link below a group that is not there is an error to HDF5, so each is asked for. */
static ms_status find_links(const ms_results *r, const char *path, int *found) {
  char *part;
  MS_TRY(ms_text_copy(r->ctx, path, &part));
  *found = 1;
  for (const char *p = path; *found && *p;) {
    p += strcspn(p, "/");
    char *end = part + (p - path), kept = *end;
    *end = '\0';
    *found = H5Lexists(r->file, part, H5P_DEFAULT) > 0; /* below a dataset: negative */
    *end = kept;
    if (*p) p++;
  }
  ms_free(r->ctx, &part);
  return MS_SUCCESS;
}

ms_status ms_results_find(const ms_results *r, const char *path, ms_results_kind *kind) {
  int found;
  *kind = MS_RESULTS_NOTHING;
  MS_TRY(find_links(r, path, &found));
  if (!found) return MS_SUCCESS;
  hid_t object = H5Oopen(r->file, *path ? path : "/", H5P_DEFAULT);
  if (object < 0) return ms_results_fail(r, path, "opened");
  H5I_type_t type = H5Iget_type(object);
  *kind = type == H5I_DATASET ? kind_of_type(object) : MS_RESULTS_GROUP;
  H5Oclose(object);
  return MS_SUCCESS;
}

ms_status ms_results_open_object(const ms_results *r, const char *path, hid_t *object) {
  ms_results_kind kind;
  MS_TRY(ms_results_check_path(r, path, 1));
  MS_TRY(ms_results_find(r, path, &kind));
  if (kind == MS_RESULTS_NOTHING)
    return ms_fail(r->ctx, MS_ERR_NAME, "%s: has no '%s'", r->path, path);
  *object = H5Oopen(r->file, *path ? path : "/", H5P_DEFAULT);
  return *object >= 0 ? MS_SUCCESS : ms_results_fail(r, path, "opened");
}

static ms_status get_kind(const ms_results *r, const char *path, ms_results_kind *kind) {
  MS_TRY(ms_results_check_path(r, path, 1));
  return ms_results_find(r, path, kind);
}

ms_status ms_results_get_kind(ms_results *results, const char *path, ms_results_kind *kind) {
  MS_QUIETLY(get_kind(results, path, kind));
}
