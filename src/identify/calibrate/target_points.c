/* Points of a target: checked, windowed, sorted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/internal.h"
#include "identify/calibrate/residuals.h"
#include "structure/impl.h"

/* A point while it is sorted. */
typedef struct point {
  double value[3];
  int row;
} point;

static const double *column_of(const ms_target *t, int c) {
  return c == 0 ? t->x : t->y[c - 1];
}

int ms_points_is_inside(const ms_target *t, ptrdiff_t i) {
  return (t->low == 0.0 || t->x[i] >= t->low) && (t->high == 0.0 || t->x[i] <= t->high);
}

/* The first column of point i that cannot be used, 3 if all can. */
static int fault_of(const ms_target *t, ptrdiff_t i) {
  for (int c = 0; c < 3; c++) {
    const double x = column_of(t, c)[i];
    const int any =
        c == 2 && t->kind == MS_TARGET_SHAKER; /* a phase, where a solution begins too */
    if (c == 2 && t->weight[1] == 0.0 && !any) continue;
    if (!(any ? isfinite(x) : x > 0.0 && x < HUGE_VAL)) return c;
  }
  return 3;
}

/* What is wrong with the first such row, and the rows, as many as fit. */
static ms_status fail_rows(ms_context *ctx, const ms_target *t, const char *const what[3],
                           ptrdiff_t first) {
  const int c = fault_of(t, first);
  char rows[160] = "";
  size_t n = 0;
  for (ptrdiff_t i = first; i < t->n && n + 16 < sizeof rows; i++) {
    if (!ms_points_is_inside(t, i) || fault_of(t, i) == 3) continue;
    n += (size_t)snprintf(rows + n, sizeof rows - n, "%s%d", n ? ", " : "", ms_points_row(t, i));
  }
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "%s: row %d has %s %g, which must be %s (rows %s); leave such rows out or set a "
                 "window",
                 ms_points_name(t), ms_points_row(t, first), what[c], column_of(t, c)[first],
                 c == 2 && t->kind == MS_TARGET_SHAKER ? "finite" : "positive", rows);
}

ms_status ms_points_check(ms_context *ctx, const ms_target *t, const char *const what[3]) {
  ptrdiff_t inside = 0;
  if (!(t->weight[0] >= 0.0 && t->weight[1] >= 0.0 && t->weight[0] + t->weight[1] > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: weights %g and %g must be >= 0 and not both 0",
                   ms_points_name(t), t->weight[0], t->weight[1]);
  }
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (isfinite(t->x[i]) && !ms_points_is_inside(t, i)) continue;
    if (fault_of(t, i) < 3) return fail_rows(ctx, t, what, i);
    inside++;
  }
  if (inside >= MS_TARGET_LEAST) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: %td of %td points are in the window; it takes %d",
                 ms_points_name(t), inside, t->n, MS_TARGET_LEAST);
}

static int by_first(const void *a, const void *b) {
  const point *x = a, *y = b;
  if (x->value[0] != y->value[0]) return x->value[0] < y->value[0] ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

ms_status ms_points_reserve(ms_context *ctx, ptrdiff_t n, int columns, ms_own_target *to) {
  MS_TRY(ms_allocate(ctx, columns * n, sizeof *to->store, &to->store));
  MS_TRY(ms_allocate(ctx, n, sizeof *to->row, &to->row));
  to->is.n = to->view.n = n;
  to->is.row = to->view.row = to->row;
  to->is.x = to->view.x = to->store;
  for (int i = 0; i < 2; i++) to->is.y[i] = to->view.target[i] = to->store + n * (i + 1);
  return MS_SUCCESS;
}

ms_status ms_points_take(ms_residuals *self, const ms_target *from, ms_own_target *to) {
  point *all;
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(self->ctx, from->n, sizeof *all, &all));
  for (ptrdiff_t i = 0; i < from->n; i++) {
    if (!ms_points_is_inside(from, i)) continue;
    all[n++] = (point) { { from->x[i], from->y[0][i], from->y[1][i] }, ms_points_row(from, i) };
  }
  qsort(all, (size_t)n, sizeof *all, by_first);
  ms_status status = ms_points_reserve(self->ctx, n, 3, to);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) {
    for (int c = 0; c < 3; c++) to->store[i + n * c] = all[i].value[c];
    to->row[i] = all[i].row;
  }
  ms_free(self->ctx, &all);
  return status;
}

double ms_points_range(ptrdiff_t n, const double *x) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (ptrdiff_t i = 0; i < n; i++) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  return high - low;
}

double ms_points_shift(ptrdiff_t n, const double *omega) {
  double high = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) high = fmax(high, omega[i]);
  return fmax(ms_points_range(n, omega), ms_identify_tol.least_shift * high);
}
