/* Results in HDF5: what goes in comes out, the same calls give the same bytes, failures are quiet
   and leave nothing behind. */
#include <microslip/io.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/results.h"
#include "support/check.h"
#include "support/files.h"

enum { n_long = 100003, n_short = 5003 }; /* of several chunks, of one */
static ptrdiff_t history = n_long;

static const double omega[] = { 0.42447, 1.21568, 1.74412 };
static const double shape[] = { 0.1, 0.2, 0.3, 1.1, 1.2, 1.3 }; /* 3 x 2 */
static const int64_t counts[] = { 3, -17, INT64_C(9007199254740993) };
static const char *const labels[] = { "u1", "force, left \xC2\xB5N", "" };

static ms_status next_column(void *user, ptrdiff_t j, double *values) {
  ptrdiff_t n = *(ptrdiff_t *)user;
  for (ptrdiff_t i = 0; i < n; i++) values[i] = sin(0.001 * (double)i * (double)(j + 1));
  return MS_SUCCESS;
}

/* One of everything. */
static ms_status write_all(ms_context *ctx, const char *path) {
  ms_results *r;
  ptrdiff_t n = history;
  MS_TRY(ms_results_create(ctx, path, &r));
  ms_status status = ms_results_write_vector(r, "analyses/modes/omega", 3, omega);
  if (!status) status = ms_results_set_text(r, "analyses/modes/omega", "unit", "rad/s");
  if (!status) status = ms_results_set_number(r, "analyses/modes", "dt", 0.02);
  if (!status) status = ms_results_write_matrix(r, "analyses/modes/shape", 3, 2, shape);
  if (!status) status = ms_results_write_integers(r, "counts", 3, counts);
  if (!status) status = ms_results_write_texts(r, "analyses/labels", 3, labels);
  if (!status) status = ms_results_write_columns(r, "histories", n, 3, next_column, &n);
  if (!status) status = ms_results_write_vector(r, "none", 0, NULL);
  if (!status) status = ms_results_write_texts(r, "analyses/ascii", 1, labels);
  if (!status) status = ms_results_set_text(r, "", "study", "three masses");
  if (!status) return ms_results_commit(&r);
  ms_results_close(&r);
  return status;
}

/* ---- there and back ---- */

static void check_matrix(ms_results *r, const char *path, ptrdiff_t n_row, ptrdiff_t n_col,
                         const double *want) {
  ptrdiff_t rows, cols;
  double *a;
  if (!CHECK_OK(ms_results_read_matrix(r, path, &rows, &cols, &a))) return;
  CHECK_EQUAL(rows, n_row);
  CHECK_EQUAL(cols, n_col);
  CHECK(memcmp(a, want, (size_t)(n_row * n_col) * sizeof *a) == 0);
  ms_free(test_context(), &a);
}

static void check_text(ms_results *r, const char *path, const char *name, const char *want) {
  char *text;
  if (!CHECK_OK(ms_results_get_text(r, path, name, &text))) return;
  CHECK_TEXT(text, want);
  ms_free(test_context(), &text);
}

static void check_histories(ms_results *r) {
  ptrdiff_t rows, cols, n = n_long;
  double *a, *column = malloc(n_long * sizeof *column);
  if (CHECK_OK(ms_results_read_matrix(r, "histories", &rows, &cols, &a))) {
    CHECK_EQUAL(rows, n_long);
    CHECK_EQUAL(cols, 3);
    for (ptrdiff_t j = 0; j < 3; j++) {
      next_column(&n, j, column);
      CHECK(memcmp(a + n_long * j, column, n_long * sizeof *a) == 0);
    }
    ms_free(test_context(), &a);
  }
  free(column);
}

