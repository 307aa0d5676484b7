/* frf: the estimate from a test, simulated in time or read from a file. */
#include <math.h>

#include "study/analyses/frf/frf.h"
#include "study/analyses/shared/time_steps.h"

/* How blocks are averaged. */
typedef struct blocks {
  int window;
  ptrdiff_t length;
  double overlap, force_end, decay;
} blocks;

typedef struct test_options {
  blocks blocks; /* first: BLOCK_ROWS */
  struct fy_node *load;
  double step;
  ptrdiff_t steps;
  int method;
} test_options;

typedef struct measured_options {
  blocks blocks; /* first */
  const char *file, *input, *output, *unit;
  double scale, rate;
  int offset;
} measured_options;

#define BELOW_ONE .lower = 0.0, .upper = 1.0, .open = 2
#define BLOCK_ROWS                                                                        \
  MS_CHOICE(blocks, window, "hann|rectangular|hammer", MS_OPTIONAL, "window of a block"), \
      MS_COUNT(blocks, length, MS_FROM(8), MS_ELSE("an eighth of the record"),            \
               "samples in a block"),                                                     \
      MS_NUMBER(blocks, overlap, NULL, BELOW_ONE, MS_DEFAULT(0.5),                        \
                "part of a block that the next one shares"),                              \
      MS_NUMBER(blocks, force_end, "s", MS_POSITIVE, MS_ELSE("the end of the block"),     \
                "hammer: time in a block from which on the input is zero"),               \
      MS_NUMBER(blocks, decay, "1/s", MS_POSITIVE, MS_ELSE("no decay"),                   \
                "hammer: rate at which a block fades")

static const ms_param test_keys[] = {
  MS_FORMS(test_options, load, "word", MS_REQUIRED,
           "one of the loads, at the same place, whose function of time drives the test"),
  MS_NUMBER(test_options, step, "s", MS_POSITIVE, MS_REQUIRED, "time step, and between samples"),
  MS_COUNT(test_options, steps, MS_FROM(1), MS_REQUIRED, "number of steps"),
  MS_ROW_METHOD(test_options),
  BLOCK_ROWS,
};

static const ms_param measured_keys[] = {
  MS_PATH(measured_options, file, MS_REQUIRED, "the records, .csv or .uff, beside the study file"),
  MS_WORD(measured_options, input, MS_REQUIRED,
          "channel of the load: N, or the acceleration of the base"),
  MS_WORD(measured_options, output, MS_REQUIRED,
          "channel of the response: displacement, velocity or acceleration"),
  MS_WORD(measured_options, unit, MS_ELSE("as the file says"), "of the response: mm, m/s, g, ..."),
  MS_NUMBER(measured_options, scale, NULL, MS_ANY, MS_DEFAULT(1.0),
            "from the numbers of the input to N or m/s^2"),
  MS_NUMBER(measured_options, rate, "Hz", MS_POSITIVE, MS_ELSE("as the file says"),
            "samples per second, for a table without times"),
  BLOCK_ROWS,
  MS_CHOICE(measured_options, offset, "subtract|keep", MS_OPTIONAL,
            "hammer: means before the first impact"),
};

const ms_param_list ms_frf_test_keys = MS_LIST_OF(test_keys);
const ms_param_list ms_frf_measured_keys = MS_LIST_OF(measured_keys);

void ms_frf_free_source(ms_context *ctx, ms_frf_source *source) {
  ms_load_free(ctx, &source->drive);
  ms_record_free(ctx, &source->input);
  ms_record_free(ctx, &source->output);
}

/* ---- options ---- */

/* `samples` are those of a record. */
static ms_status use_blocks(const ms_study *s, struct fy_node *node, const blocks *o,
                            ptrdiff_t samples, double dt, const double range[2],
                            ms_frf_settings *to) {
  struct fy_node *end = ms_yaml_get(node, "force_end"), *decay = ms_yaml_get(node, "decay");
  struct fy_node *length = ms_yaml_get(node, "length");
  *to = (ms_frf_settings) { .size = sizeof *to,
                            .window = (ms_frf_window)o->window,
                            .length = length ? o->length : samples / 8,
                            .overlap = o->overlap,
                            .force_end = end ? o->force_end : 0.0,
                            .decay = decay ? o->decay : 0.0 };
  if ((end || decay) && to->window != MS_FRF_HAMMER) {
    return ms_yaml_fail(&s->yaml, end ? end : decay, MS_ERR_FORMAT,
                        "force_end and decay are those of window: hammer");
  }
  if (to->length < 8 || to->length > samples) {
    return ms_yaml_fail(&s->yaml, length ? length : node, MS_ERR_BOUNDS,
                        "a block of %td samples does not do for a record of %td; 8 are the least",
                        to->length, samples);
  }
  if (ms_frf_has_lines(to->length, dt, range[0], range[1])) return MS_SUCCESS;
  return ms_yaml_fail(
      &s->yaml, length ? length : node, MS_ERR_BOUNDS,
      "blocks of %td samples have lines every %.4g Hz up to %.4g Hz, none from %g to "
      "%g Hz; use longer blocks, another step or range",
      to->length, 1.0 / ((double)to->length * dt), 0.5 / dt, range[0], range[1]);
}

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
  return use_blocks(s, o->test, &test.blocks, test.steps + 1, test.step, o->range, &run->settings);
}

