/* CalculiX (Debian: calculix-ccx) on a mesh of hex8 with one contact that has a layer: its input,
   its run and the displacements that it finds. */
#ifndef MS_TEST_FEM_CALCULIX_H
#define MS_TEST_FEM_CALCULIX_H

#include <microslip/fem.h>

typedef struct calculix_job {
  const ms_mesh *mesh;
  const char *contact[2]; /* sets of faces */
  double E, nu, mu;       /* Pa */
  double K_n, K_t;        /* N/m3 */
  int n_fixed;            /* sets of nodes, and the components held: 1 x, 2 y, 4 z */
  const char *const *fixed;
  const int *component;
  ptrdiff_t n_load;
  const double *load; /* N, 3 nodes x n_load */
  ptrdiff_t n_turn;   /* loads change along straight lines between turns */
  const double *turn; /* n_load x n_turn: factors of the loads there; before the first they are 0 */
  const int *steps;   /* n_turn: load steps on the way to each */
} calculix_job;

/* n of them: what load k moves, sum of load times displacement (J), n_load x all load steps. Input
   and output are in `folder`, which is made. *seconds: of processor, that CalculiX took. 0: it did
   not run, or ended early. */
int calculix_run(const calculix_job *job, const char *folder, double *v, double *seconds);

#endif
