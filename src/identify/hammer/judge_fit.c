/* What the sensors of a hit see of each group of modes, from the first periods after the pulse: the
   measured force drives an oscillator p_g for each group, and the sensors are sums of these. Slip
   makes modes softer and damps them more: frequency and damping of every oscillator are fitted,
   too, by variable projection. How large a response begins follows from force and mass, whatever
   the joints do; that is what makes the sums comparable with the modes. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "core/internal.h"
#include "identify/hammer/judge.h"
#include "structure/impl.h"

/* Where the search begins: damping that slip adds, and rad by which neighbours differ at the end.
 */
static const double LITTLE = 0.003, MUCH = 0.03, TURN = 1.5;
enum { SWEEPS = 2, LEAST_GRID = 7, MOST_GRID = 61, REFINED = 6, LEAST = 32 };

typedef struct fit {
  const judge *j;
  const judged_hit *h;
  ptrdiff_t first, n, n_group, n_channel; /* samples */
  double *p;                              /* n x n_group, of norm 1 */
  double *x;                              /* n x n_channel, over their norm; 0 of those not used */
  double *f;                              /* n */
  double *gram, *rhs;                     /* n_group x n_group, n_group x n_channel */
  double *matrix, *a;                     /* work, of the same sizes */
  double *size;                           /* norm of each channel */
  double omega[MS_JUDGE_GROUPS], zeta[MS_JUDGE_GROUPS], norm[MS_JUDGE_GROUPS];
} fit;

/* ---- groups ---- */

void ms_judge_group_modes(judge *j) {
  const ms_modes modes = ms_structure_get_stuck(j->s);
  const double turn = 2.0 * MS_PI * j->setting.tol.window;
  double T = 0.0;
  ptrdiff_t r = 0;
  for (ptrdiff_t i = 0; i < j->n_hit; i++)
    T = fmax(T, j->hit[i].from->dt * (double)j->hit[i].from->n);
  while (r < modes.n && modes.omega[r] * T < turn) r++;
  if (r == modes.n) return;
  j->slowest = modes.omega[r];
  j->window = turn / j->slowest;
  const double apart = j->setting.tol.apart * 2.0 * MS_PI / j->window;
  for (r = 0; r < modes.n; r++) {
    judged_group *last = j->n_group > 0 ? &j->group[j->n_group - 1] : NULL;
    if (last && modes.omega[r] - modes.omega[last->first] < apart &&
        (modes.omega[r] < j->slowest) == (last->omega < j->slowest)) {
      last->n++;
      continue;
    }
    if (j->n_group == MS_JUDGE_GROUPS) return;
    j->group[j->n_group++] = (judged_group) { .first = r,
                                              .n = 1,
                                              .omega = modes.omega[r],
                                              .zeta = fmin(ms_structure_get_damping_ratio(j->s, r),
                                                           j->setting.tol.most_damped) };
  }
}

/* Of the spectrum of the force at omega. */
static double spectrum_at(const fit *t, double omega) {
  double complex sum = 0.0;
  const double dt = t->h->from->dt;
  for (ptrdiff_t k = 0; k < t->n; k++) sum += t->f[k] * cexp(-I * omega * dt * (double)k);
  return cabs(sum);
}

static ptrdiff_t count_groups(const fit *t) {
  const ms_hit_tolerances *tol = &t->j->setting.tol;
  const double dt = t->h->from->dt, all = spectrum_at(t, 0.0);
  ptrdiff_t n = 0;
  for (ptrdiff_t g = 0; g < t->j->n_group; g++) {
    const double omega = t->j->group[g].omega;
    if (omega * dt > tol->resolved) break;
    if (spectrum_at(t, omega) > tol->excited * all) n = g + 1;
  }
  return n;
}

/* ---- oscillators ---- */

/* z' = s z + f with straight lines between the samples of f; q = Im z/omega_d. */
static void ring(const fit *t, double omega, double zeta, double *p) {
  const double dt = t->h->from->dt, slow = 0.01 / (dt * (double)t->n);
  omega = fmax(omega, slow); /* of a rigid-body mode: what does not turn within the window */
  const double turn = omega * sqrt(1.0 - zeta * zeta);
  const double complex s = -zeta * omega + I * turn, e = cexp(s * dt);
  const double complex both = (e - 1.0) / s, next = (e - 1.0 - s * dt) / (s * s * dt);
  const ms_signal_kind kind = t->j->setting.kind;
  const double complex look = kind == MS_SIGNAL_DISPLACEMENT ? 1.0
                              : kind == MS_SIGNAL_VELOCITY   ? s
                                                             : s * s;
  double complex z = 0.0;
  for (ptrdiff_t k = 0; k < t->n; k++) {
    if (k > 0) z = e * z + (both - next) * t->f[k - 1] + next * t->f[k];
    p[k] = cimag(look * z) / turn + (kind == MS_SIGNAL_ACCELERATION ? t->f[k] : 0.0);
  }
}

