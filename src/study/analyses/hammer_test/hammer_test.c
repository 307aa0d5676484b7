/* hammer_test: measured hits and responses. Each mode is filtered out of the sensors and read by
   the short-time Fourier transform: frequency and damping against amplitude, as others read them,
   and what `calibrate` and `predict` hold simulated hits against. */
#include "study/analyses/hammer_test/hammer_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/transient/transient.h"

typedef struct options {
  ms_entry_list hits, sensors;
  ms_mode_list modes;
  struct fy_node *add_noise;
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

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ENTRIES(options, hits, "mapping", &hits_list, MS_REQUIRED, "impacts, by name"),
  MS_ENTRIES(options, sensors, "list or mapping", NULL, MS_REQUIRED,
             "degrees of freedom, whose names are the channels; or degree of freedom: channel. Of "
             "a transient the channels are degrees of freedom and their kind, u2.acceleration"),
  MS_CHOICE(options, kind, "acceleration|velocity|displacement", MS_OPTIONAL, "of all sensors"),
  MS_MODES(options, modes, MS_REQUIRED, "to filter out and read; no more than there are sensors"),
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

static void close_product(ms_study *s, ms_task *task) {
  ms_hammer_product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  ms_hammer_destroy(&p->test);
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    ms_free(s->ctx, &p->hit[h].shape);
    ms_record_set_free(s->ctx, &p->hit[h].samples);
  }
  ms_free(s->ctx, &p->hit);
  ms_free(s->ctx, &p->rms);
  ms_free(s->ctx, &p->coordinate);
}

/* ---- for others ---- */

ms_mode_list ms_hammer_modes(const ms_task *test) {
  return ((const options *)test->options)->modes;
}

ptrdiff_t ms_hammer_find_hit(const ms_hammer_product *p, const char *name) {
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    if (strcmp(p->hit[h].name, name) == 0) return h;
  }
  return -1;
}

ptrdiff_t ms_hammer_find_mode(const ms_hammer_product *p, int mode) {
  for (ptrdiff_t m = 0; m < p->setting.n_mode; m++) {
    if (p->setting.mode[m] == mode) return m;
  }
  return -1;
}

/* ---- a hit from a file ---- */

static const char *channel_name(const ms_study *s, const options *o, const ms_hammer_product *p,
                                ptrdiff_t c) {
  const char *given = o->sensors.entry[c].text;
  return given ? given : ms_structure_get_name(s->structure, p->coordinate[c]);
}

static ms_status read_file(const ms_study *s, const options *o, const ms_hammer_product *p,
                           const char *file, ms_study_hit *hit) {
  const ptrdiff_t n = o->sensors.n;
  ms_record_request *request = NULL;
  char *path = NULL;
  if (!hit->force) {
    return ms_yaml_fail(&s->yaml, hit->node, MS_ERR_NAME,
                        "%s needs force: the channel of the hammer in its file", hit->name);
  }
  MS_TRY(ms_yaml_path(&s->yaml, file, &path));
  ms_status status = ms_allocate(s->ctx, n + 1, sizeof *request, &request);
  for (ptrdiff_t c = 0; c <= n && status == MS_SUCCESS; c++) {
    request[c] =
        (ms_record_request) { .channel = c ? channel_name(s, o, p, c - 1) : hit->force,
                              .kind = c ? (ms_record_kind)p->setting.kind : MS_RECORD_FORCE };
  }
  if (!status) status = ms_record_read_set(s->ctx, path, n + 1, request, &hit->samples, NULL);
  ms_free(s->ctx, &request);
  ms_free(s->ctx, &path);
  return ms_yaml_fail_here(&s->yaml, ms_yaml_get(hit->node, "file"), status);
}

/* ---- a hit from a transient ---- */

/* Column of the transient's table, -1 if it has none: of a channel by its name or its coordinate.
 */
static int find_column(const ms_transient_product *t, ms_quantity quantity, ptrdiff_t index,
                       const char *name) {
  for (int i = 0; i < t->channels.n; i++) {
    const ms_channel *c = &t->channels.channel[i];
    if (c->quantity == quantity && (name ? strcmp(c->name, name) == 0 : c->index == index)) {
      return i + 1;
    }
  }
  return -1;
}

/* Channel c of the hit: the force, which is that of the only load unless one is named, then the
   sensors. */
