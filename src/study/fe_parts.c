/* fe: materials and parts, which become the mesh, and parts that grow together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "study/fe.h"

static const ms_key fe_keys[] = {
  { "materials", "mapping", "name: {E: ..., nu: ..., rho: ...}", 0 },
  { "mesh", "text", "a file of Gmsh, Abaqus or Exodus", 0 },
  { "parts", "mapping", "name: {block: {...}, material: ..., element: ...}", 0 },
  { "merge", "mapping", "{parts: [a, b]}: nodes at one place become one", 0 },
  { "tie", "mapping", "name: {nodes: ..., faces: ..., reach: ...}", 0 },
  { "fix", "mapping", "set or node: all, or [ux, uy, ...]", 0 },
  { "spiders", "mapping", "name: {rbe3: uniform, between: [...], at: [...]}", 0 },
};

static const ms_key material_keys[] = {
  { "E", "number or list", "Young's modulus, force/length^2; three along the axes", 1 },
  { "nu", "number or list", "Poisson's ratio; three: 12, 13, 23", 1 },
  { "G", "list", "shear moduli 12, 13, 23; only where there are three of E", 0 },
  { "rho", "number", "density, mass/length^3", 1 },
};

static const ms_key part_keys[] = {
  { "block", "mapping", "a brick or plate", 0 },
  { "rings", "mapping", "a body of revolution made of stacked rings", 0 },
  { "material", "word", "one of materials", 1 },
  { "element", "word", "hex8, hex20, wedge6, tet4 or tet10", 0 },
  { "points", "mapping", "name: [x, y, z], the nearest node", 0 },
};

static const ms_key block_keys[] = {
  { "size", "list", "along x, y, z", 1 },
  { "at", "list", "the corner with the lowest x, y, z", 0 },
  { "elements", "list", "how many along x, y, z", 1 },
};

static const ms_key rings_keys[] = {
  { "at", "list", "on the axis at the bottom", 0 },
  { "axis", "word", "x, y or z", 0 },
  { "core", "number", "even, elements across the square in the middle", 1 },
  { "radius", "list", "outer radius of each zone, rising", 1 },
  { "rings", "list", "elements across each zone", 1 },
  { "height", "list", "of each slab, from the bottom", 1 },
  { "layers", "list", "elements along the axis in each slab", 1 },
  { "filled", "list", "for each slab, 1 or 0 for each zone", 0 },
};

static const ms_key merge_keys[] = {
  { "parts", "list", "which", 0 },
  { "tolerance", "number", "how near counts as one place", 0 },
};

/* ---- materials ---- */

static ms_status read_moduli(const ms_fe *fe, struct fy_node *node, ms_material *m) {
  const ms_units *u = &fe->study->units;
  double pressure = u->force / (u->length * u->length);
  struct fy_node *E = ms_yaml_get(node, "E"), *nu = ms_yaml_get(node, "nu");
  struct fy_node *G = ms_yaml_get(node, "G");
  if (G || ms_yaml_is_sequence(E)) {
    if (!G) return ms_yaml_fail(fe->y, node, MS_ERR_NAME, "three values of E need three of G");
    MS_TRY(ms_fe_vector(fe, E, "E", 3, pressure, m->E));
    MS_TRY(ms_fe_vector(fe, nu, "nu", 3, 1.0, m->nu));
    return ms_fe_vector(fe, G, "G", 3, pressure, m->G);
  }
  MS_TRY(ms_yaml_positive(fe->y, E, "E", &m->E[0]));
  MS_TRY(ms_yaml_number(fe->y, nu, "nu", &m->nu[0]));
  for (int i = 2; i >= 0; i--) {
    m->E[i] = m->E[0] * (i == 0 ? pressure : 1.0);
    m->nu[i] = m->nu[0];
  }
  for (int i = 0; i < 3; i++) {
    m->E[i] = m->E[0];
    m->G[i] = m->E[0] / (2.0 * (1.0 + m->nu[0]));
  }
  return MS_SUCCESS;
}

