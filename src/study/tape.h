/* Results as a row of numbers and back, as ms_jobs keeps them. */
#ifndef MS_STUDY_TAPE_H
#define MS_STUDY_TAPE_H

#include <stddef.h>
#include <string.h>

typedef struct ms_tape {
  double *values; /* NULL: only counted */
  ptrdiff_t n;
} ms_tape;

static inline void ms_tape_put(ms_tape *t, const double *values, ptrdiff_t n) {
  if (t->values && n > 0) memcpy(t->values + t->n, values, (size_t)n * sizeof *values);
  t->n += n;
}

static inline void ms_tape_put_one(ms_tape *t, double value) {
  ms_tape_put(t, &value, 1);
}

static inline void ms_tape_put_text(ms_tape *t, const char *text) {
  ms_tape_put_one(t, (double)strlen(text));
  for (; *text; text++) ms_tape_put_one(t, (unsigned char)*text);
}

/* What is left to read. */
typedef struct ms_reel {
  const double *values;
  ptrdiff_t n;
} ms_reel;

/* NULL if there are fewer. */
static inline const double *ms_reel_take(ms_reel *r, ptrdiff_t n) {
  if (n < 0 || n > r->n) return NULL;
  const double *values = r->values;
  r->values += n;
  r->n -= n;
  return values;
}

/* A number of things of `size` numbers each, which must be there; -1 if not. */
static inline ptrdiff_t ms_reel_take_count(ms_reel *r, ptrdiff_t size) {
  const double *n = ms_reel_take(r, 1);
  return n && *n >= 0.0 && *n <= (double)(r->n / size) ? (ptrdiff_t)*n : -1;
}

/* 0 if there is no text that fits. */
static inline int ms_reel_take_text(ms_reel *r, char *text, ptrdiff_t size) {
  ptrdiff_t n = ms_reel_take_count(r, 1);
  if (n < 0 || n >= size) return 0;
  for (ptrdiff_t i = 0; i < n; i++) text[i] = (char)(unsigned char)*ms_reel_take(r, 1);
  text[n] = '\0';
  return 1;
}

#endif
