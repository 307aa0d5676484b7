/* The model before it is solved: coordinates of nodes, supports, links, springs, what is kept. */
#include "fem/model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "structure/labels.h"

ms_fem_settings ms_fem_defaults(void) {
  return (
      ms_fem_settings) { .tolerance = 1e-10, .check_count = 1, .tol = MS_FEM_TOLERANCES_DEFAULT };
}

/* ---- life ---- */

ms_status ms_fem_create(ms_context *ctx, const ms_mesh *mesh, ms_fem_model **out) {
  MS_MAKE(ctx, out, mesh);
  if (mesh->n_node > INT32_MAX / 8) {
    return ms_fail(ctx, MS_ERR_OVERFLOW, "a model has at most %d nodes", INT32_MAX / 8);
  }
  ms_fem_model *m;
  MS_TRY(ms_allocate(ctx, 1, sizeof *m, &m));
  m->ctx = m->equations.ctx = ctx;
  m->mesh = mesh;
  m->n_node = mesh->n_node;
  ms_status status = ms_allocate(ctx, m->n_node + 1, sizeof *m->first, &m->first);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, m->n_node + 1, 1, &m->n_comp);
  if (status != MS_SUCCESS) {
    ms_fem_destroy(&m);
    return status;
  }
  /* Three or six coordinates for every node that has elements, in the order of nodes. */
  for (int k = 0; k < m->mesh->n_block; k++) {
    const ms_element_block *b = &m->mesh->block[k];
    int n_dof = b->element->info.n_dof, n_node = b->element->info.n_node;
    for (ptrdiff_t i = 0; i < n_node * b->n; i++) {
      if (m->n_comp[b->node[i]] < n_dof) m->n_comp[b->node[i]] = (unsigned char)n_dof;
    }
  }
  for (ptrdiff_t i = 0; i < m->n_node; i++) {
    m->first[i] = m->n_comp[i] ? (int32_t)m->n : -1;
    m->n += m->n_comp[i];
  }
  if (mesh->sector > 0.0) status = ms_fem_link_sector(m);
  if (status != MS_SUCCESS) ms_fem_destroy(&m);
  *out = m;
  return status;
}

void ms_fem_destroy(ms_fem_model **model) {
  if (!model || !*model) return;
  ms_fem_model *m = *model;
  ms_fem_engine_close(m);
  for (ptrdiff_t i = m->mesh->n_node; i < m->n_node; i++) {
    ms_free(m->ctx, &m->ref_name[i - m->mesh->n_node]);
  }
  for (int i = 0; i < m->n_kept; i++) ms_free(m->ctx, &m->kept[i].name);
  ms_equations_free(&m->equations);
  ms_elimination_free(m->ctx, &m->T);
  ms_free(m->ctx, &m->first);
  ms_free(m->ctx, &m->n_comp);
  ms_free(m->ctx, &m->at);
  ms_free(m->ctx, &m->ref_name);
  ms_free(m->ctx, &m->spring);
  ms_free(m->ctx, &m->kept);
  ms_free(m->ctx, &m->stand_in);
  ms_free(m->ctx, &m->contact_point);
  ms_free(m->ctx, &m->twin);
  ms_free(m->ctx, model);
}

/* ---- coordinates ---- */

ptrdiff_t ms_fem_get_size(const ms_fem_model *m) {
  return m->n;
}

ptrdiff_t ms_fem_get_index(const ms_fem_model *m, ptrdiff_t node, int component) {
  if (node < 0 || node >= m->n_node || component < 0 || component >= m->n_comp[node]) return -1;
  return m->first[node] + component;
}

const double *ms_fem_place(const ms_fem_model *m, ptrdiff_t node) {
  ptrdiff_t n = m->mesh->n_node;
  return node < n ? m->mesh->x + 3 * node : m->at + 3 * (node - n);
}

