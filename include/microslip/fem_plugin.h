/* [core] The finite elements as a plugin: libmicroslip_fem.so, found by the study that needs it.
   Programs that link the library microslip_fem need none of this. */
#ifndef MICROSLIP_FEM_PLUGIN_H
#define MICROSLIP_FEM_PLUGIN_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MS_FEM_PLUGIN_LAYOUT 8
#define MS_FEM_PLUGIN_SYMBOL "ms_fem_table"

/* The plugin's table. Objects of the library may be handed through it: both sides are of the same
   version, which is checked. */
typedef struct ms_fem_plugin {
  int layout;          /* MS_FEM_PLUGIN_LAYOUT of the header it was built with */
  const char *version; /* ms_version() of the library it was built with */
  /* As ms_fem_start and ms_fem_engine. */
  ms_status (*start)(ms_context *ctx, ms_communicator *communicator);
  const char *(*engine)(void);
  const struct ms_fem_functions *functions; /* fem_table.h */
} ms_fem_plugin;

/* Loads the plugin, once, and gives its table. It is looked for beside the command and in the
   folder of libraries it is installed with; the environment variable MICROSLIP_FEM_PLUGIN names the
   file instead. Fails where there is none, or one of another version. It stays until the program
   ends. */
MS_API ms_status ms_fem_load(ms_context *ctx, const ms_fem_plugin **out);

#ifdef __cplusplus
}
#endif
#endif
