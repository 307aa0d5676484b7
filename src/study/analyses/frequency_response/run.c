/* The curves of a frequency response: a job for each level, kept when it has ended. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/frequency_response/frequency_response.h"

static const double pi = 3.14159265358979323846;

/* ---- places in a point's numbers ---- */

const double *ms_forced_point(const ms_forced_product *p, ptrdiff_t level, ptrdiff_t i) {
  return p->level[level].row + p->width * i;
}

const double *ms_forced_sensor(const ms_forced_product *p, const double *point, ptrdiff_t sensor) {
  (void)p;
  return point + MS_FORCED_POINT + MS_FORCED_SENSOR * sensor;
}

const double *ms_forced_axis(const ms_forced_product *p, const double *point, int axis) {
  return ms_forced_sensor(p, point, p->options.n_sensor) + MS_HARMONIC_AXIS * (ptrdiff_t)axis;
}

double ms_forced_loss(const ms_forced_product *p, const double *point, int joint) {
  return ms_forced_axis(p, point, p->n_axis)[joint];
}

int ms_forced_peaks_at_end(const ms_forced_product *p, ptrdiff_t level) {
  const double *c = p->level[level].count;
  if (!(c[MS_FORCED_POINTS] > 0.0)) return 0;
  const double *peak = ms_forced_point(p, level, (ptrdiff_t)c[MS_FORCED_PEAK]);
  return ((int)peak[MS_FORCED_TURN] & MS_HARMONIC_PEAK) == 0;
}

static void plan(const ms_study *s, ms_forced_product *p) {
  p->n_joint = ms_structure_count_joints(s->structure);
  p->n_axis = ms_harmonic_count_axes(s->structure);
  p->width = MS_FORCED_POINT + MS_FORCED_SENSOR * p->options.n_sensor +
             MS_HARMONIC_AXIS * (ptrdiff_t)p->n_axis + p->n_joint;
}

/* ---- reading a curve ---- */

#define UNMEASURED HUGE_VAL /* depth of a fold that has none yet */

typedef struct reader {
  const ms_forced_product *p;
  ms_worker *worker;
  ms_harmonic *h;
  ms_harmonic_curve *curve;
  double *weights, *x;
} reader;

static void read_point(const reader *r, ptrdiff_t i, double *row) {
  const ms_harmonic_point *c = ms_harmonic_curve_get_point(r->curve, i);
  const double values[] = { c->omega,      (double)c->mode + 1.0,
                            c->q,          c->phase,
                            c->D,          c->higher,
                            c->residual,   c->repeat,
                            c->iterations, (double)c->stability,
                            c->multiplier, c->turn };
  memcpy(row, values, sizeof values);
  row[MS_FORCED_DEPTH] = c->turn & MS_HARMONIC_FOLD ? UNMEASURED : 0.0;
}

static ms_status read_sensors(const reader *r, ptrdiff_t i, double *row) {
  const ms_harmonic_options *o = &r->p->options;
  const int H = o->setting.harmonics;
  for (ptrdiff_t k = 0; k < o->n_sensor; k++, row += MS_FORCED_SENSOR) {
    double omega = ms_harmonic_curve_get_point(r->curve, i)->omega;
    r->weights[o->sensor[k]] = 1.0;
    ms_status status = ms_harmonic_recover(r->h, r->curve, i, r->weights, r->x);
    r->weights[o->sensor[k]] = 0.0;
    if (status != MS_SUCCESS) return status;
    row[0] = ms_harmonic_amplitude(r->x);
    row[1] = ms_harmonic_phase(r->x);
    for (int d = 0; d < 3; d++) row[2 + d] = ms_harmonic_peak(H, r->x, omega, d);
  }
  return MS_SUCCESS;
}

static ms_status read_rows(const reader *r, ms_forced_level *l) {
  const ptrdiff_t n = (ptrdiff_t)l->count[MS_FORCED_POINTS];
  MS_TRY(ms_allocate(r->worker->ctx, n * r->p->width, sizeof *l->row, &l->row));
  for (ptrdiff_t i = 0; i < n; i++) {
    double *row = l->row + r->p->width * i, *sensor = row + MS_FORCED_POINT;
    read_point(r, i, row);
    MS_TRY(read_sensors(r, i, sensor));
    ms_harmonic_read_joints(r->worker->structure, r->curve, i,
                            sensor + MS_FORCED_SENSOR * r->p->options.n_sensor);
  }
  return MS_SUCCESS;
}

/* The depth of folds: how far the curve goes back in frequency, over it, between the two folds of a
   pair. The two neighbours that are nearest in frequency are a pair, then the nearest two of those
   that are left, so that a ripple does not divide a turn of the curve as a whole. A fold that is
   left alone goes back as far as the curve's end. */
