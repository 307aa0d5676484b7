/* identify_density: the slider density of a joint from its losses per cycle against amplitude, with
   its band, where it can be trusted, and the table that law iwan_table reads. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/identify_density/identify_density.h"
#include "study/analyses/stepped_sine/stepped_sine.h"
#include "study/model/build.h"

typedef ms_density_options options;

static const ms_param preload_keys[] = {
  { .name = "from",
    .offset = offsetof(options, load) + 1,
    .kind = MS_PARAM_NUMBER,
    .unit = "N",
    MS_POSITIVE,
    MS_REQUIRED,
    .meaning = "normal load under which the energy was dissipated" },
  { .name = "to",
    .offset = offsetof(options, other_loads) + 1,
    .kind = MS_PARAM_NUMBERS,
    .unit = "N",
    MS_POSITIVE,
    MS_REQUIRED,
    .meaning = "one other normal load or several, at most 8" },
  { .name = "stiffness",
    .offset = offsetof(options, load_stiffness) + 1,
    .kind = MS_PARAM_FORMS,
    .forms = "word, list or mapping",
    MS_ELSE("constant"),
    .meaning = "tangential stiffness against the load, as under `normal` of a joint" },
};

static const ms_param column_keys[] = {
  MS_WORD(options, amplitude, MS_ELSE("amplitude"), "of the displacement"),
  MS_WORD(options, loss, MS_ELSE("loss"), "energy dissipated per cycle"),
  MS_WORD(options, deviation, MS_ELSE("deviation, which a table need not have"),
          "standard deviation of the energy, in its unit"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_PATH(options, file, MS_OPTIONAL,
          "table of amplitudes and energies dissipated per cycle, in the study's units, in any "
          "order; the tables that `stepped_sine`, `frequency_response`, `hysteresis` and "
          "`force_state` write are read in SI in every study"),
  MS_MAPPING(options, columns, MS_ROWS(column_keys), MS_OPTIONAL,
             "what the table calls its columns"),
  MS_TASK(options, from, "stepped_sine|frequency_response|hysteresis|force_state", MS_OPTIONAL,
          "an earlier `stepped_sine` or `frequency_response`, of which every level counts where "
          "the joint moves most, `hysteresis` or `force_state`"),
  MS_JOINT(
      options, joint, MS_OPTIONAL,
      "joint that dissipates; required with a `stepped_sine` or `frequency_response`, and with "
      "a table whose column `joint` has several names"),
  MS_COUNT(options, mode, MS_FROM(1), MS_ELSE("its first"), "of a `stepped_sine`"),
  MS_PAIR(options, window, "-", MS_ANY, MS_ELSE("all"),
          "amplitudes that are used, length or, of a joint about an axis, rad; to end before "
          "macroslip, where a density is no longer smooth"),
  MS_NUMBER(options, noise, "-", MS_INSIDE(0, 1),
            MS_ELSE("standard deviations of a table or a `force_state`, or else estimated"),
            "relative standard deviation of all energies"),
  MS_COUNT(options, knots, MS_WITHIN(5, 1000), MS_DEFAULT(60), "of the density"),
  MS_NUMBER(options, level, "-", MS_INSIDE(0, 1), MS_DEFAULT(0.9), "of the bands"),
  MS_NUMBER(options, trust, "-", MS_POSITIVE, MS_DEFAULT(0.1),
            "largest relative standard deviation of a density that is trusted"),
  MS_NUMBER(options, stiffness, "-", MS_POSITIVE, MS_ELSE("that of the `joint`, if one is named"),
            "K_T of the stuck joint, force/length or, about an axis, moment/rad"),
  MS_CHOICE(options, rest, "slips|spring|none", MS_OPTIONAL,
            "what is missing of K_T, sliders beyond the largest amplitude for one: slips at the "
            "largest slip displacement, is a spring K_inf, or none is added"),
  MS_JOINT(options, compare, MS_OPTIONAL,
           "joint whose own density and dissipated energies are drawn beside"),
  MS_TASK(options, loops, "hysteresis|force_state", MS_OPTIONAL,
          "an earlier `hysteresis` or `force_state`: its loops are compared with those that the "
          "density makes of the same displacement under constant normal load"),
  MS_NUMBER(options, tolerance, "-", MS_POSITIVE, MS_DEFAULT(0.05),
            "rms difference of two loops, over the peak force, up to which they agree"),
  MS_MAPPING(options, preloads, MS_ROWS(preload_keys), MS_OPTIONAL,
             "the density under other normal loads"),
};

static void close_product(ms_study *s, ms_task *task) {
  ms_identified *p = task->product;
  ms_losses_destroy(s->ctx, &p->losses);
  ms_density_identified_destroy(s->ctx, &p->found);
  ms_free(s->ctx, &p->pairs.pair);
  ms_free(s->ctx, &p->pairs.first);
  ms_free(s->ctx, &p->pairs.u);
}

/* ---- options ---- */

