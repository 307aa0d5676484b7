/* The table behind every joint law, and the joint itself. A law is one file that ends in a const
   ms_law, and one line in laws.def. */
#ifndef MS_JOINT_IMPL_H
#define MS_JOINT_IMPL_H

#include <string.h>

#include <microslip/joint.h>

#define MS_JOINT_MAX_COLUMN 8

/* The content of a table parameter: column[c] of `rows` values each, in one block at column[0]. */
typedef struct ms_joint_table {
  ptrdiff_t rows;
  int columns;
  double *column[MS_JOINT_MAX_COLUMN];
} ms_joint_table;

/* Derivatives with respect to one parameter, the others of its set held fixed. */
typedef struct ms_gradient {
  double force; /* of first loading at u */
  double stuck; /* of its slope at zero */
  double loss;  /* of the loss per steady cycle of amplitude |u| */
} ms_gradient;

/* A point of first loading, and the steady cycle between there and its mirror image. */
typedef struct ms_virgin {
  double force, slope;
  double slip; /* what slip takes away, K_T u - force, without subtracting the two */
  double loss; /* per cycle */
} ms_virgin;

/* A direction that moves a parameter, and how numbers of the law's own choice follow it. */
enum { MS_SENSITIVITY_SLOPES = 4 };
typedef struct ms_sensitivity_param {
  ptrdiff_t direction;
  double slope[MS_SENSITIVITY_SLOPES];
} ms_sensitivity_param;

/* Derivatives in n directions on their way through a step. A row holds those of one number: n
   values, one direction after the other. */
typedef struct ms_step_sensitivity {
  ptrdiff_t n;
  const double *u, *v; /* of the step's inputs, n_axis rows each; zeros for what has none */
  const double *dt, *alpha, *k; /* one row each */
  int loaded;                   /* 0: alpha and k never had derivatives since the start */
  double *row;                  /* of the state, as many as count_rows says */
  double *force;                /* n_axis rows */
  const ms_sensitivity_param
      *param; /* for laws that have `slopes`: sensitivity adds their part too */
  ptrdiff_t n_param;
} ms_step_sensitivity;

/* `model` holds what follows from the parameters, `state` the history; the interface allocates both
   zeroed, model_size and state_size bytes. Entries marked * are required; the comment says what the
   interface does where another is NULL. */
