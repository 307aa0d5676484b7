/* rqnm of joints that are not odd (a gap wider on one side, a contact that opens). The mode moves
   from +x to -x, and its stiffness differs. Each side is solved for the same amplitude, and half of
   the cycle takes the time of either,

     1/omega = (1/omega_+ + 1/omega_-)/2,

   so that the answer does not know which way the shape points. Where every joint is odd at a level,
   one side is enough. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

void ms_static_keep_tip(ms_quasistatic *run, ptrdiff_t k, int side) {
  double *tip = ms_static_tip(run, k, side), *z = tip + 2, *d = z + run->n;
  tip[0] = run->lambda;
  tip[1] = run->q_mode;
  memcpy(d, run->d, (size_t)run->n * sizeof *d); /* rqnm keeps d from rest */
  for (ptrdiff_t i = 0; i < run->n; i++) z[i] = run->z[i] - run->z_0[i];
}

/* f at rest + sign y into out; the joints are at rest. */
static ms_status look(ms_quasistatic *run, const double *y, double sign, double *out) {
  for (ptrdiff_t i = 0; i < run->n; i++)
    run->z[i] = run->z_0[i] + (sign != 0.0 ? sign * y[i] : 0.0);
  MS_TRY(ms_static_eval(run, run->z));
  memcpy(out, run->f, (size_t)run->n * sizeof *out);
  return MS_SUCCESS;
}

static ms_status is_odd(ms_quasistatic *run, const double *y, int *odd) {
  const ptrdiff_t n = run->n;
  double *rest = run->was, *plus = run->was + n, *minus = run->R; /* free between levels */
  MS_TRY(look(run, y, 0.0, rest));
  MS_TRY(look(run, y, 1.0, plus));
  MS_TRY(look(run, y, -1.0, minus));
  *odd = 1;
  for (int k = 0; k < run->modal.n_attachment; k++) {
    const ms_static_attachment *attachment = &run->attachment[k];
    double even = 0.0, size = 0.0, base = 0.0;
    for (ptrdiff_t i = attachment->first; i < attachment->first + attachment->n; i++) {
      double a = plus[i] - rest[i], b = minus[i] - rest[i];
      even = fmax(even, fabs(a + b));
      size = fmax(size, fmax(fabs(a), fabs(b)));
      base = fmax(base, fabs(rest[i]));
    }
    if (even > run->setting.tol.odd * size + run->setting.tol.odd_rounding * base) *odd = 0;
  }
  return MS_SUCCESS;
}

/* First loading of a joint that slips at rest is not what a cycle comes to: there it sticks. */
ms_status ms_static_check_rest(ms_quasistatic *run) {
  if (!run->p) return MS_SUCCESS;
  MS_TRY(ms_static_start(run));
  double size = 0.0, scale = 0.0;
  for (ptrdiff_t i = 0; i < run->n; i++) {
    scale = fmax(scale, fabs(run->z_0[i]));
    size = fmax(size, fabs(run->g[i]));
  }
  for (int side = -1; side <= 1 && size > 0.0; side += 2) {
    for (ptrdiff_t i = 0; i < run->n; i++) {
      run->z[i] = run->z_0[i] + side * run->setting.tol.beside_rest * scale * run->g[i] / size;
    }
    MS_TRY(ms_static_eval(run, run->z));
    ms_static_apply(run, run->g, run->step); /* (f' - S) g, S the tangent at rest */
    for (int k = 0; k < run->modal.n_attachment; k++) {
      const ms_static_attachment *attachment = &run->attachment[k];
      double change = 0.0, stuck = 0.0;
      for (int a = 0; a < attachment->n; a++)
        change = fmax(change, fabs(run->step[attachment->first + a]));
      for (int ab = 0; ab < attachment->n * attachment->n; ab++)
        stuck = fmax(stuck, fabs(attachment->stuck[ab]));
      if (change <= run->setting.tol.slides * stuck * size) continue;
      return ms_fail(run->ctx, MS_ERR_STATE,
                     "joint %s slips at rest: its first loading, which rqnm follows, is not what a "
                     "cycle comes to; take qsma or epmc",
                     run->modal.attachment[k].name);
    }
  }
  return MS_SUCCESS;
}

/* Level k from both tips: amplitudes are half of what lies between them. */
static void combine(ms_quasistatic *run, ptrdiff_t k) {
  ms_quasistatic_level *level = &run->level[k];
  const double *a = ms_static_tip(run, k, 0), *b = ms_static_tip(run, k, 1);
  double *z = ms_static_store(run, k), *f = z + run->n;
  double omega = 2.0 / (1.0 / sqrt(a[0]) + 1.0 / sqrt(b[0]));
  level->alpha = omega * omega * level->q;
  level->q_mode = 0.5 * (a[1] - b[1]);
  level->residual = fmax(level->residual, run->residual);
  level->tolerance = fmax(level->tolerance, run->accepted);
  for (ptrdiff_t i = 0; i < run->n; i++) z[i] = 0.5 * (a[2 + i] - b[2 + i]);
  for (int j = 0; j < run->modal.n_attachment; j++) {
    const ms_static_attachment *attachment = &run->attachment[j];
    for (int p = 0; p < attachment->n; p++) {
      ptrdiff_t i = attachment->first + p, d = 2 + run->n + i;
      f[i] = 0.5 * (a[d] - b[d]); /* d = f - K_T z */
      for (int q = 0; q < attachment->n; q++)
        f[i] += attachment->stuck[p + attachment->n * q] * z[attachment->first + q];
    }
  }
}

static ms_status solve_side(ms_quasistatic *run, ptrdiff_t k) {
  MS_TRY(ms_static_advance_rqnm(run, k > 0 ? run->level[k - 1].q : 0.0, run->level[k].q));
  ms_static_keep_tip(run, k, 1);
  if (run->lambda > 0.0) return MS_SUCCESS;
  return ms_fail(run->ctx, MS_ERR_NUMERIC, "mode %td has no frequency at amplitude %g", run->r + 1,
                 -run->level[k].q);
}

ms_status ms_static_other_side(ms_quasistatic *run) {
  ptrdiff_t n = run->n_level;
  int any = 0; /* levels at which some joint is not odd */
  MS_TRY(ms_static_start(run));
  for (ptrdiff_t k = 0; k < run->n_level; k++) {
    int odd;
    MS_TRY(is_odd(run, run->level[k].z, &odd));
    run->level[k].both_sides = !odd;
    any |= !odd;
  }
  if (!any) return MS_SUCCESS;
  MS_TRY(ms_static_start(run));
  run->lambda = run->omega_r * run->omega_r;
  run->q_mode = 0.0;
  run->side = -1;
  for (ptrdiff_t k = 0; k < n; k++) {
    ms_status status = solve_side(run, k);
    if (status != MS_SUCCESS) {
      run->n_level = k;
      return ms_fail_at(run->ctx, status, "level %td of %td, the other side (%g)", k + 1, n,
                        -run->level[k].q);
    }
    if (run->level[k].both_sides) combine(run, k);
  }
  return MS_SUCCESS;
}
