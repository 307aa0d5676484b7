/* What analyses that fit say of their fits: at either side of every limit, and of the second of two
   modes or targets. */
#include <math.h>

#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/identify_density/identify_density.h"
#include "study/analyses/fit_modal/fit_modal.h"
#include "study/analyses/update/update.h"
#include "support/check.h"
#include "support/judged.h"

extern const ms_analysis ms_analysis_update, ms_analysis_fit_modal, ms_analysis_calibrate;
extern const ms_analysis ms_analysis_identify_density;
extern const ms_calibrate_method ms_calibrate_local, ms_calibrate_nsga2, ms_calibrate_posterior;

/* ---- update ---- */

static void test_update(void) {
  const double pi = acos(-1.0);
  static ms_fit_parameter bound[2] = { { .name = "springs.0", .lower = 1.0, .upper = 9.0 },
                                       { .name = "springs.1", .lower = 2.0, .upper = 7.0 } };
  double omega[2] = { 2.0 * pi * 31.7, 2.0 * pi * 47.3 }, mac[4] = { 0.0 };
  double found[4] = { 2.3, 3.1, 4.7, 5.9 };
  int inside[2] = { 0, 0 }, determined[2] = { 1, 1 };
  ms_fit_local local[2] = { { .end = MS_FIT_CONVERGED }, { .end = MS_FIT_CONVERGED } };
  const ms_mode_pair good = { .mode = 2, .mac = 0.903, .rival = 3, .rival_mac = 0.802 };
  ms_mode_pair after[2] = { good, good };
  ms_update u = {
    .bound = bound,
    .n = 2,
    .measured = { .is = { .n = 2, .omega = omega } },
    .found = { .fits = { .n = 2, .count = 2, .bound = bound, .found = found, .local = local },
               .fit = { .other = -1,
                        .scatter = 1.7,
                        .judgement = { .at_bound = inside,
                                       .determined = determined,
                                       .rms = 1.76 } },
               .look = { { .mac = mac }, { .pair = after, .mac = mac } } }
  };
  test_judge(&ms_analysis_update, &u);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  u.found.fit.judgement.rms = 1.77;
  test_judge(&ms_analysis_update, &u);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "the frequencies differ by 3.01 standard deviations (rms)");
  u.found.fit.judgement.rms = 1.0;
  after[1].rival_mac = 0.804;
  test_judge(&ms_analysis_update, &u);
  test_expect(
      1, 0, MS_OUTCOME_SUSPECT,
      "measured mode 2 (47.3 Hz) could be mode 3 of the model (MAC 0.90) or mode 4 (MAC 0.80)");
  after[1].rival = -1;
  test_judge(&ms_analysis_update, &u);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  after[1] = (ms_mode_pair) { .mode = 4, .mac = 0.897, .rival = -1 };
  test_judge(&ms_analysis_update, &u);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "the MAC of measured mode 2 (47.3 Hz) and mode 5 of the model is only 0.90");
  u.found.look[0].mac = NULL; /* without shapes */
  test_judge(&ms_analysis_update, &u);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  u.found.fit.other = 1;
  test_judge(&ms_analysis_update, &u);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "as well: springs.0 = 4.7, springs.1 = 5.9; the one shown");
}

/* ---- fit_modal ---- */

