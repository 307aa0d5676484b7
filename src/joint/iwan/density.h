/* Slider densities rho(phi) of Iwan elements and their moments

     m[j](phi) = int_0^phi psi^j rho(psi) dpsi,   j = 0, 1, 2,

   deltas at phi included. m[0] is stiffness, m[1] force, m[2] twice an energy. Three forms:

     power law  rho = R phi^chi on (phi_min, phi_max), and S delta(phi - phi_max)
     table      rho linear between knots, zero outside them, a delta of any stiffness at each knot
     curve      closed forms of the law's own from zero on, and S delta(phi - phi_max)

   and beside either a spring K_inf that never slips, which the moments do not count. */
#ifndef MS_JOINT_IWAN_DENSITY_H
#define MS_JOINT_IWAN_DENSITY_H

#include <math.h>

#include <microslip/context.h>

#include "core/power.h"

/* rho + slope*(psi - phi) from this knot to the next. */
typedef struct ms_knot {
  double phi, rho, slope;
  double S;         /* delta here */
  double moment[3]; /* up to and with this knot */
  double smooth[3]; /* the same without deltas */
} ms_knot;

typedef struct ms_density {
  double phi_min, phi_max; /* no slider slips before the one, none is left beyond the other */
  double total[3];         /* moments up to and with phi_max: K_T, F_S, ... of the sliders */
  double K_inf;
  /* power law */
  int from_zero;   /* phi_min = 0 and no table: the common case */
  double S;        /* delta at phi_max */
  ms_power power;  /* phi^(chi + 1) */
  double scale[3]; /* R/(chi+1), R/(chi+2), R/(chi+3) */
  double base[3];  /* scale[j] phi_min^(chi+1+j) */
  /* table: n = 0 for a power law; owned */
  ptrdiff_t n;
  ms_knot *knot;
  /* curve: moments without the delta at 0 <= phi <= phi_max; NULL for the others */
  void (*curve)(const double *own, double phi, double m[3]);
  double own[5];
} ms_density;

/* R phi^chi on (phi_1, phi_2), S at phi_2; 0 <= phi_1 < phi_2. */
ms_density ms_density_power_range(double R, double S, double chi, double phi_1, double phi_2);
static inline ms_density ms_density_power_law(double R, double S, double chi, double phi_max) {
  return ms_density_power_range(R, S, chi, 0.0, phi_max);
}

/* Columns phi, rho and, if there are three, S. check says in words, with the row (from 1), what is
   wrong with a table; open copies one that passed. */
ms_status ms_density_check_table(ms_context *ctx, ptrdiff_t rows, int columns,
                                 const double *const *column);
ms_status ms_density_open_table(ms_context *ctx, ptrdiff_t rows, int columns,
                                const double *const *column, ms_density *d);
void ms_density_close(ms_context *ctx, ms_density *d);

/* Any density at phi < phi_max. */
void ms_density_other_moments(const ms_density *d, double phi, double m[3]);

/* The power law from zero is inline, because an exact step is little more than this. */
static inline void ms_density_moments(const ms_density *d, double phi, double m[3]) {
  if (phi >= d->phi_max) {
    m[0] = d->total[0], m[1] = d->total[1], m[2] = d->total[2];
    return;
  }
  if (!d->from_zero) {
    ms_density_other_moments(d, phi, m);
    return;
  }
  double p = ms_power_eval(&d->power, phi);
  m[0] = d->scale[0] * p;
  m[1] = d->scale[1] * p * phi;
  m[2] = d->scale[2] * p * phi * phi;
}

/* The same without any delta, for the cells of the slider form. */
void ms_density_smooth_moments(const ms_density *d, double phi, double m[3]);

/* d m0, d m1 at a fixed phi (at phi_max: of the total) of the power law from zero, when R, chi, S
   and phi_max move by `slope`. */
enum { MS_DENSITY_R, MS_DENSITY_CHI, MS_DENSITY_S, MS_DENSITY_PHI_MAX };
void ms_density_slopes(const ms_density *d, const double slope[4], double phi, double dm[2]);

/* First loading and loss per cycle at amplitude u0 (docs/theory/iwan.md), at alpha = k = 1. */
void ms_density_virgin(const ms_density *d, double u, double *force, double *slope);
double ms_density_cycle(const ms_density *d, double u0);

#endif
