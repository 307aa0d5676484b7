/* [fem] Faces of finite elements that touch: from two sets of faces to contact points, and from a
   model to its flexibility at these points, which microslip/contact.h solves. SI units. */
#ifndef MICROSLIP_FEM_CONTACT_H
#define MICROSLIP_FEM_CONTACT_H

#include <microslip/contact_dynamics.h>
#include <microslip/fem_model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ms_fem_points {
  MS_FEM_POINTS_AUTO, /* pairs of nodes on linear faces that match, else Gauss points */
  MS_FEM_POINTS_NODES,
  MS_FEM_POINTS_GAUSS
} ms_fem_points;

/* Gaps of crowned, wavy or measured faces, of the point on the first faces. The rows, in any order,
   are a grid along one or two of the global axes, whatever the faces' normal; between them the gap
   is linear. A point outside of the grid is refused. */
typedef struct ms_fem_gaps {
  ptrdiff_t n;
  const double
      *at[3];        /* m, n each: x, y, z; NULL, or all the same: the gap does not depend on it */
  const double *gap; /* m, beside that of the meshes; negative: interference */
} ms_fem_gaps;

/* Two sets of faces, or one and the ground, which is a rigid copy of it. */
typedef struct ms_fem_contact {
  const char *name;
  const char *faces[2]; /* [1] NULL: the ground */
  double mu;
  double gap;      /* m, beside that of the meshes; negative: interference */
  double K_n, K_t; /* N/m3, a layer; both 0: rigid */
  double reach; /* m: how far apart the faces may be at a point; 0: as far as may be, if they come
                   nearer somewhere than a tenth of the square root of their area */
  ms_fem_points points;
  int gauss; /* points along each side of a face or a piece of it, 2 to 4; 0: two, three on pieces
                where a face is quadratic */
  const ms_fem_gaps *gaps; /* NULL: none; added to `gap` */
  double gap_factor;       /* of the table; 0: 1 */
} ms_fem_contact;

/* A node of the first set and its partner, or a Gauss point of the first faces and the point of the
   second that is nearest to it. */
enum { MS_FEM_CONTACT_NODES = MS_CONTACT_NODES };
typedef ms_contact_site ms_fem_contact_point;

/* Before ms_fem_setup. On linear faces whose meshes match, nodes pair off with those of the
   other set opposite them along the normal, however far away. The contact is where the sets
   overlap: faces that have a face of the other set opposite them; others must lie beside that
   set. On quadratic faces, whose node weights are zero or negative at the
   corners, and where meshes do not match, Gauss points of the first faces meet the second ones.
   Faces with straight edges are cut into pieces that lie opposite one second face each.
   They outnumber the displacements of the faces, so that rigid contact has no unique forces there:
   they need a layer. Refused, with where and by how much: rigid contact on such faces, and sets
   that share nodes, face the same way, or penetrate each other by more than the contact's
   interference explains. Springs of the order of Young's modulus times area over an element's side
   are put across the points: the flexibility needs them, and no answer of the contact depends on
   them. */
MS_API ms_status ms_fem_add_contact(ms_fem_model *model, const ms_fem_contact *contact);
/* Owned by the model; *n may be 0. */
MS_API const ms_fem_contact_point *ms_fem_get_contact_points(const ms_fem_model *model,
                                                             ptrdiff_t *n);

/* With displacements of the model, u_load. */
typedef ms_contact_condensed ms_fem_condensed;

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

/* ---- fields ---- */

/* Fields of contact points, rest->n_point x n values each, in n frames. */
typedef struct ms_fem_frames {
  ptrdiff_t n;
  const double *time; /* n; NULL: none */
  int n_field;
  const ms_mesh_field *field; /* of one component */
} ms_fem_frames;
/* ms_fem_rest, below. Each frame on the nodes of the first faces, elsewhere 0, as NAME_1.vtu, ...
   in the folder; with times also NAME.pvd, which ParaView opens as a series. */
MS_API ms_status ms_fem_write_frames(ms_context *ctx, const ms_mesh *mesh,
                                     const ms_contact_rest *rest, const char *folder,
                                     const char *name, const ms_fem_frames *frames);

/* ---- preload ---- */

/* A bolt, by a cut of its shank: two sets of faces, or of nodes with an axis that points from the
   first to the second half, whose nodes lie at the same places and are not merged. */
typedef struct ms_fem_bolt {
  const char *name;
  const char *cut[2];
  double axis[3]; /* 0: the normal of the faces */
} ms_fem_bolt;
/* The halves into a model before its setup: as one, or `open`, free to move along the axis. */
MS_API ms_status ms_fem_add_bolt(ms_fem_model *model, const ms_fem_bolt *bolt, int open);

typedef ms_contact_push ms_fem_push;
/* Adds it to a load, which is as long as the model. */
MS_API ms_status ms_fem_add_push(const ms_fem_model *model, const ms_fem_push *push, double *load);

