/* Any study: nothing crashes, every number is finite, energies balance, and the number of threads,
   the units and an interruption change nothing. */
#include "trials/random_studies/trial.h"

#include <signal.h>
#include <string.h>

static void compare_threads(trial *t) {
  if (trial_run_checked(t, "study.yaml", "two", 2)) trial_compare_bytes(t, "threads", "one", "two");
}

/* What rounding changes in the numbers of a study: conversions a few units in the last place; the
   reduction of finite elements, which solves with a stiffness of condition 1e6 for thin bricks,
   that many times more. */
static const double rounding = 1e-14, rounding_of_elements = 1e-10;

enum { NUDGES = 8 };

/* Where a column differs, the study itself says how much rounding makes of it. */
static void compare_units(trial *t) {
  char file[48], out[32];
  if (!trial_render(t, trial_other_units(t), "units.yaml")) return;
  if (!trial_run_checked(t, "units.yaml", "units", 1)) return;
  if (!trial_compare_units(t, "one", "units")) return;
  t->nudge = t->fe ? rounding_of_elements : rounding;
  while (t->nudged < NUDGES) {
    snprintf(out, sizeof out, "nudged%d", ++t->nudged);
    snprintf(file, sizeof file, "%s.yaml", out);
    if (trial_render(t, &trial_si, file)) trial_run_study(t, file, out, 1, 0, 0);
  }
  trial_compare_units(t, "one", "units");
}

static void compare_resumed(trial *t) {
  static const int signals[] = { SIGTERM, SIGINT, SIGKILL };
  int sent = signals[trial_pick(t, 3)];
  trial_run run = trial_run_study(t, "study.yaml", "resumed", 1, 0, sent);
  if (run.timeout) {
    trial_judge(t, TRIAL_FAILED, "resumed: hangs after signal %d", sent);
    return;
  }
  if (run.signal && run.signal != sent) {
    trial_judge(t, TRIAL_FAILED, "resumed: crash, signal %d: %s", run.signal, run.text);
    return;
  }
  run = trial_run_study(t, "study.yaml", "resumed", 1, 1, 0);
  if (run.signal || run.timeout || run.code > 1)
    trial_judge(t, TRIAL_FAILED, "resumed: exit %d, signal %d: %s", run.code, run.signal, run.text);
  else
    trial_compare_bytes(t, "resumed", "one", "resumed");
}

void trial_kind_study(trial *t) {
  trial_write_structure(t);
  trial_write_joints(t);
  if (trial_learn_modes(t)) {
    trial_write_loads(t);
    if (t->hit[0] && t->first < t->n_mode && trial_chance(t, 0.1)) trial_make_record(t);
    trial_write_analyses(t);
  } else {
    trial_put(t, "analyses: [modes]\n");
  }
  if (!trial_render(t, &trial_si, "study.yaml")) return;
  if (!trial_run_checked(t, "study.yaml", "one", 1)) return;
  int kind = trial_pick(t, 3);
  if (kind == 0)
    compare_resumed(t);
  else if (kind == 1 && !t->fractional)
    compare_units(t);
  else
    compare_threads(t);
}
