/* fe: properties of parts of a mesh file. */
#include "study/fe.h"

static const ms_param section_keys[] = {
  MS_KEY("rectangle", "list", "[along y, along z]", 0),
  MS_KEY("circle", "number", "radius", 0),
  MS_KEY("pipe", "list", "[outer radius, wall]", 0),
  MS_KEY("A", "number", "area, length^2; with Iy, Iz, J instead of a profile", 0),
  MS_KEY("Iy", "number", "second moment of area about y, length^4", 0),
  MS_KEY("Iz", "number", "about z", 0),
  MS_KEY("J", "number", "torsion constant, length^4", 0),
  MS_KEY("shear", "number or list",
         "fractions of A that carry shear along y and z; 0: Euler-Bernoulli", 0),
  MS_KEY("y", "list", "direction of the section's y axis", 0),
};

/* ---- profiles ---- */

static ms_status read_size(const ms_fe *fe, struct fy_node *node, const char *what, int n,
                           double *out) {
  MS_TRY(ms_fe_vector(fe, node, what, n, fe->study->units.length, out));
  for (int i = 0; i < n; i++) {
    if (out[i] > 0.0) continue;
    return ms_yaml_fail(fe->y, node, MS_ERR_BOUNDS, "the sizes of a %s must be > 0", what);
  }
  return MS_SUCCESS;
}

static ms_status read_rectangle(const ms_fe *fe, struct fy_node *node, ms_beam_section *s) {
  double d[2];
  MS_TRY(read_size(fe, node, "rectangle", 2, d));
  *s = fe->f->beam_rectangle(d[0], d[1]);
  return MS_SUCCESS;
}

static ms_status read_circle(const ms_fe *fe, struct fy_node *node, ms_beam_section *s) {
  double radius;
  MS_TRY(read_size(fe, node, "circle", 1, &radius));
  *s = fe->f->beam_circle(radius);
  return MS_SUCCESS;
}

static ms_status read_pipe(const ms_fe *fe, struct fy_node *node, ms_beam_section *s) {
  double d[2];
  MS_TRY(read_size(fe, node, "pipe", 2, d));
  if (d[1] > d[0]) {
    return ms_yaml_fail(fe->y, node, MS_ERR_BOUNDS,
                        "a pipe is [outer radius, wall]; its wall must not exceed the radius");
  }
  *s = fe->f->beam_pipe(d[0], d[1]);
  return MS_SUCCESS;
}

static const struct profile {
  const char *name;
  ms_status (*read)(const ms_fe *fe, struct fy_node *node, ms_beam_section *s);
} profiles[] = { { "rectangle", read_rectangle },
                 { "circle", read_circle },
                 { "pipe", read_pipe } };

enum { N_PROFILE = sizeof profiles / sizeof profiles[0] };

/* ---- sections ---- */

static ms_status read_values(const ms_fe *fe, struct fy_node *node, ms_beam_section *s) {
  static const char *const names[] = { "A", "Iy", "Iz", "J" };
  double value[4], L = fe->study->units.length;
  for (int i = 0; i < 4; i++) {
    struct fy_node *given = ms_yaml_get(node, names[i]);
    if (!given) {
      return ms_yaml_fail(fe->y, node, MS_ERR_NAME,
                          "a section is one of rectangle, circle, pipe, or all of A, Iy, Iz and J");
    }
    MS_TRY(ms_yaml_positive(fe->y, given, names[i], &value[i]));
  }
  *s = (ms_beam_section) { .A = value[0] * L * L,
                           .Iy = value[1] * L * L * L * L,
                           .Iz = value[2] * L * L * L * L,
                           .J = value[3] * L * L * L * L };
  return MS_SUCCESS;
}

static ms_status read_shear(const ms_fe *fe, struct fy_node *node, ms_beam_section *s) {
  double k[2];
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_fe_vector(fe, node, "shear", ms_yaml_is_sequence(node) ? 2 : 1, 1.0, k));
  if (!ms_yaml_is_sequence(node)) k[1] = k[0];
  s->shear_y = k[0];
  s->shear_z = k[1];
  if (k[0] >= 0.0 && k[1] >= 0.0 && (k[0] > 0.0) == (k[1] > 0.0)) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, node, MS_ERR_BOUNDS,
                      "shear must be two fractions > 0, or 0 for beams without shear");
}

static ms_status read_section(const ms_fe *fe, struct fy_node *node, ms_beam_section *s) {
  struct fy_node *y = ms_yaml_get(node, "y");
  const struct profile *profile = NULL;
  int n = 0, values = 0;
  MS_TRY(ms_yaml_check_keys(fe->y, node, "a section", section_keys,
                            sizeof section_keys / sizeof *section_keys));
  for (int i = 0; i < N_PROFILE; i++) {
    if (!ms_yaml_get(node, profiles[i].name)) continue;
    profile = &profiles[i];
    n++;
  }
  for (int i = 3; i < 7; i++) values += ms_yaml_get(node, section_keys[i].name) != NULL;
  if (n > 1 || (n == 1 && values > 0)) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT,
                        "a section is one of rectangle, circle, pipe, or A, Iy, Iz and J");
  }
  MS_TRY(profile ? profile->read(fe, ms_yaml_get(node, profile->name), s)
                 : read_values(fe, node, s));
  MS_TRY(read_shear(fe, ms_yaml_get(node, "shear"), s));
  return y ? ms_fe_vector(fe, y, "y", 3, 1.0, s->y) : MS_SUCCESS;
}

ms_status ms_fe_read_properties(const ms_fe *fe, struct fy_node *node, ms_part *part) {
  struct fy_node *material = ms_yaml_get(node, "material"), *mass = ms_yaml_get(node, "mass");
  struct fy_node *section = ms_yaml_get(node, "section");
  if (material) MS_TRY(ms_fe_read_material(fe, material, &part->material));
  if (section) MS_TRY(read_section(fe, section, &part->section));
  if (!mass) return MS_SUCCESS;
  MS_TRY(ms_yaml_positive(fe->y, mass, "mass", &part->mass));
  part->mass *= fe->study->units.mass;
  return MS_SUCCESS;
}
