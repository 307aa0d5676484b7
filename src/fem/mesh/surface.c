/* The surface of a mesh: faces that belong to one solid only, and edges where they meet at an
   angle.

   Faces and edges are found again by their corners, which hang in chains from a table of heads. */
#include "fem/mesh/surface.h"

#include <math.h>
#include <string.h>

/* ---- a list of keys, each once ---- */

typedef struct entry {
  int32_t key[4]; /* ascending */
  int32_t next;   /* 0: none, else entry + 1 */
  int32_t n;      /* times it was met */
  int32_t owner;  /* face: its element; edge: its first outer face */
  unsigned char side, sharp;
} entry;

typedef struct list {
  ms_context *ctx;
  int32_t *head;
  entry *entry;
  ptrdiff_t n, capacity;
  uint64_t mask;
} list;

static ms_status open_list(list *l, ms_context *ctx, ptrdiff_t n) {
  ptrdiff_t size = 1;
  while (size < n / 2) size *= 2;
  *l = (list) { .ctx = ctx, .mask = (uint64_t)size - 1 };
  return ms_allocate(ctx, size, sizeof *l->head, &l->head);
}

static void close_list(list *l) {
  if (!l->ctx) return;
  ms_free(l->ctx, &l->head);
  ms_free(l->ctx, &l->entry);
}

static uint64_t hash(const int32_t *key) {
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 4; i++) {
    h = (h ^ (uint64_t)(uint32_t)key[i]) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h;
}

/* The entry of n nodes in any order; a new one has n = 0. */
static ms_status find(list *l, int n, const int32_t *node, entry **out) {
  int32_t key[4] = { -1, -1, -1, -1 };
  for (int i = 0; i < n; i++) {
    int at = i;
    for (; at > 0 && key[at - 1] > node[i]; at--) key[at] = key[at - 1];
    key[at] = node[i];
  }
  int32_t *head = &l->head[hash(key) & l->mask];
  for (int32_t k = *head; k; k = l->entry[k - 1].next) {
    *out = &l->entry[k - 1];
    if (memcmp((*out)->key, key, sizeof key) == 0) return MS_SUCCESS;
  }
  if (l->n == l->capacity) {
    l->capacity = l->capacity ? 2 * l->capacity : 1024;
    MS_TRY(ms_resize(l->ctx, l->capacity, sizeof *l->entry, &l->entry));
  }
  entry *e = &l->entry[l->n++];
  *e = (entry) { .next = *head };
  memcpy(e->key, key, sizeof key);
  *head = (int32_t)l->n;
  *out = e;
  return MS_SUCCESS;
}

/* ---- outer faces ---- */

typedef struct outer {
  int32_t node[MS_FACE_NODES];
  int n_node, n_corner, part;
  double normal[3]; /* of length 1, or 0 */
} outer;

static ptrdiff_t count_faces(const ms_mesh *m) {
  ptrdiff_t n = 0;
  for (int k = 0; k < m->n_block; k++) n += m->block[k].n * m->block[k].element->info.n_face;
  return n;
}

static ms_status meet_faces(const ms_element_block *b, list *faces) {
  const ms_element_info *info = &b->element->info;
  for (ptrdiff_t e = 0; e < b->n; e++) {
    for (int f = 0; f < info->n_face; f++) {
      int32_t corner[4];
      for (int i = 0; i < info->face[f].n_corner; i++)
        corner[i] = b->node[info->n_node * e + info->face[f].node[i]];
      entry *at;
      MS_TRY(find(faces, info->face[f].n_corner, corner, &at));
      at->n++;
      at->owner = (int32_t)(b->first + e), at->side = (unsigned char)f;
    }
  }
  return MS_SUCCESS;
}

/* By the diagonals; of a triangle, by two sides. */
static void find_normal(const double *x, outer *o) {
  const double *a = x + 3 * (ptrdiff_t)o->node[0], *b = x + 3 * (ptrdiff_t)o->node[1];
  const double *c = x + 3 * (ptrdiff_t)o->node[2],
               *d = o->n_corner == 4 ? x + 3 * (ptrdiff_t)o->node[3] : c;
  double length = 0.0;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    o->normal[i] = (c[j] - a[j]) * (d[k] - b[k]) - (c[k] - a[k]) * (d[j] - b[j]);
    length = hypot(length, o->normal[i]);
  }
  for (int i = 0; i < 3 && length > 0.0; i++) o->normal[i] /= length;
}

static outer make_outer(const ms_mesh *m, const entry *e) {
  const ms_element_block *b = &m->block[ms_mesh_find_block(m, e->owner)];
  const ms_face *f = &b->element->info.face[e->side];
  const int32_t *node = b->node + b->element->info.n_node * (e->owner - b->first);
  outer o = { .n_node = f->n_node, .n_corner = f->n_corner, .part = b->part };
  for (int i = 0; i < f->n_node; i++) o.node[i] = node[f->node[i]];
  find_normal(m->x, &o);
  return o;
}

