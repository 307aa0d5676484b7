/* A joint between two nodes, direction by direction: `bolt.*: {x: {law: ...}, z: rigid, rz: free}`.

   A node N has coordinates N.ux N.uy N.uz N.rx N.ry N.rz, or some of them. A pair P is two nodes
   P.a and P.b; the name of the joint is a pattern over the pairs, unless `between` names two nodes,
   or with a '*' each all pairs of nodes in which it stands for the same letters. */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "joint/impl.h"
#include "study/model/build.h"

enum { N_DIRECTION = 6 };

static const char *const direction_name[N_DIRECTION] = { "x", "y", "z", "rx", "ry", "rz" };

typedef struct walk {
  const ms_builder *b;
  ms_direction_fn visit;
  void *user;
  struct fy_node *key, *joint;
} walk;

int ms_directions_has(struct fy_node *joint) {
  if (!ms_yaml_is_mapping(joint)) return 0;
  for (int d = 0; d < N_DIRECTION; d++) {
    if (ms_yaml_get(joint, direction_name[d])) return 1;
  }
  return 0;
}

int ms_direction_is_rigid(const ms_direction *d) {
  return ms_yaml_is_word(d->node, "rigid");
}

/* ---- which directions of which pairs ---- */

static ms_status visit_direction(const walk *w, const ms_node_pair *pair, int d,
                                 struct fy_node *value) {
  char end[2][MS_NODE_NAME], full[MS_NODE_NAME];
  ptrdiff_t index;
  if (ms_yaml_is_word(value, "free")) return MS_SUCCESS;
  if (!ms_yaml_is_mapping(value) && !ms_yaml_is_sequence(value) &&
      !ms_yaml_is_word(value, "rigid")) {
    return ms_yaml_fail(w->b->y, value, MS_ERR_FORMAT,
                        "a direction is {law: ...}, a list of laws in parallel, rigid or free");
  }
  for (int k = 0; k < 2; k++) {
    MS_TRY(ms_build_at(w->b, value,
                       ms_structure_find_component(w->b->whole, pair->node[k], d, end[k], &index)));
  }
  snprintf(full, sizeof full, "%.180s.%s", pair->name, direction_name[d]);
  ms_direction direction = { full, end[0], end[1], value };
  return w->visit(w->b, &direction, w->user);
}

static ms_status read_nodes(const ms_builder *b, struct fy_node *between, const char *node[2]) {
  void *at = NULL;
  if (!ms_yaml_is_sequence(between) || ms_yaml_count(between) != 2) {
    return ms_yaml_fail(b->y, between, MS_ERR_FORMAT,
                        "between must name two nodes, e.g. [bolt.1.a, bolt.1.b]");
  }
  for (int i = 0; i < 2; i++) {
    MS_TRY(ms_yaml_text(b->y, ms_yaml_next_item(between, &at), "a node", &node[i]));
  }
  return MS_SUCCESS;
}

static ms_status visit_joint(const walk *w) {
  const ms_builder *b = w->b;
  const char *name, *node[2];
  ms_joint_options o;
  ms_node_pair *pair;
  ptrdiff_t n;
  MS_TRY(ms_yaml_text(b->y, w->key, "a joint's name", &name));
  MS_TRY(ms_joint_read(b, w->joint, "a joint by directions", &o));
  if (o.laws || o.shortening) {
    return ms_yaml_fail(b->y, o.laws ? o.laws : o.shortening, MS_ERR_FORMAT,
                        "%s cannot be combined with directions", o.laws ? "laws" : "shortening");
  }
  if (o.between) MS_TRY(read_nodes(b, o.between, node));
  ms_status status = ms_structure_find_pairs(b->whole, name, o.between ? node : NULL, &n, &pair);
  const int of_name = !o.between || (status == MS_ERR_NAME && !strchr(name, '*'));
  status = ms_build_at(b, of_name ? w->key : o.between, status);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n * N_DIRECTION; i++) {
    const int d = (int)(i % N_DIRECTION);
    struct fy_node *value = ms_yaml_get(w->joint, direction_name[d]);
    if (value) status = visit_direction(w, &pair[i / N_DIRECTION], d, value);
  }
  ms_free(b->ctx, &pair);
  return status;
}

ms_status ms_directions_visit(const ms_builder *b, struct fy_node *joints, ms_direction_fn visit,
                              void *user) {
  walk w = { .b = b, .visit = visit, .user = user };
  void *at = NULL;
  while ((w.joint = ms_yaml_next_pair(joints, &at, &w.key))) {
    if (ms_directions_has(w.joint)) MS_TRY(visit_joint(&w));
  }
  return MS_SUCCESS;
}

/* ---- rigid ones ---- */

typedef struct pairs {
  ptrdiff_t n, *index; /* two for each */
  struct fy_node **node;
} pairs;

