/* Units for readers: what a column is, the choice by words, conversions against hand calculation.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/result.h>

#include "support/check.h"
#include "support/files.h"

static const double first[] = { 0.31, -0.52 }, second[] = { 0.07, 0.0 };

static ms_status make(ms_context *ctx, ms_display **out) {
  const ms_display_units mm = { 1e-3, 1e3, 1.0, 1.0 };
  MS_TRY(ms_display_create(ctx, out));
  ms_display_set_units(*out, &mm);
  MS_TRY(ms_display_add_sensor(*out, "where each mode moves most", 0, 2, first));
  return ms_display_add_sensor(*out, "tip.uz", 1, 2, second);
}

static void test_quantities(void) {
  CHECK_EQUAL(ms_display_find_quantity("omega_0 full", "rad/s", ""), MS_DISPLAY_FREQUENCY);
  CHECK_EQUAL(ms_display_find_quantity("f", "Hz", NULL), MS_DISPLAY_FREQUENCY);
  CHECK_EQUAL(ms_display_find_quantity("tip.rx", "rad/s", ""),
              MS_DISPLAY_PLAIN); /* a rotation's velocity */
  CHECK_EQUAL(ms_display_find_quantity("zeta_joint", NULL, ""), MS_DISPLAY_DAMPING);
  CHECK_EQUAL(ms_display_find_quantity("zeta_error", NULL, ""), MS_DISPLAY_DAMPING_DIFFERENCE);
  CHECK_EQUAL(ms_display_find_quantity("zeta_max", NULL, ""),
              MS_DISPLAY_PLAIN); /* relative differences */
  CHECK_EQUAL(ms_display_find_quantity("zeta", "1/unit", ""), MS_DISPLAY_PLAIN); /* a derivative */
  CHECK_EQUAL(ms_display_find_quantity("zeta_0", NULL, "correlation coefficient with zeta_0"),
              MS_DISPLAY_PLAIN);
  CHECK_EQUAL(ms_display_find_quantity("q", "m sqrt(kg)", ""), MS_DISPLAY_MODAL);
  CHECK_EQUAL(ms_display_find_quantity("velocity", "m/s sqrt(kg)", ""), MS_DISPLAY_MODAL_VELOCITY);
  CHECK_EQUAL(ms_display_find_quantity("acceleration", "m/s^2 sqrt(kg)", ""),
              MS_DISPLAY_MODAL_ACCELERATION);
  CHECK_TEXT(ms_display_quantity_text(MS_DISPLAY_MODAL_VELOCITY), "modal velocity");
}

/* With these words, 2.385 of the quantity of mode 1 at 47 rad/s is `value` `unit`. */
static void check(ms_display *d, const char *words, ms_display_quantity quantity, const char *unit,
                  int mode, int omega, const char *shown, double value) {
  const ms_display_of of = { quantity, unit, mode, omega };
  if (!CHECK_OK(ms_display_choose(d, words))) return;
  const ms_display_view view = ms_display_look(d, &of);
  CHECK_TEXT(view.unit, shown);
  CHECK_CLOSE(ms_display_map(d, &view, 2.385, 1, 47.0), value, 1e-14);
}

