/* Abaqus input files: materials, orientations and sections. Values stay in the file's units. */
#include "fem/formats/abaqus.h"

#include <math.h>

/* ---- materials ---- */

static ms_status begin_material(ms_abaqus *a) {
  ms_span name;
  if (a->current) return MS_ABAQUS_FAIL(a, "*MATERIAL inside *PART; it must be outside");
  if (!ms_abaqus_parameter(a, "NAME", &name)) return MS_ABAQUS_FAIL(a, "*MATERIAL: needs NAME=...");
  for (ptrdiff_t i = 0; i < a->n_material; i++) {
    if (!ms_abaqus_is(name, a->material[i].name)) continue;
    return MS_ABAQUS_FAIL(a, "a second *MATERIAL '%s'; names must differ", a->material[i].name);
  }
  MS_TRY(
      ms_grow(a->ctx, a->n_material + 1, &a->material_capacity, sizeof *a->material, &a->material));
  a->material[a->n_material] = (ms_abaqus_material) { .name = NULL };
  MS_TRY(ms_abaqus_copy(a, name, &a->material[a->n_material].name));
  a->n_material++;
  return MS_SUCCESS;
}

static ms_status need_material(ms_abaqus *a) {
  if (a->n_material > 0) return MS_SUCCESS;
  return MS_ABAQUS_FAIL(a, "*%s before any *MATERIAL; it must come after one", a->key);
}

static ms_status begin_elastic(ms_abaqus *a) {
  ms_span type;
  MS_TRY(need_material(a));
  MS_TRY(ms_abaqus_refuse(a, "DEPENDENCIES MODULI"));
  ms_abaqus_material *m = &a->material[a->n_material - 1];
  int given = ms_abaqus_parameter(a, "TYPE", &type);
  m->engineering = given && ms_abaqus_is(type, "ENGINEERING CONSTANTS");
  if (!given || m->engineering || ms_abaqus_is(type, "ISOTROPIC") || ms_abaqus_is(type, "ISO")) {
    return MS_SUCCESS;
  }
  return MS_ABAQUS_FAIL(a, "*ELASTIC: TYPE=%.*s; it must be ISOTROPIC or ENGINEERING CONSTANTS",
                        (int)ms_io_length(type), type.begin);
}

/* Isotropic: E, nu. Else E1 E2 E3 nu12 nu13 nu23 G12 G13 and in the next line G23. */
static ms_status data_elastic(ms_abaqus *a, ms_span line) {
  ms_abaqus_material *m = &a->material[a->n_material - 1];
  double *c = m->constant;
  m->n_elastic++;
  if (m->n_elastic > (m->engineering ? 2 : 1)) {
    return MS_ABAQUS_FAIL(a,
                          "*ELASTIC: more lines of data; properties must not depend on "
                          "temperature or fields");
  }
  if (m->n_elastic == 2) {
    MS_TRY(ms_abaqus_numbers(a, line, 1, c + 8, NULL));
    m->value = (ms_material) { .rho = m->value.rho,
                               .E = { c[0], c[1], c[2] },
                               .nu = { c[3], c[4], c[5] },
                               .G = { c[6], c[7], c[8] } };
    return MS_SUCCESS;
  }
  MS_TRY(ms_abaqus_numbers(a, line, m->engineering ? 8 : 2, c, NULL));
  if (!m->engineering) m->value = ms_material_isotropic(c[0], c[1], m->value.rho);
  return MS_SUCCESS;
}

static ms_status begin_density(ms_abaqus *a) {
  return need_material(a);
}

static ms_status data_density(ms_abaqus *a, ms_span line) {
  ms_abaqus_material *m = &a->material[a->n_material - 1];
  if (m->n_density++) {
    return MS_ABAQUS_FAIL(a, "*DENSITY: more lines of data; it must not depend on temperature");
  }
  return ms_abaqus_numbers(a, line, 1, &m->value.rho, NULL);
}

/* ---- orientations ---- */

