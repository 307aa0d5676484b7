/* force_state: the loop of a joint from the force that drives the structure and what a few sensors
   see, in steady vibration: options. Reads transients or files. */
#include "study/analyses/force_state.h"

#include <stdio.h>
#include <string.h>

static const ms_param keys[] = {
  MS_KEY("name", "word", "of this analysis", 0),
  MS_KEY("joint", "word", "whose loop is sought; all others are taken as stuck", 1),
  MS_KEY("from", "word or list", "transients to read; the last one", 0),
  MS_KEY("files", "word or list", "records to read instead, .csv or .uff", 0),
  MS_KEY("load", "word or mapping", "of files: where the force acts, or the name of a load", 0),
  MS_KEY("force", "word", "channel of the force in files; force", 0),
  MS_KEY("sensors", "list or mapping",
         "channels of the transients, or {coordinate: channel of files}", 1),
  MS_KEY("frequency", "number or list", "of the vibration, Hz; one for all or one for each", 0),
  MS_KEY("periods", "number", "at the end of the record; 4", 0),
  MS_KEY("harmonics", "number", "9", 0),
  MS_KEY("method", "word", "exact (default) or plain", 0),
  MS_KEY("modes", "number", "plain: how many; as many as sensors", 0),
  MS_KEY("axes", "number", "of the joint that are sought; all, or as many as sensors", 0),
  MS_KEY("worst", "number", "noise of a harmonic at which it is left out; 0.05", 0),
};

enum { N_KEYS = sizeof keys / sizeof *keys, MOST_HARMONICS = 200 };

static void close_product(ms_study *s, ms_task *task) {
  ms_force_state_product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n && p->run; i++) {
    ms_force_state_free(s->ctx, &p->run[i].found);
    ms_hysteresis_free(s->ctx, &p->run[i].own);
    ms_free(s->ctx, &p->run[i].x);
  }
  ms_load_free(s->ctx, &p->load);
  ms_free(s->ctx, &p->run);
  ms_free(s->ctx, &p->weights);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_joint(ms_study *s, ms_task *task, ms_force_state_product *p) {
  struct fy_node *node = ms_yaml_get(task->node, "joint");
  MS_TRY(ms_yaml_text(&s->yaml, node, "joint", &p->joint));
  for (int j = 0; j < ms_structure_count_joints(s->structure); j++) {
    if (strcmp(ms_structure_get_joint_name(s->structure, j), p->joint) != 0) continue;
    p->joint_index = j;
    p->has_normal = ms_joint_get_loaded_law(ms_structure_get_joint(s->structure, j)) != NULL;
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "there is no joint '%s'", p->joint);
}

static ms_status read_frequencies(ms_study *s, ms_task *task, ms_force_state_product *p) {
  const double two_pi = 6.28318530717958647693;
  struct fy_node *node = ms_yaml_get(task->node, "frequency");
  double *value;
  ptrdiff_t n;
  ms_status status = MS_SUCCESS;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "frequency", &value, &n));
  if (n != 1 && n != p->n) {
    status =
        ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                     "frequency must be one for all, or one for each of the %td records", p->n);
  }
  for (ptrdiff_t i = 0; i < p->n && status == MS_SUCCESS; i++) {
    const double f = value[n == 1 ? 0 : i];
    p->run[i].omega = two_pi * f;
    if (f > 0.0) continue;
    status = ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "frequency %g must be > 0", f);
  }
  ms_free(s->ctx, &value);
  return status;
}

static ms_status read_count(const ms_study *s, const ms_task *task, const char *key, ptrdiff_t most,
                            ptrdiff_t *out) {
  struct fy_node *node = ms_yaml_get(task->node, key);
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_count_value(&s->yaml, node, key, 1, out));
  if (*out <= most) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "%s must be at most %td", key, most);
}

static ms_status read_setting(ms_study *s, ms_task *task, ms_force_state_product *p) {
  static const ms_force_state_setting usual = MS_FORCE_STATE_DEFAULT;
  struct fy_node *method = ms_yaml_get(task->node, "method");
  struct fy_node *worst = ms_yaml_get(task->node, "worst");
  ms_joint *joint = ms_structure_get_joint(s->structure, p->joint_index);
  ptrdiff_t H = usual.harmonics, axes = usual.axes;
  const char *word;
  p->setting = usual;
  if (method) {
    MS_TRY(ms_yaml_text(&s->yaml, method, "method", &word));
    ms_status status = ms_force_state_parse_method(s->ctx, word, &p->setting.method);
    if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, method, status);
  }
  MS_TRY(read_count(s, task, "periods", PTRDIFF_MAX, &p->setting.periods));
  MS_TRY(read_count(s, task, "harmonics", MOST_HARMONICS, &H));
  MS_TRY(read_count(s, task, "axes", ms_joint_info(joint)->n_axis, &axes));
  MS_TRY(read_count(s, task, "modes", p->n_sensor, &p->setting.modes));
  if (worst) MS_TRY(ms_yaml_positive(&s->yaml, worst, "worst", &p->setting.worst));
  p->setting.harmonics = (int)H;
  p->setting.axes = (int)axes;
  if (p->setting.modes == 0 || p->setting.method == MS_FORCE_STATE_PLAIN) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "modes"), MS_ERR_FORMAT,
                      "modes are those of method: plain; the exact one takes all");
}

static ms_status check(ms_study *s, ms_task *task) {
  ms_force_state_product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  MS_TRY(
      ms_yaml_check_keys(&s->yaml, task->node ? task->node : task->key, task->name, keys, N_KEYS));
  MS_TRY(read_joint(s, task, p));
  MS_TRY(ms_force_state_read_sources(s, task, p));
  MS_TRY(ms_force_state_read_sensors(s, task, p));
  MS_TRY(read_setting(s, task, p));
  MS_TRY(read_frequencies(s, task, p));
  return ms_force_state_read_records(s, task, p);
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
      "A joint's loop as an experiment finds it in a structure that is known but for the "
      "joint: from the force and a few sensors in steady vibration, harmonic by harmonic, "
      "with the deviations that noise makes. Means are lost.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = ms_force_state_analysis_run,
  .judge = ms_force_state_judge,
  .summarise = ms_force_state_summarise,
  .report = ms_force_state_report,
  .close = close_product,
};
