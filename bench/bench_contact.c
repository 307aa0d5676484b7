/* Ten thousand random histories of a small structure on a contact that lifts off, slips both ways
   and is hit by loads that jump. Every one must end or say that it did not converge, and nothing
   may be wrong with those that end: the law's force, the balance of forces, the energy. */
#include <stdio.h>

#include "bench.h"
#include "support/contacts.h"

enum { N_HISTORY = 10000 };

int main(void) {
  ms_context *ctx = NULL;
  test_contact_tally t = { .ended = 0 };
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  bench_clock clock = bench_clock_read();
  for (unsigned seed = 0; seed < N_HISTORY; seed++) {
    test_contact c = test_contact_run(ctx, seed, 1);
    test_contact_add(ctx, seed, &c, &t);
  }
  double seconds = bench_clock_since(clock);
  printf("Random contact histories: %d, %ld steps with %ld lift-offs, %.1f s\n", N_HISTORY, t.steps,
         t.lift_offs, seconds);
  printf("  ended                                        %12ld\n", t.ended);
  printf("  not converged, and said so                   %12ld\n", t.reported);
  printf("  Newton corrections that were halved          %12ld\n", t.damped);
  printf("  run again with shorter steps for the energy  %12ld\n", t.again);
  bench_verdict("neither ended nor reported", (double)(N_HISTORY - t.ended - t.reported),
                "<=", 0.0);
  bench_verdict("not converged, of all", (double)t.reported / N_HISTORY, "<=", 0.01);
  bench_verdict("force against the law's, relative", t.force, "<=", 1e-12);
  bench_verdict("forces out of balance, relative", t.motion, "<=", 1e-9);
  bench_verdict("energy out of balance, relative", t.balance_again, "<=", TEST_CONTACT_BALANCE);
  ms_context_destroy(&ctx);
  return bench_finish();
}
