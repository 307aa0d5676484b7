/* Tables of two runs: rows by their keys, curves by interpolation, and texts line by line. */
#include <math.h>
#include <string.h>

#include "report/compare/compare.h"
#include "support/check.h"

enum { MOST = 6 };

static ms_run_table table_of(ms_run_column *column, int n, ptrdiff_t rows) {
  return (ms_run_table) { n, column, rows };
}

static const ms_difference *find(const ms_matched *m, const char *name) {
  static const ms_difference none = { .pairs = -1 };
  for (ptrdiff_t i = 0; i < m->n; i++)
    if (strcmp(m->difference[i].name, name) == 0) return &m->difference[i];
  return &none;
}

/* Rows in another order, one without a counterpart in each, found by mode and method. */
static void test_keys(void) {
  char qsma[] = "qsma", epmc[] = "epmc", ringdown[] = "ringdown";
  char *method[2][3] = { { qsma, qsma, epmc }, { epmc, qsma, ringdown } };
  double mode[2][3] = { { 1, 2, 1 }, { 1, 1, 1 } };
  double f[2][3] = { { 10.0, 21.5, 10.5 }, { 10.71, 9.8, 4.0 } };
  double points[2][3] = { { 7, 7, 9 }, { 9, 8, 7 } };
  ms_run_column c[2][4];
  ms_run_table t[2];
  ms_matched m;
  for (int s = 0; s < 2; s++) {
    c[s][0] = (ms_run_column) { .name = "mode", .number = mode[s] };
    c[s][1] = (ms_run_column) { .name = "method", .word = method[s] };
    c[s][2] = (ms_run_column) { .name = "points", .number = points[s] };
    c[s][3] = (ms_run_column) { .name = "f", .unit = "Hz", .number = f[s] };
    t[s] = table_of(c[s], 4, 3);
  }
  CHECK_OK(ms_match_tables(test_context(), &t[0], &t[1], &m));
  const ms_difference *d = find(&m, "f");
  CHECK_EQUAL(m.n, 2);
  CHECK_EQUAL(d->pairs, 2);
  CHECK_EQUAL(m.only_first, 1);
  CHECK_EQUAL(m.only_other, 1);
  CHECK_CLOSE(d->difference, 0.21, 1e-12);
  CHECK_CLOSE(d->first, 10.5, 0.0);
  CHECK_CLOSE(d->relative, 0.02, 1e-12); /* -0.2/10 is as large, and comes later */
  CHECK_CLOSE(d->typical, sqrt((0.2 * 0.2 + 0.21 * 0.21) / 2.0), 1e-12);
  CHECK_CLOSE(d->share, d->typical / 21.5, 1e-12);
  CHECK_TEXT(d->where, "mode 1, method epmc");
  CHECK_TEXT(d->unit, "Hz");
  CHECK_TEXT(d->how, "rows by mode, method");
  CHECK_CLOSE(find(&m, "points")->difference, 1.0, 0.0);
  ms_free(test_context(), &m.difference);
}

/* zeta is linear in log q in both: 0.01 log10(q/1e-6) and, in the other, 0.001 more; the second
   curve runs the other way. y off the straight line at one point only. */
static void fill_curves(double q[2][MOST], double zeta[2][MOST], double mode[2][MOST]) {
  static const double exponent[2][MOST] = { { 0, 1, 2, 3, 1, 2 }, { 2.5, 1.5, 0.5, 1.25, 1.5, 0 } };
  for (int s = 0; s < 2; s++) {
    for (int i = 0; i < MOST; i++) {
      mode[s][i] = s == 0 ? (i < 4 ? 1 : 2) : (i < 3 ? 1 : 2);
      q[s][i] = 1e-6 * pow(10.0, exponent[s][i]);
      zeta[s][i] = 0.01 * exponent[s][i] + 0.001 * s;
    }
  }
  zeta[1][1] += 0.004; /* mode 1, q = 10^-4.5 */
}

static void test_curves(void) {
  double q[2][MOST], zeta[2][MOST], mode[2][MOST];
  ms_run_column c[2][3];
  ms_run_table t[2];
  ms_matched m, back;
  fill_curves(q, zeta, mode);
  for (int s = 0; s < 2; s++) {
    c[s][0] = (ms_run_column) { .name = "mode", .number = mode[s] };
    c[s][1] = (ms_run_column) { .name = "q", .unit = "m", .number = q[s] };
    c[s][2] = (ms_run_column) { .name = "zeta", .number = zeta[s] };
    t[s] = table_of(c[s], 3, s == 0 ? 6 : 5);
  }
  CHECK_OK(ms_match_tables(test_context(), &t[0], &t[1], &m));
  const ms_difference *d = find(&m, "zeta");
  /* mode 1: q = 10, 100 of the first, all three of the other; mode 2: both of the other */
  CHECK_EQUAL(d->pairs, 2 + 3 + 2);
  CHECK_EQUAL(m.outside_first, 4);
  CHECK_EQUAL(m.outside_other, 0);
  CHECK_CLOSE(d->difference, 0.005, 1e-9);
  CHECK_CLOSE(d->first, 0.015, 1e-9);
  CHECK_TEXT(d->where, "mode 1, q 3.16228e-05 m");
  CHECK_TEXT(d->how, "rows by mode; interpolated over log q in the range of both");
  /* at q = 1e-5 half of the excess is seen: 0.001 + 0.002 of 0.01 */
  CHECK_CLOSE(d->relative, 1.0 / 3.0, 1e-9);
  CHECK_OK(ms_match_tables(test_context(), &t[1], &t[0], &back));
  CHECK_CLOSE(find(&back, "zeta")->difference, -d->difference, 1e-12);
  CHECK_EQUAL(find(&back, "zeta")->pairs, d->pairs);
  ms_free(test_context(), &m.difference);
  ms_free(test_context(), &back.difference);
}

