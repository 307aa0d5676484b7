/* frf: linear frequency response from the modes, with joints stuck, slipped or as stiff as they are
   at an amplitude; and beside it what a random or hammer test gives, simulated or measured. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "study/analyses/frf/frf.h"
#include "study/analyses/shared/time_steps.h"
#include "study/file/shared_keys.h"

typedef struct options {
  struct fy_node *at, *base, *test, *measured, *variants;
  const char *sensor;
  int quantity; /* ms_response_kind; -1 where absent */
  double range[2];
  ptrdiff_t points, mode;
  ms_chosen joints;
  ms_numbers amplitudes;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ROW_AT(options),
  MS_ROW_BASE(options),
  MS_WORD(options, sensor, MS_REQUIRED,
          "degree of freedom whose motion is asked for, relative to the base"),
  MS_CHOICE(options, quantity, "receptance|mobility|accelerance|transmissibility",
            MS_ELSE("accelerance"),
            "transmissibility is the absolute acceleration over that of the base"),
  MS_PAIR(options, range, "Hz", MS_NOT_NEGATIVE, MS_REQUIRED, "frequencies"),
  MS_COUNT(options, points, MS_FROM(2), MS_DEFAULT(800), "points of a curve"),
  MS_CHOICES(options, joints, "stuck|slipped", MS_ELSE("both where there are joints"),
             "a curve for each state of the joints"),
  MS_COUNT(options, mode, MS_FROM(1), MS_ELSE("none"), "the mode of the amplitudes"),
  MS_NUMBERS(options, amplitudes, "m sqrt(kg)", MS_POSITIVE, MS_ELSE("none"),
             "modal amplitudes at which joints have their secant stiffness and energy dissipated "
             "per cycle, a curve for each"),
  MS_FORMS_WITH(options, test, "mapping", ms_frf_test_keys, MS_ELSE("none"),
                "a test in time, simulated"),
  MS_FORMS_WITH(options, measured, "mapping", ms_frf_measured_keys, MS_ELSE("none"),
                "or records of a test"),
  MS_FORMS(options, variants, "mapping", MS_ELSE("none"),
           "{path in the file: numbers}, as of modes: the curves with these in their places, load "
           "and sensor where they are"),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

static void free_curves(ms_context *ctx, ms_frf_curve **curve, ptrdiff_t n) {
  for (ptrdiff_t i = 0; *curve && i < n; i++) {
    ms_free(ctx, &(*curve)[i].linear);
    ms_free(ctx, &(*curve)[i].H);
  }
  ms_free(ctx, curve);
}

static void close_product(ms_study *s, ms_task *task) {
  ms_frf_product *p = task->product;
  ms_variants_free(s->ctx, &p->variants);
  free_curves(s->ctx, &p->curve, p->n_curve);
  ms_free(s->ctx, &p->omega);
  ms_free(s->ctx, &p->sensor);
  ms_frf_free(s->ctx, &p->run.frf);
  ms_frf_free_source(s->ctx, &p->source);
  ms_load_free(s->ctx, &p->load);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_place(ms_study *s, const ms_task *task, const options *o, ms_frf_product *p) {
  struct fy_node *at = o->at, *base = o->base;
  if (!at == !base) {
    return ms_yaml_fail(&s->yaml, at ? base : task->key, MS_ERR_FORMAT,
                        "a frequency response needs one of at (force) and base (acceleration)");
  }
  p->load.name = task->name;
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *p->load.shape,
                     &p->load.shape));
  if (at) return ms_read_at(s, at, p->load.shape, &p->load.moment);
  return ms_read_base(s, base, &p->load);
}

static ms_status read_sensor(ms_study *s, struct fy_node *node, const char *name,
                             ms_frf_product *p) {
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *p->sensor, &p->sensor));
  MS_TRY(ms_read_weights(s, node, "a sensor", 1.0, 1.0, p->sensor));
  return ms_structure_find(s->structure, name, &p->run.sensor);
}

static ms_status check_quantity(const ms_study *s, struct fy_node *node, const ms_frf_product *p) {
  if (p->kind != MS_TRANSMISSIBILITY || p->load.iota) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                      "transmissibility is that of a moving base: give base in place of at");
}

