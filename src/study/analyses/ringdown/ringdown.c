/* ringdown: a measured record of one mode to frequency and damping against amplitude, in the modal
   coordinate where the sensor's place is known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "io/yaml/tables.h"
#include "structure/tolerance.h"
#include "study/analyses/transient/transient.h"
#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/rows.h"

typedef struct options {
  const char *file, *channel, *unit;
  const ms_task *from;
  ptrdiff_t at, segments;
  int mode, kind, offset, method;
  double rate, band[2], edge, start, end;
} options;

#define EDGE_RANGE .lower = 0.0, .upper = 1.0, .open = 1

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_PATH(options, file, MS_OPTIONAL,
          "the record, of any format of measured data, beside the study file"),
  MS_TASK(options, from, "transient", MS_OPTIONAL,
          "or an earlier transient, which records the channel: a displacement, velocity or "
          "acceleration"),
  MS_MODE(options, mode, MS_REQUIRED, "the mode that rings"),
  MS_DOF(options, at, MS_ELSE("amplitudes are the sensor's own"),
         "degree of freedom of the sensor: amplitudes become modal ones"),
  MS_WORD(options, channel, MS_ELSE("the only one"), "channel of the file or of the transient"),
  MS_CHOICE(options, kind, "displacement|velocity|acceleration", MS_ELSE("as the unit says"),
            "what was measured"),
  MS_WORD(options, unit, MS_ELSE("as the file says"), "of the channel: mm, m/s, g, ..."),
  MS_NUMBER(options, rate, "Hz", MS_POSITIVE, MS_ELSE("as the file says"),
            "samples per second, for a table without times"),
  MS_PAIR(options, band, "Hz", MS_NOT_NEGATIVE, MS_ELSE("none"),
          "a band-pass before the decay is read"),
  MS_NUMBER(options, edge, NULL, EDGE_RANGE, MS_DEFAULT(0.1),
            "part of the limits of the band over which the gain falls to zero outside it"),
  MS_CHOICE(options, offset, "subtract|keep", MS_OPTIONAL, "mean before the trigger"),
  MS_NUMBER(options, start, "s", MS_ANY, MS_ELSE("found"), "time from which on it rings freely"),
  MS_NUMBER(options, end, "s", MS_ANY, MS_ELSE("the end of the record"), "time at which to stop"),
  MS_CHOICE(options, method, "hilbert|stft|crossings", MS_OPTIONAL,
            "how frequency and damping are read"),
  MS_COUNT(options, segments, MS_FROM(1), MS_ELSE("as many as the method makes"), "rows, about"),
};

typedef struct product {
  ms_curves curves; /* first: see analyses/shared/curves.h */
  int channel;      /* of the transient */
  ms_record record;
  ms_ring_settings settings;
  ms_ring_info info;
  double shape;   /* at the sensor, 1 where its place is not known */
  ms_decay decay; /* in the modal coordinate */
  ptrdiff_t left; /* rows that do not decay, left out */
  ms_result_table *sensor;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  ms_decay_free(s->ctx, &p->decay);
  ms_record_free(s->ctx, &p->record);
}

/* ---- options ---- */

static ms_status read_settings(const ms_study *s, struct fy_node *node, const options *o,
                               ms_ring_settings *r) {
  static const ms_ring_settings usual = MS_RING_DEFAULT;
  const double two_pi = 2.0 * acos(-1.0);
  struct fy_node *start = ms_yaml_get(node, "start"), *end = ms_yaml_get(node, "end");
  *r = usual;
  r->method = (ms_ring_method)o->method;
  r->edge = o->edge;
  r->keep_offset = o->offset;
  if (o->segments > 0) r->segments = o->segments;
  if (o->band[1] > 0.0) {
    r->low = two_pi * o->band[0];
    r->high = two_pi * o->band[1];
  }
  if (start) r->start = o->start;
  if (end) r->end = o->end;
  if (r->start < r->end) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, end ? end : start, MS_ERR_BOUNDS, "start must be before end");
}

