/* Linear updating: numbers of a model (springs, moduli, densities, lengths) that make its modes
   those that were measured (docs/theory/updating.md).

   The model is a function that makes a structure from the numbers; its stuck modes are compared. A
   measured mode is paired with the mode of the model that it is most like, anew at every
   evaluation, so that modes which cross are followed; without measured shapes by its number. */
#ifndef MICROSLIP_UPDATE_H
#define MICROSLIP_UPDATE_H

#include <microslip/fit.h>
#include <microslip/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- likeness and pairs ---- */

/* Modal assurance criterion mac[k + n_a*r] = |a_k^H b_r|^2/(|a_k|^2 |b_r|^2) of shapes at n places,
   a = a_re + i a_im (a_im may be NULL) of which there are n_a, and n_b real ones. 0 where a shape
   is zero at all of the places. */
MS_API void ms_mac(ptrdiff_t n, ptrdiff_t n_a, const double *a_re, const double *a_im,
                   ptrdiff_t n_b, const double *b, double *mac);

/* Assignment: column pair[k] for each of n rows, no column twice, m >= n of them, with the least
   sum of cost[k + n*pair[k]]. */
MS_API ms_status ms_assign(ms_context *ctx, ptrdiff_t n, ptrdiff_t m, const double *cost,
                           ptrdiff_t *pair);

/* ---- what was measured ---- */

typedef struct ms_measured_modes {
  ptrdiff_t n;
  const double *omega;       /* rad/s, > 0 */
  const double *deviation;   /* standard deviation of each, relative, > 0 */
  const ptrdiff_t *mode;     /* without shapes, which mode of the model each is, from 0; NULL: those
                                that are not of a rigid body, in their order */
  const int *row;            /* for messages; NULL: 1, 2, ... */
  ptrdiff_t n_sensor;        /* 0: no shapes */
  const char *const *sensor; /* coordinates of the model */
  const double *re, *im;     /* shapes, n_sensor x n, of any size each; im may be NULL */
  double shape_deviation;    /* standard deviation of a component over the rms of its shape; 0:
                                shapes are for pairs only, and their components no data */
} ms_measured_modes;

/* ---- the model ---- */

/* The structure at p, after its setup; the caller destroys it. */
typedef ms_status ms_update_build(void *user, const double *p, ms_structure **out);

typedef struct ms_update_model {
  ptrdiff_t n; /* numbers p */
  const ms_fit_parameter *parameter;
  ms_update_build *build;
  void *user;
} ms_update_model;

/* A measured mode and the model's. */
typedef struct ms_mode_pair {
  ptrdiff_t mode;  /* of the model, from 0 */
  double omega;    /* of it, rad/s */
  double mac;      /* 0 without shapes */
  ptrdiff_t rival; /* the mode of the model that is most like it of all others; -1: there is none */
  double rival_mac; /* 0 without shapes */
} ms_mode_pair;

typedef struct ms_updating ms_updating;

/* Everything measured is copied; the model's parameters are borrowed. The model is built once, at
   p, to look at it: coordinates that it lacks, fewer modes than measured ones and fewer data than
   numbers are refused. */
MS_API ms_status ms_updating_create(ms_context *ctx, const ms_update_model *model,
                                    const ms_measured_modes *measured, const double *p,
                                    ms_updating **out);
MS_API void ms_updating_destroy(ms_updating **updating);

/* Residuals: (omega/omega_measured - 1)/deviation of each mode; then, where shapes are data, for
   each mode and sensor (c b - a)/(rms of a times deviation), real parts and then imaginary ones if
   there are any, a the measured shape, b the model's, c the complex factor that makes it least. */
MS_API ptrdiff_t ms_updating_count_residuals(const ms_updating *updating);
/* As ms_fit_eval. Derivatives by those of the matrices, phi^T (dK - omega^2 dM) phi, which are
   central differences: exact where K and M are linear in p. They need coordinates that do not
   change with p: a model whose coordinates do, such as modes of a sub-structure, is differenced as
   a whole (ms_fit_problem.has_jacobian = 0). */
MS_API ms_status ms_updating_eval(void *updating, const double *p, double *r, double *jac);

/* The pairs at p, one for each measured mode. */
MS_API ms_status ms_updating_look(ms_updating *updating, const double *p, ms_mode_pair *pair);
/* Of the last look or evaluation: frequencies of the model (rad/s), and with shapes the MAC of each
   measured mode (row) with each of the model's, column-major. Valid until the next. */
typedef struct ms_mac_view {
  ptrdiff_t n_row, n_column;
  const double *omega, *mac; /* mac is NULL without shapes */
} ms_mac_view;
MS_API ms_mac_view ms_updating_get_mac(const ms_updating *updating);
/* MS_ERR_ARGUMENT if a measured mode is less like its pair than `least`: the message names modes
   and values. Nothing without shapes. */
MS_API ms_status ms_updating_check_pairs(const ms_updating *updating, const ms_mode_pair *pair,
                                         double least);

#ifdef __cplusplus
}
#endif
#endif
