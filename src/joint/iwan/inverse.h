/* A sampled curve on its way to a density. Letters: inverse.c. */
#ifndef MS_JOINT_IWAN_INVERSE_H
#define MS_JOINT_IWAN_INVERSE_H

#include <microslip/density.h>

typedef enum ms_curve_kind { MS_CURVE_VIRGIN, MS_CURVE_LOSS } ms_curve_kind;
enum { MS_CURVE_SMOOTH, MS_CURVE_CORNER, MS_CURVE_SHARED };

typedef struct ms_curve {
  ms_curve_kind kind;
  ptrdiff_t n; /* the samples are x[0 .. n] */
  double *x, *y, *slope, *W;
  double *role; /* of a sample in the smooth form: one of the above; a corner begins its run */
  double *memory;
} ms_curve;

static inline double ms_curve_omega(const ms_curve *c, double phi) {
  return c->kind == MS_CURVE_VIRGIN ? 1.0 : 4.0 * phi;
}

static inline double ms_curve_mass(const ms_curve *c) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i <= c->n; i++) sum += c->W[i];
  return sum;
}

static inline void ms_density_add_row(double phi, double rho, double S, ms_density_table *t) {
  t->phi[t->n] = phi;
  t->rho[t->n] = rho;
  t->S[t->n] = S;
  t->n++;
}

/* slope from x and y. */
void ms_curve_find_slopes(ms_curve *c);
/* inverse_project.c: onto the nearest concave (convex) curve; refused if a sample would have to
   move by more than `limit` of itself. */
ms_status ms_curve_project(ms_context *ctx, ms_curve *c, double limit, ms_density_report *report);
/* inverse_smooth.c: rows of the smooth form, deltas where the curve has corners. */
void ms_curve_fill_smooth(ms_curve *c, const ms_density_setting *setting, ms_density_table *t);

#endif
