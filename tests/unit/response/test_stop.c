/* Long work looks whether it is to stop: inside a level of a quasi-static mode and between the
   steps of a run in time, with MS_CANCELLED, what is whole kept, and the same result when it is
   made again. */
#include <math.h>

#include <microslip/quasistatic.h>
#include <microslip/response.h>

#include "support/check.h"
#include "support/structures.h"

typedef struct asked {
  int times, stop_at; /* 0: never */
} asked;

static int ask(void *user) {
  asked *a = user;
  return ++a->times >= a->stop_at && a->stop_at > 0;
}

static void check_kind(ms_quasistatic_kind kind) {
  static const double level[] = { 0.31, 0.97 };
  asked count = { 0, 0 }, middle = { 0, 0 };
  ms_structure *s = test_frame(test_frame_iwan, 3);
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  setting.kind = kind;
  ms_context_set_stop(test_context(), ask, &count);
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_OK(ms_quasistatic_run(run, 2, level));
  const double omega = ms_quasistatic_get_level(run, 1)->omega;
  CHECK(count.times > 6);
  middle.stop_at = count.times / 2;
  ms_quasistatic_destroy(&run);
  ms_context_set_stop(test_context(), ask, &middle);
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_STATUS(ms_quasistatic_run(run, 2, level), MS_CANCELLED);
  CHECK(middle.times <= middle.stop_at + 3);
  CHECK_HAS(ms_context_message(test_context()), "cancelled");
  CHECK(ms_quasistatic_count_levels(run) < 2);
  ms_context_set_stop(test_context(), NULL, NULL);
  CHECK_OK(ms_quasistatic_run(run, 2, level));
  CHECK(ms_quasistatic_get_level(run, 1)->omega == omega);
  ms_sensitivity by[64];
  CHECK(ms_quasistatic_count_parameters(run) < 64);
  CHECK_OK(ms_quasistatic_fill_sensitivity(run, 1, by));
  middle = (asked) { 0, 1 };
  ms_context_set_stop(test_context(), ask, &middle);
  CHECK_STATUS(ms_quasistatic_fill_sensitivity(run, 1, by), MS_CANCELLED);
  ms_context_set_stop(test_context(), NULL, NULL);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

static void test_qsma(void) {
  check_kind(MS_QUASISTATIC_QSMA);
}

static void test_rqnm(void) {
  check_kind(MS_QUASISTATIC_RQNM);
}

static double push(void *user, double t) {
  (void)user;
  return sin(3.1 * t);
}

/* Far sooner than the progress is told. */
static void test_transient(void) {
  asked soon = { 0, 3 };
  ms_structure *s = test_frame(test_frame_iwan, 3);
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  const double shape[] = { 0.0, 1.3, 0.0, 0.0, 0.0 };
  setting.step = 0.013;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, shape, push, NULL, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  ms_context_set_stop(test_context(), ask, &soon);
  CHECK_STATUS(ms_transient_run(run, 1000, 1, NULL, NULL), MS_CANCELLED);
  ms_context_set_stop(test_context(), NULL, NULL);
  CHECK_BELOW(ms_transient_get_time(run), 130 * setting.step);
  CHECK_OK(ms_transient_run(run, 10, 1, NULL, NULL));
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_qsma);
  TEST(test_rqnm);
  TEST(test_transient);
  return test_finish();
}
