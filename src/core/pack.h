/* Results as a row of numbers and back, as ms_jobs keeps them. */
#ifndef MS_CORE_PACK_H
#define MS_CORE_PACK_H

#include <stddef.h>
#include <string.h>

typedef struct ms_packer {
  double *values; /* NULL: only counted */
  ptrdiff_t n;
} ms_packer;

static inline void ms_pack_numbers(ms_packer *t, const double *values, ptrdiff_t n) {
  if (t->values && n > 0) memcpy(t->values + t->n, values, (size_t)n * sizeof *values);
  t->n += n;
}

static inline void ms_pack_number(ms_packer *t, double value) {
  ms_pack_numbers(t, &value, 1);
}

static inline void ms_pack_text(ms_packer *t, const char *text) {
  ms_pack_number(t, (double)strlen(text));
  for (; *text; text++) ms_pack_number(t, (unsigned char)*text);
}

/* What is left to read. */
typedef struct ms_unpacker {
  const double *values;
  ptrdiff_t n;
} ms_unpacker;

/* NULL if there are fewer. */
static inline const double *ms_unpack_numbers(ms_unpacker *r, ptrdiff_t n) {
  if (n < 0 || n > r->n) return NULL;
  const double *values = r->values;
  r->values += n;
  r->n -= n;
  return values;
}

/* A number of things of `size` numbers each, which must be there; -1 if not. */
static inline ptrdiff_t ms_unpack_count(ms_unpacker *r, ptrdiff_t size) {
  const double *n = ms_unpack_numbers(r, 1);
  return n && *n >= 0.0 && *n <= (double)(r->n / size) ? (ptrdiff_t)*n : -1;
}

/* 0 if there is no text that fits. */
static inline int ms_unpack_text(ms_unpacker *r, char *text, ptrdiff_t size) {
  ptrdiff_t n = ms_unpack_count(r, 1);
  if (n < 0 || n >= size) return 0;
  for (ptrdiff_t i = 0; i < n; i++) text[i] = (char)(unsigned char)*ms_unpack_numbers(r, 1);
  text[n] = '\0';
  return 1;
}

#endif
