/* How analyses end. Each has remarks, and the worst of them is its outcome; the study has the worst
   of its analyses. One that fails leaves the others alone, and what there is gets written, marked.
 */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "study/model/fe/fe.h"
#include "study/study.h"

/* ---- outcomes ---- */

static ms_outcome outcome_of(const ms_task *task) {
  return ms_result_get_outcome(task->result);
}

ms_outcome ms_task_severity(ms_doubt doubt) {
  static const ms_outcome severity[] = { [MS_DOUBT_NOTE] = MS_OUTCOME_COMPLETE,
                                         [MS_DOUBT_SUSPECT] = MS_OUTCOME_SUSPECT,
                                         [MS_DOUBT_MISSING] = MS_OUTCOME_PARTIAL };
  return severity[doubt];
}

int ms_task_has_results(const ms_task *task) {
  ms_outcome outcome = outcome_of(task);
  return outcome >= MS_OUTCOME_COMPLETE && outcome <= MS_OUTCOME_PARTIAL;
}

ms_outcome ms_study_get_outcome(const ms_study *s, int index) {
  ms_outcome worst = MS_OUTCOME_NONE;
  if (index >= 0) return index < s->n_task ? outcome_of(&s->task[index]) : MS_OUTCOME_NONE;
  for (int i = 0; i < s->n_task; i++) {
    ms_outcome outcome = outcome_of(&s->task[i]);
    if (outcome > worst) worst = outcome;
  }
  return worst;
}

int ms_study_count_remarks(const ms_study *s, int index) {
  return index >= 0 && index < s->n_task ? ms_result_count_remarks(s->task[index].result) : 0;
}

const char *ms_study_get_remark(const ms_study *s, int index, int remark, ms_outcome *outcome) {
  if (index < 0 || index >= s->n_task) return NULL;
  return ms_result_get_remark(s->task[index].result, remark, outcome);
}

int ms_study_is_partial(const ms_study *s) {
  return ms_study_get_outcome(s, -1) >= MS_OUTCOME_PARTIAL;
}

/* ---- analyses that fail ---- */

/* Stopped, or for want of memory or disk: the study ends there, and another start may succeed. Of
   anything else the other analyses know nothing. */
int ms_task_ends_study(ms_status status) {
  return status == MS_CANCELLED || status == MS_ERR_MEMORY || status == MS_ERR_DISK;
}

ms_status ms_task_blame(ms_study *s, ms_task *task, ms_status status) {
  char reason[600];
  int kept = task->kind->is_kept && task->kind->is_kept(task);
  ms_yaml_print_reason(&s->yaml, task->name, reason, sizeof reason);
  MS_TRY(ms_result_remark(task->result, kept ? MS_OUTCOME_PARTIAL : MS_OUTCOME_FAILED, "%s",
                          *reason ? reason : ms_status_text(status)));
  task->status = status;
  if (!kept) ms_result_clear(task->result);
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}

/* The first remark in a table of the runs or curves that an analysis has made. */
static const char *find_remark(const ms_task *task) {
  static const char *const ending[] = { "_runs", "_curves" };
  for (int i = 0; i < 2; i++) {
    const ms_result_table *table = ms_result_find_table(task->result, ending[i]);
    int column = table ? ms_result_table_find_column(table, "remark") : -1;
    for (ptrdiff_t k = 0; column >= 0 && k < ms_result_table_rows(table); k++) {
      const char *word = ms_result_table_word(table, column, k);
      if (word && *word) return word;
    }
  }
  return NULL;
}

ms_status ms_task_judge_empty(ms_study *s, ms_task *task) {
  const ms_result_table *table = ms_result_find_table(task->result, "");
  const char *why = find_remark(task);
  if (!table || ms_result_table_rows(table) > 0) return MS_SUCCESS;
  if (outcome_of(task) >= MS_OUTCOME_PARTIAL) return MS_SUCCESS; /* it has said why */
  if (why) return ms_task_give_up(s, task, "there is no result: %.400s", why);
  return ms_fail(s->ctx, MS_ERR_NUMERIC, "%s: there is no result", task->name);
}

/* Rows that an analysis has kept before it failed are no result for another. */
static int blocks(const ms_task *task) {
  return task->status != MS_SUCCESS || outcome_of(task) == MS_OUTCOME_SKIPPED;
}

/* As in "it needs transient, which failed". */
static const char *state_of(const ms_task *task) {
  const ms_outcome outcome = outcome_of(task);
  if (outcome == MS_OUTCOME_SKIPPED) return "was skipped";
  if (outcome == MS_OUTCOME_PARTIAL) return "is partial";
  return outcome == MS_OUTCOME_SUSPECT ? "is suspect" : "failed";
}

ms_status ms_task_skip_if_blocked(ms_study *s, ms_task *task) {
  for (const ms_task *t = s->task; t < task; t++) {
    if (!blocks(t) || !ms_task_needs(task, t)) continue;
    return ms_result_remark(task->result, MS_OUTCOME_SKIPPED, "it needs %.100s, which %s", t->name,
                            state_of(t));
  }
  return MS_SUCCESS;
}

ms_status ms_task_doubt_sources(ms_study *s, ms_task *task) {
  for (const ms_task *t = s->task; t < task; t++) {
    if (outcome_of(t) <= MS_OUTCOME_COMPLETE || !ms_task_needs(task, t)) continue;
    MS_TRY(ms_task_doubt(s, task, "it uses %.100s, which %s", t->name, state_of(t)));
  }
  return MS_SUCCESS;
}

ms_status ms_task_doubt_rest(ms_study *s, ms_task *task, double change_limit, int open) {
  const ms_fe *fe = s->solids;
  char text[300];
  if (!fe || !fe->rest.contact) return MS_SUCCESS;
  if (ms_contact_doubt_steps(&fe->rest, change_limit, text, sizeof text))
    MS_TRY(ms_task_doubt(s, task, "%s", text));
  for (int g = 0, n = fe->assembly.n_contact; g <= n; g++) { /* each, then all */
    const ms_contact_sum sum = ms_contact_add_up(fe->rest.contact, g);
    if (g < n && sum.open == sum.n && !open) continue;
    if (ms_contact_doubt(&fe->rest, g < n ? g : -1, fe->assembly.contact[g].name, text,
                         sizeof text))
      MS_TRY(ms_task_doubt(s, task, "%s", text));
  }
  return MS_SUCCESS;
}

ms_status ms_study_fail_partial(const ms_study *s) {
  const ms_task *first = NULL;
  int bad = 0;
  char more[64] = "";
  for (int i = s->n_task - 1; i >= 0; i--) {
    ms_outcome outcome = outcome_of(&s->task[i]);
    if (outcome < MS_OUTCOME_PARTIAL) continue;
    bad++;
    if (outcome != MS_OUTCOME_SKIPPED) first = &s->task[i];
  }
  if (!first) return MS_SUCCESS;
  if (bad > 1) {
    snprintf(more, sizeof more, " (and %d more %s not complete)", bad - 1, bad == 2 ? "is" : "are");
  }
  return ms_yaml_fail(&s->yaml, first->key,
                      first->status == MS_SUCCESS ? MS_NOT_CONVERGED : first->status,
                      "%s %s%s: %s; everything else was written to %.120s", first->name,
                      outcome_of(first) == MS_OUTCOME_PARTIAL ? "is partial" : "failed", more,
                      ms_result_get_reason(first->result), s->folder);
}
