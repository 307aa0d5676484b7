/* scatter: distributions of a joint's parameters from tests of many specimens. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/scatter/repeats.h"
#include "io/yaml/tables.h"
#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/scatter/scatter.h"

enum { MOST = 32 };

typedef ms_scatter_options options;

typedef struct parameter {
  double search[2], bounds[2];
  int family;
} parameter;

static const ms_param parameter_keys[] = {
  MS_PAIR(parameter, search, "-", MS_ANY, MS_REQUIRED, "values that a specimen may have"),
  MS_ROW_FAMILY(parameter),
  MS_ROW_BOUNDS(parameter),
};
static const ms_param_list parameter_list = MS_LIST_OF(parameter_keys);

static const ms_param parameters_keys[] = {
  MS_NAMED("PARAMETER", "[lowest, highest] or mapping", &parameter_list,
           "of the law, in its unit: values that a specimen may have"),
};

static const ms_param column_keys[] = {
  MS_WORD(options, specimen, MS_ELSE("specimen"), "its number"),
  MS_WORD(options, force, MS_ELSE("force"), "force amplitude"),
  MS_WORD(options, stiffness, MS_ELSE("stiffness"),
          "force over displacement between the turning points"),
  MS_WORD(options, dissipation, MS_ELSE("dissipation"), "energy dissipated per cycle"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_TASKS(options, assemblies, "calibrate", MS_OPTIONAL,
           "calibrations of repeated assemblies, one each, with the same parameters; without the "
           "other keys"),
  MS_ONE_LAW(options, MS_OPTIONAL,
             "of tests, required: of the structure, one law on one axis: its law, and its "
             "parameters that are not random"),
  MS_WORD(options, from, MS_OPTIONAL, "required: a table of tests, or an earlier specimens"),
  MS_MAPPING(options, columns, MS_ROWS(column_keys), MS_OPTIONAL,
             "of a table: the names of its columns"),
  MS_FORMS_WITH(options, parameters, "mapping", MS_ROWS(parameters_keys), MS_OPTIONAL,
                "required: parameters that are random"),
  MS_FORMS(options, separate, "true, false or list of words", MS_ELSE("none"),
           "parameters that have one value for the stiffness and another for the dissipation, e.g. "
           "[chi]; true: all. The displacement is that of the stiffness, the dissipated energy "
           "that of the other values at this displacement"),
  MS_NOISE(options, MS_ELSE("the residuals of the fits")),
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

static void close_product(ms_study *s, ms_task *task) {
  ms_scatter_analysis *a = task->product;
  ms_scatter_run_destroy(s->ctx, &a->result);
  ms_scatter_tests_destroy(s->ctx, &a->used.own);
  ms_scatter_tests_destroy(s->ctx, &a->fresh.own);
  ms_free(s->ctx, &a->parameter);
  ms_free(s->ctx, &a->option);
  ms_free(s->ctx, &a->repeated);
}

static double get_omega(const options *o) {
  return o->frequency > 0.0 ? 2.0 * MS_PI * o->frequency : 0.0;
}

/* The model on copies of the structure's joint. */
static ms_status open_model(const ms_study *s, const options *o, const ms_scatter_analysis *a,
                            ms_scatter **out) {
  return ms_scatter_create_copy(s->ctx, ms_structure_get_joint(s->structure, o->joint),
                                get_omega(o), a->n, a->parameter, out);
}

/* ---- parameters ---- */

/* [lowest, highest] alone, or a mapping. */
static ms_status read_parameter(const ms_study *s, struct fy_node *key, struct fy_node *value,
                                int joint, ms_scatter_analysis *a) {
  const char *name = ms_structure_get_joint_name(s->structure, joint);
  ms_scatter_parameter *q = &a->parameter[a->n];
  ms_scatter_option *o = &a->option[a->n++];
  parameter given = { .bounds = { (double)NAN, (double)NAN }, .family = -1 };
  const ms_param *param;
  double factor;
  MS_TRY(ms_scatter_read_param(s, key, joint, &param, &factor));
  MS_TRY(
      ms_yaml_is_mapping(value)
          ? ms_options_read(s, value, NULL, param->name, parameter_keys, parameter_list.n, &given)
          : ms_yaml_bounds(&s->yaml, value, &given.search[0], &given.search[1]));
  *q = (ms_scatter_parameter) { .name = o->is.name,
                                .param = param->name,
                                .lower = param->lower,
                                .upper = param->upper,
                                .least = factor * given.search[0],
                                .most = factor * given.search[1] };
  q->family = ms_random_take_family(given.family, given.bounds, factor, &q->lower, &q->upper);
  o->own = (ms_parameter_place) { joint, 0, param->name };
  o->is = (ms_joint_parameter) { o->key, param->unit, "", &o->own, 1 };
  snprintf(o->key, sizeof o->key, "%.250s.%.60s", name, param->name);
  snprintf(o->is.name, sizeof o->is.name, "%.60s of %.250s", param->name, name);
  return MS_SUCCESS;
}

