/* Joint parameters through a hammer test: residuals between hits as they were measured and as they
   are simulated. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/hammer/hammer.h"
#include "identify/calibrate/free_parameters.h"
#include "structure/impl.h"

#define LEAST_SHIFT 1e-4 /* of omega: a mode that does not shift is held to this */
#define LEAST_ZETA  1e-6 /* of the target's: a simulation without loss is held to this */

typedef struct fit_target {
  ms_hammer_target is;
  ptrdiff_t n, left_out;
  int *row;         /* from 1 */
  double *value[7]; /* time, q, omega, zeta; simulated q, omega, zeta */
  double *error[3]; /* sqrt(1 + (s/s_0)^2) of frequency, amplitude and damping */
  double *store;
  double shift;
} fit_target;

enum { TIME, Q, OMEGA, ZETA, Q_AT, OMEGA_AT, ZETA_AT, N_VALUE };

struct ms_hammer_fit {
  ms_context *ctx;
  const ms_hammer *test;
  ms_structure *structure;
  ms_places places;
  ptrdiff_t n_target, n_residual;
  fit_target *target;
  ms_hammer_compare compare;
  ms_decay *decay; /* of one hit */
  char *wanted;    /* n_mode of each hit */
};

/* ---- targets ---- */

static double widen(double s) {
  const double part = s / MS_HAMMER_FLOOR;
  return sqrt(1.0 + part * part);
}

static void copy_row(const ms_hammer_fit *f, fit_target *t, ptrdiff_t i) {
  const ms_decay_point *d = &ms_hammer_decay(f->test, t->is.hit, t->is.mode)->point[i];
  const ms_hammer_error e = ms_hammer_get_error(f->test, t->is.hit, t->is.mode, i);
  const ptrdiff_t k = t->n++;
  t->row[k] = (int)i + 1;
  t->value[TIME][k] = d->time;
  t->value[Q][k] = d->q;
  t->value[OMEGA][k] = d->omega;
  t->value[ZETA][k] = d->zeta;
  t->error[0][k] = e.omega * d->omega; /* over the shift, once that is known */
  t->error[1][k] = widen(e.amplitude);
  t->error[2][k] = widen(e.zeta);
}

/* The frequency's shift, and its errors in units of it. */
static void find_shift(fit_target *t) {
  double low = HUGE_VAL, high = 0.0;
  for (ptrdiff_t k = 0; k < t->n; k++) {
    low = fmin(low, t->value[OMEGA][k]);
    high = fmax(high, t->value[OMEGA][k]);
  }
  t->shift = fmax(high - low, LEAST_SHIFT * high);
  for (ptrdiff_t k = 0; k < t->n; k++) t->error[0][k] = widen(t->error[0][k] / t->shift);
}

static ms_status check_target(const ms_hammer_fit *f, const ms_hammer_target *t) {
  const ms_hammer_setting *s = &f->test->setting;
  if (t->hit < 0 || t->hit >= f->test->n_hit || t->mode < 0 || t->mode >= s->n_mode) {
    return ms_fail(f->ctx, MS_ERR_ARGUMENT, "the test has no hit %td or no mode %td in it", t->hit,
                   t->mode);
  }
  const char *name = f->test->hit[t->hit].name;
  const int mode = s->mode[t->mode] + 1;
  if (!(t->weight_omega >= 0.0 && t->weight_zeta >= 0.0 &&
        t->weight_omega + t->weight_zeta > 0.0)) {
    return ms_fail(f->ctx, MS_ERR_BOUNDS, "mode %d of %s: weights must be >= 0 and not both 0",
                   mode, name);
  }
  if (ms_hammer_decay(f->test, t->hit, t->mode)->n > 0) return MS_SUCCESS;
  return ms_fail(f->ctx, MS_ERR_ARGUMENT, "mode %d of %s cannot be read: %s", mode, name,
                 ms_hammer_get_remark(f->test, t->hit, t->mode));
}

static ms_status reserve(ms_context *ctx, ptrdiff_t n, fit_target *t) {
  MS_TRY(ms_allocate(ctx, n, sizeof *t->row, &t->row));
  MS_TRY(ms_allocate(ctx, (N_VALUE + 3) * n, sizeof *t->store, &t->store));
  for (int i = 0; i < N_VALUE; i++) t->value[i] = t->store + n * i;
  for (int i = 0; i < 3; i++) t->error[i] = t->store + n * (N_VALUE + i);
  return MS_SUCCESS;
}

