/* Mutated studies, through reading and all checks: whatever comes in, a study that can be run or a
   clean refusal comes out, and nothing is computed that takes more memory than the file warrants.
 */
#include <microslip/study.h>

#include <string.h>

#include "support/fuzz.h"

static const char *fault_of_refusal(ms_context *ctx, ms_status status, const char *path) {
  const char *message = ms_context_message(ctx);
  if (status == MS_ERR_MEMORY) return "refused with the wrong status";
  if (!*message) return "refused without a message";
  return strncmp(message, path, strlen(path)) != 0 ? "the message lacks the name" : NULL;
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  const char *path = test_fuzz_file("fuzzed.yaml", text, length);
  ms_study_facts facts = { 0 };
  test_bounded memory;
  ms_context *ctx = test_fuzz_open(&memory, length);
  ms_status status = ms_study_check(ctx, path, 0, NULL, &facts);
  const char *fault = NULL;
  if (status != MS_SUCCESS) {
    fault = fault_of_refusal(ctx, status, path);
  } else if (facts.n_analysis < 1) {
    fault = "accepted without analyses";
  }
  *accepted += status == MS_SUCCESS;
  return test_fuzz_close(&memory, &ctx, fault);
}

static const test_token seeds[] = {
  TOKEN("microslip: 1\n"
        "title: Two masses\n"
        "units: SI\n"
        "structure:\n"
        "  chain:\n"
        "    masses: {left: 1.2, right: 0.8}\n"
        "    springs: [[ground, left, 4.1e5], [left, right, 2.5e5]]\n"
        "  damping: {modal: 5.0e-4}\n"
        "joints:\n"
        "  lap: {law: iwan4, between: [left, right], F_S: 20, K_T: 2.1e4, chi: -0.4, beta: 1.5}\n"
        "loads:\n"
        "  push: {sine: {amplitude: 11, frequency: 60}, at: right}\n"
        "  hit: {half_sine: {amplitude: 3, duration: 0.01}, at: {left: 1, right: -0.5}}\n"
        "  wind: {noise: {rms: 0.4, low: 20, high: 200, seed: 7}, base: true}\n"
        "analyses:\n"
        "  - modes\n"
        "  - modal_ringdown: {modes: [1, 2], levels: {1: [12], 2: [20, 60]}, time: {step: 1.0e-4, "
        "steps: 400}}\n"
        "  - fit_modal: {form: continuous}\n"
        "  - modal_iwan: {form: continuous}\n"
        "  - impact_test: {at: [right], levels: [50], time: {step: 1.0e-4, steps: 400}, compare: "
        "modal_iwan}\n"
        "  - shock: {load: hit, mode: 1, levels: [1, 2], time: {step: 1.0e-4, steps: 400}}\n"
        "  - transient: {loads: push, time: {step: 5.0e-4, steps: 200}, record: {channels: [push, "
        "left.acceleration, right.acceleration, right, lap.z, lap.f]}}\n"
        "  - spectrogram: {channel: right, window: 0.05, range: [5, 200]}\n"
        "  - hysteresis: {accelerations: [left.acceleration, right.acceleration], mass: 0.8, "
        "joint: lap, frequency: 60}\n"
        "  - force_state: {joint: lap, sensors: [right], frequency: 60}\n"),
  TOKEN("microslip: 1\n"
        "units: {length: mm, mass: tonne, force: N, time: s}\n"
        "structure:\n"
        "  matrices:\n"
        "    coordinates: [a, b, c]\n"
        "    mass: [1.2e-3, 0.8e-3, 1.0e-3]\n"
        "    stiffness: [[660, -250, 0], [-250, 500, -250], [0, -250, 250]]\n"
        "  damping: {rayleigh: {mass: 0.1, stiffness: 1.0e-6}}\n"
        "joints:\n"
        "  bolt:\n"
        "    laws: [{law: jenkins, F_S: 10, K_T: 100}, {law: gap, K: 20, g: 0.3}]\n"
        "    between: [b, c]\n"
        "  foot: {law: contact3d, between: [[ground, ground, ground], [a, b, c]], mu: 0.3, K_n: "
        "240, K_t: 110, N_0: 1}\n"
        "analyses:\n"
        "  - modes: {name: m}\n"
        "  - backbone: {modes: [1], methods: [qsma, epmc], amplitudes: {from: 1.0e-3, to: 1, "
        "points: 5}, preload: {c: 0.5}, harmonics: 3, times: 64}\n"
        "  - frequency_response: {load: {at: a}, levels: [1, 2], frequency: [10, 90]}\n"
        "  - stepped_sine: {modes: [1], levels: [1, 2], load: {at: a}}\n"
        "  - sweep: {at: a, mode: 1, levels: [1], from: 50, to: 90, duration: 2, step: 1.0e-3}\n"),
  TOKEN("microslip: 1\n"
        "structure:\n"
        "  beam: {length: 0.6, E: 207.0e9, rho: 7800, width: 0.02, height: 0.01, start: clamped, "
        "points: {tip: 0.6, mid: 0.3}, elements: 8}\n"
        "joints:\n"
        "  pad: {law: bouc_wen, between: [ground, tip.uy], K: 1.0e4, a: 0.1, n: 1.5, z_max: "
        "4.0e-5, delta: 0.65}\n"
        "analyses:\n"
        "  - modes\n"
        "  - frf: {at: tip.uy, sensor: mid.uy, range: [5, 200], points: 50}\n"),
  TOKEN("microslip: 1\n"
        "structure:\n"
        "  chain: {masses: {u: 1.3}, springs: [[ground, u, 120]]}\n"
        "joints:\n"
        "  lap: {law: iwan_table, between: [ground, u], density: {phi: [0, 3.0e-6, 2.0e-5], rho: "
        "[4.0e12, 2.0e12, 5.0e11]}}\n"
        "analyses:\n"
        "  - propagate: {modes: [1], random: {lap.density: {mean: 1, deviation: 0.1}}, amplitudes: "
        "[1.0e-6, 1.0e-5]}\n"),
  TOKEN(""),
};

