/* scatter: distributions of a joint's parameters from tests of many specimens. */
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

static const ms_param keys[] = {
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

static void close_product(ms_study *s, ms_task *task) {
  ms_scatter_analysis *a = task->product;
  ms_scatter_run_destroy(s->ctx, &a->result);
  ms_scatter_tests_destroy(s->ctx, &a->used.own);
  ms_scatter_tests_destroy(s->ctx, &a->fresh.own);
  ms_free(s->ctx, &a->parameter);
  ms_free(s->ctx, &a->option);
  ms_free(s->ctx, &a->repeated);
  ms_free(s->ctx, &task->product);
}

/* The model on copies of the structure's joint. */
static ms_status open_model(ms_context *ctx, const ms_structure *structure,
                            const ms_scatter_analysis *a, ms_scatter **out) {
  return ms_scatter_create_copy(ctx, ms_structure_get_joint(structure, a->joint), a->omega, a->n,
                                a->parameter, out);
}

/* ---- parameters ---- */

/* [lowest, highest] alone, or a mapping. */
static ms_status read_parameter(const ms_study *s, struct fy_node *key, struct fy_node *value,
                                ms_scatter_analysis *a) {
  const char *joint = ms_structure_get_joint_name(s->structure, a->joint);
  ms_scatter_parameter *q = &a->parameter[a->n];
  ms_scatter_option *o = &a->option[a->n++];
  parameter given = { .bounds = { (double)NAN, (double)NAN }, .family = -1 };
  const ms_param *param;
  double factor;
  MS_TRY(ms_scatter_read_param(s, key, a->joint, &param, &factor));
  MS_TRY(
      ms_yaml_is_mapping(value)
          ? ms_options_read(s, value, NULL, param->name, parameter_keys, N_PARAMETER_KEYS, &given)
          : ms_yaml_bounds(&s->yaml, value, &given.search[0], &given.search[1]));
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

/* ---- the rest ---- */

static ms_status check_options(ms_study *s, ms_task *task, const options *o,
                               ms_scatter_analysis *a) {
  struct fy_node *node = task->node;
  ms_scatter *trial = NULL;
  a->setting = (ms_scatter_setting)MS_SCATTER_DEFAULT;
  a->setting.draws = o->draws;
  a->setting.starts = o->starts;
  a->setting.seed = (uint64_t)o->seed;
  a->samples = o->samples;
  a->repetitions = o->repetitions > 0 ? o->repetitions : 0;
  a->omega = o->frequency > 0.0 ? 6.28318530717958647693 * o->frequency : 0.0;
  MS_TRY(ms_scatter_read_joint(s, ms_yaml_get(node, "joint"), &a->joint));
  MS_TRY(read_parameters(s, o->parameters, o->separate, a));
  MS_TRY(ms_scatter_take_noise(s, ms_yaml_get(node, "noise"), &o->noise, a->setting.noise));
  MS_TRY(ms_scatter_read_tests(s, task, "from", a->joint, &a->used));
  MS_TRY(ms_scatter_read_tests(s, task, "fresh", a->joint, &a->fresh));
  ms_status status = open_model(s->ctx, s->structure, a, &trial); /* says what is wrong now */
  ms_scatter_destroy(&trial);
  return status ? ms_yaml_fail_here(&s->yaml, ms_yaml_get(node, "parameters"), status) : status;
}

static ms_status check(ms_study *s, ms_task *task) {
  ms_scatter_analysis *a;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *a, &a));
  task->product = a;
  ms_status status = ms_options_read_own(s, task, &o);
  if (status == MS_SUCCESS) status = check_options(s, task, &o, a);
  ms_options_free(s->ctx, keys, sizeof keys / sizeof *keys, &o);
  return status;
}

/* ---- the run ---- */

static ms_status identify(ms_study *s, ms_scatter_analysis *a) {
  ms_scatter *model;
  if (a->used.from) a->used.tests = a->used.from->product;
  if (a->fresh.from) a->fresh.tests = a->fresh.from->product;
  MS_TRY(open_model(s->ctx, s->structure, a, &model));
  ms_status status =
      ms_scatter_run(model, a->used.tests, a->fresh.tests, &a->setting, a->samples, &a->result);
  ms_scatter_destroy(&model);
  return status;
}

/* ---- repetitions: over threads and processes ---- */

