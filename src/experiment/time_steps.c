/* Time steps against what they are to resolve, in words. */
#include <math.h>
#include <microslip/experiment.h>
#include <stdio.h>

#include "core/internal.h"
#include "experiment/tolerance.h"

/* Messages have times in the unit of whoever reads them. */
static const char *name_of(double unit) {
  return unit == 1.0 ? "s" : "ms";
}

/* A step in that unit: two digits, rounded down, so that it is short enough. */
static double round_down(double step, double unit) {
  const double x = step / unit, digit = pow(10.0, floor(log10(x)) - 1.0);
  return digit * floor(x / digit);
}

int ms_time_misses_mode(const ms_time_setting *time, int mode, double omega, double unit,
                        char *text, size_t size) {
  const double period = 2.0 * MS_PI / omega, steps = period / time->step;
  if (!(omega > 0.0) || steps >= ms_experiment_tol.steps_per_mode) return 0;
  snprintf(text, size,
           "a step of %g %s makes %.3g steps in a period of mode %d; at least %g are required, a "
           "step of %.2g %s",
           time->step / unit, name_of(unit), steps, mode + 1, ms_experiment_tol.steps_per_mode,
           round_down(period / ms_experiment_tol.steps_per_mode, unit), name_of(unit));
  return 1;
}

int ms_time_misses_pulse(const ms_time_setting *time, double length, double unit, char *text,
                         size_t size) {
  const ms_pulse_steps p = ms_time_count_steps(time);
  if (!(length < p.least * time->step)) return 0;
  snprintf(text, size,
           "the pulse lasts %.3g %s, %.3g steps: it falls between the steps; at least %g are "
           "required, a step of %.2g %s",
           length / unit, name_of(unit), length / time->step, p.least,
           round_down(length / p.least, unit), name_of(unit));
  return 1;
}

int ms_time_misses_load(const ms_time_setting *time, const ms_load *load, const char *name,
                        double unit, char *text, size_t size) {
  const ms_load_scale scale = ms_load_get_scale(load);
  if (!(ms_load_end(load) > 0.0)) {
    snprintf(text, size, "load %s ends at %.6g %s, before the run begins: it takes no part", name,
             ms_load_end(load) / unit, name_of(unit));
    return 1;
  }
  if (ms_time_misses_pulse(time, scale.pulse, unit, text, size)) return 1;
  if (!(scale.period < ms_experiment_tol.steps_per_cycle * time->step)) return 0;
  snprintf(text, size,
           "a step of %g %s makes %.3g steps in a period of the load, %.3g %s; at least %g are "
           "required",
           time->step / unit, name_of(unit), scale.period / time->step, scale.period / unit,
           name_of(unit), ms_experiment_tol.steps_per_cycle);
  return 1;
}

int ms_time_ends_before(const ms_time_setting *time, const ms_load *load, const char *name,
                        double unit, char *text, size_t size) {
  const double length = time->step * (double)time->steps, begin = ms_load_begin(load);
  if (begin < (1.0 - 1e-9) * length) return 0; /* rounding of the last step */
  snprintf(text, size, "load %s begins at %.6g %s, but the run ends at %.6g %s: it takes no part",
           name, begin / unit, name_of(unit), length / unit, name_of(unit));
  return 1;
}

int ms_time_blurs_pulse(const ms_time_setting *time, double length, char *text, size_t size) {
  const ms_pulse_steps p = ms_time_count_steps(time);
  if (!(length < p.enough * time->step)) return 0;
  snprintf(text, size,
           "the time step is too coarse for the pulse, which has %.3g steps: its impulse may be "
           "off by more than 1 %%; at least %g are required",
           length / time->step, p.enough);
  return 1;
}