static void check_lists(ms_results *r) {
  ptrdiff_t n;
  int64_t *values;
  char **texts;
  double dt, *a;
  if (CHECK_OK(ms_results_read_integers(r, "counts", &n, &values))) {
    CHECK_EQUAL(n, 3);
    CHECK(memcmp(values, counts, sizeof counts) == 0);
    ms_free(test_context(), &values);
  }
  if (CHECK_OK(ms_results_read_texts(r, "analyses/labels", &n, &texts))) {
    CHECK_EQUAL(n, 3);
    for (int i = 0; i < 3; i++) CHECK_TEXT(texts[i], labels[i]);
    ms_free(test_context(), &texts);
  }
  CHECK_OK(ms_results_get_number(r, "analyses/modes", "dt", &dt));
  CHECK_NEAR(dt, 0.02, 0.0);
  ptrdiff_t rows, cols;
  CHECK_OK(ms_results_read_matrix(r, "counts", &rows, &cols, &a));
  CHECK_NEAR(a[1], -17.0, 0.0);
  ms_free(test_context(), &a);
}

static void test_round_trip(void) {
  const char *path = test_path("all.h5");
  ms_results *r;
  if (!CHECK_OK(write_all(test_context(), path))) return;
  if (!CHECK_OK(ms_results_open(test_context(), path, &r))) return;
  check_matrix(r, "analyses/modes/omega", 3, 1, omega);
  check_matrix(r, "analyses/modes/shape", 3, 2, shape);
  check_matrix(r, "none", 0, 1, omega);
  check_histories(r);
  check_lists(r);
  check_text(r, "analyses/modes/omega", "unit", "rad/s");
  check_text(r, "", "study", "three masses");
  check_text(r, "", "format", "microslip results 1");
  ms_results_close(&r);
  CHECK(r == NULL);
}

static void check_kind(ms_results *r, const char *path, ms_results_kind want) {
  ms_results_kind kind;
  CHECK_OK(ms_results_get_kind(r, path, &kind));
  CHECK_EQUAL(kind, want);
}

static void test_listing(void) {
  static const char *const top[] = { "analyses", "counts", "histories", "none" };
  const char *path = test_path("list.h5");
  ms_results *r;
  ptrdiff_t n;
  char *name;
  CHECK_OK(write_all(test_context(), path));
  if (!CHECK_OK(ms_results_open(test_context(), path, &r))) return;
  CHECK_OK(ms_results_get_count(r, "", &n));
  CHECK_EQUAL(n, 4);
  for (ptrdiff_t i = 0; i < n && i < 4; i++) {
    CHECK_OK(ms_results_get_name(r, "", i, &name));
    CHECK_TEXT(name, top[i]);
    ms_free(test_context(), &name);
  }
  CHECK_OK(ms_results_get_count(r, "analyses/modes", &n));
  CHECK_EQUAL(n, 2);
  CHECK_STATUS(ms_results_get_name(r, "analyses", 3, &name), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_get_count(r, "counts", &n), MS_ERR_NAME);
  CHECK_STATUS(ms_results_get_count(r, "no/such", &n), MS_ERR_NAME);
  check_kind(r, "", MS_RESULTS_GROUP);
  check_kind(r, "analyses/modes", MS_RESULTS_GROUP);
  check_kind(r, "analyses/modes/omega", MS_RESULTS_NUMBERS);
  check_kind(r, "counts", MS_RESULTS_INTEGERS);
  check_kind(r, "analyses/labels", MS_RESULTS_TEXTS);
  check_kind(r, "analyses/none/at/all", MS_RESULTS_NOTHING);
  check_kind(r, "counts/below", MS_RESULTS_NOTHING);
  ms_results_close(&r);
}

/* The same calls at another time give the same bytes. */
static void test_deterministic(void) {
  const char *a = test_path("a.h5"), *b = test_path("b.h5");
  CHECK_OK(write_all(test_context(), a));
  nanosleep(&(struct timespec) { .tv_sec = 1, .tv_nsec = 100000000 }, NULL);
  CHECK_OK(write_all(test_context(), b));
  size_t n_a, n_b;
  char *x = test_get(a, &n_a), *y = test_get(b, &n_b);
  CHECK_EQUAL(n_a, n_b);
  CHECK(n_a == n_b && memcmp(x, y, n_a) == 0);
  free(x);
  free(y);
}

