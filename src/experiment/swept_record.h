/* A measured sine as a YAML file names it. */
#ifndef MS_EXPERIMENT_SWEPT_RECORD_H
#define MS_EXPERIMENT_SWEPT_RECORD_H

#include "io/yaml/tables.h"

/* ms_point_table_read_sine, or where there is the key `swept`, from records of a swept sine;
   `steady`: refused where it is too fast for steady states. */
ms_status ms_sine_read(const ms_key_source *from, struct fy_node *node, const char *key, int steady,
                       ms_point_table *t);

#endif
