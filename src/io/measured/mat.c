/* MATLAB files. Versions 5 to 7 are our own reader (docs/decisions/0020); 7.3 is HDF5.

     128 bytes: text, version, byte order
     elements: type and size (or both in four bytes with up to four of data), data, to eight bytes

   An element is a matrix, or a compressed one. A matrix is made of elements: flags and class,
   dimensions, name, and values, or of a struct names of fields and then matrices. */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "io/measured/binary.h"
#include "io/measured/mat73.h"

enum { HEAD = 128, DEEPEST = 12, MATRIX = 14, COMPRESSED = 15, CELL = 1, STRUCT = 2, CHAR = 4 };

typedef struct mat {
  ms_measurement_reader *r;
  int big;
  ms_binary_bound bound;
  ms_variables v;
  ptrdiff_t where; /* byte of the file, for messages */
} mat;

typedef struct element {
  int type;
  const unsigned char *data;
  size_t n;
} element;

static ms_status refuse(const mat *m, const char *what) {
  return ms_fail(m->r->ctx, MS_ERR_FORMAT, "%s: byte %td: %s", m->r->path, m->where, what);
}

/* The next element of *at; padded: the next begins at a multiple of eight bytes. */
static ms_status take_element(const mat *m, const unsigned char **at, const unsigned char *end,
                              element *out) {
  const unsigned char *p = *at;
  *out = (element) { .n = 0 };
  if (end - p < 8) return refuse(m, "a variable is cut off; save the file again");
  const uint64_t first = ms_binary_unsigned(p, 4, m->big);
  if (first >> 16) {
    *out = (element) { (int)(first & 0xffff), p + 4, (size_t)(first >> 16) };
    if (out->n > 4) return refuse(m, "a small element has more than four bytes; it is damaged");
    *at = p + 8;
    return MS_SUCCESS;
  }
  *out = (element) { (int)first, p + 8, (size_t)ms_binary_unsigned(p + 4, 4, m->big) };
  if (out->n > (size_t)(end - p - 8))
    return refuse(m, "a variable is cut off; save the file again");
  const size_t padded = out->type == COMPRESSED ? out->n : (out->n + 7) & ~(size_t)7;
  *at = p + 8 + (padded < (size_t)(end - p - 8) ? padded : (size_t)(end - p - 8));
  return MS_SUCCESS;
}

/* Kind and bytes of a type of numbers; 0: it is none. */
static int number_type(int type, char *kind) {
  static const struct {
    char kind;
    int bytes;
  } known[] = { { 0, 0 },   { 'i', 1 }, { 'u', 1 }, { 'i', 2 }, { 'u', 2 }, { 'i', 4 },
                { 'u', 4 }, { 'f', 4 }, { 0, 0 },   { 'f', 8 }, { 0, 0 },   { 0, 0 },
                { 'i', 8 }, { 'u', 8 }, { 0, 0 },   { 0, 0 },   { 'u', 1 }, { 'u', 2 } };
  if (type < 0 || type >= (int)(sizeof known / sizeof *known)) return 0;
  *kind = known[type].kind;
  return known[type].bytes;
}

static ms_status fill(const mat *m, const element *e, ptrdiff_t n, int part, int parts,
                      double *value) {
  char kind = 0;
  const int bytes = number_type(e->type, &kind);
  if (bytes == 0 || e->n / (size_t)bytes < (size_t)n)
    return refuse(m, "a variable has fewer values than its dimensions say; the file is damaged");
  for (ptrdiff_t k = 0; k < n; k++)
    value[parts * k + part] = ms_binary_number(e->data + bytes * k, kind, bytes, m->big);
  return MS_SUCCESS;
}

typedef struct matrix {
  int class, is_complex, rank;
  ptrdiff_t row, col, n;
  char name[160];
} matrix;

static ms_status take_values(mat *m, const matrix *x, const unsigned char *at,
                             const unsigned char *end) {
  element e = { .n = 0 };
  ms_variable *v;
  const int parts = 1 + x->is_complex;
  MS_TRY(take_element(m, &at, end, &e));
  MS_TRY(ms_variables_add(m->r, &m->v, x->name, &v));
  MS_TRY(ms_binary_allocate(m->r, &m->bound, x->n * parts, &v->value));
  v->n_row = x->row, v->n_col = x->col, v->is_complex = x->is_complex;
  MS_TRY(fill(m, &e, x->n, 0, parts, v->value));
  if (!x->is_complex) return MS_SUCCESS;
  MS_TRY(take_element(m, &at, end, &e));
  return fill(m, &e, x->n, 1, parts, v->value);
}

