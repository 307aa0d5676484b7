/* fe: parts that are made here. */
#include <math.h>

#include "core/internal.h"
#include "io/yaml/body_keys.h"
#include "study/model/fe/fe.h"
#include "study/file/model_keys.h"

/* A row of filled. */
static const ms_param filled_row = { .name = "a row", .kind = MS_PARAM_COUNTS, MS_WITHIN(0, 1) };

static const ms_param part_rows[] = {
  MS_FORMS_WITH(ms_fe_part, block, "mapping", ms_block_keys, MS_OPTIONAL,
                "a brick or plate along x, y, z"),
  MS_FORMS_WITH(ms_fe_part, rings, "mapping", ms_rings_keys, MS_OPTIONAL,
                "a body of revolution of stacked rings"),
  MS_WORD(ms_fe_part, material, MS_ELSE("for a part of a mesh file: from the file"),
          "one of materials"),
  MS_CHOICE(ms_fe_part, element, "hex8|hex20|wedge6|tet4|tet10", MS_OPTIONAL,
            "elements of a block or of rings; hex8 has incompatible modes"),
  MS_FORMS_WITH(ms_fe_part, section, "mapping", ms_section_keys, MS_ELSE("from the file"),
                "section of the beams of a mesh file"),
  MS_NUMBER(ms_fe_part, mass, "kg", MS_POSITIVE, MS_ELSE("from the file"),
            "mass of each point mass of a mesh file"),
  MS_MAPPING(ms_fe_part, points, ms_places_keys, MS_OPTIONAL,
             "name: [x, y, z]; the nearest node of the part has the name part.name"),
};
static const ms_param_list part_keys = MS_LIST_OF(part_rows);
static const ms_param row[] = { MS_EACH("mapping", &part_keys,
                                        "a part: block, rings, or a part of the mesh file") };

const ms_param_list ms_parts_keys = MS_LIST_OF(row);

static const char *const elements[] = { "hex8", "hex20", "wedge6", "tet4", "tet10" };

ms_status ms_fe_read_part(const ms_fe *fe, struct fy_node *node, ms_fe_part *out) {
  *out = (ms_fe_part) { 0 };
  return ms_fe_read_keys(fe, node, "a part", &part_keys, out);
}

/* ---- structured parts ---- */

typedef struct part_request {
  int index;
  const char *element;
  struct fy_node *node; /* block: or rings: */
} part_request;

static void copy_numbers(const ms_few *from, double *to) {
  for (ptrdiff_t i = 0; i < from->n; i++) to[i] = from->value[i];
}

static void copy_counts(const ms_few *from, int *to) {
  for (ptrdiff_t i = 0; i < from->n; i++) to[i] = (int)from->value[i];
}

/* One count for each length: of zones, of slabs. */
static ms_status check_lists(const ms_fe *fe, struct fy_node *node, const char *what,
                             const ms_few *lengths, const ms_few *counts, int most) {
  if (lengths->n < 1 || lengths->n > most) {
    return ms_yaml_fail(fe->y, node, MS_ERR_BOUNDS, "%s: 1 to %d of them, not %td", what, most,
                        lengths->n);
  }
  if (counts->n == lengths->n) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT, "%td %s and %td counts of elements: one for each",
                      lengths->n, what, counts->n);
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
  MS_TRY(ms_fe_vector(fe, place, "the place of a hole", "m", 2, like.at));
  h->hole[h->n++] = like;
  return MS_SUCCESS;
}

/* Holes that are alike. */
static ms_status read_row(const ms_fe *fe, struct fy_node *node, holes *h) {
  ms_holes_of o = { 0 };
  void *in = NULL, *first = NULL;
  MS_TRY(ms_fe_read_keys(fe, node, "holes", &ms_hole_keys, &o));
  ms_hole like = { .n_zone = (int)o.radius.n };
  MS_TRY(check_lists(fe, ms_yaml_get(node, "radius"), "radii", &o.radius, &o.rings, MS_MAX_ZONE));
  copy_numbers(&o.radius, like.radius);
  copy_counts(&o.rings, like.rings);
  copy_counts(&o.elements, like.n);
  if (!ms_yaml_is_sequence(o.at) || !ms_yaml_is_sequence(ms_yaml_next_item(o.at, &first))) {
    return add_hole(fe, o.at, like, h);
  }
  for (struct fy_node *item; (item = ms_yaml_next_item(o.at, &in));) {
    MS_TRY(add_hole(fe, item, like, h));
  }
  return MS_SUCCESS;
}

static ms_status add_block(ms_fe *fe, const part_request *r) {
  ms_block_of o = { 0 };
  ms_brick brick = { 0 };
  holes h = { 0 };
  void *at = NULL;
  MS_TRY(ms_fe_read_keys(fe, r->node, "block", &ms_block_keys, &o));
  copy_numbers(&o.size, brick.size);
  copy_numbers(&o.at, brick.at);
  copy_counts(&o.elements, brick.n);
  MS_TRY(ms_yaml_check_elements(fe->y, ms_yaml_get(r->node, "elements"),
                                (double)brick.n[0] * brick.n[1] * brick.n[2], fe->study->memory));
  for (struct fy_node *group; (group = ms_yaml_next_of(o.holes, &at));)
    MS_TRY(read_row(fe, group, &h));
  return ms_yaml_fail_here(
      fe->y, r->node,
      fe->f->mesh_add_drilled_brick(fe->mesh, r->index, r->element, &brick, h.n, h.hole));
}

