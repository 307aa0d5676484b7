/* The structure, as the rooms that compute with it see it. */
#ifndef MS_STRUCTURE_IMPL_H
#define MS_STRUCTURE_IMPL_H

#include <microslip/structure.h>

#include "structure/tolerance.h"

typedef enum ms_damping_kind {
  MS_DAMPING_NONE,
  MS_DAMPING_MODAL,
  MS_DAMPING_RAYLEIGH,
  MS_DAMPING_MATRIX
} ms_damping_kind;

/* What rounding may make of modes. From a mesh come motions that strain nothing and are exact in K,
   and a level of rounding; it concerns a mode x as far as it is none of them, by
   1 - |momentum^T x|^2. */
typedef struct ms_rounding {
  double doubt; /* of the largest omega^2, where nothing else is known: ms_structure_tol.doubt, or 0
                   where K was put together here, spring by spring */
  double level; /* (rad/s)^2, of a mesh; 0: none */
  ptrdiff_t n_free;
  const double *momentum; /* n x n_free: M z of motions z that strain nothing, z^T M z = 1 */
} ms_rounding;

/* A joint in its place: axes first .. first + n_axis - 1 of the structure's joint axes. */
typedef struct ms_attachment {
  char *name;
  ms_joint *joint;
  ptrdiff_t first, from[MS_JOINT_MAX_AXIS], to[MS_JOINT_MAX_AXIS];
  double stuck[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];   /* tangent dF/du of the virgin joint */
  double dashpot[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS]; /* its dF/dv */
  double *mapping_row[MS_JOINT_MAX_AXIS];                /* n weights, or NULL */
  double *G[MS_JOINT_MAX_AXIS];                          /* curvature, n x n, or NULL */
  ptrdiff_t curved_modes;                                /* of it, as given */

  /* After setup. Of a attachment with curvature the lowest n_curved modal coordinates y are axes
     too, first_curved .. first_curved + n_curved - 1, after those of all joints: z = gamma^T q +
     y^T curvature y/2,   force on y: curvature y f. */
  ptrdiff_t n_curved, first_curved;
  double *curvature[MS_JOINT_MAX_AXIS]; /* n_curved x n_curved, or NULL */
} ms_attachment;

/* A spring that was added, k between two coordinates. */
typedef struct ms_spring {
  char *name;
  ptrdiff_t from, to;
  double k;
} ms_spring;

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
  double *mass;      /* n that were added and are part of M; NULL: none */
  ms_spring *spring; /* in K */
  ptrdiff_t n_spring;
  ms_rounding rounding; /* of K */
  double *momentum;     /* its momentum */
  ms_damping_kind damping;
  double *zeta, *C, rayleigh[2];
  ms_attachment *attachment;
  int n_attachment;
  ptrdiff_t n_axis;                        /* of all joints together */
  ptrdiff_t n_curved;                      /* axes that curvature adds */
  const struct ms_contact_family *contact; /* borrowed; NULL: none */
  int ready;

  /* after setup */
  int shared;                      /* of a copy: what follows is that of the original */
  double *omega, *shape;           /* stuck */
  double *omega_slip, *shape_slip; /* slipped */
  double *gamma;                   /* Phi^T B, n x (n_axis + n_curved) */
  double *modal_damping;           /* Phi^T C Phi: n diagonal entries */
  double *modal_damping_full;      /* n x n where the modes do not diagonalise C, else NULL */
};

/* What the methods in modal coordinates need of a structure, and all they need: they cost nothing
   for coordinates that no joint touches. Owned by the structure, valid until its next setup. */
typedef struct ms_modal {
  ptrdiff_t m, n;                  /* modes, joint axes */
  const double *omega;             /* of the stuck structure, rising; 0 for rigid-body modes */
  const double *damping;           /* 2 zeta omega */
  const double *damping_full;      /* m x m where the modes do not diagonalise C, else NULL */
  const double *gamma;             /* Phi^T B, m x n */
  const ms_attachment *attachment; /* the joints; their axes are first .. first + n_axis - 1 of n */
  int n_attachment;
} ms_modal;

