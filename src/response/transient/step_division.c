/* The exponential method takes d = f - K_T z as linear over a step. While a joint sticks, d stays
   as it is. Once it has lost the stiffness F = |df/dz - K_T|, d is off that line by F z'' dt^2/12
   in the mean, a force that has nothing to do with the joint's own and may exceed all others. Of
   the inertia in a direction x of the slipped modes s that is the part

     e = x^T S x/x^T x,   S = sum_ij g_i X_ij g_j,   X = dt^2/12 sum_s gamma_s gamma_s^T,  g^2 = F',

   with gamma_s the slipped modes at the joint axes. Modes too fast for the step do not follow the
   force but yield to it, C = sum_s gamma_s^2/omega_s^2, which leaves F' = F/(1 + F C) of a
   stiffness F. The largest row of S bounds e. Steps are divided until it is below setting.divide.

   That is seen at the ends of parts. In between, stuck modes with omega dt above tol.seen ring by
   up to

     swing = sum_r |gamma_r| sqrt(a_r^2 + omega_r^2 v_r^2)/omega_r^2

   about where they follow the force, so that a joint may slip there and stick again before the end.
   It is looked at twice the swing to either side of z, too: z itself may be anywhere within it.

   What a step costs where nothing slips is the sum of F X_jj, another bound; until slipped modes
   are asked for, it takes X_jj from the stuck ones, which have the same sum over all modes. */
#include <math.h>
#include <string.h>

#include "response/transient/impl.h"

struct ms_divide {
  double *gamma;          /* slipped modes at the joint axes, m x n_own */
  double *X[MS_MAX_PART]; /* of each length of a part, n_own x n_own */
  double *C[MS_MAX_PART];
  double *g, *swing;
  int has_gamma, has_X[MS_MAX_PART];
};

/* ---- life ---- */

ms_status ms_divide_open(ms_transient *run) {
  const ptrdiff_t n = run->n_own;
  ms_divide *d;
  MS_TRY(ms_allocate(run->ctx, 1, sizeof *d, &d));
  run->divide = d;
  MS_TRY(ms_allocate(run->ctx, run->m * n, sizeof *d->gamma, &d->gamma));
  MS_TRY(ms_allocate(run->ctx, n, sizeof *d->g, &d->g));
  MS_TRY(ms_allocate(run->ctx, n, sizeof *d->swing, &d->swing));
  MS_TRY(ms_allocate(run->ctx, n, sizeof *run->bound, &run->bound));
  for (int k = 0; k <= run->setting.divide_max; k++) {
    MS_TRY(ms_allocate(run->ctx, n * n, sizeof **d->X, &d->X[k]));
    MS_TRY(ms_allocate(run->ctx, n, sizeof **d->C, &d->C[k]));
  }
  const double weight = run->dt * run->dt / 12.0;
  for (ptrdiff_t j = 0; j < run->n_own; j++) {
    const double *gamma = run->gamma + run->m * j;
    run->bound[j] = 0.0;
    for (ptrdiff_t r = 0; r < run->m; r++) run->bound[j] += weight * gamma[r] * gamma[r];
  }
  return ms_parts_open(run, run->setting.divide_max + 1);
}

void ms_divide_close(ms_transient *run) {
  ms_divide *d = run->divide;
  if (!d) return;
  for (int k = 0; k < MS_MAX_PART; k++) {
    ms_free(run->ctx, &d->X[k]);
    ms_free(run->ctx, &d->C[k]);
  }
  ms_free(run->ctx, &d->gamma);
  ms_free(run->ctx, &d->g);
  ms_free(run->ctx, &d->swing);
  ms_free(run->ctx, &run->bound);
  ms_free(run->ctx, &run->divide);
}

