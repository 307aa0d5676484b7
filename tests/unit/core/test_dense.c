/* Two unknowns by steps of their own, against Cramer's rule and against the general elimination. */
#include "core/dense.h"

#include "support/check.h"

/* A x = b, column-major. */
static const double systems[][6] = {
  { 2.385, 0.713, -1.37, 3.19, 0.471, -2.93 },
  { 0.0117, 41.3, 5.71, -0.829, 1.73, 2.29 }, /* rows change places */
  { 0.0, 1.7, -2.3, 0.61, 3.1, -0.43 },
  { 1.0 - 0.37e-6, 0.29e-6, -0.83e-6, 1.0 - 0.71e-6, 2.1e-9, -4.7e-9 },
};

static void test_two(void) {
  for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
    const double *A = systems[i], *b = A + 4, det = A[0] * A[3] - A[1] * A[2];
    double x[2] = { b[0], b[1] }, y[2] = { b[0], b[1] }, copy[4] = { A[0], A[1], A[2], A[3] };
    CHECK_EQUAL(ms_dense_solve_two(A, x), 0);
    CHECK_CLOSE(x[0], (b[0] * A[3] - b[1] * A[2]) / det, 1e-14);
    CHECK_CLOSE(x[1], (A[0] * b[1] - A[1] * b[0]) / det, 1e-14);
    CHECK_EQUAL(ms_dense_solve_many(2, copy, 1, y), 0);
    CHECK_NEAR(x[0], y[0], 0.0);
    CHECK_NEAR(x[1], y[1], 0.0);
  }
}

static void test_singular(void) {
  static const double A[][4] = {
    { 0.0, 0.0, 1.3, 2.9 },    /* no first unknown */
    { 1.25, 2.5, -0.75, -1.5 } /* rows in proportion */
  };
  for (int i = 0; i < 2; i++) {
    double x[2] = { 1.7, 0.31 };
    CHECK_EQUAL(ms_dense_solve_two(A[i], x), 1);
  }
}

int main(void) {
  TEST(test_two);
  TEST(test_singular);
  return test_finish();
}
