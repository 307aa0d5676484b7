/* [fem] Finite elements: meshes with their parts and sets, structured parts, the check of a mesh,
   its surface, pictures. In a separate library, microslip_fem, linked only by
   programs that need it; microslip.h does not include this header (docs/decisions/0008). SI units.
 */
#ifndef MICROSLIP_FEM_H
#define MICROSLIP_FEM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- elements ---- */

/* The outside of a solid: face f has n_node nodes, seen from outside counter-clockwise, the corners
   first and then the nodes on the edges between them. Numbers count from 0 inside the element. */
#define MS_FACE_NODES 8
typedef struct ms_face {
  int n_node, n_corner;
  int node[MS_FACE_NODES];
} ms_face;

/* What an element wants to know of its part, beside its nodes. */
enum {
  MS_NEEDS_MATERIAL = 1,  /* solids and beams */
  MS_NEEDS_SECTION = 2,   /* beams */
  MS_NEEDS_MASS = 4,      /* point masses */
  MS_NEEDS_STIFFNESS = 8, /* springs */
};

typedef struct ms_element_info {
  const char *name, *title, *reference;
  int n_node;
  int n_dof;     /* per node: 3 (ux uy uz) or 6 (and rx ry rz), node after node */
  int dimension; /* 3 solids, 1 beams, 0 masses and springs */
  int n_face;    /* 0 unless a solid */
  const ms_face *face;
  const double *coords; /* 3 x n_node: its nodes in reference coordinates */
  int n_zero_energy;    /* displacements without energy: 6 for what is free in space */
  int needs;            /* MS_NEEDS_... */
  int vtk;              /* the type of cell in VTK files */
} ms_element_info;

MS_API int ms_element_count(void);
/* NULL outside 0 .. count - 1. */
MS_API const ms_element_info *ms_element_get(int index);
/* By name; the message names the nearest if there is none. */
MS_API ms_status ms_element_find(ms_context *ctx, const char *name, const ms_element_info **out);

/* ---- parts ---- */

/* Linear elasticity along the axes of the part. Isotropic: the three values equal and
   G = E / 2 (1 + nu), as ms_material_isotropic gives them. nu[0] = nu_12: strain along 2 per strain
   along 1 under stress along 1, so that nu_21 = nu_12 E_2 / E_1. */
typedef struct ms_material {
  double rho;   /* kg/m3 */
  double E[3];  /* Pa: 1, 2, 3 */
  double nu[3]; /* 12, 13, 23 */
  double G[3];  /* Pa: 12, 13, 23 */
} ms_material;

MS_API ms_material ms_material_isotropic(double E, double nu, double rho);

/* A beam's section in its axes: x along the beam, y as close to `y` as can be, z across both. All
   zero `y` leaves the choice open, which is right for Iy = Iz. */
typedef struct ms_beam_section {
  double A;                /* m2 */
  double Iy, Iz;           /* m4: about y (bends in x-z) and about z (bends in x-y) */
  double J;                /* m4: torsion constant */
  double shear_y, shear_z; /* fraction of A that carries shear; Timoshenko only, above 0 */
  double y[3];
} ms_beam_section;

/* Sections of common profiles, Iy, Iz and J exact; shear factors as Abaqus has them, so that the
   beams are Timoshenko's. Lengths in m: along y and along z; of a pipe, the outer radius and the
   thickness of its wall, which is at most the radius. */
MS_API ms_beam_section ms_beam_rectangle(double width, double height);
MS_API ms_beam_section ms_beam_circle(double radius);
MS_API ms_beam_section ms_beam_pipe(double radius, double wall);

