/* Harmonic balance inside. Letters:

     H, P      harmonics, 2H + 1 coefficients of a periodic function: a_0, a_1, b_1, ...
     N         time points tau_j = 2 pi j/N over a period, tau = Omega t
     n, m      joint axes (and those of bending, below), modes
     Z         coefficients of the joint axes, P x n
     q         complex first harmonic of the master mode, of which the resonance is; the other modes
               follow from the joints
     d         f - K_T z: a joint's force less that of its stuck spring

   A harmonic as a complex number: x = Re(X exp(i k tau)), X = a - i b.
   Per harmonic, with A = omega^2 - k^2 Omega^2 + i k Omega (c - 2 zeta Omega) over the modes:

     z = F h - G d + e q           G = Gamma^T A^-1 Gamma over the modes without the master,
     a q + e^T d = F b             e = Gamma_master, h = Gamma^T A^-1 p,

   F the level of the loads p, and zeta that of a nonlinear mode, else 0.

   A attachment with curvature has more axes than its joint: beside x = Gamma^T q the modal
   coordinates y of which its displacement is a quadratic function. Of such a attachment (curved.c)

     z = x + y^T curvature y/2,   force on x: f,   force on y: curvature y f,   d = f - K_T x on x
   alone. */
#ifndef MS_RESPONSE_HARMONIC_IMPL_H
#define MS_RESPONSE_HARMONIC_IMPL_H

#include <microslip/harmonic.h>

#include "core/internal.h"
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

typedef struct ms_harmonic_contact ms_harmonic_contact;

/* A joint over a period. */
typedef struct ms_harmonic_attachment {
  ms_joint *joint;
  const double *stuck;
  int n; /* axes, from `first` on */
  ptrdiff_t first;
  ptrdiff_t n_curved, first_curved; /* axes of y, 0 for most; and */
  double *const *curvature;         /* the curvature of each axis in them, or NULL */
  ptrdiff_t P;                      /* coefficients of z: h->P, of curved ones 4H + 1; and */
  const double *T, *W;              /* tables of as many rows */
  int memoryless;                   /* force is a function of z and v now */
  int rate;                         /* force depends on v or dt: one direction more, Omega */
  int twice;                        /* two periods are enough */
  ptrdiff_t n_dir;
  ms_tangent *tangent;   /* NULL: memoryless */
  ms_tangent *disturbed; /* stability.c: the same joint, disturbances of q and v; or NULL */
  double *u, *v, *dt;    /* directions of a step's input; u: NULL where the table itself serves */
  double *du, *dv;       /* slopes over the period: [j + N*(a + n*b)] */
  double *dF;            /* derivative of force over the period: [dir + n_dir*(a + n*j)] */
  double *D;             /* derivative of f's coefficients by z's: (P n) x (P n), then (P n) for
                            Omega */
  double *DF;            /* of the forces on x and y by Z, the same way: D, or bent */
  /* curved.c: coefficients of z (P x n); dz/dy in coefficients, (P n) x (h->P n_curved); DF; E */
  double *motion, *S, *bent, *work;
} ms_harmonic_attachment;

/* Axes of the attachment, and where axis a of them is among all. */
static inline ptrdiff_t ms_harmonic_wide(const ms_harmonic_attachment *s) {
  return s->n + s->n_curved;
}

static inline ptrdiff_t ms_harmonic_axis(const ms_harmonic_attachment *s, ptrdiff_t a) {
  return a < s->n ? s->first + a : s->first_curved + a - s->n;
}

struct ms_harmonic {
  ms_context *ctx;
  ms_structure *structure;
  ms_harmonic_setting setting;
  ms_modal modal;
  ptrdiff_t H, P, N, n, m;
  ptrdiff_t master;

  /* fourier.c: cos and sin and their derivative, P x N; to twice as many harmonics, N x (4H + 1) */
  double *T, *W, *table;
  double *T_wide, *W_wide; /* as T and W, 4H + 1 rows; where a attachment is curved */
  double *product;         /* workspace: P x as many columns as the widest attachment has */

