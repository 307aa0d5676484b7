/* [response] Where bodies touch: contact points on faces, a preload in stages, contacts at rest;
   and bodies that are given by their matrices. For finite elements: microslip/fem_contact.h. SI
   units. */
#ifndef MICROSLIP_CONTACT_BODIES_H
#define MICROSLIP_CONTACT_BODIES_H

#include <stdint.h>

#include <microslip/contact.h>
#include <microslip/sketch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A point of contact: one node on either side, or a point of a face by its nodes. Its components in
   microslip/contact.h are t1, t2, n, of the first body relative to the second; n is the outward
   normal of the first. */
enum { MS_CONTACT_NODES = 8 };
typedef struct ms_contact_site {
  int n[2]; /* nodes on either side: 1 of a pair of nodes; [1] is 0 for the ground */
  int32_t node[2][MS_CONTACT_NODES]; /* of the mesh */
  double N[2][MS_CONTACT_NODES];     /* and their shape functions */
  int contact;                       /* index, in the order in which they were added */
  double at[3];                      /* m, on the first faces */
  double axes[9];                    /* columns: t1, t2, n */
  double area;     /* m2: integral of the first node's shape functions over its faces, or weight */
  double cell[12]; /* m: corners of the piece of face that a Gauss point stands for */
  double gap;      /* m, of meshes and contact together */
  double tabled;   /* m, of gap: what a table adds with the factor 1 */
  double apart;    /* m, of the meshes alone; below 0: the first body is inside the second */
  double mu;
  double K_n, K_t;  /* N/m: the layer's times the area; both 0: rigid */
  double spring[3]; /* N/m: S_0 of contact.h, which the bodies have across the point */
} ms_contact_site;

/* Bodies condensed to their contact points, under n_load loads. */
typedef struct ms_contact_condensed {
  ptrdiff_t n_point, n_load;
  ms_contact_point *point;
  double *H, *S_0, *z_load, *load_load; /* as in ms_contact_problem */
  double *u_load;                       /* displacements under the loads, or NULL */
  int shares_H;                         /* H belongs to another */
  uint64_t key;                         /* fingerprint of what H depends on; 0: none was made */
} ms_contact_condensed;
MS_API void ms_contact_condensed_free(ms_context *ctx, ms_contact_condensed *condensed);
/* For ms_contact_create; valid as long as what it was made of. */
MS_API ms_contact_problem ms_contact_condensed_get(const ms_contact_condensed *condensed);

/* Bodies at rest after a preload. */
typedef struct ms_contact_rest {
  ptrdiff_t n_point, n_face;
  ms_contact_site *point;
  /* For maps: corners of faces; a pair of nodes is one, a Gauss point has four of its own. */
  ptrdiff_t n_corner;
  double *corner;      /* m, 3 x n_corner */
  int32_t *of;         /* n_corner: the point whose values it has */
  int32_t *face;       /* 4 x n_face: corners around each face, the last -1 of a triangle */
  ms_contact *contact; /* after the last stage */
  double change; /* sum of the changes of all normal forces over the sum of these, when the steps of
                    the preload are doubled; the larger number of steps is what is kept */
  ptrdiff_t n_free; /* motions without strain that supports leave free */
  int frictionless; /* the last stage pressed without friction */
  int n_bolt;
  double *bolt;                  /* n_bolt x stages, N: force of each after each stage */
  const struct ms_fem_bolt *cut; /* of each, the assembly's */
  /* Of finite elements: what other numbers can use again. */
  int n_stage, borrowed;       /* what follows belongs to another */
  ms_contact_condensed *stage; /* of each stage */
  ms_contact_condensed free;   /* with nothing held, where every stage holds something; no loads */
  ptrdiff_t n_mode;
  double *momentum; /* size x n_mode: M phi of the modes, once they were loaded or expected */
  double *mac;      /* n_mode, once they were loaded: MAC of each with the expected one, else 1 */
  double *sign;     /* n_mode, the same: 1, or -1 where it is the opposite of the expected one */
} ms_contact_rest;
MS_API void ms_contact_rest_free(ms_context *ctx, ms_contact_rest *rest);
/* What contact `group` carries in a state of the points of `rest`. */
typedef struct ms_contact_total {
  double area, closed, slipping; /* m2 */
  double glued;                  /* m2 of what is closed */
  double force[3];               /* N, x, y, z, on the first body */
  double pressure, compression;  /* Pa, m: the largest; of a rigid contact the latter is 0 */
} ms_contact_total;
MS_API ms_contact_total ms_contact_total_of(const ms_contact_rest *rest, const ms_contact *contact,
                                            int group);
