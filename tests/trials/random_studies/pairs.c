/* Two methods for one question. */
#include "trials/random_studies/trial.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Tolerances of the pairs: of the peak; in amplitude; in frequency and damping. */
static const double history_tolerance = 1e-3, amplitude_tolerance = 1e-3, omega_tolerance = 1e-4,
                    zeta_tolerance = 0.02;

/* An amplitude is small while the frequency is that of the stuck mode to this part: the secant of a
   quasi-static loop and its first harmonic differ by about a third of the shift. */
static const double small_shift = 3e-4;

/* Epmc solves for the damping ratio, and stops where this part of the forces is left: smaller
   ratios are not told from 0. */
static const double solver_tolerance = 1e-10;

/* A structure with elastic modes; damping that both methods of a pair can have. 0: refused. */
static int write_head(trial *t) {
  trial_write_structure(t);
  trial_write_joints(t);
  if (!trial_learn_modes(t)) return 0;
  if (t->first < t->n_mode) return 1;
  trial_judge(t, TRIAL_REFUSED, "no elastic mode");
  return 0;
}

static int is_complete(trial *t, const char *name) {
  return !strcmp(trial_status(t, "one", name), "complete");
}

/* Runs what was written so far. */
static int run(trial *t, const char *file, const char *out) {
  return trial_render(t, &trial_si, file) && trial_run_checked(t, file, out, 1);
}

/* The verdict on a difference: what is not `complete` says so itself; laws with a jump and laws
   without a unique answer are apart. */
static void judge_difference(trial *t, int complete, const char *what, double difference) {
  if (!complete)
    trial_judge(t, TRIAL_FLAGGED, "%s differ by %.2g, and the status says so", what, difference);
  else if (t->jumps)
    trial_judge(t, TRIAL_APART, "%s differ by %.2g: a law with a jump", what, difference);
  else if (!t->unique)
    trial_judge(t, TRIAL_APART, "%s differ by %.2g: no unique answer", what, difference);
  else
    trial_judge(t, TRIAL_FAILED, "%s differ by %.2g", what, difference);
}

/* ---- Newmark and exponential ---- */

static void write_history(trial *t, const char *method, double step, int steps) {
  trial_put(t, "  - transient: {name: %s, loads: [l%d], time: {step: %s, steps: %d, method: %s}, ",
            method, t->n_load, trial_number(step, TRIAL_TIME), steps, method);
  trial_put(t, "record: {channels: [");
  for (int i = 0; i < t->n; i++) trial_put(t, "%s%s", i ? ", " : "", t->name[i]);
  trial_put(t, "]}}\n");
}

/* Largest difference of all coordinates over the largest displacement. */
static double difference_of(trial *t, const char *out) {
  ms_table *a = trial_table(t, out, "newmark"), *b = trial_table(t, out, "exponential");
  double worst = 0.0, peak = 0.0;
  for (int i = 0; i < t->n && a && b; i++) {
    const double *x = ms_table_get_column(a, t->name[i]), *y = ms_table_get_column(b, t->name[i]);
    for (ptrdiff_t k = 0; k < ms_table_get_rows(a); k++) {
      peak = fmax(peak, fabs(x[k]));
      worst = fmax(worst, fabs(x[k] - y[k]));
    }
  }
  if (!a || !b) worst = HUGE_VAL;
  ms_table_destroy(&a);
  ms_table_destroy(&b);
  return peak > 0.0 ? worst / peak : worst;
}

void trial_kind_integrators(trial *t) {
  t->want.modal = 1;
  if (!write_head(t)) return;
  trial_write_loads(t);
  double shortest = 2.0 * pi / t->frequency[t->n_mode - 1],
         longest = 2.0 * pi / t->frequency[t->first];
  int steps = (int)fmin(3000.0, 200.0 * 3.0 * longest / shortest);
  trial_put(t, "analyses:\n");
  size_t head = trial_mark(t);
  write_history(t, "newmark", shortest / 200.0, steps);
  write_history(t, "exponential", shortest / 200.0, steps);
  if (!run(t, "study.yaml", "one")) return;
  double coarse = difference_of(t, "one");
  if (coarse <= history_tolerance) return;
  trial_rewind(t, head);
  write_history(t, "newmark", shortest / 800.0, 4 * steps);
  write_history(t, "exponential", shortest / 800.0, 4 * steps);
  if (!run(t, "finer.yaml", "finer")) return;
  double fine = difference_of(t, "finer");
  int complete = is_complete(t, "newmark") && is_complete(t, "exponential");
  if (fine <= 0.3 * coarse || fine <= history_tolerance)
    trial_judge(t, complete ? TRIAL_EXPLAINED : TRIAL_FLAGGED,
                "histories differ by %.2g, by %.2g with steps of a quarter", coarse, fine);
  else
    judge_difference(t, complete, "histories of newmark and exponential", coarse);
}

/* ---- harmonic balance and the steady state in time ---- */

