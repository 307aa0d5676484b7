/* Reading results back: for tests, and for going on with a run. */
#include <stdint.h>
#include <string.h>

#include "io/results.h"

/* ---- the file ---- */

static ms_status open_file(ms_results *r) {
  hid_t access = ms_results_access();
  r->file = H5Fopen(r->path, H5F_ACC_RDONLY, access);
  ms_status status = r->file >= 0 ? MS_SUCCESS : ms_results_fail(r, "", "read as HDF5");
  H5Pclose(access);
  return status;
}

ms_status ms_results_open(ms_context *ctx, const char *path, ms_results **out) {
  MS_TRY(ms_results_make(ctx, path, out));
  ms_quiet quiet;
  ms_quiet_begin(&quiet);
  ms_status status = open_file(*out);
  ms_quiet_end(&quiet);
  if (status != MS_SUCCESS) ms_results_close(out);
  return status;
}

/* ---- what is in a group ---- */

static ms_status get_count(const ms_results *r, const char *group, ptrdiff_t *n) {
  H5G_info_t info;
  *n = 0;
  ms_results_kind kind;
  MS_TRY(ms_results_check_path(r, group, 1));
  MS_TRY(ms_results_find(r, group, &kind));
  if (kind != MS_RESULTS_GROUP) {
    return ms_fail(r->ctx, MS_ERR_NAME, "%s: '%s' is %s", r->path, group,
                   kind == MS_RESULTS_NOTHING ? "not there" : "a dataset, not a group");
  }
  if (H5Gget_info_by_name(r->file, *group ? group : "/", &info, H5P_DEFAULT) < 0)
    return ms_results_fail(r, group, "read");
  *n = (ptrdiff_t)info.nlinks;
  return MS_SUCCESS;
}

ms_status ms_results_get_count(ms_results *results, const char *group, ptrdiff_t *n) {
  MS_QUIETLY(get_count(results, group, n));
}

static ssize_t link_name(const ms_results *r, const char *group, ptrdiff_t index, char *text,
                         size_t size) {
  return H5Lget_name_by_idx(r->file, *group ? group : "/", H5_INDEX_NAME, H5_ITER_INC,
                            (hsize_t)index, text, size, H5P_DEFAULT);
}

static ms_status get_name(const ms_results *r, const char *group, ptrdiff_t index, char **name) {
  ptrdiff_t n;
  *name = NULL;
  MS_TRY(get_count(r, group, &n));
  if (index < 0 || index >= n)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: there is no entry %td of '%s'; there are %td",
                   r->path, index, group, n);
  ssize_t length = link_name(r, group, index, NULL, 0);
  if (length < 0) return ms_results_fail(r, group, "read");
  MS_TRY(ms_allocate(r->ctx, length + 1, 1, name));
  if (link_name(r, group, index, *name, (size_t)length + 1) == length) return MS_SUCCESS;
  ms_status status = ms_results_fail(r, group, "read");
  ms_free(r->ctx, name);
  return status;
}

ms_status ms_results_get_name(ms_results *results, const char *group, ptrdiff_t index,
                              char **name) {
  MS_QUIETLY(get_name(results, group, index, name));
}

/* ---- datasets ---- */

typedef struct source {
  hid_t dataset;
  int rank;
  hsize_t size[2]; /* size[0] = 1 if rank is 1 */
} source;

static const char *kind_text(ms_results_kind kind) {
  static const char *const text[] = { "not there", "a group", "numbers", "integers", "texts" };
  return text[kind];
}

static ms_status check_kind(const ms_results *r, const char *path, ms_results_kind want) {
  ms_results_kind kind;
  MS_TRY(ms_results_check_path(r, path, 0));
  MS_TRY(ms_results_find(r, path, &kind));
  if (kind == want || (want == MS_RESULTS_NUMBERS && kind == MS_RESULTS_INTEGERS))
    return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_NAME, "%s: '%s' is %s, but %s are expected", r->path, path,
                 kind_text(kind), kind_text(want));
}

/* Chunks that were never written take no place in a file, and any size can be said: what is said
   must bear some relation to what is stored. zlib makes at most 1032 bytes of one. */
enum { MOST_COMPRESSED = 1100, UNWRITTEN = 1 << 20 };