/* What is the same for all elements of a part. Only what its elements need is read. */
typedef struct ms_part {
  const char *name;
  ms_material material;
  double axes[9]; /* columns: axes 1, 2, 3 of material and springs; all zero: x, y, z */
  ms_beam_section section;
  double mass;         /* kg, point masses */
  double inertia[6];   /* kg m2 about the node: xx yy zz xy yz zx; the last three are the tensor's
                          entries, minus the products of inertia */
  double stiffness[6]; /* N/m along and N m/rad about the three axes, springs */
  double times;        /* its solids count as often; set for sectors; 0: once */
} ms_part;

/* ---- meshes ---- */

typedef struct ms_mesh ms_mesh;

/* Nodes and elements count from 0 in the order in which they were added, elements through all
   blocks; the numbers of the user's file are kept as labels. An index fits in 32 bits. */
MS_API ms_status ms_mesh_create(ms_context *ctx, ms_mesh **out);
MS_API void ms_mesh_destroy(ms_mesh **mesh);

/* Each copies what it is given and leaves the mesh as it was after a failure. `first`, the index of
   the first of what was added, may be NULL. */

/* x is 3 x n (m). label NULL: one more than the index. */
MS_API ms_status ms_mesh_add_nodes(ms_mesh *mesh, ptrdiff_t n, const double *x,
                                   const ptrdiff_t *label, ptrdiff_t *first);
/* Names are unique. Values are checked when elements that need them are added. */
MS_API ms_status ms_mesh_add_part(ms_mesh *mesh, const ms_part *part, int *index);
/* node is n_node x n. label NULL: one more than the index. A part may have elements of several
   types; each call makes a block of its own. */
MS_API ms_status ms_mesh_add_elements(ms_mesh *mesh, int part, const char *element, ptrdiff_t n,
                                      const int32_t *node, const ptrdiff_t *label,
                                      ptrdiff_t *first);

typedef enum ms_set_kind { MS_SET_NODES, MS_SET_ELEMENTS, MS_SET_FACES } ms_set_kind;

/* index: nodes or elements; face: the faces of those elements, with MS_SET_FACES only. A name
   stands for at most one set of each kind. */
MS_API ms_status ms_mesh_add_set(ms_mesh *mesh, ms_set_kind kind, const char *name, ptrdiff_t n,
                                 const int32_t *index, const unsigned char *face);

/* Views; valid until the mesh changes. */
typedef struct ms_mesh_block {
  const ms_element_info *element;
  int part;
  ptrdiff_t n, first;  /* elements in it, and the index of its first */
  const int32_t *node; /* n_node x n */
} ms_mesh_block;

typedef struct ms_mesh_set {
  const char *name;
  ms_set_kind kind;
  ptrdiff_t n;
  const int32_t *index;
  const unsigned char *face; /* NULL unless a set of faces */
} ms_mesh_set;

MS_API ptrdiff_t ms_mesh_count_nodes(const ms_mesh *mesh);
MS_API ptrdiff_t ms_mesh_count_elements(const ms_mesh *mesh);
MS_API int ms_mesh_count_parts(const ms_mesh *mesh);
MS_API int ms_mesh_count_blocks(const ms_mesh *mesh);
MS_API int ms_mesh_count_sets(const ms_mesh *mesh);
MS_API const double *ms_mesh_get_nodes(const ms_mesh *mesh); /* 3 x n */
MS_API ptrdiff_t ms_mesh_get_node_label(const ms_mesh *mesh, ptrdiff_t node);
MS_API ptrdiff_t ms_mesh_get_element_label(const ms_mesh *mesh, ptrdiff_t element);
/* NULL, or a block or set without a name, outside 0 .. count - 1. */
MS_API const ms_part *ms_mesh_get_part(const ms_mesh *mesh, int part);
MS_API ms_mesh_block ms_mesh_get_block(const ms_mesh *mesh, int block);
MS_API ms_mesh_set ms_mesh_get_set(const ms_mesh *mesh, int set);
/* The block that holds an element; -1 if there is no such element. */
MS_API int ms_mesh_find_block(const ms_mesh *mesh, ptrdiff_t element);
/* By name; the message names the nearest if there is none. */
MS_API ms_status ms_mesh_find_part(const ms_mesh *mesh, const char *name, int *part);
/* The name of the first part that has the node; "" if none has. */
MS_API const char *ms_mesh_find_part_at(const ms_mesh *mesh, ptrdiff_t node);
MS_API ms_status ms_mesh_find_set(const ms_mesh *mesh, ms_set_kind kind, const char *name,
                                  ms_mesh_set *out);