/* The sum of a field of the points over a contact, of what is above 0, and the area of these. */
MS_API double ms_contact_add_field(const ms_contact_rest *rest, int group, const double *value,
                                   double *area);
/* The last stage of the preload goes on from rest: its pushes grow by `factor` of what they are (a
   negative one takes away), with what it holds and with or without friction, as it pressed. *out is
   the caller's. */
MS_API ms_status ms_contact_press_on(ms_context *ctx, const ms_contact_rest *rest, double factor,
                                     ms_contact **out);
/* How many faces (or Gauss points, of such faces) lie inside a zone of points with flag 1: all
   their points are in it, and of those on the faces around them all that are closed. A slip zone
   without any is thinner than two elements. */
MS_API ptrdiff_t ms_contact_count_inside(const ms_contact_rest *rest, const unsigned char *flag);
/* m: square root of the area of a contact's largest face. */
MS_API double ms_contact_find_side(const ms_contact_rest *rest, int group);
/* Says that contact `group` is open at rest, that its rigid points overlap where supports hold
   them, or its meshes an interference, that motion or pressure is not small, or that faces are in
   two contacts; of all (group < 0) that friction allows more than one equilibrium, or that nothing
   presses those that could have friction. 0: nothing to say. */
MS_API int ms_contact_doubt(const ms_contact_rest *rest, int group, const char *name, char *text,
                            size_t size);
/* Says that twice as many load steps of the preload change more of the normal forces than limit. */
MS_API int ms_contact_doubt_steps(const ms_contact_rest *rest, double limit, char *text,
                                  size_t size);

/* ---- preload ---- */

/* A force (N, total) on a set of faces, by area, or of nodes, in equal parts; or on one node. */
typedef struct ms_contact_push {
  const char *set; /* NULL: `node` */
  ptrdiff_t node;
  double force[3];
} ms_contact_push;

/* A bolt and the force (N, > 0) that it has at the end of a stage, in which its length is free.
   From then on its length is held; before it is first tightened it has no force. */
typedef struct ms_contact_tightening {
  int bolt;
  double force;
} ms_contact_tightening;

/* A stage of the preload. What it holds stands still during the stage; afterwards the forces there
   act on as dead forces, as the pushes do. */
typedef struct ms_contact_plan {
  int n_push, n_hold;
  const ms_contact_push *push;
  const char *const *hold; /* sets of nodes */
  int friction;            /* 0: contacts slide freely */
  int steps;               /* in which the push grows: with friction the end depends on the way */
  double factor;           /* of all pushes and bolts; 0: 1 */
  int n_glue;
  const int *glue; /* contacts whose closed points are glued at the end: ms_contact_glue */
  int n_bolt;
  const ms_contact_tightening *bolt;
} ms_contact_plan;

/* Whether the stages have friction: "yes", "no", "in some stages", "no preload". */
MS_API const char *ms_contact_plan_friction(int n, const ms_contact_plan *stage);

/* ---- faces between nodes of a table ---- */

/* A set of triangles and quadrangles. */
typedef struct ms_contact_faces {
  const char *name;
  ptrdiff_t n;
  int32_t *node; /* 4 x n, around each face; the last -1 of a triangle */
} ms_contact_faces;

typedef struct ms_contact_mesh {
  ptrdiff_t n_node;
  const ms_sketch_point *node; /* `dof`: in the matrices */
  int n_set;
  const ms_contact_faces *set;
} ms_contact_mesh;

/* Two sets of faces, or one and the ground, which is a rigid copy of it. */
typedef struct ms_contact_between {
  const char *name;
  const char *faces[2]; /* [1] NULL: the ground */
  double mu;
  double gap;      /* m, beside that of the nodes; negative: interference */
  double K_n, K_t; /* N/m3, a layer; both 0: rigid */
} ms_contact_between;

/* Adds the points of contact `index` behind the *n that there are. Nodes pair off with the nearest
   of the other set; the contact is where the sets overlap: faces all of whose nodes have partners,
   while others must lie beside the other set. Which way faces look is told by their order around
   them: outward by the right-hand rule. Refused, with where and by how much: nodes without degrees
   of freedom along x, y and z, sets that do not match, are apart, share nodes, face the same way,
   or penetrate each other by more than the contact's interference explains. setting may be NULL. */
