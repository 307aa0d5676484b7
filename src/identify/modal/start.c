/* Starting points from the data alone. Given where macroslip begins and the shape of the element
   (phi_max, chi, beta), the curves h and d are known, and

     omega^2        = K_inf + K_T h
     zeta omega^2   = zeta_0 omega_0 omega + K_T d/(2 pi)

   are linear in the rest: so phi_max, chi and beta are scanned, the rest follows by linear least
   squares, and Levenberg-Marquardt goes on from the best few. K_T comes from the frequencies or
   from the damping, whichever describes the data better. */
#include <math.h>

#include "identify/modal/fit.h"

static const double two_pi = 6.283185307179586477, ln_10 = 2.302585092994045684;
static const double scan_chi[] = { -0.85, -0.6, -0.35, 0.0, 0.6, 1.5 };
static const double scan_beta[] = { 0.03, 0.5, 3.0, 15.0 };
enum { N_CHI = sizeof scan_chi / sizeof *scan_chi, N_BETA = sizeof scan_beta / sizeof *scan_beta };
enum { PHI_PER_DECADE = 6, N_START = 8 };

static double clip(double value, double lower, double upper) {
  return fmin(fmax(value, lower), upper);
}

/* Least squares of y = a u + b v from the five sums; 0 if they are singular. */
typedef struct sums {
  double uu, uv, vv, uy, vy;
} sums;

static void add(sums *s, double u, double v, double y) {
  s->uu += u * u, s->uv += u * v, s->vv += v * v, s->uy += u * y, s->vy += v * y;
}

static int solve(const sums *s, double *a, double *b) {
  double det = s->uu * s->vv - s->uv * s->uv;
  if (!(det > 1e-12 * s->uu * s->vv)) return 0;
  *a = (s->uy * s->vv - s->vy * s->uv) / det;
  *b = (s->vy * s->uu - s->uy * s->uv) / det;
  return 1;
}

/* Fills the linear variables of x; by_damping says where K_T comes from. */
static void fill_linear(const ms_modal_points *c, int by_damping, double *x) {
  ms_modal_shape shape = ms_modal_shape_at(x);
  sums stiffness = { 0 }, damping = { 0 };
  double top = 0.0, K_mean = 0.0, h_mean = 0.0, n = (double)c->n;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double h, d, K = c->at[i].omega * c->at[i].omega, loss = exp(c->at[i].ln_zeta) * K;
    ms_modal_curve(&shape, c->at[i].far, c->at[i].ln_q, &h, &d);
    add(&stiffness, 1.0, h, K);
    add(&damping, c->at[i].omega / loss, d / (two_pi * loss), 1.0); /* relative errors */
    top = fmax(top, K);
    K_mean += K / n, h_mean += h / n;
  }
  double K_inf, K_T = 0.0, viscous;
  if (by_damping ? !solve(&damping, &viscous, &K_T) : !solve(&stiffness, &K_inf, &K_T)) K_T = 0.0;
  K_T = clip(K_T, 1e-5 * top, 0.9 * top);
  K_inf = fmax(K_mean - K_T * h_mean, 0.05 * top);
  double K_0 = K_inf + K_T;
  viscous = (damping.uy - K_T * damping.uv) / damping.uu;
  x[MS_FIT_LN_K0] = log(K_0);
  x[MS_FIT_LOGIT] = log(K_T / K_inf);
  x[MS_FIT_LN_ZETA] = log(fmax(viscous / sqrt(K_0), 1e-2 * exp(c->at[0].ln_zeta)));
}

static double sum_of_squares(ms_modal_work *w, const ms_modal_points *c, const double *x) {
  double sum = 0.0;
  ms_modal_residual(c, x, 0, NULL, w->r, NULL);
  for (ptrdiff_t i = 0; i < 2 * c->n_bin; i++) sum += w->r[i] * w->r[i];
  return sum;
}

void ms_modal_scan(ms_modal_work *w, const ms_modal_points *c, double ln_phi, ms_modal_run *best) {
  *best = (ms_modal_run) { .sum = HUGE_VAL };
  for (int i = 0; i < N_CHI * N_BETA * 2; i++) {
    ms_modal_run run = { .sum = 0.0 };
    run.x[MS_FIT_LN_PHI] = ln_phi;
    run.x[MS_FIT_LN_P] = log(scan_chi[i % N_CHI] + 1.0);
    run.x[MS_FIT_LN_BETA] = log(scan_beta[i / N_CHI % N_BETA]);
    fill_linear(c, i / (N_CHI * N_BETA), run.x);
    run.sum = sum_of_squares(w, c, run.x);
    if (run.sum < best->sum) *best = run;
  }
}

/* Keeps list[] sorted by sum, at most N_START long. */
static void insert(ms_modal_run *list, int *n, const ms_modal_run *run) {
  int i = *n < N_START ? (*n)++ : N_START;
  for (; i > 0 && list[i - 1].sum > run->sum; i--) {
    if (i < N_START) list[i] = list[i - 1];
  }
  if (i < N_START) list[i] = *run;
}

void ms_modal_start(ms_modal_work *w, const ms_modal_points *c, ms_modal_run *best, int *starts) {
  double first = c->at[0].ln_q - log(3.0), last = c->at[c->n - 1].ln_q + log(30.0);
  ms_modal_run list[N_START] = { 0 }, run;
  int n = 0;
  for (double ln_phi = first; ln_phi < last; ln_phi += ln_10 / PHI_PER_DECADE) {
    ms_modal_scan(w, c, ln_phi, &run);
    insert(list, &n, &run);
  }
  *best = list[0];
  best->sum = HUGE_VAL;
  for (int i = 0; i < n; i++) {
    ms_modal_least_squares(w, c, MS_FIT_ALL, &list[i]);
    if (list[i].sum < best->sum) *best = list[i];
  }
  *starts = n;
}
