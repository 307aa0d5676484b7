/* structure: beam, and the shortening that a joint at its end may feel. */
#include <microslip/beam.h>
#include <string.h>

#include "study/build.h"

enum { MAX_POINTS = 256, DEFAULT_ELEMENTS = 20, DEFAULT_MODES = 8 };

static const ms_param keys[] = {
  MS_KEY("length", "number", "from x = 0", 1),
  MS_KEY("width", "number", "of a rectangular section, across the plane of bending", 0),
  MS_KEY("height", "number", "of a rectangular section, in the plane of bending", 0),
  MS_KEY("area", "number", "of any other section", 0),
  MS_KEY("inertia", "number", "its second moment of area, length^4", 0),
  MS_KEY("E", "number", "Young's modulus", 1),
  MS_KEY("rho", "number", "density", 1),
  MS_KEY("elements", "number", "at least so many; 20", 0),
  MS_KEY("start", "word", "clamped (default), pinned or free", 0),
  MS_KEY("end", "word", "clamped, pinned or free (default)", 0),
  MS_KEY("axial", "word", "coordinate along the beam at its end: none, static, inertial", 0),
  MS_KEY("points", "mapping", "name: x, places with a node", 0),
  MS_KEY("masses", "mapping", "point: mass, or {mass: m, inertia: J}", 0),
};
enum { N_KEY = sizeof keys / sizeof *keys };

static const ms_param mass_keys[] = {
  MS_KEY("mass", "number", "moves across the beam", 1),
  MS_KEY("inertia", "number", "turns with it, mass length^2", 0),
};

/* As the file has it; `beam.point` is `point`. */
typedef struct described {
  ms_beam beam;
  ms_beam_point point[MAX_POINTS];
} described;

/* ---- numbers and words ---- */

static ms_status read_number(const ms_builder *b, struct fy_node *node, const char *key,
                             double factor, double *out) {
  MS_TRY(ms_yaml_positive(b->y, ms_yaml_get(node, key), key, out));
  *out *= factor;
  return MS_SUCCESS;
}

/* The place of a word in the list, as it is in the enumeration. */
static ms_status read_word(const ms_builder *b, struct fy_node *node, const char *what,
                           const char *const *words, int *out) {
  const char *word;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(b->y, node, what, &word));
  for (int i = 0; i < 3; i++) {
    if (strcmp(word, words[i]) != 0) continue;
    *out = i;
    return MS_SUCCESS;
  }
  return ms_yaml_fail(b->y, node, MS_ERR_NAME, "%s '%.40s' is none of %s, %s and %s", what, word,
                      words[0], words[1], words[2]);
}

static ms_status read_ends(const ms_builder *b, struct fy_node *node, ms_beam *beam) {
  static const char *const support[] = { "free", "pinned", "clamped" };
  static const char *const axial[] = { "none", "static", "inertial" };
  int start = MS_BEAM_CLAMPED, end = MS_BEAM_FREE, along = MS_BEAM_AXIAL_NONE;
  MS_TRY(read_word(b, ms_yaml_get(node, "start"), "support", support, &start));
  MS_TRY(read_word(b, ms_yaml_get(node, "end"), "support", support, &end));
  MS_TRY(read_word(b, ms_yaml_get(node, "axial"), "axial", axial, &along));
  beam->start = (ms_beam_support)start;
  beam->end = (ms_beam_support)end;
  beam->axial = (ms_beam_axial)along;
  return MS_SUCCESS;
}

/* width and height, or area and inertia. */
static ms_status read_section(const ms_builder *b, struct fy_node *node, ms_beam *beam) {
  const double l = b->units->length;
  int rectangle = ms_yaml_get(node, "width") && ms_yaml_get(node, "height");
  int other = ms_yaml_get(node, "area") && ms_yaml_get(node, "inertia");
  int n = 0;
  for (int k = 1; k < 5; k++) n += ms_yaml_get(node, keys[k].name) != NULL;
  if (n != 2 || rectangle == other) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                        "a beam needs width and height, or area and inertia, of its section");
  }
  if (other) {
    MS_TRY(read_number(b, node, "area", l * l, &beam->A));
    return read_number(b, node, "inertia", l * l * l * l, &beam->I);
  }
  double width, height;
  MS_TRY(read_number(b, node, "width", l, &width));
  MS_TRY(read_number(b, node, "height", l, &height));
  beam->A = width * height;
  beam->I = width * height * height * height / 12.0;
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
  if (points && !ms_yaml_is_mapping(points)) {
    return ms_yaml_fail(b->y, points, MS_ERR_FORMAT,
                        "points must be a mapping, e.g. {drive: 0.55}");
  }
  for (struct fy_node *key, *value; points && (value = ms_yaml_next_pair(points, &at, &key));) {
    const char *name;
    double x;
    MS_TRY(ms_yaml_text(b->y, key, "a point", &name));
    MS_TRY(ms_yaml_number(b->y, value, name, &x));
    MS_TRY(add_point(b, key, name, x * b->units->length, d));
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
    return ms_yaml_fail(b->y, key, MS_ERR_NAME, "'%.60s' is none of the points, nor start or end",
                        name);
  }
  MS_TRY(add_point(b, key, name, end ? d->beam.L : 0.0, d));
  *out = &d->point[d->beam.n_point - 1];
  return MS_SUCCESS;
}

