/* Universal files: every form of dataset 58, what real files do, and what is refused. */
#include <microslip/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/internal.h"
#include "support/check.h"
#include "support/files.h"
#include "support/uff.h"

static ms_status parse(const char *text, size_t length, ms_uff58 **out) {
  return ms_uff58_parse(test_context(), "probe.unv", text, length, out);
}

/* ---- files written by hand from the format's description ---- */

#define HEAD                                                                 \
  "    -1\n    58\nAccelerometer 7\nNONE\n30-Apr-20 19:12:52\nrun 3\nNONE\n" \
  "    1        17    2         5 TIP                9   3 BOLT              12  -1\n"
#define AXES                                                              \
  "        17    0    0    0 Time                 s                   \n" \
  "        12    1    0    0 Acceleration         m/s^2               \n" \
  "         0    0    0    0 NONE                 NONE                \n" \
  "         0    0    0    0 NONE                 NONE                \n"
#define EVEN "         2         7         1  1.50000E-01  2.50000E-03  0.00000E+00\n"
#define VALUES                                                                       \
  " -3.81956E+00 -3.56616E+00  2.98987E-03 -2.62207E+00  3.22879E+10 -3.63712E+00\n" \
  "  7.25000E-05\n"

static const double seven[] = { -3.81956,   -3.56616, 2.98987e-3, -2.62207,
                                3.22879e10, -3.63712, 7.25e-5 };

static void check_seven(const char *text, size_t length) {
  ms_uff58 *file;
  if (!CHECK_OK(parse(text, length, &file))) return;
  const ms_uff58_function *f = ms_uff58_get(file, 0);
  if (CHECK_EQUAL(ms_uff58_get_count(file), 1) && CHECK_EQUAL(f->n, 7)) {
    CHECK(f->is_even && !f->is_complex && f->x == NULL);
    CHECK(memcmp(f->y, seven, sizeof seven) == 0);
    CHECK_NEAR(f->x_first, 0.15, 0.0);
    CHECK_NEAR(f->x_step, 2.5e-3, 0.0);
  }
  ms_uff58_destroy(&file);
  CHECK(file == NULL);
}

static void check_seven_text(const char *text) {
  check_seven(text, strlen(text));
}

static void test_header(void) {
  ms_uff58 *file;
  const char *text = HEAD EVEN AXES VALUES "    -1\n";
  if (!CHECK_OK(parse(text, strlen(text), &file))) return;
  const ms_uff58_function *f = ms_uff58_get(file, 0);
  CHECK_TEXT(f->id[0], "Accelerometer 7");
  CHECK_TEXT(f->id[2], "30-Apr-20 19:12:52");
  CHECK_TEXT(f->id[4], "NONE");
  CHECK_EQUAL(f->type, 1);
  CHECK_EQUAL(f->number, 17);
  CHECK_EQUAL(f->version, 2);
  CHECK_EQUAL(f->load_case, 5);
  CHECK_TEXT(f->response_name, "TIP");
  CHECK_EQUAL(f->response_node, 9);
  CHECK_EQUAL(f->response_direction, 3);
  CHECK_TEXT(f->reference_name, "BOLT");
  CHECK_EQUAL(f->reference_node, 12);
  CHECK_EQUAL(f->reference_direction, -1);
  CHECK_EQUAL(f->abscissa.kind, 17);
  CHECK_TEXT(f->abscissa.label, "Time");
  CHECK_TEXT(f->abscissa.unit, "s");
  CHECK_EQUAL(f->ordinate.kind, 12);
  CHECK_EQUAL(f->ordinate.length, 1);
  CHECK_TEXT(f->ordinate.unit, "m/s^2");
  CHECK_EQUAL(f->line, 2);
  CHECK_EQUAL(f->is_binary, 0);
  CHECK(ms_uff58_get(file, 1) == NULL && ms_uff58_get(file, -1) == NULL);
  ms_uff58_destroy(&file);
  /* field 1 of record 6, as the standard numbers them */
  static const char *const type[] = {
    "general",
    "time response",
    "auto spectrum",
    "cross spectrum",
    "frequency response",
    "transmissibility",
    "coherence",
    "auto correlation",
    "cross correlation",
    "power spectral density",
    "energy spectral density",
    "probability density function",
    "spectrum",
  };
  for (int k = 0; k < 13; k++) CHECK_TEXT(ms_uff58_type_text(k), type[k]);
  CHECK_TEXT(ms_uff58_type_text(13), "unknown");
  CHECK_TEXT(ms_uff58_type_text(-3), "unknown");
  CHECK_TEXT(ms_uff58_type_text(99), "unknown");
}

