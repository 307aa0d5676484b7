/* Bodies grow from element to element. A solid joins a body that has three of its nodes which are
   not in line, a beam one that has a node of it with rotations. Two bodies that have fewer nodes in
   common, an edge or a point, stay two: a hinge. So may two that have enough, if no single element
   shows it; what they share says then that they move together. */
#include "fem/mesh/bodies.h"
#include "fem/tolerance.h"

#include <math.h>
#include <string.h>

typedef struct growth {
  ms_context *ctx;
  const ms_mesh *mesh;
  ms_bodies *out;
  int32_t *start, *list;     /* elements at each node */
  int32_t *body;             /* of an element, or -1 */
  int32_t *mark, *mark_turn; /* of a node: the last body that took it, and its rotations */
  int32_t *queue;
  ptrdiff_t n_queue;
} growth;

static const int32_t *nodes_of(const ms_mesh *mesh, ptrdiff_t e, const ms_element_info **info) {
  const ms_element_block *b = &mesh->block[ms_mesh_find_block(mesh, e)];
  *info = &b->element->info;
  return b->node + (*info)->n_node * (e - b->first);
}

/* Masses and springs are no bodies. */
static int is_body(const ms_element_info *info) {
  return info->dimension > 0;
}

static ms_status list_elements(growth *g) {
  const ms_mesh *m = g->mesh;
  MS_TRY(ms_allocate(g->ctx, m->n_node + 2, sizeof *g->start, &g->start));
  for (int fill = 0; fill < 2; fill++) {
    for (int k = 0; k < m->n_block; k++) {
      const ms_element_block *b = &m->block[k];
      int n = b->element->info.n_node;
      for (ptrdiff_t i = 0; is_body(&b->element->info) && i < n * b->n; i++) {
        int32_t *at = &g->start[b->node[i] + (fill ? 1 : 2)];
        if (fill) g->list[*at] = (int32_t)(b->first + i / n);
        (*at)++;
      }
    }
    if (fill) break;
    for (ptrdiff_t i = 1; i < m->n_node + 2; i++) g->start[i] += g->start[i - 1];
    MS_TRY(ms_allocate(g->ctx, g->start[m->n_node + 1] + 1, sizeof *g->list, &g->list));
  }
  return MS_SUCCESS;
}

static double cross(const double *a, const double *b, const double *c) {
  double p[3], q[3], r[3];
  for (int i = 0; i < 3; i++) p[i] = b[i] - a[i], q[i] = c[i] - a[i];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    r[i] = p[j] * q[k] - p[k] * q[j];
  }
  double size = hypot(hypot(p[0], p[1]), p[2]) * hypot(hypot(q[0], q[1]), q[2]);
  return size > 0.0 ? hypot(hypot(r[0], r[1]), r[2]) / size : 0.0;
}

static int joins(const growth *g, ptrdiff_t e, int32_t id) {
  const ms_element_info *info;
  const int32_t *node = nodes_of(g->mesh, e, &info);
  const double *at[MS_ELEMENT_NODES], *x = g->mesh->x;
  int n = 0;
  for (int i = 0; i < info->n_node; i++) {
    if (info->n_dof == 6 && g->mark_turn[node[i]] == id) return 1;
    if (g->mark[node[i]] == id) at[n++] = x + 3 * (ptrdiff_t)node[i];
  }
  for (int k = 2; k < n && info->n_dof == 3; k++) {
    if (cross(at[0], at[1], at[k]) > ms_mesh_tol.in_line) return 1;
  }
  return 0;
}

static ms_status share(growth *g, int32_t node, int32_t id) {
  ms_bodies *o = g->out;
  if (o->n_shared == o->max_shared) {
    ptrdiff_t more = 2 * o->max_shared + 64;
    MS_TRY(ms_resize(g->ctx, 2 * more, sizeof *o->shared, &o->shared));
    o->max_shared = more;
  }
  o->shared[2 * o->n_shared] = node;
  o->shared[2 * o->n_shared++ + 1] = id;
  return MS_SUCCESS;
}

static void stretch(ms_body *b, const double *x, double *low, double *high) {
  b->size = 0.0;
  for (int a = 0; a < 3; a++) {
    low[a] = fmin(low[a], x[a]);
    high[a] = fmax(high[a], x[a]);
    b->centre[a] = (low[a] + high[a]) / 2;
    b->size = hypot(b->size, high[a] - low[a]);
  }
}

