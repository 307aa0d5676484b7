/* fe: contacts between faces, and the preload that presses them together. */
#include <string.h>

#include "io/yaml/tables.h"
#include "study/model/fe/fe.h"
#include "study/file/model_keys.h"

typedef struct options {
  struct fy_node *between, *layer, *gap, *interpolation, *weights;
  struct fy_node *cut, *axis; /* of bolts */
  double mu, interference, gap_factor;
  double K_n, K_t; /* of the layer */
  int points;      /* ms_fem_points */
  ptrdiff_t gauss;
} options;

typedef struct stage {
  struct fy_node *push, *hold, *bolt, *glue;
  int friction;
  ptrdiff_t steps;
  double factor;
} stage;

static const ms_param layer_rows[] = {
  MS_NUMBER(options, K_n, "N/m^3", MS_POSITIVE, MS_REQUIRED, "normal stiffness per area"),
  MS_NUMBER(options, K_t, "N/m^3", MS_POSITIVE, MS_REQUIRED, "tangential stiffness per area"),
};
static const ms_param_list layer_keys = MS_LIST_OF(layer_rows);

#define GAP_AXIS(axis) \
  { .name = axis, .kind = MS_PARAM_NUMBERS, .unit = "m", MS_ANY, .meaning = "global " axis }
static const ms_param gap_rows[] = {
  GAP_AXIS("x"),
  GAP_AXIS("y"),
  GAP_AXIS("z"),
  { .name = "gap",
    .kind = MS_PARAM_NUMBERS,
    .unit = "m",
    MS_ANY,
    .meaning = "there, one for each row; negative: interference" },
  { .name = "file", .kind = MS_PARAM_PATH, .meaning = "instead: a table with these columns" },
};

static const ms_param contact_rows[] = {
  MS_FORMS(options, between, "list of 2 words", MS_ELSE("required, or interpolation"),
           "[face, face], or [ground, face]"),
  MS_NUMBER(options, mu, NULL, MS_NOT_NEGATIVE, MS_REQUIRED, "friction coefficient"),
  { MS_AT(options, gap), .kind = MS_PARAM_FORMS, .forms = "number or mapping",
    .keys = &MS_ROWS(gap_rows), .unit = "m", MS_NOT_NEGATIVE, .fallback = "0",
    .meaning = "beside that of the meshes; or a table on a grid along one or two of the global "
               "axes, between whose rows it is linear, and which covers the first face" },
  MS_NUMBER(options, interference, "m", MS_NOT_NEGATIVE, MS_DEFAULT(0.0),
            "beside that of the meshes: overlap before the faces press each other apart"),
  MS_NUMBER(options, gap_factor, NULL, MS_POSITIVE, MS_DEFAULT(1.0),
            "of a table of gaps; analyses may set it free"),
  MS_MAPPING(options, layer, layer_keys, MS_ELSE("none: rigid contact, Signorini and Coulomb"),
             "a compliant interface; below some amplitude it does not slip"),
  MS_CHOICE(options, points, "auto|nodes|gauss", MS_OPTIONAL,
            "nodes: pairs of nodes, on linear faces that match; gauss: Gauss points of the first "
            "face, with a layer; auto: nodes where that is possible, else gauss"),
  MS_COUNT(options, gauss, MS_WITHIN(2, 4), MS_ELSE("2; 3 on pieces of quadratic faces"),
           "Gauss points along each side of a face, or of its piece opposite one other face"),
  MS_FORMS(
      options, interpolation, "file", MS_OPTIONAL,
      "of matrices, instead of between: rows t1, t2, n of each point, of the first body relative "
      "to the second, n closing; a column for each degree of freedom"),
  MS_FORMS(options, weights, "file or list of numbers", MS_OPTIONAL,
           "with interpolation: area of each point, length^2; a file has the column area"),
};
static const ms_param_list contact_keys = MS_LIST_OF(contact_rows);
static const ms_param contact_row[] = { MS_EACH("mapping", &contact_keys,
                                                "a contact with friction between two faces") };
const ms_param_list ms_contacts_keys = MS_LIST_OF(contact_row);

