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

#endif
