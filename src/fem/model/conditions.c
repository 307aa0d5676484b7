/* What a mesh file says of supports and ties becomes part of a model; what cannot, is refused. */
#include "core/internal.h"
#include "fem/model/model.h"
#include "fem/tolerance.h"

/* The node of the model that a node of the file is: a spider's reference may stand for it. */
static ptrdiff_t find_node(const ms_fem_model *m, int32_t node) {
  for (int i = 0; i < m->n_stand_in; i++) {
    if (m->stand_in[i].node == node) return m->stand_in[i].reference;
  }
  return node;
}

static ms_status find_nodes(const ms_fem_model *m, const ms_condition *c, ms_mesh_set *set) {
  return ms_mesh_find_set(m->mesh, MS_SET_NODES, c->nodes ? c->nodes : c->faces, set);
}

static ms_status fix(ms_fem_model *m, const char *name, const ms_condition *c) {
  ms_mesh_set set;
  MS_TRY(find_nodes(m, c, &set));
  for (ptrdiff_t i = 0; i < set.n; i++) {
    const ptrdiff_t node = find_node(m, set.index[i]);
    if (c->value == 0.0) MS_TRY(ms_fem_fix(m, name, node, c->components));
    for (int k = 0; k < 6 && c->value != 0.0; k++) {
      if (!(c->components >> k & 1) || ms_fem_get_index(m, node, k) < 0) continue;
      MS_TRY(ms_fem_prescribe(m, name, node, k, c->value));
    }
  }
  return MS_SUCCESS;
}

static ms_status link_terms(ms_fem_model *m, const char *name, const ms_condition *c) {
  ms_fem_term term[MS_FEM_LINK_TERMS];
  if (c->n_term > MS_FEM_LINK_TERMS) {
    return ms_fail(m->ctx, MS_ERR_BOUNDS, "an equation of %d terms; at most %d", c->n_term,
                   MS_FEM_LINK_TERMS);
  }
  for (int i = 0; i < c->n_term; i++) {
    const ms_condition_term *t = &c->term[i];
    term[i] = (ms_fem_term) { find_node(m, t->node), t->component, t->factor };
  }
  return ms_fem_link(m, name, c->n_term, term, c->value);
}

/* Where the reference node is there already, from elements or from another spider, both are one. */
static ms_status link_reference(ms_fem_model *m, const char *name, const ms_condition *c,
                                ptrdiff_t spider) {
  const ptrdiff_t node = find_node(m, c->reference);
  for (int k = 0; k < 6; k++) {
    const ms_fem_term term[2] = { { spider, k, 1.0 }, { node, k, -1.0 } };
    if (ms_fem_get_index(m, node, k) < 0) continue;
    MS_TRY(ms_fem_link(m, name, 2, term, 0.0));
  }
  if (node != c->reference) return MS_SUCCESS;
  MS_TRY(ms_resize(m->ctx, m->n_stand_in + 1, sizeof *m->stand_in, &m->stand_in));
  m->stand_in[m->n_stand_in++] = (ms_fem_stand_in) { c->reference, spider };
  return MS_SUCCESS;
}

/* All directions that the nodes have. */
static ms_status check_components(const ms_fem_model *m, const ms_condition *c,
                                  const ms_mesh_set *set) {
  int want = MS_FEM_TRANSLATIONS;
  for (ptrdiff_t i = 0; i < set->n; i++) {
    if (ms_fem_get_index(m, set->index[i], 3) >= 0) want = MS_FEM_ALL;
  }
  if ((c->components & want) == want) return MS_SUCCESS;
  return ms_fail(
      m->ctx, MS_ERR_ARGUMENT,
      "it couples only some directions of its nodes, which is not supported; couple all");
}

static ms_status add_spider(ms_fem_model *m, const char *name, const ms_condition *c,
                            ptrdiff_t *reference) {
  const double *at = ms_fem_place(m, c->reference);
  ms_mesh_set set;
  MS_TRY(find_nodes(m, c, &set));
  MS_TRY(check_components(m, c, &set));
  const ms_spider spider = { .name = name,
                             .kind = c->kind == MS_CONDITION_RIGID ? MS_SPIDER_RIGID
                                                                   : MS_SPIDER_UNIFORM,
                             .at = { at[0], at[1], at[2] },
                             .n = set.n,
                             .node = set.index };
  MS_TRY(ms_fem_add_spider(m, &spider, reference));
  return link_reference(m, name, c, *reference);
}

ms_status ms_fem_add_condition(ms_fem_model *m, const char *name, const ms_condition *c,
                               ptrdiff_t *reference) {
  *reference = -1;
  switch (c->kind) {
  case MS_CONDITION_FIX:
    return fix(m, name, c);
  case MS_CONDITION_EQUATION:
    return link_terms(m, name, c);
  case MS_CONDITION_RIGID:
  case MS_CONDITION_AVERAGE:
    return add_spider(m, name, c, reference);
  case MS_CONDITION_TIE:
    return ms_fem_tie(m, name, c->nodes ? c->nodes : c->slave_faces, c->faces,
                      c->reach > 0.0 ? c->reach : ms_mesh_tol.reach);
  case MS_CONDITION_IGNORED:
    break;
  }
  return MS_SUCCESS;
}
