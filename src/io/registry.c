/* Which format reads a file: chosen by the file's ending. */
#include "io/internal.h"

#include <string.h>
#include <strings.h>

enum { ENDINGS_SIZE = 256 }; /* room for the list of endings in a message */

static const ms_format *const formats[] = {
#define MS_FORMAT(name) &ms_format_##name,
#include "io/formats.def"
#undef MS_FORMAT
};

enum { n_formats = sizeof formats / sizeof formats[0] };

/* From the last dot of the file's own name; "" if there is none. */
static const char *ending_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash ? slash : path, '.');
  return dot ? dot : "";
}

static int holds(const ms_format *format, ms_io_content content) {
  return content == MS_IO_TABLE ? format->read != NULL
                                : format->read_matrix != NULL || format->read_triplets != NULL;
}

static const ms_format *find_ending(const char *ending, ms_io_content content) {
  for (int i = 0; i < n_formats; i++) {
    if (!holds(formats[i], content)) continue;
    for (const char *const *known = formats[i]->endings; *known; known++)
      if (strcasecmp(*known, ending) == 0) return formats[i];
  }
  return NULL;
}

static void list_endings(ms_io_content content, char text[ENDINGS_SIZE]) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < n_formats; i++) {
    if (!holds(formats[i], content)) continue;
    for (const char *const *known = formats[i]->endings; *known; known++) {
      size_t bytes = strlen(*known) + 1;
      if (used + bytes >= ENDINGS_SIZE) return;
      snprintf(text + used, ENDINGS_SIZE - used, " %s", *known);
      used += bytes;
    }
  }
}

ms_status ms_io_find_format(ms_context *ctx, const char *path, ms_io_content content,
                            const ms_format **out) {
  if (!path) return ms_fail(ctx, MS_ERR_ARGUMENT, "a file to read needs a path");
  *out = find_ending(ending_of(path), content);
  if (*out) return MS_SUCCESS;
  char known[ENDINGS_SIZE];
  list_endings(content, known);
  return ms_fail(ctx, MS_ERR_NAME, "%s: no format%s has the ending '%s'; it must be one of%s", path,
                 content == MS_IO_MATRIX ? " of matrices" : "", ending_of(path), known);
}

static ms_status read_table(ms_context *ctx, const char *path, int words, ms_table **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_table_read: needs an output pointer");
  *out = NULL;
  const ms_format *format;
  MS_TRY(ms_io_find_format(ctx, path, MS_IO_TABLE, &format));
  return format->read(ctx, path, words, out);
}

ms_status ms_table_read(ms_context *ctx, const char *path, ms_table **out) {
  return read_table(ctx, path, 0, out);
}

ms_status ms_table_read_words(ms_context *ctx, const char *path, ms_table **out) {
  return read_table(ctx, path, 1, out);
}