static ms_status check_size(const ms_results *r, const char *path, ms_results_kind want,
                            const source *s) {
  hid_t type = H5Dget_type(s->dataset);
  size_t each = H5Tget_size(type);
  hsize_t file = 0;
  H5Tclose(type);
  if (H5Fget_filesize(r->file, &file) < 0) return ms_results_fail(r, path, "read");
  if (each < sizeof(double)) each = sizeof(double);
  if (want == MS_RESULTS_TEXTS) each += sizeof(char *) + 1;
  const double bytes = (double)s->size[0] * (double)s->size[1] * (double)each,
               stored = (double)H5Dget_storage_size(s->dataset);
  if (bytes <= (double)MS_READ_TIMES * (double)file + (double)MS_READ_BESIDES &&
      bytes <= MOST_COMPRESSED * stored + UNWRITTEN) {
    return MS_SUCCESS;
  }
  return ms_fail(r->ctx, MS_ERR_FORMAT,
                 "%s: %s: claims %.3g values, far more than the file can hold", r->path, path,
                 (double)s->size[0] * (double)s->size[1]);
}

static ms_status get_size(const ms_results *r, const char *path, ms_results_kind want, source *s) {
  hid_t space = H5Dget_space(s->dataset);
  hsize_t size[H5S_MAX_RANK] = { 0 };
  const int empty = H5Sget_simple_extent_type(space) == H5S_NULL;
  s->rank = H5Sget_simple_extent_dims(space, size, NULL);
  H5Sclose(space);
  if (s->rank < 0) return ms_results_fail(r, path, "read");
  if (s->rank > 2)
    return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: %s: has %d dimensions; it must have 1 or 2", r->path,
                   path, s->rank);
  s->size[0] = s->rank == 2 ? size[0] : 1;
  s->size[1] = s->rank == 2   ? size[1]
               : s->rank == 1 ? size[0]
                              : 1; /* a scalar is a vector of one */
  if (empty) s->size[1] = 0;
  if (s->size[0] > PTRDIFF_MAX || (s->size[0] > 0 && s->size[1] > PTRDIFF_MAX / s->size[0]))
    return ms_fail(r->ctx, MS_ERR_OVERFLOW, "%s: %s: does not fit in memory", r->path, path);
  return check_size(r, path, want, s);
}

static ms_status open_source(const ms_results *r, const char *path, ms_results_kind want,
                             source *s) {
  MS_TRY(check_kind(r, path, want));
  s->dataset = H5Dopen2(r->file, path, H5P_DEFAULT);
  if (s->dataset < 0) return ms_results_fail(r, path, "opened");
  ms_status status = get_size(r, path, want, s);
  if (status != MS_SUCCESS) H5Dclose(s->dataset);
  return status;
}

static ptrdiff_t count(const source *s) {
  return (ptrdiff_t)(s->size[0] * s->size[1]);
}

/* values: room for all, of value_size bytes each. */
static ms_status read_source(const ms_results *r, const char *path, const source *s, hid_t type,
                             size_t value_size, void *values) {
  void **place = values;
  MS_TRY(ms_allocate(r->ctx, count(s), value_size, place)); /* zero where chunks were not written */
  if (count(s) == 0 || H5Dread(s->dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *place) >= 0)
    return MS_SUCCESS;
  ms_status status = ms_results_fail(r, path, "read");
  ms_free(r->ctx, place);
  return status;
}

static ms_status read_block(const ms_results *r, const char *path, ms_results_kind kind, hid_t type,
                            size_t value_size, source *s, void **block) {
  *block = NULL;
  MS_TRY(open_source(r, path, kind, s));
  ms_status status = read_source(r, path, s, type, value_size, block);
  H5Dclose(s->dataset);
  return status;
}

static ms_status read_matrix(const ms_results *r, const char *path, ptrdiff_t *n_row,
                             ptrdiff_t *n_col, double **values) {
  source s;
  void *block;
  *n_row = *n_col = 0;
  *values = NULL;
  MS_TRY(read_block(r, path, MS_RESULTS_NUMBERS, H5T_NATIVE_DOUBLE, sizeof **values, &s, &block));
  *values = block;
  *n_row = (ptrdiff_t)s.size[1];
  *n_col = (ptrdiff_t)s.size[0];
  return MS_SUCCESS;
}

ms_status ms_results_read_matrix(ms_results *results, const char *path, ptrdiff_t *n_row,
                                 ptrdiff_t *n_col, double **values) {
  MS_QUIETLY(read_matrix(results, path, n_row, n_col, values));
}

static ms_status read_integers(const ms_results *r, const char *path, ptrdiff_t *n,
                               int64_t **values) {
  source s;
  void *block;
  *n = 0;
  *values = NULL;
  MS_TRY(read_block(r, path, MS_RESULTS_INTEGERS, H5T_NATIVE_INT64, sizeof **values, &s, &block));
  *values = block;
  *n = count(&s);
  return MS_SUCCESS;
}

ms_status ms_results_read_integers(ms_results *results, const char *path, ptrdiff_t *n,
                                   int64_t **values) {
  MS_QUIETLY(read_integers(results, path, n, values));
}

/* ---- texts ---- */

/* A type of fixed size to read into, each text with room for a NUL behind it; -1 for texts of
   another make. */
