/* Nodes that lie at the same place, found by hashing them into cells.

   A cell is at least twice the tolerance wide, so that whatever is near a node is in its cell or in
   one of the seven on the sides it is closer to. Chains of nodes hang in a table of heads. */
#include <math.h>
#include <stdint.h>

#include "fem/impl.h"

typedef struct cells {
  double width, reach; /* reach: the tolerance squared */
  const double *x, *origin;
  int32_t *head, *next; /* 0: none, else node + 1 */
  uint64_t mask;
} cells;

static uint64_t hash(const int64_t *cell) {
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (int a = 0; a < 3; a++) {
    h = (h ^ (uint64_t)cell[a]) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h;
}

static int64_t cell_of(const cells *c, const double *x, int a) {
  return (int64_t)floor((x[a] - c->origin[a]) / c->width);
}

/* The lowest node of one cell's chain within reach, or -1. */
static int32_t search_chain(const cells *c, const int64_t *cell, const double *x, int32_t best) {
  for (int32_t k = c->head[hash(cell) & c->mask]; k; k = c->next[k - 1]) {
    const double *y = c->x + 3 * (ptrdiff_t)(k - 1);
    double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
    if (dx * dx + dy * dy + dz * dz <= c->reach && (best < 0 || k - 1 < best)) best = k - 1;
  }
  return best;
}

static int32_t search(const cells *c, const double *x) {
  int64_t home[3], side[3];
  for (int a = 0; a < 3; a++) {
    double place = (x[a] - c->origin[a]) / c->width;
    home[a] = (int64_t)floor(place);
    side[a] = place - floor(place) < 0.5 ? -1 : 1;
  }
  int32_t best = -1;
  for (int k = 0; k < 8; k++) {
    int64_t cell[3];
    for (int a = 0; a < 3; a++) cell[a] = home[a] + (k >> a & 1 ? side[a] : 0);
    best = search_chain(c, cell, x, best);
  }
  return best;
}

static void insert(cells *c, int32_t node) {
  const double *x = c->x + 3 * (ptrdiff_t)node;
  int64_t cell[3] = { cell_of(c, x, 0), cell_of(c, x, 1), cell_of(c, x, 2) };
  int32_t *head = &c->head[hash(cell) & c->mask];
  c->next[node] = *head;
  *head = node + 1;
}

static void scan(cells *c, ptrdiff_t n, const unsigned char *candidate, int32_t *original) {
  for (ptrdiff_t i = 0; i < n; i++) {
    original[i] = (int32_t)i;
    if (candidate && !candidate[i]) continue;
    int32_t found = search(c, c->x + 3 * i);
    if (found >= 0)
      original[i] = found;
    else
      insert(c, (int32_t)i);
  }
}

/* A cell must be wide enough for its number to be exact: 2^40 of them along the mesh are. */
static double cell_width(ptrdiff_t n, const double *x, double tolerance) {
  double span = 0.0;
  for (ptrdiff_t i = 0; i < 3 * n; i++) span = fmax(span, fabs(x[i] - x[i % 3]));
  return fmax(2.0 * tolerance, span * 0x1p-40);
}

ms_status ms_nearby_find(ms_context *ctx, ptrdiff_t n, const double *x,
                         const unsigned char *candidate, double tolerance, int32_t *original) {
  if (n == 0) return MS_SUCCESS;
  cells c = {
    .width = cell_width(n, x, tolerance), .reach = tolerance * tolerance, .x = x, .origin = x
  };
  ptrdiff_t size = 1;
  while (size < n) size *= 2;
  c.mask = (uint64_t)size - 1;
  if (!(c.width > 0.0)) c.width = 1.0; /* all nodes at one place */
  ms_status status = ms_allocate(ctx, size, sizeof *c.head, &c.head);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, n, sizeof *c.next, &c.next);
  if (status == MS_SUCCESS) scan(&c, n, candidate, original);
  ms_free(ctx, &c.head);
  ms_free(ctx, &c.next);
  return status;
}