static ms_status take_target(ms_hammer_fit *f, const ms_hammer_target *from, fit_target *t) {
  MS_TRY(check_target(f, from));
  t->is = *from;
  const ms_decay *d = ms_hammer_decay(f->test, from->hit, from->mode);
  MS_TRY(reserve(f->ctx, d->n, t));
  for (ptrdiff_t i = 0; i < d->n; i++) {
    const ms_hammer_error e = ms_hammer_get_error(f->test, from->hit, from->mode, i);
    if (d->point[i].zeta > 0.0 && e.amplitude <= MS_HAMMER_WORST) copy_row(f, t, i);
  }
  t->left_out = d->n - t->n;
  if (t->n < MS_TARGET_LEAST) {
    return ms_fail(f->ctx, MS_ERR_ARGUMENT,
                   "mode %d of %s: %td of %td rows decay and stand out of the noise; it takes %d",
                   f->test->setting.mode[from->mode] + 1, f->test->hit[from->hit].name, t->n, d->n,
                   MS_TARGET_LEAST);
  }
  find_shift(t);
  f->n_residual += 2 * t->n;
  f->wanted[from->mode + f->test->setting.n_mode * from->hit] = 1;
  return MS_SUCCESS;
}

/* ---- life ---- */

void ms_hammer_fit_destroy(ms_hammer_fit **fit) {
  if (!fit || !*fit) return;
  ms_hammer_fit *f = *fit;
  ms_places_free(&f->places);
  for (ptrdiff_t k = 0; f->target && k < f->n_target; k++) {
    ms_free(f->ctx, &f->target[k].row);
    ms_free(f->ctx, &f->target[k].store);
  }
  for (ptrdiff_t m = 0; f->decay && m < f->test->setting.n_mode; m++) {
    ms_decay_free(f->ctx, &f->decay[m]);
  }
  ms_free(f->ctx, &f->target);
  ms_free(f->ctx, &f->decay);
  ms_free(f->ctx, &f->wanted);
  ms_free(f->ctx, fit);
}

static ms_status fill(ms_hammer_fit *f, ptrdiff_t n_parameter, const ms_free_parameter *parameter,
                      ptrdiff_t n_target, const ms_hammer_target *target) {
  const ptrdiff_t modes = f->test->setting.n_mode;
  if (f->structure->n != f->test->n_coordinate) {
    return ms_fail(f->ctx, MS_ERR_ARGUMENT, "the structure has %td coordinates, the test's %td",
                   f->structure->n, f->test->n_coordinate);
  }
  MS_TRY(ms_allocate(f->ctx, n_target, sizeof *f->target, &f->target));
  MS_TRY(ms_allocate(f->ctx, modes, sizeof *f->decay, &f->decay));
  MS_TRY(ms_allocate(f->ctx, modes * f->test->n_hit, sizeof *f->wanted, &f->wanted));
  while (f->n_target < n_target) {
    const ptrdiff_t k = f->n_target++;
    MS_TRY(take_target(f, &target[k], &f->target[k]));
  }
  return ms_places_take(f->structure, n_parameter, parameter, &f->places);
}

ms_status ms_hammer_fit_create(const ms_hammer *hammer, ms_structure *structure,
                               ptrdiff_t n_parameter, const ms_free_parameter *parameter,
                               ptrdiff_t n_target, const ms_hammer_target *target,
                               ms_hammer_compare compare, ms_hammer_fit **out) {
  ms_context *ctx = structure ? structure->ctx : NULL;
  ms_hammer_fit *f;
  MS_MAKE(ctx, out, hammer && parameter && target);
  if (n_parameter < 1 || n_target < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a fit through a test needs a parameter and a target");
  }
  MS_TRY(ms_allocate(ctx, 1, sizeof *f, &f));
  *f = (ms_hammer_fit) { .ctx = ctx, .test = hammer, .structure = structure, .compare = compare };
  ms_status status = fill(f, n_parameter, parameter, n_target, target);
  if (status != MS_SUCCESS) {
    ms_hammer_fit_destroy(&f);
    return status;
  }
  *out = f;
  return MS_SUCCESS;
}

ptrdiff_t ms_hammer_fit_count_residuals(const ms_hammer_fit *f) {
  return f->n_residual;
}

ms_hammer_values ms_hammer_fit_get(const ms_hammer_fit *f, ptrdiff_t k) {
  const fit_target *t = &f->target[k];
  return (ms_hammer_values) { .n = t->n,
                              .left_out = t->left_out,
                              .row = t->row,
                              .time = t->value[TIME],
                              .q = t->value[Q],
                              .omega = t->value[OMEGA],
                              .zeta = t->value[ZETA],
                              .q_at = t->value[Q_AT],
                              .omega_at = t->value[OMEGA_AT],
                              .zeta_at = t->value[ZETA_AT] };
}

/* ---- evaluation ---- */

