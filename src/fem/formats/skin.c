/* Surface elements found among the faces of solids, and faces made into sets. */
#include <stdlib.h>
#include <string.h>

#include "fem/formats/reader.h"

/* ---- looking for faces ---- */

static void sort_corners(int n, const int32_t *corner, int32_t *out) {
  out[3] = -1;
  for (int i = 0; i < n; i++) {
    int k = i;
    for (; k > 0 && out[k - 1] > corner[i]; k--) out[k] = out[k - 1];
    out[k] = corner[i];
  }
}

ms_status ms_skin_add(ms_context *ctx, ms_skin *skin, int n_corner, const int32_t *corner, int set,
                      ptrdiff_t line) {
  MS_TRY(ms_grow(ctx, skin->n + 1, &skin->capacity, sizeof *skin->face, &skin->face));
  ms_skin_face *f = &skin->face[skin->n++];
  *f = (ms_skin_face) { .element = -1, .set = set, .line = line };
  sort_corners(n_corner, corner, f->corner);
  return MS_SUCCESS;
}

void ms_skin_free(ms_context *ctx, ms_skin *skin) {
  ms_free(ctx, &skin->face);
  *skin = (ms_skin) { 0 };
}

/* Those with the same corners hang in a chain from their place in the table. */
typedef struct table {
  int32_t *head, *next;
  size_t mask;
} table;

static size_t spread(const int32_t *corner) {
  uint64_t x = 0;
  for (int i = 0; i < 4; i++) x = (x ^ (uint32_t)corner[i]) * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(x ^ x >> 29);
}

static ms_status make_table(ms_context *ctx, const ms_skin *skin, table *t) {
  size_t size = 64;
  while (size < 2 * (size_t)skin->n) size *= 2;
  t->mask = size - 1;
  MS_TRY(ms_allocate(ctx, (ptrdiff_t)size, sizeof *t->head, &t->head));
  MS_TRY(ms_allocate(ctx, skin->n, sizeof *t->next, &t->next));
  for (size_t i = 0; i < size; i++) t->head[i] = -1;
  for (ptrdiff_t i = 0; i < skin->n; i++) {
    int32_t *head = &t->head[spread(skin->face[i].corner) & t->mask];
    t->next[i] = *head;
    *head = (int32_t)i;
  }
  return MS_SUCCESS;
}

static void match_face(ms_skin *skin, const table *t, const int32_t *corner, int32_t element,
                       int face) {
  for (int32_t i = t->head[spread(corner) & t->mask]; i >= 0; i = t->next[i]) {
    ms_skin_face *f = &skin->face[i];
    if (f->element >= 0 || memcmp(f->corner, corner, sizeof f->corner) != 0) continue;
    f->element = element;
    f->face = (unsigned char)face;
  }
}

static void match_block(ms_skin *skin, const table *t, const ms_mesh_block *b) {
  for (ptrdiff_t e = 0; e < b->n; e++) {
    for (int k = 0; k < b->element->n_face; k++) {
      const ms_face *f = &b->element->face[k];
      int32_t corner[4], sorted[4];
      for (int i = 0; i < f->n_corner; i++) {
        corner[i] = b->node[b->element->n_node * e + f->node[i]];
      }
      sort_corners(f->n_corner, corner, sorted);
      match_face(skin, t, sorted, (int32_t)(b->first + e), k);
    }
  }
}

ms_status ms_skin_match(const ms_reader *r, ms_skin *skin) {
  if (skin->n == 0) return MS_SUCCESS;
  table t = { 0 };
  ms_status status = make_table(r->ctx, skin, &t);
  for (int k = 0; status == MS_SUCCESS && k < ms_mesh_count_blocks(r->mesh); k++) {
    ms_mesh_block b = ms_mesh_get_block(r->mesh, k);
    match_block(skin, &t, &b);
  }
  ms_free(r->ctx, &t.head);
  ms_free(r->ctx, &t.next);
  return status;
}

/* ---- sets ---- */

static int compare(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

ms_status ms_reader_add_nodes(ms_reader *r, const char *name, ptrdiff_t n, const int32_t *node) {
  int32_t *sorted = NULL;
  ptrdiff_t kept = 0;
  if (n > 0) {
    MS_TRY(ms_allocate(r->ctx, n, sizeof *sorted, &sorted));
    memcpy(sorted, node, (size_t)n * sizeof *node);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    if (i == 0 || sorted[i] != sorted[i - 1]) sorted[kept++] = sorted[i];
  }
  ms_status status = ms_mesh_add_set(r->mesh, MS_SET_NODES, name, kept, sorted, NULL);
  ms_free(r->ctx, &sorted);
  return status;
}

int ms_reader_has_set(const ms_mesh *mesh, ms_set_kind kind, const char *name) {
  for (int i = 0; i < ms_mesh_count_sets(mesh); i++) {
    ms_mesh_set s = ms_mesh_get_set(mesh, i);
    if (s.kind == kind && strcmp(s.name, name) == 0) return 1;
  }
  return 0;
}

static ms_status add_nodes_of(ms_reader *r, const char *name, ptrdiff_t n, const int32_t *element,
                              const unsigned char *face) {
  int32_t *node = NULL;
  ptrdiff_t count = 0;
  MS_TRY(ms_resize(r->ctx, MS_FACE_NODES * n, sizeof *node, &node));
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_mesh_block b = ms_mesh_get_block(r->mesh, ms_mesh_find_block(r->mesh, element[i]));
    const ms_face *f = &b.element->face[face[i]];
    for (int k = 0; k < f->n_node; k++) {
      node[count++] = b.node[b.element->n_node * (element[i] - b.first) + f->node[k]];
    }
  }
  ms_status status = ms_reader_add_nodes(r, name, count, node);
  ms_free(r->ctx, &node);
  return status;
}

ms_status ms_reader_add_faces(ms_reader *r, const char *name, ptrdiff_t n, const int32_t *element,
                              const unsigned char *face) {
  MS_TRY(ms_mesh_add_set(r->mesh, MS_SET_FACES, name, n, element, face));
  if (n == 0 || ms_reader_has_set(r->mesh, MS_SET_NODES, name)) return MS_SUCCESS;
  return add_nodes_of(r, name, n, element, face);
}
