/* A long run goes on with the rows and the state that it has kept, or begins: never with half of
   them, whatever became of its files. And a transient that is stopped again and again ends with the
   tables of one that was not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microslip/io.h>

#include "study/run/checkpoint.h"
#include "support/check.h"
#include "support/files.h"

enum { N_ROW = 1137, N_STATE = 5 }; /* more rows than go to the disk at once */

static const char study_text[] =
    "microslip: 1\n"
    "structure:\n"
    "  chain:\n"
    "    masses: {a: 2.385, b: 1.17}\n"
    "    springs: [[ground, a, 913.7], [a, b, 417.3]]\n"
    "analyses: [modes]\n";

static char folder[512];
static const char *const file_name[] = { "run-long.state", "run-long.0", "run-long.1" };

static const char *file_path(int i) {
  char name[64];
  snprintf(name, sizeof name, ".resume/%s", file_name[i]);
  return test_path(name);
}

typedef struct start {
  ms_study *study;
  ms_result *result;
  ms_result_table *table[2];
  ms_checkpointed_run *checkpoint;
} start;

static ms_status open_start(ms_context *ctx, start *s) {
  *s = (start) { .study = NULL };
  MS_TRY(ms_study_open(ctx, test_path("study.yaml"), 0, NULL, &s->study));
  s->study->folder = folder;
  s->study->checkpoint = 1e-9;
  MS_TRY(ms_resume_open(s->study, 1, &s->study->resume));
  MS_TRY(ms_result_create(ctx, "", "", &s->result));
  MS_TRY(ms_result_add_table(s->result, "x", "t [s],u [m],v [m/s]", &s->table[0]));
  MS_TRY(ms_result_add_table(s->result, "y", "t [s],E [J]", &s->table[1]));
  return ms_checkpointed_run_open(s->study, "long", 2, s->table, &s->checkpoint);
}

static void close_start(start *s) {
  if (!s->study) return;
  ms_checkpointed_run_close(&s->checkpoint);
  ms_result_destroy(&s->result);
  ms_resume_folder_close(&s->study->resume, 0);
  ms_study_close(&s->study);
}

static double value(int table, int column, ptrdiff_t row) {
  return 0.137 * (double)row - 2.385 * column + 0.01 / ((double)row + 3.1 + table);
}

/* Rows up to `end` of the first table, half as many of the second. */
static ms_status add_rows(start *s, ptrdiff_t end) {
  for (int k = 0; k < 2; k++) {
    for (ptrdiff_t i = ms_result_table_rows(s->table[k]); i < (k == 0 ? end : end / 2); i++) {
      double row[3];
      for (int c = 0; c < 3; c++) row[c] = value(k, c, i);
      MS_TRY(ms_result_table_add_numbers(s->study->ctx, s->table[k], row));
    }
  }
  return MS_SUCCESS;
}

static ms_status keep(start *s) {
  double state[N_STATE], n = (double)ms_result_table_rows(s->table[0]);
  for (int i = 0; i < N_STATE; i++) state[i] = n - 0.61 * i;
  ms_block block[] = { { "state", N_STATE, state } };
  return ms_checkpointed_run_keep(s->checkpoint, block, 1);
}

/* All rows up to the checkpoint, and its state; or none of it. */
static void check_start(const start *s, ptrdiff_t rows) {
  ms_block block = { .name = NULL };
  CHECK_EQUAL(ms_checkpointed_run_goes_on(s->checkpoint), rows > 0);
  CHECK_EQUAL(ms_checkpointed_run_is_kept(s->checkpoint), rows > 0);
  int wrong = 0;
  for (int k = 0; k < 2; k++) {
    CHECK_EQUAL(ms_result_table_rows(s->table[k]), k == 0 ? rows : rows / 2);
    for (int c = 0; c < ms_result_table_columns(s->table[k]); c++) {
      const double *x = ms_result_table_column(s->table[k], c);
      for (ptrdiff_t i = 0; i < ms_result_table_rows(s->table[k]); i++)
        wrong += x[i] != value(k, c, i);
    }
  }
  CHECK_EQUAL(wrong, 0);
  if (rows == 0 || !CHECK_OK(ms_checkpointed_run_find(s->checkpoint, "state", &block))) return;
  CHECK_EQUAL(block.n, N_STATE);
  CHECK(block.values[0] == (double)rows);
  CHECK_STATUS(ms_checkpointed_run_find(s->checkpoint, "stat", &block), MS_ERR_NAME);
}

