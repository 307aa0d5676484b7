/* Studies to begin with: the smallest that shows each analysis, in the order of analyses.def. */
#include "templates.h"

#include <stddef.h>

#define TITLE "title: Two masses and a lap joint\nunits: SI\n\n"

const char cli_template_structure[] = TITLE
    "structure:\n"
    "  chain:\n"
    "    masses: {left: 1.2, right: 0.8} # kg\n"
    "    springs: # N/m, without the joint\n"
    "      - [ground, left, 4.0e+5]\n"
    "      - [left, right, 2.5e+5]\n"
    "  damping: {modal: 0.01}\n"
    "joints:\n"
    "  lap: {law: iwan4, between: [left, right], F_S: 20, K_T: 2.0e+4, chi: -0.4, beta: 1.5}\n";

const char cli_template_impact[] =
    "  impact: {half_sine: {amplitude: 400, duration: 0.001}, at: right} # N, s\n";
const char cli_template_shaker[] =
    "  shaker: {sine: {amplitude: 30, frequency: 80}, at: left} # N, Hz\n";

/* Of hysteresis: nothing but the joint acts on the outer mass. */
static const char outer_mass[] = TITLE
    "structure:\n"
    "  chain:\n"
    "    masses: {left: 1.2, right: 0.8} # kg; only the joint holds the outer one\n"
    "    springs: [[ground, left, 4.0e+5]] # N/m\n"
    "  damping: {matrix: [2.0, 0]} # N s/m; none on the outer one\n"
    "joints:\n"
    "  lap: {law: iwan4, between: [left, right], F_S: 60, K_T: 2.7e+5, chi: -0.4, beta: 1.5}\n";

/* Of contact: finite elements. */
static const char two_blocks[] =
    "title: Two blocks pressed together\n"
    "units: SI\n"
    "\n"
    "structure:\n"
    "  fe:\n"
    "    materials: {steel: {E: 2.07e+11, nu: 0.29, rho: 7830}}\n"
    "    parts:\n"
    "      lower: {block: {size: [0.04, 0.02, 0.01], elements: [8, 4, 2]}, material: steel}\n"
    "      upper: {block: {size: [0.04, 0.02, 0.01], at: [0, 0, 0.01], elements: [8, 4, 2]}, "
    "material: steel}\n"
    "    fix: {lower.bottom: all}\n"
    "    contacts:\n"
    "      joint: {between: [upper.bottom, lower.top], mu: 0.3}\n"
    "    preload:\n"
    "      - {push: {upper.top: [0, 0, -2000]}, friction: true} # N\n";

