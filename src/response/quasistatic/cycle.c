/* A level by leading the load round its cycle, A cos(t) from +A to -A and back, in quasi-static
   steps from where first loading began, until the loop is steady. Amplitudes, q and alpha are the
   loop's half ranges, the loss is the laws' own, or the joint's loop area where a law keeps none.

   With amplitudes as levels and no preload q is led, else alpha: a preloaded joint may creep, and
   its mean q is not ours to hold. Joints that know a rate get the mode's frequency. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

/* A loop under way. */
typedef struct loop {
  const ms_static_form *form;
  double A;        /* amplitude of s */
  double s;        /* now */
  double q, alpha; /* now */
  double area;     /* of the modal loop in this turn */
  int by_q;
} loop;

static void place(const ms_quasistatic *run, loop *l) {
  double w2 = run->omega_r * run->omega_r, slip = 0.0, q = l->q, alpha = l->alpha;
  for (ptrdiff_t i = 0; i < run->n; i++) slip += run->g[i] * (run->d[i] - run->d_0[i]);
  l->q = l->by_q ? l->s : (l->s - slip) / w2;
  l->alpha = l->by_q ? w2 * l->s + slip : l->s;
  l->area += 0.5 * (alpha + l->alpha) * (l->q - q);
}

static ms_status step_to(ms_quasistatic *run, loop *l, double s, double *D) {
  const size_t bytes = (size_t)run->n * sizeof *run->z;
  memcpy(run->was, run->z, bytes);
  memcpy(run->was + run->n, run->f, bytes);
  MS_TRY(ms_static_advance(run, l->form, l->s, s));
  l->s = s;
  place(run, l);
  /* Joint loops, for laws that keep no energies; was[]: z and f before the step. */
  const double *z = run->was, *f = run->was + run->n;
  for (int j = 0; j < run->modal.n_attachment; j++) {
    const ms_static_attachment *attachment = &run->attachment[j];
    if (attachment->joint->law->energy) continue;
    for (ptrdiff_t i = attachment->first; i < attachment->first + attachment->n; i++) {
      D[j] += 0.5 * (run->f[i] + f[i]) * (run->z[i] - z[i]);
    }
  }
  return MS_SUCCESS;
}

/* From `from` A to -`from` A. */
static ms_status half_turn(ms_quasistatic *run, loop *l, double from, double *D) {
  ptrdiff_t n = run->setting.cycle_steps;
  for (ptrdiff_t i = 1; i <= n; i++) {
    double c = i == n ? -1.0 : cos(acos(-1.0) * (double)i / (double)n);
    MS_TRY(step_to(run, l, from * l->A * c, D));
  }
  return MS_SUCCESS;
}

static void count_energy(const ms_quasistatic *run, double sign, double *D) {
  for (int j = 0; j < run->modal.n_attachment; j++)
    D[j] += sign * ms_static_energy(run->attachment[j].joint);
}

typedef struct turn_end {
  double q, alpha, D;
} turn_end;

static double relative(double change, double size) {
  return change == 0.0 ? 0.0 : fabs(change) / size;
}

/* One turn from +A; z, f, D of the level, and the relative change since the turn before. */
static ms_status turn(ms_quasistatic *run, loop *l, ptrdiff_t k, turn_end *before) {
  ms_quasistatic_level *level = &run->level[k];
  double *z = ms_static_store(run, k), *f = z + run->n, *D = f + run->n;
  const ptrdiff_t n = run->n;
  memset(D, 0, (size_t)run->modal.n_attachment * sizeof *D);
  l->area = 0.0;
  count_energy(run, -1.0, D);
  MS_TRY(half_turn(run, l, 1.0, D));
  double q_low = l->q, alpha_low = l->alpha;
  memcpy(z, run->z, (size_t)n * sizeof *z);
  memcpy(f, run->f, (size_t)n * sizeof *f);
  MS_TRY(half_turn(run, l, -1.0, D));
  count_energy(run, 1.0, D);
  for (ptrdiff_t i = 0; i < n; i++) {
    z[i] = 0.5 * (run->z[i] - z[i]);
    f[i] = 0.5 * (run->f[i] - f[i]);
  }
  level->q = level->q_mode = 0.5 * (l->q - q_low);
  level->alpha = 0.5 * (l->alpha - alpha_low);
  level->D_check = l->area;
  level->D = 0.0;
  for (int j = 0; j < run->modal.n_attachment; j++) level->D += D[j];
  double work = level->alpha * level->q;
  level->drift = fmax(
      relative(level->D - before->D, fmax(fabs(level->D), 1e-6 * work)),
      fmax(relative(l->q - before->q, level->q), relative(l->alpha - before->alpha, level->alpha)));
  *before = (turn_end) { l->q, l->alpha, level->D };
  return MS_SUCCESS;
}

