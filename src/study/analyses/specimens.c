/* specimens: joint tests on joints with random parameters, synthetic. */
#include <stdio.h>
#include <string.h>

#include "joint/gradient.h"
#include "study/analyses/random.h"
#include "study/analyses/scatter.h"
#include "study/loads.h"

static const ms_param keys[] = {
  MS_KEY("name", "word", "of this analysis", 0),
  MS_KEY("joint", "word", "that is tested; its other parameters are those of the study", 1),
  MS_KEY("random", "mapping", "parameter: {family, bounds, mean, deviation}", 1),
  MS_KEY("forces", "list or mapping", "amplitudes, rising, or {from, to, count}", 1),
  MS_KEY("specimens", "number", "how many", 1),
  MS_KEY("noise", "number or list", "relative: of both, or [of stiffness, of dissipation]; none",
         0),
  MS_KEY("seed", "number", "1", 0),
};
enum { N_KEYS = sizeof keys / sizeof *keys, MOST = 32 };

typedef struct product {
  ms_specimens_analysis is; /* first: what scatter reads */
  ptrdiff_t n, n_force, specimens, lost;
  const ms_param *param[MOST];
  ms_distribution d[MOST];
  double *force, *p, noise[2];
  uint64_t seed;
  ms_sheet *table;
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

static ms_status check(ms_study *s, ms_task *task) {
  struct fy_node *node = task->node ? task->node : task->key, *seed;
  ptrdiff_t value = 1;
  product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, task->name, keys, N_KEYS));
  MS_TRY(ms_scatter_read_joint(s, ms_yaml_get(node, "joint"), &p->is.joint));
  MS_TRY(read_random(s, ms_yaml_get(node, "random"), p));
  MS_TRY(read_forces(s, ms_yaml_get(node, "forces"), p));
  MS_TRY(
      ms_yaml_count_value(&s->yaml, ms_yaml_get(node, "specimens"), "specimens", 1, &p->specimens));
  MS_TRY(ms_scatter_read_noise(s, ms_yaml_get(node, "noise"), p->noise));
  if ((seed = ms_yaml_get(node, "seed"))) {
    MS_TRY(ms_yaml_count_value(&s->yaml, seed, "seed", 0, &value));
  }
  p->seed = (uint64_t)value;
  return MS_SUCCESS;
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
  ms_sheet *sheet;
  MS_TRY(ms_sheet_create(
      s, task->name, "specimen,force [N],stiffness [N/m],dissipation [J],joint:word", &p->table));
  for (ptrdiff_t i = 0; i < t->n; i++) {
    MS_TRY(ms_sheet_add_row(s->ctx, p->table, (double)(t->specimen[i] + 1), t->force[i],
                            t->stiffness[i], t->loss[i],
                            ms_structure_get_joint_name(s->structure, p->is.joint)));
  }
  snprintf(name, sizeof name, "%.80s_truth", task->name);
  MS_TRY(ms_sheet_create(s, name, "specimen,parameter:word,value", &sheet));
  for (ptrdiff_t k = 0; k < p->specimens; k++) {
    for (ptrdiff_t i = 0; i < p->n; i++) {
      MS_TRY(
          ms_sheet_add_row(s->ctx, sheet, (double)(k + 1), p->param[i]->name, p->p[i + p->n * k]));
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
  return ms_sheet_add_to_page(s->ctx, p->table, "Tests", page);
}

const ms_analysis ms_analysis_specimens = {
  .name = "specimens",
  .meaning =
      "Synthetic joint tests of repeated assemblies: secant stiffness and energy lost per "
      "cycle against force, of joints with random parameters, with noise.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .summarise = summarise,
  .report = report,
  .close = close_product,
};
