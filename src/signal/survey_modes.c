/* Modes of impact tests: peaks of the sensors' spectra over the force's, shapes as the first
   singular vectors of the spectra about a peak, modal filters and bands.

     S(f) = sum |X_s|^2 / sum |F|^2,   C = sum of X X^H over a peak = U diag(sigma^2) U^H

   with sums over impacts; the shape of a mode is the real part of u_1, turned in phase. Its filter
   w has w.phi_r = 1 and w.phi_k = 0 for neighbours k, the nearest first, as long as |w| stays below
   a multiple of that without any. */
#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "signal/survey_parts.h"

typedef double complex cplx;

typedef struct peak {
  ptrdiff_t line;
  double height;
} peak;

typedef struct spectra {
  ptrdiff_t first, n; /* lines */
  double df;
  cplx *X;                /* [line + n*(sensor + n_sensor*history)], as velocity */
  double *power, *smooth; /* S, and its mean about a line */
  double *force, *noise;  /* sum |F|^2; what S has without a response */
} spectra;

static void free_spectra(ms_context *ctx, spectra *w) {
  ms_free(ctx, &w->X);
  ms_free(ctx, &w->power);
}

/* ---- spectra ---- */

static ms_status open_spectra(ms_survey *s, ptrdiff_t n_fft, spectra *w) {
  w->df = 1.0 / ((double)n_fft * s->history->dt);
  w->first = (ptrdiff_t)fmax(1.0, ceil(s->info.low / w->df));
  w->n = (ptrdiff_t)floor(s->info.high / w->df) - w->first + 1;
  if (w->n < 3)
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "there are %td lines from %g to %g Hz; record longer",
                   w->n, s->info.low, s->info.high);
  MS_TRY(ms_allocate(s->ctx, w->n * s->n_sensor * s->info.n_used, sizeof *w->X, &w->X));
  MS_TRY(ms_allocate(s->ctx, 4 * w->n, sizeof *w->power, &w->power));
  w->smooth = w->power + w->n;
  w->force = w->smooth + w->n;
  w->noise = w->force + w->n;
  return MS_SUCCESS;
}

/* The force alone about its pulse, what follows it faded alike. */
static void add_history(ms_survey *s, spectra *w, ms_fft *fft, ptrdiff_t i) {
  const survey_history *h = &s->history[i];
  const ptrdiff_t wide = 2 * (h->fall - h->rise + 1), start = h->rise < wide ? 0 : h->rise - wide;
  double energy = 0.0;
  for (ptrdiff_t c = 0; c <= s->n_sensor; c++) {
    const ptrdiff_t end = c == 0 && h->fall + wide < h->n ? h->fall + wide : h->n;
    memset(fft->real, 0, (size_t)fft->n * sizeof *fft->real);
    energy = 0.0;
    for (ptrdiff_t k = start; k < end; k++) {
      const double fade = exp(-s->info.decay * h->dt * (double)(k - start));
      fft->real[k - start] = fade * h->y[k + h->n * c];
      energy += fade * fade;
    }
    ms_fft_forward(fft);
    for (ptrdiff_t k = 0; k < w->n; k++) {
      const cplx z = fft->spectrum[w->first + k];
      const double omega = 2.0 * MS_PI * w->df * (double)(w->first + k);
      const double to_velocity = s->kind == MS_SIGNAL_ACCELERATION   ? 1.0 / omega
                                 : s->kind == MS_SIGNAL_DISPLACEMENT ? omega
                                                                     : 1.0;
      if (c == 0) {
        w->force[k] += creal(z * conj(z));
        continue;
      }
      const cplx x = to_velocity * z;
      const double sigma = s->noise[c - 1] * to_velocity;
      w->X[k + w->n * (c - 1 + s->n_sensor * i)] = x;
      w->power[k] += creal(x * conj(x));
      w->noise[k] += sigma * sigma * energy / (double)s->info.factor;
    }
  }
}

