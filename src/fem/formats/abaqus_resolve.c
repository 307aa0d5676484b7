/* Conditions of an Abaqus file into the mesh: names and numbers become sets and nodes. */
#include "fem/formats/abaqus.h"

#include <stdio.h>
#include <string.h>

/* A name, or the number of a node, that stands in the root: "bolt-1.top", "top", "bolt-1.17". */
typedef struct target {
  int instance;
  const char *name; /* behind the instance */
  int is_node;
  ptrdiff_t label;
} target;

static target look_at(const ms_abaqus *a, const char *text) {
  const char *dot = strchr(text, '.');
  target t = { 0, text, 0, 0 };
  int instance = dot ? ms_abaqus_find_instance(a, (ms_span) { text, dot }) : -1;
  if (instance > 0) {
    t.instance = instance;
    t.name = dot + 1;
  }
  t.is_node = ms_abaqus_is_integer((ms_span) { t.name, t.name + strlen(t.name) }, &t.label);
  return t;
}

/* The set's name in the mesh; 0 if there is no such set. */
static int set_name(const ms_abaqus *a, ms_set_kind kind, target t, char *out) {
  const ms_abaqus_instance *i = &a->instance[t.instance];
  const ms_abaqus_scope *s = &a->scope[i->scope];
  ptrdiff_t at = ms_abaqus_find_set(s, kind, (ms_span) { t.name, t.name + strlen(t.name) });
  if (at < 0) return 0;
  snprintf(out, MS_ABAQUS_NAME_SIZE, "%s%s%s", i->name, *i->name ? "." : "", s->set[at].name);
  return 1;
}

/* A single node becomes a set "node-17". */
static ms_status make_single(ms_abaqus *a, target t, ms_abaqus_place place, char *out) {
  const ms_abaqus_instance *i = &a->instance[t.instance];
  int32_t node;
  MS_TRY(ms_abaqus_find(a, MS_SET_NODES, t.instance, t.label, place, &node));
  snprintf(out, MS_ABAQUS_NAME_SIZE, "%s%snode-%td", i->name, *i->name ? "." : "", t.label);
  if (ms_reader_has_set(a->r->mesh, MS_SET_NODES, out)) return MS_SUCCESS;
  return ms_mesh_add_set(a->r->mesh, MS_SET_NODES, out, 1, &node, NULL);
}

static ms_status find_nodes(ms_abaqus *a, const char *text, ms_abaqus_place place, char *out) {
  target t = look_at(a, text);
  if (t.is_node) return make_single(a, t, place, out);
  if (set_name(a, MS_SET_NODES, t, out)) return MS_SUCCESS;
  return MS_ABAQUS_FAIL_AT(a, place, "there is no set of nodes '%s'; correct the name", text);
}

/* One node: by its number, or the only one of a set. */
static ms_status find_node(const ms_abaqus *a, const char *text, ms_abaqus_place place,
                           int32_t *out) {
  target t = look_at(a, text);
  char name[MS_ABAQUS_NAME_SIZE];
  ms_mesh_set set;
  if (t.is_node) return ms_abaqus_find(a, MS_SET_NODES, t.instance, t.label, place, out);
  if (!set_name(a, MS_SET_NODES, t, name)) {
    return MS_ABAQUS_FAIL_AT(a, place, "there is no set of nodes '%s'; correct the name", text);
  }
  MS_TRY(ms_mesh_find_set(a->r->mesh, MS_SET_NODES, name, &set));
  if (set.n != 1) {
    return MS_ABAQUS_FAIL_AT(a, place, "set '%s' has %td nodes where one is needed", text, set.n);
  }
  *out = set.index[0];
  return MS_SUCCESS;
}

/* A surface: of faces, or of nodes. */
static ms_status find_surface(ms_abaqus *a, const char *text, ms_abaqus_place place, char *out,
                              int *is_faces) {
  target t = look_at(a, text);
  *is_faces = set_name(a, MS_SET_FACES, t, out);
  if (*is_faces || set_name(a, MS_SET_NODES, t, out)) return MS_SUCCESS;
  return MS_ABAQUS_FAIL_AT(a, place, "there is no *SURFACE '%s'; correct the name", text);
}

/* ---- one kind after the other ---- */

static ms_condition frame(const ms_abaqus *a, const ms_abaqus_condition *c) {
  return (ms_condition) { .kind = c->kind,
                          .name = c->name,
                          .reference = -1,
                          .components = c->components,
                          .reach = c->reach * a->r->settings->length,
                          .file = a->path[c->place.file],
                          .line = c->place.line };
}

/* Values are lengths or angles: a range of both is one condition for each. */
static ms_status add_fix(ms_abaqus *a, const ms_abaqus_condition *c) {
  char nodes[MS_ABAQUS_NAME_SIZE];
  ms_condition out = frame(a, c);
  MS_TRY(find_nodes(a, c->nodes, c->place, nodes));
  out.nodes = nodes;
  if (c->value == 0.0) return ms_mesh_add_condition(a->r->mesh, &out);
  for (int turn = 0; turn < 2; turn++) {
    out.components = c->components & (turn ? 56 : 7);
    out.value = c->value * (turn ? 1.0 : a->r->settings->length);
    if (out.components) MS_TRY(ms_mesh_add_condition(a->r->mesh, &out));
  }
  return MS_SUCCESS;
}

