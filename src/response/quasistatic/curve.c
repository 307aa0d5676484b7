/* First loading along the joints' virgin curves. A joint whose law knows its curve, and that has
   not turned back, is where the curve says, however it came there: d, d' and the loss per cycle
   need no history, and none is kept. The joints are brought after it when they leave the curve: at
   the end, or where one of them turns back or Newton's method fails, to go on with their own steps.

   The guess at s is the polynomial through the last points (s_i, z_i), rest the first of them:

     z = sum_i w_i z_i,      w_i = prod_{j != i} (s - s_j)/(s_i - s_j).

   The forces of these laws do not fall with displacement, so the energy is convex and there is one
   equilibrium: a guess can cost iterations, not lead elsewhere. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

/* The oldest makes scratch: weights know no order. */
static void keep_point(ms_quasistatic *run, double s) {
  ptrdiff_t slot = run->n_past++ % MS_STATIC_PAST;
  run->past_s[slot] = s;
  for (ptrdiff_t a = 0; a < run->n; a++) run->past[slot + MS_STATIC_PAST * a] = run->z_old[a];
}

void ms_static_enter_curve(ms_quasistatic *run) {
  run->on_curve = run->setting.kind == MS_QUASISTATIC_QSMA && !run->p;
  for (int k = 0; k < run->modal.n_attachment && run->on_curve; k++) {
    const ms_law *law = run->attachment[k].joint->law;
    ms_virgin point;
    run->on_curve = run->attachment[k].n == 1 && law->virgin &&
                    law->virgin(run->attachment[k].joint->model, 0.0, &point);
  }
  run->n_past = 0;
  if (run->on_curve) keep_point(run, 0.0);
}

/* Virgin joints reach any point of their curves in one step. */
ms_status ms_static_leave_curve(ms_quasistatic *run) {
  if (!run->on_curve) return MS_SUCCESS;
  run->on_curve = 0;
  for (int k = 0; k < run->modal.n_attachment; k++) {
    ms_static_attachment *attachment = &run->attachment[k];
    attachment->in.u[0] = run->z_old[attachment->first];
    MS_TRY(ms_joint_step(attachment->joint, &attachment->in, &attachment->out));
  }
  return MS_SUCCESS;
}

/* One axis to each joint: attachment k has axis k. */
void ms_static_eval_curve(ms_quasistatic *run, const double *z) {
  for (int k = 0; k < run->modal.n_attachment; k++) {
    ms_static_attachment *attachment = &run->attachment[k];
    ms_virgin point;
    attachment->joint->law->virgin(attachment->joint->model, z[k], &point);
    run->f[k] = point.force;
    run->d[k] = -point.slip;
    attachment->out.du[0] = point.slope;
    attachment->loss = point.loss;
  }
}

static int turns_back(const ms_quasistatic *run) {
  int turns = 0;
  for (ptrdiff_t i = 0; i < run->n; i++) {
    double way = run->z_old[i], more = run->z[i] - way;
    turns |= way * more < 0.0 && fabs(more) > run->setting.tol.turned * fabs(way);
  }
  return turns;
}

/* Called with m as a number where it can be: short loops of a length known beforehand are none. */
static inline void fill_weights(int m, const double *s_i, double s, double *w) {
  for (int i = 0; i < m; i++) {
    double above = 1.0, below = 1.0;
    for (int j = 0; j < m; j++) {
      above *= j == i ? 1.0 : s - s_i[j];
      below *= j == i ? 1.0 : s_i[i] - s_i[j];
    }
    w[i] = above / below;
  }
}

int ms_static_advance_curve(ms_quasistatic *run, const ms_static_form *form, double s) {
  if (run->n_past > 1) {
    const ptrdiff_t n = run->n;
    double w[MS_STATIC_PAST] = { 0.0 };
    if (run->n_past >= MS_STATIC_PAST) {
      fill_weights(MS_STATIC_PAST, run->past_s, s, w);
    } else {
      fill_weights((int)run->n_past, run->past_s, s, w);
    }
    for (ptrdiff_t a = 0; a < n; a++) {
      const double *z = run->past + MS_STATIC_PAST * a;
      double sum = 0.0;
      for (int i = 0; i < MS_STATIC_PAST; i++) sum += w[i] * z[i];
      run->z_next[a] = sum;
    }
  } else {
    /* From rest as stuck joints would go. */
    for (ptrdiff_t i = 0; i < run->n; i++) run->z_next[i] = s * form->direction[i];
  }
  if (ms_static_solve(run, form, s) != MS_SUCCESS || turns_back(run)) return 0;
  memcpy(run->z_old, run->z, (size_t)run->n * sizeof *run->z_old);
  keep_point(run, s);
  return 1;
}
