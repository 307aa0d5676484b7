/* Targets that are modes of measured hits: the hit is simulated with its force, and read as the
   measurement was. Rows of a target have noise in common, C (stft.c), and residuals are

     r = s_0 L^-1 d,   L L^T = C + s_0^2 I,

   d the differences of frequency, then those of amplitude or damping. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include <microslip/calibrate_methods.h>

#include "core/internal.h"
#include "identify/calibrate/residuals.h"
#include "identify/hammer/hammer.h"
#include "structure/impl.h"

/* Columns of a target: of its view, then amplitudes, and sqrt(1 + (s/s_0)^2) of frequency and
   damping, for misfits; behind them L, 2n x 2n. */
enum { TIME, OMEGA, ZETA, OMEGA_AT, ZETA_AT, Q, Q_AT, E_OMEGA, E_ZETA, COLUMNS };

typedef struct hits {
  ms_residuals is;
  ms_structure *structure; /* of its own, since every evaluation sets it up anew */
  double *shift;           /* of each target's frequency */
  ms_decay *decay;         /* of one hit */
  char *wanted;            /* n_mode of each hit */
  double *gain;            /* of the force, then of each channel */
} hits;

static const ms_hammer *test_of(const ms_residuals *self) {
  return self->target[0].is.is.hit.test;
}

static double *column_of(const ms_residuals *self, ptrdiff_t k, int c) {
  return self->target[k].store + self->target[k].is.n * c;
}

/* ---- targets ---- */

static ms_status check(ms_structure *structure, const ms_target *t) {
  ms_context *ctx = structure->ctx;
  const ms_hit_option *o = &t->is.hit;
  MS_NEED(ctx, o->test);
  const ms_hammer_setting *s = &o->test->setting;
  if (structure->n != o->test->n_coordinate) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "the structure has %td coordinates, the test's %td",
                   structure->n, o->test->n_coordinate);
  }
  if (o->hit < 0 || o->hit >= o->test->n_hit || o->mode < 0 || o->mode >= s->n_mode) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "the test has no hit %td or no mode %td in it", o->hit,
                   o->mode);
  }
  const char *name = o->test->hit[o->hit].name;
  const int mode = s->mode[o->mode] + 1;
  if (!(t->weight[0] >= 0.0 && t->weight[1] >= 0.0 && t->weight[0] + t->weight[1] > 0.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "mode %d of %s: weights must be >= 0 and not both 0", mode,
                   name);
  }
  if (ms_hammer_decay(o->test, o->hit, o->mode)->n > 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "mode %d of %s cannot be read: %s", mode, name,
                 ms_hammer_get_remark(o->test, o->hit, o->mode));
}

static double widen(double s) {
  const double part = s / MS_HAMMER_FLOOR;
  return sqrt(1.0 + part * part);
}

/* Rows that decay and stand out of the noise. */
static int is_used(const ms_hit_option *o, ptrdiff_t i) {
  return ms_hammer_decay(o->test, o->hit, o->mode)->point[i].zeta > 0.0 &&
         ms_hammer_get_error(o->test, o->hit, o->mode, i).amplitude <= MS_HAMMER_WORST;
}

static double floor_of(const ms_target *t) {
  return t->is.hit.floor > 0.0 ? t->is.hit.floor : ms_identify_tol.least_hit_noise;
}

