/* Numbers of a Gmsh file: words of a text, or bytes of either order. */
#include "fem/formats/gmsh.h"

#include <math.h>
#include <string.h>

#include "io/text.h"

ms_status ms_gmsh_at(const ms_gmsh_source *s, ms_status status) {
  if (status == MS_SUCCESS) return status;
  if (s->binary) return ms_fail_at(s->ctx, status, "%s:byte %td", s->path, s->p - s->begin);
  return ms_fail_at(s->ctx, status, "%s:%td", s->path, s->line);
}

int ms_gmsh_line(ms_gmsh_source *s, const char **begin, const char **end) {
  ms_lines lines = { { s->p, s->end }, s->n_newline };
  ms_span line;
  if (!ms_io_take_line(&lines, &line)) return 0;
  s->p = lines.rest.begin;
  s->line = s->n_newline = lines.line;
  line = ms_io_trim(line);
  *begin = line.begin;
  *end = line.end;
  return 1;
}

/* ---- text ---- */

static int is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(ms_gmsh_source *s) {
  for (; s->p < s->end && is_space(*s->p); s->p++) s->n_newline += *s->p == '\n';
  s->line = s->n_newline + 1;
}

static ms_status refuse_word(const ms_gmsh_source *s, const char *what) {
  char shown[MS_IO_EXCERPT_SIZE];
  ms_span word = { s->p, s->p };
  while (word.end < s->end && !is_space(*word.end)) word.end++;
  if (word.begin == word.end) {
    return MS_GMSH_FAIL(s, "the file ends inside %s; complete it", s->where);
  }
  return MS_GMSH_FAIL(s, "'%s' in %s; there must be %s", ms_io_excerpt(word, shown), s->where,
                      what);
}

static ms_status read_integer(ms_gmsh_source *s, ptrdiff_t *out) {
  skip_space(s);
  const char *p = s->p;
  int good = ms_io_scan_integer(&p, s->end, out) && (p == s->end || is_space(*p));
  if (!good) return refuse_word(s, "an integer");
  s->p = p;
  return MS_SUCCESS;
}

static ms_status read_number(ms_gmsh_source *s, double *out) {
  skip_space(s);
  const char *p = s->p;
  ms_status status = ms_io_scan_number(&p, s->end, out);
  if (status != MS_SUCCESS || !(p == s->end || is_space(*p))) {
    return refuse_word(s, "a finite number");
  }
  s->p = p;
  return MS_SUCCESS;
}

/* ---- bytes ---- */

static ms_status take_bytes(ms_gmsh_source *s, int n, unsigned char *out) {
  if (s->end - s->p < n) {
    return MS_GMSH_FAIL(s, "the file ends inside %s; complete it", s->where);
  }
  for (int i = 0; i < n; i++) out[s->swapped ? n - 1 - i : i] = (unsigned char)s->p[i];
  s->p += n;
  return MS_SUCCESS;
}

ms_status ms_gmsh_int(ms_gmsh_source *s, ptrdiff_t *out) {
  int32_t value;
  unsigned char bytes[4];
  if (!s->raw) return read_integer(s, out);
  MS_TRY(take_bytes(s, 4, bytes));
  memcpy(&value, bytes, sizeof value);
  *out = value;
  return MS_SUCCESS;
}

ms_status ms_gmsh_size(ms_gmsh_source *s, ptrdiff_t *out) {
  int64_t value;
  unsigned char bytes[8];
  if (!s->raw) return read_integer(s, out);
  MS_TRY(take_bytes(s, 8, bytes));
  memcpy(&value, bytes, sizeof value);
  *out = (ptrdiff_t)value;
  return MS_SUCCESS;
}

ms_status ms_gmsh_double(ms_gmsh_source *s, double *out) {
  unsigned char bytes[8];
  if (!s->raw) return read_number(s, out);
  MS_TRY(take_bytes(s, 8, bytes));
  memcpy(out, bytes, sizeof *out);
  if (isfinite(*out)) return MS_SUCCESS;
  s->p -= 8;
  return MS_GMSH_FAIL(s, "a number in %s is not finite", s->where);
}

ms_status ms_gmsh_count(ms_gmsh_source *s, const char *what, ptrdiff_t *out) {
  MS_TRY(ms_gmsh_size(s, out));
  if (*out >= 0 && *out <= INT32_MAX) return MS_SUCCESS;
  return MS_GMSH_FAIL(s, "%td %s in %s; there must be 0 to %d", *out, what, s->where, INT32_MAX);
}

void ms_gmsh_begin_bytes(ms_gmsh_source *s, int behind_line) {
  if (!s->binary) return;
  while (behind_line && s->p < s->end && *s->p++ != '\n') continue;
  s->raw = 1;
}
