/* Exodus II files: blocks, node sets, side sets, names and numbers. L. A. Schoof, V. R. Yarberry,
   EXODUS II: A Finite Element Data Model, SAND92-2137 (1994). */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "fem/formats/netcdf.h"
#include "fem/formats/reader.h"

enum { MAX_NODES = 20, NAME_SIZE = 320 };

/* order[i] is the place in the file of our node i, NULL: the same; side[k] our face of side k + 1.
   Exodus has the upright edges of a brick before those of its top. */
typedef struct type {
  const char *name; /* how the name in the file begins */
  int n_node;
  const char *element;
  const int *order, *side;
} type;

static const int hex20_order[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                   10, 11, 16, 17, 18, 19, 12, 13, 14, 15 };
static const int hex_side[] = { 2, 3, 4, 5, 0, 1 };
static const int tet_side[] = { 1, 2, 3, 0 };
static const int wedge_side[] = { 2, 3, 4, 0, 1 };

static const type types[] = {
  { "HEX", 8, "hex8", NULL, hex_side },       { "HEX", 20, "hex20", hex20_order, hex_side },
  { "TET", 4, "tet4", NULL, tet_side },       { "TET", 10, "tet10", NULL, tet_side },
  { "WEDGE", 6, "wedge6", NULL, wedge_side }, { "BEAM", 2, "beam", NULL, NULL },
  { "BAR", 2, "beam", NULL, NULL },           { "SPHERE", 1, "mass", NULL, NULL },
};

enum { n_types = sizeof types / sizeof types[0] };

typedef struct exodus {
  ms_reader *r;
  ms_netcdf f;
  ptrdiff_t n_node, n_element;
} exodus;

/* ---- names ---- */

/* Names of blocks or sets, from "eb_names" and the like or made of their numbers. */
typedef struct names {
  ptrdiff_t n, width;
  ptrdiff_t *id;
  char *text; /* NULL: none */
} names;

static void free_names(ms_context *ctx, names *s) {
  ms_free(ctx, &s->id);
  ms_free(ctx, &s->text);
}

/* Blocks or sets of a file; numbers that were never stored can claim millions. */
enum { MOST_SETS = 100000 };

/* prefix: "eb", "ns", "ss". */
static ms_status read_names(exodus *x, const char *prefix, names *out) {
  char name[32];
  ptrdiff_t one;
  int has;
  *out = (names) { 0 };
  snprintf(name, sizeof name, "%s_prop1", prefix);
  MS_TRY(ms_netcdf_has(&x->f, name, &has));
  if (!has) return MS_SUCCESS;
  MS_TRY(ms_netcdf_integers(&x->f, name, &out->n, &one, &out->id));
  out->n *= one; /* which may be 0 */
  ms_status status = MS_SUCCESS;
  if (out->n > MOST_SETS) {
    status = ms_fail(x->r->ctx, MS_ERR_FORMAT, "%s: '%s' has %td entries; at most %d are read",
                     x->f.path, name, out->n, MOST_SETS);
  }
  snprintf(name, sizeof name, "%s_names", prefix);
  if (status == MS_SUCCESS) status = ms_netcdf_has(&x->f, name, &has);
  if (status == MS_SUCCESS && has && out->n > 0) {
    status = ms_netcdf_texts(&x->f, name, out->n, &out->width, &out->text);
  }
  if (status != MS_SUCCESS) free_names(x->r->ctx, out);
  return status;
}

static void name_of(const names *s, ptrdiff_t i, const char *what, char out[NAME_SIZE]) {
  const char *text = s->text ? s->text + i * s->width : "";
  if (*text)
    snprintf(out, NAME_SIZE, "%.*s", (int)(s->width < NAME_SIZE ? s->width : NAME_SIZE - 1), text);
  else
    snprintf(out, NAME_SIZE, "%s_%td", what, s->id[i]);
  ms_reader_clean(out, strlen(out));
}

/* ---- nodes ---- */

static ms_status read_axis(exodus *x, const char *name, int axis, double *all) {
  double *values;
  ptrdiff_t n, one;
  MS_TRY(ms_netcdf_numbers(&x->f, name, &n, &one, &values));
  n *= one;
  ms_status status = MS_SUCCESS;
  if (n != x->n_node) {
    status = ms_fail(x->r->ctx, MS_ERR_FORMAT, "%s: '%s' has %td values for %td nodes", x->f.path,
                     name, n, x->n_node);
  }
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) {
    all[3 * i + axis] = values[i] * x->r->settings->length;
  }
  ms_free(x->r->ctx, &values);
  return status;
}

