/* Contact points: what pairs of nodes and Gauss points share. */
#ifndef MS_FEM_CONTACT_POINTS_H
#define MS_FEM_CONTACT_POINTS_H

#include <microslip/fem_contact.h>

#include "fem/impl.h"
#include "fem/model/model.h"

/* One side of a point. */
typedef struct ms_contact_spot {
  int n;
  int32_t node[MS_FEM_CONTACT_NODES];
  double N[MS_FEM_CONTACT_NODES];
  double x[3], normal[3]; /* the normal is outward, of any length */
  double area;            /* m2 */
  double stiffness, side; /* Pa and m: Young's modulus and size of its elements */
} ms_contact_spot;

/* The point (r, s) of a face of a set; its area is that of a unit square of r and s. */
void ms_contact_fill_spot(const ms_mesh *mesh, const ms_mesh_set *set, ptrdiff_t face, double r,
                          double s, ms_contact_spot *spot);
/* A point between a and b (NULL: the ground). `cell` is left alone. */
ms_status ms_contact_place(const ms_fem_model *model, const ms_fem_contact *contact,
                           const ms_contact_spot *a, const ms_contact_spot *b,
                           ms_fem_contact_point *point);

/* gauss.c: n points of a contact behind those that the model has. */
ms_status ms_contact_find_gauss(ms_fem_model *model, const ms_fem_contact *contact, ptrdiff_t *n);

/* pieces.c: Gauss points of the pieces of a face of set[0] that lie opposite one face of set[1]
   each. None where the face is not to be cut: it lies opposite one face or none, its edges are
   curved, or faces of set[1] lie above each other. ball: of set[1]. `point` is the caller's. */
typedef struct ms_contact_pieces {
  ptrdiff_t n;
  ms_face_point *point;
} ms_contact_pieces;
ms_status ms_contact_cut_face(ms_context *ctx, const ms_mesh *mesh, const ms_mesh_set *set,
                              const double *ball, ptrdiff_t face, int order,
                              ms_contact_pieces *pieces);

/* gap.c: the factor of the contact's table of gaps. */
double ms_gap_factor(const ms_fem_contact *contact);
/* The contact's table of gaps, if it has one, added to those of n points. */
ms_status ms_contact_add_gaps(const ms_fem_model *model, const ms_fem_contact *contact, ptrdiff_t n,
                              ms_fem_contact_point *point);

#endif
