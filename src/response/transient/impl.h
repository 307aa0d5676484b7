/* A run in time, as its integrators see it. Letters:

     q, v, a   modal displacement, velocity, acceleration        m modes
     p         modal force of the loads at the end of a step
     gamma     Phi^T B, m x n: how joint axes and modes see each other
     d         f - K_T z: a joint's force less that of its stuck spring
     free      what a step would give with d = 0
     y         modal coordinates that are axes too, of joints with curvature: curvature.c

   Every integrator is linear in the force at the end of its step, so that

     q = q_free - gq * (gamma d),   z = z_free - H d,   H = gamma^T gq gamma,   and so for v.  */
#ifndef MS_RESPONSE_TRANSIENT_IMPL_H
#define MS_RESPONSE_TRANSIENT_IMPL_H

#include <microslip/contact_dynamics.h>
#include <microslip/response.h>

#include "joint/impl.h"
#include "structure/impl.h"

typedef struct ms_integrator ms_integrator;
typedef struct ms_adaptive ms_adaptive;
typedef struct ms_divide ms_divide;

typedef struct ms_applied_load {
  double *modal; /* Phi^T shape */
  ms_time_fn s;
  void *user;
  double end;
} ms_applied_load;

/* A joint as the inner loop wants it: what a trial needs in one place, constants filled in once. */
typedef struct ms_trial_attachment {
  ms_joint *joint;
  const double *stuck; /* K_T, n x n */
  int n;               /* axes, from `first` on */
  ptrdiff_t first;
  ms_joint_input in;
  ms_joint_output out;
  ms_joint_trial trial;
  const ms_attachment *curve; /* of a joint with curvature, else NULL */
  double *c, *e;              /* its dz/dy and dw/dy, n_curved x n */
} ms_trial_attachment;

/* A length of parts, step/2^k, and its coefficients: substeps.c. */
typedef struct ms_part {
  double dt;
  double *coefficient, *gq, *gv, *H, *Hv;
  int ready;
} ms_part;

enum { MS_MAX_PART = 21 };

struct ms_transient {
  ms_context *ctx;
  ms_structure *structure;
  ms_transient_setting setting;
  const ms_integrator *method;
  ptrdiff_t m, n;  /* modes, axes: those of the joints and then y */
  ptrdiff_t n_own; /* of the joints */
  /* Modes that a step moves: all, or where no load acts the first `ring`. Those behind are above
     static_above and follow the joints alone, q = -gq (gamma d), which is filled in afterwards. */
  ptrdiff_t on, ring;
  int curved; /* there is y */
  const double *omega, *damping, *damping_full, *gamma;
  int rate; /* some joint depends on velocity */
  int wide; /* some joint has several axes */

  double t, dt;
  ptrdiff_t step;
  double *q, *v, *a, *p;                     /* now */
  double *q_next, *v_next, *a_next, *p_next; /* being computed */
  double *p_from, *p_to;                     /* the loads over a step as a line, where wanted */
  double *g;                                 /* gamma d */
  double *coefficient;                       /* the integrator's, per mode or dense */
  double *gq, *gv;                           /* diagonal gains; dense integrators apply their own */
  double *H, *Hv;                            /* n x n */
  double *z, *z_free, *w, *w_free, *f, *d, *d_old, *r, *J, *fz; /* fz: diagonal of df/dz - K_T */
  double *x, *slope; /* of curvature: gamma^T q of the joints' axes; room for c and e */
  double *z_whole;   /* z_free of the whole preload */
  double *z_probe, *w_probe, *f_probe;
  ms_trial_attachment *attachment, *attachment_probe;

  ms_applied_load *load;
  int n_load, loaded; /* loaded: p is not zero */
  double loads_end;   /* of the last of them */
  double start_energy, input, viscous;
  double largest_input;
  double *v_square, *a_square; /* sums over the steps looked at, of each mode: accuracy.c */
  ptrdiff_t sample_at;         /* count.steps at which to look next */
  double largest;              /* force of a joint so far: what joints remember has its rounding */
  ms_transient_count count;
  ms_adaptive *adaptive; /* parts chosen by their error, else NULL */
  ms_divide *divide;     /* parts where a joint slips, else NULL */
  double *bound;         /* of its cheapest measure, for each axis */
  double *z_rate, *most_rate,
      *most_curvature; /* dz/dt of the last step, its largest of late, d2z/dt2 */
  double *d_rate;      /* dd/dt of the last step: where d is looked for first */
  double dt_before;
  ms_part part[MS_MAX_PART];
  int n_part;                          /* 0: there are none */
  int level;                           /* the present part is setting.step/2^level */
  double *z_begin, *f_begin, *d_begin; /* of the joints at its beginning */
  ms_contact_modal modal;              /* contacts between solids at rest, */
  ms_contact_run *contact;             /* and in time; NULL: there are none */
  int started;                         /* it is no longer as it was created */
};

