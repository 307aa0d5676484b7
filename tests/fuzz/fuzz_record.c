/* Mutated records of a channel in time, tables and universal files: whatever comes in, an even
   record of finite samples or a clean refusal comes out. */
#include <microslip/io.h>

#include <math.h>
#include <string.h>

#include "support/fuzz.h"

static const char *fault_of_record(const ms_record *r) {
  if (r->n < 1 || !r->x) return "accepted without samples";
  if (!(r->dt > 0.0) || !isfinite(r->dt) || !isfinite(r->time)) return "the times are not finite";
  for (ptrdiff_t i = 0; i < r->n; i++) {
    if (!isfinite(r->x[i])) return "accepted a value that is not finite";
  }
  return NULL;
}

static const char *fault_of_refusal(ms_context *ctx, ms_status status, const char *path) {
  const char *message = ms_context_message(ctx);
  if (status >= 0 || status == MS_ERR_MEMORY) return "refused with the wrong status";
  if (strncmp(message, path, strlen(path)) != 0) return "the message lacks the name";
  return strpbrk(message, "\r\n") ? "the message is more than one line" : NULL;
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  const int universal = length > 5 && memcmp(text, "    -", 5) == 0;
  const char *path = test_fuzz_file(universal ? "fuzzed.uff" : "fuzzed.csv", text, length);
  ms_record_request request = MS_RECORD_REQUEST_DEFAULT;
  ms_record record = { .x = NULL };
  test_bounded memory;
  ms_context *ctx = test_fuzz_open(&memory, length);
  ms_status status = ms_record_read(ctx, path, &request, &record);
  const char *fault =
      status == MS_SUCCESS ? fault_of_record(&record) : fault_of_refusal(ctx, status, path);
  *accepted += status == MS_SUCCESS;
  ms_record_free(ctx, &record);
  return test_fuzz_close(&memory, &ctx, fault);
}

#define HEAD(more)                                                                          \
  "    -1\n    58\nrecord\nNONE\n01-Jan-24 00:00:00\nNONE\nNONE\n"                          \
  "    1         0    0         0       NONE         1   3       NONE         1   3\n" more \
  "        17    0    0    0                 time                    s\n"                   \
  "        12    0    0    0         Acceleration                m/s^2\n"                   \
  "         0    0    0    0                 NONE                 NONE\n"                   \
  "         0    0    0    0                 NONE                 NONE\n"

static const test_token seeds[] = {
  TOKEN("t [s],a [m/s^2]\n0,1.5\n0.001,-2.25\n0.002,0.75\n0.003,1e-3\n"),
  TOKEN("# hit 3\ntime [ms];v [mm/s]\n0;1\n0.5;2\n1;4\n1.5;3\n2;1\n"),
  TOKEN(HEAD(
      "         2         4         1  0.00000E+00  1.00000E-03  0.00000E+00\n") " -3.81956E+00 "
                                                                                 "-3.56616E+00  "
                                                                                 "2.98987E-03 "
                                                                                 "-2.62207E+00\n   "
                                                                                 " -1\n"),
  TOKEN(""),
};

static const test_token tokens[] = {
  TOKEN("nan"), TOKEN("1e999"), TOKEN("\n"),       TOKEN("\r\n"),     TOKEN(","),     TOKEN(";"),
  TOKEN(" "),   TOKEN("[m]"),   TOKEN("[g]"),      TOKEN("[s]"),      TOKEN("[ms]"),  TOKEN("\0"),
  TOKEN("t"),   TOKEN("a"),     TOKEN("    -1\n"), TOKEN("    58\n"), TOKEN("0.001"), TOKEN("-1"),
};

MS_FUZZ_MAIN(fault_of, seeds, tokens)