  /* joints */
  int n_attachment;
  ms_harmonic_contact *contact; /* contact.c: the only one then; NULL: none */
  ms_harmonic_attachment *attachment;
  double *z, *v, *f, *f_old; /* N x n */
  double *force;             /* coefficients, P x n */
  int has_phase;             /* time points may be counted from the joints' phase */
  double phase;              /* from which time points are counted */
  double *circle;            /* cos and sin of 0 to H times it */
  double *later;             /* Z from there on; workspace: 2 P n */
  double *beyond; /* coefficients of f to harmonic 2H, pairs of displacements; workspace */
  double *slope;  /* of the phase by a and b of each axis; a column of J */
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
  int approaching;                          /* on the way to a first point: nobody looks */
  const struct ms_harmonic_problem *looked; /* while somebody looks */
};

enum { AT_Q, AT_OMEGA = 2, AT_ZETA, AT_LEVEL, N_EXTRA }; /* after the n P of Z */

static inline ptrdiff_t ms_harmonic_n_unknown(const ms_harmonic *h) {
  return h->n * h->P;
}

/* fourier.c */
enum { MS_FOURIER_THREADLESS = 200000 }; /* multiplications for which BLAS starts no threads */
ms_status ms_fourier_open(ms_harmonic *h);
/* The function over the period with coefficients x, and its derivative by t, to harmonic H. */
void ms_fourier_expand(const ms_harmonic *h, const double *x, double *y);
void ms_fourier_expand_slope(const ms_harmonic *h, ptrdiff_t H, const double *x, double Omega,
                             double *y);
/* Means of y times 1, cos, sin, ...: `size` of them, up to 4H + 1; and coefficients. */
void ms_fourier_mean(const ms_harmonic *h, ptrdiff_t size, const double *y, double *x);
void ms_fourier_analyse(const ms_harmonic *h, ptrdiff_t size, const double *y, double *x);
/* y[c + P*i] := coefficients of x[i + columns*j], P of them with the table T. */
void ms_fourier_project(const ms_harmonic *h, ptrdiff_t P, const double *T, ptrdiff_t columns,
                        const double *x, double *y);
/* Twice the mean of T_c s T_d, from the means g of s: 1, cos, sin, ... */
static inline double ms_fourier_pair(const double *g, ptrdiff_t c, ptrdiff_t d) {
  ptrdiff_t i = (c + 1) / 2, k = (d + 1) / 2, sum = i + k, gap = i > k ? i - k : k - i;
  double cos_sum = sum == 0 ? g[0] : g[2 * sum - 1], sin_sum = sum == 0 ? 0.0 : g[2 * sum];
  double cos_gap = gap == 0 ? g[0] : g[2 * gap - 1], sin_gap = gap == 0 ? 0.0 : g[2 * gap];
  int sine_c = c > 0 && c % 2 == 0, sine_d = d > 0 && d % 2 == 0;
  if (!sine_c && !sine_d) return cos_gap + cos_sum;
  if (sine_c && sine_d) return cos_gap - cos_sum;
  if (i < k) sin_gap = -sin_gap; /* sin of i - k */
  return sine_c ? sin_sum + sin_gap : sin_sum - sin_gap;
}

/* aft.c: forces and their derivatives for Z at Omega: force, attachment[].DF, repeat */
ms_status ms_aft_open(ms_harmonic *h);
void ms_aft_close(ms_harmonic *h);
ms_status ms_aft_eval(ms_harmonic *h, const double *Z, double Omega);
/* A attachment's input at time point j of the motion that was evaluated last. */
ms_joint_input ms_aft_input(const ms_harmonic *h, const ms_harmonic_attachment *s, ptrdiff_t j,
                            double Omega);

/* phase.c: h->later := the motion Z less its phase; forces, DF and motions of attachments with it
   again; the change of d with the phase, P x n, and that of the phase with a and b of each axis. */
void ms_phase_open(ms_harmonic *h);
/* The phase of a nonlinear mode is fixed by its own equation. */
static inline int ms_phase_counts(const ms_harmonic *h) {
  return h->has_phase && !h->apart;
}
void ms_phase_remove(ms_harmonic *h, const double *Z);
void ms_phase_restore(ms_harmonic *h);
double *ms_phase_fill_change(ms_harmonic *h);
void ms_phase_fill_slope(const ms_harmonic *h, const double *Z, double *slope);

/* curved.c: attachments with curvature. Their motion z over time from Z; derivatives of forces over
   time from the slopes, where the law has no memory; and then forces on y, and DF. */
