/* A results file as text: results_dump FILE lists every dataset with its unit; results_dump FILE
   DATASET prints its values, one in a line; results_dump FILE --digest prints a line for each
   dataset, between tabs: path, unit, number of values and, of numbers, the largest magnitude, the
   first, the last and a sum with the weights 1, 2, 3, 1, 2, 3...; of texts the first and the last.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

static ms_status print_texts(ms_context *ctx, ms_results *file, const char *path) {
  char **texts;
  ptrdiff_t n;
  MS_TRY(ms_results_read_texts(file, path, &n, &texts));
  for (ptrdiff_t i = 0; i < n; i++) puts(texts[i]);
  ms_free(ctx, &texts);
  return MS_SUCCESS;
}

static ms_status print_values(ms_context *ctx, ms_results *file, const char *path) {
  ms_results_kind kind;
  double *values;
  ptrdiff_t rows, columns;
  MS_TRY(ms_results_get_kind(file, path, &kind));
  if (kind == MS_RESULTS_TEXTS) return print_texts(ctx, file, path);
  MS_TRY(ms_results_read_matrix(file, path, &rows, &columns, &values));
  for (ptrdiff_t i = 0; i < rows * columns; i++) {
    char text[32];
    ms_format_double(values[i], text);
    puts(text);
  }
  ms_free(ctx, &values);
  return MS_SUCCESS;
}

static ms_status get_unit(ms_context *ctx, ms_results *file, const char *path, char unit[64]) {
  char *text;
  unit[0] = '\0';
  ms_status status = ms_results_get_text(file, path, "unit", &text);
  if (status != MS_SUCCESS) return status == MS_ERR_NAME ? MS_SUCCESS : status;
  snprintf(unit, 64, "%s", text);
  ms_free(ctx, &text);
  return MS_SUCCESS;
}

static ms_status digest_texts(ms_context *ctx, ms_results *file, const char *path) {
  char **texts;
  ptrdiff_t n;
  MS_TRY(ms_results_read_texts(file, path, &n, &texts));
  for (ptrdiff_t i = 0; i < n; i++) {
    for (char *c = texts[i]; *c != '\0'; c++) *c = *c == '\n' || *c == '\t' ? ' ' : *c;
  }
  printf("%td\t0\t%s\t%s\n", n, n > 0 ? texts[0] : "", n > 0 ? texts[n - 1] : "");
  ms_free(ctx, &texts);
  return MS_SUCCESS;
}

static ms_status digest(ms_context *ctx, ms_results *file, const char *path) {
  ms_results_kind kind;
  double *x, largest = 0, sum = 0;
  ptrdiff_t rows, columns;
  MS_TRY(ms_results_get_kind(file, path, &kind));
  if (kind == MS_RESULTS_TEXTS) return digest_texts(ctx, file, path);
  MS_TRY(ms_results_read_matrix(file, path, &rows, &columns, &x));
  const ptrdiff_t n = rows * columns;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) continue;
    largest = fmax(largest, fabs(x[i]));
    sum += (double)(i % 3 + 1) * x[i];
  }
  printf("%td\t%.12g\t%.12g\t%.12g\t%.12g\n", n, largest, n > 0 ? x[0] : 0, n > 0 ? x[n - 1] : 0,
         sum);
  ms_free(ctx, &x);
  return MS_SUCCESS;
}

static ms_status list(ms_context *ctx, ms_results *file, const char *group, bool digested) {
  ptrdiff_t n;
  MS_TRY(ms_results_get_count(file, group, &n));
  for (ptrdiff_t i = 0; i < n; i++) {
    char *name, path[512];
    ms_results_kind kind;
    MS_TRY(ms_results_get_name(file, group, i, &name));
    snprintf(path, sizeof path, "%s%s%s", group, *group ? "/" : "", name);
    ms_free(ctx, &name);
    MS_TRY(ms_results_get_kind(file, path, &kind));
    if (kind == MS_RESULTS_GROUP) {
      MS_TRY(list(ctx, file, path, digested));
      continue;
    }
    char unit[64];
    MS_TRY(get_unit(ctx, file, path, unit));
    printf(digested ? "%s\t%s\t" : "%s [%s]\n", path, unit);
    if (digested) MS_TRY(digest(ctx, file, path));
  }
  return MS_SUCCESS;
}

int main(int argc, char **argv) {
  ms_context *ctx;
  ms_results *file = NULL;
  if (argc < 2 || ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  ms_status status = ms_results_open(ctx, argv[1], &file);
  if (status == MS_SUCCESS) {
    const bool digested = argc > 2 && strcmp(argv[2], "--digest") == 0;
    status =
        argc > 2 && !digested ? print_values(ctx, file, argv[2]) : list(ctx, file, "", digested);
  }
  if (status != MS_SUCCESS) fprintf(stderr, "results_dump: %s\n", ms_context_message(ctx));
  ms_results_close(&file);
  ms_context_destroy(&ctx);
  return status != MS_SUCCESS;
}
