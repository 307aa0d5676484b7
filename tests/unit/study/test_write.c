/* What a run leaves in its folder: the files, how analyses ended, units and meanings of columns;
   nothing of an earlier run; and after a failure nothing that looks like results. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <microslip/io.h>
#include <microslip/study.h>

#include "support/check.h"
#include "support/files.h"

#define STRUCTURE                                                                            \
  "microslip: 1\ntitle: Written\n"                                                           \
  "structure: {chain: {masses: {u: 1.31}, springs: [[ground, u, 211.3]]}, damping: {modal: " \
  "0.0117}}\n"                                                                               \
  "joints: {lap: {law: jenkins, between: [ground, u], F_S: 3.7, K_T: 61.9}}\n"
#define CURVE                                                                                 \
  "  - backbone: {name: curve, modes: [1], methods: [qsma], amplitudes: {from: 1e-3, to: 1, " \
  "points: 7}}\n"
static const char two[] = STRUCTURE "analyses:\n  - modes\n" CURVE;
static const char one[] = STRUCTURE "analyses:\n  - modes\n";
/* A spring that softens until it pushes: the run in time ends early. */
static const char broken[] =
    "microslip: 1\ntitle: Broken\n"
    "structure: {chain: {masses: {u: 0.37}, springs: [[ground, u, 11.3]]}, damping: {modal: "
    "0.01}}\n"
    "joints: {soft: {law: cubic, between: [ground, u], K: 31.7, K3: -2.0e4}}\n"
    "loads: {push: {half_sine: {amplitude: 9.7, duration: 0.731, start: 0.031}, at: u}}\n"
    "analyses:\n  - modes\n  - transient: {time: {step: 0.001, steps: 900}}\n";

static ms_status run_in(ms_context *ctx, const char *text, const char *folder, ms_study **out) {
  ms_study_setting setting = { .folder = test_path(folder), .threads = 1, .resume = 1 };
  *out = NULL;
  test_put(test_path("study.yaml"), text);
  ms_status status = ms_study_open(ctx, test_path("study.yaml"), 0, NULL, out);
  return status == MS_SUCCESS ? ms_study_run(*out, &setting) : status;
}

static void run_ok(const char *text, const char *folder) {
  ms_study *study;
  CHECK_OK(run_in(test_context(), text, folder, &study));
  ms_study_close(&study);
}

static int is_there(const char *name) {
  return access(test_path(name), F_OK) == 0;
}

static int count_files(const char *folder) {
  int n = 0;
  DIR *dir = opendir(test_path(folder));
  for (const struct dirent *entry; dir && (entry = readdir(dir));)
    n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  if (dir) closedir(dir);
  return n;
}

static void check_file_has(const char *name, const char *part) {
  size_t n;
  char *text = test_get(test_path(name), &n);
  CHECK_HAS(text ? text : "no file", part);
  free(text);
}

/* ---- a whole run ---- */

static void test_files(void) {
  run_ok(two, "out");
  CHECK_EQUAL(count_files("out"), 5); /* summary, report, columns, results and tables: no more */
  CHECK_EQUAL(count_files("out/tables"), 5);
  check_file_has("out/summary.json", "\"title\": \"Written\"");
  check_file_has("out/summary.json",
                 "\"name\": \"curve\",\n      \"kind\": \"backbone\",\n      "
                 "\"status\": \"complete\"");
  check_file_has("out/report.html", "Written");
  ms_table *table = NULL;
  if (!CHECK_OK(ms_table_read(test_context(), test_path("out/tables/modes.csv"), &table))) return;
  CHECK_EQUAL(ms_table_get_rows(table), 1);
  CHECK_CLOSE(ms_table_get_column(table, "omega_0")[0], sqrt((211.3 + 61.9) / 1.31), 1e-14);
  CHECK_CLOSE(ms_table_get_column(table, "omega_inf")[0], sqrt(211.3 / 1.31), 1e-14);
  ms_table_destroy(&table);
}

