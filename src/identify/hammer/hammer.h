/* A hammer test, as its files see it. */
#ifndef MS_IDENTIFY_HAMMER_HAMMER_H
#define MS_IDENTIFY_HAMMER_HAMMER_H

#include <microslip/hammer.h>

typedef struct own_hit {
  char *name;
  double *shape, *force, *noise; /* noise of each filtered mode, 0: not known */
  ptrdiff_t n, first, last;      /* samples; the pulse is from first to last */
  double dt;
  ptrdiff_t before; /* samples before the pulse, whose means are the offsets; 0: none subtracted */
  double *offset;   /* of the force, then of each channel */
  ms_decay *decay;  /* of each mode */
  double *end;      /* s, until where each mode is read */
  char (*remark)[160];
} own_hit;

struct ms_hammer {
  ms_context *ctx;
  ms_hammer_setting setting; /* with channel and mode of its own */
  ptrdiff_t n_coordinate, n_hit;
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

/* simulate.c: as ms_hammer_simulate, only modes m with wanted[m]; NULL: all. */
ms_status ms_hammer_run_hit(const ms_hammer *hammer, ms_structure *structure, ptrdiff_t h,
                            const char *wanted, ms_decay *decay, ms_transient_count *count,
                            ms_transient_quality *quality);

#endif
