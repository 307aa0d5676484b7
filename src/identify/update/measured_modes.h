/* Measured modes as a YAML file has them. */
#ifndef MS_IDENTIFY_UPDATE_MEASURED_MODES_H
#define MS_IDENTIFY_UPDATE_MEASURED_MODES_H

#include <microslip/update.h>

#include "io/yaml/keys.h"

/* A file, or a mapping with these keys; deviation: of frequencies that have none of their own.
 *out is to be freed even after a failure. */
extern const ms_param_list ms_measured_keys;
ms_status ms_measured_read(const ms_key_source *from, const ms_structure *structure,
                           struct fy_node *node, double deviation, ms_measured_table *out);

#endif
