/* Keys of how to integrate in time. */
#ifndef MS_IO_YAML_TIME_KEYS_H
#define MS_IO_YAML_TIME_KEYS_H

#include "io/yaml/keys.h"

/* In SI. */
typedef struct ms_time_options {
  double step, beta, gamma, tolerance;
  ptrdiff_t steps;
  int method;
} ms_time_options;
/* time: without and with a tolerance. */
extern const ms_param_list ms_time_keys, ms_adaptive_time_keys;
/* method: int, the index in ms_time_methods. */
extern const char *const ms_time_methods[];
#define MS_TIME_METHODS "newmark|exponential"

#endif
