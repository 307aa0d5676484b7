/* n masses m on springs k, one end on ground, the other free, joints stuck: with
   theta_r = (2 r - 1) pi/(2 n + 1), r = 1 .. n,

     omega_r = 2 sqrt(k/m) sin(theta_r/2),   phi_r(i) = 2 sin(i theta_r)/sqrt((2 n + 1) m).

   Where a joint sits, its stuck spring is part of k. */
#include "long_chain.h"

#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "structure/impl.h"

static const double pi = 3.14159265358979323846, m = 0.11, k = 3.1e8;

struct bench_long_chain {
  bench_system joints;       /* a short chain, owner of the joints */
  struct ms_structure whole; /* the same with the long chain's modes */
};

static double shape(ptrdiff_t n, double theta, double i) {
  return 2.0 * sin(i * theta) / sqrt((double)(2 * n + 1) * m);
}

static double *numbers(ptrdiff_t n) {
  double *x = calloc((size_t)n, sizeof *x);
  if (!x) bench_stop("no memory");
  return x;
}

static void fill_modes(struct ms_structure *s) {
  const ptrdiff_t n = s->n;
  for (ptrdiff_t r = 0; r < n; r++) {
    double theta = (double)(2 * r + 1) * pi / (double)(2 * n + 1);
    s->omega[r] = 2.0 * sqrt(k / m) * sin(0.5 * theta);
    s->modal_damping[r] = 2.0 * 1.3e-3 * s->omega[r];
    for (ptrdiff_t j = 0; j < s->n_axis; j++) {
      double from = (double)((j + 1) * n / 3); /* masses count from 1 */
      s->gamma[r + n * j] = shape(n, theta, from + 1.0) - shape(n, theta, from);
    }
  }
}

bench_long_chain *bench_long_create(ms_context *ctx, ptrdiff_t n) {
  bench_long_chain *chain = malloc(sizeof *chain);
  if (!chain) bench_stop("no memory");
  chain->joints = bench_stack(ctx, bench_exact);
  chain->whole = *chain->joints.structure;
  chain->whole.n = n;
  chain->whole.M = chain->whole.K = chain->whole.C = chain->whole.zeta = NULL;
  chain->whole.shape = chain->whole.shape_slip = chain->whole.omega_slip = NULL;
  chain->whole.omega = numbers(n);
  chain->whole.modal_damping = numbers(n);
  chain->whole.gamma = numbers(n * chain->whole.n_axis);
  fill_modes(&chain->whole);
  return chain;
}

ms_structure *bench_long_structure(bench_long_chain *chain) {
  return &chain->whole;
}

double bench_long_slip(const bench_long_chain *chain) {
  const ms_joint *j = ms_structure_get_joint(chain->joints.structure, 0);
  return ms_joint_slip_scale(j) / fabs(chain->whole.gamma[0]);
}

void bench_long_destroy(bench_long_chain **chain) {
  free((*chain)->whole.omega);
  free((*chain)->whole.modal_damping);
  free((*chain)->whole.gamma);
  bench_system_destroy(&(*chain)->joints);
  free(*chain);
  *chain = NULL;
}
