/* Spring and slider in the plane: the elongation e of an isotropic spring whose slider keeps
   |e| <= r. Shared by jenkins2d and contact3d. Theory: docs/laws/jenkins2d.md.

   Over one step the spring's free end moves by w in a straight line while r goes linearly from r0
   to r1. The slider then holds until e meets the circle and slips along e from there to the end of
   the step, and both parts are closed forms: the answer is exact however the step is cut.

   Notation: t  the part of the step, 0 <= t <= 1, at which slip begins
             theta  angle from the direction of w to e while slipping */
#ifndef MS_JOINT_FRICTION_PLANE_H
#define MS_JOINT_FRICTION_PLANE_H

#include <stddef.h>

typedef struct ms_plane_step {
  double e[2];     /* elongation at the end, m */
  double de_dw[4]; /* de_dw[i + 2*j] = d e[i] / d w[j] */
  double de_dr[2]; /* d e / d r1 */
  double de_de[4]; /* de_de[i + 2*j] = d e[i] / d e0[j] */
  double de_dr0[2];
  int slipped;
  double slip; /* length of the slider's path, m */
  double loss; /* int r d(slip), m^2: times the stiffness, the heat. Exact for r0 = r1 or a
                  path along e, an error of third order in the step otherwise */
} ms_plane_step;

/* e0: elongation at the start, |e0| <= r0; r0, r1 >= 0. r1 = 0 (no friction) leaves nothing. */
void ms_plane_move(const double e0[2], double r0, const double w[2], double r1, ms_plane_step *out);

/* Row of e[a] as far as the rows of e0 and of the start of w contribute: two rows each. */
static inline void ms_plane_sensitivity(ptrdiff_t n, const ms_plane_step *s, int a,
                                        const double *e0, const double *start,
                                        double *restrict row) {
  const double E0 = s->de_de[a], E1 = s->de_de[a + 2], W0 = s->de_dw[a], W1 = s->de_dw[a + 2];
  for (ptrdiff_t i = 0; i < n; i++) {
    row[i] = E0 * e0[i] + E1 * e0[i + n] - W0 * start[i] - W1 * start[i + n];
  }
}

#endif
