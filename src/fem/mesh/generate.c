/* Structured parts from a section and layers.

   Lattice points are numbered layer after layer, point p of the section on level l is p + n_point
   l; those that elements use become nodes, in that order. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "fem/mesh/grid.h"
#include "fem/tolerance.h"

/* The sets that faces may fall into. */
enum {
  NONE = MS_EDGE_INSIDE,
  LEFT = MS_EDGE_LEFT,
  RIGHT = MS_EDGE_RIGHT,
  FRONT = MS_EDGE_FRONT,
  BACK = MS_EDGE_BACK,
  BOTTOM,
  TOP,
  INNER,
  OUTER,
  FLOOR,
  CEILING,
  STEP,
  N_NAMES
};
static const char *const set_name[N_NAMES] = {
  [NONE] = "",       [LEFT] = "left",     [RIGHT] = "right",     [FRONT] = "front",
  [BACK] = "back",   [BOTTOM] = "bottom", [TOP] = "top",         [INNER] = "inner",
  [OUTER] = "outer", [FLOOR] = "floor",   [CEILING] = "ceiling", [STEP] = "step",
};

typedef struct boundary {
  int32_t element;
  unsigned char face, set;
} boundary;

/* A part in the making. */
typedef struct maker {
  ms_mesh *mesh;
  int part;
  const ms_cut *cut;
  const ms_element_info *info;
  ms_grid grid;
  const ms_rings *rings; /* layers and what is filled; a brick is one zone, one slab */
  double bottom;         /* where the layers begin, along the axis */
  int axis, n_layer;
  double origin[2];         /* of the section, across the axis */
  int low, high, outermost; /* slabs and zone that are filled */

  int32_t *number; /* of lattice points: first 0 or 1 (used), then 1 + node */
  int32_t *node;   /* of elements, lattice points at first */
  ptrdiff_t n_element, n_node;
  boundary *face;
  ptrdiff_t n_face, max_face;
} maker;

/* ---- what is filled ---- */

static int filled(const maker *m, int slab, int zone) {
  return slab >= 0 && slab < m->rings->n_slab && zone >= 0 && zone < m->rings->n_zone &&
         m->rings->filled[slab][zone];
}

static void find_extent(maker *m) {
  m->low = m->rings->n_slab;
  m->high = m->outermost = -1;
  for (int slab = 0; slab < m->rings->n_slab; slab++) {
    for (int zone = 0; zone < m->rings->n_zone; zone++) {
      if (!filled(m, slab, zone)) continue;
      if (slab < m->low) m->low = slab;
      if (slab > m->high) m->high = slab;
      if (zone > m->outermost) m->outermost = zone;
    }
  }
}

/* The set of one face of the brick over quadrilateral q, by the brick's slab and those below and
   above. */
static int face_set(const maker *m, ptrdiff_t q, int face, int slab, int below, int above) {
  int zone = m->grid.zone[q];
  if (face == 0 && filled(m, below, zone)) return NONE;
  if (face == 0) return slab == m->low ? BOTTOM : CEILING;
  if (face == 1 && filled(m, above, zone)) return NONE;
  if (face == 1) return slab == m->high ? TOP : FLOOR;
  int edge = m->grid.edge[4 * q + face - 2];
  if (edge == MS_EDGE_IN) return filled(m, slab, zone - 1) ? NONE : INNER;
  if (edge != MS_EDGE_OUT) return edge; /* NONE to BACK stand for themselves */
  if (filled(m, slab, zone + 1)) return NONE;
  return zone == m->outermost ? OUTER : STEP;
}

/* ---- elements ---- */

