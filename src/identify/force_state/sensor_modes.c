/* Force-state mapping with as many modes as sensors see, the way of Rajaei and Ahmadian, eqs
   (31)-(33): with S the sensors' values in the lowest modes,

     q = S^+ y/(i w)^kind,   d from (omega_r^2 - w^2 + i w c_r) q_r = phi_r^T F - gamma_r^T d,

   r the modes nearest to the vibration's frequency, as many as axes are sought; z = gamma^T q. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/force_state/force_state.h"

typedef ms_force_state_work work;

static ms_status check(const work *w) {
  const int n_sensor = w->request->n_sensor;
  if (w->modes > n_sensor || w->modes < w->axes) {
    return ms_fail(
        w->ctx, MS_ERR_BOUNDS,
        "%td modes: there must be at most as many as sensors (%d), and one for each axis "
        "of the joint that is sought (%d)",
        w->modes, n_sensor, w->axes);
  }
  return MS_SUCCESS;
}

static ms_status prepare(work *w) {
  (void)w;
  return MS_SUCCESS;
}

/* v^T phi_r */
static double project(const work *w, const double *v, ptrdiff_t r) {
  const ms_structure *s = w->structure;
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < s->n; i++) sum += v[i] * s->shape[i + s->n * r];
  return sum;
}

static double distance(const work *w, ptrdiff_t r) {
  return fabs(w->structure->omega[r] - w->omega);
}

/* Mode number i (from 0) of those taken, by distance from the vibration's frequency. */
static ptrdiff_t nearest(const work *w, int i) {
  for (ptrdiff_t r = 0; r < w->modes; r++) {
    int before = 0;
    for (ptrdiff_t o = 0; o < w->modes; o++) {
      before += distance(w, o) < distance(w, r) || (distance(w, o) == distance(w, r) && o < r);
    }
    if (before == i) return r;
  }
  return 0;
}

/* Q, modes x R: from y to q; and what these modes make of the sensors. */
static ms_status fill_modal(work *w, int k, double complex *Q, double complex *scratch) {
  const int R = w->R, n = w->request->n_sensor, m = (int)w->modes;
  ms_force_state_rows *to = &w->rows[k];
  double complex *S = scratch, *kept = S + n * m, *seen = kept + n * m, *rest = seen + n * n;
  for (int s = 0; s < n; s++) {
    double complex kind = cpow(I * w->w[k], (double)w->request->sensor[s].kind);
    for (int r = 0; r < m; r++) S[s + n * r] = kind * project(w, w->request->sensor[s].weights, r);
  }
  memcpy(kept, S, (size_t)(n * m) * sizeof *S);
  memset(Q, 0, (size_t)m * sizeof *Q); /* the force tells nothing of q */
  MS_TRY(ms_force_state_invert(w->ctx, n, m, S, rest, Q + m, &to->condition));
  ms_force_state_multiply(n, m, n, kept, Q + m, seen);
  memset(to->fit, 0, (size_t)(R * R) * sizeof *to->fit);
  to->fit[0] = 1.0;
  for (int j = 0; j < n; j++) {
    memcpy(to->fit + 1 + R * (j + 1), seen + n * j, (size_t)n * sizeof *seen);
  }
  return MS_SUCCESS;
}

/* d = gamma_e^-1 (phi_e^T F - A_e q_e), axes x R, e the modes whose equations are used. */
static ms_status fill_difference(work *w, int k, const double complex *Q, double complex *d,
                                 double complex *scratch) {
  const ms_structure *s = w->structure;
  const int n = w->axes, m = (int)w->modes;
  double complex *gamma = scratch, *inverse = gamma + n * n, *rest = inverse + n * n;
  double condition;
  for (int e = 0; e < n; e++) {
    const ptrdiff_t r = nearest(w, e);
    const double complex A =
        (s->omega[r] - w->w[k]) * (s->omega[r] + w->w[k]) + I * w->w[k] * s->modal_damping[r];
    for (int b = 0; b < n; b++) gamma[e + n * b] = project(w, w->b + s->n * b, r);
    for (int j = 0; j < w->R; j++) {
      rest[e + n * j] = (j == 0 ? project(w, w->request->force, r) : 0.0) - A * Q[r + m * j];
    }
  }
  MS_TRY(ms_force_state_invert(w->ctx, n, n, gamma, rest + n * w->R, inverse, &condition));
  w->rows[k].condition = fmax(w->rows[k].condition, condition);
  ms_force_state_multiply(n, n, w->R, inverse, rest, d);
  return MS_SUCCESS;
}

static ms_status fill(work *w, int k) {
  const int R = w->R, n = w->n_axis, m = (int)w->modes;
  ms_force_state_rows *to = &w->rows[k];
  double complex *Q = to->x, *d = w->scratch, *scratch = d + n * R;
  MS_TRY(fill_modal(w, k, Q, scratch));
  MS_TRY(fill_difference(w, k, Q, d, scratch));
  for (int j = 0; j < R; j++) {
    for (int a = 0; a < n; a++) {
      to->z[a + n * j] = 0.0;
      for (int r = 0; r < m; r++) {
        to->z[a + n * j] += project(w, w->b + w->structure->n * a, r) * Q[r + m * j];
      }
    }
  }
  ms_force_state_fill_forces(w, k, 0.0, d, w->axes);
  return MS_SUCCESS;
}

static int count_freedom(const work *w) {
  return w->request->n_sensor - (int)w->modes;
}

/* The modes are x. */
static void weigh(const work *w, int k, double *G) {
  const int m = w->n_x;
  memset(G, 0, (size_t)(m * m) * sizeof *G);
  for (int r = 0; r < m; r++) {
    G[r + m * r] = pow(w->structure->omega[r], 2.0) + w->w[k] * w->w[k];
  }
}

const ms_force_state_kind ms_force_state_plain = {
  .name = "plain",
  .check = check,
  .prepare = prepare,
  .fill = fill,
  .freedom = count_freedom,
  .weigh = weigh,
};
