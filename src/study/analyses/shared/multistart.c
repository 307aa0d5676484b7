#include "study/analyses/shared/multistart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/fit/fit.h"

#define SAME 1e-3 /* of the bounds' range: starts this near came to the same point */

ms_status ms_starts_open(ms_context *ctx, ptrdiff_t n, ptrdiff_t count,
                         const ms_fit_parameter *bound, ms_starts *s) {
  *s = (ms_starts) { .n = n, .count = count, .bound = bound };
  MS_TRY(ms_allocate(ctx, n * count, sizeof *s->found, &s->found));
  return ms_allocate(ctx, count, sizeof *s->local, &s->local);
}

void ms_starts_close(ms_context *ctx, ms_starts *s) {
  ms_free(ctx, &s->found);
  ms_free(ctx, &s->local);
}

/* ---- as numbers ---- */

enum { HEAD = 5 };

ptrdiff_t ms_starts_save(const ms_starts *s, ptrdiff_t job, double *values) {
  const ms_fit_local *l = &s->local[job];
  const int failed = l->end == MS_FIT_FAILED;
  const double head[HEAD] = { (double)l->end, failed ? 0.0 : l->sum, (double)l->evaluations,
                              (double)l->jacobians, failed ? 0.0 : l->gradient };
  if (values) {
    memcpy(values, head, sizeof head);
    memcpy(values + HEAD, s->found + s->n * job, (size_t)s->n * sizeof *values);
  }
  return HEAD + s->n;
}

ms_status ms_starts_load(ms_context *ctx, ms_starts *s, ptrdiff_t job, const double *values,
                         ptrdiff_t n) {
  if (n != HEAD + s->n || !(values[0] >= MS_FIT_CONVERGED && values[0] <= MS_FIT_FAILED)) {
    return ms_fail(ctx, MS_ERR_FORMAT, "no start of this analysis");
  }
  s->local[job] = (ms_fit_local) { (ms_fit_end)values[0], values[1], (int)values[2], (int)values[3],
                                   values[4] };
  memcpy(s->found + s->n * job, values + HEAD, (size_t)s->n * sizeof *values);
  return MS_SUCCESS;
}

/* ---- the best ---- */

ptrdiff_t ms_starts_find_best(const ms_starts *s, double equal) {
  ptrdiff_t best = -1;
  for (ptrdiff_t k = 0; k < s->count; k++) {
    if (s->local[k].end == MS_FIT_FAILED) continue;
    if (best < 0 || s->local[k].sum < s->local[best].sum) best = k;
  }
  for (ptrdiff_t k = 0; k < best; k++) {
    if (s->local[k].end == MS_FIT_FAILED) continue;
    if (s->local[k].sum <= s->local[best].sum + equal) return k;
  }
  return best;
}

int ms_starts_agree(const ms_starts *s, ptrdiff_t a, ptrdiff_t b) {
  if (s->local[a].end == MS_FIT_FAILED || s->local[b].end == MS_FIT_FAILED) return 0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double t = ms_fit_scaled(&s->bound[i], s->found[i + s->n * a]);
    if (fabs(t - ms_fit_scaled(&s->bound[i], s->found[i + s->n * b])) > SAME) return 0;
  }
  return 1;
}

ptrdiff_t ms_starts_count_agreeing(const ms_starts *s, ptrdiff_t with) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < s->count; k++) n += ms_starts_agree(s, k, with);
  return n;
}

/* ---- the table ---- */

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

ms_status ms_starts_judge(ms_study *s, ms_task *task, const ms_starts *starts, ptrdiff_t best,
                          const ms_fit_judgement *j) {
  if (starts->local[best].end != MS_FIT_CONVERGED) {
    MS_TRY(ms_task_doubt(s, task, "the fit stopped after %d evaluations, before it converged",
                         starts->local[best].evaluations));
  }
  for (ptrdiff_t i = 0; i < starts->n; i++) {
    const ms_fit_parameter *q = &starts->bound[i];
    if (j->at_bound[i] == 0) continue;
    MS_TRY(ms_task_doubt(s, task, "%s ended at its %s bound, %g", q->name,
                         j->at_bound[i] < 0 ? "lower" : "upper",
                         j->at_bound[i] < 0 ? q->lower : q->upper));
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
