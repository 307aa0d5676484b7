#include "study/analyses/shared/multistart.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = 5 };

ms_status ms_starts_tabulate(ms_context *ctx, const ms_starts *s, ms_result_table *table) {
  double *row;
  ms_status status = ms_allocate(ctx, HEAD + s->n, sizeof *row, &row);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < s->count; k++) {
    const ms_fit_local *l = &s->local[k];
    const int failed = l->end == MS_FIT_FAILED;
    const double head[HEAD] = { (double)(k + 1), failed ? 0.0 : l->sum, (double)l->end,
                                (double)l->evaluations, failed ? 0.0 : l->gradient };
    memcpy(row, head, sizeof head);
    memcpy(row + HEAD, s->found + s->n * k, (size_t)s->n * sizeof *row);
    status = ms_result_table_add_numbers(ctx, table, row);
  }
  ms_free(ctx, &row);
  return status;
}

ms_status ms_bound_judge(ms_study *s, ms_task *task, const ms_fit_parameter *q, int at_bound) {
  if (at_bound == 0) return MS_SUCCESS;
  return ms_task_doubt(s, task, "%s ended at its %s bound, %g", q->name,
                       at_bound < 0 ? "lower" : "upper", at_bound < 0 ? q->lower : q->upper);
}

ms_status ms_starts_judge(ms_study *s, ms_task *task, const ms_starts *starts, ptrdiff_t best,
                          const ms_fit_judgement *j) {
  if (starts->local[best].end != MS_FIT_CONVERGED) {
    MS_TRY(ms_task_doubt(s, task, "the fit stopped after %d evaluations, before it converged",
                         starts->local[best].evaluations));
  }
  for (ptrdiff_t i = 0; i < starts->n; i++) {
    MS_TRY(ms_bound_judge(s, task, &starts->bound[i], j->at_bound[i]));
  }
  return MS_SUCCESS;
}

ms_status ms_starts_judge_open(ms_study *s, ms_task *task, const ms_starts *starts,
                               const ms_fit_judgement *j) {
  char names[400] = "";
  size_t at = 0;
  for (ptrdiff_t i = 0; i < starts->n; i++) {
    if (j->determined[i] || at >= sizeof names) continue;
    at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at > 0 ? ", " : "",
                           starts->bound[i].name);
  }
  if (at == 0) return MS_SUCCESS;
  return ms_task_doubt(s, task, "the data do not determine %s: other values fit as well", names);
}