static void put(fit *t, ptrdiff_t g, double omega, double zeta) {
  const ptrdiff_t G = t->n_group;
  double *p = t->p + t->n * g;
  ring(t, omega, zeta, p);
  t->norm[g] = sqrt(ms_judge_dot(t->n, p, p));
  t->omega[g] = omega;
  t->zeta[g] = zeta;
  for (ptrdiff_t k = 0; k < t->n && t->norm[g] > 0.0; k++) p[k] /= t->norm[g];
  for (ptrdiff_t i = 0; i < G; i++) {
    t->gram[i + G * g] = t->gram[g + G * i] = ms_judge_dot(t->n, p, t->p + t->n * i);
  }
  for (ptrdiff_t c = 0; c < t->n_channel; c++) {
    t->rhs[g + G * c] = ms_judge_dot(t->n, p, t->x + t->n * c);
  }
}

/* Least squares; returns what they explain of the sensors, each of which counts 1. */
static double solve(fit *t) {
  const ptrdiff_t G = t->n_group;
  double sum = 0.0;
  memcpy(t->matrix, t->gram, (size_t)(G * G) * sizeof *t->gram);
  memcpy(t->a, t->rhs, (size_t)(G * t->n_channel) * sizeof *t->rhs);
  for (ptrdiff_t g = 0; g < G; g++) t->matrix[g + G * g] += t->j->setting.tol.ridge;
  if (ms_dense_solve_many(G, t->matrix, t->n_channel, t->a) != 0) return 0.0;
  for (ptrdiff_t i = 0; i < G * t->n_channel; i++) sum += t->a[i] * t->rhs[i];
  return sum;
}

/* ---- frequency and damping ---- */

typedef struct best {
  double sum, omega, zeta;
} best;

static void try(fit *t, ptrdiff_t g, double omega, double zeta, best *b) {
  put(t, g, omega, zeta);
  const double sum = solve(t);
  if (sum > b->sum) *b = (best) { sum, omega, zeta };
}

static void search(fit *t, ptrdiff_t g) {
  const ms_hit_tolerances *tol = &t->j->setting.tol;
  const judged_group *is = &t->j->group[g];
  const double below = g > 0 ? is[-1].omega : 0.0, slipped = t->j->s->omega_slip[is->first];
  const double above = g + 1 < t->j->n_group ? is[1].omega : HUGE_VAL;
  const double soft = fmin((1.0 - tol->softer) * is->omega, slipped);
  const double low = fmax(soft, 0.5 * (fmin(slipped, is->omega) + below));
  const double high = fmin((1.0 + tol->harder) * is->omega, 0.5 * (is->omega + above));
  const double T = t->h->from->dt * (double)t->n;
  const double count = fmin(fmax((high - low) * T / TURN, LEAST_GRID), MOST_GRID);
  double step = (high - low) / (count - 1.0), factor = 2.0;
  best b = { 0.0, is->omega, is->zeta };
  for (double omega = low; omega < high + 0.5 * step; omega += step) {
    try(t, g, omega, is->zeta + LITTLE, &b);
    try(t, g, omega, is->zeta + MUCH, &b);
  }
  for (int i = 0; i < REFINED; i++) {
    const best from = b;
    step *= 0.5;
    try(t, g, fmax(from.omega - step, low), from.zeta, &b);
    try(t, g, fmin(from.omega + step, high), from.zeta, &b);
    try(t, g, from.omega, fmin(from.zeta * factor, tol->most_damped), &b);
    try(t, g, from.omega, from.zeta / factor, &b);
    factor = sqrt(factor);
  }
  put(t, g, b.omega, b.zeta);
}

/* ---- a hit ---- */

static void close_fit(ms_context *ctx, fit *t) {
  double **block[] = { &t->p, &t->x, &t->f, &t->gram, &t->rhs, &t->matrix, &t->a, &t->size };
  for (size_t i = 0; i < sizeof block / sizeof *block; i++) ms_free(ctx, block[i]);
}

static ms_status open_fit(ms_context *ctx, fit *t) {
  const ptrdiff_t G = t->n_group, C = t->n_channel;
  MS_TRY(ms_allocate(ctx, t->n * G, sizeof *t->p, &t->p));
  MS_TRY(ms_allocate(ctx, t->n * C, sizeof *t->x, &t->x));
  MS_TRY(ms_allocate(ctx, G * G, sizeof *t->gram, &t->gram));
  MS_TRY(ms_allocate(ctx, G * C, sizeof *t->rhs, &t->rhs));
  MS_TRY(ms_allocate(ctx, G * G, sizeof *t->matrix, &t->matrix));
  MS_TRY(ms_allocate(ctx, G * C, sizeof *t->a, &t->a));
  return ms_allocate(ctx, C, sizeof *t->size, &t->size);
}