static ms_status copy_rows(const ms_hammer_fit *f, fit_target *t) {
  const ms_decay *d = &f->decay[t->is.mode];
  for (ptrdiff_t k = 0; k < t->n; k++) {
    const ptrdiff_t i = t->row[k] - 1;
    if (i >= d->n || !(d->point[i].q > 0.0) || !isfinite(d->point[i].zeta)) {
      return ms_fail(f->ctx, MS_NOT_CONVERGED, "%s, simulated, has no row %td",
                     f->test->hit[t->is.hit].name, i + 1);
    }
    t->value[Q_AT][k] = d->point[i].q;
    t->value[OMEGA_AT][k] = d->point[i].omega;
    t->value[ZETA_AT][k] = d->point[i].zeta;
  }
  return MS_SUCCESS;
}

/* All targets of a hit from one run. */
static ms_status run_hit(ms_hammer_fit *f, ptrdiff_t h) {
  const ptrdiff_t modes = f->test->setting.n_mode;
  const char *wanted = f->wanted + modes * h;
  if (!memchr(wanted, 1, (size_t)modes)) return MS_SUCCESS;
  ms_status status = ms_hammer_run_hit(f->test, f->structure, h, wanted, f->decay, NULL, NULL);
  for (ptrdiff_t k = 0; k < f->n_target && status == MS_SUCCESS; k++) {
    if (f->target[k].is.hit == h) status = copy_rows(f, &f->target[k]);
  }
  for (ptrdiff_t m = 0; m < modes; m++) ms_decay_free(f->ctx, &f->decay[m]);
  return status;
}

static ms_status simulate(ms_hammer_fit *f, const double *p) {
  ms_status status = ms_places_set(&f->places, p);
  if (status == MS_SUCCESS) status = ms_structure_setup(f->structure);
  for (ptrdiff_t h = 0; h < f->test->n_hit && status == MS_SUCCESS; h++) status = run_hit(f, h);
  return ms_places_soften(status);
}

static double log_ratio(const double *a, const double *b, ptrdiff_t k) {
  return log(fmax(a[k] / b[k], LEAST_ZETA));
}

static void fill_residuals(const ms_hammer_fit *f, const fit_target *t, double *r) {
  const int damping = f->compare == MS_HAMMER_DAMPING;
  const double *const at = t->value[damping ? ZETA_AT : Q_AT];
  const double *const of = t->value[damping ? ZETA : Q];
  const double *const e = t->error[damping ? 2 : 1];
  const double w = sqrt(t->is.weight_omega) / t->shift, wz = sqrt(t->is.weight_zeta);
  for (ptrdiff_t k = 0; k < t->n; k++) {
    r[k] = w * (t->value[OMEGA_AT][k] - t->value[OMEGA][k]) / t->error[0][k];
    r[t->n + k] = wz * log_ratio(at, of, k) / e[k];
  }
}

ms_status ms_hammer_fit_eval(void *user, const double *p, double *r, double *jac) {
  ms_hammer_fit *f = user;
  ptrdiff_t first = 0;
  if (jac) return ms_fail(f->ctx, MS_ERR_ARGUMENT, "a simulated test has no Jacobian");
  MS_TRY(simulate(f, p));
  for (ptrdiff_t k = 0; k < f->n_target; k++) {
    fill_residuals(f, &f->target[k], r + first);
    first += 2 * f->target[k].n;
  }
  return MS_SUCCESS;
}

static double mean_square(ptrdiff_t n, const double *a, const double *b, const double *e) {
  double sum = 0.0, weights = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) {
    const double d = a[k] / b[k] - 1.0, w = 1.0 / (e[k] * e[k]);
    sum += w * d * d;
    weights += w;
  }
  return sum / weights;
}

ms_status ms_hammer_fit_objectives(ms_hammer_fit *f, const double *p, double *out) {
  MS_TRY(simulate(f, p));
  for (ptrdiff_t k = 0; k < f->n_target; k++) {
    const fit_target *t = &f->target[k];
    double *v = out + 2 * k;
    v[0] = v[1] = 0.0;
    if (t->is.weight_omega > 0.0) {
      v[0] = mean_square(t->n, t->value[OMEGA_AT], t->value[OMEGA], t->error[0]);
    }
    if (t->is.weight_zeta > 0.0) {
      v[1] = mean_square(t->n, t->value[ZETA_AT], t->value[ZETA], t->error[2]);
    }
    if (isfinite(v[0] + v[1])) continue;
    return ms_fail(f->ctx, MS_NOT_CONVERGED, "%s: the misfit is not finite",
                   f->test->hit[t->is.hit].name);
  }
  return MS_SUCCESS;
}
