/* Analyses that vary a parameter of a joint, read what another one computed, or need no structure.
 */
#include "trials/random_studies/trial.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double lowest_omega(const trial *t) {
  return t->frequency[t->first];
}

static const char *knob_number(const trial *t, double factor) {
  return trial_number(factor * t->knob_value, t->knob_dimension);
}

static const char *modal_number(const trial *t, double factor) {
  return trial_number(factor * t->displacement * sqrt(t->mass), TRIAL_MODAL);
}

static void write_random(trial *t, const char *joint) {
  static const char *const families[] = { "lognormal", "gamma", "normal" };
  trial_put(t, "random: {%s%s: {family: %s, mean: %s, deviation: %s}}", joint, t->knob,
            trial_word(t, 3, families), knob_number(t, 1.0),
            knob_number(t, trial_uniform(t, 0.02, 0.2)));
}

static void write_propagate(trial *t) {
  const char *kind = trial_chance(t, 0.5) ? "propagate" : "sobol";
  trial_put(t, "  - %s: {", kind);
  write_random(t, "j1.");
  trial_put(t, ", amplitudes: [%s, %s], modes: [%d], samples: %d}\n", modal_number(t, 0.01),
            modal_number(t, 0.3), t->first + 1, 8 + trial_pick(t, 16));
}

static void write_specimens(trial *t) {
  trial_put(t, "  - specimens: {joint: j1, ");
  write_random(t, "");
  trial_put(t, ", forces: [%s, %s, %s], specimens: %d, noise: 0.02}\n",
            trial_number(0.001 * t->force, TRIAL_FORCE), trial_number(0.01 * t->force, TRIAL_FORCE),
            trial_number(0.1 * t->force, TRIAL_FORCE), 3 + trial_pick(t, 6));
}

static void write_variants(trial *t) {
  trial_put(t, "  - modes: {name: variants, variants: {joints.j1.%s: [%s, %s, %s]}}\n", t->knob,
            knob_number(t, 0.5), knob_number(t, 1.0), knob_number(t, 2.0));
}

static void write_calibrate(trial *t) {
  trial_put(t,
            "  - backbone: {name: data, modes: [%d], methods: [qsma], amplitudes: ", t->first + 1);
  trial_put(t, "{from: %s, to: %s, points: 8}}\n", modal_number(t, 0.01), modal_number(t, 1.0));
  trial_put(t, "  - calibrate: {parameters: {j1.%s: [%s, %s]}, ", t->knob, knob_number(t, 0.3),
            knob_number(t, 3.0));
  trial_put(t, "targets: [{mode: %d, from: data}], starts: 2}\n", t->first + 1);
}

static void write_update(trial *t) {
  trial_put(t, "  - update: {parameters: {joints.j1.%s: [%s, %s]}, ", t->knob, knob_number(t, 0.3),
            knob_number(t, 3.0));
  trial_put(t, "measured: {frequencies: [%s]}, starts: 2}\n",
            trial_number(1.01 * lowest_omega(t) / (2.0 * pi), (trial_dimension) { 0, 0, -1 }));
}

static void write_spectrogram(trial *t) {
  double period = 2.0 * pi / lowest_omega(t);
  const char *at = trial_coordinate(t);
  trial_put(t, "  - transient: {name: record, loads: [l1], time: {step: %s, steps: %d}, ",
            trial_number(period / 40.0, TRIAL_TIME), 100 + trial_pick(t, 900));
  trial_put(t,
            "record: {channels: [%s]}}\n  - spectrogram: {from: record, channel: %s, window: %s, ",
            at, at, trial_number(5.0 * period, TRIAL_TIME));
  trial_put(t, "range: [%.17g, %.17g]}\n", 0.3 / period, 4.0 / period);
}

static void write_force_state(trial *t) {
  double omega = lowest_omega(t) * trial_log(t, 0.8, 1.2), period = 2.0 * pi / omega;
  trial_put(t,
            "  - transient: {name: steady, loads: [l1], time: {step: %s, steps: 2000}, record: "
            "{channels: [",
            trial_number(period / 60.0, TRIAL_TIME));
  for (int i = 0; i < t->n; i++) trial_put(t, "%s.acceleration, ", t->name[i]);
  trial_put(
      t,
      "l1, j1.z, j1.f]}}\n  - force_state: {joint: j1, from: steady, frequency: %.17g, sensors: [",
      1.0 / period);
  for (int i = 0; i < t->n; i++) trial_put(t, "%s%s.acceleration", i ? ", " : "", t->name[i]);
  trial_put(t, "]}\n");
}

static void write_density(trial *t) {
  double omega = lowest_omega(t);
  trial_put(t,
            "  - frequency_response: {name: levels, load: {at: %s}, levels: {from: %s, to: %s, "
            "count: 5}, ",
            trial_coordinate(t), trial_number(0.001 * t->force, TRIAL_FORCE),
            trial_number(0.1 * t->force, TRIAL_FORCE));
  trial_put(t, "omega: [%.17g, %.17g], harmonics: 3, times: 64}\n", 0.8 * omega, 1.2 * omega);
  trial_put(t, "  - identify_density: {from: levels, joint: j1, knots: 20}\n");
}

static void write_rod(trial *t) {
  trial_put(
      t, "  - rod: {pressure: {beta: %.3g}, masses: %d, amplitude: %.3g, cycles: 2, steps: 400}\n",
      trial_log(t, 0.3, 5.0), 2 + trial_pick(t, 12), trial_uniform(t, 0.05, 0.9));
}

void trial_write_second_analyses(trial *t) {
  static void (*const with_knob[])(trial *) = { write_propagate, write_specimens, write_variants,
                                                write_calibrate, write_update,    write_force_state,
                                                write_density };
  static void (*const without[])(trial *) = { write_spectrogram, write_rod };
  if (t->knob[0] && trial_chance(t, 0.8))
    with_knob[trial_pick(t, sizeof with_knob / sizeof with_knob[0])](t);
  else
    without[trial_pick(t, 2)](t);
}