static inline ms_modal ms_structure_view(const ms_structure *s) {
  return (ms_modal) { .m = s->n,
                      .n = s->n_axis,
                      .omega = s->omega,
                      .damping = s->modal_damping,
                      .damping_full = s->modal_damping_full,
                      .gamma = s->gamma,
                      .attachment = s->attachment,
                      .n_attachment = s->n_attachment };
}

/* modes.c: the stuck mode of s most like mode r of the reference, over the same coordinates, and
   its MAC, in the reference's mass. */
ms_status ms_structure_find_like(const ms_structure *s, const ms_structure *reference, ptrdiff_t r,
                                 ptrdiff_t *out, double *mac);

/* structure.c */
/* Another ratio of one mode, in modal damping; a structure that is set up stays so. */
ms_status ms_structure_change_damping(ms_structure *s, ptrdiff_t r, double zeta);
/* Adds to the list of springs alone; name NULL: its number. */
ms_status ms_structure_keep_spring(ms_structure *s, const char *name, ptrdiff_t i, ptrdiff_t j,
                                   double k);
/* K += change of spring i, without a new setup. */
void ms_structure_stiffen(ms_structure *s, ptrdiff_t i, double change);
ms_status ms_structure_allocate_square(ms_context *ctx, ptrdiff_t n, double **out);
ms_status ms_structure_check_coordinate(const ms_structure *s, ptrdiff_t i);
/* to := A, n x n, which must be finite and symmetric. */
ms_status ms_structure_copy_symmetric(ms_structure *s, const double *A, const char *what,
                                      double *to);

/* ms_structure_setup without solving for modes, for checks: placeholder_modes.c has what stands in
   for them. Damping by a matrix is left out. */
ms_status ms_structure_outline(ms_structure *s);
void ms_structure_stand_in(ms_structure *s); /* its omega, shape, omega_slip, shape_slip */

/* attachment.c: K += B K_T B^T, or with what the joints keep in macroslip in place of K_T. */
void ms_attachments_add_stiffness(const ms_structure *s, int slipped, double *K);
/* 1 if the slipped structure is another one than the stuck one. */
int ms_attachments_slip(const ms_structure *s);
/* Their parameters may be others by now. */
ms_status ms_attachments_find_stuck(ms_structure *s);
/* gamma, and curvature in modes; ms_attachments_forget undoes the latter. */
ms_status ms_attachments_project(ms_structure *s);
void ms_attachments_forget(ms_structure *s);
void ms_attachments_close(ms_structure *s);
/* force += b f of that axis, without its curvature. */
void ms_attachment_push(const ms_structure *s, const ms_attachment *attachment, int axis, double f,
                        double *force);
int ms_structure_is_curved(const ms_structure *s);
/* For what knows nothing of curvature. */
ms_status ms_structure_refuse_curved(const ms_structure *s, const char *what);

/* beam.c: the nodes of a beam on its own. */
struct ms_beam;
struct ms_beam_node;
ms_status ms_beam_list_nodes(ms_context *ctx, const struct ms_beam *beam, ptrdiff_t *n,
                             struct ms_beam_node **node);

/* Copied. After the stiffness was set. */
ms_status ms_structure_set_rounding(ms_structure *s, ms_rounding rounding);

/* modes.c: solves K x = omega^2 M x; both n x n and kept. A mode is rigid where K's own rounding
   can make it one, or omega^2 is below `doubt` of the largest: what a K that was computed
   elsewhere leaves of rigid modes. Where the level of its mesh is known, it is that at most. */
ms_status ms_modes_solve(ms_context *ctx, ptrdiff_t n, const double *K, const double *M,
                         const ms_rounding *rounding, char *const *name, double *omega,
                         double *shape);
#define MS_MASS_NOT_DEFINITE \
  "the mass matrix is not positive definite: degree of freedom '%s' needs mass"

/* definite.c: whether ms_modes_solve would refuse M, or K, of which it makes other numbers; M is
   positive definite then. MS_ERR_ARGUMENT. */
ms_status ms_modes_check_mass(ms_context *ctx, ptrdiff_t n, const double *M, char *const *name);
ms_status ms_modes_check_stiffness(ms_context *ctx, ptrdiff_t n, double *K, const double *M,
                                   const ms_rounding *rounding, char *const *name);

#endif
