/* Which hits of a test are used: what ms_hit_judge finds of those that are to be judged, in words.
 */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/hammer/hammer.h"

static void append(char *text, size_t size, const char *between, const char *more) {
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "%s%s", length > 0 ? between : "", more);
}

static void put_in_words(const ms_structure *s, const ms_hammer *t, own_hit *hit) {
  for (int i = 0; i < hit->judgement.n_finding; i++) {
    const ms_hit_finding *f = &hit->judgement.finding[i];
    const char *fault = ms_hit_fault_text(f->fault);
    char text[256];
    ms_hit_print_finding(s, t->setting.channel, f, text, sizeof text);
    if (!strstr(hit->faults, fault)) append(hit->faults, sizeof hit->faults, ", ", fault);
    append(hit->doubts, sizeof hit->doubts, "; ", text);
  }
  if (hit->judgement.n_finding > 0) return;
  /* without a gain the modes were not asked, or had no answer: signs and places are not known */
  append(hit->faults, sizeof hit->faults, "", hit->judgement.gain != 0.0 ? "good" : "not judged");
}

static ms_status judge(ms_hammer *t, const ms_structure *s, ptrdiff_t n, const ms_hit *hit,
                       ms_hit_judgement *out) {
  ms_hit_judge_setting setting = MS_HIT_JUDGE_DEFAULT;
  setting.n_channel = t->setting.n_channel;
  setting.channel = t->setting.channel;
  setting.kind = t->setting.kind;
  return ms_hit_judge(s, &setting, n, hit, out, &t->explained);
}

static ms_status judge_copies(ms_hammer *t, const ms_structure *s, ptrdiff_t n_hit,
                              const ms_hit *hit, ms_hit *copy, ms_hit_judgement *out) {
  ptrdiff_t n = 0;
  for (ptrdiff_t h = 0; h < n_hit; h++)
    if (hit[h].use != MS_HIT_NOT_JUDGED) copy[n++] = hit[h];
  MS_TRY(judge(t, s, n, copy, out));
  n = 0;
  for (ptrdiff_t h = 0; h < n_hit; h++) {
    own_hit *own = &t->hit[h];
    if (hit[h].use == MS_HIT_NOT_JUDGED) continue;
    own->judged = 1;
    own->judgement = out[n++];
    own->left_out = hit[h].use == MS_HIT_IF_GOOD && ms_hit_is_doubtful(&own->judgement);
    put_in_words(s, t, own);
  }
  return MS_SUCCESS;
}

static ms_status fail_all(const ms_hammer *t, const ms_hit *hit) {
  return ms_fail(t->ctx, MS_ERR_ARGUMENT,
                 "all impacts are doubtful, and none is used; %s: %s (use: anyway takes it all the "
                 "same)",
                 hit[0].name ? hit[0].name : "hit", t->hit[0].doubts);
}

ms_status ms_hammer_judge_hits(ms_hammer *t, const ms_structure *s, ptrdiff_t n_hit,
                               const ms_hit *hit) {
  ms_hit *copy = NULL;
  ms_hit_judgement *out = NULL;
  ptrdiff_t n = 0, left_out = 0;
  t->explained = 1;
  for (ptrdiff_t h = 0; h < n_hit; h++) {
    ms_hit_channel **channel = &t->hit[h].judgement.channel;
    if (hit[h].use != MS_HIT_NOT_JUDGED)
      n++;
    else
      MS_TRY(ms_allocate(t->ctx, t->setting.n_channel + 1, sizeof **channel, channel));
  }
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(t->ctx, n_hit, sizeof *copy, &copy));
  ms_status status = ms_allocate(t->ctx, n_hit, sizeof *out, &out);
  if (status == MS_SUCCESS) status = judge_copies(t, s, n_hit, hit, copy, out);
  ms_free(t->ctx, &copy);
  ms_free(t->ctx, &out);
  MS_TRY(status);
  for (ptrdiff_t h = 0; h < n_hit; h++) left_out += t->hit[h].left_out;
  return left_out < n_hit ? MS_SUCCESS : fail_all(t, hit);
}

ms_hammer_verdict ms_hammer_get_verdict(const ms_hammer *t, ptrdiff_t h) {
  const own_hit *hit = &t->hit[h];
  const ms_hit_judgement *is = &hit->judgement;
  return (ms_hammer_verdict) { .used = !hit->left_out,
                               .faults = hit->judged ? hit->faults : "not judged",
                               .remark = hit->doubts,
                               .gain = is->gain,
                               .unexplained = is->unexplained,
                               .channel = is->channel };
}

int ms_hammer_is_explained(const ms_hammer *t) {
  return t->explained;
}

/* An offset of a measured force that nothing before the hit tells goes unseen. */
int ms_hammer_print_remark(const ms_hammer *t, ptrdiff_t h, char text[MS_HAMMER_TEXT]) {
  const own_hit *hit = &t->hit[h];
  const int unknown = hit->judged && !t->setting.keep_offset && hit->before == 0;
  char offsets[160] = "";
  if (!hit->left_out && unknown)
    snprintf(offsets, sizeof offsets,
             "fewer than %d samples before it: offsets of its channels are not known and were not "
             "subtracted",
             MS_OFFSET_LEAST);
  if (hit->doubts[0] == '\0' && offsets[0] == '\0') return 0;
  return snprintf(text, MS_HAMMER_TEXT, "impact %s%s: %s%s%s", hit->name,
                  hit->left_out ? " is not used (use: anyway does)" : "", hit->doubts,
                  hit->doubts[0] != '\0' && offsets[0] != '\0' ? "; " : "", offsets);
}
