/* Channels by name, and a run that records them: a mass on a spring and a slider that sticks rings
   at sqrt(k/m) when it is let go. */
#include <math.h>
#include <microslip/recording.h>
#include <string.h>

#include "support/check.h"

#define MASS 2.385
#define K    9310.0
#define K_T  2270.0
#define U    1.37e-4

enum { STEPS = 1280, ROWS = STEPS + 1 };

static ms_status make_structure(ms_context *ctx, ms_structure **out) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  const char *const names[] = { "tip", "arm.rz" };
  const double zeta[] = { 0.0, 0.0 };
  ms_joint *slider = NULL;
  MS_TRY(ms_structure_create(ctx, 2, names, out));
  MS_TRY(ms_structure_add_mass(*out, 0, MASS));
  MS_TRY(ms_structure_add_mass(*out, 1, MASS));
  MS_TRY(ms_structure_add_spring(*out, MS_GROUND, 0, K));
  MS_TRY(ms_structure_add_spring(*out, MS_GROUND, 1, 9.7 * K));
  MS_TRY(ms_joint_create(ctx, "jenkins", &slider));
  ms_status status = ms_joint_set(slider, "F_S", 11.3);
  if (status == MS_SUCCESS) status = ms_joint_set(slider, "K_T", K_T);
  if (status == MS_SUCCESS) status = ms_joint_setup(slider);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(*out, "lap", &slider, &from, &to);
  ms_joint_destroy(&slider);
  MS_TRY(status);
  MS_TRY(ms_structure_set_modal_damping(*out, zeta));
  return ms_structure_setup(*out);
}

/* ---- channels ---- */

static ms_status add(const ms_structure *s, const char *name, ms_channels *c) {
  const ms_acting_load load = { .name = "hit", .moment = 1 };
  return ms_channels_add(test_context(), s, 1, &load, name, c);
}

static void test_channels(void) {
  ms_structure *s = NULL;
  ms_channels c = { .n = 0 };
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(add(s, "tip.velocity", &c));
  CHECK_OK(add(s, "arm.rz", &c));
  CHECK_OK(add(s, "lap.f", &c));
  CHECK_OK(add(s, "q2.acceleration", &c));
  CHECK_OK(add(s, "hit", &c));
  CHECK(c.n == 5 && ms_channels_find(&c, "lap.f") == 2 && ms_channels_find(&c, "lap.z") == -1);
  CHECK_TEXT(ms_quantity_unit(c.channel[0].quantity, c.channel[0].turns), "m/s");
  CHECK_TEXT(ms_quantity_unit(c.channel[1].quantity, c.channel[1].turns), "rad");
  CHECK_TEXT(ms_quantity_unit(c.channel[2].quantity, c.channel[2].turns), "N");
  CHECK(c.channel[3].quantity == MS_MODAL_ACCELERATION && c.channel[3].index == 1);
  CHECK_TEXT(ms_quantity_unit(c.channel[4].quantity, c.channel[4].turns), "N m");
  CHECK(ms_channel_place_length(&c.channel[0]) == 3 && ms_channel_place_length(&c.channel[2]) == 3);
  CHECK(ms_channel_place_length(&c.channel[1]) == 6 && ms_channel_place_length(&c.channel[4]) == 3);
  CHECK_STATUS(add(s, "lap.f", &c), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "there already");
  static const char *const wrong[] = { "tip.speed", "lap.z2", "lap.N", "q3", "push", "lap" };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_STATUS(add(s, wrong[i], &c), MS_ERR_NAME);
    CHECK_HAS(ms_context_message(test_context()), "there is no channel");
  }
  ms_channels_free(test_context(), &c);
  CHECK(c.n == 0 && !c.channel);
  CHECK_OK(ms_channels_add_all(test_context(), s, &c));
  CHECK(c.n == 4);
  CHECK_TEXT(c.channel[3].name, "lap.f");
  ms_channels_free(test_context(), &c);
  ms_structure_destroy(&s);
}