static const ms_param bolt_rows[] = {
  MS_FORMS(options, cut, "list of 2 words", MS_REQUIRED,
           "[face, face] of two halves of its shank, not merged; or two sets of nodes"),
  MS_FORMS(options, axis, "list of 3 numbers", MS_ELSE("the normal of the faces"),
           "from the first half to the second"),
};
static const ms_param_list bolt_keys = MS_LIST_OF(bolt_rows);
static const ms_param bolt_row[] = { MS_EACH("mapping", &bolt_keys, "a bolt") };
const ms_param_list ms_bolts_keys = MS_LIST_OF(bolt_row);

static const ms_param tension_row[] = { MS_EACH_NUMBER("N", MS_POSITIVE, "force of a bolt") };
static const ms_param_list tension_keys = MS_LIST_OF(tension_row);

static const ms_param push_row[] = { MS_EACH("list of 3 numbers", NULL,
                                             "total force [x, y, z] on a face, set or point") };

static const ms_param stage_rows[] = {
  MS_MAPPING(stage, push, MS_ROWS(push_row), MS_ELSE("nothing"),
             "a face, by area, a set of nodes, in equal parts, a point or a spider: its force"),
  MS_FORMS(stage, hold, "list of words", MS_ELSE("nothing"),
           "sets of nodes that stand still meanwhile; afterwards the forces there act on"),
  MS_MAPPING(stage, bolt, tension_keys, MS_ELSE("none"),
             "bolts that are tightened to this force; afterwards their length is held"),
  MS_FORMS(stage, glue, "list of words", MS_ELSE("nothing"),
           "contacts whose closed points are tied as deformed from the end of the stage on"),
  MS_FLAG(stage, friction, MS_REQUIRED,
          "whether contacts have friction while they are pressed; it changes the normal forces"),
  MS_COUNT(stage, steps, MS_WITHIN(1, 10000), MS_DEFAULT(8),
           "load steps; with friction they are doubled once, to see what that changes"),
  MS_NUMBER(stage, factor, NULL, MS_POSITIVE, MS_DEFAULT(1.0),
            "of all pushes and bolts; analyses may set it free: preload.1.factor is the first's"),
};
static const ms_param_list stage_keys = MS_LIST_OF(stage_rows);
static const ms_param stage_row[] = { MS_EACH("mapping", &stage_keys, "a stage of the preload") };
const ms_param_list ms_preload_keys = MS_LIST_OF(stage_row);

/* ---- contacts ---- */

struct ms_fe_gaps {
  ms_fem_gaps gaps;
  ms_param_columns columns;
};

static ms_status read_gaps(ms_fe *fe, struct fy_node *node, ms_fem_contact *c) {
  static const char *const column[] = { "gap", "x", "y", "z" }, *const unit[] = { "m", "m", "m",
                                                                                  "m" };
  static const ms_param_table columns = { 4, 1, column, unit };
  const ms_param row = { .name = "gap", .kind = MS_PARAM_TABLE, .table = &columns };
  const ms_units *units = &fe->study->units;
  struct ms_fe_gaps *t = &fe->gaps[c - fe->assembly.contact];
  if (!fe->f) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT,
                        "matrices take a number as gap; tables are for finite elements");
  }
  c->gaps = &t->gaps;
  MS_TRY(ms_param_columns_read(fe->y, units, units, node, &row, &t->columns));
  double *const *at = t->columns.column;
  t->gaps = (ms_fem_gaps) { t->columns.rows, { at[1], at[2], at[3] }, at[0] };
  return MS_SUCCESS;
}

/* The number, or the table. */
static ms_status read_gap(ms_fe *fe, struct fy_node *node, ms_fem_contact *c) {
  const ms_param row = { .name = "gap", .kind = MS_PARAM_NUMBER, .unit = "m", MS_NOT_NEGATIVE };
  if (!node) return MS_SUCCESS;
  if (ms_yaml_is_mapping(node)) return read_gaps(fe, node, c);
  return ms_options_read_value(fe->study, node, "gap", &row, &c->gap);
}

static ms_status read_faces(const ms_fe *fe, struct fy_node *list, const char *face[2]) {
  void *at = NULL;
  for (int i = 0; i < 2; i++) {
    MS_TRY(ms_yaml_text(fe->y, ms_yaml_next_item(list, &at), "a face", &face[i]));
  }
  return MS_SUCCESS;
}

