/* frf: linear frequency response from the modes, with joints stuck, slipped or as stiff as they are
   at an amplitude; and beside it what a random or hammer test gives, simulated or measured. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/frf/frf.h"
#include "study/analyses/shared/time_steps.h"

typedef ms_frf_options options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_AT_OR_BASE(options, load),
  MS_DOF(options, sensor, MS_REQUIRED,
         "degree of freedom whose motion is asked for, relative to the base"),
  MS_CHOICE(options, quantity, "receptance|mobility|accelerance|transmissibility",
            MS_ELSE("accelerance"),
            "transmissibility is the absolute acceleration over that of the base"),
  MS_PAIR(options, range, "Hz", MS_NOT_NEGATIVE, MS_REQUIRED, "frequencies"),
  MS_COUNT(options, points, MS_FROM(2), MS_DEFAULT(800), "points of a curve"),
  MS_CHOICES(options, joints, "stuck|slipped", MS_ELSE("both where there are joints"),
             "a curve for each state of the joints"),
  MS_MODE(options, mode, MS_ELSE("none"), "the mode of the amplitudes"),
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

static void free_curves(ms_context *ctx, ms_frf_product *p) {
  for (ptrdiff_t i = 0; i < p->n_curve; i++) {
    ms_free(ctx, &p->curve[i].linear);
    ms_free(ctx, &p->curve[i].H);
  }
  ms_free(ctx, &p->curve);
  ms_free(ctx, &p->sensor);
}

static void close_product(ms_study *s, ms_task *task) {
  ms_frf_product *p = task->product;
  ms_variants_free(s->ctx, &p->variants);
  free_curves(s->ctx, p);
  ms_free(s->ctx, &p->omega);
  ms_frf_free(s->ctx, &p->run.frf);
  ms_frf_free_source(s->ctx, &p->source);
}

/* ---- options ---- */

/* At an amplitude the joints move by what the stuck mode's shape says. */
static ms_status add_amplitudes(const ms_study *s, const ms_task *task) {
  const options *o = task->options;
  ms_frf_product *p = task->product;
  struct fy_node *node = ms_yaml_get(task->node, "amplitudes");
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_study_refuse_curved(s, node, "a linear joint at an amplitude"));
  if (o->mode < 0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "amplitudes are those of a mode: give mode");
  }
  for (ptrdiff_t i = 0; i < o->amplitudes.n; i++) {
    ms_frf_curve *c = &p->curve[p->n_curve++];
    const double q = o->amplitudes.value[i];
    snprintf(c->label, sizeof c->label, "q = %g", q);
    c->joints = MS_JOINTS_GIVEN;
    MS_TRY(ms_allocate(s->ctx, ms_structure_count_joints(s->structure) + 1, sizeof *c->linear,
                       &c->linear));
    ms_status status = ms_response_linearise_mode(s->structure, o->mode, q, c->linear);
    MS_TRY(ms_yaml_fail_here(&s->yaml, node, status));
  }
  return MS_SUCCESS;
}

static ms_status request_curves(const ms_study *s, const ms_task *task) {
  options *o = task->options;
  ms_frf_product *p = task->product;
  if (o->quantity < 0) o->quantity = MS_ACCELERANCE;
  if (o->joints.n == 0) {
    o->joints = (ms_chosen) { { 0, 1 }, ms_structure_count_joints(s->structure) > 0 ? 2 : 1 };
  }
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *p->sensor, &p->sensor));
  p->sensor[o->sensor] = 1.0;
  MS_TRY(ms_allocate(s->ctx, o->amplitudes.n + o->joints.n, sizeof *p->curve, &p->curve));
  for (int i = 0; i < o->joints.n; i++) {
    const int slipped = o->joints.index[i];
    ms_frf_curve *c = &p->curve[p->n_curve++];
    c->joints = slipped ? MS_JOINTS_SLIPPED : MS_JOINTS_STUCK;
    snprintf(c->label, sizeof c->label, "%s", slipped ? "slipped" : "stuck");
  }
  return add_amplitudes(s, task);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_frf_product *p = task->product;
  MS_TRY(request_curves(s, task));
  if (o->quantity == MS_TRANSMISSIBILITY && !o->load.iota) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "quantity"), MS_ERR_FORMAT,
                        "transmissibility is that of a moving base: give base in place of at");
  }
  MS_TRY(ms_allocate(s->ctx, o->points, sizeof *p->omega, &p->omega));
  for (ptrdiff_t k = 0; k < o->points; k++) {
    const double part = (double)k / (double)(o->points - 1);
    p->omega[k] = 2.0 * acos(-1.0) * (o->range[0] + part * (o->range[1] - o->range[0]));
  }
  MS_TRY(ms_frf_read_source(s, task));
  MS_TRY(ms_variants_read(s, o->variants, &p->variants));
  if (!p->variants.reduces || !o->load.iota) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, o->variants, MS_ERR_ARGUMENT,
                      "variants of a structure that is reduced anew are for a force (at): how it "
                      "follows the ground (base) is known of the file's own numbers only");
}