/* Lattice coordinates of a brick's corners, 0 or 1 in each direction. */
static const int corner_place[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                        { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };

/* The lattice point half-way between two corners of the brick over q, on levels from `level` on. */
static int32_t between(const ms_grid *g, ptrdiff_t q, ptrdiff_t level, int i, int j) {
  int place[3], width = g->s + 1;
  for (int a = 0; a < 3; a++) place[a] = g->s * (corner_place[i][a] + corner_place[j][a]) / 2;
  int32_t p = g->quad[width * width * q + place[0] + width * place[1]];
  return (int32_t)(p + g->n_point * (level + place[2]));
}

static ms_status add_face(maker *m, int face, int set) {
  if (m->n_face == m->max_face) {
    ptrdiff_t more = m->max_face ? 2 * m->max_face : 1024;
    MS_TRY(ms_resize(m->mesh->ctx, more, sizeof *m->face, &m->face));
    m->max_face = more;
  }
  m->face[m->n_face++] = (boundary) { (int32_t)(m->mesh->n_element + m->n_element),
                                      (unsigned char)face, (unsigned char)set };
  return MS_SUCCESS;
}

/* Faces of a piece that lie in a face of the brick which is in a set; bits stand for its corners.
 */
static ms_status add_faces(maker *m, const int *piece, const int *set) {
  static const int side[6] = { 0x0f, 0xf0, 0x33, 0x66, 0xcc, 0x99 };
  for (int f = 0; f < m->info->n_face; f++) {
    int corners = 0;
    for (int i = 0; i < m->info->face[f].n_corner; i++) {
      corners |= 1 << piece[m->info->face[f].node[i]];
    }
    for (int k = 0; k < 6; k++) {
      if (set[k] != NONE && (corners & ~side[k]) == 0) MS_TRY(add_face(m, f, set[k]));
    }
  }
  return MS_SUCCESS;
}

static ms_status add_brick(maker *m, ptrdiff_t q, ptrdiff_t layer, const int *set) {
  const ms_grid *g = &m->grid;
  int32_t id[8];
  int piece[MS_MAX_PIECE][8];
  for (int i = 0; i < 8; i++) id[i] = between(g, q, g->s * layer, i, i);
  int n = m->cut->pieces(id, piece);
  for (int k = 0; k < n; k++) {
    int32_t *node = m->node + m->info->n_node * m->n_element;
    for (int i = 0; i < m->cut->n_corner; i++) node[i] = id[piece[k][i]];
    for (int e = 0; e < m->cut->n_edge; e++) {
      int a = piece[k][m->cut->edge[e][0]], b = piece[k][m->cut->edge[e][1]];
      node[m->cut->n_corner + e] = between(g, q, g->s * layer, a, b);
    }
    MS_TRY(add_faces(m, piece[k], set));
    m->n_element++;
  }
  return MS_SUCCESS;
}

/* The slab of a layer. */
static int slab_of(const maker *m, int layer) {
  int slab = 0;
  if (layer < 0) return -1;
  while (slab < m->rings->n_slab && layer >= m->rings->layers[slab]) {
    layer -= m->rings->layers[slab++];
  }
  return slab;
}

/* ---- into the mesh ---- */

/* How far along the axis a level is. */
static double level_height(const maker *m, ptrdiff_t level) {
  double z = m->bottom;
  for (int slab = 0; slab < m->rings->n_slab; slab++) {
    ptrdiff_t n = (ptrdiff_t)m->grid.s * m->rings->layers[slab];
    if (level <= n) return z + m->rings->height[slab] * (double)level / (double)n;
    z += m->rings->height[slab];
    level -= n;
  }
  return z;
}

static ms_status add_nodes(maker *m) {
  ptrdiff_t n_lattice = m->grid.n_point * ((ptrdiff_t)m->grid.s * m->n_layer + 1);
  for (ptrdiff_t i = 0; i < m->info->n_node * m->n_element; i++) m->number[m->node[i]] = 1;
  for (ptrdiff_t i = 0; i < n_lattice; i++) {
    if (m->number[i]) m->number[i] = (int32_t)(m->mesh->n_node + ++m->n_node);
  }
  double *x;
  MS_TRY(ms_allocate(m->mesh->ctx, 3 * m->n_node, sizeof *x, &x));
  for (ptrdiff_t i = 0; i < n_lattice; i++) {
    if (!m->number[i]) continue;
    const double *p = m->grid.xy + 2 * (i % m->grid.n_point);
    double *to = x + 3 * (m->number[i] - 1 - m->mesh->n_node);
    to[m->axis] = level_height(m, i / m->grid.n_point);
    to[(m->axis + 1) % 3] = m->origin[0] + p[0];
    to[(m->axis + 2) % 3] = m->origin[1] + p[1];
  }
  for (ptrdiff_t i = 0; i < m->info->n_node * m->n_element; i++) {
    m->node[i] = m->number[m->node[i]] - 1;
  }
  ms_status status = ms_mesh_add_nodes(m->mesh, m->n_node, x, NULL, NULL);
  ms_free(m->mesh->ctx, &x);
  return status;
}

/* Faces and nodes of one set into the arrays given, which hold them all; the bytes of `number`
   serve as marks. Returns the number of faces, and of nodes in *n_node. */
static ptrdiff_t collect(maker *m, int set, ptrdiff_t first, int32_t *element, unsigned char *face,
                         int32_t *node, ptrdiff_t *n_node) {
  ptrdiff_t n = 0, first_element = m->mesh->n_element - m->n_element;
  *n_node = 0;
  memset(m->number, 0, (size_t)m->n_node * sizeof *m->number);
  for (ptrdiff_t i = 0; i < m->n_face; i++) {
    const boundary *b = &m->face[i];
    if (b->set != set) continue;
    element[n] = b->element;
    face[n++] = b->face;
    const ms_face *f = &m->info->face[b->face];
    const int32_t *nodes = m->node + m->info->n_node * (b->element - first_element);
    for (int k = 0; k < f->n_node; k++) m->number[nodes[f->node[k]] - first] = 1;
  }
  for (ptrdiff_t i = 0; i < m->n_node; i++) {
    if (m->number[i]) node[(*n_node)++] = (int32_t)(first + i);
  }
  return n;
}

static ms_status add_sets(maker *m) {
  ms_context *ctx = m->mesh->ctx;
  int32_t *element = NULL, *node = NULL;
  unsigned char *face = NULL;
  ms_status status = ms_allocate(ctx, m->n_face, sizeof *element, &element);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, m->n_node, sizeof *node, &node);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, m->n_face, 1, &face);
  for (int set = 1; set < N_NAMES && status == MS_SUCCESS; set++) {
    ptrdiff_t n_node, first = m->mesh->n_node - m->n_node;
    ptrdiff_t n = collect(m, set, first, element, face, node, &n_node);
    char name[256];
    if (n == 0) continue;
    snprintf(name, sizeof name, "%s.%s", m->mesh->part_name[m->part], set_name[set]);
    status = ms_mesh_add_set(m->mesh, MS_SET_NODES, name, n_node, node, NULL);
    if (status != MS_SUCCESS) break;
    status = ms_mesh_add_set(m->mesh, MS_SET_FACES, name, n, element, face);
  }
  ms_free(ctx, &element);
  ms_free(ctx, &node);
  ms_free(ctx, &face);
  return status;
}

