/* What the methods ask of every record, and what is rounding in its times; the contracts in
   microslip/signal.h say so. */
#ifndef MS_SIGNAL_TOLERANCE_H
#define MS_SIGNAL_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_SIGNAL_TOLERANCES(X)                                                                    \
  X(periods, 4.0, "in a record for it to have a frequency")                                        \
  X(per_cycle, 4.0, "samples in a period: with fewer, peaks are missed")                           \
  X(grid, 1e-6, "of a step: a start or an end that falls on a sample takes it")                    \
  X(blow, 0.05, "of a record that is above the pulse limit: more is a shaker, not a hammer")       \
  X(line, 0.02, "of the highest line of a spectrum: a peak below is not listed")                   \
  X(floor, 5.0, "times the median line of a spectrum: a peak below may be noise")                  \
  X(pulse, 0.1, "of the largest force: above it is the pulse of a hammer")                         \
  X(clipped, 0.1, "of the peak: an extreme nearer to the offset is rest, not the end of a range")  \
  X(farther, 0.03, "of the other side's extreme: one as much nearer to zero is inside the range")  \
  X(trigger, 0.1, "of the largest difference from the mean: less is silence before the trigger")   \
  X(swing, 0.05, "of the largest distance from the mean: less to its other side is no half cycle") \
  X(settle, 1.5, "transitions, 2 pi/(edge low), until 1 % of a jump is left behind the band-pass") \
  X(first_row, 0.2, "of ln amplitude to the next row: a first row that falls less is left out")    \
  X(lost, 2.0, "times the first row, at the beginning of the ringing: that is worth a word")       \
  X(continued, 3.0, "periods of the narrowest transition by which a band-pass continues a record") \
  X(kaiser, 4.0,                                                                                   \
    "dB more than asked for: what Kaiser's formula for the length of a filter misses")             \
  X(same_step, 1e-9, "relative difference of sampling steps that is rounding")                     \
  X(silent, 0.02, "of the largest force: a swept sine below it has ended, or not begun")           \
  X(rung_out, 5.0, "time constants after the beginning of a sweep, in which rows are left out")    \
  X(too_fast, 0.05, "of a resonance's height: a sweep that errs by more is not read as steady")
typedef struct ms_signal_tolerances {
  MS_SIGNAL_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_signal_tolerances;
static const ms_signal_tolerances ms_signal_tol = { MS_SIGNAL_TOLERANCES(MS_TOLERANCE_DEFAULT) };

#endif