/* The second value of a parameter that has two. */
static void add_separate(ms_scatter_analysis *a, ptrdiff_t i) {
  const ptrdiff_t k = a->n++;
  ms_scatter_option *o = &a->option[k];
  a->parameter[k] = a->parameter[i];
  *o = a->option[i];
  o->is.key = o->key;
  a->parameter[i].role = MS_SCATTER_STIFFNESS;
  a->parameter[k].role = MS_SCATTER_LOSS;
  snprintf(o->key + strlen(o->key), sizeof o->key - strlen(o->key), "/loss");
  snprintf(o->is.name + strlen(o->is.name), sizeof o->is.name - strlen(o->is.name), ", loss");
  a->parameter[k].name = o->is.name;
}

static ms_status read_separate(const ms_study *s, struct fy_node *node, ms_scatter_analysis *a) {
  const ptrdiff_t n = a->n;
  const int all = ms_yaml_is_word(node, "true");
  void *at = NULL;
  if (!all && !ms_yaml_is_sequence(node)) {
    if (ms_yaml_is_word(node, "false")) return MS_SUCCESS;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "separate is true, or a list of parameters such as [chi]");
  }
  for (ptrdiff_t i = 0; all && i < n; i++) add_separate(a, i);
  for (struct fy_node *item; !all && (item = ms_yaml_next_item(node, &at));) {
    const char *name;
    ptrdiff_t i = 0;
    MS_TRY(ms_yaml_text(&s->yaml, item, "separate", &name));
    while (i < n && (strcmp(a->parameter[i].param, name) != 0 || a->parameter[i].role)) i++;
    if (i == n) {
      return ms_yaml_fail(&s->yaml, item, MS_ERR_NAME, "'%.40s' is none of the parameters", name);
    }
    add_separate(a, i);
  }
  return MS_SUCCESS;
}

static ms_status read_parameters(const ms_study *s, const options *o, ms_scatter_analysis *a) {
  void *at = NULL;
  const ptrdiff_t count = ms_yaml_is_mapping(o->parameters) ? ms_yaml_count(o->parameters) : 0;
  if (count < 1 || count > MOST / 2) {
    return ms_yaml_fail(&s->yaml, o->parameters, MS_ERR_FORMAT,
                        "parameters are 1 to %d of parameter: [lowest, highest]", (int)MOST / 2);
  }
  MS_TRY(ms_allocate(s->ctx, 2 * count, sizeof *a->parameter, &a->parameter));
  MS_TRY(ms_allocate(s->ctx, 2 * count, sizeof *a->option, &a->option));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(o->parameters, &at, &key));) {
    MS_TRY(read_parameter(s, key, value, o->joint, a));
  }
  return o->separate ? read_separate(s, o->separate, a) : MS_SUCCESS;
}

/* ---- tests ---- */

/* Of key `key`: an earlier `specimens`, or else a table. */
static ms_status read_tests(const ms_study *s, const ms_task *task, const char *key,
                            const char *name, ms_test_source *out) {
  struct fy_node *node = ms_yaml_get(task->node, key);
  out->tests = &out->own;
  if (!name) return MS_SUCCESS;
  if (ms_find_earlier(s, task, name)) {
    MS_TRY(ms_study_find_task(s, task, node, "specimens", &out->from));
    out->tests = out->from->product;
    return MS_SUCCESS;
  }
  if (!strchr(name, '.')) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                        "there is no analysis '%.60s' before this one, and it is no file", name);
  }
  const options *o = task->options;
  const ms_units units = ms_study_joint_units(s, o->joint);
  const char *const column[] = { o->specimen, o->force, o->stiffness, o->dissipation };
  return ms_scatter_read_table(&s->yaml, &units, node, column, &out->own);
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_scatter_analysis *a = task->product;
  return a->used.from == other || a->fresh.from == other ||
         ms_keys_name(keys, sizeof keys / sizeof *keys, task->options, other);
}

/* ---- assemblies ---- */

