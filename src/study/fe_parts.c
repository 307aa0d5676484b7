/* fe: materials, and parts that are made here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "study/fe.h"

static const ms_param material_keys[] = {
  MS_KEY("E", "number or list", "Young's modulus, force/length^2; three along the axes", 1),
  MS_KEY("nu", "number or list", "Poisson's ratio; three: 12, 13, 23", 1),
  MS_KEY("G", "list", "shear moduli 12, 13, 23; only where there are three of E", 0),
  MS_KEY("rho", "number", "density, mass/length^3", 1),
};

static const ms_param part_keys[] = {
  MS_KEY("block", "mapping", "a brick or plate", 0),
  MS_KEY("rings", "mapping", "a body of revolution made of stacked rings", 0),
  MS_KEY("material", "word", "one of materials; of a part of a file, what the file says", 0),
  MS_KEY("element", "word", "hex8, hex20, wedge6, tet4 or tet10", 0),
  MS_KEY("section", "mapping", "of beams of a mesh file", 0),
  MS_KEY("mass", "number", "of each point mass of a mesh file", 0),
  MS_KEY("points", "mapping", "name: [x, y, z], the nearest node", 0),
};

static const ms_param block_keys[] = {
  MS_KEY("size", "list", "along x, y, z", 1),
  MS_KEY("at", "list", "the corner with the lowest x, y, z", 0),
  MS_KEY("elements", "list", "how many along x, y, z", 1),
  MS_KEY("holes", "mapping or list", "round holes along z", 0),
};

static const ms_param hole_keys[] = {
  MS_KEY("at", "list", "one place [x, y] or a list of them", 1),
  MS_KEY("radius", "number or list", "of the hole, and of circles around it, rising", 1),
  MS_KEY("rings", "number or list", "elements from each radius to the next, and to the box", 1),
  MS_KEY("elements", "list", "of the block that make the box, along x, y", 1),
};

static const ms_param rings_keys[] = {
  MS_KEY("at", "list", "on the axis at the bottom", 0),
  MS_KEY("axis", "word", "x, y or z", 0),
  MS_KEY("core", "number", "even, elements across the square in the middle", 1),
  MS_KEY("radius", "list", "outer radius of each zone, rising", 1),
  MS_KEY("rings", "list", "elements across each zone", 1),
  MS_KEY("height", "list", "of each slab, from the bottom", 1),
  MS_KEY("layers", "list", "elements along the axis in each slab", 1),
  MS_KEY("filled", "list", "for each slab, 1 or 0 for each zone", 0),
};

static const ms_param like_keys[] = {
  MS_KEY("like", "word", "another part of rings, whose zones and slabs these are", 1),
  MS_KEY("filled", "list", "rows of 0 and 1: which zones of each slab there are; all", 0),
};

ms_status ms_fe_check_part(const ms_fe *fe, struct fy_node *node) {
  return ms_yaml_check_keys(fe->y, node, "a part", part_keys, sizeof part_keys / sizeof *part_keys);
}

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
  double modulus, ratio;
  MS_TRY(ms_yaml_positive(fe->y, E, "E", &modulus));
  MS_TRY(ms_yaml_number(fe->y, nu, "nu", &ratio));
  for (int i = 0; i < 3; i++) {
    m->E[i] = modulus * pressure;
    m->nu[i] = ratio;
    m->G[i] = modulus * pressure / (2.0 * (1.0 + ratio));
  }
  return MS_SUCCESS;
}

ms_status ms_fe_read_material(const ms_fe *fe, struct fy_node *word, ms_material *m) {
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

/* As many as the list has, at most `most`. */
static ms_status read_length(const ms_fe *fe, struct fy_node *node, const char *what, int most,
                             int *n) {
  ptrdiff_t count = ms_yaml_is_sequence(node) ? ms_yaml_count(node) : 1;
  *n = (int)count;
  if (count >= 1 && count <= most) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, node, MS_ERR_BOUNDS, "%s: 1 to %d of them, not %td", what, most,
                      count);
}

