/* [signal] Is a measured record good? What a test engineer looks at before using it. */
#ifndef MICROSLIP_JUDGE_H
#define MICROSLIP_JUDGE_H

#include <microslip/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MS_JUDGE_HITS  4
#define MS_JUDGE_PEAKS 6

typedef struct ms_judge_peak {
  double freq_hz, amplitude; /* of a steady oscillation, in the record's unit */
} ms_judge_peak;

/* All in the unit of the samples. */
typedef struct ms_judgement {
  double peak;      /* largest |x - offset| */
  double peak_time; /* s */
  double rms;       /* of x - offset */
  ptrdiff_t before; /* samples of silence before the trigger, 0 where there are too few to tell */
  double offset;    /* mean before the trigger, else of the record */
  double noise;     /* rms about it before the trigger, 0 where before is */
  /* Samples in runs of three and more at the highest or the lowest value that do not come to it
     gently: the input was overloaded. Not up to five samples where the other side goes clearly
     farther: a range goes as far to both. */
  ptrdiff_t overloads;
  double overload_time; /* s, of the first */
  /* Of a hammer: blows, and when the first of them were; 0: no single blows. */
  int n_hit;
  double hit_time[MS_JUDGE_HITS];
  /* Of other channels: peaks of the spectrum, frequencies rising. */
  int n_peak;
  ms_judge_peak spectrum[MS_JUDGE_PEAKS];
} ms_judgement;

/* force: the channel is one of a hammer or shaker. Samples are finite, n >= 2, dt > 0. */
MS_API ms_status ms_signal_judge(ms_context *ctx, ptrdiff_t n, double dt, double time,
                                 const double *x, int force, ms_judgement *out);

#ifdef __cplusplus
}
#endif
#endif
