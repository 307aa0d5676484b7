/* A table of ms_param as JSON Schema. */
#include "report/json_schema.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* One of them, or a list. */
static void put_one_or_list(ms_json *j, const ms_param *p, const char *type) {
  ms_json_begin_array(j, "anyOf");
  for (int list = 0; list < 2; list++) {
    ms_json_begin_object(j, NULL);
    if (list) {
      ms_schema_put_type(j, "array");
      ms_json_add_integer(j, "minItems", 1);
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

/* Every item is the same, or one of several, whose rows have names such as [record]. */
static void put_array(const ms_schema *s, const ms_param *p) {
  ms_json *j = s->json;
  ms_schema_put_type(j, "array");
  if (!find_free(p->keys)) return;
  ms_json_begin_object(j, "items");
  ms_json_begin_array(j, "anyOf");
  for (int i = 0; i < p->keys->n; i++) {
    ms_json_begin_object(j, NULL);
    put_value(s, &p->keys->param[i]);
    ms_json_end(j);
  }
  ms_json_end(j);
  ms_json_end(j);
}

/* "number, list or mapping": whether one of the forms begins with `word`. */
static int has_form(const char *forms, const char *word) {
  for (const char *at = forms; (at = strstr(at, word)); at++) {
    const int begins = at == forms || !strncmp(at - 2, ", ", 2) ||
                       (at - forms >= 4 && !strncmp(at - 4, " or ", 4));
    if (begins) return 1;
  }
  return 0;
}

static void put_forms(const ms_schema *s, const ms_param *p) {
  static const struct {
    const char *word, *type;
  } form[] = { { "number", "number" }, { "whole number", "integer" }, { "word", "string" },
               { "text", "string" },   { "file", "string" },          { "true", "boolean" },
               { "matrix", "array" },  { "matrix", "string" },        { "list", "array" },
               { "[", "array" },       { "mapping", "object" } };
  ms_json *j = s->json;
  ms_json_begin_array(j, "anyOf");
  for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
    if (!has_form(p->forms, form[i].word)) continue;
    ms_json_begin_object(j, NULL);
    if (!strcmp(form[i].type, "object"))
      put_mapping(s, p);
    else if (!strcmp(form[i].word, "list"))
      put_array(s, p);
    else if (!strcmp(form[i].word, "word"))
      put_word(j);
    else
      ms_schema_put_type(j, form[i].type);
    ms_json_end(j);
  }
  ms_json_end(j);
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
  case MS_PARAM_TABLE: /* columns, rows, a word or {file: ...} */
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