static void measure_folds(const reader *r, ms_forced_level *l) {
  const ptrdiff_t n = (ptrdiff_t)l->count[MS_FORCED_POINTS], width = r->p->width;
  for (;;) {
    double *last = NULL, *pair[2] = { NULL, NULL }, least = HUGE_VAL;
    for (ptrdiff_t i = 0; i < n; i++) {
      double *row = l->row + width * i;
      if (row[MS_FORCED_DEPTH] != UNMEASURED) continue;
      const double apart =
          last ? fabs(1.0 - last[MS_FORCED_OMEGA] / row[MS_FORCED_OMEGA]) : HUGE_VAL;
      if (apart < least) least = apart, pair[0] = last, pair[1] = row;
      last = row;
    }
    if (!last) return;
    const double *other = l->row + width * (n - 1);
    for (int k = 0; k < (pair[0] ? 2 : 1); k++) {
      double *fold = pair[0] ? pair[k] : last;
      if (pair[0]) other = pair[1 - k];
      fold[MS_FORCED_DEPTH] = 1.0 - other[MS_FORCED_OMEGA] / fold[MS_FORCED_OMEGA];
      l->count[MS_FORCED_SHALLOW] += fabs(fold[MS_FORCED_DEPTH]) < r->p->setting.shallow;
    }
  }
}

/* The peak is the largest of the maxima that were solved for and of the curve's ends: points
   between depend on the steps and on what else is asked for. */
static void find_peak(const reader *r, ms_forced_level *l) {
  const ptrdiff_t n = (ptrdiff_t)l->count[MS_FORCED_POINTS];
  double most = -1.0;
  measure_folds(r, l);
  for (ptrdiff_t i = 0; i < n; i++) {
    const double *row = l->row + r->p->width * i;
    const int turn = (int)row[MS_FORCED_TURN];
    l->count[MS_FORCED_FOLDS] += (turn & MS_HARMONIC_FOLD) != 0;
    l->count[MS_FORCED_PEAKS] += (turn & MS_HARMONIC_PEAK) != 0;
    if (i > 0 && i < n - 1 && !(turn & MS_HARMONIC_PEAK)) continue;
    if (!(row[MS_FORCED_POINT] > most)) continue;
    most = row[MS_FORCED_POINT];
    l->count[MS_FORCED_PEAK] = (double)i;
  }
}

/* ---- loops at the peak ---- */

enum { LAPS = 8 }; /* before a loop is taken as closed */

static double sum_harmonics(int H, const double *x, double angle) {
  double sum = x[0];
  for (int k = 1; k <= H; k++) sum += x[2 * k - 1] * cos(k * angle) + x[2 * k] * sin(k * angle);
  return sum;
}

static double sum_slopes(int H, const double *x, double angle) {
  double sum = 0.0;
  for (int k = 1; k <= H; k++)
    sum += k * (x[2 * k] * cos(k * angle) - x[2 * k - 1] * sin(k * angle));
  return sum;
}

/* The law's own force along the displacement of the balance, a lap after the other from the virgin
   state; the last stays. */
static ms_status walk(const reader *r, ptrdiff_t i, int joint, int first, double *loop) {
  ms_joint *law = ms_structure_get_joint(r->worker->structure, joint);
  const int H = r->p->options.setting.harmonics, n = ms_joint_info(law)->n_axis;
  const ptrdiff_t P = 2 * (ptrdiff_t)H + 1, L = MS_FORCED_LOOP;
  const double *z = ms_harmonic_curve_get_joints(r->curve, i) + P * first;
  const double *f = ms_harmonic_curve_get_forces(r->curve, i) + P * first;
  double omega = ms_harmonic_curve_get_point(r->curve, i)->omega, step = 2.0 * pi / (double)(L - 1);
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.dt = step / omega;
  MS_TRY(ms_joint_start(law, NULL));
  for (ptrdiff_t t = 0; t < LAPS * (L - 1) + 1; t++) {
    ptrdiff_t at = t % (L - 1);
    double angle = step * (double)at;
    for (int a = 0; a < n; a++) {
      in.u[a] = sum_harmonics(H, z + P * a, angle);
      in.v[a] = omega * sum_slopes(H, z + P * a, angle);
    }
    MS_TRY(ms_joint_step(law, &in, &out));
    for (int a = 0; a < n; a++) {
      double *to = loop + 3 * L * (first + a) + (t == LAPS * (L - 1) ? L - 1 : at);
      to[0] = in.u[a];
      to[L] = out.force[a];
      to[2 * L] = sum_harmonics(H, f + P * a, angle);
    }
  }
  return MS_SUCCESS;
}

