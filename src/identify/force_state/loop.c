/* The loop and its numbers from the maps of every harmonic. With g the row that takes y to a
   number, its variance is the sum of |g_j|^2 sigma_j^2: real and imaginary part of y_j have sigma_j
   each and are independent, and so are harmonics. */
#include "identify/force_state/loop.h"

#include <math.h>

#include "core/internal.h"
#include "signal/internal.h"

typedef ms_force_state_work work;

double ms_force_state_sum(int H, const double *x, double angle, int derivative) {
  double sum = 0.0;
  for (int k = 1; k <= H; k++) {
    const double a = x[2 * k - 2], b = x[2 * k - 1], c = cos(k * angle), s = sin(k * angle);
    if (derivative == 1) {
      sum += k * (b * c - a * s);
    } else {
      sum += (derivative ? -(double)k * k : 1.0) * (a * c + b * s);
    }
  }
  return sum;
}

/* ---- harmonics ---- */

/* Row `axis` of an n_axis x R map, at y. */
static double complex apply(const work *w, int k, const double complex *map, int axis) {
  double complex sum = 0.0;
  for (int j = 0; j < w->R; j++) sum += map[axis + w->n_axis * j] * w->rows[k].y[j];
  return sum;
}

static double complex get_z(const work *w, int k, int axis) {
  return apply(w, k, w->rows[k].z, axis) + w->rows[k].z_more[axis];
}

static double complex get_f(const work *w, int k, int axis) {
  return apply(w, k, w->rows[k].f, axis) + w->rows[k].f_more[axis];
}

static double find_noise(const work *w, const double complex *map, int axis) {
  double sum = 0.0;
  for (int j = 0; j < w->R; j++) {
    const double g = cabs(map[axis + w->n_axis * j]) * w->sigma[j];
    sum += g * g;
  }
  return sqrt(sum);
}

static void store(double complex value, double *to) {
  to[0] = creal(value);
  to[1] = -cimag(value);
}

/* Whether harmonic k says anything; then its coefficients stay. Its noise is compared with the
   first harmonic and not with its own: whether that is large by chance must not matter, or
   deviations would be too small. */
static void take_harmonic(const work *w, int k, ms_force_state *out) {
  const ptrdiff_t H = w->H;
  const ms_force_state_rows *rows = &w->rows[k];
  out->condition[k] = rows->condition;
  for (int a = 0; a < w->n_axis; a++) {
    out->z_noise[k + H * a] = find_noise(w, rows->z, a);
    out->f_noise[k + H * a] = find_noise(w, rows->f, a);
  }
  const double size = cabs(get_f(w, 0, 0));
  out->used[k] = rows->condition <= MS_FORCE_STATE_CONDITION &&
                 (k == 0 || !(out->f_noise[k] > w->setting->worst * size));
  out->n_used += out->used[k];
  for (int a = 0; a < w->n_axis && out->used[k]; a++) {
    store(get_z(w, k, a), out->z + 2 * (k + H * a));
    store(get_f(w, k, a), out->f + 2 * (k + H * a));
  }
}

/* Of a sum over the harmonics used, at any time. */
static double total_noise(const ms_force_state *out, const double *noise) {
  double sum = 0.0;
  for (int k = 0; k < out->harmonics; k++) sum += out->used[k] * noise[k] * noise[k];
  return sqrt(sum);
}

/* ---- turning points ---- */

enum { PER_HARMONIC = 32, POLISH = 6 };

/* The angle at which sign * x is largest: the best of a grid, then Newton on the slope. */
static double find_extreme(int H, const double *x, double sign) {
  const int n = PER_HARMONIC * (H + 1);
  const double step = 2.0 * MS_PI / n;
  double best = 0.0, top = -HUGE_VAL;
  for (int i = 0; i < n; i++) {
    const double value = sign * ms_force_state_sum(H, x, i * step, 0);
    if (value > top) top = value, best = i * step;
  }
  for (int i = 0; i < POLISH; i++) {
    const double curvature = ms_force_state_sum(H, x, best, 2);
    const double move = -ms_force_state_sum(H, x, best, 1) / curvature;
    if (!(fabs(move) < step) || !(sign * ms_force_state_sum(H, x, best + move, 0) >= top)) {
      break;
    }
    best += move;
    top = sign * ms_force_state_sum(H, x, best, 0);
  }
  return best;
}

