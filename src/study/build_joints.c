/* joints: the laws, and where they sit. */
#include <stdio.h>
#include <string.h>

#include "study/build.h"

static ms_status set_parameter(const ms_builder *b, ms_joint *joint, struct fy_node *key,
                               struct fy_node *value) {
  const ms_law_info *law = ms_joint_info(joint);
  const char *name, *text;
  MS_TRY(ms_yaml_text(b->y, key, "a parameter", &name));
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    double number, factor = ms_units_factor(b->units, p->unit);
    if (strcmp(p->name, name) != 0 || p->kind == MS_PARAM_CHOICE) continue;
    if (p->kind == MS_PARAM_TABLE) return ms_build_table(b, p, value, joint);
    if (factor == 0.0) {
      return ms_yaml_fail(b->y, key, MS_ERR_ARGUMENT,
                          "%s is in %s, which is not converted: use SI units or another parameter "
                          "set",
                          name, p->unit);
    }
    MS_TRY(ms_yaml_number(b->y, value, name, &number));
    return ms_build_at(b, value, ms_joint_set(joint, name, number * factor));
  }
  MS_TRY(ms_yaml_text(b->y, value, name, &text));
  return ms_build_at(b, key, ms_joint_set_text(joint, name, text));
}

/* {law: iwan4, F_S: 10, ...}, other keys that belong to the joint left out. */
ms_status ms_build_law(const ms_builder *b, struct fy_node *node, ms_joint **out) {
  const char *law;
  void *at = NULL;
  struct fy_node *law_node = ms_yaml_get(node, "law");
  *out = NULL;
  if (!law_node) {
    return ms_yaml_fail(b->y, node, MS_ERR_NAME,
                        "a joint needs 'law'; 'microslip laws' lists them");
  }
  MS_TRY(ms_yaml_text(b->y, law_node, "law", &law));
  MS_TRY(ms_build_at(b, law_node, ms_joint_create(b->ctx, law, out)));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    if (fy_node_compare_string(key, "law", FY_NT) ||
        fy_node_compare_string(key, "between", FY_NT) ||
        fy_node_compare_string(key, "normal", FY_NT)) {
      continue;
    }
    MS_TRY(set_parameter(b, *out, key, value));
  }
  return ms_build_at(b, node, ms_joint_setup(*out));
}

static const ms_key parallel_keys[] = {
  { "laws", "list", "{law: ..., parameters} side by side; forces add", 1 },
  { "between", "list", "[from, to]", 1 },
};

/* laws: [{law: ...}, ...] in parallel on one axis. */
static ms_status build_laws(const ms_builder *b, struct fy_node *list, ms_joint **out) {
  void *at = NULL;
  if (!ms_yaml_is_sequence(list)) {
    return ms_yaml_fail(b->y, list, MS_ERR_FORMAT, "laws must be a list of {law: ..., ...}");
  }
  MS_TRY(ms_build_at(b, list, ms_joint_create_parallel(b->ctx, 1, out)));
  for (struct fy_node *item; (item = ms_yaml_next_item(list, &at));) {
    ms_joint *member = NULL;
    ms_status status = ms_build_law(b, item, &member);
    if (status == MS_SUCCESS)
      status = ms_build_at(b, item, ms_joint_take_member(*out, &member, NULL));
    ms_joint_destroy(&member);
    if (status != MS_SUCCESS) return status;
  }
  return ms_build_at(b, list, ms_joint_setup(*out));
}

ms_status ms_build_ends(const ms_builder *b, const char *name, struct fy_node *node, int n_axis,
                        ptrdiff_t *from, ptrdiff_t *to) {
  struct fy_node *between = ms_yaml_get(node, "between");
  void *at = NULL;
  if (!ms_yaml_is_sequence(between) || ms_yaml_count(between) != 2) {
    return ms_yaml_fail(b->y, between ? between : node, MS_ERR_FORMAT,
                        "joint %s needs 'between: [from, to]', two coordinates", name);
  }
  struct fy_node *end[2] = { ms_yaml_next_item(between, &at), NULL };
  end[1] = ms_yaml_next_item(between, &at);
  for (int side = 0; side < 2; side++) {
    void *in = NULL;
    if (n_axis > 1 && (!ms_yaml_is_sequence(end[side]) || ms_yaml_count(end[side]) != n_axis)) {
      return ms_yaml_fail(
          b->y, between, MS_ERR_FORMAT,
          "joint %s has %d axes: write between: [[a, b], [c, d]], one coordinate per "
          "axis",
          name, n_axis);
    }
    for (int a = 0; a < n_axis; a++) {
      struct fy_node *c = n_axis > 1 ? ms_yaml_next_item(end[side], &in) : end[side];
      MS_TRY(ms_build_find(b, c, side ? &to[a] : &from[a]));
    }
  }
  return MS_SUCCESS;
}

static ms_status seat_joint(ms_builder *b, const char *name, struct fy_node *node,
                            ms_joint **joint) {
  struct fy_node *normal = ms_yaml_get(node, "normal");
  ptrdiff_t from[MS_JOINT_MAX_AXIS], to[MS_JOINT_MAX_AXIS];
  int n_axis = ms_joint_info(*joint)->n_axis - (normal != NULL);
  MS_TRY(ms_build_ends(b, name, node, n_axis, from, to));
  if (normal) MS_TRY(ms_build_ends(b, name, normal, 1, &from[n_axis], &to[n_axis]));
  return ms_build_at(b, ms_yaml_get(node, "between"),
                     ms_structure_take_joint(b->structure, name, joint, from, to));
}

static ms_status build_joint(ms_builder *b, struct fy_node *key, struct fy_node *node) {
  const char *name;
  ms_joint *joint = NULL;
  MS_TRY(ms_yaml_text(b->y, key, "a joint's name", &name));
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(
        b->y, key, MS_ERR_FORMAT,
        "joint %s must be a mapping, e.g. {law: iwan4, between: [u2, u3], ...} or {x: {law: "
        "iwan4, ...}, y: rigid}",
        name);
  }
  struct fy_node *laws = ms_yaml_get(node, "laws");
  if (laws) MS_TRY(ms_yaml_check_keys(b->y, node, "a joint with laws", parallel_keys, 2));
  ms_status status = laws ? build_laws(b, laws, &joint) : ms_build_law(b, node, &joint);
  struct fy_node *normal = ms_yaml_get(node, "normal");
  if (status == MS_SUCCESS && normal) status = ms_build_normal(b, normal, &joint);
  if (status == MS_SUCCESS) status = seat_joint(b, name, node, &joint);
  ms_joint_destroy(&joint);
  return status;
}

ms_status ms_build_joints(ms_builder *b, struct fy_node *node) {
  void *at = NULL;
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT, "joints must be a mapping of names");
  }
  MS_TRY(ms_directions_join(b, node));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    if (!ms_directions_has(value)) MS_TRY(build_joint(b, key, value));
  }
  return ms_directions_seat(b, node);
}
