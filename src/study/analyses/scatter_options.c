/* Options of `scatter`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/random.h"
#include "study/analyses/scatter.h"

enum { MOST = 32 };

const ms_param ms_scatter_keys[MS_SCATTER_KEYS] = {
  MS_KEY("name", "word", "of this analysis", 0),
  MS_KEY("joint", "word", "of the structure: its law, and its parameters that are not random", 1),
  MS_KEY("from", "word", "table of tests, or the specimens that made them", 1),
  MS_KEY("columns", "mapping", "of the table", 0),
  MS_KEY("parameters", "mapping", "parameter: [lowest, highest] or {search, family, bounds}", 1),
  MS_KEY("separate", "true or list", "parameters with another value for the loss; none", 0),
  MS_KEY("noise", "number or list",
         "relative: of both, or [of stiffness, of dissipation]; estimated", 0),
  MS_KEY("frequency", "number", "of the cycles, Hz, for laws that know a rate", 0),
  MS_KEY("draws", "number", "of each specimen's parameters; 400", 0),
  MS_KEY("starts", "number", "of each specimen's fit; 6", 0),
  MS_KEY("samples", "number", "random joints for the bands; 2000", 0),
  MS_KEY("repetitions", "number", "of the identification on synthetic tests; none", 0),
  MS_KEY("fresh", "word", "tests that are not used but counted against the bands", 0),
  MS_KEY("seed", "number", "1", 0),
};

static const ms_param parameter_keys[] = {
  MS_KEY("search", "list", "[lowest, highest] value that a specimen may have", 1),
  MS_KEY("family", "word", "of distributions; what the bounds make of it", 0),
  MS_KEY("bounds", "list", "[lowest, highest] of the distribution; those of the law", 0),
};

/* ---- parameters ---- */

static ms_status read_search(const ms_study *s, struct fy_node *node, double factor,
                             ms_scatter_parameter *q) {
  double *value = NULL;
  ptrdiff_t n = 0;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "search", &value, &n));
  const int sound = n == 2 && value[0] < value[1];
  if (sound) q->least = factor * value[0], q->most = factor * value[1];
  ms_free(s->ctx, &value);
  if (sound) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "values are searched between two numbers, the lower first, e.g. [1, 100]");
}

static ms_status read_parameter(const ms_study *s, struct fy_node *key, struct fy_node *value,
                                ms_scatter_analysis *a) {
  const char *joint = ms_structure_get_joint_name(s->structure, a->joint);
  ms_scatter_parameter *q = &a->parameter[a->n];
  ms_scatter_option *o = &a->option[a->n++];
  struct fy_node *search = value;
  const ms_param *param;
  double factor;
  MS_TRY(ms_scatter_read_param(s, key, a->joint, &param, &factor));
  *q = (ms_scatter_parameter) { .name = o->name,
                                .param = param->name,
                                .family = ms_random_family(param->lower, param->upper),
                                .lower = param->lower,
                                .upper = param->upper };
  if (ms_yaml_is_mapping(value)) {
    MS_TRY(ms_yaml_check_keys(&s->yaml, value, param->name, parameter_keys, 3));
    MS_TRY(ms_random_read_family(s, value, factor, &q->family, &q->lower, &q->upper));
    search = ms_yaml_get(value, "search");
  }
  o->unit = param->unit;
  snprintf(o->key, sizeof o->key, "%.250s.%.60s", joint, param->name);
  snprintf(o->name, sizeof o->name, "%.60s of %.250s", param->name, joint);
  return read_search(s, search, factor, q);
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

static ms_status read_count(const ms_study *s, const ms_task *task, const char *key,
                            ptrdiff_t least, ptrdiff_t *out) {
  struct fy_node *node = ms_yaml_get(task->node, key);
  return node ? ms_yaml_count_value(&s->yaml, node, key, least, out) : MS_SUCCESS;
}

static ms_status read_numbers(const ms_study *s, const ms_task *task, ms_scatter_analysis *a) {
  const double two_pi = 6.28318530717958647693;
  struct fy_node *frequency = ms_yaml_get(task->node, "frequency");
  ptrdiff_t seed = 1;
  MS_TRY(read_count(s, task, "draws", 8, &a->setting.draws));
  MS_TRY(read_count(s, task, "starts", 1, &a->setting.starts));
  MS_TRY(read_count(s, task, "samples", 100, &a->samples));
  MS_TRY(read_count(s, task, "repetitions", 2, &a->repetitions));
  MS_TRY(read_count(s, task, "seed", 0, &seed));
  a->setting.seed = (uint64_t)seed;
  if (frequency) MS_TRY(ms_yaml_positive(&s->yaml, frequency, "frequency", &a->omega));
  a->omega *= two_pi;
  return ms_scatter_read_noise(s, ms_yaml_get(task->node, "noise"), a->setting.noise);
}

/* Whatever is wrong with the parameters is said now. */
static ms_status try_model(const ms_study *s, const ms_task *task, const ms_scatter_analysis *a) {
  ms_scatter_model trial = { 0 };
  ms_status status = ms_scatter_open_model(s->ctx, s->structure, a, &trial);
  ms_scatter_close_model(&trial);
  if (status == MS_SUCCESS) return status;
  return ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, "parameters"), status);
}

ms_status ms_scatter_check(ms_study *s, ms_task *task) {
  const ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  struct fy_node *node = task->node ? task->node : task->key;
  ms_scatter_analysis *a;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *a, &a));
  task->product = a;
  a->setting = setting;
  a->samples = 2000;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, task->name, ms_scatter_keys, MS_SCATTER_KEYS));
  MS_TRY(ms_scatter_read_joint(s, ms_yaml_get(node, "joint"), &a->joint));
  MS_TRY(read_parameters(s, ms_yaml_get(node, "parameters"), ms_yaml_get(node, "separate"), a));
  MS_TRY(read_numbers(s, task, a));
  MS_TRY(read_source(s, task, ms_yaml_get(node, "from"), a->joint, &a->used));
  if (ms_yaml_get(node, "fresh")) {
    MS_TRY(read_source(s, task, ms_yaml_get(node, "fresh"), a->joint, &a->fresh));
  }
  return try_model(s, task, a);
}