/* In the file's units sum f u = 0; a length there is L here, so rotations weigh L times more. */
static ms_status add_equation(ms_abaqus *a, const ms_abaqus_condition *c) {
  ms_condition out = frame(a, c);
  ms_condition_term *term;
  MS_TRY(ms_allocate(a->ctx, c->n_term, sizeof *term, &term));
  ms_status status = MS_SUCCESS;
  for (int i = 0; status == MS_SUCCESS && i < c->n_term; i++) {
    int component = c->term[i].component;
    term[i].component = component;
    term[i].factor = c->term[i].factor * (component < 3 ? 1.0 : a->r->settings->length);
    status = find_node(a, c->term[i].node, c->place, &term[i].node);
  }
  out.n_term = c->n_term;
  out.term = term;
  if (status == MS_SUCCESS) status = ms_mesh_add_condition(a->r->mesh, &out);
  ms_free(a->ctx, &term);
  return status;
}

/* *MPC TIE and PIN: u - u_reference = 0 for each node and coordinate. */
static ms_status add_equal(ms_abaqus *a, const ms_abaqus_condition *c) {
  char nodes[MS_ABAQUS_NAME_SIZE];
  int32_t reference;
  ms_mesh_set set;
  MS_TRY(find_node(a, c->reference, c->place, &reference));
  MS_TRY(find_nodes(a, c->nodes, c->place, nodes));
  MS_TRY(ms_mesh_find_set(a->r->mesh, MS_SET_NODES, nodes, &set));
  for (ptrdiff_t i = 0; i < set.n; i++) {
    for (int k = 0; k < c->equal; k++) {
      ms_condition_term term[2] = { { set.index[i], k, 1.0 }, { reference, k, -1.0 } };
      ms_condition out = frame(a, c);
      out.components = 0;
      out.n_term = 2;
      out.term = term;
      MS_TRY(ms_mesh_add_condition(a->r->mesh, &out));
    }
  }
  return MS_SUCCESS;
}

/* *MPC BEAM, and couplings of a surface. */
static ms_status add_coupling(ms_abaqus *a, const ms_abaqus_condition *c) {
  char name[MS_ABAQUS_NAME_SIZE];
  int is_faces = 0;
  ms_condition out = frame(a, c);
  MS_TRY(find_node(a, c->reference, c->place, &out.reference));
  if (c->faces)
    MS_TRY(find_surface(a, c->faces, c->place, name, &is_faces));
  else
    MS_TRY(find_nodes(a, c->nodes, c->place, name));
  if (is_faces)
    out.faces = name;
  else
    out.nodes = name;
  return ms_mesh_add_condition(a->r->mesh, &out);
}

static ms_status add_tie(ms_abaqus *a, const ms_abaqus_condition *c) {
  char slave[MS_ABAQUS_NAME_SIZE], master[MS_ABAQUS_NAME_SIZE];
  int is_faces;
  ms_condition out = frame(a, c);
  MS_TRY(find_surface(a, c->faces, c->place, master, &is_faces));
  if (!is_faces) {
    return MS_ABAQUS_FAIL_AT(a, c->place,
                             "*TIE to '%s', which has no faces; the second surface "
                             "must have them",
                             c->faces);
  }
  out.faces = master;
  MS_TRY(find_surface(a, c->slave, c->place, slave, &is_faces));
  if (is_faces)
    out.slave_faces = slave;
  else
    out.nodes = slave;
  return ms_mesh_add_condition(a->r->mesh, &out);
}

static ms_status add_ignored(ms_abaqus *a, const ms_abaqus_condition *c) {
  ms_condition out = frame(a, c);
  if (c->reference) {
    return MS_ABAQUS_FAIL_AT(a, c->place,
                             "*COUPLING without *KINEMATIC or *DISTRIBUTING; one must "
                             "follow");
  }
  return ms_mesh_add_condition(a->r->mesh, &out);
}

static ms_status add_one(ms_abaqus *a, const ms_abaqus_condition *c) {
  static ms_status (*const add[])(ms_abaqus *, const ms_abaqus_condition *) = {
    [MS_CONDITION_FIX] = add_fix,        [MS_CONDITION_EQUATION] = add_equation,
    [MS_CONDITION_RIGID] = add_coupling, [MS_CONDITION_AVERAGE] = add_coupling,
    [MS_CONDITION_TIE] = add_tie,        [MS_CONDITION_IGNORED] = add_ignored,
  };
  return c->equal ? add_equal(a, c) : add[c->kind](a, c);
}

ms_status ms_abaqus_add_conditions(ms_abaqus *a) {
  for (ptrdiff_t i = 0; i < a->n_condition; i++) MS_TRY(add_one(a, &a->condition[i]));
  return MS_SUCCESS;
}
