/* Two results of one study that must be the same. */
#include "trials/random_studies/trial.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a column's largest value: what is left of two paths of rounding. */
static const double unit_tolerance = 1e-9;
/* Fits multiply rounding by their condition, which is 1e3 where parameters can be traded. */
static const double fit_tolerance = 1e-6;

/* A difference is that of rounding if changed numbers make a tenth of it. */
static const double excess = 10.0;

static const double pi = 3.14159265358979323846;

static int compare_file(trial *t, const char *one, const char *other, const char *file) {
  char path[2][2 * TRIAL_PATH];
  size_t length[2];
  snprintf(path[0], sizeof path[0], "%s/%s/%s", t->folder, one, file);
  snprintf(path[1], sizeof path[1], "%s/%s/%s", t->folder, other, file);
  char *a = trial_read(path[0], &length[0]), *b = trial_read(path[1], &length[1]);
  int same = (!a && !b) || (a && b && length[0] == length[1] && !memcmp(a, b, length[0]));
  free(a);
  free(b);
  return same;
}

/* Calls for every table in one of the folders. */
static void each_table(trial *t, const char *out, void (*look)(trial *, const char *, void *),
                       void *user) {
  char path[2 * TRIAL_PATH], name[300];
  snprintf(path, sizeof path, "%s/%s/tables", t->folder, out);
  DIR *directory = opendir(path);
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    size_t n = strlen(entry->d_name);
    if (n < 5 || strcmp(entry->d_name + n - 4, ".csv") != 0) continue;
    snprintf(name, sizeof name, "%.*s", (int)(n - 4), entry->d_name);
    look(t, name, user);
  }
  if (directory) closedir(directory);
}

typedef struct pair {
  const char *what, *one, *other;
  int wanted; /* runs with nudged numbers are needed to judge a difference */
} pair;

static void look_bytes(trial *t, const char *name, void *user) {
  const pair *p = user;
  char file[320];
  snprintf(file, sizeof file, "tables/%s.csv", name);
  if (!compare_file(t, p->one, p->other, file))
    trial_judge(t, TRIAL_FAILED, "%s: %s differs", p->what, file);
}

void trial_compare_bytes(trial *t, const char *what, const char *one, const char *other) {
  static const char *const files[] = { "summary.json", "report.html", "results.h5" };
  pair p = { what, one, other, 0 };
  each_table(t, one, look_bytes, &p);
  each_table(t, other, look_bytes, &p);
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (!compare_file(t, one, other, files[i]))
      trial_judge(t, TRIAL_FAILED, "%s: %s differs", what, files[i]);
}

/* Columns that count work or are rounding errors themselves, of which no digit need be the same. */
static int is_rounding(const char *column) {
  static const char *const names[] = { "residual",    "balance",    "quality",
                                       "repeat",      "iterations", "rejected",
                                       "evaluations", "higher",     "tolerance" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strstr(column, names[i])) return 1;
  return 0;
}

static double largest_of(const double *x, ptrdiff_t n) {
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

/* What a column's values are to be compared with where they are small beside what they come from:
   damping ratios, relative differences, angles; losses beside the energy that goes in and out. */
static double least_of(const ms_table *table, const char *column) {
  static const struct {
    const char *column, *factor[2];
    double part;
  } sources[] = {
    { "loss", { "omega", "q" }, 1e-4 },
    { "loss", { "force", "displacement" }, 1e-4 },
    { "dissipated", { "input", NULL }, 1e-4 },
  };
  if (strstr(column, "phase") || strstr(column, "_median") || strstr(column, "_max")) return 1.0;
  if (!strncmp(column, "zeta", 4)) return 1e-4;
  if (!strcmp(column, "sum_of_squares")) return 1e-6;
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
    const double *x = ms_table_get_column(table, sources[i].factor[0]),
                 *y = sources[i].factor[1] ? ms_table_get_column(table, sources[i].factor[1]) : x;
    if (strcmp(column, sources[i].column) != 0 || !x || !y) continue;
    double product = largest_of(x, ms_table_get_rows(table));
    if (x != y) product *= largest_of(y, ms_table_get_rows(table));
    return sources[i].part * (strcmp(sources[i].factor[0], "omega") ? product : product * product);
  }
  return 0.0;
}

/* A difference in a table of an analysis that is not complete is flagged. */
static trial_verdict difference_verdict(trial *t, const char *out, const char *table) {
  char name[300];
  snprintf(name, sizeof name, "%s", table);
  for (char *end = name; end; *end = '\0') {
    const char *status = trial_status(t, out, name);
    if (status[0]) return strcmp(status, "complete") ? TRIAL_FLAGGED : TRIAL_FAILED;
    end = strrchr(name, '_');
    if (!end) break;
  }
  return TRIAL_FAILED;
}

