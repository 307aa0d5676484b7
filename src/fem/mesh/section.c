/* Sections of structured parts: rectangles, sectors, and discs with an O-grid in the middle.

   The disc has N = s core points along each side of its square. Around it go rings of 4 N points,
   t = 0 .. 4 N - 1 counter-clockwise from the corner at -45 degrees; ring 0 is the square's rim. */
#include <math.h>

#include "core/internal.h"
#include "fem/mesh/grid.h"
#include "fem/tolerance.h"

void ms_grid_free(ms_context *ctx, ms_grid *g) {
  ms_free(ctx, &g->xy);
  ms_free(ctx, &g->quad);
  ms_free(ctx, &g->zone);
  ms_free(ctx, &g->edge);
}

static ms_status allocate(ms_context *ctx, int s, ptrdiff_t n_point, ptrdiff_t n_quad, ms_grid *g) {
  *g = (ms_grid) { .s = s, .n_point = n_point, .n_quad = n_quad };
  ms_status status = ms_allocate(ctx, 2 * n_point, sizeof *g->xy, &g->xy);
  ptrdiff_t corners = (ptrdiff_t)(s + 1) * (s + 1) * n_quad;
  if (status == MS_SUCCESS) status = ms_allocate(ctx, corners, sizeof *g->quad, &g->quad);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, n_quad, 1, &g->zone);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, 4 * n_quad, 1, &g->edge);
  if (status != MS_SUCCESS) ms_grid_free(ctx, g);
  return status;
}

/* ---- rectangle ---- */

/* Quadrilaterals of an nx x ny lattice whose points are numbered along x, then y. */
static void lattice_quads(ms_grid *g, int nx, int ny) {
  int s = g->s, width = s + 1;
  ptrdiff_t row = (ptrdiff_t)s * nx + 1;
  int32_t *q = g->quad;
  for (int j = 0; j < ny; j++) {
    for (int i = 0; i < nx; i++) {
      for (int k = 0; k < width * width; k++) {
        *q++ = (int32_t)(s * i + k % width + row * (s * j + k / width));
      }
    }
  }
}

ms_status ms_grid_rectangle(ms_context *ctx, int s, const double *at, const double *size,
                            const int *n, ms_grid *g) {
  ptrdiff_t nx = (ptrdiff_t)s * n[0], ny = (ptrdiff_t)s * n[1];
  MS_TRY(allocate(ctx, s, (nx + 1) * (ny + 1), (ptrdiff_t)n[0] * n[1], g));
  for (ptrdiff_t j = 0; j <= ny; j++) {
    for (ptrdiff_t i = 0; i <= nx; i++) {
      double *p = g->xy + 2 * (i + (nx + 1) * j);
      p[0] = at[0] + size[0] * (double)i / (double)nx;
      p[1] = at[1] + size[1] * (double)j / (double)ny;
    }
  }
  lattice_quads(g, n[0], n[1]);
  for (ptrdiff_t q = 0; q < g->n_quad; q++) {
    ptrdiff_t i = q % n[0], j = q / n[0];
    if (j == 0) g->edge[4 * q] = MS_EDGE_FRONT;
    if (i == n[0] - 1) g->edge[4 * q + 1] = MS_EDGE_RIGHT;
    if (j == n[1] - 1) g->edge[4 * q + 2] = MS_EDGE_BACK;
    if (i == 0) g->edge[4 * q + 3] = MS_EDGE_LEFT;
  }
  return MS_SUCCESS;
}

/* ---- disc ---- */

typedef struct disc {
  const ms_rings *r;
  int s, N;
  double half; /* half the width of the core */
} disc;

/* u, v in [-1, 1] */
static void core_point(const disc *d, double u, double v, double *p) {
  p[0] = d->half * u *
         (1.0 - ms_mesh_tol.core_round + ms_mesh_tol.core_round * sqrt(1.0 - 0.5 * v * v));
  p[1] = d->half * v *
         (1.0 - ms_mesh_tol.core_round + ms_mesh_tol.core_round * sqrt(1.0 - 0.5 * u * u));
}

/* Point t of the square's rim, as place in the square's lattice. */
static void rim_place(int N, int t, int *i, int *j) {
  int side = t / N, k = t % N;
  *i = side == 0 ? N : side == 1 ? N - k : side == 2 ? 0 : k;
  *j = side == 0 ? k : side == 1 ? N : side == 2 ? N - k : 0;
}