typedef struct ms_law {
  ms_law_info info;
  size_t model_size, state_size;
  const ms_custom_law *custom; /* of a law that a caller added; NULL for those of laws.def */

  /* Parameters as a whole: check what bounds cannot say, and fill in the other parameter sets.
     `set` is the set that was given. NULL: nothing to check, one set. */
  ms_status (*check)(ms_context *ctx, double *value, int set);
  /* Parameters to model. NULL: the model is the array of parameter values. */
  ms_status (*setup)(ms_context *ctx, const double *value, void *model);
  /* For laws with table parameters, instead of setup: table[i] belongs to parameter i. */
  ms_status (*setup_table)(ms_context *ctx, const double *value, const ms_joint_table *table,
                           void *model);
  /* Content of table parameter i, before it is taken. NULL: any finite numbers will do. */
  ms_status (*check_table)(ms_context *ctx, int i, ptrdiff_t rows, int columns,
                           const double *const *column);
  /* Memory that model or state own beyond their size. NULL: none. */
  ms_status (*open)(ms_context *ctx, const void *model, void *state);
  void (*close)(ms_context *ctx, void *model, void *state);
  /* What lives from create to destroy, whatever setup does. NULL: nothing. */
  void (*destroy)(ms_context *ctx, void *model);
  /* The virgin state at displacement u. NULL: zero bytes, whatever u is. */
  void (*start)(const void *model, void *state, const double *u);

  /* * Reads model and state, writes force, derivatives and trial; never allocates. */
  ms_status (*update)(const void *model, const void *state, const ms_joint_input *in,
                      ms_joint_output *out, ms_joint_trial *trial);
  /* * Applies an accepted trial. Fails only for want of memory, changing nothing. */
  ms_status (*commit)(ms_context *ctx, const void *model, void *state, const ms_joint_trial *trial);

  /* The history as numbers. NULL: the bytes of the state. */
  ptrdiff_t (*save_size)(const void *model, const void *state);
  void (*save)(const void *model, const void *state, double *buffer);
  ms_status (*load)(ms_context *ctx, const void *model, void *state, const double *buffer,
                    ptrdiff_t n);

  /* First loading in closed form. NULL: one step from the virgin state. */
  void (*backbone)(const void *model, double u, double *force, double *slope);
  /* Energy lost per steady cycle u0 cos(omega t), closed form. NULL: none is reported. */
  double (*cycle)(const void *model, double u0, double omega);
  /* Both at once, for laws with Masing's rules whose steps from the virgin state follow them to
     rounding. Returns whether this model's do (discrete sliders do not), the same for every u.
     NULL: none do. */
  int (*virgin)(const void *model, double u, ms_virgin *out);
  /* Derivatives of backbone and cycle with respect to the parameters of set `set`, all values
     given; out[i] belongs to parameter i and comes zeroed. Returns whether these values have closed
     forms. NULL: none have, differences are taken. */
  int (*gradient)(const double *value, int set, double u, double omega, ms_gradient *out);
  /* NULL: the interface has no energies for this law, and a cycle's loss is the area of its loop.
   */
  void (*energy)(const void *model, const void *state, ms_joint_energy *out);
  /* NULL: depth 0, the bytes of the state. */
  void (*memory)(const void *model, const void *state, ms_joint_memory *out);
  /* The one number of the state whose memory fades a little in every cycle (a bristle's bend), so
     that a small cycle needs thousands of turns to be steady; the interface finds its steady value.
     NULL: cycles are steady after a few turns. */
  double *(*fading)(void *state);
  /* NULL: 0. */
  double (*slip_scale)(const void *model);
  /* Stiffness that is left about rest when all friction slips, n_axis x n_axis, comes zeroed: a
     spring beside the sliders, all of a law without friction. NULL: none. */
  void (*macroslip)(const void *model, double *K);

  /* Derivatives through a history, docs/theory/tangents.md. Called between update and commit with
     the state still the old one: adds to d->force what the rows of the state contribute (u, v,
     alpha and k are in it already, through the derivatives in `out`; dt is not), and makes the rows
     those of the state that commit will leave. May mark the trial for commit. NULL: no tangents for
     this law. One whose force depends on the step's inputs alone enters ms_sensitivity_none. */
  void (*sensitivity)(const void *model, const void *state, const ms_joint_input *in,
                      const ms_joint_output *out, ms_joint_trial *trial,
                      const ms_step_sensitivity *d);
  /* Rows that sensitivity needs for this trial (NULL: at the start). NULL: n_row. */
  ptrdiff_t (*count_rows)(const void *model, const void *state, const ms_joint_trial *trial);
  ptrdiff_t n_row;
  /* Rows of the virgin state, which come as 0, from d->u, those of the displacement (d has nothing
     else). NULL: the first n_axis are those of the displacement, as for anchors. */
  void (*sensitivity_start)(const void *model, const void *state, const ms_step_sensitivity *d);
  /* How a unit of parameter i, the others of the given set fixed, moves the numbers that
     sensitivity works with. 0 if sensitivity cannot follow that parameter. NULL: none. */
  int (*slopes)(const void *model, const double *value, int set, int i,
                double slope[MS_SENSITIVITY_SLOPES]);
} ms_law;

struct ms_joint {
  ms_context *ctx;
  const ms_law *law;
  double *value;         /* parameters, in the law's order */
  unsigned char *given;  /* set by the caller */
  ms_joint_table *table; /* one per parameter, for laws with tables; NULL for the others */
  void *model, *state;
  int ready;
  int set; /* the parameter set that was given */
};

/* A required parameter above 0, one of 0 or more, such a one with a default, and any number: name,
   unit, meaning, why so, typical. */
#define MS_LAW_POSITIVE(n, u, m, w, t)                                                      \
  .name = n, .unit = u, .meaning = m, .upper = HUGE_VAL, .open = 3, .why = w, .typical = t, \
  .required = 1