/* The row of a table's column in columns.csv; -1 if there is none, or two. */
static ptrdiff_t find_column(const ms_table *columns, const char *name, const char *column) {
  ptrdiff_t found = -1, n = 0;
  for (ptrdiff_t i = 0; i < ms_table_get_rows(columns); i++) {
    if (strcmp(ms_table_get_word(columns, "table", i), name) != 0) continue;
    if (strcmp(ms_table_get_word(columns, "column", i), column) != 0) continue;
    found = i;
    n++;
  }
  return n == 1 ? found : -1;
}

/* Rows that are no columns are values of the summary, which has them; with a meaning, too. */
static ptrdiff_t count_values(const ms_table *columns) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < ms_table_get_rows(columns); i++) {
    char name[64];
    if (!strstr(ms_table_get_word(columns, "table", i), " in summary.json")) continue;
    snprintf(name, sizeof name, "\"%s\": ", ms_table_get_word(columns, "column", i));
    check_file_has("out/summary.json", name);
    CHECK(strlen(ms_table_get_word(columns, "meaning", i)) > 9);
    n++;
  }
  return n;
}

/* Every column of every table: the unit of its heading, and a meaning. */

static void test_columns(void) {
  static const char *const names[] = { "modes", "modes_shapes", "curve", "curve_curves",
                                       "curve_differences" };
  ms_table *columns = NULL;
  ptrdiff_t n = 0;
  run_ok(two, "out");
  if (!CHECK_OK(ms_table_read_words(test_context(), test_path("out/columns.csv"), &columns)))
    return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64], line[1024] = "";
    snprintf(path, sizeof path, "out/tables/%s.csv", names[i]);
    FILE *in = fopen(test_path(path), "r");
    if (!CHECK(in && fgets(line, sizeof line, in))) continue;
    fclose(in);
    line[strcspn(line, "\n")] = '\0';
    for (char *cell = strtok(line, ","); cell; cell = strtok(NULL, ",")) {
      char *unit = strstr(cell, " [");
      if (unit) *unit = '\0', unit += 2, unit[strcspn(unit, "]")] = '\0';
      const ptrdiff_t row = find_column(columns, names[i], cell);
      if (!CHECK(row >= 0)) fprintf(stderr, "# %s: %s\n", names[i], cell);
      n++;
      if (row < 0) continue;
      CHECK_TEXT(ms_table_get_word(columns, "unit", row), unit ? unit : "");
      CHECK(strlen(ms_table_get_word(columns, "meaning", row)) > 9);
    }
  }
  const ptrdiff_t values = count_values(columns);
  CHECK(values > 0);
  CHECK_EQUAL(ms_table_get_rows(columns), n + values); /* and no row of anything else */
  ms_table_destroy(&columns);
}

/* ---- results.h5 ---- */

static const char metres[] =
    "microslip: 1\ntitle: Two\n"
    "structure: {chain: {masses: {u1: 1.31, u2: 0.77}, springs: [[ground, u1, 211.3], "
    "[u1, u2, 87.1]]}, damping: {modal: 0.0117}}\n"
    "joints: {lap: {law: jenkins, between: [ground, u1], F_S: 3.7, K_T: 61.9}}\n"
    "analyses: [modes]\n";
static const char millimetres[] =
    "microslip: 1\ntitle: Two\nunits: {length: mm, mass: tonne, force: N}\n"
    "structure: {chain: {masses: {u1: 1.31e-3, u2: 0.77e-3}, springs: [[ground, u1, 0.2113], "
    "[u1, u2, 0.0871]]}, damping: {modal: 0.0117}}\n"
    "joints: {lap: {law: jenkins, between: [ground, u1], F_S: 3.7, K_T: 0.0619}}\n"
    "analyses: [modes]\n";