static ms_status read_contact(ms_fe *fe, struct fy_node *key, struct fy_node *node,
                              ms_fem_contact *c) {
  options o = { 0 };
  const char *face[2] = { "", "" };
  MS_TRY(ms_yaml_text(fe->y, key, "a contact's name", &c->name));
  MS_TRY(ms_fe_read_keys(fe, node, "a contact", &contact_keys, &o));
  const int given = o.interpolation && o.weights && !o.between && !fe->f;
  if (!given && (!ms_yaml_is_sequence(o.between) || ms_yaml_count(o.between) != 2 ||
                 o.interpolation || o.weights)) {
    return ms_yaml_fail(fe->y, o.between ? o.between : node, MS_ERR_FORMAT,
                        "between must name two faces, e.g. [upper.bottom, lower.top]; a contact of "
                        "matrices may have interpolation and weights instead");
  }
  if (!given) MS_TRY(read_faces(fe, o.between, face));
  const int ground = strcmp(face[0], "ground") == 0 ? 0 : strcmp(face[1], "ground") == 0 ? 1 : -1;
  if (ground >= 0 && strcmp(face[1 - ground], "ground") == 0) {
    return ms_yaml_fail(fe->y, o.between, MS_ERR_FORMAT, "the ground cannot touch itself");
  }
  MS_TRY(read_gap(fe, o.gap, c));
  if (c->gap > 0.0 && o.interference > 0.0) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT, "a contact has a gap or an interference");
  }
  c->faces[0] = given ? NULL : face[ground == 0 ? 1 : 0];
  c->faces[1] = ground >= 0 ? NULL : face[1];
  c->mu = o.mu;
  c->gap -= o.interference;
  c->gap_factor = o.gap_factor;
  c->K_n = o.layer ? o.K_n : 0.0;
  c->K_t = o.layer ? o.K_t : 0.0;
  c->points = (ms_fem_points)o.points;
  c->gauss = o.gauss > 0 ? (int)o.gauss : 0;
  return MS_SUCCESS;
}

static ms_status read_contacts(ms_fe *fe, struct fy_node *contacts) {
  ms_fem_assembly *a = &fe->assembly;
  ms_fem_contact *c;
  void *at = NULL;
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(contacts) + 1, sizeof *c, &c));
  a->contact = c;
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(contacts) + 1, sizeof *fe->gaps, &fe->gaps));
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(contacts, &at, &key));) {
    MS_TRY(read_contact(fe, key, node, &c[a->n_contact++]));
  }
  if (a->n_contact > 0) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, contacts, MS_ERR_FORMAT, "contacts are given by name, at least one");
}

/* ---- preload ---- */

/* Of n, or of any number (0). */
static ms_status check_list(const ms_fe *fe, struct fy_node *list, int n, const char *what) {
  if (!list) return MS_SUCCESS;
  if (ms_yaml_is_sequence(list) && (n == 0 || ms_yaml_count(list) == n)) return MS_SUCCESS;
  return ms_yaml_fail(fe->y, list, MS_ERR_FORMAT, "%s", what);
}

static ms_status read_bolts(ms_fe *fe, struct fy_node *bolts) {
  ms_fem_assembly *a = &fe->assembly;
  ms_fem_bolt *b;
  void *at = NULL;
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(bolts) + 1, sizeof *b, &b));
  a->bolt = b;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(bolts, &at, &key)); b++) {
    options o = { 0 };
    MS_TRY(ms_yaml_text(fe->y, key, "a bolt's name", &b->name));
    MS_TRY(ms_fe_read_keys(fe, node, "a bolt", &bolt_keys, &o));
    MS_TRY(check_list(fe, o.cut, 2, "cut must name two faces, e.g. [screw.bottom, stud.top]"));
    MS_TRY(read_faces(fe, o.cut, b->cut));
    if (o.axis) MS_TRY(ms_fe_vector(fe, o.axis, "axis", "m", 3, b->axis));
    a->n_bolt++;
  }
  return MS_SUCCESS;
}

