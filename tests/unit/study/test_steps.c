/* Of several runs the worst of each reason to doubt them is kept. */
#include <math.h>

#include "study/steps.h"
#include "support/check.h"

static void test_worst(void) {
  const ms_transient_quality run[] = {
    { .balance = 3.1e-4, .mode = 0, .steps = 43.7, .steps_least = 20.0, .coarse = 2 },
    { .balance = 2.7e-6, .mode = 1, .steps = 7.3, .steps_least = 20.0, .coarse = 5 },
    { .balance = 0.123, .mode = 2, .steps = 31.9, .steps_least = 20.0, .coarse = 0 },
    { .balance = -1.0, .mode = -1, .steps = HUGE_VAL, .steps_least = 20.0 },
  };
  for (int first = 0; first < 4; first++) { /* in any order */
    ms_transient_quality worst = { .balance = 0.0 };
    for (int i = 0; i < 4; i++) ms_steps_merge(&run[(first + i) % 4], &worst);
    CHECK_CLOSE(worst.balance, 0.123, 1e-15);
    CHECK_EQUAL(worst.mode, 1);
    CHECK_CLOSE(worst.steps, 7.3, 1e-15);
    CHECK_EQUAL(worst.coarse, 5);
  }
}

/* A balance that is no number is worse than any. */
static void test_no_number(void) {
  ms_transient_quality run = { .balance = NAN, .steps = 31.9 }, worst = { .balance = 0.123 };
  char text[320];
  ms_steps_merge(&run, &worst);
  CHECK(ms_transient_quality_doubt(&worst, MS_DOUBT_BALANCE, text, sizeof text));
  CHECK(isnan(worst.balance));
}

int main(void) {
  TEST(test_worst);
  TEST(test_no_number);
  return test_finish();
}