static void measure_turning(const work *w, ms_force_state *out) {
  const int H = out->harmonics;
  const double t[2] = { find_extreme(H, out->z, 1.0), find_extreme(H, out->z, -1.0) };
  const double dz = ms_force_state_sum(H, out->z, t[0], 0) - ms_force_state_sum(H, out->z, t[1], 0);
  const double df = ms_force_state_sum(H, out->f, t[0], 0) - ms_force_state_sum(H, out->f, t[1], 0);
  const double K = dz > 0.0 ? df / dz : 0.0;
  double variance[2] = { 0.0, 0.0 };
  for (int k = 0; k < H; k++) {
    const double c = cabs(cexp(I * ((k + 1) * t[0])) - cexp(I * ((k + 1) * t[1])));
    for (int j = 0; j < w->R && out->used[k]; j++) {
      const double complex z = w->rows[k].z[w->n_axis * j], f = w->rows[k].f[w->n_axis * j];
      variance[0] += pow(0.5 * c * cabs(z) * w->sigma[j], 2.0);
      variance[1] += pow(c * cabs(f - K * z) * w->sigma[j], 2.0);
    }
  }
  out->amplitude = (ms_measured) { 0.5 * dz, sqrt(variance[0]) };
  out->stiffness = (ms_measured) { K, dz > 0.0 ? sqrt(variance[1]) / dz : 0.0 };
}

/* ---- loss ---- */

/* dD = pi k Im(g dy), g = sum over axes of conj(z) df/dy - conj(f) dz/dy. */
static void measure_loss(const work *w, int axes, ms_force_state *out) {
  double variance = 0.0;
  for (int k = 0; k < w->H; k++) {
    const ms_force_state_rows *rows = &w->rows[k];
    const double factor = MS_PI * (k + 1);
    for (int j = 0; j < w->R && out->used[k]; j++) {
      double complex g = 0.0;
      for (int a = 0; a < axes; a++) {
        g += conj(get_z(w, k, a)) * rows->f[a + w->n_axis * j] -
             conj(get_f(w, k, a)) * rows->z[a + w->n_axis * j];
      }
      variance += pow(factor * cabs(g) * w->sigma[j], 2.0);
    }
    for (int a = 0; a < axes && out->used[k]; a++) {
      out->loss.value += factor * cimag(conj(get_z(w, k, a)) * get_f(w, k, a));
    }
  }
  out->loss.deviation = sqrt(variance);
}

/* ---- normal load ---- */

static void measure_load(double preload, ms_force_state *out) {
  const int H = out->harmonics, axis = out->n_axis - 1;
  const double *f = out->f + 2 * (ptrdiff_t)H * axis;
  const double noise = total_noise(out, out->f_noise + (ptrdiff_t)H * axis);
  out->has_normal = 1;
  out->N_min.value = preload + ms_force_state_sum(H, f, find_extreme(H, f, -1.0), 0);
  out->N_max.value = preload + ms_force_state_sum(H, f, find_extreme(H, f, 1.0), 0);
  out->N_min.deviation = out->N_max.deviation = noise;
}

/* ---- model against sensors ---- */

static void measure_misfit(const work *w, int freedom, ms_force_state *out) {
  double squares = 0.0, left = 0.0, all = 0.0;
  if (freedom < 1) return;
  for (int k = 0; k < w->H; k++) {
    for (int s = 0; s < w->R && out->used[k]; s++) {
      double complex r = w->rows[k].y[s];
      for (int j = 0; j < w->R; j++) r -= w->rows[k].fit[s + w->R * j] * w->rows[k].y[j];
      squares += pow(cabs(r) / w->sigma[s], 2.0);
      if (k > 0 || s == 0) continue;
      const double unit =
          pow(w->w[k], (double)w->request->sensor[s - 1].kind); /* to displacement */
      left += pow(cabs(r) / unit, 2.0);
      all += pow(cabs(w->rows[k].y[s]) / unit, 2.0);
    }
  }
  out->misfit = sqrt(squares / (2.0 * freedom * out->n_used));
  out->mismatch = all > 0.0 ? sqrt(left / all) : 0.0;
}

ms_status ms_force_state_measure(const work *w, int freedom, ms_force_state *out) {
  const int H = out->harmonics;
  ms_joint_contact contact;
  for (int k = 0; k < H; k++) take_harmonic(w, k, out);
  if (!out->used[0]) {
    return ms_fail(w->ctx, MS_ERR_NUMERIC,
                   "the sensors do not determine the force of joint %s: condition %.2g; look for "
                   "fewer axes of it, or put sensors elsewhere",
                   w->attachment->name, out->condition[0]);
  }
  const int loaded = ms_joint_get_loaded_law(w->attachment->joint) != NULL;
  out->force = cabs(w->rows[0].y[0]);
  out->K_T = w->attachment->stuck[0];
  out->z_deviation = total_noise(out, out->z_noise);
  out->f_deviation = total_noise(out, out->f_noise);
  measure_turning(w, out);
  measure_loss(w, out->n_axis - loaded, out);
  measure_misfit(w, freedom, out);
  if (loaded) {
    MS_TRY(ms_joint_get_contact(w->attachment->joint, &contact));
    measure_load(contact.N_0, out);
  }
  return MS_SUCCESS;
}
