/* Rows of a table: cells between separators, and the numbers in them. */
#include "io/measured/measured.h"

int ms_cell_take(ms_span *row, char separator, ms_span *cell) {
  if (!row->begin) return 0;
  if (separator == MS_CELL_BLANK) {
    *row = ms_io_trim(*row);
    if (row->begin == row->end) return 0;
  }
  const char *p = row->begin;
  char closing = '\0';
  for (; p < row->end; p++) {
    if (closing) {
      if (*p == closing) closing = '\0';
    } else if (*p == '"') {
      closing = '"';
    } else if (separator == MS_CELL_BLANK && (*p == '[' || *p == '(')) {
      closing = *p == '[' ? ']' : ')';
    } else if (separator == MS_CELL_BLANK && ms_io_is_blank(*p)) {
      const char *next = ms_io_skip_blanks((ms_span) { p, row->end });
      if (next == row->end || (*next != '[' && *next != '(')) break;
      p = next - 1; /* "u [m]" is one heading */
    } else if (*p == separator && separator != MS_CELL_BLANK) {
      break;
    }
  }
  *cell = ms_io_trim((ms_span) { row->begin, p });
  row->begin = p < row->end ? p + 1 : NULL;
  const ptrdiff_t n = cell->end - cell->begin;
  if (n >= 2 && *cell->begin == '"' && cell->end[-1] == '"')
    *cell = ms_io_trim((ms_span) { cell->begin + 1, cell->end - 1 });
  return 1;
}

ptrdiff_t ms_cell_count(ms_span row, char separator) {
  ptrdiff_t n = 0;
  for (ms_span cell; ms_cell_take(&row, separator, &cell);) n++;
  return n;
}

enum { LONGEST = 64 };

ms_status ms_cell_number(ms_span cell, int comma, double *out, char *used) {
  char text[LONGEST];
  const size_t n = ms_io_length(cell);
  const char *const mark = n > 0 ? memchr(cell.begin, ',', n) : NULL;
  *used = n > 0 && memchr(cell.begin, '.', n) ? '.' : '\0';
  if (!mark) return ms_io_number(cell, out);
  if (!comma || *used || n >= LONGEST) return MS_ERR_FORMAT;
  memcpy(text, cell.begin, n);
  text[mark - cell.begin] = '.';
  *used = ',';
  return ms_io_number((ms_span) { text, text + n }, out);
}
