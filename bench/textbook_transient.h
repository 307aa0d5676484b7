/* The baseline: a structure with Iwan joints marched in time as textbooks have it (Chopra, Dynamics
   of Structures, the nonlinear form of Newmark's method). Coordinates of the structure, average
   acceleration, full matrices, Newton begun at the last displacement, and in every iteration the
   tangent matrix assembled and factored anew. One file, built twice: with the flags that people
   use, and with those most favourable to it. */
#ifndef MS_BENCH_TEXTBOOK_TRANSIENT_H
#define MS_BENCH_TEXTBOOK_TRANSIENT_H

#include "textbook_sliders.h"

enum { TEXTBOOK_MAX_JOINTS = 4 };

/* M, C, K are n x n and symmetric, and stay the caller's. */
typedef struct textbook_model {
  int n, joints;
  const double *M, *C, *K;
  int from[TEXTBOOK_MAX_JOINTS], to[TEXTBOOK_MAX_JOINTS];
  textbook joint[TEXTBOOK_MAX_JOINTS];
} textbook_model;

typedef struct textbook_run {
  textbook_model model;
  double dt;
  double *u, *v, *a; /* now */
  double *u_new, *v_new, *a_new, *r, *A,
      *F; /* F: the force at the end of the step, set by caller */
  double slope[TEXTBOOK_MAX_JOINTS];
  int extrapolate; /* begin Newton at u + dt v + dt^2 a/2 instead, which saves an iteration */
  long steps, evaluations;
} textbook_run;

typedef struct textbook_method {
  const char *flags;
  textbook_run (*create)(const textbook_model *model, double dt); /* takes the joints over */
  void (*destroy)(textbook_run *run);
  void (*start)(textbook_run *run); /* rest, sliders as new */
  int (*step)(textbook_run *run);   /* with the force in run->F; non-zero: Newton failed */
} textbook_method;

extern const textbook_method textbook_plain, textbook_fast;

#endif
