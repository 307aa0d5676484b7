/* Default values of every method's settings but the tolerances (test_tolerances.c): a caller who
   sets nothing relies on them, so a change is one to announce. */
#include <math.h>

#include <microslip/microslip.h>

#include "support/check.h"

#define IS(value, wanted) CHECK((double)(value) == (double)(wanted))

static void test_front(void) {
  ms_front_setting s;
  ms_front_default(&s, sizeof s);
  CHECK_TEXT(s.what, "front");
  IS(s.points, 100);
  IS(s.generations, 100);
  IS(s.seed, 1);
  IS(s.beyond, 1.1);
}

static void test_samples(void) {
  ms_samples_setting s;
  ms_samples_default(&s, sizeof s);
  CHECK_TEXT(s.what, "chain");
  IS(s.walkers, 32);
  IS(s.steps, 5000);
  IS(s.burn, 500);
  IS(s.seed, 1);
  IS(s.most, 5000);
}

static void test_density(void) {
  ms_density_setting s;
  ms_density_default(&s, sizeof s);
  IS(s.form, MS_DENSITY_SMOOTH);
  IS(s.end, MS_DENSITY_END_SLIPS);
  IS(s.projection, 1e-9);
  IS(s.corner, 4.0);
  IS(s.K_T, 0.0);
  IS(s.too_stiff, 1e-2);
}

static void test_density_estimate(void) {
  ms_density_estimate_setting s;
  ms_density_estimate_default(&s, sizeof s);
  IS(s.noise, 0.0);
  IS(s.knots, 60);
  IS(s.level, 0.9);
  IS(s.trust, 0.1);
  CHECK(s.deviation == NULL);
}

static void test_fit(void) {
  ms_fit_setting s;
  ms_fit_default(&s, sizeof s);
  IS(s.tolerance, 1e-12);
  IS(s.max_evaluations, 400);
  IS(s.step, 1e-5);
  IS(s.known_noise, 0);
  IS(s.weak, 1e-6);
  IS(s.vague, 0.5);
  IS(s.seed, 1);
  IS(s.middle, 1e-6);
  IS(s.secant, 0.0);
}

static void test_force_state(void) {
  ms_force_state_setting s;
  ms_force_state_default(&s, sizeof s);
  IS(s.method, MS_FORCE_STATE_EXACT);
  IS(s.omega, 0.0);
  IS(s.periods, 4);
  IS(s.harmonics, 9);
  IS(s.axes, 0);
  IS(s.modes, 0);
  IS(s.worst, 0.05);
  IS(s.force_noise, 0.0);
  IS(s.force_mean, 0.0);
}

static void test_hammer(void) {
  ms_hammer_setting s;
  ms_hammer_default(&s, sizeof s);
  IS(s.n_channel, 0);
  CHECK(s.channel == NULL);
  IS(s.kind, MS_SIGNAL_ACCELERATION);
  IS(s.n_mode, 0);
  CHECK(s.mode == NULL);
  IS(s.start, 0.0);
  IS(s.end, HUGE_VAL);
  IS(s.periods, 8.0);
  IS(s.segments, 24);
  IS(s.parts, 1);
  IS(s.keep_offset, 0);
}

static void test_hit_judge(void) {
  ms_hit_judge_setting s;
  ms_hit_judge_default(&s, sizeof s);
  IS(s.n_channel, 0);
  CHECK(s.channel == NULL);
  IS(s.kind, MS_SIGNAL_ACCELERATION);
}

static void test_harmonic(void) {
  ms_harmonic_setting s;
  ms_harmonic_default(&s, sizeof s);
  IS(s.harmonics, 7);
  IS(s.times, 1024);
  IS(s.tolerance, 1e-10);
  IS(s.newton_max, 15);
  IS(s.repeat_tolerance, 1e-10);
  IS(s.repeat_max, 200);
  IS(s.step, 0.02);
  IS(s.step_min, 1e-6);
  IS(s.step_max, 0.2);
  IS(s.points_max, 10000);
  IS(s.stability_modes, 12);
  IS(s.turn_tolerance, 1e-6);
  IS(s.turn_margin, 0.3);
  IS(s.own_phase, 1);
}

static void test_modal_fit(void) {
  ms_modal_fit_setting s;
  ms_modal_fit_default(&s, sizeof s);
  IS(s.form, MS_MODAL_CONTINUOUS);
  IS(s.lo, 0.9);
  IS(s.hi, 30.0);
  IS(s.bins_per_decade, 12.0);
  IS(s.omega_weight, 1.0);
  IS(s.shift_floor, 1e-3);
  IS(s.tolerance, 1e-14);
  IS(s.max_evaluations, 400);
  IS(s.max_selections, 40);
  IS(s.weak, 1e-4);
  IS(s.vague, 0.5);
}

