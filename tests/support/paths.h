/* Paths for laws that depend on the path of u alone: what is the same for all of them. */
#ifndef MS_TEST_PATHS_H
#define MS_TEST_PATHS_H

#include <microslip/joint.h>

/* One step at alpha = k = 1 without time; force. */
double test_to(ms_joint *joint, double u);
double test_to_loaded(ms_joint *joint, double u, double alpha, double k);

/* dF/du of a law written out in a test: u, F, direction (+-1). */
typedef double (*test_slope)(double u, double F, double direction);

/* The classical Runge-Kutta method with `steps` steps a side along a path of corners u[0..n-1],
   from F = 0 at u = 0: its largest departure from F[0..n-1], over the largest of these. */
double test_runge_kutta_error(test_slope slope, const double *u, const double *F, int n, int steps);

/* The law's steps are exact, one a side: Runge-Kutta's result must tend to the law's, and with the
   fourth power of its step if the law is smooth. Checks the order on a path of corners of size
   `scale` and the last error. */
void test_runge_kutta_tends(ms_joint *joint, test_slope slope, double scale, int smooth,
                            double tolerance);

/* A side in one step or in many parts: the same force and the same loss to `tolerance` of them. */
void test_subdivision(ms_joint *joint, double tolerance);

/* The same path at two speeds, and without time: the same bits. */
void test_rate_independence(ms_joint *joint);

/* Closed paths in u from the virgin state take work, never give it; and the loss counted by the law
   with what is stored is that work, here by Simpson's rule over fine steps, to `tolerance` of what
   went in and out. */
void test_passivity(ms_joint *joint, double tolerance);

/* alpha and k in proportion: k times the force. alpha = 0: an open joint, nothing but its parallel
   spring K_inf. Almost open: finite numbers. */
void test_load_scaling(ms_joint *joint, double K_inf);

/* Derivatives with respect to u, v, alpha and k against central differences along a wandering
   history, to `tolerance` of their size. Where the two one-sided differences part, at a kink, there
   is nothing to compare; at most a tenth of the steps may be like that. */
void test_derivatives(ms_joint *joint, double tolerance);

#endif