static void take_force(fit *t) {
  const double offset = t->h->out->channel[0].offset;
  for (ptrdiff_t k = 0; k < t->n; k++) t->f[k] = t->h->from->force[t->first + k] - offset;
}

static void take_sensors(fit *t) {
  for (ptrdiff_t c = 0; c < t->n_channel; c++) {
    const double *from = t->h->from->x + t->h->from->n * c + t->first;
    const double offset = t->h->out->channel[c + 1].offset;
    double *x = t->x + t->n * c;
    for (ptrdiff_t k = 0; k < t->n; k++) x[k] = from[k] - offset;
    t->size[c] = sqrt(ms_judge_dot(t->n, x, x));
    const double factor = t->h->used[c] && t->size[c] > 0.0 ? 1.0 / t->size[c] : 0.0;
    for (ptrdiff_t k = 0; k < t->n; k++) x[k] *= factor;
  }
}

/* What of each p_g the others are not: sums of oscillators that are nearly the same are known, but
   not their parts, which count as much less. */
static void find_own_parts(fit *t, double own[MS_JUDGE_GROUPS]) {
  const ptrdiff_t G = t->n_group;
  for (ptrdiff_t g = 0; g < G; g++) {
    double column[MS_JUDGE_GROUPS] = { 0.0 };
    column[g] = 1.0;
    memcpy(t->matrix, t->gram, (size_t)(G * G) * sizeof *t->gram);
    for (ptrdiff_t i = 0; i < G; i++) t->matrix[i + G * i] += t->j->setting.tol.ridge;
    own[g] = ms_dense_solve_many(G, t->matrix, 1, column) == 0 ? 1.0 / sqrt(column[g]) : 0.0;
  }
}

static void keep(fit *t, judged_hit *h) {
  double own[MS_JUDGE_GROUPS];
  find_own_parts(t, own);
  for (ptrdiff_t c = 0; c < t->n_channel; c++) {
    const double left =
        1.0 - ms_judge_dot(t->n_group, t->a + t->n_group * c, t->rhs + t->n_group * c);
    h->noise[c] = t->size[c] * sqrt(fmax(left, 0.0) / (double)(t->n - t->n_group));
    for (ptrdiff_t g = 0; g < t->n_group; g++) {
      h->a[g + t->n_group * c] = own[g] * t->size[c] * t->a[g + t->n_group * c];
    }
  }
  for (ptrdiff_t g = 0; g < t->n_group; g++) h->norm[g] = own[g] * t->norm[g];
  h->n_group = t->n_group;
  h->n = t->n;
  h->fitted = 1;
}

static ms_status fit_all(judge *j, judged_hit *h, fit *t) {
  t->n_group = count_groups(t);
  if (t->n_group == 0) return MS_SUCCESS;
  MS_TRY(open_fit(j->ctx, t));
  take_sensors(t);
  for (ptrdiff_t g = 0; g < t->n_group; g++) put(t, g, j->group[g].omega, j->group[g].zeta);
  for (int i = 0; i < SWEEPS; i++) {
    for (ptrdiff_t g = 0; g < t->n_group; g++) {
      if (j->group[g].omega >= j->slowest) search(t, g);
    }
  }
  solve(t);
  MS_TRY(ms_allocate(j->ctx, t->n_group * t->n_channel, sizeof *h->a, &h->a));
  MS_TRY(ms_allocate(j->ctx, t->n_channel, sizeof *h->noise, &h->noise));
  keep(t, h);
  return MS_SUCCESS;
}

ms_status ms_judge_fit(judge *j, judged_hit *h) {
  const ms_hit *from = h->from;
  fit t = { .j = j, .h = h, .first = h->pulse.first, .n_channel = j->setting.n_channel };
  const double samples = j->window / from->dt;
  const double end = (double)h->pulse.fall + samples;
  t.n = (end < (double)from->n ? (ptrdiff_t)end : from->n) - t.first;
  if (h->bad_force || j->n_group == 0 || t.n < LEAST || (double)t.n < 0.5 * samples)
    return MS_SUCCESS;
  MS_TRY(ms_allocate(j->ctx, t.n, sizeof *t.f, &t.f));
  take_force(&t);
  ms_status status = fit_all(j, h, &t);
  close_fit(j->ctx, &t);
  return status;
}
