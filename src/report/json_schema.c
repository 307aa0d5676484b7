/* A table of ms_param as JSON Schema. */
#include "report/json_schema.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMN = 8 };

static void put_value(const ms_schema *s, const ms_param *p);

void ms_schema_put_type(ms_json *j, const char *type) {
  ms_json_add_text(j, "type", type);
}

/* Names of coordinates and channels may look like numbers. */
static void put_word(ms_json *j) {
  ms_json_begin_array(j, "type");
  ms_json_add_text(j, NULL, "string");
  ms_json_add_text(j, NULL, "number");
  ms_json_end(j);
}

/* Whether a bound in SI is one in any units. */
static int is_plain(const ms_param *p, double bound) {
  static const char *const fixed[] = { "-", "Hz", "rad/s", "rad" };
  if (!isfinite(bound)) return 0;
  if (bound == 0.0 || !p->unit) return 1;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
    if (!strcmp(p->unit, fixed[i])) return 1;
  }
  return 0;
}

static void put_range(ms_json *j, const ms_param *p) {
  if (is_plain(p, p->lower)) {
    ms_json_add_number(j, p->open & 1 ? "exclusiveMinimum" : "minimum", p->lower);
  }
  if (is_plain(p, p->upper)) {
    ms_json_add_number(j, p->open & 2 ? "exclusiveMaximum" : "maximum", p->upper);
  }
}

static void put_number(ms_json *j, const ms_param *p, const char *type) {
  ms_schema_put_type(j, type);
  put_range(j, p);
}

void ms_schema_put_words(ms_json *j, const char *key, const char *choices) {
  ms_json_begin_array(j, key);
  for (const char *c = choices; *c;) {
    char word[80];
    size_t n = strcspn(c, "|");
    snprintf(word, sizeof word, "%.*s", (int)n, c);
    ms_json_add_text(j, NULL, word);
    c += n + (c[n] == '|');
  }
  ms_json_end(j);
}

/* One of them, or a list; of a certain number only that. */
static void put_one_or_list(ms_json *j, const ms_param *p, const char *type) {
  ms_json_begin_array(j, "anyOf");
  for (int list = p->count > 1; list < 2; list++) {
    ms_json_begin_object(j, NULL);
    if (list) {
      ms_schema_put_type(j, "array");
      ms_json_add_integer(j, "minItems", p->count > 1 ? p->count : 1);
      if (p->count > 0) ms_json_add_integer(j, "maxItems", p->count);
      ms_json_begin_object(j, "items");
    }
    if (type) put_number(j, p, type);
    if (!type) ms_schema_put_words(j, "enum", p->choices);
    if (list) ms_json_end(j);
    ms_json_end(j);
  }
  ms_json_end(j);
}

static void put_pair(ms_json *j, const ms_param *p) {
  ms_schema_put_type(j, "array");
  ms_json_add_integer(j, "minItems", 2);
  ms_json_add_integer(j, "maxItems", 2);
  ms_json_begin_object(j, "items");
  put_number(j, p, "number");
  ms_json_end(j);
}

/* A row whose name stands for names that the file chooses, or for every item of a list. */
static int is_free(const ms_param *p) {
  const unsigned char c = (unsigned char)p->name[0];
  return p->offset == 0 && (c == '*' || c == '[' || isupper(c));
}

static const ms_param *find_free(const ms_param_list *list) {
  for (int i = 0; list && i < list->n; i++) {
    if (is_free(&list->param[i])) return &list->param[i];
  }
  return NULL;
}

static void put_mapping(const ms_schema *s, const ms_param *p) {
  ms_schema_put_type(s->json, "object");
  if (p->keys) ms_schema_put_keys(s, p->keys);
}

/* ---- values of several forms ---- */

static int begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Several kinds of items, whose rows have names such as [record]. */
static void put_any(const ms_schema *s, const ms_param_list *kinds) {
  ms_json_begin_array(s->json, "anyOf");
  for (int i = 0; i < kinds->n; i++) {
    ms_json_begin_object(s->json, NULL);
    put_value(s, &kinds->param[i]);
    ms_json_end(s->json);
  }
  ms_json_end(s->json);
}

/* Every item is the same, or one of several; else those of a list of mappings, words or numbers. */
static void put_items(const ms_schema *s, const ms_param *p, const char *what) {
  ms_json *j = s->json;
  ms_json_begin_object(j, "items");
  if (find_free(p->keys)) {
    put_any(s, p->keys);
  } else if (begins(what, "mappings")) {
    put_mapping(s, p);
  } else if (begins(what, "words")) {
    put_word(j);
  } else if (begins(what, "numbers")) {
    ms_schema_put_type(j, "number");
  } else if (begins(what, "lists of numbers")) {
    ms_schema_put_type(j, "array");
    put_items(s, &(ms_param) { .name = "" }, "numbers");
  } else if (begins(what, "them")) {
    ms_schema_put_type(j, "integer");
  }
  ms_json_end(j);
}

