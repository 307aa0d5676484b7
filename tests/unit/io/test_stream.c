/* Streams: rows come back as they went in, whatever happened to the process or the file. */
#include <microslip/io.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/check.h"
#include "support/files.h"

enum { n_column = 3, row_size = 8 * n_column + 8 };
static const char *const names[n_column] = { "t [s]", "u [m]", "force, left [N]" };

/* Row i, of no special values. */
static void make_row(ptrdiff_t i, double row[n_column]) {
  row[0] = 0.0123 * (double)i;
  row[1] = sin(0.37 * (double)i);
  row[2] = -4711.0 + 0.1 * (double)(i % 17);
}

static ms_status append_rows(ms_stream *s, ptrdiff_t first, ptrdiff_t n) {
  for (ptrdiff_t i = first; i < first + n; i++) {
    double row[n_column];
    make_row(i, row);
    MS_TRY(ms_stream_append(s, row, 1));
  }
  return MS_SUCCESS;
}

static void write_stream(const char *path, ptrdiff_t n) {
  ms_stream *s;
  if (!CHECK_OK(ms_stream_create(test_context(), path, n_column, names, &s))) return;
  CHECK_OK(append_rows(s, 0, n));
  CHECK_EQUAL(ms_stream_get_rows(s), n);
  CHECK_OK(ms_stream_close(&s));
  CHECK(s == NULL);
}

/* The stream holds the first n rows and nothing else. */
static void check_rows(ms_stream *s, ptrdiff_t n) {
  if (!CHECK_EQUAL(ms_stream_get_rows(s), n) || n == 0) return;
  double *rows = malloc((size_t)n * n_column * sizeof *rows), want[n_column];
  CHECK_OK(ms_stream_read_rows(s, 0, n, rows));
  int same = 1;
  for (ptrdiff_t i = 0; i < n; i++) {
    make_row(i, want);
    same &= memcmp(want, rows + n_column * i, sizeof want) == 0;
  }
  CHECK(same);
  free(rows);
}

static void check_stream(const char *path, ptrdiff_t n) {
  ms_stream *s;
  if (!CHECK_OK(ms_stream_open(test_context(), path, &s))) return;
  check_rows(s, n);
  CHECK_OK(ms_stream_close(&s));
}

static void test_round_trip(void) {
  const char *path = test_path("rows.bin");
  ms_stream *s;
  write_stream(path, 20011); /* more than the buffer */
  check_stream(path, 20011);
  if (!CHECK_OK(ms_stream_open(test_context(), path, &s))) return;
  CHECK_EQUAL(ms_stream_get_columns(s), n_column);
  CHECK_TEXT(ms_stream_get_name(s, 0), names[0]);
  CHECK_TEXT(ms_stream_get_name(s, 2), names[2]);
  CHECK(ms_stream_get_name(s, 3) == NULL && ms_stream_get_name(s, -1) == NULL);
  double u[12000], want[n_column];
  CHECK_OK(ms_stream_read_column(s, 1, 8000, 12000, u));
  for (ptrdiff_t i = 0; i < 12000; i += 1499) {
    make_row(8000 + i, want);
    CHECK_NEAR(u[i], want[1], 0.0);
  }
  CHECK_OK(ms_stream_read_rows(s, 20011, 0, u));
  CHECK_OK(ms_stream_close(&s));
}

/* A file that somebody cuts while it is read: the disk's fault, not the input's. */
static void test_cut_while_read(void) {
  const char *path = test_path("rows.bin");
  ms_stream *s;
  double u[12000];
  write_stream(path, 20011);
  if (!CHECK_OK(ms_stream_open(test_context(), path, &s))) return;
  CHECK_EQUAL(truncate(path, 4000), 0);
  CHECK_STATUS(ms_stream_read_column(s, 1, 8000, 12000, u), MS_ERR_DISK);
  CHECK_HAS(ms_context_message(test_context()), "became shorter while it was read");
  CHECK_OK(ms_stream_close(&s));
}

static void test_empty_and_replaced(void) {
  const char *path = test_path("rows.bin");
  write_stream(path, 5);
  write_stream(path, 0);
  check_stream(path, 0);
}

