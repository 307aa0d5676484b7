/* The four parameters of Segalman's density, in the two sets a user may give; shared by the laws
   built on it. F_S, K_T, chi, beta or R, chi, S, phi_max (docs/theory/iwan.md):

     phi_max = F_S (1 + beta) / (K_T (beta + (chi+1)/(chi+2)))
     R = K_T (chi+1) / (phi_max^(chi+1) (1 + beta)),   S = K_T beta / (1 + beta). */
#ifndef MS_JOINT_IWAN_FOUR_PARAMETERS_H
#define MS_JOINT_IWAN_FOUR_PARAMETERS_H

#include <math.h>

#include "joint/impl.h"

/* Places of the parameters: the first of every param[] of the family. */
enum {
  MS_FOUR_F_S,
  MS_FOUR_K_T,
  MS_FOUR_CHI,
  MS_FOUR_BETA,
  MS_FOUR_R,
  MS_FOUR_S,
  MS_FOUR_PHI_MAX,
  MS_FOUR_N
};
enum { MS_FOUR_BY_FORCE = 1, MS_FOUR_BY_DENSITY = 2 };

/* `F_S_meaning`: what the slip force is in this law. */
#define MS_FOUR_PARAMS(F_S_meaning)                                                               \
  [MS_FOUR_F_S] = { .name = "F_S",                                                                \
                    .unit = "N",                                                                  \
                    .meaning = F_S_meaning,                                                       \
                    .lower = 0,                                                                   \
                    .upper = HUGE_VAL,                                                            \
                    .open = 3,                                                                    \
                    .why = "a joint that slips needs some force",                                 \
                    .typical = 4000,                                                              \
                    .set = MS_FOUR_BY_FORCE,                                                      \
                    .required = 1 },                                                              \
  [MS_FOUR_K_T] = { .name = "K_T",                                                                \
                    .unit = "N/m",                                                                \
                    .meaning = "stiffness when nothing slips",                                    \
                    .lower = 0,                                                                   \
                    .upper = HUGE_VAL,                                                            \
                    .open = 3,                                                                    \
                    .why = "the stuck joint carries load",                                        \
                    .typical = 1e8,                                                               \
                    .set = MS_FOUR_BY_FORCE,                                                      \
                    .required = 1 },                                                              \
  [MS_FOUR_CHI] = { .name = "chi",                                                                \
                    .unit = "-",                                                                  \
                    .meaning = "exponent of the density; dissipation grows as amplitude^(3+chi)", \
                    .lower = -1,                                                                  \
                    .upper = HUGE_VAL,                                                            \
                    .open = 3,                                                                    \
                    .why = "at -1 and below the sliders' total stiffness is infinite",            \
                    .typical = -0.5,                                                              \
                    .required = 1 },                                                              \
  [MS_FOUR_BETA] = { .name = "beta",                                                              \
                     .unit = "-",                                                                 \
                     .meaning =                                                                   \
                         "stiffness that slips at once at phi_max over that which slips before",  \
                     .lower = 0,                                                                  \
                     .upper = HUGE_VAL,                                                           \
                     .open = 2,                                                                   \
                     .why = "it is a ratio of stiffnesses",                                       \
                     .typical = 1,                                                                \
                     .set = MS_FOUR_BY_FORCE,                                                     \
                     .required = 1 },                                                             \
  [MS_FOUR_R] = { .name = "R",                                                                    \
                  .unit = "N/m^(2+chi)",                                                          \
                  .meaning = "coefficient of the density",                                        \
                  .lower = 0,                                                                     \
                  .upper = HUGE_VAL,                                                              \
                  .open = 3,                                                                      \
                  .why = "without it the element is a Jenkins element: use law jenkins",          \
                  .typical = 3.2e9,                                                               \
                  .set = MS_FOUR_BY_DENSITY,                                                      \
                  .required = 1 },                                                                \
  [MS_FOUR_S] = { .name = "S",                                                                    \
                  .unit = "N/m",                                                                  \
                  .meaning = "stiffness of the sliders that slip at phi_max",                     \
                  .lower = 0,                                                                     \
                  .upper = HUGE_VAL,                                                              \
                  .open = 2,                                                                      \
                  .why = "it is a stiffness",                                                     \
                  .typical = 5e7,                                                                 \
                  .set = MS_FOUR_BY_DENSITY,                                                      \
                  .required = 1 },                                                                \
  [MS_FOUR_PHI_MAX] = { .name = "phi_max",                                                        \
                        .unit = "m",                                                              \
                        .meaning = "displacement at which macroslip begins",                      \
                        .lower = 0,                                                               \
                        .upper = HUGE_VAL,                                                        \
                        .open = 3,                                                                \
                        .why = "sliders need a range",                                            \
                        .typical = 6e-5,                                                          \
                        .set = MS_FOUR_BY_DENSITY,                                                \
                        .required = 1 }

/* Derives the other set. Extreme but admissible values can overflow on the way: that fails, with
   the name of `law` and of the parameter. */
ms_status ms_iwan_four_check(ms_context *ctx, const char *law, double *value, int set);

/* How R, chi, S and phi_max follow parameter i of the given set, in density.h's order. 0 for other
   parameters. */
int ms_iwan_four_slopes(const double *v, int set, int i, double slope[4]);

#endif