/* What programs write though the standard does not quite say so. */
static void test_variants(void) {
  check_seven_text(HEAD EVEN AXES VALUES "    -1\n");
  check_seven_text(HEAD EVEN AXES VALUES "    -1");
  check_seven_text("\n" HEAD EVEN AXES VALUES "    -1    \n\n\n");
  check_seven_text(HEAD "         2         7         1 1.50000E-001 2.50000E-003\n" AXES VALUES
                        "    -1\n");
  check_seven_text(HEAD "2 7 1 0.15 0.0025 0\n" AXES
                        " -3.81956 -3.56616 2.98987D-3\n-2.62207 3.22879e10 -3.63712\n\n7.25-005\n"
                        "-1\n");
  check_seven_text(
      HEAD EVEN AXES
      "-3.81956E+000-3.56616E+000 2.98987E-003-2.62207E+000 3.22879E+010-3.63712E+000\n"
      " 7.25000E-005 0.00000E+000 0.00000E+000 0.00000E+000 0.00000E+000 0.00000E+000\n"
      "    -1\n");
  check_seven_text("    -1\n   151\nanything\n    -1\n" HEAD EVEN AXES VALUES
                   "    -1\n    -1\n   164\n         1  SI\n    -1\n");
}

static void test_line_ends(void) {
  static const char text[] = HEAD EVEN AXES VALUES "    -1\n";
  char crlf[2 * sizeof text];
  size_t n = 0;
  for (size_t i = 0; i + 1 < sizeof text; i++) {
    if (text[i] == '\n') crlf[n++] = '\r';
    crlf[n++] = text[i];
  }
  check_seven(crlf, n);
}

/* Out of its columns, record 6 is read word by word; blanks in it are zeros. */
static void test_shifted_dof(void) {
  static const char *const lines[] = {
    " 1 17 2 5 TIP 9 3 BOLT 12 -1\n",
    "    1        17    2         5  TIP               9   3 BOLT              12  -1\n",
  };
  for (size_t i = 0; i < 2; i++) {
    char text[1024];
    ms_uff58 *file;
    snprintf(text, sizeof text, "    -1\n    58\na\nb\nc\nd\ne\n%s%s%s%s    -1\n", lines[i], EVEN,
             AXES, VALUES);
    if (!CHECK_OK(parse(text, strlen(text), &file))) continue;
    const ms_uff58_function *f = ms_uff58_get(file, 0);
    CHECK_TEXT(f->response_name, "TIP");
    CHECK_TEXT(f->reference_name, "BOLT");
    CHECK_EQUAL(f->response_direction, 3);
    CHECK_EQUAL(f->reference_node, 12);
    ms_uff58_destroy(&file);
  }
}

/* Latin-1 and UTF-8 both come out as UTF-8. */
static void test_encodings(void) {
  static const char *const unit[] = { "m/s\xB2 ", "m/s\xC2\xB2", "m/s\xC2\xB2" };
  for (size_t i = 0; i < 2; i++) {
    char text[1024];
    ms_uff58 *file;
    snprintf(text, sizeof text,
             HEAD EVEN "17 0 0 0\n        12    0    0    0 a\tb                  %s\n\n\n" VALUES
                       "    -1\n",
             unit[i]);
    if (!CHECK_OK(parse(text, strlen(text), &file))) continue;
    const ms_uff58_function *f = ms_uff58_get(file, 0);
    CHECK_TEXT(f->ordinate.unit, unit[2]);
    CHECK_TEXT(f->ordinate.label, "a b");
    CHECK_EQUAL(f->abscissa.kind, 17);
    CHECK_TEXT(f->abscissa.label, "");
    ms_uff58_destroy(&file);
  }
}