/* One file per method, ending in this table; one line in methods.def. */
struct ms_integrator {
  const char *name;
  double steps_least; /* in a period of a mode that takes part */
  int divides;        /* step_division.c is for it */
  int wants_line;     /* p_from, p_to; else the loads at the end of a step are all it asks for */
  ptrdiff_t (*coefficients)(const ms_transient *run); /* how many doubles it wants */
  ms_status (*prepare)(ms_transient *run);            /* coefficient, gq, gv for run->dt */
  void (*predict)(ms_transient *run);                 /* q_next, v_next (a_next) with d = 0 */
  void (*correct)(ms_transient *run);                 /* the same with g = gamma d */
  /* x := gain * x for a column of gamma, displacement and velocity; NULL: diagonal gq, gv. */
  void (*gain)(const ms_transient *run, const double *column, double *for_q, double *for_v);
  /* The local error of an attempt, see adaptive.c. */
  ms_status (*estimate)(ms_transient *run, double *error);
};

/* transient.c: H and Hv for the present coefficients */
void ms_transient_fill_H(ms_transient *run);

/* loads.c: p := Phi^T F(t); returns whether any load is on */
int ms_transient_eval_loads(const ms_transient *run, double t, double *p);
/* p_next, p_from, p_to for the step that ends at t; not needed once all loads are over and p = 0.
 */
void ms_transient_next_loads(ms_transient *run, double t);

/* step.c: z := gamma^T x */
void ms_transient_project(const ms_transient *run, const double *x, double *z);
/* Force and its derivatives of every joint at z, w = gamma^T (q, v), which become the joints' own
   where there is curvature; r := the d that they give. */
ms_status ms_transient_eval_joints(ms_transient *run, double dt);
/* Newton with halving where a full step makes things worse; d starts at its last value. */
ms_status ms_transient_solve_joints(ms_transient *run);
ms_status ms_transient_commit_joints(ms_transient *run);
/* The state at the end of a step in q_next, ..., no joint committed. */
ms_status ms_transient_attempt(ms_transient *run);
ms_status ms_transient_accept(ms_transient *run);
/* Joints under trial, with z, w and f, for another set of them, and back. */
void ms_transient_swap_probe(ms_transient *run);
/* d of the joints at another state, dt from now; everything else stays. */
ms_status ms_transient_probe_joints(ms_transient *run, const double *q, const double *v, double dt,
                                    double *d);

/* curvature.c, nothing without y: z, w := the joints' own, c, e; */
void ms_transient_place_curved(ms_transient *run);
/* f, r := force and d on y too; */
void ms_transient_force_curved(ms_transient *run);
/* r := d - r on y; the largest of it as a force at the joint; */
double ms_transient_residual_curved(ms_transient *run);
/* J += D H + Dv Hv of the joints with curvature; */
void ms_transient_fill_curved_J(ms_transient *run);
/* gamma^T q of an axis, which is z where its joint has no curvature. */
double ms_transient_linear_part(const ms_transient *run, const ms_attachment *attachment, int axis);

/* contact.c, of the contact that the structure has at rest: */
ms_status ms_transient_open_contact(ms_transient *run);
void ms_transient_close_contact(ms_transient *run);
/* at rest, with v, under p; */
ms_status ms_transient_start_contact(ms_transient *run);
/* q_next, v_next, a_next of its modes; */
ms_status ms_transient_move_contact(ms_transient *run);
/* elastic becomes that with it; returns what friction has taken. */
double ms_transient_contact_energy(const ms_transient *run, double *elastic);

/* energy.c: kinetic + elastic; of the joints, MS_ERR_STATE if a law keeps none */
double ms_transient_mechanical_energy(const ms_transient *run, double *kinetic, double *elastic);
ms_status ms_transient_joint_energy(const ms_transient *run, double *stored, double *dissipated);

/* adaptive.c */
ms_status ms_adaptive_open(ms_transient *run);
void ms_adaptive_close(ms_transient *run);
ms_status ms_adaptive_step(ms_transient *run);
ms_status ms_adaptive_by_acceleration(ms_transient *run, double *error);
ms_status ms_adaptive_by_force(ms_transient *run, double *error);

/* substeps.c: lengths step/2^k, k < n_level; to go on with one; the joints as they are, and again
   so after an attempt that is not accepted. */
ms_status ms_parts_open(ms_transient *run, int n_level);
void ms_parts_close(ms_transient *run);
ms_status ms_parts_use(ms_transient *run, int k);
void ms_parts_keep(ms_transient *run);
void ms_parts_put_back(ms_transient *run, int loaded);

/* step_division.c */
ms_status ms_divide_open(ms_transient *run);
void ms_divide_close(ms_transient *run);
ms_status ms_divide_step(ms_transient *run);
/* After every step that is accepted: z_rate and the others. */
void ms_divide_follow(ms_transient *run);
/* 1 + the force in the stiffness R that axis j keeps over that in its inertia; X as in
 * step_division.c */
static inline double ms_divide_held(const ms_transient *run, ptrdiff_t j, double R, double X,
                                    double dt) {
  const double part = run->most_rate[j] / (run->most_curvature[j] * dt); /* 1/(omega dt) */
  return run->most_curvature[j] > 0.0 ? 1.0 + 12.0 * R * X * part * part : 1.0;
}
/* The level that the joints under trial ask for, the present one or a finer one; slips: 0 where
   they are known to be stuck at the end. */
int ms_divide_find_level(ms_transient *run, int slips);

/* accuracy.c: when count.steps is sample_at. Squares beyond any number are refused. */
ms_status ms_transient_sample_motion(ms_transient *run);
ms_status ms_transient_refuse_energy(const ms_transient *run);

#endif
