#include "fem_models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define K_STUCK 1.78e8 /* N/m: K_T of both joints, table 4 */

static bench_fem open_fem(ms_context *ctx) {
  bench_fem fem = { .ctx = ctx };
  bench_need(ctx, ms_mesh_create(ctx, &fem.mesh));
  return fem;
}

void bench_fem_destroy(bench_fem *fem) {
  ms_fem_destroy(&fem->model);
  ms_mesh_destroy(&fem->mesh);
}

bench_fem bench_bar(ms_context *ctx, const int n[3], const ms_fem_settings *settings) {
  bench_fem fem = open_fem(ctx);
  ms_part part = { .name = "bar", .material = ms_material_isotropic(71e9, 0.33, 2700.0) };
  ms_brick brick = { { 0.0, 0.0, 0.0 }, { 1.0, 0.17, 0.13 }, { n[0], n[1], n[2] } };
  bench_need(ctx, ms_mesh_add_part(fem.mesh, &part, NULL));
  bench_need(ctx, ms_mesh_add_brick(fem.mesh, 0, "hex8", &brick));
  bench_need(ctx, ms_fem_create(ctx, fem.mesh, &fem.model));
  bench_need(ctx, ms_fem_setup(fem.model, settings));
  return fem;
}

/* ---- the Ministack ---- */

/* Bodies whose surfaces slide on each other in part are cut, so that the parts to be merged touch
   each other nowhere else. */
enum { FLOOR, WALL, BASE, SIDE, LID, SLUG, COVER, RING, N_PART };

static const struct {
  const char *name;
  double E, nu, rho;
  int slab[2], zone[2]; /* first and last */
} body[N_PART] = {
  [FLOOR] = { "floor", 68.9e9, 0.33, 2644.0, { 0, 0 }, { 0, 2 } },
  [WALL] = { "wall", 68.9e9, 0.33, 2644.0, { 1, 5 }, { 2, 2 } },
  [BASE] = { "base", 162e6, 0.30, 288.6, { 1, 1 }, { 0, 1 } },
  [SIDE] = { "side", 162e6, 0.30, 288.6, { 2, 2 }, { 1, 1 } },
  [LID] = { "lid", 162e6, 0.30, 288.6, { 3, 3 }, { 0, 1 } },
  [SLUG] = { "slug", 68.9e9, 0.33, 2644.0, { 2, 2 }, { 0, 0 } },
  [COVER] = { "cover", 206.8e9, 0.33, 7800.0, { 4, 4 }, { 0, 1 } },
  [RING] = { "ring", 206.8e9, 0.33, 7800.0, { 5, 5 }, { 1, 1 } },
};

/* Along z; from the bottom the slabs are floor, base, slug, lid, cover and ring. */
static ms_rings section(int coarse) {
  static const int rings[3] = { 18, 7, 7 }, layers[6] = { 16, 12, 84, 12, 10, 9 };
  ms_rings r = { .axis = 2,
                 .core = 2 * (10 / coarse),
                 .n_zone = 3,
                 .n_slab = 6,
                 .radius = { 38.1e-3, 47.625e-3, 57.15e-3 },
                 .height = { 19.05e-3, 13.97e-3, 101.6e-3, 13.97e-3, 12.7e-3, 12.7e-3 } };
  for (int i = 0; i < 3; i++) r.rings[i] = (rings[i] + coarse - 1) / coarse;
  for (int i = 0; i < 6; i++) r.layers[i] = (layers[i] + coarse - 1) / coarse;
  return r;
}

static void add_body(const bench_fem *fem, int k, ms_rings r) {
  ms_part part = { .name = body[k].name,
                   .material = ms_material_isotropic(body[k].E, body[k].nu, body[k].rho) };
  for (int s = body[k].slab[0]; s <= body[k].slab[1]; s++) {
    for (int z = body[k].zone[0]; z <= body[k].zone[1]; z++) r.filled[s][z] = 1;
  }
  bench_need(fem->ctx, ms_mesh_add_part(fem->mesh, &part, NULL));
  bench_need(fem->ctx, ms_mesh_add_rings(fem->mesh, k, "hex8", &r));
}

static void merge(const bench_fem *fem) {
  static const int pair[][2] = { { FLOOR, WALL }, { FLOOR, BASE }, { BASE, SIDE },
                                 { SIDE, LID },   { BASE, SLUG },  { LID, SLUG },
                                 { LID, COVER },  { COVER, RING }, { RING, WALL } };
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    bench_need(fem->ctx, ms_mesh_merge(fem->mesh, 2, pair[i], 1e-7, NULL));
  }
}

