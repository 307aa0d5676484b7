/* Options of `calibrate`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"
#include "study/file/options.h"

#define MS_CALIBRATE(name) extern const ms_calibrate_method ms_calibrate_##name;
#include "study/analyses/calibrate/methods.def"
#undef MS_CALIBRATE

static const ms_calibrate_method *const methods[] = {
#define MS_CALIBRATE(name) &ms_calibrate_##name,
#include "study/analyses/calibrate/methods.def"
#undef MS_CALIBRATE
};

/* "|local|nsga2|..." */
static const char method_names[] =
#define MS_CALIBRATE(name) "|" #name
#include "study/analyses/calibrate/methods.def"
#undef MS_CALIBRATE
    ;

#define METHODS (method_names + 1)
#define WIDE    10.0 /* bounds this far apart, as a ratio, are searched on a logarithmic scale */

typedef struct options {
  struct fy_node *parameters, *targets, *verify;
  int method, objectives; /* objectives 1: of each target */
  ptrdiff_t starts, points, generations, walkers, steps, burn, seed;
  double noise, misfit_limit;
} options;

/* For help and manual: an item of the list is one of these. */
static const ms_param targets_keys[] = {
#define MS_TARGET_KIND(kinds_name, text)    \
  { .name = "[" #kinds_name "]",            \
    .kind = MS_PARAM_FORMS,                 \
    .forms = "mapping",                     \
    .keys = &ms_target_##kinds_name##_keys, \
    .meaning = text },
#include "study/analyses/calibrate/targets.def"
#undef MS_TARGET_KIND
};
static const ms_param_list targets_list = MS_LIST_OF(targets_keys);

const ms_param ms_calibrate_keys[MS_CALIBRATE_KEYS] = {
  MS_KEY_NAME,
  MS_FORMS(options, parameters, "mapping", MS_REQUIRED,
           "joint.parameter: [lowest, highest], e.g. lap.K_T: [1e6, 1e9]; searched on a "
           "logarithmic scale where both are positive and ten times apart. The joint may be a "
           "pattern: all joints of bolt.*.F_S have one value"),
  MS_FORMS_WITH(options, targets, "list of mappings", targets_list, MS_REQUIRED,
                "what to match, of one or several kinds"),
  MS_CHOICE(options, method, METHODS, MS_OPTIONAL,
            "local: least squares from many starts, and which parameters are not determined; "
            "nsga2: Pareto front of frequency and damping; posterior: how likely parameters are "
            "given the data"),
  MS_COUNT(options, starts, MS_FROM(1), MS_DEFAULT(20),
           "of local and posterior: number of fits, spread over the bounds"),
  MS_NUMBER(options, noise, NULL, MS_POSITIVE, MS_ELSE("the residual of the fit, at least 0.01"),
            "of local and posterior: standard deviation of the damping, relative, and of "
            "frequency over the target's own shift (its highest frequency less its lowest), that "
            "standard errors and the posterior suppose: 0.02 is 2 % of damping, and 0.02 Hz where "
            "the frequency falls by 1 Hz. Where the residual of the fit is larger, the standard "
            "errors are based on the residual"),
  MS_NUMBER(options, misfit_limit, NULL, MS_POSITIVE, MS_DEFAULT(MS_CALIBRATE_MISFIT_LIMIT),
            "without `noise`, and of nsga2: a fit is poor, and the analysis suspect, where a "
            "quantity of a target is off by more (rms, relative; a frequency over its shift)"),
  MS_COUNT(options, points, MS_FROM(4), MS_DEFAULT(100), "of nsga2: of a generation, even"),
  MS_COUNT(options, generations, MS_FROM(1), MS_DEFAULT(100), "of nsga2"),
  MS_CHOICE(options, objectives, "total|targets", MS_OPTIONAL,
            "of nsga2: total, one for each quantity, such as frequency and damping, the weighted "
            "mean over the targets; targets, each quantity of each target"),
  MS_COUNT(options, walkers, MS_FROM(4), MS_ELSE("32, or twice the least"),
           "of posterior: even, at least 2 more than twice the parameters"),
  MS_COUNT(options, steps, MS_FROM(4), MS_DEFAULT(5000),
           "of posterior: of each walker, that count"),
  MS_COUNT(options, burn, MS_NOT_NEGATIVE, MS_DEFAULT(500),
           "of posterior: steps before those that count"),
  MS_COUNT(options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1),
           "of starts, search and samples; the same seed gives the same results on any number of "
           "threads and processes"),
  MS_FORMS_WITH(options, verify, "word or mapping", ms_verify_keys, MS_ELSE("nothing"),
                "an earlier `modal_ringdown` or `shock`: its runs are made again in time with what "
                "was found"),
};

/* ---- parameters ---- */

/* Both bounds must be values that the law takes. */
static ms_status check_bounds(const ms_study *s, struct fy_node *node,
                              const ms_parameter_place *place, const ms_fit_parameter *bound) {
  const ms_joint *j = ms_structure_get_joint(s->structure, place->joint);
  ms_joint *probe = NULL;
  if (ms_joint_count_members(j) > 0) j = ms_joint_get_member(j, place->member);
  ms_status status = ms_joint_create(s->ctx, ms_joint_info(j)->name, &probe);
  if (status == MS_SUCCESS) status = ms_joint_set(probe, place->param, bound->lower);
  if (status == MS_SUCCESS) status = ms_joint_set(probe, place->param, bound->upper);
  ms_joint_destroy(&probe);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, node, status);
}

