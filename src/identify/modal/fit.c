/* The fit of a modal Iwan model: the continuous form to all points first, from many starts; then,
   for the printed form, points are chosen by the phi_max found so far and fitted until the choice
   stands. */
#include <cminpack.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "core/internal.h"
#include "identify/modal/fit.h"

/* ---- least squares ---- */

typedef struct problem {
  const ms_modal_points *points;
  double x[MS_MODAL_N];
  int free[MS_MODAL_N], n_free;
} problem;

static int evaluate(void *user, int m, int n, const double *y, double *r, double *jac, int ld,
                    int flag) {
  problem *p = user;
  (void)ld;
  for (int k = 0; k < n; k++) p->x[p->free[k]] = y[k];
  if (flag == 1) ms_modal_residual(p->points, p->x, n, p->free, r, NULL);
  if (flag == 2) { /* r must stay: the last column of the workspace takes what is computed again */
    ms_modal_residual(p->points, p->x, n, p->free, jac + (ptrdiff_t)m * MS_MODAL_N, jac);
  }
  return 0;
}

void ms_modal_least_squares(ms_modal_work *w, const ms_modal_points *points, unsigned mask,
                            ms_modal_run *run) {
  enum { N = MS_MODAL_N };
  const ms_modal_fit_setting *s = w->setting;
  problem p = { .points = points };
  double y[N], diag[N], qtf[N], wa[3][N];
  int pivot[N], n_jac, m = (int)(2 * points->n_bin);
  for (int i = 0; i < N; i++) {
    p.x[i] = run->x[i];
    if (!(mask >> i & 1)) continue;
    y[p.n_free] = run->x[i];
    p.free[p.n_free++] = i;
  }
  int info = lmder(evaluate, &p, m, p.n_free, y, w->r, w->jac, m, s->tolerance, s->tolerance, 0.0,
                   s->max_evaluations, diag, 1, 10.0, 0, &run->evaluations, &n_jac, pivot, qtf,
                   wa[0], wa[1], wa[2], w->spare);
  for (int k = 0; k < p.n_free; k++) {
    int i = p.free[k];
    run->x[i] = fmin(fmax(y[k], ms_fit_lower[i]), ms_fit_upper[i]);
  }
  run->converged = info != 5;
  run->sum = 0.0;
  for (int i = 0; i < m; i++) run->sum += w->r[i] * w->r[i];
}

/* ---- the state of a fit ---- */

typedef struct fit {
  ms_context *ctx;
  ms_modal_fit_setting setting;
  ms_modal_points all, coarse, used;
  ms_modal_work work;
  double omega_ref, q_ref;
  ms_modal_run run;
  ms_modal_part part;
  ms_modal_fit_report report;
} fit;

static void close_fit(fit *f) {
  ms_free(f->ctx, &f->all.at);
  ms_free(f->ctx, &f->coarse.at);
  ms_free(f->ctx, &f->used.at);
  ms_free(f->ctx, &f->work.r);
  ms_free(f->ctx, &f->work.jac);
  ms_free(f->ctx, &f->work.spare);
}

void ms_modal_fit_default(ms_modal_fit_setting *setting, size_t size) {
  ms_settings_fill(&(ms_modal_fit_setting)MS_MODAL_FIT_DEFAULT, setting, size);
}

static ms_status check_setting(ms_context *ctx, const ms_modal_fit_setting *s) {
  const struct {
    const char *name;
    int holds;
    const char *rule;
  } rule[] = {
    { "form", s->form == MS_MODAL_PRINTED || s->form == MS_MODAL_CONTINUOUS, "one of the two" },
    { "lo", s->lo > 0.0 && s->lo <= 1.0, "in (0, 1]" },
    { "hi", isfinite(s->hi) && s->hi >= 1.0, "1 or more" },
    { "bins_per_decade", isfinite(s->bins_per_decade) && s->bins_per_decade >= 0.0, "0 or more" },
    { "omega_weight", isfinite(s->omega_weight) && s->omega_weight > 0.0, "above 0" },
    { "shift_floor", isfinite(s->shift_floor) && s->shift_floor > 0.0, "above 0" },
    { "tolerance", s->tolerance > 0.0 && s->tolerance < 1.0, "in (0, 1)" },
    { "max_evaluations", s->max_evaluations > 0, "above 0" },
    { "max_selections", s->max_selections > 0, "above 0" },
    { "weak", s->weak >= 0.0 && s->weak < 1.0, "in [0, 1)" },
    { "vague", s->vague > 0.0, "above 0" },
  };
  for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
    if (rule[i].holds) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "modal fit: setting %s must be %s", rule[i].name,
                   rule[i].rule);
  }
  return MS_SUCCESS;
}

