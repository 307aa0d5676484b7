/* Modes in a YAML file: lists of their numbers, which count from 1, and mappings by them. */
#ifndef MS_IO_YAML_MODES_H
#define MS_IO_YAML_MODES_H

#include "io/yaml/yaml.h"

/* A list of mode numbers, or where node is NULL all `size` of them; *mode is from 0 and the
   caller's to ms_free. */
ms_status ms_yaml_read_modes(const ms_yaml *yaml, struct fy_node *node, ptrdiff_t size, int **mode,
                             int *n);
/* A mapping with modes for keys may name only those that are looked at; what is no mapping
   passes. */
ms_status ms_yaml_check_mode_keys(const ms_yaml *yaml, struct fy_node *mapping, const char *what,
                                  const int *mode, int n);
/* A whole number for all modes, or {mode: number}: into out, which has the defaults. */
ms_status ms_yaml_read_mode_counts(const ms_yaml *yaml, struct fy_node *node, const char *what,
                                   ptrdiff_t least, const int *mode, int n, ptrdiff_t *out);

#endif