static ms_status read_tensions(ms_fe *fe, struct fy_node *tensions, ms_fem_stage *out) {
  const ms_fem_assembly *a = &fe->assembly;
  ms_contact_tightening *t;
  void *at = NULL;
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(tensions) + 1, sizeof *t, &t));
  out->bolt = t;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(tensions, &at, &key)); t++) {
    const char *name;
    MS_TRY(ms_yaml_text(fe->y, key, "a bolt's name", &name));
    MS_TRY(ms_options_read_value(fe->study, node, name, tension_row, &t->force));
    while (t->bolt < a->n_bolt && strcmp(a->bolt[t->bolt].name, name) != 0) t->bolt++;
    out->n_bolt++;
    if (t->bolt < a->n_bolt) continue;
    return ms_yaml_fail(fe->y, key, MS_ERR_NAME, "'%.100s' is no bolt; fe: bolts has them", name);
  }
  return MS_SUCCESS;
}

static int has_set(const ms_fe *fe, const char *name) {
  if (!fe->f) return 1; /* told when it is looked for */
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
    MS_TRY(ms_fe_vector(fe, node, "push", "N", 3, p->force));
    const ms_fem_node *named = ms_fe_find_named(fe, name);
    p->set = named ? NULL : name;
    p->node = named ? named->node : -1;
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
  MS_TRY(check_list(fe, holds, 0, "hold is a list of sets of nodes"));
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(holds) + 1, sizeof *name, &name));
  out->hold = name;
  for (struct fy_node *item; (item = ms_yaml_next_item(holds, &at)); out->n_hold++) {
    MS_TRY(ms_yaml_text(fe->y, item, "what is held", &name[out->n_hold]));
    if (has_set(fe, name[out->n_hold])) continue;
    return ms_yaml_fail(fe->y, item, MS_ERR_NAME, "'%.100s' is no set of nodes", name[out->n_hold]);
  }
  return MS_SUCCESS;
}

static ms_status read_glue(ms_fe *fe, struct fy_node *glue, ms_fem_stage *out) {
  const ms_fem_assembly *a = &fe->assembly;
  int *index;
  void *at = NULL;
  MS_TRY(check_list(fe, glue, 0, "glue is a list of contacts"));
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(glue) + 1, sizeof *index, &index));
  out->glue = index;
  for (struct fy_node *item; (item = ms_yaml_next_item(glue, &at)); index++, out->n_glue++) {
    const char *name;
    MS_TRY(ms_yaml_text(fe->y, item, "what is glued", &name));
    while (*index < a->n_contact && strcmp(a->contact[*index].name, name) != 0) ++*index;
    if (*index < a->n_contact) continue;
    return ms_yaml_fail(fe->y, item, MS_ERR_NAME, "'%.100s' is no contact", name);
  }
  return MS_SUCCESS;
}

static ms_status read_stages(ms_fe *fe, struct fy_node *preload) {
  ms_fem_assembly *a = &fe->assembly;
  ms_fem_stage *list;
  void *at = NULL;
  MS_TRY(check_list(fe, preload, 0,
                    "preload is a list of stages, e.g. - {push: {lid.top: [0, 0, -500]}, "
                    "friction: true}"));
  MS_TRY(ms_allocate(fe->ctx, ms_yaml_count(preload) + 1, sizeof *list, &list));
  fe->stage = list;
  a->stage = list;
  for (struct fy_node *item; (item = ms_yaml_next_item(preload, &at));) {
    stage o = { 0 };
    ms_fem_stage *out = &list[a->n_stage++];
    MS_TRY(ms_fe_read_keys(fe, item, "a stage of the preload", &stage_keys, &o));
    *out = (ms_fem_stage) { .friction = o.friction, .steps = (int)o.steps, .factor = o.factor };
    MS_TRY(read_pushes(fe, o.push, out));
    MS_TRY(read_holds(fe, o.hold, out));
    MS_TRY(read_tensions(fe, o.bolt, out));
    MS_TRY(read_glue(fe, o.glue, out));
  }
  return MS_SUCCESS;
}

/* ---- numbers that analyses may set free ---- */

