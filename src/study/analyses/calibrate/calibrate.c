/* calibrate: parameters of joints from measured or simulated data, by many local fits, by a search
   over several objectives, or by samples of their posterior. */
#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/hammer_test/hammer_test.h"

#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/param.h"

typedef ms_calibrate_options options;

#define MS_CALIBRATE(name) extern const ms_calibrate_method ms_calibrate_##name;
#include "study/analyses/calibrate/methods.def"
#undef MS_CALIBRATE

static const ms_calibrate_method *const methods[] = {
#define MS_CALIBRATE(name) &ms_calibrate_##name,
#include "study/analyses/calibrate/methods.def"
#undef MS_CALIBRATE
  NULL
};

/* "|local|nsga2|..." */
static const char method_names[] =
#define MS_CALIBRATE(name) "|" #name
#include "study/analyses/calibrate/methods.def"
#undef MS_CALIBRATE
    ;

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

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_FORMS(
      options, parameters, "mapping", MS_REQUIRED,
      "joint.parameter: [lowest, highest], e.g. lap.K_T: [1e6, 1e9]; searched on a "
      "logarithmic scale where both are positive and ten times apart. The joint may be a "
      "pattern: all joints of bolt.*.F_S have one value. Also mode.1.damping; of a chain and of "
      "`attached` spring.1 (the first, or its name) and mass.NAME; of hammer tests hammer.gain and "
      "sensor.NAME.gain; with contacts between solids contacts.lap.mu and others"),
  MS_FORMS_WITH(options, targets, "mapping or list of mappings", MS_ROWS(targets_keys), MS_REQUIRED,
                "what to match, of one or several kinds"),
  MS_CHOICE(options, method, method_names + 1, MS_OPTIONAL,
            "local: least squares from many starts, and which parameters are not determined; "
            "nsga2: Pareto front of frequency and damping; posterior: how likely parameters are "
            "given the data"),
  MS_COUNT(options, starts, MS_FROM(1), MS_DEFAULT(20),
           "of local and posterior: number of fits, spread over the bounds; of measured targets "
           "the first has the values of the study"),
  MS_NUMBER(options, noise, NULL, MS_POSITIVE,
            MS_ELSE("the residual of the fit, at least 0.01; of impacts with noise 1e-4"),
            "of local and posterior: standard deviation of the damping, relative, and of "
            "frequency over the target's own shift (its highest frequency less its lowest), that "
            "standard errors and the posterior suppose: 0.02 is 2 % of damping, and 0.02 Hz where "
            "the frequency falls by 1 Hz. Where the residual of the fit is larger, the standard "
            "errors are based on the residual"),
  MS_NUMBER(options, misfit_limit, NULL, MS_POSITIVE, MS_DEFAULT(0.1),
            "without `noise`, and of nsga2: a fit is poor, and the analysis suspect, where a "
            "quantity of a target is off by more (rms, relative; a frequency over its shift)"),
  MS_COUNT(options, points, MS_FROM(4), MS_DEFAULT(100), "of nsga2: of a generation, even"),
  MS_COUNT(options, generations, MS_FROM(1), MS_DEFAULT(100), "of nsga2"),
  MS_CHOICE(options, objectives, "total|targets", MS_OPTIONAL,
            "of nsga2: total, one for each quantity, such as frequency and damping, the weighted "
            "mean over the targets; targets, each quantity of each target"),
  MS_COUNT(options, walkers, MS_FROM(4), MS_ELSE("8 chains; with `steps` 32, or twice the least"),
           "of posterior: even, at least 2 more than twice the parameters"),
  MS_COUNT(options, steps, MS_FROM(4), MS_ELSE("until the chains have converged, 5000 at most"),
           "of posterior: a fixed number, of an ensemble of walkers; of each, that count"),
  MS_COUNT(options, burn, MS_NOT_NEGATIVE, MS_DEFAULT(500),
           "of posterior with `steps`: those before the ones that count"),
  MS_COUNT(options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1),
           "of starts, search and samples; the same seed gives the same results on any number of "
           "threads and processes"),
  MS_FORMS_WITH(options, verify, "word or mapping", ms_verify_keys, MS_ELSE("nothing"),
                "an earlier `modal_ringdown` or `shock`: its runs are made again in time with what "
                "was found"),
};

static void close_product(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  if (c->method) c->method->close(s, c);
  for (ptrdiff_t i = 0; i < c->n_solution; i++) ms_solution_free(s->ctx, &c->solution[i]);
  ms_free(s->ctx, &c->solution);
  ms_verify_close(s, &c->verify);
  ms_calibration_destroy(&c->main);
  for (ptrdiff_t i = 0; i < c->n; i++) ms_free(s->ctx, &c->parameter[i].place);
  ms_calibrate_close_targets(s, c);
  ms_free(s->ctx, &c->parameter);
  ms_free(s->ctx, &c->bound);
  ms_free(s->ctx, &c->free);
}

/* ---- options ---- */