/* Rows longer than the buffer. */
static void test_wide(void) {
  enum { n = 40000, name_size = 8 };
  const char *path = test_path("wide.bin");
  char *text = malloc(n * name_size);
  const char **name = malloc(n * sizeof *name);
  double *row = malloc((n + 9) * sizeof *row), *last = malloc(n * sizeof *last);
  for (int j = 0; j < n; j++) {
    snprintf(text + name_size * j, name_size, "c%d", j);
    name[j] = text + name_size * j;
  }
  for (int j = 0; j < n + 9; j++) row[j] = sqrt(j + 0.5);
  ms_stream *s;
  if (CHECK_OK(ms_stream_create(test_context(), path, n, name, &s))) {
    for (int i = 0; i < 9; i++) CHECK_OK(ms_stream_append(s, row + i, 1));
    CHECK_OK(ms_stream_close(&s));
    CHECK_OK(ms_stream_open(test_context(), path, &s));
    CHECK_EQUAL(ms_stream_get_rows(s), 9);
    CHECK_OK(ms_stream_read_rows(s, 8, 1, last));
    CHECK(memcmp(last, row + 8, n * sizeof *last) == 0);
    CHECK_TEXT(ms_stream_get_name(s, n - 1), "c39999");
    ms_stream_discard(&s);
  }
  free(last);
  free(row);
  free((void *)name);
  free(text);
}

/* ---- cut and damaged files ---- */

/* Cut at any byte, the file has its complete rows or is refused as a file without any. */
static void test_cut_anywhere(void) {
  const char *path = test_path("cut.bin");
  enum { n = 6 };
  write_stream(path, n);
  size_t size;
  char *bytes = test_get(path, &size);
  size_t header = size - n * row_size;
  for (size_t cut = 0; cut <= size; cut++) {
    ms_stream *s = (ms_stream *)&s;
    test_put_bytes(path, bytes, cut);
    ms_status status = ms_stream_open(test_context(), path, &s);
    if (cut < header) {
      CHECK_STATUS(status, MS_ERR_FORMAT);
      CHECK_HAS(ms_context_message(test_context()), "cut.bin: ends within its header");
      CHECK(s == NULL);
    } else if (CHECK_OK(status)) {
      check_rows(s, (ptrdiff_t)((cut - header) / row_size));
    }
    ms_stream_discard(&s);
  }
  free(bytes);
}

/* Any byte changed, the rows before it are there and the one with it is not. */
static void test_damaged_anywhere(void) {
  const char *path = test_path("damaged.bin");
  enum { n = 6 };
  write_stream(path, n);
  size_t size;
  char *bytes = test_get(path, &size);
  size_t header = size - n * row_size;
  for (size_t at = 0; at < size; at++) {
    ms_stream *s;
    bytes[at] ^= 0x10;
    test_put_bytes(path, bytes, size);
    bytes[at] ^= 0x10;
    ms_status status = ms_stream_open(test_context(), path, &s);
    CHECK_STATUS(status, at < header ? MS_ERR_FORMAT : MS_SUCCESS);
    if (status == MS_SUCCESS) check_rows(s, (ptrdiff_t)((at - header) / row_size));
    ms_stream_discard(&s);
  }
  free(bytes);
}

/* Rows of zeros, as some file systems leave after a power cut, are no rows. */
static void test_zeros_behind(void) {
  const char *path = test_path("zeros.bin");
  write_stream(path, 4);
  static const char zeros[3 * row_size];
  FILE *out = fopen(path, "ab");
  if (!CHECK(out != NULL)) return;
  fwrite(zeros, 1, sizeof zeros, out);
  fclose(out);
  check_stream(path, 4);
}

/* ---- going on ---- */

