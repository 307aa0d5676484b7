/* [fem] From a mesh to matrices, modes and a reduced model: K u = f, K u = omega^2 M u.

   A model adds to a mesh what is not an element: spiders (reference nodes with six DOF,
   tied to a patch), supports, ties, links and springs. Constraints are eliminated, u = T q + g with
   T sparse, and T^T K T and T^T M T are assembled in PETSc. Under mpirun every process makes the
   same calls with the same values and gets the same results; the rows of the matrices are divided
   among them. SI units. */
#ifndef MICROSLIP_FEM_MODEL_H
#define MICROSLIP_FEM_MODEL_H

#include <microslip/fem.h>
#include <microslip/reduced.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the engine ---- */

/* PETSc, SLEPc and MPI begin with the first model that is set up, without their signal handlers and
   messages, and end with the program. From then on the context's communicator is MPI's, also given
   in *communicator, which may be NULL: failures of one process reach all of them that way. Who has
   begun MPI himself also ends it. */
MS_API ms_status ms_fem_start(ms_context *ctx, ms_communicator *communicator);
/* "PETSc 3.18.5, SLEPc 3.18.2, 2 processes"; NULL before the start. */
MS_API const char *ms_fem_engine(void);

/* ---- the model ---- */

typedef struct ms_fem_model ms_fem_model;

/* The mesh is borrowed, must neither change nor go while the model lives, and has the same context,
   in which all messages are. A node has three coordinates, or six where one of its elements has
   rotations, or none where no element is. */
MS_API ms_status ms_fem_create(ms_context *ctx, const ms_mesh *mesh, ms_fem_model **out);
MS_API void ms_fem_destroy(ms_fem_model **model);

/* Coordinates of a node: 0 to 5 are ux uy uz rx ry rz. In sets of them bits 1, 2, 4 stand for
   translations and 8, 16, 32 for rotations; those that a node does not have are passed over. */
enum { MS_FEM_TRANSLATIONS = 7, MS_FEM_ROTATIONS = 56, MS_FEM_ALL = 63 };

/* `name` is what messages call it, here and below; copied. */
MS_API ms_status ms_fem_fix(ms_fem_model *model, const char *name, ptrdiff_t node, int components);
/* All nodes of a set of nodes, under its name. */
MS_API ms_status ms_fem_fix_set(ms_fem_model *model, const char *set, int components);
/* u = value (m or rad), which static solves see; in modes it is 0. */
MS_API ms_status ms_fem_prescribe(ms_fem_model *model, const char *name, ptrdiff_t node,
                                  int component, double value);

typedef enum ms_spider_kind {
  MS_SPIDER_RIGID,   /* RBE2: the nodes follow the reference */
  MS_SPIDER_UNIFORM, /* RBE3: the reference follows the nodes, the rigid motion that fits them best
                        in the mean square, all weights equal */
  MS_SPIDER_AREA     /* the same, each node weighted by its share of the area of `faces` */
} ms_spider_kind;

typedef struct ms_spider {
  const char *name;
  ms_spider_kind kind;
  double at[3]; /* m, the reference */
  ptrdiff_t n;
  const int32_t *node;
  const char
      *faces; /* a set of faces, for the area; those count whose nodes are all in the spider */
} ms_spider;

/* *node is the reference, a node of the model behind those of the mesh. */
MS_API ms_status ms_fem_add_spider(ms_fem_model *model, const ms_spider *spider, ptrdiff_t *node);
/* The nodes of a set inside a box, edges included to 1e-9 of its size. *node is to be freed. */
MS_API ms_status ms_fem_find_in_box(const ms_mesh *mesh, const char *set, const double *low,
                                    const double *high, ptrdiff_t *n, int32_t **node);

/* Nodes follow the faces they lie on: each is moved along the normal to the nearest face, at most
   `reach` (m) away, and takes the displacement that the face's shape functions give there. A node
   farther away is refused; one that belongs to the face it would follow is left alone. Matching
   meshes are better merged (ms_mesh_merge). */
MS_API ms_status ms_fem_tie(ms_fem_model *model, const char *name, const char *nodes,
                            const char *faces, double reach);

typedef struct ms_fem_term {
  ptrdiff_t node;
  int component;
  double factor;
} ms_fem_term;

/* sum factor u = value, a link between coordinates; 1 to 64 terms. */
MS_API ms_status ms_fem_link(ms_fem_model *model, const char *name, int n, const ms_fem_term *term,
                             double value);
