/* fe: contacts between faces, and the preload that presses them together. */
#include <string.h>

#include "study/model/fe/fe.h"
#include "study/file/model_keys.h"

typedef struct options {
  struct fy_node *between, *layer;
  double mu, gap, interference;
  double K_n, K_t; /* of the layer */
} options;

typedef struct stage {
  struct fy_node *push, *hold;
  int friction;
  ptrdiff_t steps;
} stage;

static const ms_param layer_rows[] = {
  MS_NUMBER(options, K_n, "N/m^3", MS_POSITIVE, MS_REQUIRED, "normal stiffness per area"),
  MS_NUMBER(options, K_t, "N/m^3", MS_POSITIVE, MS_REQUIRED, "tangential stiffness per area"),
};
static const ms_param_list layer_keys = MS_LIST_OF(layer_rows);

static const ms_param contact_rows[] = {
  MS_FORMS(options, between, "list of 2 words", MS_REQUIRED,
           "[face, face], or [ground, face]; linear elements whose nodes lie opposite each other"),
  MS_NUMBER(options, mu, NULL, MS_NOT_NEGATIVE, MS_REQUIRED, "friction coefficient"),
  MS_NUMBER(options, gap, "m", MS_NOT_NEGATIVE, MS_DEFAULT(0.0), "beside that of the meshes"),
  MS_NUMBER(options, interference, "m", MS_NOT_NEGATIVE, MS_DEFAULT(0.0),
            "by which the faces overlap before they press each other apart"),
  MS_MAPPING(options, layer, layer_keys, MS_ELSE("none: rigid contact, Signorini and Coulomb"),
             "a compliant interface; below some amplitude it does not slip"),
};
static const ms_param_list contact_keys = MS_LIST_OF(contact_rows);
static const ms_param contact_row[] = { MS_EACH("mapping", &contact_keys,
                                                "a contact with friction between two faces") };
const ms_param_list ms_contacts_keys = MS_LIST_OF(contact_row);

static const ms_param push_row[] = { MS_EACH("list of 3 numbers", NULL,
                                             "total force [x, y, z] on a face, set or point") };
static const ms_param_list push_keys = MS_LIST_OF(push_row);

static const ms_param stage_rows[] = {
  MS_MAPPING(stage, push, push_keys, MS_ELSE("nothing"),
             "a face, by area, a set of nodes, in equal parts, a point or a spider: its force"),
  MS_FORMS(stage, hold, "list of words", MS_ELSE("nothing"),
           "sets of nodes that stand still meanwhile; afterwards the forces there act on"),
  MS_FLAG(stage, friction, MS_REQUIRED,
          "whether contacts have friction while they are pressed; it changes the normal forces"),
  MS_COUNT(stage, steps, MS_WITHIN(1, 10000), MS_DEFAULT(8),
           "load steps; with friction they are doubled once, to see what that changes"),
};
static const ms_param_list stage_keys = MS_LIST_OF(stage_rows);
static const ms_param stage_row[] = { MS_EACH("mapping", &stage_keys, "a stage of the preload") };
const ms_param_list ms_preload_keys = MS_LIST_OF(stage_row);

/* ---- contacts ---- */

