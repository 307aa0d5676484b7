/* Answers of a result: the numbers that readers came for. */
#include <math.h>

#include "core/internal.h"
#include "report/number.h"
#include "report/result/result.h"

static ms_status check(const ms_result *r, const ms_answer *a) {
  if (!a->label) return ms_fail(r->ctx, MS_ERR_ARGUMENT, "%s: an answer has no label", r->name);
  if (isfinite(a->value) && isfinite(a->error) && isfinite(a->low) && isfinite(a->high))
    return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_NUMERIC, "%s: answer '%s' is not finite", r->name, a->label);
}

void ms_result_add_answer(ms_result *r, const ms_answer *answer) {
  if (r->status != MS_SUCCESS) return;
  ms_status status = check(r, answer);
  if (status == MS_SUCCESS)
    status = ms_resize(r->ctx, r->n_answer + 1, sizeof *r->answer, &r->answer);
  if (status == MS_SUCCESS) status = ms_answer_copy(r->ctx, answer, &r->answer[r->n_answer]);
  if (status == MS_SUCCESS) r->n_answer++;
  ms_result_fail(r, status);
}

int ms_result_count_answers(const ms_result *r) {
  return r->n_answer;
}

const ms_answer *ms_result_get_answer(const ms_result *r, int index) {
  return index >= 0 && index < r->n_answer ? &r->answer[index] : NULL;
}

void ms_result_clear_answers(ms_result *r) {
  for (int i = 0; i < r->n_answer; i++) ms_answer_free(r->ctx, &r->answer[i]);
  ms_free(r->ctx, &r->answer);
  r->n_answer = 0;
}

void ms_result_write_answers_json(const ms_result *r, ms_json *json) {
  if (r->n_answer == 0) return;
  ms_json_begin_array(json, "answers");
  for (const ms_answer *a = r->answer; a < r->answer + r->n_answer; a++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "label", a->label);
    if (a->symbol) ms_json_add_text(json, "symbol", a->symbol);
    if (a->unit) ms_json_add_text(json, "unit", a->unit);
    ms_json_add_number(json, "value", a->value);
    if (a->error > 0.0) ms_json_add_number(json, "error", a->error);
    if (a->low != a->high) ms_json_add_number(json, "low", a->low);
    if (a->low != a->high) ms_json_add_number(json, "high", a->high);
    ms_json_end(json);
  }
  ms_json_end(json);
}

ms_status ms_result_write_answers(const ms_result *r, ms_results *results) {
  static const char *const name[] = { "label", "symbol", "unit", "value", "error",
                                      "low",   "high",   "mode", "omega" };
  const char **text;
  double *number = NULL;
  const ptrdiff_t n = r->n_answer;
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(r->ctx, n, sizeof *text, &text));
  ms_status status = ms_allocate(r->ctx, n, sizeof *number, &number);
  for (int k = 0; k < 9 && status == MS_SUCCESS; k++) {
    char path[512];
    snprintf(path, sizeof path, "analyses/%.127s/answers/%s", r->name, name[k]);
    for (ptrdiff_t i = 0; i < n; i++) {
      const ms_answer *a = &r->answer[i];
      const char *const texts[] = { a->label, a->symbol, a->unit };
      const double numbers[] = { a->value, a->error, a->low, a->high, a->mode, a->omega };
      if (k < 3) text[i] = texts[k] ? texts[k] : "";
      if (k >= 3) number[i] = numbers[k - 3];
    }
    status = k < 3 ? ms_results_write_texts(results, path, n, text)
                   : ms_results_write_vector(results, path, n, number);
  }
  ms_free(r->ctx, &text);
  ms_free(r->ctx, &number);
  return status;
}