static void begin(void) {
  unlink(test_path(".resume/jobs")); /* the next start sweeps the rest */
  test_put(test_path("study.yaml"), study_text);
}

static void leave_checkpoint(void) {
  start s;
  CHECK_OK(open_start(test_context(), &s));
  check_start(&s, 0);
  CHECK_OK(add_rows(&s, N_ROW));
  CHECK_OK(keep(&s));
  close_start(&s);
}

/* ---- rows and state ---- */

static void test_goes_on(void) {
  begin();
  leave_checkpoint();
  for (ptrdiff_t end = N_ROW; end < 3 * N_ROW; end += 411) {
    start s;
    CHECK_OK(open_start(test_context(), &s));
    check_start(&s, end);
    CHECK_OK(add_rows(&s, end + 203)); /* two checkpoints, and rows that none counts */
    CHECK_OK(keep(&s));
    CHECK_OK(add_rows(&s, end + 411));
    CHECK_OK(keep(&s));
    CHECK_OK(add_rows(&s, end + 500));
    close_start(&s);
  }
}

static void test_given_up(void) {
  start s;
  begin();
  leave_checkpoint();
  begin(); /* the list of jobs is gone: nothing was begun */
  CHECK_OK(open_start(test_context(), &s));
  check_start(&s, 0);
  CHECK(access(file_path(0), F_OK) != 0);
  CHECK_OK(add_rows(&s, 7));
  CHECK_OK(keep(&s));
  CHECK_OK(ms_resume_folder_close(&s.study->resume, 1));
  CHECK(access(test_path(".resume"), F_OK) != 0);
  close_start(&s);
}

/* A checkpoint of another study, put there by hand. */
static void test_other_study(void) {
  size_t size;
  start s;
  begin();
  leave_checkpoint();
  char *bytes = test_get(file_path(0), &size);
  begin();
  char text[sizeof study_text + 32];
  snprintf(text, sizeof text, "%stitle: Another\n", study_text);
  test_put(test_path("study.yaml"), text);
  leave_checkpoint();
  test_put_bytes(file_path(0), bytes, size);
  CHECK_OK(open_start(test_context(), &s));
  check_start(&s, 0);
  close_start(&s);
  free(bytes);
}

static void check_damaged(const char *what, size_t at) {
  start s;
  if (!CHECK_OK(open_start(test_context(), &s))) printf("# %s at %zu\n", what, at);
  if (s.checkpoint) check_start(&s, ms_checkpointed_run_goes_on(s.checkpoint) ? N_ROW : 0);
  close_start(&s);
}

/* Each file cut, or one of its bits changed: the run goes on as it was or begins. */
static void test_damaged_anywhere(void) {
  begin();
  leave_checkpoint();
  char *bytes[3];
  size_t size[3];
  for (int i = 0; i < 3; i++) bytes[i] = test_get(file_path(i), &size[i]);
  for (int i = 0; i < 3; i++) {
    for (size_t at = 0; at < size[i]; at += size[i] / 37 + 1) {
      for (int k = 0; k < 3; k++) test_put_bytes(file_path(k), bytes[k], size[k]);
      test_put_bytes(file_path(i), bytes[i], at);
      check_damaged("cut", at);
      for (int k = 0; k < 3; k++) test_put_bytes(file_path(k), bytes[k], size[k]);
      bytes[i][at] ^= 0x10;
      test_put_bytes(file_path(i), bytes[i], size[i]);
      check_damaged("changed", at);
      bytes[i][at] ^= 0x10;
    }
  }
  for (int i = 0; i < 3; i++) test_put_bytes(file_path(i), bytes[i], size[i]);
  unlink(file_path(2));
  check_damaged("removed", 0);
  for (int i = 0; i < 3; i++) free(bytes[i]);
}

