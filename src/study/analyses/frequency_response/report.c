/* What a report says of a frequency response: curves, loops at the peaks, how good it is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/frequency_response/frequency_response.h"

static const double pi = 3.14159265358979323846;

/* ---- curves ---- */

typedef enum view { AMPLITUDE, PER_LEVEL, PHASE } view;

typedef struct drawing {
  const ms_study *s;
  const ms_forced_product *p;
  ms_figure *figure;
  double *x, *y; /* room for a curve */
  double last;   /* phase drawn, which goes on without jumps */
} drawing;

static double go_on(double degrees, double last) {
  return degrees - 360.0 * round((degrees - last) / 360.0);
}

static double value_of(const drawing *d, view v, ptrdiff_t level, const double *point) {
  const double *sensor = ms_forced_sensor(d->p, point, 0);
  if (v == AMPLITUDE) return sensor[0];
  if (v == PER_LEVEL) return sensor[0] / d->p->options.level[level];
  return go_on(sensor[1] * 180.0 / pi, d->last);
}

static int is_unstable(const double *point) {
  return (int)point[MS_FORCED_STABILITY] == MS_UNSTABLE;
}

/* A stretch of points that are all unstable, or none; it goes on to the first of the next. */
static ms_status add_stretch(drawing *d, view v, ptrdiff_t level, ptrdiff_t *at) {
  const ptrdiff_t n = (ptrdiff_t)d->p->level[level].count[MS_FORCED_POINTS];
  const int unstable = is_unstable(ms_forced_point(d->p, level, *at));
  char label[64] = "";
  ptrdiff_t k = 0, i = *at;
  for (int more = 1; i < n && more; i++, k++) {
    const double *point = ms_forced_point(d->p, level, i);
    more = is_unstable(point) == unstable;
    d->x[k] = point[MS_FORCED_OMEGA] / (d->p->in_hz ? 2.0 * pi : 1.0);
    d->y[k] = value_of(d, v, level, point);
    if (v == PHASE) d->last = d->y[k];
  }
  if (*at == 0) {
    snprintf(label, sizeof label, "%.4g %s", d->p->options.level[level],
             ms_harmonic_level_unit(&d->p->options));
  }
  int last = is_unstable(ms_forced_point(d->p, level, i - 1)) == unstable;
  *at = last ? n : i - 1;
  ms_series series = { .label = label[0] ? label : NULL,
                       .x = d->x,
                       .y = d->y,
                       .n = k,
                       .style = unstable ? MS_SERIES_DASHED : MS_SERIES_LINE,
                       .colour = (int)(level % MS_PALETTE_SIZE) };
  return ms_figure_add_series(d->figure, &series);
}

static ms_status add_curve(drawing *d, view v, ptrdiff_t level) {
  const ms_forced_level *l = &d->p->level[level];
  const ptrdiff_t n = (ptrdiff_t)l->count[MS_FORCED_POINTS];
  d->last = -90.0; /* a curve begins with a lag from -270 to 90 degrees */
  for (ptrdiff_t at = 0; at < n;) MS_TRY(add_stretch(d, v, level, &at));
  if (n == 0 || l->count[MS_FORCED_COMPLETE] != 0.0 || v != AMPLITUDE) return MS_SUCCESS;
  const double *end = ms_forced_point(d->p, level, n - 1);
  return ms_figure_add_note(d->figure, end[MS_FORCED_OMEGA] / (d->p->in_hz ? 2.0 * pi : 1.0),
                            value_of(d, v, level, end), "stopped here");
}

/* Smallest and largest of the amplitudes: over two decades an axis is logarithmic. */
static int spans_decades(const ms_forced_product *p) {
  double low = HUGE_VAL, high = 0.0;
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) {
    for (ptrdiff_t k = 0; k < (ptrdiff_t)p->level[i].count[MS_FORCED_POINTS]; k++) {
      double a = ms_forced_sensor(p, ms_forced_point(p, i, k), 0)[0];
      low = fmin(low, a);
      high = fmax(high, a);
    }
  }
  return low > 0.0 && high > 100.0 * low;
}

static ms_status add_panels(drawing *d) {
  const ms_forced_product *p = d->p;
  const char *sensor = ms_structure_get_name(d->s->structure, p->options.sensor[0]);
  const char *x = p->in_hz ? "frequency" : "omega", *x_unit = p->in_hz ? "Hz" : "rad/s";
  const char *unit = ms_harmonic_level_unit(&p->options);
  const int log = spans_decades(p);
  char label[96], per[64];
  snprintf(label, sizeof label, "%.40s, first harmonic", sensor);
  snprintf(per, sizeof per, strpbrk(unit, " /") ? "m/(%s)" : "m/%s", unit);
  const ms_panel panel[] = {
    [AMPLITUDE] = { "Amplitude", x, x_unit, label, "m", 0, log },
    [PER_LEVEL] = { "Amplitude over load", x, x_unit, label, per, 0, log },
    [PHASE] = { "Phase against the load", x, x_unit, "phase", "degrees", 0, 0 },
  };
  for (int v = AMPLITUDE; v <= PHASE; v++) {
    MS_TRY(ms_figure_add_panel(d->figure, &panel[v]));
    for (ptrdiff_t i = 0; i < p->options.n_level; i++) MS_TRY(add_curve(d, (view)v, i));
  }
  return MS_SUCCESS;
}

