/* A mesh assembled, for tests: symmetric band matrices and LAPACK. Six or three unknowns per node,
   all the same through the mesh. */
#ifndef MS_TEST_FEM_BAND_H
#define MS_TEST_FEM_BAND_H

#include <microslip/fem.h>

typedef struct test_band {
  const ms_mesh *mesh;
  int n_dof;
  ptrdiff_t n, kd;      /* unknowns, diagonals below the main one */
  double *K, *M;        /* (kd + 1) x n, lower band storage of LAPACK */
  unsigned char *fixed; /* n */
} test_band;

/* Assembles both matrices; ends the program if memory is short. */
test_band test_band_open(const ms_mesh *mesh, int n_dof);
void test_band_close(test_band *b);

void test_band_fix(test_band *b, ptrdiff_t node, int dof);
/* Fixes components of all nodes of a set: bits 1, 2, 4 for x, y, z and 8, 16, 32 for rotations. */
void test_band_fix_set(test_band *b, const char *set, int components);

/* y = A x with one of the two matrices. */
void test_band_multiply(const test_band *b, const double *A, const double *x, double *y);
/* K u = f, with u given where it is fixed; f is n long and kept. Returns u' K u. */
double test_band_solve(const test_band *b, const double *f, double *u);
/* The lowest n_mode frequencies (Hz) by subspace iteration; shape (n x n_mode) may be NULL. K with
   shift (rad/s)^2 must be positive definite: 0 unless the body is free. */
void test_band_modes(const test_band *b, int n_mode, double shift, double *freq_hz, double *shape);

#endif
