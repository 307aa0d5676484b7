/* What a mesh file says of supports and ties becomes part of the model; what cannot, is refused. */
#include <stdio.h>
#include <string.h>

#include "study/model/fe/fe.h"

enum { MAX_TERM = 64 };

/* A model under way: reference nodes of the file and the spiders' references that stand for them.
 */
typedef struct work {
  ms_fe *fe;
  ms_fem_model *model;
  char name[MS_FE_NAME]; /* of the condition: its own, or by its line */
  int n;
  struct stand_in {
    int32_t node;
    ptrdiff_t reference;
  } * stand_in;
} work;

/* The node of the model that a node of the file is. */
static ptrdiff_t find_node(const work *w, int32_t node) {
  for (int i = 0; i < w->n; i++) {
    if (w->stand_in[i].node == node) return w->stand_in[i].reference;
  }
  return node;
}

static ms_status find_nodes(const work *w, const ms_condition *c, ms_mesh_set *set) {
  return w->fe->f->mesh_find_set(w->fe->mesh, MS_SET_NODES, c->nodes ? c->nodes : c->faces, set);
}

static ms_status fix(work *w, const ms_condition *c) {
  const ms_fem_functions *f = w->fe->f;
  ms_mesh_set set;
  MS_TRY(find_nodes(w, c, &set));
  for (ptrdiff_t i = 0; i < set.n; i++) {
    ptrdiff_t node = find_node(w, set.index[i]);
    if (c->value == 0.0) {
      MS_TRY(f->fem_fix(w->model, w->name, node, c->components));
      continue;
    }
    for (int k = 0; k < 6; k++) {
      if (!(c->components >> k & 1) || f->fem_get_index(w->model, node, k) < 0) continue;
      MS_TRY(f->fem_prescribe(w->model, w->name, node, k, c->value));
    }
  }
  return MS_SUCCESS;
}

static ms_status link_terms(work *w, const ms_condition *c) {
  ms_fem_term term[MAX_TERM];
  if (c->n_term > MAX_TERM) {
    return ms_fail(w->fe->ctx, MS_ERR_BOUNDS, "an equation of %d terms; at most %d", c->n_term,
                   MAX_TERM);
  }
  for (int i = 0; i < c->n_term; i++) {
    ptrdiff_t node = find_node(w, c->term[i].node);
    term[i] = (ms_fem_term) { node, c->term[i].component, c->term[i].factor };
  }
  return w->fe->f->fem_link(w->model, w->name, c->n_term, term, c->value);
}

/* Where the reference node is there already, from elements or from another spider, both are one. */
static ms_status link_reference(work *w, const ms_condition *c, ptrdiff_t spider) {
  ptrdiff_t node = find_node(w, c->reference);
  for (int k = 0; k < 6; k++) {
    ms_fem_term term[2] = { { spider, k, 1.0 }, { node, k, -1.0 } };
    if (w->fe->f->fem_get_index(w->model, node, k) < 0) continue;
    MS_TRY(w->fe->f->fem_link(w->model, w->name, 2, term, 0.0));
  }
  if (node != c->reference) return MS_SUCCESS;
  MS_TRY(ms_resize(w->fe->ctx, w->n + 1, sizeof *w->stand_in, &w->stand_in));
  w->stand_in[w->n++] = (struct stand_in) { c->reference, spider };
  return MS_SUCCESS;
}

/* All directions that the nodes have. */
static ms_status check_components(const work *w, const ms_condition *c, const ms_mesh_set *set) {
  int want = MS_FEM_TRANSLATIONS;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    if (w->fe->f->fem_get_index(w->model, set->index[i], 3) >= 0) want = MS_FEM_ALL;
  }
  if ((c->components & want) == want) return MS_SUCCESS;
  return ms_fail(
      w->fe->ctx, MS_ERR_ARGUMENT,
      "it couples only some directions of its nodes, which is not supported; couple all");
}

static ms_status add_spider(work *w, const ms_condition *c) {
  ms_fe *fe = w->fe;
  const double *at = fe->f->mesh_get_nodes(fe->mesh) + 3 * (ptrdiff_t)c->reference;
  ms_mesh_set set;
  ptrdiff_t reference;
  MS_TRY(find_nodes(w, c, &set));
  MS_TRY(check_components(w, c, &set));
  ms_spider spider = { .name = w->name,
                       .kind = c->kind == MS_CONDITION_RIGID ? MS_SPIDER_RIGID : MS_SPIDER_UNIFORM,
                       .at = { at[0], at[1], at[2] },
                       .n = set.n,
                       .node = set.index };
  MS_TRY(fe->f->fem_add_spider(w->model, &spider, &reference));
  MS_TRY(link_reference(w, c, reference));
  return ms_fe_add_named(fe, ms_yaml_get(fe->node, "mesh"), w->name, reference, at);
}

#define REACH 1e-3 /* m, where the file gives none */

static ms_status tie(work *w, const ms_condition *c) {
  const char *nodes = c->nodes ? c->nodes : c->slave_faces;
  double reach = c->reach > 0.0 ? c->reach : REACH;
  return w->fe->f->fem_tie(w->model, w->name, nodes, c->faces, reach);
}

/* Told in the report, each keyword once. */
static ms_status ignore(work *w, const ms_condition *c) {
  char *text = w->fe->ignored;
  size_t at = strlen(text), size = sizeof w->fe->ignored;
  (void)c;
  if (!strstr(text, w->name)) snprintf(text + at, size - at, "%s%s", at ? ", " : "", w->name);
  return MS_SUCCESS;
}

static const struct condition {
  ms_status (*add)(work *w, const ms_condition *c);
  int pass; /* spiders first: others may be about their references */
} conditions[] = {
  [MS_CONDITION_FIX] = { fix, 1 },          [MS_CONDITION_EQUATION] = { link_terms, 1 },
  [MS_CONDITION_RIGID] = { add_spider, 0 }, [MS_CONDITION_AVERAGE] = { add_spider, 0 },
  [MS_CONDITION_TIE] = { tie, 1 },          [MS_CONDITION_IGNORED] = { ignore, 1 },
};

static ms_status add_condition(work *w, const ms_condition *c) {
  ms_fe *fe = w->fe;
  int named = c->name && *c->name;
  if (named) snprintf(w->name, sizeof w->name, "%.120s", c->name);
  if (!named) snprintf(w->name, sizeof w->name, "line%td", c->line);
  ms_status status = conditions[c->kind].add(w, c);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  char what[400];
  snprintf(what, sizeof what, "%s", ms_context_message(fe->ctx));
  return ms_yaml_fail(fe->y, ms_yaml_get(fe->node, "mesh"), status, "%s:%td: %s: %s",
                      c->file ? c->file : "mesh", c->line, w->name, what);
}

ms_status ms_fe_add_conditions(ms_fe *fe, ms_fem_model *model) {
  work w = { .fe = fe, .model = model };
  fe->ignored[0] = '\0';
  ms_status status = MS_SUCCESS;
  int n = fe->f->mesh_count_conditions(fe->mesh);
  for (int i = 0; i < 2 * n && status == MS_SUCCESS; i++) {
    const ms_condition *c = fe->f->mesh_get_condition(fe->mesh, i % n);
    if (conditions[c->kind].pass == i / n) status = add_condition(&w, c);
  }
  ms_free(fe->ctx, &w.stand_in);
  return status;
}
