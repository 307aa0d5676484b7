/* Units that a file says its numbers are in. */
#include "io/yaml/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/yaml/keys.h"

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

/* The factor of the chosen unit, from the list of `of`. */
static double chosen(const ms_param *of, int index, ms_dimension dimension) {
  const char *name = of->choices;
  for (; index > 0; index--) name += strcspn(name, "|") + 1;
  return ms_unit_find(dimension, name, strcspn(name, "|"));
}

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

ms_status ms_yaml_read_units(const ms_yaml *y, struct fy_node *node, ms_units *u) {
  const ms_key_source from = { .yaml = y, .units = u };
  options o = { 0 };
  *u = (ms_units) { 1.0, 1.0, 1.0, 1.0, 1.0, "SI", 0 };
  if (!node || (ms_yaml_is_scalar(node) && ms_yaml_is_word(node, "SI"))) return MS_SUCCESS;
  if (ms_yaml_is_scalar(node)) {
    return ms_yaml_fail(y, node, MS_ERR_FORMAT,
                        "units are SI, or e.g. {length: mm, mass: tonne, force: N, time: s}");
  }
  MS_TRY(ms_keys_read(&from, node, node, "units", keys, ms_units_keys.n, &o));
  u->length = chosen(&keys[0], o.length, MS_UNIT_LENGTH);
  u->mass = chosen(&keys[1], o.mass, MS_UNIT_MASS);
  u->time = chosen(&keys[3], o.time, MS_UNIT_TIME);
  u->acceleration = u->length / (u->time * u->time);
  u->force = u->mass * u->length / (u->time * u->time);
  if (o.force >= 0) u->force = chosen(&keys[2], o.force, MS_UNIT_FORCE);
  if (o.acceleration >= 0) u->acceleration = chosen(&keys[4], o.acceleration, MS_UNIT_ACCELERATION);
  snprintf(u->text, sizeof u->text,
           "length %g m, mass %g kg, force %g N, time %g s, acceleration %g m/s^2", u->length,
           u->mass, u->force, u->time, u->acceleration);
  return check_consistent(y, node, u);
}