static void test_conversions(void) {
  ms_display *d = NULL;
  const double x = 2.385, w = 47.0, phi = 0.31;
  const ms_display_quantity q = MS_DISPLAY_MODAL, v = MS_DISPLAY_MODAL_VELOCITY;
  if (!CHECK_OK(make(test_context(), &d))) return;
  check(d, "hz", MS_DISPLAY_FREQUENCY, "rad/s", 0, 0, "Hz", x / (2.0 * acos(-1.0)));
  check(d, "hz", MS_DISPLAY_FREQUENCY, "Hz", 0, 0, "Hz", x);
  check(d, "rad", MS_DISPLAY_FREQUENCY, "Hz", 0, 0, "rad/s", 2.0 * acos(-1.0) * x);
  check(d, "rad", MS_DISPLAY_FREQUENCY, "rad/s", 0, 0, "rad/s", x);
  check(d, "percent", MS_DISPLAY_DAMPING, NULL, 0, 0, "%", 100.0 * x);
  check(d, "ratio", MS_DISPLAY_DAMPING, NULL, 0, 0, "", x);
  check(d, "q", MS_DISPLAY_DAMPING, NULL, 0, 0, "", 1.0 / (2.0 * x));
  check(d, "q", MS_DISPLAY_DAMPING_DIFFERENCE, NULL, 0, 0, "%", 100.0 * x);
  check(d, "modal", q, "m sqrt(kg)", 1, 1, "m sqrt(kg)", x);
  check(d, "displacement@where each mode moves most", q, "m sqrt(kg)", 1, 1, "m", phi * x);
  check(d, "velocity", q, "m sqrt(kg)", 1, 1, "m/s", phi * x * w);
  check(d, "acceleration", q, "m sqrt(kg)", 1, 1, "m/s^2", phi * x * w * w);
  check(d, "g", q, "m sqrt(kg)", 1, 1, "g", phi * x * w * w / 9.80665);
  check(d, "g", v, "m/s sqrt(kg)", 1, 1, "g", phi * x * w / 9.80665);
  check(d, "displacement", v, "m/s sqrt(kg)", 1, 1, "m", phi * x / w);
  /* What is not known beside the number cannot be used. */
  check(d, "g", q, "m sqrt(kg)", 1, 0, "m", phi * x);
  check(d, "g", v, "m/s sqrt(kg)", 1, 0, "m/s", phi * x);
  check(d, "g", q, "m sqrt(kg)", 0, 1, "m sqrt(kg)", x);
  /* mm, tonne, s, N */
  check(d, "study,displacement", q, "m sqrt(kg)", 1, 1, "mm", 1e3 * phi * x);
  check(d, "study,modal", q, "m sqrt(kg)", 1, 1, "mm sqrt(tonne)", 1e3 * x / sqrt(1e3));
  check(d, "study", MS_DISPLAY_PLAIN, "N/m^2", 0, 0, "N/mm^2", 1e-6 * x);
  check(d, "study", MS_DISPLAY_PLAIN, "J", 0, 0, "N mm", 1e3 * x);
  check(d, "study", MS_DISPLAY_PLAIN, "N m/rad", 0, 0, "N mm/rad", 1e3 * x);
  check(d, "study", MS_DISPLAY_PLAIN, "furlong", 0, 0, "furlong", x);
  check(d, "study,g", q, "m sqrt(kg)", 1, 1, "g", phi * x * w * w / 9.80665);
  ms_display_destroy(&d);
}

static void test_nothing_to_show(void) {
  ms_display *d = NULL;
  const ms_display_of zeta = { .quantity = MS_DISPLAY_DAMPING };
  const ms_display_of q = { MS_DISPLAY_MODAL, "m sqrt(kg)", 1, 1 };
  if (!CHECK_OK(make(test_context(), &d))) return;
  CHECK_OK(ms_display_choose(d, "q,displacement@tip.uz"));
  ms_display_view view = ms_display_look(d, &zeta);
  CHECK(isnan(ms_display_map(d, &view, 0.0, 0, 0.0)));
  CHECK(isnan(ms_display_map(d, &view, -0.01, 0, 0.0)));
  view = ms_display_look(d, &q);
  CHECK(ms_display_map(d, &view, 2.385, 2, 47.0) == 0.0); /* a node of mode 2 */
  CHECK(isnan(ms_display_map(d, &view, 2.385, 3, 47.0)));
  CHECK(isnan(ms_display_map(d, &view, 2.385, 0, 47.0)));
  ms_display_destroy(&d);
}