static void smooth(ms_survey *s, spectra *w) {
  for (ptrdiff_t k = 0; k < w->n; k++) {
    const ptrdiff_t half = 1 + (ptrdiff_t)(s->set.tol.smooth * (double)(w->first + k));
    const ptrdiff_t a = k > half ? k - half : 0, b = k + half < w->n ? k + half : w->n - 1;
    for (ptrdiff_t j = a; j <= b; j++) w->smooth[k] += w->power[j] / (double)(b - a + 1);
  }
}

static double find_peak_force(const ms_survey *s, ptrdiff_t i) {
  return s->impact[s->history[i].record].peak;
}

/* Of impacts that are not harder than a limit. */
static ms_status make_spectra(ms_survey *s, double hardest, spectra *w) {
  ptrdiff_t longest = 0;
  for (ptrdiff_t i = 0; i < s->info.n_used; i++)
    longest = s->history[i].n > longest ? s->history[i].n : longest;
  ms_fft fft;
  MS_TRY(ms_fft_open(s->ctx, ms_fft_good_size(2 * longest), &fft));
  ms_status status = open_spectra(s, fft.n, w);
  for (ptrdiff_t i = 0; i < s->info.n_used && status == MS_SUCCESS; i++)
    if (find_peak_force(s, i) <= hardest) add_history(s, w, &fft, i);
  ms_fft_close(s->ctx, &fft);
  for (ptrdiff_t k = 0; k < w->n && status == MS_SUCCESS; k++) {
    const double force = w->force[k] > 0.0 ? w->force[k] : HUGE_VAL;
    w->power[k] /= force;
    w->noise[k] /= force;
  }
  if (status == MS_SUCCESS) smooth(s, w);
  return status;
}

/* ---- peaks ---- */

/* The lowest value on the way from a peak to a higher line, or to the end. */
static double find_dip(const spectra *w, ptrdiff_t k, int step, int *is_end) {
  double low = w->smooth[k];
  ptrdiff_t j = k;
  while (j >= 0 && j < w->n && w->smooth[j] <= w->smooth[k]) {
    low = fmin(low, w->smooth[j]);
    j += step;
  }
  *is_end = j < 0 || j >= w->n;
  return low;
}

static int is_peak(const ms_survey *s, const spectra *w, ptrdiff_t k, double most) {
  const ms_survey_tolerances *tol = &s->set.tol;
  const double top = w->smooth[k];
  if (!(top > w->smooth[k - 1] && top >= w->smooth[k + 1])) return 0;
  if (top < tol->weakest * tol->weakest * most) return 0;
  if (top < tol->noise * tol->noise * w->noise[k]) return 0;
  int ends[2];
  const double left = find_dip(w, k, -1, &ends[0]), right = find_dip(w, k, 1, &ends[1]);
  return fmax(left, right) < tol->dip * tol->dip * top;
}

static int by_height(const void *a, const void *b) {
  const double x = ((const peak *)a)->height, y = ((const peak *)b)->height;
  return (x < y) - (x > y);
}

static int by_line(const void *a, const void *b) {
  const ptrdiff_t x = ((const peak *)a)->line, y = ((const peak *)b)->line;
  return (x > y) - (x < y);
}

/* The highest line of the spectrum itself about that of its mean. */
static ptrdiff_t find_top(const ms_survey *s, const spectra *w, ptrdiff_t k) {
  const ptrdiff_t half = 1 + (ptrdiff_t)(s->set.tol.smooth * (double)(w->first + k));
  ptrdiff_t top = k;
  for (ptrdiff_t j = k - half; j <= k + half; j++)
    if (j >= 1 && j < w->n - 1 && w->power[j] > w->power[top]) top = j;
  return top;
}

static double interpolate(const spectra *w, ptrdiff_t k) {
  const double a = log(w->power[k - 1]), b = log(w->power[k]), c = log(w->power[k + 1]);
  const double curvature = a - 2.0 * b + c;
  const double shift = curvature < 0.0 ? 0.5 * (a - c) / curvature : 0.0;
  return w->df * ((double)(w->first + k) + fmax(-1.0, fmin(1.0, shift)));
}

