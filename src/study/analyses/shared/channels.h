/* What a run in time records: channels by name.

     u2, u2.velocity, u2.acceleration   a coordinate (relative to a moving base)
     u2.absolute                        its acceleration and the base's together
     lap.z, lap.f                       a joint's displacement and force; lap.z2 on its second axis
     lap.N                              the normal load of a joint that has a normal spring
     q1, q1.velocity, q1.acceleration   modal
     hit                                a load's value */
#ifndef MS_STUDY_ANALYSES_SHARED_CHANNELS_H
#define MS_STUDY_ANALYSES_SHARED_CHANNELS_H

#include "study/model/loads.h"

typedef enum ms_quantity {
  MS_DISPLACEMENT,
  MS_VELOCITY,
  MS_ACCELERATION,
  MS_ABSOLUTE,
  MS_JOINT_Z,
  MS_JOINT_F,
  MS_JOINT_N,
  MS_MODAL,
  MS_MODAL_VELOCITY,
  MS_MODAL_ACCELERATION,
  MS_LOAD_FORCE,
  MS_LOAD_MODAL,
  MS_LOAD_BASE,
  MS_N_QUANTITY
} ms_quantity;

/* A quantity's unit, its meaning in a table, and its name for an axis. turns: of a rotation, whose
   load is a moment. */
const char *ms_quantity_unit(ms_quantity quantity, int turns);
const char *ms_quantity_meaning(ms_quantity quantity);
const char *ms_quantity_label(ms_quantity quantity);

typedef struct ms_channel {
  char *name;
  ms_quantity quantity;
  int turns;       /* 1: of a rotation, or a moment */
  ptrdiff_t index; /* coordinate, joint axis, mode or load */
  double offset;   /* of a normal load: the preload, which its axis does not feel */
} ms_channel;

typedef struct ms_channels {
  ms_channel *channel;
  int n;
} ms_channels;

/* A list of names, or NULL for every coordinate and every axis of every joint. `out` is to be freed
   after a failure too. */
ms_status ms_read_channels(const ms_study *study, struct fy_node *node, const ms_study_load *load,
                           int n_load, ms_channels *out);
void ms_free_channels(ms_context *ctx, ms_channels *channels);

/* The channels' values now; work has 3 n_coordinate values. */
void ms_sample_channels(const ms_transient *run, const ms_study_load *load, int n_load,
                        const ms_channel *channel, int n, ptrdiff_t n_coordinate, double *work,
                        double *out);

#endif
