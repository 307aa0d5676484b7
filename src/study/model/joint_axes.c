/* between: what an axis of a joint reads of the coordinates. */
#include <math.h>
#include <string.h>

#include "study/model/build.h"

void ms_build_free_ends(const ms_builder *b, int n, ms_axis_ends *axis) {
  for (int a = 0; a < n; a++) ms_free(b->ctx, &axis[a].mapping_row);
}

/* A weight on a rotation is a length. */
static ms_status add_weight(const ms_builder *b, struct fy_node *node, double weight, double *x) {
  const char *name;
  ptrdiff_t i;
  MS_TRY(ms_build_find(b, node, &i));
  MS_TRY(ms_yaml_text(b->y, node, "a degree of freedom", &name));
  if (i != MS_GROUND) x[i] += ms_name_is_rotation(name) ? weight * b->units->length : weight;
  return MS_SUCCESS;
}

/* x += sign times the weights: 1 of one coordinate, or {coordinate: weight}. */
static ms_status add_weights(const ms_builder *b, struct fy_node *node, double sign, double *x) {
  void *at = NULL;
  if (!ms_yaml_is_mapping(node)) return add_weight(b, node, sign, x);
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    double weight;
    MS_TRY(ms_yaml_number(b->y, value, "a weight", &weight));
    MS_TRY(add_weight(b, key, sign * weight, x));
  }
  return MS_SUCCESS;
}

/* The coordinate of largest weight is the axis' own; the others, and what its weight is not 1, are
   the mapping row. */
static ms_status read_mapping_row(const ms_builder *b, struct fy_node *between,
                                  struct fy_node *const *end, ms_axis_ends *out) {
  const ptrdiff_t n = ms_structure_get_size(b->structure);
  MS_TRY(ms_allocate(b->ctx, n, sizeof *out->mapping_row, &out->mapping_row));
  MS_TRY(add_weights(b, end[0], -1.0, out->mapping_row));
  MS_TRY(add_weights(b, end[1], 1.0, out->mapping_row));
  out->from = MS_GROUND;
  out->to = 0;
  for (ptrdiff_t i = 1; i < n; i++) {
    if (fabs(out->mapping_row[i]) > fabs(out->mapping_row[out->to])) out->to = i;
  }
  if (out->mapping_row[out->to] == 0.0) {
    return ms_yaml_fail(b->y, between, MS_ERR_ARGUMENT,
                        "the weights of this joint cancel on every degree of freedom");
  }
  out->mapping_row[out->to] -= 1.0;
  return MS_SUCCESS;
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

/* An angle is one as it is where all of the joint are; else it is what it moves at one unit of
   length. */
static int has_weights(const ms_builder *b, struct fy_node *between, struct fy_node *const *end) {
  if (ms_yaml_is_mapping(end[0]) || ms_yaml_is_mapping(end[1])) return 1;
  if (b->units->length == 1.0 || ms_names_are_rotations(between)) return 0;
  return ms_names_are_rotations(end[0]) || ms_names_are_rotations(end[1]);
}

static ms_status read_axis(const ms_builder *b, const char *name, struct fy_node *between,
                           struct fy_node *const *end, ms_axis_ends *out) {
  if (has_weights(b, between, end)) return read_mapping_row(b, between, end, out);
  MS_TRY(ms_build_find(b, end[0], &out->from));
  MS_TRY(ms_build_find(b, end[1], &out->to));
  if (out->from != out->to) return MS_SUCCESS;
  return ms_yaml_fail(
      b->y, between, MS_ERR_ARGUMENT, "joint %s: both ends are %s", name,
      out->to == MS_GROUND ? "ground" : ms_structure_get_name(b->structure, out->to));
}

static ms_status check_count(const ms_builder *b, const char *name, struct fy_node *between,
                             struct fy_node *end, int n_axis) {
  if (n_axis == 1 || (ms_yaml_is_sequence(end) && ms_yaml_count(end) == n_axis)) return MS_SUCCESS;
  return ms_yaml_fail(b->y, between, MS_ERR_FORMAT,
                      "joint %s has %d axes: write between: %s, one degree of freedom per axis",
                      name, n_axis, n_axis == 2 ? "[[a, b], [c, d]]" : "[[a, b, c], [d, e, f]]");
}

ms_status ms_build_ends(const ms_builder *b, const char *name, struct fy_node *node, int n_axis,
                        ms_axis_ends *axis) {
  struct fy_node *between = ms_yaml_get(node, "between");
  void *at = NULL, *in[2] = { NULL, NULL };
  if (!ms_yaml_is_sequence(between) || ms_yaml_count(between) != 2) {
    return ms_yaml_fail(b->y, between ? between : node, MS_ERR_FORMAT,
                        "joint %s needs 'between: [from, to]', two degrees of freedom", name);
  }
  struct fy_node *side[2] = { ms_yaml_next_item(between, &at), NULL };
  side[1] = ms_yaml_next_item(between, &at);
  for (int s = 0; s < 2; s++) MS_TRY(check_count(b, name, between, side[s], n_axis));
  for (int a = 0; a < n_axis; a++) {
    struct fy_node *end[2];
    for (int s = 0; s < 2; s++) end[s] = n_axis > 1 ? ms_yaml_next_item(side[s], &in[s]) : side[s];
    MS_TRY(read_axis(b, name, between, end, &axis[a]));
  }
  return MS_SUCCESS;
}
