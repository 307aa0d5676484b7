/* The model, as the files that build and solve it see it. */
#ifndef MS_FEM_MODEL_MODEL_H
#define MS_FEM_MODEL_MODEL_H

#include <microslip/fem_model.h>

#include "fem/model/constraints.h"
#include "fem/impl.h"

enum { MS_FEM_SPRING_TERMS = 48, MS_FEM_LINK_TERMS = 64 };

/* A spring, or a row of them: k / 2 (sum coef u)^2. */
typedef struct ms_fem_spring {
  int n;
  int32_t index[MS_FEM_SPRING_TERMS];
  double coef[MS_FEM_SPRING_TERMS], k;
} ms_fem_spring;

typedef struct ms_fem_kept {
  char *name;
  int32_t index;
  int component;
} ms_fem_kept;

/* A node of the mesh file for which a spider's reference stands. */
typedef struct ms_fem_stand_in {
  int32_t node;
  ptrdiff_t reference;
} ms_fem_stand_in;

typedef struct ms_fem_engine_data ms_fem_engine_data; /* solve/petsc.h: what PETSc holds */

struct ms_fem_model {
  ms_context *ctx;
  const ms_mesh *mesh;
  ms_fem_settings settings;
  ptrdiff_t n_node; /* of the mesh, and spiders' references behind them */
  ptrdiff_t n;      /* coordinates, in threes */
  int quiet;        /* solves without a line for the log */
  int32_t *first;   /* n_node: the first coordinate of a node, or -1 */
  unsigned char *n_comp;
  double *at; /* 3 per reference */
  char **ref_name;

  ms_equations equations;
  ms_fem_spring *spring;
  int n_spring;
  ms_fem_kept *kept;
  int n_kept;
  ms_fem_stand_in *stand_in;
  int n_stand_in;
  struct ms_contact_site *contact_point; /* microslip/fem_contact.h */
  ptrdiff_t n_contact_point;
  int n_contact;
  int32_t *twin; /* of a sector, of each node of the mesh: the one that it follows, or -1; else NULL
                  */
  ms_elimination T;
  ms_fem_engine_data *engine; /* NULL before setup */
  char line[256];
};

/* Fails if the model is set up already. */
ms_status ms_fem_check_open(const ms_fem_model *m);
/* sector.c: supports and links of a sector; the node that a node of the mesh follows, or itself. */
ms_status ms_fem_link_sector(ms_fem_model *m);
static inline int32_t ms_fem_twin(const ms_fem_model *m, int32_t node) {
  return m->twin && m->twin[node] >= 0 ? m->twin[node] : node;
}
/* A vector at a node as it is at the node that it follows. */
void ms_fem_turn_back(const ms_fem_model *m, int32_t node, double *v);
/* As ms_fem_get_index, but fails where there is none. */
ms_status ms_fem_find_index(const ms_fem_model *m, ptrdiff_t node, int component, int32_t *index);
const double *ms_fem_place(const ms_fem_model *m, ptrdiff_t node);
void ms_fem_describe(const void *model, int32_t index, char *text, size_t size);

/* face.c: shape functions of a face of n_node nodes at (r, s); dN[i] = dN_i/dr, dN[8 + i] =
   dN_i/ds. Quadrilaterals on [-1, 1]^2, triangles on r, s, 1 - r - s >= 0. */
void ms_face_shape(int n_node, double r, double s, double *N, double *dN);
/* The coordinates of a face, 3 x n_node, and its nodes. */
const ms_face *ms_face_gather(const ms_mesh *mesh, int32_t element, int face, int32_t *node,
                              double *x);
/* Point p and tangents t_r, t_s at (r, s); returns |t_r x t_s|. */
double ms_face_map(int n_node, const double *x, double r, double s, double *N, double *p,
                   double *t);
/* t_r x t_s: outward on a solid's face. */
void ms_face_normal(const double *t, double *normal);
/* Points of a Gauss rule of order 1 to 4 (triangles 2 to 4), and the corners of the piece of the
   face that each stands for. Returns how many, at most MS_FACE_POINTS. */
enum { MS_FACE_POINTS = 16 };
typedef struct ms_face_point {
  double r, s, weight;
  double cell[4][2];
} ms_face_point;
int ms_face_rule(int n_node, int order, ms_face_point *point);
/* Each node's share of the area: the diagonal of the face's mass, scaled. */
void ms_face_share(int n_node, const double *x, double *share);
/* Integrals of its shape functions over a face, and of these times the normal, 3 x n_node. On
   quadratic faces they are zero or negative at corners. */
void ms_face_weigh(int n_node, const double *x, double *area, double *normal);
/* The point of a face that is nearest to y, in the face's coordinates, kept inside; its distance.
 */
double ms_face_project(int n_node, const double *x, const double *y, double *r, double *s);
/* The same for a set of faces, with the middle and radius of every face (4 numbers), so that most
   of them need no projection. */
typedef struct ms_landing {
  ptrdiff_t face; /* in the set, or -1 */
  double distance, r, s;
} ms_landing;
void ms_faces_fill_balls(const ms_mesh *mesh, const ms_mesh_set *faces, double *ball);
ms_landing ms_faces_project(const ms_mesh *mesh, const ms_mesh_set *faces, const double *ball,
                            const double *y);

/* solve/petsc.c: fills m->T from the equations, before setup. */
ms_status ms_fem_eliminate(ms_fem_model *m);
/* solve/petsc.c: frees what PETSc holds. */
void ms_fem_engine_close(ms_fem_model *m);

#endif