/* coordx, coordy, coordz, or one array coord of three rows. */
static ms_status read_coordinates(exodus *x, double **all) {
  static const char *const axis[] = { "coordx", "coordy", "coordz" };
  double *values;
  ptrdiff_t rows, n;
  int together, has;
  MS_TRY(ms_netcdf_has(&x->f, "coord", &together));
  MS_TRY(ms_netcdf_numbers(&x->f, together ? "coord" : "coordx", &rows, &n, &values));
  x->n_node = together ? n : rows * n;
  ms_status status = ms_allocate(x->r->ctx, 3 * (x->n_node + 1), sizeof **all, all);
  for (ptrdiff_t i = 0; together && status == MS_SUCCESS && i < rows * n && rows <= 3; i++) {
    (*all)[3 * (i % n) + i / n] = values[i] * x->r->settings->length;
  }
  for (int a = 0; !together && status == MS_SUCCESS && a < 3; a++) {
    status = ms_netcdf_has(&x->f, axis[a], &has);
    if (status == MS_SUCCESS && has) status = read_axis(x, axis[a], a, *all);
  }
  ms_free(x->r->ctx, &values);
  return status;
}

/* Numbers of nodes or elements; NULL if the file has none. */
static ms_status read_map(exodus *x, const char *name, ptrdiff_t n, ptrdiff_t **out) {
  ptrdiff_t rows, columns;
  int has;
  *out = NULL;
  MS_TRY(ms_netcdf_has(&x->f, name, &has));
  if (!has) return MS_SUCCESS;
  MS_TRY(ms_netcdf_integers(&x->f, name, &rows, &columns, out));
  if (n < 0 || rows * columns == n) return MS_SUCCESS;
  ms_free(x->r->ctx, out);
  return ms_fail(x->r->ctx, MS_ERR_FORMAT, "%s: '%s' has %td entries; it must have %td", x->f.path,
                 name, rows * columns, n);
}

static ms_status read_nodes(exodus *x) {
  double *all = NULL;
  ptrdiff_t *label = NULL;
  ms_status status = read_coordinates(x, &all);
  if (status == MS_SUCCESS) status = read_map(x, "node_num_map", x->n_node, &label);
  if (status == MS_SUCCESS) {
    status = ms_mesh_add_nodes(x->r->mesh, x->n_node, all, label, NULL);
    if (status != MS_SUCCESS) ms_fail_at(x->r->ctx, status, "%s", x->f.path);
  }
  ms_free(x->r->ctx, &all);
  ms_free(x->r->ctx, &label);
  return status;
}

/* ---- blocks ---- */

static ms_status find_type(const exodus *x, const char *variable, const char *name,
                           ptrdiff_t n_node, const type **out) {
  for (int i = 0; i < n_types; i++) {
    *out = &types[i];
    size_t length = strlen(types[i].name);
    if (strncasecmp(name, types[i].name, length) == 0 && types[i].n_node == n_node) {
      return MS_SUCCESS;
    }
  }
  return ms_fail(x->r->ctx, MS_ERR_FORMAT,
                 "%s: '%s' holds elements '%.40s' of %td nodes; they must be HEX of 8 or 20, TETRA "
                 "of 4 or 10, WEDGE of 6, BEAM of 2, SPHERE",
                 x->f.path, variable, name, n_node);
}

static ms_status convert(const exodus *x, const char *variable, const type *t, ptrdiff_t n,
                         const ptrdiff_t *from, int32_t *to) {
  for (ptrdiff_t i = 0; i < n * t->n_node; i++) {
    ptrdiff_t e = i / t->n_node, k = i % t->n_node;
    ptrdiff_t node = from[e * t->n_node + (t->order ? t->order[k] : k)];
    if (node < 1 || node > x->n_node) {
      return ms_fail(x->r->ctx, MS_ERR_FORMAT,
                     "%s: element %td of '%s' has node %td; it must be 1 to %td", x->f.path, e + 1,
                     variable, node, x->n_node);
    }
    to[i] = (int32_t)(node - 1);
  }
  return MS_SUCCESS;
}

static ms_status add_block(exodus *x, const type *t, const char *name, ptrdiff_t n,
                           const int32_t *node, const ptrdiff_t *label) {
  int part;
  ms_context *ctx = x->r->ctx;
  const ptrdiff_t *labels = label ? label + x->n_element : NULL;
  int32_t *member = NULL;
  MS_TRY(ms_reader_part(x->r, name, NULL, &part));
  const ms_part *p = ms_mesh_get_part(x->r->mesh, part);
  int shear = strcmp(t->element, "beam") == 0 && p->section.shear_y > 0.0;
  MS_TRY(ms_mesh_add_elements(x->r->mesh, part, shear ? "timoshenko" : t->element, n, node, labels,
                              NULL));
  MS_TRY(ms_resize(ctx, n, sizeof *member, &member));
  for (ptrdiff_t i = 0; i < n; i++) member[i] = (int32_t)(x->n_element + i);
  ms_status status = ms_mesh_add_set(x->r->mesh, MS_SET_ELEMENTS, name, n, member, NULL);
  ms_free(ctx, &member);
  x->n_element += n;
  return status;
}

