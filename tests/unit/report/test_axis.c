/* Axes: ranges, ticks, labels. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/internal.h"

/* The labels of an axis, "a|b|c"; minor ticks have none. */
static const char *labels(const ms_axis *axis) {
  static char text[1024];
  text[0] = '\0';
  for (int i = 0; i < axis->n; i++) {
    if (!axis->tick[i].label[0]) continue;
    if (text[0]) strcat(text, "|");
    strcat(text, axis->tick[i].label);
  }
  return text;
}

static int count_labels(const ms_axis *axis) {
  int n = 0;
  for (int i = 0; i < axis->n; i++) n += axis->tick[i].label[0] != '\0';
  return n;
}

/* A label as a number again: sign and digits only. */
static double read_label(const char *label) {
  int negative = strncmp(label, "\u2212", 3) == 0;
  double value = strtod(label + (negative ? 3 : 0), NULL);
  return negative ? -value : value;
}

static void test_linear_labels(void) {
  ms_axis axis;
  ms_axis_setup(&axis, 0, 2.385, 17.92, 5);
  CHECK_TEXT(labels(&axis), "5|10|15");
  ms_axis_setup(&axis, 0, -0.0731, 0.0731, 5);
  CHECK_TEXT(labels(&axis), "−0.06|−0.04|−0.02|0|0.02|0.04|0.06");
  ms_axis_setup(&axis, 0, 0.413, 2.77, 5);
  CHECK_TEXT(labels(&axis), "0.5|1.0|1.5|2.0|2.5");
  ms_axis_setup(&axis, 0, 871.3, 4218.0, 4);
  CHECK_TEXT(labels(&axis), "1000|2000|3000|4000");
  CHECK_EQUAL(axis.exponent, 0);
}

static void test_linear_factor(void) {
  ms_axis axis;
  ms_axis_setup(&axis, 0, -1.02e-5, 1.02e-5, 5);
  CHECK_EQUAL(axis.exponent, -6);
  CHECK_TEXT(labels(&axis), "−10|−5|0|5|10");
  CHECK_CLOSE(axis.tick[0].value, -1e-5, 1e-15);
  ms_axis_setup(&axis, 0, 0.00131, 0.0047, 4);
  CHECK_EQUAL(axis.exponent, -3);
  CHECK_TEXT(labels(&axis), "2|3|4");
  ms_axis_setup(&axis, 0, 0.0131, 0.047, 4);
  CHECK_EQUAL(axis.exponent, 0);
  CHECK_TEXT(labels(&axis), "0.02|0.03|0.04");
  ms_axis_setup(&axis, 0, 0.0, 48213.0, 5);
  CHECK_EQUAL(axis.exponent, 3);
  CHECK_TEXT(labels(&axis), "0|10|20|30|40|50");
  ms_axis_setup(&axis, 0, 1.37e8, 7.13e8, 4);
  CHECK_EQUAL(axis.exponent, 6);
  CHECK_TEXT(labels(&axis), "200|400|600");
}

static void test_title(void) {
  char text[64];
  ms_axis axis = { .exponent = -6 };
  ms_axis_title(&axis, "u", "m", text, sizeof text);
  CHECK_TEXT(text, "u [10⁻⁶ m]");
  ms_axis_title(&axis, "ratio", NULL, text, sizeof text);
  CHECK_TEXT(text, "ratio [10⁻⁶]");
  axis.exponent = 12;
  ms_axis_title(&axis, NULL, "N/m", text, sizeof text);
  CHECK_TEXT(text, "[10¹² N/m]");
  axis.exponent = 0;
  ms_axis_title(&axis, "F", "N", text, sizeof text);
  CHECK_TEXT(text, "F [N]");
  ms_axis_title(&axis, "count", "", text, sizeof text);
  CHECK_TEXT(text, "count");
}

/* The step of equally spaced ticks must be 1, 2 or 5 times a power of ten. */
static void check_step(const ms_axis *axis) {
  double step = axis->tick[1].value - axis->tick[0].value;
  double mantissa = step / pow(10.0, floor(log10(step * 1.0001)));
  double off = fmin(fabs(mantissa - 1.0), fmin(fabs(mantissa - 2.0), fabs(mantissa - 5.0)));
  CHECK_BELOW(off, 1e-4);
}

static void check_linear(double low, double high, int target) {
  ms_axis axis;
  ms_axis_setup(&axis, 0, low, high, target);
  CHECK(axis.low <= low && axis.high >= high);
  CHECK(axis.n >= 2 && axis.n <= 2 * target);
  check_step(&axis);
  for (int i = 0; i < axis.n; i++) {
    double value = read_label(axis.tick[i].label) * pow(10.0, axis.exponent);
    CHECK_NEAR(axis.tick[i].value, value, 1e-11 * fmax(fabs(low), fabs(high)));
    CHECK_NEAR(ms_axis_place(&axis, axis.tick[i].value), 0.5, 0.5 + 1e-8);
    CHECK(strlen(axis.tick[i].label) < sizeof axis.tick[i].label - 1);
  }
}

/* Any range, of any size and sign, gives ticks that are round, inside, and truly labelled. */
static void test_linear_any(void) {
  ms_random rng;
  ms_random_start(&rng, 71, 0);
  for (int i = 0; i < 300; i++) {
    double size = pow(10.0, 24.0 * ms_random_uniform(&rng) - 12.0);
    double a = size * ms_random_normal(&rng), b = size * ms_random_normal(&rng);
    check_linear(fmin(a, b), fmax(a, b), 3 + i % 6);
  }
  check_linear(7.123456, 7.123457, 5);
  check_linear(-2.9e299, 8.3e299, 5);
}