static ms_status draw_curves(const ms_study *s, const ms_forced_product *p, ms_page *page) {
  drawing d = { .s = s, .p = p };
  ptrdiff_t room = 0;
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) {
    room = (ptrdiff_t)fmax((double)room, p->level[i].count[MS_FORCED_POINTS]);
  }
  if (room == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, 2 * room, sizeof *d.x, &d.x));
  d.y = d.x + room;
  ms_status status = ms_figure_create(s->ctx, "Frequency response", NULL, &d.figure);
  if (status == MS_SUCCESS) status = add_panels(&d);
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(
        page,
        "Periodic motion for each level of the load. Dashed: unstable, left by a structure "
        "that is disturbed.",
        d.figure);
  }
  ms_figure_destroy(&d.figure);
  ms_free(s->ctx, &d.x);
  return status;
}

/* ---- loops ---- */

enum { MOST_LOOPS = 5 };

static ms_status add_loops(const ms_study *s, const ms_forced_product *p, int axis,
                           ms_figure *figure) {
  const ptrdiff_t n = p->options.n_level, L = MS_FORCED_LOOP;
  const ptrdiff_t every = (n + MOST_LOOPS - 1) / MOST_LOOPS;
  (void)s;
  for (ptrdiff_t i = n - 1; i >= 0; i -= every) {
    char label[64];
    if (!p->level[i].loop) continue;
    const double *loop = p->level[i].loop + 3 * L * axis;
    snprintf(label, sizeof label, "%.4g %s", p->options.level[i],
             ms_harmonic_level_unit(&p->options));
    ms_series law = { .label = label,
                      .x = loop,
                      .y = loop + L,
                      .n = L,
                      .style = MS_SERIES_LINE,
                      .colour = (int)(i % MS_PALETTE_SIZE) };
    ms_series seen = law;
    seen.label = NULL;
    seen.y = loop + 2 * L;
    seen.style = MS_SERIES_DASHED;
    MS_TRY(ms_figure_add_series(figure, &law));
    MS_TRY(ms_figure_add_series(figure, &seen));
  }
  return MS_SUCCESS;
}

static ms_status add_loop_panels(const ms_study *s, const ms_forced_product *p, ms_figure *figure) {
  int axis = 0;
  for (int j = 0; j < p->n_joint; j++) {
    int n = ms_joint_info(ms_structure_get_joint(s->structure, j))->n_axis;
    for (int a = 0; a < n; a++, axis++) {
      char title[80];
      snprintf(title, sizeof title, n > 1 ? "%.50s, axis %d" : "%.50s",
               ms_structure_get_joint_name(s->structure, j), a + 1);
      ms_panel panel = { title, "displacement", "m", "force", "N", 0, 0 };
      MS_TRY(ms_figure_add_panel(figure, &panel));
      MS_TRY(add_loops(s, p, axis, figure));
    }
  }
  return MS_SUCCESS;
}

static ms_status draw_loops(const ms_study *s, const ms_forced_product *p, ms_page *page) {
  ms_figure *figure;
  int any = 0;
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) any |= p->level[i].loop != NULL;
  if (p->n_axis == 0 || !any) return MS_SUCCESS;
  MS_TRY(ms_figure_create(s->ctx, "Joints at the peaks", NULL, &figure));
  ms_status status = add_loop_panels(s, p, figure);
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(
        page,
        "Force against displacement over a period at the largest response of a level. "
        "Dashed: the force as the harmonics of the balance have it.",
        figure);
  }
  ms_figure_destroy(&figure);
  return status;
}

/* ---- facts ---- */

static ms_status add_facts(const ms_forced_product *p, ms_page *page) {
  const ms_harmonic_setting *set = &p->options.setting;
  double points = 0.0, worst = 0.0, repeat = 0.0, evaluations = 0.0;
  char balance[96], good[96], work[96], law[96];
  const char *names[] = { "harmonics, time points of a period", "points, worst residual",
                          "forces of two periods differ by at most", "evaluations" };
  const char *values[] = { balance, good, law, work };
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) {
    const double *c = p->level[i].count;
    points += c[MS_FORCED_POINTS];
    evaluations += c[MS_FORCED_EVALUATIONS];
    worst = fmax(worst, c[MS_FORCED_WORST]);
    for (ptrdiff_t k = 0; k < (ptrdiff_t)c[MS_FORCED_POINTS]; k++) {
      repeat = fmax(repeat, ms_forced_point(p, i, k)[MS_FORCED_REPEAT]);
    }
  }
  snprintf(balance, sizeof balance, "%d, %td", set->harmonics, set->times);
  snprintf(good, sizeof good, "%.0f, %.2g of the motion (tolerance %g)", points, worst,
           set->tolerance);
  snprintf(law, sizeof law, "%.2g of their size (tolerance %g)", repeat, set->repeat_tolerance);
  snprintf(work, sizeof work, "%.0f of residual and Jacobian", evaluations);
  return ms_page_add_facts(page, 4, names, values);
}

ms_status ms_forced_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_forced_product *p = task->product;
  MS_TRY(add_facts(p, page));
  MS_TRY(draw_curves(s, p, page));
  MS_TRY(draw_loops(s, p, page));
  MS_TRY(ms_result_table_add_to_page(s->ctx, p->levels, "Levels: peaks, folds, residuals", page));
  if (ms_result_table_rows(p->peaks) > 0) {
    MS_TRY(ms_result_table_add_to_page(s->ctx, p->peaks, "Peaks of the first sensor", page));
  }
  if (ms_result_table_rows(p->folds) > 0) {
    MS_TRY(ms_result_table_add_to_page(s->ctx, p->folds, "Folds", page));
  }
  if (!p->harmonics) return MS_SUCCESS;
  return ms_result_table_add_to_page(s->ctx, p->harmonics,
                                     "More harmonics at the peak, until it stops moving", page);
}
