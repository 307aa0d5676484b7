/* A surface made coarser: nodes that are near each other become one. The distance grows until few
   enough faces are left, so the surface stays whole, which it would not if faces were left out. */
#include "fem/mesh/surface.h"
#include "fem/tolerance.h"

#include <math.h>
#include <string.h>

typedef struct work {
  ms_surface *s;
  double *x;                /* 3 x n_node */
  int32_t *original, *near; /* per node: what it becomes; within its part */
  int *part;                /* of a node: the lowest that uses it */
  unsigned char *candidate;
  int n_part;
} work;

static void lower(int *part, int with) {
  if (*part < 0 || with < *part) *part = with;
}

/* The mean length of the first side of each face. */
static double mean_side(const work *w) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < w->s->view.n_face; i++) {
    const double *a = w->x + 3 * (ptrdiff_t)w->s->face[4 * i];
    const double *b = w->x + 3 * (ptrdiff_t)w->s->face[4 * i + 1];
    sum += hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
  }
  return sum / (double)w->s->view.n_face;
}

/* What becomes of a face: its corners that differ from the one before. Returns how many; a face
   with two opposite corners in one has no area either. */
static int squeeze(const work *w, const int32_t *face, int32_t *corner) {
  int n = 0, n_old = face[3] < 0 ? 3 : 4;
  for (int i = 0; i < n_old; i++) {
    int32_t node = w->original[face[i]];
    if (n == 0 || (corner[n - 1] != node && (i < n_old - 1 || corner[0] != node)))
      corner[n++] = node;
  }
  if (n == 4 && (corner[0] == corner[2] || corner[1] == corner[3])) return 0;
  if (n == 3 && corner[0] == corner[2]) return 0;
  return n < 3 ? 0 : n;
}

static ptrdiff_t count(const work *w) {
  ptrdiff_t n = 0;
  int32_t corner[4];
  for (ptrdiff_t i = 0; i < w->s->view.n_face; i++) n += squeeze(w, w->s->face + 4 * i, corner) > 0;
  return n;
}

static void apply(const work *w) {
  ms_surface *s = w->s;
  ptrdiff_t n_face = 0, n_line = 0;
  for (ptrdiff_t i = 0; i < s->view.n_face; i++) {
    int32_t corner[4], n = squeeze(w, s->face + 4 * i, corner);
    if (n == 0) continue;
    if (n == 3) corner[3] = -1;
    memcpy(s->face + 4 * n_face++, corner, sizeof corner);
  }
  for (ptrdiff_t i = 0; i < s->view.n_line; i++) {
    int32_t a = w->original[s->line[2 * i]], b = w->original[s->line[2 * i + 1]];
    if (a == b) continue;
    s->line[2 * n_line] = a;
    s->line[2 * n_line++ + 1] = b;
  }
  s->view.n_face = n_face, s->view.n_line = n_line;
}

static ms_status setup(work *w, const double *x) {
  ms_surface *s = w->s;
  ptrdiff_t n = s->view.n_node;
  MS_TRY(ms_allocate(s->ctx, n, 3 * sizeof *w->x, &w->x));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *w->original, &w->original));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *w->near, &w->near));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *w->part, &w->part));
  MS_TRY(ms_allocate(s->ctx, n, 1, &w->candidate));
  for (ptrdiff_t i = 0; i < n; i++)
    memcpy(w->x + 3 * i, x + 3 * (ptrdiff_t)s->node[i], 3 * sizeof *x);
  const ms_surface_view *v = &w->s->view;
  for (ptrdiff_t i = 0; i < v->n_node; i++) w->part[i] = -1;
  for (ptrdiff_t i = 0; i < 4 * v->n_face; i++)
    if (w->s->face[i] >= 0) lower(&w->part[w->s->face[i]], w->s->part[i / 4]);
  for (ptrdiff_t i = 0; i < 2 * v->n_line; i++)
    lower(&w->part[w->s->line[i]], w->s->part[v->n_face + i / 2]);
  for (ptrdiff_t i = 0; i < v->n_node; i++)
    if (w->part[i] >= w->n_part) w->n_part = w->part[i] + 1;
  return MS_SUCCESS;
}

static ms_status merge(work *w, const double *x, ptrdiff_t max_face) {
  MS_TRY(setup(w, x));
  double distance = 0.5 * mean_side(w);
  do {
    distance *= ms_mesh_tol.merge_growth;
    ptrdiff_t n = w->s->view.n_node;
    for (int p = 0; p < w->n_part; p++) {
      for (ptrdiff_t i = 0; i < n; i++) w->candidate[i] = w->part[i] == p;
      MS_TRY(ms_nearby_find(w->s->ctx, n, w->x, w->candidate, distance, w->near));
      for (ptrdiff_t i = 0; i < n; i++)
        if (w->candidate[i]) w->original[i] = w->near[i];
    }
  } while (count(w) > max_face && distance > 0.0);
  apply(w);
  w->s->view.merged = distance;
  return ms_surface_number(w->s, w->s->view.n_node);
}

ms_status ms_surface_merge(ms_surface *s, const double *x, ptrdiff_t max_face) {
  work w = { .s = s };
  ms_status status = merge(&w, x, max_face);
  ms_free(s->ctx, &w.x);
  ms_free(s->ctx, &w.original);
  ms_free(s->ctx, &w.near);
  ms_free(s->ctx, &w.part);
  ms_free(s->ctx, &w.candidate);
  return status;
}