static void test_air(void) {
  ms_axis axis;
  ms_axis_setup(&axis, 0, 0.37, 13.1, 5);
  CHECK_NEAR(axis.low, 0.0, 0.0); /* no air below zero for what is not negative */
  CHECK_CLOSE(axis.high, 13.1 + 0.04 * (13.1 - 0.37), 1e-14);
  ms_axis_setup(&axis, 0, -13.1, -0.37, 5);
  CHECK_NEAR(axis.high, 0.0, 0.0);
  ms_axis_setup(&axis, 0, -0.37, 13.1, 5);
  CHECK_CLOSE(axis.low, -0.37 - 0.04 * 13.47, 1e-14);
}

static void test_log_decades(void) {
  ms_axis axis;
  ms_axis_setup(&axis, 1, 3.7e-8, 2.2e-5, 5);
  CHECK_TEXT(labels(&axis), "10⁻⁷|10⁻⁶|10⁻⁵");
  CHECK_EQUAL(axis.exponent, 0);
  CHECK_EQUAL(axis.n, 3 + 7 + 8 + 8 + 1); /* air reaches from 2.9e-8 to 2.8e-5 */
  ms_axis_setup(&axis, 1, 0.037, 220.0, 5);
  CHECK_TEXT(labels(&axis), "0.1|1|10|100");
  ms_axis_setup(&axis, 1, 0.37, 31200.0, 5);
  CHECK_TEXT(labels(&axis), "1|10|10²|10³|10⁴");
}

static void test_log_many_decades(void) {
  ms_axis axis;
  ms_axis_setup(&axis, 1, 3.1e-41, 2.7e38, 5);
  CHECK(count_labels(&axis) >= 4 && count_labels(&axis) <= 8);
  for (int i = 0; i < axis.n; i++) CHECK_NEAR(ms_axis_place(&axis, axis.tick[i].value), 0.5, 0.5);
  ms_axis_setup(&axis, 1, 2.3e-299, 3.9e299, 4);
  CHECK(count_labels(&axis) >= 4 && count_labels(&axis) <= 7);
  CHECK(axis.n <= MS_AXIS_MAX_TICKS);
}

static void test_log_narrow(void) {
  ms_axis axis;
  ms_axis_setup(&axis, 1, 137.0, 1088.0, 5);
  CHECK_TEXT(labels(&axis), "200|500|1000");
  CHECK(axis.n > 3); /* and minor ticks between */
  ms_axis_setup(&axis, 1, 0.413e-6, 3.31e-6, 5);
  CHECK_TEXT(labels(&axis), "0.5|1|2");
  CHECK_EQUAL(axis.exponent, -6);
  ms_axis_setup(&axis, 1, 1.71, 3.3, 4); /* of 1-2-5 only the 2 is in sight */
  CHECK_TEXT(labels(&axis), "2.0|2.5|3.0");
  ms_axis_setup(&axis, 1, 2.385e-6, 3.13e-6, 4);
  CHECK_TEXT(labels(&axis), "2.4|2.6|2.8|3.0");
  CHECK_EQUAL(axis.exponent, -6);
}

static void check_one_value(int log, double value) {
  ms_axis axis;
  ms_axis_setup(&axis, log, value, value, 5);
  CHECK_NEAR(ms_axis_place(&axis, value), 0.5, 1e-9);
  CHECK(axis.high > axis.low);
  CHECK(count_labels(&axis) >= 2);
  const double size = fabs(value) > 1e-290 ? fabs(value) : 20.0; /* 0: from -1 to 1 */
  CHECK_CLOSE(axis.high, value + 0.05 * size, 1e-12);
  CHECK_CLOSE(axis.low, log ? value / 1.05 : value - 0.05 * size, 1e-12);
}

static void test_degenerate(void) {
  const double value[] = { 0.0, 2.385, -17.3, 4.2e-13, 8.1e22, 1e-310 };
  for (int i = 0; i < 6; i++) check_one_value(0, value[i]);
  const double positive[] = { 2.385, 1.0, 7.7e-9, 3.3e14 };
  for (int i = 0; i < 4; i++) check_one_value(1, positive[i]);
  ms_axis axis;
  ms_axis_setup(&axis, 0, 2.385, nextafter(2.385, 3.0), 5); /* rounding noise is no range */
  CHECK_BELOW(0.2, axis.high - axis.low);
}

static void test_no_data(void) {
  ms_axis axis;
  ms_axis_setup(&axis, 0, INFINITY, -INFINITY, 5);
  CHECK_TEXT(labels(&axis), "0|0.2|0.4|0.6|0.8|1.0");
  ms_axis_setup(&axis, 1, INFINITY, -INFINITY, 5);
  CHECK_TEXT(labels(&axis), "1|10");
}

static void test_place(void) {
  ms_axis axis = { .low = -1.3, .high = 3.9 };
  CHECK_NEAR(ms_axis_place(&axis, -1.3), 0.0, 1e-15);
  CHECK_NEAR(ms_axis_place(&axis, 0.0), 0.25, 1e-15);
  ms_axis scale = { .log = 1, .low = 0.2, .high = 5.0 };
  CHECK_NEAR(ms_axis_place(&scale, 1.0), 0.5, 1e-15);
  CHECK_NEAR(ms_axis_place(&scale, 5.0), 1.0, 1e-15);
}

int main(void) {
  TEST(test_linear_labels);
  TEST(test_linear_factor);
  TEST(test_title);
  TEST(test_linear_any);
  TEST(test_air);
  TEST(test_log_decades);
  TEST(test_log_many_decades);
  TEST(test_log_narrow);
  TEST(test_degenerate);
  TEST(test_no_data);
  TEST(test_place);
  return test_finish();
}
