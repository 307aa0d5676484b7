/* The study file as JSON Schema: its tables of keys, with those of analyses, laws and loads. */
#include <microslip/joint.h>
#include <microslip/response.h>

#include "report/json_schema.h"
#include "study/study.h"

enum { MAX_ROWS = 64 };

/* Rows whose values are mappings. */
typedef struct rows {
  ms_param row[MAX_ROWS];
  ms_param_list keys[MAX_ROWS];
  int n;
} rows;

static void add(rows *to, const char *name, const char *meaning, const ms_param *param, int n) {
  if (to->n == MAX_ROWS) return;
  ms_param_list *keys = &to->keys[to->n];
  *keys = (ms_param_list) { param, n };
  to->row[to->n++] =
      (ms_param) { .name = name, .meaning = meaning, .kind = MS_PARAM_MAPPING, .keys = keys };
}

ms_status ms_study_write_schema(ms_context *ctx, FILE *stream) {
  rows analyses = { .n = 0 }, laws = { .n = 0 }, loads = { .n = 0 };
  ms_param(*key)[MS_LOAD_MAX_KEYS]; /* of each load */
  ms_analysis_info info;
  MS_TRY(ms_allocate(ctx, ms_load_count_kinds(), sizeof *key, &key));
  for (int i = 0; ms_study_get_kind(i, &info); i++)
    add(&analyses, info.name, info.meaning, info.keys.param, info.keys.n);
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    const ms_law_info *law = ms_joint_get_law(i);
    add(&laws, law->name, law->name, law->param, law->n_param);
  }
  for (int i = 0; i < ms_load_count_kinds(); i++) {
    const ms_load_info *load = ms_load_get_kind(i);
    add(&loads, load->name, load->title, key[i], ms_load_list_keys(load, key[i]));
  }
  const ms_schema_study of = { .title = "microslip study",
                               .keys = *ms_study_get_keys(),
                               .analyses = { analyses.row, analyses.n },
                               .laws = { laws.row, laws.n },
                               .loads = { loads.row, loads.n } };
  const ms_status status = ms_schema_write_study(ctx, &of, stream);
  ms_free(ctx, &key);
  return status;
}
