/* What a run in time records: channels by name.

     u2, u2.velocity, u2.acceleration   a coordinate (relative to a moving base)
     u2.absolute                        its acceleration and the base's together
     lap.z, lap.f                       a joint's displacement and force; lap.z2 on its second axis
     lap.N                              the normal load of a joint that has a normal spring
     q1, q1.velocity, q1.acceleration   modal
     hit                                a load's value */
#ifndef MS_STUDY_CHANNELS_H
#define MS_STUDY_CHANNELS_H

#include "study/loads.h"

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

/* A quantity's unit, and its name for an axis. */
const char *ms_quantity_unit(ms_quantity quantity);
const char *ms_quantity_label(ms_quantity quantity);

typedef struct ms_channel {
  char name[32];
  ms_quantity quantity;
  ptrdiff_t index; /* coordinate, joint axis, mode or load */
  double offset;   /* of a normal load: the preload, which its axis does not feel */
} ms_channel;

/* A list of names, or NULL for every coordinate and joint (as far as a table goes). */
enum { MS_MAX_CHANNEL = 48 };
ms_status ms_read_channels(const ms_study *study, struct fy_node *node, const ms_study_load *load,
                           int n_load, ms_channel *out, int *n);

/* The channels' values now; work has 3 n_coordinate values. */
void ms_sample_channels(const ms_transient *run, const ms_study_load *load, int n_load,
                        const ms_channel *channel, int n, ptrdiff_t n_coordinate, double *work,
                        double *out);

#endif
