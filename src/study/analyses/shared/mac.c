#include "study/analyses/shared/mac.h"

#include <stdio.h>

typedef char label[24];

static void name(ptrdiff_t n, const ptrdiff_t *mode, label *text, const char **list) {
  for (ptrdiff_t i = 0; i < n; i++) {
    snprintf(text[i], sizeof text[i], "%td", mode[i] + 1);
    list[i] = text[i];
  }
}

ms_status ms_page_add_mac(ms_page *page, const char *caption, const char *what, ptrdiff_t n_row,
                          const ptrdiff_t *row, ptrdiff_t n_column, const ptrdiff_t *column,
                          const double *mac) {
  label row_text[MS_MAC_MOST], column_text[MS_MAC_MOST];
  const char *rows[MS_MAC_MOST], *columns[MS_MAC_MOST];
  ms_page_column cells[MS_MAC_MOST + 1] = { { .heading = what, .texts = rows } };
  name(n_row, row, row_text, rows);
  name(n_column, column, column_text, columns);
  for (ptrdiff_t j = 0; j < n_column; j++)
    cells[j + 1] =
        (ms_page_column) { .heading = columns[j], .numbers = mac + n_row * j, .digits = 2 };
  return ms_page_add_shaded_table(
      page, caption,
      &(ms_page_table) { .n_row = n_row, .n_column = n_column + 1, .column = cells });
}
