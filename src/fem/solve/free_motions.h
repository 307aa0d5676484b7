/* Motions of a model that strain nothing. */
#ifndef MS_FEM_SOLVE_FREE_MOTIONS_H
#define MS_FEM_SOLVE_FREE_MOTIONS_H

#include "fem/mesh/bodies.h"
#include "fem/solve/petsc.h"

typedef struct ms_free_motions {
  int known;   /* 0: too many parts to tell; n is 0 then */
  ptrdiff_t n; /* how many there are */
  ptrdiff_t
      whole; /* the first of them move the model as one rigid body; the others are mechanisms */
  double *u; /* size of the model x n: unknowns, dependent ones 0, and u^T M u = 1 */
  char moves[192]; /* what the mechanisms move: "part 'lid', spider 'bolt' rz"; "" if none */
} ms_free_motions;

/* What free_motions.c knows of the model's coordinates. */
typedef struct ms_free_places {
  ms_bodies bodies;
  ms_body whole;  /* the model as one body */
  int32_t *node;  /* of a coordinate */
  int32_t *loose; /* of a coordinate outside of all bodies: an unknown of its own; else -1 */
} ms_free_places;

/* mechanisms.c: turns the motions so that those of the whole come first, and names the others. */
ms_status ms_free_motions_split(ms_fem_model *m, Mat M, const ms_free_places *at,
                                ms_free_motions *out);

/* held: coordinates that are kept stand still. M has the model's layout. *out is to be freed after
   a failure as well. */
ms_status ms_free_motions_find(ms_fem_model *m, Mat M, int held, ms_free_motions *out);
void ms_free_motions_free(ms_context *ctx, ms_free_motions *motions);

#endif
