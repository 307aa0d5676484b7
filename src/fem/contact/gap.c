/* Gaps from a table: rows on a grid along one or two global axes, linear between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "fem/contact/points.h"
#include "fem/model/model.h"
#include "fem/tolerance.h"

/* Along an axis that no row mentions, or that is the same in all of them, there is one value. */
typedef struct gap_grid {
  const ms_fem_model *m;
  const ms_fem_contact *contact;
  ptrdiff_t n[3];
  double *x[3]; /* n each, rising */
  double *gap;  /* n[0] x n[1] x n[2]; NAN: no row so far */
} gap_grid;

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The interval of axis a with x in it, and how far along it x is; beyond its ends, below 0 or above
   1. */
static ptrdiff_t locate(const gap_grid *g, int a, double x, double *part) {
  ptrdiff_t i = 0;
  *part = 0.0;
  if (g->n[a] == 1) return 0;
  while (i + 2 < g->n[a] && x >= g->x[a][i + 1]) i++;
  *part = (x - g->x[a][i]) / (g->x[a][i + 1] - g->x[a][i]);
  return i;
}

static ms_status fill_axis(gap_grid *g, int a) {
  const ms_fem_gaps *t = g->contact->gaps;
  const double *from = t->at[a];
  MS_TRY(ms_allocate(g->m->ctx, t->n, sizeof *g->x[a], &g->x[a]));
  if (from) memcpy(g->x[a], from, (size_t)t->n * sizeof *from);
  qsort(g->x[a], (size_t)t->n, sizeof *from, compare);
  g->n[a] = 1;
  for (ptrdiff_t i = 1; i < t->n; i++) {
    if (g->x[a][i] > g->x[a][g->n[a] - 1]) g->x[a][g->n[a]++] = g->x[a][i];
  }
  return MS_SUCCESS;
}

static ms_status check_table(const gap_grid *g) {
  const ms_fem_gaps *t = g->contact->gaps;
  ms_context *ctx = g->m->ctx;
  MS_NEED(ctx, t->n > 0 && t->gap);
  for (ptrdiff_t i = 0; i < t->n; i++) {
    double sum = t->gap[i];
    for (int a = 0; a < 3; a++) sum += t->at[a] ? t->at[a][i] : 0.0;
    if (isfinite(sum)) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC,
                   "contact '%s': row %td of the gaps has a value that is not finite",
                   g->contact->name, i + 1);
  }
  return MS_SUCCESS;
}

static ms_status refuse_grid(const gap_grid *g) {
  return ms_fail(g->m->ctx, MS_ERR_ARGUMENT,
                 "contact '%s': %td gaps at %td different x, %td y and %td z are no grid: give one "
                 "gap for each pair of values of two of these, or for each value of one",
                 g->contact->name, g->contact->gaps->n, g->n[0], g->n[1], g->n[2]);
}

static ms_status fill_grid(gap_grid *g) {
  const ms_fem_gaps *t = g->contact->gaps;
  const ptrdiff_t n = g->n[0] * g->n[1] * g->n[2];
  const int axes = (g->n[0] > 1) + (g->n[1] > 1) + (g->n[2] > 1);
  if (n != t->n || axes < 1 || axes > 2) return refuse_grid(g);
  MS_TRY(ms_allocate(g->m->ctx, n, sizeof *g->gap, &g->gap));
  for (ptrdiff_t i = 0; i < n; i++) g->gap[i] = NAN;
  for (ptrdiff_t i = 0; i < n; i++) {
    ptrdiff_t at = 0;
    for (int a = 2; a >= 0; a--) {
      double part;
      const ptrdiff_t k = t->at[a] ? locate(g, a, t->at[a][i], &part) + (part > 0.5) : 0;
      at = g->n[a] * at + k;
    }
    if (isfinite(g->gap[at])) return refuse_grid(g);
    g->gap[at] = t->gap[i];
  }
  return MS_SUCCESS;
}

static ms_status refuse_outside(const gap_grid *g, int a, const double *x) {
  return ms_fail(g->m->ctx, MS_ERR_BOUNDS,
                 "contact '%s': the table of gaps ends at %c = %.6g and %.6g m; the point (%.6g, "
                 "%.6g, %.6g) m of '%s' is outside",
                 g->contact->name, "xyz"[a], g -> x[a][0], g -> x[a][g->n[a] - 1], x[0], x[1], x[2],
                 g -> contact -> faces[0]);
}

static ms_status add_gap(const gap_grid *g, ms_fem_contact_point *p) {
  double part[3];
  ptrdiff_t first[3];
  for (int a = 0; a < 3; a++) {
    const double range = g->x[a][g->n[a] - 1] - g->x[a][0], edge = ms_mesh_tol.table_edge * range;
    first[a] = locate(g, a, p->at[a], &part[a]);
    if (g->n[a] == 1) continue;
    if (p->at[a] < g->x[a][0] - edge || p->at[a] > g->x[a][g->n[a] - 1] + edge)
      return refuse_outside(g, a, p->at);
  }
  for (int corner = 0; corner < 8; corner++) {
    double weight = 1.0;
    ptrdiff_t at = 0;
    for (int a = 2; a >= 0; a--) {
      const int next = (corner >> a) & 1;
      weight *= next ? part[a] : 1.0 - part[a];
      at = g->n[a] * at + first[a] + (g->n[a] > 1 ? next : 0);
    }
    p->tabled += weight * g->gap[at];
  }
  p->gap += ms_gap_factor(g->contact) * p->tabled;
  return MS_SUCCESS;
}

double ms_gap_factor(const ms_fem_contact *contact) {
  return contact->gap_factor > 0.0 ? contact->gap_factor : 1.0;
}

ms_status ms_contact_add_gaps(const ms_fem_model *m, const ms_fem_contact *contact, ptrdiff_t n,
                              ms_fem_contact_point *point) {
  gap_grid g = { .m = m, .contact = contact };
  if (!contact->gaps) return MS_SUCCESS;
  ms_status status = check_table(&g);
  for (int a = 0; a < 3 && !status; a++) status = fill_axis(&g, a);
  if (!status) status = fill_grid(&g);
  for (ptrdiff_t i = 0; i < n && !status; i++) status = add_gap(&g, &point[i]);
  for (int a = 0; a < 3; a++) ms_free(m->ctx, &g.x[a]);
  ms_free(m->ctx, &g.gap);
  return status;
}
