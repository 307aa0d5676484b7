/* The baseline: a structure with Iwan joints marched in time as textbooks have it. Coordinates of
   the structure, Newmark's average acceleration, full matrices, and in every Newton iteration the
   tangent matrix assembled and factored anew. Built with the flags most favourable to it. */
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
  int *pivot;
  long steps, evaluations;
} textbook_run;

/* Takes the joints over. */
textbook_run textbook_run_create(const textbook_model *model, double dt);
void textbook_run_destroy(textbook_run *run);
/* Rest, sliders as new. */
void textbook_run_start(textbook_run *run);
/* One step with the force in run->F; non-zero if Newton does not converge. */
int textbook_run_step(textbook_run *run);

#endif