static ms_status first_loading(ms_quasistatic *run, loop *l) {
  ptrdiff_t n = run->setting.cycle_steps / 2;
  MS_TRY(ms_static_start(run));
  for (ptrdiff_t i = 1; i <= n; i++) {
    double s = l->A * (double)i / (double)n;
    MS_TRY(ms_static_advance(run, l->form, l->s, s));
    l->s = s;
  }
  run->first_loading = 0;
  place(run, l);
  return MS_SUCCESS;
}

/* ---- memory that fades ---- */

enum { SEED_POINTS = 64 };

static int fades(const ms_quasistatic *run, const ms_static_attachment *attachment) {
  return !run->p && attachment->n == 1 && attachment->joint->law->fading;
}

/* A memory that fades by a part in ten thousand a turn would need as many turns. The joint
   interface knows the steady state of a joint between +z and -z: from there, at the last z, the
   turn goes on. What differs is then the change of z from turn to turn alone. */
static ms_status seed(ms_quasistatic *run, loop *l, ptrdiff_t k) {
  const ms_quasistatic_level *level = &run->level[k];
  int any = 0;
  for (int j = 0; j < run->modal.n_attachment; j++) {
    const ms_static_attachment *attachment = &run->attachment[j];
    double z = level->z[attachment->first];
    ms_joint_cycle cycle;
    if (!fades(run, attachment) || z == 0.0) continue;
    MS_TRY(ms_joint_run_cycle(attachment->joint, fabs(z), level->omega, SEED_POINTS, NULL, NULL,
                              &cycle));
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    in.u[0] = z;
    in.dt = run->dt * (double)run->setting.cycle_steps;
    if (z < 0.0) MS_TRY(ms_joint_step(attachment->joint, &in, &out)); /* to the other tip */
    run->z_old[attachment->first] = z;
    any = 1;
  }
  if (!any) return MS_SUCCESS;
  MS_TRY(ms_static_advance(run, l->form, l->s, l->s));
  place(run, l);
  return MS_SUCCESS;
}

static int knows_rate(const ms_quasistatic *run) {
  for (int j = 0; j < run->modal.n_attachment; j++) {
    if (ms_joint_info(run->attachment[j].joint)->flags & MS_LAW_RATE) return 1;
  }
  return 0;
}

static ms_status cycle_level(ms_quasistatic *run, ptrdiff_t k) {
  ms_quasistatic_level *level = &run->level[k];
  loop l = { .by_q = run->setting.level == MS_LEVEL_AMPLITUDE && !run->p };
  turn_end before = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
  l.form = l.by_q ? &run->by_q : &run->by_load;
  l.A = l.by_q ? level->q : level->alpha;
  for (ptrdiff_t i = 0; i < run->n; i++) {
    run->scale = fmax(run->scale, fabs(l.A * l.form->direction[i]));
  }
  MS_TRY(first_loading(run, &l));
  if (knows_rate(run)) {
    run->dt = acos(-1.0) / level->omega / (double)run->setting.cycle_steps;
  }
  level->method = MS_LOSS_CYCLED;
  level->has_check = 1;
  level->check_error = 0.0;
  for (level->turns = 1; level->turns <= run->setting.cycle_max; level->turns++) {
    MS_TRY(seed(run, &l, k));
    MS_TRY(turn(run, &l, k, &before));
    if (level->drift <= run->setting.cycle_tolerance) break;
  }
  if (level->turns > run->setting.cycle_max) level->turns = run->setting.cycle_max;
  level->residual = run->residual;
  level->tolerance = run->accepted;
  if (level->q > 0.0 && level->alpha > 0.0) return MS_SUCCESS;
  return ms_fail(run->ctx, MS_ERR_NUMERIC, "the steady loop has no range");
}

ms_status ms_static_cycle(ms_quasistatic *run, ptrdiff_t k) {
  ms_status status = cycle_level(run, k);
  run->dt = run->scale = 0.0;
  return status;
}
