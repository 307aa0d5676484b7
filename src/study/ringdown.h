/* What the ring-down analyses share: a pulse, the free decay, its amplitude table. */
#ifndef MS_STUDY_RINGDOWN_H
#define MS_STUDY_RINGDOWN_H

#include <microslip/response.h>
#include <microslip/signal.h>

#include "study/study.h"
#include "study/trace.h"

/* time: {step, steps, method, beta, gamma} */
typedef struct ms_time_setting {
  double step;
  ptrdiff_t steps;
  const char *method;
  double beta, gamma; /* of newmark */
  double tolerance;   /* 0: steps of one length */
} ms_time_setting;

typedef struct ms_pulse_run {
  /* the request */
  const double *shape; /* force over the coordinates */
  const ms_load *load; /* p load(t), or where it is NULL p sin(omega t) for half a period */
  double p, omega;     /* omega is about that of the ringing */
  ms_time_setting time;
  const int *mode; /* 0-based, n_mode of them are looked at */
  int n_mode;
  const ptrdiff_t *segments; /* for each of them */
  int keep_traces;
  ms_ring_method method; /* that reads the decay: Hilbert or STFT */
  /* the answer */
  ms_decay *decay; /* for each of them; empty where the record could not be read */
  char (*remark)[160];
  ms_trace *trace; /* velocity of each of them; empty unless they are to be kept */
  ms_transient_energy energy;
  ms_transient_count count;
  ms_transient_quality quality;
  int has_energy;
} ms_pulse_run;

/* Simulates and reads the decay of each mode. A mode that cannot be read (too little of it in the
   response, say) leaves an empty table and a remark, and is no failure. */
ms_status ms_pulse_simulate(ms_context *ctx, ms_structure *structure, ms_pulse_run *run);
/* Of the pulse, s; HUGE_VAL where the load has none. */
double ms_pulse_length(const ms_pulse_run *run);
/* The same request for another method, without an answer or traces. */
ms_pulse_run ms_pulse_request_again(const ms_pulse_run *run, ms_ring_method method);
void ms_pulse_free(ms_context *ctx, ms_pulse_run *run);
/* The answer as numbers and back, as ms_jobs wants it. */
ptrdiff_t ms_pulse_save(const ms_pulse_run *run, double *values);
ms_status ms_pulse_load(ms_context *ctx, ms_pulse_run *run, const double *values, ptrdiff_t n);

/* The part of a damping ratio that is the joints': zeta less zeta_0 omega_0/omega. */
double ms_joint_part(const ms_structure *structure, ptrdiff_t mode, double omega, double zeta);

/* ---- options: ringdown_options.c ---- */

ms_status ms_read_time(const ms_study *study, struct fy_node *node, ms_time_setting *out);
/* The same with a tolerance. */
ms_status ms_read_adaptive_time(const ms_study *study, struct fy_node *node, ms_time_setting *out);
/* A pulse's height as it stands in the file, and how to integrate after it. */
typedef struct ms_level {
  double p;
  ms_time_setting time;
} ms_level;
/* A list of heights above 0, each alone or as [height, step, steps] in place of those of `time`; a
   single height is a list of one. *out is the caller's. */
ms_status ms_read_levels(const ms_study *study, struct fy_node *node, const ms_time_setting *time,
                         ms_level **out, ptrdiff_t *n);
void ms_time_apply(const ms_time_setting *time, ms_transient_setting *out);
/* Whether the structure allows the method, newmark or exponential; node is its place. */
ms_status ms_check_method(const ms_study *study, struct fy_node *node, const char *method);
/* `mode`, from 1, is one of the structure's; node is its place. */
ms_status ms_check_mode(const ms_study *study, struct fy_node *node, ptrdiff_t mode);
/* modes: a list of mode numbers from 1, or absent for all; *mode is 0-based and the caller's. */
ms_status ms_read_modes(const ms_study *study, struct fy_node *node, int **mode, int *n);
/* A mapping with modes for keys may name only those that are looked at; what is no mapping
   passes. */
ms_status ms_check_mode_keys(const ms_study *study, struct fy_node *mapping, const char *what,
                             const int *mode, int n);
/* segments: a number for all modes, or {mode: number}; absent 100, 40 for the first mode. */
ms_status ms_read_segments(const ms_study *study, struct fy_node *node, const int *mode, int n,
                           ptrdiff_t **out);

#endif
