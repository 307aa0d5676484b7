/* Studies to begin with: the smallest that shows each analysis, in the order of analyses.def. */
#include "templates.h"

#include <stddef.h>

const char cli_template_head[] =
    "microslip: 1\n"
    "title: Two masses and a lap joint\n"
    "units: SI\n"
    "\n";

const char cli_template_structure[] =
    "structure:\n"
    "  chain:\n"
    "    masses: {left: 1.2, right: 0.8} # kg\n"
    "    springs: # N/m; the joint comes on top\n"
    "      - [ground, left, 4.0e+5]\n"
    "      - [left, right, 2.5e+5]\n"
    "  damping: {modal: 0.01}\n"
    "joints:\n"
    "  lap: {law: iwan4, between: [left, right], F_S: 20, K_T: 2.0e+4, chi: -0.4, beta: 1.5}\n";

const char cli_template_loads[] =
    "loads:\n"
    "  impact: {half_sine: {amplitude: 400, duration: 0.001}, at: right} # N, s\n"
    "  shaker: {sine: {amplitude: 30, frequency: 80}, at: left} # N, Hz\n"
    "analyses:\n";

/* Of hysteresis: nothing but the joint acts on the outer mass. */
static const char outer_mass[] =
    "structure:\n"
    "  chain:\n"
    "    masses: {left: 1.2, right: 0.8} # kg; only the joint holds the outer one\n"
    "    springs: [[ground, left, 4.0e+5]] # N/m\n"
    "  damping: {modal: 0.002}\n"
    "joints:\n"
    "  lap: {law: iwan4, between: [left, right], F_S: 60, K_T: 2.7e+5, chi: -0.4, beta: 1.5}\n";