/* 1.5 and -2 as floats, byte by byte; the closing -1 at once or on a line of its own. */
static void check_bytes(const char *order, const char *bytes, size_t n_bytes, const char *close) {
  char text[2048];
  int n = snprintf(text, sizeof text,
                   "    -1\n    58b%s     2          11%12d     0     0           0           0\n"
                   "a\nb\nc\nd\ne\n    1         0    0         0 NONE               0   0 NONE "
                   "              0   0\n         2         2         1  0.00000E+00  1.25000E-01"
                   "  0.00000E+00\n" AXES,
                   order, (int)n_bytes);
  memcpy(text + n, bytes, n_bytes);
  strcpy(text + n + n_bytes, close);
  ms_uff58 *file;
  if (!CHECK_OK(parse(text, (size_t)n + n_bytes + strlen(close), &file))) return;
  const ms_uff58_function *f = ms_uff58_get(file, 0);
  CHECK_EQUAL(f->is_binary, 1);
  CHECK_EQUAL(f->n, 2);
  CHECK_NEAR(f->y[0], 1.5, 0.0);
  CHECK_NEAR(f->y[1], -2.0, 0.0);
  ms_uff58_destroy(&file);
}

static void test_bytes(void) {
  check_bytes("     1", "\x00\x00\xC0\x3F\x00\x00\x00\xC0", 8, "    -1\n");
  check_bytes("     1", "\x00\x00\xC0\x3F\x00\x00\x00\xC0", 8, "\n    -1\n");
  check_bytes("     1", "\x00\x00\xC0\x3F\x00\x00\x00\xC0", 8, "\r\n    -1");
  check_bytes("     2", "\x3F\xC0\x00\x00\xC0\x00\x00\x00", 8, "    -1\n");
}

/* ---- every form, written and read ---- */

enum { n_long = 137 };
static double long_x[n_long], long_y[2 * n_long];

static ms_uff58_function make_function(int kind, int even) {
  ms_uff58_function f = {
    .id = { "first line", "b", "01-Jan-20 10:00:00", "d", "-1" },
    .type = 4,
    .number = 3,
    .response_name = "R",
    .response_node = 1234567,
    .response_direction = -2,
    .reference_name = "NONE",
    .is_complex = kind >= 5,
    .is_double = kind == 4 || kind == 6,
    .is_even = even,
    .n = n_long,
    .x_first = even ? 0.25 : 0.0,
    .x_step = even ? 0.0625 : 0.0,
    .z = 2.385,
    .abscissa = { 18, 0, 0, 0, "Frequency", "Hz" },
    .ordinate = { 12, 1, -2, 3, "a", "g" },
    .denominator = { 13, 0, 1, 0, "F", "N" },
    .x = even ? NULL : long_x,
    .y = long_y,
  };
  return f;
}

static void fill_long(void) {
  ms_random rng;
  ms_random_start(&rng, 58, 0);
  for (int k = 0; k < n_long; k++) long_x[k] = 0.0625 * k + 0.03 * ms_random_uniform(&rng);
  for (int k = 0; k < 2 * n_long; k++) long_y[k] = ms_random_normal(&rng) * pow(10.0, k % 9 - 4);
}

static void check_function(const ms_uff58_function *f, const ms_uff58_function *g, double tol_x,
                           double tol_y) {
  double error = 0.0;
  if (!CHECK_EQUAL(g->n, f->n)) return;
  CHECK(g->is_even == f->is_even && g->is_complex == f->is_complex);
  CHECK(g->is_double == f->is_double);
  for (ptrdiff_t k = 0; k < f->n * (1 + f->is_complex); k++)
    error = fmax(error, fabs(g->y[k] - f->y[k]) / fabs(f->y[k]));
  CHECK_NEAR(error, 0.0, tol_y);
  error = 0.0;
  for (ptrdiff_t k = 0; !f->is_even && k < f->n; k++)
    error = fmax(error, fabs(g->x[k] - f->x[k]) / f->x[k]);
  CHECK_NEAR(error, 0.0, tol_x);
  CHECK_EQUAL(g->x == NULL, f->is_even);
  CHECK_NEAR(g->x_step, f->x_step, 0.0);
  CHECK_NEAR(g->z, f->z, 0.0);
  CHECK_TEXT(g->id[0], f->id[0]);
  CHECK_TEXT(g->id[4], f->id[4]);
  CHECK_EQUAL(g->response_node, f->response_node);
  CHECK_EQUAL(g->response_direction, f->response_direction);
  CHECK_TEXT(g->ordinate.unit, f->ordinate.unit);
  CHECK_EQUAL(g->ordinate.force, f->ordinate.force);
  CHECK_TEXT(g->denominator.label, f->denominator.label);
}

