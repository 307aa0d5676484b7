/* Updating, as its files share it. */
#ifndef MS_IDENTIFY_UPDATE_UPDATE_H
#define MS_IDENTIFY_UPDATE_UPDATE_H

#include <microslip/update.h>

struct ms_updating {
  ms_context *ctx;
  ms_update_model model;
  /* measured */
  ptrdiff_t n, n_sensor;
  double *omega, *deviation, *re, *im, *rms; /* im: NULL if none; rms: of each shape */
  ptrdiff_t *mode;                           /* NULL: in their order */
  int *row;
  char **sensor;
  double shape_deviation;
  /* of the model looked at last; its size may change with p */
  ptrdiff_t n_mode;
  double *model_omega, *b, *mac, *cost; /* b: shapes at the sensors, n_sensor x n_mode */
  ptrdiff_t *pair, *at;                 /* mode of each measured one; coordinate of each sensor */
  /* for derivatives */
  double *scratch;
  ptrdiff_t scratch_capacity;
};

/* gradient.c: jac at p, of which `structure` is the model; pairs and shapes are known. */
ms_status ms_updating_fill_slopes(ms_updating *u, const ms_structure *structure, const double *p,
                                  double *jac);
/* update.c: the model at p, the message naming p after a failure. */
ms_status ms_updating_build(ms_updating *u, const double *p, ms_structure **out);

/* The factor c = c[0] + i c[1] that makes |c b - a| least, for measured mode k; 0 if b is. */
void ms_updating_scale(const ms_updating *u, ptrdiff_t k, const double *b, double c[2]);

#endif
