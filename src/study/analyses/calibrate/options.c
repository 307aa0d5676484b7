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
  MS_TRY(check_even(s, task, "points", c->front.points));
  MS_TRY(check_even(s, task, "walkers", c->samples.walkers));
  if (c->samples.walkers >= least_walkers(c)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "walkers"), MS_ERR_BOUNDS,
                      "%td parameters need at least %td walkers, not %td", c->n, least_walkers(c),
                      c->samples.walkers);
}

static ms_calibrate start_with(const options *o) {
  return (ms_calibrate) {
    .method = methods[o->method],
    .misfit_limit = o->misfit_limit,
    .seed = (uint64_t)o->seed,
    .local = { .starts = o->starts, .noise = o->noise > 0.0 ? o->noise : 0.0 },
    .front = { .points = o->points, .generations = o->generations, .each = o->objectives },
    .samples = { .walkers = o->walkers, .steps = o->steps, .burn = o->burn },
  };
}

/* ---- all of it ---- */

/* The target that fails alone as all of them do together: complaints do not know their place. What
   only all have in common, too few numbers, say, is the whole list's. */
static struct fy_node *find_guilty(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  char message[512];
  snprintf(message, sizeof message, "%s", ms_context_message(s->ctx));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    ms_calibration *one = NULL;
    ms_status status = ms_calibration_create(s->structure, c->n, c->free, 1, &c->is[k], &one);
    ms_calibration_destroy(&one);
    if (status == MS_SUCCESS) continue;
    if (strncmp(message, ms_context_message(s->ctx), sizeof message - 1) == 0)
      return c->target[k].node;
  }
  ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s", message);
  return ms_yaml_get(task->node, "targets");
}

/* Where all points are there already, everything else that could be wrong is found now. */
static ms_status try_targets(ms_study *s, const ms_task *task, ms_calibrate *c) {
  ms_calibration *trial = NULL;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].from) return MS_SUCCESS;
  }
  ms_status status = ms_calibration_create(s->structure, c->n, c->free, c->n_target, c->is, &trial);
  ms_calibration_destroy(&trial);
  return ms_yaml_fail_here(&s->yaml, find_guilty(s, task, c), status);
}

ms_status ms_calibrate_check(ms_study *s, ms_task *task) {
  ms_calibrate *c;
  options o = { 0 };
  MS_TRY(ms_options_read_own(s, task, &o));
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c, &c));
  *c = start_with(&o);
  task->product = c;
  MS_TRY(ms_joint_parameters_read(s, o.parameters, &c->n, &c->parameter, &c->bound, &c->free));
  if (o.walkers < 0) c->samples.walkers = c->n > 7 ? 2 * least_walkers(c) : 32;
  MS_TRY(ms_calibrate_read_targets(s, task, o.targets, c));
  MS_TRY(check_method(s, task, c));
  MS_TRY(check_counts(s, task, c));
  MS_TRY(ms_verify_read(s, task, o.verify, c));
  return try_targets(s, task, c);
}
