/* A modal model beside rows that were read from a record. A row is an average over some cycles
   behind a band-pass, while amplitude and damping change, and loops of a decay do not close: what
   is read is not the closed form at the row's amplitude. So the fitted model rings down by itself,
   is sampled as the record and read in the same way; what its own rows differ from its closed form
   is taken away from the rows of the record, and they are fitted again, until the model stands:

     ln zeta_i - b(q_i),   omega_i - c(q_i),   b, c: reading of the model minus its closed form. */
#include <math.h>
#include <stdlib.h>

#include <microslip/joint.h>

#include "core/internal.h"
#include "identify/modal/fit.h"
#include "identify/tolerance.h"

enum { N = MS_MODAL_N, ROUNDS = 40, AITKEN = 16, SHOTS = 12, PER_PERIOD = 120 };

typedef struct reader {
  ms_context *ctx;
  const ms_modal_reading *by;
  ptrdiff_t n, first, parts; /* samples; that from which on it rings; steps in a sample */
  ptrdiff_t quarter;         /* samples of a quarter period */
  double *x;
  double speed; /* after the hit */
  ptrdiff_t n_row;
  double *q, *omega, *ln_zeta; /* of the record */
  double *c_omega, *c_zeta;    /* what remains of them */
  double shift;                /* of the frequency: makes omega comparable with ln zeta */
  double part;                 /* of a new bias that is taken */
  int rounds;
  double *bias;       /* what is taken away: of ln zeta, then of omega/shift */
  double *microslip;  /* the same for a model of microslip */
  double *gap, *last; /* new bias less that, now and in the round before */
} reader;

/* ---- the model's own record ---- */

/* q" + 2 zeta_0 omega_0 q' + omega_0^2 q = -g,   g = F_I(q) - K_T q. Half a kick by g, the exact
   linear decay for a step, half a kick. */
typedef struct oscillator {
  ms_joint *element;
  double K_T, square, loss; /* omega_0^2, 2 zeta_0 omega_0 */
  double a[4], h;           /* (q, v) := a (q, v) over h */
  double q, v, g;
} oscillator;

static ms_status open_oscillator(ms_context *ctx, const ms_modal_iwan *m, double h, oscillator *o) {
  const double decay = m->zeta_0 * m->omega_0, square = m->omega_0 * m->omega_0;
  const double omega = m->omega_0 * sqrt(fmax(1.0 - m->zeta_0 * m->zeta_0, 1e-12));
  const double e = exp(-decay * h), c = cos(omega * h), s = sin(omega * h) / omega;
  *o = (oscillator) { .K_T = m->K_T, .square = square, .loss = 2.0 * decay, .h = h };
  o->a[0] = e * (c + decay * s), o->a[1] = e * s;
  o->a[2] = -e * square * s, o->a[3] = e * (c - decay * s);
  MS_TRY(ms_modal_make_element(ctx, m, &o->element));
  return ms_joint_start(o->element, NULL);
}

static ms_status advance(oscillator *o) {
  o->v -= 0.5 * o->h * o->g;
  const double q = o->a[0] * o->q + o->a[1] * o->v, v = o->a[2] * o->q + o->a[3] * o->v;
  const ms_joint_input in = { .u = { q }, .v = { v }, .dt = o->h, .alpha = 1.0, .k = 1.0 };
  ms_joint_output out;
  MS_TRY(ms_joint_step(o->element, &in, &out));
  o->q = q;
  o->g = out.force[0] - o->K_T * q;
  o->v = v - 0.5 * o->h * o->g;
  return MS_SUCCESS;
}

static ms_status fill(reader *r, oscillator *o) {
  for (ptrdiff_t k = 0; k < r->first; k++) r->x[k] = 0.0;
  o->v = r->speed;
  for (ptrdiff_t k = r->first; k < r->n; k++) {
    const double a = -o->loss * o->v - o->square * o->q - o->g;
    r->x[k] = r->by->kind == MS_SIGNAL_DISPLACEMENT ? o->q
              : r->by->kind == MS_SIGNAL_VELOCITY   ? o->v
                                                    : a;
    for (ptrdiff_t i = 0; i < r->parts; i++) MS_TRY(advance(o));
  }
  return MS_SUCCESS;
}

static ms_status ring(reader *r, const ms_modal_iwan *m, ms_decay *out) {
  const ms_modal_reading *by = r->by;
  const ms_signal signal = { r->x, r->n, by->dt, by->time, by->kind };
  oscillator o;
  ms_status status = open_oscillator(r->ctx, m, by->dt / (double)r->parts, &o);
  if (status == MS_SUCCESS) status = fill(r, &o);
  ms_joint_destroy(&o.element);
  MS_TRY(status);
  return ms_signal_ringdown(r->ctx, &signal, &by->settings, NULL, out, NULL);
}