/* The box around the nodes of a set, or around all (set NULL). */
typedef struct ms_mesh_box {
  double low[3], high[3], size; /* m; size: the longest side */
  int flat;                     /* the axis along which it has no extent, or -1 */
} ms_mesh_box;
MS_API ms_status ms_mesh_find_box(const ms_mesh *mesh, const char *set, ms_mesh_box *out);
/* The node of a part that is nearest to a place (m), of several the one with the lowest index; -1
   if the part has none. */
MS_API ptrdiff_t ms_mesh_find_nearest(const ms_mesh *mesh, int part, const double *at,
                                      double *distance);
/* "element 17 (hex8) of part 'beam'", as messages have it; cut off at size. */
MS_API void ms_mesh_describe(const ms_mesh *mesh, ptrdiff_t element, char *text, size_t size);

/* Nodes of the parts named that lie within `tolerance` (m) of each other become one, which ties the
   parts; n_part = 0 stands for all parts. The node with the lowest index stays. The order of nodes
   is kept, their indices close up, and so do labels that were never given. An element that would
   lose a node that way is refused and nothing changes. *n_merged, nodes that went, may be NULL. */
MS_API ms_status ms_mesh_merge(ms_mesh *mesh, int n_part, const int *part, double tolerance,
                               ptrdiff_t *n_merged);

/* ---- structured parts ---- */

/* Elements: hex8, hex20, wedge6 (each brick in two), tet4 and tet10 (in six). Sets of nodes and of
   faces get the name of the part, a dot, and what is given here; so a part is made once, and a body
   of several bricks is several parts, merged. After a failure the mesh is as it was. */

#define MS_MAX_ZONE 16
#define MS_MAX_SLAB 32

/* A brick, or a plate: corners at `at` and at + size, n elements along x, y, z.
   Sets: left right (x), front back (y), bottom top (z). */
typedef struct ms_brick {
  double at[3], size[3]; /* m */
  int n[3];
} ms_brick;

MS_API ms_status ms_mesh_add_brick(ms_mesh *mesh, int part, const char *element,
                                   const ms_brick *brick);

/* A round hole along z, all through a brick. n[0] x n[1] elements of the brick, those whose middle
   is nearest to the hole's, give way to rings of elements: rings[z] of them from radius[z] to the
   next one, and from the last radius to the edge of that box, in which the last radius must lie.
   Circles beyond the first, which is the hole's, are there to have nodes on them, under a washer's
   edge for one. With n[0] = n[1] = core the nodes on a circle are those of ms_rings at the same
   place. */
typedef struct ms_hole {
  double at[2]; /* m: x, y */
  int n[2];
  int n_zone;
  double radius[MS_MAX_ZONE]; /* m, rising */
  int rings[MS_MAX_ZONE];
} ms_hole;

/* A brick with holes. Sets as of a brick, and inner, the walls of all holes. */
MS_API ms_status ms_mesh_add_drilled_brick(ms_mesh *mesh, int part, const char *element,
                                           const ms_brick *brick, int n_hole, const ms_hole *hole);

/* A body of revolution made of rings stacked on each other. The section is a grid of zones (a disc,
   and rings around it) by slabs (from the bottom up); `filled` says which of them the part has. The
   disc is an O-grid: a rounded square of core x core elements and rings around it. Parts made with
   the same zones and slabs have coincident nodes where they touch.
   Sets: bottom top outer (the farthest out), inner (all that looks to the axis), and where there
   are any, floor and ceiling (look up and down between bottom and top), step (looks out inside
   outer). */
