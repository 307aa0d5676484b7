/* A stand-in for a reduced model that nobody has computed: mass 1, and K = k (D + v v^T) with D
   diagonal, its entries distinct, and v without zeros. Then all frequencies are positive and every
   mode moves at every coordinate. A translation moves all of them alike. */
#include <math.h>

#include <microslip/reduced.h>

static const double stiffness =
    1e8; /* N/m: near to that of joints, so that neither hides the other */
static const double golden = 0.6180339887498949; /* its multiples, modulo 1, are all distinct */

ms_status ms_reduced_stand_in(ms_reduced *r) {
  for (ptrdiff_t j = 0; j < r->n; j++) {
    const double v = 0.5 + fmod(golden * golden * (double)(j + 1), 1.0);
    for (ptrdiff_t i = 0; i < r->n; i++) {
      const double w = 0.5 + fmod(golden * golden * (double)(i + 1), 1.0);
      r->M[i + r->n * j] = i == j;
      r->K[i + r->n * j] = stiffness * v * w;
    }
    r->K[j + r->n * j] += stiffness * (1.0 + fmod(golden * (double)(j + 1), 1.0));
  }
  if (!r->inertia) MS_TRY(ms_reduced_add_translations(r));
  for (ptrdiff_t k = 0; k < 3 * r->n; k++) r->inertia[k] = r->follow[k] = 1.0;
  return MS_SUCCESS;
}