/* Hit so hard that the first row has the amplitude of the record's. */
static ms_status ring_as_high(reader *r, const ms_modal_iwan *m, ms_decay *out) {
  double top = 0.0;
  for (ptrdiff_t i = 0; i < r->n_row; i++) top = fmax(top, r->q[i]);
  if (!(r->speed > 0.0)) r->speed = m->omega_0 * top;
  for (int shot = 0; shot < SHOTS; shot++) {
    if (shot > 0) ms_decay_free(r->ctx, out);
    MS_TRY(ring(r, m, out));
    const double ratio = top / out->point[0].q;
    if (fabs(ratio - 1.0) < ms_identify_tol.shot) break;
    r->speed *= fmin(fmax(ratio, 0.5), 1.5);
  }
  return MS_SUCCESS;
}

/* ---- what reading adds ---- */

/* At ln q from rows in falling order of q; beyond them as at their ends. */
static double between(const ms_decay *d, const double *value, double q) {
  ptrdiff_t k = 0;
  while (k < d->n && d->point[k].q > q) k++;
  if (k == 0) return value[0];
  if (k == d->n) return value[d->n - 1];
  const double a = log(d->point[k - 1].q), b = log(d->point[k].q);
  return value[k - 1] + (a - log(q)) / (a - b) * (value[k] - value[k - 1]);
}

static ms_status compare_rows(reader *r, const ms_modal_iwan *m, const ms_decay *own) {
  double *bias;
  const ptrdiff_t n = own->n;
  MS_TRY(ms_allocate(r->ctx, 2 * n, sizeof *bias, &bias));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < n && status == MS_SUCCESS; k++) {
    double omega, zeta;
    const ms_decay_point *p = &own->point[k];
    status = ms_identify_eval_modal(r->ctx, m, MS_MODAL_CONTINUOUS, p->q, &omega, &zeta, NULL);
    bias[k] = log(p->zeta / zeta), bias[n + k] = (p->omega - omega) / r->shift;
  }
  for (ptrdiff_t i = 0; i < r->n_row && status == MS_SUCCESS; i++) {
    for (int f = 0; f < 2; f++) {
      const ptrdiff_t at = i + f * r->n_row;
      r->gap[at] = between(own, bias + f * n, r->q[i]) - r->bias[at];
    }
  }
  ms_free(r->ctx, &bias);
  return status;
}

/* Aitken's relaxation: the part of the gap that would have closed it along the last step; then ever
   smaller parts, where rows of the model jump with the extremum that they begin at. */
static void relax(reader *r, int round) {
  double both = 0.0, square = 0.0;
  for (ptrdiff_t i = 0; i < 2 * r->n_row; i++) {
    const double step = r->gap[i] - r->last[i];
    both += r->last[i] * step;
    square += step * step;
  }
  if (round >= AITKEN)
    r->part = 1.0 / (double)(round - AITKEN + 2);
  else if (round > 0 && square > 0.0)
    r->part = fmin(fmax(-r->part * both / square, 0.2), 5.0);
  for (ptrdiff_t i = 0; i < 2 * r->n_row; i++) {
    r->bias[i] += r->part * r->gap[i];
    r->last[i] = r->gap[i];
  }
}

static void correct(reader *r, double part) {
  for (ptrdiff_t i = 0, k = r->n_row; i < r->n_row; i++, k++) {
    r->c_zeta[i] = exp(r->ln_zeta[i] - r->bias[i] - part * r->gap[i]);
    r->c_omega[i] = r->omega[i] - r->shift * (r->bias[k] + part * r->gap[k]);
  }
}

static int by_amplitude(const void *a, const void *b) {
  const double p = ((const ms_decay_point *)a)->q, q = ((const ms_decay_point *)b)->q;
  return (p < q) - (p > q);
}

/* Those rows of both that decay, without the last, which feels the end of the record. */
static ms_status join(ms_context *ctx, const ms_decay *a, const ms_decay *b, ms_decay *out) {
  MS_TRY(ms_allocate(ctx, a->n + b->n, sizeof *out->point, &out->point));
  for (int k = 0; k < 2; k++) {
    const ms_decay *d = k == 0 ? a : b;
    for (ptrdiff_t i = 0; i < d->n - 1; i++) {
      if (d->point[i].zeta > 0.0) out->point[out->n++] = d->point[i];
    }
  }
  return MS_SUCCESS;
}

/* Rows of the model in falling order of q: of two hits a quarter period apart, because it matters a
   little at which extremum a reading begins. */