/* "list", "list of words", "list of 2 numbers", "[lowest, highest]" */
static void put_array(const ms_schema *s, const ms_param *p, const char *form) {
  const int both = form[0] == '[';
  const char *what = both ? "numbers" : strncmp(form, "list of ", 8) == 0 ? form + 8 : "";
  long count = both ? 2 : 0;
  if (isdigit((unsigned char)*what)) {
    char *end;
    count = strtol(what, &end, 10);
    what = end + 1;
  }
  ms_schema_put_type(s->json, "array");
  if (count > 0) ms_json_add_integer(s->json, "minItems", count);
  if (count > 0) ms_json_add_integer(s->json, "maxItems", count);
  put_items(s, p, what);
}

/* Any word that is not listed stands for itself. */
static void put_form(const ms_schema *s, const ms_param *p, const char *form) {
  ms_json *j = s->json;
  if (begins(form, "number")) {
    ms_schema_put_type(j, "number");
  } else if (begins(form, "whole number")) {
    const char *least = strstr(form, ">= ");
    ms_schema_put_type(j, "integer");
    if (least) ms_json_add_number(j, "minimum", strtod(least + 3, NULL));
  } else if (begins(form, "word")) {
    put_word(j);
  } else if (begins(form, "text") || begins(form, "file")) {
    ms_schema_put_type(j, "string");
  } else if (begins(form, "list") || form[0] == '[') {
    put_array(s, p, form);
  } else if (begins(form, "mapping of numbers")) {
    ms_schema_put_type(j, "object");
    ms_json_begin_object(j, "additionalProperties");
    ms_schema_put_type(j, "number");
    ms_json_end(j);
  } else if (begins(form, "mapping") && p->keys && p->keys->param[0].name[0] == '[') {
    put_any(s, p->keys);
  } else if (begins(form, "mapping")) {
    put_mapping(s, p);
  } else if (begins(form, "true") || begins(form, "false")) {
    ms_json_add_bool(j, "const", form[0] == 't');
  } else {
    ms_json_add_text(j, "const", form);
  }
}

/* "number, list or mapping": each of the forms. */
static void put_forms(const ms_schema *s, const ms_param *p) {
  static const char *const between[] = { ", or ", ", ", " or " };
  ms_json *j = s->json;
  ms_json_begin_array(j, "anyOf");
  for (const char *at = p->forms; *at;) {
    char form[80];
    size_t n = 0, skip = 0;
    for (int inside = 0; at[n] && !skip; n += !skip) {
      inside += (at[n] == '[') - (at[n] == ']');
      for (int k = 0; k < 3 && !inside && !skip; k++) {
        if (begins(at + n, between[k])) skip = strlen(between[k]);
      }
    }
    snprintf(form, sizeof form, "%.*s", (int)n, at);
    ms_json_begin_object(j, NULL);
    put_form(s, p, form);
    ms_json_end(j);
    at += n + skip;
  }
  ms_json_end(j);
}

/* Columns as lists, or a file. */
static void put_table(const ms_schema *s, const ms_param_table *t) {
  ms_param row[MAX_COLUMN + 1];
  const int n = t->n_column < MAX_COLUMN ? t->n_column : MAX_COLUMN;
  for (int c = 0; c < n; c++) {
    row[c] = (ms_param) { .name = t->column[c],
                          .meaning = "a column",
                          .unit = t->unit[c],
                          .kind = MS_PARAM_NUMBERS,
                          .lower = -HUGE_VAL,
                          .upper = HUGE_VAL,
                          .required = c < t->n_required,
                          .set = c < t->n_required,
                          .offset = 1 };
  }
  row[n] = (ms_param) {
    .name = "file", .meaning = "a table with them", .kind = MS_PARAM_PATH, .required = 1, .set = 2
  };
  ms_schema_put_type(s->json, "object");
  ms_schema_put_keys(s, &(ms_param_list) { row, n + 1 });
}

static void put_value(const ms_schema *s, const ms_param *p) {
  static const char *const type[] = {
    [MS_PARAM_NUMBER] = "number",  [MS_PARAM_COUNT] = "integer", [MS_PARAM_FLAG] = "boolean",
    [MS_PARAM_PATH] = "string",    [MS_PARAM_CHOICES] = NULL,    [MS_PARAM_NUMBERS] = "number",
    [MS_PARAM_COUNTS] = "integer",
  };
  ms_json *j = s->json;
  if (s->special && s->special(s, p)) return;
  switch (p->kind) {
  case MS_PARAM_NUMBER:
  case MS_PARAM_COUNT:
    put_number(j, p, type[p->kind]);
    break;
  case MS_PARAM_CHOICE:
    ms_schema_put_words(j, "enum", p->choices);
    break;
  case MS_PARAM_CHOICES:
  case MS_PARAM_NUMBERS:
  case MS_PARAM_COUNTS:
    put_one_or_list(j, p, type[p->kind]);
    break;
  case MS_PARAM_FLAG:
  case MS_PARAM_PATH:
    ms_schema_put_type(j, type[p->kind]);
    break;
  case MS_PARAM_WORD:
    put_word(j);
    break;
  case MS_PARAM_PAIR:
    put_pair(j, p);
    break;
  case MS_PARAM_MAPPING:
    put_mapping(s, p);
    break;
  case MS_PARAM_FORMS:
    put_forms(s, p);
    break;
  case MS_PARAM_TABLE:
    put_table(s, p->table);
    break;
  }
}

