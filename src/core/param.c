#include "core/param.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"

/* ---- by name ---- */

static const char *name_of(const void *list, int i) {
  return ((const ms_param *)list)[i].name;
}

int ms_param_find(const ms_param *list, int n, const char *name) {
  for (int i = 0; i < n; i++) {
    if (strcmp(list[i].name, name) == 0) return i;
  }
  return -1;
}

int ms_param_find_choice(const ms_param *p, const char *word) {
  size_t length = strlen(word);
  const char *choices = p->choices;
  for (int i = 0;; i++) {
    size_t n = strcspn(choices, "|");
    if (n == length && strncmp(choices, word, n) == 0) return i;
    if (choices[n] == '\0') return -1;
    choices += n + 1;
  }
}

/* "F_S, K_T": every name, or those that are required, not given and in no other set. */
static void list_names(const ms_param *list, int n, const unsigned char *given, int set, char *text,
                       size_t size) {
  size_t at = 0;
  text[0] = '\0';
  for (int i = 0; i < n && at < size; i++) {
    int missing = given && !given[i] && list[i].required && (!list[i].set || list[i].set == set);
    if (given && !missing) continue;
    int written = snprintf(text + at, size - at, "%s%s", at ? ", " : "", list[i].name);
    at += written > 0 ? (size_t)written : 0;
  }
}

ms_status ms_param_fail_name(ms_context *ctx, const char *who, const ms_param *list, int n,
                             const char *name, const char *hint) {
  const char *near = ms_text_nearest(name, name_of, list, n);
  char all[320];
  if (near) {
    return ms_fail(ctx, MS_ERR_NAME, "%s has no parameter '%s'; did you mean '%s'?", who, name,
                   near);
  }
  list_names(list, n, NULL, 0, all, sizeof all);
  return ms_fail(ctx, MS_ERR_NAME, "%s has no parameter '%s'; %s%s", who, name,
                 hint ? hint : "there are ", hint ? "" : all);
}

/* ---- values ---- */

/* Of each of its values. */
static int is_whole(const ms_param *p) {
  return p->kind == MS_PARAM_COUNT || p->kind == MS_PARAM_COUNTS;
}

int ms_param_is_within(const ms_param *p, double value) {
  if (!isfinite(value)) return 0;
  if (is_whole(p) && value != floor(value)) return 0;
  return (p->open & 1 ? value > p->lower : value >= p->lower) &&
         (p->open & 2 ? value < p->upper : value <= p->upper);
}

void ms_param_describe_range(const ms_param *p, char *text, size_t size) {
  const int numeric = is_whole(p) || p->kind == MS_PARAM_NUMBER || p->kind == MS_PARAM_NUMBERS ||
                      p->kind == MS_PARAM_PAIR;
  char low[32] = "", high[32] = "";
  if (p->lower > -HUGE_VAL) snprintf(low, sizeof low, "%s %g", p->open & 1 ? ">" : ">=", p->lower);
  if (p->upper < HUGE_VAL) snprintf(high, sizeof high, "%s %g", p->open & 2 ? "<" : "<=", p->upper);
  if (low[0] && p->lower == p->upper) {
    snprintf(low, sizeof low, "= %g", p->lower);
    high[0] = '\0';
  }
  snprintf(text, size, "%s%s%s", numeric ? low : "", numeric && low[0] && high[0] ? " and " : "",
           numeric ? high : "");
}

void ms_param_describe_values(const ms_param *p, char *text, size_t size) {
  const int whole = is_whole(p);
  char range[64];
  ms_param_describe_range(p, range, sizeof range);
  if (range[0]) {
    snprintf(text, size, "%s%s", whole ? "a whole number " : "", range);
  } else {
    snprintf(text, size, "%s", whole ? "a whole number" : "finite");
  }
}

/* "one of a, b" */
static void list_choices(const char *before, const char *choices, char *text, size_t size) {
  size_t at = (size_t)snprintf(text, size, "%s", before);
  for (const char *c = choices; *c && at + 3 < size; c++) {
    text[at++] = *c == '|' ? ',' : *c;
    if (*c == '|') text[at++] = ' ';
  }
  text[at] = '\0';
}

void ms_param_describe_choices(const ms_param *p, char *text, size_t size) {
  list_choices("", p->choices, text, size);
}

void ms_param_describe_kind(const ms_param *p, char *text, size_t size) {
  static const char *const words[] = {
    [MS_PARAM_NUMBER] = "number",
    [MS_PARAM_COUNT] = "whole number",
    [MS_PARAM_CHOICE] = "",
    [MS_PARAM_TABLE] = "table",
    [MS_PARAM_CHOICES] = "",
    [MS_PARAM_FLAG] = "true or false",
    [MS_PARAM_WORD] = "word",
    [MS_PARAM_PATH] = "file",
    [MS_PARAM_NUMBERS] = "number or list of numbers",
    [MS_PARAM_COUNTS] = "whole number or list of them",
    [MS_PARAM_PAIR] = "[lower, upper]",
    [MS_PARAM_MAPPING] = "mapping",
    [MS_PARAM_FORMS] = "",
  };
  if (p->kind == MS_PARAM_CHOICE) {
    list_choices("one of ", p->choices, text, size);
  } else if (p->kind == MS_PARAM_CHOICES) {
    list_choices("list of ", p->choices, text, size);
  } else if (p->count > 0) {
    snprintf(text, size, "%d %s", p->count, is_whole(p) ? "whole numbers" : "numbers");
  } else {
    snprintf(text, size, "%s", p->kind == MS_PARAM_FORMS ? p->forms : words[p->kind]);
  }
}

