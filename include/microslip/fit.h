/* [identify] Least squares with bounds: parameters p that minimise the sum of squares of residuals
   r(p), how well they are known, and which combinations of them the data do not determine
   (docs/theory/fit.md).

   Each parameter is searched between two bounds, on a linear or a logarithmic scale; inside, every
   one runs over t in (0, 1). The caller defines the residuals: model minus data, each in
   units of its standard deviation where that is known. */
#ifndef MICROSLIP_FIT_H
#define MICROSLIP_FIT_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_fit_parameter {
  const char *name;    /* for remarks: "K_T of lap"; borrowed */
  double lower, upper; /* lower < upper; both above zero on a logarithmic scale */
  int logarithmic;
  double unit; /* what counts as a large change, > 0; 0: p itself on a logarithmic scale, half the
                  range on a linear one */
} ms_fit_parameter;
/* Bounds above zero whose ratio is 10 or more are searched on a logarithmic scale. */
MS_API void ms_fit_choose_scale(ms_fit_parameter *parameter);

/* Residuals at p, m of them; jac[k + m*j] = dr_k/dp_j if it is not NULL. MS_NOT_CONVERGED where the
   model has no answer at p: the search turns back. Any other failure ends it and is returned. */
typedef ms_status ms_fit_eval(void *user, const double *p, double *r, double *jac);

typedef struct ms_fit_problem {
  ptrdiff_t n, m; /* parameters, residuals; m >= n >= 1 */
  const ms_fit_parameter *parameter;
  ms_fit_eval *eval;
  void *user;
  int has_jacobian; /* 0: eval is never asked for one; central differences are used */
} ms_fit_problem;

typedef struct ms_fit_setting {
  size_t size;      /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  double tolerance; /* relative, of parameters; its square, of the sum of squares, which is flat at
                       its minimum (with `secant`: itself) */
  int max_evaluations; /* of the residuals, from one start */
  double step;         /* of central differences, in t */
  int known_noise;     /* 1: residuals are in units of their standard deviation. 0: one common
                          standard deviation is estimated from what is left */
  double weak;   /* a change by one unit that moves the residuals (rms, in units of their scatter or
                    of the data) by less than this goes unseen */
  double vague;  /* a direction with a larger standard error than this, in units, is open */
  uint64_t seed; /* of the starts */
  double middle; /* of half the range: a start so near to the middle is the middle */
  double secant; /* > 0, without a Jacobian: the search has one-sided differences with this step in
                    t, and secants between them; 0: central differences at every step */
} ms_fit_setting;

#define MS_FIT_DEFAULT \
  { sizeof(ms_fit_setting), 1e-12, 400, 1e-5, 0, 1e-6, 0.5, 1, 1e-6, 0.0 }
MS_API void ms_fit_default(ms_fit_setting *setting, size_t size);

typedef enum ms_fit_end {
  MS_FIT_CONVERGED,
  MS_FIT_UNFINISHED, /* max_evaluations came first */
  MS_FIT_FAILED      /* the model has no answer at the start */
} ms_fit_end;

typedef struct ms_fit_local {
  ms_fit_end end;
  double sum; /* of squares */
  int evaluations, jacobians;
  double gradient; /* largest cosine between the residuals and a column of the Jacobian */
} ms_fit_local;

/* Start k of n_start: a Latin hypercube over the bounds, a function of the seed. */
MS_API ms_status ms_fit_get_start(ms_context *ctx, const ms_fit_problem *problem,
                                  const ms_fit_setting *setting, ptrdiff_t n_start, ptrdiff_t k,
                                  double *p);
/* Levenberg-Marquardt from p, which is replaced by the best point found. setting may be NULL. */
MS_API ms_status ms_fit_from(ms_context *ctx, const ms_fit_problem *problem,
                             const ms_fit_setting *setting, double *p, ms_fit_local *out);

