/* A whole file into memory. */
#include "core/internal.h"
#include "io/internal.h"

#include <errno.h>
#include <string.h>

enum { FIRST_CAPACITY = 65536 };

static ms_status read_all(ms_context *ctx, FILE *in, char **text, size_t *length) {
  size_t capacity = 0, got;
  do {
    if (*length == capacity) {
      capacity = capacity ? 2 * capacity : FIRST_CAPACITY; /* ms_resize refuses the absurd */
      MS_TRY(ms_resize(ctx, (ptrdiff_t)capacity, 1, text));
    }
    got = fread(*text + *length, 1, capacity - *length, in);
    *length += got;
  } while (got > 0);
  return MS_SUCCESS;
}

ms_status ms_io_load(ms_context *ctx, const char *path, char **text, size_t *length) {
  *text = NULL;
  *length = 0;
  errno = 0;
  FILE *in = fopen(path, "rb");
  if (!in) {
    return ms_fail(ctx, ms_status_of_errno(errno), "%s: cannot be opened: %s", path,
                   strerror(errno));
  }
  ms_status status = read_all(ctx, in, text, length);
  if (status == MS_SUCCESS && ferror(in))
    status =
        ms_fail(ctx, ms_status_of_errno(errno), "%s: cannot be read: %s", path, strerror(errno));
  fclose(in);
  if (status != MS_SUCCESS) ms_free(ctx, text);
  return status;
}
