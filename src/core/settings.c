/* Settings that callers fill: their first member is the size of the struct as the caller knows it
   (docs/decisions/0015-settings.md). */
#include <string.h>

#include "core/internal.h"

static size_t size_of(const void *settings) {
  size_t size;
  memcpy(&size, settings, sizeof size);
  return size;
}

void ms_settings_fill(const void *standard, void *settings, size_t size) {
  const size_t known = size_of(standard);
  if (!settings || size < sizeof size) return;
  memset(settings, 0, size);
  memcpy(settings, standard, size < known ? size : known);
  memcpy(settings, &size, sizeof size);
}

ms_status ms_settings_take(ms_context *ctx, const char *function, const void *given, void *own) {
  const size_t known = size_of(own), size = given ? size_of(given) : known;
  if (size < sizeof size || size > known) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "settings were not begun from %s: their size is %zu bytes, not %zu", function,
                   size, known);
  }
  if (given) memcpy(own, given, size);
  memcpy(own, &known, sizeof known);
  return MS_SUCCESS;
}
