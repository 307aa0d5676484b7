/* Sets of points with several objectives: what the search needs beside the public functions. */
#ifndef MS_IDENTIFY_SEARCH_PARETO_H
#define MS_IDENTIFY_SEARCH_PARETO_H

#include <microslip/pareto.h>

/* Refuses objectives that are not finite, but for points with v > 0. v may be NULL. */
ms_status ms_pareto_check(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_f, const double *f,
                          const double *v);
/* As ms_pareto_sort, with room for n counts and n indices of the caller's. */
void ms_pareto_rank(ptrdiff_t n, ptrdiff_t n_f, const double *f, const double *v, int *rank,
                    ptrdiff_t *dominated_by, ptrdiff_t *queue);

/* The neighbours of each point of a set along each objective, and how far apart they are. */
typedef struct ms_crowd {
  ptrdiff_t n_f, capacity;
  ptrdiff_t *member;      /* the points of the set */
  ptrdiff_t *prev, *next; /* n_f x capacity: members before and after, -1 at the ends */
  ptrdiff_t *near;        /* 2 x capacity: the two nearest, more than two objectives */
  ptrdiff_t *order;       /* members as one objective sorts them */
  double *scale;          /* n_f: 1 over the range of the objective, 0 where it has none */
  double *distance;       /* per member; infinite at the ends */
} ms_crowd;

ms_status ms_crowd_create(ms_context *ctx, ptrdiff_t n_f, ptrdiff_t capacity, ms_crowd *out);
void ms_crowd_destroy(ms_context *ctx, ms_crowd *crowd);
/* Crowding distances of the n points member[0..n) of f. */
void ms_crowd_rate(ms_crowd *crowd, ptrdiff_t n, const double *f);
/* Leaves out the most crowded points one by one until `keep` are left in member[0..keep). */
void ms_crowd_prune(ms_crowd *crowd, ptrdiff_t n, ptrdiff_t keep, const double *f);

#endif
