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
#define MS_FOUR_PARAMS(F_S_meaning)                                                                \
  [MS_FOUR_F_S] = { MS_LAW_POSITIVE("F_S", "N", F_S_meaning,                                       \
                                    "a joint that slips needs some force", 4000),                  \
                    .set = MS_FOUR_BY_FORCE },                                                     \
  [MS_FOUR_K_T] = { MS_LAW_POSITIVE("K_T", "N/m", "stiffness when nothing slips",                  \
                                    "the stuck joint carries load", 1e8),                          \
                    .set = MS_FOUR_BY_FORCE },                                                     \
  [MS_FOUR_CHI] = { .name = "chi",                                                                 \
                    .unit = "-",                                                                   \
                    .meaning = "exponent of the density; dissipation grows as amplitude^(3+chi)",  \
                    .lower = -1,                                                                   \
                    .upper = HUGE_VAL,                                                             \
                    .open = 3,                                                                     \
                    .why = "at -1 and below the sliders' total stiffness is infinite",             \
                    .typical = -0.5,                                                               \
                    .required = 1 },                                                               \
  [MS_FOUR_BETA] = { MS_LAW_NOT_NEGATIVE(                                                          \
                         "beta", "-",                                                              \
                         "stiffness that slips at once at phi_max over that which slips before",   \
                         "it is a ratio of stiffnesses", 1),                                       \
                     .set = MS_FOUR_BY_FORCE },                                                    \
  [MS_FOUR_R] = { MS_LAW_POSITIVE("R", "N/m^(2+chi)", "coefficient of the density",                \
                                  "without it the element is a Jenkins element: use law jenkins",  \
                                  3.2e9),                                                          \
                  .set = MS_FOUR_BY_DENSITY },                                                     \
  [MS_FOUR_S] = { MS_LAW_NOT_NEGATIVE("S", "N/m", "stiffness of the sliders that slip at phi_max", \
                                      "it is a stiffness", 5e7),                                   \
                  .set = MS_FOUR_BY_DENSITY },                                                     \
  [MS_FOUR_PHI_MAX] = { MS_LAW_POSITIVE("phi_max", "m", "displacement at which macroslip begins",  \
                                        "sliders need a range", 6e-5),                             \
                        .set = MS_FOUR_BY_DENSITY }

/* Derives the other set. Extreme but admissible values can overflow on the way: that fails, with
   the name of `law` and of the parameter. */
ms_status ms_iwan_four_check(ms_context *ctx, const char *law, double *value, int set);

/* How R, chi, S and phi_max follow parameter i of the given set, in density.h's order. 0 for other
   parameters. */
int ms_iwan_four_slopes(const double *v, int set, int i, double slope[4]);

#endif