static void put_param(const ms_schema *s, const ms_param *p) {
  char otherwise[200], text[900];
  const int has_unit = p->unit && strcmp(p->unit, "-") != 0;
  ms_param_describe_default(p, otherwise, sizeof otherwise);
  const int has_default = !p->required && strcmp(otherwise, "optional") != 0;
  snprintf(text, sizeof text, "%s%s%s%s%s%s", p->meaning, has_unit ? " [" : "",
           has_unit ? p->unit : "", has_unit ? "]" : "", has_default ? "; default: " : "",
           has_default ? otherwise : "");
  ms_json_begin_object(s->json, p->name);
  ms_json_add_text(s->json, "description", text);
  put_value(s, p);
  ms_json_end(s->json);
}

static void put_required_of(ms_json *j, const char *key, const ms_param *param, int n, int set) {
  ms_json_begin_array(j, key);
  for (int i = 0; i < n; i++) {
    if (param[i].required && param[i].set == set) ms_json_add_text(j, NULL, param[i].name);
  }
  ms_json_end(j);
}

/* A law or load may have one of several sets of parameters. */
static void put_required(ms_json *j, const ms_param *param, int n) {
  int sets = 0;
  for (int i = 0; i < n; i++) {
    if (param[i].set > sets) sets = param[i].set;
  }
  put_required_of(j, "required", param, n, 0);
  if (sets == 0) return;
  ms_json_begin_array(j, "anyOf");
  for (int s = 1; s <= sets; s++) {
    ms_json_begin_object(j, NULL);
    put_required_of(j, "required", param, n, s);
    ms_json_end(j);
  }
  ms_json_end(j);
}

/* Beside names that the file chooses: whoever has one key has all that are required. */
static void put_together(ms_json *j, const ms_param_list *list) {
  ms_json_begin_object(j, "dependentRequired");
  for (int i = 0; i < list->n; i++) {
    if (!is_free(&list->param[i])) put_required_of(j, list->param[i].name, list->param, list->n, 0);
  }
  ms_json_end(j);
}

void ms_schema_put_keys(const ms_schema *s, const ms_param_list *list) {
  ms_json *j = s->json;
  const ms_param *any = find_free(list);
  ms_json_begin_object(j, "properties");
  for (int i = 0; i < list->n; i++) {
    if (!is_free(&list->param[i])) put_param(s, &list->param[i]);
  }
  ms_json_end(j);
  if (any) {
    ms_json_begin_object(j, "additionalProperties");
    put_value(s, any);
    ms_json_end(j);
    put_together(j, list);
  } else {
    put_required(j, list->param, list->n);
    ms_json_add_bool(j, "additionalProperties", 0);
  }
}

/* ---- several mappings ---- */

void ms_schema_put_reference(ms_json *j, const char *key, const char *to) {
  ms_json_begin_object(j, key);
  ms_json_add_text(j, "$ref", to);
  ms_json_end(j);
}

void ms_schema_put_list_of(const ms_schema *s, const ms_param_list *list) {
  ms_json *j = s->json;
  ms_schema_put_type(j, "array");
  ms_json_begin_object(j, "items");
  ms_json_begin_array(j, "anyOf");
  ms_json_begin_object(j, NULL);
  ms_json_begin_array(j, "enum");
  for (int i = 0; i < list->n; i++) ms_json_add_text(j, NULL, list->param[i].name);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_begin_object(j, NULL);
  ms_schema_put_type(j, "object");
  ms_json_add_integer(j, "minProperties", 1);
  ms_json_add_integer(j, "maxProperties", 1);
  ms_schema_put_keys(s, list);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_end(j);
}

void ms_schema_begin_variants(ms_json *j, const char *key, int n, const char *const *name) {
  ms_schema_put_type(j, "object");
  ms_schema_put_words(j, "required", key);
  ms_json_begin_object(j, "properties");
  ms_json_begin_object(j, key);
  ms_json_begin_array(j, "enum");
  for (int i = 0; i < n; i++) ms_json_add_text(j, NULL, name[i]);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_begin_array(j, "allOf");
}

/* `if` the mapping has this name, `then` it has these keys. */
void ms_schema_put_variant(const ms_schema *s, const char *key, const char *name,
                           const ms_param_list *keys) {
  ms_json *j = s->json;
  ms_json_begin_object(j, NULL);
  ms_json_begin_object(j, "if");
  ms_json_begin_object(j, "properties");
  ms_json_begin_object(j, key);
  ms_json_add_text(j, "const", name);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_begin_object(j, "then");
  ms_schema_put_keys(s, keys);
  ms_json_end(j);
  ms_json_end(j);
}
