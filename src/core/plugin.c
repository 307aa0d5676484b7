/* Finding plugins, and loading that of the finite elements. */
#define _GNU_SOURCE /* dladdr */
#include "core/plugin.h"

#include <microslip/fem_plugin.h>

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "libmicroslip_fem.so"

/* The folder of what holds this function: the command, or the shared library. */
static int find_folder(char *folder) {
  Dl_info info;
  static const char anchor = 0;
  if (!dladdr(&anchor, &info) || !info.dli_fname) return 0;
  if (!realpath(info.dli_fname, folder)) return 0;
  char *slash = strrchr(folder, '/');
  if (!slash) return 0;
  *slash = '\0';
  return 1;
}

int ms_plugin_find(const char *file, const char *variable, char *path, size_t size) {
  static const char *const place[] = { "", "../" MS_LIBDIR "/microslip/", "microslip/" };
  char folder[PATH_MAX];
  const char *named = getenv(variable);
  if (named) return snprintf(path, size, "%s", named) < (int)size;
  if (!find_folder(folder)) return 0;
  for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
    int n = snprintf(path, size, "%s/%s%s", folder, place[i], file);
    if (n > 0 && (size_t)n < size && access(path, R_OK) == 0) return 1;
  }
  return 0;
}

static ms_status open_file(ms_context *ctx, const char *path, const ms_fem_plugin **out) {
  /* MPI's own plugins look for its names in the whole program. */
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library) return ms_fail(ctx, MS_ERR_FILE, "finite elements: %s", dlerror());
  const ms_fem_plugin *table = dlsym(library, MS_FEM_PLUGIN_SYMBOL);
  if (!table) {
    return ms_fail(ctx, MS_ERR_FORMAT, "%s: this is not microslip's library of finite elements",
                   path);
  }
  if (table->layout != MS_FEM_PLUGIN_LAYOUT || strcmp(table->version, ms_version()) != 0) {
    return ms_fail(ctx, MS_ERR_FORMAT, "%s: of version %s, this is %s; both must be of one build",
                   path, table->version, ms_version());
  }
  *out = table;
  return MS_SUCCESS;
}

ms_status ms_fem_load(ms_context *ctx, const ms_fem_plugin **out) {
  static const ms_fem_plugin *loaded;
  char path[2 * PATH_MAX];
  *out = loaded;
  if (loaded) return MS_SUCCESS;
  if (!ms_plugin_find(FILE_NAME, "MICROSLIP_FEM_PLUGIN", path, sizeof path)) {
    return ms_fail(ctx, MS_ERR_FILE,
                   "finite elements are not part of this installation: there is no " FILE_NAME
                   ". They are built where PETSc and SLEPc are (Debian: libslepc-real-dev)");
  }
  MS_TRY(open_file(ctx, path, &loaded));
  *out = loaded;
  return MS_SUCCESS;
}
