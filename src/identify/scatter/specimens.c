/* Specimens one by one: least squares of the logarithms,

     r = ln(k/k_measured)/sigma_k,  ln(D/D_measured)/sigma_D,

   first from several starts, the best of which is kept. What one test leaves open others may show:
   later fits also have, for each parameter, (p - m)/s with mean m and deviation s over specimens as
   far as these are known. Where the noise is not known, sigma_k and sigma_D are what all fits
   together leave over, each over the numbers that the parameters have not used up: with weights
   sigma, Jacobian J and covariance C of a fit, stiffness uses trace(J_k C J_k^T) of its numbers. */
#include <math.h>
#include <microslip/posterior.h>
#include <string.h>

#include "core/internal.h"
#include "identify/fit/fit.h"
#include "identify/scatter/scatter.h"

enum { ROUNDS = 6 };

/* ---- checks ---- */

static int row_of(const ms_scatter_data *d, ptrdiff_t i) {
  return d->row ? d->row[i] : (int)i + 1;
}

static int is_positive(double x) {
  return x > 0.0 && isfinite(x);
}

static ms_status check_row(ms_context *ctx, const ms_scatter_data *d, ptrdiff_t i) {
  const struct {
    const char *name;
    double value;
  } number[] = { { "force", d->force[i] },
                 { "stiffness", d->stiffness[i] },
                 { "dissipation", d->loss[i] } };
  for (int k = 0; k < 3; k++) {
    if (is_positive(number[k].value)) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "row %d has %s %g; it must be above zero", row_of(d, i),
                   number[k].name, number[k].value);
  }
  ptrdiff_t before = i > 0 ? d->specimen[i - 1] : 0, now = d->specimen[i];
  if (now == before || (i > 0 && now == before + 1)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "row %d: the rows of a specimen must follow each other",
                 row_of(d, i));
}

ms_status ms_scatter_check_data(ms_context *ctx, const ms_scatter_data *d) {
  for (ptrdiff_t i = 0; i < d->n; i++) MS_TRY(check_row(ctx, d, i));
  if (d->n_specimen >= MS_SCATTER_LEAST && d->n > 0 && d->specimen[d->n - 1] == d->n_specimen - 1)
    return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "%td specimens do not show a scatter; it takes %d",
                 d->n_specimen, MS_SCATTER_LEAST);
}

static ms_status check_specimen(const ms_specimens *s, ptrdiff_t k) {
  ptrdiff_t rows = s->first[k + 1] - s->first[k];
  if (2 * rows >= s->scatter->n) return MS_SUCCESS;
  return ms_fail(s->scatter->ctx, MS_ERR_ARGUMENT,
                 "specimen %td (row %d) has %td rows, which do not determine %td parameters", k + 1,
                 row_of(s->data, s->first[k]), rows, s->scatter->n);
}

static ms_status check_setting(ms_context *ctx, const ms_scatter_setting *t) {
  const ms_scatter_tolerances *tol = &t->tol;
  MS_SCATTER_TOLERANCES(MS_TOLERANCE_CHECK)
  if (t->draws >= 8 && t->starts >= 1 && t->max_steps >= 1 && t->noise[0] >= 0.0 &&
      t->noise[1] >= 0.0 && (t->noise[0] > 0.0) == (t->noise[1] > 0.0)) {
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "scatter: draws of at least 8, starts and steps of at least 1, both noises above "
                 "zero or both 0");
}

/* ---- life ---- */

void ms_specimens_close(ms_specimens *s) {
  if (!s->scatter) return;
  ms_context *ctx = s->scatter->ctx;
  ms_free(ctx, &s->first);
  ms_free(ctx, &s->p);
  ms_free(ctx, &s->covariance);
  ms_free(ctx, &s->determined);
  ms_free(ctx, &s->bound);
  ms_free(ctx, &s->prior);
  ms_free(ctx, &s->sharp);
  ms_free(ctx, &s->start);
  ms_free(ctx, &s->scratch);
}