/* A smooth history takes much less room than its 8 bytes a value. */
static void test_compressed(void) {
  const char *path = test_path("large.h5");
  struct stat info;
  double *flat = malloc(n_long * sizeof *flat), *again;
  ptrdiff_t n_row, n_col;
  ms_results *r;
  for (int i = 0; i < n_long; i++) flat[i] = 2.385;
  if (!CHECK_OK(ms_results_create(test_context(), path, &r))) return;
  CHECK_OK(ms_results_write_vector(r, "flat", n_long, flat));
  CHECK_OK(ms_results_write_matrix(r, "tall", n_long / 7, 7, flat));
  CHECK_OK(ms_results_write_matrix(r, "wide", 7, n_long / 7, flat));
  CHECK_OK(ms_results_commit(&r));
  CHECK_EQUAL(stat(path, &info), 0);
  CHECK_BELOW((double)info.st_size, 3.0 * n_long * 8.0 / 20.0);
  CHECK_OK(ms_results_open(test_context(), path, &r));
  CHECK_OK(ms_results_read_matrix(r, "wide", &n_row, &n_col, &again));
  CHECK_EQUAL(n_row, 7);
  CHECK_EQUAL(n_col, n_long / 7);
  CHECK(memcmp(again, flat, (size_t)(n_row * n_col) * sizeof *flat) == 0);
  ms_free(test_context(), &again);
  ms_results_close(&r);
  free(flat);
}

/* ---- whole or not at all ---- */

static void test_commit_and_discard(void) {
  const char *path = test_path("old.h5");
  size_t n, n_again;
  int files = test_folder_count();
  CHECK_OK(write_all(test_context(), path));
  char *old = test_get(path, &n);
  ms_results *r;
  if (!CHECK_OK(ms_results_create(test_context(), path, &r))) return;
  CHECK_OK(ms_results_write_vector(r, "omega", 3, omega));
  CHECK_EQUAL(test_folder_count(), files + 2); /* beside the old one */
  ms_results_close(&r);
  CHECK(r == NULL);
  CHECK_EQUAL(test_folder_count(), files + 1);
  char *same = test_get(path, &n_again);
  CHECK(n == n_again && memcmp(old, same, n) == 0);
  free(old);
  free(same);
  ms_results_close(&r);
  ms_results_close(NULL);
  CHECK_STATUS(ms_results_commit(&r), MS_ERR_ARGUMENT);
}

/* A disk that is full after so many bytes: the old file stays, nothing is left beside it, and HDF5
   has nothing left to write when the program ends. */
static void test_full_disk(void) {
  const char *path = test_path("full.h5");
  size_t n, n_again;
  struct rlimit whole, full;
  CHECK_OK(write_all(test_context(), path));
  char *old = test_get(path, &n);
  int files = test_folder_count();
  history = n_short;
  getrlimit(RLIMIT_FSIZE, &whole);
  signal(SIGXFSZ, SIG_IGN);
  for (rlim_t room = 0; room < 40000; room += 1237) {
    full = (struct rlimit) { room, whole.rlim_max };
    setrlimit(RLIMIT_FSIZE, &full);
    ms_status status = write_all(test_context(), path);
    setrlimit(RLIMIT_FSIZE, &whole);
    CHECK_STATUS(status, MS_ERR_DISK);
    CHECK_HAS(ms_context_message(test_context()), "full.h5: cannot be written: File too large");
  }
  history = n_long;
  char *same = test_get(path, &n_again);
  CHECK(n == n_again && memcmp(old, same, n) == 0);
  CHECK_EQUAL(test_folder_count(), files);
  CHECK_STATUS(write_all(test_context(), "/dev/full"), MS_ERR_DISK);
  free(old);
  free(same);
}

static ms_status fail_second(void *user, ptrdiff_t j, double *values) {
  values[0] = values[1] = 2.5;
  if (j == 1 && *(int *)user) return ms_fail(test_context(), MS_CANCELLED, "enough");
  if (j == 1) values[1] = NAN;
  return MS_SUCCESS;
}

