/* The lines of the study file with the numbers that were found. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/analyses/update/update.h"

/* A number of the file and what shall stand there. */
typedef struct change {
  ms_yaml_span span;
  double value;
} change;

static int by_place(const void *a, const void *b) {
  const change *x = a, *y = b;
  return (x->span.begin > y->span.begin) - (x->span.begin < y->span.begin);
}

/* Text that is appended to; there is room for all of it. */
typedef struct lines {
  char *text;
  size_t used, room;
} lines;

static void say(lines *out, const char *format, ...) MS_PRINTF(2, 3);
static void say(lines *out, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(out->text + out->used, out->room - out->used, format, args);
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

ms_status ms_update_write_lines(const ms_study *s, const ms_update *u, char **text) {
  enum { EACH = 320 }; /* a path, a number and the words around them */
  change c[MS_UPDATE_PLACES];
  lines out = { .room = strlen(s->yaml.text) + (size_t)(u->n_place * EACH) + 1 };
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(s->ctx, (ptrdiff_t)out.room, 1, &out.text));
  for (ptrdiff_t i = 0; i < u->n_place; i++) {
    const ms_update_place *place = &u->place[i];
    struct fy_node *node = ms_yaml_find(&s->yaml, place->path);
    c[n].value = place->ratio * ms_update_best(u)[place->unknown];
    if (ms_yaml_get_span(&s->yaml, node, &c[n].span)) {
      n++;
    } else {
      say(&out, "--set %s=%.9g\n", place->path, c[n].value);
    }
  }
  qsort(c, (size_t)n, sizeof *c, by_place);
  for (ptrdiff_t k = 0; k < n;) k += write_line(&out, s->yaml.text, c + k, n - k);
  *text = out.text;
  return MS_SUCCESS;
}