#define MS_LAW_NOT_NEGATIVE(n, u, m, w, t) MS_LAW_OPTIONAL(n, u, m, w, t), .required = 1
#define MS_LAW_OPTIONAL(n, u, m, w, t) \
  .name = n, .unit = u, .meaning = m, .upper = HUGE_VAL, .open = 2, .why = w, .typical = t
#define MS_LAW_ANY(n, u, m, t) \
  .name = n, .unit = u, .meaning = m, .lower = -HUGE_VAL, .upper = HUGE_VAL, .open = 3, .typical = t

/* Of an ms_law_info. */
#define MS_LAW_PARAMS(list) .param = list, .n_param = sizeof list / sizeof *list

/* tangent.c: for `sensitivity` of laws without memory. */
void ms_sensitivity_none(const void *model, const void *state, const ms_joint_input *in,
                         const ms_joint_output *out, ms_joint_trial *trial,
                         const ms_step_sensitivity *d);

/* For `slopes` of laws whose model is their parameters, MS_SENSITIVITY_SLOPES at most. */
int ms_slopes_plain(const void *model, const double *value, int set, int i,
                    double slope[MS_SENSITIVITY_SLOPES]);

/* interface.c */
ms_status ms_joint_find_param(const ms_joint *joint, const char *name, int *index);
/* Of a linear law: its stiffness is added to K, and its dashpot is left; *joint is NULL where it
   has none. Other laws stay as they are. */
ms_status ms_joint_take_stiffness(ms_joint **joint, double *K);
/* parallel.c: a law of one axis, which is taken over, beside those in *joint (NULL at first), all
   of which act on the same displacement. What is linear is added to K; from the second law on
   *joint is a parallel one, which is to be set up. */
ms_status ms_joint_put_beside(ms_context *ctx, ms_joint **law, double *K, ms_joint **joint);
/* Stiffness left in macroslip, n_axis x n_axis; zeros before setup. */
void ms_joint_fill_macroslip(const ms_joint *joint, double *K);

/* y += a x for one row. */
static inline void ms_sensitivity_add(ptrdiff_t n, double a, const double *restrict x,
                                      double *restrict y) {
  for (ptrdiff_t i = 0; i < n; i++) y[i] += a * x[i];
}

static inline size_t ms_sensitivity_bytes(const ms_step_sensitivity *d) {
  return (size_t)d->n * sizeof(double);
}

/* dr = by_alpha dalpha + by_k dk of the ratio r = alpha/k. */
typedef struct ms_ratio_slopes {
  double by_alpha, by_k;
} ms_ratio_slopes;

static inline ms_ratio_slopes ms_sensitivity_ratio(const ms_joint_input *in) {
  return (ms_ratio_slopes) { 1.0 / in->k, -in->alpha / (in->k * in->k) };
}

/* dr in every direction. */
static inline void ms_sensitivity_ratio_row(const ms_step_sensitivity *d, const ms_joint_input *in,
                                            double *restrict row) {
  const ms_ratio_slopes r = ms_sensitivity_ratio(in);
  const double *alpha = d->alpha, *k = d->k;
  for (ptrdiff_t i = 0; i < d->n; i++) row[i] = r.by_alpha * alpha[i] + r.by_k * k[i];
}

/* The row of an anchor that the step drags along, x = u - phi r with r = alpha/k. */
static inline void ms_sensitivity_anchor(const ms_step_sensitivity *d, double phi,
                                         const ms_joint_input *in, double *restrict row) {
  memcpy(row, d->u, ms_sensitivity_bytes(d));
  if (!d->loaded) return;
  ms_ratio_slopes r = ms_sensitivity_ratio(in);
  ms_sensitivity_add(d->n, -phi * r.by_alpha, d->alpha, row);
  ms_sensitivity_add(d->n, -phi * r.by_k, d->k, row);
}

/* parallel.c: a member of a parallel joint and its axes, and its share of force and derivatives. */
ms_joint *ms_parallel_member(const ms_joint *joint, int index, const int **axis);
void ms_parallel_add(const ms_joint *joint, int index, const ms_joint_output *own,
                     ms_joint_output *out);
void ms_parallel_input(const ms_joint *joint, int index, const ms_joint_input *in,
                       ms_joint_input *own);

/* registry.c: the laws of laws.def. */
extern const ms_law *const ms_laws[];
extern const int ms_n_laws;

#endif
