/* Numbers of the identification that belong to no method's settings; see microslip/tolerance.h. */
#ifndef MS_IDENTIFY_TOLERANCE_H
#define MS_IDENTIFY_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_IDENTIFY_TOLERANCES(X)                                                                 \
  X(same_start, 1e-3, "of the bounds' range: starts this near came to the same point")            \
  X(as_well, 1.0,                                                                                 \
    "difference of sums of squares, in units of the scatter, that the data do not tell apart")    \
  X(far, 3.0, "standard errors of a rival: the Jacobian allows `as_well` no more than one")       \
  X(equal_sum, 1e-6, "sums of squares of starts that differ by less are the same")                \
  X(tie, 0.05,                                                                                    \
    "of abs(ln omega ratio), beside 1 - MAC: the frequency decides where sensors see no "         \
    "difference")                                                                                 \
  X(never, 100.0, "cost of a rigid-body mode, beside 1 - MAC: it is no pair")                     \
  X(matrix_step, 2e-4,                                                                            \
    "of a parameter, for K' and M', which mostly are linear in it: then any step does")           \
  X(same_lambda, 1e-9, "of omega^2: modes this near have no shapes of their own")                 \
  X(widest, 0.1, "of the bounds' range: largest standard deviation of where walkers start")       \
  X(narrowest, 1e-7, "of the bounds' range: least standard deviation of where walkers start")     \
  X(edge, 1e-9, "of the bounds' range: walkers start inside by so much at least")                 \
  X(difference, 1e-5, "of a parameter: step of central differences of residuals")                 \
  X(balance, 1e-8, "of a joint's force: what a step of a simulated impact may leave over")        \
  X(secant, 1e-4, "of the bounds' range: one-sided differences where steps of time are rounding") \
  X(ended, 1e-6, "relative, of sum of squares and parameters: a fit by simulations has ended")    \
  X(gained, 2.5e-3,                                                                               \
    "of a standard error, squared: a fit by simulations gains no more from another step")         \
  X(contact_difference, 1e-2,                                                                     \
    "of a parameter of contacts: the same, since cycles repeat to 1e-4 only")                     \
  X(least_loss, 1e-6, "of the target's: a model without energy dissipated is held to this")       \
  X(elsewhere, 0.5,                                                                               \
    "of a measured amplitude: a motion that differs by more may be on another branch")            \
  X(least_shift, 1e-4, "of omega: a mode that does not shift is held to this")                    \
  X(judged_shift, 1e-3, "of omega: the same where a fit is judged")                               \
  X(least_noise, 0.01, "of damping and of the frequency shift: no measurement is better")         \
  X(least_hit_noise, 1e-4, "the same of impacts whose noise is known: steps and windows")         \
  X(poor, 3.0, "times the noise that was given: residuals above it are those of another model")   \
  X(least_objective, 1e-30, "objectives below it have no logarithm of interest")                  \
  X(same_force, 1e-13, "of the force of a joint test: a difference that is rounding")             \
  X(flat, 1e-9, "of a joint's force: one that grows less in a doubling of u grows no more")       \
  X(before_slip, 1e-12, "of the slip displacement: so far before it the force is asked for")      \
  X(together, 0.95, "a correlation of fitted parameters above this is worth a word")              \
  X(serial, 0.5,                                                                                  \
    "correlation of neighbouring residuals, above which standard errors are too small")           \
  X(least_free, 0.01, "of the residuals that count as independent, at least")                     \
  X(wide, 10.0, "ratio of bounds, from which on a parameter is searched on a logarithmic scale")  \
  X(closed, 1e-3, "of the way between neighbours: the last point of a loop is the first")         \
  X(hidden, 1e-10,                                                                                \
    "of the largest singular value of a modal fit: a direction below it is rounding")             \
  X(shot, 2e-3,                                                                                   \
    "relative distance from the highest row, with which a simulated ring-down is content")        \
  X(settled, 1e-4, "of a parameter: one that moves less from round to round has settled")         \
  X(same_omega, 1e-9, "relative difference between omega_0 of a modal model and its stiffnesses") \
  X(same_gene, 1e-14, "of the bounds range: parents this near have the same children")
typedef struct ms_identify_tolerances {
  MS_IDENTIFY_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_identify_tolerances;
static const ms_identify_tolerances ms_identify_tol = { MS_IDENTIFY_TOLERANCES(
    MS_TOLERANCE_DEFAULT) };

#endif