static ms_status read_mass(const ms_builder *b, struct fy_node *value, ms_beam_point *point) {
  const double m = b->units->mass, l = b->units->length;
  struct fy_node *mass = value, *inertia = NULL;
  if (ms_yaml_is_mapping(value)) {
    MS_TRY(ms_yaml_check_keys(b->y, value, "a mass", mass_keys, 2));
    mass = ms_yaml_get(value, "mass");
    inertia = ms_yaml_get(value, "inertia");
  }
  MS_TRY(ms_yaml_number(b->y, mass, "a mass", &point->mass));
  if (inertia) MS_TRY(ms_yaml_number(b->y, inertia, "inertia", &point->inertia));
  point->mass *= m;
  point->inertia *= m * l * l;
  if (point->mass >= 0.0 && point->inertia >= 0.0) return MS_SUCCESS;
  return ms_yaml_fail(b->y, value, MS_ERR_BOUNDS, "a mass and its inertia must be >= 0");
}

static ms_status read_masses(const ms_builder *b, struct fy_node *masses, described *d) {
  void *at = NULL;
  if (masses && !ms_yaml_is_mapping(masses)) {
    return ms_yaml_fail(b->y, masses, MS_ERR_FORMAT, "masses must be a mapping, e.g. {end: 21}");
  }
  for (struct fy_node *key, *value; masses && (value = ms_yaml_next_pair(masses, &at, &key));) {
    ms_beam_point *point = NULL;
    MS_TRY(find_point(b, key, d, &point));
    MS_TRY(read_mass(b, value, point));
  }
  return MS_SUCCESS;
}

/* ---- the whole ---- */

static ms_status read_beam(const ms_builder *b, struct fy_node *node, described *d) {
  const ms_units *u = b->units;
  const double l = u->length;
  ms_beam *beam = &d->beam;
  *beam = (ms_beam) { .elements = DEFAULT_ELEMENTS, .point = d->point };
  MS_TRY(ms_yaml_check_keys(b->y, node, "beam", keys, N_KEY));
  MS_TRY(read_number(b, node, "length", l, &beam->L));
  MS_TRY(read_section(b, node, beam));
  MS_TRY(read_number(b, node, "E", u->force / (l * l), &beam->E));
  MS_TRY(read_number(b, node, "rho", u->mass / (l * l * l), &beam->rho));
  struct fy_node *elements = ms_yaml_get(node, "elements");
  if (elements) MS_TRY(ms_yaml_count_value(b->y, elements, "elements", 1, &beam->elements));
  MS_TRY(ms_memory_check_coordinates(b->study, elements ? elements : node,
                                     3.0 * (double)beam->elements)); /* a node has three */
  MS_TRY(read_ends(b, node, beam));
  MS_TRY(read_points(b, ms_yaml_get(node, "points"), d));
  return read_masses(b, ms_yaml_get(node, "masses"), d);
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

static const ms_param shortening_keys[] = {
  MS_KEY("modes", "number", "how many of the lowest stuck modes take part; 8", 0),
};

static ms_status read_modes(const ms_builder *b, struct fy_node *node, ptrdiff_t *modes) {
  *modes = DEFAULT_MODES;
  if (ms_yaml_is_word(node, "true")) return MS_SUCCESS;
  MS_TRY(ms_yaml_check_keys(b->y, node, "shortening", shortening_keys, 1));
  struct fy_node *value = ms_yaml_get(node, "modes");
  return value ? ms_yaml_count_value(b->y, value, "modes", 1, modes) : MS_SUCCESS;
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
         (axis->lever ? axis->lever[i] : 0.0);
}

static ms_status find_axial(const ms_builder *b, struct fy_node *node, int n_axis,
                            const ms_axis_ends *axis, ptrdiff_t *ux) {
  struct fy_node *structure = ms_yaml_get(ms_yaml_root(b->y), "structure");
  int found = ms_yaml_get(structure, "beam") &&
              ms_structure_find(b->structure, "end.ux", ux) == MS_SUCCESS && *ux != MS_GROUND;
  for (int a = 0; found && a < n_axis; a++) {
    if (weight_on(&axis[a], *ux) != 0.0) return MS_SUCCESS;
  }
  return ms_yaml_fail(b->y, node, MS_ERR_ARGUMENT, "%s",
                      found ? "shortening: the joint is not on end.ux, which it would change"
                            : "shortening needs a beam with a coordinate end.ux (axial: static)");
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