static ms_status read_block(exodus *x, const char *variable, const char *name,
                            const ptrdiff_t *label) {
  ms_context *ctx = x->r->ctx;
  ptrdiff_t n, n_node;
  const type *t = NULL;
  char *kind;
  ptrdiff_t *list = NULL;
  int32_t *node = NULL;
  MS_TRY(ms_netcdf_element(&x->f, variable, &kind));
  ms_reader_clean(kind, strlen(kind));
  ms_status status = ms_netcdf_integers(&x->f, variable, &n, &n_node, &list);
  if (status == MS_SUCCESS && n_node == 1 && strncasecmp(kind, "SPHERE", 6) != 0) {
    n_node = n; /* one element: HDF5 does not tell a row from a column */
    n = 1;
  }
  if (status == MS_SUCCESS) status = find_type(x, variable, kind, n_node, &t);
  if (status == MS_SUCCESS) status = ms_resize(ctx, n * n_node, sizeof *node, &node);
  if (status == MS_SUCCESS) status = convert(x, variable, t, n, list, node);
  if (status == MS_SUCCESS) {
    status = add_block(x, t, name, n, node, label);
    if (status != MS_SUCCESS) ms_fail_at(ctx, status, "%s: '%s'", x->f.path, variable);
  }
  ms_free(ctx, &kind);
  ms_free(ctx, &list);
  ms_free(ctx, &node);
  return status;
}

static ms_status count_elements(exodus *x, ptrdiff_t n_block, ptrdiff_t *out) {
  *out = 0;
  for (ptrdiff_t i = 0; i < n_block; i++) {
    char variable[32], *kind;
    ptrdiff_t n, n_node;
    ptrdiff_t *list;
    snprintf(variable, sizeof variable, "connect%td", i + 1);
    int has;
    MS_TRY(ms_netcdf_has(&x->f, variable, &has));
    if (!has) continue;
    MS_TRY(ms_netcdf_integers(&x->f, variable, &n, &n_node, &list));
    ms_free(x->r->ctx, &list);
    MS_TRY(ms_netcdf_element(&x->f, variable, &kind));
    *out += n_node == 1 && strncasecmp(kind, "SPHERE", 6) != 0 ? 1 : n;
    ms_free(x->r->ctx, &kind);
  }
  return MS_SUCCESS;
}

static ms_status add_blocks(exodus *x, const names *block) {
  ptrdiff_t *label;
  ptrdiff_t n;
  MS_TRY(count_elements(x, block->n, &n));
  MS_TRY(read_map(x, "elem_num_map", n, &label));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < block->n; i++) {
    char variable[32], name[NAME_SIZE];
    snprintf(variable, sizeof variable, "connect%td", i + 1);
    name_of(block, i, "block", name);
    int has;
    status = ms_netcdf_has(&x->f, variable, &has);
    if (status == MS_SUCCESS && has) status = read_block(x, variable, name, label);
  }
  ms_free(x->r->ctx, &label);
  return status;
}

/* ---- sets ---- */

static ms_status to_indices(exodus *x, const char *variable, ptrdiff_t count, ptrdiff_t *n,
                            int32_t **out) {
  ptrdiff_t *list;
  ptrdiff_t one;
  *out = NULL;
  MS_TRY(ms_netcdf_integers(&x->f, variable, n, &one, &list));
  *n *= one;
  ms_status status = ms_resize(x->r->ctx, *n, sizeof **out, out);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < *n; i++) {
    (*out)[i] = (int32_t)(list[i] - 1);
    if (list[i] >= 1 && list[i] <= count) continue;
    status = ms_fail(x->r->ctx, MS_ERR_FORMAT, "%s: entry %td of '%s' is %td; it must be 1 to %td",
                     x->f.path, i + 1, variable, list[i], count);
  }
  ms_free(x->r->ctx, &list);
  if (status != MS_SUCCESS) ms_free(x->r->ctx, out);
  return status;
}

static ms_status read_node_set(exodus *x, ptrdiff_t i, const char *name) {
  char variable[32];
  int32_t *node;
  ptrdiff_t n;
  snprintf(variable, sizeof variable, "node_ns%td", i + 1);
  int has;
  MS_TRY(ms_netcdf_has(&x->f, variable, &has));
  if (!has) return MS_SUCCESS; /* it is empty */
  MS_TRY(to_indices(x, variable, x->n_node, &n, &node));
  ms_status status = ms_reader_add_nodes(x->r, name, n, node);
  ms_free(x->r->ctx, &node);
  return status;
}