/* Point t of a ring in zone z, a fraction f across it. */
static void ring_point(const disc *d, int z, double f, int t, double *p) {
  double angle = (0.25 * MS_PI) * (2.0 * t / d->N - 1.0), R = d->r->radius[z];
  double c = cos(angle), s = sin(angle);
  if (z > 0) {
    R = d->r->radius[z - 1] + f * (R - d->r->radius[z - 1]);
    p[0] = R * c;
    p[1] = R * s;
    return;
  }
  int i, j;
  rim_place(d->N, t, &i, &j);
  core_point(d, 2.0 * i / d->N - 1.0, 2.0 * j / d->N - 1.0, p);
  p[0] += f * (R * c - p[0]);
  p[1] += f * (R * s - p[1]);
}

static int32_t ring_id(const disc *d, ptrdiff_t ring, int t) {
  ptrdiff_t N = d->N;
  t %= 4 * d->N;
  if (ring > 0) return (int32_t)((N + 1) * (N + 1) + (ring - 1) * 4 * N + t);
  int i, j;
  rim_place(d->N, t, &i, &j);
  return (int32_t)(i + (N + 1) * j);
}

static void disc_points(const disc *d, ms_grid *g) {
  int N = d->N;
  double *p = g->xy;
  for (int j = 0; j <= N; j++) {
    for (int i = 0; i <= N; i++, p += 2) core_point(d, 2.0 * i / N - 1.0, 2.0 * j / N - 1.0, p);
  }
  for (int z = 0; z < d->r->n_zone; z++) {
    int n = d->s * d->r->rings[z];
    for (int k = 1; k <= n; k++) {
      for (int t = 0; t < 4 * N; t++, p += 2) ring_point(d, z, (double)k / n, t, p);
    }
  }
}

/* First index outwards, second around. */
static void disc_rings(const disc *d, ms_grid *g) {
  int s = d->s, width = s + 1;
  ptrdiff_t q = (ptrdiff_t)d->r->core * d->r->core, ring = 0;
  for (int z = 0; z < d->r->n_zone; z++) {
    for (int k = 0; k < d->r->rings[z]; k++, ring += s) {
      for (int t = 0; t < 4 * d->N; t += s, q++) {
        int32_t *id = g->quad + width * width * q;
        for (int m = 0; m < width * width; m++) {
          id[m] = ring_id(d, ring + m % width, t + m / width);
        }
        g->zone[q] = (unsigned char)z;
        if (k == d->r->rings[z] - 1) g->edge[4 * q + 1] = MS_EDGE_OUT;
        if (k == 0 && z > 0) g->edge[4 * q + 3] = MS_EDGE_IN;
      }
    }
  }
}

ms_status ms_grid_disc(ms_context *ctx, int s, const ms_rings *r, ms_grid *g) {
  ptrdiff_t rings = 0, core = r->core, N = s * core;
  for (int z = 0; z < r->n_zone; z++) rings += r->rings[z];
  MS_TRY(
      allocate(ctx, s, (N + 1) * (N + 1) + 4 * N * s * rings, core * core + 4 * core * rings, g));
  /* elements of the core about as large as those around it */
  double half = r->radius[0] * 0.5 * r->core / (0.5 * r->core + r->rings[0]);
  disc d = { r, s, (int)N, fmin(half, ms_mesh_tol.widest_core * r->radius[0]) };
  disc_points(&d, g);
  lattice_quads(g, r->core, r->core);
  disc_rings(&d, g);
  return MS_SUCCESS;
}

/* ---- sector ---- */

ms_status ms_grid_sector(ms_context *ctx, const ms_rings *r, ms_grid *g) {
  ptrdiff_t rings = 0, q = 0;
  for (int z = 1; z < r->n_zone; z++) rings += r->rings[z];
  MS_TRY(allocate(ctx, 1, 2 * (rings + 1), rings, g));
  for (int z = 1; z < r->n_zone; z++) {
    for (int k = 0; k <= r->rings[z]; k++) {
      const double across = (r->radius[z] - r->radius[z - 1]) * k / r->rings[z];
      double *p = g->xy + 4 * (q + k), R = r->radius[z - 1] + across;
      p[0] = R;
      p[1] = 0.0;
      p[2] = R * cos(r->sector);
      p[3] = R * sin(r->sector);
    }
    g->edge[4 * q + 3] = z > 1 ? MS_EDGE_IN : MS_EDGE_INSIDE;
    for (int k = 0; k < r->rings[z]; k++, q++) {
      const int32_t id[4] = { (int32_t)(2 * q), (int32_t)(2 * q + 2), (int32_t)(2 * q + 1),
                              (int32_t)(2 * q + 3) };
      for (int i = 0; i < 4; i++) g->quad[4 * q + i] = id[i];
      g->zone[q] = (unsigned char)z;
    }
    g->edge[4 * q - 3] = MS_EDGE_OUT;
  }
  return MS_SUCCESS;
}
