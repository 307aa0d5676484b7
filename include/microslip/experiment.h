/* [experiment] Simulated tests: a structure is excited in time, and the quantities
   that an experimenter reads from the response are returned. See docs/theory/ringdown.md and
   docs/theory/sweep-and-frf.md. */
#ifndef MICROSLIP_EXPERIMENT_H
#define MICROSLIP_EXPERIMENT_H

#include <microslip/harmonic.h>
#include <microslip/response.h>
#include <microslip/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How much a sentence about a result matters. */
typedef enum ms_doubt {
  MS_DOUBT_NOTE,    /* worth knowing */
  MS_DOUBT_SUSPECT, /* numbers that should not be believed */
  MS_DOUBT_MISSING  /* points are missing */
} ms_doubt;

/* How to integrate. */
typedef struct ms_time_setting {
  double step; /* s */
  ptrdiff_t steps;
  const char *method; /* "newmark" or "exponential" */
  double beta, gamma; /* of newmark */
  double tolerance;   /* 0: steps of one length */
} ms_time_setting;

/* newmark, beta = 1/4, gamma = 1/2; step and steps are the caller's to set. */
MS_API ms_time_setting ms_time_default(void);
MS_API void ms_time_apply(const ms_time_setting *time, ms_transient_setting *out);

/* How many steps a pulse takes: the fewest, without which it falls between the steps, and those at
   which its impulse is right to 1 %. */
typedef struct ms_pulse_steps {
  double least, enough;
} ms_pulse_steps;
MS_API ms_pulse_steps ms_time_count_steps(const ms_time_setting *time);

/* Whether steps are too long for what they are to resolve; then why, into text, with times in a
   `unit` of 1 s or 1e-3 s. A mode that is read (0-based, rad/s): below four steps in a period
   Newmark lowers its frequency by more than 20 %, and signals are near their Nyquist frequency. A
   pulse of `length` s, HUGE_VAL for none. A load of that name: below two steps in a period it is
   another load. A run that ends before the load begins. A pulse whose impulse is off by 1 %. */
MS_API int ms_time_misses_mode(const ms_time_setting *time, int mode, double omega, double unit,
                               char *text, size_t size);
MS_API int ms_time_misses_pulse(const ms_time_setting *time, double length, double unit, char *text,
                                size_t size);
MS_API int ms_time_misses_load(const ms_time_setting *time, const ms_load *load, const char *name,
                               double unit, char *text, size_t size);
MS_API int ms_time_ends_before(const ms_time_setting *time, const ms_load *load, const char *name,
                               double unit, char *text, size_t size);
MS_API int ms_time_blurs_pulse(const ms_time_setting *time, double length, char *text, size_t size);

/* ---- where a mode is seen ---------------------------------------------------------------------
 */

typedef struct ms_sensor {
  const char *name;     /* the structure's */
  ptrdiff_t coordinate; /* MS_GROUND of a record from an unknown place */
  double shape;         /* |phi| of the stuck mode: amplitudes there over the modal ones */
} ms_sensor;
/* Degree of freedom `at`; MS_GROUND: the one that moves most in the mode, of equal ones the first,
   of finite elements a displacement. */
MS_API ms_sensor ms_sensor_find(const ms_structure *structure, ptrdiff_t at, int mode);
/* Amplitudes of a displacement, velocity or acceleration, measured at degree of freedom `at` while
   one mode moved with angular frequencies omega, become the modal amplitudes q =
   a/(omega^kind |phi|), phi of the stuck mode. Refused are rotations, and where the mode hardly
   moves. */
MS_API ms_status ms_sensor_use_amplitudes(ms_context *ctx, const ms_structure *structure,
                                          ptrdiff_t at, int mode, ms_signal_kind kind, ptrdiff_t n,
                                          const double *omega, double *amplitude);
/* The size of a mode's shape at a sensor that sees it; MS_ERR_ARGUMENT at a node of the shape. 1
   for MS_GROUND. */
MS_API ms_status ms_sensor_find_shape(const ms_structure *structure, ptrdiff_t at, int mode,
                                      double *out);

