/* Numbers of the simulated tests and of what is read from them; see microslip/tolerance.h. */
#ifndef MS_EXPERIMENT_TOLERANCE_H
#define MS_EXPERIMENT_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_EXPERIMENT_TOLERANCES(X)                                                             \
  X(lowest, 1e-3, "default amplitudes begin here, of that at which a joint slips altogether")   \
  X(highest, 10.0, "and end here")                                                              \
  X(aliased, 0.01, "of zeta: an error that is no rounding, as 1 % of an energy balance")        \
  X(tuned, 0.005,                                                                               \
    "relative distance from three times a frequency within which a mode answers the third "     \
    "harmonic")                                                                                 \
  X(same_amplitude, 1e-12, "relative difference of amplitudes that is rounding")                \
  X(least_joint, 1e-6,                                                                          \
    "of the total damping: a joint's part below it is what rounding leaves of nothing")         \
  X(alike, 1e-9,                                                                                \
    "relative difference of a shape's entries between which rounding must not choose")          \
  X(dense, 6.0, "half widths about a resonance within which lines are kept most densely")       \
  X(not_excited, 1e-9, "of the largest velocity of all modes together: rounding of the others") \
  X(first_window, 8.0,                                                                          \
    "periods in the first window of a ring-down's STFT, where the decay is fast")               \
  X(last_window, 32.0, "periods in its last window, where it is slow")                          \
  X(ring_out, 7.0, "time constants of ringing that are recorded after a sweep")                 \
  X(poor_residual, 0.1, "of its amplitude: above it a local fit reads noise or another mode")   \
  X(masing, 0.1, "relative error of Masing's rule, above which it is said to fail")             \
  X(unbalanced, 0.01, "of the energy of a cycle: work of the load that load steps too long miss")
typedef struct ms_experiment_tolerances {
  MS_EXPERIMENT_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_experiment_tolerances;
static const ms_experiment_tolerances ms_experiment_tol = { MS_EXPERIMENT_TOLERANCES(
    MS_TOLERANCE_DEFAULT) };

#endif