/* ---- the whole ---- */

static ms_status fill(maker *m) {
  ms_context *ctx = m->mesh->ctx;
  double n = 0.0;
  for (int i = 0; i < m->rings->n_slab; i++) n += m->rings->layers[i];
  double points = (double)m->grid.n_point * (m->grid.s * n + 1.0);
  double elements = (double)m->grid.n_quad * n * m->cut->n_piece;
  if (points > INT32_MAX / 2 || elements > INT32_MAX / 2) {
    return ms_fail(m->mesh->ctx, MS_ERR_OVERFLOW,
                   "part '%s' would have %.0f bricks; use fewer elements",
                   m->mesh->part_name[m->part], (double)m->grid.n_quad * n);
  }
  m->n_layer = (int)n;
  ptrdiff_t n_lattice = m->grid.n_point * ((ptrdiff_t)m->grid.s * m->n_layer + 1);
  ptrdiff_t n_element = m->grid.n_quad * m->n_layer * m->cut->n_piece; /* at most */
  MS_TRY(ms_allocate(ctx, n_lattice, sizeof *m->number, &m->number));
  MS_TRY(ms_allocate(ctx, n_element * m->info->n_node, sizeof *m->node, &m->node));
  for (int layer = 0; layer < m->n_layer; layer++) {
    int slab = slab_of(m, layer), below = slab_of(m, layer - 1), above = slab_of(m, layer + 1);
    for (ptrdiff_t q = 0; q < m->grid.n_quad; q++) {
      int set[6];
      if (!filled(m, slab, m->grid.zone[q])) continue;
      for (int f = 0; f < 6; f++) set[f] = face_set(m, q, f, slab, below, above);
      MS_TRY(add_brick(m, q, layer, set));
    }
  }
  MS_TRY(add_nodes(m));
  MS_TRY(
      ms_mesh_add_elements(m->mesh, m->part, m->cut->element, m->n_element, m->node, NULL, NULL));
  return add_sets(m);
}

