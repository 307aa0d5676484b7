/* [joint] Joints: constitutive laws for the relative motion across a joint, behind one table.

   A joint is a law, its parameters and its history. One step is
     ms_joint_update  reads the committed history, never changes it: call it as often as an
                      iteration needs; cost does not depend on how long the history is
     ms_joint_commit  accepts one trial.
   Units are SI: displacement m, velocity m/s, force N (a rotational joint: rad, rad/s, N m). */
#ifndef MICROSLIP_JOINT_H
#define MICROSLIP_JOINT_H

#include <microslip/context.h>
#include <microslip/param.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MS_JOINT_MAX_AXIS 3

/* ---- what a law says about itself ----------------------------------------------------------- */

enum {
  MS_LAW_RATE = 1,   /* the force depends on velocity or time */
  MS_LAW_MASING = 2, /* branches follow Masing's rules at constant normal load */
  MS_LAW_NORMAL = 4, /* the force depends on the normal-load ratio alpha */
  MS_LAW_SLIDING = 8 /* friction by the velocity alone: at rest it carries nothing, so that there is
                        no static answer that a slow motion comes near to */
};

typedef struct ms_law_info {
  const char *name, *title, *reference;
  const ms_param *param;
  int n_param, n_axis;
  unsigned flags;
} ms_law_info;

MS_API int ms_joint_count_laws(void);
MS_API const ms_law_info *ms_joint_get_law(int index); /* NULL outside [0, count) */
/* By name; unknown names fail with the nearest one in the message. */
MS_API ms_status ms_joint_find_law(ms_context *ctx, const char *name, const ms_law_info **out);

/* ---- life ----------------------------------------------------------------------------------- */

typedef struct ms_joint ms_joint;

/* Sequence: create, set (any number), setup, then the rest. The context must outlive the joint. */
MS_API ms_status ms_joint_create(ms_context *ctx, const char *law, ms_joint **out);
MS_API void ms_joint_destroy(ms_joint **joint);
MS_API ms_status ms_joint_set(ms_joint *joint, const char *param, double value);
/* The value as text: a number, or the word of a choice. */
MS_API ms_status ms_joint_set_text(ms_joint *joint, const char *param, const char *text);
/* A parameter that is a table: column[c][row], in the order of the parameter's ms_param_table. The
   values are copied, unless the message says in which row (from 1) something is wrong. */
MS_API ms_status ms_joint_set_table(ms_joint *joint, const char *param, ptrdiff_t rows, int columns,
                                    const double *const *column);
/* Every required parameter not yet set takes its typical value (of the first set). */
MS_API ms_status ms_joint_set_typical(ms_joint *joint);
/* Checks the parameters as a whole, derives the other parameter sets, and makes the virgin state.
   May be called again after further sets; the history then starts anew. */
MS_API ms_status ms_joint_setup(ms_joint *joint);
/* After setup also the parameters of the sets that were not given. */
MS_API ms_status ms_joint_get(const ms_joint *joint, const char *param, double *value);
MS_API const ms_law_info *ms_joint_info(const ms_joint *joint);

/* ---- stepping ------------------------------------------------------------------------------- */

typedef struct ms_joint_input {
  double u[MS_JOINT_MAX_AXIS]; /* displacement at the end of the step */
  double v[MS_JOINT_MAX_AXIS]; /* velocity at the end of the step */
  double dt;                   /* length of the step, s; 0 for a quasi-static step */
  double alpha;                /* normal load over its reference, >= 0: scales slip forces */
  double k;                    /* stiffness over its reference, > 0: scales springs */
} ms_joint_input;

/* All zero but alpha = k = 1. */
#define MS_JOINT_INPUT_DEFAULT \
  { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, 0.0, 1.0, 1.0 }

/* Force on the axes and its derivatives with respect to the step's end values. Where the force has
   a corner (a slider exactly at its limit, a step of no length) a derivative is that of one side,
   or that of sticking. Matrices are column-major n_axis x n_axis: du[i + n_axis*j] = d force[i] / d
   u[j]. Only the first n_axis (or n_axis^2) entries are written. */
