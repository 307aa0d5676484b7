/* [identify] Samples of a probability density that is known up to a factor, such as the posterior
   of parameters given data: the affine-invariant ensemble of walkers of Goodman and Weare (2010),
   and what its chain says about its own convergence (docs/theory/posterior.md). Points are
   column-major, x[j + n_x*i] is parameter j of walker i. */
#ifndef MICROSLIP_POSTERIOR_H
#define MICROSLIP_POSTERIOR_H

#include <microslip/fit.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The natural logarithm of the density at n points, up to a constant; minus infinity where it is
   zero. The same x must give the same value in whatever order, on whatever thread. Any other status
   than success ends the step and is returned. */
typedef ms_status ms_log_density(void *user, ptrdiff_t n, const double *x, double *log_p);

typedef struct ms_ensemble_setting {
  size_t size;        /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ptrdiff_t n_walker; /* even, at least 2 n_x + 2 */
  double
      stretch; /* a > 1: a walker moves by factors between 1/a and a of its distance to another */
  uint64_t seed;
} ms_ensemble_setting;

#define MS_ENSEMBLE_DEFAULT \
  { sizeof(ms_ensemble_setting), 32, 2.0, 1 }
MS_API void ms_ensemble_default(ms_ensemble_setting *setting, size_t size);

/* Step t draws from stream t of the seed alone: a chain is a function of the seed and of where the
   walkers stand. */
typedef struct ms_ensemble ms_ensemble;

MS_API ms_status ms_ensemble_create(ms_context *ctx, ptrdiff_t n_x, ms_log_density *density,
                                    void *user, const ms_ensemble_setting *setting,
                                    ms_ensemble **out);
MS_API void ms_ensemble_destroy(ms_ensemble **ensemble);
/* Puts the walkers at n_walker points where the density is not zero, no two of them equal, not all
   in one plane; evaluates them. */
MS_API ms_status ms_ensemble_start(ms_ensemble *ensemble, const double *x);
/* The same, but a walker where the density is zero is moved half the way to `centre` until it is
   not. MS_ERR_ARGUMENT where that does not help. */
MS_API ms_status ms_ensemble_start_near(ms_ensemble *ensemble, const double *centre,
                                        const double *x);
/* Goes on from where the walkers stood after `step` steps: what follows is what would have
 * followed. */
MS_API ms_status ms_ensemble_restore(ms_ensemble *ensemble, ptrdiff_t step, const double *x,
                                     const double *log_p);
/* Every walker is asked to move once. On any other status than success the walkers stand where they
   stood before the step. */
MS_API ms_status ms_ensemble_step(ms_ensemble *ensemble);

typedef struct ms_ensemble_state {
  ptrdiff_t n_x, n_walker, step;
  const double *x, *log_p; /* valid until the next step */
  ptrdiff_t accepted;      /* moves, of step n_walker proposed since start or restore */
  ptrdiff_t proposed;
} ms_ensemble_state;
MS_API ms_ensemble_state ms_ensemble_get(const ms_ensemble *ensemble);

/* ---- the posterior of a least-squares problem ----------------------------------------------- */

/* Its parameters given that residuals are normal with a standard deviation `noise`, all alike and
   independent. Before the data every t in (0, 1) is as likely as any other (fit.h: p runs between
   its bounds, on its linear or logarithmic scale). Where the model has no answer the density is
   zero. */
typedef struct ms_posterior ms_posterior;

/* The problem is copied, what its pointers point to is borrowed. */
MS_API ms_status ms_posterior_create(ms_context *ctx, const ms_fit_problem *problem, double noise,
                                     ms_posterior **out);
MS_API void ms_posterior_destroy(ms_posterior **posterior);
/* ms_log_density of t, zero outside (0, 1): user is the posterior, which belongs to one thread. */
MS_API ms_status ms_posterior_log_density(void *user, ptrdiff_t n, const double *t, double *log_p);
/* Where n_walker walkers may start, t[j + n*i]: spread about p as the covariance (n x n, of p: see
   ms_fit_judge) says, no wider than a tenth of the bounds' range, inside (0, 1). */
MS_API ms_status ms_posterior_spread(const ms_posterior *posterior, const double *p,
                                     const double *covariance, ptrdiff_t n_walker, uint64_t seed,
                                     double *t);
/* The root of the same covariance in t, L L^T, lower, n x n. */
MS_API ms_status ms_posterior_find_root(const ms_posterior *posterior, const double *p,
                                        const double *covariance, double *L);
/* t of p, and p of n points t; p may be t. */
MS_API void ms_posterior_scale(const ms_posterior *posterior, const double *p, double *t);
MS_API void ms_posterior_unscale(const ms_posterior *posterior, ptrdiff_t n, const double *t,
                                 double *p);

/* ---- what a chain says about itself --------------------------------------------------------- */

/* A chain is x[j + n_x*(i + n_walker*t)], parameter j of walker i after step t. */
typedef struct ms_chain_report {
  double mean, deviation; /* over walkers and steps */
  double tau;             /* integrated autocorrelation time, in steps */
  double effective;       /* independent samples that the chain is worth */
  double error;           /* standard error of the mean */
  double r_hat;           /* spread of means of half chains over spread inside them; 1 at the end */
  int settled;            /* n_step >= 50 tau, and r_hat < 1.05 */
} ms_chain_report;
/* report has n_x entries. Needs n_step >= 4. */
MS_API ms_status ms_chain_diagnose(ms_context *ctx, ptrdiff_t n_x, ptrdiff_t n_walker,
                                   ptrdiff_t n_step, const double *x, ms_chain_report *report);
/* Of n numbers x[0], x[stride], ...: those below which parts u[0 .. n_u-1], in [0, 1], of them lie;
   between two of them on a straight line. n >= 1. */
MS_API ms_status ms_chain_quantiles(ms_context *ctx, ptrdiff_t n, const double *x, ptrdiff_t stride,
                                    ptrdiff_t n_u, const double *u, double *out);
/* n_x x n_x, of n points x[j + n_x*i]; 0 beside what never changes, which has 1 with itself. */
MS_API void ms_chain_correlate(ptrdiff_t n_x, ptrdiff_t n, const double *x, double *correlation);

#ifdef __cplusplus
}
#endif
#endif
