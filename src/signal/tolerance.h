/* What the methods ask of every record, and what is rounding in its times; the contracts in
   microslip/signal.h say so. */
#ifndef MS_SIGNAL_TOLERANCE_H
#define MS_SIGNAL_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_SIGNAL_TOLERANCES(X)                                                                    \
  X(periods, 4.0, "in a record for it to have a frequency")                                        \
  X(per_cycle, 4.0, "samples in a period: with fewer, peaks are missed")                           \
  X(grid, 1e-6, "of a step: a start or an end that falls on a sample takes it")                    \
  X(pulse, 0.1, "of the largest force: above it is the pulse of a hammer")                         \
  X(trigger, 0.1, "of the largest difference from the mean: less is silence before the trigger")   \
  X(swing, 0.05, "of the largest distance from the mean: less to its other side is no half cycle") \
  X(settle, 1.5, "transitions, 2 pi/(edge low), until 1 % of a jump is left behind the band-pass") \
  X(continued, 3.0, "periods of the narrowest transition by which a band-pass continues a record") \
  X(kaiser, 4.0, "dB more than asked for: what Kaiser's formula for the length of a filter misses")
typedef struct ms_signal_tolerances {
  MS_SIGNAL_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_signal_tolerances;
static const ms_signal_tolerances ms_signal_tol = { MS_SIGNAL_TOLERANCES(MS_TOLERANCE_DEFAULT) };

#endif
