/* What is rounding in a structure's matrices, modes and modal forces. A caller has no reason to
   change them; one value serves all methods. */
#ifndef MS_STRUCTURE_TOLERANCE_H
#define MS_STRUCTURE_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_STRUCTURE_TOLERANCES(X)                                                                 \
  X(symmetry, 1e-9, "of a matrix' largest entry: digits that a file leaves away")                  \
  X(low, 1e-8,                                                                                     \
    "of the largest omega^2: below it half of the digits are gone, and a mode is found once more") \
  X(rigid, 1e-13,                                                                                  \
    "of x^T K x with the sizes of all entries: less is rounding, and the mode rigid")              \
  X(doubt, 1e-11, "of the largest omega^2: what a K from elsewhere leaves of rigid-body modes")    \
  X(rest, 1e-13, "of x^T M x: a share of a mode that is rounding")                                 \
  X(same_frequency, 1e-9, "relative distance of frequencies that count as one")                    \
  X(same_entry, 1e-8, "relative difference of a shape's entries that count as equally large")      \
  X(unheld, 1e-30, "of the largest omega^2: coordinates that no spring holds are definite")        \
  X(highest, 10.0, "largest omega^2 over the largest K_ii/M_ii, at most")                          \
  X(diagonal, 1e-10, "of the largest modal damping: less beside the diagonal is rounding")         \
  X(rigid_force, 1e-10,                                                                            \
    "of a force's largest part in a mode: less on a rigid-body mode is rounding")                  \
  X(no_force, 1e-9,                                                                                \
    "of the sizes of its parts: what rounding leaves of a modal force that is zero")               \
  X(gram, 1e-12, "eigenvalue of a Gram matrix with unit diagonal that is none")                    \
  X(whole, 1e-6, "1 - cosine^2 of a motion that is one of the structure as a whole")               \
  X(same_place, 1e-9, "of a beam's length: points nearer than this are at one place")              \
  X(still, 1e-6, "of the largest entry of a mode: nodes that move by less stand still")            \
  X(slowest, 50.0, "m/s, sqrt(E/rho): soft foam has 60, so that units are mistaken below")         \
  X(fastest, 20000.0, "m/s, sqrt(E/rho): beryllium has 12,000")                                    \
  X(lowest_omega, 1e-6, "rad/s: a lower elastic mode comes from mistaken units")                   \
  X(highest_omega, 1e10, "rad/s: a higher one too, or from points that almost coincide")
typedef struct ms_structure_tolerances {
  MS_STRUCTURE_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_structure_tolerances;
static const ms_structure_tolerances ms_structure_tol = { MS_STRUCTURE_TOLERANCES(
    MS_TOLERANCE_DEFAULT) };

#endif
