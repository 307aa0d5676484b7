/* The table behind every joint law, and the joint itself. A law is one file that ends in a const
   ms_law, and one line in laws.def. */
#ifndef MS_JOINT_IMPL_H
#define MS_JOINT_IMPL_H

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

/* `model` holds what follows from the parameters, `state` the history; the interface allocates both
   zeroed, model_size and state_size bytes. Entries marked * are required; the comment says what the
   interface does where another is NULL. */
typedef struct ms_law {
  ms_law_info info;
  size_t model_size, state_size;

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
} ms_law;

struct ms_joint {
  ms_context *ctx;
  const ms_law *law;
  double *value;         /* parameters, in the law's order */
  unsigned char *given;  /* set by the caller */
  ms_joint_table *table; /* one per parameter, for laws with tables; NULL for the others */
  void *model, *state;
  int ready;
};

/* registry.c */
extern const ms_law *const ms_laws[];
extern const int ms_n_laws;

#endif