static ms_status read_model(reader *r, const ms_modal_iwan *m, ms_decay *out) {
  ms_decay later = { .n = 0 }, first = { .n = 0 };
  MS_TRY(ring_as_high(r, m, &first));
  r->first += r->quarter;
  ms_status status = ring(r, m, &later);
  r->first -= r->quarter;
  if (status == MS_SUCCESS) status = join(r->ctx, &first, &later, out);
  ms_decay_free(r->ctx, &first);
  ms_decay_free(r->ctx, &later);
  MS_TRY(status);
  if (out->n == 0)
    return ms_fail(r->ctx, MS_ERR_NUMERIC, "modal fit: the fitted model does not ring down");
  qsort(out->point, (size_t)out->n, sizeof *out->point, by_amplitude);
  return MS_SUCCESS;
}

static ms_status take_away(reader *r, const ms_modal_iwan *m, int round) {
  ms_decay own = { .n = 0 };
  ms_status status = read_model(r, m, &own);
  if (status == MS_SUCCESS) status = compare_rows(r, m, &own);
  ms_decay_free(r->ctx, &own);
  MS_TRY(status);
  relax(r, round);
  correct(r, 0.0);
  return MS_SUCCESS;
}

/* ---- rounds ---- */

static ms_status fit_rows(const reader *r, const ms_modal_fit_setting *s, ms_modal_part part,
                          ms_modal_iwan *model, ms_modal_fit_report *report) {
  return ms_modal_fit_part(r->ctx, r->n_row, r->q, r->c_omega, r->c_zeta, s, part, model, report);
}

/* The parameters, as bits, that move by more than `part` of their standard error, and of
   themselves. */
static unsigned moving(const ms_modal_iwan *a, const ms_modal_iwan *b, const double *error,
                       double part) {
  double x[N], y[N];
  unsigned out = 0;
  ms_identify_modal_values(a, x);
  ms_identify_modal_values(b, y);
  for (int i = 0; i < N; i++) {
    const double least = ms_identify_tol.settled * fabs(x[i]);
    if (fabs(x[i] - y[i]) > fmax(part * error[i], least)) out |= 1u << i;
  }
  return out;
}

/* Rounds until the model stands. Where it does not: the parameters that the whole of what is still
   missing moves by more than their standard error. */
static ms_status settle(reader *r, const ms_modal_fit_setting *s, ms_modal_part part,
                        ms_modal_iwan *model, ms_modal_fit_report *report, unsigned *loose) {
  ms_modal_iwan before;
  int stood = 0;
  r->part = 1.0;
  *loose = 0;
  for (int round = 0; round < ROUNDS; round++) {
    before = *model;
    MS_TRY(take_away(r, model, round));
    MS_TRY(fit_rows(r, s, part, model, report));
    r->rounds++;
    stood = moving(&before, model, report->standard_error, 0.01) ? 0 : stood + 1;
    if (stood == 2) return MS_SUCCESS;
  }
  before = *model;
  correct(r, 1.0);
  MS_TRY(fit_rows(r, s, part, model, report));
  *loose = moving(&before, model, report->standard_error, 1.0);
  correct(r, 0.0);
  return MS_SUCCESS;
}

/* Macroslip must describe the rows better than microslip does, each with what reading adds to its
   own: F-test as within a fit, at about one in a thousand. */
static int needs_macroslip(const ms_modal_fit_report *four, const ms_modal_fit_report *six) {
  const double a = four->residual * four->residual, b = six->residual * six->residual;
  return (a - b) / 2.0 > 10.0 * b / fmax(2.0 * (double)six->n_bins - 6.0, 1.0);
}

/* A model that the rows hardly determine may not even ring, or be no element. */
static int cannot_ring(ms_status status) {
  return status == MS_ERR_ARGUMENT || status == MS_ERR_NUMERIC || status == MS_ERR_BOUNDS;
}

static ms_status find_model(reader *r, const ms_modal_fit_setting *setting, ms_modal_iwan *model,
                            ms_modal_fit_report *report) {
  ms_modal_fit_setting s = *setting;
  ms_modal_part part = MS_MODAL_WHOLE;
  ms_modal_fit_report four;
  const ptrdiff_t n = 2 * r->n_row;
  unsigned tame = 0, loose = 0;
  s.form = MS_MODAL_CONTINUOUS;
  MS_TRY(fit_rows(r, &s, MS_MODAL_TAME, model, &four));
  ms_status status = settle(r, &s, MS_MODAL_TAME, model, &four, &tame);
  for (ptrdiff_t i = 0; i < n; i++) r->microslip[i] = status ? 0.0 : r->bias[i];
  if (status == MS_SUCCESS) status = settle(r, &s, MS_MODAL_UNASKED, model, report, &loose);
  const int rings = !cannot_ring(status);
  if (rings) MS_TRY(status);
  if (!rings || !needs_macroslip(&four, report)) {
    ms_context_clear_message(r->ctx);
    for (ptrdiff_t i = 0; i < n; i++) r->bias[i] = r->microslip[i];
    correct(r, 0.0);
    part = MS_MODAL_TAME;
    loose = rings ? tame : (1u << N) - 1;
  }
  MS_TRY(fit_rows(r, setting, part, model, report));
  report->rounds = r->rounds;
  for (ptrdiff_t i = 0; i < r->n_row; i++) {
    report->bias_ln_zeta = fmax(report->bias_ln_zeta, fabs(r->bias[i]));
    report->bias_omega = fmax(report->bias_omega, r->shift * fabs(r->bias[i + r->n_row]));
  }
  if (loose) ms_modal_unsettled(report, loose);
  return MS_SUCCESS;
}

