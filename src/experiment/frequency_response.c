/* Frequency response: a curve of periodic motions along frequency, its peaks and folds, the joints'
   loops at the peak, and the peak with more harmonics. */
#include <math.h>
#include <microslip/experiment.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "experiment/pack.h"
#include "experiment/periodic.h"

ms_frequency_plan ms_frequency_default(void) {
  return (ms_frequency_plan) { .harmonic = MS_HARMONIC_DEFAULT,
                               .shallow = 1e-3,
                               .refine_apart = { 0.0, 1e-3, 3e-3, 1e-2 } };
}

void ms_frequency_free(ms_context *ctx, ms_frequency_run *run) {
  ms_periodic_free(ctx, &run->curve);
  ms_free(ctx, &run->depth);
  ms_free(ctx, &run->loop);
}

/* ---- peaks and folds ---- */

static double get_first(const ms_frequency_run *run, ptrdiff_t i) {
  return run->curve.sensor[run->curve.n_sensor * i].amplitude;
}

/* The depth of folds: how far the curve goes back in frequency, over it, between the two folds of a
   pair. The two neighbours that are nearest in frequency are a pair, then the nearest two of those
   that are left, so that a ripple does not divide a turn of the curve as a whole. A fold that is
   left alone goes back as far as the curve's end. */
static void measure_folds(ms_frequency_run *run) {
  const ms_harmonic_point *point = run->curve.point;
  const ptrdiff_t n = run->curve.n;
  for (ptrdiff_t i = 0; i < n; i++) {
    run->depth[i] = point[i].turn & MS_HARMONIC_FOLD ? HUGE_VAL : 0.0; /* not measured yet */
  }
  for (;;) {
    ptrdiff_t last = -1, pair[2] = { -1, -1 };
    double least = HUGE_VAL;
    for (ptrdiff_t i = 0; i < n; i++) {
      if (run->depth[i] != HUGE_VAL) continue;
      const double apart = last >= 0 ? fabs(1.0 - point[last].omega / point[i].omega) : HUGE_VAL;
      if (apart < least) least = apart, pair[0] = last, pair[1] = i;
      last = i;
    }
    if (last < 0) return;
    for (int k = 0; k < (pair[0] >= 0 ? 2 : 1); k++) {
      const ptrdiff_t fold = pair[0] >= 0 ? pair[k] : last;
      const ptrdiff_t other = pair[0] >= 0 ? pair[1 - k] : n - 1;
      run->depth[fold] = 1.0 - point[other].omega / point[fold].omega;
      run->shallow += fabs(run->depth[fold]) < run->plan->shallow;
    }
  }
}

/* ---- loops at the peak ---- */

enum { CYCLES = 8 }; /* before a loop is taken as closed */

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

/* The law's own force along the displacement of the balance, a cycle after the other from the
   virgin state; the last stays. */
static ms_status cycle_joint(ms_joint *law, const ms_harmonic_curve *curve, ptrdiff_t i, int H,
                             int first, double *loop) {
  const int n = ms_joint_info(law)->n_axis;
  const ptrdiff_t P = 2 * (ptrdiff_t)H + 1, L = MS_FREQUENCY_LOOP;
  const double *z = ms_harmonic_curve_get_joints(curve, i) + P * first;
  const double *f = ms_harmonic_curve_get_forces(curve, i) + P * first;
  const double omega = ms_harmonic_curve_get_point(curve, i)->omega;
  const double step = 2.0 * 3.14159265358979323846 / (double)(L - 1);
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.dt = step / omega;
  MS_TRY(ms_joint_start(law, NULL));
  for (ptrdiff_t t = 0; t < CYCLES * (L - 1) + 1; t++) {
    ptrdiff_t at = t % (L - 1);
    double angle = step * (double)at;
    for (int a = 0; a < n; a++) {
      in.u[a] = sum_harmonics(H, z + P * a, angle);
      in.v[a] = omega * sum_slopes(H, z + P * a, angle);
    }
    MS_TRY(ms_joint_step(law, &in, &out));
    for (int a = 0; a < n; a++) {
      double *to = loop + 3 * L * (first + a) + (t == CYCLES * (L - 1) ? L - 1 : at);
      to[0] = in.u[a];
      to[L] = out.force[a];
      to[2 * L] = sum_harmonics(H, f + P * a, angle);
    }
  }
  return MS_SUCCESS;
}