static void describe_node(const ms_fem_model *m, ptrdiff_t node, char *text, size_t size) {
  ptrdiff_t n = m->mesh->n_node;
  if (node >= n && node < m->n_node) {
    snprintf(text, size, "spider '%s'", m->ref_name[node - n]);
  } else if (node >= 0 && node < n) {
    snprintf(text, size, "node %td", ms_mesh_get_node_label(m->mesh, node));
  } else {
    snprintf(text, size, "no node");
  }
}

void ms_fem_describe(const void *model, int32_t index, char *text, size_t size) {
  const ms_fem_model *m = model;
  /* The node of a coordinate: the last whose first is not beyond it. */
  ptrdiff_t node = 0;
  for (ptrdiff_t i = 0; i < m->n_node; i++) {
    if (m->first[i] >= 0 && m->first[i] <= index) node = i;
  }
  char name[72];
  describe_node(m, node, name, sizeof name);
  snprintf(text, size, "%s %s", name, ms_component_name[(index - m->first[node]) % 6]);
}

ms_status ms_fem_check_open(const ms_fem_model *m) {
  if (!m->engine) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_STATE, "the model is set up and can no longer be changed");
}

ms_status ms_fem_find_index(const ms_fem_model *m, ptrdiff_t node, int component, int32_t *index) {
  char name[72];
  *index = (int32_t)ms_fem_get_index(m, node, component);
  if (*index >= 0) return MS_SUCCESS;
  describe_node(m, node, name, sizeof name);
  return ms_fail(m->ctx, MS_ERR_ARGUMENT, "%s has no degree of freedom %s", name,
                 component >= 0 && component < 6 ? ms_component_name[component] : "of that number");
}

/* ---- supports ---- */

static ms_status prescribe(ms_fem_model *m, int owner, int32_t index, double value) {
  const double one = 1.0;
  ms_equation q = { .owner = owner, .wish = index, .support = 1, .value = value };
  return ms_equations_add(&m->equations, q, 1, &index, &one);
}

ms_status ms_fem_fix(ms_fem_model *m, const char *name, ptrdiff_t node, int components) {
  int owner;
  MS_TRY(ms_fem_check_open(m));
  if (node < 0 || node >= m->n_node) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "'%s': there is no node with index %td", name, node);
  }
  MS_TRY(ms_equations_name(&m->equations, name, &owner));
  for (int c = 0; c < m->n_comp[node]; c++) {
    if (components >> c & 1) MS_TRY(prescribe(m, owner, m->first[node] + c, 0.0));
  }
  return MS_SUCCESS;
}

ms_status ms_fem_fix_set(ms_fem_model *m, const char *set, int components) {
  ms_mesh_set nodes;
  MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_NODES, set, &nodes));
  for (ptrdiff_t i = 0; i < nodes.n; i++) MS_TRY(ms_fem_fix(m, set, nodes.index[i], components));
  return MS_SUCCESS;
}

static ms_status check_finite(const ms_fem_model *m, const char *name, double value) {
  if (isfinite(value)) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_NUMERIC, "'%s': a value is not finite", name);
}

ms_status ms_fem_prescribe(ms_fem_model *m, const char *name, ptrdiff_t node, int component,
                           double value) {
  int owner;
  int32_t index;
  MS_TRY(ms_fem_check_open(m));
  MS_TRY(check_finite(m, name, value));
  MS_TRY(ms_fem_find_index(m, node, component, &index));
  MS_TRY(ms_equations_name(&m->equations, name, &owner));
  return prescribe(m, owner, index, value);
}

/* ---- links and springs ---- */

static ms_status gather_terms(const ms_fem_model *m, const char *name, int most, int n,
                              const ms_fem_term *term, int32_t *index, double *coef) {
  if (n < 1 || n > most) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "'%s': 1 to %d terms, not %d", name, most, n);
  }
  for (int i = 0; i < n; i++) {
    MS_TRY(check_finite(m, name, term[i].factor));
    MS_TRY(ms_fem_find_index(m, term[i].node, term[i].component, &index[i]));
    coef[i] = term[i].factor;
  }
  return MS_SUCCESS;
}

