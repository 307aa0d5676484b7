/* Targets that are measured stepped sines: harmonic balance at each measured frequency and force,
   compared in amplitude and phase.

   Newton's method begins at the measured motion, so that of several solutions at a frequency it
   comes to the one that was measured. Where it does not converge, the amplitude is held first and
   then the level followed from what that takes; else it begins at the solution of the row before,
   else from a small force up. Derivatives are differences of solutions, each begun at that of p: as
   the equations are smooth there, an iteration or two. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "experiment/periodic.h"
#include "identify/calibrate/residuals.h"
#include "structure/impl.h"

/* Columns of a target: of its view, then the model's amplitude and phase, and the force. */
enum { OMEGA, AMPLITUDE, PHASE, AMPLITUDE_AT, PHASE_AT, LEVEL, COLUMNS };

typedef struct stepped {
  ms_residuals is;
  ms_structure *structure; /* of its own, since every evaluation sets it up anew */
  double *weights;         /* 1 at a target's sensor, else 0 */
  double **state;          /* of each target: solutions of its rows at p, `size` numbers each */
  ptrdiff_t size;
  double *solution; /* amplitude and phase of every row at p, target after target */
} stepped;

static double *column_of(const ms_residuals *self, ptrdiff_t k, int c) {
  return self->target[k].store + self->target[k].is.n * c;
}

/* ---- targets ---- */

static ms_status check(ms_structure *structure, const ms_target *t) {
  ms_context *ctx = structure->ctx;
  const ms_shaker_option *o = &t->is.shaker;
  MS_NEED(ctx, t->level && o->force);
  MS_TRY(ms_points_check(ctx, t, ms_shaker_residuals.column));
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (t->level[i] > 0.0 && t->level[i] < HUGE_VAL) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: row %d has force %g, which must be positive",
                   ms_points_name(t), ms_points_row(t, i), t->level[i]);
  }
  if (o->sensor >= 0 && o->sensor < structure->n && o->harmonics >= 1 &&
      o->times >= 4 * (ptrdiff_t)o->harmonics + 4) {
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "%s: there is no coordinate %td, or harmonics %d < 1, or times %td < 4 harmonics "
                 "+ 4",
                 ms_points_name(t), o->sensor, o->harmonics, o->times);
}

/* The order of the file stays: levels one after the other, up or down. */
static ms_status take(ms_residuals *self, const ms_target *from, ms_own_target *to) {
  ptrdiff_t n = 0, k = 0;
  for (ptrdiff_t i = 0; i < from->n; i++) n += ms_points_is_inside(from, i);
  MS_TRY(ms_points_reserve(self->ctx, n, COLUMNS, to));
  MS_TRY(ms_allocate(self->ctx, n, sizeof *to->unreached, &to->unreached));
  for (ptrdiff_t i = 0; i < from->n; i++) {
    if (!ms_points_is_inside(from, i)) continue;
    to->store[k + n * OMEGA] = from->x[i];
    to->store[k + n * AMPLITUDE] = from->y[0][i];
    to->store[k + n * PHASE] = from->y[1][i];
    to->store[k + n * LEVEL] = from->level[i];
    to->row[k++] = ms_points_row(from, i);
  }
  to->is.level = to->view.level = to->store + n * LEVEL;
  to->view.model[0] = to->store + n * AMPLITUDE_AT;
  to->view.model[1] = to->store + n * PHASE_AT;
  to->view.scale[1] = 1.0;
  to->view.unreached = to->unreached;
  return MS_SUCCESS;
}

static void close_stepped(ms_residuals *self) {
  stepped *x = (stepped *)self;
  ms_places_free(&self->places); /* of the structure's joints */
  self->places = (ms_places) { .n = 0 };
  for (ptrdiff_t k = 0; x->state && k < self->n_target; k++) ms_free(self->ctx, &x->state[k]);
  ms_free(self->ctx, &x->state);
  ms_free(self->ctx, &x->solution);
  ms_free(self->ctx, &x->weights);
  ms_structure_destroy(&x->structure);
}

static ms_status open_stepped(ms_residuals *self, ms_structure *structure,
                              const ms_free_parameter *parameter) {
  stepped *x = (stepped *)self;
  MS_TRY(ms_allocate(self->ctx, structure->n, sizeof *x->weights, &x->weights));
  MS_TRY(ms_allocate(self->ctx, self->n_target, sizeof *x->state, &x->state));
  MS_TRY(ms_allocate(self->ctx, self->n_residual, sizeof *x->solution, &x->solution));
  MS_TRY(ms_structure_copy(self->ctx, structure, &x->structure));
  return ms_places_take(x->structure, self->n_parameter, parameter, &self->places);
}

/* ---- one row ---- */

/* A target's balance; one for all its rows. */
typedef struct balance {
  stepped *x;
  ptrdiff_t k;
  ms_harmonic *h;
  double *motion; /* coefficients of the sensor's */
} balance;

