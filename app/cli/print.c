/* How commands give what they computed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct json_job {
  cli_json_fn fill;
  const void *job;
} json_job;

static ms_status write_json(ms_context *ctx, const void *user, FILE *stream) {
  const json_job *j = user;
  ms_json *json;
  MS_TRY(ms_json_create(ctx, stream, &json));
  ms_json_begin_object(json, NULL);
  j->fill(json, j->job);
  ms_json_end(json);
  return ms_json_close(&json);
}

ms_status cli_print_json(ms_context *ctx, cli_json_fn fill, const void *job) {
  json_job j = { fill, job };
  char *text;
  size_t length;
  MS_TRY(ms_print_text(ctx, write_json, &j, &text, &length));
  fwrite(text, 1, length, stdout);
  ms_free(ctx, &text);
  return MS_SUCCESS;
}

/* ASCII's, and those from 80 to 9F in UTF-8. */
void cli_print_plain(const char *text, FILE *out) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    int high = c[0] == 0xC2 && c[1] >= 0x80 && c[1] <= 0x9F;
    fputc(high || *c < 0x20 || *c == 0x7F ? '?' : *c, out);
    c += high;
  }
}

void cli_print_wrapped(FILE *out, const char *indent, const char *text, int width) {
  int column = 0;
  for (size_t n; *text; text += n + strspn(text + n, " ")) {
    n = strcspn(text, " ");
    if (column > 0 && column + 1 + (int)n > width) {
      fputc('\n', out);
      column = 0;
    }
    column += fprintf(out, "%s%.*s", column > 0 ? " " : indent, (int)n, text);
  }
  fputc('\n', out);
}

static void add_text(char *text, size_t size, const char *more) {
  const size_t n = strlen(text);
  snprintf(text + n, size - n, "%s", more);
}

void cli_describe_sets(const ms_param *param, int n, char *text, size_t size) {
  int n_set = 0;
  for (int i = 0; i < n; i++) n_set = param[i].set > n_set ? param[i].set : n_set;
  text[0] = '\0';
  for (int set = 1; n_set > 1 && set <= n_set; set++) {
    const char *before = set == 1 ? "either " : "; or ";
    for (int i = 0; i < n; i++) {
      const ms_param *p = &param[i];
      if (p->kind == MS_PARAM_TABLE || !p->required || (p->set && p->set != set)) continue;
      add_text(text, size, before);
      add_text(text, size, p->name);
      before = ", ";
    }
  }
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

void cli_show_log(void *user, ms_log_level level, const char *text) {
  (void)user;
  const int debug = level == MS_LOG_DEBUG && getenv("MICROSLIP_DEBUG");
  if (level == MS_LOG_INFO || debug) fprintf(stderr, "microslip: %s\n", text);
}