/* Half a unit of the last digit that a field has, or of a float. */
static double tolerance(test_uff_form form, int wide) {
  if (form == UFF_ASCII) return wide ? 5e-13 : 5e-6;
  return wide ? 0.0 : 0x1p-24;
}

static void check_form(test_uff_form form, int double_x) {
  char *text = NULL;
  size_t size = 0;
  ms_uff58_function all[8];
  FILE *out = open_memstream(&text, &size);
  for (int i = 0; i < 8; i++) {
    static const int kinds[] = { 2, 4, 5, 6 };
    all[i] = make_function(kinds[i / 2], i % 2);
    test_uff_print(out, &all[i], form, double_x);
    if (i == 3) fputs("    -1\n    15\n         1         0\n    -1\n", out);
  }
  fclose(out);
  ms_uff58 *file;
  if (CHECK_OK(parse(text, size, &file))) {
    CHECK_EQUAL(ms_uff58_get_count(file), 8);
    for (int i = 0; i < 8 && i < ms_uff58_get_count(file); i++) {
      int wide_x = form != UFF_ASCII && all[i].is_double && double_x;
      CHECK_EQUAL(ms_uff58_get(file, i)->is_binary, form != UFF_ASCII);
      check_function(&all[i], ms_uff58_get(file, i), tolerance(form, wide_x),
                     tolerance(form, all[i].is_double));
    }
    ms_uff58_destroy(&file);
  }
  free(text);
}

static void test_all_forms(void) {
  fill_long();
  check_form(UFF_ASCII, 0);
  check_form(UFF_LITTLE, 0);
  check_form(UFF_LITTLE, 1);
  check_form(UFF_BIG, 0);
  check_form(UFF_BIG, 1);
}

/* ---- what is refused ---- */

static void check_refused(const char *text, size_t length, const char *where, const char *what) {
  ms_uff58 *file = (ms_uff58 *)&file;
  if (!CHECK_STATUS(parse(text, length, &file), MS_ERR_FORMAT)) printf("#   in: %s\n", text);
  CHECK(file == NULL);
  const char *message = ms_context_message(test_context());
  CHECK(strncmp(message, where, strlen(where)) == 0);
  CHECK_HAS(message, where);
  CHECK_HAS(message, what);
}

static void refuse(const char *text, const char *where, const char *what) {
  check_refused(text, strlen(text), where, what);
}

static void test_refuses_no_function(void) {
  refuse("", "probe.unv: holds no function; ", "there must be a dataset 58");
  refuse("    -1\n   151\n    -1\n    -1\n   164\n    -1\n", "probe.unv: holds no function; ",
         "but there is only 151, 164");
  refuse("t,u\n1,2\n", "probe.unv:1: 't,u' is outside of any dataset", "a line -1");
  refuse("    -1\n", "probe.unv:1: ", "the file ends where a dataset begins");
  refuse("    -1\nabc\n", "probe.unv:2: 'abc' is not the number of a dataset", "one must follow");
  refuse("    -1\n   151\nabc\n", "probe.unv:3: dataset 151, which begins in line 2",
         "has no closing -1");
  refuse("    -1\n    58\na\nb\nc\n", "probe.unv:5: the file ends in the header", "line 2");
}

