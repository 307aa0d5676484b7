/* Remarks of a result: what is worth knowing, what is doubtful, what is missing. The worst of them
   is its outcome. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "report/page.h"
#include "report/result/result.h"

const char *ms_outcome_text(ms_outcome outcome) {
  static const char *const text[] = {
    [MS_OUTCOME_NONE] = "not run",    [MS_OUTCOME_COMPLETE] = "complete",
    [MS_OUTCOME_SUSPECT] = "suspect", [MS_OUTCOME_PARTIAL] = "partial",
    [MS_OUTCOME_SKIPPED] = "skipped", [MS_OUTCOME_FAILED] = "failed",
  };
  return text[outcome];
}

enum { REMARK_SIZE = 600 };

MS_PRINTF(3, 0)
static ms_status add_remark(ms_result *r, ms_outcome severity, const char *format, va_list args) {
  char text[REMARK_SIZE];
  const int n = vsnprintf(text, sizeof text, format, args);
  if (n >= REMARK_SIZE) memcpy(text + REMARK_SIZE - 4, "...", 4);
  for (int i = 0; i < r->n_remark; i++) {
    if (strcmp(r->remark[i].text, text) != 0) continue;
    if (severity > r->remark[i].severity) r->remark[i].severity = severity;
    return MS_SUCCESS;
  }
  MS_TRY(ms_resize(r->ctx, r->n_remark + 1, sizeof *r->remark, &r->remark));
  MS_TRY(ms_text_copy(r->ctx, text, &r->remark[r->n_remark].text));
  r->remark[r->n_remark++].severity = severity;
  return MS_SUCCESS;
}

/* The body of a function that ends in (const char *format, ...). */
#define ADD_REMARK(severity)                                  \
  do {                                                        \
    va_list args;                                             \
    va_start(args, format);                                   \
    ms_status status = add_remark(r, severity, format, args); \
    va_end(args);                                             \
    return status;                                            \
  } while (0)

ms_status ms_result_remark(ms_result *r, ms_outcome severity, const char *format, ...) {
  ADD_REMARK(severity);
}

ms_status ms_result_note(ms_result *r, const char *format, ...) {
  ADD_REMARK(MS_OUTCOME_COMPLETE);
}

ms_status ms_result_doubt(ms_result *r, const char *format, ...) {
  ADD_REMARK(MS_OUTCOME_SUSPECT);
}

ms_status ms_result_give_up(ms_result *r, const char *format, ...) {
  ADD_REMARK(MS_OUTCOME_PARTIAL);
}

void ms_result_clear_remarks(ms_result *r) {
  for (int i = 0; i < r->n_remark; i++) ms_free(r->ctx, &r->remark[i].text);
  ms_free(r->ctx, &r->remark);
  r->n_remark = 0;
}

int ms_result_count_remarks(const ms_result *r) {
  return r->n_remark;
}

const char *ms_result_get_remark(const ms_result *r, int index, ms_outcome *severity) {
  if (index < 0 || index >= r->n_remark) return NULL;
  if (severity) *severity = r->remark[index].severity;
  return r->remark[index].text;
}

/* ---- outcome ---- */

void ms_result_set_ended(ms_result *r, int ended) {
  r->ended = ended;
}

ms_outcome ms_result_get_outcome(const ms_result *r) {
  ms_outcome worst = r->ended ? MS_OUTCOME_COMPLETE : MS_OUTCOME_NONE;
  for (int i = 0; i < r->n_remark; i++) {
    if (r->remark[i].severity > worst) worst = r->remark[i].severity;
  }
  return worst;
}

const char *ms_result_get_reason(const ms_result *r) {
  const ms_outcome worst = ms_result_get_outcome(r);
  for (int i = 0; worst > MS_OUTCOME_COMPLETE && i < r->n_remark; i++) {
    if (r->remark[i].severity == worst) return r->remark[i].text;
  }
  return NULL;
}

/* ---- views ---- */

static void list_texts(const ms_result *r, int notes, const char *key, ms_json *json) {
  int open = 0;
  for (int i = 0; i < r->n_remark; i++) {
    if ((r->remark[i].severity == MS_OUTCOME_COMPLETE) != notes) continue;
    if (!open++) ms_json_begin_array(json, key);
    ms_json_add_text(json, NULL, r->remark[i].text);
  }
  if (open) ms_json_end(json);
}

void ms_result_write_remarks_json(const ms_result *r, ms_json *json) {
  ms_json_add_text(json, "status", ms_outcome_text(ms_result_get_outcome(r)));
  list_texts(r, 0, "reasons", json);
  list_texts(r, 1, "notes", json);
}

ms_status ms_result_write_remarks_page(const ms_result *r, ms_page *page) {
  for (const ms_remark *m = r->remark; m < r->remark + r->n_remark; m++) {
    MS_TRY(
        m->severity == MS_OUTCOME_COMPLETE
            ? ms_page_add_text(page, m->text)
            : ms_page_raise_warning(page, (int)m->severity, ms_outcome_text(m->severity), m->text));
  }
  return MS_SUCCESS;
}
