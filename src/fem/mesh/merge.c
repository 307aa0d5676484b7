/* Parts tied by sharing the nodes where they touch. */
#include <math.h>
#include <string.h>

#include "fem/impl.h"

/* ---- which nodes ---- */

static int is_chosen(int n_part, const int *part, int k) {
  for (int i = 0; i < n_part; i++) {
    if (part[i] == k) return 1;
  }
  return n_part == 0;
}

/* An element with a node twice after the merge; springs are meant to span nothing but need both. */
static ms_status check_collapse(const ms_mesh *m, const int32_t *original, double tolerance) {
  for (int k = 0; k < m->n_block; k++) {
    const ms_element_block *b = &m->block[k];
    int n = b->element->info.n_node;
    for (ptrdiff_t e = 0; e < b->n; e++) {
      const int32_t *node = b->node + n * e;
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
          if (original[node[i]] != original[node[j]]) continue;
          char text[128];
          ms_mesh_describe(m, b->first + e, text, sizeof text);
          return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                         "merging nodes within %g m would collapse %s; name the parts to merge, or "
                         "use a smaller tolerance",
                         tolerance, text);
        }
      }
    }
  }
  return MS_SUCCESS;
}

/* ---- the new numbers ---- */

/* New numbers in a set of nodes, each once; seen is one byte per node, zero before and after. */
static void renumber_set(ms_set *s, const int32_t *number, unsigned char *seen) {
  ptrdiff_t kept = 0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    int32_t node = number[s->index[i]];
    if (seen[node]) continue;
    seen[node] = 1;
    s->index[kept++] = node;
  }
  s->n = kept;
  for (ptrdiff_t i = 0; i < kept; i++) seen[s->index[i]] = 0;
}

static void apply(ms_mesh *m, int32_t *number, unsigned char *seen) {
  /* Turns originals into new numbers, which close up. */
  ptrdiff_t kept = 0;
  for (ptrdiff_t i = 0; i < m->n_node; i++) {
    if (number[i] != i) { /* its original came before it and has its new number */
      number[i] = number[number[i]];
      continue;
    }
    number[i] = (int32_t)kept;
    memmove(m->x + 3 * kept, m->x + 3 * i, 3 * sizeof *m->x);
    if (m->node_label) m->node_label[kept] = m->node_label[i];
    kept++;
  }
  memset(seen, 0, (size_t)m->n_node);
  for (int k = 0; k < m->n_block; k++) {
    ms_element_block *b = &m->block[k];
    for (ptrdiff_t i = 0; i < b->n * b->element->info.n_node; i++) b->node[i] = number[b->node[i]];
  }
  for (int k = 0; k < m->n_set; k++) {
    if (m->set[k].kind == MS_SET_NODES) renumber_set(&m->set[k], number, seen);
  }
  ms_mesh_renumber_conditions(m, number);
  m->n_node = kept;
}

static ms_status merge(ms_mesh *m, int n_part, const int *part, double tolerance, int32_t *number,
                       unsigned char *used) {
  for (int k = 0; k < m->n_block; k++) {
    const ms_element_block *b = &m->block[k];
    if (!is_chosen(n_part, part, b->part)) continue;
    for (ptrdiff_t i = 0; i < b->n * b->element->info.n_node; i++) used[b->node[i]] = 1;
  }
  MS_TRY(ms_nearby_find(m->ctx, m->n_node, m->x, used, tolerance, number));
  MS_TRY(check_collapse(m, number, tolerance));
  apply(m, number, used);
  return MS_SUCCESS;
}

ms_status ms_mesh_merge(ms_mesh *m, int n_part, const int *part, double tolerance,
                        ptrdiff_t *n_merged) {
  if (!(tolerance >= 0.0) || !isfinite(tolerance)) {
    return ms_fail(m->ctx, MS_ERR_BOUNDS,
                   "the tolerance for merging is %g m; it must not be "
                   "negative",
                   tolerance);
  }
  for (int i = 0; i < n_part; i++) {
    if (part[i] >= 0 && part[i] < m->n_part) continue;
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "part %d: the mesh has %d parts", part[i], m->n_part);
  }
  ptrdiff_t before = m->n_node;
  int32_t *number = NULL;
  unsigned char *used = NULL;
  ms_status status = before > 0 ? ms_allocate(m->ctx, before, sizeof *number, &number) : MS_SUCCESS;
  if (status == MS_SUCCESS && before > 0) status = ms_allocate(m->ctx, before, 1, &used);
  if (status == MS_SUCCESS && before > 0) {
    status = merge(m, n_part, part, tolerance, number, used);
  }
  ms_free(m->ctx, &number);
  ms_free(m->ctx, &used);
  if (status == MS_SUCCESS && n_merged) *n_merged = before - m->n_node;
  return status;
}
