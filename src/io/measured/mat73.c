/* MATLAB files of version 7.3: HDF5, a dataset for each variable, a group for each struct. HDF5
   counts the dimensions of a matrix from its columns, so that values are column after column. Cells
   and arrays of structs, which are references, are left out. */
#include "io/measured/mat73.h"

#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "io/results.h"

enum { DEEPEST = 12 };

typedef struct mat73 {
  ms_measurement_reader *r;
  ms_binary_bound *bound;
  ms_variables *v;
  ms_status status;
  char prefix[160];
  int depth;
} mat73;

static ms_status refuse(const mat73 *m, const char *name) {
  return ms_fail(m->r->ctx, MS_ERR_FORMAT, "%s: variable %s cannot be read by HDF5; it is damaged",
                 m->r->path, name);
}

/* Complex numbers are pairs of real and imag. */
static hid_t memory_type(int is_complex) {
  if (!is_complex) return H5Tcopy(H5T_NATIVE_DOUBLE);
  hid_t type = H5Tcreate(H5T_COMPOUND, 2 * sizeof(double));
  H5Tinsert(type, "real", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "imag", sizeof(double), H5T_NATIVE_DOUBLE);
  return type;
}

/* Class "char" has its letters in 16 bits each. */
static int is_text(hid_t set) {
  char word[16] = "";
  if (H5Aexists(set, "MATLAB_class") <= 0) return 0;
  hid_t attribute = H5Aopen(set, "MATLAB_class", H5P_DEFAULT), type = H5Aget_type(attribute);
  if (H5Tget_class(type) == H5T_STRING && H5Tget_size(type) < sizeof word) {
    if (H5Aread(attribute, type, word) < 0) word[0] = '\0';
  }
  H5Tclose(type);
  H5Aclose(attribute);
  return strncmp(word, "char", 4) == 0;
}

static ms_status make_text(mat73 *m, ms_variable *v, double *value) {
  const ptrdiff_t rows = v->n_row, cols = v->n_col;
  MS_TRY(ms_resize(m->r->ctx, rows * (cols + 1) + 1, 1, &v->text));
  char *out = v->text;
  for (ptrdiff_t i = 0; i < rows; i++) {
    if (i > 0) *out++ = '\n';
    for (ptrdiff_t j = 0; j < cols; j++) {
      const double letter = value[i + rows * j];
      *out++ = letter >= 32.0 && letter < 256.0 ? (char)(int)letter : '?';
    }
  }
  *out = '\0';
  v->value = NULL;
  return MS_SUCCESS;
}

static ms_status read_values(mat73 *m, hid_t set, const char *name, const hsize_t *dim, int rank,
                             int is_complex) {
  ms_variable *v;
  ptrdiff_t row = (ptrdiff_t)dim[rank - 1], col = 1;
  for (int i = 0; i + 1 < rank; i++) {
    if (dim[i] == 0 || col > (ptrdiff_t)1e12 / (ptrdiff_t)dim[i]) return refuse(m, name);
    col *= (ptrdiff_t)dim[i];
  }
  if (row == 0 || row > (ptrdiff_t)1e12 / col) return refuse(m, name);
  MS_TRY(ms_variables_add(m->r, m->v, name, &v));
  MS_TRY(ms_binary_allocate(m->r, m->bound, row * col * (1 + is_complex), &v->value));
  v->n_row = row, v->n_col = col, v->is_complex = is_complex;
  hid_t type = memory_type(is_complex);
  const herr_t got = H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, v->value);
  H5Tclose(type);
  if (got < 0) return refuse(m, name);
  return is_text(set) ? make_text(m, v, v->value) : MS_SUCCESS;
}

static ms_status read_set(mat73 *m, hid_t set, const char *name) {
  hid_t space = H5Dget_space(set), type = H5Dget_type(set);
  hsize_t dim[4];
  const int rank = H5Sget_simple_extent_ndims(space);
  const H5T_class_t class = H5Tget_class(type);
  const int is_complex = class == H5T_COMPOUND && H5Tget_nmembers(type) == 2 &&
                         H5Tget_member_index(type, "real") >= 0 &&
                         H5Tget_member_index(type, "imag") >= 0;
  const int is_number = class == H5T_INTEGER || class == H5T_FLOAT || is_complex;
  ms_status status = MS_SUCCESS;
  if (is_number && rank >= 1 && rank <= 4 && H5Aexists(set, "MATLAB_empty") <= 0 &&
      H5Sget_simple_extent_dims(space, dim, NULL) == rank)
    status = read_values(m, set, name, dim, rank, is_complex);
  H5Tclose(type);
  H5Sclose(space);
  return status;
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *user);

static ms_status read_object(mat73 *m, hid_t object, const char *name) {
  const H5I_type_t type = H5Iget_type(object);
  if (type == H5I_DATASET) return read_set(m, object, name);
  if (type != H5I_GROUP || m->depth >= DEEPEST) return MS_SUCCESS;
  mat73 inner = *m;
  inner.depth++;
  snprintf(inner.prefix, sizeof inner.prefix, "%.150s.", name);
  const herr_t result = H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, &inner);
  if (inner.status != MS_SUCCESS) return inner.status;
  return result < 0 ? refuse(m, name) : MS_SUCCESS;
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *user) {
  mat73 *m = user;
  char full[320];
  if (name[0] == '#' || info->type != H5L_TYPE_HARD) return 0;
  hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  snprintf(full, sizeof full, "%.158s%.158s", m->prefix, name);
  m->status = object < 0 ? refuse(m, full) : read_object(m, object, full);
  if (object >= 0) H5Oclose(object);
  return m->status == MS_SUCCESS ? 0 : 1;
}

/* The file's bytes as they are in memory: HDF5 takes a copy. */
static hid_t open_image(const char *bytes, size_t length) {
  hid_t access = ms_results_access(), file = -1;
  void *image;
  memcpy(&image, &bytes, sizeof bytes); /* it is only read */
  if (access < 0) return -1;
  if (H5Pset_fapl_core(access, 1 << 16, 0) >= 0 && H5Pset_file_image(access, image, length) >= 0)
    file = H5Fopen("image", H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return file;
}

static ms_status read_file(mat73 *m, const char *bytes, size_t length) {
  hid_t file = open_image(bytes, length);
  if (file < 0)
    return ms_fail(m->r->ctx, MS_ERR_FORMAT,
                   "%s: HDF5 cannot open it: damaged or cut off; save it again", m->r->path);
  hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
  const herr_t result = H5Literate(root, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, m);
  H5Gclose(root);
  H5Fclose(file);
  if (m->status != MS_SUCCESS) return m->status;
  return result < 0 ? refuse(m, "/") : MS_SUCCESS;
}

ms_status ms_mat73_read(ms_measurement_reader *r, const char *bytes, size_t length,
                        ms_binary_bound *bound, ms_variables *v) {
  mat73 m = { .r = r, .bound = bound, .v = v };
  MS_QUIETLY(read_file(&m, bytes, length));
}
