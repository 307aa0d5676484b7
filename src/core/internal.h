/* Small helpers of the core room, shared inside the library. */
#ifndef MS_CORE_INTERNAL_H
#define MS_CORE_INTERNAL_H

#include <stddef.h>
#include <stdio.h>

#include <microslip/context.h>

#define MS_PI 3.14159265358979323846

/* Into rising order; numbers, none NAN. */
void ms_sort(ptrdiff_t n, double *x);

/* For functions that make something: fails unless all that they need is there. */
#define MS_NEED(ctx, all)                                                                      \
  do {                                                                                         \
    if (!(all))                                                                                \
      return ms_fail((ctx), MS_ERR_ARGUMENT, "%s: a pointer that it needs is NULL", __func__); \
  } while (0)

/* The same where *out is what is made, NULL until it is there; a context is always needed. */
#define MS_MAKE(ctx, out, all)               \
  do {                                       \
    if (out) *(out) = NULL;                  \
    MS_NEED((ctx), (ctx) && (out) && (all)); \
  } while (0)

/* Settings, docs/decisions/0015-settings.md. Into the caller's struct of `size` bytes: the standard
   ones, as far as it holds them, and its size. */
void ms_settings_fill(const void *standard, void *settings, size_t size);
/* own, which begins as the standard settings, from those given; NULL leaves it. Refused: a size
   that is none, or larger than that of own. `function` makes the standard ones. */
ms_status ms_settings_take(ms_context *ctx, const char *function, const void *given, void *own);
/* The same, and `given` is own from here on. */
#define MS_TAKE(ctx, function, given, own)                       \
  do {                                                           \
    MS_TRY(ms_settings_take((ctx), #function, (given), &(own))); \
    (given) = &(own);                                            \
  } while (0)

/* A line of a list of tolerances (microslip/tolerance.h), of which `tol` are given to ctx. */
#define MS_TOLERANCE_CHECK(name, value, reason)                                             \
  if (!(tol->name > 0.0 && tol->name < HUGE_VAL))                                           \
    return ms_fail(ctx, MS_ERR_BOUNDS,                                                      \
                   "tol." #name " = %g must be finite and above 0; its default is " #value, \
                   tol->name);

/* A word as a shell reads it back. */
void ms_text_print_word(FILE *out, const char *word);
/* Calls item(list, i) for names; returns the one nearest to `name` by edit distance, or NULL when
   none is near enough to be a likely slip of the pen. */
const char *ms_text_nearest(const char *name, const char *(*item)(const void *list, int i),
                            const void *list, int n);

/* A copy of text in the context's memory, in *out. NULL text gives NULL. */
ms_status ms_text_copy(ms_context *ctx, const char *text, char **out);

/* What a system call that failed with `error` means: a path that cannot be used (MS_ERR_FILE), want
   of memory, or a disk that failed or is full (MS_ERR_DISK). */
ms_status ms_status_of_errno(int error);

/* s, from some moment on. */
double ms_clock(void);

/* The whole of `text` (length characters, blanks around allowed) as one finite number.
   MS_SUCCESS, MS_ERR_FORMAT (not a number) or MS_ERR_NUMERIC (inf, nan or overflow); no message. */
ms_status ms_text_number(const char *text, size_t length, double *out);

#endif