/* k / 2 (sum factor u)^2: a spring between coordinates, {b, 1}, {a, -1}, or to the ground. */
MS_API ms_status ms_fem_add_spring(ms_fem_model *model, int n, const ms_fem_term *term, double k);

/* A condition of the mesh's file (ms_mesh_get_condition) becomes part of the model; nothing is done
   with what was ignored. Rigid and averaging ones come before those that may be on their reference
   node: a spider's reference, *reference (else -1), stands for it from then on. A tie of which the
   file does not say how far it reaches takes nodes up to 1 mm away. */
MS_API ms_status ms_fem_add_condition(ms_fem_model *model, const char *name,
                                      const ms_condition *condition, ptrdiff_t *reference);

/* ---- nodes by name ---- */

#define MS_FEM_NODE_NAME 128
typedef struct ms_fem_node {
  char name[MS_FEM_NODE_NAME];
  ptrdiff_t node;
  double at[3]; /* m */
  int number;   /* of a node SET.number that its set's name stands for too; else 0 */
} ms_fem_node;

/* "bolt.1.a.ux" as a term; 0 if it is no coordinate of these nodes. */
MS_API int ms_fem_find_term(ptrdiff_t n, const ms_fem_node *node, const char *name, double factor,
                            ms_fem_term *term);
/* What a picture marks of n such nodes: one mark for each place, where the structure has the three
   translations of the node; its names begin with `prefix` there ("upper." of a sub-structure, else
   ""). The first end of a pair P.a, P.b stands for both, under the name P. They are added behind
   the *count marks that there are, up to `most`. */
typedef struct ms_fem_mark {
  char label[2 * MS_FEM_NODE_NAME + 8]; /* with the prefix */
  double at[3];
  ptrdiff_t dof[3]; /* of the structure; MS_GROUND: held */
} ms_fem_mark;
MS_API void ms_fem_add_marks(const ms_structure *structure, const char *prefix, ptrdiff_t n,
                             const ms_fem_node *node, ptrdiff_t most, ms_fem_mark *mark,
                             ptrdiff_t *count);

/* ---- motions of a structure on meshes ---- */

/* A mesh in a structure that was made of its reduced model. All is borrowed. */
typedef struct ms_fem_body {
  const ms_mesh *mesh;
  const char *name; /* of the sub-structure, before its coordinates' names: NAME.q1; NULL: none */
  ptrdiff_t n;
  char *const *coordinate; /* names in the reduced model, n of them */
  const double *basis;     /* 3 nodes x n: what each of them moves, translations of the nodes */
  ptrdiff_t n_named;
  const ms_fem_node *named; /* for marks */
} ms_fem_body;
/* Translations of the nodes, 3 x nodes, for a vector u of the structure. */
MS_API ms_status ms_fem_recover(const ms_structure *structure, const ms_fem_body *body,
                                const double *u, double *field);
/* Where a node moves farther than *most in u, the farthest: *most is what it moves then, and text
   names its part, "part 'upper.lid'". Else both stay. */
MS_API ms_status ms_fem_find_moved_part(const ms_structure *structure, const ms_fem_body *body,
                                        const double *u, double *most, char *text, size_t size);
/* Such vectors as fields of a VTU file. */
typedef struct ms_fem_motion {
  char name[32];
  const double *u;
} ms_fem_motion;
MS_API ms_status ms_fem_write_motions(const ms_structure *structure, const ms_fem_body *body,
                                      ptrdiff_t n, const ms_fem_motion *motion, const char *path);

/* What is seen of such bodies, and behind it what is marked: mark k is node scene.n_seen + k. The
   structure, meshes and what else the bodies point to must outlive it. */
#define MS_FEM_MARKS 256 /* at most */
typedef struct ms_fem_picture ms_fem_picture;
typedef struct ms_fem_picture_view {
  ms_scene_view scene;
  ptrdiff_t n_mark;
  const ms_fem_mark *mark;
} ms_fem_picture_view;
MS_API ms_status ms_fem_picture_create(const ms_structure *structure, int n_body,
                                       const ms_fem_body *body, ms_fem_picture **out);
MS_API void ms_fem_picture_destroy(ms_fem_picture **picture);
MS_API ms_fem_picture_view ms_fem_picture_get(const ms_fem_picture *picture);
/* Displacements of its nodes, 3 x scene.n_node, for a vector phi of the structure. */
MS_API ms_status ms_fem_picture_move(ms_fem_picture *picture, const double *phi, double *u);

