/* The slider field with a friction drop: an Iwan element whose sliders hold up to phi and slide at
   theta*phi, theta <= 1. A slider that slips keeps the elongation e = +-theta r phi while it goes
   on; when it sticks it has to climb back to r phi before it slips again.

   Anchors x(phi), elongation e = u - x, r = alpha/k, as in iwan/field.h. Between two breakpoints x
   is linear and all sliders are in the same state, but x jumps from one segment to the next. Slip
   can begin anywhere in the list. Theory: docs/laws/iwan5.md. */
#ifndef MS_JOINT_IWAN5_FIELD_H
#define MS_JOINT_IWAN5_FIELD_H

#include <microslip/joint.h>

#include "joint/iwan/density.h"
#include "joint/impl.h"

typedef struct ms_field5_setting {
  ms_density density;
  double theta;
  double exponent;        /* chi + 1: phi rho(phi) = exponent * m0(phi) below phi_max */
  double merge_tolerance; /* of F_S, for each merged run; 0 switches merging off */
} ms_field5_setting;

/* Anchors x = c + slope*phi from the next segment's phi (0 for the last) up to this one's. */
typedef struct ms_segment5 {
  double phi; /* upper end */
  double c, slope;
  double flag; /* +1, -1: slipping to that side; 0: stuck */
  /* What merging made of it; all zero where it has not been. The sliders' own anchors are within
     `spread` of this line, and their own phi lie somewhere in [run_low, run_top]. */
  double spread, run_low, run_top;
  /* int rho phi over the sliders whose state may be wrong for that: for good, and those at the
     front of the motion number `epoch`. */
  double doubt, front_doubt, epoch;
  /* Follow from the above and the segments before: */
  double moment[3]; /* of the density at phi */
  /* While this and all before are stuck: none of them slips for low < u < high, and together they
     carry E = stiffness * u - anchored; `doubted` sums their doubts. */
  double low, high, stiffness, anchored, doubted;
} ms_segment5;

typedef struct ms_field5 {
  ms_segment5 *segment, *spare;
  ptrdiff_t n, capacity;
  ptrdiff_t limit;   /* length at which merging is tried next: of the history, not of the memory */
  ptrdiff_t n_stuck; /* segments before the first that slips */
  double origin;     /* displacement that u, c are counted from: moves in macroslip */
  double u, alpha, k, r;
  /* The motion since the last turn or change of load: its side, where it began, its number. */
  double side, turn, epoch;
  double dissipated, merge_error;
} ms_field5;

ms_status ms_field5_open(ms_context *ctx, ms_field5 *field);
void ms_field5_close(ms_context *ctx, ms_field5 *field);
void ms_field5_start(const ms_field5_setting *setting, ms_field5 *field, double u);
void ms_field5_update(const ms_field5_setting *setting, const ms_field5 *field,
                      const ms_joint_input *in, ms_joint_output *out, ms_joint_trial *trial);
ms_status ms_field5_commit(ms_context *ctx, const ms_field5_setting *setting, ms_field5 *field,
                           const ms_joint_trial *trial);
ptrdiff_t ms_field5_save_size(const ms_field5 *field);
void ms_field5_save(const ms_field5 *field, double *buffer);
ms_status ms_field5_load(ms_context *ctx, const ms_field5_setting *setting, ms_field5 *field,
                         const double *buffer, ptrdiff_t n);
void ms_field5_energy(const ms_field5 *field, ms_joint_energy *out);
void ms_field5_memory(const ms_field5 *field, ms_joint_memory *out);

/* Sums and limits of the stuck segments at the front of the list, from segment `from` on. */
void ms_field5_link(ms_field5 *field, ptrdiff_t from);

/* field_sensitivity.c */
ptrdiff_t ms_field5_rows(const ms_field5 *field);
void ms_field5_sensitivity_start(const ms_step_sensitivity *c);
void ms_field5_sensitivity(const ms_field5_setting *setting, const ms_field5 *field,
                           const ms_joint_input *in, ms_joint_trial *trial,
                           const ms_step_sensitivity *c);

/* merge.c: room for `wanted` segments, by merging and then by growing; a tolerance of 0 only
   grows. */
ms_status ms_field5_reserve(ms_context *ctx, const ms_field5_setting *setting, double tolerance,
                            ms_field5 *field, ptrdiff_t wanted);
/* Is this segment as it would be without merging? */
int ms_segment5_is_exact(const ms_segment5 *g);
/* int rho phi over the sliders of segment i that stand so near to slip, at u with ratio r, that
   what merging did decides. */
double ms_field5_near(const ms_field5_setting *setting, const ms_field5 *field, ptrdiff_t i,
                      double u, double r);

#endif
