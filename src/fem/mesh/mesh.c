/* The mesh: nodes, parts, blocks of elements, labels. A few long arrays, nothing per element. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "fem/impl.h"

ms_status ms_mesh_create(ms_context *ctx, ms_mesh **out) {
  MS_MAKE(ctx, out, ctx);
  MS_TRY(ms_allocate(ctx, 1, sizeof **out, out));
  (*out)->ctx = ctx;
  return MS_SUCCESS;
}

void ms_mesh_destroy(ms_mesh **mesh) {
  if (!mesh || !*mesh) return;
  ms_mesh *m = *mesh;
  for (int i = 0; i < m->n_part; i++) ms_free(m->ctx, &m->part_name[i]);
  for (int i = 0; i < m->n_block; i++) ms_free(m->ctx, &m->block[i].node);
  for (int i = 0; i < m->n_set; i++) {
    ms_free(m->ctx, &m->set[i].name);
    ms_free(m->ctx, &m->set[i].index);
    ms_free(m->ctx, &m->set[i].face);
  }
  ms_mesh_free_conditions(m);
  ms_free(m->ctx, &m->x);
  ms_free(m->ctx, &m->node_label);
  ms_free(m->ctx, &m->element_label);
  ms_free(m->ctx, &m->part);
  ms_free(m->ctx, &m->part_name);
  ms_free(m->ctx, &m->block);
  ms_free(m->ctx, &m->set);
  ms_free(m->ctx, mesh);
}

/* ---- adding ---- */

/* Room for n more behind n_old labels, and their values; labels that need no array get none. */
static ms_status add_labels(ms_context *ctx, ptrdiff_t n_old, ptrdiff_t n, const ptrdiff_t *label,
                            ptrdiff_t **all) {
  if (!label && !*all) return MS_SUCCESS;
  ptrdiff_t from = *all ? n_old : 0;
  MS_TRY(ms_resize(ctx, n_old + n, sizeof **all, all));
  for (ptrdiff_t i = from; i < n_old + n; i++) {
    (*all)[i] = label && i >= n_old ? label[i - n_old] : i + 1;
  }
  return MS_SUCCESS;
}

static ms_status check_count(ms_context *ctx, ptrdiff_t n_old, ptrdiff_t n, const char *what) {
  if (n < 0) return ms_fail(ctx, MS_ERR_ARGUMENT, "%td %s cannot be added", n, what);
  if (n <= INT32_MAX - n_old) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_OVERFLOW, "a mesh has at most %d %s", INT32_MAX, what);
}

ms_status ms_mesh_add_nodes(ms_mesh *m, ptrdiff_t n, const double *x, const ptrdiff_t *label,
                            ptrdiff_t *first) {
  MS_TRY(check_count(m->ctx, m->n_node, n, "nodes"));
  for (ptrdiff_t i = 0; i < 3 * n; i++) {
    if (isfinite(x[i])) continue;
    return ms_fail(m->ctx, MS_ERR_NUMERIC, "node %td: its coordinates are not finite",
                   label ? label[i / 3] : m->n_node + i / 3 + 1);
  }
  if (n > 0) MS_TRY(ms_resize(m->ctx, 3 * (m->n_node + n), sizeof *m->x, &m->x));
  if (n > 0) MS_TRY(add_labels(m->ctx, m->n_node, n, label, &m->node_label));
  if (n > 0) memcpy(m->x + 3 * m->n_node, x, 3 * (size_t)n * sizeof *x);
  if (first) *first = m->n_node;
  m->n_node += n;
  return MS_SUCCESS;
}

static int has_part(const ms_mesh *m, const char *name) {
  for (int i = 0; i < m->n_part; i++) {
    if (strcmp(m->part_name[i], name) == 0) return 1;
  }
  return 0;
}

ms_status ms_mesh_add_part(ms_mesh *m, const ms_part *part, int *index) {
  if (!part->name || !*part->name) return ms_fail(m->ctx, MS_ERR_ARGUMENT, "a part needs a name");
  if (has_part(m, part->name)) {
    return ms_fail(m->ctx, MS_ERR_NAME, "there are two parts named '%s'", part->name);
  }
  MS_TRY(ms_resize(m->ctx, m->n_part + 1, sizeof *m->part, &m->part));
  MS_TRY(ms_resize(m->ctx, m->n_part + 1, sizeof *m->part_name, &m->part_name));
  MS_TRY(ms_text_copy(m->ctx, part->name, &m->part_name[m->n_part]));
  m->part[m->n_part] = *part;
  m->part[m->n_part].name = m->part_name[m->n_part];
  if (index) *index = m->n_part;
  m->n_part++;
  return MS_SUCCESS;
}

