/* hammer_test: measured hits and responses. Each mode is filtered out of the sensors and read by
   the short-time Fourier transform: frequency and damping against amplitude, as others read them,
   and what `calibrate` and `predict` hold simulated hits against. */
#include "study/analyses/hammer_test/hammer_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/yaml/tables.h"
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
  int use;
} hit_options;

static const ms_param hit_keys[] = {
  MS_FORMS(hit_options, at, "word or mapping", MS_REQUIRED,
           "the degree of freedom of the impact, or degree of freedom: factor, such as -1 for one "
           "against it"),
  MS_PATH(
      hit_options, file, MS_OPTIONAL,
      "the record, of any format of measured data: force and sensors at the same times, at rest at "
      "first"),
  MS_WORD(hit_options, from, MS_OPTIONAL,
          "an earlier transient in place of a file; its load and the sensors must be among its "
          "channels"),
  MS_WORD(hit_options, force, MS_ELSE("of a transient its only load"),
          "channel of the force, in N, mN, kN or lbf; of a transient with several loads the load"),
  MS_CHOICE(hit_options, use, "good|anyway", MS_OPTIONAL,
            "of a file: if the record is good, or even if it is doubtful"),
};
static const ms_param_list hit_list = MS_LIST_OF(hit_keys);

static const ms_param hits_keys[] = {
  MS_NAMED("NAME", "mapping", &hit_list, "an impact: where, and what was measured"),
};

static const ms_param noise_keys[] = {
  MS_NUMBER(options, part, "-", MS_POSITIVE, MS_REQUIRED,
            "rms of the noise over the largest value, for the force and for each sensor"),
  MS_COUNT(options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1), "of the random numbers"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ENTRIES(options, hits, "mapping", &MS_ROWS(hits_keys), MS_REQUIRED, "impacts, by name"),
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
           "time steps to a sample, once decimated, where impacts are simulated"),
  MS_CHOICE(options, offset, "subtract|keep", MS_OPTIONAL,
            "means of force and sensors before the impact"),
  MS_NUMBER(options, noise, "-", MS_POSITIVE, MS_ELSE("as before each impact"),
            "rms of every sensor's noise, in SI units: what is read counts less the nearer it is "
            "to the noise"),
  MS_MAPPING(options, add_noise, MS_ROWS(noise_keys), MS_ELSE("none"),
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
  ms_free(s->ctx, &p->given);
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
  if (!hit->force) {
    return ms_yaml_fail(&s->yaml, hit->node, MS_ERR_NAME,
                        "%s needs force: the channel of the hammer in its file", hit->name);
  }
  MS_TRY(ms_allocate(s->ctx, n + 1, sizeof *request, &request));
  for (ptrdiff_t c = 0; c <= n; c++) {
    request[c] =
        (ms_record_request) { .channel = c ? channel_name(s, o, p, c - 1) : hit->force,
                              .kind = c ? (ms_record_kind)p->setting.kind : MS_RECORD_FORCE };
  }
  ms_status status = ms_yaml_read_record_set(&s->yaml, ms_yaml_get(hit->node, "file"), file, n + 1,
                                             request, &o->sensors, &hit->samples, NULL);
  ms_free(s->ctx, &request);
  return status;
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
  hit->use = from ? MS_HIT_NOT_JUDGED : o.use == 1 ? MS_HIT_ANYWAY : MS_HIT_IF_GOOD;
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
  MS_TRY(ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, "modes"),
                           ms_hammer_check(s->structure, &p->setting)));
  if (o->hits.n == 0 || !o->hits.entry[0].value) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "hits"), MS_ERR_FORMAT,
                        "hits is a mapping, e.g. {tip: {at: u3, file: tip.csv, force: hammer}}");
  }
  MS_TRY(ms_allocate(s->ctx, o->hits.n, sizeof *p->hit, &p->hit));
  for (ptrdiff_t h = 0; h < o->hits.n; h++) MS_TRY(read_hit(s, task, &o->hits.entry[h], p));
  return MS_SUCCESS;
}

/* ---- the run ---- */

static ms_status gather(ms_study *s, const options *o, ms_hammer_product *p) {
  const ms_hammer_noise noise = { o->part, o->noise > 0.0 ? o->noise : 0.0, (uint64_t)o->seed };
  const ptrdiff_t n = p->setting.n_channel;
  MS_TRY(ms_allocate(s->ctx, n * p->n_hit, sizeof *p->rms, &p->rms));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    const ms_record_set *x = &p->hit[h].samples;
    MS_TRY(gather_hit(s, o, p, &p->hit[h]));
    ms_hammer_add_noise(&noise, h, x->n, n, x->x, p->rms + n * h);
  }
  return MS_SUCCESS;
}

static ms_status create_test(ms_study *s, ms_hammer_product *p) {
  MS_TRY(ms_allocate(s->ctx, p->n_hit, sizeof *p->given, &p->given));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    const ms_record_set *x = &p->hit[h].samples;
    const double *noise = p->rms + p->setting.n_channel * h;
    p->given[h] = (ms_hit) { .name = p->hit[h].name,
                             .shape = p->hit[h].shape,
                             .n = x->n,
                             .dt = x->dt,
                             .force = x->x,
                             .x = x->x + x->n,
                             .noise = noise[0] > 0.0 ? noise : NULL,
                             .use = p->hit[h].use };
  }
  return ms_hammer_create(s->structure, &p->setting, p->n_hit, p->given, &p->test);
}

