/* Square matrices in a YAML file or beside it. */
#ifndef MS_IO_YAML_MATRIX_H
#define MS_IO_YAML_MATRIX_H

#include <microslip/io.h>

#include "io/yaml/yaml.h"

typedef struct ms_matrix_source {
  const ms_yaml *yaml;
  ms_context *ctx;     /* that owns the matrix */
  const ms_dofs *dofs; /* on these labels a file with labels is read; NULL: on its own */
  /* Whether there may be a matrix of so many rows, asked before it is full. NULL: any. */
  ms_status (*check)(const void *user, struct fy_node *node, ptrdiff_t n);
  const void *user;
} ms_matrix_source;

/* Rows, the diagonal as one list, or the name of a file; `what` is its name in complaints. *n is 0
   or the size there must be; *out is the caller's to ms_free, after a failure too. */
ms_status ms_yaml_read_matrix(const ms_matrix_source *from, struct fy_node *node, const char *what,
                              ptrdiff_t *n, double **out);
/* The labels of the files that mass and stiffness name, joined if both have some; else nothing is
   done. */
ms_status ms_yaml_join_labels(const ms_yaml *yaml, ms_context *ctx, struct fy_node *mass,
                              struct fy_node *stiffness, ms_dofs *dofs);

#endif
