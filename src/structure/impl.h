/* The structure, as the rooms that compute with it see it. */
#ifndef MS_STRUCTURE_IMPL_H
#define MS_STRUCTURE_IMPL_H

#include <microslip/structure.h>

typedef enum ms_damping_kind {
  MS_DAMPING_NONE,
  MS_DAMPING_MODAL,
  MS_DAMPING_RAYLEIGH,
  MS_DAMPING_MATRIX
} ms_damping_kind;

/* A joint in its place: axes first .. first + n_axis - 1 of the structure's joint axes. */
typedef struct ms_seat {
  char *name;
  ms_joint *joint;
  ptrdiff_t first, from[MS_JOINT_MAX_AXIS], to[MS_JOINT_MAX_AXIS];
  double stuck[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];   /* tangent dF/du of the virgin joint */
  double dashpot[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS]; /* its dF/dv */
} ms_seat;

/* Another name of a coordinate. */
typedef struct ms_alias {
  char *name;
  ptrdiff_t i;
} ms_alias;

struct ms_structure {
  ms_context *ctx;
  ptrdiff_t n;
  char **name;
  ms_alias *alias;
  ptrdiff_t n_alias;
  double *M, *K;
  ms_damping_kind damping;
  double *zeta, *C, rayleigh[2];
  ms_seat *seat;
  int n_seat;
  ptrdiff_t n_axis; /* of all joints together */
  int ready;

  /* after setup */
  double *omega, *shape;           /* stuck */
  double *omega_slip, *shape_slip; /* slipped */
  double *gamma;                   /* Phi^T B, n x n_axis */
  double *modal_damping;           /* Phi^T C Phi: n diagonal entries */
  double *modal_damping_full;      /* n x n where the modes do not diagonalise C, else NULL */
};

/* What the methods in modal coordinates need of a structure, and all they need: they cost nothing
   for coordinates that no joint touches. Owned by the structure, valid until its next setup. */
typedef struct ms_modal {
  ptrdiff_t m, n;             /* modes, joint axes */
  const double *omega;        /* of the stuck structure, rising; 0 for rigid-body modes */
  const double *damping;      /* 2 zeta omega */
  const double *damping_full; /* m x m where the modes do not diagonalise C, else NULL */
  const double *gamma;        /* Phi^T B, m x n */
  const ms_seat *seat;        /* the joints; their axes are first .. first + n_axis - 1 of n */
  int n_seat;
} ms_modal;

static inline ms_modal ms_structure_view(const ms_structure *s) {
  return (ms_modal) { .m = s->n,
                      .n = s->n_axis,
                      .omega = s->omega,
                      .damping = s->modal_damping,
                      .damping_full = s->modal_damping_full,
                      .gamma = s->gamma,
                      .seat = s->seat,
                      .n_seat = s->n_seat };
}

/* modes.c: solves K x = omega^2 M x; both n x n and kept. */
ms_status ms_modes_solve(ms_context *ctx, ptrdiff_t n, const double *K, const double *M,
                         char *const *name, double *omega, double *shape);

#endif
