/* Curves: points and what can be read from them. */
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

/* ---- life ---- */

ms_status ms_curve_create(const ms_harmonic *h, ms_harmonic_curve **out) {
  ms_harmonic_curve *c;
  const ptrdiff_t nP = h->n * h->P, n_own = h->n > h->modal.n ? h->modal.n : 0;
  *out = NULL;
  MS_TRY(ms_allocate(h->ctx, 1, sizeof *c, &c));
  *c = (ms_harmonic_curve) { .ctx = h->ctx,
                             .H = h->H,
                             .P = h->P,
                             .n = h->n,
                             .n_own = n_own,
                             .stride = 2 * nP + N_EXTRA + h->n_attachment + n_own * h->P,
                             .n_attachment = h->n_attachment };
  *out = c;
  return MS_SUCCESS;
}

void ms_harmonic_curve_destroy(ms_harmonic_curve **pointer) {
  if (!pointer || !*pointer) return;
  ms_harmonic_curve *c = *pointer;
  ms_free(c->ctx, &c->point);
  ms_free(c->ctx, &c->data);
  ms_free(c->ctx, pointer);
}

/* A force that is a function of one displacement has a potential: what work the coefficients show
   is the error of their sums over the time points. */
static int conserves(const ms_harmonic_attachment *s) {
  return s->memoryless && !s->rate && s->n == 1;
}

/* The joints' displacements, which X has of attachments without curvature only. */
static void fill_own(const ms_harmonic *h, double *z) {
  for (int i = 0; i < h->n_attachment; i++) {
    const ms_harmonic_attachment *s = &h->attachment[i];
    for (int a = 0; a < s->n; a++) {
      const ptrdiff_t at = h->P * (s->first + a);
      const double *from = s->motion ? s->motion + s->P * a : h->X + at;
      memcpy(z + at, from, (size_t)h->P * sizeof *z);
    }
  }
}

ms_status ms_curve_reserve(ms_harmonic_curve *c) {
  if (c->count < c->capacity) return MS_SUCCESS;
  ptrdiff_t capacity = c->capacity > 0 ? 2 * c->capacity : 64;
  MS_TRY(ms_resize(c->ctx, capacity, sizeof *c->point, &c->point));
  MS_TRY(ms_resize(c->ctx, capacity * c->stride, sizeof *c->data, &c->data));
  c->capacity = capacity;
  return MS_SUCCESS;
}

ms_status ms_curve_append(ms_harmonic_curve *c, const ms_harmonic *h,
                          const ms_harmonic_point *point) {
  const ptrdiff_t nP = c->n * c->P;
  MS_TRY(ms_curve_reserve(c));
  double *to = c->data + c->stride * c->count;
  ms_harmonic_point *kept = &c->point[c->count++];
  *kept = *point;
  kept->D = 0.0;
  memcpy(to, h->X, (size_t)(nP + N_EXTRA) * sizeof *to);
  memcpy(to + nP + N_EXTRA, h->force, (size_t)nP * sizeof *to);
  double alias = 0.0;
  for (int i = 0; i < c->n_attachment; i++) {
    /* Work of the joint's force over a period: pi k (f_a b - f_b a) of every axis and harmonic. Of
       a attachment with curvature that is the work of f along z to harmonic 2H. */
    double work = 0.0;
    for (ptrdiff_t a = 0; a < ms_harmonic_wide(&h->attachment[i]); a++) {
      const ptrdiff_t at = h->P * ms_harmonic_axis(&h->attachment[i], a);
      const double *z = h->X + at, *f = h->force + at;
      for (ptrdiff_t k = 1; k <= h->H; k++) {
        work += MS_PI * (double)k * (f[2 * k - 1] * z[2 * k] - f[2 * k] * z[2 * k - 1]);
      }
    }
    const int lost = !conserves(&h->attachment[i]);
    to[2 * nP + N_EXTRA + i] = lost ? work : 0.0;
    *(lost ? &kept->D : &alias) += work;
  }
  if (c->n_own > 0) fill_own(h, to + 2 * nP + N_EXTRA + c->n_attachment);
  if (kept->q > 0.0) {
    const double unit = 2.0 * MS_PI * kept->omega * kept->omega * kept->q * kept->q;
    kept->zeta_joint = kept->D / unit;
    kept->zeta_alias = alias / unit;
  }
  return MS_SUCCESS;
}

/* ---- reading ---- */

ms_harmonic_curve_info ms_harmonic_curve_get_info(const ms_harmonic_curve *c) {
  ms_harmonic_curve_info info = c->info;
  info.points = c->count;
  info.reason = c->reason;
  return info;
}

const ms_harmonic_point *ms_harmonic_curve_get_point(const ms_harmonic_curve *c, ptrdiff_t i) {
  return i >= 0 && i < c->count ? &c->point[i] : NULL;
}

static const double *data_of(const ms_harmonic_curve *c, ptrdiff_t i) {
  return i >= 0 && i < c->count ? c->data + c->stride * i : NULL;
}

const double *ms_harmonic_curve_get_joints(const ms_harmonic_curve *c, ptrdiff_t i) {
  const double *at = data_of(c, i);
  return at && c->n_own > 0 ? at + 2 * c->n * c->P + N_EXTRA + c->n_attachment : at;
}

const double *ms_harmonic_curve_get_forces(const ms_harmonic_curve *c, ptrdiff_t i) {
  const double *at = data_of(c, i);
  return at ? at + c->n * c->P + N_EXTRA : NULL;
}