const cli_template cli_templates[] = {
  { .name = "modes", .text = "  - modes\n" },
  { .name = "modal_ringdown",
    .text = "  - modal_ringdown:\n"
            "      modes: [1]\n"
            "      levels: {1: {slipped: [3000, 900], stuck: [60, 12]}}\n"
            "      time: {step: 1.0e-4, steps: 50000}\n" },
  { .name = "ringdown",
    .needs = "transient",
    .text = "  - ringdown:\n"
            "      from: transient\n"
            "      channel: right.acceleration\n"
            "      mode: 1\n"
            "      at: right\n"
            "      band: [50, 75]\n" },
  { .name = "fit_modal", .needs = "modal_ringdown", .text = "  - fit_modal: {form: continuous}\n" },
  { .name = "modal_iwan",
    .needs = "modal_ringdown fit_modal",
    .text = "  - modal_iwan: {form: continuous}\n" },
  { .name = "impact_test",
    .text = "  - impact_test:\n"
            "      at: right\n"
            "      levels: [400, 100]\n"
            "      time: {step: 1.0e-4, steps: 20000}\n" },
  { .name = "shock",
    .text = "  - shock:\n"
            "      load: impact\n"
            "      levels: [0.2, 1]\n"
            "      mode: 1\n"
            "      time: {step: 1.0e-4, steps: 20000}\n",
    .loads = CLI_IMPACT },
  { .name = "transient",
    .text = "  - transient:\n"
            "      loads: [impact]\n"
            "      time: {step: 1.0e-4, steps: 20000}\n"
            "      record: {channels: [left.acceleration, right.acceleration, impact]}\n",
    .loads = CLI_IMPACT },
  { .name = "hammer_test",
    .needs = "transient",
    .text = "  - hammer_test:\n"
            "      hits: {blow: {at: right, from: transient}}\n"
            "      sensors: {left: left.acceleration, right: right.acceleration}\n"
            "      modes: [1, 2]\n" },
  { .name = "spectrogram",
    .needs = "transient",
    .text = "  - spectrogram:\n"
            "      channel: right.acceleration\n"
            "      window: 0.1\n"
            "      range: [40, 200]\n" },
  { .name = "sweep",
    .text = "  - sweep:\n"
            "      at: right\n"
            "      mode: 1\n"
            "      levels: [1, 5]\n"
            "      from: 55\n"
            "      to: 70\n"
            "      duration: 20\n"
            "      step: 2.0e-4\n" },
  { .name = "frf",
    .text = "  - frf:\n"
            "      at: right\n"
            "      sensor: right\n"
            "      range: [20, 200]\n" },
  { .name = "contact", .structure = two_blocks, .text = "  - contact\n" },
  { .name = "backbone",
    .text = "  - backbone:\n"
            "      modes: [1]\n"
            "      methods: [qsma, epmc]\n" },
  { .name = "calibrate",
    .needs = "backbone",
    .text = "  - calibrate:\n"
            "      parameters: {lap.F_S: [5, 80], lap.chi: [-0.9, 0.5]}\n"
            "      targets: [{mode: 1, from: backbone, curve: qsma}]\n"
            "      starts: 4\n" },
  { .name = "update",
    .text = "  - update:\n"
            "      parameters: {structure.chain.springs.0.2: [2.0e+5, 8.0e+5]}\n"
            "      measured: {frequencies: [61.9, 137.4]}\n" },
  { .name = "specimens",
    .text = "  - specimens:\n"
            "      joint: lap\n"
            "      random: {F_S: {mean: 20, deviation: 3}, chi: {family: uniform, bounds: [-0.6, "
            "-0.2]}}\n"
            "      forces: {from: 1, to: 15, count: 6}\n"
            "      specimens: 12\n" },
  { .name = "scatter",
    .needs = "specimens",
    .text = "  - scatter:\n"
            "      joint: lap\n"
            "      from: specimens\n"
            "      parameters: {F_S: [16, 60], chi: [-0.9, 0.3]}\n" },
  { .name = "propagate",
    .text = "  - propagate:\n"
            "      random: {lap.F_S: {mean: 20, deviation: 3}}\n"
            "      amplitudes: {from: 1.0e-6, to: 1.0e-4, count: 12}\n"
            "      modes: [1]\n" },
  { .name = "sobol",
    .text = "  - sobol:\n"
            "      random: {lap.F_S: {mean: 20, deviation: 3}, lap.chi: {family: uniform, bounds: "
            "[-0.6, "
            "-0.2]}}\n"
            "      amplitudes: {from: 1.0e-6, to: 1.0e-4, count: 12}\n"
            "      modes: [1]\n" },
  { .name = "predict",
    .needs = "transient hammer_test modal_ringdown fit_modal",
    .text = "  - predict: {by: [fit_modal]}\n" },
  { .name = "frequency_response",
    .text = "  - frequency_response:\n"
            "      load: {at: right}\n"
            "      levels: [0.5, 2]\n"
            "      frequency: [50, 80]\n" },
  { .name = "stepped_sine",
    .text = "  - stepped_sine:\n"
            "      load: {at: right}\n"
            "      levels: {from: 0.02, to: 20, count: 16}\n"
            "      modes: [1]\n" },
  { .name = "hysteresis",
    .structure = outer_mass,
    .text = "  - transient:\n"
            "      name: steady\n"
            "      loads: [shaker]\n"
            "      time: {step: 1.0e-4, steps: 20000}\n"
            "      record: {channels: [left.acceleration, right.acceleration, lap.z, lap.f]}\n"
            "  - hysteresis:\n"
            "      accelerations: [left.acceleration, right.acceleration]\n"
            "      mass: 0.8\n"
            "      frequency: 80\n"
            "      joint: lap\n",
    .loads = CLI_SHAKER },
  { .name = "force_state",
    .text = "  - transient:\n"
            "      name: steady\n"
            "      loads: [shaker]\n"
            "      time: {step: 1.0e-4, steps: 30000}\n"
            "      record: {channels: [left.acceleration, right.acceleration, shaker]}\n"
            "  - force_state:\n"
            "      joint: lap\n"
            "      sensors: [left.acceleration, right.acceleration]\n",
    .loads = CLI_SHAKER },
  { .name = "rod", .structure = "", .text = "  - rod: {pressure: {beta: 1.5}}\n" },
  { .name = "identify_density",
    .text = "  - stepped_sine:\n"
            "      load: {at: right}\n"
            "      levels: {from: 0.01, to: 10, count: 24}\n"
            "      modes: [1]\n"
            "  - identify_density:\n"
            "      from: stepped_sine\n"
            "      joint: lap\n"
            "      noise: 0.001\n" },
  { .name = NULL },
};
