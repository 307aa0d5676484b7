/* Poles of the orders of a fit of frequency responses. */
#ifndef MS_IDENTIFY_MODAL_FRF_POLES_H
#define MS_IDENTIFY_MODAL_FRF_POLES_H

#include <microslip/frf_fit.h>

/* Lines of a band. */
typedef struct ms_frf_band {
  ptrdiff_t n, n_sensor;
  double low, high;      /* Hz: the first and the last line */
  double decay;          /* of ms_frf_set */
  const double *freq_hz; /* n */
  const double *H;       /* pairs, n x n_sensor */
  const double *scale;   /* n_sensor: 1 over its rms */
} ms_frf_band;

/* Those that decay, in the band, order by order from 2 on; `stable` is 0. To be freed by ms_free,
   after a failure, too. */
ms_status ms_frf_find_poles(ms_context *ctx, const ms_frf_band *band, ptrdiff_t largest,
                            ptrdiff_t *n_pole, ms_frf_pole **pole);

#endif
