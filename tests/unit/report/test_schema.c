/* A study's tables of keys as JSON Schema: what stands in a joint, a load and an analysis. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_schema.h"
#include "support/check.h"

static const ms_param joint_keys[] = {
  { .name = "law", .kind = MS_PARAM_WORD, .meaning = "name of a law" },
  { .name = "between", .kind = MS_PARAM_FORMS, .forms = "list", .meaning = "two places" },
  { .name = "normal", .kind = MS_PARAM_FORMS, .forms = "mapping", .meaning = "normal load" },
  { .name = "shortening", .kind = MS_PARAM_FLAG, .meaning = "of the beam" },
  { .name = "laws", .kind = MS_PARAM_FORMS, .forms = "list", .meaning = "side by side" },
  { .name = "rz", .kind = MS_PARAM_FORMS, .forms = "word", .meaning = "about z" },
};
static const ms_param_list joint_list = { joint_keys, 6 };
static const ms_param joints_row[] = {
  { .name = "*",
    .kind = MS_PARAM_FORMS,
    .forms = "mapping",
    .keys = &joint_list,
    .meaning = "one" },
};
static const ms_param_list joints_list = { joints_row, 1 };
static const ms_param load_keys[] = {
  { .name = "at", .kind = MS_PARAM_WORD, .meaning = "where" },
};
static const ms_param_list load_list = { load_keys, 1 };
static const ms_param loads_row[] = {
  { .name = "*", .kind = MS_PARAM_FORMS, .forms = "mapping", .keys = &load_list, .meaning = "one" },
};
static const ms_param_list loads_list = { loads_row, 1 };
static const ms_param top_keys[] = {
  { .name = "joints", .kind = MS_PARAM_MAPPING, .keys = &joints_list, .meaning = "joints" },
  { .name = "loads", .kind = MS_PARAM_MAPPING, .keys = &loads_list, .meaning = "loads" },
  { .name = "analyses", .kind = MS_PARAM_FORMS, .forms = "list", .required = 1, .meaning = "what" },
};

static const ms_param number[] = {
  { .name = "K_T", .kind = MS_PARAM_NUMBER, .required = 1, .meaning = "stiffness", .unit = "N/m" },
};
static const ms_param_list numbers = { number, 1 };
static const ms_param laws[] = {
  { .name = "spring", .kind = MS_PARAM_MAPPING, .keys = &numbers, .meaning = "law" },
};
static const ms_param kinds[] = {
  { .name = "step", .kind = MS_PARAM_MAPPING, .keys = &numbers, .meaning = "load" },
};
static const ms_param analyses[] = {
  { .name = "modes", .kind = MS_PARAM_MAPPING, .keys = &numbers, .meaning = "analysis" },
};
static const ms_schema_study study = {
  "test", { top_keys, 3 }, { analyses, 1 }, { laws, 1 }, { kinds, 1 }
};

static ms_status write_study(ms_context *ctx, void *user) {
  char **text = user, *own = NULL;
  size_t size;
  FILE *stream = open_memstream(&own, &size);
  ms_status status = ms_schema_write_study(ctx, &study, stream);
  fclose(stream);
  if (text && status == MS_SUCCESS)
    *text = own;
  else
    free(own);
  return status;
}

static void test_parts(void) {
  char *text = NULL;
  if (!CHECK_OK(write_study(test_context(), &text))) return;
  size_t n = 0;
  for (const char *c = text; *c; c++) { /* laid out or not */
    if (*c != ' ' && *c != '\n') text[n++] = *c;
  }
  text[n] = '\0';
  static const char *const has[] = {
    "\"title\":\"test\"",
    "\"enum\":[\"modes\"]", /* an analysis is a word */
    "\"required\":[\"analyses\"]",
    "\"additionalProperties\":{\"$ref\":\"#/$defs/joint\"}",
    "\"additionalProperties\":{\"$ref\":\"#/$defs/load\"}",
    "\"rz\":{\"description\":\"aboutz\",\"$ref\":\"#/$defs/direction\"}",
    "\"items\":{\"$ref\":\"#/$defs/law\"}",
    "\"law\":{\"enum\":[\"spring\"]}",
    "\"law\":{\"const\":\"spring\"}",
    "\"K_T\":{\"description\":\"stiffness[N/m]\",\"type\":\"number\"",
    "\"enum\":[\"rigid\",\"free\"]",
    "\"step\":{\"description\":\"load\",\"type\":\"object\"",
  };
  for (size_t i = 0; i < sizeof has / sizeof *has; i++) CHECK_HAS(text, has[i]);
  /* a parameter that looks like a name of the file's own is one of the law */
  CHECK_HAS(
      text,
      "\"shortening\":{\"description\":\"ofthebeam;default:false\",\"type\":\"boolean\"},\"K_T\"");
  free(text);
}

static void test_memory_runs_out(void) {
  CHECK(test_allocations(write_study, NULL) > 0);
}

int main(void) {
  TEST(test_parts);
  TEST(test_memory_runs_out);
  return test_finish();
}