/* ---- the run ---- */

ms_status ms_frf_evaluate(const ms_study *s, const ms_task *task, const ms_frf_curve *curve,
                          ptrdiff_t n, const double *omega, double *H) {
  const options *o = task->options;
  const ms_response_request request = { .kind = (ms_response_kind)o->quantity,
                                        .force = o->load.shape,
                                        .base = o->load.iota,
                                        .sensor = ((const ms_frf_product *)task->product)->sensor,
                                        .joints = curve->joints,
                                        .linear = curve->linear };
  return ms_response_synthesise(s->structure, &request, n, omega, H);
}

static ms_status run_curves(const ms_study *s, const ms_task *task) {
  const options *o = task->options;
  ms_frf_product *p = task->product;
  for (ms_frf_curve *c = p->curve; c < p->curve + p->n_curve; c++) {
    MS_TRY(ms_allocate(s->ctx, 2 * o->points, sizeof *c->H, &c->H));
    ms_status status = ms_frf_evaluate(s, task, c, o->points, p->omega, c->H);
    if (status != MS_SUCCESS)
      return ms_fail_at(s->ctx, status, "%s: joints %s", task->name, c->label);
  }
  return MS_SUCCESS;
}

/* With options and a product of its own: load and sensor are at the same places. */
static ms_status run_variant(ms_study *view, ptrdiff_t i, void *user) {
  const ms_frf_product *p = ((const ms_task *)user)->product;
  ms_frf_product product = { .omega = p->omega };
  ms_task own = *(const ms_task *)user;
  double head[MS_VARIANT_HEAD];
  const ptrdiff_t n_head = ms_variants_row(&p->variants, i, head);
  own.options = NULL;
  own.product = &product;
  ms_status status = ms_options_read_task(view, &own);
  if (status == MS_SUCCESS) status = request_curves(view, &own);
  if (status == MS_SUCCESS) status = run_curves(view, &own);
  for (ptrdiff_t c = 0; c < product.n_curve && status == MS_SUCCESS; c++) {
    ms_frf_add_curve(&own, &product.curve[c], head, n_head, p->varied);
  }
  ms_options_free_task(view->ctx, &own);
  free_curves(view->ctx, &product);
  return status;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_frf_product *p = task->product;
  char columns[MS_FRF_COLUMNS];
  MS_TRY(run_curves(s, task));
  MS_TRY(ms_frf_estimate(s, task));
  if (p->source.drive.load) {
    const double until = p->run.time.step * (double)p->run.time.steps;
    MS_TRY(ms_load_judge(s, task, &p->source.drive, until));
  }
  ms_frf_print_columns(s, task, columns);
  return ms_variants_run(s, task, &p->variants, columns, &p->varied, run_variant, task);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_frf_product *p = task->product;
  if (!p->source.drive.load) return MS_SUCCESS;
  const double pulse = ms_load_get_scale(p->source.drive.load).pulse;
  MS_TRY(ms_steps_judge_pulse(s, task, &p->run.time, pulse));
  return ms_steps_judge(s, task, &p->run.quality);
}

/* The other processes have a part in variants of finite elements. */
static ms_status help(ms_study *s, ms_task *task) {
  return ms_variants_help(s, task, &((ms_frf_product *)task->product)->variants);
}

const ms_analysis ms_analysis_frf = {
  .name = "frf",
  .title = "Frequency response function",
  .meaning =
      "Linear frequency response between a load and a sensor, from the modes with every joint "
      "stuck, slipped, or as stiff and lossy as it is at an amplitude; and over it the response "
      "that a test gives, simulated in time or measured.",
  MS_KEYS(keys, options, ms_frf_product),
  .check = check,
  .run = run,
  .judge = judge,
  .help = help,
  .result = ms_frf_result,
  .close = close_product,
};
