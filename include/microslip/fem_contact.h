/* [fem] Faces of finite elements that touch: from two sets of faces to contact points, and from a
   model to its flexibility at these points, which microslip/contact.h solves. SI units. */
#ifndef MICROSLIP_FEM_CONTACT_H
#define MICROSLIP_FEM_CONTACT_H

#include <microslip/contact.h>
#include <microslip/fem_model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two sets of faces, or one and the ground, which is a rigid copy of it. */
typedef struct ms_fem_contact {
  const char *name;
  const char *faces[2]; /* [1] NULL: the ground */
  double mu;
  double gap;      /* m, beside that of the meshes; negative: interference */
  double K_n, K_t; /* N/m3, a layer; both 0: rigid */
  double reach; /* m: how far apart the nodes of a pair may be; 0: a tenth of an element's side */
} ms_fem_contact;

/* A point of contact: a node of the first set and its partner. Points of microslip/contact.h have
   the components t1, t2, n, of the first body relative to the second; n is the outward normal of
   the first. */
typedef struct ms_fem_contact_point {
  int32_t node[2]; /* of the mesh; [1] is -1 for the ground */
  int contact;     /* index, in the order in which they were added */
  double at[3];    /* m, of the first node */
  double axes[9];  /* columns: t1, t2, n */
  double area;     /* m2: integral of the first node's shape functions over its faces */
  double gap;      /* m, of meshes and contact together */
  double mu;
  double K_n, K_t;  /* N/m: the layer's times the area; both 0: rigid */
  double spring[3]; /* N/m: S_0 of contact.h, which the model has across the point */
} ms_fem_contact_point;

/* Before ms_fem_setup. Nodes pair off with the nearest of the other set: the meshes match, and
   their faces are linear (node weights of quadratic faces are zero or negative at the corners).
   Refused otherwise, with where and by how much; and sets that share nodes, face the same way, or
   penetrate each other by more than the contact's interference explains. Springs of the order of
   Young's modulus times area over an element's side are put across the points: the flexibility
   needs them, and no answer of the contact depends on them. */
MS_API ms_status ms_fem_add_contact(ms_fem_model *model, const ms_fem_contact *contact);
/* Owned by the model; *n may be 0. */
MS_API const ms_fem_contact_point *ms_fem_get_contact_points(const ms_fem_model *model,
                                                             ptrdiff_t *n);

/* A model condensed to its contact points, under n_load loads. */
typedef struct ms_fem_condensed {
  ptrdiff_t n_point, n_load;
  ms_contact_point *point;
  double *H, *S_0, *z_load, *load_load; /* as in ms_contact_problem */
  double *u_load;                       /* size x n_load: displacements of the model */
} ms_fem_condensed;

/* After ms_fem_setup; loads as in ms_fem_solve. One factorisation; the flexibility is made by
   blocks of columns, of which the rows at the points are kept. A model that can move freely, with
   all points closed, is refused. */
MS_API ms_status ms_fem_condense(ms_fem_model *model, ptrdiff_t n_load, const double *load,
                                 ms_fem_condensed *out);
MS_API void ms_fem_condensed_free(ms_context *ctx, ms_fem_condensed *condensed);
/* For ms_contact_create; valid as long as what it was made of. */
MS_API ms_contact_problem ms_fem_condensed_get(const ms_fem_condensed *condensed);

/* Into another model of the same mesh, before its setup: closed points that stick. Rigid ones
   become links, those of a layer springs; `closed` has one flag for each point, NULL: all. Modes
   of that model are those of the assembly at rest. */
MS_API ms_status ms_fem_stick(ms_fem_model *model, ptrdiff_t n, const ms_fem_contact_point *point,
                              const unsigned char *closed);

#ifdef __cplusplus
}
#endif
#endif
