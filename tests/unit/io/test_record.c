/* Measured records: kinds and units, channels of tables and universal files, what is refused. */
#include <microslip/io.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/files.h"
#include "support/uff.h"

/* ---- units ---- */

static void test_units(void) {
  static const struct {
    const char *unit;
    int kind;
    double factor;
  } known[] = {
    { "m", 0, 1.0 },          { "mm", 0, 1e-3 },       { "\xc2\xb5m", 0, 1e-6 },
    { "\xce\xbcm", 0, 1e-6 }, { "in", 0, 0.0254 },     { "MM", 0, 1e-3 },
    { "m/s", 1, 1.0 },        { "mm / s", 1, 1e-3 },   { "in/sec", 1, 0.0254 },
    { "cm/s", 1, 1e-2 },      { "ft/s^2", 2, 0.3048 }, { "m/s2", 2, 1.0 },
    { "m/s^2", 2, 1.0 },      { "m/s**2", 2, 1.0 },    { "m/s\xc2\xb2", 2, 1.0 },
    { "(m/s^2)", 2, 1.0 },    { "M/SEC^2", 2, 1.0 },   { "nm/s/s", 2, 1e-9 },
    { "g", 2, 9.80665 },      { "G", 2, 9.80665 },     { "mg", 2, 9.80665e-3 },
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    ms_record_kind kind = MS_RECORD_UNKNOWN;
    double factor = 0.0;
    if (!CHECK_OK(ms_record_parse_unit(test_context(), known[i].unit, &kind, &factor))) continue;
    CHECK_EQUAL(kind, known[i].kind);
    CHECK_CLOSE(factor, known[i].factor, 1e-15);
  }
}

static void test_unknown_units(void) {
  static const char *const unit[] = { "",
                                      "Mm",
                                      "mM",
                                      "N",
                                      "m/s3",
                                      "m s",
                                      "/s",
                                      "V",
                                      "g/s",
                                      "gg",
                                      "a unit that is much longer than any name of a unit" };
  for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
    ms_record_kind kind;
    double factor;
    CHECK_STATUS(ms_record_parse_unit(test_context(), unit[i], &kind, &factor), MS_ERR_NAME);
    CHECK_HAS(ms_context_message(test_context()), "known are m, cm, mm");
  }
}

static void test_kinds(void) {
  ms_record_kind kind = MS_RECORD_UNKNOWN;
  CHECK_OK(ms_record_parse_kind(test_context(), "velocity", &kind));
  CHECK_EQUAL(kind, MS_RECORD_VELOCITY);
  CHECK_TEXT(ms_record_kind_text(MS_RECORD_ACCELERATION), "acceleration");
  CHECK(ms_record_kind_text(MS_RECORD_UNKNOWN) == NULL);
  CHECK_STATUS(ms_record_parse_kind(test_context(), "Velocity", &kind), MS_ERR_NAME);
}

/* ---- tables ---- */

static const char table[] =
    "time [ms],base [g],tip [mm]\n"
    "12.5,0.25,1.5\n15.0,0.5,-2.25\n17.5,0.75,3.125\n20.0,-1,4.5\n";

static ms_status read_channel(ms_context *ctx, const char *path, const char *channel,
                              ms_record *out) {
  ms_record_request request = MS_RECORD_REQUEST_DEFAULT;
  request.channel = channel;
  return ms_record_read(ctx, path, &request, out);
}

