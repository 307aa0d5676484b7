/* What the runs along frequency, amplitude and level have in common. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

double ms_problem_scale(const ms_harmonic *h, ptrdiff_t i) {
  return i < h->n * h->P ? h->scale[i / h->P] : h->modal.omega[h->master];
}

double ms_problem_size(ptrdiff_t n, const double *x) {
  return cblas_dnrm2((int)n, x, 1);
}

void ms_problem_column(const ms_harmonic *h, const double *column, double factor, double *to) {
  const ptrdiff_t nP = h->n * h->P;
  for (ptrdiff_t i = 0; i < nP; i++) to[i] = factor * h->scale[i / h->P] * column[i];
  for (ptrdiff_t i = nP; i < nP + 2; i++) to[i] = factor / h->modal.omega[h->master] * column[i];
}

ptrdiff_t ms_problem_nearest(const ms_harmonic *h, double Omega) {
  ptrdiff_t best = 0;
  double least = HUGE_VAL;
  for (ptrdiff_t r = 0; r < h->m; r++) {
    double away = fabs(h->modal.omega[r] - Omega);
    if (h->modal.omega[r] == 0.0 || away >= least) continue;
    least = away;
    best = r;
  }
  return best;
}

ms_status ms_problem_check_range(const ms_harmonic *h, const ms_harmonic_range *range,
                                 const char *what) {
  if (!(range->from > 0.0 && range->to > 0.0 && range->from < HUGE_VAL && range->to < HUGE_VAL)) {
    return ms_fail(h->ctx, MS_ERR_BOUNDS, "%s from %g to %g: both must be > 0 and finite", what,
                   range->from, range->to);
  }
  for (ptrdiff_t i = 0; i < range->n_list; i++) {
    if (range->list[i] > 0.0 && range->list[i] < HUGE_VAL) continue;
    return ms_fail(h->ctx, MS_ERR_BOUNDS, "%s = %g in the list must be > 0 and finite", what,
                   range->list[i]);
  }
  return MS_SUCCESS;
}

ms_status ms_problem_check_mode(const ms_harmonic *h, ptrdiff_t mode) {
  if (mode < 0 || mode >= h->m) {
    return ms_fail(h->ctx, MS_ERR_BOUNDS, "there is no mode %td; modes are 1 to %td", mode + 1,
                   h->m);
  }
  if (h->modal.omega[mode] > 0.0) return MS_SUCCESS;
  return ms_fail(h->ctx, MS_ERR_ARGUMENT, "mode %td is a rigid-body mode: it does not vibrate",
                 mode + 1);
}

void ms_problem_track(ms_harmonic *h, const double *weights) {
  const ptrdiff_t m = h->m;
  double *column = h->gamma + m * h->n;
  h->tracks = 1;
  memset(column, 0, (size_t)m * sizeof *column);
  if (!weights) column[h->master] = 1.0;
  for (ptrdiff_t k = 0; weights && k < m * m; k++) {
    column[k / m] += weights[k % m] * h->structure->shape[k];
  }
}

/* A way to a first point has fewer points than this; one that needs more is lost among folds. */
enum { WAY = 500 };

ms_path ms_problem_path(ms_harmonic_problem *p, ptrdiff_t n, const ms_harmonic_range *range) {
  const ms_harmonic_setting *s = &p->h->setting;
  return (ms_path) { .ctx = p->h->ctx,
                     .n = n,
                     .self = p,
                     .look = ms_problem_look,
                     .tol = &s->tol,
                     .tolerance = s->tolerance,
                     .turn_tolerance = s->turn_tolerance,
                     .turn_margin = s->turn_margin,
                     .newton_max = s->newton_max,
                     .step = s->step,
                     .step_min = s->step_min,
                     .step_max = s->step_max,
                     .points_max = p->h->approaching && s->points_max > WAY ? WAY : s->points_max,
                     .approaching = p->h->approaching,
                     .from = range->from,
                     .to = range->to,
                     .list = range->list,
                     .n_list = range->n_list };
}

static size_t bytes_of_X(const ms_harmonic *h) {
  return (size_t)(h->n * h->P + N_EXTRA) * sizeof *h->X;
}

ms_status ms_problem_eval(ms_harmonic_problem *p) {
  MS_TRY(ms_core_eval(p->h, p->with_zeta));
  memcpy(p->h->X_done, p->h->X, bytes_of_X(p->h));
  return MS_SUCCESS;
}

/* Kinetic energy of the harmonics above the first over that of all. */
static ms_status share_of_higher(ms_harmonic *h, double *share) {
  double first = 0.0, higher = 0.0;
  MS_TRY(ms_linear_recover(h, h->X, h->force, h->modal_motion));
  for (ptrdiff_t r = 0; r < h->m; r++) {
    const double *q = h->modal_motion + h->P * r;
    for (ptrdiff_t k = 1; k <= h->H; k++) {
      double size = (double)(k * k) * (q[2 * k - 1] * q[2 * k - 1] + q[2 * k] * q[2 * k]);
      *(k == 1 ? &first : &higher) += size;
    }
  }
  *share = higher > 0.0 ? higher / (first + higher) : 0.0;
  return MS_SUCCESS;
}

