/* Force-state mapping: records in, a loop with its deviations out. Letters as in force_state.h, and
     sigma   standard deviation of a harmonic's coefficients, of a record
     D       loss: pi sum over k of k Im(conj(z_k) f_k), by every axis that can lose energy
   z and f are linear in y, so that deviations of all that follows are those of first order. */
#include "identify/force_state/force_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/force_state/loop.h"
#include "signal/internal.h"

typedef ms_force_state_work work;

static const ms_force_state_kind *const kinds[] = {
  [MS_FORCE_STATE_EXACT] = &ms_force_state_exact,
  [MS_FORCE_STATE_PLAIN] = &ms_force_state_plain,
};
enum { N_KIND = sizeof kinds / sizeof *kinds };

const char *ms_force_state_method_text(ms_force_state_method method) {
  return (int)method >= 0 && (int)method < N_KIND ? kinds[method]->name : NULL;
}

ms_status ms_force_state_parse_method(ms_context *ctx, const char *word,
                                      ms_force_state_method *out) {
  for (int i = 0; i < N_KIND; i++) {
    if (strcmp(word, kinds[i]->name) != 0) continue;
    *out = (ms_force_state_method)i;
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_NAME, "'%s' is none of exact, plain", word);
}

/* ---- checks ---- */

static ms_status check_sensors(const work *w) {
  const ms_force_state_request *q = w->request;
  for (int s = 0; s < q->n_sensor; s++) {
    const ms_force_state_sensor *sensor = &q->sensor[s];
    if (sensor->weights && (int)sensor->kind >= MS_SIGNAL_DISPLACEMENT &&
        sensor->kind <= MS_SIGNAL_ACCELERATION && sensor->noise >= 0.0 && isfinite(sensor->noise)) {
      continue;
    }
    return ms_fail(w->ctx, MS_ERR_ARGUMENT,
                   "sensor %d: weights, kind %d or noise %g are not what they must be", s + 1,
                   (int)sensor->kind, sensor->noise);
  }
  return MS_SUCCESS;
}

static ms_status check_setting(const work *w) {
  const ms_force_state_setting *s = w->setting;
  const ms_force_state_tolerances *tol = &s->tol;
  ms_context *ctx = w->ctx;
  MS_FORCE_STATE_TOLERANCES(MS_TOLERANCE_CHECK)
  if (!(s->omega >= 0.0 && isfinite(s->omega) && s->worst > 0.0 && s->force_noise >= 0.0 &&
        isfinite(s->force_noise) && isfinite(s->force_mean)) ||
      s->axes < 0 || s->modes < 0 || s->harmonics < 1) {
    return ms_fail(w->ctx, MS_ERR_BOUNDS,
                   "omega %g, noise %g, axes %d, modes %td must not be below 0, worst %g and "
                   "harmonics %d above; the mean force %g must be finite",
                   s->omega, s->force_noise, s->axes, s->modes, s->worst, s->harmonics,
                   s->force_mean);
  }
  if (s->axes > w->n_axis || s->modes > w->structure->n) {
    return ms_fail(w->ctx, MS_ERR_BOUNDS, "%d axes of %d, %td modes of %td", s->axes, w->n_axis,
                   s->modes, w->structure->n);
  }
  if (s->omega > 0.0 || s->periods >= 2) return MS_SUCCESS;
  return ms_fail(w->ctx, MS_ERR_BOUNDS, "to find the frequency takes two periods at least");
}

/* A joint that is held stuck, or an axis that is, may not be curved: it would be no spring then. */
static ms_status check_curved(const work *w) {
  const ms_structure *s = w->structure;
  for (int j = 0; j < s->n_attachment; j++) {
    const ms_attachment *attachment = &s->attachment[j];
    for (int a = 0; a < ms_joint_info(attachment->joint)->n_axis; a++) {
      const int sought =
          attachment == w->attachment && a < w->axes && w->setting->method == MS_FORCE_STATE_EXACT;
      if (sought || !attachment->curvature[a]) continue;
      return ms_fail(w->ctx, MS_ERR_ARGUMENT,
                     "joint %s has curvature, which force-state mapping knows only on axes that it "
                     "seeks, by the exact method",
                     attachment->name);
    }
  }
  return MS_SUCCESS;
}

