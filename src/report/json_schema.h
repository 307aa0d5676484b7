/* Tables of ms_param as JSON Schema (2020-12): names, kinds, ranges, choices and keys that are
   missing. */
#ifndef MS_REPORT_JSON_SCHEMA_H
#define MS_REPORT_JSON_SCHEMA_H

#include <microslip/param.h>
#include <microslip/report.h>

typedef struct ms_schema ms_schema;
struct ms_schema {
  ms_json *json;
  /* Writes the keywords of the row's value and returns 1; 0: they follow from the row. May be
     NULL. */
  int (*special)(const ms_schema *schema, const ms_param *row);
};

/* The keywords of a mapping with these keys, into the object that is open. */
void ms_schema_put_keys(const ms_schema *schema, const ms_param_list *keys);
void ms_schema_put_type(ms_json *json, const char *type);
/* "a|b" as the array `key`: ["a", "b"]. */
void ms_schema_put_words(ms_json *json, const char *key, const char *words);
/* {"$ref": to}, as `key` or, where that is NULL, in an array. */
void ms_schema_put_reference(ms_json *json, const char *key, const char *to);
/* The keywords of a list whose items are a name of these rows, or {name: its keys}. */
void ms_schema_put_list_of(const ms_schema *schema, const ms_param_list *rows);
/* The keywords of a mapping whose `key` is one of n names, and which has other keys with each of
   them: then ms_schema_put_variant for every name, and ms_json_end. */
void ms_schema_begin_variants(ms_json *json, const char *key, int n, const char *const *name);
void ms_schema_put_variant(const ms_schema *schema, const char *key, const char *name,
                           const ms_param_list *keys);

/* A study: `keys` of the file, among them joints and loads, each a mapping of names to mappings,
   and analyses. The others are rows whose `keys` are what may stand with the name: options of an
   analysis, parameters of a law or of a load's function of time. */
typedef struct ms_schema_study {
  const char *title;
  ms_param_list keys, analyses, laws, loads;
} ms_schema_study;
/* json_schema_study.c: the whole document. */
ms_status ms_schema_write_study(ms_context *ctx, const ms_schema_study *of, FILE *stream);

#endif