ms_harmonic_axis_motion ms_harmonic_curve_get_axis(const ms_harmonic_curve *c, ptrdiff_t i,
                                                   int axis) {
  const double *z = ms_harmonic_curve_get_joints(c, i) + c->P * axis;
  const double *f = ms_harmonic_curve_get_forces(c, i) + c->P * axis;
  return (ms_harmonic_axis_motion) { .displacement = hypot(z[1], z[2]),
                                     .peak = ms_harmonic_peak((int)c->H, z, c->point[i].omega, 0),
                                     .half_range = ms_harmonic_half_range((int)c->H, z),
                                     .force = hypot(f[1], f[2]) };
}

double ms_harmonic_curve_get_loss(const ms_harmonic_curve *c, ptrdiff_t i, int joint) {
  const double *at = data_of(c, i);
  return at && joint >= 0 && joint < c->n_attachment ? at[2 * c->n * c->P + N_EXTRA + joint] : 0.0;
}

static ms_status check_curve(const ms_harmonic *h, const ms_harmonic_curve *c, ptrdiff_t i) {
  if (c->P != h->P || c->n != h->n || c->n_attachment != h->n_attachment) {
    return ms_fail(h->ctx, MS_ERR_ARGUMENT, "the curve has other harmonics or joints than this");
  }
  if (i >= 0 && i < c->count) return MS_SUCCESS;
  return ms_fail(h->ctx, MS_ERR_BOUNDS, "there is no point %td; the curve has %td", i, c->count);
}

ms_status ms_harmonic_recover_modal(ms_harmonic *h, const ms_harmonic_curve *c, ptrdiff_t i,
                                    double *q) {
  MS_TRY(check_curve(h, c, i));
  h->master = c->point[i].mode;
  h->apart = c->is_mode;
  return ms_linear_recover(h, data_of(c, i), ms_harmonic_curve_get_forces(c, i), q);
}

ms_status ms_harmonic_recover(ms_harmonic *h, const ms_harmonic_curve *c, ptrdiff_t i,
                              const double *weights, double *x) {
  const ptrdiff_t m = h->m, P = h->P;
  MS_TRY(ms_harmonic_recover_modal(h, c, i, h->modal_motion));
  memset(x, 0, (size_t)P * sizeof *x);
  for (ptrdiff_t r = 0; r < m; r++) {
    double w = 0.0;
    for (ptrdiff_t k = 0; k < m; k++) w += weights[k] * h->structure->shape[k + m * r];
    for (ptrdiff_t s = 0; s < P; s++) x[s] += w * h->modal_motion[s + P * r];
  }
  return MS_SUCCESS;
}

/* ---- peak ---- */

/* What is sought: the highest value, the lowest, or for side 0 the largest. */
static double height(int H, const double *x, int derivative, int side, double tau) {
  double value = derivative == 0 ? x[0] : 0.0;
  for (int k = 1; k <= H; k++) {
    double angle = k * tau + 0.5 * MS_PI * derivative;
    value += pow(k, derivative) * (x[2 * k - 1] * cos(angle) + x[2 * k] * sin(angle));
  }
  return side == 0 ? fabs(value) : side * value;
}

/* Golden section about the best of many points. */
static double find_highest(int H, const double *x, int derivative, int side) {
  const int points = 32 * (H + 1);
  const double gold = 0.6180339887498949, step = 2.0 * MS_PI / points;
  double best = -HUGE_VAL, at = 0.0;
  for (int j = 0; j < points; j++) {
    double value = height(H, x, derivative, side, step * j);
    if (value > best) best = value, at = step * j;
  }
  double low = at - step, high = at + step;
  for (int i = 0; i < 60; i++) {
    double a = high - gold * (high - low), b = low + gold * (high - low);
    double left = height(H, x, derivative, side, a), right = height(H, x, derivative, side, b);
    if (left > right)
      high = b;
    else
      low = a;
    best = fmax(best, fmax(left, right));
  }
  return best;
}

double ms_harmonic_peak(int H, const double *x, double omega, int derivative) {
  return find_highest(H, x, derivative, 0) * pow(omega, derivative);
}

double ms_harmonic_half_range(int H, const double *x) {
  return 0.5 * (find_highest(H, x, 0, 1) + find_highest(H, x, 0, -1));
}

/* ---- states ---- */

enum { STATE_H, STATE_N, STATE_MASTER, STATE_X };

ptrdiff_t ms_harmonic_save_size(const ms_harmonic_curve *c) {
  return STATE_X + c->n * c->P + N_EXTRA;
}

ptrdiff_t ms_harmonic_state_size(const ms_harmonic *h) {
  return STATE_X + h->n * h->P + N_EXTRA;
}

void ms_harmonic_save(const ms_harmonic_curve *c, ptrdiff_t i, double *state) {
  state[STATE_H] = (double)c->H;
  state[STATE_N] = (double)c->n;
  state[STATE_MASTER] = (double)c->point[i].mode;
  memcpy(state + STATE_X, data_of(c, i), (size_t)(c->n * c->P + N_EXTRA) * sizeof *state);
}

ms_status ms_problem_restore(ms_harmonic *h, const double *state) {
  const ptrdiff_t P = 2 * (ptrdiff_t)state[STATE_H] + 1, least = P < h->P ? P : h->P;
  if (state[STATE_N] != (double)h->n || !(state[STATE_MASTER] < (double)h->m)) {
    return ms_fail(h->ctx, MS_ERR_ARGUMENT, "the start is a point of another structure");
  }
  memset(h->X, 0, (size_t)(h->n * h->P) * sizeof *h->X);
  for (ptrdiff_t a = 0; a < h->n; a++) {
    memcpy(h->X + h->P * a, state + STATE_X + P * a, (size_t)least * sizeof *h->X);
  }
  memcpy(h->X + h->n * h->P, state + STATE_X + h->n * P, N_EXTRA * sizeof *h->X);
  h->master = (ptrdiff_t)state[STATE_MASTER];
  return MS_SUCCESS;
}