/* What a fit is worth. */
typedef struct ms_fit_judgement {
  double *standard_error; /* n, of p */
  double *covariance;     /* n x n, of p */
  double *correlation;    /* n x n */
  int *determined;        /* n; 0: the data do not determine this parameter */
  int *at_bound;          /* n; -1: at the lower bound, 1: at the upper, 0: inside */
  double *sigma;          /* n singular values of the Jacobian in units, falling */
  double *direction;      /* n x n: column k is the direction of sigma[k], in units */
  int *open;              /* n: 1 where the data do not see direction k */
  int n_open;
  double scatter;   /* standard deviation of a residual: estimated, or 1 where the noise is known */
  double rms;       /* of the residuals */
  double condition; /* sigma[0]/sigma[n-1], at most 1e16 */
  char *remarks;    /* in words, one per line; "" if there are none */
} ms_fit_judgement;

/* At p, usually a minimum. Along directions that the data do not see the covariance says that the
   parameters are unknown by one unit, or more if the scatter says more. Memory is the judgement's.
 */
MS_API ms_status ms_fit_judge(ms_context *ctx, const ms_fit_problem *problem,
                              const ms_fit_setting *setting, const double *p,
                              ms_fit_judgement *out);
/* The parameter that is determined k-th best (from 0) by its standard error over p; those that the
   data do not determine come last. */
MS_API ptrdiff_t ms_fit_rank(const ms_fit_judgement *judgement, ptrdiff_t n, const double *p,
                             ptrdiff_t k);
MS_API void ms_fit_judgement_destroy(ms_context *ctx, ms_fit_judgement *judgement);

/* ---- many starts ---------------------------------------------------------------------------- */

/* Local fits from several starts. */
typedef struct ms_starts {
  ptrdiff_t n, count;            /* parameters, starts */
  const ms_fit_parameter *bound; /* borrowed */
  double *found;                 /* n x count: where each has come to */
  ms_fit_local *local;
} ms_starts;

MS_API ms_status ms_starts_open(ms_context *ctx, ptrdiff_t n, ptrdiff_t count,
                                const ms_fit_parameter *bound, ms_starts *out);
MS_API void ms_starts_close(ms_context *ctx, ms_starts *starts);
/* What a start has come to, as finite numbers: how many, and into `values` unless that is NULL; and
   back. */
MS_API ptrdiff_t ms_starts_save(const ms_starts *starts, ptrdiff_t k, double *values);
MS_API ms_status ms_starts_load(ms_context *ctx, ms_starts *starts, ptrdiff_t k,
                                const double *values, ptrdiff_t n);
/* The start with the least sum of squares, the first of those that are within `equal` of it; -1 if
   none has an answer. */
MS_API ptrdiff_t ms_starts_find_best(const ms_starts *starts, double equal);
/* Whether two have an answer and came to the same point; how many did with another. */
MS_API int ms_starts_agree(const ms_starts *starts, ptrdiff_t a, ptrdiff_t b);
MS_API ptrdiff_t ms_starts_count_agreeing(const ms_starts *starts, ptrdiff_t with);
/* A fit is judged by its Jacobian, at one point: a valley that bends, or that ends at a corner
   there, looks like a pit. Parameters that starts as good as the best have elsewhere become not
   determined, with a remark. As good: their sum of squares is within that of one residual of size
   `scatter`. */
MS_API ms_status ms_starts_weigh_rivals(ms_context *ctx, const ms_starts *starts, ptrdiff_t best,
                                        double scatter, ms_fit_judgement *judgement);
/* Reasons to doubt an answer, as sentences, into text; 0 if there is none. The i-th of start
   `best`: the fit is unfinished, or a parameter is at its bound. Parameters that the data do not
   determine. One parameter that is at its lower (-1) or upper bound (1). */
MS_API int ms_starts_warning(const ms_starts *starts, ptrdiff_t best,
                             const ms_fit_judgement *judgement, ptrdiff_t i, char *text,
                             size_t size);
MS_API int ms_starts_open_warning(const ms_starts *starts, const ms_fit_judgement *judgement,
                                  char *text, size_t size);
MS_API int ms_fit_bound_warning(const ms_fit_parameter *parameter, int at_bound, char *text,
                                size_t size);

#ifdef __cplusplus
}
#endif
#endif
