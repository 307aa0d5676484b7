/* Fits from several starts: the best, those that came to the same point, and what others say about
 * it. */
#include <math.h>
#include <microslip/fit.h>
#include <string.h>

#include "support/check.h"

enum { N = 2, COUNT = 5 };

static const ms_fit_parameter bound[N] = {
  { .name = "K_T of lap", .lower = 10.0, .upper = 1000.0, .logarithmic = 1 },
  { .name = "chi of lap", .lower = -0.9, .upper = 0.3 }
};
static const double found[N * COUNT] = { 71.3,   -0.31, 71.3, -0.31, 71.3 * 1.0045,
                                         -0.311, 71.3,  0.25, 71.3,  -0.308 };
static const ms_fit_local local[COUNT] = { { MS_FIT_FAILED, NAN, 3, 1, NAN },
                                           { MS_FIT_CONVERGED, 2.37, 31, 5, 1.7e-9 },
                                           { MS_FIT_UNFINISHED, 2.31, 400, 7, 2.9e-3 },
                                           { MS_FIT_CONVERGED, 4.9, 17, 4, 3.1e-8 },
                                           { MS_FIT_CONVERGED, 2.33, 19, 3, 4.1e-8 } };

static ms_starts make(void) {
  ms_starts s;
  CHECK_OK(ms_starts_open(test_context(), N, COUNT, bound, &s));
  memcpy(s.found, found, sizeof found);
  memcpy(s.local, local, sizeof local);
  return s;
}

static void test_best(void) {
  ms_starts s = make();
  CHECK_EQUAL(ms_starts_find_best(&s, 0.0), 2);
  CHECK_EQUAL(ms_starts_find_best(&s, 0.05), 2);
  CHECK_EQUAL(ms_starts_find_best(&s, 0.07), 1); /* the first within so much */
  for (int i = 0; i < COUNT; i++) s.local[i].end = MS_FIT_FAILED;
  CHECK_EQUAL(ms_starts_find_best(&s, 0.0), -1);
  ms_starts_close(test_context(), &s);
}

/* Within a thousandth of the range: 0.46 % on the two decades of K_T, 0.0012 of chi. */
static void test_agree(void) {
  ms_starts s = make();
  CHECK(ms_starts_agree(&s, 1, 2) && ms_starts_agree(&s, 2, 1));
  CHECK(!ms_starts_agree(&s, 1, 3)); /* in the second alone it is another */
  CHECK(!ms_starts_agree(&s, 1, 4));
  CHECK(!ms_starts_agree(&s, 0, 1)); /* no answer */
  CHECK(!ms_starts_agree(&s, 1, 0));
  CHECK_EQUAL(ms_starts_count_agreeing(&s, 1), 2);
  s.found[N * 2] = 71.3 * 1.0048;
  CHECK(!ms_starts_agree(&s, 1, 2));
  CHECK_EQUAL(ms_starts_count_agreeing(&s, 1), 1);
  ms_starts_close(test_context(), &s);
}

/* As numbers and back, by another analysis of the same size only. */
static void test_saved(void) {
  ms_starts s = make(), other;
  double values[16];
  CHECK_OK(ms_starts_open(test_context(), N, COUNT, bound, &other));
  for (ptrdiff_t k = 0; k < COUNT; k++) {
    const ptrdiff_t n = ms_starts_save(&s, k, NULL);
    CHECK_EQUAL(n, 7);
    CHECK_EQUAL(ms_starts_save(&s, k, values), n);
    for (ptrdiff_t i = 0; i < n; i++) CHECK(isfinite(values[i]));
    CHECK_OK(ms_starts_load(test_context(), &other, k, values, n));
    CHECK_EQUAL(other.local[k].end, local[k].end);
    CHECK_EQUAL(other.local[k].evaluations, local[k].evaluations);
    CHECK_EQUAL(other.local[k].jacobians, local[k].jacobians);
    for (int i = 0; i < N; i++) CHECK_NEAR(other.found[i + N * k], found[i + N * k], 0.0);
    if (k == 0) continue; /* without an answer */
    CHECK_NEAR(other.local[k].sum, local[k].sum, 0.0);
    CHECK_NEAR(other.local[k].gradient, local[k].gradient, 0.0);
  }
  CHECK_STATUS(ms_starts_load(test_context(), &other, 1, values, 6), MS_ERR_FORMAT);
  values[0] = 3.0;
  CHECK_STATUS(ms_starts_load(test_context(), &other, 1, values, 7), MS_ERR_FORMAT);
  values[0] = -1.0;
  CHECK_STATUS(ms_starts_load(test_context(), &other, 1, values, 7), MS_ERR_FORMAT);
  ms_starts_close(test_context(), &other);
  ms_starts_close(test_context(), &s);
}

/* The second parameter is elsewhere at the third start, whose sum is near enough for a scatter of
   1.7 and too far for one of 1.5; the fourth start is within its standard error. */
static void test_rivals(void) {
  static const char said[] = "said before.";
  for (int near = 0; near < 2; near++) {
    int determined[N] = { 1, 1 };
    double error[N] = { 1.9, 0.017 };
    ms_fit_judgement j = { .standard_error = error, .determined = determined };
    ms_starts s = make();
    CHECK_OK(ms_allocate(test_context(), sizeof said, 1, &j.remarks));
    memcpy(j.remarks, said, sizeof said);
    CHECK_OK(ms_starts_weigh_rivals(test_context(), &s, 2, near ? 1.7 : 1.5, &j));
    CHECK_EQUAL(determined[0], 1);
    CHECK_EQUAL(determined[1], !near);
    CHECK_TEXT(j.remarks, near ? "said before.\nchi of lap is not determined: starts that fit as "
                                 "well ended between -0.311 and 0.25."
                               : said);
    ms_free(test_context(), &j.remarks);
    ms_starts_close(test_context(), &s);
  }
}

/* In words: unfinished, at its bounds, and what the data leave open. */
static void test_warnings(void) {
  int determined[N] = { 0, 0 }, at_bound[N] = { 1, -1 };
  const ms_fit_judgement j = { .determined = determined, .at_bound = at_bound };
  ms_starts s = make();
  char text[200];
  CHECK(ms_starts_warning(&s, 2, &j, 0, text, sizeof text));
  CHECK_TEXT(text, "the fit stopped after 400 evaluations, before it converged");
  CHECK(ms_starts_warning(&s, 2, &j, 2, text, sizeof text));
  CHECK_TEXT(text, "chi of lap ended at its lower bound, -0.9");
  CHECK(!ms_starts_warning(&s, 2, &j, 3, text, sizeof text));
  at_bound[1] = 0;
  CHECK(ms_starts_warning(&s, 1, &j, 0, text, sizeof text));
  CHECK_TEXT(text, "K_T of lap ended at its upper bound, 1000");
  CHECK(!ms_starts_warning(&s, 1, &j, 1, text, sizeof text));
  CHECK(!ms_fit_bound_warning(&bound[0], 0, text, sizeof text));
  CHECK(ms_starts_open_warning(&s, &j, text, sizeof text));
  CHECK_TEXT(text, "the data do not determine K_T of lap, chi of lap: other values fit as well");
  determined[0] = determined[1] = 1;
  CHECK(!ms_starts_open_warning(&s, &j, text, sizeof text));
  ms_starts_close(test_context(), &s);
}

int main(void) {
  TEST(test_best);
  TEST(test_agree);
  TEST(test_saved);
  TEST(test_rivals);
  TEST(test_warnings);
  return test_finish();
}
