/* Options of `hammer_test`. */
#include <math.h>
#include "study/analyses/hammer_test/hammer_test.h"
#include "study/model/loads.h"
#include "study/file/options.h"

typedef struct options {
  struct fy_node *hits, *sensors, *modes, *add_noise;
  int kind, offset;
  double window[2], periods, noise, part;
  ptrdiff_t segments, parts, seed;
} options;

typedef struct hit_options {
  struct fy_node *at;
  const char *file, *from, *force;
} hit_options;

static const ms_param hit_keys[] = {
  MS_FORMS(hit_options, at, "word or mapping", MS_REQUIRED,
           "the degree of freedom of the impact, or degree of freedom: factor, such as -1 for one "
           "against it"),
  MS_PATH(hit_options, file, MS_OPTIONAL,
          "the record, .csv or .uff, with force and sensors at the same times, at rest at first"),
  MS_WORD(hit_options, from, MS_OPTIONAL,
          "an earlier transient in place of a file; its load and the sensors must be among its "
          "channels"),
  MS_WORD(hit_options, force, MS_ELSE("of a transient its only load"),
          "channel of the force, in N, mN, kN or lbf; of a transient with several loads the load"),
};
enum { N_HIT_KEYS = sizeof hit_keys / sizeof *hit_keys };
static const ms_param_list hit_list = MS_LIST_OF(hit_keys);

/* For help and manual: any number of these. */
static const ms_param hits_keys[] = {
  { .name = "NAME",
    .kind = MS_PARAM_FORMS,
    .forms = "mapping",
    .keys = &hit_list,
    .meaning = "an impact: where, and what was measured" },
};
static const ms_param_list hits_list = MS_LIST_OF(hits_keys);

static const ms_param noise_keys[] = {
  MS_NUMBER(options, part, "-", MS_POSITIVE, MS_REQUIRED,
            "rms of the noise over the largest value, for the force and for each sensor"),
  MS_COUNT(options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1), "of the random numbers"),
};
static const ms_param_list noise_list = MS_LIST_OF(noise_keys);

const ms_param ms_hammer_keys[MS_HAMMER_KEYS] = {
  MS_KEY_NAME,
  MS_FORMS_WITH(options, hits, "mapping", hits_list, MS_REQUIRED, "impacts, by name"),
  MS_FORMS(options, sensors, "list or mapping", MS_REQUIRED,
           "degrees of freedom, whose names are the channels; or degree of freedom: channel. Of a "
           "transient the channels are degrees of freedom and their kind, u2.acceleration"),
  MS_CHOICE(options, kind, "acceleration|velocity|displacement", MS_OPTIONAL, "of all sensors"),
  MS_FORMS(options, modes, "whole number or list of them", MS_REQUIRED,
           "to filter out and read; no more than there are sensors"),
  MS_PAIR(options, window, "s", MS_NOT_NEGATIVE, MS_ELSE("from the end of the impact on"),
          "[start, end] of what is read; the start is never before the end of the impact"),
  MS_NUMBER(options, periods, "-", MS_FROM(4), MS_DEFAULT(8),
            "of the mode in a window of the transform"),
  MS_COUNT(options, segments, MS_FROM(MS_HAMMER_LEAST), MS_DEFAULT(24), "rows of a mode, about"),
  MS_COUNT(options, parts, MS_FROM(1), MS_DEFAULT(1),
           "time steps to a sample where impacts are simulated"),
  MS_CHOICE(options, offset, "subtract|keep", MS_OPTIONAL,
            "means of force and sensors before the impact"),
  MS_NUMBER(options, noise, "-", MS_POSITIVE, MS_ELSE("not known"),
            "rms of every sensor's noise, in SI units: what is read counts less the nearer it is "
            "to the noise"),
  MS_MAPPING(options, add_noise, noise_list, MS_ELSE("none"),
             "makes a synthetic record a measured one"),
};

/* ---- sensors ---- */

static ms_status read_sensor(const ms_study *s, struct fy_node *coordinate, struct fy_node *channel,
                             ms_hammer_product *p) {
  const ptrdiff_t c = p->setting.n_channel++;
  MS_TRY(ms_read_dof(s, coordinate, "a coordinate", &p->coordinate[c]));
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

static void set_up(const options *o, ms_hammer_product *p) {
  static const ms_hammer_setting usual = MS_HAMMER_DEFAULT;
  static const ms_signal_kind kinds[] = { MS_SIGNAL_ACCELERATION, MS_SIGNAL_VELOCITY,
                                          MS_SIGNAL_DISPLACEMENT };
  p->setting = usual;
  p->setting.kind = kinds[o->kind];
  p->setting.periods = o->periods;
  p->setting.segments = o->segments;
  p->setting.parts = o->parts;
  p->setting.keep_offset = o->offset;
  if (!isnan(o->window[0])) p->setting.start = o->window[0], p->setting.end = o->window[1];
  if (o->noise > 0.0) p->noise = o->noise;
  if (o->part > 0.0) p->add = o->part;
  p->seed = (uint64_t)o->seed;
}

/* ---- hits ---- */

static ms_status read_hit(ms_study *s, const ms_task *task, struct fy_node *key,
                          struct fy_node *node, ms_hammer_product *p) {
  ms_study_hit *hit = &p->hit[p->n_hit++];
  hit_options o = { 0 };
  int moment;
  *hit = (ms_study_hit) { .node = node };
  MS_TRY(ms_yaml_text(&s->yaml, key, "a hit", &hit->name));
  MS_TRY(ms_options_read(s, node, NULL, hit->name, hit_keys, N_HIT_KEYS, &o));
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *hit->shape, &hit->shape));
  MS_TRY(ms_read_at(s, o.at, hit->shape, &moment));
  hit->force = o.force;
  return ms_hammer_check_hit(s, task, p, o.file, hit);
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
  ms_hammer_product *p;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  p->curves.sensor = MS_GROUND;
  MS_TRY(ms_options_read_own(s, task, &o));
  set_up(&o, p);
  MS_TRY(read_sensors(s, o.sensors, p));
  MS_TRY(read_hit_modes(s, o.modes, p));
  return read_hits(s, task, o.hits, p);
}
