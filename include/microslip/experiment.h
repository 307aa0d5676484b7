/* Simulated tests, as the field knows them: a structure is excited in time, and what an
   experimenter reads from the response comes back. See docs/theory/ringdown.md and
   docs/theory/sweep-and-frf.md. */
#ifndef MICROSLIP_EXPERIMENT_H
#define MICROSLIP_EXPERIMENT_H

#include <microslip/harmonic.h>
#include <microslip/response.h>
#include <microslip/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Simulates and reads. A response that cannot be read leaves a remark, and is no failure. */
MS_API ms_status ms_sweep_simulate(ms_context *ctx, ms_structure *structure, ms_sweep_run *run);
MS_API void ms_sweep_run_free(ms_context *ctx, ms_sweep_run *run);

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
  /* the answer: n points, where the response is a quarter period behind the force; each is of a
     level of the plan, and where the curve folds a level has several */
  ptrdiff_t n;
  ms_harmonic_point *point;      /* its response: amplitude of what is tracked */
  double *sensor;                /* m, first harmonic: sensor[k + n_sensor*i] */
  ms_harmonic_axis_motion *axis; /* axis[a + n_axis*i]: of all joints */
  double *loss;                  /* J per cycle of each joint: loss[j + n_joint*i] */
  int n_axis, n_joint;
  ptrdiff_t missing; /* levels without a point */
  int complete;      /* none is missing */
  int ended;         /* some are, but there is nothing beyond the last point */
  ptrdiff_t evaluations;
  double worst;     /* residual of a point, over the size of the motion */
  char remark[240]; /* why it is not complete */
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
/* The answer; the request stays. */
MS_API void ms_stepped_free(ms_context *ctx, ms_stepped_run *run);

#ifdef __cplusplus
}
#endif
#endif
