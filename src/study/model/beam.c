/* structure: beam, and the shortening that a joint at its end may feel. */
#include <microslip/beam.h>
#include <string.h>

#include "study/model/build.h"
#include "study/file/model_keys.h"

enum { MAX_POINTS = 256 };

typedef struct options {
  double length, width, height, area, inertia, E, rho;
  ptrdiff_t elements;
  int start, end, axial;
  struct fy_node *points, *masses;
} options;

typedef struct lump {
  double mass, inertia;
} lump;

static const ms_param point_row[] = { MS_EACH_NUMBER("m", MS_ANY, "x of the point") };

static const ms_param lump_rows[] = {
  MS_NUMBER(lump, mass, "kg", MS_NOT_NEGATIVE, MS_REQUIRED, "moves across the beam, not along it"),
  MS_NUMBER(lump, inertia, "kg m^2", MS_NOT_NEGATIVE, MS_DEFAULT(0), "turns with the beam"),
};
static const ms_param_list lump_keys = MS_LIST_OF(lump_rows);
static const ms_param mass_row[] = { MS_EACH("number or mapping", &lump_keys,
                                             "mass, kg, at the point of this name, start or end") };

static const ms_param keys[] = {
  MS_NUMBER(options, length, "m", MS_POSITIVE, MS_REQUIRED, "length of the beam, from x = 0"),
  MS_NUMBER(options, width, "m", MS_POSITIVE, MS_ELSE("optional"),
            "rectangular section: size normal to the plane of bending"),
  MS_NUMBER(options, height, "m", MS_POSITIVE, MS_ELSE("optional"),
            "rectangular section: size in the plane of bending"),
  MS_NUMBER(options, area, "m^2", MS_POSITIVE, MS_ELSE("optional"),
            "area of any other section, with inertia"),
  MS_NUMBER(options, inertia, "m^4", MS_POSITIVE, MS_ELSE("optional"),
            "second moment of area of the section"),
  MS_NUMBER(options, E, "N/m^2", MS_POSITIVE, MS_REQUIRED, "Young's modulus"),
  MS_NUMBER(options, rho, "kg/m^3", MS_POSITIVE, MS_REQUIRED, "density"),
  MS_COUNT(options, elements, MS_FROM(1), MS_DEFAULT(20),
           "least number of elements, up to 1024; equally long between points"),
  MS_CHOICE(options, start, "clamped|pinned|free", MS_OPTIONAL, "support at x = 0"),
  MS_CHOICE(options, end, "free|pinned|clamped", MS_OPTIONAL, "support at the other end"),
  MS_CHOICE(options, axial, "none|static|inertial", MS_OPTIONAL,
            "axial degree of freedom at the end: static has almost no inertia, inertial a third of "
            "the beam's mass"),
  MS_MAPPING(options, points, MS_ROWS(point_row), MS_OPTIONAL,
             "name: x. Each point gets a node; its degrees of freedom have its name"),
  MS_MAPPING(options, masses, MS_ROWS(mass_row), MS_OPTIONAL, "point, start or end: mass"),
};

const ms_param_list ms_beam_keys = MS_LIST_OF(keys);

/* As the file has it; `beam.point` is `point`. */
typedef struct described {
  ms_beam beam;
  ms_beam_point point[MAX_POINTS];
} described;

/* width and height, or area and inertia; what is not given is NAN. */
static ms_status read_section(const ms_builder *b, struct fy_node *node, const options *o,
                              ms_beam *beam) {
  const int rectangle = o->width > 0.0 && o->height > 0.0;
  const int other = o->area > 0.0 && o->inertia > 0.0;
  const int n = (o->width > 0.0) + (o->height > 0.0) + (o->area > 0.0) + (o->inertia > 0.0);
  if (n != 2 || rectangle == other) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                        "a beam needs width and height, or area and inertia, of its section");
  }
  beam->A = other ? o->area : o->width * o->height;
  beam->I = other ? o->inertia : o->width * o->height * o->height * o->height / 12.0;
  return MS_SUCCESS;
}

/* ---- points and masses ---- */

static ms_status add_point(const ms_builder *b, struct fy_node *node, const char *name, double x,
                           described *d) {
  ms_beam *beam = &d->beam;
  if (beam->n_point == MAX_POINTS) {
    return ms_yaml_fail(b->y, node, MS_ERR_BOUNDS, "a beam has at most %d points", MAX_POINTS);
  }
  d->point[beam->n_point++] = (ms_beam_point) { .name = name, .x = x };
  return MS_SUCCESS;
}

static ms_status read_points(const ms_builder *b, struct fy_node *points, described *d) {
  void *at = NULL;
  for (struct fy_node *key, *value; points && (value = ms_yaml_next_pair(points, &at, &key));) {
    const char *name;
    double x;
    MS_TRY(ms_yaml_text(b->y, key, "a point", &name));
    MS_TRY(ms_options_read_value(b->study, value, name, &point_row[0], &x));
    MS_TRY(add_point(b, key, name, x, d));
  }
  return MS_SUCCESS;
}

