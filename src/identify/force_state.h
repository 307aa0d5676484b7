/* Force-state mapping, as its files share it. Per harmonic, complex amplitudes a - i b:
     y     what was measured: the force, then the sensors; R of them
     x     what is sought: the force again, then d of the axes sought; C of them
     z, f  of the joint's axes, linear in y */
#ifndef MS_IDENTIFY_FORCE_STATE_H
#define MS_IDENTIFY_FORCE_STATE_H

#include <complex.h>
#include <microslip/force_state.h>

#include "structure/impl.h"

/* One harmonic; matrices of R columns. */
typedef struct ms_force_state_rows {
  double complex *y;               /* R values */
  double complex *z, *f;           /* n_axis x R: to z and f */
  double complex *fit;             /* R x R: to what the model makes of the measured */
  double complex *x;               /* C x R: to x; exact only */
  double complex *z_more, *f_more; /* n_axis: what curvature adds to z and f */
  double condition;
} ms_force_state_rows;

typedef struct ms_force_state_work {
  ms_context *ctx;
  const ms_structure *structure;
  const ms_seat *seat;
  const ms_force_state_request *request;
  const ms_force_state_setting *setting;
  int R, C, n_axis, axes, H;
  ptrdiff_t modes;      /* plain */
  double omega;         /* of the vibration */
  double *sigma;        /* R: standard deviation of a harmonic's coefficients */
  double *w;            /* H: k Omega */
  double *b;            /* n x n_axis: the axes' weights over the coordinates */
  double *response;     /* exact: pairs, H for every output and column */
  double *memory;       /* of these */
  double complex *room; /* of a method: enough for any of its matrices */
  ms_force_state_rows *rows;
  double complex *matrices; /* memory of rows and room */
} ms_force_state_work;

/* Matrices that a method fills for harmonic k (from 0). `prepare` once before that; `freedom`: how
   many more complex numbers are measured than are sought. */
typedef struct ms_force_state_kind {
  const char *name;
  ms_status (*check)(const ms_force_state_work *work);
  ms_status (*prepare)(ms_force_state_work *work);
  ms_status (*fill)(ms_force_state_work *work, int k);
  int (*freedom)(const ms_force_state_work *work);
} ms_force_state_kind;

/* force_state_exact.c, force_state_plain.c */
extern const ms_force_state_kind ms_force_state_exact, ms_force_state_plain;

/* force_state_curved.c: once the rows are filled, takes what the joint's curvature does out of y,
   and puts the rest into z_more and f_more. Exact only. The residual is the last change, relative.
 */
ms_status ms_force_state_bend(ms_force_state_work *work, double *residual);

/* force_state_algebra.c: the pseudo-inverse, n_column x n_row, of A, n_row x n_column and
   overwritten; columns are scaled to length 1 before. room: n_column (n_row + n_column). The
   condition number is at most 1/DBL_EPSILON, and the inverse zero where it is. */
ms_status ms_force_state_invert(ms_context *ctx, int n_row, int n_column, double complex *A,
                                double complex *room, double complex *inverse, double *condition);
/* C = A B, A n x m, B m x p. */
void ms_force_state_multiply(int n, int m, int p, const double complex *A, const double complex *B,
                             double complex *C);
/* rows[k].f = (K_T + i w C_T dashpot) z + d, d of the axes sought: d[axis + ld*column]. */
void ms_force_state_fill_forces(const ms_force_state_work *work, int k, double dashpot,
                                const double complex *d, int ld);

#endif
