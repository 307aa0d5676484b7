/* Modes that nobody has solved for: a stand-in for checks of a structure so large that its own
   would take long. They are those of another structure on the same coordinates, with mass 1
   everywhere and phi_r[i] = sqrt(2/n) cos(pi (2 i + 1)(2 r + 1)/(4 n)),   r = 0 .. n - 1,
   orthogonal and without zeros, so that every mode moves at every coordinate; frequencies are
   evenly spaced up to the largest sqrt(K_ii/M_ii). */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

static double find_highest(const ms_structure *s) {
  double highest = 0.0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double k = s->K[i + s->n * i], m = s->M[i + s->n * i];
    if (k > 0.0 && m > 0.0) highest = fmax(highest, k / m);
  }
  return highest > 0.0 ? sqrt(highest) : 1.0;
}

void ms_structure_stand_in(ms_structure *s) {
  const double highest = find_highest(s);
  const ptrdiff_t n = s->n, period = 8 * n; /* of the cosine, in its whole numbers */
  for (ptrdiff_t r = 0; r < n; r++) {
    s->omega[r] = s->omega_slip[r] = highest * (double)(r + 1) / (double)n;
    for (ptrdiff_t i = 0; i < n; i++) {
      ptrdiff_t k = (2 * i + 1) * (2 * r + 1) % period;
      s->shape[i + n * r] = sqrt(2.0 / (double)n) * cos(MS_PI * (double)k / (4.0 * (double)n));
    }
  }
  memcpy(s->shape_slip, s->shape, (size_t)(n * n) * sizeof *s->shape);
}
