/* [response] An elastic rod on a frictional foundation: slip begins at the loaded end and spreads
   inward (docs/theory/rod.md).

   Everything is dimensionless: x in [0, 1] along the rod, forces over the gross slip force F_S,
   displacements over F_S L/(EA), times over the time that a wave takes along the rod, dissipation
   over F_S^2 L/(EA). psi(x) is the friction that the normal load allows at x, its integral Psi is 1
   at the end. A positive force pulls at x = 0, so that u(0) is negative there. */
#ifndef MICROSLIP_ROD_H
#define MICROSLIP_ROD_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- distribution of the normal load -------------------------------------------------------- */

typedef struct ms_pressure ms_pressure;

/* Psi = x^beta, beta > 0. */
MS_API ms_status ms_pressure_create_power(ms_context *ctx, double beta, ms_pressure **out);
/* psi linear between n >= 2 rows that begin at x = 0, rise and end at x = 1; psi >= 0 and zero at
   single points only. Scaled so that its integral is 1. */
MS_API ms_status ms_pressure_create_table(ms_context *ctx, ptrdiff_t n, const double *x,
                                          const double *psi, ms_pressure **out);
/* From a monotonic test: |u(0)| at forces 0 < f[0] < ... <= 1, by psi(u') = 1/u'' (rows 0, 0 may
   lead). u must be convex: samples that are not are moved, `moved` (may be NULL) says by how much
   of the largest at most. What the test did not reach is filled with a constant psi. */
MS_API ms_status ms_pressure_create_from_curve(ms_context *ctx, ptrdiff_t n, const double *f,
                                               const double *u, ms_pressure **out, double *moved);
MS_API void ms_pressure_destroy(ms_pressure **pressure);

MS_API double ms_pressure_psi(const ms_pressure *pressure, double x);
MS_API double ms_pressure_integral(const ms_pressure *pressure, double x); /* Psi */
/* Psi^-1: how far a force 0 <= f <= 1 slips in from the end. */
MS_API double ms_pressure_slip_length(const ms_pressure *pressure, double f);

/* ---- without inertia ------------------------------------------------------------------------ */

/* First loading to |f| <= 1. */
MS_API double ms_rod_first_displacement(const ms_pressure *pressure, double f); /* |u(0)| */
MS_API double ms_rod_first_loss(const ms_pressure *pressure, double f);
/* A steady cycle between -f and f loses four times that. */
MS_API double ms_rod_cycle_loss(const ms_pressure *pressure, double f);

/* Any history of the force. */
typedef struct ms_rod ms_rod;
/* The pressure is borrowed. */
MS_API ms_status ms_rod_create(ms_context *ctx, const ms_pressure *pressure, ms_rod **out);
MS_API void ms_rod_destroy(ms_rod **rod);
/* Monotonically to F; MS_ERR_BOUNDS for |F| >= 1, where the rod slides away. */
MS_API ms_status ms_rod_load(ms_rod *rod, double F);

typedef struct ms_rod_state {
  double F, u;     /* force, u(0) */
  double slip;     /* length that slipped since the last reversal */
  double lost;     /* since the beginning */
  ptrdiff_t depth; /* reversals that are remembered */
} ms_rod_state;
MS_API ms_rod_state ms_rod_get(const ms_rod *rod);
/* Displacement and force along the rod. */
MS_API void ms_rod_profile(const ms_rod *rod, double x, double *u, double *force);

/* ---- n masses with inertia ------------------------------------------------------------------ */

typedef struct ms_rod_chain ms_rod_chain;

typedef enum ms_rod_method {
  MS_ROD_MOREAU, /* time stepping with set-valued friction (theta = 1/2) */
  MS_ROD_STICKY, /* Runge-Kutta, G = clip(Geq - v/(2 dt), +-psi): sticks without creeping */
  MS_ROD_RAMP    /* Runge-Kutta, G = -psi clip(v/v0, +-1), v0 = ramp: creeps */
} ms_rod_method;

typedef struct ms_rod_chain_setting {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ptrdiff_t n;
  ms_rod_method method;
  double step;
  double ramp;            /* MS_ROD_RAMP: velocity at which friction is whole */
  double sweep_tolerance; /* MS_ROD_MOREAU: change of a speed, of the largest, at which the slower
                             iteration has ended; 0: 1e-13, a thousand times rounding */
} ms_rod_chain_setting;