static void test_fit_modal(void) {
  ms_fitted good = { .mode = 2, .form = MS_MODAL_CONTINUOUS };
  ms_modal_fit_report *r = &good.report;
  for (int i = 0; i < MS_MODAL_N; i++) r->determined[i] = 1;
  r->rms_ln_zeta = 0.297;
  r->shift = 1.7;
  r->rms_omega = 0.297 * 1.7;
  ms_fitted fit[2] = { good, good };
  ms_fits f = { .fit = fit, .n = 2 };
  r = &fit[1].report;
  const ms_analysis *kind = &ms_analysis_fit_modal;
  test_judge(kind, &f);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  r->rms_ln_zeta = 0.303;
  test_judge(kind, &f);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "mode 3, continuous form: the fitted damping differs");
  CHECK_HAS(test_remark(0), "a factor of 1.35 (rms)");
  fit[1] = good;
  r->rms_omega = 0.303 * 1.7;
  test_judge(kind, &f);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "mode 3, continuous form: the fitted frequency differs");
  CHECK_HAS(test_remark(0), "by 0.303 of its shift");
  fit[1] = good;
  r->at_bound[MS_MODAL_CHI] = -1;
  test_judge(kind, &f);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "mode 3, continuous form: chi ended at its lower limit");
  r->at_bound[MS_MODAL_CHI] = 1;
  test_judge(kind, &f);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "mode 3, continuous form: chi ended at its upper limit");
  fit[1] = good;
  r->determined[MS_MODAL_F_S] = r->determined[MS_MODAL_BETA] = 0;
  test_judge(kind, &f);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "mode 3, continuous form: the data do not determine F_S, beta");
  fit[1] = good;
  r->warnings = MS_MODAL_UNFINISHED;
  test_judge(kind, &f);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "mode 3, continuous form: the fit stopped before it converged");
  r->warnings = MS_MODAL_UNSTABLE;
  test_judge(kind, &f);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "mode 3, continuous form: the choice of points did not settle");
  r->warnings = MS_MODAL_NO_MACROSLIP;
  r->q_max = 0.0731, r->phi_max = 0.311;
  test_judge(kind, &f);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "F_S is extrapolated: the data end at 0.0731, and macroslip was "
              "taken to begin at 0.311");
  r->warnings = MS_MODAL_NO_SHIFT | MS_MODAL_NO_MICROSLIP;
  test_judge(kind, &f);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
}

/* ---- calibrate ---- */

/* Two targets; of the second, frequencies from 40 to 42 and damping. */
static void test_calibrate(void) {
  static ms_fit_parameter bound[2] = {
    { .name = "K_T of lap", .lower = 10.0, .upper = 1000.0, .logarithmic = 1 },
    { .name = "chi of lap", .lower = -0.9, .upper = -0.1 }
  };
  static const double first[3] = { 31.0, 29.0, 27.0 }, omega[3] = { 41.0, 42.0, 40.0 };
  ms_target is[2] = { { .name = "mode 1", .weight = { 1.0, 1.0 } },
                      { .name = "mode 2", .weight = { 1.0, 1.0 } } };
  ms_calibrate_target target[2] = { { .name = "mode 1", .is = &is[0] },
                                    { .name = "mode 2", .is = &is[1] } };
  ms_target_view view[2] = { { .n = 3, .target = { first } }, { .n = 3, .target = { omega } } };
  double f[4] = { 0.0, 0.0, 0.0, 0.0 }, x[2] = { 71.3, -0.37 }, other[2] = { 71.3, -0.37 };
  ms_solution solution = { .p = x, .f = f, .view = view };
  int inside[2] = { 0, 0 }, upper[2] = { 0, 1 }, all[2] = { 1, 1 }, one[2] = { 1, 0 };
  ms_fit_local local = { .end = MS_FIT_CONVERGED };
  ms_calibrate_options o = { .misfit_limit = 0.1, .noise = (double)NAN };
  ms_local_fits fits = {
    .best = { .supposed = 0.013,
              .scatter = 0.0389,
              .judgement = { .at_bound = inside, .determined = all } },
    .starts = { .n = 2, .count = 1, .bound = bound, .found = other, .local = &local }
  };
  ms_calibrate c = {
    .method = &ms_calibrate_local,
    .bound = bound,
    .n = 2,
    .target = target,
    .is = is,
    .n_target = 2,
    .solution = &solution,
    .n_solution = 1,
    .fits = &fits,
  };
  const ms_analysis *kind = &ms_analysis_calibrate;
  test_judge_options(&o);
  /* omega is off by 0.0997 and 0.1003 of its shift of 2: of its largest value, 42 */
  f[2] = pow(0.0997 * 2.0 / 42.0, 2.0), f[3] = 0.0997 * 0.0997;
  test_judge(kind, &c);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  f[2] = pow(0.1003 * 2.0 / 42.0, 2.0);
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "the frequency of mode 2 is off by 0.1 of its shift (rms; more "
              "than misfit_limit 0.1 in 1 of 4 quantities");
  f[3] = 0.13 * 0.13;
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "the damping of mode 2 is off by 0.13 of its size (rms; more "
              "than misfit_limit 0.1 in 2 of 4 quantities");
  is[1].weight[1] = 0.0; /* not looked at */
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "the frequency of mode 2 is off by 0.1 of its shift (rms; more "
              "than misfit_limit 0.1 in 1 of 3 quantities");
  /* A frequency that hardly changes is held to a thousandth of it. */
  view[1].target[0] = (const double[]) { 40.0, 40.0, 40.0 };
  f[2] = 0.97e-4 * 0.97e-4;
  test_judge(kind, &c);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  f[2] = 1.03e-4 * 1.03e-4;
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "the frequency of mode 2 is off by 0.103 of its shift");
  o.noise = 0.013; /* then that is what residuals are held against */
  test_judge(kind, &c);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  fits.best.scatter = 0.0391;
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "the residual of the fit is 3.01 times the noise");
  fits.best.scatter = 0.013;
  fits.best.judgement.at_bound = upper, fits.best.judgement.determined = one;
  test_judge(kind, &c);
  test_expect(2, 0, MS_OUTCOME_SUSPECT, "chi of lap ended at its upper bound, -0.1");
  test_expect(2, 1, MS_OUTCOME_SUSPECT, "the data do not determine chi of lap");
  /* The knee of a front: no Jacobian, bounds alone. */
  c.method = &ms_calibrate_nsga2;
  c.fits = NULL;
  f[2] = 0.0;
  test_judge(kind, &c);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  x[0] = 10.0 * pow(100.0, 0.9e-4), x[1] = -0.1 - 0.8 * 0.9e-4;
  test_judge(kind, &c);
  test_expect(2, 0, MS_OUTCOME_SUSPECT, "K_T of lap ended at its lower bound, 10");
  test_expect(2, 1, MS_OUTCOME_SUSPECT, "chi of lap ended at its upper bound, -0.1");
  x[0] = 10.0 * pow(100.0, 1.1e-4), x[1] = -0.1 - 0.8 * 1.1e-4;
  test_judge(kind, &c);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  test_judge_options(NULL);
}

