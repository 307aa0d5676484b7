/* The loss by Masing's rule on the modal curve alpha(q), without cancellation: with the part of the
   force that slip takes away, g = omega_r^2 q - alpha = -(g_r^T d),

     D = 4 g q - 8 int_0^q g dq.

   The integral runs from level to level by Gauss-Kronrod panels (7 and 15 points), halved where the
   two differ. In microslip g is a broken power of q: the first panel is taken in t, q = q_1 t^4. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

enum { MAX_DEPTH = 48, MAX_PANELS = 2000, FIRST_POWER = 4 }; /* panels of one level */

static const double point[8] = {
  0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
  0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
  0.586087235467691130294144691827829, 0.405845151377397166906606412076961,
  0.207784955007898467600689403773245, 0.0
};
static const double kronrod[8] = {
  0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
  0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
  0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
  0.204432940075298892414161999234649, 0.209482141084727828012999174891714
};
static const double gauss[4] = { 0.129484966168869693270611432679082,
                                 0.279705391489276667901467771423780,
                                 0.381830050505118944950369775488975,
                                 0.417959183673469387755102040816327 };

typedef struct quadrature {
  double q_1;              /* > 0: first interval, in t */
  const double *z;         /* of a level near by, for the guess */
  double q;                /* its amplitude */
  double tolerance, floor; /* of one panel: relative, absolute */
  double sum, error;
  int panels;
} quadrature;

/* g at q from the virgin state, the integrand in the panel's own variable. */
static ms_status integrand(ms_quasistatic *run, const quadrature *quad, double x, double *out) {
  double q = x, weight = 1.0;
  if (quad->q_1 > 0.0) {
    q = quad->q_1 * pow(x, FIRST_POWER);
    weight = FIRST_POWER * quad->q_1 * pow(x, FIRST_POWER - 1);
  }
  for (ptrdiff_t i = 0; i < run->n; i++) run->z_next[i] = quad->z[i] * (q / quad->q);
  MS_TRY(ms_static_solve(run, &run->by_q, q));
  *out = -weight * ms_static_dot(run->n, run->g, run->d);
  return MS_SUCCESS;
}

static ms_status panel(ms_quasistatic *run, const quadrature *quad, double a, double b,
                       double *fine, double *coarse) {
  double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  *fine = *coarse = 0.0;
  for (int i = 0; i < 8; i++) {
    for (int side = -1; side <= (i < 7 ? 1 : -1); side += 2) {
      double y;
      MS_TRY(integrand(run, quad, middle + side * half * point[i], &y));
      *fine += half * kronrod[i] * y;
      if (i % 2) *coarse += half * gauss[i / 2] * y;
    }
  }
  return MS_SUCCESS;
}

static ms_status integrate(ms_quasistatic *run, quadrature *quad, double a, double b, int depth) {
  double fine, coarse;
  MS_TRY(panel(run, quad, a, b, &fine, &coarse));
  double error = fabs(fine - coarse);
  int may = depth < MAX_DEPTH && quad->panels++ < MAX_PANELS;
  if (error > quad->tolerance * fabs(fine) && error > quad->floor && may) {
    double middle = 0.5 * (a + b);
    MS_TRY(integrate(run, quad, a, middle, depth + 1));
    return integrate(run, quad, middle, b, depth + 1);
  }
  quad->sum += fine;
  quad->error += error;
  return MS_SUCCESS;
}

static int all_masing(const ms_quasistatic *run) {
  for (int k = 0; k < run->modal.n_attachment; k++) {
    if (run->attachment[k].n > 1 ||
        !(ms_joint_info(run->attachment[k].joint)->flags & MS_LAW_MASING))
      return 0;
  }
  return 1;
}

static ms_status check_level(ms_quasistatic *run, quadrature *quad, ptrdiff_t k) {
  ms_quasistatic_level *level = &run->level[k];
  double w2 = run->omega_r * run->omega_r, q_0 = k > 0 ? run->level[k - 1].q : 0.0;
  quad->q_1 = k > 0 ? 0.0 : level->q;
  quad->z = level->z;
  quad->panels = 0;
  quad->q = level->q;
  quad->floor = run->setting.tol.loss_noise * w2 * level->q * level->q;
  MS_TRY(integrate(run, quad, k > 0 ? q_0 : 0.0, k > 0 ? level->q : 1.0, 0));
  memcpy(run->z_next, level->z, (size_t)run->n * sizeof *run->z_next);
  MS_TRY(ms_static_solve(run, &run->by_q, level->q));
  double g = -ms_static_dot(run->n, run->g, run->d);
  level->D_check = 4.0 * g * level->q - 8.0 * quad->sum;
  level->check_error = 8.0 * quad->error;
  level->has_check = 1;
  return MS_SUCCESS;
}

/* Levels from the first on, as long as first loading was straight. */
ms_status ms_static_check_losses(ms_quasistatic *run) {
  quadrature quad = { .tolerance = run->setting.check_tolerance };
  if (run->setting.kind == MS_QUASISTATIC_RQNM || run->p || !all_masing(run)) return MS_SUCCESS;
  MS_TRY(ms_static_start(run));
  for (ptrdiff_t k = 0; k < run->n_level; k++) {
    if (run->has_turned[k] || run->level[k].method != MS_LOSS_OWN) break;
    ms_status status = check_level(run, &quad, k);
    if (status != MS_SUCCESS) {
      return ms_fail_at(run->ctx, status, "Masing's rule at level %td", k + 1);
    }
  }
  return MS_SUCCESS;
}
