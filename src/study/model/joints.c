/* joints: the laws, and where they sit. */

#include "core/param.h"
#include "study/model/build.h"
#include "study/file/model_keys.h"

#define MS_LAW_FORMS "word, mapping or list of mappings"

static const ms_param keys[] = {
  MS_FORMS(ms_joint_options, law, "word", MS_OPTIONAL,
           "law of the joint; its parameters are further keys; microslip laws lists them"),
  MS_FORMS(ms_joint_options, laws, "list of mappings", MS_OPTIONAL,
           "instead: several laws in parallel, each {law: ..., parameters}; forces add"),
  MS_FORMS(ms_joint_options, between, "list",
           MS_ELSE("joint by directions: the pairs of nodes that match its name"),
           "[from, to]: degrees of freedom, or with x to rz two nodes; one of them may be ground"),
  MS_FORMS_WITH(ms_joint_options, normal, "mapping", ms_normal_keys, MS_OPTIONAL,
                "spring that provides the normal load of a law that depends on it"),
  MS_FORMS_WITH(
      ms_joint_options, shortening, "true, false or mapping", ms_shortening_keys, MS_ELSE("false"),
      "for a joint on end.ux of a beam: the end moves inwards by int w'^2 dx/2 as the beam bends"),
  MS_FORMS(ms_joint_options, x, MS_LAW_FORMS, MS_ELSE("free"),
           "along x: {law: ..., parameters}, a list of laws in parallel, rigid or free"),
  MS_FORMS(ms_joint_options, y, MS_LAW_FORMS, MS_ELSE("free"), "along y"),
  MS_FORMS(ms_joint_options, z, MS_LAW_FORMS, MS_ELSE("free"), "along z"),
  MS_FORMS(ms_joint_options, rx, MS_LAW_FORMS, MS_ELSE("free"),
           "about x; parameters are those of a moment against an angle"),
  MS_FORMS(ms_joint_options, ry, MS_LAW_FORMS, MS_ELSE("free"), "about y"),
  MS_FORMS(ms_joint_options, rz, MS_LAW_FORMS, MS_ELSE("free"), "about z"),
};
static const ms_param_list joint_keys = MS_LIST_OF(keys);
static const ms_param row[] = { MS_EACH("mapping", &joint_keys,
                                        "a joint: one law, laws in parallel, or by directions") };

const ms_param_list ms_joints_keys = MS_LIST_OF(row);

ms_status ms_joint_read(const ms_builder *b, struct fy_node *node, const char *what,
                        ms_joint_options *out) {
  *out = (ms_joint_options) { 0 };
  MS_TRY(ms_options_read_mapping(b->study, b->units, node, what, &joint_keys, out));
  struct fy_node *foreign = out->law ? out->law : out->normal;
  if (!foreign) return MS_SUCCESS;
  return ms_yaml_fail(b->y, foreign, MS_ERR_FORMAT, "%s has no %s of its own", what,
                      out->law ? "law" : "normal spring");
}

/* What is wrong with a table of a file is said with the name of the file. */
static ms_status set_table(const ms_builder *b, ms_joint *joint, const ms_param *p,
                           struct fy_node *node) {
  ms_param_columns t;
  ms_status status = ms_param_columns_read(b->y, &b->study->units, b->units, node, p, &t);
  if (status == MS_SUCCESS) {
    status = ms_joint_set_table(joint, p->name, t.rows, t.n, (const double *const *)t.column);
    if (status != MS_SUCCESS && t.file) ms_fail_at(b->ctx, status, "%.200s", t.file);
    status = ms_build_at(b, node, status);
  }
  ms_param_columns_free(b->y->ctx, &t);
  return status;
}

static ms_status set_parameter(const ms_builder *b, ms_joint *joint, struct fy_node *key,
                               struct fy_node *value) {
  const ms_law_info *law = ms_joint_info(joint);
  const char *name, *text;
  MS_TRY(ms_yaml_text(b->y, key, "a parameter", &name));
  const int i = ms_param_find(law->param, law->n_param, name);
  const ms_param *p = i < 0 ? NULL : &law->param[i];
  if (!p || p->kind == MS_PARAM_CHOICE) {
    MS_TRY(ms_yaml_text(b->y, value, name, &text));
    return ms_build_at(b, key, ms_joint_set_text(joint, name, text));
  }
  if (p->kind == MS_PARAM_TABLE) return set_table(b, joint, p, value);
  double number, factor = ms_units_factor(b->units, p->unit);
  if (factor == 0.0) {
    return ms_yaml_fail(
        b->y, key, MS_ERR_ARGUMENT,
        "%s is in %s, which is not converted: use SI units or another parameter set", name,
        p->unit);
  }
  MS_TRY(ms_yaml_number(b->y, value, name, &number));
  return ms_build_at(b, value, ms_joint_set(joint, name, number * factor));
}