typedef ms_contact_plan ms_fem_stage;

/* A model with supports, spiders and ties, before its setup; the same at every call. */
typedef ms_status ms_fem_make_fn(void *user, ms_context *ctx, ms_fem_model **out);

typedef struct ms_fem_assembly {
  ms_fem_make_fn *make;
  void *user;
  int n_contact, n_stage;
  const ms_fem_contact *contact;
  const ms_fem_stage *stage;         /* none: nothing but interference presses */
  const ms_contact_setting *setting; /* NULL: the default */
  int n_bolt;
  const ms_fem_bolt *bolt; /* each is tightened in a stage */
} ms_fem_assembly;

/* The assembly at rest, with `condensed` of the last stage. */
typedef ms_contact_rest ms_fem_rest;

/* All bolts, open, into a model before its setup. One that no stage tightens is refused. */
MS_API ms_status ms_fem_add_bolts(ms_fem_model *model, const ms_fem_assembly *assembly);
/* Solves the stages in order. The message of a failure names the stage. */
MS_API ms_status ms_fem_find_rest(ms_context *ctx, const ms_fem_assembly *assembly,
                                  ms_fem_rest *out);
/* Writes the flexibilities of `rest` into folder/.resume, which is there: with the folder given to
   ms_context_set_resume a later start reads them where it has the same model. Nothing with several
   processes. */
MS_API ms_status ms_fem_keep_flexibility(ms_context *ctx, const ms_fem_rest *rest,
                                         const char *folder);
MS_API void ms_fem_rest_free(ms_context *ctx, ms_fem_rest *rest);
/* Sticks the closed points into another model of the assembly, before its setup; those without
   friction are held along the normal alone. */
MS_API ms_status ms_fem_stick_rest(ms_fem_model *model, const ms_fem_rest *rest);

/* Modes of a reduced model with its basis, of a model with the closed points stuck: those that
   ms_fem_load_modes is to load follow their order. */
MS_API ms_status ms_fem_expect_modes(ms_fem_model *model, const ms_reduced *reduced,
                                     ms_fem_rest *rest);
/* Contact at rest under loads M phi of the n lowest modes with the closed points stuck, or of those
   most like the expected ones, marked there: see `contact` of ms_backbone_setting. omega (n, rad/s)
   may be NULL; loads of rigid-body modes are zero. rest->mac tells how much they are the expected
   ones. `rest` keeps what ms_fem_load_changed can use again. *out is the caller's. */
MS_API ms_status ms_fem_load_modes(ms_context *ctx, const ms_fem_assembly *assembly,
                                   ms_fem_rest *rest, ptrdiff_t n, double *omega, ms_contact **out);
/* For motions in time (microslip/contact_dynamics.h): under loads M phi of the n_mode lowest modes,
   in the order and with the signs of the expected ones, and then under these n_load. A sensor is a
   push of 1 on a node that never acts. */
MS_API ms_status ms_fem_find_modal(ms_context *ctx, const ms_fem_assembly *assembly,
                                   const ms_fem_rest *rest, ptrdiff_t n_mode, ptrdiff_t n_load,
                                   const ms_fem_push *load, ms_contact_modal *out);
/* Numbers that may have other values: mu, gap, interference, gap_factor, K_n and K_t of each
   contact, whose gap is the second less the third, then the factor of each stage. out->number is
   one block, to be freed; the lists have their rows, by name. */
typedef struct ms_fem_number_rows {
  const ms_param_list *contact, *layer, *stage;
} ms_fem_number_rows;
MS_API ms_status ms_fem_list_numbers(ms_context *ctx, const ms_fem_assembly *assembly,
                                     const ms_fem_number_rows *rows, ms_contact_family *out);
/* The same after the preload was solved again with such values. The flexibility is that of `rest`,
   which ms_fem_load_modes has loaded with n modes or more; the modes are in its order. mac (n, may
   be NULL): how much they are its modes. Threads may call it at a time, each with a context of its
   own; only one of them is in the finite elements. Not with several processes. */
MS_API ms_status ms_fem_load_changed(ms_context *ctx, const ms_fem_assembly *assembly,
                                     const ms_fem_rest *rest, const double *value, ptrdiff_t n,
                                     double *omega, double *mac, ms_contact **out);

/* Into another model of the same mesh, before its setup: closed points. Rigid ones become links,
   those of a layer springs. `closed` says of each MS_CONTACT_OPEN, MS_CONTACT_STICK or
   MS_CONTACT_SLIP, which is held along the normal alone; NULL: all stick. Modes of that model are
   those of the assembly at rest. */
MS_API ms_status ms_fem_stick(ms_fem_model *model, ptrdiff_t n, const ms_fem_contact_point *point,
                              const unsigned char *closed);

#ifdef __cplusplus
}
#endif
#endif