/* Takes back what a failed part has added. */
static void roll_back(ms_mesh *mesh, const ms_mesh *before) {
  while (mesh->n_set > before->n_set) {
    ms_set *s = &mesh->set[--mesh->n_set];
    ms_free(mesh->ctx, &s->name);
    ms_free(mesh->ctx, &s->index);
    ms_free(mesh->ctx, &s->face);
  }
  while (mesh->n_block > before->n_block) ms_free(mesh->ctx, &mesh->block[--mesh->n_block].node);
  mesh->n_node = before->n_node;
  mesh->n_element = before->n_element;
}

/* The section is in the maker and goes. */
static ms_status make(maker *m) {
  ms_context *ctx = m->mesh->ctx;
  ms_mesh before = *m->mesh;
  ms_status status = fill(m);
  if (status != MS_SUCCESS) roll_back(m->mesh, &before);
  ms_grid_free(ctx, &m->grid);
  ms_free(ctx, &m->number);
  ms_free(ctx, &m->node);
  ms_free(ctx, &m->face);
  return status;
}

/* A property that does not suit is told before anything is made. */
static ms_status begin(ms_mesh *mesh, int part, const char *element, maker *m) {
  *m = (maker) { .mesh = mesh, .part = part };
  if (part < 0 || part >= mesh->n_part) {
    return ms_fail(mesh->ctx, MS_ERR_ARGUMENT, "part %d: the mesh has %d parts", part,
                   mesh->n_part);
  }
  ms_property property;
  MS_TRY(ms_cut_find(mesh->ctx, element, &m->cut));
  MS_TRY(ms_element_find(mesh->ctx, element, &m->info));
  return ms_property_prepare(mesh->ctx, &mesh->part[part], m->info->needs, &property);
}

static ms_status check_size(const maker *m, const char *what, double size, int n) {
  if (size > 0.0 && isfinite(size) && n > 0) return MS_SUCCESS;
  return ms_fail(m->mesh->ctx, MS_ERR_BOUNDS,
                 "part '%s': %s is %g m with %d elements; both must be above 0",
                 m->mesh->part_name[m->part], what, size, n);
}

ms_status ms_mesh_add_brick(ms_mesh *mesh, int part, const char *element, const ms_brick *brick) {
  return ms_mesh_add_drilled_brick(mesh, part, element, brick, 0, NULL);
}

ms_status ms_mesh_add_drilled_brick(ms_mesh *mesh, int part, const char *element,
                                    const ms_brick *brick, int n_hole, const ms_hole *hole) {
  static const char *const what[] = { "its size along x", "its size along y", "its size along z" };
  maker m;
  MS_TRY(begin(mesh, part, element, &m));
  for (int a = 0; a < 3; a++) MS_TRY(check_size(&m, what[a], brick->size[a], brick->n[a]));
  ms_rings slab = { .n_zone = 1,
                    .n_slab = 1,
                    .height = { brick->size[2] },
                    .layers = { brick->n[2] },
                    .filled = { { 1 } } };
  m.rings = &slab;
  m.bottom = brick->at[2];
  m.axis = 2;
  find_extent(&m);
  /* The brick's section with its holes; empty after a failure. */
  ms_context *ctx = m.mesh->ctx;
  MS_TRY(ms_grid_rectangle(ctx, m.cut->s, brick->at, brick->size, brick->n, &m.grid));
  ms_status status = ms_grid_drill(ctx, brick, n_hole, hole, &m.grid);
  if (status != MS_SUCCESS) ms_grid_free(ctx, &m.grid);
  MS_TRY(status);
  return make(&m);
}