static void enqueue_neighbours(growth *g, int32_t node, int32_t id) {
  for (int32_t j = g->start[node]; j < g->start[node + 1]; j++) {
    int32_t e = g->list[j];
    if (g->body[e] >= 0 || !joins(g, e, id)) continue;
    g->body[e] = id;
    g->queue[g->n_queue++] = e;
  }
}

/* All that follows element e, which begins a body. */
static ms_status grow(growth *g, int32_t e, int32_t id) {
  ms_bodies *o = g->out;
  double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  g->body[e] = id;
  g->queue[0] = e;
  g->n_queue = 1;
  for (ptrdiff_t k = 0; k < g->n_queue; k++) {
    const ms_element_info *info;
    const int32_t *node = nodes_of(g->mesh, g->queue[k], &info);
    for (int i = 0; i < info->n_node; i++) {
      int fresh = g->mark[node[i]] != id;
      if (info->n_dof == 6) {
        fresh = fresh || g->mark_turn[node[i]] != id;
        o->turn[node[i]] = g->mark_turn[node[i]] = id;
      }
      if (g->mark[node[i]] != id && o->of[node[i]] >= 0) MS_TRY(share(g, node[i], id));
      if (o->of[node[i]] < 0) o->of[node[i]] = id;
      g->mark[node[i]] = id;
      stretch(&o->body[id], g->mesh->x + 3 * (ptrdiff_t)node[i], low, high);
      if (fresh) enqueue_neighbours(g, node[i], id);
    }
  }
  return MS_SUCCESS;
}

static ms_status find(growth *g) {
  const ms_mesh *m = g->mesh;
  ms_bodies *o = g->out;
  int32_t **list[] = { &o->of, &o->turn, &g->mark, &g->mark_turn };
  for (int k = 0; k < 4; k++) {
    MS_TRY(ms_allocate(g->ctx, m->n_node + 1, sizeof **list[k], list[k]));
    memset(*list[k], -1, (size_t)m->n_node * sizeof **list[k]);
  }
  MS_TRY(ms_allocate(g->ctx, m->n_element + 1, sizeof *g->body, &g->body));
  MS_TRY(ms_allocate(g->ctx, m->n_element + 1, sizeof *g->queue, &g->queue));
  memset(g->body, -1, (size_t)m->n_element * sizeof *g->body);
  MS_TRY(list_elements(g));
  for (int k = 0; k < m->n_block; k++) {
    const ms_element_block *b = &m->block[k];
    for (ptrdiff_t e = b->first; is_body(&b->element->info) && e < b->first + b->n; e++) {
      if (g->body[e] >= 0) continue;
      MS_TRY(ms_resize(g->ctx, o->n + 1, sizeof *o->body, &o->body));
      o->body[o->n] = (ms_body) { .part = b->part };
      MS_TRY(grow(g, (int32_t)e, (int32_t)o->n++));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_bodies_find(ms_context *ctx, const ms_mesh *mesh, ms_bodies *out) {
  growth g = { .ctx = ctx, .mesh = mesh, .out = out };
  *out = (ms_bodies) { 0 };
  ms_status status = find(&g);
  ms_free(ctx, &g.start);
  ms_free(ctx, &g.list);
  ms_free(ctx, &g.body);
  ms_free(ctx, &g.mark);
  ms_free(ctx, &g.mark_turn);
  ms_free(ctx, &g.queue);
  return status;
}

void ms_bodies_free(ms_context *ctx, ms_bodies *b) {
  ms_free(ctx, &b->body);
  ms_free(ctx, &b->of);
  ms_free(ctx, &b->turn);
  ms_free(ctx, &b->shared);
  *b = (ms_bodies) { 0 };
}

void ms_body_fill_motions(const ms_body *b, int c, const double *x, double *v) {
  memset(v, 0, 6 * sizeof *v);
  if (c >= 3) {
    v[c] = 1.0 / b->size;
    return;
  }
  int j = (c + 1) % 3, k = (c + 2) % 3;
  v[c] = 1.0;
  v[3 + j] = (x[k] - b->centre[k]) / b->size;
  v[3 + k] = -(x[j] - b->centre[j]) / b->size;
}
