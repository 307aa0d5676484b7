/* Harmonic balance inside. Letters:

     H, P      harmonics, 2H + 1 coefficients of a periodic function: a_0, a_1, b_1, ...
     N         time points tau_j = 2 pi j/N over a period, tau = Omega t
     n, m      joint axes, modes
     Z         coefficients of the joint axes, P x n
     q         complex first harmonic of the master mode, of which the resonance is; the other modes
               follow from the joints
     d         f - K_T z: a joint's force less that of its stuck spring

   A harmonic as a complex number: x = Re(X exp(i k tau)), X = a - i b.
   Per harmonic, with A = omega^2 - k^2 Omega^2 + i k Omega (c - 2 zeta Omega) over the modes:

     z = F h - G d + e q           G = Gamma^T A^-1 Gamma over the modes without the master,
     a q + e^T d = F b             e = Gamma_master, h = Gamma^T A^-1 p,

   F the level of the loads p, and zeta that of a nonlinear mode, else 0. */
#ifndef MS_RESPONSE_HARMONIC_IMPL_H
#define MS_RESPONSE_HARMONIC_IMPL_H

#include <microslip/harmonic.h>

#include "joint/impl.h"
#include "response/harmonic/continuation.h"
#include "structure/impl.h"

/* What eval differentiates a gain by. */
enum { GAIN_VALUE, GAIN_OMEGA, GAIN_ZETA, N_GAIN };

/* One harmonic's linear part, or a derivative of it; complex numbers as pairs. Axis n is the
   tracked response, which moves but carries no force. */
typedef struct ms_harmonic_gain {
  double *G, *h, *e; /* (n+1) x (n+1), n + 1, n + 1 */
  double a[2], b[2];
} ms_harmonic_gain;

/* A joint over a period. */
typedef struct ms_harmonic_seat {
  ms_joint *joint;
  const double *stuck;
  int n; /* axes, from `first` on */
  ptrdiff_t first;
  int memoryless; /* force is a function of z and v now */
  int rate;       /* force depends on v or dt: one direction more, Omega */
  int twice;      /* two periods are enough */
  ptrdiff_t n_dir;
  ms_tangent *tangent;   /* NULL: memoryless */
  ms_tangent *disturbed; /* stability.c: the same joint, disturbances of q and v; or NULL */
  double *u, *v, *dt;    /* directions of a step's input; u: NULL where the table itself serves */
  double *du, *dv;       /* slopes over the period: [j + N*(a + n*b)] */
  double *dF;            /* derivative of force over the period: [dir + n_dir*(a + n*j)] */
  double *DF;            /* derivative of coefficients: (P n) x (P n), then (P n) for Omega */
} ms_harmonic_seat;

struct ms_harmonic {
  ms_context *ctx;
  ms_structure *structure;
  ms_harmonic_setting setting;
  ms_modal modal;
  ptrdiff_t H, P, N, n, m;
  ptrdiff_t master;

  /* fourier.c: cos and sin and their derivative, P x N; to twice as many harmonics, N x (4H + 1) */
  double *T, *W, *table;
  double *product; /* workspace: P x as many columns as the widest seat has */

  /* joints */
  ms_harmonic_seat *seat;
  double *z, *v, *f, *f_old; /* N x n */
  double *force;             /* coefficients, P x n */
  double repeat;

  /* linear part */
  double *gamma;          /* m x (n + 1) */
  double *load;           /* modal forces, pairs, m x (H + 1): harmonic k at load + 2 m k */
  ms_harmonic_gain *gain; /* N_GAIN x (H + 1) */
  double *store;          /* theirs */
  double *weight;         /* 2 N_GAIN m */
  double *dense;          /* full damping: A, dA Y, Y */
  int *pivot;
  int tracks; /* axis n is in use */
  int apart;  /* a nonlinear mode: others of its frequency are held a little apart */

  /* core.c: X = (Z, Re q, -Im q, Omega, zeta, F), residual of the joints, master, then response */
  double *X, *R, *J;    /* nP + 5, nP + 4, (nP + 4) x (nP + 5) */
  double *X_done;       /* where R and J were evaluated last */
  double *difference;   /* d, P x n */
  double *modal_motion; /* P x m */
  double *amplitude;    /* modal, pairs: workspace of recovery */
  double *scale;        /* of an axis: z times it is the root of an energy */
  ptrdiff_t evaluations;
  double *floquet; /* stability.c: workspace */

  /* checkpoint.c */
  ms_harmonic_look_fn look;
  void *look_user;
  int aside;                                /* on the way to a first point: nobody looks */
  const struct ms_harmonic_problem *looked; /* while somebody looks */
};

enum { AT_Q, AT_OMEGA = 2, AT_ZETA, AT_LEVEL, N_EXTRA }; /* after the n P of Z */

static inline ptrdiff_t ms_harmonic_n_unknown(const ms_harmonic *h) {
  return h->n * h->P;
}

/* fourier.c */
ms_status ms_fourier_open(ms_harmonic *h);
/* The function over the period with coefficients x, and its derivative by t. */
void ms_fourier_expand(const ms_harmonic *h, const double *x, double *y);
void ms_fourier_expand_slope(const ms_harmonic *h, const double *x, double Omega, double *y);
/* Means of y times 1, cos, sin, ...: `size` of them, up to 4H + 1. */
void ms_fourier_mean(const ms_harmonic *h, ptrdiff_t size, const double *y, double *x);
/* y[c + P*i] := coefficients of x[i + columns*j]. */
void ms_fourier_project(const ms_harmonic *h, ptrdiff_t columns, const double *x, double *y);

