/* Matrices from Matrix Market and CSV files, and back. */
#include <microslip/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/internal.h"
#include "support/check.h"
#include "support/files.h"

#define MM "%%MatrixMarket matrix "

static ms_status parse(const char *text, ms_triplets *out) {
  return ms_mtx_parse(test_context(), "probe.mtx", text, strlen(text), out);
}

/* ---- what is accepted ---- */

/* Every text here is the same matrix, [2.385 -0.5; -0.5 7.25]. */
static void check_same(const char *text, int symmetric) {
  static const double want[] = { 2.385, -0.5, -0.5, 7.25 };
  ms_triplets t;
  double *a = NULL;
  if (!CHECK_OK(parse(text, &t))) {
    printf("#   in: %s\n", text);
    return;
  }
  CHECK_EQUAL(t.n_row, 2);
  CHECK_EQUAL(t.n_col, 2);
  CHECK_EQUAL(t.n, symmetric ? 3 : 4);
  CHECK_EQUAL(t.symmetric, symmetric);
  for (ptrdiff_t k = 0; symmetric && k < t.n; k++) CHECK(t.row[k] >= t.col[k]);
  if (CHECK_OK(ms_triplets_to_dense(test_context(), &t, &a)))
    CHECK(memcmp(a, want, sizeof want) == 0);
  ms_free(test_context(), &a);
  ms_triplets_free(test_context(), &t);
  CHECK(t.row == NULL && t.n == 0);
}

static void test_coordinate(void) {
  check_same(MM "coordinate real general\n2 2 4\n1 1 2.385\n2 1 -.5\n1 2 -5e-1\n2 2 7.25\n", 0);
  check_same(MM "coordinate real symmetric\n2 2 3\n1 1 2.385\n2 1 -0.5\n2 2 7.25\n", 1);
  check_same(MM "coordinate real symmetric\n2 2 3\n2 2 7.25\n1 2 -0.5\n1 1 2.385", 1);
  check_same(
      "%%matrixmarket MATRIX Coordinate Real General\r\n% a\r\n\r\n%b\r\n 2  2\t4 \r\n"
      "1 1 2.385D0\r\n%c\r\n\r\n 2 1   -0.5\r\n1 2 -0.5 \r\n2 2 +725.0E-2\r\n\r\n%d\r\n",
      0);
}

static void test_array(void) {
  check_same(MM "array real general\n2 2\n2.385\n-0.5\n-0.5\n7.25\n", 0);
  check_same(MM "array real symmetric\n% lower triangle\n2 2\n2.385\n-0.5\n7.25\n", 1);
  check_same("\xEF\xBB\xBF" MM "array double symmetric\n2 2\n2.385\n -0.5\n\n7.25", 1);
}

static void test_integer_and_rectangle(void) {
  ms_triplets t;
  if (!CHECK_OK(parse(MM "coordinate integer general\n3 5 2\n3 5 -17\n1 4 9\n", &t))) return;
  CHECK_EQUAL(t.n_row, 3);
  CHECK_EQUAL(t.n_col, 5);
  CHECK_EQUAL(t.row[0], 2);
  CHECK_EQUAL(t.col[0], 4);
  CHECK_NEAR(t.value[0], -17.0, 0.0);
  CHECK_NEAR(t.value[1], 9.0, 0.0);
  ms_triplets_free(test_context(), &t);
  if (!CHECK_OK(parse(MM "array integer general\n2 3\n1\n2\n3\n4\n5\n6\n", &t))) return;
  CHECK_EQUAL(t.n, 6);
  CHECK_EQUAL(t.row[3], 1); /* column by column */
  CHECK_EQUAL(t.col[3], 1);
  CHECK_NEAR(t.value[3], 4.0, 0.0);
  ms_triplets_free(test_context(), &t);
}

/* No entries is a matrix of zeros: no damping, say. */
static void test_empty(void) {
  ms_triplets t;
  double *a;
  if (!CHECK_OK(parse(MM "coordinate real symmetric\n3 3 0\n", &t))) return;
  CHECK_EQUAL(t.n, 0);
  CHECK_OK(ms_triplets_to_dense(test_context(), &t, &a));
  for (int i = 0; i < 9; i++) CHECK_NEAR(a[i], 0.0, 0.0);
  ms_free(test_context(), &a);
  ms_triplets_free(test_context(), &t);
}

/* ---- what is refused ---- */

