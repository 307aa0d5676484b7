/* Joint tests of many specimens with memory of their own; synthetic ones; the identification
   repeated on these. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "identify/distribution/special_functions.h"
#include "identify/scatter/scatter.h"

/* ---- tests ---- */

typedef struct test_row {
  double id, force, stiffness, loss;
  int row;
} test_row;

static int by_specimen(const void *a, const void *b) {
  const test_row *x = a, *y = b;
  if (x->id != y->id) return x->id < y->id ? -1 : 1;
  if (x->force != y->force) return x->force < y->force ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static ms_status reserve(ms_context *ctx, ptrdiff_t n, ms_scatter_tests *t) {
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *t->force, &t->force));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->specimen, &t->specimen));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->row, &t->row));
  t->stiffness = t->force + n;
  t->loss = t->force + 2 * n;
  return ms_allocate(ctx, n, sizeof *t->id, &t->id);
}

ms_status ms_scatter_tests_create(ms_context *ctx, ptrdiff_t n, const double *id,
                                  const double *force, const double *stiffness, const double *loss,
                                  const int *row, ms_scatter_tests *t) {
  test_row *sorted;
  *t = (ms_scatter_tests) { .n = n };
  MS_TRY(reserve(ctx, n, t));
  MS_TRY(ms_allocate(ctx, n, sizeof *sorted, &sorted));
  for (ptrdiff_t i = 0; i < n; i++) {
    sorted[i] = (test_row) { id[i], force[i], stiffness ? stiffness[i] : 0.0, loss ? loss[i] : 0.0,
                             row ? row[i] : (int)i + 1 };
  }
  qsort(sorted, (size_t)n, sizeof *sorted, by_specimen);
  for (ptrdiff_t i = 0; i < n; i++) {
    const test_row *x = &sorted[i];
    if (i == 0 || x->id != x[-1].id) t->id[t->n_specimen++] = x->id;
    t->specimen[i] = t->n_specimen - 1;
    t->force[i] = x->force, t->stiffness[i] = x->stiffness, t->loss[i] = x->loss;
    t->row[i] = x->row;
  }
  ms_free(ctx, &sorted);
  return MS_SUCCESS;
}

ms_status ms_scatter_tests_take_table(ms_context *ctx, const ms_columns *table,
                                      const char *const name[4], double force, double length,
                                      ms_scatter_tests *t) {
  static const char *const otherwise[4] = { "specimen", "force", "stiffness", "dissipation" };
  const double *column[4];
  for (int i = 0; i < 4; i++) {
    const char *own = name[i] ? name[i] : otherwise[i];
    const ptrdiff_t at = ms_columns_find(table, own);
    column[i] = at < 0 ? NULL : table->value[at];
    if (column[i]) continue;
    return ms_fail(ctx, MS_ERR_NAME,
                   "the table has no column '%s'; name the columns with columns: {specimen: ..., "
                   "force: ..., stiffness: ..., dissipation: ...}",
                   own);
  }
  MS_TRY(ms_scatter_tests_create(ctx, table->rows, column[0], column[1], column[2], column[3],
                                 table->row, t));
  for (ptrdiff_t i = 0; i < t->n; i++) {
    t->force[i] *= force;
    t->stiffness[i] *= force / length;
    t->loss[i] *= force * length;
  }
  return MS_SUCCESS;
}

void ms_scatter_tests_destroy(ms_context *ctx, ms_scatter_tests *t) {
  ms_free(ctx, &t->force);
  ms_free(ctx, &t->specimen);
  ms_free(ctx, &t->row);
  ms_free(ctx, &t->id);
}

ms_scatter_data ms_scatter_tests_view(const ms_scatter_tests *t) {
  return (ms_scatter_data) { t->n,         t->n_specimen, t->specimen, t->force,
                             t->stiffness, t->loss,       t->row };
}