static hid_t reading_type(hid_t stored, size_t *size) {
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) > 0) return -1;
  *size = H5Tget_size(stored) + 1;
  hid_t type = H5Tcopy(stored);
  if (type < 0 || (H5Tset_size(type, *size) >= 0 && H5Tset_strpad(type, H5T_STR_NULLTERM) >= 0))
    return type;
  H5Tclose(type);
  return -1;
}

/* A list with the texts behind it, each of `size` bytes with its NUL. */
static ms_status read_list(const ms_results *r, const char *path, const source *s, char ***texts) {
  const ptrdiff_t n = count(s);
  size_t size;
  char **list = NULL;
  hid_t stored = H5Dget_type(s->dataset), type = reading_type(stored, &size);
  H5Tclose(stored);
  if (type < 0)
    return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: %s: holds texts that microslip did not write",
                   r->path, path);
  ms_status status = ms_allocate(r->ctx, n, sizeof *list + size, &list);
  char *text = (char *)(list + n);
  if (status == MS_SUCCESS && n > 0 &&
      H5Dread(s->dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)
    status = ms_results_fail(r, path, "read");
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) {
    list[i] = text + (size_t)i * size;
    list[i][size - 1] = '\0';
  }
  H5Tclose(type);
  if (status != MS_SUCCESS) ms_free(r->ctx, &list);
  *texts = list;
  return status;
}

static ms_status read_texts(const ms_results *r, const char *path, ptrdiff_t *n, char ***texts) {
  source s;
  *n = 0;
  *texts = NULL;
  MS_TRY(open_source(r, path, MS_RESULTS_TEXTS, &s));
  ms_status status = read_list(r, path, &s, texts);
  H5Dclose(s.dataset);
  if (status == MS_SUCCESS) *n = count(&s);
  return status;
}

ms_status ms_results_read_texts(ms_results *results, const char *path, ptrdiff_t *n,
                                char ***texts) {
  MS_QUIETLY(read_texts(results, path, n, texts));
}

/* ---- attributes ---- */

static ms_status open_attribute(const ms_results *r, const char *path, const char *name,
                                hid_t *attribute) {
  hid_t object;
  MS_TRY(ms_results_open_object(r, path, &object));
  ms_status status = MS_SUCCESS;
  if (!name || H5Aexists(object, name) <= 0) {
    status = ms_fail(r->ctx, MS_ERR_NAME, "%s: '%s' has no attribute '%s'", r->path, path,
                     name ? name : "");
  } else {
    *attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (*attribute < 0) status = ms_results_fail(r, path, "asked for an attribute");
  }
  H5Oclose(object);
  return status;
}

static ms_status take_text(const ms_results *r, const char *path, const char *name, hid_t attribute,
                           char **text) {
  size_t size;
  hid_t stored = H5Aget_type(attribute), type = reading_type(stored, &size);
  H5Tclose(stored);
  if (type < 0)
    return ms_fail(r->ctx, MS_ERR_NAME, "%s: attribute '%s' of '%s' is no text", r->path, name,
                   path);
  ms_status status = ms_allocate(r->ctx, (ptrdiff_t)size, 1, text);
  if (status == MS_SUCCESS && H5Aread(attribute, type, *text) < 0) {
    status = ms_results_fail(r, path, "asked for an attribute");
    ms_free(r->ctx, text);
  }
  H5Tclose(type);
  return status;
}

static ms_status get_text(const ms_results *r, const char *path, const char *name, char **text) {
  hid_t attribute;
  *text = NULL;
  MS_TRY(open_attribute(r, path, name, &attribute));
  ms_status status = take_text(r, path, name, attribute, text);
  H5Aclose(attribute);
  return status;
}

ms_status ms_results_get_text(ms_results *results, const char *path, const char *name,
                              char **text) {
  MS_QUIETLY(get_text(results, path, name, text));
}

static ms_status get_number(const ms_results *r, const char *path, const char *name,
                            double *value) {
  hid_t attribute;
  MS_TRY(open_attribute(r, path, name, &attribute));
  ms_status status = MS_SUCCESS;
  hid_t type = H5Aget_type(attribute);
  if (H5Tget_class(type) != H5T_FLOAT) {
    status = ms_fail(r->ctx, MS_ERR_NAME, "%s: attribute '%s' of '%s' is no number", r->path, name,
                     path);
  } else if (H5Aread(attribute, H5T_NATIVE_DOUBLE, value) < 0) {
    status = ms_results_fail(r, path, "asked for an attribute");
  }
  H5Tclose(type);
  H5Aclose(attribute);
  return status;
}

ms_status ms_results_get_number(ms_results *results, const char *path, const char *name,
                                double *value) {
  MS_QUIETLY(get_number(results, path, name, value));
}