static ms_status read_loops(ms_context *ctx, const ms_structure *s, const ms_harmonic_curve *curve,
                            ms_frequency_run *run) {
  const int H = run->plan->harmonic.harmonics;
  int first = 0;
  MS_TRY(ms_allocate(ctx, 3 * MS_FREQUENCY_LOOP * (ptrdiff_t)run->curve.n_axis, sizeof *run->loop,
                     &run->loop));
  for (int j = 0; j < run->curve.n_joint; j++) {
    ms_joint *law = ms_structure_get_joint(s, j);
    MS_TRY(cycle_joint(law, curve, run->peak, H, first, run->loop));
    first += ms_joint_info(law)->n_axis;
  }
  return MS_SUCCESS;
}

/* ---- more harmonics ---- */

/* The highest point but for turns whose frequency is off that of the peak by more than `apart`. */
static ptrdiff_t find_highest(const ms_frequency_run *run, double apart) {
  const ms_harmonic_point *point = run->curve.point;
  ptrdiff_t highest = run->peak;
  double most = -1.0;
  for (ptrdiff_t i = 0; i < run->curve.n; i++) {
    const double off = fabs(point[i].omega / point[run->peak].omega - 1.0);
    if (point[i].turn != 0 || off < apart || !(get_first(run, i) > most)) continue;
    most = get_first(run, i);
    highest = i;
  }
  return highest;
}

/* The highest point is repeated with more harmonics. Beside a fold there may be none at its
   frequency then: a point a little farther off serves as well. */
static ms_status refine(ms_context *ctx, ms_harmonic *h, const ms_harmonic_curve *curve,
                        const double *first, ms_frequency_run *run) {
  const ms_frequency_plan *p = run->plan;
  ms_status status = MS_NOT_CONVERGED;
  if (p->refine == 0.0) return MS_SUCCESS;
  for (int k = 0; k < MS_FREQUENCY_TRIES && status == MS_NOT_CONVERGED && run->n_refined < 2; k++) {
    run->n_refined = 0;
    status = ms_harmonic_refine(h, curve, find_highest(run, p->refine_apart[k]), first, p->refine,
                                p->refine_rows, run->refined, &run->n_refined);
  }
  run->settled = status == MS_SUCCESS;
  if (status <= MS_SUCCESS || status == MS_CANCELLED) return status;
  ms_context_clear_message(ctx);
  return MS_SUCCESS;
}

/* ---- the run ---- */

static ms_status follow(ms_harmonic *h, const ms_harmonic_range *omega, const void *user,
                        ms_harmonic_curve **out) {
  const ms_frequency_run *run = user;
  return run->plan->hold ? ms_harmonic_run_held(h, omega, run->level, out)
                         : ms_harmonic_run_forced(h, omega, run->level, out);
}

/* Where a motion that is held takes least force: among all points, as steps are small there. */
static void find_least_force(ms_frequency_run *run) {
  const ptrdiff_t n = run->curve.n;
  run->peak = 0;
  for (ptrdiff_t i = 1; i < n; i++) {
    if (run->curve.point[i].level < run->curve.point[run->peak].level) run->peak = i;
  }
  run->peak_at_end = run->peak == 0 || run->peak == n - 1;
  run->peaks = !run->peak_at_end;
}

/* `first`: 1 at the first sensor. */
static ms_status read_curve(ms_context *ctx, ms_structure *s, ms_harmonic *h,
                            const ms_harmonic_curve *curve, const double *first,
                            ms_frequency_run *run) {
  const ms_frequency_plan *p = run->plan;
  MS_TRY(ms_periodic_read(ctx, s, h, curve, p->harmonic.harmonics, 0, p->n_sensor, p->sensor,
                          &run->curve));
  if (run->curve.n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, run->curve.n, sizeof *run->depth, &run->depth));
  measure_folds(run);
  /* The peak is the largest of the maxima that were solved for and of the curve's ends: points
     between depend on the steps and on what else is asked for. */
  const ptrdiff_t n = run->curve.n;
  double most = -1.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const int turn = run->curve.point[i].turn;
    run->folds += (turn & MS_HARMONIC_FOLD) != 0;
    run->peaks += (turn & MS_HARMONIC_PEAK) != 0;
    if (i > 0 && i < n - 1 && !(turn & MS_HARMONIC_PEAK)) continue;
    if (!(get_first(run, i) > most)) continue;
    most = get_first(run, i);
    run->peak = i;
    run->peak_at_end = !(turn & MS_HARMONIC_PEAK);
  }
  if (p->hold) find_least_force(run);
  MS_TRY(refine(ctx, h, curve, first, run));
  return read_loops(ctx, s, curve, run);
}

