/* Quasi-static modes: what its files share. Letters:

     gamma     Phi^T B, m x n: modes and joint axes; g its row of the mode r
     z, f      displacement and force of the joint axes
     d         f - K_T z: a joint's force less that of its stuck spring
     H         sum over elastic modes of gamma_j gamma_j^T/omega_j^2; H_r the same without mode r
     base      z under the preload with d = 0 (but that of mode r where q is given)

   Equilibrium of mode j under alpha M phi_r and a preload p:  omega_j^2 q_j + gamma_j^T d = p_j,
   for mode r with p_r + alpha. Summed over the modes that is

     z = base + alpha g/omega_r^2 - H d     where the load alpha is given
     z = base + q g - H_r d                 where the amplitude q is, and alpha from mode r,

   one form, z = base + s direction - flexibility d.

   q and alpha count from rest: where joints have a force there, or a preload acts, rest is z_0 with
   d_0, base = z_0 + H d_0 for both forms, and the modes are those of the structure with the joints'
   tangents at rest in place of their stuck stiffness K_T (rest.c). */
#ifndef MS_RESPONSE_QUASISTATIC_IMPL_H
#define MS_RESPONSE_QUASISTATIC_IMPL_H

#include <stdio.h>

#include <microslip/quasistatic.h>

#include "joint/impl.h"
#include "structure/impl.h"

/* z = base + s direction - H d */
typedef struct ms_static_form {
  double *base, *direction, *H;
} ms_static_form;

