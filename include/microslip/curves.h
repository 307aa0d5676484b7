/* [experiment] Ring-down runs and the curves in them: frequency and damping of modes against
   amplitude, each the decay of one mode in one run. */
#ifndef MICROSLIP_CURVES_H
#define MICROSLIP_CURVES_H

#include <microslip/experiment.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One decay of one mode, from one run. */
typedef struct ms_curve {
  int mode; /* 0-based */
  char source[96];
  const ms_decay *decay;
  const ms_trace *trace; /* of the modal velocity; NULL if none was kept */
} ms_curve;

/* Runs, and the curves in them: runs come in order, and of each run all its curves. */
typedef struct ms_curves {
  ms_pulse_run *run;
  char (*source)[96]; /* of each run, where they were asked for by ms_curves_request */
  ptrdiff_t n_run;
  ms_curve *curve;
  ptrdiff_t n_curve;
  ptrdiff_t sensor;    /* whose amplitudes a table also gives: see ms_sensor_find */
  const char *channel; /* of a record from an unknown place: q is its own amplitude; else NULL */
} ms_curves;

/* One more run, with its traces; what it points to stays the caller's. Its source is printed. */
MS_API ms_status ms_curves_request(ms_context *ctx, ms_curves *curves, const ms_pulse_run *run,
                                   const char *format, ...) MS_PRINTF(4, 5);
/* After the runs: a curve for every mode that they have read. */
MS_API ms_status ms_curves_collect(ms_context *ctx, ms_curves *curves);
/* One by one, where there is scratch: that of mode `mode`, the c-th that run `run` has read. */
MS_API void ms_curves_add(ms_curves *curves, ptrdiff_t run, int c, int mode, const char *source);
MS_API void ms_curves_free(ms_context *ctx, ms_curves *curves);

/* All points of a mode: see ms_points_gather. */
MS_API ms_status ms_curves_gather(ms_context *ctx, const ms_curves *curves, int mode,
                                  ms_points *out);
/* The first curve of a run. */
MS_API const ms_curve *ms_curves_get_first(const ms_curves *curves, ptrdiff_t run);
/* The curve with a trace that begins largest (sign 1) or smallest (-1); NULL if none was read. */
MS_API const ms_curve *ms_curves_find_extreme(const ms_curves *curves, int mode, double sign);
/* The curve with the fewest time steps in a period, of those that have fewer than their run
   requires; NULL if none has. A mode that is read may have little of the energy, and yet needs its
   steps. */
MS_API const ms_curve *ms_curves_find_coarse(const ms_curves *curves, double *steps,
                                             double *required);
/* "Mode 2, u3, p = 60 N": what a run's source says, "u3 p=60" of an impact or "p=60 slipped" of a
   pulse on a mode, in words and with the unit. */
MS_API void ms_curves_print_title(const ms_curves *curves, const ms_curve *curve, char *text,
                                  size_t size);
/* The largest energy balance over the input of all runs. */
MS_API double ms_curves_get_balance(const ms_curves *curves);
/* The median of n numbers, at least one, which are sorted; of an even count the mean of two. */
MS_API double ms_median(ptrdiff_t n, double *x);
/* "mode 2: why": remarks of the modes that a run could not read, one behind the other. */
MS_API void ms_pulse_print_remarks(const ms_pulse_run *run, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
