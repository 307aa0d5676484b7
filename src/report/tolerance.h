/* Numbers of figures and tables that are no sizes; see microslip/tolerance.h. */
#ifndef MS_REPORT_TOLERANCE_H
#define MS_REPORT_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_REPORT_TOLERANCES(X)                                                                    \
  X(air, 0.04, "of the range of an axis, left free at both ends")                                  \
  X(alike, 1e-10, "of its values: a narrower range of an axis is one value")                       \
  X(flat, 0.05, "of the one value that an axis shows: so much is seen on either side of it")       \
  X(cycles, 8.0, "cycles of a history that its second panel shows")                                \
  X(many_cycles, 24.0, "cycles of a history, from which on it has a second panel")                 \
  X(swing, 0.05, "of the largest distance from the mean: less to its other side is no half cycle") \
  X(tick_margin, 1e-9, "of a step: a tick at the very end of an axis still counts")                \
  X(exact, 1e-15, "of a value: what is this near to few decimals has no more")                     \
  X(spread, 100.0, "ratio of a column's values up to which they share their decimals")             \
  X(tiny, 1e-9, "of a column's largest value: what is below may be shown as 0")                    \
  X(twin, 1e-9, "of a frequency: columns in rad/s and Hz that differ less are the same")           \
  X(largest_whole, 1e7, "a column of whole numbers is plain up to here")                           \
  X(even, 1e-6, "of a step: x this near to equal steps is written as start and step")              \
  X(per_column, 4.0, "points that thinning leaves in a column of pixels, at most")                 \
  X(finest, 0x1p-10, "px, first tolerance of thinning that is tried")                              \
  X(coarsest, 64.0, "px, last tolerance of thinning that is tried")                                \
  X(fine, 0.1, "px that a drawn curve may be off; columns come in above this")                     \
  X(coarse, 0.5, "px that a curve of very many points may be off")                                 \
  X(cell, 0.5, "px, cells of a picture by which hidden points are found")                          \
  X(marker_gap, 1.2, "px between markers; nearer ones hide each other")                            \
  X(negligible, 1e-9, "of a column's largest value: two runs have the same, or nothing")           \
  X(rounding, 1e-12, "of a number or a column's largest: two runs differ by rounding only")        \
  X(nearer, 2e-3, "of a shape's height: lines are sorted as this much nearer, before their faces") \
  X(poor_residual, 0.1, "of its amplitude: above it a local fit reads noise or another mode")      \
  X(peak, 1.02, "of the damping at the ends of a curve: a maximum between them is above this")     \
  X(shown, 0.1, "s between two calls of progress of a run with checkpoints, at most")              \
  X(checkpoint, 50.0, "times as long as writing it takes: the time to the next checkpoint")        \
  X(slow_disk, 10.0, "times the interval: the longest time to the next checkpoint")
typedef struct ms_report_tolerances {
  MS_REPORT_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_report_tolerances;
static const ms_report_tolerances ms_report_tol = { MS_REPORT_TOLERANCES(MS_TOLERANCE_DEFAULT) };

#endif