static ms_status check(const ms_structure *s, const ms_force_state_request *q,
                       const ms_force_state_setting *setting) {
  ms_context *ctx = s->ctx;
  if (!s->ready) return ms_fail(ctx, MS_ERR_STATE, "the structure is not set up");
  if (q->joint < 0 || q->joint >= s->n_attachment || q->n_sensor < 1 || !q->force || !q->sensor) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "joint %d of %d; there must be a place of the force, and sensors", q->joint,
                   s->n_attachment);
  }
  if ((int)setting->method >= 0 && (int)setting->method < N_KIND) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "method %d unknown", (int)setting->method);
}

/* ---- frequency ---- */

double complex ms_force_state_get_amplitude(const ms_harmonics *h, int channel, int k) {
  const double *x = h->x + (2 * (ptrdiff_t)h->harmonics + 1) * channel + 2 * k + 1;
  return x[0] - I * x[1];
}

/* The first harmonic of the force over half of the periods. */
static ms_status fit_half(ms_context *ctx, const ms_signal *force, ptrdiff_t periods, double omega,
                          ms_harmonics *out) {
  const ms_harmonics_setting setting = { omega, periods, 1 };
  return ms_signal_fit_harmonics(ctx, force, 1, &force->x, &setting, out);
}

/* By how much the phase of the force runs away between two halves of the record, per time. */
static ms_status find_drift(work *w, const ms_signal *force, double *drift) {
  const ptrdiff_t half = w->setting->periods / 2;
  ms_harmonics late, early;
  MS_TRY(fit_half(w->ctx, force, half, w->omega, &late));
  ms_signal before = *force;
  before.n -= late.n;
  ms_status status = fit_half(w->ctx, &before, half, w->omega, &early);
  if (status == MS_SUCCESS) {
    *drift = carg(ms_force_state_get_amplitude(&late, 0, 0) *
                  conj(ms_force_state_get_amplitude(&early, 0, 0))) /
             (late.start - early.start);
  }
  ms_harmonics_free(w->ctx, &late);
  ms_harmonics_free(w->ctx, &early);
  return status;
}

static ms_status find_frequency(work *w, const ms_force_state_record *r) {
  enum { ROUNDS = 8 };
  const ms_signal force = { r->force, r->n, r->dt, r->time, MS_SIGNAL_DISPLACEMENT };
  double drift = HUGE_VAL;
  w->omega = w->setting->omega;
  if (w->omega > 0.0) return MS_SUCCESS;
  MS_TRY(ms_signal_find_frequency(w->ctx, &force, 0.0, HUGE_VAL, &w->omega));
  const double periods = (double)r->n * r->dt * w->omega / (2.0 * MS_PI);
  if (!(periods >= (double)w->setting->periods)) {
    return ms_fail(w->ctx, MS_ERR_BOUNDS, "the record has %.4g periods, not %td", periods,
                   w->setting->periods);
  }
  for (int i = 0; i < ROUNDS && fabs(drift) > 1e-14 * w->omega; i++) {
    MS_TRY(find_drift(w, &force, &drift));
    w->omega += drift;
  }
  return MS_SUCCESS;
}

/* ---- memory ---- */

static ms_status reserve_matrices(work *w) {
  const ptrdiff_t R = w->R, n = w->n_axis;
  const ptrdiff_t each = 3 * R + 2 * n * R + R * R + w->n_x * R + 2 * n;
  const ptrdiff_t capacity = 12 * (R + n) * (R + n);
  MS_TRY(ms_allocate(w->ctx, w->H * each + capacity, sizeof *w->matrices, &w->matrices));
  MS_TRY(ms_allocate(w->ctx, w->H, sizeof *w->rows, &w->rows));
  double complex *at = w->matrices;
  for (int k = 0; k < w->H; k++, at += each) {
    ms_force_state_rows *r = &w->rows[k];
    r->y = at;
    r->half[0] = r->y + R;
    r->half[1] = r->half[0] + R;
    r->z = r->half[1] + R;
    r->f = r->z + n * R;
    r->fit = r->f + n * R;
    r->x = r->fit + R * R;
    r->z_more = r->x + w->n_x * R;
    r->f_more = r->z_more + n;
  }
  w->scratch = at;
  return MS_SUCCESS;
}