static ms_status read_contact(ms_fe *fe, struct fy_node *key, struct fy_node *node,
                              ms_fem_contact *c) {
  options o = { 0 };
  void *at = NULL;
  const char *face[2];
  MS_TRY(ms_yaml_text(fe->y, key, "a contact's name", &c->name));
  MS_TRY(ms_fe_read_keys(fe, node, "a contact", &contact_keys, &o));
  if (!ms_yaml_is_sequence(o.between) || ms_yaml_count(o.between) != 2) {
    return ms_yaml_fail(fe->y, o.between, MS_ERR_FORMAT,
                        "between must name two faces, e.g. [upper.bottom, lower.top]");
  }
  for (int i = 0; i < 2; i++) {
    MS_TRY(ms_yaml_text(fe->y, ms_yaml_next_item(o.between, &at), "a face", &face[i]));
  }
  const int ground = strcmp(face[0], "ground") == 0 ? 0 : strcmp(face[1], "ground") == 0 ? 1 : -1;
  if (ground >= 0 && strcmp(face[1 - ground], "ground") == 0) {
    return ms_yaml_fail(fe->y, o.between, MS_ERR_FORMAT, "the ground cannot touch itself");
  }
  if (o.gap > 0.0 && o.interference > 0.0) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT, "a contact has a gap or an interference");
  }
  c->faces[0] = face[ground == 0 ? 1 : 0];
  c->faces[1] = ground >= 0 ? NULL : face[1];
  c->mu = o.mu;
  c->gap = o.gap - o.interference;
  c->K_n = o.layer ? o.K_n : 0.0;
  c->K_t = o.layer ? o.K_t : 0.0;
  return MS_SUCCESS;
}

static ms_status read_contacts(ms_fe *fe, struct fy_node *contacts) {
  ms_fem_assembly *a = &fe->assembly;
  ms_fem_contact *c;
  void *at = NULL;
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(contacts) + 1, sizeof *c, &c));
  a->contact = c;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(contacts, &at, &key));) {
    MS_TRY(read_contact(fe, key, node, &c[a->n_contact]));
    a->n_contact++;
  }
  if (a->n_contact > 0) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, contacts, MS_ERR_FORMAT, "contacts are given by name, at least one");
}

/* ---- preload ---- */

static ms_status read_force(const ms_fe *fe, struct fy_node *node, double *force) {
  const ms_param row = {
    .name = "push", .kind = MS_PARAM_NUMBERS, .count = 3, .unit = "N", MS_ANY
  };
  ms_few list = { 0 };
  MS_TRY(ms_options_read_few(fe->study, node, &row, &list));
  memcpy(force, list.value, 3 * sizeof *force);
  return MS_SUCCESS;
}

static int has_set(const ms_fe *fe, const char *name) {
  for (int i = 0; i < fe->f->mesh_count_sets(fe->mesh); i++) {
    if (strcmp(fe->f->mesh_get_set(fe->mesh, i).name, name) == 0) return 1;
  }
  return 0;
}

static ms_status read_pushes(ms_fe *fe, struct fy_node *pushes, ms_fem_stage *out) {
  ms_fem_push *p;
  void *at = NULL;
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(pushes) + 1, sizeof *p, &p));
  out->push = p;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(pushes, &at, &key)); p++) {
    const char *name;
    MS_TRY(ms_yaml_text(fe->y, key, "what is pushed", &name));
    MS_TRY(read_force(fe, node, p->force));
    const ms_fem_node *named = ms_fe_find_named(fe, name);
    *p = (ms_fem_push) { .set = named ? NULL : name,
                         .node = named ? named->node : -1,
                         .force = { p->force[0], p->force[1], p->force[2] } };
    if (!named && !has_set(fe, name)) {
      return ms_yaml_fail(fe->y, key, MS_ERR_NAME,
                          "'%.100s' is no face, set of nodes, point or spider", name);
    }
    out->n_push++;
  }
  return MS_SUCCESS;
}

static ms_status read_holds(ms_fe *fe, struct fy_node *holds, ms_fem_stage *out) {
  const char **name;
  void *at = NULL;
  if (holds && !ms_yaml_is_sequence(holds)) {
    return ms_yaml_fail(fe->y, holds, MS_ERR_FORMAT, "hold is a list of sets of nodes");
  }
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(holds) + 1, sizeof *name, &name));
  out->hold = name;
  for (struct fy_node *item; (item = ms_yaml_next_item(holds, &at)); out->n_hold++) {
    MS_TRY(ms_yaml_text(fe->y, item, "what is held", &name[out->n_hold]));
    if (has_set(fe, name[out->n_hold])) continue;
    return ms_yaml_fail(fe->y, item, MS_ERR_NAME, "'%.100s' is no set of nodes", name[out->n_hold]);
  }
  return MS_SUCCESS;
}