typedef struct ms_rings {
  double at[3]; /* m, on the axis at the bottom */
  int axis;     /* along x, y or z: 0, 1, 2 */
  int core;     /* even, elements across the square; a ring has 4 core around */
  int n_zone, n_slab;
  double radius[MS_MAX_ZONE]; /* m, outer radius of each zone, rising */
  int rings[MS_MAX_ZONE];     /* elements across each zone; in the disc, those around the square */
  double height[MS_MAX_SLAB]; /* m */
  int layers[MS_MAX_SLAB];    /* elements along the axis */
  unsigned char filled[MS_MAX_SLAB][MS_MAX_ZONE];
  double sector; /* rad; 0: the whole. Else hex8, one of them around, from the first axis across to
                    the second; no disc: the first zone is not filled, a bore in no set */
} ms_rings;

/* A mesh with a sector stands for the whole body of revolution, which deforms without torsion:
   stiffness, mass and areas of contacts are those of all its sectors, so that forces and energies
   are the whole body's. A model of it has supports that hold the near plane, and the nodes of the
   far plane follow those of the near one. All parts are sectors of the same angle and axis. */

MS_API ms_status ms_mesh_add_rings(ms_mesh *mesh, int part, const char *element,
                                   const ms_rings *rings);

/* ---- check ---- */

typedef struct ms_mesh_check_settings {
  double min_quality; /* scaled Jacobian below which an element counts as distorted */
  double tolerance;   /* nodes this close are duplicates, relative to the size of the mesh */
} ms_mesh_check_settings;

MS_API ms_mesh_check_settings ms_mesh_check_defaults(void); /* 0.1, 1e-9 */

/* Quality is the scaled Jacobian: 1 for a brick, an equilateral wedge, a regular tetrahedron, 0
   where an element degenerates, negative where it is turned inside out. */
typedef struct ms_mesh_report {
  ptrdiff_t n_inverted, n_distorted; /* elements: quality not above 0; above 0 but too low */
  ptrdiff_t n_free;                  /* nodes that no element uses */
  ptrdiff_t free_node;               /* the first of them, or -1 */
  ptrdiff_t n_duplicate;             /* nodes at the place of another one with a lower index */
  ptrdiff_t duplicate_node;          /* the first of them, or -1 */
  ptrdiff_t n_piece;                 /* bodies that share no node, free nodes not counted */
  ptrdiff_t worst; /* the element of lowest quality, or -1 if there are no solids */
  double worst_quality;
  double volume;  /* m3, of all solids */
  char text[256]; /* one line: what is wrong, with the worst element; "" if nothing.
                     Several pieces or duplicate nodes are wrong only for who wants
                     one body, and are not in it. */
} ms_mesh_report;

MS_API ms_status ms_mesh_check(const ms_mesh *mesh, const ms_mesh_check_settings *settings,
                               ms_mesh_report *out);

/* ---- surface ---- */

typedef struct ms_surface_settings {
  double edge_angle;  /* rad: where the surface turns by more, there is an edge to be drawn */
  ptrdiff_t max_face; /* nodes are merged until there are no more faces; 0: never */
} ms_surface_settings;

MS_API ms_surface_settings ms_surface_defaults(void); /* pi/6, 20000 */

/* What is seen of a mesh: the faces that belong to one solid only, edges, and beams. A face of a
   quadratic element is cut at the nodes on its sides, so that all its nodes are there. */
typedef struct ms_surface ms_surface;

/* Views; valid as long as the surface. */
typedef struct ms_surface_view {
  ptrdiff_t n_node, n_face, n_line;
  const int32_t *node; /* nodes of the mesh that are seen, ascending */
  const int32_t *face; /* 4 x n_face, numbers of `node`, from outside counter-clockwise; the last is
                          -1 in a triangle */
  const int32_t *line; /* 2 x n_line, the same: edges, then beams */
  int closed;          /* no face has a side that it does not share */
  double merged;       /* m: no node was moved by more; 0 if none was */
} ms_surface_view;

