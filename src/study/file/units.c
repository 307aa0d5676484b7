/* Units of a study file, and how to get from them to SI. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/file/model_keys.h"

typedef struct options {
  int length, mass, force, time, acceleration;
} options;

static const ms_param keys[] = {
  MS_CHOICE(options, length, "m|mm|cm|in|ft", MS_OPTIONAL, "unit of length"),
  MS_CHOICE(options, mass, "kg|g|tonne|lb|slug|slinch", MS_OPTIONAL, "unit of mass"),
  MS_CHOICE(options, force, "N|kN|lbf", MS_ELSE("mass length/time^2"),
            "unit of force; must agree with the others"),
  MS_CHOICE(options, time, "s|ms", MS_OPTIONAL, "unit of time"),
  MS_CHOICE(options, acceleration, "m/s^2|g", MS_ELSE("length/time^2"),
            "unit of the acceleration of a moving ground; g is 9.80665 m/s^2"),
};

const ms_param_list ms_units_keys = MS_LIST_OF(keys);

/* In the order of the choices. */
static const double lengths[] = { 1.0, 1e-3, 1e-2, 0.0254, 0.3048 };
static const double masses[] = {
  1.0, 1e-3, 1e3, 0.45359237, 14.593902937206364, 175.12683524647636
};
static const double forces[] = { 1.0, 1e3, 4.4482216152605 };
static const double times[] = { 1.0, 1e-3 };
static const double accelerations[] = { 1.0, 9.80665 };

/* Newton's law ties the four together. */
static ms_status check_consistent(const ms_yaml *y, struct fy_node *node, const ms_units *u) {
  double force = u->mass * u->length / (u->time * u->time);
  if (fabs(u->force / force - 1.0) < 1e-6) return MS_SUCCESS;
  return ms_yaml_fail(
      y, node, MS_ERR_ARGUMENT,
      "these units do not agree: force is %g times mass length/time^2; with mm, s and "
      "N the mass is in tonne",
      u->force / force);
}

ms_status ms_units_read(const ms_study *s, struct fy_node *node, ms_units *u) {
  options o = { 0 };
  *u = (ms_units) { 1.0, 1.0, 1.0, 1.0, 1.0, "SI", 0 };
  if (!node || (ms_yaml_is_scalar(node) && ms_yaml_is_word(node, "SI"))) return MS_SUCCESS;
  if (ms_yaml_is_scalar(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "units are SI, or e.g. {length: mm, mass: tonne, force: N, time: s}");
  }
  MS_TRY(ms_options_read_mapping(s, u, node, "units", &ms_units_keys, &o));
  u->length = lengths[o.length];
  u->mass = masses[o.mass];
  u->time = times[o.time];
  u->acceleration = u->length / (u->time * u->time);
  u->force = u->mass * u->length / (u->time * u->time);
  if (o.force >= 0) u->force = forces[o.force];
  if (o.acceleration >= 0) u->acceleration = accelerations[o.acceleration];
  snprintf(u->text, sizeof u->text,
           "length %g m, mass %g kg, force %g N, time %g s, acceleration %g m/s^2", u->length,
           u->mass, u->force, u->time, u->acceleration);
  return check_consistent(&s->yaml, node, u);
}

static double base_factor(const ms_units *u, char letter) {
  switch (letter) {
  case 'm':
    return u->length;
  case 's':
    return u->time;
  case 'N':
    return u->force;
  default:
    return 0.0;
  }
}

/* Products and quotients of m, s, N, kg with whole exponents, and sqrt(kg): "N s/m", "N/m^2",
   "m sqrt(kg)"; "-" has none. */
double ms_units_factor(const ms_units *u, const char *unit) {
  double factor = 1.0;
  int below = 0;
  if (strcmp(unit, "-") == 0 || strcmp(u->text, "SI") == 0) return 1.0;
  for (const char *c = unit; *c; c++) {
    if (*c == ' ' || *c == '1') continue;
    if (*c == '/') {
      below = 1;
      continue;
    }
    const int root = strncmp(c, "sqrt(kg)", 8) == 0, kilogram = strncmp(c, "kg", 2) == 0;
    double base = root ? sqrt(u->mass) : kilogram ? u->mass : base_factor(u, *c);
    c += root ? 7 : kilogram;
    if (base == 0.0 || isalpha((unsigned char)c[1])) return 0.0;
    long exponent = 1;
    if (c[1] == '^') {
      char *end;
      exponent = strtol(c + 2, &end, 10);
      if (end == c + 2) return 0.0;
      c = end - 1;
    }
    factor *= pow(base, (double)(below ? -exponent : exponent));
  }
  return factor;
}

/* ---- rotations ---- */

/* Counts the rotations among names, and all others: the ground is neither, weights are another. */
static void count_names(struct fy_node *node, int *rotations, int *others) {
  void *at = NULL;
  if (ms_yaml_is_sequence(node)) {
    for (struct fy_node *item; (item = ms_yaml_next_item(node, &at));) {
      count_names(item, rotations, others);
    }
    return;
  }
  const char *name = ms_yaml_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
  const int turns = name && ms_name_is_rotation(name);
  *rotations += turns;
  *others += !turns && !(name && strcmp(name, "ground") == 0);
}

int ms_names_are_rotations(struct fy_node *node) {
  int rotations = 0, others = 0;
  count_names(node, &rotations, &others);
  return rotations > 0 && others == 0;
}

ms_units ms_units_about(const ms_units *u) {
  ms_units about = *u;
  about.force *= u->length;
  about.length = 1.0;
  about.about = 1;
  return about;
}

static int is_unit(const char *unit, const char *si) {
  return strcmp(unit, si) == 0 || (strcmp(si, "J") == 0 && strcmp(unit, "N m") == 0);
}

/* What m, N and their quotients are of an angle and a moment; all others stay. */
static const char *name_about(const char *si) {
  static const char *const pair[][2] = {
    { "m", "rad" },
    { "N", "N m" },
    { "N/m", "N m/rad" },
    { "N/m^2", "N m/rad^2" },
  };
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    if (strcmp(pair[i][0], si) == 0) return pair[i][1];
  }
  return si;
}

ms_status ms_units_check_column(const ms_study *s, const ms_units *units, struct fy_node *node,
                                const ms_table *table, const char *name, const char *si,
                                double factor) {
  const char *unit = NULL;
  if (units->about) si = name_about(si);
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table); c++) {
    if (strcmp(ms_table_get_name(table, c), name) == 0) unit = ms_table_get_unit(table, c);
  }
  if (!unit || is_unit(unit, si) == (factor == 1.0)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "column '%.40s' is in [%.20s]; expected: %s; convert the numbers", name, unit,
                      factor != 1.0          ? "the units of the study"
                      : strcmp(si, "-") == 0 ? "parts of one"
                                             : si);
}
