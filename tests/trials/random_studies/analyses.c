/* Random analyses, all that make sense for the structure, of small size. */
#include "trials/random_studies/trial.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Elastic modes that are looked at: from 1, at most the first three. */
static int some_mode(trial *t) {
  int count = t->n_mode - t->first;
  return t->first + 1 + trial_pick(t, count < 3 ? count : 3);
}

static double omega_of(const trial *t, int mode) {
  return t->frequency[mode - 1];
}

/* About so large a modal amplitude does displacement make. */
static double modal_size(const trial *t) {
  return t->displacement * sqrt(t->mass);
}

static const char *integrator(trial *t) {
  return !t->free_damping && trial_chance(t, 0.4) ? "exponential" : "newmark";
}

/* Steps that resolve a mode, now and then too few of them. */
static double step_for(trial *t, int mode) {
  double per_period = trial_chance(t, 0.1) ? trial_log(t, 2.5, 15.0) : trial_log(t, 20.0, 150.0);
  return 2.0 * pi / omega_of(t, mode) / per_period;
}

static void write_time(trial *t, double step, int steps) {
  trial_put(t, "time: {step: %s, steps: %d, method: %s", trial_number(step, TRIAL_TIME), steps,
            integrator(t));
  trial_put(t, "}");
}

static void write_transient(trial *t) {
  double step = step_for(t, trial_chance(t, 0.5) ? t->n_mode : some_mode(t));
  trial_put(t,
            "  - transient: {time: {step: %s, steps: %d, method: ", trial_number(step, TRIAL_TIME),
            100 + trial_pick(t, 1500));
  if (trial_chance(t, 0.15))
    trial_put(t, "newmark, tolerance: %.3g}", trial_log(t, 1e-8, 1e-3));
  else if (trial_chance(t, 0.1))
    trial_put(t, "newmark, gamma: %.3g}", trial_uniform(t, 0.5, 0.8));
  else
    trial_put(t, "%s}", integrator(t));
  if (trial_chance(t, 0.3)) trial_put(t, ", record: {every: %d}", 1 + trial_pick(t, 6));
  if (trial_chance(t, 0.2))
    trial_put(t, ", initial: {u: {%s: %s}, v: {%s: %s}}", trial_coordinate(t),
              trial_number(t->displacement * trial_log(t, 0.1, 10.0), TRIAL_LENGTH),
              trial_coordinate(t),
              trial_number(t->displacement * t->omega * trial_log(t, 0.1, 10.0), TRIAL_VELOCITY));
  else if (t->held && trial_chance(t, 0.2))
    trial_put(t, ", preload: {%s: %s}%s", trial_coordinate(t),
              trial_number(t->force * trial_log(t, 0.01, 2.0), TRIAL_FORCE),
              trial_chance(t, 0.5) ? ", release: true" : "");
  trial_put(t, "}\n");
}

static void write_ringdown(trial *t) {
  int mode = some_mode(t);
  double p = modal_size(t) * omega_of(t, mode) * omega_of(t, mode);
  trial_put(t, "  - modal_ringdown: {modes: [%d], levels: {%d: [%s, %s]}, ", mode, mode,
            trial_number(p * trial_log(t, 0.01, 1.0), TRIAL_MODAL_FORCE),
            trial_number(p * trial_log(t, 1.0, 30.0), TRIAL_MODAL_FORCE));
  write_time(t, step_for(t, mode), 1000 + trial_pick(t, 4000));
  trial_put(t, "}\n");
  if (!trial_chance(t, 0.5)) return;
  trial_put(t, "  - fit_modal\n");
  if (trial_chance(t, 0.5)) trial_put(t, "  - modal_iwan\n");
}

static void write_impact(trial *t) {
  int mode = some_mode(t);
  trial_put(t, "  - impact_test: {modes: [%d], at: [%s], levels: [%s], pulse_mode: %d, ", mode,
            trial_coordinate(t), trial_number(t->force * trial_log(t, 0.1, 10.0), TRIAL_FORCE),
            mode);
  write_time(t, step_for(t, mode), 1000 + trial_pick(t, 4000));
  trial_put(t, "}\n");
}

static void write_shock(trial *t) {
  int mode = some_mode(t);
  trial_put(t, "  - shock: {load: l1, levels: [%.3g, %.3g], mode: %d, ", trial_log(t, 0.1, 1.0),
            trial_log(t, 1.0, 10.0), mode);
  write_time(t, step_for(t, mode), 1000 + trial_pick(t, 4000));
  trial_put(t, "}\n");
}