static ms_status run_curve(ms_context *ctx, ms_structure *s, ms_harmonic *h, double *first,
                           ms_frequency_run *run) {
  const ms_frequency_plan *p = run->plan;
  ms_harmonic_curve *curve = NULL;
  first[p->sensor[0]] = 1.0;
  const ms_harmonic_range range = {
    .from = p->from, .to = p->to, .list = p->list, .n_list = p->n_list, .watch = first
  };
  ms_status status = run->keep ? run->keep(run->user, h, &range, follow, run, &curve)
                               : follow(h, &range, run, &curve);
  if (status == MS_SUCCESS) {
    status = read_curve(ctx, s, h, curve, first, run);
  } else if (!curve) {
    status = ms_periodic_excuse(ctx, status, &run->curve);
  }
  ms_harmonic_curve_destroy(&curve);
  return status;
}

ms_status ms_frequency_simulate(ms_context *ctx, ms_structure *structure, ms_frequency_run *run) {
  ms_harmonic *h = NULL;
  double *first = NULL;
  MS_NEED(ctx, ctx && structure && run && run->plan && run->plan->force && run->plan->sensor);
  const ms_frequency_plan *p = run->plan;
  if (p->n_sensor < 1 || (p->refine > 0.0 && (p->hold || p->refine_rows > MS_FREQUENCY_REFINED))) {
    return ms_fail(
        ctx, MS_ERR_BOUNDS,
        "a frequency response needs a sensor, and refines in %d rows at most, none where "
        "the response is held",
        (int)MS_FREQUENCY_REFINED);
  }
  ms_status status = ms_allocate(ctx, ms_structure_get_size(structure), sizeof *first, &first);
  if (status == MS_SUCCESS) {
    status = ms_periodic_open(structure, &p->harmonic, p->force, p->preload, &h);
  }
  if (status == MS_SUCCESS) status = run_curve(ctx, structure, h, first, run);
  ms_harmonic_destroy(&h);
  ms_free(ctx, &first);
  return status;
}

/* ---- as numbers ---- */

enum { N_HEAD = 7, N_ROW = 7 };

ptrdiff_t ms_frequency_save(const void *item, double *values) {
  const ms_frequency_run *run = item;
  ms_packer t = { .values = values };
  const double head[N_HEAD] = { (double)run->folds, (double)run->shallow, (double)run->peaks,
                                (double)run->peak,  run->peak_at_end,     (double)run->n_refined,
                                run->settled };
  ms_pack_numbers(&t, head, N_HEAD);
  for (ptrdiff_t i = 0; i < run->n_refined; i++) {
    const ms_harmonic_row *r = &run->refined[i];
    const double row[N_ROW] = { r->harmonics, (double)r->times, r->omega,   r->zeta,
                                r->peak,      r->change,        r->residual };
    ms_pack_numbers(&t, row, N_ROW);
  }
  ms_periodic_pack(&t, &run->curve);
  if (run->curve.n == 0) return t.n;
  ms_pack_numbers(&t, run->depth, run->curve.n);
  ms_pack_numbers(&t, run->loop, 3 * MS_FREQUENCY_LOOP * (ptrdiff_t)run->curve.n_axis);
  return t.n;
}

static ms_status load_curve(ms_context *ctx, ms_frequency_run *run, ms_unpacker *r) {
  MS_TRY(ms_periodic_unpack(ctx, r, &run->curve));
  const ptrdiff_t n = run->curve.n, m = 3 * MS_FREQUENCY_LOOP * (ptrdiff_t)run->curve.n_axis;
  const double *depth = ms_unpack_numbers(r, n), *loop = ms_unpack_numbers(r, n > 0 ? m : 0);
  if (!depth || !loop || r->n != 0 || run->peak >= n + (n == 0)) {
    return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a run does not belong to it");
  }
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, n, sizeof *run->depth, &run->depth));
  MS_TRY(ms_allocate(ctx, m, sizeof *run->loop, &run->loop));
  memcpy(run->depth, depth, (size_t)n * sizeof *depth);
  if (m > 0) memcpy(run->loop, loop, (size_t)m * sizeof *loop);
  return MS_SUCCESS;
}

