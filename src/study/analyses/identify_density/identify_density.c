/* identify_density: the slider density of a joint from its losses per cycle against amplitude, with
   its band, where it can be trusted, and the table that law iwan_table reads. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/identify_density/identify_density.h"
#include "study/analyses/stepped_sine/stepped_sine.h"
#include "study/file/options.h"
#include "study/model/build.h"

typedef struct preload_options {
  double from;
  ms_numbers to;
  struct fy_node *stiffness;
} preload_options;

static const ms_param preload_keys[] = {
  MS_NUMBER(preload_options, from, "N", MS_POSITIVE, MS_REQUIRED,
            "normal load under which the energy was dissipated"),
  MS_NUMBERS(preload_options, to, "N", MS_POSITIVE, MS_REQUIRED,
             "one other normal load or several, at most 8"),
  MS_FORMS(preload_options, stiffness, "word, list or mapping", MS_ELSE("constant"),
           "tangential stiffness against the load, as under `normal` of a joint"),
};
static const ms_param_list preloads_list = MS_LIST_OF(preload_keys);

typedef struct options {
  const char *file, *from, *joint, *compare, *loops;
  struct fy_node *columns, *preloads;
  ptrdiff_t mode, knots;
  double window[2], noise, level, trust, stiffness, tolerance;
  int rest;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_PATH(options, file, MS_OPTIONAL,
          "table of amplitudes and energies dissipated per cycle, in the study's units, in any "
          "order; the tables that `stepped_sine`, `frequency_response`, `hysteresis` and "
          "`force_state` write are read in SI in every study"),
  MS_FORMS_WITH(options, columns, "mapping", ms_losses_columns, MS_OPTIONAL,
                "what the table calls its columns"),
  MS_WORD(options, from, MS_OPTIONAL,
          "an earlier `stepped_sine` or `frequency_response`, of which every level counts where "
          "the joint moves most, `hysteresis` or `force_state`"),
  MS_WORD(options, joint, MS_OPTIONAL,
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
  MS_WORD(options, compare, MS_OPTIONAL,
          "joint whose own density and dissipated energies are drawn beside"),
  MS_WORD(options, loops, MS_OPTIONAL,
          "an earlier `hysteresis` or `force_state`: its loops are compared with those that the "
          "density makes of the same displacement under constant normal load"),
  MS_NUMBER(options, tolerance, "-", MS_POSITIVE, MS_DEFAULT(0.05),
            "rms difference of two loops, over the peak force, up to which they agree"),
  MS_FORMS_WITH(options, preloads, "mapping", preloads_list, MS_OPTIONAL,
                "the density under other normal loads"),
};
enum { N_KEYS = sizeof keys / sizeof *keys };

static void close_product(ms_study *s, ms_task *task) {
  ms_identified *p = task->product;
  ms_losses_destroy(s->ctx, &p->losses);
  ms_density_identified_destroy(s->ctx, &p->found);
  ms_free(s->ctx, &p->pairs.pair);
  ms_free(s->ctx, &p->pairs.first);
  ms_free(s->ctx, &p->pairs.u);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_from(ms_study *s, ms_task *task, struct fy_node *from, ms_identified *p) {
  int needs_joint;
  MS_TRY(ms_study_find_task(s, task, from, NULL, &p->from));
  if (!ms_losses_has(p->from, &needs_joint)) {
    return ms_yaml_fail(&s->yaml, from, MS_ERR_NAME, "%s is a %s, which has no losses of a joint",
                        p->from->name, p->from->kind->name);
  }
  if (needs_joint && p->joint < 0) {
    return ms_yaml_fail(&s->yaml, from, MS_ERR_NAME,
                        "of %s the losses of one joint are read: say which with joint",
                        p->from->name);
  }
  return MS_SUCCESS;
}

/* Of a stepped_sine, which may have several. */
static ms_status check_mode(ms_study *s, struct fy_node *node, const options *o, ms_identified *p) {
  int known = s->outline && s->reduced; /* then its modes are stand-ins */
  if (!node) return MS_SUCCESS;
  if (!p->from || strcmp(p->from->kind->name, "stepped_sine") != 0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "mode is that of a stepped_sine under from");
  }
  const ms_stepped_product *stepped = p->from->product;
  for (ptrdiff_t i = 0; i < stepped->n; i++) known |= stepped->run[i].mode + 1 == o->mode;
  p->mode = (int)o->mode;
  if (known) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "%s has no mode %td", p->from->name, o->mode);
}

/* ---- loops and preloads ---- */