static ms_status repeat_one(ms_worker *w, ptrdiff_t job, void *user) {
  const ms_scatter_analysis *a = user;
  const ms_scatter_result *r = &a->result.found;
  ms_scatter *model;
  MS_TRY(open_model(w->ctx, w->structure, a, &model));
  ms_status status = ms_scatter_repeat(model, a->used.tests, r->distribution, r->noise, &a->setting,
                                       job, a->repeated + MS_SCATTER_REPEAT_WIDTH(a->n) * job);
  ms_scatter_destroy(&model);
  return status;
}

static ptrdiff_t save_one(const void *user, ptrdiff_t job, double *values) {
  const ms_scatter_analysis *a = user;
  const ptrdiff_t n = MS_SCATTER_REPEAT_WIDTH(a->n);
  if (values) memcpy(values, a->repeated + n * job, (size_t)n * sizeof *values);
  return n;
}

static ms_status load_one(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  ms_scatter_analysis *a = user;
  if (n != MS_SCATTER_REPEAT_WIDTH(a->n)) return ms_fail(ctx, MS_ERR_FORMAT, "no such repetition");
  memcpy(a->repeated + n * job, values, (size_t)n * sizeof *values);
  return MS_SUCCESS;
}

/* What the others of several processes lack: the tests of `specimens`, and what was found. */
static ms_status make_room(ms_study *s, ms_scatter_analysis *a, ptrdiff_t rows) {
  ms_distribution **d = &a->result.found.distribution;
  double *none;
  if (!ms_study_is_first(s) && !a->used.own.force) {
    MS_TRY(ms_allocate(s->ctx, rows, sizeof *none, &none));
    ms_status status =
        ms_scatter_tests_create(s->ctx, rows, none, none, NULL, NULL, NULL, &a->used.own);
    ms_free(s->ctx, &none);
    MS_TRY(status);
  }
  if (!*d) MS_TRY(ms_allocate(s->ctx, a->n, sizeof **d, d));
  return ms_allocate(s->ctx, a->repetitions * MS_SCATTER_REPEAT_WIDTH(a->n), sizeof *a->repeated,
                     &a->repeated);
}

/* Every process. */
static ms_status repeat(ms_study *s, const ms_task *task, ms_scatter_analysis *a) {
  const ms_jobs jobs = {
    .n = a->repetitions, .run = repeat_one, .save = save_one, .load = load_one, .user = a
  };
  ms_scatter_result *r = &a->result.found;
  ptrdiff_t size[2] = { a->used.tests->n, a->used.tests->n_specimen };
  if (a->repetitions == 0) return MS_SUCCESS;
  MS_TRY(ms_study_share(s, 0, size, sizeof size));
  MS_TRY(ms_context_agree(s->ctx, make_room(s, a, size[0])));
  ms_scatter_tests t = *a->used.tests; /* whose arrays are shared */
  MS_TRY(ms_study_share(s, 0, t.specimen, (size_t)size[0] * sizeof *t.specimen));
  MS_TRY(ms_study_share(s, 0, t.force, (size_t)size[0] * sizeof *t.force));
  MS_TRY(ms_study_share(s, 0, r->noise, sizeof r->noise));
  MS_TRY(ms_study_share(s, 0, r->distribution, (size_t)a->n * sizeof *r->distribution));
  if (!ms_study_is_first(s)) a->used.own.n = size[0], a->used.own.n_specimen = size[1];
  return ms_pool_share_jobs(s, task->name, &jobs);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_scatter_analysis *a = task->product;
  ms_status status = identify(s, a);
  if (status != MS_SUCCESS) ms_fail_at(s->ctx, status, "%s", task->name);
  MS_TRY(ms_context_agree(s->ctx, status));
  return repeat(s, task, a);
}

/* The others wait for what is found, and share the repetitions. */
static ms_status help(ms_study *s, ms_task *task) {
  MS_TRY(ms_context_agree(s->ctx, MS_SUCCESS));
  return repeat(s, task, task->product);
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_scatter_analysis *a = task->product;
  return a->used.from == other || a->fresh.from == other;
}

const ms_analysis ms_analysis_scatter = {
  .needs = needs,
  .name = "scatter",
  .meaning =
      "Distributions of a joint's parameters over repeated assemblies, from stiffness and "
      "dissipation against force of many specimens, by approximate maximum likelihood; "
      "bands of 5 to 95 % for new joints.",
  .keys = keys,
  .n_keys = sizeof keys / sizeof *keys,
  .check = check,
  .run = run,
  .help = help,
  .result = ms_scatter_fill_result,
  .close = close_product,
};
