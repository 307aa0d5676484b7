/* What columns mean: columns.def, by the name of the column. A row for a kind of analysis, or for
   one of its tables, goes before one for all. */
#include <stdio.h>
#include <string.h>

#include "study/study.h"

typedef struct column_row {
  const char *where, *name, *meaning;
} column_row;

static const column_row rows[] = {
#define COLUMN(where, name, meaning) { where, name, meaning },
#include "study/output/columns.def"
#undef COLUMN
};

/* A row's place may end in "*", for anything. */
static int is_at(const char *row, const char *where) {
  const char *star = strchr(row, '*');
  return star ? strncmp(row, where, (size_t)(star - row)) == 0 : strcmp(row, where) == 0;
}

static const char *find(const char *where, const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].name, name) == 0 && is_at(rows[i].where, where)) return rows[i].meaning;
  }
  return NULL;
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
