/* Measured records: a study simulates them first, the trial's own study then reads the file. */
#include "trials/random_studies/trial.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Samples at rest before the hit. */
enum { BEFORE = 200 };

static void write_simulation(trial *t) {
  double period = 2.0 * pi / t->frequency[t->first];
  trial_put(t,
            "analyses:\n  - transient: {name: record, loads: [l1], time: {step: %s, steps: %d}, ",
            trial_number(period / 50.0, TRIAL_TIME), 1500 + trial_pick(t, 1500));
  trial_put(t, "record: {channels: [l1");
  for (int i = 0; i < t->n; i++) trial_put(t, ", %s.acceleration", t->name[i]);
  trial_put(t, "]}}\n");
}

/* One number of a channel with an offset and noise, both parts of its largest value. */
static double sample(trial *t, const double *x, ptrdiff_t k, double largest, double noise) {
  return (k < BEFORE ? 0.0 : x[k - BEFORE]) +
         largest * (noise + noise * ms_random_normal(&t->random));
}

static int write_record(trial *t, const ms_table *table) {
  char path[TRIAL_PATH + 32];
  double noise = trial_chance(t, 0.5) ? trial_log(t, 1e-5, 1e-2) : 0.0, largest[TRIAL_MAX_DOF + 1];
  ptrdiff_t rows = ms_table_get_rows(table);
  snprintf(path, sizeof path, "%s/record.csv", t->folder);
  FILE *out = fopen(path, "w");
  if (!out) return 0;
  fprintf(out, "time [s],force [N]");
  for (int i = 0; i < t->n; i++) fprintf(out, ",a%d [m/s^2]", i + 1);
  for (int c = 0; c <= t->n; c++) {
    const double *x = ms_table_get_column(table, ms_table_get_name(table, c + 1));
    largest[c] = 0.0;
    for (ptrdiff_t k = 0; k < rows; k++) largest[c] = fmax(largest[c], fabs(x[k]));
  }
  const double *time = ms_table_get_column(table, "time");
  for (ptrdiff_t k = 0; k < rows + BEFORE; k++) {
    fprintf(out, "\n%.17g", (double)k * (time[rows - 1] / (double)(rows - 1)));
    for (int c = 0; c <= t->n; c++) {
      const double *x = ms_table_get_column(table, ms_table_get_name(table, c + 1));
      fprintf(out, ",%.17g", sample(t, x, k, largest[c], noise));
    }
  }
  fprintf(out, "\n");
  return fclose(out) == 0;
}

int trial_make_record(trial *t) {
  size_t head = trial_mark(t);
  write_simulation(t);
  int ran = trial_render(t, &trial_si, "simulate.yaml") &&
            trial_run_checked(t, "simulate.yaml", "simulated", 1);
  trial_rewind(t, head);
  ms_table *table = ran ? trial_table(t, "simulated", "record") : NULL;
  t->measured = table && ms_table_get_rows(table) > 1 && write_record(t, table);
  ms_table_destroy(&table);
  return t->measured;
}

void trial_write_measured(trial *t) {
  static const char *const methods[] = { "hilbert", "hilbert", "stft", "crossings" };
  double f = t->frequency[t->first] / (2.0 * pi);
  int sensor = trial_pick(t, t->n);
  trial_put(t, "  - ringdown: {file: record.csv, mode: %d, at: %s, channel: a%d, method: %s",
            t->first + 1, t->name[sensor], sensor + 1, trial_word(t, 4, methods));
  if (trial_chance(t, 0.7)) trial_put(t, ", band: [%.17g, %.17g]", 0.6 * f, 1.4 * f);
  trial_put(t, "}\n");
  if (trial_chance(t, 0.6)) trial_write_hammer(t);
}
