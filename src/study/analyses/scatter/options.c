/* Options of `scatter`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/scatter/random_joints.h"
#include "study/analyses/scatter/scatter.h"

enum { MOST = 32 };

typedef struct options {
  const char *joint, *from, *fresh;
  struct fy_node *columns, *parameters, *separate;
  ms_numbers noise;
  double frequency;
  ptrdiff_t draws, starts, samples, repetitions, seed;
} options;

typedef struct parameter {
  double search[2], bounds[2];
  int family;
} parameter;

static const ms_param parameter_keys[] = {
  MS_PAIR(parameter, search, "-", MS_ANY, MS_REQUIRED, "values that a specimen may have"),
  MS_ROW_FAMILY(parameter),
  MS_ROW_BOUNDS(parameter),
};
enum { N_PARAMETER_KEYS = sizeof parameter_keys / sizeof *parameter_keys };
static const ms_param_list parameter_list = MS_LIST_OF(parameter_keys);

/* For help and manual: any number of these. */
static const ms_param parameters_keys[] = {
  { .name = "PARAMETER",
    .kind = MS_PARAM_FORMS,
    .forms = "[lowest, highest] or mapping",
    .keys = &parameter_list,
    .meaning = "of the law, in its unit: values that a specimen may have" },
};
static const ms_param_list parameters_list = MS_LIST_OF(parameters_keys);

const ms_param ms_scatter_keys[MS_SCATTER_KEYS] = {
  MS_KEY_NAME,
  MS_WORD(options, joint, MS_REQUIRED,
          "of the structure, one law on one axis: its law, and its parameters that are not random"),
  MS_WORD(options, from, MS_REQUIRED, "a table of tests, or an earlier specimens"),
  MS_FORMS_WITH(options, columns, "mapping", ms_scatter_columns, MS_OPTIONAL,
                "of a table: the names of its columns"),
  MS_FORMS_WITH(options, parameters, "mapping", parameters_list, MS_REQUIRED,
                "parameters that are random"),
  MS_FORMS(options, separate, "true or list", MS_ELSE("none"),
           "parameters that have one value for the stiffness and another for the dissipation, e.g. "
           "[chi]; true: all. The displacement is that of the stiffness, the dissipated energy "
           "that of the other values at this displacement"),
  MS_NUMBERS(options, noise, "-", MS_POSITIVE, MS_ELSE("the residuals of the fits"),
             "relative standard deviation: of both, or [of stiffness, of dissipation]"),
  MS_NUMBER(options, frequency, "Hz", MS_POSITIVE, MS_ELSE("none"),
            "of the cycles, for laws that know a rate"),
  MS_COUNT(options, draws, MS_FROM(8), MS_DEFAULT(400),
           "of each specimen's parameters, for the likelihood"),
  MS_COUNT(options, starts, MS_FROM(1), MS_DEFAULT(6), "of each specimen's fit"),
  MS_COUNT(options, samples, MS_FROM(100), MS_DEFAULT(2000), "random joints for the bands"),
  MS_COUNT(options, repetitions, MS_FROM(2), MS_ELSE("none"),
           "how often the identification is repeated on synthetic tests of what was found, to see "
           "how often intervals cover"),
  MS_WORD(options, fresh, MS_OPTIONAL,
          "tests that are not used, but counted against the bands: a table or specimens"),
  MS_COUNT(options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1), "of the random numbers"),
};

/* ---- parameters ---- */

/* [lowest, highest] alone, or a mapping. */
static ms_status read_search(const ms_study *s, struct fy_node *node, const char *name,
                             parameter *o) {
  if (ms_yaml_is_mapping(node)) {
    return ms_options_read(s, node, NULL, name, parameter_keys, N_PARAMETER_KEYS, o);
  }
  *o = (parameter) { .bounds = { (double)NAN, (double)NAN }, .family = -1 };
  return ms_yaml_bounds(&s->yaml, node, &o->search[0], &o->search[1]);
}

static ms_status read_parameter(const ms_study *s, struct fy_node *key, struct fy_node *value,
                                ms_scatter_analysis *a) {
  const char *joint = ms_structure_get_joint_name(s->structure, a->joint);
  ms_scatter_parameter *q = &a->parameter[a->n];
  ms_scatter_option *o = &a->option[a->n++];
  parameter given = { 0 };
  const ms_param *param;
  double factor;
  MS_TRY(ms_scatter_read_param(s, key, a->joint, &param, &factor));
  MS_TRY(read_search(s, value, param->name, &given));
  *q = (ms_scatter_parameter) { .name = o->name,
                                .param = param->name,
                                .lower = param->lower,
                                .upper = param->upper,
                                .least = factor * given.search[0],
                                .most = factor * given.search[1] };
  q->family = ms_random_take_family(given.family, given.bounds, factor, &q->lower, &q->upper);
  o->unit = param->unit;
  snprintf(o->key, sizeof o->key, "%.250s.%.60s", joint, param->name);
  snprintf(o->name, sizeof o->name, "%.60s of %.250s", param->name, joint);
  return MS_SUCCESS;
}