static ms_status check_data(ms_context *ctx, ptrdiff_t n, const double *q, const double *omega,
                            const double *zeta) {
  const struct {
    const char *name;
    const double *value;
  } column[] = { { "amplitude q", q }, { "omega", omega }, { "zeta", zeta } };
  if (n < MS_MODAL_MIN_POINTS) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "modal fit: %td points; six parameters need at least %d, from microslip to "
                   "macroslip",
                   n, MS_MODAL_MIN_POINTS);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    for (int c = 0; c < 3; c++) {
      double v = column[c].value[i];
      if (isfinite(v) && v > 0.0) continue;
      return ms_fail(ctx, MS_ERR_BOUNDS,
                     "modal fit: row %td of %td: %s = %g; it must be finite and above zero", i + 1,
                     n, column[c].name, v);
    }
  }
  return MS_SUCCESS;
}

static int by_amplitude(const void *a, const void *b) {
  const ms_modal_point *p = a, *q = b;
  if (p->ln_q != q->ln_q) return p->ln_q < q->ln_q ? -1 : 1;
  if (p->omega != q->omega) return p->omega < q->omega ? -1 : 1;
  return (p->ln_zeta > q->ln_zeta) - (p->ln_zeta < q->ln_zeta);
}

/* Sorted dimensionless points: amplitudes over their geometric mean, frequencies over the largest.
 */
static ms_status load_points(fit *f, ptrdiff_t n, const double *q, const double *omega,
                             const double *zeta) {
  MS_TRY(ms_allocate(f->ctx, n, sizeof *f->all.at, &f->all.at));
  double mean = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    mean += log(q[i]) / (double)n;
    f->omega_ref = fmax(f->omega_ref, omega[i]);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    f->all.at[i] = (ms_modal_point) { .ln_q = log(q[i]) - mean,
                                      .omega = omega[i] / f->omega_ref,
                                      .ln_zeta = log(zeta[i]) };
  }
  f->q_ref = exp(mean);
  f->all.n = n;
  qsort(f->all.at, (size_t)n, sizeof *f->all.at, by_amplitude);
  ms_modal_points_bin(&f->all, f->all.at[0].ln_q, f->setting.bins_per_decade);
  return MS_SUCCESS;
}

static ms_status check_bins(fit *f, const ms_modal_points *p, const char *where) {
  if (p->n_bin > INT_MAX / (2 * MS_MODAL_N + 2)) {
    return ms_fail(f->ctx, MS_ERR_OVERFLOW, "modal fit: %td bins are too many; use larger bins",
                   p->n_bin);
  }
  if (p->n_bin >= MS_MODAL_MIN_BINS && p->n >= MS_MODAL_MIN_POINTS) return MS_SUCCESS;
  return ms_fail(f->ctx, MS_ERR_ARGUMENT,
                 "modal fit: %td points in %td bins of amplitude%s; at least %d points in %d bins "
                 "are needed: measure over a wider range of amplitudes%s",
                 p->n, p->n_bin, where, MS_MODAL_MIN_POINTS, MS_MODAL_MIN_BINS,
                 *where ? " or fit the continuous form" : "");
}

/* The range of the bins' mean frequencies is the total shift. */
static void scale_frequencies(fit *f) {
  double low = HUGE_VAL, high = 0.0;
  f->all.omega_scale = 1.0;
  ms_modal_points_coarsen(&f->all, &f->coarse);
  for (ptrdiff_t b = 0; b < f->coarse.n; b++) {
    low = fmin(low, f->coarse.at[b].omega);
    high = fmax(high, f->coarse.at[b].omega);
  }
  if (high - low < f->setting.shift_floor * high) f->report.warnings |= MS_MODAL_NO_SHIFT;
  double shift = fmax(high - low, f->setting.shift_floor * high);
  f->all.omega_scale = f->coarse.omega_scale = shift / f->setting.omega_weight;
}

