/* A law under the normal load of a spring. Letters, besides those of joint.h:

     n      axes of the law; axis n is the normal one
     h      alpha N_0 + k K_n u_n: the load if the spring could pull. N = max(0, h)
     kappa  s(N)/s(N_ref)
     w      the law's displacement: in contact it follows u, apart it stays, and of a step in which
            the surfaces meet it takes its share */
#ifndef MS_JOINT_CONTACT_NORMAL_LOAD_H
#define MS_JOINT_CONTACT_NORMAL_LOAD_H

#include "joint/impl.h"

enum { MS_LOADED_AXES = MS_JOINT_MAX_AXIS - 1 };

/* s against N: a polynomial if there is no N, else a table. */
typedef struct ms_load_curve {
  ptrdiff_t n;
  double *s, *N;
  double top; /* the polynomial is held beyond */
  double s_ref;
} ms_load_curve;

typedef struct ms_loaded_model {
  ms_law law;
  ms_joint *member;
  int n;
  double K_n, N_0, N_ref;
  ms_load_curve curve;
  int forgets; /* sliders alone: nothing is left of the law at alpha = 0 */
  /* What sensitivity marked for commit, which makes the member's trial anew otherwise. */
  ms_joint_trial *marked;
} ms_loaded_model;

typedef struct ms_loaded_state {
  double u[MS_LOADED_AXES], w[MS_LOADED_AXES];
  double u_n, h, alpha, k, kappa, exchanged, lift_offs;
} ms_loaded_state;

/* In the trial: the input, and whether the member's trial is the one that sensitivity left. */
enum { MS_LOADED_MARKED };

/* A step as the member sees it, and how that follows h. */
typedef struct ms_loaded_step {
  ms_joint_input in; /* the member's */
  double h, kappa;   /* at the end */
  double dN_dh, dkappa_dN;
  double share;                  /* of the step's displacement */
  double dshare_dh, dshare_dh_0; /* h at the end, and at the start */
  int meets;                     /* apart at the start, so that share counts */
} ms_loaded_step;

ms_loaded_step ms_loaded_place(const ms_loaded_model *m, const ms_loaded_state *s,
                               const ms_joint_input *in);

/* stiffness_curve.c */
ms_status ms_load_curve_open(ms_context *ctx, const ms_joint_normal *normal, ms_load_curve *curve);
void ms_load_curve_close(ms_context *ctx, ms_load_curve *curve);
/* s(N)/s(N_ref), no less than a tiny number, and its slope. */
double ms_load_curve_eval(const ms_load_curve *curve, double N, double *slope);

/* normal_load_sensitivity.c */
ptrdiff_t ms_loaded_rows(const void *model, const void *state, const ms_joint_trial *trial);
void ms_loaded_sensitivity_start(const void *model, const void *state,
                                 const ms_step_sensitivity *d);
void ms_loaded_sensitivity(const void *model, const void *state, const ms_joint_input *in,
                           const ms_joint_output *out, ms_joint_trial *trial,
                           const ms_step_sensitivity *d);

#endif
