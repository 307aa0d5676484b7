/* [identify] Force-state mapping: the loop of a joint in a structure from the driving force
   and a few sensors, in steady vibration.

   The structure is known except for the joint. With its stuck modes, and d = f - K_T z the
   difference of the joint's force from that of a spring, every harmonic k of the motion has

     (omega_r^2 - w^2 + i w c_r) q_r = phi_r^T F - gamma_r^T d,   w = k Omega,

   so that sensors and joint displacements z = gamma^T q are linear in F and d, and a few sensors
   determine d. Accelerations do not show means: z and f have zero mean. SI units,
   docs/theory/force-state.md. */
#ifndef MICROSLIP_FORCE_STATE_H
#define MICROSLIP_FORCE_STATE_H

#include <microslip/signal.h>
#include <microslip/structure.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ms_force_state_method {
  /* All modes: least squares for the true force and d, each record weighted by its noise. */
  MS_FORCE_STATE_EXACT,
  /* The usual way: the lowest modes from as many sensors or more by the inverse of their shapes, d
     from the equation of the mode nearest to Omega (of as many modes as there are axes sought), z
     from these modes alone. What the other modes carry is neglected. */
  MS_FORCE_STATE_PLAIN
} ms_force_state_method;

/* "exact", "plain"; NULL outside. */
MS_API const char *ms_force_state_method_text(ms_force_state_method method);
/* From such a word; MS_ERR_NAME if it is none of them. */
MS_API ms_status ms_force_state_parse_method(ms_context *ctx, const char *word,
                                             ms_force_state_method *out);

/* One record, all channels at the same n times. Borrowed. */
typedef struct ms_force_state_record {
  ptrdiff_t n;
  double dt, time;     /* s */
  const double *force; /* N */
  const double *const *sensor;
} ms_force_state_record;

typedef struct ms_force_state_sensor {
  const double *weights; /* over the coordinates: the sensor sees weights^T u, or a derivative */
  ms_signal_kind kind;
  double noise; /* standard deviation of a sample; 0: from what the harmonics leave over */
} ms_force_state_sensor;

#define MS_FORCE_STATE_TOLERANCES(X)                                                      \
  X(floor, 1e-12, "of the rms of a record: no record is better, and weights stay finite") \
  X(near, 1e-13, "change of s and e, of their size, at which the curvature is found")
