/* Keys of bodies of solid elements. */
#include "io/yaml/body_keys.h"

#define MS_ELEMENTS MS_WITHIN(1, 999999) /* along an edge */

static const ms_param hole_rows[] = {
  MS_FORMS(ms_holes_of, at, "list of numbers or list of lists of numbers", MS_REQUIRED,
           "one place [x, y] or a list of them"),
  MS_VECTOR(ms_holes_of, radius, 0, "m", MS_POSITIVE, MS_REQUIRED,
            "radius of the hole; further increasing radii are circles with nodes, e.g. at the "
            "edge of a washer"),
  MS_WHOLE_VECTOR(ms_holes_of, rings, 0, MS_ELEMENTS, MS_REQUIRED,
                  "elements between successive radii, and from the last one to the box"),
  MS_WHOLE_VECTOR(ms_holes_of, elements, 2, MS_ELEMENTS, MS_REQUIRED,
                  "box: number of elements of the block, along x and y, that rings replace; the "
                  "last radius must lie inside"),
};
const ms_param_list ms_hole_keys = MS_LIST_OF(hole_rows);

static const ms_param block_rows[] = {
  MS_VECTOR(ms_block_of, size, 3, "m", MS_POSITIVE, MS_REQUIRED, "size along x, y, z"),
  MS_VECTOR(ms_block_of, at, 3, "m", MS_ANY, MS_ELSE("the origin"),
            "corner with the lowest x, y, z"),
  MS_WHOLE_VECTOR(ms_block_of, elements, 3, MS_ELEMENTS, MS_REQUIRED,
                  "number of elements along x, y, z"),
  MS_FORMS_WITH(
      ms_block_of, holes, "mapping or list of mappings", ms_hole_keys, MS_OPTIONAL,
      "round through holes along z, of one or several sizes; their walls are the set part.inner"),
};
const ms_param_list ms_block_keys = MS_LIST_OF(block_rows);

#define MS_WITHOUT_LIKE MS_ELSE("required without like")

static const ms_param rings_rows[] = {
  MS_VECTOR(ms_rings_of, at, 3, "m", MS_ANY, MS_ELSE("the origin"), "on the axis at the bottom"),
  MS_CHOICE(ms_rings_of, axis, "z|x|y", MS_OPTIONAL, "direction of the axis"),
  MS_COUNT(ms_rings_of, core, MS_WITHIN(2, 999999), MS_ELSE("required without like or sector"),
           "elements across the square in the middle of the disc; even"),
  MS_VECTOR(ms_rings_of, radius, 0, "m", MS_POSITIVE, MS_WITHOUT_LIKE,
            "outer radius of each zone, increasing"),
  MS_WHOLE_VECTOR(ms_rings_of, rings, 0, MS_ELEMENTS, MS_WITHOUT_LIKE, "elements across each zone"),
  MS_VECTOR(ms_rings_of, height, 0, "m", MS_POSITIVE, MS_WITHOUT_LIKE,
            "height of each slab, from the bottom"),
  MS_WHOLE_VECTOR(ms_rings_of, layers, 0, MS_ELEMENTS, MS_WITHOUT_LIKE,
                  "elements along the axis in each slab"),
  MS_FORMS(ms_rings_of, filled, "list of lists of numbers", MS_ELSE("all"),
           "a row for each slab, 1 or 0 for each zone"),
  MS_NUMBER(ms_rings_of, sector, NULL, MS_POSITIVE, MS_ELSE("the whole"),
            "degrees: angle of a sector, one element wide, that stands for the whole body without "
            "torsion; "
            "the first zone is a bore"),
  MS_WORD(ms_rings_of, like, MS_OPTIONAL,
          "another part of rings with the same zones and slabs, so that nodes coincide; only "
          "filled may be given with it"),
};
const ms_param_list ms_rings_keys = MS_LIST_OF(rings_rows);
