/* Force-state mapping of a joint with curvature (structure/attachment.c): with y the lowest modes,

     z = gamma^T q + s,   s = y^T B y/2,      modal force on y: e = -sum over axes of B y f,

   so that s and e follow from what is sought. Fixed-point iteration from s = e = 0: with e
   known it is one more load, sensors less its part are mapped as ever, and d is f - K_T gamma^T q.
   Sensors do not see means. That of f is given, as a rule none: sliders that slip in every cycle
   keep none, and so with x = gamma^T q, r what e makes of it and h the receptance at rest,

     d = f - K_T x,   x = r - h d:   (1 - h K_T) x = r - h f.

   Harmonics k = 0 .. H are complex amplitudes; mean real. Outputs o: sensors, axes, y; columns c:
   force, d of the axes sought, e. */
#include <cblas.h>
#include <math.h>
#include <microslip/response.h>
#include <string.h>

#include "core/dense.h"
#include "core/internal.h"
#include "identify/force_state/force_state.h"
#include "signal/internal.h"

enum { MOST_ROUNDS = 200 };

typedef ms_force_state_work work;

typedef struct curved {
  work *w;
  int n, n_out, n_column, times; /* n: modes in y */
  double *response;              /* pairs: H + 1 for every output and column */
  double *place, *omega;         /* M phi_r of y; frequencies */
  double *angle;                 /* cos and sin, pairs: times x (H + 1) */
  double complex *x;             /* n_column x (H + 1): force, d, e */
  double complex *out;           /* n_out x (H + 1) */
  double complex *f, *s;         /* n_axis x (H + 1) */
  double complex *old;           /* e and s of the round before */
  double *t;                     /* at one time: y, B y */
  double *memory;
  double complex *matrices;
} curved;

/* ---- responses ---- */

static const double *get_place(const curved *b, int i, int is_output) {
  const work *w = b->w;
  const ptrdiff_t n = w->structure->n;
  const int axes = is_output ? w->n_axis : w->axes;
  const int before = is_output ? w->request->n_sensor : 1;
  if (i >= before + axes) return b->place + n * (i - before - axes);
  if (i >= before) return w->b + n * (i - before);
  return is_output ? w->request->sensor[i].weights : w->request->force;
}

static ms_status find_responses(curved *b) {
  const work *w = b->w;
  for (int c = 0; c < b->n_column; c++) {
    for (int o = 0; o < b->n_out; o++) {
      const int is_sensor = o < w->request->n_sensor;
      const ms_response_request q = {
        .kind = is_sensor ? (ms_response_kind)w->request->sensor[o].kind : MS_RECEPTANCE,
        .force = get_place(b, c, 0),
        .sensor = get_place(b, o, 1),
        .joints = MS_JOINTS_STUCK,
      };
      double *to = b->response + 2 * (ptrdiff_t)(w->H + 1) * (o + b->n_out * c);
      MS_TRY(ms_response_synthesise(w->structure, &q, w->H + 1, b->omega, to));
      const double sign = c >= 1 && c <= w->axes ? -1.0 : 1.0; /* d acts against its axis */
      cblas_dscal(2 * (w->H + 1), sign, to, 1);
    }
  }
  return MS_SUCCESS;
}

static const double *get_response(const curved *b, int o, int c, int k) {
  return b->response + 2 * (k + (ptrdiff_t)(b->w->H + 1) * (o + b->n_out * c));
}

/* Output o at harmonic k: of all columns from `first` on. */
static double complex respond(const curved *b, int o, int k, int first) {
  double complex sum = 0.0;
  for (int c = first; c < b->n_column; c++) {
    const double *h = get_response(b, o, c, k);
    sum += (h[0] + I * h[1]) * b->x[c + b->n_column * k];
  }
  return sum;
}

/* ---- one round ---- */

/* What the sensors would say without e, in `clean`. */
static void clean_sensors(const curved *b, int k, double complex *clean) {
  const work *w = b->w;
  clean[0] = w->rows[k - 1].y[0];
  for (int s = 1; s < w->R; s++) {
    clean[s] = w->rows[k - 1].y[s] - respond(b, s - 1, k, w->C);
  }
}

/* f = K_T gamma^T q + d, dashpots included. */
static void fill_forces(curved *b, int k) {
  const work *w = b->w;
  const int n = w->n_axis;
  const double complex *z = b->out + w->request->n_sensor + (ptrdiff_t)b->n_out * k;
  for (int a = 0; a < n; a++) {
    double complex f = a < w->axes ? b->x[1 + a + b->n_column * k] : 0.0;
    for (int c = 0; c < n; c++) {
      f += (w->attachment->stuck[a + n * c] + I * b->omega[k] * w->attachment->dashpot[a + n * c]) *
           z[c];
    }
    b->f[a + n * k] = f;
  }
}