static double worst_of(const char *name, const double *a, const double *b, ptrdiff_t n,
                       ptrdiff_t *row) {
  double worst = 0.0, turn = largest_of(a, n) > 7.0 ? 360.0 : 2.0 * pi; /* that of frf, degrees */
  for (ptrdiff_t i = 0; i < n; i++) {
    double difference = fabs(a[i] - b[i]);
    if (strstr(name, "phase")) difference = fabs(remainder(difference, turn));
    if (difference <= worst) continue;
    worst = difference;
    *row = i;
  }
  return worst;
}

/* The largest change of a column, over its largest value, from one table to another. */
static double change_of(const ms_table *a, const ms_table *b) {
  ptrdiff_t row = 0, n = ms_table_get_rows(a);
  double change = 0.0;
  if (ms_table_get_rows(b) != n) return 1.0;
  for (ptrdiff_t c = 0; c < ms_table_get_columns(a); c++) {
    const char *name = ms_table_get_name(a, c);
    const double *x = ms_table_get_column(a, name), *y = ms_table_get_column(b, name);
    double size = fmax(least_of(a, name), x ? largest_of(x, n) : 0.0);
    if (x && y && size > 0.0 && !is_rounding(name))
      change = fmax(change, worst_of(name, x, y, n, &row) / size);
  }
  return change;
}

/* What rounding changes in a table: the most that one of the nudged runs did. 1 if it has other
   rows there. */
static double rounding_of(trial *t, const char *table, const ms_table *a) {
  char out[32];
  double change = 0.0;
  for (int k = 1; k <= t->nudged; k++) {
    snprintf(out, sizeof out, "nudged%d", k);
    ms_table *b = trial_table(t, out, table);
    if (b) change = fmax(change, change_of(a, b));
    ms_table_destroy(&b);
  }
  return change;
}

static void compare_column(trial *t, pair *p, const char *table, const char *name,
                           const ms_table *a, const ms_table *b) {
  const double *x = ms_table_get_column(a, name), *y = ms_table_get_column(b, name);
  if (!x || !y || is_rounding(name)) return;
  ptrdiff_t row = 0, n = ms_table_get_rows(a);
  double largest = fmax(least_of(a, name), fmax(largest_of(x, n), largest_of(y, n))),
         worst = worst_of(name, x, y, n, &row);
  if (worst <= unit_tolerance * largest) return;
  trial_verdict verdict = difference_verdict(t, p->one, table);
  int fit = !strncmp(table, "fit_modal", 9) || !strncmp(table, "calibrate", 9);
  if (fit && worst < fit_tolerance * largest) verdict = TRIAL_EXPLAINED;
  if (verdict == TRIAL_FAILED && !t->nudged) {
    p->wanted = 1;
    return;
  }
  if (verdict == TRIAL_FAILED && worst < excess * largest * rounding_of(t, table, a))
    verdict = TRIAL_EXPLAINED;
  trial_judge(t, verdict,
              "units: %s, column %s differs by %.2g of its largest: row %td, %.10g, %.10g", table,
              name, worst / largest, row + 1, x[row], y[row]);
}

/* Tables of which one has other rows or is missing. */
static void judge_shape(trial *t, pair *p, const char *name, const ms_table *a, const ms_table *b) {
  trial_verdict verdict = difference_verdict(t, p->one, name);
  ptrdiff_t rows = a ? ms_table_get_rows(a) : 0;
  if (verdict == TRIAL_FAILED && !t->nudged) {
    p->wanted = 1;
    return;
  }
  if (verdict == TRIAL_FAILED && a && rounding_of(t, name, a) >= 1.0) verdict = TRIAL_EXPLAINED;
  trial_judge(t, verdict, "units: table %s has %td rows or %td", name, rows,
              b ? ms_table_get_rows(b) : 0);
}

static void look_units(trial *t, const char *name, void *user) {
  pair *p = user;
  if (!strncmp(name, "update", 6) || strstr(name, "_variants")) return; /* in units of the file */
  ms_table *a = trial_table(t, p->one, name), *b = trial_table(t, p->other, name);
  if (!a && !b) { /* a heading alone */
    look_bytes(t, name, user);
  } else if (!a || !b || ms_table_get_rows(a) != ms_table_get_rows(b) ||
             ms_table_get_columns(a) != ms_table_get_columns(b)) {
    judge_shape(t, p, name, a, b);
  } else {
    for (ptrdiff_t c = 0; c < ms_table_get_columns(a); c++)
      compare_column(t, p, name, ms_table_get_name(a, c), a, b);
  }
  ms_table_destroy(&a);
  ms_table_destroy(&b);
}

int trial_compare_units(trial *t, const char *one, const char *other) {
  pair p = { "units", one, other, 0 };
  each_table(t, one, look_units, &p);
  return p.wanted;
}
