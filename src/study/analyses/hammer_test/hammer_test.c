/* hammer_test: measured hits and responses. Each mode is filtered out of the sensors and read by
   the short-time Fourier transform: frequency and damping against amplitude, as others read them,
   and what `calibrate` and `predict` hold simulated hits against. */
#include "study/analyses/hammer_test/hammer_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void close_product(ms_study *s, ms_task *task) {
  ms_hammer_product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  ms_hammer_destroy(&p->test);
  for (ptrdiff_t h = 0; p->hit && h < p->n_hit; h++) {
    ms_free(s->ctx, &p->hit[h].shape);
    ms_free(s->ctx, &p->hit[h].x);
  }
  ms_free(s->ctx, &p->hit);
  ms_free(s->ctx, &p->rms);
  ms_free(s->ctx, &p->mode);
  ms_free(s->ctx, &p->channel);
  ms_free(s->ctx, &p->coordinate);
  ms_free(s->ctx, &task->product);
}

ptrdiff_t ms_hammer_find_hit(const ms_hammer_product *p, const char *name) {
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    if (strcmp(p->hit[h].name, name) == 0) return h;
  }
  return -1;
}

ptrdiff_t ms_hammer_find_mode(const ms_hammer_product *p, int mode) {
  for (int m = 0; m < p->n_mode; m++) {
    if (p->mode[m] == mode) return m;
  }
  return -1;
}

/* ---- noise ---- */

/* To the force and every sensor, each hit from a stream of its own. */
static void add_noise(const ms_hammer_product *p, ms_study_hit *hit) {
  const ptrdiff_t h = hit - p->hit;
  ms_random random;
  ms_random_start(&random, p->seed, (uint64_t)h);
  for (ptrdiff_t c = 0; c <= p->setting.n_channel; c++) {
    const double rms = ms_signal_add_noise(&random, p->add, hit->n, hit->x + hit->n * c);
    if (c > 0) p->rms[c - 1 + p->setting.n_channel * h] = rms;
  }
}

static ms_status gather(ms_study *s, ms_hammer_product *p) {
  const ptrdiff_t n = p->setting.n_channel;
  MS_TRY(ms_allocate(s->ctx, n * p->n_hit, sizeof *p->rms, &p->rms));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    MS_TRY(ms_hammer_gather_hit(s, p, &p->hit[h]));
    if (p->add > 0.0) add_noise(p, &p->hit[h]);
    for (ptrdiff_t c = n * h; c < n * (h + 1); c++) p->rms[c] = hypot(p->rms[c], p->noise);
  }
  return MS_SUCCESS;
}

/* ---- the run ---- */

static ms_status create_test(ms_study *s, ms_hammer_product *p) {
  ms_hit *hit;
  MS_TRY(ms_allocate(s->ctx, p->n_hit, sizeof *hit, &hit));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    const ms_study_hit *from = &p->hit[h];
    hit[h] = (ms_hit) { .name = from->name,
                        .shape = from->shape,
                        .n = from->n,
                        .dt = from->dt,
                        .force = from->x,
                        .x = from->x + from->n,
                        .noise = p->rms + p->setting.n_channel * h };
  }
  ms_status status = ms_hammer_create(s->structure, &p->setting, p->n_hit, hit, &p->test);
  ms_free(s->ctx, &hit);
  return status;
}

static ms_status share_hit(const ms_study *s, const ms_hammer_product *p, ms_study_hit *hit) {
  const ptrdiff_t columns = p->setting.n_channel + 1;
  MS_TRY(ms_study_share(s, 0, &hit->n, sizeof hit->n));
  MS_TRY(ms_study_share(s, 0, &hit->dt, sizeof hit->dt));
  if (!hit->x) MS_TRY(ms_allocate(s->ctx, hit->n * columns, sizeof *hit->x, &hit->x));
  return ms_study_share(s, 0, hit->x, (size_t)(hit->n * columns) * sizeof *hit->x);
}

ms_status ms_hammer_share(ms_study *s, ms_hammer_product *p) {
  const ptrdiff_t n = p->setting.n_channel * p->n_hit;
  if (p->shared) return MS_SUCCESS;
  for (ptrdiff_t h = 0; h < p->n_hit; h++) MS_TRY(share_hit(s, p, &p->hit[h]));
  if (!p->rms) MS_TRY(ms_allocate(s->ctx, n, sizeof *p->rms, &p->rms));
  MS_TRY(ms_study_share(s, 0, p->rms, (size_t)n * sizeof *p->rms));
  p->shared = 1;
  return p->test ? MS_SUCCESS : create_test(s, p);
}

