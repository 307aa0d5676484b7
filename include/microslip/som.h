/* [identify] A self-organising map: arranges points of many components on a plane so that similar
   ones are neighbours. Each node of a hexagonal grid represents some points. It is drawn once for
   every component (its plane); equal patterns mean correlated components (docs/theory/som.md). */
#ifndef MICROSLIP_SOM_H
#define MICROSLIP_SOM_H

#include <microslip/context.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MS_SOM_TOLERANCES(X)                                                                \
  X(thin, 0.05, "of the spread along the first direction: the second has at least so much") \
  X(sides, 6.0, "times the other side: longest side of a map whose sides are chosen")
typedef struct ms_som_tolerances {
  MS_SOM_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_som_tolerances;
#define MS_SOM_TOLERANCES_DEFAULT \
  { MS_SOM_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_som_setting {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ptrdiff_t columns, rows; /* 0: about 5 sqrt(n) nodes in all, sides as the points spread */
  ptrdiff_t most;          /* nodes, where columns and rows are 0 */
  ptrdiff_t rounds;        /* of training */
  double first, last;      /* radius of the neighbourhood, in grid steps; first 0: a quarter of the
                              longer side. It falls evenly in the logarithm. */
  ms_som_tolerances tol;
} ms_som_setting;

#define MS_SOM_DEFAULT \
  { sizeof(ms_som_setting), 0, 0, 400, 40, 0.0, 0.6, MS_SOM_TOLERANCES_DEFAULT }
MS_API void ms_som_default(ms_som_setting *setting, size_t size);

typedef struct ms_som ms_som;

/* Trains a map of n points with d components each, x[j + d*i]. Every component is scaled to mean 0
   and variance 1; one that does not vary plays no part. The grid starts in the plane of the two
   main directions, and every round moves all nodes at once: the same points in the same order give
   the same map, number by number. n >= 3, values finite, not all points the same. setting may be
   NULL for the default. */
MS_API ms_status ms_som_create(ms_context *ctx, ptrdiff_t n, ptrdiff_t d, const double *x,
                               const ms_som_setting *setting, ms_som **out);
MS_API void ms_som_destroy(ms_som **som);

/* Owned by the map. Node c + columns*r is in column c and row r; odd rows stand half a step to the
   right, so that each node has up to six neighbours at distance 1. */
typedef struct ms_som_map {
  ptrdiff_t columns, rows, d;
  const double *place;   /* 2 x nodes, in grid steps */
  const double *plane;   /* nodes x d in the components' own units, plane[k + nodes*j] */
  const ptrdiff_t *hits; /* of each node: points that it is the nearest to */
  const ptrdiff_t *node; /* of each point: its nearest node */
  double quantisation;   /* mean distance from a point to its node, scaled components */
  double at_start;       /* the same before the first round */
  double topographic;    /* part of the points whose two nearest nodes are no neighbours */
  double moved;          /* largest step of a component in the last round, scaled */
} ms_som_map;
MS_API ms_som_map ms_som_get(const ms_som *som);

#ifdef __cplusplus
}
#endif
#endif