/* start and end are places without being listed. */
static ms_status find_point(const ms_builder *b, struct fy_node *key, described *d,
                            ms_beam_point **out) {
  const char *name;
  MS_TRY(ms_yaml_text(b->y, key, "a point", &name));
  int start = strcmp(name, "start") == 0, end = strcmp(name, "end") == 0;
  for (ptrdiff_t k = 0; k < d->beam.n_point; k++) {
    if (strcmp(d->point[k].name, name) != 0) continue;
    *out = &d->point[k];
    return MS_SUCCESS;
  }
  if (!start && !end) {
    return ms_yaml_fail(b->y, key, MS_ERR_NAME, "'%.60s' is neither a point nor start or end",
                        name);
  }
  MS_TRY(add_point(b, key, name, end ? d->beam.L : 0.0, d));
  *out = &d->point[d->beam.n_point - 1];
  return MS_SUCCESS;
}

static ms_status read_masses(const ms_builder *b, struct fy_node *masses, described *d) {
  void *at = NULL;
  for (struct fy_node *key, *value; masses && (value = ms_yaml_next_pair(masses, &at, &key));) {
    ms_beam_point *point = NULL;
    MS_TRY(find_point(b, key, d, &point));
    lump o = { 0 };
    MS_TRY(ms_yaml_is_mapping(value)
               ? ms_options_read_mapping(b->study, b->units, value, "a mass", &lump_keys, &o)
               : ms_options_read_value(b->study, value, "a mass", &lump_rows[0], &o.mass));
    point->mass = o.mass;
    point->inertia = o.inertia;
  }
  return MS_SUCCESS;
}

/* ---- the whole ---- */

static ms_status read_beam(const ms_builder *b, struct fy_node *node, described *d) {
  options o = { 0 };
  MS_TRY(ms_options_read_mapping(b->study, b->units, node, "beam", &ms_beam_keys, &o));
  d->beam = (ms_beam) { .L = o.length,
                        .E = o.E,
                        .rho = o.rho,
                        .elements = o.elements,
                        .start = (ms_beam_support)(MS_BEAM_CLAMPED - o.start),
                        .end = (ms_beam_support)o.end,
                        .axial = (ms_beam_axial)o.axial,
                        .point = d->point };
  MS_TRY(read_section(b, node, &o, &d->beam));
  struct fy_node *elements = ms_yaml_get(node, "elements");
  MS_TRY(ms_yaml_check_coordinates(b->y, elements ? elements : node, 3.0 * (double)o.elements,
                                   b->study->memory)); /* a node has three */
  MS_TRY(read_points(b, o.points, d));
  return read_masses(b, o.masses, d);
}

ms_status ms_build_beam(ms_builder *b, struct fy_node *node) {
  described d;
  MS_TRY(read_beam(b, node, &d));
  return ms_build_at(b, node, ms_beam_make_structure(b->ctx, &d.beam, &b->structure));
}

static struct fy_node *find_beam(const ms_yaml *y) {
  return ms_yaml_get(ms_yaml_get(ms_yaml_root(y), "structure"), "beam");
}

static ms_status read_own(const ms_study *s, described *d, int *found) {
  const ms_builder b = { .study = s, .y = &s->yaml, .ctx = s->ctx, .units = &s->units };
  struct fy_node *node = find_beam(&s->yaml);
  *found = node != NULL;
  return node ? read_beam(&b, node, d) : MS_SUCCESS;
}

ms_status ms_study_add_beam_inertia(const ms_study *s, int direction, double *y, int *found) {
  described d;
  MS_TRY(read_own(s, &d, found));
  return *found ? ms_beam_add_inertia(&d.beam, s->structure, direction, y) : MS_SUCCESS;
}

ms_status ms_study_find_beam_nodes(const ms_study *s, ptrdiff_t *n, ms_beam_node **out) {
  described d;
  int found;
  *out = NULL;
  MS_TRY(read_own(s, &d, &found));
  return found ? ms_beam_find_nodes(&d.beam, s->structure, n, out) : MS_SUCCESS;
}

/* ---- shortening ---- */

typedef struct shortening {
  ptrdiff_t modes;
} shortening;

static const ms_param shortening_rows[] = {
  MS_COUNT(shortening, modes, MS_FROM(1), MS_DEFAULT(8),
           "number of the lowest stuck modes that are used"),
};

const ms_param_list ms_shortening_keys = MS_LIST_OF(shortening_rows);

/* true, or a mapping. */
ms_status ms_build_shortening(const ms_builder *b, struct fy_node *node, int joint, int n_axis) {
  struct fy_node *beam = find_beam(b->y);
  shortening o = { 0 };
  described d;
  if (!node || ms_yaml_is_word(node, "false")) return MS_SUCCESS;
  struct fy_node *given = ms_yaml_is_word(node, "true") ? NULL : node;
  MS_TRY(ms_options_read(b->study, given, node, "shortening", shortening_rows, 1, &o));
  if (beam) MS_TRY(read_beam(b, beam, &d));
  return ms_build_at(
      b, node, ms_beam_set_shortening(beam ? &d.beam : NULL, b->structure, joint, n_axis, o.modes));
}
