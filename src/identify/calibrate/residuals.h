/* Residuals of the targets of one kind on one structure: the table that a kind is, and what kinds
   share. */
#ifndef MS_IDENTIFY_CALIBRATE_RESIDUALS_H
#define MS_IDENTIFY_CALIBRATE_RESIDUALS_H

#include <microslip/calibrate.h>

#include "identify/calibrate/free_parameters.h"
#include "identify/tolerance.h"

/* A target with points of its own. */
typedef struct ms_own_target {
  ms_target is; /* its name is never NULL */
  char *name;
  double *store;
  int *row, *unreached; /* unreached: NULL unless the kind has it */
  ms_target_view view;  /* `model` is there after an evaluation */
} ms_own_target;

typedef struct ms_residual_kind ms_residual_kind;

/* The first member of what each kind has. */
typedef struct ms_residuals {
  const ms_residual_kind *kind;
  ms_context *ctx;
  ptrdiff_t n_parameter, n_target, n_residual;
  ms_own_target *target;
  ms_places places;
  double *scratch; /* n_residual + n_parameter */
  int by_differences;
} ms_residuals;

struct ms_residual_kind {
  const char *quantity[2];
  const char *column[3]; /* x and y of its points, for messages */
  size_t size;           /* of its own struct */
  /* Whatever is wrong with a target. */
  ms_status (*check)(ms_structure *structure, const ms_target *target);
  /* Its own copy of a target; `is` and the name are there. */
  ms_status (*take)(ms_residuals *self, const ms_target *from, ms_own_target *to);
  /* When all targets and `places` are there; NULL: nothing. */
  ms_status (*open)(ms_residuals *self, ms_structure *structure,
                    const ms_free_parameter *parameter);
  void (*close)(ms_residuals *self); /* also after an open that failed; may be NULL */
  /* The model at p: fills the views. MS_NOT_CONVERGED where there is no answer. */
  ms_status (*run)(ms_residuals *self, const double *p);
  /* Residuals of target k, after run. */
  void (*fill)(const ms_residuals *self, ptrdiff_t k, double *r);
  /* Run, fill of all targets and the Jacobian; NULL: there is none. */
  ms_status (*differentiate)(ms_residuals *self, const double *p, double *r, double *jac);
  /* Mean square of quantity i, after run; NULL: of relative differences, point by point. */
  double (*misfit)(const ms_residuals *self, ptrdiff_t k, int i);
};

extern const ms_residual_kind ms_curve_residuals, ms_loop_residuals, ms_joint_test_residuals,
    ms_hit_residuals, ms_shaker_residuals;
/* More about a target that is a curve. */
ms_curve_values ms_curve_residuals_get(const ms_residuals *self, ptrdiff_t k);

/* calibration.c: run and fill of all targets; an ms_fit_eval that is never asked for a Jacobian. */
ms_status ms_residuals_eval(void *self, const double *p, double *r, double *jac);
/* Its structure's. */
ms_context *ms_calibration_context(const ms_calibration *calibration);
/* What residuals scatter by at least, where no noise is given. */
double ms_calibration_least_noise(const ms_calibration *calibration);
/* Residuals of target k begin there. */
ptrdiff_t ms_residuals_first(const ms_residuals *self, ptrdiff_t k);

/* target_points.c: whether point i is in the window; refuses too few points (MS_TARGET_LEAST) and
   those that are not positive, the last column only where it has a weight; their rows named. */
int ms_points_is_inside(const ms_target *target, ptrdiff_t i);
ms_status ms_points_check(ms_context *ctx, const ms_target *target, const char *const what[3]);
/* A copy of those in the window, sorted by x. */
ms_status ms_points_take(ms_residuals *self, const ms_target *from, ms_own_target *to);
/* Room for n points: x and y in the first three of the columns. */
ms_status ms_points_reserve(ms_context *ctx, ptrdiff_t n, int columns, ms_own_target *to);
/* max - min; and of frequencies, which are held to at least tol.least_shift of the largest. */
double ms_points_range(ptrdiff_t n, const double *x);
double ms_points_shift(ptrdiff_t n, const double *omega);
static inline int ms_points_row(const ms_target *t, ptrdiff_t i) {
  return t->row ? t->row[i] : (int)i + 1;
}
static inline const char *ms_points_name(const ms_target *t) {
  return t->name ? t->name : "target";
}

#endif