const cli_template cli_templates[] = {
  { "modes", "", NULL, "  - modes\n" },
  { "modal_ringdown", "", NULL,
    "  - modal_ringdown:\n"
    "      modes: [1]\n"
    "      levels: {1: {slipped: [3000, 900], stuck: [60, 12]}}\n"
    "      time: {step: 1.0e-4, steps: 50000}\n" },
  { "ringdown", "transient", NULL,
    "  - ringdown:\n"
    "      from: transient\n"
    "      channel: right.acceleration\n"
    "      mode: 1\n"
    "      at: right\n"
    "      band: [50, 75]\n" },
  { "fit_modal", "modal_ringdown", NULL, "  - fit_modal: {form: continuous}\n" },
  { "modal_iwan", "modal_ringdown fit_modal", NULL, "  - modal_iwan: {form: continuous}\n" },
  { "impact_test", "", NULL,
    "  - impact_test:\n"
    "      at: right\n"
    "      levels: [400, 100]\n"
    "      time: {step: 1.0e-4, steps: 20000}\n" },
  { "shock", "", NULL,
    "  - shock:\n"
    "      load: impact\n"
    "      levels: [0.2, 1]\n"
    "      mode: 1\n"
    "      time: {step: 1.0e-4, steps: 20000}\n" },
  { "transient", "", NULL,
    "  - transient:\n"
    "      loads: [impact]\n"
    "      time: {step: 1.0e-4, steps: 20000}\n"
    "      record: {channels: [left.acceleration, right.acceleration, impact]}\n" },
  { "hammer_test", "transient", NULL,
    "  - hammer_test:\n"
    "      hits: {blow: {at: right, from: transient}}\n"
    "      sensors: {left: left.acceleration, right: right.acceleration}\n"
    "      modes: [1, 2]\n" },
  { "spectrogram", "transient", NULL,
    "  - spectrogram:\n"
    "      channel: right.acceleration\n"
    "      window: 0.1\n"
    "      range: [40, 200]\n" },
  { "sweep", "", NULL,
    "  - sweep:\n"
    "      at: right\n"
    "      mode: 1\n"
    "      levels: [1, 5]\n"
    "      from: 50\n"
    "      to: 90\n"
    "      duration: 5\n"
    "      step: 2.0e-4\n" },
  { "frf", "", NULL,
    "  - frf:\n"
    "      at: right\n"
    "      sensor: right\n"
    "      range: [20, 200]\n" },
  { "backbone", "", NULL,
    "  - backbone:\n"
    "      modes: [1]\n"
    "      methods: [qsma, epmc]\n" },
  { "calibrate", "backbone", NULL,
    "  - calibrate:\n"
    "      parameters: {lap.F_S: [5, 80], lap.chi: [-0.9, 0.5]}\n"
    "      targets: [{mode: 1, from: backbone, curve: qsma}]\n"
    "      starts: 4\n" },
  { "update", "", NULL,
    "  - update:\n"
    "      parameters: {structure.chain.springs.0.2: [2.0e+5, 8.0e+5]}\n"
    "      measured: {frequencies: [61.9, 137.4]}\n" },
  { "specimens", "", NULL,
    "  - specimens:\n"
    "      joint: lap\n"
    "      random: {F_S: {mean: 20, deviation: 3}, chi: {family: uniform, bounds: [-0.6, -0.2]}}\n"
    "      forces: {from: 1, to: 15, count: 6}\n"
    "      specimens: 12\n" },
  { "scatter", "specimens", NULL,
    "  - scatter:\n"
    "      joint: lap\n"
    "      from: specimens\n"
    "      parameters: {F_S: [16, 60], chi: [-0.9, 0.3]}\n" },
  { "propagate", "", NULL,
    "  - propagate:\n"
    "      random: {lap.F_S: {mean: 20, deviation: 3}}\n"
    "      amplitudes: {from: 1.0e-6, to: 1.0e-4, count: 12}\n"
    "      modes: [1]\n" },
  { "sobol", "", NULL,
    "  - sobol:\n"
    "      random: {lap.F_S: {mean: 20, deviation: 3}, lap.chi: {family: uniform, bounds: [-0.6, "
    "-0.2]}}\n"
    "      amplitudes: {from: 1.0e-6, to: 1.0e-4, count: 12}\n"
    "      modes: [1]\n" },
  { "predict", "transient hammer_test modal_ringdown fit_modal", NULL,
    "  - predict: {by: [fit_modal]}\n" },
  { "frequency_response", "", NULL,
    "  - frequency_response:\n"
    "      load: {at: right}\n"
    "      levels: [0.5, 2]\n"
    "      frequency: [50, 80]\n" },
  { "stepped_sine", "", NULL,
    "  - stepped_sine:\n"
    "      load: {at: right}\n"
    "      levels: {from: 0.02, to: 20, count: 16}\n"
    "      modes: [1]\n" },
  { "hysteresis", "", outer_mass,
    "  - transient:\n"
    "      name: steady\n"
    "      loads: [shaker]\n"
    "      time: {step: 1.0e-4, steps: 60000}\n"
    "      record: {channels: [left.acceleration, right.acceleration, lap.z, lap.f]}\n"
    "  - hysteresis:\n"
    "      accelerations: [left.acceleration, right.acceleration]\n"
    "      mass: 0.8\n"
    "      frequency: 80\n"
    "      joint: lap\n" },
  { "force_state", "", NULL,
    "  - transient:\n"
    "      name: steady\n"
    "      loads: [shaker]\n"
    "      time: {step: 1.0e-4, steps: 40000}\n"
    "      record: {channels: [left.acceleration, right.acceleration, shaker]}\n"
    "  - force_state:\n"
    "      joint: lap\n"
    "      sensors: [left.acceleration, right.acceleration]\n" },
  { "rod", "", NULL, "  - rod: {pressure: {beta: 1.5}}\n" },
  { "identify_density", "", NULL,
    "  - stepped_sine:\n"
    "      load: {at: right}\n"
    "      levels: {from: 0.01, to: 10, count: 24}\n"
    "      modes: [1]\n"
    "  - identify_density:\n"
    "      from: stepped_sine\n"
    "      joint: lap\n"
    "      noise: 0.001\n" },
  { NULL, NULL, NULL, NULL },
};
