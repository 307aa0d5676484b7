/* structure: substructures. Each is finite elements that are reduced on their own, or a reduced
   model in a file; side by side they are the structure, and joints hold them together. A coordinate
   is called after its sub-structure: upper.bolt.1.ux. */
#include <string.h>

#include "study/model/fe/fe.h"
#include "study/file/model_keys.h"

typedef struct options {
  struct fy_node *fe, *reduce;
  const char *reduced;
} options;

static const ms_param keys[] = {
  MS_FORMS_WITH(options, fe, "mapping", ms_fe_keys, MS_OPTIONAL,
                "parts of finite elements, as under structure; with reduce"),
  MS_FORMS_WITH(options, reduce, "mapping", ms_reduce_keys, MS_OPTIONAL, "their reduction"),
  MS_PATH(options, reduced, MS_OPTIONAL,
          "instead: a reduced model, reduced.h5 of an earlier run; may be used several times"),
};
static const ms_param_list list = MS_LIST_OF(keys);
static const ms_param row[] = { MS_EACH("mapping", &list,
                                        "a sub-structure, of letters, digits, _ and -") };

const ms_param_list ms_substructures_keys = MS_LIST_OF(row);

/* In the order of the file. */
typedef struct parts {
  ptrdiff_t n;
  const char **name;
  ms_reduced **reduced;
  unsigned char *owned; /* those that no ms_fe owns */
} parts;

/* Names go before a point and become names of files. */
static ms_status read_name(const ms_study *s, struct fy_node *key, const char **out) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  MS_TRY(ms_yaml_text(&s->yaml, key, "a sub-structure's name", out));
  size_t length = strlen(*out);
  int good = length > 0 && length <= 48 && strspn(*out, allowed) == length;
  if (good && strcmp(*out, "ground") != 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME,
                      "a sub-structure's name is 1 to 48 letters, digits, '_' and '-', not '%.80s'",
                      *out);
}

static ms_status make_part(ms_study *s, struct fy_node *key, struct fy_node *node, parts *p) {
  options o = { 0 };
  ptrdiff_t i = p->n;
  MS_TRY(read_name(s, key, &p->name[i]));
  MS_TRY(ms_options_read_mapping(s, &s->units, node, "a sub-structure", &list, &o));
  if (!o.fe == !o.reduced) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_FORMAT,
                        "sub-structure %s needs one of fe and reduced", p->name[i]);
  }
  if (o.reduced && o.reduce) {
    return ms_yaml_fail(&s->yaml, o.reduce, MS_ERR_FORMAT, "reduce belongs to finite elements: fe");
  }
  if (o.fe) MS_TRY(ms_fe_reduce(s, p->name[i], o.fe, o.reduce, &p->reduced[i]));
  if (o.reduced) {
    MS_TRY(ms_fe_read_reduced(s, ms_yaml_get(node, "reduced"), o.reduced, &p->reduced[i]));
  }
  p->owned[i] = o.reduced != NULL;
  p->n++;
  return MS_SUCCESS;
}

static ms_status assemble(ms_study *s, struct fy_node *node, parts *p, ms_reduced **out) {
  ptrdiff_t n = ms_yaml_count(node);
  void *at = NULL;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->name, &p->name));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->reduced, &p->reduced));
  MS_TRY(ms_allocate(s->ctx, n, 1, &p->owned));
  for (struct fy_node *key, *part; (part = ms_yaml_next_pair(node, &at, &key));) {
    MS_TRY(make_part(s, key, part, p));
  }
  const ms_reduced *const *reduced = (const ms_reduced *const *)p->reduced;
  return ms_yaml_fail_here(&s->yaml, node,
                           ms_reduced_assemble(s->ctx, n, p->name, reduced, 0, NULL, out));
}

ms_status ms_fe_assemble(ms_study *s, struct fy_node *node, ms_reduced **out) {
  parts p = { 0 };
  if (ms_yaml_count(node) == 0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "substructures are name: {fe: {...}, reduce: {...}} or name: {reduced: "
                        "file.h5}");
  }
  ms_status status = assemble(s, node, &p, out);
  for (ptrdiff_t i = 0; i < p.n; i++) {
    if (p.owned[i]) ms_reduced_destroy(&p.reduced[i]);
  }
  ms_free(s->ctx, &p.name);
  ms_free(s->ctx, &p.reduced);
  ms_free(s->ctx, &p.owned);
  return status;
}