/* The second value of a parameter that has two. */
static void add_separate(ms_scatter_analysis *a, ptrdiff_t i) {
  const ptrdiff_t k = a->n++;
  ms_scatter_option *o = &a->option[k];
  a->parameter[k] = a->parameter[i];
  *o = a->option[i];
  a->parameter[i].role = MS_SCATTER_STIFFNESS;
  a->parameter[k].role = MS_SCATTER_LOSS;
  snprintf(o->key + strlen(o->key), sizeof o->key - strlen(o->key), "/loss");
  snprintf(o->name + strlen(o->name), sizeof o->name - strlen(o->name), ", loss");
  a->parameter[k].name = o->name;
  a->n_separate++;
}

static ms_status separate_one(const ms_study *s, struct fy_node *node, ptrdiff_t n,
                              ms_scatter_analysis *a) {
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, node, "separate", &name));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (strcmp(a->parameter[i].param, name) != 0 || a->parameter[i].role != MS_SCATTER_BOTH)
      continue;
    add_separate(a, i);
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "'%.40s' is none of the parameters", name);
}

static ms_status read_separate(const ms_study *s, struct fy_node *node, ms_scatter_analysis *a) {
  const ptrdiff_t n = a->n;
  const char *word = "";
  void *at = NULL;
  if (!node) return MS_SUCCESS;
  if (ms_yaml_is_sequence(node)) {
    for (struct fy_node *item; (item = ms_yaml_next_item(node, &at));) {
      MS_TRY(separate_one(s, item, n, a));
    }
    return MS_SUCCESS;
  }
  MS_TRY(ms_yaml_text(&s->yaml, node, "separate", &word));
  for (ptrdiff_t i = 0; i < n && strcmp(word, "true") == 0; i++) add_separate(a, i);
  if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                      "separate is true, or a list of parameters such as [chi]");
}

static ms_status read_parameters(const ms_study *s, struct fy_node *node, struct fy_node *separate,
                                 ms_scatter_analysis *a) {
  void *at = NULL;
  const ptrdiff_t count = ms_yaml_is_mapping(node) ? ms_yaml_count(node) : 0;
  if (count < 1 || count > MOST / 2) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "parameters are 1 to %d of parameter: [lowest, highest]", (int)MOST / 2);
  }
  MS_TRY(ms_allocate(s->ctx, 2 * count, sizeof *a->parameter, &a->parameter));
  MS_TRY(ms_allocate(s->ctx, 2 * count, sizeof *a->option, &a->option));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    MS_TRY(read_parameter(s, key, value, a));
  }
  return read_separate(s, separate, a);
}

/* ---- tests ---- */

/* `specimens` of that name, or else a table. */
static ms_status read_source(ms_study *s, const ms_task *task, struct fy_node *node, int joint,
                             ms_test_source *out) {
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, node, "from", &name));
  for (const ms_task *t = task - 1; t >= s->task; t--) {
    if (strcmp(t->name, name) == 0)
      return ms_study_find_task(s, task, node, "specimens", &out->from);
  }
  if (strchr(name, '.')) {
    return ms_test_table_read(s, node, ms_yaml_get(task->node, "columns"), joint, &out->tests);
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                      "there is no analysis '%.60s' before this one, and it is no file", name);
}

/* ---- the rest ---- */

static ms_status set_up(const ms_study *s, const ms_task *task, const options *o,
                        ms_scatter_analysis *a) {
  const double two_pi = 6.28318530717958647693;
  a->setting = (ms_scatter_setting)MS_SCATTER_DEFAULT;
  a->setting.draws = o->draws;
  a->setting.starts = o->starts;
  a->setting.seed = (uint64_t)o->seed;
  a->samples = o->samples;
  a->repetitions = o->repetitions > 0 ? o->repetitions : 0;
  a->omega = o->frequency > 0.0 ? two_pi * o->frequency : 0.0;
  return ms_scatter_take_noise(s, ms_yaml_get(task->node, "noise"), &o->noise, a->setting.noise);
}

/* Whatever is wrong with the parameters is said now. */
static ms_status try_model(const ms_study *s, const ms_task *task, const ms_scatter_analysis *a) {
  ms_scatter_model trial = { 0 };
  ms_status status = ms_scatter_open_model(s->ctx, s->structure, a, &trial);
  ms_scatter_close_model(&trial);
  if (status == MS_SUCCESS) return status;
  return ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, "parameters"), status);
}

static ms_status check_options(ms_study *s, ms_task *task, const options *o,
                               ms_scatter_analysis *a) {
  struct fy_node *node = task->node;
  MS_TRY(ms_scatter_read_joint(s, ms_yaml_get(node, "joint"), &a->joint));
  MS_TRY(read_parameters(s, o->parameters, o->separate, a));
  MS_TRY(set_up(s, task, o, a));
  MS_TRY(read_source(s, task, ms_yaml_get(node, "from"), a->joint, &a->used));
  if (o->fresh) MS_TRY(read_source(s, task, ms_yaml_get(node, "fresh"), a->joint, &a->fresh));
  return try_model(s, task, a);
}

ms_status ms_scatter_check(ms_study *s, ms_task *task) {
  ms_scatter_analysis *a;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *a, &a));
  task->product = a;
  ms_status status = ms_options_read_task(s, task, &o);
  if (status == MS_SUCCESS) status = check_options(s, task, &o, a);
  ms_options_free(s->ctx, ms_scatter_keys, MS_SCATTER_KEYS, &o);
  return status;
}
