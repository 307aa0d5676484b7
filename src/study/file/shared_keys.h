/* Rows of keys that several analyses have. `type` is the struct of options, whose member of the
   key's name is a struct fy_node * for the function that reads it. */
#ifndef MS_STUDY_FILE_SHARED_KEYS_H
#define MS_STUDY_FILE_SHARED_KEYS_H

#include "study/file/options.h"

/* time: ms_read_time, or with a tolerance ms_read_adaptive_time. */
extern const ms_param_list ms_time_keys, ms_adaptive_time_keys;
/* method: int, the index in ms_time_methods; ms_check_method. */
extern const char *const ms_time_methods[];
#define MS_TIME_METHODS "newmark|exponential"
#define MS_ROW_METHOD(type) \
  MS_CHOICE(type, method, MS_TIME_METHODS, MS_OPTIONAL, "time integration")
/* segments: ms_read_segments. */
#define MS_ROW_SEGMENTS(type)                                                                     \
  MS_FORMS(type, segments, "whole number >= 4, or mapping",                                       \
           MS_ELSE("40 for mode 1, 100 for others"),                                              \
           "pieces of the piecewise linear fit to envelope and phase, of all modes or as {mode: " \
           "number}; fewer where a piece would be shorter than four periods")
/* levels: ms_read_amplitudes. */
extern const ms_param_list ms_level_keys;
#define MS_ROW_LEVELS(type, text) \
  MS_FORMS_WITH(type, levels, "number, list or mapping", ms_level_keys, MS_REQUIRED, text)

#endif
