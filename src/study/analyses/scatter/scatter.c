/* scatter: distributions of a joint's parameters from tests of many specimens. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "io/yaml/tables.h"
#include "study/analyses/scatter/scatter.h"

enum { MOST = 32, SPECIMEN = 0, FORCE, STIFFNESS, DISSIPATION, N_COLUMNS };

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

/* For help and manual: any number of these. */
static const ms_param parameters_keys[] = {
  { .name = "PARAMETER",
    .kind = MS_PARAM_FORMS,
    .forms = "[lowest, highest] or mapping",
    .keys = &parameter_list,
    .meaning = "of the law, in its unit: values that a specimen may have" },
};
static const ms_param_list parameters_list = MS_LIST_OF(parameters_keys);

static const ms_param column_keys[N_COLUMNS] = {
  MS_WORD(options, specimen, MS_ELSE("specimen"), "its number"),
  MS_WORD(options, force, MS_ELSE("force"), "force amplitude"),
  MS_WORD(options, stiffness, MS_ELSE("stiffness"),
          "force over displacement between the turning points"),
  MS_WORD(options, dissipation, MS_ELSE("dissipation"), "energy dissipated per cycle"),
};
static const ms_param_list column_list = MS_LIST_OF(column_keys);

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ONE_LAW(
      options,
      "of the structure, one law on one axis: its law, and its parameters that are not random"),
  MS_WORD(options, from, MS_REQUIRED, "a table of tests, or an earlier specimens"),
  MS_MAPPING(options, columns, column_list, MS_OPTIONAL, "of a table: the names of its columns"),
  MS_FORMS_WITH(options, parameters, "mapping", parameters_list, MS_REQUIRED,
                "parameters that are random"),
  MS_FORMS(options, separate, "true or list", MS_ELSE("none"),
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

/* The model on copies of the structure's joint. */
static ms_status open_model(ms_context *ctx, const ms_structure *structure, const ms_task *task,
                            ms_scatter **out) {
  const options *o = task->options;
  const ms_scatter_analysis *a = task->product;
  return ms_scatter_create_copy(ctx, ms_structure_get_joint(structure, o->joint),
                                o->frequency > 0.0 ? 2.0 * MS_PI * o->frequency : 0.0, a->n,
                                a->parameter, out);
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
  *q = (ms_scatter_parameter) { .name = o->name,
                                .param = param->name,
                                .lower = param->lower,
                                .upper = param->upper,
                                .least = factor * given.search[0],
                                .most = factor * given.search[1] };
  q->family = ms_random_take_family(given.family, given.bounds, factor, &q->lower, &q->upper);
  o->unit = param->unit;
  snprintf(o->key, sizeof o->key, "%.250s.%.60s", name, param->name);
  snprintf(o->name, sizeof o->name, "%.60s of %.250s", param->name, name);
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

static ms_status take_table(const ms_study *s, struct fy_node *file, const options *o,
                            const ms_table *table, ms_scatter_tests *t) {
  const ms_units units = ms_study_joint_units(s, o->joint);
  const int ours = ms_table_is_ours(table);
  const double force = ours ? 1.0 : units.force, length = ours ? 1.0 : units.length;
  const ptrdiff_t n = ms_table_get_rows(table);
  const char *const given[N_COLUMNS] = { o->specimen, o->force, o->stiffness, o->dissipation };
  const double *column[N_COLUMNS];
  int *row;
  for (int i = 0; i < N_COLUMNS; i++) {
    const char *name = given[i] ? given[i] : column_keys[i].name;
    column[i] = ms_table_get_column(table, name);
    if (column[i]) continue;
    return ms_yaml_fail(&s->yaml, file, MS_ERR_NAME,
                        "the table has no column '%s'; name the columns with columns: {specimen: "
                        "..., force: ..., stiffness: ..., dissipation: ...}",
                        name);
  }
  MS_TRY(ms_allocate(s->ctx, n, sizeof *row, &row));
  for (ptrdiff_t i = 0; i < n; i++) row[i] = (int)ms_table_get_line(table, i);
  ms_status status = ms_scatter_tests_create(s->ctx, n, column[SPECIMEN], column[FORCE],
                                             column[STIFFNESS], column[DISSIPATION], row, t);
  ms_free(s->ctx, &row);
  for (ptrdiff_t i = 0; i < n && !status; i++) {
    t->force[i] *= force;
    t->stiffness[i] *= force / length;
    t->loss[i] *= force * length;
  }
  const ms_scatter_data data = ms_scatter_tests_view(t);
  if (!status) status = ms_scatter_check_data(s->ctx, &data);
  return ms_yaml_fail_here(&s->yaml, file, status);
}

/* Of key `key`: an earlier `specimens`, or else a table. */
static ms_status read_tests(const ms_study *s, const ms_task *task, const char *key,
                            const char *name, ms_test_source *out) {
  struct fy_node *node = ms_yaml_get(task->node, key);
  ms_table *table = NULL;
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
  MS_TRY(ms_yaml_open_table(&s->yaml, node, &table));
  ms_status status = take_table(s, node, task->options, table, &out->own);
  ms_table_destroy(&table);
  return status;
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_scatter_analysis *a = task->product;
  return a->used.from == other || a->fresh.from == other;
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_scatter_analysis *a = task->product;
  ms_scatter *trial = NULL;
  MS_TRY(read_parameters(s, o, a));
  MS_TRY(read_tests(s, task, "from", o->from, &a->used));
  MS_TRY(read_tests(s, task, "fresh", o->fresh, &a->fresh));
  ms_status status = open_model(s->ctx, s->structure, task, &trial); /* says what is wrong now */
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

static ms_status repeat_one(ms_worker *w, ptrdiff_t job, void *user) {
  const ms_task *task = user;
  const ms_scatter_setting setting = setting_of(task->options);
  const ms_scatter_analysis *a = task->product;
  const ms_scatter_result *r = &a->result.found;
  ms_scatter *model;
  MS_TRY(open_model(w->ctx, w->structure, task, &model));
  ms_status status = ms_scatter_repeat(model, a->used.tests, r->distribution, r->noise, &setting,
                                       job, a->repeated + MS_SCATTER_REPEAT_WIDTH(a->n) * job);
  ms_scatter_destroy(&model);
  return status;
}

static ptrdiff_t save_one(const void *user, ptrdiff_t job, double *values) {
  const ms_scatter_analysis *a = ((const ms_task *)user)->product;
  const ptrdiff_t n = MS_SCATTER_REPEAT_WIDTH(a->n);
  if (values) memcpy(values, a->repeated + n * job, (size_t)n * sizeof *values);
  return n;
}

static ms_status load_one(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  ms_scatter_analysis *a = ((ms_task *)user)->product;
  if (n != MS_SCATTER_REPEAT_WIDTH(a->n)) return ms_fail(ctx, MS_ERR_FORMAT, "no such repetition");
  memcpy(a->repeated + n * job, values, (size_t)n * sizeof *values);
  return MS_SUCCESS;
}

/* Every process identifies, which is a function of the seed, and takes a share of the repetitions.
 */
static ms_status run(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const ms_scatter_setting setting = setting_of(o);
  const ms_jobs jobs = {
    .n = o->repetitions, .run = repeat_one, .save = save_one, .load = load_one, .user = task
  };
  ms_scatter_analysis *a = task->product;
  const ptrdiff_t n = o->repetitions > 0 ? o->repetitions * MS_SCATTER_REPEAT_WIDTH(a->n) : 0;
  ms_scatter *model = NULL;
  ms_status status = open_model(s->ctx, s->structure, task, &model);
  if (!status) {
    status = ms_scatter_run(model, a->used.tests, a->fresh.tests, &setting, o->samples, &a->result);
  }
  if (!status && n > 0) status = ms_allocate(s->ctx, n, sizeof *a->repeated, &a->repeated);
  ms_scatter_destroy(&model);
  if (status) ms_fail_at(s->ctx, status, "%s", task->name);
  MS_TRY(ms_context_agree(s->ctx, status));
  return n > 0 ? ms_pool_share_jobs(s, task->name, &jobs) : MS_SUCCESS;
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