/* ---- pulse: a load that ends, then the free decay of each mode ---------------------------------
 */

typedef struct ms_pulse_run {
  /* the request; what it points to is the caller's */
  const double *shape; /* force on the degrees of freedom; NULL: one of the next two, */
  const ptrdiff_t *at; /* an impact: 1 N on this one; NULL: */
  const double *base;  /* a shock: the ground accelerates by 1 m/s^2, and each follows it by so
                          much; they are relative to it. NULL: M phi of mode[0], stuck */
  const ms_load *load; /* p load(t); NULL: p sin(omega t) for half a period */
  double p, omega;     /* omega, rad/s, is about that of the ringing; 0: that of mode[0], stuck */
  ms_time_setting time;
  const int *mode; /* 0-based, n_mode of them are read */
  int n_mode;
  const ptrdiff_t *segments; /* of the piecewise fit, for each of them; NULL: the default */
  int keep_traces;
  ms_ring_method method; /* that reads the decay: Hilbert or STFT */
  /* the answer */
  ms_decay *decay;     /* for each of them; empty where the record could not be read */
  char (*remark)[160]; /* why it is empty */
  ms_trace *trace;     /* velocity of each of them; empty unless they are to be kept */
  ms_transient_energy energy;
  ms_transient_count count;
  ms_transient_quality quality;
  int has_energy;
} ms_pulse_run;

/* Nothing but ms_time_default. A ring-down of mode r, read by the Hilbert transform, needs besides
   mode = &r, n_mode = 1, p, time.step and time.steps. */
MS_API ms_pulse_run ms_pulse_default(void);
/* The same request for another method, without an answer or traces. */
MS_API ms_pulse_run ms_pulse_again(const ms_pulse_run *run, ms_ring_method method);
/* p of the half sine, spread as M phi, after which a linear mode of frequency omega rings with the
   amplitude q: 2 omega^2 q/pi. Joints that slip meanwhile leave it less. */
MS_API double ms_pulse_height(double omega, double q);
/* Simulates and reads the decay of each mode. A mode that cannot be read (too little of it in the
   response, say) leaves an empty table and a remark, and is no failure. */
MS_API ms_status ms_pulse_simulate(ms_context *ctx, ms_structure *structure, ms_pulse_run *run);
/* The answer; what the request points to stays. */
MS_API void ms_pulse_free(ms_context *ctx, ms_pulse_run *run);
/* Of the pulse, s; HUGE_VAL where the load has none. */
MS_API double ms_pulse_length(const ms_pulse_run *run);

/* ---- sweep: a swept sine through a resonance, and its transfer function ------------------------
 */

/* What runs at several levels and in both directions share. */
typedef struct ms_sweep_plan {
  double *shape;      /* force on the degrees of freedom */
  double *sensor;     /* weights of the modal velocities that make the response */
  double from, to;    /* Hz, from < to */
  double duration;    /* s */
  double step;        /* s */
  ptrdiff_t steps;    /* until the ringing after the sweep is over */
  const char *law;    /* of the frequency */
  const char *method; /* of integration */
  double unit;        /* of the modal coordinate in that of the response */
  ms_sweep_settings settings;
} ms_sweep_plan;

typedef struct ms_sweep_run {
  /* the request */
  const ms_sweep_plan *plan;
  double level;
  int down;
  /* the answer */
  ms_sweep sweep;   /* without its arrays; n is 0 where there was no resonance */
  char remark[160]; /* why */
  ptrdiff_t n_line; /* the transfer function, thinned away from the resonance */
  double *line;     /* Hz, |G|, phase in degrees */
  ptrdiff_t n_row;  /* the envelope */
  double *row;      /* Hz of the sweep, displacement amplitude */
  ms_transient_energy energy;
  ms_transient_count count;
  ms_transient_quality quality;
  int has_energy;
} ms_sweep_run;

/* Sensor and unit of a plan whose sensor has a place for each mode: degree of freedom `at`, or
   MS_GROUND for the coordinate of stuck mode `mode` (from 0) itself. MS_ERR_ARGUMENT where the mode
   does not move there. */