static void test_reopen(void) {
  const char *path = test_path("again.bin"), *whole = test_path("whole.bin");
  ms_stream *s;
  size_t n, n_whole;
  write_stream(whole, 60);
  write_stream(path, 50);
  if (!CHECK_OK(ms_stream_reopen(test_context(), path, 37, &s))) return;
  CHECK_EQUAL(ms_stream_get_rows(s), 37);
  CHECK_TEXT(ms_stream_get_name(s, 1), names[1]);
  CHECK_OK(append_rows(s, 37, 23));
  CHECK_OK(ms_stream_close(&s));
  char *a = test_get(path, &n), *b = test_get(whole, &n_whole);
  CHECK(n == n_whole && memcmp(a, b, n) == 0);
  free(a);
  free(b);
  if (!CHECK_OK(ms_stream_reopen(test_context(), path, 0, &s))) return;
  CHECK_OK(ms_stream_close(&s));
  check_stream(path, 0);
}

static void test_reopen_refuses(void) {
  const char *path = test_path("short.bin");
  ms_stream *s = (ms_stream *)&s;
  size_t size, again;
  write_stream(path, 9);
  CHECK_STATUS(ms_stream_reopen(test_context(), path, 10, &s), MS_ERR_FORMAT);
  CHECK(s == NULL);
  CHECK_HAS(ms_context_message(test_context()),
            "short.bin: has 9 valid rows but the checkpoint has 10");
  CHECK_STATUS(ms_stream_reopen(test_context(), path, -1, &s), MS_ERR_ARGUMENT);
  char *bytes = test_get(path, &size);
  bytes[size - 3 * row_size] ^= 1; /* the seventh row */
  test_put_bytes(path, bytes, size);
  free(bytes);
  CHECK_STATUS(ms_stream_reopen(test_context(), path, 8, &s), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "has 6 valid rows");
  free(test_get(path, &again)); /* a refusal changes nothing */
  CHECK_EQUAL(again, size);
  if (!CHECK_OK(ms_stream_reopen(test_context(), path, 6, &s))) return;
  CHECK_OK(ms_stream_close(&s));
  check_stream(path, 6);
}

/* ---- killed ---- */

#define STEPS  4000
#define CHECKS 97 /* rows between two checkpoints */

/* A run that remembers: its state is a sum over all rows, so that a resumed run which lost or
   repeated a row shows it in every row after. */
static ms_status run(ms_context *ctx, ms_stream *s, const char *checkpoint, double state,
                     ptrdiff_t from, int slow) {
  for (ptrdiff_t i = from; i < STEPS; i++) {
    state = 0.9 * state + sin(0.1 * (double)i);
    double row[n_column] = { (double)i, state, state * state };
    MS_TRY(ms_stream_append(s, row, 1));
    if ((i + 1) % CHECKS != 0) continue;
    MS_TRY(ms_stream_flush(s));
    double counter = (double)(i + 1);
    ms_block blocks[] = { { "rows", 1, &counter }, { "state", 1, &state } };
    MS_TRY(ms_checkpoint_write(ctx, checkpoint, blocks, 2));
    if (slow) nanosleep(&(struct timespec) { .tv_nsec = 2000000 }, NULL);
  }
  return MS_SUCCESS;
}

static ms_status start(ms_context *ctx, const char *path, const char *checkpoint, int slow) {
  ms_stream *s;
  MS_TRY(ms_stream_create(ctx, path, n_column, names, &s));
  ms_status status = run(ctx, s, checkpoint, 0.25, 0, slow);
  return status == MS_SUCCESS ? ms_stream_close(&s) : status;
}

static ms_status resume(ms_context *ctx, const char *path, const char *checkpoint, int slow) {
  ms_checkpoint *c;
  ms_block rows, state;
  ms_stream *s;
  MS_TRY(ms_checkpoint_read(ctx, checkpoint, &c));
  MS_TRY(ms_checkpoint_find(c, "rows", &rows));
  MS_TRY(ms_checkpoint_find(c, "state", &state));
  ptrdiff_t from = (ptrdiff_t)rows.values[0];
  double value = state.values[0];
  ms_checkpoint_destroy(&c);
  MS_TRY(ms_stream_reopen(ctx, path, from, &s));
  ms_status status = run(ctx, s, checkpoint, value, from, slow);
  return status == MS_SUCCESS ? ms_stream_close(&s) : status;
}

/* Starts or resumes in a child and kills it with no warning; 1 if it was killed, 0 if it was done
   before. */