/* Our face of a side, counted from 1 as the file does. */
static int face_of(const exodus *x, int32_t element, int32_t side) {
  ms_mesh_block b = ms_mesh_get_block(x->r->mesh, ms_mesh_find_block(x->r->mesh, element));
  for (int i = 0; i < n_types; i++) {
    if (strcmp(types[i].element, b.element->name) != 0 || !types[i].side) continue;
    return side < b.element->n_face ? types[i].side[side] : 255;
  }
  return 255;
}

static ms_status add_sides(exodus *x, const char *name, ptrdiff_t n, const int32_t *element,
                           const int32_t *side) {
  unsigned char *face;
  MS_TRY(ms_allocate(x->r->ctx, n + 1, 1, &face));
  for (ptrdiff_t i = 0; i < n; i++) face[i] = (unsigned char)face_of(x, element[i], side[i]);
  ms_status status = ms_reader_add_faces(x->r, name, n, element, face);
  ms_free(x->r->ctx, &face);
  return status == MS_SUCCESS ? status : ms_fail_at(x->r->ctx, status, "%s", x->f.path);
}

static ms_status read_side_set(exodus *x, ptrdiff_t i, const char *name) {
  char elements[32], sides[32];
  int32_t *element, *side = NULL;
  ptrdiff_t n, n_side = 0;
  snprintf(elements, sizeof elements, "elem_ss%td", i + 1);
  snprintf(sides, sizeof sides, "side_ss%td", i + 1);
  int has;
  MS_TRY(ms_netcdf_has(&x->f, elements, &has));
  if (!has) return MS_SUCCESS;
  MS_TRY(to_indices(x, elements, x->n_element, &n, &element));
  ms_status status = to_indices(x, sides, 6, &n_side, &side);
  if (status == MS_SUCCESS && n != n_side) {
    status = ms_fail(x->r->ctx, MS_ERR_FORMAT, "%s: '%s' has %td entries and '%s' %td", x->f.path,
                     elements, n, sides, n_side);
  }
  if (status == MS_SUCCESS) status = add_sides(x, name, n, element, side);
  ms_free(x->r->ctx, &element);
  ms_free(x->r->ctx, &side);
  return status;
}

static ms_status read_sets(exodus *x, const char *prefix, const char *what,
                           ms_status (*read)(exodus *, ptrdiff_t, const char *)) {
  names list;
  MS_TRY(read_names(x, prefix, &list));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < list.n; i++) {
    char name[NAME_SIZE];
    name_of(&list, i, what, name);
    status = read(x, i, name);
  }
  free_names(x->r->ctx, &list);
  return status;
}

/* ---- the whole ---- */

static ms_status read_all(exodus *x) {
  names block;
  MS_TRY(read_nodes(x));
  MS_TRY(read_names(x, "eb", &block));
  ms_status status = add_blocks(x, &block);
  free_names(x->r->ctx, &block);
  if (status != MS_SUCCESS) return status;
  MS_TRY(read_sets(x, "ns", "nodeset", read_node_set));
  return read_sets(x, "ss", "sideset", read_side_set);
}

/* Many formats are HDF5. */
static ms_status check_kind(const exodus *x) {
  ms_results_kind med;
  int coord, coordx;
  if (!x->f.hdf5) return MS_SUCCESS;
  MS_TRY(ms_results_get_kind(x->f.hdf5, "ENS_MAA", &med));
  if (med == MS_RESULTS_GROUP) {
    return ms_fail(
        x->r->ctx, MS_ERR_FORMAT,
        "%s: is a MED file, which is not supported; save the mesh for Gmsh (.msh) or Abaqus "
        "(.inp)",
        x->f.path);
  }
  MS_TRY(ms_netcdf_has(&x->f, "coord", &coord));
  MS_TRY(ms_netcdf_has(&x->f, "coordx", &coordx));
  if (coord || coordx) return MS_SUCCESS;
  return ms_fail(x->r->ctx, MS_ERR_FORMAT,
                 "%s: is an HDF5 file, but not Exodus II: it has neither 'coord' nor 'coordx'",
                 x->f.path);
}

static ms_status exodus_read(ms_reader *r) {
  exodus x = { .r = r };
  MS_TRY(ms_netcdf_open(r->ctx, r->path, r->bytes, r->length, &x.f));
  ms_status status = check_kind(&x);
  if (status == MS_SUCCESS) status = read_all(&x);
  ms_netcdf_close(&x.f);
  return status;
}

static int exodus_sniff(const char *bytes, size_t length) {
  return ms_netcdf_sniff(bytes, length) != 0;
}

static const char *const endings[] = { ".e", ".exo", ".g", ".ex2", ".gen", NULL };

const ms_mesh_format ms_mesh_format_exodus = {
  .name = "exodus",
  .title = "Exodus II, netCDF classic or netCDF-4",
  .endings = endings,
  .sniff = exodus_sniff,
  .read = exodus_read,
};