ms_status ms_hammer_share(ms_study *s, ms_hammer_product *p) {
  const ptrdiff_t channels = p->setting.n_channel, n = channels * p->n_hit;
  if (p->shared) return MS_SUCCESS;
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    ms_record_set *x = &p->hit[h].samples;
    MS_TRY(ms_context_share(s->ctx, 0, &x->n, sizeof x->n));
    MS_TRY(ms_context_share(s->ctx, 0, &x->dt, sizeof x->dt));
    MS_TRY(reserve(s, p, x));
    MS_TRY(ms_context_share(s->ctx, 0, x->x, (size_t)(x->n * (channels + 1)) * sizeof *x->x));
  }
  if (!p->rms) MS_TRY(ms_allocate(s->ctx, n, sizeof *p->rms, &p->rms));
  MS_TRY(ms_context_share(s->ctx, 0, p->rms, (size_t)n * sizeof *p->rms));
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

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_hammer_product *p = task->product;
  if (!ms_hammer_is_explained(p->test)) MS_TRY(ms_task_doubt(s, task, "%s", MS_HAMMER_UNEXPLAINED));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    char text[MS_HAMMER_TEXT];
    if (!ms_hammer_print_remark(p->test, h, text)) continue;
    const int used = ms_hammer_get_verdict(p->test, h).used;
    MS_TRY((used ? ms_result_note : ms_result_doubt)(task->result, "%s", text));
  }
  return MS_SUCCESS;
}

/* ---- result ---- */

/* Of each mode what was read; of every channel what was subtracted. */
static void add_hit(ms_study *s, const options *o, const ms_hammer_product *p, ptrdiff_t h,
                    ms_result_table *records, ms_result_table *hits, ms_result_table *offsets) {
  static const char *const unit[] = { "m", "m/s", "m/s^2" };
  const ms_study_hit *hit = &p->hit[h];
  const ms_hammer_verdict v = ms_hammer_get_verdict(p->test, h);
  ms_result_put_row(records, hit->name, (double)v.used, v.faults, v.gain, v.unexplained, v.remark);
  for (int m = 0; m < o->modes.n; m++) {
    const ms_decay *d = ms_hammer_decay(p->test, h, m);
    const int read = d->n > 0;
    ms_hammer_error e = { 0.0, 0.0, 0.0 };
    if (read) e = ms_hammer_get_error(p->test, h, m, d->n / 2);
    ms_result_put_row(hits, hit->name, o->modes.mode[m] + 1.0, (double)hit->samples.n,
                      hit->samples.dt, (double)ms_hammer_get_factor(p->test, h),
                      ms_hammer_pulse_end(p->test, h), (double)d->n, read ? d->point[0].time : 0.0,
                      read ? d->point[d->n - 1].time : 0.0, e.amplitude, e.zeta,
                      ms_hammer_get_remark(p->test, h, m));
  }
  for (ptrdiff_t c = -1; c < p->setting.n_channel; c++) {
    ms_result_put_row(offsets, hit->name, c < 0 ? "force" : channel_name(s, o, p, c),
                      c < 0 ? "N" : unit[p->setting.kind],
                      (double)ms_hammer_count_before(p->test, h),
                      ms_hammer_get_offset(p->test, h, c), v.channel[c + 1].noise,
                      v.channel[c + 1].peak, v.channel[c + 1].gain);
  }
}

static ms_status result(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const ms_hammer_product *p = task->product;
  ms_result *r = task->result;
  ms_result_set_values(r, "hits:count,sensors:count,filter_condition", (double)p->n_hit,
                       (double)p->setting.n_channel, ms_hammer_filter(p->test).condition);
  MS_TRY(ms_curves_result(s, task, o->modes.mode, o->modes.n, NULL, NULL, NULL));
  ms_result_table *records = ms_result_new_table(
      r, "_records", "hit:word,used:flag,verdict:word,gain,unexplained,remark:word");
  ms_result_table *hits = ms_result_new_table(
      r, "_hits",
      "hit:word,mode,samples,step [s],decimation,pulse_end [s],rows,first [s],last [s],"
      "amplitude_error,zeta_error,remark:word");
  ms_result_table *offsets = ms_result_new_table(
      r, "_offsets",
      "hit:word,channel:word,unit:word,samples,offset [unit],noise [unit],peak [unit],gain");
  for (ptrdiff_t h = 0; h < p->n_hit; h++) add_hit(s, o, p, h, records, hits, offsets);
  ms_result_list_rows(r, "records", records, "hit,used,verdict,remark");
  ms_result_show_table(r, records, "Records: which are used, and what was found in them");
  char rate[320];
  if (ms_hammer_print_rate(p->test, rate, sizeof rate) > 0) ms_result_say(r, "%s", rate);
  for (ms_records_drawing i = 0; i < MS_RECORDS_DRAWINGS; i++) {
    ms_drawing *drawing;
    ms_status status = ms_hammer_draw(p->test, s->structure, p->given, i, &drawing);
    ms_result_take_drawing(r, status, &drawing);
  }
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
