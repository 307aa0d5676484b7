/* A law alone, led around a closed path again and again: no energy is created. */
#include "trials/random_studies/trial.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Steps of a cycle, and cycles until it is steady. */
enum { STEPS = 2000, CYCLES = 4, HARMONICS = 3 };

/* Of the largest energy that goes in and out: the error of the trapezoidal rule at corners. */
static const double work_tolerance = 2e-3;

typedef struct path {
  int n_axis;
  double amplitude[MS_JOINT_MAX_AXIS][HARMONICS], phase[MS_JOINT_MAX_AXIS][HARMONICS], omega;
} path;

static path random_path(trial *t, const ms_joint *joint) {
  path p = { .n_axis = ms_joint_info(joint)->n_axis, .omega = t->omega * trial_log(t, 0.3, 3.0) };
  double scale = ms_joint_slip_scale(joint);
  if (!(scale > 0.0)) scale = t->displacement;
  scale *= trial_log(t, 0.1, 10.0);
  for (int i = 0; i < p.n_axis; i++) {
    for (int h = 0; h < HARMONICS; h++) {
      p.amplitude[i][h] =
          h == 0 || trial_chance(t, 0.5) ? scale * trial_uniform(t, 0.1, 1.0) / (h + 1) : 0.0;
      p.phase[i][h] = trial_uniform(t, -pi, pi);
    }
  }
  return p;
}

static void follow(const path *p, int step, ms_joint_input *in) {
  for (int i = 0; i < p->n_axis; i++) {
    in->u[i] = in->v[i] = 0.0;
    for (int h = 0; h < HARMONICS; h++) {
      double angle = 2.0 * pi * (h + 1) * (step % STEPS) / STEPS + p->phase[i][h];
      in->u[i] += p->amplitude[i][h] * (sin(angle) - sin(p->phase[i][h]));
      in->v[i] += p->amplitude[i][h] * (h + 1) * p->omega * cos(angle);
    }
  }
  in->dt = 2.0 * pi / p->omega / STEPS;
}

typedef struct cycle {
  double work, exchanged; /* round the cycle; and without regard to sign */
  ms_joint_energy before, after;
  int finite;
} cycle;

static cycle run_cycle(ms_joint *joint, const path *p) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT, last;
  ms_joint_output out, previous;
  cycle c = { .finite = 1 };
  memset(&out, 0, sizeof out);
  follow(p, 0, &in);
  for (int k = 1; k <= CYCLES * STEPS; k++) {
    last = in;
    previous = out;
    follow(p, k, &in);
    if (ms_joint_step(joint, &in, &out) != MS_SUCCESS) c.finite = -1;
    if (k == (CYCLES - 1) * STEPS) ms_joint_get_energy(joint, &c.before);
    if (k <= (CYCLES - 1) * STEPS) continue;
    for (int i = 0; i < p->n_axis; i++) {
      double work = 0.5 * (out.force[i] + previous.force[i]) * (in.u[i] - last.u[i]);
      c.work += work;
      c.exchanged += fabs(work);
      if (!isfinite(out.force[i])) c.finite = 0;
    }
  }
  ms_joint_get_energy(joint, &c.after);
  return c;
}

void trial_kind_cycle(trial *t) {
  trial_write_structure(t);
  trial_begin(t);
  const ms_law_info *law = trial_pick_law(t, MS_JOINT_MAX_AXIS);
  trial_put(t, "joints: # led round a closed path\n  ");
  ms_random kept = t->random;
  trial_write_law(t, law, 1); /* the same numbers again, to be read */
  t->random = kept;
  ms_joint *joint = trial_random_joint(t, law);
  trial_render(t, &trial_si, "study.yaml");
  if (!joint) {
    trial_judge(t, TRIAL_REFUSED, "%s: no parameters were accepted", law->name);
    return;
  }
  path p = random_path(t, joint);
  cycle c = run_cycle(joint, &p);
  double dissipated = c.after.dissipated - c.before.dissipated,
         stored = c.after.stored - c.before.stored;
  double tolerance = work_tolerance * c.exchanged;
  if (c.finite != 1 || !isfinite(dissipated) || !isfinite(stored))
    trial_judge(t, TRIAL_FAILED, "%s: a force or an energy is not finite, or a step failed: %s",
                law->name, ms_context_message(t->ctx));
  else if (c.work < -tolerance)
    trial_judge(t, t->jumps ? TRIAL_APART : TRIAL_FAILED,
                "%s: a closed cycle gives energy: %.3g of %.3g", law->name, c.work, c.exchanged);
  else if (dissipated < -tolerance)
    trial_judge(t, TRIAL_FAILED, "%s: dissipates %.3g of %.3g in a cycle", law->name, dissipated,
                c.exchanged);
  else if (fabs(c.work - dissipated - stored) > tolerance)
    trial_judge(t, t->jumps ? TRIAL_APART : TRIAL_FAILED,
                "%s: work %.6g, dissipated %.6g, stored %.6g in a cycle that exchanges %.6g",
                law->name, c.work, dissipated, stored, c.exchanged);
  ms_joint_destroy(&joint);
}
