/* [joint] The density of an Iwan element from measured curves, and curves from a density.

   The density rho(phi) defines an element, and either of two curves determines it: first loading
   g(u), rho = -g'', and the energy D(u0) dissipated per cycle, D'' = 4 u0 rho(u0). Theory, and how
   sampled curves are treated: docs/theory/density.md. Units: displacements m, forces N, energies J
   per cycle. All curves are for constant normal load. */
#ifndef MICROSLIP_DENSITY_H
#define MICROSLIP_DENSITY_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A density as law iwan_table takes it: n rows, rho linear between them and zero outside, two rows
   of the same phi for a jump; and a spring that never slips.
     const double *column[] = { d->phi, d->rho, d->S };
     ms_joint_set_table(joint, "density", d->n, 3, column);
     ms_joint_set(joint, "K_inf", d->K_inf); */
typedef struct ms_density_table {
  ptrdiff_t n;
  double *phi; /* slip displacement, m */
  double *rho; /* stiffness per displacement, N/m^2 */
  double *S;   /* stiffness of the sliders that slip at this very phi, N/m */
  double K_inf;
} ms_density_table;

typedef enum ms_density_form {
  MS_DENSITY_SMOOTH, /* rho linear between knots, deltas where the curve has corners */
  MS_DENSITY_DELTAS  /* one delta per sample: passes through every sample exactly */
} ms_density_form;

typedef enum ms_density_end {
  MS_DENSITY_END_SLIPS, /* stiffness left at the last sample slips there: macroslip follows */
  MS_DENSITY_END_SPRING /* it is K_inf */
} ms_density_end;

typedef struct ms_density_setting {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ms_density_form form;
  ms_density_end end;
  /* A virgin curve must be concave and a loss convex. Samples that are not are moved to the nearest
     curve above (below) them that is, and refused if one must move by more than this part of
     itself. The default allows for rounding only; measured curves need 1e-3 or more. */
  double projection;
  /* Smooth form: a sample with this many times the density of those around it is a corner, that is
     a delta. 0: there are none. */
  double corner;
  /* From dissipation, which does not show sliders that stay stuck: the stuck stiffness, N/m, if
     known; what the samples do not account for is added as `end` says. 0: nothing is added. */
  double K_T;
  double too_stiff; /* of K_T: sliders may be stiffer by so much; more says that K_T is wrong */
} ms_density_setting;

#define MS_DENSITY_SETTING_DEFAULT \
  { sizeof(ms_density_setting), MS_DENSITY_SMOOTH, MS_DENSITY_END_SLIPS, 1e-9, 4.0, 0.0, 1e-2 }
MS_API void ms_density_default(ms_density_setting *setting, size_t size);

typedef struct ms_density_report {
  ptrdiff_t violations; /* samples that were moved by more than rounding */
  ptrdiff_t worst;      /* index of the one moved most, -1 if none */
  double correction;    /* by how much of itself */
  ptrdiff_t deltas;     /* in the result */
  double K_T, F_S;      /* of the result: slope at zero, force where the last slider slips */
} ms_density_report;

/* First loading from the virgin state: n >= 2 samples of F at 0 < u[0] < u[1] ... (a first row 0, 0
   may be there, too). setting NULL: the default; report may be NULL.
   How stiff the element is before u[0] cannot be seen: begin early enough, or put the stuck
   stiffness in as a first sample at a very small u. */
MS_API ms_status ms_density_from_virgin(ms_context *ctx, ptrdiff_t n, const double *u,
                                        const double *F, const ms_density_setting *setting,
                                        ms_density_table **out, ms_density_report *report);
/* The same from the loss D per steady cycle of amplitude u0. */
MS_API ms_status ms_density_from_dissipation(ms_context *ctx, ptrdiff_t n, const double *u0,
                                             const double *D, const ms_density_setting *setting,
                                             ms_density_table **out, ms_density_report *report);
MS_API void ms_density_destroy(ms_context *ctx, ms_density_table **table);

/* The other way, in closed form: first loading at n displacements (slope may be NULL), and the loss
   per cycle at n amplitudes >= 0. */
MS_API ms_status ms_density_eval_virgin(ms_context *ctx, const ms_density_table *density,
                                        ptrdiff_t n, const double *u, double *F, double *slope);
MS_API ms_status ms_density_eval_dissipation(ms_context *ctx, const ms_density_table *density,
                                             ptrdiff_t n, const double *u0, double *D);

#ifdef __cplusplus
}
#endif
#endif
