/* Rows of keys, and readers, of random joints (io/yaml/keys.h). */
#ifndef MS_IDENTIFY_SCATTER_KEYS_H
#define MS_IDENTIFY_SCATTER_KEYS_H

#include <microslip/scatter.h>

#include "io/yaml/tables.h"

extern const ms_param_reader ms_as_noise;
/* noise, double[2], of stiffness and dissipation; 0 where absent. */
#define MS_NOISE(type, absent)                                                         \
  {                                                                                    \
    MS_AT(type, noise), .kind = MS_PARAM_NUMBERS, .unit = "-", MS_POSITIVE,            \
                        .reader = &ms_as_noise, absent,                                \
                        .meaning =                                                     \
                            "relative standard deviation: of both, or [of stiffness, " \
                            "of dissipation]"                                          \
  }
/* Of a distribution; the choice's index is an ms_family. */
#define MS_ROW_FAMILY(type)                                                  \
  MS_CHOICE(type, family, "uniform|exponential|normal|gamma|beta|lognormal", \
            MS_ELSE("beta between two bounds, gamma above one, else normal"), "of distributions")
#define MS_ROW_BOUNDS(type)                                       \
  MS_PAIR(type, bounds, "-", MS_ANY, MS_ELSE("those of the law"), \
          "of the distribution, in the unit of the parameter")

/* What family and bounds say: bounds in SI, the law's in `lower` and `upper` at first. */
ms_family ms_random_take_family(int family, const double bounds[2], double factor, double *lower,
                                double *upper);
/* {family, bounds, mean, deviation} of a parameter of a law, to SI by `factor`; by default its
   bounds are the law's, and its family the one that these and two moments make. */
extern const ms_param_list ms_random_distribution;
ms_status ms_random_read_distribution(const ms_key_source *from, struct fy_node *node,
                                      const ms_param *param, double factor, ms_distribution *out);

/* Tests from the table that `file` names, by these columns (of a joint in these units, of our own
   in SI): specimen, force, stiffness, dissipation. */
ms_status ms_scatter_read_table(const ms_yaml *yaml, const ms_units *units, struct fy_node *file,
                                const char *const column[4], ms_scatter_tests *out);

#endif