/* Those that are hum go; the peaks are the highest first. */
static ptrdiff_t drop_hum(ms_survey *s, const spectra *w, ptrdiff_t n, peak *found) {
  ptrdiff_t left = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double freq_hz = interpolate(w, find_top(s, w, found[i].line));
    if (!survey_is_hum(s, freq_hz, w->df))
      found[left++] = found[i];
    else if (s->info.n_hum < MS_SURVEY_HUM)
      s->info.hum_hz[s->info.n_hum++] = freq_hz;
  }
  return left;
}

static ms_status find_peaks(ms_survey *s, const spectra *w, peak **out) {
  double most = 0.0;
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(s->ctx, w->n, sizeof **out, out));
  for (ptrdiff_t k = 0; k < w->n; k++) most = fmax(most, w->smooth[k]);
  for (ptrdiff_t k = 1; k < w->n - 1; k++)
    if (is_peak(s, w, k, most)) (*out)[n++] = (peak) { k, w->smooth[k] };
  qsort(*out, (size_t)n, sizeof **out, by_height);
  n = drop_hum(s, w, n, *out);
  s->info.n_mode = n < s->set.modes ? n : s->set.modes;
  qsort(*out, (size_t)s->info.n_mode, sizeof **out, by_line);
  if (n > 0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT, "no peak of a mode is seen from %g to %g Hz", s->info.low,
                 s->info.high);
}

/* ---- the softest impacts ---- */

/* Peak force up to which a third of the impacts lies; 0: there are too few, or all are alike. */
static ms_status find_soft_force(ms_survey *s, double *out) {
  const ptrdiff_t n = s->info.n_used;
  double *force;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *force, &force));
  for (ptrdiff_t i = 0; i < n; i++) force[i] = find_peak_force(s, i);
  ms_sort(n, force);
  *out = force[(n - 1) / 3] < force[n - 1] ? force[(n - 1) / 3] : 0.0;
  ms_free(s->ctx, &force);
  return MS_SUCCESS;
}

static ptrdiff_t find_lowest(const spectra *w, ptrdiff_t a, ptrdiff_t b) {
  ptrdiff_t low = a;
  for (ptrdiff_t k = a; k <= b; k++)
    if (w->smooth[k] < w->smooth[low]) low = k;
  return low;
}

/* The peak of soft impacts between the dips to the neighbours of peak r of all impacts, from which
   slip has brought it there; -1: none, or so near that one band holds both. */
static ptrdiff_t find_soft_peak(const ms_survey *s, const spectra *all, const spectra *soft,
                                const peak *found, ptrdiff_t r) {
  const ptrdiff_t line = found[r].line;
  const double at = (double)(all->first + line);
  ptrdiff_t a = r > 0 ? find_lowest(all, found[r - 1].line, line) : 0, best = -1;
  ptrdiff_t b = r < s->info.n_mode - 1 ? find_lowest(all, line, found[r + 1].line) : all->n - 1;
  double most = 0.0;
  if (at * (1.0 - s->set.tol.apart) > (double)(all->first + a))
    a = (ptrdiff_t)(at * (1.0 - s->set.tol.apart)) - all->first;
  if (at * (1.0 + s->set.tol.moved) < (double)(all->first + b))
    b = (ptrdiff_t)(at * (1.0 + s->set.tol.moved)) - all->first;
  for (ptrdiff_t k = a; k <= b; k++) most = fmax(most, soft->smooth[k]);
  for (ptrdiff_t k = a > 1 ? a : 1; k <= b && k < all->n - 1; k++)
    if (soft->smooth[k] == most && is_peak(s, soft, k, most)) best = k;
  return (double)(best - line) > s->set.tol.apart * at ? best : -1;
}

/* ---- shapes ---- */