#define MS_ROD_CHAIN_DEFAULT \
  { sizeof(ms_rod_chain_setting), 0, MS_ROD_MOREAU, 0.0, 0.0, 1e-13 }
MS_API void ms_rod_chain_default(ms_rod_chain_setting *setting, size_t size);

/* At rest without load. psi is taken at x_i = (i - 1/2)/n. */
MS_API ms_status ms_rod_chain_create(ms_context *ctx, const ms_pressure *pressure,
                                     const ms_rod_chain_setting *setting, ms_rod_chain **out);
MS_API void ms_rod_chain_destroy(ms_rod_chain **chain);
/* A step, with the force at its beginning, middle and end. MS_NOT_CONVERGED: the signs of slip were
   not found; the chain stands where it was. */
MS_API ms_status ms_rod_chain_step(ms_rod_chain *chain, const double F[3]);

typedef struct ms_rod_chain_state {
  ptrdiff_t n;
  const double *x, *u, *v;
  const double *G;   /* friction over 1/n; of the last step */
  double time, work; /* of friction, <= 0 */
  double power;      /* of friction, mean over the last step */
  double residual;   /* Moreau: largest over the steps, of force balance and of the inclusion */
  ptrdiff_t steps, solves, rescued; /* rescued: steps that took the slower iteration */
} ms_rod_chain_state;
MS_API ms_rod_chain_state ms_rod_chain_get(const ms_rod_chain *chain);

/* Quasi-static loss of the chain in a steady cycle between -f and f, exact. */
MS_API ms_status ms_rod_chain_cycle_loss(ms_context *ctx, const ms_pressure *pressure, ptrdiff_t n,
                                         double f, double *loss);

/* ---- a cycle of the shaken chain ------------------------------------------------------------ */

enum { MS_ROD_SAMPLES = 400 }; /* of the last cycle */

/* At a sample; power is the mean since the sample before. */
typedef struct ms_rod_sample {
  double tau; /* 0 to 2 pi */
  double force, u, power;
  double u_still; /* u(0) of the rod without inertia in its steady cycle */
} ms_rod_sample;

typedef struct ms_rod_cycle {
  /* the request */
  ptrdiff_t n;             /* masses */
  double amplitude, omega; /* of the force */
  ptrdiff_t cycles;        /* from rest, >= 2; the last is looked at */
  ptrdiff_t steps;         /* of a cycle, >= MS_ROD_SAMPLES */
  int keep;                /* 1: all displacements over the last cycle are kept */
  /* the answer */
  double work;            /* of friction in the last cycle, <= 0 */
  double loss_chain;      /* of the masses without inertia */
  double loss_rod;        /* of the rod without inertia */
  double residual;        /* as ms_rod_chain_state */
  double rescued, solves; /* steps that were; solutions a step */
  ms_rod_sample *sample;  /* MS_ROD_SAMPLES of them */
  double *u;              /* u[mass + n*sample]; NULL unless they are kept */
} ms_rod_cycle;

/* A run for every combination, the masses running fastest, all else as of `request`; those with
   `map` masses keep their displacements. At most 1000. To be freed by ms_free. */
MS_API ms_status ms_rod_cycle_grid(ms_context *ctx, const ms_rod_cycle *request, ptrdiff_t map,
                                   ptrdiff_t n_masses, const double *masses, ptrdiff_t n_amplitude,
                                   const double *amplitude, ptrdiff_t n_omega, const double *omega,
                                   ptrdiff_t *n, ms_rod_cycle **out);
/* Moreau's time stepping under amplitude sin(omega t). */
MS_API ms_status ms_rod_cycle_run(ms_context *ctx, const ms_pressure *pressure, ms_rod_cycle *run);
/* The exponent of the work of n cycles against x, such as their amplitudes: the slope of ln(-work)
   over ln(x). NAN where there are fewer than three, or one dissipates nothing. */
MS_API double ms_rod_find_exponent(ptrdiff_t n, const double *x, const double *work);
/* The answer; the request stays. */
MS_API void ms_rod_cycle_free(ms_context *ctx, ms_rod_cycle *run);

#ifdef __cplusplus
}
#endif
#endif
