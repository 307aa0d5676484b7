/* [identify] Random joints: distributions of a law's parameters from joint tests on many specimens
   (docs/theory/scatter.md).

   Every specimen is a joint with its own values of the law's random parameters, which are
   independent of each other. A test cycles it at rising force amplitudes and reports the secant
   stiffness (force over displacement between the turning points) and the energy dissipated per
   cycle of each; both have relative noise. The result is the members of given families
   (distribution.h) of largest likelihood for all tests. SI units. */
#ifndef MICROSLIP_SCATTER_H
#define MICROSLIP_SCATTER_H

#include <microslip/distribution.h>
#include <microslip/fit.h>
#include <microslip/joint.h>
#include <microslip/tolerance.h>

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
/* The same on copies of the joint, which are the scatter's: two where a parameter has the role
   MS_SCATTER_LOSS. */
MS_API ms_status ms_scatter_create_copy(ms_context *ctx, const ms_joint *joint, double omega,
                                        ptrdiff_t n, const ms_scatter_parameter *parameter,
                                        ms_scatter **out);
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

#define MS_SCATTER_TOLERANCES(X)                                                                  \
  X(first_noise, 0.02, "relative, supposed until the noise is estimated")                         \
  X(least_noise, 1e-6, "relative: data without any noise have some rounding at least")            \
  X(noise_settled, 1e-3, "relative change of the noise between rounds that is none")              \
  X(narrow, 1e-3, "of the searched range: a first standard deviation is no less")                 \
  X(wide, 10.0, "ratio of bounds from which they are searched by logarithms")                     \
  X(wider, 1.25,                                                                                  \
    "standard deviation of the draws over that of a specimen's fit, so that no tail is missed")   \
  X(settled, 0.02,                                                                                \
    "standard deviations that a distribution moves between rounds and still is the same")         \
  X(slow_end, 1e-3, "change of log L per specimen: near enough for Newton's method")              \
  X(step, 1e-3, "of differences of log L, in standard deviations and in ln s")                    \
  X(largest, 0.5, "of Newton's steps, in the same")                                               \
  X(end, 1e-6, "standard errors from the maximum where the search ends")                          \
  X(enough, 1e-2, "the same, when the steps are used up")                                         \
  X(rise, 1.1, "of the floor: a standard deviation that is held there is let go above")           \
  X(floor, 0.2,                                                                                   \
    "of the error of a test that had to tell this parameter only: least standard deviation")      \
  X(doubt, 2.81, "standard errors of a correlation that chance does not reach: 0.5 %, two-sided") \
  X(few, 20.0, "effective draws of a specimen: fewer are worth a remark")                         \
  X(unseen, 1.645, "standard errors of a variance beyond which it would be seen: 5 %, one-sided")