static void test_extent(void) {
  static const double x[] = { 1.5, -4.0, 2.5 };
  const ms_channel_extent e = ms_channel_measure(3, x);
  CHECK(e.lowest == -4.0 && e.highest == 2.5 && e.peak == 4.0);
  CHECK_CLOSE(e.rms, sqrt((2.25 + 16.0 + 6.25) / 3.0), 1e-15);
}

/* ---- runs ---- */

typedef struct rows {
  double t[ROWS], u[ROWS], f[ROWS], input[ROWS];
  ptrdiff_t n, n_energy, stop; /* at which step to stop, and save */
  double *state;
  ptrdiff_t n_state;
} rows;

static ms_status take_row(void *user, const double *row) {
  rows *r = user;
  r->t[r->n] = row[0], r->u[r->n] = row[1], r->f[r->n++] = row[2];
  return MS_SUCCESS;
}

static ms_status take_energy(void *user, double t, const ms_transient_energy *e) {
  rows *r = user;
  (void)t;
  r->input[r->n_energy++] = e->kinetic + e->elastic + e->stored;
  return MS_SUCCESS;
}

static ms_status stop(void *user, const ms_recorder *recorder, int over) {
  rows *r = user;
  if (over || r->stop == 0 || ms_recorder_get_step(recorder) != r->stop) return MS_SUCCESS;
  r->n_state = ms_recorder_save_size(recorder);
  MS_TRY(ms_allocate(test_context(), r->n_state, sizeof *r->state, &r->state));
  MS_TRY(ms_recorder_save(recorder, r->state));
  return MS_CANCELLED;
}

static ms_recording make_run(const ms_channels *c, const double *u, rows *r) {
  ms_recording run = ms_recording_default();
  run.time.step = 2.0 * acos(-1.0) / sqrt((K + K_T) / MASS) / 97.3;
  run.time.steps = STEPS;
  run.channels = c;
  run.u = u;
  run.row = take_row, run.energy = take_energy, run.look = stop, run.user = r;
  return run;
}

/* Average acceleration lowers the frequency by (omega h)^2/12; energy stays. */
static void test_ring(void) {
  static rows r;
  const double u[] = { U, 0.0 }, w = sqrt((K + K_T) / MASS);
  ms_structure *s = NULL;
  ms_channels c = { .n = 0 };
  memset(&r, 0, sizeof r);
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(add(s, "tip", &c));
  CHECK_OK(add(s, "lap.f", &c));
  ms_recording run = make_run(&c, u, &r);
  const double slow = 2.0 / run.time.step * atan(0.5 * w * run.time.step);
  CHECK_OK(ms_recording_run(test_context(), s, &run));
  CHECK(run.started && run.has_energy && r.n == ROWS && r.n_energy == ROWS);
  for (ptrdiff_t i = 0; i < r.n; i++) {
    CHECK_NEAR(r.u[i], U * cos(slow * r.t[i]), 1e-9 * U);
    CHECK_NEAR(r.f[i], K_T * r.u[i], 1e-9 * K_T * U);
    CHECK_CLOSE(r.input[i], 0.5 * (K + K_T) * U * U, 1e-9);
  }
  CHECK_CLOSE(run.last.start, 0.5 * (K + K_T) * U * U, 1e-9);
  r.n = r.n_energy = 0;
  run.every = 5;
  CHECK_OK(ms_recording_run(test_context(), s, &run));
  CHECK(r.n == ms_signal_decimated_length(ROWS, 5) && r.n_energy == r.n);
  CHECK_NEAR(r.u[100], U * cos(slow * r.t[100]), 1e-4 * U); /* the filter's 100 dB */
  ms_channels_free(test_context(), &c);
  ms_structure_destroy(&s);
}

/* Rows in memory, one column behind the other; a run with more rows than there is place for ends.
 */
