/* [response] Frictional contact between elastic bodies, condensed to the points where they touch.

   All bodies are linear and sliding is small, so only the contact points are nonlinear. Point i has
   the components t1, t2, n at 3 i, 3 i + 1, 3 i + 2: relative displacement z = B^T u (z_n > 0
   closes) and contact force lambda, which acts on the bodies as a spring's does:

     K u + B lambda = sum over loads of p_k F_k

   The bodies are given by their flexibility at the points with springs S_0 (N/m, one for each
   component) across them, so that bodies held by contact alone have one:

     H = B^T (K + B S_0 B^T)^-1 B,   z = Z p - H (lambda - S_0 z),   Z = B^T (K + B S_0 B^T)^-1 F

   S_0 changes no answer; of the order of Young's modulus times a point's area over an element's
   size it keeps all digits. Equations and method: docs/theory/contact.md. SI units. */
#ifndef MICROSLIP_CONTACT_H
#define MICROSLIP_CONTACT_H

#include <microslip/context.h>
#include <microslip/param.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_contact ms_contact;

/* Rigid (Signorini and Coulomb) where K_n = K_t = 0: z_n <= gap, lambda_n >= 0, and a closed point
   moves along the surface only where |lambda_t| = mu lambda_n. With stiffnesses a layer:
   lambda_n = K_n max(0, z_n - gap), and a spring K_t in series with the slider. */
typedef struct ms_contact_point {
  double mu;
  double gap;      /* m, at z_n = 0; negative: interference */
  double K_n, K_t; /* N/m: a layer's stiffness per area, times the point's area */
  int group;       /* the contact that it belongs to, from 0 */
} ms_contact_point;

enum { MS_CONTACT_MOST_POINTS = 3000 };
typedef struct ms_contact_problem {
  ptrdiff_t n_point, n_load;
  const ms_contact_point *point;
  const double *H;          /* 3 n_point x 3 n_point, symmetric, m/N; a component that supports hold
                               on both sides has none, and its contact force is 0 */
  const double *S_0;        /* 3 n_point, N/m, >= 0; NULL: none */
  const double *z_load;     /* Z, 3 n_point x n_load */
  const double *load_load;  /* n_load x n_load: F^T (K + B S_0 B^T)^-1 F */
  const char *const *group; /* names of the groups, for messages; NULL: numbers */
} ms_contact_problem;

#define MS_CONTACT_TOLERANCES(X)                                                                   \
  X(symmetric, 1e-7, "of the largest entry: a flexibility that differs more from its transpose")   \
  X(undecided, 1e-11, "of the largest force: less does not open, close or slip a point")           \
  X(whole, 0.01, "of a contact's friction: with less to spare, it slides as a whole")              \
  X(held, 1e-12, "of the largest flexibility: a component with less is held by supports")          \
  X(singular, 1e-14, "reciprocal condition below which the closed points leave a motion free")     \
  X(damping, 1e-3,                                                                                 \
    "of a point's stiffness: holds slip back while limits of friction are iterated")               \
  X(balance, 1e-3,                                                                                 \
    "of the energy of a cycle: work of the load beside it that asks for more steps")               \
  X(free, 1e-11, "pivot of a stiffness with unit diagonal: less is a motion without strain")       \
  X(unbalanced, 1e-6, "of the loads on free bodies: what is left of their sum")                    \
  X(apart, 0.1, "of the square root of an area: faces that nowhere come nearer do not touch")      \
  X(beside, 0.01, "of a face's side: nodes so far beside each other are no pair")                  \
  X(flat, 1e-9, "of a face's side: thinner is flat, and nodes farther inside penetrate the other") \
  X(follows, 1e-12, "of 1: less in how a degree of freedom follows others is rounding")            \
  X(stiff, 1e5, "of the bodies' stiffness at a point: a layer beyond it has too few digits")       \
  X(paired, 0.9, "MAC: below it a mode of the reduced model is none of the full one")              \
  X(amplitude, 1e-5, "of a cycle's half range that is asked for: a smaller miss is none")          \
  X(slid, 0.5, "of the largest face's side: a closed point that moved farther left its partner")   \
  X(strained, 0.05, "of Young's modulus: bodies under a larger pressure are not linear")           \
  X(uneven, 0.1,                                                                                   \
    "of an interference: gaps and overlaps of the meshes beside it that make it doubtful")