MS_API ms_status ms_sweep_set_sensor(ms_context *ctx, const ms_structure *structure, int mode,
                                     ptrdiff_t at, ms_sweep_plan *plan);
/* Then its participation, by shape and settings.input. MS_ERR_ARGUMENT where the load does not
   excite the mode. */
MS_API ms_status ms_sweep_set_participation(ms_context *ctx, const ms_structure *structure,
                                            int mode, ms_sweep_plan *plan);
/* Until the mode has rung out after a sweep by its viscous damping, 7/(zeta omega); a tenth of the
   duration where that is longer than the sweep. s */
MS_API double ms_sweep_default_tail(const ms_structure *structure, int mode, double duration);
/* The number of steps of a plan, with this tail (s, 0: the default). Refused: to that is not above
   from, fewer than 10 steps in a period, more than 1e8. */
MS_API ms_status ms_sweep_set_steps(ms_context *ctx, const ms_structure *structure, int mode,
                                    double tail, ms_sweep_plan *plan);
/* Simulates and reads. A response that cannot be read leaves a remark, and is no failure. */
MS_API ms_status ms_sweep_simulate(ms_context *ctx, ms_structure *structure, ms_sweep_run *run);
MS_API void ms_sweep_run_free(ms_context *ctx, ms_sweep_run *run);
/* The resonance of a run that has one in the modal coordinate: frequency where the phase is 90
   degrees, total damping from the height there. */
MS_API ms_decay_point ms_sweep_get_resonance(const ms_sweep_run *run);
/* The largest severity of n runs, how many of them have a resonance, and how many of these were
   passed faster than MS_SWEEP_LIMIT. */
MS_API double ms_sweep_find_fastest(ptrdiff_t n, const ms_sweep_run *run, ptrdiff_t *resonances,
                                    ptrdiff_t *fast);
/* Where some were passed that fast: a sentence, into text; else 0. A response that cannot follow is
   smaller: joints are then read at another amplitude. */
MS_API int ms_sweep_warning(ptrdiff_t n, const ms_sweep_run *run, char *text, size_t size);

/* ---- random or impact test: frequency response and coherence at a sensor -----------------------
 */

typedef struct ms_frf_test {
  /* the request; what it points to is the caller's */
  const double *shape;   /* force on the degrees of freedom for a load of 1; NULL: -M base */
  const double *base;    /* how they follow the ground, whose acceleration the load is; else NULL */
  const ms_load *load;   /* that is set up: noise, multisine, a pulse, ... */
  ptrdiff_t sensor;      /* degree of freedom, relative to the ground but for transmissibility */
  ms_response_kind kind; /* response over load */
  ms_time_setting time;
  ms_frf_settings settings; /* of blocks; samples are time.step apart */
  /* the answer */
  ms_frf frf; /* H1, H2, coherence: to be freed by ms_frf_free */
  ms_transient_energy energy;
  ms_transient_count count;
  ms_transient_quality quality;
  int has_energy;
} ms_frf_test;

/* ms_time_default and MS_FRF_DEFAULT: receptance at the first degree of freedom. */
MS_API ms_frf_test ms_frf_test_default(void);
/* From rest; joints move as they do in time, so that the estimate depends on the load's level. */
MS_API ms_status ms_frf_test_simulate(ms_context *ctx, ms_structure *structure, ms_frf_test *test);
/* The estimate, by settings and kind, from records in place of a simulation: n samples dt apart of
   load x, which is multiplied by scale, and response y, the derivative-th of the displacement. */
MS_API ms_status ms_frf_test_measure(ms_context *ctx, double dt, ptrdiff_t n, double *x,
                                     const double *y, double scale, int derivative,
                                     ms_frf_test *test);
/* Subtracts from such records of impacts their means before the first one: `before` samples, and
   where these are none, nothing. Of other windows than that for impacts every block loses its mean.
 */
MS_API ms_status ms_frf_subtract_offsets(ms_context *ctx, ptrdiff_t n, double *x, double *y,
                                         ptrdiff_t *before, double offset[2]);
