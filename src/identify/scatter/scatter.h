/* Distributions of a law's parameters from joint tests: what the parts share. */
#ifndef MS_IDENTIFY_SCATTER_SCATTER_H
#define MS_IDENTIFY_SCATTER_SCATTER_H

#include <microslip/scatter.h>

#include "identify/calibrate/joint_cycle.h"

struct ms_scatter {
  ms_context *ctx;
  ms_joint *joint, *loss;
  ms_joint *own[2]; /* these two, where they are copies */
  double omega;
  ptrdiff_t n;
  ms_scatter_parameter *parameter;
  double cycle[MS_JOINT_CYCLE_POINTS + 1]; /* room for a cycle's forces */
};

/* ms_scatter_eval; *reached forces were, before one that was not. */
ms_status ms_scatter_eval_until(ms_scatter *scatter, const double *p, ptrdiff_t n,
                                const double *force, double *stiffness, double *loss,
                                ptrdiff_t *reached);

/* The specimens one by one: p_hat and Sigma of each. */
typedef struct ms_specimens {
  ms_scatter *scatter;
  const ms_scatter_data *data;
  const ms_scatter_setting *setting;
  ptrdiff_t *first;   /* row of each specimen, and the end */
  double noise[2];    /* of stiffness and loss */
  double *prior;      /* mean and deviation of each parameter over specimens, as far as known */
  int alone;          /* each specimen's test only, without the prior */
  double *p;          /* n x n_specimen */
  double *covariance; /* n x n x n_specimen */
  int *determined;    /* n x n_specimen */
  double *sharp;      /* n x n_specimen: error of a parameter if the others were known */
  double *start, *scratch; /* of a fit; residuals, Jacobian and differences of one */
  ms_fit_parameter *bound;
} ms_specimens;

/* specimens.c */
ms_status ms_specimens_open(ms_scatter *scatter, const ms_scatter_data *data,
                            const ms_scatter_setting *setting, ms_specimens *out);
void ms_specimens_close(ms_specimens *s);
/* From many starts, each specimen alone; the prior is what all of them show. */
ms_status ms_specimens_begin(ms_specimens *s);
/* Again from where they are, with or without the prior; with covariances. */
ms_status ms_specimens_fit(ms_specimens *s, int alone);
/* Residuals of specimen k in units of the noise: stiffness, then loss; 2 x rows of it. */
ms_status ms_specimens_eval(const ms_specimens *s, ptrdiff_t k, const double *p, double *r);

/* Draws of every specimen's parameters about its fit, and how much each counts: the likelihood of
   the specimen's test at the draw over the density that it was drawn from. Those that count nothing
   are left out. */
typedef struct ms_scatter_draws {
  ptrdiff_t n, n_specimen;
  ptrdiff_t *first; /* of each specimen, and the end */
  double *x;        /* n arrays of all draws, one after the other */
  double *log_w;
} ms_scatter_draws;

/* draws.c */
ms_status ms_scatter_make_draws(const ms_specimens *s, ms_scatter_draws *out);
void ms_scatter_free_draws(ms_context *ctx, ms_scatter_draws *d);

/* likelihood.c: out->distribution, moments, errors, seen, log_likelihood, residual, steps
   and effective. */
ms_status ms_scatter_maximise(const ms_specimens *s, const ms_scatter_draws *draws,
                              ms_scatter_result *out);

/* scatter.c: room for a result. */
ms_status ms_scatter_allocate_result(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_specimen,
                                     ms_scatter_result *r);

/* uncertainty.c: intervals, correlation, remarks. */
ms_status ms_scatter_judge(const ms_specimens *s, ms_scatter_result *out);
/* A line more of the remarks, which have room for MS_SCATTER_REMARKS characters. */
enum { MS_SCATTER_REMARKS = 8192 };
void ms_scatter_remark(ms_scatter_result *out, const char *format, ...) MS_PRINTF(2, 3);
/* t with a probability of `level` inside -+ t, of Student's distribution. */
double ms_scatter_student(double nu, double level);

#endif
