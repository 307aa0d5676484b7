/* The study file as JSON Schema (2020-12), from the tables that the readers use. It sees names,
   kinds, ranges, choices and keys that are missing; what relates keys to each other or to the
   structure is left to `microslip check`. */
#include <ctype.h>
#include <math.h>
#include <microslip/joint.h>
#include <microslip/report.h>
#include <microslip/response.h>
#include <stdio.h>
#include <string.h>

#include "study/study.h"

static void put_list(ms_json *j, const ms_param_list *list);
static void put_value(ms_json *j, const ms_param *p);

static void put_type(ms_json *j, const char *type) {
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
  put_type(j, type);
  put_range(j, p);
}

static void put_choices(ms_json *j, const char *key, const char *choices) {
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
      put_type(j, "array");
      ms_json_add_integer(j, "minItems", 1);
      ms_json_begin_object(j, "items");
    }
    if (type) put_number(j, p, type);
    if (!type) put_choices(j, "enum", p->choices);
    if (list) ms_json_end(j);
    ms_json_end(j);
  }
  ms_json_end(j);
}

static void put_pair(ms_json *j, const ms_param *p) {
  put_type(j, "array");
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

static void put_mapping(ms_json *j, const ms_param *p) {
  put_type(j, "object");
  if (p->keys) put_list(j, p->keys);
}

/* Every item is the same, or one of several, whose rows have names such as [record]. */
static void put_array(ms_json *j, const ms_param *p) {
  put_type(j, "array");
  if (!find_free(p->keys)) return;
  ms_json_begin_object(j, "items");
  ms_json_begin_array(j, "anyOf");
  for (int i = 0; i < p->keys->n; i++) {
    ms_json_begin_object(j, NULL);
    put_value(j, &p->keys->param[i]);
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

static void put_forms(ms_json *j, const ms_param *p) {
  static const struct {
    const char *word, *type;
  } form[] = { { "number", "number" }, { "whole number", "integer" }, { "word", "string" },
               { "text", "string" },   { "file", "string" },          { "true", "boolean" },
               { "matrix", "array" },  { "matrix", "string" },        { "list", "array" },
               { "[", "array" },       { "mapping", "object" } };
  ms_json_begin_array(j, "anyOf");
  for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
    if (!has_form(p->forms, form[i].word)) continue;
    ms_json_begin_object(j, NULL);
    if (!strcmp(form[i].type, "object"))
      put_mapping(j, p);
    else if (!strcmp(form[i].word, "list"))
      put_array(j, p);
    else if (!strcmp(form[i].word, "word"))
      put_word(j);
    else
      put_type(j, form[i].type);
    ms_json_end(j);
  }
  ms_json_end(j);
}

static void put_value(ms_json *j, const ms_param *p) {
  switch (p->kind) {
  case MS_PARAM_NUMBER:
    put_number(j, p, "number");
    break;
  case MS_PARAM_COUNT:
    put_number(j, p, "integer");
    break;
  case MS_PARAM_CHOICE:
    put_choices(j, "enum", p->choices);
    break;
  case MS_PARAM_CHOICES:
    put_one_or_list(j, p, NULL);
    break;
  case MS_PARAM_FLAG:
    put_type(j, "boolean");
    break;
  case MS_PARAM_WORD:
    put_word(j);
    break;
  case MS_PARAM_PATH:
    put_type(j, "string");
    break;
  case MS_PARAM_NUMBERS:
    put_one_or_list(j, p, "number");
    break;
  case MS_PARAM_COUNTS:
    put_one_or_list(j, p, "integer");
    break;
  case MS_PARAM_PAIR:
    put_pair(j, p);
    break;
  case MS_PARAM_MAPPING:
    put_mapping(j, p);
    break;
  case MS_PARAM_FORMS:
    put_forms(j, p);
    break;
  case MS_PARAM_TABLE: /* columns, rows, a word or {file: ...} */
    break;
  }
}

static void put_param(ms_json *j, const ms_param *p) {
  char otherwise[200], text[900];
  const int has_unit = p->unit && strcmp(p->unit, "-") != 0;
  ms_param_describe_default(p, otherwise, sizeof otherwise);
  snprintf(text, sizeof text, "%s%s%s%s%s%s", p->meaning, has_unit ? " [" : "",
           has_unit ? p->unit : "", has_unit ? "]" : "",
           p->required ? "" : "; default: ", p->required ? "" : otherwise);
  ms_json_begin_object(j, p->name);
  ms_json_add_text(j, "description", text);
  put_value(j, p);
  ms_json_end(j);
}

static void put_needed(ms_json *j, const char *key, const ms_param *param, int n, int set) {
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
  put_needed(j, "required", param, n, 0);
  if (sets == 0) return;
  ms_json_begin_array(j, "anyOf");
  for (int s = 1; s <= sets; s++) {
    ms_json_begin_object(j, NULL);
    put_needed(j, "required", param, n, s);
    ms_json_end(j);
  }
  ms_json_end(j);
}

/* Beside names that the file chooses: whoever has one key has all that are required. */
static void put_together(ms_json *j, const ms_param_list *list) {
  ms_json_begin_object(j, "dependentRequired");
  for (int i = 0; i < list->n; i++) {
    if (!is_free(&list->param[i])) put_needed(j, list->param[i].name, list->param, list->n, 0);
  }
  ms_json_end(j);
}

/* The keywords of a mapping with these keys. */
static void put_list(ms_json *j, const ms_param_list *list) {
  const ms_param *any = find_free(list);
  ms_json_begin_object(j, "properties");
  for (int i = 0; i < list->n; i++) {
    if (!is_free(&list->param[i])) put_param(j, &list->param[i]);
  }
  ms_json_end(j);
  if (any) {
    ms_json_begin_object(j, "additionalProperties");
    put_value(j, any);
    ms_json_end(j);
    put_together(j, list);
  } else {
    put_required(j, list->param, list->n);
    ms_json_add_bool(j, "additionalProperties", 0);
  }
}

/* ---- analyses: a word, or {kind: options} ---- */

static void put_analyses(ms_json *j) {
  ms_analysis_info info;
  ms_json_begin_object(j, "analyses");
  ms_json_add_text(j, "description", "what to compute, in this order");
  put_type(j, "array");
  ms_json_begin_object(j, "items");
  ms_json_begin_array(j, "anyOf");
  ms_json_begin_object(j, NULL);
  ms_json_begin_array(j, "enum");
  for (int i = 0; ms_study_get_kind(i, &info); i++) ms_json_add_text(j, NULL, info.name);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_begin_object(j, NULL);
  put_type(j, "object");
  ms_json_add_integer(j, "minProperties", 1);
  ms_json_add_integer(j, "maxProperties", 1);
  ms_json_begin_object(j, "properties");
  for (int i = 0; ms_study_get_kind(i, &info); i++) {
    ms_json_begin_object(j, info.name);
    ms_json_add_text(j, "description", info.meaning);
    put_type(j, "object");
    put_list(j, &info.keys);
    ms_json_end(j);
  }
  ms_json_end(j);
  ms_json_add_bool(j, "additionalProperties", 0);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_end(j);
}

/* ---- joints and loads: parameters by the law or the kind ---- */

static void put_reference(ms_json *j, const char *key, const char *to) {
  ms_json_begin_object(j, key);
  ms_json_add_text(j, "$ref", to);
  ms_json_end(j);
}

static void put_anything(ms_json *j, const char *key, const char *description) {
  ms_json_begin_object(j, key);
  ms_json_add_text(j, "description", description);
  ms_json_end(j);
}

/* `if` the mapping has this law, `then` it has its parameters beside the keys of a joint. */
static void put_law(ms_json *j, const ms_law_info *law) {
  ms_json_begin_object(j, NULL);
  ms_json_begin_object(j, "if");
  ms_json_begin_object(j, "properties");
  ms_json_begin_object(j, "law");
  ms_json_add_text(j, "const", law->name);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_begin_object(j, "then");
  ms_json_begin_object(j, "properties");
  ms_json_begin_object(j, "law");
  ms_json_end(j);
  put_anything(j, "between", "[from, to]: degrees of freedom or nodes");
  put_anything(j, "normal", "varying normal load: {between, K_n, preload, ...}");
  put_anything(j, "shortening", "end of a beam that moves inwards as it bends");
  for (int i = 0; i < law->n_param; i++) put_param(j, &law->param[i]);
  ms_json_end(j);
  put_required(j, law->param, law->n_param);
  ms_json_add_bool(j, "additionalProperties", 0);
  ms_json_end(j);
  ms_json_end(j);
}

static void put_laws(ms_json *j) {
  ms_json_begin_object(j, "law");
  put_type(j, "object");
  ms_json_begin_array(j, "required");
  ms_json_add_text(j, NULL, "law");
  ms_json_end(j);
  ms_json_begin_object(j, "properties");
  ms_json_begin_object(j, "law");
  ms_json_begin_array(j, "enum");
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    ms_json_add_text(j, NULL, ms_joint_get_law(i)->name);
  }
  ms_json_end(j);
  ms_json_end(j);
  ms_json_end(j);
  ms_json_begin_array(j, "allOf");
  for (int i = 0; i < ms_joint_count_laws(); i++) put_law(j, ms_joint_get_law(i));
  ms_json_end(j);
  ms_json_end(j);
}

/* rigid, free, a law, or laws side by side. */
static void put_direction(ms_json *j) {
  ms_json_begin_object(j, "direction");
  ms_json_begin_array(j, "anyOf");
  ms_json_begin_object(j, NULL);
  put_choices(j, "enum", "rigid|free");
  ms_json_end(j);
  put_reference(j, NULL, "#/$defs/law");
  ms_json_begin_object(j, NULL);
  put_type(j, "array");
  put_reference(j, "items", "#/$defs/law");
  ms_json_end(j);
  ms_json_end(j);
  ms_json_end(j);
}

/* What a joint without `law` has: laws side by side, or directions. */
static void put_joint(ms_json *j) {
  static const char *const directions[] = { "x", "y", "z", "rx", "ry", "rz" };
  ms_json_begin_object(j, "joint");
  put_type(j, "object");
  ms_json_begin_object(j, "if");
  put_choices(j, "required", "law");
  ms_json_end(j);
  put_reference(j, "then", "#/$defs/law");
  ms_json_begin_object(j, "else");
  ms_json_begin_object(j, "properties");
  put_anything(j, "between", "[from, to]: degrees of freedom or nodes");
  put_anything(j, "normal", "varying normal load: {between, K_n, preload, ...}");
  put_anything(j, "shortening", "end of a beam that moves inwards as it bends");
  ms_json_begin_object(j, "laws");
  put_type(j, "array");
  put_reference(j, "items", "#/$defs/law");
  ms_json_end(j);
  for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
    put_reference(j, directions[i], "#/$defs/direction");
  }
  ms_json_end(j);
  ms_json_add_bool(j, "additionalProperties", 0);
  ms_json_end(j);
  ms_json_end(j);
}