static ms_status read_stages(ms_fe *fe, struct fy_node *preload) {
  ms_fem_assembly *a = &fe->assembly;
  ms_fem_stage *list;
  void *at = NULL;
  if (preload && !ms_yaml_is_sequence(preload)) {
    return ms_yaml_fail(fe->y, preload, MS_ERR_FORMAT,
                        "preload is a list of stages, e.g. - {push: {lid.top: [0, 0, -500]}, "
                        "friction: true}");
  }
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(preload) + 1, sizeof *list, &list));
  fe->stage = list;
  a->stage = list;
  for (struct fy_node *item; (item = ms_yaml_next_item(preload, &at));) {
    stage o = { 0 };
    ms_fem_stage *out = &list[a->n_stage++];
    MS_TRY(ms_fe_read_keys(fe, item, "a stage of the preload", &stage_keys, &o));
    *out = (ms_fem_stage) { .friction = o.friction, .steps = (int)o.steps };
    MS_TRY(read_pushes(fe, o.push, out));
    MS_TRY(read_holds(fe, o.hold, out));
  }
  return MS_SUCCESS;
}

/* ---- the assembly ---- */

static ms_status make(void *fe, ms_fem_model **out) {
  return ms_fe_make_model(fe, out);
}

ms_status ms_fe_read_contacts(ms_fe *fe, ms_fem_model *model) {
  const ms_fe_options *o = &fe->options;
  fe->assembly.make = make;
  fe->assembly.user = fe;
  if (!o->contacts) {
    if (!o->preload) return MS_SUCCESS;
    return ms_yaml_fail(fe->y, o->preload, MS_ERR_FORMAT, "a preload belongs to contacts");
  }
  if (fe->name) {
    return ms_yaml_fail(fe->y, o->contacts, MS_ERR_FORMAT,
                        "contacts belong to one finite element model, not to a sub-structure");
  }
  struct fy_node *joints = ms_yaml_get(ms_yaml_root(fe->y), "joints");
  if (joints && ms_yaml_count(joints) > 0) {
    return ms_yaml_fail(fe->y, joints, MS_ERR_FORMAT,
                        "a structure with contacts has no joints beside them");
  }
  fe->study->has_contacts = 1;
  MS_TRY(read_contacts(fe, o->contacts));
  MS_TRY(read_stages(fe, o->preload));
  for (int i = 0; i < fe->assembly.n_contact; i++) { /* whatever is wrong with the faces */
    const ms_fem_contact *c = &fe->assembly.contact[i];
    MS_TRY(ms_yaml_fail_here(fe->y, ms_yaml_get(o->contacts, c->name),
                             fe->f->fem_add_contact(model, c)));
  }
  return MS_SUCCESS;
}

ms_status ms_fe_press(ms_fe *fe) {
  struct fy_node *at = fe->options.preload ? fe->options.preload : fe->options.contacts;
  return ms_yaml_fail_here(fe->y, at, fe->f->fem_find_rest(fe->ctx, &fe->assembly, &fe->rest));
}

ms_status ms_fe_load_modes(ms_fe *fe, ptrdiff_t n) {
  const ms_status status =
      fe->f->fem_load_modes(fe->ctx, &fe->assembly, &fe->rest, n, NULL, &fe->study->contact);
  return ms_yaml_fail_here(fe->y, fe->options.contacts, status);
}

void ms_fe_close_contacts(ms_fe *fe) {
  ms_fem_assembly *a = &fe->assembly;
  for (int i = 0; i < a->n_stage; i++) {
    ms_free(fe->ctx, &fe->stage[i].push);
    ms_free(fe->ctx, &fe->stage[i].hold);
  }
  ms_free(fe->ctx, &a->contact);
  ms_free(fe->ctx, &fe->stage);
  if (fe->f) fe->f->fem_rest_free(fe->ctx, &fe->rest);
  ms_contact_destroy(&fe->study->contact);
}
