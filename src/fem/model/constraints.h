/* Linear constraints between coordinates, and their elimination: u = T u + g, where the columns of
   T that belong to dependent coordinates are empty. Knows nothing of meshes. */
#ifndef MS_FEM_MODEL_CONSTRAINTS_H
#define MS_FEM_MODEL_CONSTRAINTS_H

#include <stdint.h>

#include <microslip/context.h>

/* sum coef u = value. */
typedef struct ms_equation {
  int owner;       /* index of its name */
  int32_t n;       /* terms, from `first` on */
  int32_t wish;    /* the coordinate that should become dependent, or -1 for the best */
  int strict;      /* 1: it must, and is refused if it is dependent already */
  int support;     /* 1: taken before those that are not */
  ptrdiff_t first; /* in the arrays of terms */
  double value;
} ms_equation;

typedef struct ms_equations {
  ms_context *ctx;
  char **name;
  int n_name, expected; /* 1 + the name that others may well follow from; 0: none */
  ms_equation *equation;
  ptrdiff_t n, max;
  int32_t *index;
  double *coef;
  ptrdiff_t n_term, max_term;
} ms_equations;

ms_status ms_equations_name(ms_equations *e, const char *name, int *owner);
/* `like` says all but n and first. */
ms_status ms_equations_add(ms_equations *e, ms_equation like, int32_t n, const int32_t *index,
                           const double *coef);
void ms_equations_free(ms_equations *e);

/* Row k says u[dependent[k]] = sum coef u[index] + g, in independent coordinates. */
typedef struct ms_elimination {
  ptrdiff_t n, n_row, n_redundant;
  int32_t *row_of;    /* n: the row of a dependent coordinate, else -1 */
  int32_t *dependent; /* n_row */
  int32_t *owner;     /* n_row */
  ptrdiff_t *start;   /* n_row + 1 */
  int32_t *index;
  double *coef, *g;
} ms_elimination;

/* "node 17 uz", for messages. */
typedef void (*ms_describe_fn)(const void *user, int32_t index, char *text, size_t size);

/* Equations are taken in their order, supports first. kept: coordinates that may not become
   dependent. *out is empty after a failure. */
ms_status ms_equations_eliminate(const ms_equations *e, ptrdiff_t n, const unsigned char *kept,
                                 ms_describe_fn describe, const void *user, ms_elimination *out);
void ms_elimination_free(ms_context *ctx, ms_elimination *t);

#endif
