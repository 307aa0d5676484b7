/* Rows of keys that several analyses have. `type` is the struct of options, whose member of the
   key's name is a struct fy_node * for the function that reads it. */
#ifndef MS_STUDY_FILE_SHARED_KEYS_H
#define MS_STUDY_FILE_SHARED_KEYS_H

#include "io/yaml/time_keys.h"
#include "study/file/options.h"

/* method: int, the index in ms_time_methods; ms_check_method. */
#define MS_ROW_METHOD(type) \
  MS_CHOICE(type, method, MS_TIME_METHODS, MS_OPTIONAL, "time integration")
/* segments: ms_read_segments. */
#define MS_ROW_SEGMENTS(type)                                                                     \
  MS_FORMS(type, segments, "whole number >= 4, or mapping",                                       \
           MS_ELSE("40 for mode 1, 100 for others"),                                              \
           "pieces of the piecewise linear fit to envelope and phase, of all modes or as {mode: " \
           "number}; fewer where a piece would be shorter than four periods")
#define MS_ROW_LEVELS(type, text) \
  MS_FORMS_WITH(type, levels, "number, list or mapping", ms_level_keys, MS_REQUIRED, text)

#endif
