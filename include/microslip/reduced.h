/* [structure] Reduced models: dense M and K over named degrees of freedom, the boundary first and
   then the modal ones q1, q2, ..., and optionally the basis that recovers the whole field. Once
   made they need no finite elements: they can be saved, read, assembled and used as a structure
   without them. */
#ifndef MICROSLIP_REDUCED_H
#define MICROSLIP_REDUCED_H

#include <microslip/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_reduced {
  ms_context *ctx;
  ptrdiff_t n, n_boundary;
  char **name;     /* n */
  double *M, *K;   /* n x n, symmetric */
  ptrdiff_t n_row; /* of the basis; 0 without */
  double *basis;   /* n_row x n: field = basis u */
  /* A translation r of everything by 1 along x, y, z; NULL where it is not known. */
  double *inertia; /* 3 x n: M r (kg), the mass of what is fixed included: while the ground
                      accelerates by a, the force -inertia a acts in coordinates relative to it */
  double *follow;  /* 3 x n: r in the coordinates, of modal ones as near as they come to it */
  double *turn;    /* 3 x n: a rotation of everything by 1 about x, y, z through the origin, in the
                      coordinates as `follow`; NULL where it is not known */
  double mass;     /* kg, what is fixed included */
  /* Motions z that strain nothing, rigid-body motions and mechanisms, with z^T M z = 1. */
  ptrdiff_t n_free;
  double *momentum; /* n x n_free: M z; NULL if there are none, or it is not known */
  double rounding;  /* (rad/s)^2: what the rounding of a mesh may add to omega^2 of a mode that is
                       none of these motions; 0 where K has no other rounding than that of its
                       entries, or it is not known */
} ms_reduced;

/* Zero matrices, no basis (n_row = 0) or a zero one; names are copied, and unique. */
MS_API ms_status ms_reduced_create(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_boundary,
                                   const char *const *name, ptrdiff_t n_row, ms_reduced **out);
MS_API void ms_reduced_destroy(ms_reduced **reduced);

/* Room for translations, zero at first, in a model without. */
MS_API ms_status ms_reduced_add_translations(ms_reduced *reduced);

/* These motions, n x n_free and independent, are known to strain nothing, and K came from a mesh
   with this rounding: the motions are scaled, and taken out of K, which has them to rounding of its
   own entries then. */
MS_API ms_status ms_reduced_set_free(ms_reduced *reduced, ptrdiff_t n_free, const double *motion,
                                     double rounding);

/* omega (rad/s), n of them, rising; 0 where lambda is below what rounding leaves. */
MS_API ms_status ms_reduced_find_omega(const ms_reduced *reduced, double *omega);

/* Sub-structures put together: coordinates of boundary i of part p named "part.name"; each pair of
   names in `same` (2 n_same of them) becomes one coordinate, which keeps the first name. Modal
   coordinates are named "part.q1", .... The basis is left out, and translations where a part has
   none. */
MS_API ms_status ms_reduced_assemble(ms_context *ctx, ptrdiff_t n_part, const char *const *part,
                                     const ms_reduced *const *reduced, ptrdiff_t n_same,
                                     const char *const *same, ms_reduced **out);

/* A structure with these coordinates, M and K, before its setup. */
MS_API ms_status ms_reduced_make_structure(const ms_reduced *reduced, ms_structure **out);

/* ---- in a structure that was made of it; coordinates may have become one since, and have joints
   ---- */

/* M times a translation of everything by 1 along x, y, z (direction 0, 1, 2) is added to y, the
   ground's share included; where iota is not NULL, that translation in the coordinates is written
   there. The model must know its translations (`inertia`). */
MS_API ms_status ms_reduced_add_inertia(const ms_reduced *reduced, const ms_structure *structure,
                                        int direction, double *y, double *iota);
/* Whether a ground that moves along d loads anything: not where all that could follow is held, and
   a sector of a body of revolution feels its axis alone. Needs the inertia, too. */
MS_API int ms_reduced_feels_ground(const ms_reduced *r, int d);
/* Mechanisms of the structure, after its setup: stuck modes without frequency beyond motions of
   everything as one rigid body. *motion is n x *n_motion, orthonormal in M, NULL where there are
   none, to be freed by ms_free. None where the model does not know `follow` and `turn`. */
MS_API ms_status ms_reduced_find_mechanisms(const ms_reduced *reduced,
                                            const ms_structure *structure, ptrdiff_t *n_motion,
                                            double **motion);

/* Numbers without meaning for a model that has names only, for who checks what would be done with
   it: mass 1, distinct frequencies above 0, modes that move at every coordinate, translations of 1
   everywhere. */
MS_API ms_status ms_reduced_stand_in(ms_reduced *reduced);

/* ---- files ---- */

/* HDF5: names, boundary (their number), mass, stiffness, and basis where there is one. Written
   beside, then renamed. Reads back bit for bit; sizes, symmetry and numbers are checked. */
MS_API ms_status ms_reduced_write(const ms_reduced *reduced, const char *path);
MS_API ms_status ms_reduced_read(ms_context *ctx, const char *path, ms_reduced **out);

#ifdef __cplusplus
}
#endif
#endif
