/* What PETSc holds of a model, and what the files that use it share. */
#ifndef MS_FEM_SOLVE_PETSC_H
#define MS_FEM_SOLVE_PETSC_H

#include <slepceps.h>

#include "fem/model/model.h"

/* Returns from the function with PETSc's own words in the message. */
#define MS_PETSC(ctx, call)                                           \
  do {                                                                \
    PetscErrorCode petsc_code_ = (call);                              \
    if (petsc_code_) return ms_petsc_fail((ctx), petsc_code_, #call); \
  } while (0)
ms_status ms_petsc_fail(ms_context *ctx, PetscErrorCode code, const char *call);
/* 0 if MPI and PETSc are gone, at the end of the program. */
int ms_petsc_runs(void);
/* Nothing of it is ended any more: the processes are about to be aborted. */
void ms_petsc_forget(void);
/* communicator.c */
ms_status ms_communicator_make(ms_context *ctx, ms_communicator *out);
void ms_communicator_close(void);

struct ms_fem_engine_data {
  Mat K, M; /* T^T K T, T^T M T; rows of dependent coordinates are empty but for a diagonal
               in K, so that coordinates stay in threes and unknowns need no numbers */
  PetscInt begin, end; /* rows of this process */
  double diagonal;     /* the mean of K's, which stands in the empty rows */
  double shift;        /* (rad/s)^2, a little below zero */
  double far_shift;    /* the same for modes by multigrid */
  double rounding;     /* eigenvalues below this are rounding */
  double entries; /* of a factor of K, once it was analysed; all other matrices have K's pattern */
  MatNullSpace motions; /* the rigid-body motions, for multigrid */
  VecScatter spread;    /* from the rows of each process to all of them everywhere */
  Vec whole;
  double *Tg;      /* n: displacement of prescribed values alone; NULL if all are zero */
  double *Kg;      /* n: T^T K Tg, the load they make, with the opposite sign; NULL with Tg */
  double *inertia; /* 3 x n: T^T M r of translations r by 1 along x, y, z, supports included */
  double mass;     /* r^T M r: all of it */
};

ms_status ms_fem_assemble(ms_fem_model *m);
/* rigid_motions.c */
ms_status ms_fem_make_motions(ms_fem_model *m);
/* An element's mass X, n x n over coordinates of the model, adds to the inertia of translations: to
   the rows of this process and, if it `counts`, to the whole mass. */
void ms_fem_add_inertia(ms_fem_model *m, int n, const int32_t *index, int n_dof, const double *X,
                        int counts);
/* The sums over all processes. */
ms_status ms_fem_sum_inertia(ms_fem_model *m);

/* u = T q (+ g if with_g), in place over all coordinates. */
void ms_fem_expand(const ms_fem_model *m, double *u, int with_g);
/* f = T^T f: what acts on dependent coordinates goes to those they follow; in place. */
void ms_fem_project(const ms_fem_model *m, double *f);

/* A whole vector, the same on all processes, from and to a divided one. */
ms_status ms_fem_put(const ms_fem_model *m, const double *whole, Vec v);
ms_status ms_fem_get(const ms_fem_model *m, Vec v, double *whole);
ms_status ms_fem_get_diagonal(ms_fem_model *m, Mat A, double *d);
/* Y = A X, n whole vectors. */
ms_status ms_fem_multiply(ms_fem_model *m, Mat A, ptrdiff_t n, const double *X, double *Y);

/* ---- solver.c: A x = b by a direct factor or by multigrid ---- */

typedef struct ms_solver_plan {
  ms_fem_route route; /* direct or multigrid */
  double entries;     /* of the factor, as far as known */
  char text[160];
} ms_solver_plan;

/* Which route suits a matrix of K's pattern, by the settings, the symbolic factor and the memory.
 */
ms_status ms_solver_choose(ms_fem_model *m, Mat A, ms_solver_plan *plan);

typedef struct ms_solver {
  KSP ksp;                 /* on the direct route */
  struct ms_multigrid *mg; /* on the other */
  ms_solver_plan plan;
} ms_solver;

/* *s is to be closed after a failure as well. A must be positive definite, else MS_NOT_CONVERGED.
 */
ms_status ms_solver_open(ms_fem_model *m, Mat A, ms_solver *s);
/* The same where s->plan is made already. */
ms_status ms_solver_follow(ms_fem_model *m, Mat A, ms_solver *s);
/* n right-hand sides, whole vectors n_row apart, replaced by solutions. */
ms_status ms_solver_solve(ms_fem_model *m, ms_solver *s, ptrdiff_t n, double *b);
void ms_solver_close(ms_fem_model *m, ms_solver *s);
/* Bytes of memory that are free, or allowed. */
double ms_memory_free(const ms_fem_model *m);

/* statics.c: a solver for K, which must hold the model; to be closed after a failure as well. */
ms_status ms_statics_open(ms_fem_model *m, ms_solver *s);

/* ---- modes.c ---- */

struct ms_free_motions;

/* Modes of K, M, which have K's layout; shapes in unknowns, dependent ones not filled in. Free
   motions are the first of them as they are, and the others are sought beside them. */
ms_status ms_modes_find(ms_fem_model *m, Mat K, Mat M, const struct ms_free_motions *free,
                        ptrdiff_t n, double cutoff_hz, ms_fem_modes *out);
/* constraint_modes.c: one for each coordinate that is kept, into X; modes are those with the
   boundary fixed, of Kii and Mii. */
ms_status ms_constraint_modes_find(ms_fem_model *m, Mat Kii, Mat Mii, const ms_fem_modes *modes,
                                   double *X);
/* B = K - lambda M, to be destroyed, also after a failure. */
ms_status ms_modes_shift(ms_fem_model *m, Mat K, Mat M, double lambda, Mat *B);
/* Eigenvalues of K, M below lambda. */
ms_status ms_modes_count(ms_fem_model *m, Mat K, Mat M, double lambda, ptrdiff_t *n);

#endif
