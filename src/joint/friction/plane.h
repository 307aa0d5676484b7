/* Spring and slider in the plane: the elongation e of an isotropic spring whose slider keeps
   |e| <= r. Shared by jenkins2d and contact3d. Theory: docs/laws/jenkins2d.md.

   Over one step the spring's free end moves by w in a straight line while r goes linearly from r0
   to r1. The slider then holds until e meets the circle and slips along e from there to the end of
   the step, and both parts are closed forms: the answer is exact however the step is cut.

   Notation: t  the part of the step, 0 <= t <= 1, at which slip begins
             theta  angle from the direction of w to e while slipping */
#ifndef MS_JOINT_FRICTION_PLANE_H
#define MS_JOINT_FRICTION_PLANE_H

#include "joint/impl.h"

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

/* In the gap x = u, so that the spring has no elongation. */
typedef struct ms_plane_state {
  double u[2], x[2]; /* displacement, and the slider's place: e = u - x */
  union {
    double r, h; /* the circle, or what it follows */
  };
  double k, dissipated;
} ms_plane_state;

enum { MS_PLANE_U, MS_PLANE_X = 2, MS_PLANE_R = 4, MS_PLANE_K, MS_PLANE_LOSS, MS_PLANE_STEP };
_Static_assert(MS_PLANE_STEP + sizeof(ms_plane_step) / sizeof(double) <=
                   sizeof((ms_joint_trial *)0)->real / sizeof(double),
               "the step must fit the record");

static inline ms_status ms_plane_try(const ms_plane_state *s, const ms_joint_input *in, double r,
                                     int anchored, const ms_plane_step *step,
                                     ms_joint_trial *trial) {
  for (int i = 0; i < 2; i++) {
    trial->real[MS_PLANE_U + i] = in->u[i];
    trial->real[MS_PLANE_X + i] = anchored ? s->x[i] : in->u[i] - step->e[i];
  }
  trial->real[MS_PLANE_R] = r;
  trial->real[MS_PLANE_K] = in->k;
  trial->real[MS_PLANE_LOSS] = step->loss;
  memcpy(&trial->real[MS_PLANE_STEP], step, sizeof *step);
  return MS_SUCCESS;
}

/* Loss: int k K r d(slip); exact at constant load, second order in the step otherwise. */
static inline ms_status ms_plane_commit(double K, ms_plane_state *s, const ms_joint_trial *trial) {
  const double *real = trial->real;
  s->dissipated += 0.5 * (s->k + real[MS_PLANE_K]) * K * real[MS_PLANE_LOSS];
  for (int i = 0; i < 2; i++) {
    s->u[i] = real[MS_PLANE_U + i];
    s->x[i] = real[MS_PLANE_X + i];
  }
  s->r = real[MS_PLANE_R];
  s->k = real[MS_PLANE_K];
  return MS_SUCCESS;
}

#endif