/* Half of what lies between the extremes, from row k on over a period. Sliders keep a mean
   displacement from the start, which is not unique. */
static double amplitude_from(const double *x, ptrdiff_t k, int per_period) {
  double lowest = x[k], highest = x[k];
  for (ptrdiff_t i = k; i < k + per_period; i++) {
    lowest = fmin(lowest, x[i]);
    highest = fmax(highest, x[i]);
  }
  return 0.5 * (highest - lowest);
}

/* Amplitude in the last period, and the largest change from one period to the next; 0 if there are
 * none. */
static double last_amplitude(trial *t, const char *out, int per_period, const char *coordinate,
                             double *change) {
  ms_table *a = trial_table(t, out, "time");
  const double *x = a ? ms_table_get_column(a, coordinate) : NULL;
  ptrdiff_t rows = a ? ms_table_get_rows(a) : 0;
  int enough = x && rows >= 2 * per_period;
  double last = enough ? amplitude_from(x, rows - per_period, per_period) : 0.0;
  *change = 0.0;
  for (ptrdiff_t k = rows - per_period; enough && k < rows; k++)
    *change = fmax(*change, fabs(x[k] - x[k - per_period]));
  ms_table_destroy(&a);
  return last;
}

static double balance_peak(trial *t, const char *out, double omega) {
  ms_table *a = trial_table(t, out, "balance_sensors");
  const double *w = a ? ms_table_get_column(a, "omega") : NULL,
               *peak = a ? ms_table_get_column(a, "peak_displacement") : NULL;
  double value = -1.0;
  for (ptrdiff_t k = 0; w && peak && k < ms_table_get_rows(a); k++)
    if (fabs(w[k] - omega) <= 1e-9 * omega) value = peak[k];
  ms_table_destroy(&a);
  return value;
}

static void write_balance(trial *t, const char *at, double level, double omega, int harmonics) {
  trial_put(
      t,
      "  - frequency_response: {name: balance, load: {at: %s}, levels: [%s], omega: [%.17g, %.17g]",
      at, trial_number(level, TRIAL_FORCE), 0.995 * omega, 1.005 * omega);
  trial_put(t, ", points: [%.17g], sensors: [%s], harmonics: %d, times: 512, stability: false}\n",
            omega, at, harmonics);
}

static void write_time(trial *t, const char *at, double step, int steps) {
  trial_put(t,
            "  - transient: {name: time, time: {step: %s, steps: %d}, record: {channels: [%s]}}\n",
            trial_number(step, TRIAL_TIME), steps, at);
}

void trial_kind_steady(trial *t) {
  t->want.settles = 1;
  if (!write_head(t)) return;
  double shortest = 2.0 * pi / t->frequency[t->n_mode - 1], zeta = HUGE_VAL,
         slowest = t->frequency[t->first];
  for (int r = t->first; r < t->n_mode; r++) zeta = fmin(zeta, t->zeta[r] * t->frequency[r]);
  double settle = 9.0 / zeta; /* what is left of the start has fallen to 1e-4 */
  int mode = t->first + trial_pick(t, t->n_mode - t->first < 2 ? 1 : 2);
  double omega = t->frequency[mode] * trial_log(t, 0.7, 1.4), period = 2.0 * pi / omega;
  int per_period = (int)(200.0 * fmax(1.0, period / shortest)),
      periods = (int)(settle / period) + 4;
  if (!t->held || (double)per_period * periods > 5e4 || zeta <= 0.0) {
    trial_judge(t, TRIAL_REFUSED, "settles too slowly: %.3g periods of mode 1",
                settle * slowest / 6.28);
    return;
  }
  const char *at = trial_coordinate(t);
  double level = t->force * trial_log(t, 0.01, 3.0);
  trial_put(t, "loads: {s: {sine: {amplitude: %s, omega: %.17g}, at: %s}}\nanalyses:\n",
            trial_number(level, TRIAL_FORCE), omega, at);
  size_t head = trial_mark(t);
  write_balance(t, at, level, omega, 9);
  write_time(t, at, period / per_period, per_period * periods);
  if (!run(t, "study.yaml", "one")) return;
  double change, peak = last_amplitude(t, "one", per_period, at, &change),
                 want = balance_peak(t, "one", omega);
  if (want < 0.0) {
    judge_difference(t, is_complete(t, "balance"), "no point of harmonic balance: they", 1.0);
    return;
  }
  double difference = fabs(peak - want) / peak;
  if (difference <= amplitude_tolerance) return;
  trial_rewind(t, head);
  write_balance(t, at, level, omega, 31);
  write_time(t, at, period / (4 * per_period), 4 * per_period * periods);
  int again = run(t, "finer.yaml", "finer");
  double finer = again ? balance_peak(t, "finer", omega) : -1.0, ignored,
         fine = again ? last_amplitude(t, "finer", 4 * per_period, at, &ignored) : 0.0;
  if (finer >= 0.0 && fabs(peak - finer) <= amplitude_tolerance * peak)
    trial_judge(t, TRIAL_EXPLAINED, "amplitudes differ by %.2g with 9 harmonics, %.2g with 31",
                difference, fabs(peak - finer) / peak);
  else if (finer >= 0.0 && fabs(fine - finer) <= 0.3 * difference * peak)
    trial_judge(t, TRIAL_EXPLAINED, "amplitudes differ by %.2g, by %.2g with steps of a quarter",
                difference, fabs(fine - finer) / peak);
  else if (change > 0.1 * amplitude_tolerance * peak)
    trial_judge(t, TRIAL_EXPLAINED, "amplitudes differ by %.2g: not steady, %.2g a period",
                difference, change / peak);
  else
    judge_difference(t, is_complete(t, "balance") && is_complete(t, "time"),
                     "amplitudes of harmonic balance and time", difference);
}