static ms_status open_balance(stepped *x, ptrdiff_t k, balance *b) {
  const ms_shaker_option *o = &x->is.target[k].is.is.shaker;
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  *b = (balance) { x, k, NULL, NULL };
  setting.harmonics = o->harmonics;
  setting.times = o->times;
  setting.stability_modes = 0;
  MS_TRY(ms_allocate(x->is.ctx, 2 * (ptrdiff_t)o->harmonics + 1, sizeof *b->motion, &b->motion));
  return ms_periodic_open(x->structure, &setting, o->force, o->preload, &b->h);
}

static void close_balance(balance *b) {
  ms_harmonic_destroy(&b->h);
  ms_free(b->x->is.ctx, &b->motion);
}

/* The phase is the one nearest to the measured. */
static ms_status read_row(const balance *b, const ms_harmonic_curve *curve, ptrdiff_t i) {
  const double *phase = column_of(&b->x->is, b->k, PHASE) + i;
  double *residual = &b->x->is.target[b->k].view.residual;
  MS_TRY(ms_harmonic_recover(b->h, curve, 0, b->x->weights, b->motion));
  const double angle = atan2(-b->motion[2], b->motion[1]);
  column_of(&b->x->is, b->k, AMPLITUDE_AT)[i] = hypot(b->motion[1], b->motion[2]);
  column_of(&b->x->is, b->k, PHASE_AT)[i] = *phase + remainder(angle - *phase, 2.0 * MS_PI);
  *residual = fmax(*residual, ms_harmonic_curve_get_point(curve, 0)->residual);
  return MS_SUCCESS;
}

/* From a motion near the solution: two coefficients of the sensor, or a solution; or from nothing.
   The solution into `state`, unless that is NULL. */
static ms_status solve_row(const balance *b, ptrdiff_t i, const double *near, const double *start,
                           double *state) {
  const double omega = column_of(&b->x->is, b->k, OMEGA)[i];
  const ms_harmonic_range range = {
    .from = omega, .to = omega, .watch = b->x->weights, .near = near, .start = start
  };
  ms_harmonic_curve *curve = NULL;
  MS_TRY(ms_harmonic_run_forced(b->h, &range, column_of(&b->x->is, b->k, LEVEL)[i], &curve));
  ms_status status = read_row(b, curve, i);
  if (status == MS_SUCCESS && state) ms_harmonic_save(curve, 0, state);
  ms_harmonic_curve_destroy(&curve);
  return status;
}

/* The level at which the model's amplitude is the measured one, and from there to that of the row:
   a curve without folds, and a short way along the level. */
static ms_status lead_row(const balance *b, ptrdiff_t i, const double *near, double *state) {
  const double A = column_of(&b->x->is, b->k, AMPLITUDE)[i];
  const double omega = column_of(&b->x->is, b->k, OMEGA)[i];
  ms_harmonic_range range = { .from = omega, .to = omega, .watch = b->x->weights, .near = near };
  ms_harmonic_curve *curve = NULL;
  MS_TRY(ms_harmonic_run_held(b->h, &range, A, &curve));
  ms_harmonic_save(curve, 0, state);
  range = (ms_harmonic_range) { .from = ms_harmonic_curve_get_point(curve, 0)->level,
                                .to = column_of(&b->x->is, b->k, LEVEL)[i],
                                .start = state };
  ms_harmonic_curve_destroy(&curve);
  if (!(range.from > 0.0)) return MS_NOT_CONVERGED; /* against the phase */
  MS_TRY(ms_harmonic_run_level(b->h, omega, &range, &curve));
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  if (info.complete) ms_harmonic_save(curve, info.points - 1, state);
  ms_harmonic_curve_destroy(&curve);
  return info.complete ? solve_row(b, i, NULL, state, state) : MS_NOT_CONVERGED;
}

/* The model's motion is not the measured one, nor near it. */
static int is_elsewhere(const balance *b, ptrdiff_t i) {
  const double A = column_of(&b->x->is, b->k, AMPLITUDE)[i];
  const double at = column_of(&b->x->is, b->k, AMPLITUDE_AT)[i];
  const double turn =
      column_of(&b->x->is, b->k, PHASE_AT)[i] - column_of(&b->x->is, b->k, PHASE)[i];
  return hypot(at * cos(turn) - A, at * sin(turn)) > ms_identify_tol.elsewhere * A;
}

static ms_status find_row(const balance *b, ptrdiff_t i, double *state) {
  ms_own_target *t = &b->x->is.target[b->k];
  const double A = column_of(&b->x->is, b->k, AMPLITUDE)[i];
  const double phase = column_of(&b->x->is, b->k, PHASE)[i];
  const double near[2] = { A * cos(phase), -A * sin(phase) };
  ms_status status = solve_row(b, i, near, NULL, state);
  if (status == MS_NOT_CONVERGED) status = lead_row(b, i, near, state);
  const int lost = status == MS_NOT_CONVERGED;
  if (status == MS_NOT_CONVERGED && i > 0) {
    status = solve_row(b, i, NULL, state - b->x->size, state);
  }
  if (status == MS_NOT_CONVERGED) status = solve_row(b, i, NULL, NULL, state);
  t->unreached[i] = lost || (status == MS_SUCCESS && is_elsewhere(b, i));
  if (status == MS_SUCCESS) ms_context_clear_message(b->x->is.ctx);
  if (status != MS_NOT_CONVERGED) return status;
  return ms_fail_at(b->x->is.ctx, status, "%s: row %d (omega = %g rad/s, force %g) is out of reach",
                    t->is.name, t->row[i], t->is.x[i], t->is.level[i]);
}