/* gamma := Phi_slip^T B; run->g is workspace. */
static void fill_gamma(ms_transient *run) {
  const ms_structure *s = run->structure;
  const ptrdiff_t m = run->m;
  double *b = run->g;
  for (int k = 0; k < s->n_attachment; k++) {
    for (int a = 0; a < run->attachment[k].n; a++) {
      double *gamma = run->divide->gamma + m * (s->attachment[k].first + a);
      memset(b, 0, (size_t)m * sizeof *b);
      ms_attachment_push(s, &s->attachment[k], a, 1.0, b);
      for (ptrdiff_t r = 0; r < m; r++) {
        gamma[r] = 0.0;
        for (ptrdiff_t i = 0; i < m; i++) gamma[r] += s->shape_slip[i + m * r] * b[i];
      }
    }
  }
  run->divide->has_gamma = 1;
}

static void fill_X(ms_transient *run, int k) {
  ms_divide *d = run->divide;
  const ptrdiff_t m = run->m, n = run->n_own;
  const double dt = run->part[k].dt, *omega = run->structure->omega_slip;
  if (!d->has_gamma) fill_gamma(run);
  for (ptrdiff_t r = 0; r < m; r++) {
    const double most = run->setting.static_above;
    const int own = omega[r] * dt <= run->setting.tol.resolved && (most == 0.0 || omega[r] <= most);
    for (ptrdiff_t j = 0; j < n; j++) {
      const double g = d->gamma[r + m * j];
      if (!own) d->C[k][j] += g * g / (omega[r] * omega[r]);
      for (ptrdiff_t i = 0; own && i < n; i++) {
        d->X[k][i + n * j] += dt * dt / 12.0 * d->gamma[r + m * i] * g;
      }
    }
  }
  for (ptrdiff_t j = 0; k == 0 && j < n; j++) run->bound[j] = d->X[0][j + n * j];
  d->has_X[k] = 1;
}

/* ---- the error of a part ---- */

void ms_divide_follow(ms_transient *run) {
  const double dt = run->dt, keep = 1.0 - run->setting.tol.forget * dt / run->setting.step;
  const double over = 2.0 / (dt + run->dt_before);
  for (ptrdiff_t j = 0; j < run->n_own; j++) {
    const double rate = (run->z[j] - run->z_begin[j]) / dt;
    const double curvature = fabs(rate - run->z_rate[j]) * over;
    run->z_rate[j] = rate;
    run->most_rate[j] = fmax(keep * run->most_rate[j], fabs(rate));
    run->most_curvature[j] = fmax(keep * run->most_curvature[j], curvature);
  }
  for (ptrdiff_t j = 0; j < run->n; j++) run->d_rate[j] = (run->d[j] - run->d_begin[j]) / dt;
  run->dt_before = dt;
}

/* e of a part of step/2^k, with the stiffness that the joints have under trial. */
static double slip_error(ms_transient *run, int k) {
  ms_divide *d = run->divide;
  const ptrdiff_t n = run->n_own;
  double worst = 0.0;
  if (!d->has_X[k]) fill_X(run, k);
  for (int i = 0; i < run->structure->n_attachment; i++) {
    const ms_trial_attachment *attachment = &run->attachment[i];
    for (int a = 0; a < attachment->n; a++) {
      const int aa = a + attachment->n * a;
      const ptrdiff_t j = attachment->first + a;
      const double F = fabs(attachment->out.du[aa] - attachment->stuck[aa]),
                   R = fabs(attachment->out.du[aa]);
      const double held = ms_divide_held(run, j, R, d->X[k][j + n * j], run->part[k].dt);
      d->g[j] = sqrt(F / ((1.0 + F * d->C[k][j]) * held));
    }
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    double row = 0.0;
    for (ptrdiff_t i = 0; d->g[j] > 0.0 && i < n; i++) row += d->g[i] * fabs(d->X[k][i + n * j]);
    worst = fmax(worst, d->g[j] * row);
  }
  return worst;
}

/* ---- slip between the ends ---- */

