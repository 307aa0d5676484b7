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
            modal_number(t, 0.3), t->first + 1, 20 + trial_pick(t, 16));
}

static void write_specimens(trial *t) {
  trial_put(t, "  - specimens: {joint: j1, ");
  write_random(t, "");
  trial_put(t, ", forces: [%s, %s, %s], specimens: %d, noise: 0.02}\n",
            trial_number(0.001 * t->force, TRIAL_FORCE), trial_number(0.01 * t->force, TRIAL_FORCE),
            trial_number(0.1 * t->force, TRIAL_FORCE), 3 + trial_pick(t, 6));
}

static void write_scatter(trial *t) {
  write_specimens(t);
  if (!t->masing) return; /* thousands of cycles step by step take minutes */
  trial_put(t, "  - scatter: {joint: j1, from: specimens, parameters: {%s: [%s, %s]}, ", t->knob,
            knob_number(t, 0.3), knob_number(t, 3.0));
  trial_put(t, "draws: 40, starts: 2, samples: 100}\n");
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
            at, at, trial_number(2.0 * period, TRIAL_TIME));
  trial_put(t, "range: [%.17g, %.17g]}\n", 0.3 / period, 4.0 / period);
}

/* A transient under the sine, or else under the pulse; returns its frequency in Hz. */
static double write_vibration(trial *t, const char *quantity) {
  double f = t->drive > 0.0 ? t->drive : lowest_omega(t) * trial_log(t, 0.8, 1.2) / (2.0 * pi);
  const char *load = t->drive > 0.0 ? "drive" : "l1";
  trial_put(t,
            "  - transient: {name: vibration, loads: [%s], time: {step: %s, steps: 2000}, record: "
            "{channels: [%s, j1.z, j1.f",
            load, trial_number(1.0 / (60.0 * f), TRIAL_TIME), load);
  for (int i = 0; i < t->n; i++) trial_put(t, ", %s.%s", t->name[i], quantity);
  trial_put(t, "]}}\n");
  return f;
}

static void write_force_state(trial *t) {
  double f = write_vibration(t, "acceleration");
  trial_put(t, "  - force_state: {joint: j1, from: vibration, frequency: %.17g, sensors: [", f);
  for (int i = 0; i < t->n; i++) trial_put(t, "%s%s.acceleration", i ? ", " : "", t->name[i]);
  trial_put(t, "]}\n");
}

static void write_hysteresis(trial *t) {
  double f = write_vibration(t, "acceleration");
  int inner = trial_pick(t, t->n), outer = trial_pick(t, t->n);
  trial_put(t,
            "  - hysteresis: {joint: j1, from: vibration, frequency: %.17g, harmonics: %d, mass: "
            "%s, accelerations: [%s.acceleration, %s.acceleration]}\n",
            f, 1 + trial_pick(t, 15), trial_number(t->mass, TRIAL_MASS), t->name[inner],
            t->name[outer]);
}

static void write_density(trial *t) {
  double omega = lowest_omega(t);
  trial_put(t,
            "  - frequency_response: {name: levels, load: {at: %s}, levels: {from: %s, to: %s, "
            "count: 8}, ",
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

void trial_write_hammer(trial *t) {
  int mode = t->first + 1, more = 0;
  if (!t->measured) {
    double period = 2.0 * pi / lowest_omega(t);
    trial_put(t, "  - transient: {name: hit, loads: [l1], time: {step: %s, steps: %d}, record: ",
              trial_number(period / 50.0, TRIAL_TIME), 1000 + trial_pick(t, 2000));
    trial_put(t, "{channels: [l1");
    for (int i = 0; i < t->n; i++) trial_put(t, ", %s.acceleration", t->name[i]);
    trial_put(t, "]}}\n");
  }
  trial_put(t, "  - hammer_test: {name: test, modes: [%d], sensors: {", mode);
  for (int i = 0; i < t->n; i++)
    if (t->measured)
      trial_put(t, "%s%s: a%d", i ? ", " : "", t->name[i], i + 1);
    else
      trial_put(t, "%s%s: %s.acceleration", i ? ", " : "", t->name[i], t->name[i]);
  trial_put(t, "}, hits: {h: {at: %s, %s}}}\n", t->hit,
            t->measured ? "file: record.csv, force: force" : "from: hit");
  if (trial_chance(t, 0.5) && ++more)
    trial_put(t, "  - fit_modal: {name: modal, from: test, form: continuous}\n");
  if (t->knob[0] && trial_chance(t, 0.5) && (more += 2))
    trial_put(t,
              "  - calibrate: {name: through, parameters: {j1.%s: [%s, %s]}, starts: 1, targets: "
              "[{test: test, record: h, mode: %d}]}\n",
              t->knob, knob_number(t, 0.5), knob_number(t, 2.0), mode);
  if (more)
    trial_put(t, "  - predict: {test: test, by: [%s%s%s]}\n", more & 1 ? "modal" : "",
              more == 3 ? ", " : "", more & 2 ? "through" : "");
}

void trial_write_second_analyses(trial *t) {
  static void (*const with_knob[])(trial *) = {
    write_propagate, write_specimens, write_variants,    write_calibrate,  write_update,
    write_density,   write_scatter,   write_force_state, write_hysteresis,
  };
  static void (*const without[])(trial *) = { write_spectrogram, write_rod, trial_write_hammer };
  int hammer = t->hit[0] && !t->measured, force = t->hit[0] || t->drive > 0.0;
  if (t->knob[0] && trial_chance(t, 0.7))
    with_knob[trial_pick(t, force ? 9 : 7)](t);
  else
    without[trial_pick(t, hammer ? 3 : 2)](t);
}