static ms_status read_material(const ms_fe *fe, struct fy_node *word, ms_material *m) {
  const ms_units *u = &fe->study->units;
  const char *name;
  MS_TRY(ms_yaml_text(fe->y, word, "material", &name));
  struct fy_node *node = ms_yaml_get(ms_yaml_get(fe->node, "materials"), name);
  if (!node) {
    return ms_yaml_fail(fe->y, word, MS_ERR_NAME, "there is no material '%s' in materials", name);
  }
  MS_TRY(ms_yaml_check_keys(fe->y, node, "a material", material_keys, 4));
  MS_TRY(read_moduli(fe, node, m));
  MS_TRY(ms_yaml_positive(fe->y, ms_yaml_get(node, "rho"), "rho", &m->rho));
  m->rho *= u->mass / (u->length * u->length * u->length);
  return MS_SUCCESS;
}

/* ---- structured parts ---- */

typedef struct part_request {
  int index;
  const char *element;
  struct fy_node *node; /* block: or rings: */
} part_request;

static ms_status read_counts(const ms_fe *fe, struct fy_node *node, const char *what, int n,
                             int *out) {
  double values[MS_MAX_SLAB];
  MS_TRY(ms_fe_vector(fe, node, what, n, 1.0, values));
  for (int i = 0; i < n; i++) {
    out[i] = (int)values[i];
    if (values[i] == out[i] && out[i] >= 0 && values[i] < 1e6) continue;
    return ms_yaml_fail(fe->y, node, MS_ERR_BOUNDS, "%s must be whole numbers, not %g", what,
                        values[i]);
  }
  return MS_SUCCESS;
}

static ms_status add_block(ms_fe *fe, const part_request *r) {
  ms_brick brick = { 0 };
  double length = fe->study->units.length;
  struct fy_node *at = ms_yaml_get(r->node, "at");
  MS_TRY(ms_yaml_check_keys(fe->y, r->node, "block", block_keys, 3));
  MS_TRY(ms_fe_vector(fe, ms_yaml_get(r->node, "size"), "size", 3, length, brick.size));
  if (at) MS_TRY(ms_fe_vector(fe, at, "at", 3, length, brick.at));
  MS_TRY(read_counts(fe, ms_yaml_get(r->node, "elements"), "elements", 3, brick.n));
  return fe->f->mesh_add_brick(fe->mesh, r->index, r->element, &brick);
}

static ms_status read_axis(const ms_fe *fe, struct fy_node *node, int *axis) {
  const char *name = "z";
  if (node) MS_TRY(ms_yaml_text(fe->y, node, "axis", &name));
  const char *at = strchr("xyz", name[0]);
  if (!name[0] || name[1] || !at) {
    return ms_yaml_fail(fe->y, node, MS_ERR_NAME, "axis is x, y or z, not '%s'", name);
  }
  *axis = (int)(at - "xyz");
  return MS_SUCCESS;
}

static ms_status read_filled(const ms_fe *fe, struct fy_node *node, ms_rings *rings) {
  void *at = NULL;
  if (node && (!ms_yaml_is_sequence(node) || ms_yaml_count(node) != rings->n_slab)) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT, "filled needs a row for each of the %d slabs",
                        rings->n_slab);
  }
  for (int s = 0; s < rings->n_slab; s++) {
    int row[MS_MAX_SLAB];
    for (int z = 0; z < rings->n_zone; z++) row[z] = 1;
    if (node) MS_TRY(read_counts(fe, ms_yaml_next_item(node, &at), "a row", rings->n_zone, row));
    for (int z = 0; z < rings->n_zone; z++) rings->filled[s][z] = row[z] != 0;
  }
  return MS_SUCCESS;
}

/* As many as the list has, at most `most`. */
static ms_status read_length(const ms_fe *fe, struct fy_node *node, const char *what, int most,
                             int *n) {
  ptrdiff_t count = ms_yaml_is_sequence(node) ? ms_yaml_count(node) : 1;
  *n = (int)count;
  if (count >= 1 && count <= most) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, node, MS_ERR_BOUNDS, "%s: 1 to %d of them, not %td", what, most,
                      count);
}

