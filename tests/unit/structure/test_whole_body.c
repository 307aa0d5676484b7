/* Motions of three masses in a line, which is skew to the axes: one of them all as one body, and a
   stretch, mixed. A rotation about the line itself moves nothing. */
#include <math.h>

#include "structure/whole_body.h"
#include "support/check.h"

enum { N = 9 };

static void test_split(void) {
  const double m = 2.385, e[3] = { 2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0 },
               stretch[3] = { 1.0, -2.0, 1.0 };
  double V[6 * N] = { 0.0 }, MV[6 * N], U[2 * N], together[N];
  ptrdiff_t whole = -1;
  for (int p = 0; p < 3; p++) {
    const double x[3] = { 0.13 + p * e[0], -0.21 + p * e[1], 0.57 + p * e[2] };
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      V[3 * p + i + N * i] = 1.0;
      V[3 * p + j + N * (3 + i)] = -x[k]; /* about axis i */
      V[3 * p + k + N * (3 + i)] = x[j];
      together[3 * p + i] = e[i] / sqrt(3.0 * m);
      const double apart = stretch[p] * e[i] / sqrt(6.0 * m);
      U[3 * p + i] = sqrt(0.5) * (together[3 * p + i] + apart);
      U[3 * p + i + N] = sqrt(0.5) * (together[3 * p + i] - apart);
    }
  }
  for (int i = 0; i < 6 * N; i++) MV[i] = m * V[i];
  CHECK_OK(ms_whole_body_split(test_context(), N, 2, V, MV, U, &whole));
  CHECK_EQUAL(whole, 1);
  for (int i = 0; i < N; i++) CHECK_NEAR(fabs(U[i]), fabs(together[i]), 1e-12);
}

int main(void) {
  TEST(test_split);
  return test_finish();
}
