/* fe: supports and ties, and the model they make with the spiders. */
#include <stdio.h>
#include <string.h>

#include "structure/labels.h"
#include "study/model/fe/fe.h"
#include "study/file/model_keys.h"

typedef struct tied {
  const char *nodes, *faces;
  double reach;
} tied;

static const ms_param tie_rows[] = {
  MS_WORD(tied, nodes, MS_REQUIRED, "set of nodes that follow"),
  MS_WORD(tied, faces, MS_REQUIRED, "set of faces that they follow"),
  MS_NUMBER(tied, reach, "m", MS_POSITIVE, MS_REQUIRED, "largest distance of a node from its face"),
};
static const ms_param_list tie_list = MS_LIST_OF(tie_rows);
static const ms_param row[] = { MS_EACH("mapping", &tie_list, "a tie") };

const ms_param_list ms_tie_keys = MS_LIST_OF(row);

/* ---- supports ---- */

/* all, a direction or a list of them. */
static ms_status read_bits(const ms_fe *fe, struct fy_node *node, int *bits) {
  void *at = NULL;
  const int all = ms_yaml_is_scalar(node) && ms_yaml_is_word(node, "all");
  *bits = all ? MS_FEM_ALL : 0;
  for (struct fy_node *item; !all && (item = ms_yaml_next_of(node, &at));) {
    const char *word;
    MS_TRY(ms_yaml_text(fe->y, item, "a direction", &word));
    const int c = ms_component_find(word);
    if (c < 0) {
      return ms_yaml_fail(fe->y, item, MS_ERR_NAME,
                          "'%s' must be one of ux, uy, uz, rx, ry, rz, or all", word);
    }
    *bits |= 1 << c;
  }
  return MS_SUCCESS;
}

static ms_status fix_all(ms_fe *fe, ms_fem_model *model, struct fy_node *fix) {
  void *at = NULL;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(fix, &at, &key));) {
    const char *name;
    int bits;
    MS_TRY(ms_yaml_text(fe->y, key, "what is fixed", &name));
    MS_TRY(read_bits(fe, node, &bits));
    const ms_fem_node *named = ms_fe_find_named(fe, name);
    ms_status status = named ? fe->f->fem_fix(model, name, named->node, bits)
                             : fe->f->fem_fix_set(model, name, bits);
    MS_TRY(ms_yaml_fail_here(fe->y, key, status));
  }
  return MS_SUCCESS;
}

/* ---- ties ---- */

static ms_status tie_all(ms_fe *fe, ms_fem_model *model, struct fy_node *ties) {
  void *at = NULL;
  for (struct fy_node *key, *node; (node = ms_yaml_next_pair(ties, &at, &key));) {
    const char *name;
    tied o = { 0 };
    MS_TRY(ms_yaml_text(fe->y, key, "a tie's name", &name));
    MS_TRY(ms_fe_read_keys(fe, node, "a tie", &tie_list, &o));
    MS_TRY(ms_yaml_fail_here(fe->y, key, fe->f->fem_tie(model, name, o.nodes, o.faces, o.reach)));
  }
  return MS_SUCCESS;
}

/* ---- supports, spiders and ties that a mesh file has ---- */

/* By its own name, or by its line. What was ignored is told in the report, each keyword once. */
static ms_status add_condition(ms_fe *fe, ms_fem_model *model, const ms_condition *c) {
  struct fy_node *file = ms_yaml_get(fe->node, "mesh");
  char name[MS_FE_NAME], what[400], *text = fe->ignored;
  const size_t end = strlen(text);
  ptrdiff_t reference;
  if (c->name && *c->name)
    snprintf(name, sizeof name, "%.120s", c->name);
  else
    snprintf(name, sizeof name, "line%td", c->line);
  if (c->kind == MS_CONDITION_IGNORED && !strstr(text, name)) {
    snprintf(text + end, sizeof fe->ignored - end, "%s%s", end ? ", " : "", name);
  }
  ms_status status = fe->f->fem_add_condition(model, name, c, &reference);
  if (status == MS_SUCCESS && reference >= 0) {
    const double *at = fe->f->mesh_get_nodes(fe->mesh) + 3 * (ptrdiff_t)c->reference;
    status = ms_fe_add_named(fe, file, name, reference, at);
  }
  if (status == MS_SUCCESS) return status;
  snprintf(what, sizeof what, "%s", ms_context_message(fe->ctx));
  return ms_yaml_fail(fe->y, file, status, "%s:%td: %s: %s", c->file ? c->file : "mesh", c->line,
                      name, what);
}

/* Spiders first: others may be about their references. */
static ms_status add_conditions(ms_fe *fe, ms_fem_model *model) {
  const int n = fe->f->mesh_count_conditions(fe->mesh);
  fe->ignored[0] = '\0';
  for (int i = 0; i < 2 * n; i++) {
    const ms_condition *c = fe->f->mesh_get_condition(fe->mesh, i % n);
    const int spider = c->kind == MS_CONDITION_RIGID || c->kind == MS_CONDITION_AVERAGE;
    if (spider == (i < n)) MS_TRY(add_condition(fe, model, c));
  }
  return MS_SUCCESS;
}

/* ---- the model ---- */

ms_status ms_fe_make_model(ms_fe *fe, ms_fem_model **out) {
  MS_TRY(fe->f->fem_create(fe->ctx, fe->mesh, out));
  MS_TRY(ms_fe_add_spiders(fe, *out));
  MS_TRY(add_conditions(fe, *out));
  MS_TRY(fix_all(fe, *out, fe->options.fix));
  return tie_all(fe, *out, fe->options.tie);
}
