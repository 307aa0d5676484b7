/* The search of an updating over threads and processes: fits from several starts, the first at the
   numbers that the model has. Starts are jobs. Where building the model is work of all processes
   together they follow each other, and the other processes do their part in each model. */
#ifndef MS_IDENTIFY_UPDATE_SEARCH_H
#define MS_IDENTIFY_UPDATE_SEARCH_H

#include <microslip/update.h>

#include "core/jobs.h"

enum { MS_UPDATE_UNKNOWNS = 32 }; /* at most */

/* All borrowed. */
typedef struct ms_update_plan {
  ms_crew crew;
  const char *what; /* for progress, and for what outlives a start */
  ptrdiff_t n, starts;
  const ms_fit_parameter *bound;
  const double *start; /* the numbers that the model has */
  const ms_measured_modes *measured;
  uint64_t seed;
  int together; /* each model is work of all processes */
  /* The model at p, for a context; `user` is for reading, by several threads at once. */
  ms_status (*build)(const void *user, ms_context *ctx, const double *p, ms_structure **out);
  const void *user;
} ms_update_plan;

typedef struct ms_update_found {
  ms_context *ctx; /* of models on the caller's thread: without progress of its own */
  ms_starts fits;
  ms_update_fit fit;
  ms_update_look look[2]; /* at the start, and updated */
} ms_update_found;

/* The first process; `found` is zero before, and to be destroyed after a failure too. */
ms_status ms_update_search(const ms_update_plan *plan, ms_update_found *found);
/* The others, meanwhile: their jobs, or their part in each model. */
ms_status ms_update_assist(const ms_update_plan *plan, ms_update_found *found);
void ms_update_found_destroy(ms_context *ctx, ms_update_found *found);
/* The numbers that were found. */
const double *ms_update_best(const ms_update_found *found);

/* The i-th reason to doubt what was found of these modes, as a sentence, into text; 0 if there are
   not that many. */
int ms_update_warning(const ms_update_found *found, const ms_measured_modes *measured, ptrdiff_t i,
                      char *text, size_t size);

#endif