static ms_status check_rings(const maker *m, const ms_rings *r) {
  const char *name = m->mesh->part_name[m->part];
  if (r->n_zone < 1 || r->n_zone > MS_MAX_ZONE || r->n_slab < 1 || r->n_slab > MS_MAX_SLAB ||
      (r->core < 2 && !(r->sector > 0.0)) || r->axis < 0 || r->axis > 2) {
    return ms_fail(
        m->mesh->ctx, MS_ERR_BOUNDS,
        "part '%s': needs 1 to %d zones, 1 to %d slabs, a core of at least 2 elements and "
        "an axis from 0 to 2",
        name, MS_MAX_ZONE, MS_MAX_SLAB);
  }
  for (int z = 0; z < r->n_zone; z++) {
    double across = r->radius[z] - (z > 0 ? r->radius[z - 1] : 0.0);
    MS_TRY(check_size(m, "a zone across", across, r->rings[z]));
  }
  for (int i = 0; i < r->n_slab; i++) MS_TRY(check_size(m, "a slab", r->height[i], r->layers[i]));
  if (m->high >= 0) return MS_SUCCESS;
  return ms_fail(m->mesh->ctx, MS_ERR_ARGUMENT, "part '%s': none of its zones is filled", name);
}

/* The mesh becomes one of sectors with its first one. */
static ms_status check_sector(const maker *m, const ms_rings *r) {
  ms_mesh *mesh = m->mesh;
  const char *name = mesh->part_name[m->part];
  int disc = 0, same = mesh->sector == r->sector && mesh->sector_axis == r->axis;
  for (int i = 0; i < r->n_slab; i++) disc = disc || r->filled[i][0];
  for (int a = 0; a < 3; a++) same = same && (a == r->axis || r->at[a] == mesh->sector_at[a]);
  if (!(r->sector >= ms_mesh_tol.least_sector && r->sector <= ms_mesh_tol.most_sector)) {
    return ms_fail(mesh->ctx, MS_ERR_BOUNDS,
                   "part '%s': a sector of %g degrees; from %g to %g, one element wide", name,
                   r->sector * 180.0 / MS_PI, ms_mesh_tol.least_sector * 180.0 / MS_PI,
                   ms_mesh_tol.most_sector * 180.0 / MS_PI);
  }
  if (disc || strcmp(m->cut->element, "hex8") != 0) {
    return ms_fail(mesh->ctx, MS_ERR_ARGUMENT,
                   "part '%s': a sector has elements hex8 and no disc: its first zone is a bore, "
                   "as thin as you like, and 0 in filled",
                   name);
  }
  if (mesh->n_element == 0 || same) return MS_SUCCESS;
  return ms_fail(mesh->ctx, MS_ERR_ARGUMENT,
                 "part '%s': all parts of a sector have its angle and its axis", name);
}

ms_status ms_mesh_add_rings(ms_mesh *mesh, int part, const char *element, const ms_rings *rings) {
  maker m;
  MS_TRY(begin(mesh, part, element, &m));
  m.rings = rings;
  if (rings->n_zone <= MS_MAX_ZONE && rings->n_slab <= MS_MAX_SLAB) find_extent(&m);
  MS_TRY(check_rings(&m, rings));
  m.axis = rings->axis;
  m.bottom = rings->at[m.axis];
  m.origin[0] = rings->at[(m.axis + 1) % 3];
  m.origin[1] = rings->at[(m.axis + 2) % 3];
  if (rings->sector == 0.0) {
    MS_TRY(ms_grid_disc(mesh->ctx, m.cut->s, rings, &m.grid));
    return make(&m);
  }
  MS_TRY(check_sector(&m, rings));
  MS_TRY(ms_grid_sector(mesh->ctx, rings, &m.grid));
  MS_TRY(make(&m));
  mesh->sector = rings->sector;
  mesh->sector_axis = rings->axis;
  memcpy(mesh->sector_at, rings->at, sizeof mesh->sector_at);
  mesh->part[part].times = 2.0 * MS_PI / sin(rings->sector);
  return MS_SUCCESS;
}
