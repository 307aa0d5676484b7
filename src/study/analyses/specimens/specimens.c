/* specimens: joint tests on joints with random parameters, synthetic. */
#include <stdio.h>
#include <string.h>

#include "joint/gradient.h"
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
  ms_specimens_analysis is; /* first: what scatter reads */
  ptrdiff_t n, n_force, specimens, lost;
  const ms_param *param[MOST];
  ms_distribution d[MOST];
  double *force, *p, noise[2];
  uint64_t seed;
  ms_result_table *table;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_test_table_free(s->ctx, &p->is.tests);
  ms_free(s->ctx, &p->force);
  ms_free(s->ctx, &p->p);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_random(const ms_study *s, struct fy_node *node, product *p) {
  void *at = NULL;
  if (!ms_yaml_is_mapping(node) || ms_yaml_count(node) < 1 || ms_yaml_count(node) > MOST) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "random is 1 to %d of parameter: {mean: ..., deviation: ...}", (int)MOST);
  }
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key)); p->n++) {
    double factor;
    MS_TRY(ms_scatter_read_param(s, key, p->is.joint, &p->param[p->n], &factor));
    MS_TRY(ms_random_read_distribution(s, value, p->param[p->n], factor, &p->d[p->n]));
  }
  return MS_SUCCESS;
}

static ms_status read_forces(const ms_study *s, struct fy_node *node, product *p) {
  MS_TRY(ms_read_amplitudes(s, node, s->units.force, &p->force, &p->n_force));
  for (ptrdiff_t i = 1; i < p->n_force; i++) {
    if (p->force[i] > p->force[i - 1]) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "forces must rise");
  }
  return MS_SUCCESS;
}

static ms_status check_options(ms_study *s, ms_task *task, const options *o, product *p) {
  MS_TRY(ms_scatter_read_joint(s, ms_yaml_get(task->node, "joint"), &p->is.joint));
  MS_TRY(read_random(s, o->random, p));
  MS_TRY(read_forces(s, o->forces, p));
  p->specimens = o->specimens;
  p->seed = (uint64_t)o->seed;
  return ms_scatter_take_noise(s, ms_yaml_get(task->node, "noise"), &o->noise, p->noise);
}

static ms_status check(ms_study *s, ms_task *task) {
  product *p;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  ms_status status = ms_options_read_task(s, task, &o);
  if (status == MS_SUCCESS) status = check_options(s, task, &o, p);
  ms_options_free(s->ctx, keys, N_KEYS, &o);
  return status;
}

/* ---- the run ---- */

static ms_status plan(ms_study *s, product *p) {
  ms_test_table *t = &p->is.tests;
  MS_TRY(ms_test_table_reserve(s->ctx, p->specimens * p->n_force, t));
  t->n = p->specimens * p->n_force;
  t->n_specimen = p->specimens;
  for (ptrdiff_t i = 0; i < t->n; i++) {
    t->specimen[i] = i / p->n_force;
    t->force[i] = p->force[i % p->n_force];
    t->row[i] = (int)i + 1;
  }
  for (ptrdiff_t k = 0; k < p->specimens; k++) t->id[k] = (double)(k + 1);
  MS_TRY(ms_allocate(s->ctx, p->n * p->specimens, sizeof *p->p, &p->p));
  ms_scatter_draw(p->n, p->d, p->specimens, p->seed, p->p);
  return MS_SUCCESS;
}

static ms_status simulate(ms_joint *joint, product *p) {
  const ms_scatter_data like = ms_test_table_view(&p->is.tests);
  ms_scatter_parameter parameter[MOST];
  ms_scatter *on = NULL;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const ms_distribution *d = &p->d[i];
    const double mean = ms_distribution_mean(d), deviation = ms_distribution_deviation(d);
    parameter[i] =
        (ms_scatter_parameter) { p->param[i]->name,
                                 p->param[i]->name,
                                 MS_SCATTER_BOTH,
                                 d->family,
                                 d->lower,
                                 d->upper,
                                 mean > d->lower ? mean : d->lower,
                                 mean + deviation < d->upper ? mean + deviation : d->upper };
  }
  MS_TRY(ms_scatter_create(joint, NULL, 0.0, p->n, parameter, &on));
  ms_status status = ms_scatter_simulate(on, &like, p->p, p->noise, p->seed, p->is.tests.stiffness,
                                         p->is.tests.loss);
  ms_scatter_destroy(&on);
  return status;
}

static ms_status tabulate(ms_study *s, const ms_task *task, product *p) {
  const ms_test_table *t = &p->is.tests;
  char name[96];
  ms_result_table *table;
  MS_TRY(ms_result_table_create(
      s, task->name, "specimen,force [N],stiffness [N/m],dissipation [J],joint:word", &p->table));
  for (ptrdiff_t i = 0; i < t->n; i++) {
    MS_TRY(ms_result_table_add_row(s->ctx, p->table, (double)(t->specimen[i] + 1), t->force[i],
                                   t->stiffness[i], t->loss[i],
                                   ms_structure_get_joint_name(s->structure, p->is.joint)));
  }
  snprintf(name, sizeof name, "%.80s_truth", task->name);
  MS_TRY(ms_result_table_create(s, name, "specimen,parameter:word,value", &table));
  for (ptrdiff_t k = 0; k < p->specimens; k++) {
    for (ptrdiff_t i = 0; i < p->n; i++) {
      MS_TRY(ms_result_table_add_row(s->ctx, table, (double)(k + 1), p->param[i]->name,
                                     p->p[i + p->n * k]));
    }
  }
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_joint *joint = NULL;
  MS_TRY(plan(s, p));
  MS_TRY(ms_joint_copy(s->ctx, ms_structure_get_joint(s->structure, p->is.joint), &joint));
  ms_status status = simulate(joint, p);
  ms_joint_destroy(&joint);
  MS_TRY(status);
  p->lost = p->is.tests.n;
  ms_test_table_shorten(&p->is.tests);
  p->lost -= p->is.tests.n;
  return tabulate(s, task, p);
}

/* ---- summary and report ---- */

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const product *p = task->product;
  (void)s;
  ms_json_add_integer(json, "specimens", p->specimens);
  ms_json_add_integer(json, "rows", p->is.tests.n);
  ms_json_add_integer(json, "forces_not_reached", p->lost);
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  const product *p = task->product;
  char text[300];
  snprintf(text, sizeof text,
           "Synthetic tests of %td joints with random parameters; noise of %g (stiffness) and %g "
           "(dissipation). %td forces are not reached by their joint, and left out.",
           p->specimens, p->noise[0], p->noise[1], p->lost);
  MS_TRY(ms_page_add_text(page, text));
  return ms_result_table_add_to_page(s->ctx, p->table, "Tests", page);
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
  .summarise = summarise,
  .report = report,
  .close = close_product,
};
