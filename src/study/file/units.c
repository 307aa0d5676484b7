/* Units of a study file. */
#include <math.h>
#include <stdio.h>
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

ms_status ms_units_read(const ms_study *s, struct fy_node *node, ms_units *u) {
  options o = { 0 };
  *u = (ms_units) { 1.0, 1.0, 1.0, 1.0, 1.0, "SI", 0 };
  if (!node || (ms_yaml_is_scalar(node) && ms_yaml_is_word(node, "SI"))) return MS_SUCCESS;
  if (ms_yaml_is_scalar(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "units are SI, or e.g. {length: mm, mass: tonne, force: N, time: s}");
  }
  MS_TRY(ms_options_read_mapping(s, u, node, "units", &ms_units_keys, &o));
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
  return check_consistent(&s->yaml, node, u);
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
