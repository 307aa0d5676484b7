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
static const ms_param_list point_keys = MS_LIST_OF(point_row);

static const ms_param lump_rows[] = {
  MS_NUMBER(lump, mass, "kg", MS_NOT_NEGATIVE, MS_REQUIRED, "moves across the beam, not along it"),
  MS_NUMBER(lump, inertia, "kg m^2", MS_NOT_NEGATIVE, MS_DEFAULT(0), "turns with the beam"),
};
static const ms_param_list lump_keys = MS_LIST_OF(lump_rows);
static const ms_param mass_row[] = { MS_EACH("number or mapping", &lump_keys,
                                             "mass, kg, at the point of this name, start or end") };
static const ms_param_list mass_keys = MS_LIST_OF(mass_row);

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
  MS_MAPPING(options, points, point_keys, MS_OPTIONAL,
             "name: x. Each point gets a node; its degrees of freedom have its name"),
  MS_MAPPING(options, masses, mass_keys, MS_OPTIONAL, "point, start or end: mass"),
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

static ms_status read_mass(const ms_builder *b, struct fy_node *value, ms_beam_point *point) {
  lump o = { 0 };
  if (ms_yaml_is_mapping(value)) {
    MS_TRY(ms_options_read_mapping(b->study, b->units, value, "a mass", &lump_keys, &o));
  } else {
    MS_TRY(ms_options_read_value(b->study, value, "a mass", &lump_rows[0], &o.mass));
  }
  point->mass = o.mass;
  point->inertia = o.inertia;
  return MS_SUCCESS;
}

static ms_status read_masses(const ms_builder *b, struct fy_node *masses, described *d) {
  void *at = NULL;
  for (struct fy_node *key, *value; masses && (value = ms_yaml_next_pair(masses, &at, &key));) {
    ms_beam_point *point = NULL;
    MS_TRY(find_point(b, key, d, &point));
    MS_TRY(read_mass(b, value, point));
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
  MS_TRY(ms_memory_check_coordinates(b->study, elements ? elements : node,
                                     3.0 * (double)o.elements)); /* a node has three */
  MS_TRY(read_points(b, o.points, d));
  return read_masses(b, o.masses, d);
}

ms_status ms_build_beam(ms_builder *b, struct fy_node *node) {
  described d;
  MS_TRY(read_beam(b, node, &d));
  return ms_build_at(b, node, ms_beam_make_structure(b->ctx, &d.beam, &b->structure));
}

/* ---- a ground that moves ---- */

/* Coordinates that are one have the sum of what acts on each; `beam` has all there are. */
static ms_status add_inertia(const ms_study *s, const ms_beam *beam, const ms_structure *whole,
                             int direction, double *y) {
  const ptrdiff_t n = ms_structure_get_size(whole);
  double *r;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *r, &r));
  ms_status status = ms_beam_fill_inertia(s->ctx, beam, direction, n, r);
  for (ptrdiff_t j = 0, i = 0; j < n && status == MS_SUCCESS; j++) {
    status = ms_structure_find(s->structure, ms_structure_get_name(whole, j), &i);
    if (status == MS_SUCCESS && i != MS_GROUND) y[i] += r[j];
  }
  ms_free(s->ctx, &r);
  return status;
}

ms_status ms_study_add_beam_inertia(const ms_study *s, int direction, double *y, int *found) {
  const ms_builder b = { .study = s, .y = &s->yaml, .ctx = s->ctx, .units = &s->units };
  struct fy_node *structure = ms_yaml_get(ms_yaml_root(&s->yaml), "structure");
  struct fy_node *node = structure ? ms_yaml_get(structure, "beam") : NULL;
  ms_structure *whole = NULL;
  described d;
  *found = node != NULL;
  if (!node) return MS_SUCCESS;
  MS_TRY(read_beam(&b, node, &d));
  ms_status status = ms_beam_make_structure(s->ctx, &d.beam, &whole);
  if (status == MS_SUCCESS) status = add_inertia(s, &d.beam, whole, direction, y);
  ms_structure_destroy(&whole);
  return status;
}

/* ---- shortening ---- */

typedef struct shortening_options {
  ptrdiff_t modes;
} shortening_options;

static const ms_param shortening_rows[] = {
  MS_COUNT(shortening_options, modes, MS_FROM(1), MS_DEFAULT(8),
           "number of the lowest stuck modes that are used"),
};

const ms_param_list ms_shortening_keys = MS_LIST_OF(shortening_rows);