static double given_mean(const work *w, int a) {
  return a == 0 ? w->setting->force_mean : 0.0;
}

static ms_status solve_mean(curved *b) {
  const work *w = b->w;
  const int n = w->n_axis, first = w->request->n_sensor;
  double A[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS], x[MS_JOINT_MAX_AXIS];
  for (int c = 0; c < n; c++) {
    x[c] = creal(respond(b, first + c, 0, w->C));
    for (int k = 0; k < n; k++) A[c + n * k] = c == k ? 1.0 : 0.0;
    for (int a = 0; a < w->axes; a++) {
      const double h = *get_response(b, first + c, 1 + a, 0); /* -h */
      x[c] += h * given_mean(w, a);
      for (int k = 0; k < n; k++) A[c + n * k] += h * w->attachment->stuck[a + n * k];
    }
  }
  if (ms_dense_solve(n, A, x)) {
    return ms_fail(w->ctx, MS_ERR_NUMERIC, "joint %s alone holds the structure",
                   w->attachment->name);
  }
  for (int a = 0; a < w->axes; a++) {
    double d = given_mean(w, a);
    for (int c = 0; c < n; c++) d -= w->attachment->stuck[a + n * c] * x[c];
    b->x[1 + a] = d;
  }
  return MS_SUCCESS;
}

static void solve_harmonic(curved *b, int k) {
  const work *w = b->w;
  double complex *x = b->x + (ptrdiff_t)b->n_column * k;
  if (k > 0) {
    clean_sensors(b, k, w->scratch);
    ms_force_state_multiply(w->C, w->R, 1, w->rows[k - 1].x, w->scratch, x);
  }
  for (int o = 0; o < b->n_out; o++) b->out[o + (ptrdiff_t)b->n_out * k] = respond(b, o, k, 0);
  fill_forces(b, k);
}

/* x(t_j) of harmonics x[ld k]. */
static double expand(const curved *b, const double complex *x, int ld, int j) {
  const double *angle = b->angle + 2 * (ptrdiff_t)(b->w->H + 1) * j;
  double sum = 0.0;
  for (int k = 0; k <= b->w->H; k++) {
    const double complex v = x[(ptrdiff_t)ld * k];
    sum += creal(v) * angle[2 * k] - cimag(v) * angle[2 * k + 1];
  }
  return sum;
}

/* Adds a value at t_j to its harmonics. */
static void analyse(const curved *b, double value, int j, double complex *x, int ld) {
  const double *angle = b->angle + 2 * (ptrdiff_t)(b->w->H + 1) * j;
  for (int k = 0; k <= b->w->H; k++) {
    const double part = (k ? 2.0 : 1.0) * value / b->times;
    x[(ptrdiff_t)ld * k] += part * (angle[2 * k] - I * angle[2 * k + 1]);
  }
}

/* s and e from y and f at time t_j. */
static void add_curvature(curved *b, int j) {
  const work *w = b->w;
  const int n = b->n, first = w->request->n_sensor + w->n_axis;
  double *y = b->t, *By = y + n;
  for (int i = 0; i < n; i++) y[i] = expand(b, b->out + first + i, b->n_out, j);
  for (int a = 0; a < w->n_axis; a++) {
    if (!w->attachment->curvature[a]) continue;
    const double f = expand(b, b->f + a, w->n_axis, j);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, w->attachment->curvature[a], n, y, 1, 0.0,
                By, 1);
    analyse(b, 0.5 * cblas_ddot(n, y, 1, By, 1), j, b->s + a, w->n_axis);
    for (int i = 0; i < n; i++) analyse(b, -f * By[i], j, b->x + w->C + i, b->n_column);
  }
}

/* Largest change over the largest value, of n numbers in every harmonic. */
static double find_change(const curved *b, const double complex *x, int ld, int n,
                          double complex *old) {
  double change = 0.0, size = 0.0;
  for (int k = 0; k <= b->w->H; k++) {
    for (int i = 0; i < n; i++) {
      const double complex now = x[i + (ptrdiff_t)ld * k];
      change = fmax(change, cabs(now - old[i + n * k]));
      size = fmax(size, cabs(now));
      old[i + n * k] = now;
    }
  }
  return size > 0.0 ? change / size : 0.0;
}

static void forget(curved *b) {
  for (int k = 0; k <= b->w->H; k++) {
    memset(b->x + b->w->C + (ptrdiff_t)b->n_column * k, 0, (size_t)b->n * sizeof *b->x);
  }
  memset(b->s, 0, (size_t)(b->w->n_axis * (b->w->H + 1)) * sizeof *b->s);
}

