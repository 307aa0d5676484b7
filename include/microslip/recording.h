/* [experiment] A run in time as in an experiment: applied loads, channels that are recorded
   at some rate, and the energy balance.

   Channels have names:
     u2, u2.velocity, u2.acceleration   a degree of freedom (relative to a moving base)
     u2.absolute                        its acceleration plus that of the base
     lap.z, lap.f                       a joint's displacement and force; lap.z2 on its second axis
     lap.N                              the normal load of a joint that has a normal spring
     q1, q1.velocity, q1.acceleration   modal
     hit                                a load's value */
#ifndef MICROSLIP_RECORDING_H
#define MICROSLIP_RECORDING_H

#include <microslip/experiment.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- loads ----------------------------------------------------------------------------------- */

/* The force shape times load(t) on the degrees of freedom. What it points to is the caller's. */
typedef struct ms_acting_load {
  const char *name;
  ms_load *load;       /* that is set up */
  const double *shape; /* of a base -M base */
  const double *base;  /* how degrees of freedom follow the ground; NULL: it does not move */
  int modal;           /* 1: it acts on a mode */
  int moment;          /* 1: its value is a moment */
} ms_acting_load;

/* ---- channels -------------------------------------------------------------------------------- */

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
MS_API const char *ms_quantity_unit(ms_quantity quantity, int turns);
MS_API const char *ms_quantity_meaning(ms_quantity quantity);
MS_API const char *ms_quantity_label(ms_quantity quantity);
/* How large n samples are; peak: the largest in magnitude. */
typedef struct ms_channel_extent {
  double lowest, highest, rms, peak;
} ms_channel_extent;
MS_API ms_channel_extent ms_channel_measure(ptrdiff_t n, const double *x);

typedef struct ms_channel {
  char *name;
  ms_quantity quantity;
  int turns;       /* 1: of a rotation, or a moment */
  ptrdiff_t index; /* degree of freedom, joint axis, mode or load */
  double offset;   /* of a normal load: the preload, which its axis does not feel */
} ms_channel;
/* Characters of a channel's name that say where it is: of "tip.acceleration" 3. */
MS_API int ms_channel_place_length(const ms_channel *channel);

/* All zero at first. */
typedef struct ms_channels {
  ms_channel *channel;
  int n;
} ms_channels;

/* One more by its name. MS_ERR_NAME where there is none such, or it is there already. */
MS_API ms_status ms_channels_add(ms_context *ctx, const ms_structure *structure, int n_load,
                                 const ms_acting_load *load, const char *name,
                                 ms_channels *channels);
/* Every degree of freedom and every axis of every joint. */
MS_API ms_status ms_channels_add_all(ms_context *ctx, const ms_structure *structure,
                                     ms_channels *channels);
MS_API void ms_channels_free(ms_context *ctx, ms_channels *channels);
/* The index of a channel by its name, -1 for none. */
MS_API int ms_channels_find(const ms_channels *channels, const char *name);

/* ---- a run ----------------------------------------------------------------------------------- */

typedef struct ms_recorder ms_recorder;

typedef struct ms_recording {
  /* the request; what it points to is the caller's */
  ms_time_setting time;
  const ms_acting_load *load;
  int n_load;
  const ms_channels *channels;
  ptrdiff_t every;       /* steps between rows, behind an anti-alias filter */
  const double *u, *v;   /* at the start; NULL: zero */
  const double *preload; /* N; NULL: none. It starts in its static equilibrium, */
  int release;           /* and 1: the preload is let go */
  /* Given each row: time, then the channels; and every `every` steps the energies, which are not
     filtered. A status other than MS_SUCCESS ends the run. */
  ms_status (*row)(void *user, const double *row);
  ms_status (*energy)(void *user, double time, const ms_transient_energy *energy);
  /* The same of contacts between solids: time, then MS_N_CONTACT_QUANTITY numbers for each
     (microslip/contact_dynamics.h). NULL: nobody wants them. */
  ms_status (*contacts)(void *user, const double *row);
  /* Called every 64 steps, at the end with `over` set, and after a resume; NULL: nobody looks. */
  ms_status (*look)(void *user, const ms_recorder *recorder, int over);
  void *user;
  const double *resume; /* of ms_recorder_save: go on from there; NULL: begin */
  ptrdiff_t n_resume;
  /* the answer, also after a failure */
  int started;              /* 0: it could not start */
  int has_energy;           /* 0: a law keeps none */
  ms_transient_energy last; /* last given to `energy` */
  ms_transient_count count;
  ms_transient_quality quality;
} ms_recording;

/* Such a `row` for a caller who wants the rows in memory: user is an ms_rows, and one more than its
   capacity is MS_ERR_OVERFLOW. */
typedef struct ms_rows {
  double *value; /* value[row + capacity*column] */
  ptrdiff_t n_column, capacity, n;
} ms_rows;
MS_API ms_status ms_rows_add(void *user, const double *row);

/* ms_time_default, a row for every step. */
MS_API ms_recording ms_recording_default(void);
/* The joints move. MS_ERR_FORMAT before any row: what it was to resume is of another run. */
MS_API ms_status ms_recording_run(ms_context *ctx, ms_structure *structure,
                                  ms_recording *recording);
/* From within look: the step that was taken, and the whole state as numbers. */
MS_API ptrdiff_t ms_recorder_get_step(const ms_recorder *recorder);
MS_API ptrdiff_t ms_recorder_save_size(const ms_recorder *recorder);
MS_API ms_status ms_recorder_save(const ms_recorder *recorder, double *values);

#ifdef __cplusplus
}
#endif
#endif
