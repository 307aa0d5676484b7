/* Crowding: how much room a point has on its front. Along each objective the points of the front
   are a chain sorted by it, whose ends are always kept. With two objectives the neighbours in the
   chain are the neighbours on the front, and a point's distance is the sum over objectives of the
   gap between them, in units of the objective's range. With more objectives neighbours in a chain
   may be far apart on the front: there the distance is the mean of those to the two nearest points.
   Taking a point out corrects the distances of its neighbours, so sorting is done once. */
#include <math.h>
#include <stdlib.h>

#include "identify/search/pareto.h"

ms_status ms_crowd_create(ms_context *ctx, ptrdiff_t n_f, ptrdiff_t capacity, ms_crowd *out) {
  *out = (ms_crowd) { .n_f = n_f, .capacity = capacity };
  ms_status status = ms_allocate(ctx, capacity, sizeof *out->member, &out->member);
  if (!status) status = ms_allocate(ctx, n_f * capacity, sizeof *out->prev, &out->prev);
  if (!status) status = ms_allocate(ctx, n_f * capacity, sizeof *out->next, &out->next);
  if (!status) status = ms_allocate(ctx, 2 * capacity, sizeof *out->near, &out->near);
  if (!status) status = ms_allocate(ctx, capacity, sizeof *out->order, &out->order);
  if (!status) status = ms_allocate(ctx, n_f, sizeof *out->scale, &out->scale);
  if (!status) status = ms_allocate(ctx, capacity, sizeof *out->distance, &out->distance);
  if (status) ms_crowd_destroy(ctx, out);
  return status;
}

void ms_crowd_destroy(ms_context *ctx, ms_crowd *c) {
  ms_free(ctx, &c->member);
  ms_free(ctx, &c->prev);
  ms_free(ctx, &c->next);
  ms_free(ctx, &c->near);
  ms_free(ctx, &c->order);
  ms_free(ctx, &c->scale);
  ms_free(ctx, &c->distance);
}

/* Sorts order[0..n) by the members' objective m, equal ones by index: a shell sort, because the
   comparison needs f and the sets are small. */
static void sort_members(ms_crowd *c, ptrdiff_t n, ptrdiff_t m, const double *f) {
  static const ptrdiff_t gaps[] = { 29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1 };
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
    for (ptrdiff_t i = gaps[g]; i < n; i++) {
      ptrdiff_t k = i, moved = c->order[i];
      double key = f[m + c->n_f * c->member[moved]];
      for (; k >= gaps[g]; k -= gaps[g]) {
        ptrdiff_t other = c->order[k - gaps[g]];
        double value = f[m + c->n_f * c->member[other]];
        if (value < key || (value == key && other < moved)) break;
        c->order[k] = other;
      }
      c->order[k] = moved;
    }
  }
}

static void link_members(ms_crowd *c, ptrdiff_t n, ptrdiff_t m, const double *f) {
  for (ptrdiff_t i = 0; i < n; i++) c->order[i] = i;
  sort_members(c, n, m, f);
  for (ptrdiff_t i = 0; i < n; i++) {
    c->prev[m + c->n_f * c->order[i]] = i > 0 ? c->order[i - 1] : -1;
    c->next[m + c->n_f * c->order[i]] = i + 1 < n ? c->order[i + 1] : -1;
  }
  double span = f[m + c->n_f * c->member[c->order[n - 1]]] - f[m + c->n_f * c->member[c->order[0]]];
  c->scale[m] = span > 0.0 ? 1.0 / span : 0.0;
}

static double between(const ms_crowd *c, ptrdiff_t i, ptrdiff_t k, const double *f) {
  double sum = 0.0;
  for (ptrdiff_t m = 0; m < c->n_f; m++) {
    double gap = f[m + c->n_f * c->member[i]] - f[m + c->n_f * c->member[k]];
    sum += c->scale[m] * c->scale[m] * gap * gap;
  }
  return sqrt(sum);
}

