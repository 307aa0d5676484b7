/* Force-state mapping, as its files share it. Per harmonic, complex amplitudes a - i b:
     y     what was measured: the force, then the sensors; R of them
     x     what is sought: the force again, then d of the axes sought; C of them. plain: the modes
     z, f  of the joint's axes, linear in y */
#ifndef MS_IDENTIFY_FORCE_STATE_FORCE_STATE_H
#define MS_IDENTIFY_FORCE_STATE_FORCE_STATE_H

#include <complex.h>
#include <microslip/force_state.h>

#include "structure/impl.h"

/* One harmonic; matrices of R columns. */
typedef struct ms_force_state_rows {
  double complex *y;               /* R values */
  double complex *half[2];         /* the same over the first and the second half of the record */
  double complex *z, *f;           /* n_axis x R: to z and f */
  double complex *fit;             /* R x R: to what the model makes of the measured */
  double complex *x;               /* n_x x R: to x */
  double complex *z_more, *f_more; /* n_axis: what curvature adds to z and f */
  double condition;
} ms_force_state_rows;

typedef struct ms_force_state_work {
  ms_context *ctx;
  const ms_structure *structure;
  const ms_attachment *attachment;
  const ms_force_state_request *request;
  const ms_force_state_setting *setting;
  int R, C, n_axis, axes, H;
  ptrdiff_t modes;         /* plain */
  int n_x;                 /* exact: C, plain: modes */
  double apart;            /* s: between the two halves; 0 where there are none */
  double fewer;            /* samples of the record over those of a half */
  double omega;            /* of the vibration */
  double *sigma;           /* R: standard deviation of a harmonic's coefficients */
  double *w;               /* H: k Omega */
  double *b;               /* n x n_axis: the axes' weights over the coordinates */
  double *response;        /* exact: pairs, H for every output and column */
  double *memory;          /* of these */
  double complex *scratch; /* of a method: enough for any of its matrices */
  ms_force_state_rows *rows;
  double complex *matrices; /* memory of rows and scratch */
} ms_force_state_work;

/* Matrices that a method fills for harmonic k (from 0). `prepare` once before that; `freedom`: how
   many more complex numbers are measured than are sought. `weigh`: G, n_x x n_x, with the energy of
   the stuck structure x^H G x/4, mean over a period; n_x numbers behind G are its to use. */
typedef struct ms_force_state_kind {
  const char *name;
  ms_status (*check)(const ms_force_state_work *work);
  ms_status (*prepare)(ms_force_state_work *work);
  ms_status (*fill)(ms_force_state_work *work, int k);
  int (*freedom)(const ms_force_state_work *work);
  void (*weigh)(const ms_force_state_work *work, int k, double *G);
} ms_force_state_kind;

/* all_modes.c, sensor_modes.c */
extern const ms_force_state_kind ms_force_state_exact, ms_force_state_plain;

/* curvature.c: once the rows are filled, takes what the joint's curvature does out of y,
   and puts the rest into z_more and f_more. Exact only. The residual is the last change, relative.
 */
ms_status ms_force_state_bend(ms_force_state_work *work, double *residual);

/* drift.c: harmonics of both halves of the record, if it has two periods; once
   everything is measured, what the vibration stores, and that in the deviation of the loss. */
ms_status ms_force_state_read_halves(ms_force_state_work *work,
                                     const ms_force_state_record *record);
void ms_force_state_measure_drift(const ms_force_state_work *work, const ms_force_state_kind *kind,
                                  ms_force_state *out);

/* force_state.c: harmonic k (from 0) of a channel, a - i b. The record's channels, R of them, on
   the grid of the force. */
double complex ms_force_state_get_amplitude(const ms_harmonics *fit, int channel, int k);
ms_status ms_force_state_fit(const ms_force_state_work *work, const ms_force_state_record *record,
                             ptrdiff_t n, ptrdiff_t periods, ms_harmonics *out);

/* least_squares.c: the pseudo-inverse, n_column x n_row, of A, n_row x n_column and
   overwritten; columns are scaled to length 1 before. scratch: n_column (n_row + n_column). The
   condition number is at most 1/DBL_EPSILON, and the inverse zero where it is. */
ms_status ms_force_state_invert(ms_context *ctx, int n_row, int n_column, double complex *A,
                                double complex *scratch, double complex *inverse,
                                double *condition);
/* C = A B, A n x m, B m x p. */
void ms_force_state_multiply(int n, int m, int p, const double complex *A, const double complex *B,
                             double complex *C);
/* rows[k].f = (K_T + i w C_T dashpot) z + d, d of the axes sought: d[axis + ld*column]. */
void ms_force_state_fill_forces(const ms_force_state_work *work, int k, double dashpot,
                                const double complex *d, int ld);

#endif
