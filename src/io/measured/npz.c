/* NumPy's .npz: a zip file, stored or deflated, of .npy files; each of these is

     \x93NUMPY, version, length of the head
     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
     the values */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "io/measured/binary.h"

enum { END_SIZE = 22, ENTRY_SIZE = 46, LOCAL_SIZE = 30, HEAD_SIZE = 4096 };

typedef struct npz {
  ms_measurement_reader *r;
  const unsigned char *begin;
  size_t length;
  ms_binary_bound bound;
  ms_variables v;
  int skipped;
} npz;

static ms_status refuse(const npz *z, size_t at, const char *what) {
  return ms_fail(z->r->ctx, MS_ERR_FORMAT, "%s: byte %zu: %s", z->r->path, at, what);
}

static size_t get(const npz *z, size_t at, int bytes) {
  return (size_t)ms_binary_unsigned(z->begin + at, bytes, 0);
}

/* ---- one array ---- */

typedef struct npy {
  char kind; /* f i u b c U S */
  int bytes, big, fortran, rank;
  ptrdiff_t shape[2];
} npy;

/* Behind "'key':", or NULL. */
static const char *find_key(const char *head, const char *key) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "'%s':", key);
  const char *at = strstr(head, quoted);
  if (!at) return NULL;
  at += strlen(quoted);
  return at + strspn(at, " ");
}

/* 0: it is none that is read here. */
static int read_head(const char *head, npy *a) {
  const char *descr = find_key(head, "descr"), *order = find_key(head, "fortran_order");
  const char *shape = find_key(head, "shape");
  char sign;
  if (!descr || !order || !shape || *shape != '(' ||
      sscanf(descr, "'%c%c%5d'", &sign, &a->kind, &a->bytes) != 3)
    return 0;
  a->big = sign == '>';
  a->fortran = strncmp(order, "True", 4) == 0;
  a->shape[0] = a->shape[1] = 1;
  for (a->rank = 0, shape++; *shape != ')' && a->rank < 3; a->rank++) {
    ptrdiff_t n;
    const char *end = shape + strlen(shape);
    if (a->rank == 2 || !ms_io_scan_integer(&shape, end, &n) || n < 0) return 0;
    a->shape[a->rank] = n;
    shape += strspn(shape, ", ");
  }
  const int b = a->bytes;
  switch (a->kind) {
  case 'f':
    return b == 4 || b == 8;
  case 'c':
    return b == 8 || b == 16;
  case 'i':
  case 'u':
    return b == 1 || b == 2 || b == 4 || b == 8;
  case 'b':
    return b == 1;
  case 'U':
  case 'S':
    return b >= 1 && b < 1000;
  default:
    return 0;
  }
}

/* Words of an array, one to a line; characters beyond ASCII as Latin-1, others as '?'. */
static ms_status take_text(npz *z, const npy *a, const unsigned char *p, ms_variable *v) {
  const ptrdiff_t n = a->shape[0] * a->shape[1];
  const int step = a->kind == 'U' ? 4 : 1;
  char *out;
  MS_TRY(ms_resize(z->r->ctx, n * (a->bytes + 1) + 1, 1, &v->text));
  out = v->text;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (i > 0) *out++ = '\n';
    for (int c = 0; c < a->bytes; c++, p += step) {
      const uint64_t letter = ms_binary_unsigned(p, step, a->big);
      if (letter >= ' ') *out++ = letter < 256 ? (char)letter : '?';
    }
  }
  *out = '\0';
  return MS_SUCCESS;
}

static ms_status take_numbers(npz *z, const npy *a, const unsigned char *p, ms_variable *v) {
  const int parts = a->kind == 'c' ? 2 : 1, bytes = a->bytes / parts;
  const char kind = a->kind == 'c' ? 'f' : a->kind == 'b' ? 'u' : a->kind;
  const ptrdiff_t rows = a->shape[0], cols = a->shape[1], n = rows * cols;
  v->n_row = rows, v->n_col = cols, v->is_complex = parts == 2;
  MS_TRY(ms_binary_allocate(z->r, &z->bound, n * parts, &v->value));
  for (ptrdiff_t k = 0; k < n; k++) {
    const ptrdiff_t to = a->fortran ? k : k / cols + rows * (k % cols);
    for (int part = 0; part < parts; part++, p += bytes)
      v->value[parts * to + part] = ms_binary_number(p, kind, bytes, a->big);
  }
  return MS_SUCCESS;
}