/* true, or a mapping. */
static ms_status read_modes(const ms_builder *b, struct fy_node *node, ptrdiff_t *modes) {
  shortening_options o = { 0 };
  struct fy_node *given = ms_yaml_is_word(node, "true") ? NULL : node;
  MS_TRY(ms_options_read(b->study, given, node, "shortening", shortening_rows, 1, &o));
  *modes = o.modes;
  return MS_SUCCESS;
}

/* G is over the coordinates of b->structure, each of which may be several of the beam's. */
typedef struct shortening {
  ptrdiff_t m, n; /* the beam's coordinates, the structure's; n <= m */
  double *G, *work;
  ptrdiff_t *place;
} shortening;

static ms_status fill_shortening(const ms_builder *b, shortening *s) {
  struct fy_node *structure = ms_yaml_get(ms_yaml_root(b->y), "structure");
  described d;
  MS_TRY(ms_allocate(b->ctx, s->n * s->n, sizeof *s->G, &s->G));
  MS_TRY(ms_allocate(b->ctx, s->m * s->m, sizeof *s->work, &s->work));
  MS_TRY(ms_allocate(b->ctx, s->m, sizeof *s->place, &s->place));
  MS_TRY(read_beam(b, ms_yaml_get(structure, "beam"), &d));
  MS_TRY(ms_beam_fill_shortening(b->ctx, &d.beam, s->m, s->work));
  for (ptrdiff_t i = 0; i < s->m; i++) {
    MS_TRY(ms_structure_find(b->structure, ms_structure_get_name(b->whole, i), &s->place[i]));
  }
  for (ptrdiff_t ik = 0; ik < s->m * s->m; ik++) {
    const ptrdiff_t i = s->place[ik % s->m], k = s->place[ik / s->m];
    if (i != MS_GROUND && k != MS_GROUND) s->G[i + s->n * k] += s->work[ik];
  }
  return MS_SUCCESS;
}

/* The end is at ux - u^T G u/2, of which the axis has `weight`. */
static ms_status set_shortening(const ms_builder *b, const shortening *s, int joint, int axis,
                                double weight, ptrdiff_t modes) {
  if (weight == 0.0) return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < s->n * s->n; i++) s->work[i] = -weight * s->G[i];
  return ms_structure_set_curvature(b->structure, joint, axis, s->work, modes);
}

static double weight_on(const ms_axis_ends *axis, ptrdiff_t i) {
  return (axis->to == i ? 1.0 : 0.0) - (axis->from == i ? 1.0 : 0.0) +
         (axis->mapping_row ? axis->mapping_row[i] : 0.0);
}

static ms_status find_axial(const ms_builder *b, struct fy_node *node, int n_axis,
                            const ms_axis_ends *axis, ptrdiff_t *ux) {
  struct fy_node *structure = ms_yaml_get(ms_yaml_root(b->y), "structure");
  int found = ms_yaml_get(structure, "beam") &&
              ms_structure_find(b->structure, "end.ux", ux) == MS_SUCCESS && *ux != MS_GROUND;
  for (int a = 0; found && a < n_axis; a++) {
    if (weight_on(&axis[a], *ux) != 0.0) return MS_SUCCESS;
  }
  return ms_yaml_fail(
      b->y, node, MS_ERR_ARGUMENT, "%s",
      found ? "shortening: the joint is not attached to end.ux"
            : "shortening needs a beam with the degree of freedom end.ux (axial: static)");
}

ms_status ms_build_shortening(const ms_builder *b, struct fy_node *node, int joint, int n_axis,
                              const ms_axis_ends *axis) {
  shortening s = { .m = ms_structure_get_size(b->whole), .n = ms_structure_get_size(b->structure) };
  ptrdiff_t modes, ux = MS_GROUND;
  if (!node || ms_yaml_is_word(node, "false")) return MS_SUCCESS;
  MS_TRY(read_modes(b, node, &modes));
  MS_TRY(find_axial(b, node, n_axis, axis, &ux));
  ms_status status = fill_shortening(b, &s);
  for (int a = 0; a < n_axis && status == MS_SUCCESS; a++) {
    status = set_shortening(b, &s, joint, a, weight_on(&axis[a], ux), modes);
  }
  ms_free(b->ctx, &s.G);
  ms_free(b->ctx, &s.work);
  ms_free(b->ctx, &s.place);
  return ms_build_at(b, node, status);
}
