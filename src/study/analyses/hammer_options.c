/* Options of `hammer_test`. */
#include <math.h>
#include <string.h>

#include <microslip/io.h>

#include "study/analyses/hammer_test.h"
#include "study/loads.h"

const ms_param ms_hammer_keys[MS_HAMMER_KEYS] = {
  MS_KEY("name", "word", "of this analysis", 0),
  MS_KEY("hits", "mapping", "name: {at, file, force} or {at, from}", 1),
  MS_KEY("sensors", "list or mapping", "coordinates; or coordinate: channel of the records", 1),
  MS_KEY("kind", "word", "of the sensors: acceleration (default), velocity or displacement", 0),
  MS_KEY("modes", "list", "modes to filter out and read; no more than sensors", 1),
  MS_KEY("window", "list", "[start, end] of what is read; from the end of the hit", 0),
  MS_KEY("periods", "number", "of a mode, in a window of the transform; 8", 0),
  MS_KEY("segments", "number", "rows of a mode, about; 24", 0),
  MS_KEY("parts", "number", "time steps to a sample where hits are simulated; 1", 0),
  MS_KEY("offset", "word", "means before the hit: subtract (default) or keep", 0),
  MS_KEY("noise", "number", "rms of the sensors' noise, SI; weighs what is read", 0),
  MS_KEY("add_noise", "mapping", "{part, seed}: to synthetic records, of each channel's peak", 0),
};

static const ms_param hit_keys[] = {
  MS_KEY("at", "word or mapping", "coordinate that is hit; or coordinate: factor", 1),
  MS_KEY("file", "text", "the record, .csv or .uff, beside the study file", 0),
  MS_KEY("from", "word", "an earlier transient, in place of a file", 0),
  MS_KEY("force", "word", "channel of the force; of a transient its load", 0),
};

static const ms_param noise_keys[] = {
  MS_KEY("part", "number", "rms over the channel's largest value", 1),
  MS_KEY("seed", "number", "1", 0),
};

/* ---- sensors ---- */

static ms_status read_sensor(const ms_study *s, struct fy_node *coordinate, struct fy_node *channel,
                             ms_hammer_product *p) {
  const ptrdiff_t c = p->setting.n_channel++;
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, coordinate, "a coordinate", &name));
  ms_status status = ms_structure_find(s->structure, name, &p->coordinate[c]);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, coordinate, status);
  if (p->coordinate[c] == MS_GROUND) {
    return ms_yaml_fail(&s->yaml, coordinate, MS_ERR_NAME, "a sensor on the ground sees nothing");
  }
  return channel ? ms_yaml_text(&s->yaml, channel, "a channel", &p->channel[c]) : MS_SUCCESS;
}

static ms_status read_sensors(const ms_study *s, struct fy_node *node, ms_hammer_product *p) {
  const ptrdiff_t n = ms_yaml_count(node);
  void *at = NULL;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->coordinate, &p->coordinate));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->channel, &p->channel));
  for (ptrdiff_t i = 0; i < n; i++) {
    struct fy_node *key = node, *value = NULL;
    if (ms_yaml_is_mapping(node)) {
      value = ms_yaml_next_pair(node, &at, &key);
    } else if (ms_yaml_is_sequence(node)) {
      key = ms_yaml_next_item(node, &at);
    }
    MS_TRY(read_sensor(s, key, value, p));
  }
  p->setting.channel = p->coordinate;
  return MS_SUCCESS;
}

static ms_status read_kind(const ms_study *s, struct fy_node *node, ms_hammer_product *p) {
  const char *word;
  ms_record_kind kind;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, node, "kind", &word));
  ms_status status = ms_record_parse_kind(s->ctx, word, &kind);
  p->setting.kind = (ms_signal_kind)kind;
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, node, status);
}

/* ---- reading ---- */

static ms_status read_hit_modes(const ms_study *s, struct fy_node *node, ms_hammer_product *p) {
  MS_TRY(ms_read_modes(s, node, &p->mode, &p->n_mode));
  p->setting.mode = p->mode;
  p->setting.n_mode = p->n_mode;
  for (int m = 0; m < p->n_mode; m++) {
    if (ms_structure_get_stuck(s->structure).omega[p->mode[m]] > 0.0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "mode %d is a rigid-body mode: it does not ring", p->mode[m] + 1);
  }
  if (p->n_mode <= p->setting.n_channel) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "%td sensors do not tell %d modes apart",
                      p->setting.n_channel, p->n_mode);
}

static ms_status read_window(const ms_study *s, struct fy_node *node, ms_hammer_product *p) {
  double *value = NULL;
  ptrdiff_t n = 0;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "window", &value, &n));
  int sound = n == 2 && value[0] >= 0.0 && value[1] > value[0];
  if (sound) p->setting.start = value[0] * s->units.time, p->setting.end = value[1] * s->units.time;
  ms_free(s->ctx, &value);
  if (sound) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "window is [start, end] with 0 <= start < end, e.g. [0.01, 1]");
}

