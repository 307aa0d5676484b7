/* Writes a page with many figures, for the test of its speed: page_many FILE FIGURES POINTS. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <microslip/report.h>

static ms_status add_figure(ms_context *ctx, ms_page *page, int number, int n, double *x) {
  double *y = x + n;
  ms_figure *figure;
  char title[32];
  snprintf(title, sizeof title, "Figure %d", number);
  for (int i = 0; i < n; i++) {
    x[i] = 1e-3 * i * (1.0 + 1e-4 * i);
    y[i] = exp(-2.0 * x[i]) * sin(40.0 * x[i] + number) + 0.01 * sin(977.0 * x[i]);
  }
  MS_TRY(ms_figure_create(ctx, title, NULL, &figure));
  const ms_panel panel = { NULL, "t", "s", "u_2", "m" };
  const ms_series series = { "u_2", x, y, n, MS_SERIES_LINE_POINTS, number % MS_PALETTE_SIZE };
  ms_status status = ms_figure_add_panel(figure, &panel);
  if (status == MS_SUCCESS) status = ms_figure_add_series(figure, &series);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, "One of many.", figure);
  ms_figure_destroy(&figure);
  return status;
}

int main(int argc, char **argv) {
  ms_context *ctx = NULL;
  ms_page *page = NULL;
  if (argc != 4 || ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  const int figures = atoi(argv[2]), points = atoi(argv[3]);
  double *x = calloc((size_t)points, 2 * sizeof *x);
  ms_status status = x ? ms_page_create(ctx, "Many figures", NULL, &page) : MS_ERR_MEMORY;
  for (int i = 1; i <= figures && status == MS_SUCCESS; i++)
    status = add_figure(ctx, page, i, points, x);
  if (status == MS_SUCCESS) status = ms_page_write(page, argv[1]);
  if (status != MS_SUCCESS) fprintf(stderr, "page_many: %s\n", ms_context_message(ctx));
  free(x);
  ms_page_destroy(&page);
  ms_context_destroy(&ctx);
  return status == MS_SUCCESS ? 0 : 1;
}
