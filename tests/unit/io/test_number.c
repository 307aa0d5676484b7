/* Decimal numbers: correctly rounded, whatever road they take. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "support/check.h"

static ms_status scan(const char *text, double *value, size_t *used) {
  const char *p = text;
  ms_status status = ms_io_scan_number(&p, text + strlen(text), value);
  *used = (size_t)(p - text);
  return status;
}

/* strtod of the C library rounds correctly and is the reference. */
static int check_same(const char *text) {
  double value = -1.0, want = strtod(text, NULL);
  size_t used;
  ms_status status = scan(text, &value, &used);
  int same = status == MS_SUCCESS && used == strlen(text) && memcmp(&value, &want, 8) == 0;
  if (!CHECK(same)) printf("#   %s: %.17g, reference %.17g\n", text, value, want);
  return same;
}

static double random_double(ms_random *rng) {
  double value;
  do {
    uint64_t bits = ms_random_bits(rng);
    memcpy(&value, &bits, sizeof value);
  } while (!isfinite(value));
  return value;
}

/* Doubles of every size, written with 1 to 21 digits. */
static void test_random_doubles(void) {
  ms_random rng;
  ms_random_start(&rng, 2385, 0);
  for (int i = 0; i < 20000; i++) {
    char text[64];
    snprintf(text, sizeof text, "%.*e", i % 21, random_double(&rng));
    if (isinf(strtod(text, NULL))) continue; /* rounded up beyond the largest double */
    if (!check_same(text)) return;
  }
}

/* Numbers of the size that occurs, where the fast road must decide nearly all. */
static void test_common_doubles(void) {
  ms_random rng;
  ms_random_start(&rng, 17, 1);
  for (int i = 0; i < 20000; i++) {
    char text[64];
    double value = ms_random_normal(&rng) * pow(10.0, floor(40.0 * ms_random_uniform(&rng) - 20.0));
    snprintf(text, sizeof text, "%.*g", 1 + i % 17, value);
    if (!check_same(text)) return;
  }
}

/* Halfway between two doubles and one digit to either side of it: the worst there is. */
static void test_halfway(void) {
  ms_random rng;
  ms_random_start(&rng, 29, 2);
  for (int i = 0; i < 5000; i++) {
    uint64_t w = (ms_random_bits(&rng) >> 10) | UINT64_C(1) << 53 | 1; /* 54 bits, odd: a tie */
    char text[64];
    for (int digit = -1; digit <= 1; digit++) {
      snprintf(text, sizeof text, "%" PRIu64, w + (uint64_t)digit);
      if (!check_same(text)) return;
      snprintf(text, sizeof text, "%" PRIu64 "%se-1", w - (digit < 0), digit < 0 ? "9" : "0");
      if (!check_same(text)) return;
    }
  }
}

static void test_forms(void) {
  static const char *const text[] = {
    "0",
    "-0",
    "+7",
    "00012.50",
    ".5",
    "-.25e1",
    "3.",
    "1e5",
    "1E+05",
    "2.385e-6",
    "0e999",
    "0.000",
    "9007199254740993",
    "18446744073709551615",
    "1e22",
    "1e23",
    "4.9e-324",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "123456789012345678901234567890",
    "0.1234567890123456789012345",
    "1e-400",
    "8.5e-89",
    "8.5e89",
    "0000000000000000000000000000001.5",
  };
  for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) check_same(text[i]);
}

static void check_scan(const char *text, double want, size_t length) {
  double value = -1.0;
  size_t used;
  if (!CHECK_OK(scan(text, &value, &used))) printf("#   in: %s\n", text);
  CHECK_NEAR(value, want, 0.0);
  CHECK_EQUAL(used, length);
}

/* What Fortran writes, and numbers with no blank between them. */
static void test_fortran(void) {
  check_scan("1.25D+02 7", 125.0, 8);
  check_scan("0.25d-1", 0.025, 7);
  check_scan("0.25000-100 3", 0.25e-100, 11);
  check_scan("-0.50000+101", -0.5e101, 12);
  check_scan("1.00000E+000-2.50000E+000", 1.0, 12);
  check_scan("1.50000E+00-2.50000E+00", 1.5, 11);
  check_scan("1.5-2.5", 1.5, 3);
  check_scan("1.5-2500", 1.5, 3);
  check_scan("12-100", 12.0, 2);
  check_scan("2.5east", 2.5, 3);
  check_scan("7.25e+", 7.25, 4);
  check_scan("3,5", 3.0, 1);
  check_scan("1.2345678901234567890123D2", 123.45678901234568, 26);
}

static void check_refused(const char *text, ms_status want) {
  double value;
  size_t used;
  if (!CHECK_STATUS(scan(text, &value, &used), want)) printf("#   in: '%s'\n", text);
}

static void test_refused(void) {
  static const char *const none[] = { "", "-", "+", ".", "-.", "e5", "abc", " 1", "--1", "n", "i" };
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) check_refused(none[i], MS_ERR_FORMAT);
  check_refused("nan", MS_ERR_NUMERIC);
  check_refused("-Infinity", MS_ERR_NUMERIC);
  check_refused("1e309", MS_ERR_NUMERIC);
  check_refused("-2.5e99999999999", MS_ERR_NUMERIC);
}

static void test_integers(void) {
  static const struct {
    const char *text;
    ptrdiff_t value, used; /* used 0: refused */
  } cases[] = {
    { "17 ", 17, 2 },
    { "-4", -4, 2 },
    { "+12x", 12, 3 },
    { "007", 7, 3 },
    { "1.5", 1, 1 },
    { "x", 0, 0 },
    { "-", 0, 0 },
    { "", 0, 0 },
    { " 1", 0, 0 },
    { "922337203685477579", 922337203685477579, 18 },
    { "92233720368547758070", 0, 0 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *p = cases[i].text;
    ptrdiff_t value = 0;
    CHECK_EQUAL(ms_io_scan_integer(&p, p + strlen(p), &value), cases[i].used > 0);
    CHECK_EQUAL(value, cases[i].value);
    CHECK_EQUAL(p - cases[i].text, cases[i].used);
  }
}

static ms_status number(const char *text, double *value) {
  return ms_io_number((ms_span) { text, text + strlen(text) }, value);
}

/* The whole text, in decimal form only: what tables accept does not depend on the road. */
static void test_whole(void) {
  double value;
  CHECK_OK(number("2.385e-6", &value));
  CHECK_NEAR(value, 2.385e-6, 0.0);
  CHECK_OK(number(" 7.25 ", &value));
  CHECK_NEAR(value, 7.25, 0.0);
  CHECK_STATUS(number("2.5D1", &value), MS_ERR_FORMAT);
  CHECK_STATUS(number("2.5-100", &value), MS_ERR_FORMAT);
  CHECK_STATUS(number("2.5-050", &value), MS_ERR_FORMAT);
  CHECK_STATUS(number("2.5 3", &value), MS_ERR_FORMAT);
  CHECK_STATUS(number("", &value), MS_ERR_FORMAT);
  CHECK_STATUS(number("inf", &value), MS_ERR_NUMERIC);
}

int main(void) {
  TEST(test_random_doubles);
  TEST(test_common_doubles);
  TEST(test_halfway);
  TEST(test_forms);
  TEST(test_fortran);
  TEST(test_refused);
  TEST(test_integers);
  TEST(test_whole);
  return test_finish();
}