ms_status ms_frequency_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n) {
  ms_frequency_run *run = item;
  ms_unpacker r = { .values = values, .n = n };
  const double *v = ms_unpack_numbers(&r, N_HEAD);
  if (!v || !(v[3] >= 0.0 && v[5] >= 0.0 && v[5] <= MS_FREQUENCY_REFINED)) {
    return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a run does not belong to it");
  }
  run->folds = (ptrdiff_t)v[0];
  run->shallow = (ptrdiff_t)v[1];
  run->peaks = (ptrdiff_t)v[2];
  run->peak = (ptrdiff_t)v[3];
  run->peak_at_end = v[4] != 0.0;
  run->settled = v[6] != 0.0;
  run->n_refined = (ptrdiff_t)v[5];
  for (ptrdiff_t i = 0; i < run->n_refined; i++) {
    const double *w = ms_unpack_numbers(&r, N_ROW);
    if (!w) return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a run does not belong to it");
    run->refined[i] =
        (ms_harmonic_row) { (int)w[0], (ptrdiff_t)w[1], w[2], w[3], w[4], w[5], w[6] };
  }
  ms_status status = load_curve(ctx, run, &r);
  if (status != MS_SUCCESS) ms_frequency_free(ctx, run);
  return status;
}

void ms_frequency_find_range(ptrdiff_t n, const ms_frequency_run *run, double *low, double *high) {
  *low = HUGE_VAL, *high = 0.0;
  for (const ms_frequency_run *r = run; r < run + n; r++) {
    for (ptrdiff_t k = 0; k < r->curve.n; k++) {
      *low = fmin(*low, r->curve.sensor[r->curve.n_sensor * k].amplitude);
      *high = fmax(*high, r->curve.sensor[r->curve.n_sensor * k].amplitude);
    }
  }
}

/* ---- what it is worth ---- */

/* Each sentence has a case; those that do not hold leave the text empty. */
static ms_doubt print_warning(const ms_frequency_run *r, const char *unit, int which, char *text,
                              size_t size) {
  const ms_periodic *c = &r->curve;
  const ms_harmonic_row *last = r->refined + (r->n_refined > 0 ? r->n_refined - 1 : 0);
  const int refined = c->n > 0 && r->plan->refine > 0.0 && !r->settled;
  const double level = r->level;
  if (which == 0 && c->n == 0) {
    snprintf(text, size, "level %g %s has no point: %s", level, unit, c->remark);
    return MS_DOUBT_MISSING;
  }
  if (which == 1 && c->n > 0 && !c->complete) {
    snprintf(text, size, "the curve of level %g %s %s", level, unit, c->remark);
    return c->ended ? MS_DOUBT_NOTE : MS_DOUBT_MISSING;
  }
  if (which == 2 && c->n > 0 && c->missed > 0) {
    snprintf(text, size, "level %g %s: the curve passed %td of the points without solving for them",
             level, unit, c->missed);
    return MS_DOUBT_MISSING;
  }
  if (which == 3 && c->n > 0 && r->shallow > 0) {
    snprintf(text, size,
             "level %g %s: %td of the %td folds are shallow: omega turns back by less than %g of "
             "it; with a law that has corners they may be ripples of the time points, which more "
             "times remove",
             level, unit, r->shallow, r->folds, r->plan->shallow);
  }
  if (which == 4 && c->n > 0 && r->peak_at_end) {
    snprintf(text, size,
             "level %g %s: the %s at an end of the curve, omega = %.6g rad/s; the peak may lie "
             "beyond",
             level, unit, r->plan->hold ? "force is least" : "response is largest",
             c->point[r->peak].omega);
  }
  if (which == 5 && refined && r->n_refined < 2) {
    snprintf(text, size,
             "level %g %s: with more harmonics there is no solution at the frequency of the peak "
             "or beside it (refine); the curve may have too few",
             level, unit);
  } else if (which == 5 && refined) {
    snprintf(text, size,
             "level %g %s: with %d harmonics the peak still moves by %.2g (refine: tolerance %g)",
             level, unit, last->harmonics, last->change, r->plan->refine);
  }
  return which == 5 ? MS_DOUBT_SUSPECT : MS_DOUBT_NOTE;
}

int ms_frequency_warning(const ms_frequency_run *run, const char *unit, int i, ms_doubt *doubt,
                         char *text, size_t size) {
  for (int which = 0; which < 6; which++) {
    text[0] = '\0';
    *doubt = print_warning(run, unit, which, text, size);
    if (text[0] && i-- == 0) return 1;
  }
  return 0;
}