static ms_status read_loops(const reader *r, ms_forced_level *l) {
  ptrdiff_t peak = (ptrdiff_t)l->count[MS_FORCED_PEAK];
  int first = 0;
  MS_TRY(ms_allocate(r->worker->ctx, 3 * MS_FORCED_LOOP * (ptrdiff_t)r->p->n_axis, sizeof *l->loop,
                     &l->loop));
  for (int j = 0; j < r->p->n_joint; j++) {
    MS_TRY(walk(r, peak, j, first, l->loop));
    first += ms_joint_info(ms_structure_get_joint(r->worker->structure, j))->n_axis;
  }
  return MS_SUCCESS;
}

/* ---- the job ---- */

/* The highest point but for turns whose frequency is off that of the peak by more than `apart`. */
static ptrdiff_t find_highest(const reader *r, const ms_forced_level *l, double apart) {
  const ptrdiff_t n = (ptrdiff_t)l->count[MS_FORCED_POINTS], width = r->p->width;
  const ptrdiff_t peak = (ptrdiff_t)l->count[MS_FORCED_PEAK];
  ptrdiff_t highest = peak;
  double most = -1.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double *row = l->row + width * i;
    const double off = fabs(row[MS_FORCED_OMEGA] / l->row[width * peak + MS_FORCED_OMEGA] - 1.0);
    if (row[MS_FORCED_TURN] != 0.0 || off < apart || !(row[MS_FORCED_POINT] > most)) continue;
    most = row[MS_FORCED_POINT];
    highest = i;
  }
  return highest;
}

/* The highest point is repeated with more harmonics. Beside a fold there may be none at its
   frequency then: a point a little farther off serves as well. */
static ms_status refine(reader *r, ms_forced_level *l) {
  const ms_forced_product *p = r->p;
  ms_status status = MS_NOT_CONVERGED;
  ptrdiff_t n = 0;
  if (p->refine == 0.0) return MS_SUCCESS;
  r->weights[p->options.sensor[0]] = 1.0;
  for (int k = 0; k < MS_FORCED_TRIES && status == MS_NOT_CONVERGED && n < 2; k++) {
    n = 0;
    status = ms_harmonic_refine(r->h, r->curve, find_highest(r, l, p->setting.refine_apart[k]),
                                r->weights, p->refine, p->refine_rows, l->refined, &n);
  }
  r->weights[p->options.sensor[0]] = 0.0;
  l->count[MS_FORCED_REFINED] = (double)n;
  l->count[MS_FORCED_SETTLED] = status == MS_SUCCESS;
  if (status <= MS_SUCCESS || status == MS_CANCELLED) return status;
  ms_context_clear_message(r->worker->ctx);
  return MS_SUCCESS;
}

static ms_status read_curve(reader *r, ms_forced_level *l) {
  const ptrdiff_t n = ms_structure_get_size(r->worker->structure);
  const ptrdiff_t P = 2 * (ptrdiff_t)r->p->options.setting.harmonics + 1;
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(r->curve);
  const double count[] = { (double)info.points,      info.complete,         (double)info.missed,
                           (double)info.evaluations, (double)info.rejected, info.worst };
  memcpy(l->count, count, sizeof count);
  l->count[MS_FORCED_ENDED] = info.ended;
  snprintf(l->reason, sizeof l->reason, "%s", info.reason);
  MS_TRY(ms_allocate(r->worker->ctx, n + P, sizeof *r->weights, &r->weights));
  r->x = r->weights + n;
  ms_status status = read_rows(r, l);
  if (status == MS_SUCCESS) find_peak(r, l);
  if (status == MS_SUCCESS && info.points > 0) status = refine(r, l);
  if (status == MS_SUCCESS && info.points > 0) status = read_loops(r, l);
  ms_free(r->worker->ctx, &r->weights);
  return status;
}

static ms_status follow(ms_harmonic *h, const ms_harmonic_range *omega, const void *level,
                        ms_harmonic_curve **out) {
  return ms_harmonic_run_forced(h, omega, *(const double *)level, out);
}

static ms_status run_curve(reader *r, double level) {
  const ms_forced_product *p = r->p;
  double *watch;
  MS_TRY(ms_harmonic_open(r->worker->structure, &p->options, &r->h));
  MS_TRY(ms_allocate(r->worker->ctx, ms_structure_get_size(r->worker->structure), sizeof *watch,
                     &watch));
  watch[p->options.sensor[0]] = 1.0;
  ms_harmonic_range range = {
    .from = p->omega[0], .to = p->omega[1], .list = p->list, .n_list = p->n_list, .watch = watch
  };
  ms_status status = ms_harmonic_run_kept(r->worker, r->h, &range, follow, &level, &r->curve);
  ms_free(r->worker->ctx, &watch);
  return status;
}

