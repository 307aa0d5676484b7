/* [response] Response of a structure with joints in time, and the loads that cause it.

   The structure is carried in its stuck modes, u = Phi q; joints enter through the difference d of
   their force from that of their stuck springs. Each step solves for d alone, as many unknowns as
   there are joint axes (and modes that a joint's curvature acts on), whatever the number of modes.
   See docs/theory/transient.md. */
#ifndef MICROSLIP_RESPONSE_H
#define MICROSLIP_RESPONSE_H

#include <microslip/structure.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- loads: functions of time, by name ------------------------------------------------------- */

typedef struct ms_load ms_load;

/* A parameter in the unit "load" is in that of the load itself: N, or m/s^2 for a base. */
typedef struct ms_load_info {
  const char *name, *title;
  const ms_param *param;
  int n_param;
  const ms_param_table *table; /* NULL: takes none */
  int table_optional;
} ms_load_info;

/* The keys of a load in a study file: its parameters; of a table each column as a list of numbers,
   or `file`; and, of one with an omega, `pulse_mode`. How many there are. */
enum { MS_LOAD_MAX_KEYS = 18 };
MS_API int ms_load_list_keys(const ms_load_info *info, ms_param row[MS_LOAD_MAX_KEYS]);

/* A load of your own: a function of time from its start on, from several threads at a time. It has
   the parameter "start" besides its own. */
enum { MS_CUSTOM_MAX_LOAD = 64 };
typedef struct ms_custom_load {
  const char *name, *title; /* title may be NULL */
  const ms_param *param;
  int n_param;
  double (*eval)(const double *value, double t, void *user); /* values in the parameters' order */
  void *user;
} ms_custom_load;
/* From then on ms_load_create, studies and whatever lists loads know it; it stays until the program
   ends. The struct and its parameters are copied, the texts are not. A name that another load has
   is MS_ERR_NAME. */
MS_API ms_status ms_load_add_kind(ms_context *ctx, const ms_custom_load *load);

MS_API int ms_load_count_kinds(void);
MS_API const ms_load_info *ms_load_get_kind(int index); /* NULL outside [0, count) */

/* Sequence: create, set (any number), setup, then eval. The context must outlive the load. Every
   kind has the parameter "start": the function is shifted by it, and zero before. */
MS_API ms_status ms_load_create(ms_context *ctx, const char *kind, ms_load **out);
MS_API void ms_load_destroy(ms_load **load);
MS_API const ms_load_info *ms_load_get_info(const ms_load *load);
MS_API ms_status ms_load_set(ms_load *load, const char *param, double value);
/* The value as text: a number, or the word of a choice. */
MS_API ms_status ms_load_set_text(ms_load *load, const char *param, const char *text);
/* column[c][row] in the order of the kind's ms_param_table; copied. */
MS_API ms_status ms_load_set_table(ms_load *load, ptrdiff_t rows, int columns,
                                   const double *const *column);
MS_API ms_status ms_load_setup(ms_load *load);
/* The value at time t, zero before its beginning and from its end on. Changes nothing: one load may
   serve many runs at a time. */
MS_API double ms_load_eval(const ms_load *load, double t);
/* When it begins, and when it is over; HUGE_VAL if never. */
MS_API double ms_load_begin(const ms_load *load);
MS_API double ms_load_end(const ms_load *load);
/* What time steps have to resolve, s: how long a load that ends lasts, the shortest period of what
   oscillates; HUGE_VAL for none. A table lasts as long as a rectangle of its area and as high as
   its largest value, and its period is twice the mean time between changes of sign, values below
   MS_LOAD_QUIET of the largest left out: these are noise. */
#define MS_LOAD_QUIET 0.05
typedef struct ms_load_scale {
  double pulse, period;
} ms_load_scale;
MS_API ms_load_scale ms_load_get_scale(const ms_load *load);
/* ms_load_eval as ms_transient_add_load wants it; user is the load. */
MS_API double ms_load_time_fn(void *load, double t);
/* Of noise that is set up: the distance of its lines, Hz; 0 for other kinds. */
MS_API double ms_load_get_spacing(const ms_load *load);
/* Noise of lines cannot stand for a continuous spectrum where they are farther apart than
   MS_LOAD_RESOLVED of the half-power width 2 zeta f of a mode (stuck joints, no joint damping) that
   the load excites: the mode, the one that takes the most lines, and how many it takes; HUGE_VAL if
   it has no damping. -1 if there is none such. shape: over the coordinates, where the load acts.
   Half the width gets the mean square right to 0.4 %. */
#define MS_LOAD_RESOLVED 0.5
MS_API int ms_load_find_unresolved(const ms_load *load, const ms_structure *structure,
                                   const double *shape, double *lines);