static ms_status begin_orientation(ms_abaqus *a) {
  ms_span system, name, definition;
  int given = ms_abaqus_parameter(a, "SYSTEM", &system);
  int defined = ms_abaqus_parameter(a, "DEFINITION", &definition);
  if ((given && !ms_abaqus_is(system, "RECTANGULAR")) ||
      (defined && !ms_abaqus_is(definition, "COORDINATES"))) {
    return MS_ABAQUS_FAIL(a, "*ORIENTATION: only SYSTEM=RECTANGULAR by coordinates is read");
  }
  if (!ms_abaqus_parameter(a, "NAME", &name)) {
    return MS_ABAQUS_FAIL(a, "*ORIENTATION: needs NAME=...");
  }
  MS_TRY(ms_grow(a->ctx, a->n_orientation + 1, &a->orientation_capacity, sizeof *a->orientation,
                 &a->orientation));
  a->orientation[a->n_orientation] = (ms_abaqus_orientation) { .name = NULL };
  MS_TRY(ms_abaqus_copy(a, name, &a->orientation[a->n_orientation].name));
  a->n_orientation++;
  a->n_pending = 0;
  return MS_SUCCESS;
}

static int normalise(double *v) {
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3; i++) v[i] /= length;
  return length > 0.0;
}

static void cross(const double *p, const double *q, double *out) {
  for (int i = 0; i < 3; i++) {
    out[i] = p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3];
  }
}

/* Points a on axis 1, b in the plane of axes 1 and 2, and the origin; then an axis and an angle,
   which must be 0. */
static ms_status data_orientation(ms_abaqus *a, ms_span line) {
  double v[9], *axes = a->orientation[a->n_orientation - 1].axes;
  if (a->n_pending++ > 0) {
    MS_TRY(ms_abaqus_numbers(a, line, 2, v, NULL));
    if (v[1] == 0.0) return MS_SUCCESS;
    return MS_ABAQUS_FAIL(a, "*ORIENTATION: an additional rotation is not read; it must be 0");
  }
  MS_TRY(ms_abaqus_numbers(a, line, 9, v, NULL));
  for (int i = 0; i < 6; i++) v[i] -= v[6 + i % 3];
  for (int i = 0; i < 3; i++) axes[i] = v[i];
  cross(v, v + 3, axes + 6);
  if (!normalise(axes) || !normalise(axes + 6)) {
    return MS_ABAQUS_FAIL(a, "*ORIENTATION: the points must not lie on one line");
  }
  cross(axes + 6, axes, axes + 3);
  return MS_SUCCESS;
}

/* ---- sections ---- */

static ms_abaqus_section *latest(ms_abaqus *a) {
  ms_abaqus_scope *s = ms_abaqus_here(a);
  return &s->section[s->n_section - 1];
}

static ms_status begin_section(ms_abaqus *a, int needs) {
  ms_abaqus_scope *s = ms_abaqus_here(a);
  MS_TRY(ms_grow(a->ctx, s->n_section + 1, &s->section_capacity, sizeof *s->section, &s->section));
  s->section[s->n_section++] = (ms_abaqus_section) { .needs = needs, .place = a->place };
  return ms_abaqus_need(a, "ELSET", &latest(a)->set);
}

static ms_status begin_solid(ms_abaqus *a) {
  MS_TRY(ms_abaqus_refuse(a, "COMPOSITE REF_NODE"));
  MS_TRY(begin_section(a, MS_NEEDS_MATERIAL));
  MS_TRY(ms_abaqus_need(a, "MATERIAL", &latest(a)->material));
  return ms_abaqus_want(a, "ORIENTATION", &latest(a)->orientation);
}

/* A thickness or an attribute that solids have no use for. */
static ms_status data_solid(ms_abaqus *a, ms_span line) {
  (void)a;
  (void)line;
  return MS_SUCCESS;
}

/* ---- beams ---- */

/* y is Abaqus's axis 1, z its axis 2. */
static ms_beam_section rectangle(const double *d) {
  return ms_beam_rectangle(d[0], d[1]);
}

static ms_beam_section circle(const double *d) {
  return ms_beam_circle(d[0]);
}

static ms_beam_section pipe(const double *d) {
  return ms_beam_pipe(d[0], d[1]);
}

