/* Force-state mapping with all modes. With the receptances h of the stuck structure at w = k Omega,

     y_0 = F,   y_s = h_sF F - sum over b of h_sb d_b,   z_a = h_aF F - sum over b of h_ab d_b,

   each equation over its standard deviation, and least squares for x = (F, d): the measured force
   is one of the equations, so that its noise counts as well. */
#include <cblas.h>
#include <float.h>
#include <math.h>
#include <microslip/response.h>
#include <string.h>

#include "core/internal.h"
#include "identify/force_state/force_state.h"

typedef ms_force_state_work work;

static int count_outputs(const work *w) {
  return w->request->n_sensor + w->n_axis;
}

/* Output o (sensors, then axes) over column c (force, then axes) at harmonic k; a force on an axis
   is one against d. */
static double complex get(const work *w, int o, int c, int k) {
  const double *h = w->response + 2 * (k + (ptrdiff_t)w->H * (o + count_outputs(w) * c));
  return c > 0 ? -(h[0] + I * h[1]) : h[0] + I * h[1];
}

static ms_status check(const work *w) {
  if (w->axes <= w->request->n_sensor) return MS_SUCCESS;
  return ms_fail(w->ctx, MS_ERR_BOUNDS, "%d axes of the joint need as many sensors, not %d",
                 w->axes, w->request->n_sensor);
}

static ms_status prepare(work *w) {
  const ptrdiff_t n = ms_structure_get_size(w->structure);
  const int n_sensor = w->request->n_sensor;
  for (int c = 0; c < w->C; c++) {
    for (int o = 0; o < count_outputs(w); o++) {
      const ms_force_state_sensor *s = &w->request->sensor[o < n_sensor ? o : 0];
      ms_response_request q = {
        .kind = o < n_sensor ? (ms_response_kind)s->kind : MS_RECEPTANCE,
        .force = c == 0 ? w->request->force : w->b + n * (c - 1),
        .sensor = o < n_sensor ? s->weights : w->b + n * (o - n_sensor),
        .joints = MS_JOINTS_STUCK,
      };
      double *to = w->response + 2 * (ptrdiff_t)w->H * (o + count_outputs(w) * c);
      MS_TRY(ms_response_synthesise(w->structure, &q, w->H, w->w, to));
    }
  }
  return MS_SUCCESS;
}

/* Weighted equations, R x C. */
static void fill_equations(const work *w, int k, double complex *A) {
  memset(A, 0, (size_t)w->R * (size_t)w->C * sizeof *A);
  A[0] = 1.0 / w->sigma[0];
  for (int c = 0; c < w->C; c++) {
    for (int s = 1; s < w->R; s++) A[s + w->R * c] = get(w, s - 1, c, k) / w->sigma[s];
  }
}

static ms_status fill(work *w, int k) {
  const int R = w->R, C = w->C, n_sensor = w->request->n_sensor;
  ms_force_state_rows *to = &w->rows[k];
  double complex *A = w->scratch, *scratch = A + R * C, *X = to->x;
  fill_equations(w, k, A);
  MS_TRY(ms_force_state_invert(w->ctx, R, C, A, scratch, X, &to->condition));
  for (int j = 0; j < R; j++) {
    for (int c = 0; c < C; c++) X[c + C * j] /= w->sigma[j];
  }
  for (int c = 0; c < C; c++) {
    for (int a = 0; a < w->n_axis; a++) A[a + w->n_axis * c] = get(w, n_sensor + a, c, k);
  }
  ms_force_state_multiply(w->n_axis, C, R, A, X, to->z);
  fill_equations(w, k, A);
  ms_force_state_multiply(R, C, R, A, X, to->fit);
  for (int j = 0; j < R; j++) {
    for (int s = 0; s < R; s++) to->fit[s + R * j] *= w->sigma[s];
  }
  ms_force_state_fill_forces(w, k, 1.0, X + 1, C);
  return MS_SUCCESS;
}

static int count_freedom(const work *w) {
  return w->R - w->C;
}

/* Phi_r^T times the force of column c. */
static double push(const work *w, ptrdiff_t r, int c) {
  const ms_structure *s = w->structure;
  if (c > 0) return -s->gamma[r + s->n * (w->attachment->first + c - 1)];
  return cblas_ddot((int)s->n, w->request->force, 1, s->shape + s->n * r, 1);
}

/* The damping of mode r by itself, dashpots of the joints included. */
static double get_damping(const ms_structure *s, ptrdiff_t r) {
  double c = s->modal_damping[r];
  for (int j = 0; j < s->n_attachment; j++) {
    const ms_attachment *attachment = &s->attachment[j];
    const int n = ms_joint_info(attachment->joint)->n_axis;
    const double *gamma = s->gamma + r + s->n * attachment->first;
    for (int k = 0; k < n * n; k++) {
      c += gamma[s->n * (k % n)] * attachment->dashpot[k] * gamma[s->n * (k / n)];
    }
  }
  return c;
}

/* G = sum over modes of (omega_r^2 + w^2) p_r p_r^T/|A_r|^2, p_r: push. */
static void weigh(const work *w, int k, double *G) {
  const ms_structure *s = w->structure;
  const double W = w->w[k];
  memset(G, 0, (size_t)(w->C * w->C) * sizeof *G);
  for (ptrdiff_t r = 0; r < s->n; r++) {
    const double O = s->omega[r];
    const double complex A = (O - W) * (O + W) + I * W * get_damping(s, r);
    const double weight = (O * O + W * W) / pow(fmax(cabs(A), DBL_EPSILON * W * W), 2.0);
    double *p = G + w->C * w->C;
    for (int c = 0; c < w->C; c++) p[c] = push(w, r, c);
    cblas_dger(CblasColMajor, w->C, w->C, weight, p, 1, p, 1, G, w->C);
  }
}

const ms_force_state_kind ms_force_state_exact = {
  .name = "exact",
  .check = check,
  .prepare = prepare,
  .fill = fill,
  .freedom = count_freedom,
  .weigh = weigh,
};
