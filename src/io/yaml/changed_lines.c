/* The lines of a file with other numbers at some of its keys. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/yaml/yaml.h"

/* A number of the file and what shall stand there. */
typedef struct change {
  ms_yaml_span span;
  double value;
} change;

static int by_place(const void *a, const void *b) {
  const change *x = a, *y = b;
  return (x->span.begin > y->span.begin) - (x->span.begin < y->span.begin);
}

/* Text that is appended to; it is large enough for all. */
typedef struct lines {
  char *text;
  size_t used, capacity;
} lines;

static void say(lines *out, const char *format, ...) MS_PRINTF(2, 3);
static void say(lines *out, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(out->text + out->used, out->capacity - out->used, format, args);
  va_end(args);
  out->used += n > 0 ? (size_t)n : 0;
}

/* From the line of the first change to its end; how many changes were in it. */
static ptrdiff_t write_line(lines *out, const char *text, const change *c, ptrdiff_t n) {
  ptrdiff_t at = c->span.begin, k = 0;
  while (at > 0 && text[at - 1] != '\n') at--;
  say(out, "# line %d\n", c->span.line);
  for (; k < n && c[k].span.line == c->span.line; k++) {
    say(out, "%.*s%.9g", (int)(c[k].span.begin - at), text + at, c[k].value);
    at = c[k].span.end;
  }
  say(out, "%.*s\n", (int)strcspn(text + at, "\r\n"), text + at);
  return k;
}

ms_status ms_yaml_write_changes(const ms_yaml *y, ptrdiff_t n_value, const ms_yaml_value *value,
                                char **text) {
  enum { EACH = 320 }; /* a path, a number and the words around them */
  lines out = { .capacity = strlen(y->text) + (size_t)(n_value * EACH) + 1 };
  change *c = NULL;
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(y->ctx, (ptrdiff_t)out.capacity, 1, &out.text));
  ms_status status = ms_allocate(y->ctx, n_value, sizeof *c, &c);
  if (status != MS_SUCCESS) {
    ms_free(y->ctx, &out.text);
    return status;
  }
  for (ptrdiff_t i = 0; i < n_value; i++) {
    c[n].value = value[i].value;
    if (ms_yaml_get_span(y, ms_yaml_find(y, value[i].path), &c[n].span)) {
      n++;
    } else {
      say(&out, "--set %s=%.9g\n", value[i].path, value[i].value);
    }
  }
  qsort(c, (size_t)n, sizeof *c, by_place);
  for (ptrdiff_t k = 0; k < n;) k += write_line(&out, y->text, c + k, n - k);
  ms_free(y->ctx, &c);
  *text = out.text;
  return MS_SUCCESS;
}