static ms_status read_numbers(const ms_study *s, struct fy_node *options, ms_hammer_product *p) {
  const ms_yaml *y = &s->yaml;
  struct fy_node *periods = ms_yaml_get(options, "periods");
  struct fy_node *segments = ms_yaml_get(options, "segments");
  struct fy_node *parts = ms_yaml_get(options, "parts"), *noise = ms_yaml_get(options, "noise");
  if (periods) MS_TRY(ms_yaml_positive(y, periods, "periods", &p->setting.periods));
  if (p->setting.periods < 4.0) {
    return ms_yaml_fail(y, periods, MS_ERR_BOUNDS, "a window holds 4 periods or more");
  }
  if (segments) {
    MS_TRY(ms_yaml_count_value(y, segments, "segments", MS_TARGET_LEAST, &p->setting.segments));
  }
  if (parts) MS_TRY(ms_yaml_count_value(y, parts, "parts", 1, &p->setting.parts));
  return noise ? ms_yaml_positive(y, noise, "noise", &p->noise) : MS_SUCCESS;
}

static ms_status read_offset(const ms_study *s, struct fy_node *node, ms_hammer_product *p) {
  const char *word = "subtract";
  if (node) MS_TRY(ms_yaml_text(&s->yaml, node, "offset", &word));
  p->setting.keep_offset = strcmp(word, "keep") == 0;
  if (p->setting.keep_offset || strcmp(word, "subtract") == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "offset '%s' is neither subtract nor keep",
                      word);
}

static ms_status read_added(const ms_study *s, struct fy_node *node, ms_hammer_product *p) {
  ptrdiff_t seed = 1;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, "add_noise", noise_keys, 2));
  MS_TRY(ms_yaml_positive(&s->yaml, ms_yaml_get(node, "part"), "part", &p->add));
  struct fy_node *given = ms_yaml_get(node, "seed");
  if (given) MS_TRY(ms_yaml_count_value(&s->yaml, given, "seed", 0, &seed));
  p->seed = (uint64_t)seed;
  return MS_SUCCESS;
}

/* ---- hits ---- */

static ms_status read_hit(ms_study *s, const ms_task *task, struct fy_node *key,
                          struct fy_node *node, ms_hammer_product *p) {
  ms_study_hit *hit = &p->hit[p->n_hit++];
  int moment;
  *hit = (ms_study_hit) { .node = node };
  MS_TRY(ms_yaml_text(&s->yaml, key, "a hit", &hit->name));
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, hit->name, hit_keys, 4));
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *hit->shape, &hit->shape));
  MS_TRY(ms_read_at(s, ms_yaml_get(node, "at"), hit->shape, &moment));
  struct fy_node *force = ms_yaml_get(node, "force");
  if (force) MS_TRY(ms_yaml_text(&s->yaml, force, "force", &hit->force));
  return ms_hammer_check_hit(s, task, p, hit);
}

static ms_status read_hits(ms_study *s, const ms_task *task, struct fy_node *node,
                           ms_hammer_product *p) {
  void *at = NULL;
  if (!ms_yaml_is_mapping(node) || ms_yaml_count(node) < 1) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "hits is a mapping, e.g. {tip: {at: u3, file: tip.csv, force: hammer}}");
  }
  MS_TRY(ms_allocate(s->ctx, ms_yaml_count(node), sizeof *p->hit, &p->hit));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    MS_TRY(read_hit(s, task, key, value, p));
  }
  return MS_SUCCESS;
}

ms_status ms_hammer_check(ms_study *s, ms_task *task) {
  static const ms_hammer_setting hammer_default = MS_HAMMER_DEFAULT;
  struct fy_node *node = task->node;
  ms_hammer_product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  p->setting = hammer_default;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node ? node : task->key, task->name, ms_hammer_keys,
                            MS_HAMMER_KEYS));
  MS_TRY(read_sensors(s, ms_yaml_get(node, "sensors"), p));
  MS_TRY(read_kind(s, ms_yaml_get(node, "kind"), p));
  MS_TRY(read_hit_modes(s, ms_yaml_get(node, "modes"), p));
  MS_TRY(read_window(s, ms_yaml_get(node, "window"), p));
  MS_TRY(read_numbers(s, node, p));
  MS_TRY(read_offset(s, ms_yaml_get(node, "offset"), p));
  MS_TRY(read_added(s, ms_yaml_get(node, "add_noise"), p));
  return read_hits(s, task, ms_yaml_get(node, "hits"), p);
}