static void refuse(const char *text, const char *where, const char *what) {
  ms_triplets t = { .n = 5 };
  if (!CHECK_STATUS(parse(text, &t), MS_ERR_FORMAT)) printf("#   in: %s\n", text);
  CHECK(t.row == NULL && t.n == 0);
  const char *message = ms_context_message(test_context());
  CHECK(strncmp(message, where, strlen(where)) == 0);
  CHECK_HAS(message, where);
  CHECK_HAS(message, what);
  CHECK(strpbrk(message, "\r\n") == NULL);
}

static void test_refuses_banner(void) {
  const char *right = "the first line must be '%%MatrixMarket matrix coordinate real symmetric'";
  refuse("", "probe.mtx:1: ", right);
  refuse("2 2 1\n1 1 2.5\n", "probe.mtx:1: ", right);
  refuse("%%MatrixMarket vector array real general\n", "probe.mtx:1: ", right);
  refuse(MM "dense real general\n", "probe.mtx:1: 'dense' ", "it must be coordinate or array");
  refuse(MM "coordinate complex general\n2 2 1\n1 1 2 3\n", "probe.mtx:1: 'complex' ",
         "it must be real or integer: write damping as a separate matrix");
  refuse(MM "coordinate pattern general\n2 2 1\n1 1\n", "probe.mtx:1: 'pattern' ",
         "a pattern has no values");
  refuse(MM "coordinate quaternion general\n", "probe.mtx:1: 'quaternion' ", "real or integer");
  refuse(MM "coordinate real skew-symmetric\n", "probe.mtx:1: 'skew-symmetric' ",
         "it must be general or symmetric");
  refuse(MM "coordinate real\n", "probe.mtx:1: '' ", "it must be general or symmetric");
}

static void test_refuses_size(void) {
  const char *three = "must hold three integers: rows, columns and number of entries";
  refuse(MM "coordinate real general\n% only\n", "probe.mtx:2: ", "ends before the size");
  refuse(MM "coordinate real general\n\n2 2\n1 1 5\n", "probe.mtx:3: '2 2' ", three);
  refuse(MM "coordinate real general\n2 2.5 1\n", "probe.mtx:2: '2 2.5 1' ", three);
  refuse(MM "coordinate real general\n2 2 1 7\n", "probe.mtx:2: ", three);
  refuse(MM "coordinate real general\n0 2 1\n", "probe.mtx:2: ", three);
  refuse(MM "coordinate real general\n2 -2 1\n", "probe.mtx:2: ", three);
  refuse(MM "coordinate real general\n2 2 -1\n", "probe.mtx:2: ", three);
  refuse(MM "array real general\n2 2 4\n", "probe.mtx:2: ", "two positive integers");
  refuse(MM "array real symmetric\n2 3\n1\n2\n3\n4\n5\n6\n", "probe.mtx:2: ", "must be square");
  refuse(MM "coordinate real general\n2 2 99999999999999999999\n", "probe.mtx:2: ", three);
}

static void test_refuses_counts(void) {
  const char *sized = MM "coordinate real general\n% c\n3 3 2\n";
  char text[256];
  snprintf(text, sizeof text, "%s1 1 1.25000\n\n", sized);
  refuse(text, "probe.mtx:5: ", "ends after 1 entries; line 3 says 2");
  snprintf(text, sizeof text, "%s1 1 1.5\n2 2 2.5\n3 3 3.5\n", sized);
  refuse(text, "probe.mtx:6: ", "more than the 2 entries that line 3 says");
  refuse(MM "coordinate real general\n3 3 1000000\n1 1 1.5\n",
         "probe.mtx:2: ", "says 1000000 entries, more than the rest of the file can hold");
  refuse(MM "array real general\n3000000000 3000000000\n1.5\n",
         "probe.mtx:2: ", "more than the rest of the file");
  refuse(MM "array real general\n9000000000000 9000000000000\n1.5\n",
         "probe.mtx:2: ", "more than the rest of the file");
  refuse(MM "array real general\n2 2\n1.5000\n2.5\n3.5\n", "probe.mtx:5: ", "ends after 3 values");
  refuse(MM "array real symmetric\n2 2\n1.5\n2.5\n3.5\n4.5\n",
         "probe.mtx:6: ", "more than the 3 values");
}