typedef struct ms_contact_tolerances {
  MS_CONTACT_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_contact_tolerances;
#define MS_CONTACT_TOLERANCES_DEFAULT \
  { MS_CONTACT_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_contact_setting {
  size_t size;             /* sizeof this struct, from its default */
  double newton_tolerance; /* residual of the contact law over the largest contact force */
  int newton_full;         /* iterations in which all points may change at once, later the worst */
  int newton_max;          /* iterations before the load step is divided */
  int divide_max;          /* times a load step may be halved */
  ptrdiff_t cycle_steps;   /* load steps of a cycle, in each half of it */
  int cycle_max;           /* cycles before one that does not repeat is given up */
  double cycle_tolerance;  /* change of the dissipation from cycle to cycle that counts as steady */
  ms_contact_tolerances tol;
  int refine_max;  /* times cycle_steps may be doubled, until work and dissipation of a cycle agree
                    */
  double resolved; /* in time: omega dt beyond which a mode follows without inertia: three steps in
                      its period */
} ms_contact_setting;
#define MS_CONTACT_DEFAULT                                                                       \
  {                                                                                              \
    sizeof(ms_contact_setting), 1e-10, 10, 25, 12, 64, 100, 1e-4, MS_CONTACT_TOLERANCES_DEFAULT, \
        4, 2.0                                                                                   \
  }
MS_API void ms_contact_default(ms_contact_setting *setting, size_t size);

/* Copies the problem. Nothing is loaded, points without a gap touch without a force. setting may be
   NULL. At most 3000 points: H is dense, and needs three times 72 n_point^2 bytes. */
MS_API ms_status ms_contact_create(ms_context *ctx, const ms_contact_problem *problem,
                                   const ms_contact_setting *setting, ms_contact **out);
MS_API void ms_contact_destroy(ms_contact **contact);

/* The loads change to p (n_load of them) along a straight line, in one step or, where that has no
   solution by Newton's method, in several. MS_NOT_CONVERGED: there is no equilibrium, or none was
   found; the message says how far the load went and what the contacts did there, and the state is
   that of before. */
MS_API ms_status ms_contact_load(ms_contact *contact, const double *p);

/* Refers the equations to the points that are closed now: only those that slip, open or close
   afterwards are unknowns of a step. No answer depends on it. Called after the first load, and
   again after a load that changed much. */
MS_API ms_status ms_contact_rebase(ms_contact *contact);

/* Friction of the closed points over the least at which one of them, all others stuck, may stick,
   slip or open under the same load: the largest ratio, and its point (NULL or -1: none). Above 1
   the answer need not be the only one; it is the one that is reached from the state before. Of the
   state of the last ms_contact_rebase. */
MS_API double ms_contact_compare_critical(const ms_contact *contact, ptrdiff_t *point);

/* A copy with its state, for another thread, in that thread's context. */
MS_API ms_status ms_contact_copy(ms_context *ctx, const ms_contact *contact, ms_contact **out);

/* Goes on from the state of another contact of the same points, whose bodies are held or loaded in
   another way: z and lambda stay as they are, and the loads of this contact are 0 there. What kept
   the other in equilibrium, supports that are now released and loads of an earlier stage, acts on
   as dead forces. Displacements v count from here. */
MS_API ms_status ms_contact_continue(ms_contact *contact, const ms_contact *from);

/* Glues the closed points of a contact as they are, and marks the state: no force changes, but from
   now on these points stick whatever their friction is, rigidly or by the stiffness of their layer,
   and carry tension. Open points stay what they are. A contact without a closed point is refused.
   Copies and contacts that go on from this one are glued, too. */
MS_API ms_status ms_contact_glue(ms_contact *contact, int group);

/* Marks the present state, and goes back to the marked one. */
MS_API void ms_contact_mark(ms_contact *contact);
MS_API ms_status ms_contact_return(ms_contact *contact);

typedef enum ms_contact_status {
  MS_CONTACT_OPEN,
  MS_CONTACT_STICK,
  MS_CONTACT_SLIP
} ms_contact_status;

/* Views, valid as long as the contact; the numbers change with the next load. */
typedef struct ms_contact_state {
  ptrdiff_t n_point, n_load;
  const double *p;             /* N: loads */
  const double *v;             /* n_load, m: displacement F_k^T u that does the work of load k */
  const double *z;             /* 3 n_point, m, from the unloaded bodies; z_n less the gap */
  const double *lambda;        /* 3 n_point, N */
  const unsigned char *status; /* ms_contact_status in the last step */
  const unsigned char *glued;  /* flags; these stick */
  const double *dissipated, *slip; /* n_point: J and m, since the beginning */
  double work;     /* J, of the loads since the beginning, by the trapezoidal rule */
  double residual; /* of the contact law, of the largest force; of the last step */
} ms_contact_state;
MS_API ms_contact_state ms_contact_get(const ms_contact *contact);

MS_API int ms_contact_count_groups(const ms_contact *contact);
/* Counts over all points (group < 0) or those of a contact. */
typedef struct ms_contact_sum {
  ptrdiff_t n, open, stick, slip;
  ptrdiff_t glued;   /* of those that stick */
  double force[3];   /* N, t1, t2, n: along each point's own axes */
  double friction;   /* N, sum of mu lambda_n where no point is glued */
  double dissipated; /* J, since the beginning */
  double slid;       /* m, since the beginning: the most of its points */
} ms_contact_sum;
MS_API ms_contact_sum ms_contact_add_up(const ms_contact *contact, int group);

/* ---- cycles ---- */

/* Load k between p_k - amplitude and p_k + amplitude, the others as they are, from the present
   state up, down, up, ... until the energy dissipated in a cycle repeats, and is the work of the
   load within tol.balance: else load steps are halved, and cycles go on. The state ends at the
   upper end. */
typedef struct ms_contact_cycle {
  double D;            /* J, dissipated in the last cycle */
  double work;         /* J, of the loads in it: differs from D by the load step, second order */
  double v_min, v_max; /* m, of load k at the ends */
  double D_masing;     /* J, from the first loading by Masing's rule: a check only */
  double change;       /* of D in the last cycle, relative to D */
  int cycles;          /* taken */
  int steady;          /* 0: cycle_max cycles were not enough */
  ptrdiff_t slipped;   /* points that slipped in the last cycle */
  ptrdiff_t opened;    /* points that were open at one end of it and closed at the other */
  double largest_residual;
  ptrdiff_t steps; /* in each half of the last cycle */
  int balanced; /* 0: work and D differ by more than tol.balance, refine_max times was not enough */
  ptrdiff_t load_steps, iterations, slow; /* of ms_contact_count, since the beginning of the call */
} ms_contact_cycle;
/* D (may be NULL): J, what each point dissipates in the last cycle. */
MS_API ms_status ms_contact_run_cycle(ms_contact *contact, ptrdiff_t k, double amplitude,
                                      ms_contact_cycle *out, double *D);

/* The same with more of each point, n_point numbers each. */
typedef struct ms_contact_cycle_fields {
  double *D;          /* J, dissipated in the last cycle */
  double *slip;       /* m, amplitude: a quarter of the way that it slides in the cycle */
  double *low, *high; /* N, normal force at the lower and the upper end of the load */
} ms_contact_cycle_fields;
MS_API ms_status ms_contact_run_cycle_fields(ms_contact *contact, ptrdiff_t k, double amplitude,
                                             ms_contact_cycle *out,
                                             const ms_contact_cycle_fields *fields);

/* So many cycles of load k about its present value, as a joint is conditioned before a test; the
   state after them, with the load back at that value, is marked. */
MS_API ms_status ms_contact_settle(ms_contact *contact, ptrdiff_t k, double amplitude, int cycles);

/* The cycle from the marked state whose half range (v_max - v_min)/2 is q: load amplitudes are
   tried until it is, each with a cycle. *amplitude, N: in, the first try; out, the last. */
MS_API ms_status ms_contact_find_cycle(ms_contact *contact, ptrdiff_t k, double q,
                                       double *amplitude, ms_contact_cycle *out, double *D);

/* The amplitude of load k, either way from the present state, at which the first closed point
   slips or opens: of the linear answer in which all closed points stick. 0: one is at its limit
   now; HUGE_VAL: none would. */
MS_API ms_status ms_contact_find_slip(ms_contact *contact, ptrdiff_t k, double *amplitude);

/* The amplitude of load k at which the shear forces of a contact add up to its friction: the first
   of all contacts, of the linear answer in which all closed points stick. HUGE_VAL: none. */
MS_API ms_status ms_contact_find_capacity(ms_contact *contact, ptrdiff_t k, double *amplitude);

typedef struct ms_contact_count {
  ptrdiff_t steps;         /* accepted */
  ptrdiff_t iterations;    /* of Newton's method, those of rejected steps included */
  ptrdiff_t divided;       /* steps halved */
  int most_iterations;     /* of one accepted step, with those of its rejected attempts */
  ptrdiff_t most_unknowns; /* of one linear system */
  ptrdiff_t slow;          /* accepted steps that took more than newton_full iterations */
} ms_contact_count;
MS_API ms_contact_count ms_contact_get_count(const ms_contact *contact);
MS_API const ms_contact_setting *ms_contact_get_setting(const ms_contact *contact);

/* ---- other numbers ---- */

/* A contact whose numbers may have other values, and who finds it at rest with these: what
   calibrations and random parameters need (ms_structure_set_contact). Borrowed, and used by several
   threads at a time. */
typedef struct ms_contact_number {
  const char *owner;     /* contacts.lap; "": it cannot be changed */
  const ms_param *param; /* mu */
  double value;
} ms_contact_number;

typedef struct ms_contact_family {
  ptrdiff_t n;
  const ms_contact_number *number;
  /* The contact at rest with these n values, under loads M phi of its n_mode lowest modes, marked;
     omega: theirs (n_mode, rad/s), in the order of the modes with the own values; mac: of
     both shapes. NULL: nobody can, in a study that is only checked. */
  ms_status (*find)(void *user, ms_context *ctx, const double *value, ptrdiff_t n_mode,
                    double *omega, double *mac, ms_contact **out);
  void *user;
  /* With the own values, marked at rest, under loads M phi of the structure's lowest modes, of each
     with the sign (NULL: all 1): what runs in time begin with. NULL: they know no contact. */
  const ms_contact *rest;
  const double *sign;
  /* Likeness (MAC) of these modes to those of the bodies; NULL: all 1. A reduced model has some
     that are none: runs in time move those before the first of them with the contact. */
  const double *mac;
} ms_contact_family;

#ifdef __cplusplus
}
#endif
#endif