/* The channel of a transient; its samples are there when it has run. */
static ms_status find_channel(const ms_study *s, const ms_task *task, const options *o,
                              product *p) {
  const ms_channels *all = &((const ms_transient_product *)o->from->product)->channels;
  p->channel = o->channel ? ms_channels_find(all, o->channel) : all->n > 1 ? -1 : 0;
  if (p->channel >= 0 && all->channel[p->channel].quantity <= MS_ACCELERATION) {
    const ms_channel *c = &all->channel[p->channel];
    p->record.kind = (ms_record_kind)c->quantity;
    p->record.factor = 1.0;
    snprintf(p->record.channel, sizeof p->record.channel, "%.63s", c->name);
    snprintf(p->record.unit, sizeof p->record.unit, "%s", ms_quantity_unit(c->quantity, 0));
    return MS_SUCCESS;
  }
  struct fy_node *channel = ms_yaml_get(task->node, "channel");
  return ms_yaml_fail(&s->yaml, channel ? channel : task->node, MS_ERR_NAME,
                      "channel must be a displacement, velocity or acceleration that %s records",
                      o->from->name);
}

static ms_status find_record(const ms_study *s, const ms_task *task, const options *o, product *p) {
  if (!o->file == !o->from) {
    return ms_yaml_fail(&s->yaml, task->node, MS_ERR_FORMAT,
                        "%s needs either file, a record, or from, an earlier transient",
                        task->name);
  }
  if (o->from) {
    static const char *const of_files[] = { "kind", "unit", "rate" };
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++) {
      struct fy_node *given = ms_yaml_get(task->node, of_files[i]);
      if (!given) continue;
      return ms_yaml_fail(&s->yaml, given, MS_ERR_FORMAT, "%s is for files; a transient knows it",
                          of_files[i]);
    }
    return find_channel(s, task, o, p);
  }
  const ms_record_request request = { .channel = o->channel,
                                      .kind = (ms_record_kind)o->kind, /* -1: MS_RECORD_UNKNOWN */
                                      .unit = o->unit,
                                      .rate_hz = o->rate > 0.0 ? o->rate : 0.0 };
  return ms_yaml_read_record(&s->yaml, ms_yaml_get(task->node, "file"), o->file, &request,
                             &p->record);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  product *p = task->product;
  p->curves.sensor = o->at;
  MS_TRY(ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, "at"),
                           ms_sensor_find_shape(s->structure, o->at, o->mode, &p->shape)));
  MS_TRY(read_settings(s, task->node, o, &p->settings));
  MS_TRY(find_record(s, task, o, p));
  if (o->at == MS_GROUND) p->curves.channel = p->record.channel;
  return MS_SUCCESS;
}

/* ---- the run ---- */

/* Amplitudes at the sensor, before they become modal ones. */
static void tabulate_sensor(const ms_task *task, product *p) {
  p->sensor = ms_result_new_table(task->result, "_sensor",
                                  "time [s],displacement [m],velocity [m/s],acceleration [m/s^2],"
                                  "omega [rad/s],f [Hz],zeta,quality");
  for (ptrdiff_t i = 0; i < p->decay.n; i++) {
    const ms_decay_point *d = &p->decay.point[i];
    ms_result_put_row(p->sensor, d->time, d->q, d->velocity, d->acceleration, d->omega,
                      d->omega / (2.0 * acos(-1.0)), d->zeta, d->quality);
  }
}

/* The samples of a transient. */
static ms_status fill_record(ms_study *s, const ms_transient_product *t, product *p) {
  ms_record *r = &p->record;
  r->n = ms_result_table_rows(t->table);
  r->dt = ms_transient_row_step(t);
  MS_TRY(ms_allocate(s->ctx, r->n, sizeof *r->x, &r->x));
  memcpy(r->x, ms_result_table_column(t->table, p->channel + 1), (size_t)r->n * sizeof *r->x);
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  const options *o = task->options;
  product *p = task->product;
  ms_record *r = &p->record;
  if (o->from) MS_TRY(fill_record(s, o->from->product, p));
  const ms_signal signal = {
    .x = r->x, .n = r->n, .dt = r->dt, .time = r->time, .kind = (ms_signal_kind)r->kind
  };
  ms_status status = ms_signal_ringdown(s->ctx, &signal, &p->settings, r->x, &p->decay, &p->info);
  if (status != MS_SUCCESS)
    return ms_fail_at(s->ctx, status, "%s: channel %s", task->name, p->record.channel);
  tabulate_sensor(task, p);
  p->left = ms_decay_to_modal(&p->decay, p->shape);
  if (p->decay.n == 0) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: channel %s: the oscillation decays nowhere",
                   task->name, p->record.channel);
  }
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p->curves.curve, &p->curves.curve));
  p->curves.curve[0] = (ms_curve) { .mode = o->mode, .decay = &p->decay };
  snprintf(p->curves.curve[0].source, sizeof p->curves.curve[0].source, "%.47s", p->record.channel);
  p->curves.n_curve = 1;
  return MS_SUCCESS;
}

