/* JSON, streamed: RFC 8259, in UTF-8, two blanks of indentation a level. */
#include "report/internal.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <microslip/io.h>

#include "core/utf8.h"

enum {
  MAX_DEPTH = 64,
  INDENT = 2,
  MESSAGE_SIZE = 256,
  SHOWN = 60, /* bytes of a key that a message shows */
  ROUND_DIGITS = 9
};

typedef struct frame {
  int is_array;
  int filled; /* something was written in it */
} frame;

struct ms_json {
  ms_context *ctx;
  FILE *stream;
  frame frame[MAX_DEPTH];
  int depth;
  int written; /* the document's one value has begun */
  int markup;  /* '<' is escaped */
  ms_status status;
  char message[MESSAGE_SIZE]; /* of the first failure: the context's may be overwritten by others */
};

/* ---- failures ---- */

static void fail(ms_json *json, ms_status status, const char *format, ...) MS_PRINTF(3, 4);

static void fail(ms_json *json, ms_status status, const char *format, ...) {
  if (json->status != MS_SUCCESS) return;
  json->status = status;
  va_list args;
  va_start(args, format);
  vsnprintf(json->message, sizeof json->message, format, args);
  va_end(args);
}

static const char *key_text(const char *key) {
  return key ? key : "(a value without key)";
}

/* ---- text ---- */

/* One ASCII character. */
static void put_ascii(unsigned char c, int markup, FILE *out) {
  static const char special[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
  const char *found = strchr(special, c);
  if (found) {
    fprintf(out, "\\%c", letter[found - special]);
  } else if (c < ' ' || (c == '<' && markup)) {
    fprintf(out, "\\u%04x", (unsigned)c);
  } else {
    fputc(c, out);
  }
}

static void put_text(const char *text, int markup, FILE *out) {
  static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */
  fputc('"', out);
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    int n = ms_utf8_length((const char *)s);
    if (n == 0) {
      fputs(replacement, out);
    } else if (n == 1) {
      put_ascii(*s, markup, out);
    } else {
      fwrite(s, 1, (size_t)n, out);
    }
    s += n > 0 ? n : 1;
  }
  fputc('"', out);
}

/* ---- nesting ---- */

static frame *top_frame(ms_json *json) {
  return json->depth > 0 ? &json->frame[json->depth - 1] : NULL;
}

static void check_place(ms_json *json, const char *key) {
  const frame *top = top_frame(json);
  if (!top && json->written) {
    fail(json, MS_ERR_STATE, "JSON: a second value at the top; a document is one value");
  } else if (key && (!top || top->is_array)) {
    fail(json, MS_ERR_STATE, "JSON: key '%.*s' outside of an object; give no key here", SHOWN, key);
  } else if (!key && top && !top->is_array) {
    fail(json, MS_ERR_STATE, "JSON: a value without key in an object; give it one");
  }
}

static void put_line(ms_json *json) {
  fprintf(json->stream, "\n%*s", INDENT * json->depth, "");
}

/* Everything that stands before a value. 0 if there has been a failure: write nothing. */
static int begin_value(ms_json *json, const char *key) {
  check_place(json, key);
  if (json->status != MS_SUCCESS) return 0;
  frame *top = top_frame(json);
  if (top) {
    if (top->filled) fputc(',', json->stream);
    top->filled = 1;
    put_line(json);
  }
  json->written = 1;
  if (key) {
    put_text(key, json->markup, json->stream);
    fputs(": ", json->stream);
  }
  return 1;
}

static void begin_container(ms_json *json, const char *key, int is_array) {
  if (json->depth == MAX_DEPTH)
    fail(json, MS_ERR_STATE, "JSON: '%.*s' is nested deeper than %d levels; make it flatter", SHOWN,
         key_text(key), MAX_DEPTH);
  if (!begin_value(json, key)) return;
  json->frame[json->depth++] = (frame) { .is_array = is_array };
  fputc(is_array ? '[' : '{', json->stream);
}

void ms_json_begin_object(ms_json *json, const char *key) {
  begin_container(json, key, 0);
}

void ms_json_begin_array(ms_json *json, const char *key) {
  begin_container(json, key, 1);
}