/* Of the n members those that are not out yet; the two nearest to member i, and their distance. */
static double nearest_two(ms_crowd *c, ptrdiff_t n, ptrdiff_t i, const double *f) {
  double first = HUGE_VAL, second = HUGE_VAL;
  ptrdiff_t *near = c->near + 2 * i;
  near[0] = near[1] = -1;
  for (ptrdiff_t k = 0; k < n; k++) {
    if (k == i || c->distance[k] < 0.0) continue;
    double d = between(c, i, k, f);
    if (d < first) {
      second = first, near[1] = near[0];
      first = d, near[0] = k;
    } else if (d < second) {
      second = d, near[1] = k;
    }
  }
  return 0.5 * (first + second);
}

static int is_end(const ms_crowd *c, ptrdiff_t i) {
  for (ptrdiff_t m = 0; m < c->n_f; m++) {
    if (c->prev[m + c->n_f * i] < 0 || c->next[m + c->n_f * i] < 0) return 1;
  }
  return 0;
}

static double gaps_of(const ms_crowd *c, ptrdiff_t i, const double *f) {
  double sum = 0.0;
  for (ptrdiff_t m = 0; m < c->n_f; m++) {
    ptrdiff_t before = c->prev[m + c->n_f * i], after = c->next[m + c->n_f * i];
    sum += c->scale[m] * (f[m + c->n_f * c->member[after]] - f[m + c->n_f * c->member[before]]);
  }
  return sum;
}

static double distance_of(ms_crowd *c, ptrdiff_t n, ptrdiff_t i, const double *f) {
  if (is_end(c, i)) return HUGE_VAL;
  return c->n_f > 2 ? nearest_two(c, n, i, f) : gaps_of(c, i, f);
}

void ms_crowd_rate(ms_crowd *c, ptrdiff_t n, const double *f) {
  if (n == 0) return;
  for (ptrdiff_t m = 0; m < c->n_f; m++) link_members(c, n, m, f);
  for (ptrdiff_t i = 0; i < n; i++) c->distance[i] = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) c->distance[i] = distance_of(c, n, i, f);
}

/* Is i a neighbour of k, which is going? */
static int is_near(const ms_crowd *c, ptrdiff_t i, ptrdiff_t k) {
  if (c->n_f > 2) return c->near[2 * i] == k || c->near[2 * i + 1] == k;
  for (ptrdiff_t m = 0; m < c->n_f; m++) {
    if (c->prev[m + c->n_f * k] == i || c->next[m + c->n_f * k] == i) return 1;
  }
  return 0;
}

/* Takes member k out of every chain. */
static void take_out(ms_crowd *c, ptrdiff_t n, ptrdiff_t k, const double *f) {
  c->distance[k] = -1.0;
  for (ptrdiff_t m = 0; m < c->n_f; m++) {
    ptrdiff_t before = c->prev[m + c->n_f * k], after = c->next[m + c->n_f * k];
    if (before >= 0) c->next[m + c->n_f * before] = after;
    if (after >= 0) c->prev[m + c->n_f * after] = before;
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    if (c->distance[i] >= 0.0 && is_near(c, i, k)) c->distance[i] = distance_of(c, n, i, f);
  }
}

/* -1 marks a member that is out. Of equally crowded ones the last goes. */
void ms_crowd_prune(ms_crowd *c, ptrdiff_t n, ptrdiff_t keep, const double *f) {
  ms_crowd_rate(c, n, f);
  for (ptrdiff_t left = n; left > keep; left--) {
    ptrdiff_t worst = -1;
    for (ptrdiff_t i = 0; i < n; i++) {
      if (c->distance[i] < 0.0) continue;
      if (worst < 0 || c->distance[i] <= c->distance[worst]) worst = i;
    }
    take_out(c, n, worst, f);
  }
  ptrdiff_t kept = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (c->distance[i] >= 0.0) c->member[kept++] = c->member[i];
  }
}