static const test_token tokens[] = {
  TOKEN("\n"),
  TOKEN(": "),
  TOKEN(", "),
  TOKEN("{"),
  TOKEN("}"),
  TOKEN("["),
  TOKEN("]"),
  TOKEN("- "),
  TOKEN("  "),
  TOKEN("&a "),
  TOKEN("*a"),
  TOKEN("<<: *a"),
  TOKEN("---\n"),
  TOKEN("\0"),
  TOKEN("#"),
  TOKEN("!!int "),
  TOKEN("|\n"),
  TOKEN("'"),
  TOKEN("\""),
  TOKEN("null"),
  TOKEN("~"),
  TOKEN("true"),
  TOKEN("-1"),
  TOKEN("0"),
  TOKEN("1e9"),
  TOKEN("1e308"),
  TOKEN("nan"),
  TOKEN(".inf"),
  TOKEN("1e-320"),
  TOKEN("99999999999"),
  TOKEN("ground"),
  TOKEN("left"),
  TOKEN("law: "),
  TOKEN("between: "),
  TOKEN("modes: "),
  TOKEN("levels: "),
  TOKEN("time: "),
  TOKEN("steps: "),
  TOKEN("method: "),
  TOKEN("exponential"),
  TOKEN("amplitudes: "),
  TOKEN("from: "),
  TOKEN("to: "),
  TOKEN("points: "),
  TOKEN("count: "),
  TOKEN("at: "),
  TOKEN("base: "),
  TOKEN("load: "),
  TOKEN("window: "),
  TOKEN("periods: "),
  TOKEN("harmonics: "),
  TOKEN("elements: "),
  TOKEN("jenkins"),
  TOKEN("contact3d"),
  TOKEN("iwan5"),
  TOKEN("lugre"),
  TOKEN("stribeck"),
  TOKEN("cubic"),
  TOKEN("normal: {between: [ground, left], K_n: 190, preload: 2.4}"),
  TOKEN(
      "\n  - calibrate: {parameters: {lap.K_T: [1e3, 1e5]}, targets: [{mode: 1, from: backbone}]}"),
  TOKEN("\n  - sobol: {random: {lap.K_T: {mean: 1e4, deviation: 1e3}}, amplitudes: [1e-6]}"),
  TOKEN("\n  - random: {load: push, time: {step: 1e-4, steps: 100}}"),
  TOKEN("\n  - rod: {length: 1}"),
  TOKEN("\n  - identify_density: {joint: lap, from: hysteresis}"),
};

MS_FUZZ_FEW(fault_of, seeds, tokens, 1500)