static int find_channel(const options *o, const ms_hammer_product *p, const ms_study_hit *hit,
                        ptrdiff_t c) {
  static const ms_quantity quantity[] = { MS_DISPLACEMENT, MS_VELOCITY, MS_ACCELERATION };
  const ms_transient_product *t = hit->from->product;
  if (c > 0) {
    return find_column(t, quantity[p->setting.kind], p->coordinate[c - 1],
                       o->sensors.entry[c - 1].text);
  }
  return hit->force || t->n_load == 1 ? find_column(t, MS_LOAD_FORCE, 0, hit->force) : -1;
}

static ms_status check_transient(const ms_study *s, const options *o, const ms_hammer_product *p,
                                 const ms_study_hit *hit) {
  struct fy_node *node = ms_yaml_get(hit->node, "from");
  if (find_channel(o, p, hit, 0) < 0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                        "%s records no force of one load; put the load among its channels, and "
                        "name it with force: where there are several",
                        hit->from->name);
  }
  for (ptrdiff_t c = 0; c < o->sensors.n; c++) {
    if (find_channel(o, p, hit, c + 1) >= 0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "%s does not record the %s of %s",
                        hit->from->name, ms_record_kind_text((ms_record_kind)p->setting.kind),
                        channel_name(s, o, p, c));
  }
  return MS_SUCCESS;
}

static ms_status reserve(const ms_study *s, const ms_hammer_product *p, ms_record_set *x) {
  if (x->x) return MS_SUCCESS;
  return ms_allocate(s->ctx, x->n * (p->setting.n_channel + 1), sizeof *x->x, &x->x);
}

static ms_status gather_hit(const ms_study *s, const options *o, const ms_hammer_product *p,
                            ms_study_hit *hit) {
  ms_record_set *x = &hit->samples;
  if (!hit->from) return MS_SUCCESS;
  const ms_transient_product *t = hit->from->product;
  x->n = ms_result_table_rows(t->table);
  x->dt = ms_transient_row_step(t);
  MS_TRY(reserve(s, p, x));
  for (ptrdiff_t c = 0; c <= p->setting.n_channel; c++) {
    const double *column = ms_result_table_column(t->table, find_channel(o, p, hit, c));
    memcpy(x->x + x->n * c, column, (size_t)x->n * sizeof *x->x);
  }
  return MS_SUCCESS;
}

/* ---- options ---- */

static ms_status read_sensors(const ms_study *s, const options *o, ms_hammer_product *p) {
  MS_TRY(ms_allocate(s->ctx, o->sensors.n, sizeof *p->coordinate, &p->coordinate));
  for (ptrdiff_t c = 0; c < o->sensors.n; c++) {
    const ms_entry *e = &o->sensors.entry[c];
    const char *channel;
    MS_TRY(ms_read_dof(s, e->key, "a coordinate", &p->coordinate[c]));
    if (e->value) MS_TRY(ms_yaml_text(&s->yaml, e->value, "a channel", &channel));
  }
  return MS_SUCCESS;
}

static ms_status check_modes(const ms_study *s, const ms_task *task, const options *o) {
  struct fy_node *node = ms_yaml_get(task->node, "modes");
  for (int m = 0; m < o->modes.n; m++) {
    if (ms_structure_get_stuck(s->structure).omega[o->modes.mode[m]] > 0.0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "mode %d is a rigid-body mode: it does not ring", o->modes.mode[m] + 1);
  }
  if (o->modes.n <= o->sensors.n) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "%td sensors do not tell %d modes apart",
                      o->sensors.n, o->modes.n);
}

static ms_status read_hit(ms_study *s, const ms_task *task, const ms_entry *entry,
                          ms_hammer_product *p) {
  ms_study_hit *hit = &p->hit[p->n_hit++];
  struct fy_node *from = ms_yaml_get(entry->value, "from");
  hit_options o = { 0 };
  int moment;
  hit->name = entry->name;
  hit->node = entry->value;
  MS_TRY(ms_options_read_mapping(s, &s->units, hit->node, hit->name, &hit_list, &o));
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *hit->shape, &hit->shape));
  MS_TRY(ms_read_at(s, o.at, hit->shape, &moment));
  hit->force = o.force;
  if (!o.file == !from) {
    return ms_yaml_fail(&s->yaml, hit->node, MS_ERR_NAME,
                        "%s needs file or from, a record or an earlier transient", hit->name);
  }
  if (o.file) return read_file(s, task->options, p, o.file, hit);
  MS_TRY(ms_study_find_task(s, task, from, "transient", &hit->from));
  return check_transient(s, task->options, p, hit);
}

