/* Whether friction is so large that a load may have more than one answer. A point that slips along
   e, all others stuck, moves against e^T S_tt e - mu S_nt e: with a normal force that grows faster
   by slip than friction needs, it may stick, slip or open under one load (Klarbring). With x = b +
   M y of the base state both terms are entries of M. */
#include <math.h>

#include "core/internal.h"
#include "response/contact/impl.h"

enum { DIRECTIONS = 36 }; /* in a half turn: the largest ratio to 0.1 % */

static double find_ratio(const ms_contact *c, ptrdiff_t i) {
  const ptrdiff_t n = 3 * c->n, t = 3 * i;
  const ms_contact_pair normal = ms_contact_pair_of(c, t + 2);
  const int held = c->held[t] + c->held[t + 1]; /* by supports: 1, it slips in one direction only */
  double largest = 0.0;
  for (int k = 0; k < (held == 0 ? DIRECTIONS : held == 1); k++) {
    const double angle = MS_PI * k / DIRECTIONS;
    const double e[2] = { held ? !c->held[t] : cos(angle), held ? !c->held[t + 1] : sin(angle) };
    double along = 0.0, across = 0.0;
    for (int b = 0; b < 2; b++) {
      const ms_contact_pair own = ms_contact_pair_of(c, t + b);
      const double *M = c->M + n * (t + b) + t;
      if (c->held[t + b]) continue;
      along += e[b] * e[b] * own.l_y + own.l_x * e[b] * (e[0] * M[0] + e[1] * M[1]);
      across += normal.l_x * e[b] * M[2];
    }
    if (fabs(across) > largest * fabs(along)) largest = fabs(across / along);
  }
  return c->point[i].mu * largest;
}

double ms_contact_compare_critical(const ms_contact *c, ptrdiff_t *point) {
  double largest = 0.0;
  if (point) *point = -1;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (!c->closed[i] || c->glued[i] || c->held[3 * i + 2]) continue;
    const double ratio = find_ratio(c, i);
    if (ratio <= largest) continue;
    largest = ratio;
    if (point) *point = i;
  }
  return largest;
}
