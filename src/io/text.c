/* Pieces of a text in memory. */
#include "io/text.h"

ms_span ms_io_take_word(ms_span *s) {
  s->begin = ms_io_skip_blanks(*s);
  ms_span word = { s->begin, s->begin };
  while (word.end < s->end && !ms_io_is_blank(*word.end)) word.end++;
  s->begin = word.end;
  return word;
}

const char *ms_io_excerpt(ms_span s, char text[MS_IO_EXCERPT_SIZE]) {
  size_t n = ms_io_length(s), cut = n > MS_IO_SHOWN ? MS_IO_SHOWN : n;
  while (cut < n && cut > 0 && ((unsigned char)s.begin[cut] & 0xC0) == 0x80) cut--;
  for (size_t i = 0; i < cut; i++) {
    unsigned char c = (unsigned char)s.begin[i];
    text[i] = c < ' ' || c == 0x7f ? '?' : (char)c;
  }
  memcpy(text + cut, n > cut ? "..." : "", n > cut ? 4 : 1);
  return text;
}

int ms_io_take_line(ms_lines *lines, ms_span *line) {
  ms_span *rest = &lines->rest;
  if (rest->begin == rest->end) return 0;
  const char *newline = memchr(rest->begin, '\n', ms_io_length(*rest));
  line->begin = rest->begin;
  line->end = newline ? newline : rest->end;
  rest->begin = newline ? newline + 1 : rest->end;
  if (line->end > line->begin && line->end[-1] == '\r') line->end--;
  lines->line++;
  return 1;
}

ms_status ms_io_refuse_nul(ms_context *ctx, const char *name, ms_span text) {
  size_t length = ms_io_length(text);
  const char *nul = length > 0 ? memchr(text.begin, '\0', length) : NULL;
  if (!nul) return MS_SUCCESS;
  ptrdiff_t line = 1;
  for (const char *p = text.begin; p < nul; p++) line += *p == '\n';
  return ms_fail(ctx, MS_ERR_FORMAT, "%s:%td: holds a NUL byte; save the file as UTF-8 text", name,
                 line);
}

void ms_io_skip_mark(ms_span *text) {
  static const char mark[] = "\xEF\xBB\xBF";
  size_t n = sizeof mark - 1;
  if (ms_io_length(*text) >= n && memcmp(text->begin, mark, n) == 0) text->begin += n;
}