static ms_status check(ms_study *s, ms_task *task) {
  static const ms_signal_kind kinds[] = { MS_SIGNAL_ACCELERATION, MS_SIGNAL_VELOCITY,
                                          MS_SIGNAL_DISPLACEMENT };
  const options *o = task->options;
  ms_hammer_product *p = task->product;
  p->curves.sensor = MS_GROUND;
  MS_TRY(read_sensors(s, o, p));
  MS_TRY(check_modes(s, task, o));
  p->setting = (ms_hammer_setting)MS_HAMMER_DEFAULT;
  p->setting.n_channel = o->sensors.n;
  p->setting.channel = p->coordinate;
  p->setting.kind = kinds[o->kind];
  p->setting.n_mode = o->modes.n;
  p->setting.mode = o->modes.mode;
  if (!isnan(o->window[0])) p->setting.start = o->window[0], p->setting.end = o->window[1];
  p->setting.periods = o->periods;
  p->setting.segments = o->segments;
  p->setting.parts = o->parts;
  p->setting.keep_offset = o->offset;
  if (o->hits.n == 0 || !o->hits.entry[0].value) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "hits"), MS_ERR_FORMAT,
                        "hits is a mapping, e.g. {tip: {at: u3, file: tip.csv, force: hammer}}");
  }
  MS_TRY(ms_allocate(s->ctx, o->hits.n, sizeof *p->hit, &p->hit));
  for (ptrdiff_t h = 0; h < o->hits.n; h++) MS_TRY(read_hit(s, task, &o->hits.entry[h], p));
  return MS_SUCCESS;
}

/* ---- the run ---- */

/* Noise goes to the force and every sensor, for each hit from a stream of its own. */
static ms_status gather(ms_study *s, const options *o, ms_hammer_product *p) {
  const ptrdiff_t n = p->setting.n_channel;
  MS_TRY(ms_allocate(s->ctx, n * p->n_hit, sizeof *p->rms, &p->rms));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    const ms_record_set *x = &p->hit[h].samples;
    ms_random random;
    MS_TRY(gather_hit(s, o, p, &p->hit[h]));
    ms_random_start(&random, (uint64_t)o->seed, (uint64_t)h);
    for (ptrdiff_t c = 0; c <= n; c++) {
      const double added =
          o->part > 0.0 ? ms_signal_add_noise(&random, o->part, x->n, x->x + x->n * c) : 0.0;
      if (c > 0) p->rms[c - 1 + n * h] = hypot(added, o->noise > 0.0 ? o->noise : 0.0);
    }
  }
  return MS_SUCCESS;
}

static ms_status create_test(ms_study *s, ms_hammer_product *p) {
  ms_hit *hit;
  MS_TRY(ms_allocate(s->ctx, p->n_hit, sizeof *hit, &hit));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    const ms_record_set *x = &p->hit[h].samples;
    hit[h] = (ms_hit) { .name = p->hit[h].name,
                        .shape = p->hit[h].shape,
                        .n = x->n,
                        .dt = x->dt,
                        .force = x->x,
                        .x = x->x + x->n,
                        .noise = p->rms + p->setting.n_channel * h };
  }
  ms_status status = ms_hammer_create(s->structure, &p->setting, p->n_hit, hit, &p->test);
  ms_free(s->ctx, &hit);
  return status;
}

ms_status ms_hammer_share(ms_study *s, ms_hammer_product *p) {
  const ptrdiff_t channels = p->setting.n_channel, n = channels * p->n_hit;
  if (p->shared) return MS_SUCCESS;
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    ms_record_set *x = &p->hit[h].samples;
    MS_TRY(ms_study_share(s, 0, &x->n, sizeof x->n));
    MS_TRY(ms_study_share(s, 0, &x->dt, sizeof x->dt));
    MS_TRY(reserve(s, p, x));
    MS_TRY(ms_study_share(s, 0, x->x, (size_t)(x->n * (channels + 1)) * sizeof *x->x));
  }
  if (!p->rms) MS_TRY(ms_allocate(s->ctx, n, sizeof *p->rms, &p->rms));
  MS_TRY(ms_study_share(s, 0, p->rms, (size_t)n * sizeof *p->rms));
  p->shared = 1;
  return p->test ? MS_SUCCESS : create_test(s, p);
}

/* Curves are those modes of every hit that could be read. */
static ms_status run(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_hammer_product *p = task->product;
  MS_TRY(gather(s, o, p));
  ms_status status = create_test(s, p);
  if (status != MS_SUCCESS) return ms_fail_at(s->ctx, status, "%s", task->name);
  MS_TRY(ms_allocate(s->ctx, p->n_hit * o->modes.n, sizeof *p->curves.curve, &p->curves.curve));
  for (ptrdiff_t k = 0; k < p->n_hit * o->modes.n; k++) {
    const ptrdiff_t h = k / o->modes.n, m = k % o->modes.n;
    const ms_decay *decay = ms_hammer_decay(p->test, h, m);
    if (decay->n == 0) continue;
    ms_curve *c = &p->curves.curve[p->curves.n_curve++];
    *c = (ms_curve) { .mode = o->modes.mode[m], .decay = decay };
    snprintf(c->source, sizeof c->source, "%.95s", p->hit[h].name);
  }
  return MS_SUCCESS;
}

