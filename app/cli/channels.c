/* Channels of measured files by their names. */
#include <string.h>

#include "cli.h"

static const ms_measurement_channel *find_channel(const ms_measurement *file, const char *name) {
  const ptrdiff_t n = ms_measurement_get_count(file);
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_measurement_channel *c = ms_measurement_get(file, i);
    if (strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

const ms_measurement_channel *cli_find_channel(const ms_measurement *file, const char *name) {
  const ms_measurement_channel *found = find_channel(file, name);
  const ptrdiff_t n = ms_measurement_get_count(file);
  if (found) return found;
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_measurement_channel *c = ms_measurement_get(file, i);
    if (strcmp(name, c->response_name) && strcmp(name, c->place) && strcmp(name, c->id)) continue;
    if (found) return NULL;
    found = c;
  }
  return found;
}

const ms_measurement_channel *cli_find_again(const ms_measurement *file, const char *name) {
  const ms_measurement_channel *found = cli_find_channel(file, name);
  const char *colon = strrchr(name, ':');
  char part[64];
  if (found || !colon) return found;
  snprintf(part, sizeof part, "%.*s", (int)(colon - name), name);
  found = cli_find_channel(file, part);
  return found && !found->place[0] ? found : NULL;
}