static void test_table(void) {
  static const double tip[] = { 1.5e-3, -2.25e-3, 3.125e-3, 4.5e-3 };
  const char *path = test_path("table.csv");
  ms_record r;
  test_put(path, table);
  if (!CHECK_OK(read_channel(test_context(), path, "tip", &r))) return;
  CHECK_EQUAL(r.n, 4);
  CHECK_CLOSE(r.dt, 2.5e-3, 1e-14);
  CHECK_CLOSE(r.time, 12.5e-3, 1e-14);
  CHECK_EQUAL(r.kind, MS_RECORD_DISPLACEMENT);
  CHECK_TEXT(r.channel, "tip");
  CHECK_TEXT(r.unit, "mm");
  for (int k = 0; k < 4; k++) CHECK_CLOSE(r.x[k], tip[k], 1e-15);
  ms_record_free(test_context(), &r);
  CHECK(r.x == NULL && r.n == 0);
  if (!CHECK_OK(read_channel(test_context(), path, "base", &r))) return;
  CHECK_EQUAL(r.kind, MS_RECORD_ACCELERATION);
  CHECK_CLOSE(r.x[3], -9.80665, 1e-15);
  ms_record_free(test_context(), &r);
  ms_record_free(test_context(), NULL);
}

/* What other programs write: units in parentheses, times with their unit behind a line. */
static void check_heading(const char *time, const char *tip, const char *channel, double dt,
                          double factor) {
  const char *path = test_path("heading.csv");
  char text[200];
  ms_record r;
  snprintf(text, sizeof text, "%s,%s\n0,1.5\n2,-2.25\n4,3.125\n6,4.5\n", time, tip);
  test_put(path, text);
  if (!CHECK_OK(read_channel(test_context(), path, channel, &r))) return;
  CHECK_CLOSE(r.dt, dt, 1e-14);
  CHECK_CLOSE(r.x[1], -2.25 * factor, 1e-14);
  CHECK_TEXT(r.channel, channel ? "tip" : "tip (x)");
  ms_record_free(test_context(), &r);
}

static void test_headings(void) {
  const char *path = test_path("heading.csv");
  ms_record r;
  check_heading("Time (s)", "tip (m/s^2)", "tip", 2.0, 1.0);
  check_heading("TIME (ms)", "tip (mm)", "tip (mm)", 2e-3, 1e-3);
  check_heading("time_s", "tip(g)", "tip", 2.0, 9.80665);
  check_heading("t_ms", "tip [g]", "tip", 2e-3, 9.80665);
  check_heading("time_ms [s]", "tip [g]", "tip", 2.0, 9.80665);
  check_heading("t", "tip (x) [mm]", NULL, 2.0, 1e-3); /* x is no unit */
  test_put(path, "Seconds,tip (mm)\n0,1.5\n2,-2.25\n4,3.125\n6,4.5\n");
  CHECK_STATUS(read_channel(test_context(), path, "tip", &r), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()),
            "has no column t or time (the first is 'Seconds'): write 't [s]'");
  test_put(path, "time_of_flight,tip (mm)\n0,1.5\n2,-2.25\n4,3.125\n6,4.5\n");
  CHECK_STATUS(read_channel(test_context(), path, "tip", &r), MS_ERR_ARGUMENT);
  test_put(path, "t,tip (m),tip (g)\n0,1.5,2.5\n2,-2.25,3.5\n4,3.125,4.5\n");
  CHECK_STATUS(read_channel(test_context(), path, "tip", &r), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "has no channel 'tip'");
  if (CHECK_OK(read_channel(test_context(), path, "tip (g)", &r)))
    CHECK_CLOSE(r.x[0], 2.5 * 9.80665, 1e-14);
  ms_record_free(test_context(), &r);
  test_put(path, "t,tip (x)\n0,1.5\n2,-2.25\n4,3.125\n6,4.5\n");
  CHECK_STATUS(read_channel(test_context(), path, "tip", &r), MS_ERR_NAME);
}

