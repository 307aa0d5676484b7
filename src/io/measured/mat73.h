/* MATLAB files of version 7.3. */
#ifndef MS_IO_MAT73_H
#define MS_IO_MAT73_H

#include "io/measured/binary.h"

/* All variables, those of structs by "struct.field". */
ms_status ms_mat73_read(ms_measurement_reader *r, const char *bytes, size_t length,
                        ms_binary_bound *bound, ms_variables *v);

#endif
