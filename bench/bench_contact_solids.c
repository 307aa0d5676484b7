/* A bolted lap of 95,000 displacements whose bars touch at 1000 pairs of nodes: time and memory of
   the flexibility with its preload and re-basing, and of ten levels of qsma, all by default. */
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

#include <microslip/backbone.h>
#include <microslip/fem_contact.h>

#include "bench.h"

enum { LEVELS = 10 };

static double read_peak(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024e-9 * (double)usage.ru_maxrss; /* GB */
}

/* Elements of 1 mm: the bars overlap by half of their 98 mm, head and nut of the bolt lie on them.
 */
static ms_mesh *make_lap(ms_context *ctx) {
  static const struct {
    const char *name;
    double at[3];
    int n[3];
  } block[4] = { { "lower", { 0.0, 0.0, 0.0 }, { 98, 19, 7 } },
                 { "upper", { 49.0, 0.0, 7.0 }, { 98, 19, 7 } },
                 { "head", { 69.0, 5.0, 14.0 }, { 9, 9, 2 } },
                 { "nut", { 69.0, 5.0, -2.0 }, { 9, 9, 2 } } };
  ms_mesh *mesh;
  int part[4];
  bench_need(ctx, ms_mesh_create(ctx, &mesh));
  for (int k = 0; k < 4; k++) {
    const ms_part p = { .name = block[k].name,
                        .material = ms_material_isotropic(2.07e11, 0.29, 7830.0) };
    ms_brick brick = { .n = { block[k].n[0], block[k].n[1], block[k].n[2] } };
    for (int a = 0; a < 3; a++) {
      brick.at[a] = 1e-3 * block[k].at[a];
      brick.size[a] = 1e-3 * block[k].n[a];
    }
    bench_need(ctx, ms_mesh_add_part(mesh, &p, &part[k]));
    bench_need(ctx, ms_mesh_add_brick(mesh, part[k], "hex8", &brick));
  }
  bench_need(ctx, ms_mesh_merge(mesh, 2, (int[]) { part[1], part[2] }, 1e-9, NULL));
  bench_need(ctx, ms_mesh_merge(mesh, 2, (int[]) { part[0], part[3] }, 1e-9, NULL));
  return mesh;
}

static ms_status make_model(void *mesh, ms_context *ctx, ms_fem_model **out) {
  const ms_status status = ms_fem_create(ctx, mesh, out);
  return status ? status : ms_fem_fix_set(*out, "lower.left", MS_FEM_TRANSLATIONS);
}

/* The first mode alone. */
static ms_structure *make_structure(ms_context *ctx, double omega) {
  const double one = 1.0, K = omega * omega;
  ms_structure *s;
  bench_need(ctx, ms_structure_create(ctx, 1, NULL, &s));
  bench_need(ctx, ms_structure_set_mass(s, &one));
  bench_need(ctx, ms_structure_set_stiffness(s, &K));
  bench_need(ctx, ms_structure_setup(s));
  return s;
}

int main(void) {
  const ms_fem_contact lap = { .name = "lap", .faces = { "upper.bottom", "lower.top" }, .mu = 0.3 };
  const ms_fem_push push[2] = { { .set = "head.top", .force = { 0.0, 0.0, -6000.0 } },
                                { .set = "nut.bottom", .force = { 0.0, 0.0, 6000.0 } } };
  const ms_fem_stage stage = { .push = push, .n_push = 2, .friction = 1, .steps = 8 };
  ms_fem_assembly assembly = {
    .make = make_model, .n_contact = 1, .contact = &lap, .n_stage = 1, .stage = &stage
  };
  double level[LEVELS], omega;
  ms_context *ctx;
  ms_fem_rest rest;
  ms_contact *contact;
  ms_backbone_setting setting;
  ms_backbone_curve curve;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  bench_need(ctx, ms_fem_start(ctx, NULL));
  ms_mesh *mesh = make_lap(ctx);
  assembly.user = mesh;

  bench_clock clock = bench_clock_read();
  bench_need(ctx, ms_fem_find_rest(ctx, &assembly, &rest));
  bench_need(ctx, ms_fem_load_modes(ctx, &assembly, &rest, 1, &omega, &contact));
  const double rest_time = bench_clock_since(clock), rest_memory = read_peak();
  const ms_contact_sum sum = ms_contact_add_up(rest.contact, -1);
  printf("Bolted lap: %td displacements, %td points, %td of them closed, first mode %.4g Hz\n",
         3 * ms_mesh_count_nodes(mesh), rest.n_point, sum.n - sum.open, omega / 6.283185307179586);

  ms_structure *s = make_structure(ctx, omega);
  for (int k = 0; k < LEVELS; k++) level[k] = 1e-5 * pow(100.0, (double)k / (LEVELS - 1));
  ms_backbone_default(&setting, sizeof setting);
  setting.contact = contact;
  clock = bench_clock_read();
  bench_need(ctx, ms_backbone_request(ctx, "qsma", 0, LEVELS, level, &curve));
  bench_need(ctx, ms_backbone_run(ctx, s, &setting, &curve));
  const double levels_time = bench_clock_since(clock);
  const ms_contact_count count = ms_backbone_count_contact(1, &curve);
  for (int k = 0; k < curve.n; k++) {
    const ms_contact_cycle *cycle = &curve.contact[k].cycle;
    printf("  q %.2e: %.5g Hz, zeta %.3g, %d cycles of %td steps each way, %td points slip\n",
           curve.point[k].q, curve.point[k].omega / 6.283185307179586, curve.point[k].zeta,
           cycle->cycles, cycle->steps, cycle->slipped);
  }
  bench_verdict("levels", (double)curve.n, ">=", LEVELS);
  bench_verdict("preload: change by twice as many steps", rest.change, "<=", 0.01);
  bench_verdict("iterations a step", (double)count.iterations / (double)count.steps, "<=", 5.0);
  bench_verdict("steps of more than ten", (double)count.slow / (double)count.steps, "<=", 0.05);
  bench_verdict("flexibility, preload and re-basing, s", rest_time, "<=", 240.0);
  bench_verdict("... memory at most, GB", rest_memory, "<=", 2.0);
  bench_verdict("ten levels of qsma, s", levels_time, "<=", 600.0);
  bench_verdict("... memory at most, GB", read_peak(), "<=", 2.0);
  ms_backbone_free(ctx, &curve);
  ms_structure_destroy(&s);
  ms_contact_destroy(&contact);
  ms_fem_rest_free(ctx, &rest);
  ms_mesh_destroy(&mesh);
  ms_context_destroy(&ctx);
  return bench_finish();
}