static void test_words(void) {
  ms_display *d = NULL;
  if (!CHECK_OK(ms_display_create(test_context(), &d))) return;
  CHECK_TEXT(ms_display_get_words(d), "hz,percent,modal,si");
  CHECK_STATUS(ms_display_choose(d, "g"), MS_ERR_ARGUMENT); /* there is no sensor */
  ms_display_destroy(&d);
  if (!CHECK_OK(make(test_context(), &d))) return;
  CHECK_TEXT(ms_display_get_words(d), "hz,percent,displacement@tip.uz,si");
  CHECK_OK(ms_display_choose(d, "rad,ratio,velocity,study"));
  CHECK_TEXT(ms_display_get_words(d), "rad,ratio,velocity@tip.uz,study");
  CHECK_STATUS(ms_display_choose(d, "hz,procent"), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "did you mean 'percent'");
  CHECK_STATUS(ms_display_choose(d, "hz,g@tip.ux"), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "did you mean 'tip.uz'");
  CHECK_STATUS(ms_display_choose(d, "hz@tip.uz"), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_display_choose(d, ""), MS_ERR_NAME);
  CHECK_TEXT(ms_display_get_words(d), "rad,ratio,velocity@tip.uz,study"); /* as it was */
  CHECK_EQUAL(ms_display_count_sensors(d), 2);
  CHECK_TEXT(ms_display_get_sensor(d, 1), "tip.uz");
  CHECK(!ms_display_get_sensor(d, 2) && !ms_display_get_sensor(d, -1));
  ms_display_destroy(&d);
}

static ms_status make_and_forget(ms_context *ctx, void *unused) {
  ms_display *d = NULL;
  (void)unused;
  ms_status status = make(ctx, &d);
  if (status == MS_SUCCESS) status = ms_display_choose(d, "g@tip.uz");
  ms_display_destroy(&d);
  return status;
}

/* Sensors and units are in results.h5, and a choice begins anew. */
static void test_results(void) {
  ms_display *d = NULL, *again = NULL, *none = NULL;
  ms_results *file = NULL;
  CHECK_OK(make(test_context(), &d));
  CHECK_OK(ms_display_choose(d, "rad,g@where each mode moves most,study"));
  CHECK_OK(ms_results_create(test_context(), test_path("display.h5"), &file));
  CHECK_OK(ms_display_write_results(d, file, "study/display"));
  CHECK_OK(ms_display_read_results(test_context(), file, "study/display", &again));
  CHECK_TEXT(ms_display_get_words(again), "hz,percent,displacement@tip.uz,si");
  check(again, "rad,displacement@where each mode moves most,study", MS_DISPLAY_MODAL, "m sqrt(kg)",
        1, 1, "mm", 2.385 * 0.31 * 1e3);
  CHECK_OK(ms_display_read_results(test_context(), file, "study/other", &none));
  CHECK_EQUAL(ms_display_count_sensors(none), 0);
  ms_results_close(&file);
  ms_display_destroy(&d);
  ms_display_destroy(&again);
  ms_display_destroy(&none);
}

static void test_failures(void) {
  CHECK(test_allocations(make_and_forget, NULL) > 6);
}

/* Shapes that are too short for the modes that the file speaks of. */
static void test_damaged(void) {
  static const char *const name[] = { "tip" };
  const double units[] = { 1, 1, 1, 1 }, shape[] = { 0.3, 0.2 };
  const int64_t modes[] = { 3 };
  ms_display *d = NULL;
  ms_results *file = NULL;
  CHECK_OK(ms_results_create(test_context(), test_path("damaged.h5"), &file));
  CHECK_OK(ms_results_write_vector(file, "d/units", 4, units));
  CHECK_OK(ms_results_write_texts(file, "d/sensors", 1, name));
  CHECK_OK(ms_results_set_number(file, "d/sensors", "named", 1.0));
  CHECK_OK(ms_results_write_integers(file, "d/modes", 1, modes));
  CHECK_OK(ms_results_write_vector(file, "d/shape", 2, shape));
  CHECK_STATUS(ms_display_read_results(test_context(), file, "d", &d), MS_ERR_FORMAT);
  CHECK(d == NULL);
  ms_results_close(&file);
}

int main(void) {
  test_folder_open();
  TEST(test_quantities);
  TEST(test_conversions);
  TEST(test_nothing_to_show);
  TEST(test_words);
  TEST(test_results);
  TEST(test_damaged);
  TEST(test_failures);
  test_folder_close();
  return test_finish();
}