/* A joint in the inner loop. */
typedef struct ms_static_attachment {
  ms_joint *joint;
  const double *stuck; /* K_T, or the tangent at rest in `own` */
  double own[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
  double held[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS]; /* K_T and a spring that fades, see rest.c */
  int n;                                              /* axes, from `first` on */
  ptrdiff_t first;
  ms_joint_input in;
  ms_joint_output out;
  ms_joint_trial trial;
  double loss; /* on the virgin curve: of a cycle to there */
} ms_static_attachment;

enum { MS_STATIC_PAST = 4 }; /* points that a guess is made of */

/* Mode r followed through other joint parameters, in the modes that the structure was set up with;
   retune.c has the letters. */
typedef struct ms_static_tuning {
  double *store; /* NULL: the joints are those of the setup */
  double *H_0, *dK, *F, *A, *B;
  double *s, *push;
  double *v, *b, *y, *w2; /* over the modes; v: the mode, b: weights, y: scratch, w2: omega^2 */
  double *whole;          /* of the eigenproblem, where it is needed */
  double mac;             /* v_r^2 */
  int followed;           /* 0: the eigenproblem was solved */
  ptrdiff_t ratio;        /* of modal damping that of mode r + ratio */
} ms_static_tuning;

struct ms_quasistatic {
  ms_context *ctx;
  ms_structure *structure;
  ms_quasistatic_setting setting;
  ms_modal modal;
  ptrdiff_t n, r;       /* joint axes, mode */
  double omega_r;       /* of the stuck mode */
  double c_r;           /* its damping 2 zeta omega */
  double *basis;        /* modes at rest in terms of the stuck ones, m x m; NULL: the same */
  double *own;          /* omega, damping and gamma of that basis, where modal points then */
  unsigned char *still; /* rqnm: modes that are left out of its sums */
  double *g;            /* gamma of mode r */
  ms_static_form by_load, by_q, by_force; /* by_force: the preload itself, s = 0 .. 1 */
  double *p;         /* preload on the modes, NULL if the virgin state is that of rest */
  double *z_0, *d_0; /* at rest */
  double **start;    /* each joint's state at rest */
  ptrdiff_t *start_size;

  ms_static_attachment *attachment;
  double *z, *f, *d;      /* under trial */
  double *z_next, *z_old; /* guess; the accepted one */
  double *R, *step, *J;   /* residual, Newton step, Jacobian of n + 2 */
  int *pivot;
  double *was;       /* cycles: z and f before a step */
  double scale;      /* of z in a cycle, for residuals where z passes zero */
  double residual;   /* relative */
  double accepted;   /* what it was accepted by */
  double dt;         /* of a cycle's steps, for joints that know a rate; else 0 */
  int first_loading; /* the load has not turned since the start */
  int turned;        /* some z has turned back since the start */
  int on_curve;      /* the joints follow their virgin curves, see curve.c */
  ptrdiff_t n_curve; /* levels reached so: their D_joint is known */
  ptrdiff_t n_past;  /* points kept so far, the last MS_STATIC_PAST at: */
  double past_s[MS_STATIC_PAST], *past;
  double lambda, q_mode;      /* rqnm: unknowns beside z */
  double *H_l, *Hp_l, *Hpp_d; /* rqnm: H_r(lambda), its derivative; second derivative times d */
  double *Hp_d;
  int side;     /* rqnm: 1, or -1 on the way to -q */
  double *tips; /* rqnm: both ends of each level's motion, see ms_static_tip */

  ptrdiff_t n_level, capacity;
  ms_quasistatic_level *level;
  double *store;             /* z, f, D_joint of all levels */
  unsigned char *has_turned; /* for each level: some z turned back on the way */
  double *G;                 /* for sensitivities, see sensitivity.c */
  ms_static_tuning tuning;
  ms_quasistatic_count count;
};

/* reduce.c: sums over modes */
void ms_static_reduce(ms_quasistatic *run);
/* Refuses a joint that a rigid-body mode moves. */
ms_status ms_static_check_rigid(const ms_quasistatic *run);
/* Both forms from g, omega_r and H_r in by_q. */
void ms_static_set_forms(ms_quasistatic *run);
ms_status ms_static_reduce_preload(ms_quasistatic *run, const double *force);

/* solve.c */
/* d and its derivatives at z; the joints' histories stay. */
ms_status ms_static_eval(ms_quasistatic *run, const double *z);
/* Newton from z_next; z, f, d at s afterwards, nothing committed. */
ms_status ms_static_solve(ms_quasistatic *run, const ms_static_form *form, double s);
/* From the state at s_0, where z_old is, to s, in parts where it must; commits. */
ms_status ms_static_advance(ms_quasistatic *run, const ms_static_form *form, double s_0, double s);
ms_status ms_static_commit(ms_quasistatic *run);
/* x := A^-1 x, A n x n is destroyed; non-zero if singular. */
int ms_static_linear(ms_quasistatic *run, ptrdiff_t n, double *A, double *x);
/* J := I + H d'(z), leading dimension ld. */
void ms_static_fill_J(ms_quasistatic *run, const double *H, double *J, ptrdiff_t ld);
/* y := d'(z) x or, transposed, x^T d'(z). */
void ms_static_apply(const ms_quasistatic *run, const double *x, double *y);
void ms_static_apply_transposed(const ms_quasistatic *run, const double *x, double *y);

/* curve.c: first loading along virgin curves, where all joints know theirs */
void ms_static_enter_curve(ms_quasistatic *run); /* after ms_static_start */
ms_status ms_static_leave_curve(ms_quasistatic *run);
void ms_static_eval_curve(ms_quasistatic *run, const double *z);
/* Whether s was reached without a joint turning back; else z_old is where it was. */
int ms_static_advance_curve(ms_quasistatic *run, const ms_static_form *form, double s);

/* rqnm.c: z, f, d, lambda, q_mode at amplitude q from the guess in z_next, lambda, q_mode */
ms_status ms_static_solve_rqnm(ms_quasistatic *run, double q);
void ms_static_fill_rqnm(ms_quasistatic *run, double *J);
ms_status ms_static_sum_rqnm(ms_quasistatic *run);

/* sides.c: laws that are not odd, by the mean of both directions */
void ms_static_keep_tip(ms_quasistatic *run, ptrdiff_t k, int side);
ms_status ms_static_other_side(ms_quasistatic *run);
ms_status ms_static_check_rest(ms_quasistatic *run);
/* quasistatic.c: level k of rqnm from the one before, whose amplitude is q_0 */
ms_status ms_static_advance_rqnm(ms_quasistatic *run, double q_0, double q);

/* rest.c: the joints virgin, or at rest */
ms_status ms_static_start(ms_quasistatic *run);
ms_status ms_static_start_joint(ms_quasistatic *run, int k);
/* The state of rest under setting.preload, and the modes there. */
ms_status ms_static_find_rest(ms_quasistatic *run);
void ms_static_clear_rest(ms_quasistatic *run);
/* repeated_modes.c, rqnm: modes of the frequency of mode r, turned so that the joints tell them
 * apart */
ms_status ms_static_turn_repeated(ms_quasistatic *run);
ms_status ms_static_check_repeated(const ms_quasistatic *run, double q);
/* basis.c: modes V of the present ones, m x m, of frequencies omega. */
ms_status ms_static_rebase(ms_quasistatic *run, const double *V, const double *omega);
/* v^T C v */
double ms_static_damp(const ms_modal *modal, const double *v);
/* Mode j of the run in coordinate i. */
double ms_static_shape(const ms_quasistatic *run, ptrdiff_t j, ptrdiff_t i);

/* retune.c: qsma only. After ms_joint_set and ms_joint_setup of joints of the structure, which is
   not set up again: the mode most like stuck mode r, and the levels of runs from now on are those
   of the joints as they are. MS_NOT_CONVERGED where there is no such mode. Displacements of
   coordinates stay those of the reference: do not ask for them. */
ms_status ms_static_retune(ms_quasistatic *run);
void ms_static_free_tuning(ms_quasistatic *run);
/* G, and sum over j of gamma_j C_jr/(omega_r^2 - omega_j^2), of the modes as they are. */
ms_status ms_static_retuned_G(ms_quasistatic *run);
void ms_static_retuned_y(ms_quasistatic *run, double *y);

/* The message that waits in the context, kept over further work. */
enum { MS_STATIC_MESSAGE = 512 };
static inline void ms_static_keep_message(const ms_context *ctx, char text[MS_STATIC_MESSAGE]) {
  snprintf(text, MS_STATIC_MESSAGE, "%s", ms_context_message(ctx));
}

/* dissipation.c */
ms_status ms_static_fill_losses(ms_quasistatic *run);
double ms_static_energy(const ms_joint *joint); /* dissipated so far; 0 if the law does not say */
/* cycle.c: level k by a cycle of the load */
ms_status ms_static_cycle(ms_quasistatic *run, ptrdiff_t k);

/* Where level k keeps z, f, D_joint. */
static inline double *ms_static_store(const ms_quasistatic *run, ptrdiff_t k) {
  return run->store + (2 * run->n + run->modal.n_attachment) * k;
}
/* An end of level k's motion, side 0 (+q) or 1: lambda, q_r, then z and d, both from rest. */
static inline double *ms_static_tip(const ms_quasistatic *run, ptrdiff_t k, int side) {
  return run->tips + (2 * run->n + 2) * (2 * k + side);
}
/* masing.c */
ms_status ms_static_check_losses(ms_quasistatic *run);

static inline double ms_static_dot(ptrdiff_t n, const double *a, const double *b) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

#endif
