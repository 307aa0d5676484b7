/* Writing results. Nothing in the file depends on when or where it was written: no object keeps
   times, texts have a fixed length, numbers are stored as little-endian 64-bit. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "io/results.h"

enum {
  LARGE = 65536,        /* bytes from which an array is stored in chunks and compressed */
  CHUNK_VALUES = 65536, /* in a chunk: half of HDF5's chunk cache */
  DEFLATE = 4           /* higher takes much longer for little */
};

/* ---- the way to a dataset ---- */

static ms_status make_group(ms_results *r, const char *path) {
  ms_results_kind kind;
  MS_TRY(ms_results_find(r, path, &kind));
  if (kind == MS_RESULTS_GROUP) return MS_SUCCESS;
  if (kind != MS_RESULTS_NOTHING)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: '%s' is a dataset; nothing can be below it",
                   r->path, path);
  hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
  ms_results_note(r, H5Pset_obj_track_times(creation, 0));
  hid_t group = H5Gcreate2(r->file, path, H5P_DEFAULT, creation, H5P_DEFAULT);
  ms_status status = group >= 0 ? MS_SUCCESS : ms_results_fail(r, path, "created");
  if (group >= 0) ms_results_note(r, H5Gclose(group));
  ms_results_note(r, H5Pclose(creation));
  return status;
}

static ms_status prepare(ms_results *r, const char *path) {
  ms_results_kind kind;
  MS_TRY(ms_results_refuse_reader(r));
  MS_TRY(ms_results_check_path(r, path, 0));
  /* Every group above the last name. */
  char *part;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_text_copy(r->ctx, path, &part));
  for (char *p = part; status == MS_SUCCESS && (p = strchr(p, '/')); p++) {
    *p = '\0';
    status = make_group(r, part);
    *p = '/';
  }
  ms_free(r->ctx, &part);
  MS_TRY(status);
  MS_TRY(ms_results_find(r, path, &kind));
  if (kind == MS_RESULTS_NOTHING) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: '%s' exists already; every path is written once",
                 r->path, path);
}

/* ---- datasets ---- */

typedef struct shape {
  int rank;
  hsize_t size[2];
} shape;

static hsize_t smaller(hsize_t a, hsize_t b) {
  return a < b ? a : b;
}

/* Along a column first: that is how histories are read. */
static void set_chunks(ms_results *r, hid_t creation, const shape *s) {
  hsize_t chunk[2] = { 1, 1 };
  int last = s->rank - 1;
  chunk[last] = smaller(s->size[last], CHUNK_VALUES);
  if (s->rank == 2) {
    chunk[0] = smaller(s->size[0], CHUNK_VALUES / chunk[1]);
    if (chunk[0] < 1) chunk[0] = 1;
  }
  ms_results_note(r, H5Pset_chunk(creation, s->rank, chunk));
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return;
  ms_results_note(r, H5Pset_shuffle(creation));
  ms_results_note(r, H5Pset_deflate(creation, DEFLATE));
}

