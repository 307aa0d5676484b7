/* netCDF files. The classic format: "The NetCDF Classic Format Specification" (Unidata): a header
   with dimensions, attributes and variables, each with the byte where its values begin; everything
   big-endian, names and attributes padded to four bytes. netCDF-4 is HDF5, which reads it. */
#include "fem/formats/netcdf.h"

#include <math.h>
#include <string.h>

#include "fem/formats/reader.h"

enum { DIMENSION = 10, VARIABLE = 11, ATTRIBUTE = 12, CHAR = 2 };

static const int size_of[] = { 0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8 }; /* by type, from byte on */
enum { n_types = sizeof size_of / sizeof size_of[0] };

typedef struct header {
  ms_netcdf *f;
  size_t at;
  int wide, far; /* counts of 8 bytes (CDF-5); places of 8 bytes (CDF-2 and 5) */
  uint64_t *dimension;
  ptrdiff_t n_dimension;
} header;

/* ---- bytes ---- */

static ms_status refuse(const ms_netcdf *f, size_t at, const char *what) {
  return ms_fail(f->ctx, MS_ERR_FORMAT, "%s:byte %zu: %s", f->path, at, what);
}

static uint64_t big(const unsigned char *p, int n) {
  uint64_t value = 0;
  for (int i = 0; i < n; i++) value = value << 8 | p[i];
  return value;
}

static ms_status take(header *h, int n, uint64_t *out) {
  if (h->f->length - h->at < (size_t)n) {
    return refuse(h->f, h->at, "the file ends inside its header; complete it");
  }
  *out = big(h->f->bytes + h->at, n);
  h->at += (size_t)n;
  return MS_SUCCESS;
}

/* A count; what it counts takes a byte at least, so the file bounds it. */
static ms_status take_count(header *h, uint64_t *out) {
  size_t at = h->at;
  MS_TRY(take(h, h->wide ? 8 : 4, out));
  if (*out <= h->f->length) return MS_SUCCESS;
  return refuse(h->f, at, "a count larger than the file; the header is broken");
}

static ms_status skip(header *h, uint64_t n) {
  uint64_t padded = (n + 3) & ~(uint64_t)3;
  if (h->f->length - h->at < padded) {
    return refuse(h->f, h->at, "the file ends inside its header; complete it");
  }
  h->at += padded;
  return MS_SUCCESS;
}

static ms_status take_name(header *h, char **out) {
  uint64_t n = 0;
  *out = NULL;
  MS_TRY(take_count(h, &n));
  size_t at = h->at;
  MS_TRY(skip(h, n));
  MS_TRY(ms_allocate(h->f->ctx, (ptrdiff_t)n + 1, 1, out));
  memcpy(*out, h->f->bytes + at, n);
  return MS_SUCCESS;
}

/* A list begins with its tag and count; both are 0 if it is empty. */
static ms_status take_list(header *h, unsigned tag, uint64_t *n) {
  uint64_t found = 0;
  size_t at = h->at;
  MS_TRY(take(h, 4, &found));
  MS_TRY(take_count(h, n));
  if (found == tag || (found == 0 && *n == 0)) return MS_SUCCESS;
  return refuse(h->f, at, "a list of the wrong kind; the header is broken");
}

/* ---- the header ---- */

static ms_status read_dimensions(header *h) {
  uint64_t n = 0;
  MS_TRY(take_list(h, DIMENSION, &n));
  if (n > 0) MS_TRY(ms_allocate(h->f->ctx, (ptrdiff_t)n, sizeof *h->dimension, &h->dimension));
  h->n_dimension = (ptrdiff_t)n;
  for (uint64_t i = 0; i < n; i++) {
    char *name;
    MS_TRY(take_name(h, &name));
    ms_free(h->f->ctx, &name);
    MS_TRY(take(h, h->wide ? 8 : 4, &h->dimension[i]));
  }
  return MS_SUCCESS;
}