static void write_backbone(trial *t) {
  static const char *const methods[] = { "qsma", "qsma, epmc",   "qsma, rqnm, epmc",
                                         "epmc", "stepped_sine", "rqnm" };
  trial_put(t, "  - backbone: {modes: [%d], methods: [%s], harmonics: %d, times: %d", some_mode(t),
            trial_word(t, 6, methods), 1 + trial_pick(t, 7), 64 << trial_pick(t, 3));
  double from = modal_size(t) * trial_log(t, 1e-3, 0.3);
  trial_put(t, ", amplitudes: {from: %s, to: %s, points: %d}}\n", trial_number(from, TRIAL_MODAL),
            trial_number(from * trial_log(t, 3.0, 1000.0), TRIAL_MODAL), 3 + trial_pick(t, 12));
}

static void write_response(trial *t) {
  double omega = omega_of(t, some_mode(t));
  trial_put(t, "  - frequency_response: {load: {at: %s}, levels: [%s], omega: [%.17g, %.17g]",
            trial_coordinate(t), trial_number(t->force * trial_log(t, 0.001, 3.0), TRIAL_FORCE),
            omega * trial_log(t, 0.7, 0.95), omega * trial_log(t, 1.05, 1.4));
  trial_put(t, ", harmonics: %d, times: %d}\n", 1 + trial_pick(t, 7), 64 << trial_pick(t, 2));
}

static void write_stepped(trial *t) {
  double level = t->force * trial_log(t, 0.001, 0.3);
  trial_put(t, "  - stepped_sine: {load: {at: %s}, levels: [%s, %s, %s], modes: [%d]",
            trial_coordinate(t), trial_number(level, TRIAL_FORCE),
            trial_number(level * 2.0, TRIAL_FORCE), trial_number(level * 5.0, TRIAL_FORCE),
            some_mode(t));
  trial_put(t, ", harmonics: %d, times: %d}\n", 1 + trial_pick(t, 5), 64 << trial_pick(t, 2));
}

static void write_sweep(trial *t) {
  int mode = some_mode(t);
  double f = omega_of(t, mode) / (2.0 * pi), highest = fmax(omega_of(t, t->n_mode), 9.0 * f);
  if (highest > 6.0 * omega_of(t, mode)) return; /* it asks for ten steps of the shortest period */
  trial_put(t, "  - sweep: {at: %s, mode: %d, levels: [%s], from: %.17g, to: %.17g",
            trial_coordinate(t), mode,
            trial_number(t->force * trial_log(t, 0.001, 1.0), TRIAL_FORCE), 0.7 * f, 1.4 * f);
  trial_put(t, ", duration: %s, tail: %s, step: %s, method: %s}\n",
            trial_number(30.0 / f, TRIAL_TIME), trial_number(5.0 / f, TRIAL_TIME),
            trial_number(2.0 * pi / highest / trial_log(t, 11.0, 30.0), TRIAL_TIME), integrator(t));
}

static void write_frf(trial *t) {
  static const char *const quantities[] = { "receptance", "mobility", "accelerance" };
  double f = omega_of(t, some_mode(t)) / (2.0 * pi);
  trial_put(t, "  - frf: {at: %s, sensor: %s, quantity: %s, range: [%.17g, %.17g], points: 50}\n",
            trial_coordinate(t), trial_coordinate(t), trial_word(t, 3, quantities), 0.5 * f,
            2.0 * f);
}

static void write_wide_frf(trial *t) {
  trial_put(t, "  - frf: {name: all, at: %s, sensor: %s, range: [%.17g, %.17g], points: 20}\n",
            trial_coordinate(t), trial_coordinate(t), 0.01 * t->omega, t->omega);
}

void trial_write_analyses(trial *t) {
  static void (*const some[])(
      trial *) = { write_transient, write_transient, write_transient, write_ringdown, write_impact,
                   write_shock,     write_backbone,  write_backbone,  write_response, write_stepped,
                   write_sweep,     write_frf,       write_wide_frf };
  int used[sizeof some / sizeof some[0]] = { 0 };
  trial_put(t, "analyses:\n  - modes\n");
  for (int count = 1 + trial_pick(t, 3); count > 0; count--) {
    int i = t->first < t->n_mode ? 2 + trial_pick(t, (int)(sizeof some / sizeof some[0]) - 2) : 2;
    if (i == 7) i = 6;
    if (used[i]++) continue;
    some[i](t);
  }
  if (t->measured) trial_write_measured(t);
  if (t->first < t->n_mode && trial_chance(t, 0.4)) trial_write_second_analyses(t);
}
