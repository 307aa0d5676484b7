/* Analyses that fail: the others go on, and what there is gets written, marked. */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "study/study.h"

static const char *const state_text[] = {
  [MS_TASK_WAITING] = "waiting", [MS_TASK_DONE] = "complete",   [MS_TASK_PARTIAL] = "partial",
  [MS_TASK_FAILED] = "failed",   [MS_TASK_SKIPPED] = "skipped",
};

const char *ms_task_state_text(const ms_task *task) {
  return state_text[task->state];
}

const char *ms_study_status_text(const ms_study *s) {
  return ms_study_is_partial(s) ? "partial" : "complete";
}

int ms_study_is_partial(const ms_study *s) {
  for (int i = 0; i < s->n_task; i++) {
    if (s->task[i].reason) return 1;
  }
  return 0;
}

/* Numbers that cannot be had. Another time step may help; the file is sound. */
int ms_task_may_fail(ms_status status) {
  return status == MS_NOT_CONVERGED || status == MS_STEP_REJECTED || status == MS_ERR_NUMERIC;
}

/* The message without the place and the name, which are said anew, and without the line shown. */
static void plain_reason(const ms_study *s, const ms_task *task, char *out, size_t size) {
  const char *text = ms_context_message(s->ctx);
  size_t path = strlen(s->yaml.path), name = strlen(task->name);
  int line, column, n = 0;
  if (strncmp(text, s->yaml.path, path) == 0 &&
      sscanf(text + path, ":%d:%d: %n", &line, &column, &n) == 2 && n > 0) {
    text += path + (size_t)n;
  }
  if (strncmp(text, task->name, name) == 0 && strncmp(text + name, ": ", 2) == 0) text += name + 2;
  snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
}

ms_status ms_task_blame(ms_study *s, ms_task *task, ms_status status) {
  char reason[400];
  plain_reason(s, task, reason, sizeof reason);
  MS_TRY(ms_text_copy(s->ctx, reason, &task->reason));
  task->status = status;
  task->state = task->kind->is_kept && task->kind->is_kept(task) ? MS_TASK_PARTIAL : MS_TASK_FAILED;
  if (task->state == MS_TASK_FAILED) ms_sheet_drop(s, task->name);
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}

ms_status ms_task_skip_if_blocked(ms_study *s, ms_task *task) {
  for (const ms_task *t = s->task; task->kind->needs && t < task; t++) {
    char reason[300];
    if (t->state == MS_TASK_DONE || !task->kind->needs(task, t)) continue;
    snprintf(reason, sizeof reason, "it needs %.100s, which %s", t->name,
             t->state == MS_TASK_SKIPPED ? "was skipped" : "failed");
    MS_TRY(ms_text_copy(s->ctx, reason, &task->reason));
    task->state = MS_TASK_SKIPPED;
    return MS_SUCCESS;
  }
  return MS_SUCCESS;
}

ms_status ms_study_fail_partial(const ms_study *s) {
  const ms_task *first = NULL;
  int others = 0;
  char more[64] = "";
  for (int i = s->n_task - 1; i >= 0; i--) {
    if (!s->task[i].reason) continue;
    others++;
    if (s->task[i].state != MS_TASK_SKIPPED) first = &s->task[i];
  }
  if (!first) return MS_SUCCESS;
  if (others > 1) snprintf(more, sizeof more, " (and %d more failed or skipped)", others - 1);
  return ms_yaml_fail(&s->yaml, first->key, first->status,
                      "%s failed%s: %s; what there is was written to %.120s, marked partial",
                      first->name, more, first->reason, s->folder);
}

/* ---- in the report ---- */

ms_status ms_partial_report(const ms_study *s, ms_page *page) {
  if (!ms_study_is_partial(s)) return MS_SUCCESS;
  MS_TRY(ms_page_add_warning(page, "These results are partial: not every analysis was finished."));
  for (int i = 0; i < s->n_task; i++) {
    char text[600];
    const ms_task *t = &s->task[i];
    if (!t->reason) continue;
    snprintf(text, sizeof text, "%.100s: %s%s. %s", t->name,
             t->state == MS_TASK_SKIPPED ? "skipped, " : "failed: ", t->reason,
             t->state == MS_TASK_PARTIAL ? "Its rows up to there are kept." : "");
    MS_TRY(ms_page_add_warning(page, text));
  }
  return MS_SUCCESS;
}

ms_status ms_page_add_remarks(ms_page *page, const char *remarks) {
  char text[512];
  for (size_t length; *remarks; remarks += length + (remarks[length] == '\n')) {
    length = strcspn(remarks, "\n");
    snprintf(text, sizeof text, "%.*s", (int)length, remarks);
    MS_TRY(ms_page_add_warning(page, text));
  }
  return MS_SUCCESS;
}