/* Whether modes ring loud enough between the ends of a part of step/2^k to be looked at. */
static int find_swing(ms_transient *run, int k) {
  const double dt = run->part[k].dt, most = run->setting.static_above;
  double *swing = run->divide->swing;
  int loud = 0;
  memset(swing, 0, (size_t)run->n_own * sizeof *swing);
  for (ptrdiff_t r = run->m - 1; r >= 0 && run->omega[r] * dt > run->setting.tol.seen; r--) {
    const double omega = run->omega[r];
    if (most > 0.0 && omega > most) continue;
    const double size = hypot(run->a[r], omega * run->v[r]) / (omega * omega);
    for (ptrdiff_t j = 0; j < run->n_own; j++) swing[j] += size * fabs(run->gamma[r + run->m * j]);
  }
  for (int i = 0; i < run->structure->n_attachment; i++) {
    const ms_trial_attachment *attachment = &run->attachment[i];
    for (int a = 0; a < attachment->n; a++) {
      const double K = fabs(attachment->stuck[a + attachment->n * a]);
      loud |= K * swing[attachment->first + a] >
              run->setting.tol.loud * fabs(run->f[attachment->first + a]);
    }
  }
  return loud;
}

/* e where the joints are off by so much of the swing. */
static double error_displaced(ms_transient *run, int k, double part) {
  const double *swing = run->divide->swing;
  ms_transient_swap_probe(run);
  for (ptrdiff_t j = 0; j < run->n_own; j++) {
    run->z[j] = run->z_probe[j] + part * swing[j];
    run->w[j] = run->w_probe[j];
  }
  ms_status status = ms_transient_eval_joints(run, run->dt);
  const double error = status == MS_SUCCESS ? slip_error(run, k) : HUGE_VAL;
  ms_transient_swap_probe(run);
  if (status != MS_SUCCESS) ms_context_clear_message(run->ctx);
  return error;
}

/* Joints with curvature are taken as they are at the ends. */
static int slips_between(ms_transient *run, int k) {
  const double most = run->setting.divide;
  if (run->curved || !find_swing(run, k)) return 0;
  return error_displaced(run, k, 2.0) > most || error_displaced(run, k, -2.0) > most;
}

int ms_divide_find_level(ms_transient *run, int slips) {
  const int last = run->setting.divide_max;
  int k = run->level;
  while (slips && k < last && slip_error(run, k) > run->setting.divide) k++;
  while (k < last && slips_between(run, k)) k++;
  return k;
}

/* ---- steps ---- */

/* A part from here, as long as the joints allow. */
static ms_status take_part(ms_transient *run) {
  const int loaded = run->loaded, last = run->setting.divide_max;
  ms_parts_keep(run);
  for (;;) {
    ms_status status = ms_transient_attempt(run);
    int k = status == MS_SUCCESS ? ms_divide_find_level(run, 1) : run->level + 2;
    if (status == MS_SUCCESS && k == run->level) {
      const int coarse =
          k == last && (slip_error(run, k) > run->setting.divide || slips_between(run, k));
      run->count.coarse += coarse;
      return ms_transient_accept(run);
    }
    ms_parts_put_back(run, loaded);
    if (status < 0 || (status != MS_SUCCESS && run->level == last)) return status;
    MS_TRY(ms_parts_use(run, k < last ? k : last));
  }
}

ms_status ms_divide_step(ms_transient *run) {
  const long whole = 1L << run->setting.divide_max;
  const ptrdiff_t step = run->step;
  const double end = run->t + run->setting.step;
  for (long at = 0; at < whole;) {
    ms_status status = take_part(run);
    if (status != MS_SUCCESS) {
      run->step = step;
      return status;
    }
    at += whole >> run->level;
    while (run->level > 0 && at % (whole >> (run->level - 1)) == 0 &&
           slip_error(run, run->level - 1) <= run->setting.divide &&
           !slips_between(run, run->level - 1)) {
      MS_TRY(ms_parts_use(run, run->level - 1));
    }
  }
  run->count.divided++;
  run->t = end;
  run->step = step + 1;
  return MS_SUCCESS;
}
