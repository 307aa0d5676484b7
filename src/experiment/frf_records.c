/* Records of a test for its frequency response, and how their blocks are averaged. */
#include "experiment/frf_records.h"

typedef struct measured_options {
  ms_frf_blocks blocks; /* first */
  const char *file, *input, *output, *unit;
  double scale, rate;
  int offset;
} measured_options;

static const ms_param measured_keys[] = {
  MS_PATH(measured_options, file, MS_REQUIRED,
          "the records, of any format of measured data, beside the study file"),
  MS_WORD(measured_options, input, MS_REQUIRED,
          "channel of the load: N, or the acceleration of the base"),
  MS_WORD(measured_options, output, MS_REQUIRED,
          "channel of the response: displacement, velocity or acceleration"),
  MS_WORD(measured_options, unit, MS_ELSE("as the file says"), "of the response: mm, m/s, g, ..."),
  MS_NUMBER(measured_options, scale, NULL, MS_ANY, MS_DEFAULT(1.0),
            "from the numbers of the input to N or m/s^2"),
  MS_NUMBER(measured_options, rate, "Hz", MS_POSITIVE, MS_ELSE("as the file says"),
            "samples per second, for a table without times"),
  MS_ROWS_BLOCKS,
  MS_CHOICE(measured_options, offset, "subtract|keep", MS_OPTIONAL,
            "hammer: means before the first impact"),
};

const ms_param_list ms_frf_measured_keys = MS_LIST_OF(measured_keys);

/* `samples` are those of a record. */
ms_status ms_frf_use_blocks(const ms_yaml *y, struct fy_node *node, const ms_frf_blocks *o,
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
    return ms_yaml_fail(y, end ? end : decay, MS_ERR_FORMAT,
                        "force_end and decay are those of window: hammer");
  }
  ms_status status = ms_frf_check_blocks(y->ctx, to->length, samples, dt, range[0], range[1]);
  return ms_yaml_fail_here(y, length ? length : node, status);
}

static ms_status read_channels(const ms_yaml *y, struct fy_node *node, const measured_options *o,
                               int is_base, ms_frf_records *f) {
  ms_record_request x = MS_RECORD_REQUEST_DEFAULT, v = MS_RECORD_REQUEST_DEFAULT;
  if (o->rate > 0.0) x.rate_hz = v.rate_hz = o->rate;
  x.channel = o->input;
  v.channel = o->output;
  v.unit = o->unit;
  if (!is_base || o->scale != 1.0) { /* the numbers as they are: records know no forces */
    x.kind = MS_RECORD_ACCELERATION;
    x.unit = "m/s^2";
  }
  MS_TRY(ms_yaml_read_record(y, ms_yaml_get(node, "input"), o->file, &x, &f->input));
  return ms_yaml_read_record(y, ms_yaml_get(node, "output"), o->file, &v, &f->output);
}

ms_status ms_frf_read_records(const ms_key_source *from, struct fy_node *node,
                              ms_response_kind kind, int is_base, const double range[2],
                              ms_frf_records *f, ms_frf_settings *settings) {
  const ms_yaml *y = from->yaml;
  measured_options m = { 0 };
  MS_TRY(ms_keys_read(from, node, node, "measured", measured_keys, ms_frf_measured_keys.n, &m));
  f->scale = m.scale;
  MS_TRY(read_channels(y, node, &m, is_base, f));
  MS_TRY(ms_yaml_fail_here(y, ms_yaml_get(node, "file"),
                           ms_record_check_same(y->ctx, &f->input, &f->output)));
  if (kind == MS_TRANSMISSIBILITY && f->output.kind != MS_RECORD_ACCELERATION) {
    return ms_yaml_fail(y, ms_yaml_get(node, "output"), MS_ERR_FORMAT,
                        "transmissibility needs an absolute acceleration as output");
  }
  MS_TRY(ms_frf_use_blocks(y, node, &m.blocks, f->input.n, f->input.dt, range, settings));
  if (settings->window != MS_FRF_HAMMER || m.offset) return MS_SUCCESS;
  ms_status status =
      ms_frf_subtract_offsets(y->ctx, f->input.n, f->input.x, f->output.x, &f->before, f->offset);
  return ms_yaml_fail_here(y, ms_yaml_get(node, "input"), status);
}