static void test_refuses_entries(void) {
  const char *sized = MM "coordinate real general\n3 4 2\n1 1 2.5\n";
  static const struct {
    const char *line, *where, *what;
  } bad[] = {
    { "4 1 2.5", "probe.mtx:4: row 4 is outside", "it must be from 1 to 3" },
    { "0 1 2.5", "probe.mtx:4: row 0 is outside", "from 1 to 3" },
    { "3 5 2.5", "probe.mtx:4: column 5 is outside", "from 1 to 4" },
    { "-1 5 2.5", "probe.mtx:4: row -1 is outside", "from 1" },
    { "1.5 2 2.5", "probe.mtx:4: '1.5 2 2.5' is not an entry", "row, column and value" },
    { "3 2", "probe.mtx:4: '3 2' is not an entry", "row, column and value" },
    { "three 2 1.5", "probe.mtx:4: ", "row, column and value" },
    { "3 2 x", "probe.mtx:4: 'x' is not a number", "finite number such as" },
    { "3 2 nan", "probe.mtx:4: 'nan' is not finite", "finite number such as" },
    { "3 2 -inf", "probe.mtx:4: '-inf' is not finite", "finite number such as" },
    { "3 2 1e999", "probe.mtx:4: '1e999' is not finite", "finite number such as" },
    { "3 2 1.5 2.5", "probe.mtx:4: '1.5 2.5' is not a number", "finite number" },
    { "3 2 1,5", "probe.mtx:4: '1,5' is not a number", "finite number" },
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char text[256];
    snprintf(text, sizeof text, "%s%s\n", sized, bad[i].line);
    refuse(text, bad[i].where, bad[i].what);
  }
  refuse(MM "coordinate integer general\n1 1 1\n1 1 2.5\n",
         "probe.mtx:3: ", "2.5 in a matrix of integers; the first line must say real");
}

static void test_refuses_twice(void) {
  refuse(MM "coordinate real general\n3 3 3\n2 1 1.5\n%\n3 3 2.5\n2 1 3.5\n",
         "probe.mtx:6: the entry of row 2, column 1 was already given in line 3",
         "give every entry once");
  refuse(MM "coordinate real symmetric\n3 3 3\n2 1 1.5\n1 2 1.5\n3 3 2.5\n",
         "probe.mtx:4: ", "on one side of the diagonal");
  refuse(MM "coordinate real general\n3 3 2\n2 2 1.5\n2 2 1.5\n", "probe.mtx:4: ", "in line 3");
}

static void test_refuses_nul(void) {
  static const char text[] = MM "coordinate real general\n1 1 1\n1 1 \0002\n";
  ms_triplets t;
  CHECK_STATUS(ms_mtx_parse(test_context(), "probe.mtx", text, sizeof text - 1, &t), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "probe.mtx:3: holds a NUL byte");
}

/* ---- files ---- */

static void check_file(const char *name, const char *text, ptrdiff_t n_row, ptrdiff_t n_col,
                       const double *want) {
  ptrdiff_t rows, cols;
  double *a;
  test_put(test_path(name), text);
  if (!CHECK_OK(ms_matrix_read(test_context(), test_path(name), &rows, &cols, &a))) return;
  CHECK_EQUAL(rows, n_row);
  CHECK_EQUAL(cols, n_col);
  CHECK(memcmp(a, want, (size_t)(n_row * n_col) * sizeof *a) == 0);
  ms_free(test_context(), &a);
}

static void test_read_dense(void) {
  static const double square[] = { 2.385, -0.5, -0.5, 7.25 };
  static const double wide[] = { 1.5, 4.5, 2.5, 5.5, 3.5, 6.5 };
  check_file("a.mtx", MM "coordinate real symmetric\n2 2 3\n1 1 2.385\n2 1 -0.5\n2 2 7.25\n", 2, 2,
             square);
  check_file("a.csv", "2.385,-0.5\n-0.5,7.25\n", 2, 2, square);
  check_file("b.csv", "u1 [m];u2 [m]\n2.385;-0.5\n-0.5;7.25\n", 2, 2, square);
  check_file("c.txt", "# K\n 2.385 -0.5\n\n -0.5 7.25 \n", 2, 2, square);
  check_file("d.csv", "1.5,2.5,3.5\n4.5,5.5,6.5\n", 2, 3, wide);
  check_file("e.csv", "7.25\n", 1, 1, &square[3]);
}