static ms_status take_type(header *h, uint64_t *type) {
  size_t at = h->at;
  MS_TRY(take(h, 4, type));
  if (*type >= 1 && *type < n_types) return MS_SUCCESS;
  return refuse(h->f, at, "an unknown type of number; the header is broken");
}

/* elem_type is kept, the others are passed over. */
static ms_status read_attribute(header *h, char **elem_type) {
  uint64_t type = 0, n = 0;
  char *name;
  MS_TRY(take_name(h, &name));
  int wanted = elem_type && !*elem_type && strcmp(name, "elem_type") == 0;
  ms_free(h->f->ctx, &name);
  MS_TRY(take_type(h, &type));
  if (wanted && type == CHAR) return take_name(h, elem_type);
  MS_TRY(take_count(h, &n));
  return skip(h, n * (uint64_t)size_of[type]);
}

static ms_status read_attributes(header *h, char **elem_type) {
  uint64_t n = 0;
  MS_TRY(take_list(h, ATTRIBUTE, &n));
  for (uint64_t i = 0; i < n; i++) MS_TRY(read_attribute(h, elem_type));
  return MS_SUCCESS;
}

static ms_status read_shape(header *h, ms_netcdf_variable *v) {
  uint64_t rank = 0, id = 0;
  MS_TRY(take_count(h, &rank));
  v->rank = rank > 3 ? 3 : (int)rank;
  v->size[0] = v->size[1] = 1;
  for (uint64_t i = 0; i < rank; i++) {
    size_t at = h->at;
    MS_TRY(take(h, h->wide ? 8 : 4, &id));
    if (id >= (uint64_t)h->n_dimension) {
      return refuse(h->f, at, "a dimension that does not exist; the header is broken");
    }
    uint64_t size = h->dimension[id];
    if (size == 0) v->is_record = 1;
    if (size > (uint64_t)INT32_MAX) return refuse(h->f, at, "a dimension beyond 2^31; too large");
    if (i < 2) v->size[i] = (ptrdiff_t)size;
  }
  return MS_SUCCESS;
}

static ms_status read_variable(header *h) {
  ms_netcdf *f = h->f;
  uint64_t type = 0, size = 0;
  MS_TRY(ms_grow(f->ctx, f->n + 1, &f->capacity, sizeof *f->variable, &f->variable));
  ms_netcdf_variable *v = &f->variable[f->n];
  *v = (ms_netcdf_variable) { .name = NULL };
  f->n++;
  MS_TRY(take_name(h, &v->name));
  MS_TRY(read_shape(h, v));
  MS_TRY(read_attributes(h, &v->elem_type));
  MS_TRY(take_type(h, &type));
  v->type = (int)type;
  MS_TRY(take(h, h->wide ? 8 : 4, &size));
  return take(h, h->far ? 8 : 4, &v->begin);
}

static ms_status read_header(header *h) {
  uint64_t n = 0;
  h->wide = h->f->bytes[3] == 5;
  h->far = h->f->bytes[3] != 1;
  h->at = 4;
  MS_TRY(take(h, h->wide ? 8 : 4, &n)); /* records */
  MS_TRY(read_dimensions(h));
  MS_TRY(read_attributes(h, NULL));
  MS_TRY(take_list(h, VARIABLE, &n));
  for (uint64_t i = 0; i < n; i++) MS_TRY(read_variable(h));
  return MS_SUCCESS;
}

/* ---- opening ---- */

int ms_netcdf_sniff(const char *bytes, size_t length) {
  static const char hdf5[] = "\x89HDF\r\n\x1a\n";
  if (length >= 8 && memcmp(bytes, hdf5, 8) == 0) return 2;
  if (length < 4 || memcmp(bytes, "CDF", 3) != 0) return 0;
  return bytes[3] == 1 || bytes[3] == 2 || bytes[3] == 5;
}

