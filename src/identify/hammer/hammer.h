/* A hammer test, as its files see it. */
#ifndef MS_IDENTIFY_HAMMER_HAMMER_H
#define MS_IDENTIFY_HAMMER_HAMMER_H

#include <microslip/hammer.h>
#include <microslip/hit_judge.h>

typedef struct own_hit {
  char *name;
  double *shape, *force, *noise;     /* noise of each filtered mode, 0: not known */
  ptrdiff_t n, factor;               /* samples of the sensors, once decimated */
  double dt;                         /* between them; times are those of the record */
  ptrdiff_t first, last, rise, fall; /* samples of the force; the pulse is from first to last */
  double force_dt;
  double force_noise; /* rms before the pulse; 0: not known */
  ptrdiff_t quiet;    /* samples before the pulse, 0: too few */
  ptrdiff_t before;   /* those whose means are the offsets; 0: none subtracted */
  double *offset;     /* of the force, then of each channel */
  ms_decay *decay;    /* of each mode */
  double **shared;    /* of each mode: see ms_hammer_get_shared */
  double *end;        /* s, until where each mode is read */
  char (*remark)[160];
  int judged, left_out;
  ms_hit_judgement judgement;
  char faults[160], doubts[640];
} own_hit;

struct ms_hammer {
  ms_context *ctx;
  ms_hammer_setting setting; /* with channel and mode of its own */
  ptrdiff_t n_coordinate, n_hit;
  int explained;
  own_hit *hit;
  double *omega;   /* of the reference's modes */
  double *load;    /* n_coordinate x n_mode: their shapes */
  double *inverse; /* n_mode x n_channel: the modal filter */
  ms_modal_filter_info filter;
};

/* hammer.c: reads mode m from its filtered signal, in the memory of ctx. */
ms_status ms_hammer_read_mode(ms_context *ctx, const ms_hammer *hammer, ptrdiff_t h, ptrdiff_t m,
                              const double *q, ms_decay *out);
/* q[k + n*m] from x[k + n*channel]. */
void ms_hammer_apply_filter(const ms_hammer *hammer, ptrdiff_t n, const double *x, double *q);

/* What white noise of rms 1 in filtered mode m makes of its rows, as ms_signal_stft_noise has it;
   NULL where the noise is not known. */
const double *ms_hammer_get_shared(const ms_hammer *hammer, ptrdiff_t h, ptrdiff_t m);

/* Standard deviation of ln(amplitude) of mode m by noise of the force within the pulse, and by the
   offset that this noise leaves: it is the same for all rows. */
double ms_hammer_get_force_error(const ms_hammer *hammer, ptrdiff_t h, ptrdiff_t m);

/* verdict.c: judges those hits that are to be. */
ms_status ms_hammer_judge_hits(ms_hammer *hammer, const ms_structure *reference, ptrdiff_t n_hit,
                               const ms_hit *hit);

/* simulate.c: as ms_hammer_simulate, only modes m with wanted[m]; NULL: all. gain: recorded over
   true value of the force, then of each channel; NULL: 1. */
ms_status ms_hammer_run_hit(const ms_hammer *hammer, ms_structure *structure, ptrdiff_t h,
                            const char *wanted, const double *gain, ms_decay *decay,
                            ms_transient_count *count, ms_transient_quality *quality);

#endif