static ms_status collect_outer(const ms_mesh *m, list *faces, outer **out, ptrdiff_t *n) {
  MS_TRY(open_list(faces, m->ctx, count_faces(m)));
  for (int k = 0; k < m->n_block; k++) MS_TRY(meet_faces(&m->block[k], faces));
  *n = 0;
  for (ptrdiff_t i = 0; i < faces->n; i++) *n += faces->entry[i].n == 1;
  MS_TRY(ms_allocate(m->ctx, *n, sizeof **out, out));
  ptrdiff_t k = 0;
  for (ptrdiff_t i = 0; i < faces->n; i++)
    if (faces->entry[i].n == 1) (*out)[k++] = make_outer(m, &faces->entry[i]);
  return MS_SUCCESS;
}

static ms_status find_outer(const ms_mesh *m, outer **out, ptrdiff_t *n) {
  list faces = { 0 };
  ms_status status = collect_outer(m, &faces, out, n);
  close_list(&faces);
  return status;
}

/* ---- edges ---- */

static ms_status meet_edges(list *edges, const outer *face, ptrdiff_t n, double cosine) {
  for (ptrdiff_t i = 0; i < n; i++) {
    for (int k = 0; k < face[i].n_corner; k++) {
      int32_t end[2] = { face[i].node[k], face[i].node[(k + 1) % face[i].n_corner] };
      entry *e;
      MS_TRY(find(edges, 2, end, &e));
      if (e->n++ == 0) {
        e->owner = (int32_t)i, e->side = (unsigned char)k;
        continue;
      }
      const outer *other = &face[e->owner];
      double dot = 0.0;
      for (int a = 0; a < 3; a++) dot += other->normal[a] * face[i].normal[a];
      if (dot < cosine || other->part != face[i].part) e->sharp = 1;
    }
  }
  return MS_SUCCESS;
}

static void put_line(ms_surface *s, int32_t a, int32_t b, int part) {
  int32_t *line = s->line + 2 * s->view.n_line;
  line[0] = a, line[1] = b;
  s->part[s->view.n_face + s->view.n_line++] = part;
}

static void put_edges(ms_surface *s, const list *edges, const outer *face) {
  for (ptrdiff_t i = 0; i < edges->n; i++) {
    const entry *e = &edges->entry[i];
    const outer *o = &face[e->owner];
    if (e->n % 2) s->view.closed = 0;
    if (e->n == 2 && !e->sharp) continue;
    int32_t a = o->node[e->side], b = o->node[(e->side + 1) % o->n_corner];
    if (o->n_node == o->n_corner) {
      put_line(s, a, b, o->part);
      continue;
    }
    put_line(s, a, o->node[o->n_corner + e->side], o->part);
    put_line(s, o->node[o->n_corner + e->side], b, o->part);
  }
}

/* ---- the whole ---- */

static void put_face(ms_surface *s, const outer *o, const int *corner) {
  int32_t *face = s->face + 4 * s->view.n_face;
  for (int i = 0; i < 4; i++) face[i] = corner[i] < 0 ? -1 : o->node[corner[i]];
  s->part[s->view.n_face++] = o->part;
}

/* Corners are cut off at the nodes on the sides, which are the corners of what is left. */
static void put_outer(ms_surface *s, const outer *o) {
  int n = o->n_corner;
  if (o->n_node == n) {
    put_face(s, o, (int[]) { 0, 1, 2, n == 4 ? 3 : -1 });
    return;
  }
  for (int i = 0; i < n; i++) put_face(s, o, (int[]) { i, n + i, n + (i + n - 1) % n, -1 });
  put_face(s, o, (int[]) { n, n + 1, n + 2, n == 4 ? n + 3 : -1 });
}

static ptrdiff_t count_beams(const ms_mesh *m) {
  ptrdiff_t n = 0;
  for (int k = 0; k < m->n_block; k++)
    if (m->block[k].element->info.dimension == 1) n += m->block[k].n;
  return n;
}

static void put_beams(const ms_mesh *m, ms_surface *s) {
  for (int k = 0; k < m->n_block; k++) {
    const ms_element_block *b = &m->block[k];
    int n = b->element->info.n_node;
    if (b->element->info.dimension != 1) continue;
    for (ptrdiff_t e = 0; e < b->n; e++) put_line(s, b->node[n * e], b->node[n * e + 1], b->part);
  }
}

