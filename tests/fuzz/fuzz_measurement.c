/* Mutated files of measured data, the format by how they begin: whatever comes in, channels of
   finite samples or a clean refusal come out. */
#include <math.h>
#include <string.h>

#include "io/measured/measured.h"
#include "support/fuzz.h"

static const char *name_of(const char *text, size_t length) {
  if (length > 5 && memcmp(text, "    -", 5) == 0) return "fuzzed.uff";
  if (length > 6 && memcmp(text, "MATLAB", 6) == 0) return "fuzzed.mat";
  if (length > 2 && memcmp(text, "PK", 2) == 0) return "fuzzed.npz";
  return "fuzzed.csv";
}

static int is_finite(const double *x, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

static const char *fault_of_channel(const ms_measurement_channel *c) {
  if (c->n < 1 || !c->y) return "accepted a channel without samples";
  if (!is_finite(c->y, c->n * (1 + c->is_complex))) return "accepted a sample that is not finite";
  if (c->x && !is_finite(c->x, c->n)) return "accepted a time that is not finite";
  if (!isfinite(c->first * c->x_factor) || !isfinite(c->step * c->x_factor))
    return "the times are not finite";
  if (memchr(c->name, '\0', sizeof c->name) == NULL || c->name[0] == '\0')
    return "a channel has no name";
  return NULL;
}

static const char *fault_of_file(const ms_measurement *file) {
  ptrdiff_t n, n_shape;
  const ms_measurement_node *node = ms_measurement_get_nodes(file, &n);
  const ms_measurement_shape *shape = ms_measurement_get_shapes(file, &n_shape);
  for (ptrdiff_t i = 0; i < n; i++)
    if (!is_finite(node[i].x, 3)) return "accepted a position that is not finite";
  for (ptrdiff_t i = 0; i < n_shape; i++)
    if (!is_finite(shape[i].value, shape[i].n * shape[i].width * (1 + shape[i].is_complex)))
      return "accepted a shape that is not finite";
  for (ptrdiff_t i = 0; i < ms_measurement_get_count(file); i++) {
    const char *fault = fault_of_channel(ms_measurement_get(file, i));
    if (fault) return fault;
  }
  return NULL;
}

static const char *fault_of_refusal(ms_context *ctx, ms_status status, const char *name) {
  const char *message = ms_context_message(ctx);
  if (status >= 0 || status == MS_ERR_MEMORY) return "refused with the wrong status";
  if (strncmp(message, name, strlen(name)) != 0) return "the message lacks the name";
  return strpbrk(message, "\r\n") ? "the message is more than one line" : NULL;
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  const char *name = name_of(text, length);
  ms_measurement *file = NULL;
  test_bounded memory;
  ms_context *ctx = test_fuzz_open(&memory, length);
  ms_status status = ms_measurement_parse(ctx, name, text, length, NULL, &file);
  const char *fault =
      status == MS_SUCCESS ? fault_of_file(file) : fault_of_refusal(ctx, status, name);
  *accepted += status == MS_SUCCESS;
  ms_measurement_destroy(&file);
  return test_fuzz_close(&memory, &ctx, fault);
}

#define HEAD(kind)                                                                     \
  "    -1\n    58\nrecord\nNONE\n01-Jan-24 00:00:00\nNONE\nNONE\n"                     \
  "    1         0    0         0       NONE         1   3       NONE         1   3\n" \
  "         2         4         1  0.00000E+00  1.00000E-03  0.00000E+00\n"            \
  "        17    0    0    0                 time                    s\n"              \
  "        " kind                                                                      \
  "    0    0    0                 NONE                 NONE\n"                        \
  "         0    0    0    0                 NONE                 NONE\n"              \
  "         0    0    0    0                 NONE                 NONE\n"              \
  " -3.81956E+00 -3.56616E+00  2.98987E-03 -2.62207E+00\n    -1\n"

static const test_token seeds[] = {
  TOKEN("Rate: 5 Hz\nTitle;x\nForce;Acc\nN;g\n0,5;1\n-2;3,25\n"),
  TOKEN("# a\n% Time [ms],tip (g)\n\"0,5\",\"1\"\n\"1,5\",\"3,25\"\n"),
  TOKEN("Time (s)\tforce_N\tAcc\t\n0\t1\t2\t\n0.5\t3\t4\t\n"),
  TOKEN("LabVIEW Measurement\t\nX_Columns\tMulti\n***End_of_Header***\n\nChannels\t2\t\t\n"
        "Samples\t2\t\t2\nY_Unit_Label\tg\t\tN\nX0\t0\t\t0\nDelta_X\t0.5\t\t0.25\n"
        "***End_of_Header***\nX_Value\ttip\tX_Value\tload\n0\t1\t0\t2\n0.5\t1\t0.5\t-2\n"),
  TOKEN("Record Length,2,, 0.0,1,\nSource,CH1,, 0.5,-2,\nVertical Units,V,, 1.0,3,\n"),
  TOKEN("X,CH1,Start,Increment,\nSequence,Volt,-1,0.5,\n0,1,\n1,-2,\n"),
  TOKEN("Header Size:\t 4\nPulse Version:\t 8\nData Type:\tComplex\nX-Axis size:\t2\n"
        "X-Axis delta:\t0.5\n1\t0\t1\t-1\n2\t0.5\t2\t0\n"),
  TOKEN("Frequency,Real,Imag,Fs\nHz,g,,\n0,1,2,8\n0.5,3,4,\n1,5,6,\n"),
  TOKEN(HEAD("12") HEAD("13")),
  TOKEN("    -1\n   164\n         5mm                            2\n 1.0D+03 1.0D+03 1.0D+00\n 0.\n"
        "    -1\n    -1\n    15\n         1         0         0         1 1.0 -2.5 0.\n    -1\n"
        "    -1\n  2411\n         7         1         1        11\n 2.4D+03 0. -5.D-01\n    -1\n"
        "    -1\n    82\n         1         2         0\nedge\n         1         7\n    -1\n"
        "    -1\n    55\nm\nn\nn\nn\nn\n         1         2         2         8         2         "
        "1\n"
        "         2         4         1         3\n  3.7E+01  1.0E+00  2.5E-03  0.0E+00\n"
        "         1\n  1.0E+00\n         7\n -1.0E+00\n    -1\n"),
  /* of scipy and numpy */
  TOKEN("\115\101\124\114\101\102\040\065\056\060\040\115\101\124\055\146\151\154"
        "\145\040\120\154\141\164\146\157\162\155\072\040\160\157\163\151\170\054"
        "\040\103\162\145\141\164\145\144\040\157\156\072\040\127\145\144\040\116"
        "\157\166\040\061\070\040\062\062\072\063\060\072\062\063\040\062\060\062"
        "\066\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"
        "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"
        "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\001"
        "\111\115\016\000\000\000\110\000\000\000\006\000\000\000\010\000\000\000"
        "\006\000\000\000\000\000\000\000\005\000\000\000\010\000\000\000\001\000"
        "\000\000\003\000\000\000\001\000\001\000\164\000\000\000\011\000\000\000"
        "\030\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"
        "\360\077\000\000\000\000\000\000\000\100\016\000\000\000\110\000\000\000"
        "\006\000\000\000\010\000\000\000\006\000\000\000\000\000\000\000\005\000"
        "\000\000\010\000\000\000\001\000\000\000\003\000\000\000\001\000\001\000"
        "\141\000\000\000\011\000\000\000\030\000\000\000\000\000\000\000\000\000"
        "\360\077\000\000\000\000\000\000\000\300\000\000\000\000\000\000\010\100"),
  TOKEN("\120\113\003\004\024\000\000\000\000\000\000\000\041\000\160\356\222\151"
        "\210\000\000\000\210\000\000\000\006\000\024\000\144\164\056\156\160\171"
        "\001\000\020\000\210\000\000\000\000\000\000\000\210\000\000\000\000\000"
        "\000\000\223\116\125\115\120\131\001\000\166\000\173\047\144\145\163\143"
        "\162\047\072\040\047\074\146\070\047\054\040\047\146\157\162\164\162\141"
        "\156\137\157\162\144\145\162\047\072\040\106\141\154\163\145\054\040\047"
        "\163\150\141\160\145\047\072\040\050\051\054\040\175\040\040\040\040\040"
        "\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040"
        "\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040"
        "\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040"
        "\040\040\040\012\000\000\000\000\000\000\340\077\120\113\003\004\024\000"
        "\000\000\000\000\000\000\041\000\177\077\036\326\203\000\000\000\203\000"
        "\000\000\005\000\024\000\141\056\156\160\171\001\000\020\000\203\000\000"
        "\000\000\000\000\000\203\000\000\000\000\000\000\000\223\116\125\115\120"
        "\131\001\000\166\000\173\047\144\145\163\143\162\047\072\040\047\174\151"
        "\061\047\054\040\047\146\157\162\164\162\141\156\137\157\162\144\145\162"
        "\047\072\040\106\141\154\163\145\054\040\047\163\150\141\160\145\047\072"
        "\040\050\063\054\051\054\040\175\040\040\040\040\040\040\040\040\040\040"
        "\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040"
        "\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040\040"
        "\040\040\040\040\040\040\040\040\040\040\040\040\040\040\012\001\376\003"
        "\120\113\001\002\024\003\024\000\000\000\000\000\000\000\041\000\160\356"
        "\222\151\210\000\000\000\210\000\000\000\006\000\000\000\000\000\000\000"
        "\000\000\000\000\200\001\000\000\000\000\144\164\056\156\160\171\120\113"
        "\001\002\024\003\024\000\000\000\000\000\000\000\041\000\177\077\036\326"
        "\203\000\000\000\203\000\000\000\005\000\000\000\000\000\000\000\000\000"
        "\000\000\200\001\300\000\000\000\141\056\156\160\171\120\113\005\006\000"
        "\000\000\000\002\000\002\000\147\000\000\000\172\001\000\000\000\000"),
};

static const test_token tokens[] = {
  TOKEN("nan"),  TOKEN("1e999"), TOKEN("\n"),         TOKEN("\r\n"),     TOKEN(","),
  TOKEN(";"),    TOKEN(" "),     TOKEN("[m]"),        TOKEN("(g)"),      TOKEN("[s]"),
  TOKEN("\0"),   TOKEN("\""),    TOKEN("    -1\n"),   TOKEN("    58\n"), TOKEN("    55\n"),
  TOKEN("15\n"), TOKEN("-1"),    TOKEN("1000000000"), TOKEN("1e308"),    TOKEN("1e-320"),
};

MS_FUZZ_MAIN(fault_of, seeds, tokens)