/* Times that were rounded to a hundredth of the step are even; a step too many is not. */
static void read_force(const char *unit, ms_status want, double factor) {
  const char *path = test_path("force.csv");
  ms_record_request request = MS_RECORD_REQUEST_DEFAULT;
  char text[200];
  ms_record r;
  snprintf(text, sizeof text, "t [s],hammer%s,tip [mm]\n0,0.3,1\n0.1,2.385,2\n0.2,-0.7,3\n", unit);
  test_put(path, text);
  request.channel = "hammer";
  request.kind = MS_RECORD_FORCE;
  if (!CHECK_STATUS(ms_record_read(test_context(), path, &request, &r), want)) return;
  if (want != MS_SUCCESS) {
    CHECK_HAS(ms_context_message(test_context()), "force");
    return;
  }
  CHECK_EQUAL(r.kind, MS_RECORD_FORCE);
  CHECK_TEXT(ms_record_kind_text(r.kind), "force");
  CHECK_CLOSE(r.x[1], 2.385 * factor, 1e-14);
  ms_record_free(test_context(), &r);
}

/* Only where a force is asked for, and in its units. */
static void test_forces(void) {
  read_force(" [N]", MS_SUCCESS, 1.0);
  read_force(" [mN]", MS_SUCCESS, 1e-3);
  read_force(" [kN]", MS_SUCCESS, 1e3);
  read_force(" [KN]", MS_SUCCESS, 1e3);
  read_force(" [lbf]", MS_SUCCESS, 4.4482216152605);
  read_force(" [MN]", MS_ERR_NAME, 0.0);
  read_force(" [m/s^2]", MS_ERR_NAME, 0.0);
  read_force("", MS_ERR_ARGUMENT, 0.0);
}

static void test_sampling(void) {
  const char *path = test_path("even.csv");
  ms_record r;
  test_put(path, "t,x [m]\n0,1\n0.3333,2\n0.6667,3\n1,4\n");
  if (CHECK_OK(read_channel(test_context(), path, NULL, &r))) {
    CHECK_CLOSE(r.dt, 1.0 / 3.0, 1e-14);
    ms_record_free(test_context(), &r);
  }
  test_put(path, "t,x [m]\n0,1\n0.1,2\n# lost\n0.31,3\n0.41,4\n");
  CHECK_STATUS(read_channel(test_context(), path, NULL, &r), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "even.csv:5: sampling is uneven");
  CHECK(r.x == NULL);
  test_put(path, "t,x [m]\n0,1\n0.1,2\n0.05,3\n0.3,4\n");
  CHECK_STATUS(read_channel(test_context(), path, NULL, &r), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "even.csv:4: time does not increase");
  test_put(path, "t\n0\n0.1\n0.2\n");
  CHECK_STATUS(read_channel(test_context(), path, NULL, &r), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "even.csv has no channel besides time");
  test_put(path, "t,x [furlong]\n0,1\n0.1,2\n0.2,3\n");
  CHECK_STATUS(read_channel(test_context(), path, NULL, &r), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "even.csv: channel x: ");
  ms_record_request request = MS_RECORD_REQUEST_DEFAULT;
  for (int i = 0; i < 3; i++) {
    static const double rate[] = { -1e-9, INFINITY, NAN };
    request.rate_hz = rate[i];
    CHECK_STATUS(ms_record_read(test_context(), path, &request, &r), MS_ERR_BOUNDS);
    CHECK_HAS(ms_context_message(test_context()), "must be > 0");
  }
}

static void test_overflow(void) {
  const char *path = test_path("large.csv");
  ms_record r;
  test_put(path, "t,x [g]\n0,1\n0.1,1.7e308\n");
  CHECK_STATUS(read_channel(test_context(), path, NULL, &r), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "sample 2 is too large");
}

/* ---- universal files ---- */

static const double x_uneven[] = { 0.5, 0.75, 1.0, 1.25 };
static const double values[] = { 2.5, -3.75, 4.125, 0.625 };

