/* fe: spiders. One reference for each place and end, tied to the nodes of a patch:
   bolt.1.a, bolt.1.b, ... between two faces, base.1, ... on one; without numbers where there is one
   place that is no list. */
#include <stdio.h>

#include "study/model/fe/fe.h"
#include "study/file/model_keys.h"

typedef struct options {
  int rbe2, rbe3;
  struct fy_node *between, *on, *at, *patch;
} options;

static const ms_param keys[] = {
  MS_CHOICE(options, rbe2, "rigid", MS_ELSE("optional"), "the nodes follow the reference"),
  MS_CHOICE(options, rbe3, "uniform|area", MS_ELSE("optional"),
            "the reference follows the nodes, with uniform weights or weights by area"),
  MS_FORMS(options, between, "list of 2 words", MS_OPTIONAL,
           "[face, face]: a pair of references at each place"),
  MS_FORMS(options, on, "word", MS_OPTIONAL, "a face: one reference at each place"),
  MS_FORMS(options, at, "list of numbers or list of lists of numbers",
           MS_ELSE("the middle of the face"),
           "one place or a list of them: [x, y, z], or two numbers in a flat face"),
  MS_FORMS(options, patch, "list of numbers", MS_ELSE("the whole face"),
           "size of the box of nodes around each place, two numbers or three"),
};
static const ms_param_list spider_keys = MS_LIST_OF(keys);
static const ms_param row[] = { MS_EACH(
    "mapping", &spider_keys,
    "a spider: a reference node with six degrees of freedom, tied to nodes of a face") };

const ms_param_list ms_spiders_keys = MS_LIST_OF(row);

/* One entry of spiders: as it is read. */
typedef struct spec {
  const char *name;
  struct fy_node *key;
  options o;
  ms_spider_kind kind;
  int n_end;
  const char *face[2];
  ms_mesh_box box[2]; /* of each face */
  double patch[3];
} spec;

static ms_status read_faces(const ms_fe *fe, spec *s) {
  struct fy_node *between = s->o.between, *on = s->o.on;
  void *at = NULL;
  if (!between == !on) {
    return ms_yaml_fail(fe->y, s->key, MS_ERR_FORMAT, "spider %s needs one of between and on",
                        s->name);
  }
  if (between && (!ms_yaml_is_sequence(between) || ms_yaml_count(between) != 2)) {
    return ms_yaml_fail(fe->y, between, MS_ERR_FORMAT,
                        "between must name two faces, e.g. [upper.bottom, lower.top]");
  }
  s->n_end = between ? 2 : 1;
  for (int i = 0; i < s->n_end; i++) {
    struct fy_node *node = between ? ms_yaml_next_item(between, &at) : on;
    MS_TRY(ms_yaml_text(fe->y, node, "a face", &s->face[i]));
    MS_TRY(ms_yaml_fail_here(fe->y, node, fe->f->mesh_find_box(fe->mesh, s->face[i], &s->box[i])));
  }
  return MS_SUCCESS;
}

/* Three numbers, or two along the axes in which a flat face lies; `across` is the third. */
static ms_status read_in_face(const ms_fe *fe, struct fy_node *node, const char *what,
                              const spec *s, double across, double *out) {
  double values[3];
  int n = ms_yaml_is_sequence(node) && ms_yaml_count(node) == 2 ? 2 : 3, flat = s->box[0].flat;
  MS_TRY(ms_fe_vector(fe, node, what, "m", n, values));
  if (n == 2 && flat < 0) {
    return ms_yaml_fail(fe->y, node, MS_ERR_FORMAT,
                        "%s needs three numbers: %s is not flat across x, y or z", what,
                        s->face[0]);
  }
  for (int a = 0, k = 0; a < 3; a++) out[a] = n == 2 && a == flat ? across : values[k++];
  return MS_SUCCESS;
}