/* Levels are counts. With the same q they are compared one by one, else they are a curve. */
static void test_levels(void) {
  double level[] = { 1, 2, 3 }, q[2][3] = { { 1e-6, 1e-5, 1e-4 }, { 1e-6, 1e-5, 1e-4 } };
  double f[2][3] = { { 30, 20, 10 }, { 31, 21, 12 } };
  ms_run_column c[2][3];
  ms_run_table t[2];
  ms_matched m;
  for (int same = 1; same >= 0; same--) {
    for (int s = 0; s < 2; s++) {
      c[s][0] = (ms_run_column) { .name = "level", .number = level };
      c[s][1] = (ms_run_column) { .name = "q", .number = q[s] };
      c[s][2] = (ms_run_column) { .name = "f", .number = f[s] };
      t[s] = table_of(c[s], 3, 3);
    }
    for (int i = 0; i < 3 && !same; i++) q[1][i] *= sqrt(10.0);
    CHECK_OK(ms_match_tables(test_context(), &t[0], &t[1], &m));
    const ms_difference *d = find(&m, "f");
    CHECK_EQUAL(d->pairs, same ? 3 : 4);
    CHECK_CLOSE(d->difference, same ? 2.0 : 6.5, 1e-9); /* 10 at 1e-4, where the other has 16.5 */
    CHECK_TEXT(d->where, same ? "level 3" : "q 0.0001");
    ms_free(test_context(), &m.difference);
  }
}

/* No key and x that does not rise: rows in their order, and a value beside 0. */
static void test_order(void) {
  double x[2][3] = { { 0.3, 0.1, 0.2 }, { 0.35, 0.1, 0.2 } },
         y[2][3] = { { 0, 5, 5 }, { 2, 5, 4 } };
  ms_run_column c[2][2];
  ms_run_table t[2];
  ms_matched m;
  for (int s = 0; s < 2; s++) {
    c[s][0] = (ms_run_column) { .name = "x", .number = x[s] };
    c[s][1] = (ms_run_column) { .name = "y", .number = y[s] };
    t[s] = table_of(c[s], 2, 3);
  }
  CHECK_OK(ms_match_tables(test_context(), &t[0], &t[1], &m));
  const ms_difference *d = find(&m, "y");
  CHECK_CLOSE(d->difference, 2.0, 0.0);
  CHECK_CLOSE(d->relative, 1.0, 0.0);
  CHECK_TEXT(d->where, "row 1");
  CHECK_TEXT(d->how, "rows in their order");
  CHECK_CLOSE(find(&m, "x")->difference, 0.05, 1e-12);
  ms_free(test_context(), &m.difference);
  t[1].rows = 2; /* nothing says which row is which */
  CHECK_OK(ms_match_tables(test_context(), &t[0], &t[1], &m));
  CHECK_EQUAL(m.n, 0);
  CHECK_EQUAL(m.only_first, 3);
  ms_free(test_context(), &m.difference);
}

static void test_lines(void) {
  char *text = NULL;
  CHECK_OK(ms_lines_compare(test_context(), "a\nb\nc\n", "a\nB\nc\nd", &text));
  CHECK_TEXT(text, "- b\n+ B\n+ d\n");
  ms_free(test_context(), &text);
  CHECK_OK(ms_lines_compare(test_context(), "", "a", &text));
  CHECK_TEXT(text, "+ a\n");
  ms_free(test_context(), &text);
  CHECK_OK(ms_lines_compare(test_context(), "a\nb\n", "a\nb\n", &text));
  CHECK_TEXT(text, "");
  ms_free(test_context(), &text);
}

static ms_status all(ms_context *ctx, void *user) {
  double q[2][MOST], zeta[2][MOST], mode[2][MOST];
  ms_run_column c[2][3];
  ms_run_table t[2];
  ms_matched m;
  char *text = NULL;
  (void)user;
  fill_curves(q, zeta, mode);
  for (int s = 0; s < 2; s++) {
    c[s][0] = (ms_run_column) { .name = "mode", .number = mode[s] };
    c[s][1] = (ms_run_column) { .name = "q", .unit = "m", .number = q[s] };
    c[s][2] = (ms_run_column) { .name = "zeta", .number = zeta[s] };
    t[s] = table_of(c[s], 3, 5);
  }
  ms_status status = ms_match_tables(ctx, &t[0], &t[1], &m);
  ms_free(ctx, &m.difference);
  if (status == MS_SUCCESS) status = ms_lines_compare(ctx, "a\nb\n", "b\n", &text);
  ms_free(ctx, &text);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(all, NULL) > 8);
}

int main(void) {
  TEST(test_keys);
  TEST(test_curves);
  TEST(test_levels);
  TEST(test_order);
  TEST(test_lines);
  TEST(test_memory_failures);
  return test_finish();
}
