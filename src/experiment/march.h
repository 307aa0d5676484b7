/* The run in time that tests share. */
#ifndef MS_EXPERIMENT_MARCH_H
#define MS_EXPERIMENT_MARCH_H

#include <microslip/experiment.h>

typedef struct ms_march {
  ms_time_setting time;
  const double *shape; /* the force is shape s(t), and zero from `end` on */
  ms_time_fn s;
  double end;
  ms_observe_fn observe; /* after every step, and before the first */
  void *user;            /* of both */
} ms_march;

/* From rest. What the run is worth comes back also after a failure; has_energy is 0 where it
   failed, or a law keeps no energies. */
ms_status ms_march_run(ms_context *ctx, ms_structure *structure, const ms_march *march,
                       ms_transient_energy *energy, ms_transient_count *count,
                       ms_transient_quality *quality, int *has_energy);

#endif