static ptrdiff_t most_rows(const ms_specimens *s) {
  ptrdiff_t most = 0;
  for (ptrdiff_t k = 0; k < s->data->n_specimen; k++) {
    ptrdiff_t rows = s->first[k + 1] - s->first[k];
    if (rows > most) most = rows;
  }
  return most;
}

static ms_status allocate(ms_context *ctx, ms_specimens *s) {
  const ptrdiff_t n = s->scatter->n, N = s->data->n_specimen, m = 2 * most_rows(s) + n;
  MS_TRY(ms_allocate(ctx, n, sizeof *s->start, &s->start));
  MS_TRY(ms_allocate(ctx, 2 * n, sizeof *s->prior, &s->prior));
  MS_TRY(ms_allocate(ctx, n * N, sizeof *s->sharp, &s->sharp));
  MS_TRY(ms_allocate(ctx, m * (n + 3) + n, sizeof *s->scratch, &s->scratch));
  MS_TRY(ms_allocate(ctx, n * N, sizeof *s->p, &s->p));
  MS_TRY(ms_allocate(ctx, n * n * N, sizeof *s->covariance, &s->covariance));
  MS_TRY(ms_allocate(ctx, n * N, sizeof *s->determined, &s->determined));
  return ms_allocate(ctx, n, sizeof *s->bound, &s->bound);
}

ms_status ms_specimens_open(ms_scatter *scatter, const ms_scatter_data *data,
                            const ms_scatter_setting *setting, ms_specimens *s) {
  ms_context *ctx = scatter->ctx;
  *s = (ms_specimens) { .scatter = scatter, .data = data, .setting = setting };
  MS_TRY(check_setting(ctx, setting));
  MS_TRY(ms_scatter_check_data(ctx, data));
  MS_TRY(ms_allocate(ctx, data->n_specimen + 1, sizeof *s->first, &s->first));
  for (ptrdiff_t i = data->n - 1; i >= 0; i--) s->first[data->specimen[i]] = i;
  s->first[data->n_specimen] = data->n;
  MS_TRY(allocate(ctx, s));
  for (ptrdiff_t i = 0; i < scatter->n; i++) {
    const ms_scatter_parameter *q = &scatter->parameter[i];
    s->bound[i] = (ms_fit_parameter) { .name = q->name, .lower = q->least, .upper = q->most };
    s->bound[i].logarithmic = q->least > 0.0 && q->most >= setting->tol.wide * q->least;
  }
  for (ptrdiff_t k = 0; k < data->n_specimen; k++) MS_TRY(check_specimen(s, k));
  return MS_SUCCESS;
}

/* ---- a fit ---- */

ms_status ms_specimens_eval(const ms_specimens *s, ptrdiff_t k, const double *p, double *r) {
  const ms_scatter_data *d = s->data;
  const ptrdiff_t first = s->first[k], m = s->first[k + 1] - first;
  MS_TRY(ms_scatter_eval(s->scatter, p, m, d->force + first, r, r + m));
  for (ptrdiff_t i = 0; i < m; i++) {
    r[i] = log(r[i] / d->stiffness[first + i]) / s->noise[0];
    r[m + i] = log(r[m + i] / d->loss[first + i]) / s->noise[1];
  }
  return MS_SUCCESS;
}

typedef struct one {
  ms_specimens *s;
  ptrdiff_t k;
} one;

static ptrdiff_t count_rows(const one *x) {
  return 2 * (x->s->first[x->k + 1] - x->s->first[x->k]);
}

static ms_status eval(void *user, const double *p, double *r, double *jac) {
  const one *x = user;
  const ms_specimens *s = x->s;
  (void)jac;
  MS_TRY(ms_specimens_eval(s, x->k, p, r));
  for (ptrdiff_t i = 0; i < s->scatter->n && !s->alone; i++) {
    r[count_rows(x) + i] = (p[i] - s->prior[2 * i]) / s->prior[2 * i + 1];
  }
  return MS_SUCCESS;
}

