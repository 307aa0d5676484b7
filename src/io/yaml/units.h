/* Units that a file says its numbers are in. */
#ifndef MS_IO_YAML_UNITS_H
#define MS_IO_YAML_UNITS_H

#include "core/units.h"
#include "io/yaml/yaml.h"

extern const ms_param_list ms_units_keys;
/* SI, also where node is NULL, or a mapping of units that agree with Newton's law. */
ms_status ms_yaml_read_units(const ms_yaml *yaml, struct fy_node *node, ms_units *units);

#endif
