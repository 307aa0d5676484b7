/* identify_density: the slider density of a joint from its losses per cycle against amplitude, with
   its band, where it can be trusted, and the table that law iwan_table reads. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/identify_density/identify_density.h"
#include "study/analyses/stepped_sine/stepped_sine.h"
#include "study/file/options.h"

typedef struct options {
  const char *file, *from, *joint, *compare, *loops;
  struct fy_node *columns, *preloads;
  ptrdiff_t mode, knots;
  double window[2], noise, level, trust, stiffness, tolerance;
  int rest;
} options;

static const char *const rests[] = { "slips", "spring", "none" };

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
  MS_FORMS_WITH(options, preloads, "mapping", ms_preloads_keys, MS_OPTIONAL,
                "the density under other normal loads"),
};
enum { N_KEYS = sizeof keys / sizeof *keys };

static void close_product(ms_study *s, ms_task *task) {
  ms_identified *p = task->product;
  ms_losses_free(s->ctx, &p->losses);
  ms_density_estimate_free(s->ctx, &p->estimate);
  ms_free(s->ctx, &p->table.phi);
  ms_free(s->ctx, &p->own);
  ms_free(s->ctx, &p->pairs.pair);
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
  const ms_stepped *stepped = p->from->product;
  for (int i = 0; i < stepped->n_mode; i++) known |= stepped->mode[i] + 1 == o->mode;
  p->mode = (int)o->mode;
  if (known) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "%s has no mode %td", p->from->name, o->mode);
}

/* As the joint has them, or the study. */
static ms_units units_of(const ms_study *s, const ms_identified *p) {
  return p->joint < 0 ? s->units : ms_study_joint_units(s, p->joint);
}

/* Of a table all is known before the run. */
static ms_status check_losses(const ms_study *s, struct fy_node *file, ms_identified *p) {
  ms_losses_cut(&p->losses, p->window);
  if (p->losses.n >= 6) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, file, MS_ERR_BOUNDS,
                      "%td losses; a density needs six (%td without a loss or outside the window)",
                      p->losses.n, p->losses.left_out);
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
  MS_TRY(ms_losses_read(s, task, file, &units, &p->losses));
  return check_losses(s, file, p);
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
                 { "rest", p->K_T > 0.0 || strcmp(p->rest, "none") == 0,
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
  p->rest = rests[o->rest];
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
  MS_TRY(ms_options_read_task(s, task, &o));
  if (o.joint) MS_TRY(ms_study_find_joint(s, ms_yaml_get(node, "joint"), &p->joint));
  if (o.compare) MS_TRY(ms_study_find_joint(s, ms_yaml_get(node, "compare"), &p->compare));
  set_up(s, &o, p);
  MS_TRY(read_losses(s, task, p));
  MS_TRY(check_mode(s, ms_yaml_get(node, "mode"), &o, p));
  MS_TRY(ms_preloads_read(s, o.preloads, p));
  MS_TRY(ms_pairs_read(s, task, ms_yaml_get(node, "loops"), &p->pairs));
  MS_TRY(find_stiffness(s, &o, p));
  return check_use(s, node, p);
}

/* ---- the run ---- */

/* Rows for iwan_table: level from zero to the first knot, and the rest at the last. */
static ms_status make_table(ms_study *s, ms_identified *p) {
  const ms_density_estimate *e = &p->estimate;
  ms_density_table *t = &p->table;
  t->n = e->n + 1;
  MS_TRY(ms_allocate(s->ctx, 3 * t->n, sizeof *t->phi, &t->phi));
  t->rho = t->phi + t->n;
  t->S = t->phi + 2 * t->n;
  t->rho[0] = e->rho[0];
  for (ptrdiff_t k = 0; k < e->n; k++) {
    t->phi[k + 1] = e->phi[k], t->rho[k + 1] = e->rho[k];
    p->shown += 0.5 * (t->rho[k] + t->rho[k + 1]) * (t->phi[k + 1] - t->phi[k]);
  }
  if (strcmp(p->rest, "none") == 0) return MS_SUCCESS;
  p->added = fmax(p->K_T - p->shown, 0.0);
  *(strcmp(p->rest, "spring") == 0 ? &t->K_inf : &t->S[t->n - 1]) = p->added;
  return MS_SUCCESS;
}

/* rho = -g'' by a central difference of the slope of first loading, in closed form. */
static ms_status find_density(ms_joint *joint, double phi, double *rho) {
  const double h = 1e-3;
  double force, slope[2];
  MS_TRY(ms_joint_eval_virgin(joint, (1.0 - h) * phi, &force, &slope[0]));
  MS_TRY(ms_joint_eval_virgin(joint, (1.0 + h) * phi, &force, &slope[1]));
  *rho = fmax(slope[0] - slope[1], 0.0) / (2.0 * h * phi);
  return MS_SUCCESS;
}

static ms_status compare(ms_study *s, ms_identified *p) {
  const ms_density_estimate *e = &p->estimate;
  if (p->compare < 0) return MS_SUCCESS;
  ms_joint *joint = ms_structure_get_joint(s->structure, p->compare);
  MS_TRY(ms_allocate(s->ctx, e->n + p->losses.n, sizeof *p->own, &p->own));
  for (ptrdiff_t k = 0; k < e->n; k++) MS_TRY(find_density(joint, e->phi[k], &p->own[k]));
  for (ptrdiff_t i = 0; i < p->losses.n; i++) {
    ms_joint_cycle cycle;
    MS_TRY(ms_joint_run_cycle(joint, p->losses.A[i], 1.0, 64, NULL, NULL, &cycle));
    p->own[e->n + i] = cycle.has_closed_form ? cycle.D_closed_form : cycle.D;
  }
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_identified *p = task->product;
  if (p->from) {
    MS_TRY(ms_losses_gather(s, task, &p->losses));
    ms_losses_cut(&p->losses, p->window);
  }
  if (p->setting.noise > 0.0) p->losses.has_deviation = 0; /* what is given goes before */
  const ms_losses *l = &p->losses;
  if (l->has_deviation) p->setting.deviation = l->deviation;
  ms_status status =
      ms_density_estimate_from_loss(s->ctx, l->n, l->A, l->D, &p->setting, &p->estimate);
  if (status == MS_SUCCESS) status = make_table(s, p);
  if (status == MS_SUCCESS) status = compare(s, p);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, task->key, status);
  MS_TRY(ms_identified_tabulate(s, task));
  return ms_pairs_run(s, task, p);
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
  .summarise = ms_identified_summarise,
  .report = ms_identified_report,
  .close = close_product,
};