static int run_and_kill(const char *path, const char *checkpoint, int first, long microseconds) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    ms_status status = first ? start(test_context(), path, checkpoint, 1)
                             : resume(test_context(), path, checkpoint, 1);
    _exit(status != MS_SUCCESS);
  }
  while (access(checkpoint, F_OK) != 0 && waitpid(child, NULL, WNOHANG) == 0)
    nanosleep(&(struct timespec) { .tv_nsec = 100000 }, NULL);
  nanosleep(&(struct timespec) { .tv_nsec = 1000 * microseconds }, NULL);
  kill(child, SIGKILL);
  int how = 0;
  waitpid(child, &how, 0);
  CHECK(!WIFEXITED(how) || WEXITSTATUS(how) == 0);
  return WIFSIGNALED(how);
}

/* Killed again and again and resumed each time, the file is that of a run nobody touched. */
static void test_killed(void) {
  const char *path = test_path("killed.bin"), *check = test_path("killed.ckp");
  const char *whole = test_path("whole.bin"), *other = test_path("whole.ckp");
  int killed = run_and_kill(path, check, 1, 7000);
  for (int i = 0; i < 4; i++) killed += run_and_kill(path, check, 0, 5000 + 4330 * i);
  CHECK(killed >= 2);
  CHECK_OK(resume(test_context(), path, check, 0));
  CHECK_OK(start(test_context(), whole, other, 0));
  size_t n, n_whole;
  char *a = test_get(path, &n), *b = test_get(whole, &n_whole);
  CHECK_EQUAL(n, n_whole);
  CHECK(n == n_whole && memcmp(a, b, n) == 0);
  free(a);
  free(b);
}

/* ---- failures ---- */

static void test_refuses_files(void) {
  ms_stream *s;
  const char *path = test_path("bad.bin");
  CHECK_STATUS(ms_stream_open(test_context(), test_path("none.bin"), &s), MS_ERR_FILE);
  CHECK_HAS(ms_context_message(test_context()), "none.bin: cannot be opened: No such file");
  CHECK_STATUS(ms_stream_reopen(test_context(), test_path("none.bin"), 0, &s), MS_ERR_FILE);
  test_put(path, "t,u\n1,2\n");
  CHECK_STATUS(ms_stream_open(test_context(), path, &s), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "bad.bin: is not a stream of rows");
  CHECK_STATUS(ms_stream_create(test_context(), test_path("no/such.bin"), 3, names, &s),
               MS_ERR_FILE);
  write_stream(path, 1);
  size_t size;
  char *bytes = test_get(path, &size), swapped[4] = { 1, 2, 3, 4 };
  bytes[8] = 2;
  test_put_bytes(path, bytes, size);
  CHECK_STATUS(ms_stream_open(test_context(), path, &s), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "is of version 2; this program reads version 1");
  memcpy(bytes + 12, swapped, 4);
  test_put_bytes(path, bytes, size);
  CHECK_STATUS(ms_stream_open(test_context(), path, &s), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "another byte order");
  free(bytes);
}