/* Calibrations of the same parameters; these are then those of the first. */
static ms_status read_assemblies(const ms_study *s, const ms_task *task, const ms_task_list *list,
                                 ms_scatter_analysis *a) {
  const ms_calibrate *first = list->task[0]->product;
  struct fy_node *node = ms_yaml_get(task->node, "assemblies");
  MS_TRY(ms_yaml_check_keys(&s->yaml, task->node, "a scatter of assemblies", keys, 2));
  for (int k = 0; k < list->n; k++) {
    const ms_calibrate *c = list->task[k]->product;
    ptrdiff_t i = 0;
    while (i < c->n && c->n == first->n && !strcmp(c->parameter[i].key, first->parameter[i].key))
      i++;
    if (i == first->n && strcmp(c->method->name, "nsga2") != 0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                        i < first->n ? "%s has other parameters than %s, or another order of them"
                                     : "%s is a Pareto front, without standard errors",
                        list->task[k]->name, list->task[0]->name);
  }
  MS_TRY(ms_allocate(s->ctx, first->n, sizeof *a->parameter, &a->parameter));
  MS_TRY(ms_allocate(s->ctx, first->n, sizeof *a->option, &a->option));
  for (a->n = 0; a->n < first->n; a->n++) {
    ms_scatter_option *o = &a->option[a->n];
    o->is = first->parameter[a->n];
    const ms_param *p = ms_parameter_place_param(s->structure, o->is.place);
    snprintf(o->key, sizeof o->key, "%s", o->is.key);
    a->parameter[a->n] = (ms_scatter_parameter) {
      .name = o->is.name, .param = p->name, .lower = p->lower, .upper = p->upper
    };
  }
  return MS_SUCCESS;
}

static ms_status run_assemblies(ms_study *s, const ms_task_list *list, ms_scatter_analysis *a) {
  ms_scatter_estimate *of;
  MS_TRY(ms_allocate(s->ctx, list->n, sizeof *of, &of));
  for (int k = 0; k < list->n && ms_study_is_first(s); k++) {
    const ms_calibrate *c = list->task[k]->product;
    const ms_fit_judgement *j = &c->fits->best.judgement;
    of[k] = (ms_scatter_estimate) { c->solution[0].p, j->covariance, j->determined };
  }
  ms_status status = ms_scatter_share_estimates(s->ctx, ms_study_is_first(s), list->n, of, a->n,
                                                a->parameter, &a->result.found);
  ms_free(s->ctx, &of);
  return status;
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_scatter_analysis *a = task->product;
  ms_scatter *trial = NULL;
  a->used.tests = &a->used.own;
  if (o->assemblies.n > 0) return read_assemblies(s, task, &o->assemblies, a);
  if (o->joint < 0 || !o->from || !o->parameters) {
    return ms_yaml_fail(&s->yaml, task->key, MS_ERR_NAME,
                        "scatter needs joint, from and parameters; or assemblies");
  }
  MS_TRY(read_parameters(s, o, a));
  MS_TRY(read_tests(s, task, "from", o->from, &a->used));
  MS_TRY(read_tests(s, task, "fresh", o->fresh, &a->fresh));
  ms_status status = open_model(s, o, a, &trial); /* says what is wrong now */
  ms_scatter_destroy(&trial);
  return ms_yaml_fail_here(&s->yaml, o->parameters, status);
}

/* ---- the run ---- */

static ms_scatter_setting setting_of(const options *o) {
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  memcpy(setting.noise, o->noise, sizeof o->noise);
  setting.draws = o->draws;
  setting.starts = o->starts;
  setting.seed = (uint64_t)o->seed;
  return setting;
}

/* Every process identifies, which is a function of the seed, and takes a share of the repetitions.
 */
static ms_status run(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const ms_scatter_setting setting = setting_of(o);
  ms_scatter_analysis *a = task->product;
  const ptrdiff_t n = o->repetitions > 0 ? o->repetitions * MS_SCATTER_REPEAT_WIDTH(a->n) : 0;
  ms_scatter *model = NULL;
  if (o->assemblies.n > 0) return run_assemblies(s, &o->assemblies, a);
  ms_status status = open_model(s, o, a, &model);
  if (!status) {
    status = ms_scatter_run(model, a->used.tests, a->fresh.tests, &setting, o->samples, &a->result);
  }
  if (!status && n > 0) status = ms_allocate(s->ctx, n, sizeof *a->repeated, &a->repeated);
  ms_scatter_destroy(&model);
  if (status) ms_fail_at(s->ctx, status, "%s", task->name);
  MS_TRY(ms_context_agree(s->ctx, status));
  if (n == 0) return MS_SUCCESS;
  const ms_crew crew = ms_study_crew(s);
  ms_scatter_repeats repeats = { .joint = o->joint,
                                 .omega = get_omega(o),
                                 .n = a->n,
                                 .parameter = a->parameter,
                                 .tests = a->used.tests,
                                 .found = &a->result.found,
                                 .setting = setting,
                                 .count = o->repetitions,
                                 .values = a->repeated };
  return ms_scatter_share_repeats(&crew, task->name, &repeats);
}

const ms_analysis ms_analysis_scatter = {
  .needs = needs,
  .name = "scatter",
  .title = "Scatter of joint parameters",
  .meaning =
      "Distributions of a joint's parameters over repeated assemblies, from stiffness and "
      "dissipation against force of many specimens, by approximate maximum likelihood; "
      "bands of 5 to 95 % for new joints.",
  MS_KEYS(keys, options, ms_scatter_analysis),
  .check = check,
  .run = run,
  .help = run,
  .result = ms_scatter_fill_result,
  .close = close_product,
};
