/* modal_ringdown: one mode at a time is hit by a half-sine spread as M phi and rings down; the
   Hilbert method reads frequency and damping against amplitude (Procedure I of Lacayo, Deaner,
   Allen 2017). */
#include <math.h>
#include <stdio.h>

#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/rows.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  ms_mode_list modes;
  struct fy_node *levels, *segments;
  ms_time_setting time;
  ptrdiff_t sensor;
} options;

/* The pulses of a mode by the shape they are spread with. */
typedef struct sides {
  struct fy_node *stuck, *slipped;
} sides;

static const ms_param side_keys[] = {
  MS_FORMS(
      sides, stuck, "number or list", MS_OPTIONAL,
      "heights with the shape of the stuck mode, cleaner in microslip; a plain list means this"),
  MS_FORMS(sides, slipped, "number or list", MS_OPTIONAL,
           "heights with the shape of the slipped mode, cleaner in macroslip"),
};

static const ms_param_list side_list = MS_LIST_OF(side_keys);

static const ms_param level_keys[] = {
  MS_NAMED("MODE", "number, list or mapping", &side_list,
           "a mode by its number: heights p of its pulses, length sqrt(mass)/time^2; [p, step, "
           "steps] in a list has a time of its own"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_MODES(options, modes, MS_ELSE("all"), "mode numbers from 1"),
  MS_FORMS_WITH(options, levels, "mapping", MS_ROWS(level_keys), MS_REQUIRED,
                "pulses of each mode"),
  MS_TIME(options, time, MS_REQUIRED),
  MS_ROW_SEGMENTS(options),
  MS_SENSOR(options, sensor),
};

typedef struct product {
  ms_curves curves;    /* first: see analyses/shared/curves.h */
  int *slipped;        /* of each run: spread as the slipped mode */
  double *shape;       /* of each run */
  ptrdiff_t *segments; /* of each mode */
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  ms_free(s->ctx, &p->slipped);
  ms_free(s->ctx, &p->shape);
  ms_free(s->ctx, &p->segments);
}

/* ---- options ---- */

static ms_status add_levels(ms_study *s, ms_task *task, int m, struct fy_node *list, int slipped) {
  const options *o = task->options;
  product *p = task->product;
  ms_curves *c = &p->curves;
  ms_level *given;
  ptrdiff_t n;
  if (!list) return MS_SUCCESS;
  MS_TRY(ms_read_levels(s, list, &o->time, &given, &n));
  ms_status status = ms_resize(s->ctx, c->n_run + n, sizeof *p->slipped, &p->slipped);
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    const int *mode = &o->modes.mode[m];
    const ms_pulse_run run = { .p = given[i].p * s->units.force / sqrt(s->units.mass),
                               .omega = ms_structure_get_stuck(s->structure).omega[*mode],
                               .time = given[i].time,
                               .mode = mode,
                               .n_mode = 1,
                               .segments = &p->segments[m] };
    p->slipped[c->n_run] = slipped;
    status = ms_curves_request(s->ctx, c, &run, "p=%g %s", run.p, slipped ? "slipped" : "stuck");
  }
  ms_free(s->ctx, &given);
  return status;
}

static ms_status read_mode_levels(ms_study *s, ms_task *task, int m) {
  const options *o = task->options;
  char key[16];
  sides given = { 0 };
  snprintf(key, sizeof key, "%d", o->modes.mode[m] + 1);
  struct fy_node *of = ms_yaml_get(o->levels, key);
  if (!of) return ms_yaml_fail(&s->yaml, o->levels, MS_ERR_NAME, "levels lack mode %s", key);
  if (!ms_yaml_is_mapping(of)) return add_levels(s, task, m, of, 0);
  MS_TRY(ms_options_read(s, of, of, "levels of a mode", side_keys, side_list.n, &given));
  if (!given.stuck && !given.slipped) {
    return ms_yaml_fail(&s->yaml, of, MS_ERR_FORMAT, "mode %s needs stuck or slipped levels", key);
  }
  MS_TRY(add_levels(s, task, m, given.slipped, 1));
  return add_levels(s, task, m, given.stuck, 0);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  product *p = task->product;
  p->curves.sensor = o->sensor;
  MS_TRY(ms_read_segments(s, o->segments, o->modes.mode, o->modes.n, &p->segments));
  if (!ms_yaml_is_mapping(o->levels)) {
    return ms_yaml_fail(&s->yaml, o->levels, MS_ERR_FORMAT,
                        "levels must be {mode: [heights], ...}");
  }
  MS_TRY(ms_yaml_check_mode_keys(&s->yaml, o->levels, "levels", o->modes.mode, o->modes.n));
  for (int m = 0; m < o->modes.n; m++) MS_TRY(read_mode_levels(s, task, m));
  for (ptrdiff_t i = 0; ms_study_knows_modes(s) && i < p->curves.n_run; i++) {
    if (p->curves.run[i].omega > 0.0) continue;
    return ms_yaml_fail(&s->yaml, o->levels, MS_ERR_ARGUMENT,
                        "mode %d is a rigid-body mode and does not ring",
                        p->curves.run[i].mode[0] + 1);
  }
  return ms_curves_check_steps(s, ms_yaml_get(task->node, "time"), &p->curves);
}

/* ---- the runs ---- */

/* Spread as M phi. */
static ms_status run_all(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves *c = &p->curves;
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  MS_TRY(ms_allocate(s->ctx, n * c->n_run, sizeof *p->shape, &p->shape));
  for (ptrdiff_t i = 0; i < c->n_run; i++) {
    const ms_modes modes = p->slipped[i] ? ms_structure_get_slipped(s->structure)
                                         : ms_structure_get_stuck(s->structure);
    ms_structure_apply_mass(s->structure, 1.0, modes.shape + n * c->run[i].mode[0],
                            p->shape + n * i);
    c->run[i].shape = p->shape + n * i;
  }
  return ms_curves_share(s, task);
}

static ms_status run(ms_study *s, ms_task *task) {
  MS_TRY(run_all(s, task));
  return ms_curves_collect(s->ctx, task->product);
}

static ms_status result(ms_study *s, ms_task *task) {
  const options *o = task->options;
  return ms_curves_result(s, task, o->modes.mode, o->modes.n, "ring-down", NULL, NULL);
}

const ms_analysis ms_analysis_modal_ringdown = {
  .name = "modal_ringdown",
  .title = "Ring-downs of single modes",
  .meaning =
      "Each mode is excited on its own by a half-sine pulse distributed as M phi, and rings down. "
      "The modal velocity's envelope and phase (Hilbert transform, piecewise linear fit) give "
      "frequency and total damping against amplitude.",
  MS_KEYS(keys, options, product),
  .knows_contact = 1,
  .check = check,
  .run = run,
  .judge = ms_curves_judge,
  .help = run_all,
  .result = result,
  .close = close_product,
};