ms_status ms_netcdf_open(ms_context *ctx, const char *path, const char *bytes, size_t length,
                         ms_netcdf *out) {
  *out = (ms_netcdf) { .ctx = ctx, .path = path, .length = length };
  out->bytes = (const unsigned char *)bytes;
  int kind = ms_netcdf_sniff(bytes, length);
  if (kind == 2) return ms_results_open(ctx, path, &out->hdf5);
  if (kind == 0) return refuse(out, 0, "is not a netCDF file; Exodus II must be one");
  header h = { .f = out };
  ms_status status = read_header(&h);
  ms_free(ctx, &h.dimension);
  if (status != MS_SUCCESS) ms_netcdf_close(out);
  return status;
}

void ms_netcdf_close(ms_netcdf *f) {
  for (ptrdiff_t i = 0; i < f->n; i++) {
    ms_free(f->ctx, &f->variable[i].name);
    ms_free(f->ctx, &f->variable[i].elem_type);
  }
  ms_free(f->ctx, &f->variable);
  f->n = 0;
  ms_results_close(&f->hdf5);
}

/* ---- classic values ---- */

static const ms_netcdf_variable *look_up(const ms_netcdf *f, const char *name) {
  for (ptrdiff_t i = 0; i < f->n; i++) {
    if (strcmp(f->variable[i].name, name) == 0) return &f->variable[i];
  }
  return NULL;
}

ms_status ms_netcdf_has(const ms_netcdf *f, const char *name, int *has) {
  ms_results_kind kind;
  *has = !f->hdf5 && look_up(f, name) != NULL;
  if (!f->hdf5) return MS_SUCCESS;
  MS_TRY(ms_results_get_kind(f->hdf5, name, &kind));
  *has = kind != MS_RESULTS_NOTHING && kind != MS_RESULTS_GROUP;
  return MS_SUCCESS;
}

static ms_status find(const ms_netcdf *f, const char *name, const ms_netcdf_variable **out) {
  const ms_netcdf_variable *v = look_up(f, name);
  *out = v;
  if (!v)
    return ms_fail(f->ctx, MS_ERR_FORMAT, "%s: has no '%s', which is required", f->path, name);
  if (v->rank > 2 || v->is_record) {
    return ms_fail(f->ctx, MS_ERR_FORMAT, "%s: '%s' must have one or two dimensions, without time",
                   f->path, name);
  }
  uint64_t count = (uint64_t)v->size[0] * (uint64_t)v->size[1],
           n = count * (uint64_t)size_of[v->type];
  if (v->begin <= f->length && n <= f->length - v->begin) return MS_SUCCESS;
  return ms_fail(f->ctx, MS_ERR_FORMAT,
                 "%s:byte %zu: the file ends before the values of '%s', which go from byte %llu to "
                 "%llu; complete it",
                 f->path, f->length, name, (unsigned long long)v->begin,
                 (unsigned long long)(v->begin + n));
}

/* By type: whole numbers with a sign, without, and floating ones. */
static double value_of(const unsigned char *p, int type) {
  int n = size_of[type];
  uint64_t bits = big(p, n);
  if (type == 5) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
  }
  if (type == 6) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (type >= 7 && type != 10) return (double)bits;
  uint64_t sign = UINT64_C(1) << (8 * n - 1);
  return bits & sign ? -(double)((~bits & (sign - 1)) + 1) : (double)bits;
}

static ms_status read_classic(const ms_netcdf *f, const char *name, ptrdiff_t *n_row,
                              ptrdiff_t *n_col, double **values) {
  const ms_netcdf_variable *v;
  MS_TRY(find(f, name, &v));
  *n_row = v->size[0];
  *n_col = v->size[1];
  ptrdiff_t n = *n_row * *n_col;
  MS_TRY(ms_resize(f->ctx, n, sizeof **values, values));
  const unsigned char *p = f->bytes + v->begin;
  for (ptrdiff_t i = 0; i < n; i++) (*values)[i] = value_of(p + i * size_of[v->type], v->type);
  return MS_SUCCESS;
}

/* ---- values ---- */

/* HDF5's matrix has the last dimension first; a vector is one column of it. */
static ms_status read_hdf5(const ms_netcdf *f, const char *name, ptrdiff_t *n_row, ptrdiff_t *n_col,
                           double **values) {
  ptrdiff_t last, first;
  MS_TRY(ms_results_read_matrix(f->hdf5, name, &last, &first, values));
  int vector = first == 1; /* or one row, which its reader tells apart by the count */
  *n_row = vector ? last : first;
  *n_col = vector ? 1 : last;
  return MS_SUCCESS;
}

