/* Random histories of a small structure on a contact under its own normal load: a block that
   slides along x, lifts off along y and pulls a second mass z, under loads that jump. Public
   interface only: the benchmarks use it too. */
#ifndef MS_TEST_CONTACTS_H
#define MS_TEST_CONTACTS_H

#include <microslip/response.h>

/* What became of one history. Errors are those of a run that went to its end. */
typedef struct test_contact {
  ms_status status; /* MS_NOT_CONVERGED: said so, at step `steps` */
  ptrdiff_t steps, lift_offs;
  ms_transient_count count;
  double force;   /* the law, stepped through the joint's motion once more, against the run's force,
                     over the largest force */
  double motion;  /* M a + C v + K u + B f - p over the largest load */
  double balance; /* of the energy, over all energy that went in, out or round */
} test_contact;

/* History `seed`; refinement 1, or whole numbers above for shorter steps of the same history.
   Another status than success and MS_NOT_CONVERGED is an error of the library. */
test_contact test_contact_run(ms_context *ctx, unsigned seed, int refinement);

/* Many of them. An energy that does not close is that of too long a step, or wrong: where the
   balance is above TEST_CONTACT_BALANCE the history runs once more with shorter ones. */
#define TEST_CONTACT_BALANCE 0.01
typedef struct test_contact_tally {
  long ended, reported, steps, damped, lift_offs;
  long again;                    /* histories run twice */
  double force, motion, balance; /* largest of those that ended */
  double balance_again;          /* after the second run, where there was one */
} test_contact_tally;
void test_contact_add(ms_context *ctx, unsigned seed, const test_contact *c,
                      test_contact_tally *tally);

#endif
