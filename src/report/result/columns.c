/* What columns mean: columns.def, which says which of several rows counts. */
#include <stdio.h>
#include <string.h>

#include "report/result/result.h"

typedef struct column_row {
  const char *where, *name, *meaning;
} column_row;

static const column_row rows[] = {
#define COLUMN(where, name, meaning) { where, name, meaning },
#include "report/result/columns.def"
#undef COLUMN
};

/* A * in the pattern stands for any text. */
static int matches(const char *pattern, const char *text) {
  const char *star = strchr(pattern, '*');
  if (!star) return strcmp(pattern, text) == 0;
  const size_t begin = (size_t)(star - pattern), end = strlen(star + 1), length = strlen(text);
  return length >= begin + end && strncmp(pattern, text, begin) == 0 &&
         strcmp(text + length - end, star + 1) == 0;
}

static const char *find(const char *where, const char *name) {
  const char *meaning = NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const column_row *r = &rows[i];
    if (!matches(r->where, where) || !matches(r->name, name)) continue;
    if (!strchr(r->where, '*') && !strchr(r->name, '*')) return r->meaning;
    if (!meaning) meaning = r->meaning;
  }
  return meaning;
}

const char *ms_column_meaning(const char *kind, const char *ending, const char *name) {
  char table[128];
  snprintf(table, sizeof table, "%s%s", kind, ending ? ending : "_values");
  const char *where[] = { table, kind, "" };
  for (int i = 0; i < 3; i++) {
    const char *meaning = find(where[i], name);
    if (meaning) return meaning;
  }
  return "";
}