static ms_status add_rings(ms_fe *fe, const part_request *r) {
  ms_rings rings = { 0 };
  double length = fe->study->units.length;
  struct fy_node *n = r->node, *at = ms_yaml_get(n, "at");
  struct fy_node *radius = ms_yaml_get(n, "radius"), *height = ms_yaml_get(n, "height");
  MS_TRY(ms_yaml_check_keys(fe->y, n, "rings", rings_keys, 8));
  MS_TRY(read_length(fe, radius, "zones", MS_MAX_ZONE, &rings.n_zone));
  MS_TRY(read_length(fe, height, "slabs", MS_MAX_SLAB, &rings.n_slab));
  if (at) MS_TRY(ms_fe_vector(fe, at, "at", 3, length, rings.at));
  MS_TRY(read_axis(fe, ms_yaml_get(n, "axis"), &rings.axis));
  MS_TRY(read_counts(fe, ms_yaml_get(n, "core"), "core", 1, &rings.core));
  MS_TRY(ms_fe_vector(fe, radius, "radius", rings.n_zone, length, rings.radius));
  MS_TRY(read_counts(fe, ms_yaml_get(n, "rings"), "rings", rings.n_zone, rings.rings));
  MS_TRY(ms_fe_vector(fe, height, "height", rings.n_slab, length, rings.height));
  MS_TRY(read_counts(fe, ms_yaml_get(n, "layers"), "layers", rings.n_slab, rings.layers));
  MS_TRY(read_filled(fe, ms_yaml_get(n, "filled"), &rings));
  return fe->f->mesh_add_rings(fe->mesh, r->index, r->element, &rings);
}

static const struct shape {
  const char *name;
  ms_status (*add)(ms_fe *fe, const part_request *r);
} shapes[] = { { "block", add_block }, { "rings", add_rings } };

static ms_status add_shape(ms_fe *fe, struct fy_node *node, part_request *r) {
  const struct shape *shape = NULL;
  int n = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (!ms_yaml_get(node, shapes[i].name)) continue;
    shape = &shapes[i];
    n++;
  }
  if (n != 1) return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT, "a part is one of block and rings");
  r->node = ms_yaml_get(node, shape->name);
  ms_status status = shape->add(fe, r);
  /* What the library says has no place yet; what the reader said has. */
  if (status != MS_SUCCESS && !strstr(ms_context_message(fe->ctx), fe->y->path)) {
    return ms_yaml_fail_here(fe->y, r->node, status);
  }
  return status;
}

static ms_status add_part(ms_fe *fe, struct fy_node *key, struct fy_node *node) {
  ms_part part = { 0 };
  part_request r = { .element = "hex8" };
  struct fy_node *element = ms_yaml_get(node, "element");
  MS_TRY(ms_yaml_text(fe->y, key, "a part's name", &part.name));
  MS_TRY(ms_yaml_check_keys(fe->y, node, "a part", part_keys, 5));
  MS_TRY(read_material(fe, ms_yaml_get(node, "material"), &part.material));
  if (element) MS_TRY(ms_yaml_text(fe->y, element, "element", &r.element));
  const ms_element_info *info;
  ms_status status = fe->f->element_find(fe->ctx, r.element, &info);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(fe->y, element, status);
  status = fe->f->mesh_add_part(fe->mesh, &part, &r.index);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(fe->y, key, status);
  return add_shape(fe, node, &r);
}

/* ---- mesh files ---- */

static int is_made(struct fy_node *node) {
  return ms_yaml_get(node, "block") || ms_yaml_get(node, "rings");
}

/* Properties of the file's parts: those under parts: that are neither block nor rings. */
static ms_status list_properties(const ms_fe *fe, struct fy_node *parts, ms_part *part, int *n) {
  void *at = NULL;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(parts, &at, &key));) {
    MS_TRY(ms_yaml_check_keys(fe->y, node, "a part", part_keys, 5));
    if (is_made(node)) continue;
    part[*n] = (ms_part) { 0 };
    MS_TRY(ms_yaml_text(fe->y, key, "a part's name", &part[*n].name));
    MS_TRY(read_material(fe, ms_yaml_get(node, "material"), &part[*n].material));
    (*n)++;
  }
  return MS_SUCCESS;
}

/* Every part with properties must be in the file. */
static ms_status check_properties(const ms_fe *fe, struct fy_node *parts) {
  void *at = NULL;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(parts, &at, &key));) {
    const char *name;
    int index;
    if (is_made(node)) continue;
    MS_TRY(ms_yaml_text(fe->y, key, "a part's name", &name));
    ms_status status = fe->f->mesh_find_part(fe->mesh, name, &index);
    if (status != MS_SUCCESS) return ms_yaml_fail_here(fe->y, key, status);
  }
  return MS_SUCCESS;
}