ms_status ms_scatter_tests_simulate(ms_scatter *s, const ms_distribution *d, const double noise[2],
                                    uint64_t seed, double *p, ms_scatter_tests *t) {
  const ms_scatter_data like = ms_scatter_tests_view(t);
  ptrdiff_t n = 0;
  ms_scatter_draw(s->n, d, t->n_specimen, seed, p);
  MS_TRY(ms_scatter_simulate(s, &like, p, noise, seed, t->stiffness, t->loss));
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (!(t->stiffness[i] > 0.0)) continue;
    t->specimen[n] = t->specimen[i];
    t->force[n] = t->force[i], t->stiffness[n] = t->stiffness[i], t->loss[n] = t->loss[i];
    t->row[n++] = t->row[i];
  }
  t->n = n;
  return MS_SUCCESS;
}

/* Specimens 1, 2, ..., each at all forces, without what they will show. */
static ms_status lay_out(ms_context *ctx, const ms_scatter_plan *plan, ms_scatter_tests *t) {
  const ptrdiff_t n = plan->specimens * plan->n_force;
  double *row;
  MS_TRY(ms_allocate(ctx, 2 * n, sizeof *row, &row));
  for (ptrdiff_t i = 0; i < n; i++) {
    row[i] = (double)(i / plan->n_force + 1);
    row[n + i] = plan->force[i % plan->n_force];
  }
  ms_status status = ms_scatter_tests_create(ctx, n, row, row + n, NULL, NULL, NULL, t);
  ms_free(ctx, &row);
  return status;
}

ms_status ms_scatter_tests_make(ms_context *ctx, const ms_joint *joint, const ms_scatter_plan *plan,
                                double *p, ms_scatter_tests *t) {
  ms_scatter_parameter *q;
  ms_scatter *on = NULL;
  *t = (ms_scatter_tests) { .n = 0 };
  MS_TRY(ms_allocate(ctx, plan->n, sizeof *q, &q));
  for (ptrdiff_t i = 0; i < plan->n; i++) {
    const ms_distribution *d = &plan->distribution[i];
    const double mean = ms_distribution_mean(d), deviation = ms_distribution_deviation(d);
    q[i] = (ms_scatter_parameter) { .name = plan->param[i],
                                    .param = plan->param[i],
                                    .family = d->family,
                                    .lower = d->lower,
                                    .upper = d->upper,
                                    .least = fmax(mean, d->lower),
                                    .most = fmin(mean + deviation, d->upper) };
  }
  ms_status status = lay_out(ctx, plan, t);
  if (!status) status = ms_scatter_create_copy(ctx, joint, 0.0, plan->n, q, &on);
  if (!status)
    status = ms_scatter_tests_simulate(on, plan->distribution, plan->noise, plan->seed, p, t);
  ms_scatter_destroy(&on);
  ms_free(ctx, &q);
  return status;
}

/* ---- repetitions ---- */

static ms_status identify_again(ms_scatter *s, const ms_distribution *d, const double noise[2],
                                const ms_scatter_setting *setting, ptrdiff_t k, double *p,
                                ms_scatter_tests *t, double *out) {
  const ptrdiff_t n = s->n;
  const size_t bytes = (size_t)n * sizeof *out;
  ms_scatter_result r;
  MS_TRY(ms_scatter_tests_simulate(s, d, noise, setting->seed + 1 + (uint64_t)k, p, t));
  const ms_scatter_data data = ms_scatter_tests_view(t);
  ms_status status = ms_scatter_identify(s, &data, setting, &r);
  if (status == MS_SUCCESS) {
    out[0] = 1.0;
    memcpy(out + 1, r.mean, bytes);
    memcpy(out + 1 + n, r.deviation, bytes);
    memcpy(out + 1 + 2 * n, r.mean_interval, 2 * bytes);
    memcpy(out + 1 + 4 * n, r.deviation_interval, 2 * bytes);
  }
  ms_scatter_result_destroy(s->ctx, &r);
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY) return status;
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}

