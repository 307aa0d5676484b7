/* Options and run of `propagate` and `sobol`: points over the study's threads and processes. They
   go in lots; a lot is a job, which is kept when it ends. */
#include "study/analyses/propagate/random_curves.h"

#include <stdio.h>
#include <string.h>

#include "identify/calibrate/free_parameters.h"
#include "identify/sample/lots.h"
#include "study/analyses/scatter/scatter.h"
#include "study/analyses/shared/answers.h"

enum { MOST = 32 }; /* parameters */

/* ---- random parameters ---- */

static const ms_param joint_keys[] = {
  MS_NAMED("JOINT.PARAMETER", "mapping or word", &ms_random_distribution,
           "distribution of a parameter, or a scatter that has one; the joint may be a "
           "pattern: all joints of bolt.*.K_T have one value. Also mode.1.damping, spring.1 and "
           "mass.NAME of a chain; with contacts between solids contacts.lap.mu and others"),
};
const ms_param_list ms_random_joint_keys = MS_LIST_OF(joint_keys);

static ms_status find_scatter(const ms_study *s, const ms_task *task, struct fy_node *node,
                              const ms_task **out) {
  MS_TRY(ms_study_find_task(s, task, node, "scatter", out));
  const ms_scatter_analysis *a = (*out)->product;
  if (a->parameter[a->n - 1].role == MS_SCATTER_BOTH) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                      "%s has other parameters for the loss than for the stiffness: no law of a "
                      "structure has",
                      (*out)->name);
}

/* The number of the scatter's parameter of that name; -1 if it has none. */
static ptrdiff_t find_distribution(const ms_random_parameter *p) {
  const ms_scatter_analysis *a = p->from->product;
  const char *param = strrchr(p->is.key, '.');
  ptrdiff_t i = a->n - 1, same = i;
  while (same >= 0 && strcmp(a->option[same].key, p->is.key) != 0) same--;
  while (i >= 0 && strcmp(strrchr(a->option[i].key, '.'), param) != 0) i--;
  return same >= 0 ? same : i;
}

static ms_status read_one(const ms_study *s, const ms_task *task, struct fy_node *key,
                          struct fy_node *value, ms_random_parameter *p) {
  double factor;
  MS_TRY(ms_joint_parameter_find(s, key, &p->is, &factor));
  const ms_parameter_place *at = &p->is.place[0];
  if (at->joint == MS_PLACE_GAIN) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME, "gains are of hammer tests: curves have none");
  }
  if (!ms_yaml_is_scalar(value)) {
    const ms_param *param = ms_parameter_place_param(s->structure, at);
    const ms_key_source from = ms_options_source(s);
    return ms_random_read_distribution(&from, value, param, factor, &p->d);
  }
  MS_TRY(find_scatter(s, task, value, &p->from));
  if (find_distribution(p) >= 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, value, MS_ERR_NAME, "%s has no distribution of %s", p->from->name,
                      strrchr(p->is.key, '.') + 1);
}

/* All parameters of a scatter, at its joint. */
static ms_status take_scatter(const ms_study *s, const ms_task *task, struct fy_node *node,
                              ms_random_joints *r) {
  const ms_task *from;
  MS_TRY(find_scatter(s, task, node, &from));
  const ms_scatter_analysis *a = from->product;
  MS_TRY(ms_allocate(s->ctx, a->n, sizeof *r->parameter, &r->parameter));
  for (r->n = 0; r->n < a->n; r->n++) {
    ms_random_parameter *p = &r->parameter[r->n];
    p->from = from;
    p->is = a->option[r->n].is;
    p->is.place = NULL;
    MS_TRY(ms_allocate(s->ctx, p->is.n_place, sizeof *p->is.place, &p->is.place));
    memcpy(p->is.place, a->option[r->n].is.place, (size_t)p->is.n_place * sizeof *p->is.place);
  }
  return MS_SUCCESS;
}

static ms_status read_random(const ms_reading *reading, struct fy_node *node, void *value) {
  ms_random_joints *r = value;
  void *at = NULL;
  const ptrdiff_t count = ms_yaml_is_mapping(node) ? ms_yaml_count(node) : 0;
  if (ms_yaml_is_scalar(node)) return take_scatter(reading->study, reading->task, node, r);
  if (count < 1 || count > MOST) {
    return ms_yaml_fail(&reading->study->yaml, node, MS_ERR_FORMAT,
                        "random is 1 to 32 of joint.parameter: {mean: ..., deviation: ...}, or "
                        "the name of a scatter");
  }
  MS_TRY(ms_allocate(reading->study->ctx, count, sizeof *r->parameter, &r->parameter));
  for (struct fy_node *key, *each; (each = ms_yaml_next_pair(node, &at, &key));) {
    ms_random_parameter *p = &r->parameter[r->n++];
    MS_TRY(read_one(reading->study, reading->task, key, each, p));
    for (const ms_random_parameter *other = r->parameter; other < p; other++) {
      MS_TRY(ms_joint_parameter_check_twice(reading->study, key, &other->is, &p->is));
    }
  }
  return MS_SUCCESS;
}

static void free_random(ms_context *ctx, void *value) {
  ms_random_joints *r = value;
  for (ptrdiff_t i = 0; i < r->n; i++) ms_free(ctx, &r->parameter[i].is.place);
  ms_free(ctx, &r->parameter);
}

static int names_scatter(const void *value, const ms_task *other) {
  const ms_random_joints *r = value;
  for (ptrdiff_t i = 0; i < r->n; i++) {
    if (r->parameter[i].from == other) return 1;
  }
  return 0;
}