/* L of the rows that are taken; of quantities without a weight nothing is known. */
static ms_status find_root(ms_context *ctx, const ms_target *t, const ms_own_target *to,
                           double shift) {
  const ms_hit_option *o = &t->is.hit;
  const double *shared = ms_hammer_get_shared(o->test, o->hit, o->mode);
  const double *omega = to->store + to->view.n * OMEGA, s = o->test->hit[o->hit].noise[o->mode];
  const double floor = floor_of(t);
  const ptrdiff_t n = to->view.n, all = ms_hammer_decay(o->test, o->hit, o->mode)->n;
  const ptrdiff_t second = all * (o->compare == MS_HAMMER_DAMPING ? 2 : 1);
  const double force =
      o->compare == MS_HAMMER_DAMPING ? 0.0 : ms_hammer_get_force_error(o->test, o->hit, o->mode);
  double *L = to->store + n * COLUMNS;
  for (ptrdiff_t j = 0; j < 2 * n; j++) {
    for (ptrdiff_t i = 0; shared && i < 2 * n; i++) {
      const ptrdiff_t a = to->row[i % n] - 1 + (i < n ? 0 : second);
      const ptrdiff_t b = to->row[j % n] - 1 + (j < n ? 0 : second);
      const int apart = (i < n) != (j < n) && !(t->weight[0] > 0.0 && t->weight[1] > 0.0);
      L[i + 2 * n * j] = apart ? 0.0 : s * s * shared[a + 3 * all * b];
      if (i >= n && j >= n) L[i + 2 * n * j] += force * force;
      if (i < n) L[i + 2 * n * j] *= omega[i] / shift;
      if (j < n) L[i + 2 * n * j] *= omega[j] / shift;
    }
    L[j + 2 * n * j] += floor * floor;
  }
  const int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)(2 * n), L, (int)(2 * n));
  if (info == 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NUMERIC, "%s: the rows' noise has no covariance (LAPACK %d)",
                 o->test->hit[o->hit].name, info);
}

static ms_status take(ms_residuals *self, const ms_target *from, ms_own_target *to) {
  const ms_hit_option *o = &from->is.hit;
  const ms_decay *d = ms_hammer_decay(o->test, o->hit, o->mode);
  ptrdiff_t n = 0, k = 0;
  for (ptrdiff_t i = 0; i < d->n; i++) n += is_used(o, i);
  if (n < MS_HAMMER_LEAST) {
    return ms_fail(self->ctx, MS_ERR_ARGUMENT,
                   "mode %d of %s: %td of %td rows decay and stand out of the noise; it takes %d",
                   o->test->setting.mode[o->mode] + 1, o->test->hit[o->hit].name, n, d->n,
                   MS_HAMMER_LEAST);
  }
  MS_TRY(ms_points_reserve(self->ctx, n, COLUMNS + 4 * (int)n, to));
  for (ptrdiff_t i = 0; i < d->n; i++) {
    const ms_hammer_error e = ms_hammer_get_error(o->test, o->hit, o->mode, i);
    if (!is_used(o, i)) continue;
    to->row[k] = (int)i + 1;
    to->store[k + n * TIME] = d->point[i].time;
    to->store[k + n * OMEGA] = d->point[i].omega;
    to->store[k + n * ZETA] = d->point[i].zeta;
    to->store[k + n * Q] = d->point[i].q;
    to->store[k + n * E_OMEGA] = e.omega * d->point[i].omega;
    to->store[k++ + n * E_ZETA] = widen(e.zeta);
  }
  const double shift = ms_points_shift(n, to->store + n * OMEGA);
  for (k = 0; k < n; k++) {
    double *e = &to->store[k + n * E_OMEGA];
    *e = widen(*e / shift);
  }
  to->view.model[0] = to->store + n * OMEGA_AT;
  to->view.model[1] = to->store + n * ZETA_AT;
  return find_root(self->ctx, from, to, shift);
}

static void close_hits(ms_residuals *self) {
  hits *h = (hits *)self;
  ms_places_free(&self->places); /* of the structure's joints */
  self->places = (ms_places) { .n = 0 };
  for (ptrdiff_t m = 0; h->decay && m < test_of(self)->setting.n_mode; m++) {
    ms_decay_free(self->ctx, &h->decay[m]);
  }
  ms_free(self->ctx, &h->shift);
  ms_free(self->ctx, &h->decay);
  ms_free(self->ctx, &h->wanted);
  ms_free(self->ctx, &h->gain);
  ms_structure_destroy(&h->structure);
}

/* Which gain that is; -1: of no sensor. */
static ptrdiff_t find_gain(const ms_hammer_setting *s, const ms_place *at) {
  if (at->member == MS_PLACE_HAMMER) return 0;
  for (ptrdiff_t c = 0; c < s->n_channel; c++) {
    if (s->channel[c] == at->member) return 1 + c;
  }
  return -1;
}

/* As the parameters are: 1 + n_channel. Index of one that is a gain of no sensor of the test; -1.
 */
