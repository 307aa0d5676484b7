/* The parts of a continuation, for each other: path_newton.c, path_list.c, path_step.c,
   path_turns.c, path_closed.c, path_passed.c, path_state.c, and continuation.c, which leads. */
#ifndef MS_RESPONSE_HARMONIC_PATH_H
#define MS_RESPONSE_HARMONIC_PATH_H

#include <string.h>

#include "core/internal.h"
#include "response/harmonic/continuation.h"

static inline void ms_path_move(const ms_path *p, const double *x, double *y) {
  memcpy(y, x, (size_t)(p->n + 1) * sizeof *x);
}

/* path_newton.c. Products and lengths by the weights of the unknowns; the plain size of n numbers.
 */
double ms_path_dot(const ms_path *p, const double *a, const double *b);
double ms_path_length(const ms_path *p, const double *x);
double ms_path_norm(ptrdiff_t n, const double *x);
/* b := (J; row)^-1 b; row NULL: that of the parameter. Where the matrix is singular to rounding,
   the shortest of the solutions. */
ms_status ms_path_solve(ms_path *p, const double *row, double *b);
/* R and J at x; MS_CANCELLED; the error is R's size, HUGE_VAL where x is out of reach. */
ms_status ms_path_measure(ms_path *p, const double *x, double *error);
/* From p->x_next to the curve, in the plane across `row` through there (NULL: at this parameter).
   R and J are those of the result. */
ms_status ms_path_correct(ms_path *p, const double *row, int *iterations, double *error);

/* path_list.c. order: the list rising. */
ms_status ms_path_sort_list(ms_path *p);
int ms_path_same(const ms_path *p, double a, double b);
/* 1 + index of the value in the list, 0 if it is not there. */
ptrdiff_t ms_path_find_listed(const ms_path *p, double value);
ms_status ms_path_record(ms_path *p, const double *x, double residual, int iterations, int turn);
/* x_next := the curve at `value`, between spot i and the next. */
ms_status ms_path_land(ms_path *p, ptrdiff_t i, double value, int *iterations, double *error);
/* Every value of the list between spot i and the next, in the order passed. */
ms_status ms_path_land_between(ms_path *p, ptrdiff_t i);

/* path_step.c */
void ms_path_normalise(const ms_path *p, double *t);
/* t: towards `to`. */
ms_status ms_path_first_tangent(ms_path *p);
/* t_next at the new point from its J; returns the cosine to t. */
double ms_path_next_tangent(ms_path *p);
/* MS_STEP_REJECTED; the gravest fault is remembered. */
ms_status ms_path_refuse(ms_path *p, ms_path_fault fault, double error);
/* One attempt of length ds: x_next, t_next. MS_STEP_REJECTED: take a shorter one. */
ms_status ms_path_attempt(ms_path *p, double ds, int *iterations, double *error);
/* Where no step, however short, leads on: the same round a corner. */
ms_status ms_path_turn_corners(ms_path *p, int *iterations, double *error);

/* path_turns.c: the spots of the step from x to the new point p->b, among them its folds and the
   peaks of what is watched. */
ms_status ms_path_find_turns(ms_path *p, int iterations, double error);
/* x_next := the curve at the part u of the way from spot i to the next, as far as a cubic knows. */
void ms_path_interpolate(ms_path *p, ptrdiff_t i, double u);
/* Solves for it in the plane across the chord and enters it as spot i + 1. MS_NOT_CONVERGED. */
ms_status ms_path_add_spot(ms_path *p, ptrdiff_t i, double u);
void ms_path_drop_spot(ms_path *p, ptrdiff_t i);
/* The spot is x_next, where R and J were evaluated last. */
ms_status ms_path_fill_spot(ms_path *p, ms_path_spot *spot, int iterations, double error);
/* s of a point near the step. */
double ms_path_part(ms_path *p, const double *x);

/* path_closed.c. Whether the last step came by where the curve has been before. */
ms_status ms_path_is_closed(ms_path *p, int *closed);

/* path_passed.c. x is a point that the curve has passed. */
void ms_path_pass(ms_path *p);
/* Whether x_next with its direction t_next goes back over a part that has been passed. */
ms_status ms_path_is_retraced(ms_path *p, int *retraced);

/* path_state.c */
ms_status ms_path_load(ms_path *p, const double *state);

#endif