/* aft.c: forces and their derivatives for Z at Omega: force, seat[].DF, repeat */
ms_status ms_aft_open(ms_harmonic *h);
void ms_aft_close(ms_harmonic *h);
ms_status ms_aft_eval(ms_harmonic *h, const double *Z, double Omega);
/* A seat's input at time point j of the motion that was evaluated last. */
ms_joint_input ms_aft_input(const ms_harmonic *h, const ms_harmonic_seat *s, ptrdiff_t j,
                            double Omega);

/* linear.c */
ms_status ms_linear_open(ms_harmonic *h);
void ms_linear_close(ms_harmonic *h);
ms_status ms_linear_eval(ms_harmonic *h, double Omega, double zeta, int with_zeta);
/* Modal amplitudes of all modes from X and the forces there: q[c + P*mode]. */
ms_status ms_linear_recover(ms_harmonic *h, const double *X, const double *force, double *q);

/* core.c: d := f - K_T z; R and J at X. */
void ms_core_fill_difference(ms_harmonic *h, const double *Z, const double *force);
ms_status ms_core_eval(ms_harmonic *h, int with_zeta);

/* curve.c: points with all that belongs to them. */
struct ms_harmonic_curve {
  ms_context *ctx;
  ptrdiff_t H, P, n, stride;
  int n_seat, is_mode;
  ms_harmonic_point *point;
  double *data; /* for each point X (n P + N_EXTRA), forces (n P), losses (n_seat) */
  ptrdiff_t count, capacity;
  ms_harmonic_curve_info info;
  char reason[240];
};

ms_status ms_curve_create(const ms_harmonic *h, ms_harmonic_curve **out);
/* Keeps the point, and X, forces and losses as they are in h. */
ms_status ms_curve_append(ms_harmonic_curve *curve, const ms_harmonic *h,
                          const ms_harmonic_point *point);
/* Room for at least one more. */
ms_status ms_curve_reserve(ms_harmonic_curve *curve);

/* problem.c: what all runs share. Unknowns are scaled: z times its axis' scale and q times its
   mode's frequency are roots of an energy. */
typedef struct ms_harmonic_problem {
  ms_harmonic *h;
  ms_harmonic_curve *curve;
  int with_zeta; /* zeta is an unknown */
  double range;  /* of the parameter */
  /* h->X := the problem's unknowns, and the point's entries that only the problem knows. */
  void (*place)(struct ms_harmonic_problem *p, const double *x);
  void (*finish)(struct ms_harmonic_problem *p, ms_harmonic_point *point);
  /* resonance.c */
  double turn[2];        /* cos and sin of the force's phase */
  double force;          /* on the master, at level 1 */
  double response_scale; /* of a response to the root of an energy */
  double response_sign;  /* of the mode there */
  int by_response;
  double level_unit; /* of the level, where that is an unknown */
  double enough;     /* stop, as if cancelled, when the level is this; 0: go on */
  /* checkpoint.c */
  const ms_path *path; /* between two of its steps */
  const double *resume;
  ptrdiff_t n_resume;
} ms_harmonic_problem;

/* A path with the run's settings; self is the problem. */
ms_path ms_problem_path(ms_harmonic_problem *p, ptrdiff_t n, const ms_harmonic_range *range);
/* R and J at h->X. */
ms_status ms_problem_eval(ms_harmonic_problem *p);
/* to := column `at` of h->J times factor, the rows of joints and master in their scale. */
void ms_problem_column(const ms_harmonic *h, const double *column, double factor, double *to);
/* Factor of unknown i of Z (i < n P) or q. */
double ms_problem_scale(const ms_harmonic *h, ptrdiff_t i);
double ms_problem_size(ptrdiff_t n, const double *x);
/* Follows the path from x and makes the curve of it. */
ms_status ms_problem_run(ms_harmonic_problem *p, ms_path *path, const double *x,
                         ms_harmonic_curve **out);
/* h->X := a saved state with as many of its harmonics as there are here. */
ms_status ms_problem_restore(ms_harmonic *h, const double *state);
ms_status ms_problem_check_range(const ms_harmonic *h, const ms_harmonic_range *range,
                                 const char *what);
ms_status ms_problem_check_mode(const ms_harmonic *h, ptrdiff_t mode);
/* The elastic mode nearest to Omega. */
ptrdiff_t ms_problem_nearest(const ms_harmonic *h, double Omega);

/* checkpoint.c: what ms_path calls between two steps; and the curve, the master and the counts of
   p->resume, whose part for the path is given back in *state. */
ms_status ms_problem_look(void *self, const ms_path *path, int stop);
ms_status ms_problem_load(ms_harmonic_problem *p, const ms_path *path, const double **state);

/* stability.c: of the motion in h->X, whose forces have just been evaluated. */
ms_status ms_stability_open(ms_harmonic *h);
ms_status ms_stability_eval(ms_harmonic *h, ms_harmonic_point *point);

#endif