enum { MAX_HOLE = 64 };

typedef struct holes {
  int n;
  ms_hole hole[MAX_HOLE];
} holes;

static ms_status add_hole(const ms_fe *fe, struct fy_node *place, ms_hole like, holes *h) {
  if (h->n == MAX_HOLE) {
    return ms_yaml_fail(fe->y, place, MS_ERR_BOUNDS, "a block has at most %d holes", MAX_HOLE);
  }
  MS_TRY(ms_fe_vector(fe, place, "the place of a hole", 2, fe->study->units.length, like.at));
  h->hole[h->n++] = like;
  return MS_SUCCESS;
}

/* Holes that are alike. */
static ms_status read_row(const ms_fe *fe, struct fy_node *node, holes *h) {
  ms_hole like = { 0 };
  void *in = NULL, *first = NULL;
  MS_TRY(ms_yaml_check_keys(fe->y, node, "holes", hole_keys, 4));
  struct fy_node *radius = ms_yaml_get(node, "radius"), *at = ms_yaml_get(node, "at");
  MS_TRY(read_length(fe, radius, "radii", MS_MAX_ZONE, &like.n_zone));
  MS_TRY(ms_fe_vector(fe, radius, "radius", like.n_zone, fe->study->units.length, like.radius));
  MS_TRY(read_counts(fe, ms_yaml_get(node, "rings"), "rings", like.n_zone, like.rings));
  MS_TRY(read_counts(fe, ms_yaml_get(node, "elements"), "elements", 2, like.n));
  if (!ms_yaml_is_sequence(at) || !ms_yaml_is_sequence(ms_yaml_next_item(at, &first))) {
    return add_hole(fe, at, like, h);
  }
  for (struct fy_node *item; (item = ms_yaml_next_item(at, &in));) {
    MS_TRY(add_hole(fe, item, like, h));
  }
  return MS_SUCCESS;
}

static ms_status read_holes(const ms_fe *fe, struct fy_node *node, holes *h) {
  void *at = NULL;
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_sequence(node)) return read_row(fe, node, h);
  for (struct fy_node *item; (item = ms_yaml_next_item(node, &at));) {
    MS_TRY(read_row(fe, item, h));
  }
  return MS_SUCCESS;
}

