#include "study/file/options.h"

ms_key_source ms_options_source(const ms_study *s) {
  return (ms_key_source) { &s->yaml, &s->units, s, NULL };
}

ms_status ms_options_read(const ms_study *s, struct fy_node *node, struct fy_node *key,
                          const char *what, const ms_param *keys, int n, void *options) {
  const ms_key_source from = ms_options_source(s);
  return ms_keys_read(&from, node, key, what, keys, n, options);
}

ms_status ms_options_read_mapping(const ms_study *s, const ms_units *units, struct fy_node *node,
                                  const char *what, const ms_param_list *keys, void *options) {
  const ms_key_source from = { &s->yaml, units, s, NULL };
  return ms_keys_read_mapping(&from, node, what, keys, options);
}

ms_status ms_options_read_value(const ms_study *s, struct fy_node *node, const char *name,
                                const ms_param *row, void *value) {
  const ms_key_source from = ms_options_source(s);
  return ms_keys_read_value(&from, node, name, row, value);
}

ms_status ms_options_read_few(const ms_study *s, struct fy_node *node, const ms_param *row,
                              ms_few *out) {
  const ms_key_source from = ms_options_source(s);
  return ms_as_few.read(&(ms_reading) { s, NULL, row, &from }, node, out);
}

ms_status ms_options_read_task(const ms_study *s, ms_task *task) {
  const ms_analysis *kind = task->kind;
  const ms_key_source from = { &s->yaml, &s->units, s, task };
  if (kind->options_size == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, (ptrdiff_t)kind->options_size, 1, &task->options));
  return ms_keys_read(&from, task->node, task->key, task->name, kind->keys, kind->n_keys,
                      task->options);
}

void ms_options_free_task(ms_context *ctx, ms_task *task) {
  if (task->options) ms_keys_free(ctx, task->kind->keys, task->kind->n_keys, task->options);
  ms_free(ctx, &task->options);
}

int ms_task_needs(const ms_task *task, const ms_task *other) {
  const ms_analysis *kind = task->kind;
  if (kind->needs) return kind->needs(task, other);
  return task->options && ms_keys_name(kind->keys, kind->n_keys, task->options, other);
}