/* ms_fem_keep for what a pattern of the shell fits: all coordinates of a node by its name, or
   single ones. kept[i] are the bits of node i that are kept, none at first; they are kept once. It
   is a failure if nothing fits. */
MS_API ms_status ms_fem_keep_matching(ms_fem_model *model, const char *pattern, ptrdiff_t n,
                                      const ms_fem_node *node, unsigned char *kept);
/* The joints of a structure whose coordinates have the names of these nodes', as springs: with
   their stiffness at rest (stuck), or with what they keep of it in macroslip. */
MS_API ms_status ms_fem_add_joints(ms_fem_model *model, const ms_structure *structure, int stuck,
                                   ptrdiff_t n, const ms_fem_node *node);

/* These coordinates stay unknowns, so that a reduction can keep them; `name` stands before the
   coordinate's: "bolt.ux". A component that is fixed or follows others cannot be kept. */
MS_API ms_status ms_fem_keep(ms_fem_model *model, const char *name, ptrdiff_t node, int components);

typedef enum ms_fem_route { MS_FEM_AUTO, MS_FEM_DIRECT, MS_FEM_MULTIGRID } ms_fem_route;

/* Tolerances of the solvers: see microslip/tolerance.h. */
#define MS_FEM_TOLERANCES(X)                                                                       \
  X(eigen, 1e-12, "residual of the eigenvalue solver, relative")                                   \
  X(gap, 1e-5, "relative distance of eigenvalues between which a Sturm count is safe")             \
  X(converged_first, 2e-9, "residual of LOBPCG, by its preconditioner, that ends the first round") \
  X(converged, 8e-9, "residual of LOBPCG that is wanted")                                          \
  X(estimate, 0.05, "relative error of that residual")                                             \
  X(independent, 1e-10,                                                                            \
    "eigenvalue of a Gram matrix with unit diagonal: less is a dependent vector")                  \
  X(still, 1e-13, "relative change of a constraint mode that is none")                             \
  X(slow, 1e-5, "change of a constraint mode: one below it that no longer falls is rounding")      \
  X(rough, 1e-2, "of multigrid's static shapes, relative: they only precondition")                 \
  X(smooth_from, 0.1, "of the largest eigenvalue: where Chebyshev's smoothing begins")             \
  X(smooth_to, 1.05, "where it ends: the estimate of the largest comes from below")                \
  X(overhead, 1.4, "memory of a factorisation over that of its result, as measured")               \
  X(share, 0.8, "of the free memory that a factor may take")
