/* The subspace in which modes are sought: blocks of vectors with their products, and Rayleigh's and
   Ritz's best vectors in their span. For lobpcg.c. */
#ifndef MS_FEM_SOLVE_RAYLEIGH_RITZ_H
#define MS_FEM_SOLVE_RAYLEIGH_RITZ_H

#include "fem/solve/multigrid.h"

/* A block with its products. */
typedef struct ms_ritz_block {
  Mat X, AX, MX;
} ms_ritz_block;

typedef struct ms_ritz {
  ms_fem_model *m;
  ms_multigrid *mg;
  Mat A, M;
  ms_ritz_block x, w, p;
  PetscInt n, n_block;         /* modes wanted; columns of X */
  PetscInt n_active, n_w, n_p; /* vectors that go on; columns of W and of P */
  PetscInt *active;            /* columns of X that go on */
  double *mu, *size;           /* n_block: eigenvalues, and |B R| of active ones */
  double *GA, *GM, *scratch;   /* matrices of Rayleigh and Ritz */
  double *panel;
} ms_ritz;

ms_status ms_ritz_open(ms_ritz *w);
void ms_ritz_close(ms_ritz *w);
void ms_ritz_free_block(ms_ritz_block *b);
ms_status ms_ritz_break_down(const ms_ritz *w);

/* The columns to keep, n of them, in new matrices; keep NULL: the first. */
ms_status ms_ritz_shrink(ms_ritz *w, ms_ritz_block *b, const unsigned char *keep, PetscInt n);
/* X^T M X = I, with fewer columns where some depend on the others. */
ms_status ms_ritz_orthonormalise(ms_ritz *w, ms_ritz_block *b, PetscInt *left);
/* W loses its part in X. */
ms_status ms_ritz_project(ms_ritz *w);
/* X becomes the best in the span of X, W and P, with eigenvalues mu; P what changed in it. */
ms_status ms_ritz_improve(ms_ritz *w);
/* X becomes the best in its own span. */
ms_status ms_ritz_settle(ms_ritz *w);

#endif
