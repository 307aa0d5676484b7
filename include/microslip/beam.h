/* [structure] A straight beam that bends in a plane, as a structure: Euler-Bernoulli, along x from
   0 to L.

   Elements are cubic with their exact mass: deflections under loads at the nodes are exact,
   frequencies converge with the fourth power of the length of an element. SI units. */
#ifndef MICROSLIP_BEAM_H
#define MICROSLIP_BEAM_H

#include <microslip/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Across the beam; a pinned end turns freely, a clamped one does not. */
typedef enum ms_beam_support { MS_BEAM_FREE, MS_BEAM_PINNED, MS_BEAM_CLAMPED } ms_beam_support;

/* Along the beam it is a rod held at its start, of stiffness E A/L, with one coordinate ux at its
   end. Whatever the support of the end, it does not hold ux. */
typedef enum ms_beam_axial {
  MS_BEAM_AXIAL_NONE,    /* no coordinate: the beam is rigid along x */
  MS_BEAM_AXIAL_STATIC,  /* with MS_BEAM_STATIC_MASS of the beam's mass: nearly without inertia */
  MS_BEAM_AXIAL_INERTIAL /* with rho A L/3, that of a rod stretched evenly */
} ms_beam_axial;
#define MS_BEAM_STATIC_MASS 1e-6

/* A place that has a node, and what is fixed to it there. */
typedef struct ms_beam_point {
  const char *name;
  double x;       /* m, from 0 to L */
  double mass;    /* kg, >= 0; moves across the beam, not along it */
  double inertia; /* kg m^2, >= 0, about an axis across the plane */
} ms_beam_point;

typedef struct ms_beam {
  double L;           /* m */
  double A, I;        /* m^2, m^4: area and second moment of the section */
  double E, rho;      /* Pa, kg/m^3 */
  ptrdiff_t elements; /* at least so many; between points they are of one length */
  ms_beam_support start, end;
  ms_beam_axial axial;
  const ms_beam_point *point; /* in any order; several may be at one place */
  ptrdiff_t n_point;
} ms_beam;

/* Coordinates are those of the nodes from the start on, uy = w and rz = w', then ux of the end:
   NAME.uy, NAME.rz with the name of the first point there is at that place, else start, end, b1,
   b2, .... Other points there, start and end are further names of the same; what a support holds
   is the ground under its names. Without joints and damping; the caller sets it up. */
MS_API ms_status ms_beam_make_structure(ms_context *ctx, const ms_beam *beam, ms_structure **out);

/* G = int N' N'^T dx over that structure's n coordinates (n x n), exact: an end that may move along
   x comes nearer by u^T G u/2, the half of int w'^2 dx, when the beam bends. */
MS_API ms_status ms_beam_fill_shortening(ms_context *ctx, const ms_beam *beam, ptrdiff_t n,
                                         double *G);

/* r = M iota over that structure's n coordinates, iota a translation by 1 of the whole beam along x
   (direction 0) or y (1): the supports move too, and so does the mass that the elements have
   between what they hold and what is free. Relative to a ground of acceleration a the force is -r
   a. Along x that of a rod stretched evenly: 3/2 of the mass of ux. All 0 where the beam has no
   such coordinate. */
MS_API ms_status ms_beam_fill_inertia(ms_context *ctx, const ms_beam *beam, int direction,
                                      ptrdiff_t n, double *r);

/* The same in a structure that was made of the beam and may have joints and coordinates that became
   one since: y += r, in the structure's coordinates. */
MS_API ms_status ms_beam_add_inertia(const ms_beam *beam, const ms_structure *structure,
                                     int direction, double *y);
/* There, too: the nodes from the start on, to be freed by ms_free, with their coordinates in that
   structure; MS_GROUND where a node is held or has none. */
typedef struct ms_beam_node {
  double x; /* m */
  ptrdiff_t uy, rz, ux;
} ms_beam_node;
MS_API ms_status ms_beam_find_nodes(const ms_beam *beam, const ms_structure *structure,
                                    ptrdiff_t *n, ms_beam_node **node);
/* There, too: each of the first n_axis axes of a joint that is attached to end.ux feels the
   shortening with its weight on that, as ms_structure_set_curvature has it. Refused where none is,
   and where there is no end.ux or no beam (NULL). */
MS_API ms_status ms_beam_set_shortening(const ms_beam *beam, ms_structure *structure, int joint,
                                        int n_axis, ptrdiff_t modes);

#ifdef __cplusplus
}
#endif
#endif