static ms_status read_channels(const ms_study *s, struct fy_node *node, const measured_options *o,
                               int is_base, ms_frf_source *f) {
  ms_record_request x = MS_RECORD_REQUEST_DEFAULT, v = MS_RECORD_REQUEST_DEFAULT;
  if (o->rate > 0.0) x.rate_hz = v.rate_hz = o->rate;
  x.channel = o->input;
  v.channel = o->output;
  v.unit = o->unit;
  if (!is_base || o->scale != 1.0) { /* the numbers as they are: records know no forces */
    x.kind = MS_RECORD_ACCELERATION;
    x.unit = "m/s^2";
  }
  char *path = NULL;
  MS_TRY(ms_yaml_path(&s->yaml, o->file, &path));
  ms_status status = ms_record_read(s->ctx, path, &x, &f->input);
  const char *channel = status == MS_SUCCESS ? "output" : "input";
  if (status == MS_SUCCESS) status = ms_record_read(s->ctx, path, &v, &f->output);
  ms_free(s->ctx, &path);
  return ms_yaml_fail_here(&s->yaml, ms_yaml_get(node, channel), status);
}

static ms_status check_records(const ms_study *s, struct fy_node *node, int quantity,
                               const ms_frf_source *f) {
  if (f->input.n != f->output.n || fabs(f->input.dt / f->output.dt - 1.0) > 1e-6) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "file"), MS_ERR_FORMAT,
                        "input and output must have the same samples; they have %td of %g s and "
                        "%td of %g s",
                        f->input.n, f->input.dt, f->output.n, f->output.dt);
  }
  if (quantity != MS_TRANSMISSIBILITY || f->output.kind == MS_RECORD_ACCELERATION)
    return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "output"), MS_ERR_FORMAT,
                      "transmissibility needs an absolute acceleration as output");
}

static ms_status read_measured(const ms_study *s, const ms_frf_options *o, ms_frf_product *p) {
  struct fy_node *node = o->measured;
  ms_frf_source *f = &p->source;
  measured_options m = { 0 };
  MS_TRY(ms_options_read(s, node, node, "measured", measured_keys, ms_frf_measured_keys.n, &m));
  f->scale = m.scale;
  p->run.kind = (ms_response_kind)o->quantity;
  MS_TRY(read_channels(s, node, &m, o->load.iota != NULL, f));
  MS_TRY(check_records(s, node, o->quantity, f));
  MS_TRY(use_blocks(s, node, &m.blocks, f->input.n, f->input.dt, o->range, &p->run.settings));
  if (p->run.settings.window != MS_FRF_HAMMER || m.offset) return MS_SUCCESS;
  ms_status status =
      ms_frf_subtract_offsets(s->ctx, f->input.n, f->input.x, f->output.x, &f->before, f->offset);
  return ms_yaml_fail_here(&s->yaml, ms_yaml_get(node, "input"), status);
}

ms_status ms_frf_read_source(ms_study *s, const ms_task *task) {
  const ms_frf_options *o = task->options;
  if (o->test && o->measured) {
    return ms_yaml_fail(&s->yaml, o->measured, MS_ERR_FORMAT, "give test or measured, not both");
  }
  if (o->test) return read_test(s, o, task->product);
  return o->measured ? read_measured(s, o, task->product) : MS_SUCCESS;
}

/* ---- the run ---- */

ms_status ms_frf_estimate(ms_study *s, const ms_task *task) {
  const ms_frf_options *o = task->options;
  ms_frf_product *p = task->product;
  ms_frf_source *f = &p->source;
  ms_status status = MS_SUCCESS;
  if (o->test) status = ms_frf_test_simulate(s->ctx, s->structure, &p->run);
  if (o->measured) {
    status = ms_frf_test_measure(s->ctx, f->input.dt, f->input.n, f->input.x, f->output.x, f->scale,
                                 (int)f->output.kind, &p->run);
  }
  return status == MS_SUCCESS ? status : ms_fail_at(s->ctx, status, "%s", task->name);
}