static const struct {
  const char *name;
  int n;
  ms_beam_section (*make)(const double *d);
} profiles[] = { { "RECT", 2, rectangle }, { "CIRC", 1, circle }, { "PIPE", 2, pipe } };

static ms_status begin_beam(ms_abaqus *a) {
  ms_span section;
  ms_abaqus_parameter(a, "SECTION", &section);
  MS_TRY(begin_section(a, MS_NEEDS_MATERIAL | MS_NEEDS_SECTION));
  MS_TRY(ms_abaqus_need(a, "MATERIAL", &latest(a)->material));
  for (a->choice = 0; a->choice < 3; a->choice++) {
    if (ms_abaqus_is(section, profiles[a->choice].name)) return MS_SUCCESS;
  }
  return MS_ABAQUS_FAIL(a, "*BEAM SECTION: SECTION=%.*s; it must be RECT, CIRC or PIPE",
                        (int)ms_io_length(section), section.begin);
}

static ms_status set_direction(ms_abaqus *a, ms_span line) {
  double *y = latest(a)->part.section.y;
  return ms_abaqus_numbers(a, line, 3, y, NULL);
}

static ms_status data_beam(ms_abaqus *a, ms_span line) {
  double d[2];
  int got;
  ms_abaqus_section *s = latest(a);
  if (s->n_data++ > 0) return set_direction(a, line);
  MS_TRY(ms_abaqus_numbers(a, line, 2, d, &got));
  if (got < profiles[a->choice].n || !(d[0] > 0.0)) {
    return MS_ABAQUS_FAIL(a, "*BEAM SECTION: needs %d dimensions above 0", profiles[a->choice].n);
  }
  if (profiles[a->choice].make == pipe && !(d[1] > 0.0 && d[1] <= d[0])) {
    return MS_ABAQUS_FAIL(a, "*BEAM SECTION: a wall of %g in a pipe of radius %g; it must fit",
                          d[1], d[0]);
  }
  s->part.section = profiles[a->choice].make(d);
  s->part.section.y[2] = -1.0; /* Abaqus's choice where the file makes none */
  return MS_SUCCESS;
}

static ms_status begin_general(ms_abaqus *a) {
  ms_span value;
  const char *p;
  MS_TRY(begin_section(a, MS_NEEDS_MATERIAL | MS_NEEDS_SECTION));
  if (ms_abaqus_parameter(a, "SECTION", &value) && !ms_abaqus_is(value, "GENERAL")) {
    return MS_ABAQUS_FAIL(a, "*BEAM GENERAL SECTION: SECTION must be GENERAL");
  }
  if (!ms_abaqus_parameter(a, "DENSITY", &value)) return MS_SUCCESS;
  p = value.begin;
  if (ms_io_scan_number(&p, value.end, &latest(a)->part.material.rho) == MS_SUCCESS &&
      p == value.end) {
    return MS_SUCCESS;
  }
  return MS_ABAQUS_FAIL(a, "*BEAM GENERAL SECTION: DENSITY must be a number");
}

/* A I11 I12 I22 J; the direction of axis 1; E G. */
static ms_status data_general(ms_abaqus *a, ms_span line) {
  ms_abaqus_section *s = latest(a);
  double v[5];
  s->n_data++;
  if (s->n_data == 2) return set_direction(a, line);
  if (s->n_data > 3) return MS_ABAQUS_FAIL(a, "*BEAM GENERAL SECTION: more than three lines");
  MS_TRY(ms_abaqus_numbers(a, line, s->n_data == 1 ? 5 : 2, v, NULL));
  if (s->n_data == 3) {
    if (!(v[1] > 0.0)) return MS_ABAQUS_FAIL(a, "*BEAM GENERAL SECTION: G must be above 0");
    double rho = s->part.material.rho;
    s->part.material = ms_material_isotropic(v[0], v[0] / (2.0 * v[1]) - 1.0, rho);
    return MS_SUCCESS;
  }
  if (v[2] != 0.0) return MS_ABAQUS_FAIL(a, "*BEAM GENERAL SECTION: I12 must be 0");
  s->part.section = (ms_beam_section) { v[0], v[1], v[3], v[4], 1.0, 1.0, { 0.0, 0.0, -1.0 } };
  return MS_SUCCESS;
}

