#include "support/balances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

ms_structure *test_masses(double size) {
  ms_structure *s = NULL;
  const double m[] = { 1.3, 0.8, 1.1 }, k[] = { 90.0, 71.0, 64.0 };
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, size * m[i]));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, size * k[i]));
  }
  return s;
}

void test_load_oddly(ms_harmonic *h, double size) {
  const double shape[] = { 0.3 * size, -size, 0.7 * size };
  CHECK_OK(ms_harmonic_add_load(h, shape, 1, 2.385, 0.41));
  CHECK_OK(ms_harmonic_add_load(h, shape, 2, 0.77, -1.3));
  CHECK_OK(ms_harmonic_add_load(h, shape, 0, 0.0029, 0.0));
  for (ptrdiff_t r = 0; r < h->m; r++) h->gamma[r + h->m * h->n] = 0.7 - 0.4 * (double)r;
}

static double wander(unsigned i) {
  return sin(1.37 * i + 0.4) * (0.7 + 0.3 * cos(2.9 * i));
}

/* Of unknown i of Z, or of another. */
static double size_of(const ms_harmonic *h, ptrdiff_t i, double size) {
  const ptrdiff_t axis = i / h->P;
  if (axis < h->modal.n || axis >= h->n) return size;
  return size * h->scale[0] / h->scale[axis];
}

double test_jacobian_error(ms_harmonic *h, double size, double omega) {
  const ptrdiff_t nP = h->n * h->P, rows = nP + 4, columns = nP + N_EXTRA;
  double *J = malloc((size_t)(rows * columns) * sizeof *J), *up = malloc((size_t)rows * sizeof *up);
  double worst = 0.0;
  for (ptrdiff_t i = 0; i < nP; i++) {
    h->X[i] = size_of(h, i, size) * wander((unsigned)i) / (1.0 + (double)((i % h->P + 1) / 2));
  }
  const double extra[] = { 0.31 * size, -0.57 * size, omega, 0.013, 7.1 * size };
  memcpy(h->X + nP, extra, sizeof extra);
  h->tracks = 1;
  CHECK_OK(ms_core_eval(h, 1));
  memcpy(J, h->J, (size_t)(rows * columns) * sizeof *J);
  for (ptrdiff_t j = 0; j < columns; j++) {
    double keep = h->X[j], step = 2e-6 * (j < nP + 2 ? size_of(h, j, size) : keep);
    double top = 0.0, error = 0.0;
    h->X[j] = keep + step;
    CHECK_OK(ms_core_eval(h, 1));
    memcpy(up, h->R, (size_t)rows * sizeof *up);
    h->X[j] = keep - step;
    CHECK_OK(ms_core_eval(h, 1));
    h->X[j] = keep;
    for (ptrdiff_t i = 0; i < rows; i++) {
      double slope = (up[i] - h->R[i]) / (2.0 * step);
      double scale = i < nP ? h->scale[i / h->P] : i < nP + 2 ? 1.0 / omega : omega;
      top = fmax(top, scale * fabs(J[i + rows * j]));
      error = fmax(error, scale * fabs(slope - J[i + rows * j]));
    }
    worst = fmax(worst, error / top);
  }
  free(J);
  free(up);
  return worst;
}
