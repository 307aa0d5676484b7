/* Random joints: parameters with distributions. */
#ifndef MS_STUDY_ANALYSES_SCATTER_RANDOM_JOINTS_H
#define MS_STUDY_ANALYSES_SCATTER_RANDOM_JOINTS_H

#include <microslip/scatter.h>

#include "study/model/joint_parameters.h"
#include "study/file/shared_keys.h"

typedef struct ms_random_parameter {
  ms_joint_parameter is;
  ms_distribution d;
  const ms_task *from; /* the `scatter` that it comes from, at the run; NULL: the file */
} ms_random_parameter;

typedef struct ms_random_joints {
  ptrdiff_t n;
  ms_random_parameter *parameter;
  ms_free_parameter *free;
  ms_distribution *d; /* n; after gather */
} ms_random_joints;

/* random: joint.parameter: {family, bounds, mean, deviation} or the name of a `scatter`; or that
   name alone for all of its parameters. */
ms_status ms_random_read(ms_study *study, const ms_task *task, struct fy_node *node,
                         ms_random_joints *out);
void ms_random_close(ms_study *study, ms_random_joints *r);
ms_status ms_random_gather(const ms_study *study, ms_random_joints *r);
int ms_random_needs(const ms_random_joints *r, const ms_task *other);
/* Text and table: parameter, family, moments and bounds. */
void ms_random_show(const ms_random_joints *r, ms_result *result);

/* {family, bounds, mean, deviation} of a parameter of a law, to SI by `factor`; by default its
   bounds are the law's, and its family the one that these and two moments make.
 */
extern const ms_param_list ms_random_distribution;
/* The keys of `random`. */
extern const ms_param_list ms_random_parameters;
ms_status ms_random_read_distribution(const ms_study *study, struct fy_node *node,
                                      const ms_param *param, double factor, ms_distribution *out);
/* Rows of a distribution; the choice's index is an ms_family. */
#define MS_ROW_FAMILY(type)                                                  \
  MS_CHOICE(type, family, "uniform|exponential|normal|gamma|beta|lognormal", \
            MS_ELSE("beta between two bounds, gamma above one, else normal"), "of distributions")
#define MS_ROW_BOUNDS(type)                                       \
  MS_PAIR(type, bounds, "-", MS_ANY, MS_ELSE("those of the law"), \
          "of the distribution, in the unit of the parameter")
/* What these two say: bounds in SI, the law's in `lower` and `upper` at first. */
ms_family ms_random_take_family(int family, const double bounds[2], double factor, double *lower,
                                double *upper);

#endif
