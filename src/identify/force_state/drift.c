/* Whether the vibration is steady. With amplitudes that change slowly the equation of a mode gets

     A_r q_r + (2 i w + c_r) dq_r/dt = phi_r^T F - gamma_r^T d,

   and the mapping takes the second term for a force of the joint: its work per cycle is what the
   structure stores, T dE/dt, E = sum over r of (omega_r^2 + w^2) |q_r|^2/4 = x^H G x/4. With x of
   both halves of the record, by the same maps X from y as the rest,

     S = T x^H G dx/dt/2 = g dy,   g = x^H G X/2:   Re S is that, -Im S/(pi |z|^2) a stiffness,

   the latter by 2 i w dq_r/dt again, at w near to omega_r. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "identify/force_state/force_state.h"
#include "signal/internal.h"

typedef ms_force_state_work work;

/* ---- halves ---- */

static void take_half(work *w, const ms_harmonics *fit, int half) {
  for (int k = 0; k < w->H; k++) {
    for (int c = 0; c < w->R; c++) {
      w->rows[k].half[half][c] = ms_force_state_get_amplitude(fit, c, k);
    }
  }
}

ms_status ms_force_state_read_halves(work *w, const ms_force_state_record *r) {
  const ptrdiff_t periods = w->setting->periods / 2;
  const double span = 2.0 * MS_PI * (double)periods / (w->omega * r->dt);
  ms_harmonics fit;
  if (periods < 1) return MS_SUCCESS;
  MS_TRY(ms_force_state_fit(w, r, r->n, periods, &fit));
  take_half(w, &fit, 1);
  const double start = fit.start;
  /* one sample in both where the record ends with the periods, and these not with a sample */
  const ptrdiff_t before = (ptrdiff_t)fmax((double)(r->n - fit.n), ceil(span));
  w->fewer = (double)w->setting->periods / (double)periods;
  ms_harmonics_free(w->ctx, &fit);
  MS_TRY(ms_force_state_fit(w, r, before, periods, &fit));
  take_half(w, &fit, 0);
  w->apart = start - fit.start;
  ms_harmonics_free(w->ctx, &fit);
  return MS_SUCCESS;
}

/* ---- energy ---- */

/* S of harmonic k, and its variance (of either part): x of the mean of both halves, X from y. */
static double complex find_power(const work *w, int k, const double *G, double *variance) {
  const int n = w->n_x, R = w->R;
  const ms_force_state_rows *rows = &w->rows[k];
  double complex *x = w->scratch, *g = x + n, S = 0.0;
  for (int c = 0; c < n; c++) {
    x[c] = 0.0;
    for (int j = 0; j < R; j++) {
      x[c] += 0.5 * rows->x[c + n * j] * (rows->half[0][j] + rows->half[1][j]);
    }
  }
  for (int j = 0; j < R; j++) {
    g[j] = 0.0;
    for (int i = 0; i < n * n; i++) g[j] += 0.5 * conj(x[i % n]) * G[i] * rows->x[i / n + n * j];
    S += g[j] * (rows->half[1][j] - rows->half[0][j]);
    *variance += 2.0 * w->fewer * pow(cabs(g[j]) * w->sigma[j], 2.0);
  }
  return S;
}

static void measure_stored(const work *w, const ms_force_state_kind *kind, double per_period,
                           ms_force_state *out) {
  double *G = (double *)(w->scratch + w->n_x + w->R), variance = 0.0;
  const double to_stiffness = 1.0 / (MS_PI * (out->z[0] * out->z[0] + out->z[1] * out->z[1]));
  for (int k = 0; k < w->H; k++) {
    if (!out->used[k]) continue;
    kind->weigh(w, k, G);
    const double complex S = per_period * find_power(w, k, G, &variance);
    out->stored.value += creal(S);
    if (k > 0 || !isfinite(to_stiffness)) continue;
    out->stiffened.value = -to_stiffness * cimag(S);
    out->stiffened.deviation = to_stiffness * per_period * sqrt(variance);
  }
  out->stored.deviation = per_period * sqrt(variance);
}

/* ---- the joint ---- */