ms_status ms_fem_link(ms_fem_model *m, const char *name, int n, const ms_fem_term *term,
                      double value) {
  int32_t index[MS_FEM_LINK_TERMS];
  double coef[MS_FEM_LINK_TERMS];
  ms_equation q = { .wish = -1, .value = value };
  MS_TRY(ms_fem_check_open(m));
  MS_TRY(check_finite(m, name, value));
  MS_TRY(gather_terms(m, name, MS_FEM_LINK_TERMS, n, term, index, coef));
  MS_TRY(ms_equations_name(&m->equations, name, &q.owner));
  return ms_equations_add(&m->equations, q, n, index, coef);
}

ms_status ms_fem_add_spring(ms_fem_model *m, int n, const ms_fem_term *term, double k) {
  ms_fem_spring s = { .n = n, .k = k };
  MS_TRY(ms_fem_check_open(m));
  MS_TRY(check_finite(m, "spring", k));
  MS_TRY(gather_terms(m, "spring", MS_FEM_SPRING_TERMS, n, term, s.index, s.coef));
  MS_TRY(ms_resize(m->ctx, m->n_spring + 1, sizeof *m->spring, &m->spring));
  m->spring[m->n_spring++] = s;
  return MS_SUCCESS;
}

/* ---- what is kept ---- */

static ms_status keep(ms_fem_model *m, const char *name, int32_t index, int component) {
  char text[192];
  for (int i = 0; i < m->n_kept; i++) {
    if (m->kept[i].index != index) continue;
    ms_fem_describe(m, index, text, sizeof text);
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "'%s': %s is kept already, as %s", name, text,
                   m->kept[i].name);
  }
  MS_TRY(ms_resize(m->ctx, m->n_kept + 1, sizeof *m->kept, &m->kept));
  snprintf(text, sizeof text, "%s.%s", name, ms_component_name[component]);
  MS_TRY(ms_text_copy(m->ctx, text, &m->kept[m->n_kept].name));
  m->kept[m->n_kept].component = component;
  m->kept[m->n_kept++].index = index;
  return MS_SUCCESS;
}

ms_status ms_fem_keep(ms_fem_model *m, const char *name, ptrdiff_t node, int components) {
  MS_TRY(ms_fem_check_open(m));
  if (node < 0 || node >= m->n_node) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "'%s': there is no node with index %td", name, node);
  }
  for (int c = 0; c < m->n_comp[node]; c++) {
    if (components >> c & 1) MS_TRY(keep(m, name, m->first[node] + c, c));
  }
  return MS_SUCCESS;
}

/* ---- small answers ---- */

ptrdiff_t ms_fem_count_unknowns(const ms_fem_model *m) {
  return m->n - m->T.n_row;
}

ptrdiff_t ms_fem_count_redundant(const ms_fem_model *m) {
  return m->T.n_redundant;
}

void ms_fem_fill_nodes(const ms_fem_model *m, const double *u, double *values) {
  for (ptrdiff_t i = 0; i < m->mesh->n_node; i++) {
    for (int a = 0; a < 3; a++) values[3 * i + a] = m->first[i] >= 0 ? u[m->first[i] + a] : 0.0;
  }
}

ms_status ms_fem_take_basis(const ms_fem_model *m, ms_reduced *r, double **basis) {
  const ptrdiff_t rows = 3 * m->mesh->n_node;
  MS_TRY(ms_allocate(m->ctx, rows * r->n, sizeof **basis, basis));
  for (ptrdiff_t j = 0; j < r->n; j++) {
    ms_fem_fill_nodes(m, r->basis + r->n_row * j, *basis + rows * j);
  }
  ms_free(m->ctx, &r->basis);
  r->n_row = 0;
  return MS_SUCCESS;
}

const char *ms_fem_get_line(const ms_fem_model *m) {
  return m->line;
}