static void test_nsga2(void) {
  ms_nsga2_setting s;
  ms_nsga2_default(&s, sizeof s);
  IS(s.n_point, 100);
  IS(s.crossover, 0.9);
  IS(s.crossover_index, 15.0);
  IS(s.mutation, 0.0);
  IS(s.mutation_index, 20.0);
  IS(s.seed, 1);
}

static void test_ensemble(void) {
  ms_ensemble_setting s;
  ms_ensemble_default(&s, sizeof s);
  IS(s.n_walker, 32);
  IS(s.stretch, 2.0);
  IS(s.seed, 1);
}

static void test_quasistatic(void) {
  ms_quasistatic_setting s;
  ms_quasistatic_default(&s, sizeof s);
  IS(s.kind, MS_QUASISTATIC_QSMA);
  IS(s.mode, 0);
  IS(s.level, MS_LEVEL_AMPLITUDE);
  IS(s.newton_tolerance, 1e-13);
  IS(s.newton_max, 50);
  IS(s.divide_max, 16);
  IS(s.cycled, 0);
  IS(s.cycle_steps, 64);
  IS(s.cycle_max, 60);
  IS(s.cycle_tolerance, 1e-10);
  IS(s.check, 0);
  IS(s.check_tolerance, 1e-11);
  CHECK(s.preload == NULL);
}

static void test_contact(void) {
  ms_contact_setting s;
  ms_contact_default(&s, sizeof s);
  IS(s.newton_tolerance, 1e-10);
  IS(s.newton_full, 10);
  IS(s.newton_max, 25);
  IS(s.divide_max, 12);
  IS(s.cycle_steps, 64);
  IS(s.cycle_max, 100);
  IS(s.cycle_tolerance, 1e-4);
  IS(s.refine_max, 4);
}

static void test_transient(void) {
  ms_transient_setting s;
  ms_transient_default(&s, sizeof s);
  CHECK_TEXT(s.method, "newmark");
  IS(s.step, 0.0);
  IS(s.beta, 0.25);
  IS(s.gamma, 0.5);
  IS(s.newton_tolerance, 1e-12);
  IS(s.newton_max, 50);
  IS(s.tolerance, 0.0);
  IS(s.static_above, 0.0);
  IS(s.divide, 2.5e-4);
  IS(s.divide_max, 8);
}

static void test_rod_chain(void) {
  ms_rod_chain_setting s;
  ms_rod_chain_default(&s, sizeof s);
  IS(s.n, 0);
  IS(s.method, MS_ROD_MOREAU);
  IS(s.step, 0.0);
  IS(s.ramp, 0.0);
  IS(s.sweep_tolerance, 1e-13);
}

static void test_frf_fit(void) {
  ms_frf_fit_settings s;
  ms_frf_fit_default(&s, sizeof s);
  IS(s.low, 0.0);
  IS(s.high, HUGE_VAL);
  IS(s.modes, 0);
  IS(s.orders, 32);
  IS(s.same_frequency, 0.01);
  IS(s.same_damping, 0.2);
  IS(s.part, 0.4);
}

static void test_scatter(void) {
  ms_scatter_setting s;
  ms_scatter_default(&s, sizeof s);
  IS(s.noise[0], 0.0), IS(s.noise[1], 0.0);
  IS(s.draws, 400);
  IS(s.starts, 6);
  IS(s.seed, 1);
  IS(s.max_steps, 400);
}

static void test_hilbert(void) {
  ms_hilbert_settings s;
  ms_hilbert_default(&s, sizeof s);
  IS(s.start, -HUGE_VAL);
  IS(s.end, HUGE_VAL);
  IS(s.segments, 100);
  IS(s.periods, 4.0);
  IS(s.trim, 1.5);
  IS(s.knots, MS_KNOTS_TIME);
  IS(s.mirror, MS_MIRROR_SAMPLE);
}

static void test_stft(void) {
  ms_stft_settings s;
  ms_stft_default(&s, sizeof s);
  IS(s.start, -HUGE_VAL);
  IS(s.end, HUGE_VAL);
  IS(s.growth, MS_GROWTH_CONSTANT);
  IS(s.window_first, 0.0);
  IS(s.window_last, 0.0);
  IS(s.overlap, 0.75);
  IS(s.low, 0.0);
  IS(s.high, HUGE_VAL);
  IS(s.segments, 100);
  IS(s.windows, 4);
}