/* What harmonics H + 1 to 2H of the joints' forces would move at the joints, over what moves there:
   roots of energies. They act on the stuck structure, which is the first step of an iteration.
   Joints with curvature are left out. */
static double find_left_out(ms_harmonic *h, const ms_harmonic_point *point) {
  const ptrdiff_t size = 4 * h->H + 1;
  double beyond = 0.0, all = 0.0, *f = h->beyond, *pair = f + size * h->n;
  for (ptrdiff_t i = 0; i < h->n; i++) {
    const double *z = h->X + h->P * i;
    for (ptrdiff_t c = 1; c < h->P; c++) all += pow(h->scale[i] * z[c], 2);
    ms_fourier_analyse(h, size, h->f + h->N * i, f + size * i);
  }
  for (int i = 0; i < h->modal.n_attachment; i++) {
    const ms_harmonic_attachment *s = &h->attachment[i];
    if (s->n_curved > 0) memset(f + size * s->first, 0, (size_t)(size * s->n) * sizeof *f);
  }
  for (ptrdiff_t k = h->H + 1; k <= 2 * h->H; k++) {
    ms_linear_move(h, k, point->omega, h->X[h->n * h->P + AT_ZETA], size, f, pair);
    for (ptrdiff_t i = 0; i < h->n; i++)
      beyond += pow(h->scale[i], 2) * (pow(pair[2 * i], 2) + pow(pair[2 * i + 1], 2));
  }
  return beyond > 0.0 ? sqrt(beyond / all) : 0.0;
}

/* The last point; at a fold, where a multiplier is 1, it has no stability. */
static ms_status mark_turn(ms_harmonic_curve *curve, int turn) {
  ms_harmonic_point *last = &curve->point[curve->count - 1];
  last->turn |= turn;
  if (turn & MS_PATH_FOLD) last->stability = MS_STABILITY_UNKNOWN;
  return MS_SUCCESS;
}

static ms_status record(void *self, const ms_path_point *at) {
  ms_harmonic_problem *p = self;
  ms_harmonic *h = p->h;
  const double *extra = h->X + h->n * h->P;
  if (at->again) return mark_turn(p->curve, at->turn);
  p->place(p, at->x);
  if (memcmp(h->X, h->X_done, bytes_of_X(h)) != 0) MS_TRY(ms_problem_eval(p));
  ms_harmonic_point point = { .omega = extra[AT_OMEGA],
                              .level = extra[AT_LEVEL],
                              .mode = h->master,
                              .q = hypot(extra[AT_Q], extra[AT_Q + 1]),
                              .phase = atan2(-extra[AT_Q + 1], extra[AT_Q]),
                              .zeta_viscous = 0.5 * h->modal.damping[h->master] / extra[AT_OMEGA],
                              .residual = at->residual,
                              .repeat = h->repeat,
                              .iterations = at->iterations,
                              .listed = at->listed };
  MS_TRY(share_of_higher(h, &point.higher));
  point.left_out = find_left_out(h, &point);
  if (p->finish) p->finish(p, &point);
  if (!p->with_zeta) MS_TRY(ms_stability_eval(h, &point));
  p->curve->info.worst = fmax(p->curve->info.worst, at->residual);
  MS_TRY(ms_curve_append(p->curve, h, &point));
  MS_TRY(mark_turn(p->curve, at->turn));
  return p->enough > 0.0 && point.level >= p->enough ? MS_CANCELLED : MS_SUCCESS;
}

static ms_status go_on(ms_harmonic_problem *p, ms_path *path) {
  const double *state;
  MS_TRY(ms_problem_load(p, path, &state));
  return ms_path_go_on(path, state);
}

static ms_status follow(ms_harmonic_problem *p, ms_path *path, const double *x) {
  ms_harmonic_curve_info *info = &p->curve->info;
  path->record = record;
  ms_status status = ms_path_open(path);
  if (status == MS_SUCCESS) status = p->resume ? go_on(p, path) : ms_path_run(path, x);
  info->complete = path->complete;
  info->ended = path->ended;
  info->missed = path->missed;
  info->steps = path->steps;
  info->rejected = path->rejected;
  info->evaluations = p->h->evaluations;
  memcpy(p->curve->reason, path->reason, sizeof path->reason);
  ms_path_close(path);
  return status;
}

ms_status ms_problem_run(ms_harmonic_problem *p, ms_path *path, const double *x,
                         ms_harmonic_curve **out) {
  p->h->evaluations = 0;
  p->h->X_done[p->h->n * p->h->P + AT_OMEGA] = 0.0; /* nothing is done yet */
  MS_TRY(ms_curve_create(p->h, &p->curve));
  p->curve->is_mode = p->with_zeta;
  ms_status status = follow(p, path, x);
  if (status == MS_SUCCESS || (status == MS_CANCELLED && p->curve->count > 0)) {
    *out = p->curve;
  } else {
    ms_harmonic_curve_destroy(&p->curve);
  }
  return status;
}