/* Nodes of some parts at radius r between two heights, ends included or not. */
typedef struct patch {
  const char *name;
  int n_part, part[3];
  double r, low, high;
} patch;

static int lies_on(const patch *p, const double *x) {
  return fabs(hypot(x[0], x[1]) - p->r) < 1e-6 && x[2] > p->low && x[2] < p->high;
}

static int has_part(const patch *p, int k) {
  for (int i = 0; i < p->n_part; i++) {
    if (p->part[i] == k) return 1;
  }
  return 0;
}

static ptrdiff_t mark_nodes(const ms_mesh *mesh, const patch *p, unsigned char *seen) {
  const double *x = ms_mesh_get_nodes(mesh);
  ptrdiff_t count = 0;
  for (int b = 0; b < ms_mesh_count_blocks(mesh); b++) {
    ms_mesh_block block = ms_mesh_get_block(mesh, b);
    for (ptrdiff_t i = 0; has_part(p, block.part) && i < block.n * block.element->n_node; i++) {
      int32_t node = block.node[i];
      if (seen[node] || !lies_on(p, x + 3 * (ptrdiff_t)node)) continue;
      seen[node] = 1;
      count++;
    }
  }
  return count;
}

static ptrdiff_t add_spider(const bench_fem *fem, const patch *p, double height) {
  ptrdiff_t n_node = ms_mesh_count_nodes(fem->mesh), at = 0, ref;
  unsigned char *seen = NULL;
  int32_t *node = NULL;
  bench_need(fem->ctx, ms_allocate(fem->ctx, n_node, sizeof *seen, &seen));
  ptrdiff_t n = mark_nodes(fem->mesh, p, seen);
  bench_need(fem->ctx, ms_allocate(fem->ctx, n, sizeof *node, &node));
  for (ptrdiff_t i = 0; i < n_node; i++) {
    if (seen[i]) node[at++] = (int32_t)i;
  }
  ms_spider spider = { p->name, MS_SPIDER_RIGID, { 0.0, 0.0, height }, n, node, NULL };
  bench_need(fem->ctx, ms_fem_add_spider(fem->model, &spider, &ref));
  ms_free(fem->ctx, &node);
  ms_free(fem->ctx, &seen);
  return ref;
}

static void join(const bench_fem *fem, const char *name, ptrdiff_t a, ptrdiff_t b) {
  for (int c = 0; c < 6; c++) {
    ms_fem_term term[2] = { { a, c, 1.0 }, { b, c, -1.0 } };
    ms_status status = c == 2 ? ms_fem_add_spring(fem->model, 2, term, K_STUCK)
                              : ms_fem_link(fem->model, name, 2, term, 0.0);
    bench_need(fem->ctx, status);
  }
}

/* Foam on an edge that it shares with metal belongs to the metal's spider alone. */
static void add_joints(const bench_fem *fem, const ms_rings *r) {
  double z[5] = { r->height[0] }, e = 1e-6;
  for (int i = 1; i < 5; i++) z[i] = z[i - 1] + r->height[i];
  double middle = (z[1] + z[2]) / 2;
  patch slug = { "slug", 1, { SLUG }, r->radius[0], z[1] - e, z[2] + e };
  patch cup = { "cup", 1, { SIDE }, r->radius[0], z[1] + e, z[2] - e };
  patch outside = { "outside", 3, { BASE, SIDE, LID }, r->radius[1], z[0] + e, z[3] - e };
  patch can = { "can", 1, { WALL }, r->radius[1], z[0] - e, z[3] + e };
  const patch *pair[2][2] = { { &slug, &cup }, { &outside, &can } };
  for (int i = 0; i < 2; i++) {
    ptrdiff_t a = add_spider(fem, pair[i][0], middle), b = add_spider(fem, pair[i][1], middle);
    join(fem, i == 0 ? "slug to cup" : "cup to can", a, b);
  }
}

bench_fem bench_ministack(ms_context *ctx, int coarse, const ms_fem_settings *settings) {
  bench_fem fem = open_fem(ctx);
  ms_rings r = section(coarse);
  for (int k = 0; k < N_PART; k++) add_body(&fem, k, r);
  merge(&fem);
  bench_need(ctx, ms_fem_create(ctx, fem.mesh, &fem.model));
  bench_need(ctx, ms_fem_fix_set(fem.model, "floor.bottom", MS_FEM_ALL));
  add_joints(&fem, &r);
  bench_need(ctx, ms_fem_setup(fem.model, settings));
  return fem;
}