/* The file has the study's units. */
static ms_status read_mesh(ms_fe *fe, struct fy_node *file, struct fy_node *parts) {
  const ms_units *u = &fe->study->units;
  ms_mesh_read_settings settings = { .length = u->length, .mass = u->mass, .time = u->time };
  ms_part *part;
  char *path;
  const char *name;
  MS_TRY(ms_yaml_text(fe->y, file, "mesh", &name));
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(parts) + 1, sizeof *part, &part));
  ms_status status = parts ? list_properties(fe, parts, part, &settings.n_part) : MS_SUCCESS;
  settings.part = part;
  if (status == MS_SUCCESS) status = ms_study_path(fe->study, name, &path);
  if (status == MS_SUCCESS) {
    status = fe->f->mesh_read(fe->ctx, path, &settings, &fe->mesh);
    ms_free(fe->ctx, &path);
    if (status != MS_SUCCESS) ms_yaml_fail_here(fe->y, file, status);
  }
  ms_free(fe->ctx, &part);
  return status == MS_SUCCESS && parts ? check_properties(fe, parts) : status;
}

/* ---- merging ---- */

static double measure(const ms_fe *fe) {
  const double *x = fe->f->mesh_get_nodes(fe->mesh);
  double size = 0.0;
  for (int a = 0; a < 3; a++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (ptrdiff_t i = 0; i < fe->f->mesh_count_nodes(fe->mesh); i++) {
      low = fmin(low, x[3 * i + a]);
      high = fmax(high, x[3 * i + a]);
    }
    size = fmax(size, high - low);
  }
  return size;
}

static ms_status find_parts(const ms_fe *fe, struct fy_node *list, int most, int *part, int *n) {
  void *at = NULL;
  *n = 0;
  if (!list) return MS_SUCCESS;
  if (!ms_yaml_is_sequence(list) || ms_yaml_count(list) > most) {
    return ms_yaml_fail(fe->y, list, MS_ERR_FORMAT, "parts is a list of parts, each once");
  }
  for (struct fy_node *item; (item = ms_yaml_next_item(list, &at)); (*n)++) {
    const char *name;
    MS_TRY(ms_yaml_text(fe->y, item, "a part", &name));
    ms_status status = fe->f->mesh_find_part(fe->mesh, name, &part[*n]);
    if (status != MS_SUCCESS) return ms_yaml_fail_here(fe->y, item, status);
  }
  return MS_SUCCESS;
}

#define SAME_PLACE 1e-6 /* of the size of the mesh */

static ms_status merge(ms_fe *fe, struct fy_node *node) {
  int *part, n, most = fe->f->mesh_count_parts(fe->mesh);
  double tolerance = 0.0;
  struct fy_node *given = ms_yaml_get(node, "tolerance");
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_check_keys(fe->y, node, "merge", merge_keys, 2));
  if (given) MS_TRY(ms_yaml_positive(fe->y, given, "tolerance", &tolerance));
  tolerance = given ? tolerance * fe->study->units.length : SAME_PLACE * measure(fe);
  MS_TRY(ms_allocate(fe->ctx, most, sizeof *part, &part));
  ms_status status = find_parts(fe, ms_yaml_get(node, "parts"), most, part, &n);
  if (status == MS_SUCCESS) {
    ptrdiff_t merged = 0;
    status = fe->f->mesh_merge(fe->mesh, n, part, tolerance, &merged);
    if (status == MS_SUCCESS && merged == 0) {
      status = ms_fail(fe->ctx, MS_ERR_ARGUMENT, "no two nodes of these parts are at one place");
    }
    if (status != MS_SUCCESS) ms_yaml_fail_here(fe->y, node, status);
  }
  ms_free(fe->ctx, &part);
  return status;
}

/* ---- points ---- */

/* The nearest node of a part, of those with the smallest number. */
static ptrdiff_t find_nearest(const ms_fe *fe, int part, const double *at, double *distance) {
  const double *x = fe->f->mesh_get_nodes(fe->mesh);
  ptrdiff_t best = -1;
  *distance = HUGE_VAL;
  for (int b = 0; b < fe->f->mesh_count_blocks(fe->mesh); b++) {
    ms_mesh_block block = fe->f->mesh_get_block(fe->mesh, b);
    if (block.part != part) continue;
    for (ptrdiff_t i = 0; i < block.n * block.element->n_node; i++) {
      const double *y = x + 3 * (ptrdiff_t)block.node[i];
      double d = hypot(hypot(y[0] - at[0], y[1] - at[1]), y[2] - at[2]);
      if (d > *distance || (d == *distance && block.node[i] >= best)) continue;
      *distance = d;
      best = block.node[i];
    }
  }
  return best;
}

