/* Elements and meshes, as the files of the room see them. */
#ifndef MS_FEM_IMPL_H
#define MS_FEM_IMPL_H

#include <microslip/fem.h>

#define MS_ELEMENT_NODES 20
#define MS_ELEMENT_DOF   60

/* A part as its elements read it: prepared once, then the same for all of them. */
typedef struct ms_property {
  double rho;
  int isotropic;
  double lambda, mu; /* Lame's, if isotropic */
  double C[81];      /* C_abcd in global axes at a + 3 (b + 3 (c + 3 d)) */
  double E, G;       /* of beams: along axis 1, and in the plane 12 */
  ms_beam_section section;
  double axes[9]; /* orthonormal, columns */
  double mass, inertia[6], stiffness[6];
} ms_property;

/* Checks and prepares what `needs` names; the rest of *out is zero. */
ms_status ms_property_prepare(ms_context *ctx, const ms_part *part, int needs, ms_property *out);

/* How good a solid's shape is. */
typedef struct ms_quality {
  double scaled_jacobian, volume;
} ms_quality;

/* An element: elements/elements.def has one line for each, elements/ one file. Functions are pure,
   allocate nothing, and return 0, or 1 if the element is degenerate or inside out. x is 3 x n_node;
   matrices are n x n, n = n_node n_dof, column-major, both triangles. */
typedef struct ms_element {
  ms_element_info info;
  int (*stiffness)(const ms_property *p, const double *x, double *K); /* NULL: none */
  int (*mass)(const ms_property *p, const double *x, double *M);      /* consistent; NULL: none */
  ms_quality (*quality)(const double *x);                             /* required of solids */
} ms_element;

extern const ms_element *const ms_elements[];
extern const int ms_n_elements;

/* The element that an info belongs to. */
const ms_element *ms_element_of(const ms_element_info *info);

/* As the table's, and zero for what it leaves out. */
int ms_element_make_stiffness(const ms_element *e, const ms_property *p, const double *x,
                              double *K);
int ms_element_make_mass(const ms_element *e, const ms_property *p, const double *x, double *M);
/* The diagonal of the lumped mass, n entries, by the rule of Hinton, Rock and Zienkiewicz: the
   diagonal of the consistent mass, scaled so that the mass in translation is right. Never negative,
   which row sums are for quadratic elements. */
int ms_element_make_lumped(const ms_element *e, const ms_property *p, const double *x, double *m);

/* ---- the mesh ---- */

typedef struct ms_element_block {
  const ms_element *element;
  int part;
  ptrdiff_t n, first;
  int32_t *node;
} ms_element_block;

typedef struct ms_set {
  char *name;
  ms_set_kind kind;
  ptrdiff_t n;
  int32_t *index;
  unsigned char *face;
} ms_set;

struct ms_mesh {
  ms_context *ctx;
  ptrdiff_t n_node, n_element;
  double *x;
  ptrdiff_t *node_label, *element_label; /* NULL as long as all are index + 1 */
  ms_part *part;
  char **part_name; /* what part[i].name points to */
  ms_element_block *block;
  ms_set *set;
  ms_condition *condition;
  int n_part, n_block, n_set, n_condition;
  double sector, sector_at[3]; /* rad: the mesh is a sector; 0: it is not; a place on the axis */
  int sector_axis;
};

/* Corners of a hex8 of a sector: in the near plane, and where these are in the far one. */
static const int ms_sector_pair[4][2] = { { 0, 3 }, { 1, 2 }, { 4, 7 }, { 5, 6 } };

/* mesh/conditions.c */
void ms_mesh_free_conditions(ms_mesh *mesh);
/* After nodes were merged: node i became now[i]. */
void ms_mesh_renumber_conditions(ms_mesh *mesh, const int32_t *now);

/* The coordinates of an element's nodes, 3 x n_node. */
static inline void ms_block_gather(const ms_mesh *mesh, const ms_element_block *b, ptrdiff_t e,
                                   double *x) {
  int n = b->element->info.n_node;
  for (int i = 0; i < n; i++) {
    const double *from = mesh->x + 3 * (ptrdiff_t)b->node[n * e + i];
    for (int a = 0; a < 3; a++) x[3 * i + a] = from[a];
  }
}

/* mesh/coincident_nodes.c: original[i] is the lowest node within `tolerance` of node i that is its
   own original, i itself if there is none. candidate NULL: all nodes; the others are their own.
   O(n). */
ms_status ms_nearby_find(ms_context *ctx, ptrdiff_t n, const double *x,
                         const unsigned char *candidate, double tolerance, int32_t *original);

#endif