static ms_status check_source(ms_study *s, const ms_task *task, const options *o) {
  struct fy_node *from = ms_yaml_get(task->node, "from"), *mode = ms_yaml_get(task->node, "mode");
  int known = s->outline && s->reduced; /* then its modes are stand-ins */
  if (!from == !o->file) {
    return ms_yaml_fail(&s->yaml, task->key, MS_ERR_FORMAT,
                        "%s needs one of file, a table of losses, and from, an earlier analysis",
                        task->name);
  }
  if (from && o->joint < 0 && ms_losses_need_joint(o->from)) {
    return ms_yaml_fail(&s->yaml, from, MS_ERR_NAME,
                        "of %s the losses of one joint are read: say which with joint",
                        o->from->name);
  }
  if (!mode) return MS_SUCCESS;
  if (!from || strcmp(o->from->kind->name, "stepped_sine") != 0) {
    return ms_yaml_fail(&s->yaml, mode, MS_ERR_NAME, "mode is that of a stepped_sine under from");
  }
  const ms_stepped_product *stepped = o->from->product;
  for (ptrdiff_t i = 0; i < stepped->n; i++) known |= stepped->run[i].mode + 1 == o->mode;
  if (known) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, mode, MS_ERR_BOUNDS, "%s has no mode %td", o->from->name, o->mode);
}

/* Every load has a table of its own. */
static ms_status take_loads(const ms_study *s, const options *o, ms_identified *p) {
  const ms_builder b = { .study = s, .y = &s->yaml, .ctx = s->ctx, .units = &s->units };
  struct fy_node *to = ms_yaml_get(o->preloads, "to");
  if (o->other_loads.n > MS_PRELOADS) {
    return ms_yaml_fail(&s->yaml, to, MS_ERR_BOUNDS, "at most %d preloads", (int)MS_PRELOADS);
  }
  for (ptrdiff_t i = 0; i < o->other_loads.n; i++) {
    ms_preload *q = &p->preload[p->n_preload++];
    q->to = o->other_loads.value[i];
    q->named = q->to / s->units.force;
    snprintf(q->ending, sizeof q->ending, "_at_%.6g", q->named);
    for (const ms_preload *other = p->preload; other < q; other++) {
      if (strcmp(q->ending, other->ending) != 0) continue;
      return ms_yaml_fail(&s->yaml, to, MS_ERR_BOUNDS,
                          "preloads %.9g and %.9g are the same to six digits: leave one out",
                          other->named, q->named);
    }
    q->load = q->to / o->load;
    MS_TRY(ms_build_stiffness_ratio(&b, o->load_stiffness, o->load, q->to, &q->stiffness));
    q->phi = q->load / q->stiffness;
    q->rho = q->stiffness / q->phi;
  }
  return MS_SUCCESS;
}

/* What the stuck joint has, in the file or by its law; 0 where neither says. */
static ms_status find_stiffness(ms_study *s, const options *o, double *K_T) {
  const ms_units units = ms_losses_units(s, o);
  double force;
  if (o->stiffness > 0.0) {
    *K_T = o->stiffness * units.force / units.length;
  } else if (o->joint >= 0) {
    ms_joint *joint = ms_structure_get_joint(s->structure, o->joint);
    MS_TRY(ms_joint_eval_virgin(joint, 0.0, &force, K_T));
  }
  if (!(*K_T > 0.0 && *K_T < HUGE_VAL)) *K_T = 0.0;
  return MS_SUCCESS;
}

