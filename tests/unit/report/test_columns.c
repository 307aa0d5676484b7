/* Meanings of columns: every row of columns.def is complete and of its own, and the row of a table
   goes before that of its kind, and that before one for all. */
#include <microslip/study.h>
#include <stdio.h>
#include <string.h>

#include "report/result/result.h"
#include "support/check.h"

static const struct row {
  const char *where, *name, *meaning;
} rows[] = {
#define COLUMN(where, name, meaning) { where, name, meaning },
#include "report/result/columns.def"
#undef COLUMN
};

enum { N = sizeof rows / sizeof *rows, MOST_LETTERS = 80, MOST_WORDS = 14, LEAST_WORDS = 3 };

/* Of an analysis that exists, of all, or of all tables with an ending. */
static int is_place(const char *where) {
  ms_analysis_info kind;
  for (int i = 0; i < ms_study_count_kinds(); i++) {
    CHECK(ms_study_get_kind(i, &kind));
    const size_t n = strlen(kind.name);
    if (strncmp(where, kind.name, n) == 0 && (where[n] == '\0' || where[n] == '_')) return 1;
  }
  return where[0] == '\0' || (strncmp(where, "*_", 2) == 0 && where[2] != '\0');
}

static int count_words(const char *text) {
  int n = *text != '\0';
  for (; *text; text++) n += *text == ' ';
  return n;
}

static void test_rows(void) {
  char wrong[256] = "";
  for (int i = 0; i < N; i++) {
    const struct row *r = &rows[i];
    const int words = count_words(r->meaning);
    if (!is_place(r->where) || !r->name[0] || words < LEAST_WORDS || words > MOST_WORDS ||
        strlen(r->meaning) > MOST_LETTERS)
      snprintf(wrong, sizeof wrong, "%s %s: %s", r->where, r->name, r->meaning);
  }
  CHECK_TEXT(wrong, "");
}

/* Which means that none is there twice. */
static void test_order(void) {
  char wrong[256] = "";
  for (int i = 1; i < N; i++) {
    const int where = strcmp(rows[i - 1].where, rows[i].where);
    if (where < 0 || (where == 0 && strcmp(rows[i - 1].name, rows[i].name) < 0)) continue;
    snprintf(wrong, sizeof wrong, "%s %s", rows[i].where, rows[i].name);
  }
  CHECK_TEXT(wrong, "");
}

static void test_lookup(void) {
  CHECK_TEXT(ms_column_meaning("sweep", "", "mode"),
             "number of the mode, by rising frequency, from 1");
  CHECK_TEXT(ms_column_meaning("sweep", "_runs", "steps"),
             ms_column_meaning("shock", "_runs", "steps"));
  CHECK_TEXT(ms_column_meaning("modes", "_variants", "omega_0"),
             "circular frequency of the stuck mode");
  CHECK_TEXT(ms_column_meaning("modes", "_full", "omega_0"),
             "circular frequency of the reduced model, stuck");
  CHECK_TEXT(ms_column_meaning("identify_density", "_at_68.65", "deviation"),
             ms_column_meaning("identify_density", "_density", "deviation"));
  CHECK_TEXT(ms_column_meaning("identify_density", "", "deviation"),
             "standard deviation of the given energy");
  CHECK_TEXT(ms_column_meaning("frequency_response", "_joints", "loss"),
             "energy dissipated per cycle by the joint, with axis 1");
  CHECK_TEXT(ms_column_meaning("frequency_response", "_sensors", "loss"),
             "energy dissipated per cycle by all joints");
  CHECK_TEXT(ms_column_meaning("scatter", "_bands", "stiffness_05"),
             "5 % quantile over the samples or joints");
  CHECK_TEXT(ms_column_meaning("scatter", "_bands", "measured_stiffness_05"),
             "this quantity of a measurement, noise included");
  CHECK_TEXT(ms_column_meaning("frequency_response", "_levels", "peak_omega"),
             "circular frequency of the largest amplitude");
  CHECK_TEXT(ms_column_meaning("sweep", "", "no such column"), "");
}

int main(void) {
  TEST(test_rows);
  TEST(test_order);
  TEST(test_lookup);
  return test_finish();
}
