/* Lines of Abaqus input files: keywords, parameters, fields of data, included files. */
#include "fem/formats/abaqus.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/internal.h"
#include "io/internal.h"

ms_status ms_abaqus_at(const ms_abaqus *a, ms_abaqus_place place, ms_status status) {
  if (status == MS_SUCCESS) return status;
  return ms_fail_at(a->ctx, status, "%s:%td", a->path[place.file], place.line);
}

int ms_abaqus_is(ms_span text, const char *word) {
  return ms_io_length(text) == strlen(word) && strncasecmp(text.begin, word, strlen(word)) == 0;
}

ms_status ms_abaqus_copy(ms_abaqus *a, ms_span text, char **out) {
  MS_TRY(ms_allocate(a->ctx, (ptrdiff_t)ms_io_length(text) + 1, 1, out));
  memcpy(*out, text.begin, ms_io_length(text));
  ms_reader_clean(*out, ms_io_length(text));
  return MS_SUCCESS;
}

/* ---- files ---- */

static ms_status note_path(ms_abaqus *a, const char *path) {
  MS_TRY(ms_grow(a->ctx, a->n_path + 1, &a->path_capacity, sizeof *a->path, &a->path));
  a->path[a->n_path] = NULL;
  MS_TRY(ms_text_copy(a->ctx, path, &a->path[a->n_path]));
  a->n_path++;
  return MS_SUCCESS;
}

static ms_status open_file(ms_abaqus *a, ms_abaqus_file *f, const char *path) {
  size_t length;
  ms_status status = ms_io_load(a->ctx, path, &f->text, &length);
  if (status != MS_SUCCESS) return ms_abaqus_at(a, a->place, status);
  f->lines.rest = (ms_span) { f->text, f->text + length };
  MS_TRY(ms_io_refuse_nul(a->ctx, path, f->lines.rest));
  return note_path(a, path);
}

ms_status ms_abaqus_include(ms_abaqus *a, ms_span name) {
  char *path;
  if (a->depth == MS_ABAQUS_DEPTH) {
    return MS_ABAQUS_FAIL(a, "files include each other more than %d deep; that must not be",
                          MS_ABAQUS_DEPTH);
  }
  if (ms_io_length(name) == 0) return MS_ABAQUS_FAIL(a, "*%s: needs INPUT=file", a->key);
  /* Names count from the folder of the file they stand in. */
  const char *current = a->path[a->place.file], *slash = strrchr(current, '/');
  size_t folder = slash && *name.begin != '/' ? (size_t)(slash - current) + 1 : 0;
  MS_TRY(ms_allocate(a->ctx, (ptrdiff_t)(folder + ms_io_length(name)) + 1, 1, &path));
  memcpy(path, current, folder);
  memcpy(path + folder, name.begin, ms_io_length(name));
  ms_abaqus_file *f = &a->file[a->depth];
  *f = (ms_abaqus_file) { .path = path };
  a->depth++;
  MS_TRY(open_file(a, f, path));
  return MS_SUCCESS;
}

static void close_file(ms_abaqus *a) {
  a->depth--;
  ms_free(a->ctx, &a->file[a->depth].path);
  ms_free(a->ctx, &a->file[a->depth].text);
}

void ms_abaqus_close(ms_abaqus *a) {
  while (a->depth > 0) close_file(a);
  for (int i = 0; i < a->n_path; i++) ms_free(a->ctx, &a->path[i]);
  ms_free(a->ctx, &a->path);
}

/* The path's index: the last with that name. */
static int index_of(const ms_abaqus *a, const char *path) {
  int i = a->n_path - 1;
  while (i > 0 && strcmp(a->path[i], path) != 0) i--;
  return i;
}

ms_status ms_abaqus_next(ms_abaqus *a, ms_span *line, int *found) {
  *found = 0;
  while (a->depth > 0) {
    ms_abaqus_file *f = &a->file[a->depth - 1];
    while (ms_io_take_line(&f->lines, line)) {
      *line = ms_io_trim(*line);
      if (line->begin == line->end) continue;
      if (line->end - line->begin >= 2 && line->begin[0] == '*' && line->begin[1] == '*') continue;
      a->place = (ms_abaqus_place) { f->path ? index_of(a, f->path) : 0, f->lines.line };
      *found = 1;
      return MS_SUCCESS;
    }
    close_file(a);
  }
  return MS_SUCCESS;
}

/* ---- keywords ---- */

static ms_status append(ms_abaqus *a, ms_span line) {
  size_t used = strlen(a->text), n = ms_io_length(line);
  if (used + n + 1 > sizeof a->text || memchr(line.begin, '\0', n)) {
    return MS_ABAQUS_FAIL(a, "a keyword of more than %d characters; it must be shorter",
                          MS_ABAQUS_LINE_SIZE - 1);
  }
  memcpy(a->text + used, line.begin, n);
  a->text[used + n] = '\0';
  for (char *p = a->text + used; *p; p++) *p = (char)(*p == '\t' ? ' ' : *p);
  ms_reader_clean(a->text + used, n);
  return MS_SUCCESS;
}