/* ---- the whole ---- */

static double first_period(const reader *r) {
  ptrdiff_t best = 0;
  for (ptrdiff_t i = 0; i < r->n_row; i++) {
    if (r->q[i] > r->q[best]) best = i;
  }
  return 2.0 * acos(-1.0) / r->omega[best];
}

/* The hit: where the caller says that it rings, or a quarter period before the largest sample,
   which stands a period before the ringing that was found. */
static ms_status plan(reader *r) {
  const ms_modal_reading *by = r->by;
  const ms_ring_info *info = &by->info;
  const double period = first_period(r), end = info->end + 4.0 * info->edge_time + period;
  const double hit = info->onset >= by->settings.start && isfinite(by->settings.start)
                         ? info->onset
                         : info->onset - 1.25 * period;
  r->n = by->n;
  if (isfinite(end)) r->n = (ptrdiff_t)fmin((double)r->n, ceil((end - by->time) / by->dt) + 1.0);
  r->first = (ptrdiff_t)fmax(0.0, floor((hit - by->time) / by->dt));
  r->quarter = (ptrdiff_t)fmax(1.0, round(0.25 * period / by->dt));
  r->parts = (ptrdiff_t)fmax(1.0, ceil(PER_PERIOD * by->dt / period));
  if (r->n >= 2 && r->first + r->quarter < r->n && by->dt > 0.0) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_ARGUMENT, "modal fit: the record of the rows has no ringing");
}

static ms_status run(reader *r, const double *q, const double *omega, const double *zeta,
                     const ms_modal_fit_setting *setting, ms_modal_iwan *model,
                     ms_modal_fit_report *report) {
  MS_TRY(ms_allocate(r->ctx, 13 * r->n_row, sizeof *r->q, &r->q));
  double **const column[] = { &r->omega, &r->ln_zeta, &r->c_omega, &r->c_zeta, &r->bias };
  for (int c = 0; c < 5; c++) *column[c] = r->q + (c + 1) * r->n_row;
  r->gap = r->bias + 2 * r->n_row;
  r->last = r->gap + 2 * r->n_row;
  r->microslip = r->last + 2 * r->n_row;
  for (ptrdiff_t i = 0; i < r->n_row; i++) {
    r->q[i] = q[i], r->omega[i] = r->c_omega[i] = omega[i];
    r->c_zeta[i] = zeta[i], r->ln_zeta[i] = log(zeta[i]);
  }
  for (ptrdiff_t i = 0; i < 8 * r->n_row; i++) r->bias[i] = 0.0;
  MS_TRY(plan(r));
  MS_TRY(ms_allocate(r->ctx, r->n, sizeof *r->x, &r->x));
  return find_model(r, setting, model, report);
}

ms_status ms_identify_fit_ringdown(ms_context *ctx, const ms_modal_reading *by, ptrdiff_t n,
                                   const double *q, const double *omega, const double *zeta,
                                   const ms_modal_fit_setting *setting, ms_modal_iwan *model,
                                   ms_modal_fit_report *report) {
  ms_modal_fit_setting own = MS_MODAL_FIT_DEFAULT;
  ms_modal_fit_report told;
  ms_modal_iwan found;
  reader r = { .ctx = ctx, .by = by, .n_row = n };
  MS_TAKE(ctx, ms_modal_fit_default, setting, own);
  /* Rows that cannot be fitted are refused here, in words. */
  MS_TRY(ms_identify_fit_modal(ctx, n, q, omega, zeta, setting, &found, &told));
  r.shift = told.shift;
  ms_status status = run(&r, q, omega, zeta, setting, &found, &told);
  ms_free(ctx, &r.q);
  ms_free(ctx, &r.x);
  MS_TRY(status);
  *model = found;
  if (report) *report = told;
  return MS_SUCCESS;
}