static ms_status open_fit(fit *f, ptrdiff_t n, const double *q, const double *omega,
                          const double *zeta) {
  MS_TRY(check_setting(f->ctx, &f->setting));
  MS_TRY(check_data(f->ctx, n, q, omega, zeta));
  MS_TRY(load_points(f, n, q, omega, zeta));
  MS_TRY(check_bins(f, &f->all, ""));
  MS_TRY(ms_allocate(f->ctx, f->all.n_bin, sizeof *f->coarse.at, &f->coarse.at));
  MS_TRY(ms_allocate(f->ctx, n, sizeof *f->used.at, &f->used.at));
  ptrdiff_t m = 2 * f->all.n_bin;
  MS_TRY(ms_allocate(f->ctx, m, sizeof *f->work.r, &f->work.r));
  MS_TRY(ms_allocate(f->ctx, m * (MS_MODAL_N + 1), sizeof *f->work.jac, &f->work.jac));
  MS_TRY(ms_allocate(f->ctx, m + 64, sizeof *f->work.spare, &f->work.spare));
  f->work.setting = &f->setting;
  scale_frequencies(f);
  return MS_SUCCESS;
}

/* ---- the continuous form ---- */

/* What the least-squares iteration may move when phi_max and beta are given. */
enum { MICROSLIP_ONLY = MS_FIT_ALL & ~(1 << MS_FIT_LN_PHI | 1 << MS_FIT_LN_BETA) };

/* Data from microslip alone determine four combinations; a fifth and sixth would fit their noise.
   So where macroslip is not far below the largest amplitude, four variables with phi_max at twice
   the largest amplitude and beta = 1 are preferred unless six do significantly better: F-test at
   about one in a thousand, and nothing to choose between two perfect fits. */
static void prefer_microslip(fit *f, const ms_modal_points *points) {
  double ln_q_max = points->at[points->n - 1].ln_q, m = 2.0 * (double)points->n_bin;
  if (f->part != MS_MODAL_TAME && ln_q_max > f->run.x[MS_FIT_LN_PHI] + log(3.0)) return;
  ms_modal_run four = f->run;
  four.x[MS_FIT_LN_PHI] = ln_q_max + log(2.0);
  four.x[MS_FIT_LN_BETA] = 0.0;
  ms_modal_shape old = ms_modal_shape_at(f->run.x); /* keep R = K_T p s / phi_max^p */
  double ln_K_T = log(old.kappa * old.K_0 * 2.0 / (1.0 + old.beta)) +
                  old.p * (four.x[MS_FIT_LN_PHI] - old.ln_phi);
  double part = fmin(exp(ln_K_T) / old.K_0, 0.5);
  four.x[MS_FIT_LOGIT] = log(part / (1.0 - part));
  ms_modal_least_squares(&f->work, points, MICROSLIP_ONLY, &four);
  double better = (four.sum - f->run.sum) / 2.0, noise = f->run.sum / fmax(m - 6.0, 1.0);
  if (f->part != MS_MODAL_TAME && four.sum > 1e-18 * m && better > 10.0 * noise) return;
  f->run = four;
  f->report.warnings |= MS_MODAL_NO_MACROSLIP;
}

static void fit_continuous(fit *f) {
  ms_modal_start(&f->work, &f->coarse, &f->run, &f->report.starts);
  ms_modal_least_squares(&f->work, &f->all, MS_FIT_ALL, &f->run);
  prefer_microslip(f, &f->all);
  const ms_modal_points *p = &f->all;
  if (p->at[0].ln_q > f->run.x[MS_FIT_LN_PHI]) f->report.warnings |= MS_MODAL_NO_MICROSLIP;
}

/* ---- the printed form ---- */

static void select_points(fit *f, double ln_phi) {
  const ms_modal_fit_setting *s = &f->setting;
  ms_modal_points_select(&f->all, ln_phi + log(s->lo), ln_phi + log(s->hi), &f->used);
  ms_modal_points_bin(&f->used, f->all.at[0].ln_q, s->bins_per_decade);
}

/* Which variables the chosen points can move: microslip alone fixes neither phi_max nor beta,
   macroslip alone only K_inf, F_S and zeta_0. */
