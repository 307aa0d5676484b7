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

/* For help and manual: any number of these. */
static const ms_param joint_keys[] = {
  { .name = "JOINT.PARAMETER",
    .kind = MS_PARAM_FORMS,
    .forms = "mapping or word",
    .keys = &ms_random_distribution,
    .meaning = "distribution of a parameter, or a scatter that has one; the joint may be a "
               "pattern: all joints of bolt.*.K_T have one value" },
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
  ptrdiff_t i = a->n - 1;
  while (i >= 0 && strcmp(a->parameter[i].param, p->is.place[0].param) != 0) i--;
  return i;
}

static ms_status read_one(const ms_study *s, const ms_task *task, struct fy_node *key,
                          struct fy_node *value, ms_random_parameter *p) {
  double factor;
  MS_TRY(ms_joint_parameter_find(s, key, &p->is, &factor));
  const ms_parameter_place *at = &p->is.place[0];
  if (!ms_yaml_is_scalar(value)) {
    const ms_param *param = ms_parameter_place_param(s->structure, at);
    return ms_random_read_distribution(s, value, param, factor, &p->d);
  }
  MS_TRY(find_scatter(s, task, value, &p->from));
  if (find_distribution(p) >= 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, value, MS_ERR_NAME, "%s has no distribution of %s", p->from->name,
                      at->param);
}

/* All parameters of a scatter, at its joint. */
static ms_status take_scatter(const ms_study *s, const ms_task *task, struct fy_node *node,
                              ms_random_joints *r) {
  const ms_task *from;
  MS_TRY(find_scatter(s, task, node, &from));
  const ms_scatter_options *o = from->options;
  const ms_scatter_analysis *a = from->product;
  MS_TRY(ms_allocate(s->ctx, a->n, sizeof *r->parameter, &r->parameter));
  for (r->n = 0; r->n < a->n; r->n++) {
    ms_random_parameter *p = &r->parameter[r->n];
    p->from = from;
    p->is.key = a->option[r->n].key;
    p->is.unit = a->option[r->n].unit;
    snprintf(p->is.name, sizeof p->is.name, "%s", a->option[r->n].name);
    MS_TRY(ms_allocate(s->ctx, 1, sizeof *p->is.place, &p->is.place));
    p->is.place[p->is.n_place++] = (ms_parameter_place) { o->joint, 0, a->parameter[r->n].param };
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
}

/* ---- the run ---- */

static ms_status run_lot(ms_worker *w, ptrdiff_t job, void *user) {
  ms_context_set_progress(w->ctx, NULL, NULL); /* levels would tell theirs far too often */
  return ms_random_curves_eval_lot(w->structure, job, user);
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
  if (status == MS_SUCCESS) status = draw(s->ctx, o->samples, (uint64_t)o->seed, c);
  MS_TRY(ms_context_agree(s->ctx, status));
  const ms_jobs jobs = { .n = ms_random_curves_count_lots(c),
                         .run = run_lot,
                         .save = ms_random_curves_save_lot,
                         .load = ms_random_curves_load_lot,
                         .user = c };
  return ms_pool_share_jobs(s, task->name, &jobs);
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