static ms_status reserve(work *w) {
  const ptrdiff_t n = w->structure->n, R = w->R, H = w->H;
  const ptrdiff_t transfers = 2 * H * (R - 1 + w->n_axis) * w->C;
  MS_TRY(ms_allocate(w->ctx, R + H + n * w->n_axis + transfers, sizeof *w->memory, &w->memory));
  w->sigma = w->memory;
  w->w = w->sigma + R;
  w->b = w->w + H;
  w->response = w->b + n * w->n_axis;
  for (int a = 0; a < w->n_axis; a++) {
    ms_attachment_push(w->structure, w->attachment, a, 1.0, w->b + n * a);
  }
  return reserve_matrices(w);
}

static void close_work(work *w) {
  ms_free(w->ctx, &w->memory);
  ms_free(w->ctx, &w->rows);
  ms_free(w->ctx, &w->matrices);
}

/* What is sought, by what there is. */
static void choose(work *w) {
  const int n_sensor = w->request->n_sensor;
  w->R = 1 + n_sensor;
  w->axes = w->setting->axes;
  if (w->axes == 0) w->axes = w->n_axis < n_sensor ? w->n_axis : n_sensor;
  w->C = 1 + w->axes;
  w->modes = w->setting->modes;
  if (w->modes == 0) w->modes = w->structure->n < n_sensor ? w->structure->n : n_sensor;
  w->n_x = w->setting->method == MS_FORCE_STATE_PLAIN ? (int)w->modes : w->C;
}

/* ---- from records to harmonics ---- */

static ms_status take_harmonics(work *w, const ms_harmonics *fit, ms_force_state *out) {
  const double per_coefficient = sqrt(2.0 / (double)fit->n);
  const double left = (double)(fit->n - 2 * (ptrdiff_t)fit->harmonics - 1) / (double)fit->n;
  out->start = fit->start;
  out->end = fit->end;
  for (int c = 0; c < w->R; c++) {
    const double given = c ? w->request->sensor[c - 1].noise : w->setting->force_noise;
    const double noise = given > 0.0 ? given : fit->deviation[c];
    if (!(fit->rms[c] > 0.0)) {
      return ms_fail(w->ctx, MS_ERR_ARGUMENT, "the record of %s%.0d is zero",
                     c ? "sensor " : "the force", c);
    }
    out->residual = fmax(out->residual, sqrt(left) * fit->deviation[c] / fit->rms[c]);
    w->sigma[c] = per_coefficient * fmax(noise, w->setting->tol.floor * fit->rms[c]);
    for (int k = 0; k < w->H; k++) w->rows[k].y[c] = ms_force_state_get_amplitude(fit, c, k);
  }
  for (int k = 0; k < w->H; k++) w->w[k] = (k + 1) * w->omega;
  return MS_SUCCESS;
}

ms_status ms_force_state_fit(const work *w, const ms_force_state_record *r, ptrdiff_t n,
                             ptrdiff_t periods, ms_harmonics *out) {
  const ms_signal grid = { r->force, n, r->dt, r->time, MS_SIGNAL_ACCELERATION };
  const ms_harmonics_setting setting = { w->omega, periods, w->H };
  const double **x;
  MS_TRY(ms_allocate(w->ctx, w->R, sizeof *x, &x));
  x[0] = r->force;
  for (int s = 1; s < w->R; s++) x[s] = r->sensor[s - 1];
  ms_status status = ms_signal_fit_harmonics(w->ctx, &grid, w->R, x, &setting, out);
  ms_free(w->ctx, &x);
  return status;
}

static ms_status read_record(work *w, const ms_force_state_record *r, ms_force_state *out) {
  ms_harmonics fit;
  MS_TRY(ms_force_state_fit(w, r, r->n, w->setting->periods, &fit));
  ms_status status = take_harmonics(w, &fit, out);
  ms_harmonics_free(w->ctx, &fit);
  return status;
}

/* ---- the whole ---- */