ms_status ms_curved_open(ms_harmonic *h, const ms_attachment *from, ms_harmonic_attachment *s);
void ms_curved_close(ms_harmonic *h, ms_harmonic_attachment *s);
void ms_curved_fill_motion(ms_harmonic *h, ms_harmonic_attachment *s, double Omega);
void ms_curved_fill_slopes(ms_harmonic *h, ms_harmonic_attachment *s, double Omega);
void ms_curved_finish(ms_harmonic *h, ms_harmonic_attachment *s, const double *Z);
/* out := curvature y at time point j, of the displacements (table z of h) or of velocities (v). */
void ms_curved_pull(const ms_harmonic *h, const ms_harmonic_attachment *s, int a,
                    const double *table, ptrdiff_t j, double *out);

/* linear.c */
ms_status ms_linear_open(ms_harmonic *h);
void ms_linear_close(ms_harmonic *h);
ms_status ms_linear_eval(ms_harmonic *h, double Omega, double zeta, int with_zeta);
/* Modal amplitudes of all modes from X and the forces there: q[c + P*mode]. */
ms_status ms_linear_recover(ms_harmonic *h, const double *X, const double *force, double *q);
/* How joint forces with these coefficients, `size` for each axis, move the axes of the stuck
   structure in harmonic k > H, as pairs; of a full damping matrix its diagonal counts. */
void ms_linear_move(const ms_harmonic *h, ptrdiff_t k, double Omega, double zeta, ptrdiff_t size,
                    const double *force, double *pair);

/* core.c: d := f - K_T z; R and J at X. */
void ms_core_fill_difference(ms_harmonic *h, const double *Z, const double *force);
ms_status ms_core_eval(ms_harmonic *h, int with_zeta);

/* curve.c: points with all that belongs to them. */
struct ms_harmonic_curve {
  ms_context *ctx;
  ptrdiff_t H, P, n, stride;
  ptrdiff_t n_own; /* axes of joints where some attachment is curved, else 0 */
  int n_attachment, is_mode;
  ms_harmonic_point *point;
  /* For each point X (n P + N_EXTRA), forces (n P), losses (n_attachment), z (n_own P). */
  double *data;
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
  double response, response_unit; /* forced.c: the amplitude that is held, and where it leads */
  double level_unit;              /* of the level, where that is an unknown */
  double enough;                  /* stop, as if cancelled, when the level is this; 0: go on */
  /* checkpoint.c */
  const ms_path *path; /* between two of its steps */
  const double *resume;
  ptrdiff_t n_resume;
} ms_harmonic_problem;

/* Axis n becomes the displacement `weights` over the coordinates, NULL: the master's coordinate;
   column r of gamma's axis n is what mode r moves it by. */
void ms_problem_track(ms_harmonic *h, const double *weights);
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

/* contact.c: contact between solids, where the structure has some: h->modal, axes and attachments.
   Begin at rest, then a period: forces over time and their derivatives. */
ms_status ms_harmonic_contact_open(ms_harmonic *h);
void ms_harmonic_contact_close(ms_harmonic *h);
ms_status ms_harmonic_contact_attach(ms_harmonic *h, ms_harmonic_attachment *s);
ms_status ms_harmonic_contact_begin(ms_harmonic *h);
ms_status ms_harmonic_contact_march(ms_harmonic *h, ms_harmonic_attachment *s);
/* For stability.c: 2m disturbances in the place of the coefficients, and back. They begin at the
   last time point as q (m x 2m, column by disturbance); in each step the slopes du and what forces
   on the modes p (m x 2m) the points' memory would cause with q = 0, then the step with q. */
ptrdiff_t ms_harmonic_contact_count_elastic(const ms_harmonic *h);
ms_status ms_harmonic_contact_open_disturbed(ms_harmonic *h);
void ms_harmonic_contact_swap(ms_harmonic *h);
void ms_harmonic_contact_begin_disturbed(ms_harmonic *h, const double *q);
ms_status ms_harmonic_contact_look(ms_harmonic *h, ptrdiff_t j, double *p);
void ms_harmonic_contact_step(ms_harmonic *h, const double *q);
void ms_harmonic_contact_combine(ms_harmonic *h, const double *S);
/* The time points do not resolve mode r: it follows without inertia, as in time. */
int ms_harmonic_contact_is_static(const ms_harmonic *h, ptrdiff_t r, double Omega);

/* stability.c: of the motion in h->X, whose forces have just been evaluated. */
ms_status ms_stability_open(ms_harmonic *h);
ms_status ms_stability_eval(ms_harmonic *h, ms_harmonic_point *point);

#endif
