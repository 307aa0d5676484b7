/* Loops that another method has found, beside those of a density under constant load: the amplitude
   up to which both agree (docs/theory/density.md). */
#include <math.h>
#include <microslip/density_estimate.h>
#include <stdlib.h>

#include "identify/tolerance.h"

enum { CYCLES = 3 }; /* the second is steady, for what obeys Masing's rules */

static ms_status make_joint(ms_context *ctx, const ms_density_table *t, ms_joint **out) {
  const double *const column[] = { t->phi, t->rho, t->S };
  MS_TRY(ms_joint_create(ctx, "iwan_table", out));
  MS_TRY(ms_joint_set_table(*out, "density", t->n, 3, column));
  MS_TRY(ms_joint_set(*out, "K_inf", t->K_inf));
  return ms_joint_setup(*out);
}

static double mean_of(ptrdiff_t n, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) sum += x[i] / (double)n;
  return sum;
}

/* Of a closed polygon. */
static double area_of(ptrdiff_t n, const double *u, const double *f) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const ptrdiff_t next = (i + 1) % n;
    sum += 0.5 * (f[i] + f[next]) * (u[next] - u[i]);
  }
  return sum;
}

/* The element along the displacement, cycle after cycle; the last stays, without its mean. */
static ms_status follow(ms_joint *joint, ptrdiff_t n, double *u, double *f, double *predicted) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  const double mean = mean_of(n, u);
  MS_TRY(ms_joint_start(joint, NULL));
  for (ptrdiff_t i = 0; i < CYCLES * n; i++) {
    in.u[0] = u[i % n] - mean;
    MS_TRY(ms_joint_step(joint, &in, &out));
    predicted[i % n] = out.force[0];
  }
  const double middle = mean_of(n, predicted), other = mean_of(n, f);
  for (ptrdiff_t i = 0; i < n; i++) u[i] -= mean, predicted[i] -= middle, f[i] -= other;
  return MS_SUCCESS;
}

static void measure(const double *u, const double *f, const double *predicted, ms_loop_pair *out) {
  const ptrdiff_t n = out->n;
  double low = HUGE_VAL, high = -HUGE_VAL, sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double d = predicted[i] - f[i];
    low = fmin(low, u[i]), high = fmax(high, u[i]);
    out->force = fmax(out->force, fabs(f[i]));
    sum += d * d / (double)n;
  }
  out->amplitude = 0.5 * (high - low);
  out->difference = out->force > 0.0 ? sqrt(sum) / out->force : 0.0;
  out->loss = fabs(area_of(n, u, f));
  out->predicted = fabs(area_of(n, u, predicted));
}

static int by_amplitude(const void *a, const void *b) {
  const ms_loop_pair *x = a, *y = b;
  return (x->amplitude > y->amplitude) - (x->amplitude < y->amplitude);
}

ms_status ms_density_pair_loops(ms_context *ctx, const ms_density_table *density, ptrdiff_t n_loop,
                                const ptrdiff_t *first, double tolerance, double *u, double *force,
                                double *predicted, ms_loop_pair *pair) {
  ms_joint *joint = NULL;
  int agree = 1;
  ms_status status = make_joint(ctx, density, &joint);
  for (ptrdiff_t i = 0; i < n_loop && status == MS_SUCCESS; i++) {
    const ptrdiff_t at = first[i];
    ptrdiff_t n = first[i + 1] - at;
    /* where the last point is the first it would count twice */
    const double near = ms_identify_tol.closed * fabs(u[at + 1] - u[at]);
    if (n > 1 && fabs(u[at + n - 1] - u[at]) <= near) n--;
    pair[i] = (ms_loop_pair) { .loop = i, .n = n };
    status = follow(joint, n, u + at, force + at, predicted + at);
    if (status == MS_SUCCESS) measure(u + at, force + at, predicted + at, &pair[i]);
  }
  ms_joint_destroy(&joint);
  MS_TRY(status);
  qsort(pair, (size_t)n_loop, sizeof *pair, by_amplitude);
  for (ptrdiff_t i = 0; i < n_loop; i++) {
    pair[i].agrees = agree = agree && pair[i].difference <= tolerance;
  }
  return MS_SUCCESS;
}