/* ---- all rows ---- */

/* With `start` from the solutions at p, which stay. */
static ms_status run_target(stepped *x, ptrdiff_t k, int start) {
  ms_own_target *t = &x->is.target[k];
  balance b;
  x->weights[t->is.is.shaker.sensor] = 1.0;
  ms_status status = open_balance(x, k, &b);
  if (status == MS_SUCCESS) x->size = ms_harmonic_state_size(b.h);
  if (status == MS_SUCCESS && !x->state[k]) {
    status = ms_allocate(x->is.ctx, t->is.n * x->size, sizeof *x->state[k], &x->state[k]);
  }
  for (ptrdiff_t i = 0; i < t->is.n && status == MS_SUCCESS; i++) {
    double *state = x->state[k] + x->size * i;
    status = start ? solve_row(&b, i, NULL, state, NULL) : find_row(&b, i, state);
  }
  close_balance(&b);
  x->weights[t->is.is.shaker.sensor] = 0.0;
  return status;
}

static ms_status run_all(ms_residuals *self, const double *p, int start) {
  stepped *x = (stepped *)self;
  ms_status status = ms_places_set_all(&self->places, p);
  if (status == MS_SUCCESS) status = ms_structure_setup(x->structure);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < self->n_target; k++) {
    if (!start) self->target[k].view.residual = 0.0;
    status = run_target(x, k, start);
  }
  return ms_places_soften(status);
}

static ms_status run(ms_residuals *self, const double *p) {
  return run_all(self, p, 0);
}

static void fill(const ms_residuals *self, ptrdiff_t k, double *r) {
  const ms_target *t = &self->target[k].is;
  const double *A = column_of(self, k, AMPLITUDE_AT), *phase = column_of(self, k, PHASE_AT);
  const double wa = sqrt(t->weight[0]), wp = sqrt(t->weight[1]);
  for (ptrdiff_t i = 0; i < t->n; i++) {
    r[i] = wa * log(fmax(A[i] / t->y[0][i], ms_identify_tol.least_loss));
    r[t->n + i] = wp * (phase[i] - t->y[1][i]);
  }
}

static double misfit(const ms_residuals *self, ptrdiff_t k, int i) {
  const ms_target_view *v = &self->target[k].view;
  double sum = 0.0;
  for (ptrdiff_t j = 0; j < v->n; j++) {
    const double d = v->model[i][j] - v->target[i][j], e = i == 0 ? d / v->target[0][j] : d;
    sum += e * e;
  }
  return sum / (double)v->n;
}

/* ---- derivatives ---- */

/* Amplitudes and phases of all rows, to or from. */
static void copy_solution(const ms_residuals *self, int back) {
  double *at = ((const stepped *)self)->solution;
  for (ptrdiff_t k = 0; k < self->n_target; k++) {
    const ptrdiff_t n = 2 * self->target[k].is.n;
    double *model = column_of(self, k, AMPLITUDE_AT);
    memcpy(back ? model : at, back ? at : model, (size_t)n * sizeof *at);
    at += n;
  }
}

/* Column j: from above, or where there is no solution from below. */
static ms_status differ(ms_residuals *self, double *p, ptrdiff_t j, const double *r, double *jac) {
  const double middle = p[j], size = ms_identify_tol.difference * fabs(middle);
  double h = size > 0.0 ? size : ms_identify_tol.difference;
  p[j] = middle + h;
  ms_status status = run_all(self, p, 1);
  if (status == MS_NOT_CONVERGED) {
    h = -h;
    p[j] = middle + h;
    status = run_all(self, p, 1);
  }
  p[j] = middle;
  MS_TRY(status);
  for (ptrdiff_t k = 0; k < self->n_target; k++) fill(self, k, jac + ms_residuals_first(self, k));
  for (ptrdiff_t i = 0; i < self->n_residual; i++) jac[i] = (jac[i] - r[i]) / h;
  return MS_SUCCESS;
}

static ms_status differentiate(ms_residuals *self, const double *p, double *r, double *jac) {
  double *moved = self->scratch;
  self->by_differences = 1;
  MS_TRY(ms_residuals_eval(self, p, r, NULL));
  copy_solution(self, 0);
  memcpy(moved, p, (size_t)self->n_parameter * sizeof *p);
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t j = 0; j < self->n_parameter && status == MS_SUCCESS; j++) {
    status = differ(self, moved, j, r, jac + self->n_residual * j);
  }
  copy_solution(self, 1);
  return status;
}

const ms_residual_kind ms_shaker_residuals = {
  .quantity = { "amplitude", "phase" },
  .column = { "frequency", "amplitude", "phase" },
  .size = sizeof(stepped),
  .check = check,
  .take = take,
  .open = open_stepped,
  .close = close_stepped,
  .run = run,
  .fill = fill,
  .differentiate = differentiate,
  .misfit = misfit,
};
