/* Random histories with lift-off, slip both ways and loads that jump: every one of them ends, or
   says that it did not converge; none of those that end is wrong. bench/bench_contact.c runs more.
 */
#include <stdio.h>

#include "support/check.h"
#include "support/contacts.h"

enum { N_HISTORY = 1000 };

static void test_all(void) {
  test_contact_tally t = { .ended = 0 };
  for (unsigned seed = 0; seed < N_HISTORY; seed++) {
    test_contact c = test_contact_run(test_context(), seed, 1);
    if (c.status == MS_NOT_CONVERGED) CHECK_HAS(ms_context_message(test_context()), "t = ");
    if (c.status < 0) printf("# %u: %s\n", seed, ms_context_message(test_context()));
    test_contact_add(test_context(), seed, &c, &t);
  }
  printf(
      "# %ld ended, %ld not converged; %ld steps, %ld Newton corrections halved, %ld lift-offs\n",
      t.ended, t.reported, t.steps, t.damped, t.lift_offs);
  printf("# worst force %.2g, motion %.2g, energy %.2g (with shorter steps %.2g, of %ld)\n",
         t.force, t.motion, t.balance, t.balance_again, t.again);
  CHECK_EQUAL(t.ended + t.reported, N_HISTORY);
  CHECK_BELOW((double)t.reported, 0.01 * N_HISTORY);
  CHECK(t.lift_offs > N_HISTORY);
  CHECK_BELOW(t.force, 1e-12);
  CHECK_BELOW(t.motion, 1e-9);
  CHECK_BELOW(t.balance_again, TEST_CONTACT_BALANCE);
}

int main(void) {
  TEST(test_all);
  return test_finish();
}