const ms_param_reader ms_as_random_joints = { read_random, free_random, names_scatter };

/* ---- options ---- */

ms_status ms_random_check(ms_study *s, ms_task *task) {
  const ms_random_options *o = task->options;
  const ms_random_joints *r = &o->random;
  ms_random_task *t = task->product;
  for (int i = 0; i < o->modes.n; i++) {
    if (ms_structure_get_stuck(s->structure).omega[o->modes.mode[i]] > 0.0) continue;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "modes"), MS_ERR_BOUNDS,
                        "mode %d is a rigid-body mode: it has no frequency", o->modes.mode[i] + 1);
  }
  for (ptrdiff_t i = 1; i < o->amplitudes.n; i++) {
    if (o->amplitudes.value[i] > o->amplitudes.value[i - 1]) continue;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "amplitudes"), MS_ERR_BOUNDS,
                        "amplitudes must rise");
  }
  MS_TRY(ms_allocate(s->ctx, r->n, sizeof *t->free, &t->free));
  MS_TRY(ms_allocate(s->ctx, r->n, sizeof *t->d, &t->d));
  MS_TRY(ms_allocate(s->ctx, r->n * r->n, sizeof *t->correlation, &t->correlation));
  for (ptrdiff_t i = 0; i < r->n; i++) {
    const ms_joint_parameter *p = &r->parameter[i].is;
    t->free[i] = (ms_free_parameter) { p->name, p->n_place, p->place };
  }
  t->curves = (ms_random_curves) { .n = r->n,
                                   .parameter = t->free,
                                   .distribution = t->d,
                                   .n_mode = o->modes.n,
                                   .mode = o->modes.mode,
                                   .n_level = o->amplitudes.n,
                                   .q = o->amplitudes.value };
  return ms_study_refuse_curved(s, task->key, MS_QUASISTATIC_MODE);
}

void ms_random_close_task(ms_study *s, ms_task *task) {
  ms_random_task *t = task->product;
  ms_random_curves_destroy(s->ctx, &t->curves);
  ms_free(s->ctx, &t->free);
  ms_free(s->ctx, &t->d);
  ms_free(s->ctx, &t->correlation);
}

/* ---- the run ---- */

/* Correlations are those of parameters from one scatter of assemblies. */
static void correlate(const ms_random_joints *r, double *R, ms_random_curves *c) {
  for (ptrdiff_t q = 0; q < r->n * r->n; q++) {
    const ms_random_parameter *i = &r->parameter[q % r->n], *j = &r->parameter[q / r->n];
    const ms_scatter_analysis *a = i->from && i->from == j->from ? i->from->product : NULL;
    R[q] = i == j;
    if (i == j || !a || !((const ms_scatter_options *)i->from->options)->assemblies.n) continue;
    R[q] = a->result.found.correlation[find_distribution(i) + a->n * find_distribution(j)];
    c->correlation = R;
  }
}

/* What scatters have found, each of them on every process. */
static ms_status gather(ms_context *ctx, const ms_random_joints *r, ms_distribution *d) {
  for (ptrdiff_t i = 0; i < r->n; i++) {
    const ms_random_parameter *p = &r->parameter[i];
    const ms_scatter_analysis *a = p->from ? p->from->product : NULL;
    d[i] = a ? a->result.found.distribution[find_distribution(p)] : p->d;
    MS_TRY(ms_distribution_check(ctx, &d[i]));
  }
  return MS_SUCCESS;
}

ms_status ms_random_evaluate(ms_study *s, ms_task *task, ms_random_draw_fn draw) {
  const ms_random_options *o = task->options;
  ms_random_task *t = task->product;
  ms_random_curves *c = &t->curves;
  ms_status status = gather(s->ctx, &o->random, t->d);
  correlate(&o->random, t->correlation, c);
  if (status == MS_SUCCESS) status = draw(s->ctx, o->samples, (uint64_t)o->seed, c);
  MS_TRY(ms_context_agree(s->ctx, status));
  const ms_crew crew = ms_study_crew(s);
  return ms_random_curves_share(&crew, task->name, c);
}

/* ---- the result ---- */

static void show_distributions(const ms_random_joints *r, const ms_distribution *d,
                               ms_result *result) {
  ms_page *page = ms_result_get_page(result);
  const char *name[MOST], *family[MOST];
  double mean[MOST], deviation[MOST];
  for (ptrdiff_t i = 0; i < r->n; i++) {
    name[i] = r->parameter[i].is.key;
    family[i] = ms_family_name(d[i].family);
    mean[i] = ms_distribution_mean(&d[i]);
    deviation[i] = ms_distribution_deviation(&d[i]);
  }
  const ms_page_column column[] = { { .heading = "parameter", .texts = name },
                                    { .heading = "distribution", .texts = family },
                                    { .heading = "mean", .numbers = mean },
                                    { .heading = "standard deviation", .numbers = deviation } };
  const ms_page_table table = { .n_row = r->n, .n_column = 4, .column = column };
  if (page) {
    ms_result_fail_page(result, ms_page_add_table(page, "Random parameters (SI units)", &table));
  }
}

void ms_random_show(ms_task *task, const ms_result_table *table, const char *caption, int n,
                    const ms_plot *panel) {
  const ms_random_options *o = task->options;
  const ms_modes_view view = { task->kind->title, caption, table, MS_HEAD_RANDOM };
  ms_result_plot_modes(task->result, &view, o->modes.mode, o->modes.n, n, panel);
  show_distributions(&o->random, ((const ms_random_task *)task->product)->d, task->result);
}
