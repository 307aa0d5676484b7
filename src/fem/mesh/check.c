/* The check of a mesh: shapes, free and duplicate nodes, pieces. */
#include <math.h>
#include <stdio.h>

#include "fem/impl.h"

ms_mesh_check_settings ms_mesh_check_defaults(void) {
  return (ms_mesh_check_settings) { .min_quality = 0.1, .tolerance = 1e-9 };
}

/* ---- shapes ---- */

static void check_shapes(const ms_mesh *m, double min_quality, ms_mesh_report *out) {
  double x[3 * MS_ELEMENT_NODES];
  for (int k = 0; k < m->n_block; k++) {
    const ms_element_block *b = &m->block[k];
    for (ptrdiff_t e = 0; e < b->n && b->element->quality; e++) {
      ms_block_gather(m, b, e, x);
      ms_quality q = b->element->quality(x);
      out->volume += q.volume;
      if (!(q.scaled_jacobian > 0.0))
        out->n_inverted++;
      else if (q.scaled_jacobian < min_quality)
        out->n_distorted++;
      if (out->worst >= 0 && q.scaled_jacobian >= out->worst_quality) continue;
      out->worst = b->first + e;
      out->worst_quality = q.scaled_jacobian;
    }
  }
}

/* ---- pieces: sets of nodes joined by elements, each a tree with its lowest node as root ---- */

static int32_t root_of(int32_t *parent, int32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]]; /* halves the path for the next one */
    i = parent[i];
  }
  return i;
}

static void join(int32_t *parent, int32_t i, int32_t j) {
  i = root_of(parent, i);
  j = root_of(parent, j);
  if (i < j)
    parent[j] = i;
  else
    parent[i] = j;
}

/* ---- duplicates ---- */

/* Diagonal of the box around all nodes. */
static double mesh_size(const ms_mesh *m) {
  double sum = 0.0;
  for (int a = 0; a < 3; a++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (ptrdiff_t i = 0; i < m->n_node; i++) {
      low = fmin(low, m->x[3 * i + a]);
      high = fmax(high, m->x[3 * i + a]);
    }
    sum += (high - low) * (high - low);
  }
  return sqrt(sum);
}

static void count_duplicates(const ms_mesh *m, const int32_t *original, ms_mesh_report *out) {
  for (ptrdiff_t i = 0; i < m->n_node; i++) {
    if (original[i] == i) continue;
    if (out->n_duplicate++ == 0) out->duplicate_node = i;
  }
}

/* ---- the report ---- */

static void describe(const ms_mesh *m, const ms_mesh_check_settings *s, ms_mesh_report *r) {
  char name[128];
  size_t size = sizeof r->text;
  ms_mesh_describe(m, r->worst, name, sizeof name);
  if (r->n_inverted > 0) {
    snprintf(r->text, size,
             "%td elements are inside out or flat, the worst %s (scaled Jacobian %.3g)",
             r->n_inverted, name, r->worst_quality);
  } else if (r->n_distorted > 0) {
    snprintf(r->text, size,
             "%td elements are distorted (scaled Jacobian below %g), the worst %s (%.3g)",
             r->n_distorted, s->min_quality, name, r->worst_quality);
  } else if (r->n_free > 0) {
    snprintf(r->text, size, "%td nodes belong to no element, the first is node %td", r->n_free,
             ms_mesh_get_node_label(m, r->free_node));
  }
}

ms_status ms_mesh_check(const ms_mesh *m, const ms_mesh_check_settings *settings,
                        ms_mesh_report *out) {
  ms_mesh_check_settings s = settings ? *settings : ms_mesh_check_defaults();
  *out = (ms_mesh_report) { .free_node = -1, .duplicate_node = -1, .worst = -1 };
  if (m->n_node == 0) return ms_fail(m->ctx, MS_ERR_STATE, "the mesh has no nodes");
  int32_t *work;
  MS_TRY(ms_allocate(m->ctx, m->n_node, sizeof *work, &work));
  check_shapes(m, s.min_quality, out);
  /* work: the root of a node among those it is joined with, -1 if no element uses it. */
  for (ptrdiff_t i = 0; i < m->n_node; i++) work[i] = -1;
  for (int k = 0; k < m->n_block; k++) {
    const ms_element_block *b = &m->block[k];
    int n = b->element->info.n_node;
    for (ptrdiff_t i = 0; i < n * b->n; i++) {
      int32_t node = b->node[i];
      if (work[node] < 0) work[node] = node;
      if (i % n) join(work, b->node[i - i % n], node);
    }
  }
  for (ptrdiff_t i = 0; i < m->n_node; i++) {
    if (work[i] == i) out->n_piece++;
    if (work[i] >= 0) continue;
    if (out->n_free++ == 0) out->free_node = i;
  }
  ms_status status =
      ms_nearby_find(m->ctx, m->n_node, m->x, NULL, s.tolerance * mesh_size(m), work);
  if (status == MS_SUCCESS) count_duplicates(m, work, out);
  ms_free(m->ctx, &work);
  describe(m, &s, out);
  return status;
}