static ms_status find_shape(ms_survey *s, const spectra *w, ptrdiff_t top, cplx *C, double *sigma,
                            ms_survey_mode *mode, double *shape) {
  const ptrdiff_t m = s->n_sensor;
  const double least = s->set.tol.shape * s->set.tol.shape * w->power[top];
  ptrdiff_t a = top, b = top;
  while (a > 0 && w->power[a - 1] >= least) a--;
  while (b < w->n - 1 && w->power[b + 1] >= least) b++;
  memset(C, 0, (size_t)(m * m) * sizeof *C);
  for (ptrdiff_t i = 0; i < s->info.n_used; i++) {
    const cplx *X = w->X + w->n * m * i;
    for (ptrdiff_t k = a; k <= b; k++)
      for (ptrdiff_t p = 0; p < m; p++)
        for (ptrdiff_t q = 0; q < m; q++)
          C[p + m * q] += X[k + w->n * p] * conj(X[k + w->n * q]) / w->force[k];
  }
  const lapack_int info = LAPACKE_zheev(LAPACK_COL_MAJOR, 'V', 'U', (lapack_int)m,
                                        (lapack_complex_double *)(void *)C, (lapack_int)m, sigma);
  if (info != 0)
    return ms_fail(s->ctx, MS_NOT_CONVERGED, "singular values of the spectra did not converge");
  if (m > 1) mode->second = sqrt(fmax(sigma[m - 2], 0.0) / sigma[m - 1]);
  const cplx *u = C + m * (m - 1);
  cplx square = 0.0;
  for (ptrdiff_t p = 0; p < m; p++) square += u[p] * u[p];
  const cplx turn = cexp(-0.5 * I * carg(square));
  ptrdiff_t largest = 0;
  for (ptrdiff_t p = 0; p < m; p++) {
    shape[p] = creal(u[p] * turn);
    if (fabs(shape[p]) > fabs(shape[largest])) largest = p;
  }
  cblas_dscal((int)m, 1.0 / shape[largest], shape, 1);
  mode->shape = shape;
  return MS_SUCCESS;
}

/* Frequency and shape are those of soft impacts where the peak of all is that of the hard blows: in
   these joints slip, and the mode is another one. */
static ms_status find_shapes(ms_survey *s, const spectra *all, const spectra *soft,
                             const peak *found) {
  cplx *C;
  double *sigma;
  ms_status status = ms_allocate(s->ctx, s->n_sensor, sizeof *sigma, &sigma);
  if (status != MS_SUCCESS) return status;
  status = ms_allocate(s->ctx, s->n_sensor * s->n_sensor, sizeof *C, &C);
  for (ptrdiff_t r = 0; r < s->info.n_mode && status == MS_SUCCESS; r++) {
    const ptrdiff_t softest = soft->n > 0 ? find_soft_peak(s, all, soft, found, r) : -1;
    const spectra *w = softest >= 0 ? soft : all;
    const ptrdiff_t top = find_top(s, w, softest >= 0 ? softest : found[r].line);
    s->mode[r].peak_hz = interpolate(w, top);
    status = find_shape(s, w, top, C, sigma, &s->mode[r], s->shape + s->n_sensor * r);
  }
  ms_free(s->ctx, &C);
  ms_free(s->ctx, &sigma);
  return status;
}

/* The sensor at which the mode that it sees least is largest. */
static ptrdiff_t choose_sensor(const ms_survey *s) {
  ptrdiff_t best = 0;
  double most = -1.0;
  for (ptrdiff_t p = 0; p < s->n_sensor; p++) {
    double least = HUGE_VAL;
    for (ptrdiff_t r = 0; r < s->info.n_mode; r++)
      least = fmin(least, fabs(s->shape[p + s->n_sensor * r]));
    if (least > most) most = least, best = p;
  }
  return best;
}

/* ---- modal filters and bands ---- */

static double distance(const ms_survey *s, ptrdiff_t r, ptrdiff_t k) {
  return fabs(s->mode[k].peak_hz / s->mode[r].peak_hz - 1.0);
}

/* The neighbour in reach that is nearest behind those of rank `after`; -1: none. */
static ptrdiff_t next_neighbour(const ms_survey *s, ptrdiff_t r, double after) {
  ptrdiff_t best = -1;
  for (ptrdiff_t k = 0; k < s->info.n_mode; k++) {
    const double d = distance(s, r, k);
    if (k != r && d > after && d < s->set.tol.reach && (best < 0 || d < distance(s, r, best)))
      best = k;
  }
  return best;
}

