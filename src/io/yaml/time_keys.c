/* Keys of how to integrate in time. */
#include "io/yaml/time_keys.h"

const char *const ms_time_methods[] = { "newmark", "exponential" };

/* Stable whatever the step: gamma >= 1/2 and beta >= (gamma + 1/2)^2/4. Above 1 both only blur. */
#define GAMMA_RANGE .lower = 0.5, .upper = 1.0, .why = "below 1/2 the method feeds energy in"
#define BETA_RANGE \
  .lower = 0.25, .upper = 1.0, .why = "below (gamma + 1/2)^2/4 long steps are not stable"
#define BELOW_ONE .lower = 0.0, .upper = 1.0, .open = 3

static const ms_param time_keys[] = {
  MS_NUMBER(ms_time_options, step, "s", MS_POSITIVE, MS_REQUIRED, "time step"),
  MS_COUNT(ms_time_options, steps, MS_FROM(1), MS_REQUIRED, "number of steps"),
  MS_CHOICE(
      ms_time_options, method, MS_TIME_METHODS, MS_OPTIONAL,
      "newmark: average acceleration unless beta or gamma is given; exponential: exact in the "
      "linear part, divides a step where a stiff joint slips"),
  MS_NUMBER(ms_time_options, beta, NULL, BETA_RANGE, MS_ELSE("(gamma + 1/2)^2/4"),
            "of newmark; at least (gamma + 1/2)^2/4, which is stable whatever the step"),
  MS_NUMBER(ms_time_options, gamma, NULL, GAMMA_RANGE, MS_DEFAULT(0.5),
            "of newmark; above 1/2 it damps, fast modes most, and is of first order only"),
  MS_NUMBER(ms_time_options, tolerance, NULL, BELOW_ONE, MS_ELSE("steps of one length"),
            "of the relative error of a step: each is divided as it needs; with gamma = 1/2"),
};

enum { N_ADAPTIVE = sizeof time_keys / sizeof *time_keys };

const ms_param_list ms_time_keys = { time_keys, N_ADAPTIVE - 1 }; /* without the tolerance */
const ms_param_list ms_adaptive_time_keys = { time_keys, N_ADAPTIVE };
