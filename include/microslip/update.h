/* [identify] Linear updating: parameters of a model (springs, moduli, densities, lengths) for
   which its modes match the measured ones (docs/theory/updating.md).

   The model is a function that makes a structure from the parameters; its stuck modes are compared.
   A measured mode is paired with the mode of the model of highest MAC, again at every
   evaluation, so that crossing modes are followed; without measured shapes by its number. */
#ifndef MICROSLIP_UPDATE_H
#define MICROSLIP_UPDATE_H

#include <microslip/fit.h>
#include <microslip/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- MAC and pairs ---- */

/* Modal assurance criterion mac[k + n_a*r] = |a_k^H b_r|^2/(|a_k|^2 |b_r|^2) of shapes at n places,
   a = a_re + i a_im (a_im may be NULL) of which there are n_a, and n_b real ones. 0 where a shape
   is zero at all of the places. */
MS_API void ms_mac(ptrdiff_t n, ptrdiff_t n_a, const double *a_re, const double *a_im,
                   ptrdiff_t n_b, const double *b, double *mac);

/* For each stuck mode of a structure the slipped one that is most like it, each once, and their MAC
   (phi^T M psi)^2. */
typedef struct ms_mode_pairs {
  ptrdiff_t *slipped;
  double *mac;
} ms_mode_pairs;
MS_API ms_status ms_mode_pairs_find(ms_context *ctx, const ms_structure *structure,
                                    ms_mode_pairs *out);
MS_API void ms_mode_pairs_free(ms_context *ctx, ms_mode_pairs *pairs);
/* MAC of the first elastic modes, mac[i + n_row*j]: rows are stuck modes, columns slipped ones
   without those that are rigid and pair with a rigid-body mode; from 0. */
enum { MS_MAC_MOST = 20 };
typedef struct ms_mac_matrix {
  ptrdiff_t n_row, n_column, row[MS_MAC_MOST], column[MS_MAC_MOST];
  double mac[MS_MAC_MOST * MS_MAC_MOST];
} ms_mac_matrix;
MS_API ms_status ms_mode_pairs_find_mac(ms_context *ctx, const ms_structure *structure,
                                        const ms_mode_pairs *pairs, ms_mac_matrix *out);

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

/* Measured modes with memory of their own, filled mode by mode and sensor by sensor. */
typedef struct ms_measured_table {
  ms_context *ctx;
  ms_measured_modes is;      /* its arrays are the next; sensors and shapes once there are some */
  double *omega, *deviation; /* the caller's to fill */
  int *row;                  /* 1, 2, ... until the caller says otherwise */
  ptrdiff_t *mode;
  char **sensor;
  double *re, *im;
} ms_measured_table;
/* Memory is the table's, also after a failure. */
MS_API ms_status ms_measured_create(ms_context *ctx, ptrdiff_t n, ms_measured_table *out);
MS_API void ms_measured_destroy(ms_measured_table *table);
/* Which modes they are, from 1: whole numbers, none twice. */
MS_API ms_status ms_measured_set_modes(ms_measured_table *table, const double *number);
/* Components of the n shapes at the sensor; name.im: imaginary parts. A name that stands twice
   replaces the first. */
MS_API ms_status ms_measured_set_sensor(ms_measured_table *table, const char *name,
                                        const double *value);
/* The same of a coordinate that the structure must have. */
MS_API ms_status ms_measured_add(const ms_structure *structure, const char *name,
                                 const double *value, ms_measured_table *table);
/* Made of a table with a row for each mode: columns f or omega, over `time` s; deviation
   (`deviation` where there is none) and mode, if they are there; zeta is not used; the others are
   coordinates. */
MS_API ms_status ms_measured_take_table(const ms_structure *structure, const ms_columns *from,
                                        double time, double deviation, ms_measured_table *table);
/* Shapes from a table with a row for each coordinate, a word in the first column, and a column for
   each mode. */
MS_API ms_status ms_measured_take_shapes(const ms_structure *structure, const ms_columns *from,
                                         ms_measured_table *table);
/* MS_ERR_BOUNDS if modes that neither shapes nor numbers tell apart do not rise. */
MS_API ms_status ms_measured_check_order(const ms_measured_table *table);

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

/* A rival whose MAC is less than this behind could be the pair as well; a pair whose MAC is lower
   is doubtful. */
#define MS_PAIR_AMBIGUOUS 0.1
#define MS_PAIR_POOR      0.9
/* Whether the pair of measured mode `measured` (from 0; omega rad/s) is doubtful for one of these;
   then as a sentence in text. */
MS_API int ms_mode_pair_warning(const ms_mode_pair *pair, ptrdiff_t measured, double omega,
                                char *text, size_t size);

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

/* What the model is at p: pairs of all measured modes, frequencies of the model and the MAC. */
typedef struct ms_update_look {
  ms_mode_pair *pair; /* one for each measured mode */
  ptrdiff_t n_mode;
  double *omega, *mac; /* n_mode; n x n_mode, NULL without shapes */
} ms_update_look;
MS_API ms_status ms_updating_keep_look(ms_updating *updating, const double *p, ms_update_look *out);
/* Of its MAC, with n measured modes, the rows (all) and the columns that matter, one after the
   other: elastic modes up to the one behind the last pair; at most MS_LOOK_MOST of each. Returns
   the number of columns, 0 where there are more rows. */
enum { MS_LOOK_MOST = 40 };
MS_API ptrdiff_t ms_update_look_choose(const ms_update_look *look, ptrdiff_t n,
                                       ptrdiff_t row[MS_LOOK_MOST], ptrdiff_t column[MS_LOOK_MOST]);
MS_API void ms_update_look_destroy(ms_context *ctx, ms_update_look *look);

/* The fit of the residuals: derivatives, or differences of a model whose coordinates change with p
   or whose solver leaves a residual that a small step would magnify. */
MS_API ms_fit_problem ms_updating_problem(ms_updating *updating, int differences);
/* Start k of a search: at `start` for k = 0, else spread over the bounds by the seed; into starts,
   which has the bounds of the model. */
MS_API ms_status ms_updating_fit_start(ms_updating *updating, int differences, uint64_t seed,
                                       const double *start, ptrdiff_t k, ms_starts *starts);

/* The best of the starts, of equals the first, and what it is worth. */
typedef struct ms_update_fit {
  ptrdiff_t best, agree; /* agree: starts that came to the same point */
  ptrdiff_t other;       /* one that came to another point which fits as well; -1: none */
  double scatter; /* by how much residuals exceed their standard deviations, 1 at least; they are
                     judged in units of what they scatter by */
  ms_fit_judgement judgement;
} ms_update_fit;
/* MS_NOT_CONVERGED where no start has an answer. The judgement is to be destroyed. */
MS_API ms_status ms_updating_judge(ms_updating *updating, int differences, const ms_starts *starts,
                                   ms_update_fit *out);

#ifdef __cplusplus
}
#endif
#endif
