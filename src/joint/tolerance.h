/* What is rounding, and where a closed form gives way to another, in the laws of joints. A law has
   parameters and no settings; a caller has no reason to change these. */
#ifndef MS_JOINT_TOLERANCE_H
#define MS_JOINT_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_JOINT_TOLERANCES(X)                                                                     \
  X(newton, 4e-16, "relative step of Newton's method for a law's own equation: twice rounding")    \
  X(negligible, 1e-17, "term of a series over its sum: below rounding")                            \
  X(near_limit, 1e-8,                                                                              \
    "distance from the limit below which its approach is exponential to that error")               \
  X(decimals, 1e-12, "relative: a bound that is met by numbers written in decimals")               \
  X(gives, 1e-9,                                                                                   \
    "of the limit: the spring gives way by so much before a contact sticks again; less is "        \
    "rounding")                                                                                    \
  X(far, 8.0,                                                                                      \
    "slip displacements from the origin beyond which it follows, or sums would lose digits")       \
  X(closest, 1e-6, "chi + 1: moments are differences over it, and 10 of 16 digits are left")       \
  X(same_slope, 1e-12,                                                                             \
    "of the greatest slope of a sampled curve: a smaller difference is rounding")                  \
  X(shares, 1.25,                                                                                  \
    "times the density beyond: a sample beside a corner holds a part of its delta; a wrong "       \
    "answer is an error of second order")                                                          \
  X(steady, 1e-13,                                                                                 \
    "relative change of force and energy dissipated per cycle between cycles that is none")        \
  X(secant, 0.9, "second point of a secant over the first, far enough for a good slope")           \
  X(secant_step, 1e-6, "relative distance of a secant's points below which its slope is rounding") \
  X(stiffness_range, 10.0,                                                                         \
    "times the larger of preload and reference: loads at which k(N) > 0 is checked")               \
  X(least_stiffness, 0x1p-40,                                                                      \
    "of the reference: joints want k > 0, also where the polynomial is 0")                         \
  X(short_step, 1e-3,                                                                              \
    "of a bristle's limit: below it the closed form of the energy cancels, Simpson's rule does "   \
    "not")                                                                                         \
  X(on_circle, 0x1p-50, "relative distance from the slip circle that is rounding: 4 of it")        \
  X(width, 4e-3,                                                                                   \
    "first difference of an extrapolated derivative, of the parameter or its typical value")       \
  X(merge_near, 8.0,                                                                               \
    "run widths between lines of segments that are nearly the same; neighbours in a ring-down "    \
    "have 2")                                                                                      \
  X(merge_clear, 8.0, "run widths that merged segments stay away from the front")                  \
  X(dust, 0x1p-52, "of F_S: a segment with less joins whatever is above it")
typedef struct ms_joint_tolerances {
  MS_JOINT_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_joint_tolerances;
static const ms_joint_tolerances ms_joint_tol = { MS_JOINT_TOLERANCES(MS_TOLERANCE_DEFAULT) };

#endif