static ms_status work_with_little_memory(ms_context *ctx, void *user) {
  (void)user;
  start s;
  ms_status status = open_start(ctx, &s);
  if (status == MS_SUCCESS) status = add_rows(&s, N_ROW + 3);
  if (status == MS_SUCCESS) status = keep(&s);
  close_start(&s);
  return status;
}

static void test_memory_runs_out(void) {
  begin();
  leave_checkpoint();
  CHECK(test_allocations(work_with_little_memory, NULL) > 5);
}

/* ---- a transient, stopped whenever it shows its progress ---- */

static const char transient_text[] =
    "microslip: 1\n"
    "structure:\n"
    "  chain:\n"
    "    masses: {u1: 10, u2: 11.3, u3: 9.7}\n"
    "    springs: [[ground, u1, 9], [u1, u2, 8.3], [u2, u3, 9]]\n"
    "  damping: {modal: 1e-4}\n"
    "joints:\n"
    "  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}\n"
    "  foot: {law: coulomb_viscous, between: [ground, u1], F_c: 0.3, v_s: 0.01, C: 0.02}\n"
    "loads:\n"
    "  shake: {sine: {amplitude: 1.73, frequency: 0.0213}, at: u2}\n"
    "analyses:\n"
    "  - transient:\n"
    "      time: {step: 0.05, steps: 30000}\n"
    "      preload: {u3: 2.3}\n"
    "      record: {every: 11}\n";

typedef struct watch {
  double first, last; /* fractions: first seen above 0, and where it was stopped */
  int stop;
} watch;

/* Stops it at every fifth, however fast the machine. */
static int see(void *user, const char *what, double fraction) {
  watch *w = user;
  if (strcmp(what, "transient") != 0 || fraction == 0.0 || fraction == 1.0) return 0;
  if (w->first == 0.0) w->first = fraction;
  if (!w->stop || fraction < w->last + 0.2) return 0;
  w->last = fraction;
  return 1;
}

static ms_status run_once(const char *where, watch *w, int resume) {
  ms_study_setting setting = { .folder = where, .resume = resume, .checkpoint = 1e-3 };
  ms_study *study;
  MS_TRY(ms_study_open(test_context(), test_path("study.yaml"), 0, NULL, &study));
  ms_context_set_progress(test_context(), see, w);
  ms_status status = ms_study_run(study, &setting);
  ms_context_set_progress(test_context(), NULL, NULL);
  CHECK_EQUAL(ms_study_is_resumable(study), status == MS_CANCELLED);
  ms_study_close(&study);
  return status;
}

static void check_same_file(const char *name) {
  char a[96], b[96];
  size_t n, m;
  snprintf(a, sizeof a, "whole/%s", name);
  snprintf(b, sizeof b, "parts/%s", name);
  char *x = test_get(test_path(a), &n), *y = test_get(test_path(b), &m);
  CHECK(n > 0 && n == m && memcmp(x, y, n) == 0);
  free(x), free(y);
}

static void test_stopped_again_and_again(void) {
  watch whole = { .stop = 0 }, w = { .stop = 1 };
  test_put(test_path("study.yaml"), transient_text);
  char path[512];
  snprintf(path, sizeof path, "%s", test_path("whole"));
  CHECK_OK(run_once(path, &whole, 0));
  snprintf(path, sizeof path, "%s", test_path("parts"));
  ms_status status = run_once(path, &w, 0);
  int starts = 1;
  for (double stopped; status == MS_CANCELLED && starts < 10; starts++) {
    stopped = w.last;
    w.first = 0.0;
    status = run_once(path, &w, 1);
    CHECK(w.first == stopped); /* progress counts from where it was */
  }
  CHECK_OK(status);
  CHECK(starts > 1);
  printf("# %d starts\n", starts);
  check_same_file("tables/transient.csv");
  check_same_file("tables/transient_energy.csv");
  check_same_file("results.h5");
  check_same_file("summary.json");
  check_same_file("report.html");
}

int main(void) {
  test_folder_open();
  snprintf(folder, sizeof folder, "%s", test_path("."));
  TEST(test_goes_on);
  TEST(test_given_up);
  TEST(test_other_study);
  TEST(test_damaged_anywhere);
  TEST(test_memory_runs_out);
  TEST(test_stopped_again_and_again);
  test_folder_close();
  return test_finish();
}