static ms_status reserve_result(work *w, ms_force_state *out) {
  const ptrdiff_t H = w->H, n = w->n_axis;
  out->n_axis = w->n_axis;
  out->axes = w->axes;
  out->harmonics = w->H;
  MS_TRY(ms_allocate(w->ctx, 6 * H * n + H, sizeof *out->z, &out->z));
  out->f = out->z + 2 * H * n;
  out->z_noise = out->f + 2 * H * n;
  out->f_noise = out->z_noise + H * n;
  out->condition = out->f_noise + H * n;
  return ms_allocate(w->ctx, H, sizeof *out->used, &out->used);
}

static ms_status check_all(work *w) {
  MS_TRY(check_sensors(w));
  MS_TRY(check_setting(w));
  choose(w);
  MS_TRY(kinds[w->setting->method]->check(w));
  return check_curved(w);
}

static ms_status map(work *w, const ms_force_state_record *record, ms_force_state *out) {
  const ms_force_state_kind *kind = kinds[w->setting->method];
  MS_TRY(check_all(w));
  MS_TRY(find_frequency(w, record));
  MS_TRY(reserve(w));
  MS_TRY(reserve_result(w, out));
  out->omega = w->omega;
  MS_TRY(read_record(w, record, out));
  MS_TRY(ms_force_state_read_halves(w, record));
  MS_TRY(kind->prepare(w));
  for (int k = 0; k < w->H; k++) MS_TRY(kind->fill(w, k));
  MS_TRY(ms_force_state_bend(w, &out->curvature_residual));
  MS_TRY(ms_force_state_measure(w, kind->freedom(w), out));
  ms_force_state_measure_drift(w, kind, out);
  return MS_SUCCESS;
}

void ms_force_state_default(ms_force_state_setting *setting, size_t size) {
  ms_settings_fill(&(ms_force_state_setting)MS_FORCE_STATE_DEFAULT, setting, size);
}

static work open_work(const ms_structure *structure, const ms_force_state_request *request,
                      const ms_force_state_setting *setting) {
  const ms_attachment *attachment = &structure->attachment[request->joint];
  return (work) { .ctx = structure->ctx,
                  .structure = structure,
                  .attachment = attachment,
                  .request = request,
                  .setting = setting,
                  .n_axis = ms_joint_info(attachment->joint)->n_axis,
                  .H = setting->harmonics };
}

ms_status ms_force_state_check(const ms_structure *structure, const ms_force_state_request *request,
                               ptrdiff_t n, double dt, const ms_force_state_setting *setting) {
  ms_force_state_setting own = MS_FORCE_STATE_DEFAULT;
  MS_TAKE(structure->ctx, ms_force_state_default, setting, own);
  const ms_harmonics_setting harmonics = { setting->omega, setting->periods, setting->harmonics };
  MS_TRY(check(structure, request, setting));
  work w = open_work(structure, request, setting);
  MS_TRY(check_all(&w));
  if (setting->omega == 0.0) return MS_SUCCESS;
  return ms_signal_check_harmonics(structure->ctx, n, dt, &harmonics);
}

ms_status ms_force_state_map(const ms_structure *structure, const ms_force_state_request *request,
                             const ms_force_state_record *record,
                             const ms_force_state_setting *setting, ms_force_state *out) {
  ms_force_state_setting own = MS_FORCE_STATE_DEFAULT;
  if (!structure) return MS_ERR_ARGUMENT;
  MS_NEED(structure->ctx, request && record && out && record->force && record->sensor);
  *out = (ms_force_state) { .z = NULL };
  MS_TAKE(structure->ctx, ms_force_state_default, setting, own);
  MS_TRY(check(structure, request, setting));
  work w = open_work(structure, request, setting);
  ms_status status = map(&w, record, out);
  close_work(&w);
  if (status != MS_SUCCESS) ms_force_state_free(structure->ctx, out);
  return status;
}

void ms_force_state_free(ms_context *ctx, ms_force_state *state) {
  ms_free(ctx, &state->z);
  ms_free(ctx, &state->used);
  *state = (ms_force_state) { .z = NULL };
}

void ms_force_state_eval(const ms_force_state *state, int axis, double t, double *z, double *f) {
  const ptrdiff_t at = 2 * (ptrdiff_t)state->harmonics * axis;
  *z = ms_force_state_sum(state->harmonics, state->z + at, state->omega * t, 0);
  *f = ms_force_state_sum(state->harmonics, state->f + at, state->omega * t, 0);
}