static ms_status make(void *user, ms_context *ctx, ms_fem_model **out) {
  ms_fe *fe = user;
  ms_context *own = fe->ctx;
  fe->ctx = ctx;
  const ms_status status = ms_fe_make_model(fe, out);
  fe->ctx = own;
  return status;
}

/* An ms_contact_family's. */
static ms_status find_changed(void *user, ms_context *ctx, const double *value, ptrdiff_t n,
                              double *omega, double *mac, ms_contact **out) {
  ms_fe *fe = user;
  return fe->f->fem_load_changed(ctx, &fe->assembly, &fe->rest, value, n, omega, mac, out);
}

/* ---- the assembly ---- */

ms_status ms_fe_read_touching(ms_fe *fe) {
  const ms_fe_options *o = &fe->options;
  if (!o->contacts) {
    if (!o->preload && !o->bolts) return MS_SUCCESS;
    return ms_yaml_fail(fe->y, o->preload ? o->preload : o->bolts, MS_ERR_FORMAT,
                        "a %s belongs to contacts", o->preload ? "preload" : "bolt");
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
  fe->study->solids = fe;
  MS_TRY(read_contacts(fe, o->contacts));
  MS_TRY(read_bolts(fe, o->bolts));
  return read_stages(fe, o->preload);
}

ms_status ms_fe_read_contacts(ms_fe *fe, ms_fem_model *model) {
  static const ms_fem_number_rows rows = { &contact_keys, &layer_keys, &stage_keys };
  fe->assembly.make = make;
  fe->assembly.user = fe;
  MS_TRY(ms_fe_read_touching(fe));
  for (int i = 0; i < fe->assembly.n_contact; i++) { /* whatever is wrong with the faces */
    const ms_fem_contact *c = &fe->assembly.contact[i];
    MS_TRY(ms_yaml_fail_here(fe->y, ms_yaml_get(fe->options.contacts, c->name),
                             fe->f->fem_add_contact(model, c)));
  }
  MS_TRY(ms_yaml_fail_here(fe->y, fe->options.bolts, fe->f->fem_add_bolts(model, &fe->assembly)));
  fe->family.user = fe;
  return fe->f->fem_list_numbers(fe->ctx, &fe->assembly, &rows, &fe->family);
}

ms_status ms_fe_press(ms_fe *fe) {
  struct fy_node *at = fe->options.preload ? fe->options.preload : fe->options.contacts;
  return ms_yaml_fail_here(fe->y, at, fe->f->fem_find_rest(fe->ctx, &fe->assembly, &fe->rest));
}

ms_status ms_fe_keep_flexibility(const ms_study *s) {
  const ms_fe *fe = s->solids;
  return fe && fe->f ? fe->f->fem_keep_flexibility(s->ctx, &fe->rest, s->folder) : MS_SUCCESS;
}

ms_status ms_fe_load_modes(ms_fe *fe, ptrdiff_t n) {
  const ms_status status =
      fe->f->fem_load_modes(fe->ctx, &fe->assembly, &fe->rest, n, NULL, &fe->study->contact);
  fe->family.find = find_changed;
  fe->family.rest = fe->study->contact, fe->family.sign = fe->rest.sign;
  fe->family.mac = fe->rest.mac;
  return ms_yaml_fail_here(fe->y, fe->options.contacts, status);
}

void ms_fe_close_contacts(ms_fe *fe) {
  ms_fem_assembly *a = &fe->assembly;
  for (int i = 0; i < a->n_stage; i++) {
    ms_free(fe->ctx, &fe->stage[i].push);
    ms_free(fe->ctx, &fe->stage[i].hold);
    ms_free(fe->ctx, &fe->stage[i].bolt);
    ms_free(fe->ctx, &fe->stage[i].glue);
  }
  for (int i = 0; i < a->n_contact; i++) {
    ms_param_columns_free(fe->ctx, &fe->gaps[i].columns);
  }
  ms_free(fe->ctx, &fe->gaps);
  ms_free(fe->ctx, &a->contact);
  ms_free(fe->ctx, &a->bolt);
  ms_free(fe->ctx, &fe->stage);
  ms_free(fe->ctx, &fe->family.number);
  ms_contact_rest_free(fe->ctx, &fe->rest);
  ms_contact_destroy(&fe->study->contact);
}