/* Every mode of every hit that could be read. */
static ms_status collect(ms_study *s, ms_hammer_product *p) {
  MS_TRY(ms_allocate(s->ctx, p->n_hit * p->n_mode, sizeof *p->curves.curve, &p->curves.curve));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    for (int m = 0; m < p->n_mode; m++) {
      const ms_decay *decay = ms_hammer_decay(p->test, h, m);
      if (decay->n == 0) continue;
      ms_curve *c = &p->curves.curve[p->curves.n_curve++];
      *c = (ms_curve) { .mode = p->mode[m], .decay = decay };
      snprintf(c->source, sizeof c->source, "%.95s", p->hit[h].name);
    }
  }
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_hammer_product *p = task->product;
  MS_TRY(gather(s, p));
  ms_status status = create_test(s, p);
  if (status != MS_SUCCESS) return ms_fail_at(s->ctx, status, "%s", task->name);
  return collect(s, p);
}

/* ---- result ---- */

static ms_status add_hit(ms_study *s, const ms_hammer_product *p, ptrdiff_t h,
                         ms_result_table *table) {
  for (int m = 0; m < p->n_mode; m++) {
    const ms_decay *d = ms_hammer_decay(p->test, h, m);
    const int read = d->n > 0;
    ms_hammer_error e = { 0.0, 0.0, 0.0 };
    if (read) e = ms_hammer_get_error(p->test, h, m, d->n / 2);
    MS_TRY(ms_result_table_add_row(
        s->ctx, table, p->hit[h].name, p->mode[m] + 1.0, (double)p->hit[h].n, p->hit[h].dt,
        ms_hammer_pulse_end(p->test, h), (double)d->n, read ? d->point[0].time : 0.0,
        read ? d->point[d->n - 1].time : 0.0, e.amplitude, e.zeta,
        ms_hammer_get_remark(p->test, h, m)));
  }
  return MS_SUCCESS;
}

/* What was subtracted from every channel. */
static ms_status add_offsets(ms_study *s, const ms_hammer_product *p, ptrdiff_t h,
                             ms_result_table *table) {
  static const char *const unit[] = { "m", "m/s", "m/s^2" };
  for (ptrdiff_t c = -1; c < p->setting.n_channel; c++) {
    MS_TRY(ms_result_table_add_row(
        s->ctx, table, p->hit[h].name, c < 0 ? "force" : ms_hammer_channel_name(s, p, c),
        c < 0 ? "N" : unit[p->setting.kind], (double)ms_hammer_count_before(p->test, h),
        ms_hammer_get_offset(p->test, h, c)));
  }
  return MS_SUCCESS;
}

static ms_status result(ms_study *s, ms_task *task) {
  const ms_hammer_product *p = task->product;
  ms_result *r = task->result;
  ms_result_table *hits, *offsets;
  ms_result_set_integer(r, "hits", p->n_hit);
  ms_result_set_integer(r, "sensors", p->setting.n_channel);
  ms_result_set_number(r, "filter_condition", NULL, ms_hammer_filter(p->test).condition);
  MS_TRY(ms_curves_result(s, task, p->mode, p->n_mode, NULL, NULL));
  MS_TRY(ms_task_add_table(s, task, "_hits",
                           "hit:word,mode,samples,step [s],pulse_end [s],rows,first [s],last [s],"
                           "amplitude_error,zeta_error,remark:word",
                           &hits));
  MS_TRY(ms_task_add_table(s, task, "_offsets", "hit:word,channel:word,unit:word,samples,offset",
                           &offsets));
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    MS_TRY(add_hit(s, p, h, hits));
    MS_TRY(add_offsets(s, p, h, offsets));
  }
  ms_result_show_table(r, hits, "What was read (errors by the sensors' noise, in the middle)");
  ms_result_show_table(r, offsets, "Offsets: means of the samples before the hit, subtracted");
  return MS_SUCCESS;
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_hammer_product *p = task->product;
  for (ptrdiff_t h = 0; h < p->n_hit; h++) {
    if (p->hit[h].from == other) return 1;
  }
  return 0;
}

/* An offset of a measured force that nothing before the hit tells goes unseen. */
static ms_status judge(ms_study *s, ms_task *task) {
  const ms_hammer_product *p = task->product;
  for (ptrdiff_t h = 0; h < p->n_hit && !p->setting.keep_offset; h++) {
    if (p->hit[h].from || ms_hammer_count_before(p->test, h) > 0) continue;
    MS_TRY(ms_task_note(s, task,
                        "hit %s: fewer than %d samples before the hit: offsets of its channels are "
                        "not known and were not subtracted",
                        p->hit[h].name, MS_OFFSET_LEAST));
  }
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_hammer_test = {
  .needs = needs,
  .name = "hammer_test",
  .meaning =
      "Impacts of a hammer and the responses to them, measured or from earlier transients: each "
      "mode, filtered out of the sensors, with its frequency and damping while all modes ring. "
      "calibrate can match simulated impacts to these, and predict tries other impacts.",
  .keys = ms_hammer_keys,
  .n_keys = MS_HAMMER_KEYS,
  .check = ms_hammer_check,
  .run = run,
  .judge = judge,
  .result = result,
  .close = close_product,
};