static void test_refuses_arguments(void) {
  static const char *const twice[] = { "t", "u", "t" }, *const empty[] = { "t", "", "v" };
  static const char *const missing[] = { "t", NULL, "v" };
  ms_context *ctx = test_context();
  const char *path = test_path("args.bin");
  ms_stream *s = (ms_stream *)&s;
  CHECK_STATUS(ms_stream_create(ctx, path, 3, twice, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "two columns are named 't'");
  CHECK(s == NULL && access(path, F_OK) != 0);
  CHECK_STATUS(ms_stream_create(ctx, path, 3, empty, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "column 2 has no name");
  CHECK_STATUS(ms_stream_create(ctx, path, 3, missing, &s), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_stream_create(ctx, path, 0, names, &s), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_stream_create(ctx, path, 1 << 20, names, &s), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_stream_create(ctx, path, 3, NULL, &s), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_stream_create(ctx, NULL, 3, names, &s), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_stream_open(ctx, path, NULL), MS_ERR_ARGUMENT);
  ms_stream_discard(&s);
  ms_stream_discard(NULL);
  CHECK_OK(ms_stream_close(&s));
  CHECK_OK(ms_stream_close(NULL));
}

static void test_refuses_use(void) {
  ms_context *ctx = test_context();
  const char *path = test_path("use.bin");
  double rows[2 * n_column] = { 1.5, 2.5, 3.5, 4.5, NAN, 6.5 };
  ms_stream *s;
  if (!CHECK_OK(ms_stream_create(ctx, path, n_column, names, &s))) return;
  CHECK_STATUS(ms_stream_append(s, rows, 2), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(ctx), "use.bin: column u [m], row 2 is nan");
  CHECK_EQUAL(ms_stream_get_rows(s), 0);
  rows[4] = 5.5;
  CHECK_OK(ms_stream_append(s, rows, 2));
  CHECK_OK(ms_stream_append(s, NULL, 0));
  CHECK_STATUS(ms_stream_append(s, NULL, 1), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_stream_append(s, rows, -1), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_stream_read_rows(s, 0, 1, rows), MS_ERR_STATE);
  CHECK_OK(ms_stream_close(&s));
  if (!CHECK_OK(ms_stream_open(ctx, path, &s))) return;
  CHECK_STATUS(ms_stream_append(s, rows, 1), MS_ERR_STATE);
  CHECK_STATUS(ms_stream_flush(s), MS_ERR_STATE);
  CHECK_STATUS(ms_stream_read_rows(s, 1, 2, rows), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "there are no rows 2 to 3; there are 2");
  CHECK_STATUS(ms_stream_read_rows(s, -1, 1, rows), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_stream_read_column(s, 3, 0, 1, rows), MS_ERR_ARGUMENT);
  CHECK_OK(ms_stream_close(&s));
}

/* A disk that is full for a while loses nothing. */
static void test_full_disk(void) {
  const char *path = test_path("full.bin");
  struct rlimit old, small;
  ms_stream *s;
  getrlimit(RLIMIT_FSIZE, &old);
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  if (!CHECK_OK(ms_stream_create(test_context(), path, n_column, names, &s))) return;
  CHECK_OK(append_rows(s, 0, 100));
  small = old;
  small.rlim_cur = 500;
  setrlimit(RLIMIT_FSIZE, &small);
  ms_status status = ms_stream_flush(s);
  setrlimit(RLIMIT_FSIZE, &old);
  CHECK_STATUS(status, MS_ERR_DISK);
  CHECK_HAS(ms_context_message(test_context()), "full.bin: cannot be written: ");
  CHECK_OK(append_rows(s, 100, 20));
  CHECK_OK(ms_stream_close(&s));
  signal(SIGXFSZ, handler);
  check_stream(path, 120);
}

static ms_status use_stream(ms_context *ctx, void *user) {
  double row[n_column] = { 1.5, 2.5, 3.5 };
  ms_stream *s;
  MS_TRY(ms_stream_create(ctx, user, n_column, names, &s));
  ms_status status = ms_stream_append(s, row, 1);
  if (status == MS_SUCCESS) status = ms_stream_close(&s);
  ms_stream_discard(&s);
  if (status == MS_SUCCESS) status = ms_stream_reopen(ctx, user, 1, &s);
  ms_stream_discard(&s);
  if (status == MS_SUCCESS) status = ms_stream_open(ctx, user, &s);
  ms_stream_discard(&s);
  return status;
}

static void test_memory_failures(void) {
  char path[512];
  snprintf(path, sizeof path, "%s", test_path("memory.bin"));
  CHECK(test_allocations(use_stream, path) >= 12);
}

int main(void) {
  test_folder_open();
  TEST(test_round_trip);
  TEST(test_cut_while_read);
  TEST(test_empty_and_replaced);
  TEST(test_wide);
  TEST(test_cut_anywhere);
  TEST(test_damaged_anywhere);
  TEST(test_zeros_behind);
  TEST(test_reopen);
  TEST(test_reopen_refuses);
  TEST(test_killed);
  TEST(test_refuses_files);
  TEST(test_refuses_arguments);
  TEST(test_refuses_use);
  TEST(test_full_disk);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