static ms_status end_general(ms_abaqus *a) {
  const ms_abaqus_section *s = latest(a);
  if (s->n_data == 3) return MS_SUCCESS;
  return MS_ABAQUS_FAIL_AT(a, s->place, "*BEAM GENERAL SECTION: needs three lines of data");
}

/* ---- masses and springs ---- */

static ms_status begin_mass(ms_abaqus *a) {
  MS_TRY(ms_abaqus_refuse(a, "TYPE ALPHA COMPOSITE"));
  return begin_section(a, MS_NEEDS_MASS);
}

static ms_status data_mass(ms_abaqus *a, ms_span line) {
  return ms_abaqus_numbers(a, line, 1, &latest(a)->part.mass, NULL);
}

static ms_status data_inertia(ms_abaqus *a, ms_span line) {
  double v[6];
  MS_TRY(ms_abaqus_numbers(a, line, 6, v, NULL));
  if (v[3] != 0.0 || v[4] != 0.0 || v[5] != 0.0) {
    return MS_ABAQUS_FAIL(a, "*ROTARY INERTIA: products of inertia are not read; they must be 0");
  }
  for (int i = 0; i < 3; i++) latest(a)->part.inertia[i] = v[i];
  return MS_SUCCESS;
}

static ms_status begin_spring(ms_abaqus *a) {
  MS_TRY(ms_abaqus_refuse(a, "NONLINEAR ORIENTATION COMPLEX_STIFFNESS DEPENDENCIES"));
  return begin_section(a, MS_NEEDS_STIFFNESS);
}

/* The coordinate, of both nodes; then the stiffness. */
static ms_status data_spring(ms_abaqus *a, ms_span line) {
  ms_abaqus_section *s = latest(a);
  double v[2];
  int got;
  s->n_data++;
  MS_TRY(ms_abaqus_numbers(a, line, 2, v, &got));
  if (s->n_data > 2) return MS_ABAQUS_FAIL(a, "*SPRING: more than two lines of data");
  if (s->n_data == 2) {
    s->part.stiffness[a->choice] = v[0];
    return MS_SUCCESS;
  }
  int known = 0;
  for (int k = 1; k <= 6; k++) known |= v[0] == k;
  if (!known || (got > 1 && v[1] != 0.0 && v[1] != v[0])) {
    return MS_ABAQUS_FAIL(a,
                          "*SPRING: between degrees of freedom %g and %g; they must be equal, 1 "
                          "to 6",
                          v[0], v[1]);
  }
  a->choice = (int)v[0] - 1;
  if (a->choice >= 3) s->element = "bushing";
  return MS_SUCCESS;
}

static ms_status end_spring(ms_abaqus *a) {
  const ms_abaqus_section *s = latest(a);
  if (s->n_data == 2) return MS_SUCCESS;
  return MS_ABAQUS_FAIL_AT(a, s->place, "*SPRING: needs two lines of data");
}

const ms_abaqus_keyword ms_abaqus_property_keywords[] = {
  { "MATERIAL", begin_material, NULL, NULL, 0 },
  { "ELASTIC", begin_elastic, data_elastic, NULL, 0 },
  { "DENSITY", begin_density, data_density, NULL, 0 },
  { "ORIENTATION", begin_orientation, data_orientation, NULL, 0 },
  { "SOLIDSECTION", begin_solid, data_solid, NULL, 0 },
  { "BEAMSECTION", begin_beam, data_beam, NULL, 0 },
  { "BEAMGENERALSECTION", begin_general, data_general, end_general, 0 },
  { "MASS", begin_mass, data_mass, NULL, 0 },
  { "ROTARYINERTIA", begin_mass, data_inertia, NULL, 0 },
  { "SPRING", begin_spring, data_spring, end_spring, 0 },
};
const int ms_abaqus_n_property_keywords =
    sizeof ms_abaqus_property_keywords / sizeof ms_abaqus_property_keywords[0];