/* A matrix that broke off cannot be committed. */
static void test_broken_off(void) {
  for (int cancel = 0; cancel < 2; cancel++) {
    const char *path = test_path("broken.h5");
    ms_results *r;
    if (!CHECK_OK(ms_results_create(test_context(), path, &r))) return;
    CHECK_STATUS(ms_results_write_columns(r, "a", 2, 3, fail_second, &cancel),
                 cancel ? MS_CANCELLED : MS_ERR_NUMERIC);
    CHECK_HAS(ms_context_message(test_context()),
              cancel ? "enough" : "broken.h5: a: row 2, column 2 is nan");
    CHECK_STATUS(ms_results_commit(&r), MS_ERR_STATE);
    CHECK_HAS(ms_context_message(test_context()), "a dataset was not completed");
    CHECK(r == NULL && access(path, F_OK) != 0);
  }
}

/* Nor can a file of which a call of HDF5 failed, wherever that was. */
static void test_failed_call(void) {
  const char *path = test_path("failed.h5");
  ms_results *r;
  if (!CHECK_OK(ms_results_create(test_context(), path, &r))) return;
  CHECK_OK(ms_results_write_vector(r, "omega", 3, omega));
  ms_quiet quiet;
  ms_quiet_begin(&quiet);
  ms_results_note(r, H5Dclose(-1));
  ms_quiet_end(&quiet);
  CHECK_STATUS(ms_results_commit(&r), MS_ERR_STATE);
  CHECK(r == NULL && access(path, F_OK) != 0);
}

/* ---- what is refused ---- */

/* Values in chunks that were never written: zero, but not more of them than a file may stand for.
 */
static void test_unwritten(void) {
  static const hsize_t size[] = { 100003, 300007 }, chunk = 1000;
  static const char *const name[] = { "some", "many" };
  const char *path = test_path("unwritten.h5");
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  CHECK(H5Pset_chunk(creation, 1, &chunk) >= 0);
  for (int i = 0; i < 2; i++) {
    hid_t space = H5Screate_simple(1, &size[i], NULL);
    hid_t set =
        H5Dcreate2(file, name[i], H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    CHECK(H5Dclose(set) >= 0 && H5Sclose(space) >= 0);
  }
  CHECK(H5Pclose(creation) >= 0 && H5Fclose(file) >= 0);
  ms_results *r;
  ptrdiff_t n_row = 0, n_col = 0;
  double *values = NULL;
  if (!CHECK_OK(ms_results_open(test_context(), path, &r))) return;
  CHECK_OK(ms_results_read_matrix(r, "some", &n_row, &n_col, &values));
  CHECK_EQUAL(n_row * n_col, 100003);
  CHECK(values && values[0] == 0.0 && values[100002] == 0.0);
  ms_free(test_context(), &values);
  CHECK_STATUS(ms_results_read_matrix(r, "many", &n_row, &n_col, &values), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "many: claims 3e+05 values, far more");
  ms_results_close(&r);
}

static void test_not_finite(void) {
  double bad[] = { 1.5, NAN, 2.5, 3.5 }, worse[] = { 1.5, -INFINITY };
  ms_results *r;
  if (!CHECK_OK(ms_results_create(test_context(), test_path("nan.h5"), &r))) return;
  CHECK_STATUS(ms_results_write_vector(r, "v", 4, bad), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "nan.h5: v: row 2, column 1 is nan");
  CHECK_STATUS(ms_results_write_matrix(r, "m", 1, 2, bad), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "row 1, column 2 is nan");
  CHECK_STATUS(ms_results_set_number(r, "", "x", NAN), MS_ERR_NUMERIC);
  check_kind(r, "v", MS_RESULTS_NOTHING);
  ms_results_set_allow_nan(r, 1);
  CHECK_OK(ms_results_write_vector(r, "v", 4, bad));
  CHECK_OK(ms_results_set_number(r, "v", "x", NAN));
  CHECK_STATUS(ms_results_write_vector(r, "w", 2, worse), MS_ERR_NUMERIC);
  CHECK_STATUS(ms_results_set_number(r, "v", "y", INFINITY), MS_ERR_NUMERIC);
  CHECK_OK(ms_results_commit(&r));
  if (!CHECK_OK(ms_results_open(test_context(), test_path("nan.h5"), &r))) return;
  ptrdiff_t n_row, n_col;
  double *again;
  CHECK_OK(ms_results_read_matrix(r, "v", &n_row, &n_col, &again));
  CHECK(isnan(again[1]) && again[3] == 3.5);
  ms_free(test_context(), &again);
  ms_results_close(&r);
}

static void test_refuses_paths(void) {
  static const char *const bad[] = { "",   "/a", "a/",  "a//b", ".",      "a/../b",
                                     "..", "/",  "a/.", "a\nb", "a/b\x7f" };
  ms_results *r;
  ms_context *ctx = test_context();
  if (!CHECK_OK(ms_results_create(ctx, test_path("paths.h5"), &r))) return;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK_STATUS(ms_results_write_vector(r, bad[i], 3, omega), MS_ERR_ARGUMENT);
    CHECK_HAS(ms_context_message(ctx), "such as analyses/modes/omega");
  }
  CHECK_STATUS(ms_results_write_vector(r, NULL, 3, omega), MS_ERR_ARGUMENT);
  CHECK_OK(ms_results_write_vector(r, "a/b", 3, omega));
  CHECK_STATUS(ms_results_write_matrix(r, "a/b", 3, 2, shape), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "paths.h5: 'a/b' exists already");
  CHECK_STATUS(ms_results_write_vector(r, "a", 3, omega), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_write_integers(r, "a/b/c", 3, counts), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "'a/b' is a dataset; nothing can be below it");
  CHECK_STATUS(ms_results_set_text(r, "c", "unit", "m"), MS_ERR_NAME);
  CHECK_OK(ms_results_set_text(r, "a/b", "unit", ""));
  CHECK_STATUS(ms_results_set_text(r, "a/b", "unit", "m"), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "has the attribute 'unit' already");
  CHECK_OK(ms_results_commit(&r));
}