static void check_attribute(ms_results *file, const char *path, const char *name,
                            const char *want) {
  char *text = NULL;
  ms_status status = ms_results_get_text(file, path, name, &text);
  if (!CHECK_STATUS(status, want ? MS_SUCCESS : MS_ERR_NAME)) fprintf(stderr, "# %s\n", path);
  if (want && text) CHECK_TEXT(text, want);
  ms_free(test_context(), &text);
}

static void check_word(ms_results *file, const char *path, ptrdiff_t i, const char *want) {
  char **text = NULL;
  ptrdiff_t n = 0;
  CHECK_OK(ms_results_read_texts(file, path, &n, &text));
  CHECK_TEXT(i < n ? text[i] : "nothing", want);
  ms_free(test_context(), &text);
}

/* Numbers of a dataset, `n` of them, whose unit is as given. */
static void get_numbers(ms_results *file, const char *path, const char *unit, ptrdiff_t n,
                        double *out) {
  ptrdiff_t n_row = 0, n_col = 0;
  double *values = NULL;
  check_attribute(file, path, "unit", unit);
  CHECK_OK(ms_results_read_matrix(file, path, &n_row, &n_col, &values));
  if (CHECK_EQUAL(n_row * n_col, n)) memcpy(out, values, (size_t)n * sizeof *out);
  ms_free(test_context(), &values);
}

/* x^T A y of 2 x 2 */
static double form(const double *x, const double *A, const double *y) {
  return x[0] * (A[0] * y[0] + A[2] * y[1]) + x[1] * (A[1] * y[0] + A[3] * y[1]);
}

/* Modes of K with k11 = `first`, from sum and product of the eigenvalues; shapes make M the unit
   matrix. */
static void check_modes(ms_results *file, const char *name, double first, const double *M,
                        double omega[2], double shape[4]) {
  const double sum = first / 1.31 + 87.1 / 0.77;
  const double product = (first * 87.1 - 87.1 * 87.1) / (1.31 * 0.77);
  char path[64];
  snprintf(path, sizeof path, "structure/%s/omega", name);
  get_numbers(file, path, "rad/s", 2, omega);
  snprintf(path, sizeof path, "structure/%s/shape", name);
  get_numbers(file, path, "1/sqrt(kg)", 4, shape);
  CHECK(omega[0] < omega[1]);
  CHECK_CLOSE(omega[0] * omega[0] + omega[1] * omega[1], sum, 1e-12);
  CHECK_CLOSE(omega[0] * omega[1], sqrt(product), 1e-12);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(form(shape + 2 * (i / 2), M, shape + 2 * (i % 2)), i == 0 || i == 3, 1e-12);
  }
}

static void check_results(const char *study, const char *folder, const char *units) {
  const double M[] = { 1.31, 0.0, 0.0, 0.77 }, K[] = { 211.3 + 87.1, -87.1, -87.1, 87.1 };
  double mass[4], stiffness[4], damping[4], omega[2], shape[4], zeta[2];
  char path[64], words[160];
  ms_results *file = NULL;
  ptrdiff_t n = 0;
  run_ok(study, folder);
  snprintf(path, sizeof path, "%s/summary.json", folder);
  snprintf(words, sizeof words, "\"units\": \"SI\",\n  \"study_units\": \"%s\",\n", units);
  check_file_has(path, words);
  snprintf(path, sizeof path, "%s/results.h5", folder);
  if (!CHECK_OK(ms_results_open(test_context(), test_path(path), &file))) return;
  check_attribute(file, "", "title", "Two");
  check_attribute(file, "", "microslip", ms_version());
  check_attribute(file, "", "units", "SI");
  check_attribute(file, "", "status", "complete");
  check_attribute(file, "study/text", "units", units);
  check_word(file, "study/text", 0, study);
  check_word(file, "structure/coordinates", 1, "u2");
  check_word(file, "structure/joints/name", 0, "lap");
  check_word(file, "structure/joints/law", 0, "jenkins");
  CHECK_OK(ms_results_get_count(file, "structure", &n));
  CHECK_EQUAL(n, 7); /* all that is looked at here */
  get_numbers(file, "structure/mass", "kg", 4, mass);
  get_numbers(file, "structure/stiffness", "N/m", 4, stiffness);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(mass[i], M[i], 1e-15);
    CHECK_NEAR(stiffness[i], K[i], 1e-12);
  }
  check_modes(file, "slipped", K[0], M, omega, shape);
  check_modes(file, "stuck", K[0] + 61.9, M, omega, shape);
  get_numbers(file, "structure/damping", "N s/m", 4, damping);
  get_numbers(file, "structure/stuck/zeta", NULL, 2, zeta);
  for (int r = 0; r < 2; r++) {
    CHECK_CLOSE(form(shape + 2 * r, damping, shape + 2 * r), 2.0 * 0.0117 * omega[r], 1e-12);
    CHECK_NEAR(zeta[r], 0.0117, 0.0);
  }
  ms_results_close(&file);
}