/* A chain: the slowest of those parameters that have not settled is named. */
static void test_chain(void) {
  ms_fit_parameter bound[3] = { { .name = "first" }, { .name = "second" }, { .name = "third" } };
  ms_chain_report report[3] = { { .tau = 11.0, .r_hat = 1.01, .settled = 1 },
                                { .tau = 7.0, .r_hat = 1.07, .settled = 1 },
                                { .tau = 9.0, .r_hat = 1.09, .settled = 1 } };
  int inside[3] = { 0, 0, 0 }, none[3] = { 0, 0, 0 };
  ms_fit_local local = { .end = MS_FIT_CONVERGED };
  ms_calibrate_options o = { .steps = 500, .noise = (double)NAN, .misfit_limit = 0.1 };
  ms_local_fits fits = { .best = { .judgement = { .at_bound = inside, .determined = none } },
                         .starts = { .n = 3, .count = 1, .local = &local } };
  ms_calibrate_samples samples = { .found = { .n_x = 3, .steps = 500, .report = report } };
  ms_calibrate c = {
    .method = &ms_calibrate_posterior, .bound = bound, .n = 3, .samples = &samples, .fits = &fits
  };
  test_judge_options(&o);
  test_judge(&ms_analysis_calibrate, &c); /* its intervals say what is not determined */
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  report[1].settled = report[2].settled = 0;
  test_judge(&ms_analysis_calibrate, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "the chain has not settled: for third its 500 steps are 56 "
              "autocorrelation times (50 are required), and R-hat is 1.090");
  test_judge_options(NULL);
}

/* ---- identify_density ---- */

static void test_identify_density(void) {
  const ms_density_estimate good = { .from = 0.0013, .to = 0.0131, .worst = 3.99 };
  ms_identified p = { .found = { .estimate = good, .shown = 71.2 }, .K_T = 71.3 };
  const ms_analysis *kind = &ms_analysis_identify_density;
  test_judge(kind, &p);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  p.losses.left_out = 3;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_COMPLETE, "3 samples without dissipation");
  p.losses.left_out = 0;
  p.found.estimate.to = 0.0012;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "the density is trusted at no amplitude");
  p.found.estimate = good;
  p.found.estimate.worst = 4.01;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "an energy lies 4 standard deviations from the model");
  p.found.estimate = good;
  p.found.shown = 71.4;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "show have 71.4 N/m, more than the stuck joint's 71.3 N/m");
  p.K_T = 0.0; /* not known */
  test_judge(kind, &p);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
}

int main(void) {
  TEST(test_update);
  TEST(test_fit_modal);
  TEST(test_calibrate);
  TEST(test_chain);
  TEST(test_identify_density);
  test_judged_end();
  return test_finish();
}