static ms_status read_loops(const ms_study *s, const ms_task *task, struct fy_node *loops,
                            ms_pairs *out) {
  static const char *const kinds[] = { "hysteresis", "force_state" };
  if (!loops) return MS_SUCCESS;
  MS_TRY(ms_study_find_task(s, task, loops, NULL, &out->from));
  for (int i = 0; i < 2; i++) {
    if (strcmp(out->from->kind->name, kinds[i]) == 0) return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, loops, MS_ERR_NAME,
                      "%s is a %s; loops are those of a hysteresis or force_state", out->from->name,
                      out->from->kind->name);
}

/* Every load has a table of its own. */
static ms_status take_loads(const ms_study *s, struct fy_node *node, const preload_options *o,
                            ms_identified *p) {
  const ms_builder b = { .study = s, .y = &s->yaml, .ctx = s->ctx, .units = &s->units };
  struct fy_node *to = ms_yaml_get(node, "to");
  if (o->to.n > MS_PRELOADS) {
    return ms_yaml_fail(&s->yaml, to, MS_ERR_BOUNDS, "at most %d preloads", (int)MS_PRELOADS);
  }
  for (ptrdiff_t i = 0; i < o->to.n; i++) {
    ms_preload *q = &p->preload[p->n_preload++];
    *q = (ms_preload) { .from = o->from,
                        .to = o->to.value[i],
                        .named = o->to.value[i] / s->units.force };
    snprintf(q->ending, sizeof q->ending, "_at_%.6g", q->named);
    for (const ms_preload *other = p->preload; other < q; other++) {
      if (strcmp(q->ending, other->ending) != 0) continue;
      return ms_yaml_fail(&s->yaml, to, MS_ERR_BOUNDS,
                          "preloads %.9g and %.9g are the same to six digits: leave one out",
                          other->named, q->named);
    }
    q->load = q->to / q->from;
    MS_TRY(ms_build_stiffness_ratio(&b, o->stiffness, q->from, q->to, &q->stiffness));
    q->phi = q->load / q->stiffness;
    q->rho = q->stiffness / q->phi;
  }
  return MS_SUCCESS;
}

static ms_status read_preloads(const ms_study *s, struct fy_node *node, ms_identified *p) {
  const ms_param_list *list = &preloads_list;
  preload_options o = { 0 };
  if (!node) return MS_SUCCESS;
  ms_status status = ms_options_read(s, node, NULL, "preloads", list->param, list->n, &o);
  if (status == MS_SUCCESS) status = take_loads(s, node, &o, p);
  ms_options_free(s->ctx, list->param, list->n, &o);
  return status;
}

/* ---- losses and stiffness ---- */

/* As the joint has them, or the study. */
static ms_units units_of(const ms_study *s, const ms_identified *p) {
  return p->joint < 0 ? s->units : ms_study_joint_units(s, p->joint);
}

static ms_status read_losses(ms_study *s, ms_task *task, ms_identified *p) {
  struct fy_node *from = ms_yaml_get(task->node, "from"), *file = ms_yaml_get(task->node, "file");
  if (!from == !file) {
    return ms_yaml_fail(&s->yaml, task->key, MS_ERR_FORMAT,
                        "%s needs one of file, a table of losses, and from, an earlier analysis",
                        task->name);
  }
  if (from) return read_from(s, task, from, p);
  const ms_units units = units_of(s, p);
  MS_TRY(ms_losses_read(s, task, file, &units, p));
  if (p->losses.n >= 6) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, file, MS_ERR_BOUNDS,
                      "%td losses; a density needs six (%td without a loss or outside the window)",
                      p->losses.n, p->losses.left_out);
}

/* What the stuck joint has, in the file or by its law; 0 where neither says. */
static ms_status find_stiffness(ms_study *s, const options *o, ms_identified *p) {
  const ms_units units = units_of(s, p);
  double force;
  if (o->stiffness > 0.0) {
    p->K_T = o->stiffness * units.force / units.length;
  } else if (p->joint >= 0) {
    ms_joint *joint = ms_structure_get_joint(s->structure, p->joint);
    MS_TRY(ms_joint_eval_virgin(joint, 0.0, &force, &p->K_T));
  }
  if (!(p->K_T > 0.0 && p->K_T < HUGE_VAL)) p->K_T = 0.0;
  return MS_SUCCESS;
}

/* Options that would do nothing are mistakes. */
static ms_status check_use(const ms_study *s, struct fy_node *node, const ms_identified *p) {
  const struct {
    const char *key;
    int used;
    const char *needs;
  } option[] = { { "columns", !p->from, "file" },
                 { "tolerance", p->pairs.from != NULL, "loops" },
                 { "rest", p->K_T > 0.0 || p->rest == MS_DENSITY_REST_NONE,
                   "stiffness, or a joint that has one" } };
  for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
    struct fy_node *given = ms_yaml_get(node, option[i].key);
    if (!given || option[i].used) continue;
    return ms_yaml_fail(&s->yaml, given, MS_ERR_FORMAT, "%s does nothing without %s", option[i].key,
                        option[i].needs);
  }
  return MS_SUCCESS;
}