void ms_param_describe_default(const ms_param *p, char *text, size_t size) {
  if (p->required) {
    snprintf(text, size, "required");
  } else if (p->fallback) {
    snprintf(text, size, "%s", p->fallback);
  } else if (strcmp(p->name, "*") == 0) {
    text[0] = '\0';
  } else if (p->kind == MS_PARAM_NUMBER || p->kind == MS_PARAM_COUNT) {
    snprintf(text, size, "%g", p->typical);
  } else if (p->kind == MS_PARAM_FLAG) {
    snprintf(text, size, "%s", p->typical != 0.0 ? "true" : "false");
  } else if (p->kind == MS_PARAM_CHOICE) {
    snprintf(text, size, "%.*s", (int)strcspn(p->choices, "|"), p->choices);
  } else {
    snprintf(text, size, "%s", p->kind == MS_PARAM_CHOICES ? "all" : "optional");
  }
}

ms_status ms_param_check(ms_context *ctx, const char *who, const ms_param *p, double value) {
  char range[96];
  if (ms_param_is_within(p, value)) return MS_SUCCESS;
  ms_param_describe_values(p, range, sizeof range);
  return ms_fail(ctx, MS_ERR_BOUNDS, "%s: %s = %g is out of bounds: it must be %s%s%s", who,
                 p->name, value, range, p->why ? "; " : "", p->why ? p->why : "");
}

ms_status ms_param_read(ms_context *ctx, const char *who, const ms_param *p, const char *text,
                        double *out) {
  if (p->kind == MS_PARAM_CHOICE) {
    int choice = ms_param_find_choice(p, text);
    *out = choice;
    if (choice >= 0) return MS_SUCCESS;
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: %s = '%s' is none of %s", who, p->name, text,
                   p->choices);
  }
  ms_status status = ms_text_number(text, strlen(text), out);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  return ms_fail(ctx, status, "%s: %s = '%s' is not a %s number; write e.g. %s=%g", who, p->name,
                 text, status == MS_ERR_NUMERIC ? "finite" : "decimal", p->name, p->typical);
}

/* ---- sets ---- */

ms_status ms_param_find_set(ms_context *ctx, const char *who, const ms_param *list, int n,
                            const unsigned char *given, const char *hint, int *set) {
  const ms_param *first = NULL;
  for (int i = 0; i < n; i++) {
    if (!given[i] || list[i].set == 0) continue;
    if (first && first->set != list[i].set) {
      return ms_fail(ctx, MS_ERR_ARGUMENT,
                     "%s: %s and %s belong to different parameter sets; give all of one set%s", who,
                     first->name, list[i].name, hint ? hint : "");
    }
    if (!first) first = &list[i];
  }
  *set = first ? first->set : 1;
  return MS_SUCCESS;
}

ms_status ms_param_check_complete(ms_context *ctx, const char *who, const ms_param *list, int n,
                                  const unsigned char *given, int set) {
  char missing[256];
  list_names(list, n, given, set, missing, sizeof missing);
  return missing[0] ? ms_fail(ctx, MS_ERR_ARGUMENT, "%s: not set: %s", who, missing) : MS_SUCCESS;
}

/* ---- tables ---- */

void ms_param_describe_columns(const ms_param_table *t, char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (int c = 0; c < t->n_column && n < size; c++) {
    int optional = c >= t->n_required;
    int written = snprintf(text + n, size - n, "%s%s%s%s", optional ? "[" : "", c ? ", " : "",
                           t->column[c], optional ? "]" : "");
    n += written > 0 ? (size_t)written : 0;
  }
}

ms_status ms_param_check_table(ms_context *ctx, const char *who, const ms_param_table *t,
                               ptrdiff_t rows, int columns, const double *const *column) {
  char names[128];
  ms_param_describe_columns(t, names, sizeof names);
  if (rows < 1 || columns < t->n_required || columns > t->n_column) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%s: a table has at least one row and the columns %s, not %td rows and %d "
                   "columns",
                   who, names, rows, columns);
  }
  for (int c = 0; c < columns; c++) {
    for (ptrdiff_t row = 0; row < rows; row++) {
      if (isfinite(column[c][row])) continue;
      return ms_fail(ctx, MS_ERR_NUMERIC, "%s: row %td: %s is not finite", who, row + 1,
                     t->column[c]);
    }
  }
  return MS_SUCCESS;
}