MS_API ms_status ms_contact_add_pairs(ms_context *ctx, const ms_contact_mesh *mesh,
                                      const ms_contact_between *between, int index,
                                      const ms_contact_setting *setting, ptrdiff_t *n,
                                      ms_contact_site **site);
/* Adds the faces of that contact, between its points, to corner, of and face of `rest`; `set` is
   the first of the contact. */
MS_API ms_status ms_contact_add_faces(ms_context *ctx, const ms_contact_mesh *mesh, int contact,
                                      const char *set, ms_contact_rest *rest);
/* z = B^T u, B is n x 3 n_point and the caller's to free: columns for points on nodes from `first`
   on, behind those that there are. */
MS_API ms_status ms_contact_add_rows(ms_context *ctx, const ms_contact_mesh *mesh, ptrdiff_t n,
                                     ptrdiff_t first, ptrdiff_t n_point,
                                     const ms_contact_site *point, double **B);

/* Points that somebody else has placed: how they follow the n degrees of freedom, rows t1, t2, n of
   each point, of the first body relative to the second, and the area of each. */
typedef struct ms_contact_given {
  ptrdiff_t n_row, n_column, n_weight;
  const double *interpolation; /* n_row x n_column: B^T */
  const double *weight;        /* m2 */
} ms_contact_given;
/* Adds them behind the *n_point that there are, and their columns to B; `faces` are not needed, and
   `axes` of the points are those of t1, t2, n. Rigid contact needs points that are independent of
   each other: ms_contact_create says where they are not. */
MS_API ms_status ms_contact_add_given(ms_context *ctx, const ms_contact_between *between, int index,
                                      ptrdiff_t n, const ms_contact_given *given,
                                      ptrdiff_t *n_point, ms_contact_site **point, double **B);

/* ---- bodies given by matrices ---- */

/* A stage in their n degrees of freedom. */
typedef struct ms_contact_stage {
  const double *load;        /* n, N */
  const unsigned char *held; /* n flags; NULL: none */
  int friction, steps;
  int n_glue;
  const int *glue; /* as in the plan */
} ms_contact_stage;
/* From plans, whose sets are sets of faces or nodes by name; *out is the caller's to free, with all
   that it has. */
MS_API ms_status ms_contact_make_stages(ms_context *ctx, const ms_contact_mesh *mesh, ptrdiff_t n,
                                        int n_stage, const ms_contact_plan *plan,
                                        ms_contact_stage **out);

/* The structure has M and K of the bodies that do not touch yet, before setup, without joints; of
   the points mu, gap, K_n, K_t and `contact` are needed. S_0 is made from K. */
typedef struct ms_contact_bodies {
  const ms_structure *structure;
  ptrdiff_t n_point;
  const ms_contact_site *point;
  const double *B; /* n x 3 n_point: z = B^T u */
} ms_contact_bodies;

/* Solves the stages in order; without any nothing but interference presses. The message of a
   failure names the stage. *out has a copy of the points, and no faces. K is dense and factorised
   as such. */
MS_API ms_status ms_contact_find_rest(ms_context *ctx, const ms_contact_bodies *bodies, int n_stage,
                                      const ms_contact_stage *stage,
                                      const ms_contact_setting *setting, ms_contact_rest *out);
/* A structure, before setup, in which the closed points of `rest` stick (NULL: all points), without
   friction along the normal alone: rigid ones leave degrees of freedom out, whose names stay as
   aliases where they are one with another, those of a layer become springs. Its modes are those of
   the bodies at rest. */
MS_API ms_status ms_contact_stick(ms_context *ctx, const ms_contact_bodies *bodies,
                                  const ms_contact_rest *rest, const ms_contact_setting *setting,
                                  ms_structure **out);
/* Contact at rest under loads M phi of the n lowest modes of `stuck`, which ms_contact_stick made
   and which is set up: see `contact` of ms_backbone_setting. Loads of rigid-body modes are zero. */
MS_API ms_status ms_contact_load_modes(ms_context *ctx, const ms_contact_bodies *bodies,
                                       const ms_contact_rest *rest, const ms_structure *stuck,
                                       ptrdiff_t n, const ms_contact_setting *setting,
                                       ms_contact **out);

#ifdef __cplusplus
}
#endif
#endif