static ms_status take_rigid(const ms_builder *b, const ms_direction *d, void *user) {
  pairs *p = user;
  if (!ms_direction_is_rigid(d)) return MS_SUCCESS;
  MS_TRY(ms_resize(b->ctx, 2 * (p->n + 1), sizeof *p->index, &p->index));
  MS_TRY(ms_resize(b->ctx, p->n + 1, sizeof(struct fy_node *), &p->node));
  MS_TRY(ms_structure_find(b->whole, d->from, &p->index[2 * p->n]));
  MS_TRY(ms_structure_find(b->whole, d->to, &p->index[2 * p->n + 1]));
  p->node[p->n++] = d->node;
  return MS_SUCCESS;
}

ms_status ms_directions_join(ms_builder *b, struct fy_node *joints) {
  pairs p = { 0 };
  ptrdiff_t bad = 0;
  ms_status status = ms_directions_visit(b, joints, take_rigid, &p);
  if (status == MS_SUCCESS && p.n > 0) {
    status = ms_structure_join(b->whole, p.n, p.index, &b->structure, &bad);
    status = ms_build_at(b, p.node[bad], status);
  }
  ms_free(b->ctx, &p.index);
  ms_free(b->ctx, &p.node);
  return status;
}

/* ---- laws ---- */

/* A linear law is part of the structure, slipping or not; its dashpot is left as a joint. */
ms_status ms_direction_read(const ms_builder *whole, const ms_direction *d, double *K,
                            ms_joint **joint) {
  void *at = NULL;
  ms_units about = ms_units_about(whole->units);
  ms_builder copy = *whole, *b = &copy;
  *K = 0.0;
  *joint = NULL;
  if (ms_name_is_rotation(d->name)) copy.units = &about;
  for (struct fy_node *item; (item = ms_yaml_next_of(d->node, &at));) {
    ms_joint *law = NULL;
    ms_status status = ms_build_law(b, item, 0, &law);
    if (status == MS_SUCCESS)
      status = ms_build_at(b, item, ms_joint_put_beside(b->ctx, &law, K, joint));
    ms_joint_destroy(&law);
    MS_TRY(status);
  }
  if (!*joint || ms_joint_count_members(*joint) == 0) return MS_SUCCESS;
  return ms_build_at(b, d->node, ms_joint_setup(*joint));
}

/* ---- attaching ---- */

static ms_status attachment(const ms_builder *b, const ms_direction *d, void *user) {
  ptrdiff_t end[2];
  double K;
  ms_joint *joint = NULL;
  (void)user;
  if (ms_direction_is_rigid(d)) return MS_SUCCESS;
  MS_TRY(ms_build_at(b, d->node, ms_structure_find(b->structure, d->from, &end[0])));
  MS_TRY(ms_build_at(b, d->node, ms_structure_find(b->structure, d->to, &end[1])));
  for (int j = 0; j < ms_structure_count_joints(b->structure); j++) {
    if (strcmp(ms_structure_get_joint_name(b->structure, j), d->name) != 0) continue;
    return ms_yaml_fail(b->y, d->node, MS_ERR_NAME,
                        "%s has a law already; give laws in parallel as a list", d->name);
  }
  if (end[0] == end[1]) {
    return ms_yaml_fail(b->y, d->node, MS_ERR_ARGUMENT,
                        "%s: %s and %s are connected rigidly, so a law between them has no effect",
                        d->name, d->from, d->to);
  }
  ms_status status = ms_direction_read(b, d, &K, &joint);
  if (status == MS_SUCCESS && K > 0.0) {
    status = ms_build_at(b, d->node,
                         ms_structure_add_named_spring(b->structure, d->name, end[0], end[1], K));
  }
  if (status == MS_SUCCESS && joint) {
    status = ms_build_at(b, d->node,
                         ms_structure_take_joint(b->structure, d->name, &joint, &end[0], &end[1]));
  }
  ms_joint_destroy(&joint);
  return status;
}

ms_status ms_directions_attach(ms_builder *b, struct fy_node *joints) {
  return ms_directions_visit(b, joints, attachment, NULL);
}

/* Joints by directions have the direction behind their name; a joint that the file calls so itself
   says between what it is. */
ms_units ms_study_joint_units(const ms_study *s, int joint) {
  const char *name = ms_structure_get_joint_name(s->structure, joint);
  struct fy_node *joints = ms_yaml_get(ms_yaml_root(&s->yaml), "joints");
  struct fy_node *own = joints ? ms_yaml_get(joints, name) : NULL;
  const int about =
      own ? ms_names_are_rotations(ms_yaml_get(own, "between")) : ms_name_is_rotation(name);
  return about ? ms_units_about(&s->units) : s->units;
}