/* Nodes exist, and no element has one twice; springs may have theirs at one place, not one node. */
static ms_status check_nodes(const ms_mesh *m, const ms_element_info *info, ptrdiff_t n,
                             const int32_t *node, const ptrdiff_t *label) {
  int k = info->n_node;
  for (ptrdiff_t e = 0; e < n; e++) {
    const int32_t *a = node + k * e;
    ptrdiff_t name = label ? label[e] : m->n_element + e + 1;
    for (int i = 0; i < k; i++) {
      if (a[i] < 0 || a[i] >= m->n_node) {
        return ms_fail(m->ctx, MS_ERR_ARGUMENT, "element %td: its node %d is not in the mesh", name,
                       i + 1);
      }
      for (int j = 0; j < i; j++) {
        if (a[i] != a[j]) continue;
        return ms_fail(m->ctx, MS_ERR_ARGUMENT, "element %td (%s) has node %td twice", name,
                       info->name, ms_mesh_get_node_label(m, a[i]));
      }
    }
  }
  return MS_SUCCESS;
}

ms_status ms_mesh_add_elements(ms_mesh *m, int part, const char *element, ptrdiff_t n,
                               const int32_t *node, const ptrdiff_t *label, ptrdiff_t *first) {
  const ms_element_info *info;
  MS_TRY(ms_element_find(m->ctx, element, &info));
  if (part < 0 || part >= m->n_part) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "part %d: the mesh has %d parts", part, m->n_part);
  }
  ms_property property;
  MS_TRY(ms_property_prepare(m->ctx, &m->part[part], info->needs, &property));
  MS_TRY(check_count(m->ctx, m->n_element, n, "elements"));
  MS_TRY(check_nodes(m, info, n, node, label));
  if (first) *first = m->n_element;
  if (n == 0) return MS_SUCCESS;
  ms_element_block block = { ms_element_of(info), part, n, m->n_element, NULL };
  MS_TRY(ms_resize(m->ctx, m->n_block + 1, sizeof *m->block, &m->block));
  MS_TRY(add_labels(m->ctx, m->n_element, n, label, &m->element_label));
  MS_TRY(ms_resize(m->ctx, info->n_node * n, sizeof *node, &block.node));
  memcpy(block.node, node, (size_t)(info->n_node * n) * sizeof *node);
  m->block[m->n_block++] = block;
  m->n_element += n;
  return MS_SUCCESS;
}

/* ---- reading ---- */

ptrdiff_t ms_mesh_count_nodes(const ms_mesh *m) {
  return m->n_node;
}

ptrdiff_t ms_mesh_count_elements(const ms_mesh *m) {
  return m->n_element;
}

int ms_mesh_count_parts(const ms_mesh *m) {
  return m->n_part;
}

int ms_mesh_count_blocks(const ms_mesh *m) {
  return m->n_block;
}

const double *ms_mesh_get_nodes(const ms_mesh *m) {
  return m->x;
}

ptrdiff_t ms_mesh_get_node_label(const ms_mesh *m, ptrdiff_t node) {
  return m->node_label ? m->node_label[node] : node + 1;
}

ptrdiff_t ms_mesh_get_element_label(const ms_mesh *m, ptrdiff_t element) {
  return m->element_label ? m->element_label[element] : element + 1;
}

const ms_part *ms_mesh_get_part(const ms_mesh *m, int part) {
  return part >= 0 && part < m->n_part ? &m->part[part] : NULL;
}

ms_mesh_block ms_mesh_get_block(const ms_mesh *m, int block) {
  if (block < 0 || block >= m->n_block) return (ms_mesh_block) { .element = NULL };
  const ms_element_block *b = &m->block[block];
  return (ms_mesh_block) { &b->element->info, b->part, b->n, b->first, b->node };
}

int ms_mesh_find_block(const ms_mesh *m, ptrdiff_t element) {
  int low = 0, high = m->n_block; /* blocks follow each other */
  if (element < 0 || element >= m->n_element) return -1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (m->block[middle].first <= element)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static const char *part_name(const void *list, int i) {
  return ((const ms_mesh *)list)->part_name[i];
}

ms_status ms_mesh_find_part(const ms_mesh *m, const char *name, int *part) {
  for (int i = 0; i < m->n_part; i++) {
    if (strcmp(m->part_name[i], name) != 0) continue;
    *part = i;
    return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, part_name, m, m->n_part);
  if (near) {
    return ms_fail(m->ctx, MS_ERR_NAME, "unknown part '%s'; did you mean '%s'?", name, near);
  }
  return ms_fail(m->ctx, MS_ERR_NAME, "unknown part '%s' in a mesh of %d", name, m->n_part);
}

const char *ms_mesh_find_part_at(const ms_mesh *m, ptrdiff_t node) {
  for (int b = 0; b < ms_mesh_count_blocks(m); b++) {
    const ms_mesh_block block = ms_mesh_get_block(m, b);
    for (ptrdiff_t i = 0; i < block.n * block.element->n_node; i++) {
      if (block.node[i] == node) return m->part_name[block.part];
    }
  }
  return "";
}

void ms_mesh_describe(const ms_mesh *m, ptrdiff_t element, char *text, size_t size) {
  int k = ms_mesh_find_block(m, element);
  if (k < 0) {
    snprintf(text, size, "no element");
    return;
  }
  const ms_element_block *b = &m->block[k];
  snprintf(text, size, "element %td (%s) of part '%s'", ms_mesh_get_element_label(m, element),
           b->element->info.name, m->part_name[b->part]);
}
