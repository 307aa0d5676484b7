/* A study file as JSON Schema, from the tables that its readers use. What relates keys to each
   other or to the structure is left to whoever reads the study. */
#include <string.h>

#include "core/param.h"
#include "report/json_schema.h"

enum { MAX_ROWS = 64 };

typedef struct study_schema {
  ms_schema base; /* first: what is called back has this */
  const ms_schema_study *of;
} study_schema;

/* The keys of one joint, or one load: behind any name in the list at the top of the file. */
static const ms_param_list *keys_of_each(const ms_schema *s, const char *name) {
  const ms_param_list *top = &((const study_schema *)s)->of->keys;
  return top->param[ms_param_find(top->param, top->n, name)].keys->param[0].keys;
}

/* ---- joints and loads: parameters by the law or the kind ---- */

static int is_direction(const char *name) {
  return strchr("xyz", name[name[0] == 'r']) && !name[1 + (name[0] == 'r')];
}

/* The rows whose value the tables do not describe, in joints and at the top. */
static int put_special(const ms_schema *s, const ms_param *p) {
  const ms_param_list *joint = keys_of_each(s, "joints");
  const int of_joint = p >= joint->param && p < joint->param + joint->n;
  if (p->keys == joint) {
    ms_json_add_text(s->json, "$ref", "#/$defs/joint");
  } else if (p->keys == keys_of_each(s, "loads")) {
    ms_json_add_text(s->json, "$ref", "#/$defs/load");
  } else if (of_joint && is_direction(p->name)) {
    ms_json_add_text(s->json, "$ref", "#/$defs/direction");
  } else if (of_joint && strcmp(p->name, "laws") == 0) {
    ms_schema_put_type(s->json, "array");
    ms_schema_put_reference(s->json, "items", "#/$defs/law");
  } else if (strcmp(p->name, "analyses") == 0) {
    ms_schema_put_list_of(s, &((const study_schema *)s)->of->analyses);
  } else {
    return 0;
  }
  return 1;
}

/* `if` the mapping has this law, `then` it has its parameters beside the keys of a joint. */
static void put_law(const ms_schema *s, const ms_param *law) {
  static const char *const name[] = { "law", "between", "normal", "shortening" };
  const ms_param_list *joint = keys_of_each(s, "joints");
  ms_param row[MAX_ROWS];
  ms_param_list list = { row, 0 };
  for (; list.n < 4; list.n++) {
    row[list.n] = joint->param[ms_param_find(joint->param, joint->n, name[list.n])];
  }
  for (int i = 0; i < law->keys->n && list.n < MAX_ROWS; i++) {
    row[list.n] = law->keys->param[i];
    row[list.n++].offset = 1; /* a name, also in capitals */
  }
  ms_schema_put_variant(s, "law", law->name, &list);
}

static void put_laws(const ms_schema *s, const ms_param_list *laws) {
  const char *name[MAX_ROWS];
  const int n = laws->n < MAX_ROWS ? laws->n : MAX_ROWS;
  for (int i = 0; i < n; i++) name[i] = laws->param[i].name;
  ms_json_begin_object(s->json, "law");
  ms_schema_begin_variants(s->json, "law", n, name);
  for (int i = 0; i < n; i++) put_law(s, &laws->param[i]);
  ms_json_end(s->json);
  ms_json_end(s->json);
}

/* rigid, free, a law, or laws side by side. */
static void put_direction(ms_json *j) {
  ms_json_begin_object(j, "direction");
  ms_json_begin_array(j, "anyOf");
  ms_json_begin_object(j, NULL);
  ms_schema_put_words(j, "enum", "rigid|free");
  ms_json_end(j);
  ms_schema_put_reference(j, NULL, "#/$defs/law");
  ms_json_begin_object(j, NULL);
  ms_schema_put_type(j, "array");
  ms_schema_put_reference(j, "items", "#/$defs/law");
  ms_json_end(j);
  ms_json_end(j);
  ms_json_end(j);
}

/* One law, or what a joint without `law` has: laws side by side, or directions. */
static void put_joint(const ms_schema *s) {
  ms_json *j = s->json;
  ms_json_begin_object(j, "joint");
  ms_schema_put_type(j, "object");
  ms_json_begin_object(j, "if");
  ms_schema_put_words(j, "required", "law");
  ms_json_end(j);
  ms_schema_put_reference(j, "then", "#/$defs/law");
  ms_json_begin_object(j, "else");
  ms_schema_put_keys(s, keys_of_each(s, "joints"));
  ms_json_end(j);
  ms_json_end(j);
}

/* Where it acts, and one of the kinds. */
static void put_load(const ms_schema *s, const ms_param_list *loads) {
  const ms_param_list *place = keys_of_each(s, "loads");
  ms_param row[MAX_ROWS];
  ms_param_list list = { row, place->n };
  memcpy(row, place->param, (size_t)place->n * sizeof *row);
  for (int i = 0; i < loads->n && list.n < MAX_ROWS; i++) row[list.n++] = loads->param[i];
  ms_json_begin_object(s->json, "load");
  ms_schema_put_type(s->json, "object");
  ms_schema_put_keys(s, &list);
  ms_json_end(s->json);
}

/* ---- the whole ---- */

ms_status ms_schema_write_study(ms_context *ctx, const ms_schema_study *of, FILE *stream) {
  study_schema own = { .base = { .special = put_special }, .of = of };
  ms_schema *s = &own.base;
  MS_TRY(ms_json_create(ctx, stream, &s->json));
  ms_json_begin_object(s->json, NULL);
  ms_json_add_text(s->json, "$schema", "https://json-schema.org/draft/2020-12/schema");
  ms_json_add_text(s->json, "title", of->title);
  ms_schema_put_type(s->json, "object");
  ms_schema_put_keys(s, &of->keys);
  ms_json_begin_object(s->json, "$defs");
  put_laws(s, &of->laws);
  put_direction(s->json);
  put_joint(s);
  put_load(s, &of->loads);
  ms_json_end(s->json);
  ms_json_end(s->json);
  return ms_json_close(&s->json);
}