static ms_status fill(const ms_mesh *m, ms_surface *s, list *edges, const outer *face,
                      ptrdiff_t n) {
  ptrdiff_t n_face = 0, n_line = 2 * edges->n + count_beams(m);
  for (ptrdiff_t i = 0; i < n; i++)
    n_face += face[i].n_node == face[i].n_corner ? 1 : face[i].n_corner + 1;
  MS_TRY(ms_allocate(m->ctx, n_face, 4 * sizeof *s->face, &s->face));
  MS_TRY(ms_allocate(m->ctx, n_line, 2 * sizeof *s->line, &s->line));
  MS_TRY(ms_allocate(m->ctx, n_face + n_line, sizeof *s->part, &s->part));
  s->view.closed = n > 0;
  for (ptrdiff_t i = 0; i < n; i++) put_outer(s, &face[i]);
  put_edges(s, edges, face);
  put_beams(m, s);
  return MS_SUCCESS;
}

static ms_status build(const ms_mesh *m, ms_surface *s, double angle) {
  outer *face = NULL;
  ptrdiff_t n = 0;
  list edges = { 0 };
  ms_status status = find_outer(m, &face, &n);
  if (status == MS_SUCCESS) status = open_list(&edges, m->ctx, 4 * n);
  if (status == MS_SUCCESS) status = meet_edges(&edges, face, n, cos(angle));
  if (status == MS_SUCCESS) status = fill(m, s, &edges, face, n);
  close_list(&edges);
  ms_free(m->ctx, &face);
  return status;
}

ms_status ms_surface_number(ms_surface *s, ptrdiff_t n_number) {
  int32_t *number, *node;
  ms_surface_view *v = &s->view;
  MS_TRY(ms_allocate(s->ctx, n_number, sizeof *number, &number)); /* all zero */
  for (ptrdiff_t i = 0; i < 4 * v->n_face; i++)
    if (s->face[i] >= 0) number[s->face[i]] = 1;
  for (ptrdiff_t i = 0; i < 2 * v->n_line; i++) number[s->line[i]] = 1;
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < n_number; i++) n += number[i];
  ms_status status = ms_allocate(s->ctx, n, sizeof *node, &node);
  if (status == MS_SUCCESS) {
    ptrdiff_t k = 0;
    for (ptrdiff_t i = 0; i < n_number; i++) {
      if (!number[i]) continue;
      node[k] = s->node ? s->node[i] : (int32_t)i;
      number[i] = (int32_t)k++;
    }
    for (ptrdiff_t i = 0; i < 4 * v->n_face; i++)
      if (s->face[i] >= 0) s->face[i] = number[s->face[i]];
    for (ptrdiff_t i = 0; i < 2 * v->n_line; i++) s->line[i] = number[s->line[i]];
    ms_free(s->ctx, &s->node);
    s->node = node, v->n_node = n;
  }
  ms_free(s->ctx, &number);
  return status;
}

ms_surface_settings ms_surface_defaults(void) {
  return (ms_surface_settings) { .edge_angle = 0.5235987755982988, .max_face = 20000 };
}

ms_status ms_mesh_extract_surface(const ms_mesh *mesh, const ms_surface_settings *settings,
                                  ms_surface **out) {
  if (!mesh) return MS_ERR_ARGUMENT;
  if (!out) return ms_fail(mesh->ctx, MS_ERR_ARGUMENT, "surface: out is NULL");
  *out = NULL;
  ms_surface_settings set = settings ? *settings : ms_surface_defaults();
  if (!(set.edge_angle >= 0.0 && set.edge_angle <= 3.15) || set.max_face < 0)
    return ms_fail(mesh->ctx, MS_ERR_BOUNDS,
                   "surface: edge_angle is %g rad, it must be between 0 and pi; max_face is %td, "
                   "it must be at least 0",
                   set.edge_angle, set.max_face);
  ms_surface *s;
  MS_TRY(ms_allocate(mesh->ctx, 1, sizeof *s, &s));
  s->ctx = mesh->ctx;
  ms_status status = build(mesh, s, set.edge_angle);
  if (status == MS_SUCCESS) status = ms_surface_number(s, mesh->n_node);
  if (status == MS_SUCCESS && set.max_face > 0 && s->view.n_face > set.max_face)
    status = ms_surface_merge(s, mesh->x, set.max_face);
  if (status != MS_SUCCESS) {
    ms_surface_destroy(&s);
    return status;
  }
  *out = s;
  return MS_SUCCESS;
}

void ms_surface_destroy(ms_surface **surface) {
  if (!surface || !*surface) return;
  ms_surface *s = *surface;
  ms_context *ctx = s->ctx;
  ms_free(ctx, &s->node);
  ms_free(ctx, &s->face);
  ms_free(ctx, &s->line);
  ms_free(ctx, &s->part);
  ms_free(ctx, surface);
}

ms_surface_view ms_surface_get(const ms_surface *surface) {
  if (!surface) return (ms_surface_view) { 0 };
  ms_surface_view view = surface->view;
  view.node = surface->node, view.face = surface->face, view.line = surface->line;
  return view;
}
