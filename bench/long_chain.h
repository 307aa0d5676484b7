/* Chains of any length, whose modes are known in closed form, with two Iwan joints: what methods in
   modal coordinates cost for many modes. */
#ifndef MS_BENCH_LONG_CHAIN_H
#define MS_BENCH_LONG_CHAIN_H

#include "systems.h"

typedef struct bench_long_chain bench_long_chain;

bench_long_chain *bench_long_create(ms_context *ctx, ptrdiff_t n);
/* For methods that work on modes: it has no matrices and no shapes. */
ms_structure *bench_long_structure(bench_long_chain *chain);
/* Amplitude of the first mode at which the first joint would slip altogether, were it linear. */
double bench_long_slip(const bench_long_chain *chain);
void bench_long_destroy(bench_long_chain **chain);

#endif
