/* What must hold for the results of any study. */
#include "trials/random_studies/trial.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Energy that is missing, as a part of the largest that went in: beyond it a run is no answer. */
static const double balance_limit = 0.01;

static void path_of(const trial *t, const char *out, const char *file, char *path, size_t size) {
  snprintf(path, size, "%s/%s/%s", t->folder, out, file);
}

/* ---- summary.json, as it is printed: the study's own keys two spaces in, an analysis' six ---- */

static const char *value_of(const char *text, const char *end, const char *key, char *value,
                            size_t size) {
  const char *p = text ? strstr(text, key) : NULL;
  value[0] = '\0';
  if (!p || (end && p > end)) return value;
  p += strlen(key);
  size_t n = strcspn(p, "\",\n");
  snprintf(value, size, "%.*s", (int)n, p);
  return value;
}

const char *trial_status(trial *t, const char *out, const char *name) {
  static char value[40];
  char path[2 * TRIAL_PATH], key[80];
  size_t length = 0;
  path_of(t, out, "summary.json", path, sizeof path);
  char *text = trial_read(path, &length);
  const char *from = text;
  if (name && text) {
    snprintf(key, sizeof key, "\n      \"name\": \"%s\",", name);
    from = strstr(text, key);
  }
  value_of(from, NULL, name ? "\n      \"status\": \"" : "\n  \"status\": \"", value, sizeof value);
  free(text);
  return value;
}

ms_table *trial_table(trial *t, const char *out, const char *name) {
  char path[2 * TRIAL_PATH], file[300];
  ms_table *table = NULL;
  snprintf(file, sizeof file, "tables/%s.csv", name);
  path_of(t, out, file, path, sizeof path);
  if (ms_table_read_words(t->ctx, path, &table) != MS_SUCCESS) ms_context_clear_message(t->ctx);
  return table;
}

/* ---- non-finite numbers ---- */

/* Within a line, between quotation marks: what a message says. */
static int is_quoted(const char *text, const char *p) {
  int marks = 0;
  while (p > text && p[-1] != '\n') marks += *--p == '"';
  return marks % 2;
}

/* A cell of a table, a number of a summary or a coordinate of a figure that is nan or inf. */
static const char *find_non_finite(const char *text) {
  static const char *const words[] = { "nan", "NaN", "inf", "Infinity", "null" };
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
    size_t n = strlen(words[k]);
    for (const char *p = strstr(text, words[k]); p; p = strstr(p + 1, words[k])) {
      const char *before = p > text && p[-1] == '-' ? p - 2 : p - 1;
      if ((before < text || strchr(" ,[\n=", *before)) &&
          (p[n] == '\0' || strchr(",]\n\r}", p[n])) && !is_quoted(text, p))
        return p;
    }
  }
  return NULL;
}

static void check_finite(trial *t, const char *out, const char *file) {
  char path[2 * TRIAL_PATH];
  size_t length = 0;
  path_of(t, out, file, path, sizeof path);
  char *text = trial_read(path, &length);
  const char *bad = text ? find_non_finite(text) : NULL;
  if (bad) {
    const char *line = bad;
    while (line > text && line[-1] != '\n') line--;
    trial_judge(t, TRIAL_FAILED, "%s/%s has a number that is not finite: %.100s", out, file, line);
  }
  free(text);
}

/* ---- energies ---- */

static void check_energy_table(trial *t, const char *out, const char *file) {
  char name[200];
  snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - 4), file);
  ms_table *table = trial_table(t, out, name);
  if (!table) return;
  ptrdiff_t rows = ms_table_get_rows(table);
  const double *column[7], *balance = ms_table_get_column(table, "balance");
  static const char *const names[7] = { "input",  "kinetic",    "elastic", "viscous",
                                        "stored", "dissipated", "start" };
  double largest = 0.0, worst = 0.0;
  for (int c = 0; c < 7; c++) column[c] = ms_table_get_column(table, names[c]);
  for (ptrdiff_t i = 0; i < rows && balance; i++) {
    for (int c = 0; c < 7; c++)
      if (column[c]) largest = fmax(largest, fabs(column[c][i]));
    worst = fmax(worst, fabs(balance[i]));
  }
  ms_table_destroy(&table);
  name[strlen(name) - strlen("_energy")] = '\0';
  if (worst <= balance_limit * largest) return;
  int silent = !strcmp(trial_status(t, out, name), "complete");
  trial_judge(t, silent ? TRIAL_FAILED : TRIAL_FLAGGED,
              "%s: %s: energy balance %.2g of the largest", out, name, worst / largest);
}

static void check_worst_balance(trial *t, const char *out) {
  char path[2 * TRIAL_PATH], value[40], status[40], name[80];
  size_t length = 0;
  path_of(t, out, "summary.json", path, sizeof path);
  char *text = trial_read(path, &length);
  const char *next, *from = text ? strstr(text, "\n      \"name\": \"") : NULL;
  for (; from; from = next) {
    next = strstr(from + 1, "\n      \"name\": \"");
    value_of(from, next, "\"worst_energy_balance\": ", value, sizeof value);
    value_of(from, next, "\n      \"status\": \"", status, sizeof status);
    value_of(from, next, "\n      \"name\": \"", name, sizeof name);
    if (value[0] && strtod(value, NULL) > balance_limit)
      trial_judge(t, strcmp(status, "complete") ? TRIAL_FLAGGED : TRIAL_FAILED,
                  "%s: %s: energy balance %s of the input", out, name, value);
  }
  free(text);
}

/* ---- exit code and status ---- */

static void check_code(trial *t, const char *out, const trial_run *run) {
  const char *status = trial_status(t, out, NULL);
  int good = !strcmp(status, "complete") || !strcmp(status, "suspect");
  if (run->code == 2) {
    if (status[0]) trial_judge(t, TRIAL_FAILED, "%s: exit 2, but there is a summary", out);
    trial_judge(t, run->text[0] ? TRIAL_REFUSED : TRIAL_FAILED, "%s: exit 2: %s", out, run->text);
  } else if (!status[0]) {
    trial_judge(t, TRIAL_FAILED, "%s: exit %d without a summary: %s", out, run->code, run->text);
  } else if ((run->code == 0) != good) {
    trial_judge(t, TRIAL_FAILED, "%s: exit %d, status %s", out, run->code, status);
  } else if (strcmp(status, "complete") != 0) {
    trial_judge(t, TRIAL_FLAGGED, "%s: %s: %.200s", out, status, run->text);
  }
}

void trial_check_results(trial *t, const char *out, const trial_run *run) {
  char path[2 * TRIAL_PATH];
  check_code(t, out, run);
  if (run->code > 1) return;
  check_finite(t, out, "summary.json");
  check_worst_balance(t, out);
  path_of(t, out, "tables", path, sizeof path);
  DIR *directory = opendir(path);
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    char file[300];
    size_t n = strlen(entry->d_name);
    if (n < 5 || strcmp(entry->d_name + n - 4, ".csv") != 0) continue;
    snprintf(file, sizeof file, "tables/%s", entry->d_name);
    check_finite(t, out, file);
    if (n > 11 && !strcmp(entry->d_name + n - 11, "_energy.csv"))
      check_energy_table(t, out, entry->d_name);
  }
  if (directory) closedir(directory);
}