/* An offset of a measured force that nothing before the hit tells goes unseen. */
static ms_status judge(ms_study *s, ms_task *task) {
  const ms_hammer_product *p = task->product;
  for (ptrdiff_t h = 0; h < p->n_hit && !p->setting.keep_offset; h++) {
    if (p->hit[h].from || ms_hammer_count_before(p->test, h) > 0) continue;
    MS_TRY(ms_task_note(s, task,
                        "impact %s: fewer than %d samples before it: offsets of its channels are "
                        "not known and were not subtracted",
                        p->hit[h].name, MS_OFFSET_LEAST));
  }
  return MS_SUCCESS;
}

/* ---- result ---- */

/* Of each mode what was read; of every channel what was subtracted. */
static ms_status add_hit(ms_study *s, const options *o, const ms_hammer_product *p, ptrdiff_t h,
                         ms_result_table *hits, ms_result_table *offsets) {
  static const char *const unit[] = { "m", "m/s", "m/s^2" };
  const ms_study_hit *hit = &p->hit[h];
  for (int m = 0; m < o->modes.n; m++) {
    const ms_decay *d = ms_hammer_decay(p->test, h, m);
    const int read = d->n > 0;
    ms_hammer_error e = { 0.0, 0.0, 0.0 };
    if (read) e = ms_hammer_get_error(p->test, h, m, d->n / 2);
    MS_TRY(ms_result_table_add_row(
        s->ctx, hits, hit->name, o->modes.mode[m] + 1.0, (double)hit->samples.n, hit->samples.dt,
        ms_hammer_pulse_end(p->test, h), (double)d->n, read ? d->point[0].time : 0.0,
        read ? d->point[d->n - 1].time : 0.0, e.amplitude, e.zeta,
        ms_hammer_get_remark(p->test, h, m)));
  }
  for (ptrdiff_t c = -1; c < p->setting.n_channel; c++) {
    MS_TRY(ms_result_table_add_row(
        s->ctx, offsets, hit->name, c < 0 ? "force" : channel_name(s, o, p, c),
        c < 0 ? "N" : unit[p->setting.kind], (double)ms_hammer_count_before(p->test, h),
        ms_hammer_get_offset(p->test, h, c)));
  }
  return MS_SUCCESS;
}

static ms_status result(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const ms_hammer_product *p = task->product;
  ms_result *r = task->result;
  ms_result_table *hits, *offsets;
  ms_result_set_integer(r, "hits", p->n_hit);
  ms_result_set_integer(r, "sensors", p->setting.n_channel);
  ms_result_set_number(r, "filter_condition", NULL, ms_hammer_filter(p->test).condition);
  MS_TRY(ms_curves_result(s, task, o->modes.mode, o->modes.n, NULL, NULL, NULL));
  MS_TRY(ms_task_add_table(s, task, "_hits",
                           "hit:word,mode,samples,step [s],pulse_end [s],rows,first [s],last [s],"
                           "amplitude_error,zeta_error,remark:word",
                           &hits));
  MS_TRY(ms_task_add_table(s, task, "_offsets",
                           "hit:word,channel:word,unit:word,samples,offset [unit]", &offsets));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) MS_TRY(add_hit(s, o, p, h, hits, offsets));
  ms_result_show_table(
      r, hits, "Impacts: what was read of each mode, with errors due to the noise of the sensors");
  ms_result_show_table(
      r, offsets, "Offsets of the channels: means of the samples before the impact, subtracted");
  return MS_SUCCESS;
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_hammer_product *p = task->product;
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    if (p->hit[h].from == other) return 1;
  }
  return 0;
}

const ms_analysis ms_analysis_hammer_test = {
  .needs = needs,
  .name = "hammer_test",
  .title = "Hammer test",
  .meaning =
      "Impacts of a hammer and the responses to them, measured or from earlier transients: each "
      "mode, filtered out of the sensors, with its frequency and damping while all modes ring. "
      "calibrate can match simulated impacts to these, and predict tries other impacts.",
  MS_KEYS(keys, options, ms_hammer_product),
  .check = check,
  .run = run,
  .judge = judge,
  .result = result,
  .close = close_product,
};