static void test_refuses_header(void) {
  const char *ids = "    -1\n    58\na\nb\nc\nd\ne\n";
  static const struct {
    const char *lines, *where, *what;
  } bad[] = {
    { "one two\n", "probe.unv:8: 'one two' does not name the function", "type, number" },
    { "1\nabc\n", "probe.unv:9: 'abc' does not describe the data", "kind, count, spacing" },
    { "1\n1 7 1 0 1 0\n", "probe.unv:9: data of kind 1", "it must be 2 (real), 4" },
    { "1\n2 0 1 0 1 0\n", "probe.unv:9: 0 samples", "positive integer" },
    { "1\n2 7.5 1 0 1 0\n", "probe.unv:9: 7.5 samples", "positive integer" },
    { "1\n2 -7 1 0 1 0\n", "probe.unv:9: -7 samples", "positive integer" },
    { "1\n2 7 2 0 1 0\n", "probe.unv:9: spacing 2", "0 (uneven) or 1 (even)" },
    { "1\n2 7 1 0 0 0\n", "probe.unv:9: even spacing with a step of 0", "give the step" },
    { "1\n2 7 1 0 nan 0\n", "probe.unv:9: ", "does not describe the data" },
    { "1\n2 7 1 0 1 0\nx\n", "probe.unv:10: 'x' does not describe an axis", "four integers" },
    { "1\n2 7 1 0 1 0\n0\n0\n0\n", "probe.unv:12: the file ends in the header", "complete it" },
    { "1\n2 99999 1 0 1 0\n0\n0\n0\n0\n1.5\n    -1\n", "probe.unv:13: 99999 samples", "complete" },
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char text[256];
    snprintf(text, sizeof text, "%s%s", ids, bad[i].lines);
    refuse(text, bad[i].where, bad[i].what);
  }
}

#define TOP "    -1\n    58\na\nb\nc\nd\ne\n1\n2 3 1 0 1 0\n0\n0\n0\n0\n"

static void test_refuses_values(void) {
  refuse(TOP "1.5 2.5\n    -1\n", "probe.unv:15: ", "the data end after 2 of 3 values");
  refuse(TOP "1.5 2.5\n", "probe.unv:14: ", "the data end after 2 of 3 values");
  refuse(TOP "1.5 2.5\n3.5\n", "probe.unv:15: ", "without the closing -1");
  refuse(TOP "1.5 2.5 3.5 4.5\n    -1\n", "probe.unv:14: ", "more than the 3 values");
  refuse(TOP "1.5 2.5\n3.5\n4.5\n    -1\n", "probe.unv:16: ", "more than the 3 values");
  refuse(TOP "1.5 x 3.5\n    -1\n", "probe.unv:14: 'x 3.5' is not a number", "1.25000E+00");
  refuse(TOP "1.5 2.5x 3.5\n    -1\n", "probe.unv:14: '2.5x 3.5' is not a number", "1.25");
  refuse(TOP "1.5 nan 3.5\n    -1\n", "probe.unv:14: 'nan 3.5' is not finite", "finite number");
  refuse(TOP "1.5 -1e999 3.5\n    -1\n", "probe.unv:14: '-1e999 3.5' is not finite", "finite");
}

#define BINARY(line) "    -1\n" line "\na\nb\nc\nd\ne\n1\n2 2 1 0 1 0\n0\n0\n0\n0\n"

static void test_refuses_binary(void) {
  refuse(BINARY("    58b 3 2 11 8 0"), "probe.unv:2: ' 3 2 11 8 0' does not describe", "(1 or 2)");
  refuse(BINARY("    58b 1"), "probe.unv:2: ' 1' does not describe binary data", "lines of text");
  refuse(BINARY("    58b 1 1 11 8"), "probe.unv:2: floating-point format 1", "only IEEE");
  refuse(BINARY("    58b 1 2 10 8"), "probe.unv:2: 10 lines of text", "there must be 11");
  refuse(BINARY("    58b 1 2 11 8") "1234", "probe.unv: byte 56: 2 samples take 8 bytes",
         "the dataset says 8 and the file has 4 left");
  refuse(BINARY("    58b 1 2 11 8") "12345678", "probe.unv: byte 64: the dataset has no closing -1",
         "counts");
  refuse(BINARY("    58b 1 2 11 16") "12345678", "probe.unv: byte 57: 2 samples take 8", "16");
  static const char nan[] = BINARY("    58b 1 2 11 8") "1234\0\0\xC0\x7F    -1\n";
  check_refused(nan, sizeof nan - 1, "probe.unv: byte 60: a value is not finite", "byte order");
  refuse("    -1\n   151b 1 2 0 99\n", "probe.unv: byte 24: binary data end too early", "complete");
}

