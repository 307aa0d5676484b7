/* Chains that know roughly where a density is and how wide: for samples.c. */
#ifndef MS_IDENTIFY_SAMPLE_CHAINS_H
#define MS_IDENTIFY_SAMPLE_CHAINS_H

#include <microslip/posterior.h>

typedef struct ms_chains ms_chains;

/* n chains in n_x variables. Step t draws from stream t of the seed. */
ms_status ms_chains_create(ms_context *ctx, ptrdiff_t n_x, ptrdiff_t n, ms_log_density *density,
                           void *user, uint64_t seed, ms_chains **out);
void ms_chains_destroy(ms_chains **chains);
/* Proposals are made about `centre`, as wide as the covariance L L^T. */
void ms_chains_aim(ms_chains *chains, const double *centre, const double *L);
/* The same from n points, which have more than one value in every direction, or nothing happens. */
void ms_chains_aim_at(ms_chains *chains, ptrdiff_t n, const double *x);
/* At x; a chain where the density is zero is moved half the way to the centre until it is not. */
ms_status ms_chains_start(ms_chains *chains, const double *x);
/* After `step` steps at x. */
void ms_chains_restore(ms_chains *chains, ptrdiff_t step, const double *x, const double *log_p);
ms_status ms_chains_step(ms_chains *chains);

typedef struct ms_chains_state {
  const double *x, *log_p; /* valid until the next step */
  ptrdiff_t accepted;      /* since create */
  ptrdiff_t asked, taken;  /* moves that do not depend on where the chain is, of those */
} ms_chains_state;
ms_chains_state ms_chains_get(const ms_chains *chains);

#endif
