/* specimens: joint tests on joints with random parameters, synthetic. */
#include <math.h>

#include "study/analyses/scatter/random_joints.h"
#include "study/analyses/scatter/scatter.h"
#include "study/model/loads.h"

typedef struct options {
  const char *joint;
  struct fy_node *random, *forces;
  ptrdiff_t specimens, seed;
  ms_numbers noise;
} options;

/* For help and manual: any number of these. */
static const ms_param random_keys[] = {
  { .name = "PARAMETER",
    .kind = MS_PARAM_FORMS,
    .forms = "mapping",
    .keys = &ms_random_distribution,
    .meaning = "distribution of a parameter of the law" },
};
static const ms_param_list random_list = MS_LIST_OF(random_keys);

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_WORD(options, joint, MS_REQUIRED,
          "that is tested, one law on one axis; its other parameters are those of the study"),
  MS_FORMS_WITH(options, random, "mapping", random_list, MS_REQUIRED, "parameters that are random"),
  MS_FORMS_WITH(options, forces, "number, list or mapping", ms_level_keys, MS_REQUIRED,
                "force amplitudes, rising"),
  MS_COUNT(options, specimens, MS_FROM(1), MS_REQUIRED, "how many"),
  MS_NUMBERS(options, noise, "-", MS_POSITIVE, MS_ELSE("none"),
             "relative standard deviation: of both, or [of stiffness, of dissipation]"),
  MS_COUNT(options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1), "of the random numbers"),
};
enum { N_KEYS = sizeof keys / sizeof *keys, MOST = 32 };

typedef struct product {
  ms_scatter_tests tests; /* first: what scatter reads */
  int joint;
  ptrdiff_t n, n_force, specimens, lost;
  const ms_param *param[MOST];
  ms_distribution d[MOST];
  double *force, *p, noise[2];
  uint64_t seed;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_scatter_tests_destroy(s->ctx, &p->tests);
  ms_free(s->ctx, &p->force);
  ms_free(s->ctx, &p->p);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status check_options(ms_study *s, ms_task *task, const options *o, product *p) {
  const ptrdiff_t count = ms_yaml_is_mapping(o->random) ? ms_yaml_count(o->random) : 0;
  void *at = NULL;
  MS_TRY(ms_scatter_read_joint(s, ms_yaml_get(task->node, "joint"), &p->joint));
  if (count < 1 || count > MOST) {
    return ms_yaml_fail(&s->yaml, o->random, MS_ERR_FORMAT,
                        "random is 1 to %d of parameter: {mean: ..., deviation: ...}", (int)MOST);
  }
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(o->random, &at, &key)); p->n++) {
    double factor;
    MS_TRY(ms_scatter_read_param(s, key, p->joint, &p->param[p->n], &factor));
    MS_TRY(ms_random_read_distribution(s, value, p->param[p->n], factor, &p->d[p->n]));
  }
  MS_TRY(ms_read_amplitudes(s, o->forces, s->units.force, &p->force, &p->n_force));
  for (ptrdiff_t i = 1; i < p->n_force; i++) {
    if (p->force[i] > p->force[i - 1]) continue;
    return ms_yaml_fail(&s->yaml, o->forces, MS_ERR_BOUNDS, "forces must rise");
  }
  p->specimens = o->specimens;
  p->seed = (uint64_t)o->seed;
  return ms_scatter_take_noise(s, ms_yaml_get(task->node, "noise"), &o->noise, p->noise);
}

static ms_status check(ms_study *s, ms_task *task) {
  product *p;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  ms_status status = ms_options_read_own(s, task, &o);
  if (status == MS_SUCCESS) status = check_options(s, task, &o, p);
  ms_options_free(s->ctx, keys, N_KEYS, &o);
  return status;
}

/* ---- the run ---- */

/* A row for each force of each specimen. */
static ms_status plan(ms_context *ctx, product *p) {
  const ptrdiff_t n = p->specimens * p->n_force;
  double *row;
  MS_TRY(ms_allocate(ctx, p->n * p->specimens, sizeof *p->p, &p->p));
  MS_TRY(ms_allocate(ctx, 2 * n, sizeof *row, &row));
  for (ptrdiff_t i = 0; i < n; i++) {
    row[i] = (double)(i / p->n_force + 1);
    row[n + i] = p->force[i % p->n_force];
  }
  ms_status status = ms_scatter_tests_create(ctx, n, row, row + n, NULL, NULL, NULL, &p->tests);
  ms_free(ctx, &row);
  return status;
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_scatter_parameter parameter[MOST];
  ms_scatter *on;
  MS_TRY(plan(s->ctx, p));
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const ms_distribution *d = &p->d[i];
    const double mean = ms_distribution_mean(d), deviation = ms_distribution_deviation(d);
    parameter[i] = (ms_scatter_parameter) { .name = p->param[i]->name,
                                            .param = p->param[i]->name,
                                            .family = d->family,
                                            .lower = d->lower,
                                            .upper = d->upper,
                                            .least = fmax(mean, d->lower),
                                            .most = fmin(mean + deviation, d->upper) };
  }
  MS_TRY(ms_scatter_create_copy(s->ctx, ms_structure_get_joint(s->structure, p->joint), 0.0, p->n,
                                parameter, &on));
  ms_status status = ms_scatter_tests_simulate(on, p->d, p->noise, p->seed, p->p, &p->tests);
  ms_scatter_destroy(&on);
  p->lost = p->specimens * p->n_force - p->tests.n;
  return status;
}

/* ---- the result ---- */

static ms_status fill_result(ms_study *s, ms_task *task) {
  const product *p = task->product;
  const ms_scatter_tests *t = &p->tests;
  const char *joint = ms_structure_get_joint_name(s->structure, p->joint);
  ms_result_table *table, *truth;
  MS_TRY(ms_task_add_table(
      s, task, "", "specimen,force [N],stiffness [N/m],dissipation [J],joint:word", &table));
  for (ptrdiff_t i = 0; i < t->n; i++) {
    MS_TRY(ms_result_table_add_row(s->ctx, table, t->id[t->specimen[i]], t->force[i],
                                   t->stiffness[i], t->loss[i], joint));
  }
  MS_TRY(ms_task_add_table(s, task, "_truth", "specimen,parameter:word,value", &truth));
  for (ptrdiff_t k = 0; k < p->n * p->specimens; k++) {
    MS_TRY(
        ms_result_table_add_row(s->ctx, truth, t->id[k / p->n], p->param[k % p->n]->name, p->p[k]));
  }
  ms_result_set_integer(task->result, "specimens", p->specimens);
  ms_result_set_integer(task->result, "rows", t->n);
  ms_result_set_integer(task->result, "forces_not_reached", p->lost);
  ms_result_say(task->result, "Noise of %g (stiffness) and %g (dissipation).", p->noise[0],
                p->noise[1]);
  ms_result_show_table(task->result, table, "Tests");
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_specimens = {
  .name = "specimens",
  .meaning =
      "Synthetic joint tests of repeated assemblies: secant stiffness and energy dissipated per "
      "cycle against force, of joints with random parameters, with noise.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .result = fill_result,
  .close = close_product,
};