/* In SI whatever the units of the study, with the unit beside every number. */
static void test_structure(void) {
  check_results(metres, "m", "SI");
  check_results(millimetres, "mm",
                "length 0.001 m, mass 1000 kg, force 1 N, time 1 s, acceleration 0.001 m/s^2");
}

/* ---- an earlier run ---- */

static void test_replaced(void) {
  ms_study *study;
  run_ok(two, "again");
  test_put(test_path("again/tables/mine.csv"), "t,x\n0,1.7\n");
  CHECK_OK(run_in(test_context(), one, "again", &study));
  CHECK(ms_study_has_replaced(study));
  ms_study_close(&study);
  CHECK(is_there("again/tables/modes.csv"));
  CHECK(!is_there("again/tables/curve.csv"));
  CHECK(!is_there("again/tables/curve_curves.csv"));
  CHECK(is_there("again/tables/mine.csv")); /* which no run has written */
  CHECK_EQUAL(count_files("again/tables"), 3);
}

static void check_same(const char *name) {
  char path[2][64];
  size_t n[2];
  char *text[2];
  for (int i = 0; i < 2; i++) {
    snprintf(path[i], sizeof path[i], "%s/%s", i ? "twice" : "once", name);
    text[i] = test_get(test_path(path[i]), &n[i]);
  }
  CHECK(text[0] && text[1] && n[0] == n[1] && memcmp(text[0], text[1], n[0]) == 0);
  free(text[0]);
  free(text[1]);
}

/* A study that is run again, each time into a folder of its own. */
static void test_twice(void) {
  static const char *const files[] = { "summary.json",     "report.html",           "results.h5",
                                       "tables/curve.csv", "tables/curve_runs.csv", "columns.csv" };
  ms_study *study;
  CHECK_OK(run_in(test_context(),
                  STRUCTURE "analyses:\n  - sweep: {name: curve, base: true, mode: 1, levels: "
                            "[0.13, 0.31], from: 1.5, to: 3.5, duration: 61, step: 0.021}\n",
                  "once", &study));
  CHECK_OK(ms_study_run(study, &(ms_study_setting) { .folder = test_path("twice"), .threads = 1 }));
  ms_study_close(&study);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) check_same(files[i]);
}

/* What the study reads stays, though an earlier run has written it. */
static void test_read_stays(void) {
  run_ok(two, "kept");
  run_ok(STRUCTURE
         "analyses:\n  - calibrate: {parameters: {lap.K_T: [20, 200]}, starts: 1,\n"
         "      targets: [{mode: 1, from: kept/tables/curve.csv, columns: {q: q, omega: omega, "
         "zeta: zeta}}]}\n",
         "kept");
  CHECK(is_there("kept/tables/curve.csv"));
  CHECK(is_there("kept/tables/calibrate.csv"));
  CHECK(!is_there("kept/tables/modes.csv"));
}

/* ---- failures ---- */

