/* The slider field: an Iwan element integrated exactly.

   Every slider is a spring (stiffness rho dphi) anchored at x(phi) by friction; its elongation is
   e = u - x. The field is the function x(phi), and stays piecewise linear for any history, so a
   list of segments is the whole state. Theory: docs/theory/slider-field.md.

   Notation: r = alpha/k, the ratio that scales slip displacements: |e| <= r phi.
             E = int rho e dphi, the force over k.
             m0, m1, m2 the moments of the density up to the segment's upper end. */
#ifndef MS_JOINT_IWAN_FIELD_H
#define MS_JOINT_IWAN_FIELD_H

#include <microslip/joint.h>

#include "joint/iwan/density.h"
#include "joint/impl.h"

/* Anchors x = c + slope*phi between the next segment's phi and this one's. */
typedef struct ms_segment {
  double phi; /* upper end */
  double c, slope;
  double G;     /* E = G + m0(inf) u - (u - c) m0(front) + (s r + slope) m1(front), see field.c */
  double error; /* bound on |int rho dx| caused by merging here */
  double moment[3];
} ms_segment;

/* segment[0] ends at phi_max, later ones lie at smaller phi. Below the last one lies the cone, the
   sliders that slipped in the newest step: x = u - side*r*phi for phi < front. An empty list with
   front = phi_max is macroslip. */
typedef struct ms_field {
  ms_segment *segment, *spare;
  ptrdiff_t n, capacity, spare_capacity; /* the spare list is made when a load first varies */
  ptrdiff_t settled;                     /* of them, those that merging has been tried on */
  /* Length at which merging is tried next. It belongs to the history, unlike the capacity, which
     may be left from an earlier one: the same history gives the same numbers on any joint. */
  ptrdiff_t limit;
  double origin; /* displacement that u, c are counted from: moves in macroslip, keeps them small */
  double u, alpha, k, r;
  double side, front, moment[3];
  int nested; /* every |slope| <= r: slip spreads from phi = 0 and the fast path is exact */
  double dissipated, merge_error;
} ms_field;

typedef struct ms_field_setting {
  double merge_tolerance; /* of F_S; 0 switches merging off */
} ms_field_setting;

ms_status ms_field_open(ms_context *ctx, ms_field *field);
void ms_field_close(ms_context *ctx, ms_field *field);
void ms_field_start(const ms_density *d, ms_field *field, double u);
void ms_field_update(const ms_density *d, const ms_field *field, const ms_joint_input *in,
                     ms_joint_output *out, ms_joint_trial *trial);
ms_status ms_field_commit(ms_context *ctx, const ms_density *d, const ms_field_setting *setting,
                          ms_field *field, const ms_joint_trial *trial);
ptrdiff_t ms_field_save_size(const ms_field *field);
void ms_field_save(const ms_field *field, double *buffer);
ms_status ms_field_load(ms_context *ctx, const ms_density *d, ms_field *field, const double *buffer,
                        ptrdiff_t n);
void ms_field_energy(const ms_density *d, const ms_field *field, ms_joint_energy *out);
void ms_field_memory(const ms_field *field, ms_joint_memory *out);

/* field_sensitivity.c */
ptrdiff_t ms_field_rows(const ms_field *field, const ms_joint_trial *trial);
void ms_field_sensitivity_start(const ms_density *d, const ms_step_sensitivity *c);
void ms_field_sensitivity(const ms_density *d, const ms_field *field, const ms_joint_input *in,
                          ms_joint_trial *trial, const ms_step_sensitivity *c);

/* merge.c: make room for `wanted` segments by merging, then by growing. */
ms_status ms_field_reserve(ms_context *ctx, const ms_density *d, const ms_field_setting *setting,
                           ms_field *field, ptrdiff_t wanted);
/* Shorten the list from segment `from` on, wherever the force error stays below the tolerance. */
void ms_field_merge(const ms_density *d, double tolerance, ptrdiff_t from, ms_field *field);

#endif
