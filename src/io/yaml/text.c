/* The text of a file, and what YAML allows but our files do not have: aliases and merge keys,
   a second document, NUL, bytes that are not UTF-8, over which libfyaml may never end. They are
   refused where they stand; a reader that knows only nodes would take an alias for the name of its
   anchor, and never see what comes behind the first document. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/utf8.h"
#include "io/yaml/yaml.h"

#define PIECE 4096 /* bytes read at a time, and a NUL */

static ms_status refuse_nul(const ms_yaml *y, size_t n) {
  size_t length = strlen(y->text);
  if (length == n) return MS_SUCCESS;
  int line = 1;
  for (const char *c = y->text; (c = strchr(c, '\n')); c++) line++;
  return ms_fail(y->ctx, MS_ERR_FORMAT, "%s:%d: has a NUL byte; a study file is text in UTF-8",
                 y->path, line);
}

static ms_status read_all(ms_yaml *y, FILE *file) {
  size_t n = 0, capacity = 0;
  for (size_t got = 1; got > 0; n += got) {
    if (n + PIECE > capacity) {
      capacity = 2 * capacity + 2 * PIECE;
      MS_TRY(ms_resize(y->ctx, (ptrdiff_t)capacity, 1, &y->text));
    }
    errno = 0;
    got = fread(y->text + n, 1, PIECE - 1, file);
  }
  y->text[n] = '\0';
  if (ferror(file))
    return ms_fail(y->ctx, ms_status_of_errno(errno), "%s: %s", y->path, strerror(errno));
  return refuse_nul(y, n);
}

/* Standard input, which only one process has. */
static ms_status read_input(ms_yaml *y) {
  int size = 0;
  ms_process_rank(&size);
  ms_free(y->ctx, &y->path);
  MS_TRY(ms_text_copy(y->ctx, "standard input", &y->path));
  if (size > 1)
    return ms_fail(y->ctx, MS_ERR_FILE,
                   "several processes cannot read standard input; name a file");
  return read_all(y, stdin);
}

/* The path is the text. */
static ms_status take_path(ms_yaml *y) {
  y->text = y->path;
  y->path = NULL;
  return ms_text_copy(y->ctx, "study", &y->path);
}

ms_status ms_yaml_read_text(ms_yaml *y) {
  if (strchr(y->path, '\n')) return take_path(y);
  if (strcmp(y->path, "-") == 0) return read_input(y);
  FILE *file = fopen(y->path, "rb");
  if (!file) return ms_fail(y->ctx, ms_status_of_errno(errno), "%s: %s", y->path, strerror(errno));
  ms_status status = read_all(y, file);
  fclose(file);
  return status;
}

/* ---- what is refused ---- */

static int is_merge_key(struct fy_event *event) {
  struct fy_token *token = fy_event_get_token(event);
  size_t length;
  const char *text = token ? fy_token_get_text(token, &length) : NULL;
  return text && fy_scalar_token_get_style(token) == FYSS_PLAIN && length == 2 &&
         memcmp(text, "<<", 2) == 0;
}

/* NULL if an event is fine. */
static const char *fault_of(struct fy_event *event, int *documents) {
  if (event->type == FYET_DOCUMENT_START && ++*documents > 1)
    return "a second document begins; a study file has one";
  if (event->type == FYET_ALIAS) return "aliases are not read; write the value itself";
  if (event->type == FYET_SCALAR && is_merge_key(event))
    return "merge keys are not read; write the keys themselves";
  return NULL;
}

/* The mark of an alias is behind its star. */
static void place_of(struct fy_event *event, int *line, int *column) {
  const struct fy_mark *mark = fy_event_start_mark(event);
  *line = mark ? mark->line + 1 : 0;
  *column = mark ? mark->column + (event->type != FYET_ALIAS) : 0;
}

/* Where the text is not UTF-8, or 0. */
static int find_bad_byte(const char *text, int *line, int *column) {
  *line = *column = 1;
  for (int n; *text; text += n) {
    n = ms_utf8_length(text);
    if (n == 0) return 1;
    const int ends = *text == '\n' || (*text == '\r' && text[1] != '\n');
    *line += ends;
    *column = ends ? 1 : *column + 1;
  }
  return 0;
}

/* Errors of the syntax end the events; they are said when the document is built. A document that
   begins without a line of its own stands where its first event does. */
const char *ms_yaml_find_fault(const char *text, struct fy_diag *diag, int *line, int *column) {
  if (find_bad_byte(text, line, column))
    return "a byte that is not UTF-8; save the file in this encoding";
  const struct fy_parse_cfg config = { .flags = FYPCF_QUIET, .diag = diag };
  struct fy_parser *parser = fy_parser_create(&config);
  const char *fault = NULL;
  int documents = 0;
  if (!parser || fy_parser_set_string(parser, text, strlen(text)) != 0) fault = "out of memory";
  *line = *column = 0;
  for (struct fy_event *event; *line == 0 && parser && (event = fy_parser_parse(parser));) {
    if (!fault) fault = fault_of(event, &documents);
    if (fault) place_of(event, line, column);
    fy_parser_event_free(parser, event);
  }
  if (parser) fy_parser_destroy(parser);
  return fault;
}
