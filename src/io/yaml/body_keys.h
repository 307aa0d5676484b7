/* Keys of bodies of solid elements: a block with holes, rings. */
#ifndef MS_IO_YAML_BODY_KEYS_H
#define MS_IO_YAML_BODY_KEYS_H

#include "io/yaml/keys.h"

typedef struct ms_holes_of {
  struct fy_node *at;
  ms_few radius, rings, elements;
} ms_holes_of;

typedef struct ms_block_of {
  ms_few size, at, elements;
  struct fy_node *holes;
} ms_block_of;

typedef struct ms_rings_of {
  ms_few at, radius, rings, height, layers;
  ptrdiff_t core;
  int axis;
  const char *like;
  struct fy_node *filled;
  double sector;
} ms_rings_of;

/* Of these structs. */
extern const ms_param_list ms_hole_keys, ms_block_keys, ms_rings_keys;

#endif