typedef struct ms_force_state_tolerances {
  MS_FORCE_STATE_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_force_state_tolerances;
#define MS_FORCE_STATE_TOLERANCES_DEFAULT \
  { MS_FORCE_STATE_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_force_state_setting {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ms_force_state_method method;
  double omega;      /* of the vibration, rad/s; 0: found in the record of the force */
  ptrdiff_t periods; /* at the end of the record */
  int harmonics;     /* H */
  int axes;          /* of the joint that are sought, the first ones; the others are held stuck (d =
                        0). 0: all, or as many as there are sensors */
  ptrdiff_t modes;   /* plain only: 0: as many as sensors */
  double worst;      /* a harmonic above the first is left out where the standard deviation of f's
                        coefficients (first axis) exceeds so much of the first harmonic's size */
  double force_noise; /* N, standard deviation of a sample; 0: as for sensors */
  double force_mean;  /* N: of f on the first axis, which matters where there is curvature only */
  ms_force_state_tolerances tol;
} ms_force_state_setting;

#define MS_FORCE_STATE_DEFAULT                                                             \
  {                                                                                        \
    sizeof(ms_force_state_setting), MS_FORCE_STATE_EXACT, 0.0, 4, 9, 0, 0, 0.05, 0.0, 0.0, \
        MS_FORCE_STATE_TOLERANCES_DEFAULT                                                  \
  }
MS_API void ms_force_state_default(ms_force_state_setting *setting, size_t size);

/* Deviations above which a drift is not put down to noise; and the part of loss and stiffness that
   it may make where the vibration still counts as steady. */
#define MS_FORCE_STATE_SURE   3.0
#define MS_FORCE_STATE_STEADY 0.05

/* A harmonic is also left out where the weighted equations, columns of length 1, have a larger
   condition number. */
#define MS_FORCE_STATE_CONDITION 1e9

typedef struct ms_force_state_request {
  int joint;           /* of the structure */
  const double *force; /* its place: weights over the coordinates */
  int n_sensor;
  const ms_force_state_sensor *sensor;
} ms_force_state_request;

/* A number and its standard deviation by the noise of the records, to first order. Errors of the
   structure's model are not in it, but for stiffness and loss a drift (stored) is. */
typedef struct ms_measured {
  double value, deviation;
} ms_measured;

typedef struct ms_force_state {
  int n_axis, axes; /* of the joint, and sought of them */
  int harmonics;
  double omega;
  /* a_1, b_1, a_2, ... for every axis: z[c + 2H*axis]. Zero where a harmonic is left out. */
  double *z, *f;             /* z owns the memory of all but `used` */
  double *z_noise, *f_noise; /* standard deviation of a coefficient: H for every axis */
  double *condition;         /* H */
  int *used;                 /* H: 1, or 0 where it is left out */
  int n_used;
  double z_deviation, f_deviation; /* of z(t), f(t) of the first axis at any time */
  ms_measured amplitude;           /* half of max - min of z, first axis */
  ms_measured stiffness;           /* secant: of f between these extremes over z */
  ms_measured loss;                /* J per cycle, by all axes but a normal spring's */
  double K_T;                      /* of the stuck joint, first axis */
  int has_normal; /* the joint has a normal spring: then N, its mean taken as preload */
  ms_measured N_min, N_max;
  double force;      /* N: amplitude of the first harmonic that drives */
  double start, end; /* s: of the samples used */
  double residual;   /* rms of what the harmonics leave of a record, over its own; of the worst */
  /* What the sensors say against the model, first harmonic, over what they say; and over all
     harmonics in standard deviations: about 1 where noise explains it. Both 0 where there are no
     more sensors than unknowns. */
  double mismatch, misfit;
  /* How steady the vibration is, second half of the periods against the first; 0 where there is
     but one period. stored: J per cycle, by which kinetic and elastic energy of the stuck structure
     grow, and which is in the loss. stiffened: N/m, what the drift adds to the secant stiffness.
     Loss and stiffness have them in their deviations where they exceed MS_FORCE_STATE_SURE of
     their own. drift: change of z's first harmonic (first axis) per period, of itself. */
  ms_measured stored, stiffened;
  double drift;
  double curvature_residual; /* of a joint with curvature: last change on the way, relative */
} ms_force_state;

/* What map refuses before it looks at the samples of a record of n, dt seconds apart. Where
   setting->omega is 0, the number of periods is not known. */
MS_API ms_status ms_force_state_check(const ms_structure *structure,
                                      const ms_force_state_request *request, ptrdiff_t n, double dt,
                                      const ms_force_state_setting *setting);

/* The structure must be set up. Curvature is for the joint itself, on axes that are sought by the
   exact method; f has the mean that is given, and deviations are those without curvature.
   MS_NOT_CONVERGED where it is too strong to be found by fixed-point iteration. *out is
   overwritten, and to be freed. */
MS_API ms_status ms_force_state_map(const ms_structure *structure,
                                    const ms_force_state_request *request,
                                    const ms_force_state_record *record,
                                    const ms_force_state_setting *setting, ms_force_state *out);
/* 0 where stored or stiffened is beyond noise and above MS_FORCE_STATE_STEADY of loss or stiffness:
   then these are not the joint's. */
MS_API int ms_force_state_is_steady(const ms_force_state *state);
/* The i-th thing that is doubtful about a record called `name`, as a sentence, into text; 0 if
   there are not that many: it is not steady, or noise hides whether it is; the joint adds energy.
 */
MS_API int ms_force_state_warning(const ms_force_state *state, const char *name, int i, char *text,
                                  size_t size);
/* The i-th thing worth knowing of records together, n of them; has_normal: of a joint with a normal
   load. Where the load varies by more than a tenth, a law at constant load is not what was
   measured. */
MS_API int ms_force_state_note(ptrdiff_t n, const ms_force_state *const *state, int has_normal,
                               int i, char *text, size_t size);
MS_API void ms_force_state_free(ms_context *ctx, ms_force_state *state);
/* The loop of an axis (from 0) at time t. */
MS_API void ms_force_state_eval(const ms_force_state *state, int axis, double t, double *z,
                                double *f);

/* The loop that the joint has itself, where its displacement and force (first axis) were recorded,
   over the last `periods` as the mapping took them; and how far the mapped one is from it: the size
   of the difference of harmonics over that of their own. */
typedef struct ms_force_state_own {
  ms_hysteresis loop;
  double amplitude, stiffness; /* as those of the mapped one */
  double z_error, f_error;
} ms_force_state_own;
/* *out is overwritten, and its loop to be freed. */
MS_API ms_status ms_force_state_compare(ms_context *ctx, const ms_force_state *state,
                                        ptrdiff_t periods, const ms_signal *displacement,
                                        const ms_signal *force, ms_force_state_own *out);

#ifdef __cplusplus
}
#endif
#endif
