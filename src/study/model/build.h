/* Building a structure from the file, as the files that do it share it. */
#ifndef MS_STUDY_MODEL_BUILD_H
#define MS_STUDY_MODEL_BUILD_H

#include "study/study.h"

/* Coordinates: modes of as many are found in an instant, and tell a check much; of more they take
   minutes, and a check solves nothing. */
#define MS_CHECK_SOLVES 300

typedef struct ms_builder {
  const ms_study *study;
  const ms_yaml *y;
  ms_context *ctx; /* of the worker that will own the structure */
  const ms_units *units;
  ms_structure *structure;
  ms_dofs dofs;        /* labels of the matrices' rows; none: n = 0 */
  int sorted;          /* as matrices with labels of their own have them */
  ms_structure *whole; /* before coordinates became one; `structure` itself where none did */
} ms_builder;

/* Library messages wait in the worker's context; the file's place is put before them. */
ms_status ms_build_at(const ms_builder *b, struct fy_node *node, ms_status status);
/* The coordinate that a node names. */
ms_status ms_build_find(const ms_builder *b, struct fy_node *node, ptrdiff_t *out);

/* build.c: what structure: has. */
typedef struct ms_structure_options {
  struct fy_node *chain, *matrices, *beam, *fe, *reduce, *substructures, *attached, *damping;
  const char *reduced; /* a file */
} ms_structure_options;
ms_status ms_structure_read(const ms_study *study, ms_structure_options *out);

/* matrices.c. *n is 0 or the size there must be; *out is the caller's to free, after a
   failure too. */
ms_status ms_build_matrices(ms_builder *b, struct fy_node *node);
/* matrix_contacts.c: closed points stick; nothing where there are no contacts. */
ms_status ms_matrices_stick(ms_builder *b);
ms_status ms_build_read_matrix(const ms_builder *b, struct fy_node *node, const char *what,
                               ptrdiff_t *n, double **out);
/* The unit of an entry between displacements is `factor`; rotations take a length more each. The
   matrix is that of b->structure, whose coordinates have their names. */
void ms_build_scale(const ms_builder *b, double *A, ptrdiff_t n, double factor);

/* points.c: of the keys positions and lines; either may be NULL. Nothing is owned after a failure.
 */
ms_status ms_build_points(const ms_builder *b, struct fy_node *positions, struct fy_node *lines,
                          ms_points_of *out);

/* attached.c: sensors and stingers. */
ms_status ms_build_attached(ms_builder *b, struct fy_node *node);

/* What a joint has beside the parameters of its law. */
typedef struct ms_joint_options {
  struct fy_node *law, *laws, *between, *normal, *shortening, *x, *y, *z, *rx, *ry, *rz;
} ms_joint_options;
/* joints.c: of a joint with laws or by directions, which has neither a law of its own nor
   a normal spring. */
ms_status ms_joint_read(const ms_builder *b, struct fy_node *node, const char *what,
                        ms_joint_options *out);
/* joints.c: all of joints:, those per direction included. */
ms_status ms_build_joints(ms_builder *b, struct fy_node *joints);
/* {law: iwan4, F_S: 10, ...}; where a joint is one law, `whole`, with its keys among the law's. */
ms_status ms_build_law(const ms_builder *b, struct fy_node *node, int whole, ms_joint **out);
/* joint_axes.c: between: [from, to], or a list for either, n_axis of them; each a coordinate or
   {coordinate: weight}. The rows are the caller's to free, after a failure too. */
typedef struct ms_axis_ends {
  ptrdiff_t from, to;
  double *mapping_row; /* beside these two, over all coordinates; NULL: none */
} ms_axis_ends;
ms_status ms_build_ends(const ms_builder *b, const char *name, struct fy_node *node, int n_axis,
                        ms_axis_ends *axis);
void ms_build_free_ends(const ms_builder *b, int n, ms_axis_ends *axis);
/* normal_spring.c: normal: {between: ..., K_n: ..., ...} puts the law under a normal spring. */
ms_status ms_build_normal(const ms_builder *b, struct fy_node *node, ms_joint **joint);
/* What `stiffness` of such a spring says: tangential stiffness at load `to` over that at `from`. */
ms_status ms_build_stiffness_ratio(const ms_builder *b, struct fy_node *node, double from,
                                   double to, double *out);

/* beam.c: a planar beam; and shortening: of a joint on its end.ux, NULL where there is none.
 */
ms_status ms_build_beam(ms_builder *b, struct fy_node *node);
ms_status ms_build_shortening(const ms_builder *b, struct fy_node *node, int joint, int n_axis);

/* joint_directions.c: a joint between two nodes of a structure, direction by direction. */
typedef struct ms_direction {
  const char *name;      /* bolt.1.x */
  const char *from, *to; /* coordinates: bolt.1.a.ux, bolt.1.b.ux */
  struct fy_node *node;  /* what stands there: rigid, a law, a list of laws; never free */
} ms_direction;
typedef ms_status (*ms_direction_fn)(const ms_builder *b, const ms_direction *direction,
                                     void *user);
int ms_direction_is_rigid(const ms_direction *direction);
/* Every direction of every joint of that kind, over the coordinates of b->whole. */
ms_status ms_directions_visit(const ms_builder *b, struct fy_node *joints, ms_direction_fn visit,
                              void *user);
/* Whether an entry of joints: is of that kind. */
int ms_directions_has(struct fy_node *joint);
/* Makes the coordinates one that are rigid: b->structure from b->whole. */
ms_status ms_directions_join(ms_builder *b, struct fy_node *joints);
/* The laws of all directions become springs and joints of b->structure. */
ms_status ms_directions_attach(ms_builder *b, struct fy_node *joints);
/* The springs (linear laws, sum of K) and the law that is left of a direction; either may be none:
   0 or NULL. *joint is the caller's. */
ms_status ms_direction_read(const ms_builder *b, const ms_direction *direction, double *K,
                            ms_joint **joint);

#endif