typedef struct ms_joint_output {
  double force[MS_JOINT_MAX_AXIS];
  double du[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
  double dv[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
  double dalpha[MS_JOINT_MAX_AXIS];
  double dk[MS_JOINT_MAX_AXIS];
} ms_joint_output;

/* What update leaves for commit: fixed size, owned by the caller, valid for that joint until its
   next commit, start, load or setup. */
typedef struct ms_joint_trial {
  double real[24];
  ptrdiff_t whole[4];
} ms_joint_trial;

/* Back to the virgin state with displacement u (n_axis values, NULL for zero). */
MS_API ms_status ms_joint_start(ms_joint *joint, const double *u);
MS_API ms_status ms_joint_update(const ms_joint *joint, const ms_joint_input *in,
                                 ms_joint_output *out, ms_joint_trial *trial);
/* May grow the history; fails only for want of memory, and then nothing changed. */
MS_API ms_status ms_joint_commit(ms_joint *joint, const ms_joint_trial *trial);
/* update and commit in one. */
MS_API ms_status ms_joint_step(ms_joint *joint, const ms_joint_input *in, ms_joint_output *out);

/* The history as numbers: size() of them, written by save, restored by load into a joint of the
   same law and parameters. */
MS_API ptrdiff_t ms_joint_save_size(const ms_joint *joint);
MS_API ms_status ms_joint_save(const ms_joint *joint, double *buffer);
MS_API ms_status ms_joint_load(ms_joint *joint, const double *buffer, ptrdiff_t n);

typedef struct ms_joint_energy {
  double stored;     /* J, in the springs now */
  double dissipated; /* J, by slip and dashpots since start; from the law, not from force sums */
} ms_joint_energy;
MS_API ms_status ms_joint_get_energy(const ms_joint *joint, ms_joint_energy *out);

typedef struct ms_joint_memory {
  ptrdiff_t depth; /* reversals (or breakpoints) remembered */
  size_t bytes;    /* held by the history */
  /* N: bound on the force error caused by merging the history so far, at constant load and k = 1;
     it scales with k, and is twice that while the load varies. */
  double merge_error;
} ms_joint_memory;
MS_API ms_status ms_joint_get_memory(const ms_joint *joint, ms_joint_memory *out);

/* ---- derivatives through a history ---------------------------------------------------------- */

/* A tangent goes with a joint through its history and carries the derivatives of all it remembers
   with respect to n_dir directions: the Fourier coefficients of its motion, a frequency, or
   whatever else the inputs depend on. While a tangent is in use, step the joint through it only.
   Rows of derivatives hold one direction after the other: x[k + n_dir*axis]. */
typedef struct ms_tangent ms_tangent;

/* Derivatives of a step's inputs; NULL for none. u, v: n_dir x n_axis; dt, alpha, k: n_dir. */
typedef struct ms_tangent_input {
  const double *u, *v, *dt, *alpha, *k;
} ms_tangent_input;

/* Fails if the law cannot carry derivatives, or the joint is not set up. What the joint remembers
   at that moment is taken as given, without derivatives. The joint must outlive the tangent; after
   another setup of the joint the tangent must be started before it is stepped. Iwan histories are
   not merged while they are stepped through a tangent. */
MS_API ms_status ms_tangent_create(ms_joint *joint, ptrdiff_t n_dir, ms_tangent **out);
MS_API void ms_tangent_destroy(ms_tangent **tangent);
/* From the next start on `direction` also moves a parameter of the law, by one unit (beside the
   others set for it, and with the other parameters of the given set fixed). For a few laws: iwan4
   in its exact form, jenkins, linear, cubic, gap; of members side by side, through their own
   tangents. A setup of the joint with other values needs a new tangent. */
MS_API ms_status ms_tangent_set_parameter(ms_tangent *tangent, ptrdiff_t direction,
                                          const char *param);
/* The tangent of a member of a parallel joint, for its parameters only; NULL if there is none. */
MS_API ms_tangent *ms_tangent_get_member(ms_tangent *tangent, int index);
/* ms_joint_start at u, whose derivatives are du (NULL for none). */
MS_API ms_status ms_tangent_start(ms_tangent *tangent, const double *u, const double *du);
/* ms_joint_step, and the derivatives of the force at its end: dforce[k + n_dir*axis]. Where the
   force has a corner the derivative is that of one side. The rows may grow with the history; if
   memory runs out on the way the tangent has to be started again. */
MS_API ms_status ms_tangent_step(ms_tangent *tangent, const ms_joint_input *in,
                                 const ms_tangent_input *d, ms_joint_output *out, double *dforce);

/* For disturbances of a given motion, as the stability of a periodic one asks about them. */

/* The joint stays as it is, and what it remembers has no derivatives from now on. */
MS_API void ms_tangent_rest(ms_tangent *tangent);
/* What a step with inputs of no derivative would give, dforce being the share of what is
   remembered; nothing is stepped. With out->du and out->dv that makes an implicit step linear. */
MS_API ms_status ms_tangent_look(ms_tangent *tangent, const ms_joint_input *in,
                                 ms_joint_output *out, double *dforce);
/* New directions out of the old: direction k becomes the sum over l of R[l + n_dir*k] times l. */
MS_API void ms_tangent_combine(ms_tangent *tangent, const double *R);

/* ---- laws side by side ---------------------------------------------------------------------- */

/* A joint made of others: members act in parallel, each on its own axes, and their forces add. It
   steps, saves and reports like any joint. Members are given parameters and set up beforehand. */
MS_API ms_status ms_joint_create_parallel(ms_context *ctx, int n_axis, ms_joint **out);
/* Takes the member over: *member is NULL afterwards (after a failure it is untouched). axis[i] is
   the axis of the whole that the member's axis i works on; NULL for the first ones in order. */
MS_API ms_status ms_joint_take_member(ms_joint *joint, ms_joint **member, const int *axis);
MS_API int ms_joint_count_members(const ms_joint *joint); /* 0 for a single law */
MS_API const ms_joint *ms_joint_get_member(const ms_joint *joint, int index);

/* ---- a law under the normal load of a spring ------------------------------------------------- */

/* The normal direction beside a tangential law. Sign: u_n > 0 presses the surfaces together, and

     N = max(0, N_0 + K_n u_n),   alpha = N/N_ref,   k = s(N)/s(N_ref).

   The preload N_0 is held by something outside at u_n = 0: the force on the normal axis is N - N_0,
   K_n u_n in contact and -N_0 for surfaces that are apart. (The force of law contact3d is N.)
   s is the tangential stiffness against the load, in any unit: a polynomial, or a table with
   straight lines between its rows and the end values beyond; neither of them: k = 1. */
typedef struct ms_joint_normal {
  double K_n, N_0, N_ref;    /* N/m > 0, N >= 0, N > 0: at N_ref the law has its own parameters */
  int n_coefficient;         /* s = c[0] + c[1] N + ...; 0 and 1: k in proportion to N */
  const double *coefficient; /* copied, and so is the table; no less than 0 up to ten times the
                                larger of N_0 and N_ref, where the polynomial is held */
  ptrdiff_t rows;
  const double *N, *s; /* of the table: N rising */
} ms_joint_normal;

/* A joint like any other, with the law's axes first and the normal one last. It takes the law over,
   which must be set up, feel the load (MS_LAW_NORMAL) and leave an axis: *law is NULL afterwards
   (after a failure it is untouched). Surfaces that are apart forget where they stood: their sliders
   hold nothing, and what the law has beside these (K_inf, a dashpot) stays. A law of sliders alone
   meets again at the very place where N grows from 0 within a step; one with more, or with time, at
   the step's beginning. The input's alpha scales N_0, its k all springs.

   Energies: stored holds what the normal spring and the preload's counterpart have gained since
   u_n = 0. A stiffness that follows N does work that no force of this model accounts for, -(stored
   in the law)/k dk; it is counted as dissipated, and may be of either sign. */
MS_API ms_status ms_joint_create_loaded(ms_context *ctx, ms_joint **law,
                                        const ms_joint_normal *normal, ms_joint **out);

typedef struct ms_joint_contact {
  double N_0;          /* the preload */
  double N, alpha, k;  /* as committed last */
  double exchanged;    /* J, of the changing stiffness, part of `dissipated` */
  ptrdiff_t lift_offs; /* since the start */
} ms_joint_contact;
/* Fails for a joint without a normal spring of this kind; the law is NULL then. */
MS_API ms_status ms_joint_get_contact(const ms_joint *joint, ms_joint_contact *out);
MS_API const ms_joint *ms_joint_get_loaded_law(const ms_joint *joint);
/* The spring as it was given; its lists belong to the joint. Fails where there is none. */
MS_API ms_status ms_joint_get_normal(const ms_joint *joint, ms_joint_normal *out);

/* What a joint is, fact by fact: its law, the values of its parameters, the spring that loads it.
   text NULL: a number, unit NULL: without unit. A failure of `tell` ends it. */
typedef ms_status (*ms_joint_fact_fn)(void *user, const char *name, const char *text, double value,
                                      const char *unit);
MS_API ms_status ms_joint_describe(const ms_joint *joint, ms_joint_fact_fn tell, void *user);
/* Whether two have one law with the same values; laws side by side and tables are not compared. */
MS_API int ms_joint_is_like(const ms_joint *a, const ms_joint *b);

/* ---- copies ---------------------------------------------------------------------------------- */

/* A joint with the laws and parameters of `from`, virgin. */
MS_API ms_status ms_joint_copy(ms_context *ctx, const ms_joint *from, ms_joint **out);

/* ---- whole histories ------------------------------------------------------------------------ */

/* n rows from the present state, one array for each axis; t, v[], alpha, k may be NULL (no time, 0,
   1, 1). With t and no v[i] the velocity on axis i is the backward difference. Writes force[i], and
   where they are not NULL slope[i + n_axis*j] = dF_i/du_j and the energies after each step, J, as
   of ms_joint_get_energy. On failure *row is the row that failed (row may be NULL). */
typedef struct ms_joint_path {
  ptrdiff_t n;
  const double *t, *u[MS_JOINT_MAX_AXIS], *v[MS_JOINT_MAX_AXIS], *alpha, *k;
  double *force[MS_JOINT_MAX_AXIS], *slope[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
  double *stored, *dissipated;
} ms_joint_path;
MS_API ms_status ms_joint_run_path(ms_joint *joint, const ms_joint_path *path, ptrdiff_t *row);

typedef struct ms_joint_cycle {
  double amplitude, F0, K_secant;
  double D;             /* J per cycle, from the law stepped round the steady loop */
  double D_closed_form; /* J per cycle; meaningful if has_closed_form */
  int has_closed_form;
} ms_joint_cycle;
/* From the virgin state, cycle u = amplitude * cos(omega t) on the first axis, the others at rest,
   until the loop is steady. u and force,
   n + 1 values each and NULL if not wanted, receive the steady loop, closed; n >= 4 even.
   Leaves the joint in the state at the end. */
MS_API ms_status ms_joint_run_cycle(ms_joint *joint, double amplitude, double omega, ptrdiff_t n,
                                    double *u, double *force, ms_joint_cycle *out);
/* First loading from the virgin state along the first axis: force and slope at u, in closed form
   where the law has one and by one step otherwise. Starts the joint anew. */
MS_API ms_status ms_joint_eval_virgin(ms_joint *joint, double u, double *force, double *slope);
/* Amplitude by which the law has left its elastic range altogether (phi_max of an Iwan element,
   F_S/K_T of a Jenkins), as a scale for plots; 0 if the law has none. */
MS_API double ms_joint_slip_scale(const ms_joint *joint);

/* ---- a law of your own --------------------------------------------------------------------- */

enum { MS_CUSTOM_MAX_LAW = 64, MS_CUSTOM_MAX_STATE = 24 };

/* Plain functions of the values of the parameters, in their order, and of the history: n_state
   numbers, at most MS_CUSTOM_MAX_STATE. They may be called from several threads at a time. */
typedef struct ms_custom_law {
  ms_law_info info;
  int n_state;
  /* The virgin history with displacement u, which comes as zeros. NULL: that is it. */
  void (*start)(const double *value, const double *u, double *state, void *user);
  /* Force and its derivatives, which come as zeros, and into `after` the history behind the step,
     which comes as before it. Any status but success refuses the step. */
  ms_status (*update)(const double *value, const double *state, const ms_joint_input *in,
                      ms_joint_output *out, double *after, void *user);
  void *user;
} ms_custom_law;

/* From then on ms_joint_create, studies and whatever lists laws know it; it stays until the program
   ends. The struct is copied, what it points to is not. A name that another law has is MS_ERR_NAME.
   Harmonic balance takes such a law without history; with one, it says that it cannot. */
MS_API ms_status ms_joint_add_law(ms_context *ctx, const ms_custom_law *law);

#ifdef __cplusplus
}
#endif
#endif
