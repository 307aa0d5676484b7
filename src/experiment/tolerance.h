/* Numbers of the simulated tests and of what is read from them; see microslip/tolerance.h. */
#ifndef MS_EXPERIMENT_TOLERANCE_H
#define MS_EXPERIMENT_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_EXPERIMENT_TOLERANCES(X)                                                              \
  X(lowest, 1e-3, "default amplitudes begin here, of that at which a joint slips altogether")    \
  X(highest, 10.0, "and end here")                                                               \
  X(before_slip, 0.5, "of the amplitude at which a layer slips first: the default ones begin")   \
  X(least_slip, 0.01, "of that at which friction of rigid contacts is used up: they begin")      \
  X(aliased, 0.01, "of zeta: an error that is no rounding, as 1 % of an energy balance")         \
  X(left_out, 0.01,                                                                              \
    "of the joints' motion, by harmonics left out: damping was 10 % off and more beyond it")     \
  X(tuned, 0.005,                                                                                \
    "relative distance from three times a frequency within which a mode answers the third "      \
    "harmonic")                                                                                  \
  X(same_amplitude, 1e-12, "relative difference of amplitudes that is rounding")                 \
  X(least_joint, 1e-6,                                                                           \
    "of the total damping: a joint's part below it is what rounding leaves of nothing")          \
  X(blind, 1e-3,                                                                                 \
    "of the largest displacement of a mode: a sensor that moves less does not see it")           \
  X(alike, 1e-9,                                                                                 \
    "relative difference of a shape's entries between which rounding must not choose")           \
  X(dense, 6.0, "half widths about a resonance within which lines are kept most densely")        \
  X(not_excited, 1e-9, "of the largest velocity of all modes together: rounding of the others")  \
  X(first_window, 8.0,                                                                           \
    "periods in the first window of a ring-down's STFT, where the decay is fast")                \
  X(last_window, 32.0, "periods in its last window, where it is slow")                           \
  X(ring_out, 7.0, "time constants of ringing that are recorded after a sweep")                  \
  X(steps_per_mode, 4.0,                                                                         \
    "steps in a period of a mode that is read, at least: Newmark lowers its frequency by 20 %")  \
  X(steps_per_sweep, 10.0, "steps in the shortest period of a sweep, at least: phases are read") \
  X(same_level, 0.1, "of a level: measured forces this near belong to it")                       \
  X(same_mode, 0.2, "of a frequency: a measured resonance this near is the mode's")              \
  X(held_phase, 0.09, "rad from a quarter of a period: a measured point alone is a resonance")   \
  X(steps_per_cycle, 2.0, "steps in a period of a load: below it is another load")               \
  X(masing, 0.1, "relative error of Masing's rule, above which it is said to fail")
typedef struct ms_experiment_tolerances {
  MS_EXPERIMENT_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_experiment_tolerances;
static const ms_experiment_tolerances ms_experiment_tol = { MS_EXPERIMENT_TOLERANCES(
    MS_TOLERANCE_DEFAULT) };

#endif