static void put_load(ms_json *j) {
  ms_json_begin_object(j, "load");
  put_type(j, "object");
  ms_json_begin_object(j, "properties");
  put_anything(j, "at", "force on a degree of freedom, on several, or on each with a weight");
  put_anything(j, "base",
               "or acceleration of the ground along x, y or z, or of degrees of freedom");
  put_anything(j, "mode", "or a force M phi, with phi the shape of this mode");
  put_anything(j, "shape", "of the mode: stuck or slipped");
  for (int i = 0; i < ms_load_count_kinds(); i++) {
    const ms_load_info *load = ms_load_get_kind(i);
    const ms_param_list list = { load->param, load->n_param };
    ms_json_begin_object(j, load->name);
    ms_json_add_text(j, "description", load->title);
    put_type(j, "object");
    put_list(j, &list);
    ms_json_end(j);
  }
  ms_json_end(j);
  ms_json_add_bool(j, "additionalProperties", 0);
  ms_json_end(j);
}

/* ---- the whole ---- */

/* A mapping of names to what `to` says. */
static void put_named(ms_json *j, const ms_param *p, const char *to) {
  ms_json_begin_object(j, p->name);
  ms_json_add_text(j, "description", p->meaning);
  put_type(j, "object");
  put_reference(j, "additionalProperties", to);
  ms_json_end(j);
}