/* Lines of an estimate from..to, Hz, without that of 0 Hz: how many, from *first on. */
MS_API ptrdiff_t ms_frf_find_lines(const ms_frf *frf, double from, double to, ptrdiff_t *first);
/* Whether blocks of `length` samples fit into records of so many, dt apart, and have such a line:
   these are 1/(length dt) apart. */
MS_API ms_status ms_frf_check_blocks(ms_context *ctx, ptrdiff_t length, ptrdiff_t samples,
                                     double dt, double from, double to);

/* ---- periodic motions, as sensors and joints see them -------------------------------------------
 */

/* A degree of freedom over a period. */
typedef struct ms_periodic_motion {
  double amplitude, phase; /* m, rad: first harmonic, amplitude cos(Omega t + phase) */
  double peak[3];          /* largest displacement, velocity, acceleration */
} ms_periodic_motion;

/* Points of a curve by harmonic balance. */
typedef struct ms_periodic {
  ptrdiff_t n;
  ms_harmonic_point *point;
  ms_periodic_motion *sensor;    /* sensor[k + n_sensor*i] */
  ms_harmonic_axis_motion *axis; /* axis[a + n_axis*i]: of all joints */
  double *loss;                  /* J per cycle of each joint: loss[j + n_joint*i] */
  ptrdiff_t n_sensor;
  int n_axis, n_joint;
  int complete;     /* the curve came to its end */
  int ended;        /* it did not, but there is nothing beyond the last point */
  char remark[240]; /* why it is not complete */
  ptrdiff_t missed; /* values of the list, passed but not solved */
  ptrdiff_t evaluations, rejected;
  double worst; /* residual of a point, over the size of the motion */
} ms_periodic;

/* ---- stepped sine: the resonance of a mode, held at each of several levels ---------------------
 */

/* What the runs of several modes share. What it points to is the caller's. */
typedef struct ms_stepped_plan {
  const double *force; /* on the degrees of freedom, times level cos(Omega t) */
  const double *level; /* n_level of them, > 0, rising: N where force is 1 */
  ptrdiff_t n_level;
  const double *preload;   /* N, static, on the degrees of freedom; NULL: none */
  const ptrdiff_t *sensor; /* degrees of freedom, n_sensor of them */
  ptrdiff_t n_sensor;
  const double *track; /* weights of the displacement whose phase is held; NULL: the mode's own */
  ms_harmonic_setting harmonic;
} ms_stepped_plan;

typedef struct ms_stepped_run {
  /* the request */
  const ms_stepped_plan *plan;
  int mode;                  /* 0-based, elastic */
  ms_harmonic_keep_fn *keep; /* NULL: nobody does */
  void *user;
  /* the answer: points where the response is a quarter period behind the force; each is of a level
     of the plan, and where the curve folds a level has several. The response of a point is the
     amplitude of what is tracked. It is complete where no level is missing. */
  ms_periodic curve;
  ptrdiff_t missing; /* levels without a point */
} ms_stepped_run;

/* The defaults of harmonic.h. */
MS_API ms_stepped_plan ms_stepped_default(void);
/* MS_ERR_BOUNDS where the mode does not exist or is rigid, or the force does no work on it. */
MS_API ms_status ms_stepped_check(ms_context *ctx, const ms_structure *structure,
                                  const ms_stepped_plan *plan, int mode);
/* By harmonic balance; the joints move. Levels that cannot be reached leave a remark, and are no
   failure. zeta of a point is F/(2 omega^2 q) of the modal force F. */
MS_API ms_status ms_stepped_simulate(ms_context *ctx, ms_structure *structure, ms_stepped_run *run);
/* Whether there is a point of level i. */
MS_API int ms_stepped_has_level(const ms_stepped_run *run, ptrdiff_t i);
/* The i-th thing to say about a run, as a sentence, into text; 0 if there are not that many. `unit`
   is that of levels; sentences count modes from 1, as study files do. */