static void put_functions(const char *path) {
  ms_uff58_function f = { .type = 1, .response_node = 7, .response_direction = -2, .n = 4 };
  FILE *out = fopen(path, "wb");
  if (!CHECK(out != NULL)) return;
  f.x = x_uneven;
  f.y = values;
  f.is_double = 1;
  snprintf(f.response_name, sizeof f.response_name, "tip");
  f.abscissa.kind = 17;
  f.ordinate.kind = 11;
  snprintf(f.ordinate.unit, sizeof f.ordinate.unit, "mm/s");
  test_uff_print(out, &f, UFF_BIG, 1); /* uneven in the file, but evenly spaced */
  f.is_even = 1;
  f.x_step = 1.0 / 2048.0;
  f.response_node = 12;
  f.response_direction = 3;
  test_uff_print(out, &f, UFF_ASCII, 0);
  f.type = 4; /* no function of time */
  f.abscissa.kind = 18;
  test_uff_print(out, &f, UFF_ASCII, 0);
  fclose(out);
}

static void test_functions(void) {
  const char *path = test_path("functions.uff");
  ms_record r;
  put_functions(path);
  if (CHECK_OK(read_channel(test_context(), path, "7-Y", &r))) {
    CHECK_TEXT(r.channel, "tip:7-Y");
    CHECK_EQUAL(r.kind, MS_RECORD_VELOCITY);
    CHECK_CLOSE(r.dt, 0.25, 1e-14);
    CHECK_CLOSE(r.time, 0.5, 1e-14);
    for (int k = 0; k < 4; k++) CHECK_CLOSE(r.x[k], 1e-3 * values[k], 1e-15);
    ms_record_free(test_context(), &r);
  }
  CHECK_STATUS(read_channel(test_context(), path, "tip", &r), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "appears 2 times; name it by its number, #1 to #2");
  CHECK_STATUS(read_channel(test_context(), path, "#3", &r), MS_ERR_NAME);
}

/* Functions of time whose abscissa says no times. */
static void test_abscissa(void) {
  const char *path = test_path("abscissa.uff");
  for (int i = 0; i < 3; i++) {
    static const char *const message[] = { "the abscissa is in 'kg'; times are in s, ms or us",
                                           "channel tip:7+X has one sample; it is too short",
                                           "the time step is -0.25 s; it must be > 0" };
    ms_uff58_function f = { .type = 1, .response_node = 7, .response_direction = 1, .n = 4 };
    FILE *out = fopen(path, "wb");
    ms_record r;
    if (!CHECK(out != NULL)) return;
    f.y = values;
    f.is_double = f.is_even = 1;
    f.x_step = i == 2 ? -0.25 : 0.25;
    f.n = i == 1 ? 1 : 4;
    snprintf(f.response_name, sizeof f.response_name, "tip");
    f.abscissa.kind = 17;
    f.ordinate.kind = 11;
    snprintf(f.ordinate.unit, sizeof f.ordinate.unit, "mm/s");
    if (i == 0) snprintf(f.abscissa.unit, sizeof f.abscissa.unit, "kg");
    test_uff_print(out, &f, UFF_ASCII, 0);
    fclose(out);
    CHECK_STATUS(read_channel(test_context(), path, NULL, &r),
                 i == 0 ? MS_ERR_NAME : MS_ERR_ARGUMENT);
    CHECK_HAS(ms_context_message(test_context()), "abscissa.uff:");
    CHECK_HAS(ms_context_message(test_context()), message[i]);
  }
}

/* The file's step has six digits; a rate brings the others. */
static void test_rate(void) {
  const char *path = test_path("rate.uff");
  ms_record_request request = { .channel = "#2", .kind = MS_RECORD_UNKNOWN, .rate_hz = 2048.0 };
  ms_record r;
  put_functions(path);
  if (CHECK_OK(ms_record_read(test_context(), path, &request, &r))) {
    CHECK_CLOSE(r.dt, 1.0 / 2048.0, 1e-15);
    ms_record_free(test_context(), &r);
  }
  request.rate_hz = 2049.0;
  CHECK_STATUS(ms_record_read(test_context(), path, &request, &r), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "leave the rate out");
}

/* ---- several channels ---- */