/* An edge is where the surface turns sharply, ends, or goes from one part to another. A surface
   with too many faces gets coarser as a whole, without holes: in each part, nodes nearer to each
   other than a distance become one, the smallest distance that does; faces and lines that collapse
   go. Every node that is left is one of the mesh, at its place. */
MS_API ms_status ms_mesh_extract_surface(const ms_mesh *mesh, const ms_surface_settings *settings,
                                         ms_surface **out);
MS_API void ms_surface_destroy(ms_surface **surface);
MS_API ms_surface_view ms_surface_get(const ms_surface *surface);

/* What is seen of several meshes: their surfaces, made with the usual settings, and n_point points
   behind them, such as the ends of joints. */
typedef struct ms_scene ms_scene;

/* Views; valid as long as the scene. */
typedef struct ms_scene_view {
  ptrdiff_t n_node, n_seen; /* all nodes, and those that are no points: they come first */
  ptrdiff_t n_face, n_line;
  const double *x;            /* 3 x n_node, m */
  const int32_t *face, *line; /* as those of a surface, in nodes of the scene */
  int closed;                 /* all surfaces are */
} ms_scene_view;

/* The meshes are borrowed; at: 3 x n_point, m. */
MS_API ms_status ms_scene_create(ms_context *ctx, int n_mesh, const ms_mesh *const *mesh,
                                 ptrdiff_t n_point, const double *at, ms_scene **out);
MS_API void ms_scene_destroy(ms_scene **scene);
MS_API ms_scene_view ms_scene_get(const ms_scene *scene);
/* Vectors at the nodes of mesh `mesh`, 3 x nodes, to those of them that are seen: into u, 3 x
   n_node. */
MS_API void ms_scene_fill(const ms_scene *scene, int mesh, const double *field, double *u);

/* ---- kinds of motion ---- */

/* How the kinetic energy of a motion of a slender body divides, the body being cut across its
   longest side into slices: slices that move as rigid plates, along the body (axial) or across it
   and turning with it (bending), or that turn about its axis (torsion), and what deforms them. The
   shares add up to 1, but for those below 1e-9, which are 0; all are 0 where nothing moves. */
typedef struct ms_motion {
  int axis;        /* the longest side: 0, 1, 2 for x, y, z */
  double along[3]; /* axial at [axis], bending along the two others */
  double torsion, section;
  const char *family; /* after the share that is more than a half: "axial", "torsion", "section",
                         "bending z", "bending" where both planes share it, else "mixed" */
} ms_motion;

/* n motions, each 3 x nodes: translations; rotations of beams' nodes do not count. Masses are the
   elements' lumped ones. */
MS_API ms_status ms_mesh_divide_motions(const ms_mesh *mesh, ptrdiff_t n, const double *field,
                                        ms_motion *out);

/* A mode by its shape: the number counts the modes of its family from below. */
typedef struct ms_mode_family {
  const char *name; /* that of the motion, or "rigid" of a mode without frequency */
  char text[32];    /* "bending z 1" */
  ptrdiff_t number;
  ms_motion motion;
} ms_mode_family;
/* Fills the translations of the nodes in a mode, 3 x nodes. */
typedef ms_status (*ms_mode_shape_fn)(void *user, ptrdiff_t mode, double *field);
/* Families of n modes with frequencies omega (rad/s), rising; a few shapes are in memory at a time.
 */
MS_API ms_status ms_mesh_find_families(const ms_mesh *mesh, ptrdiff_t n, const double *omega,
                                       ms_mode_shape_fn shape, void *user, ms_mode_family *out);

/* ---- conditions ---- */

