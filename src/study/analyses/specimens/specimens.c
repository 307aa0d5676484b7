/* specimens: joint tests on joints with random parameters, synthetic. */
#include "study/analyses/scatter/scatter.h"
#include "study/analyses/shared/answers.h"

enum { MOST = 32 };

typedef struct options {
  int joint;
  struct fy_node *random;
  ms_numbers forces;
  ptrdiff_t specimens, seed;
  double noise[2];
} options;

static const ms_param random_keys[] = {
  MS_NAMED("PARAMETER", "mapping", &ms_random_distribution,
           "distribution of a parameter of the law"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ONE_LAW(options, MS_REQUIRED,
             "that is tested, one law on one axis; its other parameters are those of the study"),
  MS_FORMS_WITH(options, random, "mapping", MS_ROWS(random_keys), MS_REQUIRED,
                "parameters that are random"),
  MS_AMPLITUDES(options, forces, "N", MS_REQUIRED, "force amplitudes, rising"),
  MS_COUNT(options, specimens, MS_FROM(1), MS_REQUIRED, "how many"),
  MS_NOISE(options, MS_ELSE("none")),
  MS_COUNT(options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1), "of the random numbers"),
};

typedef struct product {
  ms_scatter_tests tests; /* first: what scatter reads */
  ptrdiff_t n;
  const char *param[MOST];
  ms_distribution d[MOST];
  double *p; /* n of each specimen */
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_scatter_tests_destroy(s->ctx, &p->tests);
  ms_free(s->ctx, &p->p);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  product *p = task->product;
  const ptrdiff_t count = ms_yaml_is_mapping(o->random) ? ms_yaml_count(o->random) : 0;
  const ms_key_source from = ms_options_source(s);
  void *at = NULL;
  if (count < 1 || count > MOST) {
    return ms_yaml_fail(&s->yaml, o->random, MS_ERR_FORMAT,
                        "random is 1 to %d of parameter: {mean: ..., deviation: ...}", (int)MOST);
  }
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(o->random, &at, &key)); p->n++) {
    const ms_param *param;
    double factor;
    MS_TRY(ms_scatter_read_param(s, key, o->joint, &param, &factor));
    MS_TRY(ms_random_read_distribution(&from, value, param, factor, &p->d[p->n]));
    p->param[p->n] = param->name;
  }
  for (ptrdiff_t i = 1; i < o->forces.n; i++) {
    if (o->forces.value[i] > o->forces.value[i - 1]) continue;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "forces"), MS_ERR_BOUNDS,
                        "forces must rise");
  }
  return MS_SUCCESS;
}

/* On every process, for `scatter`: the tests are a function of the seed. */
static ms_status run(ms_study *s, ms_task *task) {
  const options *o = task->options;
  product *p = task->product;
  const ms_scatter_plan plan = { p->n,
                                 p->param,
                                 p->d,
                                 o->specimens,
                                 o->forces.n,
                                 o->forces.value,
                                 { o->noise[0], o->noise[1] },
                                 (uint64_t)o->seed };
  MS_TRY(ms_allocate(s->ctx, p->n * o->specimens, sizeof *p->p, &p->p));
  return ms_scatter_tests_make(s->ctx, ms_structure_get_joint(s->structure, o->joint), &plan, p->p,
                               &p->tests);
}

/* Mean and standard deviation over the specimens at one force, of stiffness or dissipation. */
static void answer(ms_result *r, const ms_scatter_tests *t, double force, int loss) {
  double mean, deviation;
  const ptrdiff_t n = ms_scatter_tests_find_mean(t, force, loss, &mean, &deviation);
  if (n == 0) return;
  const char *what = loss ? "energy dissipated per cycle" : "stiffness";
  ms_answer_number(r, MS_HEAD_TIME, NULL, loss ? "J" : "N/m", mean, "Mean %s at %g N", what, force);
  if (n < 2) return;
  ms_answer_percent(r, deviation / mean, MS_HEAD_TIME, "Relative standard deviation of %s at %g N",
                    loss ? "energy" : what, force);
}

static ms_status fill_result(ms_study *s, ms_task *task) {
  static const ms_plot panel[] = {
    MS_PANEL("Stiffness", "force", "stiffness", .x_log = 1, .style = MS_SERIES_POINTS),
    MS_PANEL("Energy dissipated per cycle", "force", "dissipation", .x_log = 1,
             .y_log = MS_LOG_IF_POSITIVE, .style = MS_SERIES_POINTS),
  };
  const options *o = task->options;
  const product *p = task->product;
  const ms_scatter_tests *t = &p->tests;
  const char *joint = ms_structure_get_joint_name(s->structure, o->joint);
  ms_result_table *table = ms_result_new_table(
      task->result, "", "specimen,force [N],stiffness [N/m],dissipation [J],joint:word");
  for (ptrdiff_t i = 0; i < t->n; i++) {
    ms_result_put_row(table, t->id[t->specimen[i]], t->force[i], t->stiffness[i], t->loss[i],
                      joint);
  }
  ms_result_table *truth =
      ms_result_new_table(task->result, "_truth", "specimen,parameter:word,value");
  for (ptrdiff_t k = 0; k < p->n * o->specimens; k++) {
    ms_result_put_row(truth, t->id[k / p->n], p->param[k % p->n], p->p[k]);
  }
  ms_result_set_values(task->result, "specimens:count,rows:count,forces_not_reached:count",
                       (double)o->specimens, (double)t->n,
                       (double)(o->specimens * o->forces.n - t->n));
  answer(task->result, t, o->forces.value[0], 0);
  answer(task->result, t, o->forces.value[o->forces.n - 1], 1);
  ms_result_plot(task->result, "Tests of all specimens",
                 "The width of the cloud is the scatter of the joints and the noise of the tests. "
                 "Joints that slip before a force is reached have no point there.",
                 table, 2, panel);
  ms_result_feature_figure(task->result, MS_HEAD_TIME);
  const ptrdiff_t missing = o->specimens * o->forces.n - t->n;
  char caption[160], left[48] = "";
  if (missing > 0) snprintf(left, sizeof left, ", %td not reached", missing);
  snprintf(caption, sizeof caption,
           "%td test points (%td specimens \u00D7 %td forces%s): stiffness and energy", t->n,
           o->specimens, o->forces.n, left);
  ms_result_show_table(task->result, table, caption);
  ms_result_say(task->result,
                "Relative standard deviations of the noise: %g of stiffness, %g of "
                "dissipation.",
                o->noise[0], o->noise[1]);
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_specimens = {
  .name = "specimens",
  .title = "Synthetic tests of joints",
  .meaning =
      "Synthetic joint tests of repeated assemblies: secant stiffness and energy dissipated per "
      "cycle against force, of joints with random parameters, with noise.",
  MS_KEYS(keys, options, product),
  .check = check,
  .run = run,
  .help = run,
  .result = fill_result,
  .close = close_product,
};