static void measure_change(const work *w, double per_period, ms_force_state *out) {
  const ms_force_state_rows *rows = &w->rows[0];
  double complex change = 0.0;
  for (int j = 0; j < w->R; j++) {
    change += rows->z[w->n_axis * j] * (rows->half[1][j] - rows->half[0][j]);
  }
  const double size = hypot(out->z[0], out->z[1]);
  out->drift = size > 0.0 ? per_period * cabs(change) / size : 0.0;
}

static int is_sure(const ms_measured *m) {
  return fabs(m->value) > MS_FORCE_STATE_SURE * m->deviation;
}

static int is_small(const ms_measured *m, double size) {
  return !is_sure(m) || fabs(m->value) <= MS_FORCE_STATE_STEADY * fabs(size);
}

void ms_force_state_measure_drift(const work *w, const ms_force_state_kind *kind,
                                  ms_force_state *out) {
  if (!(w->apart > 0.0)) return;
  const double per_period = 2.0 * MS_PI / (w->omega * w->apart);
  measure_stored(w, kind, per_period, out);
  measure_change(w, per_period, out);
  if (is_sure(&out->stored)) {
    out->loss.deviation = hypot(out->loss.deviation, out->stored.value);
  }
  if (is_sure(&out->stiffened)) {
    out->stiffness.deviation = hypot(out->stiffness.deviation, out->stiffened.value);
  }
}

int ms_force_state_is_steady(const ms_force_state *state) {
  return is_small(&state->stored, state->loss.value) &&
         is_small(&state->stiffened, state->stiffness.value);
}

/* A record whose drift stores more than a part of the energy dissipated, beyond its noise; or whose
   noise hides such a drift. */
static int print_drift(const ms_force_state *m, const char *name, char *text, size_t size) {
  if (!ms_force_state_is_steady(m)) {
    snprintf(text, size,
             "%.80s is not steady: its energy changes by %.3g J per cycle, %.3g of the energy "
             "dissipated, and its phase makes %.3g of the stiffness (%.2g of either counts as "
             "steady). Record later, when the vibration has settled",
             name, m->stored.value, fabs(m->stored.value / m->loss.value),
             fabs(m->stiffened.value / m->stiffness.value), MS_FORCE_STATE_STEADY);
    return 1;
  }
  if (!(m->stored.deviation > MS_FORCE_STATE_STEADY * fabs(m->loss.value))) return 0;
  snprintf(text, size,
           "the record does not show whether %.80s is steady: its energy changes by %.3g J per "
           "cycle with a standard deviation of %.3g J, and %.3g J are dissipated. Take more "
           "periods, or record later",
           name, m->stored.value, m->stored.deviation, m->loss.value);
  return 1;
}

/* A joint dissipates: a negative loss, beyond noise, is an error of the modes or of the damping. */
int ms_force_state_warning(const ms_force_state *m, const char *name, int i, char *text,
                           size_t size) {
  const int drifts = print_drift(m, name, text, size);
  if (drifts && i == 0) return 1;
  if (i != drifts || !(m->loss.value < -MS_FORCE_STATE_SURE * m->loss.deviation)) return 0;
  snprintf(text, size,
           "%.80s: the joint seems to add %.3g J per cycle. Damping or modes of the model are "
           "wrong, or the plain method leaves out what matters",
           name, -m->loss.value);
  return 1;
}

int ms_force_state_note(ptrdiff_t n, const ms_force_state *const *state, int has_normal, int i,
                        char *text, size_t size) {
  ptrdiff_t records = 0;
  int most = 0;
  double worst = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) {
    const ms_force_state *m = state[k];
    const int left = m->harmonics - m->n_used;
    const double mean = 0.5 * (m->N_max.value + m->N_min.value);
    records += left > 0;
    if (left > most) most = left;
    worst = fmax(worst, 0.5 * (m->N_max.value - m->N_min.value) / fmax(fabs(mean), DBL_MIN));
  }
  if (most > 0 && i-- == 0) {
    snprintf(text, size,
             "in %td of %td records up to %d of %d harmonics are left out: they are mostly noise",
             records, n, most, state[0]->harmonics);
    return 1;
  }
  if (!has_normal || i != 0) return 0;
  snprintf(text, size, "the normal load varies by up to %.2g %% about its mean",
           100.0 * fmin(worst, 1e6));
  return 1;
}
