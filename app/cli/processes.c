/* Under mpirun: the processes find each other through the finite elements, which know MPI; the
   command does not. */
#include <microslip/fem_plugin.h>

#include "cli.h"

int cli_is_first(void) {
  return ms_process_rank(NULL) <= 0;
}

ms_status cli_join(ms_context *ctx) {
  const ms_fem_plugin *plugin;
  ms_communicator comm;
  int size;
  if (ms_process_rank(&size) < 0) return MS_SUCCESS;
  MS_TRY(ms_fem_load(ctx, &plugin));
  MS_TRY(plugin->start(ctx, &comm));
  if (comm.size > 1 || size == 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_STATE,
                 "%d processes were started, but they do not see each other: start them with the "
                 "mpirun of the MPI that PETSc was built with",
                 size);
}
