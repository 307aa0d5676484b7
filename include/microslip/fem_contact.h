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

/* Before ms_fem_setup. Nodes pair off with the nearest of the other set. The contact is where the
   sets overlap: faces of the first all of whose nodes have partners; others must lie beside the
   second set. The meshes match there, and faces are linear (node weights of quadratic faces are
   zero or negative at the corners). Refused otherwise, with where and by how much; and sets that
   share nodes, face the same way, or penetrate each other by more than the contact's interference
   explains. Springs of the order of Young's modulus times area over an element's side are put
   across the points: the flexibility needs them, and no answer of the contact depends on them. */
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
/* The same for other loads on a model that is held in the same way: the flexibility is taken over.
 */
MS_API ms_status ms_fem_condense_loads(ms_fem_model *model, ptrdiff_t n_load, const double *load,
                                       const ms_fem_condensed *known, ms_fem_condensed *out);
MS_API void ms_fem_condensed_free(ms_context *ctx, ms_fem_condensed *condensed);
/* For ms_contact_create; valid as long as what it was made of. */
MS_API ms_contact_problem ms_fem_condensed_get(const ms_fem_condensed *condensed);

/* ---- preload ---- */

/* A force (N, total) on a set of faces, by area, or of nodes, in equal parts; or on one node. */
typedef struct ms_fem_push {
  const char *set; /* NULL: `node` */
  ptrdiff_t node;
  double force[3];
} ms_fem_push;
/* Adds it to a load, which is as long as the model. */
MS_API ms_status ms_fem_add_push(const ms_fem_model *model, const ms_fem_push *push, double *load);

/* A stage of the preload. What it holds stands still during the stage; afterwards the forces there
   act on as dead forces, as the pushes do. */
typedef struct ms_fem_stage {
  int n_push, n_hold;
  const ms_fem_push *push;
  const char *const *hold; /* sets of nodes */
  int friction;            /* 0: contacts slide freely */
  int steps;               /* in which the push grows: with friction the end depends on the way */
} ms_fem_stage;

/* A model with supports, spiders and ties, before its setup; the same at every call. */
typedef ms_status ms_fem_make_fn(void *user, ms_fem_model **out);

typedef struct ms_fem_assembly {
  ms_fem_make_fn *make;
  void *user;
  int n_contact, n_stage;
  const ms_fem_contact *contact;
  const ms_fem_stage *stage;         /* none: nothing but interference presses */
  const ms_contact_setting *setting; /* NULL: the default */
} ms_fem_assembly;

/* The assembly at rest. */
typedef struct ms_fem_rest {
  ptrdiff_t n_point, n_face;
  ms_fem_contact_point *point;
  int32_t *face;       /* 4 x n_face: points around each face, the last -1 of a triangle */
  ms_contact *contact; /* after the last stage */
  double change; /* sum of the changes of all normal forces over the sum of these, when the steps of
                    the preload are doubled; the larger number of steps is what is kept */
  ptrdiff_t n_free;           /* motions of the whole as a rigid body that supports leave free */
  ms_fem_condensed condensed; /* of the last stage */
  int released;               /* it held something */
} ms_fem_rest;

/* Solves the stages in order. The message of a failure names the stage. */
MS_API ms_status ms_fem_find_rest(ms_context *ctx, const ms_fem_assembly *assembly,
                                  ms_fem_rest *out);
MS_API void ms_fem_rest_free(ms_context *ctx, ms_fem_rest *rest);
/* How many points with flag 1 lie inside: of all points around them on their faces, only closed
   ones count, and all have flag 1. A slip zone without such points is thinner than two elements. */
MS_API ptrdiff_t ms_fem_count_inside(const ms_fem_rest *rest, const unsigned char *flag);
/* Sticks the closed points into another model of the assembly, before its setup. */
MS_API ms_status ms_fem_stick_rest(ms_fem_model *model, const ms_fem_rest *rest);

/* Contact at rest under loads M phi of the n lowest modes with the closed points stuck, marked
   there: see `contact` of ms_backbone_setting. omega (n, rad/s) may be NULL; loads of rigid-body
   modes are zero. *out is the caller's. */
MS_API ms_status ms_fem_load_modes(ms_context *ctx, const ms_fem_assembly *assembly,
                                   const ms_fem_rest *rest, ptrdiff_t n, double *omega,
                                   ms_contact **out);

/* Into another model of the same mesh, before its setup: closed points that stick. Rigid ones
   become links, those of a layer springs; `closed` has one flag for each point, NULL: all. Modes
   of that model are those of the assembly at rest. */
MS_API ms_status ms_fem_stick(ms_fem_model *model, ptrdiff_t n, const ms_fem_contact_point *point,
                              const unsigned char *closed);

#ifdef __cplusplus
}
#endif
#endif