/* ---- qsma and epmc at small amplitude ---- */

static int is_apart(const trial *t, int mode) {
  double omega = t->frequency[mode];
  return (mode == 0 || t->frequency[mode - 1] < 0.9 * omega) &&
         (mode + 1 == t->n_mode || t->frequency[mode + 1] > 1.1 * omega);
}

/* Both methods at one amplitude: the largest difference over its tolerance, in words. */
typedef struct contrast {
  double worst, difference;
  const char *what;
} contrast;

static void note_contrast(contrast *c, const char *what, double difference, double tolerance) {
  if (difference / tolerance <= c->worst) return;
  *c = (contrast) { difference / tolerance, difference, what };
}

static contrast contrast_of(trial *t, const char *out, int mode) {
  contrast c = { 0 };
  ms_table *a = trial_table(t, out, "backbone");
  const double *q = a ? ms_table_get_column(a, "q") : NULL;
  for (ptrdiff_t i = 0; q && i < ms_table_get_rows(a); i++) {
    for (ptrdiff_t j = 0; j < ms_table_get_rows(a); j++) {
      if (strcmp(ms_table_get_word(a, "method", i), "qsma") != 0 ||
          strcmp(ms_table_get_word(a, "method", j), "epmc") != 0 || fabs(q[i] - q[j]) > 1e-6 * q[i])
        continue;
      const double *omega = ms_table_get_column(a, "omega"), *zeta = ms_table_get_column(a, "zeta");
      if (fabs(omega[j] / t->frequency[mode] - 1.0) > small_shift) continue;
      double d_zeta = fabs(zeta[i] - zeta[j]);
      note_contrast(&c, "frequencies of qsma and epmc", fabs(omega[i] / omega[j] - 1.0),
                    omega_tolerance);
      if (d_zeta > solver_tolerance)
        note_contrast(&c, "damping of qsma and epmc", d_zeta / zeta[j], zeta_tolerance);
    }
  }
  if (!a) c = (contrast) { HUGE_VAL, 1.0, "no backbone: they" };
  ms_table_destroy(&a);
  return c;
}

static void write_backbone(trial *t, int mode, int harmonics, double q) {
  trial_put(t, "  - backbone: {modes: [%d], methods: [qsma, epmc], times: 1024, ", mode + 1);
  trial_put(t, "harmonics: %d, amplitudes: [%s, %s, %s, %s]}\n", harmonics,
            trial_number(1e-7 * q, TRIAL_MODAL), trial_number(1e-5 * q, TRIAL_MODAL),
            trial_number(1e-3 * q, TRIAL_MODAL), trial_number(1e-2 * q, TRIAL_MODAL));
}

void trial_kind_small(trial *t) {
  t->want.masing = t->want.modal = 1; /* damping that couples modes moves epmc's frequency */
  if (!write_head(t)) return;
  int mode = t->first;
  while (mode < t->n_mode && !is_apart(t, mode)) mode++;
  if (mode == t->n_mode) {
    trial_judge(t, TRIAL_REFUSED, "no mode apart from others");
    return;
  }
  double q = t->displacement * sqrt(t->mass) * trial_log(t, 0.1, 1.0);
  trial_put(t, "analyses:\n");
  size_t head = trial_mark(t);
  write_backbone(t, mode, 7, q);
  if (!run(t, "study.yaml", "one")) return;
  contrast c = contrast_of(t, "one", mode);
  if (c.worst <= 1.0) return;
  trial_rewind(t, head);
  write_backbone(t, mode, 1, q);
  if (!run(t, "finer.yaml", "finer")) return;
  contrast alone = contrast_of(t, "finer", mode);
  if (alone.worst <= 1.0) /* a mode at a multiple of the frequency, which qsma does not see */
    trial_judge(t, TRIAL_EXPLAINED, "%s differ by %.2g, by %.2g without higher harmonics", c.what,
                c.difference, alone.difference);
  else
    judge_difference(t, is_complete(t, "backbone"), c.what, c.difference);
}