static ms_status create_dataset(ms_results *r, const char *path, hid_t type, const shape *s,
                                hid_t *dataset) {
  MS_TRY(prepare(r, path));
  hid_t space = H5Screate_simple(s->rank, s->size, NULL);
  size_t value_size = H5Tget_size(type);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  ms_results_note(r, H5Pset_obj_track_times(creation, 0));
  hsize_t values = s->rank == 2 ? s->size[0] * s->size[1] : s->size[0];
  if (value_size > 0 && values > LARGE / value_size) set_chunks(r, creation, s);
  *dataset = H5Dcreate2(r->file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  ms_status status = *dataset >= 0 ? MS_SUCCESS : ms_results_fail(r, path, "created");
  ms_results_note(r, H5Pclose(creation));
  ms_results_note(r, H5Sclose(space));
  return status;
}

/* What HDF5 holds back is written when the dataset is closed. */
static ms_status close_dataset(ms_results *r, const char *path, hid_t dataset, ms_status status) {
  if (status != MS_SUCCESS) r->broken = 1;
  if (H5Dclose(dataset) >= 0 || status != MS_SUCCESS) return status;
  r->broken = 1;
  return ms_results_fail(r, path, "written");
}

/* One dataset from an array in memory. */
static ms_status write_array(ms_results *r, const char *path, hid_t stored, hid_t given,
                             const shape *s, const void *values) {
  hid_t dataset;
  MS_TRY(create_dataset(r, path, stored, s, &dataset));
  int empty = s->size[0] == 0 || (s->rank == 2 && s->size[1] == 0);
  ms_status status = MS_SUCCESS;
  if (!empty && H5Dwrite(dataset, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    status = ms_results_fail(r, path, "written");
  return close_dataset(r, path, dataset, status);
}

static ms_status check_count(const ms_results *r, const char *path, ptrdiff_t n_row,
                             ptrdiff_t n_col, const void *values) {
  if (n_row >= 0 && n_col >= 0 && (values || n_row == 0 || n_col == 0)) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: %s: %td x %td values cannot be written", r->path,
                 path ? path : "", n_row, n_col);
}

static ms_status check_values(const ms_results *r, const char *path, const double *values,
                              ptrdiff_t n, ptrdiff_t column) {
  for (ptrdiff_t i = 0; i < n; i++) {
    if (isfinite(values[i]) || (r->allow_nan && isnan(values[i]))) continue;
    return ms_fail(r->ctx, MS_ERR_NUMERIC,
                   "%s: %s: row %td, column %td is %g; only finite numbers are written", r->path,
                   path, i + 1, column + 1, values[i]);
  }
  return MS_SUCCESS;
}

static ms_status write_vector(ms_results *r, const char *path, ptrdiff_t n, const double *values) {
  MS_TRY(check_count(r, path, n, 1, values));
  MS_TRY(ms_results_check_path(r, path, 0));
  MS_TRY(check_values(r, path, values, n, 0));
  shape s = { 1, { (hsize_t)n } };
  return write_array(r, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &s, values);
}

ms_status ms_results_write_vector(ms_results *results, const char *path, ptrdiff_t n,
                                  const double *values) {
  MS_QUIETLY(write_vector(results, path, n, values));
}

static ms_status write_matrix(ms_results *r, const char *path, ptrdiff_t n_row, ptrdiff_t n_col,
                              const double *values) {
  MS_TRY(check_count(r, path, n_row, n_col, values));
  MS_TRY(ms_results_check_path(r, path, 0));
  for (ptrdiff_t j = 0; j < n_col; j++) MS_TRY(check_values(r, path, values + n_row * j, n_row, j));
  shape s = { 2, { (hsize_t)n_col, (hsize_t)n_row } };
  return write_array(r, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &s, values);
}

ms_status ms_results_write_matrix(ms_results *results, const char *path, ptrdiff_t n_row,
                                  ptrdiff_t n_col, const double *values) {
  MS_QUIETLY(write_matrix(results, path, n_row, n_col, values));
}

static ms_status write_integers(ms_results *r, const char *path, ptrdiff_t n,
                                const int64_t *values) {
  MS_TRY(check_count(r, path, n, 1, values));
  shape s = { 1, { (hsize_t)n } };
  return write_array(r, path, H5T_STD_I64LE, H5T_NATIVE_INT64, &s, values);
}

ms_status ms_results_write_integers(ms_results *results, const char *path, ptrdiff_t n,
                                    const int64_t *values) {
  MS_QUIETLY(write_integers(results, path, n, values));
}

/* ---- column by column ---- */

typedef struct columns {
  ms_column_fn column;
  void *user;
  const char *path;
  ptrdiff_t n_row, n_col;
  double *values;
} columns;

/* The caller's function may use HDF5 too, and may want to hear of it. */
static ms_status get_column(const columns *c, ptrdiff_t j, const ms_quiet *outside) {
  ms_quiet inside;
  ms_quiet_end(outside);
  ms_status status = c->column(c->user, j, c->values);
  ms_quiet_begin(&inside);
  return status;
}

static ms_status put_column(const ms_results *r, const columns *c, hid_t dataset, hid_t file_space,
                            hid_t memory_space, ptrdiff_t j) {
  hsize_t start[2] = { (hsize_t)j, 0 }, count[2] = { 1, (hsize_t)c->n_row };
  MS_TRY(check_values(r, c->path, c->values, c->n_row, j));
  if (H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
      H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, c->values) < 0)
    return ms_results_fail(r, c->path, "written");
  return MS_SUCCESS;
}

static ms_status put_columns(ms_results *r, const columns *c, hid_t dataset,
                             const ms_quiet *outside) {
  hsize_t n = (hsize_t)c->n_row;
  hid_t memory_space = H5Screate_simple(1, &n, NULL), file_space = H5Dget_space(dataset);
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t j = 0; status == MS_SUCCESS && j < c->n_col; j++) {
    status = get_column(c, j, outside);
    if (status == MS_SUCCESS) status = put_column(r, c, dataset, file_space, memory_space, j);
  }
  ms_results_note(r, H5Sclose(file_space));
  ms_results_note(r, H5Sclose(memory_space));
  return status;
}

static ms_status write_columns(ms_results *r, columns *c, const ms_quiet *outside) {
  hid_t dataset;
  shape s = { 2, { (hsize_t)c->n_col, (hsize_t)c->n_row } };
  if (c->n_row < 1 || c->n_col < 1 || !c->column)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s: a matrix of %td x %td column by column; it needs rows, columns and a "
                   "function that provides them",
                   r->path, c->n_row, c->n_col);
  MS_TRY(ms_resize(r->ctx, c->n_row, sizeof *c->values, &c->values));
  MS_TRY(create_dataset(r, c->path, H5T_IEEE_F64LE, &s, &dataset));
  return close_dataset(r, c->path, dataset, put_columns(r, c, dataset, outside));
}

