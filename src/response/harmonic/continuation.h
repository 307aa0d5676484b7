/* A curve R(x) = 0 of n equations in n + 1 unknowns, the last of which is its parameter, followed
   by its arc length through folds. The problem chooses the scale of its unknowns. */
#ifndef MS_RESPONSE_HARMONIC_CONTINUATION_H
#define MS_RESPONSE_HARMONIC_CONTINUATION_H

#include <microslip/harmonic.h>

/* Where the curve turns, as bits: the parameter is largest or smallest, the watched value largest.
 */
enum { MS_PATH_FOLD = 1, MS_PATH_PEAK = 2 };

typedef struct ms_path_point {
  const double *x;
  double residual; /* |R| over its size */
  int iterations;
  ptrdiff_t listed; /* 1 + index in the list, or 0 */
  int turn;
  int again; /* it is the last one recorded, of which only now it is known that it is a turn */
} ms_path_point;

/* A point of the step that is being taken (path_turns.c). */
typedef struct ms_path_spot {
  double s;      /* part of the chord from x to the new point */
  double *x, *t; /* the point, and dx/ds */
  /* The parameter and the watched value, and their derivatives by s. */
  double value[2], slope[2];
  double residual;
  int iterations, turn;
} ms_path_spot;

/* Why steps were refused, the graver the higher. */
typedef enum ms_path_fault {
  MS_PATH_BACK,     /* what was found is where the curve came from */
  MS_PATH_UNSOLVED, /* Newton's method found nothing */
  MS_PATH_JUMP,     /* what it found is too far away */
  MS_PATH_RETRACED, /* what it found lies on the curve, where that has been before */
  MS_PATH_END       /* the end of the range could not be met */
} ms_path_fault;

enum { MS_PATH_WORK = 40, MS_PATH_PASSED = 128, MS_PATH_SPOTS = 64 };

typedef struct ms_path {
  /* given */
  ms_context *ctx;
  const char *title;       /* of the whole, for progress */
  const char *what, *unit; /* of the parameter, for messages; "omega", "rad/s" */
  ptrdiff_t n;
  void *self;
  /* R (n), J (n x (n + 1)) at x, and the size that |R| is to be compared with. A status above 0
     means that x is out of reach: the step is taken shorter. */
  ms_status (*eval)(void *self, const double *x, double *R, double *J, double *size);
  /* Weights of the unknowns in the length of a step that begins at x: n + 1. */
  void (*weigh)(void *self, const double *x, double *w);
  /* A point of the curve, in order. */
  ms_status (*record)(void *self, const ms_path_point *point);
  /* May choose other coordinates: x in these, and of the direction t what is the same in both; then
   *changed is a number that stands for them, not 0. NULL: never. */
  ms_status (*rebase)(void *self, double *x, double *t, int *changed);
  /* Between two steps, where the path may be saved; `stop`: it ends here, being cancelled. A status
     other than MS_SUCCESS ends it too. NULL: nobody looks. */
  ms_status (*look)(void *self, const struct ms_path *path, int stop);
  /* A value at the point evaluated last and its change along t; where it is largest is solved for
     as folds are. NULL: none. */
  void (*watch)(void *self, const double *t, double *value, double *slope);
  double (*show)(double parameter);  /* as the user knows it; NULL: as it is */
  const ms_harmonic_tolerances *tol; /* NULL: the defaults */
  double tolerance;
  double turn_tolerance; /* of a step's chord: how near to a fold or peak a point is one */
  double
      turn_margin; /* a least slope in a step, over that at its ends, below which turns may hide */
  int newton_max;
  double step, step_min, step_max;
  ptrdiff_t points_max;
  int approaching; /* on the way to a first point: of the curve itself nothing is done yet */
  double from, to;
  const double *list;
  ptrdiff_t n_list;

  /* found */
  int complete; /* the end of the range was reached */
  int ended;    /* it was not, and there is nothing beyond: the curve closes, ends or turned back */
  char reason[240];
  ptrdiff_t steps, rejected, missed, points;

  /* workspace */
  double ds;    /* length of the next step */
  double began; /* s: when the step did */
  double first_size;
  double *x_seen, *t_seen; /* where the curve was after step seen_at */
  ptrdiff_t seen_at;
  int base, seen_base; /* coordinates now, and of x_seen */
  double away;         /* how far from x_seen it has been since */
  double *x_last;
  double *passed; /* the last points, MS_PATH_PASSED at most, in a ring */
  ptrdiff_t *passed_base, n_passed;
  double *x_keep, *chord;
  int unreached; /* the last evaluation failed */
  ms_path_fault fault;
  double fault_error; /* of the last that was not solved */
  /* of what is watched: at x along t, at x_next along t_next */
  double height, slope, height_next, slope_next;
  ms_path_spot spot[MS_PATH_SPOTS]; /* in the order of s */
  ptrdiff_t n_spot;
  double *spot_store, *across; /* theirs; the chord, of length 1 */
  double chord_length;
  int cornered; /* the step went round a corner */
  double *x, *t, *w, *x_next, *x_try, *t_next, *t_old, *R, *J, *A, *b, *best, *right;
  double *work; /* of LAPACK: MS_PATH_WORK (n + 1) */
  ptrdiff_t *order;
  int *pivot;
} ms_path;

ms_status ms_path_open(ms_path *path);
void ms_path_close(ms_path *path);
/* From the guess x (n + 1, the last entry is taken as `from`). MS_NOT_CONVERGED: not even the first
   point; else MS_SUCCESS with complete and reason. */
ms_status ms_path_run(ms_path *path, const double *x);

/* A path between two steps as numbers; another one of the same problem, opened, goes on from there
   with the same bits. MS_ERR_FORMAT: the state is of another problem. */
ptrdiff_t ms_path_save_size(const ms_path *path);
void ms_path_save(const ms_path *path, double *state);
ms_status ms_path_go_on(ms_path *path, const double *state);

#endif