static void set_up(const ms_study *s, const options *o, ms_identified *p) {
  const double length = units_of(s, p).length;
  p->setting = (ms_density_estimate_setting)MS_DENSITY_ESTIMATE_DEFAULT;
  if (o->noise > 0.0) p->setting.noise = o->noise;
  p->setting.knots = (int)o->knots;
  p->setting.level = o->level;
  p->setting.trust = o->trust;
  p->pairs.tolerance = o->tolerance;
  p->rest = (ms_density_rest)o->rest;
  p->window[0] = isnan(o->window[0]) ? 0.0 : length * o->window[0];
  p->window[1] = isnan(o->window[1]) ? HUGE_VAL : length * o->window[1];
}

static ms_status check(ms_study *s, ms_task *task) {
  struct fy_node *node = task->node;
  options o = { 0 };
  ms_identified *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  p->joint = p->compare = -1;
  MS_TRY(ms_options_read_own(s, task, &o));
  if (o.joint) MS_TRY(ms_study_find_joint(s, ms_yaml_get(node, "joint"), &p->joint));
  if (o.compare) MS_TRY(ms_study_find_joint(s, ms_yaml_get(node, "compare"), &p->compare));
  set_up(s, &o, p);
  MS_TRY(read_losses(s, task, p));
  MS_TRY(check_mode(s, ms_yaml_get(node, "mode"), &o, p));
  MS_TRY(read_preloads(s, o.preloads, p));
  MS_TRY(read_loops(s, task, ms_yaml_get(node, "loops"), &p->pairs));
  MS_TRY(find_stiffness(s, &o, p));
  return check_use(s, node, p);
}

/* ---- the run ---- */

/* Rows of one source stand together. */
static ptrdiff_t find_loops(const ms_result_table *from, ptrdiff_t *first) {
  const int source = ms_result_table_find_column(from, "source");
  const ptrdiff_t rows = ms_result_table_rows(from);
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < rows; i++) {
    if (i == 0 || strcmp(ms_result_table_word(from, source, i),
                         ms_result_table_word(from, source, i - 1)) != 0) {
      first[n++] = i;
    }
  }
  first[n] = rows;
  return n;
}

static ms_status pair_loops(ms_study *s, ms_identified *p) {
  ms_pairs *q = &p->pairs;
  const ms_result_table *from = ms_result_table_find(s, q->from, "_loops");
  const ptrdiff_t rows = from ? ms_result_table_rows(from) : 0;
  const size_t bytes = (size_t)rows * sizeof *q->u;
  if (rows == 0) return ms_fail(s->ctx, MS_ERR_STATE, "%s has no loops", q->from->name);
  MS_TRY(ms_allocate(s->ctx, rows + 1, sizeof *q->first, &q->first));
  q->n = find_loops(from, q->first);
  MS_TRY(ms_allocate(s->ctx, q->n, sizeof *q->pair, &q->pair));
  MS_TRY(ms_allocate(s->ctx, 3 * rows, sizeof *q->u, &q->u));
  q->f = q->u + rows;
  q->predicted = q->u + 2 * rows;
  memcpy(q->u, ms_result_table_column(from, ms_result_table_find_column(from, "displacement")),
         bytes);
  memcpy(q->f, ms_result_table_column(from, ms_result_table_find_column(from, "force")), bytes);
  return ms_density_pair_loops(s->ctx, &p->found.table, q->n, q->first, q->tolerance, q->u, q->f,
                               q->predicted, q->pair);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_identified *p = task->product;
  ms_joint *joint = p->compare < 0 ? NULL : ms_structure_get_joint(s->structure, p->compare);
  if (p->from) MS_TRY(ms_losses_gather(s, task, p));
  ms_status status =
      ms_density_identify(s->ctx, &p->losses, &p->setting, p->K_T, p->rest, joint, &p->found);
  MS_TRY(ms_yaml_fail_here(&s->yaml, task->key, status));
  return p->pairs.from ? pair_loops(s, p) : MS_SUCCESS;
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_identified *p = task->product;
  return p->from == other || p->pairs.from == other;
}

const ms_analysis ms_analysis_identify_density = {
  .needs = needs,
  .name = "identify_density",
  .meaning =
      "The slider density of a joint from its energy dissipated per cycle against amplitude, "
      "measured or of an earlier analysis: as smooth as the noise allows, with its band and the "
      "amplitude up to which it can be trusted, and as a table for the law iwan_table.",
  .keys = keys,
  .n_keys = N_KEYS,
  .alone = 1,
  .check = check,
  .run = run,
  .judge = ms_identified_judge,
  .result = ms_identified_fill_result,
  .close = close_product,
};
