/* Parts of the library that not every installation has: shared libraries with one table in each. */
#ifndef MS_CORE_PLUGIN_H
#define MS_CORE_PLUGIN_H

#include <stddef.h>

/* Where the plugin `file` is: named by the environment variable, beside the command (where it is
   built), in the library folder of an installed command, or below the folder of the shared library.
   0: there is none. */
int ms_plugin_find(const char *file, const char *variable, char *path, size_t size);

#endif
