/* Targets of `calibrate` that are measured stepped sines: amplitude and phase of a sensor at each
   frequency and force. */
#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/shared/harmonic.h"

typedef struct options {
  ms_numbers weight;
  const char *shaker;
  ms_weights at;
  double *preload, window[2];
  ptrdiff_t sensor, harmonics, times;
} options;

static const ms_param shaker_keys[] = {
  MS_PATH(options, shaker, MS_REQUIRED,
          "table of frequency, force, amplitude and phase, the unit of each in its heading; levels "
          "one after the other. Or with `swept` a record"),
  MS_WEIGHTS(options, at, MS_REQUIRED,
             "degree of freedom on which the shaker acts, or several, each with a weight"),
  MS_DOF(options, sensor, MS_REQUIRED, "degree of freedom that was measured"),
  MS_SINE_COLUMNS,
  MS_ROW_SWEPT,
  MS_PRELOAD(options, preload, "static forces, {degree of freedom: force}"),
  MS_COUNT(options, harmonics, MS_WITHIN(1, 500), MS_DEFAULT(3), "number of harmonics"),
  MS_COUNT(options, times, MS_FROM(8), MS_DEFAULT(256),
           "time points of a period, at least 4 harmonics + 4"),
  MS_PAIR(options, window, "Hz", MS_POSITIVE, MS_ELSE("all"), "frequencies that count"),
  MS_ROW_WEIGHTS(options, "[of amplitude, of phase]"),
};
const ms_param_list ms_target_shaker_keys = MS_LIST_OF(shaker_keys);

static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *t) {
  const options *o = t->options;
  const ms_key_source from = ms_options_source(s);
  (void)task;
  t->is->is.shaker =
      (ms_shaker_option) { o->at.value, o->preload, o->sensor, (int)o->harmonics, o->times };
  if (!isnan(o->window[0]))
    t->is->low = 2.0 * MS_PI * o->window[0], t->is->high = 2.0 * MS_PI * o->window[1];
  snprintf(t->name, sizeof t->name, "%.60s of %.180s",
           ms_structure_get_name(s->structure, o->sensor), o->shaker);
  return ms_sine_read(&from, t->node, "shaker", 1, &t->points);
}

const ms_target_source ms_target_shaker = {
  .name = "shaker",
  .is = MS_TARGET_SHAKER,
  .mark = "shaker",
  .keys = &ms_target_shaker_keys,
  .size = sizeof(options),
  .table = "shaker",
  .x = "omega [rad/s]",
  .y = { "amplitude [m]", "phase [rad]" },
  .y_log = { 1, 0 },
  .read = read_target,
};