typedef struct ms_scatter_tolerances {
  MS_SCATTER_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_scatter_tolerances;
#define MS_SCATTER_TOLERANCES_DEFAULT \
  { MS_SCATTER_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_scatter_setting {
  size_t size;      /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  double noise[2];  /* standard deviation, relative, of stiffness and loss; 0: to be estimated */
  ptrdiff_t draws;  /* of each specimen's parameters */
  ptrdiff_t starts; /* of each specimen's fit */
  uint64_t seed;
  int max_steps; /* of the likelihood */
  ms_scatter_tolerances tol;
} ms_scatter_setting;

#define MS_SCATTER_DEFAULT \
  { sizeof(ms_scatter_setting), { 0.0, 0.0 }, 400, 6, 1, 400, MS_SCATTER_TOLERANCES_DEFAULT }
MS_API void ms_scatter_default(ms_scatter_setting *setting, size_t size);

enum { MS_SCATTER_LEAST = 4 }; /* specimens */

/* Matrices are n x n_specimen or n x n. */
typedef struct ms_scatter_result {
  ptrdiff_t n, n_specimen;
  ms_distribution *distribution;
  double *mean, *deviation;             /* of the distributions */
  double *mean_error, *deviation_error; /* standard errors */
  double *mean_interval,
      *deviation_interval; /* 2 x n: of 95 %, for as few specimens as there are */
  int *seen; /* 0: the deviation is not significantly different from 0, and held at a small value */
  double *p, *p_error; /* each specimen's own fit, and its standard errors */
  double *correlation; /* between parameters, over specimens; 0 where it cannot be told */
  double *dependence;  /* its distance from none, in standard errors */
  double noise[2];     /* that was used */
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

/* ---- from estimates of each assembly ---- */

/* What a calibration of one assembly has found: n parameters and their covariance. */
typedef struct ms_scatter_estimate {
  const double *p, *covariance; /* n, n x n */
  const int *determined;        /* n, for remarks; NULL: all are */
} ms_scatter_estimate;

/* Of N assemblies, the same parameters of each. `normal` parameters are searched as they are,
   `lognormal` ones as ln(p - lower). Borrowed. */
typedef struct ms_scatter_estimates {
  ptrdiff_t n, n_assembly;
  const char *const *name;       /* for messages: "chi of lap" */
  const ms_family *family;       /* MS_FAMILY_NORMAL or MS_FAMILY_LOGNORMAL */
  const double *lower, *upper;   /* of the distributions; a lognormal one has no upper bound */
  const ms_scatter_estimate *of; /* n_assembly */
} ms_scatter_estimates;
/* The family of such a parameter between these bounds: lognormal above a single lower one. */
MS_API ms_family ms_scatter_estimates_family(double lower, double upper);

/* y_k ~ N(mu, Sigma + C_k), y_k and C_k the estimates and covariances in those coordinates: mean
   and deviation of each parameter by restricted likelihood, with intervals of probability `level`
   that hold for few assemblies (docs/theory/scatter.md#assemblies); correlations by that of all
   parameters. Of the result noise, log_likelihood and effective are 0; a deviation that is not seen
   stays what it is, and the distribution has a small one. Of setting (NULL: default) it reads
   max_steps and tolerances. Refused: fewer than MS_SCATTER_LEAST assemblies, values out of bounds,
   covariances that are none. Memory is the result's, also after a failure. */
MS_API ms_status ms_scatter_identify_estimates(ms_context *ctx,
                                               const ms_scatter_estimates *estimates, double level,
                                               const ms_scatter_setting *setting,
                                               ms_scatter_result *out);

/* As ms_scatter_draw, with these correlations (n x n) of the normal numbers that the values are
   made of (Gaussian copula); NULL: independent. */
MS_API ms_status ms_scatter_draw_correlated(ms_context *ctx, ptrdiff_t n, const ms_distribution *d,
                                            const double *correlation, ptrdiff_t n_specimen,
                                            uint64_t seed, double *p);

/* ---- tests with memory of their own, and the whole way ---- */

/* Rows sorted by specimen and force. */
typedef struct ms_scatter_tests {
  ptrdiff_t n, n_specimen;
  ptrdiff_t *specimen;
  double *force, *stiffness, *loss; /* one block at force */
  int *row;
  double *id; /* n_specimen: the number that each has in the rows */
} ms_scatter_tests;

/* From n rows in any order. stiffness and loss may be NULL, to be simulated, and row: counted from
   1 then. Memory is the tests', also after a failure. */
MS_API ms_status ms_scatter_tests_create(ms_context *ctx, ptrdiff_t n, const double *id,
                                         const double *force, const double *stiffness,
                                         const double *loss, const int *row, ms_scatter_tests *out);
/* Of a table with columns specimen, force, stiffness and dissipation, or of other names, not NULL;
   in units of this force and length. MS_ERR_NAME: it lacks one. */
MS_API ms_status ms_scatter_tests_take_table(ms_context *ctx, const ms_columns *table,
                                             const char *const name[4], double force, double length,
                                             ms_scatter_tests *out);
MS_API void ms_scatter_tests_destroy(ms_context *ctx, ms_scatter_tests *tests);
MS_API ms_scatter_data ms_scatter_tests_view(const ms_scatter_tests *tests);
/* Joints drawn from d (ms_scatter_draw, into p) and tested (ms_scatter_simulate); rows that a joint
   does not reach are dropped. */
MS_API ms_status ms_scatter_tests_simulate(ms_scatter *scatter, const ms_distribution *d,
                                           const double noise[2], uint64_t seed, double *p,
                                           ms_scatter_tests *tests);

/* Joints with random parameters, each tested at all forces. Borrowed. */
typedef struct ms_scatter_plan {
  ptrdiff_t n;
  const char *const *param; /* of the law */
  const ms_distribution *distribution;
  ptrdiff_t specimens, n_force;
  const double *force; /* rising */
  double noise[2];     /* standard deviation, relative, of stiffness and loss */
  uint64_t seed;
} ms_scatter_plan;
/* The whole way to synthetic tests: specimens 1, 2, ... on a copy of the joint, p (n x specimens)
   their parameters. Memory is the tests', also after a failure. */
MS_API ms_status ms_scatter_tests_make(ms_context *ctx, const ms_joint *joint,
                                       const ms_scatter_plan *plan, double *p,
                                       ms_scatter_tests *out);

/* Mean and standard deviation of stiffness (loss: of the energy dissipated) over the tests at one
   force; returns how many there are. The deviation is 0 of a single one. */
MS_API ptrdiff_t ms_scatter_tests_find_mean(const ms_scatter_tests *tests, double force, int loss,
                                            double *mean, double *deviation);

enum { MS_SCATTER_LEVELS = 3 }; /* of the bands: 5, 50 and 95 % */

/* Distributions; bands at forces from the smallest to the largest of the tests, in equal ratios, of
   joints and of what is measured on them; and how many rows of the tests, stiffness and loss, lie
   in the latter. */
typedef struct ms_scatter_run_result {
  ms_scatter_result found;
  ptrdiff_t n_force;
  double *force;
  ms_scatter_bands joints, measured;
  ptrdiff_t inside[2], fresh_inside[2];
} ms_scatter_run_result;
/* fresh: tests that are counted only; n 0: none. samples: joints for the bands. Memory is the
   result's, also after a failure. */
MS_API ms_status ms_scatter_run(ms_scatter *scatter, const ms_scatter_tests *tests,
                                const ms_scatter_tests *fresh, const ms_scatter_setting *setting,
                                ptrdiff_t samples, ms_scatter_run_result *out);
MS_API void ms_scatter_run_destroy(ms_context *ctx, ms_scatter_run_result *result);

/* Parametric bootstrap: repetition k identifies again from synthetic tests like `tests`, of joints
   from d. out: MS_SCATTER_REPEAT_WIDTH numbers: 1, means, standard deviations and the intervals of
   both; all zero where the repetition has no answer. */
#define MS_SCATTER_REPEAT_WIDTH(n) (1 + 6 * (n))
MS_API ms_status ms_scatter_repeat(ms_scatter *scatter, const ms_scatter_tests *tests,
                                   const ms_distribution *d, const double noise[2],
                                   const ms_scatter_setting *setting, ptrdiff_t k, double *out);
/* What `count` repetitions in `repeated` say of parameter i, of its mean (or standard deviation),
   against the truth that they were made with. */
typedef struct ms_scatter_repeated {
  ptrdiff_t done, covered; /* intervals of 95 % that hold the truth */
  double mean, scatter;    /* of what they found; 0 with less than two */
} ms_scatter_repeated;
MS_API ms_scatter_repeated ms_scatter_judge_repeated(const ms_scatter_result *truth,
                                                     ptrdiff_t count, const double *repeated,
                                                     ptrdiff_t i, int deviation);
/* How many of n intervals of 95 % contain their value if they are what they say: the binomial
   distribution is below low, and above high, with a probability of at most 2.5 % each. */
MS_API void ms_scatter_expect_covered(ptrdiff_t n, ptrdiff_t *low, ptrdiff_t *high);
/* A sentence on what counts of so many rows say of that; 0 without repetitions. */
MS_API int ms_scatter_coverage_note(ptrdiff_t rows, const double *done, const double *covered,
                                    char *text, size_t size);

/* Parameter i to be drawn: a histogram of the specimens' own values, of area 1, as an outline, and
   the density of the distribution over the same range. */
enum { MS_SCATTER_CURVE = 121, MS_SCATTER_BINS = 24 };
typedef struct ms_scatter_outline {
  ptrdiff_t n_bar;
  double bar_x[4 * MS_SCATTER_BINS], bar_y[4 * MS_SCATTER_BINS];
  double x[MS_SCATTER_CURVE], density[MS_SCATTER_CURVE];
} ms_scatter_outline;
MS_API void ms_scatter_draw_outline(const ms_scatter_result *result, ptrdiff_t i,
                                    ms_scatter_outline *out);

#ifdef __cplusplus
}
#endif
#endif
