/* Parts of the library that not every installation has: shared libraries with one table in each. */
#ifndef MS_CORE_PLUGIN_H
#define MS_CORE_PLUGIN_H

#include <microslip/context.h>

typedef struct ms_plugin {
  const char *file;     /* "libmicroslip_fem.so" */
  const char *variable; /* of the environment, that names another file */
  const char *symbol;   /* of its table, which begins with a layout and the version */
  int layout;
  int is_global;       /* its names are for libraries that it loads, too */
  const char *what;    /* "finite elements", in messages */
  const char *missing; /* to who does not have it */
} ms_plugin;

/* The table of a plugin: of the file that the variable names, beside the command (where it is
   built), in the library folder of an installed command, or below the folder of the shared library.
   It must be of this version and this layout. */
ms_status ms_plugin_load(ms_context *ctx, const ms_plugin *plugin, const void **table);

#endif