/* Keys of other methods than this one are refused. */
static ms_status check_method(const ms_study *s, const ms_task *task, const char *name) {
  void *at = NULL;
  for (struct fy_node *key; ms_yaml_next_pair(task->node, &at, &key);) {
    char of[80] = "";
    const char *word;
    int known = 0;
    MS_TRY(ms_yaml_text(&s->yaml, key, "a key", &word));
    for (int i = 0; methods[i]; i++) {
      const ms_param own = { .choices = methods[i]->keys };
      if (ms_param_find_choice(&own, word) < 0) continue;
      known |= strcmp(methods[i]->name, name) == 0;
      snprintf(of + strlen(of), sizeof of - strlen(of), "%s%s", of[0] ? " or " : "",
               methods[i]->name);
    }
    if (known || !of[0]) continue;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, word), MS_ERR_NAME,
                        "%s is for method %s, not %s", word, of, name);
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_check_even(const ms_study *s, const ms_task *task, const char *key,
                                  ptrdiff_t value) {
  if (value % 2 == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, key), MS_ERR_BOUNDS,
                      "%s must be even, not %td", key, value);
}

/* Where all points are there already, everything else that could be wrong is found now. */
static ms_status try_targets(ms_study *s, const options *o, const ms_calibrate *c) {
  ptrdiff_t guilty;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].from) return MS_SUCCESS;
  }
  ms_status status = ms_calibration_try(s->structure, c->n, c->free, c->n_target, c->is, &guilty);
  return ms_yaml_fail_here(&s->yaml, guilty < 0 ? o->targets : c->target[guilty].node, status);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_calibrate *c = task->product;
  c->method = methods[o->method];
  MS_TRY(ms_joint_parameters_read(s, o->parameters, &c->n, &c->parameter, &c->bound, &c->free));
  MS_TRY(ms_calibrate_read_targets(s, task, o->targets, c));
  MS_TRY(check_method(s, task, c->method->name));
  if (c->method->check) MS_TRY(c->method->check(s, task));
  MS_TRY(ms_verify_read(s, task, o->verify, c));
  return try_targets(s, o, c);
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_calibrate *c = task->product;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].from == other) return 1;
  }
  return ms_verify_needs(c->verify, other);
}

/* ---- the run ---- */

/* What the study simulates it simulates with its own joints: a start there would be the answer. */
int ms_calibrate_is_measured(const ms_calibrate_target *target) {
  const ms_task *from = target->from;
  if (!from || strcmp(from->kind->name, "ringdown") == 0) return 1;
  if (strcmp(from->kind->name, "hammer_test") != 0) return 0;
  const ms_hammer_product *test = from->product;
  for (ptrdiff_t h = 0; h < test->n_hit; h++)
    if (test->hit[h].from) return 0;
  return 1;
}

ms_calibration_plan ms_calibrate_plan(const ms_study *s, const ms_task *task) {
  const options *o = task->options;
  const ms_calibrate *c = task->product;
  int begins = 1;
  for (ptrdiff_t k = 0; k < c->n_target; k++) begins &= ms_calibrate_is_measured(&c->target[k]);
  return (ms_calibration_plan) { .crew = ms_study_crew(s),
                                 .what = task->name,
                                 .n = c->n,
                                 .free = c->free,
                                 .bound = c->bound,
                                 .n_target = c->n_target,
                                 .target = c->is,
                                 .seed = (uint64_t)o->seed,
                                 .begins = begins };
}

/* The study's own joints have their parameters back when the calibration is destroyed. */
static ms_status run(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  MS_TRY(ms_calibrate_gather(s, c));
  ms_status status =
      ms_calibration_create(s->structure, c->n, c->free, c->n_target, c->is, &c->main);
  if (status != MS_SUCCESS) return ms_fail_at(s->ctx, status, "%s", task->name);
  const double start = ms_clock();
  status = c->method->run(s, task);
  const double seconds = ms_clock() - start;
  if (c->made > 0 && seconds > 0.0) {
    snprintf(task->note, sizeof task->note, "%td evaluations in %.2g s, %.0f per second", c->made,
             seconds, (double)c->made / seconds);
  }
  if (status == MS_SUCCESS && c->main && c->fits && c->fits->starts.count > 1) {
    const size_t n = strlen(task->note);
    snprintf(task->note + n, sizeof task->note - n, "%s%td of %td starts ended here",
             n > 0 ? "; " : "", c->fits->best.agree, c->fits->starts.count);
  }
  ms_calibration_destroy(&c->main);
  return status == MS_SUCCESS ? ms_verify_run(s, task, c) : status;
}

/* The others' share of the evaluations. */
static ms_status help(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  MS_TRY(ms_calibrate_gather(s, c));
  return c->method->run(s, task);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_calibrate *c = task->product;
  char text[400];
  if (ms_solution_unreached_warning(&c->solution[0], c->n_target, c->is, text, sizeof text))
    MS_TRY(ms_task_doubt(s, task, "%s", text));
  return c->method->judge(s, task);
}

const ms_analysis ms_analysis_calibrate = {
  .needs = needs,
  .name = "calibrate",
  .title = "Calibrated joint parameters",
  .meaning =
      "Parameters of joints with which the model matches the targets, such as quasi-static "
      "curves of frequency and damping against amplitude: by local fits from many starts, which "
      "also say what the data do not determine; as the Pareto front of several objectives; or "
      "as the posterior distribution given the data.",
  MS_KEYS(keys, options, ms_calibrate),
  .knows_contact = 1,
  .check = check,
  .run = run,
  .judge = judge,
  .help = help,
  .result = ms_calibrate_result,
  .close = close_product,
};