static void check_fails(const char *name, const char *text, ms_status want, const char *what) {
  ptrdiff_t n_row = 7, n_col = 7;
  double *a = (double *)&n_row;
  ms_triplets t = { .n = 3 };
  const char *path = test_path(name);
  if (text) test_put(path, text);
  CHECK_STATUS(ms_matrix_read(test_context(), path, &n_row, &n_col, &a), want);
  CHECK(a == NULL && n_row == 0 && n_col == 0);
  CHECK_HAS(ms_context_message(test_context()), name);
  CHECK_HAS(ms_context_message(test_context()), what);
  if (want == MS_ERR_OVERFLOW) return;
  CHECK_STATUS(ms_triplets_read(test_context(), path, &t), want);
  CHECK(t.row == NULL && t.n == 0);
}

static void test_read_failures(void) {
  check_fails("missing.mtx", NULL, MS_ERR_FILE, "No such file");
  check_fails("matrix.mat", NULL, MS_ERR_NAME,
              "no format of matrices has the ending '.mat'; it must be one of .csv .tsv .txt .dat "
              ".mtx .mm");
  check_fails("bad.mtx", "1 2 3\n", MS_ERR_FORMAT, "bad.mtx:1: is not a Matrix Market file");
  check_fails("bad.csv", "1.5,2.5\n3.5\n", MS_ERR_FORMAT, "bad.csv:2: found 1 cells, expected 2");
  check_fails("nan.csv", "1.5,nan\n3.5,2.5\n", MS_ERR_FORMAT, "nan.csv:1: column 2: 'nan'");
  check_fails("none.csv", "a,b\n", MS_ERR_FORMAT, "none.csv:1: has a header but no rows");
  check_fails("huge.mtx", MM "coordinate real general\n200000 200000 1\n1 1 2.5\n", MS_ERR_OVERFLOW,
              "huge.mtx: a matrix of 200000 x 200000 is too large for a dense matrix");
}

/* Sparse matrices may have any size. */
static void test_read_huge_sparse(void) {
  ms_triplets t;
  test_put(test_path("huge.mtx"), MM
           "coordinate real general\n5000000000 5000000000 2\n"
           "4999999999 17 2.5\n3 5 1.5\n");
  if (!CHECK_OK(ms_triplets_read(test_context(), test_path("huge.mtx"), &t))) return;
  CHECK_EQUAL(t.n_row, 5000000000LL);
  CHECK_EQUAL(t.row[0], 4999999998LL);
  CHECK_EQUAL(t.col[1], 4);
  ms_triplets_free(test_context(), &t);
}

static void test_triplets_of_csv(void) {
  ms_triplets t;
  test_put(test_path("k.csv"), "2.385,0,-0.5\n0,7.25,0\n-0.5,0,1.5\n");
  if (!CHECK_OK(ms_triplets_read(test_context(), test_path("k.csv"), &t))) return;
  CHECK_EQUAL(t.symmetric, 1);
  CHECK_EQUAL(t.n, 4);
  CHECK_EQUAL(t.row[1], 2);
  CHECK_EQUAL(t.col[1], 0);
  CHECK_NEAR(t.value[1], -0.5, 0.0);
  ms_triplets_free(test_context(), &t);
}

/* ---- writing ---- */

static void check_round_trip(ptrdiff_t n_row, ptrdiff_t n_col, const double *a, int symmetric) {
  const char *path = test_path("round.mtx");
  ptrdiff_t rows, cols;
  double *again;
  if (!CHECK_OK(ms_matrix_write_mtx(test_context(), path, n_row, n_col, a))) return;
  size_t length;
  char *text = test_get(path, &length);
  CHECK_EQUAL(strncmp(text, MM "coordinate real symmetric\n", strlen(MM) + 26) == 0, symmetric);
  free(text);
  if (!CHECK_OK(ms_matrix_read(test_context(), path, &rows, &cols, &again))) return;
  CHECK_EQUAL(rows, n_row);
  CHECK_EQUAL(cols, n_col);
  CHECK(memcmp(a, again, (size_t)(n_row * n_col) * sizeof *a) == 0);
  ms_free(test_context(), &again);
}

static void test_round_trip(void) {
  static const double general[] = { 0.1, 1.0 / 3.0, 0.0, -0.0, 5e-324, -1.7976931348623157e308 };
  static const double nearly[] = { 2.385, -0.5, -0.49999999999999994, 7.25 };
  double random[30 * 30];
  ms_random rng;
  ms_random_start(&rng, 11, 0);
  for (int j = 0; j < 30; j++) {
    for (int i = 0; i <= j; i++)
      random[i + 30 * j] = random[j + 30 * i] = i % 7 ? ms_random_normal(&rng) * 1e7 : 0.0;
  }
  check_round_trip(2, 3, general, 0);
  check_round_trip(3, 2, general, 0);
  check_round_trip(1, 6, general, 0);
  check_round_trip(2, 2, nearly, 0);
  check_round_trip(1, 1, &nearly[3], 1);
  check_round_trip(30, 30, random, 1);
  random[5] = 2.385;
  check_round_trip(30, 30, random, 0);
}