static ms_status repeat(curved *b, double *change) {
  const int n_axis = b->w->n_axis;
  MS_TRY(solve_mean(b));
  for (int k = 0; k <= b->w->H; k++) solve_harmonic(b, k);
  forget(b);
  for (int j = 0; j < b->times; j++) add_curvature(b, j);
  const double e = find_change(b, b->x + b->w->C, b->n_column, b->n, b->old);
  *change = fmax(e, find_change(b, b->s, n_axis, n_axis, b->old + b->n * (b->w->H + 1)));
  return MS_SUCCESS;
}

/* ---- the whole ---- */

static ms_status reserve(curved *b) {
  const work *w = b->w;
  const ptrdiff_t n = w->structure->n, H = w->H + 1, n_axis = w->n_axis;
  const ptrdiff_t responses = 2 * H * b->n_out * b->n_column;
  MS_TRY(ms_allocate(w->ctx, responses + n * b->n + H + 2 * H * b->times + 2 * b->n,
                     sizeof *b->memory, &b->memory));
  b->response = b->memory;
  b->place = b->response + responses;
  b->omega = b->place + n * b->n;
  b->angle = b->omega + H;
  b->t = b->angle + 2 * H * b->times;
  MS_TRY(ms_allocate(w->ctx, H * (b->n_column + b->n_out + 3 * n_axis + b->n), sizeof *b->matrices,
                     &b->matrices));
  b->x = b->matrices;
  b->out = b->x + H * b->n_column;
  b->f = b->out + H * b->n_out;
  b->s = b->f + H * n_axis;
  b->old = b->s + H * n_axis;
  return MS_SUCCESS;
}

static void prepare(curved *b) {
  const ms_structure *s = b->w->structure;
  const int n = (int)s->n, H = b->w->H;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, b->n, n, 1.0, s->M, n, s->shape, n, 0.0,
              b->place, n);
  for (int k = 0; k <= H; k++) b->omega[k] = k * b->w->omega;
  for (int j = 0; j < b->times; j++) {
    for (int k = 0; k <= H; k++) {
      const double angle = 2.0 * MS_PI * ((double)j * k / b->times);
      b->angle[2 * (k + (H + 1) * j)] = cos(angle);
      b->angle[2 * (k + (H + 1) * j) + 1] = sin(angle);
    }
  }
}

/* Into the rows: y without e, and what it lacks of z and f. */
static void finish(curved *b) {
  const work *w = b->w;
  for (int k = 1; k <= w->H; k++) {
    const ms_force_state_rows *rows = &w->rows[k - 1];
    clean_sensors(b, k, w->scratch);
    memcpy(rows->y, w->scratch, (size_t)w->R * sizeof *rows->y);
    for (int a = 0; a < w->n_axis; a++) {
      const double complex z = respond(b, w->request->n_sensor + a, k, w->C);
      rows->z_more[a] = z + b->s[a + w->n_axis * k];
      b->f[a] = z; /* of e alone, for now */
    }
    for (int a = 0; a < w->n_axis; a++) {
      rows->f_more[a] = 0.0;
      for (int c = 0; c < w->n_axis; c++) {
        const int at = a + w->n_axis * c;
        rows->f_more[a] +=
            (w->attachment->stuck[at] + I * b->omega[k] * w->attachment->dashpot[at]) * b->f[c];
      }
    }
  }
}

static ms_status find(curved *b, double *residual) {
  MS_TRY(reserve(b));
  prepare(b);
  MS_TRY(find_responses(b));
  for (int round = 0; round < MOST_ROUNDS; round++) {
    MS_TRY(repeat(b, residual));
    if (*residual <= b->w->setting->tol.near) break;
  }
  if (!(*residual <= b->w->setting->tol.near)) {
    return ms_fail(b->w->ctx, MS_NOT_CONVERGED,
                   "joint %s: its curvature changes by %.2g after %d rounds",
                   b->w->attachment->name, *residual, (int)MOST_ROUNDS);
  }
  finish(b);
  return MS_SUCCESS;
}

ms_status ms_force_state_bend(work *w, double *residual) {
  curved b = { .w = w, .n = (int)w->attachment->n_curved, .times = 4 * w->H + 4 };
  *residual = 0.0;
  if (b.n == 0) return MS_SUCCESS;
  b.n_out = w->request->n_sensor + w->n_axis + b.n;
  b.n_column = w->C + b.n;
  ms_status status = find(&b, residual);
  ms_free(w->ctx, &b.memory);
  ms_free(w->ctx, &b.matrices);
  return status;
}
