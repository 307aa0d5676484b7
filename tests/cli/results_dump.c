/* A results file as text: results_dump FILE lists every dataset with its unit and size;
   results_dump FILE DATASET prints its values, one in a line. */
#include <stdio.h>

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

static ms_status print_unit(ms_context *ctx, ms_results *file, const char *path) {
  char *unit;
  ms_status status = ms_results_get_text(file, path, "unit", &unit);
  printf("%s [%s]\n", path, status == MS_SUCCESS ? unit : "");
  if (status == MS_SUCCESS) ms_free(ctx, &unit);
  return status == MS_ERR_NAME ? MS_SUCCESS : status;
}

static ms_status list(ms_context *ctx, ms_results *file, const char *group) {
  ptrdiff_t n;
  MS_TRY(ms_results_get_count(file, group, &n));
  for (ptrdiff_t i = 0; i < n; i++) {
    char *name, path[512];
    ms_results_kind kind;
    MS_TRY(ms_results_get_name(file, group, i, &name));
    snprintf(path, sizeof path, "%s%s%s", group, *group ? "/" : "", name);
    ms_free(ctx, &name);
    MS_TRY(ms_results_get_kind(file, path, &kind));
    MS_TRY(kind == MS_RESULTS_GROUP ? list(ctx, file, path) : print_unit(ctx, file, path));
  }
  return MS_SUCCESS;
}

int main(int argc, char **argv) {
  ms_context *ctx;
  ms_results *file = NULL;
  if (argc < 2 || ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  ms_status status = ms_results_open(ctx, argv[1], &file);
  if (status == MS_SUCCESS) {
    status = argc > 2 ? print_values(ctx, file, argv[2]) : list(ctx, file, "");
  }
  if (status != MS_SUCCESS) fprintf(stderr, "results_dump: %s\n", ms_context_message(ctx));
  ms_results_close(&file);
  ms_context_destroy(&ctx);
  return status != MS_SUCCESS;
}