/* One line to each row; another text of the same name is a line below. */
static ms_status take_text(mat *m, const matrix *x, const unsigned char *at,
                           const unsigned char *end) {
  element e = { .n = 0 };
  char kind = 0, *out;
  ms_variable *v = m->v.n > 0 ? &m->v.of[m->v.n - 1] : NULL;
  MS_TRY(take_element(m, &at, end, &e));
  const int bytes = number_type(e.type, &kind);
  if (bytes == 0 || e.n / (size_t)bytes < (size_t)x->n || x->n > (1 << 20)) return MS_SUCCESS;
  if (!v || !v->text || strcmp(v->name, x->name) != 0)
    MS_TRY(ms_variables_add(m->r, &m->v, x->name, &v));
  const size_t before = v->text ? strlen(v->text) : 0;
  const ptrdiff_t rows = x->row > 0 ? x->row : 1;
  MS_TRY(ms_resize(m->r->ctx, (ptrdiff_t)before + x->n + rows + 2, 1, &v->text));
  out = v->text + before;
  for (ptrdiff_t i = 0; i < rows; i++) {
    if (i > 0 || v->n_row > 0) *out++ = '\n';
    for (ptrdiff_t j = 0; j < (x->n > 0 ? x->col : 0); j++) {
      const uint64_t letter = ms_binary_unsigned(e.data + bytes * (i + rows * j), bytes, m->big);
      *out++ = letter >= ' ' && letter < 256 ? (char)letter : '?';
    }
  }
  *out = '\0';
  v->n_row += rows;
  return MS_SUCCESS;
}

static ms_status read_matrix(mat *m, const element *whole, const char *prefix, int depth);

static ms_status read_fields(mat *m, const matrix *x, const unsigned char *at,
                             const unsigned char *end, int depth) {
  element length = { .n = 0 }, names = length, e = length;
  MS_TRY(take_element(m, &at, end, &length));
  MS_TRY(take_element(m, &at, end, &names));
  const size_t width = length.n >= 4 ? (size_t)ms_binary_unsigned(length.data, 4, m->big) : 0;
  if (width == 0 || width > 1024) return refuse(m, "the fields of a struct are damaged");
  const size_t n = names.n / width;
  for (ptrdiff_t k = 0; k < x->n; k++) {
    for (size_t i = 0; i < n; i++) {
      char name[300], index[32] = "";
      if (x->n > 1) snprintf(index, sizeof index, "(%td)", k + 1);
      snprintf(name, sizeof name, "%s%s.%.*s", x->name, index, (int)(width < 64 ? width : 64),
               (const char *)names.data + width * i);
      MS_TRY(take_element(m, &at, end, &e));
      if (e.type == MATRIX && e.n > 0) MS_TRY(read_matrix(m, &e, name, depth + 1));
    }
    if (n == 0) break;
  }
  return MS_SUCCESS;
}

static ms_status read_cells(mat *m, const matrix *x, const unsigned char *at,
                            const unsigned char *end, int depth) {
  element e = { .n = 0 };
  for (ptrdiff_t k = 0; k < x->n; k++) {
    MS_TRY(take_element(m, &at, end, &e));
    if (e.type == MATRIX && e.n > 0) MS_TRY(read_matrix(m, &e, x->name, depth + 1));
  }
  return MS_SUCCESS;
}

/* Dimensions beyond two are joined with the columns. */
static ms_status read_dimensions(const mat *m, const element *e, matrix *x) {
  x->rank = (int)(e->n / 4 < 32 ? e->n / 4 : 32);
  x->row = x->col = 1;
  if (x->rank < 2) return refuse(m, "a variable has no dimensions; the file is damaged");
  for (int i = 0; i < x->rank; i++) {
    const ptrdiff_t n = (ptrdiff_t)ms_binary_unsigned(e->data + 4 * i, 4, m->big);
    ptrdiff_t *to = i == 0 ? &x->row : &x->col;
    if (n > 0x7fffffff || (n > 0 && *to > PTRDIFF_MAX / 16 / n))
      return refuse(m, "the dimensions of a variable are damaged");
    *to *= n;
  }
  if (x->col > 0 && x->row > PTRDIFF_MAX / 16 / x->col)
    return refuse(m, "the dimensions of a variable are damaged");
  x->n = x->row * x->col;
  return MS_SUCCESS;
}