MS_API int ms_stepped_warning(const ms_stepped_run *run, const char *unit, int i, ms_doubt *doubt,
                              char *text, size_t size);
/* The answer; the request stays. */
MS_API void ms_stepped_free(ms_context *ctx, ms_stepped_run *run);

/* ---- frequency response: the periodic motion along frequency, through folds ---------------------
 */

enum {
  MS_FREQUENCY_LOOP = 257,   /* points of a closed loop */
  MS_FREQUENCY_REFINED = 40, /* rows of a refinement at most */
  MS_FREQUENCY_TRIES = 4     /* points at which one is tried */
};

/* What the curves of several levels share. What it points to is the caller's. */
typedef struct ms_frequency_plan {
  const double *force;     /* on the degrees of freedom, times level cos(omega t) */
  const double *preload;   /* N, static, on the degrees of freedom; NULL: none */
  const ptrdiff_t *sensor; /* degrees of freedom, n_sensor >= 1 of them; peaks are the first's */
  ptrdiff_t n_sensor;
  double from, to;    /* rad/s, either way */
  const double *list; /* frequencies in between that are solved for exactly, n_list of them */
  ptrdiff_t n_list;
  ms_harmonic_setting harmonic;
  /* Folds less deep than this are counted: where a law has corners, time points make ripples along
     the curve that turn back as folds do. In the examples they are up to 5e-4 deep. */
  double shallow;
  /* The peak again with more harmonics, two in each of refine_rows rows, until it moves by less
     than refine; 0: not asked for. */
  double refine;
  ptrdiff_t refine_rows; /* 2 to MS_FREQUENCY_REFINED */
  /* How far from the peak, over its omega, the point that is refined is taken, one after the other
     until one can be repeated. More harmonics move a fold, and beside it there may then be no
     motion at the peak's omega: by up to 1e-2, or the harmonics of the curve are too few anyway. */
  double refine_apart[MS_FREQUENCY_TRIES];
  /* 1: levels are amplitudes (first harmonic) of the first sensor's displacement, which is held as
     by a controller; the force's amplitude that it takes is the level of each point. The peak is
     where it takes least. Without refine. */
  int hold;
} ms_frequency_plan;

typedef struct ms_frequency_run {
  /* the request */
  const ms_frequency_plan *plan;
  double level;
  ms_harmonic_keep_fn *keep; /* NULL: nobody does */
  void *user;
  /* the answer; without a first point the curve has none, and a remark */
  ms_periodic curve;
  /* Of each point that is a fold: how far omega goes back between the two of its pair, over omega;
     < 0 where omega is the smaller of both. 0 at other points. */
  double *depth;
  ptrdiff_t folds, shallow, peaks; /* peaks: maxima of the first sensor along the curve */
  ptrdiff_t peak;                  /* the point where it moves most */
  int peak_at_end;                 /* that is an end of the curve, and no maximum */
  /* At the peak, of each joint axis: MS_FREQUENCY_LOOP displacements, forces of the law, forces as
     the balance has them. NULL without points. */
  double *loop;
  ms_harmonic_row refined[MS_FREQUENCY_REFINED];
  ptrdiff_t n_refined;
  int settled; /* the peak stopped moving */
} ms_frequency_run;

/* The defaults of harmonic.h; shallow 1e-3, no refinement, refined at 0, 1e-3, 3e-3, 1e-2. */
MS_API ms_frequency_plan ms_frequency_default(void);
/* By harmonic balance; the joints move. A level that has no first point or whose curve does not
   come to its end leaves a remark, and is no failure. */
MS_API ms_status ms_frequency_simulate(ms_context *ctx, ms_structure *structure,
                                       ms_frequency_run *run);
/* The i-th thing to say about a curve, as a sentence, into text; 0 if there are not that many.
   `unit` is that of its level. */
MS_API int ms_frequency_warning(const ms_frequency_run *run, const char *unit, int i,
                                ms_doubt *doubt, char *text, size_t size);
/* The answer; the request stays. */
MS_API void ms_frequency_free(ms_context *ctx, ms_frequency_run *run);

