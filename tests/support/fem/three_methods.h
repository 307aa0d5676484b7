/* One mode of bodies in contact by three methods, from the same settled state: cycles of the load
   M phi (qsma), harmonic balance (EPMC), and free decay in time. */
#ifndef MS_TEST_THREE_METHODS_H
#define MS_TEST_THREE_METHODS_H

#include <microslip/contact_dynamics.h>

enum { TEST_MODES_MAX = 32 };

typedef struct test_modes {
  ms_contact_modal modal; /* at rest; at most TEST_MODES_MAX modes */
  int mode;               /* the one that is looked at, from 0; undamped but for friction */
  double others;          /* damping ratio of the other modes */
  int harmonics;          /* of EPMC */
  ptrdiff_t times;
  int per_period;      /* time steps of the free decay */
  double up;           /* cycles that it begins above the amplitude at which it is read */
  double settle;       /* load of the cycles that settle the contact, over omega^2 */
  int cycles;          /* how many */
  ms_contact *settled; /* where all methods begin */
} test_modes;

/* NAN: the method has no answer at this amplitude. zeta: of friction, D/(2 pi omega^2 q^2). */
typedef struct test_mode_answer {
  double omega, zeta;
} test_mode_answer;

/* massless: EPMC in which the other modes follow without inertia, as they do in qsma. */
typedef struct test_three {
  test_mode_answer qsma, massless, epmc, decay;
} test_three;

/* At the n rising amplitudes q; prints a line for each. */
void test_modes_compare(test_modes *m, int n, const double *q, test_three *out);

/* Relative differences of frequency and damping, at most these (NAN in `value`: too much). */
void test_modes_close(const test_mode_answer *value, const test_mode_answer *want, double omega,
                      double zeta);

#endif
