/* Mutated universal files, ASCII and binary: whatever comes in, sound functions or a clean refusal
   come out. */
#include <microslip/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/internal.h"
#include "support/check.h"
#include "support/fuzz.h"

#define NAME "fuzzed.unv" /* stands for the file in messages */

static int is_text(const char *text, size_t size) {
  return memchr(text, '\0', size) != NULL && !strpbrk(text, "\r\n");
}

static const char *fault_of_function(const ms_uff58_function *f) {
  if (f->n < 1) return "accepted without samples";
  if (!f->y || (f->is_even ? f->x != NULL : f->x == NULL)) return "an array is missing";
  for (ptrdiff_t k = 0; k < f->n * (1 + f->is_complex); k++)
    if (!isfinite(f->y[k])) return "accepted a value that is not finite";
  for (ptrdiff_t k = 0; !f->is_even && k < f->n; k++)
    if (!isfinite(f->x[k])) return "accepted an abscissa that is not finite";
  if (!isfinite(f->x_first) || !isfinite(f->x_step) || !isfinite(f->z)) return "the header is not";
  for (int i = 0; i < 5; i++)
    if (!is_text(f->id[i], sizeof f->id[i])) return "a text is broken";
  return is_text(f->ordinate.unit, sizeof f->ordinate.unit) ? NULL : "a unit is broken";
}

static const char *fault_of_refusal(ms_context *ctx, ms_status status) {
  const char *message = ms_context_message(ctx);
  if (status != MS_ERR_FORMAT) return "refused with the wrong status";
  if (strncmp(message, NAME ":", strlen(NAME ":")) != 0) return "the message lacks the name";
  if (!strchr(message, ';')) return "the message does not say what would be right";
  return strpbrk(message, "\r\n") ? "the message is more than one line" : NULL;
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  test_bounded memory;
  ms_context *ctx = test_fuzz_open(&memory, length);
  ms_uff58 *file = (ms_uff58 *)ctx;
  ms_status status = ms_uff58_parse(ctx, NAME, text, length, &file);
  const char *fault = NULL;
  if (status == MS_SUCCESS) {
    ++*accepted;
    if (ms_uff58_get_count(file) < 1) fault = "accepted without functions";
    for (ptrdiff_t i = 0; !fault && i < ms_uff58_get_count(file); i++)
      fault = fault_of_function(ms_uff58_get(file, i));
    ms_uff58_destroy(&file);
  } else {
    fault = file ? "refused, but something came out" : fault_of_refusal(ctx, status);
  }
  return test_fuzz_close(&memory, &ctx, fault);
}

#define IDS          "bolt 3\nNONE\n30-Apr-20 19:12:52\nNONE\nNONE\n"
#define DOF          "    1         0    0         0 TIP                9   3 BOLT              12  -1\n"
#define AXIS         "        12    0    0    0 Acceleration         m/s^2               \n"
#define HEAD(layout) IDS DOF layout AXIS AXIS AXIS AXIS

static const test_token seeds[] = {
  TOKEN("    -1\n    58\n" HEAD("         2         7         1  0.00000E+00  2.50000E-03  "
                                "0.00000E+00\n") " -3.81956E+00 -3.56616E+00  2.98987E-03 "
                                                 "-2.62207E+00  3.22879E+10 -3.63712E+00\n"
                                                 "  7.25000E-05\n    -1\n"),
  TOKEN("    -1\r\n    58\r\na\r\nb\r\nc\r\nd\r\ne\r\n4 0 0 0 A 1 2 B 3 -3\r\n6 2 0 0 0 0\r\n"
        "18\r\n12\r\n13\r\n0\r\n  1.00000E+00  1.250000000000E+00 -1.250000000000E+00\r\n"
        "  2.00000E+00  2.250000000000E+00 -2.250000000000E+00\r\n    -1\r\n"),
  TOKEN("    -1\n   151\nmodel\n    -1\n    -1\n    58b     1     2          11           8     0"
        "     0           0           0\n" HEAD("         2         2         1  0.00000E+00  "
                                                "1.25000E-01  0.00000E+00\n") "\0\0\xC0\x3F\0\0\0"
                                                                              "\xC0    -1\n"),
  TOKEN("    -1\n    58b     2     2          11          24     0     0           0           0\n"
        "a\nb\nc\nd\ne\n1\n4 2 0 0 0 0\n17\n12\n0\n0\n"
        "\x3F\xC0\0\0\x3F\xF8\0\0\0\0\0\0\x40\0\0\0\xC0\x04\0\0\0\0\0\0\n    -1\n"),
  TOKEN(""),
};

static const test_token tokens[] = {
  TOKEN("    -1\n"), TOKEN("-1"),
  TOKEN("    58\n"), TOKEN("58b"),
  TOKEN("\n"),       TOKEN("\r\n"),
  TOKEN(" "),        TOKEN("\0"),
  TOKEN("nan"),      TOKEN("\x7F\x80\0\0"),
  TOKEN("1e999"),    TOKEN("-100"),
  TOKEN("0"),        TOKEN("2"),
  TOKEN("6"),        TOKEN("99999999"),
  TOKEN("1.5E+00"),  TOKEN("\xC2"),
  TOKEN("\xB2"),     TOKEN("9223372036854775807"),
};

MS_FUZZ_MAIN(fault_of, seeds, tokens)