ms_status ms_scatter_repeat(ms_scatter *s, const ms_scatter_tests *tests, const ms_distribution *d,
                            const double noise[2], const ms_scatter_setting *setting, ptrdiff_t k,
                            double *out) {
  ms_scatter_setting own = MS_SCATTER_DEFAULT;
  MS_TAKE(s->ctx, ms_scatter_default, setting, own);
  const size_t n = (size_t)tests->n;
  ms_scatter_tests t = { .n = tests->n, .n_specimen = tests->n_specimen };
  double *p = NULL;
  ms_status status = reserve(s->ctx, t.n, &t);
  if (!status) status = ms_allocate(s->ctx, s->n * t.n_specimen, sizeof *p, &p);
  if (!status) {
    memcpy(t.force, tests->force, n * sizeof *t.force);
    memcpy(t.specimen, tests->specimen, n * sizeof *t.specimen);
    memcpy(t.row, tests->row, n * sizeof *t.row);
    status = identify_again(s, d, noise, setting, k, p, &t, out);
  }
  ms_free(s->ctx, &p);
  ms_scatter_tests_destroy(s->ctx, &t);
  return status;
}

ms_scatter_repeated ms_scatter_judge_repeated(const ms_scatter_result *truth, ptrdiff_t count,
                                              const double *repeated, ptrdiff_t i, int deviation) {
  const ptrdiff_t n = truth->n;
  const double x = deviation ? truth->deviation[i] : truth->mean[i];
  ms_scatter_repeated r = { .done = 0 };
  double square = 0.0;
  for (ptrdiff_t k = 0; k < count; k++) {
    const double *at = repeated + MS_SCATTER_REPEAT_WIDTH(n) * k;
    const double *interval = at + 1 + 2 * n + 2 * n * deviation + 2 * i;
    const double away = at[1 + n * deviation + i] - x;
    if (at[0] == 0.0) continue;
    r.done++;
    r.covered += x >= interval[0] && x <= interval[1];
    r.mean += away, square += away * away;
  }
  if (r.done < 2) return r;
  const double done = (double)r.done;
  r.mean /= done;
  r.scatter = sqrt(fmax(square / done - r.mean * r.mean, 0.0) * done / (done - 1.0));
  r.mean += x;
  return r;
}

void ms_scatter_expect_covered(ptrdiff_t n, ptrdiff_t *low, ptrdiff_t *high) {
  const double p = 0.95, tail = 0.025;
  double below = 0.0; /* P(X < k) */
  *low = *high = n;
  for (ptrdiff_t k = 0; k <= n; k++) {
    const double whole = (double)n, part = (double)k;
    const double log_of = ms_log_gamma(whole + 1.0) - ms_log_gamma(part + 1.0) -
                          ms_log_gamma(whole - part + 1.0) + part * log(p) +
                          (whole - part) * log1p(-p);
    if (below <= tail) *low = k;
    below += exp(log_of);
    if (1.0 - below <= tail && *high == n) *high = k;
  }
}

int ms_scatter_coverage_note(ptrdiff_t rows, const double *done, const double *covered, char *text,
                             size_t size) {
  ptrdiff_t few = 0, many = 0, low = 0, high = 0;
  if (rows == 0 || done[0] < 1.0) return 0;
  for (ptrdiff_t i = rows; i-- > 0;) {
    ms_scatter_expect_covered((ptrdiff_t)done[i], &low, &high);
    few += covered[i]<(double)low, many += covered[i]>(double) high;
  }
  const int used = snprintf(text, size,
                            "With correct 95 %% intervals, %td to %td of %.0f repetitions should "
                            "contain the true value (binomial distribution, 95 %% of all cases). ",
                            low, high, done[0]);
  if (used < 0 || (size_t)used >= size) return 1;
  if (few + many == 0) {
    snprintf(text + used, size - (size_t)used,
             "All rows lie in this range: the intervals are as wide as they should be.");
  } else {
    snprintf(text + used, size - (size_t)used,
             "%td of the %td rows lie below this range (intervals too narrow) and %td above it "
             "(too wide).",
             few, rows, many);
  }
  return 1;
}

ptrdiff_t ms_scatter_tests_find_mean(const ms_scatter_tests *t, double force, int loss,
                                     double *mean, double *deviation) {
  const double *x = loss ? t->loss : t->stiffness;
  ptrdiff_t n = 0;
  *mean = *deviation = 0.0;
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (t->force[i] == force) n++, *mean += x[i];
  }
  if (n > 0) *mean /= (double)n;
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (t->force[i] == force) *deviation += (x[i] - *mean) * (x[i] - *mean);
  }
  *deviation = n > 1 ? sqrt(*deviation / (double)(n - 1)) : 0.0;
  return n;
}