static ms_status read_filled(const ms_fe *fe, struct fy_node *node, ms_rings *rings) {
  void *at = NULL;
  if (node && (!ms_yaml_is_sequence(node) || ms_yaml_count(node) != rings->n_slab)) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT, "filled needs a row for each of the %d slabs",
                        rings->n_slab);
  }
  for (int s = 0; s < rings->n_slab; s++) {
    struct fy_node *item = node ? ms_yaml_next_item(node, &at) : NULL;
    ms_few given = { 0 };
    if (item) MS_TRY(ms_options_read_few(fe->study, item, &filled_row, &given));
    if (item && given.n != rings->n_zone) {
      return ms_yaml_fail(fe->y, item, MS_ERR_FORMAT, "a row must be %d numbers, not %td",
                          rings->n_zone, given.n);
    }
    for (int z = 0; z < rings->n_zone; z++) rings->filled[s][z] = !item || given.value[z] != 0.0;
  }
  return MS_SUCCESS;
}

/* like: another part whose zones and slabs are taken, so that nodes coincide; else the part's own.
 */
static ms_status find_grid(const ms_fe *fe, struct fy_node *node, const ms_rings_of *own,
                           struct fy_node **grid) {
  struct fy_node *like = ms_yaml_get(node, "like");
  *grid = node;
  if (!like) return MS_SUCCESS;
  if (ms_yaml_count(node) > 1 + (own->filled != NULL)) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT, "only filled may be given with like");
  }
  *grid = ms_yaml_get(ms_yaml_get(fe->options.parts, own->like), "rings");
  if (*grid && !ms_yaml_get(*grid, "like")) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, like, MS_ERR_NAME,
                      "'%s' is not a part of rings with its own zones and slabs", own->like);
}

static ms_status check_rings(const ms_fe *fe, struct fy_node *node, const ms_rings_of *o) {
  static const char *const needed[] = { "core", "radius", "rings", "height", "layers" };
  for (int i = o->sector > 0.0; i < 5; i++) {
    if (ms_yaml_get(node, needed[i])) continue;
    return ms_yaml_fail(fe->y, node, MS_ERR_NAME, "rings needs '%s', or like", needed[i]);
  }
  MS_TRY(check_lists(fe, ms_yaml_get(node, "radius"), "zones", &o->radius, &o->rings, MS_MAX_ZONE));
  return check_lists(fe, ms_yaml_get(node, "height"), "slabs", &o->height, &o->layers, MS_MAX_SLAB);
}

/* A square in the middle with rings around it, in every layer. */
static double count_elements(const ms_rings *r) {
  double around = 0.0, layers = 0.0;
  for (int z = 0; z < r->n_zone; z++) around += r->rings[z];
  for (int s = 0; s < r->n_slab; s++) layers += r->layers[s];
  return (r->sector > 0.0 ? around : (double)r->core * r->core + 4.0 * r->core * around) * layers;
}

static ms_status add_rings(ms_fe *fe, const part_request *r) {
  static const int axes[] = { 2, 0, 1 };
  ms_rings_of own = { 0 }, o = { 0 };
  struct fy_node *grid = NULL;
  MS_TRY(ms_fe_read_keys(fe, r->node, "rings", &ms_rings_keys, &own));
  MS_TRY(find_grid(fe, r->node, &own, &grid));
  MS_TRY(ms_fe_read_keys(fe, grid, "rings", &ms_rings_keys, &o));
  MS_TRY(check_rings(fe, grid, &o));
  ms_rings rings = {
    .axis = axes[o.axis], .core = (int)o.core, .n_zone = (int)o.radius.n, .n_slab = (int)o.height.n
  };
  if (o.sector > 0.0) rings.sector = o.sector * (MS_PI / 180.0);
  copy_numbers(&o.at, rings.at);
  copy_numbers(&o.radius, rings.radius);
  copy_counts(&o.rings, rings.rings);
  copy_numbers(&o.height, rings.height);
  copy_counts(&o.layers, rings.layers);
  MS_TRY(read_filled(fe, own.filled, &rings));
  MS_TRY(ms_yaml_check_elements(fe->y, r->node, count_elements(&rings), fe->study->memory));
  return ms_yaml_fail_here(fe->y, r->node,
                           fe->f->mesh_add_rings(fe->mesh, r->index, r->element, &rings));
}

/* Only parts of a file may lack a material, or have a section or a mass. */
static ms_status check_made(const ms_fe *fe, struct fy_node *key, struct fy_node *node,
                            const ms_fe_part *o) {
  const char *foreign = o->section ? "section" : o->mass > 0.0 ? "mass" : NULL;
  if (foreign) {
    return ms_yaml_fail(fe->y, ms_yaml_get(node, foreign), MS_ERR_NAME,
                        "%s is for parts of a mesh file", foreign);
  }
  if (o->material) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, key, MS_ERR_NAME, "a part needs 'material': one of materials");
}

ms_status ms_fe_add_part(ms_fe *fe, struct fy_node *key, struct fy_node *node) {
  ms_part part = { 0 };
  ms_fe_part o;
  MS_TRY(ms_yaml_text(fe->y, key, "a part's name", &part.name));
  MS_TRY(ms_fe_read_part(fe, node, &o));
  MS_TRY(check_made(fe, key, node, &o));
  MS_TRY(ms_fe_read_material(fe, ms_yaml_get(node, "material"), o.material, &part.material));
  part_request r = { .element = elements[o.element] };
  MS_TRY(ms_yaml_fail_here(fe->y, key, fe->f->mesh_add_part(fe->mesh, &part, &r.index)));
  if (!o.block == !o.rings) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT, "a part is one of block and rings");
  }
  r.node = o.block ? o.block : o.rings;
  return o.block ? add_block(fe, &r) : add_rings(fe, &r);
}