/* Bounds are SI from now on. */
static ms_status read_parameter(const ms_study *s, struct fy_node *key, struct fy_node *value,
                                ms_calibrate_parameter *p, ms_fit_parameter *bound) {
  double factor;
  MS_TRY(ms_yaml_bounds(&s->yaml, value, &bound->lower, &bound->upper));
  MS_TRY(ms_calibrate_find_places(s, key, p, &factor));
  bound->lower *= factor;
  bound->upper *= factor;
  for (ptrdiff_t i = 0; i < p->n_place; i++) {
    MS_TRY(check_bounds(s, value, &p->place[i], bound));
  }
  bound->name = p->name;
  bound->logarithmic = bound->lower > 0.0 && bound->upper >= WIDE * bound->lower;
  return MS_SUCCESS;
}

static ms_status read_parameters(const ms_study *s, struct fy_node *node, ms_calibrate *c) {
  void *at = NULL;
  ptrdiff_t count = ms_yaml_is_mapping(node) ? ms_yaml_count(node) : 0;
  if (count < 1 || count > 32) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "parameters are 1 to 32 of joint.parameter: [lowest, highest]");
  }
  MS_TRY(ms_allocate(s->ctx, count, sizeof *c->parameter, &c->parameter));
  MS_TRY(ms_allocate(s->ctx, count, sizeof *c->bound, &c->bound));
  MS_TRY(ms_allocate(s->ctx, count, sizeof *c->free, &c->free));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    ms_calibrate_parameter *p = &c->parameter[c->n++];
    MS_TRY(read_parameter(s, key, value, p, &c->bound[c->n - 1]));
    for (ptrdiff_t i = 0; i + 1 < c->n; i++) {
      MS_TRY(ms_calibrate_check_twice(s, key, &c->parameter[i], p));
    }
    c->free[c->n - 1] = (ms_free_parameter) { p->name, p->n_place, p->place };
  }
  return MS_SUCCESS;
}

/* ---- method ---- */

/* Options that not every method knows. */
static ms_status check_method(const ms_study *s, const ms_task *task, const ms_calibrate *c) {
  static const char *const of[][2] = {
    { "starts", "local or posterior" }, { "points", "nsga2" },    { "generations", "nsga2" },
    { "walkers", "posterior" },         { "steps", "posterior" }, { "burn", "posterior" },
  };
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    struct fy_node *node = ms_yaml_get(task->node, of[i][0]);
    if (!node || strstr(of[i][1], c->method->name)) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "%s is for method %s, not %s", of[i][0],
                        of[i][1], c->method->name);
  }
  return MS_SUCCESS;
}

static ms_status check_even(const ms_study *s, const ms_task *task, const char *key,
                            ptrdiff_t value) {
  if (value % 2 == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, key), MS_ERR_BOUNDS,
                      "%s must be even, not %td", key, value);
}

/* Walkers must be able to span the space of the parameters twice. */
static ptrdiff_t least_walkers(const ms_calibrate *c) {
  return 2 * c->n + 2;
}

static ms_status check_counts(const ms_study *s, const ms_task *task, const ms_calibrate *c) {
  MS_TRY(check_even(s, task, "points", c->points));
  MS_TRY(check_even(s, task, "walkers", c->walkers));
  if (c->walkers >= least_walkers(c)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "walkers"), MS_ERR_BOUNDS,
                      "%td parameters need at least %td walkers, not %td", c->n, least_walkers(c),
                      c->walkers);
}

static ms_calibrate start_with(const options *o) {
  return (ms_calibrate) { .method = methods[o->method],
                          .starts = o->starts,
                          .points = o->points,
                          .generations = o->generations,
                          .walkers = o->walkers,
                          .steps = o->steps,
                          .burn = o->burn,
                          .noise = o->noise > 0.0 ? o->noise : 0.0,
                          .misfit_limit = o->misfit_limit,
                          .each = o->objectives,
                          .seed = (uint64_t)o->seed };
}

/* ---- all of it ---- */

/* The target that fails alone as all of them do together: complaints do not know their place. What
   only all have in common, too few numbers, say, is the whole list's. */
static struct fy_node *find_guilty(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  char message[512];
  snprintf(message, sizeof message, "%s", ms_context_message(s->ctx));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    ms_calibrate one = *c;
    void *model = NULL;
    one.target += k;
    one.n_target = 1;
    ms_status status = one.target->kind->open_model(s->ctx, &one, s->structure, &model);
    if (model) one.target->kind->close_model(&model);
    if (status == MS_SUCCESS) continue;
    if (strncmp(message, ms_context_message(s->ctx), sizeof message - 1) == 0)
      return one.target->node;
  }
  ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s", message);
  return ms_yaml_get(task->node, "targets");
}

/* Where all points are there already, everything else that could be wrong is found now. */
static ms_status try_targets(ms_study *s, const ms_task *task, ms_calibrate *c) {
  ms_evaluator *trial = NULL;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].from) return MS_SUCCESS;
  }
  ms_status status = ms_evaluator_open(s->ctx, c, s->structure, &trial);
  ms_evaluator_close(&trial);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  return ms_yaml_fail_here(&s->yaml, find_guilty(s, task, c), status);
}

ms_status ms_calibrate_check(ms_study *s, ms_task *task) {
  ms_calibrate *c;
  options o = { 0 };
  MS_TRY(ms_options_read_task(s, task, &o));
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c, &c));
  *c = start_with(&o);
  task->product = c;
  MS_TRY(read_parameters(s, o.parameters, c));
  if (o.walkers < 0) c->walkers = c->n > 7 ? 2 * least_walkers(c) : 32;
  MS_TRY(ms_calibrate_read_targets(s, task, o.targets, c));
  MS_TRY(check_method(s, task, c));
  MS_TRY(check_counts(s, task, c));
  MS_TRY(ms_verify_read(s, task, o.verify, c));
  return try_targets(s, task, c);
}
