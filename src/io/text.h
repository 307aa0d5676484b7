/* Pieces of a text in memory, for the readers of this room. */
#ifndef MS_IO_TEXT_H
#define MS_IO_TEXT_H

#include <stddef.h>
#include <string.h>

#include <microslip/context.h>

#define MS_IO_SHOWN        40 /* bytes of the user's text that a message shows */
#define MS_IO_EXCERPT_SIZE (MS_IO_SHOWN + 4)

typedef struct ms_span {
  const char *begin, *end;
} ms_span;

/* A text that is read line by line. */
typedef struct ms_lines {
  ms_span rest;   /* not yet read */
  ptrdiff_t line; /* the line read last, 1-based */
} ms_lines;

static inline int ms_io_is_blank(char c) {
  return c == ' ' || c == '\t';
}

static inline size_t ms_io_length(ms_span s) {
  return (size_t)(s.end - s.begin);
}

/* Without the blanks around it. */
static inline ms_span ms_io_trim(ms_span s) {
  while (s.begin < s.end && ms_io_is_blank(*s.begin)) s.begin++;
  while (s.begin < s.end && ms_io_is_blank(s.end[-1])) s.end--;
  return s;
}

static inline const char *ms_io_skip_blanks(ms_span s) {
  while (s.begin < s.end && ms_io_is_blank(*s.begin)) s.begin++;
  return s.begin;
}

/* Takes the next word off the front of s: a run without blanks; empty when there is none left. */
ms_span ms_io_take_word(ms_span *s);

/* What a message shows of the user's text: one line, not too long, no character cut in two. */
const char *ms_io_excerpt(ms_span s, char text[MS_IO_EXCERPT_SIZE]);

/* The next line without its LF or CRLF; 0 when there is none left. */
int ms_io_take_line(ms_lines *lines, ms_span *line);

/* Text with a NUL is another kind of file, most often UTF-16: refused with its line. */
ms_status ms_io_refuse_nul(ms_context *ctx, const char *name, ms_span text);

/* Moves past the byte order mark that some editors put before UTF-8. */
void ms_io_skip_mark(ms_span *text);

/* ---- numbers ---- */

/* The decimal number that begins at *cursor, correctly rounded; *cursor moves behind it. Fortran's
   forms are understood: an exponent with D for E, or with neither when it has three digits
   (0.25-100). MS_ERR_FORMAT if none begins there, MS_ERR_NUMERIC (with *cursor behind it) if it is
   not finite; no message. What may stand behind a number is for the caller to say. */
ms_status ms_io_scan_number(const char **cursor, const char *end, double *out);

/* The integer (digits, perhaps a sign) that begins at *cursor; *cursor moves behind it. 0 if none
   begins there or it is beyond ptrdiff_t. */
int ms_io_scan_integer(const char **cursor, const char *end, ptrdiff_t *out);

/* As ms_text_number, which it asks about whatever it cannot decide itself, and much faster. */
ms_status ms_io_number(ms_span text, double *out);

#endif
