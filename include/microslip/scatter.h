/* Random joints: distributions of a law's parameters from joint tests on many specimens
   (docs/theory/scatter.md).

   Every specimen is a joint with values of its own of the law's random parameters, which are
   independent of each other. A test cycles it at rising force amplitudes and reports the secant
   stiffness (force over displacement between the turning points) and the loss per cycle of each;
   both come with relative noise. Identified are the members of given families (distribution.h)
   under which all tests together are likeliest. SI units. */
#ifndef MICROSLIP_SCATTER_H
#define MICROSLIP_SCATTER_H

#include <microslip/distribution.h>
#include <microslip/fit.h>
#include <microslip/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a parameter is for. A law may have one value for its stiffness and another for its loss. */
typedef enum ms_scatter_role {
  MS_SCATTER_BOTH,
  MS_SCATTER_STIFFNESS,
  MS_SCATTER_LOSS
} ms_scatter_role;

typedef struct ms_scatter_parameter {
  const char *name;  /* for messages: "chi of the loss"; borrowed */
  const char *param; /* of the law, one of the set that the joint was given in; borrowed */
  ms_scatter_role role;
  ms_family family;
  double lower, upper; /* of the distribution; inside what the law takes */
  double least, most;  /* where a specimen's value is searched, inside the former */
} ms_scatter_parameter;

typedef struct ms_scatter ms_scatter;

/* The joint, set up and with one axis, is borrowed: its random parameters are set again and again,
   the others stay. `loss` is another of the same law for what has the role MS_SCATTER_LOSS, NULL
   where nothing has: the displacement is then that of `joint`, the loss that of `loss` at this
   displacement. omega, rad/s, is for laws that know a rate. */
MS_API ms_status ms_scatter_create(ms_joint *joint, ms_joint *loss, double omega, ptrdiff_t n,
                                   const ms_scatter_parameter *parameter, ms_scatter **out);
/* The joints keep the values that they had last. */
MS_API void ms_scatter_destroy(ms_scatter **scatter);
/* The test of one specimen, parameters p, at n force amplitudes > 0: stiffness, N/m, and loss, J
   per cycle. MS_NOT_CONVERGED with the force named where the joint does not reach it. */
MS_API ms_status ms_scatter_eval(ms_scatter *scatter, const double *p, ptrdiff_t n,
                                 const double *force, double *stiffness, double *loss);

/* Tests, a row for each force of each specimen, rising. */
typedef struct ms_scatter_data {
  ptrdiff_t n, n_specimen;
  const ptrdiff_t *specimen; /* 0 .. n_specimen-1; rows of a specimen follow each other */
  const double *force, *stiffness, *loss;
  const int *row; /* where they came from, for messages; NULL: from 1 on */
} ms_scatter_data;

typedef struct ms_scatter_setting {
  double noise[2];  /* standard deviation, relative, of stiffness and loss; 0: to be estimated */
  ptrdiff_t draws;  /* of each specimen's parameters */
  ptrdiff_t starts; /* of each specimen's fit */
  uint64_t seed;
  int max_steps; /* of the likelihood */
} ms_scatter_setting;

#define MS_SCATTER_DEFAULT \
  { { 0.0, 0.0 }, 400, 6, 1, 400 }

enum { MS_SCATTER_LEAST = 4 }; /* specimens */

/* Matrices are n x n_specimen or n x n. */
typedef struct ms_scatter_result {
  ptrdiff_t n, n_specimen;
  ms_distribution *distribution;
  double *mean, *deviation;             /* of the distributions */
  double *mean_error, *deviation_error; /* standard errors */
  double *mean_interval,
      *deviation_interval; /* 2 x n: of 95 %, for as few specimens as there are */
  int *seen;               /* 0: the deviation is not told from zero, and held at a small value */
  double *p, *p_error;     /* each specimen's own fit, and its standard errors */
  double *correlation;     /* between parameters, over specimens; 0 where it cannot be told */
  double *dependence;      /* its distance from none, in standard errors */
  double noise[2];         /* that was used */
  double log_likelihood;
  double residual;  /* distance from the maximum, in standard errors */
  int steps;        /* to the maximum */
  double effective; /* smallest number of effective draws of a specimen */
  char *remarks;    /* in words, one per line; "" if there are none */
} ms_scatter_result;

/* What ms_scatter_identify would refuse whatever the joint: values that are not positive, fewer
   specimens than MS_SCATTER_LEAST. */
MS_API ms_status ms_scatter_check_data(ms_context *ctx, const ms_scatter_data *data);

/* Refused with rows named: values that are not positive, specimens with fewer numbers than
   parameters, fewer than MS_SCATTER_LEAST. A function of the seed, not of what was done before.
   setting may be NULL. Memory is the result's, also after a failure. */
MS_API ms_status ms_scatter_identify(ms_scatter *scatter, const ms_scatter_data *data,
                                     const ms_scatter_setting *setting, ms_scatter_result *out);
MS_API void ms_scatter_result_destroy(ms_context *ctx, ms_scatter_result *result);

/* Values of the parameters for n_specimen joints; specimen i draws from stream i of the seed. */
MS_API void ms_scatter_draw(ptrdiff_t n, const ms_distribution *d, ptrdiff_t n_specimen,
                            uint64_t seed, double *p);
/* The same from distributions that are known as well as so many specimens tell them: each joint's
   from another one that might as well be true. Bands of these cover new joints as often as they
   say. */
MS_API void ms_scatter_predict(const ms_scatter *scatter, const ms_scatter_result *result,
                               ptrdiff_t n_specimen, uint64_t seed, double *p);
/* Synthetic tests at the specimens and forces of `like`, whose stiffness and loss are not looked
   at: joints with parameters p (n x n_specimen), noise on the logarithms from the seed. Both are 0
   from the first force of a specimen on that it does not reach. */
MS_API ms_status ms_scatter_simulate(ms_scatter *scatter, const ms_scatter_data *like,
                                     const double *p, const double noise[2], uint64_t seed,
                                     double *stiffness, double *loss);

/* Quantiles over random joints at each of n_force rising forces. */
typedef struct ms_scatter_bands {
  ptrdiff_t n_force, n_level;
  double *stiffness, *loss; /* n_level x n_force */
  ptrdiff_t *reach;         /* n_force: samples that reach the force; the quantiles are theirs */
} ms_scatter_bands;
/* Of joints with parameters p, n x samples. noise: of the measurement, from the seed; {0, 0} for
   bands of the joints themselves. At least 8 of them must reach every force. Memory is the bands',
   also after a failure. */
MS_API ms_status ms_scatter_make_bands(ms_scatter *scatter, ptrdiff_t samples, const double *p,
                                       const double noise[2], ptrdiff_t n_force,
                                       const double *force, ptrdiff_t n_level, const double *level,
                                       uint64_t seed, ms_scatter_bands *out);
MS_API void ms_scatter_bands_destroy(ms_context *ctx, ms_scatter_bands *bands);
#ifdef __cplusplus
}
#endif
#endif