static ms_status add_block(ms_fe *fe, const part_request *r) {
  ms_brick brick = { 0 };
  holes h = { 0 };
  double length = fe->study->units.length;
  struct fy_node *at = ms_yaml_get(r->node, "at");
  MS_TRY(ms_yaml_check_keys(fe->y, r->node, "block", block_keys, 4));
  MS_TRY(ms_fe_vector(fe, ms_yaml_get(r->node, "size"), "size", 3, length, brick.size));
  if (at) MS_TRY(ms_fe_vector(fe, at, "at", 3, length, brick.at));
  MS_TRY(read_counts(fe, ms_yaml_get(r->node, "elements"), "elements", 3, brick.n));
  MS_TRY(ms_memory_check_elements(fe->study, ms_yaml_get(r->node, "elements"),
                                  (double)brick.n[0] * brick.n[1] * brick.n[2]));
  MS_TRY(read_holes(fe, ms_yaml_get(r->node, "holes"), &h));
  return fe->f->mesh_add_drilled_brick(fe->mesh, r->index, r->element, &brick, h.n, h.hole);
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

/* like: another part whose zones and slabs are taken, so that nodes coincide; else the part's own.
 */
static ms_status find_grid(const ms_fe *fe, struct fy_node *node, struct fy_node **grid) {
  struct fy_node *like = ms_yaml_get(node, "like");
  const char *name;
  *grid = node;
  if (like) {
    MS_TRY(ms_yaml_check_keys(fe->y, node, "rings", like_keys, 2));
    MS_TRY(ms_yaml_text(fe->y, like, "like", &name));
    *grid = ms_yaml_get(ms_yaml_get(ms_yaml_get(fe->node, "parts"), name), "rings");
    if (!*grid || ms_yaml_get(*grid, "like")) {
      return ms_yaml_fail(fe->y, like, MS_ERR_NAME,
                          "'%s' is no part of rings with zones and slabs of its own", name);
    }
  }
  return ms_yaml_check_keys(fe->y, *grid, "rings", rings_keys, 8);
}

/* A square in the middle with rings around it, in every layer. */
static double count_elements(const ms_rings *r) {
  double around = 0.0, layers = 0.0;
  for (int z = 0; z < r->n_zone; z++) around += r->rings[z];
  for (int s = 0; s < r->n_slab; s++) layers += r->layers[s];
  return ((double)r->core * r->core + 4.0 * r->core * around) * layers;
}

static ms_status add_rings(ms_fe *fe, const part_request *r) {
  ms_rings rings = { 0 };
  double length = fe->study->units.length;
  struct fy_node *n;
  MS_TRY(find_grid(fe, r->node, &n));
  struct fy_node *at = ms_yaml_get(n, "at"), *radius = ms_yaml_get(n, "radius");
  struct fy_node *height = ms_yaml_get(n, "height");
  MS_TRY(read_length(fe, radius, "zones", MS_MAX_ZONE, &rings.n_zone));
  MS_TRY(read_length(fe, height, "slabs", MS_MAX_SLAB, &rings.n_slab));
  if (at) MS_TRY(ms_fe_vector(fe, at, "at", 3, length, rings.at));
  MS_TRY(read_axis(fe, ms_yaml_get(n, "axis"), &rings.axis));
  MS_TRY(read_counts(fe, ms_yaml_get(n, "core"), "core", 1, &rings.core));
  MS_TRY(ms_fe_vector(fe, radius, "radius", rings.n_zone, length, rings.radius));
  MS_TRY(read_counts(fe, ms_yaml_get(n, "rings"), "rings", rings.n_zone, rings.rings));
  MS_TRY(ms_fe_vector(fe, height, "height", rings.n_slab, length, rings.height));
  MS_TRY(read_counts(fe, ms_yaml_get(n, "layers"), "layers", rings.n_slab, rings.layers));
  MS_TRY(read_filled(fe, ms_yaml_get(r->node, "filled"), &rings));
  MS_TRY(ms_memory_check_elements(fe->study, r->node, count_elements(&rings)));
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

/* Only parts of a file may lack a material, or have a section or a mass. */
static ms_status check_made(const ms_fe *fe, struct fy_node *key, struct fy_node *node) {
  static const char *const foreign[] = { "section", "mass" };
  MS_TRY(ms_fe_check_part(fe, node));
  for (int i = 0; i < 2; i++) {
    struct fy_node *given = ms_yaml_get(node, foreign[i]);
    if (!given) continue;
    return ms_yaml_fail(fe->y, given, MS_ERR_NAME, "%s is for parts of a mesh file", foreign[i]);
  }
  if (ms_yaml_get(node, "material")) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, key, MS_ERR_NAME, "a part needs 'material': one of materials");
}

ms_status ms_fe_add_part(ms_fe *fe, struct fy_node *key, struct fy_node *node) {
  ms_part part = { 0 };
  part_request r = { .element = "hex8" };
  struct fy_node *element = ms_yaml_get(node, "element");
  MS_TRY(ms_yaml_text(fe->y, key, "a part's name", &part.name));
  MS_TRY(check_made(fe, key, node));
  MS_TRY(ms_fe_read_material(fe, ms_yaml_get(node, "material"), &part.material));
  if (element) MS_TRY(ms_yaml_text(fe->y, element, "element", &r.element));
  const ms_element_info *info;
  ms_status status = fe->f->element_find(fe->ctx, r.element, &info);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(fe->y, element, status);
  status = fe->f->mesh_add_part(fe->mesh, &part, &r.index);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(fe->y, key, status);
  return add_shape(fe, node, &r);
}
