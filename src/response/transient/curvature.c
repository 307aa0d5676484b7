/* Joints with curvature: z is quadratic in the lowest modal coordinates y, which are axes of the
   run beside the joints' own. Letters, a and b the axes of one joint:

     x        gamma^T q                        y, y'   n_curved of q and v
     z_a      x_a + y^T bend_a y/2             w_a     dz_a/dt = x'_a + c_a^T y'
     c_a      bend_a y = dz_a/dy               e_a     bend_a y' = dw_a/dy
     f        the law's force at z, w

     d_x = f - K_T x,      d_y = sum f_a c_a

   The second is the force that goes with the first by the work f dz, and is not left out: energy
   would come from nowhere. */
#include <math.h>

#include "core/dense.h"
#include "response/transient/impl.h"

/* out := A x, A symmetric. */
static void multiply(ptrdiff_t n, const double *A, const double *x, double *out) {
  for (ptrdiff_t r = 0; r < n; r++) out[r] = ms_dot(n, A + n * r, x);
}

static void place(ms_transient *run, const ms_trial_attachment *attachment) {
  const ptrdiff_t m = attachment->curve->n_curved;
  const double *y = run->z + attachment->curve->first_curved,
               *y_rate = run->w + attachment->curve->first_curved;
  for (int a = 0; a < attachment->n; a++) {
    const double *curvature = attachment->curve->curvature[a];
    const ptrdiff_t i = attachment->first + a;
    run->x[i] = run->z[i];
    if (!curvature) continue; /* c and e are zero and stay so */
    multiply(m, curvature, y, attachment->c + m * a);
    run->z[i] += 0.5 * ms_dot(m, y, attachment->c + m * a);
    if (!run->rate) continue; /* w is nobody's, and perhaps of an earlier call */
    multiply(m, curvature, y_rate, attachment->e + m * a);
    run->w[i] += ms_dot(m, y_rate, attachment->c + m * a);
  }
}

void ms_transient_place_curved(ms_transient *run) {
  for (int k = 0; k < run->structure->n_attachment; k++) {
    if (run->attachment[k].curve) place(run, &run->attachment[k]);
  }
}

void ms_transient_force_curved(ms_transient *run) {
  for (int k = 0; k < run->structure->n_attachment; k++) {
    const ms_trial_attachment *attachment = &run->attachment[k];
    if (!attachment->curve) continue;
    const ptrdiff_t m = attachment->curve->n_curved, own = attachment->first,
                    first = attachment->curve->first_curved;
    for (int a = 0; a < attachment->n; a++) {
      run->r[own + a] = run->f[own + a];
      for (int b = 0; b < attachment->n; b++) {
        run->r[own + a] -= attachment->stuck[a + attachment->n * b] * run->x[own + b];
      }
      run->fz[own + a] = 0.0; /* all of it is in ms_transient_fill_curved_J */
    }
    for (ptrdiff_t r = 0; r < m; r++) {
      double force = 0.0;
      for (int a = 0; a < attachment->n; a++) force += run->f[own + a] * attachment->c[r + m * a];
      run->f[first + r] = run->r[first + r] = force;
    }
  }
}

/* Modal forces are in another unit than the joint's. Over its pull they are forces of the joint
   that would do as much to y, and may stand beside those. */
double ms_transient_residual_curved(ms_transient *run) {
  double worst = 0.0;
  for (int k = 0; k < run->structure->n_attachment; k++) {
    const ms_trial_attachment *attachment = &run->attachment[k];
    if (!attachment->curve) continue;
    /* How hard the joint pulls at y: modal force on the one it pulls at most for a force of 1. */
    const ptrdiff_t m = attachment->curve->n_curved;
    double most = 0.0;
    for (int a = 0; a < attachment->n; a++) {
      const double *gamma = run->gamma + run->m * (attachment->first + a),
                   *c = attachment->c + m * a;
      for (ptrdiff_t r = 0; r < m; r++) most = fmax(most, fabs(gamma[r]) + fabs(c[r]));
    }
    const double unit = most > 0.0 ? most : 1.0;
    const ptrdiff_t first = attachment->curve->first_curved;
    for (ptrdiff_t i = first; i < first + attachment->curve->n_curved; i++) {
      run->r[i] = run->d[i] - run->r[i];
      worst = fmax(worst, fabs(run->r[i]) / unit);
    }
  }
  return worst;
}

/* How f follows -d_j, given the columns j of H and Hv. */
static void force_slope(const ms_transient *run, const ms_trial_attachment *attachment,
                        const double *H, const double *Hv, double *df) {
  const ptrdiff_t m = attachment->curve->n_curved, own = attachment->first,
                  first = attachment->curve->first_curved;
  const int n = attachment->n;
  for (int a = 0; a < n; a++) df[a] = 0.0;
  for (int b = 0; b < n; b++) {
    const double *c = attachment->c + m * b, *e = attachment->e + m * b;
    double dz = H[own + b] + ms_dot(m, c, H + first), dw = 0.0;
    if (run->rate) dw = Hv[own + b] + ms_dot(m, c, Hv + first) + ms_dot(m, e, H + first);
    for (int a = 0; a < n; a++) {
      df[a] += attachment->out.du[a + n * b] * dz;
      if (run->rate) df[a] += attachment->out.dv[a + n * b] * dw;
    }
  }
}

/* Column j of J takes that of dd_x = df - K_T dx and dd_y = sum df_a c_a + f_a bend_a dy. */
static void add_column(ms_transient *run, const ms_trial_attachment *attachment, ptrdiff_t j) {
  const ptrdiff_t m = attachment->curve->n_curved, own = attachment->first,
                  first = attachment->curve->first_curved;
  const double *H = run->H + run->n * j, *Hv = run->Hv + run->n * j;
  double *J = run->J + run->n * j, df[MS_JOINT_MAX_AXIS];
  force_slope(run, attachment, H, Hv, df);
  for (int a = 0; a < attachment->n; a++) {
    const double *curvature = attachment->curve->curvature[a], f = run->f[own + a];
    J[own + a] += df[a];
    for (int b = 0; b < attachment->n; b++)
      J[own + a] -= attachment->stuck[a + attachment->n * b] * H[own + b];
    for (ptrdiff_t r = 0; curvature && r < m; r++) {
      J[first + r] +=
          df[a] * attachment->c[r + m * a] + f * ms_dot(m, curvature + m * r, H + first);
    }
  }
}

void ms_transient_fill_curved_J(ms_transient *run) {
  for (int k = 0; k < run->structure->n_attachment; k++) {
    for (ptrdiff_t j = 0; run->attachment[k].curve && j < run->n; j++) {
      add_column(run, &run->attachment[k], j);
    }
  }
}

double ms_transient_linear_part(const ms_transient *run, const ms_attachment *attachment,
                                int axis) {
  const ptrdiff_t i = attachment->first + axis;
  return attachment->n_curved > 0 ? ms_dot(run->m, run->gamma + run->m * i, run->q) : run->z[i];
}