static ms_status read_array(npz *z, const char *name, const char *bytes, size_t n, size_t where) {
  const unsigned char *p = (const unsigned char *)bytes;
  char head[HEAD_SIZE];
  npy a;
  ms_variable *v;
  if (n < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0)
    return refuse(z, where, "not an array of NumPy; there must be .npy files in an .npz");
  const int wide = p[6] >= 2;
  const size_t length = (size_t)ms_binary_unsigned(p + 8, wide ? 4 : 2, 0), begin = wide ? 12 : 10;
  if (length >= HEAD_SIZE || length > n - begin)
    return refuse(z, where, "the head of the array is cut off; save the file again");
  memcpy(head, bytes + begin, length);
  head[length] = '\0';
  if (!read_head(head, &a)) {
    z->skipped++;
    return MS_SUCCESS;
  }
  const size_t size = (size_t)a.bytes * (a.kind == 'U' ? 4 : 1), have = (n - begin - length) / size;
  if (a.shape[1] > 0 && (size_t)a.shape[0] > have / (size_t)a.shape[1])
    return refuse(z, where, "the array has fewer values than its head says; save the file again");
  MS_TRY(ms_variables_add(z->r, &z->v, name, &v));
  p += begin + length;
  return a.kind == 'U' || a.kind == 'S' ? take_text(z, &a, p, v) : take_numbers(z, &a, p, v);
}

/* ---- the zip file ---- */

static ms_status read_entry(npz *z, size_t at, const char *name) {
  const size_t method = get(z, at + 10, 2), crc = get(z, at + 16, 4), packed = get(z, at + 20, 4);
  const size_t plain = get(z, at + 24, 4), local = get(z, at + 42, 4);
  if (local > z->length - LOCAL_SIZE || get(z, local, 4) != 0x04034b50)
    return refuse(z, at, "an entry of the zip file leads nowhere; it is damaged");
  const size_t data = local + LOCAL_SIZE + get(z, local + 26, 2) + get(z, local + 28, 2);
  if (data > z->length || packed > z->length - data)
    return refuse(z, local, "an entry of the zip file is cut off; save it again");
  const char *bytes = (const char *)z->begin + data;
  char *inflated = NULL;
  size_t n = packed;
  if (method != 0 && method != 8)
    return refuse(z, local, "an entry is compressed in another way than deflate; use numpy.savez");
  if (method == 8) {
    MS_TRY(ms_binary_inflate(z->r, &z->bound, bytes, packed, 1, (ptrdiff_t)data, &inflated, &n));
    bytes = inflated;
  }
  ms_status status =
      n == plain && ms_binary_crc32(bytes, n) == crc
          ? read_array(z, name, bytes, n, data)
          : refuse(z, data, "the checksum of an entry is wrong; the file is damaged");
  ms_free(z->r->ctx, &inflated);
  return status;
}

static ms_status find_end(const npz *z, size_t *at) {
  if (z->length < END_SIZE) return refuse(z, 0, "no .npz file: it is too short");
  size_t p = z->length - END_SIZE, last = p > 65535 ? p - 65535 : 0;
  while (get(z, p, 4) != 0x06054b50) {
    if (p == last)
      return refuse(z, z->length, "the zip file has no directory at its end; it is cut off");
    p--;
  }
  *at = p;
  return MS_SUCCESS;
}

static ms_status read_entries(npz *z) {
  size_t end = 0;
  MS_TRY(find_end(z, &end));
  const size_t count = get(z, end + 10, 2);
  size_t at = get(z, end + 16, 4);
  for (size_t i = 0; i < count; i++) {
    char name[160];
    if (at > end || end - at < ENTRY_SIZE || get(z, at, 4) != 0x02014b50)
      return refuse(z, at, "the directory of the zip file is damaged");
    const size_t n = get(z, at + 28, 2);
    if (n > end - at - ENTRY_SIZE) return refuse(z, at, "the directory of the zip file is damaged");
    snprintf(name, sizeof name, "%.*s", n < 159 ? (int)n : 159,
             (const char *)z->begin + at + ENTRY_SIZE);
    char *dot = strrchr(name, '.');
    if (dot && strcmp(dot, ".npy") == 0) {
      *dot = '\0';
      MS_TRY(read_entry(z, at, name));
    }
    at += ENTRY_SIZE + n + get(z, at + 30, 2) + get(z, at + 32, 2);
  }
  if (z->skipped > 0)
    ms_measurement_note(z->r, "left out: %d arrays of other types or more than two dimensions",
                        z->skipped);
  return ms_variables_take(z->r, &z->v);
}

static ms_status read(ms_measurement_reader *r, const char *bytes, size_t length) {
  npz z = { .r = r, .begin = (const unsigned char *)bytes, .length = length };
  ms_binary_open(&z.bound, length);
  ms_status status = read_entries(&z);
  ms_variables_free(r->ctx, &z.v);
  return status;
}

static const char *const endings[] = { ".npz", NULL };

const ms_measurement_format ms_measurement_npz = { .name = "npz",
                                                   .endings = endings,
                                                   .read = read };