static ms_status read_matrix(mat *m, const element *whole, const char *prefix, int depth) {
  const unsigned char *at = whole->data, *const end = whole->data + whole->n;
  element flags = { .n = 0 }, e = { .n = 0 };
  matrix x = { .class = 0 };
  if (depth > DEEPEST) return MS_SUCCESS;
  MS_TRY(take_element(m, &at, end, &flags));
  if (flags.n < 4) return refuse(m, "a variable has no class; the file is damaged");
  const uint64_t bits = ms_binary_unsigned(flags.data, 4, m->big);
  x.class = (int)(bits & 0xff);
  x.is_complex = (bits & 0x800) != 0;
  if (x.class > 15) return MS_SUCCESS; /* objects of MATLAB's own */
  MS_TRY(take_element(m, &at, end, &e));
  MS_TRY(read_dimensions(m, &e, &x));
  MS_TRY(take_element(m, &at, end, &e));
  if (prefix) {
    snprintf(x.name, sizeof x.name, "%.159s", prefix);
  } else {
    snprintf(x.name, sizeof x.name, "%.*s", (int)(e.n < 100 ? e.n : 100), (const char *)e.data);
  }
  if (x.name[0] == '\0') return MS_SUCCESS; /* what function handles and objects refer to */
  if (x.class == CELL) return read_cells(m, &x, at, end, depth);
  if (x.class == STRUCT) return read_fields(m, &x, at, end, depth);
  if (x.class == CHAR) return take_text(m, &x, at, end);
  return x.class >= 6 && x.n > 0 ? take_values(m, &x, at, end) : MS_SUCCESS;
}

static ms_status read_compressed(mat *m, const element *packed) {
  char *bytes;
  size_t n;
  element e = { .n = 0 };
  MS_TRY(ms_binary_inflate(m->r, &m->bound, (const char *)packed->data, packed->n, 0, m->where,
                           &bytes, &n));
  const unsigned char *at = (const unsigned char *)bytes, *end = at + n;
  ms_status status = take_element(m, &at, end, &e);
  if (status == MS_SUCCESS && e.type == MATRIX) status = read_matrix(m, &e, NULL, 0);
  ms_free(m->r->ctx, &bytes);
  return status;
}

static ms_status read_elements(mat *m, const char *bytes, size_t length) {
  const unsigned char *begin = (const unsigned char *)bytes, *at = begin + HEAD;
  const unsigned char *const end = begin + length;
  while (at < end) {
    element e = { .n = 0 };
    m->where = at - begin;
    MS_TRY(take_element(m, &at, end, &e));
    if (e.type == COMPRESSED) MS_TRY(read_compressed(m, &e));
    if (e.type == MATRIX && e.n > 0) MS_TRY(read_matrix(m, &e, NULL, 0));
  }
  return MS_SUCCESS;
}

static ms_status read_all(mat *m, const char *bytes, size_t length) {
  static const char signature[] = "\x89HDF\r\n\x1a\n";
  const size_t at = length > 520 && memcmp(bytes + 512, signature, 8) == 0 ? 512 : 0;
  const char *order = bytes + HEAD - 2;
  ms_measurement *f = m->r->file;
  if (length > 8 && memcmp(bytes + at, signature, 8) == 0) {
    MS_TRY(ms_mat73_read(m->r, bytes, length, &m->bound, &m->v));
  } else if (length < HEAD || (memcmp(order, "IM", 2) != 0 && memcmp(order, "MI", 2) != 0)) {
    return ms_fail(m->r->ctx, MS_ERR_FORMAT,
                   "%s: byte 126: no MATLAB file of version 5 to 7.3; save it with -v7",
                   m->r->path);
  } else {
    m->big = order[0] == 'M';
    MS_TRY(read_elements(m, bytes, length));
  }
  const char *comma = length > HEAD ? memchr(bytes, ',', 60) : NULL;
  if (comma && memcmp(bytes, "MATLAB", 6) == 0)
    ms_heading_copy((ms_span) { bytes, comma }, f->writer, sizeof f->writer);
  return ms_variables_take(m->r, &m->v);
}

static ms_status read(ms_measurement_reader *r, const char *bytes, size_t length) {
  mat m = { .r = r };
  ms_binary_open(&m.bound, length);
  ms_status status = read_all(&m, bytes, length);
  ms_variables_free(r->ctx, &m.v);
  return status;
}

static const char *const endings[] = { ".mat", NULL };

const ms_measurement_format ms_measurement_mat = { .name = "mat",
                                                   .endings = endings,
                                                   .read = read };