void ms_json_end(ms_json *json) {
  if (json->depth == 0) fail(json, MS_ERR_STATE, "JSON: an end without a begin");
  if (json->status != MS_SUCCESS) return;
  frame closed = json->frame[--json->depth];
  if (closed.filled) put_line(json);
  fputc(closed.is_array ? ']' : '}', json->stream);
}

/* ---- values ---- */

static void put_number(double value, FILE *out) {
  char text[32];
  ms_format_double(value, text);
  fputs(text, out);
}

void ms_json_add_number(ms_json *json, const char *key, double value) {
  if (!isfinite(value))
    fail(json, MS_ERR_NUMERIC, "JSON: '%.*s' is %g; a number must be finite", SHOWN, key_text(key),
         value);
  if (begin_value(json, key)) put_number(value, json->stream);
}

void ms_json_add_integer(ms_json *json, const char *key, long long value) {
  if (begin_value(json, key)) fprintf(json->stream, "%lld", value);
}

void ms_json_add_text(ms_json *json, const char *key, const char *text) {
  if (!text) {
    ms_json_add_null(json, key);
  } else if (begin_value(json, key)) {
    put_text(text, json->markup, json->stream);
  }
}

void ms_json_add_bool(ms_json *json, const char *key, int value) {
  if (begin_value(json, key)) fputs(value ? "true" : "false", json->stream);
}

void ms_json_add_null(ms_json *json, const char *key) {
  if (begin_value(json, key)) fputs("null", json->stream);
}

static void put_rounded(double value, FILE *out) {
  char text[32];
  snprintf(text, sizeof text, "%.*g", ROUND_DIGITS, value);
  char *comma = strchr(text, ','); /* as in ms_format_double */
  if (comma) *comma = '.';
  fputs(text, out);
}

static void add_array(ms_json *json, const char *key, const double *values, ptrdiff_t n,
                      void (*put)(double, FILE *), const char *separator) {
  if (n < 0 || (n > 0 && !values))
    fail(json, MS_ERR_ARGUMENT, "JSON: '%.*s' has no values", SHOWN, key_text(key));
  for (ptrdiff_t i = 0; i < n && json->status == MS_SUCCESS; i++) {
    if (!isfinite(values[i]))
      fail(json, MS_ERR_NUMERIC, "JSON: '%.*s'[%td] is %g; a number must be finite", SHOWN,
           key_text(key), i, values[i]);
  }
  if (!begin_value(json, key)) return;
  fputc('[', json->stream);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (i > 0) fputs(separator, json->stream);
    put(values[i], json->stream);
  }
  fputc(']', json->stream);
}

void ms_json_add_numbers(ms_json *json, const char *key, const double *values, ptrdiff_t n) {
  add_array(json, key, values, n, put_number, ", ");
}

void ms_json_add_rounded(ms_json *json, const char *key, const double *values, ptrdiff_t n) {
  add_array(json, key, values, n, put_rounded, ",");
}

void ms_json_escape_markup(ms_json *json) {
  json->markup = 1;
}

/* ---- life ---- */

ms_status ms_json_create(ms_context *ctx, FILE *stream, ms_json **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_json_create: needs a place for the writer");
  *out = NULL;
  if (!stream) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_json_create: needs an open stream");
  MS_TRY(ms_allocate(ctx, 1, sizeof **out, out));
  (*out)->ctx = ctx;
  (*out)->stream = stream;
  return MS_SUCCESS;
}

static void finish(ms_json *json) {
  if (json->depth > 0)
    fail(json, MS_ERR_STATE, "JSON: closed with %d containers open; end each of them", json->depth);
  if (!json->written) fail(json, MS_ERR_STATE, "JSON: closed without a value; a document is one");
  if (json->status != MS_SUCCESS) return;
  fputc('\n', json->stream);
  if (fflush(json->stream) != 0 || ferror(json->stream))
    fail(json, errno == ENOMEM ? MS_ERR_MEMORY : MS_ERR_DISK, "JSON cannot be written: %s",
         strerror(errno));
}

ms_status ms_json_close(ms_json **json) {
  if (!json || !*json) return MS_ERR_ARGUMENT;
  ms_json *j = *json;
  finish(j);
  ms_status status = j->status;
  if (status != MS_SUCCESS) ms_fail(j->ctx, status, "%s", j->message);
  ms_free(j->ctx, json);
  return status;
}