/* The i-th thing to know about noise in a run that ends at `until` (s), as a sentence, into text; 0
   if there are not that many: it repeats itself, or its lines resolve a mode too coarsely, which
   makes results doubtful (*doubtful is 1). */
MS_API int ms_load_warning(const ms_load *load, const ms_structure *structure, const double *shape,
                           double until, int i, int *doubtful, char *text, size_t size);

/* ---- runs in time ---------------------------------------------------------------------------- */

typedef struct ms_transient ms_transient;

/* Tolerances of the algorithms: see microslip/tolerance.h. */
#define MS_TRANSIENT_TOLERANCES(X)                                                                \
  X(grow, 0.0625, "of `tolerance`: an error below it allows twice the step, with a half in hand") \
  X(forget, 0.01,                                                                                 \
    "in a step: part of the largest rate and acceleration of late that is forgotten")             \
  X(resolved, 2.0, "omega dt up to which a mode follows the force: three steps in its period")    \
  X(seen, 0.5, "omega dt up to which the ends of a part show how far a mode rings, to 3 %")       \
  X(loud, 1e-3, "of a joint's force: a swing that matters")                                       \
  X(held, 1e-6, "of a preload: force that equilibrium may leave over")                            \
  X(rounding, 3.552713678800501e-15,                                                              \
    "16 times rounding: in a joint's force, of the largest that it remembers")
