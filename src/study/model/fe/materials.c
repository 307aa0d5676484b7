/* fe: materials, and properties of parts of a mesh file. */
#include "study/model/fe/fe.h"

#include "study/file/model_keys.h"

/* ---- materials ---- */

typedef struct stuff {
  ms_few E, nu, G;
  double rho;
} stuff;

static const ms_param material_rows[] = {
  MS_VECTOR(stuff, E, 0, "N/m^2", MS_POSITIVE, MS_REQUIRED,
            "Young's modulus; three for an orthotropic material, along x, y, z"),
  MS_VECTOR(stuff, nu, 0, "-", MS_ANY, MS_REQUIRED, "Poisson's ratio; three: 12, 13, 23"),
  MS_VECTOR(stuff, G, 3, "N/m^2", MS_POSITIVE, MS_ELSE("E/2(1 + nu)"),
            "shear moduli 12, 13, 23, with three of E"),
  MS_NUMBER(stuff, rho, "kg/m^3", MS_POSITIVE, MS_REQUIRED, "density"),
};
static const ms_param_list material_keys = MS_LIST_OF(material_rows);
static const ms_param row[] = { MS_EACH("mapping", &material_keys, "a material") };

const ms_param_list ms_materials_keys = MS_LIST_OF(row);

ms_status ms_fe_read_material(const ms_fe *fe, struct fy_node *word, const char *name,
                              ms_material *m) {
  struct fy_node *node = ms_yaml_get(fe->options.materials, name);
  stuff o = { 0 };
  if (!node) {
    return ms_yaml_fail(fe->y, word, MS_ERR_NAME, "there is no material '%s' in materials", name);
  }
  MS_TRY(ms_fe_read_keys(fe, node, "a material", &material_keys, &o));
  const int three = o.E.n > 1 || o.G.n > 0, n = three ? 3 : 1;
  if (three && o.G.n == 0) {
    return ms_yaml_fail(fe->y, node, MS_ERR_NAME, "three values of E need three of G");
  }
  if (o.E.n != n || o.nu.n != n) {
    const char *list = o.E.n != n ? "E" : "nu";
    return ms_yaml_fail(fe->y, ms_yaml_get(node, list), MS_ERR_FORMAT,
                        "%s must be %d numbers, not %td", list, n, o.E.n != n ? o.E.n : o.nu.n);
  }
  for (int i = 0; i < 3; i++) {
    m->E[i] = o.E.value[three ? i : 0];
    m->nu[i] = o.nu.value[three ? i : 0];
    m->G[i] = three ? o.G.value[i] : m->E[i] / (2.0 * (1.0 + m->nu[i]));
  }
  m->rho = o.rho;
  return MS_SUCCESS;
}

/* ---- sections ---- */

typedef struct section {
  ms_few rectangle, pipe, shear, y;
  double circle, A, Iy, Iz, J;
} section;

static const ms_param section_rows[] = {
  MS_VECTOR(section, rectangle, 2, "m", MS_POSITIVE, MS_OPTIONAL, "[along y, along z]"),
  MS_NUMBER(section, circle, "m", MS_POSITIVE, MS_ELSE("optional"), "radius"),
  MS_VECTOR(section, pipe, 2, "m", MS_POSITIVE, MS_OPTIONAL, "[outer radius, wall]"),
  MS_NUMBER(section, A, "m^2", MS_POSITIVE, MS_ELSE("optional"),
            "area; with Iy, Iz and J instead of a profile"),
  MS_NUMBER(section, Iy, "m^4", MS_POSITIVE, MS_ELSE("optional"),
            "second moment of area about y (bends in x-z)"),
  MS_NUMBER(section, Iz, "m^4", MS_POSITIVE, MS_ELSE("optional"), "the same about z"),
  MS_NUMBER(section, J, "m^4", MS_POSITIVE, MS_ELSE("optional"), "torsion constant"),
  MS_VECTOR(section, shear, 0, "-", MS_NOT_NEGATIVE,
            MS_ELSE("0.85, 0.89 and 0.53 for the profiles, else 0"),
            "fraction of the area that carries shear, or [along y, along z]; 0: Euler-Bernoulli"),
  MS_VECTOR(section, y, 3, "-", MS_ANY, MS_ELSE("open"),
            "direction of the section's y axis; its component normal to the beam is used"),
};

const ms_param_list ms_section_keys = MS_LIST_OF(section_rows);

static ms_status set_profile(const ms_fe *fe, struct fy_node *node, const section *o,
                             ms_beam_section *s) {
  const ms_fem_functions *f = fe->f;
  const int profiles = (o->rectangle.n > 0) + (o->circle > 0.0) + (o->pipe.n > 0);
  const int values = (o->A > 0.0) + (o->Iy > 0.0) + (o->Iz > 0.0) + (o->J > 0.0);
  if (profiles > 1 || (profiles == 1 && values > 0) || (profiles == 0 && values < 4)) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT,
                        "a section is one of rectangle, circle, pipe, or all of A, Iy, Iz and J");
  }
  if (o->pipe.n > 0 && o->pipe.value[1] > o->pipe.value[0]) {
    return ms_yaml_fail(fe->y, ms_yaml_get(node, "pipe"), MS_ERR_BOUNDS,
                        "a pipe is [outer radius, wall]; its wall must not exceed the radius");
  }
  *s = o->rectangle.n > 0 ? f->beam_rectangle(o->rectangle.value[0], o->rectangle.value[1])
       : o->circle > 0.0  ? f->beam_circle(o->circle)
       : o->pipe.n > 0    ? f->beam_pipe(o->pipe.value[0], o->pipe.value[1])
                          : (ms_beam_section) { .A = o->A, .Iy = o->Iy, .Iz = o->Iz, .J = o->J };
  return MS_SUCCESS;
}

static ms_status read_section(const ms_fe *fe, struct fy_node *node, ms_beam_section *s) {
  section o = { 0 };
  MS_TRY(ms_fe_read_keys(fe, node, "a section", &ms_section_keys, &o));
  MS_TRY(set_profile(fe, node, &o, s));
  for (ptrdiff_t i = 0; i < o.y.n; i++) s->y[i] = o.y.value[i];
  if (o.shear.n == 0) return MS_SUCCESS;
  s->shear_y = o.shear.value[0];
  s->shear_z = o.shear.value[o.shear.n == 1 ? 0 : 1];
  if (o.shear.n <= 2 && (s->shear_y > 0.0) == (s->shear_z > 0.0)) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, ms_yaml_get(node, "shear"), MS_ERR_BOUNDS,
                      "shear must be two fractions > 0, or 0 for beams without shear");
}

/* ---- parts of a mesh file ---- */

ms_status ms_fe_read_properties(const ms_fe *fe, struct fy_node *node, const ms_fe_part *given,
                                ms_part *part) {
  struct fy_node *word = ms_yaml_get(node, "material");
  if (word) MS_TRY(ms_fe_read_material(fe, word, given->material, &part->material));
  if (given->section) MS_TRY(read_section(fe, given->section, &part->section));
  if (given->mass > 0.0) part->mass = given->mass;
  return MS_SUCCESS;
}