/* Keys of the joint, not of its law. */
static int is_of_joint(struct fy_node *key) {
  static const char *const own[] = { "between", "normal", "shortening" };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    if (ms_yaml_is_word(key, own[i])) return 1;
  }
  return 0;
}

ms_status ms_build_law(const ms_builder *b, struct fy_node *node, int whole, ms_joint **out) {
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
    int of_joint = is_of_joint(key);
    if (of_joint && !whole) {
      return ms_yaml_fail(b->y, key, MS_ERR_NAME,
                          "this belongs to a joint, not to one of its laws");
    }
    if (of_joint || ms_yaml_is_word(key, "law")) continue;
    MS_TRY(set_parameter(b, *out, key, value));
  }
  return ms_build_at(b, node, ms_joint_setup(*out));
}

/* laws: [{law: ...}, ...] in parallel on one axis. */
static ms_status build_laws(const ms_builder *b, struct fy_node *list, ms_joint **out) {
  void *at = NULL;
  if (!ms_yaml_is_sequence(list)) {
    return ms_yaml_fail(b->y, list, MS_ERR_FORMAT, "laws must be a list of {law: ..., ...}");
  }
  MS_TRY(ms_build_at(b, list, ms_joint_create_parallel(b->ctx, 1, out)));
  for (struct fy_node *item; (item = ms_yaml_next_item(list, &at));) {
    ms_joint *member = NULL;
    ms_status status = ms_build_law(b, item, 0, &member);
    if (status == MS_SUCCESS)
      status = ms_build_at(b, item, ms_joint_take_member(*out, &member, NULL));
    ms_joint_destroy(&member);
    if (status != MS_SUCCESS) return status;
  }
  return ms_build_at(b, list, ms_joint_setup(*out));
}

static ms_status attach_on(ms_builder *b, const char *name, struct fy_node *node, ms_joint **joint,
                           ms_axis_ends *axis) {
  struct fy_node *normal = ms_yaml_get(node, "normal"), *between = ms_yaml_get(node, "between");
  ptrdiff_t from[MS_JOINT_MAX_AXIS], to[MS_JOINT_MAX_AXIS];
  int n_axis = ms_joint_info(*joint)->n_axis, tangential = n_axis - (normal != NULL);
  int index = ms_structure_count_joints(b->structure);
  MS_TRY(ms_build_ends(b, name, node, tangential, axis));
  if (normal) MS_TRY(ms_build_ends(b, name, normal, 1, &axis[tangential]));
  for (int a = 0; a < n_axis; a++) from[a] = axis[a].from, to[a] = axis[a].to;
  MS_TRY(ms_build_at(b, between, ms_structure_take_joint(b->structure, name, joint, from, to)));
  for (int a = 0; a < n_axis; a++) {
    const double *weight = axis[a].mapping_row;
    if (!weight) continue;
    MS_TRY(ms_build_at(b, between, ms_structure_set_mapping_row(b->structure, index, a, weight)));
  }
  return ms_build_shortening(b, ms_yaml_get(node, "shortening"), index, tangential);
}

static ms_status attach_joint(ms_builder *b, const char *name, struct fy_node *node,
                              ms_joint **joint) {
  ms_axis_ends axis[MS_JOINT_MAX_AXIS] = { { 0 } };
  ms_status status = attach_on(b, name, node, joint, axis);
  ms_build_free_ends(b, MS_JOINT_MAX_AXIS, axis);
  return status;
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
  const ms_units about = ms_units_about(b->units);
  ms_builder own = *b;
  if (ms_names_are_rotations(ms_yaml_get(node, "between"))) own.units = &about;
  struct fy_node *laws = ms_yaml_get(node, "laws");
  ms_joint_options o;
  if (laws) MS_TRY(ms_joint_read(b, node, "a joint with laws", &o));
  ms_status status = laws ? build_laws(&own, laws, &joint) : ms_build_law(&own, node, 1, &joint);
  struct fy_node *normal = ms_yaml_get(node, "normal");
  if (status == MS_SUCCESS && normal) status = ms_build_normal(b, normal, &joint);
  if (status == MS_SUCCESS) status = attach_joint(b, name, node, &joint);
  ms_joint_destroy(&joint);
  return status;
}

ms_status ms_build_joints(ms_builder *b, struct fy_node *node) {
  void *at = NULL;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_directions_join(b, node));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    if (!ms_directions_has(value)) MS_TRY(build_joint(b, key, value));
  }
  return ms_directions_attach(b, node);
}
