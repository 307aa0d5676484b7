#include "sumali.h"

#include <math.h>
#include <stdio.h>

#include "bench.h"

#define LENGTH 0.508
#define WIDTH  0.0508
#define HEIGHT 0.00635
#define SHIFT  0.1524 /* of the lower beam */
#define PATCH  0.0254 /* sides of a bolt's */
#define NEAR   1e-3
#define PULSE  3361.0 /* height, N/sqrt(kg) */

enum { BOLTS = 4, SHARED = 4 + 8 + 16 /* z, rx, ry */ };

static ms_mesh *make_mesh(ms_context *ctx) {
  static const char *const name[2] = { "upper", "lower" };
  ms_mesh *mesh;
  bench_need(ctx, ms_mesh_create(ctx, &mesh));
  for (int i = 0; i < 2; i++) {
    ms_part part = { .name = name[i], .material = ms_material_isotropic(248e9, 0.29, 8000) };
    ms_brick brick = { { SHIFT * i, 0.0, -HEIGHT * i }, { LENGTH, WIDTH, HEIGHT }, { 80, 8, 1 } };
    bench_need(ctx, ms_mesh_add_part(mesh, &part, NULL));
    bench_need(ctx, ms_mesh_add_brick(mesh, i, "hex8", &brick));
  }
  return mesh;
}

/* What a bolt averages over on one of the beams. */
static ptrdiff_t add_spider(ms_context *ctx, ms_fem_model *model, const ms_mesh *mesh,
                            const char *name, double x, int lower) {
  double y = WIDTH / 2, half = PATCH / 2;
  double low[3] = { x - half, y - half, -NEAR }, high[3] = { x + half, y + half, NEAR };
  ms_spider spider = { .name = name, .kind = MS_SPIDER_UNIFORM, .at = { x, y, 0.0 } };
  int32_t *node;
  ptrdiff_t reference;
  const char *set = lower ? "lower.top" : "upper.bottom";
  bench_need(ctx, ms_fem_find_in_box(mesh, set, low, high, &spider.n, &node));
  spider.node = node;
  bench_need(ctx, ms_fem_add_spider(model, &spider, &reference));
  ms_free(ctx, &node);
  return reference;
}

static void add_bolt(ms_context *ctx, ms_fem_model *model, const ms_mesh *mesh, int bolt) {
  static const double x[BOLTS] = { 0.2159, 0.2921, 0.3683, 0.4445 };
  ptrdiff_t node[2];
  for (int i = 0; i < 2; i++) {
    char name[16];
    snprintf(name, sizeof name, "bolt%d%c", bolt + 1, "ab"[i]);
    node[i] = add_spider(ctx, model, mesh, name, x[bolt], i);
    bench_need(ctx, ms_fem_keep(model, name, node[i], i ? MS_FEM_ALL & ~SHARED : MS_FEM_ALL));
  }
  for (int c = 0; c < 6; c++) {
    ms_fem_term term[2] = { { node[0], c, 1.0 }, { node[1], c, -1.0 } };
    if (SHARED >> c & 1) bench_need(ctx, ms_fem_link(model, "bolt", 2, term, 0.0));
  }
}

static void keep_tip(ms_context *ctx, ms_fem_model *model, const ms_mesh *mesh) {
  double low[3] = { -NEAR, WIDTH / 2 - NEAR, HEIGHT - NEAR },
         high[3] = { NEAR, WIDTH / 2 + NEAR, HEIGHT + NEAR };
  int32_t *node;
  ptrdiff_t n;
  bench_need(ctx, ms_fem_find_in_box(mesh, "upper.left", low, high, &n, &node));
  bench_need(ctx, ms_fem_keep(model, "tip", node[0], MS_FEM_TRANSLATIONS));
  ms_free(ctx, &node);
}

ms_reduced *sumali_reduce(ms_context *ctx) {
  ms_mesh *mesh = make_mesh(ctx);
  ms_fem_model *model;
  ms_fem_reduction setting = { .n_mode = SUMALI_SIZE - SUMALI_BOUNDARY };
  ms_reduced *reduced;
  bench_need(ctx, ms_fem_create(ctx, mesh, &model));
  for (int b = 0; b < BOLTS; b++) add_bolt(ctx, model, mesh, b);
  keep_tip(ctx, model, mesh);
  bench_need(ctx, ms_fem_setup(model, NULL));
  bench_need(ctx, ms_fem_reduce(model, &setting, &reduced));
  if (reduced->n != SUMALI_SIZE || reduced->n_boundary != SUMALI_BOUNDARY) {
    bench_stop("the reduced model has another size");
  }
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
  return reduced;
}

static ptrdiff_t find(ms_context *ctx, const ms_structure *s, int bolt, const char *coordinate) {
  char name[24];
  ptrdiff_t at;
  snprintf(name, sizeof name, "bolt%d%s", bolt + 1, coordinate);
  bench_need(ctx, ms_structure_find(s, name, &at));
  return at;
}

ms_structure *sumali_make_structure(ms_context *ctx, const ms_reduced *reduced,
                                    bench_sliders sliders) {
  ms_structure *s;
  double zeta[SUMALI_SIZE];
  bench_need(ctx, ms_reduced_make_structure(reduced, &s));
  for (int b = 0; b < BOLTS; b++) {
    ptrdiff_t from = find(ctx, s, b, "a.ux"), to = find(ctx, s, b, "b.ux");
    ms_joint *joint = bench_iwan(ctx, 30.7, 4.73e8, -0.23, 0.46, sliders);
    bench_need(ctx, ms_joint_setup(joint));
    bench_need(ctx, ms_structure_add_spring(s, from, to, 5.3e7));
    bench_need(
        ctx, ms_structure_add_spring(s, find(ctx, s, b, "a.uy"), find(ctx, s, b, "b.uy"), 5.25e8));
    bench_need(ctx, ms_structure_take_joint(s, NULL, &joint, &from, &to));
  }
  for (int r = 0; r < SUMALI_SIZE; r++) zeta[r] = 1e-4;
  bench_need(ctx, ms_structure_set_modal_damping(s, zeta));
  bench_need(ctx, ms_structure_setup(s));
  return s;
}

static double half_sine(void *structure, double t) {
  return PULSE * sin(ms_structure_get_stuck(structure).omega[SUMALI_MODE] * t);
}

ms_transient *sumali_make_run(ms_context *ctx, ms_structure *s) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run;
  ptrdiff_t n = SUMALI_SIZE, tip;
  const double *M = ms_structure_get_mass(s);
  const double *phi = ms_structure_get_slipped(s).shape + n * SUMALI_MODE;
  double b[SUMALI_SIZE] = { 0.0 }, end;
  bench_need(ctx, ms_structure_find(s, "tip.uz", &tip));
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) b[i] += copysign(1.0, phi[tip]) * M[i + n * j] * phi[j];
  }
  setting.step = SUMALI_STEP;
  end = acos(-1.0) / ms_structure_get_stuck(s).omega[SUMALI_MODE];
  bench_need(ctx, ms_transient_create(s, &setting, &run));
  bench_need(ctx, ms_transient_add_load(run, b, half_sine, s, end));
  bench_need(ctx, ms_transient_start(run, 0.0, NULL, NULL));
  return run;
}