static ms_status space_frequencies(const ms_study *s, const options *o, ms_frf_product *p) {
  p->low = o->range[0];
  p->high = o->range[1];
  p->n_omega = o->points;
  MS_TRY(ms_allocate(s->ctx, p->n_omega, sizeof *p->omega, &p->omega));
  for (ptrdiff_t k = 0; k < p->n_omega; k++) {
    double part = (double)k / (double)(p->n_omega - 1);
    p->omega[k] = 2.0 * acos(-1.0) * (p->low + part * (p->high - p->low));
  }
  return MS_SUCCESS;
}

static void add_states(const ms_chosen *joints, ms_frf_product *p) {
  for (int i = 0; i < joints->n; i++) {
    const int slipped = joints->index[i];
    ms_frf_curve *c = &p->curve[p->n_curve++];
    c->joints = slipped ? MS_JOINTS_SLIPPED : MS_JOINTS_STUCK;
    snprintf(c->label, sizeof c->label, "%s", slipped ? "slipped" : "stuck");
  }
}

/* The joints move by what the stuck mode's shape says. */
static ms_status linearise(const ms_study *s, ptrdiff_t mode, double q, ms_frf_curve *c) {
  snprintf(c->label, sizeof c->label, "q = %g", q);
  c->joints = MS_JOINTS_GIVEN;
  MS_TRY(ms_allocate(s->ctx, ms_structure_count_joints(s->structure) + 1, sizeof *c->linear,
                     &c->linear));
  return ms_response_linearise_mode(s->structure, mode - 1, q, c->linear);
}

static ms_status add_amplitudes(const ms_study *s, const ms_task *task, const options *o,
                                ms_frf_product *p) {
  struct fy_node *node = ms_yaml_get(task->node, "amplitudes");
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_study_refuse_curved(s, node, "a linear joint at an amplitude"));
  if (o->mode < 0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "amplitudes are those of a mode: give mode");
  }
  MS_TRY(ms_check_mode(s, ms_yaml_get(task->node, "mode"), o->mode));
  for (ptrdiff_t i = 0; i < o->amplitudes.n; i++) {
    ms_status status = linearise(s, o->mode, o->amplitudes.value[i], &p->curve[p->n_curve++]);
    MS_TRY(ms_yaml_fail_here(&s->yaml, node, status));
  }
  return MS_SUCCESS;
}

static ms_status read_curves(ms_study *s, const ms_task *task, const options *o,
                             ms_frf_product *p) {
  ms_chosen joints = o->joints;
  if (joints.n == 0) {
    joints = (ms_chosen) { { 0, 1 }, ms_structure_count_joints(s->structure) > 0 ? 2 : 1 };
  }
  MS_TRY(read_place(s, task, o, p));
  MS_TRY(read_sensor(s, ms_yaml_get(task->node, "sensor"), o->sensor, p));
  MS_TRY(ms_allocate(s->ctx, o->amplitudes.n + joints.n, sizeof *p->curve, &p->curve));
  add_states(&joints, p);
  return add_amplitudes(s, task, o, p);
}

static ms_status read_variants(ms_study *s, struct fy_node *node, ms_frf_product *p) {
  MS_TRY(ms_variants_read(s, node, &p->variants));
  if (!p->variants.reduces || !p->load.iota) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                      "variants of a structure that is reduced anew are for a force (at): how it "
                      "follows the ground (base) is known of the file's own numbers only");
}

static ms_status read_product(ms_study *s, const ms_task *task, const options *o,
                              ms_frf_product *p) {
  p->kind = o->quantity >= 0 ? (ms_response_kind)o->quantity : MS_ACCELERANCE;
  MS_TRY(read_curves(s, task, o, p));
  MS_TRY(check_quantity(s, ms_yaml_get(task->node, "quantity"), p));
  MS_TRY(space_frequencies(s, o, p));
  MS_TRY(ms_frf_read_source(s, o->test, o->measured, p));
  return read_variants(s, o->variants, p);
}

static ms_status check(ms_study *s, ms_task *task) {
  options o = { 0 };
  ms_frf_product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  ms_status status = ms_options_read_own(s, task, &o);
  if (status == MS_SUCCESS) status = read_product(s, task, &o, p);
  ms_options_free(s->ctx, keys, N_KEYS, &o);
  return status;
}