static void test_set(void) {
  static const ms_record_request request[] = { { .channel = "tip", .kind = MS_RECORD_UNKNOWN },
                                               { .channel = "base", .kind = MS_RECORD_UNKNOWN } };
  static const double want[] = { 1.5e-3, -2.25e-3, 3.125e-3, 4.5e-3, 0.25, 0.5, 0.75, -1.0 };
  const char *path = test_path("set.csv");
  ms_record_kind kind[2];
  ms_record_set set;
  test_put(path, table);
  if (CHECK_OK(ms_record_read_set(test_context(), path, 2, request, &set, kind))) {
    CHECK_EQUAL(set.n, 4);
    CHECK_CLOSE(set.dt, 2.5e-3, 1e-14);
    CHECK_CLOSE(set.time, 12.5e-3, 1e-14);
    CHECK_EQUAL(kind[0], MS_RECORD_DISPLACEMENT);
    CHECK_EQUAL(kind[1], MS_RECORD_ACCELERATION);
    for (int k = 0; k < 8; k++) CHECK_CLOSE(set.x[k], want[k] * (k < 4 ? 1.0 : 9.80665), 1e-14);
    ms_record_set_free(test_context(), &set);
    CHECK(set.x == NULL);
  }
  static const ms_record_request functions[] = { { .channel = "#1", .kind = MS_RECORD_UNKNOWN },
                                                 { .channel = "#2", .kind = MS_RECORD_UNKNOWN } };
  const char *uff = test_path("set.uff");
  put_functions(uff);
  CHECK_STATUS(ms_record_read_set(test_context(), uff, 2, functions, &set, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "s apart, the velocity 4, 0.25 s apart");
  CHECK(set.x == NULL);
}

static ms_status read_set(ms_context *ctx, void *path) {
  static const ms_record_request request[] = { { .channel = "tip", .kind = MS_RECORD_UNKNOWN },
                                               { .channel = "base", .kind = MS_RECORD_UNKNOWN } };
  ms_record_set set;
  MS_TRY(ms_record_read_set(ctx, path, 2, request, &set, NULL));
  ms_record_set_free(ctx, &set);
  return MS_SUCCESS;
}

/* ---- memory ---- */

static ms_status read_tip(ms_context *ctx, void *path) {
  ms_record r;
  MS_TRY(read_channel(ctx, path, strstr(path, ".uff") ? "#2" : "tip", &r));
  ms_record_free(ctx, &r);
  return MS_SUCCESS;
}

static void test_memory_failures(void) {
  char path[256];
  snprintf(path, sizeof path, "%s", test_path("memory.csv"));
  test_put(path, table);
  CHECK(test_allocations(read_tip, path) >= 5);
  CHECK(test_allocations(read_set, path) >= 11);
  snprintf(path, sizeof path, "%s", test_path("memory.uff"));
  put_functions(path);
  CHECK(test_allocations(read_tip, path) >= 8);
}

static void test_same_samples(void) {
  const ms_record a = { .n = 100, .dt = 1e-3 }, b = { .n = 101, .dt = 1e-3 };
  const ms_record c = { .n = 100, .dt = 1.0000002e-3 }, d = { .n = 100, .dt = 1.00001e-3 };
  CHECK_OK(ms_record_check_same(test_context(), &a, &c));
  CHECK_STATUS(ms_record_check_same(test_context(), &a, &b), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "they have 100 of 0.001 s and 101 of 0.001 s");
  CHECK_STATUS(ms_record_check_same(test_context(), &a, &d), MS_ERR_FORMAT);
}

int main(void) {
  test_folder_open();
  TEST(test_units);
  TEST(test_unknown_units);
  TEST(test_kinds);
  TEST(test_table);
  TEST(test_headings);
  TEST(test_forces);
  TEST(test_sampling);
  TEST(test_overflow);
  TEST(test_functions);
  TEST(test_abscissa);
  TEST(test_rate);
  TEST(test_set);
  TEST(test_same_samples);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
