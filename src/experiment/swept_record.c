/* A measured swept sine, from the records of force and response, as rows of a stepped one. */
#include "experiment/swept_record.h"

#include <microslip/signal.h>

#include "io/yaml/test_keys.h"

static ms_status take_rows(ms_context *ctx, const ms_sine_rows *rows, ms_point_table *t) {
  MS_TRY(ms_point_table_reserve(ctx, rows->n, t));
  for (ptrdiff_t i = 0; i < rows->n; i++) {
    const ms_sine_row *r = &rows->row[i];
    ms_point_table_add(t, (int)i + 1, r->omega, r->amplitude, r->phase);
    t->column[i + 3 * t->capacity] = r->force;
  }
  return MS_SUCCESS;
}

ms_status ms_sine_read(const ms_key_source *from, struct fy_node *node, const char *key, int steady,
                       ms_point_table *t) {
  const ms_yaml *y = from->yaml;
  struct fy_node *swept = ms_yaml_get(node, "swept"), *file = ms_yaml_get(node, key);
  ms_swept_options o = { 0 };
  const char *name;
  char text[300];
  ms_record_set set = { NULL, 0, 0.0, 0.0 };
  ms_record_kind kind[2];
  ms_sine_rows rows = { .n = 0 };
  if (!swept) return ms_point_table_read_sine(y, node, key, t);
  MS_TRY(ms_keys_read_mapping(from, swept, "swept", &ms_swept_keys, &o));
  MS_TRY(ms_yaml_text(y, file, key, &name));
  const ms_record_request request[2] = { { .channel = o.force, .kind = MS_RECORD_FORCE },
                                         { .channel = o.channel, .kind = MS_RECORD_UNKNOWN } };
  MS_TRY(ms_yaml_read_record_set(y, file, name, 2, request, NULL, &set, kind));
  const ms_signal force = { set.x, set.n, set.dt, set.time, MS_SIGNAL_DISPLACEMENT };
  const ms_signal response = { set.x + set.n, set.n, set.dt, set.time, (ms_signal_kind)kind[1] };
  ms_status status = ms_yaml_fail_here(
      y, swept, ms_signal_demodulate(y->ctx, &force, &response, (double)o.periods, o.rows, &rows));
  if (!status && steady && ms_sine_rows_warning(&rows, text, sizeof text))
    status = ms_yaml_fail(y, swept, MS_ERR_BOUNDS, "%s", text);
  if (!status) status = take_rows(y->ctx, &rows, t);
  ms_sine_rows_free(y->ctx, &rows);
  ms_record_set_free(y->ctx, &set);
  return status;
}
