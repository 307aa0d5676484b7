/* Keys of what a test brings: parts that are attached to the structure, measured sines. */
#ifndef MS_IO_YAML_TEST_KEYS_H
#define MS_IO_YAML_TEST_KEYS_H

#include "io/yaml/tables.h"

typedef struct ms_attached_options {
  const char *at, *to;
  double mass, stiffness;
  int direction;
} ms_attached_options;
/* Of this struct, and all parts by name. */
extern const ms_param_list ms_attached_part_keys, ms_attached_keys;

/* The key `swept` of a measured sine that is a record, and the key `measured`: a file with the keys
   `columns` and `swept`. */
typedef struct ms_swept_options {
  const char *force, *channel;
  ptrdiff_t periods, rows;
} ms_swept_options;
extern const ms_param_list ms_swept_keys, ms_measured_sine_keys;
#define MS_ROW_SWEPT                                                                     \
  {                                                                                      \
    .name = "swept", .kind = MS_PARAM_FORMS, .forms = "mapping", .keys = &ms_swept_keys, \
    .fallback = "none",                                                                  \
    .meaning = "the file is no table, but the record of a swept sine: its channels"      \
  }

#endif