ms_status ms_netcdf_numbers(const ms_netcdf *f, const char *name, ptrdiff_t *n_row,
                            ptrdiff_t *n_col, double **values) {
  *values = NULL;
  MS_TRY(f->hdf5 ? read_hdf5(f, name, n_row, n_col, values)
                 : read_classic(f, name, n_row, n_col, values));
  for (ptrdiff_t i = 0; i < *n_row * *n_col; i++) {
    if (isfinite((*values)[i])) continue;
    ms_free(f->ctx, values);
    return ms_fail(f->ctx, MS_ERR_FORMAT, "%s: value %td of '%s' is not finite", f->path, i + 1,
                   name);
  }
  return MS_SUCCESS;
}

ms_status ms_netcdf_integers(const ms_netcdf *f, const char *name, ptrdiff_t *n_row,
                             ptrdiff_t *n_col, ptrdiff_t **values) {
  double *numbers;
  *values = NULL;
  MS_TRY(ms_netcdf_numbers(f, name, n_row, n_col, &numbers));
  ptrdiff_t n = *n_row * *n_col;
  ms_status status = ms_resize(f->ctx, n, sizeof **values, values);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) {
    double x = numbers[i];
    if (x != floor(x) || fabs(x) > 0x1p53) {
      status = ms_fail(f->ctx, MS_ERR_FORMAT, "%s: value %td of '%s' is %g; it must be whole",
                       f->path, i + 1, name, x);
    } else {
      (*values)[i] = (ptrdiff_t)x;
    }
  }
  ms_free(f->ctx, &numbers);
  if (status != MS_SUCCESS) ms_free(f->ctx, values);
  return status;
}

/* ---- texts ---- */

ms_status ms_netcdf_texts(const ms_netcdf *f, const char *name, ptrdiff_t n, ptrdiff_t *width,
                          char **texts) {
  const ms_netcdf_variable *v;
  *texts = NULL;
  if (f->hdf5) {
    ptrdiff_t count;
    char **list;
    MS_TRY(ms_results_read_texts(f->hdf5, name, &count, &list));
    *width = count / n + 1;
    ms_status status = ms_allocate(f->ctx, n * *width, 1, texts);
    for (ptrdiff_t i = 0; status == MS_SUCCESS && i < count / n * n; i++) {
      (*texts)[i / (count / n) * *width + i % (count / n)] = list[i][0];
    }
    ms_free(f->ctx, &list);
    return status;
  }
  MS_TRY(find(f, name, &v));
  if (v->type != CHAR || v->size[0] < n) {
    return ms_fail(f->ctx, MS_ERR_FORMAT, "%s: '%s' must hold %td texts", f->path, name, n);
  }
  *width = v->size[1] + 1;
  MS_TRY(ms_allocate(f->ctx, n * *width, 1, texts));
  for (ptrdiff_t i = 0; i < n; i++) {
    memcpy(*texts + i * *width, f->bytes + v->begin + (uint64_t)(i * v->size[1]),
           (size_t)v->size[1]);
  }
  return MS_SUCCESS;
}

ms_status ms_netcdf_element(const ms_netcdf *f, const char *name, char **text) {
  *text = NULL;
  if (f->hdf5) return ms_results_get_text(f->hdf5, name, "elem_type", text);
  const ms_netcdf_variable *v = look_up(f, name);
  if (!v || !v->elem_type) {
    return ms_fail(f->ctx, MS_ERR_FORMAT, "%s: '%s' has no attribute elem_type, which is required",
                   f->path, name);
  }
  MS_TRY(ms_allocate(f->ctx, (ptrdiff_t)strlen(v->elem_type) + 1, 1, text));
  memcpy(*text, v->elem_type, strlen(v->elem_type));
  return MS_SUCCESS;
}
