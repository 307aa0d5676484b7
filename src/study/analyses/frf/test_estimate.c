/* frf: the estimate from a test, simulated in time or read from a file. */
#include "study/analyses/frf/frf.h"
#include "study/analyses/shared/time_steps.h"

typedef struct test_options {
  ms_frf_blocks blocks; /* first: MS_ROWS_BLOCKS */
  struct fy_node *load;
  double step;
  ptrdiff_t steps;
  int method;
} test_options;

static const ms_param test_keys[] = {
  MS_FORMS(test_options, load, "word", MS_REQUIRED,
           "one of the loads, at the same place, whose function of time drives the test"),
  MS_NUMBER(test_options, step, "s", MS_POSITIVE, MS_REQUIRED, "time step, and between samples"),
  MS_COUNT(test_options, steps, MS_FROM(1), MS_REQUIRED, "number of steps"),
  MS_ROW_METHOD(test_options),
  MS_ROWS_BLOCKS,
};

const ms_param_list ms_frf_test_keys = MS_LIST_OF(test_keys);

void ms_frf_free_source(ms_context *ctx, ms_frf_source *source) {
  ms_load_free(ctx, &source->drive);
  ms_record_free(ctx, &source->of.input);
  ms_record_free(ctx, &source->of.output);
}

/* ---- options ---- */

/* The test's load must be of the same kind and at the same place as the response's. */
static ms_status check_drive(const ms_study *s, struct fy_node *node, const ms_study_load *drive,
                             const ms_study_load *load) {
  if (!drive->iota != !load->iota) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                        "load %s is %s, the response asked for that of %s", drive->name,
                        drive->iota ? "a base's acceleration" : "a force",
                        load->iota ? "a base" : "a force");
  }
  for (ptrdiff_t i = 0; i < ms_structure_get_size(s->structure); i++) {
    if (drive->shape[i] == load->shape[i]) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                        "load %s does not act where the response is asked for: see '%s'",
                        drive->name, ms_structure_get_name(s->structure, i));
  }
  return MS_SUCCESS;
}

static ms_status read_test(const ms_study *s, const ms_frf_options *o, ms_frf_product *p) {
  ms_study_load *drive = &p->source.drive;
  ms_frf_test *run = &p->run;
  test_options test = { 0 };
  MS_TRY(ms_options_read(s, o->test, o->test, "test", test_keys, ms_frf_test_keys.n, &test));
  MS_TRY(ms_read_load(s, test.load, drive));
  MS_TRY(check_drive(s, test.load, drive, &o->load));
  run->shape = o->load.shape;
  run->base = o->load.iota;
  run->load = drive->load;
  run->sensor = o->sensor;
  run->kind = (ms_response_kind)o->quantity;
  run->time = ms_time_default();
  run->time.step = test.step;
  run->time.steps = test.steps;
  run->time.method = ms_time_methods[test.method];
  MS_TRY(ms_check_method(s, ms_yaml_get(o->test, "method"), run->time.method));
  MS_TRY(ms_steps_check_load(s, test.load, &run->time, drive));
  return ms_frf_use_blocks(&s->yaml, o->test, &test.blocks, test.steps + 1, test.step, o->range,
                           &run->settings);
}

ms_status ms_frf_read_source(ms_study *s, const ms_task *task) {
  const ms_frf_options *o = task->options;
  if (o->test && o->measured) {
    return ms_yaml_fail(&s->yaml, o->measured, MS_ERR_FORMAT, "give test or measured, not both");
  }
  if (o->test) return read_test(s, o, task->product);
  const ms_key_source from = ms_options_source(s);
  ms_frf_product *p = task->product;
  p->run.kind = (ms_response_kind)o->quantity;
  return o->measured ? ms_frf_read_records(&from, o->measured, p->run.kind, o->load.iota != NULL,
                                           o->range, &p->source.of, &p->run.settings)
                     : MS_SUCCESS;
}

/* ---- the run ---- */

ms_status ms_frf_estimate(ms_study *s, const ms_task *task) {
  const ms_frf_options *o = task->options;
  ms_frf_product *p = task->product;
  const ms_frf_records *f = &p->source.of;
  ms_status status = MS_SUCCESS;
  if (o->test) status = ms_frf_test_simulate(s->ctx, s->structure, &p->run);
  if (o->measured) {
    status = ms_frf_test_measure(s->ctx, f->input.dt, f->input.n, f->input.x, f->output.x, f->scale,
                                 (int)f->output.kind, &p->run);
  }
  return status == MS_SUCCESS ? status : ms_fail_at(s->ctx, status, "%s", task->name);
}
