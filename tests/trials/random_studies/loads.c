/* Random loads of every kind. Frequencies are in Hz in any units. */
#include "trials/random_studies/trial.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Hz, about a mode of the structure; of finite elements one of the first three, since a pulse has
   to last longer than a step. */
static double some_frequency(trial *t) {
  int count = t->n_mode - t->first, r = t->first;
  if (t->fe && count > 3) count = 3;
  r = count > 0 ? r + trial_pick(t, count) : 0;
  double omega = t->frequency[r] > 0.0 ? t->frequency[r] : t->omega;
  return omega / (2.0 * pi) * trial_log(t, 0.5, 2.0);
}

static void write_list(trial *t, const char *key, int n, double from, double step,
                       trial_dimension dimension) {
  trial_put(t, "%s: [", key);
  for (int i = 0; i < n; i++)
    trial_put(t, "%s%s", i ? ", " : "", trial_number(from + step * i, dimension));
  trial_put(t, "]");
}

static void write_values(trial *t, int n, double size, trial_dimension dimension) {
  trial_put(t, ", value: [");
  for (int i = 0; i < n; i++)
    trial_put(
        t, "%s%s", i ? ", " : "",
        trial_number(i == 0 || i == n - 1 ? 0.0 : size * trial_uniform(t, -1.0, 1.0), dimension));
  trial_put(t, "]");
}

/* A function of time with this amplitude; the first two kinds end by themselves. */
static void write_function(trial *t, int kind, double size, trial_dimension unit) {
  static const char *const laws[] = { "linear", "logarithmic" }, *const lobes[] = { "full",
                                                                                    "half" };
  double f = some_frequency(t), period = 1.0 / f;
  const char *amplitude = trial_number(size, unit);
  switch (kind) {
  case 0:
    trial_put(t, "half_sine: {amplitude: %s, duration: %s}", amplitude,
              trial_number(period * trial_log(t, 0.2, 2.0), TRIAL_TIME));
    break;
  case 1:
    if (trial_chance(t, 0.5))
      trial_put(t, "haversine: {amplitude: %s, duration: %s}", amplitude,
                trial_number(period, TRIAL_TIME));
    else
      trial_put(t, "haversine: {amplitude: %s, frequency: %.17g, lobe: %s}", amplitude, f,
                trial_word(t, 2, lobes));
    break;
  case 2:
    trial_put(t, "sine: {amplitude: %s, frequency: %.17g, phase: %.17g}", amplitude, f,
              trial_uniform(t, -3.0, 3.0));
    break;
  case 3:
    trial_put(t, "sweep: {amplitude: %s, from: %.17g, to: %.17g, duration: %s, law: %s}", amplitude,
              0.6 * f, 1.7 * f, trial_number(20.0 * period, TRIAL_TIME), trial_word(t, 2, laws));
    break;
  case 4:
    trial_put(t, "multisine: {frequency: [%.17g, %.17g, %.17g], amplitude: %s, seed: %d}", 0.6 * f,
              f, 1.37 * f, amplitude, trial_pick(t, 1000));
    break;
  case 5:
    trial_put(t, "noise: {rms: %s, low: %.17g, high: %.17g, lines: %d, seed: %d}", amplitude,
              0.4 * f, 1.9 * f, 8 + trial_pick(t, 300), trial_pick(t, 1000));
    break;
  case 6:
    trial_put(t, "table: {");
    write_list(t, "time", 6, 0.0, 0.3 * period, TRIAL_TIME);
    write_values(t, 6, size, unit);
    trial_put(t, "}");
    break;
  case 7:
    trial_put(
        t, "step: {amplitude: %s, rise: %s, start: %s}", amplitude,
        trial_number(trial_chance(t, 0.3) ? 0.0 : period * trial_log(t, 0.1, 3.0), TRIAL_TIME),
        trial_number(trial_chance(t, 0.5) ? 0.0 : 0.7 * period, TRIAL_TIME));
    break;
  default:
    trial_put(t, "constant: {amplitude: %s, duration: %s}", amplitude,
              trial_number(period * trial_log(t, 0.5, 5.0), TRIAL_TIME));
  }
}

void trial_write_loads(trial *t) {
  t->n_load = 1 + trial_pick(t, 3);
  trial_put(t, "loads:\n");
  for (int i = 0; i < t->n_load; i++) {
    int kind = i ? trial_pick(t, 9) : trial_pick(t, 2), place = trial_pick(t, 8);
    double factor = t->extreme ? trial_log(t, 1e-6, 1e3) : trial_log(t, 0.01, 10.0);
    trial_put(t, "  l%d: {", i + 1);
    if (place == 0 && t->n_mode > t->first) {
      write_function(t, kind, factor * t->force / sqrt(t->mass), TRIAL_MODAL_FORCE);
      trial_put(t, ", mode: %d", t->first + 1 + trial_pick(t, t->n_mode - t->first));
    } else if (place == 1 && t->line) {
      write_function(t, kind, factor * t->force / t->mass, TRIAL_ACCELERATION);
      trial_put(t, ", base: true");
    } else {
      const char *at = trial_coordinate(t);
      write_function(t, kind, factor * t->force, TRIAL_FORCE);
      trial_put(t, ", at: %s", at);
      if (i == 0) snprintf(t->hit, sizeof t->hit, "%s", at);
    }
    trial_put(t, "}\n");
  }
  if (t->first == t->n_mode || trial_chance(t, 0.7)) return;
  t->drive = t->frequency[t->first] / (2.0 * pi) * trial_log(t, 0.8, 1.2);
  trial_put(t, "  drive: {sine: {amplitude: %s, frequency: %.17g}, at: %s}\n",
            trial_number(t->force * trial_log(t, 0.01, 1.0), TRIAL_FORCE), t->drive,
            trial_coordinate(t));
}