/* ---- the run ---- */

ms_status ms_frf_evaluate(const ms_study *s, const ms_frf_product *p, const ms_frf_curve *curve,
                          ptrdiff_t n, const double *omega, double *H) {
  ms_response_request request = { .kind = p->kind,
                                  .force = p->load.shape,
                                  .base = p->load.iota,
                                  .sensor = p->sensor,
                                  .joints = curve->joints,
                                  .linear = curve->linear };
  return ms_response_synthesise(s->structure, &request, n, omega, H);
}

static ms_status run_curves(const ms_study *s, const ms_task *task, ms_frf_product *p) {
  for (ptrdiff_t i = 0; i < p->n_curve; i++) {
    ms_frf_curve *c = &p->curve[i];
    MS_TRY(ms_allocate(s->ctx, 2 * p->n_omega, sizeof *c->H, &c->H));
    ms_status status = ms_frf_evaluate(s, p, c, p->n_omega, p->omega, c->H);
    if (status != MS_SUCCESS)
      return ms_fail_at(s->ctx, status, "%s: joints %s", task->name, c->label);
  }
  return MS_SUCCESS;
}

/* A product of its own lends what does not depend on the structure; load and sensor are at the same
   places. */
static ms_status run_variant(ms_study *view, ptrdiff_t i, void *user) {
  const ms_task *task = user;
  const ms_frf_product *p = task->product;
  ms_frf_product own = { .kind = p->kind, .n_omega = p->n_omega, .omega = p->omega };
  double head[1 + MS_VARIANT_PATHS] = { (double)(i + 1) };
  const ptrdiff_t n_head = 1 + ms_variants_row(&p->variants, i, head + 1);
  options o = { 0 };
  ms_status status = ms_options_read_own(view, task, &o);
  if (status == MS_SUCCESS) status = read_curves(view, task, &o, &own);
  if (status == MS_SUCCESS) status = run_curves(view, task, &own);
  for (ptrdiff_t c = 0; c < own.n_curve && status == MS_SUCCESS; c++) {
    status = ms_frf_add_curve(view, p, &own.curve[c], head, n_head, p->varied);
  }
  ms_options_free(view->ctx, keys, N_KEYS, &o);
  free_curves(view->ctx, &own.curve, own.n_curve);
  ms_free(view->ctx, &own.sensor);
  ms_load_free(view->ctx, &own.load);
  return status;
}

static ms_status run_variants(ms_study *s, ms_task *task, ms_frf_product *p) {
  if (p->variants.n == 0) return MS_SUCCESS;
  MS_TRY(ms_task_add_table(s, task, "_variants", "variant", &p->varied));
  MS_TRY(ms_variants_add_columns(s->ctx, &p->variants, p->varied));
  MS_TRY(ms_frf_add_columns(s, p, p->varied));
  return ms_variants_visit(s, task->name, &p->variants, run_variant, task);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_frf_product *p = task->product;
  MS_TRY(run_curves(s, task, p));
  MS_TRY(ms_frf_estimate(s, task, p));
  if (p->source.simulated) {
    const double until = p->run.time.step * (double)p->run.time.steps;
    MS_TRY(ms_load_judge(s, task, &p->source.drive, until));
  }
  return run_variants(s, task, p);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_frf_product *p = task->product;
  if (!p->source.simulated) return MS_SUCCESS;
  const double pulse = ms_load_get_scale(p->source.drive.load).pulse;
  MS_TRY(ms_steps_judge_pulse(s, task, &p->run.time, pulse));
  return ms_steps_judge(s, task, &p->run.quality);
}

/* The other processes have a part in variants of finite elements. */
static ms_status help(ms_study *s, ms_task *task) {
  const ms_frf_product *p = task->product;
  return p->variants.reduces ? ms_variants_visit(s, task->name, &p->variants, NULL, NULL)
                             : MS_SUCCESS;
}

const ms_analysis ms_analysis_frf = {
  .name = "frf",
  .meaning =
      "Linear frequency response between a load and a sensor, from the modes with every joint "
      "stuck, slipped, or as stiff and lossy as it is at an amplitude; and over it the response "
      "that a test gives, simulated in time or measured.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = judge,
  .help = help,
  .result = ms_frf_result,
  .close = close_product,
};