/* ---- result ---- */

static const char *const signal_unit[] = { "m", "m/s", "m/s^2" };

/* The record (as it is behind the band-pass) and its envelope. */
static ms_status draw_record(const ms_study *s, const product *p, ms_figure **figure) {
  const ms_record *r = &p->record;
  ms_signal signal = { .x = r->x, .n = r->n, .dt = r->dt, .time = r->time };
  ms_trace trace;
  MS_TRY(ms_figure_create(s->ctx, "Record in time", NULL, figure));
  MS_TRY(ms_trace_make(s->ctx, &signal, &trace));
  ms_trace_view view = { .trace = &trace,
                         .decay = &p->decay,
                         .kind = (ms_signal_kind)r->kind,
                         .scale = p->shape,
                         .title = r->channel,
                         .y_label = ms_record_kind_text(r->kind),
                         .y_unit = signal_unit[r->kind] };
  ms_status status = ms_trace_add_panel(s->ctx, *figure, &view);
  ms_trace_free(s->ctx, &trace);
  return status == MS_SUCCESS ? ms_figure_add_first_cycles(*figure) : status;
}

static void set_values(const options *o, const product *p, ms_result *r) {
  const ms_ring_info *i = &p->info;
  const char *unit = signal_unit[p->record.kind];
  ms_result_set_values(r, "mode:count,channel:word,signal:word,unit:word,method:word",
                       (double)(o->mode + 1), p->record.channel,
                       ms_record_kind_text(p->record.kind), p->record.unit,
                       ms_signal_method_text(p->settings.method));
  if (i->edge_time > 0.0) {
    ms_result_set_values(r, "edge,edge_time [s]", p->settings.edge, i->edge_time);
  }
  ms_result_set_number(r, "offset", unit, i->offset);
  ms_result_set_values(r, "offset_samples:count,rings_from [s],residual,shape,rows_left_out:count",
                       (double)i->before, i->onset, i->residual, p->shape, (double)p->left);
}

static ms_status result(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const product *p = task->product;
  const double two_pi = 2.0 * acos(-1.0), edge = p->settings.edge;
  const double low = p->settings.low / two_pi, high = p->settings.high / two_pi;
  ms_figure *figure = NULL;
  set_values(o, p, task->result);
  MS_TRY(ms_curves_result(s, task, &o->mode, 1, "record", NULL, NULL));
  ms_result_fail_page(task->result, draw_record(s, p, &figure));
  ms_result_take_figure(task->result, MS_TRACE_CAPTION, &figure);
  ms_result_show_table(task->result, p->sensor, "Amplitudes at the sensor");
  ms_result_say(task->result, "%td samples, %.6g per second. %s", p->record.n, 1.0 / p->record.dt,
                o->at != MS_GROUND
                    ? "Modal amplitudes are those at the sensor, divided by the mode shape there."
                    : "The place of the sensor is not given: amplitudes are those of the sensor, "
                      "in m, as if the mode shape there were 1.");
  if (p->info.edge_time > 0.0) {
    ms_result_say(task->result,
                  "Band-pass from %g to %g Hz, with gain 0 below %.4g and above %.4g Hz; it "
                  "distorts %.3g s at each end of the ringing, which are left out.",
                  low, high, (1.0 - edge) * low, (1.0 + edge) * high, p->info.edge_time);
  }
  char note[300];
  for (int i = 0; ms_ring_note(&p->info, &p->settings, i, note, sizeof note); i++) {
    ms_result_say(task->result, "Note: %s.", note);
  }
  return MS_SUCCESS;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const product *p = task->product;
  char text[240];
  for (int i = 0; ms_ring_warning(&p->info, &p->settings, i, text, sizeof text); i++) {
    MS_TRY(ms_task_doubt(s, task, "%s", text));
  }
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_ringdown = {
  .name = "ringdown",
  .title = "Ring-down of a recorded mode",
  .meaning =
      "A record of a mode that rings freely, measured or from a transient: frequency and total "
      "damping against amplitude.",
  MS_KEYS(keys, options, product),
  .check = check,
  .run = run,
  .judge = judge,
  .result = result,
  .close = close_product,
};