typedef struct ms_transient_tolerances {
  MS_TRANSIENT_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_transient_tolerances;
#define MS_TRANSIENT_TOLERANCES_DEFAULT \
  { MS_TRANSIENT_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_transient_setting {
  size_t size;        /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  const char *method; /* "newmark" or "exponential" */
  double step;        /* s */
  double beta, gamma; /* of newmark; 1/4, 1/2: average acceleration */
  double newton_tolerance; /* residual over joint force at which a step is accepted, or where it is
                              no more than rounding of the largest force so far */
  int newton_max;          /* iterations before a step fails */
  /* 0: every step is one of length `step`. Above: it is taken in parts, step/2^k, each with a local
     error below this times the size of the motion (sqrt(v^2 + omega^2 q^2) over the modes). */
  double tolerance;
  /* rad/s, of exponential: modes above it follow the force without inertia, q = p/omega^2. What a
     step cannot resolve then cannot make it unstable either. 0: all modes ring. */
  double static_above;
  /* Of exponential with steps of one length: the error in the inertia of a mode, relative, above
     which a step is taken in parts of step/2^k, k up to divide_max, because joints that slip have
     lost their stuck stiffness. 0: never. */
  double divide;
  int divide_max;
  ms_transient_tolerances tol;
} ms_transient_setting;

#define MS_TRANSIENT_DEFAULT                                                                 \
  {                                                                                          \
    sizeof(ms_transient_setting), "newmark", 0.0, 0.25, 0.5, 1e-12, 50, 0.0, 0.0, 2.5e-4, 8, \
        MS_TRANSIENT_TOLERANCES_DEFAULT                                                      \
  }
MS_API void ms_transient_default(ms_transient_setting *setting, size_t size);

/* The structure must be set up and outlive the run; the run moves its joints. Two runs of one
   structure at a time would share joints: clone the structure instead. */
MS_API ms_status ms_transient_create(ms_structure *structure, const ms_transient_setting *setting,
                                     ms_transient **out);
MS_API void ms_transient_destroy(ms_transient **run);

/* A force shape * s(t), shape over the coordinates (copied), s called with the time at the end of
   each step, by the exponential method also at two times within it, and never from `end` on, where
   it is zero (HUGE_VAL: for ever). */
typedef double (*ms_time_fn)(void *user, double t);
MS_API ms_status ms_transient_add_load(ms_transient *run, const double *shape, ms_time_fn s,
                                       void *user, double end);
/* The ground accelerates by a(t), and coordinates are relative to it: the load -M iota a(t), where
   iota (NULL: 1 everywhere) is what the coordinates are while everything follows the ground. */
MS_API ms_status ms_transient_add_base(ms_transient *run, const double *iota, ms_time_fn a,
                                       void *user, double end);
/* State at time t0, joints virgin at zero and moved there; u, v may be NULL for zero. Called by
   create for rest at 0. */
MS_API ms_status ms_transient_start(ms_transient *run, double t0, const double *u, const double *v);
/* Velocity v (NULL for zero) in the static equilibrium under `force`, over the coordinates, that
   the joints reach from the virgin state as it grows slowly. The force itself is no load of the
   run: add it as one, unless it is let go at t0. MS_NOT_CONVERGED where the joints cannot hold it,
   MS_ERR_ARGUMENT where it pushes a rigid-body mode. */
MS_API ms_status ms_transient_start_static(ms_transient *run, double t0, const double *force,
                                           const double *v);

/* One step. MS_NOT_CONVERGED leaves everything as it was; with parts, where the last accepted
   one ended. */
MS_API ms_status ms_transient_step(ms_transient *run);

/* Called after every `stride` steps, and before the first. Non-zero stops the run (MS_CANCELLED).
 */
typedef int (*ms_observe_fn)(void *user, const ms_transient *run);
MS_API ms_status ms_transient_run(ms_transient *run, ptrdiff_t steps, ptrdiff_t stride,
                                  ms_observe_fn observe, void *user);

/* ---- the state now ---- */
MS_API double ms_transient_get_time(const ms_transient *run);
MS_API ptrdiff_t ms_transient_get_step(const ms_transient *run);
/* Modal displacement, velocity, acceleration; owned by the run. Any of them may be NULL. */
MS_API void ms_transient_get_modal(const ms_transient *run, const double **q, const double **v,
                                   const double **a);
/* Coordinates, n values each; any of them may be NULL. */
MS_API void ms_transient_get_coordinates(const ms_transient *run, double *u, double *v, double *a);
/* Displacement and force of all joint axes, with curvature where there is one; owned by the run. */
MS_API void ms_transient_get_joints(const ms_transient *run, const double **z, const double **f);

/* Contacts between solids (`rest` of the structure's ms_contact_family), as they are now; NULL
   where there are none. They take Newmark's method by average acceleration, in steps of one length.
 */
struct ms_contact_run;
MS_API const struct ms_contact_run *ms_transient_get_contact(const ms_transient *run);

/* Where the energy is. In an exact solution input + start = kinetic + elastic + viscous + stored +
   dissipated; `balance` is the difference. Joint energies are the laws' own. With contacts
   `elastic` has the layers and the potential of the preload, `dissipated` is friction, and
   `balance` has the terms opening and corner of microslip/contact_dynamics.h. */
typedef struct ms_transient_energy {
  double start, input, kinetic, elastic, viscous, stored, dissipated, balance;
} ms_transient_energy;
/* Its i-th member; 0: there are not that many. */
MS_API int ms_transient_energy_part(const ms_transient_energy *energy, int i, const char **name,
                                    double *value);
/* Fails if a joint's law keeps no energies. */
MS_API ms_status ms_transient_get_energy(const ms_transient *run, ms_transient_energy *out);

typedef struct ms_transient_count {
  ptrdiff_t steps, evaluations; /* parts of steps, if taken so; of the joints, about two each */
  ptrdiff_t rejected;           /* parts whose error was too large */
  ptrdiff_t divided;            /* steps taken in parts for joints that slip */
  ptrdiff_t coarse;             /* of these parts, those at the finest and still too long */
  ptrdiff_t damped;             /* Newton corrections that were halved */
  double residual;              /* largest accepted, relative */
} ms_transient_count;
MS_API ms_transient_count ms_transient_get_count(const ms_transient *run);

/* How far the run up to now can be trusted. A mode takes part with MS_TRANSIENT_SHARE of the
   kinetic energy, over all modes and the run; how fast it moves is its rms acceleration over its
   rms velocity, from some of the steps. */
#define MS_TRANSIENT_SHARE   0.01
#define MS_TRANSIENT_BALANCE 0.01 /* largest energy that may be missing, of what was put in */
typedef struct ms_transient_quality {
  double balance; /* |energy missing| over the largest of input and start; -1: a law keeps none */
  ptrdiff_t mode; /* the fastest that takes part, 0-based; -1: nothing moved */
  double omega, share; /* rad/s, and its part of the kinetic energy */
  double steps;        /* in a period of it; HUGE_VAL: nothing moved */
  double steps_least;  /* what the method wants; 0 where steps are chosen by their error */
  ptrdiff_t coarse;    /* as in ms_transient_count */
} ms_transient_quality;
MS_API ms_transient_quality ms_transient_get_quality(const ms_transient *run);
/* Whether there is that reason to doubt a run; then as a sentence in text, size bytes. */
typedef enum ms_transient_doubt {
  MS_DOUBT_STEP,    /* too few steps in a period of a mode that takes part */
  MS_DOUBT_BALANCE, /* of energy */
  MS_DOUBT_SLIP,    /* parts too long for a joint that slips */
  MS_N_DOUBT
} ms_transient_doubt;
MS_API int ms_transient_quality_doubt(const ms_transient_quality *quality, ms_transient_doubt kind,
                                      char *text, size_t size);
/* Of several runs, the worst of each reason; *worst is zero at first. */
MS_API void ms_transient_quality_merge(const ms_transient_quality *run,
                                       ms_transient_quality *worst);
/* The i-th thing to say of n runs, as a sentence: runs in which nothing moved, which are worth a
   note, then (*doubtful) each reason to doubt, of the run that has it worst, with how many have it.
   0 if there are not that many. `get` is given `user`, and says where run i comes from unless it
   leaves *source. */
typedef const ms_transient_quality *ms_transient_quality_fn(const void *user, ptrdiff_t i,
                                                            const char **source);
MS_API int ms_transient_quality_warning(ptrdiff_t n, ms_transient_quality_fn *get, const void *user,
                                        int i, int *doubtful, char *text, size_t size);

/* The whole state as numbers, joints included, for checkpoints. */
MS_API ptrdiff_t ms_transient_save_size(const ms_transient *run);
MS_API ms_status ms_transient_save(const ms_transient *run, double *buffer);
MS_API ms_status ms_transient_load(ms_transient *run, const double *buffer, ptrdiff_t n);

/* ---- linear frequency response from the modes -------------------------------------------------
 */

typedef enum ms_response_kind {
  MS_RECEPTANCE,      /* displacement over load */
  MS_MOBILITY,        /* velocity over load */
  MS_ACCELERANCE,     /* acceleration over load; of a base: relative acceleration over its own */
  MS_TRANSMISSIBILITY /* absolute acceleration over the base's */
} ms_response_kind;

/* "receptance", ...; NULL outside. */
MS_API const char *ms_response_kind_text(ms_response_kind kind);
/* The largest of n complex numbers (pairs). */
MS_API ptrdiff_t ms_response_find_peak(ptrdiff_t n, const double *H);
/* Its unit, of a sensor that is a displacement or a rotation (turns) over what acts; NULL for
   none. */
typedef enum ms_drive { MS_DRIVE_FORCE, MS_DRIVE_MOMENT, MS_DRIVE_BASE } ms_drive;
MS_API const char *ms_response_unit(ms_response_kind kind, int turns, ms_drive drive);
/* From such a word; MS_ERR_NAME if it is none of them. */
MS_API ms_status ms_response_parse_kind(ms_context *ctx, const char *word, ms_response_kind *out);

/* A joint as a spring with a loss, along its first axis: force over displacement is
   stiffness + i loss, N/m, or stiffness + i loss omega/viscous_at. */
typedef struct ms_joint_linear {
  double stiffness, loss;
} ms_joint_linear;

typedef enum ms_joint_state {
  MS_JOINTS_STUCK,   /* tangents of the virgin joints, dF/du and their dashpots dF/dv */
  MS_JOINTS_SLIPPED, /* what slip leaves of dF/du; dashpots of joints that never slip */
  MS_JOINTS_GIVEN    /* `linear` along the first axis, stuck along others */
} ms_joint_state;

typedef struct ms_response_request {
  ms_response_kind kind;
  const double *force;  /* over the coordinates, for a load of 1 */
  const double *base;   /* how coordinates follow the ground; the force is -M base if it is NULL */
  const double *sensor; /* weights of the coordinates */
  ms_joint_state joints;
  const ms_joint_linear *linear; /* one for each joint, where given */
  double viscous_at;             /* rad/s: losses grow with frequency and are right there; 0: they
                                    do not, as friction's */
} ms_response_request;

/* H[2k], H[2k+1]: real and imaginary part at omega[k] of sensor over load. Costs the number of
   modes for each frequency, and a small system in the joints' axes. Damping is that of the stuck
   modes, and the joints' as above. MS_ERR_NUMERIC at the resonance of a structure without damping.
 */
MS_API ms_status ms_response_synthesise(const ms_structure *structure,
                                        const ms_response_request *request, ptrdiff_t n,
                                        const double *omega, double *H);

/* What each joint is worth in a steady cycle of amplitude[joint], m, along its first axis at omega:
   stiffness F0/u0 from the loop's tip, loss D/(pi u0^2) from its area. Dashpots are in D, at that
   omega. Amplitude 0: stuck, with the loss of its dashpot, omega dF/dv. Starts the joints anew. */
MS_API ms_status ms_response_linearise(ms_structure *structure, const double *amplitude,
                                       double omega, ms_joint_linear *out);
/* The same where stuck mode `mode` (from 0) moves them with the amplitude q, m sqrt(kg), at its
   frequency. */
MS_API ms_status ms_response_linearise_mode(ms_structure *structure, ptrdiff_t mode, double q,
                                            ms_joint_linear *out);

#ifdef __cplusplus
}
#endif
#endif
