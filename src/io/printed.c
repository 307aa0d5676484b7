/* Text printed into memory. open_memstream() of the C library does not tell of a want of memory:
   the text ends early without a sign. Here the stream's error is set as for a file. */
#define _GNU_SOURCE /* fopencookie */
#include <microslip/io.h>

#include <string.h>

enum { FIRST = 1024 }; /* bytes; doubled when they are used up */

typedef struct buffer {
  ms_context *ctx;
  char *text; /* ends in NUL */
  size_t length, capacity;
  ms_status status;
} buffer;

static ms_status grow(buffer *b, size_t n) {
  size_t capacity = b->capacity;
  while (capacity - b->length <= n) capacity *= 2;
  if (capacity > b->capacity) MS_TRY(ms_resize(b->ctx, (ptrdiff_t)capacity, 1, &b->text));
  b->capacity = capacity;
  return MS_SUCCESS;
}

static ssize_t append(void *cookie, const char *bytes, size_t n) {
  buffer *b = cookie;
  if (b->status == MS_SUCCESS) b->status = grow(b, n);
  if (b->status != MS_SUCCESS) return 0; /* an error, to the stream */
  memcpy(b->text + b->length, bytes, n);
  b->length += n;
  b->text[b->length] = '\0';
  return (ssize_t)n;
}

static ms_status print(buffer *b, ms_print_fn fill, const void *user) {
  FILE *stream = fopencookie(b, "w", (cookie_io_functions_t) { .write = append });
  if (!stream) return ms_fail(b->ctx, MS_ERR_MEMORY, "out of memory for a stream");
  ms_status status = fill(b->ctx, user, stream);
  int failed = fflush(stream) != 0 || ferror(stream);
  failed |= fclose(stream) != 0;
  if (!failed && b->status == MS_SUCCESS) return status;
  return ms_fail(b->ctx, MS_ERR_MEMORY, "out of memory: a text of more than %zu bytes was not kept",
                 b->length);
}

ms_status ms_print_text(ms_context *ctx, ms_print_fn fill, const void *user, char **out,
                        size_t *length) {
  buffer b = { .ctx = ctx, .capacity = FIRST };
  *out = NULL;
  *length = 0;
  MS_TRY(ms_allocate(ctx, FIRST, 1, &b.text));
  ms_status status = print(&b, fill, user);
  if (status != MS_SUCCESS) {
    ms_free(ctx, &b.text);
    return status;
  }
  *out = b.text;
  *length = b.length;
  return MS_SUCCESS;
}