ms_status ms_abaqus_take_keyword(ms_abaqus *a, ms_span line) {
  int found = 1;
  a->keyword_place = a->place;
  a->text[0] = '\0';
  MS_TRY(append(a, line));
  while (found && line.end[-1] == ',') {
    MS_TRY(ms_abaqus_next(a, &line, &found));
    if (found) MS_TRY(append(a, line));
  }
  a->place = a->keyword_place;
  a->parameters = (ms_span) { a->text + 1, a->text + strlen(a->text) };
  ms_span name;
  ms_abaqus_field(&a->parameters, &name);
  /* Capitals without blanks: "Solid Section" is SOLIDSECTION. */
  size_t n = 0;
  for (const char *p = name.begin; p < name.end; p++) {
    if (ms_io_is_blank(*p)) continue;
    if (n + 1 == sizeof a->key) return MS_ABAQUS_FAIL(a, "unknown keyword; it is too long");
    a->key[n++] = (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
  }
  a->key[n] = '\0';
  if (n > 0) return MS_SUCCESS;
  return MS_ABAQUS_FAIL(a, "a * without a keyword; write the keyword, or ** for a comment");
}

int ms_abaqus_parameter(const ms_abaqus *a, const char *name, ms_span *value) {
  ms_span rest = a->parameters, field;
  while (ms_abaqus_field(&rest, &field)) {
    const char *equal = memchr(field.begin, '=', ms_io_length(field));
    ms_span key = ms_io_trim((ms_span) { field.begin, equal ? equal : field.end });
    if (!ms_abaqus_is(key, name)) continue;
    *value = ms_io_trim((ms_span) { equal ? equal + 1 : field.end, field.end });
    if (value->end - value->begin >= 2 && *value->begin == '"' && value->end[-1] == '"') {
      value->begin++;
      value->end--;
    }
    return 1;
  }
  *value = (ms_span) { a->text, a->text };
  return 0;
}

ms_status ms_abaqus_want(ms_abaqus *a, const char *name, char **value) {
  ms_span text;
  *value = NULL;
  return ms_abaqus_parameter(a, name, &text) ? ms_abaqus_copy(a, text, value) : MS_SUCCESS;
}

ms_status ms_abaqus_need(ms_abaqus *a, const char *name, char **value) {
  ms_span text;
  *value = NULL;
  if (ms_abaqus_parameter(a, name, &text) && ms_io_length(text) > 0) {
    return ms_abaqus_copy(a, text, value);
  }
  return MS_ABAQUS_FAIL(a, "*%s: needs %s=...", a->key, name);
}

ms_status ms_abaqus_refuse(const ms_abaqus *a, const char *names) {
  ms_span rest = { names, names + strlen(names) }, value;
  while (rest.begin < rest.end) {
    ms_span name = ms_io_take_word(&rest);
    char text[MS_ABAQUS_KEY_SIZE];
    snprintf(text, sizeof text, "%.*s", (int)ms_io_length(name), name.begin);
    for (char *p = text; *p; p++) *p = (char)(*p == '_' ? ' ' : *p);
    if (!ms_abaqus_parameter(a, text, &value)) continue;
    return MS_ABAQUS_FAIL(a, "*%s with %s is not read; write it without", a->key, text);
  }
  return MS_SUCCESS;
}

/* ---- data ---- */

int ms_abaqus_field(ms_span *line, ms_span *field) {
  *field = (ms_span) { line->end, line->end };
  if (line->begin >= line->end) return 0;
  const char *comma = memchr(line->begin, ',', ms_io_length(*line));
  *field = ms_io_trim((ms_span) { line->begin, comma ? comma : line->end });
  line->begin = comma ? comma + 1 : line->end;
  return 1;
}

int ms_abaqus_is_integer(ms_span field, ptrdiff_t *out) {
  const char *p = field.begin;
  return ms_io_scan_integer(&p, field.end, out) && p == field.end;
}

ms_status ms_abaqus_integer(const ms_abaqus *a, ms_span field, const char *what, ptrdiff_t *out) {
  char shown[MS_IO_EXCERPT_SIZE];
  if (ms_abaqus_is_integer(field, out)) return MS_SUCCESS;
  return MS_ABAQUS_FAIL(a, "*%s: '%s' is not a %s; it must be an integer", a->key,
                        ms_io_excerpt(field, shown), what);
}

ms_status ms_abaqus_numbers(const ms_abaqus *a, ms_span line, int n, double *out, int *got) {
  ms_span field;
  int i = 0;
  for (int k = 0; k < n; k++) out[k] = 0.0;
  for (; i < n && ms_abaqus_field(&line, &field); i++) {
    char shown[MS_IO_EXCERPT_SIZE];
    const char *p = field.begin;
    if (field.begin == field.end) continue; /* an empty field is 0 */
    if (ms_io_scan_number(&p, field.end, &out[i]) == MS_SUCCESS && p == field.end) continue;
    return MS_ABAQUS_FAIL(a, "*%s: '%s' must be a finite number", a->key,
                          ms_io_excerpt(field, shown));
  }
  if (got) *got = i;
  return MS_SUCCESS;
}