static ms_status add_end(ms_fe *fe, ms_fem_model *model, const spec *s, int end, const char *name,
                         const double *at, struct fy_node *place) {
  double low[3], high[3];
  int32_t *node = NULL;
  ptrdiff_t reference;
  ms_spider spider = {
    .name = name, .kind = s->kind, .at = { at[0], at[1], at[2] }, .faces = s->face[end]
  };
  for (int a = 0; a < 3; a++) {
    const int all = !s->o.patch || a == s->box[end].flat;
    low[a] = all ? s->box[end].low[a] : at[a] - s->patch[a] / 2;
    high[a] = all ? s->box[end].high[a] : at[a] + s->patch[a] / 2;
  }
  ms_status status = fe->f->fem_find_in_box(fe->mesh, s->face[end], low, high, &spider.n, &node);
  spider.node = node;
  if (status == MS_SUCCESS) status = fe->f->fem_add_spider(model, &spider, &reference);
  ms_free(fe->ctx, &node);
  MS_TRY(ms_yaml_fail_here(fe->y, place, status));
  return ms_fe_add_named(fe, place, name, reference, at);
}

/* number 0: there is one place. */
static ms_status add_place(ms_fe *fe, ms_fem_model *model, const spec *s, int number,
                           struct fy_node *place, const double *at) {
  char name[MS_FE_NAME], text[16] = "";
  if (number > 0) snprintf(text, sizeof text, ".%d", number);
  for (int end = 0; end < s->n_end; end++) {
    const char *letter = s->n_end == 1 ? "" : end == 0 ? ".a" : ".b";
    snprintf(name, sizeof name, "%.90s%s%s", s->name, text, letter);
    MS_TRY(add_end(fe, model, s, end, name, at, place));
  }
  return MS_SUCCESS;
}

static ms_status add_places(ms_fe *fe, ms_fem_model *model, const spec *s) {
  struct fy_node *list = s->o.at;
  const ms_mesh_box *box = &s->box[0];
  double at[3], across = box->flat < 0 ? 0.0 : box->low[box->flat];
  void *first = NULL, *in = NULL;
  int number = 1;
  for (int a = 0; a < 3; a++) at[a] = (box->low[a] + box->high[a]) / 2;
  if (!list) return add_place(fe, model, s, 0, s->key, at);
  if (!ms_yaml_is_sequence(list) || !ms_yaml_is_sequence(ms_yaml_next_item(list, &first))) {
    MS_TRY(read_in_face(fe, list, "at", s, across, at));
    return add_place(fe, model, s, 0, list, at);
  }
  for (struct fy_node *item; (item = ms_yaml_next_item(list, &in)); number++) {
    MS_TRY(read_in_face(fe, item, "a place", s, across, at));
    MS_TRY(add_place(fe, model, s, number, item, at));
  }
  return MS_SUCCESS;
}

static ms_status add_spider(ms_fe *fe, ms_fem_model *model, struct fy_node *key,
                            struct fy_node *node) {
  static const ms_spider_kind kinds[] = { MS_SPIDER_UNIFORM, MS_SPIDER_AREA };
  spec s = { .key = key };
  MS_TRY(ms_yaml_text(fe->y, key, "a spider's name", &s.name));
  MS_TRY(ms_fe_read_keys(fe, node, "a spider", &spider_keys, &s.o));
  if ((s.o.rbe2 < 0) == (s.o.rbe3 < 0)) {
    return ms_yaml_fail(fe->y, key, MS_ERR_FORMAT, "spider %s needs one of rbe2 and rbe3", s.name);
  }
  s.kind = s.o.rbe3 < 0 ? MS_SPIDER_RIGID : kinds[s.o.rbe3];
  MS_TRY(read_faces(fe, &s));
  if (s.o.patch) MS_TRY(read_in_face(fe, s.o.patch, "patch", &s, 0.0, s.patch));
  return add_places(fe, model, &s);
}

ms_status ms_fe_add_spiders(ms_fe *fe, ms_fem_model *model) {
  struct fy_node *spiders = fe->options.spiders;
  void *at = NULL;
  fe->n_named = fe->n_point;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(spiders, &at, &key));) {
    MS_TRY(add_spider(fe, model, key, node));
  }
  return MS_SUCCESS;
}