static unsigned movable(const ms_modal_points *used, unsigned *warnings) {
  *warnings &= ~(unsigned)(MS_MODAL_NO_MACROSLIP | MS_MODAL_NO_MICROSLIP);
  if (!used->at[used->n - 1].far) {
    *warnings |= MS_MODAL_NO_MACROSLIP;
    return MICROSLIP_ONLY;
  }
  if (!used->at[0].far) return MS_FIT_ALL;
  *warnings |= MS_MODAL_NO_MICROSLIP;
  return 1 << MS_FIT_LN_K0 | 1 << MS_FIT_LN_ZETA | 1 << MS_FIT_LN_PHI;
}

/* The two edges of the choice, as counts. */
typedef struct edges {
  ptrdiff_t below, above;
} edges;

static edges edges_of(const ms_modal_points *used) {
  edges e = { 0, 0 };
  while (e.below < used->n && !used->at[e.below].far) e.below++;
  e.above = used->n - e.below;
  return e;
}

/* Fit, choose again, until the choice stands; after some rounds go half the way only, in case it
   swings between two. */
static ms_status settle(fit *f, ms_modal_run *run, double *chosen, int *rounds,
                        unsigned *warnings) {
  double ln_phi = run->x[MS_FIT_LN_PHI];
  edges last = { -1, -1 };
  *warnings |= MS_MODAL_UNSTABLE;
  for (*rounds = 0; *rounds < f->setting.max_selections; (*rounds)++) {
    *chosen = ln_phi;
    select_points(f, ln_phi);
    MS_TRY(check_bins(f, &f->used,
                      " outside the range that the published (piecewise) form leaves out"));
    edges now = edges_of(&f->used);
    if (now.below == last.below && now.above == last.above) {
      *warnings &= ~(unsigned)MS_MODAL_UNSTABLE;
      return MS_SUCCESS;
    }
    last = now;
    ms_modal_least_squares(&f->work, &f->used, movable(&f->used, warnings), run);
    double next = run->x[MS_FIT_LN_PHI];
    ln_phi = *rounds < 10 ? next : 0.5 * (ln_phi + next);
  }
  return MS_SUCCESS;
}

/* Mean square of the points kept. */
static double score_of(const fit *f, const ms_modal_run *run) {
  double freedom = 2.0 * (double)f->used.n_bin - 6.0;
  return run->sum / fmax(freedom, 1.0);
}

/* Variables to begin with: those of the continuous form or, `anew`, from the points chosen by
   ln_phi. */
static ms_modal_run begin_at(fit *f, const ms_modal_run *continuous, double ln_phi, int anew) {
  ms_modal_run run = *continuous;
  if (anew) {
    select_points(f, ln_phi);
    ms_modal_points_coarsen(&f->used, &f->coarse);
    if (f->used.n > 0) ms_modal_scan(&f->work, &f->coarse, ln_phi, &run);
  }
  run.x[MS_FIT_LN_PHI] = ln_phi;
  return run;
}

/* The continuous form is a good first guess where the data are smooth. Where they jump as the
   printed form does it may be off, so other values of phi_max are tried as well, and taken if they
   describe the points they keep much better. Without points on both sides a choice cannot be
   compared. */
static ms_status fit_printed(fit *f) {
  static const double factor[] = { 1.0, 0.5, 0.71, 1.4, 2.0 };
  enum { N_FACTOR = sizeof factor / sizeof *factor };
  const ms_modal_run first = f->run;
  double best = HUGE_VAL, chosen = 0.0, choice = 0.0;
  unsigned before = f->report.warnings & ~(unsigned)MS_MODAL_NO_MACROSLIP;
  for (int i = 0; i < 2 * N_FACTOR; i++) {
    double ln_phi = first.x[MS_FIT_LN_PHI] + log(factor[i % N_FACTOR]);
    ms_modal_run run = begin_at(f, &first, ln_phi, i / N_FACTOR);
    unsigned warnings = before;
    int rounds;
    ms_status status = settle(f, &run, &chosen, &rounds, &warnings);
    if (status != MS_SUCCESS && i == 0) return status;
    double score = score_of(f, &run);
    if (status != MS_SUCCESS || (i > 0 && warnings != before) || !(score < 0.25 * best)) continue;
    best = score;
    choice = chosen;
    f->run = run;
    f->report.warnings = warnings;
    f->report.selections = rounds;
    if (warnings & (MS_MODAL_NO_MACROSLIP | MS_MODAL_NO_MICROSLIP)) break;
  }
  ms_context_clear_message(f->ctx);
  select_points(f, choice);
  return MS_SUCCESS;
}