#define NEAR 0.05 /* of the size of the mesh: a point farther from all nodes is a mistake */

static ms_status add_point(ms_fe *fe, const char *part_name, int part, struct fy_node *key,
                           struct fy_node *node) {
  const char *point;
  char name[256];
  double at[3], distance;
  MS_TRY(ms_yaml_text(fe->y, key, "a point's name", &point));
  MS_TRY(ms_fe_vector(fe, node, point, 3, fe->study->units.length, at));
  snprintf(name, sizeof name, "%.100s.%.100s", part_name, point);
  ptrdiff_t nearest = find_nearest(fe, part, at, &distance);
  if (distance > NEAR * measure(fe)) {
    return ms_yaml_fail(fe->y, node, MS_ERR_BOUNDS, "%s is %.3g m from the nearest node of %s",
                        name, distance, part_name);
  }
  return ms_fe_add_named(fe, key, name, nearest, fe->f->mesh_get_nodes(fe->mesh) + 3 * nearest);
}

static ms_status add_part_points(ms_fe *fe, struct fy_node *key, struct fy_node *points) {
  const char *name;
  void *at = NULL;
  int part;
  MS_TRY(ms_yaml_text(fe->y, key, "a part's name", &name));
  MS_TRY(fe->f->mesh_find_part(fe->mesh, name, &part));
  if (!ms_yaml_is_mapping(points)) {
    return ms_yaml_fail(fe->y, points, MS_ERR_FORMAT, "points are name: [x, y, z]");
  }
  for (struct fy_node *point_key, *point; (point = ms_yaml_next_pair(points, &at, &point_key));) {
    MS_TRY(add_point(fe, name, part, point_key, point));
  }
  return MS_SUCCESS;
}

static ms_status add_points(ms_fe *fe, struct fy_node *parts) {
  void *at = NULL;
  for (struct fy_node *key, *node; parts && (node = ms_yaml_next_pair(parts, &at, &key));) {
    struct fy_node *points = ms_yaml_get(node, "points");
    if (points) MS_TRY(add_part_points(fe, key, points));
  }
  fe->n_point = fe->n_named;
  return MS_SUCCESS;
}

/* ---- the whole ---- */

/* Turned inside out is an error; the rest, free nodes of a file for one, stands in the report. */
static ms_status check_mesh(ms_fe *fe, struct fy_node *where) {
  ms_mesh_report report;
  MS_TRY(fe->f->mesh_check(fe->mesh, NULL, &report));
  if (report.n_inverted > 0) {
    return ms_yaml_fail(fe->y, where, MS_ERR_ARGUMENT, "the mesh is not sound: %s", report.text);
  }
  memcpy(fe->remark, report.text, sizeof fe->remark);
  return MS_SUCCESS;
}

static ms_status add_parts(ms_fe *fe, struct fy_node *file, struct fy_node *parts) {
  void *at = NULL;
  if ((parts || !file) && (!ms_yaml_is_mapping(parts) || ms_yaml_count(parts) == 0)) {
    return ms_yaml_fail(fe->y, parts ? parts : fe->node, MS_ERR_FORMAT,
                        "fe needs parts: name: {block: {...}, ...}, or a mesh");
  }
  MS_TRY(file ? read_mesh(fe, file, parts) : fe->f->mesh_create(fe->ctx, &fe->mesh));
  for (struct fy_node *key, *node; parts && (node = ms_yaml_next_pair(parts, &at, &key));) {
    if (!file || is_made(node)) MS_TRY(add_part(fe, key, node));
  }
  return MS_SUCCESS;
}

ms_status ms_fe_make_mesh(ms_fe *fe) {
  MS_TRY(ms_yaml_check_keys(fe->y, fe->node, "fe", fe_keys, sizeof fe_keys / sizeof *fe_keys));
  struct fy_node *parts = ms_yaml_get(fe->node, "parts"), *file = ms_yaml_get(fe->node, "mesh");
  MS_TRY(add_parts(fe, file, parts));
  MS_TRY(merge(fe, ms_yaml_get(fe->node, "merge")));
  MS_TRY(check_mesh(fe, file ? file : parts));
  return add_points(fe, parts);
}