static ms_fit_problem problem_of(one *x) {
  const ms_specimens *s = x->s;
  return (ms_fit_problem) { .n = s->scatter->n,
                            .m = count_rows(x) + (s->alone ? 0 : s->scatter->n),
                            .parameter = s->bound,
                            .eval = eval,
                            .user = x };
}

static ms_fit_setting setting_of(const ms_specimens *s) {
  ms_fit_setting setting = MS_FIT_DEFAULT;
  setting.known_noise = 1;
  setting.seed = s->setting->seed;
  return setting;
}

static ms_status fail_fit(const one *x) {
  const ms_specimens *s = x->s;
  const ms_scatter_data *d = s->data;
  double largest = 0.0;
  for (ptrdiff_t i = s->first[x->k]; i < s->first[x->k + 1]; i++) {
    largest = fmax(largest, d->force[i]);
  }
  return ms_fail(s->scatter->ctx, MS_NOT_CONVERGED,
                 "specimen %td (from row %d): none of %td starts reaches its forces, up to %g N; "
                 "look at the bounds",
                 x->k + 1, row_of(d, s->first[x->k]), s->setting->starts, largest);
}

/* The best of all starts. */
static ms_status fit_first(one *x) {
  ms_specimens *s = x->s;
  const ptrdiff_t n = s->scatter->n;
  const ms_fit_problem problem = problem_of(x);
  const ms_fit_setting setting = setting_of(s);
  double best = HUGE_VAL;
  for (ptrdiff_t i = 0; i < s->setting->starts; i++) {
    ms_fit_local local;
    MS_TRY(ms_fit_get_start(s->scatter->ctx, &problem, &setting, s->setting->starts, i, s->start));
    MS_TRY(ms_fit_from(s->scatter->ctx, &problem, &setting, s->start, &local));
    if (local.end == MS_FIT_FAILED || local.sum >= best) continue;
    best = local.sum;
    memcpy(s->p + n * x->k, s->start, (size_t)n * sizeof *s->start);
  }
  ms_context_clear_message(s->scatter->ctx);
  return best < HUGE_VAL ? MS_SUCCESS : fail_fit(x);
}

static ms_status fit_again(one *x) {
  ms_specimens *s = x->s;
  const ptrdiff_t n = s->scatter->n;
  const ms_fit_problem problem = problem_of(x);
  const ms_fit_setting setting = setting_of(s);
  ms_fit_local local;
  ms_fit_judgement j;
  MS_TRY(ms_fit_from(s->scatter->ctx, &problem, &setting, s->p + n * x->k, &local));
  MS_TRY(ms_fit_judge(s->scatter->ctx, &problem, &setting, s->p + n * x->k, &j));
  memcpy(s->covariance + n * n * x->k, j.covariance, (size_t)(n * n) * sizeof *j.covariance);
  memcpy(s->determined + n * x->k, j.determined, (size_t)n * sizeof *j.determined);
  ms_fit_judgement_destroy(s->scatter->ctx, &j);
  return MS_SUCCESS;
}

/* ---- what all specimens leave over ---- */

/* Sums over all specimens, of stiffness and loss: squares left, numbers less those used up. */
typedef struct left_over {
  double squares[2], free[2];
} left_over;

/* v^T C v with v row i of the Jacobian. */
static double used_by(ptrdiff_t n, ptrdiff_t m, const double *jac, ptrdiff_t i, const double *C) {
  double sum = 0.0;
  for (ptrdiff_t a = 0; a < n; a++) {
    for (ptrdiff_t b = 0; b < n; b++) sum += jac[i + m * a] * C[a + n * b] * jac[i + m * b];
  }
  return fmin(sum, 1.0);
}