/* ---- the whole ---- */

static ms_status make_model(fit *f, ms_modal_iwan *model) {
  ms_modal_shape shape = ms_modal_shape_at(f->run.x);
  double v[MS_MODAL_N], square = f->omega_ref * f->omega_ref;
  ms_modal_parameters(&shape, v);
  v[MS_MODAL_K_INF] *= square;
  v[MS_MODAL_K_T] *= square;
  v[MS_MODAL_F_S] *= square * f->q_ref;
  return ms_identify_make_modal(f->ctx, v, model);
}

/* Where the data hardly pass phi_max, one biased point at the top looks like macroslip. So a fit
   without the highest bin must know the slip force as well. */
static ms_status ask_without_top(fit *f) {
  const ms_modal_points *p = &f->all;
  const ms_modal_point *at = p->at;
  ms_modal_iwan model;
  ms_modal_fit_report without;
  double *q;
  ptrdiff_t n = 0;
  if (!f->report.determined[MS_MODAL_F_S] || f->report.q_max > 3.0 * f->report.phi_max)
    return MS_SUCCESS;
  MS_TRY(ms_allocate(f->ctx, 3 * p->n, sizeof *q, &q));
  for (ptrdiff_t i = 0; i < p->n && at[i].bin < p->n_bin - 1; i++, n++) {
    q[i] = f->q_ref * exp(at[i].ln_q);
    q[p->n + i] = f->omega_ref * at[i].omega;
    q[2 * p->n + i] = exp(at[i].ln_zeta);
  }
  ms_status status = ms_modal_fit_part(f->ctx, n, q, q + p->n, q + 2 * p->n, &f->setting,
                                       MS_MODAL_UNASKED, &model, &without);
  ms_free(f->ctx, &q);
  if (status == MS_ERR_ARGUMENT) ms_context_clear_message(f->ctx); /* too few points are left */
  if (status != MS_SUCCESS && status != MS_ERR_ARGUMENT) return status;
  ms_modal_rest_on_one(status == MS_SUCCESS ? &without : NULL, &f->report);
  return MS_SUCCESS;
}

static ms_status run_fit(fit *f, ms_modal_iwan *model) {
  fit_continuous(f);
  const ms_modal_points *points = &f->all;
  if (f->setting.form == MS_MODAL_PRINTED) {
    MS_TRY(fit_printed(f));
    points = &f->used;
  }
  if (!f->run.converged) f->report.warnings |= MS_MODAL_UNFINISHED;
  f->report.n_points = f->all.n;
  f->report.iterations = f->run.evaluations;
  MS_TRY(make_model(f, model));
  MS_TRY(ms_modal_judge(f->ctx, &f->work, points, &f->run, f->omega_ref, f->q_ref, &f->report));
  return f->part == MS_MODAL_WHOLE ? ask_without_top(f) : MS_SUCCESS;
}

ms_status ms_modal_fit_part(ms_context *ctx, ptrdiff_t n, const double *q, const double *omega,
                            const double *zeta, const ms_modal_fit_setting *setting,
                            ms_modal_part part, ms_modal_iwan *model, ms_modal_fit_report *report) {
  fit f = { .ctx = ctx, .setting = MS_MODAL_FIT_DEFAULT, .part = part };
  ms_modal_iwan found;
  MS_TAKE(ctx, ms_modal_fit_default, setting, f.setting);
  ms_status status = open_fit(&f, n, q, omega, zeta);
  if (status == MS_SUCCESS) status = run_fit(&f, &found);
  close_fit(&f);
  if (status != MS_SUCCESS) return status;
  *model = found;
  if (report) *report = f.report;
  return MS_SUCCESS;
}

ms_status ms_identify_fit_modal(ms_context *ctx, ptrdiff_t n, const double *q, const double *omega,
                                const double *zeta, const ms_modal_fit_setting *setting,
                                ms_modal_iwan *model, ms_modal_fit_report *report) {
  return ms_modal_fit_part(ctx, n, q, omega, zeta, setting, MS_MODAL_WHOLE, model, report);
}
