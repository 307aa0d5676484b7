/* Losses of a joint against its amplitude, from a table that a YAML file names. */
#ifndef MS_IDENTIFY_DENSITY_LOSSES_FILE_H
#define MS_IDENTIFY_DENSITY_LOSSES_FILE_H

#include <microslip/density_estimate.h>

#include "io/yaml/tables.h"

/* Which columns and rows are meant. */
typedef struct ms_losses_file {
  const char *file;        /* for complaints */
  struct fy_node *columns; /* the key that names them; NULL: none does */
  const char *column[3];   /* amplitude, loss, deviation; NULL: they are called so */
  int same_noise;          /* 1: deviations are not read */
  const char *joint;       /* of a table of several the rows of this one; NULL: all are of one */
  const ms_units *units;   /* of the joint; tables that a study has written are in SI */
} ms_losses_file;

ms_status ms_losses_reserve(ms_context *ctx, ptrdiff_t n, ms_loss_samples *x);
/* x, empty at first, is in SI; x->A is the caller's to free, after a failure too. */
ms_status ms_losses_read_file(const ms_yaml *yaml, struct fy_node *file, const ms_losses_file *of,
                              ms_loss_samples *x, int *has_deviation);

#endif