typedef struct ms_fem_tolerances {
  MS_FEM_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_fem_tolerances;
#define MS_FEM_TOLERANCES_DEFAULT \
  { MS_FEM_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_fem_settings {
  int lumped;         /* 1: diagonal mass (of the elements) */
  ms_fem_route route; /* auto: a direct factor if it fits into the memory, else multigrid */
  double memory;      /* bytes that solvers may take; 0: most of what is free */
  double tolerance;   /* of iterative solutions, relative */
  double shift;       /* (rad/s)^2, of the eigenvalue solver; 0: chosen, a little below zero */
  int check_count;    /* 1: a Sturm count proves that no mode was missed (direct route only) */
  ms_fem_tolerances tol;
} ms_fem_settings;

MS_API ms_fem_settings ms_fem_defaults(void); /* consistent, auto, 0, 1e-10, 0, 1, and tol */

/* Eliminates the constraints and assembles. What contradicts itself or is dependent twice is
   refused with the names involved; what follows from the rest is passed over with a warning. */
MS_API ms_status ms_fem_setup(ms_fem_model *model, const ms_fem_settings *settings);

/* ---- what it is, after setup unless said otherwise ---- */

/* Coordinates of the model, dependent ones included: the length of displacements and loads. */
MS_API ptrdiff_t ms_fem_get_size(const ms_fem_model *model);
/* Where a node's coordinate is in them; -1 if it has none. Before setup also. */
MS_API ptrdiff_t ms_fem_get_index(const ms_fem_model *model, ptrdiff_t node, int component);
MS_API ptrdiff_t ms_fem_count_unknowns(const ms_fem_model *model);
MS_API ptrdiff_t ms_fem_count_redundant(const ms_fem_model *model);
/* Total mass (kg) in translation, what is fixed included. */
MS_API ms_status ms_fem_get_mass(ms_fem_model *model, double *mass);
/* Translations of the mesh's nodes, 3 x nodes, from a displacement of the model: for pictures. */
MS_API void ms_fem_fill_nodes(const ms_fem_model *model, const double *u, double *values);
/* The basis of `reduced` as such translations, 3 nodes x n and the caller's, taken out of it. */
MS_API ms_status ms_fem_take_basis(const ms_fem_model *model, struct ms_reduced *reduced,
                                   double **basis);
/* One line on how the last solution was found; "" before. */
MS_API const char *ms_fem_get_line(const ms_fem_model *model);

/* ---- answers ---- */

/* n loads, each as long as the model, in N and N m; prescribed displacements act in all of them.
   u has the same layout. A body that can move freely is refused. */
MS_API ms_status ms_fem_solve(ms_fem_model *model, ptrdiff_t n, const double *load, double *u);

typedef struct ms_fem_modes {
  ptrdiff_t n, n_rigid;  /* how many, and how many of them strain nothing: rigid-body motions */
  ptrdiff_t n_mechanism; /* how many of the model's motions without strain are none of it as one
                            rigid body: parts that move on their own, hinges */
  char moves[192];       /* what they move: "part 'lid', spider 'bolt' rz"; "" if none */
  double *omega;         /* rad/s, rising; 0 for rigid-body motions */
  double *residual;    /* || (lambda - s) (K - s M)^-1 M phi - phi || in the norm of M, s the shift:
                          a bound on the relative error of omega^2 - s; 0 for motions that strain
                          nothing, which are   known */
  double *shape;       /* size x n, mass-normalised, dependent coordinates filled in, the largest
                          entry positive */
  ptrdiff_t n_below;   /* Sturm count: eigenvalues below omega_count, all of which were found */
  double omega_count;  /* rad/s; 0 where none was made */
  ptrdiff_t n_unknown; /* of the model */
  char line[256];      /* how they were found, as ms_fem_get_line */
} ms_fem_modes;

/* The n lowest modes, or with n = 0 all below cutoff_hz. MS_NOT_CONVERGED if some were not found or
   the Sturm count says so. Freed by ms_fem_modes_free. */
MS_API ms_status ms_fem_find_modes(ms_fem_model *model, ptrdiff_t n, double cutoff_hz,
                                   ms_fem_modes *out);
MS_API void ms_fem_modes_free(ms_context *ctx, ms_fem_modes *modes);
/* How many modes lie below a frequency, by Sylvester's law of inertia; a direct factor. */
MS_API ms_status ms_fem_count_modes(ms_fem_model *model, double freq_hz, ptrdiff_t *n);

typedef struct ms_fem_reduction {
  ptrdiff_t n_mode; /* fixed-interface modes; 0: all below cutoff_hz */
  double cutoff_hz; /* 0, and n_mode 0: no modes, static condensation (Guyan) */
  int basis;        /* 1: keep the basis, to recover the whole field */
} ms_fem_reduction;

/* Hurty and Craig-Bampton: the coordinates that were kept, in that order, and q1, q2, ...; the
   basis has one row for each coordinate of the model, and translations come along. A boundary that
   leaves the body free to move is allowed; those motions are then among the modes, which must be
   more. */
MS_API ms_status ms_fem_reduce(ms_fem_model *model, const ms_fem_reduction *reduction,
                               ms_reduced **out);

/* The names that ms_fem_reduce would give, on zero matrices and without a basis; with a cut-off, no
   modal ones. Called before setup: the constraints are eliminated, so that all that is wrong with
   them is told, and nothing is assembled or solved. */
MS_API ms_status ms_fem_outline(ms_fem_model *model, const ms_fem_reduction *reduction,
                                ms_reduced **out);

/* Frequencies of the model and of what it was reduced to, side by side. */
typedef struct ms_fem_accuracy {
  ptrdiff_t n;
  double *full, *reduced; /* rad/s */
  double worst;           /* the largest relative error of those that are not 0 */
} ms_fem_accuracy;

/* All modes below cutoff_hz; freed by ms_fem_accuracy_free. */
MS_API ms_status ms_fem_check_reduction(ms_fem_model *model, const ms_reduced *reduced,
                                        double cutoff_hz, ms_fem_accuracy *out);
MS_API void ms_fem_accuracy_free(ms_context *ctx, ms_fem_accuracy *accuracy);

#ifdef __cplusplus
}
#endif
#endif
