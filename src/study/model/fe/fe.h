/* structure: fe. The study reads the file and calls the finite elements through their table. */
#ifndef MS_STUDY_MODEL_FE_FE_H
#define MS_STUDY_MODEL_FE_FE_H

#include <microslip/fem_table.h>

#include "study/model/build.h"
#include "study/file/options.h"

enum { MS_FE_NAME = MS_FEM_NODE_NAME };

/* What fe: has. */
typedef struct ms_fe_options {
  const char *mesh; /* a file */
  struct fy_node *materials, *parts, *merge, *tie, *fix, *spiders, *contacts, *bolts, *preload;
} ms_fe_options;

/* An entry of parts:. */
typedef struct ms_fe_part {
  struct fy_node *block, *rings, *section, *points;
  const char *material;
  int element;
  double mass; /* kg; NAN: not given */
} ms_fe_part;

struct ms_fe {
  ms_fe *next;         /* of the sub-structures that are finite elements */
  const char *name;    /* of the sub-structure; NULL where there are none */
  ms_reduced *reduced; /* the study's where there are no sub-structures */
  ms_study *study;
  const ms_yaml *y;
  ms_context *ctx;
  const ms_fem_functions *f;
  const char *engine;
  struct fy_node *node; /* fe: */
  ms_fe_options options;
  struct fy_node *keep; /* of the reduction */
  ms_mesh *mesh;
  ms_fem_node *named; /* n_point points and nodes of sets first, then spiders' references */
  ptrdiff_t n_named, n_point;
  ptrdiff_t n_unknown; /* of the model that was reduced */
  double mass;         /* kg */
  double *basis;       /* 3 nodes x coordinates of the reduced model: translations of the mesh */
  ms_fem_assembly assembly; /* contacts and preload; n_contact = 0: none */
  ms_fem_stage *stage;      /* of the assembly */
  struct ms_fe_gaps *gaps;  /* of each contact */
  ms_fem_rest rest;         /* once it is pressed */
  ms_contact_family family; /* what analyses may set free: contacts.lap.mu, preload.1.factor, */
  /* Of matrices with contacts, beside contacts, preload and rest; nothing else is there then. */
  ms_points_of points;
  ms_contact_faces *sets;
  ms_contact_mesh table;
  ms_structure *apart; /* the bodies that do not touch */
  double *rows;
  ms_contact_bodies bodies; /* of these */
  char line[256];           /* how it was solved */
  char remark[256];         /* of the mesh's check */
  char ignored[256];        /* what of the mesh file was not read */
};

/* A mapping that is there. */
ms_status ms_fe_read_keys(const ms_fe *fe, struct fy_node *node, const char *what,
                          const ms_param_list *keys, void *options);
/* Numbers of a list that must have n of them, and their unit: "m". */
ms_status ms_fe_vector(const ms_fe *fe, struct fy_node *node, const char *what, const char *unit,
                       int n, double *out);
ms_status ms_fe_add_named(ms_fe *fe, struct fy_node *node, const char *name, ptrdiff_t index,
                          const double *at);
/* NULL if there is none. */
const ms_fem_node *ms_fe_find_named(const ms_fe *fe, const char *name);

/* fe.c: finite elements of their own, reduced; `name` is that of a sub-structure, or NULL. A model
   in a file. */
ms_status ms_fe_reduce(ms_study *study, const char *name, struct fy_node *fe,
                       struct fy_node *reduce, ms_reduced **out);
ms_status ms_fe_read_reduced(ms_study *study, struct fy_node *node, const char *file,
                             ms_reduced **out);
/* model/substructures.c: each reduced or read on its own, then put together. */
ms_status ms_fe_assemble(ms_study *study, struct fy_node *substructures, ms_reduced **out);
/* mesh.c: materials and parts become the mesh. */
ms_status ms_fe_make_mesh(ms_fe *fe);
/* parts.c: an entry of parts:, a part that is made here. */
ms_status ms_fe_read_part(const ms_fe *fe, struct fy_node *node, ms_fe_part *out);
ms_status ms_fe_add_part(ms_fe *fe, struct fy_node *key, struct fy_node *node);
/* materials.c: a material by its name, which stands at `word`; material, section and mass of a
   part of a mesh file, as far as they are given. */
ms_status ms_fe_read_material(const ms_fe *fe, struct fy_node *word, const char *name,
                              ms_material *material);
ms_status ms_fe_read_properties(const ms_fe *fe, struct fy_node *node, const ms_fe_part *given,
                                ms_part *part);
/* kept_dofs.c: sets of nodes that the reduction keeps give their nodes names: set.1, set.2, ..., or
   the set's own where it has one node. */
ms_status ms_fe_name_sets(ms_fe *fe);
/* The coordinates that the reduction keeps. */
ms_status ms_fe_keep(ms_fe *fe, ms_fem_model *model);
/* spiders.c */
ms_status ms_fe_add_spiders(ms_fe *fe, ms_fem_model *model);
/* supports.c: spiders, supports and ties, before setup. The same at every call. */
ms_status ms_fe_make_model(ms_fe *fe, ms_fem_model **out);
/* contacts.c: reads contacts and preload, and adds the contacts to the model, which is for a check
   only; the assembly at rest; the contact under loads of its n lowest modes. */
ms_status ms_fe_read_contacts(ms_fe *fe, ms_fem_model *model);
ms_status ms_fe_read_touching(ms_fe *fe); /* without a look at faces */
ms_status ms_fe_press(ms_fe *fe);
ms_status ms_fe_load_modes(ms_fe *fe, ptrdiff_t n);
void ms_fe_close_contacts(ms_fe *fe);
/* model/matrix_contacts.c: contacts of matrices, where there are some: the bodies at rest before
   the structure is built; whether a push or a hold can name that. */
ms_status ms_matrices_press(ms_study *study, struct fy_node *matrices);
void ms_matrices_close(ms_study *study);
/* full_model.c: modes of the finite elements themselves with all joints stuck, or all slipping,
   without shapes; `out` is zero at first. */
ms_status ms_fe_find_full_modes(ms_fe *fe, int stuck, ptrdiff_t n, ms_fem_modes *out);

/* model/mechanisms.c: how many stuck modes without frequency are no motions of the structure as one
   rigid body, and words on what they move; 0 where nothing is known of such motions. */
ms_status ms_study_find_mechanisms(const ms_study *study, ptrdiff_t *n, char *text, size_t size);

/* Its mesh in the study's structure. */
ms_fem_body ms_fe_body(const ms_fe *fe);

#endif