ms_status ms_results_write_columns(ms_results *results, const char *path, ptrdiff_t n_row,
                                   ptrdiff_t n_col, ms_column_fn column, void *user) {
  columns c = { column, user, path, n_row, n_col, NULL };
  ms_quiet quiet;
  ms_quiet_begin(&quiet);
  ms_status status = write_columns(results, &c, &quiet);
  ms_quiet_end(&quiet);
  ms_free(results->ctx, &c.values);
  return status;
}

/* ---- texts ---- */

static int is_ascii(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text >= 0x80) return 0;
  return 1;
}

/* Filled up with NUL to `size` bytes each; -1 on failure. UTF-8 is said only where it is needed:
   Octave reads texts that are said to be ASCII. */
static hid_t make_text_type(ms_results *r, size_t size, int ascii) {
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type < 0) return -1;
  ms_results_note(r, H5Tset_size(type, size));
  ms_results_note(r, H5Tset_strpad(type, H5T_STR_NULLPAD));
  ms_results_note(r, H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8));
  return type;
}

static ms_status write_texts(ms_results *r, const char *path, ptrdiff_t n,
                             const char *const *texts) {
  char *block;
  size_t size;
  MS_TRY(check_count(r, path, n, 1, texts));
  /* The texts side by side in a block of n times size bytes. */
  size = 1; /* HDF5 knows no text of no bytes */
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!texts[i])
      return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: text %td of %td is missing", r->path, i + 1, n);
    if (strlen(texts[i]) > size) size = strlen(texts[i]);
  }
  MS_TRY(ms_allocate(r->ctx, n, size, &block));
  for (ptrdiff_t i = 0; i < n; i++) memcpy(block + (size_t)i * size, texts[i], strlen(texts[i]));
  shape s = { 1, { (hsize_t)n } };
  int ascii = 1;
  for (ptrdiff_t i = 0; i < n; i++) ascii &= is_ascii(texts[i]);
  hid_t type = make_text_type(r, size, ascii);
  ms_status status = write_array(r, path, type, type, &s, block);
  ms_results_note(r, H5Tclose(type));
  ms_free(r->ctx, &block);
  return status;
}

ms_status ms_results_write_texts(ms_results *results, const char *path, ptrdiff_t n,
                                 const char *const *texts) {
  MS_QUIETLY(write_texts(results, path, n, texts));
}

/* ---- attributes ---- */

static ms_status put_attribute(ms_results *r, const char *path, hid_t object, const char *name,
                               hid_t stored, hid_t given, const void *value) {
  if (H5Aexists(object, name) > 0)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: %s: has the attribute '%s' already", r->path, path,
                   name);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
  ms_status status = MS_SUCCESS;
  if (attribute < 0 || H5Awrite(attribute, given, value) < 0)
    status = ms_results_fail(r, path, "given an attribute");
  if (attribute >= 0) ms_results_note(r, H5Aclose(attribute));
  ms_results_note(r, H5Sclose(space));
  return status;
}

static ms_status check_attribute(const ms_results *r, const char *path, const char *name) {
  MS_TRY(ms_results_refuse_reader(r));
  MS_TRY(ms_results_check_path(r, path, 1));
  if (name && *name) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: an attribute needs a name", r->path);
}

static ms_status set_attribute(ms_results *r, const char *path, const char *name, hid_t stored,
                               hid_t given, const void *value) {
  hid_t object;
  MS_TRY(ms_results_open_object(r, path, &object));
  ms_status status = put_attribute(r, path, object, name, stored, given, value);
  ms_results_note(r, H5Oclose(object));
  return status;
}

static ms_status set_text(ms_results *r, const char *path, const char *name, const char *text) {
  MS_TRY(check_attribute(r, path, name));
  if (!text) return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: an attribute needs a text", r->path);
  hid_t type = make_text_type(r, *text ? strlen(text) : 1, is_ascii(text));
  ms_status status = set_attribute(r, path, name, type, type, text);
  ms_results_note(r, H5Tclose(type));
  return status;
}

ms_status ms_results_set_text(ms_results *results, const char *path, const char *name,
                              const char *text) {
  MS_QUIETLY(set_text(results, path, name, text));
}

static ms_status set_number(ms_results *r, const char *path, const char *name, double value) {
  MS_TRY(check_attribute(r, path, name));
  if (!isfinite(value) && !(r->allow_nan && isnan(value)))
    return ms_fail(r->ctx, MS_ERR_NUMERIC, "%s: %s: attribute '%s' is %g; it must be finite",
                   r->path, path, name, value);
  return set_attribute(r, path, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

ms_status ms_results_set_number(ms_results *results, const char *path, const char *name,
                                double value) {
  MS_QUIETLY(set_number(results, path, name, value));
}