/* A level without a first point is a curve without points, not a failure: others may have more. */
static ms_status run_level(ms_worker *worker, ptrdiff_t job, void *user) {
  ms_forced_product *p = user;
  ms_forced_level *l = &p->level[job];
  reader r = { .p = p, .worker = worker };
  ms_status status = run_curve(&r, p->options.level[job]);
  if (status == MS_NOT_CONVERGED && !r.curve) {
    snprintf(l->reason, sizeof l->reason, "%.230s", ms_context_message(worker->ctx));
    ms_context_clear_message(worker->ctx);
    status = MS_SUCCESS;
  } else if (status == MS_SUCCESS) {
    status = read_curve(&r, l);
  }
  ms_harmonic_curve_destroy(&r.curve);
  ms_harmonic_destroy(&r.h);
  return status;
}

/* ---- what is kept of a job ---- */

enum { N_ROW = 7 }; /* numbers of a row of a refinement */

static ptrdiff_t row_numbers(const ms_forced_product *p, const ms_forced_level *l) {
  return p->width * (ptrdiff_t)l->count[MS_FORCED_POINTS];
}

static ptrdiff_t loop_numbers(const ms_forced_product *p, const ms_forced_level *l) {
  return l->count[MS_FORCED_POINTS] > 0.0 ? 3 * MS_FORCED_LOOP * (ptrdiff_t)p->n_axis : 0;
}

static ptrdiff_t size_of(const ms_forced_product *p, const ms_forced_level *l) {
  return MS_N_FORCED_COUNT + MS_FORCED_REASON + N_ROW * MS_FORCED_ROWS + row_numbers(p, l) +
         loop_numbers(p, l);
}

static ptrdiff_t save_level(const void *user, ptrdiff_t job, double *to) {
  const ms_forced_product *p = user;
  const ms_forced_level *l = &p->level[job];
  if (!to) return size_of(p, l);
  for (int i = 0; i < MS_N_FORCED_COUNT; i++) *to++ = l->count[i];
  for (int i = 0; i < MS_FORCED_REASON; i++) *to++ = l->reason[i];
  for (int i = 0; i < MS_FORCED_ROWS; i++) {
    const ms_harmonic_row *r = &l->refined[i];
    const double values[N_ROW] = { r->harmonics, (double)r->times, r->omega,   r->zeta,
                                   r->peak,      r->change,        r->residual };
    memcpy(to, values, sizeof values);
    to += N_ROW;
  }
  if (l->row) memcpy(to, l->row, (size_t)row_numbers(p, l) * sizeof *to);
  if (l->loop) memcpy(to + row_numbers(p, l), l->loop, (size_t)loop_numbers(p, l) * sizeof *to);
  return size_of(p, l);
}

static ms_status load_level(ms_context *ctx, void *user, ptrdiff_t job, const double *from,
                            ptrdiff_t n) {
  ms_forced_product *p = user;
  ms_forced_level l = { .row = NULL };
  if (n < size_of(p, &l)) return ms_fail(ctx, MS_ERR_FORMAT, "it is of another run");
  for (int i = 0; i < MS_N_FORCED_COUNT; i++) l.count[i] = *from++;
  if (!(l.count[MS_FORCED_POINTS] >= 0.0 && l.count[MS_FORCED_POINTS] < 1e9) ||
      n != size_of(p, &l)) {
    return ms_fail(ctx, MS_ERR_FORMAT, "it is of another run");
  }
  for (int i = 0; i < MS_FORCED_REASON; i++) l.reason[i] = (char)*from++;
  l.reason[MS_FORCED_REASON - 1] = '\0';
  for (int i = 0; i < MS_FORCED_ROWS; i++, from += N_ROW) {
    l.refined[i] =
        (ms_harmonic_row) { (int)from[0], (ptrdiff_t)from[1], from[2], from[3], from[4], from[5],
                            from[6] };
  }
  if (row_numbers(p, &l) > 0) {
    MS_TRY(ms_allocate(ctx, row_numbers(p, &l), sizeof *from, &l.row));
    memcpy(l.row, from, (size_t)row_numbers(p, &l) * sizeof *from);
    ms_status status = ms_allocate(ctx, loop_numbers(p, &l) + 1, sizeof *from, &l.loop);
    if (status != MS_SUCCESS) {
      ms_free(ctx, &l.row);
      return status;
    }
    memcpy(l.loop, from + row_numbers(p, &l), (size_t)loop_numbers(p, &l) * sizeof *from);
  }
  p->level[job] = l;
  return MS_SUCCESS;
}

ms_status ms_forced_run(ms_study *s, ms_task *task) {
  ms_forced_product *p = task->product;
  ms_jobs jobs = {
    .n = p->options.n_level, .run = run_level, .save = save_level, .load = load_level, .user = p
  };
  plan(s, p);
  MS_TRY(ms_allocate(s->ctx, p->options.n_level, sizeof *p->level, &p->level));
  MS_TRY(ms_pool_run_jobs(s, task->name, &jobs));
  return ms_forced_tabulate(s, task);
}