static ms_status add_left(one *x, left_over *sum) {
  ms_specimens *s = x->s;
  const ms_fit_problem problem = problem_of(x);
  const ms_fit_setting setting = setting_of(s);
  const ptrdiff_t n = problem.n, m = problem.m, rows = count_rows(x);
  double *r = s->scratch, *jac = r + m;
  MS_TRY(ms_fit_jacobian(&problem, &setting, s->p + n * x->k, r, jac, jac + m * n));
  for (ptrdiff_t i = 0; i < rows; i++) {
    const int loss = 2 * i >= rows;
    sum->squares[loss] += r[i] * r[i];
    sum->free[loss] += 1.0 - used_by(n, m, jac, i, s->covariance + n * n * x->k);
  }
  for (ptrdiff_t a = 0; a < n; a++) {
    double square = 0.0;
    for (ptrdiff_t i = 0; i < rows; i++) square += jac[i + m * a] * jac[i + m * a];
    s->sharp[a + n * x->k] = 1.0 / sqrt(square);
  }
  return MS_SUCCESS;
}

static ms_status set_noise(ms_specimens *s, const left_over *sum, double *change) {
  *change = 0.0;
  for (int i = 0; i < 2; i++) {
    if (!(sum->free[i] >= 1.0)) {
      return ms_fail(s->scatter->ctx, MS_ERR_ARGUMENT,
                     "the tests have too few rows to tell their noise: say it");
    }
    double factor =
        fmax(sqrt(sum->squares[i] / sum->free[i]), s->setting->tol.least_noise / s->noise[i]);
    s->noise[i] *= factor;
    *change = fmax(*change, fabs(factor - 1.0));
  }
  return MS_SUCCESS;
}

ms_status ms_specimens_fit(ms_specimens *s, int alone) {
  const int known = s->setting->noise[0] > 0.0 || alone;
  double change = 1.0;
  s->alone = alone;
  for (int i = 0; i < ROUNDS && change > s->setting->tol.noise_settled; i++) {
    left_over sum = { { 0.0 }, { 0.0 } };
    for (ptrdiff_t k = 0; k < s->data->n_specimen; k++) {
      one x = { s, k };
      MS_TRY(fit_again(&x));
      MS_TRY(add_left(&x, &sum));
    }
    if (known) break;
    MS_TRY(set_noise(s, &sum, &change));
  }
  return MS_SUCCESS;
}

/* ---- the first of all fits ---- */

/* Middle value of the specimens, and a deviation from the middle one of the distances to it: a fit
   that went astray counts little. value: room for all specimens. */
static ms_status set_prior(ms_specimens *s, ptrdiff_t i, double *value) {
  const ptrdiff_t n = s->scatter->n, N = s->data->n_specimen;
  const double half = 0.5, to_deviation = 1.4826; /* of a normal distribution */
  double *prior = s->prior + 2 * i;
  for (ptrdiff_t k = 0; k < N; k++) value[k] = s->p[i + n * k];
  MS_TRY(ms_chain_quantiles(s->scatter->ctx, N, value, 1, 1, &half, &prior[0]));
  for (ptrdiff_t k = 0; k < N; k++) value[k] = fabs(s->p[i + n * k] - prior[0]);
  MS_TRY(ms_chain_quantiles(s->scatter->ctx, N, value, 1, 1, &half, &prior[1]));
  prior[1] = fmax(to_deviation * prior[1],
                  s->setting->tol.narrow * (s->bound[i].upper - s->bound[i].lower));
  return MS_SUCCESS;
}

ms_status ms_specimens_begin(ms_specimens *s) {
  const int known = s->setting->noise[0] > 0.0;
  double *value;
  for (int i = 0; i < 2; i++)
    s->noise[i] = known ? s->setting->noise[i] : s->setting->tol.first_noise;
  s->alone = 1;
  for (ptrdiff_t k = 0; k < s->data->n_specimen; k++) {
    one x = { s, k };
    MS_TRY(fit_first(&x));
  }
  MS_TRY(ms_allocate(s->scatter->ctx, s->data->n_specimen, sizeof *value, &value));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < s->scatter->n && status == MS_SUCCESS; i++) {
    status = set_prior(s, i, value);
  }
  ms_free(s->scatter->ctx, &value);
  return status;
}