static void test_partial(void) {
  ms_study *study;
  CHECK(run_in(test_context(), broken, "part", &study) != MS_SUCCESS);
  CHECK(ms_study_is_partial(study));
  CHECK_EQUAL(ms_study_get_outcome(study, 0), MS_OUTCOME_COMPLETE);
  CHECK_EQUAL(ms_study_get_outcome(study, 1), MS_OUTCOME_PARTIAL);
  ms_study_close(&study);
  CHECK(is_there("part/tables/modes.csv"));
  CHECK(is_there("part/tables/transient.partial.csv")); /* and not under the name of a whole one */
  CHECK(!is_there("part/tables/transient.csv"));
  check_file_has("part/summary.json", "\"status\": \"partial\"");
}

/* A folder below a file, a file in place of tables/, a folder in place of the summary: a message
   with the path, and nothing that looks like the results of a run. */
static void test_not_writable(void) {
  static const struct {
    const char *folder, *words;
    ms_status status;
  } rows[] = { { "file/out", "file", MS_ERR_FILE }, /* before anything is computed */
               { "taken", "tables: is a file; results need a folder", MS_ERR_DISK },
               { "summary", "summary.json: cannot be written", MS_ERR_DISK } };
  test_put(test_path("file"), "what was there\n");
  CHECK(mkdir(test_path("taken"), 0777) == 0);
  test_put(test_path("taken/tables"), "what was there\n");
  CHECK(mkdir(test_path("summary"), 0777) == 0 &&
        mkdir(test_path("summary/summary.json"), 0777) == 0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ms_study *study;
    char path[64];
    CHECK_STATUS(run_in(test_context(), one, rows[i].folder, &study), rows[i].status);
    CHECK_HAS(ms_context_message(test_context()), rows[i].words);
    CHECK(!ms_study_is_partial(study));
    CHECK_EQUAL(ms_study_is_resumable(study), rows[i].status == MS_ERR_DISK);
    ms_study_close(&study);
    snprintf(path, sizeof path, "%s/summary.json", rows[i].folder);
    struct stat info;
    CHECK(stat(test_path(path), &info) != 0 || S_ISDIR(info.st_mode));
  }
  check_file_has("file", "what was there\n");
  check_file_has("taken/tables", "what was there\n");
  CHECK(!is_there("taken/report.html") && !is_there("taken/columns.csv"));
}

/* Memory that fails at every seventh request in turn, which is enough for each file and quick: a
   summary is there only beside all that it stands for. The next run goes on with what the failure
   left. */
static ms_status run_failing(long fail_at) {
  test_memory memory = { .fail_at = fail_at };
  ms_allocator allocator = test_allocator(&memory);
  ms_context *ctx = NULL;
  ms_study *study = NULL;
  ms_status status = ms_context_create(&allocator, &ctx);
  if (status == MS_SUCCESS) status = run_in(ctx, one, "memory", &study);
  ms_study_close(&study);
  ms_context_destroy(&ctx);
  CHECK_EQUAL(memory.live, 0);
  return status;
}

static void test_memory_fails(void) {
  ms_status status;
  long at = 0;
  for (; (status = run_failing(at)) == MS_ERR_MEMORY; at += 7) {
    CHECK(!is_there("memory/summary.json") ||
          (is_there("memory/results.h5") && is_there("memory/report.html") &&
           is_there("memory/columns.csv") && count_files("memory/tables") == 2));
  }
  CHECK_STATUS(status, MS_SUCCESS);
  CHECK(at > 100);
  run_ok(one, "memory");
  CHECK_EQUAL(count_files("memory"), 5); /* nothing of the failures is left */
}

int main(void) {
  test_folder_open();
  TEST(test_files);
  TEST(test_columns);
  TEST(test_structure);
  TEST(test_replaced);
  TEST(test_twice);
  TEST(test_read_stays);
  TEST(test_partial);
  TEST(test_not_writable);
  TEST(test_memory_fails);
  test_folder_close();
  return test_finish();
}