static void test_spectrogram(void) {
  ms_spectrogram_settings s;
  ms_spectrogram_default(&s, sizeof s);
  IS(s.start, -HUGE_VAL);
  IS(s.end, HUGE_VAL);
  IS(s.window, 0.0);
  IS(s.overlap, 0.75);
  IS(s.low, 0.0);
  IS(s.high, HUGE_VAL);
  IS(s.padding, 4);
}

static void test_crossing(void) {
  ms_crossing_settings s;
  ms_crossing_default(&s, sizeof s);
  IS(s.start, -HUGE_VAL);
  IS(s.end, HUGE_VAL);
  IS(s.cycles, 10);
  IS(s.hysteresis, 0.2);
}

static void test_ring(void) {
  ms_ring_settings s;
  ms_ring_default(&s, sizeof s);
  IS(s.method, MS_RING_HILBERT);
  IS(s.start, -HUGE_VAL);
  IS(s.end, HUGE_VAL);
  IS(s.segments, 0);
  IS(s.low, 0.0);
  IS(s.high, 0.0);
  IS(s.edge, 0.1);
  IS(s.keep_offset, 0);
  IS(s.rough, 0.1);
}

static void test_frf(void) {
  ms_frf_settings s;
  ms_frf_default(&s, sizeof s);
  IS(s.window, MS_FRF_HANN);
  IS(s.length, 1024);
  IS(s.overlap, 0.5);
  IS(s.force_end, 0.0);
  IS(s.decay, 0.0);
}

static void test_sweep(void) {
  ms_sweep_settings s;
  ms_sweep_default(&s, sizeof s);
  IS(s.input, MS_SWEEP_BASE);
  IS(s.start, -HUGE_VAL);
  IS(s.end, HUGE_VAL);
  IS(s.low, 0.0);
  IS(s.high, HUGE_VAL);
  IS(s.participation, 0.0);
  IS(s.smooth, 0.0);
}

static void test_decimator(void) {
  ms_decimator_settings s;
  ms_decimator_default(&s, sizeof s);
  IS(s.factor, 1);
  IS(s.attenuation, 100.0);
  IS(s.pass, 0.8);
}

static void test_survey(void) {
  ms_survey_settings s;
  ms_survey_default(&s, sizeof s);
  IS(s.low, 0.0);
  IS(s.high, 0.0);
  IS(s.edge, 0.0);
  IS(s.sensor, -1);
  IS(s.modes, 12);
  IS(s.points, 12);
  IS(s.doubtful, 0);
}

static void test_som(void) {
  ms_som_setting s;
  ms_som_default(&s, sizeof s);
  IS(s.columns, 0);
  IS(s.rows, 0);
  IS(s.most, 400);
  IS(s.rounds, 40);
  IS(s.first, 0.0);
  IS(s.last, 0.6);
}

static void test_plans(void) {
  const ms_time_setting t = ms_time_default();
  CHECK_TEXT(t.method, "newmark");
  IS(t.beta, 0.25);
  IS(t.gamma, 0.5);
  IS(t.step, 0), IS(t.steps, 0), IS(t.tolerance, 0);
  const ms_frequency_plan f = ms_frequency_default();
  IS(f.harmonic.times, 1024);
  IS(f.shallow, 1e-3);
  const double apart[] = { 0.0, 1e-3, 3e-3, 1e-2 };
  for (int i = 0; i < 4; i++) IS(f.refine_apart[i], apart[i]);
  IS(ms_recording_default().every, 1);
  IS(ms_frf_test_default().settings.length, 1024);
  IS(ms_stepped_default().harmonic.harmonics, 7);
}

int main(void) {
  TEST(test_front);
  TEST(test_samples);
  TEST(test_density);
  TEST(test_density_estimate);
  TEST(test_fit);
  TEST(test_force_state);
  TEST(test_hammer);
  TEST(test_hit_judge);
  TEST(test_harmonic);
  TEST(test_modal_fit);
  TEST(test_nsga2);
  TEST(test_ensemble);
  TEST(test_quasistatic);
  TEST(test_contact);
  TEST(test_transient);
  TEST(test_rod_chain);
  TEST(test_frf_fit);
  TEST(test_scatter);
  TEST(test_hilbert);
  TEST(test_stft);
  TEST(test_spectrogram);
  TEST(test_crossing);
  TEST(test_ring);
  TEST(test_frf);
  TEST(test_sweep);
  TEST(test_decimator);
  TEST(test_survey);
  TEST(test_som);
  TEST(test_plans);
  return test_finish();
}