/* ---- a measured stepped sine beside a computed one ----------------------------------------------
 */

/* Rows of a table (microslip/shaker.h) at the first sensor: rad/s, N, m, and rad against the force.
   What it points to is the caller's. */
typedef struct ms_measured_sine {
  ptrdiff_t n;
  const double *omega, *force, *amplitude, *phase;
} ms_measured_sine;

/* Measured and computed at the resonance of a level; rows are of a level where their force is
   within a tenth of it. */
typedef struct ms_sine_match {
  int mode; /* of ms_stepped_match, from 1; else 0 */
  double level;
  ptrdiff_t
      rows; /* 0: none are of this level, or none at its resonance; then only level is there */
  double omega, amplitude; /* measured */
  double omega_error,
      amplitude_error;    /* computed less measured, over measured; NAN: not computed */
  double q, zeta, purity; /* of ms_stepped_match, by the balance of power; else 0 */
} ms_sine_match;

/* Of n runs of levels, where the amplitude is largest, as 1/A^2 is a parabola through three rows;
   the largest row itself at an end. Beside it the peak of the run. *out has n matches and is the
   caller's to ms_free. */
MS_API ms_status ms_frequency_match(ms_context *ctx, const ms_measured_sine *measured, ptrdiff_t n,
                                    const ms_frequency_run *run, ms_sine_match **out);
/* Of n runs of modes, where the phase passes -90 degrees, between two rows or at one that is within
   5 degrees of it, as tests that hold the phase have. Beside it the run's point. q = A/|phi| of the
   mode at the sensor; zeta and purity are those of ms_signal_power_balance, of the mode's force and
   q. Only where the frequency is within 20 % of the mode's. *n_out matches, of each level of each
   mode. */
MS_API ms_status ms_stepped_match(ms_context *ctx, const ms_structure *structure,
                                  const ms_measured_sine *measured, ptrdiff_t n,
                                  const ms_stepped_run *run, ptrdiff_t *n_out, ms_sine_match **out);
/* Rows that are of none of these levels. */
MS_API ptrdiff_t ms_measured_count_other(const ms_measured_sine *measured, ptrdiff_t n,
                                         const double *level);
/* Rows of the level in x and y (room for all rows), how many: omega/x_unit, and `what` of them; the
   phase in degrees from -270 to 90. */
typedef enum ms_sine_what { MS_SINE_AMPLITUDE, MS_SINE_PER_LEVEL, MS_SINE_PHASE } ms_sine_what;
MS_API ptrdiff_t ms_measured_take(const ms_measured_sine *measured, double level, ms_sine_what what,
                                  double x_unit, double *x, double *y);
/* The smallest and the largest amplitude of the first sensor in n runs; HUGE_VAL and 0 where none
   has a point. */
MS_API void ms_frequency_find_range(ptrdiff_t n, const ms_frequency_run *run, double *low,
                                    double *high);

/* ---- hysteresis: a joint's loop from accelerations, beside its own -----------------------------
 */

/* See ms_signal_hysteresis. Records are n samples at the same times. */
typedef struct ms_hysteresis_test {
  /* the request; what it points to is the caller's */
  const double *time, *inner, *outer; /* s, m/s^2 */
  const double *z, *f;                /* the joint's own displacement and force */
  ptrdiff_t n;
  double dt;
  ms_hysteresis_setting setting;
  /* the answer */
  ms_hysteresis found;
  double amplitude;        /* m, half of what lies between its largest and smallest displacement */
  double joint_loss;       /* J per cycle of the joint's own loop */
  double z_error, f_error; /* rms of the differences from it, over its rms, without means */
  ptrdiff_t n_loop;        /* one period, closed: */
  double *loop;            /* time, z, f, own z, own f: loop[k + 5*i] */
} ms_hysteresis_test;

MS_API ms_status ms_hysteresis_test_run(ms_context *ctx, ms_hysteresis_test *test);
/* The answer; the request stays. */
MS_API void ms_hysteresis_test_free(ms_context *ctx, ms_hysteresis_test *test);

#ifdef __cplusplus
}
#endif
#endif