/* Options that would do nothing are mistakes. */
static ms_status check_use(const ms_study *s, struct fy_node *node, const options *o, double K_T) {
  const struct {
    const char *key;
    int used;
    const char *needs;
  } option[] = { { "columns", !o->from, "file" },
                 { "tolerance", o->loops != NULL, "loops" },
                 { "rest", K_T > 0.0 || o->rest == MS_DENSITY_REST_NONE,
                   "stiffness, or a joint that has one" } };
  for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
    struct fy_node *given = ms_yaml_get(node, option[i].key);
    if (!given || option[i].used) continue;
    return ms_yaml_fail(&s->yaml, given, MS_ERR_FORMAT, "%s does nothing without %s", option[i].key,
                        option[i].needs);
  }
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_identified *p = task->product;
  MS_TRY(check_source(s, task, o));
  if (o->file) MS_TRY(ms_losses_read(s, task, &p->losses));
  MS_TRY(take_loads(s, o, p));
  MS_TRY(find_stiffness(s, o, &p->K_T));
  return check_use(s, task->node, o, p->K_T);
}

/* ---- the run ---- */

/* Rows of one source stand together. */
static ms_status pair_loops(ms_study *s, const options *o, ms_identified *p) {
  ms_pairs *q = &p->pairs;
  const ms_result_table *from = ms_result_find_table(o->loops->result, "_loops");
  const ptrdiff_t rows = from ? ms_result_table_rows(from) : 0;
  const size_t bytes = (size_t)rows * sizeof *q->u;
  if (rows == 0) return ms_fail(s->ctx, MS_ERR_STATE, "%s has no loops", o->loops->name);
  const int source = ms_result_table_find_column(from, "source");
  MS_TRY(ms_allocate(s->ctx, rows + 1, sizeof *q->first, &q->first));
  for (ptrdiff_t i = 0; i < rows; i++) {
    const char *word = ms_result_table_word(from, source, i);
    if (i > 0 && strcmp(word, ms_result_table_word(from, source, i - 1)) == 0) continue;
    q->first[q->n++] = i;
  }
  q->first[q->n] = rows;
  MS_TRY(ms_allocate(s->ctx, q->n, sizeof *q->pair, &q->pair));
  MS_TRY(ms_allocate(s->ctx, 3 * rows, sizeof *q->u, &q->u));
  q->f = q->u + rows;
  q->predicted = q->u + 2 * rows;
  memcpy(q->u, ms_result_table_find_numbers(from, "displacement"), bytes);
  memcpy(q->f, ms_result_table_find_numbers(from, "force"), bytes);
  return ms_density_pair_loops(s->ctx, &p->found.table, q->n, q->first, o->tolerance, q->u, q->f,
                               q->predicted, q->pair);
}

static ms_status run(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_identified *p = task->product;
  ms_joint *joint = o->compare < 0 ? NULL : ms_structure_get_joint(s->structure, o->compare);
  ms_density_estimate_setting setting = MS_DENSITY_ESTIMATE_DEFAULT;
  if (o->noise > 0.0) setting.noise = o->noise;
  setting.knots = (int)o->knots;
  setting.level = o->level;
  setting.trust = o->trust;
  if (o->from) MS_TRY(ms_losses_gather(s, task, &p->losses));
  ms_status status = ms_density_identify(s->ctx, &p->losses, &setting, p->K_T,
                                         (ms_density_rest)o->rest, joint, &p->found);
  MS_TRY(ms_yaml_fail_here(&s->yaml, task->key, status));
  return o->loops ? pair_loops(s, o, p) : MS_SUCCESS;
}

const ms_analysis ms_analysis_identify_density = {
  .name = "identify_density",
  .title = "Slider density from dissipated energy",
  .meaning =
      "The slider density of a joint from its energy dissipated per cycle against amplitude, "
      "measured or of an earlier analysis: as smooth as the noise allows, with its band and the "
      "amplitude up to which it can be trusted, and as a table for the law iwan_table.",
  MS_KEYS(keys, options, ms_identified),
  .alone = 1,
  .check = check,
  .run = run,
  .judge = ms_identified_judge,
  .result = ms_identified_fill_result,
  .close = close_product,
};