/* What a mesh file says of how nodes are held and tied. The mesh keeps it for who makes a model of
   it, and does nothing with it. */
typedef enum ms_condition_kind {
  MS_CONDITION_FIX,      /* components of `nodes` have the value (m, rad) */
  MS_CONDITION_EQUATION, /* sum of factor u over the terms = value */
  MS_CONDITION_RIGID,    /* `nodes`, or the nodes of `faces`, follow the reference node */
  MS_CONDITION_AVERAGE,  /* the reference node follows `nodes`, or the nodes of `faces` */
  MS_CONDITION_TIE,      /* `nodes`, or the nodes of `slave_faces`, follow the faces they lie on */
  MS_CONDITION_IGNORED   /* something in the file that was not read: `name` says what */
} ms_condition_kind;

typedef struct ms_condition_term {
  int32_t node;
  int component; /* 0 to 5: ux uy uz rx ry rz */
  double factor;
} ms_condition_term;

/* Texts and terms are copied by ms_mesh_add_condition; NULL where there is none. */
typedef struct ms_condition {
  ms_condition_kind kind;
  const char *name;                /* in the file; for what was ignored, its keyword */
  const char *nodes;               /* a set of nodes */
  const char *faces, *slave_faces; /* sets of faces */
  int32_t reference;               /* node, or -1 */
  int components;                  /* bits 1 2 4 translations, 8 16 32 rotations */
  double value;
  double reach; /* m, how far a tied node may be from its face; 0: the file does not say */
  int n_term;
  const ms_condition_term *term;
  const char *file; /* where it stands */
  ptrdiff_t line;
} ms_condition;

MS_API ms_status ms_mesh_add_condition(ms_mesh *mesh, const ms_condition *condition);
MS_API int ms_mesh_count_conditions(const ms_mesh *mesh);
/* NULL outside 0 .. count - 1; valid until the mesh changes. */
MS_API const ms_condition *ms_mesh_get_condition(const ms_mesh *mesh, int index);

/* ---- meshes from files ---- */

typedef struct ms_mesh_read_settings {
  const char *format;        /* a name of the table; NULL: by content, then by the file's ending */
  double length, mass, time; /* the file's units in m, kg, s */
  /* Properties in SI by the name of the part. What an entry has (material with its axes, section,
     mass, inertia, stiffness: what is not all zero) goes before what the file says, which supplies
     the rest; an entry without a name is for parts of which neither list nor file says anything. */
  int n_part;
  const ms_part *part;
} ms_mesh_read_settings;

MS_API ms_mesh_read_settings ms_mesh_read_defaults(void); /* NULL, 1, 1, 1, none */

/* Gmsh 2.2 and 4.1, Abaqus input, Exodus II: docs/guide/meshes.md says what of them is read. What
   is neither read nor listed as ignored is refused. Failures say file:line, or file:byte where
   there are no lines, and what would be right; *out is NULL then. */
MS_API ms_status ms_mesh_read(ms_context *ctx, const char *path,
                              const ms_mesh_read_settings *settings, ms_mesh **out);

/* ---- pictures ---- */

/* Values at the nodes: n_component x nodes. */
typedef struct ms_mesh_field {
  const char *name;
  int n_component;
  const double *values;
} ms_mesh_field;

/* A VTU file (VTK unstructured grid, XML, appended base64) for ParaView and its like: nodes,
   elements, their labels and parts, and the fields. Values that are not finite are refused. The
   stream is the caller's, as are its errors (ms_outfile_open, ms_outfile_commit). */
MS_API ms_status ms_mesh_print_vtu(const ms_mesh *mesh, int n_field, const ms_mesh_field *field,
                                   FILE *out);
/* The same as a file, which is there when it is whole. */
MS_API ms_status ms_mesh_write_vtu(const ms_mesh *mesh, int n_field, const ms_mesh_field *field,
                                   const char *path);

#ifdef __cplusplus
}
#endif
#endif