/* The distance, in parts of its frequency, at which the band's gain is to be zero. */
static void set_band(ms_survey *s, ptrdiff_t r, double away) {
  const double pass = s->set.tol.pass;
  ms_survey_mode *mode = &s->mode[r];
  mode->edge = (1.0 - pass) * away / (1.0 + pass * away);
  if (s->set.edge > 0.0) {
    mode->edge = s->set.edge;
    away = s->set.edge / fmax(1.0 - pass - pass * s->set.edge, pass);
  }
  mode->low = mode->peak_hz * fmax(1.0 - pass * away, pass);
  mode->high = mode->peak_hz * (1.0 + pass * away);
}

/* basis: room for n_sensor vectors. */
static void make_filter(ms_survey *s, ptrdiff_t r, double *basis) {
  const ms_survey_tolerances *tol = &s->set.tol;
  const int m = (int)s->n_sensor;
  const double *phi = s->shape + m * r;
  double *w = s->filter + m * r, away = tol->reach;
  ms_survey_mode *mode = &s->mode[r];
  mode->magnified = 1.0;
  cblas_dcopy(m, phi, 1, w, 1);
  for (ptrdiff_t k = next_neighbour(s, r, 0.0); k >= 0;
       k = next_neighbour(s, r, distance(s, r, k))) {
    double *e = basis + m * mode->filtered;
    int is_filtered = 0;
    if (mode->filtered < m - 1) {
      cblas_dcopy(m, s->shape + m * k, 1, e, 1);
      for (ptrdiff_t j = 0; j < mode->filtered; j++)
        cblas_daxpy(m, -cblas_ddot(m, basis + m * j, 1, e, 1), basis + m * j, 1, e, 1);
      cblas_dscal(m, 1.0 / fmax(cblas_dnrm2(m, e, 1), 1e-300), e, 1);
      const double part = cblas_ddot(m, e, 1, w, 1), whole = cblas_dnrm2(m, w, 1);
      const double left = sqrt(fmax(whole * whole - part * part, 0.0));
      is_filtered = cblas_dnrm2(m, phi, 1) <= tol->magnified * left;
      if (is_filtered) {
        cblas_daxpy(m, -part, e, 1, w, 1);
        mode->magnified = cblas_dnrm2(m, phi, 1) / left;
        mode->filtered++;
      }
    }
    away = fmin(away, is_filtered ? fmax(distance(s, r, k), tol->near) : distance(s, r, k));
    double *near = is_filtered ? &s->near[r].taken : &s->near[r].left;
    if (*near == 0.0) *near = s->mode[k].peak_hz;
  }
  cblas_dscal(m, 1.0 / cblas_ddot(m, w, 1, phi, 1), w, 1);
  set_band(s, r, away);
}

static ms_status make_filters(ms_survey *s) {
  double *basis;
  MS_TRY(ms_allocate(s->ctx, s->n_sensor * s->n_sensor, sizeof *basis, &basis));
  for (ptrdiff_t r = 0; r < s->info.n_mode; r++) make_filter(s, r, basis);
  ms_free(s->ctx, &basis);
  return MS_SUCCESS;
}

ms_status survey_find_modes(ms_survey *s) {
  spectra w = { .n = 0 }, soft = { .n = 0 };
  peak *found = NULL;
  double force = 0.0;
  ms_status status = make_spectra(s, HUGE_VAL, &w);
  if (status == MS_SUCCESS) status = find_soft_force(s, &force);
  if (status == MS_SUCCESS && force > 0.0) status = make_spectra(s, force, &soft);
  if (status == MS_SUCCESS) status = find_peaks(s, &w, &found);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, s->info.n_mode, sizeof *s->mode, &s->mode);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, s->info.n_mode, sizeof *s->near, &s->near);
  if (status == MS_SUCCESS)
    status = ms_allocate(s->ctx, s->n_sensor * s->info.n_mode, sizeof *s->shape, &s->shape);
  if (status == MS_SUCCESS)
    status = ms_allocate(s->ctx, s->n_sensor * s->info.n_mode, sizeof *s->filter, &s->filter);
  if (status == MS_SUCCESS) status = find_shapes(s, &w, &soft, found);
  ms_free(s->ctx, &found);
  free_spectra(s->ctx, &w);
  free_spectra(s->ctx, &soft);
  MS_TRY(status);
  s->info.sensor = s->set.sensor >= 0 ? s->set.sensor : choose_sensor(s);
  return make_filters(s);
}
