/* force_state: the loop of a joint from the force that drives the structure and what a few sensors
   see, in steady vibration: options. Reads transients or files. */
#include "study/analyses/force_state/force_state.h"

typedef ms_force_state_options options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_WORD(options, joint, MS_REQUIRED, "joint whose loop is sought; all others are taken as stuck"),
  MS_FORMS(options, from, "word or list", MS_ELSE("the last one"),
           "transients to read; each has one load, a force, and records it by its name"),
  MS_FORMS(options, files, "word or list", MS_OPTIONAL,
           "files to read instead, a record each: tables or universal files"),
  MS_FORMS(options, load, "word or mapping", MS_OPTIONAL,
           "of files: where the force acts, `at` as under loads, or the name of a load"),
  MS_WORD(options, force, MS_ELSE("force"), "of files: the channel of the force"),
  MS_FORMS(options, sensors, "list or mapping", MS_REQUIRED,
           "channels of the transients (u2.acceleration, u2.velocity, u2); of files {degree of "
           "freedom: channel}, whose unit says what it is"),
  MS_NUMBERS(options, frequency, "Hz", MS_POSITIVE, MS_ELSE("found in the force"),
             "of the vibration; one for all or one for each record"),
  MS_COUNT(options, periods, MS_FROM(1), MS_DEFAULT(4), "at the end of the records"),
  MS_COUNT(options, harmonics, MS_WITHIN(1, 200), MS_DEFAULT(9), "of the motion"),
  MS_CHOICE(options, method, "exact|plain", MS_OPTIONAL,
            "exact: all modes, least squares; plain: as many modes as sensors"),
  MS_COUNT(options, modes, MS_FROM(1), MS_ELSE("as many as sensors"),
           "of the plain method, at most so many as sensors"),
  MS_COUNT(options, axes, MS_FROM(1), MS_ELSE("all, or as many as there are sensors"),
           "of the joint that are sought, the first ones; others are held stuck"),
  MS_NUMBER(options, worst, "-", MS_POSITIVE, MS_DEFAULT(0.05),
            "a harmonic is left out if the standard deviation of its force exceeds so much of the "
            "first harmonic"),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

static void close_product(ms_study *s, ms_task *task) {
  ms_force_state_product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n && p->run; i++) {
    ms_force_state_free(s->ctx, &p->run[i].found);
    ms_hysteresis_free(s->ctx, &p->run[i].own.loop);
    ms_free(s->ctx, &p->run[i].x);
  }
  ms_load_free(s->ctx, &p->load);
  ms_free(s->ctx, &p->run);
  ms_free(s->ctx, &p->weights);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

/* What the joint or the number of sensors limits; count is -1 where it is not given. */
static ms_status check_most(const ms_study *s, const ms_task *task, const char *key,
                            ptrdiff_t count, ptrdiff_t most) {
  if (count <= most) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, key), MS_ERR_BOUNDS,
                      "%s must be at most %td", key, most);
}

static ms_status set_up(ms_study *s, ms_task *task, const options *o, ms_force_state_product *p) {
  static const ms_force_state_setting usual = MS_FORCE_STATE_DEFAULT;
  static const ms_force_state_method methods[] = { MS_FORCE_STATE_EXACT, MS_FORCE_STATE_PLAIN };
  const ms_joint *joint = ms_structure_get_joint(s->structure, p->joint_index);
  const ms_numbers f = o->frequency;
  MS_TRY(check_most(s, task, "axes", o->axes, ms_joint_info(joint)->n_axis));
  MS_TRY(check_most(s, task, "modes", o->modes, p->n_sensor));
  p->has_normal = ms_joint_get_loaded_law(joint) != NULL;
  p->setting = usual;
  p->setting.method = methods[o->method];
  p->setting.periods = o->periods;
  p->setting.harmonics = (int)o->harmonics;
  p->setting.worst = o->worst;
  if (o->axes > 0) p->setting.axes = (int)o->axes;
  if (o->modes > 0) p->setting.modes = o->modes;
  if (o->modes > 0 && p->setting.method != MS_FORCE_STATE_PLAIN) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "modes"), MS_ERR_FORMAT,
                        "modes are those of method: plain; the exact one takes all");
  }
  if (f.n > 1 && f.n != p->n) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "frequency"), MS_ERR_FORMAT,
                        "frequency must be one for all, or one for each of the %td records", p->n);
  }
  for (ptrdiff_t i = 0; i < p->n && f.n > 0; i++) {
    p->run[i].omega = 6.28318530717958647693 * f.value[f.n == 1 ? 0 : i];
  }
  return MS_SUCCESS;
}

static ms_status check_options(ms_study *s, ms_task *task, const options *o,
                               ms_force_state_product *p) {
  p->joint = o->joint;
  MS_TRY(ms_study_find_joint(s, ms_yaml_get(task->node, "joint"), &p->joint_index));
  MS_TRY(ms_force_state_read_sources(s, task, o, p));
  MS_TRY(ms_force_state_read_sensors(s, o->sensors, p));
  MS_TRY(set_up(s, task, o, p));
  return ms_force_state_read_records(s, task, o, p);
}

static ms_status check(ms_study *s, ms_task *task) {
  ms_force_state_product *p;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  ms_status status = ms_options_read_own(s, task, &o);
  if (status == MS_SUCCESS) status = check_options(s, task, &o, p);
  ms_options_free(s->ctx, keys, N_KEYS, &o);
  return status;
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_force_state_product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    if (p->run[i].from == other) return 1;
  }
  return 0;
}

const ms_analysis ms_analysis_force_state = {
  .needs = needs,
  .name = "force_state",
  .meaning =
      "A joint's loop as an experiment finds it in a structure that is known but for the joint: "
      "from the force and a few sensors in steady vibration, harmonic by harmonic, with "
      "standard deviations due to noise. Means are lost.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = ms_force_state_analysis_run,
  .judge = ms_force_state_judge,
  .result = ms_force_state_fill_result,
  .close = close_product,
};
