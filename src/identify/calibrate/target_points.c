#include "identify/calibrate/target_points.h"

#include <math.h>
#include <microslip/calibrate.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/internal.h"

/* A point while it is sorted. */
typedef struct point {
  double value[3];
  int row;
} point;

static const char *name_of(const ms_point_set *t) {
  return t->name ? t->name : "target";
}

static int is_inside(const ms_point_set *t, ptrdiff_t i) {
  const double x = t->column[0][i];
  return (t->low == 0.0 || x >= t->low) && (t->high == 0.0 || x <= t->high);
}

static int is_positive(double x) {
  return x > 0.0 && x < HUGE_VAL;
}

/* The first column of point i that cannot be used, 3 if all can. */
static int fault_of(const ms_point_set *t, ptrdiff_t i) {
  int c = 0;
  while (c < 3 && ((c == 2 && t->weight[1] == 0.0) || is_positive(t->column[c][i]))) c++;
  return c;
}

static int row_of(const ms_point_set *t, ptrdiff_t i) {
  return t->row ? t->row[i] : (int)i + 1;
}

/* What is wrong with the first such row, and the rows, as many as fit. */
static ms_status fail_rows(ms_context *ctx, const ms_point_set *t, ptrdiff_t first) {
  const int c = fault_of(t, first);
  char rows[160] = "";
  size_t n = 0;
  for (ptrdiff_t i = first; i < t->n && n + 16 < sizeof rows; i++) {
    if (!is_inside(t, i) || fault_of(t, i) == 3) continue;
    n += (size_t)snprintf(rows + n, sizeof rows - n, "%s%d", n ? ", " : "", row_of(t, i));
  }
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "%s: row %d has %s %g, which must be positive (rows %s); leave such rows out or "
                 "set a window",
                 name_of(t), row_of(t, first), t->what[c], t->column[c][first], rows);
}

static ms_status check(ms_context *ctx, const ms_point_set *t, ptrdiff_t *inside) {
  *inside = 0;
  if (!(t->weight[0] >= 0.0 && t->weight[1] >= 0.0 && t->weight[0] + t->weight[1] > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: weights %g and %g must be >= 0 and not both 0",
                   name_of(t), t->weight[0], t->weight[1]);
  }
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (isfinite(t->column[0][i]) && !is_inside(t, i)) continue;
    if (fault_of(t, i) < 3) return fail_rows(ctx, t, i);
    *inside += 1;
  }
  if (*inside >= MS_TARGET_LEAST) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: %td of %td points are in the window; it takes %d",
                 name_of(t), *inside, t->n, MS_TARGET_LEAST);
}

static int by_first(const void *a, const void *b) {
  const point *x = a, *y = b;
  if (x->value[0] != y->value[0]) return x->value[0] < y->value[0] ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static void sort_points(const ms_point_set *from, point *all, ms_own_points *to) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < from->n; i++) {
    if (!is_inside(from, i)) continue;
    all[n++] =
        (point) { { from->column[0][i], from->column[1][i], from->column[2][i] }, row_of(from, i) };
  }
  qsort(all, (size_t)n, sizeof *all, by_first);
  for (ptrdiff_t i = 0; i < n; i++) {
    for (int c = 0; c < 3; c++) to->column[c][i] = all[i].value[c];
    to->row[i] = all[i].row;
  }
}

ms_status ms_point_set_check(ms_context *ctx, const ms_point_set *set) {
  ptrdiff_t inside;
  return check(ctx, set, &inside);
}

ms_status ms_point_set_take(ms_context *ctx, const ms_point_set *from, ms_own_points *to) {
  point *all;
  ptrdiff_t n;
  MS_TRY(check(ctx, from, &n));
  MS_TRY(ms_text_copy(ctx, name_of(from), &to->name));
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *to->column[0], &to->column[0]));
  MS_TRY(ms_allocate(ctx, n, sizeof *to->row, &to->row));
  MS_TRY(ms_allocate(ctx, n, sizeof *all, &all));
  to->n = n;
  for (int c = 1; c < 3; c++) to->column[c] = to->column[0] + c * n;
  sort_points(from, all, to);
  ms_free(ctx, &all);
  return MS_SUCCESS;
}

void ms_point_set_free(ms_context *ctx, ms_own_points *points) {
  ms_free(ctx, &points->name);
  ms_free(ctx, &points->column[0]);
  ms_free(ctx, &points->row);
}

double ms_point_set_misfit(ptrdiff_t n, const double *model, const double *target) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double e = (model[i] - target[i]) / target[i];
    sum += e * e;
  }
  return sum / (double)n;
}
