/* Finding and loading plugins; that of the finite elements. */
#define _GNU_SOURCE /* dladdr */
#include "core/plugin.h"

#include <microslip/fem_plugin.h>

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of what holds this function: the command, or the shared library. Of a command that the
   shell found along PATH, the loader knows the name without its folder. */
static int find_folder(char *folder) {
  Dl_info info;
  static const char anchor = 0;
  if (!dladdr(&anchor, &info) || !info.dli_fname) return 0;
  const char *file = strchr(info.dli_fname, '/') ? info.dli_fname : "/proc/self/exe";
  if (!realpath(file, folder)) return 0;
  char *slash = strrchr(folder, '/');
  if (!slash) return 0;
  *slash = '\0';
  return 1;
}

static int find_file(const ms_plugin *p, char *path, size_t size) {
  static const char *const place[] = { "", "../" MS_LIBDIR "/microslip/", "microslip/" };
  char folder[PATH_MAX];
  const char *named = getenv(p->variable);
  if (named) return snprintf(path, size, "%s", named) < (int)size;
  if (!find_folder(folder)) return 0;
  for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
    int n = snprintf(path, size, "%s/%s%s", folder, place[i], p->file);
    if (n > 0 && (size_t)n < size && access(path, R_OK) == 0) return 1;
  }
  return 0;
}

ms_status ms_plugin_load(ms_context *ctx, const ms_plugin *p, const void **table) {
  typedef struct head {
    int layout;
    const char *version;
  } head;
  char path[2 * PATH_MAX];
  if (!find_file(p, path, sizeof path)) return ms_fail(ctx, MS_ERR_FILE, "%s", p->missing);
  void *library = dlopen(path, RTLD_NOW | (p->is_global ? RTLD_GLOBAL : RTLD_LOCAL));
  if (!library) return ms_fail(ctx, MS_ERR_FILE, "%s: %s", p->what, dlerror());
  const head *found = dlsym(library, p->symbol);
  if (!found) {
    return ms_fail(ctx, MS_ERR_FORMAT, "%s: this is not microslip's library of %s", path, p->what);
  }
  if (found->layout != p->layout || strcmp(found->version, ms_version()) != 0) {
    return ms_fail(ctx, MS_ERR_FORMAT, "%s: of version %s, this is %s; both must be of one build",
                   path, found->version, ms_version());
  }
  *table = found;
  return MS_SUCCESS;
}

ms_status ms_fem_load(ms_context *ctx, const ms_fem_plugin **out) {
  static const void *loaded;
  static const ms_plugin plugin = {
    .file = "libmicroslip_fem.so",
    .variable = "MICROSLIP_FEM_PLUGIN",
    .symbol = MS_FEM_PLUGIN_SYMBOL,
    .layout = MS_FEM_PLUGIN_LAYOUT,
    .is_global = 1, /* MPI's own plugins look for its names in the whole program */
    .what = "finite elements",
    .missing =
        "finite elements are not part of this installation: there is no libmicroslip_fem.so. They "
        "are built where PETSc and SLEPc are (Debian: libslepc-real-dev)",
  };
  *out = NULL;
  if (!loaded) MS_TRY(ms_plugin_load(ctx, &plugin, &loaded));
  *out = loaded;
  return MS_SUCCESS;
}
