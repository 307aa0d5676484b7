/* A kind of load, as its file describes it. Time t counts from the load's start. */
#ifndef MS_RESPONSE_LOAD_H
#define MS_RESPONSE_LOAD_H

#include <math.h>

#include <microslip/response.h>

#include "signal/internal.h"

typedef struct ms_load_kind ms_load_kind;

enum { MS_LOAD_MAX_PARAM = 12, MS_LOAD_MAX_COLUMN = 4 };

/* A sine of a sum: amplitude sin(omega t + phase). */
typedef struct ms_load_line {
  double omega, amplitude, phase;
} ms_load_line;

struct ms_load {
  ms_context *ctx;
  const ms_load_kind *kind;
  double value[MS_LOAD_MAX_PARAM]; /* in the order of the kind's parameters */
  unsigned char given[MS_LOAD_MAX_PARAM];
  double *column[MS_LOAD_MAX_COLUMN]; /* one block, in column[0] */
  ptrdiff_t rows;
  int columns;
  int ready;
  /* what setup leaves: */
  double begin, end;   /* not zero in [begin, end) at most */
  double start;        /* the interface's: eval gets t - start */
  ms_load_scale scale; /* none by default; of a pulse the interface sees to what ends */
  double c[4];
  ms_load_line *line;
  ptrdiff_t n_line;
  ms_comb comb;     /* the lines again, where they are many and equally spaced; else empty */
  double low, high; /* Hz, of a band of lines; both 0: none */
};

/* One file per kind, ending in this table; one line in loads.def. */
struct ms_load_kind {
  ms_load_info info;
  const ms_custom_load *custom; /* of a kind that a caller added; else NULL */
  /* Parameters are within bounds and complete; set begin and end (0 and HUGE_VAL by default). NULL:
     nothing to set. */
  ms_status (*setup)(ms_load *load);
  double (*eval)(const ms_load *load, double t);
};

/* The last parameter of every kind. */
#define MS_LOAD_START                                                              \
  {                                                                                \
    .name = "start", .unit = "s", .meaning = "when it begins", .lower = -HUGE_VAL, \
    .upper = HUGE_VAL, .open = 3, .typical = 0                                     \
  }

/* A positive number and one of any sign, by their name, unit and meaning. */
#define MS_LOAD_POSITIVE(n, u, m, t) \
  .name = n, .unit = u, .meaning = m, .lower = 0, .upper = HUGE_VAL, .open = 3, .typical = t
#define MS_LOAD_NUMBER(n, u, m, t) \
  .name = n, .unit = u, .meaning = m, .lower = -HUGE_VAL, .upper = HUGE_VAL, .open = 3, .typical = t
/* Zero or more; 0 is the default. */
#define MS_LOAD_FROM_ZERO(n, u, m) \
  { .name = n, .unit = u, .meaning = m, .upper = HUGE_VAL, .open = 2 }
#define MS_LOAD_DURATION MS_LOAD_FROM_ZERO("duration", "s", "how long; 0: for ever")
#define MS_LOAD_SEED(m) \
  { .name = "seed", .unit = "-", .meaning = m, .upper = 9e15, .kind = MS_PARAM_COUNT }

/* end := duration, or for ever where that is 0. */
void ms_load_last(ms_load *load, double duration);
/* Room for n lines, phases at random from the seed. */
ms_status ms_load_draw_lines(ms_load *load, ptrdiff_t n, double seed);
double ms_load_sum_lines(const ms_load *load, double t);
/* "kind: " and the message. */
ms_status ms_load_fail(const ms_load *load, ms_status status, const char *format, ...)
    MS_PRINTF(3, 4);

#endif