static ptrdiff_t fill_gains(const ms_hammer_setting *s, const ms_places *places, double *gain) {
  ptrdiff_t unused = -1;
  for (ptrdiff_t c = 0; c <= s->n_channel; c++) gain[c] = 1.0;
  for (ptrdiff_t i = 0; i < places->n; i++) {
    const ms_placed_parameter *p = &places->parameter[i];
    int used = 0;
    for (ptrdiff_t k = 0; k < p->n_place; k++) {
      const ptrdiff_t c = p->place[k].index == MS_PLACE_GAIN ? find_gain(s, &p->place[k]) : -1;
      if (c >= 0) gain[c] = p->place[k].now;
      used |= c >= 0 || p->place[k].index != MS_PLACE_GAIN;
    }
    if (!used) unused = i;
  }
  return unused;
}

static ms_status open_hits(ms_residuals *self, ms_structure *structure,
                           const ms_free_parameter *parameter) {
  hits *h = (hits *)self;
  const ms_hammer *test = test_of(self);
  const ptrdiff_t modes = test->setting.n_mode;
  MS_TRY(ms_allocate(self->ctx, self->n_target, sizeof *h->shift, &h->shift));
  MS_TRY(ms_allocate(self->ctx, modes, sizeof *h->decay, &h->decay));
  MS_TRY(ms_allocate(self->ctx, modes * test->n_hit, sizeof *h->wanted, &h->wanted));
  for (ptrdiff_t k = 0; k < self->n_target; k++) {
    const ms_hit_option *o = &self->target[k].is.is.hit;
    if (o->test != test) {
      return ms_fail(self->ctx, MS_ERR_ARGUMENT, "targets that are hits must share one test");
    }
    h->shift[k] = ms_points_shift(self->target[k].is.n, column_of(self, k, OMEGA));
    h->wanted[o->mode + modes * o->hit] = 1;
  }
  MS_TRY(ms_allocate(self->ctx, 1 + test->setting.n_channel, sizeof *h->gain, &h->gain));
  MS_TRY(ms_structure_copy(self->ctx, structure, &h->structure));
  MS_TRY(ms_places_take(h->structure, self->n_parameter, parameter, &self->places));
  const ptrdiff_t unused = fill_gains(&test->setting, &self->places, h->gain);
  if (unused < 0) return MS_SUCCESS;
  return ms_fail(self->ctx, MS_ERR_ARGUMENT, "%s: the test has no sensor there",
                 parameter[unused].name);
}

/* ---- evaluation ---- */

static ms_status copy_rows(const hits *h, ptrdiff_t k) {
  const ms_hit_option *o = &h->is.target[k].is.is.hit;
  const ms_decay *d = &h->decay[o->mode];
  for (ptrdiff_t j = 0; j < h->is.target[k].is.n; j++) {
    const ptrdiff_t i = h->is.target[k].row[j] - 1;
    if (i >= d->n || !(d->point[i].q > 0.0) || !isfinite(d->point[i].zeta)) {
      return ms_fail(h->is.ctx, MS_NOT_CONVERGED, "%s, simulated, has no row %td",
                     o->test->hit[o->hit].name, i + 1);
    }
    column_of(&h->is, k, Q_AT)[j] = d->point[i].q;
    column_of(&h->is, k, OMEGA_AT)[j] = d->point[i].omega;
    column_of(&h->is, k, ZETA_AT)[j] = d->point[i].zeta;
  }
  return MS_SUCCESS;
}

/* All targets of a hit from one run. */
static ms_status run_hit(const hits *h, ptrdiff_t hit) {
  const ms_hammer *test = test_of(&h->is);
  const ptrdiff_t modes = test->setting.n_mode;
  const char *wanted = h->wanted + modes * hit;
  if (!memchr(wanted, 1, (size_t)modes)) return MS_SUCCESS;
  ms_status status =
      ms_hammer_run_hit(test, h->structure, hit, wanted, h->gain, h->decay, NULL, NULL);
  for (ptrdiff_t k = 0; k < h->is.n_target && status == MS_SUCCESS; k++) {
    if (h->is.target[k].is.is.hit.hit == hit) status = copy_rows(h, k);
  }
  for (ptrdiff_t m = 0; m < modes; m++) ms_decay_free(h->is.ctx, &h->decay[m]);
  return status;
}