static void test_rows(void) {
  static rows r;
  static double value[3 * ROWS];
  const double u[] = { U, 0.0 };
  ms_structure *s = NULL;
  ms_channels c = { .n = 0 };
  ms_rows kept = { .value = value, .n_column = 3, .capacity = ROWS };
  memset(&r, 0, sizeof r);
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(add(s, "tip", &c));
  CHECK_OK(add(s, "lap.f", &c));
  ms_recording run = make_run(&c, u, &r);
  CHECK_OK(ms_recording_run(test_context(), s, &run));
  run.row = ms_rows_add, run.energy = NULL, run.look = NULL, run.user = &kept;
  CHECK_OK(ms_recording_run(test_context(), s, &run));
  CHECK_EQUAL(kept.n, ROWS);
  CHECK(memcmp(value, r.t, sizeof r.t) == 0);
  CHECK(memcmp(value + ROWS, r.u, sizeof r.u) == 0);
  CHECK(memcmp(value + 2 * ROWS, r.f, sizeof r.f) == 0);
  kept.n = 0, kept.capacity = ROWS - 1;
  CHECK_STATUS(ms_recording_run(test_context(), s, &run), MS_ERR_OVERFLOW);
  CHECK_EQUAL(kept.n, ROWS - 1);
  ms_channels_free(test_context(), &c);
  ms_structure_destroy(&s);
}

/* Interrupted, saved and resumed, it gives the same digits. */
static void test_resume(void) {
  static rows whole, parts;
  const double u[] = { 300.0 * U, 0.0 };
  ms_structure *s = NULL;
  ms_channels c = { .n = 0 };
  memset(&whole, 0, sizeof whole), memset(&parts, 0, sizeof parts);
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(add(s, "tip", &c));
  CHECK_OK(add(s, "lap.f", &c));
  ms_recording run = make_run(&c, u, &whole);
  run.every = 3;
  CHECK_OK(ms_recording_run(test_context(), s, &run));
  run.user = &parts, parts.stop = 448;
  CHECK_STATUS(ms_recording_run(test_context(), s, &run), MS_CANCELLED);
  run.resume = parts.state, run.n_resume = parts.n_state - 1;
  CHECK_STATUS(ms_recording_run(test_context(), s, &run), MS_ERR_FORMAT);
  CHECK(!run.started);
  run.n_resume = 7;
  CHECK_STATUS(ms_recording_run(test_context(), s, &run), MS_ERR_FORMAT);
  run.n_resume = parts.n_state, parts.stop = 0;
  CHECK_OK(ms_recording_run(test_context(), s, &run));
  CHECK(parts.n == whole.n && parts.n_energy == whole.n_energy);
  CHECK(memcmp(parts.u, whole.u, sizeof whole.u) == 0);
  CHECK(memcmp(parts.t, whole.t, sizeof whole.t) == 0);
  CHECK(memcmp(parts.input, whole.input, sizeof whole.input) == 0);
  ms_free(test_context(), &parts.state);
  ms_channels_free(test_context(), &c);
  ms_structure_destroy(&s);
}

static ms_status run_short(ms_context *ctx, void *user) {
  static rows r;
  const double u[] = { U, 0.0 };
  ms_structure *s = NULL;
  ms_channels c = { .n = 0 };
  (void)user;
  memset(&r, 0, sizeof r);
  ms_status status = make_structure(ctx, &s);
  if (status == MS_SUCCESS) status = ms_channels_add_all(ctx, s, &c);
  ms_recording run = make_run(&c, u, &r);
  run.time.steps = 30, run.every = 2;
  if (status == MS_SUCCESS) status = ms_recording_run(ctx, s, &run);
  ms_channels_free(ctx, &c);
  ms_structure_destroy(&s);
  return status;
}

static void test_out_of_memory(void) {
  CHECK(test_allocations(run_short, NULL) > 10);
}

int main(void) {
  TEST(test_channels);
  TEST(test_extent);
  TEST(test_ring);
  TEST(test_rows);
  TEST(test_resume);
  TEST(test_out_of_memory);
  return test_finish();
}
