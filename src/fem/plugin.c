/* The one name that the plugin shows: a table. */
#include <microslip/fem_plugin.h>
#include <microslip/fem_table.h>

#include "fem/solve/petsc.h"

#define ENTRY(function) .function = ms_##function,
static const ms_fem_functions functions = { MS_FEM_FUNCTIONS(ENTRY) };
#undef ENTRY

MS_API extern const ms_fem_plugin ms_fem_table;

const ms_fem_plugin ms_fem_table = {
  .layout = MS_FEM_PLUGIN_LAYOUT,
  .version = MS_VERSION,
  .start = ms_fem_start,
  .engine = ms_fem_engine,
  .functions = &functions,
};