/* A count of bytes that is wrong, where the closing -1 tells the truth. */
static void test_wrong_byte_count(void) {
  static const char text[] = BINARY("    58b 1 2 11 4") "\0\0\xC0\x3F\0\0\0\xC0    -1\n";
  ms_uff58 *file;
  if (!CHECK_OK(parse(text, sizeof text - 1, &file))) return;
  CHECK_NEAR(ms_uff58_get(file, 0)->y[1], -2.0, 0.0);
  ms_uff58_destroy(&file);
}

/* Other binary datasets are passed over by their counts, whatever is in them. */
static void test_skips_binary(void) {
  static const char text[] =
      "    -1\n   999b 1 2 1 10\nx\n\n    -1\n\0x    -1\n" HEAD EVEN AXES VALUES "    -1\n";
  check_seven(text, sizeof text - 1);
}

/* Cut anywhere, a file is refused or still whole: never shorter data without a word. */
static void check_cuts(test_uff_form form) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ms_uff58_function f = make_function(6, 0);
  f.n = 5;
  test_uff_print(out, &f, form, 0);
  fclose(out);
  for (size_t cut = 0; cut <= size; cut++) {
    ms_uff58 *file;
    ms_status status = parse(text, cut, &file);
    int whole = cut >= size - 1; /* without the last LF */
    if (!CHECK_STATUS(status, whole ? MS_SUCCESS : MS_ERR_FORMAT)) printf("#   cut %zu\n", cut);
    if (status == MS_SUCCESS) CHECK_EQUAL(ms_uff58_get(file, 0)->n, 5);
    ms_uff58_destroy(&file);
  }
  free(text);
}

static void test_cuts(void) {
  fill_long();
  check_cuts(UFF_ASCII);
  check_cuts(UFF_LITTLE);
}

/* ---- files and memory ---- */

static void test_files(void) {
  ms_uff58 *file = (ms_uff58 *)&file;
  ms_context *ctx = test_context();
  CHECK_STATUS(ms_uff58_read(ctx, test_path("none.unv"), &file), MS_ERR_FILE);
  CHECK(file == NULL);
  CHECK_STATUS(ms_uff58_read(ctx, NULL, &file), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_uff58_read(ctx, "x.unv", NULL), MS_ERR_ARGUMENT);
  ms_uff58_destroy(&file);
  ms_uff58_destroy(NULL);
  test_put(test_path("a.unv"), HEAD EVEN AXES VALUES "    -1\n");
  if (!CHECK_OK(ms_uff58_read(ctx, test_path("a.unv"), &file))) return;
  CHECK_EQUAL(ms_uff58_get(file, 0)->n, 7);
  ms_uff58_destroy(&file);
}

static ms_status read_file(ms_context *ctx, void *user) {
  ms_uff58 *file;
  ms_status status = ms_uff58_read(ctx, user, &file);
  ms_uff58_destroy(&file);
  return status;
}

static void test_memory_failures(void) {
  char path[512];
  snprintf(path, sizeof path, "%s", test_path("memory.unv"));
  fill_long();
  FILE *out = fopen(path, "wb");
  for (int i = 0; out && i < 4; i++) {
    ms_uff58_function f = make_function(4, i % 2);
    test_uff_print(out, &f, i < 2 ? UFF_ASCII : UFF_BIG, 0);
  }
  if (!CHECK(out && fclose(out) == 0)) return;
  CHECK(test_allocations(read_file, path) >= 19);
}

int main(void) {
  test_folder_open();
  TEST(test_header);
  TEST(test_variants);
  TEST(test_line_ends);
  TEST(test_shifted_dof);
  TEST(test_encodings);
  TEST(test_bytes);
  TEST(test_all_forms);
  TEST(test_refuses_no_function);
  TEST(test_refuses_header);
  TEST(test_refuses_values);
  TEST(test_refuses_binary);
  TEST(test_wrong_byte_count);
  TEST(test_skips_binary);
  TEST(test_cuts);
  TEST(test_files);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
