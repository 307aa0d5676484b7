/* Ring-down runs and the curves in them. */
#include <microslip/curves.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "experiment/tolerance.h"

void ms_curves_free(ms_context *ctx, ms_curves *c) {
  for (ptrdiff_t i = 0; c->run && i < c->n_run; i++) ms_pulse_free(ctx, &c->run[i]);
  ms_free(ctx, &c->run);
  ms_free(ctx, &c->source);
  ms_free(ctx, &c->curve);
  c->n_run = c->n_curve = 0;
}

ms_status ms_curves_request(ms_context *ctx, ms_curves *c, const ms_pulse_run *run,
                            const char *format, ...) {
  va_list list;
  MS_NEED(ctx, ctx && c && run && format);
  MS_TRY(ms_resize(ctx, c->n_run + 1, sizeof *c->run, &c->run));
  MS_TRY(ms_resize(ctx, c->n_run + 1, sizeof *c->source, &c->source));
  c->run[c->n_run] = *run;
  c->run[c->n_run].keep_traces = 1;
  va_start(list, format);
  vsnprintf(c->source[c->n_run++], sizeof *c->source, format, list);
  va_end(list);
  return MS_SUCCESS;
}

void ms_curves_add(ms_curves *curves, ptrdiff_t run, int c, int mode, const char *source) {
  ms_curve *curve = &curves->curve[curves->n_curve++];
  curve->mode = mode;
  curve->decay = &curves->run[run].decay[c];
  curve->trace = &curves->run[run].trace[c];
  snprintf(curve->source, sizeof curve->source, "%s", source);
}

ms_status ms_curves_collect(ms_context *ctx, ms_curves *c) {
  ptrdiff_t n = 0;
  MS_NEED(ctx, ctx && c);
  for (ptrdiff_t i = 0; i < c->n_run; i++) n += c->run[i].n_mode;
  ms_free(ctx, &c->curve);
  c->n_curve = 0;
  MS_TRY(ms_allocate(ctx, n, sizeof *c->curve, &c->curve));
  for (ptrdiff_t i = 0; i < c->n_run; i++) {
    const ms_pulse_run *run = &c->run[i];
    const char *source = c->source ? c->source[i] : "";
    for (int m = 0; m < run->n_mode; m++) ms_curves_add(c, i, m, run->mode[m], source);
  }
  return MS_SUCCESS;
}

ms_status ms_curves_gather(ms_context *ctx, const ms_curves *c, int mode, ms_points *out) {
  const ms_decay **decay;
  ptrdiff_t n = 0;
  MS_NEED(ctx, ctx && c && out);
  *out = (ms_points) { .n = 0 };
  MS_TRY(ms_allocate(ctx, c->n_curve, sizeof *decay, &decay));
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    if (c->curve[i].mode == mode) decay[n++] = c->curve[i].decay;
  }
  ms_status status = ms_points_gather(ctx, n, decay, out);
  ms_free(ctx, &decay);
  return status;
}

/* ---- what they are worth ---- */

const ms_curve *ms_curves_get_first(const ms_curves *c, ptrdiff_t run) {
  const ms_curve *curve = c->curve;
  for (ptrdiff_t i = 0; i < run; i++) curve += c->run[i].n_mode;
  return curve;
}

const ms_curve *ms_curves_find_extreme(const ms_curves *c, int mode, double sign) {
  const ms_curve *found = NULL;
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    const ms_curve *k = &c->curve[i];
    if (k->mode != mode || k->decay->n == 0 || !k->trace || k->trace->n == 0) continue;
    if (found && sign * k->decay->point[0].q <= sign * found->decay->point[0].q) continue;
    found = k;
  }
  return found;
}

const ms_curve *ms_curves_find_coarse(const ms_curves *c, double *steps, double *required) {
  const ms_curve *worst = NULL, *curve = c->curve;
  double fewest = HUGE_VAL;
  for (ptrdiff_t i = 0; i < c->n_run; curve += c->run[i].n_mode, i++) {
    const ms_pulse_run *run = &c->run[i];
    for (int k = 0; k < run->n_mode; k++) {
      for (ptrdiff_t p = 0; p < run->decay[k].n; p++) {
        const double own = 2.0 * acos(-1.0) / (run->decay[k].point[p].omega * run->time.step);
        if (!(own < fmin(run->quality.steps_least, fewest))) continue;
        worst = curve + k;
        *steps = fewest = own;
        *required = run->quality.steps_least;
      }
    }
  }
  return worst;
}

double ms_curves_get_balance(const ms_curves *c) {
  double worst = 0.0;
  for (ptrdiff_t i = 0; i < c->n_run; i++) worst = fmax(worst, c->run[i].quality.balance);
  return worst;
}

double ms_median(ptrdiff_t n, double *x) {
  ms_sort(n, x);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

void ms_pulse_print_remarks(const ms_pulse_run *run, char *text, size_t size) {
  size_t at = 0;
  text[0] = '\0';
  for (int c = 0; c < run->n_mode && at + 1 < size; c++) {
    if (!run->remark[c][0]) continue;
    int n = snprintf(text + at, size - at, "%smode %d: %s", at ? "; " : "", run->mode[c] + 1,
                     run->remark[c]);
    at += n > 0 ? (size_t)n : 0;
  }
}

void ms_curves_print_title(const ms_curves *all, const ms_curve *c, char *text, size_t size) {
  const char *p = strstr(c->source, "p=");
  const int before = p ? (int)(p - c->source) : 0, n = p ? (int)strcspn(p, " ") : 0;
  const char *unit = !all->run || !all->run->at ? "N/sqrt(kg)" : "N";
  if (!p) {
    snprintf(text, size, "Mode %d, %.100s", c->mode + 1, c->source);
    return;
  }
  snprintf(text, size, "Mode %d, %.*s%sp = %.*s %s%s%s", c->mode + 1, before ? before - 1 : 0,
           c->source, before ? ", " : "", n - 2, p + 2, unit, p[n] ? ", " : "",
           p[n] ? p + n + 1 : "");
}