static void test_write_failures(void) {
  static const double bad[] = { 1.5, NAN };
  ptrdiff_t row[] = { 0, 1 }, col[] = { 0, 2 };
  double value[] = { 1.5, 2.5 };
  ms_triplets t = { .n_row = 2, .n_col = 2, .n = 2, .row = row, .col = col, .value = value };
  ms_context *ctx = test_context();
  const char *path = test_path("never.mtx");
  CHECK_STATUS(ms_matrix_write_mtx(ctx, path, 1, 2, bad), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(ctx), "never.mtx: row 1, column 2 is nan");
  CHECK_STATUS(ms_matrix_write_mtx(ctx, path, 0, 2, bad), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_matrix_write_mtx(ctx, path, 1, 2, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_triplets_write_mtx(ctx, path, &t), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "entry 1 is at row 1, column 2");
  col[0] = 1, col[1] = 0, t.symmetric = 1;
  CHECK_STATUS(ms_triplets_write_mtx(ctx, path, &t), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "on or below the diagonal");
  t.n_row = 3;
  CHECK_STATUS(ms_triplets_write_mtx(ctx, path, &t), MS_ERR_ARGUMENT);
  CHECK(access(path, F_OK) != 0);
  CHECK_STATUS(ms_matrix_write_mtx(ctx, test_path("no/such.mtx"), 1, 1, value), MS_ERR_FILE);
}

static void test_bad_arguments(void) {
  ptrdiff_t n;
  double *a;
  ms_triplets t;
  CHECK_STATUS(ms_matrix_read(test_context(), NULL, &n, &n, &a), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_matrix_read(test_context(), "a.mtx", NULL, &n, &a), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_matrix_read(test_context(), "a.mtx", &n, &n, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_triplets_read(test_context(), NULL, &t), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_triplets_read(test_context(), "a.mtx", NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_triplets_from_dense(test_context(), 1, 1, NULL, NULL), MS_ERR_ARGUMENT);
  ms_triplets_free(test_context(), NULL);
}

/* ---- memory ---- */

static ms_status read_write(ms_context *ctx, void *user) {
  ptrdiff_t n_row, n_col;
  double *a;
  ms_triplets t;
  ms_status status = ms_matrix_read(ctx, user, &n_row, &n_col, &a);
  if (status == MS_SUCCESS)
    status = ms_matrix_write_mtx(ctx, test_path("memory_out.mtx"), n_row, n_col, a);
  ms_free(ctx, &a);
  if (status == MS_SUCCESS) status = ms_triplets_read(ctx, user, &t);
  if (status == MS_SUCCESS) ms_triplets_free(ctx, &t);
  return status;
}

static void check_memory(const char *name, const char *text, long at_least) {
  char path[512];
  snprintf(path, sizeof path, "%s", test_path(name));
  test_put(path, text);
  CHECK(test_allocations(read_write, path) >= at_least);
}

static void test_memory_failures(void) {
  check_memory("m.mtx", MM "coordinate real general\n3 3 3\n2 1 1.5\n3 3 2.5\n1 1 7.5\n", 12);
  check_memory("a.mtx", MM "array real general\n2 2\n2.385\n-0.5\n-0.5\n7.25\n", 10);
  check_memory("m.csv", "a,b\n1.5,2.5\n3.5,4.5\n", 20);
}

int main(void) {
  test_folder_open();
  TEST(test_coordinate);
  TEST(test_array);
  TEST(test_integer_and_rectangle);
  TEST(test_empty);
  TEST(test_refuses_banner);
  TEST(test_refuses_size);
  TEST(test_refuses_counts);
  TEST(test_refuses_entries);
  TEST(test_refuses_twice);
  TEST(test_refuses_nul);
  TEST(test_read_dense);
  TEST(test_read_failures);
  TEST(test_read_huge_sparse);
  TEST(test_triplets_of_csv);
  TEST(test_round_trip);
  TEST(test_write_failures);
  TEST(test_bad_arguments);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