static ms_status run(ms_residuals *self, const double *p) {
  const hits *h = (hits *)self;
  ms_status status = ms_places_set_all(&self->places, p);
  (void)fill_gains(&test_of(self)->setting, &self->places, h->gain);
  if (status == MS_SUCCESS) status = ms_structure_setup(h->structure);
  for (ptrdiff_t i = 0; i < test_of(self)->n_hit && status == MS_SUCCESS; i++) {
    status = run_hit(h, i);
  }
  return ms_places_soften(status);
}

/* r := L^-1 r. */
static void whiten(ptrdiff_t n, const double *L, double *r) {
  for (ptrdiff_t j = 0; j < n; j++) {
    r[j] /= L[j + n * j];
    for (ptrdiff_t i = j + 1; i < n; i++) r[i] -= L[i + n * j] * r[j];
  }
}

static void fill(const ms_residuals *self, ptrdiff_t k, double *r) {
  const ms_target *t = &self->target[k].is;
  const int damping = t->is.hit.compare == MS_HAMMER_DAMPING;
  const double *omega_at = column_of(self, k, OMEGA_AT), *omega = column_of(self, k, OMEGA);
  const double *at = column_of(self, k, damping ? ZETA_AT : Q_AT);
  const double *of = column_of(self, k, damping ? ZETA : Q);
  const double shift = ((const hits *)self)->shift[k], floor = floor_of(t);
  const double w[2] = { sqrt(t->weight[0]) * floor, sqrt(t->weight[1]) * floor };
  for (ptrdiff_t i = 0; i < t->n; i++) {
    r[i] = (omega_at[i] - omega[i]) / shift;
    r[t->n + i] = log(fmax(at[i] / of[i], ms_identify_tol.least_loss));
  }
  whiten(2 * t->n, column_of(self, k, COLUMNS), r);
  for (ptrdiff_t i = 0; i < 2 * t->n; i++) r[i] *= w[i / t->n];
}

static double misfit(const ms_residuals *self, ptrdiff_t k, int i) {
  const ms_target_view *v = &self->target[k].view;
  const double *e = column_of(self, k, i == 0 ? E_OMEGA : E_ZETA);
  double sum = 0.0, weights = 0.0;
  for (ptrdiff_t j = 0; j < v->n; j++) {
    const double d = v->model[i][j] / v->target[i][j] - 1.0, w = 1.0 / (e[j] * e[j]);
    sum += w * d * d;
    weights += w;
  }
  return sum / weights;
}

const ms_residual_kind ms_hit_residuals = {
  .quantity = { "frequency", "damping" },
  .column = { "time", "frequency", "damping" },
  .size = sizeof(hits),
  .check = check,
  .take = take,
  .open = open_hits,
  .close = close_hits,
  .run = run,
  .fill = fill,
  .misfit = misfit,
};

/* ---- with what was found ---- */

static ms_status simulate(ms_structure *s, const ms_places *places, const ms_hammer *test,
                          ptrdiff_t h, ms_decay *decay, ms_transient_quality *quality) {
  double *gain;
  MS_TRY(ms_structure_setup(s));
  MS_TRY(ms_allocate(s->ctx, 1 + test->setting.n_channel, sizeof *gain, &gain));
  (void)fill_gains(&test->setting, places, gain);
  ms_status status = ms_hammer_run_hit(test, s, h, NULL, gain, decay, NULL, quality);
  ms_free(s->ctx, &gain);
  return status;
}

ms_status ms_calibrated_simulate(ms_context *ctx, const ms_structure *structure,
                                 ptrdiff_t n_parameter, const ms_free_parameter *parameter,
                                 const double *p, const ms_hammer *hammer, ptrdiff_t h,
                                 ms_decay *decay, ms_transient_quality *quality) {
  ms_structure *own;
  ms_places places = { .ctx = ctx };
  MS_TRY(ms_structure_copy(ctx, structure, &own));
  ms_status status = ms_places_take(own, n_parameter, parameter, &places);
  if (status == MS_SUCCESS) status = ms_places_set_all(&places, p);
  if (status == MS_SUCCESS) status = simulate(own, &places, hammer, h, decay, quality);
  ms_places_free(&places);
  ms_structure_destroy(&own);
  return status;
}
