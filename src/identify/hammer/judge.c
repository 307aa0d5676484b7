/* Judging the records of a hammer test: each by itself, then all of them by the modes. */
#include "identify/hammer/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

const char *ms_hit_fault_text(ms_hit_fault fault) {
#define WORD(fault, word) word,
  static const char *const word[] = { MS_HIT_FAULTS(WORD) };
  return fault < MS_HIT_FAULT_COUNT ? word[fault] : "";
}

void ms_judge_add(judged_hit *h, ms_hit_finding finding) {
  if (h->out->n_finding < MS_HIT_FINDINGS) h->out->finding[h->out->n_finding++] = finding;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double ms_judge_median(ptrdiff_t n, double *x) {
  if (n == 0) return 0.0;
  qsort(x, (size_t)n, sizeof *x, by_size);
  return 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

double ms_judge_dot(ptrdiff_t n, const double *restrict x, const double *restrict y) {
  double sum[4] = { 0.0, 0.0, 0.0, 0.0 };
  ptrdiff_t k = 0;
  for (; k + 4 <= n; k += 4) {
    for (int i = 0; i < 4; i++) sum[i] += x[k + i] * y[k + i];
  }
  for (; k < n; k++) sum[0] += x[k] * y[k];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

/* ---- life ---- */

void ms_hit_judge_default(ms_hit_judge_setting *setting, size_t size) {
  ms_settings_fill(&(ms_hit_judge_setting)MS_HIT_JUDGE_DEFAULT, setting, size);
}

void ms_hit_judgement_free(ms_context *ctx, ptrdiff_t n_hit, ms_hit_judgement *out) {
  for (ptrdiff_t h = 0; out && h < n_hit; h++) {
    ms_free(ctx, &out[h].channel);
    out[h] = (ms_hit_judgement) { .n_finding = 0 };
  }
}

static void close_judge(judge *j) {
  for (ptrdiff_t i = 0; j->hit && i < j->n_hit; i++) {
    judged_hit *h = &j->hit[i];
    double **block[] = { &h->a, &h->noise, &h->m, &h->factor, &h->d };
    for (size_t k = 0; k < sizeof block / sizeof *block; k++) ms_free(j->ctx, block[k]);
    ms_free(j->ctx, &h->source);
    ms_free(j->ctx, &h->silent);
    ms_free(j->ctx, &h->used);
  }
  ms_free(j->ctx, &j->hit);
}

static ms_status open_hit(judge *j, const ms_hit *from, ms_hit_judgement *out, judged_hit *h) {
  const ptrdiff_t n = j->setting.n_channel;
  h->from = from;
  h->out = out;
  MS_TRY(ms_allocate(j->ctx, n + 1, sizeof *out->channel, &out->channel));
  MS_TRY(ms_allocate(j->ctx, n, sizeof *h->silent, &h->silent));
  MS_TRY(ms_allocate(j->ctx, n, sizeof *h->used, &h->used));
  MS_TRY(ms_allocate(j->ctx, n, sizeof *h->source, &h->source));
  MS_TRY(ms_allocate(j->ctx, n, sizeof *h->factor, &h->factor));
  MS_TRY(ms_allocate(j->ctx, n, sizeof *h->d, &h->d));
  return ms_allocate(j->ctx, MS_JUDGE_GROUPS * n, sizeof *h->m, &h->m);
}

/* ---- all hits ---- */

static ms_status judge_hits(judge *j, const ms_hit *hit, ms_hit_judgement *out, int *explained) {
  MS_TRY(ms_allocate(j->ctx, j->n_hit, sizeof *j->hit, &j->hit));
  for (ptrdiff_t i = 0; i < j->n_hit; i++) MS_TRY(open_hit(j, &hit[i], &out[i], &j->hit[i]));
  ms_judge_group_modes(j);
  for (ptrdiff_t i = 0; i < j->n_hit; i++) {
    judged_hit *h = &j->hit[i];
    ms_status status = ms_judge_record(j, h);
    if (status != MS_SUCCESS)
      return ms_fail_at(j->ctx, status, "%s", hit[i].name ? hit[i].name : "hit");
    MS_TRY(ms_judge_fit(j, h));
  }
  return ms_judge_compare(j, explained);
}

static ms_status check(ms_context *ctx, const ms_structure *s, const ms_hit_judge_setting *setting,
                       ptrdiff_t n_hit) {
  const ms_hit_tolerances *tol = &setting->tol;
  MS_HIT_TOLERANCES(MS_TOLERANCE_CHECK)
  if (!s->ready) return ms_fail(ctx, MS_ERR_STATE, "call ms_structure_setup first");
  if (n_hit < 1 || setting->n_channel < 1)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td hits and %td sensors are nothing to judge", n_hit,
                   setting->n_channel);
  for (ptrdiff_t c = 0; c < setting->n_channel; c++)
    MS_TRY(ms_structure_check_coordinate(s, setting->channel[c]));
  return MS_SUCCESS;
}

ms_status ms_hit_judge(const ms_structure *reference, const ms_hit_judge_setting *setting,
                       ptrdiff_t n_hit, const ms_hit *hit, ms_hit_judgement *out, int *explained) {
  ms_context *ctx = reference ? reference->ctx : NULL;
  ms_hit_judge_setting own = MS_HIT_JUDGE_DEFAULT;
  int by_modes = 0;
  MS_NEED(ctx, ctx && setting && hit && out);
  MS_TAKE(ctx, ms_hit_judge_default, setting, own);
  MS_TRY(check(ctx, reference, setting, n_hit));
  memset(out, 0, (size_t)n_hit * sizeof *out);
  judge j = { .ctx = ctx, .s = reference, .setting = *setting, .n_hit = n_hit };
  ms_status status = judge_hits(&j, hit, out, &by_modes);
  close_judge(&j);
  if (status != MS_SUCCESS) ms_hit_judgement_free(ctx, n_hit, out);
  if (explained) *explained = by_modes;
  return status;
}

/* ---- words ---- */

static const char *name_of(const ms_structure *s, const ptrdiff_t *channel, ptrdiff_t c) {
  return c < 0 ? "the force" : ms_structure_get_name(s, channel[c]);
}

int ms_hit_is_doubtful(const ms_hit_judgement *judged) {
  for (int i = 0; i < judged->n_finding; i++)
    if (judged->finding[i].fault != MS_HIT_ENDS_EARLY) return 1;
  return 0;
}

static void print_of_all(const ms_structure *s, const ms_hit_finding *f, char *text, size_t size) {
  const double ms = 1e3 * f->time;
  switch (f->fault) {
  case MS_HIT_DOUBLE:
    snprintf(text, size, "the hammer hit again, at %.4g ms", ms);
    break;
  case MS_HIT_SECOND_SHOCK:
    snprintf(text, size, "another shock came at %.4g ms", ms);
    break;
  case MS_HIT_BEGINS_LATE:
    snprintf(text, size, "it begins when the hammer has hit");
    break;
  case MS_HIT_ENDS_EARLY:
    snprintf(text, size, "it ends while the sensors ring at %.2g of their highest level", f->value);
    break;
  case MS_HIT_NOISE:
    snprintf(text, size, "before the hit the sensors are at %.2g of their highest level", f->value);
    break;
  case MS_HIT_FORCE_INVERTED:
    snprintf(text, size, "the force has the other sign");
    break;
  case MS_HIT_PLACE:
    snprintf(text, size, "the hammer seems to have hit %s", ms_structure_get_name(s, f->other));
    break;
  default: /* a drop-out */
    if (f->value > 0.0)
      snprintf(text, size, "the force is %.2g of what the responses follow from", f->value);
    else
      snprintf(text, size, "the force is lost within the pulse, at %.4g ms", ms);
  }
}

void ms_hit_print_finding(const ms_structure *s, const ptrdiff_t *channel, const ms_hit_finding *f,
                          char *text, size_t size) {
  const char *sensor = name_of(s, channel, f->channel);
  switch (f->fault) {
  case MS_HIT_OVERLOAD:
    snprintf(text, size, "%s is at the end of its range in %.0f samples, first at %.4g ms", sensor,
             f->value, 1e3 * f->time);
    break;
  case MS_HIT_LOST:
    snprintf(text, size, "%s has no signal", sensor);
    break;
  case MS_HIT_SENSOR_INVERTED:
    snprintf(text, size, "%s has the other sign", sensor);
    break;
  case MS_HIT_SWAPPED:
    snprintf(text, size, "%s and %s are exchanged", sensor, name_of(s, channel, f->other));
    break;
  case MS_HIT_GAIN:
    snprintf(text, size, "%s is %.3g times what the modes say", sensor, f->value);
    break;
  case MS_HIT_UNEXPLAINED:
    snprintf(text, size, "the modes do not explain %.2g of %s", f->value,
             f->channel < 0 ? "the responses" : sensor);
    break;
  default:
    print_of_all(s, f, text, size);
  }
}
