/* How commands give what they computed. */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

static ms_status write_json(ms_context *ctx, cli_json_fn fill, const void *job, FILE *stream) {
  ms_json *json;
  MS_TRY(ms_json_create(ctx, stream, &json));
  ms_json_begin_object(json, NULL);
  fill(json, job);
  ms_json_end(json);
  return ms_json_close(&json);
}

ms_status cli_print_json(ms_context *ctx, cli_json_fn fill, const void *job) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream) return ms_fail(ctx, MS_ERR_MEMORY, "out of memory for the output");
  ms_status status = write_json(ctx, fill, job, stream);
  if (fclose(stream) != 0 && status == MS_SUCCESS) {
    status = ms_fail(ctx, MS_ERR_MEMORY, "out of memory for the output");
  }
  if (status == MS_SUCCESS) fwrite(text, 1, length, stdout);
  free(text);
  return status;
}

ms_status cli_take_table(ms_table **table, const char *csv) {
  ms_status status = csv ? ms_table_write_csv(*table, csv) : ms_table_print(*table, stdout);
  ms_table_destroy(table);
  return status;
}

void cli_print_written(const char *csv, const char *plot) {
  if (csv || plot) printf("\n");
  if (csv) printf("table: %s\n", csv);
  if (plot) printf("picture: %s\n", plot);
}
