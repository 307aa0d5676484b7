/* The parts of the fit of a modal Iwan model. Inside a fit everything is dimensionless: amplitudes
   over q_ref, frequencies over omega_ref. */
#ifndef MS_IDENTIFY_MODAL_FIT_H
#define MS_IDENTIFY_MODAL_FIT_H

#include "identify/modal/iwan.h"

typedef struct ms_modal_point {
  double ln_q, omega, ln_zeta;
  double share;  /* 1 / number of points in its bin */
  ptrdiff_t bin; /* 0 ... n_bin - 1 */
  int far;       /* printed form: beyond macroslip */
} ms_modal_point;

typedef struct ms_modal_points {
  ptrdiff_t n, n_bin;
  ms_modal_point *at; /* in order of amplitude */
  double omega_scale; /* frequency residuals are differences over this */
} ms_modal_points;

/* Puts every point into its bin (bins of equal width in ln q from the lowest point of the whole
   record, ln_q_0) and counts the bins that have any. */
void ms_modal_points_bin(ms_modal_points *points, double ln_q_0, double bins_per_decade);
/* One mean point for each bin of `from`, each its own bin. */
void ms_modal_points_coarsen(const ms_modal_points *from, ms_modal_points *to);
/* The points of `from` below lo and above hi (amplitudes), those marked far. */
void ms_modal_points_select(const ms_modal_points *from, double ln_lo, double ln_hi,
                            ms_modal_points *to);

/* Residuals r[0 ... n_bin-1] of ln zeta and r[n_bin ... 2 n_bin - 1] of omega, data minus model,
   means over bins; and if jac is not NULL their derivatives by the variables listed in free[],
   column-major with 2 n_bin rows. */
void ms_modal_residual(const ms_modal_points *points, const double x[MS_MODAL_N], int n_free,
                       const int *free, double *r, double *jac);

typedef struct ms_modal_work {
  const ms_modal_fit_setting *setting;
  double *r, *jac, *spare; /* 2 n_bin, 6 * 2 n_bin, 2 n_bin + 64 */
} ms_modal_work;

/* A result of least squares: variables, sum of squares, evaluations, and whether it converged. */
typedef struct ms_modal_run {
  double x[MS_MODAL_N];
  double sum;
  int evaluations, converged;
} ms_modal_run;

/* Levenberg-Marquardt from run->x over the variables whose bit is set in `mask`. */
enum { MS_FIT_ALL = (1 << MS_MODAL_N) - 1 };
void ms_modal_least_squares(ms_modal_work *work, const ms_modal_points *points, unsigned mask,
                            ms_modal_run *run);

/* The best over shapes of the element (chi, beta) for one phi_max, the rest by linear least
 * squares. */
void ms_modal_scan(ms_modal_work *work, const ms_modal_points *coarse, double ln_phi,
                   ms_modal_run *best);
/* The best of many starts on coarse points with the continuous form. */
void ms_modal_start(ms_modal_work *work, const ms_modal_points *coarse, ms_modal_run *best,
                    int *starts);

/* Parts of ms_identify_fit_modal: without the question whether macroslip rests on the highest bin
   alone, and with phi_max at twice the largest amplitude and beta = 1. */
typedef enum ms_modal_part { MS_MODAL_WHOLE, MS_MODAL_UNASKED, MS_MODAL_TAME } ms_modal_part;
ms_status ms_modal_fit_part(ms_context *ctx, ptrdiff_t n, const double *q, const double *omega,
                            const double *zeta, const ms_modal_fit_setting *setting,
                            ms_modal_part part, ms_modal_iwan *model, ms_modal_fit_report *report);
/* Parameters of macroslip are not determined where a fit without the highest bin does not determine
   the slip force; NULL: it could not be made. */
void ms_modal_rest_on_one(const ms_modal_fit_report *without, ms_modal_fit_report *report);

/* Covariance, what is not determined, and words; omega_ref and q_ref give back the units. */
ms_status ms_modal_judge(ms_context *ctx, ms_modal_work *work, const ms_modal_points *points,
                         const ms_modal_run *run, double omega_ref, double q_ref,
                         ms_modal_fit_report *report);

#endif
