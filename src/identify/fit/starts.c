/* Local fits from several starts: the best, and what the others say about it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/fit/fit.h"
#include "identify/tolerance.h"

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
    if (fabs(t - ms_fit_scaled(&s->bound[i], s->found[i + s->n * b])) > ms_identify_tol.same_start)
      return 0;
  }
  return 1;
}

ptrdiff_t ms_starts_count_agreeing(const ms_starts *s, ptrdiff_t with) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < s->count; k++) n += ms_starts_agree(s, k, with);
  return n;
}

/* ---- rivals ---- */

static int is_elsewhere(const ms_starts *s, ptrdiff_t i, ptrdiff_t k, ptrdiff_t best,
                        double error) {
  const double p = s->found[i + s->n * k], at = s->found[i + s->n * best];
  return fabs(p - at) > ms_identify_tol.far * error &&
         fabs(ms_fit_scaled(&s->bound[i], p) - ms_fit_scaled(&s->bound[i], at)) >
             ms_identify_tol.same_start;
}

/* Whether parameter i has rivals, and between which values they and the best one are. */
static int find_range(const ms_starts *s, ptrdiff_t i, ptrdiff_t best, double most, double error,
                      double *low, double *high) {
  int rivals = 0;
  *low = *high = s->found[i + s->n * best];
  for (ptrdiff_t k = 0; k < s->count; k++) {
    if (s->local[k].end == MS_FIT_FAILED || s->local[k].sum - s->local[best].sum > most) continue;
    rivals += is_elsewhere(s, i, k, best, error);
    *low = fmin(*low, s->found[i + s->n * k]);
    *high = fmax(*high, s->found[i + s->n * k]);
  }
  return rivals > 0;
}

static ms_status add_remark(ms_context *ctx, ms_fit_judgement *j, const char *text) {
  const size_t had = strlen(j->remarks), more = strlen(text);
  MS_TRY(ms_resize(ctx, (ptrdiff_t)(had + more + 2), 1, &j->remarks));
  if (had > 0 && j->remarks[had - 1] != '\n') strcat(j->remarks, "\n");
  strcat(j->remarks, text);
  return MS_SUCCESS;
}

ms_status ms_starts_weigh_rivals(ms_context *ctx, const ms_starts *s, ptrdiff_t best,
                                 double scatter, ms_fit_judgement *judgement) {
  const double most = ms_identify_tol.as_well * scatter * scatter;
  char text[480];
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double low, high;
    if (!find_range(s, i, best, most, judgement->standard_error[i], &low, &high)) continue;
    judgement->determined[i] = 0;
    snprintf(text, sizeof text,
             "%s is not determined: starts that fit as well ended between %.4g and %.4g.",
             s->bound[i].name, low, high);
    MS_TRY(add_remark(ctx, judgement, text));
  }
  return MS_SUCCESS;
}

/* ---- what is doubtful ---- */

int ms_fit_bound_warning(const ms_fit_parameter *q, int at_bound, char *text, size_t size) {
  snprintf(text, size, "%s ended at its %s bound, %g", q->name, at_bound < 0 ? "lower" : "upper",
           at_bound < 0 ? q->lower : q->upper);
  return at_bound != 0;
}

int ms_starts_warning(const ms_starts *s, ptrdiff_t best, const ms_fit_judgement *j, ptrdiff_t i,
                      char *text, size_t size) {
  if (s->local[best].end != MS_FIT_CONVERGED && i-- == 0) {
    snprintf(text, size, "the fit stopped after %d evaluations, before it converged",
             s->local[best].evaluations);
    return 1;
  }
  for (ptrdiff_t k = 0; k < s->n; k++) {
    if (j->at_bound[k] && i-- == 0) {
      return ms_fit_bound_warning(&s->bound[k], j->at_bound[k], text, size);
    }
  }
  return 0;
}

int ms_starts_open_warning(const ms_starts *s, const ms_fit_judgement *j, char *text, size_t size) {
  char names[400] = "";
  size_t at = 0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    if (j->determined[i] || at >= sizeof names) continue;
    at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at > 0 ? ", " : "",
                           s->bound[i].name);
  }
  snprintf(text, size, "the data do not determine %s: other values fit as well", names);
  return at > 0;
}