static void put_top(ms_json *j) {
  const ms_param_list *top = ms_study_get_keys();
  ms_json_begin_object(j, "properties");
  for (int i = 0; i < top->n; i++) {
    const ms_param *p = &top->param[i];
    if (!strcmp(p->name, "joints"))
      put_named(j, p, "#/$defs/joint");
    else if (!strcmp(p->name, "loads"))
      put_named(j, p, "#/$defs/load");
    else if (!strcmp(p->name, "analyses"))
      put_analyses(j);
    else
      put_param(j, p);
  }
  ms_json_end(j);
  put_required(j, top->param, top->n);
  ms_json_add_bool(j, "additionalProperties", 0);
}

ms_status ms_study_write_schema(ms_context *ctx, FILE *stream) {
  ms_json *j;
  MS_TRY(ms_json_create(ctx, stream, &j));
  ms_json_begin_object(j, NULL);
  ms_json_add_text(j, "$schema", "https://json-schema.org/draft/2020-12/schema");
  ms_json_add_text(j, "title", "microslip study");
  put_type(j, "object");
  put_top(j);
  ms_json_begin_object(j, "$defs");
  put_laws(j);
  put_direction(j);
  put_joint(j);
  put_load(j);
  ms_json_end(j);
  ms_json_end(j);
  return ms_json_close(&j);
}