static void test_refuses_arguments(void) {
  static const char *const missing[] = { "a", NULL };
  ms_results *r = (ms_results *)&r;
  ms_context *ctx = test_context();
  CHECK_STATUS(ms_results_create(ctx, NULL, &r), MS_ERR_ARGUMENT);
  CHECK(r == NULL);
  CHECK_STATUS(ms_results_create(ctx, "x.h5", NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_open(ctx, "", &r), MS_ERR_ARGUMENT);
  if (!CHECK_OK(ms_results_create(ctx, test_path("args.h5"), &r))) return;
  CHECK_STATUS(ms_results_write_vector(r, "a", -1, omega), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_write_vector(r, "a", 1, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_write_matrix(r, "a", 1, -2, omega), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_write_integers(r, "a", 1, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_write_texts(r, "a", 2, missing), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_write_texts(r, "a", 2, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_write_columns(r, "a", 0, 1, next_column, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_write_columns(r, "a", 1, 1, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_set_text(r, "", NULL, "x"), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_set_text(r, "", "x", NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_set_number(r, "", "", 2.5), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_results_set_number(r, NULL, "x", 2.5), MS_ERR_ARGUMENT);
  ms_results_close(&r);
}

static void test_refuses_reading(void) {
  const char *path = test_path("kinds.h5");
  ms_context *ctx = test_context();
  ms_results *r;
  ptrdiff_t n, m;
  double *a = (double *)&n, value;
  int64_t *k = (int64_t *)&n;
  char **texts = (char **)&n, *text = (char *)&n;
  CHECK_OK(write_all(ctx, path));
  if (!CHECK_OK(ms_results_open(ctx, path, &r))) return;
  CHECK_STATUS(ms_results_read_matrix(r, "analyses/labels", &n, &m, &a), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "'analyses/labels' is texts, but numbers are expected");
  CHECK(a == NULL);
  CHECK_STATUS(ms_results_read_integers(r, "analyses/modes/omega", &n, &k), MS_ERR_NAME);
  CHECK_STATUS(ms_results_read_texts(r, "counts", &n, &texts), MS_ERR_NAME);
  CHECK_STATUS(ms_results_read_matrix(r, "analyses", &n, &m, &a), MS_ERR_NAME);
  CHECK_STATUS(ms_results_read_matrix(r, "analyses/x/y", &n, &m, &a), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "kinds.h5: 'analyses/x/y' is not there");
  CHECK(k == NULL && texts == NULL);
  CHECK_STATUS(ms_results_get_text(r, "counts", "unit", &text), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "'counts' has no attribute 'unit'");
  CHECK_STATUS(ms_results_get_text(r, "analyses/modes", "dt", &text), MS_ERR_NAME);
  CHECK_STATUS(ms_results_get_number(r, "analyses/modes/omega", "unit", &value), MS_ERR_NAME);
  CHECK_STATUS(ms_results_get_number(r, "nothing", "unit", &value), MS_ERR_NAME);
  CHECK(text == NULL);
  CHECK_STATUS(ms_results_write_vector(r, "b", 3, omega), MS_ERR_STATE);
  CHECK_STATUS(ms_results_set_text(r, "", "b", "c"), MS_ERR_STATE);
  CHECK_STATUS(ms_results_commit(&r), MS_ERR_STATE);
  CHECK(r == NULL);
}

/* Damaged files are refused, and HDF5 has nothing printed about them. */
static void check_unreadable(const char *path, const char *what) {
  ms_results *r = (ms_results *)&r;
  CHECK_STATUS(ms_results_open(test_context(), path, &r), MS_ERR_FILE);
  CHECK(r == NULL);
  CHECK_HAS(ms_context_message(test_context()), "cannot be read as HDF5: ");
  CHECK_HAS(ms_context_message(test_context()), what);
  CHECK(strpbrk(ms_context_message(test_context()), "\r\n") == NULL);
}

static void test_unreadable_quietly(void) {
  const char *path = test_path("cut.h5"), *errors = test_path("errors.txt");
  size_t n;
  CHECK_OK(write_all(test_context(), path));
  char *bytes = test_get(path, &n);
  test_put_bytes(path, bytes, n / 2);
  free(bytes);
  fflush(stderr);
  int saved = dup(STDERR_FILENO), file = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, STDERR_FILENO);
  check_unreadable(path, "truncated file");
  test_put(path, "no HDF5 at all");
  check_unreadable(path, "cut.h5");
  check_unreadable(test_path("missing.h5"), "No such file or directory");
  ms_results *r;
  CHECK_STATUS(ms_results_create(test_context(), test_path("no/such.h5"), &r), MS_ERR_FILE);
  CHECK_OK(write_all(test_context(), "/dev/null"));
  fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  close(file);
  free(test_get(errors, &n));
  CHECK_EQUAL(n, 0);
}

/* ---- memory ---- */

static ms_status read_some(ms_context *ctx, ms_results *r) {
  ptrdiff_t n, m;
  double *a;
  char **texts, *text;
  MS_TRY(ms_results_read_matrix(r, "analyses/modes/shape", &n, &m, &a));
  ms_free(ctx, &a);
  MS_TRY(ms_results_read_texts(r, "analyses/labels", &n, &texts));
  ms_free(ctx, &texts);
  MS_TRY(ms_results_get_text(r, "", "study", &text));
  ms_free(ctx, &text);
  MS_TRY(ms_results_get_name(r, "analyses", 1, &text));
  ms_free(ctx, &text);
  return MS_SUCCESS;
}

static ms_status use(ms_context *ctx, void *user) {
  ms_results *r;
  MS_TRY(write_all(ctx, user));
  MS_TRY(ms_results_open(ctx, user, &r));
  ms_status status = read_some(ctx, r);
  ms_results_close(&r);
  return status;
}

static void test_memory_failures(void) {
  char path[512];
  snprintf(path, sizeof path, "%s", test_path("memory.h5"));
  int files = test_folder_count();
  history = n_short;
  CHECK(test_allocations(use, path) >= 40);
  history = n_long;
  CHECK_EQUAL(test_folder_count(), files + 1);
}

int main(void) {
  test_folder_open();
  TEST(test_round_trip);
  TEST(test_listing);
  TEST(test_deterministic);
  TEST(test_compressed);
  TEST(test_commit_and_discard);
  TEST(test_full_disk);
  TEST(test_broken_off);
  TEST(test_failed_call);
  TEST(test_unwritten);
  TEST(test_not_finite);
  TEST(test_refuses_paths);
  TEST(test_refuses_arguments);
  TEST(test_refuses_reading);
  TEST(test_unreadable_quietly);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
